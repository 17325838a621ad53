//! The text of the screen as Unicode. Knows screen codes; reversed characters show as plain ones.

use alloc::string::String;
use alloc::vec::Vec;

use super::Board;

/// $40-$7F of the set with capitals and graphics.
const GRAPHICS: &str = "\
    ─♠│─▔▔▁▏▕╮╰╯└╲╱┌┐●▁♥▏╭╳○♣▕♦┼▒│π◥\
    \u{a0}▌▄▔▁▏▒▕▒◤▕├▗└┐▂┌┴┬┤▎▍▕▔▔▃┘▖▝┘▘▚";

/// The character that a screen code stands for. `small` chooses the set with small letters.
pub fn screen_char(code: u8, small: bool) -> char {
    let code = code & 0x7f;
    match code {
        0 => '@',
        1..=26 if small => char::from(b'a' + code - 1),
        1..=26 => char::from(b'A' + code - 1),
        27 => '[',
        28 => '£',
        29 => ']',
        30 => '↑',
        31 => '←',
        32..=63 => char::from(code),
        0x41..=0x5a if small => char::from(code),
        0x5e | 0x5f | 0x69 if small => '▒',
        0x7a if small => '✓',
        0x60 => ' ',
        _ => GRAPHICS.chars().nth(usize::from(code) - 0x40).unwrap_or(' '),
    }
}

/// The 25 rows of the screen that the VIC shows as text, 40 characters each.
pub(super) fn rows(board: &Board) -> Vec<String> {
    let small = board.peek_io(0xd018) & 0x02 != 0;
    let codes = board.screen_codes();
    codes.chunks_exact(40).map(|row| row.iter().map(|&code| screen_char(code, small)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_character() {
        assert_eq!(GRAPHICS.chars().count(), 64);
        assert_eq!(screen_char(0x01, false), 'A');
        assert_eq!(screen_char(0x81, true), 'a');
        assert_eq!(screen_char(0x41, true), 'A');
        assert_eq!(screen_char(0x53, false), '♥');
        assert_eq!(screen_char(0x7f, true), '▚');
    }
}
