//! `--vice`: the program in VICE, with its labels in VICE's monitor.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempo_host::Exit;
use tempo_source_commands::watch::Watcher;

use super::Args;

/// The emulator of the C64 that is exact to the cycle.
const PROGRAM: &str = "x64sc";

/// How often VICE and the watched files are looked at.
const POLL: Duration = Duration::from_millis(100);

pub fn run(args: &Args, watcher: Option<&Watcher<'_>>) -> Result<Exit, String> {
    let vice = find(args.vice_path.as_deref())?;
    let program = args.file();
    let labels = match &args.symbols {
        Some(symbols) => Some(symbols.clone()),
        None => Some(program.with_extension("vs")).filter(|labels| labels.is_file()),
    };
    let mut command = Command::new(&vice);
    let model = args.system().c64().unwrap_or_default();
    command.arg(if model.mains() == 60 { "-ntsc" } else { "-pal" });
    command.args(&args.vice_arg);
    if let Some(labels) = &labels {
        command.arg("-moncommands").arg(labels);
    }
    command.arg("-autostart").arg(program).stdin(Stdio::null());
    let child = command.spawn().map_err(|err| format!("cannot start {}: {err}", vice.display()))?;
    wait(child, watcher).map_err(|err| format!("cannot wait for {}: {err}", vice.display()))
}

/// Waits until VICE is closed, or closes it when a watched file changes.
fn wait(mut child: Child, watcher: Option<&Watcher<'_>>) -> std::io::Result<Exit> {
    let Some(watcher) = watcher else {
        let status = child.wait()?;
        return Ok(if status.success() { Exit::Fine } else { Exit::Failed });
    };
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() { Exit::Fine } else { Exit::Failed });
        }
        if watcher.has_changed() {
            child.kill()?;
            child.wait()?;
            return Ok(Exit::Fine);
        }
        std::thread::sleep(POLL);
    }
}

/// VICE where the user says it is, or in the PATH.
pub fn find(path: Option<&Path>) -> Result<PathBuf, String> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    if let Some(path) = path {
        let inner = path.join(&name);
        return match () {
            () if path.is_file() => Ok(path.to_path_buf()),
            () if inner.is_file() => Ok(inner),
            () if path.is_dir() => Err(format!("--vice-path: there is no {name} in {}", path.display())),
            () => Err(format!("--vice-path: there is no {}", path.display())),
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file());
    found.ok_or_else(|| {
        format!(
            "{PROGRAM} is not in the PATH: install VICE 3 ({INSTALL}), or name it with --vice-path; without it, \
             `tempo run` has its own C64"
        )
    })
}

/// The command that installs VICE.
const INSTALL: &str = if cfg!(windows) {
    "from vice-emu.sourceforge.io"
} else if cfg!(target_os = "macos") {
    "brew install vice"
} else {
    "Debian and Ubuntu: apt install vice, from contrib or multiverse"
};
