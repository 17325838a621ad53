//! The measurements as tables: names instead of addresses, figures over all frames, and the contracts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use tempo_diagnostics::plural;

use crate::contract::{Contract, Subject};
use crate::watcher::{Measured, Part, Trigger};

/// Cycles per frame over the measured frames.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figures {
    /// In the frame that is shown.
    pub cycles: u64,
    /// The fewest.
    pub min: u64,
    /// The mean.
    pub mean: f64,
    /// The most.
    pub max: u64,
}

/// One part of the frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartRow {
    /// `code`, `idle`, `badline`, `sprites`, `transfer` or `unknown`.
    pub kind: &'static str,
    /// The routine, or a name for what is not code.
    pub name: String,
    /// The handler that it runs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handler: Option<String>,
    /// Where the routine begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<u16>,
    /// Its cycles.
    #[serde(flatten)]
    pub figures: Figures,
    /// The owners that it is made of, indexes into [`Measured::owners`].
    #[serde(skip)]
    pub owners: Vec<u16>,
}

/// One run of a handler in the frame that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HandlerRun {
    /// The line in which its interrupt sequence begins.
    pub begin_line: u16,
    /// The cycle of that line, from 1.
    pub begin_cycle: u8,
    /// The line in which its `rti` ends.
    pub end_line: u16,
    /// The cycle of that line.
    pub end_cycle: u8,
    /// Cycles from beginning to end, stolen ones and other handlers included.
    pub elapsed: u64,
}

/// A handler over the measured frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Handler {
    /// Its label.
    pub name: String,
    /// `irq`, `nmi` or `brk`.
    pub trigger: &'static str,
    /// Where it begins.
    pub address: u16,
    /// Cycles of the CPU per frame, with the routines it calls and without loops that wait.
    #[serde(flatten)]
    pub figures: Figures,
    /// The runs that begin in the frame that is shown.
    pub runs: Vec<HandlerRun>,
    /// The earliest line in which it began, over all measured frames.
    pub first_line: u16,
    /// The last line in which it ended, over all measured frames.
    pub last_line: u16,
}

/// All tables of a measurement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The first measured frame, which is shown.
    pub frame: u64,
    /// The number of measured frames.
    pub frames: u64,
    /// Cycles of a line.
    pub cycles_per_line: u64,
    /// Lines of a frame.
    pub lines: u16,
    /// Cycles of a frame: the sum of `cycles` of all parts.
    pub cycles_per_frame: u64,
    /// Cycles of routines and handlers, without waiting, DMA and what is not known.
    pub work: Figures,
    /// The parts, the largest of the shown frame first.
    pub parts: Vec<PartRow>,
    /// The handlers, by the line in which they begin.
    pub handlers: Vec<Handler>,
}

/// The result of a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The most cycles of a frame, within the limit.
    Kept(u64),
    /// The most cycles of a frame, and the frame.
    Broken {
        /// The cycles.
        cycles: u64,
        /// The frame.
        frame: u64,
    },
    /// The handler never ran.
    NeverRan,
    /// No address has this name.
    UnknownLabel,
}

/// Kind, name and handler of a row.
type RowKey = (u8, String, Option<String>);

impl Report {
    /// The tables, with the name of a routine for each address.
    pub fn new(measured: &Measured, name: &dyn Fn(u16) -> String) -> Report {
        let timing = measured.timing;
        let mut rows: BTreeMap<RowKey, (Option<u16>, Vec<u16>)> = BTreeMap::new();
        let handler_name = |(trigger, entry): (Trigger, u16)| format!("{} {}", trigger.name(), name(entry));
        for (index, owner) in measured.owners.iter().enumerate() {
            let (order, text, handler, address) = match owner.part {
                Part::Code { routine, handler } => {
                    (0, name(routine), handler.map(handler_name), Some(routine))
                }
                Part::Idle { handler } => (1, "waiting".to_string(), handler.map(handler_name), None),
                Part::BadLine => (2, "bad lines".to_string(), None, None),
                Part::Sprites => (3, "sprite DMA".to_string(), None, None),
                Part::Transfer => (4, "transfers".to_string(), None, None),
                Part::Unknown => (5, "not watched".to_string(), None, None),
            };
            let row = rows.entry((order, text, handler)).or_insert((address, Vec::new()));
            row.1.push(index as u16);
        }
        let mut parts: Vec<PartRow> = rows
            .into_iter()
            .map(|((order, name, handler), (address, owners))| {
                let kind = ["code", "idle", "badline", "sprites", "transfer", "unknown"][usize::from(order)];
                let figures = figures(measured, |index| owners.contains(&index));
                PartRow { kind, name, handler, address, figures, owners }
            })
            .filter(|row| row.figures.max > 0)
            .collect();
        parts.sort_by(|a, b| b.figures.cycles.cmp(&a.figures.cycles).then_with(|| a.name.cmp(&b.name)));
        let is_work = |index: u16| matches!(measured.owners[usize::from(index)].part, Part::Code { .. });
        Report {
            frame: measured.frames.first().map_or(0, |frame| frame.frame),
            frames: measured.frames.len() as u64,
            cycles_per_line: timing.cycles_per_line,
            lines: timing.lines,
            cycles_per_frame: timing.cycles_per_frame(),
            work: figures(measured, is_work),
            handlers: handlers(measured, name),
            parts,
        }
    }

    /// Compares a contract with what was measured; `address` finds a label.
    pub fn judge(measured: &Measured, contract: &Contract, address: &dyn Fn(&str) -> Option<u16>) -> Verdict {
        let is_counted: Box<dyn Fn(Part) -> bool> = match &contract.subject {
            Subject::Frame => Box::new(|part| matches!(part, Part::Code { .. })),
            Subject::Handler(label) => {
                let Some(entry) = address(label) else { return Verdict::UnknownLabel };
                if !measured.runs.iter().any(|run| run.entry == entry) {
                    return Verdict::NeverRan;
                }
                Box::new(move |part| matches!(part, Part::Code { handler: Some((_, of)), .. } if of == entry))
            }
        };
        let sums = measured.frames.iter().map(|frame| {
            let of_parts = frame.counts.iter().zip(&measured.owners);
            let sum = of_parts.filter(|(_, owner)| is_counted(owner.part)).map(|(count, _)| count).sum();
            (sum, frame.frame)
        });
        // The first of the worst frames.
        let (cycles, frame) =
            sums.fold((0, 0), |worst: (u64, u64), one| if one.0 > worst.0 { one } else { worst });
        if cycles > contract.limit { Verdict::Broken { cycles, frame } } else { Verdict::Kept(cycles) }
    }

    /// The tables for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let last = self.frame + self.frames - 1;
        let _ = writeln!(
            text,
            "frame {}: {} lines of {} cycles are {}; figures of frames {} to {last}",
            self.frame, self.lines, self.cycles_per_line, self.cycles_per_frame, self.frame
        );
        let width = self.parts.iter().map(|row| row.label().chars().count()).max().unwrap_or(0).max(9);
        let head = format!(
            "{:<width$}  {:>7} {:>7}  {:>7} {:>9} {:>7}",
            "", "cycles", "share", "min", "mean", "max"
        );
        let _ = writeln!(text, "\n{}", head.trim_end());
        let line = |text: &mut String, label: &str, figures: &Figures| {
            let share = 100.0 * figures.cycles as f64 / self.cycles_per_frame as f64;
            let Figures { cycles, min, mean, max } = figures;
            let _ =
                writeln!(text, "{label:<width$}  {cycles:>7} {share:>6.1}%  {min:>7} {mean:>9.1} {max:>7}");
        };
        for row in &self.parts {
            line(&mut text, &row.label(), &row.figures);
        }
        let sum: u64 = self.parts.iter().map(|row| row.figures.cycles).sum();
        let _ = writeln!(
            text,
            "{:<width$}  {sum:>7} {:>6.1}%",
            "sum",
            100.0 * sum as f64 / self.cycles_per_frame as f64
        );
        let work = &self.work;
        let _ = writeln!(
            text,
            "\nwork (routines and handlers): {} of {} cycles, {} to {} over {}",
            work.cycles,
            self.cycles_per_frame,
            work.min,
            work.max,
            plural(self.frames, "frame"),
        );
        if self.handlers.is_empty() {
            return text;
        }
        let width =
            self.handlers.iter().map(|handler| handler.name.chars().count() + 4).max().unwrap_or(0).max(8);
        let head = format!(
            "{:<width$}  {:>7} {:>7} {:>9} {:>7}  {:>4}  {:<15}  lines over all frames",
            "handler", "cycles", "min", "mean", "max", "runs", "begin to end"
        );
        let _ = writeln!(text, "\n{head}");
        for handler in &self.handlers {
            let Figures { cycles, min, mean, max } = handler.figures;
            let name = format!("{} {}", handler.trigger, handler.name);
            let first = handler.runs.first().map_or(String::from("-"), |run| {
                format!("{}:{} to {}:{}", run.begin_line, run.begin_cycle, run.end_line, run.end_cycle)
            });
            let runs = handler.runs.len();
            let _ = writeln!(
                text,
                "{name:<width$}  {cycles:>7} {min:>7} {mean:>9.1} {max:>7}  {runs:>4}  {first:<15}  {} to {}",
                handler.first_line, handler.last_line
            );
        }
        text
    }
}

impl PartRow {
    /// The name with the handler around it.
    pub fn label(&self) -> String {
        match &self.handler {
            Some(handler) if handler.ends_with(&format!(" {}", self.name)) => handler.clone(),
            Some(handler) => format!("{handler} > {}", self.name),
            None => self.name.clone(),
        }
    }
}

fn figures(measured: &Measured, is_counted: impl Fn(u16) -> bool) -> Figures {
    let sums: Vec<u64> = measured
        .frames
        .iter()
        .map(|frame| {
            let counts = frame.counts.iter().enumerate();
            counts.filter(|&(index, _)| is_counted(index as u16)).map(|(_, count)| count).sum()
        })
        .collect();
    let total: u64 = sums.iter().sum();
    Figures {
        cycles: sums.first().copied().unwrap_or(0),
        min: sums.iter().copied().min().unwrap_or(0),
        mean: if sums.is_empty() { 0.0 } else { (total as f64 / sums.len() as f64 * 10.0).round() / 10.0 },
        max: sums.iter().copied().max().unwrap_or(0),
    }
}

fn handlers(measured: &Measured, name: &dyn Fn(u16) -> String) -> Vec<Handler> {
    let timing = measured.timing;
    let mut entries: Vec<(Trigger, u16)> = measured.runs.iter().map(|run| (run.trigger, run.entry)).collect();
    entries.sort_unstable();
    entries.dedup();
    let shown = measured.begin..measured.begin + timing.cycles_per_frame();
    let mut all: Vec<Handler> = entries
        .into_iter()
        .map(|(trigger, entry)| {
            let of_handler = || measured.runs.iter().filter(|run| (run.trigger, run.entry) == (trigger, entry));
            let runs = of_handler().filter(|run| shown.contains(&run.begin)).map(|run| {
                let (begin_line, begin_cycle) = timing.beam_at(run.begin);
                let (end_line, end_cycle) = timing.beam_at(run.end - 1);
                HandlerRun { begin_line, begin_cycle, end_line, end_cycle, elapsed: run.end - run.begin }
            });
            let mut runs: Vec<HandlerRun> = runs.collect();
            runs.sort_by_key(|run| (run.begin_line, run.begin_cycle));
            let is_own = |index: u16| {
                matches!(measured.owners[usize::from(index)].part, Part::Code { handler: Some(of), .. } if of == (trigger, entry))
            };
            Handler {
                name: name(entry),
                trigger: trigger.name(),
                address: entry,
                figures: figures(measured, is_own),
                runs,
                first_line: of_handler().map(|run| timing.beam_at(run.begin).0).min().unwrap_or(0),
                last_line: of_handler().map(|run| timing.beam_at(run.end - 1).0).max().unwrap_or(0),
            }
        })
        .collect();
    all.sort_by_key(|handler| (handler.first_line, handler.address));
    all
}
