//! The kinds of words in a source, for the `[syntax]` part of `-asminfo`. Reads the tokens of one text at a time and
//! needs no successful run: an editor colours sources while they are being written.

use tempo_assembler::dialect::{Declares, Directive, Takes, VALUES};
use tempo_assembler::{SourceToken, TokenKind};
use tempo_isa::Cpu;

/// A word and what it is, with the offsets of its first byte and after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    pub kind: &'static str,
    pub start: u32,
    pub end: u32,
}

/// The words of a text in order.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let tokens = tempo_assembler::tokens(text);
    let mut reader = Reader {
        text,
        tokens: &tokens,
        at: 0,
        place: Place::Statement,
        depth: 0,
        body_after: None,
        has_fields: false,
        words: Vec::new(),
    };
    while reader.at < tokens.len() {
        reader.token();
    }
    reader.words
}

/// Where in a statement the next token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At its beginning.
    Statement,
    /// Before a name that it declares or that is a keyword.
    Declaration,
    /// Between the name of a macro, function or pseudo command and its body: every name is declared.
    Head,
    /// In an `.enum` or `.struct`, where every name but those of a value is declared and line ends do not count.
    Fields,
    /// In a preprocessor directive, up to the end of the line.
    Preprocessor,
    /// In an expression.
    Expression,
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [SourceToken],
    at: usize,
    place: Place,
    /// Open round brackets.
    depth: usize,
    /// The depth at which the head of an `.if`, `.for` or `.while` ends and its statement begins.
    body_after: Option<usize>,
    /// In an `.enum` or `.struct`, also in a value of it.
    has_fields: bool,
    words: Vec<Word>,
}

impl Reader<'_> {
    fn spelling(&self, token: &SourceToken) -> &str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// The spelling of the token so far ahead; nothing after the last one.
    fn ahead(&self, count: usize) -> &str {
        self.tokens.get(self.at + count).map_or("", |token| self.spelling(token))
    }

    /// Whether the token so far ahead begins where the one before it ends.
    fn is_glued(&self, count: usize) -> bool {
        let token = |at: usize| self.tokens.get(at);
        let at = self.at + count;
        at > 0 && token(at).is_some_and(|next| token(at - 1).is_some_and(|before| before.end == next.start))
    }

    /// Takes `count` tokens as one word.
    fn push(&mut self, kind: &'static str, count: usize) {
        let (first, last) = (self.tokens[self.at], self.tokens[self.at + count - 1]);
        self.words.push(Word { kind, start: first.start, end: last.end });
        self.at += count;
    }

    fn token(&mut self) {
        let token = self.tokens[self.at];
        match token.kind {
            TokenKind::Comment => self.comment(),
            TokenKind::LineEnd => {
                if self.depth == 0 && !self.has_fields {
                    self.place = Place::Statement;
                }
                self.at += 1;
            }
            _ if self.place == Place::Preprocessor => self.at += 1,
            TokenKind::DotName => self.dot_name(),
            TokenKind::Name => self.name(),
            TokenKind::MultiReference => {
                self.push("symbolReference", 1);
                self.place = Place::Expression;
            }
            TokenKind::Operator => self.operator(),
            // The scanner takes `*=` for an assignment.
            TokenKind::Assignment if self.place == Place::Statement && self.ahead(0) == "*=" => {
                self.push("directive", 1);
                self.place = Place::Expression;
            }
            TokenKind::Mark => self.mark(),
            _ => {
                self.at += 1;
                if self.place != Place::Head {
                    self.place = Place::Expression;
                }
            }
        }
    }

    /// The end of its line is part of a line comment.
    fn comment(&mut self) {
        self.push("comment", 1);
        let text = self.text;
        if let Some(word) = self.words.last_mut()
            && text[word.start as usize..].starts_with("//")
        {
            word.end += u32::from((word.end as usize) < text.len());
        }
    }

    fn dot_name(&mut self) {
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let follows_value = self.is_glued(0)
            && before.is_some_and(|before| {
                before.kind == TokenKind::Name || matches!(self.spelling(&before), ")" | "]")
            });
        if follows_value {
            return self.member();
        }
        let item = Directive::find(self.ahead(0)).map(Directive::item);
        self.push("directive", 1);
        let (takes, declares) = item.map_or((Takes::Expression, None), |item| (item.takes, item.declares));
        self.body_after = (takes == Takes::Condition).then_some(self.depth);
        self.has_fields = matches!(declares, Some(Declares::Enum | Declares::Struct));
        self.place = match (declares, takes) {
            _ if self.has_fields => Place::Fields,
            (Some(declares), _) if declares.is_callable() => Place::Head,
            (Some(_), _) | (_, Takes::Segment | Takes::Cpu | Takes::Import) => Place::Declaration,
            _ => Place::Expression,
        };
    }

    /// `.name` after a value: a member, a method, or the extension of a mnemonic.
    fn member(&mut self) {
        let is_extension = self
            .words
            .last()
            .is_some_and(|word| word.kind == "mnemonic" && word.end == self.tokens[self.at].start);
        if !is_extension {
            let kind = if self.ahead(1) == "(" { "functionCall" } else { "objFieldReference" };
            let token = self.tokens[self.at];
            self.words.push(Word { kind, start: token.start + 1, end: token.end });
        }
        self.at += 1;
    }

    fn name(&mut self) {
        let (name, next) = (self.ahead(0).to_owned(), self.ahead(1).to_owned());
        match self.place {
            Place::Statement if next == ":" && self.is_glued(1) => self.push("label", 2),
            // The statement follows.
            Place::Statement if name == "else" => self.at += 1,
            Place::Statement => {
                let is_mnemonic = Cpu::with_mnemonic(&name).is_some();
                self.place = Place::Expression;
                let kind = match &next[..] {
                    "(" if self.is_glued(1) => "macroExecution",
                    _ if is_mnemonic => "mnemonic",
                    _ => "pseudoCommandExecution",
                };
                self.push(kind, 1);
            }
            Place::Declaration => {
                self.at += 1;
                self.place = Place::Expression;
            }
            Place::Head | Place::Fields => self.at += 1,
            _ if matches!(&name[..], "var" | "const") => {
                self.at += 1;
                self.place = Place::Declaration;
            }
            _ if VALUES.iter().any(|word| word.name == name) || self.is_index(&name) => self.at += 1,
            _ => self.push(if next == "(" { "functionCall" } else { "symbolReference" }, 1),
        }
    }

    /// Whether a name is the register in `$1000,x`.
    fn is_index(&self, name: &str) -> bool {
        let comma = self.at.checked_sub(1).is_some_and(|at| self.spelling(&self.tokens[at]) == ",");
        comma && matches!(name, "x" | "y" | "X" | "Y")
    }

    fn operator(&mut self) {
        match (self.place, self.ahead(0)) {
            (Place::Statement, "!") => {
                // A multi label: `!` or `!name`, and a colon.
                let named = self.is_glued(1) && self.tokens[self.at + 1].kind == TokenKind::Name;
                let len = 1 + usize::from(named);
                let colon = self.is_glued(len) && self.ahead(len) == ":";
                self.push("label", len + usize::from(colon));
            }
            (Place::Statement, "*") if self.ahead(1) == "=" => {
                self.push("directive", 2);
                self.place = Place::Expression;
            }
            (Place::Head | Place::Fields, _) => self.at += 1,
            _ => {
                self.push("operator", 1);
                self.place = Place::Expression;
            }
        }
    }

    fn mark(&mut self) {
        let mark = self.ahead(0).to_owned();
        let is_line_start = self.at == 0 || self.tokens[self.at - 1].kind == TokenKind::LineEnd;
        if mark == "#"
            && is_line_start
            && self.is_glued(1)
            && self.tokens[self.at + 1].kind == TokenKind::Name
        {
            self.push("ppDirective", 2);
            self.place = Place::Preprocessor;
            return;
        }
        self.at += 1;
        match &mark[..] {
            "{" | "," if self.has_fields && self.depth == 0 => self.place = Place::Fields,
            "{" | "}" => (self.place, self.has_fields) = (Place::Statement, false),
            ";" if self.depth == 0 => self.place = Place::Statement,
            "(" => self.depth += 1,
            ")" => {
                self.depth = self.depth.saturating_sub(1);
                if self.body_after == Some(self.depth) {
                    self.body_after = None;
                    self.place = Place::Statement;
                }
            }
            _ => {}
        }
        if !matches!(self.place, Place::Statement | Place::Head | Place::Fields | Place::Declaration) {
            self.place = Place::Expression;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn kinds(text: &str) -> Vec<(&'static str, &str)> {
        let words = words(text).into_iter();
        words.map(|word| (word.kind, &text[word.start as usize..word.end as usize])).collect()
    }

    #[test]
    fn words_have_their_kinds() {
        let text = "#import \"a\"\nstart: lda #<table+1 // note\n  SetColor(RED)\n  mov a : b\n.byte sin(x), \"no.text\"\n lda.z a.b\n";
        assert_eq!(
            kinds(text),
            [
                ("ppDirective", "#import"),
                ("label", "start:"),
                ("mnemonic", "lda"),
                ("operator", "<"),
                ("symbolReference", "table"),
                ("operator", "+"),
                ("comment", "// note\n"),
                ("macroExecution", "SetColor"),
                ("symbolReference", "RED"),
                ("pseudoCommandExecution", "mov"),
                ("symbolReference", "a"),
                ("symbolReference", "b"),
                ("directive", ".byte"),
                ("functionCall", "sin"),
                ("symbolReference", "x"),
                ("mnemonic", "lda"),
                ("symbolReference", "a"),
                ("objFieldReference", "b"),
            ]
        );
    }

    #[test]
    fn bodies_of_conditions_are_statements() {
        assert_eq!(
            kinds(
                ".if (a) nop\nelse inx\n.for (var i=0; i<2; i++) { inx }\n.macro M(p) { rts }\n*=$1000\n!l: bne !l-\n lda $10,x"
            ),
            [
                ("directive", ".if"),
                ("symbolReference", "a"),
                ("mnemonic", "nop"),
                ("mnemonic", "inx"),
                ("directive", ".for"),
                ("symbolReference", "i"),
                ("operator", "<"),
                ("symbolReference", "i"),
                ("operator", "++"),
                ("mnemonic", "inx"),
                ("directive", ".macro"),
                ("mnemonic", "rts"),
                ("directive", "*="),
                ("label", "!l:"),
                ("mnemonic", "bne"),
                ("symbolReference", "!l-"),
                ("mnemonic", "lda"),
            ]
        );
    }

    #[test]
    fn names_in_structs_and_enums_are_no_words() {
        assert_eq!(
            kinds(".struct P { x, y }\n.enum {\n A,\n B = f(1, 2) + C,\n D\n}\n mov 1\n.struct Q"),
            [
                ("directive", ".struct"),
                ("directive", ".enum"),
                ("functionCall", "f"),
                ("operator", "+"),
                ("symbolReference", "C"),
                ("pseudoCommandExecution", "mov"),
                ("directive", ".struct"),
            ]
        );
    }

    #[test]
    fn unfinished_texts_end() {
        for text in
            ["\"", "@\"\\", "/*", "'", ".", "#", "$", "a(", "!", "*", ".macro", "ä\u{0}", ".a", "!a", "a.b"]
        {
            words(text);
        }
    }
}
