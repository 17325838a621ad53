//! The debugger in this process with its console: runs the machine, and keeps lines until they are shown.

use tempo_console::{Console, Desk, Kind, Line, Problem, SLICE, Then};
use tempo_dap::{Attached, HostFiles};
use tempo_debug::{Debugger, Stopped};

use crate::dap::DiskHost;

/// A debugger with its console.
pub struct Session {
    pub debugger: Debugger,
    pub console: Console,
    /// The machine in VICE, if that is the one; the debugger has a copy of it.
    vice: Option<Attached>,
    host: DiskHost,
    lines: Vec<Line>,
    /// Whether a command set the machine running; the caller runs it.
    pub is_running: bool,
}

impl Session {
    /// A session whose commands run to the end; with a screen they return before that, and [`Session::is_running`] tells.
    pub fn new(debugger: Debugger, vice: Option<Attached>, host: DiskHost, has_screen: bool) -> Session {
        let console = if has_screen { Console::beside_screen() } else { Console::default() };
        Session { debugger, console, vice, host, lines: Vec::new(), is_running: false }
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.lines.push(Line::new(Kind::Text, text));
    }

    pub fn take_lines(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    /// Says where and why the machine is stopped.
    pub fn note(&mut self, stopped: &Stopped) {
        let lines = self.console.stop_lines(&mut self.debugger, stopped);
        self.lines.extend(lines);
    }

    /// Runs until something stops.
    pub fn run_to_stop(&mut self) -> Result<Stopped, String> {
        loop {
            if let Some(stopped) = self.run()? {
                return Ok(stopped);
            }
        }
    }

    /// Runs for a moment; an error means that VICE is gone.
    pub fn run(&mut self) -> Result<Option<Stopped>, String> {
        let result = match &mut self.vice {
            None => return Ok(self.debugger.run(SLICE)),
            Some(vice) => vice.work(&mut self.debugger),
        };
        self.kept(result)
    }

    /// Stops the machine.
    pub fn pause(&mut self) -> Result<Stopped, String> {
        let result = match &mut self.vice {
            None => return Ok(self.debugger.pause()),
            Some(vice) => vice.pause(&mut self.debugger),
        };
        self.kept(result)
    }

    /// The session is over: VICE goes on without us.
    pub fn leave(&mut self) {
        if let Some(mut vice) = self.vice.take() {
            let _ = vice.leave();
        }
    }

    /// After a failure there is no machine in VICE any more, only the copy.
    fn kept<T>(&mut self, result: Result<T, String>) -> Result<T, String> {
        if result.is_err() {
            self.vice = None;
            self.is_running = false;
        }
        result
    }

    /// Asks the console.
    fn ask<T>(
        &mut self,
        question: impl FnOnce(&mut Console, Desk<'_>) -> Result<T, Problem>,
    ) -> Result<T, String> {
        let files = HostFiles(&self.host);
        let remote = self.vice.as_mut().map(|vice| vice as _);
        let desk = Desk { debugger: &mut self.debugger, remote, files: &files };
        match question(&mut self.console, desk) {
            Ok(answer) => Ok(answer),
            Err(problem) if problem.is_lost => self.kept(Err(problem.text)),
            Err(problem) => Err(problem.text),
        }
    }

    /// Does what a line asks for.
    pub fn command(&mut self, text: &str) -> Result<(), String> {
        let answer = self.ask(|console, desk| console.command(desk, text))?;
        self.lines.extend(answer.lines);
        if answer.then == Then::Runs {
            if self.console.has_screen {
                self.is_running = true;
            } else {
                let stopped = self.run_to_stop()?;
                self.note(&stopped);
            }
        }
        Ok(())
    }

    /// Sets a breakpoint on a source line, or removes the one that is there.
    pub fn toggle(&mut self, path: &str, line: u32) -> Result<(), String> {
        let lines = self.ask(|console, desk| console.toggle(desk, path, line))?;
        self.lines.extend(lines);
        Ok(())
    }

    /// Lines that a line could become.
    pub fn complete(&self, text: &str) -> Vec<String> {
        let found = self.console.complete(&self.debugger, text, 50);
        found.items.into_iter().map(|item| format!("{}{}", &text[..found.start], item.text)).collect()
    }
}
