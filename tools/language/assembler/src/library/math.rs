//! Mathematics in double precision, with Java's rounding.

use super::{LibraryError, strict};
use crate::eval::Evaluator;
use crate::tree::ExprId;
use crate::values::{Value, to_i64};

type Answer = Result<Value, LibraryError>;

macro_rules! functions {
    ($($name:ident $x:ident $($y:ident)? => $value:expr;)*) => {
        $(pub(crate) fn $name($x: f64 $(, $y: f64)?) -> f64 {
            $value
        })*
    };
}

functions! {
    abs x => x.abs();
    acos x => strict::acos(x);
    asin x => strict::asin(x);
    atan x => strict::atan(x);
    cbrt x => strict::cbrt(x);
    ceil x => x.ceil();
    cos x => x.cos();
    cosh x => strict::cosh(x);
    exp x => x.exp();
    expm1 x => strict::expm1(x);
    floor x => x.floor();
    log x => x.ln();
    log10 x => strict::log10(x);
    log1p x => strict::log1p(x);
    round x => round_half_up(x);
    signum x => if x == 0.0 { x } else { x.signum() };
    sin x => x.sin();
    sinh x => strict::sinh(x);
    sqrt x => x.sqrt();
    tan x => x.tan();
    tanh x => strict::tanh(x);
    to_degrees x => x * 57.295_779_513_082_32;
    to_radians x => x * 0.017_453_292_519_943_295;
    atan2 y x => strict::atan2(y, x);
    hypot x y => strict::hypot(x, y);
    max x y => if x.is_nan() || y.is_nan() { f64::NAN } else { x.max(y) };
    min x y => if x.is_nan() || y.is_nan() { f64::NAN } else { x.min(y) };
    pow x y => power(x, y);
    ieee_remainder x y => remainder(x, y);
}

/// floor(x + ½), exactly, as a 64-bit integer.
fn round_half_up(x: f64) -> f64 {
    let floor = x.floor();
    let rounded = if x - floor >= 0.5 { floor + 1.0 } else { floor };
    to_i64(rounded) as f64
}

/// Java's pow differs from C's in two cases.
fn power(x: f64, y: f64) -> f64 {
    if y.is_nan() || (x.abs() == 1.0 && y.is_infinite()) { f64::NAN } else { x.powf(y) }
}

/// x − y·n, n the even one of the two nearest integers to x/y when both are as near.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let y = y.abs();
    // fmod is exact; what is left to decide is on which side of half a period the rest lies.
    let double = x % (y + y);
    let rest = double.abs();
    let half = y * 0.5;
    let mut result = rest;
    if result > half {
        result -= y;
        if result >= half {
            result -= y;
        }
    }
    if x.is_sign_negative() { -result } else { result }
}

/// The rest of a division of integers; `None` if the divisor is zero.
pub(crate) fn modulo(dividend: f64, divisor: f64) -> Option<f64> {
    match to_i64(divisor) {
        0 => None,
        divisor => Some(to_i64(dividend).wrapping_rem(divisor) as f64),
    }
}

pub(crate) fn random(evaluator: &mut Evaluator<'_>, _: ExprId, _: &[Value]) -> Answer {
    Ok(Value::Number(evaluator.random.next_double()))
}

pub(crate) fn set_seed(evaluator: &mut Evaluator<'_>, _: ExprId, arguments: &[Value]) -> Answer {
    evaluator.random = super::Random::new(to_i64(arguments[0].number()?));
    Ok(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_up() {
        assert_eq!(round_half_up(2.5), 3.0);
        assert_eq!(round_half_up(-2.5), -2.0);
        assert_eq!(round_half_up(0.49999999999999994), 0.0);
    }

    #[test]
    fn remainders_are_nearest_to_zero() {
        assert_eq!(remainder(5.0, 3.0), -1.0);
        assert_eq!(remainder(4.0, 3.0), 1.0);
        assert_eq!(remainder(-5.0, 3.0), 1.0);
        assert_eq!(remainder(1.5, 3.0), 1.5);
        assert_eq!(remainder(4.5, 3.0), -1.5);
    }
}
