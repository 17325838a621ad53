//! Instructions: choosing the mode, once, in the first pass, and encoding the operand in every pass.

use tempo_isa::{Cpu, Mnemonic, Mode};

use super::fixups::FixupKind;
use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::lint::{Cut, fits_data};
use crate::report::Report;
use crate::tree::*;
use crate::values::{ArgumentMode, Invalid, InvalidKind, Value, to_i32};
use tempo_diagnostics::Span;

/// How an instruction is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decision {
    opcode: u8,
    operand: Operand,
    /// An unknown value made it absolute although there is a zero-page form.
    is_forced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    None,
    Byte,
    Word,
    Relative,
    ZeroPageRelative,
}

impl Operand {
    fn of(mode: Mode) -> Operand {
        match mode {
            Mode::Relative => Operand::Relative,
            Mode::ZeroPageRelative => Operand::ZeroPageRelative,
            mode => match mode.operand_len() {
                0 => Operand::None,
                1 => Operand::Byte,
                _ => Operand::Word,
            },
        }
    }
}

impl Decision {
    /// The encoding in a mode, if the CPU has it.
    #[inline]
    fn in_mode(mnemonic: Mnemonic, mode: Mode, cpu: Cpu) -> Option<Decision> {
        let opcode = cpu.encode(mnemonic, mode)?;
        Some(Decision { opcode, operand: Operand::of(mode), is_forced: false })
    }
}

/// The encoding of an instruction without an extension: a branch, the zero-page mode where the value allows it, or the
/// absolute one. `None` if the CPU has none of them.
#[inline]
fn usual_decision(mnemonic: Mnemonic, form: Form, cpu: Cpu, value: Number) -> Option<Decision> {
    if form == Form::Plain
        && let Some(branch) = Decision::in_mode(mnemonic, Mode::Relative, cpu)
    {
        return Some(branch);
    }
    let (zero_page, absolute) = modes(form);
    let Some(zero_page) = zero_page else { return Decision::in_mode(mnemonic, absolute?, cpu) };
    let short = || Decision::in_mode(mnemonic, zero_page, cpu);
    let is_forced = match value {
        Number::Known(number) if to_i32(number) >= 256 => false,
        Number::Unknown(invalid) if !invalid.is_zp => {
            !matches!(mnemonic, Mnemonic::Jmp | Mnemonic::Jsr) && short().is_some()
        }
        _ => match short() {
            Some(short) => return Some(short),
            None => false,
        },
    };
    Some(Decision { is_forced, ..Decision::in_mode(mnemonic, absolute?, cpu)? })
}

/// The value of an operand.
#[derive(Debug, Clone, Copy)]
enum Number {
    Known(f64),
    Unknown(Invalid),
}

/// The modes a written form can mean: first the zero-page one, then the absolute one.
fn modes(form: Form) -> (Option<Mode>, Option<Mode>) {
    match form {
        Form::None => (None, Some(Mode::Implied)),
        Form::Immediate => (None, Some(Mode::Immediate)),
        Form::Plain => (Some(Mode::ZeroPage), Some(Mode::Absolute)),
        Form::PlainX => (Some(Mode::ZeroPageX), Some(Mode::AbsoluteX)),
        Form::PlainY => (Some(Mode::ZeroPageY), Some(Mode::AbsoluteY)),
        Form::Indirect => (Some(Mode::ZeroPageIndirect), Some(Mode::Indirect)),
        Form::IndirectX => (Some(Mode::IndirectX), Some(Mode::AbsoluteIndirectX)),
        Form::IndirectY => (None, Some(Mode::IndirectY)),
        Form::Pair => (None, Some(Mode::ZeroPageRelative)),
    }
}

/// Whether a mode can be forced on an operand of this form: one without marks of a mode, or with those of this one.
fn is_fit(form: Form, mode: Mode) -> bool {
    let (zero_page, absolute) = modes(form);
    form == Form::Plain || zero_page == Some(mode) || absolute == Some(mode)
}

fn form_name(form: Form) -> &'static str {
    match form {
        Form::None => "NONE",
        Form::Immediate => "IMMEDIATE",
        Form::Plain => "ABSOLUTE",
        Form::PlainX => "ABSOLUTEX",
        Form::PlainY => "ABSOLUTEY",
        Form::Indirect => "INDIRECT",
        Form::IndirectX => "INDIRECTX",
        Form::IndirectY => "IZEROPAGEY",
        Form::Pair => "ZPRELATIVE",
    }
}

/// Names for the modes legacy extensions and constants give.
fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Immediate => "IMMEDIATE",
        Mode::ZeroPage => "ZEROPAGE",
        Mode::ZeroPageX => "ZEROPAGEX",
        Mode::ZeroPageY => "ZEROPAGEY",
        Mode::IndirectX => "IZEROPAGEX",
        Mode::IndirectY => "IZEROPAGEY",
        Mode::AbsoluteX => "ABSOLUTEX",
        Mode::AbsoluteY => "ABSOLUTEY",
        Mode::Indirect => "INDIRECT",
        Mode::Relative => "RELATIVE",
        _ => "ABSOLUTE",
    }
}

fn zero_page_name(form: Form) -> &'static str {
    match form {
        Form::PlainX => "zeropageX",
        Form::PlainY => "zeropageY",
        Form::Indirect => "izeropage",
        Form::IndirectX => "izeropageX",
        _ => "zeropage",
    }
}

impl Evaluator<'_> {
    pub(super) fn instruction(
        &mut self,
        at: StmtId,
        mnemonic: Mnemonic,
        form: Form,
        cpu: Cpu,
        extension: Extension,
        operand: ExprId,
    ) -> Eval<()> {
        let mut form = form;
        let mut exact = None;
        // Counted before anything can fail: the instructions after this one must find theirs.
        let number = self.next_decision;
        self.next_decision += 1;
        // Numbers and labels are most operands; they need no detour.
        let value = match form {
            Form::None => Number::Known(0.0),
            _ => match self.tree.exprs[operand] {
                Expr::Number(number) => Number::Known(number.get()),
                Expr::Static { slot, .. } => {
                    self.variable_operand(operand, self.frames.kept(slot), &mut form, &mut exact)?
                }
                Expr::Local { hops, slot, .. } => {
                    self.variable_operand(operand, self.frames.local(hops, slot), &mut form, &mut exact)?
                }
                _ => {
                    let value = self.eval(operand)?;
                    self.operand(operand, &value, &mut form, &mut exact)?
                }
            },
        };
        let decision = if self.is_first_pass() {
            let usual = match (extension, exact) {
                (Extension::None, None) => usual_decision(mnemonic, form, cpu, value),
                _ => None,
            };
            let decision = match usual {
                Some(decision) => decision,
                None => self.decide(at, mnemonic, form, cpu, extension, exact, value)?,
            };
            self.decisions.push(decision);
            decision
        } else {
            match self.decisions.get(number).copied() {
                Some(decision) => decision,
                None => {
                    return self.fail(
                        Code::PassesDisagree,
                        self.tree.stmt_spans[at],
                        "The passes do not agree",
                    );
                }
            }
        };
        // Its `*` is the address of the instruction, so it is read before anything is emitted.
        let target = match decision.operand {
            Operand::ZeroPageRelative => Some(self.bit_branch_target(operand)?),
            _ => None,
        };
        let start = self.made.memory.len();
        match (decision.operand, value) {
            (Operand::None, _) => self.made.memory.push(decision.opcode),
            (Operand::Byte, Number::Known(number)) => {
                let bits = to_i32(number);
                if self.warns && !(0..=255).contains(&bits) {
                    self.warn_byte(at, operand, i64::from(bits), cpu.decode(decision.opcode).mode);
                }
                self.made.memory.extend(&[decision.opcode, bits as u8]);
            }
            (Operand::Word, Number::Known(number)) => {
                let [low, high, ..] = to_i32(number).to_le_bytes();
                self.made.memory.extend(&[decision.opcode, low, high]);
                if decision.is_forced && number < 256.0 {
                    self.warn_forced(at);
                }
            }
            (Operand::Relative, value) => {
                self.made.memory.push(decision.opcode);
                self.branch(at, operand, value, 2)?;
            }
            (Operand::ZeroPageRelative, value) => {
                self.made.memory.push(decision.opcode);
                self.bit_branch(at, operand, value, target.unwrap_or(Number::Known(0.0)))?;
            }
            (kind, Number::Unknown(invalid)) => {
                self.made.memory.push(decision.opcode);
                let fixup = FixupKind::Operand(kind, decision.is_forced);
                if invalid.is_poison || !self.fix_later(at, operand, start + 1, fixup) {
                    self.unresolved(invalid, self.tree.stmt_spans[at]);
                }
                self.made.memory.push(0);
                if kind == Operand::Word {
                    self.made.memory.push(0);
                }
            }
        }
        self.finish(at, start)
    }

    /// The number of an operand that is a variable or label.
    #[inline]
    fn variable_operand(
        &self,
        operand: ExprId,
        value: &Value,
        form: &mut Form,
        exact: &mut Option<Mode>,
    ) -> Eval<Number> {
        match *value {
            Value::Label(_, _, number) | Value::Number(number) => Ok(Number::Known(number)),
            Value::Invalid(invalid) => Ok(Number::Unknown(invalid.wanted_by(operand))),
            _ => self.operand(operand, value, form, exact),
        }
    }

    /// The number of an operand; a command argument brings its own form or mode.
    fn operand(
        &self,
        operand: ExprId,
        value: &Value,
        form: &mut Form,
        exact: &mut Option<Mode>,
    ) -> Eval<Number> {
        match value {
            Value::Argument(argument) if *form == Form::Plain => {
                match argument.mode {
                    ArgumentMode::Written(written) => *form = written,
                    ArgumentMode::ZeroPage => *exact = Some(Mode::ZeroPage),
                    ArgumentMode::ZeroPageIndirectX => *exact = Some(Mode::IndirectX),
                }
                self.operand_number(operand, &argument.value)
            }
            value => self.operand_number(operand, value),
        }
    }

    pub(super) fn operand_type_error(&self, operand: ExprId, value: &Value) -> Box<Report> {
        let message = format!(
            "The value of a Command Argument Value must be an integer. This expression returns a value of type '{}'",
            value.type_of()
        );
        self.error(Code::OperandType, self.span(operand), message)
    }

    fn operand_number(&self, operand: ExprId, value: &Value) -> Eval<Number> {
        match value {
            Value::Invalid(invalid) => Ok(Number::Unknown(*invalid)),
            value => match value.as_number() {
                Some(number) => Ok(Number::Known(number)),
                None => Err(self.operand_type_error(operand, value)),
            },
        }
    }

    /// The mnemonic as it is written, which may be an alias.
    fn written_mnemonic(&self, at: StmtId) -> &str {
        self.sources.text_of(self.tree.stmt_spans[at])
    }

    #[allow(clippy::too_many_arguments)]
    fn decide(
        &self,
        at: StmtId,
        mnemonic: Mnemonic,
        form: Form,
        cpu: Cpu,
        extension: Extension,
        exact: Option<Mode>,
        value: Number,
    ) -> Eval<Decision> {
        let span = self.tree.stmt_spans[at];
        let chosen = |mode: Mode| Decision::in_mode(mnemonic, mode, cpu);
        let exact = match extension {
            Extension::Exact(mode) => Some(mode),
            _ => exact,
        };
        if let Some(mode) = exact {
            if !is_fit(form, mode) {
                return Err(self.forced_error(span, form, mode));
            }
            return chosen(mode).ok_or_else(|| self.mode_error(at, span, mnemonic, cpu, mode_name(mode)));
        }
        let (zero_page, absolute) = modes(form);
        if extension == Extension::ZeroPage {
            let Some(mode) = zero_page else {
                return match form {
                    Form::Immediate => self.fail(
                        Code::ModeNotForced,
                        span,
                        "Cannot force zeropage mode on an argument of type immediate",
                    ),
                    _ => absolute
                        .and_then(chosen)
                        .ok_or_else(|| self.mode_error(at, span, mnemonic, cpu, form_name(form))),
                };
            };
            return chosen(mode).ok_or_else(|| {
                let name = self.written_mnemonic(at);
                let message = format!("'{name}' does not support mode '{}'", zero_page_name(form));
                self.error(Code::ModeNotForced, span, message)
            });
        }
        if extension == Extension::Absolute
            && let Some(decision) = absolute.and_then(chosen)
        {
            return Ok(decision);
        }
        let has_short = extension == Extension::None && zero_page.and_then(chosen).is_some();
        let mut report = self.mode_error(at, span, mnemonic, cpu, form_name(form));
        match value {
            Number::Unknown(_) if has_short => {
                report.help = Some("define the label before this line, or in a .zp block, so that it is known to be in the zero page".to_owned());
            }
            Number::Known(number) if has_short => {
                report.label = Some(format!("${:X} is not in the zero page", to_i32(number)));
            }
            _ => {}
        }
        Err(report)
    }

    /// A mode forced on an operand that is not of its kind, or on none.
    fn forced_error(&self, span: Span, form: Form, mode: Mode) -> Box<Report> {
        let forced = mode_name(mode);
        let message = match form {
            Form::None => format!("Cannot force {forced} mode without an argument"),
            _ => format!("Cannot force {forced} mode on an argument of type {}", form_name(form)),
        };
        let mut report = self.error(Code::ModeNotForced, span, message);
        report.help = Some(format!("write the operand as a plain value or as {}", mode.operand()));
        report
    }

    fn mode_error(&self, at: StmtId, span: Span, mnemonic: Mnemonic, cpu: Cpu, mode: &str) -> Box<Report> {
        let name = self.written_mnemonic(at);
        let message = format!("invalid adressingmode. '{name}' doesn't support {mode} mode");
        let mut report = self.error(Code::AddressingMode, span, message);
        let form = |mode: Mode| if mode == Mode::Implied { "(nothing)" } else { mode.operand() };
        let forms: Vec<&str> = cpu.modes(mnemonic).map(form).collect();
        report.help = Some(format!("'{name}' takes: {}", forms.join("  ")));
        report
    }

    pub(super) fn warn_forced(&mut self, at: StmtId) {
        let message =
            "Using absolute mode for zeropage argument. Try defining involved labels before this statement.";
        let mut report = Report::warning(Code::ForcedAbsolute, self.tree.stmt_spans[at], message);
        report.calls = self.calls.iter().rev().copied().collect();
        self.made.warnings.push(report);
    }

    /// Warns about an operand of one byte that does not fit.
    #[cold]
    pub(super) fn warn_byte(&mut self, at: StmtId, operand: ExprId, bits: i64, mode: Mode) {
        let cut = match mode {
            Mode::Immediate if fits_data(bits, 1) => return,
            Mode::Immediate => Cut::Immediate,
            _ => Cut::Address,
        };
        self.warn_cut(at, operand, bits, cut);
    }

    /// The displacement byte of a branch of `len` bytes.
    fn branch(&mut self, at: StmtId, operand: ExprId, value: Number, len: i64) -> Eval<()> {
        // The opcode (and for bit branches the zero-page address) is emitted already.
        let next = self.made.memory.pc().map(|pc| pc + 1);
        let byte = match (value, next) {
            (Number::Known(number), Some(next)) => {
                self.distance(at, operand, i64::from(to_i32(number)), next, len)
            }
            (Number::Unknown(invalid), _) => {
                let fixup = FixupKind::Operand(Operand::Relative, false);
                let offset = self.made.memory.len();
                if invalid.is_poison || len != 2 || !self.fix_later(at, operand, offset, fixup) {
                    self.unresolved(invalid, self.tree.stmt_spans[at]);
                }
                Ok(0)
            }
            (Number::Known(_), None) => {
                self.unresolved(Invalid::new(InvalidKind::Number, ExprId::NONE), self.span(operand));
                Ok(0)
            }
        };
        self.made.memory.push(byte.as_ref().copied().unwrap_or(0));
        byte.map(|_| ())
    }

    /// How far a branch goes, as the byte it is.
    pub(super) fn distance(
        &mut self,
        at: StmtId,
        operand: ExprId,
        target: i64,
        next: i64,
        len: i64,
    ) -> Eval<u8> {
        let distance = target - next;
        match i8::try_from(distance) {
            Ok(distance) => Ok(distance.cast_unsigned()),
            // After an error addresses are not what they would be.
            Err(_) if self.faults.has_shifted => Ok(0),
            Err(_) => Err(self.too_far(at, operand, distance, target, len)),
        }
    }

    fn too_far(&self, at: StmtId, operand: ExprId, distance: i64, target: i64, len: i64) -> Box<Report> {
        let (message, operand) = match self.tree.exprs[operand] {
            Expr::Pair { second, .. } => {
                ("relative address is illegal (jump distance is too far).".to_owned(), second)
            }
            _ => (format!("relative address is illegal (jump distance is too far: {distance})."), operand),
        };
        let mut report = self.error(Code::BranchTooFar, self.span(operand), message);
        let over = if distance > 127 { distance - 127 } else { -128 - distance };
        let from = target - distance - len;
        report.label = Some(format!(
            "from ${from:04X} to ${target:04X} is {over} byte{} too far",
            if over == 1 { "" } else { "s" }
        ));
        let name = self.written_mnemonic(at);
        report.help = Some(match Mnemonic::parse(name).and_then(Mnemonic::opposite) {
            Some(inverse) => format!("use {inverse} to skip a jmp"),
            None => "use jmp".to_owned(),
        });
        report
    }

    fn bit_branch_target(&mut self, operand: ExprId) -> Eval<Number> {
        let Expr::Pair { second, .. } = self.tree.exprs[operand] else {
            return Err(self.operand_type_error(operand, &Value::Null));
        };
        let value = self.eval(second)?;
        self.operand_number(second, &value)
    }

    fn bit_branch(&mut self, at: StmtId, operand: ExprId, first: Number, target: Number) -> Eval<()> {
        match first {
            Number::Known(number) => self.made.memory.push(to_i32(number) as u8),
            Number::Unknown(invalid) => {
                self.unresolved(invalid, self.tree.stmt_spans[at]);
                self.made.memory.push(0);
            }
        }
        self.branch(at, operand, target, 3)
    }
}
