//! `tempo build --release`: the packed program, the disk and the cartridge that `tempo.toml` asks for, made of what the
//! build has written. All of them are written, or none.

use std::path::{Path, PathBuf};

use tempo_assembler::search::clean;
use tempo_diagnostics::{Span, plural};
use tempo_formats::crt::{self, Kind, Part};
use tempo_formats::d64::File;
use tempo_formats::images::{self, Container};
use tempo_host::{Exit, files, output};
use tempo_kickass::{Done, Door, FileKind, PlannedFile, WriteError, shown};
use tempo_project::{Bank, Crt, Disk, Pack, Placed, Program};

use crate::asm::host::write_all;
use crate::import::project::leads_out;
use crate::pack::{self, Data, Format};
use crate::project::{self, Project};
use crate::watch::Seen;
use crate::{crt as crt_command, disk};

/// The largest file on a disk, or of a bank.
const FILE_LIMIT: u64 = 1 << 20;

/// An assembled program of the project.
pub struct Built {
    pub program: Program,
    pub done: Done,
}

/// The treatment of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Writes them and says so.
    Writes { is_quiet: bool },
    /// Only checks that they can be made.
    Checks,
}

/// Makes what the project's release consists of.
pub fn release(project: &Project, built: &[Built], mode: Mode, seen: &Seen) -> Result<(), Exit> {
    let mut release = Release { project, seen, files: Vec::new(), lines: Vec::new() };
    let mut known = Vec::new();
    for Built { program, done } in built {
        let mut job = program.job.clone();
        job.write_files = true;
        known.extend(done.plan(&job).map_err(output::complain)?);
    }
    release.files = known;
    let plain = release.files.len();
    let programs = built.iter().map(|built| release.packed(built)).collect::<Result<Vec<_>, _>>()?;
    for (built, bytes) in built.iter().zip(&programs) {
        if let Some(crt) = &built.program.outputs.crt {
            release.cartridge(built, crt, bytes.as_deref())?;
        }
    }
    for (built, bytes) in built.iter().zip(programs) {
        if let Some(disk) = &built.program.outputs.d64 {
            release.disk(built, disk, bytes)?;
        }
    }
    let Release { files, lines, .. } = release;
    if lines.is_empty() {
        output::warn(&format!(
            "warning: a release has nothing beside the programs: {} has no `pack`, `d64` or `crt`\n",
            project::FILE
        ));
        return Ok(());
    }
    let Mode::Writes { is_quiet } = mode else { return Ok(()) };
    write_all(&files[plain..]).map_err(|WriteError { path, error }| {
        let name = shown(&path, project.folder()).display();
        output::complain(format_args!("cannot write '{name}': {error}"))
    })?;
    if !is_quiet {
        output::say(&output::visible(&lines.concat()));
    }
    Ok(())
}

struct Release<'a> {
    project: &'a Project,
    seen: &'a Seen,
    /// Everything that the build has made, those of the release at the end.
    files: Vec<PlannedFile>,
    /// Lines about the files of the release.
    lines: Vec<String>,
}

impl Release<'_> {
    /// Adds a file of the release, with what there is to say about it.
    fn add(&mut self, built: &Built, path: PathBuf, bytes: Vec<u8>, kind: FileKind, remark: &str) {
        self.lines.push(format!("{}: {remark}\n", shown(&path, self.project.folder()).display()));
        let door =
            Door::Within { folder: built.done.places.folder.clone(), root: built.program.job.root.clone() };
        self.files.push(PlannedFile { path, bytes, kind, door });
    }

    /// Says what is wrong with something that the file asks for.
    fn refuse(&self, span: Span, message: &str, help: Option<&str>) -> Exit {
        project::complain_at(self.project, span, message, help.map(str::to_owned));
        Exit::Failed
    }

    /// The program of a release: packed, if the project says so. `None` if the source has no program, only files.
    fn packed(&mut self, built: &Built) -> Result<Option<Vec<u8>>, Exit> {
        let plain = built.done.output.prg();
        let Some(pack) = &built.program.outputs.pack else { return Ok(plain) };
        let name = || built.program.main.display().to_string();
        let needed = || {
            let message = format!("{} has no program to pack: it writes files only", name());
            self.refuse(pack.span, &message, Some("write pack = false"))
        };
        let main = &built.done.places.main;
        match pack.value {
            Pack::No => Ok(plain),
            Pack::Program => {
                let plain = plain.ok_or_else(needed)?;
                let packed = pack::pack(&plain).map_err(|err| {
                    let help = "a packed program begins with a BASIC line, as BasicUpstart2 makes one";
                    let message = format!("{} cannot be packed: {err}", name());
                    self.refuse(pack.span, &message, err.is_about_start().then_some(help))
                })?;
                let stem = main.file_stem().unwrap_or_default().to_string_lossy();
                let path = main.with_file_name(format!("{stem}-packed.prg"));
                if packed.len() >= plain.len() {
                    let file = main.file_name().unwrap_or_default().to_string_lossy();
                    let text = format!(
                        "warning: {file} is larger when it is packed; pack = false leaves it as it is\n"
                    );
                    output::warn(&output::visible(&text));
                }
                let remark = pack::short_figures(plain.len(), packed.len());
                self.add(built, path, packed.clone(), FileKind::Prg, &remark);
                Ok(Some(packed))
            }
            Pack::Data(format) => {
                if let Some(disk) = &built.program.outputs.d64 {
                    let message = format!("pack = \"{format}\" makes data, and a disk begins with a program");
                    return Err(self.refuse(disk.span, &message, Some("write pack = true, or no d64")));
                }
                let plain = plain.ok_or_else(needed)?;
                let kind = Format::from_word(format).expect("a test compares both lists");
                let packed =
                    Data::of(&plain, true, None).and_then(|data| data.pack(kind)).map_err(|err| {
                        self.refuse(pack.span, &format!("{} cannot be packed: {err}", name()), None)
                    })?;
                let remark = pack::short_figures(plain.len(), packed.0.len()) + &packed.1;
                self.add(built, main.with_extension(format), packed.0, FileKind::Bin, &remark);
                Ok(Some(plain))
            }
        }
    }

    /// The bytes of a file that the project names: one of this build, or one in the project.
    fn bytes(&self, built: &Built, path: &Path, span: Span) -> Result<Vec<u8>, Exit> {
        let whole = match self.project.in_out_dir(path) {
            Some(inner) => clean(&built.done.places.folder.join(inner)),
            None => clean(&self.project.root().join(path)),
        };
        // The writer lets the last file of a name win.
        if let Some(file) = self.files.iter().rev().find(|file| file.path == whole) {
            return Ok(file.bytes.clone());
        }
        let complain =
            |message: String, help: Option<String>| project::complain_at(self.project, span, &message, help);
        let name = path.display();
        let is_typed = built.program.job.root.is_none() && whole.starts_with(&built.done.places.folder);
        if !is_typed && leads_out(self.project.root(), &whole) {
            let help = Some("a release consists of files of the project".to_owned());
            return Err(complain(format!("'{name}' is not in the project"), help));
        }
        self.seen.note(&whole);
        files::read_limited(&whole, FILE_LIMIT).map_err(|err| {
            let near = super::similar(whole.parent().unwrap_or(Path::new("")), &whole);
            let help = near.map(|near| format!("its folder has {near}"));
            complain(format!("'{name}' cannot be read: {err}"), help)
        })
    }

    fn cartridge(&mut self, built: &Built, crt: &Crt, program: Option<&[u8]>) -> Result<(), Exit> {
        let main = built.done.places.main.clone();
        let mut parts: Vec<(Span, Part)> = Vec::new();
        let placed = |span: Span, bank: u16, is_high: bool, path: &Path, bytes: Vec<u8>| {
            let bytes = crt_command::placed(crt.kind, is_high, path, bytes)
                .map_err(|problem| self.refuse(span, &problem, None))?;
            Ok((span, Part { bank, is_high, bytes }))
        };
        if crt.banks.is_empty() {
            let is_one = matches!(crt.kind, Kind::Rom8K | Kind::Rom16K | Kind::Ultimax);
            let help = "name the files of the banks: banks = [{ bank = 0, lo = \"build/lo0.bin\" }]";
            let Some(program) = program.filter(|_| is_one) else {
                return Err(self.refuse(crt.span, "the cartridge has no `banks`", Some(help)));
            };
            parts.push(placed(crt.span, 0, crt.kind == Kind::Ultimax, &main, program.to_vec())?);
        }
        for Placed { value: Bank { bank, lo, hi }, .. } in &crt.banks {
            for (file, is_high) in [(lo, false), (hi, true)] {
                let Some(file) = file else { continue };
                let bytes = self.bytes(built, &file.value, file.span)?;
                parts.push(placed(file.span, *bank, is_high, &file.value, bytes)?);
            }
        }
        let (spans, parts): (Vec<Span>, Vec<Part>) = parts.into_iter().unzip();
        let name = crt.name.as_ref().map_or(crt.kind.default_name(), |name| &name.value);
        let image = crt::build(crt.kind, name, &parts).map_err(|err| {
            let span = match (err.part(), &err, &crt.name) {
                (Some(part), ..) => spans[part],
                (None, crt::BuildError::Name(_), Some(name)) => name.span,
                _ => crt.span,
            };
            self.refuse(span, &err.to_string(), None)
        })?;
        let path = main.with_extension("crt");
        if let Some(complaint) = image.complaint() {
            let name = shown(&path, self.project.folder()).display();
            output::warn(&output::visible(&format!("warning: {name}: {complaint}\n")));
        }
        let chips = plural(image.chips.len(), "chip");
        let remark = format!("{} cartridge, {chips}", crt.kind.word());
        self.add(built, path, image.write(), FileKind::Bin, &remark);
        Ok(())
    }

    fn disk(&mut self, built: &Built, disk: &Disk, program: Option<Vec<u8>>) -> Result<(), Exit> {
        let main = built.done.places.main.clone();
        let own = main.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (name, span) = match &disk.name {
            Some(name) => (name.value.to_ascii_uppercase(), name.span),
            None => (disk::disk_name(&own), disk.span),
        };
        let wrong = |span: Span, problem: String| self.refuse(span, &problem, None);
        disk::check_name(&name, "name").map_err(|problem| wrong(span, problem))?;
        if program.is_none() && disk.files.is_empty() {
            let help = "name the files of the disk: files = [\"GAME=build/game.prg\"]";
            return Err(self.refuse(disk.span, "the disk has no file", Some(help)));
        }
        let mut entries: Vec<File> = Vec::new();
        if let Some(bytes) = program {
            entries.push(disk::entry(Some(&name), &main, bytes).map_err(|problem| wrong(span, problem))?);
        }
        for Placed { value, span } in &disk.files {
            let (title, file) = match value.split_once('=') {
                Some((title, file)) => (Some(title), file),
                None => (None, value.as_str()),
            };
            let path = PathBuf::from(file.replace('\\', "/"));
            let bytes = self.bytes(built, &path, *span)?;
            let entry = disk::entry(title, &path, bytes).map_err(|problem| wrong(*span, problem))?;
            if entries.iter().any(|other| other.name == entry.name) {
                let message = format!("two files would be called \"{}\" on the disk", entry.name);
                return Err(self.refuse(*span, &message, Some("NAME=FILE gives another name")));
            }
            entries.push(entry);
        }
        let id = disk.id.as_ref().map_or("00", |id| &id.value).to_ascii_uppercase();
        let image = images::write(Container::D64, &name, &id, &entries)
            .map_err(|err| self.refuse(disk.span, &err.to_string(), None))?;
        let free = images::read("d64", &image).ok().and_then(|image| image.blocks_free).unwrap_or(0);
        let remark = format!("{}, {} free", plural(entries.len(), "file"), plural(free as usize, "block"));
        self.add(built, main.with_extension("d64"), image, FileKind::Disk, &remark);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn the_formats_of_projects_are_those_of_the_command() {
        for format in tempo_project::PACK_FORMATS {
            assert!(Format::from_word(format).is_some_and(|found| found != Format::Own), "{format}");
        }
        assert_eq!(tempo_project::PACK_FORMATS.len() + 1, Format::value_variants().len());
    }
}
