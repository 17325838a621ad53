use pretty_assertions::assert_eq;

use super::*;

fn snapshot(writer: Writer) -> Snapshot {
    let cia = Cia {
        ports: [0x7f, 0x12],
        directions: [0xff, 0x34],
        counters: [0x1234, 0x5678],
        latches: [0x4025, 0xffff],
        controls: [0x01, 0x08],
        toggles: [true, false],
        time: [1, 0x22, 0x33, 0x91],
        alarm: [9, 8, 7, 6],
        latched: Some([0, 1, 2, 3]),
        is_stopped: true,
        serial: 0xa5,
        mask: 0x81 & 0x1f,
        flags: 0x81,
    };
    let mut ram = Box::new([0; 0x10000]);
    for (at, byte) in ram.iter_mut().enumerate() {
        *byte = (at >> 8) as u8 ^ at as u8;
    }
    let mut registers = [0; 64];
    registers[0x11] = 0x1b;
    registers[0x20] = 14;
    Snapshot {
        writer,
        version: Some([3, 7, 1, 0]),
        cpu: Cpu { clock: 0x1_2345_6789, a: 1, x: 2, y: 3, s: 0xf3, pc: 0xc0de, p: 0x24 },
        port: 0x37,
        direction: 0x2f,
        ram,
        vic: Vic {
            model: (writer == Writer::X64Sc).then_some(3),
            registers,
            line: 200,
            cycle: 33,
            flags: 1,
            sprite_sprite: 3,
            sprite_background: 12,
            colours: Box::new(std::array::from_fn(|at| at as u8 & 15)),
        },
        cias: [cia, Cia { toggles: [false, true], latched: None, is_stopped: false, ..cia }],
        sid: std::array::from_fn(|at| at as u8),
        roms: None,
        notes: Vec::new(),
    }
}

#[test]
fn a_snapshot_is_read_as_it_was_written() {
    for writer in [Writer::X64, Writer::X64Sc] {
        let mut snapshot = snapshot(writer);
        assert_eq!(read(&snapshot.write()), Ok(snapshot.clone()));
        snapshot.version = None;
        snapshot.roms =
            Some(Roms { kernal: vec![1; 0x2000], basic: vec![2; 0x2000], characters: vec![3; 0x1000] });
        assert_eq!(read(&snapshot.write()), Ok(snapshot));
    }
}

/// Where the data of a module begins.
fn module(file: &[u8], name: &str) -> usize {
    let mut field = [0; NAME];
    field[..name.len()].copy_from_slice(name.as_bytes());
    file.windows(NAME).position(|window| window == field).expect("the module") + MODULE
}

#[test]
fn older_files_have_shorter_numbers() {
    let mut file = snapshot(Writer::X64Sc).write();
    let at = module(&file, "MAINCPU");
    file[at - 5] = 1;
    file.drain(at + 4..at + 8);
    let length = u32::from_le_bytes(file[at - 4..at].try_into().expect("four bytes")) - 4;
    file[at - 4..at].copy_from_slice(&length.to_le_bytes());
    let found = read(&file).expect("a snapshot");
    assert_eq!((found.cpu.clock, found.cpu.a, found.cpu.pc), (0x2345_6789, 1, 0xc0de));
}

#[test]
fn other_files_are_refused_with_the_reason() {
    let file = snapshot(Writer::X64).write();
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = file.clone();
        change(&mut file);
        read(&file).expect_err("it is refused").to_string()
    };
    assert_eq!(read(b"").expect_err("empty"), VsfError::Signature);
    assert!(changed(&|file| file[0] = b'W').contains("not a VICE snapshot"));
    assert!(changed(&|file| file[19] = 3).contains("version 3.0"));
    assert!(changed(&|file| file[21..24].copy_from_slice(b"PET")).contains("a snapshot of a PET"));
    let at = module(&file, "CIA2");
    assert_eq!(changed(&|file| file[at - MODULE] = b'X'), "module CIA2 is missing");
    assert!(changed(&|file| file[at - MODULE + 3] = b'1').contains("module CIA1 is there already"));
    assert_eq!(
        changed(&|file| file[at - 6] = 9),
        "module CIA2 has version 9.3, which is not known; VICE 3.7 writes 2.3"
    );
    assert!(changed(&|file| file[at - 4..at].fill(0)).contains("module CIA2 has a length of 0 bytes"));
    assert!(changed(&|file| file[at - 4..at].fill(0xff)).contains("has a length of 4294967295 bytes"));
    assert!(changed(&|file| file.truncate(60)).contains("ends within the header of a module"));
    let vic = module(&file, "VIC-II");
    assert!(changed(&|file| file[vic + 43] = 16).contains("colour RAM has values above 15"));
    assert!(changed(&|file| file[vic + 43 + 1024 + 49] = 99).contains("cycle 99 are not in a picture"));
    let cia = module(&file, "CIA1");
    assert_eq!(changed(&|file| file[cia + 11] = 0xff), "module CIA1: the time of day is none");
    let newer = {
        let mut file = file.clone();
        file[cia - 5] = 7;
        read(&file).expect("a newer module").notes
    };
    assert_eq!(newer, ["module CIA1 has version 2.7 and was read as 2.3"]);
}

#[test]
fn damaged_files_are_read_or_refused() {
    let file = snapshot(Writer::X64Sc).write();
    for length in (0..file.len()).step_by(97).chain(0..300).chain(file.len() - 200..file.len()) {
        assert!(read(&file[..length]).is_err(), "{length} bytes");
    }
    let mut random = tempo_random::Random::new(35);
    for _ in 0..2000 {
        let mut file = file.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(file.len() as u64) as usize;
            file[at] ^= 1 << random.below(8);
        }
        drop(read(&file));
    }
}
