//! A stretch of bus cycles with changes of the input pins.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{BusCycle, Event, Kind, Recorder, VectorError, bus_cycles, fields, items, memory, registers};
use crate::{Access, Clocked, Cpu, Hooks, Pins, Registers, Unstable, Variant};

/// A recorded stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// The name in reports.
    pub name: String,
    /// The registers before it.
    pub before: Registers,
    /// Memory that is not `nop`.
    pub memory: Vec<(u16, u8)>,
    /// In order of their cycles.
    pub events: Vec<Event>,
    /// The bus cycles.
    pub cycles: Vec<BusCycle>,
}

/// How the CPU is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stepping {
    /// With [`Cpu::step_with`].
    Instructions,
    /// With [`Clocked::cycle`].
    Cycles,
}

impl Trace {
    /// Reads `NAME|registers|memory|events|bus cycles`.
    pub fn parse(line: &str) -> Result<Trace, VectorError> {
        let [name, before, ram, events, cycles] = fields(line)?;
        let mut events = items(events).map(event).collect::<Result<Vec<_>, _>>()?;
        events.sort_by_key(|event| event.cycle);
        Ok(Trace {
            name: name.to_string(),
            before: registers(before)?,
            memory: memory(ram)?,
            events,
            cycles: bus_cycles(cycles)?,
        })
    }

    /// Whether the cycles found are as recorded, where the record binds.
    pub fn matches(&self, found: &[BusCycle]) -> bool {
        let Some(from) = self.reset_fetch() else { return found == self.cycles };
        let (expected, Some(found)) = (&self.cycles[from..], found.get(from..)) else { return false };
        // RES cuts an instruction short; what is left in PC and S then is up to the chip. The two reads at PC
        // bind in kind, and the stack only in how it moves on.
        let stack = |cycles: &[BusCycle]| cycles.get(2).map_or(0, |cycle| cycle.addr as u8);
        let (expected_s, found_s) = (stack(expected), stack(found));
        expected.len() == found.len()
            && expected.iter().zip(found).enumerate().all(|(index, (expected, found))| {
                let on_stack =
                    (0x0100..0x0200).contains(&expected.addr) && (0x0100..0x0200).contains(&found.addr);
                let same_place = if on_stack {
                    (expected.addr as u8).wrapping_sub(expected_s) == (found.addr as u8).wrapping_sub(found_s)
                } else {
                    expected.addr == found.addr && expected.value == found.value
                };
                expected.kind == found.kind && (index < 2 || same_place)
            })
    }

    /// The first fetch after RES is high again.
    fn reset_fetch(&self) -> Option<usize> {
        let release = self.events.iter().rfind(|event| event.pin == Pins::RES && !event.is_low)?;
        let released = usize::try_from(release.cycle).ok()?.min(self.cycles.len());
        let fetch = self.cycles[released..].iter().position(|cycle| cycle.kind == Kind::Fetch)?;
        Some(released + fetch)
    }

    /// As [`Trace::matches`], for cycles that do not know of SYNC.
    pub fn matches_without_sync(&self, found: &[BusCycle]) -> bool {
        let marked: Vec<BusCycle> = self
            .cycles
            .iter()
            .zip(found)
            .map(|(expected, found)| match (expected.kind, found.kind) {
                (Kind::Fetch, Kind::Read) => BusCycle { kind: Kind::Fetch, ..*found },
                _ => *found,
            })
            .collect();
        found.len() == self.cycles.len() && self.matches(&marked)
    }

    /// Runs the stretch and gives the bus cycles seen. Stepping by cycle cannot see SYNC: its reads are
    /// all plain (see [`Trace::matches_without_sync`]).
    pub fn run<V: Variant>(&self, stepping: Stepping, unstable: Unstable) -> Vec<BusCycle> {
        let mut recorder = Recorder::new(0xea).with_events(self.events.clone());
        recorder.store(&self.memory);
        let mut cpu = Cpu::<V>::with_registers(self.before);
        cpu.unstable = unstable;
        match stepping {
            Stepping::Instructions => {
                let mut sync = Sync(Vec::new());
                while recorder.cycles.len() < self.cycles.len() {
                    let before = recorder.cycles.len();
                    cpu.step_with(&mut recorder, &mut sync);
                    if recorder.cycles.len() == before {
                        break;
                    }
                }
                for (cycle, _) in recorder.cycles.iter_mut().zip(sync.0).filter(|(_, sync)| *sync) {
                    cycle.kind = Kind::Fetch;
                }
            }
            Stepping::Cycles => {
                let mut cpu = Clocked::new(cpu);
                while recorder.cycles.len() < self.cycles.len() {
                    cpu.cycle(&mut recorder);
                }
            }
        }
        recorder.cycles.truncate(self.cycles.len());
        recorder.cycles
    }
}

fn event(text: &str) -> Result<Event, VectorError> {
    let error = || VectorError::new("an event (i0@3) expected", text);
    let (line, cycle) = text.split_once('@').ok_or_else(error)?;
    let (pin, is_low) = match line.as_bytes() {
        [pin, level @ (b'0' | b'1')] => (*pin, *level == b'0'),
        _ => return Err(error()),
    };
    let pin = match pin {
        b'i' => Pins::IRQ,
        b'n' => Pins::NMI,
        b'r' => Pins::RES,
        b'y' => Pins::RDY,
        b's' => Pins::SO,
        _ => return Err(error()),
    };
    Ok(Event { pin, is_low, cycle: cycle.parse().map_err(|_| error())? })
}

/// For every cycle whether SYNC was high.
struct Sync(Vec<bool>);

impl Hooks for Sync {
    #[inline(never)]
    fn read(&mut self, _addr: u16, _value: u8, access: Access, _cycles: u64) {
        self.0.push(access == Access::Opcode);
    }

    #[inline(never)]
    fn write(&mut self, _addr: u16, _value: u8, _access: Access, _cycles: u64) {
        self.0.push(false);
    }
}
