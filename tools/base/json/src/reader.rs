//! The reader: bytes to a tree of values, or the first fault. Strict RFC 8259, bounded by `Limits`.

use std::borrow::Cow;
use std::collections::HashSet;

use thiserror::Error;

use super::{Document, Duplicate, Member, Node, Number, Pointer, Span, Value};

/// Limits on the cost of a document before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text.
    pub bytes: usize,
    /// Lists and objects inside each other.
    pub depth: usize,
    /// Values of any kind, keys not counted.
    pub values: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { bytes: 8 << 20, depth: 64, values: 1 << 20 }
    }
}

/// Why a text is no JSON, or too much of it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct JsonError {
    /// Byte offset of the fault, at most the length of the text.
    pub offset: usize,
    /// The fault there.
    pub kind: JsonErrorKind,
}

/// A fault in a text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// More bytes than this limit.
    #[error("the text is larger than the limit of {0} bytes")]
    TooLarge(usize),
    /// Lists and objects nested deeper than this limit.
    #[error("lists and objects are nested deeper than the limit of {0}")]
    TooDeep(usize),
    /// More values than this limit.
    #[error("the text has more values than the limit of {0}")]
    TooManyValues(usize),
    /// Bytes that are not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// The text ends where this should follow.
    #[error("the text ends where {0} should follow")]
    UnexpectedEnd(&'static str),
    /// A character that cannot be there.
    #[error("found {found:?} where {expected} should be")]
    Unexpected {
        /// The character.
        found: char,
        /// The expected value.
        expected: &'static str,
    },
    /// A second value, or anything else, after the first.
    #[error("found {0:?} after the end of the value")]
    TextAfterEnd(char),
    /// A comma with nothing after it.
    #[error("a comma before the closing bracket has no value after it")]
    TrailingComma,
    /// A control character in a string.
    #[error("a text has the control character U+{0:04X}, which must be written as \\u{0:04x}")]
    ControlCharacter(u32),
    /// A backslash before a character that it does not escape.
    #[error("unknown escape \\{0}")]
    UnknownEscape(char),
    /// `\u` without four hexadecimal digits.
    #[error("\\u must be followed by four hexadecimal digits")]
    BadUnicodeEscape,
    /// One half of a surrogate pair.
    #[error("unpaired surrogate")]
    LoneSurrogate,
    /// Digits that are no JSON number.
    #[error("{0:?} is no JSON number")]
    BadNumber(String),
    /// A word other than `true`, `false` and `null`.
    #[error("{0:?} is no JSON word; only true, false and null are")]
    UnknownWord(String),
}

/// Reads a text. A byte order mark in front is skipped.
pub fn parse(bytes: &[u8], limits: Limits) -> Result<Document<'_>, JsonError> {
    // Spans count in u32, whatever the caller allows.
    let most = limits.bytes.min(u32::MAX as usize);
    if bytes.len() > most {
        return Err(JsonError { offset: 0, kind: JsonErrorKind::TooLarge(most) });
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|err| JsonError { offset: err.valid_up_to(), kind: JsonErrorKind::NotUtf8 })?;
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader =
        Reader { text, bytes, at, limits, values: 0, pointer: Pointer::default(), duplicates: vec![] };
    let root = reader.expect_value(0)?;
    reader.skip_space();
    if let Some(found) = reader.peek_char() {
        return Err(reader.error(JsonErrorKind::TextAfterEnd(found)));
    }
    Ok(Document { text, root, duplicates: reader.duplicates })
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    limits: Limits,
    values: usize,
    pointer: Pointer,
    duplicates: Vec<Duplicate>,
}

impl<'t> Reader<'t> {
    fn error(&self, kind: JsonErrorKind) -> JsonError {
        JsonError { offset: self.at.min(self.text.len()), kind }
    }

    fn unexpected(&self, expected: &'static str) -> JsonError {
        self.error(match self.peek_char() {
            Some(found) => JsonErrorKind::Unexpected { found, expected },
            None => JsonErrorKind::UnexpectedEnd(expected),
        })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn peek_char(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn span_from(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at as u32 }
    }

    fn expect_value(&mut self, depth: usize) -> Result<Node<'t>, JsonError> {
        self.skip_space();
        self.values += 1;
        if self.values > self.limits.values {
            return Err(self.error(JsonErrorKind::TooManyValues(self.limits.values)));
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.expect_object(depth)?,
            Some(b'[') => self.expect_list(depth)?,
            Some(b'"') => Value::Text(self.expect_text()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.expect_number()?),
            Some(byte) if byte.is_ascii_alphabetic() => self.expect_word()?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { value, span: self.span_from(start) })
    }

    fn enter(&mut self, depth: usize) -> Result<(), JsonError> {
        if depth >= self.limits.depth {
            return Err(self.error(JsonErrorKind::TooDeep(self.limits.depth)));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn expect_list(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        self.enter(depth)?;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            let length = self.pointer.push_index(items.len());
            items.push(self.expect_value(depth + 1)?);
            self.pointer.cut(length);
            if self.expect_more(b']', "a comma or ]")? {
                continue;
            }
            return Ok(Value::List(items));
        }
    }

    fn expect_object(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        self.enter(depth)?;
        let mut members: Vec<Member<'t>> = Vec::new();
        // Most objects are small; a set is worth its cost only in large ones.
        let mut seen: Option<HashSet<Cow<'t, str>>> = None;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let start = self.at;
            let key = self.expect_text()?;
            let key_span = self.span_from(start);
            let known = match &mut seen {
                Some(seen) => !seen.insert(key.clone()),
                None => members.iter().any(|member| member.key == key),
            };
            let length = self.pointer.push_key(&key);
            if known {
                self.duplicates.push(Duplicate { pointer: self.pointer.as_str().into(), span: key_span });
            }
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("a colon"));
            }
            self.at += 1;
            let node = self.expect_value(depth + 1)?;
            self.pointer.cut(length);
            members.push(Member { key, key_span, node });
            if members.len() == 16 {
                seen = Some(members.iter().map(|member| member.key.clone()).collect());
            }
            if !self.expect_more(b'}', "a comma or }")? {
                return Ok(Value::Object(members));
            }
        }
    }

    /// After an element: true past a comma, false past the closing bracket.
    fn expect_more(&mut self, close: u8, expected: &'static str) -> Result<bool, JsonError> {
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.skip_space();
                if self.peek() == Some(close) {
                    self.at = comma;
                    return Err(self.error(JsonErrorKind::TrailingComma));
                }
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    fn expect_word(&mut self) -> Result<Value<'t>, JsonError> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let word = &self.text[self.at..self.at + length];
        let value = match word {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => {
                let shown = word.chars().take(24).collect();
                return Err(self.error(JsonErrorKind::UnknownWord(shown)));
            }
        };
        self.at += length;
        Ok(value)
    }

    fn expect_number(&mut self) -> Result<Number<'t>, JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        let text = &self.text[start..self.at];
        if is_number(text) {
            return Ok(Number(text));
        }
        self.at = start;
        Err(self.error(JsonErrorKind::BadNumber(text.chars().take(24).collect())))
    }

    fn expect_text(&mut self) -> Result<Cow<'t, str>, JsonError> {
        let opening = self.at;
        self.at += 1;
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut copied = start;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let tail = &self.text[copied..self.at];
                    self.at += 1;
                    return Ok(match owned {
                        Some(mut text) => {
                            text.push_str(tail);
                            Cow::Owned(text)
                        }
                        None => Cow::Borrowed(tail),
                    });
                }
                Some(b'\\') => {
                    let text = owned.get_or_insert_with(String::new);
                    text.push_str(&self.text[copied..self.at]);
                    let character = self.expect_escape()?;
                    owned.get_or_insert_with(String::new).push(character);
                    copied = self.at;
                }
                Some(byte) if byte < 0x20 => {
                    return Err(self.error(JsonErrorKind::ControlCharacter(byte.into())));
                }
                Some(_) => self.at += 1,
                None => {
                    // The opening quote is the place to look at, not the end of the file.
                    self.at = opening;
                    return Err(self.error(JsonErrorKind::UnexpectedEnd("the closing quote of this text")));
                }
            }
        }
    }

    fn expect_escape(&mut self) -> Result<char, JsonError> {
        let backslash = self.at;
        self.at += 1;
        let plain = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.expect_unicode(backslash),
            _ => {
                let Some(found) = self.peek_char() else { return Err(self.unexpected("an escape")) };
                self.at = backslash;
                return Err(self.error(JsonErrorKind::UnknownEscape(found)));
            }
        };
        self.at += 1;
        Ok(plain)
    }

    fn expect_unicode(&mut self, backslash: usize) -> Result<char, JsonError> {
        let first = self.expect_hex(backslash)?;
        let code = match first {
            0xd800..=0xdbff if self.bytes[self.at..].starts_with(b"\\u") => {
                self.at += 1;
                let second = self.expect_hex(backslash)?;
                // Anything but a low half leaves the first one alone, which `from_u32` then refuses.
                if (0xdc00..=0xdfff).contains(&second) {
                    0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                } else {
                    first
                }
            }
            _ => first,
        };
        char::from_u32(code).ok_or(JsonError { offset: backslash, kind: JsonErrorKind::LoneSurrogate })
    }

    /// Four digits after the `u` the reader is on.
    fn expect_hex(&mut self, backslash: usize) -> Result<u32, JsonError> {
        let digits = self.bytes.get(self.at + 1..self.at + 5).unwrap_or_default();
        if digits.len() != 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(JsonError { offset: backslash, kind: JsonErrorKind::BadUnicodeEscape });
        }
        self.at += 5;
        Ok(digits.iter().fold(0, |code, &digit| code * 16 + char::from(digit).to_digit(16).unwrap_or(0)))
    }
}

/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let body = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (body, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}
