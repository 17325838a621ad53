//! The byte dump (`-bytedump`): address, bytes, labels and source text of every statement.

use std::fmt::Write;

use crate::program::{Block, Item, Label, Program};

/// Writes the dump of all segments that are not hidden.
pub fn write(program: &Program) -> String {
    let sources: Vec<Vec<&str>> = program.sources.iter().map(|source| lines(&source.text)).collect();
    let mut text = String::new();
    for (index, segment) in program.segments.iter().enumerate().filter(|(_, segment)| !segment.hide) {
        let blocks = segment.written();
        let mut labels = Labels::of(program, index, blocks.first().map(|block| block.start));
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
                let labels = labels.up_to(item);
                write_item(block, item, &labels, line.copied().unwrap_or_default(), &mut text);
            }
        }
    }
    text
}

/// The number of the built-in source.
const SYSTEM: u32 = 0;

/// The labels of a segment that are not shown yet, the lowest last; those of one address in reverse order.
struct Labels<'a>(Vec<&'a Label>);

impl<'a> Labels<'a> {
    /// Those from an address on.
    fn of(program: &'a Program, segment: usize, first: Option<i64>) -> Labels<'a> {
        let is_shown =
            |label: &&Label| label.segment == segment && first.is_some_and(|first| label.value >= first);
        let mut labels: Vec<&Label> = program.labels.iter().filter(is_shown).collect();
        labels.sort_by_key(|label| label.value);
        labels.reverse();
        Labels(labels)
    }

    /// Takes all up to the end of a statement: `a,b:`. One elsewhere than at its start shows how far away it is.
    fn up_to(&mut self, item: &Item) -> String {
        let end = item.address + i64::from(item.len);
        let mut names = String::new();
        while let Some(label) = self.0.pop_if(|label| label.value < end) {
            if !names.is_empty() {
                names.push(',');
            }
            names.push_str(&label.name);
            if label.value != item.address {
                let _ = write!(names, "-{}", label.value - item.address);
            }
        }
        if !names.is_empty() {
            names.push(':');
        }
        names
    }
}

fn header(name: &str, text: &mut String) {
    let title = format!(" Segment: {name} ");
    let stars = 80usize.saturating_sub(title.chars().count());
    let left = stars / 2;
    let _ = writeln!(text, "{}{title}{}", "*".repeat(left), "*".repeat(stars - left));
}

fn write_item(block: &Block, item: &Item, labels: &str, line: &str, text: &mut String) {
    let from = (item.address - block.start).max(0) as usize;
    let bytes = block.bytes.get(from..from + item.len as usize).unwrap_or_default();
    let per_row = if bytes.len() <= 64 { 16 } else { 32 };
    let width = if bytes.len() <= 3 { 9 } else { 3 * per_row };
    for (number, row) in bytes.chunks(per_row).enumerate() {
        let hex: String = row.iter().map(|byte| format!("{byte:02x} ")).collect();
        let _ = write!(text, "{:04x}: {hex:width$}", item.address + (number * per_row) as i64);
        if number == 0 {
            let source: String = line.chars().skip(item.at.column.saturating_sub(1) as usize).collect();
            let _ = write!(text, " - {labels:8}{source}");
        }
        text.push('\n');
    }
}

/// Lines as Kick Assembler counts them. LF, CR and CR LF end a line and its text; some other characters begin a line of
/// the count only.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    for line in text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r')) {
        lines.push(line);
        let others = line.match_indices(['\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']);
        lines.extend(others.map(|(at, end)| &line[at + end.len()..]));
    }
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
            Item { address: 0x1000, len: 2, at: Span { file: 1, line: 3, column: 4, ..Span::default() } };
        let block = Block {
            name: "Main".into(),
            start: 0x1000,
            bytes: vec![0xa9, 1],
            items: vec![item],
            ..Block::default()
        };
        let label = |name: &str, value| Label { segment: 0, name: name.into(), value, at: Span::default() };
        let program = Program {
            sources: vec![
                Source::default(),
                Source { text: "\u{c}\r\na: lda b:#1".into(), ..Source::default() },
            ],
            segments: vec![Segment { name: "Default".into(), blocks: vec![block], ..Segment::default() }],
            labels: vec![label("a", 0x1000), label("b", 0x1001)],
            ..Program::default()
        };
        let expected =
            format!("{0} Segment: Default {0}\n[Main]\n1000: a9 01     - a,b-1:  lda b:#1\n", "*".repeat(31));
        assert_eq!(write(&program), expected);
    }
}
