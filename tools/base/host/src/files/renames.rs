//! Giving several files their names so that no kill comes between. Two renames are two calls, and nobody can hold off
//! SIGKILL or a task manager; so the renames are made by a second process of this program, in a process group of its
//! own. Once it has the word to begin it makes all of them, whatever becomes of the first process; without the word,
//! none.
//!
//! Where no second process can be had, the first one renames by itself. A loss of power can come between either way.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The first word of the second process's command line. Pairs of paths follow: a temporary and the name it gets.
const WORD: &str = "--rename-outputs";

/// What the first process sends when everything is ready.
const BEGIN: u8 = b'+';

/// How long a command line may be: Windows takes 32,767 characters, others far more.
const MOST_CHARACTERS: usize = if cfg!(windows) { 30_000 } else { 200_000 };

/// Renames each file of a pair to the other name; on failure says which pair is the first that has not been.
pub fn rename_all(pairs: &[(&Path, &Path)]) -> Result<(), (usize, io::Error)> {
    if pairs.len() > 1 {
        // What it did not do, for whatever reason, is left to be done here.
        let _ = rename_in_second_process(pairs);
    }
    let done = pairs.iter().take_while(|(from, _)| pairs.len() > 1 && !from.exists()).count();
    for (index, (from, to)) in pairs.iter().enumerate().skip(done) {
        std::fs::rename(from, to).map_err(|error| (index, error))?;
    }
    Ok(())
}

fn rename_in_second_process(pairs: &[(&Path, &Path)]) -> io::Result<()> {
    let words = || pairs.iter().flat_map(|(from, to)| [from.as_os_str(), to.as_os_str()]);
    if words().map(|word| word.len() + 3).sum::<usize>() > MOST_CHARACTERS {
        return Err(io::ErrorKind::ArgumentListTooLong.into());
    }
    let mut command = Command::new(program()?);
    // Who waits for the end of standard error waits for the renames too.
    command.arg(WORD).args(words()).stdin(Stdio::piped()).stdout(Stdio::null());
    leave_group(&mut command);
    let mut process = command.spawn()?;
    let told = match process.stdin.take() {
        Some(mut pipe) => pipe.write_all(&[BEGIN]),
        None => Ok(()),
    };
    process.wait()?;
    told
}

/// This very program, also if another one has its name by now.
fn program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}

/// Ctrl-C and a closed terminal end the group of the first process only.
#[cfg(unix)]
fn leave_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(windows)]
fn leave_group(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

#[cfg(not(any(unix, windows)))]
fn leave_group(_: &mut Command) {}

/// Does the work of the second process, if this is one. If the first process ended without the word to begin, its
/// temporaries go.
pub fn run_as_second_process(words: &[OsString]) -> Option<ExitCode> {
    if words.get(1)? != WORD {
        return None;
    }
    let mut word = [0];
    let begins = io::stdin().read_exact(&mut word).is_ok() && word == [BEGIN];
    for pair in words[2..].chunks_exact(2) {
        if !begins {
            let _ = std::fs::remove_file(&pair[0]);
        } else if std::fs::rename(&pair[0], &pair[1]).is_err() {
            // The first process tries this one again and says what is wrong.
            return Some(ExitCode::FAILURE);
        }
    }
    Some(ExitCode::SUCCESS)
}
