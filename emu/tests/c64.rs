//! Runs every program of `tests/c64` and compares its memory byte by byte and its picture pixel by pixel with what
//! VICE gives. One test a program. `known-differences.txt` lists the programs that do not pass yet, with the reason; one of
//! those that passes is a failure, so that the list stays true.
//!
//! `tests/c64-own` has programs of the same shape where those are silent; what they expect follows from what the
//! chips are known to do.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_emu::Rom;
use tempo_emu::c64::{C64, Ended, Joystick, Key, Model, WIDTH};

fn main() {
    let arguments = Arguments::from_args();
    tempo_testing::keep_published("the results of VICE");
    let mut known = known_differences();
    let mut trials = Vec::new();
    let names = names(PUBLISHED);
    let count = names.len();
    trials.push(Trial::test("count", move || {
        if count == 257 { Ok(()) } else { Err(format!("{count} programs, 257 expected").into()) }
    }));
    for name in names {
        let expected = Expected::parse(&name, &text(PUBLISHED, &format!("{name}.expect")));
        let reason = known.remove(&name);
        let title = format!("{}/{name}", expected.area);
        trials.push(Trial::test(title, move || judge(run(PUBLISHED, &name, &expected), reason.as_deref())));
    }
    for name in self::names(OWN) {
        let expected = Expected::parse(&name, &text(OWN, &format!("{name}.expect")));
        let title = format!("own/{}/{name}", expected.area);
        trials.push(Trial::test(title, move || judge(run(OWN, &name, &expected), None)));
    }
    for name in known.into_keys() {
        trials.push(Trial::test(format!("known-differences/{name}"), || {
            Err("there is no such program".into())
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

const PUBLISHED: &str = "c64";
const OWN: &str = "c64-own";

fn folder(name: &str) -> PathBuf {
    tempo_testing::fixtures().join(name)
}

fn bytes(of: &str, file: &str) -> Vec<u8> {
    let path = folder(of).join(file);
    std::fs::read(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

fn text(of: &str, file: &str) -> String {
    String::from_utf8(bytes(of, file)).unwrap_or_else(|err| panic!("{file}: {err}"))
}

fn names(of: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder(of)).unwrap_or_else(|err| panic!("tests/{of}: {err}"));
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            entry.ok()?.file_name().into_string().ok()?.strip_suffix(".expect").map(str::to_string)
        })
        .collect();
    names.sort();
    names
}

/// `name: reason` lines.
fn known_differences() -> BTreeMap<String, String> {
    text(PUBLISHED, "known-differences.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let (name, reason) = line.split_once(": ").unwrap_or_else(|| panic!("{line:?} gives no reason"));
            (name.to_string(), reason.to_string())
        })
        .collect()
}

fn judge(found: Result<(), String>, known: Option<&str>) -> Result<(), Failed> {
    match (found, known) {
        (Ok(()), None) | (Err(_), Some(_)) => Ok(()),
        (Ok(()), Some(_)) => Err("passes now: remove it from tests/c64/known-differences.txt".into()),
        (Err(difference), None) => Err(difference.into()),
    }
}

struct Expected {
    area: String,
    model: Model,
    frames: u64,
    hold: Vec<String>,
    memory: Vec<(u16, u8)>,
    picture: Option<String>,
    /// Kilobytes of the RAM expansion.
    reu: usize,
    /// File with a character ROM.
    chargen: Option<String>,
}

impl Expected {
    fn parse(name: &str, text: &str) -> Expected {
        let mut expected = Expected {
            area: String::new(),
            model: Model::Pal,
            frames: 60,
            hold: Vec::new(),
            memory: Vec::new(),
            picture: None,
            reu: 0,
            chargen: None,
        };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "area" => expected.area = rest.to_string(),
                "system" if rest == "pal" => expected.model = Model::Pal,
                "system" if rest == "ntsc" => expected.model = Model::Ntsc,
                "system" if rest == "c64c" => expected.model = Model::C64c,
                "system" if rest == "ntscold" => expected.model = Model::NtscOld,
                "frames" => {
                    expected.frames = rest.parse().unwrap_or_else(|err| panic!("{name}: {line}: {err}"))
                }
                "hold" => expected.hold = rest.split(',').map(str::to_string).collect(),
                "picture" => expected.picture = Some(rest.to_string()),
                "reu" => expected.reu = rest.parse().unwrap_or_else(|err| panic!("{name}: {line}: {err}")),
                "chargen" => expected.chargen = Some(rest.to_string()),
                "memory" => {
                    expected.memory.extend(memory_line(rest).unwrap_or_else(|| panic!("{name}: {line}")))
                }
                _ => panic!("{name}: what is {line:?}?"),
            }
        }
        expected
    }
}

fn memory_line(text: &str) -> Option<Vec<(u16, u8)>> {
    let (addr, bytes) = text.split_once(':')?;
    let addr = u16::from_str_radix(addr, 16).ok()?;
    let bytes = bytes.split_whitespace().zip(addr..);
    bytes.map(|(byte, addr)| Some((addr, u8::from_str_radix(byte, 16).ok()?))).collect()
}

fn hold(machine: &mut C64, name: &str) -> Result<(), String> {
    let joystick = match name.split_once(':') {
        Some(("JOY1", switches)) => Some((1, switches)),
        Some(("JOY2", switches)) => Some((2, switches)),
        _ => None,
    };
    let Some((port, switches)) = joystick else {
        machine.board.hold(Key::from_name(name).ok_or_else(|| format!("no key is called {name}"))?);
        return Ok(());
    };
    let mut closed = Joystick::NONE;
    for switch in switches.split('+') {
        closed =
            closed.or(Joystick::from_name(switch).ok_or_else(|| format!("no switch is called {switch}"))?);
    }
    machine.board.set_joystick(port, closed);
    Ok(())
}

fn run(of: &str, name: &str, expected: &Expected) -> Result<(), String> {
    let mut machine = C64::new(expected.model);
    assert!(machine.board.expand(expected.reu), "no expansion has {} KB", expected.reu);
    if let Some(file) = &expected.chargen {
        machine.board.insert(Rom::Characters, &bytes(of, file)).map_err(|err| err.to_string())?;
    }
    for key in &expected.hold {
        hold(&mut machine, key)?;
    }
    machine.start(&bytes(of, &format!("{name}.prg"))).map_err(|err| err.to_string())?;
    // A picture is shown from then on: the one compared begins after that time.
    let ended = machine.run_frames(expected.frames + if expected.picture.is_some() { 2 } else { 0 });
    let mut differences = Vec::new();
    if !expected.memory.is_empty() && ended != Ended::Exit(0) {
        differences.push(format!("ended with {ended:?} at {}", machine.cpu.registers));
    }
    differences.extend(compare_memory(&machine, &expected.memory));
    if let Some(file) = &expected.picture {
        differences.extend(compare_picture(&machine, of, file));
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

fn compare_memory(machine: &C64, expected: &[(u16, u8)]) -> Option<String> {
    let ram = machine.board.ram();
    let wrong: Vec<_> = expected.iter().filter(|(addr, byte)| ram[usize::from(*addr)] != *byte).collect();
    if wrong.is_empty() {
        return None;
    }
    let shown: Vec<String> = wrong
        .iter()
        .take(24)
        .map(|(addr, byte)| format!("{addr:04x}: {:02x}, should be {byte:02x}", ram[usize::from(*addr)]))
        .collect();
    Some(format!("{} of {} bytes differ\n{}", wrong.len(), expected.len(), shown.join("\n")))
}

fn compare_picture(machine: &C64, of: &str, file: &str) -> Option<String> {
    let mut expected = Vec::new();
    let packed = bytes(of, file);
    flate2::read::GzDecoder::new(packed.as_slice())
        .read_to_end(&mut expected)
        .unwrap_or_else(|err| panic!("{file}: {err}"));
    let found = machine.board.picture();
    if found.len() != expected.len() {
        return Some(format!("{} pixels, should be {}", found.len(), expected.len()));
    }
    let wrong: Vec<usize> = (0..found.len()).filter(|&i| found[i] != expected[i]).collect();
    let &first = wrong.first()?;
    let mut rows: Vec<String> = Vec::new();
    for &row in wrong.iter().map(|i| i / WIDTH).collect::<std::collections::BTreeSet<_>>().iter().take(6) {
        let columns: Vec<usize> = wrong.iter().filter(|&i| i / WIDTH == row).map(|i| i % WIDTH).collect();
        let span = row * WIDTH + columns[0] / 8 * 8..row * WIDTH + WIDTH.min(columns[0] / 8 * 8 + 48);
        let digits = |pixels: &[u8]| pixels.iter().map(|p| format!("{p:x}")).collect::<String>();
        rows.push(format!(
            "row {row}: {} wrong, from {} to {}\n  from {:3} found    {}\n           expected {}",
            columns.len(),
            columns[0],
            columns[columns.len() - 1],
            columns[0] / 8 * 8,
            digits(&found[span.clone()]),
            digits(&expected[span])
        ));
    }
    Some(format!(
        "{} pixels differ, first at ({}, {})\n{}",
        wrong.len(),
        first % WIDTH,
        first / WIDTH,
        rows.join("\n")
    ))
}
