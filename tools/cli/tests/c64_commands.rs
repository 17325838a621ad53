//! `tempo run --system c64` as a user calls it: keys, joysticks, the screen, disks, a person's own ROMs, and what is refused.

use std::fs;
use std::path::Path;
use std::process::Command;

use pretty_assertions::assert_eq;

/// Prints what is typed, and the joystick in port 2 as a letter when it moves.
const ECHO: &str = "\
BasicUpstart2(start)
start:  jsr $ffe4
        beq stick
        jsr $ffd2
stick:  lda $dc00
        and #$1f
        cmp last
        beq start
        sta last
        lda #'J'
        jsr $ffd2
        jmp start
last:   .byte $1f
";

/// Loads DATA from drive 8 to $c000, adds one to its byte and saves it as NEW.
const COPY: &str = "\
BasicUpstart2(start)
start:  lda #4
        ldx #<data
        ldy #>data
        jsr $ffbd
        lda #1
        ldx #8
        ldy #1
        jsr $ffba
        lda #0
        jsr $ffd5
        bcs failed
        inc $c000
        lda #3
        ldx #<new
        ldy #>new
        jsr $ffbd
        lda #0
        sta $fb
        lda #$c0
        sta $fc
        lda #$fb
        ldx #1
        ldy #$c0
        jsr $ffd8
        bcs failed
        lda #0
        sta $d7ff
failed: sta $d7ff
        jmp *
data:   .text \"DATA\"
new:    .text \"NEW\"
";

/// Exit code, standard output, standard error.
fn tempo(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tempo")).args(words).current_dir(folder).output().expect("tempo");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        fs::write(path, bytes).expect("a writable folder");
    }
    folder
}

#[test]
fn keys_and_joysticks_reach_the_program() {
    let folder = folder(&[("echo.asm", ECHO.as_bytes())]);
    let run = |more: &[&str]| {
        let words = [&["run", "--system", "c64", "echo.asm", "--screen", "--frames", "80"], more].concat();
        tempo(folder.path(), &words)
    };
    let (code, out, err) = run(&["--keys", "{WAIT 5}hi!{RETURN}{SPACE}2"]);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "HI!\n 2\n", ""));
    let (_, out, _) = run(&["--joystick2", "10:up+fire,20:none"]);
    assert_eq!(out, "JJ\n");
}

#[test]
fn a_folder_and_an_image_serve_as_disks() {
    let folder = folder(&[("copy.asm", COPY.as_bytes()), ("disk/data.prg", &[0x00, 0xc0, 41])]);
    let words = ["run", "--system", "c64", "copy.asm", "--disk", "disk"];
    assert_eq!(tempo(folder.path(), &words), (Some(0), String::new(), String::new()));
    assert_eq!(fs::read(folder.path().join("disk/new.prg")).expect("saved"), [0x00, 0xc0, 42]);
    // Without a disk there is no device, which is error 5.
    assert_eq!(tempo(folder.path(), &words[..4]).0, Some(5));
    // An image that the assembler makes.
    let disk = ".disk [filename=\"a.d64\", name=\"A\", id=\"1\"] { [name=\"DATA\", type=\"prg\", segments=\"Default\"] }\n*=$c000\n.byte 6\n";
    fs::write(folder.path().join("disk.asm"), disk).expect("a writable folder");
    let (code, _, err) = tempo(folder.path(), &["asm", "disk.asm"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let words = ["run", "--system", "c64", "copy.asm", "--disk", "a.d64"];
    assert_eq!(tempo(folder.path(), &words), (Some(0), String::new(), String::new()));
    let words = ["run", "--system", "c64", "a.d64", "--load-name", "NWE"];
    let (code, _, err) = tempo(folder.path(), &words);
    assert_eq!(code, Some(2));
    assert!(err.contains("no program named 'NWE' on the disk; did you mean 'NEW'?"), "{err}");
}

/// A KERNAL that resets like one: it sets up its editor's variables, waits for a key and does what RUN would do.
fn synthetic_kernal() -> Vec<u8> {
    let mut rom = vec![0xea; 0x2000];
    // sei; ldx #$ff; txs; lda #10; sta $0289; lda #0; sta $c6; sta $cc; wait: lda $c6; beq wait; jmp $080d
    let reset: [u8; 23] = [
        0x78, 0xa2, 0xff, 0x9a, 0xa9, 10, 0x8d, 0x89, 0x02, 0xa9, 0, 0x85, 0xc6, 0x85, 0xcc, 0xa5, 0xc6,
        0xf0, 0xfc, 0x4c, 0x0d, 0x08, 0xea,
    ];
    rom[..reset.len()].copy_from_slice(&reset);
    rom[0x1ffa..].copy_from_slice(&[0x00, 0xe0, 0x00, 0xe0, 0x00, 0xe0]);
    rom
}

#[test]
fn a_persons_own_roms_boot_and_get_the_program() {
    // 10 SYS 2061; lda #7; sta $d7ff
    let mut prg = vec![1, 8, 11, 8, 10, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0];
    prg.extend([0xa9, 7, 0x8d, 0xff, 0xd7]);
    let mut stuck = synthetic_kernal();
    stuck[0x0d] = 0xea;
    stuck[0x0e] = 0xea;
    let roms = [
        ("kernal.rom", synthetic_kernal()),
        ("stuck.rom", stuck),
        ("jam.rom", [vec![0x92; 0x1ffa], vec![0, 0xe0, 0, 0xe0, 0, 0xe0]].concat()),
        ("short.rom", vec![0; 100]),
        ("a.prg", prg),
    ];
    let files: Vec<(&str, &[u8])> = roms.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
    let folder = folder(&files);
    let run =
        |option: &str, rom: &str| tempo(folder.path(), &["run", "--system", "c64", "a.prg", option, rom]);
    assert_eq!(run("--kernal", "kernal.rom"), (Some(7), String::new(), String::new()));
    for (option, rom, message) in [
        ("--kernal", "stuck.rom", "do not show a cursor within"),
        ("--kernal", "jam.rom", "the ROMs stop the CPU at $E0"),
        ("--kernal", "short.rom", "--kernal short.rom:"),
        ("--chargen", "kernal.rom", "--chargen kernal.rom:"),
        ("--chargen", "none.rom", "cannot read none.rom"),
        ("--basic", "kernal.rom", "--kernal"),
    ] {
        let (code, _, err) = run(option, rom);
        assert_eq!(code, Some(2), "{option} {rom}: {err}");
        assert!(err.contains(message), "{option} {rom}: {err}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_the_reason() {
    let folder =
        folder(&[("echo.asm", ECHO.as_bytes()), ("bad.d64", &[0; 1000]), ("typo.asm", b"  lda nothing\n")]);
    for (words, code, message) in [
        (&["echo.asm", "--keys", "{RETRUN}"][..], 2, "did you mean {RETURN}?"),
        (&["echo.asm", "--joystick2", "up"], 2, "expected FRAME:DIRECTIONS"),
        (&["echo.asm", "--disk", "bad.d64"], 2, "not a disk image: 1000 bytes"),
        (&["bad.d64"], 2, "not a disk image: 1000 bytes"),
        (&["echo.asm", "--load-name", "A"], 2, "is no disk image"),
        (&["echo.asm", "--disk", "nowhere"], 2, "cannot read nowhere"),
        (&["typo.asm"], 1, "Unknown symbol 'nothing'"),
        (&["missing.asm"], 2, "there is no file 'missing.asm'"),
    ] {
        let (found, _, err) = tempo(folder.path(), &[&["run", "--system", "c64"], words].concat());
        assert_eq!(found, Some(code), "{words:?}: {err}");
        assert!(err.contains(message), "{words:?}: {err}");
    }
}
