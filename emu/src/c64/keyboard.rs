//! The keyboard and the joysticks: the keys of the matrix, what is held, and what that does to the port lines of CIA 1.

use crate::keyboard::{Joystick, Keyboard};
use crate::state::{State, StateError, state};

/// The names of the keys: by column (PA) and row (PB), then the one beside the matrix.
#[rustfmt::skip]
const KEYS: [&str; 65] = [
    "DEL", "RETURN", "RIGHT", "F7", "F1", "F3", "F5", "DOWN",
    "3", "W", "A", "4", "Z", "S", "E", "LSHIFT",
    "5", "R", "D", "6", "C", "F", "T", "X",
    "7", "Y", "G", "8", "B", "H", "U", "V",
    "9", "I", "J", "0", "M", "K", "O", "N",
    "+", "P", "L", "-", ".", ":", "@", ",",
    "POUND", "*", ";", "HOME", "RSHIFT", "=", "UP", "/",
    "1", "LEFT", "CTRL", "2", "SPACE", "C=", "Q", "STOP",
    RESTORE,
];

/// The key that pulls NMI.
pub(super) const RESTORE: &str = "RESTORE";

/// The keyboard.
pub static KEYBOARD: Keyboard = Keyboard {
    machine: "C64",
    keys: &KEYS,
    other_names: &[
        ("INST", "DEL"),
        ("CRSRRIGHT", "RIGHT"),
        ("CRSRDOWN", "DOWN"),
        ("RUNSTOP", "STOP"),
        ("RUN/STOP", "STOP"),
        ("COMMODORE", "C="),
        ("ARROWLEFT", "LEFT"),
        ("ARROWUP", "UP"),
        ("COMMA", ","),
    ],
    // `UP` and `LEFT` are cursor keys to people, and arrows of the character set on the keys of these names.
    chords: &[
        ("UP", "LSHIFT+DOWN"),
        ("LEFT", "LSHIFT+RIGHT"),
        ("F2", "LSHIFT+F1"),
        ("F4", "LSHIFT+F3"),
        ("F6", "LSHIFT+F5"),
        ("F8", "LSHIFT+F7"),
        ("CLR", "LSHIFT+HOME"),
        ("INST", "LSHIFT+DEL"),
        ("RUN", "LSHIFT+STOP"),
        ("SHIFT", "LSHIFT"),
        ("ENTER", "RETURN"),
        ("ESC", "STOP"),
        ("BACKSPACE", "DEL"),
        ("CONTROL", "CTRL"),
        ("PLUS", "+"),
    ],
    typed: &[
        ('\n', "RETURN"),
        ('\r', "RETURN"),
        (' ', "SPACE"),
        ('£', "POUND"),
        ('^', "ARROWUP"),
        ('↑', "ARROWUP"),
        ('_', "ARROWLEFT"),
        ('←', "ARROWLEFT"),
        ('!', "LSHIFT+1"),
        ('"', "LSHIFT+2"),
        ('#', "LSHIFT+3"),
        ('$', "LSHIFT+4"),
        ('%', "LSHIFT+5"),
        ('&', "LSHIFT+6"),
        ('\'', "LSHIFT+7"),
        ('(', "LSHIFT+8"),
        (')', "LSHIFT+9"),
        ('<', "LSHIFT+,"),
        ('>', "LSHIFT+."),
        ('?', "LSHIFT+/"),
        ('[', "LSHIFT+:"),
        (']', "LSHIFT+;"),
    ],
};

/// A key of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    column: u8,
    row: u8,
}

impl Key {
    /// The key at a column (PA) and a row (PB) of the matrix, both below 8.
    pub fn at(column: u8, row: u8) -> Option<Key> {
        (column < 8 && row < 8).then_some(Key { column, row })
    }

    /// The key with this name, in capitals or not: `A`, `3`, `RETURN`, `LSHIFT`, `SPACE`, `F1`, `CTRL`, `C=`. `UP` and `LEFT` are the
    /// arrows of the character set, `RIGHT` and `DOWN` the cursor keys.
    pub fn from_name(name: &str) -> Option<Key> {
        let name = KEYBOARD.find(name)?;
        let at = KEYS.iter().position(|key| *key == name)? as u8;
        Key::at(at / 8, at % 8)
    }
}

/// The keys that are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Controls {
    /// By column, a bit per row.
    keys: [u8; 8],
    pub(super) joysticks: [Joystick; 2],
    /// Positions of the paddles, x and y; 255 is what an empty port reads.
    pub(super) paddles: [[u8; 2]; 2],
}

impl Default for Controls {
    fn default() -> Controls {
        Controls { keys: [0; 8], joysticks: [Joystick::default(); 2], paddles: [[0xff; 2]; 2] }
    }
}

/// The value that a 1351 mouse puts on the lines of the paddles at a position, counted to the right and upwards: the lower six bits of
/// the position, between 64 and 190. Its left button is FIRE, the right one UP of the joystick.
pub const fn mouse_at(position: i32) -> u8 {
    64 + 2 * (position & 0x3f) as u8
}

impl Controls {
    pub(super) fn hold(&mut self, key: Key) {
        self.keys[usize::from(key.column)] |= 1 << key.row;
    }

    pub(super) fn release(&mut self, key: Key) {
        self.keys[usize::from(key.column)] &= !(1 << key.row);
    }

    /// The lines of ports A and B that are low, from those that the CIA and the joysticks pull. A held key joins its two lines, so
    /// three keys at the corners of a rectangle show the fourth.
    pub(super) fn low_lines(&self, low_a: u8, low_b: u8) -> (u8, u8) {
        let (mut a, mut b) = (low_a | self.joysticks[1].bits(), low_b | self.joysticks[0].bits());
        loop {
            let before = (a, b);
            for (column, &rows) in self.keys.iter().enumerate() {
                if a & 1 << column != 0 {
                    b |= rows;
                }
                if b & rows != 0 {
                    a |= 1 << column;
                }
            }
            if (a, b) == before {
                return (a, b);
            }
        }
    }
}

impl State for Joystick {
    fn save(&self, to: &mut alloc::vec::Vec<u8>) {
        self.bits().save(to);
    }
    fn load(from: &mut &[u8]) -> Result<Joystick, StateError> {
        u8::load(from).map(Joystick::from_bits)
    }
}

state!(Controls { keys, joysticks, paddles });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_corners_show_the_fourth() {
        let mut controls = Controls::default();
        for name in ["a", "D", "w"] {
            controls.hold(Key::from_name(name).expect("a key"));
        }
        // Column 2 has D alone, but through A and W it also shows R.
        assert_eq!(controls.low_lines(0x04, 0).1, 0b0000_0110);
        controls.release(Key::from_name("A").expect("a key"));
        assert_eq!(controls.low_lines(0x04, 0).1, 0b0000_0100);
        assert_eq!((Key::from_name("NOKEY"), Key::from_name("RESTORE")), (None, None));
    }
}
