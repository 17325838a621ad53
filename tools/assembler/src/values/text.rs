//! Strings with their length known, so that `charAt` in a loop stays cheap.

/// A string of the script language. Characters are Unicode; `\$hh` bytes are private ones.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Text {
    text: Box<str>,
    /// Number of characters.
    len: usize,
}

impl Text {
    pub fn new(text: &str) -> Text {
        let len = if text.is_ascii() { text.len() } else { text.chars().count() };
        Text { text: text.into(), len }
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
        self.text.chars().nth(index)
    }

    /// The characters from one index to before another; both within the length.
    pub fn slice(&self, from: usize, to: usize) -> Text {
        if self.len == self.text.len() {
            return Text { text: self.text[from..to].into(), len: to - from };
        }
        Text::new(&self.text.chars().skip(from).take(to - from).collect::<String>())
    }
}
