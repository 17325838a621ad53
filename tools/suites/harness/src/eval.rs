//! Expressions to numbers. What a name, a register or a byte of memory is worth comes from a [`Scope`];
//! with the empty scope only constants have a value.

use crate::ast::{BackendStep, Beam, Binary, Expr, ExprKind, Flag, Half, Register, Set, Width};
use crate::source::Span;

/// Where values come from. The defaults know nothing, which is what constant folding wants.
pub trait Scope {
    fn peek(&self, address: u16) -> Option<u8> {
        let _ = address;
        None
    }
    fn register(&self, register: Register) -> Option<i64> {
        let _ = register;
        None
    }
    fn flag(&self, flag: Flag) -> Option<bool> {
        let _ = flag;
        None
    }
    fn cycles(&self) -> Option<i64> {
        None
    }
    fn beam(&self, part: Beam) -> Option<i64> {
        let _ = part;
        None
    }
    fn name(&self, name: &str) -> Option<i64> {
        let _ = name;
        None
    }
    fn call(&mut self, index: Option<i64>, member: &str, span: Span) -> Option<i64> {
        let _ = (index, member, span);
        None
    }
    fn spy(&mut self, at: i64, index: Option<i64>, member: &str, span: Span) -> Option<i64> {
        let _ = (at, index, member, span);
        None
    }
    /// A division by zero: a running test fails and goes on with 0, a constant has no value.
    fn division_by_zero(&mut self, span: Span) -> Option<i64> {
        let _ = span;
        None
    }
    /// A block check inside an expression came out false.
    fn false_block(&mut self, span: Span) {
        let _ = span;
    }
    /// What only another back end can answer.
    fn backend(&mut self, step: &BackendStep, span: Span) -> Option<i64> {
        let _ = (step, span);
        None
    }
    /// `.L` and `.H` mean something.
    fn upper_halves(&self) -> bool {
        true
    }
}

/// Knows nothing.
pub struct NoScope;

impl Scope for NoScope {}

/// The value of a constant expression.
pub fn fold(expr: &Expr) -> Option<i64> {
    eval(expr, &mut NoScope)
}

/// An address wraps at 64 KB.
pub fn wrap(address: i64) -> u16 {
    address as u16
}

/// The value, or `None` when the scope does not know a part of it.
pub fn eval(expr: &Expr, scope: &mut dyn Scope) -> Option<i64> {
    Some(match &expr.kind {
        ExprKind::Number(number) | ExprKind::Known(_, number) => *number,
        ExprKind::Bool(on) => i64::from(*on),
        ExprKind::Register(register) => scope.register(*register)?,
        ExprKind::Flag(flag) => i64::from(scope.flag(*flag)?),
        ExprKind::Cycles => scope.cycles()?,
        ExprKind::Beam(part) => scope.beam(*part)?,
        ExprKind::Name(name) => scope.name(name)?,
        ExprKind::Half(half, inner) => {
            let value = eval(inner, scope)?;
            match half {
                Half::UpperLow | Half::UpperHigh if !scope.upper_halves() => value,
                Half::Low | Half::UpperLow => value & 0xff,
                // The high half of a 16-bit address, also of one above 64 KB.
                Half::High | Half::UpperHigh => value >> 8,
            }
        }
        ExprKind::Read(width, inner) => {
            let address = eval(inner, scope)?;
            read(scope, address, *width)?
        }
        ExprKind::PlaceRead(inner) => {
            let address = eval(inner, scope)?;
            read(scope, address, Width::Byte)?
        }
        ExprKind::MemChk(arguments) => {
            let found = memchk(arguments, scope)?;
            if found.is_some() {
                scope.false_block(expr.span);
            }
            i64::from(found.is_none())
        }
        ExprKind::MemCmp(arguments) => {
            let found = memcmp(arguments, scope)?;
            if found.is_some() {
                scope.false_block(expr.span);
            }
            i64::from(found.is_none())
        }
        ExprKind::Paren(inner) => eval(inner, scope)?,
        ExprKind::Negate(inner) => eval(inner, scope)?.wrapping_neg(),
        ExprKind::Not(inner) => i64::from(eval(inner, scope)? == 0),
        ExprKind::Binary(operator, left, right) => {
            let left = eval(left, scope)?;
            let right = eval(right, scope)?;
            match apply(*operator, left, right) {
                Some(value) => value,
                None => scope.division_by_zero(expr.span)?,
            }
        }
        ExprKind::Compare(operator, left, right) => {
            let left = eval(left, scope)?;
            let right = eval(right, scope)?;
            i64::from(operator.holds(&left, &right))
        }
        ExprKind::In { value, set, negated } => {
            let value = eval(value, scope)?;
            i64::from(contains(set, value, scope)? != *negated)
        }
        // Both sides are looked at, so that a fault in either shows.
        ExprKind::And(left, right) => {
            let left = eval(left, scope)?;
            let right = eval(right, scope)?;
            i64::from(left != 0 && right != 0)
        }
        ExprKind::Or(left, right) => {
            let left = eval(left, scope)?;
            let right = eval(right, scope)?;
            i64::from(left != 0 || right != 0)
        }
        ExprKind::Calls { index, member } => {
            let index = match index {
                Some(index) => Some(eval(index, scope)?),
                None => None,
            };
            scope.call(index, member, expr.span)?
        }
        ExprKind::Spy { at, index, member } => {
            let at = eval(at, scope)?;
            let index = match index {
                Some(index) => Some(eval(index, scope)?),
                None => None,
            };
            scope.spy(at, index, member, expr.span)?
        }
        ExprKind::Backend(step) => scope.backend(step, expr.span)?,
        ExprKind::Symbol(_)
        | ExprKind::Text(_)
        | ExprKind::Captured(_)
        | ExprKind::Bytes(_)
        | ExprKind::EncodedText(..)
        | ExprKind::Screen(_)
        | ExprKind::Contains(..)
        | ExprKind::Fen(_) => return None,
    })
}

pub fn contains(set: &Set, value: i64, scope: &mut dyn Scope) -> Option<bool> {
    Some(match set {
        Set::Range(from, to) => {
            let from = eval(from, scope)?;
            let to = eval(to, scope)?;
            (from..=to).contains(&value)
        }
        Set::List(all) => {
            let mut found = false;
            for one in all {
                found |= eval(one, scope)? == value;
            }
            found
        }
    })
}

pub fn read(scope: &dyn Scope, address: i64, width: Width) -> Option<i64> {
    let mut value = 0;
    for offset in 0..width.bytes() {
        let byte = scope.peek(wrap(address.wrapping_add(offset as i64)))?;
        value |= i64::from(byte) << (8 * offset);
    }
    Some(value)
}

/// `None` is a division by zero.
pub fn apply(operator: Binary, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::And => left & right,
        Binary::ShiftLeft => u32::try_from(right).ok().and_then(|by| left.checked_shl(by)).unwrap_or(0),
        Binary::ShiftRight => left >> right.clamp(0, 63),
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide if right == 0 => return None,
        Binary::Modulo if right == 0 => return None,
        Binary::Divide => left.wrapping_div(right),
        Binary::Modulo => left.wrapping_rem(right),
    })
}

/// Where two ranges, or a range and a value, first differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    pub address: u16,
    pub found: i64,
    pub wanted: i64,
}

/// More than all memory is all memory, over and over.
fn limited(count: i64) -> i64 {
    count.clamp(0, 0x10000)
}

/// The first byte of the range that is not the value; the outer `None` is "not known".
pub fn memchk(arguments: &[Expr; 3], scope: &mut dyn Scope) -> Option<Option<Difference>> {
    let from = eval(&arguments[0], scope)?;
    let count = eval(&arguments[1], scope)?;
    let wanted = eval(&arguments[2], scope)?;
    for offset in 0..limited(count) {
        let address = wrap(from.wrapping_add(offset));
        let found = i64::from(scope.peek(address)?);
        if found != wanted {
            return Some(Some(Difference { address, found, wanted }));
        }
    }
    Some(None)
}

/// The first place where the ranges differ.
pub fn memcmp(arguments: &[Expr; 3], scope: &mut dyn Scope) -> Option<Option<Difference>> {
    let one = eval(&arguments[0], scope)?;
    let two = eval(&arguments[1], scope)?;
    let count = eval(&arguments[2], scope)?;
    for offset in 0..limited(count) {
        let address = wrap(one.wrapping_add(offset));
        let found = i64::from(scope.peek(address)?);
        let wanted = i64::from(scope.peek(wrap(two.wrapping_add(offset)))?);
        if found != wanted {
            return Some(Some(Difference { address, found, wanted }));
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{EntryKind, StepKind};
    use crate::files::MemoryFiles;
    use crate::parse::{Dialect, parse};
    use crate::source::Source;
    use pretty_assertions::assert_eq;

    fn value(text: &str, dialect: Dialect) -> Option<i64> {
        let text = format!("suites {{ suite(\"s\") {{ test(\"t\", \"d\") {{ a = {text} }} }} }}");
        let parsed = parse(&mut Source::new("t", text), dialect, &MemoryFiles::default());
        assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
        let EntryKind::Test(test) = &parsed.file.suites[0].entries[0].kind else { panic!("a test") };
        let StepKind::SetRegister { value, .. } = &test.body[0].kind else { panic!("an assignment") };
        fold(value)
    }

    #[test]
    fn operators_bind_as_documented() {
        let full = |text| value(text, Dialect::Full);
        assert_eq!(full("10 - 2 + 3"), Some(11));
        assert_eq!(full("8 / 2 * 4"), Some(16));
        assert_eq!(full("1 | 6 ^ 2 & 3"), Some(1 | (6 ^ 2)));
        assert_eq!(full("1 + 2 << 3"), Some(24));
        assert_eq!(full("-5 + 7 % 4"), Some(-2));
        assert_eq!(full("$1234.l + >$1234"), Some(0x34 + 0x12));
        assert_eq!(full("<$1234 * 2"), Some(0x68));
        assert_eq!(full("$ffffffff"), Some(-1));
        assert_eq!(full("042"), Some(42));
        assert_eq!(full("5 / 0"), None);
        assert_eq!(full("7 / 2"), Some(3));
        assert_eq!(full("peekbyte(1)"), None);
    }

    #[test]
    fn sim6502_gives_each_operator_a_level() {
        let base = |text| value(text, Dialect::Base);
        assert_eq!(base("10 - 2 + 3"), Some(5));
        assert_eq!(base("8 / 2 * 4"), Some(1));
        assert_eq!(base("2 * 3 + 4"), Some(10));
    }
}
