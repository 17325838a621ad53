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
    /// The mode, if there are bytes before the opcode.
    prefixed: Option<Mode>,
    /// An unknown value made it absolute although there is a zero-page form.
    is_forced: bool,
}

// One for each instruction of the program, read in every pass.
const _: () = assert!(size_of::<Decision>() == 4);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    None,
    Byte,
    Word,
    Relative,
    ZeroPageRelative,
    /// Two bytes, the distance from the instruction's second byte on.
    RelativeWord,
    /// A number of one byte, then an address of one.
    TestByte,
    /// A number of one byte, then an address of two.
    TestWord,
    /// Three words.
    Block,
}

impl Operand {
    fn of(mode: Mode) -> Operand {
        match mode {
            Mode::Relative => Operand::Relative,
            Mode::ZeroPageRelative => Operand::ZeroPageRelative,
            Mode::RelativeWord => Operand::RelativeWord,
            Mode::TestZeroPage | Mode::TestZeroPageX => Operand::TestByte,
            Mode::TestAbsolute | Mode::TestAbsoluteX => Operand::TestWord,
            Mode::Block => Operand::Block,
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
        cpu.encode(mnemonic, mode).map(|opcode| Decision::new(mnemonic, mode, opcode))
    }

    #[inline]
    fn new(mnemonic: Mnemonic, mode: Mode, opcode: u8) -> Decision {
        let prefixed = (mode.is_far() || mnemonic.is_wide()).then_some(mode);
        Decision { opcode, operand: Operand::of(mode), prefixed, is_forced: false }
    }

    /// Whether it has no prefix and one operand at most.
    #[inline(always)]
    fn is_usual(self) -> bool {
        self.prefixed.is_none() && self.operand as u8 <= Operand::Relative as u8
    }
}

/// The encoding of an instruction without an extension: a branch, the zero-page mode where the value allows it, or the
/// absolute one. `None` if the CPU has none of them.
#[inline]
fn usual_decision(mnemonic: Mnemonic, form: Form, cpu: Cpu, value: Number) -> Option<Decision> {
    let (zero_page, absolute) = modes(form);
    let mut is_forced = false;
    let (mode, opcode) = 'chosen: {
        if form == Form::Plain
            && let Some(opcode) = cpu.encode(mnemonic, Mode::Relative)
        {
            break 'chosen (Mode::Relative, opcode);
        }
        if let Some(zero_page) = zero_page {
            let short = || cpu.encode(mnemonic, zero_page);
            match value {
                Number::Known(number) if to_i32(number) >= 256 => {}
                Number::Unknown(invalid) if !invalid.is_zp => {
                    is_forced = !matches!(mnemonic, Mnemonic::Jmp | Mnemonic::Jsr) && short().is_some();
                }
                _ => {
                    if let Some(opcode) = short() {
                        break 'chosen (zero_page, opcode);
                    }
                }
            }
        }
        let absolute = absolute?;
        match cpu.encode(mnemonic, absolute) {
            Some(opcode) => (absolute, opcode),
            None => return word_decision(mnemonic, form, cpu),
        }
    };
    Some(Decision { is_forced, ..Decision::new(mnemonic, mode, opcode) })
}

/// The encoding with a word where others have a byte: `phw #nn`, `lbne target`.
#[cold]
fn word_decision(mnemonic: Mnemonic, form: Form, cpu: Cpu) -> Option<Decision> {
    match form {
        Form::Immediate => Decision::in_mode(mnemonic, Mode::ImmediateWord, cpu),
        Form::Plain => Decision::in_mode(mnemonic, Mode::RelativeWord, cpu),
        _ => None,
    }
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
        Form::IndirectZ => (None, Some(Mode::IndirectZ)),
        Form::FarIndirectZ => (None, Some(Mode::FarIndirectZ)),
        Form::FarIndirect => (None, Some(Mode::FarIndirect)),
        Form::StackIndirectY => (None, Some(Mode::StackIndirectY)),
        Form::Test => (Some(Mode::TestZeroPage), Some(Mode::TestAbsolute)),
        Form::TestX => (Some(Mode::TestZeroPageX), Some(Mode::TestAbsoluteX)),
        Form::Triple => (None, Some(Mode::Block)),
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
        Form::IndirectZ => "IZEROPAGEZ",
        Form::FarIndirectZ => "32IZEROPAGEZ",
        Form::FarIndirect => "32IZEROPAGE",
        Form::StackIndirectY => "ISTACKZEROPAGEY",
        Form::Test => "IMMEDIATEANDABSOLUTE",
        Form::TestX => "IMMEDIATEANDABSOLUTEX",
        Form::Triple => "ABSOLUTE3",
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
        // Counted before anything can fail: the instructions after this one must find theirs.
        let number = self.next_decision;
        self.next_decision += 1;
        let usual = match form {
            Form::None => Some(Number::Known(0.0)),
            _ => self.usual_operand(operand),
        };
        let (value, form, exact) = match usual {
            Some(value) => (value, form, None),
            None => self.other_operand(operand, form)?,
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
                None => return self.passes_disagree(at),
            }
        };
        if !decision.is_usual() {
            return self.wide_instruction(at, mnemonic, cpu, operand, decision, value);
        }
        let start = self.made.memory.len();
        self.emit(at, cpu, operand, decision, value)?;
        self.finish(at, start)
    }

    #[cold]
    fn passes_disagree(&self, at: StmtId) -> Eval<()> {
        self.fail(Code::PassesDisagree, self.tree.stmt_spans[at], "The passes do not agree")
    }

    /// The bytes of an instruction with one operand at most.
    #[inline(always)]
    fn emit(&mut self, at: StmtId, cpu: Cpu, operand: ExprId, decision: Decision, value: Number) -> Eval<()> {
        match (decision.operand, value) {
            (Operand::None, _) => self.made.memory.push(decision.opcode),
            (Operand::Byte, Number::Known(number)) => {
                let bits = to_i32(number);
                if self.warns && !(0..=255).contains(&bits) {
                    self.warn_byte(at, operand, i64::from(bits), cpu.decode(decision.opcode).mode);
                }
                self.made.memory.push_all([decision.opcode, bits as u8]);
            }
            (Operand::Relative, value) => {
                self.made.memory.push(decision.opcode);
                self.branch(at, operand, value, 2)?;
            }
            (_, Number::Known(number)) => {
                let [low, high, ..] = to_i32(number).to_le_bytes();
                self.made.memory.push_all([decision.opcode, low, high]);
                if decision.is_forced && number < 256.0 {
                    self.warn_forced(at);
                }
            }
            (kind, Number::Unknown(invalid)) => {
                self.made.memory.push(decision.opcode);
                let fixup = FixupKind::Operand(kind, decision.is_forced);
                let offset = self.made.memory.len();
                if invalid.is_poison || !self.fix_later(at, operand, offset, fixup) {
                    self.unresolved(invalid, self.tree.stmt_spans[at]);
                }
                if kind == Operand::Word {
                    self.made.memory.push_all([0, 0]);
                } else {
                    self.made.memory.push(0);
                }
            }
        }
        Ok(())
    }

    /// An instruction with a prefix or with more than one operand.
    #[inline(never)]
    fn wide_instruction(
        &mut self,
        at: StmtId,
        mnemonic: Mnemonic,
        cpu: Cpu,
        operand: ExprId,
        decision: Decision,
        value: Number,
    ) -> Eval<()> {
        // Its `*` is the address of the instruction, so it is read before anything is emitted.
        let target = match decision.operand {
            Operand::ZeroPageRelative | Operand::TestByte | Operand::TestWord => {
                self.second_operand(operand)?
            }
            _ => Number::Known(0.0),
        };
        let start = self.made.memory.len();
        if let Some(row) = decision.prefixed.and_then(|mode| cpu.find(mnemonic, mode)) {
            self.made.memory.extend(row.prefix());
        }
        match decision.operand {
            Operand::ZeroPageRelative => {
                self.made.memory.push(decision.opcode);
                self.bit_branch(at, operand, value, target)?;
            }
            Operand::RelativeWord => {
                self.made.memory.push(decision.opcode);
                self.word_branch(at, operand, value);
            }
            Operand::TestByte | Operand::TestWord => {
                self.made.memory.push(decision.opcode);
                self.cut_word(at, target, 1);
                self.cut_word(at, value, if decision.operand == Operand::TestWord { 2 } else { 1 });
                if decision.is_forced && matches!(value, Number::Known(number) if number < 256.0) {
                    self.warn_forced(at);
                }
            }
            Operand::Block => {
                let others = self.block_operands(operand)?;
                self.made.memory.push(decision.opcode);
                for number in [value, others[0], others[1]] {
                    self.cut_word(at, number, 2);
                }
            }
            Operand::None | Operand::Byte | Operand::Word | Operand::Relative => {
                self.emit(at, cpu, operand, decision, value)?;
            }
        }
        self.finish(at, start)
    }

    /// The number of an operand that is a number of the text, a label or a variable: what most are.
    #[inline(always)]
    fn usual_operand(&self, operand: ExprId) -> Option<Number> {
        let variable = match self.tree.exprs[operand] {
            Expr::Number(number) => return Some(Number::Known(number.get())),
            Expr::Static { slot, .. } => self.frames.kept(slot),
            Expr::Local { hops, slot, .. } => self.frames.local(hops, slot),
            _ => return None,
        };
        match *variable {
            Value::Label(_, _, number) | Value::Number(number) => Some(Number::Known(number)),
            Value::Invalid(invalid) => Some(Number::Unknown(invalid.wanted_by(operand))),
            _ => None,
        }
    }

    /// Any other operand, with the form or mode that a command argument brings.
    #[inline(never)]
    fn other_operand(&mut self, operand: ExprId, form: Form) -> Eval<(Number, Form, Option<Mode>)> {
        match self.tree.exprs[operand] {
            Expr::Static { slot, .. } => self.operand(operand, self.frames.kept(slot), form),
            Expr::Local { hops, slot, .. } => self.operand(operand, self.frames.local(hops, slot), form),
            _ => {
                let value = self.number_or_value(operand)?;
                self.operand(operand, &value, form)
            }
        }
    }

    /// The number of an operand; a command argument brings its own form or mode.
    fn operand(&self, operand: ExprId, value: &Value, form: Form) -> Eval<(Number, Form, Option<Mode>)> {
        let (value, form, exact) = match value {
            Value::Argument(argument) if form == Form::Plain => match argument.mode {
                ArgumentMode::Written(written) => (&argument.value, written, None),
                ArgumentMode::ZeroPage => (&argument.value, form, Some(Mode::ZeroPage)),
                ArgumentMode::ZeroPageIndirectX => (&argument.value, form, Some(Mode::IndirectX)),
            },
            value => (value, form, None),
        };
        Ok((self.operand_number(operand, value)?, form, exact))
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
        if let Some(decision) = word_decision(mnemonic, form, cpu) {
            return Ok(decision);
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
        let is_short = matches!(self.tree.stmts[at], Stmt::Instruction { cpu, .. } if !cpu.has_cycles());
        let (message, operand) = match self.tree.exprs[operand] {
            Expr::Pair { second, .. } => {
                ("relative address is illegal (jump distance is too far).".to_owned(), second)
            }
            // The fork of Kick Assembler that has these CPUs leaves the distance out.
            _ if is_short => ("relative address is illegal (jump distance is too far).".to_owned(), operand),
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

    /// The second of two operands.
    fn second_operand(&mut self, operand: ExprId) -> Eval<Number> {
        let Expr::Pair { second, .. } = self.tree.exprs[operand] else {
            return Err(self.operand_type_error(operand, &Value::Null));
        };
        let value = self.eval(second)?;
        self.operand_number(second, &value)
    }

    /// The second and third of three operands.
    fn block_operands(&mut self, operand: ExprId) -> Eval<[Number; 2]> {
        let Expr::Pair { second: rest, .. } = self.tree.exprs[operand] else {
            return Err(self.operand_type_error(operand, &Value::Null));
        };
        let value = self.eval(rest)?;
        Ok([self.operand_number(rest, &value)?, self.second_operand(rest)?])
    }

    /// The low bytes of a number.
    fn cut_word(&mut self, at: StmtId, number: Number, len: usize) {
        let bits = match number {
            Number::Known(number) => to_i32(number),
            Number::Unknown(invalid) => {
                self.unresolved(invalid, self.tree.stmt_spans[at]);
                0
            }
        };
        self.made.memory.extend(&bits.to_le_bytes()[..len]);
    }

    /// The distance of a branch of 16 bits, which counts from the byte after the opcode's.
    fn word_branch(&mut self, at: StmtId, operand: ExprId, value: Number) {
        let next = self.made.memory.pc().map(|pc| pc + 1);
        let distance = match (value, next) {
            (Number::Known(number), Some(next)) => i64::from(to_i32(number)) - next,
            (Number::Unknown(invalid), _) => {
                self.unresolved(invalid, self.tree.stmt_spans[at]);
                0
            }
            (Number::Known(_), None) => {
                self.unresolved(Invalid::new(InvalidKind::Number, ExprId::NONE), self.span(operand));
                0
            }
        };
        self.made.memory.extend(&distance.to_le_bytes()[..2]);
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
