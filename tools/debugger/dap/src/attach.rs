//! A machine inside VICE in place of our own: one that runs (`attach`), or one that is started for a program (`launch` with
//! `vice`).

use serde_json::{Value, json};
use tempo_console::Remote as _;
use tempo_debug::{Debugger, Granularity, StepKind, Target};
use tempo_emu::System;

use crate::arguments::Arguments;
use crate::host::StartVice;
use crate::session::{Answer, Phase, Session};
use crate::vice::Attached;

/// VICE's own default.
const PORT: i64 = 6502;

impl Session {
    pub(crate) fn attach(&mut self, arguments: &Value) -> Answer {
        if self.phase != Phase::Fresh {
            return Err("a program is loaded already".to_string());
        }
        let given = Arguments(arguments);
        self.arguments = arguments.clone();
        self.stop_on_entry = given.flag("stopOnEntry");
        if given.text("program").is_some() {
            // For its names and lines; the bytes are in VICE.
            self.load()?;
            self.phase = Phase::Fresh;
        } else {
            self.debugger = Some(Debugger::new(Target::elsewhere()));
        }
        let port = given.number("port").unwrap_or(PORT);
        let port = u16::try_from(port).map_err(|_| format!("{port} is not a port"))?;
        let stream = self.host.connect(given.text("host").unwrap_or("127.0.0.1"), port)?;
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        self.vice = Some(Attached::new(stream, debugger)?);
        self.phase = Phase::Loaded;
        self.event("capabilities", in_vice());
        self.set_again()?;
        self.event("initialized", json!({}));
        Ok(json!({}))
    }

    /// Starts VICE with the program that was loaded, and stops at its first instruction.
    pub(crate) fn start_vice(&mut self, prg: Option<Vec<u8>>) -> Result<(), String> {
        let given = Arguments(&self.arguments);
        let vice = given.get("vice");
        let model = given.text("system").and_then(System::find).and_then(System::c64);
        let start = StartVice {
            path: vice.text("path").map(str::to_string),
            arguments: vice.texts("arguments"),
            is_ntsc: model.is_some_and(|model| model.mains() == 60),
        };
        let prg = prg.ok_or("a test runs on our own machine, not in VICE")?;
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        let entry = debugger.machine().registers().pc;
        let (stream, path) = self.host.start_vice(&start, &prg)?;
        self.vice = Some(Attached::start(stream, debugger, &path, entry)?);
        self.event("capabilities", in_vice());
        Ok(())
    }

    /// Brings the breakpoints of an answer into VICE; those it refuses are not verified.
    pub(crate) fn placed(&mut self, mut answer: Value) -> Answer {
        let (Some(vice), Some(debugger)) = (&mut self.vice, &self.debugger) else { return Ok(answer) };
        let refused = vice.place(debugger, self.phase == Phase::Running)?;
        for point in answer["breakpoints"].as_array_mut().into_iter().flatten() {
            if let Some((_, problem)) = refused.iter().find(|(id, _)| point["id"] == *id) {
                point["verified"] = false.into();
                point["message"] = problem.clone().into();
            }
        }
        Ok(answer)
    }

    pub(crate) fn step_in_vice(&mut self, kind: StepKind, granularity: Granularity) -> Answer {
        if self.phase != Phase::Stopped {
            return Err("the machine is running".to_string());
        }
        let (Some(vice), Some(debugger)) = (&mut self.vice, &mut self.debugger) else {
            return Err("nothing is loaded".to_string());
        };
        self.handles.clear();
        if let Some(stopped) = vice.step(debugger, kind, granularity)? {
            self.report(stopped);
        } else {
            self.phase = Phase::Running;
        }
        Ok(json!({}))
    }

    /// VICE is gone or does not answer.
    pub(crate) fn lost(&mut self, problem: &str) {
        self.vice = None;
        self.phase = Phase::Ended;
        self.output("stderr", &format!("{problem}\n"));
        self.event("terminated", json!({}));
    }
}

/// The requests that a session in VICE cannot serve. Without `restart` a client ends the session and begins it anew.
fn in_vice() -> Value {
    json!({"capabilities": {
        "supportsStepBack": false, "supportsRestartRequest": false, "supportsRestartFrame": false,
    }})
}
