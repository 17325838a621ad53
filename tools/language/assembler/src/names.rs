//! The words of the language's tables with fixed numbers, so that the parser compares numbers and never texts.

use tempo_isa::{Cpu, Mnemonic};

use crate::dialect::{
    DIRECTIVES, Directive, FIELDS, IMPORTS, METHODS, PARAMETERS, PREPROCESSOR, Preprocessor,
};
use crate::intern::{Interner, Name, Words};

/// Words that are in no table of the language. Those that are not names inside expressions are together.
const OWN: &[&str] = &[
    "", "x", "X", "y", "Y", "z", "Z", "sp", "SP", "i", "var", "const", "true", "false", "null", "else", "lo",
    "hi", "_start",
];

/// How many words there are at most, with those that are in several tables.
const LISTED: usize = OWN.len()
    + DIRECTIVES.len()
    + PREPROCESSOR.len()
    + IMPORTS.len()
    + PARAMETERS.len()
    + METHODS.len()
    + FIELDS.len();

/// A word of any of the tables.
const fn listed(index: usize) -> &'static str {
    let mut index = index;
    if index < OWN.len() {
        return OWN[index];
    }
    index -= OWN.len();
    if index < DIRECTIVES.len() {
        return DIRECTIVES[index].word();
    }
    index -= DIRECTIVES.len();
    if index < PREPROCESSOR.len() {
        return PREPROCESSOR[index].word();
    }
    index -= PREPROCESSOR.len();
    if index < IMPORTS.len() {
        return IMPORTS[index].name;
    }
    index -= IMPORTS.len();
    if index < PARAMETERS.len() {
        return PARAMETERS[index].name;
    }
    index -= PARAMETERS.len();
    if index < METHODS.len() {
        return METHODS[index].name;
    }
    FIELDS[index - METHODS.len()].name
}

/// All words, each once; the rest of the array is empty.
const ALL: ([&str; LISTED], usize) = {
    let mut texts = [""; LISTED];
    let (mut len, mut index) = (0, 0);
    while index < LISTED {
        let text = listed(index);
        if position(&texts, len, text).is_none() {
            texts[len] = text;
            len += 1;
        }
        index += 1;
    }
    (texts, len)
};

/// How many words have fixed numbers, beside the mnemonics.
pub(crate) const WORDS: usize = ALL.1;

/// The place of a text among the first this many.
const fn position(texts: &[&str], len: usize, text: &str) -> Option<usize> {
    let mut index = 0;
    while index < len {
        if is_equal(texts[index], text) {
            return Some(index);
        }
        index += 1;
    }
    None
}

pub(crate) const fn is_equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The number of a word of the tables. For constants: a word that is in none of them does not compile.
pub(crate) const fn word(text: &str) -> Name {
    match position(&ALL.0, ALL.1, text) {
        Some(index) => Name(index as u32),
        None => panic!("the word is in no table of the language"),
    }
}

macro_rules! constants {
    ($($constant:ident $text:literal)*) => {
        $(pub(crate) const $constant: Name = word($text);)*
    };
}

constants! {
    EMPTY "" X "x" UPPER_X "X" Y "y" UPPER_Y "Y" Z "z" UPPER_Z "Z" SP "sp" UPPER_SP "SP" I "i"
    VAR "var" CONST "const" TRUE "true" FALSE "false" NULL "null" ELSE "else" LO "lo" HI "hi"
    ARG_START "_start"
    // what the lexer looks for
    IMPORT "import" IMPORTONCE "importonce" SOURCE "source"
    // kinds of imports
    BINARY "binary" C64 "c64" TEXT "text"
    // methods of values
    LOCK "lock" STRING "string" NUMBER "number" SIZE "size" GET "get" SET "set" ADD "add" ADD_ALL "addAll"
    REMOVE "remove" SORT "sort" REVERSE "reverse" SHUFFLE "shuffle" PUT "put" CONTAINS_KEY "containsKey" KEYS "keys"
    CHAR_AT "charAt" SUBSTRING "substring" TO_UPPER_CASE "toUpperCase" TO_LOWER_CASE "toLowerCase"
    AS_NUMBER "asNumber" AS_BOOLEAN "asBoolean" GET_STRUCT_NAME "getStructName" GET_NO_OF_FIELDS "getNoOfFields"
    GET_FIELD_NAMES "getFieldNames" GET_X "getX" GET_Y "getY" GET_Z "getZ" GET_TYPE "getType" GET_VALUE "getValue"
    UGET "uget" GET_SIZE "getSize" GET_DATA "getData" WRITELN "writeln" GET_PIXEL "getPixel"
    GET_SINGLECOLOR_BYTE "getSinglecolorByte" GET_MULTICOLOR_BYTE "getMulticolorByte"
    // fields of values
    WIDTH "width" HEIGHT "height" HEADER "header" AUTHOR "author" COPYRIGHT "copyright" VERSION "version"
    LOCATION "location" INIT "init" PLAY "play" SONGS "songs" START_SONG "startSong" SPEED "speed" FLAGS "flags"
    STARTPAGE "startpage" PAGELENGTH "pagelength"
}

pub(crate) use crate::dialect::parameters::constants::*;

/// The directive of each word.
static DIRECTIVE_OF: [Option<Directive>; WORDS] = {
    let mut all = [None; WORDS];
    let mut index = 0;
    while index < DIRECTIVES.len() {
        if !DIRECTIVES[index].word().is_empty() {
            all[word(DIRECTIVES[index].word()).0 as usize] = Some(DIRECTIVES[index].id);
        }
        index += 1;
    }
    all
};

/// The word of the preprocessor that each word is.
static PREPROCESSOR_OF: [Option<Preprocessor>; WORDS] = {
    let mut all = [None; WORDS];
    let mut index = 0;
    while index < PREPROCESSOR.len() {
        all[word(PREPROCESSOR[index].word()).0 as usize] = Some(PREPROCESSOR[index].id);
        index += 1;
    }
    all
};

/// The directive that a name is after a dot.
#[inline]
pub(crate) fn directive(name: Name) -> Option<Directive> {
    DIRECTIVE_OF.get(name.0 as usize).copied().flatten()
}

/// The preprocessor word that a name is after a hash.
pub(crate) fn preprocessor(name: Name) -> Option<Preprocessor> {
    PREPROCESSOR_OF.get(name.0 as usize).copied().flatten()
}

/// The first mnemonic; those of [`Mnemonic::ALL`] follow in order, then the aliases.
const MNEMONICS: u32 = WORDS as u32;

/// The words of the tables, then the mnemonics, then their aliases.
const KNOWN_TEXTS: [&str; KNOWN as usize] = {
    let mut texts = [""; KNOWN as usize];
    let mut index = 0;
    while index < texts.len() {
        texts[index] = if index < WORDS {
            ALL.0[index]
        } else if index - WORDS < Mnemonic::ALL.len() {
            Mnemonic::ALL[index - WORDS].name()
        } else {
            Mnemonic::ALIASES[index - WORDS - Mnemonic::ALL.len()].0
        };
        index += 1;
    }
    texts
};

/// How many bytes they have together.
const KNOWN_BYTES: usize = {
    let (mut bytes, mut index) = (0, 0);
    while index < KNOWN_TEXTS.len() {
        bytes += KNOWN_TEXTS[index].len();
        index += 1;
    }
    bytes
};

/// With slots for as many other names as a small source has.
static KNOWN_NAMES: Words<
    { KNOWN as usize },
    KNOWN_BYTES,
    { (2 * KNOWN as usize + 100).next_power_of_two() },
> = Words::of(&KNOWN_TEXTS);

/// A table with all known words in place, and capacity for this many others. A word of an earlier table keeps its number
/// there.
pub(crate) fn interner(others: usize) -> Interner {
    KNOWN_NAMES.interner(others)
}

/// How many words are in every table, with the same numbers.
pub(crate) const KNOWN: u32 = (WORDS + Mnemonic::ALL.len() + Mnemonic::ALIASES.len()) as u32;

/// The mnemonics that are words of another table, too: `set`.
static MNEMONIC_OF: [Option<Mnemonic>; WORDS] = {
    let mut all = [None; WORDS];
    let mut index = 0;
    while index < Mnemonic::ALL.len() {
        if let Some(place) = position(&ALL.0, ALL.1, Mnemonic::ALL[index].name()) {
            all[place] = Some(Mnemonic::ALL[index]);
        }
        index += 1;
    }
    all
};

/// The mnemonic that a name is on this CPU.
#[inline]
pub(crate) fn mnemonic_on(name: Name, cpu: Cpu) -> Option<Mnemonic> {
    mnemonic(name).and_then(|mnemonic| cpu.own(mnemonic))
}

/// Whether a name is a mnemonic of a CPU of the 6502 and 65C02 kind, not of their wider descendants, whose mnemonics
/// are names of macros in programs for the others.
pub(crate) fn is_common_mnemonic(name: Name) -> bool {
    mnemonic(name).is_some_and(is_common)
}

const fn is_common(mnemonic: Mnemonic) -> bool {
    // `asr` is an alias there.
    Cpu::Mos6502.has(mnemonic)
        || Cpu::Wdc65c02.has(mnemonic)
        || Cpu::Dtv.has(mnemonic)
        || matches!(mnemonic, Mnemonic::Asr | Mnemonic::Jam)
}

/// The mnemonic that a name is on any CPU.
pub(crate) fn mnemonic(name: Name) -> Option<Mnemonic> {
    let Some(index) = name.0.checked_sub(MNEMONICS) else { return MNEMONIC_OF[name.0 as usize] };
    let index = index as usize;
    match Mnemonic::ALL.get(index) {
        Some(&mnemonic) => Some(mnemonic),
        None => Mnemonic::ALIASES.get(index - Mnemonic::ALL.len()).map(|&(_, mnemonic)| mnemonic),
    }
}

/// Common mnemonics and aliases of three letters with their numbers, each where [`slot`] says: a third of all words of a
/// program are among them, and they are found here without the table of names.
static SHORT: [(u32, Name); SLOTS] = {
    let mut table = [(u32::MAX, EMPTY); SLOTS];
    let mut index = 0;
    while index < Mnemonic::ALL.len() + Mnemonic::ALIASES.len() {
        let text = match index.checked_sub(Mnemonic::ALL.len()) {
            None => Mnemonic::ALL[index].name(),
            Some(alias) => Mnemonic::ALIASES[alias].0,
        };
        let is_listed = match index.checked_sub(Mnemonic::ALL.len()) {
            None => is_common(Mnemonic::ALL[index]),
            Some(_) => !is_equal(text, Mnemonic::Asr.name()),
        };
        if let (true, &[a, b, c]) = (is_listed, text.as_bytes()) {
            let letters = u32::from_le_bytes([a, b, c, 0]);
            assert!(table[slot(letters)].0 == u32::MAX, "another factor is needed");
            table[slot(letters)] = (letters, Name(MNEMONICS + index as u32));
        }
        index += 1;
    }
    table
};

const SLOTS: usize = 512;

/// The place of a word in [`SHORT`]. The factor gives all of them places of their own.
const fn slot(letters: u32) -> usize {
    (letters.wrapping_mul(0xaa22_8107) >> 23) as usize
}

/// The mnemonic of three letters, the first one lowest.
#[inline]
pub(crate) fn short_mnemonic(letters: u32) -> Option<Name> {
    let (known, name) = SHORT[slot(letters)];
    (known == letters).then_some(name)
}

/// Words that are not names inside expressions.
#[inline]
pub(crate) fn is_expression_word(name: Name) -> bool {
    (VAR.0..=NULL.0).contains(&name.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_numbers() {
        let mut names = interner(0);
        assert_eq!(names.intern("x"), X);
        assert_eq!(names.intern("_start"), ARG_START);
        let lda = names.intern("lda");
        assert_eq!(mnemonic(lda), Some(Mnemonic::Lda));
        let xaa = names.intern("xaa");
        assert_eq!(mnemonic(xaa), Some(Mnemonic::Ane));
        let letters = |word: &[u8; 3]| u32::from_le_bytes([word[0], word[1], word[2], 0]);
        assert_eq!(short_mnemonic(letters(b"lda")), Some(lda));
        assert_eq!(short_mnemonic(letters(b"xaa")), Some(xaa));
        assert_eq!(short_mnemonic(letters(b"LDA")), None);
        assert_eq!(short_mnemonic(0), None);
        let set = names.intern("set");
        assert_eq!((set, mnemonic(set)), (SET, Some(Mnemonic::Set)));
        let asr = names.intern("asr");
        assert_eq!(short_mnemonic(letters(b"asr")), Some(asr));
        assert_eq!(mnemonic_on(asr, Cpu::Mos6502), Some(Mnemonic::Alr));
        assert_eq!(mnemonic_on(asr, Cpu::Mega45gs02), Some(Mnemonic::Asr));
        let other = names.intern("frobnicate");
        assert_eq!(mnemonic(other), None);
        for word in [VAR, CONST, TRUE, FALSE, NULL] {
            assert!(is_expression_word(word));
        }
        assert!(!is_expression_word(ELSE) && !is_expression_word(I));
        for item in DIRECTIVES.iter().filter(|item| !item.word().is_empty()) {
            assert_eq!(directive(names.intern(item.word())), Some(item.id));
        }
        for item in PREPROCESSOR {
            assert_eq!(preprocessor(names.intern(item.word())), Some(item.id));
        }
        assert_eq!(directive(EMPTY), None);
        assert_eq!(directive(lda), None);
        assert_eq!(names.intern("noStartAddr"), NO_START_ADDR);
    }
}
