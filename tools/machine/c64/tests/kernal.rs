//! Programs that call the KERNAL, and what they leave on the screen. A case is `tests/kernal/NAME.asm` with the screen in
//! `NAME.screen`; lines `// keys: …` and `// frames: …` at its head say what is typed and how long it runs.

#![allow(clippy::disallowed_methods, reason = "a test walks the fixtures")]

use std::fs;

use tempo_assembler::{DiskFiles, Options};
use tempo_c64::{Drive, End, Keys, Session, Volume, screen_text};
use tempo_emu::c64::{C64, KEYBOARD, Model};

/// The program of a source.
fn assemble(path: &std::path::Path) -> Vec<u8> {
    let output = tempo_assembler::assemble(
        &DiskFiles::default(),
        path.to_str().expect("a path in ASCII"),
        &Options::default(),
    );
    let messages: Vec<&String> = output.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    assert!(!output.has_errors(), "{}: {messages:?}", path.display());
    output.prg().expect("bytes")
}

/// Returns the text after `// word: ` in a source.
fn head<'a>(source: &'a str, word: &str) -> Option<&'a str> {
    source.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(": "))
}

#[test]
fn another_kernal_reaches_the_disk_through_its_bus_calls() {
    // listen 8, second $F0, the name, unlisten; talk 8, tksa $60, bytes to $C100 until the end of the file; untalk.
    let source = "*=$c000\n lda #8\n jsr $ffb1\n lda #$f0\n jsr $ff93\n lda #'A'\n jsr $ffa8\n jsr $ffae\n \
                  lda #8\n jsr $ffb4\n lda #$60\n jsr $ff96\n ldx #0\nnext: jsr $ffa5\n sta $c100,x\n inx\n \
                  bit $90\n bvc next\n jsr $ffab\n lda #9\n jsr $ffb1\n lda $90\n sta $d7ff\n";
    let mut files = tempo_assembler::MemoryFiles::default();
    files.insert("a.asm", source.as_bytes());
    let output = tempo_assembler::assemble(&files, "a.asm", &Options::default());
    assert!(!output.has_errors(), "{:?}", output.diagnostics);
    let mut kernal = *tempo_emu::c64::KERNAL;
    assert!(tempo_c64::serve_bus(&mut kernal));
    assert_ne!(&kernal, tempo_emu::c64::KERNAL);
    assert!(!tempo_c64::serve_bus(&mut [0; 0x2000]));
    let mut machine = C64::new(Model::Pal);
    machine.board.insert(tempo_emu::Rom::Kernal, &kernal).expect("the size");
    machine.start(&output.prg().expect("bytes")).expect("a program");
    let mut session = Session::new(machine);
    let mut volume = Volume::new("disk");
    volume.files.extend(tempo_c64::File::from_host("a.prg", b"HELLO".to_vec()));
    session.drive = Drive::with(volume);
    // Device 9 is not there.
    assert_eq!(session.run_frames(30), Some(End::Exit(0xc0)));
    assert_eq!(&session.machine.ram()[0xc100..0xc105], b"HELLO");
}

#[test]
fn programs_leave_their_screens() {
    let mut failures = Vec::new();
    let folder = tempo_testing::fixtures().join("kernal");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("fixtures").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "asm"));
    paths.sort();
    for path in paths {
        let source = tempo_testing::text(&path);
        let mut machine = C64::new(Model::Pal);
        machine.start(&assemble(&path)).expect("a program");
        let mut session = Session::new(machine);
        session.drive = Drive::with(Volume::new("fixtures"));
        session.type_keys(&Keys::parse(head(&source, "keys").unwrap_or(""), &KEYBOARD).expect("keys"));
        let frames = head(&source, "frames").map_or(30, |number| number.parse().expect("a number"));
        let mut left: u64 = frames;
        while left > 0 {
            match session.run_frame() {
                None => left -= 1,
                Some(End::Returned) => session.enter_prompt(),
                Some(other) => panic!("{}: {other:?}", path.display()),
            }
        }
        if let Err(difference) =
            tempo_testing::compare(&path.with_extension("screen"), &screen_text(&session.machine))
        {
            failures.push(difference);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
