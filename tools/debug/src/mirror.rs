//! A machine that is somewhere else: its state is copied here whenever it stands, so that everything that looks at a
//! machine works. Such a machine has no past.

use emu::Registers;
use harness::ast::MachineKind;

use crate::calls::{Call, CallKind, Calls};
use crate::debugger::{Debugger, Reason, Stopped};
use crate::history::{History, Moment};
use crate::machine::{Input, Machine};
use crate::points::Verdict;

impl Debugger {
    /// Takes over the state of a machine that stands.
    pub fn mirror(&mut self, memory: &[u8], registers: Registers) {
        let mut machine = Machine::new(MachineKind::Generic6502);
        machine.load(0, &memory[..memory.len().min(0x10000)]);
        machine.apply(&Input::Registers(registers));
        let mut now = Moment::new(machine);
        now.calls = calls_on_stack(&now.machine);
        self.history = History::new(now.clone(), 1);
        self.now = now;
        self.hidden = 0;
        self.trail.clear();
    }

    /// Breakpoints that the other machine says it has reached: conditions it could not check, hit counts and messages are
    /// ours. `Some` if one of them stops.
    pub fn reached(&mut self, ids: &[u32]) -> Option<Stopped> {
        let mut stopped: Option<Stopped> = None;
        for number in 0..self.points.len() {
            let (id, origin, name) = {
                let point = self.points.by_number(number);
                (point.id, point.origin, point.name.clone())
            };
            if !ids.contains(&id) {
                continue;
            }
            let points = &mut self.points;
            let text = match self.now.machine.view(|view| points.reached(number, view, u64::MAX)) {
                Verdict::Nothing => continue,
                Verdict::Log(line) => {
                    self.log.push(line);
                    continue;
                }
                Verdict::Stop => name,
                Verdict::Fault(fault) => format!("the condition cannot be evaluated: {fault}"),
            };
            match &mut stopped {
                Some(Stopped { reason: Reason::Points(ids, _), .. }) => ids.push(id),
                _ => stopped = Some(Stopped { reason: Reason::Points(vec![id], origin), text }),
            }
        }
        if let Some(stopped) = &stopped
            && let Reason::Points(ids, _) = &stopped.reason
        {
            self.hidden = self.hidden_for(ids, 0);
        }
        stopped
    }
}

/// Calls as the stack tells: return addresses behind a `jsr`, outermost first.
fn calls_on_stack(machine: &Machine) -> Calls {
    let registers = machine.registers();
    let mut calls = Calls::new(registers);
    let mut at = u16::from(registers.s) + 1;
    while at < 0xff {
        let word = u16::from_le_bytes([machine.peek(0x0100 + at), machine.peek(0x0101 + at)]);
        let from = word.wrapping_sub(2);
        if machine.peek(from) == 0x20 {
            let target = u16::from_le_bytes([machine.peek(from.wrapping_add(1)), machine.peek(word)]);
            calls.frames.insert(0, Call { kind: CallKind::Call, from, target, level: (at - 1) as u8 });
            at += 2;
        } else {
            at += 1;
        }
    }
    calls
}
