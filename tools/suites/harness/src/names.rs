//! The names a suite may use: full dotted paths, and every shorter ending that is not ambiguous.
//! Knows values and order; which file they came from is the caller's business.

use std::collections::HashMap;

use tempo_formats::symbols::{ByValue, Symbols};

/// All names known at one place of a suite.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// In file order, the newest file first.
    entries: Vec<(String, i64)>,
    full: HashMap<String, i64>,
    /// Endings that are not full paths: the indices of the entries that end so.
    endings: HashMap<String, Vec<usize>>,
    by_value: ByValue,
}

/// The meaning of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    Found(i64),
    /// Several symbols end in it, with different values.
    Ambiguous(Vec<String>),
    Unknown,
}

/// A label further below an address says nothing about it.
const MAX_OFFSET: i64 = 0x100;

impl Names {
    pub fn new(entries: Vec<(String, i64)>) -> Names {
        let mut names = Names::default();
        for (path, value) in entries {
            if !names.full.contains_key(&path) {
                names.full.insert(path.clone(), value);
                names.entries.push((path, value));
            }
        }
        for (index, (path, _)) in names.entries.iter().enumerate() {
            let mut rest = path.as_str();
            while let Some((_, ending)) = rest.split_once('.') {
                if !names.full.contains_key(ending) {
                    names.endings.entry(ending.to_string()).or_default().push(index);
                }
                rest = ending;
            }
        }
        names.by_value = names.entries.iter().enumerate().map(|(index, entry)| (entry.1, index)).collect();
        names
    }

    /// These names and those of a file read later: equal names are the file's, others stay.
    #[must_use]
    pub fn with(&self, symbols: &Symbols) -> Names {
        let newer = symbols.iter().map(|symbol| (symbol.path.clone(), signed(symbol.value)));
        Names::new(newer.chain(self.entries.iter().cloned()).collect())
    }

    pub fn lookup(&self, name: &str) -> Lookup {
        if let Some(&value) = self.full.get(name) {
            return Lookup::Found(value);
        }
        let Some(candidates) = self.endings.get(name) else { return Lookup::Unknown };
        let value = self.entries[candidates[0]].1;
        if candidates.iter().all(|&index| self.entries[index].1 == value) {
            return Lookup::Found(value);
        }
        Lookup::Ambiguous(candidates.iter().map(|&index| self.entries[index].0.clone()).collect())
    }

    pub fn get(&self, name: &str) -> Option<i64> {
        match self.lookup(name) {
            Lookup::Found(value) => Some(value),
            _ => None,
        }
    }

    /// The first symbol of the file with exactly this address.
    pub fn at(&self, address: i64) -> Option<&str> {
        self.by_value.at(address).map(|index| self.entries[index].0.as_str())
    }

    /// The label at or below an address, as `label` or `label+offset`.
    pub fn describe(&self, address: u16) -> Option<String> {
        let (label, offset) = self.nearest(address)?;
        Some(if offset == 0 { label.to_string() } else { format!("{label}+{offset}") })
    }

    pub fn nearest(&self, address: u16) -> Option<(&str, i64)> {
        let (index, offset) = self.by_value.nearest(i64::from(address))?;
        let (path, value) = &self.entries[index];
        (*value >= 0 && offset <= MAX_OFFSET).then_some((path, offset))
    }

    /// The first address above this one that has a label.
    pub fn next_after(&self, address: i64) -> Option<i64> {
        self.by_value.next_after(address)
    }

    /// Every name that can be used, for hints.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.full.keys().chain(self.endings.keys()).map(String::as_str)
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A negative label is written as its 32-bit two's complement.
fn signed(value: i64) -> i64 {
    if (0x8000_0000..=0xffff_ffff).contains(&value) { i64::from(value as u32 as i32) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn names(text: &str) -> Names {
        Names::default().with(&Symbols::parse(text).unwrap())
    }

    #[test]
    fn full_paths_and_unambiguous_endings_are_known() {
        let names = names(
            ".label screen=$400\n.namespace hw {\n.namespace sid {\n.label volume=$d418\n}\n}\n.label mover=$1200 {\n.label loop=$1208\n}\n.label neg=$ffffffff\n",
        );
        assert_eq!(names.get("hw.sid.volume"), Some(0xd418));
        assert_eq!(names.get("sid.volume"), Some(0xd418));
        assert_eq!(names.get("volume"), Some(0xd418));
        assert_eq!(names.get("loop"), Some(0x1208));
        assert_eq!(names.get("mover"), Some(0x1200));
        assert_eq!(names.get("neg"), Some(-1));
        assert_eq!(names.describe(0x1209), Some("mover.loop+1".into()));
    }

    #[test]
    fn a_label_reaches_256_bytes() {
        let names = names(".label table=$1000\n");
        assert_eq!(names.describe(0x1100), Some("table+256".into()));
        assert_eq!(names.describe(0x1101), None);
    }

    #[test]
    fn endings_with_two_values_are_ambiguous() {
        let names = names(".label a=$1 {\n.label loop=$10\n}\n.label b=$2 {\n.label loop=$20\n}\n");
        assert_eq!(names.lookup("loop"), Lookup::Ambiguous(vec!["a.loop".into(), "b.loop".into()]));
        assert_eq!(names.get("a.loop"), Some(0x10));
    }

    #[test]
    fn a_later_file_replaces_equal_names_only() {
        let first = names(".label one=$1\n.label two=$2\n");
        let both = first.with(&Symbols::parse(".label two=$22\n").unwrap());
        assert_eq!((both.get("one"), both.get("two")), (Some(1), Some(0x22)));
    }
}
