//! Words the language knows, with fixed numbers, so that the parser compares numbers and never texts.

use tempo_isa::Mnemonic;

use crate::intern::{Interner, Name};

macro_rules! words {
    ($($constant:ident $text:literal)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Index { $($constant),*, COUNT }
        $(pub(crate) const $constant: Name = Name(Index::$constant as u32);)*
        const TEXTS: [&str; Index::COUNT as usize] = [$($text),*];
    };
}

words! {
    EMPTY "" X "x" UPPER_X "X" Y "y" UPPER_Y "Y" I "i"
    VAR "var" CONST "const" TRUE "true" FALSE "false" NULL "null" ELSE "else"
    LO "lo" HI "hi" VIRTUAL "virtual" SOURCE "source" BINARY "binary" C64 "c64" TEXT "text"
    BYTE "byte" BY "by" WORD "word" WO "wo" DWORD "dword" DW "dw" TE "te"
    FILL "fill" FILLWORD "fillword" LOHIFILL "lohifill"
    ALIGN "align" ASSERT "assert" ASSERTERROR "asserterror" BREAK "break" WATCH "watch"
    CPU "cpu" DEFINE "define" DISK "disk" ENCODING "encoding" ENUM "enum" ERROR "error" ERRORIF "errorif"
    EVAL "eval" FILE "file" FILENAMESPACE "filenamespace" FOR "for" FUNCTION "function" IF "if"
    IMPORT "import" IMPORTONCE "importonce" LABEL "label" MACRO "macro" MEMBLOCK "memblock"
    MODIFY "modify" FILEMODIFY "filemodify" NAMESPACE "namespace" PC "pc" PLUGIN "plugin"
    PRINT "print" PRINTNOW "printnow" PSEUDOCOMMAND "pseudocommand" PSEUDOPC "pseudopc" RETURN "return"
    SEGMENT "segment" SEGMENTDEF "segmentdef" SEGMENTOUT "segmentout" STRUCT "struct" WHILE "while" ZP "zp"
    // preprocessor
    UNDEF "undef" ELIF "elif" ENDIF "endif" IMPORTIF "importif"
    // segment, file and disk parameters
    NAME "name" TYPE "type" MBFILES "mbfiles" FILENAME "filename" ID "id" FORMAT "format" INTERLEAVE "interleave"
    DONT_SPLIT "dontSplitFilesOverDir" STORE_IN_DIR "storeFilesInDir" SHOW_INFO "showInfo" HIDE "hide"
    NO_START_ADDR "noStartAddr" START "start" START_AFTER "startAfter" MIN "min" MAX "max" FILL_BYTE "fillByte"
    SEGMENTS "segments" PRG_FILES "prgFiles" SID_FILES "sidFiles" ALLOW_OVERLAP "allowOverlap"
    DEST "dest" OUT_PRG "outPrg" OUT_BIN "outBin" ARG_START "_start"
    // methods that loops call often
    GET "get" UGET "uget" SIZE "size" GET_SIZE "getSize"
}

/// The first mnemonic; those of [`Mnemonic::ALL`] follow in order, then the aliases.
const MNEMONICS: u32 = Index::COUNT as u32;

/// A table with all known words in place, and capacity for so many others.
pub(crate) fn interner(others: usize) -> Interner {
    let mut names = Interner::with_capacity(TEXTS.len() + 2 * Mnemonic::ALL.len() + others);
    let mnemonics = Mnemonic::ALL.iter().map(|mnemonic| mnemonic.name());
    let aliases = Mnemonic::ALIASES.iter().map(|&(alias, _)| alias);
    for (expected, text) in TEXTS.into_iter().chain(mnemonics).chain(aliases).enumerate() {
        let name = names.intern(text);
        debug_assert_eq!(name.0 as usize, expected, "{text} is listed twice");
    }
    names
}

/// How many words are in every table, with the same numbers.
pub(crate) const KNOWN: u32 = (TEXTS.len() + Mnemonic::ALL.len() + Mnemonic::ALIASES.len()) as u32;

/// The mnemonic that a name is on any CPU.
pub(crate) fn mnemonic(name: Name) -> Option<Mnemonic> {
    let index = name.0.checked_sub(MNEMONICS)? as usize;
    match Mnemonic::ALL.get(index) {
        Some(&mnemonic) => Some(mnemonic),
        None => Mnemonic::ALIASES.get(index - Mnemonic::ALL.len()).map(|&(_, mnemonic)| mnemonic),
    }
}

/// Mnemonics and aliases of three letters with their numbers, each where [`slot`] says: a third of all words of a
/// program are among them, and they are found here without the table of names.
static SHORT: [(u32, Name); SLOTS] = {
    let mut table = [(u32::MAX, EMPTY); SLOTS];
    let mut index = 0;
    while index < Mnemonic::ALL.len() + Mnemonic::ALIASES.len() {
        let text = match index.checked_sub(Mnemonic::ALL.len()) {
            None => Mnemonic::ALL[index].name(),
            Some(alias) => Mnemonic::ALIASES[alias].0,
        };
        if let &[a, b, c] = text.as_bytes() {
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

/// Directive words, for suggestions.
pub(crate) const DIRECTIVES: &[&str] = &[
    "align",
    "assert",
    "asserterror",
    "break",
    "by",
    "byte",
    "const",
    "cpu",
    "define",
    "disk",
    "dw",
    "dword",
    "encoding",
    "enum",
    "error",
    "errorif",
    "eval",
    "file",
    "filemodify",
    "filenamespace",
    "fill",
    "fillword",
    "for",
    "function",
    "if",
    "import",
    "importonce",
    "label",
    "lohifill",
    "macro",
    "memblock",
    "modify",
    "namespace",
    "pc",
    "plugin",
    "print",
    "printnow",
    "pseudocommand",
    "pseudopc",
    "return",
    "segment",
    "segmentdef",
    "segmentout",
    "struct",
    "te",
    "text",
    "var",
    "watch",
    "while",
    "wo",
    "word",
    "zp",
];

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
        let other = names.intern("frobnicate");
        assert_eq!(mnemonic(other), None);
        for word in [VAR, CONST, TRUE, FALSE, NULL] {
            assert!(is_expression_word(word));
        }
        assert!(!is_expression_word(ELSE) && !is_expression_word(I));
        for word in DIRECTIVES {
            assert!(names.intern(word).0 < MNEMONICS, "{word}");
        }
    }
}
