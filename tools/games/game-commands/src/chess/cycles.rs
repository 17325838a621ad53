//! `tempo chess cycles`: what the calls of the 6502 chess program cost.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use tempo_bridge::cycles::{self, Table};
use tempo_bridge::{ChessMachine, Program, epd};
use tempo_host::{Exit, files, output};

use crate::chess::program::ProgramArgs;

/// Tables and position files larger than this are something else.
const FILE_LIMIT: u64 = 16 << 20;

/// The positions of a run without a file.
const POSITIONS: &str = include_str!("../../../../../tests/positions/bench.epd");

/// Count the cycles of the 6502 chess program's routines
///
/// Every routine is called in every position of a file, and its cycles from the first instruction to the
/// last one of its `rts` are counted; the `jsr` of the caller is not. Cycles are exact: two runs of one
/// program give the same table. Columns with three figures are mean (min..max) over all legal moves.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo chess cycles
  tempo chess cycles --positions my.epd --format csv
  tempo chess cycles --save before.json         keep a table
  tempo chess cycles --compare before.json      exit 1 if any routine became slower
  tempo chess cycles --format markdown > docs/cycles.md

Exit codes: 0 fine, 1 slower than --compare, 2 bad arguments or unreadable file.")]
pub struct Args {
    /// FEN or EPD lines [default: the sixteen positions that tempo carries]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,

    /// Write the table as JSON to a file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Show what changed since a saved table, and fail if anything became slower
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,

    #[command(flatten)]
    program: ProgramArgs,

    /// How to print the table
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// A table and where the cycles go
    #[default]
    Human,
    /// The page docs/cycles.md
    Markdown,
    /// As --save writes it
    Json,
    /// One line a position and routine
    Csv,
}

pub fn run(args: Args) -> Exit {
    match prepare(&args) {
        Ok((table, faults)) => report(&args, &table, &faults),
        Err(message) => output::complain(message),
    }
}

fn prepare(args: &Args) -> Result<(Table, Vec<String>), String> {
    let (name, text) = match &args.positions {
        Some(path) => (path.display().to_string(), read(path)?),
        None => ("bench.epd".to_owned(), POSITIONS.to_owned()),
    };
    let (entries, faults) = epd::parse(&text);
    if entries.is_empty() {
        return Err(format!("{name} holds no position"));
    }
    let table = measure(&args.program.open()?, &entries).map_err(|err| err.to_string())?;
    let faults = faults.iter().map(|fault| format!("{name}: {fault}")).collect();
    Ok((table, faults))
}

fn measure(program: &Program, entries: &[epd::Entry]) -> Result<Table, tempo_bridge::CallError> {
    let mut table = Table { positions: Vec::new(), shares: BTreeMap::new() };
    for entry in entries {
        // A machine for each, so that no position leaves traces in the next.
        let mut machine = ChessMachine::new(program)?;
        table.positions.push(cycles::measure(&mut machine, &entry.id, &entry.board)?);
        cycles::add_shares(&mut machine, &entry.board, &mut table.shares)?;
    }
    Ok(table)
}

fn report(args: &Args, table: &Table, faults: &[String]) -> Exit {
    let json = || serde_json::to_string_pretty(table).expect("a table has only names and numbers");
    let earlier = match args.compare.as_deref().map(read_table).transpose() {
        Ok(earlier) => earlier,
        Err(message) => return output::complain(message),
    };
    if let Some(path) = &args.save
        && let Err(err) = files::write_atomic(path, format!("{}\n", json()).as_bytes())
    {
        return output::complain(format_args!("cannot write {}: {err}", path.display()));
    }
    output::print(|out| {
        for fault in faults {
            writeln!(out, "fault: {fault}")?;
        }
        match args.format {
            Format::Human => {
                writeln!(out, "{}", align(&table.markdown()))?;
                writeln!(out, "Where GenerateLegalMovesSynced spends its cycles:\n")?;
                writeln!(out, "{}", align(&table.shares_markdown()))?;
            }
            Format::Markdown => write!(out, "{}", table.page())?,
            Format::Json => writeln!(out, "{}", json())?,
            Format::Csv => write!(out, "{}", table.csv())?,
        }
        let mut exit = if faults.is_empty() { Exit::Fine } else { Exit::Failed };
        for change in earlier.iter().flat_map(|earlier| table.changes_since(earlier)) {
            let figure = |cycles: Option<u64>| cycles.map_or("none".to_owned(), cycles::grouped);
            let word = if change.is_worse() { "slower" } else { "faster" };
            let (before, now) = (figure(change.before), figure(change.now));
            writeln!(out, "{word}: {} in {}: {before} before, {now} now", change.column, change.id)?;
            if change.is_worse() {
                exit = Exit::Failed;
            }
        }
        Ok(exit)
    })
}

/// Sets the cells of a Markdown table in columns, for reading on a terminal.
fn align(markdown: &str) -> String {
    let rows: Vec<Vec<&str>> = markdown
        .lines()
        .filter(|line| !line.starts_with("|--"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('*')).collect())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.len()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let cell = if index == 0 { format!("{cell:width$}") } else { format!("  {cell:>width$}") };
            text.push_str(&cell);
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = files::read_limited(path, FILE_LIMIT)
        .map_err(|err| format!("cannot read {}: {err}", path.display()))?;
    String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8 text", path.display()))
}

fn read_table(path: &Path) -> Result<Table, String> {
    serde_json::from_str(&read(path)?)
        .map_err(|err| format!("{}: not a table of --save: {err}", path.display()))
}
