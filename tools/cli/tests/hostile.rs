//! Command lines and files that ask for trouble: each ends soon, with a reason, and nothing of them steers a terminal.

#![cfg(unix)]

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use crate::common::{PATIENCE, Ran, Scratch};

/// `tempo`, stopped if it hangs.
fn bounded(scratch: &Scratch, line: &str) -> Ran {
    scratch.shell(&format!("timeout {PATIENCE} $TEMPO {line}"))
}

#[test]
fn the_largest_number_of_cycles_is_a_number() {
    let suite = "suites { suite(\"s\") { test(\"t\", \"ends\") { bytes($1000, $60) jsr($1000) } } }";
    let scratch = Scratch::new(&[("s.6502", suite)]);
    scratch.write("rts.bin", &[0x60]);
    for line in [
        "test s.6502 --max-cycles 18446744073709551615",
        "run rts.bin --load 4096 --max-cycles 18446744073709551615",
    ] {
        let ran = bounded(&scratch, line);
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.err);
    }
}

#[test]
fn names_need_not_be_utf_8() {
    let scratch = Scratch::new(&[("data.bin", "x")]);
    let name = OsStr::from_bytes(b"caf\xe9.asm");
    let folder = scratch.0.path().join(OsStr::from_bytes(b"fol\xe9"));
    std::fs::create_dir(&folder).unwrap();
    for (place, import) in
        [(scratch.0.path(), ""), (&folder, ".import source \"beside.asm\"\n.import binary \"../data.bin\"\n")]
    {
        std::fs::write(place.join("beside.asm"), "nop\n").unwrap();
        std::fs::write(place.join(name), format!("*=$1000\n{import}rts\n")).unwrap();
        let ran =
            Command::new(env!("CARGO_BIN_EXE_tempo")).arg("asm").arg(place.join(name)).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        assert!(place.join(OsStr::from_bytes(b"caf\xe9.prg")).exists());
    }
    let ran = scratch.shell(
        "$TEMPO d64 create $(printf 'd\\351.d64') caf*.prg X=$(echo caf*.prg) && $TEMPO d64 list d*.d64",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("\"CAF") && ran.out.contains("\"X\""), "{}", ran.out);
}

#[test]
fn pipes_and_devices_are_no_inputs() {
    let scratch = Scratch::new(&[
        ("pipe.asm", ".import binary \"pipe\"\n"),
        ("zero.asm", "#import \"/dev/zero\"\n"),
        ("load.asm", ".var x = LoadBinary(\"/dev/zero\")\n"),
    ]);
    assert_eq!(scratch.shell("mkfifo pipe").code, Some(0));
    for line in [
        "asm pipe",
        "asm /dev/zero",
        "asm pipe.asm",
        "asm zero.asm",
        "asm load.asm",
        "test pipe",
        "moves --fens pipe",
        "moves --fens /dev/zero",
        "run pipe --load 0",
        "game check pipe",
        "enochian show pipe",
        "cycles pipe",
        "debug pipe",
        "disasm pipe",
        "fmt pipe",
        "pack pipe -o x",
        "d64 list pipe",
        "sym pipe --to vice",
        "verify-cpu pipe",
        "asm pipe.asm --lib-dir /dev --lib-dir .",
    ] {
        let ran = bounded(&scratch, &format!("{line} < /dev/null"));
        assert!(matches!(ran.code, Some(1..=3)), "{line}: {:?} {}", ran.code, ran.err);
        assert!(
            ran.err.contains("not a regular file") || ran.err.contains("E0415") || !line.contains("asm"),
            "{line}: {}",
            ran.err
        );
    }
    for line in ["debug pipe.asm", "debug zero.asm"] {
        let ran = bounded(&scratch, &format!("{line} < /dev/null"));
        assert_eq!(ran.code, Some(1), "{line}: {}", ran.err);
        assert!(ran.err.contains("Can't open file"), "{line}: {}", ran.err);
    }
    // Standard input is what the user says it is.
    let ran = scratch.shell("echo '8/8/8/8/8/8/8/K1k5 w - - 0 1' | $TEMPO moves --fens /dev/stdin");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn no_text_of_a_file_steers_the_terminal() {
    let esc = "\u{1b}[31m\u{7}";
    let source = format!(".print \"{esc}print\"\n*=$1000 \"{esc}block\"\nrts\n");
    let bad = format!(".error \"{esc}error\"\n");
    let suite = format!(
        "suites {{ suite(\"{esc}s\") {{ test(\"{esc}t\", \"{esc}d\") {{ bytes($1000, $60) jsr($1000) assert(1 == 2, \"{esc}a\") }} }} }}"
    );
    let name = format!("{esc}.asm");
    let scratch =
        Scratch::new(&[("a.asm", &source), ("bad.asm", &bad), ("s.6502", &suite), (&name, "rts\n")]);
    let escaped = format!("'{name}'");
    let words = [
        "asm a.asm --memory-map",
        "asm bad.asm",
        "asm bad.asm --message-format short",
        "asm bad.asm --message-format json",
        "test s.6502",
        "test s.6502 --verbose",
        "test s.6502 --format tap",
        "test s.6502 --format github",
        "test s.6502 --format compat",
        "test s.6502 --format json",
        "test s.6502 --list",
    ];
    let named = [
        format!("asm {escaped}"),
        format!("asm {escaped}x"),
        format!("run {escaped}"),
        format!("test {escaped}"),
        format!("game check {escaped}"),
    ];
    for line in words.into_iter().map(str::to_owned).chain(named) {
        let ran = bounded(&scratch, &line);
        let is_plain = |c: char| matches!(c, '\n' | '\t') || !c.is_control();
        assert!(ran.out.chars().chain(ran.err.chars()).all(is_plain), "{line}: {:?} {:?}", ran.out, ran.err);
    }
    for line in ["a.asm -showmem", "bad.asm"] {
        let ran = scratch.kickass(line);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{line}: {:?}", ran.out);
    }
}

#[test]
fn long_names_are_not_compared() {
    let long = "a".repeat(100_000);
    let other = "a".repeat(99_999);
    let scratch = Scratch::new(&[
        ("a.asm", &format!("{long}: jmp {other}\n")),
        ("s.6502", &format!("suites {{ suite(\"s\") {{ {long} }} }}")),
    ]);
    for line in ["asm a.asm", "test s.6502"] {
        assert!(matches!(bounded(&scratch, line).code, Some(1 | 2)), "{line}");
    }
}

#[test]
fn a_hundred_thousand_keys_are_a_script_like_any_other() {
    let scratch = Scratch::new(&[("a.asm", "BasicUpstart2(start)\nstart: jmp start\n")]);
    let keys = "a".repeat(100_000);
    let ran = bounded(&scratch, &format!("run --system c64 a.asm --frames 2 --ok-on-timeout --keys {keys}"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn a_folder_with_a_loose_link_is_a_disk() {
    let scratch = Scratch::new(&[("a.asm", "BasicUpstart2(start)\nstart: jmp start\n"), ("disk/x", "x")]);
    scratch.shell("ln -s nowhere disk/loose; mkfifo disk/pipe");
    let ran = bounded(&scratch, "run --system c64 a.asm --frames 2 --ok-on-timeout --disk disk");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn a_depth_without_a_stack_for_it_is_a_message() {
    let scratch = Scratch::new(&[("a.asm", ".function f(n) { .return f(n + 1) }\n.print f(0)\n")]);
    // One gigabyte of addresses, and a depth that asks for thirty.
    let ran = scratch.shell("ulimit -v 1000000; $TEMPO asm a.asm --max-depth 1000000");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("E0901"), "{}", ran.err);
}
