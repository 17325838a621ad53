//! The form programs read: one JSON object.

use serde_json::{Value, json};

use super::{Colour, Renderer};
use crate::{Code, Diagnostic, Position, Span};

impl Renderer<'_> {
    /// Everything about a diagnostic as one JSON object, the human form as `rendered`.
    /// `labels` and `pointer` are there only if the diagnostic has some.
    pub fn json<C: Code>(&self, diagnostic: &Diagnostic<C>) -> Value {
        let plain = self.clone().colour(Colour::Plain);
        let mut value = json!({
            "type": "diagnostic",
            "severity": self.severity(diagnostic),
            "code": diagnostic.code.id(),
            "message": diagnostic.message,
            "at": diagnostic.span.map(|span| self.json_place(span)),
            "label": diagnostic.label,
            "frames": diagnostic.frames.iter().map(|frame| json!({
                "kind": frame.kind.word(),
                "name": frame.name,
                "at": self.json_place(frame.span),
            })).collect::<Vec<_>>(),
            "notes": diagnostic.notes,
            "help": diagnostic.help,
            "rendered": plain.human(diagnostic),
        });
        if !diagnostic.labels.is_empty() {
            let labels = diagnostic.labels.iter();
            let labels = labels.map(|label| json!({"at": self.json_place(label.span), "text": label.text}));
            value["labels"] = labels.collect();
        }
        if !diagnostic.pointer.is_empty() {
            value["pointer"] = json!(diagnostic.pointer);
        }
        value
    }

    /// File, line, column and length in characters, at least 1; what is on later lines is not counted.
    fn json_place(&self, span: Span) -> Value {
        let Some(found) = self.sources.find(span.start) else { return Value::Null };
        let span = found.local(span);
        let Position { line, column } = found.source.position(span.start, self.columns);
        let text = found.source.slice(span);
        let text = text.find(['\n', '\r']).map_or(text, |end| &text[..end]);
        json!({
            "file": self.name(found),
            "line": line,
            "column": column,
            "length": text.chars().count().max(1),
        })
    }
}
