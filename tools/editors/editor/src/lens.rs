//! Lines above tests and routines.

use tempo_assembler::analysis::SymbolKind;
use tempo_diagnostics::{Span, plural};

use crate::calls::targets;
use crate::cycles::{Counter, straight, sum};
use crate::suite::{TestItem, TestItemKind};
use crate::values::Values;
use crate::{FileSpan, Snapshot};

/// A line above a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    /// The name it is about.
    pub span: Span,
    /// The text.
    pub title: String,
    /// The action.
    pub action: LensAction,
}

/// The action of a [`Lens`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LensAction {
    /// Runs a test; without an id, all of the file.
    Run(Option<String>),
    /// Debugs a test.
    Debug(String),
    /// Shows places.
    References(Vec<FileSpan>),
    /// Nothing: how long a test takes. The title says what it may take, and is empty if that is not limited.
    Measured {
        /// The test.
        test: String,
        /// The text of its budget.
        budget: Option<String>,
    },
    /// Nothing.
    Nothing,
}

/// The lenses of a file.
pub fn lenses(snapshot: &Snapshot, file: &str) -> Vec<Lens> {
    let mut lenses = Vec::new();
    if let Some(suite) = snapshot.suite(file) {
        for item in suite.tests() {
            lenses.push(Lens {
                span: item.name_span,
                title: "run all".to_owned(),
                action: LensAction::Run(None),
            });
            item.children.iter().for_each(|test| of_test(test, &mut lenses));
        }
        return lenses;
    }
    let Some(root) = snapshot.roots_of(file).next() else { return lenses };
    let facts = root.parsed();
    let values = Values::of(root, file);
    let tested = snapshot.suite_names(root);
    let mut counter = Counter::new(&values.facts);
    for (_, index) in targets(facts) {
        let symbol = facts.symbol(index);
        let Some(place) = facts.file_span(symbol.span).filter(|place| place.file == file) else { continue };
        if symbol.kind != SymbolKind::Label {
            continue;
        }
        let uses: Vec<FileSpan> = symbol.uses.iter().filter_map(|&span| facts.file_span(span)).collect();
        let title = plural(uses.len(), "reference");
        lenses.push(Lens { span: place.span, title, action: LensAction::References(uses) });
        let evaluated = values.symbol(facts, index);
        if let Some((segment, address)) = evaluated.and_then(|symbol| {
            let value = symbol.values.first()?;
            Some((value.segment?, value.number? as i64))
        }) {
            let analysis = values.facts.analysis();
            let run = straight(analysis, segment, address);
            if !run.is_empty() {
                let title = match counter.routine(address) {
                    Some(cycles) => format!("{cycles} cycles"),
                    None => format!("{} cycles straight on", sum(analysis, run).cycles),
                };
                lenses.push(Lens { span: place.span, title, action: LensAction::Nothing });
            }
        }
        let tests: Vec<FileSpan> = tested
            .iter()
            .filter(|(_, _, labels)| labels.contains(&index))
            .map(|(suite, name, _)| FileSpan { file: suite.clone(), span: name.span })
            .collect();
        if !tests.is_empty() {
            let title = format!("tested by {}", tests.len());
            lenses.push(Lens { span: place.span, title, action: LensAction::References(tests) });
        }
    }
    lenses
}

fn of_test(test: &TestItem, lenses: &mut Vec<Lens>) {
    if test.kind == TestItemKind::Row {
        return;
    }
    let lens = |title: &str, action| Lens { span: test.name_span, title: title.to_owned(), action };
    lenses.push(lens("run", LensAction::Run(Some(test.id.clone()))));
    lenses.push(lens("debug", LensAction::Debug(test.id.clone())));
    let title = test.budget.as_ref().map_or(String::new(), |budget| format!("at most {budget} cycles"));
    let (test, budget) = (test.id.clone(), test.budget.clone());
    lenses.push(lens(&title, LensAction::Measured { test, budget }));
}
