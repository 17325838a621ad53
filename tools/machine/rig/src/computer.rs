//! A whole C64 as the machine of a test: the program that runs in its frames, and routines called in between.
//! A call is to that program what an interrupt is: it finds its registers again.

use tempo_c64::{End, HostCall, Session};
use tempo_emu::c64::{AFTER_SYS, C64, Model, StartError};
use tempo_emu::{FastBus, Hooks, Phase, Registers, Stop, Until};

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
}

impl Computer {
    /// As BASIC leaves it, waiting at its prompt.
    pub fn new(model: Model) -> Computer {
        let session = Session::new(C64::new(model));
        let main = Registers { pc: AFTER_SYS, s: 0xf6, ..session.machine.cpu.registers };
        Computer { session, main, base: 0, is_at_prompt: false }
    }

    /// The test's cycles count from now.
    pub fn restart_cycles(&mut self) {
        self.base = self.session.machine.cpu.cycles;
    }

    pub fn poke(&mut self, addr: u16, value: u8, cycles: u64) {
        let board = &mut self.session.machine.board;
        board.poke(addr, value, self.base + cycles);
        if addr >= 2 {
            board.ram_mut()[usize::from(addr)] = value;
        }
    }

    /// Makes the `SYS` of the BASIC line in memory the next thing that the frames do.
    pub fn start(&mut self, registers: Registers) -> Result<(), StartError> {
        const BASIC_START: usize = 0x0801;
        const BASIC_END: usize = 0xd000;
        let machine = &mut self.session.machine;
        let mut prg = (BASIC_START as u16).to_le_bytes().to_vec();
        prg.extend_from_slice(&machine.board.ram()[BASIC_START..BASIC_END]);
        machine.cpu.registers = registers;
        machine.start(&prg)?;
        self.is_at_prompt = false;
        self.main = machine.cpu.registers;
        Ok(())
    }

    /// Runs to the end of the frame in progress.
    pub fn run_frame<H: Hooks>(&mut self, cycles: &mut u64, hooks: &mut H) -> Option<End> {
        self.session.machine.cpu.cycles = self.base + *cycles;
        self.session.machine.cpu.registers = self.main;
        let end = self.session.run_frame_with(hooks);
        self.main = self.session.machine.cpu.registers;
        *cycles = self.session.machine.cpu.cycles - self.base;
        end
    }

    /// After the program has returned: on into the prompt.
    pub fn enter_prompt(&mut self, cycles: &mut u64) {
        self.session.enter_prompt();
        self.is_at_prompt = true;
        self.main = self.session.machine.cpu.registers;
        *cycles = self.session.machine.cpu.cycles - self.base;
    }

    /// Runs code beside the program. `go` runs the CPU on the board, or on what is put around it.
    pub fn run(
        &mut self,
        registers: &mut Registers,
        cycles: &mut u64,
        until: Until,
        mut go: impl FnMut(&mut C64, Until) -> Stop,
    ) -> Stop {
        let machine = &mut self.session.machine;
        machine.cpu.registers = *registers;
        machine.cpu.cycles = self.base + *cycles;
        let phase = std::mem::replace(&mut machine.cpu.phase, Phase::Running);
        let end = machine.cpu.cycles.saturating_add(until.cycles);
        let level = Some(until.level.unwrap_or(registers.s));
        let stop = loop {
            let left = end.saturating_sub(machine.cpu.cycles);
            let stop = go(machine, Until { cycles: left, level, ..until });
            machine.board.run_ended(machine.cpu.cycles);
            // The KERNAL asks for the drive with an opcode that stops the CPU.
            match (stop, machine.cpu.phase) {
                (Stop::Jammed, Phase::Jammed) => match machine.host_call().map(HostCall::from_number) {
                    Some(Some(call)) => self.session.drive.serve(call, machine),
                    Some(None) => {}
                    None => break stop,
                },
                _ => break stop,
            }
        };
        machine.cpu.phase = phase;
        *registers = machine.cpu.registers;
        *cycles = machine.cpu.cycles - self.base;
        stop
    }
}
