//! Statements: labels, instructions, calls, blocks, and the choice of the directive.

use tempo_isa::Mode as Addressing;

use super::{Mode, Parse, Parser};
use crate::codes::Code;
use crate::intern::Name;
use crate::lex::Kind;
use crate::names;
use crate::report::{Fault, Report};
use crate::tree::*;
use tempo_diagnostics::Span;

impl Parser<'_> {
    pub(super) fn program(&mut self) {
        // The names of the language have their numbers from the lexer.
        self.refill();
        while self.peek_kind() != Kind::End {
            self.statements();
            // A brace without partner cannot be here: brackets were paired. Pass it to be safe.
            if self.peek_kind() != Kind::End {
                self.next();
            }
        }
    }

    /// Statements up to the brace that ends them, the end of the file or of the program.
    pub(super) fn statements(&mut self) {
        loop {
            match self.peek_kind() {
                Kind::Newline => self.at += 1,
                Kind::Semicolon => {
                    self.at += 1;
                    // It cuts off a label from what follows, but not a `.label`.
                    if matches!(self.tree.stmts.last(), Some(Stmt::Label { .. })) {
                        self.last_label = SymbolId::NONE;
                    }
                }
                Kind::End if self.refill() => {}
                Kind::RightBrace | Kind::End | Kind::ImportEnd => return,
                Kind::Ident if self.usual_statement() => {}
                _ => self.statement_or_recover(),
            }
        }
    }

    /// A label alone on its line, or an instruction with a plain operand: most lines are, and they cannot have a fault.
    /// It is read with the end of its line. False if it is anything else; then nothing is read.
    fn usual_statement(&mut self) -> bool {
        if self.mode != Mode::Assembly || self.tree.outline.is_wanted {
            return false;
        }
        let Some(&[token, next, ..]) = self.tokens[self.at..].first_chunk::<6>() else { return false };
        if next.kind == Kind::Colon {
            if !next.glued || self.peek_at(2).kind != Kind::Newline {
                return false;
            }
            self.at += 3;
            return self.label(Name(token.data), self.scope, token.span).is_ok();
        }
        let cpu = self.cpu;
        let mnemonic = names::mnemonic_on(Name(token.data), cpu);
        let Some(mnemonic) = mnemonic else { return false };
        let (form, operand) = match next.kind {
            Kind::Newline => {
                self.at += 1;
                (Form::None, ExprId::NONE)
            }
            _ => {
                let Some(operand) = self.plain_operand(1) else { return false };
                operand
            }
        };
        self.at += 1;
        let extension = Extension::None;
        self.push_stmt(Stmt::Instruction { mnemonic, form, cpu, extension, operand }, token.span);
        true
    }

    fn statement_or_recover(&mut self) {
        let nesting = self.nesting;
        self.chain = 0;
        let (passed, start) = (self.passed, self.at);
        let first = self.peek_kind();
        let outlined = self.tree.outline.is_wanted.then(|| self.outline_start());
        let outermost = self.outermost.replace(self.outermost.unwrap_or(passed + start as u64));
        let faults = self.syntax.len();
        if self.statement().is_err() {
            self.nesting = nesting;
            self.pending.clear();
            self.last_label = SymbolId::NONE;
            if self.has_too_many_errors() {
                self.at = self.tokens.len() - 1;
            } else {
                self.recover();
                self.give_up(passed, start);
            }
        }
        if faults < self.syntax.len() {
            self.place_faults(faults, passed + start as u64);
        }
        if let Some(number) = outlined {
            self.outline_end(number, first);
        }
        self.outermost = outermost;
    }

    /// Skips to the end of the statement, past any braces it has.
    fn recover(&mut self) {
        let mut depth = 0;
        loop {
            match self.peek_kind() {
                Kind::End | Kind::ImportEnd => return,
                Kind::Newline | Kind::Semicolon | Kind::ImportStart if depth == 0 => return,
                Kind::RightBrace if depth == 0 => return,
                Kind::RightBrace => depth -= 1,
                Kind::LeftBrace => depth += 1,
                _ => {}
            }
            self.next();
        }
    }

    /// One statement: labels, then a body, then its end.
    pub(super) fn statement(&mut self) -> Parse<()> {
        loop {
            let token = self.peek();
            match token.kind {
                Kind::Ident => {
                    let next = self.tokens[self.at + 1];
                    if next.kind == Kind::Colon && next.glued {
                        self.label(Name(token.data), self.scope, token.span)?;
                        self.at += 2;
                        if self.is_terminator() {
                            return Ok(());
                        }
                        continue;
                    }
                    self.at += 1;
                    return self.named_statement(Name(token.data), token.span, token.span, next);
                }
                Kind::DotIdent => {
                    self.at += 1;
                    return self.directive(Name(token.data), token.span);
                }
                Kind::LeftBrace => return self.block_statement(),
                Kind::Bang => {
                    self.multi_label()?;
                    if self.is_terminator() {
                        return Ok(());
                    }
                    continue;
                }
                Kind::MultiRef if self.mode == Mode::Assembly => {
                    // `!name+:` and the like.
                    return self.invalid();
                }
                Kind::At => {
                    self.next();
                    let name = self.peek();
                    if name.kind != Kind::Ident || !name.glued {
                        return self.invalid();
                    }
                    let next = self.peek_at(1);
                    if next.kind == Kind::Colon && next.glued {
                        self.label(Name(name.data), ROOT_SCOPE, name.span)?;
                        self.at += 2;
                        if self.is_terminator() {
                            return Ok(());
                        }
                        continue;
                    }
                    self.assembly_only(token.span)?;
                    self.next();
                    return self.call(Name(name.data), name.span, token.span.to(name.span), true);
                }
                Kind::Colon => {
                    // The old spelling of a call.
                    let name = self.peek_at(1);
                    if name.kind != Kind::Ident || !name.glued {
                        return self.invalid();
                    }
                    self.assembly_only(token.span)?;
                    self.at += 2;
                    return self.call(Name(name.data), name.span, token.span.to(name.span), false);
                }
                Kind::Star | Kind::StarAssign => {
                    self.assembly_only(token.span)?;
                    self.next();
                    if token.kind == Kind::Star {
                        self.expect_head(Kind::Assign)?;
                    }
                    return self.pc(token.span);
                }
                Kind::ImportStart => return self.imported_file(),
                _ if self.is_terminator() => return Ok(()),
                _ => return self.invalid(),
            }
        }
    }

    #[inline]
    fn assembly_only(&mut self, span: Span) -> Parse<()> {
        match self.mode {
            Mode::Assembly => Ok(()),
            Mode::Function => self.fail(Code::InvalidToken, span, "Invalid token"),
        }
    }

    fn label(&mut self, name: Name, scope: ScopeId, span: Span) -> Parse<()> {
        self.assembly_only(span)?;
        let symbol = self.declare(name, SymbolKind::Label, scope, span);
        self.push_stmt(Stmt::Label { symbol }, span);
        self.last_label = symbol;
        Ok(())
    }

    fn multi_label(&mut self) -> Parse<()> {
        let bang = self.next();
        self.assembly_only(bang.span)?;
        let mut name = names::EMPTY;
        let mut end = bang.span.end;
        if self.peek_kind() == Kind::Ident && self.peek().glued {
            let token = self.next();
            (name, end) = (Name(token.data), token.span.end);
        }
        if self.peek_kind() != Kind::Colon || !self.peek().glued {
            return self.fail(Code::InvalidToken, Span::at(end), "Invalid token");
        }
        self.next();
        let symbol = self.declare(name, SymbolKind::MultiLabel, self.scope, bang.span);
        self.event(EventKind::MultiLabel(symbol));
        self.push_stmt(Stmt::MultiLabel { symbol }, bang.span);
        Ok(())
    }

    /// A statement that begins with a name: instruction, macro call or pseudo command call.
    fn named_statement(&mut self, name: Name, span: Span, start: Span, next: crate::lex::Token) -> Parse<()> {
        self.assembly_only(start)?;
        if next.kind != Kind::LeftParen || !next.glued {
            let cpu = self.cpu;
            if let Some(mnemonic) = names::mnemonic_on(name, cpu) {
                return self.instruction(mnemonic, span);
            }
        }
        self.call(name, span, start, false)
    }

    fn instruction(&mut self, mnemonic: tempo_isa::Mnemonic, span: Span) -> Parse<()> {
        let cpu = self.cpu;
        let mut extension = Extension::None;
        match self.peek_kind() {
            Kind::Newline => {
                let stmt =
                    Stmt::Instruction { mnemonic, form: Form::None, cpu, extension, operand: ExprId::NONE };
                self.push_stmt(stmt, span);
                return Ok(());
            }
            Kind::DotIdent => {
                let name = Name(self.next().data);
                extension = self.extension(name, span)?;
            }
            Kind::Dot => {
                self.next();
                let (name, _) = self.expect_name()?;
                extension = self.extension(name, span)?;
            }
            _ => {}
        }
        self.argument_label()?;
        let (form, operand) = self.operand(|parser| parser.is_terminator())?;
        self.push_stmt(Stmt::Instruction { mnemonic, form, cpu, extension, operand }, span);
        Ok(())
    }

    fn extension(&mut self, name: Name, span: Span) -> Parse<Extension> {
        let extension = match self.tree.name(name) {
            "a" | "abs" => Extension::Absolute,
            "z" | "zp" => Extension::ZeroPage,
            "im" | "imm" => Extension::Exact(Addressing::Immediate),
            "zx" | "zpx" => Extension::Exact(Addressing::ZeroPageX),
            "zy" | "zpy" => Extension::Exact(Addressing::ZeroPageY),
            "izx" | "izpx" => Extension::Exact(Addressing::IndirectX),
            "izy" | "izpy" => Extension::Exact(Addressing::IndirectY),
            "ax" | "absx" => Extension::Exact(Addressing::AbsoluteX),
            "ay" | "absy" => Extension::Exact(Addressing::AbsoluteY),
            "i" | "ind" => Extension::Exact(Addressing::Indirect),
            "r" | "rel" => Extension::Exact(Addressing::Relative),
            _ => {
                let report = Report::fault(Fault::Extension(name), span, &self.tree.names);
                return self.fail_with(report);
            }
        };
        Ok(extension)
    }

    /// `name:` or `@name:` before an operand.
    fn argument_label(&mut self) -> Parse<()> {
        let is_root = self.peek_kind() == Kind::At;
        let name = self.peek_at(usize::from(is_root));
        let colon = self.peek_at(usize::from(is_root) + 1);
        if name.kind == Kind::Ident && colon.kind == Kind::Colon && colon.glued {
            let scope = if is_root { ROOT_SCOPE } else { self.scope };
            let symbol = self.declare(Name(name.data), SymbolKind::Label, scope, name.span);
            self.push_stmt(Stmt::ArgumentLabel { symbol }, name.span);
            self.at += 2 + usize::from(is_root);
        }
        Ok(())
    }

    /// A macro or pseudo command call; the name is read.
    fn call(&mut self, name: Name, name_span: Span, span: Span, is_root: bool) -> Parse<()> {
        let entity = self.take_entity();
        let namespace = self.namespace;
        let mut call = Call {
            name,
            span,
            is_root,
            name_span,
            namespace,
            target: NONE,
            arguments: List::default(),
            forms: List::default(),
            entity,
        };
        let id = self.tree.calls.len() as u32;
        if self.peek_kind() == Kind::LeftParen && self.peek().glued {
            self.next();
            if !self.accept(Kind::RightParen) {
                call.arguments = self.expression_list()?;
                self.expect(Kind::RightParen)?;
            }
            if !self.is_terminator() {
                return self.fail(Code::ExtraToken, self.peek().span, "Invalid extra token");
            }
            self.tree.calls.push(call);
            self.event(EventKind::MacroCall(id));
            self.push_stmt(Stmt::MacroCall(id), span);
            return Ok(());
        }
        let is_end = |parser: &Parser<'_>| parser.is_terminator() || parser.peek_kind() == Kind::Colon;
        let base = self.pending.len();
        let start = self.tree.forms.len();
        loop {
            let (form, operand) = self.operand(is_end)?;
            self.tree.forms.push(form);
            self.pending.push(operand);
            let is_separated = self.semicolon_arguments && self.accept(Kind::Semicolon);
            if !is_separated && !self.accept(Kind::Colon) {
                break;
            }
        }
        if self.tree.forms[start..] == [Form::None] {
            self.tree.forms.truncate(start);
            self.pending.truncate(base);
        }
        call.forms = List { start: start as u32, len: (self.tree.forms.len() - start) as u32 };
        call.arguments = self.take_pending(base);
        self.tree.calls.push(call);
        self.event(EventKind::PseudoCall(id));
        self.push_stmt(Stmt::PseudoCall(id), span);
        Ok(())
    }

    pub(super) fn block_statement(&mut self) -> Parse<()> {
        let span = self.peek().span;
        let entity = self.take_entity();
        let scope = self.new_scope();
        self.mark_entity_scope(entity, scope);
        let id = self.tree.blocks.len() as u32;
        self.tree.blocks.push(Block { scope, entity, end: StmtId::FIRST });
        let at = self.push_stmt(Stmt::Block(id), span);
        self.tree.blocks[id as usize].end = at.next();
        self.in_scope(scope, Parser::braces)?;
        self.tree.blocks[id as usize].end = self.here();
        Ok(())
    }

    /// `{ statements }`, the scope being set.
    pub(super) fn braces(&mut self) -> Parse<()> {
        self.expect_head(Kind::LeftBrace)?;
        self.enter_nesting()?;
        self.statements();
        self.nesting -= 1;
        self.last_label = SymbolId::NONE;
        self.expect(Kind::RightBrace)?;
        Ok(())
    }

    /// The body of `.if` and loops: a block, or one statement, possibly on the next line.
    pub(super) fn body(&mut self) -> Parse<()> {
        self.skip_newlines();
        if self.peek_kind() == Kind::LeftBrace {
            return self.braces();
        }
        self.enter_nesting()?;
        let result = self.statement();
        self.nesting -= 1;
        self.last_label = SymbolId::NONE;
        result
    }

    /// The statements of an imported file, from its start mark to its end mark. They belong to the root, wherever
    /// the import is written.
    pub(super) fn imported_file(&mut self) -> Parse<()> {
        let start = self.next();
        self.enter_nesting()?;
        let is_system = start.data == 0;
        let (scope, namespace) =
            if is_system { (SYSTEM_SCOPE, SYSTEM_NAMESPACE) } else { (ROOT_SCOPE, ROOT_NAMESPACE) };
        let outer = (self.scope, self.namespace, self.callable, self.mode, self.zp_depth, self.last_label);
        let outermost = self.outermost.take();
        let first = self.here();
        // The main source and the built-in one are in no other.
        let inclusion = (self.nesting > 1).then_some(self.tree.inclusions.len());
        if inclusion.is_some() {
            let inclusion = Inclusion { file: start.data, from: start.span, start: first, end: first };
            self.tree.inclusions.push(inclusion);
        }
        let is_bad = self.repeated > 0;
        if self.mode == Mode::Function {
            self.fault(Code::InvalidToken, start.span, "Invalid token");
        }
        (self.scope, self.namespace, self.callable, self.mode) = (scope, namespace, 0, Mode::Assembly);
        self.zp_depth = 0;
        self.last_label = SymbolId::NONE;
        self.event(EventKind::EnterFile(scope));
        loop {
            self.statements();
            match self.peek_kind() {
                Kind::ImportEnd => {
                    self.next();
                    break;
                }
                Kind::End => break,
                _ => {
                    self.next();
                }
            }
        }
        self.event(EventKind::LeaveFile);
        if let Some(inclusion) = inclusion {
            self.tree.inclusions[inclusion].end = self.here();
        }
        (self.scope, self.namespace, self.callable, self.mode, self.zp_depth, self.last_label) = outer;
        self.outermost = outermost;
        if self.here() != first {
            self.last_label = SymbolId::NONE;
        }
        if is_bad {
            self.push_stmt(Stmt::BadImport, start.span);
        }
        self.nesting -= 1;
        Ok(())
    }

    /// The end of a directive whose last part was an expression.
    pub(super) fn end(&mut self) -> Parse<()> {
        if self.is_terminator() { Ok(()) } else { self.unexpected() }
    }

    /// The end of any other directive.
    pub(super) fn end_extra(&mut self) -> Parse<()> {
        if self.is_terminator() {
            Ok(())
        } else {
            self.fail(Code::ExtraToken, self.peek().span, "Invalid extra token")
        }
    }
}
