//! Text from users, made fit to be shown: no character of it may steer the terminal.

use std::borrow::Cow;

/// Whether a terminal would obey the character, or show the text around it in another order.
fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

/// The text with control characters written as escapes: a line feed becomes `\n`, an escape `\u{1b}`.
///
/// ```
/// assert_eq!(tempo_diagnostics::escaped("a\u{1b}[2J"), "a\\u{1b}[2J");
/// assert_eq!(tempo_diagnostics::escaped("naïve\t☕"), "naïve\\t☕");
/// ```
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_active) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_active(character) => out.extend(character.escape_unicode()),
            _ => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// The same, but lines stay lines and tabs stay tabs.
///
/// ```
/// assert_eq!(tempo_diagnostics::escaped_lines("a\tb\n\u{1b}[2J\n"), "a\tb\n\\u{1b}[2J\n");
/// ```
pub fn escaped_lines(text: &str) -> Cow<'_, str> {
    let is_layout = |character| matches!(character, '\n' | '\t');
    if !text.contains(|character| is_active(character) && !is_layout(character)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for piece in text.split_inclusive(is_layout) {
        let end = piece.strip_suffix(is_layout).map_or(piece.len(), str::len);
        out.push_str(&escaped(&piece[..end]));
        out.push_str(&piece[end..]);
    }
    Cow::Owned(out)
}

/// A line for a table or a screen of character cells: tabs become four spaces, all other control characters escapes.
///
/// ```
/// assert_eq!(tempo_diagnostics::screen_text("\tlda #1 // \u{202e}"), "    lda #1 // \\u{202e}");
/// ```
pub fn screen_text(text: &str) -> String {
    escaped(&text.replace('\t', "    ")).into_owned()
}

/// A user's word for a message: at most `most` characters, control characters escaped.
///
/// ```
/// assert_eq!(tempo_diagnostics::shortened("pawn", 10), "pawn");
/// assert_eq!(tempo_diagnostics::shortened("hippopotamus", 6), "hippo…");
/// ```
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => escaped(text),
        Some(_) => {
            let end = text.char_indices().nth(most.saturating_sub(1)).map_or(0, |(at, _)| at);
            Cow::Owned(format!("{}…", escaped(&text[..end])))
        }
    }
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: "1 byte", "2 bytes".
pub fn plural<N: std::fmt::Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    format!("{count} {noun}{}", if count == N::from(1) { "" } else { "s" })
}

/// A source line as it is shown: every control character but the tab takes the place of one character.
pub(crate) fn picture(character: char) -> char {
    match character {
        '\t' => '\t',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_active(character) => '\u{fffd}',
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn nothing_that_is_shown_steers_a_terminal() {
        let hostile = "a\u{0}\u{1b}[2J\u{7f}\u{85}\u{9b}\u{202e}\u{2066}\u{200f}\r\nä";
        for shown in [escaped(hostile).into_owned(), hostile.chars().map(picture).collect()] {
            assert!(!shown.contains(is_active), "{shown:?}");
            assert!(shown.starts_with('a') && shown.ends_with('ä'));
        }
        assert_eq!("\u{1b}\u{7f}\t".chars().map(picture).collect::<String>(), "␛␡\t");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(
            ["7", "100", "1,000", "1,234,567"],
            [7, 100, 1000, 1_234_567].map(grouped).each_ref().map(String::as_str)
        );
    }

    #[test]
    fn words_are_cut_between_characters() {
        assert_eq!(shortened("ääää", 4), "ääää");
        assert_eq!(shortened("äääää", 4), "äää…");
        assert_eq!(shortened("ä", 0), "…");
        assert_eq!(shortened("\n\n\n", 2), "\\n…");
    }
}
