//! The ROM images that `emu` carries are what `asm/kernal` assembles to. `UPDATE=1` writes them anew.

#![allow(clippy::disallowed_methods, reason = "a test reads and writes files of the project")]

use std::fs;

use tempo_assembler::{DiskFiles, Options};

fn check(source: &str, image: &str, carried: &[u8]) {
    let path = tempo_testing::root().join("asm/kernal").join(source);
    let output = tempo_assembler::assemble(
        &DiskFiles::default(),
        path.to_str().expect("a path in ASCII"),
        &Options::default(),
    );
    let messages: Vec<&String> = output.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    assert!(!output.has_errors(), "{messages:?}");
    let prg = output.prg().expect("bytes");
    let path = tempo_testing::root().join("emu/src/c64/rom").join(image);
    if tempo_testing::updating() {
        fs::write(&path, &prg[2..]).expect("the folder is writable");
        return;
    }
    let differs = carried.iter().zip(&prg[2..]).position(|(old, new)| old != new);
    assert_eq!(
        (prg.len() - 2, differs),
        (carried.len(), None),
        "{image} is not {source}: UPDATE=1 renews it"
    );
}

#[test]
fn the_kernal_is_its_source() {
    check("kernal.asm", "kernal.bin", tempo_emu::c64::KERNAL);
}

#[test]
fn the_characters_are_their_drawings() {
    check("charset.asm", "characters.bin", tempo_emu::c64::CHARACTERS);
}
