//! Expressions and operands, by precedence climbing.

use super::{Parse, Parser};
use crate::codes::Code;
use crate::intern::Name;
use crate::lex::{Kind, Token};
use crate::names;
use crate::tree::*;
use crate::values::Value;
use tempo_diagnostics::Span;

/// Binding strength of the loosest operator a prefix `<` or `>` takes into its operand.
const BYTE_SELECTOR: u8 = 3;

fn binary_operator(kind: Kind) -> Option<(u8, Binary)> {
    Some(match kind {
        Kind::OrOr => (1, Binary::OrOr),
        Kind::AndAnd => (2, Binary::AndAnd),
        Kind::Or => (3, Binary::Or),
        Kind::Caret => (4, Binary::Xor),
        Kind::And => (5, Binary::And),
        Kind::Equal => (6, Binary::Equal),
        Kind::NotEqual => (6, Binary::NotEqual),
        Kind::Less => (7, Binary::Less),
        Kind::LessEqual => (7, Binary::LessEqual),
        Kind::Greater => (7, Binary::Greater),
        Kind::GreaterEqual => (7, Binary::GreaterEqual),
        Kind::ShiftLeft => (8, Binary::ShiftLeft),
        Kind::ShiftRight => (8, Binary::ShiftRight),
        Kind::Plus => (9, Binary::Add),
        Kind::Minus => (9, Binary::Subtract),
        Kind::Star => (10, Binary::Multiply),
        Kind::Slash => (10, Binary::Divide),
        _ => return None,
    })
}

/// A number or a name that is not a word of expressions.
#[inline]
fn number_or_name(token: Token) -> Option<Expr> {
    match token.kind {
        Kind::Int => Some(Expr::Number(token.data.into())),
        Kind::Ident if !names::is_expression_word(Name(token.data)) => {
            Some(Expr::Name { name: Name(token.data), is_root: false })
        }
        _ => None,
    }
}

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parse<ExprId> {
        if let Some(id) = self.plain() {
            return Ok(id);
        }
        self.enter_nesting()?;
        let left = self.unary()?;
        let result = self.expression_after(left)?;
        self.nesting -= 1;
        Ok(result)
    }

    /// A number or name that is all of the expression: what most of them are.
    #[inline]
    fn plain(&mut self) -> Option<ExprId> {
        let token = self.tokens[self.at];
        let expr = number_or_name(token)?;
        // Numbers and names are never last in the stream.
        let is_whole = matches!(
            self.tokens[self.at + 1].kind,
            Kind::Newline
                | Kind::Comma
                | Kind::RightParen
                | Kind::Semicolon
                | Kind::RightBrace
                | Kind::RightBracket
        );
        if !is_whole {
            return None;
        }
        self.at += 1;
        Some(self.push_expr(expr, token.span))
    }

    /// Continues an expression whose first operand is known.
    fn expression_after(&mut self, left: ExprId) -> Parse<ExprId> {
        let value = self.binary(left, 1)?;
        let span = self.peek().span;
        let op = match self.peek_kind() {
            Kind::Question => return self.ternary(value),
            Kind::Assign => None,
            Kind::PlusAssign => Some(Binary::Add),
            Kind::MinusAssign => Some(Binary::Subtract),
            Kind::StarAssign => Some(Binary::Multiply),
            Kind::SlashAssign => Some(Binary::Divide),
            _ => return Ok(value),
        };
        if !self.is_target(value) {
            return self.unexpected();
        }
        self.next();
        let right = self.expression()?;
        Ok(self.push_expr(Expr::Assign { op, target: value, value: right }, span))
    }

    fn ternary(&mut self, condition: ExprId) -> Parse<ExprId> {
        let span = self.next().span;
        let yes = self.expression()?;
        self.expect(Kind::Colon)?;
        let no = self.expression()?;
        let branches = self.push_list(&[yes, no]).start;
        Ok(self.push_expr(Expr::Ternary { condition, branches }, span))
    }

    fn is_target(&self, expr: ExprId) -> bool {
        matches!(self.tree.exprs[expr], Expr::Name { .. } | Expr::Member { .. })
    }

    fn binary(&mut self, mut left: ExprId, min: u8) -> Parse<ExprId> {
        while let Some((strength, op)) = binary_operator(self.peek_kind()) {
            if strength < min {
                break;
            }
            self.enter_chain()?;
            let span = self.next().span;
            let operand = self.unary()?;
            let right = self.binary(operand, strength + 1)?;
            left = match self.folded(op, left, right) {
                Some(number) => {
                    self.tree.exprs.pop();
                    self.tree.exprs[left] = Expr::Number(number);
                    self.tree.expr_spans.pop();
                    self.tree.expr_spans[left] = span;
                    left
                }
                None => self.push_expr(Expr::Binary { op, left, right }, span),
            };
        }
        Ok(left)
    }

    /// The sum and so on of two numbers that were just read.
    fn folded(&self, op: Binary, left: ExprId, right: ExprId) -> Option<Literal> {
        if right.0 != left.0 + 1 {
            return None;
        }
        match *self.tree.exprs.range(left..self.tree.exprs.next_id()) {
            [Expr::Number(a), Expr::Number(b)] => {
                let value = crate::eval::arithmetic(op, a.get(), b.get());
                if let Value::Number(number) = value { Some(number.into()) } else { None }
            }
            _ => None,
        }
    }

    fn unary(&mut self) -> Parse<ExprId> {
        let token = self.peek();
        let op = match token.kind {
            Kind::Minus => Unary::Negate,
            Kind::Tilde => Unary::Complement,
            Kind::Bang => Unary::Not,
            Kind::Less => Unary::Low,
            Kind::Greater => Unary::High,
            _ => return self.primary(),
        };
        self.enter_nesting()?;
        self.next();
        let mut operand = self.unary()?;
        if matches!(op, Unary::Low | Unary::High) {
            // Everything up to `&&`, `?`, `:`, `,` or a closing bracket belongs to it.
            operand = self.binary(operand, BYTE_SELECTOR)?;
        }
        self.nesting -= 1;
        Ok(self.push_expr(Expr::Unary { op, operand }, token.span))
    }

    /// A number or name that nothing hangs on.
    #[inline]
    fn leaf(&mut self) -> Option<ExprId> {
        let token = self.tokens[self.at];
        let expr = number_or_name(token)?;
        // Numbers and names are never last in the stream.
        match self.tokens[self.at + 1].kind {
            Kind::LeftParen
            | Kind::LeftBracket
            | Kind::DotIdent
            | Kind::Dot
            | Kind::PlusPlus
            | Kind::MinusMinus => None,
            _ => {
                self.at += 1;
                Some(self.push_expr(expr, token.span))
            }
        }
    }

    fn primary(&mut self) -> Parse<ExprId> {
        if let Some(id) = self.leaf() {
            return Ok(id);
        }
        let token = self.peek();
        let expr = match token.kind {
            Kind::Int => Expr::Number(token.data.into()),
            Kind::Number => Expr::Number(self.lexer.out.numbers[token.data as usize].into()),
            Kind::Ident => {
                let name = Name(token.data);
                match name {
                    names::TRUE => Expr::Bool(true),
                    names::FALSE => Expr::Bool(false),
                    names::NULL => Expr::Null,
                    names::VAR | names::CONST => return self.unexpected(),
                    _ => {
                        self.next();
                        return self.named(name, token.span, false);
                    }
                }
            }
            Kind::String => Expr::String(token.data),
            Kind::Char => Expr::Char(char::from_u32(token.data).unwrap_or('\0')),
            Kind::Star => Expr::Pc,
            Kind::StarAssign if self.peek_at(1).kind == Kind::Assign && self.peek_at(1).glued => {
                // `*==x` is the program counter compared.
                self.tokens[self.at + 1].kind = Kind::Equal;
                Expr::Pc
            }
            Kind::MultiRef => Expr::MultiRef(token.data),
            Kind::At => {
                let name = self.peek_at(1);
                if name.kind != Kind::Ident {
                    return self.unexpected();
                }
                self.at += 2;
                return self.named(Name(name.data), name.span, true);
            }
            Kind::LeftParen | Kind::LeftBracket => {
                self.next();
                let inner = self.expression()?;
                let closer =
                    if token.kind == Kind::LeftParen { Kind::RightParen } else { Kind::RightBracket };
                self.expect(closer)?;
                return self.postfix(inner);
            }
            _ => return self.unexpected(),
        };
        self.next();
        let id = self.push_expr(expr, token.span);
        self.postfix(id)
    }

    fn named(&mut self, name: Name, span: Span, is_root: bool) -> Parse<ExprId> {
        let id = if self.peek_kind() == Kind::LeftParen {
            let (arguments, len) = self.arguments(None)?;
            self.push_expr(Expr::Call { name, arguments, len, is_root }, span)
        } else {
            self.push_expr(Expr::Name { name, is_root }, span)
        };
        self.postfix(id)
    }

    /// `( expr, … )` as a list that begins with the receiver, if there is one.
    fn arguments(&mut self, receiver: Option<ExprId>) -> Parse<(u32, u16)> {
        self.expect(Kind::LeftParen)?;
        let base = self.pending.len();
        self.pending.extend(receiver);
        if !self.accept(Kind::RightParen) {
            loop {
                let chain = self.chain;
                let id = self.expression()?;
                self.pending.push(id);
                // Arguments hang side by side, not one below the other.
                self.chain = chain;
                if !self.accept(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::RightParen)?;
        }
        let list = self.take_pending(base);
        match u16::try_from(list.len) {
            Ok(len) => Ok((list.start, len)),
            Err(_) => self.fail(Code::TooManyOperands, self.peek().span, "More than 65535 arguments"),
        }
    }

    fn postfix(&mut self, mut base: ExprId) -> Parse<ExprId> {
        loop {
            let token = self.peek();
            match token.kind {
                Kind::DotIdent => {
                    self.next();
                    // The position is that of the name, after the dot.
                    let name = Span { start: token.span.start + 1, ..token.span };
                    base = self.member(base, Name(token.data), name)?;
                }
                Kind::Dot => {
                    self.next();
                    let name = self.expect(Kind::Ident)?;
                    base = self.member(base, Name(name.data), name.span)?;
                }
                Kind::LeftBracket => {
                    let span = self.tree.expr_spans[base];
                    self.next();
                    let index = self.expression()?;
                    self.expect(Kind::RightBracket)?;
                    base = self.push_expr(Expr::Index { base, index }, span);
                }
                Kind::PlusPlus | Kind::MinusMinus => {
                    if !self.is_target(base) {
                        return self.unexpected();
                    }
                    self.next();
                    let op = if token.kind == Kind::PlusPlus { Binary::Add } else { Binary::Subtract };
                    base = self.push_expr(Expr::Step { op, target: base }, token.span);
                }
                _ => return Ok(base),
            }
        }
    }

    fn member(&mut self, base: ExprId, name: Name, span: Span) -> Parse<ExprId> {
        self.enter_chain()?;
        if self.peek_kind() == Kind::LeftParen {
            let (arguments, len) = self.arguments(Some(base))?;
            Ok(self.push_expr(Expr::Method { name, arguments, len }, span))
        } else {
            Ok(self.push_expr(Expr::Member { base, name }, span))
        }
    }

    /// An expression that may also be `var x = e` or `const x = e`.
    pub(super) fn declaration_or_expression(&mut self) -> Parse<ExprId> {
        let token = self.peek();
        let kind = match (token.kind, Name(token.data)) {
            (Kind::Ident, names::VAR) => SymbolKind::Variable,
            (Kind::Ident, names::CONST) => SymbolKind::Constant,
            _ => return self.expression(),
        };
        if self.peek_at(1).kind != Kind::Ident && self.peek_at(1).kind != Kind::At {
            return self.expression();
        }
        self.next();
        let scope = self.declaration_scope();
        let (name, span) = self.expect_name()?;
        let value =
            if self.accept(Kind::Assign) { self.expression()? } else { self.push_expr(Expr::Null, span) };
        let symbol = self.declare(name, kind, scope, span);
        self.declared_by_now(symbol);
        Ok(self.push_expr(Expr::Declare { symbol, value }, span))
    }

    pub(super) fn expression_list(&mut self) -> Parse<List> {
        let base = self.pending.len();
        let first = self.expression()?;
        self.pending.push(first);
        while self.accept(Kind::Comma) {
            self.chain = 0;
            let next = self.expression()?;
            self.pending.push(next);
        }
        Ok(self.take_pending(base))
    }

    // --- operands

    /// An operand; `is_end` tells which tokens may follow it.
    pub(super) fn operand(&mut self, is_end: fn(&Parser<'_>) -> bool) -> Parse<(Form, ExprId)> {
        if let Some(operand) = self.plain_operand(0) {
            return Ok(operand);
        }
        if is_end(self) {
            return Ok((Form::None, ExprId::NONE));
        }
        let (form, expr) = match self.peek_kind() {
            Kind::Hash => {
                self.next();
                let value = self.expression()?;
                if self.is_wide() && self.peek_kind() == Kind::Comma {
                    self.test(value)?
                } else {
                    (Form::Immediate, value)
                }
            }
            Kind::LeftParen => self.parenthesised(is_end)?,
            _ => {
                let value = self.expression()?;
                self.indexed(value, is_end)?
            }
        };
        if form == Form::Pair && self.peek_kind() == Kind::Comma {
            return self.end_extra().map(|()| (form, expr));
        }
        if !is_end(self) {
            return self.unexpected();
        }
        Ok((form, expr))
    }

    /// A number or name, perhaps immediate or indexed, `#<name`, `name+1` or `(name),y`, up to the end of the line: what
    /// most operands are. It begins some tokens ahead.
    #[inline(always)]
    pub(super) fn plain_operand(&mut self, ahead: usize) -> Option<(Form, ExprId)> {
        let start = self.at + ahead;
        let &[first, second, third, fourth, fifth, sixth] = self.tokens.get(start..)?.first_chunk::<6>()?;
        let is_last = |token: Token| token.kind == Kind::Newline;
        let (token, form, len) = match (first.kind, second.kind) {
            (Kind::Hash, Kind::Less | Kind::Greater) if is_last(fourth) => {
                let op = if second.kind == Kind::Less { Unary::Low } else { Unary::High };
                let operand = number_or_name(third)?;
                self.at = start + 3;
                let operand = self.push_expr(operand, third.span);
                return Some((Form::Immediate, self.push_expr(Expr::Unary { op, operand }, second.span)));
            }
            (Kind::Ident, Kind::Plus | Kind::Minus) if third.kind == Kind::Int && is_last(fourth) => {
                let op = if second.kind == Kind::Plus { Binary::Add } else { Binary::Subtract };
                let left = number_or_name(first)?;
                self.at = start + 3;
                let left = self.push_expr(left, first.span);
                let right = self.push_expr(Expr::Number(third.data.into()), third.span);
                return Some((Form::Plain, self.push_expr(Expr::Binary { op, left, right }, second.span)));
            }
            // A parenthesis that touches a name is that of a call.
            (Kind::LeftParen, _)
                if !first.glued
                    && third.kind == Kind::RightParen
                    && fourth.kind == Kind::Comma
                    && is_last(sixth)
                    && register(fifth) == Some(names::Y) =>
            {
                (second, Form::IndirectY, 5)
            }
            (Kind::Hash, _) if is_last(third) => (second, Form::Immediate, 2),
            (_, Kind::Newline) => (first, Form::Plain, 1),
            (_, Kind::Comma) if is_last(fourth) => match register(third)? {
                names::X => (first, Form::PlainX, 3),
                _ => (first, Form::PlainY, 3),
            },
            _ => return None,
        };
        let expr = number_or_name(token)?;
        self.at = start + len;
        Some((form, self.push_expr(expr, token.span)))
    }

    /// An operand that starts with a parenthesis. Only a pair around all of it means indirection.
    fn parenthesised(&mut self, is_end: fn(&Parser<'_>) -> bool) -> Parse<(Form, ExprId)> {
        let is_far = self.is_wide() && self.has_second_pair();
        let start = self.next().span.start;
        let inner = self.expression()?;
        if self.is_wide()
            && self.peek_kind() == Kind::Comma
            && self.is_name(1, [names::SP, names::UPPER_SP])
            && self.peek_at(2).kind == Kind::RightParen
            && self.peek_at(3).kind == Kind::Comma
            && self.register(4) == Some(names::Y)
        {
            self.at += 5;
            return Ok((Form::StackIndirectY, inner));
        }
        if self.peek_kind() == Kind::Comma
            && self.register(1) == Some(names::X)
            && self.peek_at(2).kind == Kind::RightParen
        {
            self.at += 3;
            return Ok((Form::IndirectX, inner));
        }
        self.expect(Kind::RightParen)?;
        if is_end(self) {
            return Ok((if is_far { Form::FarIndirect } else { Form::Indirect }, inner));
        }
        if self.peek_kind() == Kind::Comma {
            if self.is_wide() && self.is_name(1, [names::Z, names::UPPER_Z]) {
                self.at += 2;
                return Ok((if is_far { Form::FarIndirectZ } else { Form::IndirectZ }, inner));
            }
            match self.register(1) {
                Some(names::Y) => {
                    self.at += 2;
                    return Ok((Form::IndirectY, inner));
                }
                Some(_) => {
                    let end = self.peek_at(1).span.end;
                    self.tree.parenthesised_x.push((Span { start, end }, inner));
                    self.at += 2;
                    return Ok((Form::PlainX, inner));
                }
                None => return self.indexed(inner, is_end),
            }
        }
        let first = self.postfix(inner)?;
        let value = self.expression_after(first)?;
        self.indexed(value, is_end)
    }

    fn indexed(&mut self, value: ExprId, is_end: fn(&Parser<'_>) -> bool) -> Parse<(Form, ExprId)> {
        if self.peek_kind() != Kind::Comma {
            return Ok((Form::Plain, value));
        }
        if let Some(register) = self.register(1) {
            self.at += 2;
            if is_end(self) {
                return Ok((if register == names::X { Form::PlainX } else { Form::PlainY }, value));
            }
            self.at -= 2;
        }
        let span = self.next().span;
        let second = self.expression()?;
        if self.is_wide() && self.peek_kind() == Kind::Comma {
            let comma = self.next().span;
            let third = self.expression()?;
            let rest = self.push_expr(Expr::Pair { first: second, second: third }, comma);
            return Ok((Form::Triple, self.push_expr(Expr::Pair { first: value, second: rest }, span)));
        }
        Ok((Form::Pair, self.push_expr(Expr::Pair { first: value, second }, span)))
    }

    /// The rest of `#number,address` and `#number,address,x`.
    fn test(&mut self, number: ExprId) -> Parse<(Form, ExprId)> {
        let span = self.next().span;
        let address = self.expression()?;
        let is_indexed = self.peek_kind() == Kind::Comma && self.register(1) == Some(names::X);
        if is_indexed {
            self.at += 2;
        }
        let form = if is_indexed { Form::TestX } else { Form::Test };
        Ok((form, self.push_expr(Expr::Pair { first: address, second: number }, span)))
    }

    /// Whether the CPU is one of those with more forms of operands than the 65C02.
    #[inline]
    fn is_wide(&self) -> bool {
        self.cpu.has_wide_operands()
    }

    /// Whether the parenthesis here has another pair around all that is in it.
    fn has_second_pair(&self) -> bool {
        if self.peek_at(1).kind != Kind::LeftParen {
            return false;
        }
        let mut depth = 0u32;
        for (at, token) in self.tokens[self.at..].iter().enumerate() {
            match token.kind {
                Kind::LeftParen => depth += 1,
                Kind::RightParen => {
                    depth -= 1;
                    if depth < 2 {
                        return depth == 1 && self.peek_at(at + 1).kind == Kind::RightParen;
                    }
                }
                Kind::Newline => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether the token some places ahead is one of these names.
    fn is_name(&self, ahead: usize, names: [Name; 2]) -> bool {
        let token = self.peek_at(ahead);
        token.kind == Kind::Ident && names.contains(&Name(token.data))
    }

    /// The register `x` or `y` some tokens ahead.
    fn register(&self, ahead: usize) -> Option<Name> {
        register(self.peek_at(ahead))
    }
}

/// The register `x` or `y` that a token is.
#[inline]
fn register(token: Token) -> Option<Name> {
    match (token.kind, Name(token.data)) {
        (Kind::Ident, names::X | names::UPPER_X) => Some(names::X),
        (Kind::Ident, names::Y | names::UPPER_Y) => Some(names::Y),
        _ => None,
    }
}
