//! `tempo send`: a program, cartridge, tune or disk to a real computer on the network.

mod http;
mod ultimate;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{FromArgMatches, Parser};
use tempo_formats::images::Container;
use tempo_host::{Exit, files, output};
use tempo_source_commands::crt;

use crate::run::{self, source};
pub use ultimate::{Device, Problem, password};

/// Send a program, cartridge, tune or disk to an Ultimate 64 or Ultimate II+
///
/// The device is named by its address; a source is assembled first. A .prg is started, a .crt starts the machine, a .sid is
/// played, a disk is put into a drive. The password, if the device has one, comes from a file or the environment.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo send game.prg --to 192.168.1.64
  tempo send src/main.asm --to u64.local       assembles and starts it
  tempo send game.d64 --to u64 --run           mounts it, resets, and loads the first program
  tempo run --on u64                           the program of the project

Without --to, TEMPO_ULTIMATE names the device. The password is read from --password-file or TEMPO_ULTIMATE_PASSWORD; it \
travels unencrypted, so use it in your own network only.

Exit codes: 0 sent; 1 the device refused, with its words; 2 the file or the device cannot be reached.")]
pub struct Args {
    /// A .prg, .crt, .sid, a disk (.d64, .g64, .d71, .d81) or a source
    file: PathBuf,

    /// The device: HOST or HOST:PORT [env: TEMPO_ULTIMATE]
    #[arg(long, value_name = "ADDRESS")]
    to: Option<String>,

    /// Load the program without starting it
    #[arg(long)]
    load: bool,

    /// The drive for a disk
    #[arg(long, value_name = "DRIVE", value_parser = ["a", "b"], default_value = "a")]
    drive: String,

    /// After the disk is mounted: reset, load its first program and start it
    #[arg(long)]
    run: bool,

    /// A file with the device's password
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

/// The largest cartridge or disk.
const LIMIT: u64 = 32 << 20;
/// Disks that the device can mount.
const DISKS: [&str; 4] = ["d64", "g64", "d71", "d81"];
/// Time for BASIC to come up, and for a program to be loaded.
pub const BOOT: Duration = Duration::from_secs(10);
const LOADING: Duration = Duration::from_secs(120);
/// Time between two looks at the screen.
const LOOK: Duration = Duration::from_millis(100);

pub fn run(args: Args) -> Exit {
    send(&args).unwrap_or_else(|exit| exit)
}

/// The device that a command line or the environment names.
pub fn device(address: Option<&str>, password_file: Option<&Path>) -> Result<Device, Exit> {
    let named = address.map(str::to_owned).filter(|address| !address.is_empty());
    let named = named.or_else(|| std::env::var("TEMPO_ULTIMATE").ok()).filter(|address| !address.is_empty());
    let named = named.ok_or_else(|| output::complain("which device? --to HOST, or TEMPO_ULTIMATE"))?;
    let password = password(password_file).map_err(output::complain)?;
    Device::parse(&named, password).map_err(output::complain)
}

/// Says what went wrong.
pub fn failed(problem: Problem) -> Exit {
    match problem {
        Problem::Unreachable(text) => output::complain(text),
        Problem::Refused(text) => {
            output::complain(text);
            Exit::Failed
        }
    }
}

fn send(args: &Args) -> Result<Exit, Exit> {
    let extension =
        args.file.extension().map(|it| it.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if source::is_source(&args.file) {
        if args.load {
            return Err(output::complain("--load is for a .prg: tempo asm makes one of a source"));
        }
        return of_source(args);
    }
    let is_disk = DISKS.contains(&&*extension);
    if args.run && !is_disk {
        return Err(output::complain("--run is for disks: programs are started without it"));
    }
    if args.load && extension != "prg" {
        return Err(output::complain("--load is for a .prg"));
    }
    let bytes = match &*extension {
        "crt" => crt::read(&args.file).and_then(|_| read(&args.file)),
        "prg" => read(&args.file).and_then(|bytes| match bytes.len() {
            3..=0x1_0002 => Ok(bytes),
            count => Err(format!("{}: {count} bytes are not a program", args.file.display())),
        }),
        "sid" => read(&args.file).and_then(|bytes| {
            match bytes.starts_with(b"PSID") || bytes.starts_with(b"RSID") {
                true => Ok(bytes),
                false => Err(format!("{} is not a tune", args.file.display())),
            }
        }),
        _ if is_disk => read(&args.file).and_then(|bytes| {
            check_disk(&extension, &bytes).map_err(|why| format!("{}: {why}", args.file.display()))?;
            Ok(bytes)
        }),
        _ => Err(format!(
            "{}: only .prg, .crt, .sid, {} and sources can be sent",
            args.file.display(),
            DISKS.map(|kind| format!(".{kind}")).join(", ")
        )),
    };
    let bytes = bytes.map_err(output::complain)?;
    let device = device(args.to.as_deref(), args.password_file.as_deref())?;
    let name = device.greet().map_err(failed)?;
    match &*extension {
        "prg" if args.load => device.load_prg(&bytes),
        "prg" => device.run_prg(&bytes),
        "crt" => device.run_crt(&bytes),
        "sid" => device.play_sid(&bytes),
        kind => device.mount(&args.drive, kind, &bytes),
    }
    .map_err(failed)?;
    if args.run {
        start_disk(&device, &args.drive).map_err(failed)?;
    }
    let what = match &*extension {
        "prg" if args.load => "loaded".to_owned(),
        "prg" | "crt" => "started".to_owned(),
        "sid" => "playing".to_owned(),
        _ if args.run => "started".to_owned(),
        _ => format!("in drive {}", args.drive),
    };
    output::say(&output::visible(&format!(
        "{}: {what} on {name}, {}\n",
        args.file.display(),
        device.shown()
    )));
    Ok(Exit::Fine)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    files::read_limited(path, LIMIT).map_err(|err| format!("cannot read {}: {err}", path.display()))
}

/// Whether an image is one, before a device gets it.
fn check_disk(extension: &str, bytes: &[u8]) -> Result<(), String> {
    match Container::from_extension(extension) {
        Some(_) => tempo_formats::images::read(extension, bytes).map(drop).map_err(|err| err.to_string()),
        None => Ok(()),
    }
}

/// A source is what `tempo run --on` takes.
fn of_source(args: &Args) -> Result<Exit, Exit> {
    let file = args.file.to_string_lossy().into_owned();
    let mut words = vec!["--on".to_owned(), args.to.clone().unwrap_or_default()];
    if let Some(password) = &args.password_file {
        words.extend(["--password-file".to_owned(), password.to_string_lossy().into_owned()]);
    }
    words.extend(["--".to_owned(), file]);
    let command = <run::Args as clap::Args>::augment_args(clap::Command::new("run").no_binary_name(true));
    let matches = command.try_get_matches_from(words).map_err(output::complain)?;
    Ok(run::run(run::Args::from_arg_matches(&matches).map_err(output::complain)?))
}

/// `tempo run --on`: a program or a cartridge.
pub fn send_program(device: &Device, bytes: &[u8], is_cartridge: bool) -> Result<Exit, Exit> {
    let name = device.greet().map_err(failed)?;
    match is_cartridge {
        true => device.run_crt(bytes),
        false => device.run_prg(bytes),
    }
    .map_err(failed)?;
    output::say(&output::visible(&format!("started on {name}, {}\n", device.shown())));
    Ok(Exit::Fine)
}

/// `LOAD"*",8,1` in ten bytes, which is what the keyboard's buffer holds: L and the shifted O are LOAD.
const LOAD: &[u8] = b"L\xcf\"*\",8,1\r";

/// Types what starts the first program of a disk.
fn start_disk(device: &Device, drive: &str) -> Result<(), Problem> {
    device.reset()?;
    wait_for(device, BOOT, 1)?;
    let mut load = LOAD.to_vec();
    // Drive a is 8, b is 9.
    load[6] += u8::from(drive == "b");
    type_keys(device, &load)?;
    wait_for(device, LOADING, 2)?;
    type_keys(device, b"RUN\r")
}

/// Puts keys in the buffer of the KERNAL.
pub fn type_keys(device: &Device, keys: &[u8]) -> Result<(), Problem> {
    device.write(0x0277, keys)?;
    device.write(0x00c6, &[keys.len() as u8])
}

/// Waits until the screen says READY. so often.
pub fn wait_for(device: &Device, patience: Duration, times: usize) -> Result<(), Problem> {
    const READY: [u8; 6] = [0x12, 0x05, 0x01, 0x04, 0x19, 0x2e];
    let end = Instant::now() + patience;
    loop {
        let screen = device.read(0x0400, 1000)?;
        let rows = screen.chunks(40).filter(|row| row.starts_with(&READY)).count();
        if rows >= times {
            return Ok(());
        }
        if Instant::now() >= end {
            return Err(Problem::Refused(format!(
                "{} did not say READY. within {} s",
                device.shown(),
                patience.as_secs()
            )));
        }
        std::thread::sleep(LOOK);
    }
}
