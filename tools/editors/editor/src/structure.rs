//! The shape of a text: what folds, what grows around a cursor, which words lead to files.

use tempo_assembler::TokenKind;
use tempo_assembler::dialect::{self, Directive, Preprocessor, Purity, Takes};
use tempo_diagnostics::Span;

use crate::facts::Facts;
use crate::words::Words;
use crate::{Place, Snapshot};

/// A piece that can be folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fold {
    /// From the line it begins on to the line it ends on.
    pub span: Span,
    /// Its kind.
    pub kind: FoldKind,
}

/// The kind of a [`Fold`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldKind {
    /// A body in braces, or a part of `#if`.
    Region,
    /// A comment, or a run of them.
    Comment,
    /// A run of imports.
    Imports,
}

/// Returns the folds of a file.
pub fn folds(snapshot: &Snapshot, file: &str) -> Vec<Fold> {
    let mut folds = Vec::new();
    if let Some(suite) = snapshot.suite(file) {
        for item in suite.tests() {
            folds.push(Fold { span: item.span, kind: FoldKind::Region });
            folds.extend(item.children.iter().map(|child| Fold { span: child.span, kind: FoldKind::Region }));
        }
        return folds;
    }
    let Some((facts, id)) = facts_of(snapshot, file) else { return folds };
    let words = Words::of(&facts, id);
    braces(words, &mut folds);
    comments(words, &mut folds);
    conditions(words, &mut folds);
    let is_long =
        |fold: &Fold| words.text[fold.span.start as usize..fold.span.end as usize].contains(['\n', '\r']);
    folds.retain(is_long);
    folds.sort();
    folds.dedup();
    folds
}

fn facts_of(snapshot: &Snapshot, file: &str) -> Option<(std::sync::Arc<Facts>, tempo_diagnostics::FileId)> {
    let facts = snapshot.roots_of(file).next()?.parsed().clone();
    let id = facts.files(file).next()?;
    Some((facts, id))
}

fn braces(words: Words<'_>, folds: &mut Vec<Fold>) {
    let mut open = Vec::new();
    for index in 0..words.tokens.len() {
        match (words.kind(index), words.spelled(index)) {
            (Some(TokenKind::Mark), "{") => open.push(words.span(index).start),
            (Some(TokenKind::Mark), "}") => {
                if let Some(start) = open.pop() {
                    let end = words.span(index).end;
                    folds.push(Fold { span: Span { start, end }, kind: FoldKind::Region });
                }
            }
            _ => {}
        }
    }
}

/// Comments of several lines, runs of single ones, and what `//region` and `//endregion` enclose.
fn comments(words: Words<'_>, folds: &mut Vec<Fold>) {
    let mut regions = Vec::new();
    let mut run: Option<Span> = None;
    let mut is_line_start = true;
    for index in 0..words.tokens.len() {
        let (text, span) = (words.spelled(index), words.span(index));
        match words.kind(index) {
            Some(TokenKind::Comment) => {
                let word = text.trim_start_matches('/').trim_start().trim_start_matches('#');
                if text.starts_with("//") && word.starts_with("region") {
                    regions.push(span.start);
                } else if text.starts_with("//") && word.starts_with("endregion") {
                    if let Some(start) = regions.pop() {
                        folds.push(Fold { span: Span { start, end: span.end }, kind: FoldKind::Region });
                    }
                } else if text.starts_with("/*") {
                    folds.push(Fold { span, kind: FoldKind::Comment });
                } else if is_line_start {
                    run = Some(run.map_or(span, |run| run.to(span)));
                }
            }
            Some(TokenKind::LineEnd) => {
                is_line_start = true;
                continue;
            }
            _ => {
                if let Some(span) = run.take() {
                    folds.push(Fold { span, kind: FoldKind::Comment });
                }
            }
        }
        is_line_start = false;
        // An empty line ends a run.
        let is_break = words.kind(index + 1) == Some(TokenKind::LineEnd)
            && words.kind(index + 2) == Some(TokenKind::LineEnd);
        if is_break && let Some(span) = run.take() {
            folds.push(Fold { span, kind: FoldKind::Comment });
        }
    }
    folds.extend(run.map(|span| Fold { span, kind: FoldKind::Comment }));
}

/// Parts of `#if`, and runs of imports.
fn conditions(words: Words<'_>, folds: &mut Vec<Fold>) {
    let mut open: Vec<u32> = Vec::new();
    let mut imports: Option<Span> = None;
    let mut is_line_start = true;
    for index in 0..words.tokens.len() {
        let span = words.span(index);
        match words.kind(index) {
            Some(TokenKind::LineEnd) => {
                is_line_start = true;
                continue;
            }
            Some(TokenKind::Mark) if is_line_start && words.spelled(index) == "#" => {
                let end = line_end(words, index);
                let before = previous_end(words, index);
                match Preprocessor::find(words.spelled(index + 1)) {
                    Some(Preprocessor::If) => open.push(span.start),
                    Some(Preprocessor::Else | Preprocessor::Elif) => {
                        if let Some(start) = open.pop() {
                            folds.push(Fold { span: Span { start, end: before }, kind: FoldKind::Region });
                        }
                        open.push(span.start);
                    }
                    Some(Preprocessor::Endif) => {
                        if let Some(start) = open.pop() {
                            folds.push(Fold { span: Span { start, end: before }, kind: FoldKind::Region });
                        }
                    }
                    Some(Preprocessor::Import | Preprocessor::ImportIf | Preprocessor::ImportOnce) => {
                        let own = Span { start: span.start, end };
                        imports = Some(imports.map_or(own, |run| run.to(own)));
                        is_line_start = false;
                        continue;
                    }
                    _ => {}
                }
                folds.extend(imports.take().map(|span| Fold { span, kind: FoldKind::Imports }));
            }
            Some(TokenKind::Comment) => {}
            _ if is_line_start => {
                folds.extend(imports.take().map(|span| Fold { span, kind: FoldKind::Imports }));
            }
            _ => {}
        }
        is_line_start = false;
    }
    folds.extend(imports.map(|span| Fold { span, kind: FoldKind::Imports }));
}

fn line_end(words: Words<'_>, index: usize) -> u32 {
    let rest = &words.tokens[index..];
    let end = rest.iter().position(|token| token.kind == TokenKind::LineEnd).unwrap_or(rest.len());
    rest[..end].last().map_or(0, |token| token.end)
}

/// Where the text before a line ends.
fn previous_end(words: Words<'_>, index: usize) -> u32 {
    let before = words.tokens[..index].iter().rev().find(|token| token.kind != TokenKind::LineEnd);
    before.map_or(0, |token| token.end)
}

/// The spans that grow around a place: word, operand, instruction, line, bodies, file.
pub fn selection(snapshot: &Snapshot, place: Place<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    if let Some(suite) = snapshot.suite(place.file) {
        spans.extend(suite.name_at(place.offset).map(|name| name.span));
        for item in suite.tests().iter().filter(|item| item.span.contains(place.offset)) {
            spans.extend(
                item.children.iter().map(|child| child.span).filter(|span| span.contains(place.offset)),
            );
            spans.push(item.span);
        }
        spans.push(Span { start: 0, end: suite.source().text().len() as u32 });
        return growing(spans);
    }
    let Some((facts, id)) = facts_of(snapshot, place.file) else { return spans };
    let base = facts.output().sources.base(id);
    let words = Words::of(&facts, id);
    let whole = facts.source(id).span();
    if let Some(index) = words.at(place.offset).filter(|&index| words.kind(index) != Some(TokenKind::LineEnd))
    {
        spans.push(words.span(index));
        let start = words.statement_start(index);
        let head = words.head(start);
        let mut end = index;
        while end + 1 < words.tokens.len()
            && !matches!(words.kind(end + 1), Some(TokenKind::LineEnd | TokenKind::Comment))
            && !matches!(words.spelled(end + 1), "{" | "}" | ";")
        {
            end += 1;
        }
        if index > head {
            spans.push(words.span(head + 1).to(words.span(end)));
        }
        if index >= head {
            spans.push(words.span(head).to(words.span(end)));
        }
    }
    let source = facts.source(id);
    let line = source.position(place.offset, tempo_diagnostics::Columns::Bytes).line;
    if let Some(start) = source.line_start(line) {
        let text = source.line(line);
        let blank = (text.len() - text.trim_start().len()) as u32;
        spans.push(Span {
            start: start + blank,
            end: start + text.trim_end().len().max(blank as usize) as u32,
        });
    }
    let local = |span: Span| Span { start: span.start - base, end: (span.end - base).min(whole.end) };
    spans.extend(facts.statements_around(base + place.offset).map(local));
    let scopes = facts.analysis().scopes.iter().flat_map(|scope| &scope.ranges);
    let around =
        scopes.filter(|range| range.start <= base + place.offset && base + place.offset <= range.end);
    spans.extend(around.filter(|range| range.start >= base).map(|&range| local(range)));
    spans.push(whole);
    growing(spans)
}

/// From the smallest to the largest, each one inside the next.
fn growing(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.len(), u32::MAX - span.start));
    let mut out: Vec<Span> = Vec::new();
    for span in spans {
        let fits =
            out.last().is_none_or(|last| span.start <= last.start && last.end <= span.end && span != *last);
        if fits {
            out.push(span);
        }
    }
    out
}

/// A word that leads to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The file name, without its quotes.
    pub span: Span,
    /// The file.
    pub target: String,
    /// How large it is, in bytes.
    pub size: u64,
}

/// Imports and loaded files of a file.
pub fn links(snapshot: &Snapshot, file: &str) -> Vec<Link> {
    let Some((facts, id)) = facts_of(snapshot, file) else { return Vec::new() };
    let words = Words::of(&facts, id);
    let mut links = Vec::new();
    for index in 0..words.tokens.len() {
        if words.kind(index) != Some(TokenKind::String) || !names_file(words, index) {
            continue;
        }
        let name = words.spelled(index).trim_start_matches('@').trim_matches('"');
        let Ok(loaded) = snapshot.files_of(file).read(name, Some(file)) else { continue };
        let span = words.span(index);
        let inner = Span { start: span.end - 1 - name.len() as u32, end: span.end - 1 };
        links.push(Link { span: inner, target: loaded.path, size: loaded.bytes.len() as u64 });
    }
    links
}

/// Whether a string names a file that is read.
pub(crate) fn names_file(words: Words<'_>, index: usize) -> bool {
    let before = |back: usize| index.checked_sub(back).map_or("", |index| words.spelled(index));
    let is_loader = |name: &str| dialect::function(name).is_some_and(|found| found.purity == Purity::Reads);
    if before(1) == "(" && is_loader(before(2)) {
        return true;
    }
    let start = words.statement_start(index);
    let line = (start..index).rev().take_while(|&at| words.kind(at) != Some(TokenKind::LineEnd));
    line.into_iter().any(|at| {
        let word = words.spelled(at);
        if at > 0 && words.spelled(at - 1) == "#" {
            return Preprocessor::find(word).is_some_and(|found| found.item().takes.has_file());
        }
        Directive::find(word).is_some_and(|found| found.item().takes == Takes::Import)
    })
}
