//! The five text encodings: Unicode characters to PETSCII, screen codes or ASCII.
//! Encodes only; a file in PETSCII is not decoded here.

/// The encodings that `.encoding` chooses from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Encoding {
    /// `ascii`: the character itself.
    Ascii,
    /// `petscii_mixed`: PETSCII of the set with lower and upper case.
    PetsciiMixed,
    /// `petscii_upper`: PETSCII of the set with upper case and graphics.
    PetsciiUpper,
    /// `screencode_mixed`: screen codes of the set with lower and upper case, which is the default.
    #[default]
    ScreencodeMixed,
    /// `screencode_upper`: screen codes of the set with upper case and graphics.
    ScreencodeUpper,
}

/// Which of the machine's two character sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Mixed,
    Upper,
}

/// The character that stands for the byte of a `\$hh` escape. No table maps these private-use characters, so the
/// fallback to the low byte brings the byte back in every encoding.
pub fn raw(byte: u8) -> char {
    char::from_u32(0xf800 + u32::from(byte)).expect("U+F800..U+F8FF are characters")
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Encoding; 5] = [
        Encoding::Ascii,
        Encoding::PetsciiMixed,
        Encoding::PetsciiUpper,
        Encoding::ScreencodeMixed,
        Encoding::ScreencodeUpper,
    ];

    /// The name that `.encoding` takes.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Ascii => "ascii",
            Encoding::PetsciiMixed => "petscii_mixed",
            Encoding::PetsciiUpper => "petscii_upper",
            Encoding::ScreencodeMixed => "screencode_mixed",
            Encoding::ScreencodeUpper => "screencode_upper",
        }
    }

    /// The encoding of this name.
    pub fn from_name(name: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    /// The code of a character; one without a place in the table keeps its low byte.
    pub fn encode(self, character: char) -> u8 {
        match ASCII_CODES[self as usize].get(character as usize) {
            Some(&code) => code,
            None => self.mapped(character).unwrap_or(character as u32 as u8),
        }
    }

    /// The code of a character that the table knows. Imported text drops the others.
    pub const fn mapped(self, character: char) -> Option<u8> {
        let set = match self {
            Encoding::Ascii if character.is_ascii() => return Some(character as u8),
            Encoding::Ascii => return None,
            Encoding::PetsciiMixed | Encoding::ScreencodeMixed => Set::Mixed,
            Encoding::PetsciiUpper | Encoding::ScreencodeUpper => Set::Upper,
        };
        match (petscii(character, set), self) {
            (Some(code), Encoding::ScreencodeMixed | Encoding::ScreencodeUpper) => Some(screen_code(code)),
            (code, _) => code,
        }
    }
}

/// The codes that [`Encoding::encode`] gives for the characters nearly all texts consist of, by encoding.
static ASCII_CODES: [[u8; 128]; Encoding::ALL.len()] = {
    let mut codes = [[0; 128]; Encoding::ALL.len()];
    let mut index = 0;
    while index < codes.len() {
        let mut byte = 0;
        while byte < 128 {
            codes[index][byte as usize] = match Encoding::ALL[index].mapped(byte as char) {
                Some(code) => code,
                None => byte,
            };
            byte += 1;
        }
        index += 1;
    }
    codes
};

/// The usual folding of a PETSCII code to the code the video chip shows.
pub const fn screen_code(petscii: u8) -> u8 {
    match petscii {
        0x00..=0x1f => petscii + 0x80,
        0x20..=0x3f => petscii,
        0x40..=0x5f => petscii - 0x40,
        0x60..=0x7f => petscii - 0x20,
        0x80..=0x9f => petscii + 0x40,
        0xa0..=0xbf => petscii - 0x40,
        0xc0..=0xfe => petscii - 0x80,
        0xff => 0x5e,
    }
}

const fn petscii(character: char, set: Set) -> Option<u8> {
    match (character, set) {
        (' '..='?' | '@' | '[' | ']' | '\r' | '\u{e}', _) => Some(character as u8),
        ('a'..='z', Set::Mixed) => Some(character as u8 - 0x20),
        ('A'..='Z', Set::Mixed) => Some(character as u8 + 0x80),
        ('A'..='Z', Set::Upper) => Some(character as u8),
        _ => special(character as u32, set),
    }
}

const fn special(character: u32, set: Set) -> Option<u8> {
    let (mut start, mut end) = (0, SPECIAL.len());
    while start < end {
        let middle = (start + end) / 2;
        let (code, mixed, upper) = SPECIAL[middle];
        if code == character {
            return match set {
                Set::Mixed => mixed,
                Set::Upper => upper,
            };
        }
        if code < character {
            start = middle + 1;
        } else {
            end = middle;
        }
    }
    None
}

const fn both(code: u32, petscii: u8) -> (u32, Option<u8>, Option<u8>) {
    (code, Some(petscii), Some(petscii))
}

const fn mixed(code: u32, petscii: u8) -> (u32, Option<u8>, Option<u8>) {
    (code, Some(petscii), None)
}

const fn upper(code: u32, petscii: u8) -> (u32, Option<u8>, Option<u8>) {
    (code, None, Some(petscii))
}

/// Code point, PETSCII in the mixed set, PETSCII in the upper-case set; sorted by code point.
const SPECIAL: &[(u32, Option<u8>, Option<u8>)] = &[
    both(0x000a, 0x8d),
    both(0x000c, 0x93),
    both(0x000f, 0x8e),
    both(0x007f, 0x14),
    both(0x00a0, 0xe0),
    both(0x00a3, 0x5c),
    upper(0x03c0, 0xff),
    both(0x2190, 0x5f),
    both(0x2191, 0x5e),
    (0x2501, Some(0xc0), Some(0xc3)),
    both(0x2502, 0xdd),
    both(0x250c, 0xf0),
    both(0x2510, 0xee),
    both(0x2514, 0xed),
    both(0x2518, 0xfd),
    both(0x251c, 0xeb),
    both(0x2524, 0xf3),
    both(0x252c, 0xf2),
    both(0x2534, 0xf1),
    both(0x253c, 0xdb),
    upper(0x256d, 0xd5),
    upper(0x256e, 0xc9),
    upper(0x256f, 0xcb),
    upper(0x2570, 0xca),
    upper(0x2571, 0xce),
    upper(0x2572, 0xcd),
    upper(0x2573, 0xd6),
    both(0x2581, 0xe4),
    both(0x2582, 0xef),
    both(0x2583, 0xf9),
    both(0x2584, 0xe2),
    both(0x258c, 0xe1),
    both(0x258d, 0xf5),
    both(0x258e, 0xf4),
    both(0x258f, 0xe5),
    (0x2592, Some(0xff), Some(0xe6)),
    both(0x2594, 0xe3),
    both(0x2595, 0xe7),
    upper(0x25cb, 0xd7),
    upper(0x25cf, 0xd1),
    upper(0x25e4, 0xe9),
    upper(0x25e5, 0xdf),
    upper(0x2660, 0xc1),
    upper(0x2663, 0xd8),
    upper(0x2665, 0xd3),
    upper(0x2666, 0xda),
    mixed(0x2713, 0xfa),
    // Private use: colours, function keys, cursor keys, reverse; then graphics without a Unicode character.
    both(0xf100, 0x05),
    both(0xf101, 0x1c),
    both(0xf102, 0x1e),
    both(0xf103, 0x1f),
    both(0xf104, 0x81),
    both(0xf105, 0x90),
    both(0xf106, 0x95),
    both(0xf107, 0x96),
    both(0xf108, 0x97),
    both(0xf109, 0x98),
    both(0xf10a, 0x99),
    both(0xf10b, 0x9a),
    both(0xf10c, 0x9b),
    both(0xf10d, 0x9c),
    both(0xf10e, 0x9e),
    both(0xf10f, 0x9f),
    both(0xf110, 0x85),
    both(0xf111, 0x89),
    both(0xf112, 0x86),
    both(0xf113, 0x8a),
    both(0xf114, 0x87),
    both(0xf115, 0x8b),
    both(0xf116, 0x88),
    both(0xf117, 0x8c),
    both(0xf118, 0x08),
    both(0xf119, 0x09),
    both(0xf11a, 0x12),
    both(0xf11b, 0x92),
    both(0xf11c, 0x11),
    both(0xf11d, 0x9d),
    both(0xf11e, 0x91),
    both(0xf120, 0x13),
    both(0xf121, 0x94),
    upper(0xf122, 0xc4),
    upper(0xf123, 0xc5),
    upper(0xf124, 0xc6),
    upper(0xf125, 0xd2),
    upper(0xf126, 0xc7),
    upper(0xf127, 0xd4),
    upper(0xf128, 0xc8),
    upper(0xf129, 0xd9),
    upper(0xf12a, 0xcc),
    upper(0xf12b, 0xcf),
    upper(0xf12c, 0xd0),
    upper(0xf12d, 0xfa),
    both(0xf12e, 0xdc),
    both(0xf12f, 0xe8),
    both(0xf130, 0xea),
    both(0xf131, 0xf6),
    both(0xf132, 0xf7),
    both(0xf133, 0xf8),
    both(0xf134, 0xec),
    both(0xf135, 0xfb),
    both(0xf136, 0xfc),
    both(0xf137, 0xfe),
    both(0xf138, 0xbf),
    mixed(0xf139, 0xdf),
    mixed(0xf13a, 0xe9),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(SPECIAL.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn letters_and_signs_per_encoding() {
        let row = |c: char| Encoding::ALL.map(|encoding| encoding.encode(c));
        assert_eq!(row('a'), [0x61, 0x41, 0x61, 0x01, 0x61]);
        assert_eq!(row('Z'), [0x5a, 0xda, 0x5a, 0x5a, 0x1a]);
        assert_eq!(row('@'), [0x40, 0x40, 0x40, 0x00, 0x00]);
        assert_eq!(row('\n'), [0x0a, 0x8d, 0x8d, 0xcd, 0xcd]);
        assert_eq!(row('\u{7f}'), [0x7f, 0x14, 0x14, 0x94, 0x94]);
        assert_eq!(row('£'), [0xa3, 0x5c, 0x5c, 0x1c, 0x1c]);
        assert_eq!(row('π'), [0xc0, 0xc0, 0xff, 0xc0, 0x5e]);
        assert_eq!(row('_'), [0x5f; 5]);
    }

    #[test]
    fn raw_bytes_survive_every_encoding() {
        for encoding in Encoding::ALL {
            for byte in 0..=255 {
                assert_eq!(encoding.encode(raw(byte)), byte);
                assert_eq!(encoding.mapped(raw(byte)), None);
            }
        }
    }

    #[test]
    fn names_go_both_ways() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::from_name(encoding.name()), Some(encoding));
        }
        assert_eq!(Encoding::from_name("latin1"), None);
    }
}
