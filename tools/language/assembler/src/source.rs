//! The sources of a run: their texts, which share one range of offsets, and where each was imported.

use std::collections::HashMap;
use std::sync::Arc;

use tempo_diagnostics::{Columns, FileId, Position, Source, SourceMap, Span};

/// The sources in the order they were opened. Number 0 is the built-in one.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    texts: tempo_diagnostics::Sources,
    /// Where each file was first imported; `None` for roots.
    imported_at: Vec<Option<Span>>,
    /// For each file the first one that is the same, by whatever name.
    same: Vec<u32>,
    /// The name of each file in debug dumps, where it is not the path.
    shown: Vec<Option<String>>,
    identities: HashMap<String, u32>,
}

impl Sources {
    /// Adds a text. `None` if the range of offsets is used up.
    pub fn add(&mut self, path: String, text: impl Into<String>, imported_at: Option<Span>) -> Option<u32> {
        self.add_shared(path, Arc::new(text.into()), imported_at)
    }

    /// Adds a text that others hold, too.
    pub fn add_shared(&mut self, path: String, text: Arc<String>, imported_at: Option<Span>) -> Option<u32> {
        let FileId(file) = self.texts.add(Source::shared(path, text))?;
        self.imported_at.push(imported_at);
        self.same.push(file);
        self.shown.push(None);
        Some(file)
    }

    /// Tells what a file is, whatever its path.
    pub fn identify(&mut self, file: u32, identity: Option<String>) {
        let identity = identity.unwrap_or_else(|| self.path(file).to_owned());
        self.same[file as usize] = *self.identities.entry(identity).or_insert(file);
    }

    /// Sets the name of a file in debug dumps.
    pub fn show_as(&mut self, file: u32, name: Option<String>) {
        self.shown[file as usize] = name;
    }

    /// The number of the first file that is the same one.
    pub fn identity(&self, file: u32) -> u32 {
        self.same[file as usize]
    }

    fn file(&self, file: u32) -> &Source {
        self.texts.get(FileId(file)).expect("the number is that of a file")
    }

    /// The offset of the first byte of a file.
    pub fn base(&self, file: u32) -> u32 {
        self.texts.base(FileId(file))
    }

    /// The offset after the last file.
    pub fn end(&self) -> u32 {
        self.len().checked_sub(1).map_or(0, |last| self.base(last) + self.text(last).len() as u32)
    }

    /// How many files there are.
    pub fn len(&self) -> u32 {
        self.imported_at.len() as u32
    }

    pub fn path(&self, file: u32) -> &str {
        self.file(file).name()
    }

    pub fn text(&self, file: u32) -> &str {
        self.file(file).text()
    }

    pub fn shared_text(&self, file: u32) -> Arc<String> {
        self.file(file).shared_text()
    }

    pub fn imported_at(&self, file: u32) -> Option<Span> {
        self.imported_at[file as usize]
    }

    /// The number of the file with this path and, if one is given, this name in debug dumps.
    pub fn find(&self, path: &str, shown: Option<&str>) -> Option<u32> {
        let is_it = |file: u32, source: &Source| {
            source.name() == path && (shown.is_none() || self.shown[file as usize].as_deref() == shown)
        };
        self.texts.iter().find(|(FileId(file), source)| is_it(*file, source)).map(|(FileId(file), _)| file)
    }

    /// The file a place is in.
    pub fn file_of(&self, span: Span) -> u32 {
        self.texts.file_of(span.start).0
    }

    pub fn text_of(&self, span: Span) -> &str {
        self.texts.text_of(span)
    }

    /// The text from a place to the end of its line.
    pub fn rest_of_line(&self, span: Span) -> &str {
        let found = self.texts.find(span.start);
        let rest = found.and_then(|found| found.source.text().get(found.local(span).start as usize..));
        rest.and_then(|rest| rest.lines().next()).unwrap_or("")
    }

    /// Line and column of the start of a place, as Kick Assembler counts them.
    pub fn position(&self, span: Span) -> Position {
        let file = self.file_of(span);
        self.file(file).position(span.start - self.base(file), Columns::Kick)
    }

    /// Lines of all sources but the built-in one.
    pub fn line_count(&self) -> u64 {
        self.texts.iter().skip(1).map(|(_, source)| count_lines(source.text())).sum()
    }

    /// The texts, for diagnostics and for callers, and the names in debug dumps.
    pub fn into_texts(self) -> (tempo_diagnostics::Sources, Vec<Option<String>>) {
        (self.texts, self.shown)
    }
}

fn count_lines(text: &str) -> u64 {
    let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
    newlines + u64::from(!text.is_empty() && !text.ends_with('\n'))
}

/// The text of a file: UTF-8, or Latin-1 if it is not. Bytes without another owner become the text without a copy.
pub fn decode(bytes: Arc<Vec<u8>>) -> String {
    let bytes = Arc::unwrap_or_clone(bytes);
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn places_lead_to_files_and_lines() {
        let mut sources = Sources::default();
        sources.add("a".into(), "x\ny", None);
        let b = sources.add("b".into(), "one\r\ntwo\rthree\n\tfour", Some(Span::new(2, 3))).unwrap();
        let place = |start: usize, end: usize| {
            let span = Span::new(start, end).shifted(sources.base(b));
            let Position { line, column } = sources.position(span);
            (sources.file_of(span), line, column, sources.text_of(span))
        };
        assert_eq!(place(0, 3), (1, 1, 1, "one"));
        assert_eq!(place(5, 8), (1, 2, 1, "two"));
        assert_eq!(place(9, 14), (1, 3, 1, "three"));
        assert_eq!(place(16, 20), (1, 4, 2, "four"));
        assert_eq!(sources.file_of(Span::at(3)), 0);
        assert_eq!(sources.rest_of_line(Span::at(sources.base(b) + 1)), "ne");
        assert_eq!((sources.line_count(), sources.imported_at(b)), (3, Some(Span::new(2, 3))));
    }

    #[test]
    fn lines_are_counted() {
        for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2)] {
            assert_eq!(count_lines(text), lines, "{text:?}");
        }
        assert_eq!(count_lines(&"\n".repeat(1000)), 1000);
    }
}
