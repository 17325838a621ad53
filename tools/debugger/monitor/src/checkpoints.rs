//! Checkpoints: what they watch, how often they were hit, and which addresses a run must look at.

use std::sync::Arc;

use tempo_debug::{Accesses, EXECUTE, Flags, READ, WRITE};

use crate::condition::{Condition, Scene};

/// Loads stop.
pub const LOAD: u8 = 1;
/// Stores stop.
pub const STORE: u8 = 2;
/// Execution stops.
pub const EXEC: u8 = 4;

/// More checkpoints than this are refused.
pub const MOST: usize = 10_000;

/// A checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Its number.
    pub number: u32,
    /// The first address.
    pub start: u16,
    /// The last address.
    pub end: u16,
    /// A hit stops the machine; otherwise it is only told.
    pub stops: bool,
    /// It is on.
    pub is_enabled: bool,
    /// `LOAD`, `STORE`, `EXEC`, or a sum.
    pub operation: u8,
    /// It is gone after its first hit.
    pub is_temporary: bool,
    /// How often it was hit.
    pub hits: u32,
    /// Hits to come that are counted only.
    pub ignored: u32,
    /// A hit counts only if this is true.
    pub condition: Option<Condition>,
    /// The number of the memory space; only those of the main CPU are ever hit.
    pub space: u8,
}

impl Checkpoint {
    /// A checkpoint that stops at accesses to one address.
    pub fn at(address: u16, operation: u8) -> Checkpoint {
        Checkpoint {
            number: 0,
            start: address,
            end: address,
            stops: true,
            is_enabled: true,
            operation,
            is_temporary: false,
            hits: 0,
            ignored: 0,
            condition: None,
            space: 0,
        }
    }

    /// The bytes of the protocol.
    pub fn bytes(&self, is_hit: bool) -> Vec<u8> {
        let mut bytes = self.number.to_le_bytes().to_vec();
        bytes.push(u8::from(is_hit));
        bytes.extend(self.start.to_le_bytes());
        bytes.extend(self.end.to_le_bytes());
        bytes.extend([
            u8::from(self.stops),
            u8::from(self.is_enabled),
            self.operation,
            u8::from(self.is_temporary),
        ]);
        bytes.extend(self.hits.to_le_bytes());
        bytes.extend(self.ignored.to_le_bytes());
        bytes.extend([u8::from(self.condition.is_some()), self.space]);
        bytes
    }

    fn covers(&self, address: u16) -> bool {
        (self.start..=self.end).contains(&address)
    }
}

/// All checkpoints, by start address, then number.
#[derive(Default)]
pub struct Checkpoints {
    all: Vec<Checkpoint>,
    last: u32,
    flags: Arc<Flags>,
    accesses: bool,
}

impl Checkpoints {
    /// Adds one and returns its number; `None` if there are too many.
    pub fn add(&mut self, mut point: Checkpoint) -> Option<u32> {
        if self.all.len() >= MOST {
            return None;
        }
        self.last = if self.all.is_empty() { 1 } else { self.last.wrapping_add(1) };
        point.number = self.last;
        let at = self.all.partition_point(|known| (known.start, known.number) < (point.start, point.number));
        self.all.insert(at, point);
        self.renew();
        Some(self.last)
    }

    /// All of them.
    pub fn all(&self) -> &[Checkpoint] {
        &self.all
    }

    /// The one with a number.
    pub fn get(&self, number: u32) -> Option<&Checkpoint> {
        self.all.iter().find(|point| point.number == number)
    }

    /// Changes the one with a number; `false` if there is none.
    pub fn change(&mut self, number: u32, change: impl FnOnce(&mut Checkpoint)) -> bool {
        let Some(point) = self.all.iter_mut().find(|point| point.number == number) else { return false };
        change(point);
        self.renew();
        true
    }

    /// Changes all of them.
    pub fn change_all(&mut self, change: impl FnMut(&mut Checkpoint)) {
        self.all.iter_mut().for_each(change);
        self.renew();
    }

    /// Deletes one; `false` if there is none.
    pub fn delete(&mut self, number: u32) -> bool {
        let before = self.all.len();
        self.all.retain(|point| point.number != number);
        self.renew();
        self.all.len() != before
    }

    /// Deletes all.
    pub fn clear(&mut self) {
        self.all.clear();
        self.renew();
    }

    /// The addresses that a run must look at.
    pub fn flags(&self) -> Arc<Flags> {
        Arc::clone(&self.flags)
    }

    /// Whether a run must look at accesses.
    pub fn accesses(&self) -> Accesses {
        if self.accesses { Accesses::Shown } else { Accesses::Hidden }
    }

    fn renew(&mut self) {
        let flags = Arc::make_mut(&mut self.flags);
        flags.clear(EXECUTE | READ | WRITE);
        self.accesses = false;
        let is_meant = |point: &&Checkpoint| point.is_enabled && point.space == 0 && point.start <= point.end;
        for (operation, flag) in [(LOAD, READ), (STORE, WRITE), (EXEC, EXECUTE)] {
            // They are in the order of their starts: each address is flagged once, however many ranges it is in.
            let mut next = 0;
            for point in self.all.iter().filter(is_meant).filter(|point| point.operation & operation != 0) {
                self.accesses |= flag != EXECUTE;
                for address in next.max(u32::from(point.start))..=u32::from(point.end) {
                    flags.add(address as u16, flag);
                }
                next = next.max(u32::from(point.end) + 1);
            }
        }
    }

    /// Counts the hits of an operation at addresses. Returns the checkpoints that were hit, as they are then, and whether
    /// one of them stops.
    pub fn hit(&mut self, operation: u8, addresses: &[u16], scene: &Scene<'_>) -> (Vec<Checkpoint>, bool) {
        let mut told = Vec::new();
        let mut stops = false;
        for point in &mut self.all {
            let is_meant = point.is_enabled && point.space == 0 && point.operation & operation != 0;
            if !is_meant || !addresses.iter().any(|&address| point.covers(address)) {
                continue;
            }
            if point.condition.as_ref().is_some_and(|condition| !condition.is_true(scene)) {
                continue;
            }
            point.hits = point.hits.wrapping_add(1);
            if point.ignored > 0 {
                point.ignored -= 1;
                continue;
            }
            stops |= point.stops;
            told.push(point.clone());
        }
        if told.iter().any(|point| point.is_temporary) {
            self.all
                .retain(|point| !(point.is_temporary && told.iter().any(|hit| hit.number == point.number)));
            self.renew();
        }
        (told, stops)
    }
}
