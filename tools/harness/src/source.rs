//! Source text and positions in it: spans, and the line and column a person counts.
//! Knows nothing of tokens, and opens no file.

use std::sync::Arc;

use serde::Serialize;

/// A range of bytes in a suite file or in a file it includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The same text when the file it is in begins `base` bytes further on.
    #[must_use]
    pub fn shifted(self, base: u32) -> Span {
        Span { start: self.start + base, end: self.end + base }
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A place as people name it; line and column count from one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Default)]
pub struct Location {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One text with its name and line starts, and the files it includes.
///
/// Offsets run on through the included files: each begins behind the end of the one before it, so a span alone
/// tells which file it is in.
#[derive(Debug, Clone)]
pub struct Source {
    pub name: String,
    pub text: String,
    /// Byte offset of each line's first character; never empty.
    lines: Vec<u32>,
    /// Included files by their first offset, ascending.
    included: Vec<(u32, Arc<Source>)>,
}

/// Suites larger than this are refused: spans are 32 bits, and nobody writes such a suite by hand.
pub const MAX_SOURCE: usize = 16 << 20;

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        let mut lines = vec![0];
        let bytes = text.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            let ends = byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                lines.push(at as u32 + 1);
            }
        }
        Source { name: name.into(), text, lines, included: Vec::new() }
    }

    /// Takes bytes as they come from a file; the error says where they stop being text.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Result<Source, String> {
        if bytes.len() > MAX_SOURCE {
            return Err(format!("the suite is larger than {} MB", MAX_SOURCE >> 20));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(name, text)),
            Err(err) => {
                let at = err.valid_up_to();
                Err(format!(
                    "not UTF-8 text: byte ${:02X} at offset {at} is not part of a character",
                    bytes[at]
                ))
            }
        }
    }

    /// The offset behind the last file.
    pub fn end(&self) -> u32 {
        let (base, last) = self.included.last().map_or((0, self), |(base, file)| (*base, file));
        // One more than the text, so that the end of one file is not the start of the next.
        base + last.text.len() as u32 + 1
    }

    /// Adds an included file and returns its first offset.
    pub fn include(&mut self, file: Arc<Source>) -> u32 {
        let base = self.end();
        self.included.push((base, file));
        base
    }

    /// The files that were included, in the order they were first met.
    pub fn included(&self) -> impl Iterator<Item = &Source> {
        self.included.iter().map(|(_, file)| &**file)
    }

    /// The file an offset lies in, and that file's first offset.
    pub fn file_at(&self, offset: u32) -> (&Source, u32) {
        match self.included.partition_point(|&(base, _)| base <= offset) {
            0 => (self, 0),
            after => (&self.included[after - 1].1, self.included[after - 1].0),
        }
    }

    /// Line and column in the file the offset lies in, both from one; the column counts characters.
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let (file, base) = self.file_at(offset);
        file.own_position(offset - base)
    }

    fn own_position(&self, offset: u32) -> (usize, usize) {
        let line = self.lines.partition_point(|&start| start <= offset) - 1;
        let start = self.lines[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(end - start, |text| text.chars().count());
        (line + 1, column + 1)
    }

    pub fn location(&self, span: Span) -> Location {
        let (line, column) = self.position(span.start);
        Location { file: self.file_at(span.start).0.name.clone(), line, column }
    }

    /// The text of a line of this file (from one) without its line end.
    pub fn line(&self, number: usize) -> &str {
        let start = self.lines[number - 1] as usize;
        let end = self.lines.get(number).map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// Offset of the first byte of a line of this file (from one).
    pub fn line_start(&self, number: usize) -> usize {
        self.lines[number - 1] as usize
    }

    pub fn slice(&self, span: Span) -> &str {
        let (file, base) = self.file_at(span.start);
        let end = span.end.saturating_sub(base);
        file.text.get((span.start - base) as usize..end as usize).unwrap_or("")
    }

    /// The text of a span on one line, runs of blanks and comments made single blanks: for reports.
    pub fn one_line(&self, span: Span) -> String {
        let mut out = String::new();
        for line in self.slice(span).lines() {
            for word in strip_comment(line).split_whitespace() {
                if !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(word);
            }
        }
        out
    }
}

/// The line without a trailing comment; a semicolon inside quotes is not one.
fn strip_comment(line: &str) -> &str {
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn positions_count_lines_of_every_kind() {
        let source = Source::new("t", "a\nb\r\nc\rdé!");
        assert_eq!(source.position(0), (1, 1));
        assert_eq!(source.position(2), (2, 1));
        assert_eq!(source.position(5), (3, 1));
        assert_eq!(source.position(7), (4, 1));
        assert_eq!(source.position(10), (4, 3));
        assert_eq!(source.line(2), "b");
        assert_eq!(source.line(4), "dé!");
    }

    #[test]
    fn offsets_run_on_through_included_files() {
        let mut source = Source::new("root", "abc\n");
        let first = source.include(Arc::new(Source::new("one", "x\nyz")));
        let second = source.include(Arc::new(Source::new("two", "")));
        assert_eq!(source.location(Span::new(4, 4)).to_string(), "root:2:1");
        let span = Span::new(2, 4).shifted(first);
        assert_eq!((source.location(span).to_string(), source.slice(span)), ("one:2:1".into(), "yz"));
        let end = Span::new(4, 4).shifted(first);
        assert_eq!(source.location(end).to_string(), "one:2:3");
        assert_eq!(source.location(Span::new(0, 0).shifted(second)).to_string(), "two:1:1");
    }

    #[test]
    fn reports_quote_a_statement_on_one_line() {
        let source = Source::new("t", "assert(a == 1, ; why\n   \"one; two\")");
        assert_eq!(source.one_line(Span::new(0, source.text.len())), "assert(a == 1, \"one; two\")");
    }

    #[test]
    fn bytes_that_are_not_text_are_named() {
        let err = Source::from_bytes("t", b"ab\xff").unwrap_err();
        assert!(err.contains("$FF at offset 2"), "{err}");
    }
}
