//! Key scripts: `--keys "LOAD{RETURN}{WAIT 50}{F1}"` as key presses by frame.
//! Knows the keyboard's keys and how text is typed on them; knows nothing of the machine that reads them.

use tempo_diagnostics::nearest;
use tempo_emu::c64::Key;
use thiserror::Error;

/// How long a key is held, in frames: long enough for a program that looks once a frame or on the jiffy interrupt.
const HELD: u64 = 3;

/// Frames between two keys.
const APART: u64 = 2;

/// Frames that a script may last: more than a day.
const LONGEST: u64 = 10_000_000;

/// Why a script cannot be typed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeysError {
    /// A `{` without its `}`.
    #[error("'{0}' has no closing brace")]
    Open(String),
    /// A name in braces that is no key.
    #[error("the C64 has no key named '{name}'{}", did_you_mean(.near))]
    Unknown {
        /// As it was written.
        name: String,
        /// The most similar name there is.
        near: Option<String>,
    },
    /// A character that no key gives.
    #[error("'{0}' cannot be typed on a C64")]
    Untypable(char),
    /// A number of frames that is none.
    #[error("'{0}' is not a number of frames between 1 and {LONGEST}")]
    Frames(String),
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref().map_or(String::new(), |name| format!("; did you mean {{{name}}}?"))
}

/// What is on the keyboard: keys of the matrix, and RESTORE beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Press {
    /// Keys pressed together.
    Keys(Vec<Key>),
    /// RESTORE.
    Restore,
}

/// A press with its time, in frames from the script's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stroke {
    /// The frame before which it goes down.
    pub down: u64,
    /// The frame before which it comes up.
    pub up: u64,
    /// What is pressed.
    pub press: Press,
}

/// A parsed script.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keys {
    /// In order of time; no two overlap.
    pub strokes: Vec<Stroke>,
    /// How long all of it takes, trailing waits included.
    pub frames: u64,
}

/// Names in braces that are not a key of their own: shifted keys, and the cursor keys by direction.
const NAMES: [(&str, &str); 20] = [
    ("UP", "LSHIFT+DOWN"),
    ("LEFT", "LSHIFT+RIGHT"),
    ("DOWN", "DOWN"),
    ("RIGHT", "RIGHT"),
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
    ("ARROWUP", "ARROWUP"),
    ("ARROWLEFT", "ARROWLEFT"),
    ("BACKSPACE", "DEL"),
    ("CONTROL", "CTRL"),
    ("PLUS", "+"),
    ("RESTORE", ""),
];

/// Names of keys that are no single character, for suggestions.
const PLAIN: [&str; 16] = [
    "RETURN",
    "SPACE",
    "F1",
    "F3",
    "F5",
    "F7",
    "HOME",
    "DEL",
    "STOP",
    "CTRL",
    "C=",
    "LSHIFT",
    "RSHIFT",
    "POUND",
    "WAIT",
    "COMMODORE",
];

/// Characters that need SHIFT, and the key they are on.
const SHIFTED: [(char, &str); 14] = [
    ('!', "1"),
    ('"', "2"),
    ('#', "3"),
    ('$', "4"),
    ('%', "5"),
    ('&', "6"),
    ('\'', "7"),
    ('(', "8"),
    (')', "9"),
    ('<', ","),
    ('>', "."),
    ('?', "/"),
    ('[', ":"),
    (']', ";"),
];

impl Keys {
    /// Reads a script. Letters are typed without SHIFT, in capitals or not; `\n` is RETURN. In braces: the name of a key
    /// (`{RETURN}`, `{F1}`, `{UP}`), several together (`{SHIFT+A}`), with a number of frames to hold them (`{SPACE 50}`),
    /// and `{WAIT 50}`.
    pub fn parse(text: &str) -> Result<Keys, KeysError> {
        let mut keys = Keys::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first == '{' {
                let Some(end) = rest.find('}') else {
                    return Err(KeysError::Open(rest.chars().take(20).collect()));
                };
                keys.named(&rest[1..end])?;
                rest = &rest[end + 1..];
            } else {
                keys.press(Press::Keys(typed(first)?), HELD)?;
                rest = &rest[first.len_utf8()..];
            }
        }
        Ok(keys)
    }

    fn named(&mut self, inside: &str) -> Result<(), KeysError> {
        let inside = inside.trim();
        let (name, frames) = match inside.rsplit_once(' ') {
            Some((name, number)) => (name.trim(), Some(parse_frames(number)?)),
            None => (inside, None),
        };
        if name.eq_ignore_ascii_case("WAIT") {
            self.frames += frames.ok_or_else(|| KeysError::Frames(String::new()))?;
            return self.check_length();
        }
        if name.eq_ignore_ascii_case("RESTORE") {
            return self.press(Press::Restore, frames.unwrap_or(HELD));
        }
        self.press(Press::Keys(chord(name)?), frames.unwrap_or(HELD))
    }

    fn press(&mut self, press: Press, held: u64) -> Result<(), KeysError> {
        let down = self.frames;
        self.strokes.push(Stroke { down, up: down + held, press });
        self.frames += held + APART;
        self.check_length()
    }

    fn check_length(&self) -> Result<(), KeysError> {
        if self.frames > LONGEST { Err(KeysError::Frames(self.frames.to_string())) } else { Ok(()) }
    }
}

fn parse_frames(text: &str) -> Result<u64, KeysError> {
    let frames = text.parse().ok().filter(|frames| (1..=LONGEST).contains(frames));
    frames.ok_or_else(|| KeysError::Frames(text.to_string()))
}

/// The keys of a character.
fn typed(character: char) -> Result<Vec<Key>, KeysError> {
    let name = match character {
        '\n' | '\r' => "RETURN",
        ' ' => "SPACE",
        '£' => "POUND",
        '^' | '↑' => "ARROWUP",
        '_' | '←' => "ARROWLEFT",
        _ => match SHIFTED.iter().find(|(shifted, _)| *shifted == character) {
            Some((_, key)) => return chord(&format!("LSHIFT+{key}")),
            None => {
                let mut buffer = [0; 4];
                let key = Key::from_name(character.encode_utf8(&mut buffer));
                return Ok(vec![key.ok_or(KeysError::Untypable(character))?]);
            }
        },
    };
    chord(name)
}

/// Keys by name, joined by `+`; a `+` alone is the key.
fn chord(text: &str) -> Result<Vec<Key>, KeysError> {
    if let Some(key) = Key::from_name(text).filter(|_| !is_direction(text)) {
        return Ok(vec![key]);
    }
    let mut keys = Vec::new();
    for name in text.split('+').map(str::trim) {
        let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let names = known.map_or(name, |(_, names)| names);
        for part in names.split('+').filter(|part| !part.is_empty() || names.is_empty()) {
            let key = Key::from_name(part).ok_or_else(|| unknown(name))?;
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    Ok(keys)
}

/// `UP` and `LEFT` are arrows of the character set to [`Key::from_name`], and cursor keys to people.
fn is_direction(name: &str) -> bool {
    ["UP", "LEFT"].iter().any(|direction| direction.eq_ignore_ascii_case(name))
}

fn unknown(name: &str) -> KeysError {
    let upper = name.to_uppercase();
    let names = NAMES.iter().map(|(name, _)| *name).chain(PLAIN);
    KeysError::Unknown { name: name.to_string(), near: nearest(&upper, names).map(str::to_string) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn key(name: &str) -> Key {
        Key::from_name(name).expect("a key")
    }

    #[test]
    fn text_and_names_become_strokes_in_time() {
        let keys = Keys::parse("a!{WAIT 10}{f2}{up 7}{SHIFT+Q}{RESTORE}").unwrap();
        let shift = key("LSHIFT");
        let expected = [
            (0, 3, Press::Keys(vec![key("A")])),
            (5, 8, Press::Keys(vec![shift, key("1")])),
            (20, 23, Press::Keys(vec![shift, key("F1")])),
            (25, 32, Press::Keys(vec![shift, key("DOWN")])),
            (34, 37, Press::Keys(vec![shift, key("Q")])),
            (39, 42, Press::Restore),
        ];
        let strokes: Vec<_> =
            keys.strokes.into_iter().map(|stroke| (stroke.down, stroke.up, stroke.press)).collect();
        assert_eq!(strokes, expected);
        assert_eq!(keys.frames, 44);
    }

    #[test]
    fn what_cannot_be_typed_is_named() {
        let message = |text: &str| Keys::parse(text).unwrap_err().to_string();
        assert_eq!(message("{RETUNR}"), "the C64 has no key named 'RETUNR'; did you mean {RETURN}?");
        assert_eq!(message("ab{RET"), "'{RET' has no closing brace");
        assert_eq!(message("ä"), "'ä' cannot be typed on a C64");
        assert_eq!(message("{WAIT x}"), "'x' is not a number of frames between 1 and 10000000");
        assert_eq!(
            message("{WAIT 9000000}{WAIT 9000000}"),
            "'18000000' is not a number of frames between 1 and 10000000"
        );
        assert!(Keys::parse("{}").is_err());
    }
}
