//! The whole 1541 with the ROM of `asm/drive`, which needs no other: commands over the bus, sectors read and written, and
//! a fast loader, on PAL and NTSC machines.

use pretty_assertions::assert_eq;
use tempo_assembler::{DiskFiles, Options};
use tempo_emu::c64::{C64, DRIVE_ROM, Ended, Model};
use tempo_formats::d64;

/// The bytes that a source assembles to, without the load address.
fn assembled(path: &str) -> Vec<u8> {
    let path = tempo_testing::root().join(path);
    let path = path.to_str().expect("a path in ASCII");
    let output = tempo_assembler::assemble(&DiskFiles::default(), path, &Options::default());
    let messages: Vec<&String> = output.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    assert!(!output.has_errors(), "{path}: {messages:?}");
    output.prg().expect("bytes")
}

/// A disk of which every sector is another, with a file of 10 KB.
fn image() -> (Vec<u8>, Vec<u8>) {
    let mut file = vec![0x00, 0x40];
    file.extend((0..10_240_u32).map(|at| (at * at / 7 + at) as u8));
    let entry = d64::File {
        name: "DATA".into(),
        kind: d64::Kind::Prg,
        locked: false,
        hide: false,
        interleave: None,
        bytes: file.clone(),
    };
    (d64::build(&d64::Options::default(), &[entry]).expect("a disk"), file)
}

fn sector(image: &[u8], track: u8, sector: u8) -> &[u8] {
    let place = d64::Place { track, sector };
    let at = d64::Geometry::Single(35).offset(place).expect("a place");
    &image[at..at + 256]
}

/// A machine with the drive and a disk, and with a program that is told a place.
fn machine(model: Model, program: &str, image: Option<&[u8]>, place: (u8, u8)) -> C64 {
    let mut machine = C64::new(model);
    machine.start(&assembled(program)).expect("a program");
    machine.board.ram_mut()[0xc080..0xc084].copy_from_slice(&[place.0, place.1, 0xff, 0]);
    let rom = assembled("asm/drive/drive.asm");
    assert_eq!(rom.len() - 2, DRIVE_ROM);
    assert!(machine.attach(&rom[2..]));
    if let Some(image) = image {
        let disk = tempo_c64::read_disk(image).expect("a disk");
        machine.board.drive_mut().expect("it was attached").insert(disk);
    }
    machine
}

const MODELS: [Model; 2] = [Model::Pal, Model::Ntsc];

#[test]
fn memory_and_sectors_come_over_the_bus() {
    let (image, _) = image();
    for model in MODELS {
        let mut machine = machine(model, "tests/drive/commands.asm", Some(&image), (18, 1));
        assert_eq!(machine.run_frames(400), Ended::Exit(0), "{model:?}");
        let ram = machine.board.ram();
        let pattern: Vec<u8> = (0..16).map(|at| (at * 17) ^ 0x5a).collect();
        assert_eq!(ram[0xc000..0xc010], pattern[..]);
        assert_eq!(ram[0xc082..0xc084], [0, 0]);
        assert!(ram[0xc100..0xc200] == *sector(&image, 18, 1));
        assert!(ram[0xc200..0xc300] == *sector(&image, 35, 16));
        let drive = machine.board.drive().expect("a drive");
        // Track 35, the lamp and the motor.
        assert_eq!((drive.half_track(), drive.has_light(), drive.has_motor()), (68, true, true));
        assert!(!drive.is_written());
    }
}

#[test]
fn a_sector_that_is_not_there_and_a_drive_without_a_disk_are_told() {
    let (image, _) = image();
    for (image, place, expected) in [(Some(&image[..]), (1, 30), 2), (None, (18, 0), 1)] {
        let mut machine = machine(Model::Pal, "tests/drive/commands.asm", image, place);
        machine.run_frames(250);
        assert_eq!(machine.board.ram()[0xc082], expected);
    }
}

#[test]
fn what_is_written_is_on_the_disk_and_nothing_else_has_changed() {
    let (before, _) = image();
    let pattern: Vec<u8> = (0..=255_u8).map(|at| at.wrapping_mul(7) ^ 0x3c).collect();
    // One of each density.
    for (model, place) in MODELS.into_iter().cycle().zip([(2, 20), (18, 18), (25, 0), (35, 9)]) {
        let mut machine = machine(model, "tests/drive/write.asm", Some(&before), place);
        assert_eq!(machine.run_frames(400), Ended::Exit(0), "{place:?}");
        assert_eq!(machine.board.ram()[0xc082..0xc084], [0, 0], "{place:?}");
        assert!(machine.board.ram()[0xc100..0xc200] == pattern[..], "{place:?}");
        let drive = machine.board.drive().expect("a drive");
        assert!(drive.is_written());
        let (after, unread) = tempo_c64::tracks_of(drive.disk().expect("a disk")).to_d64();
        assert_eq!(unread, []);
        let at = d64::Geometry::Single(35)
            .offset(d64::Place { track: place.0, sector: place.1 })
            .expect("a place");
        assert!(after[at..at + 256] == pattern[..], "{place:?}");
        assert!(after[..at] == before[..at] && after[at + 256..] == before[at + 256..], "{place:?}");
    }
}

#[test]
fn a_protected_disk_is_not_written() {
    let (image, _) = image();
    let mut machine = machine(Model::Pal, "tests/drive/write.asm", None, (18, 0));
    let mut disk = tempo_c64::read_disk(&image).expect("a disk");
    disk.protect(true);
    machine.board.drive_mut().expect("a drive").insert(disk.clone());
    assert_eq!(machine.run_frames(400), Ended::Exit(0));
    assert_eq!(machine.board.ram()[0xc082..0xc084], [5, 0]);
    assert!(machine.board.drive().expect("a drive").disk() == Some(&disk));
}

#[test]
fn the_fast_loader_loads_10_kb_at_five_times_the_speed_of_the_kernal() {
    let (image, file) = image();
    let entry = sector(&image, 18, 1);
    let place = (entry[3], entry[4]);
    for model in MODELS {
        let mut machine = machine(model, "tests/drive/fastload.asm", Some(&image), place);
        while machine.board.ram()[0xc083] == 0 {
            assert_eq!(machine.run_cycles(1000), Ended::Time, "{model:?}");
        }
        let start = machine.cpu.cycles;
        assert_eq!(machine.run_frames(600), Ended::Exit(0), "{model:?}");
        assert_eq!(machine.board.ram()[0xc082], 0, "{model:?}");
        assert!(machine.board.ram()[0x4000..0x4000 + file.len() - 2] == file[2..], "{model:?}");
        let cycles = machine.cpu.cycles - start;
        let rate = (file.len() as u64 - 2) * u64::from(model.clock()) / cycles;
        // The KERNAL loads about 400 bytes a second.
        assert!(rate >= 5 * 400, "{model:?}: {rate} bytes a second");
    }
}
