#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod reader;

use std::borrow::Cow;
use std::fmt::Write as _;

use tempo_diagnostics::{Source, Span};

pub use reader::{JsonError, JsonErrorKind, Limits, parse};

/// A parsed text.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'t> {
    /// The text, byte order mark included.
    pub text: &'t str,
    /// The outermost value.
    pub root: Node<'t>,
    /// Keys that an object has more than once, each from its second place on.
    pub duplicates: Vec<Duplicate>,
}

/// A key that its object already had. `Node::get` answers with the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// RFC 6901 pointer of the member, the same for all its occurrences.
    pub pointer: String,
    /// The second (third…) occurrence of the key.
    pub span: Span,
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Node<'t> {
    /// The value.
    pub value: Value<'t>,
    /// Where it is in the text.
    pub span: Span,
}

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'t> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written.
    Number(Number<'t>),
    /// A string, its escapes resolved.
    Text(Cow<'t, str>),
    /// An array.
    List(Vec<Node<'t>>),
    /// An object, duplicate keys included.
    Object(Vec<Member<'t>>),
}

/// One `"key": value` of an object, in the order of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Member<'t> {
    /// The key, its escapes resolved.
    pub key: Cow<'t, str>,
    /// Where the key is, its quotes included.
    pub key_span: Span,
    /// The value.
    pub node: Node<'t>,
}

/// A number as it was written; nothing is rounded away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<'t>(pub &'t str);

impl<'t> Document<'t> {
    /// The text as a source, for lines, columns and messages.
    pub fn source(&self, name: impl Into<String>) -> Source {
        Source::new(name, self.text)
    }

    /// The span a pointer means, or that of its nearest ancestor which exists.
    pub fn span_of(&self, pointer: &str) -> Span {
        let mut node = &self.root;
        for token in tokens(pointer) {
            match node.child(&token) {
                Some(child) => node = child,
                None => break,
            }
        }
        node.span
    }
}

impl<'t> Node<'t> {
    /// The first member of an object with this key.
    pub fn get(&self, key: &str) -> Option<&Node<'t>> {
        self.members()?.iter().find(|member| member.key == key).map(|member| &member.node)
    }

    /// The node an RFC 6901 pointer means.
    pub fn at(&self, pointer: &str) -> Option<&Node<'t>> {
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return None;
        }
        tokens(pointer).try_fold(self, |node, token| node.child(&token))
    }

    /// The members, if the value is an object.
    pub fn members(&self) -> Option<&[Member<'t>]> {
        if let Value::Object(members) = &self.value { Some(members) } else { None }
    }

    /// The items, if the value is a list.
    pub fn items(&self) -> Option<&[Node<'t>]> {
        if let Value::List(items) = &self.value { Some(items) } else { None }
    }

    /// The string, if the value is one.
    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// The value of `true` or `false`.
    pub fn bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self.value { Some(value) } else { None }
    }

    /// The value of a whole number, see `Number::whole`.
    pub fn whole(&self) -> Option<i64> {
        if let Value::Number(number) = self.value { number.whole() } else { None }
    }

    /// A description of the value for messages: `a text`, `the number 3`.
    pub fn describe(&self) -> String {
        match &self.value {
            Value::Null => "null".into(),
            Value::Bool(value) => value.to_string(),
            Value::Number(number) if number.0.len() <= 24 => format!("the number {}", number.0),
            Value::Number(_) => "a number".into(),
            Value::Text(_) => "a text".into(),
            Value::List(_) => "a list".into(),
            Value::Object(_) => "an object".into(),
        }
    }

    fn child(&self, token: &str) -> Option<&Node<'t>> {
        match &self.value {
            Value::Object(_) => self.get(token),
            Value::List(items) => {
                // RFC 6901 knows no leading zeros and no sign.
                let plain = token == "0" || !token.starts_with(['0', '+', '-']);
                items.get(token.parse::<usize>().ok().filter(|_| plain)?)
            }
            _ => None,
        }
    }
}

impl Number<'_> {
    /// The value if it is a whole number (`8`, `8.0`, `8e0`), held at the ends of `i64` beyond them.
    pub fn whole(self) -> Option<i64> {
        let (negative, body) = match self.0.strip_prefix('-') {
            Some(body) => (true, body),
            None => (false, self.0),
        };
        let (mantissa, exponent) = match body.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, saturating(exponent)),
            None => (body, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: String = format!("{whole}{fraction}").trim_start_matches('0').into();
        let significant = digits.trim_end_matches('0');
        if significant.is_empty() {
            return Some(0);
        }
        let zeros = (digits.len() - significant.len()) as i64;
        let scale = exponent.saturating_add(zeros).saturating_sub(fraction.len() as i64);
        if scale < 0 {
            return None;
        }
        let end = if negative { i64::MIN } else { i64::MAX };
        if scale > 18 || significant.len() > 19 {
            return Some(end);
        }
        let value = significant.parse::<i128>().ok()? * 10i128.pow(scale as u32);
        Some(i64::try_from(if negative { -value } else { value }).unwrap_or(end))
    }

    /// The nearest floating-point number.
    pub fn as_f64(self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }
}

fn saturating(digits: &str) -> i64 {
    let end = if digits.starts_with('-') { i64::MIN } else { i64::MAX };
    digits.parse().unwrap_or(end)
}

/// An RFC 6901 pointer under construction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pointer(String);

impl Pointer {
    /// The pointer as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Adds a member name; returns the length to hand to `cut`.
    pub fn push_key(&mut self, key: &str) -> usize {
        let length = self.0.len();
        self.0.push('/');
        for character in key.chars() {
            match character {
                '~' => self.0.push_str("~0"),
                '/' => self.0.push_str("~1"),
                _ => self.0.push(character),
            }
        }
        length
    }

    /// Adds a list index; returns the length to hand to `cut`.
    pub fn push_index(&mut self, index: usize) -> usize {
        let length = self.0.len();
        let _ = write!(self.0, "/{index}");
        length
    }

    /// Goes back to a length that `push_key` or `push_index` returned.
    pub fn cut(&mut self, length: usize) {
        self.0.truncate(length);
    }
}

/// The unescaped reference tokens of a pointer.
fn tokens(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(|token| {
        if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
    })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn read(text: &str) -> Result<Document<'_>, JsonError> {
        parse(text.as_bytes(), Limits::default())
    }

    fn plain(node: &Node<'_>) -> serde_json::Value {
        match &node.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Number(number) => number.0.parse::<f64>().unwrap().into(),
            Value::Text(text) => text.as_ref().into(),
            Value::List(items) => items.iter().map(plain).collect(),
            Value::Object(members) => serde_json::Value::Object(
                members.iter().map(|member| (member.key.to_string(), plain(&member.node))).collect(),
            ),
        }
    }

    #[test]
    fn every_node_knows_its_text() {
        let text = "{\"a\": [1, \"zwölf\", {\"b/c\": null}]}";
        let document = read(text).unwrap();
        let slice = |pointer: &str| {
            let span = document.root.at(pointer).unwrap().span;
            &text[span.start as usize..span.end as usize]
        };
        assert_eq!(slice("/a/0"), "1");
        assert_eq!(slice("/a/1"), "\"zwölf\"");
        assert_eq!(slice("/a/2/b~1c"), "null");
        assert_eq!(slice(""), text);
        assert!(document.root.at("/a/01").is_none(), "no leading zeros in a pointer");
        assert!(document.root.at("a").is_none(), "a pointer starts with a slash");
        assert_eq!(document.span_of("/a/7/x"), document.root.at("/a").unwrap().span);
    }

    #[test]
    fn columns_count_characters() {
        let text = "{\n  \"zwölf\": 12, \"x\": 1}";
        let document = read(text).unwrap();
        let at = |document: &Document<'_>, offset| {
            let position = document.source("t").position(offset, tempo_diagnostics::Columns::Characters);
            (position.line, position.column)
        };
        assert_eq!(at(&document, document.root.at("/x").unwrap().span.start), (2, 21));
        let long = format!("[\"{}\", 5]", "ä".repeat(3000));
        let document = read(&long).unwrap();
        assert_eq!(at(&document, document.root.at("/1").unwrap().span.start), (1, 3006));
    }

    #[test]
    fn duplicate_keys_are_reported_and_the_first_one_answers() {
        let document = read("{\"a\": {\"b\": 1, \"b\": 2, \"b\": 3}}").unwrap();
        let pointers: Vec<_> =
            document.duplicates.iter().map(|d| (d.pointer.as_str(), d.span.start)).collect();
        assert_eq!(pointers, [("/a/b", 15), ("/a/b", 23)]);
        assert_eq!(document.root.at("/a/b").unwrap().whole(), Some(1));
        let many: String = (0..200).map(|i| format!("\"k{}\": 0,", i % 199)).collect();
        let text = format!("{{{}\"end\": 0}}", many);
        let document = read(&text).unwrap();
        assert_eq!(document.duplicates.len(), 1);
        assert_eq!(document.duplicates[0].pointer, "/k0");
    }

    #[test]
    fn whole_numbers_are_exact_or_held_at_the_ends() {
        let cases = [
            ("0", Some(0)),
            ("-0.0", Some(0)),
            ("8.0", Some(8)),
            ("8.5", None),
            ("1e3", Some(1000)),
            ("1200e-2", Some(12)),
            ("1e-1", None),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", Some(i64::MAX)),
            ("-1e400", Some(i64::MIN)),
            ("1e99999999999999999999", Some(i64::MAX)),
            ("1e-99999999999999999999", None),
            ("0e99999999999999999999", Some(0)),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text).unwrap().root.whole(), expected, "{text}");
        }
    }

    #[test]
    fn faults_name_their_place() {
        let cases = [
            ("", 0, "the text ends where a value should follow"),
            ("{\"a\" 1}", 5, "found '1' where a colon should be"),
            ("[1,]", 2, "a comma before the closing bracket has no value after it"),
            ("[1 2]", 3, "found '2' where a comma or ] should be"),
            ("{a: 1}", 1, "found 'a' where a key in double quotes should be"),
            ("[01]", 1, "\"01\" is no JSON number"),
            ("[1.]", 1, "\"1.\" is no JSON number"),
            ("[-]", 1, "\"-\" is no JSON number"),
            ("[NaN]", 1, "\"NaN\" is no JSON word; only true, false and null are"),
            ("[\"a]", 1, "the text ends where the closing quote of this text should follow"),
            ("[\"\\x\"]", 2, "unknown escape \\x"),
            ("[\"\\ud800\"]", 2, "unpaired surrogate"),
            ("[\"\\u12\"]", 2, "\\u must be followed by four hexadecimal digits"),
            ("[\"\u{1}\"]", 2, "a text has the control character U+0001, which must be written as \\u0001"),
            ("{} {}", 3, "found '{' after the end of the value"),
        ];
        for (text, offset, message) in cases {
            let err = read(text).unwrap_err();
            assert_eq!((err.offset, err.to_string().as_str()), (offset, message), "{text}");
        }
    }

    #[test]
    fn limits_hold() {
        let limits = Limits { bytes: 40, depth: 4, values: 10 };
        let kind = |text: &str| parse(text.as_bytes(), limits).map(|_| ()).map_err(|err| err.kind);
        assert_eq!(kind("[[[[]]]]"), Ok(()));
        assert_eq!(kind("[[[[[]]]]]"), Err(JsonErrorKind::TooDeep(4)));
        assert_eq!(kind("[1,2,3,4,5,6,7,8,9,10]"), Err(JsonErrorKind::TooManyValues(10)));
        assert_eq!(kind(&" ".repeat(41)), Err(JsonErrorKind::TooLarge(40)));
        assert_eq!(
            parse(b"[\"\xff\"]", limits).unwrap_err(),
            JsonError { offset: 2, kind: JsonErrorKind::NotUtf8 }
        );
        assert_eq!(kind(&"[".repeat(40)), Err(JsonErrorKind::TooDeep(4)));
    }

    proptest::proptest! {
        /// Any bytes: what we accept serde_json accepts too, with the same meaning.
        #[test]
        fn agrees_with_serde_json(text in "[\\[\\]{},:\"0-9eE.+\\-a-u\\\\ \n\u{0}-\u{20}é]{0,40}") {
            let theirs: Result<serde_json::Value, _> = serde_json::from_str(&text);
            match read(&text) {
                Ok(document) if document.duplicates.is_empty() => {
                    // serde_json refuses numbers beyond f64; everything else must agree.
                    if let Ok(theirs) = theirs {
                        let theirs = parse(theirs.to_string().as_bytes(), Limits::default()).map(|d| plain(&d.root));
                        proptest::prop_assert_eq!(Ok(plain(&document.root)), theirs);
                    }
                }
                Ok(_) => {}
                Err(err) => proptest::prop_assert!(theirs.is_err(), "{:?} but serde_json read it", err),
            }
        }
    }
}
