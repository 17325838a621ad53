//! Statements and conditions about a whole computer: its frames, its keyboard, what is on its screen.

use c64::{End, Keys};

use super::assertion::Finding;
use super::context::Context;
use super::describe;
use crate::ast::{Compare, Expr};
use crate::events::Reason;
use crate::probe::{Closing, Ending};

/// Frames of one statement: five hours.
const MAX_FRAMES: i64 = 1_000_000;

/// How long `run(wait = "…")` waits for its text, in frames.
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
        let Some(script) = self.text(script) else {
            return self.fail_range("keys are typed from a text");
        };
        match Keys::parse(&script) {
            Ok(keys) => {
                self.machine.type_keys(&keys);
                self.run_for(keys.frames);
            }
            Err(err) => self.fail_range(err.to_string()),
        }
    }

    /// `run()`, `run(wait = "text")`: the program whose BASIC line is in memory, as RUN starts it.
    pub(super) fn start_program(&mut self, wait: Option<&Expr>) {
        self.executed = true;
        if let Err(err) = self.machine.start_program() {
            self.fail(Reason::NothingExecuted, err.to_string());
            return;
        }
        let Some(wait) = wait else { return };
        let Some(text) = self.text(wait) else { return self.fail_range("`wait` takes a text") };
        for _ in 0..WAIT_FRAMES {
            if self.screen(None).is_some_and(|screen| screen.contains(&text)) || !self.run_for(1) {
                return;
            }
        }
        let rows = self.shown_screen();
        let message = format!("\"{text}\" is not on the screen after {WAIT_FRAMES} frames");
        if let Some(failure) = self.fail(Reason::Timeout, message) {
            failure.detail = rows;
        }
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
            let end = self.machine.run_frame(self.probe.as_deref_mut());
            match end {
                Some(End::Hook) => {
                    let Some(probe) = self.probe.take() else { break end };
                    if let Some(Ending::Stub(at)) = probe.ending.take() {
                        self.run_stub(at, probe);
                        self.machine.keep_main();
                    }
                    self.probe = Some(probe);
                }
                Some(End::Returned) => self.machine.enter_prompt(),
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
                let place = describe::place(pc, self.test);
                self.stopped_at = Some(pc);
                self.fail(Reason::Jam, format!("the processor jammed at {place}"));
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
                self.fail_range(format!("there is no row {row} of the screen: they are 0…24"));
                None
            }
        }
    }

    fn shown_screen(&self) -> Vec<String> {
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
            crate::ast::ExprKind::Screen(row) => row.as_deref(),
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
