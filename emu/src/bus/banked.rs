//! A bus with banks: RAM, ROM and devices behind a map of 256 pages that the 6510's port switches.
//! This is the C64's memory without its chips, which are an [`Io`]. No ROM comes with it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bus::Port6510;
use crate::bus::pages::{MEMORY, Pages};
use crate::state::{State, StateError, state_of_enum};
use crate::{Bus, CodeWindow, FastBus, Hooks, Pins, PlainMemory, Run, Stop, Variant};

/// The devices behind $D000-$DFFF.
pub trait Io {
    /// The pins the devices may ever pull, as [`Bus::PINS`].
    const PINS: Pins;

    /// A read cycle that reaches the devices.
    fn read(&mut self, addr: u16, cycle: u64) -> u8;

    /// A write cycle that reaches the devices.
    fn write(&mut self, addr: u16, value: u8, cycle: u64);

    /// As [`Bus::look`].
    #[inline(always)]
    fn look(&self, addr: u16) -> Option<u8> {
        let _ = addr;
        None
    }

    /// As [`Bus::pins`]. Devices that know when they will next change a pin need only compare.
    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        let _ = cycles;
        Pins::NONE
    }

    /// As [`FastBus::quiet_until`].
    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64;

    /// As [`FastBus::KNOWS_READY`].
    const KNOWS_READY: bool = false;

    /// As [`FastBus::ready_at`].
    #[inline(always)]
    fn ready_at(&mut self, cycle: u64) -> u64 {
        cycle
    }

    /// As [`Bus::acknowledge`].
    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        let _ = edges;
    }
}

/// No devices: reads give $FF, writes go nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoIo;

impl Io for NoIo {
    const PINS: Pins = Pins::NONE;

    fn read(&mut self, _addr: u16, _cycle: u64) -> u8 {
        0xff
    }
    fn write(&mut self, _addr: u16, _value: u8, _cycle: u64) {}
    fn quiet_until(&self, _pins: Pins, _cycle: u64) -> u64 {
        u64::MAX
    }
}

/// A ROM socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rom {
    /// 8 KB at $A000.
    Basic,
    /// 8 KB at $E000.
    Kernal,
    /// 4 KB at $D000.
    Characters,
}

impl Rom {
    /// All sockets.
    pub const ALL: [Rom; 3] = [Rom::Basic, Rom::Kernal, Rom::Characters];

    /// The bytes of an image.
    pub fn size(self) -> usize {
        self.socket().0.len() << 8
    }

    /// The pages of the CPU's map, and the place in the memory.
    pub(crate) const fn socket(self) -> (Range<usize>, usize) {
        match self {
            Rom::Basic => (0xa0..0xc0, 0x10000),
            Rom::Kernal => (0xe0..0x100, 0x12000),
            Rom::Characters => (0xd0..0xe0, 0x14000),
        }
    }

    /// Puts an image in its socket of a machine's memory. An image of the wrong size is refused.
    pub(crate) fn insert(self, memory: &mut [u8], image: &[u8]) -> Result<(), RomError> {
        let (at, size) = (self.socket().1, self.size());
        if size != image.len() {
            return Err(RomError { rom: self, expected: size, found: image.len() });
        }
        memory[at..at + size].copy_from_slice(image);
        Ok(())
    }
}

/// A ROM image of the wrong size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a {rom:?} ROM has {expected} bytes, this has {found}")]
pub struct RomError {
    /// The socket.
    pub rom: Rom,
    /// The bytes it takes.
    pub expected: usize,
    /// The bytes of the image.
    pub found: usize,
}

/// The effect of a write to the devices on the RAM below them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnderIo {
    /// Nothing, as in the C64.
    #[default]
    Unchanged,
    /// The byte is stored there, too, as in sim6502.
    Written,
}

/// The banked bus. A socket without a ROM shows the RAM below it.
#[derive(Clone, PartialEq, Eq)]
pub struct Banked<D> {
    /// The target of reads. Writes reach the RAM, or the devices if they are visible.
    reads: Pages,
    port: Port6510,
    /// Which sockets are filled: BASIC, KERNAL, characters.
    filled: [bool; 3],
    /// The effect of writes to the devices on the RAM below.
    pub under_io: UnderIo,
    /// The devices.
    pub io: D,
    /// 64 KB of RAM, then the ROMs.
    memory: [u8; MEMORY + 2],
}

impl<D: Io> Banked<D> {
    /// Empty RAM, no ROM, the port as at power-on. Boxed, for its size.
    pub fn new(io: D) -> Box<Banked<D>> {
        let mut bus = Box::new(Banked {
            reads: Pages::new(),
            port: Port6510::new(),
            filled: [false; 3],
            under_io: UnderIo::default(),
            io,
            memory: [0; MEMORY + 2],
        });
        bus.switch();
        bus
    }

    /// Puts an image in a socket.
    pub fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        rom.insert(&mut self.memory, image)?;
        self.filled[rom as usize] = true;
        self.switch();
        Ok(())
    }

    /// The RAM, whatever is banked over it. $00 and $01 hold what reading the port gives.
    pub fn ram(&self) -> &[u8; 0x10000] {
        self.memory.first_chunk().expect("the memory begins with 64 KB of RAM")
    }

    /// The RAM to write to. Bytes 0 and 1 belong to the port: use [`Banked::set_port`].
    pub fn ram_mut(&mut self) -> &mut [u8; 0x10000] {
        self.memory.first_chunk_mut().expect("the memory begins with 64 KB of RAM")
    }

    /// The port at $00 and $01.
    pub fn port(&self) -> Port6510 {
        self.port
    }

    /// Sets the port and with it the banks.
    pub fn set_port(&mut self, port: Port6510) {
        self.port = port;
        self.switch();
    }

    /// Returns the byte that the CPU would read, without a bus cycle; `None` where a device would answer.
    pub fn peek(&self, addr: u16) -> Option<u8> {
        self.read_plain(addr)
    }

    #[cold]
    #[inline(never)]
    fn write_port(&mut self, addr: u16, value: u8) {
        if addr == 0 {
            self.port.direction = value;
        } else {
            self.port.data = value;
        }
        self.switch();
    }

    /// Draws the maps for the port's lines, and shows the port to reads of $00 and $01.
    fn switch(&mut self) {
        let lines = self.port.lines();
        self.memory[0] = self.port.direction;
        self.memory[1] = lines;
        let has = |mask: u8| lines & mask == mask;
        let any_rom = lines & (Port6510::LORAM | Port6510::HIRAM) != 0;
        let io = any_rom && has(Port6510::CHAREN);
        self.show(Rom::Basic, has(Port6510::LORAM | Port6510::HIRAM));
        self.show(Rom::Kernal, has(Port6510::HIRAM));
        self.show(Rom::Characters, any_rom && !io);
        if io {
            self.reads.show_devices(0xd0..0xe0);
        }
        self.reads.settle();
    }

    /// Maps a ROM's pages to the ROM or to the RAM below.
    fn show(&mut self, rom: Rom, visible: bool) {
        let (pages, place) = rom.socket();
        if visible && self.filled[rom as usize] {
            self.reads.show(pages, place);
        } else {
            self.reads.show_ram(pages);
        }
    }
}

state_of_enum!(UnderIo { Unchanged, Written });

/// The parts of memory that are RAM and ROM.
const SAVED: usize = Rom::Characters.socket().1 + 0x1000;

impl<D: Io + State> State for Banked<D> {
    fn save(&self, to: &mut Vec<u8>) {
        self.port.save(to);
        self.filled.save(to);
        self.under_io.save(to);
        self.io.save(to);
        to.extend(&self.memory[..SAVED]);
    }

    fn load(from: &mut &[u8]) -> Result<Banked<D>, StateError> {
        let mut bus = Banked {
            reads: Pages::new(),
            port: State::load(from)?,
            filled: State::load(from)?,
            under_io: State::load(from)?,
            io: State::load(from)?,
            memory: [0; MEMORY + 2],
        };
        let memory: [u8; SAVED] = State::load(from)?;
        bus.memory[..SAVED].copy_from_slice(&memory);
        bus.switch();
        Ok(bus)
    }
}

impl<D: Io> Bus for Banked<D> {
    const PINS: Pins = D::PINS;

    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        match self.read_plain(addr) {
            Some(value) => value,
            None => self.io.read(addr, cycle),
        }
    }

    fn look(&self, addr: u16) -> Option<u8> {
        self.peek(addr).or_else(|| self.io.look(addr))
    }

    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        if addr < 2 {
            self.write_port(addr, value);
        } else if !self.write_plain(addr, value) {
            self.io.write(addr, value, cycle);
            if self.under_io == UnderIo::Written {
                self.memory[usize::from(addr)] = value;
            }
        }
    }

    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        self.io.pins(cycles)
    }

    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        self.io.acknowledge(edges);
    }

    #[inline(always)]
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.fast(self)
    }
}

impl<D: Io> FastBus for Banked<D> {
    const MEMORY: PlainMemory = PlainMemory::Paged;
    const KNOWS_READY: bool = D::KNOWS_READY;

    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<CodeWindow> {
        self.reads.code_around(pc)
    }

    #[inline(always)]
    fn read_code(&self, place: usize, offset: u16) -> u8 {
        self.memory[place & (MEMORY - 1)..][usize::from(offset).min(2)]
    }

    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        // What the compiler knows of the zero page and the stack saves them the map.
        if addr < 0x200 {
            return Some(self.memory[usize::from(addr)]);
        }
        self.reads.place(addr).map(|place| self.memory[place])
    }

    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        if addr < 0x200 {
            let is_ram = addr >= 2;
            if is_ram {
                self.memory[usize::from(addr)] = value;
            }
            return is_ram;
        }
        if self.reads.is_device(addr) {
            return false;
        }
        self.memory[usize::from(addr)] = value;
        true
    }

    #[inline(always)]
    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
        self.io.quiet_until(pins, cycle)
    }

    #[inline(always)]
    fn ready_at(&mut self, cycle: u64) -> u64 {
        self.io.ready_at(cycle)
    }
}

impl<D: core::fmt::Debug> core::fmt::Debug for Banked<D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Banked").field("port", &self.port).field("io", &self.io).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Devices that answer with the low byte of the address.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    struct Echo(alloc::vec::Vec<(u16, u8)>);

    impl Io for Echo {
        const PINS: Pins = Pins::NONE;

        fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
            addr as u8
        }
        fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
            self.0.push((addr, value));
        }
        fn quiet_until(&self, _pins: Pins, _cycle: u64) -> u64 {
            u64::MAX
        }
    }

    fn machine() -> Box<Banked<Echo>> {
        let mut bus = Banked::new(Echo::default());
        bus.ram_mut().fill(0x11);
        bus.insert(Rom::Basic, &[0xba; 0x2000]).expect("the size");
        bus.insert(Rom::Kernal, &[0xfe; 0x2000]).expect("the size");
        bus.insert(Rom::Characters, &[0xc4; 0x1000]).expect("the size");
        bus
    }

    /// The bytes that $A000, $D042 and $E000 read for the eight settings of the three bank lines.
    #[test]
    fn the_port_switches_the_banks() {
        let expected: [(u8, [u8; 3]); 8] = [
            (0x30, [0x11, 0x11, 0x11]),
            (0x31, [0x11, 0xc4, 0x11]),
            (0x32, [0x11, 0xc4, 0xfe]),
            (0x33, [0xba, 0xc4, 0xfe]),
            (0x34, [0x11, 0x11, 0x11]),
            (0x35, [0x11, 0x42, 0x11]),
            (0x36, [0x11, 0x42, 0xfe]),
            (0x37, [0xba, 0x42, 0xfe]),
        ];
        for (value, seen) in expected {
            let mut bus = machine();
            bus.write(1, value, 0);
            let found = [0xa000, 0xd042, 0xe000].map(|addr| bus.read(addr, 0));
            assert_eq!(found, seen, "$01 = ${value:02X}");
            assert_eq!(bus.read(1, 0) & 0x07, value & 0x07);
        }
    }

    #[test]
    fn inputs_are_pulled_up() {
        let mut bus = machine();
        bus.write(1, 0x30, 0);
        bus.write(0, 0x00, 0);
        assert_eq!(bus.read(1, 0), 0x17);
        assert_eq!(bus.read(0xa000, 0), 0xba);
    }

    #[test]
    fn writes_reach_the_ram_below_the_rom_and_the_devices() {
        let mut bus = machine();
        bus.write(0xa000, 1, 0);
        bus.write(0xe000, 2, 0);
        bus.write(0xd020, 3, 0);
        assert_eq!((bus.ram()[0xa000], bus.ram()[0xe000], bus.ram()[0xd020]), (1, 2, 0x11));
        assert_eq!(bus.io.0, [(0xd020, 3)]);
        assert_eq!((bus.read(0xa000, 0), bus.peek(0xd020)), (0xba, None));
        bus.under_io = UnderIo::Written;
        bus.write(0xd020, 4, 0);
        assert_eq!((bus.ram()[0xd020], bus.io.0.last()), (4, Some(&(0xd020, 4))));
    }

    #[test]
    fn an_empty_socket_shows_ram() {
        let mut bus = Banked::new(NoIo);
        bus.ram_mut()[0xfffc] = 0x42;
        assert_eq!((bus.read(0xfffc, 0), bus.read(0xd020, 0)), (0x42, 0xff));
        let err = bus.insert(Rom::Kernal, &[0; 12]).expect_err("too short");
        assert_eq!(alloc::format!("{err}"), "a Kernal ROM has 8192 bytes, this has 12");
    }
}
