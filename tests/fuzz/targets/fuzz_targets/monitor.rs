//! Sessions with VICE's monitor: pieces of the input are requests of the binary protocol, lines of the text monitor, or bytes
//! as they are. The machine answers who comes after.

#![no_main]

use std::collections::HashMap;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempo_emu::{AnyComputer, System};
use tempo_monitor::{Files, Monitor, Setup};

struct Folder(HashMap<String, Vec<u8>>);

impl Files for Folder {
    fn read(&mut self, name: &str) -> Option<Vec<u8>> {
        self.0.get(name).cloned()
    }
    fn write(&mut self, name: &str, bytes: &[u8]) -> bool {
        self.0.insert(name.to_string(), bytes.to_vec());
        true
    }
}

static COMPUTER: LazyLock<AnyComputer> = LazyLock::new(|| System::C64Pal.computer().expect("a whole computer"));

fuzz_target!(|input: &[u8]| {
    let program = [1, 8, 0x0b, 8, 0, 0, 0x9e, b'2', b'0', b'6', b'1', 0, 0, 0, 0xee, 0x20, 0xd0, 0x4c, 0x0d, 8];
    let files = Folder([("p".to_string(), program.to_vec())].into());
    let setup = Setup { computer: COMPUTER.clone(), has_debugcart: false, limit: None, history: 4 };
    let mut monitor = Monitor::new(setup, Box::new(files));
    let mut rest = input;
    for number in 0..20_u32 {
        let Some((&[kind, length], after)) = rest.split_first_chunk::<2>() else { break };
        let (body, after) = after.split_at(usize::from(length % 64).min(after.len()));
        rest = after;
        match kind {
            // The session survives the end of the server.
            0xbb => continue,
            0xf0..=0xf7 => monitor.receive_text(&[body, b"\n"].concat()),
            0xf8..=0xff => monitor.receive(body),
            command => {
                let size = (body.len() as u32).to_le_bytes();
                monitor.receive(&[&[2, 2][..], &size, &number.to_le_bytes(), &[command], body].concat());
            }
        }
        while monitor.poll() {
            let _ = (monitor.take_binary(), monitor.take_text());
        }
        monitor.run_frame();
        let _ = (monitor.take_binary(), monitor.take_text());
    }
    monitor.left();
    monitor.text_left();
    monitor.receive(&[2, 2, 0, 0, 0, 0, 77, 0, 0, 0, 0x81]);
    for _ in 0..25 {
        let _ = monitor.poll();
        monitor.run_frame();
    }
    let is_answered = monitor.take_binary().windows(4).any(|id| id == 77_u32.to_le_bytes());
    assert!(is_answered || monitor.end().is_some(), "the next client has no answer");
});
