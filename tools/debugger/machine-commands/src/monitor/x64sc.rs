//! A stand-in for VICE's `x64sc`, called by that name or as `tempo x64sc`: its command line, as far as editors, debuggers
//! and test runners use it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Parser;
use tempo_emu::{Rom, System};
use tempo_host::{Exit, output};

use super::options::{Meaning, Takes, meaning};
use super::server::Address;
use super::{FirstStop, Service, computer, read_program, read_text};
use crate::run::source;

/// Run as VICE's x64sc, with its options
///
/// Takes the options that editors, debuggers and test runners pass to x64sc, so that they can use Tempo's machine in its
/// place: set the path of the emulator to a link named x64sc that leads to tempo, or to a script that calls this. Options
/// that change nothing here are named on standard error and ignored.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo x64sc -binarymonitor -autostart game.prg
  tempo x64sc -binarymonitor -binarymonitoraddress ip4://127.0.0.1:6502 -remotemonitor
  tempo x64sc -debugcart -limitcycles 10000000 -warp -exitscreenshot end.png test.prg

Exit codes: 0 a client ended it, the program's own with -debugcart, 1 the cycles are over or an option is wrong.")]
pub struct Args {
    /// VICE's options, and a program or disk at the end
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    words: Vec<OsString>,
}

/// Whether the program is called by this name.
pub fn is_x64sc(words: &[OsString]) -> bool {
    let name = words.first().and_then(|name| Path::new(name).file_stem());
    name.is_some_and(|name| name.eq_ignore_ascii_case("x64sc") || name.eq_ignore_ascii_case("x64"))
}

/// Runs as `tempo x64sc`.
pub fn run(args: Args) -> Exit {
    main(&args.words)
}

/// Runs with VICE's words.
pub fn main(words: &[OsString]) -> Exit {
    let service = match parse(words) {
        Ok(Some(service)) => service,
        Ok(None) => return Exit::Fine,
        Err(message) => {
            output::warn(&format!(
                "{}\nError parsing command-line options, bailing out.\n",
                output::visible(&message)
            ));
            return Exit::Failed;
        }
    };
    service.run().unwrap_or_else(|message| {
        output::complain(message);
        Exit::Failed
    })
}

#[derive(Default)]
struct Given {
    service: Service,
    is_binary: bool,
    binary: Option<Address>,
    is_text: bool,
    text: Option<Address>,
    roms: Vec<(PathBuf, Rom)>,
    system: Option<System>,
    file: Option<PathBuf>,
    cartridge: Option<PathBuf>,
    is_loaded_only: bool,
}

fn parse(words: &[OsString]) -> Result<Option<Service>, String> {
    let mut given = Given::default();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.to_str().filter(|text| text.starts_with(['-', '+']) && text.len() > 1) else {
            given.file = Some(word.into());
            continue;
        };
        let meaning = meaning(text).ok_or_else(|| format!("Unknown option '{text}'."))?;
        let takes = match meaning {
            Meaning::Known(takes) | Meaning::Silent(takes) | Meaning::Ignored(takes) => takes,
        };
        let value = match takes {
            Takes::Value => {
                Some(rest.next().ok_or_else(|| format!("Option '{text}' requires a parameter."))?)
            }
            Takes::Nothing => None,
        };
        match meaning {
            Meaning::Known(_) => {
                if given.take(text, value)? == Taken::Answered {
                    return Ok(None);
                }
            }
            Meaning::Silent(_) => {}
            Meaning::Ignored(_) => output::warn(&format!("{text}: has no effect here\n")),
        }
    }
    given.finish().map(Some)
}

#[derive(PartialEq)]
enum Taken {
    Noted,
    Answered,
}

impl Given {
    fn take(&mut self, option: &str, value: Option<&OsString>) -> Result<Taken, String> {
        let is_on = option.starts_with('-');
        let path = || value.map(PathBuf::from).unwrap_or_default();
        let text = || value.and_then(|value| value.to_str()).unwrap_or_default();
        let wrong = || format!("Argument '{}' not valid for option `{option}'.", text());
        match option.trim_start_matches(['-', '+']) {
            "binarymonitor" => self.is_binary = is_on,
            "binarymonitoraddress" => self.binary = Some(Address::parse(text())?),
            "remotemonitor" => self.is_text = is_on,
            "remotemonitoraddress" => self.text = Some(Address::parse(text())?),
            "default" => *self = Given::default(),
            "autostart" => (self.file, self.is_loaded_only) = (Some(path()), false),
            "autoload" => (self.file, self.is_loaded_only) = (Some(path()), true),
            "8" => self.file = self.file.take().or(Some(path())),
            "moncommands" => self.service.commands = read_text(&path())?,
            "initbreak" => self.service.first_stop = Some(first_stop(text()).ok_or_else(wrong)?),
            "warp" => self.service.is_warp = is_on,
            "debugcart" => self.service.has_debugcart = is_on,
            "limitcycles" => {
                let limit = tempo_debug::parse_number(text()).and_then(|number| u64::try_from(number).ok());
                self.service.limit = Some(limit.filter(|limit| *limit > 0).ok_or_else(wrong)?);
            }
            "exitscreenshot" => self.service.screenshot = Some(path()),
            "jamaction" => self.service.jam_action = Some(jam_action(text()).ok_or_else(wrong)?),
            "keybuf" => self.service.keys = typed(text()),
            "kernal" => self.roms.push((path(), Rom::Kernal)),
            "basic" => self.roms.push((path(), Rom::Basic)),
            "chargen" => self.roms.push((path(), Rom::Characters)),
            "cartcrt" => self.cartridge = Some(path()),
            "pal" => self.system = Some(System::C64Pal),
            "ntsc" => self.system = Some(System::C64Ntsc),
            "model" => {
                self.system = Some(match text().to_ascii_lowercase().as_str() {
                    "c64" | "breadbin" | "pal" => System::C64Pal,
                    "c64c" | "c64new" | "newpal" => System::C64cPal,
                    "ntsc" | "c64ntsc" | "c64cntsc" | "c64newntsc" | "newntsc" => System::C64Ntsc,
                    "oldntsc" | "c64oldntsc" => System::C64NtscOld,
                    "drean" => System::Drean,
                    _ => return Err(wrong()),
                });
            }
            "help" | "-help" => {
                output::say("Usage: x64sc [OPTION]... [FILE]; tempo x64sc --help tells more.\n");
                return Ok(Taken::Answered);
            }
            _ => {
                output::say(&format!("x64sc (VICE 3.10, served by tempo {})\n", env!("CARGO_PKG_VERSION")));
                return Ok(Taken::Answered);
            }
        }
        Ok(Taken::Noted)
    }

    fn finish(mut self) -> Result<Service, String> {
        self.service.computer = computer(self.system.unwrap_or(System::C64Pal), &self.roms)?;
        self.service.binary = self.is_binary.then(|| self.binary.unwrap_or(Address::local(6502)));
        self.service.text = self.is_text.then(|| self.text.unwrap_or(Address::local(6510)));
        self.service.runs = !self.is_loaded_only;
        let is_crt = |file: &PathBuf| source::is_cartridge(file);
        if let Some(cartridge) = self.cartridge.or_else(|| self.file.clone().filter(is_crt)) {
            self.service.plug(&cartridge)?;
        }
        if let Some(file) = self.file.as_ref().filter(|file| !is_crt(file)) {
            self.service.program = Some(read_program(file)?);
        }
        let has_end = self.service.has_debugcart || self.service.limit.is_some();
        if self.service.binary.is_none() && self.service.text.is_none() && !has_end {
            return Err("There is no window here: -binarymonitor, -remotemonitor, -limitcycles or -debugcart is needed.".into());
        }
        Ok(self.service)
    }
}

/// `-initbreak`.
fn first_stop(text: &str) -> Option<FirstStop> {
    match text {
        "reset" => Some(FirstStop::Reset),
        "ready" => Some(FirstStop::Ready),
        _ => u16::try_from(tempo_debug::parse_number(text)?).ok().map(FirstStop::Address),
    }
}

/// `-jamaction`: 0 and 2 stop in the monitor here, all others go on.
fn jam_action(text: &str) -> Option<i32> {
    match text.parse().ok()? {
        0 | 2 => Some(0),
        action @ 1..=6 => Some(action),
        _ => None,
    }
}

/// `-keybuf`: `\n` and `\x0d` are return; letters are typed without shift.
fn typed(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let escape = match (first, tail) {
            (b'\\', [b'n', tail @ ..]) => Some((0x0d, tail)),
            (b'\\', [b'x', high, low, tail @ ..]) => {
                let digits = [*high, *low];
                std::str::from_utf8(&digits)
                    .ok()
                    .and_then(|digits| u8::from_str_radix(digits, 16).ok())
                    .map(|byte| (byte, tail))
            }
            _ => None,
        };
        match escape {
            Some((byte, tail)) => {
                bytes.push(byte);
                rest = tail;
            }
            None => bytes.push(if *first == b'\n' { 0x0d } else { first.to_ascii_uppercase() }),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(line: &str) -> Result<Service, String> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        parse(&words).map(|service| service.expect("not only a question"))
    }

    #[test]
    fn the_lines_of_clients_are_understood() {
        let vs64 = given(
            "+remotemonitor -binarymonitor -binarymonitoraddress ip4://127.0.0.1:7001 -autostartprgmode 1",
        )
        .unwrap();
        assert_eq!((vs64.binary.map(|at| at.given), vs64.text), (Some("ip4://127.0.0.1:7001".into()), None));
        let probe = given("-default +sound -remotemonitor -remotemonitoraddress 127.0.0.1:7002 -binarymonitor -binarymonitoraddress 127.0.0.1:7003").unwrap();
        assert!(probe.binary.is_some() && probe.text.is_some());
        let studio = given("-initbreak 0x1000 -remotemonitor -truedrive +virtualdev").unwrap();
        assert_eq!(studio.first_stop, Some(FirstStop::Address(0x1000)));
        assert_eq!(given("-warp -limitcycles 5000").unwrap().limit, Some(5000));
    }

    #[test]
    fn wrong_options_are_refused_by_name() {
        assert_eq!(given("-nosuch").err().unwrap(), "Unknown option '-nosuch'.");
        assert_eq!(given("-limitcycles").err().unwrap(), "Option '-limitcycles' requires a parameter.");
        assert!(given("-limitcycles abc").err().unwrap().contains("not valid"));
        assert!(
            given("-binarymonitor -binarymonitoraddress 0.0.0.0:1")
                .err()
                .unwrap()
                .contains("other computers")
        );
        assert_eq!(typed(r"sys2061\x0dA\n"), b"SYS2061\x0dA\x0d");
    }
}
