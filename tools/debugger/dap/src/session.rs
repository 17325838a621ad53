//! The session: requests in, responses and events out. Which request does what is the list in `dispatch`.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};
use tempo_console::{Console, Desk, Remote as _, SLICE};
use tempo_debug::{Debugger, Granularity, Origin, Reason, StepKind, Stopped};

use crate::arguments::Arguments;
use crate::client::Client;
use crate::host::Host;
use crate::kept::Kept;
use crate::launch::launch;
use crate::state::Handle;
use crate::vice::Attached;

/// The one thread.
pub(crate) const THREAD: i64 = 1;

/// The session's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Nothing is started.
    Fresh,
    /// The program is loaded, and the client sets its breakpoints.
    Loaded,
    /// The machine is stopped.
    Stopped,
    /// The machine runs.
    Running,
    /// The program is over.
    Ended,
}

/// A session with one client.
pub struct Session {
    pub(crate) host: Box<dyn Host>,
    pub(crate) debugger: Option<Debugger>,
    /// The machine is inside VICE, and the debugger has a copy of it.
    pub(crate) vice: Option<Attached>,
    pub(crate) client: Client,
    pub(crate) phase: Phase,
    /// The meaning of `variablesReference` numbers until the machine runs on.
    pub(crate) handles: Vec<Handle>,
    pub(crate) macro_frames: bool,
    pub(crate) kept: Kept,
    pub(crate) console: Console,
    /// A command of the console set the machine running, and its stop is told there.
    pub(crate) tells_stop: bool,
    /// Requests that are to be refused when they are handled.
    /// Files that the user was told about.
    pub(crate) edited: HashSet<String>,
    /// Checksums of the sources as they were assembled.
    pub(crate) checksums: HashMap<String, String>,
    pub(crate) arguments: Value,
    pub(crate) stop_on_entry: bool,
    /// The program is a recording: its sources are texts of ours, not files of the client.
    pub(crate) is_recorded: bool,
    no_debug: bool,
    /// A breakpoint that goes away at the next stop.
    pub(crate) run_to: Option<u32>,
    seq: i64,
    out: Vec<Value>,
    is_over: bool,
}

/// Requests that change nothing, and can therefore be cancelled.
const QUESTIONS: [&str; 13] = [
    "breakpointLocations",
    "completions",
    "dataBreakpointInfo",
    "disassemble",
    "gotoTargets",
    "loadedSources",
    "readMemory",
    "scopes",
    "source",
    "stackTrace",
    "tempo/coverage",
    "tempo/why",
    "variables",
];

/// The answer to a question that a `cancel` has come for.
pub(crate) const CANCELLED: &str = "cancelled";

/// Whether a message is a `cancel` for a request.
pub fn cancels(message: &Value, request: &Value) -> bool {
    let id = message.get("arguments").and_then(|arguments| arguments.get("requestId"));
    message.get("command").and_then(Value::as_str) == Some("cancel")
        && id.is_some()
        && id == request.get("seq")
}

/// An answer to a request, or what is wrong with it.
pub(crate) type Answer = Result<Value, String>;

impl Session {
    /// A session that reads files through this host.
    pub fn new(host: Box<dyn Host>) -> Session {
        Session {
            host,
            debugger: None,
            vice: None,
            client: Client::default(),
            phase: Phase::Fresh,
            handles: Vec::new(),
            macro_frames: true,
            kept: Kept::default(),
            console: Console::of_expressions(),
            tells_stop: false,
            edited: HashSet::new(),
            checksums: HashMap::new(),
            arguments: Value::Null,
            stop_on_entry: false,
            is_recorded: false,
            no_debug: false,
            run_to: None,
            seq: 0,
            out: Vec::new(),
            is_over: false,
        }
    }

    /// The messages to send.
    pub fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.out)
    }

    /// Whether the machine runs: then [`Session::work`] is to be called.
    pub fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// Whether the client has said goodbye.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The client has left, in whatever way: VICE runs on without anything of ours.
    pub fn close(&mut self) {
        if let Some(mut vice) = self.vice.take() {
            let _ = vice.leave();
        }
    }

    /// Runs the machine for a moment.
    pub fn work(&mut self) {
        if self.phase != Phase::Running {
            return;
        }
        let Some(debugger) = &mut self.debugger else { return };
        let stopped = match &mut self.vice {
            None => debugger.run(SLICE),
            Some(vice) => match vice.work(debugger) {
                Ok(stopped) => stopped,
                Err(problem) => return self.lost(&problem),
            },
        };
        let log = debugger.take_log();
        for line in log {
            self.output("stdout", &format!("{line}\n"));
        }
        if let Some(stopped) = stopped {
            self.report(stopped);
        }
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        self.out.push(message);
    }

    pub(crate) fn event(&mut self, event: &str, body: Value) {
        self.send(json!({"type": "event", "event": event, "body": body}));
    }

    pub(crate) fn output(&mut self, category: &str, text: &str) {
        self.event("output", json!({"category": category, "output": text}));
    }

    /// Takes a request. `is_cancelled` says whether a `cancel` for it has come (see [`cancels`]); it is asked before a
    /// question is answered, and again while a long answer is worked out.
    pub fn handle(&mut self, message: &Value, is_cancelled: &mut dyn FnMut() -> bool) {
        if message.get("type").and_then(Value::as_str) != Some("request") {
            return;
        }
        let command = message.get("command").and_then(Value::as_str).unwrap_or("").to_string();
        let arguments = message.get("arguments").cloned().unwrap_or(Value::Null);
        let request = message.get("seq").cloned().unwrap_or(Value::Null);
        let before = self.out.len();
        self.look_from(Arguments(&arguments));
        let answer = match QUESTIONS.contains(&command.as_str()) && is_cancelled() {
            true => Err(CANCELLED.to_string()),
            false => self.dispatch(&command, &arguments, is_cancelled),
        };
        if let Some(debugger) = &mut self.debugger {
            debugger.look_from(None);
        }
        // What a request causes comes after its answer.
        let caused: Vec<Value> = self.out.drain(before..).collect();
        self.seq -= caused.len() as i64;
        let response = match answer {
            Ok(body) => {
                json!({"type": "response", "request_seq": request, "success": true, "command": command, "body": body})
            }
            Err(message) => json!({
                "type": "response", "request_seq": request, "success": false, "command": command, "message": message,
                "body": {"error": {"id": 1, "format": message, "showUser": true}},
            }),
        };
        self.send(response);
        for message in caused {
            self.send(message);
        }
    }

    /// Expressions mean what they mean in the frame that a request names.
    fn look_from(&mut self, given: Arguments<'_>) {
        let index = given.number("frameId").and_then(|id| usize::try_from(id - 1).ok());
        if let (Some(index), Some(debugger), Phase::Stopped) = (index, &mut self.debugger, self.phase) {
            let address = debugger.frames(self.macro_frames).get(index).and_then(|frame| frame.address);
            debugger.look_from(address);
        }
    }

    fn dispatch(
        &mut self,
        command: &str,
        arguments: &Value,
        is_cancelled: &mut dyn FnMut() -> bool,
    ) -> Answer {
        let given = Arguments(arguments);
        match command {
            "initialize" => Ok(self.initialize(given)),
            "launch" => self.launch(arguments),
            "attach" => self.attach(arguments),
            "configurationDone" => self.start(),
            "disconnect" => {
                if given.flag("terminateDebuggee")
                    && let Some(mut vice) = self.vice.take()
                {
                    let _ = vice.quit();
                }
                self.close();
                self.phase = Phase::Ended;
                self.is_over = true;
                Ok(json!({}))
            }
            "terminate" => {
                self.close();
                self.phase = Phase::Ended;
                self.event("terminated", json!({}));
                Ok(json!({}))
            }
            "restart" => self.restart(given),
            // What it was for has been answered.
            "cancel" => Ok(json!({})),
            "threads" => Ok(json!({"threads": self.threads()})),
            "setBreakpoints" => self.set("setBreakpoints", arguments),
            "setFunctionBreakpoints" => self.set("setFunctionBreakpoints", arguments),
            "setInstructionBreakpoints" => self.set("setInstructionBreakpoints", arguments),
            "setDataBreakpoints" => self.set("setDataBreakpoints", arguments),
            "setExceptionBreakpoints" => self.set("setExceptionBreakpoints", arguments),
            "dataBreakpointInfo" => self.data_info(given),
            "breakpointLocations" => self.breakpoint_locations(given),
            "loadedSources" => self.loaded_sources(),
            "source" => self.source_text(given),
            "continue" => self
                .go(|debugger| {
                    debugger.resume();
                    None
                })
                .map(|_| json!({"allThreadsContinued": true})),
            "next" => self.step(given, StepKind::Over),
            "stepIn" => self.step(given, StepKind::In),
            "stepOut" => self.step(given, StepKind::Out),
            "stepBack" | "reverseContinue" if self.vice.is_some() => Err("VICE cannot go back".to_string()),
            "stepBack" => self.go(|debugger| Some(debugger.step_back(granularity(given)))),
            "reverseContinue" => self.go(|debugger| {
                debugger.begin_reverse();
                None
            }),
            "pause" => {
                if self.phase == Phase::Running
                    && let (Some(vice), Some(debugger)) = (&mut self.vice, &mut self.debugger)
                {
                    let stopped = vice.pause(debugger)?;
                    self.report(stopped);
                }
                if self.phase == Phase::Running {
                    let stopped = self.debugger.as_mut().map(Debugger::pause);
                    stopped.into_iter().for_each(|stopped| self.report(stopped));
                }
                Ok(json!({}))
            }
            "goto" => {
                let address = given.number("targetId").and_then(|id| u16::try_from(id).ok());
                let address = address.ok_or("there is no such target")?;
                self.go(|debugger| Some(debugger.jump(address)))
            }
            "gotoTargets" => self.goto_targets(given),
            "stepInTargets" => self.step_in_targets(),
            "restartFrame" => self.restart_frame(given),
            "stackTrace" => self.stack_trace(given),
            "scopes" => self.scopes(given),
            "variables" => self.variables(given),
            "setVariable" => self.set_variable(given),
            "setExpression" => self.set_expression(given),
            "evaluate" => self.evaluate(given),
            "completions" => self.completions(given),
            "exceptionInfo" => self.exception_info(),
            "readMemory" => self.read_memory(given),
            "writeMemory" => self.write_memory(given),
            "disassemble" => self.disassemble(given, is_cancelled),
            "tempo/coverage" => self.coverage(),
            "tempo/why" => self.why_request(given),
            "tempo/at" if self.vice.is_some() => Err("VICE cannot go back".to_string()),
            "tempo/at" => {
                let time = given.number("time").and_then(|time| u64::try_from(time).ok());
                let time = time.ok_or("`time` is the moment to go to, as tempo/why names it")?;
                self.standing()?.recorded(time)?;
                self.go(|debugger| Some(debugger.go_to(time)))
            }
            _ => Err(format!("`{command}` is not a request of this debugger")),
        }
    }

    fn initialize(&mut self, given: Arguments<'_>) -> Value {
        self.client = Client::new(given);
        capabilities()
    }

    fn launch(&mut self, arguments: &Value) -> Answer {
        if self.phase != Phase::Fresh {
            return Err("a program is loaded already".to_string());
        }
        self.arguments = arguments.clone();
        let given = Arguments(arguments);
        self.stop_on_entry = given.flag("stopOnEntry");
        self.no_debug = given.flag("noDebug");
        self.macro_frames = given.0.get("macroFrames").and_then(Value::as_bool).unwrap_or(true);
        self.console.hides_macros = !self.macro_frames;
        let prg = self.load()?;
        let vice = given.get("vice").0;
        if vice.is_object() || *vice == Value::Bool(true) {
            self.phase = Phase::Fresh;
            self.start_vice(prg)?;
            self.phase = Phase::Loaded;
        }
        self.set_again()?;
        self.event("initialized", json!({}));
        Ok(json!({}))
    }

    /// Makes the target ready; its program file, if it has one.
    pub(crate) fn load(&mut self) -> Result<Option<Vec<u8>>, String> {
        match launch(&self.arguments, &*self.host) {
            Ok(launched) => {
                for line in launched.lines {
                    self.output("console", &format!("{line}\n"));
                }
                self.is_recorded = launched.is_recorded;
                let debugger = Debugger::new(launched.target);
                let files = debugger.map.files.iter().filter(|file| !file.is_built_in);
                self.checksums =
                    files.map(|file| (file.path.clone(), checksum(file.source.text()))).collect();
                self.debugger = Some(debugger);
                self.phase = Phase::Loaded;
                Ok(launched.prg)
            }
            Err((message, lines)) => {
                for line in lines {
                    self.output("stderr", &format!("{line}\n"));
                }
                Err(message)
            }
        }
    }

    fn start(&mut self) -> Answer {
        if self.phase != Phase::Loaded {
            return Err("nothing is loaded".to_string());
        }
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        if self.no_debug {
            debugger.points.retain(|_| false);
            debugger.exceptions = tempo_debug::Exceptions::none();
        }
        match self.stop_on_entry {
            true => debugger.resume(),
            false => debugger.start(),
        }
        self.phase = Phase::Running;
        if let Some(vice) = &mut self.vice
            && !self.stop_on_entry
        {
            vice.resume()?;
        }
        if self.stop_on_entry && !self.no_debug {
            self.report(Stopped { reason: Reason::Entry, text: String::new() });
        }
        Ok(json!({}))
    }

    /// Assembles again and keeps the breakpoints.
    fn restart(&mut self, given: Arguments<'_>) -> Answer {
        if let Some(newer) = given.0.get("arguments").filter(|newer| newer.is_object()) {
            self.arguments = newer.clone();
        }
        if self.phase == Phase::Fresh {
            return Err("nothing is loaded".to_string());
        }
        if self.vice.is_some() {
            return Err("a machine in VICE is restarted there".to_string());
        }
        self.handles.clear();
        self.edited.clear();
        let last = self.debugger.as_ref().map_or(0, |debugger| debugger.points.last_id());
        self.load()?;
        if let Some(debugger) = &mut self.debugger {
            debugger.points.start_after(last);
        }
        self.set_again()?;
        if let Some(debugger) = &mut self.debugger {
            let files = crate::host::HostFiles(&*self.host);
            let refused = self.console.set_again(&mut Desk { debugger, remote: None, files: &files });
            refused.into_iter().for_each(|line| self.output("console", &format!("{}\n", line.text)));
        }
        if !self.stop_on_entry {
            self.event("continued", json!({"threadId": THREAD, "allThreadsContinued": true}));
        }
        self.start()
    }

    fn step(&mut self, given: Arguments<'_>, kind: StepKind) -> Answer {
        if let Some(target) = given.number("targetId").and_then(|id| u16::try_from(id).ok())
            && let Some(debugger) = &mut self.debugger
        {
            let watch = tempo_debug::Watch::Code(vec![target]);
            self.run_to = Some(debugger.add_point(tempo_debug::Point::new(Origin::Instruction, watch)));
            return self.go(|debugger| {
                debugger.resume();
                None
            });
        }
        if self.vice.is_some() {
            return self.step_in_vice(kind, granularity(given));
        }
        self.go(|debugger| debugger.step(kind, granularity(given)))
    }

    /// Whether the machine is stopped and can be moved, or why not.
    pub(crate) fn movable(&self) -> Result<(), String> {
        let problem = match self.phase {
            Phase::Stopped => return Ok(()),
            Phase::Running => "the machine is running",
            Phase::Ended => "the program has ended",
            Phase::Fresh | Phase::Loaded => "nothing is running",
        };
        Err(problem.to_string())
    }

    /// Runs on, unless what is done has its own stop.
    pub(crate) fn go(&mut self, act: impl FnOnce(&mut Debugger) -> Option<Stopped>) -> Answer {
        self.movable()?;
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        self.handles.clear();
        self.phase = Phase::Running;
        let stopped = act(debugger);
        let is_jump = matches!(&stopped, Some(Stopped { reason: Reason::Goto, .. }));
        if let Some(vice) = &mut self.vice {
            match is_jump {
                true => vice.write_back(debugger, None)?,
                false => vice.resume()?,
            }
        }
        if let Some(stopped) = stopped {
            self.report(stopped);
        }
        Ok(json!({}))
    }

    /// Tells the client why the machine is stopped.
    pub(crate) fn report(&mut self, stopped: Stopped) {
        self.phase = Phase::Stopped;
        self.handles.clear();
        let mut is_run_to = false;
        if let (Some(id), Some(debugger)) = (self.run_to.take(), &mut self.debugger) {
            is_run_to = matches!(&stopped.reason, Reason::Points(ids, _) if ids.contains(&id));
            debugger.points.retain(|point| point.id != id);
        }
        let (reason, mut ids) = match &stopped.reason {
            Reason::Entry | Reason::Start => ("entry", Vec::new()),
            Reason::Step => ("step", Vec::new()),
            Reason::Points(..) if is_run_to => ("step", Vec::new()),
            Reason::Points(ids, origin) => {
                let word = match origin {
                    Origin::Line | Origin::Source | Origin::Console => "breakpoint",
                    Origin::Function => "function breakpoint",
                    Origin::Instruction => "instruction breakpoint",
                    Origin::Data => "data breakpoint",
                };
                (word, ids.clone())
            }
            Reason::Exception(_) => ("exception", Vec::new()),
            Reason::Pause => ("pause", Vec::new()),
            Reason::Goto => ("goto", Vec::new()),
            Reason::Ended(code) => {
                self.phase = Phase::Ended;
                let screen =
                    self.debugger.as_ref().filter(|_| self.no_debug).map(|one| one.machine().screen_rows());
                let rows = screen.unwrap_or_default();
                let text: String = rows.iter().map(|row| format!("{}\n", row.trim_end())).collect();
                if !text.trim().is_empty() {
                    self.output("stdout", &format!("{}\n", text.trim_end()));
                }
                match std::mem::take(&mut self.tells_stop) {
                    true => self.tell(&stopped),
                    false => self.output("console", &format!("{}\n", stopped.text)),
                }
                self.event("exited", json!({"exitCode": code}));
                self.event("terminated", json!({}));
                return;
            }
        };
        ids.sort_unstable();
        if std::mem::take(&mut self.tells_stop) {
            self.tell(&stopped);
        }
        let shown = self.debugger.as_ref().and_then(Debugger::top_place);
        if let Some(place) = shown {
            self.say_if_edited(&place.path);
        }
        let mut body = json!({"reason": reason, "threadId": THREAD, "allThreadsStopped": true});
        if !ids.is_empty() {
            body["hitBreakpointIds"] = ids.into();
        }
        if !stopped.text.is_empty() {
            body["description"] = stopped.text.clone().into();
            body["text"] = stopped.text.into();
        }
        self.event("stopped", body);
    }

    /// Says in the console where and why the machine is stopped.
    fn tell(&mut self, stopped: &Stopped) {
        let Some(debugger) = &mut self.debugger else { return };
        for line in self.console.stop_lines(debugger, stopped) {
            self.output("console", &format!("{}\n", line.text));
        }
    }

    /// The user changed memory or registers.
    pub(crate) fn changed(&mut self, address: Option<(u16, usize)>, dropped: bool) {
        if let (Some(vice), Some(debugger)) = (&mut self.vice, &self.debugger)
            && let Err(problem) = vice.write_back(debugger, address)
        {
            return self.lost(&problem);
        }
        if dropped {
            self.output("console", "the recorded future was dropped: the past was changed\n");
        }
        self.announce(address);
    }

    /// Tells the client that memory or registers have changed.
    pub(crate) fn announce(&mut self, address: Option<(u16, usize)>) {
        if let Some((address, count)) = address
            && self.client.memory_events
        {
            let reference = crate::arguments::reference(address);
            self.event("memory", json!({"memoryReference": reference, "offset": 0, "count": count}));
        }
        if self.client.invalidated_events {
            self.event("invalidated", json!({"areas": ["variables", "stacks"]}));
        }
    }

    pub(crate) fn standing(&self) -> Result<&Debugger, String> {
        match (&self.debugger, self.phase) {
            (Some(debugger), Phase::Stopped | Phase::Loaded | Phase::Ended) => Ok(debugger),
            (Some(_), _) => Err("the machine is running".to_string()),
            _ => Err("nothing is loaded".to_string()),
        }
    }
}

fn checksum(text: &str) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn granularity(given: Arguments<'_>) -> Granularity {
    match given.text("granularity") {
        Some("statement") => Granularity::Statement,
        Some("instruction") => Granularity::Instruction,
        _ => Granularity::Line,
    }
}

/// The adapter's capabilities.
fn capabilities() -> Value {
    let mut body = json!({
        "supportTerminateDebuggee": true,
        "exceptionBreakpointFilters": tempo_debug::Exception::ALL.map(|exception| json!({
            "filter": exception.id(), "label": exception.label(), "default": exception.is_default(),
        })),
        "completionTriggerCharacters": ["[", "."],
    });
    for name in [
        "ConfigurationDoneRequest",
        "FunctionBreakpoints",
        "ConditionalBreakpoints",
        "HitConditionalBreakpoints",
        "LogPoints",
        "EvaluateForHovers",
        "StepBack",
        "SetVariable",
        "SetExpression",
        "RestartRequest",
        "RestartFrame",
        "GotoTargetsRequest",
        "StepInTargetsRequest",
        "CompletionsRequest",
        "ExceptionInfoRequest",
        "ExceptionFilterOptions",
        "ValueFormattingOptions",
        "DataBreakpoints",
        "DataBreakpointBytes",
        "InstructionBreakpoints",
        "ReadMemoryRequest",
        "WriteMemoryRequest",
        "DisassembleRequest",
        "SteppingGranularity",
        "BreakpointLocationsRequest",
        "LoadedSourcesRequest",
        "TerminateRequest",
        "CancelRequest",
        "DelayedStackTraceLoading",
    ] {
        body[format!("supports{name}")] = true.into();
    }
    body
}
