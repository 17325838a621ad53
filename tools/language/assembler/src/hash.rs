//! Tables by numbers that the assembler gives out itself: names, namespaces, values. A source cannot choose them, so the
//! hash need not withstand chosen keys and takes a multiplication.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

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
