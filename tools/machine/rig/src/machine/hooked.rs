//! Runs for debuggers: with hooks of any kind, in pieces of any length. Unlike the runs of tests these can end between any
//! two instructions and go on as if they had not: what the CPU decided in the last instruction is kept.

use tempo_emu::{Bus, Cmos, Cpu, Hooks, Nmos, Registers, Stop, Until, Variant};

use tempo_c64::End;

use super::{Feed, MachineKind, Memory, Seen, TestMachine, Watched, Wire};

/// The processor between two pieces of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    Nmos(Cpu<Nmos>),
    Cmos(Cpu<Cmos>),
}

trait Kept: Variant {
    fn take(held: &mut Option<Held>) -> Option<Cpu<Self>>
    where
        Self: Sized;
    fn keep(cpu: Cpu<Self>) -> Held
    where
        Self: Sized;
}

impl Kept for Nmos {
    fn take(held: &mut Option<Held>) -> Option<Cpu<Nmos>> {
        match held.take() {
            Some(Held::Nmos(cpu)) => Some(cpu),
            _ => None,
        }
    }
    fn keep(cpu: Cpu<Nmos>) -> Held {
        Held::Nmos(cpu)
    }
}

impl Kept for Cmos {
    fn take(held: &mut Option<Held>) -> Option<Cpu<Cmos>> {
        match held.take() {
            Some(Held::Cmos(cpu)) => Some(cpu),
            _ => None,
        }
    }
    fn keep(cpu: Cpu<Cmos>) -> Held {
        Held::Cmos(cpu)
    }
}

/// The registers and the clock of a machine.
struct State<'a> {
    registers: &'a mut Registers,
    cycles: &'a mut u64,
    held: &'a mut Option<Held>,
}

impl State<'_> {
    fn drive<V: Kept, B: Bus, H: Hooks>(self, bus: &mut B, hooks: &mut H, until: Until) -> Stop {
        // Somebody who changed the registers in between started something new.
        let kept =
            V::take(self.held).filter(|cpu| cpu.registers == *self.registers && cpu.cycles == *self.cycles);
        let mut cpu = kept.unwrap_or_else(|| {
            let mut cpu = Cpu::<V>::with_registers(*self.registers);
            cpu.cycles = *self.cycles;
            cpu
        });
        let stop = cpu.run_with(bus, hooks, until);
        (*self.registers, *self.cycles) = (cpu.registers, cpu.cycles);
        *self.held = Some(V::keep(cpu));
        stop
    }
}

impl TestMachine {
    /// Runs from `registers.pc` with hooks. Without feeds and wires it runs on the machine's own bus, at its speed.
    pub fn run_hooked<H: Hooks>(
        &mut self,
        hooks: &mut H,
        feeds: &mut [Feed],
        wires: &mut [Wire],
        until: Until,
    ) -> Stop {
        let is_plain = feeds.is_empty() && wires.is_empty();
        let is_cmos = self.kind == MachineKind::Generic65c02;
        let TestMachine { registers, cycles, memory, held, .. } = self;
        if let Memory::Computer(computer) = memory {
            let base = computer.base;
            return computer.run(registers, cycles, until, |machine, until| {
                if is_plain {
                    return machine.cpu.run_with(&mut machine.board, hooks, until);
                }
                let memory = Seen::Board(&mut machine.board);
                let (feeds, wires) = (&mut *feeds, &mut *wires);
                let mut bus = Watched::<true> { memory, feeds, wires, base };
                machine.cpu.run_with(&mut bus, hooks, until)
            });
        }
        let state = State { registers, cycles, held };
        if !is_plain {
            let memory = match memory {
                Memory::C64(c64) => Seen::C64(c64),
                Memory::Flat(flat) => Seen::Flat(flat),
                Memory::Computer(computer) => Seen::Board(&mut computer.session.machine.board),
            };
            let mut bus = Watched::<true> { memory, feeds, wires, base: 0 };
            return match is_cmos {
                true => state.drive::<Cmos, _, _>(&mut bus, hooks, until),
                false => state.drive::<Nmos, _, _>(&mut bus, hooks, until),
            };
        }
        match memory {
            Memory::C64(c64) => state.drive::<Nmos, _, _>(&mut **c64, hooks, until),
            Memory::Flat(flat) if is_cmos => state.drive::<Cmos, _, _>(&mut **flat, hooks, until),
            Memory::Flat(flat) => state.drive::<Nmos, _, _>(&mut **flat, hooks, until),
            Memory::Computer(_) => Stop::Cycles,
        }
    }

    /// Runs the program of a whole computer to the end of the frame in progress, or to a cycle of the test before it.
    pub fn run_frame_hooked<H: Hooks>(&mut self, hooks: &mut H, cycle: u64) -> Option<End> {
        let Memory::Computer(computer) = &mut self.memory else { return None };
        computer.session.machine.cpu.cycles = computer.base + self.cycles;
        computer.session.machine.cpu.registers = computer.main;
        let end = computer.session.run_within_frame(computer.base.saturating_add(cycle), hooks);
        computer.main = computer.session.machine.cpu.registers;
        self.cycles = computer.session.machine.cpu.cycles - computer.base;
        self.registers = computer.main;
        end
    }

    /// The board of a whole computer.
    pub fn board(&self) -> Option<&tempo_emu::c64::Board> {
        match &self.memory {
            Memory::Computer(computer) => Some(&computer.session.machine.board),
            _ => None,
        }
    }

    /// The pixels of a whole computer's screen change the machine, too; without them a snapshot is equal if this is.
    pub fn is_same(&self, other: &TestMachine) -> bool {
        let same = match (&self.memory, &other.memory) {
            (Memory::Flat(one), Memory::Flat(two)) => one == two,
            (Memory::C64(one), Memory::C64(two)) => {
                one.ram() == two.ram() && one.port() == two.port() && one.io.0 == two.io.0
            }
            (Memory::Computer(one), Memory::Computer(two)) => one.session.machine == two.session.machine,
            _ => false,
        };
        same && self.registers == other.registers && self.cycles == other.cycles && self.held == other.held
    }

    /// About how many bytes a copy takes.
    pub fn size(&self) -> usize {
        match &self.memory {
            Memory::Flat(_) => 0x1_0100,
            Memory::C64(_) => 0x1_8000,
            Memory::Computer(computer) => 0x1_4000 + 2 * computer.session.machine.board.picture().len(),
        }
    }
}
