//! Functions that Java defines bit by bit: `StrictMath` gives what the C library fdlibm 5.3 of Sun Microsystems gives, on
//! every machine. Those of the `libm` crate descend from it and are taken where they still agree; the others are
//! written down here after fdlibm's published method. Results of the system's library differ in the last bit.
//!
//! Not here: sine, cosine, tangent, exponential, logarithm and power, for which Java takes the processor maker's
//! functions; the system's come closest to those.

pub(super) use libm::{acos, asin, atan, expm1, log10};

/// The bits above the lower half of the fraction, in which fdlibm's decisions are written.
fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

/// The same without the sign.
fn size(x: f64) -> i32 {
    high(x) & 0x7fff_ffff
}

/// With other high bits, and the low ones zero.
fn from_high(high: i32) -> f64 {
    f64::from_bits(u64::from(high.cast_unsigned()) << 32)
}

/// With other high bits.
fn with_high(x: f64, high: i32) -> f64 {
    f64::from_bits(from_high(high).to_bits() | (x.to_bits() & 0xffff_ffff))
}

const INFINITE: i32 = 0x7ff0_0000;

pub(super) fn atan2(y: f64, x: f64) -> f64 {
    const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;
    let is_steep = size(x) < INFINITE && size(y) < INFINITE && x != 0.0 && (size(y) - size(x)) >> 20 > 60;
    if !is_steep || x > 0.0 {
        return libm::atan2(y, x);
    }
    let quarter = std::f64::consts::FRAC_PI_2 + 0.5 * PI_LOW;
    let angle = std::f64::consts::PI - (quarter - PI_LOW);
    if y < 0.0 { -angle } else { angle }
}

pub(super) fn cbrt(x: f64) -> f64 {
    if size(x) >= INFINITE || x == 0.0 {
        return x + x;
    }
    let value = x.abs();
    // A third of the exponent is a root of five bits.
    let mut root = if size(x) < 0x0010_0000 {
        let scaled = from_high(0x4350_0000) * value;
        with_high(scaled, high(scaled) / 3 + 696_219_795)
    } else {
        from_high(size(x) / 3 + 715_094_163)
    };
    // One step makes 23 of them.
    let error = root * root / value;
    let s = 19.0 / 35.0 + error * root;
    root *= 5.0 / 14.0 + 45.0 / 28.0 / (s + 99.0 / 70.0 + -864.0 / 1225.0 / s);
    // Few enough bits for an exact square, and not below the root.
    root = from_high(high(root) + 1);
    let quotient = value / (root * root);
    let correction = (quotient - root) / (root + root + quotient);
    (root + root * correction).copysign(x)
}

pub(super) fn hypot(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    let (mut a, mut b) = if size(y) > size(x) { (y.abs(), x.abs()) } else { (x.abs(), y.abs()) };
    if size(a) - size(b) > 0x03c0_0000 || a.is_nan() || b.is_nan() {
        return a + b;
    }
    // Squares must neither overflow nor vanish.
    let mut scale = 0;
    let mut shift = |a: &mut f64, b: &mut f64, exponent: i32| {
        let factor = power_of_two(exponent);
        (*a, *b) = (*a * factor, *b * factor);
        scale -= exponent;
    };
    if size(a) > 0x5f30_0000 {
        shift(&mut a, &mut b, -600);
    }
    if size(b) < 0x20b0_0000 {
        if b == 0.0 {
            return a * power_of_two(scale);
        }
        let exponent = if size(b) < 0x0010_0000 { 1022 } else { 600 };
        shift(&mut a, &mut b, exponent);
    }
    let difference = a - b;
    let square = if difference > b {
        let a1 = from_high(size(a));
        let a2 = a - a1;
        a1 * a1 - (b * -b - a2 * (a + a1))
    } else {
        let double = a + a;
        let b1 = from_high(size(b));
        let b2 = b - b1;
        let a1 = from_high(size(a) + 0x0010_0000);
        let a2 = double - a1;
        a1 * b1 - (difference * -difference - (a1 * b2 + a2 * b))
    };
    square.sqrt() * power_of_two(scale)
}

fn power_of_two(exponent: i32) -> f64 {
    from_high((exponent + 1023) << 20)
}

pub(super) fn log1p(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const SERIES: [f64; 7] = [
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ];
    if x <= -1.0 {
        return if x == -1.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    if size(x) >= INFINITE {
        return x + x;
    }
    if size(x) < 0x3e20_0000 {
        return if size(x) < 0x3c90_0000 { x } else { x - x * x * 0.5 };
    }
    let is_small = high(x) < 0x3fda_827a && (high(x) > 0 || high(x) <= 0xbfd2_bec3_u32.cast_signed());
    // 1 + x = 2^k · (1 + f), with the error of the sum.
    let (mut k, mut f, mut rest, mut correction) = (0, x, 1, 0.0);
    if !is_small {
        let sum = if high(x) < 0x4340_0000 { 1.0 + x } else { x };
        k = (high(sum) >> 20) - 1023;
        if high(x) < 0x4340_0000 {
            correction = if k > 0 { 1.0 - (sum - x) } else { x - (sum - 1.0) };
            correction /= sum;
        }
        rest = high(sum) & 0x000f_ffff;
        if rest < 0x6a09e {
            f = with_high(sum, rest | 0x3ff0_0000) - 1.0;
        } else {
            k += 1;
            f = with_high(sum, rest | 0x3fe0_0000) - 1.0;
            rest = (0x0010_0000 - rest) >> 2;
        }
    }
    let half = 0.5 * f * f;
    let exponent = f64::from(k);
    if rest == 0 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { exponent * LN2_HIGH + (correction + exponent * LN2_LOW) };
        }
        let part = half * (1.0 - 2.0 / 3.0 * f);
        return match k {
            0 => f - part,
            _ => exponent * LN2_HIGH - ((part - (exponent * LN2_LOW + correction)) - f),
        };
    }
    let s = f / (2.0 + f);
    let square = s * s;
    let part = square * SERIES.iter().rev().copied().reduce(|sum, term| term + square * sum).unwrap_or(0.0);
    match k {
        0 => f - (half - s * (half + part)),
        _ => exponent * LN2_HIGH - ((half - (s * (half + part) + (exponent * LN2_LOW + correction))) - f),
    }
}

/// From where on the exponential of 64 bits no longer differs from twice the hyperbolic functions.
const LARGE: i32 = 0x4036_0000;
/// The logarithm of the largest number.
const LOG_MAX: i32 = 0x4086_2e42;

pub(super) fn sinh(x: f64) -> f64 {
    let half = 0.5f64.copysign(x);
    match size(x) {
        INFINITE.. => x + x,
        ..0x3e30_0000 => x,
        near if near < LARGE => {
            let t = expm1(x.abs());
            if near < 0x3ff0_0000 { half * (2.0 * t - t * t / (t + 1.0)) } else { half * (t + t / (t + 1.0)) }
        }
        _ => scaled_exp(x.abs(), half),
    }
}

pub(super) fn cosh(x: f64) -> f64 {
    match size(x) {
        INFINITE.. => x * x,
        near if near < 0x3fd6_2e43 => {
            let t = expm1(x.abs());
            let sum = 1.0 + t;
            if near < 0x3c80_0000 { sum } else { 1.0 + t * t / (sum + sum) }
        }
        near if near < LARGE => {
            let t = libm::exp(x.abs());
            0.5 * t + 0.5 / t
        }
        _ => scaled_exp(x.abs(), 0.5),
    }
}

/// `half · eˣ`, also where eˣ alone would overflow.
fn scaled_exp(x: f64, half: f64) -> f64 {
    if size(x) < LOG_MAX {
        return half * libm::exp(x);
    }
    let root = libm::exp(0.5 * x);
    half * root * root
}

pub(super) fn tanh(x: f64) -> f64 {
    let t = x.abs();
    let value = match size(x) {
        _ if x.is_nan() => return x,
        ..0x3c80_0000 => return x * (1.0 + x),
        0x3c80_0000..0x3ff0_0000 => {
            let t = expm1(-2.0 * t);
            -t / (t + 2.0)
        }
        0x3ff0_0000..LARGE => 1.0 - 2.0 / (expm1(2.0 * t) + 2.0),
        LARGE.. => 1.0,
    };
    value.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    type One = fn(f64) -> f64;
    type Two = fn(f64, f64) -> f64;

    /// Values of Java 17, most of them one bit away from what C libraries give.
    #[test]
    fn results_are_those_of_java() {
        let one: [(One, f64, f64); 26] = [
            (acos, -0.22, 1.7926107972916911),
            (acos, -0.84, 2.568079549166696),
            (asin, 0.96, 1.2870022175865685),
            (asin, -0.32, -0.32572948729463014),
            (atan, 0.23, 0.2260683879938839),
            (atan, -8.16, -1.448855328766034),
            (cbrt, 2.0, 1.2599210498948732),
            (cbrt, 27.0, 3.0),
            (cbrt, -50.0, -3.6840314986403864),
            (cbrt, 5e-324, 1.7031839360032603e-108),
            (cosh, 0.0, 1.0),
            (cosh, 1.0, 1.543080634815244),
            (cosh, -49.0, 9.536732862475498e20),
            (cosh, 710.0, 1.1169973830808557e308),
            (expm1, -0.31, -0.26655304377571076),
            (expm1, 3.69, 39.04484695728672),
            (log10, 11.0, 1.0413926851582251),
            (log10, 1000.0, 3.0),
            (log1p, 4.3954680902241194e-1, 3.643283480977913e-1),
            (log1p, 5.692154895168724e-1, 4.5057580626864707e-1),
            (log1p, -1.0, f64::NEG_INFINITY),
            (sinh, -89.0, -2.2448064095871724e38),
            (sinh, 710.0, 1.1169973830808557e308),
            (sinh, f64::INFINITY, f64::INFINITY),
            (tanh, 0.975, 7.50893283625167e-1),
            (tanh, -30.0, -1.0),
        ];
        for (function, x, result) in one {
            assert_eq!(function(x), result, "{x}");
        }
        let two: [(Two, f64, f64, f64); 8] = [
            (atan2, 1.0, 1.0, std::f64::consts::FRAC_PI_4),
            (atan2, 1e300, -1.0, 1.5707963267948968),
            (atan2, 0.0, -1.0, std::f64::consts::PI),
            (hypot, 3.0, -4.0, 5.0),
            (hypot, -9.76, 13.03125, 16.281003548998445),
            (hypot, 1.604480683936984e-4, 1.4526381211914008e-4, 2.1643742227871258e-4),
            (hypot, 1e300, 1e300, 1.4142135623730952e300),
            (hypot, f64::NAN, f64::INFINITY, f64::INFINITY),
        ];
        for (function, x, y, result) in two {
            assert_eq!(function(x, y), result, "{x}, {y}");
        }
    }
}
