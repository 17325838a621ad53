//! The maintainers' command behind `make dist`: completes a folder of files to release and packs it. What is in the
//! folder, and how it was built, is decided by the script `tools/release/dist`.

mod archive;
mod licences;
mod packages;
mod sbom;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use archive::Archive;
use clap::Parser;
use packages::Packages;

/// Complete a folder with its bill of materials, licences and checksums, and pack it
#[derive(Parser)]
struct Args {
    /// The folder; its name is the archive's
    folder: PathBuf,
    /// The target it was built for; archives for Windows are .zip, others .tar.gz
    #[arg(long)]
    target: String,
    /// The time of every file, in seconds since 1970
    #[arg(long)]
    epoch: u64,
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
    #[error(transparent)]
    Zip(#[from] zip::result::ZipError),
}

impl Error {
    fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        |err| Error::File(path.to_path_buf(), err)
    }
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(path) => {
            println!("{}", path.display());
            ExitCode::SUCCESS
        }
        Err(err) => {
            eprintln!("release: {err}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<PathBuf, Error> {
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

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::file(path))
}
