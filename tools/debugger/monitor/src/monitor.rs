//! A machine with its clients: one of the binary protocol, one of the text monitor. Requests wait here until the machine is
//! looked at.

use crate::binary;
use crate::core::{Core, End, Setup};
use crate::media::Files;
use crate::resources::{Resources, Value};
use crate::text::Text;
use crate::wire::Inbox;

/// More text than this without a line's end is dropped, with its client.
const LONGEST_LINE: usize = 64 << 10;

/// Nothing more is taken from clients while more than this waits for a machine that runs.
const MOST_WAITING: usize = 4 << 20;

/// Requests wait while the answers to those before them are larger than this: a request of 13 bytes is answered with a
/// picture.
const MOST_ANSWERS: usize = 1 << 20;

/// The server.
pub struct Monitor {
    /// The machine.
    pub core: Core,
    /// Settings that clients read and change.
    pub resources: Resources,
    pub(crate) files: Box<dyn Files>,
    inbox: Inbox,
    binary: Vec<u8>,
    text: Text,
    lines: Vec<u8>,
    /// Bytes of `lines` before this one are done with.
    lines_at: usize,
    told: Vec<u8>,
    has_binary: bool,
    has_text: bool,
    /// A client sent what cannot be read, and is to be sent away.
    is_refused: (bool, bool),
    /// The machine was let go: it runs before the next request is read.
    must_run: bool,
}

impl Monitor {
    /// A machine that has just been switched on, without clients. It runs.
    pub fn new(setup: Setup, files: Box<dyn Files>) -> Monitor {
        let is_ntsc = setup.computer.timing().cycles_per_frame() != 19_656;
        let mut resources = Resources::default();
        resources.set("MachineVideoStandard", Value::Number(if is_ntsc { 2 } else { 1 }));
        Monitor {
            core: Core::new(setup),
            resources,
            files,
            inbox: Inbox::default(),
            binary: Vec::new(),
            text: Text::default(),
            lines: Vec::new(),
            lines_at: 0,
            told: Vec::new(),
            has_binary: false,
            has_text: false,
            is_refused: (false, false),
            must_run: false,
        }
    }

    /// Bytes of the binary client.
    pub fn receive(&mut self, bytes: &[u8]) {
        self.has_binary = true;
        self.inbox.push(bytes);
    }

    /// Bytes of the text client.
    pub fn receive_text(&mut self, bytes: &[u8]) {
        self.has_text = true;
        self.lines.drain(..std::mem::take(&mut self.lines_at));
        self.lines.extend_from_slice(bytes);
        if self.lines.len() > LONGEST_LINE && !self.lines.contains(&b'\n') {
            self.lines.clear();
            self.is_refused.1 = true;
        }
    }

    /// Whether clients must wait before they send more.
    pub fn is_full(&self) -> bool {
        self.inbox.waiting() + (self.lines.len() - self.lines_at) > MOST_WAITING
    }

    /// The binary client has left. A stopped machine runs on, unless the other client is still there.
    pub fn left(&mut self) {
        (self.has_binary, self.inbox, self.is_refused.0) = (false, Inbox::default(), false);
        self.binary.clear();
        self.run_on(self.has_text);
    }

    /// The text client has left.
    pub fn text_left(&mut self) {
        (self.has_text, self.is_refused.1) = (false, false);
        (self.lines, self.lines_at) = (Vec::new(), 0);
        self.told.clear();
        self.text.leave();
        self.run_on(self.has_binary);
    }

    fn run_on(&mut self, has_other: bool) {
        if self.core.is_open() && !has_other {
            self.core.resume();
            self.tell();
        }
    }

    /// Answers the requests that are there, up to one that lets the machine go. `true` if answers must be taken before
    /// there are more.
    pub fn poll(&mut self) -> bool {
        while !self.must_run && self.core.end.is_none() {
            if self.binary.len() + self.told.len() > MOST_ANSWERS {
                return true;
            }
            if !self.poll_binary() && !self.poll_text() {
                break;
            }
        }
        false
    }

    fn poll_binary(&mut self) -> bool {
        let request = match self.inbox.next() {
            Ok(Some(request)) => request,
            Ok(None) => return false,
            Err(_) => {
                self.is_refused.0 = true;
                self.inbox = Inbox::default();
                return false;
            }
        };
        self.core.open();
        self.tell();
        let answer = binary::answer(self, &request);
        self.binary.extend(answer);
        self.after_request();
        true
    }

    fn poll_text(&mut self) -> bool {
        let rest = &self.lines[self.lines_at..];
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else { return false };
        let line = String::from_utf8_lossy(&rest[..end]).trim_end_matches('\r').to_string();
        self.lines_at += end + 1;
        let was_open = self.core.is_open() && self.text.is_in();
        self.core.open();
        if !was_open {
            self.text.enter(&self.core);
        }
        self.tell();
        if !was_open {
            self.told.extend(self.text.prompt().into_bytes());
        }
        let mut text = std::mem::take(&mut self.text);
        let answer = text.command(self, &line);
        self.text = text;
        self.told.extend(answer.into_bytes());
        self.after_request();
        true
    }

    fn after_request(&mut self) {
        self.tell();
        if !self.core.is_open() {
            self.must_run = true;
        }
    }

    /// Runs to the end of the frame at most, if the machine runs.
    pub fn run_frame(&mut self) {
        self.must_run = false;
        self.core.at_jam = self.resources.at_jam();
        self.core.run_frame();
        self.tell();
    }

    /// Runs lines of the text monitor, as if a client had sent them. Returns the answers.
    pub fn run_commands(&mut self, lines: &str) -> String {
        let mut text = std::mem::take(&mut self.text);
        let mut answers = String::new();
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            answers += &text.command(self, line.trim());
        }
        text.leave();
        self.text = text;
        answers
    }

    /// Starts a program or the first file of a disk, or only loads it. `false` if it is neither.
    pub fn start(&mut self, file: &[u8], runs: bool) -> bool {
        let mut computer = self.core.fresh().clone();
        if !runs {
            computer.reset();
        }
        let is_loaded = crate::media::load(&mut computer, file, 0, runs);
        if is_loaded {
            self.core.restart(computer, crate::core::First::Checked);
        }
        is_loaded
    }

    /// Tells clients what has happened.
    fn tell(&mut self) {
        for event in self.core.take_events() {
            if self.has_binary {
                binary::event(&mut self.binary, &event);
            }
            if self.has_text {
                self.told.extend(self.text.event(&self.core, &event).into_bytes());
            }
        }
    }

    /// Bytes for the binary client.
    pub fn take_binary(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.binary)
    }

    /// Bytes for the text client.
    pub fn take_text(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.told)
    }

    /// Whether the binary and the text client are to be sent away.
    pub fn refuses(&self) -> (bool, bool) {
        self.is_refused
    }

    /// Why the server ends, if it does.
    pub fn end(&self) -> Option<End> {
        self.core.end
    }
}
