//! A suite as source text: the file, the files it includes, and how a report quotes them.
//! Spans and lines are those of the `diagnostics` crate. Knows nothing of tokens, and opens no file.

use tempo_diagnostics::{Columns, FileId, Found, SourceMap, Sources};
pub use tempo_diagnostics::{Location, Span};

/// A suite file and the files it includes.
///
/// Offsets run on through the included files: each begins after the end of the one before it, so a span alone
/// tells which file it is in.
#[derive(Debug, Clone)]
pub struct Source {
    /// Never empty; the suite file comes first.
    files: Sources,
}

/// Suites larger than this are refused: no one writes such a suite by hand.
pub const MAX_SOURCE: usize = 16 << 20;

impl Source {
    /// A suite file that includes nothing yet. A text beyond 4 GiB counts as empty; [`Source::from_bytes`]
    /// refuses much smaller ones.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let mut files = Sources::new();
        let name = name.into();
        if files.add(tempo_diagnostics::Source::new(name.clone(), text)).is_none() {
            files.add(tempo_diagnostics::Source::new(name, ""));
        }
        Source { files }
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

    fn own(&self) -> &tempo_diagnostics::Source {
        self.files.get(FileId(0)).expect("a source has its own text from the start")
    }

    /// The name of the suite file.
    pub fn name(&self) -> &str {
        self.own().name()
    }

    /// The text of the suite file.
    pub fn text(&self) -> &str {
        self.own().text()
    }

    /// The suite file and the files it includes.
    pub fn files(&self) -> &Sources {
        &self.files
    }

    /// The offset after the last file.
    pub fn end(&self) -> u32 {
        self.files.base(FileId(u32::MAX))
    }

    /// Adds an included file and returns its first offset.
    pub fn include(&mut self, file: &Source) -> u32 {
        let base = self.end();
        self.files.add(file.own().clone());
        base
    }

    /// The files that were included, in the order they were first met.
    pub fn included(&self) -> impl Iterator<Item = &tempo_diagnostics::Source> {
        self.files.iter().skip(1).map(|(_, file)| file)
    }

    /// The file an offset is in, and that file's first offset.
    pub fn file_at(&self, offset: u32) -> (&tempo_diagnostics::Source, u32) {
        self.find(offset).map_or((self.own(), 0), |found| (found.source, found.base))
    }

    /// Where a span starts; columns count characters.
    pub fn location(&self, span: Span) -> Location {
        self.locate(span.start, Columns::Characters).unwrap_or_default()
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text_of(span)
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

impl SourceMap for Source {
    fn find(&self, offset: u32) -> Option<Found<'_>> {
        self.files.find(offset)
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
    fn offsets_run_on_through_included_files() {
        let mut source = Source::new("root", "abc\n");
        let first = source.include(&Source::new("one", "x\nyz"));
        let second = source.include(&Source::new("two", ""));
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
        assert_eq!(source.one_line(Span::new(0, source.text().len())), "assert(a == 1, \"one; two\")");
    }

    #[test]
    fn bytes_that_are_not_text_are_named() {
        let err = Source::from_bytes("t", b"ab\xff").unwrap_err();
        assert!(err.contains("$FF at offset 2"), "{err}");
    }
}
