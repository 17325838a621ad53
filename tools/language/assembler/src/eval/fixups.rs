//! Forward references that need no second pass: the bytes are filled in when the labels are known.
//!
//! Only expressions of labels and numbers qualify. They mean the same at the end of the pass, and most programs
//! have no others.

use tempo_isa::Mode;

use super::encodings::Operand;
use super::{Eval, Evaluator};
use crate::lint::{Cut, fits_data};
use crate::tree::*;
use crate::values::{FrameId, Value, to_i32, to_i64};

/// Bytes to be filled in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fixup {
    expr: ExprId,
    stmt: StmtId,
    frame: FrameId,
    segment: u16,
    block: u16,
    offset: u32,
    /// The address after a branch.
    next: u32,
    kind: FixupKind,
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
        if !is_plain || !self.frames.current_stays() || !self.is_pure(expr, 0) {
            return false;
        }
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
        self.fixups.push(Fixup {
            expr,
            stmt,
            frame: self.frames.current(),
            segment,
            block,
            offset: offset as u32,
            next,
            kind,
        });
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

    /// Fills in what the pass left open. What is still unknown makes another pass necessary.
    pub(super) fn apply_fixups(&mut self) -> Eval<()> {
        let fixups = std::mem::take(&mut self.fixups);
        for fixup in &fixups {
            self.frames.go_to(fixup.frame);
            let done = self.eval(fixup.expr).and_then(|value| match value {
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
        let Some(number) = value.as_number() else { return Err(self.operand_type_error(fixup.expr, value)) };
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
