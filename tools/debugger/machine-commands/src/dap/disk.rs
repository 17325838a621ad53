//! The disk as the debugger sees it.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempo_assembler::search::clean;
use tempo_assembler::{FileError, Files, Loaded, SearchPath};
use tempo_dap::{Host, Project as Told, StartVice, Stream};
use tempo_diagnostics::Renderer;
use tempo_host::files::{read_limited, write_atomic};
use tempo_source_commands::project::{self, Project};

use crate::suite_files::Disk;

/// The largest file that is read.
const LIMIT: u64 = 64 << 20;

/// Files of this computer.
#[derive(Default)]
pub struct DiskHost {
    /// The project that a command line names. Without one, it is looked for around the file.
    pub project: Option<Project>,
}

impl DiskHost {
    fn find(&self, file: Option<&str>) -> Result<Option<Project>, String> {
        match (&self.project, file) {
            (Some(project), _) => Ok(Some(project.clone())),
            (None, Some(file)) => around(Path::new(file).parent().unwrap_or(Path::new(""))),
            (None, None) => around(Path::new("")),
        }
    }
}

/// The project around a folder, or what is wrong with its `tempo.toml`.
fn around(folder: &Path) -> Result<Option<Project>, String> {
    let here = std::env::current_dir().map_err(|err| format!("the working directory is gone: {err}"))?;
    match project::around(&clean(&here.join(folder))) {
        None => Ok(None),
        Some(Ok(project)) => Ok(Some(project)),
        Some(Err((source, faults))) => {
            let first = faults.first().map(|fault| Renderer::new(&source).short(fault));
            Err(first.unwrap_or_default().trim_end().to_owned())
        }
    }
}

impl Host for DiskHost {
    fn suite_files(&self, suite: &str) -> Box<dyn Files> {
        // Suites name their files from where they lie.
        Box::new(match self.find(Some(suite)) {
            Ok(Some(project)) => Disk::of_program(&project, None),
            _ => Disk::new(&[]),
        })
    }

    fn project(&self, file: Option<&str>) -> Result<Option<Told>, String> {
        let text = |path: PathBuf| path.to_string_lossy().into_owned();
        Ok(self.find(file)?.map(|project| {
            let own = project.is_there().then(|| project.root().to_path_buf());
            Told {
                main: text(project.main()),
                is_main: project.is_there()
                    && file.is_none_or(|file| project::is_main(&project, Path::new(file))),
                libraries: project.lib_dirs().into_iter().chain(own).map(text).collect(),
                defines: project.defines(),
                vars: project.vars(),
                system: project.system().name().to_owned(),
            }
        }))
    }

    fn files(&self, folder: &str, libraries: &[String]) -> Box<dyn Files> {
        let folder = if folder.is_empty() { "." } else { folder };
        let folder = std::path::absolute(folder).unwrap_or_else(|_| PathBuf::from(folder));
        let library_folders = libraries.iter().map(PathBuf::from).collect();
        Box::new(Sources(SearchPath { folder, library_folders, ..SearchPath::default() }))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        read_limited(Path::new(path), LIMIT).map_err(|err| format!("cannot read {path}: {err}"))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        if Path::new(path).exists() {
            return Err(format!("{path} exists already"));
        }
        write_atomic(Path::new(path), bytes).map_err(|err| format!("cannot write {path}: {err}"))
    }

    fn connect(&self, host: &str, port: u16) -> Result<Box<dyn Stream>, String> {
        // It may be starting.
        let stream = connect(host, port, CONNECT_TRIES, || true).map_err(|err| {
            format!("VICE does not listen on {host}:{port} ({err}); start it with -binarymonitor")
        })?;
        Ok(Box::new(Socket(stream)))
    }

    fn start_vice(&self, start: &StartVice, prg: &[u8]) -> Result<(Box<dyn Stream>, String), String> {
        let vice = crate::run::find_vice(start.path.as_deref().map(Path::new))?;
        let port = free_port().map_err(|err| format!("there is no free port for VICE: {err}"))?;
        let program =
            Temporary::new(prg).map_err(|err| format!("cannot write the program for VICE: {err}"))?;
        let mut child = Command::new(&vice)
            .arg(if start.is_ntsc { "-ntsc" } else { "-pal" })
            .args(&start.arguments)
            // After what the user says, since `-default` takes back what is before it.
            .arg("-binarymonitor")
            .args(["-binarymonitoraddress", &format!("ip4://127.0.0.1:{port}")])
            // Straight into memory: a disk drive would need its ROM, and takes its time.
            .args(["-autostartprgmode", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|err| format!("cannot start {}: {err}", vice.display()))?;
        let stream = connect("127.0.0.1", port, START_TRIES, || matches!(child.try_wait(), Ok(None)));
        let path = program.0.to_string_lossy().into_owned();
        match stream {
            Ok(stream) => Ok((Box::new(Own { socket: Socket(stream), child, _program: program }), path)),
            Err(problem) => {
                let gone = child.try_wait().ok().flatten();
                let _ = child.kill();
                let _ = child.wait();
                Err(match gone {
                    Some(status) => format!("{} ended at once ({status})", vice.display()),
                    None => format!("{} does not open its binary monitor: {problem}", vice.display()),
                })
            }
        }
    }
}

/// Sources of this computer, read as every other file of the program is.
struct Sources(SearchPath);

impl Files for Sources {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        self.0.read(name, from, Path::is_dir, read_limited, |path| path.canonicalize().ok())
    }

    fn searched(&self, name: &str, from: Option<&str>) -> Vec<String> {
        self.0.searched(name, from)
    }
}

/// A connection to a port that is about to open, as long as there is hope.
fn connect(
    host: &str,
    port: u16,
    tries: u32,
    mut has_hope: impl FnMut() -> bool,
) -> Result<TcpStream, String> {
    let mut problem = String::new();
    for _ in 0..tries {
        match TcpStream::connect((host, port)) {
            Ok(stream) => {
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(err) => problem = err.to_string(),
        }
        if !has_hope() {
            break;
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    Err(problem)
}

/// A port that is free now.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// A program file for VICE, taken away again.
struct Temporary(PathBuf);

impl Temporary {
    fn new(prg: &[u8]) -> std::io::Result<Temporary> {
        let folder = std::env::temp_dir();
        for number in 0.. {
            let path = folder.join(format!("tempo-{}-{number}.prg", std::process::id()));
            match std::fs::OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let temporary = Temporary(path);
                    file.write_all(prg)?;
                    return Ok(temporary);
                }
                Err(err) if err.kind() == ErrorKind::AlreadyExists && number < 100 => {}
                Err(err) => return Err(err),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A VICE that was started here. It ends with the session, if need be by force.
struct Own {
    socket: Socket,
    child: Child,
    _program: Temporary,
}

impl Stream for Own {
    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.socket.send(bytes)
    }

    fn receive(&mut self, milliseconds: u64) -> Result<Vec<u8>, String> {
        self.socket.receive(milliseconds)
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        for _ in 0..20 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ten seconds of a quarter each.
const CONNECT_TRIES: u32 = 40;
/// A VICE that was just started shows its window first: a minute.
const START_TRIES: u32 = 240;

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
