//! Directives of the script language: declarations, control flow, data, console.

use std::cell::OnceCell;

use super::faults::Fault;
use super::{Mode, Parse, Parser};
use crate::arena::Id;
use crate::codes::Code;
use crate::dialect::{DIRECTIVES, Directive, Whose};
use crate::intern::Name;
use crate::lex::Kind;
use crate::names;
use crate::report::Report;
use crate::tree::*;
use tempo_diagnostics::Span;

const INVALID_DIRECTIVE: &str = "Invalid directive";

impl Parser<'_> {
    /// A directive; its word is read.
    pub(super) fn directive(&mut self, name: Name, span: Span) -> Parse<()> {
        let is_known = |found: &Directive| !self.tree.is_kick || found.item().whose == Whose::Kick;
        let Some(directive) = names::directive(name).filter(is_known) else {
            return self.unknown_directive(name, span);
        };
        if self.mode == Mode::Function && !directive.item().is_script {
            let label = format!("a function or .define cannot have {}", directive.item().name);
            return self.misplaced_directive(span, label);
        }
        match directive {
            Directive::Var => self.variable(SymbolKind::Variable, span),
            Directive::Const => self.variable(SymbolKind::Constant, span),
            Directive::Eval => {
                let value = self.declaration_or_expression()?;
                self.end()?;
                self.push_stmt(Stmt::Eval { value }, span);
                Ok(())
            }
            Directive::If => self.condition(span),
            Directive::For => self.for_loop(span),
            Directive::While => self.while_loop(span),
            Directive::Print | Directive::Error | Directive::Encoding => self.with_value(directive, span),
            Directive::PrintNow => {
                self.tree.prints_now = true;
                self.with_value(directive, span)
            }
            Directive::ErrorIf => self.error_if(span),
            Directive::Assert => self.assertion(span),
            Directive::Return if self.mode == Mode::Function => {
                let value = self.expression()?;
                self.end()?;
                self.push_stmt(Stmt::Return { value }, span);
                Ok(())
            }
            Directive::Return => self.misplaced_directive(span, "only in a function".to_owned()),
            Directive::Byte | Directive::By => self.data(1, span),
            Directive::Word | Directive::Wo => self.data(2, span),
            Directive::Dword | Directive::Dw => {
                self.tree.has_dwords = true;
                self.data(4, span)
            }
            Directive::Text | Directive::Te => {
                let value = self.expression()?;
                self.end()?;
                self.push_stmt(Stmt::Text { value }, span);
                Ok(())
            }
            Directive::Fill => self.fill(FillKind::Byte, span),
            Directive::FillWord => self.fill(FillKind::Word, span),
            Directive::LoHiFill => self.fill(FillKind::LoHi, span),
            Directive::Label => self.label_value(span),
            Directive::Enum => self.enumeration(span),
            Directive::Struct => self.structure(span),
            Directive::Function => self.function(span),
            Directive::Macro => self.macro_definition(span),
            Directive::PseudoCommand => self.pseudo_command(span),
            Directive::Define => self.define(span),
            Directive::Namespace => self.namespace_block(span),
            Directive::FileNamespace => self.file_namespace(span),
            Directive::AssertError => self.assertion_of_error(span),
            Directive::Pc => {
                self.expect_head(Kind::Assign)?;
                self.pc(span)
            }
            Directive::Align => {
                if self.is_terminator() {
                    let message = "Missing page size argument";
                    return self.fail(Code::ArgumentMissing, after_dot(span), message);
                }
                let size = self.expression()?;
                self.end()?;
                self.push_stmt(Stmt::Align { size }, span);
                Ok(())
            }
            Directive::PseudoPc => self.pseudo_pc(span),
            Directive::Zp => self.zero_page(),
            Directive::Cpu => self.select_cpu(),
            Directive::Import => self.import(span),
            Directive::ImportOnce => self.end_extra(),
            Directive::MemBlock
            | Directive::Segment
            | Directive::SegmentDef
            | Directive::SegmentOut
            | Directive::File
            | Directive::Disk
            | Directive::Cartridge
            | Directive::Break
            | Directive::Watch
            | Directive::Plugin
            | Directive::Modify
            | Directive::FileModify => self.output_directive(directive, span),
            // Not a word after a dot.
            Directive::Origin => self.unknown_directive(name, span),
        }
    }

    fn unknown_directive(&mut self, name: Name, span: Span) -> Parse<()> {
        let mut report = Report::error(Code::UnknownDirective, span, INVALID_DIRECTIVE);
        let words = DIRECTIVES.iter().map(|item| item.word()).filter(|word| !word.is_empty());
        if let Some(near) = tempo_diagnostics::nearest(self.tree.name(name), words) {
            report = report.with_help(format!("did you mean .{near}?"));
        }
        self.refuse_directive(report)
    }

    /// A directive where it cannot be.
    fn misplaced_directive(&mut self, span: Span, label: String) -> Parse<()> {
        self.refuse_directive(
            Report::error(Code::UnknownDirective, span, INVALID_DIRECTIVE).with_label(label),
        )
    }

    fn refuse_directive(&mut self, report: Report) -> Parse<()> {
        self.syntax.push(Fault::new(self.unit, self.index(), report));
        Err(super::Failed)
    }

    /// The operand of a directive that takes one expression.
    fn with_value(&mut self, directive: Directive, span: Span) -> Parse<()> {
        let value = self.expression()?;
        self.end()?;
        self.push_rare(Rare::values(directive, &[value]), span);
        Ok(())
    }

    fn variable(&mut self, kind: SymbolKind, span: Span) -> Parse<()> {
        let scope = self.declaration_scope();
        let (name, name_pos) = self.expect_name()?;
        if matches!(name, names::TRUE | names::FALSE | names::NULL) {
            return self.fail(Code::InvalidToken, name_pos, "Invalid token");
        }
        let value = if self.is_terminator() {
            if kind == SymbolKind::Constant {
                return self.unfinished();
            }
            ExprId::NONE
        } else {
            self.expect_head(Kind::Assign)?;
            let value = self.expression()?;
            self.end()?;
            value
        };
        let symbol = self.declare(name, kind, scope, name_pos);
        self.push_stmt(Stmt::Var { symbol, value }, span);
        Ok(())
    }

    fn condition(&mut self, span: Span) -> Parse<()> {
        let entity = self.take_entity();
        self.expect_head(Kind::LeftParen)?;
        let condition = self.expression()?;
        self.expect(Kind::RightParen)?;
        let id = self.tree.ifs.len() as u32;
        let then_scope = self.new_scope();
        self.mark_entity_scope(entity, then_scope);
        self.tree.ifs.push(If {
            condition,
            then_scope,
            else_start: StmtId::FIRST,
            else_scope: ScopeId::NONE,
            end: StmtId::FIRST,
            entity,
        });
        self.push_stmt(Stmt::If(id), span);
        let before_body = self.at;
        self.skip_newlines();
        if matches!(self.peek_kind(), Kind::RightBrace | Kind::End | Kind::ImportEnd) {
            self.at = before_body;
            return self.fail(Code::IfWithoutBody, span, "If without body");
        }
        self.in_scope(then_scope, Parser::body)?;
        let else_start = self.here();
        // `else` begins a new statement: after a body in braces, a newline or a semicolon.
        let after_body = self.at;
        while matches!(self.peek_kind(), Kind::Newline | Kind::Semicolon) {
            self.at += 1;
        }
        let mut else_scope = ScopeId::NONE;
        let next = self.peek_at(1);
        let is_label = next.kind == Kind::Colon && next.glued;
        if self.peek_kind() == Kind::Ident && Name(self.peek().data) == names::ELSE && !is_label {
            self.next();
            else_scope = self.new_scope();
            self.mark_entity_scope(entity, else_scope);
            self.in_scope(else_scope, Parser::body)?;
        } else {
            self.at = after_body;
        }
        let end = self.here();
        let data = &mut self.tree.ifs[id as usize];
        (data.else_start, data.else_scope, data.end) = (else_start, else_scope, end);
        Ok(())
    }

    fn for_loop(&mut self, span: Span) -> Parse<()> {
        let entity = self.take_entity();
        let header_scope = self.new_scope();
        self.in_scope(header_scope, |parser| {
            parser.expect_head(Kind::LeftParen)?;
            let init = parser.header_list(Kind::Semicolon, Parser::declaration_or_expression)?;
            parser.expect_semicolon()?;
            let condition = parser.expression()?;
            parser.expect_semicolon()?;
            let step = parser.header_list(Kind::RightParen, Parser::expression)?;
            parser.expect(Kind::RightParen)?;
            parser.loop_body(Stmt::For, header_scope, init, condition, step, entity, span)
        })
    }

    /// The text between commas in the head of a loop, up to the token that ends it; perhaps nothing.
    fn header_list(&mut self, end: Kind, read: fn(&mut Self) -> Parse<ExprId>) -> Parse<List> {
        let base = self.pending.len();
        let mut is_more = self.peek_kind() != end;
        while is_more {
            let next = read(self)?;
            self.pending.push(next);
            is_more = self.accept(Kind::Comma);
        }
        Ok(self.take_pending(base))
    }

    fn expect_semicolon(&mut self) -> Parse<()> {
        if self.accept(Kind::Semicolon) {
            return Ok(());
        }
        match self.peek_kind() {
            Kind::RightParen => self.fail(Code::SemicolonExpected, self.peek().span, "Expected ;"),
            _ => self.unexpected(),
        }
    }

    fn while_loop(&mut self, span: Span) -> Parse<()> {
        let entity = self.take_entity();
        self.expect_in_header(Kind::LeftParen)?;
        let condition = self.expression()?;
        self.expect(Kind::RightParen)?;
        self.loop_body(Stmt::While, ScopeId::NONE, List::default(), condition, List::default(), entity, span)
    }

    #[allow(clippy::too_many_arguments)]
    fn loop_body(
        &mut self,
        stmt: fn(u32) -> Stmt,
        header_scope: ScopeId,
        init: List,
        condition: ExprId,
        step: List,
        entity: SymbolId,
        span: Span,
    ) -> Parse<()> {
        let body_scope = self.new_scope();
        self.mark_entity_scope(entity, body_scope);
        let id = self.tree.loops.len() as u32;
        self.tree.loops.push(Loop {
            header_scope,
            body_scope,
            init,
            condition,
            step,
            end: StmtId::FIRST,
            entity,
        });
        self.push_stmt(stmt(id), span);
        self.repeated += 1;
        let result = self.in_scope(body_scope, Parser::body);
        self.repeated -= 1;
        self.tree.loops[id as usize].end = self.here();
        result
    }

    fn error_if(&mut self, span: Span) -> Parse<()> {
        if self.is_terminator() {
            return self.fail(Code::ArgumentMissing, span, "Invalid number of arguments.");
        }
        let condition = self.expression()?;
        if self.is_terminator() {
            return self.fail(Code::ArgumentMissing, span, "Invalid number of arguments.");
        }
        self.expect(Kind::Comma)?;
        let value = self.expression()?;
        self.end()?;
        self.push_rare(Rare::values(Directive::ErrorIf, &[condition, value]), span);
        Ok(())
    }

    fn assertion(&mut self, span: Span) -> Parse<()> {
        let label = self.argument_of_assertion(span, "Missing second argument")?;
        if !self.accept_in_header(Kind::Comma) {
            return self.fail(Code::ArgumentMissing, span, "Missing second argument");
        }
        let skip = self.push_stmt(Stmt::Skip { end: StmtId::FIRST }, span);
        let actual = self.checked()?;
        if !self.accept_in_header(Kind::Comma) {
            return self.fail(Code::ArgumentMissing, span, "Missing third argument");
        }
        let expected = self.checked()?;
        if matches!((&actual, &expected), (Checked::Code { .. }, Checked::Value(_))) {
            return self.fail(Code::InvalidArgument, span, "Invalide expected arg");
        }
        self.end()?;
        self.tree.stmts[skip] = Stmt::Skip { end: self.here() };
        self.push_rare(Rare::Assert { label, actual, expected }, span);
        Ok(())
    }

    fn assertion_of_error(&mut self, span: Span) -> Parse<()> {
        let label = self.argument_of_assertion(after_dot(span), "Missing second argument")?;
        if !self.accept_in_header(Kind::Comma) {
            return self.fail(Code::ArgumentMissing, after_dot(span), "Missing second argument");
        }
        let skip = self.push_stmt(Stmt::Skip { end: StmtId::FIRST }, span);
        self.skip_header_lines();
        let start = self.peek().span;
        let actual = self.checked()?;
        let range = start.to(self.peek().span);
        self.end()?;
        self.tree.stmts[skip] = Stmt::Skip { end: self.here() };
        self.push_rare(Rare::AssertError { label, actual, range, caught: None }, span);
        Ok(())
    }

    fn expect_comma(&mut self) -> Parse<()> {
        if self.accept(Kind::Comma) {
            return Ok(());
        }
        if self.is_terminator() {
            return self.fail(Code::CommaExpected, self.peek().span, "Comma seperator expected");
        }
        self.unexpected()
    }

    /// The first argument of an assertion; line ends do not count.
    fn argument_of_assertion(&mut self, span: Span, missing: &str) -> Parse<ExprId> {
        self.skip_header_lines();
        if self.is_terminator() {
            return self.fail(Code::ArgumentMissing, span, missing);
        }
        self.expression()
    }

    /// An expression or a block of code; line ends before it do not count.
    fn checked(&mut self) -> Parse<Checked> {
        self.skip_header_lines();
        if self.peek_kind() != Kind::LeftBrace || self.mode == Mode::Function {
            return Ok(Checked::Value(self.expression()?));
        }
        let scope = self.new_scope();
        let start = self.here();
        self.in_scope(scope, Parser::braces)?;
        Ok(Checked::Code { scope, start, end: self.here() })
    }

    fn data(&mut self, width: u8, span: Span) -> Parse<()> {
        if let Some(bytes) = self.literal_data(width) {
            self.push_stmt(Stmt::Literal { bytes }, span);
            return Ok(());
        }
        let values = if self.is_terminator() { List::default() } else { self.expression_list()? };
        self.end()?;
        self.push_stmt(Stmt::Data { width, values }, span);
        Ok(())
    }

    /// Numbers and nothing else up to the end of the line: what most tables are.
    fn literal_data(&mut self, width: u8) -> Option<List> {
        let start = self.tree.bytes.len();
        let mut len = 0;
        for pair in self.tokens[self.at..].chunks_exact(2) {
            let [value, separator] = [pair[0], pair[1]];
            if value.kind != Kind::Int || !matches!(separator.kind, Kind::Comma | Kind::Newline) {
                break;
            }
            // What does not fit is worth a warning, so it is evaluated.
            if width < 4 && value.data >> (8 * u32::from(width)) != 0 {
                break;
            }
            let [b0, b1, b2, b3] = value.data.to_le_bytes();
            match width {
                1 => self.tree.bytes.push(b0),
                2 => self.tree.bytes.extend([b0, b1]),
                _ => self.tree.bytes.extend([b0, b1, b2, b3]),
            }
            len += 2;
            if separator.kind == Kind::Newline {
                self.at += len - 1;
                return Some(List { start: start as u32, len: (self.tree.bytes.len() - start) as u32 });
            }
        }
        self.tree.bytes.truncate(start);
        None
    }

    fn fill(&mut self, kind: FillKind, span: Span) -> Parse<()> {
        let entity = if kind == FillKind::LoHi { self.take_entity() } else { SymbolId::NONE };
        if self.is_terminator() {
            return self.fill_without_values(kind, span);
        }
        let count = self.expression()?;
        if self.is_terminator() {
            return self.fill_without_values(kind, span);
        }
        self.expect_comma()?;
        let scope = self.new_scope();
        let index = self.declare(names::I, SymbolKind::Variable, scope, span);
        self.tree.symbols[index].order = ExprId::FIRST;
        let values = self.in_scope(scope, |parser| {
            if kind != FillKind::LoHi && parser.is_pattern() {
                parser.next();
                if parser.peek_kind() == Kind::RightBracket {
                    let message = "You must supply at lead one fill expression";
                    return parser.fail(Code::ArgumentMissing, span, message);
                }
                let values = parser.expression_list()?;
                parser.expect(Kind::RightBracket)?;
                return Ok(values);
            }
            let value = parser.expression()?;
            Ok(parser.push_list(&[value]))
        })?;
        self.end()?;
        let id = self.tree.fills.len() as u32;
        self.tree.fills.push(Fill { kind, scope, count, values, index, entity });
        self.push_stmt(Stmt::Fill(id), span);
        Ok(())
    }

    fn fill_without_values(&mut self, kind: FillKind, span: Span) -> Parse<()> {
        match kind {
            FillKind::LoHi => self.fail(Code::ArgumentMissing, span, "Invalid number of arguments."),
            _ => self.fail(Code::CommaExpected, self.peek().span, "Comma seperator expected"),
        }
    }

    /// A bracket pair that is all of the value is a pattern.
    fn is_pattern(&self) -> bool {
        if self.peek_kind() != Kind::LeftBracket {
            return false;
        }
        let mut depth = 0;
        for (offset, token) in self.tokens[self.at..].iter().enumerate() {
            match token.kind {
                Kind::LeftBracket => depth += 1,
                Kind::RightBracket => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let after = self.peek_at(offset + 1).kind;
                return matches!(
                    after,
                    Kind::Newline | Kind::Semicolon | Kind::RightBrace | Kind::End | Kind::ImportEnd
                );
            }
        }
        false
    }

    fn label_value(&mut self, span: Span) -> Parse<()> {
        let scope = self.declaration_scope();
        let (name, name_pos) = self.expect_name()?;
        self.expect_head(Kind::Assign)?;
        let value = self.expression()?;
        let symbol = self.declare(name, SymbolKind::Label, scope, name_pos);
        let is_block = self.peek_kind() == Kind::LeftBrace;
        if !is_block {
            self.end()?;
        }
        self.push_stmt(Stmt::LabelValue { symbol, value }, span);
        // It names the scope of what follows, also on a later line.
        self.last_label = symbol;
        if is_block { self.block_statement() } else { Ok(()) }
    }

    /// The names and values between the braces of `.enum`. A comma may touch the closing brace, but something must
    /// come after blanks.
    fn enumeration(&mut self, span: Span) -> Parse<()> {
        let mut entries = Vec::new();
        self.expect_in_header(Kind::LeftBrace)?;
        loop {
            let is_next_line = self.peek_kind() == Kind::Newline;
            self.skip_newlines();
            let token = self.peek();
            if token.kind == Kind::RightBrace {
                if entries.is_empty() || !token.glued || is_next_line {
                    let message = "Unexpected end of source";
                    return self.fail(Code::UnexpectedEndOfSource, token.span, message);
                }
                break;
            }
            let (name, name_span) = self.expect_name()?;
            let value = if self.accept_in_header(Kind::Assign) {
                self.skip_newlines();
                self.expression()?
            } else {
                ExprId::NONE
            };
            let symbol = self.declare(name, SymbolKind::Constant, self.scope, name_span);
            entries.push((symbol, value));
            self.skip_newlines();
            if self.peek_kind() == Kind::RightBrace {
                break;
            }
            self.expect_head(Kind::Comma)?;
        }
        self.next();
        self.end_extra()?;
        self.push_rare(Rare::Enum(entries), span);
        Ok(())
    }

    fn structure(&mut self, span: Span) -> Parse<()> {
        let namespace = self.definition_namespace();
        let (name, name_span) = self.expect_name_in_header()?;
        self.expect_in_header(Kind::LeftBrace)?;
        let (mut fields, mut field_spans) = (Vec::new(), Vec::new());
        self.skip_newlines();
        if self.peek_kind() != Kind::RightBrace {
            loop {
                self.skip_newlines();
                let token = self.expect(Kind::Ident)?;
                fields.push(Name(token.data));
                field_spans.push(token.span);
                self.skip_newlines();
                if self.peek_kind() == Kind::RightBrace {
                    break;
                }
                self.expect(Kind::Comma)?;
            }
        }
        self.next();
        self.end_extra()?;
        let id = self.tree.structs.len() as u32;
        self.tree.structs.push(StructDef {
            name,
            name_span,
            namespace,
            fields,
            field_spans,
            index: OnceCell::new(),
        });
        let overloads = self.tree.functions.entry((namespace, name)).or_default();
        if overloads.is_empty() {
            overloads.push((NONE, Function::Struct(id)));
        } else {
            let name = self.tree.name(name).to_owned();
            let message = format!(
                "Can't define constructor for the struct '{name}'. The function name is already used"
            );
            self.name_error(Code::DuplicateCallable, span, message);
        }
        Ok(())
    }

    /// Whether an entity may be defined here; if not, says so.
    fn check_place(&mut self, what: &str, constructs: &str, span: Span) {
        if self.tree.scopes[self.scope].kind != ScopeKind::Namespace {
            let message = format!(
                "Can't define a {what} here. Define it in the direct scope of the current namespace, not inside \
                 constructs like {{}}, .if, .for{constructs}"
            );
            self.name_error(Code::DeclarationNotAllowed, span, message);
        }
    }

    /// Reads the body of a callable, with its parameters declared.
    fn callable_body(&mut self, id: u32, mode: Mode, parameters: &[(Name, Span)]) -> Parse<()> {
        let span = self.tree.callables[id as usize].span;
        let skip = self.push_stmt(Stmt::Skip { end: StmtId::FIRST }, span);
        let outer = (self.callable, self.mode, self.repeated);
        (self.callable, self.mode, self.repeated) = (id, mode, self.repeated + 1);
        let scope = self.new_scope();
        for (index, &(name, span)) in parameters.iter().enumerate() {
            if parameters[..index].iter().any(|&(other, _)| other == name) {
                let callable = &self.tree.callables[id as usize];
                let message = match callable.kind {
                    CallableKind::Function => {
                        format!("The symbol '{}' is already defined.", self.tree.name(name))
                    }
                    _ => "The symbol is already defined".to_owned(),
                };
                self.name_error(Code::DuplicateSymbol, callable.span, message);
            }
            let symbol = self.declare(name, SymbolKind::Variable, scope, span);
            self.tree.symbols[symbol].order = ExprId::FIRST;
        }
        let start = self.here();
        self.skip_header_lines();
        // Macros and functions may have one statement instead of braces.
        let is_pseudo = self.tree.callables[id as usize].kind == CallableKind::PseudoCommand;
        let result = match self.peek_kind() {
            Kind::LeftBrace => self.in_scope(scope, Parser::braces),
            Kind::RightBrace | Kind::ImportEnd | Kind::End => self.unfinished(),
            _ if is_pseudo => self.unfinished(),
            _ => self.in_scope(scope, Parser::body),
        };
        let end = self.here();
        self.tree.stmts[skip] = Stmt::Skip { end };
        let callable = &mut self.tree.callables[id as usize];
        (callable.scope, callable.start, callable.end) = (scope, start, end);
        (self.callable, self.mode, self.repeated) = outer;
        result
    }

    fn new_callable(
        &mut self,
        kind: CallableKind,
        namespace: NamespaceId,
        (name, name_span): (Name, Span),
        parameters: usize,
        span: Span,
    ) -> u32 {
        let id = self.tree.callables.len() as u32;
        let parameters = parameters as u32;
        self.tree.callables.push(Callable {
            name,
            name_span,
            kind,
            namespace,
            scope: ScopeId::NONE,
            parameters,
            start: StmtId::FIRST,
            end: StmtId::FIRST,
            span,
        });
        id
    }

    /// A callable that has the name of another one.
    fn duplicate_callable(&mut self, first: Span, span: Span, message: String) {
        let report = Report::error(Code::DuplicateCallable, span, message);
        self.names.push(report.with_label_at(first, "first defined here"));
    }

    /// `(a, b)`
    fn parameters(&mut self) -> Parse<Vec<(Name, Span)>> {
        self.expect_in_header(Kind::LeftParen)?;
        let mut parameters = Vec::new();
        if !self.accept(Kind::RightParen) {
            loop {
                let token = self.expect(Kind::Ident)?;
                parameters.push((Name(token.data), token.span));
                if !self.accept(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::RightParen)?;
        }
        Ok(parameters)
    }

    /// The namespace a callable or struct goes to: the current one, or the root after `@`.
    fn definition_namespace(&mut self) -> NamespaceId {
        if self.accept_in_header(Kind::At) { ROOT_NAMESPACE } else { self.namespace }
    }

    fn function(&mut self, span: Span) -> Parse<()> {
        self.check_place("function", ", etc.", span);
        let namespace = self.definition_namespace();
        let (name, name_span) = self.expect_name_in_header()?;
        let parameters = self.parameters()?;
        let id =
            self.new_callable(CallableKind::Function, namespace, (name, name_span), parameters.len(), span);
        let count = parameters.len() as u32;
        let overloads = self.tree.functions.entry((namespace, name)).or_default();
        let first = overloads.iter().find(|&&(other, _)| other == count || other == NONE);
        if let Some(&(_, first)) = first {
            let first = match first {
                Function::User(first) => self.tree.callables[first as usize].name_span,
                Function::Struct(first) => self.tree.structs[first as usize].name_span,
            };
            let message = format!("The function '{}' is already defined.", self.tree.name(name));
            self.duplicate_callable(first, span, message);
        } else {
            overloads.push((count, Function::User(id)));
        }
        self.callable_body(id, Mode::Function, &parameters)
    }

    fn macro_definition(&mut self, span: Span) -> Parse<()> {
        self.check_place("macro", " etc.", span);
        let namespace = self.definition_namespace();
        let (name, name_span) = self.expect_name_in_header()?;
        let parameters = self.parameters()?;
        let id = self.new_callable(CallableKind::Macro, namespace, (name, name_span), parameters.len(), span);
        let first = *self.tree.macros.entry((namespace, name)).or_insert(id);
        if first != id {
            let message = format!("The macro '{}'  is already defined", self.tree.name(name));
            let first = self.tree.callables[first as usize].name_span;
            self.duplicate_callable(first, span, message);
        }
        self.callable_body(id, Mode::Assembly, &parameters)
    }

    fn pseudo_command(&mut self, span: Span) -> Parse<()> {
        self.check_place("pseudo command", " etc.", span);
        let namespace = self.definition_namespace();
        let (name, name_span) = self.expect_name_in_header()?;
        let separator = if self.semicolon_arguments { Kind::Semicolon } else { Kind::Colon };
        let mut parameters = Vec::new();
        self.skip_header_lines();
        if self.peek_kind() == Kind::Ident {
            loop {
                let (name, span) = self.expect_name_in_header()?;
                parameters.push((name, span));
                // With `-pseudoc3x` a colon works, too.
                if !self.accept_in_header(separator) && !self.accept(Kind::Colon) {
                    break;
                }
            }
        }
        let id = self.new_callable(
            CallableKind::PseudoCommand,
            namespace,
            (name, name_span),
            parameters.len(),
            span,
        );
        let first = *self.tree.pseudo_commands.entry((namespace, name)).or_insert(id);
        if first != id {
            let message = format!("The pseudo command '{}'  is already defined", self.tree.name(name));
            let first = self.tree.callables[first as usize].name_span;
            self.duplicate_callable(first, span, message);
        }
        self.callable_body(id, Mode::Assembly, &parameters)
    }

    fn define(&mut self, span: Span) -> Parse<()> {
        let mut exports = Vec::new();
        loop {
            exports.push(self.expect_name_in_header()?);
            if !self.accept_in_header(Kind::Comma) {
                break;
            }
        }
        let skip = self.push_stmt(Stmt::Skip { end: StmtId::FIRST }, span);
        let scope = self.new_scope();
        let mode = std::mem::replace(&mut self.mode, Mode::Function);
        self.skip_header_lines();
        let result = self.in_scope(scope, Parser::braces);
        self.mode = mode;
        result?;
        let end = self.here();
        self.tree.stmts[skip] = Stmt::Skip { end };
        let mut symbols = Vec::new();
        for (name, name_pos) in exports {
            let inner =
                self.tree.symbols.iter().rposition(|symbol| symbol.scope == scope && symbol.name == name);
            let outer = self.declare(name, SymbolKind::Constant, self.scope, name_pos);
            symbols.push((inner.map_or(SymbolId::NONE, SymbolId::from_index), outer, name));
        }
        // The body is between the jump over it and the statement that runs it.
        self.push_rare(Rare::Define { scope, exports: symbols, start: skip.next() }, span);
        Ok(())
    }

    // --- namespaces

    fn open_namespace(&mut self, span: Span) -> Parse<ScopeId> {
        let (name, name_span) = self.expect_name_in_header()?;
        if self.tree.scopes[self.scope].kind != ScopeKind::Namespace {
            self.name_error(
                Code::DeclarationNotAllowed,
                span,
                "Can't define a new namespace here. You have to be in the scope of a parent namespace (Not inside \
                 .if, .for, .function, etc.).",
            );
        }
        let parent = self.namespace;
        let known = self.namespace_ids.get(&(parent, name)).copied();
        let namespace = known.unwrap_or_else(|| {
            let id = self.tree.namespaces.next_id();
            let scope = self.tree.scopes.next_id();
            let outer = self.tree.namespaces[parent].scope;
            self.tree.scopes.push(Scope::new(ScopeKind::Namespace, outer, id, 0));
            let own = self.tree.name(name);
            let path = match parent {
                ROOT_NAMESPACE | SYSTEM_NAMESPACE => own.to_owned(),
                _ => format!("{}.{own}", self.tree.namespaces[parent].path.as_str()),
            };
            let path = std::rc::Rc::new(crate::values::Text::new(&path));
            self.tree.namespaces.push(Namespace { scope, parent, path, name_span });
            let symbol = self.declare(name, SymbolKind::Namespace, outer, span);
            // Namespaces can be referred to before they are opened.
            self.tree.symbols[symbol].order = ExprId::FIRST;
            self.tree.symbols[symbol].slot = id.0;
            self.namespace_ids.insert((parent, name), id);
            id
        });
        self.namespace = namespace;
        if self.tree.outline.is_wanted {
            self.tree.outline.namespaces.push((namespace, name_span));
        }
        Ok(self.tree.namespaces[namespace].scope)
    }

    fn namespace_block(&mut self, span: Span) -> Parse<()> {
        let outer = self.namespace;
        let scope = self.open_namespace(span)?;
        self.skip_header_lines();
        self.last_label = SymbolId::NONE;
        let result = self.in_scope(scope, Parser::braces);
        self.namespace = outer;
        result
    }

    /// Stays open until the end of the file, which restores the scope.
    fn file_namespace(&mut self, span: Span) -> Parse<()> {
        let scope = self.open_namespace(span)?;
        self.scope = scope;
        self.event(EventKind::Enter(scope));
        if self.tree.outline.is_wanted {
            let start = self.peek().span.start;
            self.tree.outline.scopes.push((scope, Span { start, end: u32::MAX }));
        }
        self.end_extra()
    }
}

/// The word of a directive without its dot, where Kick Assembler misses the argument of some.
fn after_dot(span: Span) -> Span {
    Span { start: span.start + 1, ..span }
}
