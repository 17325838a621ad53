//! Names fit to be shown.

/// A name in quotes for a message: control characters escaped, long ones cut.
pub fn quote(name: &str) -> String {
    const LONGEST: usize = 48;
    let mut shown: String = name.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if name.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn quoted_names_cannot_reach_the_terminal() {
        assert_eq!(quote("A\u{1b}[2J"), "\"A\\u{1b}[2J\"");
        assert_eq!(quote(&"x".repeat(60)), format!("\"{}…\"", "x".repeat(48)));
    }
}
