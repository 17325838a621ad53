//! Brackets are paired while the text is read, so that the parser finds an end for each one it enters.

use super::{Kind, Lexer, Stage, Unclosed};
use crate::codes::Code;
use crate::report::Report;
use tempo_diagnostics::Span;

/// How many brackets may be open at once: far more than the parser takes, far fewer than a hostile file has.
const MAX_OPEN: usize = 100_000;

/// A bracket that waits for its partner.
pub(super) struct Open {
    pub closer: Kind,
    pub span: Span,
    /// Its number in the stream.
    pub index: u64,
}

impl Lexer<'_> {
    /// Pairs a bracket that was read. Returns the token it is: one without a beginning is none of a statement.
    pub(super) fn bracket(&mut self, open: &mut Vec<Open>, kind: Kind, span: Span, index: u64) -> Kind {
        let closer = match kind {
            Kind::LeftBrace => Kind::RightBrace,
            Kind::LeftParen => Kind::RightParen,
            Kind::LeftBracket => Kind::RightBracket,
            _ => return self.close(open, kind, span, index),
        };
        open.push(Open { closer, span, index });
        if open.len() > MAX_OPEN {
            // Each of them would be reported as well, and what the parser says about them.
            open.clear();
            self.is_too_deep = true;
            self.out.unclosed.push(Unclosed { unit: self.unit, start: 0, end: u64::MAX });
            self.report(Code::NestingTooDeep, span, format!("More than {MAX_OPEN} levels of nesting"));
        }
        kind
    }

    fn close(&mut self, open: &mut Vec<Open>, kind: Kind, span: Span, index: u64) -> Kind {
        // Brackets opened inside a pair that ends here have no end of their own.
        match open.iter().rposition(|open| open.closer == kind) {
            Some(partner) => {
                for unclosed in open.drain(partner..).skip(1) {
                    self.unclosed(&unclosed, index);
                }
                kind
            }
            None => {
                self.unbalanced(span, index, "Missing start token");
                Kind::Stray
            }
        }
    }

    /// A bracket has no end up to a place of the stream.
    pub(super) fn unclosed(&mut self, open: &Open, end: u64) {
        self.unbalanced(open.span, end, "Missing end token");
        self.out.unclosed.push(Unclosed { unit: self.unit, start: open.index, end });
    }

    fn unbalanced(&mut self, span: Span, index: u64, message: &str) {
        self.out.is_balanced = false;
        // A file of brackets has one fault per bracket; those past the limit are not reported.
        if self.out.reports.len() <= self.options.limits.errors {
            let report = Report::error(Code::UnbalancedBracket, span, message);
            self.found_at(Stage::Parsing, index, report);
        }
    }
}
