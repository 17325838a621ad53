//! Numbers as text the way Java prints them, which is what `.print` and string concatenation show.

/// The string form of a number value: an integer when it is one of 32 bits, else Java's `Double.toString`.
pub fn to_string(value: f64) -> String {
    // The cast saturates and turns NaN into 0, exactly as Java's does.
    let int = value as i32;
    if f64::from(int) == value { int.to_string() } else { double_to_string(value) }
}

/// Java's `Double.toString`: the shortest digits that read back as the same value, at least one decimal, and
/// `d.dddE±n` outside of 10⁻³..10⁷.
pub fn double_to_string(value: f64) -> String {
    if value.is_nan() {
        return "NaN".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let size = value.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        return format!("{value:?}");
    }
    // `{:e}` gives the same shortest digits, as `d.ddde-7` or `de-7`.
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').expect("{:e} writes an exponent");
    let point = if digits.contains('.') { "" } else { ".0" };
    format!("{digits}{point}E{exponent}")
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
        assert_eq!(double_to_string(3.0), "3.0");
        assert_eq!(double_to_string(-0.0), "-0.0");
    }
}
