//! The machines that can be driven: a processor's registers and its memory, with a quiet way in and out.
//! Peeks and pokes never tick anything; only runs spend cycles.

mod hooked;

use std::sync::Arc;

use tempo_c64::{Drive, End, Keys, Picture, Session, Volume};
use tempo_emu::{
    AnyComputer, AnyMachine, Bus, Hooks, Joystick, Machine, NoHooks, Pins, Registers, Rom, Run, StartError,
    Stop, System, UnderIo, Until, Variant, Visit,
};

use crate::computer::Computer;

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
    /// Its name.
    pub system: System,
    /// The registers between two runs.
    pub registers: Registers,
    /// Cycles of this test.
    pub cycles: u64,
    pub(crate) body: Body,
}

#[derive(Clone)]
pub(crate) enum Body {
    /// Registers and cycles are set before a run and taken after it.
    Machine(AnyMachine),
    /// A whole computer with its own program, keys and what is plugged in.
    Computer(Box<Computer>),
}

/// Where the address of the handler is fetched.
const IRQ_VECTOR: u16 = 0xfffe;

/// The most cycles of a test, and of a recording when it runs again: more than five hours of a C64. Both may come from
/// strangers, and who opens a recording has no other limit.
pub const MOST_CYCLES: u64 = 20_000_000_000;

/// The most addresses that answer reads at a time, and the most lines that are pulled in a run: every access looks at all
/// of them.
pub const MOST_AT_ONCE: usize = 1_000;

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

/// The board as a watched run sees it, with reads that may be answered from a list. Watched runs are not the fast ones;
/// they have no core of their own. Pins are looked at only if it is `WIRED`.
struct Watched<'a, B, const WIRED: bool> {
    board: &'a mut B,
    feeds: &'a mut [Feed],
    wires: &'a mut [Wire],
    /// The bus's cycle at which the test began.
    base: u64,
}

impl<B: Bus, const WIRED: bool> Watched<'_, B, WIRED> {
    /// The processor serves a line.
    #[cold]
    fn serve(&mut self, line: Line, cycles: u64) {
        for wire in self.wires.iter_mut().filter(|wire| wire.line == line) {
            wire.is_served |= cycles > wire.at.saturating_add(self.base);
        }
    }
}

impl<B: Bus, const WIRED: bool> Bus for Watched<'_, B, WIRED> {
    const PINS: Pins = if WIRED { B::PINS.or(Pins::IRQ).or(Pins::NMI) } else { Pins::NONE };

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
        self.board.read(addr, cycle)
    }

    fn look(&self, addr: u16) -> Option<u8> {
        self.board.look(addr)
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        self.board.write(addr, value, cycle);
    }

    fn pins(&mut self, cycles: u64) -> Pins {
        let mut pins = self.board.pins(cycles);
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
        self.board.acknowledge(edges);
    }

    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.shared(self)
    }
}

impl TestMachine {
    /// RAM zero, A X Y zero, stack pointer `$FD`, interrupts off.
    pub fn new(system: System, io_writes: IoWrites) -> TestMachine {
        let mut body = match system.computer() {
            Some(machine) => Body::Computer(Box::new(Computer::new(machine))),
            None => Body::Machine(system.build()),
        };
        if let Body::Machine(AnyMachine::Banked(banked)) = &mut body {
            banked.set_under_io(match io_writes {
                IoWrites::IoOnly => UnderIo::Unchanged,
                IoWrites::AlsoRam => UnderIo::Written,
            });
        }
        let registers = match &body {
            Body::Computer(computer) => computer.main,
            Body::Machine(machine) => *machine.registers(),
        };
        TestMachine { system, registers, cycles: 0, body }
    }

    /// A whole computer that its owner has set up; it goes on where it is.
    pub fn of_computer(machine: AnyComputer) -> TestMachine {
        let (system, registers, cycles) = (machine.system(), *machine.registers(), machine.cycles());
        let computer = Computer { main: registers, ..Computer::new(machine) };
        TestMachine { system, registers, cycles, body: Body::Computer(Box::new(computer)) }
    }

    /// A whole computer in use; it goes on where it is.
    pub fn of_session(session: Session) -> TestMachine {
        let machine = &session.machine;
        let (system, registers, cycles) = (machine.system(), *machine.registers(), machine.cycles());
        let computer = Computer { session, main: registers, base: 0, is_at_prompt: false, loaded: None };
        TestMachine { system, registers, cycles, body: Body::Computer(Box::new(computer)) }
    }

    /// Takes over another machine's state without new memory.
    pub fn copy_from(&mut self, other: &TestMachine) {
        self.system = other.system;
        self.registers = other.registers;
        self.cycles = other.cycles;
        match (&mut self.body, &other.body) {
            (Body::Machine(mine), Body::Machine(theirs)) => mine.copy_from(theirs),
            (Body::Computer(mine), Body::Computer(theirs)) => (**mine).clone_from(theirs),
            (mine, theirs) => *mine = theirs.clone(),
        }
    }

    /// Returns the byte that the processor would read here and now.
    pub fn peek(&self, addr: u16) -> u8 {
        match &self.body {
            Body::Machine(machine) => machine.peek(addr),
            Body::Computer(computer) => computer.session.machine.peek(addr),
        }
    }

    /// A store made by the test text. On a C64 it reaches visible I/O *and* the RAM below.
    pub fn poke(&mut self, addr: u16, value: u8) {
        match &mut self.body {
            Body::Machine(machine) => machine.poke(addr, value),
            Body::Computer(computer) => computer.poke(addr, value, self.cycles),
        }
    }

    /// The test's cycles count from zero.
    pub fn restart_cycles(&mut self) {
        self.cycles = 0;
        if let Body::Computer(computer) = &mut self.body {
            computer.restart_cycles();
        }
    }

    /// The whole computer, if it is one.
    pub fn whole(&self) -> Option<&AnyComputer> {
        self.computer().map(|computer| &computer.session.machine)
    }

    fn computer(&self) -> Option<&Computer> {
        match &self.body {
            Body::Computer(computer) => Some(computer),
            Body::Machine(_) => None,
        }
    }

    /// Makes the program in memory the one that the frames belong to: on a C64 that of the BASIC line, else what was loaded
    /// first.
    pub fn start_program(&mut self) -> Result<(), StartError> {
        if let Body::Computer(computer) = &mut self.body {
            computer.start(self.registers)?;
            self.registers = computer.main;
        }
        Ok(())
    }

    /// Presses keys, beginning with the next frame.
    pub fn type_keys(&mut self, keys: &Keys) {
        if let Body::Computer(computer) = &mut self.body {
            computer.session.type_keys(keys);
        }
    }

    /// Moves the joystick in a port and holds it there.
    pub fn set_joystick(&mut self, port: u8, joystick: Joystick) {
        if let Body::Computer(computer) = &mut self.body {
            computer.session.machine.set_joystick(port, joystick);
        }
    }

    /// Turns the paddles in a port; whether the machine has them.
    pub fn set_paddles(&mut self, port: u8, x: u8, y: u8) -> bool {
        self.board_mut().map(|board| board.set_paddles(port, x, y)).is_some()
    }

    /// Holds a light pen against a pixel of the picture; whether there is one.
    pub fn hold_pen(&mut self, x: u16, y: u16) -> bool {
        self.board_mut().is_some_and(|board| board.hold_pen(Some((x, y))))
    }

    fn board_mut(&mut self) -> Option<&mut tempo_emu::c64::Board> {
        match &mut self.body {
            Body::Computer(computer) => computer.session.machine.c64_mut().map(|machine| &mut machine.board),
            Body::Machine(_) => None,
        }
    }

    /// Connects a whole 1541 with this ROM and disk; whether that can be.
    pub fn attach_drive(&mut self, rom: &[u8], disk: Option<&tempo_emu::c64::Disk>) -> bool {
        let Body::Computer(computer) = &mut self.body else { return false };
        let Some(machine) = computer.session.machine.c64_mut() else { return false };
        if !machine.attach(rom) {
            return false;
        }
        if let (Some(disk), Some(drive)) = (disk, machine.board.drive_mut()) {
            drive.insert(disk.clone());
        }
        true
    }

    /// Plugs a cartridge in and resets the machine, which starts from it.
    pub fn plug(&mut self, cartridge: tempo_emu::c64::Cartridge) {
        let Body::Computer(computer) = &mut self.body else { return };
        if let Some(machine) = computer.session.machine.c64_mut() {
            machine.board.plug(cartridge);
        }
        computer.session.machine.reset();
        computer.is_at_prompt = false;
        computer.main = *computer.session.machine.registers();
        self.registers = computer.main;
    }

    /// Puts a disk in drive 8.
    pub fn insert_disk(&mut self, volume: Volume) {
        if let Body::Computer(computer) = &mut self.body {
            computer.session.drive = Drive::with(volume);
        }
    }

    /// Whether the program that the frames belong to has returned to the prompt.
    pub fn is_at_prompt(&self) -> bool {
        self.computer().is_some_and(|computer| computer.is_at_prompt)
    }

    /// The last complete picture, if there is one.
    pub fn picture(&self) -> Option<Picture> {
        let machine = &self.computer()?.session.machine;
        (machine.pictures() > 0).then(|| Picture::of(machine))
    }

    /// Runs to the end of the frame in progress; what ended it before.
    pub fn run_frame<H: Hooks>(&mut self, hooks: &mut H) -> Option<End> {
        let Body::Computer(computer) = &mut self.body else { return None };
        let end = computer.run_frame(&mut self.cycles, u64::MAX, hooks);
        self.registers = computer.main;
        end
    }

    /// After the program returned: goes on in the prompt.
    pub fn enter_prompt(&mut self) {
        if let Body::Computer(computer) = &mut self.body {
            computer.enter_prompt(&mut self.cycles);
            self.registers = computer.main;
        }
    }

    /// A stub has changed the registers of the program that the frames belong to.
    pub fn keep_main(&mut self) {
        if let Body::Computer(computer) = &mut self.body {
            computer.main = self.registers;
        }
    }

    /// Where the next frame begins.
    pub fn main_place(&self) -> u16 {
        self.computer().map_or(0, |computer| computer.main.pc)
    }

    /// The beam's line, and its cycle there.
    pub fn beam(&self) -> Option<(u16, u8)> {
        self.computer().map(|computer| computer.session.machine.beam())
    }

    /// The rows of the text screen; none without one.
    pub fn screen_rows(&self) -> Vec<String> {
        self.computer().map_or(Vec::new(), |computer| computer.session.machine.text())
    }

    /// After a jam: the entry of a ROM that was called and that our ROMs do not have, if that is why.
    pub fn absent(&self) -> Option<tempo_c64::Absent> {
        tempo_c64::Absent::of(&self.computer()?.session.machine)
    }

    /// The text of the screen, if there is one.
    pub fn screen_text(&self) -> Option<String> {
        self.computer().map(|computer| tempo_c64::screen_text(&computer.session.machine))
    }

    /// Puts bytes straight into RAM, past ROM, I/O and the port.
    pub fn load(&mut self, addr: u16, bytes: &[u8]) {
        match &mut self.body {
            Body::Machine(machine) => machine.load_at(addr, bytes),
            Body::Computer(computer) => {
                computer.loaded.get_or_insert(addr);
                computer.session.machine.load_at(addr, bytes);
            }
        }
    }

    /// Fills the ROM sockets; those without an image read as zero. Machines without sockets ignore it.
    pub fn insert_roms(&mut self, roms: &Roms) {
        let images = [&roms.basic, &roms.kernal, &roms.chargen];
        for (rom, image) in Rom::ALL.into_iter().zip(images) {
            if let Some(image) = image {
                // A short image is filled with zeros; one that is too long was refused when it was read.
                let mut bytes = image.to_vec();
                bytes.resize(rom.size(), 0);
                match &mut self.body {
                    Body::Machine(machine) => machine.insert(rom, &bytes),
                    Body::Computer(computer) => computer.session.machine.insert(rom, &bytes),
                }
                .expect("the size of the socket");
            }
        }
    }

    /// Runs the processor from `registers.pc` until an end is reached, at full speed.
    pub fn run(&mut self, until: Until) -> Stop {
        if let Body::Computer(computer) = &mut self.body {
            return computer.run(&mut self.registers, &mut self.cycles, until, |machine, until| {
                machine.run(&mut NoHooks, until)
            });
        }
        self.run_with(&mut NoHooks, until).unwrap_or(Stop::Cycles)
    }

    /// The same with hooks, by a processor that knows nothing of the run before. `None` on a whole computer, which runs calls
    /// beside its program.
    pub fn run_with<H: Hooks>(&mut self, hooks: &mut H, until: Until) -> Option<Stop> {
        let Body::Machine(machine) = &mut self.body else { return None };
        machine.renew(self.registers, self.cycles);
        let stop = machine.run(hooks, until);
        (self.registers, self.cycles) = (*machine.registers(), machine.cycles());
        Some(stop)
    }

    /// Runs with hooks on a bus that all machines share. `feeds` answer reads, `wires` interrupt.
    pub fn run_watched<H: Hooks>(
        &mut self,
        hooks: &mut H,
        feeds: &mut [Feed],
        wires: &mut [Wire],
        until: Until,
    ) -> Stop {
        match &mut self.body {
            Body::Computer(computer) => {
                let base = computer.base;
                computer.run(&mut self.registers, &mut self.cycles, until, |machine, until| {
                    let (feeds, wires) = (&mut *feeds, &mut *wires);
                    machine.visit(Around { hooks: &mut *hooks, feeds, wires, base, until })
                })
            }
            Body::Machine(machine) => {
                machine.renew(self.registers, self.cycles);
                let stop = machine.visit(Around { hooks, feeds, wires, base: 0, until });
                (self.registers, self.cycles) = (*machine.registers(), machine.cycles());
                stop
            }
        }
    }

    /// The instruction set, for disassembly.
    pub fn isa(&self) -> tempo_isa::Cpu {
        self.system.isa()
    }

    /// Whether reads here are answered by ROM or I/O rather than by RAM that must have been written.
    pub fn is_furnished(&self, addr: u16, roms: &Roms) -> bool {
        self.system.is_furnished(addr, |rom| match rom {
            Rom::Basic => roms.basic.is_some(),
            Rom::Kernal => roms.kernal.is_some(),
            Rom::Characters => roms.chargen.is_some(),
        })
    }
}

/// A run with feeds and wires around the board.
struct Around<'a, H> {
    hooks: &'a mut H,
    feeds: &'a mut [Feed],
    wires: &'a mut [Wire],
    base: u64,
    until: Until,
}

impl<H: Hooks> Visit for Around<'_, H> {
    type Output = Stop;

    fn visit<M: Machine>(self, machine: &mut M) -> Stop {
        let Around { hooks, feeds, wires, base, until } = self;
        let (cpu, board) = machine.parts();
        if wires.is_empty() && !M::IS_WHOLE {
            return cpu.run_with(&mut Watched::<_, false> { board, feeds, wires, base }, hooks, until);
        }
        cpu.run_with(&mut Watched::<_, true> { board, feeds, wires, base }, hooks, until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn the_port_switches_what_is_seen() {
        let mut machine = TestMachine::new(System::C64Memory, IoWrites::IoOnly);
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
        let mut machine = TestMachine::new(System::C64Memory, IoWrites::IoOnly);
        machine.poke(0xd020, 5);
        assert_eq!(machine.peek(0xd020), 5);
        machine.poke(1, 0x34);
        assert_eq!(machine.peek(0xd020), 5);
    }

    #[test]
    fn reads_can_be_fed() {
        let mut machine = TestMachine::new(System::Mos6502, IoWrites::IoOnly);
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
