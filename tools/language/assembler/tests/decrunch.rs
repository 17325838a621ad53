//! The depackers of `asm/decrunch` on the emulator: they unpack what `tempo-packers` packed, and their headers tell their
//! size and cycles.

#![allow(clippy::disallowed_methods, reason = "a test reads its fixtures from the disk")]

use std::fs;

use tempo_assembler::{Errors, MemoryFiles, Options, assemble};
use tempo_emu::c64::{C64, Model};
use tempo_emu::{Cpu, Nmos, Ram, Status, Stop, Until};
use tempo_packers::exomizer::{self, Direction};
use tempo_packers::{b2, byteboozer, tscrunch, zx0};
use tempo_random::Random;
use tempo_testing::{fixtures, root};

/// Where the parts of a test are in memory.
const ROUTINE: u16 = 0x0400;
const TARGET: u16 = 0x1000;
const PACKED: u16 = 0x7000;
/// The zero page that the depackers are given.
const ZP: u16 = 0xe0;

/// A macro, and how data for it is prepared.
struct Depacker {
    file: &'static str,
    name: &'static str,
    /// Its arguments after the zero page.
    arguments: &'static str,
    prepare: fn(&[u8]) -> Input,
}

/// Packed data in memory.
struct Input {
    packed: Vec<u8>,
    at: u16,
    /// Value of the pointer at zp.
    pointer: u16,
}

/// Data at [`PACKED`] with a pointer to its first byte.
fn plain(packed: Vec<u8>) -> Input {
    Input { packed, at: PACKED, pointer: PACKED }
}

fn exomizer_input(bytes: &[u8], direction: Direction) -> Input {
    let options = exomizer::Options { direction, ..exomizer::Options::default() };
    let packed = exomizer::pack_with_address(bytes, TARGET, options).expect("it packs").stream;
    let pointer = match direction {
        Direction::Forward => PACKED,
        Direction::Backward => PACKED + packed.len() as u16,
    };
    Input { packed, at: PACKED, pointer }
}

const DEPACKERS: [Depacker; 7] = [
    Depacker {
        file: "zx0.asm",
        name: "DecrunchZx0",
        arguments: "",
        prepare: |bytes| plain(zx0::pack(bytes).expect("it packs")),
    },
    Depacker {
        file: "b2.asm",
        name: "DecrunchB2",
        arguments: "",
        prepare: |bytes| plain(b2::pack(bytes, TARGET).expect("it packs")),
    },
    Depacker {
        file: "byteboozer.asm",
        name: "DecrunchByteBoozer",
        arguments: "",
        prepare: |bytes| plain(byteboozer::pack(bytes, TARGET).expect("it packs")),
    },
    Depacker {
        file: "tscrunch.asm",
        name: "DecrunchTs",
        arguments: "",
        prepare: |bytes| plain(tscrunch::pack(bytes).expect("it packs")),
    },
    Depacker {
        file: "tscrunch.asm",
        name: "DecrunchTsInPlace",
        arguments: "",
        prepare: |bytes| {
            let packed = tscrunch::pack_in_place(bytes, TARGET).expect("it packs");
            Input { packed: packed.bytes, at: packed.load, pointer: packed.load }
        },
    },
    Depacker {
        file: "exomizer.asm",
        name: "DecrunchExomizer",
        arguments: ", $0334, true",
        prepare: |bytes| exomizer_input(bytes, Direction::Backward),
    },
    Depacker {
        file: "exomizer.asm",
        name: "DecrunchExomizer",
        arguments: ", $0334, false",
        prepare: |bytes| exomizer_input(bytes, Direction::Forward),
    },
];

impl Depacker {
    fn source(&self) -> String {
        fs::read_to_string(root().join("tools/language/assembler/asm/decrunch").join(self.file))
            .expect("the source is there")
    }

    /// The routine as bytes.
    fn routine(&self) -> Vec<u8> {
        let program = format!(
            "#import \"{}\"\n*=${ROUTINE:04x}\n{}(${ZP:02x}{})\n",
            self.file, self.name, self.arguments
        );
        let source = self.source();
        let sources: MemoryFiles =
            [("main.asm", program.as_bytes()), (self.file, source.as_bytes())].into_iter().collect();
        let output = assemble(&sources, "main.asm", &Options::default());
        assert!(!output.has_errors(), "{}: {:?}", self.name, output.diagnostics);
        output.prg().expect("it has bytes")[2..].to_vec()
    }

    /// Unpacks on the emulator; the cycles without those of the call.
    fn run(&self, routine: &[u8], bytes: &[u8], place: &str) -> u64 {
        let input = (self.prepare)(bytes);
        let mut ram = Ram::new();
        ram.load(ROUTINE, routine).expect("it fits");
        ram.load(input.at, &input.packed).expect("it fits");
        ram.load(ZP, &input.pointer.to_le_bytes()).expect("it fits");
        ram.load(ZP + 2, &TARGET.to_le_bytes()).expect("it fits");
        let mut cpu = Cpu::<Nmos>::new();
        cpu.registers.pc = ROUTINE;
        cpu.registers.s = 0xff;
        let stop = cpu.run(&mut ram, Until::rts().within(40_000_000));
        assert_eq!(stop, Stop::Rts, "{place}: {}{}", self.name, self.arguments);
        let from = usize::from(TARGET);
        let unpacked = &ram.bytes()[from..from + bytes.len()];
        assert!(unpacked == bytes, "{place}: {}{} unpacks something else", self.name, self.arguments);
        cpu.cycles
    }
}

/// The value of a line `// Word:  number …` of the comment before a macro.
fn header(source: &str, name: &str, word: &str) -> u64 {
    let end = source.find(&format!(".macro {name}(")).expect("the macro is there");
    let start = source[..end].rfind(&format!("// {name} - ")).expect("the macro has a header");
    let line = source[start..end].lines().find_map(|line| line.strip_prefix(&format!("// {word}:")));
    let digits: String =
        line.expect("the header has the line").trim().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}

#[test]
fn fixtures_unpack() {
    let folder = fixtures().join("crunchers");
    let mut count = 0;
    for depacker in &DEPACKERS {
        let routine = depacker.routine();
        for entry in fs::read_dir(&folder).expect("the fixtures are there") {
            let path = entry.expect("readable").path();
            let bytes = fs::read(&path).expect("readable");
            let is_input = path.extension().is_some_and(|extension| extension == "bin");
            if is_input && (bytes.len() > 1 || depacker.name != "DecrunchTsInPlace") {
                depacker.run(&routine, &bytes, &path.display().to_string());
                count += 1;
            }
        }
    }
    assert_eq!(count, 7 * 18 - 1);
}

#[test]
fn headers_tell_size_and_cycles() {
    let mixed = fs::read(fixtures().join("crunchers/mixed8k.bin")).expect("the fixture is there");
    let mut wrong = Vec::new();
    // The header of the Exomizer's is about the backward form, which comes first.
    for depacker in &DEPACKERS[..6] {
        let routine = depacker.routine();
        let cycles = depacker.run(&routine, &mixed, "mixed8k");
        let source = depacker.source();
        let told = [header(&source, depacker.name, "Size"), header(&source, depacker.name, "Cycles")];
        if told != [routine.len() as u64, cycles] {
            wrong.push(format!(
                "{}: {} bytes, {cycles} cycles; told: {told:?}",
                depacker.name,
                routine.len()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_data_unpacks() {
    for depacker in &DEPACKERS {
        let routine = depacker.routine();
        for round in 0..tempo_testing::rounds(25) {
            let mut random = Random::stream(7, round);
            let bits = 1 + random.below(14);
            let length = 2 + random.index(1 << bits);
            let kind = random.below(4);
            let mut bytes = Vec::new();
            while bytes.len() < length {
                match kind {
                    0 => bytes.push(random.next_u8()),
                    1 => bytes.push(random.below(3) as u8),
                    2 => {
                        let (byte, count) = (random.below(3) as u8, 1 + random.index(700));
                        bytes.extend(std::iter::repeat_n(byte, count));
                    }
                    _ => {
                        let from = random.index(bytes.len().max(1));
                        let until = (from + random.index(300)).min(bytes.len());
                        bytes.extend_from_within(from.min(until)..until);
                        bytes.push(random.next_u8());
                    }
                }
            }
            bytes.truncate(length);
            depacker.run(&routine, &bytes, &format!("round {round}"));
        }
    }
}

/// Assembles a self-extracting program of these bytes, runs it on a C64 and returns the machine at its jump to $C123.
fn self_extracted(modifier: &str, bytes: &[u8], address: u16) -> (C64, usize) {
    let source = format!(
        ".plugin \"se.triad.kickass.CruncherPlugins\"\n.plugin \"tscrunch.kickass.CruncherPlugins\"\n*=$0801\n\
         .modify {modifier} {{\n*=${address:04x}\n.import binary \"data.bin\"\n}}\n"
    );
    let sources: MemoryFiles = [("main.asm", source.as_bytes()), ("data.bin", bytes)].into_iter().collect();
    let output = assemble(&sources, "main.asm", &Options::default());
    assert!(!output.has_errors(), "{modifier}: {:?}", output.diagnostics);
    let prg = output.prg().expect("it has bytes");
    let mut machine = C64::new(Model::Pal);
    machine.start(&prg).expect("a BASIC line");
    let mut last = 0xffff;
    for _ in 0..20_000_000u32 {
        let pc = machine.cpu.registers.pc;
        if pc == 0xc123 && last < 0x0100 {
            return (machine, prg.len() - 2);
        }
        last = pc;
        machine.cpu.step(&mut machine.board);
    }
    panic!("{modifier} does not jump; PC is ${:04X}", machine.cpu.registers.pc);
}

#[test]
fn self_extracting_programs_run() {
    let mut random = Random::new(9);
    let noise: Vec<u8> = (0..3000).map(|_| random.next_u8()).collect();
    let mixed = fs::read(fixtures().join("crunchers/mixed8k.bin")).expect("the fixture is there");
    let long: Vec<u8> = mixed.iter().chain(&mixed).chain(&mixed).rev().copied().collect();
    let cases: [(&[u8], u16); 7] = [
        (b"a", 0x0801),
        (&mixed, 0x0801),
        (&mixed, 0x0200),
        (&noise, 0x0810),
        (&long, 0x0400),
        (&long, 0x9e00),
        (&[7; 40_000], 0x0300),
    ];
    for (bytes, address) in cases {
        for (modifier, has_interrupts) in [("B2exe($c123)", false), ("TS(false, true, $c123)", true)] {
            let (machine, size) = self_extracted(modifier, bytes, address);
            let from = usize::from(address);
            let unpacked = &machine.board.ram()[from..from + bytes.len()];
            assert!(unpacked == bytes, "{modifier} of {} bytes at ${address:04X}", bytes.len());
            assert_eq!(machine.board.ram()[1] & 7, 7, "{modifier} leaves the ROMs on");
            assert_eq!(!machine.cpu.registers.p.has(Status::I), has_interrupts, "{modifier}");
            if !has_interrupts {
                let stream = b2::pack_stream(bytes).expect("it packs").len();
                assert!(
                    size <= 213 + stream + 2,
                    "{size} bytes are more than the original's {}",
                    215 + stream
                );
            }
        }
    }
}

#[test]
fn programs_that_cannot_unpack_themselves_are_refused() {
    let mut random = Random::new(10);
    let noise: Vec<u8> = (0..50_000).map(|_| random.next_u8()).collect();
    let source = b".plugin \"se.triad.kickass.CruncherPlugins\"\n*=$0801\n.modify B2exe() {\n*=$3c00\n\
                   .import binary \"data.bin\"\n}\n";
    let sources: MemoryFiles = [("main.asm", &source[..]), ("data.bin", &noise)].into_iter().collect();
    let output = assemble(&sources, "main.asm", &Options::default());
    let messages: Vec<&str> = output.diagnostics.iter().map(|one| &one.message[..]).collect();
    assert_eq!(messages, ["B2exe: the program is too large to unpack itself"]);
}

#[test]
fn depackers_are_imported_by_their_names() {
    let source = "#import \"<tempo/decrunch/zx0.asm>\"\n*=$1000\nDecrunchZx0($f0)\n";
    let sources: MemoryFiles = [("main.asm", source)].into_iter().collect();
    let output = assemble(&sources, "main.asm", &Options::default());
    assert!(!output.has_errors(), "{:?}", output.diagnostics);
    // Kick Assembler knows no such file.
    let options = Options { errors: Errors::First, ..Options::default() };
    assert!(assemble(&sources, "main.asm", &options).has_errors());
    let sources: MemoryFiles = [("main.asm", "#import \"<tempo/decrunch/zx1.asm>\"\n")].into_iter().collect();
    let output = assemble(&sources, "main.asm", &Options::default());
    assert!(
        output.diagnostics[0].notes.join(" ").contains("<tempo/decrunch/zx0.asm>"),
        "{:?}",
        output.diagnostics
    );
}

#[test]
fn modifiers_refuse_what_they_cannot_pack() {
    let message = |body: &str| {
        let source = format!(
            ".plugin \"se.triad.kickass.CruncherPlugins\"\n.plugin \"tscrunch.kickass.TS\"\n*=$1000\n{body}\n"
        );
        let sources: MemoryFiles = [("main.asm", source.as_bytes())].into_iter().collect();
        let output = assemble(&sources, "main.asm", &Options::default());
        output.diagnostics.first().map_or(String::new(), |first| first.message.clone())
    };
    assert_eq!(message(".modify TS() { .byte 1, 2, 3 }"), "");
    assert_eq!(message(".modify TS(true) { .byte 1, 2, 3 }"), "");
    assert_eq!(
        message(".modify TS(true) { .byte 1 }"),
        "TS: one byte cannot be unpacked in place: two are needed at least"
    );
    assert_eq!(
        message(".modify TS(true, true) { .byte 1, 2 }"),
        "TS cannot use sfx and inplace at the same time"
    );
    assert_eq!(
        message(".modify TS() {\n*=$2000\n.byte 1\n*=$3000\n.byte 1\n}"),
        "TS only handles one, single memory block"
    );
    assert_eq!(message(".modify TS() { }"), "Index 0 out of bounds for length 0");
    assert_eq!(
        message(".modify B2() {\n*=$ffff\n.byte 1, 2\n}"),
        "B2: the address $10000 is outside of memory"
    );
    assert_eq!(
        message(".modify B2(1, 2) {\n.fill 65536, i\n}"),
        "B2: the address $11FFF is outside of memory"
    );
    // The whole memory can be packed.
    assert_eq!(message(".modify B2() {\n*=0\n.fill 65536, i\n}"), "");
    // A single class has no modifier for segments.
    assert_eq!(
        message(".file [name=\"a.prg\", segments=\"Default\", modify=\"TS\"]"),
        "Unknown modifier 'TS'"
    );
}
