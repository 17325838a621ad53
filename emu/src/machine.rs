//! The parts that every machine has: a CPU that can be run, memory that can be looked at, and names for addresses.
//! The parts of whole computers are in `computer`, and which machines there are in `system`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::c64::hardware;
use crate::hardware::Hardware;
use crate::state::{State, StateError, state};
use crate::{
    Banked, Bus, Cpu, Hooks, Io, Nmos, Pins, Ram, Registers, Rom, RomError, Stop, UnderIo, Until, Variant,
};

/// A machine that programs run on. It is plain data: a clone is a snapshot, and its fields as bytes are a saved machine.
///
/// The run is generic over its hooks, and the loop is compiled for each machine and each hook that are used together; the
/// rest is called seldom, through [`crate::AnyMachine`].
pub trait Machine: Clone + State {
    /// The differences between the models of the machine.
    type Model: Copy + PartialEq;
    /// The CPU.
    type Chip: Variant;
    /// Everything else, as the CPU sees it.
    type Board: Bus;

    /// Whether it has chips that run by themselves: video, timers, interrupts. It is a [`crate::Computer`], then.
    const IS_WHOLE: bool = false;
    /// Whether it has sockets for the C64's ROMs.
    const HAS_SOCKETS: bool = false;
    /// The names of its addresses.
    const HARDWARE: &'static Hardware = &Hardware::NONE;

    /// As it is after it was switched on.
    fn new(model: Self::Model) -> Self;

    /// The model that this one is.
    fn model(&self) -> Self::Model;

    /// The CPU.
    fn cpu(&self) -> &Cpu<Self::Chip>;

    /// The CPU and the board.
    fn parts(&mut self) -> (&mut Cpu<Self::Chip>, &mut Self::Board);

    /// Runs with hooks until one of the ends.
    #[inline(always)]
    fn run<H: Hooks>(&mut self, hooks: &mut H, until: Until) -> Stop {
        let (cpu, board) = self.parts();
        cpu.run_with(board, hooks, until)
    }

    /// Returns the byte that the CPU would read, without effects.
    fn peek(&self, addr: u16) -> u8;

    /// A store from outside: it does what one of the CPU's does, and takes no cycle.
    fn poke(&mut self, addr: u16, value: u8);

    /// Puts bytes straight into RAM, past ROM, devices and the port. They must fit.
    fn load_at(&mut self, addr: u16, bytes: &[u8]);

    /// Puts an image in a ROM socket. A machine without sockets ignores it.
    fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        let _ = (rom, image);
        Ok(())
    }

    /// Whether a read at an address is answered by ROM, by a chip, or by RAM that the machine has filled, rather than by RAM
    /// that a program must have written. `has` tells the sockets with an image.
    fn is_furnished(addr: u16, has: impl Fn(Rom) -> bool) -> bool {
        let _ = (addr, has);
        false
    }

    /// About how many bytes a clone takes.
    fn size(&self) -> usize;

    /// Takes over another machine's state, without new memory where that is possible.
    fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }

    /// Whether nothing can tell two machines apart.
    fn is_same(&self, other: &Self) -> bool;
}

/// A CPU and 64 KB of RAM.
#[derive(Clone)]
pub struct Flat<V: Variant> {
    cpu: Cpu<V>,
    ram: Box<Ram>,
}

/// The state at the start of a run without a reset: RAM zero, the stack pointer at $FD.
fn fresh<V: Variant>() -> Cpu<V> {
    Cpu::with_registers(Registers { s: 0xfd, ..Registers::default() })
}

impl<V: Variant> Machine for Flat<V> {
    type Model = ();
    type Chip = V;
    type Board = Ram;

    fn new((): ()) -> Flat<V> {
        Flat { cpu: fresh(), ram: Box::new(Ram::new()) }
    }

    fn model(&self) {}

    fn cpu(&self) -> &Cpu<V> {
        &self.cpu
    }

    #[inline(always)]
    fn parts(&mut self) -> (&mut Cpu<V>, &mut Ram) {
        (&mut self.cpu, &mut self.ram)
    }

    fn peek(&self, addr: u16) -> u8 {
        self.ram[addr]
    }

    fn poke(&mut self, addr: u16, value: u8) {
        self.ram[addr] = value;
    }

    fn load_at(&mut self, addr: u16, bytes: &[u8]) {
        self.ram.load(addr, bytes).expect("the bytes fit");
    }

    fn size(&self) -> usize {
        0x1_0100
    }

    fn copy_from(&mut self, other: &Flat<V>) {
        self.cpu = other.cpu.clone();
        self.ram.bytes_mut().copy_from_slice(other.ram.bytes());
        self.ram.lines = other.ram.lines;
    }

    fn is_same(&self, other: &Flat<V>) -> bool {
        self.cpu == other.cpu && self.ram == other.ram
    }
}

impl<V: Variant> State for Flat<V> {
    fn save(&self, to: &mut Vec<u8>) {
        self.cpu.save(to);
        self.ram.bytes().save(to);
        self.ram.lines.save(to);
    }

    fn load(from: &mut &[u8]) -> Result<Flat<V>, StateError> {
        let mut machine = Flat::new(());
        machine.cpu = State::load(from)?;
        *machine.ram.bytes_mut() = State::load(from)?;
        machine.ram.lines = State::load(from)?;
        Ok(machine)
    }
}

/// The I/O area without chips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlainIo {
    /// Nothing answers: reads give $FF.
    Open,
    /// Bytes that keep what is written.
    Kept(Box<[u8; 0x1000]>),
}

impl State for PlainIo {
    fn save(&self, to: &mut Vec<u8>) {
        let kept = match self {
            PlainIo::Open => None,
            PlainIo::Kept(bytes) => Some(bytes.clone()),
        };
        kept.save(to);
    }

    fn load(from: &mut &[u8]) -> Result<PlainIo, StateError> {
        Ok(Option::load(from)?.map_or(PlainIo::Open, PlainIo::Kept))
    }
}

impl Io for PlainIo {
    const PINS: Pins = Pins::NONE;

    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.look(addr).unwrap_or(0xff)
    }

    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        if let PlainIo::Kept(bytes) = self {
            bytes[usize::from(addr & 0x0fff)] = value;
        }
    }

    fn look(&self, addr: u16) -> Option<u8> {
        Some(match self {
            PlainIo::Open => 0xff,
            PlainIo::Kept(bytes) => bytes[usize::from(addr & 0x0fff)],
        })
    }

    fn quiet_until(&self, _pins: Pins, _cycle: u64) -> u64 {
        u64::MAX
    }
}

/// The surroundings of a 6510 that has a bank switch but no chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Furnishing {
    /// Nothing: empty sockets show RAM, and nothing answers at $D000 while I/O is switched in.
    Bare,
    /// As in a C64: a socket without an image reads as zero, and the I/O area keeps what is written.
    C64,
}

/// A 6510 with its bank switch, RAM and ROM sockets, without chips.
#[derive(Clone)]
pub struct BankedMachine {
    cpu: Cpu<Nmos>,
    bus: Box<Banked<PlainIo>>,
}

impl BankedMachine {
    /// Says what writes to the I/O area do to the RAM below.
    pub fn set_under_io(&mut self, under_io: UnderIo) {
        self.bus.under_io = under_io;
    }
}

impl Machine for BankedMachine {
    type Model = Furnishing;
    type Chip = Nmos;
    type Board = Banked<PlainIo>;

    const HAS_SOCKETS: bool = true;
    const HARDWARE: &'static Hardware = &hardware::HARDWARE;

    fn new(furnishing: Furnishing) -> BankedMachine {
        let bus = match furnishing {
            Furnishing::Bare => Banked::new(PlainIo::Open),
            Furnishing::C64 => {
                let mut bus = Banked::new(PlainIo::Kept(Box::new([0; 0x1000])));
                for rom in Rom::ALL {
                    bus.insert(rom, &alloc::vec![0; rom.size()]).expect("the size of the socket");
                }
                bus
            }
        };
        BankedMachine { cpu: fresh(), bus }
    }

    fn model(&self) -> Furnishing {
        match self.bus.io {
            PlainIo::Open => Furnishing::Bare,
            PlainIo::Kept(_) => Furnishing::C64,
        }
    }

    fn cpu(&self) -> &Cpu<Nmos> {
        &self.cpu
    }

    #[inline(always)]
    fn parts(&mut self) -> (&mut Cpu<Nmos>, &mut Banked<PlainIo>) {
        (&mut self.cpu, &mut self.bus)
    }

    fn peek(&self, addr: u16) -> u8 {
        self.bus.look(addr).unwrap_or(0xff)
    }

    fn poke(&mut self, addr: u16, value: u8) {
        self.bus.write(addr, value, 0);
        // A store from outside reaches visible I/O and the RAM below.
        if self.bus.peek(addr).is_none() {
            self.bus.ram_mut()[usize::from(addr)] = value;
        }
    }

    fn load_at(&mut self, addr: u16, bytes: &[u8]) {
        let start = usize::from(addr);
        self.bus.ram_mut()[start..start + bytes.len()].copy_from_slice(bytes);
        // The port's registers are over the first two bytes.
        let port = self.bus.port();
        self.bus.set_port(port);
    }

    fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        self.bus.insert(rom, image)
    }

    fn is_furnished(addr: u16, has: impl Fn(Rom) -> bool) -> bool {
        match addr >> 12 {
            0 => addr < 2,
            0xa | 0xb => has(Rom::Basic),
            0xd => true,
            0xe | 0xf => has(Rom::Kernal),
            _ => false,
        }
    }

    fn size(&self) -> usize {
        0x1_8000
    }

    fn copy_from(&mut self, other: &BankedMachine) {
        self.cpu = other.cpu.clone();
        (*self.bus).clone_from(&other.bus);
    }

    fn is_same(&self, other: &BankedMachine) -> bool {
        let (one, two) = (&self.bus, &other.bus);
        self.cpu == other.cpu && one.ram() == two.ram() && one.port() == two.port() && one.io == two.io
    }
}

state!(BankedMachine { cpu, bus });

/// Code for machines of every kind, for [`crate::AnyMachine::visit`].
pub trait Visit {
    /// The result.
    type Output;

    /// Does it.
    fn visit<M: Machine>(self, machine: &mut M) -> Self::Output;
}

/// Makes a CPU go on from these registers at this cycle, unless it is there already.
pub(crate) fn place<V: Variant>(cpu: &mut Cpu<V>, registers: Registers, cycles: u64) {
    if cpu.registers != registers || cpu.cycles != cycles {
        renew(cpu, registers, cycles);
    }
}

/// Makes a CPU go on from these registers at this cycle, with nothing pending.
pub(crate) fn renew<V: Variant>(cpu: &mut Cpu<V>, registers: Registers, cycles: u64) {
    let unstable = cpu.unstable;
    *cpu = Cpu::with_registers(registers);
    (cpu.cycles, cpu.unstable) = (cycles, unstable);
}
