//! Tokens as the parser sees them: after the preprocessor, with names, numbers and strings already looked up.

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// End of a line outside parentheses and brackets.
    Newline,
    Semicolon,
    LeftBrace,
    RightBrace,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    Comma,
    Colon,
    /// A dot that does not touch a name.
    Dot,
    At,
    Hash,
    /// `data`: the name.
    Ident,
    /// `.name`; `data`: the name without the dot.
    DotIdent,
    /// A whole number below 2^32; `data`: its value.
    Int,
    /// Any other number; `data`: index into the table of numbers.
    Number,
    /// `data`: index into the table of strings.
    String,
    /// `data`: the code point.
    Char,
    /// `!name--`; `data`: index into the table of references to multi labels.
    MultiRef,
    Bang,
    Tilde,
    Plus,
    Minus,
    Star,
    Slash,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    ShiftLeft,
    ShiftRight,
    And,
    AndAnd,
    Or,
    OrOr,
    Caret,
    Question,
    Assign,
    PlusAssign,
    MinusAssign,
    StarAssign,
    SlashAssign,
    PlusPlus,
    MinusMinus,
    /// A character that is a token nowhere, like a lone `$` or quote.
    Stray,
    /// The text of an imported file follows, up to `ImportEnd`; `data`: the file.
    ImportStart,
    ImportEnd,
    End,
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
