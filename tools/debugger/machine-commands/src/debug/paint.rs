//! Colours of the debugger's screen. Where colours are off (`NO_COLOR`), reversed, bold and dim text still tells the same.

use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use tempo_assembler::{TokenKind, tokens};
pub use tempo_diagnostics::screen_text as clean;

pub fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

pub fn bold() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// The bar at the top.
pub fn bar() -> Style {
    Style::new().fg(Color::Cyan).add_modifier(Modifier::REVERSED)
}

/// Where the machine is stopped.
pub fn here() -> Style {
    Style::new().fg(Color::Yellow).add_modifier(Modifier::REVERSED)
}

/// The line that the user marked.
pub fn marked() -> Style {
    Style::new().add_modifier(Modifier::UNDERLINED)
}

/// The changes of the last command.
pub fn changed() -> Style {
    bold().fg(Color::Yellow)
}

pub fn point() -> Style {
    Style::new().fg(Color::Red)
}

pub fn label() -> Style {
    Style::new().fg(Color::Green)
}

pub fn error() -> Style {
    Style::new().fg(Color::Red)
}

/// The parts of an assembler source that have a colour, by their offsets.
pub fn painted(text: &str) -> Vec<(Range<usize>, Style)> {
    let all = tokens(text);
    let mut found = Vec::new();
    for (at, token) in all.iter().enumerate() {
        let range = token.start as usize..token.end as usize;
        let is_before = |mark: &str| {
            all.get(at + 1).is_some_and(|next| text.get(next.start as usize..next.end as usize) == Some(mark))
        };
        let style = match token.kind {
            TokenKind::Comment => dim(),
            TokenKind::Name if is_before(":") => label(),
            TokenKind::Name => match text.get(range.clone()).and_then(tempo_isa::Mnemonic::parse) {
                Some(_) => Style::new().fg(Color::Cyan),
                None => continue,
            },
            TokenKind::DotName => Style::new().fg(Color::Magenta),
            TokenKind::Number | TokenKind::String | TokenKind::Character => Style::new().fg(Color::Blue),
            TokenKind::MultiReference => label(),
            _ => continue,
        };
        found.push((range, style));
    }
    found
}

/// A line of a text in its colours.
pub fn line(text: &str, range: Range<usize>, painted: &[(Range<usize>, Style)]) -> Vec<Span<'static>> {
    let first = painted.partition_point(|(part, _)| part.end <= range.start);
    let mut spans = Vec::new();
    let mut at = range.start;
    let mut push = |from: usize, to: usize, style: Style| {
        let part = text.get(from..to).unwrap_or("").trim_end_matches(['\n', '\r']);
        if !part.is_empty() {
            spans.push(Span::styled(clean(part), style));
        }
    };
    for (part, style) in painted[first..].iter().take_while(|(part, _)| part.start < range.end) {
        let (start, end) = (part.start.max(range.start), part.end.min(range.end));
        push(at, start, Style::new());
        push(start, end, *style);
        at = end;
    }
    push(at, range.end, Style::new());
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn lines_have_the_colours_of_their_tokens() {
        let text = "/* a\n b */ loop: lda #$05 // five\n\tbne loop\n";
        let painted = painted(text);
        let styles = |number: usize| {
            let start = text.split_inclusive('\n').take(number).map(str::len).sum::<usize>();
            let end = start + text.split_inclusive('\n').nth(number).map_or(0, str::len);
            let spans = line(text, start..end, &painted);
            spans.into_iter().map(|span| (span.content.into_owned(), span.style)).collect::<Vec<_>>()
        };
        assert_eq!(styles(0), [("/* a".to_string(), dim())]);
        let second = styles(1);
        assert_eq!(second[0], (" b */".to_string(), dim()));
        assert!(second.contains(&("loop".to_string(), label())));
        assert!(second.contains(&("lda".to_string(), Style::new().fg(Color::Cyan))));
        assert_eq!(second.last().map(|(text, _)| text.as_str()), Some("// five"));
        let joined: String = styles(2).into_iter().map(|(text, _)| text).collect();
        assert_eq!(joined, "    bne loop");
    }

    /// A source cannot steer the terminal, nor show its characters in another order than the assembler reads them.
    #[test]
    fn lines_cannot_steer_the_terminal() {
        let text = "lda #1 // \u{202e}\u{2066}\u{61c}\u{1b}[2J";
        let shown: String = line(text, 0..text.len(), &painted(text))
            .into_iter()
            .map(|span| span.content.into_owned())
            .collect();
        assert_eq!(shown, "lda #1 // \\u{202e}\\u{2066}\\u{61c}\\u{1b}[2J");
    }
}
