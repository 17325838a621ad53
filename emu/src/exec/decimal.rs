//! Decimal addition and subtraction as the chips do them, for valid and invalid BCD alike.
//! Pure functions of accumulator, operand and carry.

/// A result with its flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sum {
    pub value: u8,
    pub n: bool,
    pub v: bool,
    pub z: bool,
    pub c: bool,
}

/// The sum before the high digit is corrected; its sign and overflow are what the chip's flags show.
struct Partial {
    value: i32,
    signed: i32,
}

#[inline(always)]
fn add_low_digit(a: u8, m: u8, c: u8) -> Partial {
    let mut low = i32::from(a & 0x0f) + i32::from(m & 0x0f) + i32::from(c);
    if low >= 0x0a {
        low = ((low + 0x06) & 0x0f) + 0x10;
    }
    Partial {
        value: i32::from(a & 0xf0) + i32::from(m & 0xf0) + low,
        signed: i32::from((a & 0xf0).cast_signed()) + i32::from((m & 0xf0).cast_signed()) + low,
    }
}

/// NMOS `adc`: N and V are those of the half-corrected sum, Z that of the binary sum.
#[inline(always)]
pub(super) fn add_nmos(a: u8, m: u8, c: u8) -> Sum {
    let partial = add_low_digit(a, m, c);
    let value = if partial.value >= 0xa0 { partial.value + 0x60 } else { partial.value };
    Sum {
        value: value as u8,
        n: partial.signed & 0x80 != 0,
        v: !(-128..=127).contains(&partial.signed),
        z: a.wrapping_add(m).wrapping_add(c) == 0,
        c: value >= 0x100,
    }
}

/// NMOS `sbc`: the flags are those of the binary difference.
#[inline(always)]
pub(super) fn subtract_nmos(a: u8, m: u8, c: u8) -> Sum {
    let borrow = i32::from(1 - c);
    let mut low = i32::from(a & 0x0f) - i32::from(m & 0x0f) - borrow;
    if low < 0 {
        low = ((low - 0x06) & 0x0f) - 0x10;
    }
    let mut value = i32::from(a & 0xf0) - i32::from(m & 0xf0) + low;
    if value < 0 {
        value -= 0x60;
    }
    Sum { value: value as u8, ..binary_difference(a, m, c) }
}

/// 65C02 `adc`: N and Z are those of the result.
#[inline(always)]
pub(super) fn add_cmos(a: u8, m: u8, c: u8) -> Sum {
    let sum = add_nmos(a, m, c);
    Sum { n: sum.value & 0x80 != 0, z: sum.value == 0, ..sum }
}

/// 65C02 `sbc`: another correction for invalid digits; N and Z are those of the result.
#[inline(always)]
pub(super) fn subtract_cmos(a: u8, m: u8, c: u8) -> Sum {
    let borrow = i32::from(1 - c);
    let low = i32::from(a & 0x0f) - i32::from(m & 0x0f) - borrow;
    let mut value = i32::from(a) - i32::from(m) - borrow;
    if value < 0 {
        value -= 0x60;
    }
    if low < 0 {
        value -= 0x06;
    }
    let value = value as u8;
    Sum { value, n: value & 0x80 != 0, z: value == 0, ..binary_difference(a, m, c) }
}

#[inline(always)]
fn binary_difference(a: u8, m: u8, c: u8) -> Sum {
    let difference = u16::from(a) + u16::from(!m) + u16::from(c);
    let value = difference as u8;
    Sum {
        value,
        n: value & 0x80 != 0,
        v: (a ^ value) & (!m ^ value) & 0x80 != 0,
        z: value == 0,
        c: difference > 0xff,
    }
}
