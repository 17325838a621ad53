//! Where files come from.

use assembler::{Files, MemoryFiles};

/// The files of the user.
pub trait Host {
    /// Files as the assembler asks for them, from a folder and libraries.
    fn files(&self, folder: &str, libraries: &[String]) -> Box<dyn Files>;

    /// A whole file.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;

    /// Writes what the user asked to be saved.
    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let _ = bytes;
        Err(format!("cannot write {path} here"))
    }

    /// A connection to VICE's binary monitor.
    fn connect(&self, host: &str, port: u16) -> Result<Box<dyn crate::Stream>, String> {
        Err(format!("cannot connect to {host}:{port} here"))
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
