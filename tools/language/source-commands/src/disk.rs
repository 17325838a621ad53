//! `tempo disk`: disk and tape images listed, taken apart, built and checked.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use serde_json::json;
use tempo_formats::d64::{self, Entry, File, Kind, shown};
use tempo_formats::images::{self, Container, Image};
use tempo_host::files::{self, Outlet, Outputs};
use tempo_host::{Exit, output};

/// A `.d81` with error bytes has 822,400; a `.tap` of an hour-long tape has less.
const IMAGE_LIMIT: u64 = 8 << 20;

/// List, extract, create and check disk and tape images
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the directory as a C64 does
    List {
        /// A .d64, .d71, .d81, .g64, .t64, .p00 or .tap file
        image: PathBuf,
        /// text, or json for programs
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: Format,
    },
    /// Write files of a disk into a folder
    #[command(after_long_help = "\
Names become lower case, and what a file name cannot hold becomes `_`; the type is the extension.

Examples:
  tempo disk extract game.d64                    all files, here
  tempo disk extract game.d64 LOADER --out-dir parts

Exit codes: 0 done, 1 a file is damaged and left out, 2 no disk image or no such file.")]
    Extract {
        /// A .d64, .d71, .d81, .g64, .t64, .p00 or .tap file
        image: PathBuf,
        /// Names as `list` shows them; `*` and `?` as on a C64 [default: all files]
        names: Vec<String>,
        /// The folder they go to; it is made if it is missing
        #[arg(long, value_name = "DIR", default_value = ".")]
        out_dir: PathBuf,
    },
    /// Build a disk or tape from files; the extension of the image chooses which
    #[command(after_long_help = "\
A file is called like its source without the extension, in upper case: game.prg becomes GAME. The extension gives the \
type: prg, seq, usr; anything else is prg. To choose another name, write NAME=FILE. A name has up to 16 letters; what \
does not fit is cut off with a warning, and two files cannot have one name.

Examples:
  tempo disk create game.d64 build/game.prg LEVEL1=build/level1.bin
  tempo disk create game.d64 build/game.prg --name 'MY GAME' --id 26
  tempo disk create game.d81 build/*.prg           also .d71, .t64 and .tap")]
    Create {
        /// The image to write
        image: PathBuf,
        /// Files, in the order of the directory; NAME=FILE gives a name
        #[arg(required = true)]
        files: Vec<OsString>,
        /// The name of the disk, up to 16 characters [default: that of the image]
        #[arg(long)]
        name: Option<String>,
        /// The two characters after the name
        #[arg(long, default_value = "00")]
        id: String,
    },
    /// Check chains, block counts and the block map
    #[command(after_long_help = "Exit codes: 0 sound, 1 faults, 2 no disk image.")]
    Validate {
        /// A .d64, .d71, .d81, .g64, .t64, .p00 or .tap file
        image: PathBuf,
        /// text, or json for programs
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        format: Format,
    },
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

pub fn run(args: Args) -> Exit {
    let done = match args.command {
        Command::List { image, format } => read(&image).map(|disk| list(&image, &disk, format)),
        Command::Extract { image, names, out_dir } => extract(&image, &names, &out_dir),
        Command::Create { image, files, name, id } => create(&image, &files, name.as_deref(), &id),
        Command::Validate { image, format } => validate(&image, format),
    };
    done.unwrap_or_else(output::complain)
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    files::read_limited(path, IMAGE_LIMIT).map_err(|err| format!("{}: {err}", path.display()))
}

/// The extension of a file, which may be missing.
fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().into_owned()).unwrap_or_default()
}

fn read(path: &Path) -> Result<Image, String> {
    images::read(&extension(path), &bytes(path)?).map_err(|err| format!("{}: {err}", path.display()))
}

/// The three letters of a directory.
fn kind(entry: &Entry) -> &'static str {
    match entry.kind {
        Some(Kind::Del) => "del",
        Some(Kind::Seq) => "seq",
        Some(Kind::Prg) => "prg",
        Some(Kind::Usr) => "usr",
        Some(Kind::Rel) => "rel",
        None => "???",
    }
}

/// Says on standard error what is wrong with a file, or with the directory.
fn warn(image: &Path, file: Option<&Entry>, fault: &d64::D64Error) {
    let what = file.map_or("the directory".into(), |entry| format!("\"{}\"", shown(&entry.name)));
    warn_line(&format!("{}: {what} is damaged: {fault}", image.display()));
}

fn warn_line(text: &str) {
    output::warn(&format!("warning: {}\n", output::visible(text)));
}

fn list(image: &Path, disk: &Image, format: Format) -> Exit {
    for entry in &disk.entries {
        if let Some(fault) = &entry.fault {
            warn(image, Some(entry), fault);
        }
    }
    // Files after the fault are missing from the list.
    let exit = match &disk.fault {
        Some(fault) => {
            warn(image, None, fault);
            Exit::Failed
        }
        None => Exit::Fine,
    };
    output::print(|out| {
        if format == Format::Json {
            let files: Vec<_> = disk
                .entries
                .iter()
                .map(|entry| {
                    let mut file = json!({
                        "name": shown(&entry.name), "type": kind(entry), "locked": entry.locked,
                        "closed": entry.closed, "bytes": entry.bytes.len(),
                    });
                    if disk.container.is_disk() {
                        file["blocks"] = json!(entry.blocks);
                    }
                    if let Some(fault) = &entry.fault {
                        file["error"] = json!(fault.to_string());
                    }
                    file
                })
                .collect();
            let mut all = json!({
                "container": disk.container.extension(), "name": shown(&disk.name), "files": files,
            });
            if disk.container.is_disk() {
                all["id"] = json!(shown(&disk.id));
                all["free"] = json!(disk.blocks_free);
            }
            if let Some(fault) = &disk.fault {
                all["error"] = json!(fault.to_string());
            }
            writeln!(out, "{all}")?;
            return Ok(exit);
        }
        if disk.container.is_disk() {
            writeln!(out, "0 \"{:16}\" {}", shown(&disk.name), shown(&disk.id))?;
        }
        for entry in &disk.entries {
            let name = format!("\"{}\"", shown(&entry.name));
            let open = if entry.closed { ' ' } else { '*' };
            let lock = if entry.locked { "<" } else { "" };
            writeln!(out, "{:<5}{name:18}{open}{}{lock}", entry.blocks, kind(entry))?;
        }
        if let Some(free) = disk.blocks_free {
            writeln!(out, "{free} blocks free.")?;
        }
        Ok(exit)
    })
}

/// Whether a name fits a pattern of the drive: `?` is any letter, `*` the rest.
fn fits(name: &str, pattern: &str) -> bool {
    let mut letters = name.chars();
    for wanted in pattern.chars() {
        match (wanted, letters.next()) {
            ('*', _) => return true,
            ('?', Some(_)) => {}
            (wanted, Some(letter)) if wanted.eq_ignore_ascii_case(&letter) => {}
            _ => return false,
        }
    }
    letters.next().is_none()
}

fn extract(image: &Path, names: &[String], folder: &Path) -> Result<Exit, String> {
    let disk = read(image)?;
    for name in names {
        if !disk.entries.iter().any(|entry| fits(&shown(&entry.name), name)) {
            let known: Vec<String> = disk.entries.iter().map(|entry| shown(&entry.name)).collect();
            let near =
                tempo_diagnostics::nearest(&name.to_ascii_uppercase(), known.iter().map(String::as_str));
            let help = near.map(|near| format!("; did you mean \"{near}\"?")).unwrap_or_default();
            return Err(format!("{}: there is no file \"{name}\"{help}", image.display()));
        }
    }
    let outlet = Outlet::make(folder, "--out-dir DIR")
        .map_err(|err| format!("cannot write '{}': {err}", folder.display()))?;
    let mut outputs = Outputs::default();
    let mut taken = HashSet::new();
    let mut done = Vec::new();
    let mut exit = Exit::Fine;
    if let Some(fault) = &disk.fault {
        warn(image, None, fault);
        if names.is_empty() {
            exit = Exit::Failed;
        }
    }
    for entry in &disk.entries {
        let name = shown(&entry.name);
        let is_wanted = names.is_empty() || names.iter().any(|wanted| fits(&name, wanted));
        // Lines of a decorated directory have nothing to extract.
        let is_line = entry.kind == Some(Kind::Del) && entry.start.0 == 0;
        if !is_wanted || is_line {
            continue;
        }
        if let Some(fault) = &entry.fault {
            warn(image, Some(entry), fault);
            exit = Exit::Failed;
            continue;
        }
        let file = host_name(&name, kind(entry), &mut taken);
        done.push(format!("{} ({} bytes)", folder.join(&file).display(), entry.bytes.len()));
        outputs.add_within(&outlet, &folder.join(file), entry.bytes.clone());
    }
    outputs.write().map_err(|err| err.to_string())?;
    Ok(output::print(|out| {
        for line in &done {
            writeln!(out, "{line}")?;
        }
        Ok(exit)
    }))
}

/// A name that every file system takes, and no other file of this disk has.
fn host_name(name: &str, kind: &str, taken: &mut HashSet<String>) -> String {
    let kind = if kind == "???" { "bin" } else { kind };
    let mut stem: String = name
        .to_ascii_lowercase()
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || matches!(letter, '-' | '+' | '_' | ' ') {
                letter
            } else {
                '_'
            }
        })
        .collect();
    stem.truncate(stem.trim_end().len());
    if stem.is_empty() || is_device(&stem) {
        stem.insert(0, '_');
    }
    let mut file = format!("{stem}.{kind}");
    let mut number = 2;
    while !taken.insert(file.clone()) {
        file = format!("{stem}-{number}.{kind}");
        number += 1;
    }
    file
}

/// Whether Windows takes a name for a device, whatever its extension.
fn is_device(stem: &str) -> bool {
    let is_port = |kind| stem.strip_prefix(kind).is_some_and(|port| matches!(port.as_bytes(), [b'0'..=b'9']));
    matches!(stem, "con" | "prn" | "aux" | "nul") || is_port("com") || is_port("lpt")
}

fn create(image: &Path, sources: &[OsString], name: Option<&str>, id: &str) -> Result<Exit, String> {
    let stem =
        |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.map_or_else(|| disk_name(&stem(image)), str::to_ascii_uppercase);
    check_name(&name, "--name")?;
    if id.len() != 2 || !id.is_ascii() {
        return Err(format!("--id {id}: two characters"));
    }
    let mut files = Vec::new();
    for source in sources {
        let (name, path) = match name_and_file(source) {
            Some((name, path)) if !Path::new(source).exists() => (name.to_ascii_uppercase(), path),
            _ => {
                let own = stem(Path::new(source));
                let name = disk_name(&own);
                if name != own.to_ascii_uppercase() {
                    warn_line(&format!("{} is called \"{name}\" on the disk", source.to_string_lossy()));
                }
                (name, Path::new(source))
            }
        };
        check_name(&name, &source.to_string_lossy())?;
        if let Some(at) = files.iter().position(|file: &File| file.name == name) {
            return Err(format!(
                "{} and {} would both be called \"{name}\" on the disk; NAME=FILE gives another name",
                sources[at].to_string_lossy(),
                source.to_string_lossy()
            ));
        }
        files.push(file(name, path, bytes(path)?));
    }
    let container = Container::from_extension(&extension(image)).unwrap_or(Container::D64);
    let disk =
        images::write(container, &name, &id.to_ascii_uppercase(), &files).map_err(|err| err.to_string())?;
    files::write_atomic(image, &disk).map_err(|err| format!("{}: {err}", image.display()))?;
    Ok(Exit::Fine)
}

/// A file of a disk; its extension gives the type.
fn file(name: String, path: &Path, bytes: Vec<u8>) -> File {
    let kind = match extension(path).to_ascii_lowercase().as_str() {
        "seq" => Kind::Seq,
        "usr" => Kind::Usr,
        _ => Kind::Prg,
    };
    File { name, kind, locked: false, hide: false, interleave: None, bytes }
}

/// A file of a disk with the name that it is given, or else that of its source.
pub fn entry(name: Option<&str>, path: &Path, bytes: Vec<u8>) -> Result<File, String> {
    let own = || path.file_stem().map(|stem| disk_name(&stem.to_string_lossy())).unwrap_or_default();
    let name = name.map_or_else(own, str::to_ascii_uppercase);
    check_name(&name, &path.display().to_string())?;
    Ok(file(name, path, bytes))
}

/// The parts of `NAME=FILE`. A file need not have a name in Unicode.
#[cfg(unix)]
fn name_and_file(source: &OsStr) -> Option<(&str, &Path)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = source.as_bytes();
    let at = bytes.iter().position(|&byte| byte == b'=')?;
    Some((std::str::from_utf8(&bytes[..at]).ok()?, Path::new(OsStr::from_bytes(&bytes[at + 1..]))))
}

#[cfg(not(unix))]
fn name_and_file(source: &OsStr) -> Option<(&str, &Path)> {
    source.to_str()?.split_once('=').map(|(name, file)| (name, Path::new(file)))
}

/// The first sixteen letters of a host's file name, with a blank for what a directory cannot show.
pub fn disk_name(stem: &str) -> String {
    let own = stem.to_ascii_uppercase();
    own.chars().map(|letter| if is_shown(letter) { letter } else { ' ' }).take(16).collect()
}

fn is_shown(letter: char) -> bool {
    matches!(letter, ' '..='[' | ']')
}

pub fn check_name(name: &str, given: &str) -> Result<(), String> {
    match name {
        _ if name.trim().is_empty() => Err(format!("{given}: a name needs a letter")),
        _ if name.chars().count() > 16 => Err(format!("{given}: \"{name}\" is longer than 16 letters")),
        _ if !name.chars().all(is_shown) => {
            Err(format!("{given}: \"{name}\" has letters that a directory cannot show"))
        }
        _ => Ok(()),
    }
}

/// The faults of an image: of its sectors where it has them, of its files otherwise.
fn faults(image: &Path) -> Result<Vec<(String, bool)>, String> {
    let contents = bytes(image)?;
    if let Some(faults) = d64::validate(&contents) {
        return Ok(faults.iter().map(|fault| (fault.to_string(), fault.is_serious())).collect());
    }
    let found = read(image)?;
    let directory = found.fault.iter().map(|fault| format!("the directory is damaged: {fault}"));
    let files = found.entries.iter().filter_map(|entry| {
        entry.fault.as_ref().map(|fault| format!("\"{}\" is damaged: {fault}", shown(&entry.name)))
    });
    Ok(directory.chain(files).map(|fault| (fault, true)).collect())
}

fn validate(image: &Path, format: Format) -> Result<Exit, String> {
    let faults = faults(image)?;
    let exit = if faults.is_empty() { Exit::Fine } else { Exit::Failed };
    Ok(output::print(|out| {
        if format == Format::Json {
            let list: Vec<_> = faults
                .iter()
                .map(|(message, is_serious)| json!({ "message": message, "serious": is_serious }))
                .collect();
            writeln!(out, "{}", json!({ "faults": list }))?;
            return Ok(exit);
        }
        for (message, _) in &faults {
            writeln!(out, "{}", output::visible(message))?;
        }
        if faults.is_empty() {
            writeln!(out, "{}: sound", image.display())?;
        }
        Ok(exit)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_are_safe_and_unique() {
        let mut taken = HashSet::new();
        let mut name = |name: &str| host_name(name, "prg", &mut taken);
        assert_eq!(name("GAME"), "game.prg");
        assert_eq!(name("GAME"), "game-2.prg");
        assert_eq!(name("../ETC/PASSWD"), "___etc_passwd.prg");
        assert_eq!(name("NUL"), "_nul.prg");
        assert_eq!(name("COM1"), "_com1.prg");
        assert_eq!(name("COMMANDO"), "commando.prg");
        assert_eq!(name(""), "_.prg");
        assert_eq!(name("A. "), "a_.prg");
    }

    #[test]
    fn patterns_are_those_of_the_drive() {
        assert!(fits("GAME", "g*") && fits("GAME", "G?ME") && fits("GAME", "GAME") && fits("GAME", "*"));
        assert!(!fits("GAME", "GAM") && !fits("GAME", "GAMES") && !fits("GAME", "?"));
    }
}
