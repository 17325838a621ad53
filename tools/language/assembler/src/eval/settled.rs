//! The result of evaluation. Later stages read it and know nothing of how it came about.

use std::collections::HashSet;

use super::Request;
use super::frames::Frames;
use crate::hash::{NumberMap, NumberSet};
use crate::layout::memory::Memory;
use crate::layout::segment_out::SegmentOut;
use crate::lint::Cut;
use crate::output::AssertCount;
use crate::report::Report;
use crate::tree::{ExprId, ScopeId, StmtId, SymbolId};
use crate::values::{FrameId, Value};
use tempo_diagnostics::FrameKind;

/// A program whose addresses are final, or the errors that kept it from that.
pub(crate) struct Settled {
    /// The result of the last pass.
    pub made: Made,
    pub passes: u32,
    /// The passes that Kick Assembler takes.
    pub kick_passes: u32,
    /// How many lines `.printnow` printed in each of those.
    pub printed_now: Vec<usize>,
    pub reports: Vec<Report>,
    /// Evaluation wanted to go deeper than it may.
    pub ran_out_of_stack: bool,
    pub(super) values: Frames,
}

/// The result of a pass.
#[derive(Default)]
pub(crate) struct Made {
    pub memory: Memory,
    pub console: Vec<String>,
    pub asserts: AssertCount,
    pub failed_asserts: Vec<Report>,
    pub labels: Vec<LabelEntry>,
    pub breakpoints: Vec<Watch>,
    pub watchpoints: Vec<Watch>,
    /// Files written line by line: name and content.
    pub created: Vec<(String, String)>,
    /// Files to make of the memory.
    pub requests: Vec<Request>,
    pub segment_outs: Vec<SegmentOut>,
    /// How many segments and files have packers.
    pub packers: usize,
    pub warnings: Vec<Report>,
    /// The operands whose values were cut off: a loop gives one warning, however often it turns.
    pub cut: HashSet<(ExprId, Cut)>,
    /// The values of all labels as they were executed; empty unless warnings were asked for.
    pub places: Vec<i64>,
    /// Macro calls and iterations; empty unless analysis was asked for. Number [`ROOT_EXPANSION`] is not in it.
    pub expansions: Vec<Expansion>,
    /// Members as they were found: the expression and the symbol. Empty unless analysis was asked for.
    pub member_uses: NumberSet<(ExprId, SymbolId)>,
    /// The first values of parameters and local variables. Empty unless analysis was asked for.
    pub noted: NumberMap<SymbolId, Noted>,
    /// Parameters and variables of loops in an expansion: its number, the symbol, the value. Empty unless
    /// analysis was asked for.
    pub arguments: Vec<(u32, SymbolId, Value)>,
    /// How many entries these have.
    pub collected: usize,
}

/// Values of a variable in the order it got them.
#[derive(Default)]
pub(crate) struct Noted {
    pub first: Vec<Value>,
    pub count: u64,
}

impl Noted {
    /// More values than a person reads.
    const MAX: usize = 8;

    pub fn push(&mut self, value: &Value) {
        self.count += 1;
        if self.first.len() < Noted::MAX {
            self.first.push(value.clone());
        }
    }
}

/// The number of the source as it is written, outside all expansions.
pub(crate) const ROOT_EXPANSION: u32 = u32::MAX;

/// One run of a macro, pseudo command or loop body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expansion {
    pub kind: FrameKind,
    /// The call or the loop.
    pub stmt: StmtId,
    /// The number of earlier iterations of the loop.
    pub iteration: u32,
    /// The expansion around it.
    pub parent: u32,
}

/// A label as it was executed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LabelEntry {
    pub symbol: SymbolId,
    pub segment: u32,
    pub expansion: u32,
    pub value: f64,
    /// The pass in which it first had a value.
    pub pass: u32,
}

/// A break point or watch as it was executed.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub segment: u32,
    pub start: i64,
    pub end: Option<i64>,
    pub argument: String,
    /// The pass in which its address was first known.
    pub pass: u32,
}

/// For everything of one kind, in the order of execution, the pass in which it was first known.
#[derive(Default)]
pub(super) struct FirstKnown {
    /// 0 while it is not known.
    passes: Vec<u32>,
    /// How many were executed in this pass.
    executed: usize,
}

impl FirstKnown {
    pub fn restart(&mut self) {
        self.executed = 0;
    }

    /// Counts one; the pass in which it was first known, this one included.
    pub fn count(&mut self, is_known: bool, pass: u32) -> u32 {
        let index = self.executed;
        self.executed += 1;
        if index == self.passes.len() {
            self.passes.push(0);
        }
        let first = &mut self.passes[index];
        if *first == 0 && is_known {
            *first = pass;
        }
        *first
    }
}

impl Made {
    /// Notes a value of a parameter or local variable.
    pub fn note(&mut self, symbol: SymbolId, value: &Value) {
        self.noted.entry(symbol).or_default().push(value);
        self.collected += 1;
    }

    /// How much is kept, in entries of about 16 bytes.
    pub fn kept_len(&self) -> usize {
        let notes = self.warnings.len()
            + self.requests.len()
            + self.segment_outs.len()
            + self.breakpoints.len()
            + self.watchpoints.len();
        let items = self.memory.item_count();
        self.labels.len()
            + self.places.len()
            + self.collected
            + 16 * self.memory.blocks
            + 48 * notes
            + 3 * items
    }
}

impl Settled {
    /// The value of a slot that stays.
    pub fn value(&self, slot: u32) -> &Value {
        self.values.kept(slot)
    }

    /// The scope and the first slot of a frame that has members.
    pub fn frame_scope(&self, frame: FrameId) -> (ScopeId, u32) {
        self.values.scope_of(frame)
    }
}
