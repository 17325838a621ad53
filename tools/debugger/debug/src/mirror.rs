//! A machine that is somewhere else: its state is copied here whenever it stops, so that everything that looks at a
//! machine works. Such a machine has no past.

use tempo_emu::{Registers, System};

use crate::calls::{Call, CallKind, Calls};
use crate::condition::Clock;
use crate::debugger::{Debugger, Reason, Stopped};
use crate::history::{History, Moment};
use crate::hook::Now;
use crate::machine::{Input, Machine};
use crate::points::Verdict;

impl Debugger {
    /// Takes over the state of a stopped machine.
    pub fn mirror(&mut self, memory: &[u8], registers: Registers) {
        let mut machine = Machine::new(System::Mos6502);
        machine.load(0, &memory[..memory.len().min(0x10000)]);
        machine.apply(&Input::Registers(registers));
        let mut now = Moment::new(machine);
        now.calls = self.calls_on_stack(&now.machine);
        self.history = History::new(now.clone(), 1);
        self.now = now;
        self.hidden = 0;
        self.trail.clear();
    }

    /// Takes over registers and stack only: enough between the parts of a step.
    pub fn mirror_stack(&mut self, stack: &[u8], registers: Registers) {
        self.now.machine.load(0x0100, &stack[..stack.len().min(0x100)]);
        self.now.machine.apply(&Input::Registers(registers));
        self.now.calls = self.calls_on_stack(&self.now.machine);
    }

    /// Whether the step that [`Debugger::step`] prepared is over where the other machine is now; `previous` is the
    /// instruction that it ran last.
    pub fn step_is_over(&mut self, previous: u16) -> bool {
        let Some(rule) = &self.rule else { return true };
        let machine = &self.now.machine;
        let (registers, look) = (machine.registers(), |at: u16| machine.peek(at));
        let calls = &self.now.calls;
        let clock = Clock::default();
        let look_in = |_: tempo_emu::Part, address: u16| machine.peek(address);
        let look: &dyn Fn(u16) -> u8 = &look;
        let look_in: &dyn Fn(tempo_emu::Part, u16) -> u8 = &look_in;
        let (cycles, time, is_trap) = (0, 0, false);
        let now = Now { registers, cycles, time, clock, look, look_in, bank: None, calls, previous, is_trap };
        let is_over = rule.ends(&self.map, &now);
        if is_over {
            self.hidden = self.hidden_here(Some(previous));
        }
        is_over
    }

    /// Whether such a step can only be over after a return of the routine that the other machine is in.
    pub fn step_waits_for_return(&self) -> bool {
        self.rule.as_ref().is_some_and(|rule| rule.sleeps(self.now.calls.frames.len()))
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

    /// Calls as the stack tells: return addresses after a `jsr`, outermost first. Those that led from the ROM to the
    /// first routine with a source are left out: on our own machine a program is not called by anything either.
    fn calls_on_stack(&self, machine: &Machine) -> Calls {
        let registers = machine.registers();
        let mut calls = Calls::new(registers);
        let mut at = u16::from(registers.s) + 1;
        let mut found = Vec::new();
        while at < 0xff {
            let word = u16::from_le_bytes([machine.peek(0x0100 + at), machine.peek(0x0101 + at)]);
            let from = word.wrapping_sub(2);
            if machine.peek(from) == tempo_isa::opcodes::JSR {
                let target = u16::from_le_bytes([machine.peek(from.wrapping_add(1)), machine.peek(word)]);
                found.push(Call { kind: CallKind::Call, from, target, level: (at - 1) as u8 });
                at += 2;
            } else {
                at += 1;
            }
        }
        let has_source = |at: u16| self.map.at(at, &|at| machine.peek(at)).is_some();
        let outermost = found.iter().rposition(|call| has_source(call.from));
        match outermost {
            Some(outermost) => found.truncate(outermost + 1),
            None if has_source(registers.pc) => found.clear(),
            None => {}
        }
        calls.frames.surround(found.into_iter());
        // What the outermost routine began with is not known; its call is inside of it.
        calls.entry = calls.frames.first().map_or(registers.pc, |call| call.from);
        calls
    }
}
