//! Files of an earlier revision, asked from git one by one: nothing is checked out, so nothing is left behind.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Mutex;

use tempo_host::files::{self, read_limited};
use tempo_host::git;

/// A commit of the repository around the working directory.
pub struct Revision {
    /// The name, shortened by git.
    pub hash: String,
    /// The first line of its message.
    pub subject: String,
    /// The top folder of the repository.
    root: PathBuf,
    /// The working directory.
    here: PathBuf,
    full: String,
    reader: Mutex<Reader>,
}

/// `git cat-file --batch`: takes names, answers with contents.
struct Reader {
    child: Child,
    names: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Drop for Reader {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Revision {
    /// Finds a revision by any name that git knows. The error is ready to be shown.
    pub fn open(name: &str) -> Result<Revision, String> {
        let root = ask(&["rev-parse", "--show-toplevel"])
            .map_err(|why| format!("--compare needs a git repository around this folder: {why}"))?;
        // In two steps: what follows `:/` is all text to search for.
        let find = |name: &str| ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", name]);
        let full = find(name)
            .and_then(|object| find(&format!("{object}^{{commit}}")))
            .map_err(|_| format!("git knows no revision `{name}`"))?;
        let hash = ask(&["rev-parse", "--short", &full])?;
        let subject = ask(&["log", "-1", "--format=%s", &full])?;
        let fail = |err: io::Error| format!("cannot ask git: {err}");
        let mut child = git::command()
            .args(["cat-file", "--batch", "--follow-symlinks"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(fail)?;
        let (Some(names), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("cannot ask git: it has no pipes".to_string());
        };
        let reader = Mutex::new(Reader { child, names, answers: BufReader::new(answers) });
        let root = Path::new(&root).canonicalize().map_err(fail)?;
        let here = std::env::current_dir().and_then(|folder| folder.canonicalize()).map_err(fail)?;
        Ok(Revision { hash, subject, root, here, full, reader })
    }

    /// A file as it was. One outside of the repository is read as it is.
    pub fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let whole = tempo_assembler::search::clean(&self.here.join(path));
        let Ok(inside) = whole.strip_prefix(&self.root) else { return read_limited(path, limit) };
        files::check_words(&whole)?;
        let parts: Vec<String> =
            inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let name = parts.join("/");
        if name.is_empty() || name.contains('\n') {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut reader = self.reader.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        writeln!(reader.names, "{}:{name}", self.full)?;
        reader.names.flush()?;
        let mut head = String::new();
        reader.answers.read_line(&mut head)?;
        let words: Vec<&str> = head.split_whitespace().collect();
        let size = match words[..] {
            [.., kind, size] if size.parse::<u64>().is_ok() && kind != "missing" => {
                (kind, size.parse::<u64>())
            }
            _ => return Err(io::ErrorKind::NotFound.into()),
        };
        let (kind, Ok(size)) = size else { return Err(io::ErrorKind::NotFound.into()) };
        // The content ends with its own line feed, whatever it is.
        if kind == "blob" && size <= limit {
            let mut bytes = vec![0; size as usize];
            reader.answers.read_exact(&mut bytes)?;
            reader.answers.read_exact(&mut [0])?;
            return Ok(bytes);
        }
        io::copy(&mut (&mut reader.answers).take(size + 1), &mut io::sink())?;
        Err(match kind {
            "blob" => io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {limit} bytes")),
            "tree" => io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"),
            _ => io::ErrorKind::NotFound.into(),
        })
    }

    /// As messages name it.
    pub fn shown(&self) -> String {
        format!("{} ({})", self.hash, self.subject)
    }
}

/// Git's answer, or its complaint.
fn ask(words: &[&str]) -> Result<String, String> {
    let output = git::command().args(words).output().map_err(|err| format!("cannot start git: {err}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_string());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ").to_string())
}
