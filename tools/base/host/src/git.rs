//! `git` for reading a repository that may be a stranger's: the settings in its `.git` can name programs to start, and
//! none of those that apply to reading are taken.

use std::process::{Command, Stdio};

/// A `git` that reads: without pager, signatures, monitors of the file system, and without fetching what is missing.
pub fn command() -> Command {
    let mut git = Command::new("git");
    git.args(["--no-pager", "--no-optional-locks"]);
    for setting in [
        "core.fsmonitor=false",
        "log.showSignature=false",
        "protocol.allow=never",
        "core.alternateRefsCommand=",
    ] {
        git.args(["-c", setting]);
    }
    // A partial clone would start the program that its settings name as the other end.
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null());
    git
}
