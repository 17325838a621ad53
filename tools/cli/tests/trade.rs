//! The small tools as a user calls them: disasm, d64, sym, explain, completions, man, and the chess commands by both
//! of their names.

use std::path::Path;

use crate::common::{Ran, Scratch};
use pretty_assertions::assert_eq;

/// `tempo` with words that may hold blanks.
fn tempo(scratch: &Scratch, args: &[&str]) -> Ran {
    scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), args)
}

/// A program in its own folder.
fn program() -> Scratch {
    let source = "BasicUpstart2(main)\nmain: inc $d020\n jsr out.print\n jmp main\n\
                  .namespace out { print: lda #65\n jmp $ffd2\n }\n";
    let scratch = Scratch::new(&[("main.asm", source)]);
    let made = scratch.asm("main.asm -o main.prg --symbols=main.sym");
    assert_eq!(made.code, Some(0), "{}", made.err);
    scratch
}

#[test]
fn a_program_comes_back_through_its_source() {
    let at = &program();
    let out = tempo(at, &["disasm", "main.prg", "--symbols", "main.sym", "-o", "again.asm"]);
    assert_eq!((out.code, out.err), (Some(0), String::new()));
    let source = at.text("again.asm");
    for part in ["// main.prg\n", "main:\n    inc BORDER\n    jsr out_print\n", "jmp CHROUT\n"] {
        assert!(source.contains(part), "{part} is not in\n{source}");
    }
    assert_eq!(tempo(at, &["asm", "again.asm", "-o", "again.prg"]).code, Some(0));
    assert_eq!(at.read("again.prg"), at.read("main.prg"));

    let refused: [(&[&str], &str); 5] = [
        (&["disasm", "main.prg", "-o", "main.prg"], "main.prg"),
        (&["disasm", "main.asm"], "this is a source"),
        (&["disasm", "main.sym"], "where do its bytes go"),
        (&["disasm", "main.prg", "--entry", "$c000"], "the program has no byte there"),
        (&["disasm", "main.prg", "--entry", "mian", "--symbols", "main.sym"], "no such symbol"),
    ];
    for (args, wanted) in refused {
        let out = tempo(at, args);
        assert_eq!(out.code, Some(2), "{args:?}");
        assert!(out.err.contains(wanted), "{args:?}: {}", out.err);
    }
}

#[test]
fn a_disk_is_built_listed_checked_and_taken_apart() {
    let at = &program();
    at.write("notes.seq", b"SOME WORDS");
    let out =
        tempo(at, &["d64", "create", "game.d64", "main.prg", "notes.seq", "LEVEL 1=main.sym", "--id", "26"]);
    assert_eq!((out.code, out.err), (Some(0), String::new()));
    let list = tempo(at, &["d64", "list", "game.d64"]).out;
    assert_eq!(
        list,
        "0 \"GAME            \" 26 2A\n1    \"MAIN\"             prg\n1    \"NOTES\"            seq\n\
         1    \"LEVEL 1\"          prg\n661 blocks free.\n"
    );
    let json = tempo(at, &["d64", "list", "game.d64", "--format", "json"]).out;
    assert!(json.contains(r#""name":"LEVEL 1""#) && json.contains(r#""free":661"#), "{json}");
    assert_eq!(tempo(at, &["d64", "validate", "game.d64"]).out, "game.d64: sound\n");

    let out = tempo(at, &["d64", "extract", "game.d64", "--out-dir", "parts"]);
    assert_eq!((out.code, out.err), (Some(0), String::new()));
    assert_eq!(at.read("parts/main.prg"), at.read("main.prg"));
    assert_eq!(at.read("parts/notes.seq"), b"SOME WORDS");
    assert_eq!(at.read("parts/level 1.prg"), at.read("main.sym"));

    let unknown = tempo(at, &["d64", "extract", "game.d64", "MIAN"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("did you mean \"MAIN\"?"), "{}", unknown.err);

    // The directory leads to itself.
    let mut image = at.read("game.d64");
    let directory = (17 * 21 + 1) * 256;
    image[directory..directory + 2].copy_from_slice(&[18, 1]);
    at.write("loop.d64", &image);
    let list = tempo(at, &["d64", "list", "loop.d64"]);
    assert_eq!(list.code, Some(1));
    assert!(list.err.contains("loop.d64: the directory is damaged: ") && list.err.contains("does not end"));
    assert_eq!(list.out.matches("\"MAIN\"").count(), 1, "{}", list.out);
    assert_eq!(tempo(at, &["d64", "extract", "loop.d64", "MAIN", "--out-dir", "looped"]).code, Some(0));
    let faults = tempo(at, &["d64", "validate", "loop.d64"]);
    assert_eq!(faults.code, Some(1));
    assert!(faults.out.contains("the directory comes back to track 18, sector 1"), "{}", faults.out);
    assert_eq!(tempo(at, &["d64", "validate", "main.prg"]).code, Some(2));
}

#[test]
fn a_damaged_file_is_named_and_hides_no_other() {
    let at = &program();
    assert_eq!(tempo(at, &["d64", "create", "two.d64", "BAD=main.prg", "A=main.prg"]).code, Some(0));
    let mut image = at.read("two.d64");
    image[..2].copy_from_slice(&[1, 0]);
    at.write("two.d64", &image);
    let told =
        "warning: two.d64: \"BAD\" is damaged: the chain of sectors from track 1, sector 0 does not end\n";

    let list = tempo(at, &["d64", "list", "two.d64"]);
    assert_eq!((list.code, &*list.err), (Some(0), told));
    assert!(list.out.contains("\"BAD\"") && list.out.contains("\"A\""), "{}", list.out);
    let json = tempo(at, &["d64", "list", "two.d64", "--format", "json"]).out;
    assert!(json.contains(r#""error":"the chain of sectors from track 1, sector 0 does not end""#), "{json}");

    let one = tempo(at, &["d64", "extract", "two.d64", "A", "--out-dir", "one"]);
    assert_eq!((one.code, &*one.err), (Some(0), ""));
    assert_eq!(at.read("one/a.prg"), at.read("main.prg"));
    let bad = tempo(at, &["d64", "extract", "two.d64", "BAD", "--out-dir", "one"]);
    assert_eq!((bad.code, &*bad.err), (Some(1), told));
    let all = tempo(at, &["d64", "extract", "two.d64", "--out-dir", "all"]);
    assert_eq!((all.code, &*all.err), (Some(1), told));
    assert_eq!(at.read("all/a.prg"), at.read("main.prg"));

    let run = |name: &str| {
        tempo(
            at,
            &["run", "--system", "c64", "two.d64", "--load-name", name, "--frames", "1", "--ok-on-timeout"],
        )
    };
    assert!(run("BAD").err.contains("'BAD' is damaged: the chain of sectors"), "{}", run("BAD").err);
    assert_eq!((run("A").code, &*run("A").err), (Some(0), ""));
}

#[test]
fn a_disk_has_no_name_twice() {
    let at = &program();
    for file in
        ["averyveryverylongname17.prg", "averyveryverylongname18.prg", "UPPER.prg", "upper.prg", "a.prg"]
    {
        at.write(file, b"\x01\x08");
    }
    let refused: [(&[&str], &str); 3] = [
        (
            &["averyveryverylongname17.prg", "averyveryverylongname18.prg"],
            "averyveryverylongname17.prg and averyveryverylongname18.prg would both be called \"AVERYVERYVERYLON\"",
        ),
        (&["UPPER.prg", "upper.prg"], "UPPER.prg and upper.prg would both be called \"UPPER\""),
        (&["SAME=a.prg", "SAME=UPPER.prg"], "SAME=a.prg and SAME=UPPER.prg would both be called \"SAME\""),
    ];
    for (files, wanted) in refused {
        let out = tempo(at, &[&["d64", "create", "d.d64"][..], files].concat());
        assert_eq!(out.code, Some(2), "{files:?}");
        assert!(out.err.contains(wanted), "{files:?}: {}", out.err);
    }
    at.write("my_ünit.prg", b"\x01\x08");
    let out = tempo(at, &["d64", "create", "d.d64", "my_ünit.prg", "averyveryverylongname17.prg"]);
    assert_eq!(out.code, Some(0));
    assert_eq!(
        out.err,
        "warning: my_ünit.prg is called \"MY  NIT\" on the disk\n\
         warning: averyveryverylongname17.prg is called \"AVERYVERYVERYLON\" on the disk\n"
    );

    // Names that others made equal.
    let mut image = at.read("d.d64");
    let first = (17 * 21 + 1) * 256;
    image.copy_within(first + 5..first + 21, first + 32 + 5);
    at.write("d.d64", &image);
    let faults = tempo(at, &["d64", "validate", "d.d64"]);
    assert_eq!(
        (faults.code, &*faults.out),
        (Some(1), "2 files are called \"MY  NIT\": a drive finds only the first\n")
    );
}

#[test]
fn empty_open_and_locked_files_are_told_apart() {
    let at = &program();
    at.write("empty.seq", b"");
    assert_eq!(
        tempo(at, &["d64", "create", "f.d64", "empty.seq", "OPEN=main.prg", "BOTH=main.prg"]).code,
        Some(0)
    );
    assert_eq!(tempo(at, &["d64", "extract", "f.d64", "EMPTY", "--out-dir", "x"]).code, Some(0));
    assert_eq!(at.read("x/empty.seq"), b"");
    let mut image = at.read("f.d64");
    let first = (17 * 21 + 1) * 256;
    image[first + 32 + 2] = 0x02;
    image[first + 64 + 2] = 0x42;
    at.write("f.d64", &image);
    let list = tempo(at, &["d64", "list", "f.d64"]).out;
    for line in [
        "0    \"EMPTY\"            seq\n",
        "1    \"OPEN\"            *prg\n",
        "1    \"BOTH\"            *prg<\n",
    ] {
        assert!(list.contains(line), "{line} is not in\n{list}");
    }
    let json = tempo(at, &["d64", "list", "f.d64", "--format", "json"]).out;
    assert!(json.contains(r#""closed":false"#) && json.contains(r#""closed":true"#), "{json}");
}

#[test]
fn symbol_files_change_their_form_and_keep_their_values() {
    let at = &program();
    let original = at.text("main.sym");
    assert_eq!(tempo(at, &["sym", "main.sym", "--to", "vice", "-o", "main.vs"]).code, Some(0));
    assert!(at.text("main.vs").contains("al C:80e .main\n"));
    assert_eq!(tempo(at, &["sym", "main.vs", "--to", "sym"]).out, original);
    let json = tempo(at, &["sym", "main.sym", "--to", "json"]).out;
    assert!(json.contains(r#"{"path":"out.print","value":"#), "{json}");
    at.write("bad.sym", b".label x=\n");
    let bad = tempo(at, &["sym", "bad.sym", "--to", "vice"]);
    assert_eq!(bad.code, Some(1));
    assert!(bad.err.contains("bad.sym: line 1"), "{}", bad.err);
    assert_eq!(tempo(at, &["sym", "nothing.sym", "--to", "vice"]).code, Some(2));
}

#[test]
fn names_that_a_sym_file_cannot_hold_are_left_out_and_named() {
    let at = &Scratch::new(&[
        (
            "a.vs",
            "al 000801 .@loop\nal 000802 .a-b\nal 000803 .ünï\nal 000804 .good\nal 000805 .in.good\nal 000806 .in.@x\n",
        ),
        ("main.asm", ".import source \"a.sym\"\n lda good\n lda in.good\n"),
    ]);
    let made = tempo(at, &["sym", "a.vs", "--to", "sym", "-o", "a.sym"]);
    assert_eq!(
        (made.code, &*made.err),
        (
            Some(0),
            "warning: left out, because a .sym file cannot hold such names: `@loop`, `a-b`, `ünï`, `in.@x`\n"
        )
    );
    assert_eq!(tempo(at, &["sym", "a.sym", "--to", "vice"]).out, "al C:805 .in.good\nal C:804 .good\n");
    assert_eq!(tempo(at, &["asm", "main.asm", "-o", "main.prg"]).code, Some(0));
}

#[test]
fn codes_are_explained() {
    let here = &Scratch::new(&[]);
    let known = tempo(here, &["explain", "e0301"]);
    assert_eq!(known.code, Some(0));
    assert!(known.out.starts_with("E0301: Unknown symbol\n\n"), "{}", known.out);
    let word = tempo(here, &["explain", "unknown-player"]);
    assert_eq!(word.code, Some(0));
    assert!(
        word.out.starts_with("unknown-player (game descriptions): A name is used for a player"),
        "{}",
        word.out
    );
    assert_eq!(tempo(here, &["explain", "too-large"]).out.lines().count(), 2);
    let lint = tempo(here, &["asm", "x.asm", "--deny", "unused"]);
    assert!(lint.err.contains("`tempo explain` lists the codes"), "{}", lint.err);
    let unknown = tempo(here, &["explain", "E03011"]);
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.err.contains("there is no code `E03011`"), "{}", unknown.err);
    assert!(tempo(here, &["explain"]).out.lines().count() > 100);
}

#[test]
fn completions_and_manual_pages_come_from_the_commands() {
    let at = &Scratch::new(&[]);
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let out = tempo(at, &["completions", shell]);
        assert_eq!(out.code, Some(0), "{shell}");
        assert!(out.out.contains("disasm"), "{shell}");
    }
    assert_eq!(tempo(at, &["man", "pages/man1"]).code, Some(0));
    let page = at.text("pages/man1/tempo-chess-perft.1");
    assert!(page.contains(".TH tempo-chess-perft 1") && page.contains(r"\-\-divide"), "{page}");
}

#[test]
fn chess_commands_have_a_long_and_a_short_name() {
    let here = &Scratch::new(&[]);
    let long = tempo(here, &["chess", "perft", "3"]);
    let short = tempo(here, &["perft", "3"]);
    assert_eq!(long.out, "8902\n");
    assert_eq!(long.out, short.out);
    let help = tempo(here, &["--help"]).out;
    assert!(help.contains("\n  chess ") && !help.contains("\n  perft "), "{help}");
}
