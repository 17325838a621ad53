//! Findings for people: code, sentence, place, the line of the spec and a caret below it.

use std::io::{self, Write};

use boardgame::json::Lines;
use gamespec::{Finding, Report};

use super::load::SpecText;

/// More than anybody reads; the rest is counted.
const MOST: usize = 50;
/// Characters of a source line shown at most.
const WIDTH: usize = 100;

/// Writes faults, then warnings, then how many there were.
pub fn findings(out: &mut dyn Write, spec: &SpecText, report: &Report, colour: bool) -> io::Result<()> {
    // A text that is no UTF-8 is shown as far as it goes.
    let text = match std::str::from_utf8(&spec.bytes) {
        Ok(text) => text,
        Err(err) => std::str::from_utf8(&spec.bytes[..err.valid_up_to()]).unwrap_or(""),
    };
    let lines = Lines::new(text);
    for (word, findings) in [("error", &report.faults), ("warning", &report.warnings)] {
        for finding in findings.iter().take(MOST) {
            write_finding(out, word, finding, spec, &lines, colour)?;
        }
        if findings.len() > MOST {
            writeln!(out, "… and {} more; --format json lists them all\n", findings.len() - MOST)?;
        }
    }
    if !report.faults.is_empty() {
        let count = report.faults.len();
        writeln!(out, "{}: {count} fault{}", spec.name, if count == 1 { "" } else { "s" })?;
    }
    Ok(())
}

fn write_finding(
    out: &mut dyn Write,
    word: &str,
    finding: &Finding,
    spec: &SpecText,
    lines: &Lines<'_>,
    colour: bool,
) -> io::Result<()> {
    let (strong, bold, blue, plain) = match (colour, word) {
        (false, _) => ("", "", "", ""),
        (true, "error") => ("\x1b[1;31m", "\x1b[1m", "\x1b[1;34m", "\x1b[0m"),
        (true, _) => ("\x1b[1;33m", "\x1b[1m", "\x1b[1;34m", "\x1b[0m"),
    };
    let position = finding.position;
    let fault = &finding.fault;
    writeln!(out, "{strong}{word}[{}]{plain}{bold}: {}{plain}", fault.code, fault.message)?;
    let number = position.line.to_string();
    let margin = " ".repeat(number.len());
    write!(out, "{margin}{blue}-->{plain} {}:{}:{}", spec.name, position.line, position.column)?;
    let pointer: String = fault.pointer.chars().flat_map(shown).collect();
    writeln!(out, "{}{pointer}", if pointer.is_empty() { "" } else { "  " })?;

    let line: Vec<char> = lines.line(position.line).chars().collect();
    let column = position.column as usize - 1;
    // A window of the line, in which the fault starts at about a third.
    let first = if line.len() <= WIDTH { 0 } else { column.saturating_sub(WIDTH / 3) };
    let last = line.len().min(first + WIDTH);
    let dots = |cut: bool| if cut { "…" } else { "" };
    let window: String = line[first..last].iter().copied().flat_map(shown).collect();
    let before: String = line[first..column.min(last)].iter().copied().flat_map(shown).collect();
    let length = (finding.span.end.saturating_sub(finding.span.start) as usize).clamp(1, WIDTH);
    let room = last.saturating_sub(column).max(1);
    let caret = "^".repeat(length.min(room));
    let indent = " ".repeat(before.chars().count() + usize::from(first > 0));
    writeln!(out, "{margin} {blue}|{plain}")?;
    writeln!(out, "{blue}{number} |{plain} {}{window}{}", dots(first > 0), dots(last < line.len()))?;
    writeln!(out, "{margin} {blue}|{plain} {indent}{strong}{caret}{plain}\n")
}

/// A character as it may reach a terminal: tabs as a space, other controls escaped.
fn shown(character: char) -> Vec<char> {
    match character {
        '\t' => vec![' '],
        _ if character.is_control() => character.escape_unicode().collect(),
        _ => vec![character],
    }
}
