//! The small tools as a user calls them: disasm, d64, sym, explain, completions, man, and the chess commands by both
//! of their names.

mod common;

use std::path::Path;

use common::{Ran, Scratch};
use pretty_assertions::assert_eq;

/// `tempo` with words that may hold blanks.
fn tempo(scratch: &Scratch, args: &[&str]) -> Ran {
    scratch.run(Path::new(env!("CARGO_BIN_EXE_tempo")), args)
}

/// A program in a folder of its own.
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
    assert_eq!(list.code, Some(2));
    assert!(list.err.contains("does not end"), "{}", list.err);
    let faults = tempo(at, &["d64", "validate", "loop.d64"]);
    assert_eq!(faults.code, Some(1));
    assert!(faults.out.contains("the directory comes back to track 18, sector 1"), "{}", faults.out);
    assert_eq!(tempo(at, &["d64", "validate", "main.prg"]).code, Some(2));
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
fn codes_are_explained() {
    let here = &Scratch::new(&[]);
    let known = tempo(here, &["explain", "e0301"]);
    assert_eq!(known.code, Some(0));
    assert!(known.out.starts_with("E0301: Unknown symbol\n\n"), "{}", known.out);
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
