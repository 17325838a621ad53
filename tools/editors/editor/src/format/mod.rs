//! Formatting of Kick source: labels, instructions and comments in their columns, statements of the script language
//! indented by their braces. Works on the assembler's tokens and changes only the blanks between them (and the case of
//! numbers, if asked): it never joins, splits or reorders statements.

mod lines;

use std::sync::Arc;

use tempo_assembler::{Code, FileError, Files, Loaded, Options, Severity, TokenKind, assemble};
use tempo_diagnostics::{SourceMap, Span};

use crate::Edit;
use lines::Formatter;

/// How a source is laid out. Columns count characters from 0.
///
/// ```
/// use tempo_editor::{Style, format};
///
/// let text = "start: lda #0 // black\nsta $d020\n.if (true) {\nrts\n}\n";
/// let tidy = "start:  lda #0                  // black\n        sta $d020\n.if (true) {\n        rts\n}\n";
/// assert_eq!(format(text, &Style::default()).unwrap(), tidy);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Where instructions, data and macro calls begin. In braces that reach further they begin there.
    pub code: u32,
    /// Where operands begin; 0 for one blank behind the mnemonic.
    pub operand: u32,
    /// Where comments behind code begin. Behind longer code they go to the next multiple of eight.
    pub comment: u32,
    /// Columns for each open brace, for statements of the script language.
    pub indent: u32,
    /// The case of the digits of hexadecimal numbers. Mnemonics have none to choose: the language knows small letters.
    pub hex: Case,
}

impl Default for Style {
    fn default() -> Style {
        Style { code: 8, operand: 0, comment: 32, indent: 4, hex: Case::Leave }
    }
}

/// What becomes of the case of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// As they are written.
    #[default]
    Leave,
    /// Small letters.
    Lower,
    /// Capitals.
    Upper,
}

impl Case {
    /// A word in that case.
    fn apply(self, word: &str) -> String {
        match self {
            Case::Leave => word.to_owned(),
            Case::Lower => word.to_ascii_lowercase(),
            Case::Upper => word.to_ascii_uppercase(),
        }
    }
}

/// A text with a syntax error, which is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unformattable {
    /// The kind of error.
    pub code: Code,
    /// What the assembler says.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// A source in that style, or the reason why it is left alone.
pub fn format(text: &str, style: &Style) -> Result<String, Unformattable> {
    let edits = format_edits("", text, style)?;
    Ok(crate::apply(text, &edits.iter().collect::<Vec<_>>()))
}

/// The changes that bring a file into that style, in order. Each is within one line, so that an editor can take those
/// of a few lines alone.
pub fn format_edits(file: &str, text: &str, style: &Style) -> Result<Vec<Edit>, Unformattable> {
    let tokens = tempo_assembler::tokens(text);
    if let Some(token) = tokens.iter().find(|token| token.kind == TokenKind::Invalid) {
        let span = Span { start: token.start, end: token.end };
        return Err(Unformattable {
            code: Code::InvalidCharacter,
            message: "this is no token".to_owned(),
            span,
        });
    }
    syntax(text)?;
    let mut edits = Formatter::new(text, &tokens, style).edits();
    for edit in &mut edits {
        edit.file.push_str(file);
    }
    Ok(edits)
}

/// The first syntax error of a text, whatever it imports.
fn syntax(text: &str) -> Result<(), Unformattable> {
    let options = Options { parse_only: true, symbols: false, source_map: false, ..Options::default() };
    let output = assemble(&Alone(text), "", &options);
    let errors = output.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    // Names may be declared in the files that are imported, or that import this one.
    let mut errors =
        errors.filter(|diagnostic| diagnostic.code.is_syntax() && diagnostic.code != Code::ImportNotFound);
    let Some(error) = errors.next() else { return Ok(()) };
    let span = error.span.and_then(|span| output.sources.find(span.start).map(|found| found.local(span)));
    Err(Unformattable { code: error.code, message: error.message.clone(), span: span.unwrap_or(Span::at(0)) })
}

/// One source; whatever it imports is empty.
struct Alone<'a>(&'a str);

impl Files for Alone<'_> {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let bytes = if from.is_none() { self.0.as_bytes().to_vec() } else { Vec::new() };
        Ok(Loaded { path: name.to_owned(), identity: None, bytes: Arc::new(bytes) })
    }
}
