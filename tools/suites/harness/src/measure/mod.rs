//! Measured cycles of a program, by routine, line and loop.
//! Made from the events of a run; knows nothing of files, revisions or terminals.

mod bounds;
mod callgrind;
mod compare;
pub mod inputs;
mod text;

pub use bounds::{Bound, BoundDifference, Standing, bound_differences, bounds};
pub use callgrind::callgrind;
pub use compare::{Change, Difference, differences};
pub use text::{Detail, Page};

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tempo_diagnostics::hex_address;
use tempo_isa::{Class, Mode};

use crate::events::{Event, Outcome};
use crate::meter::Meter;
use crate::plan::Surroundings;

/// A measurement, as it is kept in files. **Cycles are exact: two measurements of one program are equal.**
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The request: one row for each routine, or for each bench of a suite.
    pub rows: Vec<Row>,
    /// Every routine that ran, the one with the most cycles of its own first.
    pub routines: Vec<Routine>,
    /// Every line that ran, by file and number.
    #[serde(default)]
    pub lines: Vec<Line>,
    /// Every loop that turned, the dearest first.
    #[serde(default)]
    pub loops: Vec<Loop>,
    /// All cycles.
    pub cycles: u64,
    /// The command line's request; a suite says it itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Asked>,
}

/// The settings beside the program that decide the cycles of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The inputs as they were written.
    pub with: Vec<String>,
    /// The machine.
    pub system: String,
    /// Addresses that return at once.
    pub stubs: Vec<String>,
}

/// Calls of one routine from the outside, over all inputs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The routine; of a suite, suite, bench and routine.
    pub name: String,
    /// How many calls were measured.
    pub calls: u64,
    /// The cheapest call.
    pub min: u64,
    /// The sum of all calls over their number.
    pub mean: f64,
    /// The dearest call.
    pub max: u64,
    /// The input of the first cheapest call; empty if there is only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub min_at: String,
    /// The input of the first dearest call.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub max_at: String,
}

/// Where a routine or line is.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct At {
    /// The source, if it is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Its line, from 1; 0 without a source.
    #[serde(default)]
    pub line: u32,
    /// The address; of a line, the lowest.
    pub address: u16,
}

/// The cycles of a routine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Routine {
    /// The label it was called at.
    pub name: String,
    /// Where it begins.
    #[serde(flatten)]
    pub at: At,
    /// How often it was called.
    pub calls: u64,
    /// Cycles of its own instructions.
    pub own: u64,
    /// The same with what it calls; calls of itself are in the outermost one.
    pub total: u64,
}

/// The cycles of a source line; without a source, of an instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Where it is.
    #[serde(flatten)]
    pub at: At,
    /// As written.
    pub text: String,
    /// How often it ran.
    pub runs: u64,
    /// Its cycles.
    pub cycles: u64,
    /// Those of them that crossed a page.
    pub crossings: u64,
    /// The access that crosses, for a line that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crosses: Option<String>,
}

/// The cycles of a loop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    /// The label at its head.
    pub name: String,
    /// Its first instruction.
    #[serde(flatten)]
    pub at: At,
    /// The line and address of the jump back.
    pub last_line: u32,
    /// The address of the jump back.
    pub last: u16,
    /// How often it was entered.
    pub entries: u64,
    /// How often its first instruction ran.
    pub turns: u64,
    /// Cycles of the instructions in it, and of what they call.
    pub cycles: u64,
}

impl Measurement {
    /// Reads the events of a run with [`crate::run::RunOptions::meter`] on. `input` names the row of a test and the
    /// input it stands for; tests that it does not know are left out.
    pub fn from_events(
        events: &[Event],
        mut input: impl FnMut(&crate::events::TestReport, &str) -> Option<(String, String)>,
    ) -> Measurement {
        let mut measured = Measurement::default();
        let mut rows = Rows::default();
        // Tests of one program that ran on several threads are told of one by one.
        let mut parts: Vec<(&Arc<Surroundings>, tempo_isa::Cpu, Meter)> = Vec::new();
        for event in events {
            match event {
                Event::Test(test) if test.outcome == Outcome::Passed => {
                    for (routine, cycles) in &test.samples {
                        if let Some((row, input)) = input(test, routine) {
                            rows.add(row, input, *cycles);
                        }
                    }
                }
                Event::Meter(report) => {
                    for (place, meter) in &report.parts {
                        match parts.iter_mut().find(|(known, ..)| Arc::ptr_eq(known, place)) {
                            Some((_, _, sum)) => sum.merge(meter),
                            None => parts.push((place, report.cpu, meter.clone())),
                        }
                    }
                }
                _ => {}
            }
        }
        for (place, cpu, meter) in &parts {
            measured.add(&Part { place, meter, cpu: *cpu });
        }
        measured.rows = rows.finish();
        measured.routines.sort_by(|one, two| two.own.cmp(&one.own).then_with(|| one.name.cmp(&two.name)));
        measured.lines.sort_by(|one, two| one.at.cmp(&two.at));
        measured.loops.sort_by(|one, two| two.cycles.cmp(&one.cycles).then_with(|| one.at.cmp(&two.at)));
        measured
    }

    fn add(&mut self, part: &Part<'_>) {
        self.cycles += part.meter.spent.values().map(|spent| spent.cycles).sum::<u64>();
        part.add_routines(&mut self.routines);
        part.add_lines(&mut self.lines);
        part.add_loops(&mut self.loops);
    }

    /// Cycles that crossing pages took.
    pub fn crossings(&self) -> u64 {
        self.lines.iter().map(|line| line.crossings).sum()
    }
}

/// Rows in the order they are first met.
#[derive(Default)]
struct Rows {
    index: HashMap<String, usize>,
    rows: Vec<(Row, u64)>,
}

impl Rows {
    fn add(&mut self, name: String, input: String, cycles: u64) {
        let at = *self.index.entry(name.clone()).or_insert_with(|| {
            self.rows.push((Row { name, min: u64::MAX, ..Row::default() }, 0));
            self.rows.len() - 1
        });
        let (row, sum) = &mut self.rows[at];
        row.calls += 1;
        *sum += cycles;
        if cycles < row.min {
            (row.min, row.min_at) = (cycles, input.clone());
        }
        if cycles > row.max || row.calls == 1 {
            (row.max, row.max_at) = (cycles, input);
        }
    }

    fn finish(self) -> Vec<Row> {
        let finish = |(mut row, sum): (Row, u64)| {
            row.mean = sum as f64 / row.calls as f64;
            if row.min == row.max || row.min_at == row.max_at {
                row.min_at.clear();
                row.max_at.clear();
            }
            row
        };
        self.rows.into_iter().map(finish).collect()
    }
}

/// The counts of one program, with its names and lines.
struct Part<'a> {
    place: &'a Surroundings,
    meter: &'a Meter,
    cpu: tempo_isa::Cpu,
}

impl Part<'_> {
    fn at(&self, address: u16) -> At {
        let lines = &self.place.lines;
        let found = lines.find(address);
        let file = found.and_then(|place| lines.path(place)).unwrap_or_default().to_string();
        At { file, line: found.map_or(0, |place| place.line), address }
    }

    fn bytes(&self, address: u16) -> [u8; 3] {
        [0, 1, 2].map(|offset| loaded(self.place, address.wrapping_add(offset)).unwrap_or(0))
    }

    fn name(&self, address: u16) -> String {
        self.place.names.describe(address).unwrap_or_else(|| hex_address(address))
    }

    fn add_routines(&self, routines: &mut Vec<Routine>) {
        let mut found: BTreeMap<u16, Routine> = BTreeMap::new();
        let mut of = |address: u16, change: &mut dyn FnMut(&mut Routine)| {
            let fresh = || Routine { name: self.name(address), at: self.at(address), ..Routine::default() };
            change(found.entry(address).or_insert_with(fresh));
        };
        for (&(routine, _), spent) in &self.meter.spent {
            of(routine, &mut |routine| {
                routine.own += spent.cycles;
                routine.total += spent.outer;
            });
        }
        for (&(caller, _, callee), called) in &self.meter.called {
            of(caller, &mut |routine| routine.total += called.outer);
            of(callee, &mut |routine| routine.calls += called.count);
        }
        for (&entry, count) in &self.meter.entered {
            of(entry, &mut |routine| routine.calls += count);
        }
        for routine in found.into_values() {
            match routines.iter_mut().find(|known| known.name == routine.name && known.at == routine.at) {
                Some(known) => {
                    known.calls += routine.calls;
                    known.own += routine.own;
                    known.total += routine.total;
                }
                None => routines.push(routine),
            }
        }
    }

    fn add_lines(&self, all: &mut Vec<Line>) {
        let lines = &self.place.lines;
        /// A macro's line has one column and many addresses: its runs are those of one column.
        #[derive(Default)]
        struct Sum {
            line: Line,
            columns: BTreeMap<u32, u64>,
            crosses: BTreeSet<String>,
        }
        let mut sums: BTreeMap<(String, u32, u16), Sum> = BTreeMap::new();
        for (&(_, address), spent) in &self.meter.spent {
            let at = self.at(address);
            let found = lines.find(address);
            let key = (at.file.clone(), at.line, if found.is_some() { 0 } else { address });
            let sum = sums.entry(key).or_insert_with(|| {
                let text = match found.and_then(|place| lines.text(place)) {
                    Some(text) => text.trim_end().to_string(),
                    None if loaded(self.place, address).is_none() => "not in the program".to_string(),
                    None => tempo_emu::disassemble(self.cpu, address, self.bytes(address)).to_string(),
                };
                Sum { line: Line { at: at.clone(), text, ..Line::default() }, ..Sum::default() }
            });
            sum.line.at.address = sum.line.at.address.min(address);
            sum.line.cycles += spent.cycles;
            sum.line.crossings += spent.crossings;
            *sum.columns.entry(found.map_or(0, |place| place.column)).or_default() += spent.runs;
            if spent.crossings > 0 {
                sum.crosses.insert(self.crossing(address));
            }
        }
        let key = |at: &At| (at.file.clone(), at.line, if at.line == 0 { at.address } else { 0 });
        let mut known: HashMap<(String, u32, u16), usize> =
            all.iter().enumerate().map(|(index, line)| (key(&line.at), index)).collect();
        for sum in sums.into_values() {
            let mut line = sum.line;
            line.runs = sum.columns.values().copied().max().unwrap_or(0);
            line.crosses = (!sum.crosses.is_empty())
                .then(|| sum.crosses.into_iter().take(2).collect::<Vec<_>>().join("; "));
            match known.get(&key(&line.at)) {
                Some(&index) => {
                    let known = &mut all[index];
                    known.runs += line.runs;
                    known.cycles += line.cycles;
                    known.crossings += line.crossings;
                    known.crosses = known.crosses.take().or(line.crosses);
                }
                None => {
                    known.insert(key(&line.at), all.len());
                    all.push(line);
                }
            }
        }
    }

    /// The effect of an instruction that crosses a page, and the remedy.
    fn crossing(&self, address: u16) -> String {
        let bytes = self.bytes(address);
        let row = self.cpu.decode(bytes[0]);
        let next = address.wrapping_add(row.len() as u16);
        let word = u16::from_le_bytes([bytes[1], bytes[2]]);
        match row.mode {
            Mode::AbsoluteX | Mode::AbsoluteY => {
                let index = if row.mode == Mode::AbsoluteX { 'X' } else { 'Y' };
                let from = 0x100 - (word & 0xff);
                let table = self.place.names.describe(word).map_or(String::new(), |name| format!("{name} "));
                format!("{table}(${word:04X}) reaches the next page when {index} is {from} or more")
            }
            Mode::IndirectY => format!("the pointer at ${:02X} and Y reach the next page", bytes[1]),
            _ if row.class == Class::Branch => {
                let offset = bytes[row.len() - 1].cast_signed();
                let target = next.wrapping_add_signed(i16::from(offset));
                format!("jumps from page ${:02X} to page ${:02X}", next >> 8, target >> 8)
            }
            _ => "reaches the next page".to_string(),
        }
    }

    fn add_loops(&self, loops: &mut Vec<Loop>) {
        let mut heads: BTreeMap<u16, (u16, u64)> = BTreeMap::new();
        for (&(from, to), &count) in &self.meter.back {
            let (last, sum) = heads.entry(to).or_insert((from, 0));
            *last = from.max(*last);
            *sum += count;
        }
        let mut routines: HashMap<u16, Vec<u16>> = HashMap::new();
        for &(routine, address) in self.meter.spent.keys().filter(|(_, address)| heads.contains_key(address))
        {
            routines.entry(address).or_default().push(routine);
        }
        for (head, (last, back)) in heads {
            let inside: Vec<u16> = routines.remove(&head).unwrap_or_default();
            let holds =
                |routine: &u16, address: &u16| inside.contains(routine) && (head..=last).contains(address);
            let spent = self.meter.spent.iter();
            let own: u64 = spent
                .filter(|((routine, address), _)| holds(routine, address))
                .map(|(_, spent)| spent.outer)
                .sum();
            let called = self.meter.called.iter();
            let below: u64 = called
                .filter(|((routine, from, _), _)| holds(routine, from))
                .map(|(_, called)| called.outer)
                .sum();
            let turns: u64 = inside
                .iter()
                .filter_map(|&routine| self.meter.spent.get(&(routine, head)))
                .map(|spent| spent.runs)
                .sum();
            let found = Loop {
                name: self.name(head),
                at: self.at(head),
                last_line: self.at(last).line,
                last,
                entries: turns.saturating_sub(back),
                turns,
                cycles: own + below,
            };
            match loops.iter_mut().find(|known| known.at == found.at && known.last == found.last) {
                Some(known) => {
                    known.entries += found.entries;
                    known.turns += found.turns;
                    known.cycles += found.cycles;
                }
                None => loops.push(found),
            }
        }
    }
}

/// The byte that a file put at an address; the last file counts.
fn loaded(place: &Surroundings, address: u16) -> Option<u8> {
    place.loads.iter().rev().find_map(|load| {
        let offset = address.checked_sub(load.address)?;
        load.bytes.get(usize::from(offset)).copied()
    })
}
