//! Bytes that are known before a call: the program, what is given, the return address. Cheap to share and to look at.

/// Known bytes by their addresses; all others are unknown.
#[derive(Clone, PartialEq, Eq)]
pub struct Known {
    /// Unknown bytes are zero.
    bytes: Box<[u8; 0x10000]>,
    set: Box<[u64; 0x400]>,
}

impl Default for Known {
    fn default() -> Known {
        Known { bytes: Box::new([0; 0x10000]), set: Box::new([0; 0x400]) }
    }
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count: u32 = self.set.iter().map(|word| word.count_ones()).sum();
        write!(f, "Known({count} bytes)")
    }
}

impl Known {
    /// All of memory.
    pub fn all(mut byte: impl FnMut(u16) -> u8) -> Known {
        let mut known = Known::default();
        for address in 0..=0xffff {
            known.insert(address, byte(address));
        }
        known
    }

    /// Makes a byte known.
    pub fn insert(&mut self, address: u16, byte: u8) {
        self.bytes[usize::from(address)] = byte;
        self.set[usize::from(address >> 6)] |= 1 << (address & 63);
    }

    /// The byte at an address.
    pub fn get(&self, address: u16) -> Option<u8> {
        self.has(address).then(|| self.bytes[usize::from(address)])
    }

    /// Whether the byte is known.
    pub fn has(&self, address: u16) -> bool {
        self.set[usize::from(address >> 6)] >> (address & 63) & 1 == 1
    }

    /// A bit for each address whose byte is known.
    pub(crate) fn set(&self) -> &[u64] {
        &self.set[..]
    }

    /// All of memory, with zeros where it is unknown.
    pub(crate) fn bytes(&self) -> &[u8; 0x10000] {
        &self.bytes
    }
}
