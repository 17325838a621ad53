//! A bus whose pins follow a plan, for the tests that compare the ways to stall a CPU.

use tempo_emu::vectors::{BusCycle, Kind};
use tempo_emu::{Bus, FastBus, Hooks, Lines, Pins, PlainMemory, Run, Stop, Variant};
use tempo_random::Random;

/// Accesses with their cycles.
pub type Log = Vec<(u64, BusCycle)>;

/// The CPU looks at RDY in every cycle.
pub const BY_PIN: u8 = 0;
/// The bus says how long RDY is low; every cycle is inlined.
pub const INLINED: u8 = 1;
/// The bus says how long RDY is low; every other page is plain memory.
pub const PAGED: u8 = 2;

/// RAM whose pins depend on the time alone: for every cycle the plan has those that are low.
#[derive(Clone)]
pub struct Planned<const PATH: u8> {
    pub ram: Vec<u8>,
    plan: Vec<Pins>,
    lines: Lines,
    /// The cycles that the lines have followed so far.
    now: usize,
    /// The cycle in which the last stall ended, and the interrupt pins that were low in it.
    stall: (u64, Pins),
    /// Reads while RDY is low are not in it: another device has the bus.
    pub log: Log,
    /// How many times the bus has told the CPU of a stall.
    pub stalls: u64,
}

impl<const PATH: u8> Planned<PATH> {
    pub fn new(ram: Vec<u8>, plan: Vec<Pins>) -> Planned<PATH> {
        let (lines, stall) = (Lines::new(), (0, Pins::NONE));
        Planned { ram, plan, lines, now: 0, stall, log: Vec::new(), stalls: 0 }
    }

    fn low_in(&self, cycle: u64) -> Pins {
        self.plan.get(cycle as usize).copied().unwrap_or(Pins::NONE)
    }

    fn is_stalled(&self, cycle: u64) -> bool {
        self.low_in(cycle).has(Pins::RDY)
    }
}

fn is_plain(addr: u16) -> bool {
    addr & 0x0100 == 0
}

/// A plan in which these pins are low now and then.
pub fn plan(random: &mut Random, pins: &[Pins], cycles: usize) -> Vec<Pins> {
    // Some programs see busy pins, some rare ones.
    let rarity = *random.pick(&[4, 12, 40]);
    let mut low = Pins::NONE;
    (0..cycles)
        .map(|_| {
            for &pin in pins {
                if low.has(pin) && random.once_in(3) {
                    low = low.without(pin);
                } else if !low.has(pin) && random.once_in(rarity) {
                    low = low | pin;
                }
            }
            low
        })
        .collect()
}

impl<const PATH: u8> Bus for Planned<PATH> {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI).or(Pins::RDY);

    #[inline(never)]
    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        let value = self.ram[usize::from(addr)];
        if !self.is_stalled(cycle) {
            self.log.push((cycle, BusCycle { addr, value, kind: Kind::Read }));
        }
        value
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        self.ram[usize::from(addr)] = value;
        self.log.push((cycle, BusCycle { addr, value, kind: Kind::Write }));
    }

    #[inline(never)]
    fn pins(&mut self, cycles: u64) -> Pins {
        while (self.now as u64) < cycles {
            let low = self.low_in(self.now as u64);
            for pin in [Pins::IRQ, Pins::NMI, Pins::RDY] {
                if low.has(pin) { self.lines.pull(pin) } else { self.lines.release(pin) }
            }
            self.now += 1;
        }
        let seen = if cycles == self.stall.0 { self.stall.1 } else { Pins::NONE };
        self.lines.pins() | seen
    }

    #[inline(never)]
    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }

    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        if PATH == BY_PIN { run.shared(self) } else { run.fast(self) }
    }
}

impl<const PATH: u8> FastBus for Planned<PATH> {
    const MEMORY: PlainMemory = if PATH == PAGED { PlainMemory::Paged } else { PlainMemory::None };
    const KNOWS_READY: bool = true;

    fn read_plain(&self, addr: u16) -> Option<u8> {
        is_plain(addr).then(|| self.ram[usize::from(addr)])
    }

    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        if is_plain(addr) {
            self.ram[usize::from(addr)] = value;
        }
        is_plain(addr)
    }

    fn quiet_until(&self, pins: Pins, _cycle: u64) -> u64 {
        if self.lines.pins().has_any(pins) {
            return 0;
        }
        let edge = |low: Pins| if low.has(Pins::NMI) { low | Pins::NMI_EDGE } else { low };
        let next = (self.now..self.plan.len()).find(|&cycle| edge(self.plan[cycle]).has_any(pins));
        next.map_or(u64::MAX, |cycle| cycle as u64 + 1)
    }

    #[inline(never)]
    fn ready_at(&mut self, cycle: u64) -> u64 {
        let (mut ready, mut seen) = (cycle, Pins::NONE);
        while self.is_stalled(ready) {
            seen = seen | self.low_in(ready).and(Pins::IRQ | Pins::NMI);
            ready += 1;
        }
        if ready > cycle {
            self.stall = (ready, seen);
            self.stalls += 1;
        }
        ready
    }
}
