//! The drive behind the KERNAL's disk calls: channels, the command channel, LOAD and SAVE on a [`Volume`].
//! Knows where the KERNAL keeps the parameters of its calls; files outside of the machine are the volume's.

use std::collections::HashMap;

use tempo_emu::c64::C64;
use tempo_emu::{AnyComputer, Status};
use tempo_formats::d64::Kind;

use crate::volume::{Fault, Volume};

/// A service that the KERNAL of `asm/kernal` asks its host for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostCall {
    /// Load or verify a file.
    Load,
    /// Save memory.
    Save,
    /// Open a channel.
    Open,
    /// Close a channel.
    Close,
    /// A byte from a channel.
    Read,
    /// A byte to a channel.
    Write,
    /// A byte under ATN on the serial bus.
    BusCommand,
    /// A byte to the device that listens.
    BusWrite,
    /// A byte from the device that talks.
    BusRead,
    /// The device in A is to talk.
    Talk,
    /// The device in A is to listen.
    Listen,
    /// The talker stops.
    Untalk,
    /// The listeners stop.
    Unlisten,
}

impl HostCall {
    /// The service with this number in `asm/kernal/names.asm`.
    pub fn from_number(number: u8) -> Option<HostCall> {
        HostCall::ALL.get(usize::from(number)).copied()
    }

    const ALL: [HostCall; 13] = {
        use HostCall::*;
        [Load, Save, Open, Close, Read, Write, BusCommand, BusWrite, BusRead, Talk, Listen, Untalk, Unlisten]
    };

    /// The bytes of a routine that asks the host, and returns.
    fn routine(self) -> [u8; 3] {
        let number = HostCall::ALL.iter().position(|&call| call == self).expect("all of them");
        [0x02, number as u8, 0x60]
    }
}

/// Lets the host be the serial bus of a KERNAL image: the routines that its jump table has for the bus ask the host, and
/// with them everything above: LOAD, SAVE, OPEN, files. `false` if the image has no such table.
pub fn serve_bus(kernal: &mut [u8]) -> bool {
    /// The jump table's entry of each call.
    const CALLS: [(u16, HostCall); 8] = [
        (0xff93, HostCall::BusCommand),
        (0xff96, HostCall::BusCommand),
        (0xffa5, HostCall::BusRead),
        (0xffa8, HostCall::BusWrite),
        (0xffab, HostCall::Untalk),
        (0xffae, HostCall::Unlisten),
        (0xffb1, HostCall::Listen),
        (0xffb4, HostCall::Talk),
    ];
    /// Where the usual KERNAL releases ATN after a TALK without a secondary address, and waits for the device.
    const TKATN: (u16, u16) = (0xedc7, 0xedcc);
    const JMP: u8 = 0x4c;
    const BASE: u16 = 0xe000;
    let Some(targets) = CALLS
        .iter()
        .map(|&(entry, call)| {
            let at = usize::from(entry - BASE);
            let &[JMP, low, high] = kernal.get(at..at + 3)? else { return None };
            let target = u16::from_le_bytes([low, high]);
            ((BASE..0xff00).contains(&target)).then_some((usize::from(target - BASE), call))
        })
        .collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    for &(at, call) in &targets {
        kernal[at..at + 3].copy_from_slice(&call.routine());
    }
    if targets.iter().any(|&(at, _)| at == usize::from(TKATN.0 - BASE)) {
        kernal[usize::from(TKATN.1 - BASE)] = 0x60;
    }
    true
}

/// The disk in device 8, if any.
#[derive(Debug, Clone, Default)]
pub struct Drive {
    /// The disk in it.
    pub volume: Option<Volume>,
    pub(crate) channels: HashMap<u8, Channel>,
    /// The next message of the command channel.
    pub(crate) status: Vec<u8>,
    pub(crate) bus: Bus,
}

/// The serial bus, as far as its commands tell.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bus {
    pub(crate) role: Role,
    /// The secondary address, with the bits that open and close.
    pub(crate) second: Option<u8>,
    /// A file name that is being sent byte by byte.
    pub(crate) name: Vec<u8>,
}

/// The part of the drive on the bus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Role {
    #[default]
    Idle,
    Listener,
    Talker,
    /// A device was called that is not there.
    Nobody,
}

#[derive(Debug, Clone)]
pub(crate) enum Channel {
    Read { bytes: Vec<u8>, at: usize },
    Write { name: Vec<u8>, kind: Kind, replace: bool, bytes: Vec<u8> },
    Command { text: Vec<u8> },
}

/// The KERNAL's variables.
const STATUS: u16 = 0x90;
const VERIFY: u16 = 0x93;
const END: u16 = 0xae;
const NAME_LENGTH: u16 = 0xb7;
const SECOND: u16 = 0xb9;
const DEVICE: u16 = 0xba;
const NAME: u16 = 0xbb;
const START: u16 = 0xc1;
const LOAD: u16 = 0xc3;

/// The KERNAL's errors.
const NOT_FOUND: u8 = 4;
const NO_DEVICE: u8 = 5;
const NO_NAME: u8 = 8;

/// Bits of the status byte.
const TIMEOUT: u8 = 0x02;
const MISMATCH: u8 = 0x10;
const END_OF_FILE: u8 = 0x40;

/// The device number of the drive.
const UNIT: u8 = 8;

/// No file of a program is larger than a disk.
const LARGEST: usize = 200_000;

impl Drive {
    /// With this disk in it.
    pub fn with(volume: Volume) -> Drive {
        let status = b"73, TEMPO DRIVE,00,00\r".to_vec();
        Drive { volume: Some(volume), status, ..Drive::default() }
    }

    /// Does what the call with this number asks for, if the machine is a C64, whose KERNAL has such calls.
    pub fn answer(&mut self, number: u8, machine: &mut AnyComputer) {
        if let (Some(call), Some(machine)) = (HostCall::from_number(number), machine.c64_mut()) {
            self.serve(call, machine);
        }
    }

    /// Does what a call asks for: reads its parameters from the machine and leaves the answer there.
    pub fn serve(&mut self, call: HostCall, machine: &mut C64) {
        let a = machine.cpu.registers.a;
        let is_of_bus = match call {
            HostCall::BusCommand => self.command(a, machine),
            HostCall::Talk => self.command(a | 0x40, machine),
            HostCall::Listen => self.command(a | 0x20, machine),
            HostCall::Untalk => self.command(0x5f, machine),
            HostCall::Unlisten => self.command(0x3f, machine),
            HostCall::BusWrite => self.bus_write(machine),
            HostCall::BusRead => self.bus_read(machine),
            _ => false,
        };
        if is_of_bus {
            return answer(machine, Ok(()));
        }
        if machine.board.peek(DEVICE) != UNIT || self.volume.is_none() {
            or_status(machine, 0x80);
            return answer(machine, Err(NO_DEVICE));
        }
        let second = machine.board.peek(SECOND) & 0x0f;
        let result = match call {
            HostCall::Load => self.load(machine),
            HostCall::Save => self.save(machine),
            HostCall::Open => {
                let name = name(machine);
                self.open(second, &name)
            }
            HostCall::Close => {
                self.close(second);
                Ok(())
            }
            HostCall::Read => {
                let (byte, status) = self.read(second);
                machine.cpu.registers.a = byte;
                or_status(machine, status);
                Ok(())
            }
            HostCall::Write => {
                if !self.write(second, machine.cpu.registers.a) {
                    or_status(machine, TIMEOUT);
                }
                Ok(())
            }
            _ => return,
        };
        answer(machine, result);
    }

    /// A byte under ATN: who talks, who listens, and on which channel.
    fn command(&mut self, byte: u8, machine: &mut C64) -> bool {
        let is_here = byte & 0x1f == UNIT && self.volume.is_some();
        match byte & 0xe0 {
            0x20 | 0x40 if byte & 0x1f == 0x1f => {
                let bus = core::mem::take(&mut self.bus);
                if bus.role == Role::Listener {
                    self.unlisten(bus);
                }
            }
            0x20 | 0x40 => {
                let role = match byte & 0xe0 {
                    _ if !is_here => Role::Nobody,
                    0x20 => Role::Listener,
                    _ => Role::Talker,
                };
                self.bus = Bus { role, ..Bus::default() };
                if role == Role::Nobody {
                    or_status(machine, 0x80);
                }
            }
            _ if matches!(self.bus.role, Role::Listener | Role::Talker) => {
                self.bus.second = Some(byte);
                if byte & 0xf0 == 0xe0 {
                    self.close(byte & 0x0f);
                }
            }
            _ => {}
        }
        true
    }

    /// Ends what was sent to the drive: the name of a file to open, or a command.
    fn unlisten(&mut self, bus: Bus) {
        let Some(second) = bus.second else { return };
        let channel = second & 0x0f;
        match second & 0xf0 {
            0xf0 => {
                // A fault is reported on the command channel, as a drive does.
                let _ = self.open(channel, &bus.name);
            }
            0xe0 => {}
            _ => self.command_ends(channel),
        }
    }

    fn bus_write(&mut self, machine: &mut C64) -> bool {
        let byte = machine.cpu.registers.a;
        let is_taken = match (self.bus.role, self.bus.second) {
            (Role::Listener, Some(second)) if second & 0xf0 == 0xf0 => {
                self.bus.name.truncate(255);
                self.bus.name.push(byte);
                true
            }
            (Role::Listener, Some(second)) => self.write(second & 0x0f, byte),
            _ => false,
        };
        if !is_taken {
            or_status(machine, if self.bus.role == Role::Nobody { 0x80 } else { TIMEOUT });
        }
        true
    }

    fn bus_read(&mut self, machine: &mut C64) -> bool {
        let (byte, status) = match (self.bus.role, self.bus.second) {
            (Role::Talker, Some(second)) => self.read(second & 0x0f),
            _ => (b'\r', END_OF_FILE | TIMEOUT),
        };
        or_status(machine, status);
        machine.cpu.registers.a = byte;
        true
    }

    /// Files that are still open for writing are stored, as if the program had closed them.
    pub fn flush(&mut self) {
        let open: Vec<u8> = self.channels.keys().copied().collect();
        for channel in open {
            self.close(channel);
        }
    }

    fn load(&mut self, machine: &mut C64) -> Result<(), u8> {
        let name = name(machine);
        let Some(bytes) = self.contents(&name) else { return Err(NOT_FOUND) };
        let Some((&[low, high], bytes)) = bytes.split_first_chunk() else { return Err(NOT_FOUND) };
        let own = u16::from_le_bytes([low, high]);
        let start = if machine.board.peek(SECOND) & 0x0f == 0 { word(machine, LOAD) } else { own };
        let is_verify = machine.board.peek(VERIFY) != 0;
        // What does not fit below $10000 has no place, and the first two bytes are the CPU's port.
        let start = usize::from(start);
        if start < 2 {
            return Err(NOT_FOUND);
        }
        let count = bytes.len().min(0x10000 - start);
        let mut status = END_OF_FILE;
        // The KERNAL stores as every program does: where the chips are seen, they take the bytes.
        let chips = 0xd000.clamp(start, start + count)..0xe000.clamp(start, start + count);
        if is_verify {
            let is_equal = |(at, byte): (usize, &u8)| match chips.contains(&(start + at)) {
                true => machine.board.peek((start + at) as u16) == *byte,
                false => machine.board.ram()[start + at] == *byte,
            };
            if !bytes[..count].iter().enumerate().all(is_equal) {
                status |= MISMATCH;
            }
        } else {
            let (ram, cycles) = (machine.board.ram_mut(), machine.cpu.cycles);
            ram[start..chips.start].copy_from_slice(&bytes[..chips.start - start]);
            ram[chips.end..start + count].copy_from_slice(&bytes[chips.end - start..count]);
            for at in chips {
                machine.board.poke(at as u16, bytes[at - start], cycles);
            }
        }
        or_status(machine, status);
        set_word(machine, END, (start + count) as u16);
        Ok(())
    }

    fn save(&mut self, machine: &mut C64) -> Result<(), u8> {
        let name = name(machine);
        let (start, end) = (word(machine, START), word(machine, END));
        let mut bytes = start.to_le_bytes().to_vec();
        let count = end.wrapping_sub(start);
        bytes.extend((0..count).map(|offset| machine.board.peek(start.wrapping_add(offset))));
        let parsed = Name::parse(&name);
        self.store(parsed.name, Kind::Prg, bytes, parsed.replace);
        Ok(())
    }

    fn store(&mut self, name: &[u8], kind: Kind, bytes: Vec<u8>, replace: bool) {
        let Some(volume) = &mut self.volume else { return };
        let result = volume.store(name, kind, bytes, replace);
        self.say(result);
    }

    /// The bytes of a file, or of the directory.
    fn contents(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let volume = self.volume.as_ref()?;
        let found = if let Some(pattern) = name.strip_prefix(b"$") {
            let pattern = pattern.strip_prefix(b"0").unwrap_or(pattern);
            Some(volume.listing(pattern.strip_prefix(b":").unwrap_or(pattern)))
        } else {
            volume.find(Name::parse(name).name).map(|file| file.bytes.clone())
        };
        self.say(if found.is_some() { Ok(()) } else { Err(Fault::NotFound) });
        found
    }

    fn open(&mut self, channel: u8, name: &[u8]) -> Result<(), u8> {
        self.close(channel);
        if channel == 15 {
            self.channels.insert(15, Channel::Command { text: Vec::new() });
            for &byte in name {
                self.write(15, byte);
            }
            self.command_ends(15);
            return Ok(());
        }
        if name.is_empty() {
            return Err(NO_NAME);
        }
        let parsed = Name::parse(name);
        // Channel 1 writes, as SAVE does.
        let opened = if parsed.writes || channel == 1 {
            let (name, kind, replace) =
                (parsed.name.to_vec(), parsed.kind.unwrap_or(Kind::Seq), parsed.replace);
            Some(Channel::Write { name, kind, replace, bytes: Vec::new() })
        } else {
            self.contents(name).map(|bytes| Channel::Read { bytes, at: 0 })
        };
        // A drive takes the name all the same; the program learns the fault from the command channel or the first read.
        self.channels.insert(channel, opened.unwrap_or(Channel::Read { bytes: Vec::new(), at: 0 }));
        Ok(())
    }

    fn close(&mut self, channel: u8) {
        if let Some(Channel::Write { name, kind, replace, bytes }) = self.channels.remove(&channel) {
            self.store(&name, kind, bytes, replace);
        }
    }

    /// A byte and the status that comes with it.
    fn read(&mut self, channel: u8) -> (u8, u8) {
        if channel == 15 {
            if self.status.is_empty() {
                self.status = b"00, OK,00,00\r".to_vec();
            }
            let byte = self.status.remove(0);
            return (byte, if self.status.is_empty() { END_OF_FILE } else { 0 });
        }
        match self.channels.get_mut(&channel) {
            Some(Channel::Read { bytes, at }) => match bytes.get(*at) {
                Some(&byte) => {
                    *at += 1;
                    (byte, if *at == bytes.len() { END_OF_FILE } else { 0 })
                }
                None => (b'\r', END_OF_FILE | TIMEOUT),
            },
            _ => (b'\r', END_OF_FILE | TIMEOUT),
        }
    }

    fn write(&mut self, channel: u8, byte: u8) -> bool {
        if channel == 15 {
            self.channels.entry(15).or_insert(Channel::Command { text: Vec::new() });
        }
        match self.channels.get_mut(&channel) {
            Some(Channel::Write { bytes, .. }) if bytes.len() < LARGEST => bytes.push(byte),
            Some(Channel::Command { text }) if text.len() < 256 => {
                if byte == b'\r' {
                    self.command_ends(15);
                } else {
                    text.push(byte);
                }
            }
            _ => return false,
        }
        true
    }

    /// Carries out what was written to the command channel.
    fn command_ends(&mut self, channel: u8) {
        let Some(Channel::Command { text }) = self.channels.get_mut(&channel) else { return };
        let text = core::mem::take(text);
        let Some(volume) = &mut self.volume else { return };
        let argument = text.iter().position(|&byte| byte == b':').map(|colon| &text[colon + 1..]);
        match (text.first(), argument) {
            (None, _) => {}
            (Some(b'I' | b'U' | b'V'), _) => self.say(Ok(())),
            (Some(b'S'), Some(pattern)) => {
                let count = volume.scratch(pattern);
                self.status = format!("01, FILES SCRATCHED,{:02},00\r", count.min(99)).into_bytes();
            }
            (Some(b'R'), Some(names)) => {
                let result = match names.iter().position(|&byte| byte == b'=') {
                    Some(equals) => volume.rename(&names[equals + 1..], &names[..equals]),
                    None => Err(Fault::Syntax),
                };
                self.say(result);
            }
            _ => self.say(Err(Fault::Syntax)),
        }
    }

    fn say(&mut self, result: Result<(), Fault>) {
        let text: &[u8] = match result {
            Ok(()) => b"00, OK,00,00\r",
            Err(Fault::Syntax) => b"30, SYNTAX ERROR,00,00\r",
            Err(Fault::NotFound) => b"62, FILE NOT FOUND,00,00\r",
            Err(Fault::Exists) => b"63, FILE EXISTS,00,00\r",
            Err(Fault::Full) => b"72, DISK FULL,00,00\r",
        };
        self.status = text.to_vec();
    }
}

/// A name as programs write it: `@0:NAME,S,W`.
struct Name<'a> {
    name: &'a [u8],
    replace: bool,
    kind: Option<Kind>,
    writes: bool,
}

impl Name<'_> {
    fn parse(text: &[u8]) -> Name<'_> {
        let replace = text.starts_with(b"@");
        let text = text.strip_prefix(b"@").unwrap_or(text);
        let text = match text {
            [b'0' | b'1', b':', rest @ ..] | [b':', rest @ ..] => rest,
            text => text,
        };
        let mut parts = text.split(|&byte| byte == b',');
        let mut parsed = Name { name: parts.next().unwrap_or_default(), replace, kind: None, writes: false };
        for part in parts {
            match part.first() {
                Some(b'S') => parsed.kind = Some(Kind::Seq),
                Some(b'P') => parsed.kind = Some(Kind::Prg),
                Some(b'U') => parsed.kind = Some(Kind::Usr),
                Some(b'W') => parsed.writes = true,
                _ => {}
            }
        }
        parsed
    }
}

fn word(machine: &C64, addr: u16) -> u16 {
    u16::from_le_bytes([machine.board.peek(addr), machine.board.peek(addr + 1)])
}

fn set_word(machine: &mut C64, addr: u16, value: u16) {
    let at = usize::from(addr);
    machine.board.ram_mut()[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

fn or_status(machine: &mut C64, bits: u8) {
    machine.board.ram_mut()[usize::from(STATUS)] |= bits;
}

/// The file name of the call.
fn name(machine: &C64) -> Vec<u8> {
    let (length, start) = (machine.board.peek(NAME_LENGTH), word(machine, NAME));
    (0..u16::from(length)).map(|offset| machine.board.peek(start.wrapping_add(offset))).collect()
}

/// Carry clear, or set with the error in A.
fn answer(machine: &mut C64, result: Result<(), u8>) {
    let registers = &mut machine.cpu.registers;
    match result {
        Ok(()) => registers.p = registers.p.without(Status::C),
        Err(error) => {
            registers.p = registers.p.with(Status::C);
            registers.a = error;
        }
    }
}
