//! Clients that ask for too much: what waits for them, and what they wait for, stays small.

use std::collections::HashMap;

use tempo_emu::System;
use tempo_monitor::{Files, Monitor, Setup};

struct Folder(HashMap<String, Vec<u8>>);

impl Files for Folder {
    fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        self.0.get(name).cloned()
    }
    fn write(&mut self, _name: &str, _bytes: &[u8]) -> bool {
        false
    }
}

fn monitor() -> Monitor {
    let computer = System::C64Pal.computer().expect("a whole computer");
    let setup = Setup { computer, has_debugcart: false, limit: None, history: 4 };
    Monitor::new(setup, Box::new(Folder(HashMap::new())))
}

fn request(number: u32, command: u8, body: &[u8]) -> Vec<u8> {
    [&[2, 2][..], &(body.len() as u32).to_le_bytes(), &number.to_le_bytes(), &[command], body].concat()
}

#[test]
fn requests_wait_until_answers_are_taken() {
    let mut monitor = monitor();
    // Pictures of 157 KB each.
    (0..500).for_each(|number| monitor.receive(&request(number, 0x84, &[0, 0])));
    let (mut turns, mut total) = (0, 0);
    loop {
        let has_more = monitor.poll();
        let answers = monitor.take_binary();
        assert!(answers.len() < 2 << 20, "{} bytes at once", answers.len());
        (turns, total) = (turns + 1, total + answers.len());
        if !has_more {
            break;
        }
    }
    assert!(turns > 50 && total > 500 * 157_000, "{turns} turns, {total} bytes");
}

#[test]
fn clients_wait_while_the_machine_runs() {
    let mut monitor = monitor();
    // Each of these lets the machine go, and is answered a frame later.
    monitor.receive_text(&b"x\n".repeat(3 << 20));
    assert!(monitor.is_full());
    for _ in 0..10 {
        let _ = monitor.poll();
        monitor.run_frame();
    }
    assert!(monitor.is_full());
    monitor.text_left();
    assert!(!monitor.is_full());
}

#[test]
fn a_flood_of_lines_is_read_once() {
    let mut monitor = monitor();
    monitor.receive_text(&b"\n".repeat(100_000));
    let mut prompts = 0;
    while monitor.poll() {
        prompts += monitor.take_text().len();
    }
    prompts += monitor.take_text().len();
    assert!(prompts > 100_000 * "(C:$0000)".len(), "{prompts} bytes");
}

#[test]
fn checkpoints_that_are_hit_all_the_time_are_told_in_pieces() {
    let mut monitor = monitor();
    monitor.run_commands(&"trace exec 0000 ffff\n".repeat(500));
    monitor.run_commands("disable\nenable\n");
    monitor.receive(&request(1, 0xaa, &[]));
    let _ = monitor.poll();
    let _ = monitor.take_binary();
    let mut most = 0;
    for _ in 0..5 {
        monitor.run_frame();
        most = most.max(monitor.take_binary().len());
    }
    assert!((10_000 * 30..3 << 20).contains(&most), "{most} bytes for a frame");
}

#[test]
fn labels_of_an_address_have_a_limit() {
    let mut monitor = monitor();
    let labels: String = (0..50_000).map(|number| format!("al C:1000 .l{number}\n")).collect();
    let said = monitor.run_commands(&labels);
    assert_eq!(said.matches("Too many labels").count(), 49_000);
}
