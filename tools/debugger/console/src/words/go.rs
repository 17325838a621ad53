//! Commands that run the machine.

use tempo_debug::{Granularity, StepKind};

use crate::answer::Problem;
use crate::console::{Done, Turn};
use crate::word::{Moves, Takes, Word};

pub const WORDS: &[Word] = &[
    Word {
        name: "next",
        aliases: &["n"],
        arguments: "[i]",
        sentence: "over the line; `next i` an instruction",
        example: "next",
        takes: Takes::Nothing,
        moves: Moves::Always,
        needs_past: false,
        run: |turn, rest| step(turn, StepKind::Over, rest),
    },
    Word {
        name: "step",
        aliases: &["s"],
        arguments: "[i]",
        sentence: "into calls and macros; `step i` an instruction",
        example: "step i",
        takes: Takes::Nothing,
        moves: Moves::Always,
        needs_past: false,
        run: |turn, rest| step(turn, StepKind::In, rest),
    },
    Word {
        name: "out",
        aliases: &["o"],
        arguments: "",
        sentence: "out of the routine or macro",
        example: "out",
        takes: Takes::Nothing,
        moves: Moves::Always,
        needs_past: false,
        run: |turn, rest| step(turn, StepKind::Out, rest),
    },
    Word {
        name: "continue",
        aliases: &["c"],
        arguments: "",
        sentence: "run until something stops",
        example: "continue",
        takes: Takes::Nothing,
        moves: Moves::Always,
        needs_past: false,
        run: go_on,
    },
    Word {
        name: "goto",
        aliases: &["g"],
        arguments: "ADDR|LABEL",
        sentence: "set PC there",
        example: "goto main",
        takes: Takes::Names,
        moves: Moves::Always,
        needs_past: false,
        run: jump,
    },
];

/// `i` means an instruction, nothing a line.
pub(super) fn granularity(turn: &Turn<'_, '_>, rest: &str) -> Result<Granularity, Problem> {
    match rest {
        "" => Ok(Granularity::Line),
        "i" => Ok(Granularity::Instruction),
        _ => Err(turn.misused()),
    }
}

fn step(turn: &mut Turn<'_, '_>, kind: StepKind, rest: &str) -> Done {
    let granularity = granularity(turn, rest)?;
    let stopped = match &mut turn.desk.remote {
        None => turn.desk.debugger.step(kind, granularity),
        Some(remote) => remote.step(turn.desk.debugger, kind, granularity)?,
    };
    turn.moved(stopped)
}

fn go_on(turn: &mut Turn<'_, '_>, _: &str) -> Done {
    turn.desk.debugger.resume();
    if let Some(remote) = &mut turn.desk.remote {
        remote.resume().map_err(Problem::lost)?;
    }
    turn.moved(None)
}

fn jump(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        return Err(turn.misused());
    }
    let address = turn.address(rest)?;
    let stopped = turn.desk.debugger.jump(address);
    turn.write_back(None)?;
    turn.moved(Some(stopped))
}
