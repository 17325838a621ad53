//! A progress bar on a terminal, once a run takes longer than a second; never into a pipe.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use harness::events::{Event, Outcome};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    visible: bool,
    done: u64,
    failed: u64,
}

impl Progress {
    pub fn new() -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} tests {msg} {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, started: Instant::now(), visible: false, done: 0, failed: 0 }
    }

    pub fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { tests, .. } => self.bar.set_length(*tests as u64),
            Event::Test(test) => {
                self.done += 1;
                self.failed += u64::from(test.outcome == Outcome::Failed);
                if !self.visible
                    && self.started.elapsed() > Duration::from_secs(1)
                    && io::stderr().is_terminal()
                {
                    self.bar.set_draw_target(ProgressDrawTarget::stderr());
                    self.visible = true;
                }
                if self.visible {
                    self.bar.set_position(self.done);
                    if self.failed > 0 {
                        self.bar.set_message(format!("{} failed", self.failed));
                    }
                }
            }
            _ => {}
        }
    }

    /// Prints around the bar.
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        self.bar.suspend(|| {
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        })
    }

    pub fn finish(&mut self) {
        self.bar.finish_and_clear();
    }
}
