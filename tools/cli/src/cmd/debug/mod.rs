//! `tempo debug`: the debugger in a terminal, or as a list of commands. What it can do is the library `debug`'s.

mod app;
mod commands;
mod view;

use std::path::PathBuf;

use ::dap::launch;
use ::debug::{Debugger, Reason, Stopped};
use clap::Parser;
use serde_json::json;

use crate::exit::Exit;
use crate::output;
use commands::Console;

/// Debug a program or a test in the terminal, forward and back
///
/// Opens a source, a .prg, or a test of a .6502 suite. A test runs to where it fails; from there its whole past is at hand:
/// step back, run back to a breakpoint, and ask who wrote a byte.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo debug main.asm
  tempo debug game.prg --symbols game.sym --system c64
  tempo debug tests.6502 --test castling
  tempo debug main.asm --break sub -x continue -x 'why [counter]' -x back
  tempo test tests.6502 --debug                 opens the first failure

Keys: n over, s into, o out, c continue; b back, B back by an instruction, C run back; t breakpoint; w why; : a command; \
? lists them all.

Exit codes: 0 fine, 1 the source or a command failed, 2 it could not run.")]
pub struct Args {
    /// A source (.asm), a program (.prg) or a suite (.6502)
    file: PathBuf,

    /// The test of a suite to debug [default: the first]
    #[arg(long, value_name = "ID")]
    test: Option<String>,

    /// The machine: 6502, 6510, 65c02, c64-memory, c64, c64-ntsc
    #[arg(long, value_name = "SYSTEM", default_value = "6502")]
    system: String,

    /// Where to start [default: the SYS of the BASIC line, else the first byte]
    #[arg(long, value_name = "ADDR|LABEL")]
    start: Option<String>,

    /// Names for a .prg: a .sym file, VICE labels or a debug dump
    #[arg(long, value_name = "FILE")]
    symbols: Option<PathBuf>,

    /// Source lines for a .prg: a debug dump
    #[arg(long, value_name = "FILE")]
    debug_dump: Option<PathBuf>,

    /// Define a preprocessor symbol of the source
    #[arg(long, value_name = "NAME")]
    define: Vec<String>,

    /// A folder with libraries of the source
    #[arg(long, value_name = "FOLDER")]
    lib_dir: Vec<PathBuf>,

    /// Stop at a label, an address or FILE:LINE; may be given more than once
    #[arg(long = "break", value_name = "PLACE")]
    breaks: Vec<String>,

    /// How many megabytes of the past are kept
    #[arg(long, value_name = "MB", default_value_t = 256)]
    history: u64,

    /// Run this command and print what it says instead of opening the terminal; may be given more than once
    #[arg(short = 'x', long = "command", value_name = "COMMAND")]
    commands: Vec<String>,
}

impl Args {
    /// What `tempo test --debug` opens.
    pub fn of_test(file: &str, id: &str) -> Args {
        Args {
            file: PathBuf::from(file),
            test: Some(id.to_string()),
            system: "6502".to_string(),
            start: None,
            symbols: None,
            debug_dump: None,
            define: Vec::new(),
            lib_dir: Vec::new(),
            breaks: Vec::new(),
            history: 256,
            commands: Vec::new(),
        }
    }
}

pub fn run(args: Args) -> Exit {
    let text = |path: &PathBuf| path.to_string_lossy().into_owned();
    let file = text(&args.file);
    if !args.file.exists() {
        return output::complain(format_args!("there is no file {file}"));
    }
    let request = json!({
        "program": file,
        "test": args.test,
        "system": args.system,
        "entry": args.start,
        "symbols": args.symbols.as_ref().map(text),
        "debugDump": args.debug_dump.as_ref().map(text),
        "defines": args.define,
        "libDirs": args.lib_dir.iter().map(text).collect::<Vec<_>>(),
        "history": args.history,
    });
    let launched = match launch(&request, &crate::cmd::dap::DiskHost) {
        Ok(launched) => launched,
        Err((message, lines)) => {
            for line in lines.iter().filter(|line| **line != message) {
                output::warn(&format!("{}\n", output::visible(line)));
            }
            output::complain(message);
            return Exit::Failed;
        }
    };
    let is_test = launched.target.test.is_some();
    let mut console = Console::new(Debugger::new(launched.target));
    for line in launched.lines {
        console.say(line);
    }
    for place in &args.breaks {
        if let Err(message) = console.command(&format!("break {place}")) {
            return output::complain(message);
        }
    }
    if is_test {
        // To the failure, with the past behind it.
        console.debugger.resume();
        let stopped = console.run_to_stop();
        console.note(&stopped);
    } else {
        console.note(&Stopped { reason: Reason::Entry, text: String::new() });
    }
    if args.commands.is_empty() {
        return app::run(console, &file);
    }
    for line in console.take_lines() {
        output::say(&format!("{}\n", output::visible(&line)));
    }
    for command in &args.commands {
        output::say(&format!("> {}\n", output::visible(command)));
        let result = console.command(command);
        for line in console.take_lines() {
            output::say(&format!("{}\n", output::visible(&line)));
        }
        if let Err(message) = result {
            output::complain(message);
            return Exit::Failed;
        }
    }
    Exit::Fine
}
