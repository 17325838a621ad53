//! The door for writing: a folder that the user chose, opened once. Files that a source, a suite, a setting or a
//! remembered name asks for are created relative to its handle, so neither `..` nor an absolute path, a link, a device
//! name or a race leads out of it. Knows nothing of what is written.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_fs_ext::{FollowSymlinks, MetadataExt, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

use super::refusal;

/// A folder that a run may write to. Everything below it is in reach, and nothing else.
#[derive(Debug, Clone)]
pub struct Outlet {
    dir: Arc<Dir>,
    /// The folder as it was named, absolute.
    path: PathBuf,
    /// The same with links followed.
    real: PathBuf,
    /// The option with which the user can write elsewhere.
    remedy: &'static str,
}

/// A place below an outlet, links resolved: the handle of its folder and its name there.
pub(super) struct Spot {
    pub folder: Arc<Dir>,
    pub name: OsString,
    /// For messages and for the list of temporaries.
    pub path: PathBuf,
}

impl Outlet {
    /// Opens a folder that the user named, or the root of the project. `remedy` tells how to write elsewhere, as in
    /// `--out-dir DIR`.
    pub fn open(path: &Path, remedy: &'static str) -> io::Result<Outlet> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let dir = Arc::new(Dir::open_ambient_dir(path, ambient_authority())?);
        Ok(Outlet { dir, real: path.canonicalize()?, path: std::path::absolute(path)?, remedy })
    }

    /// The same, and makes the folder if it is missing.
    pub fn make(path: &Path, remedy: &'static str) -> io::Result<Outlet> {
        std::fs::create_dir_all(path)?;
        Outlet::open(path, remedy)
    }

    /// The folder below this one at a path, which is made if it is missing: an outlet to that folder only.
    pub fn make_inner(&self, path: &Path) -> io::Result<Outlet> {
        let inner = self.relative(path)?;
        let dir = match self.dir.open_dir(&inner) {
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                self.dir.create_dir_all(&inner).and_then(|()| self.dir.open_dir(&inner))
            }
            other => other,
        };
        let dir = dir.map_err(|err| self.explain(path, err))?;
        Ok(Outlet {
            dir: Arc::new(dir),
            path: std::path::absolute(path)?,
            real: self.real.join(self.dir.canonicalize(&inner)?),
            remedy: self.remedy,
        })
    }

    /// Whether a path leads nowhere but below this folder, whatever of it exists. The error tells where it leads.
    pub fn admits(&self, path: &Path) -> io::Result<()> {
        let inner = self.relative(path)?;
        match self.dir.metadata(&inner) {
            Err(err) if is_escape(&err) => Err(self.explain(path, err)),
            _ => Ok(()),
        }
    }

    /// Makes a folder below this one, with those around it.
    pub fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.make_inner(path).map(drop)
    }

    /// Deletes a file; a link is deleted itself.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        let inner = self.relative(path)?;
        self.dir.remove_file(inner).map_err(|err| self.explain(path, err))
    }

    /// Where a path leads below this folder, and the file there if there is one.
    pub(super) fn find(&self, path: &Path) -> io::Result<(Spot, Option<std::fs::File>)> {
        let inner = self.relative(path)?;
        if inner.file_name().is_none() || super::names_folder(path) {
            return Err(refusal("this is not the name of a file"));
        }
        let target = match self.dir.canonicalize(&inner) {
            Ok(target) => target,
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                if self.dir.symlink_metadata(&inner).is_ok() {
                    return Err(refusal("it is a symbolic link that leads nowhere"));
                }
                inner
            }
            Err(err) => return Err(self.explain(path, err)),
        };
        let above = target.parent().filter(|above| !above.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = Arc::new(self.dir.open_dir(above).map_err(|err| self.explain(path, err))?);
        let name = target.file_name().unwrap_or_default().to_owned();
        let spot = Spot { path: self.real.join(above).join(&name), folder, name };
        let found = match spot.folder.symlink_metadata(&spot.name) {
            Ok(found) => found,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok((spot, None)),
            Err(err) => return Err(self.explain(path, err)),
        };
        if found.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; name a file in it"));
        }
        if !found.is_file() {
            return Err(refusal(format!(
                "it is not a regular file (device, pipe or socket); only a path that you type may name one: {}",
                self.remedy
            )));
        }
        if found.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        // Also shows whether the file may be written.
        let mut options = OpenOptions::new();
        let file =
            spot.folder.open_with(&spot.name, options.write(true).follow(FollowSymlinks::No))?.into_std();
        let links = links(&file)?;
        if links > 1 {
            return Err(refusal(format!(
                "it has {links} names (hard links), and another one may be outside of '{}'; delete it, or type the \
                 path: {}",
                self.path.display(),
                self.remedy
            )));
        }
        Ok((spot, Some(file)))
    }

    /// The path relative to this folder; one that is not below it by its words alone is refused.
    fn relative(&self, path: &Path) -> io::Result<PathBuf> {
        let whole = std::path::absolute(path)?;
        let inner = whole.strip_prefix(&self.path).or_else(|_| whole.strip_prefix(&self.real));
        let mut inner = match inner {
            Ok(inner) => inner.to_path_buf(),
            Err(_) => return Err(self.outside(path)),
        };
        let mut depth = 0_i32;
        for part in inner.components() {
            match part {
                Component::ParentDir => depth -= 1,
                Component::Normal(name) if is_device(name) => {
                    return Err(refusal(format!("'{}' is the name of a device", name.display())));
                }
                Component::Normal(name) if is_stream(name) => {
                    return Err(refusal(format!("'{}' is a stream of a file", name.display())));
                }
                _ => depth += 1,
            }
            if depth < 0 {
                return Err(self.outside(path));
            }
        }
        if inner.as_os_str().is_empty() {
            inner.push(".");
        }
        // A link may name its target from the root of the file system although the target is below this folder.
        if self.dir.metadata(&inner).is_err_and(|err| is_escape(&err))
            && let Ok(real) = whole.canonicalize()
            && let Ok(real) = real.strip_prefix(&self.real)
        {
            return Ok(if real.as_os_str().is_empty() { PathBuf::from(".") } else { real.to_path_buf() });
        }
        Ok(inner)
    }

    fn explain(&self, path: &Path, err: io::Error) -> io::Error {
        if is_escape(&err) { self.outside(path) } else { err }
    }

    fn outside(&self, path: &Path) -> io::Error {
        let folder = self.path.display();
        // The nearest part that exists shows the way.
        let parts = path.ancestors().filter(|part| !part.as_os_str().is_empty());
        let goal =
            parts.filter_map(|part| part.canonicalize().ok()).find(|goal| !goal.starts_with(&self.real));
        let goal = match goal {
            Some(goal) => format!("it leads to '{}', outside of '{folder}'", goal.display()),
            None => format!("it leads out of '{folder}'"),
        };
        io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("{goal}; only a path that you type may lead there: {}", self.remedy),
        )
    }
}

/// How many names a file has.
fn links(file: &std::fs::File) -> io::Result<u64> {
    Ok(Metadata::from_file(file)?.nlink())
}

/// Whether a path led out of the folder; the system's own refusals have a number.
pub(super) fn is_escape(err: &io::Error) -> bool {
    err.kind() == io::ErrorKind::PermissionDenied && err.raw_os_error().is_none()
}

/// Whether a file name is that of a device: Windows has some in every folder, with any extension.
pub(super) fn is_device(name: &OsStr) -> bool {
    cfg!(windows) && name.to_str().is_some_and(is_device_word)
}

/// Whether a file name is that of a second stream: on Windows, what follows a colon.
fn is_stream(name: &OsStr) -> bool {
    cfg!(windows) && name.to_string_lossy().contains(':')
}

fn is_device_word(name: &str) -> bool {
    let stem = name.split(['.', ':']).next().unwrap_or_default().trim_end_matches(' ').to_uppercase();
    let port = stem.strip_prefix("COM").or(stem.strip_prefix("LPT"));
    let is_port = port.is_some_and(|number| {
        let mut letters = number.chars();
        matches!((letters.next(), letters.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    });
    is_port || matches!(&stem[..], "CON" | "NUL" | "PRN" | "AUX" | "CONIN$" | "CONOUT$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_have_many_spellings() {
        for name in ["nul", "NUL.prg", "Con ", "com1.txt", "LPT9", "COM¹", "conin$", "aux.a.b", "nul:x"] {
            assert!(is_device_word(name), "{name}");
        }
        for name in ["null", "con1", "com", "com10", "lpt", "game.con", ".nul"] {
            assert!(!is_device_word(name), "{name}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn nothing_leads_out() {
        use std::os::unix::fs::symlink;
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().canonicalize().unwrap();
        let root = top.join("root");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::create_dir(top.join("out")).unwrap();
        for file in ["victim", "root/plain"] {
            std::fs::write(top.join(file), "old").unwrap();
        }
        symlink("../victim", root.join("link")).unwrap();
        symlink(top.join("victim"), root.join("absolute-link")).unwrap();
        symlink("../nothing", root.join("dangling")).unwrap();
        symlink("../out", root.join("folder")).unwrap();
        symlink("plain", root.join("inner")).unwrap();
        symlink(root.join("plain"), root.join("absolute-inner")).unwrap();
        std::fs::hard_link(top.join("victim"), root.join("hard")).unwrap();
        let outlet = Outlet::open(&root, "-o FILE").unwrap();
        let find = |name: &str| outlet.find(&root.join(name)).map(|(spot, _)| spot.path);
        for name in [
            "link",
            "absolute-link",
            "dangling",
            "folder/new",
            "hard",
            "../victim",
            "sub/../../victim",
            "folder/../victim",
            "/etc/hostname",
            "sub",
            "",
            "sub/",
        ] {
            let err = find(name).expect_err(name).to_string();
            if !["sub", "", "sub/"].contains(&name) {
                assert!(err.contains("-o FILE"), "{name}: {err}");
            }
        }
        for name in ["inner", "absolute-inner", "plain", "sub/../plain"] {
            assert_eq!(find(name).unwrap(), root.join("plain"), "{name}");
        }
        assert_eq!(find("sub/new").unwrap(), root.join("sub/new"));
        assert!(find("missing/new").is_err());
        assert!(outlet.make_inner(&root.join("folder/deep")).is_err());
        assert!(!top.join("out/deep").exists());
        assert!(outlet.make_inner(&root.join("a/b")).is_ok());
        assert!(outlet.admits(&root.join("not/there")).is_ok());
        assert!(outlet.admits(&root.join("folder")).is_err());
        assert_eq!(std::fs::read(top.join("victim")).unwrap(), b"old");
    }
}
