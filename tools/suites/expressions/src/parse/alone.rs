//! Expressions and conditions outside of a suite, as debuggers take them.
//!
//! Besides the suites' language they have `label[3]` for the byte at `label + 3`, `(pointer),y` and `(pointer,x)` for the
//! bytes that these operands mean, names with dots, and `[label]` alone for the byte there.

use tempo_diagnostics::Span;

use super::{Dialect, Parse, Parser};
use crate::ast::{Binary, Expr, ExprKind, Register, Width};
use crate::lexer::{Kind, lex};

/// Whether the program has a name.
pub type Known<'a> = &'a dyn Fn(&str) -> bool;

/// Words of the language that a program may use as names: the program's name is meant then.
const SHADOWED: [&str; 8] = ["text", "bytes", "screen", "calls", "captured", "spy", "fen", "contains"];

/// Reads an expression or a condition. A word that the language does not know is a name (`ExprKind::Name`).
pub fn expression(text: &str, known: Known<'_>) -> Result<Expr, String> {
    let tokens = lex(text);
    let attempt = |is_condition: bool| {
        let mut parser = Parser::new(text, 0, &tokens, Dialect::Full);
        parser.open_names = true;
        parser.known = Some(known);
        let parsed = match is_condition {
            true => parser.parse_condition(),
            false => parser.parse_operand(),
        };
        let parsed = match parsed {
            Ok(expr) if parser.kind() == Kind::End => Some(expr),
            Ok(_) => {
                let _ = parser.unexpected("the end");
                None
            }
            Err(_) => None,
        };
        let message =
            parser.diagnostics.iter().find(|found| found.is_error()).map(|found| found.message.clone());
        match (parsed, message) {
            (Some(expr), None) => Ok(expr),
            (_, message) => Err(message.unwrap_or_else(|| "expected an expression".to_string())),
        }
    };
    let expr = match attempt(false) {
        Ok(expr) if !matches!(expr.kind, ExprKind::Paren(_)) => expr,
        Ok(expr) => attempt(true).unwrap_or(expr),
        Err(_) => attempt(true)?,
    };
    // `[label]` alone is the byte; a number or a name alone is itself.
    let is_bracketed = text[expr.span.start as usize..].starts_with('[');
    match expr.kind {
        ExprKind::Symbol(_) | ExprKind::Number(_) if is_bracketed => {
            Ok(Expr { span: expr.span, kind: ExprKind::PlaceRead(Box::new(expr)) })
        }
        _ => Ok(expr),
    }
}

impl Parser<'_> {
    /// A value with its read suffix, or an indirect operand: `(pointer),y`, `(pointer,x)`.
    fn parse_operand(&mut self) -> Parse<Expr> {
        let open = self.peek();
        if open.kind == Kind::OpenParen {
            let before = self.at;
            self.bump();
            if let Ok(pointer) = self.parse_expr()
                && let Some(operand) = self.parse_indirect(open.span, pointer)
            {
                return Ok(operand);
            }
            self.at = before;
            self.diagnostics.clear();
            self.last_error = None;
        }
        self.parse_value()
    }

    /// The rest of an indirect operand, if it is one and nothing follows it.
    fn parse_indirect(&mut self, start: Span, pointer: Expr) -> Option<Expr> {
        let rest = [self.kind(), self.kind_at(1), self.kind_at(2), self.kind_at(3)];
        let register = match rest {
            [Kind::CloseParen, Kind::Comma, Kind::Word, Kind::End] => Register::Y,
            [Kind::Comma, Kind::Word, Kind::CloseParen, Kind::End] => Register::X,
            _ => return None,
        };
        while !matches!(self.kind(), Kind::Word) {
            self.bump();
        }
        if Register::parse(self.word()) != Some(register) {
            return None;
        }
        let index = Expr { span: self.bump().span, kind: ExprKind::Register(register) };
        while self.kind() != Kind::End {
            self.bump();
        }
        let span = self.since(start);
        let make = |kind: ExprKind| Box::new(Expr { span, kind });
        let sum = |left: Box<Expr>| make(ExprKind::Binary(Binary::Add, left, Box::new(index)));
        let address = match register {
            Register::Y => sum(make(ExprKind::Read(Width::Word, Box::new(pointer)))),
            _ => make(ExprKind::Read(Width::Word, sum(Box::new(pointer)))),
        };
        Some(Expr { span, kind: ExprKind::Read(Width::Byte, address) })
    }

    /// Whether the current token is an array: a name or a number with `[` directly after it.
    pub(super) fn at_indexed(&self) -> bool {
        let token = self.peek();
        let is_base =
            matches!(token.kind, Kind::Word | Kind::Dotted | Kind::Integer | Kind::Hex | Kind::Binary);
        self.known.is_some()
            && is_base
            && self.kind_at(1) == Kind::OpenBracket
            && self.tokens[self.at + 1].span.start == token.span.end
    }

    /// `label[index]`: the byte there.
    pub(super) fn parse_indexed(&mut self) -> Parse<Expr> {
        let token = self.peek();
        let base = match token.kind {
            Kind::Word | Kind::Dotted => {
                self.bump();
                Expr { span: token.span, kind: ExprKind::Symbol(self.text_of(token).to_string()) }
            }
            _ => self.parse_number()?,
        };
        let opener = self.bump().span;
        let index = self.parse_expr()?;
        self.expect_close(Kind::CloseBracket, opener)?;
        let span = self.since(token.span);
        let address = ExprKind::Binary(Binary::Add, Box::new(base), Box::new(index));
        let kind = ExprKind::Read(Width::Byte, Box::new(Expr { span, kind: address }));
        Ok(Expr { span, kind })
    }

    /// Whether the program has a name that the language would read as a word.
    pub(super) fn is_shadowed(&self, word: &str) -> bool {
        SHADOWED.contains(&word) && self.has_program_name(word)
    }

    /// Whether the program has this name.
    pub(super) fn has_program_name(&self, name: &str) -> bool {
        self.known.is_some_and(|known| known(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ExprKind, String> {
        expression(text, &|name| matches!(name, "screen" | "screen.base" | "score")).map(|expr| expr.kind)
    }

    #[test]
    fn values_conditions_and_names_are_read() {
        assert!(matches!(parse("a"), Ok(ExprKind::Register(Register::A))));
        assert!(matches!(parse("[score].w"), Ok(ExprKind::Read(Width::Word, _))));
        assert!(matches!(parse("COLS + 1"), Ok(ExprKind::Binary(..))));
        assert!(matches!(parse("a == 5 and x > 2"), Ok(ExprKind::And(..))));
        assert!(matches!(parse("(x == 1)"), Ok(ExprKind::Paren(_))));
        assert!(parse("a ==").is_err());
        assert!(parse("a 5").is_err());
        assert!(parse("").is_err());
    }

    #[test]
    fn forms_of_debuggers_are_read() {
        assert!(matches!(parse("[score]"), Ok(ExprKind::PlaceRead(_))));
        assert!(matches!(parse("[$1000]"), Ok(ExprKind::PlaceRead(_))));
        assert!(matches!(parse("$1000"), Ok(ExprKind::Number(0x1000))));
        assert!(matches!(parse("screen"), Ok(ExprKind::Name(_))));
        assert!(matches!(parse("screen.base + 40"), Ok(ExprKind::Binary(..))));
        assert!(matches!(parse("score.w"), Ok(ExprKind::Read(Width::Word, _))));
        for text in ["score[1]", "score[y + 1]", "$0400[x]", "screen.base[2]", "(score),y", "($fb, X)"] {
            assert!(matches!(parse(text), Ok(ExprKind::Read(Width::Byte, _))), "{text}");
        }
        assert!(matches!(parse("score[1] == 5"), Ok(ExprKind::Compare(..))));
        assert!(parse("(score),x").is_err());
        assert!(parse("score[1").is_err());
    }
}
