//! The transposition table: sets of a few entries, found by the low byte of the key and told apart by the other
//! two. Values in it are as seen from the node; `search` turns mates into distances from the root.

use super::position::Step;

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    check: u16,
    pub(super) mv: Step,
    pub(super) value: i16,
    /// Bit 7: written in this search; bits 2 to 6: depth; bits 0 and 1: bound, 0 in an empty entry.
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

    fn has(&self, check: u16) -> bool {
        self.check == check && self.depth & 3 != 0
    }
}

const RECENT: u8 = 0x80;

/// Remembered nodes. A game keeps one; [`clear`](Table::clear) starts a new one.
#[derive(Debug, Clone)]
pub struct Table {
    entries: Vec<Entry>,
    ways: usize,
}

impl Default for Table {
    fn default() -> Table {
        Table::new(Table::WAYS)
    }
}

impl Table {
    /// Entries with the same low byte of the key.
    pub const WAYS: usize = 3;

    /// A table with another number of entries in each of its 256 sets, for experiments.
    pub fn new(ways: usize) -> Table {
        Table { entries: vec![Entry::EMPTY; 256 * ways], ways }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::EMPTY);
    }

    /// A new search begins: what is there may be replaced first.
    pub(super) fn age(&mut self) {
        for entry in &mut self.entries {
            entry.depth &= !RECENT;
        }
    }

    fn set(&mut self, key: u32) -> &mut [Entry] {
        let start = (key & 0xff) as usize * self.ways;
        &mut self.entries[start..start + self.ways]
    }

    pub(super) fn probe(&mut self, key: u32) -> Option<Entry> {
        let check = (key >> 8) as u16;
        self.set(key).iter().find(|entry| entry.has(check)).copied()
    }

    pub(super) fn store(&mut self, key: u32, depth: u8, bound: Bound, value: i16, mv: Step) {
        let check = (key >> 8) as u16;
        let set = self.set(key);
        let known = set.iter().position(|entry| entry.has(check));
        let oldest = || (0..set.len()).min_by_key(|&way| set[way].depth);
        let Some(way) = known.or_else(oldest) else { return };
        let entry = &mut set[way];
        // An upper bound has no move: that of the same position stays.
        let mv = if bound == Bound::Upper && known.is_some() { entry.mv } else { mv };
        *entry = Entry { check, mv, value, depth: RECENT | depth.min(31) << 2 | bound as u8 };
    }
}
