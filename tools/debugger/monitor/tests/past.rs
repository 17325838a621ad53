//! The commands that VICE does not have: back, to a cycle, who made a value.

use pretty_assertions::assert_eq;
use tempo_emu::System;
use tempo_monitor::{Files, Monitor, Setup};

/// No files.
struct Nothing;

impl Files for Nothing {
    fn read(&mut self, _: &str) -> Option<Vec<u8>> {
        None
    }
    fn write(&mut self, _: &str, _: &[u8]) -> bool {
        false
    }
}

/// A halted machine with a program that counts in X and stores it: `ldx #0`, `inx`, `stx $c100`, `jmp $c002`.
fn counting() -> Monitor {
    let computer = System::C64Pal.computer().expect("a whole computer");
    let mut monitor =
        Monitor::new(Setup { computer, has_debugcart: false, limit: None, history: 64 }, Box::new(Nothing));
    (0..130).for_each(|_| monitor.run_frame());
    let program = [0xa2, 0, 0xe8, 0x8e, 0, 0xc1, 0x4c, 2, 0xc0];
    ask(&mut monitor, 0x02, &[&[0, 0, 0xc0, 8, 0xc0, 0, 0, 0][..], &program[..]].concat());
    // PC and, without interrupts, the flags.
    ask(&mut monitor, 0x32, &[0, 2, 0, 3, 3, 0, 0xc0, 3, 5, 0x24, 0]);
    monitor
}

/// The answer to a command, its error and its body, when the machine has halted again.
fn ask(monitor: &mut Monitor, command: u8, body: &[u8]) -> (u8, Vec<u8>) {
    let len = u32::try_from(body.len()).expect("a short body").to_le_bytes();
    monitor.receive(&[&[2, 2][..], &len, &[9, 0, 0, 0, command], body].concat());
    monitor.poll();
    for _ in 0..100 {
        if monitor.core.is_open() {
            break;
        }
        monitor.run_frame();
        monitor.poll();
    }
    let answers = monitor.take_binary();
    let mut rest = &answers[..];
    while rest.len() >= 12 {
        let (head, after) = rest.split_at(12);
        let (body, next) = after.split_at(u32::from_le_bytes([head[2], head[3], head[4], head[5]]) as usize);
        if head[8..] == [9, 0, 0, 0] {
            return (head[7], body.to_vec());
        }
        rest = next;
    }
    panic!("no answer to {command:02x}");
}

/// PC and X.
fn place(monitor: &mut Monitor) -> (u16, u8) {
    let (_, body) = ask(monitor, 0x31, &[0]);
    let register = |id: u8| {
        let item = body[2..].chunks(4).find(|item| item[1] == id).expect("a register");
        u16::from_le_bytes([item[2], item[3]])
    };
    (register(3), register(1) as u8)
}

/// The first cycle of the recording, and the cycle now.
fn cycles(monitor: &mut Monitor) -> (u64, u64) {
    let (_, body) = ask(monitor, 0xe4, &[]);
    let cycle = |at: usize| u64::from_le_bytes(body[at..at + 8].try_into().expect("eight bytes"));
    (cycle(0), cycle(16))
}

#[test]
fn steps_go_back_one_by_one_or_all_at_once() {
    let mut monitor = counting();
    let (_, before) = cycles(&mut monitor);
    ask(&mut monitor, 0x71, &[0, 10, 0]);
    assert_eq!(place(&mut monitor), (0xc002, 3));
    let (_, after) = cycles(&mut monitor);
    // A count of 0 is 1.
    ask(&mut monitor, 0xe0, &[0, 0]);
    assert_eq!(place(&mut monitor), (0xc006, 3));
    ask(&mut monitor, 0xe0, &[2, 0]);
    assert_eq!(place(&mut monitor), (0xc002, 2));
    ask(&mut monitor, 0xe0, &[7, 0]);
    assert_eq!((place(&mut monitor).0, cycles(&mut monitor).1), (0xc000, before));
    // Forward again, and back to a cycle.
    ask(&mut monitor, 0x71, &[0, 10, 0]);
    assert_eq!((place(&mut monitor), cycles(&mut monitor).1), ((0xc002, 3), after));
    ask(&mut monitor, 0xe2, &(before + 2).to_le_bytes());
    assert_eq!(place(&mut monitor), (0xc002, 0));
    assert_eq!(ask(&mut monitor, 0xe2, &u64::MAX.to_le_bytes()).0, 0x81);
    // More than the recording has: many thousand instructions, passed once.
    ask(&mut monitor, 0x71, &[0, 0xff, 0xff]);
    ask(&mut monitor, 0x71, &[0, 0xff, 0xff]);
    let (first, _) = cycles(&mut monitor);
    for _ in 0..20 {
        ask(&mut monitor, 0xe0, &[0xff, 0xff]);
    }
    assert_eq!(cycles(&mut monitor).1, first);
}

#[test]
fn a_run_back_ends_at_a_checkpoint_or_at_the_start() {
    let mut monitor = counting();
    ask(&mut monitor, 0x71, &[0, 10, 0]);
    // At `stx`, while X is 2.
    ask(&mut monitor, 0x12, &[3, 0xc0, 3, 0xc0, 1, 1, 4, 0]);
    let condition = b"X == $02";
    ask(&mut monitor, 0x22, &[&[1, 0, 0, 0, condition.len() as u8][..], &condition[..]].concat());
    ask(&mut monitor, 0xe1, &[]);
    assert_eq!(place(&mut monitor), (0xc003, 2));
    ask(&mut monitor, 0xe1, &[]);
    let (first, now) = cycles(&mut monitor);
    assert_eq!(now, first);
}

#[test]
fn a_value_has_its_instruction() {
    let mut monitor = counting();
    ask(&mut monitor, 0x71, &[0, 10, 0]);
    let (error, body) = ask(&mut monitor, 0xe3, &[0, 0, 0xc1, 5]);
    assert_eq!((error, body[3], body[4], u16::from_le_bytes([body[5], body[6]])), (0, 2, 3, 0xc003));
    assert!(body[0] >= 2, "{body:?}");
    assert_eq!(ask(&mut monitor, 0xe3, &[9, 0, 0, 5]).0, 0x81);
    assert_eq!(ask(&mut monitor, 0xe3, &[0]).0, 0x80);
}
