//! RAM that records its bus cycles and whose pins follow a list of events: the bus of vectors and tests.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::{BusCycle, Kind};
use crate::{Bus, Hooks, Lines, Pins, Run, Stop, Variant};

/// A pin changes at the start of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The pin.
    pub pin: Pins,
    /// Whether it falls.
    pub is_low: bool,
    /// The cycle.
    pub cycle: u64,
}

/// RAM that records what happens to it. It can be saved in mid-run by cloning, and compared.
#[derive(Clone, PartialEq, Eq)]
pub struct Recorder {
    /// The memory.
    pub ram: Box<[u8; 0x10000]>,
    /// The pins, for callers that pull them by hand.
    pub lines: Lines,
    /// Every cycle so far; nothing here is a [`Kind::Fetch`], since the bus does not see SYNC.
    pub cycles: Vec<BusCycle>,
    /// In order of their cycles.
    events: Vec<Event>,
    /// The next one to happen.
    next: usize,
}

impl Recorder {
    /// Memory of one byte.
    pub fn new(fill: u8) -> Recorder {
        let ram = vec![fill; 0x10000].try_into().expect("64 KB");
        Recorder { ram, lines: Lines::new(), cycles: Vec::new(), events: Vec::new(), next: 0 }
    }

    /// Lets the pins follow these events.
    #[must_use]
    pub fn with_events(mut self, mut events: Vec<Event>) -> Recorder {
        events.sort_by_key(|event| event.cycle);
        (self.events, self.next) = (events, 0);
        self
    }

    /// Stores bytes, wherever they are.
    pub fn store(&mut self, bytes: &[(u16, u8)]) {
        for &(addr, value) in bytes {
            self.ram[usize::from(addr)] = value;
        }
    }

    fn advance(&mut self, cycle: u64) {
        while let Some(event) = self.events.get(self.next).filter(|event| event.cycle <= cycle) {
            if event.is_low {
                self.lines.pull(event.pin);
            } else {
                self.lines.release(event.pin);
            }
            self.next += 1;
        }
    }
}

impl Bus for Recorder {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI).or(Pins::RDY).or(Pins::RES).or(Pins::SO);

    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        self.advance(cycle);
        let value = self.ram[usize::from(addr)];
        self.cycles.push(BusCycle { addr, value, kind: Kind::Read });
        value
    }

    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        self.advance(cycle);
        self.ram[usize::from(addr)] = value;
        self.cycles.push(BusCycle { addr, value, kind: Kind::Write });
    }

    fn pins(&mut self, _cycles: u64) -> Pins {
        self.lines.pins()
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }

    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        run.shared(self)
    }
}

impl core::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Recorder { lines, cycles, .. } = self;
        f.debug_struct("Recorder").field("lines", lines).field("cycles", cycles).finish_non_exhaustive()
    }
}
