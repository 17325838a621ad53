//! Names looked up where they are in the text: most are shorter than sixteen bytes, which are compared at once.

use std::ops::Range;

use crate::intern::{Interner, Key, Name};
use crate::names;

/// The name at a place, which consists of ASCII letters, digits and underscores.
#[inline(always)]
pub(super) fn name_at(interner: &mut Interner, text: &str, start: usize, end: usize) -> Name {
    let Some(window) = text.as_bytes().get(start..start + 8).and_then(<[u8]>::first_chunk::<8>) else {
        return interner.intern(&text[start..end]);
    };
    let first = u64::from_le_bytes(*window);
    let len = end - start;
    if len == 3
        && let Some(name) = names::short_mnemonic(first as u32 & 0xff_ffff)
    {
        return name;
    }
    if len < 8 {
        return interner.intern_keyed(Key::padded(first & ((1 << (8 * len)) - 1), 0), text, start..end);
    }
    long_name(interner, text, start..end)
}

/// The same for one of eight characters or more.
#[inline(never)]
fn long_name(interner: &mut Interner, text: &str, place: Range<usize>) -> Name {
    let Some(window) = text.as_bytes()[place.start..].first_chunk::<16>().filter(|_| place.len() < 16) else {
        return interner.intern(&text[place]);
    };
    let window = u128::from_le_bytes(*window);
    let second = (window >> 64) as u64 & ((1 << (8 * (place.len() - 8))) - 1);
    interner.intern_keyed(Key::padded(window as u64, second), text, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_one_of_its_spelling() {
        let mut names = names::interner(0);
        for word in ["a", "lda", "LDA", "x1y", "seven77", "eight888", "fifteen_letters", "sixteen__letters"] {
            let longer = format!("{word}{word}");
            for word in [word, &longer] {
                for before in ["", " ", ".."] {
                    for after in ["", " ", " and_another_word", "é"] {
                        let text = format!("{before}{word}{after}");
                        let found = name_at(&mut names, &text, before.len(), before.len() + word.len());
                        assert_eq!(found, names.intern(word), "{text:?}");
                    }
                }
            }
        }
    }
}
