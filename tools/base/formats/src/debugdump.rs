//! The debugger's dump (`-debugdump`): an XML-like text with the source position of every emitted byte,
//! labels, break points and watch points.
//!
//! The label table advertises two columns (START, END) that no line has; readers must not count on the header.

use std::collections::HashMap;
use std::fmt::Write;

use thiserror::Error;

use crate::hash_order;
use crate::program::{Program, Span};

/// A line of the label table that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: `{text}` is not a label of a debugger dump")]
pub struct DebugDumpError {
    /// From 1.
    pub line: usize,
    /// The line, shortened.
    pub text: String,
}

/// How Kick Assembler calls its built-in source; debuggers know it by this name.
pub const SYSTEM_SOURCE: &str = "KickAss.jar:/include/autoinclude.asm";

/// The sources in the order in which they are listed, and the place of each source in that list. The order is that of a
/// Java hash map into which the built-in source, which is the first one here, is put last.
fn sources(program: &Program) -> (Vec<&str>, Vec<usize>) {
    let names: Vec<&str> = program
        .sources
        .iter()
        .enumerate()
        .map(|(index, source)| match index {
            0 => SYSTEM_SOURCE,
            _ if source.name.is_empty() => &source.path,
            _ => &source.name,
        })
        .collect();
    let (system, own) = names.split_at(names.len().min(1));
    let order = hash_order::order(own.iter().chain(system));
    let listed: Vec<&str> =
        order.iter().map(|&index| own.get(index).copied().unwrap_or(SYSTEM_SOURCE)).collect();
    let places: HashMap<&str, usize> =
        listed.iter().enumerate().map(|(place, name)| (*name, place)).collect();
    let numbers = names.iter().map(|name| places[name]).collect();
    (listed, numbers)
}

/// Writes the dump.
pub fn write(program: &Program) -> String {
    let mut text = String::from("<C64debugger version=\"1.0\">\n   <Sources values=\"INDEX,FILE\">\n");
    let (listed, numbers) = sources(program);
    let range = |at: &Span| {
        let file = numbers.get(at.file as usize).copied().unwrap_or_default();
        format!("{file},{},{},{},{}", at.line, at.column, at.end_line, at.end_column)
    };
    // Writing to a String cannot fail; the results are dropped throughout.
    for (index, name) in listed.iter().enumerate() {
        let _ = writeln!(text, "      {index},{name}");
    }
    text.push_str("   </Sources>\n\n");
    for segment in &program.segments {
        let _ = writeln!(
            text,
            "   <Segment name=\"{}\" dest=\"{}\" values=\"START,END,FILE_IDX,LINE1,COL1,LINE2,COL2\">",
            segment.name, segment.dest
        );
        for block in segment.written() {
            let _ = writeln!(text, "      <Block name=\"{}\">", block.name);
            for item in block.items.iter().filter(|item| item.len > 0) {
                let last = item.address + i64::from(item.len) - 1;
                let _ = writeln!(text, "         ${:04x},${last:04x},{}", item.address, range(&item.at));
            }
            text.push_str("      </Block>\n");
        }
        text.push_str("   </Segment>\n\n");
    }
    let name = |segment: usize| program.segments.get(segment).map_or("Default", |segment| &segment.name[..]);
    text.push_str("   <Labels values=\"SEGMENT,ADDRESS,NAME,START,END,FILE_IDX,LINE1,COL1,LINE2,COL2\">\n");
    for label in &program.labels {
        let _ = writeln!(
            text,
            "      {},${:04x},{},{}",
            name(label.segment),
            label.value as u32,
            label.name,
            range(&label.at)
        );
    }
    text.push_str("   </Labels>\n\n   <Breakpoints values=\"SEGMENT,ADDRESS,ARGUMENT\">\n");
    for point in &program.breakpoints {
        let _ = writeln!(text, "      {},${:04x},{}", name(point.segment), point.address, point.argument);
    }
    text.push_str("   </Breakpoints>\n\n   <Watchpoints values=\"SEGMENT,ADDRESS1,ADDRESS2,ARGUMENT\">\n");
    for point in &program.watchpoints {
        let end = point.end.map(|end| format!("${end:04x}")).unwrap_or_default();
        let _ =
            writeln!(text, "      {},${:04x},{end},{}", name(point.segment), point.address, point.argument);
    }
    text.push_str("   </Watchpoints>\n\n</C64debugger>\n");
    text
}

/// Whether the text begins like a dump.
pub fn is_debug_dump(text: &str) -> bool {
    text.trim_start().to_ascii_lowercase().starts_with("<c64debugger")
}

/// The source lines of a dump.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dump {
    /// The paths, the assembler's own first.
    pub sources: Vec<String>,
    /// Which statement made which bytes.
    pub items: Vec<DumpItem>,
}

/// A statement of a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DumpItem {
    /// The address of the first byte.
    pub first: u16,
    /// The address of the last byte.
    pub last: u16,
    /// An index into [`Dump::sources`].
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Whether it is an instruction, where the file says so.
    pub is_code: Option<bool>,
}

/// The sources and the segments of a dump; addresses outside memory are left out.
pub fn read(text: &str) -> Result<Dump, DebugDumpError> {
    let mut dump = Dump::default();
    let (mut in_sources, mut in_block) = (false, false);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let bad = || DebugDumpError { line: index + 1, text: line.chars().take(40).collect() };
        if line.starts_with('<') {
            in_sources = line.starts_with("<Sources");
            in_block = line.starts_with("<Block");
        } else if in_sources && !line.is_empty() {
            let (number, path) = line.split_once(',').ok_or_else(bad)?;
            if number.trim().parse() != Ok(dump.sources.len()) {
                return Err(bad());
            }
            dump.sources.push(path.to_owned());
        } else if in_block && !line.is_empty() {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let address = |at: usize| {
                fields
                    .get(at)
                    .and_then(|field| field.strip_prefix('$'))
                    .and_then(|hex| u32::from_str_radix(hex, 16).ok())
            };
            let number = |at: usize| fields.get(at).and_then(|field| field.parse::<u32>().ok());
            let (Some(first), Some(last), Some(file), Some(line), Some(column)) =
                (address(0), address(1), number(2), number(3), number(4))
            else {
                return Err(bad());
            };
            if let (Ok(first), Ok(last)) = (u16::try_from(first), u16::try_from(last))
                && first <= last
            {
                dump.items.push(DumpItem { first, last, file: file as usize, line, column, is_code: None });
            }
        }
    }
    Ok(dump)
}

/// The names and addresses of the label table.
pub fn read_labels(text: &str) -> Result<Vec<(String, i64)>, DebugDumpError> {
    let mut labels = Vec::new();
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("<Labels") {
            inside = true;
        } else if line.starts_with("</Labels") {
            inside = false;
        } else if inside && !line.is_empty() {
            let mut fields = line.split(',').skip(1);
            let value = fields.next().and_then(|field| field.trim().strip_prefix('$'));
            let value = value.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            match (value, fields.next()) {
                (Some(value), Some(name)) => labels.push((name.trim().to_owned(), i64::from(value))),
                _ => return Err(DebugDumpError { line: index + 1, text: line.chars().take(40).collect() }),
            }
        }
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Label, Segment};
    use pretty_assertions::assert_eq;

    #[test]
    fn labels_are_read_back() {
        let label = Label { segment: 0, name: "start".into(), value: 0x1000, at: Span::default() };
        let segment = Segment { name: "Default".into(), ..Segment::default() };
        let text = write(&Program { segments: vec![segment], labels: vec![label], ..Program::default() });
        assert!(is_debug_dump(&text));
        assert_eq!(read_labels(&text).unwrap(), [("start".to_owned(), 0x1000)]);
    }

    #[test]
    fn a_broken_label_line_is_named() {
        let text = "<C64debugger version=\"1.0\">\n<Labels values=\"\">\n  Default,zz,start\n</Labels>\n";
        assert_eq!(read_labels(text).unwrap_err().line, 3);
    }
}
