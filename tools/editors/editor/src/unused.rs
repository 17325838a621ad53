//! Constants and imports that nothing needs. Hints of the editor alone: the command does not warn of them, because a
//! file of constants is rarely used up by one program.

use std::collections::BTreeSet;

use tempo_assembler::analysis::{Role, SymbolKind};
use tempo_assembler::dialect::{Declares, Directive, Preprocessor};
use tempo_diagnostics::{FileId, Severity, Span};

use crate::facts::Facts;
use crate::problems::{ProblemCode, Tag};
use crate::words::Words;
use crate::{FileSpan, Problem};

/// Whether a code is one of these hints.
pub(crate) fn is_unused(code: Option<ProblemCode>) -> bool {
    matches!(code, Some(ProblemCode::UnusedConstant | ProblemCode::UnusedImport))
}

/// The hints about one program. A program that has errors, or that is a library because it emits nothing, has none.
pub(crate) fn hints(facts: &Facts) -> Vec<Problem> {
    if !facts.is_good() || facts.analysis().emissions.is_empty() {
        return Vec::new();
    }
    let mut found = constants(facts);
    found.extend(imports(facts));
    found
}

fn hint(place: FileSpan, code: ProblemCode, message: String) -> Problem {
    let (severity, tag) = (Severity::Note, Some(Tag::Unnecessary));
    Problem { place, severity, code: Some(code), message, related: Vec::new(), tag }
}

/// `.const` and `.var` that nothing reads. Those of a namespace are for its users, and a name that begins with `_`
/// says that it may be unused.
fn constants(facts: &Facts) -> Vec<Problem> {
    let analysis = facts.analysis();
    let namespaces: BTreeSet<usize> = (analysis.symbols.iter())
        .filter(|symbol| symbol.kind == SymbolKind::Namespace)
        .filter_map(|symbol| symbol.members)
        .collect();
    let is_exported = |scope: usize| {
        let mut scope = Some(scope);
        while let Some(index) = scope {
            if namespaces.contains(&index) {
                return true;
            }
            scope = analysis.scopes.get(index).and_then(|scope| scope.parent);
        }
        false
    };
    // Fields of values are read by name.
    let mut found = Vec::new();
    for symbol in &analysis.symbols {
        let is_value = matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
        if !is_value
            || symbol.role != Role::Plain
            || symbol.pair.is_some()
            || !symbol.uses.is_empty()
            || symbol.name.starts_with('_')
            || is_exported(symbol.scope)
        {
            continue;
        }
        let Some(place) = facts.file_span(symbol.span) else { continue };
        // The index of `.fill` has no name in the text.
        if facts.text_of(symbol.span) != symbol.name {
            continue;
        }
        let word = if symbol.kind == SymbolKind::Constant { "constant" } else { "variable" };
        found.push(hint(
            place,
            ProblemCode::UnusedConstant,
            format!("the {word} `{}` is never used", symbol.name),
        ));
    }
    found
}

/// Imports of files that only declare, if nothing outside of them names what they declare.
fn imports(facts: &Facts) -> Vec<Problem> {
    let analysis = facts.analysis();
    let sources = &facts.output().sources;
    let mut found = Vec::new();
    for import in &analysis.imports {
        let Some(place) = facts.file_span(import.span) else { continue };
        let inside = reached(facts, import.file);
        if !inside.iter().all(|&file| only_declares(facts, file)) {
            continue;
        }
        let is_inside = |span: Span| inside.contains(&sources.file_of(span.start));
        let is_used = analysis
            .symbols
            .iter()
            .filter(|symbol| is_inside(symbol.span))
            .any(|symbol| symbol.uses.iter().any(|&span| !is_inside(span)));
        if !is_used {
            let name = sources.get(import.file).map_or("", |source| source.name());
            let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
            found.push(hint(place, ProblemCode::UnusedImport, format!("nothing of `{name}` is used")));
        }
    }
    found
}

/// A file and those it imports.
fn reached(facts: &Facts, file: FileId) -> BTreeSet<FileId> {
    let sources = &facts.output().sources;
    let mut files = BTreeSet::from([file]);
    let mut waiting = vec![file];
    while let Some(file) = waiting.pop() {
        for import in &facts.analysis().imports {
            if sources.file_of(import.span.start) == file && files.insert(import.file) {
                waiting.push(import.file);
            }
        }
    }
    files
}

/// Whether all statements of a file outside of braces are declarations, so that leaving it out changes nothing else.
fn only_declares(facts: &Facts, file: FileId) -> bool {
    let words = Words::of(facts, file);
    let mut depth = 0_i32;
    let mut at = 0;
    while at < words.tokens.len() {
        let start = at;
        let head = words.head(at);
        let word = words.spelled(head);
        // The statement ends with its line, or with its body.
        loop {
            let is_end =
                words.kind(at) == Some(tempo_assembler::TokenKind::LineEnd) || words.spelled(at) == ";";
            match words.spelled(at) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            at += 1;
            if is_end && depth <= 0 || at >= words.tokens.len() {
                break;
            }
        }
        depth = depth.max(0);
        let is_preprocessor = word == "#" && Preprocessor::find(words.spelled(head + 1)).is_some();
        let declares = Directive::find(word).and_then(|directive| directive.item().declares);
        let is_declaration = declares.is_some_and(|declares| declares != Declares::Segment);
        let is_blank = head >= at || word.is_empty() || head < start;
        if !(is_preprocessor || is_declaration || is_blank) {
            return false;
        }
    }
    true
}
