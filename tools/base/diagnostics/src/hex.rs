//! Numbers of the machine in text for people: `$D020`, `$0A`, `A9 00 60`. Files of other programs have their own style and
//! do not come here.

/// A number with the digits that its size asks for: two for a byte, four for an address, more where it needs them.
///
/// ```
/// assert_eq!([0x0a, 0xd020, 0x1_0000, -10].map(tempo_diagnostics::hex), ["$0A", "$D020", "$10000", "-$A"]);
/// ```
pub fn hex(value: i64) -> String {
    match value {
        0..=0xff => format!("${value:02X}"),
        0x100..=0xffff => hex_address(value),
        _ if value < 0 => format!("-${:X}", value.unsigned_abs()),
        _ => format!("${value:X}"),
    }
}

/// An address, with four digits in zero page, too.
///
/// ```
/// assert_eq!([0xfb, 0xd020].map(tempo_diagnostics::hex_address), ["$00FB", "$D020"]);
/// ```
pub fn hex_address(address: impl Into<i64>) -> String {
    format!("${:04X}", address.into())
}

/// Bytes as in a dump, with a blank between them.
///
/// ```
/// assert_eq!(tempo_diagnostics::hex_bytes(&[0xa9, 0, 0x60]), "A9 00 60");
/// ```
pub fn hex_bytes(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(" ")
}
