//! Values that do not fit where they are put, as `eval` finds them.

use crate::codes::Code;
use crate::report::Report;
use crate::source::Sources;
use crate::tree::{Binary, CallableKind, Expr, ExprId, Form, Stmt, StmtId, Tree, Unary};
use crate::values::to_i64;
use tempo_isa::Mnemonic;

/// Whether a number fits into this many bytes, with or without sign.
#[inline]
pub(crate) fn fits_data(bits: i64, width: u8) -> bool {
    let bits_wide = 8 * u32::from(width);
    bits >= -(1 << (bits_wide - 1)) && bits < 1 << bits_wide
}

/// The operation that cuts a value off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Cut {
    Immediate,
    /// An address in the zero page.
    Address,
    /// An element of a data directive, of this many bytes.
    Data(u8),
}

/// The warning about a value that loses bits; `None` if that is what the source says.
pub(crate) fn report(
    tree: &Tree,
    sources: &Sources,
    at: StmtId,
    expr: ExprId,
    bits: i64,
    cut: Cut,
) -> Option<Report> {
    let width = match cut {
        Cut::Data(width) => width,
        _ => 1,
    };
    // `~mask` has all upper bits set; they are not wanted.
    let is_complement = matches!(tree.exprs.get(expr), Some(Expr::Unary { op: Unary::Complement, .. }));
    if is_complement && bits >= -(1 << (8 * u32::from(width))) {
        return None;
    }
    if cut == Cut::Immediate && is_low_byte_of_argument(tree, expr) {
        return None;
    }
    let cpu = match tree.stmts[at] {
        Stmt::Instruction { cpu, mnemonic, form: Form::Immediate, .. } => {
            // 256 turns: a counter that starts with 0, and one that comes back to it.
            let is_counter =
                matches!(mnemonic, Mnemonic::Ldx | Mnemonic::Ldy | Mnemonic::Cpx | Mnemonic::Cpy);
            if bits == 256 && is_counter {
                return None;
            }
            Some(cpu)
        }
        Stmt::Instruction { cpu, .. } => Some(cpu),
        _ => None,
    };
    // Their base page is anywhere.
    if cut == Cut::Address && cpu.is_some_and(|cpu| cpu.has_wide_operands()) {
        return None;
    }
    if bits >= 0 && width == 1 && (is_block_number(tree, expr, 0) || is_own_index(tree, at, expr)) {
        return None;
    }
    let kept = bits & ((1 << (8 * u32::from(width))) - 1);
    let span = tree.expr_spans.get(expr).copied().unwrap_or(tree.stmt_spans[at]);
    let written = sources.text_of(tree.stmt_spans[at]);
    let value = match bits {
        // Conversion keeps infinite numbers at the ends of the range.
        i64::MAX | i64::MIN => "an infinite number, as a division by zero gives,".to_owned(),
        _ if bits < 0 => bits.to_string(),
        _ => format!("{bits} (${bits:X})"),
    };
    let stays = format!("${kept:0width$X} is left of it", width = 2 * usize::from(width));
    Some(match cut {
        Cut::Immediate => {
            let message = format!("{value} does not fit into the byte of an immediate operand");
            let report = Report::warning(Code::TruncatedImmediate, span, message).with_label(stays);
            match bits > 255 {
                true => report.with_help("#<value is its low byte, #>value its high byte"),
                false => report,
            }
        }
        Cut::Address => {
            let message =
                format!("{value} is not an address in the zero page, which this mode of '{written}' needs");
            Report::warning(Code::TruncatedAddress, span, message).with_label(stays)
        }
        Cut::Data(width) => {
            let what = match width {
                1 => "a byte",
                2 => "a word",
                _ => "a double word",
            };
            let message = format!("{value} does not fit into {what}");
            let report = Report::warning(Code::TruncatedData, span, message).with_label(stays);
            match (width, bits > 255 && bits < 65536) {
                (1, true) => {
                    report.with_help("<value is its low byte, >value its high byte; .word writes both")
                }
                _ => report,
            }
        }
    })
}

/// `address / 64`, and such a number with an offset: pointers of sprites and characters count from the start of the bank,
/// so their upper bits mean nothing.
fn is_block_number(tree: &Tree, expr: ExprId, depth: u32) -> bool {
    let Some(&Expr::Binary { op, left, right, .. }) = tree.exprs.get(expr) else { return false };
    let is = |wanted: i64| matches!(tree.exprs.get(right), Some(&Expr::Number(number)) if to_i64(number.get()) == wanted);
    match op {
        Binary::Divide => is(64),
        Binary::ShiftRight => is(6),
        Binary::Add | Binary::Subtract => {
            depth < 4 && (is_block_number(tree, left, depth + 1) || is_block_number(tree, right, depth + 1))
        }
        _ => false,
    }
}

/// `.fill 512, i`, which counts through all bytes more than once.
fn is_own_index(tree: &Tree, at: StmtId, expr: ExprId) -> bool {
    let Stmt::Fill(fill) = tree.stmts[at] else { return false };
    let index = tree.fills[fill as usize].index;
    let is_index = |expr: ExprId| matches!(tree.exprs.get(expr), Some(&(Expr::Local { symbol, .. } | Expr::Static { symbol, .. })) if symbol == index);
    match tree.exprs.get(expr) {
        Some(&Expr::Binary { op: Binary::Add | Binary::Subtract, left, right, .. }) => {
            let is_number = |expr: ExprId| matches!(tree.exprs.get(expr), Some(Expr::Number(_)));
            is_index(left) && is_number(right) || is_number(left) && is_index(right)
        }
        _ => is_index(expr),
    }
}

/// `lda src` beside `lda next(src)`: a pseudo command that takes the bytes of a wide argument one by one. It has the
/// argument handed to a function or asks for its value, and the operand alone stands for the low byte.
fn is_low_byte_of_argument(tree: &Tree, expr: ExprId) -> bool {
    let symbol_of = |expr: ExprId| match tree.exprs.get(expr) {
        Some(&Expr::Local { symbol, .. }) => Some(symbol),
        _ => None,
    };
    let Some(symbol) = symbol_of(expr) else { return false };
    let callable = tree.scopes[tree.symbols[symbol].scope].callable;
    let is_pseudo_command = tree
        .callables
        .get(callable as usize)
        .is_some_and(|callable| callable.kind == CallableKind::PseudoCommand);
    let takes_it = |expr: &Expr| {
        let (Expr::CallUser { arguments, len, .. } | Expr::Method { arguments, len, .. }) = *expr else {
            return false;
        };
        let first = arguments as usize;
        tree.lists[first..first + usize::from(len)]
            .iter()
            .any(|&argument| symbol_of(argument) == Some(symbol))
    };
    is_pseudo_command && tree.exprs.iter().any(takes_it)
}
