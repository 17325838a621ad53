//! A whole computer as the machine of a test: the program that runs in its frames, and routines called in between.
//! A call is to that program what an interrupt is: it finds its registers again.

use tempo_c64::{End, Session};
use tempo_emu::{AnyComputer, Hooks, Phase, Registers, StartError, Stop, Until};

/// The machine and what is going on at it.
#[derive(Clone)]
pub struct Computer {
    pub session: Session,
    /// Of the program that the frames belong to; between two of them.
    pub main: Registers,
    /// The machine's cycle at which the test began.
    pub base: u64,
    /// The program has returned.
    pub is_at_prompt: bool,
    /// Where the first bytes were loaded.
    pub loaded: Option<u16>,
}

impl Computer {
    /// As it waits for a program.
    pub fn new(machine: AnyComputer) -> Computer {
        let main = machine.at_rest();
        Computer { session: Session::new(machine), main, base: 0, is_at_prompt: false, loaded: None }
    }

    /// The test's cycles count from now.
    pub fn restart_cycles(&mut self) {
        self.base = self.session.machine.cycles();
    }

    pub fn poke(&mut self, addr: u16, value: u8, cycles: u64) {
        let machine = &mut self.session.machine;
        machine.set_cpu(*machine.registers(), self.base + cycles);
        machine.poke(addr, value);
        machine.load_at(addr, &[value]);
    }

    /// Makes the program in memory the next thing that the frames do.
    pub fn start(&mut self, registers: Registers) -> Result<(), StartError> {
        let machine = &mut self.session.machine;
        machine.set_cpu(registers, machine.cycles());
        machine.enter(self.loaded.unwrap_or(registers.pc))?;
        self.is_at_prompt = false;
        self.main = *machine.registers();
        Ok(())
    }

    /// Runs to the end of the frame in progress, or to a cycle of the test before it.
    pub fn run_frame<H: Hooks>(&mut self, cycles: &mut u64, end: u64, hooks: &mut H) -> Option<End> {
        self.session.machine.set_cpu(self.main, self.base + *cycles);
        let end = self.session.run_within_frame(self.base.saturating_add(end), hooks);
        self.main = *self.session.machine.registers();
        *cycles = self.session.machine.cycles() - self.base;
        end
    }

    /// After the program has returned: on into the prompt.
    pub fn enter_prompt(&mut self, cycles: &mut u64) {
        self.session.enter_prompt();
        self.is_at_prompt = true;
        self.main = *self.session.machine.registers();
        *cycles = self.session.machine.cycles() - self.base;
    }

    /// Runs code beside the program. `go` runs the CPU on the board, or on what is put around it.
    pub fn run(
        &mut self,
        registers: &mut Registers,
        cycles: &mut u64,
        until: Until,
        mut go: impl FnMut(&mut AnyComputer, Until) -> Stop,
    ) -> Stop {
        let machine = &mut self.session.machine;
        machine.set_cpu(*registers, self.base + *cycles);
        let phase = machine.phase();
        machine.set_phase(Phase::Running);
        let end = machine.cycles().saturating_add(until.cycles);
        let level = Some(until.level.unwrap_or(registers.s));
        let stop = loop {
            let left = end.saturating_sub(machine.cycles());
            let stop = go(machine, Until { cycles: left, level, ..until });
            machine.settle();
            // A ROM asks for its host with an opcode that stops the CPU.
            match (stop, machine.phase()) {
                (Stop::Jammed, Phase::Jammed) => match machine.host_call() {
                    Some(number) => self.session.drive.answer(number, machine),
                    None => break stop,
                },
                _ => break stop,
            }
        };
        machine.set_phase(phase);
        *registers = *machine.registers();
        *cycles = machine.cycles() - self.base;
        stop
    }
}
