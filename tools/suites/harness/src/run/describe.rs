//! Addresses in the user's words: labels, source lines, calls, traces, coverage and profiles.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tempo_diagnostics::hex_address;

use crate::events::{
    CodePlace, CoverageReport, FileCoverage, FunctionCoverage, LineCoverage, ProfileReport, TestReport,
};
use crate::lines::Lines;
use crate::meter::Meter;
use crate::parse::Dialect;
use crate::plan::{Surroundings, TestPlan};
use crate::probe::{Coverage, Probe, TraceLine};

/// Where an address is in the program.
pub(super) fn place(address: u16, test: &TestPlan) -> CodePlace {
    let lines = &test.place.lines;
    let found = lines.find(address);
    let source = found.and_then(|place| lines.path(place).map(|path| format!("{path}:{}", place.line)));
    let line = found.and_then(|place| lines.text(place)).map(|text| text.trim().to_string());
    CodePlace { address, label: test.place.names.describe(address), source, line }
}

/// The last calls, oldest first.
pub(super) fn calls(probe: &Probe, test: &TestPlan) -> Vec<String> {
    let name = |address: u16| test.place.names.describe(address).unwrap_or_else(|| hex_address(address));
    probe
        .calls
        .iter()
        .map(|call| {
            format!(
                "{} from {} (${:04X})  A=${:02X} X=${:02X} Y=${:02X}",
                name(call.target),
                name(call.from),
                call.from,
                call.a,
                call.x,
                call.y
            )
        })
        .collect()
}

pub(super) fn needs_backend(name: &str) -> String {
    let backend = match name {
        "uci" | "uci_status" | "uci_data" => "u64",
        _ => "vice",
    };
    format!("`{name}` needs the {backend} back end; this run uses `sim`")
}

/// The trace of a test as text.
pub(super) fn trace_lines(
    probe: &Probe,
    test: &TestPlan,
    cpu: tempo_isa::Cpu,
    dialect: Dialect,
) -> Vec<String> {
    let mut lines = Vec::with_capacity(probe.trace.len() + 1);
    if probe.trace_dropped > 0 {
        lines.push(format!("… {} earlier instructions are left out", probe.trace_dropped));
    }
    lines.extend(probe.trace.iter().map(|line| trace_line(line, test, cpu, dialect)));
    lines
}

fn trace_line(line: &TraceLine, test: &TestPlan, cpu: tempo_isa::Cpu, dialect: Dialect) -> String {
    let registers = &line.registers;
    let text = tempo_emu::disassemble(cpu, registers.pc, line.bytes).to_string();
    let (mnemonic, operand) = text.split_once(' ').unwrap_or((&text, ""));
    let flag =
        |mask: u8, letter: char| if registers.p.has(mask) { letter.to_ascii_uppercase() } else { letter };
    let fixed = |mask: u8, letter: char| if dialect == Dialect::Base { letter } else { flag(mask, letter) };
    let flags: String = [
        flag(0x80, 'n'),
        flag(0x40, 'v'),
        '-',
        fixed(0x10, 'b'),
        fixed(0x08, 'd'),
        flag(0x04, 'i'),
        flag(0x02, 'z'),
        flag(0x01, 'c'),
    ]
    .iter()
    .collect();
    let mut out = format!(
        "${:04X}: {} {:<10} A=${:02X} X=${:02X} Y=${:02X} SP=${:02X} {flags}",
        registers.pc,
        mnemonic.to_uppercase(),
        operand.to_uppercase(),
        registers.a,
        registers.x,
        registers.y,
        registers.s,
    );
    if dialect == Dialect::Full {
        out.push_str(&format!(" {:>9}", line.cycles));
        if let Some(label) = test.place.names.describe(registers.pc) {
            out.push_str(&format!("  {label}"));
        }
    }
    out
}

/// Coverage of one unit of a suite, by source line.
#[derive(Default)]
pub(super) struct CoverageSum {
    files: BTreeMap<String, FileSum>,
    /// The program that runs.
    place: Option<Arc<Surroundings>>,
}

#[derive(Default)]
struct FileSum {
    text: Vec<String>,
    lines: BTreeMap<u32, LineSum>,
    /// By line and name.
    functions: BTreeMap<(u32, String), u64>,
}

#[derive(Default)]
struct LineSum {
    /// Hits by column: a macro's line has one column and many addresses.
    columns: BTreeMap<u32, u64>,
    branches: BTreeMap<u32, (u64, u64)>,
}

impl CoverageSum {
    /// A test of this program comes next. Addresses become lines only when another program comes, or at the end: there
    /// may be many tests and many lines.
    pub fn turn_to(&mut self, place: &Arc<Surroundings>, coverage: &mut Coverage) {
        if !self.place.as_ref().is_some_and(|known| Arc::ptr_eq(known, place)) {
            self.settle(coverage);
            self.place = Some(place.clone());
        }
    }

    /// Adds what was executed so far and clears the counts.
    pub fn settle(&mut self, coverage: &mut Coverage) {
        let Some(place) = self.place.take() else { return };
        let lines = &place.lines;
        let byte = |address: u16| {
            place.loads.iter().rev().find_map(|load| {
                let offset = address.checked_sub(load.address)?;
                load.bytes.get(usize::from(offset)).copied()
            })
        };
        // By the suites and by the program itself.
        let mut called = coverage.entries().clone();
        for (address, statement) in lines.statements().filter(|(_, statement)| statement.is_code) {
            let Some(path) = lines.path(statement.place) else { continue };
            let opcode = byte(address);
            let line = self.file(path, lines).lines.entry(statement.place.line).or_default();
            let hits = coverage.hits[usize::from(address)];
            *line.columns.entry(statement.place.column).or_default() += u64::from(hits);
            // A branch that never ran is a branch all the same: the opcode tells it.
            if opcode.is_some_and(|opcode| opcode & 0x1f == 0x10) {
                let [taken, passed] = coverage.branch(address);
                let counts = line.branches.entry(statement.place.column).or_default();
                counts.0 += u64::from(taken);
                counts.1 += u64::from(passed);
            }
            if opcode == Some(tempo_isa::opcodes::JSR)
                && let (Some(low), Some(high)) =
                    (byte(address.wrapping_add(1)), byte(address.wrapping_add(2)))
            {
                called.insert(u16::from_le_bytes([low, high]));
            }
        }
        for address in called {
            let (Some(at), Some(name)) = (lines.find(address), place.names.at(i64::from(address))) else {
                continue;
            };
            let at = lines.label(address, name).unwrap_or(at);
            let Some(path) = lines.path(at) else { continue };
            let hits = u64::from(coverage.hits[usize::from(address)]);
            *self.file(path, lines).functions.entry((at.line, name.to_string())).or_default() += hits;
        }
        coverage.clear();
    }

    fn file(&mut self, path: &str, lines: &Lines) -> &mut FileSum {
        if !self.files.contains_key(path) {
            let text = lines.file_text(path).map(<[String]>::to_vec).unwrap_or_default();
            self.files.insert(path.to_string(), FileSum { text, ..FileSum::default() });
        }
        self.files.get_mut(path).expect("it was just put there")
    }

    pub fn finish(self, suite: usize) -> CoverageReport {
        let files = self
            .files
            .into_iter()
            .map(|(path, file)| FileCoverage {
                path,
                text: file.text,
                functions: file
                    .functions
                    .into_iter()
                    .map(|((line, name), hits)| FunctionCoverage { name, line, hits })
                    .collect(),
                lines: file
                    .lines
                    .into_iter()
                    .map(|(line, sum)| LineCoverage {
                        line,
                        hits: sum.columns.values().copied().max().unwrap_or(0),
                        branches: sum.branches.into_iter().map(|(column, (t, p))| (column, t, p)).collect(),
                    })
                    .collect(),
            })
            .collect();
        CoverageReport { suite, files }
    }
}

/// Cycles by call path, over the tests of one unit.
#[derive(Default)]
pub(super) struct ProfileSum {
    stacks: HashMap<Vec<String>, u64>,
}

/// Adds what a test spent and clears the counts.
pub(super) fn profile_report(sum: &mut Option<ProfileSum>, probe: &mut Probe, test: &TestPlan) {
    let (Some(sum), Some(profile)) = (sum, &mut probe.profile) else { return };
    for (index, node) in profile.nodes.iter().enumerate() {
        if node.cycles == 0 {
            continue;
        }
        let name =
            |address: &u16| test.place.names.describe(*address).unwrap_or_else(|| hex_address(*address));
        let path: Vec<String> = profile.path(index).iter().map(name).collect();
        *sum.stacks.entry(path).or_default() += node.cycles;
    }
    *profile = Default::default();
}

impl ProfileSum {
    pub fn finish(self, suite: usize) -> ProfileReport {
        let mut stacks: Vec<(Vec<String>, u64)> = self.stacks.into_iter().collect();
        stacks.sort();
        ProfileReport { suite, stacks }
    }
}

/// Adds what a test spent to the counts of its program, and clears it.
pub(super) fn meter_report(
    sum: &mut Vec<(Arc<Surroundings>, Meter)>,
    probe: &mut Probe,
    test: &TestPlan,
    report: &mut TestReport,
) {
    let Some(meter) = &mut probe.meter else { return };
    let names = &test.place.names;
    let name = |address: u16| names.describe(address).unwrap_or_else(|| hex_address(address));
    let spent = meter.take();
    report.samples = spent.samples.iter().map(|&(entry, cycles)| (name(entry), cycles)).collect();
    match sum.last_mut().filter(|(place, _)| Arc::ptr_eq(place, &test.place)) {
        Some((_, all)) => all.merge(&spent),
        None => sum.push((test.place.clone(), spent)),
    }
}
