//! The sixteen colours of the C64 by their names.

use tempo_assembler::TokenKind;
use tempo_assembler::dialect;
use tempo_diagnostics::Span;

use crate::Snapshot;
use crate::words::Words;

/// The name of a colour in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour {
    /// The name.
    pub span: Span,
    /// The number of the colour, 0 to 15.
    pub index: u8,
}

/// Red, green and blue of each, as a PAL machine shows them.
pub const PALETTE: [(u8, u8, u8); 16] = [
    (0x00, 0x00, 0x00),
    (0xff, 0xff, 0xff),
    (0x81, 0x33, 0x38),
    (0x75, 0xce, 0xc8),
    (0x8e, 0x3c, 0x97),
    (0x56, 0xac, 0x4d),
    (0x2e, 0x2c, 0x9b),
    (0xed, 0xf1, 0x71),
    (0x8e, 0x50, 0x29),
    (0x55, 0x38, 0x00),
    (0xc4, 0x6c, 0x71),
    (0x4a, 0x4a, 0x4a),
    (0x7b, 0x7b, 0x7b),
    (0xa9, 0xff, 0x9f),
    (0x70, 0x6d, 0xeb),
    (0xb2, 0xb2, 0xb2),
];

/// The constants of the colours, with their numbers.
fn named() -> impl Iterator<Item = (&'static str, u8)> {
    let colours = dialect::CONSTANTS.iter().filter(|constant| constant.group == dialect::COLOURS);
    colours.filter_map(|constant| match constant.value {
        dialect::Known::Number(number) => Some((constant.name, number as u8)),
        _ => None,
    })
}

/// The number of a colour.
pub(crate) fn colour(name: &str) -> Option<u8> {
    named().find(|(known, _)| *known == name).map(|(_, index)| index)
}

/// The name of the colour that is nearest to red, green and blue from 0 to 1.
pub fn nearest_colour(red: f32, green: f32, blue: f32) -> &'static str {
    let far = |&(r, g, b): &(u8, u8, u8)| {
        let part = |a: f32, b: u8| (a - f32::from(b) / 255.0).powi(2);
        part(red, r) + part(green, g) + part(blue, b)
    };
    let distances = PALETTE.iter().map(far).enumerate();
    let nearest = distances.min_by(|(_, a), (_, b)| a.total_cmp(b));
    let nearest = nearest.map_or(0, |(index, _)| index);
    named().find(|&(_, index)| usize::from(index) == nearest).map_or("BLACK", |(name, _)| name)
}

/// The names of colours in a file.
pub fn colours(snapshot: &Snapshot, file: &str) -> Vec<Colour> {
    let Some(root) = snapshot.roots_of(file).next() else { return Vec::new() };
    let facts = root.parsed();
    let Some(id) = facts.files(file).next() else { return Vec::new() };
    let words = Words::of(facts, id);
    let base = facts.output().sources.base(id);
    let mut found = Vec::new();
    for (index, token) in words.tokens.iter().enumerate() {
        // A name of the user's own is none of the library's.
        if token.kind == TokenKind::Name
            && let Some(colour) = colour(words.spelled(index))
            && facts.occurrences_at(base + token.start).is_empty()
        {
            found.push(Colour { span: words.span(index), index: colour });
        }
    }
    found
}
