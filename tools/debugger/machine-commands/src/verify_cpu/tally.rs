//! Counting what passed and failed, by opcode and by kind of trace, and showing the first difference.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use tempo_emu::vectors::{OpcodeCase, Outcome, Stepping, Trace, side_by_side};
use tempo_emu::{Unstable, Variant};

/// The results of some vectors.
#[derive(Default)]
pub struct Tally {
    opcodes: BTreeMap<u8, Counts>,
    traces: BTreeMap<String, Count>,
    first: Option<String>,
}

#[derive(Default, Clone, Copy)]
struct Counts {
    state: Count,
    bus: Count,
}

#[derive(Default, Clone, Copy)]
struct Count {
    passed: u64,
    failed: u64,
}

impl Count {
    fn add(&mut self, is_pass: bool) {
        if is_pass {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }

    fn merge(&mut self, other: Count) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    fn json(self) -> serde_json::Value {
        serde_json::json!({ "passed": self.passed, "failed": self.failed })
    }
}

impl Tally {
    pub fn add_case(&mut self, case: &OpcodeCase, outcome: &Outcome) {
        let (state, bus) = (case.state_matches(outcome), case.bus_matches(outcome));
        let counts = self.opcodes.entry(case.opcode).or_default();
        counts.state.add(state);
        counts.bus.add(bus);
        if !(state && bus) {
            self.first.get_or_insert_with(|| describe(case, outcome));
        }
    }

    pub fn add_trace<V: Variant>(&mut self, trace: &Trace, unstable: Unstable) {
        let by_instruction = trace.run::<V>(Stepping::Instructions, unstable);
        let by_cycle = trace.run::<V>(Stepping::Cycles, unstable);
        let difference = if !trace.matches(&by_instruction) {
            Some(by_instruction)
        } else if !trace.matches_without_sync(&by_cycle) {
            Some(by_cycle)
        } else {
            None
        };
        let group = trace.name.split('.').take(2).collect::<Vec<_>>().join(".");
        self.traces.entry(group).or_default().add(difference.is_none());
        if let Some(found) = difference {
            self.first.get_or_insert_with(|| {
                format!(
                    "trace {}\nbefore    {}\n{}",
                    trace.name,
                    trace.before,
                    side_by_side(&trace.cycles, &found)
                )
            });
        }
    }

    pub fn merge(mut self, other: Tally) -> Tally {
        for (opcode, counts) in other.opcodes {
            let own = self.opcodes.entry(opcode).or_default();
            own.state.merge(counts.state);
            own.bus.merge(counts.bus);
        }
        for (group, count) in other.traces {
            self.traces.entry(group).or_default().merge(count);
        }
        self.first = self.first.or(other.first);
        self
    }

    /// Comparisons that failed.
    pub fn failed(&self) -> u64 {
        let opcodes: u64 = self.opcodes.values().map(|counts| counts.state.failed + counts.bus.failed).sum();
        opcodes + self.traces.values().map(|count| count.failed).sum::<u64>()
    }

    pub fn print_text(&self, out: &mut dyn Write, isa: tempo_isa::Cpu) -> io::Result<()> {
        if !self.opcodes.is_empty() {
            writeln!(out, "opcode          state passed  failed     bus passed  failed")?;
        }
        let mut total = Counts::default();
        for (&opcode, counts) in &self.opcodes {
            let row = isa.decode(opcode);
            let name = format!("{} {}", row.mnemonic, row.mode);
            writeln!(
                out,
                "{opcode:02x}  {name:<9} {:>15} {:>7} {:>14} {:>7}",
                counts.state.passed, counts.state.failed, counts.bus.passed, counts.bus.failed
            )?;
            total.state.merge(counts.state);
            total.bus.merge(counts.bus);
        }
        if !self.traces.is_empty() {
            writeln!(out, "trace                                       bus passed  failed")?;
        }
        let mut traces = Count::default();
        for (group, count) in &self.traces {
            writeln!(out, "{group:<29} {:>24} {:>7}", count.passed, count.failed)?;
            traces.merge(*count);
        }
        if let Some(first) = &self.first {
            writeln!(out, "\nfirst difference: {first}")?;
        }
        writeln!(
            out,
            "{} cases: state {} passed, {} failed; bus {} passed, {} failed",
            total.state.passed + total.state.failed,
            total.state.passed,
            total.state.failed,
            total.bus.passed,
            total.bus.failed
        )?;
        writeln!(
            out,
            "{} traces: {} passed, {} failed",
            traces.passed + traces.failed,
            traces.passed,
            traces.failed
        )
    }

    pub fn json(&self) -> serde_json::Value {
        let opcodes: serde_json::Map<_, _> = self
            .opcodes
            .iter()
            .map(|(opcode, counts)| {
                let counts = serde_json::json!({ "state": counts.state.json(), "bus": counts.bus.json() });
                (format!("{opcode:02x}"), counts)
            })
            .collect();
        let traces: serde_json::Map<_, _> =
            self.traces.iter().map(|(group, count)| (group.clone(), count.json())).collect();
        serde_json::json!({
            "failed": self.failed(),
            "opcodes": opcodes,
            "traces": traces,
            "first_difference": self.first,
        })
    }
}

fn describe(case: &OpcodeCase, outcome: &Outcome) -> String {
    let mut text = format!(
        "{}\nbefore    {}\nexpected  {}\nfound     {}\n",
        case.name, case.before, case.after, outcome.registers
    );
    for (&(addr, expected), &(_, found)) in case.memory_after.iter().zip(&outcome.memory) {
        if expected != found {
            writeln!(text, "memory    {addr:04X} expected {expected:02X}, found {found:02X}")
                .expect("a string");
        }
    }
    text + &side_by_side(&case.cycles, &outcome.cycles)
}
