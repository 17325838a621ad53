//! `tempo import` and `[[asset]]`: files of graphics editors and pictures as parts.

use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::common::Scratch;

/// Two sprites without a signature.
fn sprites() -> Vec<u8> {
    [&[0, 6, 3], &[7; 64][..], &[9; 64][..]].concat()
}

fn scratch() -> Scratch {
    let scratch = Scratch::new(&[]);
    for name in ["ctm7_tiles.ctm", "spd4_tiles.spd"] {
        scratch.write(name, &tempo_testing::bytes(&tempo_testing::fixtures().join("assets").join(name)));
    }
    scratch.write("plain.spd", &sprites());
    scratch
}

/// A GIF of 16 by 8 pixels: a white cell and a black one, in codes that are never compressed.
fn gif() -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend([16, 0, 8, 0, 0x80, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff]);
    bytes.extend([0x2c, 0, 0, 0, 0, 16, 0, 8, 0, 0]);
    // Codes of three bits: clear after every two pixels, so that they stay so long.
    let (mut stream, mut bits) = (Vec::new(), Vec::new());
    let mut code = |value: u8| bits.extend((0..3).map(|bit| value >> bit & 1));
    for _ in 0..8 {
        for pixel in 0..16u8 {
            if pixel % 2 == 0 {
                code(4);
            }
            code(u8::from(pixel < 8));
        }
    }
    code(5);
    for eight in bits.chunks(8) {
        stream.push(eight.iter().rev().fold(0u8, |byte, bit| byte << 1 | bit));
    }
    bytes.push(2);
    for block in stream.chunks(255) {
        bytes.push(block.len() as u8);
        bytes.extend_from_slice(block);
    }
    bytes.extend([0, 0x3b]);
    bytes
}

#[test]
fn files_are_shown_and_parts_written() {
    let scratch = scratch();
    let shown = scratch.tempo("import ctm7_tiles.ctm");
    assert_eq!((shown.code, &shown.err[..]), (Some(0), ""));
    assert!(shown.out.starts_with("ctm7_tiles.ctm: CharPad\n  version "), "{}", shown.out);
    let json: Value =
        serde_json::from_str(&scratch.tempo("import spd4_tiles.spd --format json").out).unwrap();
    for (name, number) in [("version", 4), ("sprites", 6), ("tiles", 2)] {
        assert_eq!(json[name], number, "{name}");
    }
    assert_eq!(json["parts"]["Data"]["size"], 384);
    let ran = scratch.tempo("import ctm7_tiles.ctm --charset c.bin --map-low m.bin");
    assert_eq!((ran.code, ran.out + &ran.err), (Some(0), String::new()));
    assert_eq!((scratch.read("c.bin").len(), scratch.read("m.bin").len()), (40, 12));
    // A part that is not there, and none is written.
    let ran = scratch.tempo("import plain.spd --data d.bin --charset c2.bin");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("plain.spd: it has no charset; it has data"), "{}", ran.err);
    assert!(!scratch.files().contains(&"d.bin".to_owned()));
}

#[test]
fn damaged_files_are_refused() {
    let scratch = scratch();
    scratch.write("cut.ctm", &scratch.read("ctm7_tiles.ctm")[..100]);
    scratch.write("new.ctm", b"CTM\x0a");
    scratch.write("long.spd", &[&sprites()[..], &[0]].concat());
    scratch.write("bad.spm", b"{\"colors\":");
    for (line, code, text) in [
        ("import cut.ctm --charset c.bin", 1, "cut.ctm: the data ends at byte 100"),
        ("import new.ctm", 1, "version 10 is not known; 5, 7, 8, 82 and 9 are"),
        ("import bad.spm", 1, "bad.spm: byte "),
        ("import gone.ctm", 2, "cannot read gone.ctm"),
        ("import long.spd --data d.bin", 0, "warning: long.spd: one byte after the last part is not used"),
    ] {
        let ran = scratch.tempo(line);
        assert_eq!(ran.code, Some(code), "{line}: {}", ran.err);
        assert!(ran.err.contains(text), "{line}: {}", ran.err);
    }
    assert!(!scratch.files().contains(&"c.bin".to_owned()));
    assert_eq!(scratch.read("d.bin").len(), 128);
}

#[test]
fn pictures_become_characters() {
    let scratch = scratch();
    scratch.write("two.gif", &gif());
    let ran = scratch.tempo("import two.gif --charset c.bin --screen s.bin --colours k.bin --shared 0");
    assert_eq!((ran.code, ran.err), (Some(0), String::new()));
    assert_eq!(scratch.read("s.bin"), [0, 1]);
    assert_eq!(scratch.read("c.bin"), [[0xff; 8], [0; 8]].concat());
    assert_eq!(scratch.read("k.bin"), [1, 0]);
    let ran = scratch.tempo("import two.gif --as sprites --data d.bin");
    assert_eq!(
        (ran.code, ran.err.contains("16 by 8 pixels are not whole sprites, of 24 by 21")),
        (Some(1), true),
        "{}",
        ran.err
    );
}

const PROJECT: &str = "[[asset]]\nfile = 'plain.spd'\ndata = 'build/plain.bin'\n";
const MAIN: &str = "*=$1000\n.import binary \"build/plain.bin\"\n";

#[test]
fn a_build_writes_the_parts_it_needs() {
    let scratch = scratch();
    scratch.write("tempo.toml", PROJECT.as_bytes());
    scratch.write("main.asm", MAIN.as_bytes());
    let checked = scratch.tempo("build --check");
    assert_eq!(
        (checked.code, scratch.files().contains(&"build/plain.bin".to_owned())),
        (Some(1), false),
        "{}",
        checked.err
    );
    let ran = scratch.tempo("build");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(scratch.read("build/main.prg")[2..].to_vec(), sprites()[3..].to_vec());
    // What is as it should be is left alone.
    let changed =
        || std::fs::metadata(scratch.path("build/plain.bin")).and_then(|data| data.modified()).unwrap();
    let before = changed();
    assert_eq!(scratch.tempo("build").code, Some(0));
    assert_eq!(changed(), before);
    scratch.write("tempo.toml", PROJECT.replace("data =", "charset =").as_bytes());
    let ran = scratch.tempo("build");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("tempo.toml:2: plain.spd: it has no charset"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_watched_build_follows_the_file() {
    let scratch = scratch();
    scratch.write("tempo.toml", PROJECT.as_bytes());
    scratch.write("main.asm", MAIN.as_bytes());
    let watching = crate::common::Watching::start(scratch.0.path(), &["build", "--watch"]);
    watching.expect("watching ");
    let mut other = sprites();
    other[3] = 0x55;
    scratch.write("plain.spd", &other);
    watching.expect("changed: plain.spd");
    watching.expect("watching ");
    assert_eq!(scratch.read("build/main.prg")[2], 0x55);
}
