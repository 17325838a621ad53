//! Calling code: the one place where cycles are spent. Without a probe the emulator runs on its own and stops by
//! itself; with one it is interrupted for stubs, and the probe decides which instruction is the last.

use tempo_diagnostics::hex_address;
use tempo_emu::{Registers, Stop, System, Until};
use tempo_isa::opcodes::{BRK, RTS};
use tempo_rig::Action;

use super::context::{CallRecord, Context};
use super::describe;
use super::remote::{self, Remote};
use crate::ast::{Flag, Register, Strictness};
use crate::events::Reason;
use crate::parse::Dialect;
use crate::plan::{self, Guards, Jsr, StepKind};
use crate::probe::{CallCounter, Closing, Ending, Probe, Rule, StrayCause, Watch};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// The closing RTS.
    Return,
    Brk,
    Address,
    /// The cycles are used up.
    Limit,
    Jammed,
    Waiting,
    Stopped,
}

/// Which limit is the nearest, and what is left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Timeout(u64),
    Ceiling(u64),
    Call(u64),
}

/// The return address of a call on the stack; nothing is executed there.
const RETURN_ADDRESS: [u8; 2] = [0xff, 0xff];

/// An RTS takes so long, also a stub's.
const RTS_CYCLES: u64 = 6;

/// How long a call that does not end is watched to see where it loops.
const LOOP_CYCLES: u64 = 100_000;

impl<'a> Context<'a> {
    pub(super) fn call(&mut self, call: &Jsr) {
        self.executed = true;
        let Some(target) = self.address(&call.target, "the address to call") else { return };
        let stop_at = match &call.stop {
            plan::Stop::Rts(_) => None,
            plan::Stop::Address(at) => match self.address(at, "the stop address") {
                Some(address) => Some(address).filter(|&address| address > 0),
                None => return,
            },
        };
        let max_cycles = call.max_cycles.as_ref().map(|cycles| self.number(cycles).max(0) as u64);
        let (limit, allowed) = self.limit(max_cycles);
        let before = self.machine.registers;
        let zero_page: Option<Vec<u8>> = self
            .test
            .guards
            .zero_page
            .is_some()
            .then(|| (0..=0xff).map(|address| self.machine.peek(address)).collect());
        let counted = self.options.dialect == Dialect::Base;
        if !counted {
            for byte in RETURN_ADDRESS {
                let s = self.machine.registers.s;
                self.poke(0x0100 | u16::from(s), byte);
                self.machine.registers.s = s.wrapping_sub(1);
            }
        }
        let mark = self.machine.registers.s;
        self.machine.registers.pc = target;
        let started = self.machine.cycles;
        let instructions = self.probe.as_ref().map_or(0, |probe| probe.instructions);

        let ended = if let Some(remote) = &self.options.remote {
            self.machine.registers.s = before.s;
            match self.run_elsewhere(remote, target, allowed) {
                Some(ended) => ended,
                None => return,
            }
        } else if self.probe.is_some() {
            let closing = if counted { Closing::Counted(1) } else { Closing::Level(mark) };
            self.run_probed(target, mark, closing, stop_at, allowed)
        } else if counted {
            self.run_counted(stop_at, allowed)
        } else {
            self.run_free(stop_at, allowed)
        };

        let cycles = self.machine.cycles - started;
        let instructions = self.probe.as_ref().map_or(0, |probe| probe.instructions) - instructions;
        self.calls.push(CallRecord { cycles, instructions });
        let stack_at_end = self.probe.as_ref().map(|probe| probe.now.s);
        let is_here = self.options.remote.is_none();
        let looped = (is_here && ended == Ended::Limit).then(|| self.find_loop(mark));
        if !counted {
            self.machine.registers.s = before.s;
        }
        self.judge(call, ended, limit, looped);
        if self.probe.is_some() {
            self.check_guards(ended, mark, stack_at_end.unwrap_or(mark), &before, zero_page.as_deref());
        }
    }

    /// The nearest limit, and after how many cycles of this call it is exceeded.
    fn limit(&self, max_cycles: Option<u64>) -> (Option<Limit>, u64) {
        let used = self.machine.cycles;
        let overall = if self.test.timeout > 0 {
            Some((
                Limit::Timeout(self.test.timeout),
                self.test.timeout.saturating_add(1).saturating_sub(used),
            ))
        } else if self.options.max_cycles > 0 {
            Some((
                Limit::Ceiling(self.options.max_cycles),
                self.options.max_cycles.saturating_add(1).saturating_sub(used),
            ))
        } else {
            None
        };
        let own = max_cycles.map(|cycles| (Limit::Call(cycles), cycles.saturating_add(1)));
        match (overall, own) {
            (Some(overall), Some(own)) => {
                let nearest = if own.1 < overall.1 { own } else { overall };
                (Some(nearest.0), nearest.1)
            }
            (Some(one), None) | (None, Some(one)) => (Some(one.0), one.1),
            (None, None) => (None, u64::MAX),
        }
    }

    /// On the machine elsewhere. `None` if it cannot be asked, which is reported.
    fn run_elsewhere(&mut self, remote: &Remote, target: u16, allowed: u64) -> Option<Ended> {
        let c64 = self.machine.whole();
        let mut memory = Box::new([0; 0x10000]);
        match c64 {
            Some(machine) => memory.copy_from_slice(machine.ram()),
            None => (0..=0xffff).for_each(|at| memory[usize::from(at)] = self.machine.peek(at)),
        }
        let is_quiet = c64.is_none();
        // A bare machine is all RAM.
        let port = if is_quiet { 0x34 } else { memory[1] };
        let mut call = remote::Call { registers: self.machine.registers, memory, target, port, is_quiet };
        let before = call.memory.clone();
        let ended = match remote.call(&mut call, allowed) {
            Ok(ended) => ended,
            Err(failed) => {
                let (remote::Failed::Test(message) | remote::Failed::Lost(message)) = failed;
                self.fail(Reason::Backend, message);
                self.ended = true;
                return None;
            }
        };
        for at in (0..=0xffff).filter(|&at| before[usize::from(at)] != call.memory[usize::from(at)]) {
            self.machine.load(at, &[call.memory[usize::from(at)]]);
        }
        self.machine.registers = call.registers;
        self.stopped_at = None;
        Some(match ended {
            remote::Ended::Returned => Ended::Return,
            remote::Ended::Brk(at) => {
                self.stopped_at = Some(at);
                Ended::Brk
            }
            remote::Ended::Late => Ended::Limit,
        })
    }

    /// Without a probe: nothing is looked at between the first instruction and the last.
    fn run_free(&mut self, stop_at: Option<u16>, allowed: u64) -> Ended {
        let until = Until { address: stop_at, brk: true, ..Until::rts().within(allowed) };
        // Recordings are made with a probe.
        if let Some(coverage) = &mut self.coverage {
            coverage.call(self.machine.registers.pc);
        }
        let stop = self.run_on(until);
        let pc = self.machine.registers.pc;
        self.stopped_at = None;
        match stop {
            Stop::Rts => Ended::Return,
            Stop::Brk => {
                self.stopped_at = Some(pc);
                self.step();
                Ended::Brk
            }
            Stop::Address => {
                // The instruction at the stop address runs; a BRK there is a BRK.
                self.stopped_at = Some(pc);
                let is_brk = self.machine.peek(pc) == 0;
                self.step();
                if is_brk { Ended::Brk } else { Ended::Address }
            }
            other => {
                self.stopped_at = Some(pc);
                ended_by(other)
            }
        }
    }

    /// Without a probe, with the end of a call as sim6502 finds it.
    fn run_counted(&mut self, stop_at: Option<u16>, allowed: u64) -> Ended {
        let until = Until { address: stop_at, brk: true, ..Until::cycles(allowed) };
        let mut counter = CallCounter { open: 1 };
        let Some(stop) = self.machine.run_with(&mut counter, until) else { return Ended::Stopped };
        let pc = self.machine.registers.pc;
        self.stopped_at = Some(pc);
        match stop {
            Stop::Hook => {
                self.stopped_at = None;
                Ended::Return
            }
            Stop::Brk | Stop::Address => {
                // The instruction runs; what it is counts more than where it is.
                let opcode = self.machine.peek(pc);
                self.step();
                match opcode {
                    RTS if counter.open == 1 => Ended::Return,
                    BRK => Ended::Brk,
                    _ => Ended::Address,
                }
            }
            other => ended_by(other),
        }
    }

    fn step(&mut self) {
        self.run_on(Until::cycles(1));
    }

    fn run_on(&mut self, until: Until) -> Stop {
        let watched = match (&mut self.coverage, &mut self.chip) {
            (Some(coverage), _) => self.machine.run_with(&mut **coverage, until),
            (None, Some(chip)) => self.machine.run_with(chip, until),
            (None, None) => None,
        };
        watched.unwrap_or_else(|| self.machine.run(until))
    }

    fn run_probed(
        &mut self,
        target: u16,
        mark: u8,
        closing: Closing,
        stop_at: Option<u16>,
        allowed: u64,
    ) -> Ended {
        let started = self.machine.cycles;
        let counted = matches!(closing, Closing::Counted(_));
        let mut wires = std::mem::take(&mut self.interrupts);
        for wire in &mut wires {
            wire.at = wire.at.saturating_add(started);
        }
        if !wires.is_empty() {
            self.record(|_| Action::Wires(wires.clone()));
        }
        // Taken out so that a stub's statements can use everything else meanwhile.
        let Some(probe) = self.probe.take() else { return Ended::Return };
        probe.start_call(target, closing, stop_at, started);
        let ended = loop {
            let used = self.machine.cycles - started;
            if used >= allowed {
                break Ended::Limit;
            }
            let until = Until::cycles(allowed - used);
            self.record_enter();
            let stop = self.machine.run_watched(probe, &mut self.feeds, &mut wires, until);
            self.record(|context| Action::Run(context.machine.cycles));
            match (stop, probe.ending) {
                // The last instruction may also have used up the cycles; it did end the call.
                (Stop::Hook | Stop::Cycles, Some(Ending::Return)) => break Ended::Return,
                (Stop::Hook | Stop::Cycles, Some(Ending::Brk)) => break Ended::Brk,
                (Stop::Hook | Stop::Cycles, Some(Ending::Address)) => break Ended::Address,
                (Stop::Hook | Stop::Cycles, Some(Ending::Stub(at))) => {
                    probe.ending = None;
                    let level = self.machine.registers.s;
                    self.run_stub(at, probe);
                    let closes = if counted { probe.count_return() } else { level >= mark };
                    if closes {
                        break Ended::Return;
                    }
                }
                (other, _) => break ended_by(other),
            }
        };
        probe.end_call(self.machine.cycles);
        self.stopped_at = Some(probe.now.pc);
        if ended == Ended::Limit {
            self.stopped_at = Some(self.machine.registers.pc);
        }
        self.probe = Some(probe);
        ended
    }

    /// Does what the stub says, then returns as an RTS would.
    pub(super) fn run_stub(&mut self, at: u16, probe: &mut Probe) {
        // The variables of the place where the stub is written, not of the call that reaches it.
        let (body, own) = match self.stubs.iter_mut().find(|stub| stub.at == at) {
            Some(stub) => (stub.body, std::mem::take(&mut stub.variables)),
            None => (&[][..], Vec::new()),
        };
        let variables = std::mem::replace(&mut self.variables, own);
        let span = self.span;
        for step in body {
            self.span = step.span;
            match &step.kind {
                StepKind::Capture(value) => {
                    let byte = self.number(value) as u8;
                    if self.captured.len() < 0x10_0000 {
                        self.captured.push((at, byte));
                    }
                }
                StepKind::Jsr(_) => {
                    self.fail(Reason::NothingExecuted, "a stub cannot call");
                }
                _ => self.run_steps(std::slice::from_ref(step)),
            }
        }
        self.span = span;
        let own = std::mem::replace(&mut self.variables, variables);
        if let Some(stub) = self.stubs.iter_mut().find(|stub| stub.at == at) {
            stub.variables = own;
        }
        let pull = |machine: &mut tempo_rig::TestMachine| {
            machine.registers.s = machine.registers.s.wrapping_add(1);
            machine.peek(0x0100 | u16::from(machine.registers.s))
        };
        let low = pull(self.machine);
        let high = pull(self.machine);
        self.machine.registers.pc = u16::from_le_bytes([low, high]).wrapping_add(1);
        self.machine.cycles += RTS_CYCLES;
        probe.returned();
    }

    /// Runs a copy of the machine a little further to see which instructions go round.
    fn find_loop(&mut self, mark: u8) -> Probe {
        let mut copy = self.machine.clone();
        let mut probe = Probe::new(Watch::default());
        probe.start_test(&Guards::default());
        probe.watch_loop();
        probe.start_call(copy.registers.pc, Closing::Level(mark), None, copy.cycles);
        copy.run_watched(&mut probe, &mut self.feeds.clone(), &mut [], Until::cycles(LOOP_CYCLES));
        probe
    }

    /// Failures of the call itself.
    fn judge(&mut self, call: &Jsr, ended: Ended, limit: Option<Limit>, looped: Option<Probe>) {
        let place =
            self.stopped_at.map_or(String::new(), |at| format!(" at {}", describe::place(at, self.test)));
        let stop_rule = match &call.stop {
            plan::Stop::Rts(true) => None,
            plan::Stop::Rts(false) => Some("`stop_on_rts = false`"),
            plan::Stop::Address(_) => Some("the stop address"),
        };
        match ended {
            Ended::Return => {
                if let Some(rule) = stop_rule
                    && call.fail_on_brk
                    && self.options.dialect == Dialect::Full
                {
                    self.fail(
                        Reason::Brk,
                        format!("BRK: the routine returned{place}, before {rule} ended the call"),
                    );
                }
            }
            Ended::Brk if call.fail_on_brk => {
                self.fail(Reason::Brk, format!("BRK executed{place}"));
                self.explain_brk();
                self.explain_stray();
            }
            Ended::Brk | Ended::Address => {}
            Ended::Jammed => {
                if let Some(message) = self.absent_routine() {
                    self.fail(Reason::Jam, message);
                } else {
                    self.fail(Reason::Jam, format!("the processor jammed{place}"));
                    self.explain_stray();
                }
            }
            Ended::Waiting => {
                self.fail(Reason::Jam, format!("WAI waits for an interrupt{place}, and none ever comes"));
            }
            Ended::Stopped => {
                self.fail(Reason::Jam, format!("STP stopped the processor{place}"));
            }
            Ended::Limit => self.judge_limit(limit, looped),
        }
        // A call that ended by itself may have gone over the timeout with its last instruction.
        if ended != Ended::Limit && self.test.timeout > 0 && self.machine.cycles > self.test.timeout {
            let message = format!("timeout: {} cycles, {} allowed", self.machine.cycles, self.test.timeout);
            self.fail(Reason::Timeout, message);
            self.ended = true;
        }
        if let (Some(Limit::Call(cycles)), Some(last)) = (limit, self.calls.last().copied())
            && ended != Ended::Limit
            && last.cycles > cycles
        {
            self.fail(Reason::Budget, format!("the call took {} cycles, {cycles} allowed", last.cycles));
        }
    }

    /// The message about a jam in our ROMs: the routine that was called, and where.
    pub(super) fn absent_routine(&self) -> Option<String> {
        let absent = self.machine.absent()?;
        let from = absent.caller.map(|caller| format!(", at {}", describe::place(caller, self.test)));
        Some(format!("{absent}{}", from.unwrap_or_default()))
    }

    fn judge_limit(&mut self, limit: Option<Limit>, looped: Option<Probe>) {
        let (reason, message) = match limit {
            Some(Limit::Timeout(cycles)) => {
                (Reason::Timeout, format!("timeout: no end after {cycles} cycles"))
            }
            Some(Limit::Call(cycles)) => (Reason::Budget, format!("the call took more than {cycles} cycles")),
            Some(Limit::Ceiling(cycles)) => (Reason::NoEnd, format!("no end after {cycles} cycles")),
            None => (Reason::NoEnd, "no end".to_string()),
        };
        self.ended |= reason != Reason::Budget;
        let at = self.stopped_at.map(|at| describe::place(at, self.test));
        let message = match &at {
            Some(at) => format!("{message}, at {at}"),
            None => message,
        };
        let test = self.test;
        if self.fail(reason, message).is_none() {
            return;
        }
        self.explain_stray();
        let Some(probe) = looped else { return };
        let Some(failure) = self.failures.last_mut() else { return };
        if probe.ending.is_none()
            && let Some((low, high)) = probe.range
            && low <= high
        {
            let (from, to) = (describe::place(low, test), describe::place(high, test));
            failure.detail.push(if low == high {
                format!("looping on one instruction at {from}")
            } else {
                format!("looping between {from} and {to}")
            });
        }
        if self.machine.system == System::C64Memory
            && let Some(register) = probe.chip_read
        {
            let name = self
                .machine
                .system
                .hardware()
                .named(register)
                .map_or(String::new(), |place| format!(" ({})", place.name));
            let meaning = System::WITHOUT_CHIPS;
            failure
                .detail
                .push(format!("it waits for ${register:04X}{name}, which no chip changes: {meaning}"));
        }
        if probe.stack_wraps > 0
            && let Some(first) = probe.first_wrap
        {
            failure.detail.push(format!(
                "the stack wraps around (again and again) at {}: endless recursion, or pushes without pulls",
                describe::place(first, test)
            ));
        }
        if failure.calls.is_empty() {
            failure.calls = describe::calls(&probe, test);
        }
    }

    /// A BRK where the ROM would be: the program calls a routine that is not there.
    fn explain_brk(&mut self) {
        let Some(at) = self.stopped_at else { return };
        let is_furnished = self.machine.is_furnished(at, &self.test.place.roms);
        // A program for a C64 may be tested without one.
        let system = if self.machine.system.is_whole() { self.machine.system } else { System::C64Memory };
        let place = system.hardware().named(at);
        let Some(routine) = place.filter(|place| place.is_routine() && !is_furnished) else {
            return;
        };
        let label = self.test.place.names.at(i64::from(at));
        let target = label.map_or_else(|| hex_address(at), |label| format!("[{label}]"));
        if let Some(failure) = self.failures.last_mut() {
            failure.detail.push(format!(
                "{} is a routine of the KERNAL, which is not in memory: write `stub({target}) {{ }}` before the call, or load it with `rom(\"kernal\", …)`",
                routine.name
            ));
        }
    }

    /// The call went wrong after a return that took something else than a return address.
    fn explain_stray(&mut self) {
        let Some(stray) = self.probe.as_ref().and_then(|probe| probe.stray) else { return };
        let place = |address: u16| describe::place(address, self.test);
        let at = place(stray.at);
        let to = stray.to.map_or(String::new(), |to| format!(" returned to ${to:04X}"));
        let cause = match stray.cause {
            StrayCause::Pushed { bytes, by } => {
                let count = if bytes == 1 { "one byte was" } else { "two bytes were" };
                format!("{count} pushed and not pulled, by {}", place(by))
            }
            StrayCause::Pulled { bytes: 1, by } => {
                format!("one byte too many was pulled, by {}", place(by))
            }
            StrayCause::Pulled { bytes, by } => {
                format!("{bytes} bytes of return addresses were pulled, the last by {}", place(by))
            }
            StrayCause::Moved { to, by } => {
                format!("the TXS at {} had set the stack pointer to ${to:02X}", place(by))
            }
        };
        if let Some(failure) = self.failures.last_mut() {
            failure.detail.push(format!("the RTS at {at}{to}: {cause}"));
        }
    }

    /// The observations of the guards during the call.
    fn check_guards(
        &mut self,
        ended: Ended,
        mark: u8,
        stack: u8,
        before: &Registers,
        zero_page: Option<&[u8]>,
    ) {
        let guards = self.test.guards.clone();
        let pc = self.stopped_at.unwrap_or(0);
        let mut found = Vec::new();
        if let Some(probe) = &mut self.probe {
            found = std::mem::take(&mut probe.violations);
        }
        let wrapped = found.iter().any(|violation| violation.rule == Rule::Stack);
        if guards.stack != Strictness::Off && ended == Ended::Return && stack != mark && !wrapped {
            let bytes = i32::from(stack) - i32::from(mark);
            let message = format!(
                "guard: the stack is not balanced: the closing RTS runs at SP = ${stack:02X}, {bytes} bytes above the ${mark:02X} of the call"
            );
            self.fail(Reason::Guard, message);
        }
        for name in &guards.preserve {
            let now = self.machine.registers;
            let (was, is) = match (Register::parse(name), Flag::parse(name)) {
                // The runner puts SP back itself; what counts is the stack at the closing RTS.
                (Some(Register::Sp), _) => (i64::from(mark), i64::from(stack)),
                (Some(register), _) => (register.value(before), register.value(&now)),
                (None, Some(flag)) => {
                    let value = |registers: &Registers| i64::from(registers.p.has(flag.mask()));
                    (value(before), value(&now))
                }
                (None, None) => continue,
            };
            if was != is {
                let message =
                    format!("guard: `{name}` is not preserved: ${was:02X} before the call, ${is:02X} after");
                self.fail(Reason::Guard, message);
            }
        }
        if let (Some(owned), Some(before)) = (&guards.zero_page, zero_page) {
            let changed: Vec<u16> = (0..=0xff_u16)
                .filter(|&at| !owned.iter().any(|range| (range.first..=range.last).contains(&at)))
                .filter(|&at| self.machine.peek(at) != before[usize::from(at)])
                .collect();
            let writer =
                |at: u16| self.probe.as_ref().map_or(pc, |probe| probe.zero_page_writer[usize::from(at)]);
            let lines: Vec<String> = changed
                .iter()
                .map(|&at| {
                    format!(
                        "{}: ${:02X} became ${:02X}, last written at {}",
                        describe::place(at, self.test),
                        before[usize::from(at)],
                        self.machine.peek(at),
                        describe::place(writer(at), self.test)
                    )
                })
                .collect();
            if !lines.is_empty() {
                let message = format!("guard: zero page outside the owned range changed: {}", lines[0]);
                if let Some(failure) = self.fail(Reason::Guard, message) {
                    failure.detail = lines.into_iter().skip(1).take(8).collect();
                }
            }
        }
        self.report_violations(found, &guards);
    }

    fn report_violations(&mut self, mut found: Vec<crate::probe::Violation>, guards: &Guards) {
        found.sort_by_key(|violation| violation.rule);
        // Code is found changed when it is written or when it runs.
        let writers = self.probe.as_ref().map(|probe| probe.writers.clone()).unwrap_or_default();
        let writer = |violation: &crate::probe::Violation| {
            writers.get(&violation.address).copied().filter(|&by| by != violation.pc)
        };
        for group in found.chunk_by(|one, two| one.rule == two.rule) {
            let rule = group[0].rule;
            let lines: Vec<String> = group
                .iter()
                .map(|violation| {
                    let what = describe::place(violation.address, self.test);
                    let at = describe::place(violation.pc, self.test);
                    let again = if violation.more > 0 {
                        format!(" ({} times)", violation.more + 1)
                    } else {
                        String::new()
                    };
                    match rule {
                        Rule::Write => format!("write to protected {what} by {at}{again}"),
                        Rule::Read => format!("read of guarded {what} by {at}{again}"),
                        Rule::Uninit => format!("read of {what}, which was never written, by {at}{again}"),
                        Rule::SelfMod => match writer(violation) {
                            Some(by) => format!(
                                "self-modified code: {what}, written by {}, run by {at}{again}",
                                describe::place(by, self.test)
                            ),
                            None => format!("self-modified code: {what}, written by {at}{again}"),
                        },
                        Rule::Stack => format!("the stack wraps around at {at}{again}"),
                    }
                })
                .collect();
            let strictness = match rule {
                Rule::Uninit => guards.uninit,
                Rule::SelfMod => guards.selfmod,
                _ => Strictness::Fail,
            };
            if strictness == Strictness::Warn {
                self.warn(format!("guard: {}", lines[0]));
                continue;
            }
            if let Some(failure) = self.fail(Reason::Guard, format!("guard: {}", lines[0])) {
                failure.detail = lines.into_iter().skip(1).take(8).collect();
            }
        }
    }
}

fn ended_by(stop: Stop) -> Ended {
    match stop {
        Stop::Rts => Ended::Return,
        Stop::Brk => Ended::Brk,
        Stop::Address => Ended::Address,
        Stop::Jammed => Ended::Jammed,
        Stop::Waiting => Ended::Waiting,
        Stop::Stopped => Ended::Stopped,
        // Harness runs ask for no other end.
        _ => Ended::Limit,
    }
}
