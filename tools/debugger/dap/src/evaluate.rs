//! Expressions and commands that a person types.

use serde_json::{Value, json};
use tempo_console::{Desk, Input, Then, assignment, subject};
use tempo_debug::{Debugger, Writer, parse_number};

use crate::arguments::{Arguments, reference};
use crate::host::HostFiles;
use crate::session::{Answer, Phase, Session};
use crate::state::Handle;

impl Session {
    pub(crate) fn evaluate(&mut self, given: Arguments<'_>) -> Answer {
        self.standing()?;
        let text = given.text("expression").unwrap_or("").trim().to_string();
        let context = given.text("context").unwrap_or("repl");
        // The origin of a value can be asked for in watches, too.
        if context == "repl" || text.starts_with("why ") {
            let is_value = match self.console.read(&text) {
                Input::Word(..) => false,
                Input::Expression(text) => {
                    assignment(text).is_none() && self.standing()?.evaluate(text).is_ok()
                }
            };
            if !is_value {
                return self.command(&text);
            }
        }
        let debugger = self.standing()?;
        let answer = debugger.evaluate(&text)?;
        let mut shown = answer.text.clone();
        if given.get("format").flag("hex") && answer.width <= 1 {
            shown = format!("${:02X}", answer.value);
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
            body["result"] = format!("{shown}\n[${address:04X}] is {byte} now").into();
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

    /// Does what a line of the console asks for. The answer has its lines; those of a run come as output when it stops.
    fn command(&mut self, text: &str) -> Answer {
        if let Input::Word(word, rest) = self.console.read(text)
            && word.moves_with(rest)
        {
            self.movable()?;
        }
        let files = HostFiles(&*self.host);
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        let remote = self.vice.as_mut().map(|vice| vice as _);
        let answer = match self.console.command(Desk { debugger, remote, files: &files }, text) {
            Ok(answer) => answer,
            Err(problem) => {
                if problem.is_lost {
                    self.lost(&problem.text);
                }
                return Err(problem.text);
            }
        };
        if let Some(change) = answer.change {
            self.announce(change.bytes);
        }
        match answer.then {
            Then::Stands => {}
            Then::Stopped(stopped) => self.report(stopped),
            Then::Runs => {
                self.handles.clear();
                self.phase = Phase::Running;
                self.tells_stop = true;
            }
        }
        let lines: Vec<String> = answer.lines.into_iter().map(|line| line.text).collect();
        Ok(json!({"result": lines.join("\n"), "variablesReference": 0}))
    }

    /// `tempo/why {expression, time?}`: the origin of a value, for programs.
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
        let found = self.console.complete(debugger, &before, 100);
        let (start, length) = (width(&before[..found.start]), width(&before[found.start..]));
        let items = found.items.into_iter().map(|item| {
            let mut target =
                json!({"label": item.text, "type": "variable", "start": start, "length": length});
            if let Some(detail) = item.detail {
                target["type"] = "keyword".into();
                target["detail"] = detail.into();
            }
            target
        });
        Ok(json!({"targets": items.collect::<Vec<Value>>()}))
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

/// The operand under the cursor, if the machine is at an instruction with it.
fn hovered(debugger: &Debugger, text: &str) -> Option<String> {
    let pc = debugger.machine().registers().pc;
    let row = debugger.listing(pc, 0, 1).into_iter().next()?;
    if !row.text.to_ascii_lowercase().contains(&text.to_ascii_lowercase()) {
        return None;
    }
    let (address, value) = debugger.operand(pc)?;
    Some(format!("{}: ${address:04X} is ${value:02X} now", row.text))
}
