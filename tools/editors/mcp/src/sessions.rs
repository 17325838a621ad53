//! Sessions of the debugger: what spans calls has a handle that the client passes. At most four; the oldest one goes.

use std::collections::VecDeque;

use tempo_console::{Console, Desk, NoFiles, Then};
use tempo_debug::{Debugger, Stopped};

use crate::host::{Host, Token};

/// Sessions that are kept.
pub const MOST_SESSIONS: usize = 4;
/// Megabytes of the past of each.
pub const MEGABYTES: usize = 64;
/// Cycles of a call.
pub const MOST_CYCLES: u64 = 1_000_000_000;
/// Cycles between two looks at the clock.
const SLICE: u64 = 500_000;

/// A machine that is debugged.
pub struct Session {
    pub id: String,
    pub debugger: Debugger,
    pub console: Console,
}

/// All sessions.
#[derive(Default)]
pub struct Sessions {
    open: VecDeque<Session>,
    count: u64,
}

impl Sessions {
    /// Keeps a session and gives it its handle. The oldest is closed if there are too many: its handle.
    pub fn add(&mut self, debugger: Debugger) -> (&mut Session, Option<String>) {
        self.count += 1;
        let gone = match self.open.len() >= MOST_SESSIONS {
            true => self.open.pop_front().map(|session| session.id),
            false => None,
        };
        let id = format!("s{}", self.count);
        self.open.push_back(Session { id, debugger, console: Console::default() });
        (self.open.back_mut().expect("it was just added"), gone)
    }

    /// The session of a handle.
    pub fn get(&mut self, id: &str) -> Result<&mut Session, String> {
        let known: Vec<String> = self.open.iter().map(|session| session.id.clone()).collect();
        self.open.iter_mut().find(|session| session.id == id).ok_or_else(|| {
            let id = tempo_diagnostics::escaped(id).into_owned();
            match known.is_empty() {
                true => format!("there is no session `{id}`. Next: `debug_open`"),
                false => {
                    format!("there is no session `{id}`; open are {}. Next: `debug_open`", known.join(", "))
                }
            }
        })
    }
}

impl Session {
    /// Does what a line of the debugger's console asks for, and runs to the stop. The stop, if the machine moved.
    pub fn command(&mut self, line: &str, limits: &mut Limits<'_>) -> Result<Option<Stopped>, String> {
        let desk = Desk { debugger: &mut self.debugger, remote: None, files: &NoFiles };
        let answer = self.console.command(desk, line).map_err(|problem| problem.text)?;
        match answer.then {
            Then::Stands => Ok(None),
            Then::Stopped(stopped) => Ok(Some(stopped)),
            Then::Runs => self.run(limits).map(Some),
        }
    }

    /// Runs to the next stop.
    pub fn run(&mut self, limits: &mut Limits<'_>) -> Result<Stopped, String> {
        loop {
            if let Some(stopped) = self.debugger.run(SLICE) {
                return Ok(stopped);
            }
            if let Some(why) = limits.spend(SLICE) {
                let stopped = self.debugger.pause();
                return Ok(Stopped { text: why, ..stopped });
            }
        }
    }

    /// Sources that are not any more what the session was opened with.
    pub fn changed_sources(&self, host: &dyn Host) -> Vec<String> {
        let files = self.debugger.map.files.iter().filter(|file| !file.is_built_in);
        let mut texts: Vec<(&str, &str)> =
            files.map(|file| (file.path.as_str(), file.source.text())).collect();
        if let Some(suite) = self.debugger.test.as_ref().and_then(|test| test.suite()) {
            texts.push((suite.name(), suite.text()));
        }
        let is_changed = |path: &str, text: &str| match host.read(path) {
            Ok(bytes) => tempo_diagnostics::Source::from_bytes(path, &bytes).text() != text,
            Err(_) => true,
        };
        let changed = texts.into_iter().filter(|(path, text)| is_changed(path, text));
        changed.map(|(path, _)| path.to_owned()).collect()
    }
}

/// The work that a call may still do.
pub struct Limits<'a> {
    token: &'a Token,
    cycles: u64,
}

impl<'a> Limits<'a> {
    /// The limits of a call.
    pub fn new(token: &'a Token) -> Limits<'a> {
        Limits { token, cycles: MOST_CYCLES }
    }

    /// Uses cycles up; the reason to stop, if there is one.
    pub fn spend(&mut self, cycles: u64) -> Option<String> {
        self.cycles = self.cycles.saturating_sub(cycles);
        if self.cycles == 0 {
            return Some(format!("{MOST_CYCLES} cycles are used up; go on with `continue`"));
        }
        self.token.check().err().map(|_| "10 s are used up; go on with `continue`".to_owned())
    }
}
