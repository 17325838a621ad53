//! Runs for debuggers: with hooks of any kind, in pieces of any length. Unlike the runs of tests these can end between any
//! two instructions and go on as if they had not: what the CPU decided in the last instruction is kept.

use tempo_c64::End;
use tempo_emu::{AnyComputer, Hooks, Stop, Until};

use super::{Around, Body, Feed, TestMachine, Wire};

impl TestMachine {
    /// Runs from `registers.pc` with hooks. Without feeds and wires it runs on the machine's own bus, at its speed.
    /// A caller that changed the registers in between started something new; else the processor goes on as it was.
    pub fn run_hooked<H: Hooks>(
        &mut self,
        hooks: &mut H,
        feeds: &mut [Feed],
        wires: &mut [Wire],
        until: Until,
    ) -> Stop {
        let is_plain = feeds.is_empty() && wires.is_empty();
        match &mut self.body {
            Body::Computer(computer) => {
                let base = computer.base;
                computer.run(&mut self.registers, &mut self.cycles, until, |machine, until| {
                    if is_plain {
                        return machine.run(hooks, until);
                    }
                    let (feeds, wires) = (&mut *feeds, &mut *wires);
                    machine.visit(Around { hooks: &mut *hooks, feeds, wires, base, until })
                })
            }
            Body::Machine(machine) => {
                machine.place(self.registers, self.cycles);
                let stop = match is_plain {
                    true => machine.run(hooks, until),
                    false => machine.visit(Around { hooks, feeds, wires, base: 0, until }),
                };
                (self.registers, self.cycles) = (*machine.registers(), machine.cycles());
                stop
            }
        }
    }

    /// Runs the program of a whole computer to the end of the frame in progress, or to a cycle of the test before it.
    pub fn run_frame_hooked<H: Hooks>(&mut self, hooks: &mut H, cycle: u64) -> Option<End> {
        let Body::Computer(computer) = &mut self.body else { return None };
        let end = computer.run_frame(&mut self.cycles, cycle, hooks);
        self.registers = computer.main;
        end
    }

    /// Changes a whole computer from outside, at the cycle that it has reached.
    pub fn change_whole(&mut self, change: impl FnOnce(&mut AnyComputer)) {
        let Body::Computer(computer) = &mut self.body else { return };
        let machine = &mut computer.session.machine;
        machine.set_cpu(self.registers, computer.base + self.cycles);
        change(machine);
        self.registers = *machine.registers();
        computer.main = self.registers;
        self.cycles = machine.cycles() - computer.base;
    }

    /// The pixels of a whole computer's screen change the machine, too; without them a snapshot is equal if this is.
    pub fn is_same(&self, other: &TestMachine) -> bool {
        let same = match (&self.body, &other.body) {
            (Body::Machine(one), Body::Machine(two)) => one.is_same(two),
            (Body::Computer(one), Body::Computer(two)) => one.session.machine.is_same(&two.session.machine),
            _ => false,
        };
        same && self.registers == other.registers && self.cycles == other.cycles
    }

    /// About how many bytes a copy takes.
    pub fn size(&self) -> usize {
        match &self.body {
            Body::Machine(machine) => machine.size(),
            Body::Computer(computer) => computer.session.machine.size(),
        }
    }
}
