//! `[[asset]]` of a project: parts of graphics files that are written before a build, if they are not as they should be.

use std::path::Path;

use tempo_assembler::search::clean;
use tempo_host::files::{self, Outlet, Outputs};
use tempo_host::{Exit, output};

use super::{FILE_LIMIT, How, Kind, part, read};
use crate::project::Project;
use crate::watch::Seen;

/// Writes the parts that the project asks for. A file that has its bytes already is left alone, so that what depends on it
/// does not look changed.
pub fn write(project: &Project, seen: &Seen, writes: Writes) -> Result<(), Exit> {
    let assets = project.assets();
    if assets.is_empty() {
        return Ok(());
    }
    let outlet = Outlet::open(project.root(), "a path in the project")
        .map_err(|err| output::complain(format_args!("cannot open {}: {err}", project.root().display())))?;
    let mut outputs = Outputs::with_folders();
    for asset in assets {
        let at = |problem: &str| format!("tempo.toml:{}: {}: {problem}", asset.line, asset.file.display());
        let path = project.root().join(&asset.file);
        seen.note(&path);
        if leads_out(project.root(), &path) {
            return Err(output::complain(at("it is not in the project")));
        }
        let bytes = files::read_limited(&path, FILE_LIMIT)
            .map_err(|err| output::complain(at(&format!("cannot be read: {err}"))))?;
        let kind = if asset.is_sprites { Kind::Sprites } else { Kind::Characters };
        let how = How { kind, multicolour: asset.multicolour, shared: asset.shared.clone() };
        let failed = |problem: &str| {
            output::complain(at(problem));
            Exit::Failed
        };
        let found = read(&path, &bytes, &how).map_err(|problem| failed(&problem))?;
        if let Some(problem) = found.warning() {
            output::warn(&output::visible(&format!("warning: {}\n", at(&problem))));
        }
        for (name, target) in &asset.parts {
            let bytes = part(&found, name).map_err(|problem| failed(&problem))?;
            let target = project.root().join(target);
            if !holds(&target, bytes) {
                outputs.add_within(&outlet, &target, bytes);
            }
        }
    }
    match writes {
        Writes::Parts => outputs.write().map_err(output::complain),
        Writes::Nothing => Ok(()),
    }
}

/// Whether a file has these bytes. It is an output of the run: looking at it must not make an input of it.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    let has_length = path.metadata().is_ok_and(|data| data.is_file() && data.len() == bytes.len() as u64);
    has_length && std::fs::read(path).is_ok_and(|known| known == bytes)
}

/// Whether a file is elsewhere than in a folder, by its words or through a link.
pub fn leads_out(root: &Path, path: &Path) -> bool {
    if !clean(path).starts_with(root) {
        return true;
    }
    match (path.canonicalize(), root.canonicalize()) {
        (Ok(path), Ok(root)) => !path.starts_with(root),
        // A file that is not there is reported when it is read.
        _ => false,
    }
}

/// Whether a build writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// The parts.
    Parts,
    /// Nothing: it only checks.
    Nothing,
}
