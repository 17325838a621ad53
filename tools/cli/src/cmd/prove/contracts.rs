//! `tempo prove FILE`: the contracts that comments of a source state, each decided for all inputs. Which clause speaks of which
//! routine is found here; what a clause means is `tempo_prove`'s.

use serde_json::{Value, json};
use tempo_assembler::analysis::{Analysis, SymbolKind};
use tempo_assembler::{Columns, Lints, Output};
use tempo_diagnostics::{Colour, Diagnostic, FileId, NoCode, Renderer, SourceMap, Span};
use tempo_host::{Exit, output, term};
use tempo_isa::opcodes::RTS;
use tempo_prove::contract::{Clause, ContractError};
use tempo_prove::{Answered, Asked, AskedClaim, Limits, Program, Question, Summary, Verdict, decide};

use super::{Args, Assembled, Format, assemble_with, headers, limits, unknowns};

/// A clause of a routine, or a limit on its cycles.
struct Stated {
    routine: usize,
    /// Its words.
    span: Span,
    kind: Kind,
}

enum Kind {
    Clause(Clause),
    Cycles(Bound, u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtMost,
    AtLeast,
    Exactly,
}

pub(super) struct Routine {
    pub name: String,
    pub entry: u16,
}

/// The statements of a source, and what is wrong with some.
#[derive(Default)]
struct Contracts {
    routines: Vec<Routine>,
    stated: Vec<Stated>,
    faults: Vec<Diagnostic<NoCode>>,
}

pub(super) fn answer(args: &Args, file: &str) -> Result<Exit, Exit> {
    let project = args.source.project()?;
    let found = assemble_with(&project, file, true, None, Lints::default())?;
    let program = Assembled::of(file, &found)?;
    let mut contracts = Contracts::of(&found);
    let colour = if term::stderr_colour() { Colour::Ansi } else { Colour::Plain };
    let complain = |fault: &Diagnostic<NoCode>| {
        output::warn(&Renderer::new(&found.sources).colour(colour).human(fault));
    };
    let mut exit = Exit::Fine;
    for fault in &contracts.faults {
        complain(fault);
        exit = Exit::Failed;
    }
    if args.headers {
        contracts.read_headers(&found);
    }
    if contracts.stated.is_empty() && contracts.faults.is_empty() {
        return Err(output::complain(format_args!(
            "{file} states no contract: name a routine with FILE:LABEL, or write `// tempo: ensures a == old(x) * 2` \
             before its label"
        )));
    }
    let label = |name: &str| program.symbols.get(name).and_then(|value| u16::try_from(value).ok());
    let image = Program { bytes: vec![(program.start, &program.bytes[..])], label: &label };
    let mut counts = [0usize; 4];
    for (number, stated) in contracts.stated.iter().enumerate() {
        let asked = match contracts.question(number, &image, &limits(args)) {
            None => continue,
            Some(Ok(question)) => question,
            Some(Err(fault)) => {
                complain(&fault);
                exit = Exit::Failed;
                continue;
            }
        };
        let answer = match &program.foreign {
            Some(reason) => Answered::refused(&asked, reason.clone()),
            None => stated.judge(decide(&asked)),
        };
        let at = found.sources.locate(stated.span.start, Columns::Characters);
        let (name, line) = at.map_or((file.to_string(), 0), |at| (at.file, at.line));
        let words = found.sources.text_of(stated.span);
        let routine = &contracts.routines[stated.routine].name;
        let printed = output::print(|out| {
            match args.format {
                Format::Json => writeln!(out, "{}", event(&name, line, routine, words, &asked, &answer))?,
                Format::Human => write!(out, "{}", page(&name, line, routine, words, &asked, &answer))?,
            }
            Ok(Exit::Fine)
        });
        if printed != Exit::Fine {
            return Err(printed);
        }
        counts[answer.verdict as usize] += 1;
        match answer.verdict {
            Verdict::Refuted => exit = Exit::Failed,
            Verdict::Undecided if args.require_proof => exit = Exit::Failed,
            Verdict::Refused if exit == Exit::Fine => exit = Exit::CannotRun,
            Verdict::Proved | Verdict::Undecided | Verdict::Refused => {}
        }
    }
    if args.headers && args.format == Format::Human {
        let all = [Verdict::Proved, Verdict::Refuted, Verdict::Undecided, Verdict::Refused];
        let told = all.map(|verdict| format!("{} {}", counts[verdict as usize], verdict.name()));
        output::say(&format!("{}\n", told.join(", ")));
    }
    Ok(exit)
}

impl Contracts {
    fn of(found: &Output) -> Contracts {
        let mut contracts = Contracts::default();
        let Some(analysis) = &found.analysis else { return contracts };
        for (file, source) in found.sources.iter().filter(|(file, _)| file.0 > 0) {
            let base = found.sources.base(file);
            let mut count: Option<u32> = None;
            for (span, words) in tempo_assembler::tempo_comments(source.text()) {
                let span = span.shifted(base);
                if words == "count" || words.starts_with("count ") {
                    count = Some(line_start(found, span.start));
                    continue;
                }
                if let Some((bound, cycles)) = cycles(words) {
                    if let Some(entry) = run(found, analysis, file, span.start, count.take()) {
                        let routine = contracts.routine(entry);
                        contracts.stated.push(Stated { routine, span, kind: Kind::Cycles(bound, cycles) });
                    }
                    continue;
                }
                let Some(clause) = Clause::parse(words) else { continue };
                let entry = labelled(found, analysis, file, span.start);
                match (clause, entry) {
                    (Err(error), _) => contracts.faults.push(fault(span, &error)),
                    (Ok(_), None) => contracts.faults.push(
                        Diagnostic::error(NoCode, span, "no label of a routine follows this contract")
                            .help("a contract stands above the label of its routine, or in its line"),
                    ),
                    (Ok(clause), Some(entry)) => {
                        let routine = contracts.routine(entry);
                        contracts.stated.push(Stated { routine, span, kind: Kind::Clause(clause) });
                    }
                }
            }
        }
        contracts
    }

    /// Adds what the headers of routines say.
    fn read_headers(&mut self, found: &Output) {
        let Some(analysis) = &found.analysis else { return };
        let symbols = found.symbols();
        let is_label = |name: &str| symbols.get(name).is_some_and(|value| u16::try_from(value).is_ok());
        for (file, source) in found.sources.iter().filter(|(file, _)| file.0 > 0) {
            for (span, clause) in headers::clauses(source.text(), &is_label) {
                let span = span.shifted(found.sources.base(file));
                if let Some(entry) = labelled(found, analysis, file, span.start) {
                    let routine = self.routine(entry);
                    self.stated.push(Stated { routine, span, kind: Kind::Clause(clause) });
                }
            }
        }
    }

    fn routine(&mut self, routine: Routine) -> usize {
        let known = self.routines.iter().position(|it| it.entry == routine.entry && it.name == routine.name);
        known.unwrap_or_else(|| {
            self.routines.push(routine);
            self.routines.len() - 1
        })
    }

    fn question(
        &self,
        number: usize,
        program: &Program<'_>,
        limits: &Limits,
    ) -> Option<Result<Question, Diagnostic<NoCode>>> {
        let stated = &self.stated[number];
        let entry = self.routines[stated.routine].entry.to_string();
        if let Kind::Cycles(..) = stated.kind {
            let asked = Asked { claim: AskedClaim::Cycles, ..Asked::default() };
            let question = Question::new(&[(program, &entry)], &asked, limits);
            return Some(question.map_err(|err| Diagnostic::error(NoCode, stated.span, err.to_string())));
        }
        let of_routine = self.stated.iter().filter(|it| it.routine == stated.routine);
        let own: Vec<(Span, &Clause)> = of_routine
            .filter_map(|it| match &it.kind {
                Kind::Clause(clause) => Some((it.span, clause)),
                Kind::Cycles(..) => None,
            })
            .collect();
        let clauses: Vec<Clause> = own.iter().map(|(_, clause)| (*clause).clone()).collect();
        let number = own.iter().position(|(span, _)| *span == stated.span)?;
        let asked = Clause::question(&clauses, number, program, &entry, limits)?;
        Some(asked.map_err(|err| fault(own[err.clause].0, &err)))
    }
}

impl Stated {
    /// A limit on cycles is compared with the bounds that were found.
    fn judge(&self, mut answer: Answered) -> Answered {
        let (Kind::Cycles(bound, limit), Some(cycles)) = (&self.kind, &answer.cycles) else { return answer };
        let is_exceeded = match bound {
            Bound::AtMost => cycles.max > *limit,
            Bound::AtLeast => cycles.min < *limit,
            Bound::Exactly => cycles.max > *limit || cycles.min < *limit,
        };
        // What was seen is enough to refute it.
        if is_exceeded && matches!(answer.verdict, Verdict::Proved | Verdict::Undecided) {
            answer.verdict = Verdict::Refuted;
        }
        answer
    }
}

fn fault(words: Span, error: &ContractError) -> Diagnostic<NoCode> {
    let place = |at: usize| (words.start + at as u32).min(words.end);
    let span = Span { start: place(error.span.start), end: place(error.span.end) };
    Diagnostic::error(NoCode, span, error.message.clone()).help(error.help)
}

/// `cycles <= 40`: the bound and the limit. What is counted by the loop is left to the assembler.
fn cycles(words: &str) -> Option<(Bound, u64)> {
    let rest = words.strip_prefix("cycles")?.trim_start();
    let (bound, rest) = match rest.get(..2) {
        Some("<=") => (Bound::AtMost, &rest[2..]),
        Some(">=") => (Bound::AtLeast, &rest[2..]),
        Some("==") => (Bound::Exactly, &rest[2..]),
        _ => (Bound::Exactly, rest),
    };
    let rest = rest.trim_start();
    let (digits, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let is_loop = rest.trim_start().starts_with("per");
    digits.parse().ok().filter(|_| !is_loop).map(|cycles| (bound, cycles))
}

fn line_start(found: &Output, offset: u32) -> u32 {
    let Some(at) = found.sources.find(offset) else { return offset };
    let local = (offset - at.base) as usize;
    at.base + at.source.text()[..local].rfind('\n').map_or(0, |at| at + 1) as u32
}

fn line_end(found: &Output, offset: u32) -> u32 {
    let Some(at) = found.sources.find(offset) else { return offset };
    let local = (offset - at.base) as usize;
    offset + at.source.text()[local..].find('\n').unwrap_or(at.source.text().len() - local) as u32
}

/// The labels of a file that are declared before a colon, by their place, with their addresses.
fn labels<'a>(
    found: &'a Output,
    analysis: &'a Analysis,
    file: FileId,
) -> impl Iterator<Item = (u32, Routine)> + 'a {
    analysis.symbols.iter().filter_map(move |symbol| {
        let is_here = symbol.kind == SymbolKind::Label && found.sources.file_of(symbol.span.start) == file;
        let end = symbol.span.end;
        let is_place = is_here && found.sources.text_of(Span { start: end, end: end + 1 }) == ":";
        let number = symbol.values.first().and_then(|value| value.number).filter(|_| is_place)?;
        let entry = (0.0..=65535.0).contains(&number).then_some(number as u16)?;
        Some((symbol.span.start, Routine { name: analysis.path(symbol), entry }))
    })
}

/// The routine that a contract speaks of: that of the label in its line, or of the next one below.
pub(super) fn labelled(found: &Output, analysis: &Analysis, file: FileId, comment: u32) -> Option<Routine> {
    let line = line_start(found, comment);
    let all = labels(found, analysis, file).filter(|(at, _)| *at >= line);
    all.min_by_key(|(at, _)| *at).map(|(_, routine)| routine)
}

/// The run that ends with the `rts` in the line of a comment: from a mark, or from the last label before it.
fn run(
    found: &Output,
    analysis: &Analysis,
    file: FileId,
    comment: u32,
    mark: Option<u32>,
) -> Option<Routine> {
    let line = line_start(found, comment);
    let is_rts = analysis
        .emissions
        .iter()
        .any(|emission| (line..comment).contains(&emission.span.start) && analysis.bytes(emission) == [RTS]);
    if !is_rts {
        return None;
    }
    let before = labels(found, analysis, file).filter(|(at, _)| *at < comment);
    // A label in the line of the mark, or the last one.
    match mark {
        Some(mark) => {
            let end = line_end(found, mark);
            let mut all = before.filter(|(at, _)| (mark..=end).contains(at));
            all.next().map(|(_, routine)| routine)
        }
        None => before.max_by_key(|(at, _)| *at).map(|(_, routine)| routine),
    }
}

fn page(file: &str, line: u32, routine: &str, words: &str, question: &Question, answer: &Answered) -> String {
    let said = Summary::of(answer, &question.inputs).said();
    let mut text = format!("{:<10} {file}:{line}  {routine}  {words}  {said}\n", answer.verdict.name());
    if let Some(cycles) = &answer.cycles {
        text = format!(
            "{:<10} {file}:{line}  {routine}  {words}  {} to {} cycles\n",
            answer.verdict.name(),
            cycles.min,
            cycles.max
        );
    }
    if let Some(example) = &answer.example {
        for result in example.results.iter().filter(|result| !result.is_empty()) {
            text += &format!("           run again: {result}\n");
        }
        let unknowns: Vec<String> =
            unknowns(answer).iter().map(|(place, value)| format!("{place} = {value}")).collect();
        if !unknowns.is_empty() {
            text += &format!("           with {}, which nothing sets\n", unknowns.join(", "));
        }
    }
    text
}

fn event(file: &str, line: u32, routine: &str, words: &str, question: &Question, answer: &Answered) -> Value {
    let mut event = json!({
        "event": "prove", "contract": words, "routine": routine, "file": file, "line": line,
    });
    let summary = serde_json::to_value(Summary::of(answer, &question.inputs));
    if let (Some(event), Ok(Value::Object(fields))) = (event.as_object_mut(), summary) {
        event.extend(fields);
    }
    if let Some(example) = &answer.example {
        event["results"] = json!(example.results);
    }
    event
}
