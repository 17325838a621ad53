//! Places in files: byte offsets, never lines and columns.

use tempo_diagnostics::Span;

/// A place that a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The path of the file, as the files of the snapshot name it.
    pub file: &'a str,
    /// A byte offset into its text.
    pub offset: u32,
}

/// A range of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileSpan {
    /// The path of the file.
    pub file: String,
    /// The range of bytes.
    pub span: Span,
}

/// A replacement of a piece of text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// The path of the file.
    pub file: String,
    /// The text that is replaced; empty for an insertion.
    pub span: Span,
    /// The replacement.
    pub text: String,
}

/// Applies the edits of one file to its text. Those that overlap an earlier one are left out.
pub fn apply(text: &str, edits: &[&Edit]) -> String {
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let (Some(before), Some(_)) = (text.get(at..start), text.get(start..end)) else { continue };
        out.push_str(before);
        out.push_str(&edit.text);
        at = end;
    }
    out.push_str(text.get(at..).unwrap_or(""));
    out
}
