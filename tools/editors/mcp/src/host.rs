//! The world of the server: the files of one project. A caller implements it; **nothing here opens a file.**

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use tempo_assembler::search::clean;
use tempo_assembler::{Cancel, Files};
use tempo_kickass::{FileSystem, PlannedFile};
use tempo_project::Project;

/// The files of the project. Paths are relative to its root, which is the working directory. Reading outside of it must
/// fail, whichever way a path leads there.
pub trait Host: Send + Sync {
    /// The root, absolute: a path that begins with it is taken as one below it.
    fn root(&self) -> &str;

    /// The settings, read again for every call, or what is wrong with them.
    fn project(&self) -> Result<Project, String>;

    /// Files as sources and suites ask for them.
    fn files(&self, project: &Project) -> Box<dyn Files>;

    /// Files as a build asks for them.
    fn disk(&self) -> &dyn FileSystem;

    /// A whole file.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;

    /// The suites in a file or folder, or those of the project.
    fn suites(&self, project: &Project, path: Option<&str>) -> Result<Vec<String>, String>;

    /// Source files and suites of the project, at most this many.
    fn sources(&self, most: usize) -> Vec<String>;

    /// Writes all files of a build or none.
    fn write(&self, files: &[PlannedFile]) -> Result<(), String>;

    /// Whether builds may write.
    fn may_write(&self) -> bool;
}

/// The end of a call before its time: the client does not want the answer any more, or the time is up.
#[derive(Debug, Default)]
pub struct Token {
    /// The flag that the assembler and runs look at.
    pub stop: Cancel,
    is_cancelled: AtomicBool,
}

impl Token {
    /// The client takes its request back.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.stop.cancel();
    }

    /// The time of the call is up.
    pub fn expire(&self) {
        self.stop.cancel();
    }

    /// Whether the client took its request back.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// An error if the call must end now.
    pub fn check(&self) -> Result<(), String> {
        match self.stop.is_cancelled() {
            true => Err(TIME_IS_UP.to_owned()),
            false => Ok(()),
        }
    }
}

/// The answer of a call that took too long.
pub const TIME_IS_UP: &str = "this took longer than a call may (10 s). Ask for less: fewer frames or inputs, one suite \
     instead of all, or a `stop` that is reached earlier";

/// A path of the client, as one below the root; or why it leads out.
pub fn inside(root: &str, path: &str) -> Result<String, String> {
    let refused =
        || format!("`{path}` is outside of the project. Give a path relative to the project's root");
    if path.contains('\0') {
        return Err(refused());
    }
    let below = path.strip_prefix(root).filter(|_| !root.is_empty());
    let below = below.and_then(|rest| rest.strip_prefix(['/', '\\']));
    let path = below.unwrap_or(path);
    // Drive letters and shares are words of another system here, but files may move there.
    let has_drive = path.as_bytes().get(1) == Some(&b':') || path.starts_with('\\');
    let slashed = path.replace('\\', "/");
    if has_drive || slashed.starts_with('/') || slashed.starts_with('~') {
        return Err(refused());
    }
    let clean = clean(&PathBuf::from(&slashed));
    let clean = clean.to_string_lossy().into_owned();
    match clean.split('/').any(|part| part == "..") {
        true => Err(refused()),
        false if clean.is_empty() => Ok(".".to_owned()),
        false => Ok(clean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn paths_stay_below_the_root() {
        for (path, expected) in [
            ("a.asm", "a.asm"),
            ("./src/../a.asm", "a.asm"),
            ("/p/src/a.asm", "src/a.asm"),
            ("src\\a.asm", "src/a.asm"),
            (".", "."),
        ] {
            assert_eq!(inside("/p", path).as_deref(), Ok(expected), "{path}");
        }
        for path in [
            "/etc/passwd",
            "../a.asm",
            "src/../../a.asm",
            "/p2/a.asm",
            "/p/../q/a.asm",
            "c:\\a.asm",
            "\\\\server\\a",
            "..\\a.asm",
            "~/a.asm",
            "a\0b",
        ] {
            assert!(inside("/p", path).is_err(), "{path}");
        }
    }
}
