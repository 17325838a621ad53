//! Breakpoints outlive programs: those that a client sets before anything is loaded wait for it, and a restart sets all of
//! them again. Each keeps the number under which the client knows it.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::client::plain_path;
use crate::session::{Answer, Session};

/// Numbers of breakpoints that wait. Those of a program are below.
const FIRST_WAITING: u32 = 1 << 20;

/// The client's settings.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// The last request of each kind, and of each file.
    requests: HashMap<String, (&'static str, Value)>,
    /// The numbers that were given in answer.
    ids: HashMap<String, Vec<Option<u32>>>,
    waiting: u32,
}

/// The scope of a request that replaces breakpoints: those of its kind, or of its file.
fn key(command: &str, arguments: &Value) -> String {
    let source = Arguments(arguments).get("source");
    match source.text("path").or(source.text("name")) {
        Some(path) if command == "setBreakpoints" => plain_path(path),
        _ => command.to_string(),
    }
}

impl Session {
    /// Sets breakpoints, or keeps them until a program is there.
    pub(crate) fn set(&mut self, command: &'static str, arguments: &Value) -> Answer {
        let key = key(command, arguments);
        if command == "setBreakpoints" && key == command {
            return Err("the source has no path".to_string());
        }
        let answer = match self.debugger {
            Some(_) => self.set_now(command, arguments).and_then(|answer| self.placed(answer))?,
            None => self.wait(arguments),
        };
        self.kept.requests.insert(key.clone(), (command, arguments.clone()));
        self.kept.ids.insert(key, ids(&answer));
        Ok(answer)
    }

    fn set_now(&mut self, command: &str, arguments: &Value) -> Answer {
        match command {
            "setBreakpoints" => self.set_breakpoints(arguments),
            "setFunctionBreakpoints" => self.set_functions(arguments),
            "setInstructionBreakpoints" => self.set_instructions(arguments),
            "setDataBreakpoints" => self.set_data(arguments),
            _ => self.set_exceptions(arguments),
        }
    }

    fn wait(&mut self, arguments: &Value) -> Value {
        let given = Arguments(arguments);
        let count = given.list("breakpoints").count().max(given.list("lines").count());
        let all = (0..count).map(|_| {
            self.kept.waiting += 1;
            let id = FIRST_WAITING + self.kept.waiting;
            json!({"id": id, "verified": false, "message": "waits for the program"})
        });
        json!({"breakpoints": all.collect::<Vec<_>>()})
    }

    /// Sets everything again in a program that was just loaded, and tells the client where it is now.
    pub(crate) fn set_again(&mut self) -> Result<(), String> {
        let mut requests: Vec<_> = self.kept.requests.clone().into_iter().collect();
        requests.sort_by(|one, two| one.0.cmp(&two.0));
        for (key, (command, arguments)) in requests {
            let mut answer = self.set_now(command, &arguments)?;
            let known = self.kept.ids.get(&key).cloned().unwrap_or_default();
            let points = answer["breakpoints"].as_array_mut().into_iter().flatten();
            for (point, known) in points.zip(known) {
                let (Some(known), Some(debugger)) = (known, &mut self.debugger) else { continue };
                let now = point["id"].as_u64().and_then(|id| u32::try_from(id).ok());
                // One that cannot be set has no number of its own.
                if now.is_none_or(|now| debugger.points.rename(now, known)) {
                    point["id"] = known.into();
                }
            }
            let answer = self.placed(answer)?;
            self.kept.ids.insert(key, ids(&answer));
            for point in answer["breakpoints"].as_array().into_iter().flatten() {
                if point.get("id").is_some() {
                    self.event("breakpoint", json!({"reason": "changed", "breakpoint": point}));
                }
            }
        }
        Ok(())
    }
}

fn ids(answer: &Value) -> Vec<Option<u32>> {
    let points = answer["breakpoints"].as_array().into_iter().flatten();
    points.map(|point| point["id"].as_u64().and_then(|id| u32::try_from(id).ok())).collect()
}
