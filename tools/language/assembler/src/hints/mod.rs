//! Help for mistakes that are known: spellings of other assemblers, small slips, brackets that stay open, names that
//! are declared elsewhere. Reads the text around an error, after the fact, so that the parser knows nothing of other
//! languages.

mod expressions;
mod fixes;
mod foreign;
mod scopes;
mod semicolons;
mod slips;

use std::collections::HashSet;

use crate::codes::Code;
use crate::report::{Fault, Report};
use crate::source::Sources;
use crate::tree::{SymbolKind, Tree};
use crate::values::Type;
pub use fixes::{Fix, fixes};
use scopes::{Advice, Scopes};
use semicolons::{Certainty, comment};
use tempo_diagnostics::{Severity, Span};

/// A line of a source with the place of an error in it.
#[derive(Clone, Copy)]
struct Line<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Line<'s> {
    fn of(sources: &'s Sources, report: &Report) -> Option<Line<'s>> {
        let span = report.span?;
        let file = sources.file_of(span);
        let text = sources.text(file);
        let at = (span.start - sources.base(file)) as usize;
        let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[start..].lines().next().unwrap_or("");
        Some(Line { text: line, at: (at - start).min(line.len()) })
    }

    fn before(&self) -> &'s str {
        self.text.get(..self.at).unwrap_or("")
    }

    fn after(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or("")
    }
}

/// Adds help to errors that have none, or a weaker one, and leaves out those that follow from another.
pub(crate) fn add(reports: &mut Vec<Report>, tree: &Tree, sources: &Sources) {
    explain(reports, tree, sources);
    leave_out(reports, sources);
}

/// A declaration without its dot is a pseudo command with an unknown argument, and its name is unknown elsewhere. A
/// pseudo command has only the parameters before a comma, and `#define` no value.
fn leave_out(reports: &mut Vec<Report>, sources: &Sources) {
    // A comment after a `;` is one mistake, however many of its words are wrong.
    let mut commented = HashSet::new();
    reports.retain(|report| {
        report.help.as_deref() != Some(semicolons::HELP)
            || Line::of(sources, report).is_none_or(|line| commented.insert(line.text.as_ptr()))
    });
    let mut lines = Vec::new();
    let mut names = Vec::new();
    let mut short = Vec::new();
    for report in reports.iter().filter(|report| report.help.is_some()) {
        let is_cause = matches!(
            report.code,
            Code::SyntaxError | Code::InvalidToken | Code::UnknownPseudoCommand | Code::DirectiveArguments
        );
        let Some(line) = Line::of(sources, report).filter(|_| is_cause) else { continue };
        if let (Some(span), Some(_)) = (report.span, expressions::missing_dot(line)) {
            lines.push((span, line.text));
            names.extend(expressions::undeclared(line));
        }
        short.extend(expressions::pseudo_command(line));
        names.extend(slips::definition(line).map(|(name, _)| name));
    }
    if lines.is_empty() && names.is_empty() && short.is_empty() {
        return;
    }
    reports.retain(|report| {
        let (Some(span), Some(line)) = (report.span, Line::of(sources, report)) else { return true };
        let is_beside = |&(cause, text): &(Span, &str)| cause != span && std::ptr::eq(text, line.text);
        match report.code {
            Code::SyntaxError => !lines.iter().any(|cause| cause.0.start < span.start && is_beside(cause)),
            Code::UnknownSymbol => !names.contains(&sources.text_of(span)) && !lines.iter().any(is_beside),
            Code::CallArguments => !short.contains(&sources.text_of(span)),
            _ => true,
        }
    });
}

fn explain(reports: &mut [Report], tree: &Tree, sources: &Sources) {
    let mut scopes: Option<Scopes<'_>> = None;
    // Reports are limited, but a line can be long; what follows the first twenty is more of the same.
    let errors = reports.iter_mut().filter(|report| report.severity == Severity::Error);
    for report in errors.take(20) {
        let Some(span) = report.span.filter(|&span| sources.file_of(span) != 0) else { continue };
        let Some(line) = Line::of(sources, report) else { continue };
        let word = sources.text_of(span);
        let is_behind = |wanted: Certainty| comment(line, tree, wanted);
        match report.code {
            Code::UnbalancedBracket => {
                let bracket = word.chars().next().unwrap_or(' ');
                report.label = Some(match bracket {
                    '{' | '(' | '[' => format!("this {bracket} is never closed"),
                    _ => format!("nothing that this {bracket} could close is open"),
                });
                report.help = is_behind(Certainty::Likely);
                continue;
            }
            Code::UnknownDirective => {
                let found = foreign::dot_label(word, line).or_else(|| foreign::directive(word));
                report.help = found.or(report.help.take());
                continue;
            }
            Code::UnknownSymbol => {
                let certain = is_behind(Certainty::Likely)
                    .or_else(|| slips::loop_variable(word, line))
                    .or_else(|| slips::accumulator(word, line));
                if certain.is_some() {
                    report.help = certain;
                    continue;
                }
                let scopes = scopes.get_or_insert_with(|| Scopes::of(tree, sources));
                report.help = match (scopes.advise(span, word), report.help.take()) {
                    (Some(Advice::Path(help)), _) => Some(help),
                    (_, Some(similar)) => Some(similar),
                    (Some(Advice::Local(help)), None) => Some(help),
                    (None, None) => expressions::multi_label(word)
                        .or_else(|| expressions::quotes(word, line))
                        .or_else(|| slips::undeclared(word, line))
                        .or_else(|| foreign::bare_label(line.text)),
                };
                continue;
            }
            Code::UnknownPseudoCommand => {
                let known = || {
                    expressions::missing_dot(line)
                        .or_else(|| foreign::bare_directive(word))
                        .or_else(|| foreign::instruction(word))
                };
                if let Some(help) = is_behind(Certainty::Prose).or_else(known) {
                    report.help = Some(help);
                    continue;
                }
            }
            Code::UnknownFunction => {
                report.help = expressions::low_byte(word).or(report.help.take());
            }
            _ => {}
        }
        if report.help.is_some() {
            continue;
        }
        report.help = match report.code {
            Code::SyntaxError
            | Code::InvalidCharacter
            | Code::InvalidToken
            | Code::UnknownPseudoCommand
            | Code::ExtraToken => {
                let is_variable = |name: &str| is_variable(tree, name);
                is_behind(Certainty::Likely)
                    .or_else(|| foreign::program_counter(line))
                    .or_else(|| slips::head(line))
                    .or_else(|| slips::assignment(line, is_variable))
                    .or_else(|| expressions::token(line))
                    .or_else(|| expressions::power(line))
                    .or_else(|| foreign::line(line))
                    .or_else(|| expressions::missing_comma(line))
                    .or_else(|| slips::code_in_function(word, line))
            }
            Code::SemicolonExpected => expressions::loop_head(line),
            Code::CommaExpected => expressions::fill(line),
            Code::InvalidArgument => expressions::import_kind(word, line),
            Code::DirectiveNotNamed => line.before().trim().eq("#").then(expressions::comment),
            Code::UnknownFunction => slips::longer_function(word),
            Code::UnterminatedString => is_behind(Certainty::Likely)
                .or_else(|| Some("a text ends with a \" on the line it begins on".to_owned())),
            Code::UnterminatedComment => Some("*/ ends it".to_owned()),
            Code::NotIndexable => expressions::subscript(line),
            Code::UnknownPreprocessorDirective
            | Code::UnknownExtension
            | Code::UnknownMember
            | Code::Conversion => report.fault.and_then(|fault| explain_fault(fault, word, line, tree)),
            Code::DirectiveArguments => slips::preprocessor(line),
            Code::NameExpected => foreign::cpu(line),
            Code::UnknownMethod => foreign::method(word).or_else(|| {
                let is_truth = report.label.as_ref().is_some_and(|label| label.contains("boolean"));
                is_truth.then(|| expressions::chained(word)).flatten()
            }),
            Code::AssignToConstant => slips::comparison(line).or_else(slips::constant),
            Code::OperandType => slips::character(word).or_else(|| slips::operand_type(report, word, line)),
            _ => None,
        };
    }
}

/// Help that depends on more than the kind of the error.
fn explain_fault(fault: Fault, word: &str, line: Line<'_>, tree: &Tree) -> Option<String> {
    match fault {
        Fault::Preprocessor(directive) => {
            let here = foreign::preprocessor(tree.name(directive), line)?;
            Some(format!("here it is {here}"))
        }
        Fault::Extension(extension) => {
            foreign::dot_operand(word, line).or_else(|| foreign::extension(tree.name(extension)))
        }
        // A label or namespace without that member is something else.
        Fault::NoMember(Type::Text, _) => foreign::method(word),
        Fault::NoMember(..) => None,
        Fault::Conversion(error) if error.from() == Type::Null => slips::null(line),
        Fault::Conversion(_) => slips::comparison(line).or_else(|| slips::text_as_number(line)),
        Fault::Unknown(..) => None,
    }
}

fn is_variable(tree: &Tree, name: &str) -> bool {
    tree.symbols.iter().any(|symbol| symbol.kind == SymbolKind::Variable && tree.name(symbol.name) == name)
}

/// The length of the name at the start of a text.
fn ident_len(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())
}

fn is_mnemonic(word: &str) -> bool {
    tempo_isa::Mnemonic::parse(&word.to_ascii_lowercase()).is_some()
}
