//! Files of graphics editors: the published values, files made here for formats without a published one, and bad input.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::path::PathBuf;

use pretty_assertions::assert_eq;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempo_formats::assets::{self, Asset, AssetError, Format};
use tempo_random::Random;

fn folder() -> PathBuf {
    tempo_testing::fixtures().join("assets")
}

/// The published names of parts that have others here.
const PARTS: [(&str, &str); 11] = [
    ("charset", "Charset"),
    ("attributes", "Attributes"),
    ("charColours", "CharColours"),
    ("tileset", "Tiles"),
    ("tileColours", "TileColours"),
    ("tileTags", "TileTags"),
    ("map", "Map"),
    ("data", "Data"),
    ("tileMap", "TileMap"),
    ("animationStart", "AnimationStart"),
    ("animationEnd", "AnimationEnd"),
];

fn published() -> Vec<(String, Value)> {
    let text = tempo_testing::text(&folder().join("expect.json"));
    let all: serde_json::Map<String, Value> = serde_json::from_str(&text).expect("published JSON");
    all.into_iter().collect()
}

#[test]
fn files_have_the_published_values() {
    let mut compared = 0;
    for (file, expected) in published() {
        let asset = assets::read(&file, &tempo_testing::bytes(&folder().join(&file))).expect(&file);
        assert_eq!(asset.left_over, 0, "{file}");
        for (key, value) in expected.as_object().expect("an object") {
            let entries = |name: &str| {
                let part = asset.part(name).unwrap_or_else(|| panic!("{file}: no part {name}"));
                (0..part.len()).map(|index| part.entry(index).unwrap()).collect::<Vec<u16>>()
            };
            let numbers = |value: &Value| {
                let list = value.as_array().expect("a list");
                list.iter().map(|number| number.as_u64().expect("a number") as u16).collect::<Vec<u16>>()
            };
            let part = PARTS.iter().find(|(published, _)| published == key).map(|(_, name)| *name);
            match (key.as_str(), value) {
                ("colours", value) => {
                    let colours: Vec<u16> = asset.colours.iter().map(|&colour| colour.into()).collect();
                    assert_eq!(colours, numbers(value), "{file}: colours");
                }
                ("tileNames", Value::Array(names)) => {
                    assert_eq!(Value::from(asset.names.clone()), Value::from(names.clone()))
                }
                // The size of a window of the editor.
                ("grid", _) => {}
                ("overlay", value) => {
                    let distances = ["overlayDistance", "tileOverlayDistance"]
                        .map(|name| asset.number(name).unwrap() as u16);
                    assert_eq!(distances.to_vec(), numbers(value), "{file}");
                }
                ("animationTimer", value) => assert_eq!(entries("AnimationTimer"), numbers(value), "{file}"),
                ("animationFlags", value) => assert_eq!(entries("AnimationFlags"), numbers(value), "{file}"),
                (_, Value::Object(part_of)) => {
                    let bytes = &asset.part(part.expect("a known part")).expect("a part").bytes;
                    let digest: String =
                        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
                    assert_eq!(bytes.len() as u64, part_of["size"].as_u64().unwrap(), "{file}: {key}");
                    assert_eq!(digest, part_of["sha256"].as_str().unwrap(), "{file}: {key}");
                }
                (_, Value::Array(_)) => {
                    assert_eq!(entries(part.expect("a known part")), numbers(value), "{file}: {key}")
                }
                (_, value) => {
                    assert_eq!(asset.number(key).map(u64::from), value.as_u64(), "{file}: {key}");
                }
            }
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared} values compared");
}

fn numbers(asset: &Asset, names: [&str; 4]) -> [u32; 4] {
    names.map(|name| asset.number(name).unwrap())
}

#[test]
fn sprites_of_the_other_versions() {
    let sprites: Vec<u8> = (0..128).collect();
    let plain = [&[0, 6, 3], &sprites[..]].concat();
    let asset = assets::spritepad(&plain).unwrap();
    assert_eq!(numbers(&asset, ["version", "sprites", "animations", "tiles"]), [0, 2, 0, 0]);
    assert_eq!((asset.colours.clone(), asset.left_over), (vec![0, 6, 3], 0));
    assert_eq!(asset.part("Data").unwrap().bytes, sprites);

    let first = [b"SPD", &[1, 1, 0, 0, 6, 3][..], &sprites, &[0, 1, 4, 0x10]].concat();
    let asset = assets::spritepad(&first).unwrap();
    assert_eq!(numbers(&asset, ["version", "sprites", "animations", "tiles"]), [1, 2, 1, 0]);
    assert_eq!(asset.part("AnimationEnd").unwrap().entry(0), Some(1));
    assert_eq!(asset.part("AnimationFlags").unwrap().entry(0), Some(0x10));

    // Animations of sprites and of tiles.
    let head = [b"SPD", &[5, 7, 2, 0, 1, 0, 0, 1, 2, 1, 11, 12, 13, 1, 0, 2, 0][..]].concat();
    let tiles = [0, 0, 1, 0, 9];
    let animations = [1, 0, 2, 0, 3, 4];
    let tile_animations = [1, 0, 2, 0, 3, 0, 4, 0, 5, 6, 7, 8];
    let fifth = [&head[..], &sprites, &tiles, &animations, &tile_animations].concat();
    let asset = assets::spritepad(&fifth).unwrap();
    assert_eq!(numbers(&asset, ["sprites", "animations", "tiles", "tileAnimations"]), [2, 1, 1, 2]);
    assert_eq!(asset.part("TileMap").unwrap().entry(1), Some(1));
    assert_eq!(asset.part("TileAnimationEnd").unwrap().entry(1), Some(4));
    assert_eq!(asset.left_over, 0);
    let longer = [&fifth[..], &[0, 0]].concat();
    let warning = assets::spritepad(&longer).unwrap().warning();
    assert_eq!(warning.as_deref(), Some("2 bytes after the last part are not used"));
}

fn spritemate(is_multicolour: bool, pixels: &str) -> String {
    let row = format!("[{pixels}{}]", ",0".repeat(20));
    let rows = vec![row; 21].join(",");
    format!(
        r#"{{"colors":{{"0":0,"2":6,"3":3}},"pen":1,"sprites":[{{"name":"ball","color":4,"multicolor":{is_multicolour},
            "double_x":true,"double_y":0,"overlay":1,"pixels":[{rows}]}}]}}"#
    )
}

#[test]
fn spritemate_pixels_become_bytes() {
    let asset = assets::spritepad(spritemate(true, "1,9,2,9").as_bytes()).unwrap();
    assert_eq!((asset.format, &asset.names[..]), (Format::Spritemate, &["ball".to_owned()][..]));
    assert_eq!(asset.colours, [0, 6, 3]);
    let data = &asset.part("Data").unwrap().bytes;
    assert_eq!((data.len(), data[0], data[63]), (64, 0b1001_0000, 0xb4));
    let asset = assets::spritepad(spritemate(false, "1,0,2,0").as_bytes()).unwrap();
    let data = &asset.part("Data").unwrap().bytes;
    assert_eq!((data[0], data[63]), (0b1010_0000, 0x34));
    for (bad, at) in [("4,0,0,0", "a row of pixels"), ("1,0,0", "a list of 24 pixels")] {
        let error = assets::spritepad(spritemate(true, bad).as_bytes()).unwrap_err().to_string();
        assert!(error.contains(at), "{error}");
    }
    let error = assets::spritepad(b"{\"colors\":{\"0\":16}}").unwrap_err();
    assert_eq!(error.to_string(), "byte 15: the number 16 where a colour from 0 to 15 is expected");
}

#[test]
fn pictures_are_told_by_their_size() {
    for (name, size, format, parts) in [
        ("a.kla", 10_003, Format::Koala, &["Bitmap", "Screen", "Colours"][..]),
        ("a.art", 9_009, Format::ArtStudio, &["Bitmap", "Screen"][..]),
        ("a.ocp", 9_002, Format::ArtStudio, &["Bitmap", "Screen"][..]),
        ("a.ocp", 10_018, Format::AdvancedArtStudio, &["Bitmap", "Screen", "Colours"][..]),
        ("a.hpi", 8_002, Format::Hires, &["Bitmap"][..]),
    ] {
        let mut file = vec![7; size];
        file[..2].copy_from_slice(&[0, 0x60]);
        let asset = assets::read(name, &file).unwrap();
        assert_eq!(
            (asset.format, asset.number("load"), asset.left_over),
            (format, Some(0x6000), 0),
            "{name}"
        );
        assert_eq!(asset.parts.iter().map(|part| part.name).collect::<Vec<_>>(), parts);
    }
    assert_eq!(assets::read("a.bin", &[0; 99]), Err(AssetError::Unknown(99)));
    let error = assets::read("a.kla", &[0; 99]).unwrap_err().to_string();
    assert_eq!(error, "the data ends at byte 99, with 7903 bytes missing");
}

#[test]
fn faults_name_the_byte() {
    let file = |name: &str| tempo_testing::bytes(&folder().join(name));
    let fault = |bytes: &[u8]| assets::charpad(bytes).unwrap_err().to_string();
    assert_eq!(fault(b"PNG"), "not a CharPad file: it does not begin with CTM");
    assert_eq!(fault(b"CTM\x0a"), "version 10 is not known; 5, 7, 8, 82 and 9 are");
    assert_eq!(assets::spritepad(b"SPD\x06").unwrap_err().to_string(), "version 6 is not known; 1 to 5 are");
    let mut marker = file("ctm7_tiles.ctm");
    marker[12] = 0;
    assert_eq!(fault(&marker), "the marker of block 0 is missing at byte 12");
    let mut mode = file("ctm7_tiles.ctm");
    mode[10] = 9;
    assert_eq!(fault(&mode), "byte 10: display mode 9 does not exist");
    // 65,536 tiles of 255 by 255 characters.
    let mut lying = file("ctm5_tiles.ctm");
    lying[12..16].fill(0xff);
    assert!(fault(&lying).starts_with("the data ends at byte 116, with 8522956"), "{}", fault(&lying));
}

#[test]
fn no_cut_file_is_accepted_and_no_byte_makes_a_panic() {
    let mut random = Random::new(1);
    for (name, _) in published() {
        let file = tempo_testing::bytes(&folder().join(&name));
        for len in 0..file.len() {
            assert!(assets::read(&name, &file[..len]).is_err(), "{name} cut to {len}");
        }
        for _ in 0..300 {
            let mut broken = file.clone();
            let at = random.index(broken.len());
            broken[at] = random.next_u8();
            if let Ok(asset) = assets::read(&name, &broken) {
                let bytes: usize = asset.parts.iter().map(|part| part.bytes.len()).sum();
                assert!(bytes <= 3 * broken.len(), "{name} at {at}");
            }
        }
    }
}

/// A picture of palette colours, a letter for each pixel.
fn picture(rows: &[String]) -> tempo_formats::picture::Picture {
    let colour = |letter: char| u32::from(letter as u8 - b'a') * 0x11_0000;
    tempo_formats::picture::Picture {
        width: rows[0].len() as u32,
        height: rows.len() as u32,
        pixels: rows.iter().flat_map(|row| row.chars().map(colour)).collect(),
    }
}

fn conversion(target: assets::Target, is_multicolour: bool, colours: &[u8]) -> assets::Conversion<'static> {
    static PALETTE: [[u8; 3]; 15] = {
        let mut palette = [[0; 3]; 15];
        let mut index = 0;
        while index < 15 {
            palette[index][0] = index as u8 * 0x11;
            index += 1;
        }
        palette
    };
    assets::Conversion { target, is_multicolour, colours: colours.to_vec(), palette: &PALETTE }
}

#[test]
fn pictures_become_characters_without_repeats() {
    let rows: Vec<String> = (0..8).map(|_| "aaaabbbb".to_owned() + "ccccaaaa" + "aaaabbbb").collect();
    let asset =
        assets::convert(&picture(&rows), &conversion(assets::Target::Characters, false, &[])).unwrap();
    assert_eq!((asset.number("chars"), asset.colours.clone()), (Some(2), vec![0]));
    assert_eq!(asset.part("Screen").unwrap().bytes, [0, 1, 0]);
    assert_eq!(asset.part("Colours").unwrap().bytes, [1, 2, 1]);
    assert_eq!(asset.part("Charset").unwrap().bytes, [[0x0f; 8], [0xf0; 8]].concat());
    // Two colours beside the background.
    let rows: Vec<String> = (0..8).map(|_| "aaaabbcc".to_owned()).collect();
    let error =
        assets::convert(&picture(&rows), &conversion(assets::Target::Characters, false, &[])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the character at x 0, y 0 has 2 colours beside the shared ones; 1 is possible"
    );
    let asset =
        assets::convert(&picture(&rows), &conversion(assets::Target::Characters, true, &[0, 1, 5])).unwrap();
    assert_eq!(asset.part("Charset").unwrap().bytes[0], 0b0000_0111);
    assert_eq!(asset.part("Colours").unwrap().bytes, [2 | 8]);
}

#[test]
fn pictures_become_sprites() {
    let rows: Vec<String> = (0..21).map(|_| "bbccddaa".repeat(3) + &"a".repeat(24)).collect();
    let asset =
        assets::convert(&picture(&rows), &conversion(assets::Target::Sprites, true, &[0, 1, 2])).unwrap();
    let data = &asset.part("Data").unwrap().bytes;
    assert_eq!((asset.number("sprites"), data.len()), (Some(2), 128));
    assert_eq!((data[0], data[63], data[64], data[127]), (0b0111_1000, 0x83, 0, 0x80));
    let odd = picture(&vec!["a".repeat(23); 21]);
    let error = assets::convert(&odd, &conversion(assets::Target::Sprites, false, &[])).unwrap_err();
    assert_eq!(error.to_string(), "23 by 21 pixels are not whole sprites, of 24 by 21");
}

#[test]
fn a_charset_has_256_characters() {
    // 300 cells, each with its own number in bits.
    let mut rows = vec![String::new(); 8];
    for cell in 0..300u32 {
        for (y, row) in rows.iter_mut().enumerate() {
            row.extend((0..8).map(|x| if y < 2 && cell >> (8 * y + x) & 1 == 1 { 'b' } else { 'a' }));
        }
    }
    let error =
        assets::convert(&picture(&rows), &conversion(assets::Target::Characters, false, &[])).unwrap_err();
    assert_eq!(error, assets::ConversionError::TooManyCharacters(300));
}
