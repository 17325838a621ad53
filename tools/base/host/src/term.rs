//! The terminal: colour or not, a person or a pipe.

use std::io::IsTerminal;
use std::ops::Deref;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Whether standard error takes colour: a terminal that reads escapes, and `NO_COLOR` unset or empty.
pub fn stderr_colour() -> bool {
    std::io::stderr().is_terminal() && is_colour_wanted() && reads_escapes()
}

/// Whether standard output takes colour.
pub fn stdout_colour() -> bool {
    std::io::stdout().is_terminal() && is_colour_wanted() && reads_escapes()
}

fn is_colour_wanted() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A console of Windows shows escapes as they are until it is told to read them, and old ones always do. Terminals that
/// came from elsewhere are not consoles; they set `TERM`.
#[cfg(windows)]
fn reads_escapes() -> bool {
    anstyle_query::windows::enable_ansi_colors().unwrap_or(true) || std::env::var_os("TERM").is_some()
}

#[cfg(not(windows))]
fn reads_escapes() -> bool {
    true
}

/// Whether a person watches standard error.
pub fn stderr_is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// A bar on standard error, for a person only, and only once the work has taken a second. A reader of a pipe sees
/// nothing. It is taken away when the value is dropped.
pub struct Progress {
    bar: ProgressBar,
    /// Wakes and ends the thread that shows the bar.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// `verb` is before the bar, `unit` after the count. A total can also be set later.
    pub fn start(verb: &'static str, unit: &'static str, total: Option<u64>) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let mut progress = Progress { bar, end: None, thread: None };
        if !stderr_is_terminal() {
            return progress;
        }
        let template = format!("{verb} {{bar:30}} {{human_pos}} of {{human_len}} {unit}{{msg}}, {{elapsed}}");
        progress.bar.set_style(ProgressStyle::with_template(&template).expect("the template is well formed"));
        let (end, ended) = channel();
        let bar = progress.bar.clone();
        progress.thread = Some(std::thread::spawn(move || {
            if ended.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
                bar.enable_steady_tick(Duration::from_millis(200));
            }
        }));
        progress.end = Some(end);
        progress
    }
}

impl Deref for Progress {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // It ends as soon as the channel closes; a panic in it would be of no interest.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
