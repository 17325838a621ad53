//! Numbers as text in several radixes.

use super::LibraryError;
use crate::eval::Machine;
use crate::tree::ExprId;
use crate::values::{Value, to_i32, to_i64};

type Answer = Result<Value, LibraryError>;

fn padded(machine: &Machine<'_>, digits: String, arguments: &[Value], fill: char) -> Answer {
    let width = match arguments.get(1) {
        Some(width) => to_i32(width.number()?).max(0) as usize,
        None => 0,
    };
    let limit = machine.options.limits.value_size;
    if width as u64 > limit {
        return Err(LibraryError::TooLarge { what: "string", limit });
    }
    let missing = width.saturating_sub(digits.len());
    let mut text: String = std::iter::repeat_n(fill, missing).collect();
    text.push_str(&digits);
    Ok(Value::text(&text))
}

pub(super) fn int(machine: &mut Machine<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let number = to_i64(arguments[0].number()?);
    padded(machine, number.to_string(), arguments, ' ')
}

pub(super) fn hex(machine: &mut Machine<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let number = to_i64(arguments[0].number()?);
    padded(machine, format!("{number:x}"), arguments, '0')
}

pub(super) fn binary(machine: &mut Machine<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let number = to_i64(arguments[0].number()?);
    padded(machine, format!("{number:b}"), arguments, '0')
}

pub(super) fn octal(machine: &mut Machine<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    let number = to_i64(arguments[0].number()?);
    padded(machine, format!("{number:o}"), arguments, '0')
}
