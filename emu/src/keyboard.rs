//! Keys and joysticks: the names of a keyboard's keys and how text is typed on them, and the switches of a joystick. Knows
//! nothing of how a machine reads them.

/// The keyboard of a machine.
#[derive(Debug)]
pub struct Keyboard {
    /// The machine, as messages name it.
    pub machine: &'static str,
    /// The names of the keys, in capitals.
    pub keys: &'static [&'static str],
    /// Other names of keys, each with the key.
    pub other_names: &'static [(&'static str, &'static str)],
    /// Names in scripts that are several keys, or another one than the key of that name; keys are joined by `+`.
    pub chords: &'static [(&'static str, &'static str)],
    /// Characters that are not the name of a key, with the keys that give them.
    pub typed: &'static [(char, &'static str)],
}

impl Keyboard {
    /// The key with this name or other name, in capitals or not.
    pub fn find(&self, name: &str) -> Option<&'static str> {
        let other = self.other_names.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        let name = other.map_or(name, |(_, key)| key);
        self.keys.iter().copied().find(|key| key.eq_ignore_ascii_case(name))
    }

    /// The keys that a name in scripts stands for, if it is not the one of that name.
    pub fn chord(&self, name: &str) -> Option<&'static str> {
        self.chords.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, keys)| *keys)
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

    /// The bits of the closed switches, in the order of [`Joystick::from_bits`].
    pub const fn bits(self) -> u8 {
        self.0
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
