//! The commands of the binary protocol.

use tempo_debug::{Subject, Writer};
use tempo_emu::System;

use crate::banks::{BANKS, Bank, Space};
use crate::checkpoints::Checkpoint;
use crate::condition::Condition;
use crate::core::{End, Event, First};
use crate::media;
use crate::monitor::Monitor;
use crate::registers::{OF_DRIVE, TABLE};
use crate::resources::Value;
use crate::wire::{EVENT, Fields, Request, frame};

/// Numbers of commands, answers and events.
mod number {
    pub const MEMORY_GET: u8 = 0x01;
    pub const MEMORY_SET: u8 = 0x02;
    pub const CHECKPOINT_GET: u8 = 0x11;
    pub const CHECKPOINT_SET: u8 = 0x12;
    pub const CHECKPOINT_DELETE: u8 = 0x13;
    pub const CHECKPOINT_LIST: u8 = 0x14;
    pub const CHECKPOINT_TOGGLE: u8 = 0x15;
    pub const CONDITION_SET: u8 = 0x22;
    pub const REGISTERS_GET: u8 = 0x31;
    pub const REGISTERS_SET: u8 = 0x32;
    pub const DUMP: u8 = 0x41;
    pub const UNDUMP: u8 = 0x42;
    pub const RESOURCE_GET: u8 = 0x51;
    pub const RESOURCE_SET: u8 = 0x52;
    pub const JAM: u8 = 0x61;
    pub const STOPPED: u8 = 0x62;
    pub const RESUMED: u8 = 0x63;
    pub const ADVANCE: u8 = 0x71;
    pub const KEYBOARD: u8 = 0x72;
    pub const UNTIL_RETURN: u8 = 0x73;
    pub const PING: u8 = 0x81;
    pub const BANKS: u8 = 0x82;
    pub const REGISTERS: u8 = 0x83;
    pub const DISPLAY: u8 = 0x84;
    pub const INFO: u8 = 0x85;
    pub const HISTORY: u8 = 0x86;
    pub const PALETTE: u8 = 0x91;
    pub const JOYPORT: u8 = 0xa2;
    pub const USERPORT: u8 = 0xb2;
    pub const EXIT: u8 = 0xaa;
    pub const QUIT: u8 = 0xbb;
    pub const RESET: u8 = 0xcc;
    pub const AUTOSTART: u8 = 0xdd;
    // Ours.
    pub const STEP_BACK: u8 = 0xe0;
    pub const RUN_BACK: u8 = 0xe1;
    pub const GO_TO: u8 = 0xe2;
    pub const WHY: u8 = 0xe3;
    pub const RECORDING: u8 = 0xe4;
}

/// Error numbers.
mod error {
    pub const MISSING: u8 = 0x01;
    pub const SPACE: u8 = 0x02;
    pub const SHORT: u8 = 0x80;
    pub const PARAMETER: u8 = 0x81;
    pub const VERSION: u8 = 0x82;
    pub const COMMAND: u8 = 0x83;
    pub const FAILED: u8 = 0x8f;
}

/// The version of VICE that we answer like, and a revision that clients take for new enough.
const VERSION: [u8; 4] = [3, 10, 0, 0];
const REVISION: u32 = 45_000;

/// The picture of the protocol: its size, where ours is in it, and where its head says that the display begins.
const WIDTH: usize = 504;
const HEIGHT: usize = 312;
const LEFT: usize = 104;
const TOP: usize = 15;
const INNER: [u16; 4] = [136, 51, 320, 200];

/// An answer that is not an error: its type and body.
type Answer = Result<(u8, Vec<u8>), u8>;

/// The answer to a request, with what it does to the machine. The machine is stopped.
pub fn answer(monitor: &mut Monitor, request: &Request) -> Vec<u8> {
    let mut out = Vec::new();
    if request.command == number::CHECKPOINT_LIST {
        let points = monitor.core.points().all();
        for point in points {
            frame(&mut out, number::CHECKPOINT_GET, 0, request.id, &point.bytes(false));
        }
        let count = (points.len() as u32).to_le_bytes();
        frame(&mut out, number::CHECKPOINT_LIST, 0, request.id, &count);
        return out;
    }
    match run(monitor, request) {
        Ok((kind, body)) => frame(&mut out, kind, 0, request.id, &body),
        Err(error) => frame(&mut out, 0, error, request.id, &[]),
    }
    out
}

/// The bytes of an event.
pub fn event(out: &mut Vec<u8>, event: &Event) {
    match event {
        Event::Hit(point, _) => frame(out, number::CHECKPOINT_GET, 0, EVENT, &point.bytes(true)),
        Event::Jam => frame(out, number::JAM, 0, EVENT, &[]),
        Event::Stopped(registers) => {
            frame(out, number::REGISTERS_GET, 0, EVENT, &registers.list(Space::Main));
            frame(out, number::STOPPED, 0, EVENT, &registers.pc.to_le_bytes());
        }
        Event::Resumed(pc) => frame(out, number::RESUMED, 0, EVENT, &pc.to_le_bytes()),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn run(monitor: &mut Monitor, request: &Request) -> Answer {
    let mut fields = Fields(&request.body);
    let kind = request.command;
    let short = error::SHORT;
    let core = &mut monitor.core;
    let body = match kind {
        number::MEMORY_GET => {
            let (effects, first, last, _, bank) = memory_head(&mut fields)?;
            let bytes = match bank {
                Some(bank) => core.read(bank, first, last, effects),
                None => vec![0; usize::from(last - first) + 1],
            };
            [&(bytes.len() as u16).to_le_bytes()[..], &bytes].concat()
        }
        number::MEMORY_SET => {
            let (_, first, last, _, bank) = memory_head(&mut fields)?;
            let bytes = fields.bytes(usize::from(last - first) + 1).ok_or(short)?;
            if let Some(bank) = bank {
                core.store(bank, first, bytes.to_vec());
            }
            Vec::new()
        }
        number::CHECKPOINT_GET => {
            let point = core.points().get(fields.u32().ok_or(short)?).ok_or(error::MISSING)?;
            point.bytes(false)
        }
        number::CHECKPOINT_SET => {
            let point = checkpoint(&mut fields)?;
            let is_temporary = point.is_temporary;
            let number = core.points().add(point).ok_or(error::FAILED)?;
            let bytes = core.points().get(number).map(|point| point.bytes(false)).unwrap_or_default();
            if is_temporary {
                core.resume();
            }
            return Ok((number::CHECKPOINT_GET, bytes));
        }
        number::CHECKPOINT_DELETE => {
            let number = fields.u32().ok_or(short)?;
            if !core.points().delete(number) {
                return Err(error::MISSING);
            }
            Vec::new()
        }
        number::CHECKPOINT_TOGGLE => {
            let (number, is_on) = (fields.u32().ok_or(short)?, fields.u8().ok_or(short)? != 0);
            if !core.points().change(number, |point| point.is_enabled = is_on) {
                return Err(error::MISSING);
            }
            Vec::new()
        }
        number::CONDITION_SET => {
            let number = fields.u32().ok_or(short)?;
            let condition = text(fields.string().ok_or(short)?);
            if core.points().get(number).is_none() {
                return Err(error::MISSING);
            }
            // In parentheses, as VICE puts it into a command of its text monitor.
            let condition = Condition::parse(&format!("( {condition} )")).ok_or(error::FAILED)?;
            core.points().change(number, |point| point.condition = Some(condition));
            Vec::new()
        }
        number::REGISTERS_GET => {
            let space = fields.u8().ok_or(short)?;
            registers(monitor, space)?
        }
        number::REGISTERS_SET => {
            let space = fields.u8().ok_or(short)?;
            let of = Space::from_number(space).ok_or(error::SPACE)?;
            let count = fields.u16().ok_or(short)?;
            // Lengths first: a body that is too short sets nothing.
            let mut items = Vec::new();
            for _ in 0..count {
                let size = fields.u8().ok_or(short)?;
                let item = fields.bytes(size.into()).filter(|item| item.len() >= 3).ok_or(short)?;
                items.push((item[0], u16::from_le_bytes([item[1], item[2]])));
            }
            let mut values = core.registers();
            let mut problem = None;
            for (id, value) in items {
                if of == Space::Main && !values.set(id, value) {
                    problem = Some(error::MISSING);
                    break;
                }
            }
            if of == Space::Main && count > 0 {
                core.set_registers(&values);
            }
            if let Some(problem) = problem {
                return Err(problem);
            }
            return Ok((number::REGISTERS_GET, registers(monitor, space)?));
        }
        number::DUMP => {
            fields.bytes(2).ok_or(short)?;
            let name = text(fields.string().ok_or(short)?);
            let state = core.snapshot().save();
            if !monitor.files.write(&name, &state) {
                return Err(error::FAILED);
            }
            Vec::new()
        }
        number::UNDUMP => {
            let name = text(fields.string().ok_or(short)?);
            let bytes = monitor.files.read(&name).ok_or(error::FAILED)?;
            let system = System::of_state(&bytes).map_err(|_| error::FAILED)?;
            let computer =
                system.restore_computer(&bytes).ok_or(error::FAILED)?.map_err(|_| error::FAILED)?;
            if computer.c64().is_none() {
                return Err(error::FAILED);
            }
            core.restart(computer, First::Seen);
            core.registers().pc.to_le_bytes().to_vec()
        }
        number::RESOURCE_GET => {
            let name = text(fields.string().ok_or(short)?);
            match monitor.resources.get(&name).ok_or(error::MISSING)? {
                Value::Number(value) => [&[1, 4][..], &value.to_le_bytes()].concat(),
                Value::Text(value) => {
                    let bytes = &value.as_bytes()[..value.len().min(255)];
                    [&[0, bytes.len() as u8][..], bytes].concat()
                }
            }
        }
        number::RESOURCE_SET => resource_set(monitor, &mut fields)?,
        number::ADVANCE => {
            let (over, count) = (fields.u8().ok_or(short)?, fields.u16().ok_or(short)?);
            if over != 0 {
                core.step_over(count)
            } else {
                core.step(count)
            }
            Vec::new()
        }
        number::KEYBOARD => {
            if request.version < 2 {
                return Err(error::VERSION);
            }
            let keys = fields.string().ok_or(short)?;
            core.type_keys(keys);
            Vec::new()
        }
        number::UNTIL_RETURN => {
            core.run_to_return();
            Vec::new()
        }
        number::PING => Vec::new(),
        number::BANKS => {
            let mut body = (BANKS.len() as u16).to_le_bytes().to_vec();
            for (name, bank) in BANKS {
                body.push(name.len() as u8 + 3);
                body.extend(bank.number().to_le_bytes());
                body.push(name.len() as u8);
                body.extend(name.as_bytes());
            }
            body
        }
        number::REGISTERS => {
            let space = Space::from_number(fields.u8().ok_or(short)?).ok_or(error::SPACE)?;
            let rows: Vec<_> =
                TABLE.iter().filter(|(.., in_drive)| space == Space::Main || *in_drive).collect();
            let mut body = (rows.len() as u16).to_le_bytes().to_vec();
            for (id, name, bits, _) in rows {
                body.extend([name.len() as u8 + 3, *id, *bits, name.len() as u8]);
                body.extend(name.as_bytes());
            }
            body
        }
        number::DISPLAY => {
            if request.version < 2 {
                return Err(error::VERSION);
            }
            let format = fields.bytes(2).ok_or(short)?[1];
            if format != 0 {
                return Err(error::PARAMETER);
            }
            display(monitor)
        }
        number::INFO => [&[4][..], &VERSION, &[4], &REVISION.to_le_bytes()].concat(),
        number::HISTORY => {
            let (space, count) = (fields.u8().ok_or(short)?, fields.u32().ok_or(short)? as u16);
            let space = Space::from_number(space).ok_or(error::SPACE)?;
            if count == 0 {
                return Err(error::PARAMETER);
            }
            history(monitor, space, count)
        }
        number::PALETTE => {
            fields.u8().ok_or(short)?;
            let palette = core.computer().palette();
            let mut body = (palette.len() as u16).to_le_bytes().to_vec();
            palette.iter().for_each(|[red, green, blue]| body.extend([3, *red, *green, *blue]));
            body
        }
        number::JOYPORT => {
            let (port, value) = (fields.u16().ok_or(short)?, fields.u16().ok_or(short)?);
            if port > 1 {
                return Err(error::MISSING);
            }
            core.set_joystick(port as u8 + 1, u8::try_from(value).map_err(|_| error::PARAMETER)?);
            Vec::new()
        }
        number::USERPORT => {
            let value = fields.u16().ok_or(short)?;
            u8::try_from(value).map_err(|_| error::PARAMETER)?;
            Vec::new()
        }
        number::EXIT => {
            core.resume();
            Vec::new()
        }
        number::QUIT => {
            core.end = Some(End::Quit);
            Vec::new()
        }
        number::RESET => {
            match fields.u8().ok_or(short)? {
                0 => core.reset(false),
                1 => core.reset(true),
                _ => {}
            }
            core.resume();
            Vec::new()
        }
        number::AUTOSTART => {
            let (runs, index) = (fields.u8().ok_or(short)? != 0, fields.u16().ok_or(short)?);
            let name = text(fields.string().ok_or(short)?);
            let is_started = autostart(monitor, &name, index, runs);
            monitor.core.resume();
            if !is_started {
                return Err(error::FAILED);
            }
            Vec::new()
        }
        number::STEP_BACK => {
            core.step_back(fields.u16().ok_or(short)?);
            Vec::new()
        }
        number::RUN_BACK => {
            core.run_back();
            Vec::new()
        }
        number::GO_TO => {
            if !core.go_to(fields.u64().ok_or(short)?) {
                return Err(error::PARAMETER);
            }
            Vec::new()
        }
        number::WHY => why(monitor, &mut fields)?,
        number::RECORDING => {
            let (first, last) = core.recording();
            [first.to_le_bytes(), last.to_le_bytes(), core.cycles().to_le_bytes()].concat()
        }
        _ => return Err(error::COMMAND),
    };
    Ok((kind, body))
}

/// Side effects, first and last address, memory space, and the bank of the main CPU.
fn memory_head(fields: &mut Fields<'_>) -> Result<(bool, u16, u16, Space, Option<Bank>), u8> {
    let head = fields.bytes(8).ok_or(error::SHORT)?;
    let (first, last) = (u16::from_le_bytes([head[1], head[2]]), u16::from_le_bytes([head[3], head[4]]));
    if first > last {
        return Err(error::PARAMETER);
    }
    let space = Space::from_number(head[5]).ok_or(error::SPACE)?;
    let bank = Bank::from_number(u16::from_le_bytes([head[6], head[7]]));
    match space {
        Space::Main => Ok((head[0] != 0, first, last, space, Some(bank.ok_or(error::PARAMETER)?))),
        Space::Drive => Ok((false, first, last, space, None)),
    }
}

fn checkpoint(fields: &mut Fields<'_>) -> Result<Checkpoint, u8> {
    let short = error::SHORT;
    let (start, end) = (fields.u16().ok_or(short)?, fields.u16().ok_or(short)?);
    let flags = fields.bytes(4).ok_or(short)?;
    let space = fields.u8().unwrap_or(0);
    Space::from_number(space).ok_or(error::SPACE)?;
    Ok(Checkpoint {
        end,
        stops: flags[0] != 0,
        is_enabled: flags[1] != 0,
        is_temporary: flags[3] != 0,
        space,
        ..Checkpoint::at(start, flags[2] & 7)
    })
}

fn registers(monitor: &Monitor, space: u8) -> Result<Vec<u8>, u8> {
    match Space::from_number(space).ok_or(error::SPACE)? {
        Space::Main => Ok(monitor.core.registers().list(Space::Main)),
        Space::Drive => Ok(OF_DRIVE.list(Space::Drive)),
    }
}

fn resource_set(monitor: &mut Monitor, fields: &mut Fields<'_>) -> Result<Vec<u8>, u8> {
    let short = error::SHORT;
    let kind = fields.u8().ok_or(short)?;
    let name = text(fields.string().ok_or(short)?);
    let value = fields.string().ok_or(short)?;
    let (value, unknown) = match kind {
        0 => (Value::Text(text(value)), error::MISSING),
        1 => {
            let number = match *value {
                [one] => i32::from(one),
                [low, high] => i32::from(u16::from_le_bytes([low, high])),
                [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
                _ => return Err(short),
            };
            (Value::Number(number), error::FAILED)
        }
        _ => return Err(error::PARAMETER),
    };
    if monitor.resources.get(&name).is_none() {
        return Err(unknown);
    }
    if !monitor.resources.set(&name, value) {
        return Err(error::FAILED);
    }
    Ok(Vec::new())
}

fn display(monitor: &Monitor) -> Vec<u8> {
    let picture = monitor.core.computer().picture();
    let mut pixels = vec![0; WIDTH * HEIGHT];
    let rows = picture.pixels.chunks(picture.width.max(1)).take(HEIGHT - TOP);
    for (row, line) in rows.enumerate() {
        let at = (TOP + row) * WIDTH + LEFT;
        let count = line.len().min(WIDTH - LEFT);
        pixels[at..at + count].copy_from_slice(&line[..count]);
    }
    let mut body = 13u32.to_le_bytes().to_vec();
    [WIDTH as u16, HEIGHT as u16].iter().chain(&INNER).for_each(|number| body.extend(number.to_le_bytes()));
    body.push(8);
    body.extend((pixels.len() as u32).to_le_bytes());
    body.extend(pixels);
    body
}

fn history(monitor: &Monitor, space: Space, count: u16) -> Vec<u8> {
    let ran = match space {
        Space::Main => monitor.core.ran(count.into()),
        Space::Drive => Vec::new(),
    };
    let mut body = (ran.len() as u32).to_le_bytes().to_vec();
    for one in ran {
        let cpu = one.registers;
        let values = crate::Registers {
            pc: cpu.pc,
            a: cpu.a,
            x: cpu.x,
            y: cpu.y,
            sp: cpu.s,
            flags: cpu.p.byte(),
            line: 0xffff,
            cycle: 0xffff,
            ..crate::Registers::default()
        };
        body.push(47);
        // The registers that a drive has, too: without the port.
        body.extend(values.list(Space::Drive));
        body.extend(one.cycles.to_le_bytes());
        body.push(4);
        body.extend(one.bytes);
        body.push(0xff);
    }
    body
}

/// Starts a program or the file of a disk with this number. `false` if that is not possible.
pub fn autostart(monitor: &mut Monitor, name: &str, index: u16, runs: bool) -> bool {
    let Some(file) = monitor.files.read(name) else { return false };
    let mut computer = monitor.core.fresh().clone();
    if !media::load(&mut computer, &file, index, runs) {
        return false;
    }
    monitor.core.restart(computer, First::Checked);
    true
}

/// Who made a value: kind u8 (0 byte, 1 register by id, 2 flag by mask), address, id or mask u16, links u8. The answer is a
/// count and for each link: size, how it came about (0 it was so, 1 from outside, 2 an instruction), value, PC, cycle and
/// the text of the instruction.
fn why(monitor: &Monitor, fields: &mut Fields<'_>) -> Result<Vec<u8>, u8> {
    const MOST: u8 = 32;
    let short = error::SHORT;
    let (kind, what) = (fields.u8().ok_or(short)?, fields.u16().ok_or(short)?);
    let links = fields.u8().unwrap_or(1).clamp(1, MOST);
    let mut subject = match (kind, what) {
        (0, address) => Subject::Byte(address),
        (1, 0) => Subject::Register('a'),
        (1, 1) => Subject::Register('x'),
        (1, 2) => Subject::Register('y'),
        (1, 4) => Subject::Register('s'),
        (2, mask) if mask < 0x100 && mask.is_power_of_two() => Subject::Flag(mask as u8),
        _ => return Err(error::PARAMETER),
    };
    let mut items: Vec<Vec<u8>> = Vec::new();
    let mut time = monitor.core.machine().time();
    for _ in 0..links {
        let (how, value, pc, cycle, text, next) = match monitor.core.why_at(subject, time) {
            Writer::Nobody => (0, 0, 0, 0, String::new(), None),
            Writer::Outside { time, value } => (1, value, 0, time, String::new(), None),
            Writer::Instruction(origin) => {
                let next = origin.uses.first().map(|(next, _)| (*next, origin.time));
                (2, origin.value, origin.pc, origin.cycles, origin.text, next)
            }
        };
        let mut item = vec![how, value];
        item.extend(u16::to_le_bytes(pc));
        item.extend(cycle.to_le_bytes());
        let text = &text.as_bytes()[..text.len().min(200)];
        item.push(text.len() as u8);
        item.extend(text);
        items.push(item);
        match next {
            Some(next) => (subject, time) = next,
            None => break,
        }
    }
    let mut body = (items.len() as u16).to_le_bytes().to_vec();
    for item in items {
        body.push(item.len() as u8);
        body.extend(item);
    }
    Ok(body)
}
