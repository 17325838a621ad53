//! Records a test for the debugger: the machine it starts on, and everything the test text did to it.

use std::sync::Arc;

use tempo_rig::{Action, IoWrites, Recording, TestMachine};

use super::RunOptions;
use super::context::{Context, Scratch};
use crate::events::TestReport;
use crate::parse::Dialect;
use crate::plan::{FilePlan, SuitePlan, Value};
use crate::probe::{Probe, Watch};
use crate::source::Source;

impl<'a> Context<'a> {
    pub(super) fn record(&mut self, action: impl FnOnce(&Context<'a>) -> Action) {
        if self.recording.is_some() {
            let action = action(self);
            if let Some(recording) = &mut self.recording {
                recording.push(action);
            }
        }
    }

    /// Code is about to run.
    pub(super) fn record_enter(&mut self) {
        if self.recording.is_none() {
            return;
        }
        if !self.feeds.is_empty() {
            self.record(|context| Action::Feeds(context.feeds.clone()));
        }
        self.record(|context| Action::Enter(context.machine.registers, context.machine.cycles));
    }
}

/// Runs one test and keeps what its text did. `id` names it; with `suite/id` the suite, too. `None` if there is none.
pub fn record(files: &[FilePlan], id: &str, options: &RunOptions) -> Option<Recording> {
    for file in files {
        for suite in &file.suites {
            let found = suite
                .tests
                .iter()
                .position(|test| test.id == id || format!("{}/{}", suite.name, test.id) == id);
            if let Some(at) = found {
                return Some(record_test(&file.source, suite, at, options));
            }
        }
    }
    None
}

fn record_test(source: &Arc<Source>, suite: &SuitePlan, at: usize, options: &RunOptions) -> Recording {
    let io_writes = match options.dialect {
        Dialect::Full => IoWrites::IoOnly,
        Dialect::Base => IoWrites::AlsoRam,
    };
    let mut machine = TestMachine::new(suite.machine, io_writes);
    let mut scratch = Scratch::default();
    // Tests of a suite that is not isolated lean on what the ones before left.
    let isolate = options.isolate || suite.isolate || suite.machine.is_whole();
    let first = if isolate { at } else { 0 };
    for (index, test) in suite.tests.iter().enumerate().take(at + 1).skip(first) {
        machine.insert_roms(&test.place.roms);
        machine.restart_cycles();
        for load in &test.place.loads {
            machine.load(load.address, &load.bytes);
        }
        if index < at && test.skip {
            continue;
        }
        let before = machine.clone();
        let mut probe = Probe::new(Watch::default());
        let mut context = Context::new(source, test, options, &mut machine, Some(&mut probe), &mut scratch);
        if index < at {
            context.run();
            continue;
        }
        context.recording = Some(Vec::new());
        context.run();
        let actions = Arc::new(context.recording.take().unwrap_or_default());
        let mut report = TestReport::empty(suite, test, source);
        context.finish(&mut report);
        let place = &test.place;
        let number = |(name, value): &(String, Value)| match value {
            Value::Number(number) => Some((name.clone(), *number)),
            _ => None,
        };
        return Recording {
            id: test.id.clone(),
            source: Arc::new(source.files().clone()),
            values: test.values.iter().filter_map(number).collect(),
            names: place
                .names
                .all()
                .filter_map(|name| Some((name.to_string(), place.names.get(name)?)))
                .collect(),
            loaded: place.loads.iter().map(|load| (load.address, load.bytes.len())).collect(),
            machine: before,
            actions,
            failures: report.failures.into_iter().map(|failure| failure.message).collect(),
        };
    }
    unreachable!("the loop reaches the test asked for")
}
