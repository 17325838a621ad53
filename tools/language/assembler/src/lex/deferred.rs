//! `.import source`: a file that is read after the one that imports it, with the preprocessor symbols that are set then.
//!
//! The tokens of such a file come where it is imported all the same, because everything after the lexer goes by the order
//! of the text. So a program with such imports is read twice: once to find out what each of those files, a *unit*, sees
//! when it is read, and once for its tokens. Programs without them are read once.

use std::vec::IntoIter;

use super::{Entering, Flow, Lexer, Stage, Way};
use crate::files::Files;
use crate::intern::Interner;
use crate::options::Options;
use crate::report::Report;
use crate::source::Sources;
use tempo_diagnostics::Span;

/// The effect of `.import source` in this reading.
pub(super) enum Deferred {
    /// The first one ends the reading: a plan is needed.
    Unplanned,
    /// They are collected.
    Planning(Vec<Import>),
    /// They are entered as planned.
    Planned(Plan),
}

/// The units in the order they are read: the program, then each file after the one that imports it.
#[derive(Debug)]
pub(crate) struct Plan {
    units: Vec<Unit>,
}

/// A part of the program that is read by itself.
#[derive(Debug, Default)]
struct Unit {
    /// The file, unless it is the program or cannot be read.
    file: Option<u32>,
    /// The state when it is read; `None` if it is not to be read again.
    flow: Option<Flow>,
    /// Why it cannot be read.
    report: Option<Report>,
    /// The units it imports, in the order of its text.
    imports: Vec<u32>,
    /// How many of them the second reading has passed.
    passed: usize,
}

/// An import that was met.
pub(super) struct Import {
    importer: u32,
    name: String,
    from: Span,
    /// How many files were open around the importer.
    depth: usize,
}

impl Plan {
    /// Reads everything without keeping the tokens.
    pub fn new(
        files: &dyn Files,
        sources: &mut Sources,
        roots: &[u32],
        options: &Options,
        names: &mut Interner,
    ) -> Plan {
        let mut lexer = Lexer::new(files, sources, roots, options, names, None);
        lexer.deferred = Deferred::Planning(Vec::new());
        let mut plan = Plan { units: Vec::new() };
        // Units whose imports are being read, with the number of files around them.
        let mut open: Vec<(usize, usize, IntoIter<Import>)> = Vec::new();
        let (mut unit, mut depth) = (Unit::default(), 0);
        loop {
            let imports = lexer.imports_of_unit(names);
            open.push((plan.units.len(), depth, imports.into_iter()));
            plan.units.push(std::mem::take(&mut unit));
            let (file, beside) = loop {
                let Some((importer, outside, imports)) = open.last_mut() else { return plan };
                let Some(import) = imports.next() else {
                    open.pop();
                    continue;
                };
                depth = *outside + import.depth + 1;
                let (importer, number) = (*importer, plan.units.len() as u32);
                plan.units[importer].imports.push(number);
                let span = import.from;
                match lexer.find(import.importer, &import.name, Way::Source, span, span, depth - 1) {
                    Ok((file, true)) => break (file, import.importer),
                    Ok((file, false)) => plan.units.push(Unit { file: Some(file), ..Unit::default() }),
                    Err(report) => {
                        // It counts as found: after one that is too deep no other is entered.
                        lexer.found(Stage::Reading, (*report).clone());
                        plan.units.push(Unit { report: Some(*report), ..Unit::default() });
                    }
                }
            };
            unit = Unit { file: Some(file), flow: Some(lexer.flow.clone()), ..Unit::default() };
            let place = Span::at(0);
            lexer.enter(Entering { file, from: place, way: Way::Source, beside, unit: None }, place);
        }
    }
}

impl Lexer<'_> {
    /// Reads what is open to its end and returns the imports in it.
    fn imports_of_unit(&mut self, names: &mut Interner) -> Vec<Import> {
        while self.fill(names) {}
        match &mut self.deferred {
            Deferred::Planning(imports) => std::mem::take(imports),
            _ => Vec::new(),
        }
    }

    /// Whether the reading ended because it needs a plan.
    pub fn needs_plan(&self) -> bool {
        self.is_unplanned
    }

    /// Puts a file into the stream, from the next token on.
    pub(super) fn import_source(&mut self, importer: u32, name: &str, from: Span) {
        match &mut self.deferred {
            Deferred::Unplanned => {
                self.is_unplanned = true;
                self.stop();
            }
            Deferred::Planning(imports) => {
                let depth = self.stack.len();
                imports.push(Import { importer, name: name.to_owned(), from, depth });
            }
            Deferred::Planned(plan) => {
                let here = &mut plan.units[self.unit as usize];
                let Some(&number) = here.imports.get(here.passed) else { return };
                here.passed += 1;
                let unit = &mut plan.units[number as usize];
                let (report, file, flow) = (unit.report.take(), unit.file, unit.flow.take());
                if let Some(report) = report {
                    let outside = std::mem::replace(&mut self.unit, number);
                    self.found(Stage::Reading, report);
                    self.unit = outside;
                } else if let Some(file) = file {
                    self.imported(from, file);
                    let unit = flow.map(|flow| (number, flow));
                    self.entering = unit.map(|unit| Entering {
                        file,
                        from,
                        way: Way::Source,
                        beside: importer,
                        unit: Some(unit),
                    });
                }
            }
        }
    }
}
