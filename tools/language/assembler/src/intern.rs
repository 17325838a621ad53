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
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![Slot::default(); mask + 1];
        for slot in self.slots.iter().filter(|slot| slot.name != 0) {
            let mut index = slot.key.hash() as usize & mask;
            while slots[index].name != 0 {
                index = (index + 1) & mask;
            }
            slots[index] = *slot;
        }
        self.slots = slots;
    }
}

impl Key {
    /// The key of a word of fewer than sixteen ASCII characters other than NUL, whose places after it are zero.
    #[inline]
    pub fn padded(first: u64, second: u64) -> Key {
        debug_assert!((first | second) & 0x8080_8080_8080_8080 == 0 && second >> 56 == 0);
        Key(first, second)
    }

    fn of(word: &[u8]) -> Key {
        let mut padded = [0; 16];
        if word.len() <= 16 && word.iter().all(|byte| matches!(byte, 1..=127)) {
            padded[..word.len()].copy_from_slice(word);
            let number = u128::from_le_bytes(padded);
            return Key(number as u64, (number >> 64) as u64);
        }
        let (chunks, rest) = word.as_chunks::<16>();
        padded[..rest.len()].copy_from_slice(rest);
        let mut sum = word.len() as u64;
        for &chunk in chunks.iter().chain([&padded]) {
            let number = u128::from_le_bytes(chunk);
            sum = fold(number as u64 ^ sum, (number >> 64) as u64 ^ sum.rotate_left(32));
        }
        Key(sum, 1 << 63)
    }

    #[inline]
    fn is_hash(self) -> bool {
        self.1 >> 63 != 0
    }

    #[inline]
    fn hash(self) -> u64 {
        fold(self.0, self.1)
    }
}

/// Mixes two words: every bit of them counts in every bit of the result.
#[inline]
pub(crate) fn fold(a: u64, b: u64) -> u64 {
    // An odd number without a pattern; neither factor becomes zero for text.
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(a ^ K) * u128::from(b ^ K.rotate_left(32));
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
