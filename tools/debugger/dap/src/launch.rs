//! Targets of a session: a source, a program file with names, a test of a suite. Reads through the host, and says in one
//! sentence what is wrong, with everything else for the console.

use std::sync::Arc;

use serde_json::Value;
use tempo_assembler::{Columns, Files, Options, Output, Severity, SourceMap as _, assemble};
use tempo_debug::{Names, Recording, Roms, Setup, SourceMap, Target};
use tempo_emu::{AnyComputer, Rom, System};
use tempo_formats::symbols::Symbols;
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::parse::{Dialect, parse};
use tempo_harness::plan::FilePlan;
use tempo_harness::run::RunOptions;
use tempo_harness::source::Source;

use crate::arguments::Arguments;
use crate::host::{Host, Project};
use crate::recording;

/// A target and what is to be shown with it.
pub struct Launched {
    /// The debugged program.
    pub target: Target,
    /// Lines for the console.
    pub lines: Vec<String>,
    /// The program file, unless it is a test.
    pub prg: Option<Vec<u8>>,
    /// It is a recording, whose sources are not files of this computer.
    pub is_recorded: bool,
}

/// Why nothing was started: the first reason, and lines for the console.
pub type Refused = (String, Vec<String>);

pub(crate) fn plain(message: impl Into<String>) -> Refused {
    (message.into(), Vec::new())
}

/// Starts what the arguments of a launch request ask for.
pub fn launch(arguments: &Value, host: &dyn Host) -> Result<Launched, Refused> {
    let arguments = Arguments(arguments);
    let suite = arguments.text("suite");
    let project = host.project(suite.or(arguments.text("program"))).map_err(plain)?.unwrap_or_default();
    let setup = setup(arguments, &project, host).map_err(plain)?;
    if let Some(suite) = suite {
        return launch_test(suite, arguments, &project, host, &setup);
    }
    let main = Some(project.main.as_str()).filter(|main| !main.is_empty());
    let program = arguments.text("program").or(main);
    let program = program.ok_or_else(|| plain("neither `program` nor `suite` is given"))?;
    let extension = program.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    if let Some(test) = arguments.text("test").filter(|_| extension != "6502") {
        return Err(plain(format!("{program} is not a suite (.6502), so it has no test `{test}`")));
    }
    match extension.as_str() {
        "6502" => launch_test(program, arguments, &project, host, &setup),
        "tempo" => recording::launch(program, host, &setup),
        "prg" | "vsf" | "crt" => launch_prg(program, arguments, host, &setup),
        _ => launch_source(program, arguments, &project, host, &setup),
    }
}

fn setup(arguments: Arguments<'_>, project: &Project, host: &dyn Host) -> Result<Setup, String> {
    // As `tempo run` does it: the project's machine is for the project's program.
    let own = Some(project.system.as_str()).filter(|system| project.is_main && !system.is_empty());
    let kind = match arguments.text("system").or(own) {
        None => System::default(),
        Some(word) => System::find(word).ok_or_else(|| {
            let names: Vec<&str> = System::ALL.into_iter().map(System::name).collect();
            format!("there is no system `{word}`; there are {}", names.join(", "))
        })?,
    };
    let byte = |name: &str| match arguments.number(name) {
        None => Ok(None),
        Some(value) => {
            u8::try_from(value).map(Some).map_err(|_| format!("`{name}` is {value}, which is not a byte"))
        }
    };
    let entry = arguments.get("entry").0;
    let entry = match entry {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let mut memory = Vec::new();
    for item in arguments.list("memory") {
        let at = item.number("at").and_then(|at| u16::try_from(at).ok());
        let at = at.ok_or("an entry of `memory` needs an address `at`")?;
        let file = item.text("file").ok_or("an entry of `memory` needs a `file`")?;
        memory.push((at, host.read(file)?));
    }
    let mut roms = Roms::default();
    let rom = arguments.get("rom");
    for (name, slot) in
        [("basic", &mut roms.basic), ("kernal", &mut roms.kernal), ("characters", &mut roms.chargen)]
    {
        if let Some(file) = rom.text(name) {
            let bytes = host.read(file)?;
            if bytes.len() > 0x2000 {
                return Err(format!("{file} is too large for a ROM"));
            }
            *slot = Some(bytes.into());
        }
    }
    let disk = match arguments.text("disk") {
        None => None,
        Some(_) if arguments.text("driveRom").is_none() => {
            return Err("`disk` is for a whole 1541; `driveRom` names its ROM".to_string());
        }
        Some(file) => {
            let image = tempo_c64::read_disk(&host.read(file)?);
            Some(image.map_err(|err| format!("{file}: {err}"))?)
        }
    };
    let drive = match arguments.text("driveRom") {
        Some(file) => Some(tempo_debug::Drive { rom: host.read(file)?, disk }),
        None => None,
    };
    let stop_at = match arguments.text("stopAt") {
        None => None,
        Some("rts") => Some(tempo_debug::StopAt::Rts),
        Some("brk") => Some(tempo_debug::StopAt::Brk),
        Some(other) => return Err(format!("`stopAt` is `{other}`; it can be \"rts\" or \"brk\"")),
    };
    let history = arguments.get("history");
    let megabytes = history.number("megabytes").or(arguments.number("history")).unwrap_or(256);
    Ok(Setup {
        kind,
        entry,
        a: byte("a")?,
        x: byte("x")?,
        y: byte("y")?,
        sp: byte("sp")?,
        p: byte("p")?,
        memory,
        roms,
        drive,
        max_cycles: arguments.number("maxCycles").and_then(|most| u64::try_from(most).ok()).unwrap_or(0),
        history: megabytes.clamp(1, 65_536) as usize,
        stop_at,
    })
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder)
}

/// The messages of the assembler as editors match them, errors first.
pub(crate) fn messages(output: &Output) -> Vec<String> {
    let mut all: Vec<_> = output.diagnostics.iter().collect();
    all.sort_by_key(|one| one.severity != Severity::Error);
    all.iter()
        .map(|one| {
            let place = one.span.and_then(|span| output.sources.locate(span.start, Columns::Characters));
            let severity = if one.severity == Severity::Error { "error" } else { "warning" };
            // Why a file cannot be read is known to the note alone.
            let why = one.notes.first().filter(|_| matches!(one.code.as_str(), "E0001" | "E0112" | "E0415"));
            let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
            match place {
                Some(at) => format!("{at}: {severity}: {}{why}", one.message),
                None => format!("{severity}: {}{why}", one.message),
            }
        })
        .collect()
}

fn launch_source(
    program: &str,
    arguments: Arguments<'_>,
    project: &Project,
    host: &dyn Host,
    setup: &Setup,
) -> Result<Launched, Refused> {
    let libraries = [arguments.texts("libDirs"), project.libraries.clone()].concat();
    // An editor may start us anywhere; what a person names in a terminal is named from where he is.
    let folder = if std::path::Path::new(program).is_absolute() { folder_of(program) } else { "" };
    let files = host.files(folder, &libraries);
    let mut options = Options { analysis: true, source_map: true, ..Options::default() };
    options.defines = [project.defines.clone(), arguments.texts("defines")].concat();
    options.variables = project.vars.clone();
    options.cancel = host.cancel();
    if let Some(vars) = arguments.0.get("vars").and_then(Value::as_object) {
        for (name, value) in vars {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            options.variables.retain(|(other, _)| other != name);
            options.variables.push((name.clone(), value));
        }
    }
    let output = assemble(&*files, program, &options);
    let messages = messages(&output);
    if output.has_errors() {
        let first = messages.first().cloned().unwrap_or_else(|| "the source does not assemble".to_string());
        return Err((first, messages));
    }
    let target = Target::from_output(&output, setup).map_err(plain)?;
    let mut lines = output.console.clone();
    lines.extend(messages);
    Ok(Launched { target, lines, prg: output.prg(), is_recorded: false })
}

fn launch_prg(
    program: &str,
    arguments: Arguments<'_>,
    host: &dyn Host,
    setup: &Setup,
) -> Result<Launched, Refused> {
    let prg = host.read(program).map_err(plain)?;
    let text = |path: &str| {
        let bytes = host.read(path).map_err(plain)?;
        String::from_utf8(bytes).map_err(|_| plain(format!("{path} is not a text file")))
    };
    let mut names = Names::default();
    if let Some(path) = arguments.text("symbols") {
        let symbols = Symbols::parse(&text(path)?).map_err(|err| plain(format!("{path}: {err}")))?;
        names = Names::from_symbols(&symbols);
    }
    let mut map = SourceMap::default();
    let mut lines = Vec::new();
    if let Some(path) = arguments.text("debugDump") {
        // Names are those of the folder it was assembled in: this one, or that of the file.
        let mut source = |name: &str| {
            let beside = format!("{}/{name}", folder_of(path));
            let bytes = host
                .read(name)
                .or_else(|why| if folder_of(path).is_empty() { Err(why) } else { host.read(&beside) });
            bytes.ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let info = tempo_formats::debuginfo::read(&text(path)?, &mut source)
            .map_err(|err| plain(format!("{path}: {err}")))?;
        map = SourceMap::from_dump(&info.dump, &mut source);
        names.join(&Names::from_pairs(info.labels));
    }
    let is_snapshot = program.to_ascii_lowercase().ends_with(".vsf");
    let is_cartridge = program.to_ascii_lowercase().ends_with(".crt");
    if let Ok((address, bytes)) = tempo_emu::c64::parse_program(&prg)
        && !is_snapshot
        && !is_cartridge
    {
        let range = i64::from(address)..i64::from(address) + bytes.len() as i64;
        let labels: Vec<_> = names.iter().filter(|name| name.is_label && name.value >= 0x0200).collect();
        if !labels.is_empty() && !labels.iter().any(|name| range.contains(&name.value)) {
            lines.push(format!("none of the names is inside {program}: are they another program's?"));
        }
    }
    if is_snapshot {
        let (computer, notes) =
            continued(program, &prg, arguments.text("system").is_some(), setup).map_err(plain)?;
        lines.extend(notes);
        let target = Target::from_computer(computer, map, names, setup);
        return Ok(Launched { target, lines, prg: None, is_recorded: false });
    }
    if is_cartridge {
        let computer = with_cartridge(program, &prg, setup).map_err(plain)?;
        let target = Target::from_computer(computer, map, names, setup);
        return Ok(Launched { target, lines, prg: None, is_recorded: false });
    }
    let target = Target::from_prg(&prg, map, names, setup).map_err(plain)?;
    Ok(Launched { target, lines, prg: Some(prg), is_recorded: false })
}

/// A machine that has been reset with a cartridge in its port.
fn with_cartridge(file: &str, bytes: &[u8], setup: &Setup) -> Result<AnyComputer, String> {
    let image = tempo_formats::crt::read(bytes).map_err(|err| format!("{file}: {err}"))?;
    let mut computer = setup
        .kind
        .computer()
        .ok_or_else(|| format!("{file} is a cartridge, which needs a whole C64: system c64"))?;
    let machine =
        computer.c64_mut().ok_or_else(|| format!("{file}: only a C64 has a port for cartridges"))?;
    machine.board.plug(tempo_c64::cartridge(&image));
    for (rom, image) in [
        (Rom::Basic, &setup.roms.basic),
        (Rom::Kernal, &setup.roms.kernal),
        (Rom::Characters, &setup.roms.chargen),
    ] {
        if let Some(image) = image {
            machine.board.insert(rom, image).map_err(|err| format!("{rom:?}: {err}"))?;
        }
    }
    computer.reset();
    Ok(computer)
}

/// The machine of a snapshot of VICE, and what should be known about it.
fn continued(
    file: &str,
    bytes: &[u8],
    is_system_given: bool,
    setup: &Setup,
) -> Result<(AnyComputer, Vec<String>), String> {
    let snapshot = tempo_formats::vsf::read(bytes).map_err(|err| format!("{file}: {err}"))?;
    let typed = setup.kind.c64().filter(|_| is_system_given);
    let model = tempo_c64::model_of(&snapshot).or(typed).unwrap_or_default();
    let mut notes = snapshot.notes.clone();
    if let Some(other) = typed.filter(|&other| other != model) {
        notes.push(format!("the machine is that of the snapshot, {model:?}, not {other:?}"));
    }
    let has_roms = setup.roms.kernal.is_some();
    if tempo_c64::missing_rom(&snapshot).is_some() && !has_roms {
        notes.push(format!(
            "the program is at ${:04X}, in a ROM that the snapshot does not contain: save it with ROMs",
            snapshot.cpu.pc
        ));
    }
    Ok((AnyComputer::from(tempo_c64::machine_of(&snapshot, model)), notes))
}

/// Settings of a suite's run that change what a test does.
#[derive(Debug, Clone, Default)]
pub struct TestOptions {
    /// Only sim6502's language.
    pub dialect: Dialect,
    /// An unsuffixed sum left of a comparison reads memory.
    pub legacy_sum_reads: bool,
    /// Symbols of the sources, and `name=value` for variables.
    pub defines: Vec<String>,
    /// How it is run.
    pub run: RunOptions,
}

/// A suite that was checked, with the programs that it assembled.
pub(crate) struct Suite {
    pub(crate) plan: FilePlan,
    cache: AssemblyCache,
}

impl Suite {
    /// Reads and checks a suite.
    pub(crate) fn new(
        path: &str,
        bytes: &[u8],
        files: &dyn Files,
        options: &TestOptions,
    ) -> Result<Suite, Refused> {
        let mut source = Source::from_bytes(path, bytes).map_err(plain)?;
        let parsed = parse(&mut source, options.dialect, files);
        let source = Arc::new(source);
        let show = |all: &[tempo_harness::diag::Diagnostic]| -> Vec<String> {
            all.iter()
                .filter(|one| one.is_error())
                .map(|one| {
                    // The first note is the reason: the error of a source that does not assemble.
                    let reason = one.notes.first().map(|note| format!(": {note}")).unwrap_or_default();
                    let at = source.location(one.span.unwrap_or_default());
                    format!("{at}: error: {}{reason}", one.message)
                })
                .collect()
        };
        let refuse = |lines: Vec<String>| {
            let first = lines.first().cloned().unwrap_or_else(|| "the suite has errors".to_string());
            (first, lines)
        };
        if parsed.has_errors() {
            return Err(refuse(show(&parsed.diagnostics)));
        }
        let mut cache = AssemblyCache::default();
        cache.analysis = true;
        cache.cancel = options.run.cancel.clone();
        cache.defines = options.defines.clone();
        let dialect = options.dialect;
        let check_options =
            CheckOptions { dialect, legacy_sum_reads: options.legacy_sum_reads, ..CheckOptions::default() };
        let checked = check(&source, &parsed.file, check_options, files, &cache);
        if checked.has_errors() {
            return Err(refuse(show(&checked.diagnostics)));
        }
        Ok(Suite { plan: checked.plan, cache })
    }

    /// The ids of its tests.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.plan.suites.iter().flat_map(|suite| &suite.tests).map(|test| test.id.as_str())
    }

    /// Runs a test.
    pub(crate) fn record(&self, id: &str, options: &TestOptions) -> Result<Recording, String> {
        let plans = std::slice::from_ref(&self.plan);
        tempo_harness::run::record::record(plans, id, &options.run).ok_or_else(|| {
            let path = self.plan.source.name();
            match tempo_diagnostics::nearest(id, self.ids()) {
                Some(near) => format!("{path} has no test `{id}`; did you mean `{near}`?"),
                None => format!("{path} has no test `{id}`"),
            }
        })
    }

    /// A recorded test as a target.
    pub(crate) fn target(&self, recording: Recording, history: usize) -> Target {
        let programs = self.cache.all();
        let outputs: Vec<&Output> =
            programs.iter().filter_map(|one| one.as_ref().as_ref().ok()?.output.as_deref()).collect();
        Target::from_test(recording, &outputs, history)
    }
}

fn launch_test(
    path: &str,
    arguments: Arguments<'_>,
    project: &Project,
    host: &dyn Host,
    setup: &Setup,
) -> Result<Launched, Refused> {
    let bytes = host.read(path).map_err(plain)?;
    let files = host.suite_files(path);
    let vars = project.vars.iter().map(|(name, value)| format!("{name}={value}"));
    let options = TestOptions {
        defines: project.defines.iter().cloned().chain(vars).collect(),
        run: RunOptions {
            seed: arguments.number("seed").unwrap_or(0) as u64,
            cancel: host.cancel(),
            ..RunOptions::default()
        },
        ..TestOptions::default()
    };
    let suite = Suite::new(path, &bytes, &*files, &options)?;
    let id = match arguments.text("test") {
        Some(id) => id.to_string(),
        None => suite.ids().next().ok_or_else(|| plain(format!("{path} has no tests")))?.to_string(),
    };
    let recording = suite.record(&id, &options).map_err(plain)?;
    let lines = match recording.failures.first() {
        Some(message) => vec![format!("{id}: {message}")],
        None => vec![format!("{id} passes")],
    };
    Ok(Launched { target: suite.target(recording, setup.history), lines, prg: None, is_recorded: false })
}
