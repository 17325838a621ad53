//! What is wrong with a suite: the kinds of diagnostic, and the record that reports carry.

use serde::Serialize;
use tempo_diagnostics::Location;
pub use tempo_diagnostics::{Colour, Severity};

use crate::source::Source;

/// One error, warning or note about a suite.
pub type Diagnostic = tempo_diagnostics::Diagnostic<Code>;

/// The kinds of diagnostic. Messages of suites have no published codes, so none is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The text is not of the language.
    Syntax,
    /// The text is of the language, but names, files or values in it are wrong.
    Meaning,
    /// The text is larger or deeper than the harness takes.
    Limit,
}

impl tempo_diagnostics::Code for Code {
    fn id(self) -> Option<&'static str> {
        None
    }

    fn is_limit(self) -> bool {
        self == Code::Limit
    }
}

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
