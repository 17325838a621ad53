//! Instructions: choosing the mode, once, in the first pass, and encoding the operand in every pass.

use tempo_isa::{Cpu, Mnemonic, Mode};

use super::encodings::{
    Decision, Encodings, Number, Operand, form_name, is_fit, mode_name, modes, word_decision, zero_page_name,
};
use super::fixups::FixupKind;
use super::{Eval, Evaluator};
use crate::codes::Code;
use crate::lint::{Cut, fits_data};
use crate::report::Report;
use crate::tree::*;
use crate::values::{ArgumentMode, Invalid, InvalidKind, Value, to_i32};
use tempo_diagnostics::Span;

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
        let index = self.next_decision;
        self.next_decision += 1;
        let value = match form {
            Form::None => Some(Number::Known(0.0)),
            _ => self.usual_operand(operand),
        };
        match value {
            Some(Number::Known(number)) => {
                if let Some(decision) = self.usual_decision(index, mnemonic, form, cpu, extension, number) {
                    let start = self.made.memory.len();
                    self.emit(at, cpu, operand, decision, Number::Known(number))?;
                    return self.finish(at, start);
                }
            }
            Some(value) if self.is_first_pass() && extension == Extension::None => {
                return self.unknown_instruction(at, index, mnemonic, form, cpu, operand, value);
            }
            _ => {}
        }
        self.other_instruction(at, index, mnemonic, form, cpu, extension, operand)
    }

    /// An instruction in the first pass whose operand is a label that is not known yet.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)]
    fn unknown_instruction(
        &mut self,
        at: StmtId,
        index: usize,
        mnemonic: Mnemonic,
        form: Form,
        cpu: Cpu,
        operand: ExprId,
        value: Number,
    ) -> Eval<()> {
        let decision = Encodings::of(mnemonic, form, cpu).of_value(mnemonic, value);
        if let Some(decision) = decision.filter(|decision| decision.is_usual()) {
            self.decisions.push(decision);
            let start = self.made.memory.len();
            self.emit(at, cpu, operand, decision, value)?;
            return self.finish(at, start);
        }
        self.other_instruction(at, index, mnemonic, form, cpu, Extension::None, operand)
    }

    /// The encoding of an instruction whose operand decides nothing but its size: what most are.
    #[inline(always)]
    fn usual_decision(
        &mut self,
        index: usize,
        mnemonic: Mnemonic,
        form: Form,
        cpu: Cpu,
        extension: Extension,
        number: f64,
    ) -> Option<Decision> {
        if !self.is_first_pass() {
            return self.decisions.get(index).copied().filter(|decision| decision.is_usual());
        }
        if extension != Extension::None {
            return None;
        }
        let decision = Encodings::of(mnemonic, form, cpu).of_number(number)?;
        if !decision.is_usual() {
            return None;
        }
        self.decisions.push(decision);
        Some(decision)
    }

    /// An instruction with an extension or an operand that has to be evaluated, or with a seldom encoding.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)]
    fn other_instruction(
        &mut self,
        at: StmtId,
        index: usize,
        mnemonic: Mnemonic,
        form: Form,
        cpu: Cpu,
        extension: Extension,
        operand: ExprId,
    ) -> Eval<()> {
        let (value, form, exact) = match form {
            Form::None => (Number::Known(0.0), form, None),
            _ => self.other_operand(operand, form)?,
        };
        let decision = if self.is_first_pass() {
            let usual = match (extension, exact) {
                (Extension::None, None) => Encodings::of(mnemonic, form, cpu).of_value(mnemonic, value),
                _ => None,
            };
            let decision = match usual {
                Some(decision) => decision,
                None => self.decide(at, mnemonic, form, cpu, extension, exact, value)?,
            };
            self.decisions.push(decision);
            decision
        } else {
            match self.decisions.get(index).copied() {
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
        match (decision.operand(), value) {
            (Operand::None, _) => self.made.memory.push(decision.opcode()),
            (Operand::Byte, Number::Known(number)) => {
                let bits = to_i32(number);
                if self.warns && !(0..=255).contains(&bits) {
                    self.warn_byte(at, operand, i64::from(bits), cpu.decode(decision.opcode()).mode);
                }
                self.made.memory.push_all([decision.opcode(), bits as u8]);
            }
            (Operand::Relative, value) => {
                self.made.memory.push(decision.opcode());
                self.branch(at, operand, value, 2)?;
            }
            (_, Number::Known(number)) => {
                let [low, high, ..] = to_i32(number).to_le_bytes();
                self.made.memory.push_all([decision.opcode(), low, high]);
                if decision.is_forced() && number < 256.0 {
                    self.warn_forced(at);
                }
            }
            (kind, Number::Unknown(invalid)) => {
                self.made.memory.push(decision.opcode());
                let fixup = FixupKind::Operand(kind, decision.is_forced());
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
        let target = match decision.operand() {
            Operand::ZeroPageRelative | Operand::TestByte | Operand::TestWord => {
                self.second_operand(operand)?
            }
            _ => Number::Known(0.0),
        };
        let start = self.made.memory.len();
        if let Some(row) = decision.prefixed().and_then(|mode| cpu.find(mnemonic, mode)) {
            self.made.memory.extend(row.prefix());
        }
        match decision.operand() {
            Operand::ZeroPageRelative => {
                self.made.memory.push(decision.opcode());
                self.bit_branch(at, operand, value, target)?;
            }
            Operand::RelativeWord => {
                self.made.memory.push(decision.opcode());
                self.word_branch(at, operand, value);
            }
            Operand::TestByte | Operand::TestWord => {
                self.made.memory.push(decision.opcode());
                self.cut_word(at, target, 1);
                self.cut_word(at, value, if decision.operand() == Operand::TestWord { 2 } else { 1 });
                if decision.is_forced() && matches!(value, Number::Known(number) if number < 256.0) {
                    self.warn_forced(at);
                }
            }
            Operand::Block => {
                let others = self.block_operands(operand)?;
                self.made.memory.push(decision.opcode());
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

    /// Any operand, with the form or mode that a command argument brings.
    #[inline(always)]
    fn other_operand(&mut self, operand: ExprId, form: Form) -> Eval<(Number, Form, Option<Mode>)> {
        match self.tree.exprs[operand] {
            Expr::Static { slot, .. } => self.operand(operand, self.frames.kept(slot), form),
            Expr::Local { hops, slot, .. } => self.operand(operand, self.frames.local(hops, slot), form),
            _ => match self.number_or_value(operand)? {
                Value::Number(number) => Ok((Number::Known(number), form, None)),
                value => self.operand(operand, &value, form),
            },
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
            Value::Invalid(invalid) => Ok(Number::Unknown(invalid.wanted_by(operand))),
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
