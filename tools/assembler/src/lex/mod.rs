//! Text into tokens. Imported files are read here and put into the stream where they are imported.
//! Knows characters, brackets and the preprocessor; knows nothing of statements or values.

mod preprocess;
mod scan;
mod token;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub(crate) use token::{Kind, MultiRef, Token};

use crate::diagnostics::Report;
use crate::files::Files;
use crate::intern::{Interner, Name};
use crate::options::Options;
use crate::source::{Pos, Sources};
use crate::values::Text;

/// The stream of a whole program, imports included, with the tables its tokens refer to.
pub(crate) struct Tokens {
    pub tokens: Vec<Token>,
    pub names: Interner,
    pub numbers: Vec<f64>,
    pub strings: Vec<Rc<Text>>,
    pub multi_refs: Vec<MultiRef>,
    pub reports: Vec<Report>,
    /// Whether all brackets have their partner; without that there is no tree.
    pub is_balanced: bool,
}

/// Reads the root file and everything it imports. The root must already be in `sources`.
pub(crate) fn tokens(files: &dyn Files, sources: &mut Sources, roots: &[u32], options: &Options) -> Tokens {
    let len: usize = roots.iter().map(|&root| sources.file(root).text.len()).sum();
    let mut lexer = Lexer {
        files,
        sources,
        options,
        out: Tokens {
            tokens: Vec::with_capacity(len / 4 + 16),
            names: crate::names::interner(),
            numbers: Vec::new(),
            strings: Vec::new(),
            multi_refs: Vec::new(),
            reports: Vec::new(),
            is_balanced: true,
        },
        string_ids: HashMap::new(),
        defines: HashSet::new(),
        once: HashSet::new(),
        loaded: HashMap::new(),
        depth: 0,
        read: 0,
    };
    for define in &options.defines {
        let name = lexer.out.names.intern(define);
        lexer.defines.insert(name);
    }
    let mut last = Pos(0);
    for &root in roots {
        lexer.push(Kind::ImportStart, false, root, Pos(lexer.sources.base(root)));
        lexer.file(root);
        last = Pos(lexer.sources.base(root) + lexer.sources.file(root).text.len() as u32);
        lexer.push(Kind::ImportEnd, false, root, last);
    }
    lexer.push(Kind::End, false, 0, last);
    lexer.out
}

/// State that lives across files.
struct Lexer<'a> {
    files: &'a dyn Files,
    sources: &'a mut Sources,
    options: &'a Options,
    out: Tokens,
    string_ids: HashMap<Rc<str>, u32>,
    /// Preprocessor symbols that are set.
    defines: HashSet<Name>,
    /// Files that said `#importonce`.
    once: HashSet<u32>,
    /// Files by path, so that a second import shares the text.
    loaded: HashMap<String, u32>,
    depth: u32,
    /// Bytes tokenised, repeated imports counted again.
    read: u64,
}

impl Lexer<'_> {
    fn push(&mut self, kind: Kind, glued: bool, data: u32, pos: Pos) {
        self.out.tokens.push(Token { kind, glued, data, pos });
    }

    fn report(&mut self, code: &'static str, pos: Pos, message: impl Into<String>) {
        self.out.reports.push(Report::error(code, pos, message));
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.string_ids.get(text) {
            return id;
        }
        let id = self.out.strings.len() as u32;
        self.out.strings.push(Rc::new(Text::new(text)));
        self.string_ids.insert(text.into(), id);
        id
    }
}
