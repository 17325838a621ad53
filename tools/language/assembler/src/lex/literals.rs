//! The values of numbers, strings, characters and references to multi labels.

use super::{Kind, Lexer, MultiRef};
use crate::codes::Code;
use crate::intern::Interner;
use tempo_diagnostics::Span;

impl Lexer<'_> {
    /// The kind and value of a number of some digits and underscores.
    #[inline]
    pub(super) fn number<const RADIX: u32>(&mut self, digits: &[u8]) -> (Kind, u32) {
        // Most decimal numbers are of this kind.
        if RADIX == 10
            && let &[digit] = digits
        {
            return (Kind::Int, u32::from(digit - b'0'));
        }
        // Eight digits of any of the three radixes fit.
        if digits.len() > 8 {
            return self.long_number(digits, RADIX);
        }
        let mut value = 0;
        for &byte in digits {
            if let Some(digit) = char::from(byte).to_digit(RADIX) {
                value = value * RADIX + digit;
            }
        }
        (Kind::Int, value)
    }

    #[cold]
    fn long_number(&mut self, digits: &[u8], radix: u32) -> (Kind, u32) {
        if radix == 10 {
            return self.fraction(digits);
        }
        let digits = digits.iter().filter_map(|&byte| char::from(byte).to_digit(radix));
        self.large_number(digits.fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit)))
    }

    /// The same for digits with a point among them.
    #[cold]
    pub(super) fn fraction(&mut self, digits: &[u8]) -> (Kind, u32) {
        let digits = digits.iter().filter(|&&byte| byte != b'_').map(|&byte| char::from(byte));
        let value = digits.collect::<String>().parse().unwrap_or(f64::INFINITY);
        self.large_number(value)
    }

    fn large_number(&mut self, value: f64) -> (Kind, u32) {
        if value.fract() == 0.0 && (0.0..=4_294_967_295.0).contains(&value) {
            return (Kind::Int, value as u32);
        }
        self.out.numbers.push(value);
        (Kind::Number, self.out.numbers.len() as u32 - 1)
    }

    /// The content of an `@"…"` string.
    pub(super) fn unescape(&mut self, content: &str, start: u32) -> String {
        let mut text = String::with_capacity(content.len());
        let mut rest = content.char_indices();
        while let Some((at, c)) = rest.next() {
            if c != '\\' {
                text.push(c);
                continue;
            }
            match rest.next() {
                Some((_, escape @ ('b' | 't' | 'n' | 'f' | 'r' | '\\' | '"'))) => {
                    text.push(unescape_char(escape))
                }
                Some((dollar, '$')) => {
                    let digits = content.get(dollar + 1..dollar + 3);
                    let byte = digits
                        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
                        .and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    match byte {
                        Some(byte) => {
                            text.push(tempo_formats::encoding::raw(byte));
                            rest.nth(1);
                        }
                        None => self.unknown_escape(start + at as u32),
                    }
                }
                _ => self.unknown_escape(start + at as u32),
            }
        }
        text
    }

    fn unknown_escape(&mut self, at: u32) {
        self.report_text(Code::UnknownEscape, Span { start: at, end: at + 1 }, "Unknown escape code");
    }

    /// Notes a reference to a multi label; returns its number.
    pub(super) fn multi_ref(&mut self, names: &mut Interner, word: &str) -> u32 {
        let signs = word.trim_start_matches(|c: char| !matches!(c, '+' | '-'));
        let name = names.intern(&word[1..word.len() - signs.len()]);
        let count = signs.len() as i32;
        let distance = if signs.starts_with('+') { count } else { -count };
        self.out.multi_refs.push(MultiRef { name, distance });
        self.out.multi_refs.len() as u32 - 1
    }
}

/// The value of a character in apostrophes.
pub(super) fn character(word: &str) -> char {
    let mut chars = word[1..].chars();
    let first = chars.next().unwrap_or('\'');
    match (first, word.len()) {
        ('\\', 4) => unescape_char(chars.next().unwrap_or('\\')),
        ('\\', 6) => tempo_formats::encoding::raw(u8::from_str_radix(&word[3..5], 16).unwrap_or_default()),
        _ => first,
    }
}

fn unescape_char(escape: char) -> char {
    match escape {
        'b' => '\u{8}',
        't' => '\t',
        'n' => '\n',
        'f' => '\u{c}',
        'r' => '\r',
        other => other,
    }
}
