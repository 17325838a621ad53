//! Runs that are killed at any moment leave whole files: all old ones or all new ones, or, if the kill came between two
//! renames, new ones up to some file in the order of the renames. A signal that can be caught does not come between,
//! and leaves no temporary file either.

#![cfg(unix)]

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Scratch;
use tempo_random::Random;

/// Outputs of a megabyte, all of whose bytes tell which version they are of.
fn source(version: u8) -> String {
    format!(
        "*=$0\n.for (var i=0; i<30; i++) .fill 32000, {version}\n\
         .file [name=\"extra.bin\", type=\"bin\", segments=\"Default\"]\n\
         .var f = createFile(\"text.txt\")\n.for (var i=0; i<20000; i++) .eval f.writeln(\"{version}\")\n"
    )
}

/// In the order of the renames: programs are last.
const OUTPUTS: [&str; 3] = ["text.txt", "extra.bin", "a.prg"];

/// Which version each output is of.
fn versions(scratch: &Scratch) -> [u8; 3] {
    OUTPUTS.map(|name| {
        let bytes = scratch.read(name);
        let (skip, len) = match name {
            "a.prg" => (2, 960_002),
            "extra.bin" => (0, 960_000),
            _ => (0, 40_000),
        };
        assert_eq!(bytes.len(), len, "{name} is cut off");
        let first = bytes[skip];
        let is_whole =
            bytes[skip..].iter().all(|&byte| byte == first || (name == "text.txt" && byte == b'\n'));
        assert!(is_whole, "{name} is a mix");
        if name == "text.txt" { first - b'0' } else { first }
    })
}

fn command(scratch: &Scratch) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tempo"));
    command.args(["asm", "a.asm", "--quiet"]).current_dir(scratch.0.path()).stdin(Stdio::null());
    command
}

fn run_and_kill(signal: &str, rounds: u32, seed: u64) {
    let scratch = Scratch::new(&[("a.asm", &source(1))]);
    let started = Instant::now();
    assert!(command(&scratch).status().expect("tempo starts").success());
    let whole = started.elapsed();
    assert_eq!(versions(&scratch), [1; 3]);
    let mut random = Random::new(seed);
    let mut killed = 0;
    // A loaded machine may be late with every one of them: then it tries on.
    let mut round = 0;
    while round < rounds || (killed == 0 && round < 20 * rounds) {
        // The program tells: it gets its name last.
        let old = versions(&scratch)[2];
        let new = 1 + (old % 9);
        scratch.write("a.asm", source(new).as_bytes());
        let mut child = command(&scratch).stderr(Stdio::piped()).spawn().expect("tempo starts");
        std::thread::sleep(whole.mul_f64(random.index(1000) as f64 / 900.0).min(Duration::from_secs(5)));
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        let status = child.wait().expect("the process ends");
        killed += u32::from(status.signal().is_some());
        let mut said = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
        let now = versions(&scratch);
        let renamed = now.iter().take_while(|&&version| version == new).count();
        assert!(
            now[renamed..].iter().all(|&version| version == old) && (signal == "-KILL" || renamed % 3 == 0),
            "round {round}: a mix of {old} and {new}: {now:?} {said}"
        );
        if signal != "-KILL" {
            let left = scratch.files();
            assert!(!left.iter().any(|name| name.ends_with(".tmp")), "round {round} left {left:?}");
        }
        // Whatever the killed run left, the next one has no trouble with it and takes it away.
        if round % 8 == 7 {
            assert!(command(&scratch).status().expect("tempo starts").success());
            assert_eq!(versions(&scratch), [new; 3]);
            assert_eq!(scratch.files(), ["a.asm", "a.prg", "extra.bin", "text.txt"]);
        }
        round += 1;
    }
    assert!(killed > 0, "no run was killed in time: the test shows nothing");
}

#[test]
fn kill_leaves_whole_files() {
    run_and_kill("-KILL", 24, tempo_testing::seed());
}

#[test]
fn interrupts_leave_a_whole_set() {
    run_and_kill("-INT", 16, tempo_testing::seed());
    run_and_kill("-TERM", 8, tempo_testing::seed() + 1);
}
