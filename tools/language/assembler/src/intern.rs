//! Names as numbers. Each spelling is stored once; equal spellings have equal numbers.

use std::ops::Range;

/// An interned spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// The table of spellings.
#[derive(Debug)]
pub(crate) struct Interner {
    text: String,
    /// Where each spelling starts in `text`; one more than there are spellings, for the end of the last.
    starts: Vec<u32>,
    /// Open addressing. A power of two long, at most half full.
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: Key,
    /// The number of the name + 1; 0 is empty.
    name: u32,
}

/// The words that every table begins with, in the form of a table. It is made at compile time, because a run of a small
/// source would take longer to put them in than to assemble.
pub(crate) struct Words<const NAMES: usize, const TEXT: usize, const SLOTS: usize> {
    text: [u8; TEXT],
    starts: [u32; NAMES],
    slots: [Slot; SLOTS],
}

impl<const NAMES: usize, const TEXT: usize, const SLOTS: usize> Words<NAMES, TEXT, SLOTS> {
    /// The table of some words. Of two equal ones the first is found.
    pub const fn of(words: &[&str; NAMES]) -> Words<NAMES, TEXT, SLOTS> {
        assert!(SLOTS.is_power_of_two() && 2 * NAMES < SLOTS);
        let empty = Slot { key: Key(0, 0), name: 0 };
        let mut table = Words { text: [0; TEXT], starts: [0; NAMES], slots: [empty; SLOTS] };
        let (mut index, mut len) = (0, 0);
        while index < NAMES {
            let word = words[index].as_bytes();
            table.starts[index] = len as u32;
            let mut at = 0;
            while at < word.len() {
                table.text[len] = word[at];
                (at, len) = (at + 1, len + 1);
            }
            let key = Key::of(word);
            let mut slot = key.hash() as usize % SLOTS;
            while table.slots[slot].name != 0 && !table.slots[slot].key.is(key) {
                slot = (slot + 1) % SLOTS;
            }
            index += 1;
            if table.slots[slot].name == 0 {
                table.slots[slot] = Slot { key, name: index as u32 };
            }
        }
        assert!(len == TEXT);
        table
    }

    /// A table that begins with them, and has capacity for this many others.
    pub fn interner(&self, others: usize) -> Interner {
        let mut names = Interner {
            text: String::with_capacity(TEXT + others * 8),
            starts: Vec::with_capacity(NAMES + others + 1),
            slots: Vec::new(),
        };
        // Words are valid texts, one after the other as well.
        names.text.push_str(std::str::from_utf8(&self.text).unwrap_or_default());
        names.starts.extend_from_slice(&self.starts);
        names.starts.push(TEXT as u32);
        let slots = ((NAMES + others) * 2).next_power_of_two();
        if slots <= SLOTS {
            names.slots = self.slots.to_vec();
        } else {
            names.move_slots(&self.slots, slots);
        }
        names
    }
}

/// The key of a word. One of at most sixteen ASCII characters is its own key, padded with zeros: equal keys are
/// equal words. Others have a hash for a key, marked in the highest bit, and what it finds is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Key(u64, u64);

impl Default for Interner {
    fn default() -> Interner {
        Interner::with_capacity(0)
    }
}

impl Interner {
    /// A table with capacity for this many spellings.
    pub fn with_capacity(names: usize) -> Interner {
        let slots = (names.max(8) * 2).next_power_of_two();
        let mut starts = Vec::with_capacity(names + 1);
        starts.push(0);
        Interner { text: String::with_capacity(names * 8), starts, slots: vec![Slot::default(); slots] }
    }

    pub fn intern(&mut self, word: &str) -> Name {
        let key = Key::of(word.as_bytes());
        let is_it = |names: &Interner, name: Name| !key.is_hash() || names.get(name) == word;
        match self.find(key, is_it) {
            Ok(name) => name,
            Err(index) => self.insert(index, key, word),
        }
    }

    /// The same for a word that is its own key and is at a place of a text.
    #[inline]
    pub fn intern_keyed(&mut self, key: Key, text: &str, word: Range<usize>) -> Name {
        match self.find(key, |_, _| true) {
            Ok(name) => name,
            Err(index) => self.insert(index, key, &text[word]),
        }
    }

    /// The name with a key, or the slot for it. Names with equal keys are told apart by `is_it`.
    #[inline]
    fn find(&self, key: Key, is_it: impl Fn(&Interner, Name) -> bool) -> Result<Name, usize> {
        let mask = self.slots.len() - 1;
        let mut index = key.hash() as usize & mask;
        loop {
            let slot = &self.slots[index];
            if slot.name == 0 {
                return Err(index);
            }
            let name = Name(slot.name - 1);
            if slot.key == key && is_it(self, name) {
                return Ok(name);
            }
            index = (index + 1) & mask;
        }
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, index: usize, key: Key, word: &str) -> Name {
        let name = self.len() as u32;
        self.text.push_str(word);
        self.starts.push(self.text.len() as u32);
        self.slots[index] = Slot { key, name: name + 1 };
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        Name(name)
    }

    pub fn get(&self, name: Name) -> &str {
        let index = name.0 as usize;
        &self.text[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.move_slots(&old, old.len() * 2);
    }

    /// Takes the names of other slots into a table of this many.
    fn move_slots(&mut self, old: &[Slot], len: usize) {
        let mask = len - 1;
        self.slots = vec![Slot::default(); len];
        for slot in old.iter().filter(|slot| slot.name != 0) {
            let mut index = slot.key.hash() as usize & mask;
            while self.slots[index].name != 0 {
                index = (index + 1) & mask;
            }
            self.slots[index] = *slot;
        }
    }
}

impl Key {
    /// The key of a word of fewer than sixteen ASCII characters other than NUL, whose places after it are zero.
    #[inline]
    pub fn padded(first: u64, second: u64) -> Key {
        debug_assert!((first | second) & 0x8080_8080_8080_8080 == 0 && second >> 56 == 0);
        Key(first, second)
    }

    const fn of(word: &[u8]) -> Key {
        if word.len() <= 16 {
            let number = padded(word, 0);
            // Every byte of the word is below 128 and above 0.
            const LOW: u128 = u128::MAX / 0xff * 0x7f;
            let used = if word.is_empty() { 0 } else { u128::MAX >> (8 * (16 - word.len())) };
            if number & !LOW == 0 && (number + LOW) & !LOW == used & !LOW {
                return Key(number as u64, (number >> 64) as u64);
            }
        }
        let mut sum = word.len() as u64;
        let mut start = 0;
        loop {
            let number = padded(word, start);
            sum = fold(number as u64 ^ sum, (number >> 64) as u64 ^ sum.rotate_left(32));
            // The last part is shorter than the others.
            if word.len() - start < 16 {
                return Key(sum, 1 << 63);
            }
            start += 16;
        }
    }

    const fn is(self, other: Key) -> bool {
        self.0 == other.0 && self.1 == other.1
    }

    #[inline]
    fn is_hash(self) -> bool {
        self.1 >> 63 != 0
    }

    #[inline]
    const fn hash(self) -> u64 {
        fold(self.0, self.1)
    }
}

/// Sixteen bytes of a word from a place on, with zeros after its end.
const fn padded(word: &[u8], start: usize) -> u128 {
    let (_, rest) = word.split_at(start);
    if let Some(bytes) = rest.first_chunk::<16>() {
        return u128::from_le_bytes(*bytes);
    }
    let mut bytes = [0; 16];
    let mut at = 0;
    while at < rest.len() {
        bytes[at] = rest[at];
        at += 1;
    }
    u128::from_le_bytes(bytes)
}

/// Mixes two words: every bit of them counts in every bit of the result.
#[inline]
pub(crate) const fn fold(a: u64, b: u64) -> u64 {
    // An odd number without a pattern; neither factor becomes zero for text.
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = (a ^ K) as u128 * (b ^ K.rotate_left(32)) as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_spellings_have_equal_numbers_also_after_growth() {
        let mut names = Interner::default();
        let numbers: Vec<Name> = (0..5000).map(|n| names.intern(&format!("label_{n}"))).collect();
        for (n, &name) in numbers.iter().enumerate() {
            let text = format!("label_{n}");
            assert_eq!(names.intern(&text), name);
            assert_eq!(names.get(name), text);
        }
    }

    #[test]
    fn names_that_differ_in_one_byte_are_different() {
        let mut names = Interner::default();
        for len in 1..40 {
            let word = "a".repeat(len);
            let name = names.intern(&word);
            for at in 0..len {
                for byte in ["b", "\0"] {
                    let other = format!("{}{byte}{}", &word[..at], &word[at + 1..]);
                    let second = names.intern(&other);
                    assert_ne!(name, second, "{other:?}");
                    assert_eq!(names.get(second), other);
                }
            }
            assert_eq!(names.intern(&word), name);
            assert_ne!(names.intern(&format!("{word}\0")), name, "{len}");
        }
        assert_eq!(names.intern(""), names.intern(""));
        assert_ne!(names.intern(""), names.intern("\0"));
    }
}
