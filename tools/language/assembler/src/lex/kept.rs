//! Tokens that are kept from one run to the next, for editors: with every key one file changes, and the others are read
//! again as they were.
//!
//! The unit that is kept is a *stretch*: the tokens from one place where the scanner pauses (the start of a file, a directive, the
//! end of a piece) to the next. Its tokens follow from the text and from what is open there, and from nothing else:
//! directives are executed in every run, so neither symbols of the preprocessor nor other files matter. Names and strings
//! get the numbers of the run when they are put into its stream, in the order in which the scanner would have met them. A
//! stretch with a fault is not kept.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::brackets::Open;
use super::scan::{Line, OpenFile, Stop};
use super::{Kind, Lexer, MultiRef, Token};
use crate::intern::{Interner, Name};
use crate::names;
use crate::source::decode;
use crate::tree::NONE;
use tempo_diagnostics::Span;

/// Longer texts are read anew each time.
const MAX_TEXT: usize = 8 << 20;

/// When the texts are longer together, all of them are forgotten.
const MAX_TEXTS: usize = 32 << 20;

/// A text that this many runs did not read is forgotten.
const MAX_AGE: u64 = 256;

/// The tokens of texts that were read before. Clones share them: give one to
/// [`Options::tokens`](crate::Options::tokens) of every run, and only texts that changed are tokenised.
///
/// The result of a run is the same with and without it. It holds one text for each path, and forgets those that are not
/// read any more.
///
/// ```
/// use tempo_assembler::{MemoryFiles, Options, TokenCache, assemble};
///
/// let mut files: MemoryFiles = [("main.asm", "#import \"a.asm\"\n"), ("a.asm", " nop\n")].into_iter().collect();
/// let options = Options { tokens: Some(TokenCache::default()), ..Options::default() };
/// assemble(&files, "main.asm", &options);
/// files.insert("main.asm", "#import \"a.asm\"\n rts\n");
/// let output = assemble(&files, "main.asm", &options);
/// assert_eq!(output.prg().unwrap(), [0x00, 0x20, 0xea, 0x60]);
/// assert_eq!(output.stats.scanned, 1);
/// ```
#[derive(Clone, Default)]
pub struct TokenCache(Arc<Mutex<Texts>>);

impl fmt::Debug for TokenCache {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TokenCache").finish_non_exhaustive()
    }
}

/// Equal if they are the same one.
impl PartialEq for TokenCache {
    fn eq(&self, other: &TokenCache) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Default)]
struct Texts {
    by_path: HashMap<String, (Arc<KeptText>, u64)>,
    /// The lengths of all of them.
    bytes: usize,
    /// How many runs there were.
    runs: u64,
    /// How long the programs of some roots are, with all they import.
    programs: HashMap<String, usize>,
}

impl TokenCache {
    /// Begins a run: forgets what the last ones did not need.
    pub(super) fn begin(&self) {
        let mut texts = lock(&self.0);
        texts.runs += 1;
        if texts.runs.is_multiple_of(MAX_AGE / 4) {
            let oldest = texts.runs.saturating_sub(MAX_AGE);
            texts.by_path.retain(|_, (_, used)| *used >= oldest);
            texts.bytes = texts.by_path.values().map(|(kept, _)| kept.text.len()).sum();
            let Texts { by_path, programs, .. } = &mut *texts;
            programs.retain(|path, _| by_path.contains_key(path));
        }
    }

    /// How long the program of a root was, so that there is memory for it at once; 0 if that is not known.
    pub(crate) fn program_len(&self, root: &str) -> usize {
        lock(&self.0).programs.get(root).copied().unwrap_or(0)
    }

    /// Notes how long the program of a root is.
    pub(crate) fn note_program(&self, root: &str, len: usize) {
        lock(&self.0).programs.insert(root.to_owned(), len);
    }

    /// The text of some bytes, if it is the one of its path that is kept.
    fn text(&self, path: &str, bytes: &[u8]) -> Option<Arc<String>> {
        let texts = lock(&self.0);
        let (kept, _) = texts.by_path.get(path)?;
        (kept.text.as_bytes() == bytes).then(|| kept.text.clone())
    }

    /// The kept part of a text; nothing yet, if its path had another one.
    pub(super) fn of(&self, path: &str, text: &Arc<String>) -> Option<Arc<KeptText>> {
        if text.len() > MAX_TEXT {
            return None;
        }
        let mut texts = lock(&self.0);
        let runs = texts.runs;
        if let Some((kept, used)) = texts.by_path.get_mut(path)
            && kept.text == *text
        {
            *used = runs;
            return Some(kept.clone());
        }
        let kept = Arc::new(KeptText { text: text.clone(), stretches: Mutex::default() });
        texts.bytes += text.len();
        if texts.bytes > MAX_TEXTS {
            texts.by_path.clear();
            texts.bytes = text.len();
        }
        if let Some((old, _)) = texts.by_path.insert(path.to_owned(), (kept.clone(), runs)) {
            texts.bytes -= old.text.len();
        }
        Some(kept)
    }
}

/// A run that panicked left nothing half done: what is kept is put in whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A text, with its stretches by where they begin and whether conditions leave them out.
pub(super) struct KeptText {
    text: Arc<String>,
    stretches: Mutex<HashMap<(usize, bool), Arc<Stretch>>>,
}

/// How far the scanner is in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Edge {
    at: usize,
    last_end: usize,
    line: Line,
    after_statement: bool,
}

impl Edge {
    fn of(state: &OpenFile) -> Edge {
        let OpenFile { at, last_end, line, after_statement, .. } = *state;
        Edge { at, last_end, line, after_statement }
    }

    fn set(self, state: &mut OpenFile) {
        (state.at, state.last_end) = (self.at, self.last_end);
        (state.line, state.after_statement) = (self.line, self.after_statement);
    }
}

struct Stretch {
    start: Edge,
    end: Edge,
    stop: Stop,
    /// The token that closes the brackets that are open before it.
    closers: Vec<Kind>,
    /// How many of them are still open after it.
    left_open: usize,
    /// Those that it opens, with places and numbers that count from its start.
    opened: Vec<Open>,
    /// Places count from the start of the text.
    tokens: Vec<Token>,
    /// Where each name is spelled in the text, in the order of the tokens; those that are in every table left out.
    names: Vec<Span>,
    /// Which tokens have which of these names.
    named: Vec<(u32, u32)>,
    strings: Vec<Box<str>>,
    /// Which tokens have which of these strings.
    quoted: Vec<(u32, u32)>,
    /// Tokens with a number of the table of numbers.
    numbered: Vec<u32>,
    numbers: Vec<f64>,
    /// Tokens that are references to multi labels.
    referring: Vec<u32>,
    multi_refs: Vec<(Word, i32)>,
    /// It has an `.importonce`.
    is_once: bool,
}

/// A name.
#[derive(Clone, Copy)]
enum Word {
    /// One with the same number in every table.
    Known(Name),
    /// One of the names of the stretch.
    Own(u32),
}

/// How much of everything there is before a stretch.
#[derive(PartialEq, Eq)]
struct Marks {
    faults: [usize; 4],
    source_imports: u32,
}

impl Lexer<'_> {
    /// The text of a file.
    pub(super) fn text(&self, path: &str, bytes: Arc<Vec<u8>>) -> Arc<String> {
        let kept = self.options.tokens.as_ref().and_then(|kept| kept.text(path, &bytes));
        kept.unwrap_or_else(|| Arc::new(decode(bytes)))
    }

    /// Tokenises a file from where it was left, with what is kept of it.
    pub(super) fn scan_kept(&mut self, state: &mut OpenFile, names: &mut Interner) -> Stop {
        let Some(kept) = state.kept.clone() else { return self.scan(state, names) };
        loop {
            let key = (state.at, state.is_active());
            let found = lock(&kept.stretches).get(&key).cloned();
            let is_fit = |found: &Arc<Stretch>| found.is_fit(state) && !self.is_at_its_end();
            let stop = match found.filter(is_fit) {
                Some(stretch) => self.put(&stretch, state, names),
                None => {
                    if !std::mem::replace(&mut state.is_scanned, true) {
                        self.out.scanned += 1;
                    }
                    let (stop, stretch) = self.scan_stretch(state, names);
                    if let Some(stretch) = stretch {
                        lock(&kept.stretches).insert(key, Arc::new(stretch));
                    }
                    stop
                }
            };
            match stop {
                Stop::Directive => {
                    self.directive_line(state, &kept.text, names);
                    if self.entering.is_some() {
                        return Stop::Import;
                    }
                }
                // Here another piece may go on, or a bracket of an importer is open.
                Stop::Full if !self.may_cut(self.out.tokens.len(), &state.open) => {}
                stop => return stop,
            }
        }
    }

    /// Tokenises a stretch, and makes what is kept of it.
    fn scan_stretch(&mut self, state: &mut OpenFile, names: &mut Interner) -> (Stop, Option<Stretch>) {
        let start = Edge::of(state);
        let marks = self.marks();
        let first = self.out.tokens.len();
        let index = self.index();
        let before: Vec<(Kind, u64)> = state.open.iter().map(|open| (open.closer, open.index)).collect();
        let numbers = self.out.numbers.len();
        let stop = self.scan(state, names);
        let is_clean = self.marks() == marks && stop != Stop::Import && !self.is_at_its_end();
        let tokens = &self.out.tokens[first..];
        // It could be that of an `.import source`, which is more than a token.
        let is_opener = |token: &&Token| matches!(token.kind, Kind::LeftParen | Kind::LeftBracket);
        let begins_with_string =
            tokens.iter().find(|token| !is_opener(token)).is_some_and(|token| token.kind == Kind::String);
        if !is_clean || begins_with_string {
            return (stop, None);
        }
        let base = state.base;
        let is_left = |(open, old): &(&Open, &(Kind, u64))| open.index == old.1;
        let left_open = state.open.iter().zip(&before).take_while(is_left).count();
        let opened = state.open[left_open..].iter().map(|open| Open {
            closer: open.closer,
            span: local(open.span, base),
            index: open.index - index,
        });
        let mut stretch = Stretch {
            start,
            end: Edge::of(state),
            stop,
            closers: before.iter().map(|&(closer, _)| closer).collect(),
            left_open,
            opened: opened.collect(),
            tokens: Vec::with_capacity(tokens.len()),
            names: Vec::new(),
            named: Vec::new(),
            strings: Vec::new(),
            quoted: Vec::new(),
            numbered: Vec::new(),
            numbers: self.out.numbers[numbers..].to_vec(),
            referring: Vec::new(),
            multi_refs: Vec::new(),
            is_once: false,
        };
        // The numbers of names and strings in the stretch, by those of the run.
        let (mut name_ids, mut string_ids) = (vec![NONE; names.len()], vec![NONE; self.string_ids.len()]);
        for (at, token) in (0..).zip(tokens) {
            let span = local(token.span, base);
            let mut word = |name: Name, start: u32| {
                if name.0 < names::KNOWN {
                    return Word::Known(name);
                }
                let id = &mut name_ids[name.0 as usize];
                if *id == NONE {
                    *id = stretch.names.len() as u32;
                    stretch.names.push(Span { start, end: start + names.get(name).len() as u32 });
                }
                Word::Own(*id)
            };
            let mut data = token.data;
            match token.kind {
                Kind::Ident | Kind::DotIdent => {
                    let is_dotted = token.kind == Kind::DotIdent;
                    stretch.is_once |= is_dotted && Name(data) == names::IMPORTONCE;
                    if let Word::Own(id) = word(Name(data), span.start + u32::from(is_dotted)) {
                        stretch.named.push((at, id));
                    }
                }
                Kind::MultiRef => {
                    let MultiRef { name, distance } = self.out.multi_refs[data as usize];
                    let name = word(name, span.start + 1);
                    data = stretch.multi_refs.len() as u32;
                    stretch.multi_refs.push((name, distance));
                    stretch.referring.push(at);
                }
                Kind::String => {
                    let id = &mut string_ids[data as usize];
                    if *id == NONE {
                        *id = stretch.strings.len() as u32;
                        stretch.strings.push(self.string_ids.get(Name(data)).into());
                    }
                    stretch.quoted.push((at, *id));
                }
                Kind::Number => {
                    data -= numbers as u32;
                    stretch.numbered.push(at);
                }
                _ => {}
            }
            stretch.tokens.push(Token { data, span, ..*token });
        }
        (stop, Some(stretch))
    }

    fn marks(&self) -> Marks {
        let out = &self.out;
        Marks {
            faults: [out.reports.len(), out.warnings.len(), out.unclosed.len(), out.left_out.len()],
            source_imports: self.source_imports,
        }
    }

    /// Puts a stretch into the stream, as if it had been scanned.
    fn put(&mut self, stretch: &Stretch, state: &mut OpenFile, names: &mut Interner) -> Stop {
        let (base, index) = (state.base, self.index());
        let first = self.out.tokens.len();
        // Most of a token stays as it is, so all are copied, and then some get numbers of this run.
        let shifted = |token: &Token| Token { span: token.span.shifted(base), ..*token };
        self.out.tokens.extend(stretch.tokens.iter().map(shifted));
        let text = &state.text;
        let spelled = |span: &Span| names.intern(&text[span.start as usize..span.end as usize]);
        let name_ids: Vec<Name> = stretch.names.iter().map(spelled).collect();
        let string_ids: Vec<u32> = stretch.strings.iter().map(|string| self.string(string)).collect();
        let (numbers, multi_refs) = (self.out.numbers.len() as u32, self.out.multi_refs.len() as u32);
        let tokens = &mut self.out.tokens[first..];
        for &(at, name) in &stretch.named {
            tokens[at as usize].data = name_ids[name as usize].0;
        }
        for &(at, string) in &stretch.quoted {
            tokens[at as usize].data = string_ids[string as usize];
        }
        for &at in &stretch.numbered {
            tokens[at as usize].data += numbers;
        }
        for &at in &stretch.referring {
            tokens[at as usize].data += multi_refs;
        }
        self.out.numbers.extend_from_slice(&stretch.numbers);
        let name = |word| match word {
            Word::Known(name) => name,
            Word::Own(id) => name_ids[id as usize],
        };
        let references = stretch.multi_refs.iter();
        let references = references.map(|&(word, distance)| MultiRef { name: name(word), distance });
        self.out.multi_refs.extend(references);
        if stretch.is_once {
            self.mark_once(state.file, state.way);
        }
        state.open.truncate(stretch.left_open);
        state.open.extend(stretch.opened.iter().map(|open| Open {
            closer: open.closer,
            span: open.span.shifted(base),
            index: index + open.index,
        }));
        stretch.end.set(state);
        stretch.stop
    }
}

impl Stretch {
    /// Whether it follows on where the scanner is.
    fn is_fit(&self, state: &OpenFile) -> bool {
        let closers = state.open.iter().map(|open| &open.closer);
        self.start == Edge::of(state) && closers.eq(&self.closers)
    }
}

/// A place of the program as one of its text.
fn local(span: Span, base: u32) -> Span {
    Span { start: span.start - base, end: span.end - base }
}
