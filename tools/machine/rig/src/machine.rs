//! The machines that can be driven: a processor's registers and its memory, with a quiet way in and out.
//! Peeks and pokes never tick anything; only runs spend cycles.

mod hooked;

use std::sync::Arc;

use tempo_emu::{
    Banked, Bus, Cmos, Cpu, Hooks, Io, Nmos, NoHooks, Pins, Ram, Registers, Rom, Run, Stop, UnderIo, Until,
    Variant,
};

use tempo_c64::{Drive, End, Keys, Picture, Volume};
use tempo_emu::c64::{Board, Joystick, Model, StartError};

use crate::computer::Computer;

/// The kind of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MachineKind {
    /// A 6502 and RAM.
    #[default]
    Generic6502,
    /// A 6510 and RAM, its port two plain bytes.
    Generic6510,
    /// A 65C02 and RAM.
    Generic65c02,
    /// The C64's banking, with plain bytes for I/O.
    C64,
    /// The whole C64 with its chips, PAL.
    C64Pal,
    /// The whole C64 with its chips, NTSC.
    C64Ntsc,
}

impl MachineKind {
    /// With video, timers and interrupts.
    pub fn has_chips(self) -> bool {
        matches!(self, MachineKind::C64Pal | MachineKind::C64Ntsc)
    }

    /// With sockets for ROMs.
    pub fn has_sockets(self) -> bool {
        self == MachineKind::C64 || self.has_chips()
    }
}

/// An interrupt line of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// The maskable one.
    Irq,
    /// The one that is not.
    Nmi,
}

/// Images for the ROM sockets.
#[derive(Debug, Clone, Default)]
pub struct Roms {
    /// At $A000.
    pub basic: Option<Arc<[u8]>>,
    /// At $E000.
    pub kernal: Option<Arc<[u8]>>,
    /// At $D000.
    pub chargen: Option<Arc<[u8]>>,
}

/// Whether program writes to visible I/O also change the RAM below, as in sim6502.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IoWrites {
    /// They change I/O alone.
    #[default]
    IoOnly,
    /// They change both.
    AlsoRam,
}

/// The machine of a test, between two runs.
#[derive(Clone)]
pub struct TestMachine {
    /// Its kind.
    pub kind: MachineKind,
    /// The registers between two runs.
    pub registers: Registers,
    /// Cycles of this test.
    pub cycles: u64,
    memory: Memory,
    /// For runs in pieces.
    held: Option<hooked::Held>,
}

#[derive(Clone)]
enum Memory {
    Flat(Box<Ram>),
    C64(Box<Banked<IoBytes>>),
    Computer(Box<Computer>),
}

/// The I/O area without chips: bytes that keep what is written.
#[derive(Clone)]
struct IoBytes([u8; 0x1000]);

impl IoBytes {
    fn at(addr: u16) -> usize {
        usize::from(addr & 0x0fff)
    }
}

impl Io for IoBytes {
    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.0[IoBytes::at(addr)]
    }

    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.0[IoBytes::at(addr)] = value;
    }

    fn look(&self, addr: u16) -> Option<u8> {
        Some(self.0[IoBytes::at(addr)])
    }

    fn quiet_until(&self, _pins: Pins, _cycle: u64) -> u64 {
        u64::MAX
    }
}

/// The ROM sockets and how many bytes they take.
const SOCKETS: [(Rom, usize); 3] = [(Rom::Basic, 0x2000), (Rom::Kernal, 0x2000), (Rom::Characters, 0x1000)];

/// The C64's memory. A socket without an image reads as zero.
fn c64(io_writes: IoWrites) -> Box<Banked<IoBytes>> {
    let mut bus = Banked::new(IoBytes([0; 0x1000]));
    for (rom, size) in SOCKETS {
        bus.insert(rom, &vec![0; size]).expect("the size of the socket");
    }
    bus.under_io = match io_writes {
        IoWrites::IoOnly => UnderIo::Unchanged,
        IoWrites::AlsoRam => UnderIo::Written,
    };
    bus
}

/// Where the address of the handler is fetched.
const IRQ_VECTOR: u16 = 0xfffe;

/// Values that reads of an address get one after the other; the last one stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feed {
    /// The address.
    pub address: u16,
    /// The values.
    pub values: Vec<u8>,
    /// The number of values that were read.
    pub next: usize,
}

/// A line that is pulled in this cycle. IRQ stays low until the processor fetches its vector, as if the handler had
/// acknowledged it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wire {
    /// The line.
    pub line: Line,
    /// The cycle.
    pub at: u64,
    /// Whether the processor has served it.
    pub is_served: bool,
}

/// What a watched run is watched on.
enum Seen<'a> {
    Flat(&'a mut Ram),
    C64(&'a mut Banked<IoBytes>),
    Board(&'a mut Board),
}

/// The memory as a watched run sees it: all kinds behind one type, with reads that may be answered from a list.
/// Watched runs are not the fast ones; they have no core of their own. Pins are looked at only if it is `WIRED`.
struct Watched<'a, const WIRED: bool> {
    memory: Seen<'a>,
    feeds: &'a mut [Feed],
    wires: &'a mut [Wire],
    /// The bus's cycle at which the test began.
    base: u64,
}

impl<const WIRED: bool> Watched<'_, WIRED> {
    /// The processor serves a line.
    #[cold]
    fn serve(&mut self, line: Line, cycles: u64) {
        for wire in self.wires.iter_mut().filter(|wire| wire.line == line) {
            wire.is_served |= cycles > wire.at.saturating_add(self.base);
        }
    }
}

impl<const WIRED: bool> Bus for Watched<'_, WIRED> {
    const PINS: Pins = if WIRED { Board::PINS } else { Pins::NONE };

    #[inline(never)]
    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        if WIRED && addr == IRQ_VECTOR {
            self.serve(Line::Irq, cycle);
        }
        for feed in self.feeds.iter_mut() {
            if feed.address == addr {
                let value = feed.values[feed.next.min(feed.values.len() - 1)];
                feed.next += 1;
                return value;
            }
        }
        match &mut self.memory {
            Seen::Flat(flat) => flat.read(addr, cycle),
            Seen::C64(c64) => c64.read(addr, cycle),
            Seen::Board(board) => board.read(addr, cycle),
        }
    }

    fn look(&self, addr: u16) -> Option<u8> {
        match &self.memory {
            Seen::Flat(flat) => flat.look(addr),
            Seen::C64(c64) => c64.look(addr),
            Seen::Board(board) => board.look(addr),
        }
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        match &mut self.memory {
            Seen::Flat(flat) => flat.write(addr, value, cycle),
            Seen::C64(c64) => c64.write(addr, value, cycle),
            Seen::Board(board) => board.write(addr, value, cycle),
        }
    }

    fn pins(&mut self, cycles: u64) -> Pins {
        let mut pins = match &mut self.memory {
            Seen::Board(board) => board.pins(cycles),
            _ => Pins::NONE,
        };
        for wire in self.wires.iter().filter(|wire| !wire.is_served) {
            if cycles > wire.at.saturating_add(self.base) {
                pins = pins | if wire.line == Line::Irq { Pins::IRQ } else { Pins::NMI_EDGE };
            }
        }
        pins
    }

    fn acknowledge(&mut self, edges: Pins) {
        if edges.has(Pins::NMI_EDGE) {
            self.serve(Line::Nmi, u64::MAX);
        }
        if let Seen::Board(board) = &mut self.memory {
            board.acknowledge(edges);
        }
    }

    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.shared(self)
    }
}

impl TestMachine {
    /// RAM zero, A X Y zero, stack pointer `$FD`, interrupts off.
    pub fn new(kind: MachineKind, io_writes: IoWrites) -> TestMachine {
        let computer = |model| Memory::Computer(Box::new(Computer::new(model)));
        let memory = match kind {
            MachineKind::C64Pal => computer(Model::Pal),
            MachineKind::C64Ntsc => computer(Model::Ntsc),
            MachineKind::C64 => Memory::C64(c64(io_writes)),
            // The 6510's port registers are plain bytes that start as zero, like the RAM around them.
            _ => Memory::Flat(Box::new(Ram::new())),
        };
        let registers = match &memory {
            Memory::Computer(computer) => computer.main,
            _ => Registers { s: 0xfd, ..Registers::default() },
        };
        TestMachine { kind, registers, cycles: 0, memory, held: None }
    }

    /// Takes over another machine's state without new memory.
    pub fn copy_from(&mut self, other: &TestMachine) {
        self.kind = other.kind;
        self.registers = other.registers;
        self.cycles = other.cycles;
        self.held.clone_from(&other.held);
        match (&mut self.memory, &other.memory) {
            (Memory::Flat(mine), Memory::Flat(theirs)) => mine.bytes_mut().copy_from_slice(theirs.bytes()),
            (Memory::C64(mine), Memory::C64(theirs)) => (**mine).clone_from(theirs),
            (Memory::Computer(mine), Memory::Computer(theirs)) => (**mine).clone_from(theirs),
            (mine, theirs) => *mine = theirs.clone(),
        }
    }

    /// What the processor would read here and now.
    pub fn peek(&self, addr: u16) -> u8 {
        match &self.memory {
            Memory::Flat(flat) => flat.bytes()[usize::from(addr)],
            Memory::C64(c64) => c64.peek(addr).unwrap_or_else(|| c64.io.0[IoBytes::at(addr)]),
            Memory::Computer(computer) => computer.session.machine.board.peek(addr),
        }
    }

    /// A store made by the test text. On a C64 it reaches visible I/O *and* the RAM below.
    pub fn poke(&mut self, addr: u16, value: u8) {
        match &mut self.memory {
            Memory::Flat(flat) => flat.bytes_mut()[usize::from(addr)] = value,
            Memory::Computer(computer) => computer.poke(addr, value, self.cycles),
            Memory::C64(c64) => {
                c64.write(addr, value, 0);
                if c64.peek(addr).is_none() {
                    c64.ram_mut()[usize::from(addr)] = value;
                }
            }
        }
    }

    /// The test's cycles count from zero.
    pub fn restart_cycles(&mut self) {
        self.cycles = 0;
        if let Memory::Computer(computer) = &mut self.memory {
            computer.restart_cycles();
        }
    }

    fn computer(&self) -> Option<&Computer> {
        match &self.memory {
            Memory::Computer(computer) => Some(computer),
            _ => None,
        }
    }

    /// Makes the program whose BASIC line is in memory the one that the frames belong to.
    pub fn start_program(&mut self) -> Result<(), StartError> {
        if let Memory::Computer(computer) = &mut self.memory {
            computer.start(self.registers)?;
            self.registers = computer.main;
        }
        Ok(())
    }

    /// Presses keys, beginning with the next frame.
    pub fn type_keys(&mut self, keys: &Keys) {
        if let Memory::Computer(computer) = &mut self.memory {
            computer.session.type_keys(keys);
        }
    }

    /// Moves the joystick in a port and holds it there.
    pub fn set_joystick(&mut self, port: u8, joystick: Joystick) {
        if let Memory::Computer(computer) = &mut self.memory {
            computer.session.machine.board.set_joystick(port, joystick);
        }
    }

    /// Puts a disk in drive 8.
    pub fn insert_disk(&mut self, volume: Volume) {
        if let Memory::Computer(computer) = &mut self.memory {
            computer.session.drive = Drive::with(volume);
        }
    }

    /// Whether the program that the frames belong to has returned to the prompt.
    pub fn is_at_prompt(&self) -> bool {
        self.computer().is_some_and(|computer| computer.is_at_prompt)
    }

    /// The last complete picture, if there is one.
    pub fn picture(&self) -> Option<Picture> {
        let board = &self.computer()?.session.machine.board;
        (board.pictures() > 0).then(|| Picture::of(board))
    }

    /// Runs to the end of the frame in progress; what ended it before.
    pub fn run_frame<H: Hooks>(&mut self, hooks: &mut H) -> Option<End> {
        let Memory::Computer(computer) = &mut self.memory else { return None };
        let end = computer.run_frame(&mut self.cycles, hooks);
        self.registers = computer.main;
        end
    }

    /// After the program returned: goes on in the prompt.
    pub fn enter_prompt(&mut self) {
        if let Memory::Computer(computer) = &mut self.memory {
            computer.enter_prompt(&mut self.cycles);
            self.registers = computer.main;
        }
    }

    /// A stub has changed the registers of the program that the frames belong to.
    pub fn keep_main(&mut self) {
        if let Memory::Computer(computer) = &mut self.memory {
            computer.main = self.registers;
        }
    }

    /// Where the next frame begins.
    pub fn main_place(&self) -> u16 {
        self.computer().map_or(0, |computer| computer.main.pc)
    }

    /// The beam's line, and its cycle there.
    pub fn beam(&self) -> Option<(u16, u8)> {
        self.computer().map(|computer| computer.session.machine.board.beam())
    }

    /// The rows of the text screen; none without one.
    pub fn screen_rows(&self) -> Vec<String> {
        self.computer().map_or(Vec::new(), |computer| tempo_c64::screen_rows(&computer.session.machine.board))
    }

    /// The text of the screen, if there is one.
    pub fn screen_text(&self) -> Option<String> {
        self.computer().map(|computer| tempo_c64::screen_text(&computer.session.machine.board))
    }

    /// Puts bytes straight into RAM, past ROM, I/O and the port.
    pub fn load(&mut self, addr: u16, bytes: &[u8]) {
        let start = usize::from(addr);
        match &mut self.memory {
            Memory::Flat(flat) => flat.bytes_mut()[start..start + bytes.len()].copy_from_slice(bytes),
            Memory::Computer(computer) => {
                let ram = computer.session.machine.board.ram_mut();
                for (offset, &byte) in bytes.iter().enumerate().filter(|(offset, _)| start + offset > 1) {
                    ram[start + offset] = byte;
                }
            }
            Memory::C64(c64) => {
                c64.ram_mut()[start..start + bytes.len()].copy_from_slice(bytes);
                // Its registers lie over the first two bytes.
                let port = c64.port();
                c64.set_port(port);
            }
        }
    }

    /// Fills the ROM sockets; those without an image read as zero. Machines without sockets ignore it.
    pub fn insert_roms(&mut self, roms: &Roms) {
        let images = [&roms.basic, &roms.kernal, &roms.chargen];
        for ((rom, size), image) in SOCKETS.into_iter().zip(images) {
            if let Some(image) = image {
                // A short image leaves zeros behind it; one that is too long was refused when it was read.
                let mut bytes = image.to_vec();
                bytes.resize(size, 0);
                match &mut self.memory {
                    Memory::C64(c64) => c64.insert(rom, &bytes),
                    Memory::Computer(computer) => computer.session.machine.board.insert(rom, &bytes),
                    Memory::Flat(_) => Ok(()),
                }
                .expect("the size of the socket");
            }
        }
    }

    /// Runs the processor from `registers.pc` until an end is reached, at full speed.
    pub fn run(&mut self, until: Until) -> Stop {
        let (registers, cycles) = (&mut self.registers, &mut self.cycles);
        match &mut self.memory {
            Memory::C64(c64) => drive::<Nmos, _, _>(registers, cycles, &mut **c64, &mut NoHooks, until),
            Memory::Computer(computer) => computer.run(registers, cycles, until, |machine, until| {
                machine.cpu.run_with(&mut machine.board, &mut NoHooks, until)
            }),
            Memory::Flat(flat) if self.kind == MachineKind::Generic65c02 => {
                drive::<Cmos, _, _>(registers, cycles, &mut **flat, &mut NoHooks, until)
            }
            Memory::Flat(flat) => drive::<Nmos, _, _>(registers, cycles, &mut **flat, &mut NoHooks, until),
        }
    }

    /// The same with hooks. `None` on a whole computer, which runs calls beside its program.
    pub fn run_with<H: Hooks>(&mut self, hooks: &mut H, until: Until) -> Option<Stop> {
        let (registers, cycles) = (&mut self.registers, &mut self.cycles);
        Some(match &mut self.memory {
            Memory::C64(c64) => drive::<Nmos, _, _>(registers, cycles, &mut **c64, hooks, until),
            Memory::Computer(_) => return None,
            Memory::Flat(flat) if self.kind == MachineKind::Generic65c02 => {
                drive::<Cmos, _, _>(registers, cycles, &mut **flat, hooks, until)
            }
            Memory::Flat(flat) => drive::<Nmos, _, _>(registers, cycles, &mut **flat, hooks, until),
        })
    }

    /// Runs with hooks on a bus that all machines share. `feeds` answer reads, `wires` interrupt.
    pub fn run_watched<H: Hooks>(
        &mut self,
        hooks: &mut H,
        feeds: &mut [Feed],
        wires: &mut [Wire],
        until: Until,
    ) -> Stop {
        let (registers, cycles) = (&mut self.registers, &mut self.cycles);
        let memory = match &mut self.memory {
            Memory::Flat(flat) => Seen::Flat(flat),
            Memory::C64(c64) => Seen::C64(c64),
            Memory::Computer(computer) => {
                let base = computer.base;
                return computer.run(registers, cycles, until, |machine, until| {
                    let memory = Seen::Board(&mut machine.board);
                    let (feeds, wires) = (&mut *feeds, &mut *wires);
                    let mut bus = Watched::<true> { memory, feeds, wires, base };
                    machine.cpu.run_with(&mut bus, hooks, until)
                });
            }
        };
        let is_cmos = self.kind == MachineKind::Generic65c02;
        if wires.is_empty() {
            let mut bus = Watched::<false> { memory, feeds, wires, base: 0 };
            return match is_cmos {
                true => drive::<Cmos, _, _>(registers, cycles, &mut bus, hooks, until),
                false => drive::<Nmos, _, _>(registers, cycles, &mut bus, hooks, until),
            };
        }
        let mut bus = Watched::<true> { memory, feeds, wires, base: 0 };
        match is_cmos {
            true => drive::<Cmos, _, _>(registers, cycles, &mut bus, hooks, until),
            false => drive::<Nmos, _, _>(registers, cycles, &mut bus, hooks, until),
        }
    }

    /// The instruction set, for disassembly.
    pub fn isa(&self) -> tempo_isa::Cpu {
        match self.kind {
            MachineKind::Generic65c02 => tempo_isa::Cpu::Wdc65c02,
            _ => tempo_isa::Cpu::Mos6502,
        }
    }

    /// Whether reads here are answered by ROM or I/O rather than by RAM somebody must have written.
    pub fn is_furnished(&self, addr: u16, roms: &Roms) -> bool {
        let has_chips = self.kind.has_chips();
        self.kind.has_sockets()
            && match addr >> 12 {
                // The KERNAL's variables, the stack, the screen.
                0 => addr < 2 || (has_chips && addr < 0x0800),
                0xa | 0xb => roms.basic.is_some(),
                0xd => true,
                0xe | 0xf => has_chips || roms.kernal.is_some(),
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
    let mut cpu = Cpu::<V>::with_registers(*registers);
    cpu.cycles = *cycles;
    let stop = cpu.run_with(bus, hooks, until);
    (*registers, *cycles) = (cpu.registers, cpu.cycles);
    stop
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn the_port_switches_what_is_seen() {
        let mut machine = TestMachine::new(MachineKind::C64, IoWrites::IoOnly);
        machine.insert_roms(&Roms {
            basic: Some(vec![0xba; 0x2000].into()),
            kernal: Some(vec![0xfe; 0x2000].into()),
            chargen: Some(vec![0xc4; 0x1000].into()),
        });
        for addr in [0xa000, 0xd000, 0xe000] {
            machine.load(addr, &[0x11]);
        }
        let seen = |machine: &mut TestMachine, port: u8| {
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
        let mut machine = TestMachine::new(MachineKind::C64, IoWrites::IoOnly);
        machine.poke(0xd020, 5);
        assert_eq!(machine.peek(0xd020), 5);
        machine.poke(1, 0x34);
        assert_eq!(machine.peek(0xd020), 5);
    }

    #[test]
    fn reads_can_be_fed() {
        let mut machine = TestMachine::new(MachineKind::Generic6502, IoWrites::IoOnly);
        // lda $d012; ldx $d012; ldy $d012; brk
        machine.load(0x1000, &[0xad, 0x12, 0xd0, 0xae, 0x12, 0xd0, 0xac, 0x12, 0xd0, 0x00]);
        machine.registers.pc = 0x1000;
        let mut feeds = [Feed { address: 0xd012, values: vec![10, 11], next: 0 }];
        let stop = machine.run_watched(&mut NoHooks, &mut feeds, &mut [], Until::brk());
        assert_eq!(stop, Stop::Brk);
        assert_eq!((machine.registers.a, machine.registers.x, machine.registers.y), (10, 11, 11));
        assert_eq!(machine.cycles, 12);
    }
}
