//! The programs of tests/demos, of the kinds that people write for a C64, with the pictures they leave; those were looked at.
//! `UPDATE=1` takes them anew.

#![allow(clippy::disallowed_methods, reason = "a runner writes its fixtures")]

use std::path::PathBuf;

use pretty_assertions::assert_eq;
use tempo_assembler::{MemoryFiles, Options};
use tempo_c64::{Drive, File, Keys, Picture, Session, Volume, cartridge};
use tempo_emu::c64::{C64, KEYBOARD, Model, PALETTE};
use tempo_formats::crt::{self, Kind, Part};

fn path(name: &str) -> PathBuf {
    tempo_testing::fixtures().join("demos").join(name)
}

/// The program of a source, with lines put before it.
fn assembled(name: &str, before: &str) -> Vec<u8> {
    let mut files = MemoryFiles::default();
    files.insert("main.asm", format!("{before}{}", tempo_testing::text(&path(name))));
    let output = tempo_assembler::assemble(&files, "main.asm", &Options::default());
    let messages: Vec<&String> = output.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    assert!(!output.has_errors(), "{name}: {messages:?}");
    output.prg().expect("bytes")
}

fn started(name: &str, change: impl FnOnce(&mut C64)) -> Session {
    let mut machine = C64::new(Model::Pal);
    change(&mut machine);
    machine.start(&assembled(name, "")).expect("a program");
    Session::new(machine)
}

/// Runs and compares the picture.
fn shows(session: &mut Session, frames: u64, name: &str) {
    assert_eq!(session.run_frames(frames), None, "{name}");
    let picture = Picture::of(&session.machine);
    let path = path(&format!("{name}.png"));
    if tempo_testing::updating() {
        std::fs::write(&path, picture.to_png().expect("a picture")).expect("written");
    }
    let expected = Picture::from_png(&tempo_testing::bytes(&path), &PALETTE).expect("a picture");
    assert_eq!(expected.difference(&picture), None, "{name}");
}

#[test]
fn raster_programs_leave_their_pictures() {
    for (name, frames) in
        [("bars", 20), ("fli", 20), ("open", 20), ("multiplex", 20), ("scroll", 150), ("tech", 40)]
    {
        shows(&mut started(&format!("{name}.asm"), |_| {}), frames, name);
    }
}

#[test]
fn a_film_comes_from_a_ram_expansion() {
    let mut session = started("stream.asm", |machine| assert!(machine.board.expand(128)));
    shows(&mut session, 300, "stream");
}

#[test]
fn samples_are_heard_and_their_time_is_seen() {
    let mut session = started("digi.asm", |_| {});
    session.machine.set_sample_rate(Some(44_100));
    session.run_frames(10);
    session.machine.take_samples();
    shows(&mut session, 50, "digi");
    let samples = session.machine.take_samples();
    let mean = samples.iter().map(|&sample| i64::from(sample)).sum::<i64>() / samples.len() as i64;
    let rises = samples.windows(2).filter(|pair| i64::from(pair[0]) < mean && i64::from(pair[1]) >= mean);
    // 20 samples, one in 123 cycles: 400.5 Hz.
    let (rises, seconds) = (rises.count() as f64, samples.len() as f64 / 44_100.0);
    assert!((rises / seconds - 400.5).abs() < 3.0, "{rises} in {seconds} s");
}

#[test]
fn a_menu_starts_programs_of_its_cartridge() {
    let high = assembled("menu-high.asm", "").split_off(2);
    let mut parts = vec![Part { bank: 0, is_high: true, bytes: high }];
    for (bank, name) in (1..).zip(["BARS", "FLI", "DIGI", "SCROLL"]) {
        let before = format!(".const NAME = \"{name}\"\n.const COLOUR = {}\n", bank + 1);
        let bytes = assembled("menu-low.asm", &before).split_off(2);
        parts.push(Part { bank, is_high: false, bytes });
    }
    let image = crt::build(Kind::EasyFlash, "MENU", &parts).expect("a cartridge");
    assert_eq!(image.complaint(), None);
    let mut machine = C64::new(Model::Pal);
    machine.board.plug(cartridge(&image));
    machine.reset();
    let mut session = Session::new(machine);
    session.type_keys(&Keys::parse("{WAIT 60}3", &KEYBOARD).expect("keys"));
    shows(&mut session, 100, "menu");
}

#[test]
fn files_of_a_disk_reach_the_screen_and_the_colours() {
    let mut session = started("loader.asm", |_| {});
    let mut volume = Volume::new("DEMO");
    let cell = |at: u16| if (at % 40 / 4 + at / 40 / 3).is_multiple_of(2) { 0x66 } else { 0xa0 };
    let colour = |at: u16| (at % 40 / 5 + at / 40 / 5) as u8 % 15 + 1;
    for (name, first, bytes) in [
        ("codes0.prg", 0x0400_u16, (0..1000).map(cell).collect::<Vec<u8>>()),
        ("colours.prg", 0xd800, (0..1000).map(colour).collect()),
    ] {
        let file = File::from_host(name, [&first.to_le_bytes()[..], &bytes].concat()).expect("a name");
        volume.files.push(file);
    }
    session.drive = Drive::with(volume);
    shows(&mut session, 60, "loader");
}
