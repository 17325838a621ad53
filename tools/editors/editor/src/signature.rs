//! The arguments of the call that is being written.

use tempo_assembler::TokenKind;
use tempo_assembler::analysis::SymbolKind;
use tempo_assembler::dialect::{self, Directive, Function, Takes};

use crate::facts::Facts;
use crate::hover::comment;
use crate::words::Words;
use crate::{Place, Snapshot};

/// The forms a call can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHelp {
    /// All forms.
    pub signatures: Vec<Signature>,
    /// The one that fits best.
    pub active: usize,
    /// The argument the cursor is in, from 0.
    pub argument: usize,
}

/// One form of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The whole form.
    pub label: String,
    /// Each argument as a piece of the label, in order.
    pub arguments: Vec<String>,
    /// The action.
    pub text: String,
}

impl Signature {
    fn new(name: &str, arguments: Vec<String>, separator: &str, text: String) -> Signature {
        let joined = arguments.join(separator);
        let label = if separator == ", " { format!("{name}({joined})") } else { format!("{name} {joined}") };
        Signature { label, arguments, text }
    }
}

/// The call around a place.
pub fn signature_help(snapshot: &Snapshot, place: Place<'_>) -> Option<SignatureHelp> {
    let root = snapshot.roots_of(place.file).next()?;
    let facts = root.parsed();
    let words = Words::of(facts, facts.files(place.file).next()?);
    let before = words.tokens.partition_point(|token| token.start < place.offset);
    let inside = before.checked_sub(1).map(|index| words.tokens[index]);
    if inside.is_some_and(|token| token.kind == TokenKind::Comment && place.offset <= token.end) {
        return None;
    }
    let (open, argument) = match bracket(words, before) {
        Some(found) => found,
        None => return command(facts, words, before),
    };
    let name = open.checked_sub(1)?;
    let spelled = words.spelled(name);
    let mut signatures = match words.kind(name)? {
        TokenKind::DotName => {
            let methods = dialect::methods(&spelled[1..], None);
            methods.flat_map(|about| forms(&format!("{}.{}", about.group, about.name), about)).collect()
        }
        TokenKind::Name => callables(facts, spelled, false),
        _ => return None,
    };
    let head = name.checked_sub(1).and_then(|before| Directive::find(words.spelled(before)));
    if head.is_some_and(|head| head.item().takes == Takes::Modifier) {
        let found = dialect::MODIFIERS.iter().find(|item| item.name == spelled)?;
        let arguments = Function::arguments(found.arguments).map(str::to_owned).collect();
        return finished(vec![Signature::new(spelled, arguments, ", ", found.about.to_owned())], argument);
    }
    if signatures.is_empty() && words.kind(name) == Some(TokenKind::Name) {
        signatures = dialect::function(spelled).map(|about| forms(spelled, about)).unwrap_or_default();
    }
    finished(signatures, argument)
}

fn finished(signatures: Vec<Signature>, argument: usize) -> Option<SignatureHelp> {
    if signatures.is_empty() {
        return None;
    }
    let fits = |signature: &Signature| {
        argument < signature.arguments.len() || signature.arguments.is_empty() && argument == 0
    };
    let active = signatures.iter().position(|signature| fits(signature) && !signature.arguments.is_empty());
    let active = active.or_else(|| signatures.iter().position(fits)).unwrap_or(signatures.len() - 1);
    Some(SignatureHelp { signatures, active, argument })
}

fn forms(name: &str, about: &Function) -> Vec<Signature> {
    let form = |form: &&'static str| {
        let arguments = Function::arguments(form).map(str::to_owned).collect();
        Signature::new(name, arguments, ", ", about.about.to_owned())
    };
    about.forms.iter().map(form).collect()
}

fn callables(facts: &Facts, name: &str, is_command: bool) -> Vec<Signature> {
    let symbols = facts.analysis().symbols.iter().filter(|symbol| symbol.name == name);
    let fits = symbols.filter(|symbol| match symbol.kind {
        SymbolKind::PseudoCommand => is_command,
        SymbolKind::Macro | SymbolKind::Function | SymbolKind::Struct => !is_command,
        _ => false,
    });
    let separator = if is_command { " : " } else { ", " };
    let text = |symbol| comment(facts, symbol).unwrap_or_default();
    fits.map(|symbol| Signature::new(name, symbol.parameters.clone(), separator, text(symbol))).collect()
}

/// The innermost open bracket of a call before a token, and the number of commas after it.
fn bracket(words: Words<'_>, before: usize) -> Option<(usize, usize)> {
    let (mut depth, mut commas) = (0, 0);
    for index in (0..before).rev() {
        match words.spelled(index) {
            ")" | "]" => depth += 1,
            "[" if depth == 0 => return None,
            "(" if depth == 0 => {
                let name = index.checked_sub(1)?;
                let is_call = matches!(words.kind(name), Some(TokenKind::Name | TokenKind::DotName))
                    && words.span(name).end == words.span(index).start
                    && tempo_isa::Mnemonic::parse(words.spelled(name)).is_none();
                if is_call {
                    return Some((index, commas));
                }
                // A bracket in an expression: go on outside of it.
                commas = 0;
            }
            "(" | "[" => depth -= 1,
            "," if depth == 0 => commas += 1,
            "{" | "}" => return None,
            ";" if depth == 0 => return None,
            _ if words.kind(index) == Some(TokenKind::LineEnd)
                && depth == 0
                && commas == 0
                && !is_open(words, index) =>
            {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// Whether a line ends in the middle of a list.
fn is_open(words: Words<'_>, line_end: usize) -> bool {
    line_end.checked_sub(1).is_some_and(|index| matches!(words.spelled(index), "," | "("))
}

/// The pseudo command of the statement before a token.
fn command(facts: &Facts, words: Words<'_>, before: usize) -> Option<SignatureHelp> {
    let last = before.checked_sub(1)?;
    if words.kind(last) == Some(TokenKind::LineEnd) {
        return None;
    }
    let head = words.head(words.statement_start(last));
    if head > last || words.kind(head) != Some(TokenKind::Name) {
        return None;
    }
    let mut depth = 0;
    let mut argument = 0;
    for index in head + 1..before {
        match words.spelled(index) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            ":" if depth == 0 => argument += 1,
            _ => {}
        }
    }
    finished(callables(facts, words.spelled(head), true), argument)
}
