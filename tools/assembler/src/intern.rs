//! Names as numbers. Each spelling is stored once; equal spellings have equal numbers.

/// An interned spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// The table of spellings.
#[derive(Debug)]
pub(crate) struct Interner {
    text: String,
    /// Where each spelling starts in `text`; one more than there are spellings, for the end of the last.
    starts: Vec<u32>,
    keys: Vec<Key>,
    /// Open addressing. A power of two long, at most half full.
    slots: Vec<Slot>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// The upper half of the key's hash.
    hash: u32,
    /// The number of the name + 1; 0 is empty.
    name: u32,
}

/// What a word is found by. One of at most sixteen ASCII characters is its own key, padded with zeros: equal keys are
/// equal words. Others have a hash for a key, marked in the highest bit, and what it finds is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(pub u64, pub u64);

impl Default for Interner {
    fn default() -> Interner {
        Interner::with_capacity(0)
    }
}

impl Interner {
    /// A table with capacity for so many spellings.
    pub fn with_capacity(names: usize) -> Interner {
        let slots = (names.max(8) * 2).next_power_of_two();
        let mut starts = Vec::with_capacity(names + 1);
        starts.push(0);
        Interner {
            text: String::with_capacity(names * 8),
            starts,
            keys: Vec::with_capacity(names),
            slots: vec![Slot::default(); slots],
        }
    }

    pub fn intern(&mut self, word: &str) -> Name {
        self.intern_bytes(word.as_bytes())
    }

    /// The same for bytes that are known to be text.
    pub fn intern_bytes(&mut self, word: &[u8]) -> Name {
        self.intern_keyed(Key::of(word), word)
    }

    /// The same for a word whose key is already known.
    #[inline]
    pub fn intern_keyed(&mut self, key: Key, word: &[u8]) -> Name {
        let hash = key.hash();
        let mask = self.slots.len() - 1;
        let mut index = hash as usize & mask;
        loop {
            let slot = self.slots[index];
            if slot.hash == (hash >> 32) as u32 && slot.name != 0 {
                let name = Name(slot.name - 1);
                if self.keys[name.0 as usize] == key && (!key.is_hash() || self.bytes(name) == word) {
                    return name;
                }
            } else if slot.name == 0 {
                return self.insert(index, key, word);
            }
            index = (index + 1) & mask;
        }
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, index: usize, key: Key, word: &[u8]) -> Name {
        let name = self.len() as u32;
        self.text.push_str(std::str::from_utf8(word).expect("a spelling is text"));
        self.starts.push(self.text.len() as u32);
        self.keys.push(key);
        self.slots[index] = Slot { hash: (key.hash() >> 32) as u32, name: name + 1 };
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        Name(name)
    }

    #[inline]
    fn bytes(&self, name: Name) -> &[u8] {
        let index = name.0 as usize;
        &self.text.as_bytes()[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    pub fn get(&self, name: Name) -> &str {
        let index = name.0 as usize;
        &self.text[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![Slot::default(); mask + 1];
        for (name, key) in self.keys.iter().enumerate() {
            let hash = key.hash();
            let mut index = hash as usize & mask;
            while slots[index].name != 0 {
                index = (index + 1) & mask;
            }
            slots[index] = Slot { hash: (hash >> 32) as u32, name: name as u32 + 1 };
        }
        self.slots = slots;
    }
}

impl Key {
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
fn fold(a: u64, b: u64) -> u64 {
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
