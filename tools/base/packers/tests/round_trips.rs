//! Random files through every packer and back, and broken streams through every unpacker.
//! `FUZZ=100 cargo test --release -p tempo-packers --test round_trips` is the long run.

use tempo_packers::exomizer::{self, Direction, LiteralRuns, Options};
use tempo_packers::{PackError, b2, byteboozer, delta, own, tscrunch, zx0};
use tempo_random::Random;

const LIMIT: usize = 0x1_0000;

/// A packer with its unpacker: a stream in, the file out.
struct Format {
    name: &'static str,
    pack: fn(&[u8]) -> Result<Vec<u8>, PackError>,
    unpack: fn(&[u8], usize) -> Result<Vec<u8>, tempo_packers::UnpackError>,
    /// Smallest file it takes.
    least: usize,
}

const OWN_RANGES: usize = 8;

fn pack_exomizer(
    bytes: &[u8],
    direction: Direction,
    literal_runs: LiteralRuns,
) -> Result<Vec<u8>, PackError> {
    exomizer::pack(bytes, Options { direction, literal_runs, ..Options::default() })
        .map(|packed| packed.stream)
}

const FORMATS: [Format; 9] = [
    Format {
        name: "byteboozer",
        pack: |bytes| byteboozer::pack(bytes, 0x1000),
        unpack: |stream, limit| byteboozer::unpack(stream, limit).map(|unpacked| unpacked.bytes),
        least: 1,
    },
    Format {
        name: "b2",
        pack: |bytes| b2::pack(bytes, 0x1000),
        unpack: |stream, limit| b2::unpack(stream, limit).map(|unpacked| unpacked.bytes),
        least: 1,
    },
    Format {
        name: "exomizer",
        pack: |bytes| pack_exomizer(bytes, Direction::Forward, LiteralRuns::Allowed),
        unpack: |stream, limit| exomizer::unpack(stream, Direction::Forward, limit),
        least: 1,
    },
    Format {
        name: "exomizer backward, no literal runs",
        pack: |bytes| pack_exomizer(bytes, Direction::Backward, LiteralRuns::Forbidden),
        unpack: |stream, limit| exomizer::unpack(stream, Direction::Backward, limit),
        least: 1,
    },
    Format { name: "tscrunch", pack: tscrunch::pack, unpack: tscrunch::unpack, least: 1 },
    Format {
        name: "tscrunch in place",
        pack: |bytes| tscrunch::pack_in_place(bytes, 0x1000).map(|packed| packed.bytes),
        unpack: |stream, limit| tscrunch::unpack_in_place(stream, limit).map(|unpacked| unpacked.bytes),
        least: 2,
    },
    Format { name: "zx0", pack: zx0::pack, unpack: zx0::unpack, least: 1 },
    Format {
        name: "own",
        pack: |bytes| {
            let packed = own::pack(bytes)?;
            Ok([&packed.ranges.short[..], &packed.ranges.long, &packed.stream].concat())
        },
        unpack: |stream, limit| {
            let (ranges, stream) = stream.split_at(OWN_RANGES.min(stream.len()));
            let width = |at: usize| ranges.get(at).map_or(0, |width| width % 16);
            let ranges = own::Ranges {
                short: std::array::from_fn(width),
                long: std::array::from_fn(|at| width(at + 4)),
            };
            own::unpack(stream, ranges, limit)
        },
        least: 1,
    },
    Format {
        name: "delta",
        pack: |bytes| Ok(delta::pack(bytes, delta::Direction::Backward)),
        unpack: |stream, _| Ok(delta::unpack(stream, delta::Direction::Backward)),
        least: 0,
    },
];

/// A file of a random kind: noise, few values, runs, text of words, repeated parts.
fn file(random: &mut Random, longest: usize) -> Vec<u8> {
    // Short files as often as long ones.
    let bits = random.below(u64::from(longest.ilog2()) + 1);
    let length = (1 + random.index(1 << (bits + 1))).min(longest);
    let kind = random.below(6);
    let words: Vec<Vec<u8>> =
        (0..40).map(|_| (0..1 + random.index(9)).map(|_| b'a' + random.below(26) as u8).collect()).collect();
    let few = 1 + random.below(5);
    let mut bytes = Vec::with_capacity(length + 300);
    while bytes.len() < length {
        match kind {
            0 => bytes.push(random.next_u8()),
            1 => bytes.push(random.below(few) as u8),
            2 => {
                let (byte, count) = (random.below(4) as u8, 1 + random.index(300));
                bytes.extend(std::iter::repeat_n(byte, count));
            }
            3 => {
                let word = random.index(words.len());
                bytes.extend_from_slice(&words[word]);
                bytes.push(b' ');
            }
            4 => {
                // Parts of what is already there, sometimes changed.
                let from = random.index(bytes.len().max(1));
                let until = (from + random.index(100)).min(bytes.len());
                bytes.extend_from_within(from.min(until)..until);
                bytes.push(random.next_u8());
            }
            _ => bytes.push(if bytes.len() % 7 < 3 { 0 } else { random.next_u8() & 0x3c }),
        }
    }
    bytes.truncate(length);
    bytes
}

#[test]
fn random_files_come_back() {
    let rounds = tempo_testing::rounds(60);
    for format in &FORMATS {
        let mut largest = 0;
        for round in 0..rounds {
            let mut random = Random::stream(32, round);
            // Whole memories are rare in a short run: they take most of the time.
            let longest = if rounds > 100 { LIMIT } else { 6000 };
            let bytes = file(&mut random, longest);
            if bytes.len() < format.least {
                continue;
            }
            largest = largest.max(bytes.len());
            let stream = (format.pack)(&bytes).expect("it packs");
            let back = (format.unpack)(&stream, bytes.len());
            assert!(
                back.as_ref() == Ok(&bytes),
                "{}, round {round}: {:?}",
                format.name,
                back.map(|back| back.len())
            );
        }
        println!("{}: {rounds} files of up to {largest} bytes", format.name);
    }
}

#[test]
fn whole_memories_come_back() {
    let mut random = Random::new(64);
    let noise: Vec<u8> = (0..LIMIT).map(|_| random.next_u8()).collect();
    let bits: Vec<u8> = (0..LIMIT).map(|_| random.below(2) as u8).collect();
    let period: Vec<u8> = (0..LIMIT).map(|at| (at % 3) as u8).collect();
    for (kind, bytes) in [("zeros", vec![0; LIMIT]), ("noise", noise), ("bits", bits), ("period", period)] {
        for format in &FORMATS {
            let stream = (format.pack)(&bytes).expect("it packs");
            let back = (format.unpack)(&stream, LIMIT).expect("it decodes");
            assert!(back == bytes, "{} of {kind}", format.name);
            println!("{}: {kind} {}", format.name, stream.len());
        }
    }
}

#[test]
fn what_cannot_be_packed_is_refused() {
    let large = vec![0; LIMIT + 1];
    for format in FORMATS.iter().filter(|format| format.least > 0) {
        assert_eq!((format.pack)(&[]), Err(PackError::Empty), "{}", format.name);
        assert_eq!((format.pack)(&large), Err(PackError::TooLong(LIMIT + 1)), "{}", format.name);
    }
    assert_eq!(tscrunch::pack_in_place(&[1], 0x1000), Err(PackError::SingleByte));
}

#[test]
fn broken_streams_are_refused() {
    let text = b"a long and winding road that leads to your door, a long and winding road again".repeat(3);
    let mut random = Random::new(5);
    for format in FORMATS.iter().filter(|format| format.name != "delta") {
        let stream = (format.pack)(&text).expect("it packs");
        // Data unpacked in place ends with bytes that are not packed, and a backward stream begins with its end.
        let has_end = !format.name.contains("in place") && !format.name.contains("backward");
        for cut in 0..stream.len() {
            let unpacked = (format.unpack)(&stream[..cut], LIMIT);
            assert!(unpacked.is_err() || !has_end, "{} cut at {cut}", format.name);
        }
        assert!((format.unpack)(&stream, text.len() - 1).is_err(), "{} beyond its limit", format.name);
        for round in 0..tempo_testing::rounds(400) {
            let mut broken = stream.clone();
            for _ in 0..=random.below(4) {
                let at = random.index(broken.len());
                broken[at] = random.next_u8();
            }
            if let Ok(bytes) = (format.unpack)(&broken, 5000) {
                assert!(bytes.len() <= 5000, "{}, round {round}", format.name);
            }
            let noise: Vec<u8> = (0..random.below(80)).map(|_| random.next_u8()).collect();
            let unpacked = (format.unpack)(&noise, 5000);
            assert!(unpacked.is_err() || unpacked.is_ok_and(|bytes| bytes.len() <= 5000), "{}", format.name);
        }
    }
}

#[test]
fn exomizer_keeps_to_its_farthest_distance() {
    let mut random = Random::new(6);
    let part: Vec<u8> = (0..400).map(|_| random.next_u8()).collect();
    let bytes = [part.clone(), vec![0; 300], part].concat();
    let size = |farthest| {
        let options = Options { farthest, ..Options::default() };
        let packed = exomizer::pack(&bytes, options).expect("it packs");
        assert_eq!(exomizer::unpack(&packed.stream, options.direction, LIMIT), Ok(bytes.clone()));
        packed.stream.len()
    };
    // The second part is copied only if the first is within reach.
    assert!(size(700) < 500 && size(699) > 800, "{} {}", size(700), size(699));
}
