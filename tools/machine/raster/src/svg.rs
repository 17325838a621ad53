//! The frame as a picture: a column for each cycle of a line, a row for each line, in the colour of what ran.

use std::fmt::Write as _;

use crate::report::Report;
use crate::watcher::Measured;

/// Size of a cycle.
const WIDE: u64 = 8;
const HIGH: u64 = 2;
/// Place of the first cycle.
const LEFT: u64 = 44;
const TOP: u64 = 44;
/// Width of the table beside the picture.
const TABLE: u64 = 420;

/// Colours of code, in the order of the parts.
const CODE: [&str; 12] = [
    "#4e9de6", "#f2a93b", "#62c370", "#d96ac1", "#46c4c9", "#e8695a", "#a98bf0", "#c6cf4a", "#f28fae",
    "#8fb0c9", "#c99a6b", "#7fd1ae",
];

/// The colour of a part: fixed for what is not code, else by its place among the parts that are.
pub fn colour(report: &Report, part: usize) -> &'static str {
    match report.parts[part].kind {
        "idle" => "#2b3138",
        "badline" => "#7a4b4b",
        "sprites" => "#6a5a86",
        "transfer" => "#86733f",
        "unknown" => "#000000",
        _ => {
            let before = report.parts[..part].iter().filter(|row| row.kind == "code").count();
            CODE[before % CODE.len()]
        }
    }
}

/// The picture, with the table of the parts beside it. Every run of cycles with one owner names it.
pub fn svg(measured: &Measured, report: &Report, title: &str) -> String {
    let (columns, lines) = (report.cycles_per_line, u64::from(report.lines));
    let width = LEFT + columns * WIDE + 24 + TABLE;
    let height = TOP + lines * HIGH + 40;
    let rows = 26 * (report.parts.len() as u64 + 6) + 22 * report.handlers.len() as u64 + TOP;
    let height = height.max(rows);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#14171b\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" fill=\"#e8eaed\" font-size=\"16\">{}: frame {}</text>\n",
        escape(title),
        report.frame
    );
    let mut part_of = vec![usize::MAX; measured.owners.len()];
    for (part, row) in report.parts.iter().enumerate() {
        row.owners.iter().for_each(|&owner| part_of[usize::from(owner)] = part);
    }
    for (line, cells) in measured.cells.chunks(columns as usize).enumerate() {
        let y = TOP + line as u64 * HIGH;
        let mut at = 0;
        while at < cells.len() {
            let part = part_of[usize::from(cells[at])];
            let length = cells[at..].iter().take_while(|&&cell| part_of[usize::from(cell)] == part).count();
            if let Some(row) = report.parts.get(part) {
                let (x, wide) = (LEFT + at as u64 * WIDE, length as u64 * WIDE);
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{HIGH}\" fill=\"{}\"><title>{}: line {line}, \
                     cycles {} to {}</title></rect>",
                    colour(report, part),
                    escape(&row.label()),
                    at + 1,
                    at + length
                );
            }
            at += length;
        }
    }
    for line in (0..lines).step_by(50) {
        let y = TOP + line * HIGH;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" fill=\"#9aa3ad\" text-anchor=\"end\">{line}</text>",
            LEFT - 8,
            y + 4
        );
    }
    for cycle in [1, 10, 20, 30, 40, 50, 60] {
        let x = LEFT + (cycle - 1) * WIDE;
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" fill=\"#9aa3ad\">{cycle}</text>", TOP - 4);
    }
    // The window in which a standard screen is: lines 51 to 250, cycles 16 to 55.
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#e8eaed\" stroke-opacity=\".45\"/>",
        LEFT + 15 * WIDE,
        TOP + 51 * HIGH,
        40 * WIDE,
        200 * HIGH
    );
    table(&mut out, report, LEFT + columns * WIDE + 24);
    out.push_str("</svg>\n");
    out
}

fn table(out: &mut String, report: &Report, left: u64) {
    let right = left + TABLE - 24;
    let mut y = TOP + 10;
    for (part, row) in report.parts.iter().enumerate() {
        let share = 100.0 * row.figures.cycles as f64 / report.cycles_per_frame as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{left}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\" stroke=\"#5a636d\"/>\
             <text x=\"{}\" y=\"{y}\" fill=\"#e8eaed\">{}</text>\
             <text x=\"{right}\" y=\"{y}\" fill=\"#c5ccd3\" text-anchor=\"end\">{} &#160;{share:.1} %</text>",
            y - 11,
            colour(report, part),
            left + 20,
            escape(&short(&row.label(), 34)),
            row.figures.cycles
        );
        y += 22;
    }
    let sum: u64 = report.parts.iter().map(|row| row.figures.cycles).sum();
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{y}\" fill=\"#e8eaed\">sum</text><text x=\"{right}\" y=\"{y}\" fill=\"#e8eaed\" text-anchor=\"end\">{sum} of {}</text>",
        left + 20,
        report.cycles_per_frame
    );
    y += 40;
    for handler in &report.handlers {
        let figures = handler.figures;
        let lines = match handler.runs.first() {
            Some(run) => format!("lines {} to {}", run.begin_line, run.end_line),
            None => "not in this frame".to_string(),
        };
        let _ = writeln!(
            out,
            "<text x=\"{left}\" y=\"{y}\" fill=\"#e8eaed\">{}</text><text x=\"{right}\" y=\"{y}\" fill=\"#c5ccd3\" \
             text-anchor=\"end\">{} / {:.1} / {}, {lines}</text>",
            escape(&short(&format!("{} {}", handler.trigger, handler.name), 24)),
            figures.min,
            figures.mean,
            figures.max
        );
        y += 22;
    }
}

fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
