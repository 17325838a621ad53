//! Tokens into the tree. Never fails: what does not fit is reported, and parsing continues with the next statement.
//! Knows syntax and where names are declared; what names refer to is `bind`'s subject, values are `eval`'s.

mod directives;
mod expressions;
mod faults;
mod segments;
mod statements;

use std::collections::HashMap;

use tempo_isa::Cpu;

use crate::arena::Arena;
use crate::codes::Code;
use crate::intern::{Interner, Name};
use crate::lex::{Kind, Lexer, Token, Tokens};
use crate::options::{Errors, Options};
use crate::report::Report;
use crate::tree::*;
use crate::values::Text;
use faults::Fault;
pub(crate) use faults::{Follows, GivenUp};
use tempo_diagnostics::Span;

/// The tree with what was wrong on the way.
pub(crate) struct Parsed {
    pub tree: Tree,
    /// Faults of the syntax; with any of them names are not looked at.
    pub syntax: Vec<Report>,
    /// Faults of declarations: wrong place, double definition.
    pub names: Vec<Report>,
    /// Statements that are not in the tree, because they have a fault.
    pub given_up: GivenUp,
    /// Whether the tree is that of the whole text but for those statements.
    pub is_whole: bool,
    /// The warnings.
    pub warnings: Vec<Report>,
    /// More levels of nesting than allowed; that is among the faults, too.
    pub is_too_deep: bool,
    /// Reading ended at an `.import source`: it has to begin again with a plan.
    pub needs_plan: bool,
}

/// Reads a whole program.
pub(crate) fn program(lexer: Lexer<'_>, names: Interner, options: &Options, max_nesting: u32) -> Parsed {
    // Lines of a program are rarely shorter, and what is not used is never touched.
    let len = lexer.root_len();
    let mut tree = Tree {
        stmts: Arena::with_capacity(len / 16),
        stmt_spans: Arena::with_capacity(len / 16),
        exprs: Arena::with_capacity(len / 12),
        expr_spans: Arena::with_capacity(len / 12),
        symbols: Arena::with_capacity(len / 100),
        names,
        outline: Outline { is_wanted: options.analysis, ..Outline::default() },
        is_kick: options.errors == Errors::First,
        ..Tree::default()
    };
    tree.callables.push(Callable {
        name: crate::names::EMPTY,
        name_span: Span::at(0),
        kind: CallableKind::Macro,
        namespace: ROOT_NAMESPACE,
        scope: ScopeId::NONE,
        parameters: 0,
        start: StmtId::FIRST,
        end: StmtId::FIRST,
        span: Span::at(0),
    });
    for namespace in [SYSTEM_NAMESPACE, ROOT_NAMESPACE] {
        tree.namespaces.push(Namespace {
            // Their scopes are the first ones, too.
            scope: ScopeId(namespace.0),
            parent: if namespace == SYSTEM_NAMESPACE { NamespaceId::NONE } else { SYSTEM_NAMESPACE },
            path: std::rc::Rc::new(Text::new("<RootNS>")),
            name_span: Span::at(0),
        });
        let parent = if namespace == SYSTEM_NAMESPACE { ScopeId::NONE } else { SYSTEM_SCOPE };
        tree.scopes.push(Scope::new(ScopeKind::Namespace, parent, namespace, 0));
    }
    let mut parser = Parser {
        lexer,
        tokens: Vec::new(),
        at: 0,
        passed: 0,
        tree,
        syntax: Vec::new(),
        names: Vec::new(),
        given_up: GivenUp::default(),
        outermost: None,
        unit: 0,
        units: 0,
        scope: ROOT_SCOPE,
        namespace: ROOT_NAMESPACE,
        namespace_ids: HashMap::new(),
        callable: 0,
        cpu: options.cpu,
        initial_cpu: options.cpu,
        semicolon_arguments: options.semicolon_arguments,
        mode: Mode::Assembly,
        last_label: SymbolId::NONE,
        zp_depth: 0,
        repeated: 0,
        nesting: 0,
        max_nesting,
        is_too_deep: false,
        chain: 0,
        pending: Vec::new(),
        max_errors: options.limits.errors,
    };
    parser.program();
    let is_complete =
        !parser.has_too_many_errors() && parser.lexer.out.reports.len() <= options.limits.errors;
    let Parser { lexer, mut tree, syntax, names, mut given_up, is_too_deep, .. } = parser;
    let needs_plan = lexer.needs_plan();
    let Tokens {
        strings,
        multi_refs,
        flags,
        imports,
        left_out,
        reports,
        warnings,
        unclosed,
        is_balanced,
        scanned,
        ..
    } = lexer.out;
    (tree.strings, tree.multi_refs, tree.flags, tree.imports) = (strings, multi_refs, flags, imports);
    (tree.left_out, tree.scanned) = (left_out, scanned);
    let is_whole = is_complete && is_balanced && !is_too_deep;
    given_up.sort();
    let syntax = faults::in_order(reports, syntax, &unclosed);
    Parsed { tree, syntax, names, warnings, given_up, is_whole, is_too_deep, needs_plan }
}

impl Scope {
    pub fn new(kind: ScopeKind, parent: ScopeId, namespace: NamespaceId, callable: u32) -> Scope {
        Scope {
            kind,
            parent,
            namespace,
            callable,
            slots: 0,
            frame: ScopeId::NONE,
            first: 0,
            has_zp_labels: false,
            frame_slots: 0,
            kept: 0,
            base: 0,
            depth: 0,
            is_entity: false,
            symbols: List::default(),
        }
    }
}

/// Marks that the error is reported and the statement given up.
#[derive(Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// The kind of statements that is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Assembly,
    /// Bodies of functions and `.define`: no bytes, no declarations of entities.
    Function,
}

/// Operators and calls that may follow each other in one expression.
const MAX_CHAIN: u32 = 10_000;

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The piece of the stream that is being read; it ends between two statements.
    tokens: Vec<Token>,
    at: usize,
    /// Tokens in the pieces before this one.
    passed: u64,
    tree: Tree,
    syntax: Vec<Fault>,
    names: Vec<Report>,
    given_up: GivenUp,
    /// The number of the first token of the statement that is in no block, while one is read.
    outermost: Option<u64>,
    /// The unit that is read separately: the program, or a file of `.import source`.
    unit: u32,
    /// Such files that were entered.
    units: usize,
    scope: ScopeId,
    namespace: NamespaceId,
    /// The namespaces in each other.
    namespace_ids: HashMap<(NamespaceId, Name), NamespaceId>,
    callable: u32,
    cpu: Cpu,
    /// That of the options, with which files of `.import source` begin.
    initial_cpu: Cpu,
    semicolon_arguments: bool,
    mode: Mode,
    /// The label directly before the current statement.
    last_label: SymbolId,
    zp_depth: u32,
    /// How many loops and macros are around.
    repeated: u32,
    nesting: u32,
    /// Brackets, blocks and operators may nest this deep.
    max_nesting: u32,
    is_too_deep: bool,
    /// Links of the chain of operators being read.
    chain: u32,
    /// Members of lists that are being read; the innermost list is at the end.
    pending: Vec<ExprId>,
    max_errors: usize,
}

impl Parser<'_> {
    // --- tokens

    /// Goes on to the next piece of the stream; false at the end of the program. After too many errors the rest is
    /// only scanned for errors of the lexer, which are listed first.
    fn refill(&mut self) -> bool {
        std::mem::swap(&mut self.tokens, &mut self.lexer.out.tokens);
        let mut is_more = self.lexer.fill(&mut self.tree.names);
        while is_more && self.has_too_many_errors() {
            is_more = self.lexer.fill(&mut self.tree.names);
        }
        std::mem::swap(&mut self.tokens, &mut self.lexer.out.tokens);
        self.passed = self.lexer.produced;
        self.at = 0;
        is_more
    }

    /// Whether to give up. Those of the lexer do not count: how many it has found depends on how far it has read ahead.
    fn has_too_many_errors(&self) -> bool {
        self.syntax.len() > self.max_errors
    }

    fn peek(&self) -> Token {
        // A piece ends in `End`, which is never passed.
        self.tokens[self.at]
    }

    fn peek_kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn accept(&mut self, kind: Kind) -> bool {
        let found = self.peek_kind() == kind;
        if found {
            self.at += 1;
        }
        found
    }

    fn is_terminator(&self) -> bool {
        matches!(
            self.peek_kind(),
            Kind::Newline
                | Kind::Semicolon
                | Kind::RightBrace
                | Kind::End
                | Kind::ImportStart
                | Kind::ImportEnd
        )
    }

    fn skip_newlines(&mut self) {
        while self.peek_kind() == Kind::Newline {
            self.at += 1;
        }
    }

    /// Passes the line ends of a header in which they do not count. A piece may end at one of them, if the line
    /// before looks like an instruction.
    fn skip_header_lines(&mut self) {
        self.skip_newlines();
        while self.peek_kind() == Kind::End && self.at > 0 && self.refill() {
            self.skip_newlines();
        }
    }

    // --- errors

    #[cold]
    fn fail<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Parse<T> {
        self.fault(code, span, message);
        Err(Failed)
    }

    fn fail_with<T>(&mut self, report: Report) -> Parse<T> {
        self.syntax.push(Fault::new(self.unit, self.index(), report));
        Err(Failed)
    }

    /// A fault that comes to light when the file is imported, after everything else was parsed.
    fn fail_import<T>(&mut self, code: Code, span: Span, message: impl Into<String>) -> Parse<T> {
        let report = Report::error(code, span, message);
        self.syntax.push(Fault::new(self.unit, self.index(), report).at_import());
        Err(Failed)
    }

    #[cold]
    fn fault(&mut self, code: Code, span: Span, message: impl Into<String>) {
        let report = Report::error(code, span, message);
        self.syntax.push(Fault::new(self.unit, self.index(), report));
    }

    /// The number of the next token in the whole stream.
    fn index(&self) -> u64 {
        self.passed + self.at as u64
    }

    /// The current token does not fit.
    fn unexpected<T>(&mut self) -> Parse<T> {
        self.fail(self.code_here(Code::SyntaxError), self.peek().span, "Syntax error")
    }

    fn invalid<T>(&mut self) -> Parse<T> {
        self.fail(self.code_here(Code::InvalidToken), self.peek().span, "Invalid token")
    }

    /// The code for a token that does not fit: some fit nowhere.
    fn code_here(&self, code: Code) -> Code {
        if self.peek_kind() == Kind::Stray { Code::InvalidCharacter } else { code }
    }

    fn expect(&mut self, kind: Kind) -> Parse<Token> {
        if self.peek_kind() == kind { Ok(self.next()) } else { self.unexpected() }
    }

    /// Like `expect`, in the words for the heads of directives.
    fn expect_head(&mut self, kind: Kind) -> Parse<Token> {
        if self.peek_kind() == kind { Ok(self.next()) } else { self.unfinished() }
    }

    /// Like `expect_head`, where line ends do not count.
    fn expect_in_header(&mut self, kind: Kind) -> Parse<Token> {
        self.skip_header_lines();
        self.expect_head(kind)
    }

    /// The head of a directive runs out, or goes on with a token that does not fit.
    fn unfinished<T>(&mut self) -> Parse<T> {
        let token = self.peek();
        match token.kind {
            Kind::Newline if !matches!(self.peek_at(1).kind, Kind::ImportEnd | Kind::End) => {
                self.fail(Code::UnexpectedEndOfLine, token.span, "Unexpected end of line")
            }
            Kind::Newline | Kind::ImportEnd | Kind::End => {
                // The last line end of a file is at its end, the marks around a file at its import.
                let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
                let newline =
                    before.filter(|before| token.kind != Kind::Newline && before.kind == Kind::Newline);
                let span = newline.unwrap_or(token).span;
                self.fail(Code::UnexpectedEndOfSource, span, "Unexpected end of source")
            }
            _ => self.invalid(),
        }
    }

    fn expect_name(&mut self) -> Parse<(Name, Span)> {
        let token = self.expect_head(Kind::Ident)?;
        Ok((Name(token.data), token.span))
    }

    fn expect_name_in_header(&mut self) -> Parse<(Name, Span)> {
        self.skip_header_lines();
        self.expect_name()
    }

    /// Like `accept`, where line ends do not count.
    fn accept_in_header(&mut self, kind: Kind) -> bool {
        self.skip_header_lines();
        self.accept(kind)
    }

    fn name_error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.names.push(Report::error(code, span, message));
    }

    #[inline]
    fn enter_nesting(&mut self) -> Parse<()> {
        self.nesting += 1;
        if self.nesting > self.max_nesting { self.nests_too_deep() } else { Ok(()) }
    }

    #[cold]
    fn nests_too_deep(&mut self) -> Parse<()> {
        self.is_too_deep = true;
        let message = format!("More than {} levels of nesting", self.max_nesting);
        self.fail(Code::NestingTooDeep, self.peek().span, message)
    }

    #[inline]
    fn enter_chain(&mut self) -> Parse<()> {
        self.chain += 1;
        if self.chain > MAX_CHAIN { self.chains_too_long() } else { Ok(()) }
    }

    #[cold]
    fn chains_too_long(&mut self) -> Parse<()> {
        let message = format!("More than {MAX_CHAIN} operators in one expression");
        self.fail(Code::TooManyOperands, self.peek().span, message)
    }

    // --- the tree

    fn push_stmt(&mut self, stmt: Stmt, span: Span) -> StmtId {
        self.last_label = SymbolId::NONE;
        self.tree.stmt_spans.push(span);
        self.tree.stmts.push(stmt)
    }

    fn here(&self) -> StmtId {
        self.tree.stmts.next_id()
    }

    fn push_rare(&mut self, rare: Rare, span: Span) {
        let id = self.tree.rares.len() as u32;
        self.tree.rares.push(rare);
        self.push_stmt(Stmt::Rare(id), span);
    }

    fn push_expr(&mut self, expr: Expr, span: Span) -> ExprId {
        self.tree.expr_spans.push(span);
        self.tree.exprs.push(expr)
    }

    fn push_list(&mut self, ids: &[ExprId]) -> List {
        let start = self.tree.lists.len() as u32;
        self.tree.lists.extend_from_slice(ids);
        List { start, len: ids.len() as u32 }
    }

    /// The expressions collected since a mark, as a list.
    fn take_pending(&mut self, base: usize) -> List {
        let start = self.tree.lists.len() as u32;
        self.tree.lists.extend(self.pending.drain(base..));
        List { start, len: self.tree.lists.len() as u32 - start }
    }

    fn event(&mut self, kind: EventKind) {
        let at = self.tree.exprs.next_id();
        self.tree.events.push(Event { at, kind });
    }

    fn declare(&mut self, name: Name, kind: SymbolKind, scope: ScopeId, span: Span) -> SymbolId {
        let is_zp = self.zp_depth > 0 && kind == SymbolKind::Label;
        let order = if kind == SymbolKind::Label { ExprId::FIRST } else { self.tree.exprs.next_id() };
        let symbol = Symbol { name, kind, is_zp, is_entity: false, scope, span, order, slot: 0 };
        self.tree.symbols.push(symbol)
    }

    /// The declaration is complete: what was read so far may not refer to it.
    fn declared_by_now(&mut self, symbol: SymbolId) {
        self.tree.symbols[symbol].order = self.tree.exprs.next_id();
    }

    fn new_scope(&mut self) -> ScopeId {
        let scope = Scope::new(ScopeKind::Local, self.scope, self.namespace, self.callable);
        self.tree.scopes.push(scope)
    }

    /// Reads something inside a new scope.
    fn in_scope<T>(&mut self, scope: ScopeId, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let outer = std::mem::replace(&mut self.scope, scope);
        let start = self.peek().span.start;
        self.event(EventKind::Enter(scope));
        let result = read(self);
        self.event(EventKind::Leave);
        self.scope = outer;
        if self.tree.outline.is_wanted {
            // A body without its end goes on to the end of the file.
            let is_open = result.is_err() && matches!(self.peek_kind(), Kind::End | Kind::ImportEnd);
            let end = if is_open { u32::MAX } else { self.last_end().max(start) };
            self.tree.outline.scopes.push((scope, Span { start, end }));
        }
        result
    }

    /// Where the last token that was passed ends, line ends left out.
    fn last_end(&self) -> u32 {
        let mut passed = self.tokens[..self.at].iter().rev();
        passed
            .find(|token| !matches!(token.kind, Kind::Newline | Kind::ImportEnd))
            .map_or(0, |token| token.span.end)
    }

    /// Notes the statement that begins here, for analysis; its end comes with [`Parser::outline_end`]. So a statement
    /// is before those inside of it, and they are in the order of the text without sorting.
    #[cold]
    fn outline_start(&mut self) -> usize {
        let statements = &mut self.tree.outline.statements;
        statements.push(Span::at(self.tokens[self.at].span.start));
        statements.len() - 1
    }

    /// The statement with that number ends here. That of an import is not one, and stays empty.
    #[cold]
    fn outline_end(&mut self, number: usize, first: Kind) {
        let end = self.last_end();
        let statement = &mut self.tree.outline.statements[number];
        if first != Kind::ImportStart && end > statement.start {
            statement.end = end;
        }
    }

    /// The scope a declaration goes to: here, or the root after `@`.
    fn declaration_scope(&mut self) -> ScopeId {
        if self.accept(Kind::At) { ROOT_SCOPE } else { self.scope }
    }

    /// Takes the label before the current statement as the one that gets members.
    fn take_entity(&mut self) -> SymbolId {
        let symbol = std::mem::replace(&mut self.last_label, SymbolId::NONE);
        if symbol != SymbolId::NONE {
            self.tree.symbols[symbol].is_entity = true;
        }
        symbol
    }

    fn mark_entity_scope(&mut self, entity: SymbolId, scope: ScopeId) {
        if entity != SymbolId::NONE {
            self.tree.scopes[scope].is_entity = true;
        }
    }
}
