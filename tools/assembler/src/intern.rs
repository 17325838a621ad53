//! Names as numbers. Each spelling is stored once; equal spellings have equal numbers.

/// An interned spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// The table of spellings. Open addressing, keys compared by text.
#[derive(Debug)]
pub(crate) struct Interner {
    text: Vec<u8>,
    /// Where each spelling starts in `text`; one more than there are spellings, for the end of the last.
    starts: Vec<u32>,
    /// Hash in the upper half, name number + 1 in the lower; 0 is empty. A power of two long, at most three quarters full.
    slots: Vec<u64>,
}

impl Default for Interner {
    fn default() -> Interner {
        Interner { text: Vec::new(), starts: vec![0], slots: vec![0; 1024] }
    }
}

impl Interner {
    pub fn intern(&mut self, word: &str) -> Name {
        self.intern_bytes(word.as_bytes())
    }

    /// The same for bytes that are known to be text.
    pub fn intern_bytes(&mut self, word: &[u8]) -> Name {
        let hash = hash(word);
        let mask = self.slots.len() - 1;
        let mut index = hash as usize & mask;
        loop {
            let slot = self.slots[index];
            if slot == 0 {
                break;
            }
            if (slot >> 32) as u32 == hash {
                let name = Name(slot as u32 - 1);
                if is_same(self.bytes(name), word) {
                    return name;
                }
            }
            index = (index + 1) & mask;
        }
        let name = self.len() as u32;
        self.text.extend_from_slice(word);
        self.starts.push(self.text.len() as u32);
        self.slots[index] = u64::from(hash) << 32 | u64::from(name + 1);
        if self.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        Name(name)
    }

    #[inline]
    fn bytes(&self, name: Name) -> &[u8] {
        let index = name.0 as usize;
        &self.text[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    pub fn get(&self, name: Name) -> &str {
        std::str::from_utf8(self.bytes(name)).expect("what went in was text")
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let mut index = (slot >> 32) as usize & mask;
            while slots[index] != 0 {
                index = (index + 1) & mask;
            }
            slots[index] = slot;
        }
        self.slots = slots;
    }
}

/// Equality without a call or a loop for the names people write: two words that may overlap.
#[inline]
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let len = a.len();
    len == b.len()
        && match len {
            0 => true,
            1..=3 => a[0] == b[0] && a[len / 2] == b[len / 2] && a[len - 1] == b[len - 1],
            4..=7 => a.first_chunk::<4>() == b.first_chunk() && a.last_chunk::<4>() == b.last_chunk(),
            8..=16 => a.first_chunk::<8>() == b.first_chunk() && a.last_chunk::<8>() == b.last_chunk(),
            _ => a == b,
        }
}

/// Two overlapping words cover names of up to sixteen letters; longer ones are folded in.
fn hash(bytes: &[u8]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let len = bytes.len();
    let word = |at: usize| match bytes[at..].first_chunk::<8>() {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => 0,
    };
    let half = |at: usize| match bytes[at..].first_chunk::<4>() {
        Some(chunk) => u64::from(u32::from_le_bytes(*chunk)),
        None => 0,
    };
    let (a, b) = match len {
        0 => (0, 0),
        1..=3 => (u64::from(bytes[0]) << 16 | u64::from(bytes[len / 2]) << 8 | u64::from(bytes[len - 1]), 0),
        4..=7 => (half(0), half(len - 4)),
        _ => {
            let mut sum = word(0);
            let mut at = 8;
            while at + 8 < len {
                sum = (sum.rotate_left(5) ^ word(at)).wrapping_mul(K);
                at += 8;
            }
            (sum, word(len - 8))
        }
    };
    let product = u128::from(a ^ K ^ len as u64) * u128::from(b ^ K.rotate_left(32));
    let mixed = product as u64 ^ (product >> 64) as u64;
    (mixed ^ mixed >> 32) as u32
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
    fn names_that_differ_in_one_letter_are_different() {
        for len in 1..40 {
            let word = vec![b'a'; len];
            assert!(is_same(&word, &word.clone()));
            for at in 0..len {
                let mut other = word.clone();
                other[at] = b'b';
                assert!(!is_same(&word, &other), "{len} {at}");
            }
        }
    }
}
