//! The byte dump (`-bytedump`): address, bytes, labels and source text of every statement.

use std::collections::HashMap;
use std::fmt::Write;

use crate::program::{Block, Item, Label, Program};

/// Writes the dump of all segments that are not hidden.
pub fn write(program: &Program) -> String {
    let sources: Vec<Vec<&str>> = program.sources.iter().map(|source| lines(&source.text)).collect();
    let mut text = String::new();
    for (index, segment) in program.segments.iter().enumerate().filter(|(_, segment)| !segment.hide) {
        let mut blocks: Vec<&Block> =
            segment.blocks.iter().filter(|block| !block.is_virtual && !block.bytes.is_empty()).collect();
        blocks.sort_by_key(|block| block.start);
        let labels = labels_by_address(program, index);
        header(&segment.name, &mut text);
        for (number, block) in blocks.iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            // Writing to a String cannot fail.
            let _ = writeln!(text, "[{}]", block.name);
            for item in &block.items {
                // The built-in source is not shown.
                let line = sources
                    .get(item.at.file as usize)
                    .filter(|_| item.at.file != SYSTEM)
                    .and_then(|lines| lines.get((item.at.line as usize).wrapping_sub(1)));
                write_item(block, item, &labels, line.copied().unwrap_or_default(), &mut text);
            }
        }
    }
    text
}

/// The number of the built-in source.
const SYSTEM: u32 = 0;

type ByAddress<'a> = HashMap<i64, Vec<&'a Label>>;

fn labels_by_address(program: &Program, segment: usize) -> ByAddress<'_> {
    let mut map = ByAddress::new();
    for label in program.labels.iter().filter(|label| label.segment == segment) {
        map.entry(label.value).or_default().push(label);
    }
    map
}

fn header(name: &str, text: &mut String) {
    let title = format!(" Segment: {name} ");
    let stars = 80usize.saturating_sub(title.chars().count());
    let left = stars / 2;
    let _ = writeln!(text, "{}{title}{}", "*".repeat(left), "*".repeat(stars - left));
}

fn write_item(block: &Block, item: &Item, labels: &ByAddress<'_>, line: &str, text: &mut String) {
    let from = (item.address - block.start).max(0) as usize;
    let bytes = block.bytes.get(from..from + item.len as usize).unwrap_or_default();
    let per_row = if bytes.len() <= 64 { 16 } else { 32 };
    let width = if bytes.len() <= 3 { 9 } else { 3 * per_row };
    for (number, row) in bytes.chunks(per_row).enumerate() {
        let hex: String = row.iter().map(|byte| format!("{byte:02x} ")).collect();
        let _ = write!(text, "{:04x}: {hex:width$}", item.address + (number * per_row) as i64);
        if number == 0 {
            let source: String = line.chars().skip(item.at.column.saturating_sub(1) as usize).collect();
            let _ = write!(text, " - {:8}{source}", label_list(item, labels));
        }
        text.push('\n');
    }
}

/// `a,b:` for the labels of this address; one inside the statement shows how far in it points.
fn label_list(item: &Item, labels: &ByAddress<'_>) -> String {
    let mut names = Vec::new();
    for offset in 0..i64::from(item.len) {
        for label in labels.get(&(item.address + offset)).into_iter().flatten() {
            names.push(if offset == 0 { label.name.clone() } else { format!("{}-{offset}", label.name) });
        }
    }
    if names.is_empty() { String::new() } else { format!("{}:", names.join(",")) }
}

/// Lines as the assembler counts them: LF, CR and CR LF end one.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(['\n', '\r']) {
        lines.push(&rest[..end]);
        let skip = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[end + skip..];
    }
    lines.push(rest);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Segment, Source, Span};
    use pretty_assertions::assert_eq;

    #[test]
    fn labels_into_a_statement_show_their_offset() {
        let item =
            Item { address: 0x1000, len: 2, at: Span { file: 1, line: 2, column: 4, ..Span::default() } };
        let block = Block {
            name: "Main".into(),
            start: 0x1000,
            bytes: vec![0xa9, 1],
            items: vec![item],
            ..Block::default()
        };
        let label = |name: &str, value| Label { segment: 0, name: name.into(), value, at: Span::default() };
        let program = Program {
            sources: vec![Source::default(), Source { path: "a.asm".into(), text: "\r\na: lda b:#1".into() }],
            segments: vec![Segment { name: "Default".into(), blocks: vec![block], ..Segment::default() }],
            labels: vec![label("a", 0x1000), label("b", 0x1001)],
            ..Program::default()
        };
        let expected =
            format!("{0} Segment: Default {0}\n[Main]\n1000: a9 01     - a,b-1:  lda b:#1\n", "*".repeat(31));
        assert_eq!(write(&program), expected);
    }
}
