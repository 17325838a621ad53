//! The tokens of one text for editors: what the scanner sees before the preprocessor, without imports.
//! Comments are tokens here, and kinds that editors treat alike are one.

use std::ops::Range;

use logos::Logos;

use super::Kind;

/// A token of a source text. Blanks are not tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceToken {
    /// Its kind.
    pub kind: TokenKind,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset after its last byte.
    pub end: u32,
}

/// The kind of a token.
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
    /// An unexpected character, or a string without its end.
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
    let token = |(token, place): (Result<Kind, ()>, Range<usize>)| SourceToken {
        kind: token.map_or(TokenKind::Invalid, kind),
        start: place.start as u32,
        end: place.end as u32,
    };
    Kind::lexer(text).spanned().map(token).collect()
}

fn kind(token: Kind) -> TokenKind {
    match token {
        Kind::Newline => TokenKind::LineEnd,
        Kind::Comment | Kind::OpenComment => TokenKind::Comment,
        Kind::Ident => TokenKind::Name,
        Kind::DotIdent => TokenKind::DotName,
        Kind::Decimal | Kind::Fraction | Kind::Hex | Kind::Binary => TokenKind::Number,
        Kind::PlainString | Kind::EscapedString => TokenKind::String,
        Kind::OpenString | Kind::Stray => TokenKind::Invalid,
        Kind::Char => TokenKind::Character,
        Kind::MultiRef => TokenKind::MultiReference,
        Kind::Assign | Kind::PlusAssign | Kind::MinusAssign | Kind::StarAssign | Kind::SlashAssign => {
            TokenKind::Assignment
        }
        Kind::Semicolon | Kind::Comma | Kind::Colon | Kind::Dot | Kind::At | Kind::Hash => TokenKind::Mark,
        bracket if bracket.is_bracket() => TokenKind::Mark,
        _ => TokenKind::Operator,
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
