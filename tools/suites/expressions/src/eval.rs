//! Expressions to numbers. What a variable, a register or a byte of memory is worth comes from a [`Scope`];
//! with the empty scope only constants have a value.

use tempo_diagnostics::Span;

use crate::ast::{Beam, Binary, Flag, Register, Width};
use crate::resolve::{Expr, Kind, Set, Variable};

/// Where values come from. The defaults know nothing, which is what constant folding wants.
pub trait Scope<F> {
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
    fn beam(&mut self, part: Beam) -> Option<i64> {
        let _ = part;
        None
    }
    fn variable(&self, variable: Variable) -> Option<i64> {
        let _ = variable;
        None
    }
    /// The value of a form; `None` for those without a number.
    fn form(&mut self, form: &F, span: Span) -> Option<i64> {
        let _ = (form, span);
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
}

/// Knows nothing.
pub struct NoScope;

impl<F> Scope<F> for NoScope {}

/// The value of a constant expression.
pub fn fold<F>(expr: &Expr<F>) -> Option<i64> {
    eval(expr, &mut NoScope)
}

/// An address wraps at 64 KB.
pub fn wrap(address: i64) -> u16 {
    address as u16
}

/// The value, or `None` when the scope does not know a part of it.
pub fn eval<F, S: Scope<F>>(expr: &Expr<F>, scope: &mut S) -> Option<i64> {
    Some(match &expr.kind {
        Kind::Number(number) | Kind::Label(_, number) => *number,
        Kind::Register(register) => scope.register(*register)?,
        Kind::Flag(flag) => i64::from(scope.flag(*flag)?),
        Kind::Variable(variable) => scope.variable(*variable)?,
        Kind::Cycles => scope.cycles()?,
        Kind::Beam(part) => scope.beam(*part)?,
        Kind::Low(inner) => eval(inner, scope)? & 0xff,
        // The high half of a 16-bit address, also of one above 64 KB.
        Kind::High(inner) => eval(inner, scope)? >> 8,
        Kind::Read(width, inner) => {
            let address = eval(inner, scope)?;
            read(scope, address, *width)?
        }
        Kind::PlaceRead(inner) => {
            let address = eval(inner, scope)?;
            read(scope, address, Width::Byte)?
        }
        Kind::MemChk(arguments) => {
            let found = memchk(arguments, scope)?;
            if found.is_some() {
                scope.false_block(expr.span);
            }
            i64::from(found.is_none())
        }
        Kind::MemCmp(arguments) => {
            let found = memcmp(arguments, scope)?;
            if found.is_some() {
                scope.false_block(expr.span);
            }
            i64::from(found.is_none())
        }
        Kind::Paren(inner) => eval(inner, scope)?,
        Kind::Negate(inner) => eval(inner, scope)?.wrapping_neg(),
        Kind::Not(inner) => i64::from(eval(inner, scope)? == 0),
        Kind::Binary(operator, left, right) => {
            let left = eval(left, scope)?;
            let right = eval(right, scope)?;
            match apply(*operator, left, right) {
                Some(value) => value,
                None => scope.division_by_zero(expr.span)?,
            }
        }
        Kind::Compare(operator, left, right) => {
            let left = eval(left, scope)?;
            let right = eval(right, scope)?;
            i64::from(operator.holds(&left, &right))
        }
        Kind::In { value, set, negated } => {
            let value = eval(value, scope)?;
            i64::from(contains(set, value, scope)? != *negated)
        }
        // Both sides are looked at, so that a fault in either shows.
        Kind::And(left, right) => {
            let left = eval(left, scope)?;
            let right = eval(right, scope)?;
            i64::from(left != 0 && right != 0)
        }
        Kind::Or(left, right) => {
            let left = eval(left, scope)?;
            let right = eval(right, scope)?;
            i64::from(left != 0 || right != 0)
        }
        Kind::Form(form) => scope.form(form, expr.span)?,
    })
}

/// Whether a value is in the set.
pub fn contains<F, S: Scope<F>>(set: &Set<F>, value: i64, scope: &mut S) -> Option<bool> {
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

/// The bytes from an address on as one number, low byte first.
pub fn read<F, S: Scope<F>>(scope: &S, address: i64, width: Width) -> Option<i64> {
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
pub fn memchk<F, S: Scope<F>>(arguments: &[Expr<F>; 3], scope: &mut S) -> Option<Option<Difference>> {
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
pub fn memcmp<F, S: Scope<F>>(arguments: &[Expr<F>; 3], scope: &mut S) -> Option<Option<Difference>> {
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
    use crate::ast;
    use crate::lexer::lex;
    use crate::parse::{Dialect, Parser};
    use crate::resolve::{Resolver, resolve};
    use pretty_assertions::assert_eq;

    struct Nameless;

    impl Resolver for Nameless {
        type Form = ();

        fn symbol(&mut self, _: &str, _: Span) -> Option<Expr<()>> {
            None
        }

        fn name(&mut self, _: &str, _: Span) -> Option<Expr<()>> {
            None
        }

        fn form(&mut self, _: &ast::Expr) -> Option<Expr<()>> {
            None
        }
    }

    fn value(text: &str, dialect: Dialect) -> Option<i64> {
        let tokens = lex(text);
        let mut parser = Parser::new(text, 0, &tokens, dialect);
        let written = parser.parse_expr().expect("an expression");
        let resolved = resolve(&written, &mut Nameless).expect("it has no names");
        fold(&resolved)
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
