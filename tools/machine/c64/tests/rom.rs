//! The ROM images that `emu` carries are what `asm/kernal` assembles to, and docs/c64.md lists their entries. `UPDATE=1`
//! writes both anew.

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
fn basic_is_its_source() {
    check("basic.asm", "basic.bin", tempo_emu::c64::BASIC);
}

#[test]
fn the_characters_are_their_drawings() {
    check("charset.asm", "characters.bin", tempo_emu::c64::CHARACTERS);
}

/// The addresses at which the sources place something.
fn places() -> Vec<u16> {
    let folder = tempo_testing::root().join("asm/kernal");
    let paths = fs::read_dir(folder).expect("the sources").map(|entry| entry.expect("an entry").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|extension| extension == "asm"));
    let mut places = vec![0xa000, tempo_emu::c64::AFTER_SYS];
    for path in sources {
        let text = tempo_testing::text(&path);
        let marks =
            text.split(":To($").skip(1).filter_map(|rest| u16::from_str_radix(rest.get(..4)?, 16).ok());
        places.extend(marks);
    }
    places
}

#[test]
fn an_entry_is_absent_or_has_its_routine_at_its_address() {
    assert!(tempo_c64::ENTRIES.is_sorted_by_key(|entry| entry.address));
    let places = places();
    let covered: Vec<String> = tempo_c64::ENTRIES
        .iter()
        .filter(|entry| entry.presence() != tempo_c64::Presence::Absent && !places.contains(&entry.address))
        .map(|entry| format!("${:04X} {}", entry.address, entry.name))
        .collect();
    assert_eq!(covered, Vec::<String>::new(), "other code is there");
}

#[test]
fn the_page_lists_the_entries() {
    const HEAD: &str = "| address | name | | |\n|---|---|---|---|\n";
    let path = tempo_testing::root().join("docs/c64.md");
    let page = tempo_testing::text(&path);
    let rows: String = tempo_c64::ENTRIES
        .iter()
        .map(|entry| {
            let does = entry.does.strip_prefix("data: ").unwrap_or(entry.does);
            format!("| ${:04X} | {} | {} | {does} |\n", entry.address, entry.name, entry.presence())
        })
        .collect();
    let (before, rest) = page.split_once(HEAD).expect("the table");
    let end = rest.find("\n\n").map_or(rest.len(), |at| at + 1);
    if tempo_testing::updating() {
        fs::write(&path, format!("{before}{HEAD}{rows}{}", &rest[end..])).expect("the page is writable");
        return;
    }
    assert!(rest[..end] == rows, "docs/c64.md lists other entries: UPDATE=1 renews the table");
}
