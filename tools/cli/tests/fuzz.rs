//! Damaged input for every reader of the project that has no search of its own beside its tests (the assembler, the
//! `.6502` language, the agent protocol, game specs and Enochian files do), and for the program as a process, with
//! bounded memory and time. `FUZZ=100` looks longer, `SEED=7` elsewhere; what is found is kept in `tests/fuzz`.

#![cfg(unix)]

mod common;

use std::path::Path;

use common::Scratch;
use formats::symbols::Symbols;
use formats::{d64, picture, prg, sid, sym, vice};
use testing::fuzz::Target;
use testing::{bytes, files_with_extension, fixtures, rounds};

fn seeds(folder: &str, extensions: &[&str]) -> Vec<Vec<u8>> {
    let files =
        extensions.iter().flat_map(|extension| files_with_extension(&fixtures().join(folder), extension));
    files.map(|path| bytes(&path)).collect()
}

fn run(target: Target<'_>, usual: u64) {
    assert!(!target.seeds.is_empty(), "{} has nothing to begin with", target.name);
    match target.run(rounds(usual)) {
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
    let words: &[&[u8]] =
        &[b".label ", b"=$", b"{", b"}", b"al C:", b" .", b"\n", b"break ", b"ffffffffffffffffff", b"-1"];
    let check = |input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        let _ = (vice::read(&text).is_ok(), vice::is_vice(&text));
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
    run(Target { name: "symbols", seeds: vec![vice_labels, kick], words, check: &check }, 5_000);
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
        let _ = (d64::read(&whole).is_ok(), d64::read(input).is_ok(), prg::read(input).is_ok());
        None
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
    all.push(chess::START_FEN.as_bytes().to_vec());
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
        let _ = (chess::inspect_fen(&text), chess::Board::from_epd(&text).is_ok(), bridge::epd::parse(&text));
        let start: chess::Board = chess::START_FEN.parse().ok()?;
        for word in chess::san::words(&text).take(50) {
            let _ = (
                chess::san::read(&start, word, chess::PromotionSet::default()).is_ok(),
                word.parse::<chess::Move>().is_ok(),
            );
        }
        let board: chess::Board = text.parse().ok()?;
        let fen = board.fen();
        let again = fen.parse::<chess::Board>().map(|board| board.fen());
        (again.as_ref() != Ok(&fen)).then(|| format!("{fen} is read as {again:?}"))
    };
    run(Target { name: "chess", seeds: all, words, check: &check }, 5_000);
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
        let _ = boardgame::saved::read(input).is_ok();
        let ours = boardgame::json::parse(input, boardgame::json::Limits::default());
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
    let disk = kickass::MemoryDisk::default();
    let check = |input: &[u8]| {
        let words = kickass::split_words(&String::from_utf8_lossy(input));
        let mut job = kickass::Job::new("/work".into());
        let _ = kickass::apply(&words, &mut job, &disk).is_ok();
        let _ = kickass::hide_words(words.iter().map(Into::into));
        None
    };
    run(Target { name: "words", seeds: all, words, check: &check }, 5_000);
}

/// The program on damaged files: 2 GB of addresses, ten seconds, an exit code of its own, and not a file but the ones
/// it may write.
#[test]
fn processes() {
    let kinds: [(&str, Vec<Vec<u8>>, &str); 4] = [
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
            let ran = scratch.shell(&format!("ulimit -v 2097152; timeout 10 $TEMPO {line} > /dev/null"));
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
