//! YAML with places: the events of the parser become the same tree that JSON gives, so that a fault
//! names line and column. Takes the plain part of YAML: one document, no anchors, aliases, tags or
//! keys that are not scalars, bounded in size and depth. Knows nothing of the game.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span as Marks};
use thiserror::Error;

use tempo_diagnostics::Span;
use tempo_json::{Document, Duplicate, Member, Node, Number, Pointer, Value};

/// Larger files are refused; the rules of the game take 17 KiB.
pub const MAX_BYTES: usize = 1 << 20;
/// Lists and mappings inside each other.
pub const MAX_DEPTH: usize = 24;

/// Why a text is no YAML we take.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct YamlError {
    /// Byte offset of the fault.
    pub offset: usize,
    pub kind: YamlErrorKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum YamlErrorKind {
    #[error("the text is larger than the limit of {MAX_BYTES} bytes")]
    TooLarge,
    #[error("the text is not UTF-8")]
    NotUtf8,
    #[error("lists and mappings are nested deeper than the limit of {MAX_DEPTH}")]
    TooDeep,
    #[error("{0}")]
    Syntax(String),
    #[error("anchors and aliases (& and *) are not taken here: write the value out")]
    Alias,
    #[error("tags (!) are not taken here")]
    Tag,
    #[error("a key must be a plain word or text")]
    KeyIsNoScalar,
    #[error("the file holds a second document; one is expected")]
    SecondDocument,
    #[error("the file is empty")]
    Empty,
}

/// Reads one document.
pub fn parse(bytes: &[u8]) -> Result<Document<'_>, YamlError> {
    if bytes.len() > MAX_BYTES {
        return Err(YamlError { offset: 0, kind: YamlErrorKind::TooLarge });
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|err| YamlError { offset: err.valid_up_to(), kind: YamlErrorKind::NotUtf8 })?;
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder {
        text,
        offsets: Offsets::new(text, text.len() - body.len()),
        open: Vec::new(),
        root: None,
        pointer: Pointer::default(),
        duplicates: Vec::new(),
    };
    for event in Parser::new_from_str(body) {
        match event {
            Ok((event, marks)) => builder.take(event, marks)?,
            Err(err) => {
                let offset = builder.offsets.byte(err.marker().index());
                // The parser has its own limit, for texts that open far too much on one line.
                if err.info().contains("recursion limit") {
                    return Err(YamlError { offset, kind: YamlErrorKind::TooDeep });
                }
                return Err(YamlError { offset, kind: YamlErrorKind::Syntax(err.info().to_owned()) });
            }
        }
    }
    match builder.root {
        Some(root) => Ok(Document { text, root, duplicates: builder.duplicates }),
        None => Err(YamlError { offset: 0, kind: YamlErrorKind::Empty }),
    }
}

/// The parser counts characters, the tree counts bytes.
struct Offsets {
    /// Byte offset of every character when the text has any of more than one byte.
    bytes: Option<Vec<u32>>,
    skipped: usize,
    length: usize,
}

impl Offsets {
    fn new(text: &str, skipped: usize) -> Offsets {
        let body = &text[skipped..];
        let bytes = (!body.is_ascii()).then(|| body.char_indices().map(|(at, _)| at as u32).collect());
        Offsets { bytes, skipped, length: text.len() }
    }

    fn byte(&self, character: usize) -> usize {
        let at = match &self.bytes {
            None => character,
            Some(bytes) => bytes.get(character).map_or(self.length, |&at| at as usize),
        };
        (at + self.skipped).min(self.length)
    }
}

/// A list or mapping whose end has not come yet.
struct Open<'t> {
    start: u32,
    content: Content<'t>,
    /// The length to which the pointer is cut when it ends.
    pointer_length: usize,
}

enum Content<'t> {
    List(Vec<Node<'t>>),
    Map {
        members: Vec<Member<'t>>,
        /// The key whose value comes next.
        key: Option<(Cow<'t, str>, Span)>,
        /// How often each key came, for mappings of any size.
        seen: HashMap<String, ()>,
    },
}

struct Builder<'t> {
    text: &'t str,
    offsets: Offsets,
    open: Vec<Open<'t>>,
    root: Option<Node<'t>>,
    pointer: Pointer,
    duplicates: Vec<Duplicate>,
}

impl<'t> Builder<'t> {
    fn take(&mut self, event: Event<'_>, marks: Marks) -> Result<(), YamlError> {
        let span = Span {
            start: self.offsets.byte(marks.start.index()) as u32,
            end: self.offsets.byte(marks.end.index()) as u32,
        };
        let error = |kind| Err(YamlError { offset: span.start as usize, kind });
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_) if self.root.is_some() => error(YamlErrorKind::SecondDocument),
            Event::DocumentStart(_) => Ok(()),
            Event::Alias(_) => error(YamlErrorKind::Alias),
            Event::Scalar(_, _, anchor, _)
            | Event::SequenceStart(anchor, _)
            | Event::MappingStart(anchor, _)
                if anchor != 0 =>
            {
                error(YamlErrorKind::Alias)
            }
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, Some(_))
            | Event::MappingStart(_, Some(_)) => error(YamlErrorKind::Tag),
            Event::Scalar(text, style, ..) => {
                if self.awaits_key() {
                    self.start_member(text.into_owned(), span);
                    return Ok(());
                }
                let node = Node { value: self.scalar(text, style, span), span };
                self.add(node);
                Ok(())
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if self.awaits_key() {
                    return error(YamlErrorKind::KeyIsNoScalar);
                }
                if self.open.len() >= MAX_DEPTH {
                    return error(YamlErrorKind::TooDeep);
                }
                let content = match event {
                    Event::SequenceStart(..) => Content::List(Vec::new()),
                    _ => Content::Map { members: Vec::new(), key: None, seen: HashMap::new() },
                };
                let pointer_length = self.enter();
                self.open.push(Open { start: span.start, content, pointer_length });
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else { return Ok(()) };
                let value = match open.content {
                    Content::List(items) => Value::List(items),
                    Content::Map { members, .. } => Value::Object(members),
                };
                self.pointer.cut(open.pointer_length);
                self.add(Node { value, span: Span { start: open.start, end: span.end } });
                Ok(())
            }
        }
    }

    fn awaits_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Map { key: None, .. }, .. }))
    }

    fn start_member(&mut self, text: String, span: Span) {
        let Some(Open { content: Content::Map { key, seen, .. }, .. }) = self.open.last_mut() else { return };
        if seen.insert(text.clone(), ()).is_some() {
            let length = self.pointer.push_key(&text);
            self.duplicates.push(Duplicate { pointer: self.pointer.as_str().to_owned(), span });
            self.pointer.cut(length);
        }
        *key = Some((Cow::Owned(text), span));
    }

    /// Leads the pointer to the list or mapping that starts now.
    fn enter(&mut self) -> usize {
        match self.open.last() {
            None => 0,
            Some(Open { content: Content::List(items), .. }) => self.pointer.push_index(items.len()),
            Some(Open { content: Content::Map { key, .. }, .. }) => {
                self.pointer.push_key(key.as_ref().map_or("", |(key, _)| key))
            }
        }
    }

    fn add(&mut self, node: Node<'t>) {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open { content: Content::List(items), .. }) => items.push(node),
            Some(Open { content: Content::Map { members, key, .. }, .. }) => {
                if let Some((key, key_span)) = key.take() {
                    members.push(Member { key, key_span, node });
                }
            }
        }
    }

    /// The value of a scalar by the core schema; only plain ones can be numbers and words.
    fn scalar(&self, text: Cow<'_, str>, style: ScalarStyle, span: Span) -> Value<'t> {
        if style == ScalarStyle::Plain {
            match &*text {
                "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
                "true" | "True" | "TRUE" => return Value::Bool(true),
                "false" | "False" | "FALSE" => return Value::Bool(false),
                _ => {}
            }
            let source = self.text.get(span.start as usize..span.end as usize).unwrap_or_default().trim_end();
            if source == text && is_number(source) {
                return Value::Number(Number(source));
            }
        }
        Value::Text(Cow::Owned(text.into_owned()))
    }
}

/// Decimal numbers that mean the same in JSON.
fn is_number(text: &str) -> bool {
    text.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        && serde_json::from_str::<serde_json::Number>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn nodes_know_their_text() {
        let text = "# ö\nsides: {äh: [blue, 3], die: {1: [K, P]}}\nempty:\n";
        let document = parse(text.as_bytes()).unwrap();
        let slice = |pointer: &str| {
            let span = document.root.at(pointer).unwrap().span;
            &text[span.start as usize..span.end as usize]
        };
        assert_eq!(slice("/sides/äh/0"), "blue");
        assert_eq!(document.root.at("/sides/äh/1").unwrap().whole(), Some(3));
        assert_eq!(document.root.at("/sides/die/1/1").unwrap().text(), Some("P"));
        assert_eq!(document.root.at("/empty").unwrap().value, Value::Null);
        let offset = document.span_of("/sides/die/1").start;
        let at = document.source("t").position(offset, tempo_diagnostics::Columns::Characters);
        assert_eq!((at.line, at.column), (2, 33));
    }

    #[test]
    fn duplicates_are_reported() {
        let document = parse(b"a:\n  - {b: 1, c: 2, b: 3}\n").unwrap();
        assert_eq!(document.duplicates.len(), 1);
        assert_eq!(document.duplicates[0].pointer, "/a/0/b");
        let offset = document.duplicates[0].span.start;
        assert_eq!(document.source("t").position(offset, tempo_diagnostics::Columns::Characters).column, 18);
    }

    #[test]
    fn hostile_texts_are_refused_with_their_place() {
        let kind = |text: &str| parse(text.as_bytes()).unwrap_err().kind;
        assert_eq!(kind(""), YamlErrorKind::Empty);
        assert_eq!(kind("a: &x [1]\nb: [*x, *x]"), YamlErrorKind::Alias);
        assert_eq!(kind("a: !!binary aGk="), YamlErrorKind::Tag);
        assert_eq!(kind("? [a]\n: 1"), YamlErrorKind::KeyIsNoScalar);
        assert_eq!(kind("a: 1\n---\nb: 2\n"), YamlErrorKind::SecondDocument);
        assert_eq!(kind(&"[".repeat(100_000)), YamlErrorKind::TooDeep);
        assert_eq!(kind(&"- ".repeat(100_000)), YamlErrorKind::TooDeep);
        assert_eq!(kind(&"a".repeat(MAX_BYTES + 1)), YamlErrorKind::TooLarge);
        assert!(matches!(kind("a: [1, 2"), YamlErrorKind::Syntax(_)));
        let err = parse(b"ok: 1\nbad: \xff").unwrap_err();
        assert_eq!((err.offset, err.kind), (11, YamlErrorKind::NotUtf8));
    }
}
