//! The arguments of a request: JSON with answers of the kind that is asked for.

use serde_json::Value;
use tempo_debug::parse_number;

/// Arguments, or a part of them.
#[derive(Clone, Copy)]
pub struct Arguments<'a>(pub &'a Value);

impl<'a> Arguments<'a> {
    pub fn get(self, name: &str) -> Arguments<'a> {
        Arguments(self.0.get(name).unwrap_or(&Value::Null))
    }

    pub fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub fn flag(self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A number, or a text that is one.
    pub fn number(self, name: &str) -> Option<i64> {
        match self.0.get(name)? {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => parse_number(text),
            _ => None,
        }
    }

    pub fn list(self, name: &str) -> impl Iterator<Item = Arguments<'a>> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten().map(Arguments)
    }

    pub fn texts(self, name: &str) -> Vec<String> {
        self.list(name).filter_map(|item| item.0.as_str()).map(str::to_string).collect()
    }
}

/// An address as we write it: `0xc000`.
pub fn reference(address: u16) -> String {
    format!("0x{address:04x}")
}

/// An address as clients send it back, with an offset that may lead outside of memory.
pub fn parse_reference(text: &str, offset: i64) -> Option<i64> {
    parse_number(text)?.checked_add(offset)
}
