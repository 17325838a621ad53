//! `tempo prove`: claims about routines, decided for all inputs. Assembles, asks `tempo_prove`, and prints what it knows.

mod compare;
mod contracts;
mod headers;

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::{Value, json};
use tempo_assembler::{Columns, Lints};
use tempo_diagnostics::{Colour, Renderer, SourceMap as _};
use tempo_formats::symbols::Symbols;
use tempo_host::term::Progress;
use tempo_host::{Exit, output, term};
use tempo_machine_commands::suite_files::{self as disk, Disk};
use tempo_prove::{
    Answered, Asked, AskedClaim, Claim, Limits, Program, Question, Summary, Verdict, decide, told,
};
use tempo_source_commands::project::{Project, SourceFlags};
use tempo_source_commands::revision::Revision;

/// Decide a claim about a routine for all inputs, or compare two routines
///
/// Takes the bytes of assembled routines and decides from them: what is `proved` is true of every input, what is `refuted`
/// was run on the emulator with the inputs shown. Everything that is neither in the program nor given is unknown: memory,
/// A, X, Y and the flags. D is clear, I is set, and the stack is that of a call.
///
/// A routine is FILE:LABEL. With two of them, what --out names must be equal after both. FILE alone checks the contracts
/// that comments of the source state: `// tempo: requires x < 40`, `ensures a == old(x) * 2`, `keeps x, y` and
/// `clobbers a` above the label of a routine, and `cycles <= 40` after its `rts`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  tempo prove mul.asm:Mul8 --in \"n = byte Num1\" --in \"m = byte Num2\" --claim \"w(Prod) == n * m\"
  tempo prove old.asm:Sqrt new.asm:Sqrt --in \"n = word Num\" --out A --out \"word Result\"
  tempo prove lib.asm                       the contracts of its routines
  tempo prove wait.asm:Wait --in \"n = byte Count\" --ends
  tempo prove sort.asm:Sort --in \"n = long Buf\" --cycles
  tempo prove copy.asm:Copy --given \"word Src = Table\" --in \"n = byte Len in 1..40\" --assume \"n != 7\" --ends

Places: A X Y C Z N V D, byte LABEL, word LABEL, long LABEL (low byte first), and ghost, which only the claim has. A claim \
is made of integers without limit: + - * / % & | ^ << >>, comparisons, and, or, not, which bind as in Python. A X Y C Z N V D \
are the values after the call, inputs those before; b(a) w(a) l(a) is memory after the call, b0(a) a byte before it; a label \
is its address.

Limits count work and not time, so that two machines say the same.

Exit codes: 0 proved, or undecided without --require-proof; 1 refuted, or a source that fails; 2 refused, bad arguments or \
an unreadable file.")]
pub struct Args {
    /// One routine, or two to compare: FILE:LABEL; or a FILE with contracts
    #[arg(required = true, num_args = 1..=2, value_name = "FILE:LABEL")]
    routines: Vec<String>,

    /// An input: `name = PLACE` or `name = PLACE in LOW..HIGH`; may be repeated
    #[arg(long = "in", value_name = "INPUT")]
    inputs: Vec<String>,

    /// A place or an expression in which two routines must agree; may be repeated
    #[arg(long = "out", value_name = "PLACE")]
    outs: Vec<String>,

    /// A place with a fixed value: `byte Mode = 1`; may be repeated
    #[arg(long, value_name = "PLACE=VALUE")]
    given: Vec<String>,

    /// A condition that the inputs satisfy: `x < 40`; may be repeated
    #[arg(long, value_name = "CONDITION")]
    assume: Vec<String>,

    /// A name for a part of the claim: `s = n + m`; may be repeated
    #[arg(long = "let", value_name = "NAME=TERM")]
    lets: Vec<String>,

    /// A condition that holds after the call
    #[arg(long, value_name = "CONDITION", conflicts_with_all = ["ends", "cycles"])]
    claim: Option<String>,

    /// The routine returns for all inputs
    #[arg(long, conflicts_with = "cycles")]
    ends: bool,

    /// The exact least and greatest number of cycles
    #[arg(long)]
    cycles: bool,

    /// The machine; proofs are about a 6502 with 64 KB of memory, and every other machine is refused
    #[arg(long, value_name = "NAME", default_value = "6502")]
    system: String,

    /// With FILE: also what the headers of routines say, `// Clobbers: A` and `// Keeps: X, Y`, where they name registers
    /// and labels
    #[arg(long)]
    headers: bool,

    /// With FILE: each routine whose bytes are others than in this git revision leaves the same, in what its header or
    /// contract names
    #[arg(long, value_name = "REVISION", conflicts_with = "headers")]
    compare: Option<String>,

    /// Exit with 1 unless it is proved
    #[arg(long)]
    require_proof: bool,

    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

    /// Emulated cycles for running all inputs
    #[arg(long, value_name = "N", default_value_t = Limits::default().exhaust, help_heading = "Limits")]
    exhaust: u64,

    /// Instructions executed symbolically
    #[arg(long, value_name = "N", default_value_t = Limits::default().steps, help_heading = "Limits")]
    steps: u64,

    /// States that are alive at once
    #[arg(long, value_name = "N", default_value_t = Limits::default().paths, help_heading = "Limits")]
    paths: usize,

    /// Bytes that an unknown address may mean
    #[arg(long, value_name = "N", default_value_t = Limits::default().addresses, help_heading = "Limits")]
    addresses: usize,

    /// Places that an unknown jump may lead to
    #[arg(long, value_name = "N", default_value_t = Limits::default().targets, help_heading = "Limits")]
    targets: usize,

    /// Conflicts of the solver, over all questions of a claim; 500 propagations count like one, so that easy questions end, too
    #[arg(long, value_name = "N", default_value_t = Limits::default().conflicts, help_heading = "Limits")]
    conflicts: u64,

    /// Nodes of formulas
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes, help_heading = "Limits")]
    nodes: usize,

    /// Cycles of one run
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_cycles, help_heading = "Limits")]
    max_cycles: u64,

    #[command(flatten)]
    source: SourceFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A line for people
    Human,
    /// One JSON object
    Json,
}

/// An assembled source.
pub(crate) struct Assembled {
    pub start: u16,
    pub bytes: Vec<u8>,
    pub symbols: Symbols,
    /// Why nothing is said of it: instructions of another CPU.
    pub foreign: Option<String>,
}

pub fn run(args: Args) -> Exit {
    match answer(&args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn answer(args: &Args) -> Result<Exit, Exit> {
    if let [file] = &args.routines[..]
        && (!file.contains(':') || PathBuf::from(file).is_file())
    {
        let is_question = args.claim.is_some() || args.ends || args.cycles;
        let lists = [&args.inputs, &args.outs, &args.given, &args.assume, &args.lets];
        if is_question || lists.iter().any(|list| !list.is_empty()) {
            return Err(output::complain(format_args!("`{file}`: a routine is FILE:LABEL")));
        }
        return match &args.compare {
            Some(revision) => compare::answer(args, file, revision),
            None => contracts::answer(args, file),
        };
    }
    if args.headers || args.compare.is_some() {
        let option = if args.headers { "--headers" } else { "--compare" };
        return Err(output::complain(format_args!("{option} is about a FILE, not about one routine")));
    }
    let project = args.source.project()?;
    let mut parts: Vec<(Assembled, String)> = Vec::new();
    for routine in &args.routines {
        let Some((file, label)) =
            routine.rsplit_once(':').filter(|(file, label)| !file.is_empty() && !label.is_empty())
        else {
            return Err(output::complain(format_args!("`{routine}`: a routine is FILE:LABEL")));
        };
        parts.push((assemble(&project, file)?, label.to_string()));
    }
    let claim = match (&args.claim, args.ends, args.cycles, parts.len()) {
        (None, false, false, 2) => AskedClaim::Equal(args.outs.clone()),
        (_, _, _, 2) => {
            return Err(output::complain("two routines are compared by --out; a claim is made about one"));
        }
        _ if !args.outs.is_empty() => {
            return Err(output::complain("--out compares two routines; name another, or use --claim"));
        }
        (Some(claim), ..) => AskedClaim::Holds(claim.clone()),
        (None, true, ..) => AskedClaim::Ends,
        (None, _, true, _) => AskedClaim::Cycles,
        _ => {
            return Err(output::complain(
                "nothing is asked: add --claim, --ends, --cycles or another routine",
            ));
        }
    };
    let asked = Asked {
        inputs: args.inputs.clone(),
        given: args.given.clone(),
        lets: args.lets.clone(),
        assume: args.assume.clone(),
        claim,
    };
    let labels: Vec<_> = parts
        .iter()
        .map(|(part, _)| |name: &str| part.symbols.get(name).and_then(|value| u16::try_from(value).ok()))
        .collect();
    let programs: Vec<Program<'_>> = parts
        .iter()
        .zip(&labels)
        .map(|((part, _), label)| Program { bytes: vec![(part.start, &part.bytes[..])], label })
        .collect();
    let named: Vec<(&Program<'_>, &str)> =
        programs.iter().zip(&parts).map(|(program, (_, label))| (program, &label[..])).collect();
    let question = Question::new(&named, &asked, &limits(args)).map_err(output::complain)?;
    let foreign = parts.iter().find_map(|(part, _)| part.foreign.clone());
    let answer = match (system(&args.system)?, foreign) {
        (_, Some(reason)) => Answered::refused(&question, reason),
        (tempo_emu::System::Mos6502, None) => {
            let _progress = Progress::start("deciding", "questions", Some(1));
            decide(&question)
        }
        (other, None) => Answered::refused(
            &question,
            format!("there are no proofs about {}: {}", other.name(), other.title()),
        ),
    };
    let exit = output::print(|out| {
        match args.format {
            Format::Json => writeln!(out, "{}", event(args, &question, &answer))?,
            Format::Human => write!(out, "{}", page(args, &question, &answer))?,
        }
        Ok(Exit::Fine)
    });
    if exit != Exit::Fine {
        return Err(exit);
    }
    Ok(match answer.verdict {
        Verdict::Proved => Exit::Fine,
        Verdict::Refuted => Exit::Failed,
        Verdict::Undecided if args.require_proof => Exit::Failed,
        Verdict::Undecided => Exit::Fine,
        Verdict::Refused => Exit::CannotRun,
    })
}

fn limits(args: &Args) -> Limits {
    Limits {
        exhaust: args.exhaust,
        steps: args.steps,
        paths: args.paths,
        addresses: args.addresses,
        targets: args.targets,
        conflicts: args.conflicts,
        max_cycles: args.max_cycles,
        nodes: args.nodes,
    }
}

/// A machine by its name, here or in suites.
fn system(name: &str) -> Result<tempo_emu::System, Exit> {
    tempo_emu::System::find(name).or_else(|| tempo_emu::System::find_in_suite(name)).ok_or_else(|| {
        output::complain(format_args!(
            "there is no machine `{name}`; `tempo test --help` and docs/machines.md list them"
        ))
    })
}

impl Assembled {
    fn of(file: &str, found: &tempo_assembler::Output) -> Result<Assembled, Exit> {
        let image = found.image.clone().unwrap_or_default();
        let start = u16::try_from(image.start);
        let start =
            start.map_err(|_| output::complain(format_args!("{file}: the program starts above $FFFF")))?;
        let foreign = foreign(found);
        Ok(Assembled { start, bytes: image.bytes, symbols: found.symbols(), foreign })
    }
}

/// The bytes and labels of a source; what is wrong with it is said.
pub(crate) fn assemble(project: &Project, file: &str) -> Result<Assembled, Exit> {
    Assembled::of(file, &assemble_with(project, file, true, None, Lints::default())?)
}

/// Proofs are about the 6502 of the emulator: what its opcodes do elsewhere is something else.
pub(crate) fn foreign(found: &tempo_assembler::Output) -> Option<String> {
    use tempo_isa::Cpu::{Mos6502, Mos6502Documented, Mos6510};
    let analysis = found.analysis.as_ref()?;
    analysis.emissions.iter().find_map(|emission| {
        let cpu = emission.cpu.filter(|cpu| !matches!(cpu, Mos6502 | Mos6502Documented | Mos6510))?;
        let place = found.sources.locate(emission.span.start, Columns::Characters);
        let place = place.map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        Some(format!("there are no proofs about {}: an instruction of it is{place}", cpu.title()))
    })
}

pub(crate) fn assemble_with(
    project: &Project,
    file: &str,
    analysis: bool,
    revision: Option<Revision>,
    lints: Lints,
) -> Result<tempo_assembler::Output, Exit> {
    let is_earlier = revision.is_some();
    let files = Disk::of_program(project, revision);
    let mut options =
        tempo_assembler::Options { defines: project.defines(), ..tempo_assembler::Options::default() };
    options.variables = project.vars();
    options.analysis = analysis;
    options.lints = lints;
    let path = PathBuf::from(file);
    if !is_earlier && let Err(err) = tempo_host::files::read_limited(&path, 64 << 20) {
        return Err(output::complain(format_args!("{file}: {err}")));
    }
    let found = tempo_assembler::assemble(&files, &disk::shown(&path), &options);
    if found.has_errors() {
        let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
        for diagnostic in found.diagnostics.iter().filter(|found| found.is_error()) {
            output::warn(&Renderer::new(&found.sources).colour(colour).human(diagnostic));
        }
        return Err(Exit::Failed);
    }
    Ok(found)
}

/// The answer as one JSON object.
fn event(args: &Args, question: &Question, answer: &Answered) -> Value {
    let summary = Summary::of(answer, &question.inputs);
    let mut event = json!({ "event": "prove", "routines": args.routines });
    if let (Some(event), Ok(Value::Object(fields))) = (event.as_object_mut(), serde_json::to_value(&summary))
    {
        event.extend(fields);
    }
    if let Some(example) = &answer.example {
        event["results"] = json!(example.results);
        let unknowns = unknowns(answer);
        if !unknowns.is_empty() {
            event["unknown"] =
                Value::Object(unknowns.into_iter().map(|(place, value)| (place, json!(value))).collect());
        }
    }
    event
}

/// The settings that an example needs beside the inputs, in order.
fn unknowns(answer: &Answered) -> Vec<(String, u8)> {
    let Some(example) = &answer.example else { return Vec::new() };
    let mut memory: Vec<(u16, u8)> = example.unknowns.memory.iter().map(|(&at, &byte)| (at, byte)).collect();
    memory.sort_unstable();
    let registers =
        example.unknowns.registers.iter().map(|(register, value)| (register.name().to_string(), *value));
    registers.chain(memory.into_iter().map(|(at, byte)| (format!("${at:04X}"), byte))).collect()
}

/// The answer for people.
fn page(args: &Args, question: &Question, answer: &Answered) -> String {
    let name = args.routines.join(" and ");
    let said = Summary::of(answer, &question.inputs).said();
    let mut text = format!("{:<10} {name}  {said}\n", answer.verdict.name());
    if let Some(example) = &answer.example {
        for (routine, result) in
            args.routines.iter().zip(&example.results).filter(|(_, result)| !result.is_empty())
        {
            text += &format!("           {routine}, run again: {result}\n");
        }
        let unknowns = unknowns(answer);
        if !unknowns.is_empty() {
            let shown: Vec<String> =
                unknowns.iter().take(8).map(|(at, byte)| format!("{at} = {byte}")).collect();
            let more =
                if unknowns.len() > 8 { format!(" and {} more", unknowns.len() - 8) } else { String::new() };
            text += &format!("           with {}{more}, which nothing sets\n", shown.join(", "));
        }
        text += &test(args, question, answer);
    }
    if let (Some(cycles), Claim::Cycles) = (&answer.cycles, &question.claim) {
        let at = |values: &[u64]| {
            let shown = told(&question.inputs, values);
            if shown.is_empty() { shown } else { format!(" ({shown})") }
        };
        let word = if answer.verdict == Verdict::Proved { "" } else { " seen" };
        text += &format!(
            "           {} to {} cycles{word}: least{}, most{}\n",
            cycles.min,
            cycles.max,
            at(&cycles.at_min),
            at(&cycles.at_max)
        );
    }
    text
}

/// A refutation as a test that can be pasted into a suite.
fn test(args: &Args, question: &Question, answer: &Answered) -> String {
    let (Some(example), [_]) = (&answer.example, &question.routines[..]) else { return String::new() };
    let Some((_, label)) = args.routines[0].rsplit_once(':') else { return String::new() };
    let mut lines = Vec::new();
    for (place, value) in question.routines[0].places.iter().zip(&example.inputs) {
        use tempo_prove::claim::Place;
        lines.push(match place {
            Place::Ghost => continue,
            Place::Register(register) => format!("{} = {value}", register.name().to_lowercase()),
            Place::Memory(at, bytes) => {
                let bytes: Vec<String> =
                    (0..*bytes).map(|offset| format!("${:02X}", value >> (8 * offset) & 0xff)).collect();
                format!("bytes(${at:04X}, {})", bytes.join(", "))
            }
        });
    }
    for (place, value) in unknowns(answer) {
        lines.push(match place.strip_prefix('$') {
            Some(at) => format!("bytes(${at}, ${value:02X})"),
            None => format!("{} = {value}", place.to_lowercase()),
        });
    }
    lines.push(format!("jsr([{label}])"));
    if let Some(claim) = &args.claim {
        lines.push(format!("// fails: {claim}"));
    }
    let body: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!("\ntest(\"counterexample\", \"found by tempo prove\") {{\n{body}}}\n")
}
