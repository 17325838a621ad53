use alloc::vec;
use alloc::vec::Vec;

use super::disk::{Drives, Mechanics};
use super::*;
use crate::Machine;
use crate::c64::{C64, Model};

const READING: Drives = Drives { has_motor: true, density: 3, is_writing: false, byte: 0 };

/// A track of the highest density with a sync and then these bytes, up to its end.
fn track(bytes: &[u8]) -> Vec<u8> {
    let mut track = vec![0xff; 5];
    track.extend(bytes);
    track.resize(7692, 0x55);
    track
}

fn mechanics(track: &[u8]) -> Mechanics {
    let mut disk = Disk::new();
    assert!(disk.set_half_track(34, track));
    let mut mechanics = Mechanics::new();
    mechanics.insert(disk);
    mechanics
}

/// The bytes of this many cycles, with the cycle of each; a sync begins the list anew.
fn bytes(mechanics: &mut Mechanics, drives: Drives, cycles: usize) -> Vec<(usize, u8)> {
    let mut found = Vec::new();
    for cycle in 0..cycles {
        if mechanics.tick(drives) {
            found.push((cycle, mechanics.byte()));
        }
        if mechanics.is_sync(drives.is_writing) {
            found.clear();
        }
    }
    found
}

#[test]
fn bytes_follow_a_sync_every_26_cycles_at_the_highest_density() {
    let mut mechanics = mechanics(&track(&[0x52, 0x4a, 0x29, 0x35]));
    let found = bytes(&mut mechanics, READING, 400);
    let values: Vec<u8> = found.iter().take(5).map(|&(_, byte)| byte).collect();
    assert_eq!(values, [0x52, 0x4a, 0x29, 0x35, 0x55]);
    let steps: Vec<usize> = found.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    assert!(steps.iter().all(|&step| step == 26), "{steps:?}");
}

#[test]
fn a_turn_takes_a_fifth_of_a_second_at_each_density() {
    for (density, len) in [(3, 7692), (2, 7142), (1, 6666), (0, 6250)] {
        let mut bits = vec![0x55; len];
        bits[..5].fill(0xff);
        let mut mechanics = mechanics(&bits);
        let drives = Drives { density, ..READING };
        let mut syncs = Vec::new();
        let mut was = true;
        for cycle in 0..650_000 {
            mechanics.tick(drives);
            let is = mechanics.is_sync(false);
            if is && !was {
                syncs.push(cycle);
            }
            was = is;
        }
        let turns: Vec<usize> = syncs.windows(2).map(|pair| pair[1] - pair[0]).skip(1).collect();
        assert_eq!(turns, [200_000; 2], "density {density}: {syncs:?}");
    }
}

#[test]
fn another_density_reads_other_bits() {
    let mut mechanics = mechanics(&track(&[0x52, 0x4a, 0x29, 0x35]));
    let drives = Drives { density: 0, ..READING };
    let values: Vec<u8> = bytes(&mut mechanics, drives, 400).iter().take(4).map(|&(_, byte)| byte).collect();
    assert_ne!(values, [0x52, 0x4a, 0x29, 0x35]);
}

#[test]
fn three_zeros_in_a_row_are_followed_by_a_one_that_is_not_there() {
    let mut mechanics = mechanics(&track(&[0x80, 0x00, 0x00]));
    // The 1 belongs to the sync; after three zeros the counter has gone round.
    let found = bytes(&mut mechanics, READING, 200);
    assert_eq!(found[0].1, 0b0001_0001);
}

#[test]
fn bytes_that_were_written_are_read_again() {
    let mut mechanics = mechanics(&track(&[0x55; 100]));
    bytes(&mut mechanics, READING, 300);
    let mut queue = [0xff, 0xff, 0x52, 0x53, 0x54].into_iter();
    let mut drives = Drives { is_writing: true, byte: 0xff, ..READING };
    for _ in 0..26 * 8 {
        if mechanics.tick(drives) {
            drives.byte = queue.next().unwrap_or(0x4a);
        }
    }
    assert!(mechanics.is_written());
    let found: Vec<u8> = bytes(&mut mechanics, READING, 200_000).into_iter().map(|(_, byte)| byte).collect();
    let at = found.windows(3).position(|three| three == [0x52, 0x53, 0x54]);
    assert!(at.is_some(), "{:02x?}", &found[..40.min(found.len())]);
    // A disk whose notch is covered keeps its bits.
    mechanics.disk.as_mut().expect("a disk").protect(true);
    let before = mechanics.disk.clone();
    assert!(!mechanics.is_open());
    bytes(&mut mechanics, drives, 1000);
    assert!(mechanics.disk == before);
}

#[test]
fn an_empty_place_gets_a_track_of_its_density_when_it_is_written_to() {
    let mut mechanics = mechanics(&[]);
    assert!(bytes(&mut mechanics, READING, 1000).iter().all(|&(_, byte)| byte != 0xff));
    let drives = Drives { is_writing: true, byte: 0xa5, density: 1, ..READING };
    bytes(&mut mechanics, drives, 300);
    let disk = mechanics.disk.as_ref().expect("a disk");
    assert_eq!(disk.half_track(34).len(), 6666);
    // The bytes are at any bit.
    let is_written = |three: &[u8]| (0..8).any(|by| three == [0xa5_u8.rotate_left(by); 3]);
    assert!(disk.half_track(34).windows(3).any(is_written));
}

#[test]
fn the_head_moves_by_half_tracks_and_stops_at_both_ends() {
    let mut mechanics = mechanics(&[0xff; 6250]);
    let at = |mechanics: &mut Mechanics, phases: &[u8]| {
        phases.iter().for_each(|&phase| mechanics.step(phase));
        mechanics.half_track()
    };
    assert_eq!(at(&mut mechanics, &[1, 2, 3]), 37);
    // The opposite coil moves nothing, and the same one neither.
    assert_eq!(at(&mut mechanics, &[1, 1, 3]), 37);
    assert_eq!(at(&mut mechanics, &[2, 1, 0, 3]), 33);
    assert_eq!(at(&mut mechanics, &[2, 1, 0, 3].repeat(30)), 0);
    assert_eq!(at(&mut mechanics, &[0, 1, 2, 3].repeat(30)), 83);
}

/// A ROM with this code at $C000, which the reset leads to; interrupts lead to $C100.
fn rom(code: &[u8], handler: &[u8]) -> Vec<u8> {
    let mut rom = vec![0xea; DRIVE_ROM];
    rom[..code.len()].copy_from_slice(code);
    rom[0x100..0x100 + handler.len()].copy_from_slice(handler);
    rom[0x3ffa..].copy_from_slice(&[0, 0xc1, 0, 0xc0, 0, 0xc1]);
    rom
}

fn machine(model: Model, rom: &[u8]) -> C64 {
    let mut machine = C64::new(model);
    // jmp *
    machine.board.ram_mut()[0xc000..0xc003].copy_from_slice(&[0x4c, 0x00, 0xc0]);
    machine.cpu.registers.pc = 0xc000;
    machine.board.poke(0xdc0d, 0x7f, 0);
    assert!(machine.attach(rom));
    machine
}

#[test]
fn a_rom_of_another_size_is_refused() {
    let mut machine = C64::new(Model::Pal);
    assert!(!machine.attach(&[0; 0x2000]) && !machine.attach(&[]));
    assert!(machine.board.drive().is_none());
}

#[test]
fn memory_repeats_as_it_is_decoded() {
    let drive = {
        // lda #$5a, sta $0012, sta $6813, jmp *
        let code = [0xa9, 0x5a, 0x8d, 0x12, 0x00, 0x8d, 0x13, 0x68, 0x4c, 0x08, 0xc0];
        let mut machine = machine(Model::Pal, &rom(&code, &[]));
        machine.run_cycles(100);
        machine
    };
    let drive = drive.board.drive().expect("a drive");
    // $6813 is nothing: A11 is set and A12 is not.
    assert_eq!((drive.ram()[0x12], drive.ram()[0x13]), (0x5a, 0));
    assert_eq!([0x0012, 0x2012, 0x6012].map(|addr| drive.peek(addr)), [0x5a; 3]);
    assert_eq!([0x8000, 0xc000].map(|addr| drive.peek(addr)), [0xa9; 2]);
    // VIA 1 and VIA 2, every 16 bytes.
    for addr in [0x180e, 0x1bfe, 0x3c0e, 0x7c1e] {
        assert_eq!(drive.peek(addr), 0x80, "{addr:04x}");
    }
}

#[test]
fn its_clock_is_a_million_cycles_a_second_on_every_machine() {
    for model in [Model::Pal, Model::Ntsc, Model::C64c, Model::NtscOld] {
        let mut machine = machine(model, &rom(&[0x4c, 0x00, 0xc0], &[]));
        for second in 1..=3 {
            let start = machine.cpu.cycles;
            machine.run_cycles(u64::from(model.clock()));
            let extra = (machine.cpu.cycles - u64::from(model.clock()) * second) * 1_000_000
                / u64::from(model.clock());
            let drive = machine.board.drive().expect("a drive");
            assert_eq!(drive.cycles() - extra, 1_000_000 * second, "{model:?}: from {start}");
        }
    }
}

/// Answers ATN in an interrupt, and otherwise turns CLK and DATA as fast as it can.
fn lively() -> Vec<u8> {
    let code = [
        0xa9, 0x1a, 0x8d, 0x02, 0x18, // lda #$1a, sta $1802
        0xa9, 0x82, 0x8d, 0x0e, 0x18, // lda #$82, sta $180e: CA1 interrupts
        0xa9, 0x01, 0x8d, 0x0c, 0x18, // lda #$01, sta $180c: on a rise
        0xa9, 0x40, 0x8d, 0x04, 0x1c, 0x8d, 0x05, 0x1c, // timer 1 of VIA 2
        0x58, // cli
        0xee, 0x00, 0x18, // inc $1800
        0xe6, 0x10, // inc $10
        0x4c, 0x18, 0xc0,
    ];
    // pha, lda $1801, inc $11, lda $1800, eor #$10, sta $1800, pla, rti
    let handler =
        [0x48, 0xad, 0x01, 0x18, 0xe6, 0x11, 0xad, 0x00, 0x18, 0x49, 0x10, 0x8d, 0x00, 0x18, 0x68, 0x40];
    rom(&code, &handler)
}

#[test]
fn the_bus_is_the_same_in_long_runs_and_by_single_instructions() {
    for model in [Model::Pal, Model::Ntsc] {
        let mut lazy = machine(model, &lively());
        // lda $dd00, sta $0400,x, inx, lda $dd00, eor #$38, sta $dd00, nop, jmp
        let code = [
            0xad, 0x00, 0xdd, 0x9d, 0x00, 0x04, 0xe8, 0xad, 0x00, 0xdd, 0x49, 0x38, 0x8d, 0x00, 0xdd, 0xea,
            0x4c, 0x00, 0xc0,
        ];
        lazy.board.ram_mut()[0xc000..0xc000 + code.len()].copy_from_slice(&code);
        let mut exact = lazy.clone();
        lazy.run_cycles(20_000);
        while exact.cpu.cycles < lazy.cpu.cycles {
            exact.run_cycles(1);
        }
        assert!(lazy == exact, "{model:?}");
        let drive = lazy.board.drive().expect("a drive");
        assert!(drive.ram()[0x11] > 20, "{} interrupts", drive.ram()[0x11]);
        // CLK and DATA were seen in both states.
        let seen = &lazy.board.ram()[0x0400..0x0500];
        for bit in [0x40, 0x80] {
            assert!(
                seen.iter().any(|byte| byte & bit != 0) && seen.iter().any(|byte| byte & bit == 0),
                "{bit:02x}"
            );
        }
        // A saved machine goes on alike, also from the middle of an instruction of the drive.
        for _ in 0..20 {
            let mut again = C64::load(&lazy.save()).expect("a machine");
            assert!(again == lazy);
            again.run_cycles(7);
            lazy.run_cycles(7);
            assert!(again == lazy);
        }
    }
}

#[test]
fn atn_pulls_data_until_it_is_answered() {
    // DDRB, then the answer after a while: lda #$1a, sta $1802, ldx #0, dex, bne, lda #$10, sta $1800, jmp *
    let code = [
        0xa9, 0x1a, 0x8d, 0x02, 0x18, 0xa2, 0x00, 0xca, 0xd0, 0xfd, 0xa9, 0x10, 0x8d, 0x00, 0x18, 0x4c, 0x0f,
        0xc0,
    ];
    let mut machine = machine(Model::Pal, &rom(&code, &[]));
    let data = |machine: &C64| machine.board.peek(0xdd00) & 0x80 != 0;
    machine.run_cycles(50);
    assert!(data(&machine));
    machine.board.poke(0xdd00, 0x0f, machine.cpu.cycles);
    assert!(!data(&machine));
    machine.run_cycles(100);
    assert!(!data(&machine));
    machine.run_cycles(2000);
    assert!(data(&machine));
    // The answer without ATN pulls it as well.
    machine.board.poke(0xdd00, 0x07, machine.cpu.cycles);
    assert!(!data(&machine));
}

#[test]
fn without_a_drive_the_inputs_follow_the_machines_own_lines() {
    let mut machine = C64::new(Model::Pal);
    for (out, expected) in [(0x07, 0xc7), (0x17, 0x97), (0x27, 0x67), (0x37, 0x37)] {
        machine.board.poke(0xdd00, out, 0);
        assert_eq!(Machine::peek(&machine, 0xdd00), expected, "{out:02x}");
    }
    assert!(!machine.board.has_called_bus());
    machine.board.poke(0xdd00, 0x0f, 0);
    assert!(machine.board.has_called_bus());
}

#[test]
fn ca2_as_a_handshake_lets_a_byte_through_after_each_answer() {
    // CA2 falls with a read of port A and rises with the next byte, which is the only way that one gets through.
    let code = [
        0xa9, 0x64, 0x8d, 0x02, 0x1c, 0x8d, 0x00,
        0x1c, // lda #$64, sta $1c02, sta $1c00: motor, density 3
        0xa9, 0xe8, 0x8d, 0x0c, 0x1c, // lda #$e8, sta $1c0c
        0xb8, 0x50, 0xfe, 0xe6, 0x10, // clv, bvc, inc $10
        0xad, 0x01, 0x1c, // lda $1c01
        0xb8, 0x50, 0xfe, 0xe6, 0x11, 0x4c, 0x1a, 0xc0, // clv, bvc, inc $11, jmp *
    ];
    let mut machine = machine(Model::Pal, &rom(&code, &[]));
    let mut disk = Disk::new();
    disk.set_half_track(34, &[0x55; 7692]);
    machine.board.drive_mut().expect("a drive").insert(disk);
    machine.run_cycles(2000);
    let drive = machine.board.drive().expect("a drive");
    // The first byte comes with CA2 high; while it is low there is none, and none makes it rise.
    assert_eq!(drive.ram()[0x10..0x12], [1, 0]);
    assert!(C64::load(&machine.save()).expect("a machine") == machine);
}

#[test]
fn a_state_with_an_impossible_drive_is_refused() {
    let mut machine = machine(Model::Pal, &lively());
    machine.run_cycles(1000);
    let bytes = machine.save();
    let rom = lively();
    let at = bytes.windows(rom.len()).position(|part| part == rom).expect("the ROM is saved");
    let mut refused = 0;
    // What follows the RAM: ports, timers and the place of the head.
    for place in at + rom.len() + RAM..bytes.len() - 8 {
        let mut other = bytes[..bytes.len() - 8].to_vec();
        other[place] = 0xff;
        let sum = crate::c64::state_checksum(&other);
        other.extend(sum.to_le_bytes());
        match C64::load(&other) {
            Ok(mut other) => {
                other.run_cycles(500);
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 10, "{refused} states were refused");
}
