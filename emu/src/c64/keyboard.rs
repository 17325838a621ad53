//! The keyboard matrix and the joysticks: what is held, and what that does to the port lines of CIA 1.

use super::state::{State, StateError, state};

/// The names of the keys by column (PA) and row (PB).
const KEYS: [[&str; 8]; 8] = [
    ["DEL", "RETURN", "RIGHT", "F7", "F1", "F3", "F5", "DOWN"],
    ["3", "W", "A", "4", "Z", "S", "E", "LSHIFT"],
    ["5", "R", "D", "6", "C", "F", "T", "X"],
    ["7", "Y", "G", "8", "B", "H", "U", "V"],
    ["9", "I", "J", "0", "M", "K", "O", "N"],
    ["+", "P", "L", "-", ".", ":", "@", ","],
    ["POUND", "*", ";", "HOME", "RSHIFT", "=", "UP", "/"],
    ["1", "LEFT", "CTRL", "2", "SPACE", "C=", "Q", "STOP"],
];

/// Names that people also use.
const OTHER_NAMES: [(&str, &str); 9] = [
    ("INST", "DEL"),
    ("CRSRRIGHT", "RIGHT"),
    ("CRSRDOWN", "DOWN"),
    ("RUNSTOP", "STOP"),
    ("RUN/STOP", "STOP"),
    ("COMMODORE", "C="),
    ("ARROWLEFT", "LEFT"),
    ("ARROWUP", "UP"),
    ("COMMA", ","),
];

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
        let name = OTHER_NAMES
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map_or(name, |(_, name)| name);
        KEYS.iter().enumerate().find_map(|(column, keys)| {
            let row = keys.iter().position(|key| key.eq_ignore_ascii_case(name))?;
            Some(Key { column: column as u8, row: row as u8 })
        })
    }
}

/// The switches of a joystick; several may be closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Joystick(u8);

impl Joystick {
    /// In the middle, nothing pressed.
    pub const NONE: Joystick = Joystick(0);
    /// Up.
    pub const UP: Joystick = Joystick(0x01);
    /// Down.
    pub const DOWN: Joystick = Joystick(0x02);
    /// Left.
    pub const LEFT: Joystick = Joystick(0x04);
    /// Right.
    pub const RIGHT: Joystick = Joystick(0x08);
    /// The button.
    pub const FIRE: Joystick = Joystick(0x10);

    /// The switches of these bits: up, down, left, right, fire; the others are ignored.
    pub const fn from_bits(bits: u8) -> Joystick {
        Joystick(bits & 0x1f)
    }

    /// The switch with this name: `UP`, `DOWN`, `LEFT`, `RIGHT` or `FIRE`, in capitals or not.
    pub fn from_name(name: &str) -> Option<Joystick> {
        let at = ["UP", "DOWN", "LEFT", "RIGHT", "FIRE"]
            .iter()
            .position(|known| known.eq_ignore_ascii_case(name))?;
        Some(Joystick(1 << at))
    }

    /// Both together.
    #[must_use]
    pub const fn or(self, other: Joystick) -> Joystick {
        Joystick(self.0 | other.0)
    }
}

/// What is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Controls {
    /// By column, a bit per row.
    keys: [u8; 8],
    pub(super) joysticks: [Joystick; 2],
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
        let (mut a, mut b) = (low_a | self.joysticks[1].0, low_b | self.joysticks[0].0);
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
        self.0.save(to);
    }
    fn load(from: &mut &[u8]) -> Result<Joystick, StateError> {
        u8::load(from).map(|switches| Joystick(switches & 0x1f))
    }
}

state!(Controls { keys, joysticks });

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
        assert_eq!(Key::from_name("NOKEY"), None);
    }
}
