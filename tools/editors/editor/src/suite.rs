//! `.6502` suites: their tests, their problems, and the names in them that belong to a program.

use std::sync::{Arc, OnceLock};

use tempo_diagnostics::Span;
use tempo_harness::ast::{Entry, EntryKind, File, Procedure, Rows, Test, TestKind};
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::lexer::{Kind, lex};
use tempo_harness::parse::{Dialect, Parsed, parse};
use tempo_harness::source::Source;

use crate::facts::Facts;
use crate::problems::{Problem, Related};
use crate::{FileSpan, Place, SharedFiles, Snapshot};

/// A suite file of the workspace.
pub struct Suite {
    path: String,
    files: SharedFiles,
    is_open: bool,
    facts: OnceLock<Option<Arc<SuiteFacts>>>,
}

/// The contents of a suite's text.
pub struct SuiteFacts {
    source: Arc<Source>,
    file: File,
    diagnostics: Vec<tempo_harness::diag::Diagnostic>,
    names: Vec<SuiteName>,
    programs: Vec<String>,
}

/// A name in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteName {
    /// Where it is, in the suite file itself.
    pub span: Span,
    /// The path as it is written.
    pub path: String,
}

/// A suite or test for a test explorer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestItem {
    /// The name that `tempo test --test` takes; the name of a suite.
    pub id: String,
    /// The text for people.
    pub label: String,
    /// The whole suite or test.
    pub span: Span,
    /// The name alone.
    pub name_span: Span,
    /// Its kind.
    pub kind: TestItemKind,
    /// The text of its budget, if it has one.
    pub budget: Option<String>,
    /// The tests of a suite, the rows of a table.
    pub children: Vec<TestItem>,
}

/// The kind of a [`TestItem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestItemKind {
    /// `suite`
    Suite,
    /// `test`
    Test,
    /// `bench`
    Bench,
    /// A row of `each`.
    Row,
}

impl Suite {
    pub(crate) fn new(path: String, files: &SharedFiles, is_open: bool) -> Suite {
        Suite { path, files: files.clone(), is_open, facts: OnceLock::new() }
    }

    /// The path of the file.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether the user works on it, so that its problems are wanted.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The facts in the text; `None` if there is no such file.
    pub fn facts(&self) -> Option<&Arc<SuiteFacts>> {
        let read = || {
            let loaded = self.files.read(&self.path, None).ok()?;
            let mut source = Source::from_bytes(&self.path[..], &loaded.bytes).ok()?;
            let Parsed { file, diagnostics } = parse(&mut source, Dialect::Full, &*self.files);
            let mut programs = Vec::new();
            for suite in &file.suites {
                self.programs(&suite.entries, &source, &mut programs);
            }
            let names = names(source.text());
            Some(Arc::new(SuiteFacts { source: Arc::new(source), file, diagnostics, names, programs }))
        };
        self.facts.get_or_init(read).as_ref()
    }

    fn programs(&self, entries: &[Entry], source: &Source, programs: &mut Vec<String>) {
        for entry in entries {
            match &entry.kind {
                EntryKind::Assemble { file, .. } => {
                    let from = source.file_at(entry.span.start).0.name().to_owned();
                    if let Ok(loaded) = self.files.read(&file.value, Some(&from))
                        && !programs.contains(&loaded.path)
                    {
                        programs.push(loaded.path);
                    }
                }
                EntryKind::Include { entries, .. } => self.programs(entries, source, programs),
                _ => {}
            }
        }
    }
}

/// The names in brackets of a text.
fn names(text: &str) -> Vec<SuiteName> {
    let mut names = Vec::new();
    let mut depth = 0usize;
    for token in lex(text) {
        match token.kind {
            Kind::OpenBracket => depth += 1,
            Kind::CloseBracket => depth = depth.saturating_sub(1),
            Kind::Word | Kind::Dotted if depth > 0 => {
                let path = text[token.span.start as usize..token.span.end as usize].to_owned();
                names.push(SuiteName { span: token.span, path });
            }
            _ => {}
        }
    }
    names
}

impl SuiteFacts {
    /// The text, with the files it includes.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The sources that the suite assembles.
    pub fn programs(&self) -> &[String] {
        &self.programs
    }

    /// The names in brackets of the file itself.
    pub fn names(&self) -> &[SuiteName] {
        &self.names
    }

    /// The name at an offset of the file itself.
    pub fn name_at(&self, offset: u32) -> Option<&SuiteName> {
        self.names.iter().find(|name| name.span.start <= offset && offset <= name.span.end)
    }

    /// Suites with their tests.
    pub fn tests(&self) -> Vec<TestItem> {
        let own = self.source.text().len() as u32;
        let suite = |suite: &tempo_harness::ast::Suite| TestItem {
            id: suite.name.value.clone(),
            label: suite.name.value.clone(),
            span: suite.span,
            name_span: suite.name.span,
            kind: TestItemKind::Suite,
            budget: None,
            children: self.children(&suite.entries, own),
        };
        self.file.suites.iter().filter(|suite| suite.span.start < own).map(suite).collect()
    }

    fn children(&self, entries: &[Entry], own: u32) -> Vec<TestItem> {
        let tests = entries.iter().filter(|entry| entry.span.start < own);
        let tests = tests.filter_map(|entry| match &entry.kind {
            EntryKind::Test(test) => Some(self.test(test)),
            _ => None,
        });
        tests.collect()
    }

    fn test(&self, test: &Test) -> TestItem {
        let rows = test.each.as_ref().map(|each| match &each.rows {
            Rows::Inline(rows) => &rows[..],
            Rows::File(_) => &[],
        });
        let row = |(index, row): (usize, &tempo_harness::ast::Row)| TestItem {
            id: format!("{}[{}]", test.id.value, index + 1),
            label: self.source.one_line(row.span),
            span: row.span,
            name_span: row.span,
            kind: TestItemKind::Row,
            budget: None,
            children: Vec::new(),
        };
        let budget = test.options.iter().find_map(|option| match &option.kind {
            tempo_harness::ast::OptionKind::Budget(expr) => Some(self.source.one_line(expr.span)),
            _ => None,
        });
        TestItem {
            id: test.id.value.clone(),
            label: if test.description.value.is_empty() {
                test.id.value.clone()
            } else {
                test.description.value.clone()
            },
            span: test.span,
            name_span: test.id.span,
            kind: if test.kind == TestKind::Bench { TestItemKind::Bench } else { TestItemKind::Test },
            budget,
            children: rows.unwrap_or_default().iter().enumerate().map(row).collect(),
        }
    }

    /// Procedures that a statement at an offset of the file itself can call, and the one it is in.
    pub(crate) fn procedures(&self, offset: u32) -> Vec<&Procedure> {
        let mut found = Vec::new();
        let suite = self.file.suites.iter().rev().find(|suite| suite.span.start <= offset);
        if let Some(suite) = suite {
            self.collect_procedures(&suite.entries, offset, &mut found);
        }
        found
    }

    fn collect_procedures<'a>(&'a self, entries: &'a [Entry], offset: u32, found: &mut Vec<&'a Procedure>) {
        let own = self.source.text().len() as u32;
        for entry in entries.iter().filter(|entry| entry.span.start >= own || entry.span.start <= offset) {
            match &entry.kind {
                EntryKind::Procedure(procedure) => found.push(procedure),
                EntryKind::Include { entries, .. } => self.collect_procedures(entries, offset, found),
                _ => {}
            }
        }
    }

    /// The procedure whose statements are around an offset of the file itself.
    pub(crate) fn procedure_around(&self, offset: u32) -> Option<&Procedure> {
        let suite = self.file.suites.iter().rev().find(|suite| suite.span.start <= offset)?;
        suite.entries.iter().find_map(|entry| match &entry.kind {
            EntryKind::Procedure(procedure) if entry.span.contains(offset) => Some(&**procedure),
            _ => None,
        })
    }

    /// The procedure that the word at an offset of the file itself names, and the word.
    pub(crate) fn procedure_at(&self, offset: u32) -> Option<(Span, &Procedure)> {
        let text = self.source.text();
        let tokens = lex(text);
        let is_at = |span: Span| span.start <= offset && offset <= span.end;
        let called = tokens.windows(2).find(|pair| {
            pair[0].kind == Kind::Word && pair[1].kind == Kind::OpenParen && is_at(pair[0].span)
        })?;
        let span = called[0].span;
        let word = &text[span.start as usize..span.end as usize];
        let found = self.procedures(offset).into_iter().find(|procedure| procedure.name.value == word)?;
        Some((span, found))
    }

    /// A procedure as it is declared: `procedure name(parameter)`.
    pub(crate) fn signature(&self, procedure: &Procedure) -> String {
        self.source.one_line(procedure.span)
    }

    /// A span of the suite or of a file it includes.
    pub(crate) fn file_span(&self, span: Span) -> FileSpan {
        let (file, base) = self.source.file_at(span.start);
        let local = |offset: u32| offset.saturating_sub(base).min(file.span().end);
        FileSpan {
            file: file.name().to_owned(),
            span: Span { start: local(span.start), end: local(span.end) },
        }
    }

    /// The problems, by file.
    pub(crate) fn problems(&self, files: &SharedFiles) -> Vec<Problem> {
        let is_sound = !self.diagnostics.iter().any(tempo_harness::diag::Diagnostic::is_error);
        let mut all = self.diagnostics.clone();
        if is_sound {
            let cache = AssemblyCache::default();
            all.extend(
                check(&self.source, &self.file, CheckOptions::default(), &**files, &cache).diagnostics,
            );
        }
        all.iter().map(|diagnostic| self.problem(diagnostic)).collect()
    }

    fn problem(&self, diagnostic: &tempo_harness::diag::Diagnostic) -> Problem {
        let place = |span: Span| self.file_span(span);
        let form = tempo_diagnostics::Renderer::new(&*self.source)
            .editor(diagnostic, tempo_diagnostics::Columns::Bytes);
        let related = diagnostic.labels.iter();
        Problem {
            place: place(diagnostic.span.unwrap_or_default()),
            severity: diagnostic.severity,
            code: None,
            message: form.message,
            related: related
                .map(|label| Related { place: place(label.span), message: label.text.clone() })
                .collect(),
            tag: None,
        }
    }
}

/// The labels of a program that a name of a suite means: that of the path, or those whose path ends with it.
pub(crate) fn named(facts: &Facts, path: &str) -> Vec<usize> {
    let analysis = facts.analysis();
    let name = path.rsplit('.').next().unwrap_or(path);
    let labels = facts.labels(name).iter();
    let with_paths: Vec<(usize, String)> =
        labels.map(|&index| (index, analysis.path(&analysis.symbols[index]))).collect();
    let exact: Vec<usize> =
        with_paths.iter().filter(|(_, full)| full == path).map(|&(index, _)| index).collect();
    if !exact.is_empty() {
        return exact;
    }
    let is_end = |full: &str| full.strip_suffix(path).is_some_and(|rest| rest.ends_with('.'));
    with_paths.iter().filter(|(_, full)| is_end(full)).map(|&(index, _)| index).collect()
}

/// Whether a file is a suite.
pub fn is_suite(path: &str) -> bool {
    path.ends_with(".6502")
}

impl Snapshot {
    /// The suite of a path.
    pub fn suite(&self, path: &str) -> Option<&Arc<SuiteFacts>> {
        self.suites().iter().find(|suite| suite.path() == path)?.facts()
    }

    /// The programs that a suite assembles, as they are known to the workspace or read now.
    pub(crate) fn programs_of_suite(&self, suite: &SuiteFacts) -> Vec<Arc<crate::Root>> {
        suite.programs().iter().map(|path| self.root_or_new(path)).collect()
    }

    /// Every name in the suites of the workspace that means a label of a program: the suite's path, the name, and
    /// the labels.
    pub(crate) fn suite_names(&self, root: &crate::Root) -> Vec<(String, SuiteName, Vec<usize>)> {
        let facts = root.parsed();
        let mut found = Vec::new();
        for suite in self.suites() {
            let Some(suite_facts) = suite.facts() else { continue };
            if !suite_facts.programs().iter().any(|path| path == root.path()) {
                continue;
            }
            for name in suite_facts.names() {
                let labels = named(facts, &name.path);
                if !labels.is_empty() {
                    found.push((suite.path().to_owned(), name.clone(), labels));
                }
            }
        }
        found
    }
}

/// The tests of a suite.
pub fn tests(snapshot: &Snapshot, path: &str) -> Vec<TestItem> {
    snapshot.suite(path).map(|facts| facts.tests()).unwrap_or_default()
}

/// A name of a suite, and the labels it means by program.
pub(crate) type SuiteSymbols = (SuiteName, Vec<(Arc<crate::Root>, usize)>);

/// The name of a suite at a place, with what its programs declare by it.
pub(crate) fn symbols_at(snapshot: &Snapshot, place: Place<'_>) -> Option<SuiteSymbols> {
    let suite = snapshot.suite(place.file)?;
    let name = suite.name_at(place.offset)?.clone();
    let mut found = Vec::new();
    for root in snapshot.programs_of_suite(suite) {
        let labels = named(root.parsed(), &name.path);
        found.extend(labels.into_iter().map(|label| (root.clone(), label)));
    }
    Some((name, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_in_brackets() {
        let found = names("jsr([Sum]) ; [no]\nassert([a.b + 1] == x, \"[text]\")\n");
        let paths: Vec<&str> = found.iter().map(|name| &name.path[..]).collect();
        assert_eq!(paths, ["Sum", "a.b"]);
    }
}
