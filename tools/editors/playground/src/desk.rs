//! Questions of the page and their answers. Positions are counted as a page counts: in UTF-16 units.

use std::sync::Arc;

use serde_json::{Value, json};
use tempo_assembler::{Files as _, Options, Output, assemble};
use tempo_console::{Console, NoFiles, SLICE, Then};
use tempo_dap::TestOptions;
use tempo_dap::recording::{open, record_tests};
use tempo_debug::{Debugger, Setup};
use tempo_diagnostics::{Severity, Span};
use tempo_editor::{Place, Snapshot, completions, hover, is_suite, page};
use tempo_formats::d64;
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::diag::Diagnostic;
use tempo_harness::events::Event;
use tempo_harness::parse::{Dialect, parse};
use tempo_harness::run::{NoClock, RunOptions, run};
use tempo_harness::source::Source;
use tempo_rig::file::{self, About, Kind, SourceSet};

use crate::files::PageFiles;

/// The files of the page and what is known about them.
#[derive(Default)]
pub struct Desk {
    files: PageFiles,
    main: String,
    snapshot: Option<Snapshot>,
    debugger: Option<(Debugger, Console)>,
}

/// An answer: JSON, and bytes if there are any.
type Answer = Result<(Value, Vec<u8>), String>;

impl Desk {
    /// Answers a question: JSON, a line end, bytes. A fault is `{"fault": "…"}`.
    pub fn ask(&mut self, question: &[u8]) -> (Value, Vec<u8>) {
        let end = question.iter().position(|&byte| byte == b'\n').unwrap_or(question.len());
        let bytes = question.get(end + 1..).unwrap_or_default();
        let answer = serde_json::from_slice(&question[..end]).map_err(|err| err.to_string());
        let answer = answer.and_then(|question: Value| self.answer(&question, bytes));
        answer.unwrap_or_else(|fault| (json!({ "fault": fault }), Vec::new()))
    }

    fn answer(&mut self, question: &Value, bytes: &[u8]) -> Answer {
        let text = |name: &str| question[name].as_str().unwrap_or("");
        let plain = |value: Value| Ok((value, Vec::new()));
        match text("do") {
            "set" => self.set(text("path"), bytes),
            "remove" => {
                self.files.0.remove(text("path"));
                self.snapshot = None;
                plain(Value::Null)
            }
            "clear" => {
                *self = Desk::default();
                plain(Value::Null)
            }
            "main" => {
                self.main = text("path").to_string();
                self.snapshot = None;
                plain(Value::Null)
            }
            "build" => self.build(),
            "problems" => {
                let problems = self.problems();
                plain(problems)
            }
            "hover" => {
                let answer = self.hover(text("path"), question["at"].as_u64().unwrap_or(0) as usize);
                plain(answer)
            }
            "complete" => {
                let answer = self.complete(text("path"), question["at"].as_u64().unwrap_or(0) as usize);
                plain(answer)
            }
            "test" => self.test().and_then(plain),
            "record" => self.record(text("suite"), text("test")),
            "sources" => Ok((Value::Null, self.sources())),
            "d64" => self.disk(text("name")),
            "open" => self.open(bytes).and_then(plain),
            "command" => self.command(text("text")).and_then(plain),
            other => Err(format!("there is no question `{other}`")),
        }
    }

    fn set(&mut self, path: &str, bytes: &[u8]) -> Answer {
        self.files.0.insert(path.to_string(), Arc::new(bytes.to_vec()));
        if let Some(old) = self.snapshot.take() {
            let files = Arc::new(self.files.clone());
            let changed = old.changed([files as _], &|one| one == path);
            self.snapshot = Some(self.with_all(changed));
        }
        Ok((Value::Null, Vec::new()))
    }

    fn with_all(&self, snapshot: Snapshot) -> Snapshot {
        let suites = self.files.0.keys().filter(|path| is_suite(path)).map(|path| (path.clone(), true));
        snapshot.with_roots([self.main.clone()]).with_suites(suites)
    }

    fn snapshot(&mut self) -> &Snapshot {
        if self.snapshot.is_none() {
            let new = Snapshot::new(Arc::new(self.files.clone()), Options::default());
            self.snapshot = Some(self.with_all(new));
        }
        self.snapshot.as_ref().expect("it was just made")
    }

    fn text(&self, path: &str) -> String {
        let text = self.files.0.get(path).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        text.unwrap_or_default()
    }

    fn assemble(&self) -> Output {
        let options = Options { source_map: true, symbols: true, ..Options::default() };
        assemble(&self.files, &self.main, &options)
    }

    fn build(&self) -> Answer {
        let output = self.assemble();
        let errors = page::errors(&output);
        if output.has_errors() {
            return Ok((json!({ "program": self.main, "media": 0, "errors": errors }), Vec::new()));
        }
        let prg = output.prg().ok_or_else(|| format!("{}: the source makes no bytes", self.main))?;
        let mut about = page::about(&output);
        about["program"] = self.main.clone().into();
        about["media"] = 0.into();
        about["errors"] = errors;
        about["console"] = output.console.clone().into();
        Ok((about, prg))
    }

    fn problems(&mut self) -> Value {
        let all = self.snapshot().problems();
        let mut by_file = serde_json::Map::new();
        for (path, problems) in all {
            let text = self.text(&path);
            let shown = problems.iter().map(|problem| {
                let Span { start, end } = problem.place.span;
                json!({
                    "from": to_utf16(&text, start), "to": to_utf16(&text, end),
                    "severity": match problem.severity {
                        Severity::Error => "error",
                        Severity::Warning => "warning",
                        _ => "info",
                    },
                    "code": problem.code.map(|code| code.as_str()),
                    "message": problem.message,
                })
            });
            let shown: Vec<Value> = shown.collect();
            by_file.insert(path, shown.into());
        }
        by_file.into()
    }

    fn hover(&mut self, path: &str, at: usize) -> Value {
        let text = self.text(path);
        let offset = to_bytes(&text, at);
        let found = hover(self.snapshot(), Place { file: path, offset });
        found.map_or(Value::Null, |found| {
            let Span { start, end } = found.place.span;
            json!({ "text": found.text, "from": to_utf16(&text, start), "to": to_utf16(&text, end) })
        })
    }

    fn complete(&mut self, path: &str, at: usize) -> Value {
        let text = self.text(path);
        let offset = to_bytes(&text, at);
        let files = self.files.clone();
        let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
        let list = |beginning: &str| files.list(&format!("{folder}{beginning}"));
        let found = completions(self.snapshot(), Place { file: path, offset }, &list);
        let shown = found.into_iter().take(500).map(|one| {
            let kind = format!("{:?}", one.kind).to_ascii_lowercase();
            json!({
                "label": one.label, "text": one.text, "kind": kind, "detail": one.detail,
                "from": to_utf16(&text, one.span.start), "to": to_utf16(&text, one.span.end),
            })
        });
        shown.collect()
    }

    fn test(&self) -> Result<Value, String> {
        let cache = AssemblyCache::default();
        let (mut plans, mut faults) = (Vec::new(), Vec::new());
        for (path, bytes) in self.files.0.iter().filter(|(path, _)| is_suite(path)) {
            let mut source = Source::from_bytes(path, bytes)?;
            let parsed = parse(&mut source, Dialect::Full, &self.files);
            let source = Arc::new(source);
            let shown = |all: &[Diagnostic]| -> Vec<Value> {
                let errors = all.iter().filter(|one| one.is_error());
                let errors = errors.map(|one| {
                    let at = source.location(one.span.unwrap_or_default());
                    json!({ "file": at.file, "line": at.line, "column": at.column, "message": one.message })
                });
                errors.collect()
            };
            faults.extend(shown(&parsed.diagnostics));
            if parsed.has_errors() {
                continue;
            }
            let checked = check(&source, &parsed.file, CheckOptions::default(), &self.files, &cache);
            faults.extend(shown(&checked.diagnostics));
            if !checked.has_errors() {
                plans.push(checked.plan);
            }
        }
        let options = RunOptions { jobs: 1, ..RunOptions::default() };
        let (mut tests, mut suites) = (Vec::new(), Vec::new());
        run(&plans, &options, &NoClock, &mut |event| match event {
            Event::SuiteStarted { file, .. } => suites.push(file),
            Event::Test(test) => {
                let failures = test.failures.iter().map(|failure| {
                    json!({ "message": failure.message, "file": failure.location.file, "line": failure.location.line })
                });
                let failures: Vec<Value> = failures.collect();
                tests.push(json!({
                    "suite": test.suite_name, "id": test.id, "description": test.description,
                    "path": suites.get(test.suite), "outcome": test.outcome.text(), "cycles": test.cycles,
                    "failures": failures, "file": test.location.file, "line": test.location.line,
                }));
            }
            _ => {}
        });
        Ok(json!({ "tests": tests, "faults": faults }))
    }

    fn record(&self, suite: &str, test: &str) -> Answer {
        let bytes = self.files.read(suite, None).map_err(|err| format!("{suite}: {err}"))?.bytes;
        let options = TestOptions::default();
        let recorded = record_tests(suite, &bytes, &self.files, &[test.to_string()], &options, &|path| {
            path.to_string()
        })?;
        let (_, made) = recorded.into_iter().next().ok_or("nothing was recorded")?;
        Ok((Value::Null, made?))
    }

    /// A recording without a course, for the C64 to add one.
    fn sources(&self) -> Vec<u8> {
        let files = self.files.0.iter().map(|(path, bytes)| (path.clone(), bytes.to_vec()));
        let sources = SourceSet { files: files.collect(), asks: Vec::new() };
        let about = About {
            tempo: env!("CARGO_PKG_VERSION").to_string(),
            kind: Kind::Session,
            program: self.main.clone(),
            ..About::default()
        };
        file::write(&about, None, &sources, None)
    }

    fn disk(&self, name: &str) -> Answer {
        let output = self.assemble();
        if output.has_errors() {
            return Err("the source has errors".to_string());
        }
        let bytes = output.prg().ok_or("the source makes no bytes")?;
        let name: String = name.to_ascii_uppercase().chars().take(16).collect();
        let options = d64::Options { name: name.clone(), id: "TP 2A".to_string(), ..d64::Options::default() };
        let file =
            d64::File { name, kind: d64::Kind::Prg, locked: false, hide: false, interleave: None, bytes };
        d64::build(&options, &[file]).map(|image| (Value::Null, image)).map_err(|err| err.to_string())
    }

    /// Opens a recording in the debugger, at its moment of interest.
    fn open(&mut self, bytes: &[u8]) -> Result<Value, String> {
        let recording = file::read(bytes).map_err(|err| err.to_string())?;
        let files = recording.sources.files.clone();
        let setup = Setup { history: 64, ..Setup::default() };
        let (target, mut lines) = open(recording, &setup).map_err(|(message, _)| message)?;
        let mut debugger = Debugger::new(target);
        let console = Console::default();
        debugger.resume();
        let stopped = loop {
            if let Some(stopped) = debugger.run(SLICE) {
                break stopped;
            }
        };
        lines.extend(console.stop_lines(&mut debugger, &stopped).into_iter().map(|line| line.text));
        self.debugger = Some((debugger, console));
        let mut answer = self.standing(lines);
        let texts = files.iter().filter_map(|(path, bytes)| Some((path, std::str::from_utf8(bytes).ok()?)));
        answer["files"] = texts.map(|(path, text)| json!({ "path": path, "text": text })).collect();
        Ok(answer)
    }

    fn command(&mut self, text: &str) -> Result<Value, String> {
        let (debugger, console) = self.debugger.as_mut().ok_or("no recording is open")?;
        let desk = tempo_console::Desk { debugger, remote: None, files: &NoFiles };
        let answer = console.command(desk, text).map_err(|problem| problem.text)?;
        let mut lines: Vec<String> = answer.lines.into_iter().map(|line| line.text).collect();
        if answer.then == Then::Runs {
            /// A page that waits this long is given up on.
            const SLICES: usize = 4000;
            let stopped = (0..SLICES).find_map(|_| debugger.run(SLICE));
            let stopped = stopped.unwrap_or_else(|| debugger.pause());
            lines.extend(console.stop_lines(debugger, &stopped).into_iter().map(|line| line.text));
        }
        Ok(self.standing(lines))
    }

    /// Where the debugger's machine stands.
    fn standing(&self, lines: Vec<String>) -> Value {
        let Some((debugger, _)) = &self.debugger else { return Value::Null };
        let registers = debugger.machine().registers();
        let place = debugger.top_place().map(|place| json!({ "file": place.path, "line": place.line }));
        json!({
            "lines": lines, "place": place, "cycles": debugger.machine().cycles(),
            "pc": registers.pc, "a": registers.a, "x": registers.x, "y": registers.y, "s": registers.s,
            "p": registers.p.byte(),
        })
    }
}

/// The position of a byte offset as a page counts.
fn to_utf16(text: &str, offset: u32) -> usize {
    let end = text.floor_char_boundary((offset as usize).min(text.len()));
    text[..end].encode_utf16().count()
}

/// The byte offset of a position as a page counts.
fn to_bytes(text: &str, at: usize) -> u32 {
    let mut left = at;
    for (offset, character) in text.char_indices() {
        if left < character.len_utf16() {
            return offset as u32;
        }
        left -= character.len_utf16();
    }
    text.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn ask(desk: &mut Desk, question: Value, bytes: &[u8]) -> (Value, Vec<u8>) {
        let mut input = question.to_string().into_bytes();
        input.push(b'\n');
        input.extend(bytes);
        desk.ask(&input)
    }

    fn desk(main: &str, suite: &str) -> Desk {
        let mut desk = Desk::default();
        for (path, text) in
            [("src/main.asm", main), ("src/lib.asm", "Nine: lda #9\n rts\n"), ("t/a.6502", suite)]
        {
            ask(&mut desk, json!({ "do": "set", "path": path }), text.as_bytes());
        }
        ask(&mut desk, json!({ "do": "main", "path": "src/main.asm" }), b"");
        desk
    }

    const MAIN: &str = "// ä€\n*=$1000\nStart: jsr Nine\n rts\n#import \"lib.asm\"\n";
    const SUITE: &str = "suites { suite(\"s\") { assemble(\"../src/main.asm\")\n\
        test(\"good\", \"\") { jsr([Start]) assert(a == 9) }\n\
        test(\"bad\", \"\") { jsr([Start]) assert(a == 8, \"eight\") } } }\n";

    #[test]
    fn a_program_is_built_with_its_lines() {
        let mut desk = desk(MAIN, SUITE);
        let (about, prg) = ask(&mut desk, json!({ "do": "build" }), b"");
        assert_eq!(prg[..2], [0, 0x10]);
        assert_eq!((about["errors"].clone(), about["files"].as_array().map(Vec::len)), (json!([]), Some(2)));
        let (_, image) = ask(&mut desk, json!({ "do": "d64", "name": "game" }), b"");
        assert_eq!(image.len(), 174_848);
    }

    #[test]
    fn problems_follow_the_text_and_count_as_a_page_does() {
        let mut desk = desk(MAIN, SUITE);
        let (none, _) = ask(&mut desk, json!({ "do": "problems" }), b"");
        assert_eq!(none["src/main.asm"], json!([]));
        let broken = MAIN.replace("jsr Nine", "jsr Nien");
        ask(&mut desk, json!({ "do": "set", "path": "src/main.asm" }), broken.as_bytes());
        let (found, _) = ask(&mut desk, json!({ "do": "problems" }), b"");
        let first = &found["src/main.asm"][0];
        assert_eq!((&first["severity"], &first["from"]), (&json!("error"), &json!(25)));
        // The name is found in the other file, too.
        let at = MAIN.find("Nine").expect("it is there") - 3;
        ask(&mut desk, json!({ "do": "set", "path": "src/main.asm" }), MAIN.as_bytes());
        let (hover, _) = ask(&mut desk, json!({ "do": "hover", "path": "src/main.asm", "at": at }), b"");
        assert!(hover["text"].as_str().is_some_and(|text| text.contains("Nine")), "{hover}");
        let (list, _) =
            ask(&mut desk, json!({ "do": "complete", "path": "src/main.asm", "at": at + 2 }), b"");
        assert!(list.as_array().is_some_and(|all| all.iter().any(|one| one["label"] == "Nine")), "{list}");
    }

    #[test]
    fn a_failing_test_is_recorded_and_opened_where_it_fails() {
        let mut desk = desk(MAIN, SUITE);
        let (results, _) = ask(&mut desk, json!({ "do": "test" }), b"");
        let outcomes: Vec<&str> = results["tests"]
            .as_array()
            .expect("tests")
            .iter()
            .filter_map(|test| test["outcome"].as_str())
            .collect();
        assert_eq!(outcomes, ["passed", "failed"]);
        let question = json!({ "do": "record", "suite": "t/a.6502", "test": "s/bad" });
        let (fault, recording) = ask(&mut desk, question, b"");
        assert_eq!(fault, Value::Null);
        let (stand, _) = ask(&mut Desk::default(), json!({ "do": "open" }), &recording);
        assert_eq!(
            (&stand["place"]["file"], &stand["place"]["line"], &stand["a"]),
            (&json!("t/a.6502"), &json!(3), &json!(9))
        );
        let mut other = Desk::default();
        ask(&mut other, json!({ "do": "open" }), &recording);
        let (back, _) = ask(&mut other, json!({ "do": "command", "text": "back" }), b"");
        assert!(back["fault"].is_null() && back["cycles"].as_u64() <= stand["cycles"].as_u64(), "{back}");
    }

    #[test]
    fn nonsense_is_a_fault() {
        let mut desk = Desk::default();
        for question in [
            &b"{"[..],
            b"",
            b"{\"do\":\"dance\"}",
            b"{\"do\":\"open\"}\nTEMPOREC",
            b"{\"do\":\"command\",\"text\":\"back\"}",
        ] {
            let (answer, _) = desk.ask(question);
            assert!(answer["fault"].as_str().is_some_and(|fault| !fault.is_empty()), "{answer}");
        }
    }
}
