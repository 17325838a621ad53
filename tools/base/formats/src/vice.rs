//! VICE monitor commands that load labels (`.vs`): `al C:1000 .start`, then break and watch points.
//! Read leniently, since every assembler writes them a little differently; written as Kick Assembler does.

use thiserror::Error;

use crate::hash_order;
use crate::program::Program;

/// A label line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Without the leading dot.
    pub name: String,
    /// The address, without the letter of the memory space.
    pub address: u32,
}

/// The contents of a label file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commands {
    /// The labels in file order.
    pub labels: Vec<Label>,
    /// Address and condition of each `break` line.
    pub breakpoints: Vec<(u32, String)>,
}

/// A label command that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: expected `al C:ADDRESS .NAME`, found `{text}`")]
pub struct ViceError {
    /// From 1.
    pub line: usize,
    /// The line, shortened.
    pub text: String,
}

/// Writes labels, break points and watch points. A name that occurs more than once gets a number in the order of
/// execution; the names come in the order of a Java hash map.
pub fn write(program: &Program) -> String {
    use std::fmt::Write;
    let mut names: Vec<&str> = Vec::new();
    let mut values: std::collections::HashMap<&str, Vec<i64>> = std::collections::HashMap::new();
    for label in &program.labels {
        let entry = values.entry(&label.name).or_default();
        if entry.is_empty() {
            names.push(&label.name);
        }
        entry.push(label.value);
    }
    let mut text = String::new();
    for index in hash_order::order(&names) {
        let name = names[index];
        // Writing to a String cannot fail.
        match &values[name][..] {
            [value] => {
                let _ = writeln!(text, "al C:{:x} .{name}", *value as u32);
            }
            several => {
                for (number, value) in several.iter().enumerate() {
                    let _ = writeln!(text, "al C:{:x} .{name}__{number}", *value as u32);
                }
            }
        }
    }
    for point in &program.breakpoints {
        let _ = writeln!(text, "break {:x} {}", point.address, point.argument);
    }
    for point in &program.watchpoints {
        text.push_str("watch ");
        if !point.argument.is_empty() {
            let _ = write!(text, "{} ", point.argument);
        }
        let _ = write!(text, "{:x} ", point.address);
        if let Some(end) = point.end {
            let _ = write!(text, "{end:x} ");
        }
        text.push('\n');
    }
    text
}

/// Reads `al`, `add_label` and `break` lines; other monitor commands, blank lines and comments are passed over.
pub fn read(text: &str) -> Result<Commands, ViceError> {
    let mut commands = Commands::default();
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("al" | "add_label") => match (words.next().and_then(address), words.next()) {
                (Some(address), Some(name)) => {
                    let name = name.strip_prefix('.').unwrap_or(name).to_owned();
                    commands.labels.push(Label { name, address });
                }
                _ => return Err(ViceError { line: index + 1, text: line.trim().chars().take(40).collect() }),
            },
            Some("break" | "bk") => {
                if let Some(address) = words.next().and_then(address) {
                    commands.breakpoints.push((address, words.collect::<Vec<_>>().join(" ")));
                }
            }
            _ => {}
        }
    }
    Ok(commands)
}

/// Whether the text looks like a label file: its first line of any content is a label command.
pub fn is_vice(text: &str) -> bool {
    text.lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with([';', '#']))
        .and_then(|line| line.split_whitespace().next())
        .is_some_and(|word| matches!(word, "al" | "add_label" | "break" | "bk" | "watch"))
}

/// `1000`, `$1000` or `C:1000`, where the letter names the memory space; always hexadecimal.
fn address(word: &str) -> Option<u32> {
    let digits = word.split_once(':').map_or(word, |(_, digits)| digits);
    let digits = digits.strip_prefix('$').unwrap_or(digits);
    digits.starts_with(|c: char| c.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{self, Breakpoint, Watchpoint};
    use pretty_assertions::assert_eq;

    #[test]
    fn duplicates_are_numbered_and_points_keep_their_blanks() {
        let label = |name: &str, value| program::Label {
            segment: 0,
            name: name.into(),
            value,
            at: Default::default(),
        };
        let program = Program {
            labels: vec![label("p", 0x81c), label("start", 0x810), label("p", 0x820)],
            breakpoints: vec![
                Breakpoint { segment: 0, address: 0x826, argument: String::new() },
                Breakpoint { segment: 0, address: 0x834, argument: "if a==1".into() },
            ],
            watchpoints: vec![
                Watchpoint { segment: 0, address: 0xd020, end: None, argument: String::new() },
                Watchpoint { segment: 0, address: 0x837, end: Some(0x83a), argument: "store".into() },
            ],
            ..Program::default()
        };
        let text = write(&program);
        assert_eq!(
            text,
            "al C:81c .p__0\nal C:820 .p__1\nal C:810 .start\nbreak 826 \nbreak 834 if a==1\nwatch d020 \nwatch store 837 83a \n"
        );
        let read = read(&text).unwrap();
        assert_eq!(read.labels[2], Label { name: "start".into(), address: 0x810 });
        assert_eq!(read.breakpoints, [(0x826, String::new()), (0x834, "if a==1".into())]);
    }

    #[test]
    fn other_assemblers_spellings_are_read() {
        let read = read("; from ca65\nal 00C000 .start\nadd_label $d020 border\nload \"x\" 0\n").unwrap();
        assert_eq!(read.labels[0], Label { name: "start".into(), address: 0xc000 });
        assert_eq!(read.labels[1], Label { name: "border".into(), address: 0xd020 });
    }

    #[test]
    fn a_broken_label_line_is_named() {
        assert_eq!(read("\nal C:xyz .a").unwrap_err().line, 2);
        assert_eq!(read("al C:10").unwrap_err().line, 1);
    }
}
