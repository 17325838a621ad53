//! Tokens of the `.6502` language, by longest match. Every byte of the text ends up in a token or is skipped as
//! blank or comment, so the lexer cannot fail; what it does not know becomes `Unknown`.
//! Knows no keywords: words are told apart by the parser, because any word may be a symbol name.

use logos::Logos;
use tempo_diagnostics::Span;

#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0c]+")]
#[logos(skip(r";[^\r\n]*", allow_greedy = true))]
pub enum Kind {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+")]
    Dotted,
    /// `.b`, `.cycles`: a suffix or a member, the parser knows which.
    #[regex(r"\.[A-Za-z_][A-Za-z0-9_]*")]
    Member,
    #[regex(r"[0-9]+")]
    Integer,
    #[regex(r"\$[0-9A-Fa-f]+|0[xX][0-9A-Fa-f]+")]
    Hex,
    #[regex(r"%[01]+")]
    Binary,
    /// The one part number that is not made of digits alone.
    #[regex(r"65[cC]02")]
    Part,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    String,
    /// A quote that does not close before the line ends.
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*\\?"#)]
    OpenString,
    #[token("==")]
    Equal,
    #[token("!=")]
    #[token("<>")]
    NotEqual,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("=")]
    Assign,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    Ampersand,
    #[token("|")]
    Bar,
    #[token("^")]
    Caret,
    #[token(",")]
    Comma,
    #[token("..")]
    DotDot,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    /// `//`, the comment of other languages; kept to say so.
    #[token("//")]
    DoubleSlash,
    Unknown,
    End,
}

impl Kind {
    /// How a message names the kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Word | Kind::Dotted => "a name",
            Kind::Member => "a suffix",
            Kind::Integer | Kind::Hex | Kind::Binary => "a number",
            Kind::Part => "a part number",
            Kind::String => "a string",
            Kind::OpenString => "an unterminated string",
            Kind::Equal => "`==`",
            Kind::NotEqual => "`!=`",
            Kind::LessEqual => "`<=`",
            Kind::GreaterEqual => "`>=`",
            Kind::Less => "`<`",
            Kind::Greater => "`>`",
            Kind::ShiftLeft => "`<<`",
            Kind::ShiftRight => "`>>`",
            Kind::Assign => "`=`",
            Kind::Plus => "`+`",
            Kind::Minus => "`-`",
            Kind::Star => "`*`",
            Kind::Slash => "`/`",
            Kind::Percent => "`%`",
            Kind::Ampersand => "`&`",
            Kind::Bar => "`|`",
            Kind::Caret => "`^`",
            Kind::Comma => "`,`",
            Kind::DotDot => "`..`",
            Kind::OpenParen => "`(`",
            Kind::CloseParen => "`)`",
            Kind::OpenBrace => "`{`",
            Kind::CloseBrace => "`}`",
            Kind::OpenBracket => "`[`",
            Kind::CloseBracket => "`]`",
            Kind::DoubleSlash => "`//`",
            Kind::Unknown => "an unknown character",
            Kind::End => "the end of the file",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// All tokens, the last one always `End`. A byte-order mark is skipped.
pub fn lex(text: &str) -> Vec<Token> {
    let skip = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut lexer = Kind::lexer(&text[skip..]);
    let mut quiet_until = 0;
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let span = Span::new(range.start + skip, range.end + skip);
        match result {
            Ok(Kind::DoubleSlash) => {
                // Written as a comment: the rest of the line is not code, so it is not reported word by word.
                tokens.push(Token { kind: Kind::DoubleSlash, span });
                let rest = lexer.remainder();
                let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
                lexer.bump(length);
            }
            Ok(kind) => tokens.push(Token { kind, span }),
            Err(()) => {
                // A run of strange characters is one fault, not many.
                if quiet_until == span.start && tokens.last().is_some_and(|t: &Token| t.kind == Kind::Unknown)
                {
                    let last = tokens.last_mut().expect("just looked at");
                    last.span.end = span.end;
                } else {
                    tokens.push(Token { kind: Kind::Unknown, span });
                }
                quiet_until = span.end;
            }
        }
    }
    tokens.push(Token { kind: Kind::End, span: Span::new(text.len(), text.len()) });
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut all: Vec<Kind> = lex(text).into_iter().map(|t| t.kind).collect();
        assert_eq!(all.pop(), Some(Kind::End));
        all
    }

    #[test]
    fn longest_match_decides() {
        use Kind::*;
        assert_eq!(kinds("port.Bits"), [Dotted]);
        assert_eq!(kinds("[port].b"), [OpenBracket, Word, CloseBracket, Member]);
        assert_eq!(kinds("$1234.l"), [Hex, Member]);
        assert_eq!(kinds("65c02 6502 0X2a %01 % 2"), [Part, Integer, Hex, Binary, Percent, Integer]);
        assert_eq!(
            kinds("1..8 <> <= << <"),
            [Integer, DotDot, Integer, NotEqual, LessEqual, ShiftLeft, Less]
        );
        assert_eq!(kinds("\u{feff}suites ; all else\r{"), [Word, OpenBrace]);
    }

    #[test]
    fn strings_stop_at_the_line_end() {
        use Kind::*;
        assert_eq!(kinds(r#""a\"b" "C:\temp" """#), [String, String, String]);
        assert_eq!(kinds("\"open\nnext"), [OpenString, Word]);
        assert_eq!(kinds("\"open\\\nnext"), [OpenString, Word]);
    }

    #[test]
    fn strange_characters_are_one_token_a_run() {
        use Kind::*;
        assert_eq!(kinds("§§ a ?"), [Unknown, Word, Unknown]);
        assert_eq!(kinds("a // b c\nd"), [Word, DoubleSlash, Word]);
    }
}
