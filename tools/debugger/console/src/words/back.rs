//! Commands about the past.

use tempo_debug::Writer;

use super::go::granularity;
use crate::answer::{Kind, Line};
use crate::console::{Done, Turn, subject};
use crate::word::{Moves, Takes, Word};

pub const WORDS: &[Word] = &[
    Word {
        name: "back",
        aliases: &["b"],
        arguments: "[i]",
        sentence: "a line back; `back i` an instruction",
        example: "back i",
        takes: Takes::Nothing,
        moves: Moves::Always,
        needs_past: true,
        run: back,
    },
    Word {
        name: "reverse",
        aliases: &["rc"],
        arguments: "",
        sentence: "run back to the last breakpoint",
        example: "reverse",
        takes: Takes::Nothing,
        moves: Moves::Always,
        needs_past: true,
        run: reverse,
    },
    Word {
        name: "start",
        aliases: &[],
        arguments: "",
        sentence: "to the start of the recording",
        example: "start",
        takes: Takes::Nothing,
        moves: Moves::Always,
        needs_past: true,
        run: |turn, _| turn.travel(0),
    },
    Word {
        name: "at",
        aliases: &[],
        arguments: "TIME",
        sentence: "to a moment, as `why` names it",
        example: "at 2",
        takes: Takes::Nothing,
        moves: Moves::Always,
        needs_past: true,
        run: at,
    },
    Word {
        name: "why",
        aliases: &["w"],
        arguments: "PLACE|a|x|y|sp|FLAG",
        sentence: "which instruction made this value; `why` again goes there",
        example: "why [counter]",
        takes: Takes::Names,
        moves: Moves::Alone,
        needs_past: true,
        run: why,
    },
    Word {
        name: "last",
        aliases: &[],
        arguments: "CONDITION",
        sentence: "to the moment at which it was last true",
        example: "last x == 3",
        takes: Takes::Names,
        moves: Moves::Always,
        needs_past: true,
        run: last,
    },
    Word {
        name: "trace",
        aliases: &[],
        arguments: "[N]",
        sentence: "the last instructions",
        example: "trace 5",
        takes: Takes::Nothing,
        moves: Moves::Never,
        needs_past: true,
        run: trace,
    },
];

/// Instructions that `trace` lists unless it is told otherwise.
const TRACED: usize = 16;

/// Callers that `why` names at most.
const CALLERS: usize = 4;

fn back(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let granularity = granularity(turn, rest)?;
    let stopped = turn.desk.debugger.step_back(granularity);
    turn.moved(Some(stopped))
}

fn reverse(turn: &mut Turn<'_, '_>, _: &str) -> Done {
    turn.desk.debugger.begin_reverse();
    turn.moved(None)
}

fn at(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let time = rest.parse::<u64>().map_err(|_| turn.misused())?;
    turn.desk.debugger.recorded(time)?;
    turn.travel(time)
}

fn last(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        return Err(turn.misused());
    }
    let condition = turn.desk.debugger.compile(rest).map_err(|err| err.0)?;
    let time = turn.desk.debugger.last_true(&condition).ok_or("it was never true in the recording")?;
    turn.travel(time)
}

fn trace(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let count = if rest.is_empty() { TRACED } else { rest.parse().map_err(|_| turn.misused())? };
    for row in turn.desk.debugger.trace(count) {
        turn.say(Kind::Trace, format!("{:>10}  {}  {}", row.cycles, row.registers, row.text));
    }
    Ok(())
}

fn why(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        let time = turn.console.cause.ok_or_else(|| turn.misused())?;
        return turn.travel(time);
    }
    let debugger = &*turn.desk.debugger;
    let subject = subject(debugger, rest)?;
    match debugger.why(subject) {
        Writer::Nobody => turn.say(Kind::Writer, format!("{subject}: not written since the start")),
        Writer::Outside { time, value } => {
            let by = if debugger.test.is_some() { "the test" } else { "the user" };
            let text = format!("{subject} = ${value:02X}: stored by {by} at time {time}");
            turn.push(Line::new(Kind::Writer, text).when(time));
            turn.console.cause = Some(time);
        }
        Writer::Instruction(maker) => {
            let text = format!(
                "{subject} = ${:02X}: {} at {}, cycle {}, time {}",
                maker.value,
                maker.text,
                debugger.place(maker.pc),
                maker.cycles,
                maker.time
            );
            let mut lines = vec![Line::new(Kind::Writer, text).at(maker.pc).when(maker.time)];
            for call in maker.calls.iter().rev().take(CALLERS) {
                let text = format!("  called from {}", debugger.place(call.from));
                lines.push(Line::new(Kind::Writer, text).at(call.from));
            }
            let used: Vec<String> =
                maker.uses.iter().map(|(subject, value)| format!("{subject} = ${value:02X}")).collect();
            if !used.is_empty() {
                lines.push(Line::new(Kind::Writer, format!("  used {}", used.join(", "))));
            }
            turn.answer.lines.extend(lines);
            turn.console.cause = Some(maker.time);
        }
    }
    Ok(())
}
