//! Answers of tools: a few lines for the model, the same as data for programs, and a picture at most. Both are bounded.

use serde_json::{Map, Value, json};
use tempo_diagnostics::escaped_lines;
use tempo_framing::base64;

/// The most bytes of text in an answer.
pub const MOST_TEXT: usize = 8 << 10;

/// The answer of a tool whose work could be done; a failing test is one, too.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    text: String,
    data: Map<String, Value>,
    png: Option<Vec<u8>>,
}

impl Answer {
    /// An answer with this data, which is an object.
    pub fn new(data: Value) -> Answer {
        let data = if let Value::Object(data) = data { data } else { Map::new() };
        Answer { data, ..Answer::default() }
    }

    /// Adds a line.
    pub fn line(&mut self, line: impl AsRef<str>) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line.as_ref());
    }

    /// Adds lines.
    pub fn lines<T: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = T>) {
        lines.into_iter().for_each(|line| self.line(line));
    }

    /// Sets a member of the data.
    pub fn set(&mut self, name: &str, value: Value) {
        self.data.insert(name.to_owned(), value);
    }

    /// Adds a picture.
    pub fn picture(&mut self, png: Vec<u8>) {
        self.png = Some(png);
    }

    /// The result of `tools/call`.
    pub fn result(self) -> Value {
        let Answer { text, mut data, png } = self;
        let (text, is_cut) = bounded(&escaped_lines(&text));
        if is_cut {
            data.insert("truncated".to_owned(), json!(true));
        }
        let mut content = vec![json!({ "type": "text", "text": text })];
        if let Some(png) = png {
            content.push(json!({ "type": "image", "data": base64::encode(&png), "mimeType": "image/png" }));
        }
        json!({ "content": content, "structuredContent": data, "isError": false })
    }
}

/// The result of a call whose work could not be done.
pub fn problem(message: &str) -> Value {
    let (text, _) = bounded(&escaped_lines(message));
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}

/// A text cut at a line, with the number of lines that are left out.
fn bounded(text: &str) -> (String, bool) {
    if text.len() <= MOST_TEXT {
        return (text.to_owned(), false);
    }
    let room = MOST_TEXT - 32;
    let end = (0..=room).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let cut = text[..end].rfind('\n').unwrap_or(end);
    let left = text[cut..].lines().filter(|line| !line.is_empty()).count();
    (format!("{}\n… {left} more", &text[..cut]), true)
}

/// A page of a list: the items from `offset` on, at most `limit`, and how many come after them.
pub fn page<T>(items: Vec<T>, offset: usize, limit: usize) -> (Vec<T>, usize) {
    let rest = items.len().saturating_sub(offset).saturating_sub(limit);
    (items.into_iter().skip(offset).take(limit).collect(), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn texts_are_cut_at_a_line() {
        let mut answer = Answer::new(json!({}));
        (0..2000).for_each(|number| answer.line(format!("line {number}")));
        let result = answer.result();
        let text = result["content"][0]["text"].as_str().expect("a text");
        let shown = text.lines().count() - 1;
        assert!(text.len() <= MOST_TEXT);
        assert!(text.ends_with(&format!("line {}\n… {} more", shown - 1, 2000 - shown)), "{}", &text[8000..]);
        assert_eq!(result["structuredContent"]["truncated"], json!(true));
    }
}
