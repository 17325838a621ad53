//! `tempo superoptimise`: shorter or faster code that leaves the same, with the proof that it does.

use serde_json::json;
use tempo_emu::{NoLabels, disassemble_bytes};
use tempo_host::term::Progress;
use tempo_host::{Exit, output};
use tempo_prove::claim::Register;
use tempo_prove::shorter::{Goal, Searched, Subject, search};
use tempo_prove::{Known, Limits, Summary};
use tempo_source_commands::project::SourceFlags;

use crate::cmd::prove::{Assembled, assemble};

/// Look for shorter or faster code that leaves the same, and prove it equal
///
/// Takes the instructions from a label up to the first `rts` and tries sequences of instructions, the short ones first. What
/// --out names must be the same afterwards for every state before; everything else may differ. A sequence is shown
/// only if it is proved equal, and if it is neither longer nor slower.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  tempo superoptimise add.asm:Next --out \"byte Count\" --out Z
  tempo superoptimise mul.asm:Double --out A --out X --given \"D = 0\" --cycles
  tempo superoptimise top.asm:Top --out A --longest 6 --work 100000000000

Registers and flags: A X Y C Z N V. Memory: byte LABEL, word LABEL, long LABEL. Bytes below the stack pointer are never read.

Exit codes: 0 the search ended, with or without a find; 1 a source that fails; 2 code that cannot be replaced, bad \
arguments or an unreadable file.")]
pub struct Args {
    /// The code: FILE:LABEL
    #[arg(value_name = "FILE:LABEL")]
    routine: String,

    /// A result that is read afterwards: `A`, `C`, `byte Count`; may be repeated
    #[arg(long = "out", value_name = "PLACE")]
    outs: Vec<String>,

    /// A register or flag with a known value before: `D = 0`; may be repeated
    #[arg(long, value_name = "REGISTER=VALUE")]
    given: Vec<String>,

    /// Save bytes first, then cycles (the default)
    #[arg(long, conflicts_with = "cycles")]
    size: bool,

    /// Save cycles first, then bytes
    #[arg(long)]
    cycles: bool,

    /// Also use undocumented opcodes that do the same on every chip
    #[arg(long)]
    undocumented: bool,

    /// The most instructions of a sequence
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=7), help_heading = "Limits")]
    longest: u8,

    /// Instructions tried before the search ends
    #[arg(long, value_name = "N", default_value_t = 2_000_000_000, help_heading = "Limits")]
    work: u64,

    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = super::prove::Format::Human)]
    format: super::prove::Format,

    #[command(flatten)]
    source: SourceFlags,
}

pub fn run(args: Args) -> Exit {
    match answer(&args) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn answer(args: &Args) -> Result<Exit, Exit> {
    let project = args.source.project()?;
    let named = args.routine.rsplit_once(':').filter(|(file, label)| !file.is_empty() && !label.is_empty());
    let Some((file, label)) = named else {
        return Err(output::complain(format_args!("`{}`: code is named FILE:LABEL", args.routine)));
    };
    let program = assemble(&project, file)?;
    if let Some(reason) = &program.foreign {
        return Err(output::complain(reason));
    }
    let subject = subject(args, &program, label).map_err(output::complain)?;
    let progress = Progress::start("trying", "instructions", None);
    let found = search(&subject, &mut |length, work| {
        progress.set_position(work);
        progress.set_message(format!(", sequences of {length}"));
    });
    drop(progress);
    if let Some(reason) = &found.reason {
        return Err(output::complain(format_args!("{}: {reason}", args.routine)));
    }
    let before: Vec<u8> = (0..subject.len).filter_map(|at| subject.known.get(subject.at + at)).collect();
    let printed = output::print(|out| {
        match args.format {
            super::prove::Format::Json => writeln!(out, "{}", event(args, &subject, &before, &found))?,
            super::prove::Format::Human => write!(out, "{}", page(args, &subject, &before, &found))?,
        }
        Ok(Exit::Fine)
    });
    Ok(printed)
}

fn subject(args: &Args, program: &Assembled, label: &str) -> Result<Subject, String> {
    let place = |name: &str| -> Result<u16, String> {
        let value = program.symbols.get(name.trim()).or_else(|| super::cycles::number(name.trim()));
        let value = value.ok_or_else(|| format!("there is no label `{}`", name.trim()))?;
        u16::try_from(value).map_err(|_| format!("`{}` is not an address", name.trim()))
    };
    let at = place(label)?;
    let mut known = Known::default();
    for (address, &byte) in (program.start..=0xffff).zip(&program.bytes) {
        known.insert(address, byte);
    }
    for address in [0x01fc, 0x01fd] {
        known.insert(address, 0xff);
    }
    let mut len = 0u16;
    loop {
        let opcode = at.checked_add(len).and_then(|address| known.get(address));
        let opcode = opcode.ok_or_else(|| format!("`{label}` has no `rts` at its end"))?;
        if opcode == tempo_isa::opcodes::RTS {
            break;
        }
        len += tempo_isa::Cpu::Mos6502.decode(opcode).len() as u16;
        if len > 64 {
            return Err(format!("`{label}` is longer than 64 bytes up to its `rts`"));
        }
    }
    let (mut live, mut live_bytes) = (Vec::new(), Vec::new());
    for out in &args.outs {
        let out = out.trim();
        if let Some(register) = Register::parse(out) {
            live.push(register);
            continue;
        }
        let sizes = [("byte ", 1), ("word ", 2), ("long ", 4)];
        let found = sizes.iter().find_map(|(word, size)| Some((out.strip_prefix(word)?, *size)));
        let (name, size) = found.ok_or_else(|| {
            format!("`{out}` is not a place: A X Y C Z N V, `byte LABEL`, `word LABEL`, `long LABEL`")
        })?;
        let first = place(name)?;
        live_bytes.extend((0..size).map(|offset| first.wrapping_add(offset)));
    }
    if live.is_empty() && live_bytes.is_empty() {
        return Err("nothing is read afterwards: name it with --out".to_string());
    }
    let mut given = Vec::new();
    for text in &args.given {
        let pair = text.split_once('=').and_then(|(left, right)| {
            Some((Register::parse(left.trim())?, super::cycles::number(right.trim())?))
        });
        let pair = pair.and_then(|(register, value)| Some((register, u8::try_from(value).ok()?)));
        let (register, value) =
            pair.ok_or_else(|| format!("`{text}`: a known register is written `D = 0`"))?;
        if u32::from(value) >> register.width() != 0 {
            return Err(format!("`{text}`: {value} does not fit"));
        }
        given.push((register, value));
    }
    Ok(Subject {
        known,
        at,
        len,
        live,
        live_bytes,
        given,
        undocumented: args.undocumented,
        goal: if args.cycles { Goal::Cycles } else { Goal::Bytes },
        longest: args.longest.into(),
        work: args.work,
        limits: Limits::default(),
    })
}

fn text(at: u16, code: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut offset = 0;
    while offset < code.len() {
        let one = disassemble_bytes(tempo_isa::Cpu::Mos6502, at + offset as u16, &code[offset..]);
        lines.push(one.with_labels(&NoLabels).to_string());
        offset += one.row.len();
    }
    lines
}

fn event(args: &Args, subject: &Subject, before: &[u8], found: &Searched) -> serde_json::Value {
    let mut event = json!({
        "event": "superoptimise",
        "routine": args.routine,
        "before": { "code": text(subject.at, before), "bytes": found.before.bytes, "cycles": found.before.cycles },
        "work": found.work,
        "complete": found.complete,
    });
    if let Some(best) = &found.best {
        event["after"] = json!({ "code": text(subject.at, &best.code), "bytes": best.cost.bytes, "cycles": best.cost.cycles });
        event["proof"] = serde_json::to_value(Summary::of(&best.proof, &[])).unwrap_or_default();
    }
    event
}

fn page(args: &Args, subject: &Subject, before: &[u8], found: &Searched) -> String {
    let searched = match found.complete >= subject.longest {
        true => format!("all sequences up to {} instructions were tried", found.complete),
        false => format!("the search ended at {} instructions tried (--work)", found.work),
    };
    let Some(best) = &found.best else {
        return format!("{}: nothing shorter or faster was found; {searched}\n", args.routine);
    };
    let listed = |code: &[u8]| match code.is_empty() {
        true => "(nothing)".to_string(),
        false => text(subject.at, code).join("; "),
    };
    format!(
        "{}: saves {} bytes, {} cycles\n  before  {}  ({} bytes, {} cycles)\n  after   {}  ({} bytes, {} cycles)\n  proved  {}\n  {searched}\n",
        args.routine,
        found.before.bytes - best.cost.bytes,
        found.before.cycles - best.cost.cycles,
        listed(before),
        found.before.bytes,
        found.before.cycles,
        listed(&best.code),
        best.cost.bytes,
        best.cost.cycles,
        Summary::of(&best.proof, &[]).said(),
    )
}
