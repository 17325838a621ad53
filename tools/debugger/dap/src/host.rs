//! Where files come from.

use tempo_assembler::{Cancel, Files, MemoryFiles};

/// The settings of the project around a program or a suite (`tempo.toml`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// The source that imports the rest.
    pub main: String,
    /// Whether that is the file that was asked for.
    pub is_main: bool,
    /// Folders with libraries.
    pub libraries: Vec<String>,
    /// Preprocessor symbols.
    pub defines: Vec<String>,
    /// Variables of the command line.
    pub vars: Vec<(String, String)>,
    /// The machine that runs the program.
    pub system: String,
}

/// How VICE is started.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StartVice {
    /// The program, or the folder it is in; else `x64sc` in the search path.
    pub path: Option<String>,
    /// Further words of its command line.
    pub arguments: Vec<String>,
    /// A C64 with 60 pictures a second.
    pub is_ntsc: bool,
}

/// The files of the user.
pub trait Host {
    /// Files as the assembler asks for them, from a folder and libraries.
    fn files(&self, folder: &str, libraries: &[String]) -> Box<dyn Files>;

    /// Files as a suite asks for them.
    fn suite_files(&self, suite: &str) -> Box<dyn Files> {
        let _ = suite;
        self.files("", &[])
    }

    /// The project around a file, or where no file is given around the working directory; or what is wrong with it.
    fn project(&self, file: Option<&str>) -> Result<Option<Project>, String> {
        let _ = file;
        Ok(None)
    }

    /// A whole file.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;

    /// Writes what the user asked to be saved.
    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let _ = bytes;
        Err(format!("cannot write {path} here"))
    }

    /// The flag that ends a launch early.
    fn cancel(&self) -> Cancel {
        Cancel::default()
    }

    /// Starts VICE with its binary monitor open, and puts a program where it can load it: the connection, and the
    /// program's path.
    fn start_vice(&self, start: &StartVice, prg: &[u8]) -> Result<(Box<dyn crate::Stream>, String), String> {
        let _ = (start, prg);
        Err("cannot start VICE here".to_string())
    }

    /// A connection to VICE's binary monitor.
    fn connect(&self, host: &str, port: u16) -> Result<Box<dyn crate::Stream>, String> {
        Err(format!("cannot connect to {host}:{port} here"))
    }
}

/// The host's files as the console asks for them.
pub struct HostFiles<'a>(pub &'a dyn Host);

impl tempo_console::Files for HostFiles<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.0.read(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        self.0.write(path, bytes)
    }
}

/// Files in memory, for tests.
#[derive(Debug, Clone, Default)]
pub struct MemoryHost(pub MemoryFiles);

impl Host for MemoryHost {
    fn files(&self, _: &str, _: &[String]) -> Box<dyn Files> {
        Box::new(self.0.clone())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.0
            .read(path, None)
            .map(|loaded| loaded.bytes.to_vec())
            .map_err(|_| format!("there is no file {path}"))
    }
}
