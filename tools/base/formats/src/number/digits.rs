//! The decimal digits that Java 17 prints for a double. They read back as the same value, but there may be one more than
//! needed, or the last one may not be the nearest: 2·10²³ is `1.9999999999999998E23`. Java 19 gives the shortest ones.
//!
//! The value is the quotient of two integers, each a product of powers of 2 and 5. Digits are divided off it until the
//! rest is within half a unit of the double's last bit. How wide the integers are decides details of the comparison,
//! so it is part of the result.

use std::cmp::Ordering;

use super::wide::Wide;

/// `0.d₁d₂d₃… · 10^exponent`
pub(super) struct Decimal {
    pub digits: Vec<u8>,
    pub exponent: i32,
}

/// The bits of a double's fraction, the one in front of the point included.
const FRACTION: i32 = 53;

/// The remainder after the first digits are divided off.
struct Rest {
    digits: Vec<u8>,
    /// The digits so far are within half a unit of the last bit, and so are those one higher.
    is_low: bool,
    is_high: bool,
    /// The rest against half of the last digit.
    half: Ordering,
    exponent: i32,
}

/// The parts of the quotient: the value is `fraction · 5^five · 2^two / (5^divisor_five · 2^divisor_two)`, half a unit of
/// the last bit is `5^five · 2^unit_two` of the same divisor.
struct Quotient {
    fraction: u64,
    five: i32,
    two: i32,
    divisor_five: i32,
    divisor_two: i32,
    unit_two: i32,
    /// The estimated exponent of ten; one too high at times.
    exponent: i32,
}

/// The digits of a number above zero.
pub(super) fn digits(number: f64) -> Decimal {
    let bits = number.to_bits();
    let stored = (bits >> 52) as i32;
    let mut fraction = bits & ((1 << 52) - 1);
    // How many bits of the fraction count, and the exponent of the first.
    let (significant, binary) = if stored > 0 {
        fraction |= 1 << 52;
        (FRACTION, stored - 1023)
    } else {
        let shift = fraction.leading_zeros() as i32 - (64 - FRACTION);
        fraction <<= shift;
        (FRACTION - shift, -1022 - shift)
    };
    let used = FRACTION - fraction.trailing_zeros() as i32;
    let behind_point = (used - binary - 1).max(0);
    if behind_point == 0 && (-21..=62).contains(&binary) {
        let integer = if binary >= 52 { fraction << (binary - 52) } else { fraction >> (52 - binary) };
        return integer_digits(integer, if binary > significant { binary - significant - 1 } else { 0 });
    }
    let quotient = Quotient::new(fraction, used, binary, significant, behind_point);
    let mut rest = quotient.divide(used);
    let round_up = match (rest.is_high, rest.is_low) {
        (true, true) => match rest.half {
            Ordering::Equal => rest.digits.last().is_some_and(|digit| digit & 1 == 1),
            half => half == Ordering::Greater,
        },
        (is_high, _) => is_high,
    };
    if round_up {
        rest.round_up();
    }
    Decimal { digits: rest.digits, exponent: rest.exponent + 1 }
}

/// The digits of a whole number whose last `unknown` bits are not known.
fn integer_digits(mut integer: u64, unknown: i32) -> Decimal {
    // As many digits as the bits are surely worth.
    let left_out = if unknown > 1 { (f64::from(unknown) * std::f64::consts::LOG10_2) as u32 } else { 0 };
    let unit = 10u64.pow(left_out);
    integer = integer / unit + u64::from(left_out > 0 && integer % unit >= unit / 2);
    let text = integer.to_string();
    let digits = text.trim_end_matches('0').bytes().map(|digit| digit - b'0').collect();
    Decimal { digits, exponent: text.len() as i32 + left_out as i32 }
}

impl Quotient {
    fn new(fraction: u64, used: i32, binary: i32, significant: i32, behind_point: i32) -> Quotient {
        let exponent = estimate(fraction, binary);
        let five = (-exponent).max(0);
        let divisor_five = exponent.max(0);
        let mut two = five + behind_point + binary;
        let mut divisor_two = divisor_five + behind_point;
        let mut unit_two = two - significant;
        two -= used - 1;
        let common = two.min(divisor_two);
        two -= common;
        divisor_two -= common;
        unit_two -= common;
        if used == 1 {
            // Below a power of two the doubles are twice as close.
            unit_two -= 1;
        }
        if unit_two < 0 {
            two -= unit_two;
            divisor_two -= unit_two;
            unit_two = 0;
        }
        let fraction = fraction >> fraction.trailing_zeros();
        Quotient { fraction, five, two, divisor_five, divisor_two, unit_two, exponent }
    }

    /// Divides the digits off, in integers as narrow as they may be.
    fn divide(&self, used: i32) -> Rest {
        let value_bits = used + self.two + bits_of_five(self.five);
        let divisor_bits = self.divisor_two + 1 + bits_of_five(self.divisor_five + 1);
        match value_bits.max(divisor_bits) {
            ..32 => self.divide_narrow(|wide| i64::from(wide as i32)),
            32..64 => self.divide_narrow(|wide| wide as i64),
            64.. => self.divide_wide(),
        }
    }

    /// In integers of 32 or 64 bits; `wrap` cuts a result to them.
    fn divide_narrow(&self, wrap: fn(i128) -> i64) -> Rest {
        let power = |five: i32, two: i32| 5i64.pow(five.unsigned_abs()) << two;
        let mut value = (self.fraction as i64 * 5i64.pow(self.five.unsigned_abs())) << self.two;
        let divisor = power(self.divisor_five, self.divisor_two);
        let mut unit = power(self.five, self.unit_two);
        let ten = divisor * 10;
        let mut next = |unit: &mut i64| {
            let digit = (value / divisor) as u8;
            value = 10 * (value % divisor);
            *unit = wrap(i128::from(*unit) * 10);
            let is_high = wrap(i128::from(value) + i128::from(*unit)) > ten;
            (digit, value < *unit, is_high, (2 * i128::from(value)).cmp(&i128::from(ten)))
        };
        let mut rest = Rest::begin(self.exponent, next(&mut unit));
        while !rest.is_done() {
            let (digit, is_low, is_high, half) = next(&mut unit);
            // A unit that no longer fits is larger than any rest.
            rest.push(digit, is_low || unit <= 0, is_high || unit <= 0, half);
        }
        rest
    }

    fn divide_wide(&self) -> Rest {
        let mut value = Wide::power(self.five, self.two).times(self.fraction);
        let divisor = Wide::power(self.divisor_five, self.divisor_two);
        let mut unit = Wide::power(self.five, self.unit_two);
        let ten = divisor.times(10);
        let mut next = || {
            let digit = value.divide_off(&divisor);
            value = value.times(10);
            unit = unit.times(10);
            let is_high = value.plus(&unit) >= ten;
            (digit, value < unit, is_high, value.times(2).cmp(&ten))
        };
        let mut rest = Rest::begin(self.exponent, next());
        while !rest.is_done() {
            let (digit, is_low, is_high, half) = next();
            rest.push(digit, is_low, is_high, half);
        }
        rest
    }
}

impl Rest {
    /// After the first digit, which is not there if the estimate was too high.
    fn begin(exponent: i32, (digit, is_low, is_high, half): (u8, bool, bool, Ordering)) -> Rest {
        let mut rest = Rest { digits: Vec::with_capacity(18), is_low, is_high, half, exponent };
        if digit == 0 && !is_high {
            rest.exponent -= 1;
        } else {
            rest.digits.push(digit);
        }
        // With an exponent there are two digits at least.
        if rest.exponent < -3 || rest.exponent >= 8 {
            (rest.is_low, rest.is_high) = (false, false);
        }
        rest
    }

    fn push(&mut self, digit: u8, is_low: bool, is_high: bool, half: Ordering) {
        self.digits.push(digit);
        (self.is_low, self.is_high, self.half) = (is_low, is_high, half);
    }

    fn is_done(&self) -> bool {
        self.is_low || self.is_high
    }

    fn round_up(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits[0] = 1;
        self.exponent += 1;
    }
}

/// The exponent of ten, or one more.
fn estimate(fraction: u64, binary: i32) -> i32 {
    let mantissa = f64::from_bits((1023 << 52) | (fraction & ((1 << 52) - 1)));
    // Java has the logarithm of 2 to fifteen places.
    let logarithm_of_two = 301_029_995_663_981.0 / 1e15;
    let logarithm = (mantissa - 1.5) * 0.289529654 + 0.176091259 + f64::from(binary) * logarithm_of_two;
    logarithm.floor() as i32
}

/// How many bits that power of five has; three for each where it is large.
fn bits_of_five(power: i32) -> i32 {
    match power {
        0 => 0,
        1..27 => 64 - 5u64.pow(power.unsigned_abs()).leading_zeros() as i32,
        _ => power * 3,
    }
}
