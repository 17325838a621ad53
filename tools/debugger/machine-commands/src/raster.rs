//! `tempo raster`: where the raster time of a program goes. Finds and assembles the program; what is counted and how it
//! reads is `tempo_raster`'s.

use std::path::{Path, PathBuf};

use clap::Parser;
use tempo_assembler::Columns;
use tempo_c64::Session;
use tempo_diagnostics::hex_address;
use tempo_emu::System;
use tempo_formats::symbols::Symbols;
use tempo_host::files::{self, Outputs, is_stdout};
use tempo_host::{Exit, Format, output};
use tempo_raster::{Contract, Measured, Report, Subject, Verdict, measure, svg};
use tempo_source_commands::asm::{self, MessageFormat, Says, host::Noted};
use tempo_source_commands::build;
use tempo_source_commands::project::SourceFlags;
use tempo_source_commands::systems;
use tempo_source_commands::watch::Seen;

use crate::run::source;

/// Show where the raster time of a program goes
///
/// Runs a program on a C64 and gives every cycle of a frame to what ran in it: a routine or an interrupt handler by its
/// label, the VIC's accesses on bad lines and for sprites, or a loop that only waits. The sums of a frame are exact: they
/// are the cycles of a frame, 19656 on a PAL machine. Frame 0 is the first whole one after the start.
///
/// Comments in the source state limits, which are checked here and by `tempo test`: `// tempo: frame <= 12000` for all
/// routines and handlers of a frame together, `// tempo: irq IrqTop <= 900` for one handler with what it calls. Waiting and
/// the VIC's accesses do not count.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo raster                              the program of the project
  tempo raster demo.asm --frame 120
  tempo raster demo.asm --frames 250        minimum, mean and maximum over 250 frames
  tempo raster demo.asm --svg frame.svg     the frame as a picture, a rectangle for each run of cycles
  tempo raster game.prg --symbols game.sym --format json | jq .handlers
  tempo raster demo.asm --system c64-ntsc

Exit codes: 0 fine; 1 a limit is exceeded, or the source has errors; 2 the program could not be measured.")]
pub struct Args {
    /// A source, a .prg or a .d64 [default: the project's program]
    file: Option<PathBuf>,

    /// The frame to show, and the first one that is measured
    #[arg(long, value_name = "N", default_value_t = FIRST)]
    frame: u64,

    /// How many frames to measure
    #[arg(long, value_name = "N", default_value_t = FRAMES, value_parser = clap::value_parser!(u64).range(1..=MOST))]
    frames: u64,

    /// Write the frame as a picture
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,

    /// The machine: a whole computer [default: the project's, else c64]
    #[arg(long, value_name = "SYSTEM", value_parser = systems::parser(), hide_possible_values = true)]
    system: Option<System>,

    /// Names for the addresses of a .prg or .d64: a .sym file or VICE labels
    #[arg(long, value_name = "FILE")]
    symbols: Option<PathBuf>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,

    #[command(flatten)]
    source: SourceFlags,
}

/// The frames that are measured if nothing else is asked for: the second second of a PAL machine.
pub const FIRST: u64 = 50;
pub const FRAMES: u64 = 50;
/// Half an hour.
const MOST: u64 = 100_000;

/// The largest file that can be loaded: 64 KB and a load address.
const LIMIT: u64 = 0x1_0002;
/// The largest symbol file.
const SYMBOL_LIMIT: u64 = 64 << 20;

/// A contract of a source, or what is wrong with it, and its place.
#[derive(Debug, Clone)]
pub struct Stated {
    pub words: String,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub contract: Result<Contract, String>,
}

impl Stated {
    /// The contracts of the sources of an assembly.
    pub fn of<'a>(sources: impl Iterator<Item = &'a tempo_assembler::Source>) -> Vec<Stated> {
        let mut found = Vec::new();
        for source in sources {
            for (span, words) in tempo_assembler::tempo_comments(source.text()) {
                let Some(contract) = Contract::parse(words) else { continue };
                let at = source.location(span.start, Columns::Characters);
                found.push(Stated {
                    words: words.to_string(),
                    file: source.name().to_string(),
                    line: at.line,
                    column: at.column,
                    contract: contract.map_err(|err| err.0),
                });
            }
        }
        found
    }

    /// The fault, if there is one.
    pub fn fault(&self, verdict: &Result<Verdict, String>) -> Option<String> {
        let limit = self.contract.as_ref().map_or(0, |contract| contract.limit);
        let what = match self.contract.as_ref().map(|contract| &contract.subject) {
            Ok(Subject::Handler(label)) => format!("the handler {label}"),
            _ => "the program".to_string(),
        };
        Some(match verdict {
            Ok(Verdict::Kept(_)) => return None,
            Ok(Verdict::Broken { cycles, frame }) => {
                format!("{what} takes {cycles} cycles in frame {frame}, at most {limit} are allowed")
            }
            Ok(Verdict::NeverRan) => format!("{what} did not run in the measured frames"),
            Ok(Verdict::UnknownLabel) => format!("{what} is not a label of the program"),
            Err(message) => message.clone(),
        })
    }

    /// Compares with what was measured.
    pub fn judge(&self, measured: &Measured, symbols: &Symbols) -> Result<Verdict, String> {
        let address = |name: &str| symbols.get(name).and_then(|value| u16::try_from(value).ok());
        self.contract
            .as_ref()
            .map(|contract| Report::judge(measured, contract, &address))
            .map_err(Clone::clone)
    }

    /// Says what is wrong, as compilers do.
    pub fn complain(&self, fault: &str) {
        let Stated { file, line, column, words, .. } = self;
        let text = format!("error: {fault}\n  --> {file}:{line}:{column}: {words}\n");
        output::warn(&output::visible(&text));
    }
}

/// A program to be measured.
struct Program {
    prg: Vec<u8>,
    symbols: Symbols,
    stated: Vec<Stated>,
    shown: String,
    system: System,
}

pub fn run(args: Args) -> Exit {
    match measure_program(&args) {
        Ok(exit) | Err(exit) => exit,
    }
}

/// The name of a routine: its label, the name of a ROM routine, or the nearest label below.
pub fn name_of(symbols: &Symbols, system: System, addr: u16) -> String {
    if let Some(symbol) = symbols.at(i64::from(addr)) {
        return symbol.path.clone();
    }
    let place = system.hardware().named(addr).filter(|place| place.is_routine());
    place.map_or_else(|| hex_address(addr), |place| place.name.to_string())
}

/// Starts a program on a computer and measures frames of it.
pub fn measure_prg(prg: &[u8], system: System, first: u64, frames: u64) -> Result<Measured, String> {
    let mut machine = system
        .computer()
        .ok_or_else(|| format!("{} has no raster; --system c64 is a whole computer", system.name()))?;
    machine.start(prg).map_err(|err| err.to_string())?;
    measure(&mut Session::new(machine), first, frames).map_err(|err| err.to_string())
}

fn measure_program(args: &Args) -> Result<Exit, Exit> {
    if args.frame > MOST {
        return Err(output::complain(format_args!("--frame {}: the last one is {MOST}", args.frame)));
    }
    let program = load(args)?;
    let measured = measure_prg(&program.prg, program.system, args.frame, args.frames)
        .map_err(|err| output::complain(format_args!("{}: {err}", program.shown)))?;
    let report = Report::new(&measured, &|addr| name_of(&program.symbols, program.system, addr));
    if let Some(path) = &args.svg {
        let mut outputs = Outputs::default();
        outputs.add(path, svg(&measured, &report, &program.shown));
        outputs.write().map_err(|err| {
            output::complain(format_args!("cannot write {}: {}", err.path.display(), err.error))
        })?;
    }
    let verdicts: Vec<_> =
        program.stated.iter().map(|stated| (stated, stated.judge(&measured, &program.symbols))).collect();
    if !args.svg.as_deref().is_some_and(is_stdout) {
        let exit = output::print(|out| {
            if args.format == Format::Json {
                let mut value = serde_json::to_value(&report)?;
                value["program"] = program.shown.clone().into();
                value["system"] = program.system.name().into();
                value["contracts"] = verdicts.iter().map(|(stated, verdict)| json(stated, verdict)).collect();
                writeln!(out, "{}", serde_json::to_string_pretty(&value)?)?;
            } else {
                write!(out, "{}", output::visible(&report.text()))?;
                let kept =
                    verdicts.iter().filter(|(stated, verdict)| stated.fault(verdict).is_none()).count();
                if !verdicts.is_empty() {
                    writeln!(out, "\n{kept} of {} limits kept", verdicts.len())?;
                }
            }
            Ok(Exit::Fine)
        });
        if exit != Exit::Fine {
            return Err(exit);
        }
    }
    let mut exit = Exit::Fine;
    for (stated, verdict) in &verdicts {
        if let Some(fault) = stated.fault(verdict) {
            stated.complain(&fault);
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}

/// A contract and its result, for programs.
pub fn json(stated: &Stated, verdict: &Result<Verdict, String>) -> serde_json::Value {
    let (cycles, frame) = match verdict {
        Ok(Verdict::Kept(cycles)) => (Some(*cycles), None),
        Ok(Verdict::Broken { cycles, frame }) => (Some(*cycles), Some(*frame)),
        _ => (None, None),
    };
    serde_json::json!({
        "contract": stated.words,
        "file": stated.file,
        "line": stated.line,
        "limit": stated.contract.as_ref().ok().map(|contract| contract.limit),
        "cycles": cycles,
        "frame": frame,
        "kept": stated.fault(verdict).is_none(),
        "fault": stated.fault(verdict),
    })
}

fn load(args: &Args) -> Result<Program, Exit> {
    let project = args.source.project()?;
    let system = args.system.unwrap_or_else(|| match project.system() {
        system if project.is_there() && system.is_whole() => system,
        _ => System::C64Pal,
    });
    let named = args.symbols.as_deref().map(read_symbols).transpose().map_err(output::complain)?;
    let seen = Seen::default();
    let file = args.file.clone();
    if let Some(file) = file.filter(|file| !source::is_source(file)) {
        let prg = source::read(&file, None, LIMIT).map_err(output::complain)?;
        let symbols = named.unwrap_or_default();
        return Ok(Program { prg, symbols, stated: Vec::new(), shown: file.display().to_string(), system });
    }
    let (done, file) = match &args.file {
        Some(file) => {
            files::allow(file.parent().unwrap_or(Path::new("")));
            let job = project.job_of(file);
            asm::check_source(&job).map_err(output::complain)?;
            let done = asm::build(asm::Build {
                job: &job,
                denied: &[],
                folder: project.folder(),
                format: MessageFormat::Human,
                says: Says::Errors,
                files: &Noted(&seen),
            })?;
            (done, file.clone())
        }
        None => {
            let mut program = project.program();
            (program.job.keep_symbols, program.job.write_files) = (true, false);
            let done = build::build(&project, &program, MessageFormat::Human, Says::Errors, &seen)?;
            (done, project.main())
        }
    };
    let shown = file.display().to_string();
    let prg = done.output.prg();
    let prg = prg.ok_or_else(|| output::complain(format_args!("{shown}: the source makes no bytes")))?;
    let sources = done.output.sources.iter().filter(|(file, _)| file.0 > 0).map(|(_, source)| source);
    let stated = Stated::of(sources);
    let symbols = named.unwrap_or_else(|| Symbols::from_program(&done.output.program));
    Ok(Program { prg, symbols, stated, shown, system })
}

fn read_symbols(path: &Path) -> Result<Symbols, String> {
    let shown = path.display();
    let bytes =
        files::read_limited(path, SYMBOL_LIMIT).map_err(|err| format!("cannot read {shown}: {err}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{shown}: not a symbol file: it is not text"))?;
    Symbols::parse(&text).map_err(|err| format!("{shown}: {err}"))
}
