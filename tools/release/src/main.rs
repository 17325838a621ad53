//! The maintainers' command: completes a folder of files to release and packs it, writes the manifests of package
//! managers, and lists the crates to publish. What is in the folder, and how it was built, is decided by the script
//! `tools/release/dist`.

mod archive;
mod channels;
mod licences;
mod order;
mod packages;
mod sbom;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use archive::Archive;
use channels::Release;
use clap::{Args, Parser, Subcommand};
use packages::Packages;

/// Archives, manifests and crates of a release
#[derive(Parser)]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Archive(ArchiveArgs),
    Channels(ChannelsArgs),
    /// List the library crates in the order in which they can be published
    Order,
}

/// Complete a folder with its bill of materials, licences and checksums, and pack it
#[derive(Args)]
struct ArchiveArgs {
    /// The folder; its name is the archive's
    folder: PathBuf,
    /// The target it was built for; archives for Windows are .zip, others .tar.gz
    #[arg(long)]
    target: String,
    /// The time of every file, in seconds since 1970
    #[arg(long)]
    epoch: u64,
}

/// Write the manifests of Homebrew, Scoop, winget and the Arch user repository
#[derive(Args)]
struct ChannelsArgs {
    /// The folder with the `.sha256` files of all archives of this version
    #[arg(long)]
    sums: PathBuf,
    /// The folder to write to; each package manager gets a folder in it
    #[arg(long)]
    out: PathBuf,
}

/// Why there is no archive.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error("{0}: {1}")]
    File(PathBuf, std::io::Error),
    #[error("cargo metadata: {0}")]
    Metadata(String),
    #[error("{0} has no name")]
    Nameless(PathBuf),
    #[error("{0}: {1}")]
    Manifest(&'static str, channels::Fault),
    #[error(transparent)]
    Zip(#[from] zip::result::ZipError),
}

impl Error {
    fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        |err| Error::File(path.to_path_buf(), err)
    }
}

fn main() -> ExitCode {
    let done = match CommandLine::parse().task {
        Task::Archive(args) => pack(&args).map(|path| path.display().to_string()),
        Task::Channels(args) => write_channels(&args),
        Task::Order => order::ask_cargo().map(|names| names.join("\n")),
    };
    match done {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(err) => {
            eprintln!("release: {err}");
            ExitCode::from(2)
        }
    }
}

fn pack(args: &ArchiveArgs) -> Result<PathBuf, Error> {
    let packages = Packages::ask_cargo(&args.target)?;
    write(&args.folder.join("tempo.cdx.json"), &sbom::text(&packages, args.epoch))?;
    write(&args.folder.join("THIRD-PARTY.txt"), &licences::text(&packages)?)?;
    let sums = args.folder.join("SHA256SUMS");
    // The sums of the last run are not part of what is summed.
    let _ = fs::remove_file(&sums);
    write(&sums, &Archive::of_folder(&args.folder)?.checksums())?;

    let archive = Archive::of_folder(&args.folder)?;
    let (ending, bytes) = if args.target.contains("windows") {
        ("zip", archive.zip(args.epoch)?)
    } else {
        ("tar.gz", archive.tar_gz(args.epoch).map_err(Error::file(&args.folder))?)
    };
    // Not `with_extension`: the version has dots.
    let mut name = args.folder.clone().into_os_string();
    name.push(".");
    name.push(ending);
    let path = PathBuf::from(name);
    fs::write(&path, &bytes).map_err(Error::file(&path))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut sum_path = path.clone().into_os_string();
    sum_path.push(".sha256");
    write(Path::new(&sum_path), &archive::checksum_line(&name, &bytes))?;
    Ok(path)
}

/// Writes all manifests or none, and returns the names of the files.
fn write_channels(args: &ChannelsArgs) -> Result<String, Error> {
    let mut sums = std::collections::BTreeMap::new();
    for entry in fs::read_dir(&args.sums).map_err(Error::file(&args.sums))? {
        let path = entry.map_err(Error::file(&args.sums))?.path();
        if path.extension().is_some_and(|ending| ending == "sha256") {
            let text = fs::read_to_string(&path).map_err(Error::file(&path))?;
            sums.extend(
                text.lines()
                    .filter_map(|line| line.split_once("  "))
                    .map(|(sum, name)| (name.into(), sum.into())),
            );
        }
    }
    let release = Release {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        repository: env!("CARGO_PKG_REPOSITORY").to_owned(),
        description: "Assembler, tests, emulator and debugger for the 6502 and the Commodore 64".to_owned(),
        sums,
    };
    let mut files = Vec::new();
    for (folder, name, template) in channels::TEMPLATES {
        let text = release.fill(template).map_err(|fault| Error::Manifest(name, fault))?;
        files.push((args.out.join(folder), name, text));
    }
    let mut names = Vec::new();
    for (folder, name, text) in files {
        fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
        write(&folder.join(name), &text)?;
        names.push(folder.join(name).display().to_string());
    }
    Ok(names.join("\n"))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::file(path))
}
