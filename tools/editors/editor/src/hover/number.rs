//! Hover on a number: the same in other notations, and what is at the address.

use tempo_diagnostics::hex;
use tempo_emu::System;

/// The value of a number as it is written.
pub(crate) fn value(word: &str) -> Option<i64> {
    let digits = |digits: &str, radix| i64::from_str_radix(digits, radix).ok();
    match word.as_bytes().first()? {
        b'$' => digits(&word[1..], 16),
        b'%' => digits(&word[1..], 2),
        _ => digits(word, 10),
    }
}

pub(super) fn text(word: &str, system: System) -> Option<String> {
    let value = value(word)?;
    let mut parts = vec![format!("`{}`", hex(value)), format!("`{value}`")];
    if let Ok(bits) = u32::try_from(value) {
        parts.push(format!("`%{}`", binary(bits)));
    }
    let mut text = parts.join(" · ");
    if (0x100..=0xffff).contains(&value) {
        text.push_str(&format!("\n\nlow `{}`, high `{}`", hex(value & 0xff), hex(value >> 8)));
    }
    if let Some(letter) = u8::try_from(value).ok().filter(|byte| (0x20..0x7f).contains(byte)) {
        text.push_str(&format!("\n\ncharacter `{}`", char::from(letter)));
    }
    if let Some(about) = address(value, system) {
        text.push_str(&format!("\n\n{about}"));
    }
    Some(text)
}

/// The hardware of a machine at an address.
pub(super) fn address(value: i64, system: System) -> Option<String> {
    let address = u16::try_from(value).ok()?;
    let known = system.hardware().at(address)?;
    let offset = address - known.addr;
    let mut text = format!("**{}**: {}", known.name, known.text);
    if !known.detail.is_empty() {
        text.push_str(&format!("; {}", known.detail));
    }
    if offset >= known.len {
        text.push_str(&format!(" (a mirror of ${:04X})", known.addr));
    } else if offset > 0 {
        text.push_str(&format!(" (+{offset})"));
    }
    Some(text)
}

/// Binary digits in groups that are whole bytes.
fn binary(value: u32) -> String {
    let width = match value {
        0..=0xff => 8,
        0x100..=0xffff => 16,
        _ => 32,
    };
    format!("{value:0width$b}")
}
