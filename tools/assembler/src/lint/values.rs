//! Values that do not fit where they are put, as `eval` finds them.

use crate::codes::Code;
use crate::report::Report;
use crate::source::Sources;
use crate::tree::{Expr, ExprId, StmtId, Tree, Unary};

/// Whether a number fits into so many bytes, with or without sign.
#[inline]
pub(crate) fn fits_data(bits: i64, width: u8) -> bool {
    let bits_wide = 8 * u32::from(width);
    bits >= -(1 << (bits_wide - 1)) && bits < 1 << bits_wide
}

/// What cuts a value off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Cut {
    Immediate,
    /// An address in the zero page.
    Address,
    /// An element of a data directive, of so many bytes.
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
    // `~mask` has all upper bits set; nobody wants them.
    let is_complement =
        matches!(tree.exprs.get(expr as usize), Some(Expr::Unary { op: Unary::Complement, .. }));
    if is_complement && bits >= -(1 << (8 * u32::from(width))) {
        return None;
    }
    let kept = bits & ((1 << (8 * u32::from(width))) - 1);
    let span = tree.expr_spans.get(expr as usize).copied().unwrap_or(tree.stmt_spans[at as usize]);
    let written = sources.text_of(tree.stmt_spans[at as usize]);
    let value = if bits < 0 { bits.to_string() } else { format!("{bits} (${bits:x})") };
    let stays = format!("${kept:0width$x} is left of it", width = 2 * usize::from(width));
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
