//! The programs of tests/cartridges: their sources make the banks, the banks make the `.crt`, and it leaves the memory that
//! VICE left. Then the same files damaged.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use pretty_assertions::assert_eq;
use serde_json::Value;
use tempo_assembler::{DiskFiles, Options, Overlay};
use tempo_c64::{End, Session, cartridge};
use tempo_emu::c64::{C64, Model};
use tempo_formats::crt::{self, CrtError, Kind, Part};
use tempo_random::Random;

fn programs() -> Vec<PathBuf> {
    let found = tempo_testing::files_with_extension(&tempo_testing::fixtures().join("cartridges"), "json");
    assert_eq!(found.len(), 10);
    found
}

fn facts(path: &Path) -> Value {
    serde_json::from_str(&tempo_testing::text(path)).expect("JSON")
}

/// The file that VICE ran.
fn image(path: &Path) -> Vec<u8> {
    let packed = tempo_testing::bytes(&path.with_extension("crt.gz"));
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("gzip");
    bytes
}

fn number(text: &str) -> u16 {
    u16::from_str_radix(text.trim_start_matches('$'), 16).expect("a number in hex")
}

/// The files that a source asks for, with further text at its end.
fn made(path: &Path, more: &str) -> HashMap<String, Vec<u8>> {
    let source = path.with_extension("asm");
    let name = source.to_str().expect("ASCII");
    let disk = DiskFiles::default();
    let mut files = Overlay::new(&disk);
    files.insert(name, format!("{}{more}", tempo_testing::text(&source)));
    let output = tempo_assembler::assemble(&files, name, &Options::default());
    let problems: Vec<&str> = output.diagnostics.iter().map(|diagnostic| &*diagnostic.message).collect();
    assert!(!output.has_errors(), "{}: {problems:?}", path.display());
    output.files.into_iter().map(|file| (file.name, file.bytes)).collect()
}

/// The type of the cartridge: names of programs begin with it.
fn kind(stem: &str) -> Kind {
    match stem.split('_').next().expect("a name") {
        "c8" => Kind::Rom8K,
        "c16" => Kind::Rom16K,
        word => Kind::from_word(word).expect("the name begins with the type"),
    }
}

/// The name in the header. The writer of the EasyFlash files gave them that of the hardware.
fn title(kind: Kind, facts: &Value) -> &str {
    if kind == Kind::EasyFlash { "EasyFlash" } else { facts["name"].as_str().expect("a name") }
}

#[test]
fn cartridges_leave_the_memory_that_vice_left() {
    for path in programs() {
        let facts = facts(&path);
        let image = crt::read(&image(&path)).expect("a cartridge");
        assert_eq!(image.complaint(), None, "{}", path.display());
        let mut machine = C64::new(Model::Pal);
        machine.board.plug(cartridge(&image));
        machine.reset();
        let mut session = Session::new(machine);
        let frames = facts["frames"].as_u64().expect("frames");
        assert_eq!(session.run_frames(frames), Some(End::Exit(0)), "{}", path.display());
        for (address, bytes) in facts["memory"].as_object().expect("memory") {
            let expected: Vec<u8> =
                bytes.as_str().expect("hex").split(' ').map(|byte| number(byte) as u8).collect();
            let first = usize::from(number(address));
            let found = &session.machine.ram()[first..first + expected.len()];
            assert_eq!(found, expected, "{} at ${address}", path.display());
        }
    }
}

/// The emulator and the reader of files depend on each other's facts, but not on each other.
#[test]
fn machine_and_files_agree_on_the_banks() {
    for &kind in Kind::ALL {
        let image = crt::build(kind, "", &[Part { bank: 0, is_high: kind == Kind::Ultimax, bytes: vec![1] }]);
        let plugged = cartridge(&image.expect("a cartridge"));
        assert_eq!(plugged.kind().banks(), usize::from(kind.hardware().banks()), "{kind:?}");
    }
}

#[test]
fn banks_of_the_sources_make_the_same_files() {
    for path in programs() {
        let (facts, expected) = (facts(&path), image(&path));
        let files = made(&path, "");
        let stem = tempo_testing::stem(&path);
        let kind = kind(&stem);
        let mut parts = Vec::new();
        for chip in facts["chips"].as_array().expect("chips") {
            let bank = chip["bank"].as_u64().expect("a bank") as u16;
            let address = number(chip["address"].as_str().expect("an address"));
            let names = chip["files"].as_array().expect("files").iter();
            let bytes = names.flat_map(|name| files[name.as_str().expect("a name")].clone()).collect();
            parts.push(Part { bank, is_high: address >= 0xa000, bytes });
        }
        let built = crt::build(kind, title(kind, &facts), &parts).expect("a cartridge");
        assert!(built.write() == expected, "{stem}: the file is another one");
        let read = crt::read(&expected).expect("a cartridge");
        assert_eq!(read.write(), expected, "{stem}: written again");
    }
}

/// The segments of the sources have the names of their files.
#[test]
fn the_directive_makes_the_same_files() {
    for path in programs() {
        let facts = facts(&path);
        let stem = tempo_testing::stem(&path);
        let kind = kind(&stem);
        let bank = |chip: &Value| {
            let half =
                if number(chip["address"].as_str().expect("an address")) < 0xa000 { "lo" } else { "hi" };
            let names = chip["files"].as_array().expect("files").iter();
            let segments: Vec<&str> =
                names.map(|name| name.as_str().expect("a name").trim_end_matches(".bin")).collect();
            format!("[bank={}, {half}=\"{}\"]", chip["bank"], segments.join(","))
        };
        let banks: Vec<String> = facts["chips"].as_array().expect("chips").iter().map(bank).collect();
        let (word, title, banks) = (kind.word(), title(kind, &facts), banks.join(",\n"));
        let directive =
            format!("\n.cartridge [filename=\"x.crt\", type=\"{word}\", name=\"{title}\"] {{\n{banks}\n}}\n");
        assert!(made(&path, &directive)["x.crt"] == image(&path), "{stem}: the file is another one");
    }
}

#[test]
fn damaged_files_are_refused_with_the_place() {
    for path in programs() {
        let good = image(&path);
        let with = |at: usize, bytes: &[u8]| {
            let mut file = good.clone();
            file[at..at + bytes.len()].copy_from_slice(bytes);
            crt::read(&file).expect_err("refused")
        };
        assert_eq!(with(3, b"?"), CrtError::Signature);
        assert!(with(0x16, &[0, 34]).to_string().contains("type 34, Capture, is not supported"));
        assert!(with(0x16, &[9, 9]).to_string().starts_with("at offset $16: type 2313, "));
        assert_eq!(with(0x18, &[7]), CrtError::Line { at: 0x18, line: "EXROM", value: 7 });
        assert_eq!(with(0x40, b"CHOP"), CrtError::Packet { at: 0x40 });
        assert!(matches!(with(0x44, &[0, 0, 0x10, 0x10]), CrtError::Length { at: 0x40, .. }));
        assert!(matches!(with(0x48, &[0, 1]), CrtError::ChipKind { at: 0x40, number: 1, .. }));
        assert!(matches!(with(0x4a, &[1, 0]), CrtError::Bank { at: 0x40, bank: 256, .. }));
        assert!(matches!(with(0x4c, &[0x10, 0]), CrtError::Window { at: 0x40, address: 0x1000, .. }));
        assert!(matches!(crt::read(&good[..good.len() - 1]), Err(CrtError::Cut { .. })));
        assert!(matches!(crt::read(&good[..0x48]), Err(CrtError::Cut { at: 0x40, needed: 0x10, left: 8 })));
        assert_eq!(crt::read(&good[..0x40]), Err(CrtError::Empty { at: 0x40 }));
        assert!(matches!(crt::read(&good[..0x30]), Err(CrtError::ShortHeader { at: 0x30, length: 0x40 })));
        // The first packet again.
        let size = 0x10 + usize::from(u16::from_be_bytes([good[0x4e], good[0x4f]]));
        let twice = [&good[..], &good[0x40..0x40 + size]].concat();
        assert!(matches!(crt::read(&twice), Err(CrtError::Twice { first: 0x40, .. })));
    }
}

#[test]
fn damage_of_any_kind_is_no_panic() {
    let files: Vec<Vec<u8>> =
        programs().iter().map(|path| image(path)[..0x3000.min(image(path).len())].to_vec()).collect();
    let mut random = Random::new(tempo_testing::seed());
    for _ in 0..tempo_testing::rounds(300) {
        for file in &files {
            let damaged =
                tempo_testing::damage(&mut random, file, &[b"CHIP", &[0, 0, 0x20, 0x10], &[0x80, 0]]);
            if let Ok(image) = crt::read(&damaged) {
                let mut machine = C64::new(Model::Pal);
                machine.board.plug(cartridge(&image));
                machine.reset();
                machine.run_cycles(1000);
            }
        }
    }
}

#[test]
fn a_header_may_be_longer_and_says_so() {
    let good = image(&programs()[0]);
    let mut longer = [&good[..0x40], &[0; 0x10], &good[0x40..]].concat();
    longer[0x13] = 0x50;
    assert_eq!(crt::read(&longer), crt::read(&good));
    // Those that state less than $40 mean it.
    let mut shorter = good.clone();
    shorter[0x13] = 0x20;
    assert_eq!(crt::read(&shorter), crt::read(&good));
    longer[0x10] = 0xff;
    assert!(matches!(crt::read(&longer), Err(CrtError::ShortHeader { .. })));
}

#[test]
fn parts_that_make_no_cartridge_are_refused() {
    let part = |bank, is_high, size| Part { bank, is_high, bytes: vec![1; size] };
    let refused =
        |kind, name: &str, parts: &[Part]| crt::build(kind, name, parts).expect_err("refused").to_string();
    assert_eq!(refused(Kind::Rom8K, "X", &[]), "a cartridge needs at least one bank");
    assert_eq!(refused(Kind::Rom8K, "X", &[part(1, false, 1)]), "bank 1: 8k cartridges have bank 0 only");
    assert_eq!(
        refused(Kind::Gmod2, "X", &[part(64, false, 1)]),
        "bank 64: gmod2 cartridges have banks 0 to 63"
    );
    assert_eq!(
        refused(Kind::MagicDesk, "X", &[part(3, true, 1)]),
        "3:hi: magicdesk cartridges have no memory there; use 3:lo"
    );
    assert_eq!(refused(Kind::Rom8K, "X", &[part(0, false, 0x2001)]), "0:lo: 8193 bytes, and 8192 fit");
    let both = [part(0, false, 0x4000), part(0, true, 1)];
    assert_eq!(refused(Kind::Rom16K, "X", &both), "0:hi is given twice");
    let same = [part(9, false, 1), part(9, true, 1)];
    assert_eq!(refused(Kind::Ocean, "X", &same), "9:hi is given twice");
    assert_eq!(
        refused(Kind::Ultimax, "X", &[part(0, false, 1)]),
        "an ultimax cartridge needs 0:hi, where its vectors are"
    );
    assert!(refused(Kind::Rom8K, "ÄX", &[part(0, false, 1)]).contains("ASCII"));
    assert!(refused(Kind::Rom8K, &"X".repeat(33), &[part(0, false, 1)]).contains("32"));
}
