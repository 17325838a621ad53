//! The preprocessor: lines that begin with `#`. Runs while the text is read and knows only its own flags.

use std::collections::HashSet;
use std::rc::Rc;

use logos::Logos;

use super::{Entering, Flag, Kind, Lexer, Stage, Way};
use crate::codes::Code;
use crate::decrunch;
use crate::dialect::Preprocessor;
use crate::files::FileError;
use crate::intern::{Interner, Name};
use crate::names;
use crate::options::{Errors, Limits};
use crate::report::{Fault, Report};
use tempo_diagnostics::Span;

/// The open `#if`s of a file.
#[derive(Default)]
pub(super) struct Conditions {
    open: Vec<Condition>,
    /// How many of the open ones leave their text out; kept in step with `open`.
    inactive: usize,
}

struct Condition {
    /// The `#`.
    hash: Span,
    is_active: bool,
    /// A branch was taken already, so no later one is.
    is_done: bool,
    /// `#else` was there, so nothing but the end may follow.
    is_last: bool,
}

impl Conditions {
    pub fn is_active(&self) -> bool {
        self.inactive == 0
    }

    /// The places of the open ones.
    pub fn open(&self) -> impl Iterator<Item = Span> {
        self.open.iter().map(|condition| condition.hash)
    }

    fn push(&mut self, hash: Span, condition: bool) {
        self.open.push(Condition { hash, is_active: condition, is_done: condition, is_last: false });
        self.inactive += usize::from(!condition);
    }

    /// Switches the innermost one over to its next branch.
    fn next(&mut self, condition: bool) {
        if let Some(top) = self.open.last_mut() {
            let active = condition && !top.is_done;
            self.inactive = self.inactive + usize::from(top.is_active) - usize::from(active);
            top.is_active = active;
            top.is_done |= active;
        }
    }

    /// Whether an `#if` is open that may have another branch.
    fn may_go_on(&self) -> bool {
        self.open.last().is_some_and(|top| !top.is_last)
    }

    fn pop(&mut self) -> bool {
        let top = self.open.pop();
        self.inactive -= usize::from(top.as_ref().is_some_and(|top| !top.is_active));
        top.is_some()
    }

    /// Whether the text around the innermost one is used.
    fn is_outside_active(&self) -> bool {
        let own = self.open.last().is_some_and(|top| !top.is_active);
        self.inactive == usize::from(own)
    }
}

/// A word of a directive line.
struct Word<'t> {
    kind: Kind,
    text: &'t str,
    span: Span,
}

const TOO_FEW: &str = "Too few arguments. This directive takes 1 argument.";

impl Lexer<'_> {
    /// Handles the directive whose `#` is at `start`; returns the offset where scanning continues.
    pub(super) fn directive(
        &mut self,
        names: &mut Interner,
        (file, base): (u32, u32),
        text: &str,
        start: usize,
        conditions: &mut Conditions,
    ) -> usize {
        let place = |start: usize, end: usize| Span::new(start, end).shifted(base);
        let hash = place(start, start + 1);
        let mut raw = Kind::lexer(&text[start + 1..]);
        let mut words = Vec::new();
        let mut end = text.len();
        while let Some(token) = raw.next() {
            let range = raw.span();
            let (at, behind) = (start + 1 + range.start, start + 1 + range.end);
            let span = place(at, behind);
            match token {
                Ok(Kind::Newline) => {
                    end = at;
                    break;
                }
                Ok(Kind::Comment) => {}
                Ok(Kind::OpenComment) => {
                    self.report(Code::UnterminatedComment, place(at, at + 2), "Unterminated comment");
                    return text.len();
                }
                Ok(Kind::OpenString) => {
                    self.report(Code::UnterminatedString, span, "Unterminated string");
                    return behind;
                }
                Ok(kind) => words.push(Word { kind, text: &text[at..behind], span }),
                Err(()) if conditions.is_active() => {
                    self.report(Code::InvalidCharacter, span, "Invalid token")
                }
                Err(()) => {}
            }
        }
        let glued = words.first().is_some_and(|word| word.span.start == hash.end && word.kind == Kind::Ident);
        if !glued {
            if conditions.is_active() {
                self.report(
                    Code::DirectiveNotNamed,
                    place(start + 1, start + 1),
                    "Token must be an identifer",
                );
            }
            return end;
        }
        let name = names.intern(words[0].text);
        let arguments = &words[1..];
        let line_end = place(end, end);
        let Some(directive) = names::preprocessor(name) else {
            self.found(Stage::Reading, Report::fault(Fault::Preprocessor(name), hash, names));
            return end;
        };
        match directive {
            // Nothing is opened, so its end will be one too many.
            Preprocessor::If if arguments.is_empty() => {}
            Preprocessor::If => {
                // A condition in text that is left out is read, too.
                let value = self.condition(names, arguments, line_end);
                conditions.push(hash, value && conditions.is_active());
            }
            Preprocessor::Elif => {
                if !conditions.may_go_on() {
                    self.report(Code::ConditionWithoutIf, hash, "Elif without if");
                } else if arguments.is_empty() {
                    conditions.next(false);
                } else {
                    let value = self.condition(names, arguments, line_end);
                    conditions.next(value && conditions.is_outside_active());
                }
            }
            Preprocessor::Else => {
                self.no_arguments(words[0].text, arguments);
                if !conditions.may_go_on() {
                    self.report(Code::ConditionWithoutIf, hash, "Else without if");
                }
                let outside = conditions.is_outside_active();
                conditions.next(outside);
                if let Some(top) = conditions.open.last_mut() {
                    top.is_last = true;
                }
            }
            Preprocessor::Endif => {
                self.no_arguments(words[0].text, arguments);
                if !conditions.pop() {
                    self.report(Code::ConditionWithoutIf, hash, "Endif without if to end");
                }
            }
            Preprocessor::Define
            | Preprocessor::Undef
            | Preprocessor::ImportOnce
            | Preprocessor::Import
            | Preprocessor::ImportIf
                if !conditions.is_active() => {}
            Preprocessor::Define | Preprocessor::Undef => {
                if let Some(symbol) = self.symbol_argument(names, words[0].text, arguments, hash) {
                    self.flag(symbol, arguments[0].span, directive == Preprocessor::Define);
                    let defines = Rc::make_mut(&mut self.flow.defines);
                    if directive == Preprocessor::Define {
                        self.misspelled.define(names.get(symbol), symbol);
                    }
                    match directive {
                        Preprocessor::Define => defines.insert(symbol),
                        _ => defines.remove(&symbol),
                    };
                }
            }
            Preprocessor::ImportOnce => {
                self.no_arguments(words[0].text, arguments);
                let file = self.sources.identity(file);
                Rc::make_mut(&mut self.flow.once).insert(file);
            }
            Preprocessor::Import => match arguments {
                [word] if word.kind == Kind::PlainString => {
                    self.import(&word.text[1..word.text.len() - 1], word.span, hash);
                }
                [word] => self.report(Code::FileNameExpected, word.span, "Filename string expected"),
                [_, surplus, ..] => {
                    self.report(
                        Code::DirectiveArguments,
                        surplus.span,
                        "Invalid argument. #import takes 1 argument.",
                    );
                }
                [] => self.report(Code::DirectiveArguments, hash, TOO_FEW),
            },
            Preprocessor::ImportIf => match arguments.split_last() {
                None => {}
                Some((word, _)) if word.kind != Kind::PlainString => {
                    self.report(Code::FileNameExpected, hash, "Filename string expected");
                }
                Some((word, condition)) if self.condition(names, condition, word.span) => {
                    self.import(&word.text[1..word.text.len() - 1], word.span, hash);
                }
                Some(_) => {}
            },
        }
        end
    }

    fn flag(&mut self, name: Name, span: Span, is_definition: bool) {
        if self.options.analysis {
            let order = self.out.flags.len() as u32;
            self.out.flags.push(Flag { name, span, is_definition, order });
        }
    }

    fn symbol_argument(
        &mut self,
        names: &mut Interner,
        directive: &str,
        arguments: &[Word<'_>],
        hash: Span,
    ) -> Option<Name> {
        let (span, message) = match arguments {
            [word] if word.kind == Kind::Ident => return Some(names.intern(word.text)),
            [word] => (word.span, "symbolname must be an identifer".to_owned()),
            [_, surplus, ..] => (surplus.span, format!("Invalid argument. #{directive} takes 1 argument.")),
            [] => (hash, TOO_FEW.to_owned()),
        };
        self.report(Code::DirectiveArguments, span, message);
        None
    }

    /// Reports what is after a directive that takes nothing.
    fn no_arguments(&mut self, directive: &str, arguments: &[Word<'_>]) {
        if let Some(surplus) = arguments.first() {
            let message = format!("Invalid argument. #{directive} takes 0 argument.");
            self.report(Code::DirectiveArguments, surplus.span, message);
        }
    }

    /// The value of a condition; a malformed one is reported and false.
    fn condition(&mut self, names: &mut Interner, words: &[Word<'_>], end: Span) -> bool {
        let mut parser = Expression { defines: &self.flow.defines, names, words, at: 0, depth: 0 };
        let value = parser.or();
        let at = parser.at;
        let is_checked = self.options.lints.is_on(Code::MisspelledSymbol);
        for word in words.iter().filter(|word| is_checked && word.kind == Kind::Ident) {
            let name = names.intern(word.text);
            if self.flow.defines.contains(&name) {
                continue;
            }
            let like = self.misspelled.like(word.text);
            let defined = like.into_iter().filter(|name| self.flow.defines.contains(name));
            let Some(meant) = defined.map(|name| names.get(name)).min() else { continue };
            let message = format!("'{}' is not defined, and '{meant}' is", word.text);
            let report = Report::warning(Code::MisspelledSymbol, word.span, message);
            self.out.warnings.push(report.with_help(format!("did you mean {meant}?")));
        }
        if self.options.analysis {
            for word in words.iter().filter(|word| word.kind == Kind::Ident) {
                let name = names.intern(word.text);
                self.flag(name, word.span, false);
            }
        }
        match value {
            Some(value) if at == words.len() => value,
            // An operator at the end of the line has nothing to its right, which counts as not set.
            None if at == words.len()
                && words.last().is_some_and(|word| matches!(word.kind, Kind::AndAnd | Kind::OrOr)) =>
            {
                false
            }
            _ => {
                let span = words.get(at).map_or(end, |word| word.span);
                self.report(Code::ConditionSyntax, span, "Syntax error");
                false
            }
        }
    }

    /// Puts a file into the stream, from the next token on. `span` is where a missing file is reported, `from` the directive.
    fn import(&mut self, name: &str, span: Span, from: Span) {
        // Beside the file it is in; in one that `.import source` reads, beside the one that says so.
        let importer = self.beside;
        let way = Way::Preprocessor;
        match self.find(importer, name, way, span, from, self.stack.len()) {
            Ok((file, is_wanted)) => {
                self.imported(span, file);
                if is_wanted {
                    self.entering = Some(Entering { file, from: span, way, beside: file, unit: None });
                }
            }
            Err(report) => self.found(Stage::Reading, *report),
        }
    }

    /// Notes where a file is imported.
    pub(super) fn imported(&mut self, span: Span, file: u32) {
        if self.options.analysis {
            self.out.imports.push((span, file));
        }
    }

    /// The file of an import, and whether it is to be read here: it may be there already. `depth` is how many files are open around it.
    pub(super) fn find(
        &mut self,
        importer: u32,
        name: &str,
        way: Way,
        span: Span,
        from: Span,
        depth: usize,
    ) -> Result<(u32, bool), Box<Report>> {
        let importer_path = self.sources.path(importer).to_owned();
        // Kick Assembler has no such files.
        let built_in = decrunch::built_in(name).filter(|_| self.options.errors == Errors::Many);
        let loaded = built_in.map_or_else(|| self.files.read(name, Some(&importer_path)), Ok);
        let loaded = loaded.map_err(|error| {
            let message = match name {
                "" if way == Way::Source => "Couldn't load file: ".to_owned(),
                _ => format!("Can't open file: {name}"),
            };
            let report = Report::error(Code::ImportNotFound, span, message);
            Box::new(match name.starts_with("<tempo/") && self.options.errors == Errors::Many {
                true => report.with_note(format!("built in are: {}", decrunch::names().join(", "))),
                false => {
                    let folders = match error {
                        FileError::NotFound => self.files.searched(name, Some(&importer_path)),
                        _ => Vec::new(),
                    };
                    let searched = if folders.is_empty() { "" } else { "; searched in: " };
                    report.with_note(format!("{error}{searched}{}", folders.join(", ")))
                }
            })
        })?;
        // Debug dumps list a file by all the names it was found by. Others know it by its path.
        let separate = self.options.source_map && !self.options.analysis;
        let shown = loaded.shown.clone().filter(|_| separate);
        let key = shown.as_ref().map_or(loaded.path.clone(), |shown| format!("{}\0{shown}", loaded.path));
        let file = match self.loaded.get(&key) {
            Some(&file) => file,
            None => {
                let known = self.sources.find(&loaded.path, shown.as_deref());
                let file = match known {
                    Some(file) => file,
                    None => {
                        let text = self.text(&loaded.path, loaded.bytes);
                        let added = self.sources.add_shared(loaded.path.clone(), text, Some(from));
                        let Some(file) = added else {
                            let message = "The sources are larger than 4 GB together";
                            return Err(Box::new(Report::error(Code::TooMuchSource, span, message)));
                        };
                        self.sources.identify(file, loaded.identity);
                        self.sources.show_as(file, loaded.shown);
                        file
                    }
                };
                self.loaded.insert(key, file);
                file
            }
        };
        // After one import exceeded the depth, every further one would exceed it, too.
        let is_too_deep = || self.out.reports.iter().any(|found| found.report.code == Code::ImportsTooDeep);
        if self.is_there(file, way) || is_too_deep() {
            return Ok((file, false));
        }
        let limits = &self.options.limits;
        // The file that imports is not on the stack while it is read, the root is never an import.
        if depth >= limits.import_depth as usize {
            let message = format!("Imports are nested deeper than {}", limits.import_depth);
            let report = Report::error(Code::ImportsTooDeep, span, message).with_help(format!(
                "a file that imports itself, directly or not, needs #importonce; {}",
                Limits::raised("imports", limits.import_depth.into())
            ));
            return Err(Box::new(report));
        }
        if self.read > limits.source_bytes {
            let message = format!("More than {} bytes of source", limits.source_bytes);
            let help = Limits::raised("source", limits.source_bytes);
            return Err(Box::new(Report::error(Code::TooMuchSource, span, message).with_help(help)));
        }
        Ok((file, true))
    }
}

/// Parses and evaluates a condition: `!`, `==` `!=`, `&&`, `||`, parentheses and names.
struct Expression<'l, 'w> {
    defines: &'l HashSet<Name>,
    names: &'l mut Interner,
    words: &'w [Word<'w>],
    at: usize,
    depth: u32,
}

impl Expression<'_, '_> {
    fn accept(&mut self, mark: Kind) -> bool {
        let found = self.words.get(self.at).is_some_and(|word| word.kind == mark);
        self.at += usize::from(found);
        found
    }

    fn or(&mut self) -> Option<bool> {
        let mut value = self.and()?;
        while self.accept(Kind::OrOr) {
            value |= self.and()?;
        }
        Some(value)
    }

    fn and(&mut self) -> Option<bool> {
        let mut value = self.equality()?;
        while self.accept(Kind::AndAnd) {
            value &= self.equality()?;
        }
        Some(value)
    }

    fn equality(&mut self) -> Option<bool> {
        let mut value = self.unary()?;
        loop {
            if self.accept(Kind::Equal) {
                value = value == self.unary()?;
            } else if self.accept(Kind::NotEqual) {
                value = value != self.unary()?;
            } else {
                return Some(value);
            }
        }
    }

    fn unary(&mut self) -> Option<bool> {
        let mut negated = false;
        while self.accept(Kind::Bang) {
            negated = !negated;
        }
        let value = if self.accept(Kind::LeftParen) {
            self.depth += 1;
            if self.depth > 100 {
                return None;
            }
            let value = self.or()?;
            self.depth -= 1;
            if !self.accept(Kind::RightParen) {
                return None;
            }
            value
        } else {
            let word = self.words.get(self.at).filter(|word| word.kind == Kind::Ident)?;
            let name = self.names.intern(word.text);
            if matches!(name, names::TRUE | names::FALSE | names::NULL | names::VAR | names::CONST) {
                return None;
            }
            self.at += 1;
            self.defines.contains(&name)
        };
        Some(value != negated)
    }
}
