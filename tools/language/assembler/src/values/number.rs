//! Numbers as Java casts them.

/// A cast to 32 bits: toward zero, saturating, NaN is 0.
pub(crate) fn to_i32(number: f64) -> i32 {
    number as i32
}

/// A cast to 64 bits: toward zero, saturating, NaN is 0.
pub(crate) fn to_i64(number: f64) -> i64 {
    number as i64
}
