//! A program file as bytes: a `.prg`, or one out of a disk or tape image.

use std::path::Path;

use tempo_diagnostics::nearest;
use tempo_formats::d64::{self, Kind};
use tempo_formats::images::{self, Container};
use tempo_formats::vsf::{self, Snapshot};
use tempo_host::{files, output};

/// The largest image: a long tape.
const DISK_LIMIT: u64 = 8 << 20;
/// The largest snapshot: one with drives, disks and a RAM expansion.
const SNAPSHOT_LIMIT: u64 = 64 << 20;

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Whether the file is a cartridge.
pub fn is_cartridge(path: &Path) -> bool {
    has_extension(path, "crt")
}

/// Whether the file is a snapshot of VICE.
pub fn is_snapshot(path: &Path) -> bool {
    has_extension(path, "vsf")
}

/// Reads a snapshot of VICE. What it lacks is said.
pub fn snapshot(path: &Path) -> Result<Snapshot, String> {
    let file = path.display();
    let bytes =
        files::read_limited(path, SNAPSHOT_LIMIT).map_err(|err| format!("cannot read {file}: {err}"))?;
    let snapshot = vsf::read(&bytes).map_err(|err| format!("{file}: {err}"))?;
    for note in &snapshot.notes {
        output::warn(&output::visible(&format!("warning: {file}: {note}\n")));
    }
    Ok(snapshot)
}

/// Whether the file is a source.
pub fn is_source(path: &Path) -> bool {
    ["asm", "s", "a"].iter().any(|extension| has_extension(path, extension))
}

/// The fault of a name for a program that is on no disk.
pub fn no_disk(path: &Path) -> String {
    format!("--load-name chooses a program on a disk or tape; {} is not an image of one", path.display())
}

/// Reads the program. `name` chooses one on a disk.
pub fn read(path: &Path, name: Option<&str>, limit: u64) -> Result<Vec<u8>, String> {
    let file = path.display();
    let extension = path.extension().map(|extension| extension.to_string_lossy()).unwrap_or_default();
    let is_disk = Container::from_extension(&extension).is_some();
    if name.is_some() && !is_disk {
        return Err(no_disk(path));
    }
    let limit = if is_disk { DISK_LIMIT } else { limit };
    let bytes = files::read_limited(path, limit).map_err(|err| format!("cannot read {file}: {err}"))?;
    if is_disk {
        from_disk(&extension, &bytes, name).map_err(|err| format!("{file}: {err}"))
    } else {
        Ok(bytes)
    }
}

/// A program on a disk: the named one, or the first.
fn from_disk(extension: &str, image: &[u8], name: Option<&str>) -> Result<Vec<u8>, String> {
    let disk = images::read(extension, image).map_err(|err| err.to_string())?;
    let programs: Vec<&d64::Entry> =
        disk.entries.iter().filter(|entry| entry.kind == Some(Kind::Prg)).collect();
    let Some(name) = name else {
        let first = programs.first().ok_or("the disk has no program")?;
        return contents(first);
    };
    let found = programs.iter().find(|entry| entry.name.eq_ignore_ascii_case(name));
    if let Some(entry) = found {
        return contents(entry);
    }
    let names: Vec<&str> = programs.iter().map(|entry| entry.name.as_str()).collect();
    let help = match nearest(&name.to_uppercase(), names.iter().copied()) {
        Some(near) => format!("did you mean '{near}'?"),
        None if names.is_empty() => "the disk has none".to_string(),
        None => format!("it has {}", tempo_diagnostics::escaped(&names.join(", "))),
    };
    Err(format!("no program named '{name}' on the disk; {help}"))
}

fn contents(entry: &d64::Entry) -> Result<Vec<u8>, String> {
    match &entry.fault {
        Some(fault) => Err(format!("'{}' is damaged: {fault}", tempo_diagnostics::escaped(&entry.name))),
        None => Ok(entry.bytes.clone()),
    }
}
