//! Parameters in square brackets, and the modifiers that they name. Reads tokens, because the statement at a cursor is
//! rarely finished.

use tempo_assembler::TokenKind;
use tempo_assembler::dialect::{self, Directive, Parameter, Place, Plain, SegmentModifier, Takes};

use crate::words::Words;

/// The square brackets around a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Brackets {
    /// The parameters that may be in them.
    pub place: Place,
    /// The token of the bracket that opens.
    pub open: usize,
}

/// The square brackets of a directive that a token is directly in.
pub(crate) fn around(words: Words<'_>, index: usize) -> Option<Brackets> {
    let open = outwards(words, index, "[")?;
    let place = match takes(words, open) {
        Some(Takes::Parameters(place)) => place,
        Some(Takes::Segment) => Place::Segment,
        _ => {
            // An item in the braces after the directive's own brackets.
            let brace = outwards(words, open, "{")?;
            match takes(words, brace) {
                Some(Takes::Parameters(place)) => place.items()?,
                _ => return None,
            }
        }
    };
    Some(Brackets { place, open })
}

/// The operand of the directive whose statement a token is in.
fn takes(words: Words<'_>, index: usize) -> Option<Takes> {
    let head = words.head(words.statement_start(index));
    Some(Directive::find(words.spelled(head))?.item().takes)
}

/// The bracket of this kind that is open before a token, if no other is.
fn outwards(words: Words<'_>, index: usize, kind: &str) -> Option<usize> {
    let mut depth = 0;
    for at in (index.saturating_sub(2000)..index).rev() {
        match words.spelled(at) {
            ")" | "]" | "}" => depth += 1,
            bracket @ ("(" | "[" | "{") if depth == 0 => return (bracket == kind).then_some(at),
            "(" | "[" | "{" => depth -= 1,
            _ => {}
        }
    }
    None
}

impl Brackets {
    /// The names that are given before the closing bracket, except that of one token.
    pub fn given<'t>(self, words: Words<'t>, except: usize) -> Vec<&'t str> {
        let inside = (self.open + 1..words.tokens.len()).take_while(|&at| words.spelled(at) != "]");
        let is_name = |&at: &usize| {
            words.kind(at) == Some(TokenKind::Name)
                && matches!(words.spelled(at - 1), "[" | ",")
                && at != except
        };
        inside.filter(is_name).map(|at| words.spelled(at)).collect()
    }

    /// The modifier that `modify=` names in them.
    fn modifier(self, words: Words<'_>) -> Option<SegmentModifier> {
        let mut inside = (self.open + 1..words.tokens.len()).take_while(|&at| words.spelled(at) != "]");
        let at = inside.find(|&at| words.spelled(at) == "modify" && words.spelled(at + 1) == "=")?;
        modifier(words.spelled(at + 2))
    }

    /// The parameters that may be in them: those of the place, and those of the modifier that is named or of all.
    pub fn parameters(self, words: Words<'_>) -> Vec<Plain> {
        let plain = |parameter: &Parameter| Plain { name: parameter.name, about: parameter.about };
        let mut found: Vec<Plain> = self.place.parameters().map(plain).collect();
        if self.place.includes(Place::Content) {
            let named = self.modifier(words);
            let fits = |name: &str| named.is_none_or(|named| named.parameters.contains(&name));
            found.extend(dialect::MODIFIER_PARAMETERS.iter().filter(|parameter| fits(parameter.name)));
        }
        found
    }
}

/// The modifier of segments with a name, which may be quoted.
pub(crate) fn modifier(name: &str) -> Option<SegmentModifier> {
    let name = name.trim_matches('"');
    dialect::segment_modifiers().find(|item| item.name == name)
}

/// Whether a token is the value of `modify=`.
pub(crate) fn is_modifier(words: Words<'_>, index: usize) -> bool {
    let before = |back: usize| index.checked_sub(back).map_or("", |at| words.spelled(at));
    before(1) == "=" && before(2) == "modify" && around(words, index).is_some()
}
