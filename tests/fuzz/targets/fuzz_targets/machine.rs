//! Cartridges, images of disks and tapes, snapshots of VICE, and saved machines: what can be read runs, is saved and loaded again.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tempo_emu::c64::{C64, Model};
use tempo_formats::vsf::{self, Writer};
use tempo_formats::{crt, images};

static SAVED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut machine = C64::new(Model::Pal);
    machine.run_cycles(50_000);
    machine.save()
});

static SNAPSHOT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut machine = C64::new(Model::Pal);
    machine.run_cycles(50_000);
    tempo_c64::snapshot_of(&mut machine, Writer::X64Sc).write()
});

/// Runs a machine, and holds what it saves to what is loaded.
fn run(machine: &mut C64) {
    machine.run_cycles(500);
    let saved = machine.save();
    let again = C64::load(&saved).expect("what was saved");
    assert!(again.save() == saved, "a machine changes when it is saved");
}

fuzz_target!(|input: &[u8]| {
    for extension in ["d64", "p00"] {
        let _ = images::read(extension, input).is_ok();
    }
    if let Ok(image) = crt::read(input) {
        assert_eq!(crt::read(&image.write()).as_ref(), Ok(&image));
        let mut machine = C64::new(Model::Pal);
        machine.board.plug(tempo_c64::cartridge(&image));
        machine.reset();
        run(&mut machine);
    }
    // Four bytes are a place and a new byte of a snapshot's modules, which are after the memory.
    let mut bytes = SNAPSHOT.clone();
    for change in input.chunks_exact(4).take(50) {
        let from = if change[0] < 200 { 66_000 } else { 0 };
        let place = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
        let len = bytes.len();
        bytes[from + place % (len - from)] = change[3];
    }
    if let Ok(snapshot) = vsf::read(&bytes) {
        let model = tempo_c64::model_of(&snapshot).unwrap_or_default();
        let mut machine = tempo_c64::machine_of(&snapshot, model);
        run(&mut machine);
        let again = tempo_c64::snapshot_of(&mut machine, snapshot.writer).write();
        assert!(vsf::read(&again).is_ok(), "its own snapshot cannot be read");
    }
    // The same for a saved machine; its checksum is made to fit.
    let mut bytes = SAVED[..SAVED.len() - 8].to_vec();
    for change in input.chunks_exact(4).take(50) {
        let place = usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2]);
        let len = bytes.len();
        bytes[place % len] = change[3];
    }
    bytes.extend(tempo_emu::c64::state_checksum(&bytes).to_le_bytes());
    if let Ok(mut machine) = C64::load(&bytes) {
        run(&mut machine);
    }
});
