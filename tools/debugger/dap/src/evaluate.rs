//! Expressions and commands that a person types.

use serde_json::{Value, json};
use tempo_debug::{Debugger, Input, Subject, Writer, parse_number};

use crate::arguments::{Arguments, reference};
use crate::session::{Answer, Session};
use crate::state::Handle;

const COMMANDS: [(&str, &str); 13] = [
    ("m", "m from [to]: memory"),
    ("d", "d [address]: disassembly"),
    (">", "> address bytes: write memory"),
    ("g", "g address: set PC"),
    ("bt", "bt: the calls"),
    ("cov", "cov: what has run"),
    ("trace", "trace [n]: the last instructions"),
    ("why", "why [label] | a | c: who made this value"),
    ("last", "last condition: when it was last true; goes there"),
    ("at", "at time: to a moment, as `why` and `last` name it"),
    ("save", "save file from to: memory to a file"),
    ("load", "load file address: a file to memory"),
    ("help", "this list"),
];

impl Session {
    pub(crate) fn evaluate(&mut self, given: Arguments<'_>) -> Answer {
        self.standing()?;
        let text = given.text("expression").unwrap_or("").trim().to_string();
        let context = given.text("context").unwrap_or("repl");
        if let Some(rest) = text.strip_prefix("why ") {
            let answer = self.why_text(rest)?;
            return Ok(json!({"result": answer, "variablesReference": 0}));
        }
        if context == "repl"
            && let Some(answer) = self.command(&text)
        {
            return answer.map(|result| json!({"result": result, "variablesReference": 0}));
        }
        if context == "repl"
            && let Some((target, value)) = assignment(&text)
        {
            let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
            let place = debugger.place_of(target);
            let (shown, dropped) = debugger.assign(target, value)?;
            self.changed(place, dropped);
            return Ok(json!({"result": shown, "variablesReference": 0}));
        }
        let debugger = self.standing()?;
        let answer = debugger.evaluate(&text)?;
        let mut shown = answer.text.clone();
        if given.get("format").flag("hex") && answer.width <= 1 {
            shown = format!("${:02x}", answer.value);
        }
        if context == "hover"
            && let Some(operand) = hovered(debugger, &text)
        {
            shown = format!("{shown}\n{operand}");
        }
        let mut body = json!({"result": shown, "variablesReference": 0});
        if context == "hover"
            && answer.address.is_none()
            && is_place(&text)
            && let Some(address) = u16::try_from(answer.value).ok().filter(|&address| address > 0xff)
        {
            let byte = tempo_debug::show_byte(debugger.machine().peek(address));
            body["result"] = format!("{shown}\n[${address:04x}] is {byte} now").into();
            body["memoryReference"] = reference(address).into();
        }
        if let Some(address) = answer.address {
            body["memoryReference"] = reference(address).into();
            if answer.width > 2 {
                body["variablesReference"] = self.handle_for(Handle::Bytes(address, answer.width)).into();
                body["indexedVariables"] = answer.width.into();
            }
        }
        Ok(body)
    }

    /// Who made a value, as text.
    fn why_text(&self, text: &str) -> Result<String, String> {
        let debugger = self.standing()?;
        let subject = subject(debugger, text)?;
        Ok(describe(debugger, subject, debugger.time(), 3))
    }

    /// `tempo/why {expression, time?}`: the same for programs.
    pub(crate) fn why_request(&mut self, given: Arguments<'_>) -> Answer {
        let debugger = self.standing()?;
        let subject = subject(debugger, given.text("expression").unwrap_or(""))?;
        let time = given.number("time").and_then(|time| u64::try_from(time).ok()).unwrap_or(debugger.time());
        Ok(match debugger.why_at(subject, time) {
            Writer::Nobody => json!({"kind": "nobody"}),
            Writer::Outside { time, value } => json!({"kind": "outside", "time": time, "value": value}),
            Writer::Instruction(maker) => json!({
                "kind": "instruction", "time": maker.time, "cycles": maker.cycles, "address": reference(maker.pc),
                "instruction": maker.text, "value": maker.value, "place": debugger.place(maker.pc),
                "source": self.source_at(maker.pc), "line": self.line_at(maker.pc),
                "calls": maker.calls.iter().map(|call| debugger.place(call.from)).collect::<Vec<_>>(),
                "uses": maker.uses.iter().map(|(subject, value)| json!({"expression": subject.to_string(), "value": value})).collect::<Vec<_>>(),
            }),
        })
    }

    fn command(&mut self, text: &str) -> Option<Result<String, String>> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let words: Vec<&str> = rest.split_whitespace().collect();
        if !COMMANDS.iter().any(|(name, _)| *name == word) {
            return None;
        }
        Some(self.run_command(word, rest, &words))
    }

    fn run_command(&mut self, word: &str, rest: &str, words: &[&str]) -> Result<String, String> {
        let debugger = self.standing()?;
        let address = |text: &str| -> Result<u16, String> {
            let value = match parse_number(text) {
                Some(value) => value,
                None => debugger.value(text)?,
            };
            u16::try_from(value).map_err(|_| format!("{text} is outside of memory"))
        };
        match word {
            "help" => Ok(COMMANDS.map(|(_, help)| help).join("\n")),
            "m" => {
                let first = address(words.first().ok_or("m from [to]")?)?;
                let last = words.get(1).map_or(Ok(first.saturating_add(63)), |text| address(text))?;
                let last = last.max(first).min(first.saturating_add(0xfff));
                let rows: Vec<String> = (first..=last)
                    .step_by(16)
                    .map(|start| {
                        let end = last.min(start.saturating_add(15));
                        let bytes: Vec<u8> = (start..=end).map(|at| debugger.machine().peek(at)).collect();
                        let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                        let text: String = bytes
                            .iter()
                            .map(|&byte| if (0x20..0x7f).contains(&byte) { byte as char } else { '.' })
                            .collect();
                        format!("{start:04x}: {:<47}  {text}", hex.join(" "))
                    })
                    .collect();
                Ok(rows.join("\n"))
            }
            "d" => {
                let start =
                    words.first().map_or(Ok(debugger.machine().registers().pc), |text| address(text))?;
                let rows: Vec<String> = debugger
                    .listing(start, 0, 16)
                    .iter()
                    .filter(|row| !row.bytes.is_empty())
                    .map(|row| {
                        let label = row.label.as_ref().map_or(String::new(), |label| format!("{label}:\n"));
                        let bytes: Vec<String> = row.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                        format!("{label}{:04x}: {:<9} {}", row.address, bytes.join(" "), row.text)
                    })
                    .collect();
                Ok(rows.join("\n"))
            }
            ">" => {
                let start = address(words.first().ok_or("> address bytes")?)?;
                let bytes: Option<Vec<u8>> = words[1..]
                    .iter()
                    .map(|text| u8::from_str_radix(text.trim_start_matches('$'), 16).ok())
                    .collect();
                let bytes =
                    bytes.filter(|bytes| !bytes.is_empty()).ok_or("> address bytes: bytes in hexadecimal")?;
                let count = bytes.len();
                let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
                let dropped = debugger.change(Input::Poke(start, bytes));
                self.changed(Some((start, count)), dropped);
                Ok(format!("{count} bytes at ${start:04x}"))
            }
            "g" => {
                let target = address(words.first().ok_or("g address")?)?;
                self.go(|debugger| Some(debugger.jump(target)))?;
                Ok(format!("PC is ${target:04x}"))
            }
            "bt" => Ok(debugger
                .frames(self.macro_frames)
                .iter()
                .map(|frame| match &frame.place {
                    Some(place) => format!("{} at {}:{}", frame.name, place.path, place.line),
                    None => frame.name.clone(),
                })
                .collect::<Vec<_>>()
                .join("\n")),
            "cov" => {
                let counts = debugger.line_counts();
                let run = counts.values().filter(|&&count| count > 0).count();
                Ok(format!("{run} of {} lines with code have run", counts.len()))
            }
            "trace" => {
                let count = words.first().and_then(|text| text.parse().ok()).unwrap_or(20);
                Ok(debugger
                    .trace(count)
                    .iter()
                    .map(|row| format!("{:>10}  {}  {}", row.cycles, row.registers, row.text))
                    .collect::<Vec<_>>()
                    .join("\n"))
            }
            "last" => {
                let condition = debugger.compile(rest).map_err(|err| err.0)?;
                let time = debugger.last_true(&condition).ok_or("it was never true in the recording")?;
                self.go(|debugger| Some(debugger.go_to(time)))?;
                Ok(format!("true at time {time}"))
            }
            "at" => {
                let time = rest.parse::<u64>().map_err(|_| "at time".to_string())?;
                if self.vice.is_some() {
                    return Err("VICE cannot go back".to_string());
                }
                debugger.recorded(time)?;
                self.go(|debugger| Some(debugger.go_to(time)))?;
                Ok(format!("at time {time}"))
            }
            "save" => {
                let [file, first, last] = words else { return Err("save file from to".to_string()) };
                let (first, last) = (address(first)?, address(last)?);
                let bytes: Vec<u8> = (first..=last).map(|at| debugger.machine().peek(at)).collect();
                self.host.write(file, &bytes)?;
                Ok(format!("{} bytes written to {file}", bytes.len()))
            }
            "load" => {
                let [file, at] = words else { return Err("load file address".to_string()) };
                let at = address(at)?;
                let bytes = self.host.read(file)?;
                if usize::from(at) + bytes.len() > 0x10000 {
                    return Err(format!("{} bytes at ${at:04x} run past $ffff", bytes.len()));
                }
                let count = bytes.len();
                let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
                let dropped = debugger.change(Input::Poke(at, bytes));
                self.changed(Some((at, count)), dropped);
                Ok(format!("{count} bytes at ${at:04x}"))
            }
            _ => Err(format!("`{word}` needs more")),
        }
    }

    pub(crate) fn completions(&mut self, given: Arguments<'_>) -> Answer {
        let debugger = self.standing()?;
        let text = given.text("text").unwrap_or("");
        let column = (given.number("column").unwrap_or(1) - self.client.first_column).max(0) as usize;
        let mut units = 0;
        let is_before = |character: &char| {
            units += character.len_utf16();
            units <= column
        };
        let before: String = text.chars().take_while(is_before).collect();
        let width = |text: &str| text.encode_utf16().count();
        let start =
            before.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).map_or(0, |at| at + 1);
        let prefix = &before[start..];
        let mut items: Vec<Value> = debugger
            .complete(prefix, 100)
            .into_iter()
            .map(|name| json!({"label": name, "type": "variable", "start": width(&before[..start]), "length": width(prefix)}))
            .collect();
        if start == 0 {
            items.extend(
                COMMANDS
                    .iter()
                    .filter(|(name, _)| name.starts_with(prefix))
                    .map(|(name, help)| json!({"label": name, "detail": help, "type": "keyword"})),
            );
        }
        Ok(json!({"targets": items}))
    }

    pub(crate) fn coverage(&mut self) -> Answer {
        let debugger = self.standing()?;
        let coverage = debugger.coverage();
        let mut files: Vec<Value> = Vec::new();
        for (index, file) in debugger.map.files.iter().enumerate().filter(|(_, file)| !file.is_built_in) {
            let mut lines: Vec<(u32, u64, Vec<Value>)> = Vec::new();
            for statement in debugger.map.statements().iter().filter(|one| one.is_code && one.file == index) {
                let count = coverage.counts.get(&statement.address).copied().unwrap_or(0);
                let branch = coverage.branches.get(&statement.address).map(|[not, taken]| {
                    json!({"address": reference(statement.address), "notTaken": not, "taken": taken})
                });
                match lines.iter_mut().find(|(line, _, _)| *line == statement.line) {
                    Some((_, most, branches)) => {
                        *most = (*most).max(count);
                        branches.extend(branch);
                    }
                    None => lines.push((statement.line, count, branch.into_iter().collect())),
                }
            }
            lines.sort_by_key(|(line, _, _)| *line);
            let lines: Vec<Value> = lines
                .into_iter()
                .map(|(line, count, branches)| json!({"line": self.client.line(line), "count": count, "branches": branches}))
                .collect();
            if !lines.is_empty() {
                files.push(json!({"source": self.source_of(&file.path), "lines": lines}));
            }
        }
        Ok(json!({"files": files}))
    }
}

/// Whether a text is a number or a name, which may stand for an address.
fn is_place(text: &str) -> bool {
    parse_number(text).is_some() || text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

/// `[score] = 5`, but not a comparison.
fn assignment(text: &str) -> Option<(&str, &str)> {
    let at = text.find('=')?;
    let before = text[..at].chars().last()?;
    let is_comparison = text[at + 1..].starts_with('=') || matches!(before, '<' | '>' | '!' | '=');
    (!is_comparison).then(|| (text[..at].trim(), text[at + 1..].trim()))
}

/// What an expression asks about: a register, a flag, or a byte.
fn subject(debugger: &Debugger, text: &str) -> Result<Subject, String> {
    if let Some(subject) = Subject::parse(text) {
        return Ok(subject);
    }
    if let Some((address, _)) = debugger.place_of(text) {
        return Ok(Subject::Byte(address));
    }
    let value =
        parse_number(text).ok_or_else(|| format!("`{text}` is no register, flag or place in memory"))?;
    u16::try_from(value).map(Subject::Byte).map_err(|_| format!("{text} is outside of memory"))
}

/// Who made a value, and who made what that used.
fn describe(debugger: &Debugger, subject: Subject, time: u64, depth: usize) -> String {
    match debugger.why_at(subject, time) {
        Writer::Nobody => format!("{subject}: not written since the start"),
        Writer::Outside { time, value } => {
            let who = if debugger.test.is_some() { "the test" } else { "the user" };
            format!("{subject} = ${value:02x}: stored by {who} at time {time}")
        }
        Writer::Instruction(maker) => {
            let mut text = format!(
                "{subject} = ${:02x}: {} at {}, cycle {}, time {}",
                maker.value,
                maker.text,
                debugger.place(maker.pc),
                maker.cycles,
                maker.time
            );
            for call in maker.calls.iter().rev().take(4) {
                text.push_str(&format!("\n  called from {}", debugger.place(call.from)));
            }
            if depth > 1 {
                for (used, value) in &maker.uses {
                    let inner = describe(debugger, *used, maker.time, 1);
                    let first = inner.lines().next().unwrap_or("");
                    text.push_str(&format!("\n  used {used} = ${value:02x}; {first}"));
                }
            }
            text
        }
    }
}

/// The operand under the cursor, if the machine stands at an instruction with it.
fn hovered(debugger: &Debugger, text: &str) -> Option<String> {
    let pc = debugger.machine().registers().pc;
    let row = debugger.listing(pc, 0, 1).into_iter().next()?;
    if !row.text.to_ascii_lowercase().contains(&text.to_ascii_lowercase()) {
        return None;
    }
    let (address, value) = debugger.operand(pc)?;
    Some(format!("{}: ${address:04x} is ${value:02x} now", row.text))
}
