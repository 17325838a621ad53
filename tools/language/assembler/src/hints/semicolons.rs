//! Comments of other assemblers: a `;` with words after it that are not statements.
//! Reads one line; knows the names that can begin a statement.

use super::{Line, ident_len, is_mnemonic};
use crate::tree::Tree;

/// The remark about it.
pub(super) const HELP: &str = "comments begin with //; a ; ends a statement";

/// How sure the help must be to take the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Certainty {
    /// The text after the `;` is not a statement.
    Likely,
    /// It goes on with several words in a row.
    Prose,
}

/// Help for a fault in words that are meant as a comment.
pub(super) fn comment(line: Line<'_>, tree: &Tree, wanted: Certainty) -> Option<String> {
    let behind = separators(line.text).take_while(|&at| at < line.at);
    let mut texts = behind.filter_map(|at| line.text.get(at + 1..)).map(|text| {
        let end = separators(text).next().unwrap_or(text.len());
        (text, &text[..end])
    });
    let is_comment = |(rest, statement): (&str, &str)| {
        // A `)` that closes nothing here closes the head of a loop that began on an earlier line.
        let is_head = line.text.as_bytes().get(line.at) != Some(&b')') && closes_more(rest);
        let words = statement.trim_start();
        let is_wanted = wanted == Certainty::Likely || is_prose(&words[ident_len(words)..]);
        !is_head && is_wanted && !is_statement(statement, tree)
    };
    texts.any(is_comment).then(|| HELP.to_owned())
}

/// The places of each `;` that may begin a comment.
pub(super) fn comments(line: &str) -> impl Iterator<Item = usize> {
    separators(line)
}

/// The places of each `;` outside of brackets, texts and comments.
fn separators(line: &str) -> impl Iterator<Item = usize> {
    let bytes = line.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let here = at;
            at += 1;
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.saturating_sub(1),
                b'"' => at += bytes[at..].iter().position(|&byte| byte == b'"').map_or(0, |len| len + 1),
                b'\'' if bytes.get(at + 1) == Some(&b'\'') => at += 2,
                b'/' if bytes.get(at) == Some(&b'/') => at = bytes.len(),
                b'/' if bytes.get(at) == Some(&b'*') => {
                    at = line[at..].find("*/").map_or(bytes.len(), |len| at + len + 2);
                }
                b';' if depth == 0 => return Some(here),
                _ => {}
            }
        }
        None
    })
}

/// Whether a text closes brackets that it does not open.
fn closes_more(text: &str) -> bool {
    let mut depth = 0;
    text.bytes().any(|byte| {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        depth < 0
    })
}

/// Whether a text can be meant as a statement: by its first word.
fn is_statement(text: &str, tree: &Tree) -> bool {
    let mut text = text.trim();
    // Labels, and what opens and closes a block.
    loop {
        let name = text.strip_prefix(['!', '@']).unwrap_or(text);
        let rest = &name[ident_len(name)..];
        let is_name = rest.len() < text.len();
        let next = match rest.strip_prefix(':') {
            Some(rest) if is_name => rest,
            _ => match text.strip_prefix(['{', '}']) {
                Some(rest) => rest,
                None => break,
            },
        };
        text = next.trim_start();
    }
    if text.is_empty() || text.starts_with("//") || text.starts_with("/*") {
        return true;
    }
    if let Some(rest) = text.strip_prefix('*') {
        return rest.trim_start().starts_with('=');
    }
    if let Some(rest) = text.strip_prefix('.') {
        return rest.starts_with(|c: char| c.is_ascii_alphabetic());
    }
    let text = text.strip_prefix([':', '@']).unwrap_or(text);
    let (word, rest) = text.split_at(ident_len(text));
    let is_declared = |name: &str| {
        let names = tree.macros.keys().chain(tree.pseudo_commands.keys());
        names.map(|&(_, name)| tree.name(name)).any(|known| known == name)
    };
    word == "else" || is_mnemonic(word) && !is_prose(rest) || is_declared(word)
}

/// Whether there are two words in a row that no operand has.
fn is_prose(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_word = |word: &str| word.chars().all(char::is_alphabetic) && !is_mnemonic(word);
    words.windows(2).any(|pair| is_word(pair[0]) && is_word(pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn separators_are_outside_of_brackets_and_texts() {
        for (line, expected) in [
            ("a;b;", vec![1, 3]),
            (".for (i;j;k) a;b", vec![14]),
            (".text \";\" ; x", vec![10]),
            (" lda #';' // ;", vec![]),
            ("/* ; */ ;", vec![8]),
            ("; don't (a; b)", vec![0]),
        ] {
            assert_eq!(separators(line).collect::<Vec<_>>(), expected, "{line}");
        }
    }

    #[test]
    fn statements_begin_with_words_of_the_language() {
        let tree = Tree::default();
        for text in
            ["", "sta foo", "l: rts", "!: bne !-", ".byte 1", "*=$1000", "{ inx", "}", "STA foo", "and x"]
        {
            assert!(is_statement(text, &tree), "{text}");
        }
        for text in
            ["border [see", "{open", "and store it", "note: this", "----", "5 times", "* note *", "..."]
        {
            assert!(!is_statement(text, &tree), "{text}");
        }
    }
}
