//! Forward references that need no second pass: the bytes are filled in when the labels are known.
//!
//! Only expressions of labels and numbers qualify, and the sum of a label and whatever else is known: a table and the
//! variable of a loop. They mean the same at the end of the pass, and most programs have no others.

use tempo_isa::Mode;

use super::encodings::Operand;
use super::operators::select;
use super::{Eval, Evaluator};
use crate::lint::{Cut, fits_data};
use crate::tree::*;
use crate::values::{FrameId, Value, to_i32, to_i64};

/// Bytes to be filled in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fixup {
    expr: ExprId,
    /// The number of the sum that it is; `NONE` if the whole of it is evaluated.
    sum: u32,
    stmt: StmtId,
    frame: FrameId,
    segment: u16,
    block: u16,
    offset: u32,
    /// The address after a branch.
    next: u32,
    kind: FixupKind,
}

/// The sum of a label that is not known yet and of what is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sum {
    label: ExprId,
    addend: i32,
    /// The byte that is taken of it, if just one is.
    select: Option<Unary>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FixupKind {
    /// The operand of an instruction; whether it was made absolute because it was unknown.
    Operand(Operand, bool),
    /// An element of this many bytes.
    Data(u8),
}

/// Deeper expressions are not examined.
const MAX_DEPTH: u32 = 8;

impl Evaluator<'_> {
    /// Notes bytes at an offset of the current block for later, if the expression allows it.
    pub(super) fn fix_later(&mut self, stmt: StmtId, expr: ExprId, offset: usize, kind: FixupKind) -> bool {
        let is_plain = self.pass == 1
            && self.functions == 0
            && self.bodies == 0
            && self.calls.is_empty()
            && !self.tree.prints_now;
        if !is_plain {
            return false;
        }
        let (sum, frame) = if self.frames.current_stays() && self.is_pure(expr, 0) {
            (NONE, self.frames.current())
        } else if let Some(sum) = self.sum(expr) {
            self.sums.push(sum);
            (self.sums.len() as u32 - 1, FrameId::NONE)
        } else {
            return false;
        };
        let next = match (kind, self.made.memory.pc()) {
            (FixupKind::Operand(Operand::Relative, _), None) => return false,
            (_, pc) => pc.map_or(0, |pc| pc + 1),
        };
        let segment = self.made.memory.current;
        let block = self.made.memory.segments[segment].current;
        // Whatever does not fit takes another pass.
        let (Ok(segment), Ok(block), Ok(next)) =
            (u16::try_from(segment), u16::try_from(block), u32::try_from(next))
        else {
            return false;
        };
        self.fixups.push(Fixup { expr, sum, stmt, frame, segment, block, offset: offset as u32, next, kind });
        true
    }

    fn is_pure(&self, expr: ExprId, depth: u32) -> bool {
        match self.tree.exprs[expr] {
            Expr::Number(_) => true,
            Expr::Static { symbol, .. } | Expr::Local { symbol, .. } => {
                matches!(self.tree.symbols[symbol].kind, SymbolKind::Label | SymbolKind::MultiLabel)
            }
            _ if depth == MAX_DEPTH => false,
            Expr::Unary { operand, .. } => self.is_pure(operand, depth + 1),
            Expr::Binary { op, left, right } => {
                !op.is_logic() && self.is_pure(left, depth + 1) && self.is_pure(right, depth + 1)
            }
            _ => false,
        }
    }

    /// An expression as a sum of a label and of what is known.
    #[inline(never)]
    fn sum(&mut self, expr: ExprId) -> Option<Sum> {
        match self.tree.exprs[expr] {
            Expr::Unary { op: op @ (Unary::Low | Unary::High), operand } => {
                Some(Sum { select: Some(op), ..self.plain_sum(operand, 0)? })
            }
            _ => self.plain_sum(expr, 0),
        }
    }

    fn plain_sum(&mut self, expr: ExprId, depth: u32) -> Option<Sum> {
        if depth == MAX_DEPTH {
            return None;
        }
        match self.tree.exprs[expr] {
            Expr::Static { symbol, .. } if self.tree.symbols[symbol].kind == SymbolKind::Label => {
                Some(Sum { label: expr, addend: 0, select: None })
            }
            Expr::Binary { op: op @ (Binary::Add | Binary::Subtract), left, right } => {
                let (term, number) = match (self.known_term(left), self.known_term(right)) {
                    (None, Some(number)) => (left, number),
                    (Some(number), None) if op == Binary::Add => (right, number),
                    _ => return None,
                };
                let sum = self.plain_sum(term, depth + 1)?;
                let addend = match op {
                    Binary::Add => sum.addend.checked_add(number)?,
                    _ => sum.addend.checked_sub(number)?,
                };
                Some(Sum { addend, ..sum })
            }
            _ => None,
        }
    }

    /// A whole number that is known, of variables and numbers of the text.
    fn known_term(&mut self, expr: ExprId) -> Option<i32> {
        if !self.is_calculation(expr, 0) {
            return None;
        }
        match self.eval(expr) {
            Ok(Value::Number(number)) if f64::from(number as i32) == number => Some(number as i32),
            _ => None,
        }
    }

    /// Whether evaluating an expression changes nothing and calls nothing.
    fn is_calculation(&self, expr: ExprId, depth: u32) -> bool {
        match self.tree.exprs[expr] {
            Expr::Number(_) | Expr::Static { .. } | Expr::Local { .. } => true,
            _ if depth == MAX_DEPTH => false,
            Expr::Unary { operand, .. } => self.is_calculation(operand, depth + 1),
            Expr::Binary { op, left, right } => {
                !op.is_logic()
                    && self.is_calculation(left, depth + 1)
                    && self.is_calculation(right, depth + 1)
            }
            _ => false,
        }
    }

    /// The value that a fixup waited for.
    fn waited(&mut self, fixup: &Fixup) -> Eval<Value> {
        let Some(&Sum { label, addend, select: op }) = self.sums.get(fixup.sum as usize) else {
            return self.eval(fixup.expr);
        };
        let value = self.eval(label)?;
        let Some(number) = value.as_number() else { return Ok(value) };
        let sum = number + f64::from(addend);
        Ok(Value::Number(op.map_or(sum, |op| select(op, sum))))
    }

    /// Fills in what the pass left open. What is still unknown makes another pass necessary.
    pub(super) fn apply_fixups(&mut self) -> Eval<()> {
        let fixups = std::mem::take(&mut self.fixups);
        for fixup in &fixups {
            self.frames.go_to(fixup.frame);
            let done = self.waited(fixup).and_then(|value| match value {
                Value::Invalid(invalid) => {
                    self.unresolved(invalid, self.tree.stmt_spans[fixup.stmt]);
                    Ok(())
                }
                value => self.apply(fixup, &value),
            });
            let Err(report) = done else { continue };
            let report = self.placed(report, fixup.stmt);
            if !super::goes_on(self.options) {
                return Err(report);
            }
            self.report(*report);
        }
        self.frames.go_to(FrameId::NONE);
        Ok(())
    }

    fn apply(&mut self, fixup: &Fixup, value: &Value) -> Eval<()> {
        let span = self.tree.stmt_spans[fixup.stmt];
        let (segment, block, offset) =
            (usize::from(fixup.segment), usize::from(fixup.block), fixup.offset as usize);
        let (operand, is_forced) = match fixup.kind {
            FixupKind::Data(width) => {
                let number = value.number().map_err(|error| self.conversion(span, error))?;
                let bits = to_i64(number);
                if self.warns && !fits_data(bits, width) {
                    self.warn_cut(fixup.stmt, fixup.expr, bits, Cut::Data(width));
                }
                let bytes = bits.to_le_bytes();
                self.made.memory.patch(segment, block, offset, &bytes[..width as usize]);
                return Ok(());
            }
            FixupKind::Operand(operand, is_forced) => (operand, is_forced),
        };
        let Some(number) = value.as_number() else {
            return Err(self.operand_type_error(fixup.expr, value));
        };
        let bits = to_i32(number);
        match operand {
            Operand::Relative => {
                let distance =
                    self.distance(fixup.stmt, fixup.expr, i64::from(bits), i64::from(fixup.next), 2)?;
                self.made.memory.patch(segment, block, offset, &[distance]);
            }
            Operand::Byte => {
                if self.warns && !(0..=255).contains(&bits) {
                    let mode = match self.tree.stmts[fixup.stmt] {
                        Stmt::Instruction { form: Form::Immediate, .. } => Mode::Immediate,
                        _ => Mode::ZeroPage,
                    };
                    self.warn_byte(fixup.stmt, fixup.expr, i64::from(bits), mode);
                }
                self.made.memory.patch(segment, block, offset, &[bits as u8]);
            }
            _ => {
                self.made.memory.patch(segment, block, offset, &bits.to_le_bytes()[..2]);
                if is_forced && number < 256.0 {
                    self.warn_forced(fixup.stmt);
                }
            }
        }
        Ok(())
    }
}
