//! `tempo run --system c64` as a user calls it: keys, joysticks, the screen, disks, a person's own ROMs, and what is refused.

use std::fs;
use std::path::Path;
use std::process::Command;

use pretty_assertions::assert_eq;
use tempo_formats::d64;

use super::common::{self, Ran, Scratch};

/// Prints what is typed, and the joystick in port 2 as a letter when it moves.
const ECHO: &str = "\
BasicUpstart2(start)
start:  jsr $ffe4
        beq stick
        jsr $ffd2
stick:  lda $dc00
        and #$1f
        cmp last
        beq start
        sta last
        lda #'J'
        jsr $ffd2
        jmp start
last:   .byte $1f
";

/// Loads DATA from drive 8 to $c000, adds one to its byte and saves it as NEW.
const COPY: &str = "\
BasicUpstart2(start)
start:  lda #4
        ldx #<data
        ldy #>data
        jsr $ffbd
        lda #1
        ldx #8
        ldy #1
        jsr $ffba
        lda #0
        jsr $ffd5
        bcs failed
        inc $c000
        lda #3
        ldx #<new
        ldy #>new
        jsr $ffbd
        lda #0
        sta $fb
        lda #$c0
        sta $fc
        lda #$fb
        ldx #1
        ldy #$c0
        jsr $ffd8
        bcs failed
        lda #0
        sta $d7ff
failed: sta $d7ff
        jmp *
data:   .text \"DATA\"
new:    .text \"NEW\"
";

/// Exit code, standard output, standard error.
fn tempo(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let ran = Ran::from(common::tempo(words).current_dir(folder).output().expect("tempo"));
    (ran.code, ran.out, ran.err)
}

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let scratch = Scratch::new(&[]);
    files.iter().for_each(|(name, bytes)| scratch.write(name, bytes));
    scratch.0
}

#[test]
fn keys_and_joysticks_reach_the_program() {
    let folder = folder(&[("echo.asm", ECHO.as_bytes())]);
    let run = |more: &[&str]| {
        let words =
            [&["run", "--system", "c64", "echo.asm", "--screen", "--frames", "80", "--ok-on-timeout"], more]
                .concat();
        tempo(folder.path(), &words)
    };
    let (code, out, err) = run(&["--keys", "{WAIT 5}hi!{RETURN}{SPACE}2"]);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "HI!\n 2\n", ""));
    let (_, out, _) = run(&["--joystick2", "10:up+fire,20:none"]);
    assert_eq!(out, "JJ\n");
}

#[test]
fn a_call_of_a_rom_routine_that_is_absent_is_named_with_its_line() {
    let source = "BasicUpstart2(start)\nstart:  ldx #<1234\n        lda #>1234\n        jsr $bdcd\n        jsr $e26b  // SIN\n        rts\n";
    let folder = folder(&[("sin.asm", source.as_bytes())]);
    let (code, out, err) = tempo(folder.path(), &["run", "--system", "c64", "sin.asm", "--screen"]);
    assert_eq!((code, out.as_str()), (Some(1), "1234\n"), "{err}");
    for part in
        ["BASIC's SIN ($E26B) was called", "--kernal FILE --basic FILE", "start+7", "sin.asm:5: jsr $e26b"]
    {
        assert!(err.contains(part), "{part}: {err}");
    }
}

/// A ROM for the drive that blinks and does nothing else.
fn drive_rom() -> Vec<u8> {
    let mut rom = vec![0xea; 0x4000];
    // lda #8, sta $1c02, lda $1c00, eor #8, sta $1c00, jmp back
    let code = [0xa9, 8, 0x8d, 2, 0x1c, 0xad, 0, 0x1c, 0x49, 8, 0x8d, 0, 0x1c, 0x4c, 5, 0xc0];
    rom[..code.len()].copy_from_slice(&code);
    rom[0x3ffc..0x3ffe].copy_from_slice(&[0x00, 0xc0]);
    rom
}

#[test]
fn a_whole_drive_has_a_rom_and_keeps_its_disk() {
    let calls = "BasicUpstart2(start)\nstart: lda #$0f\n sta $dd00\n lda #0\n sta $d7ff\n jmp *\n";
    let image = d64::build(&d64::Options::default(), &[]).expect("a disk");
    let folder = folder(&[
        ("calls.asm", calls.as_bytes()),
        ("drive.rom", &drive_rom()),
        ("short.rom", &[0; 100]),
        ("a.d64", &image),
    ]);
    let run = |more: &[&str]| {
        let words = [&["run", "--system", "c64", "calls.asm", "--disk", "a.d64"], more].concat();
        tempo(folder.path(), &words)
    };
    // Without a ROM, what is missing is named.
    let (code, _, err) = run(&[]);
    assert!(code == Some(0) && err.contains("--drive-rom FILE connects a whole 1541"), "{err}");
    let rom = ["--drive-rom", "drive.rom"];
    assert_eq!(run(&rom), (Some(0), String::new(), String::new()));
    let saved = [&rom[..], &["--save-disk", "b.g64"]].concat();
    assert_eq!(run(&saved), (Some(0), String::new(), String::new()));
    let saved = [&rom[..], &["--save-disk", "b.d64"]].concat();
    assert_eq!(run(&saved), (Some(0), String::new(), String::new()));
    assert!(fs::read(folder.path().join("b.d64")).expect("a disk") == image);
    // The bits are a disk, too.
    let words = ["run", "--system", "c64", "calls.asm", "--disk", "b.g64", "--drive-rom", "drive.rom"];
    let more = ["--save-disk", "c.d64", "--save-state", "a.state"];
    assert_eq!(tempo(folder.path(), &[&words[..], &more].concat()).0, Some(0));
    assert!(fs::read(folder.path().join("c.d64")).expect("a disk") == image);
    for (more, message) in [
        (&["--drive-rom", "short.rom"][..], "the ROM of a 1541 has 16384 bytes, this file 100"),
        (&["--drive-rom", "none.rom"], "--drive-rom: cannot read none.rom"),
        (&["--save-disk", "b.d64"], "--drive-rom"),
        (&["--drive-rom", "drive.rom", "--save-disk", "b.txt"], "neither a .d64 nor a .g64"),
    ] {
        let (code, _, err) = run(more);
        assert!(code == Some(2) && err.contains(message), "{more:?}: {err}");
    }
    let words = ["run", "--system", "c64", "calls.asm", "--drive-rom", "drive.rom", "--save-disk", "d.d64"];
    let (code, _, err) = tempo(folder.path(), &words);
    assert!(code == Some(2) && err.contains("there is no disk; add --disk"), "{err}");
    assert!(!folder.path().join("d.d64").exists());
}

#[test]
fn a_folder_and_an_image_serve_as_disks() {
    let folder = folder(&[("copy.asm", COPY.as_bytes()), ("disk/data.prg", &[0x00, 0xc0, 41])]);
    let words = ["run", "--system", "c64", "copy.asm", "--disk", "disk"];
    assert_eq!(tempo(folder.path(), &words), (Some(0), String::new(), String::new()));
    assert_eq!(fs::read(folder.path().join("disk/new.prg")).expect("saved"), [0x00, 0xc0, 42]);
    // Without a disk there is no device, which is error 5.
    assert_eq!(tempo(folder.path(), &words[..4]).0, Some(5));
    // An image that the assembler makes.
    let disk = ".disk [filename=\"a.d64\", name=\"A\", id=\"1\"] { [name=\"DATA\", type=\"prg\", segments=\"Default\"] }\n*=$c000\n.byte 6\n";
    fs::write(folder.path().join("disk.asm"), disk).expect("a writable folder");
    let (code, _, err) = tempo(folder.path(), &["asm", "disk.asm"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let words = ["run", "--system", "c64", "copy.asm", "--disk", "a.d64"];
    assert_eq!(tempo(folder.path(), &words), (Some(0), String::new(), String::new()));
    let words = ["run", "--system", "c64", "a.d64", "--load-name", "NWE"];
    let (code, _, err) = tempo(folder.path(), &words);
    assert_eq!(code, Some(2));
    assert!(err.contains("no program named 'NWE' on the disk; did you mean 'NEW'?"), "{err}");
}

/// A KERNAL that resets like one: it sets up its editor's variables, waits for a key and does what RUN would do.
fn synthetic_kernal() -> Vec<u8> {
    let mut rom = vec![0xea; 0x2000];
    // sei; ldx #$ff; txs; lda #10; sta $0289; lda #0; sta $c6; sta $cc; wait: lda $c6; beq wait; jmp $080d
    let reset: [u8; 23] = [
        0x78, 0xa2, 0xff, 0x9a, 0xa9, 10, 0x8d, 0x89, 0x02, 0xa9, 0, 0x85, 0xc6, 0x85, 0xcc, 0xa5, 0xc6,
        0xf0, 0xfc, 0x4c, 0x0d, 0x08, 0xea,
    ];
    rom[..reset.len()].copy_from_slice(&reset);
    rom[0x1ffa..].copy_from_slice(&[0x00, 0xe0, 0x00, 0xe0, 0x00, 0xe0]);
    rom
}

#[test]
fn a_persons_own_roms_boot_and_get_the_program() {
    // 10 SYS 2061; lda #7; sta $d7ff
    let mut prg = vec![1, 8, 11, 8, 10, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0];
    prg.extend([0xa9, 7, 0x8d, 0xff, 0xd7]);
    let mut stuck = synthetic_kernal();
    stuck[0x0d] = 0xea;
    stuck[0x0e] = 0xea;
    let roms = [
        ("kernal.rom", synthetic_kernal()),
        ("stuck.rom", stuck),
        ("jam.rom", [vec![0x92; 0x1ffa], vec![0, 0xe0, 0, 0xe0, 0, 0xe0]].concat()),
        ("short.rom", vec![0; 100]),
        ("a.prg", prg),
    ];
    let files: Vec<(&str, &[u8])> = roms.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
    let folder = folder(&files);
    let run =
        |option: &str, rom: &str| tempo(folder.path(), &["run", "--system", "c64", "a.prg", option, rom]);
    assert_eq!(run("--kernal", "kernal.rom"), (Some(7), String::new(), String::new()));
    for (option, rom, message) in [
        ("--kernal", "stuck.rom", "do not show a cursor within"),
        ("--kernal", "jam.rom", "the ROMs stop the CPU at $E0"),
        ("--kernal", "short.rom", "--kernal short.rom:"),
        ("--chargen", "kernal.rom", "--chargen kernal.rom:"),
        ("--chargen", "none.rom", "cannot read none.rom"),
        ("--basic", "kernal.rom", "--kernal"),
    ] {
        let (code, _, err) = run(option, rom);
        assert_eq!(code, Some(2), "{option} {rom}: {err}");
        assert!(err.contains(message), "{option} {rom}: {err}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_the_reason() {
    let folder =
        folder(&[("echo.asm", ECHO.as_bytes()), ("bad.d64", &[0; 1000]), ("typo.asm", b"  lda nothing\n")]);
    for (words, code, message) in [
        (&["echo.asm", "--keys", "{RETRUN}"][..], 2, "did you mean {RETURN}?"),
        (&["echo.asm", "--joystick2", "up"], 2, "expected FRAME:DIRECTIONS"),
        (&["echo.asm", "--disk", "bad.d64"], 2, "not a disk or tape image: 1000 bytes"),
        (&["bad.d64"], 2, "not a disk or tape image: 1000 bytes"),
        (&["echo.asm", "--load-name", "A"], 2, "is not an image of one"),
        (&["echo.asm", "--disk", "nowhere"], 2, "cannot read nowhere"),
        (&["typo.asm"], 1, "Unknown symbol 'nothing'"),
        (&["echo.asm", "--terminal"], 2, "--terminal: standard output is not a terminal"),
        (&["missing.asm"], 2, "'missing.asm' doesn't exist"),
    ] {
        let (found, _, err) = tempo(folder.path(), &[&["run", "--system", "c64"], words].concat());
        assert_eq!(found, Some(code), "{words:?}: {err}");
        assert!(err.contains(message), "{words:?}: {err}");
    }
}

/// A triangle of 440 Hz on voice 1, and a border that changes colour below the text in every frame.
const SHOW: &str = "\
BasicUpstart2(start)
start:  sei
        lda #$45
        sta $d400
        lda #$1d
        sta $d401
        lda #$f0
        sta $d406
        lda #$0f
        sta $d418
        lda #$11
        sta $d404
below:  bit $d011
        bpl below
        inc $d020
        inc $c000
above:  bit $d011
        bmi above
        jmp below
";

#[test]
fn the_sound_of_a_run_is_a_wav() {
    let folder = folder(&[("show.asm", SHOW.as_bytes())]);
    let words = ["run", "--system", "c64", "show.asm", "--frames", "50", "--ok-on-timeout", "--wav", "a.wav"];
    assert_eq!(tempo(folder.path(), &words), (Some(0), String::new(), String::new()));
    let bytes = fs::read(folder.path().join("a.wav")).expect("a file");
    assert_eq!((&bytes[..4], &bytes[8..16], &bytes[36..40]), (&b"RIFF"[..], &b"WAVEfmt "[..], &b"data"[..]));
    let samples: Vec<i32> =
        bytes[44..].chunks(2).map(|pair| i32::from(i16::from_le_bytes([pair[0], pair[1]]))).collect();
    // 50 frames of 19656 cycles at 985248 Hz.
    let expected = 44_100 * 50 * 19_656 / 985_248;
    assert!(samples.len().abs_diff(expected) < 10, "{} samples, not {expected}", samples.len());
    // Half a second in its middle crosses its mean upwards 220 times.
    let middle = &samples[11_025..33_075];
    let mean = middle.iter().sum::<i32>() / middle.len() as i32;
    let crossings = middle.windows(2).filter(|pair| pair[0] < mean && pair[1] >= mean).count();
    assert!(crossings.abs_diff(220) <= 1, "{crossings} crossings");
}

#[test]
fn two_sids_are_two_channels() {
    let source = "\
BasicUpstart2(start)
start:  ldx #0
again:  lda tone,x
        sta $de20,x
        inx
        cpx #7
        bne again
        lda #15
        sta $de38
        rts
tone:   .byte $45, $1d, 0, 8, $11, 0, $f0
";
    let folder = folder(&[("tone.asm", source.as_bytes())]);
    let run = |more: &[&str]| {
        let words =
            ["run", "--system", "c64", "tone.asm", "--frames", "50", "--ok-on-timeout", "--wav", "a.wav"];
        tempo(folder.path(), &[&words[..], more].concat())
    };
    assert_eq!(run(&["--sid2", "$de20"]), (Some(0), String::new(), String::new()));
    let bytes = fs::read(folder.path().join("a.wav")).expect("a file");
    assert_eq!(bytes[22], 2);
    let loudest = |channel: usize| {
        let samples = bytes[44..]
            .chunks(4)
            .skip(100)
            .map(|frame| i32::from(i16::from_le_bytes([frame[2 * channel], frame[2 * channel + 1]])));
        let (low, high) =
            samples.fold((i32::MAX, i32::MIN), |(low, high), sample| (low.min(sample), high.max(sample)));
        high - low
    };
    assert!(loudest(0) < 20 && loudest(1) > 500, "{} and {}", loudest(0), loudest(1));
    assert_eq!(run(&[]).0, Some(0));
    assert_eq!(fs::read(folder.path().join("a.wav")).expect("a file")[22], 1);
    for wrong in ["$d400", "$d421", "$d800", "$10000", "here"] {
        let (code, _, told) = run(&["--sid2", wrong]);
        assert!(code == Some(2) && told.contains("--sid2"), "{wrong}: {told}");
    }
}

#[test]
fn a_screenshot_may_have_the_shape_of_a_television() {
    let folder = folder(&[("show.asm", SHOW.as_bytes())]);
    for (system, size) in [("c64", (1078u32, 816u32)), ("c64-ntsc", (864, 741))] {
        let words = [
            "run",
            "--system",
            system,
            "show.asm",
            "--frames",
            "5",
            "--ok-on-timeout",
            "--screenshot",
            "a.png",
            "--aspect",
        ];
        assert_eq!(tempo(folder.path(), &words), (Some(0), String::new(), String::new()));
        let bytes = fs::read(folder.path().join("a.png")).expect("a file");
        let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        assert_eq!((word(16), word(20)), size);
    }
}

#[test]
fn warp_tells_the_speed() {
    let folder = folder(&[("show.asm", SHOW.as_bytes())]);
    let words = ["run", "--system", "c64", "show.asm", "--frames", "5", "--ok-on-timeout", "--warp"];
    let (code, _, told) = tempo(folder.path(), &words);
    assert!(code == Some(0) && told.starts_with("5 frames, ") && told.contains(" times the speed"), "{told}");
}

#[test]
fn every_frame_is_recorded_as_a_film_or_as_pictures() {
    let folder = folder(&[("show.asm", SHOW.as_bytes()), ("frames/mine.txt", b"mine")]);
    let record = |target: &str| {
        let words =
            ["run", "--system", "c64", "show.asm", "--frames", "12", "--ok-on-timeout", "--record", target];
        tempo(folder.path(), &words)
    };
    assert_eq!(record("a.gif"), (Some(0), String::new(), String::new()));
    assert_eq!(record("frames"), (Some(0), String::new(), String::new()));
    assert_eq!(record("new/inside/"), (Some(0), String::new(), String::new()));
    let list = |name: &str| {
        let entries = fs::read_dir(folder.path().join(name)).expect("a folder");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        names
    };
    assert_eq!((list("frames").len(), list("new/inside").len()), (13, 12));
    assert_eq!(fs::read(folder.path().join("frames/mine.txt")).expect("left alone"), b"mine");
    let picture = |number: u32| {
        let path = folder.path().join(format!("frames/frame-{number:05}.png"));
        tempo_c64::Picture::from_png(&fs::read(path).expect("a frame"), &tempo_emu::c64::PALETTE)
            .expect("a picture")
    };
    // The film shows the same pictures, each for a fiftieth of a second.
    let bytes = fs::read(folder.path().join("a.gif")).expect("a file");
    let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).expect("a film");
    assert_eq!((decoder.width(), decoder.height()), (384, 272));
    let mut canvas = vec![0; 384 * 272];
    let mut shown = 0;
    let mut parts = 0;
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        let width = usize::from(frame.width);
        for (row, pixels) in frame.buffer.chunks(width).enumerate() {
            let at = (usize::from(frame.top) + row) * 384 + usize::from(frame.left);
            canvas[at..at + width].copy_from_slice(pixels);
        }
        for _ in 0..frame.delay / 2 {
            shown += 1;
            assert!(canvas == picture(shown).pixels, "picture {shown}");
        }
        parts += 1;
    }
    assert_eq!(shown, 12);
    assert!((10..=12).contains(&parts), "{parts} parts");
    let (code, _, err) = record("a.mp4");
    assert_eq!(code, Some(2));
    assert!(err.contains("neither a .gif nor a folder"), "{err}");
}

#[cfg(unix)]
#[test]
fn many_pictures_need_no_more_open_files_than_few() {
    let folder = folder(&[("show.asm", SHOW.as_bytes())]);
    let words =
        "ulimit -n 200; exec \"$0\" run --system c64 show.asm --frames 300 --ok-on-timeout --record frames/";
    let status = Command::new("sh")
        .args(["-c", words, env!("CARGO_BIN_EXE_tempo")])
        .current_dir(folder.path())
        .status()
        .expect("a shell");
    assert!(status.success());
    assert_eq!(fs::read_dir(folder.path().join("frames")).expect("a folder").count(), 300);
}

#[test]
fn a_saved_machine_goes_on() {
    let folder = folder(&[("show.asm", SHOW.as_bytes()), ("noise.state", b"TEMPOC64 but no more")]);
    let run =
        |words: &[&str]| tempo(folder.path(), &[&["run", "--ok-on-timeout", "--system"], words].concat());
    let fine = (Some(0), String::new(), String::new());
    let [first, second, whole, counted] = ["a.state", "b.png", "c.png", "c000-c000=count"];
    assert_eq!(run(&["c64", "show.asm", "--frames", "20", "--save-state", first]), fine);
    let later =
        ["c64", "--load-state", first, "--frames", "20", "--screenshot", second, "--dump-memory", counted];
    assert_eq!(run(&later), fine);
    assert_eq!(run(&["c64", "show.asm", "--frames", "40", "--screenshot", whole]), fine);
    let read = |name: &str| fs::read(folder.path().join(name)).expect(name);
    assert!(read(second) == read(whole));
    assert!(matches!(read("count")[0], 39 | 40), "{:?}", read("count"));
    let state = read(first);
    fs::write(folder.path().join("short.state"), &state[..state.len() / 2]).expect("a writable folder");
    for (words, message) in [
        (&["c64", "--load-state", "show.asm"][..], "show.asm: this is not a saved machine"),
        (&["c64", "--load-state", "noise.state"], "noise.state: the machine was saved in format"),
        (&["c64", "--load-state", "short.state"], "short.state: the saved machine is damaged"),
        (&["c64", "--load-state", "none.state"], "cannot read none.state"),
        (&["ntsc", "--load-state", first], "this is a saved c64, not a saved c64-ntsc; use --system c64"),
        (&["65c02", "--load-state", first], "this is a saved c64, not a saved 65c02; use --system c64"),
        (&["c64", "--load-state", first, "show.asm"], "cannot be used with"),
        (&["c64", "--load-state", first, "--save-state", first], "this run has read it"),
        (&["c64"], "there is no tempo.toml here or above, and no main.asm"),
    ] {
        let (code, _, err) = run(words);
        assert_eq!(code, Some(2), "{words:?}: {err}");
        assert!(err.contains(message), "{words:?}: {err}");
    }
    assert!(read(first) == state);
}

#[test]
fn every_system_without_chips_is_saved_and_goes_on() {
    // A call that is interrupted, output before and after, and a return that ends the run.
    let source = "* = $1000\nstart: lda #$35\n sta $01\n jsr part\n lda #'C'\n jsr $ffd2\n rts\n\
                  part: lda #'A'\n jsr $ffd2\n inc $2000\nhalf: inc $2000\n lda #'B'\n jsr $ffd2\n rts\n";
    let folder = folder(&[("calls.asm", source.as_bytes())]);
    let run = |words: &str| {
        let (code, out, err) = tempo(folder.path(), &words.split(' ').collect::<Vec<&str>>());
        (code, out, err)
    };
    let field = |json: &str, name: &str| {
        let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
        value[name].clone()
    };
    for system in ["6502", "6510", "65c02", "2a03", "c64-memory"] {
        let start = format!("run --system {system} --format json");
        let (code, first, err) = run(&format!("{start} calls.asm --until half --save-state half.state"));
        assert_eq!((code, &err[..]), (Some(0), ""), "{system}: {first}");
        let (_, whole, _) = run(&format!("{start} calls.asm"));
        let (code, second, err) = run(&format!("{start} --load-state half.state"));
        assert_eq!((code.is_some(), &err[..]), (true, ""), "{system}: {second}");
        assert_eq!(field(&second, "start"), 0x1015, "{system}");
        assert_eq!(field(&second, "registers"), field(&whole, "registers"), "{system}");
        assert_eq!(field(&second, "end"), field(&whole, "end"), "{system}");
        let sum = |name: &str| field(&first, name).as_u64().unwrap() + field(&second, name).as_u64().unwrap();
        assert_eq!(field(&whole, "cycles").as_u64(), Some(sum("cycles")), "{system}");
        let texts = [&first, &second].map(|json| field(json, "output").as_str().unwrap().to_string());
        assert_eq!(field(&whole, "output").as_str(), Some(&texts.concat()[..]), "{system}");
        let (code, _, err) = run("run --system c64 --load-state half.state");
        let message = format!("this is a saved {system}, not a saved c64; use --system {system}");
        assert!(code == Some(2) && err.contains(&message), "{system}: {err}");
    }
}

#[test]
fn a_run_ends_where_it_is_asked_to() {
    let count = "BasicUpstart2(start)\nstart: ldx #0\nloop: inx\n stx $c000\n cpx #100\n bne loop\n\
                 done: lda $d012\n beq over\n jmp done\nover: rts\n";
    let crash = "BasicUpstart2(start)\nstart: brk\n nop\n jmp *\n";
    let wait = "BasicUpstart2(start)\nstart: jmp *\n";
    let folder = folder(&[
        ("count.asm", count.as_bytes()),
        ("crash.asm", crash.as_bytes()),
        ("wait.asm", wait.as_bytes()),
        ("exit.asm", b"BasicUpstart2(start)\nstart: lda #7\n sta $d7ff\n jmp *\n"),
        ("count.sym", b".label finish=$0814\n"),
    ]);
    for (file, until, code, message) in [
        ("count.asm", "done", 0, ""),
        ("count.asm", "rts", 0, ""),
        ("count.asm", "$c123", 1, "--until $c123: not reached before the program returned"),
        ("count.asm", "trap", 1, "not reached before the program returned"),
        ("count.asm", "brk", 1, "not reached before the program returned"),
        ("count.asm", "dnoe", 2, "no such symbol"),
        ("count.asm", "$10000", 2, "not an address"),
        ("crash.asm", "brk", 0, ""),
        ("wait.asm", "trap", 0, ""),
        ("wait.asm", "rts", 3, "not reached in 9 frames; the CPU is at $080E"),
    ] {
        let words = ["run", "--system", "c64", file, "--until", until, "--frames", "9"];
        let (found, out, err) = tempo(folder.path(), &words);
        assert_eq!((found, out.as_str()), (Some(code), ""), "{words:?}: {err}");
        assert!(err.contains(message), "{words:?}: {err}");
    }
    // Without --until, a program has to end itself in the frames that it is given.
    for (file, more, code, message) in [
        ("wait.asm", &["--frames", "9"][..], 3, "error: not ended in 9 frames: the CPU is at $080E"),
        ("wait.asm", &["--frames", "9", "--trace"], 3, "with --ok-on-timeout that is a good end\n"),
        ("wait.asm", &["--frames", "9", "--ok-on-timeout"], 0, ""),
        ("wait.asm", &["--frames", "9", "--until", "rts", "--ok-on-timeout"], 0, ""),
        ("wait.asm", &[], 0, ""),
        ("count.asm", &["--frames", "9"], 0, ""),
        ("count.asm", &["--frames", "9", "--keys", "{WAIT 20}A"], 0, ""),
        ("count.asm", &["--frames", "9", "--until", "$c123", "--ok-on-timeout"], 1, "before the program"),
        ("exit.asm", &["--frames", "9", "--ok-on-timeout"], 7, ""),
    ] {
        let words = [&["run", "--system", "c64", file], more].concat();
        let (found, _, err) = tempo(folder.path(), &words);
        assert_eq!((found, err.is_empty()), (Some(code), message.is_empty()), "{words:?}: {err}");
        assert!(err.contains(message) && err.lines().count() <= 1, "{words:?}: {err}");
    }
    // It ends there and not later, traced or not.
    for more in [&["--symbols", "count.sym", "--until", "finish"][..], &["--until", "$0814", "--trace"]] {
        let words = ["run", "--system", "c64", "count.asm", "--dump-memory", "c000-c000=x"];
        let (code, out, err) = tempo(folder.path(), &[&words[..], more].concat());
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        assert_eq!(fs::read(folder.path().join("x")).expect("a dump"), [1]);
    }
}

#[test]
fn a_screenshot_at_the_end_shows_the_picture_up_to_the_beam() {
    // Two frames with a red border, then green; the end is in line 150.
    let source = "BasicUpstart2(start)\nstart: sei\n lda #2\n sta $d020\n jsr frame\n jsr frame\n lda #5\n sta $d020\n\
                  lda #150\nline: cmp $d012\n bne line\n sta $d7ff\n jmp *\n\
                  frame: bit $d011\n bpl frame\n!: bit $d011\n bmi !-\n rts\n";
    let folder = folder(&[("a.asm", source.as_bytes())]);
    let (code, _, err) =
        tempo(folder.path(), &["run", "--system", "c64", "a.asm", "--frames", "20", "--screenshot", "a.png"]);
    assert_eq!((code, err.as_str()), (Some(150), ""));
    let png = fs::read(folder.path().join("a.png")).expect("a picture");
    let picture = tempo_c64::Picture::from_png(&png, &tempo_emu::c64::PALETTE).expect("a picture");
    // The picture begins with line 16.
    let borders: Vec<u8> = picture.pixels.chunks(384).map(|row| row[0]).collect();
    assert_eq!(borders.len(), 272);
    assert!(borders[..150 - 16].iter().all(|&colour| colour == 5), "{borders:?}");
    assert!(borders[150 - 16 + 1..].iter().all(|&colour| colour == 2), "{borders:?}");
}

#[test]
fn a_ram_expansion_is_there_when_asked_for() {
    // Sends $42 out, fetches it back elsewhere.
    let transfer = "\
BasicUpstart2(start)
start:  lda #$42
        sta $c000
        lda #$90
        ldx #$00
        jsr command
        lda #$91
        ldx #$01
        jsr command
        lda $c001
        sta $d7ff
command:
        stx $df02
        ldy #$c0
        sty $df03
        ldy #0
        sty $df04
        sty $df05
        sty $df06
        sty $df08
        ldy #1
        sty $df07
        sta $df01
        rts
";
    let folder = folder(&[("a.asm", transfer.as_bytes())]);
    let run = |more: &[&str]| tempo(folder.path(), &[&["run", "--system", "c64", "a.asm"], more].concat());
    assert_eq!(run(&["--reu", "512"]).0, Some(0x42));
    assert_ne!(run(&[]).0, Some(0x42));
    for size in ["0", "100", "99999999999"] {
        let (code, _, err) = run(&["--reu", size]);
        assert_eq!(code, Some(2), "{err}");
        assert!(err.contains("a RAM expansion has 128, 256, 512"), "{err}");
    }
}

#[test]
fn channels_write_files_of_folders_and_images() {
    // Writes LOG and prints OLD, which the disk has.
    let source = "\
BasicUpstart2(start)
start:  lda #7
        ldx #<log
        ldy #>log
        jsr $ffbd
        lda #2
        ldx #8
        ldy #2
        jsr $ffba
        jsr $ffc0
        ldx #2
        jsr $ffc9
        lda #'A'
        jsr $ffd2
        lda #'B'
        jsr $ffd2
        jsr $ffcc
        lda #2
        jsr $ffc3
        lda #3
        ldx #<old
        ldy #>old
        jsr $ffbd
        lda #3
        ldx #8
        ldy #3
        jsr $ffba
        jsr $ffc0
        ldx #3
        jsr $ffc6
more:   jsr $ffcf
        jsr $ffd2
        jsr $ffb7
        beq more
        jsr $ffcc
        lda #3
        jsr $ffc3
        lda #0
        sta $d7ff
log:    .text \"LOG,S,W\"
old:    .text \"OLD\"
";
    let mut volume = tempo_c64::Volume::new("disk");
    let old = tempo_c64::File {
        name: b"OLD".to_vec(),
        kind: tempo_formats::d64::Kind::Seq,
        locked: false,
        bytes: b"STORED".to_vec(),
        is_new: false,
    };
    volume.files.push(old);
    let image = volume.to_d64().expect("an image");
    let folder = folder(&[("a.asm", source.as_bytes()), ("disk/old.seq", b"STORED"), ("a.d64", &image)]);
    for disk in ["disk", "a.d64"] {
        let words = ["run", "--system", "c64", "a.asm", "--disk", disk, "--screen"];
        assert_eq!(tempo(folder.path(), &words), (Some(0), "STORED\n".to_string(), String::new()), "{disk}");
    }
    assert_eq!(fs::read(folder.path().join("disk/log.seq")).expect("written"), b"AB");
    let volume =
        tempo_c64::Volume::from_d64(&fs::read(folder.path().join("a.d64")).expect("an image")).expect("it");
    let log = volume.find(b"LOG").expect("written");
    assert_eq!((&log.bytes[..], log.kind), (&b"AB"[..], tempo_formats::d64::Kind::Seq));
    assert!(volume.find(b"OLD").is_some());
}
