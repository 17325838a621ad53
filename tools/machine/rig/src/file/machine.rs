//! A machine of a test as bytes: what `emu` and `c64` save, with the place between two runs. The version is that of `emu`.

use tempo_c64::Session;
use tempo_emu::{Registers, State, StateError, Status, System};

use crate::computer::Computer;
use crate::machine::{Body, TestMachine};

/// No recorded machine has run this long.
const END_OF_TIME: u64 = 1 << 62;

impl TestMachine {
    /// The machine as bytes, for [`TestMachine::restore`].
    pub fn save(&self) -> Vec<u8> {
        let mut to = Vec::new();
        match &self.body {
            Body::Machine(machine) => {
                false.save(&mut to);
                machine.save().save(&mut to);
            }
            Body::Computer(computer) => {
                let Computer { session, main, base, is_at_prompt, loaded } = &**computer;
                true.save(&mut to);
                session.save().save(&mut to);
                save_registers(main, &mut to);
                base.save(&mut to);
                is_at_prompt.save(&mut to);
                loaded.save(&mut to);
            }
        }
        save_registers(&self.registers, &mut to);
        self.cycles.save(&mut to);
        to
    }

    /// The machine that [`TestMachine::save`] made bytes of.
    pub fn restore(mut bytes: &[u8]) -> Result<TestMachine, StateError> {
        let from = &mut bytes;
        let is_whole = bool::load(from)?;
        let saved: Vec<u8> = State::load(from)?;
        let (system, body) = if is_whole {
            let mut rest = &saved[..];
            let session = Session::restore(&mut rest)?;
            if !rest.is_empty() {
                return Err(StateError::Damaged);
            }
            let computer = Computer {
                session,
                main: load_registers(from)?,
                base: State::load(from)?,
                is_at_prompt: State::load(from)?,
                loaded: State::load(from)?,
            };
            let machine = &computer.session.machine;
            if computer.base > machine.cycles() || machine.cycles() > END_OF_TIME {
                return Err(StateError::Impossible("a test that began after its machine's time"));
            }
            (machine.system(), Body::Computer(Box::new(computer)))
        } else {
            let system = System::of_state(&saved)?;
            if system.is_whole() {
                return Err(StateError::Impossible("a whole computer without its session"));
            }
            (system, Body::Machine(system.restore(&saved)?))
        };
        let machine =
            TestMachine { system, registers: load_registers(from)?, cycles: State::load(from)?, body };
        if machine.cycles > END_OF_TIME {
            return Err(StateError::Impossible("it has run beyond all times"));
        }
        if from.is_empty() { Ok(machine) } else { Err(StateError::Damaged) }
    }
}

fn save_registers(registers: &Registers, to: &mut Vec<u8>) {
    let Registers { pc, a, x, y, s, p } = *registers;
    pc.save(to);
    [a, x, y, s, p.byte()].save(to);
}

fn load_registers(from: &mut &[u8]) -> Result<Registers, StateError> {
    let pc = State::load(from)?;
    let [a, x, y, s, p] = State::load(from)?;
    Ok(Registers { pc, a, x, y, s, p: Status::from_byte(p) })
}
