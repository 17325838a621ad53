//! The form editors take: ranges with both ends, counted from 0, and places related to the first.
//! The names are those of the Language Server Protocol; its transport is not here.

use serde::Serialize;

use super::Renderer;
use crate::{Code, Columns, Diagnostic, FileId, FrameKind, Severity, Span};

/// A diagnostic in the terms of editors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorDiagnostic {
    /// Where it is shown; `None` if it has no place.
    pub place: Option<EditorPlace>,
    /// How bad it is; [`EditorDiagnostic::severity_number`] is the protocol's number.
    pub severity: Severity,
    /// The stable name of its kind.
    pub code: Option<&'static str>,
    /// The message, and on their own lines the label, notes and help.
    pub message: String,
    /// Labels, then frames innermost first.
    pub related: Vec<Related>,
}

/// Another place and what it has to do with the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub place: EditorPlace,
    /// The text at that place.
    pub message: String,
}

/// A range of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditorPlace {
    /// The index of the file.
    pub file: FileId,
    /// The name of the source as it was given, not as it is shown.
    pub name: String,
    /// The text that is meant.
    pub range: EditorRange,
}

/// From one position to another, which is the first one outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct EditorRange {
    /// The first character.
    pub start: EditorPosition,
    /// After the last character.
    pub end: EditorPosition,
}

/// A line and a column, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct EditorPosition {
    /// The line, from 0.
    pub line: u32,
    /// The column, from 0; UTF-16 units unless something else was agreed on.
    pub character: u32,
}

impl EditorDiagnostic {
    /// The protocol's number for the severity: 1 error, 2 warning, 3 information.
    pub fn severity_number(&self) -> u8 {
        match self.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Note => 3,
        }
    }
}

impl Renderer<'_> {
    /// The form editors take, with the columns the editor counts; [`Columns::Utf16`] unless agreed otherwise.
    pub fn editor<C: Code>(&self, diagnostic: &Diagnostic<C>, columns: Columns) -> EditorDiagnostic {
        let mut message = diagnostic.message.clone();
        if let Some(label) = &diagnostic.label {
            message += &format!("\n{label}");
        }
        for note in &diagnostic.notes {
            message += &format!("\nnote: {note}");
        }
        if let Some(help) = &diagnostic.help {
            message += &format!("\nhelp: {help}");
        }
        let labels = diagnostic.labels.iter().map(|label| (label.span, label.text.clone()));
        let frames = diagnostic.frames.iter().filter(|frame| frame.kind != FrameKind::BuiltIn);
        let frames = frames.map(|frame| (frame.span, self.frame_text(frame)));
        let related = labels.chain(frames).filter_map(|(span, message)| {
            Some(Related { place: self.editor_place(span, columns)?, message })
        });
        EditorDiagnostic {
            place: diagnostic.span.and_then(|span| self.editor_place(span, columns)),
            severity: self.severity(diagnostic),
            code: diagnostic.code.id(),
            message,
            related: related.collect(),
        }
    }

    /// The place of a span with both ends.
    pub fn editor_place(&self, span: Span, columns: Columns) -> Option<EditorPlace> {
        let found = self.sources.find(span.start)?;
        let local = found.local(span);
        let position = |offset| {
            let position = found.source.position(offset, columns);
            EditorPosition { line: position.line - 1, character: position.column - 1 }
        };
        let range = EditorRange { start: position(local.start), end: position(local.end) };
        Some(EditorPlace { file: found.file, name: found.source.name().to_owned(), range })
    }
}
