//! Diagnostics of a suite, and the record of one that reports carry.

use serde::Serialize;
use tempo_diagnostics::Location;
pub use tempo_diagnostics::{Colour, Severity};
pub use tempo_expressions::diag::{Code, Diagnostic};

use crate::source::Source;

/// A diagnostic as data, for machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiagnosticRecord {
    pub severity: Severity,
    pub message: String,
    #[serde(flatten)]
    pub location: Location,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl DiagnosticRecord {
    pub fn new(source: &Source, diagnostic: &Diagnostic) -> DiagnosticRecord {
        DiagnosticRecord {
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            location: source.location(diagnostic.span.unwrap_or_default()),
            label: diagnostic.label.clone(),
            notes: diagnostic.notes.clone(),
            help: diagnostic.help.clone(),
        }
    }
}
