//! From a program to something that can be debugged: an assembled source, a program file with names, a recorded test.

use tempo_assembler::Output;
use tempo_emu::c64::{DRIVE_ROM, Disk};
use tempo_emu::{AnyComputer, Status, System};
use tempo_rig::{Recording, Roms};

use crate::debugger::{StopAt, Target};
use crate::machine::{AtEnd, Input, Machine};
use crate::map::SourceMap;
use crate::names::Names;
use crate::points::Watch;

/// How a program is started.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The machine.
    pub kind: System,
    /// Where to start: an address, or a name. Without it the `SYS` of the BASIC line, else the first byte.
    pub entry: Option<String>,
    /// The registers to start with.
    pub a: Option<u8>,
    /// The X index.
    pub x: Option<u8>,
    /// The Y index.
    pub y: Option<u8>,
    /// The stack pointer.
    pub sp: Option<u8>,
    /// The status.
    pub p: Option<u8>,
    /// Bytes put into memory beside the program.
    pub memory: Vec<(u16, Vec<u8>)>,
    /// Images for the ROM sockets.
    pub roms: Roms,
    /// A whole 1541 on the serial bus.
    pub drive: Option<Drive>,
    /// Cycles after which the exception `limit` stops; 0 is never.
    pub max_cycles: u64,
    /// Megabytes of the past.
    pub history: usize,
    /// Where it stops instead of ending.
    pub stop_at: Option<StopAt>,
}

/// A 1541: the ROM of its owner, and the disk in it.
#[derive(Debug, Clone)]
pub struct Drive {
    /// The ROM.
    pub rom: Vec<u8>,
    /// The disk.
    pub disk: Option<Disk>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            kind: System::Mos6502,
            entry: None,
            a: None,
            x: None,
            y: None,
            sp: None,
            p: None,
            memory: Vec::new(),
            roms: Roms::default(),
            drive: None,
            max_cycles: 0,
            history: 256,
            stop_at: None,
        }
    }
}

/// A number as people write addresses: `$c000`, `0xc000`, `49152`.
pub fn parse_number(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some(hex) = text.strip_prefix('$').or(text.strip_prefix("0x")).or(text.strip_prefix("0X")) {
        return i64::from_str_radix(hex, 16).ok();
    }
    if let Some(bits) = text.strip_prefix('%') {
        return i64::from_str_radix(bits, 2).ok();
    }
    text.parse().ok()
}

impl Target {
    /// A program that was assembled with [`tempo_assembler::Options::analysis`].
    pub fn from_output(output: &Output, setup: &Setup) -> Result<Target, String> {
        let default = output.program.segments.first();
        let default = default.filter(|segment| segment.blocks.iter().any(|block| !block.bytes.is_empty()));
        let segments = match default {
            Some(segment) => std::slice::from_ref(segment),
            None => &output.program.segments[..],
        };
        let mut blocks = Vec::new();
        for block in segments.iter().flat_map(|segment| &segment.blocks) {
            if block.is_virtual || block.bytes.is_empty() {
                continue;
            }
            let address = u16::try_from(block.start).ok();
            let address = address.filter(|&at| usize::from(at) + block.bytes.len() <= 0x10000);
            let address = address.ok_or_else(|| {
                format!("the block \"{}\" at ${:X} is outside memory", block.name, block.start)
            })?;
            blocks.push((address, block.bytes.clone()));
        }
        if blocks.is_empty() {
            return Err("the source makes no bytes".to_string());
        }
        let mut target =
            Target::prepare(blocks, SourceMap::from_output(output), Names::from_output(output), setup)?;
        target.source_points = source_points(output);
        Ok(target)
    }

    /// Nothing of our own: a machine somewhere else, of which nothing is known.
    pub fn elsewhere() -> Target {
        Target {
            machine: Machine::new(System::Mos6502),
            map: SourceMap::default(),
            names: Names::default(),
            test: None,
            entry_level: None,
            max_cycles: 0,
            history: 1,
            source_points: Vec::new(),
            loaded: Vec::new(),
            stop_at: None,
        }
    }

    /// A program file: a load address and bytes.
    pub fn from_prg(prg: &[u8], mut map: SourceMap, names: Names, setup: &Setup) -> Result<Target, String> {
        let (address, bytes) = tempo_emu::c64::parse_program(prg).map_err(|err| err.to_string())?;
        let start = usize::from(address);
        map.fill_bytes(&|at| {
            usize::from(at).checked_sub(start).and_then(|at| bytes.get(at)).copied().unwrap_or(0)
        });
        Target::prepare(vec![(address, bytes.to_vec())], map, names, setup)
    }

    /// A computer that goes on where it is.
    pub fn from_computer(computer: AnyComputer, map: SourceMap, names: Names, setup: &Setup) -> Target {
        let mut machine = Machine::of_computer(computer, AtEnd::GoOn);
        machine.insert_roms(&setup.roms);
        Target {
            machine,
            map,
            names,
            max_cycles: setup.max_cycles,
            history: setup.history,
            stop_at: setup.stop_at,
            ..Target::elsewhere()
        }
    }

    /// A recorded test, with the programs its suite assembled.
    pub fn from_test(recording: Recording, programs: &[&Output], history: usize) -> Target {
        let mut map = SourceMap::default();
        let mut names = Names::default();
        for output in programs {
            map.join(SourceMap::from_output(output));
            names.join(&Names::from_output(output));
        }
        names.join(&Names::from_pairs(recording.names.iter().cloned()));
        let loaded = recording.loaded.clone();
        Target {
            machine: Machine::of_test(&recording),
            map,
            names,
            test: Some(recording),
            entry_level: None,
            max_cycles: 0,
            history,
            source_points: programs.iter().flat_map(|output| source_points(output)).collect(),
            loaded,
            stop_at: None,
        }
    }

    fn prepare(
        blocks: Vec<(u16, Vec<u8>)>,
        map: SourceMap,
        names: Names,
        setup: &Setup,
    ) -> Result<Target, String> {
        let mut machine = Machine::new(setup.kind);
        machine.insert_roms(&setup.roms);
        if let Some(drive) = &setup.drive
            && !machine.attach_drive(&drive.rom, drive.disk.as_ref())
        {
            return Err(format!(
                "a 1541 needs a C64, and a ROM of {DRIVE_ROM} bytes; this one has {}",
                drive.rom.len()
            ));
        }
        let mut loaded = Vec::new();
        for (address, bytes) in blocks.iter().chain(&setup.memory) {
            if usize::from(*address) + bytes.len() > 0x10000 {
                return Err(format!("{} bytes at ${address:04X} run past $FFFF", bytes.len()));
            }
            machine.load(*address, bytes);
            loaded.push((*address, bytes.len()));
        }
        let first = blocks.iter().map(|(address, _)| *address).min().unwrap_or(0);
        let basic = blocks.iter().find(|(address, _)| *address == 0x0801);
        let sys = basic.and_then(|(_, bytes)| tempo_emu::c64::sys(bytes));
        let entry = match &setup.entry {
            Some(text) => {
                let value = parse_number(text).or_else(|| names.get(text, ""));
                let value = value.ok_or_else(|| {
                    format!("the entry `{text}` is neither a number nor a name of the program")
                })?;
                Some(u16::try_from(value).map_err(|_| format!("the entry {text} is outside memory"))?)
            }
            None => None,
        };
        let mut entry_level = None;
        match entry {
            None if setup.kind.is_whole() => machine.enter_program()?,
            entry => {
                if let Some(s) = setup.sp {
                    let registers = tempo_emu::Registers { s, ..*machine.registers() };
                    machine.apply(&Input::Registers(registers));
                }
                entry_level = Some(machine.registers().s);
                machine.enter(entry.or(sys).unwrap_or(first));
            }
        }
        let mut registers = *machine.registers();
        registers.a = setup.a.unwrap_or(registers.a);
        registers.x = setup.x.unwrap_or(registers.x);
        registers.y = setup.y.unwrap_or(registers.y);
        registers.p = setup.p.map_or(registers.p, Status::from_byte);
        machine.apply(&Input::Registers(registers));
        Ok(Target {
            machine,
            map,
            names,
            test: None,
            entry_level,
            max_cycles: setup.max_cycles,
            history: setup.history,
            source_points: Vec::new(),
            loaded,
            stop_at: setup.stop_at,
        })
    }
}

/// `.break` and `.watch` of a source.
fn source_points(output: &Output) -> Vec<(Watch, String)> {
    let mut found = Vec::new();
    for point in &output.program.breakpoints {
        if let Ok(address) = u16::try_from(point.address) {
            found.push((Watch::Code(vec![address]), point.argument.clone()));
        }
    }
    for point in &output.program.watchpoints {
        let last = point.end.unwrap_or(point.address);
        if let (Ok(first), Ok(last)) = (u16::try_from(point.address), u16::try_from(last)) {
            let kind = point.argument.trim().trim_matches('"').to_ascii_lowercase();
            let (read, write) = match kind.as_str() {
                "load" | "read" => (true, false),
                "store" | "write" => (false, true),
                _ => (true, true),
            };
            let watch =
                Watch::Data { first: first.min(last), last: last.max(first), read, write, on_change: false };
            let argument = if matches!(kind.as_str(), "load" | "read" | "store" | "write") {
                String::new()
            } else {
                point.argument.clone()
            };
            found.push((watch, argument));
        }
    }
    found
}
