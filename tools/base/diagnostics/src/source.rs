//! Source texts, alone and many together, and the places in them as people name them.
//! Opens no file: the caller brings the text.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::Serialize;

use crate::lines::{self, LineIndex};
use crate::{Columns, Span};

/// One text with its name. Lines are indexed on first use.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: Arc<String>,
    lines: OnceLock<LineIndex>,
    /// For [`Columns::Kick`]; nothing if `lines` serves it.
    kick_lines: OnceLock<Option<LineIndex>>,
}

/// A line and a column; both count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; what it counts is up to the caller, see [`Columns`].
    pub column: u32,
}

/// A place as people name it: `file:line:column`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Location {
    /// The name of the source.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Source {
    /// A text with its name.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source::shared(name, Arc::new(text.into()))
    }

    /// The text of bytes that should be UTF-8. Each byte that is part of no character is shown as `?`, so that
    /// offsets stay.
    pub fn from_bytes(name: impl Into<String>, bytes: &[u8]) -> Source {
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
        }
        Source::new(name, text)
    }

    /// A text that others hold, too.
    pub fn shared(name: impl Into<String>, text: Arc<String>) -> Source {
        Source { name: name.into(), text, lines: OnceLock::new(), kick_lines: OnceLock::new() }
    }

    /// The name it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole text, shared.
    pub fn shared_text(&self) -> Arc<String> {
        Arc::clone(&self.text)
    }

    /// The bytes of the text as a span that starts at 0.
    pub fn span(&self) -> Span {
        Span::new(0, self.text.len())
    }

    /// The text of a span, or nothing if the span is not one of this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// How many lines there are; a text that ends with a line end has an empty line after it.
    pub fn line_count(&self) -> usize {
        self.index().count()
    }

    /// Line and column of an offset; one beyond the text counts as its end.
    pub fn position(&self, offset: u32, columns: Columns) -> Position {
        let index = self.index_for(columns);
        let offset = offset.min(self.span().end);
        let line = index.line_of(offset);
        let start = index.start(line).unwrap_or(0);
        let column = index.width(&self.text, start, offset, columns);
        Position { line: line as u32 + 1, column: column + 1 }
    }

    /// The offset of a position; one beyond the end of its line is moved there, one beyond the last line to
    /// the end of the text.
    pub fn offset(&self, position: Position, columns: Columns) -> u32 {
        let Some(start) = self.start_of(position.line, columns) else { return self.span().end };
        let mut left = position.column.saturating_sub(1);
        let line = self.line_for(position.line, columns);
        if columns == Columns::Bytes {
            let at = (left as usize).min(line.len());
            return start + line.floor_char_boundary(at) as u32;
        }
        for (at, character) in line.char_indices() {
            let width = if columns == Columns::Characters { 1 } else { character.len_utf16() as u32 };
            if left < width {
                return start + at as u32;
            }
            left -= width;
        }
        start + line.len() as u32
    }

    /// The name, line and column of an offset.
    pub fn location(&self, offset: u32, columns: Columns) -> Location {
        let Position { line, column } = self.position(offset, columns);
        Location { file: self.name.clone(), line, column }
    }

    /// The text of a line (from 1) without its line end; nothing if there is no such line.
    pub fn line(&self, number: u32) -> &str {
        self.line_for(number, Columns::Characters)
    }

    /// The same for the lines that go with these columns.
    pub fn line_for(&self, number: u32, columns: Columns) -> &str {
        let Some(start) = self.start_of(number, columns) else { return "" };
        let next = number.checked_add(1).and_then(|next| self.start_of(next, columns));
        let text = &self.text[start as usize..next.map_or(self.text.len(), |next| next as usize)];
        match (columns, next) {
            (Columns::Kick, Some(_)) => text.trim_end_matches(lines::KICK_LINE_ENDS),
            _ => text.trim_end_matches(['\n', '\r']),
        }
    }

    /// The offset of the first byte of a line (from 1), if there is such a line.
    pub fn line_start(&self, number: u32) -> Option<u32> {
        self.start_of(number, Columns::Characters)
    }

    fn start_of(&self, number: u32, columns: Columns) -> Option<u32> {
        self.index_for(columns).start((number as usize).checked_sub(1)?)
    }

    /// The index of the lines that go with these columns.
    fn index_for(&self, columns: Columns) -> &LineIndex {
        let other = match columns {
            Columns::Kick => self.kick_lines.get_or_init(|| LineIndex::for_kick(&self.text)).as_ref(),
            _ => None,
        };
        other.unwrap_or_else(|| self.index())
    }

    fn index(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }
}

/// A file of a [`Sources`], by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct FileId(pub u32);

/// Texts that share one range of offsets, in the order they were added.
///
/// Each text takes one offset more than it has bytes, so that the place after its last byte is its own.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<(u32, Source)>,
}

impl Sources {
    /// No texts yet.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a text. `None` if the 4 GiB of offsets are used up.
    pub fn add(&mut self, source: Source) -> Option<FileId> {
        let base = match self.files.last() {
            None => 0,
            Some((base, last)) => base.checked_add(last.span().end)?.checked_add(1)?,
        };
        let length = u32::try_from(source.text.len()).ok()?;
        base.checked_add(length)?.checked_add(2)?;
        let id = FileId(u32::try_from(self.files.len()).ok()?);
        self.files.push((base, source));
        Some(id)
    }

    /// The text of a file, if it is one of these.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize).map(|(_, source)| source)
    }

    /// The offset of the first byte of a file; that of the end if there is no such file.
    pub fn base(&self, file: FileId) -> u32 {
        match self.files.get(file.0 as usize) {
            Some((base, _)) => *base,
            None => self.files.last().map_or(0, |(base, source)| base + source.span().end + 1),
        }
    }

    /// The file an offset is in; the last one for offsets after it.
    pub fn file_of(&self, offset: u32) -> FileId {
        FileId(self.files.partition_point(|&(base, _)| base <= offset).saturating_sub(1) as u32)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The texts in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(index, (_, source))| (FileId(index as u32), source))
    }

    /// The texts themselves, in the order they were added.
    pub fn into_files(self) -> Vec<Source> {
        self.files.into_iter().map(|(_, source)| source).collect()
    }
}

/// A source and where its offsets start.
#[derive(Debug, Clone, Copy)]
pub struct Found<'s> {
    /// The file's index; 0 for a text on its own.
    pub file: FileId,
    /// The text.
    pub source: &'s Source,
    /// The offset of the first byte of the text.
    pub base: u32,
}

impl Found<'_> {
    /// A span relative to this text, cut off where the text ends.
    pub fn local(&self, span: Span) -> Span {
        let end = self.source.span().end;
        let local = |offset: u32| offset.saturating_sub(self.base).min(end);
        let start = local(span.start);
        Span { start, end: local(span.end).max(start) }
    }
}

/// Anything that leads from an offset to a text: one [`Source`], or [`Sources`].
pub trait SourceMap {
    /// The text an offset is in; `None` if there is no text at all.
    fn find(&self, offset: u32) -> Option<Found<'_>>;

    /// The text of a span, or nothing if the span is not one of a text.
    fn text_of(&self, span: Span) -> &str {
        let Some(found) = self.find(span.start) else { return "" };
        found.source.slice(found.local(span))
    }

    /// Name, line and column of an offset.
    fn locate(&self, offset: u32, columns: Columns) -> Option<Location> {
        let found = self.find(offset)?;
        Some(found.source.location(found.local(Span::at(offset)).start, columns))
    }
}

impl SourceMap for Source {
    fn find(&self, _: u32) -> Option<Found<'_>> {
        Some(Found { file: FileId(0), source: self, base: 0 })
    }
}

impl SourceMap for Sources {
    fn find(&self, offset: u32) -> Option<Found<'_>> {
        let file = self.file_of(offset);
        let (base, source) = self.files.get(file.0 as usize)?;
        Some(Found { file, source, base: *base })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn position(source: &Source, offset: u32) -> (u32, u32) {
        let position = source.position(offset, Columns::Characters);
        (position.line, position.column)
    }

    #[test]
    fn positions_count_lines_of_every_kind() {
        let source = Source::new("t", "a\nb\r\nc\rdé!");
        assert_eq!(position(&source, 0), (1, 1));
        assert_eq!(position(&source, 2), (2, 1));
        assert_eq!(position(&source, 3), (2, 2));
        assert_eq!(position(&source, 5), (3, 1));
        assert_eq!(position(&source, 7), (4, 1));
        assert_eq!(position(&source, 10), (4, 3));
        assert_eq!(position(&source, 4000), (4, 4));
        let lines: Vec<&str> = (0..=5).map(|number| source.line(number)).collect();
        assert_eq!(lines, ["", "a", "b", "c", "dé!", ""]);
    }

    #[test]
    fn columns_count_what_the_caller_counts() {
        let source = Source::new("t", "ä€😀x");
        let column = |columns| source.position(9, columns).column;
        assert_eq!(column(Columns::Characters), 4);
        assert_eq!(column(Columns::Utf16), 5);
        assert_eq!(column(Columns::Bytes), 10);
    }

    #[test]
    fn kick_assembler_has_more_line_ends() {
        let source = Source::new("t", "a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}f\r\ng\u{1c}😀h");
        let at = |letter| {
            let offset = source.text().find(letter).unwrap() as u32;
            let Position { line, column } = source.position(offset, Columns::Kick);
            (line, column)
        };
        assert_eq!(
            "abcdefgh".chars().map(|letter| at(letter).0).collect::<Vec<_>>(),
            [1, 2, 3, 4, 5, 6, 7, 7]
        );
        assert_eq!((at('f'), at('h')), ((6, 1), (7, 5)));
        assert_eq!((1..=7).map(|line| source.line_for(line, Columns::Kick).len()).sum::<usize>(), 6 + 7);
        assert_eq!(source.position(source.span().end, Columns::Utf16).line, 2);
    }

    #[test]
    fn offsets_and_positions_are_inverse() {
        let source = Source::new("t", "ä€😀x\r\n\rzwei 😀\n");
        for columns in [Columns::Characters, Columns::Utf16, Columns::Bytes, Columns::Kick] {
            for line in 1..=source.line_count() as u32 {
                let start = source.line_start(line).unwrap();
                for (at, _) in source.line(line).char_indices() {
                    let offset = start + at as u32;
                    assert_eq!(source.offset(source.position(offset, columns), columns), offset);
                }
            }
        }
        assert_eq!(source.offset(Position { line: 1, column: 99 }, Columns::Utf16), 10);
        assert_eq!(source.offset(Position { line: 99, column: 1 }, Columns::Utf16), source.span().end);
        assert_eq!(source.offset(Position { line: 0, column: 0 }, Columns::Utf16), source.span().end);
    }

    #[test]
    fn bytes_that_are_no_text_keep_their_offsets() {
        let source = Source::from_bytes("t", b"\xc3\xa4\xff\xc3\nb\xe2\x82");
        assert_eq!(source.text(), "ä??\nb??");
        assert_eq!(source.span().end, 8);
    }

    #[test]
    fn long_lines_agree_with_counting() {
        let text = "añ😀".repeat(2000);
        let source = Source::new("t", text.clone());
        for (offset, _) in text.char_indices().step_by(7) {
            let position = source.position(offset as u32, Columns::Utf16);
            assert_eq!(position.column as usize, text[..offset].encode_utf16().count() + 1);
            let position = source.position(offset as u32, Columns::Characters);
            assert_eq!(position.column as usize, text[..offset].chars().count() + 1);
        }
    }

    #[test]
    fn many_texts_share_one_range_of_offsets() {
        let mut sources = Sources::new();
        assert!(sources.find(0).is_none());
        sources.add(Source::new("empty", "")).unwrap();
        let a = sources.add(Source::new("a", "x\ny")).unwrap();
        let b = sources.add(Source::new("b", "one\r\ntwo")).unwrap();
        let place = |offset| sources.locate(offset, Columns::Characters).unwrap().to_string();
        assert_eq!(place(0), "empty:1:1");
        assert_eq!(place(sources.base(a)), "a:1:1");
        assert_eq!(place(sources.base(a) + 3), "a:2:2");
        assert_eq!(place(sources.base(b) + 5), "b:2:1");
        assert_eq!(place(4_000_000_000), "b:2:4");
        assert_eq!(sources.text_of(Span::new(5, 8).shifted(sources.base(b))), "two");
    }
}
