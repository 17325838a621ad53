//! `tempo run --system c64`: a program on a whole computer, with what it leaves in memory and on the screen.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args as ClapArgs;
use tempo_c64::{Absent, Drive, End, Keys, Moves, Picture, Session, screen_text};
use tempo_emu::c64::Reu;
use tempo_emu::{AnyComputer, Hooks, Joystick, Keyboard, NoHooks, Rom, StartError};
use tempo_formats::symbols::Symbols;
use tempo_formats::vsf::Snapshot;
use tempo_host::term::Progress;
use tempo_host::{Exit, files, output};
use tempo_source_commands::crt;
use tempo_source_commands::watch::Watcher;

use super::disk::Disk;
use super::ends::{Ends, Watch};
use super::record::Recorder;
use super::trace::{Beam, Trace};
use super::{Args, state, terminal, whole_drive};

/// The options that only a whole machine has.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "With --system")]
pub struct MachineArgs {
    /// Stop after N frames, with exit code 3 if the program has not ended itself [default: show 60 and exit with 0; 50000 with
    /// --until, no limit with --terminal]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,

    /// Play in this terminal, at the speed of a real one. Arrows and space are joystick 2, F9 makes them keys; Esc is
    /// STOP, Tab CTRL, Alt C=, End CLR, Page Up RESTORE; Ctrl-Q or Ctrl-C quits
    #[arg(long, conflicts_with_all = ["trace", "until"])]
    pub terminal: bool,

    /// Type this: text, and {RETURN}, {F1}, {UP}, {SHIFT+A}, {SPACE 50} held for 50 frames, {WAIT 50}
    #[arg(long, value_name = "TEXT")]
    pub keys: Option<String>,

    /// Keys held from the start, as in A,LSHIFT,SPACE, and JOY1: or JOY2: with UP+FIRE
    #[arg(long, value_name = "KEYS")]
    pub hold: Option<String>,

    /// Move the joystick in port 1, as in 10:up+fire,20:none; each position is held until the next
    #[arg(long, value_name = "FRAME:MOVES")]
    pub joystick1: Option<String>,

    /// Move the joystick in port 2
    #[arg(long, value_name = "FRAME:MOVES")]
    pub joystick2: Option<String>,

    /// Drive 8: a .d64 image or a folder; what the program saves is written there when the run ends
    #[arg(long, value_name = "D64|DIR")]
    pub disk: Option<PathBuf>,

    /// The program on a .d64 [default: its first one]
    #[arg(long, value_name = "NAME")]
    pub load_name: Option<String>,

    /// Your own KERNAL ROM, 8192 bytes; the machine is then booted and the program started with RUN
    #[arg(long, value_name = "FILE")]
    pub kernal: Option<PathBuf>,

    /// Your own BASIC ROM, 8192 bytes; it needs --kernal, where its second half is
    #[arg(long, value_name = "FILE", requires = "kernal")]
    pub basic: Option<PathBuf>,

    /// Your own character ROM, 4096 bytes
    #[arg(long, value_name = "FILE")]
    pub chargen: Option<PathBuf>,

    /// The ROM of your own 1541, 16384 bytes: drive 8 is then a whole one, which programs reach through the serial bus
    #[arg(long, value_name = "FILE")]
    pub drive_rom: Option<PathBuf>,

    /// Save the disk in that drive at the end, with what was written to it: a .d64, or a .g64 with every bit
    #[arg(long, value_name = "D64|G64", requires = "drive_rom")]
    pub save_disk: Option<PathBuf>,

    /// Print the text of the screen at the end
    #[arg(long)]
    pub screen: bool,

    /// Save the picture at the end; index and colour number are the same
    #[arg(long, value_name = "PNG")]
    pub screenshot: Option<PathBuf>,

    /// Save every frame: an animated .gif, or numbered PNGs in a folder (frames/)
    #[arg(long, value_name = "GIF|DIR/")]
    pub record: Option<PathBuf>,

    /// With --screenshot: three rows for each, and square pixels, as a television showed them
    #[arg(long, requires = "screenshot")]
    pub aspect: bool,

    /// Save the sound: 16 bits, one channel, 44100 samples a second; two channels with --sid2
    #[arg(long, value_name = "WAV")]
    pub wav: Option<PathBuf>,

    /// Plug a cartridge in, a .crt; without FILE the machine starts from it
    #[arg(long, value_name = "CRT")]
    pub cart: Option<PathBuf>,

    /// Plug in a RAM expansion of 128 KB, 256 KB, 512 KB, and so on to 16384 KB
    #[arg(long, value_name = "KB")]
    pub reu: Option<usize>,

    /// Connect a second SID at $D420 to $D7E0 or $DE00 to $DFE0, every 32 addresses; the first is left, the second right
    #[arg(long, value_name = "ADDR")]
    pub sid2: Option<String>,

    /// With --terminal: as fast as this computer can. Without, a run always is; either way its speed is told at the end
    #[arg(long)]
    pub warp: bool,

    /// Save RAM at the end, as in c000-c0ff=out.bin; may be given more than once
    #[arg(long, value_name = "LO-HI=FILE")]
    pub dump_memory: Vec<String>,
}

impl MachineArgs {
    /// The first option that is given.
    pub fn first(&self) -> Option<&'static str> {
        let options = [
            ("--frames", self.frames.is_some()),
            ("--terminal", self.terminal),
            ("--keys", self.keys.is_some()),
            ("--hold", self.hold.is_some()),
            ("--joystick1", self.joystick1.is_some()),
            ("--joystick2", self.joystick2.is_some()),
            ("--disk", self.disk.is_some()),
            ("--load-name", self.load_name.is_some()),
            ("--kernal", self.kernal.is_some()),
            ("--basic", self.basic.is_some()),
            ("--chargen", self.chargen.is_some()),
            ("--drive-rom", self.drive_rom.is_some()),
            ("--save-disk", self.save_disk.is_some()),
            ("--cart", self.cart.is_some()),
            ("--reu", self.reu.is_some()),
            ("--sid2", self.sid2.is_some()),
            ("--warp", self.warp),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option).or(self.first_output())
    }

    /// The first option that shows or saves something of a run.
    pub fn first_output(&self) -> Option<&'static str> {
        let options = [
            ("--screen", self.screen),
            ("--screenshot", self.screenshot.is_some()),
            ("--record", self.record.is_some()),
            ("--wav", self.wav.is_some()),
            ("--dump-memory", !self.dump_memory.is_empty()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

/// Bytes to save after the run.
struct Dump {
    first: u16,
    last: u16,
    path: PathBuf,
}

/// How many frames a run has, without and with something that ends it: these are a billion cycles.
const FRAMES: u64 = 60;
const FRAMES_UNTIL: u64 = 50_000;

/// How many frames the prompt gets to show itself when a program has returned.
const PROMPT_FRAMES: u64 = 3;

pub fn run(args: &Args, machine: AnyComputer, watcher: Option<&Watcher<'_>>) -> Exit {
    match run_machine(args, machine, watcher) {
        Ok(exit) => exit,
        Err(message) => output::complain(message),
    }
}

fn run_machine(args: &Args, machine: AnyComputer, watcher: Option<&Watcher<'_>>) -> Result<Exit, String> {
    let options = &args.machine;
    if options.terminal {
        terminal::check()?;
    }
    let dumps: Vec<Dump> =
        options.dump_memory.iter().map(|text| parse_dump(text)).collect::<Result<_, _>>()?;
    let mut disk = options.disk.as_deref().map(Disk::open).transpose()?;
    let named = args.read_symbols()?;
    let (mut session, own) = prepare(args, machine, disk.as_ref())?;
    // A KERNAL of the user's drives the bus.
    if let Some(disk) = disk.as_ref().filter(|_| options.drive_rom.is_none() || options.kernal.is_none()) {
        session.drive = Drive::with(disk.volume());
    }
    let symbols = named.unwrap_or(own);
    let ends = Ends::parse(&args.until, &symbols)?;
    let machine = &mut session.machine;
    let recorder = Recorder::new(options.record.as_deref(), options.wav.as_deref(), machine)?;
    let frames = options.frames.unwrap_or(if args.until.is_empty() { FRAMES } else { FRAMES_UNTIL });
    let mut run = Run { session, recorder, ends: &ends, frames, has_returned: false };
    let (started, first) = (Instant::now(), run.session.machine.cycles());
    let end = if options.terminal {
        terminal::play(&mut run.session, &mut run.recorder, options.frames, options.warp, watcher)?
    } else if args.trace {
        run.trace(&symbols)?
    } else {
        run.play()?
    };
    let Run { mut session, recorder, has_returned, .. } = run;
    if options.warp {
        let speed = Speed::of(&session.machine, first, started);
        output::warn(&format!("{} frames, {speed}\n", session.frames()));
    }
    let mut outputs = files::Outputs::default();
    recorder.finish(&mut session.machine, &mut outputs)?;
    if let Some(path) = &args.save_state {
        outputs.add(path, session.machine.save());
    }
    for dump in &dumps {
        let bytes = &session.machine.ram()[usize::from(dump.first)..=usize::from(dump.last)];
        outputs.add(&dump.path, bytes);
    }
    if options.screen {
        let text = screen_text(&session.machine);
        output::print(|out| out.write_all(text.as_bytes()).map(|()| Exit::Fine));
    }
    if let Some(path) = &options.screenshot {
        if end.is_none() {
            // Up to the end of a picture that begins after that time.
            session.run_frames(2);
        }
        let picture = match end {
            Some(End::Exit(_)) => Picture::at_beam(&session.machine),
            _ => Picture::of(&session.machine),
        };
        let picture = match options.aspect {
            true => picture.as_on_television(session.machine.timing()),
            false => picture,
        };
        let picture = picture.to_png().map_err(|err| err.to_string())?;
        outputs.add(path, picture);
    }
    if let Some(path) = &options.save_disk {
        outputs.add(path, whole_drive::disk_file(&session.machine, path)?);
    }
    outputs.write().map_err(|err| format!("cannot write {}: {}", err.path.display(), err.error))?;
    if let Some(disk) = &mut disk {
        session.drive.flush();
        if let Some(volume) = &session.drive.volume {
            disk.write_back(volume)?;
        }
        whole_drive::tell_if_missing(&session.machine);
    }
    let is_reached = end == Some(End::Hook) || (end == Some(End::Returned) && ends.rts);
    if !args.until.is_empty() && !is_reached && matches!(end, None | Some(End::Returned)) {
        let pc = super::place(session.machine.registers().pc, &symbols);
        let why = match end {
            None if args.ok_on_timeout => return Ok(Exit::Fine),
            None => format!("not reached in {frames} frames; the CPU is at {pc}"),
            _ => "not reached before the program returned".to_string(),
        };
        output::complain(format_args!("--until {}: {why}", args.until.join(", ")));
        return Ok(if end.is_none() { Exit::LimitReached } else { Exit::Failed });
    }
    if end.is_none() && !has_returned && options.frames.is_some() && !options.terminal {
        if !args.ok_on_timeout {
            let pc = super::place(session.machine.registers().pc, &symbols);
            output::complain(format_args!(
                "not ended in {frames} frames: the CPU is at {pc}; with --ok-on-timeout that is a good end"
            ));
        }
        return Ok(args.after_limit());
    }
    match end {
        Some(End::Exit(code)) => Ok(Exit::Program(code)),
        None | Some(End::Returned | End::Hook) => Ok(Exit::Fine),
        Some(End::Jammed) => {
            if let Some(absent) = Absent::of(&session.machine) {
                let peek = |addr| session.machine.peek(addr);
                let from = absent.caller.map_or_else(
                    || "; it was not called by a jsr".to_string(),
                    |caller| format!("\n  called at {}", args.described(caller, &symbols, &peek)),
                );
                output::complain(format_args!("{absent}{from}"));
                return Ok(Exit::Failed);
            }
            output::complain(format_args!(
                "an opcode before ${:04X} stops the CPU for good",
                session.machine.registers().pc
            ));
            Ok(Exit::Failed)
        }
    }
}

/// A machine with the program loaded and started, and everything that is going to be pressed.
fn prepare(args: &Args, machine: AnyComputer, disk: Option<&Disk>) -> Result<(Session, Symbols), String> {
    let options = &args.machine;
    let keyboard = machine.keyboard();
    let held = parse_hold(options.hold.as_deref().unwrap_or(""), keyboard)?;
    let keys = options.keys.as_deref().unwrap_or("");
    let keys = Keys::parse(keys, keyboard).map_err(|err| format!("--keys: {err}"))?;
    let moves = |text: &Option<String>, option: &str| {
        Moves::parse(text.as_deref().unwrap_or("")).map_err(|err| format!("{option}: {err}"))
    };
    let joysticks = [moves(&options.joystick1, "--joystick1")?, moves(&options.joystick2, "--joystick2")?];
    let (mut session, symbols) = match &args.load_state {
        Some(path) => {
            let restore = |bytes: &[u8]| {
                machine.system().restore_computer(bytes).expect("a session has a whole computer")
            };
            (Session::new(state::load(path, restore)?), Symbols::default())
        }
        None => {
            if let Some(snapshot) = &args.snapshot {
                (continued(args, snapshot)?, Symbols::default())
            } else if args.is_cartridge() {
                (start(args, machine, None, disk)?, Symbols::default())
            } else {
                let (prg, symbols) = args.program(options.load_name.as_deref())?;
                (start(args, machine, Some(&prg), disk)?, symbols)
            }
        }
    };
    for held in held {
        match held {
            Held::Key(key) => session.set(&vec![key], true),
            Held::Joystick(port, closed) => session.machine.set_joystick(port, closed),
        }
    }
    session.type_keys(&keys);
    for (port, moves) in (1..).zip(&joysticks) {
        session.play_moves(port, moves);
    }
    Ok((session, symbols))
}

/// A machine on which the program, or the cartridge in its place, has been started.
fn start(
    args: &Args,
    mut machine: AnyComputer,
    prg: Option<&[u8]>,
    disk: Option<&Disk>,
) -> Result<Session, String> {
    let options = &args.machine;
    insert_roms(args, &mut machine)?;
    plug(args, &mut machine)?;
    if let Some(path) = &options.drive_rom {
        whole_drive::attach(&mut machine, path, disk)?;
    }
    let Some(prg) = prg else {
        machine.reset();
        return Ok(Session::new(machine));
    };
    let file = args.file().display();
    let refused = |err: StartError| match err {
        StartError::NoSys(_) => format!(
            "{file}: {err}; BasicUpstart2(start) writes one, and --system 6502 runs a program without one"
        ),
        _ => format!("{file}: {err}"),
    };
    if options.kernal.is_some() {
        let mut session = Session::new(machine);
        session.boot().map_err(|err| err.to_string())?;
        session.load_and_run(prg).map_err(refused)?;
        Ok(session)
    } else {
        machine.start(prg).map_err(refused)?;
        Ok(Session::new(machine))
    }
}

/// The machine of a snapshot, with the ROMs of the options.
fn continued(args: &Args, snapshot: &Snapshot) -> Result<Session, String> {
    let model = args.system().c64().ok_or("the snapshot is that of a C64")?;
    let mut machine = AnyComputer::from(tempo_c64::machine_of(snapshot, model));
    let options = &args.machine;
    let (missing, option) = match tempo_c64::missing_rom(snapshot) {
        Some(Rom::Basic) if options.basic.is_none() => ("BASIC", "--basic FILE"),
        Some(Rom::Kernal) if options.kernal.is_none() => ("the KERNAL", "--kernal FILE"),
        _ => ("", ""),
    };
    if !missing.is_empty() {
        return Err(format!(
            "{}: the program is at ${:04X}, in {missing} of VICE, which the snapshot does not contain; {option} gives it, or \
             save the snapshot with ROMs",
            args.file().display(),
            snapshot.cpu.pc
        ));
    }
    insert_roms(args, &mut machine)?;
    plug(args, &mut machine)?;
    Ok(Session::new(machine))
}

/// Puts the images of the options into their sockets.
fn insert_roms(args: &Args, machine: &mut AnyComputer) -> Result<(), String> {
    let options = &args.machine;
    for (path, rom, option) in [
        (&options.kernal, Rom::Kernal, "--kernal"),
        (&options.basic, Rom::Basic, "--basic"),
        (&options.chargen, Rom::Characters, "--chargen"),
    ] {
        if let Some(path) = path {
            let mut image = files::read_limited(path, 0x1_0000)
                .map_err(|err| format!("{option}: cannot read {}: {err}", path.display()))?;
            let is_served = options.disk.is_some() && options.drive_rom.is_none();
            if rom == Rom::Kernal && is_served && !tempo_c64::serve_bus(&mut image) {
                return Err(format!(
                    "--disk: {} has no jump table of the usual form, through which drive 8 is served",
                    path.display()
                ));
            }
            machine.insert(rom, &image).map_err(|err| format!("{option} {}: {err}", path.display()))?;
        }
    }
    Ok(())
}

/// Puts the devices of the options in the expansion port.
fn plug(args: &Args, machine: &mut AnyComputer) -> Result<(), String> {
    let options = &args.machine;
    let own = Some(args.file()).filter(|_| args.is_cartridge());
    if let (Some(own), Some(other)) = (own, options.cart.as_deref().filter(|&cart| Some(cart) != own)) {
        let (own, other) = (own.display(), other.display());
        return Err(format!("--cart {other}: {own} is a cartridge, too, and there is one port"));
    }
    if let Some(path) = options.cart.as_deref().or(own) {
        let image = crt::read(path)?;
        if own.is_some()
            && let Some(complaint) = image.complaint()
        {
            output::warn(&format!("warning: {}: {complaint}\n", path.display()));
        }
        let machine = machine.c64_mut().ok_or("a cartridge: only a C64 has an expansion port")?;
        machine.board.plug(tempo_c64::cartridge(&image));
    }
    if let Some(text) = &options.sid2 {
        let first = super::image::address(text, &Symbols::default(), "--sid2")?;
        let machine = machine.c64_mut().ok_or("--sid2: only a C64 has a SID")?;
        if !machine.board.set_second_sid(Some(first)) {
            return Err(format!(
                "--sid2 {text}: a second SID is at $D420, $D440, and so on to $D7E0, or at $DE00 to $DFE0"
            ));
        }
    }
    let Some(kilobytes) = options.reu else { return Ok(()) };
    let machine = machine.c64_mut().ok_or("--reu: only a C64 has an expansion port")?;
    if kilobytes == 0 || !machine.board.expand(kilobytes) {
        return Err(format!("--reu {kilobytes}: a RAM expansion has {}", Reu::SIZES));
    }
    Ok(())
}

/// How fast a run is against a real machine.
pub(super) struct Speed {
    seconds: f64,
    factor: f64,
}

impl Speed {
    /// From a cycle and a time on.
    pub(super) fn of(machine: &AnyComputer, first: u64, started: Instant) -> Speed {
        let seconds = started.elapsed().as_secs_f64();
        let real = (machine.cycles() - first) as f64 / f64::from(machine.timing().clock);
        Speed { seconds, factor: real / seconds.max(1e-9) }
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} s: {:.1} times the speed of a real one", self.seconds, self.factor)
    }
}

/// A run and what it leaves.
struct Run<'a> {
    session: Session,
    recorder: Recorder,
    ends: &'a Ends,
    frames: u64,
    /// The program has come back to the prompt.
    has_returned: bool,
}

impl Run<'_> {
    /// Runs the frames.
    fn play(&mut self) -> Result<Option<End>, String> {
        let ends = self.ends;
        match (ends.is_watched(), ends.needs_opcodes()) {
            (false, _) => self.frames(&mut NoHooks, true),
            (true, false) => self.frames(&mut Watch::<false>::new(ends), true),
            (true, true) => self.frames(&mut Watch::<true>::new(ends), true),
        }
    }

    /// Runs the frames with a line for every instruction.
    fn trace(&mut self, symbols: &Symbols) -> Result<Option<End>, String> {
        let machine = &self.session.machine;
        let (line, cycle) = machine.beam();
        let beam = Beam::new(machine.timing(), line, cycle, machine.cycles());
        let isa = machine.system().isa();
        let mut end = Ok(None);
        output::print(|out| {
            let mut trace = Trace::new(isa, out, symbols).with_beam(beam);
            let mut watch = Watch::<true>::new(self.ends);
            end = self.frames(&mut (&mut watch, &mut trace), false);
            trace.finish().map(|()| Exit::Fine)
        });
        end
    }

    /// A program that returns gets a moment to show the prompt, or all of the time if there is more to type.
    fn frames<H: Hooks>(&mut self, hooks: &mut H, has_prompt: bool) -> Result<Option<End>, String> {
        let bar = Progress::start("running", "frames", Some(self.frames));
        let session = &mut self.session;
        let mut last = self.frames;
        let mut returned = None;
        while session.frames() < last {
            match session.run_frame_with(hooks) {
                Some(End::Returned) if has_prompt && !self.ends.rts => {
                    session.enter_prompt();
                    self.has_returned = true;
                    if !session.has_input() {
                        last = last.min(session.frames() + PROMPT_FRAMES);
                        returned = Some(End::Returned);
                    }
                }
                Some(end) => return Ok(Some(end)),
                None => self.recorder.frame(&mut session.machine)?,
            }
            if session.frames().is_multiple_of(64) {
                bar.set_position(session.frames());
            }
        }
        Ok(returned)
    }
}

/// `c000-c03f=FILE`, the addresses in hex with or without a `$`.
fn parse_dump(text: &str) -> Result<Dump, String> {
    let wrong = || {
        format!("--dump-memory {text}: expected LO-HI=FILE with addresses in hex, as in c000-c0ff=out.bin")
    };
    let number =
        |text: &str| u16::from_str_radix(text.strip_prefix('$').unwrap_or(text), 16).map_err(|_| wrong());
    let (range, path) = text.split_once('=').ok_or_else(wrong)?;
    let (first, last) = range.split_once('-').ok_or_else(wrong)?;
    let (first, last) = (number(first)?, number(last)?);
    if first > last || path.is_empty() {
        return Err(wrong());
    }
    Ok(Dump { first, last, path: path.into() })
}

/// Something that is pressed all the time.
enum Held {
    Key(&'static str),
    Joystick(u8, Joystick),
}

/// Keys by comma, and `JOY1:` or `JOY2:` with switches joined by `+`.
fn parse_hold(text: &str, keyboard: &Keyboard) -> Result<Vec<Held>, String> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names
        .map(|name| {
            let joystick = name.split_once(':').and_then(|(port, switches)| {
                let number = ["JOY1", "JOY2"].iter().position(|known| known.eq_ignore_ascii_case(port))?;
                Some((number as u8 + 1, switches))
            });
            let Some((port, switches)) = joystick else {
                return keyboard.find(name).map(Held::Key).ok_or_else(|| no_key(name, keyboard));
            };
            let closed = tempo_c64::parse_switches(switches).map_err(|err| format!("--hold: {err}"))?;
            Ok(Held::Joystick(port, closed))
        })
        .collect()
}

fn no_key(name: &str, keyboard: &Keyboard) -> String {
    let near = tempo_c64::nearest_key(name, keyboard);
    let help = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    format!("--hold: the {} has no key named '{name}'{help}", keyboard.machine)
}
