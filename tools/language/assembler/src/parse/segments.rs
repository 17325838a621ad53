//! Directives about memory, segments, files and debugging.

use tempo_isa::Cpu;

use super::{Parse, Parser};
use crate::codes::Code;
use crate::dialect::Directive;
use crate::intern::Name;
use crate::lex::Kind;
use crate::names;
use crate::tree::*;
use tempo_diagnostics::Span;

impl Parser<'_> {
    /// `expr ["name"] [virtual]` after `*=`.
    pub(super) fn pc(&mut self, span: Span) -> Parse<()> {
        if self.peek_kind() == Kind::String {
            return self.unexpected();
        }
        let address = self.expression()?;
        let first = self.peek().span;
        let mut name = NONE;
        if self.peek_kind() == Kind::String {
            name = self.next().data;
        }
        let mut is_virtual = false;
        if self.peek_kind() == Kind::Ident && Name(self.peek().data) == names::VIRTUAL {
            self.next();
            is_virtual = true;
        }
        if !self.is_terminator() {
            return self.fail(Code::SyntaxError, first, "Syntax error");
        }
        self.push_stmt(Stmt::Pc { address, name, is_virtual }, span);
        Ok(())
    }

    pub(super) fn pseudo_pc(&mut self, span: Span) -> Parse<()> {
        let address = self.expression()?;
        if !matches!(self.peek_kind(), Kind::LeftBrace | Kind::Newline) {
            return self.unexpected();
        }
        let id = self.push_stmt(Stmt::PseudoPc { address, end: StmtId::FIRST }, span);
        self.skip_newlines();
        self.braces()?;
        let end = self.here();
        self.tree.stmts[id] = Stmt::PseudoPc { address, end };
        Ok(())
    }

    pub(super) fn zero_page(&mut self) -> Parse<()> {
        self.skip_newlines();
        self.last_label = SymbolId::NONE;
        self.zp_depth += 1;
        let result = self.braces();
        self.zp_depth -= 1;
        result
    }

    pub(super) fn select_cpu(&mut self) -> Parse<()> {
        let token = self.peek();
        if token.kind != Kind::Ident {
            return self.fail(Code::NameExpected, token.span, "Token must be an identifer");
        }
        self.next();
        // A second word is ignored.
        if self.peek_kind() == Kind::Ident {
            self.next();
        }
        match Cpu::from_kick_name(self.tree.name(Name(token.data))) {
            Some(cpu) => self.cpu = cpu,
            None => return self.fail(Code::UnknownCpu, token.span, "Invalid cpu name."),
        }
        self.end_extra()
    }

    pub(super) fn import(&mut self, span: Span) -> Parse<()> {
        let token = self.peek();
        let kind = match (token.kind, Name(token.data)) {
            (Kind::Ident, names::BINARY) => ImportKind::Binary,
            (Kind::Ident, names::C64) => ImportKind::C64,
            (Kind::Ident, names::TEXT) => ImportKind::Text,
            (Kind::Ident, names::SOURCE) => return self.import_source(span),
            (Kind::Ident, _) => return self.fail(Code::InvalidArgument, token.span, "Invalid argument"),
            _ => return self.unfinished(),
        };
        self.next();
        let arguments = if self.is_terminator() { List::default() } else { self.expression_list()? };
        self.end()?;
        let arguments = &self.tree.lists[arguments.range()];
        let argument = |index: usize| arguments.get(index).copied().unwrap_or(ExprId::NONE);
        let (name, offset, length) = (argument(0), argument(1), argument(2));
        if !(1..=3).contains(&arguments.len()) {
            self.name_error(Code::ArgumentMissing, span, "Invalid number of arguments.");
            return Ok(());
        }
        self.push_rare(Rare::Import { kind, name, offset, length }, span);
        Ok(())
    }

    /// The tokens of the file follow its name, unless it could not be read or was there already.
    fn import_source(&mut self, span: Span) -> Parse<()> {
        self.next();
        while matches!(self.peek_kind(), Kind::LeftParen | Kind::LeftBracket) {
            self.next();
        }
        let is_name = self.accept(Kind::String);
        while is_name && matches!(self.peek_kind(), Kind::RightParen | Kind::RightBracket) {
            self.next();
        }
        if is_name && self.peek_kind() == Kind::ImportStart {
            // Each of the two files has its own instruction set.
            let cpu = std::mem::replace(&mut self.cpu, self.initial_cpu);
            let unit = self.lexer.out.units.get(self.units).copied().unwrap_or(self.unit);
            let outside = std::mem::replace(&mut self.unit, unit);
            self.units += 1;
            let result = self.imported_file();
            (self.cpu, self.unit) = (cpu, outside);
            return result;
        }
        let one = "Invalid number of arguments. Import source takes exactly one argument";
        match self.peek_kind() {
            Kind::Comma => self.fail_import(Code::ImportNotConstant, span, one),
            _ if !is_name && self.is_terminator() => self.fail_import(Code::ImportNotConstant, span, one),
            _ if is_name && self.is_terminator() => Ok(()),
            // Nothing that an expression could go on with.
            Kind::Ident | Kind::Int | Kind::Number | Kind::String | Kind::Char | Kind::LeftBrace
                if is_name =>
            {
                self.unexpected()
            }
            _ => {
                let message = "Import source must be given a string constant as argument";
                self.fail_import(Code::ImportNotConstant, self.peek().span, message)
            }
        }
    }

    /// `[name=value, flag, …]`
    fn parameter_map(&mut self) -> Parse<Parameters> {
        let span = self.expect_head(Kind::LeftBracket)?.span;
        let mut entries = Vec::new();
        while self.peek_kind() != Kind::RightBracket {
            let name = self.expect(Kind::Ident)?;
            let value = if self.accept(Kind::Assign) { self.expression()? } else { ExprId::NONE };
            entries.push(Parameter { name: Name(name.data), span: name.span, value });
            if self.peek_kind() != Kind::RightBracket {
                self.expect(Kind::Comma)?;
            }
        }
        self.next();
        Ok(Parameters { span, entries })
    }

    pub(super) fn output_directive(&mut self, directive: Directive, span: Span) -> Parse<()> {
        let rare = match directive {
            Directive::MemBlock => {
                let name = self.expression()?;
                self.end()?;
                Rare::values(directive, &[name])
            }
            Directive::Segment => {
                let (name, _) = self.expect_name()?;
                let mut block = NONE;
                let mut parameters = None;
                match self.peek_kind() {
                    Kind::String => block = self.next().data,
                    Kind::LeftBracket => {
                        parameters = Some(self.parameter_map()?);
                        if self.peek_kind() == Kind::String {
                            block = self.next().data;
                        }
                    }
                    _ => {}
                }
                Rare::Segment { name, block, parameters }
            }
            Directive::SegmentDef => {
                let (name, name_pos) = self.expect_name()?;
                let parameters = match self.peek_kind() {
                    Kind::LeftBracket => self.parameter_map()?,
                    _ => {
                        // A second word is ignored.
                        if self.peek_kind() == Kind::Ident {
                            self.next();
                        }
                        Parameters { span: name_pos, entries: Vec::new() }
                    }
                };
                Rare::SegmentDef { name, parameters }
            }
            Directive::SegmentOut => Rare::SegmentOut { parameters: self.parameter_map()? },
            Directive::File => Rare::File { parameters: self.parameter_map()? },
            Directive::Disk => self.disk()?,
            Directive::Cartridge => {
                let parameters = self.parameter_map()?;
                Rare::Cartridge { parameters, banks: self.parameter_maps()? }
            }
            Directive::Break => {
                let value = if self.is_terminator() { ExprId::NONE } else { self.expression()? };
                self.end()?;
                Rare::values(directive, &[value])
            }
            Directive::Watch => {
                if self.is_terminator() {
                    return self.fail(Code::ArgumentMissing, span, "First argument must be present.");
                }
                let start = self.expression()?;
                let mut end = ExprId::NONE;
                let mut value = ExprId::NONE;
                if self.accept(Kind::Comma) {
                    if self.peek_kind() != Kind::Comma && !self.is_terminator() {
                        end = self.expression()?;
                    }
                    if self.accept(Kind::Comma) && !self.is_terminator() {
                        value = self.expression()?;
                    }
                    if self.peek_kind() == Kind::Comma {
                        return self.fail(Code::InvalidArgument, span, ".watch takes max 3 arguments");
                    }
                }
                self.end()?;
                Rare::values(directive, &[start, end, value])
            }
            Directive::Plugin => {
                if self.peek_kind() != Kind::String {
                    return self.unfinished();
                }
                let name = self.expression()?;
                // Plugins count for the whole program, so those that are plain strings are known before it runs.
                if let Expr::String(class) = self.tree.exprs[name] {
                    self.tree.plugins.push((class, span));
                }
                Rare::values(directive, &[name])
            }
            Directive::Modify => {
                let (name, _) = self.expect_name()?;
                self.skip_header_lines();
                let arguments = self.call_arguments()?;
                let skip = self.push_stmt(Stmt::Skip { end: StmtId::FIRST }, span);
                let start = self.here();
                self.skip_header_lines();
                self.braces()?;
                let end = self.here();
                self.tree.stmts[skip] = Stmt::Skip { end };
                Rare::Modify { name, arguments, start, end }
            }
            _ => {
                let (name, _) = self.expect_name()?;
                self.call_arguments()?;
                Rare::FileModify { name }
            }
        };
        self.end_extra()?;
        self.push_rare(rare, span);
        Ok(())
    }

    fn call_arguments(&mut self) -> Parse<List> {
        self.expect(Kind::LeftParen)?;
        let mut arguments = List::default();
        if self.peek_kind() != Kind::RightParen {
            arguments = self.expression_list()?;
        }
        self.expect(Kind::RightParen)?;
        Ok(arguments)
    }

    fn disk(&mut self) -> Parse<Rare> {
        let mut writer = None;
        if self.peek_kind() == Kind::Ident {
            writer = Some(Name(self.next().data));
        }
        let parameters = self.parameter_map()?;
        Ok(Rare::Disk { writer, parameters, files: self.parameter_maps()? })
    }

    /// Parameter maps in braces, with commas between them.
    fn parameter_maps(&mut self) -> Parse<Vec<Parameters>> {
        self.skip_newlines();
        self.expect_head(Kind::LeftBrace)?;
        let mut maps = Vec::new();
        loop {
            self.skip_newlines();
            if self.accept(Kind::RightBrace) {
                return Ok(maps);
            }
            maps.push(self.parameter_map()?);
            self.skip_newlines();
            if self.peek_kind() != Kind::RightBrace {
                self.expect_head(Kind::Comma)?;
            }
        }
    }
}
