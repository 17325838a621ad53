//! The parts of a session that a command works on.

use tempo_debug::{Debugger, Granularity, StepKind, Stopped};

/// The debugger, the machine elsewhere if there is one, and the user's files.
pub struct Desk<'a> {
    /// The debugger.
    pub debugger: &'a mut Debugger,
    /// The machine elsewhere; the debugger has a copy of it.
    pub remote: Option<&'a mut dyn Remote>,
    /// The user's files.
    pub files: &'a dyn Files,
}

/// A machine outside of the debugger, such as the one in VICE. It has no past.
pub trait Remote {
    /// Sets the debugger's breakpoints there. Returns those that are refused, with the reason.
    fn place(&mut self, debugger: &Debugger, is_running: bool) -> Result<Vec<(u32, String)>, String>;

    /// Lets the machine run.
    fn resume(&mut self) -> Result<(), String>;

    /// Begins a step; `Some` if it is over already.
    fn step(
        &mut self,
        debugger: &mut Debugger,
        kind: StepKind,
        granularity: Granularity,
    ) -> Result<Option<Stopped>, String>;

    /// Copies bytes, or the registers, from the debugger's machine to this one.
    fn write_back(&mut self, debugger: &Debugger, place: Option<(u16, usize)>) -> Result<(), String>;

    /// Types on the keyboard.
    fn type_text(&mut self, text: &str) -> Result<(), String>;
}

/// The files that `load` and `save` name.
pub trait Files {
    /// Reads a whole file.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;

    /// Writes a whole file.
    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String>;
}

/// No files at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Err(format!("cannot read {path} here"))
    }

    fn write(&self, path: &str, _: &[u8]) -> Result<(), String> {
        Err(format!("cannot write {path} here"))
    }
}
