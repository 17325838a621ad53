//! The text of the screen, and PETSCII as Unicode.

use tempo_emu::AnyComputer;
use tempo_emu::c64::screen_char;

/// The character that a printable PETSCII code stands for; `None` for control codes.
pub fn petscii_char(code: u8, small: bool) -> Option<char> {
    let is_printable = !matches!(code, 0x00..=0x1f | 0x80..=0x9f);
    is_printable.then(|| screen_char(tempo_formats::encoding::screen_code(code), small))
}

/// The rows of the screen as text, with a line end each, without the spaces at their ends and without empty rows at the
/// bottom.
pub fn screen_text(machine: &AnyComputer) -> String {
    let text: String = machine.text().iter().flat_map(|row| [row.trim_end(), "\n"]).collect();
    let end = text.trim_end_matches('\n').len();
    if end == 0 { String::new() } else { text[..end].to_string() + "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn printable_codes_have_a_character() {
        assert_eq!(petscii_char(0xc1, true), Some('A'));
        assert_eq!(petscii_char(0x93, false), None);
    }
}
