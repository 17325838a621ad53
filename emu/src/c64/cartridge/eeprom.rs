//! The 93C86 of a GMod2: 1024 words of 16 bits on four wires. A command is a 1, two bits of code and ten of address, the
//! highest first; bits are taken at the rising edge of the clock while the chip is selected. Writes are done at once.

use alloc::vec::Vec;

use crate::state::state;

const WORDS: usize = 1024;
const HEAD: u32 = 13;

/// The chip. Words that were never written are $FFFF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Eeprom {
    /// The memory, empty until something is written.
    bytes: Vec<u8>,
    is_selected: bool,
    is_high: bool,
    can_write: bool,
    /// The bits since the selection, from the first 1 on, and how many.
    taken: u32,
    count: u8,
    /// The level of the output.
    output: bool,
    /// The next bit to read, if a read is going on, counted from the first word's first.
    next: u16,
    is_read: bool,
}

state!(Eeprom { bytes, is_selected, is_high, can_write, taken, count, output, next, is_read });

impl Default for Eeprom {
    fn default() -> Eeprom {
        Eeprom {
            bytes: Vec::new(),
            is_selected: false,
            is_high: false,
            can_write: false,
            taken: 0,
            count: 0,
            output: true,
            next: 0,
            is_read: false,
        }
    }
}

impl Eeprom {
    /// The output: data of a read, and 1 otherwise, which is "ready".
    pub(super) fn output(&self) -> bool {
        self.output
    }

    /// All bytes, the high one of a word first.
    pub(super) fn bytes(&self) -> Vec<u8> {
        if self.bytes.is_empty() { alloc::vec![0xff; 2 * WORDS] } else { self.bytes.clone() }
    }

    /// Whether a loaded state can be.
    pub(super) fn is_possible(&self) -> bool {
        matches!(self.bytes.len(), 0 | 2048) && self.count <= 29 && self.next < (WORDS * 16) as u16
    }

    fn word(&self, at: usize) -> u16 {
        self.bytes.get(2 * at..2 * at + 2).map_or(0xffff, |pair| u16::from_be_bytes([pair[0], pair[1]]))
    }

    fn set(&mut self, words: core::ops::Range<usize>, value: u16) {
        if self.can_write {
            self.bytes.resize(2 * WORDS, 0xff);
            for at in words {
                self.bytes[2 * at..2 * at + 2].copy_from_slice(&value.to_be_bytes());
            }
        }
    }

    /// The levels of its inputs.
    pub(super) fn drive(&mut self, is_selected: bool, is_high: bool, data: bool) {
        let is_edge = is_high && !self.is_high && is_selected;
        if !is_selected || !self.is_selected {
            (self.taken, self.count, self.is_read, self.output) = (0, 0, false, true);
        }
        (self.is_selected, self.is_high) = (is_selected, is_high);
        if !is_edge {
            return;
        }
        if self.is_read {
            self.output = self.word(usize::from(self.next / 16)) >> (15 - self.next % 16) & 1 != 0;
            self.next = (self.next + 1) % (WORDS * 16) as u16;
            return;
        }
        if self.count == 0 && !data {
            // The command begins with a 1.
            return;
        }
        if u32::from(self.count) < HEAD + 16 {
            self.taken = self.taken << 1 | u32::from(data);
            self.count += 1;
        }
        self.obey();
    }

    fn obey(&mut self) {
        let count = u32::from(self.count);
        if count != HEAD && count != HEAD + 16 {
            return;
        }
        let (head, data) = match count {
            HEAD => (self.taken, None),
            _ => (self.taken >> 16, Some(self.taken as u16)),
        };
        let at = (head & 0x3ff) as usize;
        match (head >> 10 & 3, data) {
            (0b10, None) => {
                (self.is_read, self.next) = (true, (at * 16) as u16);
                // A zero comes before the data.
                self.output = false;
            }
            (0b11, None) => self.set(at..at + 1, 0xffff),
            (0b01, Some(value)) => self.set(at..at + 1, value),
            (0b00, data) => match (at >> 8, data) {
                (0b11, None) => self.can_write = true,
                (0b00, None) => self.can_write = false,
                (0b10, None) => self.set(0..WORDS, 0xffff),
                (0b01, Some(value)) => self.set(0..WORDS, value),
                _ => {}
            },
            _ => {}
        }
    }
}
