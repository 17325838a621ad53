//! The small tools as a user calls them: disasm, d64, sym, explain, completions, man, and the chess commands by both
//! of their names.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use pretty_assertions::assert_eq;

fn tempo(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tempo")).current_dir(folder).args(args).output().expect("tempo runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A program in a folder of its own.
fn program() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "BasicUpstart2(main)\nmain: inc $d020\n jsr out.print\n jmp main\n\
                  .namespace out { print: lda #65\n jmp $ffd2\n }\n";
    fs::write(folder.path().join("main.asm"), source).expect("a source");
    let made = tempo(folder.path(), &["asm", "main.asm", "-o", "main.prg", "--symbols=main.sym"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    folder
}

#[test]
fn a_program_comes_back_through_its_source() {
    let folder = program();
    let at = folder.path();
    let out = tempo(at, &["disasm", "main.prg", "--symbols", "main.sym", "-o", "again.asm"]);
    assert_eq!((out.status.code(), stderr(&out)), (Some(0), String::new()));
    let source = fs::read_to_string(at.join("again.asm")).expect("a source");
    for part in ["// main.prg\n", "main:\n    inc BORDER\n    jsr out_print\n", "jmp CHROUT\n"] {
        assert!(source.contains(part), "{part} is not in\n{source}");
    }
    assert_eq!(tempo(at, &["asm", "again.asm", "-o", "again.prg"]).status.code(), Some(0));
    assert_eq!(fs::read(at.join("again.prg")).ok(), fs::read(at.join("main.prg")).ok());

    let refused: [(&[&str], &str); 5] = [
        (&["disasm", "main.prg", "-o", "main.prg"], "main.prg"),
        (&["disasm", "main.asm"], "this is a source"),
        (&["disasm", "main.sym"], "where do its bytes go"),
        (&["disasm", "main.prg", "--entry", "$c000"], "the program has no byte there"),
        (&["disasm", "main.prg", "--entry", "mian", "--symbols", "main.sym"], "no such symbol"),
    ];
    for (args, wanted) in refused {
        let out = tempo(at, args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(stderr(&out).contains(wanted), "{args:?}: {}", stderr(&out));
    }
}

#[test]
fn a_disk_is_built_listed_checked_and_taken_apart() {
    let folder = program();
    let at = folder.path();
    fs::write(at.join("notes.seq"), b"SOME WORDS").expect("a file");
    let out =
        tempo(at, &["d64", "create", "game.d64", "main.prg", "notes.seq", "LEVEL 1=main.sym", "--id", "26"]);
    assert_eq!((out.status.code(), stderr(&out)), (Some(0), String::new()));
    let list = stdout(&tempo(at, &["d64", "list", "game.d64"]));
    assert_eq!(
        list,
        "0 \"GAME            \" 26 2A\n1    \"MAIN\"             prg\n1    \"NOTES\"            seq\n\
         1    \"LEVEL 1\"          prg\n"
    );
    let json = stdout(&tempo(at, &["d64", "list", "game.d64", "--format", "json"]));
    assert!(json.contains(r#""name":"LEVEL 1""#), "{json}");
    assert_eq!(stdout(&tempo(at, &["d64", "validate", "game.d64"])), "game.d64: sound\n");

    let out = tempo(at, &["d64", "extract", "game.d64", "--out-dir", "parts"]);
    assert_eq!((out.status.code(), stderr(&out)), (Some(0), String::new()));
    assert_eq!(fs::read(at.join("parts/main.prg")).ok(), fs::read(at.join("main.prg")).ok());
    assert_eq!(fs::read(at.join("parts/notes.seq")).ok().as_deref(), Some(&b"SOME WORDS"[..]));
    assert_eq!(fs::read(at.join("parts/level 1.prg")).ok(), fs::read(at.join("main.sym")).ok());

    let unknown = tempo(at, &["d64", "extract", "game.d64", "MIAN"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("did you mean \"MAIN\"?"), "{}", stderr(&unknown));

    // The directory leads to itself.
    let mut image = fs::read(at.join("game.d64")).expect("an image");
    let directory = (17 * 21 + 1) * 256;
    image[directory..directory + 2].copy_from_slice(&[18, 1]);
    fs::write(at.join("loop.d64"), image).expect("an image");
    let list = tempo(at, &["d64", "list", "loop.d64"]);
    assert_eq!(list.status.code(), Some(2));
    assert!(stderr(&list).contains("does not end"), "{}", stderr(&list));
    let faults = tempo(at, &["d64", "validate", "loop.d64"]);
    assert_eq!(faults.status.code(), Some(1));
    assert!(
        stdout(&faults).contains("the directory comes back to track 18, sector 1"),
        "{}",
        stdout(&faults)
    );
    assert_eq!(tempo(at, &["d64", "validate", "main.prg"]).status.code(), Some(2));
}

#[test]
fn symbol_files_change_their_form_and_keep_their_values() {
    let folder = program();
    let at = folder.path();
    let original = fs::read_to_string(at.join("main.sym")).expect("symbols");
    assert_eq!(tempo(at, &["sym", "main.sym", "--to", "vice", "-o", "main.vs"]).status.code(), Some(0));
    assert!(fs::read_to_string(at.join("main.vs")).expect("labels").contains("al C:80e .main\n"));
    assert_eq!(stdout(&tempo(at, &["sym", "main.vs", "--to", "sym"])), original);
    let json = stdout(&tempo(at, &["sym", "main.sym", "--to", "json"]));
    assert!(json.contains(r#"{"path":"out.print","value":"#), "{json}");
    fs::write(at.join("bad.sym"), ".label x=\n").expect("a file");
    let bad = tempo(at, &["sym", "bad.sym", "--to", "vice"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(stderr(&bad).contains("bad.sym: line 1"), "{}", stderr(&bad));
    assert_eq!(tempo(at, &["sym", "nothing.sym", "--to", "vice"]).status.code(), Some(2));
}

#[test]
fn codes_are_explained() {
    let here = Path::new(".");
    let known = tempo(here, &["explain", "e0301"]);
    assert_eq!(known.status.code(), Some(0));
    assert!(stdout(&known).starts_with("E0301: Unknown symbol\n\n"), "{}", stdout(&known));
    let unknown = tempo(here, &["explain", "E03011"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("there is no code `E03011`"), "{}", stderr(&unknown));
    assert!(stdout(&tempo(here, &["explain"])).lines().count() > 100);
}

#[test]
fn completions_and_manual_pages_come_from_the_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let out = tempo(folder.path(), &["completions", shell]);
        assert_eq!(out.status.code(), Some(0), "{shell}");
        assert!(stdout(&out).contains("disasm"), "{shell}");
    }
    assert_eq!(tempo(folder.path(), &["man", "pages/man1"]).status.code(), Some(0));
    let page = fs::read_to_string(folder.path().join("pages/man1/tempo-chess-perft.1")).expect("a page");
    assert!(page.contains(".TH tempo-chess-perft 1") && page.contains(r"\-\-divide"), "{page}");
}

#[test]
fn chess_commands_have_a_long_and_a_short_name() {
    let here = Path::new(".");
    let long = tempo(here, &["chess", "perft", "3"]);
    let short = tempo(here, &["perft", "3"]);
    assert_eq!(stdout(&long), "8902\n");
    assert_eq!(long.stdout, short.stdout);
    let help = stdout(&tempo(here, &["--help"]));
    assert!(help.contains("\n  chess ") && !help.contains("\n  perft "), "{help}");
}
