//! Loops that wait: a round that writes nothing and whose next round does not depend on this one.

use tempo_emu::Registers;
use tempo_isa::{Effects, Flow, Parts};

/// Instructions of the longest round that is looked at.
const LONGEST: u32 = 32;

/// A loop in the making, at one level of calls.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waiting {
    round: Option<Round>,
    last: Option<u16>,
}

#[derive(Debug, Clone)]
struct Round {
    head: u16,
    registers: Registers,
    /// The cycle at which it began.
    since: u64,
    instructions: u32,
    has_written: bool,
    /// Parts that were set in this round.
    set: Parts,
    /// Parts that were read before they were set, if they were set: those that are set, too, count rounds.
    carried: Parts,
}

/// Parts that hold the same value in every round of a loop that waits: a mode, a mask, the stack.
const MODES: Parts = Parts::I.and(Parts::D).and(Parts::S);

impl Waiting {
    /// Before the instruction at `registers.pc`: the cycle since which the level has only waited, if a round of a loop that
    /// waits is over.
    pub fn arrive(&mut self, registers: &Registers, cycles: u64) -> Option<u64> {
        let pc = registers.pc;
        let last = self.last.replace(pc);
        if let Some(round) = &self.round
            && round.head == pc
        {
            let is_same = round.registers == *registers;
            let waits = !round.has_written && (is_same || !round.carried.meets(round.set));
            let since = round.since;
            self.round = Some(Round::at(registers, cycles));
            return waits.then_some(since);
        }
        // A way back begins a loop, if the one that is being looked at is not inside of it.
        if last.is_some_and(|last| pc <= last && last - pc < 128) {
            self.round = Some(Round::at(registers, cycles));
        }
        None
    }

    /// The instruction that is executed next.
    pub fn execute(&mut self, effects: &Effects) {
        let Some(round) = &mut self.round else { return };
        round.instructions += 1;
        if round.instructions > LONGEST || matches!(effects.flow, Flow::Call | Flow::Return | Flow::Interrupt)
        {
            self.round = None;
            return;
        }
        round.has_written |= effects.memory.is_written() || effects.stack > 0;
        let carried = effects.reads.without(round.set).without(MODES);
        round.carried = round.carried.and(carried);
        round.set = round.set.and(effects.writes);
    }

    /// Another level took over and may have done anything: the next round begins anew.
    pub fn forget(&mut self) {
        *self = Waiting::default();
    }
}

impl Round {
    fn at(registers: &Registers, cycles: u64) -> Round {
        Round {
            head: registers.pc,
            registers: *registers,
            since: cycles,
            instructions: 0,
            has_written: false,
            set: Parts::NONE,
            carried: Parts::NONE,
        }
    }
}
