//! Tokens and the rules by which a text is divided into them. The parser sees them after the preprocessor, with names,
//! numbers and strings already looked up.

use logos::{Lexer, Logos};
use tempo_diagnostics::Span;

/// One token. What `data` means depends on the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    /// No blank between the token before and this one.
    pub glued: bool,
    pub data: u32,
    pub span: Span,
}

// Tokens are written and read in order; four words each keep that to one load and one store.
const _: () = assert!(size_of::<Token>() == 16);

/// The kind of a token, with the rule for its spelling. No other place knows how tokens are spelled: the scanner, the
/// preprocessor and the tokens of editors use these rules.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\x0b\x0c]+")]
#[logos(subpattern name = r"[A-Za-z_][A-Za-z0-9_]*")]
#[logos(subpattern decimal = r"[0-9][0-9_]*")]
#[logos(subpattern hex = r"[0-9A-Fa-f]")]
#[repr(u8)]
pub(crate) enum Kind {
    /// End of a line; for the parser only outside parentheses and brackets.
    #[regex(r"\r\n|\n|\r")]
    Newline,
    #[token(";")]
    Semicolon,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    /// A dot that does not touch a name.
    #[token(".")]
    Dot,
    #[token("@")]
    At,
    #[token("#")]
    Hash,
    /// `data`: the name.
    #[regex(r"(?&name)")]
    Ident,
    /// `.name`; `data`: the name without the dot.
    #[regex(r"\.(?&name)")]
    DotIdent,
    /// `data`: the code point.
    #[regex(r"'[^\r\n]'")]
    #[regex(r"'\\[nrtbf\\']'")]
    #[regex(r"'\\\$(?&hex)(?&hex)'")]
    Char,
    /// `!name--`; `data`: index into the table of references to multi labels.
    #[regex(r"!(?&name)?(\++|-+)")]
    MultiRef,
    #[token("!")]
    Bang,
    #[token("~")]
    Tilde,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("&")]
    And,
    #[token("&&")]
    AndAnd,
    #[token("|")]
    Or,
    #[token("||")]
    OrOr,
    #[token("^")]
    Caret,
    #[token("?")]
    Question,
    #[token("=")]
    Assign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
    /// A character that is a token nowhere, like a lone `$` or quote.
    #[regex(r"[$%']")]
    Stray,

    // Spellings of numbers, strings and comments, which the parser never sees.
    #[regex(r"(?&decimal)")]
    Decimal,
    #[regex(r"(?&decimal)\.(?&decimal)")]
    Fraction,
    #[regex(r"\$(?&hex)((?&hex)|_)*")]
    Hex,
    #[regex(r"%[01][01_]*")]
    Binary,
    /// `"…"`
    #[regex(r#""[^"\r\n]*""#)]
    PlainString,
    /// `@"…"`, with escapes.
    #[regex(r#"@"([^"\\\r\n]|\\[^\r\n])*""#)]
    EscapedString,
    /// A string without its end: the rest of the line.
    #[token("\"", to_line_end)]
    #[token("@\"", to_line_end)]
    OpenString,
    #[token("//", to_line_end)]
    #[regex(r"/\*[^*]*\*+([^/*][^*]*\*+)*/")]
    Comment,
    /// A comment without its end: the rest of the text.
    #[token("/*", to_end)]
    OpenComment,

    // Tokens without a spelling: values, imports and the end.
    /// A whole number below 2^32; `data`: its value.
    Int,
    /// Any other number; `data`: index into the table of numbers.
    Number,
    /// `data`: index into the table of strings.
    String,
    /// The text of an imported file follows, up to `ImportEnd`; `data`: the file.
    ImportStart,
    ImportEnd,
    End,
}

fn to_end(lexer: &mut Lexer<'_, Kind>) {
    lexer.bump(lexer.remainder().len());
}

fn to_line_end(lexer: &mut Lexer<'_, Kind>) {
    let rest = lexer.remainder().as_bytes();
    lexer.bump(memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()));
}

/// Passes blanks that are usual after a token, as the automaton would, in fewer steps: one between the parts of a line,
/// eight before an instruction.
#[inline(always)]
pub(super) fn pass_blanks<const COUNT: usize>(lexer: &mut Lexer<'_, Kind>) {
    let end = lexer.span().end;
    if lexer.source().as_bytes().get(end..end + COUNT) == Some(&[b' '; COUNT]) {
        lexer.bump(COUNT);
    }
}

impl Kind {
    #[inline]
    pub fn is_bracket(self) -> bool {
        (Kind::LeftBrace as u8..=Kind::RightBracket as u8).contains(&(self as u8))
    }
}

/// A preprocessor symbol in `#define`, or in a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flag {
    pub name: crate::intern::Name,
    pub span: Span,
    pub is_definition: bool,
    /// Its number among all of them: imported files come where they are imported.
    pub order: u32,
}

/// A reference to a multi label: how many labels of the name ahead (positive) or back (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MultiRef {
    pub name: crate::intern::Name,
    pub distance: i32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    /// Spellings of every kind that has a rule.
    const SPELLINGS: &[(Kind, &[&str])] = &[
        (Kind::Newline, &["\n", "\r", "\r\n"]),
        (Kind::Semicolon, &[";"]),
        (Kind::LeftBrace, &["{"]),
        (Kind::RightBrace, &["}"]),
        (Kind::LeftParen, &["("]),
        (Kind::RightParen, &[")"]),
        (Kind::LeftBracket, &["["]),
        (Kind::RightBracket, &["]"]),
        (Kind::Comma, &[","]),
        (Kind::Colon, &[":"]),
        (Kind::Dot, &["."]),
        (Kind::At, &["@"]),
        (Kind::Hash, &["#"]),
        (Kind::Ident, &["x", "lda", "_", "_a1", "Loop_2", "seven77", "eight888", "a_name_of_sixteen", "e5"]),
        (Kind::DotIdent, &[".byte", "._", ".z", ".a1", ".a_name_of_more_than_sixteen"]),
        (
            Kind::Char,
            &["'a'", "'\"'", "'''", "'\\'", "'\\n'", "'\\r'", "'\\t'", "'\\b'", "'\\f'", "'\\\\'", "'\\''"],
        ),
        (Kind::Char, &["'\\$fF'", "'é'", "'€'", "' '", "'\0'"]),
        (Kind::MultiRef, &["!+", "!-", "!---", "!a+", "!_1--", "!loop+++"]),
        (Kind::Bang, &["!"]),
        (Kind::Tilde, &["~"]),
        (Kind::Plus, &["+"]),
        (Kind::Minus, &["-"]),
        (Kind::Star, &["*"]),
        (Kind::Slash, &["/"]),
        (Kind::Less, &["<"]),
        (Kind::LessEqual, &["<="]),
        (Kind::Greater, &[">"]),
        (Kind::GreaterEqual, &[">="]),
        (Kind::Equal, &["=="]),
        (Kind::NotEqual, &["!="]),
        (Kind::ShiftLeft, &["<<"]),
        (Kind::ShiftRight, &[">>"]),
        (Kind::And, &["&"]),
        (Kind::AndAnd, &["&&"]),
        (Kind::Or, &["|"]),
        (Kind::OrOr, &["||"]),
        (Kind::Caret, &["^"]),
        (Kind::Question, &["?"]),
        (Kind::Assign, &["="]),
        (Kind::PlusAssign, &["+="]),
        (Kind::MinusAssign, &["-="]),
        (Kind::StarAssign, &["*="]),
        (Kind::SlashAssign, &["/="]),
        (Kind::PlusPlus, &["++"]),
        (Kind::MinusMinus, &["--"]),
        (Kind::Stray, &["$", "%", "'"]),
        (Kind::Decimal, &["0", "12", "1_0", "1__", "123456789", "99999999999999999999"]),
        (Kind::Fraction, &["1.5", "0.0", "1_0.0_5", "123456789.123456789"]),
        (Kind::Hex, &["$0", "$ff", "$Aa", "$1_2", "$f_", "$123456789"]),
        (Kind::Binary, &["%0", "%1010", "%1_0", "%0_", "%111111111"]),
        (Kind::PlainString, &["\"\"", "\"s\"", "\"//\"", "\"'\"", "\"\\\"", "\"é\""]),
        (Kind::EscapedString, &["@\"\"", "@\"s\"", "@\"\\\"\"", "@\"\\\\\"", "@\"\\é\"", "@\"\\$41\""]),
        (Kind::OpenString, &["\"", "\"s", "\"s\\", "@\"", "@\"s", "@\"\\\"", "@\"\\"]),
        (Kind::Comment, &["//", "// c", "// \"", "/**/", "/***/", "/* * / */", "/*\n*/", "/*//*/", "/*/*/"]),
        (Kind::OpenComment, &["/*", "/*/", "/* \n \" *", "/** /"]),
    ];

    fn read(text: &str) -> Vec<(Result<Kind, ()>, &str)> {
        Kind::lexer(text).spanned().map(|(kind, place)| (kind, &text[place])).collect()
    }

    #[test]
    fn every_kind_has_its_spellings() {
        for (kind, spellings) in SPELLINGS {
            for spelling in *spellings {
                assert_eq!(read(spelling), [(Ok(*kind), *spelling)]);
            }
        }
        let ruled = 0..Kind::Int as u8;
        let missing = ruled.filter(|&rule| !SPELLINGS.iter().any(|&(kind, _)| kind as u8 == rule));
        assert_eq!(missing.collect::<Vec<u8>>(), Vec::<u8>::new(), "kinds without a spelling in the table");
    }

    #[test]
    fn the_longest_token_is_read() {
        use Kind::*;
        let cases: &[(&str, &[(Kind, &str)])] = &[
            ("1.lda", &[(Decimal, "1"), (DotIdent, ".lda")]),
            ("1.", &[(Decimal, "1"), (Dot, ".")]),
            ("1._5", &[(Decimal, "1"), (DotIdent, "._5")]),
            ("1.5.6", &[(Fraction, "1.5"), (Dot, "."), (Decimal, "6")]),
            (".5", &[(Dot, "."), (Decimal, "5")]),
            ("..a", &[(Dot, "."), (DotIdent, ".a")]),
            ("9z", &[(Decimal, "9"), (Ident, "z")]),
            ("$fg", &[(Hex, "$f"), (Ident, "g")]),
            ("$_1", &[(Stray, "$"), (Ident, "_1")]),
            ("%12", &[(Binary, "%1"), (Decimal, "2")]),
            ("%2", &[(Stray, "%"), (Decimal, "2")]),
            ("!a", &[(Bang, "!"), (Ident, "a")]),
            ("!1+", &[(Bang, "!"), (Decimal, "1"), (Plus, "+")]),
            ("!+-", &[(MultiRef, "!+"), (Minus, "-")]),
            ("!==", &[(NotEqual, "!="), (Assign, "=")]),
            ("+++", &[(PlusPlus, "++"), (Plus, "+")]),
            ("+++=", &[(PlusPlus, "++"), (PlusAssign, "+=")]),
            ("<<=", &[(ShiftLeft, "<<"), (Assign, "=")]),
            (">>>", &[(ShiftRight, ">>"), (Greater, ">")]),
            ("===", &[(Equal, "=="), (Assign, "=")]),
            ("&&&", &[(AndAnd, "&&"), (And, "&")]),
            ("|||", &[(OrOr, "||"), (Or, "|")]),
            ("*=$1000", &[(StarAssign, "*="), (Hex, "$1000")]),
            ("'ab'", &[(Stray, "'"), (Ident, "ab"), (Stray, "'")]),
            ("''", &[(Stray, "'"), (Stray, "'")]),
            ("'\n'", &[(Stray, "'"), (Newline, "\n"), (Stray, "'")]),
            ("\"a\"b\"", &[(PlainString, "\"a\""), (Ident, "b"), (OpenString, "\"")]),
            ("\"a\r\n", &[(OpenString, "\"a"), (Newline, "\r\n")]),
            ("@\"\\\n\"", &[(OpenString, "@\"\\"), (Newline, "\n"), (OpenString, "\"")]),
            ("@ \"\"", &[(At, "@"), (PlainString, "\"\"")]),
            ("//a\r\rb", &[(Comment, "//a"), (Newline, "\r"), (Newline, "\r"), (Ident, "b")]),
            ("/**/*/", &[(Comment, "/**/"), (Star, "*"), (Slash, "/")]),
            ("a \t\u{b}\u{c}b", &[(Ident, "a"), (Ident, "b")]),
        ];
        for (text, expected) in cases {
            let expected: Vec<_> = expected.iter().map(|&(kind, word)| (Ok(kind), word)).collect();
            assert_eq!(read(text), expected, "{text:?}");
        }
    }

    #[test]
    fn other_characters_are_errors_of_one_character() {
        for text in ["\\", "`", "é", "€", "\0", "\u{a0}", "\u{feff}"] {
            assert_eq!(read(text), [(Err(()), text)]);
            let both = format!("a{text}b");
            assert_eq!(read(&both), [(Ok(Kind::Ident), "a"), (Err(()), text), (Ok(Kind::Ident), "b")]);
        }
    }

    #[test]
    fn tokens_and_blanks_are_the_whole_text() {
        let spellings: Vec<&str> = SPELLINGS.iter().flat_map(|(_, spellings)| *spellings).copied().collect();
        let mut random = tempo_random::Random::new(1);
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..10 {
                text.push_str(random.pick::<&str>(&spellings));
                text.push_str(random.pick::<&str>(&["", "", " ", "\t", "\n", "é"]));
            }
            let mut at = 0;
            for (_, place) in Kind::lexer(&text).spanned() {
                assert!(place.start >= at && place.end > place.start, "{text:?}");
                assert_eq!(text[at..place.start].trim_matches([' ', '\t', '\u{b}', '\u{c}']), "", "{text:?}");
                at = place.end;
            }
            assert_eq!(text[at..].trim_matches([' ', '\t', '\u{b}', '\u{c}']), "", "{text:?}");
        }
    }
}
