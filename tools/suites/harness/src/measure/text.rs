//! A measurement as a person reads it.

use std::fmt::Write as _;

use tempo_diagnostics::{escaped, grouped, hex_address, screen_text, shortened};

use super::{At, Bound, BoundDifference, Change, Difference, Line, Measurement, Standing};
use crate::diag::Colour;

/// How many lines a listing shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// All of a short one, the dearest of a long one.
    #[default]
    Short,
    /// All that ran.
    All,
}

/// Lines that a short listing shows whole.
const SHORT: usize = 60;
/// Lines, loops and routines that are shown of more.
const DEAREST: usize = 20;

/// Writes measurements.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Whether to colour.
    pub colour: Colour,
    /// How much of the listing.
    pub detail: Detail,
}

/// The cells of a table; all but the first column and, if `text_last`, the last are numbers.
struct Table {
    rows: Vec<Vec<String>>,
    text_last: bool,
}

impl Table {
    fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|&cell| cell.to_string()).collect()], text_last: false }
    }

    fn text(&self, paint: impl Fn(&str, &str) -> String) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut out = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let is_text = index == 0 || (self.text_last && index + 1 == columns);
                let gap = if index == 0 { "" } else { "  " };
                let _ = match is_text {
                    true => write!(line, "{gap}{cell:width$}"),
                    false => write!(line, "{gap}{cell:>width$}"),
                };
            }
            let line = line.trim_end();
            let line = if number == 0 { paint("1", line) } else { line.to_string() };
            out.push_str(&line);
            out.push('\n');
        }
        out
    }
}

impl Page {
    fn paint(&self, code: &str, text: &str) -> String {
        match self.colour {
            Colour::Plain => text.to_string(),
            Colour::Ansi => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    fn table(&self, table: &Table) -> String {
        table.text(|code, text| self.paint(code, text))
    }

    /// Rows, routines, lines, loops and page crossings.
    pub fn measurement(&self, measured: &Measurement) -> String {
        let mut out = self.rows(measured);
        for part in
            [self.routines(measured), self.lines(measured), self.loops(measured), self.crossings(measured)]
        {
            if !part.is_empty() {
                out.push('\n');
                out.push_str(&part);
            }
        }
        out
    }

    fn rows(&self, measured: &Measurement) -> String {
        let mut table = Table::new(&["routine", "calls", "min", "mean", "max", ""]);
        table.text_last = true;
        for row in &measured.rows {
            let note = if row.min_at.is_empty() {
                String::new()
            } else {
                format!("fastest {}, slowest {}", shortened(&row.min_at, 40), shortened(&row.max_at, 40))
            };
            table.rows.push(vec![
                escaped(&row.name).into_owned(),
                grouped(row.calls),
                grouped(row.min),
                tenths(row.mean),
                grouped(row.max),
                note,
            ]);
        }
        self.table(&table)
    }

    fn routines(&self, measured: &Measurement) -> String {
        if measured.routines.len() < 2 {
            return String::new();
        }
        let mut table = Table::new(&["where the cycles go", "calls", "own", "share", "with calls"]);
        for routine in measured.routines.iter().take(self.most()) {
            table.rows.push(vec![
                format!("  {}", escaped(&routine.name)),
                grouped(routine.calls),
                grouped(routine.own),
                share(routine.own, measured.cycles),
                grouped(routine.total),
            ]);
        }
        self.table(&table) + &self.rest(measured.routines.len(), "routines")
    }

    fn lines(&self, measured: &Measurement) -> String {
        let whole = self.detail == Detail::All || measured.lines.len() <= SHORT;
        let mut shown: Vec<&Line> = measured.lines.iter().collect();
        if !whole {
            shown.sort_by(|one, two| two.cycles.cmp(&one.cycles).then_with(|| one.at.cmp(&two.at)));
            shown.truncate(DEAREST);
            shown.sort_by(|one, two| one.at.cmp(&two.at));
        }
        let mut out = String::new();
        let mut from = 0;
        while from < shown.len() {
            let file = &shown[from].at.file;
            let count = shown[from..].iter().take_while(|line| line.at.file == *file).count();
            let name = if file.is_empty() { "without a source" } else { file };
            let mut table = Table::new(&[&escaped(name), "cycles", "share", "runs", "each", ""]);
            table.text_last = true;
            for line in &shown[from..from + count] {
                let place = match line.at.line {
                    0 => format!("  ${:04X}", line.at.address),
                    number => format!("  {number}"),
                };
                let mut text = screen_text(&line.text);
                if line.crossings > 0 {
                    let mark = format!("<- {} for crossing a page", grouped(line.crossings));
                    text = format!("{text:<32} {}", self.paint("33", &mark));
                }
                table.rows.push(vec![
                    place,
                    grouped(line.cycles),
                    share(line.cycles, measured.cycles),
                    grouped(line.runs),
                    tenths(line.cycles as f64 / line.runs.max(1) as f64),
                    text,
                ]);
            }
            if from > 0 {
                out.push('\n');
            }
            out.push_str(&self.table(&table));
            from += count;
        }
        if !whole {
            let hidden = measured.lines.len() - shown.len();
            let _ = writeln!(out, "  … the {DEAREST} dearest lines; {hidden} more with --listing");
        }
        out
    }

    fn loops(&self, measured: &Measurement) -> String {
        if measured.loops.is_empty() {
            return String::new();
        }
        let mut table = Table::new(&["loops", "entered", "turns", "a turn", "cycles", "share", ""]);
        table.text_last = true;
        for found in measured.loops.iter().take(self.most()) {
            let place = match (found.at.line, found.last_line) {
                (0, _) => format!("${:04X}-${:04X}", found.at.address, found.last),
                (one, two) if one == two => format!("{}:{one}", escaped(&found.at.file)),
                (one, two) => format!("{}:{one}-{two}", escaped(&found.at.file)),
            };
            table.rows.push(vec![
                format!("  {}", escaped(&found.name)),
                grouped(found.entries),
                grouped(found.turns),
                tenths(found.cycles as f64 / found.turns.max(1) as f64),
                grouped(found.cycles),
                share(found.cycles, measured.cycles),
                place,
            ]);
        }
        self.table(&table) + &self.rest(measured.loops.len(), "loops")
    }

    fn crossings(&self, measured: &Measurement) -> String {
        let mut found: Vec<&Line> = measured.lines.iter().filter(|line| line.crossings > 0).collect();
        if found.is_empty() {
            return String::new();
        }
        found.sort_by(|one, two| two.crossings.cmp(&one.crossings).then_with(|| one.at.cmp(&two.at)));
        let all = measured.crossings();
        let head = format!("page crossings: {} ({})", cycles(all), share(all, measured.cycles));
        let mut out = format!("{}\n", self.paint("1", &head));
        for line in found.iter().take(self.most()) {
            let _ = writeln!(
                out,
                "  {}: {} of {}: {}",
                place(&line.at),
                cycles(line.crossings),
                grouped(line.cycles),
                escaped(line.crosses.as_deref().unwrap_or_default())
            );
        }
        out + &self.rest(found.len(), "lines")
    }

    fn most(&self) -> usize {
        if self.detail == Detail::All { usize::MAX } else { DEAREST }
    }

    /// The part that a short table leaves out.
    fn rest(&self, all: usize, what: &str) -> String {
        match all.checked_sub(self.most()) {
            None | Some(0) => String::new(),
            Some(more) => format!("  … {more} {what} more with --listing\n"),
        }
    }

    /// Costs that were not measured but worked out.
    pub fn bounds(&self, bounds: &[Bound]) -> String {
        let mut table = Table::new(&["routine", "min", "max", ""]);
        table.text_last = true;
        for bound in bounds {
            let figure = |cycles: Option<u64>| cycles.map_or("?".to_string(), grouped);
            let note = bound.unknown.as_deref().map_or_else(|| place(&bound.at), |why| escaped(why).into());
            let word = bound.handler.as_deref().map_or(String::new(), |word| format!("{word} "));
            table.rows.push(vec![
                format!("{word}{}", escaped(&bound.name)),
                figure(bound.min),
                figure(bound.max),
                note,
            ]);
        }
        self.table(&table)
    }

    /// Bounds before and now: those that differ, unless all are asked for.
    pub fn bound_differences(&self, earlier: &str, all: &[BoundDifference]) -> String {
        let earlier = shortened(earlier, 24);
        let mut table = Table::new(&["routine", "", &earlier, "now", "change"]);
        let is_shown = |found: &&BoundDifference| self.detail == Detail::All || !found.is_same();
        for found in all.iter().filter(is_shown) {
            // A routine that takes as long every time has one figure.
            let is_one = found.min == found.max;
            let figures = [("min", &found.min), ("max", &found.max)];
            for (index, (word, change)) in figures.into_iter().take(if is_one { 1 } else { 2 }).enumerate() {
                let name = if index == 0 { escaped(&found.name).into_owned() } else { String::new() };
                let figure = |figure: Option<f64>, missing: Standing| match figure {
                    None if found.standing == missing => "-".to_string(),
                    None => "?".to_string(),
                    Some(figure) => tenths(figure),
                };
                let word = if is_one { "" } else { word };
                table.rows.push(vec![
                    name,
                    word.to_string(),
                    figure(change.before, Standing::New),
                    figure(change.now, Standing::Gone),
                    bound_change(found.standing, change),
                ]);
            }
        }
        let same = all.iter().filter(|found| found.is_same()).count();
        let mut out = if table.rows.len() > 1 { self.table(&table) } else { String::new() };
        if same > 0 && self.detail != Detail::All {
            let gap = if out.is_empty() { "" } else { "\n" };
            let plural = if same == 1 { "routine has" } else { "routines have" };
            let _ = writeln!(out, "{gap}{same} {plural} the same bounds as before.");
        }
        out
    }

    /// Rows and routines before and now. `earlier` is what the first column is called.
    pub fn differences(&self, earlier: &str, rows: &[Difference], routines: &[Difference]) -> String {
        let earlier = shortened(earlier, 24);
        let mut table = Table::new(&["routine", "", &earlier, "now", "change", ""]);
        for difference in rows {
            let figures =
                [("min", difference.min), ("mean", Some(difference.cycles)), ("max", difference.max)];
            // A routine that takes as long every time has one figure.
            let is_one = difference.min == difference.max;
            for (index, (word, change)) in figures.into_iter().enumerate() {
                let Some(change) = change.filter(|_| !is_one || word == "mean") else { continue };
                let name =
                    if index == 0 || is_one { escaped(&difference.name).into_owned() } else { String::new() };
                let word = if is_one { "" } else { word };
                table.rows.push(vec![
                    name,
                    word.to_string(),
                    change.before.map_or("-".into(), tenths),
                    change.now.map_or("-".into(), tenths),
                    percent(&change),
                ]);
            }
        }
        let mut out = self.table(&table);
        if routines.is_empty() {
            return out;
        }
        let mut table = Table::new(&["own cycles that changed", &earlier, "now", "change"]);
        for difference in routines.iter().take(self.most()) {
            table.rows.push(vec![
                format!("  {}", escaped(&difference.name)),
                difference.cycles.before.map_or("-".into(), tenths),
                difference.cycles.now.map_or("-".into(), tenths),
                percent(&difference.cycles),
            ]);
        }
        out.push('\n');
        out.push_str(&self.table(&table));
        out + &self.rest(routines.len(), "routines")
    }
}

fn bound_change(standing: Standing, change: &Change) -> String {
    match standing {
        Standing::New => "new".to_string(),
        Standing::Gone => "gone".to_string(),
        Standing::Kept if change.before == change.now => "=".to_string(),
        Standing::Kept if change.percent().is_none() => "?".to_string(),
        Standing::Kept => percent(change),
    }
}

fn percent(change: &Change) -> String {
    match (change.percent(), change.before) {
        (Some(0.0), _) => "=".to_string(),
        (Some(percent), _) => format!("{percent:+.1} %"),
        (None, Some(_)) => "gone".to_string(),
        (None, None) => "new".to_string(),
    }
}

fn place(at: &At) -> String {
    match at.line {
        0 => hex_address(at.address),
        line => format!("{}:{line}", escaped(&at.file)),
    }
}

fn cycles(count: u64) -> String {
    if count == 1 { "1 cycle".to_string() } else { format!("{} cycles", grouped(count)) }
}

/// A figure with one decimal, or none if it is whole.
fn tenths(figure: f64) -> String {
    let tenths = (figure * 10.0).round() as u64;
    match (figure.fract() == 0.0, tenths % 10) {
        (true, _) => grouped(tenths / 10),
        (false, rest) => format!("{}.{rest}", grouped(tenths / 10)),
    }
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}
