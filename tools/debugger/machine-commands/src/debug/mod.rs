//! `tempo debug`: the debugger in a terminal, or as a list of commands. Its commands are those of the library `console`.

mod app;
mod paint;
mod session;
mod view;

use std::path::PathBuf;

use clap::Parser;
use serde_json::json;
use tempo_dap::{Attached, Host as _, Launched, StartVice, launch};
use tempo_debug::{Debugger, Reason, Stopped, Target};
use tempo_host::{Exit, output};
use tempo_source_commands::project::SourceFlags;

use crate::dap::DiskHost;
use session::Session;

/// Debug a program or a test in the terminal, forward and back
///
/// Opens a source, a .prg, a test of a .6502 suite, or a recording of one; without a file, the program of the project. A test runs to where it
/// fails; from there its whole past is at hand: step back, run back to a breakpoint, and ask who wrote a byte.
///
/// With --vice or --start-vice the machine is the one inside VICE, which cannot go back.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo debug main.asm
  tempo debug game.prg --symbols game.sym --system c64
  tempo debug game.prg --debug-info game.dbg    source lines of ca65, 64tass or ACME
  tempo debug tests.6502 --test castling
  tempo debug main.asm --break sub -x continue -x 'why [counter]' -x back
  tempo debug failed.tempo                      a recording: tempo test --record-failures DIR
  tempo test tests.6502 --debug                 opens the first failure
  tempo debug --start-vice                      the program of the project, in VICE
  tempo debug main.asm --vice                   a VICE that runs already, started with -binarymonitor

Keys: n over, s into, o out, c continue; b back, B back by an instruction, C run back; t breakpoint; w why; : a command; \
? lists them all.

Exit codes: 0 fine, 1 the source or a command failed, 2 it could not run.")]
pub struct Args {
    /// A source (.asm), a program (.prg), a cartridge (.crt), a suite (.6502) or a recording (.tempo) [default: the project's program]
    file: Option<PathBuf>,

    /// The test of a suite to debug [default: the first]
    #[arg(long, value_name = "ID")]
    test: Option<String>,

    /// The machine [default: the project's for its program, else 6502]; `tempo run --help` lists all
    #[arg(long, value_name = "SYSTEM", value_parser = tempo_source_commands::systems::parser(), hide_possible_values = true)]
    system: Option<tempo_emu::System>,

    /// Where to start [default: the SYS of the BASIC line, else the first byte]
    #[arg(long, value_name = "ADDR|LABEL")]
    start: Option<String>,

    /// Names for a .prg: a .sym file, VICE labels or a debug dump
    #[arg(long, value_name = "FILE")]
    symbols: Option<PathBuf>,

    /// Source lines for a .prg: a debug dump, a .dbg of ld65, a listing of 64tass or ACME
    #[arg(long, value_name = "FILE", alias = "debug-dump")]
    debug_info: Option<PathBuf>,

    /// The ROM of your own 1541, 16384 bytes: drive 8 is then a whole one, which `drive` shows
    #[arg(long, value_name = "FILE")]
    drive_rom: Option<PathBuf>,

    /// The disk in that drive, a .d64 or .g64
    #[arg(long, value_name = "D64|G64", requires = "drive_rom")]
    disk: Option<PathBuf>,

    /// Stop at a label, an address or FILE:LINE; may be given more than once
    #[arg(long = "break", value_name = "PLACE")]
    breaks: Vec<String>,

    /// How many megabytes of the past are kept
    #[arg(long, value_name = "MB", default_value_t = 256)]
    history: u64,

    /// Run this command and print what it says instead of opening the terminal; may be given more than once
    #[arg(short = 'x', long = "command", value_name = "COMMAND")]
    commands: Vec<String>,

    /// Debug the machine in a VICE that was started with -binarymonitor; the file is for its names and lines
    #[arg(
        long,
        value_name = "HOST:PORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "127.0.0.1:6502",
        conflicts_with_all = ["start_vice", "test"]
    )]
    vice: Option<String>,

    /// Start the program in VICE and debug it there
    #[arg(long, conflicts_with = "test")]
    start_vice: bool,

    /// VICE, or the folder it is in, for --start-vice [default: x64sc in the PATH]
    #[arg(long, value_name = "PATH", requires = "start_vice")]
    vice_path: Option<PathBuf>,

    /// Extra argument for VICE; may be repeated
    #[arg(long, value_name = "WORD", requires = "start_vice", allow_hyphen_values = true)]
    vice_arg: Vec<String>,

    #[command(flatten)]
    source: SourceFlags,
}

impl Args {
    /// The session that `tempo test --debug` opens.
    pub fn of_test(file: &str, id: &str, source: SourceFlags) -> Args {
        Args {
            file: Some(PathBuf::from(file)),
            test: Some(id.to_string()),
            system: None,
            start: None,
            symbols: None,
            debug_info: None,
            breaks: Vec::new(),
            history: 256,
            commands: Vec::new(),
            vice: None,
            drive_rom: None,
            disk: None,
            start_vice: false,
            vice_path: None,
            vice_arg: Vec::new(),
            source,
        }
    }

    /// Whether there is nothing but a machine to look at.
    fn has_no_program(&self, has_project: bool) -> bool {
        self.vice.is_some() && self.file.is_none() && !has_project
    }
}

pub fn run(args: Args) -> Exit {
    let text = |path: &PathBuf| path.to_string_lossy().into_owned();
    let project = match args.source.project() {
        Ok(project) => project,
        Err(exit) => return exit,
    };
    let has_no_program = args.has_no_program(project.is_there());
    let path = args.file.clone().unwrap_or_else(|| project.main());
    if !has_no_program && !path.exists() {
        return output::complain(format_args!("there is no file {}", path.display()));
    }
    if path.is_dir() {
        return output::complain(format_args!("{} is a folder; name the file in it", path.display()));
    }
    let request = json!({
        "program": text(&path),
        "test": args.test,
        "system": args.system.map(|system| system.name()),
        "entry": args.start,
        "symbols": args.symbols.as_ref().map(text),
        "debugDump": args.debug_info.as_ref().map(text),
        "history": args.history,
        "driveRom": args.drive_rom.as_ref().map(text),
        "disk": args.disk.as_ref().map(text),
    });
    let host = DiskHost { project: Some(project) };
    let nothing =
        || Launched { target: Target::elsewhere(), lines: Vec::new(), prg: None, is_recorded: false };
    let launched = if has_no_program { Ok(nothing()) } else { launch(&request, &host) };
    let Launched { target, lines, prg, .. } = match launched {
        Ok(launched) => launched,
        Err((message, lines)) => {
            // The messages of the assembler name their kind themselves.
            for line in &lines {
                output::warn(&format!("{}\n", output::visible(line)));
            }
            if !lines.contains(&message) {
                output::complain(message);
            }
            return Exit::Failed;
        }
    };
    let is_test = target.test.is_some();
    let mut debugger = Debugger::new(target);
    let vice = match attach(&args, &host, prg, &mut debugger) {
        Ok(vice) => vice,
        Err(message) => return output::complain(message),
    };
    let mut session = Session::new(debugger, vice, host, args.commands.is_empty());
    for line in lines {
        session.say(line);
    }
    for place in &args.breaks {
        if let Err(message) = session.command(&format!("break {place}")) {
            session.leave();
            return output::complain(message);
        }
    }
    if is_test {
        // To the failure; its whole past is recorded on the way.
        session.debugger.resume();
        match session.run_to_stop() {
            Ok(stopped) => session.note(&stopped),
            Err(message) => return output::complain(message),
        }
    } else {
        session.note(&Stopped { reason: Reason::Entry, text: String::new() });
    }
    if args.commands.is_empty() {
        return app::run(session, &text(&path));
    }
    let exit = run_commands(&mut session, &args.commands);
    session.leave();
    exit
}

/// The machine in VICE, if it is debugged there.
fn attach(
    args: &Args,
    host: &DiskHost,
    prg: Option<Vec<u8>>,
    debugger: &mut Debugger,
) -> Result<Option<Attached>, String> {
    if let Some(address) = &args.vice {
        let (name, port) = address.rsplit_once(':').unwrap_or(("127.0.0.1", address));
        let port = port.parse().map_err(|_| format!("--vice={address}: {port} is not a port"))?;
        let stream = host.connect(name, port)?;
        return Attached::new(stream, debugger).map(Some);
    }
    if !args.start_vice {
        return Ok(None);
    }
    let start = StartVice {
        path: args.vice_path.as_ref().map(|path| path.to_string_lossy().into_owned()),
        arguments: args.vice_arg.clone(),
        is_ntsc: args.system.and_then(|system| system.c64()).is_some_and(|model| model.mains() == 60),
    };
    let prg = prg.ok_or("--start-vice runs a program, not a test")?;
    let entry = debugger.machine().registers().pc;
    let (stream, path) = host.start_vice(&start, &prg)?;
    Attached::start(stream, debugger, &path, entry).map(Some)
}

fn run_commands(session: &mut Session, commands: &[String]) -> Exit {
    let say = |session: &mut Session| {
        for line in session.take_lines() {
            output::say(&format!("{}\n", output::visible(&line.text)));
        }
    };
    say(session);
    for command in commands {
        output::say(&format!("> {}\n", output::visible(command)));
        let result = session.command(command);
        say(session);
        if let Err(message) = result {
            output::complain(message);
            return Exit::Failed;
        }
    }
    Exit::Fine
}
