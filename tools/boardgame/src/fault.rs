//! A fault in something a user gave us: where, what kind, and a sentence.

use std::borrow::Cow;
use std::fmt;

/// One fault in an input document.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Fault {
    /// RFC 6901 pointer to the place; empty for the whole document.
    pub pointer: String,
    /// The stable name of the kind of fault, such as `king-count`.
    pub code: Cow<'static, str>,
    /// A sentence for people: lower case, no full stop, the user's own words in it.
    pub message: String,
}

impl Fault {
    pub fn new(pointer: impl Into<String>, code: &'static str, message: impl Into<String>) -> Fault {
        Fault { pointer: pointer.into(), code: Cow::Borrowed(code), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            write!(f, "{} [{}]", self.message, self.code)
        } else {
            write!(f, "{}: {} [{}]", self.pointer, self.message, self.code)
        }
    }
}

impl std::error::Error for Fault {}
