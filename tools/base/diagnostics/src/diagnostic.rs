//! Diagnostics as data: what is wrong, where, and what to do about it. Rendering is in [`crate::Renderer`].

use std::fmt;

use serde::Serialize;

use crate::{Renderer, SourceMap, Span};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input cannot be used as it is.
    Error,
    /// The input can be used, but probably not as meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// `error`, `warning` or `note`.
    pub const fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The kinds of diagnostic of one producer. [`codes!`](crate::codes) makes such an enum.
pub trait Code: Copy + Eq + fmt::Debug {
    /// The stable name that users see: `E0301`, `unknown-piece`. `None` if there is nothing to show.
    fn id(self) -> Option<&'static str>;

    /// Whether a limit of the tool was reached, and not a rule of the input broken. Work that met a limit
    /// ends, because what follows would meet it again.
    fn is_limit(self) -> bool {
        false
    }
}

/// The code of producers that have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct NoCode;

impl Code for NoCode {
    fn id(self) -> Option<&'static str> {
        None
    }
}

/// Declares the enum of a producer's codes and implements [`Code`] for it.
///
/// ```
/// use tempo_diagnostics::Code as _;
///
/// tempo_diagnostics::codes! {
///     /// A fault of a recipe.
///     pub enum Code {
///         /// An unknown ingredient.
///         UnknownIngredient = "E0101",
///         /// More steps than we are willing to cook.
///         TooManySteps = "E0901",
///     }
///     limits: TooManySteps;
/// }
///
/// assert_eq!(Code::UnknownIngredient.id(), Some("E0101"));
/// assert_eq!(Code::from_id("E0901"), Some(Code::TooManySteps));
/// assert!(Code::TooManySteps.is_limit() && !Code::UnknownIngredient.is_limit());
/// assert_eq!(Code::ALL.len(), 2);
/// ```
#[macro_export]
macro_rules! codes {
    (
        $(#[$outer:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$inner:meta])* $variant:ident = $id:literal),+ $(,)?
        }
        $(limits: $($limit:ident),+ $(,)?;)?
    ) => {
        $(#[$outer])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        $visibility enum $name {
            $($(#[$inner])* $variant,)+
        }

        impl $name {
            /// Every code, in the order of declaration.
            $visibility const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The stable name that users see.
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $id,)+
                }
            }

            /// The code that has this name.
            $visibility fn from_id(id: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|code| code.as_str() == id)
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::Code for $name {
            fn id(self) -> Option<&'static str> {
                Some(self.as_str())
            }

            fn is_limit(self) -> bool {
                match self {
                    $($($name::$limit => true,)+)?
                    #[allow(unreachable_patterns)]
                    _ => false,
                }
            }
        }
    };
}

/// One error, warning or note.
///
/// ```
/// use tempo_diagnostics::{Diagnostic, NoCode, Source, Span};
///
/// let source = Source::new("greeting.txt", "hello wrld\n");
/// let diagnostic = Diagnostic::error(NoCode, Span::new(6, 10), "unknown word `wrld`")
///     .help("did you mean `world`?");
/// assert_eq!(diagnostic.display(&source).to_string(), "greeting.txt:1:7: error: unknown word `wrld`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic<C = NoCode> {
    /// How bad it is.
    pub severity: Severity,
    /// The kind, for programs and for looking it up.
    pub code: C,
    /// One sentence: lower case, no full stop, the user's own words in it.
    pub message: String,
    /// The smallest text the user must change; `None` for what has no place in the text.
    pub span: Option<Span>,
    /// The RFC 6901 pointer to the value at fault, if the input is a document of values (JSON, YAML); else empty.
    pub pointer: String,
    /// The text at the caret, if the message alone is not enough.
    pub label: Option<String>,
    /// Other places that matter, such as the first definition.
    pub labels: Vec<Label>,
    /// How evaluation got there, innermost first.
    pub frames: Vec<Frame>,
    /// Further information.
    pub notes: Vec<String>,
    /// The next step for the user.
    pub help: Option<String>,
}

/// A second place and what to say there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The label's text: "first defined here".
    pub text: String,
}

/// One level on the way to the place of a diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The construct that was entered.
    pub kind: FrameKind,
    /// The name of what was entered: a macro, a function, a file; for a loop, the round.
    pub name: String,
    /// The place of the call, the loop or the import.
    pub span: Span,
}

/// The construct that a [`Frame`] entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FrameKind {
    /// The expansion of a macro.
    Macro,
    /// The expansion of a pseudo command.
    PseudoCommand,
    /// The call of a function.
    Function,
    /// A built-in function, method or operator; the place equals that of the error, so people are not shown it.
    BuiltIn,
    /// A round of a loop.
    Loop,
    /// An imported file.
    Import,
}

impl FrameKind {
    /// One lower case word for programs.
    pub const fn word(self) -> &'static str {
        match self {
            FrameKind::Macro => "macro",
            FrameKind::PseudoCommand => "pseudocommand",
            FrameKind::Function => "function",
            FrameKind::BuiltIn => "builtin",
            FrameKind::Loop => "loop",
            FrameKind::Import => "import",
        }
    }
}

impl<C: Code> Diagnostic<C> {
    /// A diagnostic without label, notes and help.
    pub fn new(
        severity: Severity,
        code: C,
        span: impl Into<Option<Span>>,
        message: impl Into<String>,
    ) -> Diagnostic<C> {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            span: span.into(),
            pointer: String::new(),
            label: None,
            labels: Vec::new(),
            frames: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// An error.
    pub fn error(code: C, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic<C> {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// An error about a value of a document, by its RFC 6901 pointer; empty for the whole document.
    /// The span is set where the text is at hand.
    pub fn at_value(code: C, pointer: impl Into<String>, message: impl Into<String>) -> Diagnostic<C> {
        Diagnostic::error(code, None, message).pointer(pointer)
    }

    /// A warning.
    pub fn warning(code: C, span: impl Into<Option<Span>>, message: impl Into<String>) -> Diagnostic<C> {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    /// Says this at the caret.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic<C> {
        self.label = Some(text.into());
        self
    }

    /// Shows a second place.
    pub fn label_at(mut self, span: Span, text: impl Into<String>) -> Diagnostic<C> {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Diagnostic<C> {
        self.notes.push(note.into());
        self
    }

    /// Says what to do next; `None` leaves the help as it is.
    pub fn help(mut self, help: impl Into<Help>) -> Diagnostic<C> {
        if let Help(Some(help)) = help.into() {
            self.help = Some(help);
        }
        self
    }

    /// Adds an outer level of the way to the place.
    pub fn frame(mut self, kind: FrameKind, name: impl Into<String>, span: Span) -> Diagnostic<C> {
        self.frames.push(Frame { kind, name: name.into(), span });
        self
    }

    /// Names the value at fault in a document of values.
    pub fn pointer(mut self, pointer: impl Into<String>) -> Diagnostic<C> {
        self.pointer = pointer.into();
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Whether a limit of the tool was reached.
    pub fn is_limit(&self) -> bool {
        self.code.is_limit()
    }

    /// With the texts it is about, ready to be printed: `{}` is the short form, `{:#}` the full one.
    pub fn display<'a>(&'a self, sources: &'a dyn SourceMap) -> Display<'a, C> {
        Display { diagnostic: self, sources }
    }
}

/// The help of a diagnostic: a text, or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help(Option<String>);

impl From<String> for Help {
    fn from(text: String) -> Help {
        Help(Some(text))
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Help {
        Help(Some(text.to_owned()))
    }
}

impl From<Option<String>> for Help {
    fn from(text: Option<String>) -> Help {
        Help(text)
    }
}

/// The message with its severity and code, for callers that have no source at hand.
impl<C: Code> fmt::Display for Diagnostic<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.severity)?;
        if let Some(id) = self.code.id() {
            write!(f, "[{id}]")?;
        }
        write!(f, ": {}", crate::show::escaped(&self.message))
    }
}

impl<C: Code> std::error::Error for Diagnostic<C> {}

/// A diagnostic with its texts, see [`Diagnostic::display`].
pub struct Display<'a, C> {
    diagnostic: &'a Diagnostic<C>,
    sources: &'a dyn SourceMap,
}

impl<C: Code> fmt::Display for Display<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let renderer = Renderer::new(self.sources);
        let text =
            if f.alternate() { renderer.human(self.diagnostic) } else { renderer.short(self.diagnostic) };
        f.write_str(text.trim_end_matches('\n'))
    }
}

impl<C> fmt::Debug for Display<'_, C>
where
    C: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}
