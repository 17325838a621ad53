//! Strings with their length known, so that `charAt` in a loop stays cheap.

use super::live;

/// A string of the script language. Characters are Unicode; `\$hh` bytes are private ones.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Text {
    text: String,
    /// Number of characters.
    len: usize,
}

impl Text {
    pub fn new(text: &str) -> Text {
        let len = if text.is_ascii() { text.len() } else { text.chars().count() };
        Text::with_len(text.into(), len)
    }

    fn with_len(text: String, len: usize) -> Text {
        live::grow(live::HEAD + text.len());
        Text { text, len }
    }

    /// One after the other.
    pub fn joined(&self, tail: &Text) -> Text {
        let mut text = String::with_capacity(self.text.len() + tail.text.len());
        text.push_str(&self.text);
        text.push_str(&tail.text);
        Text::with_len(text, self.len + tail.len)
    }

    /// Goes on with another one.
    pub fn append(&mut self, tail: &Text) {
        live::grow(tail.text.len());
        self.text.push_str(&tail.text);
        self.len += tail.len;
    }

    pub fn is_same(&self, other: &Text) -> bool {
        if self.text.len() == other.text.len() {
            live::moved(self.text.len());
        }
        self.text == other.text
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn char_at(&self, index: usize) -> Option<char> {
        if self.len == self.text.len() {
            return self.text.as_bytes().get(index).map(|&byte| char::from(byte));
        }
        live::moved(index);
        self.text.chars().nth(index)
    }

    /// The characters from one index to before another; both within the length.
    pub fn slice(&self, from: usize, to: usize) -> Text {
        if self.len == self.text.len() {
            return Text::with_len(self.text[from..to].into(), to - from);
        }
        live::moved(to);
        Text::new(&self.text.chars().skip(from).take(to - from).collect::<String>())
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        live::shrink(live::HEAD + self.text.len());
    }
}
