//! Commands that show.

use tempo_debug::{drive_instructions, drive_state};
use tempo_diagnostics::hex_bytes;

use crate::answer::{Kind, Line};
use crate::console::{Done, Turn, shown_line, source_line};
use crate::help::{details, summary};
use crate::word::{Moves, Takes, Word, find, words};

pub const WORDS: &[Word] = &[
    Word {
        name: "print",
        aliases: &["p"],
        arguments: "EXPRESSION",
        sentence: "its value; an expression alone is printed, too",
        example: "print [counter] + 1",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: print,
    },
    Word {
        name: "show",
        aliases: &[],
        arguments: "EXPRESSION",
        sentence: "keep it in sight",
        example: "show [counter]",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: show,
    },
    Word {
        name: "hide",
        aliases: &[],
        arguments: "EXPRESSION",
        sentence: "do not keep it in sight any more",
        example: "hide [counter]",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: hide,
    },
    Word {
        name: "memory",
        aliases: &["m"],
        arguments: "FROM [TO]",
        sentence: "memory from there",
        example: "memory counter",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: memory,
    },
    Word {
        name: "list",
        aliases: &["d"],
        arguments: "[ADDR]",
        sentence: "disassembly from there, or from PC",
        example: "list sub",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: list,
    },
    Word {
        name: "drive",
        aliases: &[],
        arguments: "[FROM [TO]]",
        sentence: "the 1541's CPU and head with the next instructions, or its memory",
        example: "drive $0300",
        takes: Takes::Nothing,
        moves: Moves::Never,
        needs_past: false,
        run: drive,
    },
    Word {
        name: "calls",
        aliases: &["bt"],
        arguments: "",
        sentence: "the call stack",
        example: "calls",
        takes: Takes::Nothing,
        moves: Moves::Never,
        needs_past: false,
        run: calls,
    },
    Word {
        name: "coverage",
        aliases: &["cov"],
        arguments: "",
        sentence: "how many lines have run",
        example: "coverage",
        takes: Takes::Nothing,
        moves: Moves::Never,
        needs_past: true,
        run: coverage,
    },
    Word {
        name: "help",
        aliases: &["h"],
        arguments: "[COMMAND]",
        sentence: "the commands, or one of them",
        example: "help why",
        takes: Takes::Words,
        moves: Moves::Never,
        needs_past: false,
        run: help,
    },
];

/// Bytes in a row of memory, in a dump without an end, and in any dump.
const ROW: usize = 16;
const DUMP: u16 = 64;
const MOST: u16 = 0x1000;

/// Rows of a disassembly.
const ROWS: usize = 16;

fn print(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        return Err(turn.misused());
    }
    turn.evaluate(rest)
}

fn show(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        return Err(turn.misused());
    }
    turn.desk.debugger.evaluate(rest)?;
    turn.console.shown.push(rest.to_string());
    if !turn.console.has_screen {
        turn.push(shown_line(turn.desk.debugger, rest));
    }
    Ok(())
}

fn hide(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    turn.console.shown.retain(|known| known != rest);
    Ok(())
}

fn memory(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        return Err(turn.misused());
    }
    // `(pointer), y` is one place, and `$1000 $1010` are two.
    let two = rest
        .rsplit_once(' ')
        .and_then(|(first, last)| Some((turn.place(first.trim()).ok()?.0, turn.address(last.trim()).ok()?)));
    let (first, last) = match two {
        Some((first, last)) => (first, Some(last)),
        None => (turn.place(rest)?.0, None),
    };
    turn.console.memory = first;
    if turn.console.has_screen && last.is_none() {
        return Ok(());
    }
    let last = last.unwrap_or(first.saturating_add(DUMP - 1)).max(first).min(first.saturating_add(MOST - 1));
    for (start, row) in rows(first, last, &|at| turn.desk.debugger.machine().peek(at)) {
        turn.push(Line::new(Kind::Memory, row).at(start));
    }
    Ok(())
}

/// A dump with the address of each row.
fn rows(first: u16, last: u16, peek: &dyn Fn(u16) -> u8) -> Vec<(u16, String)> {
    let row = |start: u16| {
        let end = last.min(start.saturating_add(ROW as u16 - 1));
        let bytes: Vec<u8> = (start..=end).map(peek).collect();
        let text: String =
            bytes.iter().map(|&byte| if (0x20..0x7f).contains(&byte) { byte as char } else { '.' }).collect();
        (start, format!("{start:04X}: {:<47}  {text}", hex_bytes(&bytes)))
    };
    (first..=last).step_by(ROW).map(row).collect()
}

/// Instructions of the drive that are shown.
const DRIVE_ROWS: usize = 5;

fn drive(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let (first, last) = rest.split_once(' ').unwrap_or((rest, ""));
    let first = if first.is_empty() { None } else { Some(turn.address(first)?) };
    let last = if last.is_empty() { None } else { Some(turn.address(last.trim())?) };
    let Some(drive) = turn.desk.debugger.machine().drive() else {
        turn.push(Line::new(
            Kind::Text,
            "there is no whole 1541; `tempo debug --drive-rom FILE` connects one",
        ));
        return Ok(());
    };
    let mut lines = Vec::new();
    if let Some(first) = first {
        let last =
            last.unwrap_or(first.saturating_add(DUMP - 1)).max(first).min(first.saturating_add(MOST - 1));
        lines.extend(
            rows(first, last, &|at| drive.peek(at)).into_iter().map(|(_, row)| Line::new(Kind::Memory, row)),
        );
    } else {
        lines.push(Line::new(Kind::Text, format!("{} | cycle {}", drive.registers(), drive.cycles())));
        let state = drive_state(drive).map(|(name, value)| format!("{name} {value}"));
        lines.push(Line::new(Kind::Text, state.join(", ")));
        let next = drive_instructions(drive, DRIVE_ROWS);
        lines.extend(next.into_iter().map(|(at, text)| Line::new(Kind::Text, format!("{at:04X}  {text}"))));
    }
    lines.into_iter().for_each(|line| turn.push(line));
    Ok(())
}

fn list(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let start =
        if rest.is_empty() { turn.desk.debugger.machine().registers().pc } else { turn.address(rest)? };
    for row in turn.desk.debugger.listing(start, 0, ROWS).into_iter().filter(|row| !row.bytes.is_empty()) {
        let address = row.address as u16;
        if let Some(label) = row.label {
            turn.push(Line::new(Kind::Code, format!("{label}:")).at(address));
        }
        let text = format!("{address:04X}: {:<9} {}", hex_bytes(&row.bytes), row.text);
        turn.push(Line::new(Kind::Code, text).at(address));
    }
    Ok(())
}

fn calls(turn: &mut Turn<'_, '_>, _: &str) -> Done {
    let debugger = &*turn.desk.debugger;
    let lines = debugger.frames(!turn.console.hides_macros).into_iter().map(|frame| {
        let place =
            frame.place.as_ref().map_or(String::new(), |place| format!("  {}", source_line(debugger, place)));
        let mut line = Line::new(Kind::Frame, format!("{}{place}", frame.name)).on(frame.place);
        line.address = frame.address;
        line
    });
    turn.answer.lines.extend(lines);
    Ok(())
}

fn coverage(turn: &mut Turn<'_, '_>, _: &str) -> Done {
    let counts = turn.desk.debugger.line_counts();
    let run = counts.values().filter(|&&count| count > 0).count();
    turn.say(Kind::Text, format!("{run} of {} lines with code have run", counts.len()));
    Ok(())
}

fn help(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if rest.is_empty() {
        turn.answer.lines.extend(words().map(|word| Line::new(Kind::Help, summary(word))));
        return Ok(());
    }
    let word =
        find(rest).ok_or_else(|| match tempo_diagnostics::nearest(rest, words().map(|word| word.name)) {
            Some(near) => format!("there is no command `{rest}`; did you mean `{near}`?"),
            None => format!("there is no command `{rest}`; `help` lists them"),
        })?;
    turn.answer.lines.extend(details(word).into_iter().map(|text| Line::new(Kind::Help, text)));
    Ok(())
}
