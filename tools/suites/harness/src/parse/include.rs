//! Included files: `include("common.6502")` stands for the lines of that file.
//! A file is read once a run and counts once a suite; it may include others.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Dialect, Parse, Parser, Place, slips, words};
use crate::ast::{Entry, EntryKind, Suite};
use crate::diag::{Code, Diagnostic};
use crate::lexer::{Kind, lex};
use crate::source::{MAX_SOURCE, Source, Span};

/// Files that include one another deeper than this are refused.
const MAX_INCLUDES: usize = 16;

/// The included files of a run of the parser.
pub(super) struct Includes {
    /// The first offset of the next file.
    end: u32,
    files: Vec<(u32, Arc<Source>)>,
    /// Index in `files` by path.
    known: HashMap<String, usize>,
    /// Paths of the files being read, outermost first.
    open: Vec<String>,
    /// Paths that the current suite has included.
    in_suite: HashSet<String>,
}

impl Includes {
    pub fn new(root: &Source) -> Includes {
        Includes {
            end: root.end(),
            files: Vec::new(),
            known: HashMap::new(),
            open: vec![root.name().to_owned()],
            in_suite: HashSet::new(),
        }
    }

    pub fn start_suite(&mut self) {
        self.in_suite.clear();
    }

    pub fn add_to(self, source: &mut Source) {
        for (base, file) in self.files {
            let placed = source.include(&file);
            debug_assert_eq!(base, placed);
        }
    }

    /// A file's first offset and text; the bytes are looked at once.
    fn take(&mut self, path: &str, bytes: &[u8]) -> Result<(u32, Arc<Source>), String> {
        if let Some(&index) = self.known.get(path) {
            return Ok(self.files[index].clone());
        }
        let file = Arc::new(Source::from_bytes(path, bytes)?);
        if self.end as usize + file.text().len() > 4 * MAX_SOURCE {
            return Err(format!("the included files are larger than {} MB", (4 * MAX_SOURCE) >> 20));
        }
        let base = self.end;
        self.end += file.text().len() as u32 + 1;
        self.known.insert(path.to_string(), self.files.len());
        self.files.push((base, file.clone()));
        Ok((base, file))
    }
}

impl Parser<'_> {
    /// `include("file")`.
    pub(super) fn parse_include(&mut self) -> Parse<EntryKind> {
        let token = self.bump();
        self.ours(token.span, "`include`");
        let opener = self.expect(Kind::OpenParen)?.span;
        let file = self.expect_text("a file name")?;
        self.expect_close(Kind::CloseParen, opener)?;
        if self.dialect == Dialect::Base {
            self.open_names = true;
            self.open_procedures = true;
            return Ok(EntryKind::Include { file, entries: Vec::new(), problem: None });
        }
        let loaded = match self.files.read(&file.value, Some(self.place.source.name())) {
            Ok(loaded) => loaded,
            Err(problem) => {
                // The file may have defined any name.
                self.open_names = true;
                self.open_procedures = true;
                return Ok(EntryKind::Include { file, entries: Vec::new(), problem: Some(problem) });
            }
        };
        let taken = {
            let mut includes = self.includes.borrow_mut();
            if let Some(first) = includes.open.iter().position(|path| *path == loaded.path) {
                let mut ring: Vec<&str> = includes.open[first..].iter().map(String::as_str).collect();
                ring.push(&loaded.path);
                Err(format!("the file includes itself: {}", ring.join(" -> ")))
            } else if includes.open.len() > MAX_INCLUDES {
                Err(format!("files include one another more than {MAX_INCLUDES} levels deep"))
            } else if !includes.in_suite.insert(loaded.path.clone()) {
                Ok(None)
            } else {
                let taken = includes.take(&loaded.path, &loaded.bytes);
                taken.map(Some).map_err(|message| format!("cannot include `{}`: {message}", file.value))
            }
        };
        let entries = match taken {
            // The lines are in this suite already.
            Ok(None) => Vec::new(),
            Ok(Some((base, source))) => self.parse_included(base, &source, token.span),
            Err(message) => return Err(self.report(Diagnostic::error(Code::Syntax, file.span, message))),
        };
        Ok(EntryKind::Include { file, entries, problem: None })
    }

    /// The lines of an included file. Its names are known to what follows the `include`.
    fn parse_included(&mut self, base: u32, source: &Source, at: Span) -> Vec<Entry> {
        let mut tokens = lex(source.text());
        for token in &mut tokens {
            token.span = token.span.shifted(base);
        }
        self.includes.borrow_mut().open.push(source.name().to_owned());
        let place = Place { source, base, tokens: &tokens };
        let mut inner = Parser::new(place, self.dialect, self.files, self.includes);
        inner.names = std::mem::take(&mut self.names);
        inner.open_names = self.open_names;
        inner.procedures = std::mem::take(&mut self.procedures);
        inner.open_procedures = self.open_procedures;
        let entries = inner.parse_lines();
        self.names = std::mem::take(&mut inner.names);
        self.open_names = inner.open_names;
        self.procedures = std::mem::take(&mut inner.procedures);
        self.open_procedures = inner.open_procedures;
        let place = self.place.source.location(Span { start: at.start - self.place.base, end: at.end });
        let note = format!("included at {place}");
        slips::advise(source.text(), base, &mut inner.expressions.diagnostics);
        for mut diagnostic in inner.expressions.diagnostics {
            diagnostic.notes.push(note.clone());
            self.diagnostics.push(diagnostic);
        }
        self.includes.borrow_mut().open.pop();
        entries
    }

    /// Whether the file holds lines for others to include instead of suites.
    pub(super) fn is_shared(&self) -> bool {
        self.kind() == Kind::Word && words::is_shareable(self.word())
    }

    /// The lines of a file without `suites { … }`.
    pub(super) fn parse_lines(&mut self) -> Vec<Entry> {
        let mut lines = Suite::default();
        while self.kind() != Kind::End {
            let before = self.at;
            let token = self.peek();
            let result = match self.text_of(token) {
                "test" | "bench" => Err(self.report(
                    Diagnostic::error(
                        Code::Syntax,
                        token.span,
                        "a test belongs in a suite, not in a file of shared lines",
                    )
                    .help("a suite file starts with `suites { suite(\"name\") {`"),
                )),
                "system" | "processor" | "ultimate" => Err(self.report(
                    Diagnostic::error(
                        Code::Syntax,
                        token.span,
                        "the machine belongs in the suite, not in an included file",
                    )
                    .help("move the line to the top of each suite"),
                )),
                "suites" | "suite" if token.kind == Kind::Word => {
                    self.report(
                        Diagnostic::error(Code::Syntax, token.span, "a file with suites cannot be included")
                            .help("move the lines that suites share to a separate file"),
                    );
                    return Vec::new();
                }
                _ => self.parse_suite_line(&mut lines),
            };
            if result.is_err() {
                self.recover_entry(before);
            }
        }
        lines.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::MemoryFiles;
    use crate::parse::{Parsed, parse};
    use pretty_assertions::assert_eq;

    fn read(text: &str, files: &MemoryFiles) -> (Source, Parsed) {
        let mut source = Source::new("root.6502", text);
        let parsed = parse(&mut source, Dialect::Full, files);
        (source, parsed)
    }

    fn chain(length: usize) -> Vec<String> {
        let mut files = MemoryFiles::default();
        for n in 1..=length {
            let text =
                if n < length { format!("include(\"{}.6502\")", n + 1) } else { "define N = 1".into() };
            files.insert(format!("{n}.6502"), text);
        }
        let text = "suites { suite(\"s\") { include(\"1.6502\") test(\"t\", \"d\") { a = N } } }";
        read(text, &files).1.diagnostics.iter().map(|d| d.message.clone()).collect()
    }

    #[test]
    fn depth_is_limited() {
        assert_eq!(chain(MAX_INCLUDES), Vec::<String>::new());
        let found = chain(MAX_INCLUDES + 1);
        assert!(found.iter().any(|message| message.contains("more than 16 levels deep")), "{found:?}");
    }

    #[test]
    fn a_file_is_held_once_however_often_it_is_included() {
        let files: MemoryFiles = [("c.6502", "define N = 1")].into_iter().collect();
        let suite = "suite(\"s\") { include(\"c.6502\") include(\"c.6502\") test(\"t\", \"d\") { a = N } }";
        let (source, parsed) = read(&format!("suites {{ {suite} {suite} }}"), &files);
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        assert_eq!(source.included().map(|file| file.name()).collect::<Vec<_>>(), ["c.6502"]);
        let lines = |suite: usize| {
            let entries = &parsed.file.suites[suite].entries;
            entries
                .iter()
                .filter(|e| matches!(&e.kind, EntryKind::Include { entries, .. } if !entries.is_empty()))
        };
        assert_eq!((lines(0).count(), lines(1).count()), (1, 1));
    }

    #[test]
    fn a_file_of_shared_lines_has_nothing_to_run() {
        let (_, parsed) = read("define LIMIT = 4\nsetup { a = LIMIT }\n", &MemoryFiles::default());
        assert!(parsed.file.suites.is_empty() && parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    }
}
