//! Open documents: texts that count before those on disk, and the edits that change them.

use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Uri};
use tempo_diagnostics::{Columns, Position, Source};

/// A text that a client has open.
#[derive(Debug, Clone)]
pub struct Document {
    /// As the client spells it.
    pub uri: Uri,
    pub version: i32,
    pub source: Arc<Source>,
}

impl Document {
    pub fn new(uri: Uri, version: i32, path: &str, text: String) -> Document {
        Document { uri, version, source: Arc::new(Source::new(path, text)) }
    }

    /// Applies the changes of one notification in order, each to the result of the one before.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>, columns: Columns) {
        for change in changes {
            let text = match change.range {
                None => change.text,
                Some(range) => {
                    let start = offset(&self.source, range.start, columns) as usize;
                    let end = (offset(&self.source, range.end, columns) as usize).max(start);
                    let old = self.source.text();
                    let mut text = String::with_capacity(old.len() + change.text.len());
                    text.push_str(&old[..start]);
                    text.push_str(&change.text);
                    text.push_str(&old[end..]);
                    text
                }
            };
            self.source = Arc::new(Source::new(self.source.name(), text));
        }
        self.version = version;
    }
}

/// The offset of a protocol position; beyond the end of a line it is that end.
pub fn offset(source: &Source, position: lsp_types::Position, columns: Columns) -> u32 {
    let line = position.line.saturating_add(1);
    source.offset(Position { line, column: position.character.saturating_add(1) }, columns)
}

/// The protocol position of an offset.
pub fn position(source: &Source, offset: u32, columns: Columns) -> lsp_types::Position {
    let Position { line, column } = source.position(offset, columns);
    lsp_types::Position { line: line - 1, character: column - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};
    use std::str::FromStr;

    fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        let position = |(line, character)| Position { line, character };
        let range = Range { start: position(from), end: position(to) };
        TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: text.to_owned() }
    }

    #[test]
    fn edits_apply_in_order_and_stay_inside() {
        let uri = Uri::from_str("file:///a").unwrap();
        let mut document = Document::new(uri, 1, "/a", "ä€😀 lda\r\nx\ry\n".to_owned());
        let edits = vec![
            change((0, 5), (0, 8), "ldx"),
            change((1, 0), (1, 99), "yy"),
            change((77, 0), (99, 9), "end"),
            change((0, 3), (0, 4), "?"), // between the halves of the emoji
        ];
        document.change(2, edits, Columns::Utf16);
        assert_eq!(document.source.text(), "ä€? ldx\r\nyy\ry\nend");
        let whole =
            TextDocumentContentChangeEvent { range: None, range_length: None, text: "new".to_owned() };
        document.change(3, vec![whole], Columns::Utf16);
        assert_eq!((document.source.text(), document.version), ("new", 3));
    }
}
