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
    /// Where operands begin; 0 for one blank after the mnemonic.
    pub operand: u32,
    /// Where comments after code begin. After longer code they go to the next multiple of eight.
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

/// The treatment of letter case.
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
    /// The assembler's message.
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
    let left_out = syntax(text)?;
    let is_left_out = |at: u32| left_out.iter().any(|span| span.start <= at && at < span.end);
    let mut invalid = tokens.iter().filter(|token| token.kind == TokenKind::Invalid);
    if let Some(token) = invalid.find(|token| !is_left_out(token.start)) {
        let span = Span { start: token.start, end: token.end };
        return Err(Unformattable {
            code: Code::InvalidCharacter,
            message: "unexpected character".to_owned(),
            span,
        });
    }
    let mut edits = Formatter::new(text, &tokens, style).edits();
    for edit in &mut edits {
        edit.file.push_str(file);
    }
    Ok(edits)
}

/// The parts of a text that conditions leave out, or its first syntax error, whatever it imports.
fn syntax(text: &str) -> Result<Vec<Span>, Unformattable> {
    let options = Options { parse_only: true, symbols: false, source_map: false, ..Options::default() };
    let output = assemble(&Alone(text), "", &options);
    let errors = output.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    // Names may be declared in the files that are imported, or that import this one.
    let mut errors =
        errors.filter(|diagnostic| diagnostic.code.is_syntax() && diagnostic.code != Code::ImportNotFound);
    let local = |span: Span| output.sources.find(span.start).map(|found| found.local(span));
    let Some(error) = errors.next() else {
        return Ok(output.left_out.iter().filter_map(|&span| local(span)).collect());
    };
    let span = error.span.and_then(|span| output.sources.find(span.start).map(|found| found.local(span)));
    Err(Unformattable { code: error.code, message: error.message.clone(), span: span.unwrap_or(Span::at(0)) })
}

/// One source; whatever it imports is empty.
struct Alone<'a>(&'a str);

impl Files for Alone<'_> {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let bytes = if from.is_none() { self.0.as_bytes().to_vec() } else { Vec::new() };
        Ok(Loaded { path: name.to_owned(), identity: None, shown: None, bytes: Arc::new(bytes) })
    }
}
