//! The words of the preprocessor, one item each. The lexer has an arm for every one of them.

use super::Whose;

/// A word of the preprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Which it is.
    pub id: Preprocessor,
    /// As written, with its hash.
    pub name: &'static str,
    /// A line that uses it.
    pub example: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// Its operand.
    pub takes: Takes,
    /// Where it comes from.
    pub whose: Whose,
}

/// The operand of a word of the preprocessor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A symbol that is new.
    NewSymbol,
    /// A symbol, or a condition made of symbols.
    Symbols,
    /// The name of a source in quotes.
    File,
    /// A condition, and the name of a source in quotes.
    SymbolsAndFile,
}

impl Takes {
    /// Whether the name of a file is among it.
    pub const fn has_file(self) -> bool {
        matches!(self, Takes::File | Takes::SymbolsAndFile)
    }

    /// Whether symbols that exist are among it.
    pub const fn has_symbols(self) -> bool {
        matches!(self, Takes::Symbols | Takes::SymbolsAndFile)
    }
}

impl Item {
    /// The name without its hash.
    pub const fn word(&self) -> &'static str {
        self.name.split_at(1).1
    }
}

impl Preprocessor {
    /// All there is to know about it.
    pub const fn item(self) -> &'static Item {
        &PREPROCESSOR[self as usize]
    }

    /// The kind of a word after a hash.
    pub fn find(word: &str) -> Option<Preprocessor> {
        PREPROCESSOR.iter().find(|item| item.word() == word).map(|item| item.id)
    }
}

macro_rules! preprocessor {
    ($($id:ident $name:literal $takes:ident $example:literal $about:literal;)*) => {
        /// A word of the preprocessor.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the items of the table say what each is")]
        pub enum Preprocessor { $($id),* }

        /// Every word of the preprocessor.
        pub const PREPROCESSOR: &[Item] = &[$(Item {
            id: Preprocessor::$id,
            name: $name,
            example: $example,
            about: $about,
            takes: Takes::$takes,
            whose: Whose::Kick,
        }),*];
    };
}

preprocessor! {
    Define "#define" NewSymbol "#define DEBUG" "Sets a preprocessor symbol.";
    Elif "#elif" Symbols "#elif RELEASE" "Another condition of an #if.";
    Else "#else" Nothing "#else" "The other part of an #if.";
    Endif "#endif" Nothing "#endif" "Ends an #if.";
    If "#if" Symbols "#if DEBUG" "Keeps the lines that follow only if a condition holds.";
    Import "#import" File "#import \"lib.asm\"" "Brings in another source.";
    ImportIf "#importif" SymbolsAndFile "#importif DEBUG \"trace.asm\"" "Brings in another source if a condition holds.";
    ImportOnce "#importonce" Nothing "#importonce" "Marks a file that is imported at most once.";
    Undef "#undef" Symbols "#undef DEBUG" "Clears a preprocessor symbol.";
}
