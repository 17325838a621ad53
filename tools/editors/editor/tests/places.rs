//! Fixtures of `tests/editor/places`: sources with marked places, and beside each what is answered there.
//!
//! A place is a `‸` in the text, which is taken out; several are numbered from 1. The first line names the question:
//! `// ask: hover`, in a suite `; ask: completion`, and after `on` the machine. `FILE.expected` has the answers.

use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_assembler::{Lints, MemoryFiles, Options};
use tempo_diagnostics::{Columns, Span};
use tempo_editor::{FileSpan, Folder, HintKinds, Place, Snapshot};
use tempo_emu::System;

const MARK: char = '‸';

fn main() {
    let arguments = Arguments::from_args();
    let folder = tempo_testing::fixtures().join("editor/places");
    let mut trials = Vec::new();
    let mut paths = tempo_testing::files_with_extension(&folder, "asm");
    paths.extend(tempo_testing::files_with_extension(&folder, "6502"));
    for path in paths {
        let name = tempo_testing::stem(&path);
        trials.push(Trial::test(name, move || run(&path).map_err(Failed::from)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// The fixture without its marks, and where they were.
fn marked(text: &str) -> (String, Vec<u32>) {
    let (mut out, mut places) = (String::new(), Vec::new());
    for letter in text.chars() {
        if letter == MARK {
            places.push(out.len() as u32);
        } else {
            out.push(letter);
        }
    }
    (out, places)
}

fn run(path: &Path) -> Result<(), String> {
    let (text, places) = marked(&tempo_testing::text(path));
    let is_suite = path.extension().is_some_and(|extension| extension == "6502");
    let first = text.lines().next().unwrap_or_default().trim_start_matches(['/', ';']);
    let questions = first.strip_prefix(" ask: ").ok_or("no question")?;
    let (questions, system) = match questions.split_once(" on ") {
        Some((questions, word)) => (questions, System::find(word.trim()).ok_or("no such machine")?),
        None => (questions, Folder::SYSTEM),
    };
    let questions: Vec<String> = questions.split_whitespace().map(str::to_owned).collect();
    let file = if is_suite { "main.6502" } else { "main.asm" };
    let mut texts = vec![(file, text.clone())];
    let beside = path.with_extension("lib");
    if beside.exists() {
        texts.push((if is_suite { "main.asm" } else { "lib.asm" }, tempo_testing::text(&beside)));
    }
    let snapshot = open(&texts, system);
    let mut out = String::new();
    for question in &questions {
        let whole: &[u32] = &[0];
        let places = if matches!(
            &question[..],
            "outline" | "folds" | "links" | "hints" | "tokens" | "lens" | "problems"
        ) {
            whole
        } else {
            &places
        };
        for (index, &offset) in places.iter().enumerate() {
            // A selection is from one mark to the next.
            if question == "refactor" && index % 2 == 1 {
                continue;
            }
            let end = places.get(index + 1).copied().unwrap_or(offset);
            let place = Place { file, offset };
            let line = source(&snapshot, file).position(offset, Columns::Characters);
            out.push_str(&format!("== {question} {} at {}:{}\n", index + 1, line.line, line.column));
            let texts = &texts[..];
            out.push_str(&match &question[..] {
                "actions" => actions(&snapshot, place, Span::at(offset), texts),
                "refactor" => actions(&snapshot, place, Span { start: offset, end }, texts),
                _ => answer(&snapshot, question, place, &text),
            });
            out.push('\n');
        }
    }
    tempo_testing::compare(&path.with_extension("expected"), &out)
}

/// A workspace of some texts.
fn open(texts: &[(&str, String)], system: System) -> Snapshot {
    let files: MemoryFiles = texts.iter().cloned().collect();
    let options = Options { lints: Lints::with_style(), ..Options::default() };
    let is_suite = |name: &str| name.ends_with(".6502");
    let suites = texts.iter().filter(|(name, _)| is_suite(name)).map(|(name, _)| (*name, true));
    let folder = Folder { path: String::new(), files: Arc::new(files), options, system };
    let snapshot = Snapshot::of_folders(folder, []).with_roots(["main.asm"]).with_suites(suites);
    snapshot.problems();
    snapshot
}

/// The actions offered, the text after each, and whether the problem is gone then.
fn actions(snapshot: &Snapshot, place: Place<'_>, span: Span, texts: &[(&str, String)]) -> String {
    let text = &texts[0].1;
    let count = |snapshot: &Snapshot, code: Option<tempo_editor::ProblemCode>| {
        snapshot.problems().values().flatten().filter(|problem| problem.code == code).count()
    };
    let mut out = String::new();
    for action in tempo_editor::actions(snapshot, place.file, span) {
        let edits: Vec<&tempo_editor::Edit> = action.edits.iter().collect();
        let after = tempo_editor::apply(text, &edits);
        let news: Vec<&str> = after.lines().filter(|line| !text.lines().any(|old| old == *line)).collect();
        let mark = if action.is_preferred { "!" } else { "" };
        out.push_str(&format!("{:?}{mark} {}: {}\n", action.kind, action.title, news.join(" / ")));
        if let Some(problem) = &action.fixes {
            let system = snapshot.folder_of(place.file).system;
            let mut texts = texts.to_vec();
            texts[0].1 = after;
            let is_gone = count(&open(&texts, system), problem.code) < count(snapshot, problem.code);
            out.push_str(&format!(
                "  {} {}\n",
                problem.code.map_or("-", |code| code.as_str()),
                if is_gone { "is gone" } else { "stays" }
            ));
        }
    }
    out
}

fn source(snapshot: &Snapshot, file: &str) -> tempo_diagnostics::Source {
    snapshot.source(file).expect("a file of the fixture")
}

fn shown(snapshot: &Snapshot, place: &FileSpan) -> String {
    let source = source(snapshot, &place.file);
    let at = source.location(place.span.start, Columns::Characters);
    format!("{at} `{}`", source.slice(place.span).lines().next().unwrap_or(""))
}

fn answer(snapshot: &Snapshot, question: &str, place: Place<'_>, text: &str) -> String {
    let lines = |lines: Vec<String>| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let span = |span: Span| shown(snapshot, &FileSpan { file: "main.asm".to_owned(), span });
    match question {
        "hover" => tempo_editor::hover(snapshot, place).map_or("nothing\n".to_owned(), |hover| {
            format!("[{}]\n{}\n", shown(snapshot, &hover.place), hover.text)
        }),
        "definition" => lines(
            tempo_editor::definition(snapshot, place).iter().map(|place| shown(snapshot, place)).collect(),
        ),
        "references" => lines(
            tempo_editor::references(snapshot, place, true)
                .iter()
                .map(|place| shown(snapshot, place))
                .collect(),
        ),
        "highlight" => lines(
            tempo_editor::highlights(snapshot, place)
                .iter()
                .map(|found| {
                    format!(
                        "{} {}",
                        if found.is_write { "write" } else { "read" },
                        shown(snapshot, &found.place)
                    )
                })
                .collect(),
        ),
        "completion" => {
            let list = |typed: &str| vec![(format!("{typed}lib.asm"), false), ("folder".to_owned(), true)];
            let found = tempo_editor::completions(snapshot, place, &list);
            let shown = found.iter().take(12).map(|item| {
                let replaced = &text[item.span.start as usize..item.span.end as usize];
                format!("{:?} {} -> {} for `{replaced}` ({})", item.kind, item.label, item.text, item.detail)
            });
            let more = found.len().saturating_sub(12);
            let mut shown: Vec<String> = shown.collect();
            if more > 0 {
                shown.push(format!(
                    "and {}",
                    if more > 20 { "many more".to_owned() } else { format!("{more} more") }
                ));
            }
            lines(shown)
        }
        "signature" => tempo_editor::signature_help(snapshot, place).map_or("nothing\n".to_owned(), |help| {
            let list = help.signatures.iter().enumerate().map(|(index, signature)| {
                let mark = if index == help.active { ">" } else { " " };
                format!(
                    "{mark} {} [{}] {}",
                    signature.label,
                    signature.arguments.join("|"),
                    signature.text.trim()
                )
            });
            format!("argument {}\n{}", help.argument, lines(list.collect()))
        }),
        "selection" => lines(
            tempo_editor::selection(snapshot, place)
                .into_iter()
                .map(|found| format!("{}..{} {}", found.start, found.end, span(found)))
                .collect(),
        ),
        "outline" => {
            fn tree(
                items: &[tempo_editor::OutlineItem],
                depth: usize,
                span: &dyn Fn(Span) -> String,
                out: &mut Vec<String>,
            ) {
                for item in items {
                    let indent = "  ".repeat(depth);
                    let detail =
                        if item.detail.is_empty() { String::new() } else { format!(" {}", item.detail) };
                    out.push(format!(
                        "{indent}{:?} {}{detail} {} in {}..{}",
                        item.kind,
                        item.name,
                        span(item.name_span),
                        item.span.start,
                        item.span.end
                    ));
                    tree(&item.children, depth + 1, span, out);
                }
            }
            let mut out = Vec::new();
            tree(&tempo_editor::outline(snapshot, place.file), 0, &span, &mut out);
            lines(out)
        }
        "folds" => lines(
            tempo_editor::folds(snapshot, place.file)
                .iter()
                .map(|fold| {
                    let source = source(snapshot, place.file);
                    let line = |offset| source.position(offset, Columns::Bytes).line;
                    format!("{:?} {}-{}", fold.kind, line(fold.span.start), line(fold.span.end))
                })
                .collect(),
        ),
        "links" => lines(
            tempo_editor::links(snapshot, place.file)
                .iter()
                .map(|link| format!("{} -> {} ({} bytes)", span(link.span), link.target, link.size))
                .collect(),
        ),
        "hints" => {
            let kinds = HintKinds { addresses: true, cycles: true, macro_size: true, values: true };
            let whole = Span { start: 0, end: text.len() as u32 };
            // The text with its hints in it reads best.
            let mut out = text.to_owned();
            for hint in tempo_editor::hints(snapshot, place.file, whole, kinds).iter().rev() {
                let shown = if hint.is_before {
                    format!("⟨{}⟩ ", hint.label)
                } else {
                    format!(" ⟨{}⟩", hint.label)
                };
                out.insert_str(hint.offset as usize, &shown);
            }
            out
        }
        "tokens" => lines(
            tempo_editor::semantic_tokens(snapshot, place.file, Span { start: 0, end: u32::MAX })
                .iter()
                .map(|token| {
                    let names = tempo_editor::MODIFIERS
                        .iter()
                        .enumerate()
                        .filter(|(bit, _)| token.modifiers & (1 << bit) != 0);
                    let names: Vec<&str> = names.map(|(_, name)| *name).collect();
                    format!("{} {:?} {}", span(token.span), token.kind, names.join(" ")).trim_end().to_owned()
                })
                .collect(),
        ),
        "lens" => lines(
            tempo_editor::lenses(snapshot, place.file)
                .iter()
                .map(|lens| format!("{}: {}", span(lens.span), lens.title))
                .collect(),
        ),
        "problems" => {
            let all = snapshot.problems();
            lines(
                all.values()
                    .flatten()
                    .map(|problem| {
                        let related: Vec<String> = problem
                            .related
                            .iter()
                            .map(|related| {
                                format!("\n    {}: {}", shown(snapshot, &related.place), related.message)
                            })
                            .collect();
                        format!(
                            "{:?} {} {}: {}{}",
                            problem.severity,
                            problem.code.map_or("-", |code| code.as_str()),
                            shown(snapshot, &problem.place),
                            problem.message.replace('\n', " / "),
                            related.concat()
                        )
                    })
                    .collect(),
            )
        }
        "rename" => {
            let found = tempo_editor::rename(snapshot, place, "renamed");
            match found {
                Err(reason) => format!("refused: {reason}\n"),
                Ok(edits) => lines(
                    edits
                        .iter()
                        .map(|edit| shown(snapshot, &FileSpan { file: edit.file.clone(), span: edit.span }))
                        .collect(),
                ),
            }
        }
        "expand" => tempo_editor::expansion(snapshot, place).unwrap_or_else(|| "nothing\n".to_owned()),
        "calls" => {
            let Some(routine) = tempo_editor::routine_at(snapshot, place) else {
                return "nothing\n".to_owned();
            };
            let calls = |word: &str, list: Vec<tempo_editor::CallsOf>| -> String {
                list.iter()
                    .map(|calls| format!("{word} {} ({})\n", calls.routine.name, calls.places.len()))
                    .collect()
            };
            format!(
                "{}\n{}{}",
                routine.name,
                calls("<-", tempo_editor::incoming_calls(snapshot, &routine.place)),
                calls("->", tempo_editor::outgoing_calls(snapshot, &routine.place))
            )
        }
        other => panic!("unknown question {other}"),
    }
}
