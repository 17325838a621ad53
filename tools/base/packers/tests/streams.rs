//! The recorded streams of the original packers: ours are byte-equal where the format asks for it, otherwise they decode and
//! are no larger. Every recorded stream decodes to its input.

#![allow(clippy::disallowed_methods, reason = "a test reads its fixtures from the disk")]

use std::fs;

use pretty_assertions::assert_eq;
use tempo_packers::exomizer::{self, Direction, LiteralRuns, Options};
use tempo_packers::{b2, byteboozer, delta, tscrunch};
use tempo_testing::fixtures;

const LIMIT: usize = 0x1_0000;

/// A line of the manifest.
struct Case {
    name: String,
    variant: String,
    address: u16,
    /// The figure in the console line, if there is one.
    reported: Option<usize>,
    input: Vec<u8>,
    recorded: Vec<u8>,
}

fn cases() -> Vec<Case> {
    let folder = fixtures().join("crunchers");
    let manifest = fs::read_to_string(folder.join("manifest.tsv")).expect("the manifest is there");
    let hex = |text: &str| usize::from_str_radix(text.trim_start_matches('$'), 16).ok();
    let cases: Vec<Case> = manifest
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let (name, variant) = (fields[0].to_owned(), fields[1].to_owned());
            let input = fs::read(folder.join(format!("{name}.bin"))).expect("the input is there");
            let recorded = fs::read(folder.join(format!("{name}.{variant}"))).expect("the stream is there");
            let address = hex(fields[2]).expect("an address") as u16;
            Case { name, variant, address, reported: hex(fields[5]), input, recorded }
        })
        .collect();
    assert_eq!(cases.len(), 209);
    cases
}

fn exomizer_options(variant: &str) -> Option<Options> {
    let kind = variant.strip_prefix("mem").or_else(|| variant.strip_prefix("raw"))?;
    let direction = if kind.starts_with('f') { Direction::Forward } else { Direction::Backward };
    let literal_runs = if kind.ends_with('n') { LiteralRuns::Forbidden } else { LiteralRuns::Allowed };
    Some(Options { direction, literal_runs, ..Options::default() })
}

fn unpack(case: &Case, stream: &[u8]) -> Vec<u8> {
    let unpacked = match case.variant.as_str() {
        "bb" => byteboozer::unpack(stream, LIMIT),
        "b2" => b2::unpack(stream, LIMIT),
        "tsi" => tscrunch::unpack_in_place(&stream[2..], LIMIT),
        "ts" => return tscrunch::unpack(stream, LIMIT).expect("it decodes"),
        "delta" => return delta::unpack(stream, delta::Direction::Forward),
        "deltar" => return delta::unpack(stream, delta::Direction::Backward),
        variant => {
            let direction = exomizer_options(variant).expect("known").direction;
            if variant.starts_with("raw") {
                return exomizer::unpack(stream, direction, LIMIT).expect("it decodes");
            }
            exomizer::unpack_with_address(stream, direction, LIMIT)
        }
    };
    let unpacked = unpacked.unwrap_or_else(|err| panic!("{}.{}: {err}", case.name, case.variant));
    assert_eq!(unpacked.address, case.address, "{}.{}", case.name, case.variant);
    unpacked.bytes
}

/// Our stream in the form of the recorded one, and the safety distance.
fn pack(case: &Case) -> (Vec<u8>, Option<usize>) {
    let Case { input, address, .. } = case;
    let stream = match case.variant.as_str() {
        "bb" => byteboozer::pack(input, *address).expect("it packs"),
        "b2" => b2::pack(input, *address).expect("it packs"),
        "ts" => tscrunch::pack(input).expect("it packs"),
        "tsi" => {
            let packed = tscrunch::pack_in_place(input, *address).expect("it packs");
            [&packed.load.to_le_bytes(), packed.bytes.as_slice()].concat()
        }
        "delta" => delta::pack(input, delta::Direction::Forward),
        "deltar" => delta::pack(input, delta::Direction::Backward),
        variant => {
            let options = exomizer_options(variant).expect("known");
            let packed = if variant.starts_with("raw") {
                exomizer::pack(input, options)
            } else {
                exomizer::pack_with_address(input, *address, options)
            };
            let packed = packed.expect("it packs");
            return (packed.stream, Some(packed.safety));
        }
    };
    (stream, None)
}

#[test]
fn recorded_streams_decode() {
    for case in cases() {
        assert!(unpack(&case, &case.recorded) == case.input, "{}.{}", case.name, case.variant);
    }
}

#[test]
fn ours_decode_and_are_equal_or_no_larger() {
    // Exomizer: of all streams together.
    let (mut ours, mut theirs) = (0, 0);
    let mut larger = Vec::new();
    for case in cases() {
        let place = format!("{}.{}", case.name, case.variant);
        let (stream, safety) = pack(&case);
        assert!(unpack(&case, &stream) == case.input, "{place} does not decode");
        if std::env::var_os("SIZES").is_some() {
            println!("{place}\t{}\t{}", case.recorded.len(), stream.len());
        }
        match case.variant.as_str() {
            "bb" | "b2" | "delta" | "deltar" => assert_eq!(stream, case.recorded, "{place}"),
            "ts" | "tsi" => {
                if stream.len() > case.recorded.len() {
                    larger.push(format!("{place}: {} > {}", stream.len(), case.recorded.len()));
                }
            }
            _ => {
                (ours, theirs) = (ours + stream.len(), theirs + case.recorded.len());
                let bar = case.recorded.len() * 102 / 100;
                if stream.len() > bar {
                    larger.push(format!("{place}: {} > {bar}", stream.len()));
                }
                if stream == case.recorded {
                    assert_eq!(safety, case.reported, "{place}");
                }
            }
        }
    }
    assert_eq!(larger, [""; 0]);
    println!("exomizer: {ours} bytes against {theirs}");
    assert!(ours <= theirs, "{ours} > {theirs}");
}
