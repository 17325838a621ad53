//! The tokens most sources consist of, read without the automaton: names, whole numbers, line ends and the marks of
//! operands. Whatever is not plainly one of them is left to the scanner, whose rules these repeat; a test compares
//! both ways.

use super::scan::{Line, OpenFile};
use super::{Kind, Lexer};
use crate::names;
use crate::source::Pos;

/// What a byte can be part of.
const BLANK: u8 = 1;
const WORD: u8 = 2;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | 0x0b | 0x0c => BLANK,
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => WORD,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

#[inline]
fn run(text: &[u8], mut at: usize, class: u8) -> usize {
    while at < text.len() && CLASSES[text[at] as usize] & class != 0 {
        at += 1;
    }
    at
}

/// Past blanks; lines are mostly indented by eight.
#[inline]
fn blanks(text: &[u8], mut at: usize) -> usize {
    while text.get(at..).and_then(|rest| rest.first_chunk()) == Some(b"        ") {
        at += 8;
    }
    run(text, at, BLANK)
}

/// The digits from a place on, if there are one to eight and no letter follows: their value and end.
#[inline]
fn digits(text: &[u8], start: usize, radix: u32) -> Option<(u32, usize)> {
    let mut value = 0;
    let mut at = start;
    while let Some(digit) = text.get(at).and_then(|&byte| char::from(byte).to_digit(radix)) {
        if at - start == 8 {
            return None;
        }
        value = value * radix + digit;
        at += 1;
    }
    // A letter, an underscore or a fraction goes on with the number or is somebody else's concern.
    let goes_on = text.get(at).is_some_and(|&byte| byte == b'.' || CLASSES[byte as usize] & WORD != 0);
    (at > start && !goes_on).then_some((value, at))
}

impl Lexer<'_> {
    /// Reads usual tokens as long as there are any. True if the piece is complete. Only for text that is used.
    pub(super) fn usual_tokens(&mut self, state: &mut OpenFile, text: &[u8]) -> bool {
        let base = state.base;
        let mut has_newlines = state.has_newlines();
        let (mut at, mut last_end, mut line) = (state.at, state.last_end, state.line);
        let mut after_instruction = state.after_instruction;
        let is_full = loop {
            let start = blanks(text, at);
            let Some(&byte) = text.get(start) else { break false };
            let next = text.get(start + 1).copied().unwrap_or(b'\n');
            let glued = start == last_end;
            let pos = Pos(base + start as u32);
            let mark = |lexer: &mut Self, kind: Kind| {
                lexer.push(kind, glued, 0, pos);
                start + 1
            };
            at = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    let end = run(text, start + 1, WORD);
                    let name = self.out.names.intern_bytes(&text[start..end]);
                    if line == Line::Empty {
                        if after_instruction && name != names::ELSE && self.is_full(&state.open) {
                            last_end = usize::MAX;
                            break true;
                        }
                        line = Line::begun_by(name);
                    }
                    self.push(Kind::Ident, glued, name.0, pos);
                    end
                }
                b'\n' => {
                    after_instruction = line == Line::Instruction;
                    line = Line::Empty;
                    if has_newlines {
                        self.push(Kind::Newline, glued, 0, pos);
                    }
                    start + 1
                }
                b'0'..=b'9' => {
                    let Some((value, end)) = digits(text, start, 10) else { break false };
                    self.push(Kind::Int, glued, value, pos);
                    line.goes_on();
                    end
                }
                b'$' => {
                    let Some((value, end)) = digits(text, start + 1, 16) else { break false };
                    self.push(Kind::Int, glued, value, pos);
                    line.goes_on();
                    end
                }
                b',' => {
                    line.goes_on();
                    mark(self, Kind::Comma)
                }
                b'#' if line != Line::Empty => mark(self, Kind::Hash),
                b'+' if !matches!(next, b'+' | b'=') => {
                    line.goes_on();
                    mark(self, Kind::Plus)
                }
                b':' => {
                    line = Line::Other;
                    mark(self, Kind::Colon)
                }
                b'<' if !matches!(next, b'<' | b'=') => {
                    line = Line::Other;
                    mark(self, Kind::Less)
                }
                b'>' if !matches!(next, b'>' | b'=') => {
                    line = Line::Other;
                    mark(self, Kind::Greater)
                }
                b'(' => {
                    line = Line::Other;
                    self.open(&mut state.open, Kind::LeftParen, Kind::RightParen, glued, pos);
                    has_newlines = false;
                    start + 1
                }
                b')' => {
                    line = Line::Other;
                    self.close(&mut state.open, Kind::RightParen, glued, pos);
                    has_newlines = state.has_newlines();
                    start + 1
                }
                b'.' if CLASSES[next as usize] & WORD != 0 && !next.is_ascii_digit() => {
                    let end = run(text, start + 2, WORD);
                    let name = self.out.names.intern_bytes(&text[start + 1..end]);
                    if name == names::IMPORTONCE {
                        self.once.insert(state.file);
                    }
                    line = Line::Other;
                    self.push(Kind::DotIdent, glued, name.0, pos);
                    end
                }
                b'/' if next == b'/' => {
                    let rest = &text[start..];
                    let len =
                        rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
                    at = start + len;
                    continue;
                }
                _ => break false,
            };
            last_end = at;
        };
        (state.at, state.last_end, state.line) = (at, last_end, line);
        state.after_instruction = after_instruction;
        is_full
    }
}

#[cfg(test)]
mod tests {
    use crate::files::MemoryFiles;
    use crate::options::Options;
    use crate::source::Sources;

    use super::*;

    /// The tokens and messages of a text, with or without the short way.
    fn tokens(text: &str, is_quick: bool) -> String {
        let (files, options) = (MemoryFiles::default(), Options::default());
        let mut sources = Sources::default();
        let root = sources.add("main".into(), text, None).unwrap_or_default();
        let mut lexer = Lexer::new(&files, &mut sources, &[root], &options);
        lexer.is_quick = is_quick;
        lexer.fill();
        format!("{:?} {:?} {:?}", lexer.out.tokens, lexer.out.numbers, lexer.out.reports)
    }

    #[test]
    fn usual_tokens_are_those_of_the_automaton() {
        let pieces = [
            "lda",
            "x",
            "_a1",
            ".byte",
            ".",
            "..",
            "12",
            "1_0",
            "1.5",
            "1.",
            "$ff",
            "$",
            "$_1",
            "$fg",
            "%1",
            "%",
            ",",
            "#",
            ":",
            ";",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "+",
            "++",
            "+=",
            "-",
            "<",
            ">",
            "==",
            "!",
            "!a+",
            "\n",
            "\n",
            "\n",
            "\r\n",
            "\r",
            " ",
            " ",
            "\t",
            "\u{b}",
            "//c",
            "/*c*/",
            "/*",
            "\"s\"",
            "\"",
            "'c'",
            "'",
            "é",
            "\0",
            "=",
            "&&",
            "?",
            "*=",
            "0",
            "e5",
            "9z",
            "#if A",
            "#endif",
            "        ",
            "123456789",
            "99999999",
            "#define A",
            "else",
            "$123456789",
            "1.lda",
            "/",
        ];
        let mut seed = 1u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..10 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(pieces[(seed >> 33) as usize % pieces.len()]);
            }
            assert_eq!(tokens(&text, true), tokens(&text, false), "{text:?}");
        }
    }
}
