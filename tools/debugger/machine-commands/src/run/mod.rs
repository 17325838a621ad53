//! `tempo run`: runs a program on the bare CPU and says how it ended, or on a whole computer. Without a file it is the program of
//! the project, which is built first.

pub mod blocks;
mod computer;
mod console;
mod disk;
mod ends;
pub mod image;
mod program;
mod record;
pub mod source;
mod state;
mod terminal;
mod trace;
mod vice;
mod whole_drive;

pub use vice::find as find_vice;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use clap::{Parser, value_parser};
use tempo_diagnostics::hex_address;
use tempo_emu::{AnyMachine, Hooks, NoHooks, Registers, Stop, System, Until};
use tempo_formats::symbols::Symbols;
use tempo_formats::vsf::Snapshot;
use tempo_host::term::Progress;
use tempo_host::{Exit, Format, files, output};
use tempo_isa::Cpu as Isa;
use tempo_source_commands::project::SourceFlags;
use tempo_source_commands::watch::{self, Round, Seen, Watcher};
use tempo_source_commands::{cpus, systems};

use computer::MachineArgs;
use console::Console;
use image::{Image, address};
use trace::{Trace, Watch};

/// Run a program on the bare CPU or on a C64
///
/// Loads a .prg, a source (.asm, assembled first), or a raw binary with --load, into 64 KB of RAM and runs it at full
/// speed until it ends: at an RTS that returns above the level of the start, before a BRK, at an instruction that
/// jumps to itself, or at an address. There are no devices, but what a program prints through CHROUT ($FFD2) is
/// printed; --system 6510 adds the bank switch at $00/$01.
///
/// With --system c64 it runs on a C64, entered through the SYS of its BASIC line, for a number of frames. No ROM is
/// needed: a KERNAL and a character set of our own are built in. A write to $D7FF ends the run with that exit code.
///
/// Without FILE, the program of the project (tempo.toml) is built and runs on the machine that it asks for, a C64 as a
/// rule: in this terminal, or, without one, for 60 frames with the text of the screen at the end.
#[derive(Debug, Parser, Clone)]
#[command(after_long_help = "\
Examples:
  tempo run                                    build the project and play it in this terminal
  tempo run --watch                            the same, started again after every change
  tempo run --web --open                       in the browser, with picture, sound and its past: see tempo studio
  tempo run --vice                             the same in VICE, with the labels
  tempo run hello.prg                          from the SYS of its BASIC line, or its first byte
  tempo run code.bin --load '$1000' --until brk
  tempo run game.prg --symbols game.sym --start Multiply --until rts --trace
  tempo run test.bin --load 0 --start '$0400' --until trap --max-cycles 100000000
  tempo run game.prg --format json | jq .cycles
  tempo run game.prg --until Setup --save-state ready.state && tempo run --load-state ready.state --trace
  tempo run --system c64 hello.asm --screen
  tempo run --system c64 test.prg --frames 500   exit code 3 if it has not ended itself by then
  tempo run --system c64 game.prg --frames 100 --ok-on-timeout --hold SPACE --screenshot game.png
  tempo run --system c64 game.prg --terminal   play it here: arrows and space are joystick 2, Ctrl-Q quits
  tempo run --system c64 game.prg --frames 500 --ok-on-timeout --record game.gif --wav game.wav
  tempo run --system c64 game.asm --until GameOver --save-state over.state
  tempo run --system c64 --load-state over.state --frames 50 --ok-on-timeout --screenshot later.png
  tempo run vice.vsf --ok-on-timeout --frames 50 --screen   goes on from a snapshot of VICE
  tempo run --system c64 game.crt --frames 300 --ok-on-timeout --screenshot game.png
  tempo run --system c64 game.d64 --load-name INTRO --keys '{WAIT 50}{F1}MAX{RETURN}' --joystick2 200:up+fire,210:none

On the bare CPU any of rts, brk and trap is a good end without --until. Addresses are $1000, 0x1000 or 4096, or a name of \
the symbol file (Kick Assembler .sym or VICE labels) or of the source.

Exit codes: 0 the asked end was reached, 1 it ended otherwise, 2 it could not run, 3 --max-cycles or --frames came first; \
on a C64, a program that writes to $D7FF chooses its own.")]
pub struct Args {
    /// The program: a .prg, a source to assemble, any bytes with --load, a snapshot of VICE (.vsf); with --system also a
    /// .d64 or a .crt [default: the project's]
    pub file: Option<PathBuf>,

    /// Load the file's bytes here; without it the first two bytes are the address
    #[arg(long, value_name = "ADDR")]
    load: Option<String>,

    /// Where to start [default: the SYS of the BASIC line, else the load address]
    #[arg(long, value_name = "ADDR|SYMBOL")]
    start: Option<String>,

    /// End of the run: brk, rts, trap, an address or a symbol; may be given more than once
    #[arg(long, value_name = "brk|rts|trap|ADDR")]
    until: Vec<String>,

    /// Stop after this many cycles at the latest [default: 1000000000]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    max_cycles: Option<u64>,

    /// Exit with 0 instead of 3 when --max-cycles or --frames ends a program that has not ended itself
    #[arg(long)]
    ok_on_timeout: bool,

    /// Print every instruction with the registers before it
    #[arg(long)]
    trace: bool,

    /// Names for addresses: a .sym file or VICE labels
    #[arg(long, value_name = "FILE")]
    symbols: Option<PathBuf>,

    /// The same as --system with the name of a CPU
    #[arg(long, value_parser = cpus::parser(Isa::emulated()), value_name = "CPU", hide_possible_values = true)]
    cpu: Option<Isa>,

    /// The machine [default: the project's for its program, else 6502]
    #[arg(long, value_parser = systems::parser(), value_name = "SYSTEM")]
    pub system: Option<System>,

    /// Save the whole machine at the end, to go on with --load-state; a disk is not part of it
    #[arg(long, value_name = "FILE")]
    save_state: Option<PathBuf>,

    /// Go on with a saved machine instead of a program; it must be one of the same system
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "load", "load_name", "kernal", "basic", "chargen", "reu", "cart", "drive_rom", "sid2"])]
    load_state: Option<PathBuf>,

    /// How to print the result [default: human]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,

    /// Run again whenever the program or one of its sources changes
    #[arg(long)]
    watch: bool,

    /// Run in the browser: the same as `tempo studio`
    #[arg(long, conflicts_with_all = ["trace", "until", "terminal", "vice", "watch", "load_state", "save_state"])]
    pub web: bool,

    /// With --web: start the browser
    #[arg(long, requires = "web")]
    pub open: bool,

    /// With --web: the port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0, requires = "web")]
    pub port: u16,

    /// Run in VICE (x64sc), with the labels of the program
    #[arg(long, conflicts_with_all = ["trace", "until", "terminal"])]
    vice: bool,

    /// VICE, or the folder it is in [default: x64sc in the PATH]
    #[arg(long, value_name = "PATH", requires = "vice")]
    vice_path: Option<PathBuf>,

    /// A word for VICE's own command line; may be repeated: --vice-arg -warp
    #[arg(long, value_name = "WORD", requires = "vice", allow_hyphen_values = true)]
    vice_arg: Vec<std::ffi::OsString>,

    /// Serve the machine to tools that speak VICE's monitor [default address: 127.0.0.1:6502]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["vice", "trace", "until", "terminal", "load_state"])]
    monitor: Option<String>,

    /// Start the program on an Ultimate 64 or Ultimate II+: HOST or HOST:PORT [default: TEMPO_ULTIMATE]
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["vice", "trace", "until", "terminal", "load_state", "monitor", "watch"])]
    on: Option<String>,

    /// A file with the password of that device; without it, TEMPO_ULTIMATE_PASSWORD
    #[arg(long, value_name = "FILE", requires = "on")]
    password_file: Option<PathBuf>,

    #[command(flatten)]
    pub source: SourceFlags,

    #[command(flatten)]
    machine: MachineArgs,

    /// The program, if it is assembled already.
    #[arg(skip)]
    built: Option<Built>,

    /// The snapshot, if the program is one.
    #[arg(skip)]
    snapshot: Option<Rc<Snapshot>>,
}

/// A program that needs no reading.
#[derive(Debug, Clone)]
struct Built {
    prg: Vec<u8>,
    symbols: Symbols,
    /// The assembly, for the places of addresses in the sources.
    output: Rc<tempo_assembler::Output>,
}

/// The largest file that can be loaded: 64 KB and a load address.
const LIMIT: u64 = 0x1_0002;

/// The largest cartridge.
const CARTRIDGE_LIMIT: u64 = 32 << 20;

/// The largest symbol file.
const SYMBOL_LIMIT: u64 = 64 << 20;

/// Everything but `--web`, which is another command.
pub fn run(args: Args) -> Exit {
    if !args.watch {
        let seen = Seen::default();
        return program::prepare(args, &seen).and_then(|args| once(&args, &seen)).unwrap_or_else(|exit| exit);
    }
    watch::repeat(
        |seen| {
            // A user who quits has seen enough; a program that ended, or was stopped by a change, starts again.
            let ready = program::prepare(args.clone(), seen);
            let stays_open = ready.as_ref().is_ok_and(|ready| ready.vice || ready.machine.terminal);
            let ended = ready.and_then(|ready| once(&ready, seen));
            match ended {
                _ if stays_open && Watcher::new(seen).has_changed_by_now() => Round::Again,
                Ok(exit) if stays_open => Round::End(exit),
                _ if output::has_failed() => Round::End(Exit::CannotRun),
                _ => Round::Wait,
            }
        },
        Vec::new,
    )
}

/// One run of a program that is ready.
fn once(args: &Args, seen: &Seen) -> Result<Exit, Exit> {
    let watcher = args.watch.then(|| Watcher::new(seen));
    if args.vice {
        return vice::run(args, watcher.as_ref()).map_err(output::complain);
    }
    args.check().map_err(output::complain)?;
    if let Some(address) = &args.monitor {
        let address = Some(address.as_str()).filter(|address| !address.is_empty());
        let served = args
            .program(None)
            .and_then(|(program, _)| crate::monitor::serve_program(args.system(), program, address));
        return served.map_err(output::complain);
    }
    if let Some(address) = &args.on {
        let device = super::send::device(Some(address.as_str()), args.password_file.as_deref())?;
        let bytes = match args.is_cartridge() {
            true => source::read(args.file(), None, CARTRIDGE_LIMIT).map_err(output::complain)?,
            false => args.program(None).map_err(output::complain)?.0,
        };
        return super::send::send_program(&device, &bytes, args.is_cartridge());
    }
    if let Some(machine) = args.system().computer() {
        return Ok(computer::run(args, machine, watcher.as_ref()));
    }
    Ok(match prepare(args) {
        Ok(job) => job.run(),
        Err(message) => output::complain(message),
    })
}

/// Everything a run needs.
struct Job<'a> {
    args: &'a Args,
    begin: Begin,
    start: Option<u16>,
    until: Until,
    symbols: Symbols,
}

/// The start of a run.
enum Begin {
    /// A program in memory that is zero otherwise.
    Program(Image),
    /// A machine that was saved.
    Saved(Box<AnyMachine>),
}

impl Args {
    /// The program.
    fn file(&self) -> &Path {
        self.file.as_deref().expect("the command line asks for it")
    }

    /// Whether the program is a cartridge.
    fn is_cartridge(&self) -> bool {
        let is_crt = |file: &Path| self.machine.cart.as_deref() == Some(file) || source::is_cartridge(file);
        self.built.is_none() && self.file.as_deref().is_some_and(is_crt)
    }

    fn max_cycles(&self) -> u64 {
        self.max_cycles.unwrap_or(1_000_000_000)
    }

    /// The exit of a run that its limit has ended.
    fn after_limit(&self) -> Exit {
        if self.ok_on_timeout { Exit::Fine } else { Exit::LimitReached }
    }

    /// The machine: the CPU, if one is named, or the system.
    fn system(&self) -> System {
        let of_cpu = self.cpu.and_then(|cpu| System::find(cpu.name()));
        of_cpu.or(self.system).unwrap_or_default()
    }

    fn format(&self) -> Format {
        self.format.unwrap_or_default()
    }

    /// Refuses options of the bare CPU on a machine, and the other way round.
    fn check(&self) -> Result<(), String> {
        if !self.system.unwrap_or_default().is_whole() {
            if self.is_cartridge() {
                return Err(format!("{} is a cartridge; add --system c64", self.file().display()));
            }
            return match self.machine.first() {
                Some(option) => Err(format!("{option} is for a whole machine; add --system c64")),
                None => Ok(()),
            };
        }
        let options = [
            ("--load", self.load.is_some()),
            ("--start", self.start.is_some()),
            ("--max-cycles", self.max_cycles.is_some()),
            ("--cpu", self.cpu.is_some()),
            ("--format", self.format.is_some()),
        ];
        match options.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => Err(format!(
                "{option} is for the bare CPU, not for --system c64; --system 6502 is the bare CPU"
            )),
            None => Ok(()),
        }
    }

    /// The program as bytes, and its names if they are known. `name` chooses one on a disk.
    fn program(&self, name: Option<&str>) -> Result<(Vec<u8>, Symbols), String> {
        match &self.built {
            Some(_) if name.is_some() => Err(source::no_disk(self.file())),
            Some(Built { prg, symbols, .. }) => Ok((prg.clone(), symbols.clone())),
            None => Ok((source::read(self.file(), name, LIMIT)?, Symbols::default())),
        }
    }

    /// An address, with the line of the source that it is from and its name.
    fn described(&self, addr: u16, symbols: &Symbols, peek: &dyn Fn(u16) -> u8) -> String {
        let place = place(addr, symbols);
        let Some(built) = &self.built else { return place };
        let map = tempo_debug::SourceMap::from_output(&built.output);
        let Some(statement) = map.at(addr, peek) else { return place };
        let file = &map.files[statement.file];
        let text = file.source.line(statement.line).trim();
        format!("{place}, {}:{}: {}", file.path, statement.line, tempo_diagnostics::escaped(text))
    }

    /// The file of `--symbols`.
    fn read_symbols(&self) -> Result<Option<Symbols>, String> {
        let Some(path) = &self.symbols else { return Ok(None) };
        let shown = path.display();
        let bytes =
            files::read_limited(path, SYMBOL_LIMIT).map_err(|err| format!("cannot read {shown}: {err}"))?;
        let text =
            String::from_utf8(bytes).map_err(|_| format!("{shown}: not a symbol file: it is not text"))?;
        Symbols::parse(&text).map(Some).map_err(|err| format!("{shown}: {err}"))
    }
}

fn prepare(args: &Args) -> Result<Job<'_>, String> {
    let named = args.read_symbols()?;
    let (begin, symbols) = match &args.load_state {
        Some(path) => {
            let machine = state::load(path, |bytes| args.system().restore(bytes))?;
            (Begin::Saved(Box::new(machine)), named.unwrap_or_default())
        }
        None => {
            let (image, symbols) = read_image(args, named)?;
            (Begin::Program(image), symbols)
        }
    };
    let start = args.start.as_deref().map(|text| address(text, &symbols, "--start")).transpose()?;
    let mut until = Until::cycles(args.max_cycles());
    if args.until.is_empty() {
        (until.brk, until.rts, until.trap) = (true, true, true);
    }
    for end in &args.until {
        match end.as_str() {
            "brk" => until.brk = true,
            "rts" => until.rts = true,
            "trap" => until.trap = true,
            text => {
                let address = address(text, &symbols, "--until")?;
                if until.address.replace(address).is_some_and(|other| other != address) {
                    return Err("--until: one address only; use --until once for it".to_string());
                }
            }
        }
    }
    Ok(Job { args, begin, start, until, symbols })
}

/// The program of the command line, and its names.
fn read_image(args: &Args, named: Option<Symbols>) -> Result<(Image, Symbols), String> {
    let (bytes, own) = if args.load.is_some() {
        let bytes = files::read_limited(args.file(), LIMIT)
            .map_err(|err| format!("cannot read {}: {err}", args.file().display()))?;
        (bytes, Symbols::default())
    } else {
        args.program(None)?
    };
    let symbols = named.unwrap_or(own);
    let load = args.load.as_deref().map(|text| address(text, &symbols, "--load")).transpose()?;
    Ok((Image::new(args.file(), bytes, load)?, symbols))
}

impl Begin {
    /// The machine, and whether characters that it sends to CHROUT are printed.
    fn machine(&self, system: System) -> (AnyMachine, bool) {
        match self {
            Begin::Program(image) => {
                let mut machine = system.build();
                let mut memory = Box::new([0; 0x10000]);
                image.place(&mut memory);
                console::install(image, &mut memory);
                machine.load_at(0, &memory[..]);
                let pc = image.sys().unwrap_or(image.addr);
                machine.place(Registers { pc, ..Registers::default() }, 0);
                (machine, console::is_free(image))
            }
            Begin::Saved(machine) => (AnyMachine::clone(machine), console::is_installed(machine)),
        }
    }
}

impl Job<'_> {
    fn run(&self) -> Exit {
        let system = self.args.system();
        let (mut machine, prints) = self.begin.machine(system);
        if let Some(pc) = self.start {
            machine.place(Registers { pc, ..*machine.registers() }, machine.cycles());
        }
        let (start, first) = (machine.registers().pc, machine.cycles());
        let bar = Progress::start("running", "cycles at most", Some(self.args.max_cycles()));
        let exit = output::print(|out| {
            // Standard output belongs to the trace, or to the JSON of the report.
            let is_shown = self.args.format() == Format::Human;
            let started = Instant::now();
            let (stop, instructions, text) = if self.args.trace {
                let mut console = Console::new(prints, None);
                let mut watch = Watch::new(Trace::new(system.isa(), out, &self.symbols));
                let stop = self.run_in_parts(&mut machine, &mut watch, &mut console, &bar);
                watch.trace.finish()?;
                (stop, watch.instructions, console.finish()?)
            } else {
                let mut console = Console::new(prints, is_shown.then_some(&mut *out));
                let mut watch = Watch::new(NoHooks);
                let stop = self.run_in_parts(&mut machine, &mut watch, &mut console, &bar);
                (stop, watch.instructions, console.finish()?)
            };
            let seconds = started.elapsed().as_secs_f64();
            drop(bar);
            let (registers, cycles) = (*machine.registers(), machine.cycles() - first);
            let report = Report { job: self, start, registers, cycles, instructions, seconds, stop, text };
            report.print(out)
        });
        match self.save(&machine) {
            Ok(()) => exit,
            Err(message) => output::complain(message),
        }
    }

    /// Writes the file of `--save-state`.
    fn save(&self, machine: &AnyMachine) -> Result<(), String> {
        let Some(path) = &self.args.save_state else { return Ok(()) };
        let mut outputs = files::Outputs::default();
        outputs.add(path, machine.save());
        outputs.write().map_err(|err| format!("cannot write {}: {}", err.path.display(), err.error))
    }

    /// One run; the bar is told and characters are printed between its parts, since the loop of the core is not a place for
    /// a call.
    fn run_in_parts<T: Hooks>(
        &self,
        machine: &mut AnyMachine,
        watch: &mut Watch<T>,
        console: &mut Console<'_>,
        bar: &Progress,
    ) -> Stop {
        const PART: u64 = 1 << 26;
        // A run that goes on ends where the one that was saved would have: at the level that every program begins with.
        let level = match (&self.begin, self.start) {
            (Begin::Saved(_), None) => Registers::default().s,
            _ => machine.registers().s,
        };
        let level = Some(level);
        let end = machine.cycles().saturating_add(self.until.cycles);
        loop {
            let left = end.saturating_sub(machine.cycles());
            let stop = machine.run(watch, Until { cycles: left.min(PART), level, ..self.until });
            match stop {
                Stop::Hook if watch.is_at_chrout && console.print(machine.registers().a).is_continue() => {}
                Stop::Cycles if left > PART => bar.set_position(machine.cycles()),
                _ => return stop,
            }
        }
    }
}

/// How it ended.
struct Report<'a> {
    job: &'a Job<'a>,
    start: u16,
    registers: Registers,
    cycles: u64,
    instructions: u64,
    seconds: f64,
    stop: Stop,
    /// The program's output, unless it is on the screen already.
    text: String,
}

impl Report<'_> {
    fn print(&self, out: &mut dyn Write) -> std::io::Result<Exit> {
        match self.job.args.format() {
            Format::Human => self.print_text(out)?,
            Format::Json => self.print_json(out)?,
        }
        Ok(match self.stop {
            _ if self.is_asked() => Exit::Fine,
            Stop::Cycles => self.job.args.after_limit(),
            _ => Exit::Failed,
        })
    }

    /// Whether the run ended as the user asked for.
    fn is_asked(&self) -> bool {
        matches!(self.stop, Stop::Rts | Stop::Brk | Stop::Trap | Stop::Address)
    }

    fn mhz(&self) -> f64 {
        self.cycles as f64 / self.seconds.max(1e-9) / 1e6
    }

    fn print_text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        if !self.text.is_empty() {
            writeln!(out, "{}", self.text.trim_end_matches('\n'))?;
        }
        let place = place(self.registers.pc, &self.job.symbols);
        let why = match self.stop {
            Stop::Rts => format!("rts, to {place}"),
            Stop::Brk => format!("brk at {place}"),
            Stop::Trap => format!("trap at {place}: the instruction jumps to itself"),
            Stop::Address => format!("at {place}"),
            Stop::Cycles => format!(
                "not ended: the limit of {} cycles is reached at {place}; raise it with --max-cycles",
                self.job.args.max_cycles()
            ),
            Stop::Jammed => format!("jammed: an opcode before {place} stops the CPU for good"),
            Stop::Waiting => format!("waiting at {place}: nothing here can interrupt a wai"),
            Stop::Stopped => format!("stopped: an stp before {place}"),
            _ => "stopped".to_string(),
        };
        writeln!(out, "end           {why}")?;
        writeln!(out, "registers     {}", self.registers)?;
        writeln!(out, "cycles        {}", self.cycles)?;
        writeln!(out, "instructions  {}", self.instructions)?;
        writeln!(out, "time          {:.6} s, {:.1} MHz emulated", self.seconds, self.mhz())
    }

    fn print_json(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let r = &self.registers;
        let end = match self.stop {
            Stop::Rts => "rts",
            Stop::Brk => "brk",
            Stop::Trap => "trap",
            Stop::Address => "address",
            Stop::Cycles => "max-cycles",
            Stop::Jammed => "jam",
            Stop::Waiting => "wai",
            Stop::Stopped => "stp",
            _ => "stopped",
        };
        let answer = serde_json::json!({
            "end": end,
            "reached": self.is_asked(),
            "cpu": self.job.args.system().name(),
            "start": self.start,
            "registers": { "pc": r.pc, "a": r.a, "x": r.x, "y": r.y, "s": r.s, "p": r.p.byte() },
            "cycles": self.cycles,
            "instructions": self.instructions,
            "seconds": self.seconds,
            "mhz": self.mhz(),
            "output": self.text,
        });
        writeln!(out, "{answer}")
    }
}

/// An address, with the name that stands for it or the nearest before it.
fn place(addr: u16, symbols: &Symbols) -> String {
    match symbols.nearest(i64::from(addr)) {
        Some((symbol, 0)) => format!("${addr:04X} ({})", symbol.path),
        Some((symbol, offset @ 1..=0xff)) => format!("${addr:04X} ({}+{offset})", symbol.path),
        _ => hex_address(addr),
    }
}
