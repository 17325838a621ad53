//! Text of a report with its styles beside it, not inside it: whatever a name contains, it cannot change how it looks.

use std::fmt;

use tempo_diagnostics::escaped_lines;

/// A part of a report in one style.
struct Piece {
    /// A code of `ESC [ … m`; none for plain text.
    style: Option<&'static str>,
    text: String,
}

/// A report or a part of one.
#[derive(Default)]
pub(super) struct Text(Vec<Piece>);

impl Text {
    /// Adds plain text.
    pub fn say(&mut self, text: impl fmt::Display) {
        let text = text.to_string();
        match self.0.last_mut() {
            Some(Piece { style: None, text: last }) => last.push_str(&text),
            _ => self.0.push(Piece { style: None, text }),
        }
    }

    /// Adds text in a style.
    pub fn paint(&mut self, style: &'static str, text: impl fmt::Display) {
        self.0.push(Piece { style: Some(style), text: text.to_string() });
    }

    /// The text for a terminal or a log: every control character of it is an escape, styles are left out or added.
    pub fn shown(&self, has_styles: bool) -> String {
        let mut out = String::new();
        for Piece { style, text } in &self.0 {
            let text = escaped_lines(text);
            match style.filter(|_| has_styles) {
                Some(style) => out.push_str(&format!("\x1b[{style}m{text}\x1b[0m")),
                None => out.push_str(&text),
            }
        }
        out
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(vec![Piece { style: None, text }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_has_a_style_of_its_own() {
        let mut text = Text::default();
        text.paint("1;31", "FAILED");
        text.say(" \x1b[2J\u{f0002}\n");
        assert_eq!(text.shown(true), "\x1b[1;31mFAILED\x1b[0m \\u{1b}[2J\u{f0002}\n");
        assert_eq!(text.shown(false), "FAILED \\u{1b}[2J\u{f0002}\n");
    }
}
