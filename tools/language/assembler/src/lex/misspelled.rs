//! Symbols of conditions that differ from a defined one by a slip of the fingers. A name is looked up by the names that a
//! slip makes of it, so the cost grows with its length and not with the number of symbols.

use std::collections::HashMap;

use crate::intern::Name;

/// Shorter names are too like each other.
const SHORTEST: usize = 4;

/// Longer names are not compared.
const LONGEST: usize = 64;

/// The symbols that were ever defined; which still are is known to the preprocessor.
#[derive(Default)]
pub(super) struct Misspelled {
    whole: HashMap<Box<str>, Name>,
    /// By the name without one of its letters.
    shorter: HashMap<Box<str>, Vec<Name>>,
}

impl Misspelled {
    pub fn define(&mut self, text: &str, name: Name) {
        if is_compared(text) && self.whole.insert(text.into(), name).is_none() {
            for shorter in without_a_letter(text) {
                self.shorter.entry(shorter.into()).or_default().push(name);
            }
        }
    }

    /// The symbols whose names differ from one by a slip.
    pub fn like(&self, text: &str) -> Vec<Name> {
        if !is_compared(text) {
            return Vec::new();
        }
        let known = |text: String| self.whole.get(text.as_str()).copied();
        let mut found: Vec<Name> = without_a_letter(text).filter_map(known).collect();
        found.extend(exchanged(text).filter_map(known));
        found.extend(self.shorter.get(text).into_iter().flatten());
        found
    }
}

fn is_compared(text: &str) -> bool {
    text.is_ascii() && (SHORTEST..=LONGEST).contains(&text.len())
}

/// A name without each letter that may be one too many. A digit, or a last letter as in the plural, may be meant, unless
/// it is the same as the one before.
fn without_a_letter(text: &str) -> impl Iterator<Item = String> {
    let bytes = text.as_bytes();
    let may_be_slip = |at: &usize| {
        let is_double = *at > 0 && bytes[*at] == bytes[*at - 1];
        bytes[*at].is_ascii_alphabetic() && (is_double || *at + 1 < bytes.len())
    };
    (0..bytes.len()).filter(may_be_slip).map(|at| [&text[..at], &text[at + 1..]].concat())
}

/// A name with each two neighbouring letters exchanged.
fn exchanged(text: &str) -> impl Iterator<Item = String> {
    let bytes = text.as_bytes();
    let are_letters = |at: &usize| {
        let (one, other) = (bytes[*at], bytes[*at + 1]);
        one != other && one.is_ascii_alphabetic() && other.is_ascii_alphabetic()
    };
    (0..bytes.len() - 1)
        .filter(are_letters)
        .map(|at| [&text[..at], &text[at + 1..at + 2], &text[at..at + 1], &text[at + 2..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn slips_are_found_and_other_names_are_not() {
        let mut symbols = Misspelled::default();
        for (number, name) in ["DEBUG", "HAS_SOUND", "STAGE1", "PAL"].into_iter().enumerate() {
            symbols.define(name, Name(number as u32));
        }
        for (text, found) in [
            ("DEBG", Some(0)),
            ("DEBUUG", Some(0)),
            ("DEBUGG", Some(0)),
            ("DEUBG", Some(0)),
            ("HAS_SOUDN", Some(1)),
            ("HASS_SOUND", Some(1)),
            ("DEBUGS", None),
            ("DEBU", None),
            ("DEBUX", None),
            ("STAGE11", None),
            ("STAGE2", None),
            ("PALL", None),
        ] {
            assert_eq!(symbols.like(text).first().map(|name| name.0), found, "{text}");
        }
    }
}
