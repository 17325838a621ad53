//! Requests of tests that a machine elsewhere cannot answer: cycles, guards, doubles, pictures, frames.

use tempo_emu::System;
use tempo_expressions::Kind;

use crate::ast::TestKind;
use crate::plan::{Expr, Form, Step, StepKind, Stop, TestPlan};

/// Why a test needs the emulator; `None` if it can run elsewhere.
pub(super) fn needs_emulator(test: &TestPlan, system: System) -> Option<&'static str> {
    let is_c64 = system.c64().is_some();
    // Banks without the chips are those of no machine.
    if system.is_whole() && !is_c64 || system.has_sockets() && !system.is_whole() {
        return Some("no C64 has its memory");
    }
    if test.kind == TestKind::Bench || test.budget.is_some() {
        return Some("it counts cycles");
    }
    if !test.guards.is_off() {
        return Some("guards watch every instruction");
    }
    if test.trace {
        return Some("a trace watches every instruction");
    }
    if !test.place.doubles.is_empty() {
        return Some("stubs and spies watch every instruction");
    }
    let roms = &test.place.roms;
    if roms.basic.is_some() || roms.kernal.is_some() || roms.chargen.is_some() {
        return Some("it has ROMs of its own");
    }
    let mut asks = Asks { is_c64, why: None };
    asks.steps(test.setup.as_deref().map_or(&[], Vec::as_slice));
    asks.steps(&test.body);
    asks.why
}

struct Asks {
    is_c64: bool,
    why: Option<&'static str>,
}

impl Asks {
    fn needs(&mut self, why: &'static str) {
        self.why.get_or_insert(why);
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.step(&step.kind);
        }
    }

    fn step(&mut self, step: &StepKind) {
        match step {
            StepKind::Assert { condition, .. } => self.expr(condition),
            StepKind::SetRegister { value, .. } | StepKind::SetFlag { value, .. } => self.expr(value),
            StepKind::Store { target, value } => {
                self.place(target);
                self.expr(target);
                self.expr(value);
            }
            StepKind::Jsr(call) => {
                if matches!(call.stop, Stop::Address(_)) {
                    self.needs("a stop address watches every instruction");
                }
                self.expr(&call.target);
                call.max_cycles.iter().for_each(|expr| self.expr(expr));
            }
            StepKind::MemFill { from, count, value } => {
                self.place(from);
                [from, count, value].iter().for_each(|expr| self.expr(expr));
            }
            StepKind::MemDump { from, count, .. } | StepKind::Snapshot { from, count, .. } => {
                self.expr(from);
                self.expr(count);
            }
            StepKind::Forall(_) => self.needs("a property makes too many calls"),
            StepKind::Equivalent(_) => self.needs("a proof is about the emulator's memory"),
            StepKind::Call(call) => {
                call.arguments.iter().for_each(|expr| self.expr(expr));
                self.steps(&call.body);
            }
            StepKind::Double(_) | StepKind::Capture(_) => {
                self.needs("stubs and spies watch every instruction")
            }
            StepKind::Interrupt { .. } => self.needs("an interrupt comes at a cycle"),
            StepKind::Fen { text, .. } => self.expr(text),
            StepKind::PutBytes { to, values, .. } => {
                self.place(to);
                self.expr(to);
                values.iter().for_each(|expr| self.expr(expr));
            }
            StepKind::PutText { to, .. } | StepKind::PutFile { to, .. } | StepKind::Random { to, .. } => {
                self.place(to);
                self.expr(to);
            }
            StepKind::Copy { to, from, count } => {
                [to, from].iter().for_each(|expr| self.place(expr));
                [to, from, count].iter().for_each(|expr| self.expr(expr));
            }
            StepKind::Frames(_)
            | StepKind::Keys(_)
            | StepKind::Joystick { .. }
            | StepKind::Pointer { .. }
            | StepKind::Backend(_) => {
                self.needs("frames, keys and the screen are the emulator's");
            }
            StepKind::Screenshot { .. } => self.needs("pictures are the emulator's"),
            StepKind::Cartridge(_) => self.needs("the cartridge is the emulator's"),
            StepKind::Disk(_) => self.needs("the drive is the emulator's"),
        }
    }

    /// An address that is read or written: registers of chips stay where they are.
    fn place(&mut self, expr: &Expr) {
        if let Kind::Number(at) | Kind::Label(_, at) = expr.kind
            && self.is_c64
            && (0xd000..0xe000).contains(&at)
        {
            self.needs("it looks at registers of chips");
        }
    }

    fn expr(&mut self, expr: &Expr) {
        expr.walk(&mut |expr| match &expr.kind {
            Kind::Cycles | Kind::Beam(_) => self.needs("it counts cycles"),
            Kind::Read(_, place) | Kind::PlaceRead(place) => self.place(place),
            Kind::Form(Form::Calls { .. }) => self.needs("it counts cycles"),
            Kind::Form(Form::Spy { .. } | Form::Captured(_)) => {
                self.needs("stubs and spies watch every instruction")
            }
            Kind::Form(Form::Screen(_) | Form::Contains(..) | Form::Backend(_)) => {
                self.needs("the screen is the emulator's");
            }
            _ => {}
        });
    }
}
