//! Expressions and conditions: precedence climbing over one table of levels.

use tempo_diagnostics::{Severity, Span, nearest};

use super::{Dialect, Parse, Parser, Reported};
use crate::ast::{
    BackendStep, Beam, Binary, Board, Compare, Encoding, Expr, ExprKind, Flag, Half, Range, Register, Set,
    Width,
};
use crate::diag::{Code, Diagnostic};
use crate::lexer::{Kind, Token};
use crate::words;

/// Binary operators, loosest level first. Within a level they group to the left.
const LEVELS: &[&[(Kind, Binary)]] = &[
    &[(Kind::Bar, Binary::Or)],
    &[(Kind::Caret, Binary::Xor)],
    &[(Kind::Ampersand, Binary::And)],
    &[(Kind::ShiftLeft, Binary::ShiftLeft), (Kind::ShiftRight, Binary::ShiftRight)],
    &[(Kind::Plus, Binary::Add), (Kind::Minus, Binary::Subtract)],
    &[(Kind::Star, Binary::Multiply), (Kind::Slash, Binary::Divide), (Kind::Percent, Binary::Modulo)],
];

/// sim6502 gives every operator its own level.
const BASE_LEVELS: &[&[(Kind, Binary)]] = &[
    &[(Kind::Bar, Binary::Or)],
    &[(Kind::Caret, Binary::Xor)],
    &[(Kind::Ampersand, Binary::And)],
    &[(Kind::Minus, Binary::Subtract)],
    &[(Kind::Plus, Binary::Add)],
    &[(Kind::Slash, Binary::Divide)],
    &[(Kind::Star, Binary::Multiply)],
];

impl Parser<'_> {
    /// A condition as it is in `assert`.
    pub fn parse_condition(&mut self) -> Parse<Expr> {
        let outer = std::mem::replace(&mut self.in_condition, true);
        let result = self.parse_or();
        self.in_condition = outer;
        result
    }

    /// A value with its read suffix.
    pub fn parse_value(&mut self) -> Parse<Expr> {
        let value = self.parse_expr()?;
        Ok(self.parse_read_suffix(value, false))
    }

    fn parse_or(&mut self) -> Parse<Expr> {
        self.enter()?;
        let result = self.parse_or_inner();
        self.leave();
        result
    }

    fn parse_or_inner(&mut self) -> Parse<Expr> {
        let mut left = self.parse_and()?;
        while self.is_word("or") {
            self.count_operator()?;
            let operator = self.bump();
            self.ours(operator.span, "`or`");
            let right = self.parse_and()?;
            let span = left.span.to(right.span);
            left = Expr { span, kind: ExprKind::Or(Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn parse_and(&mut self) -> Parse<Expr> {
        let mut left = self.parse_not()?;
        while self.is_word("and") {
            self.count_operator()?;
            let operator = self.bump();
            self.ours(operator.span, "`and`");
            let right = self.parse_not()?;
            let span = left.span.to(right.span);
            left = Expr { span, kind: ExprKind::And(Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    fn parse_not(&mut self) -> Parse<Expr> {
        if !self.is_word("not") {
            return self.parse_comparison();
        }
        let operator = self.bump();
        self.ours(operator.span, "`not`");
        self.enter()?;
        let inner = self.parse_not();
        self.leave();
        let inner = inner?;
        Ok(Expr { span: operator.span.to(inner.span), kind: ExprKind::Not(Box::new(inner)) })
    }

    fn parse_comparison(&mut self) -> Parse<Expr> {
        let left = self.parse_expr()?;
        let left = self.parse_read_suffix(left, false);
        if let Some(operator) = self.accept_comparison() {
            let plain = matches!(left.kind, ExprKind::Register(_) | ExprKind::Flag(_) | ExprKind::Cycles);
            if !plain {
                self.check_base_operand(&left);
            }
            let right = self.parse_right_side()?;
            if let ExprKind::Register(_) | ExprKind::Flag(_) = right.kind {
                self.ours(right.span, "a register on the right of a comparison");
            } else {
                self.check_base_operand(&right);
            }
            if comparison_at(self.kind()).is_some() {
                let span = self.peek().span;
                return Err(self.report(
                    Diagnostic::error(Code::Syntax, span, "a comparison cannot be compared again")
                        .help("join two comparisons with `and`"),
                ));
            }
            let span = left.span.to(right.span);
            let left = implied_read(left, &right);
            return Ok(Expr { span, kind: ExprKind::Compare(operator, Box::new(left), Box::new(right)) });
        }
        if self.is_word("contains") {
            let operator = self.bump();
            self.ours(operator.span, "`contains`");
            if !matches!(left.kind, ExprKind::Screen(_)) {
                return Err(self.report(
                    Diagnostic::error(Code::Syntax, left.span, "only the screen can be searched for a text")
                        .help("`screen() contains \"READY.\"`, or `screen(3) contains …` for one row"),
                ));
            }
            let right = self.parse_right_side()?;
            let span = left.span.to(right.span);
            return Ok(Expr { span, kind: ExprKind::Contains(Box::new(left), Box::new(right)) });
        }
        if self.is_word("in") || (self.is_word("not") && self.word_ahead(1) == Some("in")) {
            let negated = self.accept_word("not");
            let operator = self.bump();
            self.ours(operator.span, "`in`");
            let set = self.parse_set()?;
            let span = left.span.to(self.last_span());
            let value = if left.is_place() {
                Expr { span: left.span, kind: ExprKind::PlaceRead(Box::new(left)) }
            } else {
                left
            };
            return Ok(Expr { span, kind: ExprKind::In { value: Box::new(value), set, negated } });
        }
        self.lone_condition(left)
    }

    /// Something that is true or false without being compared.
    fn lone_condition(&mut self, value: Expr) -> Parse<Expr> {
        match &value.kind {
            ExprKind::MemChk(_) | ExprKind::MemCmp(_) | ExprKind::Backend(_) => return Ok(value),
            ExprKind::Flag(_) | ExprKind::Bool(_) => {
                self.ours(value.span, "a condition without a comparison");
                return Ok(value);
            }
            ExprKind::Paren(inner) if is_truth(inner) => {
                self.ours(value.span, "a condition in brackets");
                return Ok(value);
            }
            _ => {}
        }
        // Inside brackets a plain value is fine: `([tab] + 2).b == 5`.
        if self.depth > 1 && self.kind() == Kind::CloseParen {
            return Ok(value);
        }
        if self.kind() == Kind::Assign {
            let span = self.peek().span;
            return Err(self.report(
                Diagnostic::error(Code::Syntax, span, "`=` stores, it does not compare")
                    .help("write `==` to compare two values"),
            ));
        }
        if self.kind() == Kind::Binary {
            let span = self.peek().span;
            return Err(self.report(
                Diagnostic::error(Code::Syntax, span, "expected a comparison, found a binary number")
                    .help("`%` before 0 or 1 starts a binary number; for the remainder write `% 10`"),
            ));
        }
        if matches!(self.kind(), Kind::Comma | Kind::CloseParen) {
            let found = self.found();
            let span = self.peek().span;
            return Err(self.report(
                Diagnostic::error(
                    Code::Syntax,
                    span,
                    format!("expected a comparison such as `==`, found {found}"),
                )
                .help("an assertion compares two values: `assert(a == 1, \"text\")`"),
            ));
        }
        Err(self.unexpected("a comparison such as `==`"))
    }

    fn word_ahead(&self, ahead: usize) -> Option<&str> {
        let token = self.tokens.get(self.at + ahead)?;
        (token.kind == Kind::Word).then(|| self.text_of(*token))
    }

    /// In the base language registers, flags and `cycles` are written alone on the left of a comparison.
    pub fn check_base_operand(&mut self, operand: &Expr) {
        if self.dialect != Dialect::Base {
            return;
        }
        let mut found = None;
        operand.walk(&mut |inner| {
            if matches!(inner.kind, ExprKind::Register(_) | ExprKind::Flag(_) | ExprKind::Cycles) {
                found.get_or_insert(inner.span);
            }
        });
        if let Some(span) = found {
            self.ours(span, "a register, flag or `cycles` inside an expression");
        }
    }

    fn parse_right_side(&mut self) -> Parse<Expr> {
        if self.kind() == Kind::String {
            let text = self.expect_text("a text")?;
            self.ours(text.span, "comparing with a text");
            return Ok(Expr { span: text.span, kind: ExprKind::Text(text.value) });
        }
        let right = self.parse_expr()?;
        Ok(self.parse_read_suffix(right, true))
    }

    /// `.b`, `.w`, `.lw` after a whole expression.
    fn parse_read_suffix(&mut self, value: Expr, right_side: bool) -> Expr {
        if self.kind() != Kind::Member {
            return value;
        }
        let width = match self.word() {
            ".b" | ".B" => Width::Byte,
            ".w" | ".W" => Width::Word,
            ".lw" | ".LW" => Width::Long,
            _ => return value,
        };
        let token = self.bump();
        if width == Width::Long || right_side {
            self.ours(token.span, "this read");
        }
        Expr { span: value.span.to(token.span), kind: ExprKind::Read(width, Box::new(value)) }
    }

    fn accept_comparison(&mut self) -> Option<Compare> {
        let operator = comparison_at(self.kind())?;
        self.bump();
        Some(operator)
    }

    /// `1..8` or `(2, 4, 6)`.
    pub fn parse_set(&mut self) -> Parse<Set> {
        if self.kind() == Kind::OpenParen {
            let opener = self.bump().span;
            let first = self.parse_expr()?;
            if self.kind() == Kind::DotDot {
                self.bump();
                let last = self.parse_expr()?;
                self.expect_close(Kind::CloseParen, opener)?;
                return Ok(Set::Range(Box::new(first), Box::new(last)));
            }
            let mut list = vec![first];
            while self.accept(Kind::Comma) {
                list.push(self.parse_expr()?);
            }
            self.expect_close(Kind::CloseParen, opener)?;
            return Ok(Set::List(list));
        }
        let first = self.parse_expr()?;
        self.expect(Kind::DotDot)?;
        let last = self.parse_expr()?;
        Ok(Set::Range(Box::new(first), Box::new(last)))
    }

    /// `a..b` or a lone place.
    pub fn parse_range(&mut self) -> Parse<Range> {
        let start = self.parse_expr()?;
        let end = if self.accept(Kind::DotDot) { Some(self.parse_expr()?) } else { None };
        let span = self.since(start.span);
        Ok(Range { span, start, end })
    }

    /// An arithmetic expression.
    pub fn parse_expr(&mut self) -> Parse<Expr> {
        self.parse_level(0)
    }

    fn parse_level(&mut self, level: usize) -> Parse<Expr> {
        let levels = match self.dialect {
            Dialect::Full => LEVELS,
            Dialect::Base => BASE_LEVELS,
        };
        let Some(operators) = levels.get(level) else { return self.parse_unary() };
        let mut left = self.parse_level(level + 1)?;
        // The operators already seen on this level, for the note about sim6502's grouping.
        let mut seen: Vec<Binary> = Vec::new();
        while let Some(&(_, operator)) = operators.iter().find(|(kind, _)| *kind == self.kind()) {
            self.count_operator()?;
            let token = self.bump();
            if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight | Binary::Modulo) {
                self.ours(token.span, "this operator");
            }
            let right = self.parse_level(level + 1)?;
            let span = left.span.to(right.span);
            self.note_mixed(span, &seen, operator);
            seen.push(operator);
            left = Expr { span, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) };
        }
        Ok(left)
    }

    /// `10 - 2 + 3` and `8 / 2 * 4` mean something else to sim6502.
    fn note_mixed(&mut self, span: Span, seen: &[Binary], operator: Binary) {
        let (earlier, name) = match operator {
            Binary::Add => (Binary::Subtract, "`-` and `+`"),
            Binary::Multiply => (Binary::Divide, "`/` and `*`"),
            _ => return,
        };
        if seen.contains(&earlier) {
            self.report(
                Diagnostic::new(
                    Severity::Note,
                    Code::Syntax,
                    span,
                    format!("{name} without parentheses are evaluated from left to right here"),
                )
                .help("sim6502 groups this differently; add parentheses"),
            );
        }
    }

    fn parse_unary(&mut self) -> Parse<Expr> {
        let token = self.peek();
        let half = match token.kind {
            Kind::Less => Some(Half::Low),
            Kind::Greater => Some(Half::High),
            _ => None,
        };
        if let Some(half) = half {
            self.bump();
            if self.dialect == Dialect::Base {
                let suffix = if half == Half::Low { ".l" } else { ".h" };
                self.report(
                    Diagnostic::error(
                        Code::Syntax,
                        token.span,
                        "`<` and `>` before a value are not part of the base language",
                    )
                    .help(format!("write `{suffix}` after the name")),
                );
            }
            let inner = self.parse_nested_unary()?;
            return Ok(Expr { span: token.span.to(inner.span), kind: ExprKind::Half(half, Box::new(inner)) });
        }
        if token.kind == Kind::Minus {
            self.bump();
            self.ours(token.span, "a leading minus");
            let inner = self.parse_nested_unary()?;
            return Ok(Expr { span: token.span.to(inner.span), kind: ExprKind::Negate(Box::new(inner)) });
        }
        let value = self.parse_primary()?;
        self.parse_half_suffix(value)
    }

    fn parse_nested_unary(&mut self) -> Parse<Expr> {
        self.enter()?;
        let result = self.parse_unary();
        self.leave();
        result
    }

    fn parse_half_suffix(&mut self, value: Expr) -> Parse<Expr> {
        if self.kind() != Kind::Member {
            return Ok(value);
        }
        let half = match self.word() {
            ".l" => Half::Low,
            ".h" => Half::High,
            ".L" => Half::UpperLow,
            ".H" => Half::UpperHigh,
            _ => return Ok(value),
        };
        let token = self.bump();
        if !value.is_place() {
            self.ours(token.span, "a half of anything but a number or a name");
        }
        Ok(Expr { span: value.span.to(token.span), kind: ExprKind::Half(half, Box::new(value)) })
    }

    fn parse_primary(&mut self) -> Parse<Expr> {
        let token = self.peek();
        if self.at_indexed() {
            return self.parse_indexed();
        }
        match token.kind {
            Kind::Integer | Kind::Hex | Kind::Binary => self.parse_number(),
            Kind::Part => {
                self.bump();
                Err(self.report(
                    Diagnostic::error(
                        Code::Syntax,
                        token.span,
                        format!("`{}` is a part number, not a value", self.text_of(token)),
                    )
                    .help("part numbers belong in `processor(…)`"),
                ))
            }
            Kind::OpenBracket => self.parse_symbol(),
            Kind::OpenParen => {
                self.enter()?;
                let result = self.parse_paren();
                self.leave();
                result
            }
            Kind::Word => self.parse_word_value(),
            Kind::Dotted => self.parse_dotted_value(),
            Kind::String => {
                let text = self.expect_text("a text")?;
                self.ours(text.span, "a text as a value");
                Ok(Expr { span: text.span, kind: ExprKind::Text(text.value) })
            }
            _ => Err(self.foreign_operator(token).unwrap_or_else(|| self.unexpected("a value"))),
        }
    }

    /// `&&`, `||` and `!` of other languages, which are words here.
    fn foreign_operator(&mut self, token: Token) -> Option<Reported> {
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let twice = before.filter(|before| before.kind == token.kind && before.span.end == token.span.start);
        let (span, word) = match (token.kind, twice) {
            (Kind::Ampersand, Some(first)) => (first.span.to(token.span), "and"),
            (Kind::Bar, Some(first)) => (first.span.to(token.span), "or"),
            (Kind::Unknown, _) if self.text_of(token) == "!" => (token.span, "not"),
            _ => return None,
        };
        let message = format!("`{}` is not an operator here", self.text_between(span.start, span.end));
        Some(self.report(Diagnostic::error(Code::Syntax, span, message).help(format!("write `{word}`"))))
    }

    fn parse_paren(&mut self) -> Parse<Expr> {
        let opener = self.bump().span;
        let inner = if self.in_condition { self.parse_or()? } else { self.parse_expr()? };
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(Expr { span: self.since(opener), kind: ExprKind::Paren(Box::new(inner)) })
    }

    /// A number of any spelling. `6502` and `6510` are numbers here unless the base language forbids it.
    pub fn parse_number(&mut self) -> Parse<Expr> {
        let token = self.bump();
        let text = self.text_of(token);
        if self.dialect == Dialect::Base && matches!(text, "6502" | "6510") {
            return Err(self.report(
                Diagnostic::error(
                    Code::Syntax,
                    token.span,
                    format!("`{text}` is a part number in the base language"),
                )
                .help("run without --compat, or write it in hexadecimal"),
            ));
        }
        let (digits, radix) = match token.kind {
            Kind::Hex => (text.trim_start_matches('$'), 16),
            Kind::Binary => (&text[1..], 2),
            _ => (text, 10),
        };
        let digits = if radix == 16 {
            digits.strip_prefix("0x").or(digits.strip_prefix("0X")).unwrap_or(digits)
        } else {
            digits
        };
        let significant = digits.trim_start_matches('0');
        let value = if significant.is_empty() { Ok(0) } else { u64::from_str_radix(significant, radix) };
        match value {
            Ok(value) if value <= u64::from(u32::MAX) => {
                // Only the spellings that show bits wrap: `$ffffffff` is -1.
                let value = if radix == 10 { value as i64 } else { i64::from(value as u32 as i32) };
                Ok(Expr { span: token.span, kind: ExprKind::Number(value) })
            }
            _ => Err(self.report(
                Diagnostic::error(Code::Syntax, token.span, "the number does not fit in 32 bits")
                    .help("values run up to $FFFFFFFF"),
            )),
        }
    }

    /// `[name]`, `[name.member]`, `[$1f]`.
    fn parse_symbol(&mut self) -> Parse<Expr> {
        let opener = self.bump().span;
        let token = self.peek();
        match token.kind {
            Kind::Word | Kind::Dotted => {
                let text = self.text_of(token);
                if self.dialect == Dialect::Base {
                    let single = Register::parse(text).is_some_and(Register::is_base)
                        || Flag::parse(text).is_some_and(Flag::is_base);
                    if single || words::is_base_keyword(text) {
                        self.ours(token.span, "a word of the language as a name");
                    }
                }
                self.bump();
                self.expect_close(Kind::CloseBracket, opener)?;
                Ok(Expr { span: self.since(opener), kind: ExprKind::Symbol(text.to_string()) })
            }
            Kind::Integer | Kind::Hex | Kind::Binary => {
                if self.dialect == Dialect::Base {
                    self.report(
                        Diagnostic::error(
                            Code::Syntax,
                            token.span,
                            "a number in brackets is not part of the base language",
                        )
                        .help("write the number without brackets"),
                    );
                }
                let mut number = self.parse_number()?;
                self.expect_close(Kind::CloseBracket, opener)?;
                number.span = self.since(opener);
                Ok(number)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn parse_word_value(&mut self) -> Parse<Expr> {
        let token = self.peek();
        let text = self.text_of(token);
        if self.is_bound(text) || self.is_shadowed(text) {
            self.bump();
            return Ok(Expr { span: token.span, kind: ExprKind::Name(text.to_string()) });
        }
        match text {
            "true" | "false" => {
                self.bump();
                return Ok(Expr { span: token.span, kind: ExprKind::Bool(text == "true") });
            }
            "cycles" => {
                self.bump();
                return Ok(Expr { span: token.span, kind: ExprKind::Cycles });
            }
            "raster" | "cycle" => {
                self.bump();
                self.ours(token.span, &format!("`{text}`"));
                let part = if text == "raster" { Beam::Line } else { Beam::Cycle };
                return Ok(Expr { span: token.span, kind: ExprKind::Beam(part) });
            }
            "peekbyte" | "peekword" => {
                self.bump();
                let width = if text == "peekbyte" { Width::Byte } else { Width::Word };
                let [address] = self.parse_arguments()?;
                return Ok(Expr {
                    span: self.since(token.span),
                    kind: ExprKind::Read(width, Box::new(address)),
                });
            }
            "memchk" | "memcmp" => {
                self.bump();
                let arguments = Box::new(self.parse_arguments::<3>()?);
                let kind =
                    if text == "memchk" { ExprKind::MemChk(arguments) } else { ExprKind::MemCmp(arguments) };
                return Ok(Expr { span: self.since(token.span), kind });
            }
            _ => {}
        }
        if let Some(register) = Register::parse(text) {
            self.bump();
            if !register.is_base() {
                self.ours(token.span, "this register");
            }
            return Ok(Expr { span: token.span, kind: ExprKind::Register(register) });
        }
        if let Some(flag) = Flag::parse(text) {
            self.bump();
            if !flag.is_base() {
                self.ours(token.span, "this flag");
            }
            return Ok(Expr { span: token.span, kind: ExprKind::Flag(flag) });
        }
        if words::BACKEND_VALUES.contains(&text) {
            self.bump();
            let arguments = self.parse_backend_arguments()?;
            let step = BackendStep { name: text.to_string(), arguments };
            return Ok(Expr { span: self.since(token.span), kind: ExprKind::Backend(step) });
        }
        self.parse_our_value()
    }

    /// Values only our language has, and the message for unknown words.
    fn parse_our_value(&mut self) -> Parse<Expr> {
        let token = self.peek();
        let text = self.text_of(token);
        if ["calls", "captured", "spy", "bytes", "text", "fen", "screen"].contains(&text) {
            self.ours(token.span, &format!("`{text}`"));
        }
        let kind = match text {
            "calls" => {
                self.bump();
                let index = self.parse_index()?;
                let member = self.expect_member("`.cycles`", &["cycles", "count", "instructions"])?;
                if index.is_none() && member != "count" {
                    return Err(self.error(
                        token.span,
                        "say which call: `calls[1].cycles` is the first `jsr` of the test",
                    ));
                }
                ExprKind::Calls { index, member }
            }
            "captured" => {
                self.bump();
                let at = if self.kind() == Kind::OpenParen {
                    let [at] = self.parse_arguments()?;
                    Some(Box::new(at))
                } else {
                    None
                };
                ExprKind::Captured(at)
            }
            "spy" => {
                self.bump();
                let [at] = self.parse_arguments()?;
                let index = self.parse_index()?;
                let member = self.expect_member(
                    "`.count`",
                    &["count", "a", "x", "y", "sp", "p", "c", "n", "z", "d", "v", "i", "caller"],
                )?;
                ExprKind::Spy { at: Box::new(at), index, member }
            }
            "screen" => {
                self.bump();
                let opener = self.expect(Kind::OpenParen)?.span;
                let row =
                    if self.kind() == Kind::CloseParen { None } else { Some(Box::new(self.parse_expr()?)) };
                self.expect_close(Kind::CloseParen, opener)?;
                ExprKind::Screen(row)
            }
            "bytes" => {
                self.bump();
                ExprKind::Bytes(self.parse_list()?)
            }
            "text" => {
                self.bump();
                let opener = self.expect(Kind::OpenParen)?.span;
                let inner = self.parse_expr()?;
                let encoding =
                    if self.accept(Kind::Comma) { self.expect_encoding()? } else { Encoding::default() };
                self.expect_close(Kind::CloseParen, opener)?;
                ExprKind::EncodedText(Box::new(inner), encoding)
            }
            "fen" => {
                self.bump();
                let opener = self.expect(Kind::OpenParen)?.span;
                let board = self.parse_board(opener, |_| Ok(()))?.0;
                ExprKind::Fen(board)
            }
            _ if self.open_names && !words::is_reserved_name(text) => {
                self.bump();
                ExprKind::Name(text.to_string())
            }
            _ if words::STEPS.contains(&text) || words::ENTRIES.contains(&text) => {
                let message = format!("expected a value, found the word `{text}`");
                return Err(self.error(token.span, message));
            }
            _ => {
                let known: Vec<&str> =
                    self.names.iter().map(String::as_str).chain(words::VALUES.iter().copied()).collect();
                let help = match nearest(text, known) {
                    Some(word) => format!("did you mean `{word}`?"),
                    None => format!("the value of a label is written in brackets: `[{text}]`"),
                };
                let message = format!("unknown word `{text}`");
                return Err(self.report(Diagnostic::error(Code::Syntax, token.span, message).help(help)));
            }
        };
        Ok(Expr { span: self.since(token.span), kind })
    }

    /// `square.l` lexes as one dotted name; with a variable in front it is a value and a suffix.
    fn parse_dotted_value(&mut self) -> Parse<Expr> {
        let token = self.peek();
        let text = self.text_of(token);
        if self.has_program_name(text) {
            self.bump();
            return Ok(Expr { span: token.span, kind: ExprKind::Name(text.to_string()) });
        }
        // The names of programs have dots, too.
        let whole = text.rsplit_once('.').filter(|(head, _)| self.has_program_name(head));
        let (head, tail) = whole.or_else(|| text.split_once('.')).expect("a dotted name has a dot");
        if head == "calls" && tail == "count" && !self.is_bound(head) {
            self.bump();
            self.ours(token.span, "`calls`");
            return Ok(Expr {
                span: token.span,
                kind: ExprKind::Calls { index: None, member: tail.to_string() },
            });
        }
        let known = self.is_bound(head)
            || self.has_program_name(head)
            || (self.open_names && !words::is_reserved_name(head));
        let register = Register::parse(head).map(ExprKind::Register);
        let kind = if known { Some(ExprKind::Name(head.to_string())) } else { register };
        let span = Span { start: token.span.start, end: token.span.start + head.len() as u32 };
        if let Some(kind) = kind {
            let value = Expr { span, kind };
            let wrapped = match tail {
                "l" => ExprKind::Half(Half::Low, Box::new(value)),
                "h" => ExprKind::Half(Half::High, Box::new(value)),
                "L" => ExprKind::Half(Half::UpperLow, Box::new(value)),
                "H" => ExprKind::Half(Half::UpperHigh, Box::new(value)),
                "b" | "B" => ExprKind::Read(Width::Byte, Box::new(value)),
                "w" | "W" => ExprKind::Read(Width::Word, Box::new(value)),
                "lw" | "LW" => ExprKind::Read(Width::Long, Box::new(value)),
                _ => {
                    return Err(self.report(
                        Diagnostic::error(Code::Syntax, token.span, format!("`{head}` has no `.{tail}`"))
                            .help("the suffixes are .l .h for halves and .b .w .lw for reads"),
                    ));
                }
            };
            self.bump();
            self.ours(token.span, "a suffix on a variable");
            return Ok(Expr { span: token.span, kind: wrapped });
        }
        let message = format!("unknown word `{text}`");
        Err(self.report(
            Diagnostic::error(Code::Syntax, token.span, message)
                .help(format!("the value of a label is written in brackets: `[{text}]`")),
        ))
    }

    fn parse_index(&mut self) -> Parse<Option<Box<Expr>>> {
        if self.kind() != Kind::OpenBracket {
            return Ok(None);
        }
        let opener = self.bump().span;
        let index = self.parse_expr()?;
        self.expect_close(Kind::CloseBracket, opener)?;
        Ok(Some(Box::new(index)))
    }

    fn expect_member(&mut self, wanted: &str, known: &[&str]) -> Parse<String> {
        if self.kind() != Kind::Member {
            return Err(self.unexpected(wanted));
        }
        let name = &self.word()[1..];
        if !known.contains(&name) {
            let span = self.peek().span;
            let help = format!("known here: {}", known.join(", "));
            return Err(self.report(
                Diagnostic::error(Code::Syntax, span, format!("there is no `.{name}` here")).help(help),
            ));
        }
        self.bump();
        Ok(name.to_string())
    }

    pub fn expect_encoding(&mut self) -> Parse<Encoding> {
        match Encoding::parse(self.word()) {
            Some(encoding) => {
                self.bump();
                Ok(encoding)
            }
            None => Err(self.unexpected("an encoding: ascii, petscii or screen")),
        }
    }

    /// Exactly `N` expressions in round brackets.
    pub fn parse_arguments<const N: usize>(&mut self) -> Parse<[Expr; N]> {
        self.enter()?;
        let result = self.parse_arguments_inner();
        self.leave();
        result
    }

    fn parse_arguments_inner<const N: usize>(&mut self) -> Parse<[Expr; N]> {
        let opener = self.expect(Kind::OpenParen)?.span;
        let mut all = Vec::with_capacity(N);
        for index in 0..N {
            if index > 0 {
                self.expect(Kind::Comma)?;
            }
            all.push(self.parse_expr()?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(all.try_into().expect("exactly N were pushed"))
    }

    /// One or more expressions in round brackets.
    pub fn parse_list(&mut self) -> Parse<Vec<Expr>> {
        self.enter()?;
        let result = self.parse_list_inner();
        self.leave();
        result
    }

    fn parse_list_inner(&mut self) -> Parse<Vec<Expr>> {
        let opener = self.expect(Kind::OpenParen)?.span;
        let mut all = vec![self.parse_expr()?];
        while self.accept(Kind::Comma) {
            all.push(self.parse_expr()?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(all)
    }

    /// The operands after `fen(`: the board's place, something of the caller's, the options, the bracket.
    pub fn parse_board<T>(
        &mut self,
        opener: Span,
        middle: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<(Board, T)> {
        let base = Box::new(self.parse_expr()?);
        let extra = middle(self)?;
        let mut board = Board { base, layout: None, pieces: None };
        while self.accept(Kind::Comma) {
            if self.accept_word("layout") {
                self.expect(Kind::Assign)?;
                board.layout = Some(self.expect_name("the name of a layout")?);
            } else if self.accept_word("pieces") {
                self.expect(Kind::Assign)?;
                board.pieces = Some(Box::new(self.parse_expr()?));
            } else {
                return Err(self.unexpected("`layout = …` or `pieces = …`"));
            }
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok((board, extra))
    }

    /// Arguments of a back-end form: expressions, texts, and `name = value`.
    pub fn parse_backend_arguments(&mut self) -> Parse<Vec<Expr>> {
        let opener = self.expect(Kind::OpenParen)?.span;
        let mut all = Vec::new();
        while self.kind() != Kind::CloseParen {
            if !all.is_empty() {
                self.expect(Kind::Comma)?;
            }
            if self.kind() == Kind::Word
                && self.kind_at(1) == Kind::Assign
                && ["wait", "timeout", "cycles_count", "screen", "watch", "value"].contains(&self.word())
            {
                self.bump();
                self.bump();
            }
            all.push(if self.kind() == Kind::String {
                let text = self.expect_text("a text")?;
                Expr { span: text.span, kind: ExprKind::Text(text.value) }
            } else {
                self.parse_expr()?
            });
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(all)
    }
}

fn comparison_at(kind: Kind) -> Option<Compare> {
    Some(match kind {
        Kind::Equal => Compare::Equal,
        Kind::NotEqual => Compare::NotEqual,
        Kind::Less => Compare::Less,
        Kind::LessEqual => Compare::LessEqual,
        Kind::Greater => Compare::Greater,
        Kind::GreaterEqual => Compare::GreaterEqual,
        _ => return None,
    })
}

/// A lone place left of a comparison is read, unless it is compared with bytes or text: then it is where they lie.
fn implied_read(left: Expr, right: &Expr) -> Expr {
    let whole = matches!(right.kind, ExprKind::Bytes(_) | ExprKind::EncodedText(..) | ExprKind::Text(_));
    if left.is_place() && !whole {
        Expr { span: left.span, kind: ExprKind::PlaceRead(Box::new(left)) }
    } else {
        left
    }
}

/// Whether the expression is true or false by nature.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Compare(..)
        | ExprKind::In { .. }
        | ExprKind::Contains(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Not(_) => true,
        ExprKind::MemChk(_) | ExprKind::MemCmp(_) | ExprKind::Bool(_) | ExprKind::Flag(_) => true,
        ExprKind::Paren(inner) => is_truth(inner),
        _ => false,
    }
}
