//! Numbers as text the way Java prints them, which is what `.print` and string concatenation show.

mod digits;
mod wide;

use digits::Decimal;

/// The string form of a number value: an integer when it is one of 32 bits, else Java's `Double.toString`.
pub fn to_string(value: f64) -> String {
    with_text(value, str::to_owned)
}

/// Shows the string form of a number value; that of an integer takes no memory.
pub fn with_text<T>(value: f64, show: impl FnOnce(&str) -> T) -> T {
    // The cast saturates and turns NaN into 0, exactly as Java's does.
    let int = value as i32;
    if f64::from(int) != value {
        return show(&double_to_string(value));
    }
    // A sign and ten digits, written from the end.
    let mut text = [0; 11];
    let mut start = text.len();
    let mut rest = int.unsigned_abs();
    loop {
        start -= 1;
        text[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if int < 0 {
        start -= 1;
        text[start] = b'-';
    }
    show(str::from_utf8(&text[start..]).unwrap_or_default())
}

/// Java's `Double.toString` before Java 19: at least one decimal, and `d.dddE±n` outside of 10⁻³..10⁷.
pub fn double_to_string(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    let Decimal { digits, exponent } = digits::digits(value.abs());
    let text: String = digits.iter().map(|&digit| char::from(b'0' + digit)).collect();
    let (before, behind) = match exponent {
        -2..=0 => ("0".to_owned(), "0".repeat(exponent.unsigned_abs() as usize) + &text),
        1..=7 => {
            let padded = format!("{text:0<width$}", width = exponent.unsigned_abs() as usize);
            let (before, behind) = padded.split_at(exponent.unsigned_abs() as usize);
            (before.to_owned(), behind.to_owned())
        }
        _ => (text[..1].to_owned(), text[1..].to_owned()),
    };
    let behind = if behind.is_empty() { "0" } else { &behind };
    match exponent {
        -2..=7 => format!("{sign}{before}.{behind}"),
        _ => format!("{sign}{before}.{behind}E{}", exponent - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_32_bits_have_no_point() {
        for (value, text) in [
            (5.0, "5"),
            (-7.0, "-7"),
            (-0.0, "0"),
            (2147483647.0, "2147483647"),
            (2147483648.0, "2.147483648E9"),
            (4294967295.0, "4.294967295E9"),
            (10000000.0, "10000000"),
        ] {
            assert_eq!(to_string(value), text);
        }
    }

    #[test]
    fn doubles_as_java_prints_them() {
        for (value, text) in [
            (1.5, "1.5"),
            (1e-4, "1.0E-4"),
            (0.001, "0.001"),
            (1.23456785e7, "1.23456785E7"),
            (9999999.5, "9999999.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
            (f64::NAN, "NaN"),
            (1e300, "1.0E300"),
            (-2.5e-10, "-2.5E-10"),
        ] {
            assert_eq!(to_string(value), text);
        }
        // As Java 17 does, which does not always find the shortest digits.
        for (value, text) in [
            (2e23, "1.9999999999999998E23"),
            (9.5e21, "9.500000000000001E21"),
            (2f64.powi(57), "1.44115188075855872E17"),
            (2f64.powi(-24), "5.9604644775390625E-8"),
            (2f64.powi(-44), "5.6843418860808015E-14"),
            (4_216_388_196_931.281_2, "4.2163881969312812E12"),
            (1e23, "9.999999999999999E22"),
            (1.4e23, "1.4000000000000001E23"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (f64::from_bits(1), "4.9E-324"),
            (2f64.powi(62), "4.6116860184273879E18"),
            (1e7 + 0.5, "1.00000005E7"),
            (0.00999, "0.00999"),
        ] {
            assert_eq!(double_to_string(value), text);
        }
        assert_eq!(double_to_string(3.0), "3.0");
        assert_eq!(double_to_string(-0.0), "-0.0");
    }
}
