//! `tempo lint`: warnings about a program that assembles, and shorter code that is certain. The assembler finds the warnings;
//! what can be shorter is `tempo_prove`'s.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use serde_json::{Value, json};
use tempo_assembler::analysis::{Analysis, Emission, SymbolKind};
use tempo_assembler::{Columns, Lints, Output};
use tempo_diagnostics::{Colour, Diagnostic, NoCode, Renderer, SourceMap as _, Span};
use tempo_host::term::Progress;
use tempo_host::{Exit, output, term};
use tempo_isa::{Class, Cpu, Flow, Mode};
use tempo_prove::optimise::{Listing, Suggestion, optimise};

use crate::cmd::prove::{Format, assemble_with, foreign};
use crate::project::SourceFlags;

/// Warn about a program, and show code that can be shorter
///
/// Assembles a source and prints all warnings, those of style left out. With --optimise it also looks for short runs of
/// instructions in place of which less code leaves the same in everything that is read afterwards: registers, flags and
/// memory. Each is proved for all inputs. Code with labels inside, with cycles that a comment states, in macros that are
/// used more than once, or that reaches chips or the stack page, stays as it is.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  tempo lint game.asm
  tempo lint game.asm --optimise
  tempo lint game.asm --optimise --undocumented --format json

Exit codes: 0 the source was checked, with or without warnings; 1 a source that fails; 2 an unreadable file, bad arguments \
or --optimise for another CPU than the 6502.")]
pub struct Args {
    /// The source
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Show where less code does the same
    #[arg(long)]
    optimise: bool,

    /// Also use undocumented opcodes that do the same on every chip
    #[arg(long, requires = "optimise")]
    undocumented: bool,

    /// How it is printed
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,

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
    let file = args.file.display().to_string();
    let found = assemble_with(&project, &file, true, None, Lints::all())?;
    let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
    for diagnostic in found.diagnostics.iter().filter(|_| args.format == Format::Human) {
        output::warn(&Renderer::new(&found.sources).colour(colour).human(diagnostic));
    }
    if !args.optimise {
        return Ok(Exit::Fine);
    }
    if let Some(reason) = foreign(&found) {
        return Err(output::complain(reason));
    }
    let Some(analysis) = &found.analysis else { return Ok(Exit::Fine) };
    let listing = listing(args, &found, analysis);
    let progress = Progress::start("proving", "runs of instructions", None);
    let suggestions = optimise(&listing, &|count| progress.inc(count as u64));
    drop(progress);
    let code = code(analysis);
    let printed = output::print(|out| {
        for suggestion in &suggestions {
            let text = text(&found, analysis, &code, suggestion);
            match args.format {
                Format::Json => writeln!(out, "{}", event(&found, &text, suggestion))?,
                Format::Human => {
                    let diagnostic = shown(&text, suggestion);
                    write!(out, "{}", Renderer::new(&found.sources).human(&diagnostic))?;
                }
            }
        }
        if args.format == Format::Human {
            let (bytes, count) = (saved(&suggestions), suggestions.len());
            let places = tempo_diagnostics::plural(count, "place");
            writeln!(out, "{places} can be shorter or faster: {bytes} bytes less in all")?;
        }
        Ok(Exit::Fine)
    });
    Ok(printed)
}

fn saved(suggestions: &[Suggestion]) -> u32 {
    suggestions.iter().map(|it| it.before.bytes - it.after.bytes).sum()
}

/// The instructions of a program by their addresses.
fn code(analysis: &Analysis) -> HashMap<u16, &Emission> {
    let instructions = analysis.emissions.iter().filter(|emission| emission.cpu.is_some());
    instructions.filter_map(|it| Some((u16::try_from(it.run_address).ok()?, it))).collect()
}

fn listing<'a>(args: &Args, found: &Output, analysis: &'a Analysis) -> Listing<'a> {
    let mut listing = Listing {
        instructions: Vec::new(),
        named: HashSet::new(),
        frozen: HashSet::new(),
        undocumented: args.undocumented,
    };
    // What a macro or a loop repeats is the same text in several places.
    let mut counts: HashMap<Span, u32> = HashMap::new();
    for emission in &analysis.emissions {
        *counts.entry(emission.span).or_default() += 1;
    }
    let counted = counted(found, analysis);
    for emission in analysis.emissions.iter().filter(|emission| emission.cpu.is_some()) {
        let Ok(at) = u16::try_from(emission.run_address) else { continue };
        let bytes = analysis.bytes(emission);
        let row = Cpu::Mos6502.decode(bytes[0]);
        match (bytes, row.effects.flow, row.mode) {
            (&[_, offset], Flow::Branch, _) => {
                let next = at.wrapping_add(2);
                listing.named.insert(next.wrapping_add_signed(i16::from(offset.cast_signed())));
            }
            (&[_, lo, hi], ..) => {
                listing.named.insert(u16::from_le_bytes([lo, hi]));
            }
            _ => {}
        }
        let is_counted =
            counted.iter().any(|span| span.start <= emission.span.start && emission.span.start < span.end);
        if counts[&emission.span] > 1 || emission.address != emission.run_address || is_counted {
            listing.frozen.insert(at);
        }
        listing.instructions.push((at, bytes));
    }
    let labels = analysis
        .symbols
        .iter()
        .filter(|symbol| matches!(symbol.kind, SymbolKind::Label | SymbolKind::MultiLabel));
    for value in labels.flat_map(|symbol| &symbol.values).filter_map(|value| value.number) {
        if (0.0..65536.0).contains(&value) {
            listing.named.insert(value as u16);
        }
    }
    listing
}

/// Texts whose cycles a comment states: from the label before it, or from the mark where counting begins.
fn counted(found: &Output, analysis: &Analysis) -> Vec<Span> {
    let mut all = Vec::new();
    for (file, source) in found.sources.iter().filter(|(file, _)| file.0 > 0) {
        let base = found.sources.base(file);
        let mut mark = None;
        for (span, words) in tempo_assembler::tempo_comments(source.text()) {
            let span = span.shifted(base);
            if words == "count" || words.starts_with("count ") {
                mark = Some(span.start);
            } else if words.starts_with("cycles") {
                let labels = analysis.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Label);
                let before =
                    labels.map(|symbol| symbol.span.start).filter(|&at| base <= at && at < span.start);
                let start = before.max().into_iter().chain(mark.take()).min().unwrap_or(base);
                all.push(Span { start, end: span.end });
            }
        }
    }
    all
}

/// A suggestion in the words of its source.
struct Text {
    /// From the first instruction to the last one.
    span: Span,
    before: Vec<String>,
    after: Vec<String>,
}

fn text(
    found: &Output,
    analysis: &Analysis,
    code: &HashMap<u16, &Emission>,
    suggestion: &Suggestion,
) -> Text {
    let mut operands: HashMap<u16, String> = HashMap::new();
    let (mut before, mut span, mut at) = (Vec::new(), Span::at(0), suggestion.at);
    for number in 0..suggestion.count {
        let Some(emission) = code.get(&at) else { break };
        let bytes = analysis.bytes(emission);
        let word = found.sources.text_of(emission.span);
        let rest = rest(found, emission.span);
        if matches!(Cpu::Mos6502.decode(bytes[0]).mode, Mode::ZeroPage | Mode::Absolute) {
            let address = bytes[1..].iter().rev().fold(0, |sum, &byte| sum << 8 | u16::from(byte));
            operands.entry(address).or_insert_with(|| rest.to_string());
        }
        before.push(format!("{word} {rest}").trim_end().to_string());
        span = if number == 0 { emission.span } else { span.to(emission.span) };
        at = at.wrapping_add(bytes.len() as u16);
    }
    let (mut after, mut offset) = (Vec::new(), 0);
    while offset < suggestion.code.len() {
        let row = Cpu::Mos6502.decode(suggestion.code[offset]);
        let bytes = &suggestion.code[offset + 1..offset + row.len()];
        let address = bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u16::from(byte));
        let name = row.mnemonic.name();
        after.push(match row.mode {
            Mode::Implied => name.to_string(),
            Mode::Immediate => format!("{name} #${address:02X}"),
            _ if row.class == Class::Branch => format!("{name} * + {}", 2 + address),
            _ => {
                let operand = operands.get(&address).cloned();
                format!("{name} {}", operand.unwrap_or_else(|| format!("${address:02X}")))
            }
        });
        offset += row.len();
    }
    Text { span, before, after }
}

/// The operand of an instruction as it is written.
fn rest(found: &Output, word: Span) -> &str {
    let Some(at) = found.sources.find(word.end) else { return "" };
    let text = &at.source.text()[(word.end - at.base) as usize..];
    let line = text.lines().next().unwrap_or("");
    let ends = ["//", "/*", ";", "}"].iter().filter_map(|end| line.find(end));
    line[..ends.min().unwrap_or(line.len())].trim()
}

fn shown(text: &Text, suggestion: &Suggestion) -> Diagnostic<NoCode> {
    let help = match &text.after[..] {
        [] => "leave them out".to_string(),
        after => format!("write `{}`", after.join("; ")),
    };
    Diagnostic::warning(NoCode, text.span, suggestion.said()).help(help).note(proof(suggestion))
}

fn proof(suggestion: &Suggestion) -> String {
    let binary = if suggestion.needs_binary { "; D is clear, since nothing sets it" } else { "" };
    format!("proved {}{binary}", suggestion.proof)
}

fn event(found: &Output, text: &Text, suggestion: &Suggestion) -> Value {
    let place = found.sources.locate(text.span.start, Columns::Characters);
    let dead: Vec<&str> = suggestion.dead.iter().map(|register| register.name()).collect();
    json!({
        "event": "optimise",
        "file": place.as_ref().map(|at| at.file.clone()),
        "line": place.as_ref().map(|at| at.line),
        "address": suggestion.at,
        "message": suggestion.said(),
        "before": { "code": text.before, "bytes": suggestion.before.bytes, "cycles": suggestion.before.cycles },
        "after": { "code": text.after, "bytes": suggestion.after.bytes, "cycles": suggestion.after.cycles },
        "dead": dead,
        "proof": proof(suggestion),
    })
}
