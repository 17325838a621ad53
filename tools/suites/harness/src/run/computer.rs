//! Statements and conditions about a whole computer: its frames, its keyboard, what is on its screen.

use std::sync::Arc;

use tempo_c64::{End, Keys, Picture, PixelDifference, parse_switches};
use tempo_emu::NoHooks;
use tempo_emu::c64::mouse_at;
use tempo_rig::Action;

use super::assertion::Finding;
use super::context::Context;
use super::describe;
use crate::ast::{Compare, Pointer};
use crate::check::no_control_port;
use crate::events::{Purpose, Reason, TakenPicture};
use crate::plan::{Backend, Expr, Form, Reference, Template};
use crate::probe::{Closing, Ending};

/// Frames of one statement: five hours.
const MAX_FRAMES: i64 = 1_000_000;

/// How long a statement without `timeout` waits for its text, in frames.
const WAIT_FRAMES: u64 = 3_000;

impl<'a> Context<'a> {
    /// `frames(n)`
    pub(super) fn run_frames(&mut self, count: &Expr) {
        self.executed = true;
        let count = self.number(count);
        if !(0..=MAX_FRAMES).contains(&count) {
            return self.fail_range(format!("the number of frames is {count}, outside 0…{MAX_FRAMES}"));
        }
        self.run_for(count as u64);
    }

    /// `keys("…")`: types the script and lets the frames pass that it takes.
    pub(super) fn type_keys(&mut self, script: &Expr) {
        self.executed = true;
        match self.text(script) {
            Some(script) => self.type_script(&script),
            None => self.fail_range("keys are typed from a text"),
        }
    }

    fn type_script(&mut self, script: &str) {
        let Some(keyboard) = self.machine.system.keyboard() else { return };
        match Keys::parse(script, keyboard) {
            Ok(keys) => {
                self.machine.type_keys(&keys);
                self.record(|_| Action::Keys(keys.clone()));
                self.run_for(keys.frames);
            }
            Err(err) => self.fail_range(err.to_string()),
        }
    }

    /// Statements of other back ends that this machine knows, too; whether it is one.
    pub(super) fn run_backend(&mut self, step: &Backend) -> bool {
        let arguments = &step.arguments;
        match step.name.as_str() {
            "run" => self.start_program(arguments.first(), arguments.get(1)),
            "wait_text" => self.wait_for_text(arguments.first(), arguments.get(1)),
            "wait_ready" => {
                let Some(frames) = self.wait_frames(arguments.first()) else { return true };
                self.wait_until(frames, "the program has not returned to the prompt", |context| {
                    context.machine.is_at_prompt()
                });
            }
            "send_key" => match arguments.first().and_then(|name| self.text(name)) {
                Some(name) if name.chars().count() == 1 => self.type_script(&name),
                Some(name) => self.type_script(&format!("{{{name}}}")),
                None => self.fail_range("a key is given by its name"),
            },
            _ => return false,
        }
        self.executed = true;
        true
    }

    /// `run()`, `run(wait = "text")`: the program whose BASIC line is in memory, as RUN starts it.
    fn start_program(&mut self, wait: Option<&Expr>, timeout: Option<&Expr>) {
        if let Err(err) = self.machine.start_program() {
            self.fail(Reason::NothingExecuted, err.to_string());
            return;
        }
        self.record(|_| Action::Start);
        if wait.is_some() {
            self.wait_for_text(wait, timeout);
        }
    }

    fn wait_for_text(&mut self, text: Option<&Expr>, timeout: Option<&Expr>) {
        let Some(text) = text.and_then(|text| self.text(text)) else {
            return self.fail_range("a text is waited for");
        };
        let Some(frames) = self.wait_frames(timeout) else { return };
        self.wait_until(frames, &format!("\"{text}\" is not on the screen"), |context| {
            context.machine.screen_text().is_some_and(|screen| screen.contains(&text))
        });
    }

    fn wait_frames(&mut self, timeout: Option<&Expr>) -> Option<u64> {
        let Some(timeout) = timeout else { return Some(WAIT_FRAMES) };
        let frames = self.number(timeout);
        if !(0..=MAX_FRAMES).contains(&frames) {
            self.fail_range(format!("the timeout is {frames} frames, outside 0…{MAX_FRAMES}"));
            return None;
        }
        Some(frames as u64)
    }

    /// Lets frames pass until something is so.
    fn wait_until(&mut self, frames: u64, fault: &str, is_so: impl Fn(&Self) -> bool) {
        for passed in 0..=frames {
            if is_so(self) || (passed < frames && !self.run_for(1)) {
                return;
            }
        }
        let rows = self.shown_screen();
        let message = format!("{fault} after {frames} frames");
        if let Some(failure) = self.fail(Reason::Timeout, message) {
            failure.detail = rows;
        }
    }

    /// `joystick(port, "up+fire")`: held until the next one.
    pub(super) fn move_joystick(&mut self, port: &Expr, switches: &Expr) {
        let port = self.number(port);
        let Some(switches) = self.text(switches) else {
            return self.fail_range("the switches of a joystick are a text, such as \"up+fire\"");
        };
        match (port, parse_switches(&switches)) {
            _ if !self.machine.system.has_control_port(port) => {
                self.fail_range(no_control_port(self.machine.system, port));
            }
            (_, Ok(joystick)) => {
                self.machine.set_joystick(port as u8, joystick);
                self.record(|context| Action::Machine(Arc::new(context.machine.clone())));
            }
            (_, Err(err)) => self.fail_range(err.to_string()),
        }
    }

    /// `paddles(port, x, y)`, `mouse(port, x, y)`, `pen(x, y)`: stay there until the next such line.
    pub(super) fn point(&mut self, pointer: Pointer, arguments: &[Expr]) {
        let values: Vec<i64> = arguments.iter().map(|argument| self.number(argument)).collect();
        for (at, &value) in values.iter().enumerate() {
            if let Err(message) = pointer.check(at, value) {
                return self.fail_range(message);
            }
        }
        let is_there = match (pointer, &values[..]) {
            (Pointer::Paddles, &[port, x, y]) => self.machine.set_paddles(port as u8, x as u8, y as u8),
            (Pointer::Mouse, &[port, x, y]) => {
                self.machine.set_paddles(port as u8, mouse_at(x as i32), mouse_at(y as i32))
            }
            (Pointer::Pen, &[x, y]) => self.machine.hold_pen(x as u16, y as u16),
            _ => true,
        };
        if !is_there {
            return self.fail_range("the picture has no such pixel");
        }
        self.record(|context| Action::Machine(Arc::new(context.machine.clone())));
    }

    /// `screenshot("…")`: compares the last complete picture.
    pub(super) fn compare_picture(
        &mut self,
        name: &Template,
        tolerance: Option<&Expr>,
        references: &[Reference],
    ) {
        let tolerance = tolerance.map_or(0, |most| self.number(most));
        let name = name.fill(&self.variables);
        let Some(reference) = references.iter().find(|reference| reference.name == name) else { return };
        let Some(got) = self.machine.picture() else {
            self.fail(Reason::Screenshot, "there is no picture yet: let frames pass before, as in frames(2)");
            return;
        };
        let difference = reference.picture.as_ref().map(|expected| Mismatch::find(expected, &got));
        let Some(mismatch) = difference.unwrap_or(Some(Mismatch::New)) else { return };
        if mismatch.count().is_some_and(|count| count as i64 <= tolerance) {
            return;
        }
        if self.options.update {
            return self.take_picture(&reference.path, &got, Purpose::Update);
        }
        let stem = reference.path.strip_suffix(".png").unwrap_or(&reference.path);
        let mut detail = mismatch.detail();
        let marked = reference.picture.as_ref().filter(|_| mismatch.count().is_some());
        let shown = [
            ("expected", "expected", reference.picture.clone()),
            ("found", "got", Some(got.clone())),
            ("difference", "diff", marked.map(|expected| expected.marked(&got))),
        ];
        for (what, ending, picture) in shown {
            if let Some(picture) = picture {
                let path = format!("{stem}.{ending}.png");
                detail.push(format!("{what}: {path}"));
                self.take_picture(&path, &picture, Purpose::Failure);
            }
        }
        let message = mismatch.message(&name);
        if let Some(failure) = self.fail(Reason::Screenshot, message) {
            failure.detail = detail;
        }
    }

    /// Leaves a picture for the caller.
    fn take_picture(&mut self, path: &str, picture: &Picture, purpose: Purpose) {
        let png = match picture.to_png() {
            Ok(png) => png,
            Err(err) => {
                self.fail(Reason::Screenshot, err.to_string());
                return;
            }
        };
        self.leave_file(path, png, purpose);
    }

    /// Leaves a file for the caller. Of those with one name the last counts, unless they are what a suite expects.
    pub(super) fn leave_file(&mut self, path: &str, bytes: Vec<u8>, purpose: Purpose) {
        let known = self.pictures.iter_mut().find(|known| known.path == path);
        match known {
            None => self.pictures.push(TakenPicture { path: path.to_string(), png: bytes, purpose }),
            Some(known) if known.png == bytes || purpose == Purpose::Failure => known.png = bytes,
            Some(_) => {
                self.fail(Reason::Screenshot, "this test shows two different pictures under one name");
            }
        }
    }

    /// The meaning of a back end's condition about the screen on this machine; `None` for other conditions.
    pub(super) fn screen_value(&mut self, step: &Backend) -> Option<Option<i64>> {
        if !self.machine.system.is_whole() {
            return None;
        }
        let (row, text) = match (step.name.as_str(), step.arguments.as_slice()) {
            ("screen_contains", [text]) => (None, text),
            ("screen_line", [row, text]) => (Some(row), text),
            _ => return None,
        };
        let Some(text) = self.text(text) else {
            self.fail_range("the screen is searched for a text");
            return Some(None);
        };
        Some(self.screen(row).map(|found| i64::from(found.contains(&text))))
    }

    /// Lets frames pass; whether all of them did.
    fn run_for(&mut self, frames: u64) -> bool {
        (0..frames).all(|_| self.run_frame())
    }

    fn run_frame(&mut self) -> bool {
        if let Some(probe) = &mut self.probe {
            probe.start_call(self.machine.main_place(), Closing::Never, None, self.machine.cycles);
        }
        let ended = loop {
            let end = match &mut self.probe {
                Some(probe) => self.machine.run_frame(&mut **probe),
                None => self.machine.run_frame(&mut NoHooks),
            };
            self.record(|context| Action::Frame(context.machine.cycles));
            match end {
                Some(End::Hook) => {
                    let Some(probe) = self.probe.take() else { break end };
                    if let Some(Ending::Stub(at)) = probe.ending.take() {
                        self.run_stub(at, probe);
                        self.machine.keep_main();
                        self.record(|context| {
                            Action::Main(context.machine.registers, context.machine.cycles)
                        });
                    }
                    self.probe = Some(probe);
                }
                Some(End::Returned) => {
                    self.machine.enter_prompt();
                    self.record(|_| Action::Prompt);
                }
                _ => break end,
            }
        };
        let cycles = self.machine.cycles;
        if let Some(probe) = &mut self.probe {
            probe.end_call(cycles);
        }
        self.stopped_at = None;
        let pc = self.machine.registers.pc;
        match ended {
            Some(End::Jammed) => {
                let message = self
                    .absent_routine()
                    .unwrap_or_else(|| format!("the processor jammed at {}", describe::place(pc, self.test)));
                self.stopped_at = Some(pc);
                self.fail(Reason::Jam, message);
                self.ended = true;
            }
            Some(End::Exit(code)) if code != 0 => {
                self.stopped_at = Some(pc);
                self.fail(Reason::Assertion, format!("the program ended with code {code}, written to $D7FF"));
            }
            _ => {}
        }
        let allowed = if self.test.timeout > 0 { self.test.timeout } else { self.options.max_cycles };
        if allowed > 0 && cycles > allowed {
            self.fail(Reason::Timeout, format!("timeout: {cycles} cycles, {allowed} allowed"));
            self.ended = true;
        }
        ended.is_none() && !self.ended
    }

    /// The text of the screen or of a row, without the spaces at the ends of rows.
    fn screen(&mut self, row: Option<&Expr>) -> Option<String> {
        let Some(row) = row else { return self.machine.screen_text() };
        let row = self.number(row);
        let rows = self.machine.screen_rows();
        match usize::try_from(row).ok().and_then(|row| rows.get(row)) {
            Some(text) => Some(text.trim_end().to_string()),
            None => {
                let last = rows.len().saturating_sub(1);
                self.fail_range(format!("there is no row {row} of the screen: they are 0…{last}"));
                None
            }
        }
    }

    pub(super) fn shown_screen(&self) -> Vec<String> {
        let text = self.machine.screen_text().unwrap_or_default();
        if text.is_empty() {
            return vec!["the screen is empty".to_string()];
        }
        let rows = text.lines().enumerate().filter(|(_, row)| !row.is_empty());
        rows.map(|(number, row)| format!("row {number:2}: {row}")).collect()
    }

    pub(super) fn compare_screen(
        &mut self,
        operator: Compare,
        row: Option<&Expr>,
        right: &Expr,
        wanted: bool,
        findings: &mut Vec<Finding>,
    ) -> Option<bool> {
        let found = self.screen(row)?;
        let Some(expected) = self.text(right) else {
            self.fail_range("the screen is compared with a text");
            return None;
        };
        let expected = expected.trim_end();
        let equal = found.trim_end() == expected;
        let result = (equal == (operator == Compare::Equal)) == wanted;
        if !result {
            let message = match (equal, row) {
                (true, _) => format!("the text is \"{expected}\", and must not be"),
                (false, Some(_)) => format!("the row is \"{found}\", expected \"{expected}\""),
                (false, None) => "the screen shows another text".to_string(),
            };
            let detail = if row.is_none() { self.shown_screen() } else { Vec::new() };
            findings.push(Finding { detail, ..Finding::new(message) });
        }
        Some(result)
    }

    pub(super) fn screen_contains(
        &mut self,
        screen: &Expr,
        text: &Expr,
        wanted: bool,
        findings: &mut Vec<Finding>,
    ) -> Option<bool> {
        let row = match &screen.kind {
            tempo_expressions::Kind::Form(Form::Screen(row)) => row.as_deref(),
            _ => None,
        };
        let found = self.screen(row)?;
        let Some(text) = self.text(text) else {
            self.fail_range("the screen is searched for a text");
            return None;
        };
        let result = found.contains(&text) == wanted;
        if !result {
            let (what, not) = match row {
                Some(_) => ("in this row", if wanted { "not " } else { "" }),
                None => ("on the screen", if wanted { "not " } else { "" }),
            };
            let detail = self.shown_screen();
            findings.push(Finding { detail, ..Finding::new(format!("\"{text}\" is {not}{what}")) });
        }
        Some(result)
    }
}

/// Why a picture is not the expected one.
enum Mismatch {
    /// There is none to compare with.
    New,
    /// Another machine's: width and height, expected and found.
    Size([(usize, usize); 2]),
    Pixels(PixelDifference, usize),
}

impl Mismatch {
    fn find(expected: &Picture, got: &Picture) -> Option<Mismatch> {
        let size = |picture: &Picture| (picture.width, picture.height);
        if size(expected) != size(got) {
            return Some(Mismatch::Size([size(expected), size(got)]));
        }
        Some(Mismatch::Pixels(expected.difference(got)?, got.pixels.len()))
    }

    /// How many pixels differ, where they can be compared.
    fn count(&self) -> Option<usize> {
        match self {
            Mismatch::Pixels(difference, _) => Some(difference.count),
            _ => None,
        }
    }

    fn message(&self, name: &str) -> String {
        match self {
            Mismatch::New => format!("there is no picture `{name}.png`"),
            Mismatch::Size([expected, got]) => format!(
                "`{name}.png` has {}x{} pixels, the screen {}x{}",
                expected.0, expected.1, got.0, got.1
            ),
            Mismatch::Pixels(difference, all) => {
                format!("{} of {all} pixels differ from `{name}.png`", difference.count)
            }
        }
    }

    fn detail(&self) -> Vec<String> {
        let Mismatch::Pixels(PixelDifference { first, colours, .. }, _) = self else { return Vec::new() };
        let (x, y) = first;
        vec![format!("first at ({x}, {y}): colour {} expected, {} found", colours.0, colours.1)]
    }
}
