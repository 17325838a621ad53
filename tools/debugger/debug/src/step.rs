//! When a step is over. Macros and pseudo commands are frames: a step over goes around them, a step out leaves them;
//! rounds of loops are only shown.

use crate::calls::Call;
use crate::hook::Now;
use crate::map::{SourceMap, Spot};

/// The treatment of calls by a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// Goes into it.
    In,
    /// Goes over it.
    Over,
    /// Leaves the routine or macro.
    Out,
}

/// How long a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Granularity {
    /// To the next statement.
    Statement,
    /// To the next line.
    #[default]
    Line,
    /// One instruction.
    Instruction,
}

/// A step that is being made.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub kind: StepKind,
    pub granularity: Granularity,
    /// How many calls had not returned.
    pub depth: usize,
    pub origin: Option<Spot>,
    pub origin_pc: u16,
    /// The macros that were entered, outermost first.
    pub chain: Vec<usize>,
    /// The macro whose call the step began at, without having entered it.
    pub over: Option<usize>,
    /// It began in the text of a test.
    pub in_text: bool,
}

/// The macros around a place, outermost first; loops are left out.
pub(crate) fn macros(map: &SourceMap, expansion: Option<usize>) -> Vec<usize> {
    let mut chain = map.chain(expansion);
    chain.retain(|&at| !map.expansions[at].is_loop);
    chain
}

/// How many macros begin at this instruction that the one before was not in: their call is what is shown.
pub(crate) fn hidden(map: &SourceMap, pc: u16, previous: Option<u16>, peek: &dyn Fn(u16) -> u8) -> usize {
    let Some(statement) = map.at(pc, peek) else { return 0 };
    let chain = macros(map, statement.expansion);
    let before =
        previous.and_then(|pc| map.at(pc, peek)).map_or(Vec::new(), |one| macros(map, one.expansion));
    chain
        .iter()
        .rev()
        .take_while(|&&at| map.expansions[at].first == Some(pc) && !before.contains(&at))
        .count()
}

impl Rule {
    /// Whether the step ends before this instruction.
    pub fn ends(&self, map: &SourceMap, now: &Now<'_>) -> bool {
        let frames = &now.calls.frames;
        let deeper: &[Call] = frames.get(self.depth..).unwrap_or(&[]);
        if deeper.iter().any(|call| call.kind.is_interrupt()) {
            return false;
        }
        if self.in_text {
            return self.kind == StepKind::In;
        }
        if self.granularity == Granularity::Instruction {
            return match self.kind {
                StepKind::In => true,
                StepKind::Over => deeper.is_empty(),
                StepKind::Out => frames.len() < self.depth,
            };
        }
        let by_statement = self.granularity == Granularity::Statement;
        let pc = now.registers.pc;
        let spot = || map.spot(pc, by_statement, now.look);
        if !deeper.is_empty() {
            return self.kind == StepKind::In && spot().is_some();
        }
        if frames.len() < self.depth {
            return spot().is_some() || self.origin.is_none();
        }
        let Some(spot) = spot() else { return self.origin.is_none() && self.kind != StepKind::Out };
        let chain = macros(map, spot.expansion);
        if self.over.is_some_and(|over| chain.contains(&over)) {
            return self.kind == StepKind::In;
        }
        if self.kind == StepKind::Out {
            return self.chain.last().is_some_and(|inner| !chain.contains(inner));
        }
        Some(spot) != self.origin || pc == self.origin_pc
    }

    /// Whether it can only end after a return, so that instructions in between need not be looked at.
    pub fn sleeps(&self, calls: usize) -> bool {
        if self.in_text {
            return self.kind != StepKind::In;
        }
        match self.kind {
            StepKind::In => false,
            StepKind::Out => self.chain.is_empty() && calls >= self.sleeping_calls(),
            StepKind::Over => calls >= self.sleeping_calls(),
        }
    }

    /// A step that sleeps goes on sleeping as long as this many calls have not returned.
    pub fn sleeping_calls(&self) -> usize {
        match self.kind {
            _ if self.in_text => 0,
            StepKind::Over => self.depth + 1,
            _ => self.depth,
        }
    }
}
