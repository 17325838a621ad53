//! Files, suites and the lines of a suite.

use tempo_diagnostics::nearest;
use tempo_emu::System;

use super::step::Home;
use super::{Dialect, Parse, Parser, words};
use crate::ast::{
    Each, Entry, EntryKind, Expr, File, Guard, Layout, LayoutItem, MachineLine, Name, OptionKind, Procedure,
    Range, Row, Rows, Strictness, Suite, Test, TestKind, TestOption, Text,
};
use crate::diag::{Code, Diagnostic, Severity};
use crate::lexer::Kind;

/// The processors of the older spelling.
const PROCESSORS: [&str; 4] = ["6502", "6510", "65c02", "65C02"];

impl Parser<'_> {
    pub(crate) fn parse_file(&mut self) -> File {
        let mut file = File::default();
        if self.dialect == Dialect::Full && self.is_shared() {
            // Read for its faults; there is nothing to run in it.
            self.parse_lines();
            return file;
        }
        if self.expect_word("suites").is_err() {
            // A file that starts otherwise is often another kind of file; one message says it.
            if self.kind() == Kind::Word && self.kind_at(1) == Kind::OpenBrace {
                self.bump();
            } else if !self.is_word("suite") {
                return file;
            }
        }
        let brace = self.peek().span;
        let opened = if self.is_word("suite") { false } else { self.expect(Kind::OpenBrace).is_ok() };
        loop {
            match self.kind() {
                Kind::CloseBrace => {
                    self.bump();
                    break;
                }
                Kind::End => {
                    if opened {
                        let _ = self.expect_close(Kind::CloseBrace, brace);
                    }
                    return file;
                }
                _ => {}
            }
            let before = self.at;
            match self.parse_suite() {
                Ok(suite) => file.suites.push(suite),
                Err(_) => self.recover_suite(before),
            }
        }
        if self.kind() != Kind::End {
            let span = self.peek().span;
            // Tests that look as if they ran are worse than a file that is refused.
            let found = if self.is_word("suites") || self.is_word("suite") {
                let message = "a second block of suites in a file: its tests would not run";
                Diagnostic::error(Code::Syntax, span, message)
                    .help("a file holds one `suites { … }`; move these suites into it or to another file")
            } else {
                Diagnostic::warning(Code::Syntax, span, "text after the closing brace of `suites` is ignored")
                    .help("a file holds one `suites { … }`")
            };
            self.report(found);
        }
        file
    }

    fn recover_suite(&mut self, before: usize) {
        if self.at == before {
            self.skip_balanced();
        }
        loop {
            match self.kind() {
                Kind::End | Kind::CloseBrace => return,
                Kind::Word if self.word() == "suite" => return,
                Kind::OpenBrace => self.skip_balanced(),
                _ => {
                    self.bump();
                }
            }
        }
    }

    fn parse_suite(&mut self) -> Parse<Suite> {
        let start = self.peek().span;
        self.expect_word("suite")?;
        self.includes.borrow_mut().start_suite();
        let gone = std::mem::take(&mut self.procedures);
        self.ended_procedures.extend(gone);
        let opener = self.expect(Kind::OpenParen)?.span;
        let name = self.expect_text("the suite's name")?;
        let mut options = Vec::new();
        while self.accept(Kind::Comma) {
            let span = self.peek().span;
            self.ours(span, "an option of a suite");
            options.push(self.parse_option()?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        let span = self.since(start);
        let brace = self.expect(Kind::OpenBrace)?.span;
        let mut suite = Suite { span, name, options, machine: None, ultimate: None, entries: Vec::new() };
        loop {
            match self.kind() {
                Kind::CloseBrace => {
                    self.bump();
                    break;
                }
                Kind::End => {
                    let _ = self.expect_close(Kind::CloseBrace, brace);
                    break;
                }
                Kind::Word if self.word() == "suite" && self.kind_at(1) == Kind::OpenParen => {
                    let span = self.peek().span;
                    self.report(
                        Diagnostic::error(Code::Syntax, span, "missing `}` of the suite before `suite`")
                            .label_at(brace, "opened here"),
                    );
                    break;
                }
                _ => {}
            }
            let before = self.at;
            if self.parse_suite_line(&mut suite).is_err() {
                self.recover_entry(before);
            }
        }
        if suite.entries.is_empty() {
            self.empty(brace, "suite");
        }
        Ok(suite)
    }

    pub(super) fn recover_entry(&mut self, before: usize) {
        if self.at == before {
            self.skip_balanced();
        }
        self.close_braces_since(before);
        loop {
            match self.kind() {
                Kind::End | Kind::CloseBrace => return,
                Kind::OpenBrace => self.skip_balanced(),
                Kind::Word if words::ENTRIES.contains(&self.word()) || self.word() == "suite" => return,
                Kind::Word if self.starts_line() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    pub(super) fn parse_suite_line(&mut self, suite: &mut Suite) -> Parse<()> {
        let start = self.peek();
        self.operators = 0;
        if start.kind != Kind::Word {
            return Err(self.unexpected("a line of a suite such as `load`, `symbols` or `test`"));
        }
        match self.text_of(start) {
            "system" | "processor" => {
                let machine = self.parse_machine()?;
                if let Some(first) = suite.machine {
                    self.report(
                        Diagnostic::error(Code::Syntax, machine.span, "a suite has one machine")
                            .label_at(first.span, "the first is here"),
                    );
                } else if !suite.entries.is_empty() || suite.ultimate.is_some() {
                    self.report(
                        Diagnostic::error(
                            Code::Syntax,
                            machine.span,
                            "the machine must come before all other lines of the suite",
                        )
                        .help("move it to the top of the suite"),
                    );
                }
                suite.machine.get_or_insert(machine);
            }
            "ultimate" => {
                self.bump();
                let opener = self.expect(Kind::OpenParen)?.span;
                self.expect_word("fs_root")?;
                self.expect(Kind::Assign)?;
                let folder = self.expect_text("a folder")?;
                self.expect_close(Kind::CloseParen, opener)?;
                if !suite.entries.is_empty() {
                    self.error(start.span, "`ultimate` must come before all other lines but the machine");
                }
                suite.ultimate = Some(folder);
            }
            _ => {
                let kind = self.parse_entry()?;
                suite.entries.push(Entry { span: self.since(start.span), kind });
            }
        }
        Ok(())
    }

    fn parse_machine(&mut self) -> Parse<MachineLine> {
        let token = self.bump();
        let deprecated = self.text_of(token) == "processor";
        let opener = self.expect(Kind::OpenParen)?.span;
        let name = self.peek();
        let text = self.text_of(name);
        if name.kind == Kind::String {
            let message = "the name of a machine is written without quotes";
            let word = text.trim_matches('"');
            let help = System::find_in_suite(word).map(|_| format!("write `system({word})`"));
            return Err(self.report(Diagnostic::error(Code::Syntax, name.span, message).help(help)));
        }
        let system = match deprecated {
            true => PROCESSORS
                .contains(&text)
                .then(|| System::find_in_suite(&format!("generic_{text}")))
                .flatten(),
            false => System::find_in_suite(text),
        };
        let Some(system) = system else {
            let known: Vec<&str> = match deprecated {
                true => PROCESSORS[..3].to_vec(),
                false => System::suite_words().collect(),
            };
            let message = format!("unknown machine {}", self.found());
            let help = match nearest(text, known.iter().copied()) {
                Some(word) => format!("did you mean `{word}`?"),
                None => format!("known here: {}", known.join(", ")),
            };
            return Err(self.report(Diagnostic::error(Code::Syntax, name.span, message).help(help)));
        };
        if !deprecated && !System::is_of_sim6502(text) {
            self.ours(name.span, "this machine");
        }
        self.bump();
        self.expect_close(Kind::CloseParen, opener)?;
        let span = self.since(token.span);
        if deprecated && self.dialect == Dialect::Full {
            self.report(
                Diagnostic::new(Severity::Note, Code::Syntax, span, "`processor(…)` is the older spelling")
                    .help(format!("write `system(generic_{})`", text.to_ascii_lowercase())),
            );
        }
        Ok(MachineLine { system, span, deprecated })
    }

    fn parse_entry(&mut self) -> Parse<EntryKind> {
        let token = self.peek();
        let text = self.text_of(token);
        match text {
            "symbols" => {
                self.bump();
                let opener = self.expect(Kind::OpenParen)?.span;
                let file = self.expect_text("a file name")?;
                self.expect_close(Kind::CloseParen, opener)?;
                Ok(EntryKind::Symbols(file))
            }
            "load" => self.parse_load(),
            "rom" => {
                self.bump();
                let opener = self.expect(Kind::OpenParen)?.span;
                let socket = self.expect_text("a ROM's name")?;
                self.expect(Kind::Comma)?;
                let file = self.expect_text("a file name")?;
                self.expect_close(Kind::CloseParen, opener)?;
                Ok(EntryKind::Rom { socket, file })
            }
            "assemble" => self.parse_assemble(),
            "setup" => {
                self.bump();
                let brace = self.expect(Kind::OpenBrace)?.span;
                let body = self.parse_steps(brace, Home::Setup, "setup");
                if body.is_empty() {
                    self.empty(brace, "setup");
                }
                Ok(EntryKind::Setup(body))
            }
            "test" => Ok(EntryKind::Test(self.parse_test(TestKind::Test)?)),
            "bench" => {
                self.ours(token.span, "`bench`");
                Ok(EntryKind::Test(self.parse_test(TestKind::Bench)?))
            }
            "define" => {
                self.bump();
                self.ours(token.span, "`define`");
                let name = self.expect_name("a name")?;
                self.expect(Kind::Assign)?;
                let value = self.parse_expr()?;
                if !self.is_bound(&name.value) {
                    self.bind(&name);
                }
                Ok(EntryKind::Define { name, value })
            }
            "layout" => self.parse_layout(),
            "procedure" => self.parse_procedure(),
            "include" => self.parse_include(),
            "stub" | "spy" | "io" => Ok(EntryKind::Double(self.parse_double()?)),
            "guard" => {
                self.bump();
                self.ours(token.span, "`guard`");
                let write = self.is_word("write");
                if !write && !self.is_word("read") {
                    return Err(self.unexpected("`write(…)` or `read(…)`"));
                }
                self.bump();
                let ranges = self.parse_ranges()?;
                Ok(EntryKind::Guard(if write { Guard::Write(ranges) } else { Guard::Read(ranges) }))
            }
            "protect" => {
                self.bump();
                self.ours(token.span, "`protect`");
                Ok(EntryKind::Guard(Guard::Write(self.parse_ranges()?)))
            }
            "uninit" | "selfmod" | "stack" | "zp" | "preserve" => {
                self.bump();
                self.ours(token.span, "a guard");
                self.expect(Kind::Assign)?;
                Ok(EntryKind::Guard(self.parse_guard(text)?))
            }
            "assert" | "jsr" | "memfill" | "memdump" | "forall" => Err(self.report(
                Diagnostic::error(
                    Code::Syntax,
                    token.span,
                    format!("`{text}` belongs in a test, not directly in a suite"),
                )
                .help("wrap it in `test(\"id\", \"description\") { … }`, or close the test before it later"),
            )),
            _ => {
                let lower = text.to_ascii_lowercase();
                let all = words::ENTRIES.iter().chain(words::MACHINES).copied();
                let help = if words::ENTRIES.contains(&lower.as_str()) || lower == "system" {
                    Some(format!("keywords are lower case: `{lower}`"))
                } else {
                    nearest(text, all).map(|word| format!("did you mean `{word}`?"))
                };
                let message = format!("unknown line `{text}` in a suite");
                Err(self.report(Diagnostic::error(Code::Syntax, token.span, message).help(help)))
            }
        }
    }

    /// `procedure name(parameter, …) { … }`.
    fn parse_procedure(&mut self) -> Parse<EntryKind> {
        let token = self.bump();
        self.ours(token.span, "`procedure`");
        let name = self.expect_name("the procedure's name")?;
        if words::is_reserved_procedure(&name.value) {
            self.report(
                Diagnostic::error(
                    Code::Syntax,
                    name.span,
                    format!("`{}` cannot be a procedure: it is a word of the language", name.value),
                )
                .help("choose another name"),
            );
        }
        let opener = self.expect(Kind::OpenParen)?.span;
        let bound = self.names.len();
        let mut parameters: Vec<Name> = Vec::new();
        while self.kind() != Kind::CloseParen {
            if !parameters.is_empty() && !self.accept(Kind::Comma) {
                break;
            }
            let parameter = self.expect_name("a parameter's name")?;
            if parameters.iter().any(|known| known.value == parameter.value) {
                self.error(parameter.span, format!("the parameter `{}` is defined twice", parameter.value));
            }
            self.bind(&parameter);
            parameters.push(parameter);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        let span = self.since(token.span);
        let brace = self.expect(Kind::OpenBrace)?.span;
        // Known inside, so that a call of itself is told from an unknown word.
        self.procedures.insert(name.value.clone());
        let body = self.parse_steps(brace, Home::Procedure, "procedure");
        self.names.truncate(bound);
        if body.is_empty() {
            self.empty(brace, "procedure");
        }
        Ok(EntryKind::Procedure(std::sync::Arc::new(Procedure { span, name, parameters, body })))
    }

    fn parse_load(&mut self) -> Parse<EntryKind> {
        self.bump();
        let opener = self.expect(Kind::OpenParen)?.span;
        let file = self.expect_text("a file name")?;
        let (mut address, mut strip_header) = (None, None);
        while self.accept(Kind::Comma) {
            if self.accept_word("address") {
                self.expect(Kind::Assign)?;
                let place = self.parse_expr()?;
                if !place.is_place() {
                    self.ours(place.span, "a computed address");
                }
                address = Some(place);
            } else if self.accept_word("strip_header") {
                self.expect(Kind::Assign)?;
                strip_header = Some(self.expect_bool()?);
            } else {
                return Err(self.unexpected("`address = …` or `strip_header = …`"));
            }
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(EntryKind::Load { file, address, strip_header })
    }

    fn parse_assemble(&mut self) -> Parse<EntryKind> {
        let token = self.bump();
        self.ours(token.span, "`assemble`");
        let opener = self.expect(Kind::OpenParen)?.span;
        let file = self.expect_text("a source file")?;
        let mut defines: Vec<Text> = Vec::new();
        while self.accept(Kind::Comma) {
            self.expect_word("define")?;
            self.expect(Kind::Assign)?;
            defines.push(self.expect_text("a name, or names with commas")?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(EntryKind::Assemble { file, defines })
    }

    fn parse_test(&mut self, kind: TestKind) -> Parse<Test> {
        let start = self.bump().span;
        let opener = self.expect(Kind::OpenParen)?.span;
        let id = self.expect_text("the test's id")?;
        let mut description = Text { value: String::new(), span: id.span };
        let mut options = Vec::new();
        let described = self.kind() == Kind::Comma && self.kind_at(1) == Kind::String;
        if described {
            self.bump();
            description = self.expect_text("the description")?;
        } else if self.kind() == Kind::CloseParen || self.kind() == Kind::Comma {
            let span = self.peek().span;
            let (message, form) = match kind {
                TestKind::Test => ("the test has no description", "test(\"id\", \"what must be true\")"),
                TestKind::Bench => ("the bench has no description", "bench(\"id\", \"what is measured\")"),
            };
            let help = format!("write `{form} {{ … }}`");
            self.report(Diagnostic::error(Code::Syntax, span, message).help(help));
        }
        while self.accept(Kind::Comma) {
            options.push(self.parse_option()?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        let span = self.since(start);
        let brace = self.expect(Kind::OpenBrace)?.span;
        let bound = self.names.len();
        let open = self.open_names;
        let table = self.at;
        let each = self.parse_each().unwrap_or_else(|_| {
            // The rows are lost, so the names are unknown; the body is still worth reading.
            self.open_names = true;
            self.close_braces_since(table);
            while !matches!(self.kind(), Kind::CloseBrace | Kind::End) && !self.starts_line() {
                self.skip_balanced();
            }
            None
        });
        let body = self.parse_steps(brace, Home::Test, "test");
        self.names.truncate(bound);
        self.open_names = open;
        if body.is_empty() {
            self.empty(brace, "test");
        }
        Ok(Test { span, kind, id, description, options, each, body })
    }

    fn parse_each(&mut self) -> Parse<Option<Each>> {
        if !self.is_word("each") {
            return Ok(None);
        }
        let start = self.bump().span;
        self.ours(start, "`each`");
        let mut names: Vec<Name> = Vec::new();
        if self.accept(Kind::OpenParen) {
            let opener = self.last_span();
            loop {
                let name = self.expect_name("a column's name")?;
                if names.iter().any(|n| n.value == name.value) {
                    self.error(name.span, format!("the column `{}` is defined twice", name.value));
                }
                names.push(name);
                if !self.accept(Kind::Comma) {
                    break;
                }
            }
            self.expect_close(Kind::CloseParen, opener)?;
        }
        if self.accept_word("file") {
            let opener = self.expect(Kind::OpenParen)?.span;
            let file = self.expect_text("a file name")?;
            self.expect_close(Kind::CloseParen, opener)?;
            self.open_names = names.is_empty();
            names.iter().for_each(|name| self.bind(name));
            return Ok(Some(Each { span: self.since(start), names, rows: Rows::File(file) }));
        }
        if names.is_empty() {
            return Err(self.unexpected("the columns `(name, name)` or `file(\"…\")`"));
        }
        let brace = self.expect(Kind::OpenBrace)?.span;
        let mut rows = Vec::new();
        while self.kind() != Kind::CloseBrace {
            let row = self.peek().span;
            if self.kind() != Kind::OpenParen {
                return Err(self.unexpected("a row in round brackets, or `}`"));
            }
            self.operators = 0;
            let values = self.parse_list()?;
            let span = self.since(row);
            if values.len() != names.len() {
                let message =
                    format!("the row has {} values, the table {} columns", values.len(), names.len());
                self.error(span, message);
            }
            rows.push(Row { span, values });
            self.accept(Kind::Comma);
        }
        self.expect_close(Kind::CloseBrace, brace)?;
        if rows.is_empty() {
            self.empty(brace, "table");
        }
        names.iter().for_each(|name| self.bind(name));
        Ok(Some(Each { span: self.since(start), names, rows: Rows::Inline(rows) }))
    }

    fn parse_option(&mut self) -> Parse<TestOption> {
        let token = self.peek();
        if token.kind != Kind::Word {
            return Err(self.unexpected("an option such as `tags = \"…\"`"));
        }
        let text = self.text_of(token);
        if !words::OPTIONS.contains(&text) {
            let help = match nearest(text, words::OPTIONS.iter().copied()) {
                Some(word) => format!("did you mean `{word}`?"),
                None => format!("the options are {}", words::OPTIONS.join(", ")),
            };
            return Err(self.report(
                Diagnostic::error(Code::Syntax, token.span, format!("unknown option `{text}`")).help(help),
            ));
        }
        self.bump();
        if !matches!(text, "skip" | "trace" | "timeout" | "tags") {
            self.ours(token.span, "this option");
        }
        self.expect(Kind::Assign)?;
        let kind = match text {
            "skip" => OptionKind::Skip(self.expect_bool()?),
            "trace" => OptionKind::Trace(self.expect_bool()?),
            "isolate" => OptionKind::Isolate(self.expect_bool()?),
            "timeout" => OptionKind::Timeout(self.expect_number()?),
            "tags" => OptionKind::Tags(self.expect_text("tags")?),
            "budget" => OptionKind::Budget(self.parse_expr()?),
            "protect" => OptionKind::Guard(Guard::Write(self.parse_ranges()?)),
            _ => OptionKind::Guard(self.parse_guard(text)?),
        };
        Ok(TestOption { span: self.since(token.span), kind })
    }

    /// The value of a guard line or option.
    fn parse_guard(&mut self, name: &str) -> Parse<Guard> {
        let token = self.peek();
        let strictness = match (name, self.word()) {
            (_, "off") => Some(Strictness::Off),
            ("uninit" | "selfmod", "warn") => Some(Strictness::Warn),
            ("uninit" | "selfmod", "fail") => Some(Strictness::Fail),
            ("stack", "balanced") => Some(Strictness::Fail),
            _ => None,
        };
        match name {
            "zp" if strictness.is_none() => return Ok(Guard::ZeroPage(self.parse_ranges()?)),
            "preserve" if strictness.is_none() => {
                let text = self.expect_text("registers such as \"x y\"")?;
                let unknown = text.value.split([' ', ',']).filter(|word| !word.is_empty()).find(|word| {
                    crate::ast::Register::parse(word).is_none() && crate::ast::Flag::parse(word).is_none()
                });
                if let Some(word) = unknown {
                    let message = format!("`{word}` is neither a register nor a flag");
                    return Err(self.report(
                        Diagnostic::error(Code::Syntax, text.span, message)
                            .help("a x y sp p, flags c n z d v i"),
                    ));
                }
                return Ok(Guard::Preserve(text));
            }
            _ => {}
        }
        let Some(strictness) = strictness else {
            let wanted = match name {
                "stack" => "`balanced` or `off`",
                _ => "`fail`, `warn` or `off`",
            };
            return Err(self.unexpected(wanted));
        };
        self.bump();
        Ok(match name {
            "uninit" => Guard::Uninit(strictness),
            "selfmod" => Guard::SelfMod(strictness),
            "stack" => Guard::Stack(strictness),
            "preserve" => Guard::Preserve(Text { value: String::new(), span: token.span }),
            _ => Guard::ZeroPage(Vec::new()),
        })
    }

    /// `(a..b, c)`.
    fn parse_ranges(&mut self) -> Parse<Vec<Range>> {
        let opener = self.expect(Kind::OpenParen)?.span;
        let mut all = vec![self.parse_range()?];
        while self.accept(Kind::Comma) {
            all.push(self.parse_range()?);
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(all)
    }

    fn parse_layout(&mut self) -> Parse<EntryKind> {
        let token = self.bump();
        self.ours(token.span, "`layout`");
        let name = self.expect_name("the layout's name")?;
        let brace = self.expect(Kind::OpenBrace)?.span;
        let mut items = Vec::new();
        while self.kind() != Kind::CloseBrace {
            let key = self.expect_name("a property of the layout")?;
            self.expect(Kind::Assign)?;
            let mut item = LayoutItem { span: key.span, key, value: None, letters: Vec::new(), word: None };
            if self.kind() == Kind::Word
                && !self.is_bound(self.word())
                && !words::VALUES.contains(&self.word())
            {
                item.word = Some(self.expect_name("a word")?);
            } else {
                if !(self.kind() == Kind::OpenParen && self.kind_at(1) == Kind::String) {
                    item.value = Some(self.parse_expr()?);
                }
                if self.kind() == Kind::OpenParen && self.kind_at(1) == Kind::String {
                    item.letters = self.parse_letters()?;
                }
            }
            item.span = self.since(item.span);
            items.push(item);
            self.accept(Kind::Comma);
        }
        self.expect_close(Kind::CloseBrace, brace)?;
        Ok(EntryKind::Layout(Layout { name, items }))
    }

    /// `("P" = $01, "p" = $02)`.
    fn parse_letters(&mut self) -> Parse<Vec<(Text, Expr)>> {
        let opener = self.expect(Kind::OpenParen)?.span;
        let mut all = Vec::new();
        loop {
            let letter = self.expect_text("a letter in quotes")?;
            if letter.value.chars().count() != 1 {
                self.error(letter.span, "one letter stands for one value");
            }
            self.expect(Kind::Assign)?;
            all.push((letter, self.parse_expr()?));
            if !self.accept(Kind::Comma) {
                break;
            }
        }
        self.expect_close(Kind::CloseParen, opener)?;
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use tempo_emu::System;
    use tempo_expressions::words::{Place, WORDS};

    #[test]
    fn the_reserved_names_of_machines_are_sim6502s_in_the_registry() {
        let reserved = || WORDS.iter().filter(|word| word.place == Place::MachineName).map(|word| word.name);
        for word in reserved() {
            assert!(System::is_of_sim6502(word) && System::find_in_suite(word).is_some(), "{word}");
        }
        for word in System::suite_words().filter(|word| System::is_of_sim6502(word)) {
            assert!(reserved().any(|reserved| reserved == word), "{word} is not reserved");
        }
    }
}
