//! Recordings: the first byte chooses a chunk of a good one, which the rest replaces or follows, with a checksum that fits.
//! A recording that was read can be written, and reads back as the same one.

#![no_main]

use std::sync::{Arc, LazyLock};

use libfuzzer_sys::fuzz_target;
use tempo_emu::{System, checksum};
use tempo_rig::file::{About, Course, SourceSet, read, write};
use tempo_rig::{Action, Feed, IoWrites, Line, TestMachine, Wire};

static MACHINE: LazyLock<Vec<u8>> = LazyLock::new(|| TestMachine::new(System::Mos6502, IoWrites::IoOnly).save());
static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let machine = TestMachine::new(System::Mos6502, IoWrites::IoOnly);
    let registers = machine.registers;
    let actions = vec![
        Action::Poke(0x2000, 5),
        Action::Feeds(vec![Feed { address: 0xd012, values: vec![1, 2], next: 1 }]),
        Action::Wires(vec![Wire { line: Line::Nmi, at: 9, is_served: true }]),
        Action::Enter(registers, 3),
        Action::Run(1000),
        Action::Machine(Arc::new(machine.clone())),
    ];
    write(&About::default(), Some(&Course { machine, actions, loaded: vec![(1, 2)] }), &SourceSet::default(), None)
});

/// Appends a chunk as it is.
fn chunk(body: &mut Vec<u8>, name: &[u8], bytes: &[u8]) {
    body.extend([name, &(bytes.len() as u32).to_le_bytes(), &[0], bytes].concat());
}

/// Appends a length in pieces of seven bits.
fn length(to: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

fuzz_target!(|input: &[u8]| {
    let _ = read(input).is_ok();
    let Some((&kind, rest)) = input.split_first() else { return };
    let mut body = Vec::new();
    let mut start = Vec::new();
    length(&mut start, MACHINE.len());
    start.extend(&MACHINE[..]);
    match kind % 5 {
        // A whole chunk of each kind.
        0 => {
            chunk(&mut body, b"META", b"{}");
            chunk(&mut body, b"STAT", &[&start[..], &[0]].concat());
            chunk(&mut body, b"ACTS", rest);
        }
        1 => {
            // One machine that actions go back to, then the actions.
            chunk(&mut body, b"META", b"{}");
            chunk(&mut body, b"STAT", &[&start[..], &[0]].concat());
            chunk(&mut body, b"ACTS", &[&[1], &start[..], rest].concat());
        }
        2 => {
            chunk(&mut body, b"META", rest);
        }
        3 => {
            chunk(&mut body, b"META", b"{}");
            chunk(&mut body, b"SRCS", rest);
        }
        _ => body = [&GOOD[20..], rest].concat(),
    }
    let file = [&b"TEMPOREC\x01\0\0\0"[..], &checksum(&body).to_le_bytes(), &body].concat();
    let Ok(found) = read(&file) else { return };
    let Ok(course) = &found.course else { return };
    let written = write(&found.about, Some(course), &found.sources, found.picture.as_deref());
    let again = read(&written).expect("what was written");
    let again = write(&again.about, again.course.as_ref().ok(), &again.sources, again.picture.as_deref());
    assert!(again == written, "it changes when it is written");
});
