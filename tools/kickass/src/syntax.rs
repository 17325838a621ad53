//! The kinds of words in a source, for the `[syntax]` part of `-asminfo`. Reads one text at a time and needs no
//! successful run: an editor colours sources while they are being written.

use isa::Cpu;

/// A word and what it is. Lines and columns count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: &'static str,
    pub line: u32,
    pub column: u32,
    pub len: u32,
}

/// The words of a text in order.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner {
        chars: text.chars().collect(),
        at: 0,
        line: 1,
        line_start: 0,
        starts_statement: true,
        depth: 0,
        body_after: None,
        defines: false,
        tokens: Vec::new(),
    };
    scanner.run();
    scanner.tokens
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    line: u32,
    line_start: usize,
    /// The next word begins a statement.
    starts_statement: bool,
    /// Open round brackets.
    depth: usize,
    /// The depth at which the head of an `.if`, `.for` or `.while` ends and its statement begins.
    body_after: Option<usize>,
    /// The next name is being declared, not used.
    defines: bool,
    tokens: Vec<Token>,
}

impl Scanner {
    fn run(&mut self) {
        while let Some(c) = self.peek(0) {
            let touches_word =
                self.at > 0 && (is_word(self.chars[self.at - 1]) || self.chars[self.at - 1] == ')');
            match c {
                '\n' | '\r' => self.newline(c),
                c if c.is_whitespace() => self.at += 1,
                '/' if self.peek(1) == Some('/') => self.skip_line(),
                '/' if self.peek(1) == Some('*') => self.skip_comment(),
                '"' => self.skip_string(false),
                '@' if self.peek(1) == Some('"') => {
                    self.at += 1;
                    self.skip_string(true);
                }
                '\'' if self.peek(2) == Some('\'') => self.at += 3,
                '#' if self.is_line_start() && self.peek(1).is_some_and(is_word) => self.preprocessor(),
                '.' if !touches_word && self.peek(1).is_some_and(is_word) => self.directive(),
                '$' | '%' if self.peek(1).is_some_and(|next| next.is_ascii_hexdigit()) => self.skip_number(),
                c if c.is_ascii_digit() => self.skip_number(),
                c if is_word(c) => self.word(),
                '*' if self.starts_statement => self.program_counter(),
                _ => self.sign(c),
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn newline(&mut self, c: char) {
        self.at += if c == '\r' && self.peek(1) == Some('\n') { 2 } else { 1 };
        self.line += 1;
        self.line_start = self.at;
        if self.depth == 0 {
            self.starts_statement = true;
            self.defines = false;
        }
    }

    fn is_line_start(&self) -> bool {
        self.chars[self.line_start..self.at].iter().all(|c| c.is_whitespace())
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|c| c != '\n' && c != '\r') {
            self.at += 1;
        }
    }

    fn skip_comment(&mut self) {
        self.at += 2;
        while let Some(c) = self.peek(0) {
            if c == '*' && self.peek(1) == Some('/') {
                self.at += 2;
                return;
            }
            if c == '\n' || c == '\r' {
                let starts = self.starts_statement;
                self.newline(c);
                self.starts_statement = starts;
            } else {
                self.at += 1;
            }
        }
    }

    fn skip_string(&mut self, has_escapes: bool) {
        self.at += 1;
        while let Some(c) = self.peek(0).filter(|c| *c != '\n' && *c != '\r') {
            self.at += if c == '\\' && has_escapes { 2 } else { 1 };
            if c == '"' {
                break;
            }
        }
        self.at = self.at.min(self.chars.len());
    }

    fn skip_number(&mut self) {
        self.at += 1;
        while self
            .peek(0)
            .is_some_and(|c| is_word(c) || (c == '.' && self.peek(1).is_some_and(|n| n.is_ascii_digit())))
        {
            self.at += 1;
        }
    }

    fn word_len(&self) -> usize {
        self.chars[self.at..].iter().take_while(|c| is_word(**c)).count()
    }

    fn push(&mut self, kind: &'static str, len: usize) {
        let column = (self.at - self.line_start) as u32 + 1;
        self.tokens.push(Token { kind, line: self.line, column, len: len as u32 });
        self.at += len;
    }

    fn preprocessor(&mut self) {
        let len = 1 + self.chars[self.at + 1..].iter().take_while(|c| is_word(**c)).count();
        self.push("ppDirective", len);
        self.skip_line();
    }

    fn directive(&mut self) {
        let len = 1 + self.chars[self.at + 1..].iter().take_while(|c| is_word(**c)).count();
        let name: String = self.chars[self.at + 1..self.at + len].iter().collect();
        self.push("directive", len);
        self.starts_statement = false;
        self.body_after = matches!(&name[..], "if" | "for" | "while").then_some(self.depth);
        self.defines = matches!(
            &name[..],
            "var"
                | "const"
                | "label"
                | "macro"
                | "function"
                | "pseudocommand"
                | "namespace"
                | "filenamespace"
                | "struct"
                | "segment"
                | "segmentdef"
                | "cpu"
        );
        if matches!(&name[..], "macro" | "function" | "pseudocommand") {
            // The head declares names only.
            while self.peek(0).is_some_and(|c| c != '{' && c != '\n' && c != '\r') {
                self.at += 1;
            }
            self.defines = false;
        }
    }

    fn program_counter(&mut self) {
        let next = self.chars[self.at + 1..].iter().find(|c| !c.is_whitespace());
        self.push(if next == Some(&'=') { "directive" } else { "operator" }, 1);
        self.starts_statement = false;
    }

    fn word(&mut self) {
        let len = self.word_len();
        let name: String = self.chars[self.at..self.at + len].iter().collect();
        let next = self.peek(len);
        let previous = self.chars[..self.at].iter().rev().find(|c| !c.is_whitespace()).copied();
        if next == Some(':') && self.starts_statement {
            self.push("label", len + 1);
        } else if self.starts_statement {
            self.starts_statement = name == "else";
            let kind = match next {
                _ if name == "else" => "directive",
                Some('(') => "macroExecution",
                _ if Cpu::ALL.iter().any(|cpu| cpu.mnemonic(&name).is_some()) => "mnemonic",
                _ => "pseudoCommandExecution",
            };
            self.push(kind, len);
        } else if std::mem::take(&mut self.defines)
            || matches!(&name[..], "var" | "const" | "true" | "false" | "null")
            || (matches!(&name[..], "x" | "y" | "X" | "Y") && previous == Some(','))
        {
            self.at += len;
        } else if next == Some('(') {
            self.push("functionCall", len);
        } else {
            self.push("symbolReference", len);
        }
    }

    fn sign(&mut self, c: char) {
        match c {
            '{' | '}' | ';' => {
                self.starts_statement = self.depth == 0 || c != ';';
                self.defines = false;
                self.at += 1;
            }
            '(' => {
                self.depth += 1;
                self.at += 1;
            }
            ')' => {
                self.depth = self.depth.saturating_sub(1);
                if self.body_after == Some(self.depth) {
                    self.body_after = None;
                    self.starts_statement = true;
                }
                self.at += 1;
            }
            // A multi label, or a use of one.
            '!' if self.starts_statement => {
                let len = 1 + self.chars[self.at + 1..].iter().take_while(|c| is_word(**c)).count();
                let colon = usize::from(self.peek(len) == Some(':'));
                self.push("label", len + colon);
            }
            '+' | '-' | '*' | '/' | '<' | '>' | '=' | '!' | '&' | '|' | '^' | '~' | '?' => {
                let pairs =
                    ["<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/="];
                let pair: String = self.chars[self.at..].iter().take(2).collect();
                self.push("operator", if pairs.contains(&&pair[..]) { 2 } else { 1 });
            }
            _ => self.at += 1,
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn kinds(text: &str) -> Vec<(&'static str, &str)> {
        let lines: Vec<&str> = text.lines().collect();
        let tokens = tokens(text).into_iter().map(|token| {
            let from = token.column as usize - 1;
            (token.kind, &lines[token.line as usize - 1][from..from + token.len as usize])
        });
        tokens.collect()
    }

    #[test]
    fn words_have_their_kinds() {
        let text = "#import \"a\"\nstart: lda #<table+1 // note\n  SetColor(RED)\n  mov a : b\n.byte sin(x), \"no.text\"\n";
        assert_eq!(
            kinds(text),
            [
                ("ppDirective", "#import"),
                ("label", "start:"),
                ("mnemonic", "lda"),
                ("operator", "<"),
                ("symbolReference", "table"),
                ("operator", "+"),
                ("macroExecution", "SetColor"),
                ("symbolReference", "RED"),
                ("pseudoCommandExecution", "mov"),
                ("symbolReference", "a"),
                ("symbolReference", "b"),
                ("directive", ".byte"),
                ("functionCall", "sin"),
                ("symbolReference", "x"),
            ]
        );
    }

    #[test]
    fn bodies_of_conditions_are_statements() {
        assert_eq!(
            kinds(
                ".if (a) nop\n.for (var i=0; i<2; i++) { inx }\n.macro M(p) { rts }\n*=$1000\n!l: bne !l-\n lda $10,x"
            ),
            [
                ("directive", ".if"),
                ("symbolReference", "a"),
                ("mnemonic", "nop"),
                ("directive", ".for"),
                ("symbolReference", "i"),
                ("operator", "="),
                ("symbolReference", "i"),
                ("operator", "<"),
                ("symbolReference", "i"),
                ("operator", "++"),
                ("mnemonic", "inx"),
                ("directive", ".macro"),
                ("mnemonic", "rts"),
                ("directive", "*"),
                ("operator", "="),
                ("label", "!l:"),
                ("mnemonic", "bne"),
                ("operator", "!"),
                ("symbolReference", "l"),
                ("operator", "-"),
                ("mnemonic", "lda"),
            ]
        );
    }

    #[test]
    fn unfinished_texts_end() {
        for text in ["\"", "@\"\\", "/*", "'", ".", "#", "$", "a(", "!", "*", ".macro", "ä\u{0}"] {
            tokens(text);
        }
    }
}
