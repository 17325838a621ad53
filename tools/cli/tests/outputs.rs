//! A run never destroys files other than its outputs: devices, links, read-only files and inputs stay.

#![cfg(unix)]

use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};

use crate::common::Scratch;

const SOURCE: &str = "*=$1000\nstart: rts\n";
const PRG: [u8; 3] = [0x00, 0x10, 0x60];
const SUITE: &str = r#"suites { suite("s") { test("t", "passes") { bytes($1000, $60) jsr($1000) } } }"#;

#[test]
fn devices_and_pipes_are_written_through() {
    let scratch = Scratch::new(&[("a.asm", SOURCE)]);
    let is_device = || std::fs::metadata("/dev/null").unwrap().file_type().is_char_device();
    assert!(is_device());
    let ran = scratch.asm("a.asm -o /dev/null --symbols=/dev/null");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(is_device(), "the device is gone");
    let ran = scratch.shell("mkfifo pipe && (cat pipe > read & $TEMPO asm a.asm -q -o pipe; echo $?; wait)");
    assert_eq!(ran.out, "0\n", "{}", ran.err);
    assert_eq!(scratch.read("read"), PRG);
    assert!(std::fs::metadata(scratch.path("pipe")).unwrap().file_type().is_fifo());
}

#[test]
fn one_output_may_go_to_standard_output() {
    let scratch = Scratch::new(&[("a.asm", &format!(".print \"hello\"\n{SOURCE}")), ("s.6502", SUITE)]);
    for name in ["-", "/dev/stdout"] {
        let ran = scratch.asm(&format!("a.asm -o {name}"));
        assert_eq!((ran.code, ran.out.as_bytes()), (Some(0), &PRG[..]), "{name}: {}", ran.err);
        assert!(ran.err.contains("hello") && ran.err.contains("1 byte"), "{}", ran.err);
        let ran = scratch.tempo(&format!("test s.6502 --junit {name}"));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.starts_with("<?xml") && ran.out.trim_end().ends_with("</testsuites>"), "{}", ran.out);
    }
    let ran = scratch.asm("a.asm -o - --symbols=-");
    assert_eq!((ran.code, &ran.out[..]), (Some(2), ""));
    assert!(ran.err.contains("standard output takes one file only"), "{}", ran.err);
    assert_eq!(scratch.files(), ["a.asm", "s.6502"]);
}

#[test]
fn links_are_followed_and_modes_kept() {
    let scratch = Scratch::new(&[("a.asm", SOURCE), ("real/out.prg", "old")]);
    symlink("real/out.prg", scratch.path("link.prg")).unwrap();
    let real = scratch.path("real/out.prg");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
    let ran = scratch.asm("a.asm -o link.prg");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(scratch.read("real/out.prg"), PRG);
    assert!(std::fs::symlink_metadata(scratch.path("link.prg")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&real).unwrap().mode() & 0o777, 0o640);

    symlink("nowhere", scratch.path("loose.prg")).unwrap();
    let ran = scratch.asm("a.asm -o loose.prg");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("cannot write 'loose.prg': it is a symbolic link that leads nowhere"),
        "{}",
        ran.err
    );
    assert!(!scratch.path("nowhere").exists());
}

#[test]
fn a_source_cannot_write_through_a_link_that_leads_out() {
    let scratch = Scratch::new(&[
        ("secret", "old"),
        ("src/a.asm", ".file [name=\"x.prg\", segments=\"Default\"]\nrts\n"),
    ]);
    symlink("../secret", scratch.path("src/x.prg")).unwrap();
    let ran = scratch.asm("src/a.asm");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert_eq!(scratch.text("secret"), "old");
}

#[test]
fn a_read_only_file_is_refused() {
    let scratch = Scratch::new(&[("a.asm", SOURCE), ("a.prg", "old")]);
    std::fs::set_permissions(scratch.path("a.prg"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let ran = scratch.asm("a.asm --symbols");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot write 'a.prg': the file is read-only"), "{}", ran.err);
    assert_eq!(scratch.text("a.prg"), "old");
    assert_eq!(scratch.files(), ["a.asm", "a.prg"]);
}

/// Each of these overwrote the file it names, and ended well.
#[test]
fn no_output_is_an_input() {
    let source = "*=$1000\n.import binary \"data.bin\"\nrts\n";
    let file = ".file [name=\"data.bin\", segments=\"Default\"]\n*=$1000\n.import binary \"data.bin\"\nrts\n";
    let created =
        ".var f = createFile(\"data.bin\")\n.eval f.writeln(\"x\")\n.import binary \"data.bin\"\nrts\n";
    let suite = "suites { suite(\"s\") { assemble(\"s.asm\") test(\"t\", \"passes\") { jsr($1004) } } }";
    let files = [
        ("src/s.asm", source),
        ("src/file.asm", file),
        ("src/created.asm", created),
        ("src/data.bin", "data"),
        ("src/z.6502", SUITE),
        ("src/c.6502", suite),
        ("list.epd", "8/8/8/8/8/8/8/K1k5 w - - ;D1 3\n"),
    ];
    let scratch = Scratch::new(&files);
    symlink("src", scratch.path("by-link")).unwrap();
    std::fs::hard_link(scratch.path("src/s.asm"), scratch.path("hard.asm")).unwrap();
    let kickass = [
        "-asminfo all -asminfofile s.asm src/s.asm",
        "src/s.asm -log src/s.asm",
        "-log src/s.asm src/s.asm -nonsense",
        "-log by-link/s.asm src/s.asm",
        "src/s.asm -execute true -executelog src/s.asm",
        "src/s.asm -execute true -executelog src/s.prg",
    ];
    let tempo = [
        "asm src/s.asm -o by-link/s.asm",
        "asm src/s.asm -o src/data.bin",
        "asm src/s.asm -o hard.asm",
        "asm src/s.asm --symbols=by-link/data.bin",
        "asm src/s.asm -asminfo all -asminfofile s.asm",
        "asm src/file.asm",
        "asm src/created.asm",
        "test src/z.6502 --junit src/z.6502",
        "test src/z.6502 --junit by-link/z.6502",
        "test src/c.6502 --coverage lcov --coverage-file src/s.asm",
    ];
    for (line, ran) in kickass
        .iter()
        .map(|line| (line, scratch.kickass(line)))
        .chain(tempo.iter().map(|line| (line, scratch.tempo(line))))
    {
        for (name, text) in files {
            assert_eq!(scratch.text(name), text, "{line} destroyed {name}");
        }
        assert!(matches!(ran.code, Some(1 | 2)), "{line}: {:?} {} {}", ran.code, ran.out, ran.err);
        assert!(!ran.out.contains(".tempo-") && !ran.err.contains(".tempo-"), "{line}: {}", ran.err);
    }
    let ran = scratch.tempo("asm src/s.asm -o hard.asm");
    assert!(
        ran.err.contains("cannot write 'hard.asm': it is '")
            && ran.err.contains("src/s.asm', which this run has read"),
        "{}",
        ran.err
    );
}

#[test]
fn standard_output_is_no_input_either() {
    let scratch = Scratch::new(&[("a.asm", SOURCE), ("s.6502", SUITE)]);
    scratch.write("a.prg", &PRG);
    for (line, file) in [
        ("asm a.asm -q -o -", "a.asm"),
        ("asm a.asm -q -o /dev/stdout", "a.asm"),
        ("test s.6502 --junit -", "s.6502"),
        ("disasm a.prg", "a.prg"),
    ] {
        let before = scratch.read(file);
        let ran = scratch.shell(&format!("$TEMPO {line} >> {file}; echo $? >&2"));
        assert!(ran.err.ends_with("\n2\n"), "{line}: {}", ran.err);
        assert!(
            ran.err.contains(&format!("standard output leads to '{file}', which this run has read"))
                || ran.err.contains(&format!("/{file}', which this run has read")),
            "{line}: {}",
            ran.err
        );
        assert_eq!(scratch.read(file), before, "{line}");
    }
    // Another file may grow.
    assert_eq!(scratch.shell("$TEMPO asm a.asm -q -o - >> a.prg").code, Some(0));
    assert_eq!(scratch.read("a.prg"), PRG.repeat(2));
}

/// A disk is written by the program that runs with it, and by nothing else.
#[test]
fn the_disk_in_the_drive_is_an_input() {
    let scratch =
        Scratch::new(&[("a.asm", "BasicUpstart2(start)\nstart: jmp start\n"), ("folder/x.png", "old")]);
    let ran = scratch.shell("$TEMPO asm a.asm -q && $TEMPO d64 create a.d64 a.prg && cp a.prg folder");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let run = "run a.asm --system c64 --frames 2 --ok-on-timeout";
    let before = scratch.read("a.d64");
    let ran = scratch.tempo(&format!("{run} --disk a.d64 --screenshot a.d64"));
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("a.d64: this run has read it"), "{}", ran.err);
    assert_eq!(scratch.read("a.d64"), before);
    let ran = scratch.tempo(&format!("{run} --disk folder --save-state folder/a.prg"));
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    // A picture of the last run is not a program.
    let ran = scratch.tempo(&format!("{run} --disk folder --screenshot folder/x.png"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_ne!(scratch.read("folder/x.png"), b"old");
}

#[test]
fn two_outputs_of_one_name_are_refused() {
    let scratch = Scratch::new(&[("a.asm", SOURCE)]);
    for line in ["-o x --symbols=x", "-o x --vice-symbols=x", "--symbols=x --vice-symbols=./x"] {
        let ran = scratch.asm(&format!("a.asm {line}"));
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.err);
        assert!(
            ran.err.contains("cannot write 'x': two files of this run have this name"),
            "{line}: {}",
            ran.err
        );
        assert_eq!(scratch.files(), ["a.asm"]);
    }
}

/// A debugger learns what it debugs after it has opened its log.
#[test]
fn a_log_replaces_nothing_but_a_log() {
    let scratch = Scratch::new(&[("a.asm", SOURCE), ("dap.log", "-> {\"seq\":1}\n")]);
    let ran = scratch.shell("$TEMPO dap --log a.asm < /dev/null");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("cannot write the log: a.asm exists and is not a log of this command"),
        "{}",
        ran.err
    );
    assert_eq!(scratch.text("a.asm"), SOURCE);
    assert_eq!(scratch.shell("$TEMPO dap --log dap.log < /dev/null").code, Some(0));
    assert_eq!(scratch.text("dap.log"), "");
}

#[test]
fn a_failure_leaves_the_old_set_and_names_the_file() {
    let scratch = Scratch::new(&[("a.asm", SOURCE), ("a.prg", "old"), ("a.sym/x", "a folder")]);
    let ran = scratch.asm("a.asm --symbols");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot write 'a.sym': it is a folder; name a file in it"), "{}", ran.err);
    assert_eq!(scratch.text("a.prg"), "old");
    let ran = scratch.asm("a.asm --symbols=/dev/full");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot write '/dev/full': No space left"), "{}", ran.err);
    assert_eq!(scratch.text("a.prg"), "old");
    let ran = scratch.asm("a.asm -o .");
    assert_eq!(
        (ran.code, &ran.err[..]),
        (Some(2), "error: cannot write '.': it is a folder; name a file in it\n")
    );
    let ran = scratch.asm("a.asm -o new/");
    assert_eq!(
        (ran.code, &ran.err[..]),
        (Some(2), "error: cannot write 'new/': it is a folder; name a file in it\n")
    );
    let ran = scratch.asm("a.asm -o a.asm/x.prg");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("a.asm/x.prg") && ran.err.contains("is not a folder"), "{}", ran.err);
    assert_eq!(scratch.files(), ["a.asm", "a.prg", "a.sym/x"]);
}

#[test]
fn a_full_disk_names_the_file() {
    let scratch = Scratch::new(&[("a.asm", "*=$1000\n.fill 20000, 1\n"), ("a.prg", "old")]);
    // A limit on the size of files stands for a full disk: writing fails half way, in the temporary file.
    let ran = scratch.shell("trap '' XFSZ; ulimit -f 8; $TEMPO asm a.asm; echo $?");
    assert_eq!(ran.out, "2\n", "{}", ran.err);
    assert!(ran.err.starts_with("error: cannot write 'a.prg': "), "{}", ran.err);
    assert_eq!(scratch.text("a.prg"), "old");
    assert_eq!(scratch.files(), ["a.asm", "a.prg"]);
}

#[test]
fn lost_messages_are_a_failure_and_a_closed_pipe_is_none() {
    let warning = "*=$1000\nlda x\nx: .print \"hello\"\n.label y = 1\n lda z\n.label z = 2\n";
    let scratch = Scratch::new(&[
        ("a.asm", SOURCE),
        ("w.asm", warning),
        ("bad.asm", "lda )\n"),
        ("s.6502", SUITE),
        ("bad.6502", "suites("),
    ]);
    for line in [
        "asm a.asm",
        "asm w.asm",
        "asm a.asm --memory-map --check --quiet",
        "asm bad.asm --message-format json",
        "asm a.asm --message-format json",
        "test s.6502 --list",
        "test s.6502",
        "test s.6502 --format json",
        "test bad.6502 --format json",
        "--help",
        "asm --help",
        "perft 1",
        "moves",
    ] {
        let ran = scratch.shell(&format!("$TEMPO {line} > /dev/full; echo $? >&2"));
        assert!(
            ran.err.ends_with("\n2\n") && ran.err.contains("cannot write to standard output: No space left"),
            "{line}: {}",
            ran.err
        );
        let ran = scratch.shell(&format!("($TEMPO {line}; echo $? > code) 2> err | true; cat err"));
        assert!(!ran.out.contains("standard output") && !ran.out.contains("panicked"), "{line}: {}", ran.out);
    }
    // A file that goes there is output like any other.
    scratch.write("large.asm", b"*=$0\n.fill 65536, i\n");
    for line in ["asm large.asm -q -o -", "test s.6502 --junit -", "disasm large.prg"] {
        let ran = scratch.shell(&format!("$TEMPO asm large.asm -q; $TEMPO {line} > /dev/full; echo $? >&2"));
        assert!(ran.err.ends_with("\n2\n") && ran.err.contains("No space left"), "{line}: {}", ran.err);
        let ran = scratch.shell(&format!("($TEMPO {line}; echo $? > code) 2> err | true; cat err code"));
        assert!(ran.out.ends_with("0\n") && !ran.out.contains("pipe"), "{line}: {}", ran.out);
    }
    let ran = scratch.shell("ln -s $TEMPO kickass; ./kickass a.asm > /dev/full; echo $? >&2");
    assert!(ran.err.ends_with("\n2\n") && ran.err.contains("cannot write to standard output"), "{}", ran.err);
}

/// A process that wrote and died leaves a temporary file; the next one that writes there takes it away.
#[test]
fn temporaries_of_dead_runs_go() {
    let scratch =
        Scratch::new(&[("a.asm", SOURCE), (".tempo-4294967295-0.tmp", "dead"), (".tempo-note", "mine")]);
    let alive = format!(".tempo-{}-7.tmp", std::process::id());
    scratch.write(&alive, b"another live run");
    assert_eq!(scratch.asm("a.asm").code, Some(0));
    assert_eq!(scratch.files(), [&alive[..], ".tempo-note", "a.asm", "a.prg"]);
}
