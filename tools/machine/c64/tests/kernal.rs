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

/// What follows `// word: ` in a source.
fn head<'a>(source: &'a str, word: &str) -> Option<&'a str> {
    source.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(word)?.strip_prefix(": "))
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
