//! The transposition table: sets of a few entries, found by a part of the key and told apart by the rest. It is in the
//! C64's memory, or in a RAM expansion, where it is larger. Values in it are as seen from the node; `search` turns
//! mates into distances from the root.

use super::position::Step;

/// The bound on a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    check: u32,
    pub(super) mv: Step,
    pub(super) value: i16,
    /// Bit 7: the age, see [`Table::priority`]; bits 2 to 6: depth; bits 0 and 1: bound, 0 in an empty entry.
    depth: u8,
}

impl Entry {
    const EMPTY: Entry = Entry { check: 0, mv: Step::NONE, value: 0, depth: 0 };

    pub(super) fn depth(&self) -> u8 {
        self.depth >> 2 & 31
    }

    pub(super) fn bound(&self) -> Bound {
        match self.depth & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        }
    }

    fn has(&self, check: u32) -> bool {
        self.check == check && self.depth & 3 != 0
    }
}

const RECENT: u8 = 0x80;

/// Which bits of a key find a set, and which tell its entries apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The low byte is the set, the other two are compared.
    Memory,
    /// Four bits of the low byte, the second byte and this many bits of the third are the set. Compared are low and
    /// third byte, and the low byte of the score: 24 bits alone would confuse too many positions.
    Expansion { banks: u32 },
}

/// Remembered nodes. A game keeps one; [`clear`](Table::clear) starts a new one.
#[derive(Debug, Clone)]
pub struct Table {
    entries: Vec<Entry>,
    ways: usize,
    place: Place,
    /// Bit 7 of entries that are written now.
    recent: u8,
}

impl Default for Table {
    fn default() -> Table {
        Table::new(Table::WAYS)
    }
}

impl Table {
    /// Entries with the same low byte of the key.
    pub const WAYS: usize = 3;
    /// Entries of a set in a RAM expansion.
    pub const EXPANDED_WAYS: usize = 2;
    /// Kilobytes of a RAM expansion that are used.
    pub const MOST_KILOBYTES: usize = 512;

    /// A table with another number of entries in each of its 256 sets, for experiments.
    pub fn new(ways: usize) -> Table {
        Table { entries: vec![Entry::EMPTY; 256 * ways], ways, place: Place::Memory, recent: RECENT }
    }

    /// The table in a RAM expansion of this many kilobytes: 128, 256, or 512, and more count as that.
    pub fn expanded(kilobytes: usize) -> Table {
        // Entries of eight bytes in banks of 64 KB.
        let banks = (kilobytes.min(Table::MOST_KILOBYTES) / 64).max(1);
        Table {
            entries: vec![Entry::EMPTY; banks * 0x2000],
            ways: Table::EXPANDED_WAYS,
            place: Place::Expansion { banks: banks.ilog2() },
            recent: RECENT,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::EMPTY);
    }

    /// A new search begins: what is there may be replaced first.
    pub(super) fn age(&mut self) {
        match self.place {
            Place::Memory => {
                for entry in &mut self.entries {
                    entry.depth &= !RECENT;
                }
            }
            // Too many to go through: what bit 7 means changes instead, and entries of the search before the last
            // are taken for new ones.
            Place::Expansion { .. } => self.recent ^= RECENT,
        }
    }

    /// The first entry of a position's set, and what its own entry has.
    fn find(&self, key: u32, score: i16) -> (usize, u32) {
        let [low, second, third, _] = key.to_le_bytes();
        let (set, check) = match self.place {
            Place::Memory => (u32::from(low), key >> 8),
            Place::Expansion { banks } => {
                let bank = u32::from(third) & ((1 << banks) - 1);
                let set = bank << 12 | u32::from(second) << 4 | u32::from(low >> 4);
                (set, u32::from_le_bytes([third, low, score as u8, 0]))
            }
        };
        (set as usize * self.ways, check)
    }

    /// The priority of an entry: the depth, and above all that it belongs to this search.
    fn priority(&self, entry: &Entry) -> u8 {
        if entry.depth == 0 { 0 } else { entry.depth ^ self.recent ^ RECENT }
    }

    pub(super) fn probe(&self, key: u32, score: i16) -> Option<Entry> {
        let (start, check) = self.find(key, score);
        self.entries[start..start + self.ways].iter().find(|entry| entry.has(check)).copied()
    }

    pub(super) fn store(&mut self, at: (u32, i16), depth: u8, bound: Bound, value: i16, mv: Step) {
        let (start, check) = self.find(at.0, at.1);
        let set = &self.entries[start..start + self.ways];
        let known = set.iter().position(|entry| entry.has(check));
        let least = || (0..set.len()).min_by_key(|&way| self.priority(&set[way]));
        let Some(way) = known.or_else(least) else { return };
        let entry = &mut self.entries[start + way];
        // An upper bound has no move: that of the same position stays.
        let mv = if bound == Bound::Upper && known.is_some() { entry.mv } else { mv };
        *entry = Entry { check, mv, value, depth: self.recent | depth.min(31) << 2 | bound as u8 };
    }
}
