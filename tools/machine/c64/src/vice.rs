//! Machines of VICE's snapshots. Knows which chip a number of VICE's means; the file is that of `tempo_formats::vsf`.

use tempo_emu::c64::{C64, Given, GivenCia, Model};
use tempo_emu::{Machine as _, Port6510, Registers, Rom, Status};
use tempo_formats::vsf::{Cia, Cpu, Snapshot, Vic, Writer};

/// The video chips by VICE's numbers. Chips that differ only in colours are one here.
const CHIPS: [Model; 7] =
    [Model::Pal, Model::C64c, Model::Pal, Model::Ntsc, Model::Ntsc, Model::NtscOld, Model::Drean];

/// The model of a snapshot; `None` if the file does not have it, as those of `x64`.
pub fn model_of(snapshot: &Snapshot) -> Option<Model> {
    snapshot.vic.model.map(|number| CHIPS.get(usize::from(number)).copied().unwrap_or_default())
}

/// The machine of a snapshot. It has the snapshot's ROMs, or our own.
pub fn machine_of(snapshot: &Snapshot, model: Model) -> C64 {
    let Cpu { a, x, y, s, pc, p, .. } = snapshot.cpu;
    let vic = &snapshot.vic;
    let cia = |cia: &Cia| GivenCia {
        ports: cia.ports,
        directions: cia.directions,
        counters: cia.counters,
        latches: cia.latches,
        controls: cia.controls,
        toggles: cia.toggles,
        time: cia.time,
        alarm: cia.alarm,
        latched: cia.latched,
        is_stopped: cia.is_stopped,
        serial: cia.serial,
        mask: cia.mask,
        flags: cia.flags,
    };
    let given = Given {
        registers: Registers { pc, a, x, y, s, p: Status::from_byte(p) },
        direction: snapshot.direction,
        port: snapshot.port,
        ram: snapshot.ram.clone(),
        colours: vic.colours.clone(),
        vic: vic.registers,
        beam: (vic.line, vic.cycle + 1),
        vic_flags: vic.flags,
        collisions: [vic.sprite_sprite, vic.sprite_background],
        cias: [cia(&snapshot.cias[0]), cia(&snapshot.cias[1])],
        sid: snapshot.sid,
    };
    let mut machine = C64::given(model, &given);
    if let Some(roms) = &snapshot.roms {
        let images =
            [(Rom::Kernal, &roms.kernal), (Rom::Basic, &roms.basic), (Rom::Characters, &roms.characters)];
        for (rom, image) in images {
            machine.insert(rom, image).expect("the reader takes images of the socket's size");
        }
    }
    machine
}

/// The ROM that a snapshot's program is in, if the snapshot does not contain it: with other ROMs it goes on elsewhere.
pub fn missing_rom(snapshot: &Snapshot) -> Option<Rom> {
    let port = Port6510 { direction: snapshot.direction, data: snapshot.port, ..Port6510::new() };
    let lines = port.lines();
    let (has_basic, has_kernal) = (lines & 3 == 3, lines & Port6510::HIRAM != 0);
    match snapshot.cpu.pc >> 12 {
        _ if snapshot.roms.is_some() => None,
        0xa | 0xb if has_basic => Some(Rom::Basic),
        0xe | 0xf if has_kernal => Some(Rom::Kernal),
        _ => None,
    }
}

/// The snapshot of a machine, without its ROMs.
pub fn snapshot_of(machine: &mut C64, writer: Writer) -> Snapshot {
    let clock = machine.cpu.cycles;
    let model = machine.board.model();
    let given = machine.describe();
    let cia = |cia: &GivenCia| Cia {
        ports: cia.ports,
        directions: cia.directions,
        counters: cia.counters,
        latches: cia.latches,
        controls: cia.controls,
        toggles: cia.toggles,
        time: cia.time,
        alarm: cia.alarm,
        latched: cia.latched,
        is_stopped: cia.is_stopped,
        serial: cia.serial,
        mask: cia.mask,
        flags: cia.flags,
    };
    let Registers { pc, a, x, y, s, p } = given.registers;
    let number = CHIPS.iter().position(|&chip| chip == model).unwrap_or(0) as u8;
    let (line, cycle) = given.beam;
    Snapshot {
        writer,
        version: Some([3, 7, 1, 0]),
        cpu: Cpu { clock, a, x, y, s, pc, p: p.byte() },
        port: given.port,
        direction: given.direction,
        ram: given.ram,
        vic: Vic {
            model: (writer == Writer::X64Sc).then_some(number),
            registers: given.vic,
            line,
            cycle: cycle.saturating_sub(1),
            flags: given.vic_flags,
            sprite_sprite: given.collisions[0],
            sprite_background: given.collisions[1],
            colours: given.colours,
        },
        cias: [cia(&given.cias[0]), cia(&given.cias[1])],
        sid: given.sid,
        roms: None,
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use tempo_formats::vsf;

    use super::*;

    /// Counts its jiffies in the colour of the border, and the loops in between on the screen.
    const PROGRAM: &[u8] = &[
        0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'1', 0x00, 0x00, 0x00, //
        0xa5, 0xa2, 0x8d, 0x20, 0xd0, 0xee, 0x00, 0x04, 0xad, 0x04, 0xdc, 0x8d, 0x01, 0x04, 0x4c, 0x0d, 0x08,
    ];

    #[test]
    fn a_machine_goes_on_from_its_snapshot() {
        for (model, writer) in [
            (Model::Pal, Writer::X64Sc),
            (Model::Pal, Writer::X64),
            (Model::Ntsc, Writer::X64Sc),
            (Model::C64c, Writer::X64Sc),
            (Model::Drean, Writer::X64Sc),
        ] {
            let mut machine = C64::new(model);
            machine.start(PROGRAM).expect("a program");
            machine.run_cycles(123_457);
            let file = snapshot_of(&mut machine, writer).write();
            let snapshot = vsf::read(&file).expect("a snapshot");
            let found = model_of(&snapshot);
            assert_eq!(found, (writer == Writer::X64Sc).then_some(model));
            let mut again = machine_of(&snapshot, found.unwrap_or_default());
            for frame in 0..5 {
                machine.run_frames(1);
                again.run_frames(1);
                assert!(machine.board.ram() == again.board.ram(), "{model:?} {writer:?}, frame {frame}");
                assert_eq!(machine.cpu.registers, again.cpu.registers, "{model:?} {writer:?}, frame {frame}");
            }
            assert!(machine.board.picture() == again.board.picture(), "{model:?} {writer:?}");
        }
    }

    #[test]
    fn a_program_in_a_rom_that_is_not_there_is_noticed() {
        let mut snapshot = snapshot_of(&mut C64::new(Model::Pal), Writer::X64);
        for (pc, port, expected) in [
            (0xe5cd, 0x37, Some(Rom::Kernal)),
            (0xa7ae, 0x37, Some(Rom::Basic)),
            (0xa7ae, 0x36, None),
            (0xe5cd, 0x35, None),
            (0xc000, 0x37, None),
        ] {
            (snapshot.cpu.pc, snapshot.port) = (pc, port);
            assert_eq!(missing_rom(&snapshot), expected, "{pc:04x} {port:02x}");
        }
    }
}
