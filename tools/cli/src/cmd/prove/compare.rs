//! `tempo prove FILE --compare REVISION`: each routine whose bytes are others than in a revision leaves the same, in what its
//! header or contract names.

use serde_json::{Value, json};
use tempo_assembler::analysis::SymbolKind;
use tempo_assembler::{Lints, Output};
use tempo_diagnostics::Columns;
use tempo_diagnostics::SourceMap as _;
use tempo_host::{Exit, output};
use tempo_prove::{Answered, Asked, AskedClaim, Program, Question, Summary, Verdict, decide};
use tempo_source_commands::revision::Revision;

use super::contracts::labelled;
use super::{Args, Assembled, Format, assemble_with, headers, limits};

/// A routine with a header or a contract.
struct Routine {
    name: String,
    entry: u16,
    /// Where its description begins.
    at: u32,
    description: headers::Description,
}

pub(super) fn answer(args: &Args, file: &str, revision: &str) -> Result<Exit, Exit> {
    let project = args.source.project()?;
    let revision = Revision::open(revision).map_err(output::complain)?;
    let (shown, hash) = (revision.shown(), revision.hash.clone());
    let now = assemble_with(&project, file, true, None, Lints::default())?;
    let then = assemble_with(&project, file, true, Some(revision), Lints::default()).inspect_err(|_| {
        output::complain(format_args!("revision {shown} cannot be compared: see the errors above"));
    })?;
    let (new, old) = (Assembled::of(file, &now)?, Assembled::of(file, &then)?);
    let (routines, earlier) = (routines(&now), routines(&then));
    let entries = |all: &[Routine]| all.iter().map(|routine| routine.entry).collect::<Vec<u16>>();
    let (new_entries, old_entries) = (entries(&routines), entries(&earlier));
    let (mut exit, mut count) = (Exit::Fine, 0);
    for routine in &routines {
        let Some(before) = earlier.iter().find(|known| known.name == routine.name) else { continue };
        if bytes(&new, routine.entry, &new_entries) == bytes(&old, before.entry, &old_entries) {
            continue;
        }
        count += 1;
        let observed = observed(routine, &now, &then);
        let answer = ask(args, [before, routine], &observed, [&then, &now], [&old, &new])?;
        let place = now.sources.locate(routine.at, Columns::Characters);
        let (name, line) = place.map_or((file.to_string(), 0), |at| (at.file, at.line));
        let printed = output::print(|out| {
            match args.format {
                Format::Json => {
                    let mut event = json!({
                        "event": "prove", "routine": routine.name, "file": name, "line": line,
                        "revision": hash, "observed": observed,
                    });
                    if let (Some((question, answer)), Some(event)) = (&answer, event.as_object_mut())
                        && let Ok(Value::Object(fields)) =
                            serde_json::to_value(Summary::of(answer, &question.inputs))
                    {
                        event.extend(fields);
                    }
                    writeln!(out, "{event}")?;
                }
                Format::Human => {
                    write!(out, "{}", page(routine, &format!("{name}:{line}"), &observed, &answer))?
                }
            }
            Ok(Exit::Fine)
        });
        if printed != Exit::Fine {
            return Err(printed);
        }
        match answer.map(|(_, answer)| answer.verdict) {
            Some(Verdict::Refuted) => exit = Exit::Failed,
            Some(Verdict::Undecided) | None if args.require_proof => exit = Exit::Failed,
            Some(Verdict::Refused) if exit == Exit::Fine => exit = Exit::CannotRun,
            _ => {}
        }
    }
    if args.format == Format::Human {
        let routines = tempo_diagnostics::plural(count, "routine");
        output::say(&format!("{routines} with other bytes than in {shown}\n"));
    }
    Ok(exit)
}

/// Asks whether a routine leaves the same as before; nothing is asked without results.
fn ask(
    args: &Args,
    routines: [&Routine; 2],
    observed: &[String],
    found: [&Output; 2],
    [old, new]: [&Assembled; 2],
) -> Result<Option<(Question, Answered)>, Exit> {
    if observed.is_empty() {
        return Ok(None);
    }
    let names = &routines[1].description.inputs;
    let mut inputs: Vec<String> = Vec::new();
    for name in names.iter().filter(|name| found.iter().all(|found| is_place(found, name))) {
        let input = format!("in_{} = byte {name}", name.replace('.', "_"));
        if !inputs.contains(&input) {
            inputs.push(input);
        }
    }
    let label = |program: &Assembled, name: &str| address(program, name);
    let (old_label, new_label) = (|name: &str| label(old, name), |name: &str| label(new, name));
    let programs = [
        Program { bytes: vec![(old.start, &old.bytes[..])], label: &old_label },
        Program { bytes: vec![(new.start, &new.bytes[..])], label: &new_label },
    ];
    let entries = routines.map(|routine| routine.entry.to_string());
    let named: Vec<(&Program<'_>, &str)> =
        programs.iter().zip(&entries).map(|(program, entry)| (program, entry.as_str())).collect();
    let asked = Asked { inputs, claim: AskedClaim::Equal(observed.to_vec()), ..Asked::default() };
    let question = Question::new(&named, &asked, &limits(args))
        .map_err(|err| output::complain(format_args!("{}: {err}", routines[1].name)))?;
    let answer = match old.foreign.as_ref().or(new.foreign.as_ref()) {
        Some(reason) => Answered::refused(&question, reason.clone()),
        None => decide(&question),
    };
    Ok(Some((question, answer)))
}

fn page(
    routine: &Routine,
    place: &str,
    observed: &[String],
    answer: &Option<(Question, Answered)>,
) -> String {
    let name = &routine.name;
    let Some((question, answer)) = answer else {
        return format!("{:<10} {place}  {name}  its header names no result\n", "undecided");
    };
    let said = Summary::of(answer, &question.inputs).said();
    let mut text =
        format!("{:<10} {place}  {name}  same {}  {said}\n", answer.verdict.name(), observed.join(", "));
    if let Some(example) = &answer.example {
        for (when, result) in ["before", "now"].iter().zip(&example.results) {
            text += &format!("           {when:<6} {result}\n");
        }
    }
    text
}

fn routines(found: &Output) -> Vec<Routine> {
    let mut all: Vec<Routine> = Vec::new();
    let Some(analysis) = &found.analysis else { return all };
    for (file, source) in found.sources.iter().filter(|(file, _)| file.0 > 0) {
        let base = found.sources.base(file);
        for (span, description) in headers::descriptions(source.text()) {
            let at = span.start + base;
            let Some(label) = labelled(found, analysis, file, at) else { continue };
            match all.iter_mut().find(|known| known.name == label.name) {
                Some(known) => known.description.extend(description),
                None => all.push(Routine { name: label.name, entry: label.entry, at, description }),
            }
        }
    }
    all
}

/// Registers, flags and bytes that a description names and both programs have.
fn observed(routine: &Routine, now: &Output, then: &Output) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in &routine.description.results {
        let text = match name.as_str() {
            "A" | "X" | "Y" | "C" | "Z" | "N" | "V" => name.clone(),
            name if is_place(now, name) && is_place(then, name) => format!("byte {name}"),
            _ => continue,
        };
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

fn is_place(found: &Output, name: &str) -> bool {
    let symbol = found.analysis.as_ref().and_then(|analysis| analysis.find(name));
    symbol.is_some_and(|symbol| {
        symbol.kind == SymbolKind::Label
            && symbol
                .values
                .first()
                .and_then(|value| value.number)
                .is_some_and(|at| (0.0..65536.0).contains(&at))
    })
}

fn address(program: &Assembled, name: &str) -> Option<u16> {
    program.symbols.get(name).and_then(|value| u16::try_from(value).ok())
}

/// The bytes from a routine to the next one that is described.
fn bytes<'a>(program: &'a Assembled, entry: u16, entries: &[u16]) -> &'a [u8] {
    let end = entries.iter().filter(|&&other| other > entry).min().map(|&end| usize::from(end));
    let at = |address: usize| address.saturating_sub(usize::from(program.start)).min(program.bytes.len());
    let end = end.map_or(program.bytes.len(), at);
    program.bytes.get(at(usize::from(entry))..end).unwrap_or(&[])
}
