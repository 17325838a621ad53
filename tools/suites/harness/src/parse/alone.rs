//! Expressions and conditions outside of a suite, as debuggers take them.

use std::cell::RefCell;

use super::include::Includes;
use super::{Dialect, Parser, Place};
use crate::ast::{Expr, ExprKind};
use crate::files::MemoryFiles;
use crate::lexer::{Kind, lex};
use crate::source::Source;

/// Reads an expression or a condition. A word that the language does not know is a name (`ExprKind::Name`).
pub fn expression(text: &str) -> Result<Expr, String> {
    let source = Source::new("expression", text);
    let tokens = lex(source.text());
    let files = MemoryFiles::default();
    let includes = RefCell::new(Includes::new(&source));
    let attempt = |is_condition: bool| {
        let place = Place { source: &source, base: 0, tokens: &tokens };
        let mut parser = Parser::new(place, Dialect::Full, &files, &includes);
        parser.open_names = true;
        let parsed = match is_condition {
            true => parser.parse_condition(),
            false => parser.parse_value(),
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
            (_, message) => Err(message.unwrap_or_else(|| "this is no expression".to_string())),
        }
    };
    match attempt(false) {
        Ok(expr) if !matches!(expr.kind, ExprKind::Paren(_)) => Ok(expr),
        Ok(expr) => Ok(attempt(true).unwrap_or(expr)),
        Err(_) => attempt(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Register;

    #[test]
    fn values_conditions_and_names_are_read() {
        assert!(matches!(expression("a").expect("a register").kind, ExprKind::Register(Register::A)));
        assert!(matches!(expression("[score].w").expect("a word").kind, ExprKind::Read(..)));
        assert!(matches!(expression("COLS + 1").expect("a name").kind, ExprKind::Binary(..)));
        assert!(matches!(expression("a == 5 and x > 2").expect("a condition").kind, ExprKind::And(..)));
        assert!(matches!(expression("(x == 1)").expect("a condition").kind, ExprKind::Paren(_)));
        assert!(expression("a ==").is_err());
        assert!(expression("a 5").is_err());
        assert!(expression("").is_err());
    }
}
