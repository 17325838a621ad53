//! Key scripts: `--keys "LOAD{RETURN}{WAIT 50}{F1}"` as key presses by frame.
//! Takes the keys and how text is typed on them from a keyboard; knows nothing of the machine that reads them.

use tempo_diagnostics::nearest;
use tempo_emu::Keyboard;
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
    /// A name in braces that is not a key.
    #[error("the {machine} has no key named '{name}'{}", did_you_mean(.near))]
    Unknown {
        /// The machine.
        machine: &'static str,
        /// As it was written.
        name: String,
        /// The most similar name there is.
        near: Option<String>,
    },
    /// A character that no key gives.
    #[error("'{character}' cannot be typed on a {machine}")]
    Untypable {
        /// The machine.
        machine: &'static str,
        /// The character.
        character: char,
    },
    /// A number of frames that is none.
    #[error("'{0}' is not a number of frames between 1 and {LONGEST}")]
    Frames(String),
}

fn did_you_mean(near: &Option<String>) -> String {
    near.as_ref().map_or(String::new(), |name| format!("; did you mean {{{name}}}?"))
}

/// Keys pressed together, by their names on the keyboard.
pub type Press = Vec<&'static str>;

/// A press with its time, in frames from the script's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stroke {
    /// The frame before which it goes down.
    pub down: u64,
    /// The frame before which it comes up.
    pub up: u64,
    /// The keys that are pressed.
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

impl Keys {
    /// Reads a script. Letters are typed without SHIFT, in capitals or not; `\n` is RETURN. In braces: the name of a key
    /// (`{RETURN}`, `{F1}`, `{UP}`), several together (`{SHIFT+A}`), with a number of frames to hold them (`{SPACE 50}`),
    /// and `{WAIT 50}`.
    pub fn parse(text: &str, keyboard: &Keyboard) -> Result<Keys, KeysError> {
        let mut keys = Keys::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first == '{' {
                let Some(end) = rest.find('}') else {
                    return Err(KeysError::Open(rest.chars().take(20).collect()));
                };
                keys.named(&rest[1..end], keyboard)?;
                rest = &rest[end + 1..];
            } else {
                keys.press(typed(first, keyboard)?, HELD)?;
                rest = &rest[first.len_utf8()..];
            }
        }
        Ok(keys)
    }

    fn named(&mut self, inside: &str, keyboard: &Keyboard) -> Result<(), KeysError> {
        let inside = inside.trim();
        let (name, frames) = match inside.rsplit_once(' ') {
            Some((name, number)) => (name.trim(), Some(parse_frames(number)?)),
            None => (inside, None),
        };
        if name.eq_ignore_ascii_case("WAIT") {
            self.frames += frames.ok_or_else(|| KeysError::Frames(String::new()))?;
            return self.check_length();
        }
        self.press(chord(name, keyboard)?, frames.unwrap_or(HELD))
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
fn typed(character: char, keyboard: &Keyboard) -> Result<Press, KeysError> {
    if let Some((_, keys)) = keyboard.typed.iter().find(|(typed, _)| *typed == character) {
        return chord(keys, keyboard);
    }
    let mut buffer = [0; 4];
    let key = keyboard.find(character.encode_utf8(&mut buffer));
    let machine = keyboard.machine;
    Ok(vec![key.ok_or(KeysError::Untypable { machine, character })?])
}

/// Keys by name, joined by `+`; a `+` alone is the key.
fn chord(text: &str, keyboard: &Keyboard) -> Result<Press, KeysError> {
    if let Some(key) = keyboard.find(text).filter(|_| keyboard.chord(text).is_none()) {
        return Ok(vec![key]);
    }
    let mut keys = Vec::new();
    for name in text.split('+').map(str::trim) {
        let names = keyboard.chord(name).unwrap_or(name);
        let parts = if keyboard.find(names).is_some() { vec![names] } else { names.split('+').collect() };
        for part in parts {
            let key = keyboard.find(part).ok_or_else(|| unknown(name, keyboard))?;
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    Ok(keys)
}

fn unknown(name: &str, keyboard: &Keyboard) -> KeysError {
    let near = nearest(&name.to_uppercase(), names(keyboard).chain(["WAIT"])).map(str::to_string);
    KeysError::Unknown { machine: keyboard.machine, name: name.to_string(), near }
}

/// The names that are more than a character: of several keys, of one key, and its other names.
fn names(keyboard: &Keyboard) -> impl Iterator<Item = &'static str> {
    let others = keyboard.other_names.iter().map(|(name, _)| *name);
    let all =
        keyboard.chords.iter().map(|(name, _)| *name).chain(keyboard.keys.iter().copied()).chain(others);
    all.filter(|name| name.len() > 1)
}

/// The name of a key that is most like this one.
pub fn nearest_key(name: &str, keyboard: &Keyboard) -> Option<&'static str> {
    nearest(&name.to_uppercase(), names(keyboard).filter(|name| keyboard.find(name).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;
    use tempo_emu::c64::KEYBOARD;

    fn parse(text: &str) -> Result<Keys, KeysError> {
        Keys::parse(text, &KEYBOARD)
    }

    #[test]
    fn text_and_names_become_strokes_in_time() {
        let keys = parse("a!{WAIT 10}{f2}{up 7}{SHIFT+Q}{RESTORE}").unwrap();
        let expected = [
            (0, 3, vec!["A"]),
            (5, 8, vec!["LSHIFT", "1"]),
            (20, 23, vec!["LSHIFT", "F1"]),
            (25, 32, vec!["LSHIFT", "DOWN"]),
            (34, 37, vec!["LSHIFT", "Q"]),
            (39, 42, vec!["RESTORE"]),
        ];
        let strokes: Vec<_> =
            keys.strokes.into_iter().map(|stroke| (stroke.down, stroke.up, stroke.press)).collect();
        assert_eq!(strokes, expected);
        assert_eq!(keys.frames, 44);
    }

    #[test]
    fn every_name_is_the_keys_that_people_mean() {
        let press = |text: &str| parse(text).unwrap().strokes[0].press.clone();
        assert_eq!(press("{INST}"), ["LSHIFT", "DEL"]);
        assert_eq!(press("{PLUS}"), ["+"]);
        assert_eq!(press("{+}"), ["+"]);
        assert_eq!(press("{SHIFT+UP}"), ["LSHIFT", "DOWN"]);
        assert_eq!(press("{ArrowUp}"), ["UP"]);
        assert_eq!(press("{CTRL+RUN/STOP}"), ["CTRL", "STOP"]);
        for (name, _) in KEYBOARD.chords {
            assert!(!press(&format!("{{{name}}}")).is_empty(), "{name}");
        }
    }

    #[test]
    fn what_cannot_be_typed_is_named() {
        let message = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(message("{RETUNR}"), "the C64 has no key named 'RETUNR'; did you mean {RETURN}?");
        assert_eq!(message("ab{RET"), "'{RET' has no closing brace");
        assert_eq!(message("ä"), "'ä' cannot be typed on a C64");
        assert_eq!(message("{WAIT x}"), "'x' is not a number of frames between 1 and 10000000");
        assert_eq!(
            message("{WAIT 9000000}{WAIT 9000000}"),
            "'18000000' is not a number of frames between 1 and 10000000"
        );
        assert!(parse("{}").is_err());
    }
}
