//! The actions of a recording as bytes: a tag, then numbers; times as distances from the last one. Machines that a test
//! goes back to are stored once each.

use std::sync::Arc;

use tempo_c64::{Keys, Press, Stroke};
use tempo_diagnostics::Span;
use tempo_emu::{Joystick, Registers, Status};

use super::Fault;
use super::bytes::{Reader, Writer};
use crate::machine::{Feed, Line, MOST_AT_ONCE, MOST_CYCLES, TestMachine, Wire};
use crate::record::Action;

/// The most actions of a recording.
const MOST: usize = 10_000_000;

pub(super) fn write(actions: &[Action]) -> Vec<u8> {
    let mut machines: Vec<Vec<u8>> = Vec::new();
    let mut writer = Writer::default();
    writer.number(actions.len() as u64);
    for action in actions {
        put(action, &mut writer, &mut machines);
    }
    let mut all = Writer::default();
    all.number(machines.len() as u64);
    machines.iter().for_each(|machine| all.block(machine));
    all.bytes.extend(writer.bytes);
    all.bytes
}

fn put(action: &Action, writer: &mut Writer, machines: &mut Vec<Vec<u8>>) {
    match action {
        Action::Statement(span) => {
            writer.byte(0);
            put_span(*span, writer);
        }
        Action::Poke(address, value) => {
            writer.byte(1);
            writer.number((*address).into());
            writer.byte(*value);
        }
        Action::Enter(registers, cycles) => {
            writer.byte(2);
            put_registers(registers, writer);
            writer.time(*cycles);
        }
        Action::Feeds(feeds) => {
            writer.byte(3);
            writer.number(feeds.len() as u64);
            for feed in feeds {
                writer.number(feed.address.into());
                writer.block(&feed.values);
                writer.number(feed.next as u64);
            }
        }
        Action::Wires(wires) => {
            writer.byte(4);
            writer.number(wires.len() as u64);
            for wire in wires {
                writer.byte(u8::from(wire.line == Line::Nmi) | u8::from(wire.is_served) << 1);
                writer.time(wire.at);
            }
        }
        Action::Run(cycles) => {
            writer.byte(5);
            writer.time(*cycles);
        }
        Action::Frame(cycles) => {
            writer.byte(6);
            writer.time(*cycles);
        }
        Action::Main(registers, cycles) => {
            writer.byte(7);
            put_registers(registers, writer);
            writer.time(*cycles);
        }
        Action::Prompt => writer.byte(8),
        Action::Keys(keys) => {
            writer.byte(9);
            writer.number(keys.strokes.len() as u64);
            for stroke in &keys.strokes {
                writer.number(stroke.down);
                writer.number(stroke.up);
                writer.number(stroke.press.len() as u64);
                stroke.press.iter().for_each(|key| writer.text(key));
            }
            writer.number(keys.frames);
        }
        Action::Start => writer.byte(10),
        Action::Machine(machine) => {
            let bytes = machine.save();
            let known = machines.iter().position(|known| *known == bytes);
            let number = known.unwrap_or_else(|| {
                machines.push(bytes);
                machines.len() - 1
            });
            writer.byte(11);
            writer.number(number as u64);
        }
        Action::Failure { span, message } => {
            writer.byte(12);
            put_span(*span, writer);
            writer.text(message);
        }
        Action::Key(key, is_down) => {
            writer.byte(13);
            writer.byte(*key);
            writer.byte(u8::from(*is_down));
        }
        Action::Joystick(port, joystick) => {
            writer.byte(14);
            writer.byte(*port);
            writer.byte(joystick.bits());
        }
        Action::Reset => writer.byte(15),
    }
}

fn put_span(span: Span, writer: &mut Writer) {
    writer.number(span.start.into());
    writer.number(span.len().into());
}

fn put_registers(registers: &Registers, writer: &mut Writer) {
    let Registers { pc, a, x, y, s, p } = *registers;
    writer.number(pc.into());
    [a, x, y, s, p.byte()].into_iter().for_each(|byte| writer.byte(byte));
}

pub(super) fn read(bytes: &[u8], start: &TestMachine) -> Result<Vec<Action>, Fault> {
    let mut reader = Reader::new(bytes);
    let mut machines = Vec::new();
    for _ in 0..reader.number()? {
        let bytes = reader.block()?;
        let machine = TestMachine::restore(bytes).map_err(|err| reader.fault(err.to_string()))?;
        machines.push((Arc::new(machine), bytes.len()));
    }
    let count: usize = reader.small()?;
    if count > MOST {
        return Err(reader.fault(format!("{count} actions are more than {MOST}")));
    }
    let mut actions = Vec::new();
    let largest = machines.iter().map(|(_, bytes)| *bytes).max().unwrap_or(0);
    let mut work = Work { now: start.cycles, cycles: 0, largest };
    // A recording is opened at its failure; a run from there on can be stopped.
    let mut is_opened = false;
    for _ in 0..count {
        let action = take(&mut reader, &machines, start)?;
        is_opened |= matches!(action, Action::Failure { .. });
        work.add(&action);
        if work.cycles > MOST_CYCLES && !is_opened {
            return Err(reader.fault(format!("it runs longer than {MOST_CYCLES} cycles")));
        }
        actions.push(action);
    }
    match reader.is_over() {
        true => Ok(actions),
        false => Err(reader.fault("there are bytes after its end")),
    }
}

/// A machine of a recording, and the number of its bytes.
type Stored = (Arc<TestMachine>, usize);

/// The time that actions take.
struct Work {
    /// The cycle of the test.
    now: u64,
    /// Cycles so far, with those that going back to a machine is worth.
    cycles: u64,
    /// Bytes of the largest machine to go back to.
    largest: usize,
}

impl Work {
    fn add(&mut self, action: &Action) {
        /// Bytes of a machine that are copied while a cycle is run.
        const BYTES_PER_CYCLE: usize = 16;
        match action {
            Action::Enter(_, cycles) | Action::Main(_, cycles) => self.now = *cycles,
            Action::Run(end) | Action::Frame(end) => {
                self.cycles = self.cycles.saturating_add(end.saturating_sub(self.now));
                self.now = self.now.max(*end);
            }
            Action::Machine(machine) => {
                self.cycles = self.cycles.saturating_add((self.largest / BYTES_PER_CYCLE) as u64);
                self.now = machine.cycles;
            }
            _ => {}
        }
    }
}

fn take(reader: &mut Reader<'_>, machines: &[Stored], start: &TestMachine) -> Result<Action, Fault> {
    Ok(match reader.byte()? {
        0 => Action::Statement(take_span(reader)?),
        1 => Action::Poke(reader.small()?, reader.byte()?),
        2 => Action::Enter(take_registers(reader)?, reader.time()?),
        3 => {
            let mut feeds = Vec::new();
            for _ in 0..few(reader, "addresses that answer reads")? {
                let feed = Feed {
                    address: reader.small()?,
                    values: reader.block()?.to_vec(),
                    next: reader.small()?,
                };
                if feed.values.is_empty() {
                    return Err(reader.fault("an address is fed with nothing"));
                }
                feeds.push(feed);
            }
            Action::Feeds(feeds)
        }
        4 => {
            let mut wires = Vec::new();
            for _ in 0..few(reader, "interrupts of a run")? {
                let bits = reader.byte()?;
                let line = if bits & 1 == 0 { Line::Irq } else { Line::Nmi };
                wires.push(Wire { line, at: reader.time()?, is_served: bits & 2 != 0 });
            }
            Action::Wires(wires)
        }
        5 => Action::Run(reader.time()?),
        6 => Action::Frame(reader.time()?),
        7 => Action::Main(take_registers(reader)?, reader.time()?),
        8 => Action::Prompt,
        9 => Action::Keys(take_keys(reader, start)?),
        10 => Action::Start,
        11 => {
            let number: usize = reader.small()?;
            let machine = machines.get(number).filter(|(machine, _)| machine.system == start.system);
            let (machine, _) =
                machine.ok_or_else(|| reader.fault("it goes back to a machine that there is not"))?;
            Action::Machine(Arc::clone(machine))
        }
        12 => Action::Failure { span: take_span(reader)?, message: reader.text()?.to_string() },
        13 => Action::Key(reader.byte()?, reader.flag()?),
        14 => Action::Joystick(reader.byte()?, Joystick::from_bits(reader.byte()?)),
        15 => Action::Reset,
        tag => return Err(reader.fault(format!("there is no action {tag}"))),
    })
}

/// A number of things that every access looks at.
fn few(reader: &mut Reader<'_>, what: &str) -> Result<u64, Fault> {
    let count = reader.number()?;
    match count <= MOST_AT_ONCE as u64 {
        true => Ok(count),
        false => Err(reader.fault(format!("{count} {what} are more than {MOST_AT_ONCE}"))),
    }
}

fn take_span(reader: &mut Reader<'_>) -> Result<Span, Fault> {
    let (start, length): (u32, u32) = (reader.small()?, reader.small()?);
    let end = start.checked_add(length).ok_or_else(|| reader.fault("a place is beyond all sources"))?;
    Ok(Span { start, end })
}

fn take_registers(reader: &mut Reader<'_>) -> Result<Registers, Fault> {
    Ok(Registers {
        pc: reader.small()?,
        a: reader.byte()?,
        x: reader.byte()?,
        y: reader.byte()?,
        s: reader.byte()?,
        p: Status::from_byte(reader.byte()?),
    })
}

fn take_keys(reader: &mut Reader<'_>, start: &TestMachine) -> Result<Keys, Fault> {
    /// Frames that a script may last: as many as in `Keys`.
    const LONGEST: u64 = 10_000_000;
    let keyboard = start.whole().map(|machine| machine.keyboard());
    let keyboard = keyboard.ok_or_else(|| reader.fault("keys are typed on a machine without any"))?;
    let mut keys = Keys::default();
    for _ in 0..reader.number()? {
        let (down, up) = (reader.number()?, reader.number()?);
        let mut press = Press::new();
        for _ in 0..reader.number()? {
            let name = reader.text()?;
            let key = keyboard.keys.iter().find(|key| **key == name);
            press.push(key.ok_or_else(|| reader.fault(format!("there is no key {name:?}")))?);
        }
        if down > LONGEST || up > LONGEST {
            return Err(reader.fault("a key is pressed beyond all times"));
        }
        keys.strokes.push(Stroke { down, up, press });
    }
    keys.frames = reader.number()?;
    if keys.frames > LONGEST {
        return Err(reader.fault("keys are typed beyond all times"));
    }
    Ok(keys)
}
