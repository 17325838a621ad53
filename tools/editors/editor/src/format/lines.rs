//! Columns, line by line. Knows tokens and braces; that the text is a program has been checked before.

use std::collections::HashMap;

use tempo_assembler::dialect::{Directive, Emits};
use tempo_assembler::{Cpu, SourceToken, TokenKind};
use tempo_diagnostics::Span;

use super::{Case, Style};
use crate::Edit;

/// Columns between two stops of tabs, and of comments after long code.
const STOP: usize = 8;

/// A comment that begins here or further right, below another one, goes on with it.
const BESIDE: usize = 16;

pub(super) struct Formatter<'a> {
    text: &'a str,
    tokens: &'a [SourceToken],
    style: &'a Style,
    edits: Vec<Edit>,
    /// The columns of the statements whose braces are open.
    open: Vec<usize>,
    /// Open parentheses and brackets.
    nesting: usize,
    /// Braces at each `#if` around the line.
    conditions: Vec<Vec<usize>>,
    /// How far the statement that may go on was moved; `None` if it has ended.
    moved: Option<isize>,
    /// The column of the comment in the line before.
    comment: Option<usize>,
    /// The column of the last statement.
    column: usize,
    /// Lines with nothing but a comment that wait for the statement below: their tokens.
    waiting: Vec<usize>,
    /// Directives of data in tables whose columns are the author's.
    tables: HashMap<usize, usize>,
}

/// The start of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Goes into the column of instructions.
    Code,
    /// Is indented by its braces.
    Script,
    /// Stands at the start of the line.
    Preprocessor,
    /// Has its label at the start of the line.
    Label,
    Closer,
}

impl<'a> Formatter<'a> {
    pub fn new(text: &'a str, tokens: &'a [SourceToken], style: &'a Style) -> Formatter<'a> {
        Formatter {
            text,
            tokens,
            style,
            edits: Vec::new(),
            open: Vec::new(),
            nesting: 0,
            conditions: Vec::new(),
            moved: None,
            comment: None,
            column: 0,
            waiting: Vec::new(),
            tables: HashMap::new(),
        }
    }

    pub fn edits(mut self) -> Vec<Edit> {
        self.find_tables();
        let mut first = 0;
        for at in 0..=self.tokens.len() {
            if self.tokens.get(at).is_none_or(|token| token.kind == TokenKind::LineEnd) {
                self.line(first, at);
                first = at + 1;
            }
        }
        self.place_waiting(self.column.min(self.code_column()));
        self.edits.sort_by_key(|edit| edit.span);
        self.edits
    }

    /// Finds tables: lines of data below each other that begin in one column, which a long label has moved to the right.
    fn find_tables(&mut self) {
        // The directives of the lines so far, their column, and the longest label.
        let mut run: Vec<usize> = Vec::new();
        let (mut column, mut longest) = (0, 0);
        let mut first = 0;
        for at in 0..=self.tokens.len() {
            if self.tokens.get(at).is_some_and(|token| token.kind != TokenKind::LineEnd) {
                continue;
            }
            let line = (first < at).then(|| self.data(first, at)).flatten();
            if line.is_none_or(|(_, old, _)| old != column) {
                self.keep_table(&run, column, longest);
                run.clear();
                longest = 0;
            }
            if let Some((data, old, label)) = line {
                run.push(data);
                (column, longest) = (old, longest.max(label));
            }
            first = at + 1;
        }
        self.keep_table(&run, column, longest);
    }

    fn keep_table(&mut self, run: &[usize], column: usize, longest: usize) {
        if run.len() > 1 && longest >= self.style.code as usize {
            self.tables.extend(run.iter().map(|&at| (at, column)));
        }
    }

    /// The directive of a line of data, the column that it begins in, and the length of the label before it.
    fn data(&self, first: usize, end: usize) -> Option<(usize, usize, usize)> {
        let mut at = first;
        if self.is_label(first) {
            at += (first..end).take_while(|&at| self.word(at) != ":").count() + 1;
        }
        let emits = |word| Directive::find(word).map(|directive| directive.item().emits);
        let is_data = at < end
            && self.kind(at) == Some(TokenKind::DotName)
            && matches!(emits(self.word(at)), Some(Emits::Values | Emits::Count));
        let (start, begin) = (self.before(first), self.tokens[first].start as usize);
        let label = &self.text[begin..if at == first { begin } else { self.before(at) }];
        let column = width(&self.text[start..self.tokens.get(at)?.start as usize], 0);
        is_data.then(|| (at, column, label.chars().count()))
    }

    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start as usize..token.end as usize])
    }

    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The offset after the token before; for the first of a line, where the line begins.
    fn before(&self, at: usize) -> usize {
        if at == 0 { 0 } else { self.tokens[at - 1].end as usize }
    }

    /// The blanks before a token.
    fn gap(&self, at: usize) -> &'a str {
        let end = self.tokens.get(at).map_or(self.text.len(), |token| token.start as usize);
        &self.text[self.before(at)..end]
    }

    fn replace(&mut self, start: usize, end: usize, text: String) {
        if self.text[start..end] != text {
            self.edits.push(Edit { file: String::new(), span: Span::new(start, end), text });
        }
    }

    /// Sets the number of blanks before a token.
    fn set_gap(&mut self, at: usize, blanks: usize) {
        let end = self.tokens[at].start as usize;
        self.replace(self.before(at), end, " ".repeat(blanks));
    }

    /// One line, which may be several if a comment goes over them: tokens from `first` up to `end`.
    fn line(&mut self, first: usize, end: usize) {
        // Blanks at the end, and all of an empty line.
        if end < self.tokens.len() {
            let (start, stop) = (self.before(end), self.tokens[end].start as usize);
            // A line end of its own before and after them would become one.
            let is_between = self.text[..start].ends_with('\r') && self.text[stop..].starts_with('\n');
            let blanks = usize::from(is_between && start < stop);
            self.replace(start, stop, " ".repeat(blanks));
        } else {
            self.replace(self.before(end), self.text.len(), String::new());
        }
        if first == end {
            self.comment = None;
            return;
        }
        // Text that a condition leaves out may be anything.
        if (first..end).any(|at| self.kind(at) == Some(TokenKind::Invalid)) {
            (self.moved, self.comment) = (None, None);
            self.waiting.clear();
            return;
        }
        let last = end - 1;
        let tokens = self.tokens;
        let is_comment = |at: usize| tokens[at].kind == TokenKind::Comment;
        let has_lines = (first..end).any(|at| is_comment(at) && self.word(at).contains(['\n', '\r']));
        if is_comment(last) {
            let comment = self.word(last);
            if comment.starts_with("//") {
                let stop = self.tokens[last].end as usize;
                let kept = comment.trim_end_matches([' ', '\t']).len();
                self.replace(stop - comment.len() + kept, stop, String::new());
            }
        }
        let is_only_comment = first == last && is_comment(first);
        if is_comment(first) && (has_lines || !is_only_comment) {
            // Its shape is the author's.
            self.braces(first, end, self.column);
            (self.moved, self.comment) = (None, None);
            return;
        }
        if is_only_comment {
            self.comment_line(first);
            return;
        }
        if self.nesting > 0 || self.goes_on(first) {
            let moved = self.moved.unwrap_or(0);
            let old = width(self.gap(first), 0);
            // Members of an enum are below each other; other lines keep their shape.
            let is_member = self.nesting == 0 && self.kind(first) == Some(TokenKind::Name);
            let column = if is_member { self.script_column() } else { old.saturating_add_signed(moved) };
            self.waiting.clear();
            self.set_gap(first, column);
            let column = self.column;
            self.braces(first, end, column);
            self.trailing_comment(first, end);
            return;
        }
        self.statement(first, end);
        if !has_lines {
            self.trailing_comment(first, end);
        }
    }

    /// Whether a line goes on with the statement above.
    fn goes_on(&self, first: usize) -> bool {
        if self.moved.is_none() {
            return false;
        }
        let is_start = |at: usize| match self.kind(at) {
            Some(TokenKind::Name | TokenKind::DotName | TokenKind::Mark) => true,
            Some(TokenKind::Operator) => matches!(self.word(at), "!" | "*"),
            Some(TokenKind::Assignment) => self.word(at) == "*=",
            _ => false,
        };
        // The last token of the line above that is not a comment.
        let mut above = first;
        while above > 0 {
            above -= 1;
            if !matches!(self.kind(above), Some(TokenKind::LineEnd | TokenKind::Comment)) {
                break;
            }
        }
        let is_open = match self.kind(above) {
            Some(TokenKind::Mark) => self.word(above) == ",",
            Some(TokenKind::Assignment) => true,
            _ => false,
        };
        is_open || !is_start(first)
    }

    fn script_column(&self) -> usize {
        let indent = self.style.indent as usize;
        // A statement after a label begins further right than its braces say.
        let inner = self.open.last().map_or(0, |column| column + indent);
        inner.max(self.open.len() * indent)
    }

    fn code_column(&self) -> usize {
        self.script_column().max(self.style.code as usize)
    }

    /// A line that begins a statement.
    fn statement(&mut self, first: usize, end: usize) {
        let old = width(self.gap(first), 0);
        let class = self.class(first);
        let (script, code) = (self.script_column(), self.code_column());
        let mut column = match class {
            Class::Code => self.tables.get(&first).copied().unwrap_or(0).max(code),
            Class::Script => script,
            Class::Preprocessor | Class::Label => 0,
            Class::Closer => {
                let closers = (first..end).take_while(|&at| self.word(at) == "}").count();
                let outer = self.open.len().saturating_sub(closers);
                self.open.get(outer).copied().unwrap_or(0)
            }
        };
        let waiting = match class {
            Class::Closer => self.column.min(code),
            Class::Label => code,
            _ => column,
        };
        self.place_waiting(waiting);
        self.set_gap(first, column);
        self.moved = Some(column as isize - old as isize);
        let mut start = first;
        if class == Class::Label {
            start = self.label(first, end, code, &mut column);
        }
        if self.kind(start) == Some(TokenKind::Name) && class != Class::Preprocessor && start < end {
            self.instruction(start, end, column);
        }
        if class == Class::Preprocessor {
            self.condition(first);
            self.moved = None;
        } else {
            self.column = column;
            self.braces(first, end, column);
        }
        self.numbers(first, end);
    }

    /// The label that a line begins with, and the gap after it. Returns the first token after, and its column.
    fn label(&mut self, first: usize, end: usize, code: usize, column: &mut usize) -> usize {
        let mut colon = first;
        while self.word(colon) != ":" {
            colon += 1;
        }
        let next = colon + 1;
        let label = &self.text[self.tokens[first].start as usize..self.tokens[colon].end as usize];
        let len = label.chars().count();
        if next >= end || self.kind(next) == Some(TokenKind::Comment) {
            return end;
        }
        if self.word(next) == "{" {
            self.set_gap(next, 1);
            return end;
        }
        if self.is_label(next) {
            return end;
        }
        let kept = self.tables.get(&next).copied().unwrap_or(0);
        *column = if len < code { code.max(kept) } else { kept.max(len + 1) };
        self.set_gap(next, *column - len);
        next
    }

    /// Whether a label begins here: a name and a colon that touches it.
    fn is_label(&self, at: usize) -> bool {
        let touches = |at: usize| self.gap(at).is_empty();
        let is_colon = |at: usize| self.word(at) == ":" && touches(at);
        let is_name = |at: usize| self.kind(at) == Some(TokenKind::Name);
        match self.word(at) {
            "!" => is_colon(at + 1) || is_name(at + 1) && touches(at + 1) && is_colon(at + 2),
            "@" => is_name(at + 1) && touches(at + 1) && is_colon(at + 2),
            _ => is_name(at) && is_colon(at + 1),
        }
    }

    fn class(&self, first: usize) -> Class {
        if self.is_label(first) {
            return Class::Label;
        }
        let word = self.word(first);
        match self.kind(first) {
            Some(TokenKind::Mark) => match word {
                "#" => Class::Preprocessor,
                "}" => Class::Closer,
                "{" => Class::Script,
                _ => Class::Code,
            },
            Some(TokenKind::DotName) => match Directive::find(word).map(|directive| directive.item().emits) {
                None | Some(Emits::Nothing) => Class::Script,
                Some(Emits::Values | Emits::Count) => Class::Code,
            },
            Some(TokenKind::Name) if is_mnemonic(word) => Class::Code,
            Some(TokenKind::Name) => {
                // Members of an enum are not calls.
                let is_member = matches!(self.word(first + 1), "," | "=" | "}");
                // The line of BASIC is often the title of a program, like the `*=` that it stands for.
                let is_title =
                    word.starts_with("BasicUpstart") && self.open.is_empty() && self.gap(first).is_empty();
                if is_member || is_title || word == "else" { Class::Script } else { Class::Code }
            }
            _ => Class::Script,
        }
    }

    /// A mnemonic with its operand, or a call.
    fn instruction(&mut self, start: usize, end: usize, column: usize) {
        let word = self.word(start);
        if !is_mnemonic(word) {
            return;
        }
        let token = self.tokens[start];
        let mut operand = start + 1;
        while self.kind(operand) == Some(TokenKind::DotName) && self.gap(operand).is_empty() {
            operand += 1;
        }
        let ends =
            operand >= end || self.kind(operand) == Some(TokenKind::Comment) || self.word(operand) == ";";
        if ends || self.gap(operand).is_empty() {
            return;
        }
        let len = self.before(operand) - token.start as usize;
        let blanks = (self.style.operand as usize).saturating_sub(column + len).max(1);
        self.set_gap(operand, blanks);
    }

    fn numbers(&mut self, first: usize, end: usize) {
        if self.style.hex == Case::Leave {
            return;
        }
        for at in first..end {
            let word = self.word(at);
            if self.kind(at) == Some(TokenKind::Number) && word.starts_with('$') {
                let token = self.tokens[at];
                self.replace(token.start as usize, token.end as usize, self.style.hex.apply(word));
            }
        }
    }

    /// Opens and closes what the tokens of a line do. Braces that open belong to the statement in that column.
    fn braces(&mut self, first: usize, end: usize, column: usize) {
        for at in first..end {
            match self.word(at) {
                "{" => self.open.push(column),
                "}" => {
                    self.open.pop();
                }
                "(" | "[" => self.nesting += 1,
                ")" | "]" => self.nesting = self.nesting.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Both branches of a condition begin with the same braces open.
    fn condition(&mut self, first: usize) {
        match self.word(first + 1) {
            "if" => self.conditions.push(self.open.clone()),
            "elif" | "else" => {
                if let Some(open) = self.conditions.last() {
                    self.open.clone_from(open);
                }
            }
            "endif" => {
                self.conditions.pop();
            }
            _ => {}
        }
    }

    /// The comment after the code of a line.
    fn trailing_comment(&mut self, first: usize, end: usize) {
        let last = end - 1;
        self.comment = None;
        if last == first || self.kind(last) != Some(TokenKind::Comment) {
            return;
        }
        let len = self.new_width(first, last);
        let column = match self.style.comment as usize {
            column if len < column => column,
            _ => (len + 1).next_multiple_of(STOP),
        };
        self.set_gap(last, column - len);
        self.comment = Some(column);
    }

    /// The columns that the tokens from `first` up to `last` take in the end, blanks before them included.
    fn new_width(&self, first: usize, last: usize) -> usize {
        let (start, end) = (self.before(first), self.before(last));
        let mut edits: Vec<&Edit> =
            self.edits.iter().rev().take_while(|edit| edit.span.start as usize >= start).collect();
        edits.sort_by_key(|edit| edit.span);
        let (mut at, mut column) = (start, 0);
        for edit in edits {
            if edit.span.end as usize > end {
                continue;
            }
            column = width(&self.text[at..edit.span.start as usize], column);
            column = width(&edit.text, column);
            at = edit.span.end as usize;
        }
        width(&self.text[at..end], column)
    }

    /// A line with nothing but a comment.
    fn comment_line(&mut self, at: usize) {
        let old = width(self.gap(at), 0);
        match self.comment {
            // What is between the parts of a statement stays where it is.
            _ if self.nesting > 0 => {}
            Some(column) if old >= BESIDE && old > self.code_column() => self.set_gap(at, column),
            _ => {
                self.comment = None;
                if old > 0 {
                    self.waiting.push(at);
                }
            }
        }
    }

    /// Moves the comments above a statement to its column.
    fn place_waiting(&mut self, column: usize) {
        for at in std::mem::take(&mut self.waiting) {
            self.set_gap(at, column);
        }
    }
}

fn is_mnemonic(word: &str) -> bool {
    Cpu::with_mnemonic(word).is_some()
}

/// The column after a text that begins in a column.
fn width(text: &str, column: usize) -> usize {
    text.chars().fold(column, |column, c| match c {
        '\t' => (column + 1).next_multiple_of(STOP),
        _ => column + 1,
    })
}
