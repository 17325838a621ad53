//! Commands that change the machine.

use tempo_debug::Input;

use crate::answer::{Kind, Line, Problem};
use crate::console::{Done, Turn};
use crate::word::{Moves, Takes, Word};

pub const WORDS: &[Word] = &[
    Word {
        name: "set",
        aliases: &[],
        arguments: "PLACE = EXPRESSION",
        sentence: "change memory, a register or a flag; `PLACE = EXPRESSION` alone does, too",
        example: "set [counter] = 7",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: set,
    },
    Word {
        name: "write",
        aliases: &[">"],
        arguments: "ADDR BYTES",
        sentence: "write bytes, in hexadecimal",
        example: "write $2000 a9 05 60",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: write,
    },
    Word {
        name: "load",
        aliases: &[],
        arguments: "FILE ADDR",
        sentence: "a file to memory",
        example: "load table.bin $2000",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: load,
    },
    Word {
        name: "save",
        aliases: &[],
        arguments: "FILE FROM TO",
        sentence: "memory to a file",
        example: "save table.bin $2000 $20FF",
        takes: Takes::Names,
        moves: Moves::Never,
        needs_past: false,
        run: save,
    },
    Word {
        name: "keys",
        aliases: &[],
        arguments: "TEXT",
        sentence: "type on the C64",
        example: "keys HELLO",
        takes: Takes::Nothing,
        moves: Moves::Never,
        needs_past: false,
        run: keys,
    },
];

fn set(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let (place, value) = rest.split_once('=').ok_or_else(|| turn.misused())?;
    turn.assign(place, value)
}

/// Stores bytes, and says so.
fn poke(turn: &mut Turn<'_, '_>, start: u16, bytes: Vec<u8>) -> Done {
    let count = bytes.len();
    if usize::from(start) + count > 0x10000 {
        return Err(format!("{count} bytes at ${start:04X} run past $FFFF").into());
    }
    let dropped = turn.desk.debugger.change(Input::Poke(start, bytes));
    turn.push(Line::new(Kind::Text, format!("{count} bytes at ${start:04X}")).at(start));
    turn.changed(Some((start, count)), dropped)
}

fn write(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let mut words = rest.split_whitespace();
    let start = turn.address(words.next().ok_or_else(|| turn.misused())?)?;
    let bytes: Option<Vec<u8>> =
        words.map(|text| u8::from_str_radix(text.trim_start_matches('$'), 16).ok()).collect();
    let bytes = bytes.filter(|bytes| !bytes.is_empty()).ok_or_else(|| turn.misused())?;
    poke(turn, start, bytes)
}

fn load(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let (file, at) = rest.rsplit_once(' ').ok_or_else(|| turn.misused())?;
    let at = turn.address(at)?;
    let bytes = turn.desk.files.read(file.trim())?;
    poke(turn, at, bytes)
}

fn save(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    let mut words = rest.rsplitn(3, ' ');
    let (Some(last), Some(first), Some(file)) = (words.next(), words.next(), words.next()) else {
        return Err(turn.misused());
    };
    let (first, last) = (turn.address(first)?, turn.address(last)?);
    if last < first {
        return Err(format!("${first:04X} is after ${last:04X}").into());
    }
    let bytes: Vec<u8> = (first..=last).map(|at| turn.desk.debugger.machine().peek(at)).collect();
    turn.desk.files.write(file.trim(), &bytes)?;
    turn.say(Kind::Text, format!("{} bytes written to {}", bytes.len(), file.trim()));
    Ok(())
}

fn keys(turn: &mut Turn<'_, '_>, rest: &str) -> Done {
    if let Some(remote) = &mut turn.desk.remote {
        return remote.type_text(rest).map_err(Problem::lost);
    }
    let Some(keyboard) = turn.desk.debugger.machine().kind().keyboard() else {
        return Err("this machine has no keyboard".into());
    };
    let keys = tempo_c64::Keys::parse(rest, keyboard).map_err(|err| err.to_string())?;
    let dropped = turn.desk.debugger.change(Input::Keys(keys));
    if dropped {
        turn.say(Kind::Text, "the recorded future was dropped: the past was changed");
    }
    Ok(())
}
