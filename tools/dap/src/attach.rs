//! `attach`: a machine inside VICE in place of our own.

use debug::{Debugger, Granularity, Machine, Names, SourceMap, StepKind, Target};
use harness::ast::MachineKind;
use serde_json::{Value, json};

use crate::arguments::Arguments;
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
            self.debugger = Some(Debugger::new(Target {
                machine: Machine::new(MachineKind::Generic6502),
                map: SourceMap::default(),
                names: Names::default(),
                test: None,
                entry_level: None,
                max_cycles: 0,
                history: 1,
                source_points: Vec::new(),
                loaded: Vec::new(),
                stop_at: None,
            }));
        }
        let port = given.number("port").unwrap_or(PORT);
        let port = u16::try_from(port).map_err(|_| format!("{port} is no port"))?;
        let stream = self.host.connect(given.text("host").unwrap_or("127.0.0.1"), port)?;
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        self.vice = Some(Attached::new(stream, debugger)?);
        self.phase = Phase::Loaded;
        self.event("capabilities", json!({"capabilities": {"supportsStepBack": false}}));
        self.event("initialized", json!({}));
        Ok(json!({}))
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
