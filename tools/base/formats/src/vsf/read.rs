//! A snapshot taken apart.

use super::{CONTAINER, Cia, Cpu, MAGIC, MODULE, NAME, Roms, Snapshot, VERSION_MAGIC, Vic, VsfError, Writer};

/// A module of the file.
struct Module<'b> {
    at: usize,
    name: String,
    version: (u8, u8),
    data: &'b [u8],
}

/// Reads a snapshot.
pub fn read(bytes: &[u8]) -> Result<Snapshot, VsfError> {
    let (writer, version, start) = header(bytes)?;
    let modules = modules(bytes, start)?;
    let mut notes = Vec::new();
    let mut find = |name: &'static str, known: (u8, u8)| {
        let mut all = modules.iter().filter(|module| module.name == name);
        let Some(module) = all.next() else { return Ok(None) };
        if let Some(second) = all.next() {
            return Err(VsfError::Twice { at: second.at, name });
        }
        if module.version.0 != known.0 {
            return Err(VsfError::ModuleVersion { name, found: module.version, known });
        }
        if module.version.1 > known.1 {
            let (major, minor) = module.version;
            notes.push(format!(
                "module {name} has version {major}.{minor} and was read as {}.{}",
                known.0, known.1
            ));
        }
        Ok(Some(Fields { name, data: module.data, at: 0, minor: module.version.1, size: module.data.len() }))
    };
    let cpu = cpu(required(find("MAINCPU", (1, 2))?, "MAINCPU")?)?;
    let mut memory = required(find("C64MEM", (0, 1))?, "C64MEM")?;
    let [port, direction, _exrom, _game] = memory.array()?;
    let ram = Box::new(memory.array()?);
    let vic = vic(required(find("VIC-II", (1, 3))?, "VIC-II")?, writer, cpu.is_long)?;
    let cias = [
        cia(required(find("CIA1", (2, 3))?, "CIA1")?, cpu.is_long)?,
        cia(required(find("CIA2", (2, 3))?, "CIA2")?, cpu.is_long)?,
    ];
    let sid = sid(required(find("SID", (1, 5))?, "SID")?)?;
    let roms = find("C64ROM", (0, 0))?.map(roms).transpose()?;
    if let Some(cart) = modules.iter().find(|module| is_cartridge(&module.name)) {
        notes.push(format!("the cartridge (module {}) is left out", cart.name));
    }
    Ok(Snapshot { writer, version, cpu: cpu.cpu, port, direction, ram, vic, cias, sid, roms, notes })
}

/// Modules of cartridges. `C64CART` is there without one, too.
fn is_cartridge(name: &str) -> bool {
    name.starts_with("CART") || name.starts_with("REU")
}

fn required<T>(module: Option<T>, name: &'static str) -> Result<T, VsfError> {
    module.ok_or(VsfError::Missing(name))
}

/// The text of a field that is padded with zeros.
fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    field[..end].escape_ascii().to_string()
}

/// Writer, version, and where the modules begin.
fn header(bytes: &[u8]) -> Result<(Writer, Option<[u8; 4]>, usize), VsfError> {
    let cut = |what: &str| VsfError::Cut { at: bytes.len(), what: what.to_owned() };
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(if MAGIC.starts_with(bytes) && !bytes.is_empty() {
            cut("its signature")
        } else {
            VsfError::Signature
        });
    };
    let (&[major, minor], rest) = rest.split_first_chunk().ok_or_else(|| cut("its header"))?;
    if major != CONTAINER.0 {
        return Err(VsfError::Version(major, minor));
    }
    let (machine, rest) = rest.split_first_chunk::<NAME>().ok_or_else(|| cut("its header"))?;
    let machine = text(machine);
    let writers = [Writer::X64, Writer::X64Sc];
    let writer = writers.into_iter().find(|writer| writer.machine() == machine);
    let writer = writer.ok_or(VsfError::Machine(machine))?;
    // Snapshots before 2.4.30 have no version.
    let start = bytes.len() - rest.len();
    let Some(rest) = rest.strip_prefix(VERSION_MAGIC) else { return Ok((writer, None, start)) };
    let (&version, rest) = rest.split_first_chunk::<4>().ok_or_else(|| cut("its header"))?;
    let (_revision, rest) = rest.split_first_chunk::<4>().ok_or_else(|| cut("its header"))?;
    Ok((writer, Some(version), bytes.len() - rest.len()))
}

fn modules(bytes: &[u8], start: usize) -> Result<Vec<Module<'_>>, VsfError> {
    let mut modules = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let Some((head, _)) = rest.split_first_chunk::<MODULE>() else {
            return Err(VsfError::Cut { at: bytes.len(), what: "the header of a module".to_owned() });
        };
        let name = text(&head[..NAME]);
        let length = u32::from_le_bytes([head[18], head[19], head[20], head[21]]) as usize;
        if length < MODULE || length > rest.len() {
            return Err(VsfError::Length { at, name, length, left: rest.len() });
        }
        modules.push(Module { at, name, version: (head[16], head[17]), data: &rest[MODULE..length] });
        at += length;
    }
    Ok(modules)
}

/// The bytes of a module, from the front.
struct Fields<'b> {
    name: &'static str,
    data: &'b [u8],
    at: usize,
    minor: u8,
    size: usize,
}

impl Fields<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], VsfError> {
        let short = VsfError::Short { name: self.name, size: self.size };
        let found = self.data.get(self.at..).and_then(<[u8]>::first_chunk::<N>).copied().ok_or(short)?;
        self.at += N;
        Ok(found)
    }

    fn byte(&mut self) -> Result<u8, VsfError> {
        self.array().map(|[byte]| byte)
    }

    fn word(&mut self) -> Result<u16, VsfError> {
        self.array().map(u16::from_le_bytes)
    }

    fn long(&mut self) -> Result<u32, VsfError> {
        self.array().map(u32::from_le_bytes)
    }

    fn skip(&mut self, bytes: usize) -> Result<(), VsfError> {
        if self.data.len() - self.at < bytes {
            return Err(VsfError::Short { name: self.name, size: self.size });
        }
        self.at += bytes;
        Ok(())
    }

    fn fault<T>(&self, what: impl Into<String>) -> Result<T, VsfError> {
        Err(VsfError::Value { name: self.name, what: what.into() })
    }
}

struct Timed {
    cpu: Cpu,
    /// Cycle numbers have 64 bits in this file.
    is_long: bool,
}

impl std::ops::Deref for Timed {
    type Target = Cpu;

    fn deref(&self) -> &Cpu {
        &self.cpu
    }
}

fn cpu(mut fields: Fields<'_>) -> Result<Timed, VsfError> {
    let is_long = fields.minor >= 2;
    let clock = match is_long {
        true => u64::from_le_bytes(fields.array()?),
        false => fields.long()?.into(),
    };
    let [a, x, y, s] = fields.array()?;
    let pc = fields.word()?;
    let p = fields.byte()?;
    Ok(Timed { cpu: Cpu { clock, a, x, y, s, pc, p }, is_long })
}

fn vic(mut fields: Fields<'_>, writer: Writer, is_long: bool) -> Result<Vic, VsfError> {
    let mut vic = match writer {
        Writer::X64 => vic_x64(&mut fields)?,
        Writer::X64Sc => vic_x64sc(&mut fields, is_long)?,
    };
    if vic.line >= 312 || vic.cycle >= 65 {
        return fields.fault(format!("line {} and cycle {} are not in a picture", vic.line, vic.cycle));
    }
    if vic.colours.iter().any(|&colour| colour > 15) {
        return fields.fault("colour RAM has values above 15");
    }
    vic.flags &= 0x0f;
    Ok(vic)
}

fn vic_x64(fields: &mut Fields<'_>) -> Result<Vic, VsfError> {
    // Bad lines, blanking, colours of the row.
    fields.skip(3 + 40)?;
    let colours = Box::new(fields.array()?);
    // Idle state, light pen, codes of the row, sprites, the bank.
    fields.skip(1 + 3 + 40 + 1 + 4)?;
    let cycle = fields.byte()?;
    let line = fields.word()?;
    let registers = fields.array()?;
    let [sprite_background, _dma, sprite_sprite] = fields.array()?;
    // The bank and the counters of the row.
    fields.skip(2 + 2 + 1 + 2)?;
    let flags = fields.byte()?;
    Ok(Vic { model: None, registers, line, cycle, flags, sprite_sprite, sprite_background, colours })
}

fn vic_x64sc(fields: &mut Fields<'_>, is_long: bool) -> Result<Vic, VsfError> {
    let model = fields.byte()?;
    let registers = fields.array()?;
    let cycle = fields.long()?;
    fields.skip(4)?;
    let line = fields.long()?;
    let [is_new_frame, flags] = fields.array()?;
    // The raster comparison, codes and colours of the row, graphics, the row in the making.
    fields.skip(4 + 1 + 40 + 40 + 1 + 4 + 65 * 8 + 4 + 1)?;
    let [sprite_sprite, sprite_background] = fields.array()?;
    // Collisions to be cleared, counters, the light pen with its cycle.
    fields.skip(1 + 6 * 4 + 2 + 3 * 4 + if is_long { 8 } else { 4 })?;
    // Delays and DMA, the bus, borders, refresh.
    fields.skip(1 + 4 + 4 + 1 + 4 + 3 + 1)?;
    let colours = Box::new(fields.array()?);
    let small = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    Ok(Vic {
        model: Some(model),
        registers,
        // The counter follows a cycle later.
        line: if is_new_frame == 0 { small(line) } else { 0 },
        cycle: u8::try_from(cycle).unwrap_or(u8::MAX),
        flags,
        sprite_sprite,
        sprite_background,
        colours,
    })
}

fn cia(mut fields: Fields<'_>, is_long: bool) -> Result<Cia, VsfError> {
    let [a, b, direction_a, direction_b] = fields.array()?;
    let counters = [fields.word()?, fields.word()?];
    let time = fields.array()?;
    let [serial, mask, control_a, control_b] = fields.array()?;
    let latches = [fields.word()?, fields.word()?];
    let [flags, toggles, _half_bits] = fields.array()?;
    let alarm = fields.array()?;
    let [_read, clock] = fields.array()?;
    let latch = fields.array()?;
    fields.skip(if is_long { 8 } else { 4 })?;
    // Whether a timer runs: a one-shot timer that has ended leaves the bit of the register.
    let running = [fields.word()?, fields.word()?].map(|state| (state & 1) as u8);
    let possible = |time: &[u8; 4]| time[0] < 16 && time[1] < 128 && time[2] < 128 && time[3] & 0x60 == 0;
    if !possible(&time) || !possible(&alarm) || (clock & 1 != 0 && !possible(&latch)) {
        return fields.fault("the time of day is none");
    }
    Ok(Cia {
        ports: [a, b],
        directions: [direction_a, direction_b],
        counters,
        latches,
        controls: [control_a & 0xee | running[0], control_b & 0xee | running[1]],
        toggles: [toggles & 0x40 != 0, toggles & 0x80 != 0],
        time,
        alarm,
        latched: (clock & 1 != 0).then_some(latch),
        is_stopped: clock & 2 != 0,
        serial,
        mask: mask & 0x1f,
        flags: flags & 0x9f,
    })
}

fn sid(mut fields: Fields<'_>) -> Result<[u8; 32], VsfError> {
    // The number of SIDs since 1.2; sound and engine; the model since 1.4.
    let ahead = match fields.minor {
        0 | 1 => 2,
        2 | 3 => 3,
        _ => 4,
    };
    fields.skip(ahead)?;
    fields.array()
}

fn roms(mut fields: Fields<'_>) -> Result<Roms, VsfError> {
    let kernal = fields.array::<0x2000>()?.to_vec();
    let basic = fields.array::<0x2000>()?.to_vec();
    let characters = fields.array::<0x1000>()?.to_vec();
    Ok(Roms { kernal, basic, characters })
}
