//! Disks and tapes that other programs wrote and VICE loaded: `tests/images`, with the files that each holds.

use std::fmt::Write as _;
use std::io::Read as _;

use flate2::read::GzDecoder;
use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempo_formats::d64::{self, Kind, shown};
use tempo_formats::images::{self, Image};
use tempo_testing::root;

fn image(name: &str) -> Vec<u8> {
    let path = root().join("tests/images").join(format!("{name}.gz"));
    let packed = tempo_testing::bytes(&path);
    let mut bytes = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut bytes).expect("packed data");
    bytes
}

fn expectations() -> serde_json::Map<String, Value> {
    let text = tempo_testing::text(&root().join("tests/images/expect.json"));
    serde_json::from_str(&text).expect("JSON")
}

fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or_default()
}

/// The files in the form of the expectations.
fn files(image: &Image, is_disk: bool) -> Vec<Value> {
    let file = |entry: &d64::Entry| {
        assert_eq!(entry.fault, None, "{}", entry.name);
        let kind = if entry.kind == Some(Kind::Seq) { "seq" } else { "prg" };
        let mut digest = String::new();
        for byte in Sha256::digest(&entry.bytes) {
            let _ = write!(digest, "{byte:02x}");
        }
        let mut file = json!({
            "name": shown(&entry.name), "type": kind, "bytes": entry.bytes.len(), "sha256": digest,
        });
        if is_disk {
            file["blocks"] = json!(entry.blocks);
        }
        file
    };
    image.entries.iter().map(file).collect()
}

#[test]
fn every_image_lists_its_files() {
    let all = expectations();
    assert_eq!(all.len(), 9);
    for (name, expected) in all {
        let read =
            images::read(extension(&name), &image(&name)).unwrap_or_else(|err| panic!("{name}: {err}"));
        let wanted = expected["files"].as_array().expect("a list");
        assert_eq!(files(&read, wanted[0].get("blocks").is_some()), *wanted, "{name}");
        if let Some(title) = expected.get("title").and_then(Value::as_str) {
            assert_eq!(shown(&read.name), title, "{name}");
        }
        if let Some(id) = expected.get("id").and_then(Value::as_str) {
            assert!(read.id.starts_with(id), "{name}: {:?}", read.id);
        }
        if let Some(faults) = d64::validate(&image(&name)) {
            assert_eq!(faults, Vec::new(), "{name}");
        }
    }
}

/// Twenty pieces and twenty damaged copies of each: an error or a listing that differs, never a panic.
#[test]
fn damaged_images_are_refused_or_reported() {
    for (name, _) in expectations() {
        let whole = image(&name);
        let sound = images::read(extension(&name), &whole).expect("sound");
        for part in 0..20 {
            let cut = whole.len() * part / 20;
            if let Ok(read) = images::read(extension(&name), &whole[..cut]) {
                assert!(
                    read != sound || name.ends_with("tap") || name.ends_with("g64"),
                    "{name} cut at {cut}"
                );
            }
            let mut wrong = whole.clone();
            for byte in wrong.iter_mut().skip(part).step_by(20 + part) {
                *byte ^= 0x5a;
            }
            let _ = images::read(extension(&name), &wrong);
            let _ = d64::validate(&wrong);
        }
    }
}
