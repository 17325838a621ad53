//! The machines a suite can ask for: a processor's registers and its memory, with a quiet way in and out.
//! Peeks and pokes of the test text never tick anything; only [`Machine::run`] spends cycles.

use emu::{Bus, Cmos, Code, Coupling, Cpu, Hooks, Nmos, NoHooks, Ram, Status, Stop, Until, Variant};

use crate::ast::{Flag, MachineKind, Register};
use crate::plan::Roms;
use crate::probe::Probe;

/// The registers between two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registers {
    pub a: u8,
    pub x: u8,
    pub y: u8,
    pub s: u8,
    pub p: u8,
    pub pc: u16,
}

impl Default for Registers {
    fn default() -> Registers {
        Registers { a: 0, x: 0, y: 0, s: 0xfd, p: Status::default().byte(), pc: 0 }
    }
}

impl Registers {
    pub fn get(&self, register: Register) -> i64 {
        match register {
            Register::A => i64::from(self.a),
            Register::X => i64::from(self.x),
            Register::Y => i64::from(self.y),
            Register::Sp => i64::from(self.s),
            Register::P => i64::from(self.p),
            Register::Pc => i64::from(self.pc),
        }
    }

    pub fn set(&mut self, register: Register, value: u8) {
        match register {
            Register::A => self.a = value,
            Register::X => self.x = value,
            Register::Y => self.y = value,
            Register::Sp => self.s = value,
            Register::P => self.p = Status::from_byte(value).byte(),
            Register::Pc => {}
        }
    }

    pub fn flag(&self, flag: Flag) -> bool {
        self.p & flag.mask() != 0
    }

    pub fn set_flag(&mut self, flag: Flag, on: bool) {
        if on {
            self.p |= flag.mask();
        } else {
            self.p &= !flag.mask();
        }
    }
}

/// Whether program writes to visible I/O also change the RAM below, as in sim6502.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IoWrites {
    #[default]
    IoOnly,
    AlsoRam,
}

#[derive(Clone)]
pub struct Machine {
    pub kind: MachineKind,
    pub registers: Registers,
    /// Cycles of this test.
    pub cycles: u64,
    memory: Memory,
}

#[derive(Clone)]
enum Memory {
    Flat(Box<Ram>),
    C64(Box<C64>),
}

/// RAM, then the three ROMs and the I/O bytes, in one array: reading is one look at a map of 4 KB blocks.
const BASIC: u32 = 0x10000;
const KERNAL: u32 = 0x12000;
const CHARGEN: u32 = 0x14000;
const IO: u32 = 0x15000;
const ARENA: usize = 0x20000;

#[derive(Clone)]
struct C64 {
    memory: [u8; ARENA],
    reads: [u32; 16],
    writes: [u32; 16],
    io_writes: IoWrites,
}

impl C64 {
    fn new(io_writes: IoWrites) -> Box<C64> {
        let plain = std::array::from_fn(|block| (block as u32) << 12);
        let mut bus = Box::new(C64 { memory: [0; ARENA], reads: plain, writes: plain, io_writes });
        bus.memory[0] = 0x2f;
        bus.memory[1] = 0x37;
        bus.switch();
        bus
    }

    /// Draws the maps for the three bank lines; a line set to input is pulled up.
    #[cold]
    #[inline(never)]
    fn switch(&mut self) {
        let lines = self.memory[1] | !self.memory[0];
        let (low, high, character) = (lines & 1 != 0, lines & 2 != 0, lines & 4 != 0);
        let io = (low || high) && character;
        for block in 0..16u32 {
            let ram = block << 12;
            self.reads[block as usize] = match block {
                0xa | 0xb if low && high => BASIC + ((block - 0xa) << 12),
                0xd if io => IO,
                0xd if low || high => CHARGEN,
                0xe | 0xf if high => KERNAL + ((block - 0xe) << 12),
                _ => ram,
            };
            self.writes[block as usize] = if block == 0xd && io { IO } else { ram };
        }
    }

    #[inline(always)]
    fn at(&self, addr: u16) -> usize {
        (self.reads[usize::from(addr >> 12)] as usize + usize::from(addr & 0xfff)) & (ARENA - 1)
    }

    #[inline(always)]
    fn put(&mut self, addr: u16, value: u8) {
        let base = self.writes[usize::from(addr >> 12)];
        self.memory[(base as usize + usize::from(addr & 0xfff)) & (ARENA - 1)] = value;
        if addr < 2 {
            self.switch();
        }
    }

    fn is_io(&self, addr: u16) -> bool {
        addr >> 12 == 0xd && self.writes[0xd] == IO
    }

    /// The RAM below visible I/O.
    #[cold]
    #[inline(never)]
    fn put_below(&mut self, addr: u16, value: u8) {
        if self.is_io(addr) {
            self.memory[usize::from(addr)] = value;
        }
    }
}

impl Bus for C64 {
    const COUPLING: Coupling = Coupling::Plain;

    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.memory[self.at(addr)]
    }

    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.put(addr, value);
        if self.io_writes == IoWrites::AlsoRam {
            self.put_below(addr, value);
        }
    }

    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<Code> {
        let block = usize::from(pc >> 12);
        // Blocks in one piece have the same way from an address to its place.
        let way = |block: usize| self.reads[block].wrapping_sub((block as u32) << 12);
        let is_near = |other: &usize| way(*other) == way(block);
        let first = (0..block).rev().take_while(is_near).last().unwrap_or(block) as u16;
        let last = (block + 1..16).take_while(is_near).last().unwrap_or(block) as u16;
        Some(Code { first: first << 12, last: last << 12 | 0xffd, place: self.at(first << 12) })
    }

    #[inline(always)]
    fn read_code(&self, place: usize, offset: u16) -> u8 {
        self.memory[(place + usize::from(offset)) & (ARENA - 1)]
    }

    /// Without devices I/O is memory like any other.
    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        Some(self.memory[self.at(addr)])
    }

    /// Not the port, and not I/O if the RAM below is to be written, too.
    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        let base = self.writes[usize::from(addr >> 12)];
        if addr < 2 || base == IO && self.io_writes == IoWrites::AlsoRam {
            return false;
        }
        self.memory[(base as usize + usize::from(addr & 0xfff)) & (ARENA - 1)] = value;
        true
    }
}

/// Values that reads of an address get one after the other; the last one stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feed {
    pub address: u16,
    pub values: Vec<u8>,
    pub next: usize,
}

/// The memory as a watched run sees it: either kind behind one type, with reads that may be answered from a list.
/// Watched runs are not the fast ones; they have no core of their own.
struct Watched<'a> {
    memory: &'a mut Memory,
    feeds: &'a mut [Feed],
}

impl Bus for Watched<'_> {
    const COUPLING: Coupling = Coupling::Shared;

    #[inline(never)]
    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        for feed in self.feeds.iter_mut() {
            if feed.address == addr {
                let value = feed.values[feed.next.min(feed.values.len() - 1)];
                feed.next += 1;
                return value;
            }
        }
        match self.memory {
            Memory::Flat(flat) => flat.read(addr, cycle),
            Memory::C64(c64) => c64.read(addr, cycle),
        }
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        match self.memory {
            Memory::Flat(flat) => flat.write(addr, value, cycle),
            Memory::C64(c64) => c64.write(addr, value, cycle),
        }
    }
}

impl Machine {
    /// RAM zero, A X Y zero, stack pointer `$FD`, interrupts off.
    pub fn new(kind: MachineKind, io_writes: IoWrites) -> Machine {
        let memory = match kind {
            MachineKind::C64 => Memory::C64(C64::new(io_writes)),
            // The 6510's port registers are plain bytes that start as zero, like the RAM around them.
            _ => Memory::Flat(Box::new(Ram::new())),
        };
        Machine { kind, registers: Registers::default(), cycles: 0, memory }
    }

    /// Takes over another machine's state without new memory.
    pub fn copy_from(&mut self, other: &Machine) {
        self.kind = other.kind;
        self.registers = other.registers;
        self.cycles = other.cycles;
        match (&mut self.memory, &other.memory) {
            (Memory::Flat(mine), Memory::Flat(theirs)) => mine.bytes_mut().copy_from_slice(theirs.bytes()),
            (Memory::C64(mine), Memory::C64(theirs)) => (**mine).clone_from(theirs),
            (mine, theirs) => *mine = theirs.clone(),
        }
    }

    /// What the processor would read here and now.
    pub fn peek(&self, addr: u16) -> u8 {
        match &self.memory {
            Memory::Flat(flat) => flat.bytes()[usize::from(addr)],
            Memory::C64(c64) => c64.memory[c64.at(addr)],
        }
    }

    /// A store made by the test text. On the C64 it reaches visible I/O *and* the RAM below.
    pub fn poke(&mut self, addr: u16, value: u8) {
        match &mut self.memory {
            Memory::Flat(flat) => flat.bytes_mut()[usize::from(addr)] = value,
            Memory::C64(c64) => {
                c64.put(addr, value);
                c64.put_below(addr, value);
            }
        }
    }

    /// Puts bytes straight into RAM, past ROM, I/O and the port.
    pub fn load(&mut self, addr: u16, bytes: &[u8]) {
        let start = usize::from(addr);
        match &mut self.memory {
            Memory::Flat(flat) => flat.bytes_mut()[start..start + bytes.len()].copy_from_slice(bytes),
            Memory::C64(c64) => {
                let port = [c64.memory[0], c64.memory[1]];
                c64.memory[start..start + bytes.len()].copy_from_slice(bytes);
                c64.memory[..2].copy_from_slice(&port);
            }
        }
    }

    /// Fills the ROM sockets; those without an image read as zero. Machines without sockets ignore it.
    pub fn insert_roms(&mut self, roms: &Roms) {
        let Memory::C64(c64) = &mut self.memory else { return };
        for (at, image) in [(BASIC, &roms.basic), (KERNAL, &roms.kernal), (CHARGEN, &roms.chargen)] {
            if let Some(image) = image {
                let at = at as usize;
                c64.memory[at..at + image.len()].copy_from_slice(image);
            }
        }
    }

    /// Runs the processor from `registers.pc` until an end is reached, at full speed.
    pub fn run(&mut self, until: Until) -> Stop {
        let (registers, cycles) = (&mut self.registers, &mut self.cycles);
        match &mut self.memory {
            Memory::C64(c64) => drive::<Nmos, _, _>(registers, cycles, &mut **c64, &mut NoHooks, until),
            Memory::Flat(flat) if self.kind == MachineKind::Generic65c02 => {
                drive::<Cmos, _, _>(registers, cycles, &mut **flat, &mut NoHooks, until)
            }
            Memory::Flat(flat) => drive::<Nmos, _, _>(registers, cycles, &mut **flat, &mut NoHooks, until),
        }
    }

    /// Runs with every instruction and memory access shown to the probe. `feeds` answer reads.
    pub fn run_watched(&mut self, probe: &mut Probe, feeds: &mut [Feed], until: Until) -> Stop {
        let (registers, cycles) = (&mut self.registers, &mut self.cycles);
        let mut bus = Watched { memory: &mut self.memory, feeds };
        match self.kind {
            MachineKind::Generic65c02 => drive::<Cmos, _, _>(registers, cycles, &mut bus, probe, until),
            _ => drive::<Nmos, _, _>(registers, cycles, &mut bus, probe, until),
        }
    }

    /// The instruction set, for disassembly.
    pub fn isa(&self) -> isa::Cpu {
        match self.kind {
            MachineKind::Generic65c02 => isa::Cpu::Wdc65c02,
            _ => isa::Cpu::Mos6502,
        }
    }

    /// Whether reads here are answered by ROM or I/O rather than by RAM somebody must have written.
    pub fn is_furnished(&self, addr: u16, roms: &Roms) -> bool {
        self.kind == MachineKind::C64
            && match addr >> 12 {
                0 => addr < 2,
                0xa | 0xb => roms.basic.is_some(),
                0xd => true,
                0xe | 0xf => roms.kernal.is_some(),
                _ => false,
            }
    }
}

/// One run with everything known at compile time: chip, bus, hooks.
fn drive<V: Variant, B: Bus, H: Hooks>(
    registers: &mut Registers,
    cycles: &mut u64,
    bus: &mut B,
    hooks: &mut H,
    until: Until,
) -> Stop {
    let mut cpu = Cpu::<V>::new();
    (cpu.a, cpu.x, cpu.y, cpu.s, cpu.pc) = (registers.a, registers.x, registers.y, registers.s, registers.pc);
    cpu.p = Status::from_byte(registers.p);
    cpu.cycles = *cycles;
    let stop = cpu.run_with(bus, hooks, until);
    (registers.a, registers.x, registers.y, registers.s, registers.pc) = (cpu.a, cpu.x, cpu.y, cpu.s, cpu.pc);
    registers.p = cpu.p.byte();
    *cycles = cpu.cycles;
    stop
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn the_port_switches_what_is_seen() {
        let mut machine = Machine::new(MachineKind::C64, IoWrites::IoOnly);
        machine.insert_roms(&Roms {
            basic: Some(vec![0xba; 0x2000].into()),
            kernal: Some(vec![0xfe; 0x2000].into()),
            chargen: Some(vec![0xc4; 0x1000].into()),
        });
        for addr in [0xa000, 0xd000, 0xe000] {
            machine.load(addr, &[0x11]);
        }
        let seen = |machine: &mut Machine, port: u8| {
            machine.poke(1, port);
            [0xa000, 0xd000, 0xe000].map(|addr| machine.peek(addr))
        };
        machine.poke(1, 0x37);
        assert_eq!(seen(&mut machine, 0x37), [0xba, 0x00, 0xfe]);
        assert_eq!(seen(&mut machine, 0x36), [0x11, 0x00, 0xfe]);
        assert_eq!(seen(&mut machine, 0x35), [0x11, 0x00, 0x11]);
        assert_eq!(seen(&mut machine, 0x34), [0x11, 0x11, 0x11]);
        assert_eq!(seen(&mut machine, 0x33), [0xba, 0xc4, 0xfe]);
        assert_eq!(seen(&mut machine, 0x31), [0x11, 0xc4, 0x11]);
    }

    #[test]
    fn stores_of_the_text_reach_io_and_ram() {
        let mut machine = Machine::new(MachineKind::C64, IoWrites::IoOnly);
        machine.poke(0xd020, 5);
        assert_eq!(machine.peek(0xd020), 5);
        machine.poke(1, 0x34);
        assert_eq!(machine.peek(0xd020), 5);
    }

    #[test]
    fn reads_can_be_fed() {
        let mut machine = Machine::new(MachineKind::Generic6502, IoWrites::IoOnly);
        // lda $d012; ldx $d012; ldy $d012; brk
        machine.load(0x1000, &[0xad, 0x12, 0xd0, 0xae, 0x12, 0xd0, 0xac, 0x12, 0xd0, 0x00]);
        machine.registers.pc = 0x1000;
        let mut feeds = [Feed { address: 0xd012, values: vec![10, 11], next: 0 }];
        let mut probe = Probe::new(crate::probe::Watch::default());
        let stop = machine.run_watched(&mut probe, &mut feeds, Until::brk());
        assert_eq!(stop, Stop::Brk);
        assert_eq!((machine.registers.a, machine.registers.x, machine.registers.y), (10, 11, 11));
        assert_eq!(machine.cycles, 12);
    }
}
