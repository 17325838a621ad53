//! Source texts and places in them. All texts share one range of offsets, so a place is a single number;
//! lines and columns are worked out when somebody wants to read them.

use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostics::Location;

/// An offset into the texts of all sources, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pos(pub u32);

/// The sources of a run in the order they were opened.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: Vec<File>,
}

#[derive(Debug)]
pub(crate) struct File {
    pub path: String,
    pub text: Rc<String>,
    /// Offset of the first byte of the text; each file occupies one more than its length, for the end.
    base: u32,
    /// Offsets of line starts relative to the text; filled on first use.
    lines: std::sync::OnceLock<Vec<u32>>,
    /// Where the file was imported from.
    pub imported_at: Option<Pos>,
}

impl Sources {
    /// Adds a text. `None` when the range of offsets is used up.
    pub fn add(&mut self, path: String, text: impl Into<String>, imported_at: Option<Pos>) -> Option<u32> {
        let base = self.end();
        let text = Rc::new(text.into());
        let len = u32::try_from(text.len()).ok()?;
        base.checked_add(len)?.checked_add(2)?;
        self.files.push(File { path, text, base, lines: Default::default(), imported_at });
        Some(self.files.len() as u32 - 1)
    }

    fn end(&self) -> u32 {
        self.files.last().map_or(0, |file| file.base + file.text.len() as u32 + 1)
    }

    pub fn base(&self, file: u32) -> u32 {
        self.files[file as usize].base
    }

    pub fn file(&self, file: u32) -> &File {
        &self.files[file as usize]
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The file a place is in.
    pub fn file_of(&self, pos: Pos) -> u32 {
        self.files.partition_point(|file| file.base <= pos.0).saturating_sub(1) as u32
    }

    /// The text from a place on.
    pub fn text_at(&self, pos: Pos) -> &str {
        let file = self.file(self.file_of(pos));
        file.text.get((pos.0 - file.base) as usize..).unwrap_or("")
    }

    /// Line and column of a place, with the length of the token there.
    pub fn locate(&self, pos: Pos) -> Location {
        let index = self.file_of(pos);
        let (line, column) = self.line_column(index, pos);
        Location { file: index, line, column, len: token_len(self.text_at(pos)) }
    }

    pub fn line_column(&self, index: u32, pos: Pos) -> (u32, u32) {
        let file = self.file(index);
        let offset = (pos.0 - file.base) as usize;
        let lines = file.lines.get_or_init(|| line_starts(&file.text));
        let line = lines.partition_point(|&start| start as usize <= offset) - 1;
        let start = lines[line] as usize;
        let before = file.text.get(start..offset).unwrap_or("");
        // Kick Assembler counts UTF-16 units.
        let column = if before.is_ascii() { before.len() } else { before.encode_utf16().count() };
        (line as u32 + 1, column as u32 + 1)
    }

    pub fn line_count(&self) -> u64 {
        // Without the built-in source.
        self.files.iter().skip(1).map(|file| bytecount_lines(&file.text)).sum()
    }

    pub fn into_files(self) -> Vec<File> {
        self.files
    }
}

fn bytecount_lines(text: &str) -> u64 {
    // In pieces whose count fits a byte, which the compiler turns into vectors.
    let count = |piece: &[u8]| piece.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>();
    let newlines: u64 = text.as_bytes().chunks(255).map(|piece| u64::from(count(piece))).sum();
    newlines + u64::from(!text.is_empty() && !text.ends_with('\n'))
}

/// LF, CR and CR LF all end a line.
fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (index, &byte) in bytes.iter().enumerate() {
        if byte == b'\n' || (byte == b'\r' && bytes.get(index + 1) != Some(&b'\n')) {
            starts.push(index as u32 + 1);
        }
    }
    starts
}

/// How many characters the token at the start of the text has; at least one.
pub(crate) fn token_len(text: &str) -> u32 {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut chars = text.chars();
    let len = match chars.next() {
        Some('"') => text[1..].find(['"', '\n', '\r']).map_or(1, |end| text[1..1 + end].chars().count() + 2),
        Some('.' | '@' | '$' | '%' | '!') => 1 + text[1..].chars().take_while(|&c| word(c)).count(),
        Some(c) if word(c) => text.chars().take_while(|&c| word(c)).count(),
        Some(c) => match (c, chars.next()) {
            ('<', Some('<' | '=')) | ('>', Some('>' | '=')) | ('=' | '!', Some('=')) => 2,
            ('&', Some('&')) | ('|', Some('|')) | ('+', Some('+' | '=')) | ('-', Some('-' | '=')) => 2,
            _ => 1,
        },
        None => 1,
    };
    len as u32
}

/// The text of a file: UTF-8, or Latin-1 if it is not. Bytes that nobody else holds become the text as they are.
pub(crate) fn decode(bytes: Arc<Vec<u8>>) -> String {
    let bytes = Arc::unwrap_or_clone(bytes);
    String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn places_have_lines_and_columns() {
        let mut sources = Sources::default();
        sources.add("a".into(), "x\ny", None);
        let b = sources.add("b".into(), "one\r\ntwo\rthree\n\tfour", None).unwrap();
        let base = sources.base(b);
        let at = |offset| {
            let location = sources.locate(Pos(base + offset));
            (location.file, location.line, location.column, location.len)
        };
        assert_eq!(at(0), (1, 1, 1, 3));
        assert_eq!(at(5), (1, 2, 1, 3));
        assert_eq!(at(9), (1, 3, 1, 5));
        assert_eq!(at(16), (1, 4, 2, 4));
        assert_eq!(sources.locate(Pos(3)).file, 0);
    }
}
