//! The source: constants, labels, instructions, and rows of data.

use std::fmt::Write as _;

use crate::flow::{Flow, Half, Kind, is_end};
use crate::names::Names;
use crate::{Image, Options};

/// Bytes in a row of data.
const ROW: usize = 16;
/// From this length on, equal bytes become a `.fill`.
const FILL: usize = 32;
/// Where comments begin.
const COMMENT: usize = 44;

/// Writes the source.
pub fn write(image: &Image<'_>, flow: &Flow, names: &Names, options: &Options) -> String {
    let mut writer = Writer { image, flow, names, options, out: String::new() };
    writer.head();
    let mut index = 0;
    while index < image.bytes.len() {
        writer.label(index);
        index = match flow.kind(index) {
            Kind::Start => writer.instruction(index),
            _ => writer.data(index),
        };
    }
    writer.out
}

struct Writer<'a> {
    image: &'a Image<'a>,
    flow: &'a Flow,
    names: &'a Names,
    options: &'a Options,
    out: String,
}

impl Writer<'_> {
    fn head(&mut self) {
        for line in &self.options.title {
            self.line(&format!("// {line}"), "");
        }
        if self.image.cpu.kick_name() != tempo_isa::Cpu::default().kick_name() {
            self.line(&format!(".cpu {}", self.image.cpu.kick_name()), "");
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let width = self.names.constants.values().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (addr, (name, text)) in &self.names.constants {
            let digits = if *addr < 0x100 { 2 } else { 4 };
            self.line(&format!(".label {name:width$} = ${addr:0digits$X}"), text);
        }
        if !self.names.constants.is_empty() {
            self.out.push('\n');
        }
        self.line(&format!("* = ${:04X}", self.image.addr), "");
        if let Some(entry) = self.image.sys() {
            self.line(&format!("// A line of BASIC: SYS {entry}"), "");
        }
    }

    /// A line, with a comment if there is something to say.
    fn line(&mut self, code: &str, comment: &str) {
        self.out.push_str(code);
        if !comment.is_empty() {
            let gap = COMMENT.saturating_sub(code.chars().count()).max(1);
            // Writing to a string cannot fail.
            let _ = write!(self.out, "{:gap$}// {comment}", "");
        }
        self.out.push('\n');
    }

    fn label(&mut self, index: usize) {
        if let Some(label) = self.names.label_at(self.image.address(index)) {
            self.out.push_str(label);
            self.out.push_str(":\n");
        }
    }

    fn instruction(&mut self, index: usize) -> usize {
        let Some(found) = self.image.instruction(index) else { return self.data(index) };
        let half = self.flow.halves.iter().find(|&&(at, ..)| at == index);
        let spelled = half.and_then(|&(_, half, addr)| self.names.spelled(addr).map(|name| (half, name)));
        let text = match spelled {
            Some((half, name)) => {
                let sign = if half == Half::Low { '<' } else { '>' };
                format!("    {} #{sign}{name}", found.row.mnemonic)
            }
            None => format!("    {}", found.with_labels(self.names)),
        };
        let next = index + found.row.len();
        self.line(&text, &self.listing(index, next));
        if is_end(&found) {
            self.out.push('\n');
        }
        next
    }

    /// Bytes up to the next label or instruction.
    fn data(&mut self, index: usize) -> usize {
        let ends = |&at: &usize| {
            self.flow.kind(at) == Kind::Start || self.names.label_at(self.image.address(at)).is_some()
        };
        let end = (index + 1..self.image.bytes.len()).find(ends).unwrap_or(self.image.bytes.len());
        let mut at = index;
        while at < end {
            let bytes = &self.image.bytes[at..end];
            let equal = self::equal(bytes);
            if equal >= FILL {
                self.line(&format!("    .fill {equal}, ${:02X}", bytes[0]), &self.listing(at, at + 1));
                at += equal;
                continue;
            }
            // A row ends where a run of equal bytes begins.
            let most = bytes.len().min(ROW);
            let len = (1..most).find(|&from| self::equal(&bytes[from..]) >= FILL).unwrap_or(most);
            self.row(at, len);
            at += len;
        }
        end
    }

    fn row(&mut self, at: usize, len: usize) {
        let row = &self.image.bytes[at..at + len];
        let mut text = "    .byte ".to_owned();
        for (at, byte) in row.iter().enumerate() {
            let _ = write!(text, "{}${byte:02X}", if at == 0 { "" } else { ", " });
        }
        let comment = if self.options.listing { self.listing(at, at + 1) } else { readable(row) };
        self.line(&text, &comment);
    }

    /// Address and bytes, if they are asked for.
    fn listing(&self, from: usize, to: usize) -> String {
        if !self.options.listing {
            return String::new();
        }
        let mut text = format!("{:04X}", self.image.address(from));
        for byte in &self.image.bytes[from..to] {
            let _ = write!(text, " {byte:02X}");
        }
        text
    }
}

/// How many bytes at the beginning are equal.
fn equal(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| byte == bytes[0]).count()
}

/// A row of PETSCII or screen codes as text, if it looks like text.
fn readable(row: &[u8]) -> String {
    let letter = |byte: u8| match byte {
        0x01..=0x1a => Some(char::from(byte + 0x60)),
        0x20..=0x5a => Some(char::from(byte)),
        0xc1..=0xda => Some(char::from(byte - 0x80)),
        _ => None,
    };
    let letters = row
        .iter()
        .filter(|&&byte| letter(byte).is_some_and(|letter| letter.is_ascii_alphabetic() || letter == ' '));
    if row.len() < 4 || letters.count() * 4 < row.len() * 3 {
        return String::new();
    }
    row.iter().map(|&byte| letter(byte).unwrap_or('.')).collect()
}
