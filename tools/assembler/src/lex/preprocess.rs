//! The preprocessor: lines that begin with `#`. Runs while the text is read and knows only its own flags.

use logos::Logos;

use super::Lexer;
use super::scan::Raw;
use crate::diagnostics::Report;
use crate::intern::Name;
use crate::names;
use crate::source::{Pos, decode};

/// The open `#if`s of a file.
#[derive(Default)]
pub(super) struct Conditions {
    open: Vec<Condition>,
    /// How many of the open ones leave their text out; kept in step with `open`.
    inactive: usize,
}

struct Condition {
    is_active: bool,
    /// A branch was taken already, so no later one is.
    is_done: bool,
}

impl Conditions {
    pub fn is_active(&self) -> bool {
        self.inactive == 0
    }

    fn push(&mut self, condition: bool) {
        self.open.push(Condition { is_active: condition, is_done: condition });
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
    raw: Raw,
    text: &'t str,
    pos: Pos,
}

impl Lexer<'_> {
    /// Handles the directive whose `#` is at `start`; returns the offset at which scanning goes on.
    pub(super) fn directive(
        &mut self,
        file: u32,
        base: u32,
        text: &str,
        start: usize,
        conditions: &mut Conditions,
    ) -> usize {
        let hash = Pos(base + start as u32);
        let mut raw = Raw::lexer(&text[start + 1..]);
        let mut words = Vec::new();
        let mut end = text.len();
        while let Some(token) = raw.next() {
            let span = raw.span();
            let at = start + 1 + span.start;
            let pos = Pos(base + at as u32);
            match token {
                Ok(Raw::Newline) => {
                    end = at;
                    break;
                }
                Ok(Raw::OpenComment) => {
                    self.report("E0103", pos, "Unterminated comment");
                    return text.len();
                }
                Ok(Raw::OpenString) => {
                    self.report("E0102", pos, "Unterminated string");
                    let rest = &text[at..];
                    end = at + rest.find(['\r', '\n']).unwrap_or(rest.len());
                    return end;
                }
                Ok(raw) => words.push(Word { raw, text: &text[at..start + 1 + span.end], pos }),
                Err(()) if conditions.is_active() => self.report("E0101", pos, "Invalid token"),
                Err(()) => {}
            }
        }
        let glued = words.first().is_some_and(|word| word.pos.0 == hash.0 + 1 && word.raw == Raw::Ident);
        if !glued {
            if conditions.is_active() {
                self.report("E0106", Pos(hash.0 + 1), "Token must be an identifer");
            }
            return end;
        }
        let name = self.out.names.intern(words[0].text);
        let arguments = &words[1..];
        let line_end = Pos(base + end as u32);
        match name {
            names::IF => {
                let value = conditions.is_active() && self.condition(arguments, line_end);
                conditions.push(value);
            }
            names::ELIF => {
                if conditions.open.is_empty() {
                    self.report("E0107", hash, "Elif without if");
                } else {
                    let value = conditions.is_outside_active() && self.condition(arguments, line_end);
                    conditions.next(value);
                }
            }
            names::ELSE => {
                if conditions.open.is_empty() {
                    self.report("E0107", hash, "Else without if");
                }
                let outside = conditions.is_outside_active();
                conditions.next(outside);
            }
            names::ENDIF => {
                if !conditions.pop() {
                    self.report("E0107", hash, "Endif without if to end");
                }
            }
            _ if !conditions.is_active() => {}
            names::DEFINE | names::UNDEF => {
                if let Some(symbol) = self.symbol_argument(words[0].text, arguments, line_end) {
                    match name {
                        names::DEFINE => self.defines.insert(symbol),
                        _ => self.defines.remove(&symbol),
                    };
                }
            }
            names::IMPORTONCE => {
                self.once.insert(file);
            }
            names::IMPORT => match arguments {
                [word] if word.raw == Raw::Plain => {
                    self.import(file, &word.text[1..word.text.len() - 1], word.pos, hash);
                }
                [word] => self.report("E0108", word.pos, "Filename string expected"),
                [_, surplus, ..] => {
                    self.report("E0109", surplus.pos, "Invalid argument. #import takes 1 argument.");
                }
                [] => self.report("E0109", line_end, "Invalid argument. #import takes 1 argument."),
            },
            names::IMPORTIF => match arguments.split_last() {
                Some((word, condition)) if word.raw == Raw::Plain => {
                    if self.condition(condition, word.pos) {
                        self.import(file, &word.text[1..word.text.len() - 1], word.pos, hash);
                    }
                }
                Some((word, _)) => self.report("E0108", word.pos, "Filename string expected"),
                None => self.report("E0108", line_end, "Filename string expected"),
            },
            _ => {
                let message = format!("Unknown preprocessor directive #{}", words[0].text);
                self.report("E0110", hash, message);
            }
        }
        end
    }

    fn symbol_argument(&mut self, directive: &str, arguments: &[Word<'_>], line_end: Pos) -> Option<Name> {
        let surplus = match arguments {
            [word] if word.raw == Raw::Ident => return Some(self.out.names.intern(word.text)),
            [word] => word.pos,
            [_, surplus, ..] => surplus.pos,
            [] => line_end,
        };
        self.report("E0109", surplus, format!("Invalid argument. #{directive} takes 1 argument."));
        None
    }

    /// The value of a condition; a malformed one is reported and false.
    fn condition(&mut self, words: &[Word<'_>], end: Pos) -> bool {
        let mut parser = Expression { lexer: self, words, at: 0, depth: 0 };
        let value = parser.or();
        match value {
            Some(value) if parser.at == words.len() => value,
            _ => {
                let pos = words.get(parser.at).map_or(end, |word| word.pos);
                self.report("E0111", pos, "Syntax error");
                false
            }
        }
    }

    /// Puts a file into the stream, from the next token on. `pos` is where a missing file is reported, `from` the directive.
    pub(super) fn import(&mut self, importer: u32, name: &str, pos: Pos, from: Pos) {
        let importer_path = self.sources.file(importer).path.clone();
        let loaded = match self.files.read(name, Some(&importer_path)) {
            Ok(loaded) => loaded,
            Err(error) => {
                let report = Report::error("E0112", pos, format!("Can't open file: {name}"));
                self.out.reports.push(report.note(error.to_string()));
                return;
            }
        };
        let file = match self.loaded.get(&loaded.path) {
            Some(&file) => file,
            None => {
                let known =
                    (0..self.sources.len() as u32).find(|&file| self.sources.file(file).path == loaded.path);
                let added =
                    known.or_else(|| self.sources.add(loaded.path.clone(), decode(loaded.bytes), Some(from)));
                let Some(file) = added else {
                    return self.report("E0113", pos, "The sources are larger than 4 GB together");
                };
                self.loaded.insert(loaded.path, file);
                file
            }
        };
        // After imports went too deep once, every further one would go as deep again.
        if self.once.contains(&file) || self.out.reports.iter().any(|report| report.code == "E0114") {
            return;
        }
        let limits = &self.options.limits;
        // The file that imports is not on the stack while it is read, the root is never an import.
        if self.stack.len() >= limits.import_depth as usize {
            let report = Report::error(
                "E0114",
                pos,
                format!("Imports are nested deeper than {}", limits.import_depth),
            );
            self.out
                .reports
                .push(report.help("a file that imports itself, directly or not, needs #importonce"));
            return;
        }
        if self.read > limits.source_bytes {
            let message = format!("More than {} bytes of source", limits.source_bytes);
            return self.report("E0113", pos, message);
        }
        self.entering = Some((file, from));
    }
}

/// Parses and evaluates a condition: `!`, `==` `!=`, `&&`, `||`, parentheses and names.
struct Expression<'l, 'w, 'f> {
    lexer: &'l mut Lexer<'f>,
    words: &'w [Word<'w>],
    at: usize,
    depth: u32,
}

impl Expression<'_, '_, '_> {
    fn accept(&mut self, raw: Raw) -> bool {
        let found = self.words.get(self.at).is_some_and(|word| word.raw == raw);
        self.at += usize::from(found);
        found
    }

    fn or(&mut self) -> Option<bool> {
        let mut value = self.and()?;
        while self.accept(Raw::OrOr) {
            value |= self.and()?;
        }
        Some(value)
    }

    fn and(&mut self) -> Option<bool> {
        let mut value = self.equality()?;
        while self.accept(Raw::AndAnd) {
            value &= self.equality()?;
        }
        Some(value)
    }

    fn equality(&mut self) -> Option<bool> {
        let mut value = self.unary()?;
        loop {
            if self.accept(Raw::Equal) {
                value = value == self.unary()?;
            } else if self.accept(Raw::NotEqual) {
                value = value != self.unary()?;
            } else {
                return Some(value);
            }
        }
    }

    fn unary(&mut self) -> Option<bool> {
        let mut negated = false;
        while self.accept(Raw::Bang) {
            negated = !negated;
        }
        let value = if self.accept(Raw::LeftParen) {
            self.depth += 1;
            if self.depth > 100 {
                return None;
            }
            let value = self.or()?;
            self.depth -= 1;
            if !self.accept(Raw::RightParen) {
                return None;
            }
            value
        } else {
            let word = self.words.get(self.at).filter(|word| word.raw == Raw::Ident)?;
            let name = self.lexer.out.names.intern(word.text);
            if matches!(name, names::TRUE | names::FALSE | names::NULL | names::VAR | names::CONST) {
                return None;
            }
            self.at += 1;
            self.lexer.defines.contains(&name)
        };
        Some(value != negated)
    }
}
