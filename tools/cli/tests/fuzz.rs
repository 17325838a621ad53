//! Damaged input for every reader of the project that has no search of its own beside its tests (the assembler, the
//! `.6502` language, the agent protocol, game specs and Enochian files do), and for the program as a process, with
//! bounded memory and time. `FUZZ=100` looks longer, `SEED=7` elsewhere; what is found is kept in `tests/fuzz`.

#![cfg(unix)]

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use flate2::read::{DeflateDecoder, GzDecoder};

use crate::common::{PATIENCE, Scratch};
use tempo_dap::TestOptions;
use tempo_dap::recording::record_tests;
use tempo_emu::c64::{C64, Model};
use tempo_formats::symbols::Symbols;
use tempo_formats::vsf::{self, Writer};
use tempo_formats::{assets, crt, d64, debugdump, debuginfo, images, picture, prg, sid, sym, vice};
use tempo_packers::own;
use tempo_rig::file::{self as recording, Course, RecordingFile};
use tempo_testing::fuzz::Target;
use tempo_testing::{bytes, files_with_extension, fixtures, tries};

fn seeds(folder: &str, extensions: &[&str]) -> Vec<Vec<u8>> {
    let files =
        extensions.iter().flat_map(|extension| files_with_extension(&fixtures().join(folder), extension));
    files.map(|path| bytes(&path)).collect()
}

fn run(target: Target<'_>, usual: u64) {
    assert!(!target.seeds.is_empty(), "{} has nothing to begin with", target.name);
    match target.run(tries(usual)) {
        Ok(tried) => eprintln!("{}: {tried} inputs", target.name),
        Err(message) => panic!("{}: {message}", target.name),
    }
}

#[test]
fn symbol_files() {
    let vice_labels = b"al C:1000 .start\nal C:1002 .loop\nbreak 1000\nwatch store 0400 04ff\n".to_vec();
    let kick =
        b".label start=$1000\n.const x = 3\n.namespace n {\n  .label loop=$1002 {\n .label a=1\n}\n}\n"
            .to_vec();
    let dump = br#"<C64debugger version="1.0"><Sources values="INDEX,FILE">0,a.asm</Sources><Segment name="Default"><Block name="B">$1000,$1002,0,1,2,3,4</Block></Segment><Labels values="SEGMENT,ADDRESS,NAME">Default,$1000,start</Labels></C64debugger>"#.to_vec();
    let words: &[&[u8]] = &[
        b"<Labels",
        b"</",
        b">",
        b"<Block name=\"",
        b"$1000,",
        b".label ",
        b"=$",
        b"{",
        b"}",
        b"al C:",
        b" .",
        b"\n",
        b"break ",
        b"ffffffffffffffffff",
        b"-1",
    ];
    let check = |input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        let _ = (vice::read(&text).is_ok(), vice::is_vice(&text));
        let _ = (debugdump::read(&text).is_ok(), debugdump::read_labels(&text).is_ok());
        if let Ok(symbols) = Symbols::parse(&text) {
            let _ = (symbols.nearest(0x1001), symbols.at(0x1000), symbols.get("start"));
        }
        let written = sym::write(&sym::read(&text).ok()?);
        match sym::read(&written) {
            Ok(again) if sym::write(&again) == written => None,
            Ok(again) => Some(format!("{written:?} is read and written as {:?}", sym::write(&again))),
            Err(err) => Some(format!("{written:?} is not read: {err}")),
        }
    };
    run(Target { name: "symbols", seeds: vec![vice_labels, kick, dump], words, check: &check }, 5_000);
}

#[test]
fn disk_images() {
    let file = |name: &str, len: usize| d64::File {
        name: name.into(),
        kind: d64::Kind::Prg,
        locked: false,
        hide: false,
        interleave: None,
        bytes: vec![7; len],
    };
    let files = [file("ONE", 3), file("TWO", 3000), file("THREE", 20_000)];
    let image = d64::build(&d64::Options::default(), &files).expect("an image");
    let check = |input: &[u8]| {
        // Only images of the right length are read: damage goes into the directory and the first tracks.
        let mut whole = image.clone();
        for (at, pair) in input.chunks_exact(2).enumerate().take(400) {
            let place =
                if at % 2 == 0 { 0x16500 + usize::from(pair[0]) * 2 } else { at * usize::from(pair[0]) };
            whole[place % image.len()] = pair[1];
        }
        let _ = (d64::read(input).is_ok(), prg::read(input).is_ok(), d64::validate(input).is_some());
        let _ = d64::validate(&whole);
        // What can be put into a drive is written by it, and read and written again as the same image.
        let written = tempo_c64::Volume::from_d64(&whole).ok()?.to_d64().ok()?;
        let again = tempo_c64::Volume::from_d64(&written).and_then(|volume| volume.to_d64());
        (again.as_ref().ok() != Some(&written)).then(|| format!("its own image is read as {:?}", again.err()))
    };
    run(
        Target {
            name: "d64",
            seeds: vec![(0..200).collect()],
            words: &[b"\x12\x00", b"\x12\x12", b"\xff\xff"],
            check: &check,
        },
        500,
    );
}

/// Machines of which some bytes were changed, with a checksum that fits: what is loaded can run and be saved again.
#[test]
fn saved_machines() {
    let mut machine = C64::new(Model::Pal);
    let program: &[u8] =
        &[1, 8, 0x0b, 8, 0, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0, 0xee, 0x20, 0xd0, 0x4c, 0x0d, 8];
    machine.start(program).expect("a program");
    machine.run_cycles(30_000);
    let saved = machine.save();
    let head = 10;
    let check = |input: &[u8]| {
        let _ = C64::load(input).is_ok();
        let mut bytes = saved[..saved.len() - 8].to_vec();
        for change in input.chunks_exact(4).take(20) {
            let place = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
            let place = head + place % (bytes.len() - head);
            bytes[place] = change[3];
        }
        let sum = tempo_emu::c64::state_checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        let mut machine = C64::load(&bytes).ok()?;
        machine.run_cycles(500);
        let again = machine.save();
        match C64::load(&again) {
            Ok(machine) => (machine.save() != again).then(|| "it changes when it is saved".to_string()),
            Err(err) => Some(format!("what ran cannot be loaded: {err}")),
        }
    };
    let seeds = vec![(0..80).collect(), vec![0xff; 40]];
    run(
        Target { name: "states", seeds, words: &[b"\0\0\0\xff", b"\0\x01", b"\xff\xff"], check: &check },
        200,
    );
}

/// Cartridges with damage: what can be read runs, is saved and loaded with what it has written, and is written as the
/// same image.
#[test]
fn cartridges() {
    let kinds: Vec<(crt::Kind, Vec<u8>)> = crt::Kind::ALL
        .iter()
        .map(|&kind| {
            // A program that switches banks and writes to them: `inc $DE00`, `sta $8000,x`, `jmp`.
            let code: Vec<u8> =
                [0x09, 0x80, 0x09, 0x80, 0xc3, 0xc2, 0xcd, 0x38, 0x30, 0xe8, 0xee, 0x00, 0xde]
                    .into_iter()
                    .chain([0x9d, 0x00, 0x80, 0x8e, 0x02, 0xde, 0x4c, 0x09, 0x80])
                    .collect();
            let part = |is_high| crt::Part { bank: 0, is_high, bytes: code.clone() };
            let image = crt::build(kind, "", &[part(false), part(true)])
                .or_else(|_| crt::build(kind, "", &[part(false)]))
                .expect("a cartridge");
            (kind, image.write())
        })
        .collect();
    let check = |input: &[u8]| {
        let _ = crt::read(input).is_ok();
        let (kind, mut bytes) = kinds[usize::from(*input.first()?) % kinds.len()].clone();
        for change in input[1..].chunks_exact(4).take(20) {
            // Half of the damage goes into the headers.
            let near = if change[0] < 128 { 0x80 } else { bytes.len() };
            let place = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
            bytes[place % near] = change[3];
        }
        let image = crt::read(&bytes).ok()?;
        if crt::read(&image.write()).as_ref() != Ok(&image) {
            return Some(format!("{kind:?} is written as another image"));
        }
        let mut machine = C64::new(Model::Pal);
        machine.board.plug(tempo_c64::cartridge(&image));
        machine.reset();
        machine.run_cycles(5_000);
        let saved = machine.save();
        match C64::load(&saved) {
            Ok(machine) => (machine.save() != saved).then(|| format!("{kind:?} changes when it is saved")),
            Err(err) => Some(format!("{kind:?}: what ran cannot be loaded: {err}")),
        }
    };
    let seeds = (0..8).map(|kind| (kind..80).collect()).collect();
    run(
        Target { name: "cartridges", seeds, words: &[b"\0\0\x17\x01", b"CHIP", b"\xff\xff"], check: &check },
        300,
    );
}

/// Damaged images of disks and tapes of every kind: the files that can be read are written in every container that takes
/// them, and are read there as the same files.
#[test]
fn containers() {
    let packed = files_with_extension(&fixtures().join("images"), "gz");
    let images: Vec<(String, Vec<u8>)> = packed
        .iter()
        .map(|path| {
            let mut whole = Vec::new();
            GzDecoder::new(&bytes(path)[..]).read_to_end(&mut whole).expect("packed data");
            (path.with_extension("").extension().unwrap_or_default().to_string_lossy().into_owned(), whole)
        })
        .collect();
    let check = |input: &[u8]| {
        let (extension, mut whole) = images[usize::from(*input.first()?) % images.len()].clone();
        let _ = images::read(&extension, input).is_ok();
        for change in input[1..].chunks_exact(4).take(50) {
            let place = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
            let len = whole.len();
            whole[place % len] = change[3];
        }
        let read = images::read(&extension, &whole).ok()?;
        let _ = d64::validate(&whole);
        let file = |entry: &d64::Entry| {
            let kind = entry.kind.filter(|kind| matches!(kind, d64::Kind::Prg | d64::Kind::Seq))?;
            let is_whole = entry.fault.is_none() && entry.bytes.len() > 2;
            let (name, bytes) = (entry.name.clone(), entry.bytes.clone());
            is_whole.then_some(d64::File { name, kind, locked: false, hide: false, interleave: None, bytes })
        };
        let files: Vec<d64::File> = read.entries.iter().filter_map(file).collect();
        // A tape without files is written, and refused as damaged.
        let containers = images::Container::ALL.into_iter().filter(|_| !files.is_empty());
        for container in containers {
            let Ok(image) = images::write(container, &read.name, "2A", &files) else { continue };
            let again = match images::read(container.extension(), &image) {
                Ok(again) => again,
                Err(err) => return Some(format!("{container:?} of a {extension} is not read again: {err}")),
            };
            let contents = |entries: &[d64::Entry]| entries.iter().map(|entry| entry.bytes.clone()).collect();
            let found: Vec<Vec<u8>> = contents(&again.entries);
            if found != files.iter().map(|file| file.bytes.clone()).collect::<Vec<_>>() {
                return Some(format!("{container:?} of a {extension} has other files"));
            }
        }
        None
    };
    let seeds = (0..images.len() as u8).map(|kind| (kind..100).collect()).collect();
    run(
        Target { name: "containers", seeds, words: &[b"\x12\x00", b"\0\0\0\0", b"\xff\xff"], check: &check },
        150,
    );
}

/// Recordings with damage inside their chunks and a checksum that fits: what is read is written as the same file, opens,
/// runs, and goes back.
#[test]
fn recordings() {
    const PROGRAM: &str = "*=$1000\n.label total = $02\nadd: clc\n lda total\n adc #3\n sta total\n rts\n";
    const SUITE: &str = "suites {
        suite(\"bare\") { assemble(\"sums.asm\")
          test(\"two\", \"adds\") { [total] = 1 io($d012, sequence = (1, 2)) irq(at_cycle = 5) jsr([add]) assert([total] == 3) } }
        suite(\"whole\") { system(c64_pal) assemble(\"sums.asm\")
          test(\"keys\", \"types\") { frames(1) keys(\"A{F1}\") [total] = 1 jsr([add]) assert([total] == 3) } } }";
    let files: tempo_assembler::MemoryFiles = [("sums.asm", PROGRAM)].into_iter().collect();
    let options = TestOptions {
        dialect: tempo_harness::parse::Dialect::Full,
        legacy_sum_reads: false,
        defines: Vec::new(),
        run: tempo_harness::run::RunOptions::default(),
    };
    let ids = ["bare/two".to_string(), "whole/keys".to_string()];
    let name = |path: &str| path.to_string();
    let recorded =
        record_tests("sums.6502", SUITE.as_bytes(), &files, &ids, &options, &name).expect("a suite");
    let all: Vec<Vec<(Vec<u8>, Vec<u8>)>> = recorded
        .into_iter()
        .map(|(id, file)| chunks(&file.unwrap_or_else(|why| panic!("{id}: {why}"))))
        .collect();
    let setup = tempo_debug::Setup { history: 8, ..tempo_debug::Setup::default() };
    let check = |input: &[u8]| {
        let _ = recording::read(input).is_ok();
        let mut parts = all[usize::from(*input.first()?) % all.len()].clone();
        for change in input[1..].chunks_exact(4).take(30) {
            // Half of the damage goes into the actions, which are short.
            let part = usize::from(change[0]);
            let part = if part < 128 { 2 } else { part % parts.len() };
            let bytes = &mut parts[part].1;
            let place =
                usize::from(u16::from_le_bytes([change[1], change[2]])) * if part == 1 { 5 } else { 1 };
            match bytes.len() {
                0 => bytes.push(change[3]),
                length => bytes[place % length] = change[3],
            }
        }
        let mut file = recording::read(&joined(&parts)).ok()?;
        if let Ok(course) = &file.course {
            let write = |file: &RecordingFile, course: &Course| {
                recording::write(&file.about, Some(course), &file.sources, file.picture.as_deref())
            };
            let written = write(&file, course);
            match recording::read(&written) {
                Ok(RecordingFile { course: Ok(course), .. }) if write(&file, &course) == written => {}
                Ok(_) => return Some("it changes when it is written".to_string()),
                Err(err) => return Some(format!("what was written cannot be read: {err}")),
            }
        }
        file.about.max_cycles = file.about.max_cycles.clamp(1, 100_000);
        let (target, _) = tempo_dap::recording::open(file, &setup).ok()?;
        let mut debugger = tempo_debug::Debugger::new(target);
        debugger.resume();
        let _ = debugger.run(30_000);
        debugger.go_back(2);
        None
    };
    let seeds = (0..2).map(|kind| (kind..100).collect()).collect();
    let words: &[&[u8]] = &[b"\x00\x00\x00\xff", b"\x05\x0b\x00\x0b", b"\x09\x03\x00\x04", b"\xff\xff"];
    run(Target { name: "recordings", seeds, words, check: &check }, 150);
}

/// The chunks of a recording: their names, and their bytes unpacked.
fn chunks(mut file: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut found = Vec::new();
    file = &file[20..];
    while let Some((head, rest)) = file.split_at_checked(9) {
        let length = u32::from_le_bytes(head[4..8].try_into().expect("four bytes")) as usize;
        let (stored, rest) = rest.split_at(length);
        let mut bytes = Vec::new();
        match head[8] {
            0 => bytes.extend(stored),
            _ => drop(DeflateDecoder::new(stored).read_to_end(&mut bytes).expect("packed data")),
        }
        found.push((head[..4].to_vec(), bytes));
        file = rest;
    }
    found
}

/// A recording of these chunks, with its checksum.
fn joined(parts: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, bytes) in parts {
        body.extend([&name[..], &(bytes.len() as u32).to_le_bytes(), &[0], bytes].concat());
    }
    [&b"TEMPOREC\x01\0\0\0"[..], &tempo_emu::checksum(&body).to_le_bytes(), &body].concat()
}

/// Snapshots of VICE with damage: what can be read runs, is saved as a machine, and described again.
#[test]
fn snapshots_of_vice() {
    let models = [Model::Pal, Model::Ntsc, Model::NtscOld];
    let all: Vec<Vec<u8>> = models
        .into_iter()
        .flat_map(|model| {
            let mut machine = C64::new(model);
            machine.run_cycles(30_000);
            [Writer::X64Sc, Writer::X64].map(|writer| tempo_c64::snapshot_of(&mut machine, writer).write())
        })
        .collect();
    let check = |input: &[u8]| {
        let _ = vsf::read(input).is_ok();
        let mut bytes = all[usize::from(*input.first()?) % all.len()].clone();
        let length = bytes.len();
        for change in input[1..].chunks_exact(4).take(20) {
            // The chips are after the memory.
            let from = if change[0] < 200 { 66_000 } else { 0 };
            let place = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
            bytes[from + place % (length - from)] = change[3];
        }
        let snapshot = vsf::read(&bytes).ok()?;
        // An old file does not say which chip it means, so the user does.
        let model = tempo_c64::model_of(&snapshot).unwrap_or(models[usize::from(input[0]) % models.len()]);
        let mut machine = tempo_c64::machine_of(&snapshot, model);
        machine.run_cycles(25_000);
        let saved = machine.save();
        if C64::load(&saved).map(|machine| machine.save()).as_ref() != Ok(&saved) {
            return Some("what ran cannot be loaded, or changes when it is saved".to_string());
        }
        let again = tempo_c64::snapshot_of(&mut machine, snapshot.writer).write();
        vsf::read(&again).err().map(|err| format!("its own snapshot cannot be read: {err}"))
    };
    let seeds = (0..all.len() as u8).map(|kind| (kind..80).collect()).collect();
    run(Target { name: "vsf", seeds, words: &[b"\0\0\0\xff", b"\0\x01", b"\xff\xff"], check: &check }, 150);
}

/// Files of graphics editors, cut and damaged.
#[test]
fn graphics_files() {
    let all = seeds("assets", &["ctm", "spd"]);
    let words: &[&[u8]] =
        &[b"CTM", b"SPD", b"\xff\xff", b"\xff\xff\xff\xff", b"\0\0", b"\xda\xb0", b"\xda\xb1", b"\x08", b"{"];
    let check = |input: &[u8]| {
        for name in ["x.ctm", "x.spd", "x.spm", "x.koa", "x.bin"] {
            let Ok(asset) = assets::read(name, input) else { continue };
            let _ = asset.warning();
            for part in &asset.parts {
                let count = part.len();
                if part.entry(count).is_some() || (count > 0 && part.entry(count - 1).is_none()) {
                    return Some(format!("{name}: {} has not {count} entries", part.name));
                }
                let limit = 1 << 22;
                if part.bytes.len() > limit {
                    return Some(format!("{name}: {} bytes of {}", part.bytes.len(), part.name));
                }
            }
        }
        None
    };
    run(Target { name: "assets", seeds: all, words, check: &check }, 3_000);
}

/// Debug information of other assemblers.
#[test]
fn debug_information() {
    let all = seeds("foreign", &["dbg", "lst"]);
    let words: &[&[u8]] = &[
        b"version\t",
        b"id=",
        b",",
        b"+",
        b"\"",
        b"span\t",
        b"line\t",
        b"0x",
        b"ffffffffffffffffff",
        b"-1",
        b"\n",
        b";",
    ];
    let check = |input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        let _ = debuginfo::read(&text, &mut |_| Some("start:  lda #1\n        rts\n".to_string())).is_ok();
        None
    };
    run(Target { name: "debuginfo", seeds: all, words, check: &check }, 2_000);
}

/// Sessions with VICE's monitor, of requests and lines in any order: every request is answered, and so is the client that
/// comes after.
#[test]
fn monitor_sessions() {
    struct Folder(HashMap<String, Vec<u8>>);
    impl tempo_monitor::Files for Folder {
        fn read(&mut self, name: &str) -> Option<Vec<u8>> {
            self.0.get(name).cloned()
        }
        fn write(&mut self, name: &str, bytes: &[u8]) -> bool {
            self.0.insert(name.to_string(), bytes.to_vec());
            true
        }
    }
    /// All commands but the one that ends the server, those that make machines and the past longer.
    const COMMANDS: [u8; 33] = [
        0x01, 0x02, 0x11, 0x12, 0x13, 0x14, 0x15, 0x22, 0x31, 0x32, 0x41, 0x42, 0x51, 0x52, 0x71, 0x72, 0x73,
        0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x91, 0xa2, 0xb2, 0xaa, 0xcc, 0xdd, 0xe0, 0xe1, 0xe2, 0xe3,
    ];
    let program =
        [1, 8, 0x0b, 8, 0, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0, 0xee, 0x20, 0xd0, 0x4c, 0x0d, 8];
    let computer = tempo_emu::System::C64Pal.computer().expect("a whole computer");
    let check = |input: &[u8]| {
        let files = Folder([("p".to_string(), program.to_vec())].into());
        let setup = tempo_monitor::Setup {
            computer: computer.clone(),
            has_debugcart: false,
            limit: None,
            history: 4,
        };
        let mut monitor = tempo_monitor::Monitor::new(setup, Box::new(files));
        let mut answers = Vec::new();
        let mut rest = input;
        let mut number = 0_u32;
        let mut asked = Vec::new();
        while let Some((&[kind, length], after)) = rest.split_first_chunk::<2>() {
            let (body, after) = after.split_at(usize::from(length % 32).min(after.len()));
            rest = after;
            match COMMANDS.get(usize::from(kind)) {
                Some(command) => {
                    number += 1;
                    asked.push(number);
                    monitor.receive(&request(number, *command, body));
                }
                None => monitor.receive_text(&[body, b"\n"].concat()),
            }
            while monitor.poll() {
                answers.extend(monitor.take_binary());
            }
            monitor.run_frame();
            answers.extend(monitor.take_binary());
            let _ = monitor.take_text();
            if number >= 25 || monitor.end().is_some() {
                break;
            }
        }
        if monitor.end().is_some() {
            return None;
        }
        for _ in 0..asked.len() {
            while monitor.poll() {}
            monitor.run_frame();
        }
        answers.extend(monitor.take_binary());
        let told = answered(&answers);
        if let Some(missing) = asked.iter().find(|asked| !told.contains(asked)) {
            return Some(format!("request {missing} has no answer"));
        }
        monitor.left();
        monitor.text_left();
        monitor.receive(&request(77, 0x81, &[]));
        for _ in 0..3 {
            while monitor.poll() {}
            monitor.run_frame();
        }
        let is_there = answered(&monitor.take_binary()).contains(&77);
        (!is_there).then(|| "the next client has no answer".to_string())
    };
    let text = |line: &str| [&[200, line.len() as u8], line.as_bytes()].concat();
    let lines = [
        "break 1000 if A == 1",
        "trace exec 0000 ffff",
        "until 0810",
        "m 0 ffff",
        "d",
        "r pc=080d",
        "x",
        "z 5",
        "n",
        "f 0400 07e7 20",
        "> d020 1",
        "bank io",
        "al C:1000 .l",
        "ignore 1 2",
        "enable",
        "delete",
    ];
    let binary: Vec<u8> =
        (0..COMMANDS.len() as u8).flat_map(|kind| [kind, 9, 1, 0, 8, 0xff, 9, 0, 0, 0, 1]).collect();
    let starts = [29, 2, 0xff, 0xff, 28, 4, 1, 0, 0, 1, b'p'];
    let seeds = vec![lines.iter().flat_map(|line| text(line)).collect(), binary, starts.to_vec()];
    let words: &[&[u8]] = &[
        b"\x00\x08\x00\x00\x00\xff\xff\x00\x00\x00",
        b"\x0e\x03\x00\xff\xff",
        b"\x0a\x04\x00\x00\x01s",
        b"\x0b\x02\x01s",
        b"\x1a\x00",
        b"\xff\xff",
        b"\xc8\x01x",
    ];
    run(Target { name: "monitor", seeds, words, check: &check }, 60);
}

/// A request of the binary monitor.
fn request(number: u32, command: u8, body: &[u8]) -> Vec<u8> {
    let length = (body.len() as u32).to_le_bytes();
    [&[2, 2][..], &length, &number.to_le_bytes(), &[command], body].concat()
}

/// The numbers of the requests that frames answer; they are there in whole.
fn answered(mut bytes: &[u8]) -> Vec<u32> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (head, rest) = bytes.split_at(12);
        assert_eq!(head[..2], [2, 2], "a frame begins elsewhere");
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
        found.push(word(8));
        bytes = &rest[word(2) as usize..];
    }
    found
}

/// The disassembly of any bytes assembles to these bytes.
#[test]
fn disassembly() {
    let mut all: Vec<Vec<u8>> = files_with_extension(&fixtures().join("c64"), "prg")
        .iter()
        .take(40)
        .map(|path| bytes(path))
        .collect();
    all.iter_mut().for_each(|file| file.truncate(300));
    all.push(b"\x01\x08\x0b\x08\x0a\x00\x9e2061\0\0\0\xa9\x00\x8d\x20\xd0\x60".to_vec());
    all.push(vec![0xf0, 0xff, 0x4c, 0xfe, 0xff, 0xd0, 0x80, 0x6c, 0xff, 0xff]);
    let words: &[&[u8]] = &[
        b"\x9e2061",
        b"\x20\xd2\xff",
        b"\x4c",
        b"\x6c\xff\xff",
        b"\xd0\x7f",
        b"\xd0\x80",
        b"\x02",
        b"\0\0\0",
    ];
    let check = |input: &[u8]| {
        let (addr, bytes) = prg::read(input).ok()?;
        if bytes.is_empty() || usize::from(addr) + bytes.len() > 0x10000 {
            return None;
        }
        let entry = u16::from_le_bytes([bytes[0], *bytes.last()?]);
        let options =
            tempo_disasm::Options { entries: vec![addr, entry], ..tempo_disasm::Options::default() };
        let source = tempo_disasm::source(addr, bytes, &options);
        let files: tempo_assembler::MemoryFiles = [("again.asm", source.as_str())].into_iter().collect();
        let output = tempo_assembler::assemble(&files, "again.asm", &tempo_assembler::Options::default());
        let wanted = prg::write(i64::from(addr), bytes);
        (output.has_errors() || output.prg().as_ref() != Some(&wanted))
            .then(|| format!("it is printed as\n{source}"))
    };
    run(Target { name: "disasm", seeds: all, words, check: &check }, 300);
}

/// Messages of editors and of VICE, whole and in pieces.
#[test]
fn wire_messages() {
    let whole = tempo_framing::frame(&serde_json::json!({"seq": 1, "type": "request", "command": "threads"}));
    let seeds = vec![whole.repeat(2), b"Content-Type: x\r\ncontent-length:2\r\n\r\n{}".to_vec()];
    let words: &[&[u8]] =
        &[b"Content-Length: ", b"\r\n", b"\r\n\r\n", b"18446744073709551615", b"-1", b"{", b"}", b"\xff"];
    let check = |input: &[u8]| {
        let read = |size: usize| {
            let (mut reader, mut found) = (tempo_framing::Reader::default(), Vec::new());
            for piece in input.chunks(size) {
                reader.push(piece);
                loop {
                    match reader.message() {
                        Ok(Some(message)) => found.push(message),
                        Ok(None) => break,
                        Err(_) => return found,
                    }
                }
            }
            found
        };
        let (whole, pieces) = (read(input.len().max(1)), read(3));
        (whole != pieces).then(|| format!("{whole:?} in one piece, {pieces:?} in several"))
    };
    run(Target { name: "wire", seeds, words, check: &check }, 2_000);
}

/// Input that a person types for the machine and for the debugger, and packed data.
#[test]
fn scripts_of_the_machine() {
    let seeds = [
        "load\"*\",8,1{return}run{wait 50}{f1}",
        "10: up, 20: up+fire, 35:none",
        "a == $10 && [Score+1] > 3 || raster >= 100 && !(x % 3)",
        "score is {[Score]}, a {a:x} and {{",
        "== 5",
        "mod 3",
    ];
    let seeds = seeds.iter().map(|text| text.as_bytes().to_vec()).collect();
    let words: &[&[u8]] = &[
        b"{",
        b"}",
        b"(",
        b"[",
        b"]",
        b"999999999999999999999",
        b"$",
        b"&&",
        b"<<",
        b"{wait ",
        b"+",
        b":",
        b"-",
    ];
    let resolve = |name: &str| (name == "Score").then_some(0x1000);
    let check = |input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        let _ = (
            tempo_c64::Keys::parse(&text, &tempo_emu::c64::KEYBOARD).is_ok(),
            tempo_c64::Moves::parse(&text).is_ok(),
        );
        let _ = (
            tempo_debug::Program::compile(&text, &resolve).is_ok(),
            tempo_debug::Message::parse(&text, &resolve).is_ok(),
        );
        let _ = (
            tempo_debug::Hits::parse(&text),
            tempo_debug::Subject::parse(&text),
            tempo_debug::parse_number(&text),
        );
        let bits = |at: usize| input.get(at).map_or(0, |byte| byte % 16);
        let ranges =
            own::Ranges { short: std::array::from_fn(bits), long: std::array::from_fn(|at| bits(at + 4)) };
        let unpacked = own::unpack(input, ranges, 5000);
        unpacked.is_ok_and(|bytes| bytes.len() > 70_000).then(|| "more is unpacked than may be".to_string())
    };
    run(Target { name: "scripts", seeds, words, check: &check }, 3_000);
}

#[test]
fn pictures_and_tunes() {
    let mut all = seeds("asm/ok/pictures", &["png", "gif", "jpg"]);
    let mut tune = b"PSID\0\x02\0\x7c\0\0\x10\0\x10\x03\0\x01\0\x01".to_vec();
    tune.resize(0x7c, b'A');
    tune.extend([0x00, 0x10, 0x60]);
    all.push(tune);
    let words: &[&[u8]] =
        &[b"\xff\xff\xff\xff", b"\0\0\0\0", b"IDAT", b"GIF89a", b"\xff\xd8", b"PSID", b"\x7f"];
    let check = |input: &[u8]| {
        let _ = sid::parse(input).is_ok();
        if let Ok(picture) = picture::decode(input) {
            let colours = picture.colours();
            let _ = (picture.pixel(0, 0), picture.byte(0, 0, &colours, picture::Mode::Multi));
        }
        None
    };
    run(Target { name: "pictures", seeds: all, words, check: &check }, 1_500);
}

#[test]
fn chess_notation() {
    let mut all = seeds("positions", &["epd"]);
    all.push(tempo_chess::START_FEN.as_bytes().to_vec());
    all.push(b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O e8=Q+ Nbd7# exd6 1-0".to_vec());
    let all =
        all.iter().flat_map(|text| text.split(|&byte| byte == b'\n').take(200).map(<[u8]>::to_vec)).collect();
    let words: &[&[u8]] = &[
        b" w KQkq - 0 1",
        b" b - e3",
        b"8/8/8/8",
        b"K",
        b"k",
        b"9",
        b"99999999999999999999",
        b"O-O-O",
        b"=Q",
        b"/",
    ];
    let check = |input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        let _ = (
            tempo_chess::inspect_fen(&text),
            tempo_chess::Board::from_epd(&text).is_ok(),
            tempo_bridge::epd::parse(&text),
        );
        let start: tempo_chess::Board = tempo_chess::START_FEN.parse().ok()?;
        for word in tempo_chess::san::words(&text).take(50) {
            let _ = (
                tempo_chess::san::read(&start, word, tempo_chess::PromotionSet::default()).is_ok(),
                word.parse::<tempo_chess::Move>().is_ok(),
            );
        }
        let board: tempo_chess::Board = text.parse().ok()?;
        let fen = board.fen();
        let again = fen.parse::<tempo_chess::Board>().map(|board| board.fen());
        (again.as_ref() != Ok(&fen)).then(|| format!("{fen} is read as {again:?}"))
    };
    run(Target { name: "chess", seeds: all, words, check: &check }, 5_000);
}

#[test]
fn game_collections() {
    let whole = "[Event \"x\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O+ $1 {c} (1. Rh8+ Kd7) Kd7 2. Rf7+ 1-0\n% x\n1. é4 *";
    let plain = "[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ; rest\n4. O-O {(}} 1/2-1/2\n\n1. d4 *\n";
    let words: &[&[u8]] =
        &[b"(", b"{", b"[", b"\"", b"]", b"1.", b"$", b"\xef\xbb\xbf", b"e8=Q", b"1-0", b"((((((((", b"\\"];
    let check = |input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        let (games, faults) = tempo_chess::pgn::read(&text);
        if let Some(fault) =
            faults.iter().find(|fault| fault.span.is_none_or(|span| span.end as usize > text.len()))
        {
            return Some(format!("{fault:?} has no place in the text"));
        }
        // What was read without a fault is written and read as the same game.
        let game = games.first().filter(|_| faults.is_empty())?;
        let written = tempo_chess::pgn::write(game);
        let (again, faults) = tempo_chess::pgn::read(&written);
        // A closing brace in a comment cannot be written, so comments are left out.
        let moves = |record: &tempo_chess::pgn::Record| {
            record.moves.iter().map(|played| played.mv).collect::<Vec<_>>()
        };
        let is_same = faults.is_empty()
            && again.first().is_some_and(|again| moves(again) == moves(game) && again.result == game.result);
        (!is_same).then(|| format!("{written} is read with {faults:?}"))
    };
    run(Target { name: "pgn", seeds: vec![whole.into(), plain.into()], words, check: &check }, 1_000);
}

#[test]
fn json_and_saved_games() {
    let mut all = seeds("specs", &["json"]);
    all.push(
        br#"{"game": "chess", "start": "x", "moves": ["e2e4", 1, null, {"a": [1e9, -0.5, "\u00e4"]}]}"#
            .to_vec(),
    );
    all.iter_mut().for_each(|text| text.truncate(2000));
    let words: &[&[u8]] =
        &[b"{", b"}", b"[", b"]", b"\"", b"null", b"1e999", b"\\ud800", b"[[[[[[[[", b":", b","];
    let check = |input: &[u8]| {
        let _ = tempo_boardgame::saved::read(input).is_ok();
        let ours = tempo_json::parse(input, tempo_json::Limits::default());
        let theirs = serde_json::from_slice::<serde_json::Value>(input);
        // What we take is JSON; we refuse more than the other reader does (depth, doubled keys).
        (ours.is_ok() && theirs.as_ref().is_err_and(|err| !err.to_string().contains("out of range")))
            .then(|| format!("taken although it is no JSON: {theirs:?}"))
    };
    run(Target { name: "json", seeds: all, words, check: &check }, 5_000);
}

#[test]
fn option_words() {
    let all = vec![
        b"game.asm -symbolfile -odir ../bin -libdir lib -define DEBUG :level=3 -o x.prg -showmem".to_vec(),
        b"-asminfo all -asminfofile x -log y -execute \"x64 -a\" -cfgfile f -replacefile a b -binfile -afo"
            .to_vec(),
    ];
    let words: &[&[u8]] =
        &[b" -", b"-o ", b":", b"=", b"\"", b"'", b"\\", b" -libdir", b" -replacefile ", b" -cfgfile x"];
    let disk = tempo_kickass::MemoryDisk::default();
    let check = |input: &[u8]| {
        let words = tempo_kickass::split_words(&String::from_utf8_lossy(input));
        let mut job = tempo_kickass::Job::new("/project".into());
        let _ = tempo_kickass::apply(&words, &mut job, &disk).is_ok();
        let _ = tempo_kickass::hide_words(words.iter().map(Into::into));
        None
    };
    run(Target { name: "words", seeds: all, words, check: &check }, 5_000);
}

/// The program on damaged files: 2 GB of addresses, ten seconds, its own exit code, and not a file but the ones
/// it may write.
#[test]
fn processes() {
    let disk = d64::build(&d64::Options::default(), &[]).expect("an image");
    let prg = b"\x01\x08\x0b\x08\x0a\x00\x9e2061\0\0\0\xa9\x00\x8d\x20\xd0\x60".to_vec();
    let messages = [
        tempo_framing::frame(
            &serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        ),
        tempo_framing::frame(
            &serde_json::json!({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}),
        ),
        b"Content-Length: 99999999999999\r\n\r\n{}".to_vec(),
    ];
    let project = b"[project]\nmain = \"main.asm\"\n[build]\nout-dir = \"build\"\ndefines = [\"X\"]\n[test]\npaths = [\"tests\"]\njobs = 2\n";
    let kinds: [(&str, Vec<Vec<u8>>, &str); 11] = [
        ("tempo.toml", vec![project.to_vec()], "config"),
        ("p.prg", vec![prg.clone()], "disasm p.prg -o out.asm"),
        ("r.prg", vec![prg], "run r.prg --max-cycles 100000"),
        ("d.d64", vec![disk], "d64 validate d.d64"),
        ("c.state", vec![C64::new(Model::Pal).save()], "run --system c64 --load-state c.state --frames 2"),
        ("l.lsp", messages.to_vec(), "lsp < l.lsp"),
        ("m.dap", messages.to_vec(), "dap < m.dap"),
        ("a.asm", seeds("conformance", &["asm"]), "asm a.asm -o out.prg"),
        ("s.6502", seeds("dsl", &["6502"]), "test s.6502 --max-cycles 100000"),
        ("g.json", seeds("specs", &["json"]), "game check g.json"),
        ("e.txt", seeds("enochian", &["txt"]), "enochian show e.txt"),
    ];
    let words: &[&[u8]] = &[
        b"(",
        b")",
        b"{",
        b"}",
        b"\"",
        b"\n",
        b".fill 99999999, 0",
        b"-1",
        b"\0",
        b"\xff",
        b".while (true) {",
    ];
    for (file, seeds, line) in kinds {
        let check = |input: &[u8]| {
            let scratch = Scratch::new(&[]);
            scratch.write(file, input);
            let ran =
                scratch.shell(&format!("ulimit -v 2097152; timeout {PATIENCE} $TEMPO {line} > /dev/null"));
            let code = ran.code;
            if !matches!(code, Some(0..=3)) {
                return Some(format!("{line} ended with {code:?}: {}", ran.err));
            }
            let stray: Vec<String> =
                scratch.files().into_iter().filter(|name| name.ends_with(".tmp")).collect();
            (!stray.is_empty()).then(|| format!("{line} left {stray:?}"))
        };
        let name = format!("process-{}", Path::new(file).extension().unwrap_or_default().to_string_lossy());
        run(Target { name: &name, seeds, words, check: &check }, 6);
    }
}
