//! Diagnostics of suites and expressions: their kinds.

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
