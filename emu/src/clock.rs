//! Stepping by single cycles. Instructions are written once, as straight-line code; a CPU in the middle of
//! one is the CPU at its start and what its cycles so far have read. A cycle runs the instruction again
//! from there on the record, goes to the real bus once, and drops the rest.

use alloc::vec::Vec;

use crate::state::{State, StateError, state};
use crate::{Bus, Cpu, Hooks, Nmos, Phase, Pins, Run, Stop, Until, Variant};

/// The most cycles of one instruction, each once stalled and once done.
const RECORD: usize = 2 * 10;

/// A CPU that is stepped by single cycles, and may be saved, restored and compared between any two.
#[derive(Debug, Clone)]
pub struct Clocked<V: Variant = Nmos> {
    /// At the start of the instruction in progress.
    cpu: Cpu<V>,
    record: [Cycle; RECORD],
    len: usize,
    /// Stalled cycles of this instruction beyond the one the record has for each stall.
    stalls: u64,
    /// The pins after the last cycle before the instruction in progress, if there was one.
    entry: Option<Pins>,
}

/// The result of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Cycle {
    value: u8,
    pins: Pins,
    /// RDY was low in a read: the next entry is the same cycle again.
    stalled: bool,
}

/// Of the record, only the cycles of the instruction in progress count.
impl<V: Variant> PartialEq for Clocked<V> {
    fn eq(&self, other: &Clocked<V>) -> bool {
        self.cpu == other.cpu
            && self.record[..self.len] == other.record[..other.len]
            && (self.stalls, self.entry) == (other.stalls, other.entry)
    }
}

impl<V: Variant> Eq for Clocked<V> {}

impl<V: Variant> Clocked<V> {
    /// Takes a CPU at an instruction boundary.
    pub fn new(cpu: Cpu<V>) -> Clocked<V> {
        Clocked { cpu, record: [Cycle::default(); RECORD], len: 0, stalls: 0, entry: None }
    }

    /// The CPU, if it is between two instructions.
    pub fn cpu(&self) -> Option<&Cpu<V>> {
        self.is_between().then_some(&self.cpu)
    }

    /// The CPU as it was before the instruction in progress.
    pub fn before(&self) -> &Cpu<V> {
        &self.cpu
    }

    /// Whether no instruction is in progress.
    pub fn is_between(&self) -> bool {
        self.len == 0
    }

    /// Cycles so far, those of the instruction in progress included.
    pub fn cycles(&self) -> u64 {
        self.cpu.cycles + self.len as u64 + self.stalls
    }

    /// Runs one cycle: one read or one write on the bus, whatever the CPU is doing.
    pub fn cycle<B: Bus>(&mut self, bus: &mut B) {
        if matches!(self.cpu.phase, Phase::Jammed | Phase::Stopped) {
            self.stand_still(bus);
            return;
        }
        let mut cpu = self.cpu.clone();
        let mut replay = Replay { clocked: self, bus, at: 0, live: false, over: false };
        cpu.run(&mut replay, Until::cycles(1));
        let over = replay.over;
        if !over {
            cpu.cycles += self.stalls;
            self.cpu = cpu;
            self.len = 0;
            self.stalls = 0;
            self.entry = Some(bus.pins(self.cpu.cycles));
        }
    }

    /// Runs whole cycles until the CPU is between two instructions; at least one.
    pub fn finish<B: Bus>(&mut self, bus: &mut B) {
        loop {
            self.cycle(bus);
            if self.is_between() {
                return;
            }
        }
    }

    /// Between two instructions of a running CPU: runs whole instructions until at least this many cycles are over, much
    /// faster than one by one. Elsewhere it does nothing and returns `false`.
    pub(crate) fn run_whole<B: Bus>(&mut self, bus: &mut B, cycles: u64) -> bool {
        if !self.is_between() || !matches!(self.cpu.phase, Phase::Running | Phase::Reset) {
            return false;
        }
        let before = self.cpu.cycles;
        self.cpu.run(bus, Until::cycles(cycles));
        self.entry = Some(bus.pins(self.cpu.cycles));
        self.cpu.cycles != before
    }

    /// A jammed CPU reads $FFFF, a stopped one its next opcode, until RES is low.
    fn stand_still<B: Bus>(&mut self, bus: &mut B) {
        let addr = if self.cpu.phase == Phase::Jammed { 0xffff } else { self.cpu.registers.pc };
        bus.read(addr, self.cpu.cycles);
        self.cpu.cycles += 1;
        if B::PINS.has(Pins::RES) && bus.pins(self.cpu.cycles).has(Pins::RES) {
            self.cpu.reset();
            self.cpu.phase = Phase::Held;
        }
    }
}

state!(Cycle { value, pins, stalled });

impl<V: Variant> State for Clocked<V> {
    fn save(&self, to: &mut Vec<u8>) {
        self.cpu.save(to);
        (self.len as u8).save(to);
        for cycle in &self.record[..self.len] {
            cycle.save(to);
        }
        self.stalls.save(to);
        self.entry.save(to);
    }

    fn load(from: &mut &[u8]) -> Result<Clocked<V>, StateError> {
        let mut clocked = Clocked::new(State::load(from)?);
        clocked.len = usize::from(u8::load(from)?);
        let record = clocked.record.get_mut(..clocked.len);
        for place in record.ok_or(StateError::Impossible("an instruction is too long"))? {
            *place = State::load(from)?;
        }
        clocked.stalls = State::load(from)?;
        clocked.entry = State::load(from)?;
        if clocked.stalls > 0 || clocked.len >= RECORD / 2 {
            return Err(StateError::Impossible("an instruction has more cycles than it can"));
        }
        Ok(clocked)
    }
}

/// A bus that gives what is recorded, then one real cycle, then nothing.
struct Replay<'a, B, V: Variant> {
    clocked: &'a mut Clocked<V>,
    bus: &'a mut B,
    /// The next entry of the record.
    at: usize,
    /// The real cycle has happened.
    live: bool,
    /// The instruction asked for more.
    over: bool,
}

impl<B: Bus, V: Variant> Replay<'_, B, V> {
    /// The recorded value of the next cycle, or `None` if it is the real one. After that, nothing counts.
    fn recorded(&mut self) -> Option<u8> {
        if self.live {
            self.over = true;
            return Some(0);
        }
        let cycle = self.clocked.record[..self.clocked.len].get(self.at)?;
        self.at += 1;
        Some(cycle.value)
    }

    fn keep(&mut self, value: u8, cycle: u64, stallable: bool) {
        self.live = true;
        let pins = self.bus.pins(cycle + 1);
        let stalled = stallable && B::PINS.has(Pins::RDY) && pins.has(Pins::RDY);
        // Of a long stall it matters only what was seen at some time.
        let mut pins = pins;
        if stalled && self.at > 0 && self.clocked.record[self.at - 1].stalled {
            self.at -= 1;
            self.clocked.stalls += 1;
            pins = pins | self.clocked.record[self.at].pins;
        }
        self.clocked.record[self.at] = Cycle { value, pins, stalled };
        self.at += 1;
        self.clocked.len = self.at;
    }
}

impl<B: Bus, V: Variant> Bus for Replay<'_, B, V> {
    const PINS: Pins = B::PINS;

    #[inline(never)]
    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        if let Some(value) = self.recorded() {
            return value;
        }
        let cycle = cycle + self.clocked.stalls;
        let value = self.bus.read(addr, cycle);
        self.keep(value, cycle, true);
        value
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        if self.recorded().is_none() {
            let cycle = cycle + self.clocked.stalls;
            self.bus.write(addr, value, cycle);
            self.keep(0, cycle, false);
        }
    }

    #[inline(never)]
    fn pins(&mut self, _cycles: u64) -> Pins {
        match self.at.checked_sub(1) {
            Some(last) if !self.over => self.clocked.record[last].pins,
            Some(_) => Pins::NONE,
            // Before the first cycle only a waiting CPU asks.
            None => *self.clocked.entry.get_or_insert_with(|| self.bus.pins(self.clocked.cpu.cycles)),
        }
    }

    #[inline(never)]
    fn acknowledge(&mut self, edges: Pins) {
        if self.live && !self.over {
            self.bus.acknowledge(edges);
        }
    }

    fn run_cpu<U: Variant, H: Hooks>(&mut self, run: Run<'_, U, H>) -> Stop {
        run.shared(self)
    }
}
