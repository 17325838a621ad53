//! The tokens of one text for editors: what the scanner sees before the preprocessor, without imports.
//! Comments are tokens here, and kinds that editors treat alike are one.

use logos::Logos;

use super::scan::Raw;

/// A token of a source text. Blanks are no tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceToken {
    /// What it is.
    pub kind: TokenKind,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset behind its last byte.
    pub end: u32,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenKind {
    /// The end of a line, also inside brackets.
    LineEnd,
    /// `// …` or `/* … */`, also without its end.
    Comment,
    /// A name or mnemonic.
    Name,
    /// A name with a dot before it: a directive, an extension or a member.
    DotName,
    /// A number.
    Number,
    /// A string in quotes, with `@` if it has escapes.
    String,
    /// A character in apostrophes.
    Character,
    /// `!name++`: a reference to a multi label.
    MultiReference,
    /// `+`, `<<`, `&&` and the like; also `*`.
    Operator,
    /// `=`, and those that calculate first: `+=`, `-=`, `*=`, `/=`.
    Assignment,
    /// A bracket, comma, colon, semicolon, dot, `@` or `#`.
    Mark,
    /// What is no token, or a string without its end.
    Invalid,
}

/// The tokens of a text in order. Never fails: an editor colours sources while they are being written.
///
/// ```
/// use tempo_assembler::{TokenKind, tokens};
///
/// let text = "loop: inx // count";
/// let kinds: Vec<_> = tokens(text).iter().map(|token| token.kind).collect();
/// assert_eq!(kinds, [TokenKind::Name, TokenKind::Mark, TokenKind::Name, TokenKind::Comment]);
/// ```
pub fn tokens(text: &str) -> Vec<SourceToken> {
    // Offsets are 32 bits; the assembler refuses longer texts as well.
    let Ok(_) = u32::try_from(text.len()) else { return Vec::new() };
    let mut tokens = Vec::new();
    let mut raw = Raw::lexer(text);
    let mut last_end = 0;
    while let Some(token) = raw.next() {
        let start = raw.span().start;
        let kind = match token {
            Ok(Raw::OpenComment) => {
                raw.bump(raw.remainder().len());
                TokenKind::Comment
            }
            Ok(Raw::OpenString) => {
                let rest = raw.remainder();
                raw.bump(rest.find(['\r', '\n']).unwrap_or(rest.len()));
                TokenKind::Invalid
            }
            Ok(raw) => kind(raw),
            Err(()) => TokenKind::Invalid,
        };
        comments(text, last_end, start, &mut tokens);
        last_end = raw.span().end;
        tokens.push(SourceToken { kind, start: start as u32, end: last_end as u32 });
    }
    comments(text, last_end, text.len(), &mut tokens);
    tokens
}

fn kind(token: Raw) -> TokenKind {
    match token {
        Raw::Newline => TokenKind::LineEnd,
        Raw::Ident => TokenKind::Name,
        Raw::DotIdent => TokenKind::DotName,
        Raw::Decimal | Raw::Fraction | Raw::Hex | Raw::Binary => TokenKind::Number,
        Raw::Plain | Raw::Escaped => TokenKind::String,
        Raw::Char => TokenKind::Character,
        Raw::MultiRef => TokenKind::MultiReference,
        Raw::Assign | Raw::PlusAssign | Raw::MinusAssign | Raw::StarAssign | Raw::SlashAssign => {
            TokenKind::Assignment
        }
        Raw::Semicolon
        | Raw::LeftBrace
        | Raw::RightBrace
        | Raw::LeftParen
        | Raw::RightParen
        | Raw::LeftBracket
        | Raw::RightBracket
        | Raw::Comma
        | Raw::Colon
        | Raw::Dot
        | Raw::At
        | Raw::Hash => TokenKind::Mark,
        Raw::OpenComment => TokenKind::Comment,
        Raw::OpenString | Raw::Stray => TokenKind::Invalid,
        Raw::Bang
        | Raw::Tilde
        | Raw::Plus
        | Raw::Minus
        | Raw::Star
        | Raw::Slash
        | Raw::Less
        | Raw::LessEqual
        | Raw::Greater
        | Raw::GreaterEqual
        | Raw::Equal
        | Raw::NotEqual
        | Raw::ShiftLeft
        | Raw::ShiftRight
        | Raw::And
        | Raw::AndAnd
        | Raw::Or
        | Raw::OrOr
        | Raw::Caret
        | Raw::Question
        | Raw::PlusPlus
        | Raw::MinusMinus => TokenKind::Operator,
    }
}

/// The comments between two tokens, where the scanner skips them and blanks.
fn comments(text: &str, mut at: usize, end: usize, tokens: &mut Vec<SourceToken>) {
    while let Some(offset) = text[at..end].find('/') {
        let start = at + offset;
        let rest = &text[start..end];
        let len = if rest.starts_with("//") {
            rest.find(['\r', '\n'])
        } else {
            rest[2..].find("*/").map(|len| len + 4)
        };
        at = start + len.unwrap_or(rest.len());
        tokens.push(SourceToken { kind: TokenKind::Comment, start: start as u32, end: at as u32 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        tokens(text)
            .iter()
            .map(|token| (token.kind, &text[token.start as usize..token.end as usize]))
            .collect()
    }

    #[test]
    fn words_have_both_ends() {
        use TokenKind::*;
        assert_eq!(
            kinds("a: lda.z #<b+$1f /* é */ // x\n!n: bne !n- @\"\\\"\" 'c' *=3"),
            [
                (Name, "a"),
                (Mark, ":"),
                (Name, "lda"),
                (DotName, ".z"),
                (Mark, "#"),
                (Operator, "<"),
                (Name, "b"),
                (Operator, "+"),
                (Number, "$1f"),
                (Comment, "/* é */"),
                (Comment, "// x"),
                (LineEnd, "\n"),
                (Operator, "!"),
                (Name, "n"),
                (Mark, ":"),
                (Name, "bne"),
                (MultiReference, "!n-"),
                (String, "@\"\\\"\""),
                (Character, "'c'"),
                (Assignment, "*="),
                (Number, "3"),
            ]
        );
    }

    #[test]
    fn unfinished_texts_end() {
        use TokenKind::*;
        assert_eq!(kinds("a \"b\nc"), [(Name, "a"), (Invalid, "\"b"), (LineEnd, "\n"), (Name, "c")]);
        assert_eq!(kinds("a /* b\nc"), [(Name, "a"), (Comment, "/* b\nc")]);
        assert_eq!(kinds("/**/ /***/ //"), [(Comment, "/**/"), (Comment, "/***/"), (Comment, "//")]);
        for text in
            ["\"", "@\"\\", "/*", "'", ".", "#", "$", "a(", "!", "*", ".macro", "ä\u{0}", "/", "", "/*/"]
        {
            let tokens = tokens(text);
            assert!(tokens.is_sorted_by(|a, b| a.end <= b.start), "{text}: {tokens:?}");
        }
    }
}
