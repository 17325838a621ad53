//! The symbols of a file as a tree, for outlines and for finding a symbol by name.

use tempo_assembler::TokenKind;
use tempo_assembler::analysis::{Role, Symbol, SymbolKind};
use tempo_diagnostics::{FileId, Span};

use crate::facts::Facts;
use crate::suite::{TestItem, TestItemKind};
use crate::words::Words;
use crate::{FileSpan, Snapshot};

/// A declaration in an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineItem {
    /// As it is written.
    pub name: String,
    /// The arguments of a macro and the like.
    pub detail: String,
    /// Its kind.
    pub kind: OutlineKind,
    /// The declaration with its body.
    pub span: Span,
    /// The name alone.
    pub name_span: Span,
    /// The declarations inside.
    pub children: Vec<OutlineItem>,
}

/// The kind of an [`OutlineItem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum OutlineKind {
    Namespace,
    /// A label with its own body.
    Routine,
    Label,
    Constant,
    Variable,
    Macro,
    PseudoCommand,
    Function,
    Struct,
    EnumMember,
    /// `.segmentdef`, and `.segment` where the code goes on in it.
    Segment,
    /// A block of memory with a name: `*=$1000 "Program"`.
    Block,
    Suite,
    Test,
}

/// The symbols of a file.
pub fn outline(snapshot: &Snapshot, file: &str) -> Vec<OutlineItem> {
    if let Some(suite) = snapshot.suite(file) {
        return suite.tests().iter().map(test).collect();
    }
    let Some(root) = snapshot.roots_of(file).next() else { return Vec::new() };
    let facts = root.parsed();
    let Some(id) = facts.files(file).next() else { return Vec::new() };
    let base = facts.output().sources.base(id);
    let end = base + facts.source(id).span().end + 1;
    let local = |span: Span| Span { start: span.start - base, end: span.end.min(end) - base };
    let mut items: Vec<OutlineItem> = Vec::new();
    for occurrence in facts.occurrences().iter().filter(|occurrence| occurrence.is_declaration) {
        let symbol = facts.symbol(occurrence.symbol);
        let is_inside = occurrence.span.start >= base && occurrence.span.end < end;
        if !is_inside || symbol.role == Role::Parameter || symbol.role == Role::LoopVariable {
            continue;
        }
        let Some((kind, detail)) = kind(symbol) else { continue };
        let span = whole(facts, symbol, occurrence.span);
        items.push(OutlineItem {
            name: symbol.name.clone(),
            detail,
            kind,
            span: local(span),
            name_span: local(occurrence.span),
            children: Vec::new(),
        });
    }
    items.extend(blocks(facts, id));
    nest(items)
}

/// The statements of a file that say where code goes.
fn blocks(facts: &Facts, file: FileId) -> Vec<OutlineItem> {
    let sources = &facts.output().sources;
    let (base, text) = (sources.base(file), facts.source(file).text());
    let statements = &facts.analysis().statements;
    let inside = &statements[statements.partition_point(|span| span.start < base)..];
    let mut found = Vec::new();
    for span in inside.iter().take_while(|span| span.end <= base + text.len() as u32) {
        let span = Span { start: span.start - base, end: span.end - base };
        let rest = &text[span.start as usize..];
        // Few statements are meant, and the tokens of the file are not made for others.
        if ![".segment", ".memblock", ".pc", "*"].iter().any(|word| rest.starts_with(word)) {
            continue;
        }
        let words = Words::of(facts, file);
        let head = words.tokens.partition_point(|token| token.start < span.start);
        let end = words.tokens.partition_point(|token| token.start < span.end);
        let string = (head..end).find(|&index| words.kind(index) == Some(TokenKind::String));
        let (kind, name) = match words.spelled(head) {
            ".segment" | ".segmentdef" => (OutlineKind::Segment, Some(head + 1)),
            ".memblock" | "*" | "*=" | ".pc" => (OutlineKind::Block, string),
            _ => continue,
        };
        let Some(name) = name.filter(|&name| head < name && name < end) else { continue };
        found.push(OutlineItem {
            name: words.spelled(name).trim_matches('"').to_owned(),
            detail: if kind == OutlineKind::Segment { "segment" } else { "memory block" }.to_owned(),
            kind,
            span,
            name_span: words.span(name),
            children: Vec::new(),
        });
    }
    found
}

fn kind(symbol: &Symbol) -> Option<(OutlineKind, String)> {
    let arguments = |word: &str| format!("{word} ({})", symbol.parameters.join(", "));
    Some(match symbol.kind {
        SymbolKind::Label if symbol.members.is_some() => (OutlineKind::Routine, String::new()),
        SymbolKind::Label => (OutlineKind::Label, String::new()),
        SymbolKind::Variable => (OutlineKind::Variable, String::new()),
        SymbolKind::Constant if symbol.role == Role::EnumMember => (OutlineKind::EnumMember, String::new()),
        SymbolKind::Constant => (OutlineKind::Constant, String::new()),
        SymbolKind::Namespace => (OutlineKind::Namespace, String::new()),
        SymbolKind::Macro => (OutlineKind::Macro, arguments("macro")),
        SymbolKind::PseudoCommand => {
            (OutlineKind::PseudoCommand, format!("pseudocommand ({})", symbol.parameters.join(" : ")))
        }
        SymbolKind::Function => (OutlineKind::Function, arguments("function")),
        SymbolKind::Struct => (OutlineKind::Struct, format!("struct {{{}}}", symbol.parameters.join(", "))),
        _ => return None,
    })
}

/// The declaration with its body: the statement it is in, and the block that a label names.
pub(crate) fn whole(facts: &Facts, symbol: &Symbol, name: Span) -> Span {
    let mut span = name;
    let is_body = matches!(
        symbol.kind,
        SymbolKind::Macro | SymbolKind::PseudoCommand | SymbolKind::Function | SymbolKind::Namespace
    );
    let statement = facts.statement_at(name.start);
    if let Some(statement) = statement.filter(|_| is_body || symbol.kind != SymbolKind::Label) {
        span = span.to(statement);
    }
    if let Some(scope) = symbol.members.and_then(|scope| facts.analysis().scopes.get(scope)) {
        // Of a namespace that is opened several times, the body after this name.
        let next =
            scope.ranges.iter().filter(|range| range.start >= name.end).min_by_key(|range| range.start);
        let is_near = |range: &&Span| {
            range.start.saturating_sub(name.end) < 400
                && facts.output().sources.file_of(range.start) == facts.output().sources.file_of(name.start)
        };
        if let Some(range) = next.filter(is_near) {
            span = span.to(*range);
        }
    }
    if symbol.kind == SymbolKind::Label
        && let Some(statement) = statement
        && statement.end >= span.end
    {
        span = span.to(statement);
    }
    span
}

/// Puts items into those around them.
fn nest(mut items: Vec<OutlineItem>) -> Vec<OutlineItem> {
    items.sort_by_key(|item| (item.span.start, u32::MAX - item.span.end, item.name_span.start));
    let mut top: Vec<OutlineItem> = Vec::new();
    let mut open: Vec<OutlineItem> = Vec::new();
    let close = |top: &mut Vec<OutlineItem>, open: &mut Vec<OutlineItem>| {
        if let Some(item) = open.pop() {
            match open.last_mut() {
                Some(outer) => outer.children.push(item),
                None => top.push(item),
            }
        }
    };
    for item in items {
        while open.last().is_some_and(|outer| item.name_span.start >= outer.span.end) {
            close(&mut top, &mut open);
        }
        // A statement with several declarations has none inside another.
        while open.last().is_some_and(|outer| outer.span == item.span || item.span.end > outer.span.end) {
            close(&mut top, &mut open);
        }
        open.push(item);
    }
    while !open.is_empty() {
        close(&mut top, &mut open);
    }
    top
}

fn test(item: &TestItem) -> OutlineItem {
    let children = item.children.iter().filter(|child| child.kind != TestItemKind::Row);
    OutlineItem {
        name: item.id.clone(),
        detail: if item.label == item.id { String::new() } else { item.label.clone() },
        kind: if item.kind == TestItemKind::Suite { OutlineKind::Suite } else { OutlineKind::Test },
        span: item.span,
        name_span: item.name_span,
        children: children.map(test).collect(),
    }
}

/// A symbol of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSymbol {
    /// The path: `screen.colours`.
    pub path: String,
    /// Its kind.
    pub kind: OutlineKind,
    /// Where it is declared.
    pub place: FileSpan,
}

/// At most this many symbols are returned.
const MAX_FOUND: usize = 500;

/// The symbols of all programs whose path has the letters of a query in order, best first.
pub fn find_symbols(snapshot: &Snapshot, query: &str) -> Vec<FoundSymbol> {
    let mut found: Vec<(u32, FoundSymbol)> = Vec::new();
    for root in snapshot.roots() {
        let facts = root.parsed();
        let analysis = facts.analysis();
        for symbol in &analysis.symbols {
            let is_local = matches!(symbol.role, Role::Parameter | Role::LoopVariable);
            let Some((kind, _)) = kind(symbol).filter(|_| !is_local && !symbol.name.is_empty()) else {
                continue;
            };
            let path = analysis.path(symbol);
            let Some(cost) = cost(&path, query) else { continue };
            let Some(place) = facts.file_span(symbol.span) else { continue };
            found.push((cost, FoundSymbol { path, kind, place }));
        }
    }
    found.sort_by(|(cost, a), (other, b)| (cost, &a.path, &a.place).cmp(&(other, &b.path, &b.place)));
    found.dedup_by(|(_, a), (_, b)| a == b);
    found.truncate(MAX_FOUND);
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Whether a text has a name that a query may mean, by its tokens alone: enough to leave out sources before they are
/// read as programs.
pub fn may_declare(text: &str, query: &str) -> bool {
    // Of a path, the last name counts.
    let name = query.rsplit('.').next().unwrap_or(query);
    let tokens = tempo_assembler::tokens(text);
    let names = tokens.iter().filter(|token| token.kind == tempo_assembler::TokenKind::Name);
    names.map(|token| &text[token.start as usize..token.end as usize]).any(|word| cost(word, name).is_some())
}

/// How badly a path fits a query; `None` if its letters are not there in order.
fn cost(path: &str, query: &str) -> Option<u32> {
    let name = path.rsplit('.').next().unwrap_or(path);
    let (lower, wanted) = (path.to_lowercase(), query.to_lowercase());
    if name == query {
        return Some(0);
    }
    if name.to_lowercase().starts_with(&wanted) {
        return Some(1 + (name.len() - query.len().min(name.len())) as u32);
    }
    if lower.contains(&wanted) {
        return Some(100 + path.len() as u32);
    }
    let mut letters = lower.chars();
    let all = wanted
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .all(|letter| letters.any(|other| other == letter));
    all.then_some(1000 + path.len() as u32)
}
