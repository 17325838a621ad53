//! The disk as the debugger sees it.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::dap::{Host, Stream};
use assembler::{DiskFiles, Files};

use crate::cmd::test::disk::Disk;
use crate::files::read_limited;

/// The largest file that is read.
const LIMIT: u64 = 64 << 20;

/// Files of this computer.
pub struct DiskHost;

impl Host for DiskHost {
    fn files(&self, folder: &str, libraries: &[String]) -> Box<dyn Files> {
        if folder.is_empty() && libraries.is_empty() {
            // Suites name their files from where they lie.
            return Box::new(Disk::new(&[]));
        }
        let folder = std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from(folder));
        let files = libraries.iter().fold(DiskFiles::new(folder), |files, library| files.library(library));
        Box::new(files)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        read_limited(Path::new(path), LIMIT).map_err(|err| format!("cannot read {path}: {err}"))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        if Path::new(path).exists() {
            return Err(format!("{path} exists already"));
        }
        std::fs::write(path, bytes).map_err(|err| format!("cannot write {path}: {err}"))
    }

    fn connect(&self, host: &str, port: u16) -> Result<Box<dyn Stream>, String> {
        // VICE takes a moment to start.
        let mut problem = String::new();
        for _ in 0..CONNECT_TRIES {
            match TcpStream::connect((host, port)) {
                Ok(stream) => {
                    let _ = stream.set_nodelay(true);
                    return Ok(Box::new(Socket(stream)));
                }
                Err(err) => problem = err.to_string(),
            }
            std::thread::sleep(Duration::from_millis(250));
        }
        Err(format!("VICE does not listen on {host}:{port} ({problem}); start it with -binarymonitor"))
    }
}

/// Ten seconds of a quarter each.
const CONNECT_TRIES: u32 = 40;

/// A connection to VICE.
struct Socket(TcpStream);

impl Stream for Socket {
    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.0.write_all(bytes).map_err(|err| format!("VICE is gone: {err}"))
    }

    fn receive(&mut self, milliseconds: u64) -> Result<Vec<u8>, String> {
        let mut buffer = vec![0; 128 << 10];
        let wait = Some(Duration::from_millis(milliseconds.max(1)));
        self.0.set_read_timeout(wait).map_err(|err| err.to_string())?;
        match self.0.read(&mut buffer) {
            Ok(0) => Err("VICE is gone".to_string()),
            Ok(count) => {
                buffer.truncate(count);
                Ok(buffer)
            }
            Err(err)
                if matches!(
                    err.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                Ok(Vec::new())
            }
            Err(err) => Err(format!("VICE is gone: {err}")),
        }
    }
}
