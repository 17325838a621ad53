//! A test as a recording: the machine it starts on, and everything the test text did to it, so that a debugger can run the
//! test again, in pieces and backwards. The program itself is not recorded: it does the same every time.

use std::sync::Arc;

use tempo_c64::Keys;
use tempo_emu::Registers;

use super::RunOptions;
use super::context::{Context, Scratch};
use crate::events::{Failure, TestReport};
use crate::machine::{Feed, IoWrites, TestMachine, Wire};
use crate::parse::Dialect;
use crate::plan::{FilePlan, SuitePlan, TestPlan};
use crate::probe::{Probe, Watch};
use crate::source::{Source, Span};

/// What the test text does, in order.
#[derive(Clone)]
pub enum Action {
    /// A statement begins.
    Statement(Span),
    /// A store of the text.
    Poke(u16, u8),
    /// The registers and the clock before code runs; also what a stub left.
    Enter(Registers, u64),
    /// The answers of addresses, from here on.
    Feeds(Vec<Feed>),
    /// Lines pulled during the run that follows.
    Wires(Vec<Wire>),
    /// Code runs until this cycle.
    Run(u64),
    /// The program of a whole computer runs until this cycle.
    Frame(u64),
    /// The registers of that program change.
    Main(Registers, u64),
    /// The program has returned: on into the prompt.
    Prompt,
    /// Keys are typed.
    Keys(Keys),
    /// The program whose BASIC line is in memory is started.
    Start,
    /// The machine is as it was before.
    Machine(Box<TestMachine>),
    /// Something is not as the test wants it.
    Failure {
        /// The statement.
        span: Span,
        /// What is wrong.
        message: String,
    },
}

/// A test to run again.
#[derive(Clone)]
pub struct Recording {
    /// The text of the suite.
    pub source: Arc<Source>,
    /// The test.
    pub test: Arc<TestPlan>,
    /// The machine before the first statement.
    pub machine: TestMachine,
    /// What the text does.
    pub actions: Arc<Vec<Action>>,
    /// What the run found.
    pub failures: Vec<Failure>,
}

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
    let isolate = options.isolate || suite.isolate || suite.machine.has_chips();
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
        let test = test.clone();
        return Recording {
            source: source.clone(),
            test,
            machine: before,
            actions,
            failures: report.failures,
        };
    }
    unreachable!("the loop reaches the test asked for")
}
