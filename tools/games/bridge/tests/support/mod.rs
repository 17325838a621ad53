//! The program's disk, assembled as `make` does it.

#![allow(clippy::disallowed_methods, reason = "a test reads its fixtures")]

use std::fs;

use tempo_assembler::{MemoryFiles, Options, OutputKind};
use tempo_bridge::SOURCES;

/// The disk as an image; its program file is a few bytes that nothing loads.
pub fn disk() -> Vec<u8> {
    let mut files: MemoryFiles = SOURCES.iter().copied().collect();
    for path in tempo_testing::files_with_extension(&tempo_testing::root().join("asm/games"), "pgn") {
        let name = format!("games/{}.pgn", tempo_testing::stem(&path));
        files.insert(name, fs::read(&path).expect("a game"));
    }
    files.insert("../build/chess.prg", [1, 8, 0, 0]);
    let output = tempo_assembler::assemble(&files, "disk.asm", &Options::default());
    assert!(!output.has_errors(), "{:?}", output.diagnostics.first());
    let disk = output.files.into_iter().find(|file| file.kind == OutputKind::Disk);
    disk.expect("disk.asm writes a disk").bytes
}
