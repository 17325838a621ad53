//! A snapshot put together: the modules that a C64's state consists of. VICE's own have more, for its devices.

use super::{CONTAINER, Cia, MAGIC, MODULE, NAME, Snapshot, VERSION_MAGIC, Writer};

impl Snapshot {
    /// The file.
    pub fn write(&self) -> Vec<u8> {
        let mut file = Vec::new();
        file.extend(MAGIC);
        file.extend([CONTAINER.0, CONTAINER.1]);
        file.extend(padded(self.writer.machine()));
        if let Some(version) = self.version {
            file.extend(VERSION_MAGIC);
            file.extend(version);
            file.extend([0; 4]);
        }
        let mut add = |name: &str, (major, minor): (u8, u8), data: Vec<u8>| {
            file.extend(padded(name));
            file.extend([major, minor]);
            file.extend(((MODULE + data.len()) as u32).to_le_bytes());
            file.extend(data);
        };
        add("MAINCPU", (1, 2), self.cpu_module());
        let memory = [&[self.port, self.direction, 0, 0][..], &self.ram[..], &[0; 3], &[0; 14]].concat();
        add("C64MEM", (0, 1), memory);
        if let Some(roms) = &self.roms {
            add("C64ROM", (0, 0), [&roms.kernal[..], &roms.basic, &roms.characters].concat());
        }
        add("CIA1", (2, 3), cia(&self.cias[0]));
        add("CIA2", (2, 3), cia(&self.cias[1]));
        add("SID", (1, 5), [&[0, 0, 0, 0][..], &self.sid].concat());
        let vic = match self.writer {
            Writer::X64 => self.vic_x64(),
            Writer::X64Sc => self.vic_x64sc(),
        };
        add("VIC-II", (1, 3), vic);
        file
    }

    fn cpu_module(&self) -> Vec<u8> {
        let cpu = &self.cpu;
        let mut data = cpu.clock.to_le_bytes().to_vec();
        data.extend([cpu.a, cpu.x, cpu.y, cpu.s]);
        data.extend(cpu.pc.to_le_bytes());
        data.push(cpu.p);
        // The last opcode, and requests.
        data.extend([0; 32]);
        data
    }

    fn vic_x64(&self) -> Vec<u8> {
        let vic = &self.vic;
        let mut data = vec![0; 43];
        data.extend(&vic.colours[..]);
        data.extend([0; 49]);
        data.push(vic.cycle);
        data.extend(vic.line.to_le_bytes());
        data.extend(vic.registers);
        data.extend([vic.sprite_background, 0, vic.sprite_sprite]);
        data.extend([0; 7]);
        data.push(vic.flags);
        // Sprites and the next event.
        data.extend([0; 8 * 3 + 9 + 6]);
        data
    }

    fn vic_x64sc(&self) -> Vec<u8> {
        let vic = &self.vic;
        let mut data = vec![vic.model.unwrap_or(0)];
        data.extend(vic.registers);
        data.extend(u32::from(vic.cycle).to_le_bytes());
        data.extend([0; 4]);
        data.extend(u32::from(vic.line).to_le_bytes());
        data.extend([0, vic.flags]);
        data.extend([0; 5 + 81 + 4 + 520 + 5]);
        data.extend([vic.sprite_sprite, vic.sprite_background]);
        data.extend([0; 1 + 24 + 2 + 12 + 8]);
        data.extend([0; 18]);
        data.extend(&vic.colours[..]);
        // Sprites.
        data.extend([0; 8 * 12]);
        data
    }
}

fn padded(name: &str) -> [u8; NAME] {
    let mut field = [0; NAME];
    for (place, byte) in field.iter_mut().zip(name.bytes()) {
        *place = byte;
    }
    field
}

fn cia(cia: &Cia) -> Vec<u8> {
    let mut data = Vec::new();
    data.extend(cia.ports);
    data.extend(cia.directions);
    data.extend(cia.counters.iter().flat_map(|counter| counter.to_le_bytes()));
    data.extend(cia.time);
    data.extend([cia.serial, cia.mask, cia.controls[0], cia.controls[1]]);
    data.extend(cia.latches.iter().flat_map(|latch| latch.to_le_bytes()));
    let [a, b] = cia.toggles.map(u8::from);
    data.extend([cia.flags, a << 6 | b << 7, 0]);
    data.extend(cia.alarm);
    data.extend([0, u8::from(cia.latched.is_some()) | u8::from(cia.is_stopped) << 1]);
    data.extend(cia.latched.unwrap_or_default());
    data.extend([0; 8]);
    for control in cia.controls {
        data.extend(u16::from(control & 0x39).to_le_bytes());
    }
    data.extend([0; 8]);
    data
}
