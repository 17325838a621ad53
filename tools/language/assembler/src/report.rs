//! Errors and warnings while they are collected. A [`Report`] becomes a diagnostic when the names of the calls that
//! led to it are looked up, at the end of the run.
//!
//! Messages keep the words of Kick Assembler, mistakes included, because editors match on them. What we add goes into
//! labels, help and notes.

use std::ops::{Deref, DerefMut};

use tempo_diagnostics::{Diagnostic, Frame, FrameKind, Span};

use crate::codes::Code;
use crate::intern::{Interner, Name};
use crate::source::Sources;
use crate::values::{ConversionError, Type};

/// A diagnostic with the calls that led to it, innermost first.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    diagnostic: Diagnostic<Code>,
    /// The facts, where others ask for them.
    pub fault: Option<Fault>,
    pub calls: Vec<Call>,
    /// The imports around the statement whose execution failed, or that began the calls; `None` if nothing was executed.
    pub imports: Option<Vec<(Span, u32)>>,
}

/// A fault, from the place that knows it. Others explain it or leave it out; the words are for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing declares the name.
    Unknown(Unknown, Name),
    /// Values of the type have no such field, label or variable.
    NoMember(Type, Name),
    Conversion(ConversionError),
    /// `lda.w`
    Extension(Name),
    /// A directive of the preprocessor that there is not.
    Preprocessor(Name),
}

/// The kind of symbol that an unknown name was looked up as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    Symbol,
    Function,
    Macro,
    PseudoCommand,
}

impl Fault {
    fn code(&self) -> Code {
        match self {
            Fault::Unknown(Unknown::Symbol, _) => Code::UnknownSymbol,
            Fault::Unknown(Unknown::Function, _) => Code::UnknownFunction,
            Fault::Unknown(Unknown::Macro, _) => Code::UnknownMacro,
            Fault::Unknown(Unknown::PseudoCommand, _) => Code::UnknownPseudoCommand,
            Fault::NoMember(..) => Code::UnknownMember,
            Fault::Conversion(_) => Code::Conversion,
            Fault::Extension(_) => Code::UnknownExtension,
            Fault::Preprocessor(_) => Code::UnknownPreprocessorDirective,
        }
    }

    /// Kick Assembler's words.
    fn message(&self, names: &Interner) -> String {
        match self {
            Fault::Unknown(what, name) => {
                let name = names.get(*name);
                match what {
                    Unknown::Symbol => format!("Unknown symbol '{name}'"),
                    Unknown::Function => format!("Unknown function '{name}'"),
                    Unknown::Macro => format!("Macro command '{name}' not defined"),
                    Unknown::PseudoCommand => format!("Pseudo command '{name}' not defined"),
                }
            }
            Fault::NoMember(of, name) => {
                format!("Variable '{}' not present on value of type '{of}'", names.get(*name))
            }
            Fault::Conversion(error) => error.to_string(),
            Fault::Extension(name) => format!("Unknown extension: {}", names.get(*name)),
            Fault::Preprocessor(name) => format!("Unknown preprocessor directive #{}", names.get(*name)),
        }
    }
}

/// A call that is being executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Call {
    pub kind: FrameKind,
    pub name: Name,
    pub span: Span,
}

/// More import frames than any project needs.
const MAX_IMPORTS: usize = 1000;

impl Report {
    fn new(diagnostic: Diagnostic<Code>) -> Report {
        Report { diagnostic, fault: None, calls: Vec::new(), imports: None }
    }

    pub fn error(code: Code, span: impl Into<Option<Span>>, message: impl Into<String>) -> Report {
        Report::new(Diagnostic::error(code, span, message))
    }

    pub fn fault(fault: Fault, span: Span, names: &Interner) -> Report {
        let report = Report::error(fault.code(), span, fault.message(names));
        Report { fault: Some(fault), ..report }
    }

    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Report {
        Report::new(Diagnostic::warning(code, span, message))
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Report {
        self.help = Some(help.into());
        self
    }

    pub fn with_label(mut self, label: impl Into<String>) -> Report {
        self.label = Some(label.into());
        self
    }

    pub fn with_note(mut self, note: impl Into<String>) -> Report {
        self.notes.push(note.into());
        self
    }

    /// Adds a second place.
    pub fn with_label_at(mut self, span: Span, text: impl Into<String>) -> Report {
        self.diagnostic = self.diagnostic.label_at(span, text);
        self
    }

    /// Moves an error inside a built-in macro to the user's call of it, because users cannot change the built-in ones.
    pub fn leave_system(&mut self, sources: &Sources) {
        let is_system = |span: Span| sources.file_of(span) == 0;
        if !self.span.is_some_and(is_system) {
            return;
        }
        if let Some(call) = self.calls.iter().position(|call| !is_system(call.span)) {
            self.span = Some(self.calls[call].span);
            self.calls.drain(..=call);
        }
    }

    /// The diagnostic with its frames: the calls, then the imports that led to the outermost of them. Where no statement
    /// is known to have led there, it is the first import of each file.
    pub fn into_diagnostic(self, sources: &Sources, names: &Interner) -> Diagnostic<Code> {
        let Report { mut diagnostic, calls, imports, .. } = self;
        diagnostic.frames.extend(calls.iter().map(|call| Frame {
            kind: call.kind,
            name: names.get(call.name).to_owned(),
            span: call.span,
        }));
        let imports = imports.unwrap_or_else(|| {
            let outermost = calls.last().map(|call| call.span).or(diagnostic.span);
            let start = outermost.map(|span| sources.file_of(span));
            let import = |file: u32| Some((sources.imported_at(file)?, file));
            let outer = |&(from, _): &(Span, u32)| import(sources.file_of(from));
            std::iter::successors(start.and_then(import), outer).take(MAX_IMPORTS).collect()
        });
        diagnostic.frames.extend(imports.into_iter().map(|(span, file)| Frame {
            kind: FrameKind::Import,
            name: sources.path(file).to_owned(),
            span,
        }));
        diagnostic
    }
}

impl Deref for Report {
    type Target = Diagnostic<Code>;

    fn deref(&self) -> &Diagnostic<Code> {
        &self.diagnostic
    }
}

impl DerefMut for Report {
    fn deref_mut(&mut self) -> &mut Diagnostic<Code> {
        &mut self.diagnostic
    }
}
