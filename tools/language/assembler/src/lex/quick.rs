//! The tokens most sources consist of, read without the automaton: names, whole numbers, strings, line ends and most
//! marks. Whatever is not plainly one of them is left to the scanner, whose rules these repeat; a test compares both
//! ways.

use super::scan::{Line, OpenFile};
use super::token::Token;
use super::{Kind, Lexer};
use crate::intern::{Interner, Key, Name};
use crate::names;
use tempo_diagnostics::Span;

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

/// A byte in all eight places.
const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// What is looked at at once: a usual token and the character after it are not longer.
type Window = [u8; 16];

/// Its halves, the first byte lowest.
#[inline]
fn halves(window: &Window) -> (u64, u64) {
    let number = u128::from_le_bytes(*window);
    (number as u64, (number >> 64) as u64)
}

/// How many of eight bytes, from the lowest on, are letters, digits and underscores. Each byte is compared in its own
/// place: the additions carry into its highest bit, which is clear before, and no further.
#[inline]
fn word_len(bytes: u64) -> usize {
    const HIGH: u64 = all(0x80);
    let low = bytes & !HIGH;
    let from = |bytes: u64, least: u8| bytes + all(0x80 - least);
    let lower = low | all(0x20);
    let letters = from(lower, b'a') & !from(lower, b'z' + 1);
    let digits = from(low, b'0') & !from(low, b'9' + 1);
    let underscores = !from(low ^ all(b'_'), 1);
    let others = !((letters | digits | underscores) & !bytes) & HIGH;
    others.trailing_zeros() as usize / 8
}

/// The name at a place, which is there, and its end.
#[inline(always)]
fn name(interner: &mut Interner, text: &str, window: &Window, start: usize) -> (Name, usize) {
    let (first, second) = halves(window);
    if CLASSES[window[3] as usize] & WORD == 0
        && let Some(name) = names::short_mnemonic(first as u32 & 0xff_ffff)
    {
        return (name, start + 3);
    }
    let len = word_len(first);
    if len < 8 {
        let key = Key::padded(first & ((1 << (8 * len)) - 1), 0);
        return (interner.intern_keyed(key, text, start..start + len), start + len);
    }
    long_name(interner, text, (first, second), start)
}

/// The same for one of eight characters or more.
#[inline(never)]
fn long_name(
    interner: &mut Interner,
    text: &str,
    (first, second): (u64, u64),
    start: usize,
) -> (Name, usize) {
    let len = word_len(second);
    if len < 8 {
        let key = Key::padded(first, second & ((1 << (8 * len)) - 1));
        let end = start + 8 + len;
        return (interner.intern_keyed(key, text, start..end), end);
    }
    let end = run(text.as_bytes(), start + 16, WORD);
    (interner.intern(&text[start..end]), end)
}

#[inline]
fn run(text: &[u8], mut at: usize, class: u8) -> usize {
    while at < text.len() && CLASSES[text[at] as usize] & class != 0 {
        at += 1;
    }
    at
}

/// The next place with a token, mostly: after a token comes one blank or none.
#[inline]
fn past_blank(text: &[u8], at: usize) -> usize {
    at + usize::from(text.get(at) == Some(&b' '))
}

/// The end of the line a place is in.
#[inline]
fn line_end(text: &[u8], mut at: usize) -> usize {
    // Subtracting one borrows from the highest bit of a byte that is zero.
    let zeros = |bytes: u64| bytes.wrapping_sub(all(1)) & !bytes & all(0x80);
    while let Some(bytes) = text[at..].first_chunk::<8>() {
        let bytes = u64::from_le_bytes(*bytes);
        let found = zeros(bytes ^ all(b'\n')) | zeros(bytes ^ all(b'\r'));
        if found != 0 {
            // The lowest set bit is exact; borrows only affect the bytes above it.
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    text[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(text.len(), |len| at + len)
}

/// The digits at a place of the window, if there are one to eight and no letter follows: their value and end.
#[inline]
fn digits<const RADIX: u32>(window: &Window, start: usize) -> Option<(u32, usize)> {
    let mut value = 0;
    let mut at = start;
    while let Some(digit) = char::from(window[at]).to_digit(RADIX) {
        if at - start == 8 {
            return None;
        }
        value = value * RADIX + digit;
        at += 1;
    }
    // A letter, an underscore or a fraction makes it something else, which the scanner handles.
    let goes_on = window[at] == b'.' || CLASSES[window[at] as usize] & WORD != 0;
    (at > start && !goes_on).then_some((value, at))
}

impl Lexer<'_> {
    /// Reads common tokens until another one comes. True if the piece is complete. Must not be called on text that a
    /// condition leaves out.
    pub(super) fn usual_tokens(&mut self, state: &mut OpenFile, text: &str, names: &mut Interner) -> bool {
        // At hand while they grow.
        let mut tokens = std::mem::take(&mut self.out.tokens);
        let is_full = self.usual_tokens_into(&mut tokens, state, text, names);
        self.out.tokens = tokens;
        is_full
    }

    fn usual_tokens_into(
        &mut self,
        tokens: &mut Vec<Token>,
        state: &mut OpenFile,
        source: &str,
        interner: &mut Interner,
    ) -> bool {
        let text = source.as_bytes();
        let base = state.base;
        let mut has_newlines = state.has_newlines();
        let (mut at, mut last_end, mut line) = (state.at, state.last_end, state.line);
        let mut after_statement = state.after_statement;
        let is_full = loop {
            let start = at;
            let Some(window) = text.get(start..).and_then(<[u8]>::first_chunk::<16>) else { break false };
            let next = window[1];
            let push = |tokens: &mut Vec<Token>, kind: Kind, data: u32, end: usize| {
                let span = Span { start: base + start as u32, end: base + end as u32 };
                tokens.push(Token { kind, glued: start == last_end, data, span });
            };
            let (kind, data, end) = match window[0] {
                b' ' | b'\t' | 0x0b | 0x0c => {
                    at = run(text, start + 1, BLANK);
                    continue;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                    let (name, end) = name(interner, source, window, start);
                    if line == Line::Empty {
                        if after_statement && name != names::ELSE && self.may_cut(tokens.len(), &state.open) {
                            last_end = usize::MAX;
                            break true;
                        }
                        line = Line::begun_by(name);
                    } else {
                        line.goes_on();
                    }
                    push(tokens, Kind::Ident, name.0, end);
                    (at, last_end) = (past_blank(text, end), end);
                    continue;
                }
                b'\n' => {
                    after_statement = line.ends_statement();
                    line = Line::Empty;
                    if has_newlines {
                        push(tokens, Kind::Newline, 0, start + 1);
                    }
                    // Lines are mostly indented by eight.
                    at = start + if window[1..9] == *b"        " { 9 } else { 1 };
                    last_end = start + 1;
                    continue;
                }
                byte @ (b'0'..=b'9' | b'$' | b'%') => {
                    let number = match byte {
                        b'$' => digits::<16>(window, 1),
                        b'%' => digits::<2>(window, 1),
                        _ => digits::<10>(window, 0),
                    };
                    let Some((value, len)) = number else { break false };
                    line.goes_on();
                    (Kind::Int, value, start + len)
                }
                b',' => {
                    line.goes_on();
                    (Kind::Comma, 0, start + 1)
                }
                b'#' if line != Line::Empty => {
                    line.goes_on();
                    (Kind::Hash, 0, start + 1)
                }
                b'+' if !matches!(next, b'+' | b'=') => {
                    line.goes_on();
                    (Kind::Plus, 0, start + 1)
                }
                b'/' if next == b'/' => {
                    at = line_end(text, start + 2);
                    continue;
                }
                b'.' if CLASSES[next as usize] & WORD != 0 && !next.is_ascii_digit() => {
                    let Some(window) = text[start + 1..].first_chunk() else { break false };
                    let (name, end) = name(interner, source, window, start + 1);
                    if name == names::IMPORTONCE {
                        self.mark_once(state.file, state.way);
                    }
                    line = Line::Other;
                    (Kind::DotIdent, name.0, end)
                }
                b'"' => {
                    // What may be the end of `.import source` is not usual.
                    let is_opener =
                        |token: &&Token| matches!(token.kind, Kind::LeftParen | Kind::LeftBracket);
                    let last = tokens.iter().rev().find(|token| !is_opener(token));
                    let is_import = last.is_some_and(|last| last.data == names::SOURCE.0);
                    let content = &source[start + 1..line_end(text, start + 1)];
                    let len = content.bytes().position(|byte| byte == b'"').filter(|_| !is_import);
                    let Some(len) = len else { break false };
                    line = Line::Other;
                    (Kind::String, self.string(&content[..len]), start + len + 2)
                }
                byte => {
                    let Some(mut kind) = mark(byte, next) else { break false };
                    if kind.is_bracket() {
                        let at = base + start as u32;
                        let index = self.produced + tokens.len() as u64;
                        kind = self.bracket(&mut state.open, kind, Span { start: at, end: at + 1 }, index);
                        has_newlines = state.has_newlines();
                        if self.is_too_deep {
                            break false;
                        }
                    }
                    line = Line::after(kind);
                    (kind, 0, start + 1)
                }
            };
            push(tokens, kind, data, end);
            (at, last_end) = (past_blank(text, end), end);
        };
        (state.at, state.last_end, state.line) = (at, last_end, line);
        state.after_statement = after_statement;
        is_full
    }
}

/// What a character is alone, if the next one does not make it something else.
fn mark(byte: u8, next: u8) -> Option<Kind> {
    Some(match byte {
        b':' => Kind::Colon,
        b'-' if !matches!(next, b'-' | b'=') => Kind::Minus,
        b'*' if next != b'=' => Kind::Star,
        b'/' if !matches!(next, b'/' | b'*' | b'=') => Kind::Slash,
        b'<' if !matches!(next, b'<' | b'=') => Kind::Less,
        b'>' if !matches!(next, b'>' | b'=') => Kind::Greater,
        b'=' if next != b'=' => Kind::Assign,
        b'&' if next != b'&' => Kind::And,
        b'|' if next != b'|' => Kind::Or,
        b'^' => Kind::Caret,
        b';' => Kind::Semicolon,
        b'?' => Kind::Question,
        b'~' => Kind::Tilde,
        b'(' => Kind::LeftParen,
        b')' => Kind::RightParen,
        b'[' => Kind::LeftBracket,
        b']' => Kind::RightBracket,
        b'{' => Kind::LeftBrace,
        b'}' => Kind::RightBrace,
        _ => return None,
    })
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
        let mut names = crate::names::interner(0);
        let mut lexer = Lexer::new(&files, &mut sources, &[root], &options, &mut names, None);
        lexer.is_quick = is_quick;
        lexer.fill(&mut names);
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
        let mut random = tempo_random::Random::new(1);
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..10 {
                text.push_str(random.pick::<&str>(&pieces));
            }
            // Near its end a text is the scanner's.
            text.push_str(&" ".repeat(random.index(32)));
            assert_eq!(tokens(&text, true), tokens(&text, false), "{text:?}");
        }
    }

    #[test]
    fn words_are_measured_byte_by_byte() {
        for byte in 0..=255 {
            for len in 0..8 {
                let mut bytes = [b'a'; 8];
                bytes[len] = byte;
                let expected = bytes.iter().take_while(|&&byte| CLASSES[byte as usize] & WORD != 0).count();
                assert_eq!(word_len(u64::from_le_bytes(bytes)), expected, "{bytes:?}");
            }
        }
    }

    #[test]
    fn lines_end_at_the_first_line_end() {
        let mut text = vec![b'.'; 40];
        for end in 0..40 {
            for (byte, below) in [(b'\n', b'\n' - 1), (b'\r', b'\r' + 1)] {
                text.fill(below);
                text[end..].fill(byte);
                assert!((0..=end).all(|at| line_end(&text, at) == end), "{end}");
            }
        }
        assert_eq!(line_end(b"no end of a line", 3), 16);
    }
}
