//! Statements: what is in tests, setups, stubs and `forall` bodies.

use tempo_diagnostics::nearest;

use super::{Dialect, Parse, Parser, words};
use crate::ast::{
    BackendStep, Double, Encoding, Equivalent, Expr, ExprKind, Flag, Forall, Jsr, Line, Pointer, Register,
    Step, StepKind, Stop, Variable, Width,
};
use crate::diag::{Code, Diagnostic};
use crate::lexer::Kind;
use crate::source::Span;

/// More than a person waits for.
const MAX_SAMPLES: i64 = 10_000_000;

/// Where statements stand; some are at home only in some places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Home {
    Test,
    Procedure,
    Setup,
    Stub,
}

impl Home {
    /// Assertions and what else only a test makes can be here.
    fn is_test(self) -> bool {
        matches!(self, Home::Test | Home::Procedure)
    }
}

impl Parser<'_> {
    /// Statements up to the closing brace, which is consumed. `owner` is named when the brace is missing.
    pub(crate) fn parse_steps(&mut self, opener: Span, home: Home, owner: &str) -> Vec<Step> {
        let mut steps = Vec::new();
        loop {
            match self.kind() {
                Kind::CloseBrace => {
                    self.bump();
                    return steps;
                }
                Kind::End => {
                    let _ = self.expect_close(Kind::CloseBrace, opener);
                    return steps;
                }
                _ if self.at_misplaced_line() => {
                    let span = self.peek().span;
                    let message = format!("`{}` belongs in the suite, not in a {owner}", self.word());
                    self.report(
                        Diagnostic::error(Code::Syntax, span, message)
                            .help("move it to the top of the suite, before its tests"),
                    );
                    self.bump();
                    self.skip_balanced();
                    continue;
                }
                _ if self.at_entry(home) => {
                    let span = self.peek().span;
                    let message = format!("missing `}}` of the {owner} before `{}`", self.word());
                    self.report(
                        Diagnostic::error(Code::Syntax, span, message).label_at(opener, "opened here"),
                    );
                    return steps;
                }
                _ => {}
            }
            let before = self.at;
            match self.parse_step(home) {
                Ok(step) => steps.push(step),
                Err(_) => self.recover_step(before),
            }
        }
    }

    /// A word that only starts a suite's entries: the brace before it is missing.
    fn at_entry(&self, home: Home) -> bool {
        if self.kind() != Kind::Word || self.is_bound(self.word()) {
            return false;
        }
        match self.word() {
            "test" | "suite" | "bench" | "symbols" | "load" | "rom" | "assemble" => {
                self.kind_at(1) == Kind::OpenParen
            }
            "setup" => self.kind_at(1) == Kind::OpenBrace,
            "procedure" => self.kind_at(1) == Kind::Word,
            "stub" | "spy" | "io" => home == Home::Stub && self.kind_at(1) == Kind::OpenParen,
            _ => false,
        }
    }

    /// A line that loads a program among statements: other statements follow it, so no brace is missing before it.
    fn at_misplaced_line(&self) -> bool {
        let is_line = self.kind() == Kind::Word
            && matches!(self.word(), "symbols" | "load" | "rom" | "assemble" | "system")
            && !self.is_bound(self.word())
            && self.kind_at(1) == Kind::OpenParen;
        let mut after =
            (2..).skip_while(|&ahead| !matches!(self.kind_at(ahead), Kind::CloseParen | Kind::End));
        let next = is_line
            .then(|| after.next())
            .flatten()
            .and_then(|close| self.place.tokens.get(self.at + close + 1));
        next.is_some_and(|&token| {
            let word = self.text_of(token);
            token.kind == Kind::Word
                && (words::STEPS.contains(&word)
                    || Register::parse(word).is_some()
                    || Flag::parse(word).is_some())
        })
    }

    /// Steps over the rest of a statement that could not be read.
    fn recover_step(&mut self, before: usize) {
        if self.at == before {
            self.skip_balanced();
        }
        loop {
            match self.kind() {
                Kind::CloseBrace | Kind::End => return,
                Kind::OpenBrace => self.skip_balanced(),
                // Round and square brackets are not matched here: one of them is often what is missing.
                Kind::Word if words::STEPS.contains(&self.word()) && self.kind_at(1) == Kind::OpenParen => {
                    return;
                }
                _ if self.starts_line() && !matches!(self.kind(), Kind::CloseParen | Kind::Comma) => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn parse_step(&mut self, home: Home) -> Parse<Step> {
        let start = self.peek();
        self.operators = 0;
        let kind = match start.kind {
            Kind::Word => self.parse_word_step(home)?,
            Kind::Member | Kind::CloseParen | Kind::CloseBracket | Kind::Comma => {
                return Err(self.unexpected("a statement"));
            }
            _ => self.parse_store()?,
        };
        Ok(Step { span: self.since(start.span), kind })
    }

    fn parse_word_step(&mut self, home: Home) -> Parse<StepKind> {
        let token = self.peek();
        let text = self.text_of(token);
        if self.kind_at(1) == Kind::OpenParen && self.procedures.contains(text) {
            return self.parse_call(home);
        }
        if self.is_bound(text) {
            if self.kind_at(1) == Kind::Assign {
                let message = format!("`{text}` is a variable here and cannot be set");
                return Err(self.report(
                    Diagnostic::error(Code::Syntax, token.span, message)
                        .help(format!("to store at the address it holds, write `({text}) = …`")),
                ));
            }
            return self.parse_store();
        }
        if let Some(register) = Register::parse(text) {
            self.bump();
            if !register.is_base() {
                self.ours(token.span, "setting this register");
            }
            if register == Register::Pc {
                return Err(self.report(
                    Diagnostic::error(Code::Syntax, token.span, "`pc` cannot be set")
                        .help("`jsr(place)` starts the program at a place"),
                ));
            }
            self.expect_assign()?;
            let value = self.parse_expr()?;
            self.check_base_operand(&value);
            return Ok(StepKind::SetRegister { register, value });
        }
        if let Some(flag) = Flag::parse(text) {
            self.bump();
            if !flag.is_base() {
                self.ours(token.span, "setting this flag");
            }
            if flag == Flag::B {
                return Err(self.report(
                    Diagnostic::error(
                        Code::Syntax,
                        token.span,
                        "`b` cannot be set: the processor has no such flip-flop",
                    )
                    .help("B exists only in the status byte on the stack"),
                ));
            }
            self.expect_assign()?;
            let value = self.parse_expr()?;
            self.check_base_operand(&value);
            return Ok(StepKind::SetFlag { flag, value });
        }
        match text {
            "assert" => self.parse_assert(home),
            "jsr" => self.parse_jsr(),
            "memfill" => {
                self.bump();
                let [from, count, value] = self.parse_arguments()?;
                Ok(StepKind::MemFill { from, count, value })
            }
            "memdump" => {
                self.bump();
                let opener = self.expect(Kind::OpenParen)?.span;
                let (from, count, encoding) = self.parse_dump(opener)?;
                Ok(StepKind::MemDump { from, count, encoding })
            }
            "forall" => self.parse_forall(home),
            "equivalent" => self.parse_equivalent(home),
            "each" => Err(self.report(
                Diagnostic::error(Code::Syntax, token.span, "`each` must be the first statement of a test")
                    .help("a test has one table; loops over values inside a test are written `forall`"),
            )),
            "stub" | "spy" | "io" => Ok(StepKind::Double(self.parse_double()?)),
            "capture" => {
                self.bump();
                self.ours(token.span, "`capture`");
                if home != Home::Stub {
                    return Err(self.report(
                        Diagnostic::error(Code::Syntax, token.span, "`capture` belongs in a stub")
                            .help("stub($ffd2) { capture a }"),
                    ));
                }
                Ok(StepKind::Capture(self.parse_expr()?))
            }
            "fen" => self.parse_fen(),
            "bytes" | "words" | "text" | "file" => self.parse_put(),
            "copy" => {
                self.bump();
                self.ours(token.span, "`copy`");
                let [to, from, count] = self.parse_arguments()?;
                Ok(StepKind::Copy { to, from, count })
            }
            "random" => {
                self.bump();
                self.ours(token.span, "`random`");
                let opener = self.expect(Kind::OpenParen)?.span;
                let to = self.parse_expr()?;
                self.expect(Kind::Comma)?;
                let count = self.parse_expr()?;
                let seed = if self.accept(Kind::Comma) { Some(self.parse_expr()?) } else { None };
                self.expect_close(Kind::CloseParen, opener)?;
                Ok(StepKind::Random { to, count, seed })
            }
            "irq" | "nmi" => {
                self.bump();
                self.ours(token.span, &format!("`{text}`"));
                if home == Home::Stub {
                    self.error(token.span, format!("`{text}` belongs in a test or a setup"));
                }
                let opener = self.expect(Kind::OpenParen)?.span;
                if !self.is_word("at_cycle") {
                    return Err(self.unexpected("`at_cycle = …`"));
                }
                self.bump();
                self.expect_assign()?;
                let at = self.parse_expr()?;
                self.expect_close(Kind::CloseParen, opener)?;
                let line = if text == "irq" { Line::Irq } else { Line::Nmi };
                Ok(StepKind::Interrupt { line, at })
            }
            "frames" | "keys" => {
                self.bump();
                self.ours(token.span, &format!("`{text}`"));
                if home == Home::Stub {
                    self.error(token.span, format!("`{text}` belongs in a test or a setup"));
                }
                let [argument] = self.parse_arguments()?;
                Ok(if text == "keys" { StepKind::Keys(argument) } else { StepKind::Frames(argument) })
            }
            "joystick" | "paddles" | "mouse" | "pen" | "cartridge" | "disk" | "screenshot" => {
                self.parse_computer_step(home)
            }
            "snapshot" => self.parse_snapshot(home),
            "true" | "false" | "peekbyte" | "peekword" => self.parse_store(),
            "memchk" | "memcmp" | "cycles" | "not" => Err(self.report(
                Diagnostic::error(Code::Syntax, token.span, format!("`{text}` is a value, not a statement"))
                    .help(format!("to check it, write `assert({text}…, \"text\")`")),
            )),
            _ if words::BACKEND_STEPS.contains(&text) => self.parse_backend_step(home),
            _ if self.open_procedures && self.kind_at(1) == Kind::OpenParen => self.parse_call(home),
            _ if self.open_names && self.kind_at(1) != Kind::OpenParen => self.parse_store(),
            _ => Err(self.unknown_step(text, token.span)),
        }
    }

    /// `name(argument, …)`: a procedure.
    fn parse_call(&mut self, home: Home) -> Parse<StepKind> {
        let name = self.expect_name("a procedure")?;
        if home == Home::Stub {
            self.report(
                Diagnostic::error(Code::Syntax, name.span, "a stub cannot call a procedure")
                    .help("write its statements here"),
            );
        }
        let opener = self.expect(Kind::OpenParen)?.span;
        let mut arguments = Vec::new();
        while self.kind() != Kind::CloseParen {
            if !arguments.is_empty() && !self.accept(Kind::Comma) {
                break;
            }
            arguments.push(self.parse_value()?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(StepKind::Call { name, arguments })
    }

    /// Whether the file declares a procedure of this name further below.
    fn is_declared_below(&self, name: &str) -> bool {
        let pairs = self.place.tokens.windows(2).skip(self.at);
        pairs.into_iter().any(|pair| {
            let [word, named] = [pair[0], pair[1]];
            word.kind == Kind::Word
                && named.kind == Kind::Word
                && self.text_of(word) == "procedure"
                && self.text_of(named) == name
        })
    }

    /// Words that a statement may start with.
    fn statements(&self) -> impl Iterator<Item = &str> {
        let own = words::STEPS.iter().chain(words::BACKEND_STEPS).copied();
        let procedures = self.procedures.iter().map(String::as_str);
        own.chain(procedures).chain(["a", "x", "y", "c", "n", "z", "d", "v"])
    }

    fn unknown_step(&mut self, text: &str, span: Span) -> super::Reported {
        let message = format!("unknown statement `{text}`");
        let lower = text.to_ascii_lowercase();
        let help = if words::STEPS.contains(&lower.as_str()) || words::is_base_keyword(&lower) {
            Some(format!("keywords are lower case: `{lower}`"))
        } else if self.is_declared_below(text) {
            Some(format!("the procedure `{text}` is known below its declaration; move the declaration up"))
        } else if self.ended_procedures.iter().any(|known| known == text) {
            Some(format!("`{text}` is a procedure of another suite; declare it in a file that both include"))
        } else if let Some(word) = nearest(text, self.statements()) {
            Some(format!("did you mean `{word}`?"))
        } else if self.kind_at(1) == Kind::Assign {
            Some(format!("to store at a label, write it in brackets: `[{text}] = …`"))
        } else {
            None
        };
        self.report(Diagnostic::error(Code::Syntax, span, message).help(help))
    }

    fn expect_assign(&mut self) -> Parse<()> {
        if self.kind() == Kind::Equal {
            let span = self.peek().span;
            return Err(self.report(
                Diagnostic::error(Code::Syntax, span, "`==` compares, it does not store")
                    .help("write `=` to set a value, or `assert(…)` to check one"),
            ));
        }
        self.expect(Kind::Assign)?;
        Ok(())
    }

    /// `place = value`, `expr = value`, `place = register`.
    fn parse_store(&mut self) -> Parse<StepKind> {
        let target = self.parse_expr()?;
        self.expect_assign()?;
        self.check_base_operand(&target);
        let value = self.parse_expr()?;
        if let ExprKind::Register(register) = value.kind {
            if !target.is_place() || !register.is_base() {
                self.ours(value.span, "this register store");
            }
        } else {
            self.check_base_operand(&value);
        }
        Ok(StepKind::Store { target, value })
    }

    fn parse_assert(&mut self, home: Home) -> Parse<StepKind> {
        let token = self.bump();
        if !home.is_test() {
            let owner = if home == Home::Setup { "a setup" } else { "a stub" };
            self.report(
                Diagnostic::error(Code::Syntax, token.span, format!("{owner} cannot hold assertions"))
                    .help("move the assertion into a test"),
            );
        }
        let opener = self.expect(Kind::OpenParen)?.span;
        let condition = self.parse_condition()?;
        let text = if self.accept(Kind::Comma) {
            Some(self.expect_text("the assertion's text")?)
        } else {
            if self.dialect == Dialect::Base && self.kind() == Kind::CloseParen {
                let span = self.peek().span;
                self.ours(span, "an assertion without a text");
            }
            None
        };
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(StepKind::Assert { condition, text })
    }

    fn parse_jsr(&mut self) -> Parse<StepKind> {
        self.bump();
        let opener = self.expect(Kind::OpenParen)?.span;
        let target = self.parse_expr()?;
        if !target.is_place() {
            self.ours(target.span, "a computed address");
        }
        let mut call = Jsr { target, stop: Stop::Rts(true), fail_on_brk: true, max_cycles: None };
        let mut stopped: Option<Span> = None;
        while self.accept(Kind::Comma) {
            let token = self.peek();
            let option = self.word();
            let is_stop = matches!(option, "stop_on_rts" | "stop_on_address");
            match option {
                _ if words::arguments("jsr").any(|word| word.name == option) => {
                    self.bump();
                    self.expect_assign()?;
                }
                _ => {
                    let known: Vec<&str> = words::arguments("jsr").map(|word| word.name).collect();
                    let help = match nearest(option, known.iter().copied()) {
                        Some(word) => format!("did you mean `{word}`?"),
                        None => format!("the options of a call are {}", known.join(", ")),
                    };
                    let message = format!("unknown option of a call: {}", self.found());
                    return Err(self.report(Diagnostic::error(Code::Syntax, token.span, message).help(help)));
                }
            }
            if is_stop {
                if let Some(first) = stopped {
                    self.report(
                        Diagnostic::error(Code::Syntax, token.span, "a call has one stop rule")
                            .label_at(first, "the first is here"),
                    );
                }
                stopped = Some(token.span);
            }
            match option {
                "stop_on_rts" => call.stop = Stop::Rts(self.expect_bool()?),
                "stop_on_address" => {
                    let place = self.parse_expr()?;
                    if !place.is_place() {
                        self.ours(place.span, "a computed address");
                    }
                    call.stop = Stop::Address(place);
                }
                "fail_on_brk" => call.fail_on_brk = self.expect_bool()?,
                _ => {
                    self.ours(token.span, "`max_cycles`");
                    call.max_cycles = Some(self.parse_expr()?);
                }
            }
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(StepKind::Jsr(call))
    }

    fn parse_forall(&mut self, home: Home) -> Parse<StepKind> {
        let token = self.bump();
        self.ours(token.span, "`forall`");
        if !home.is_test() {
            self.error(token.span, "`forall` belongs in a test");
        }
        let opener = self.expect(Kind::OpenParen)?.span;
        let mut forall =
            Forall { variables: Vec::new(), samples: None, seed: None, prove: false, body: Vec::new() };
        let bound = self.names.len();
        loop {
            let name = self.expect_name("a variable")?;
            let is_end = matches!(self.kind(), Kind::Comma | Kind::CloseParen | Kind::Assign);
            if name.value == "prove" && is_end {
                forall.prove = match self.accept(Kind::Assign) {
                    true => self.expect_bool()?,
                    false => true,
                };
            } else if self.kind() == Kind::Assign && matches!(name.value.as_str(), "samples" | "seed") {
                self.bump();
                let number = self.expect_number()?;
                match name.value.as_str() {
                    "samples" if !(1..=MAX_SAMPLES).contains(&number) => {
                        self.error(name.span, format!("the number of samples is from 1 to {MAX_SAMPLES}"));
                    }
                    "samples" => forall.samples = Some(number),
                    _ => forall.seed = Some(number),
                }
            } else {
                self.expect_word("in")?;
                let domain = self.parse_set()?;
                if self.names[bound..].contains(&name.value) {
                    self.error(name.span, format!("the variable `{}` is defined twice", name.value));
                }
                self.bind(&name);
                forall.variables.push(Variable { name, domain });
            }
            if !self.accept(Kind::Comma) {
                break;
            }
        }
        self.expect_close(Kind::CloseParen, opener)?;
        if forall.variables.is_empty() {
            self.error(token.span, "a property needs at least one variable");
        }
        let brace = self.expect(Kind::OpenBrace)?.span;
        self.enter()?;
        forall.body = self.parse_steps(brace, home, "`forall`");
        self.leave();
        if forall.body.is_empty() {
            self.empty(brace, "`forall`");
        }
        self.names.truncate(bound);
        Ok(StepKind::Forall(forall))
    }

    fn parse_equivalent(&mut self, home: Home) -> Parse<StepKind> {
        let token = self.bump();
        self.ours(token.span, "`equivalent`");
        if !home.is_test() {
            self.error(token.span, "`equivalent` belongs in a test");
        }
        let opener = self.expect(Kind::OpenParen)?.span;
        let one = self.parse_expr()?;
        self.expect(Kind::Comma)?;
        let routines = [one, self.parse_expr()?];
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        while self.accept(Kind::Comma) {
            let is_input = self.is_word("in");
            if !is_input && !self.is_word("out") {
                return Err(self.unexpected("`in` or `out`"));
            }
            self.bump();
            self.expect_assign()?;
            let list = self.expect(Kind::OpenParen)?.span;
            while self.kind() != Kind::CloseParen {
                let place = self.parse_expr()?;
                if is_input {
                    let domain = if self.accept_word("in") { Some(self.parse_set()?) } else { None };
                    inputs.push((place, domain));
                } else {
                    outputs.push(place);
                }
                if !self.accept(Kind::Comma) {
                    break;
                }
            }
            self.expect_close(Kind::CloseParen, list)?;
        }
        self.expect_close(Kind::CloseParen, opener)?;
        if outputs.is_empty() {
            self.report(
                Diagnostic::error(Code::Syntax, token.span, "nothing is compared")
                    .help("name what both routines leave: `out = (a, c)`"),
            );
        }
        Ok(StepKind::Equivalent(Equivalent { routines, inputs, outputs }))
    }

    /// `stub(place) { … }`, `spy(place)`, `io(place, …)`: in tests, setups and suites alike.
    pub(crate) fn parse_double(&mut self) -> Parse<Double> {
        let token = self.bump();
        let word = self.text_of(token);
        self.ours(token.span, &format!("`{word}`"));
        let opener = self.expect(Kind::OpenParen)?.span;
        let at = self.parse_expr()?;
        match word {
            "spy" => {
                self.expect_close(Kind::CloseParen, opener)?;
                Ok(Double::Spy { at })
            }
            "stub" => {
                self.expect_close(Kind::CloseParen, opener)?;
                let brace = self.expect(Kind::OpenBrace)?.span;
                self.enter()?;
                let body = self.parse_steps(brace, Home::Stub, "stub");
                self.leave();
                Ok(Double::Stub { at, body })
            }
            _ => {
                self.expect(Kind::Comma)?;
                let single = self.is_word("value");
                if !single && !self.is_word("sequence") {
                    return Err(self.unexpected("`value = …` or `sequence = (…)`"));
                }
                self.bump();
                self.expect_assign()?;
                let values = if single { vec![self.parse_expr()?] } else { self.parse_list()? };
                self.expect_close(Kind::CloseParen, opener)?;
                Ok(Double::Io { at, values })
            }
        }
    }

    fn parse_fen(&mut self) -> Parse<StepKind> {
        let token = self.bump();
        self.ours(token.span, "`fen`");
        let opener = self.expect(Kind::OpenParen)?.span;
        let (board, text) = self.parse_board(opener, |parser| {
            parser.expect(Kind::Comma)?;
            parser.parse_expr()
        })?;
        Ok(StepKind::Fen { board, text })
    }

    /// `bytes(to, …)`, `words(to, …)`, `text(to, "…", encoding)`, `file(to, "…")`.
    fn parse_put(&mut self) -> Parse<StepKind> {
        let token = self.bump();
        let word = self.text_of(token);
        self.ours(token.span, &format!("`{word}`"));
        let opener = self.expect(Kind::OpenParen)?.span;
        let to = self.parse_expr()?;
        self.expect(Kind::Comma)?;
        if word == "text" {
            let text = self.parse_expr()?;
            let encoding =
                if self.accept(Kind::Comma) { self.expect_encoding()? } else { Encoding::default() };
            self.expect_close(Kind::CloseParen, opener)?;
            return Ok(StepKind::PutText { to, text, encoding });
        }
        if word == "file" {
            let file = self.expect_text("a file name")?;
            self.expect_close(Kind::CloseParen, opener)?;
            return Ok(StepKind::PutFile { to, file });
        }
        let mut values = vec![self.parse_expr()?];
        while self.accept(Kind::Comma) {
            values.push(self.parse_expr()?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        let width = if word == "words" { Width::Word } else { Width::Byte };
        Ok(StepKind::PutBytes { to, values, width })
    }

    /// The rest of `memdump(` and `snapshot("name",`: from, count and perhaps how the bytes are read.
    fn parse_dump(&mut self, opener: Span) -> Parse<(Expr, Expr, Encoding)> {
        let from = self.parse_expr()?;
        self.expect(Kind::Comma)?;
        let count = self.parse_expr()?;
        let mut encoding = Encoding::default();
        if self.kind() == Kind::Comma {
            let comma = self.bump();
            self.ours(comma.span, "the encoding of a dump");
            encoding = self.expect_encoding()?;
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok((from, count, encoding))
    }

    /// `snapshot("name", from, count, encoding)`.
    fn parse_snapshot(&mut self, home: Home) -> Parse<StepKind> {
        let token = self.bump();
        self.ours(token.span, "`snapshot`");
        if !home.is_test() {
            self.error(token.span, "`snapshot` belongs in a test");
        }
        let opener = self.expect(Kind::OpenParen)?.span;
        let name = self.expect_text("a name for the snapshot")?;
        self.expect(Kind::Comma)?;
        let (from, count, encoding) = self.parse_dump(opener)?;
        Ok(StepKind::Snapshot { name, from, count, encoding })
    }

    /// `joystick(port, "…")`, `paddles(…)`, `mouse(…)`, `pen(…)`, `cartridge("…")`, `disk("…", …)`, `screenshot("…", tolerance = n)`.
    fn parse_computer_step(&mut self, home: Home) -> Parse<StepKind> {
        let token = self.bump();
        let word = self.text_of(token);
        self.ours(token.span, &format!("`{word}`"));
        if home == Home::Stub || (word == "screenshot" && !home.is_test()) {
            let place = if word == "screenshot" { "a test" } else { "a test or a setup" };
            self.error(token.span, format!("`{word}` belongs in {place}"));
        }
        if word == "joystick" {
            let [port, switches] = self.parse_arguments()?;
            return Ok(StepKind::Joystick { port, switches });
        }
        if let Some(pointer) = Pointer::of(word) {
            let arguments = match pointer {
                Pointer::Pen => self.parse_arguments::<2>()?.into(),
                Pointer::Paddles | Pointer::Mouse => self.parse_arguments::<3>()?.into(),
            };
            return Ok(StepKind::Pointer { pointer, arguments });
        }
        let opener = self.expect(Kind::OpenParen)?.span;
        if word == "cartridge" {
            let file = self.expect_text("the name of a .crt file")?;
            self.expect_close(Kind::CloseParen, opener)?;
            return Ok(StepKind::Cartridge { file });
        }
        if word == "disk" {
            let mut files = vec![self.expect_text("the name of a .d64 file")?];
            while self.accept(Kind::Comma) {
                files.push(self.expect_text("the name of a file")?);
            }
            self.expect_close(Kind::CloseParen, opener)?;
            return Ok(StepKind::Disk { files });
        }
        let name = self.expect_text("a name for the picture")?;
        let mut tolerance = None;
        if self.accept(Kind::Comma) {
            if !self.is_word("tolerance") {
                return Err(self.unexpected("`tolerance = …`"));
            }
            self.bump();
            self.expect_assign()?;
            tolerance = Some(self.parse_expr()?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(StepKind::Screenshot { name, tolerance })
    }

    fn parse_backend_step(&mut self, home: Home) -> Parse<StepKind> {
        let token = self.bump();
        let name = self.text_of(token).to_string();
        if !home.is_test() && !matches!(name.as_str(), "cold_start" | "uci") {
            self.error(token.span, format!("`{name}` belongs in a test"));
        }
        let arguments = self.parse_backend_arguments()?;
        Ok(StepKind::Backend(BackendStep { name, arguments }))
    }

    /// A literal number, as options take.
    pub(crate) fn expect_number(&mut self) -> Parse<i64> {
        if !matches!(self.kind(), Kind::Integer | Kind::Hex | Kind::Binary) {
            return Err(self.unexpected("a number"));
        }
        match self.parse_number()?.kind {
            ExprKind::Number(value) => Ok(value),
            _ => unreachable!("a number parses to a number"),
        }
    }

    /// A block that must hold something holds nothing. Silent when what it held was reported already.
    pub(crate) fn empty(&mut self, brace: Span, owner: &str) {
        if self.last_error.is_none_or(|at| at < brace.start) {
            self.report(Diagnostic::error(Code::Syntax, brace, format!("the {owner} is empty")));
        }
    }
}
