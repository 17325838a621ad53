//! Names as numbers. Each spelling is stored once; equal spellings have equal numbers.

/// An interned spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// The table of spellings. Open addressing, keys compared by text.
#[derive(Debug)]
pub(crate) struct Interner {
    text: String,
    /// End offset of each spelling in `text`.
    ends: Vec<u32>,
    hashes: Vec<u32>,
    /// Name number + 1, or 0. Length is a power of two, at most half full.
    slots: Vec<u32>,
}

impl Default for Interner {
    fn default() -> Interner {
        Interner { text: String::new(), ends: Vec::new(), hashes: Vec::new(), slots: vec![0; 1024] }
    }
}

impl Interner {
    pub fn intern(&mut self, word: &str) -> Name {
        let hash = hash(word.as_bytes());
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                0 => break,
                name => {
                    let name = name - 1;
                    if self.hashes[name as usize] == hash && self.get(Name(name)) == word {
                        return Name(name);
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
        let name = self.ends.len() as u32;
        self.text.push_str(word);
        self.ends.push(self.text.len() as u32);
        self.hashes.push(hash);
        self.slots[slot] = name + 1;
        if self.ends.len() * 2 > self.slots.len() {
            self.grow();
        }
        Name(name)
    }

    pub fn get(&self, name: Name) -> &str {
        let index = name.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for (name, &hash) in self.hashes.iter().enumerate() {
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = name as u32 + 1;
        }
        self.slots = slots;
    }
}

/// Multiplies eight bytes at a time into the sum; names are short.
fn hash(bytes: &[u8]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sum = bytes.len() as u64;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("a chunk has eight bytes"));
        sum = (sum.rotate_left(5) ^ word).wrapping_mul(K);
    }
    let mut rest = 0u64;
    for &byte in chunks.remainder() {
        rest = rest << 8 | u64::from(byte);
    }
    sum = (sum.rotate_left(5) ^ rest).wrapping_mul(K);
    (sum >> 32) as u32
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
}
