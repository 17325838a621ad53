//! Tables by numbers that the assembler gives out itself: names, namespaces, values. A source cannot choose them, so the
//! hash need not withstand chosen keys and takes a multiplication. Texts, which a source can choose, are mixed with a
//! number that it cannot know.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use crate::intern::fold;

pub(crate) type NumberMap<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;
pub(crate) type NumberSet<K> = HashSet<K, BuildHasherDefault<NumberHasher>>;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = fold(self.0, number);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// Hashes texts, differently in each table.
#[derive(Debug, Clone)]
pub(crate) struct TextHash(u64);

impl Default for TextHash {
    fn default() -> TextHash {
        TextHash(RandomState::new().hash_one(0u64))
    }
}

impl BuildHasher for TextHash {
    type Hasher = TextHasher;

    #[inline]
    fn build_hasher(&self) -> TextHasher {
        TextHasher(self.0)
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct TextHasher(u64);

impl Hasher for TextHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.0 = fold(self.0, u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.0 = fold(self.0 ^ bytes.len() as u64, u64::from_le_bytes(last));
    }

    #[inline]
    fn write_u8(&mut self, _: u8) {
        // The end of a text, whose length is in already.
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_hashes_of_their_own() {
        let hash = TextHash::default();
        let texts = (0..2000).map(|number| format!("{number}")).chain((1..40).map(|len| "\0".repeat(len)));
        let hashes: HashSet<u64> = texts.map(|text| hash.hash_one(text.as_str())).collect();
        assert_eq!(hashes.len(), 2039);
        assert_ne!(hash.hash_one("a"), TextHash::default().hash_one("a"));
    }
}
