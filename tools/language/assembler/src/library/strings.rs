//! Numbers as text in several radixes.

use super::LibraryError;
use crate::eval::Evaluator;
use crate::tree::ExprId;
use crate::values::{Value, to_i32, to_i64};

type Answer = Result<Value, LibraryError>;

fn padded(evaluator: &Evaluator<'_>, digits: String, arguments: &[Value], fill: char) -> Answer {
    let width = match arguments.get(1) {
        Some(width) => to_i32(width.number()?).max(0) as usize,
        None => 0,
    };
    let limit = evaluator.options.limits.value_size;
    if width as u64 > limit {
        return Err(LibraryError::TooLarge { what: "string", limit });
    }
    let missing = width.saturating_sub(digits.len());
    let mut text: String = std::iter::repeat_n(fill, missing).collect();
    text.push_str(&digits);
    Ok(Value::text(&text))
}

pub(crate) fn int(evaluator: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let number = to_i64(arguments[0].number()?);
    padded(evaluator, number.to_string(), arguments, ' ')
}

pub(crate) fn hex(evaluator: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let number = to_i64(arguments[0].number()?);
    padded(evaluator, format!("{number:x}"), arguments, '0')
}

pub(crate) fn binary(evaluator: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let number = to_i64(arguments[0].number()?);
    padded(evaluator, format!("{number:b}"), arguments, '0')
}

pub(crate) fn octal(evaluator: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let number = to_i64(arguments[0].number()?);
    padded(evaluator, format!("{number:o}"), arguments, '0')
}
