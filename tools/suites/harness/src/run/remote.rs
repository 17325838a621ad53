//! Calls of tests on a machine elsewhere, a real C64: memory and registers go there before a call and come back after it,
//! so that everything else of a test happens here. A driver of ours waits there in memory. Knows the machine through
//! [`Wire`] only.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempo_assembler::{MemoryFiles, Options, assemble};
use tempo_emu::{Registers, Status};

/// A C64 elsewhere: its memory by DMA, and a way to start a program. An error is a sentence.
pub trait Wire: Send {
    /// Resets the computer and starts a program file.
    fn start(&mut self, prg: &[u8]) -> Result<(), String>;
    /// Reads memory as the CPU sees it.
    fn read(&mut self, address: u16, length: usize) -> Result<Vec<u8>, String>;
    /// Writes memory.
    fn write(&mut self, address: u16, bytes: &[u8]) -> Result<(), String>;
    /// Waits for so many milliseconds; how many have passed is the caller's to count.
    fn wait(&mut self, milliseconds: u64);
}

/// A machine that calls are made on, shared by all suites of a run.
#[derive(Clone)]
pub struct Remote(Arc<Mutex<Session>>);

struct Session {
    wire: Box<dyn Wire>,
    driver: u16,
    /// The memory there, once the driver waits.
    known: Option<Known>,
    /// Why nothing more can be asked.
    lost: Option<String>,
}

struct Known {
    memory: Box<[u8; 0x10000]>,
    image: Image,
    is_quiet: bool,
}

/// The driver as it is there.
#[derive(Clone)]
struct Image {
    bytes: Vec<u8>,
    /// The handler of BRK.
    broken: u16,
}

/// The state of a call: what goes there and comes back.
pub(super) struct Call {
    pub registers: Registers,
    pub memory: Box<[u8; 0x10000]>,
    pub target: u16,
    /// $01 during the call.
    pub port: u8,
    /// The CIAs ask for no interrupts.
    pub is_quiet: bool,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Returned,
    /// With the address of the BRK.
    Brk(u16),
    /// Not within its time.
    Late,
}

/// Why a call could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failed {
    /// The program and the driver are in each other's way.
    Test(String),
    /// The machine cannot be asked any more.
    Lost(String),
}

/// Bytes of the block: registers, port, address, mark.
const BLOCK: usize = 9;
const MARK: usize = 8;
/// Bytes of the block that the calls change, and the operand of the call in the driver.
const BROKEN: u8 = 4;
const RETURNED: u8 = 3;
/// The bank that the driver waits in: all RAM.
const WAITING: u8 = 0x34;
/// Time for the driver to come up, in milliseconds.
const START: u64 = 10_000;
/// Differences nearer than this are written together.
const NEAR: usize = 64;
/// Cycles of a millisecond; the slowest model.
const CYCLES: u64 = 985;
/// Milliseconds beyond a call's cycles, for the way there and back.
const GRACE: u64 = 2_000;

impl Remote {
    /// A machine at the end of a wire, with the driver at an address that the programs do not use.
    pub fn new(wire: Box<dyn Wire>, driver: u16) -> Remote {
        Remote(Arc::new(Mutex::new(Session { wire, driver, known: None, lost: None })))
    }

    /// Why nothing more can be asked.
    pub fn lost(&self) -> Option<String> {
        self.session().lost.clone()
    }

    pub(super) fn call(&self, call: &mut Call, cycles: u64) -> Result<Ended, Failed> {
        let mut session = self.session();
        if let Some(lost) = &session.lost {
            return Err(Failed::Lost(lost.clone()));
        }
        let result = session.call(call, cycles);
        if let Err(Failed::Lost(lost)) = &result {
            session.lost = Some(lost.clone());
        }
        result
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Remote")
    }
}

impl Session {
    fn call(&mut self, call: &mut Call, cycles: u64) -> Result<Ended, Failed> {
        let mut known = match self.known.take() {
            Some(known) if known.is_quiet == call.is_quiet => known,
            _ => self.begin(call.is_quiet)?,
        };
        let driver = usize::from(self.driver)..usize::from(self.driver) + known.image.bytes.len();
        // A BRK is noticed if the program has no handler.
        let mut wanted = call.memory.clone();
        let handles = wanted[0xfffe..] != [0, 0];
        if !handles {
            wanted[0xfffe..].copy_from_slice(&known.image.broken.to_le_bytes());
        }
        wanted[driver.clone()].copy_from_slice(&known.memory[driver.clone()]);
        wanted[..2].copy_from_slice(&known.memory[..2]);
        for (start, end) in differences(&known.memory[..], &wanted[..]) {
            // What is between two differences near each other is equal, the driver's block included.
            self.send(start as u16, &wanted[start..end])?;
        }
        let Registers { a, x, y, s, p, .. } = call.registers;
        let [low, high] = call.target.to_le_bytes();
        self.send(self.driver, &[a, x, y, p.byte(), s, call.port, low, high, 1])?;
        let Some(block) = self.wait_for_end(cycles)? else {
            // What it does there is not known: the driver is started again for the next call.
            return Ok(Ended::Late);
        };
        let after = self.fetch(2, 0xfffe)?;
        known.memory[2..].copy_from_slice(&after);
        let own = |at: usize| known.memory[usize::from(self.driver) + at];
        // The block, the operand of the call, and nothing else of the driver may change.
        let changed = (BLOCK..known.image.bytes.len())
            .find(|&at| own(at) != known.image.bytes[at] && !known.image.is_operand(at));
        if let Some(at) = changed {
            self.known = None;
            return Err(Failed::Test(format!(
                "the program has overwritten the driver at ${:04X}: --driver-at ADDRESS puts it elsewhere",
                usize::from(self.driver) + at
            )));
        }
        let before = call.registers.s;
        let mut memory = known.memory.clone();
        memory[driver.clone()].copy_from_slice(&call.memory[driver]);
        memory[..2].copy_from_slice(&call.memory[..2]);
        if !handles {
            memory[0xfffe..].fill(0);
        }
        // Where the return address was, as a call here leaves it.
        for place in [before, before.wrapping_sub(1)] {
            memory[0x0100 | usize::from(place)] = 0xff;
        }
        call.memory = memory;
        call.registers = Registers {
            a: block[0],
            x: block[1],
            y: block[2],
            p: Status::from_byte(block[3]),
            s: block[4],
            pc: 0,
        };
        call.port = block[5];
        known.is_quiet = call.is_quiet;
        self.known = Some(known);
        Ok(match block[MARK] {
            RETURNED => Ended::Returned,
            _ => Ended::Brk(u16::from_le_bytes([block[6], block[7]]).wrapping_sub(2)),
        })
    }

    /// Starts the driver. Its memory is not known then: all of it is written.
    fn begin(&mut self, is_quiet: bool) -> Result<Known, Failed> {
        let (prg, image) = driver(self.driver, is_quiet).map_err(Failed::Test)?;
        self.wire.start(&prg).map_err(Failed::Lost)?;
        let mut passed = 0;
        loop {
            let found = self.fetch(self.driver, image.bytes.len())?;
            if found == image.bytes {
                break;
            }
            if passed >= START {
                return Err(Failed::Lost(format!(
                    "the driver did not start within {} s: is the machine at its prompt after a reset?",
                    START / 1000
                )));
            }
            self.wire.wait(50);
            passed += 50;
        }
        let mut memory = Box::new([0; 0x10000]);
        let start = usize::from(self.driver);
        let end = start + image.bytes.len();
        self.send(2, &memory[2..start])?;
        self.send(end as u16, &memory[end..])?;
        memory[start..end].copy_from_slice(&image.bytes);
        memory[..2].copy_from_slice(&[0x2f, WAITING]);
        Ok(Known { memory, image, is_quiet })
    }

    /// The block after the call; `None` if it takes longer than its cycles.
    fn wait_for_end(&mut self, cycles: u64) -> Result<Option<[u8; BLOCK]>, Failed> {
        let most = (cycles / CYCLES).saturating_add(GRACE);
        let (mut passed, mut pause) = (0, 0);
        loop {
            let block = self.fetch(self.driver, BLOCK)?;
            if matches!(block[MARK], RETURNED | BROKEN) {
                return Ok(block.try_into().ok());
            }
            if passed >= most {
                return Ok(None);
            }
            pause = (pause * 2).clamp(1, 20);
            self.wire.wait(pause);
            passed += pause;
        }
    }

    fn send(&mut self, address: u16, bytes: &[u8]) -> Result<(), Failed> {
        if bytes.is_empty() { Ok(()) } else { self.wire.write(address, bytes).map_err(Failed::Lost) }
    }

    fn fetch(&mut self, address: u16, length: usize) -> Result<Vec<u8>, Failed> {
        let bytes = self.wire.read(address, length).map_err(Failed::Lost)?;
        match bytes.len() == length {
            true => Ok(bytes),
            false => Err(Failed::Lost(format!("{} bytes of memory came instead of {length}", bytes.len()))),
        }
    }
}

impl Image {
    /// Whether a byte of the driver is the operand of its call, which changes with every call.
    fn is_operand(&self, at: usize) -> bool {
        const JSR: u8 = 0x20;
        [1, 2].iter().any(|&back| {
            at >= back && self.bytes[at - back] == JSR && self.bytes[at - back..][..3] == [JSR, 0, 0]
        })
    }
}

/// The ranges in which two memories differ; those near each other are one.
fn differences(one: &[u8], other: &[u8]) -> Vec<(usize, usize)> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for at in (0..one.len()).filter(|&at| one[at] != other[at]) {
        match ranges.last_mut() {
            Some((_, end)) if at - *end < NEAR => *end = at + 1,
            _ => ranges.push((at, at + 1)),
        }
    }
    ranges
}

/// The program file that puts the driver in its place, and the driver.
fn driver(address: u16, is_quiet: bool) -> Result<(Vec<u8>, Image), String> {
    const SOURCE: &str = include_str!("driver.asm");
    let source = format!(".const DRIVER = {address}\n.const QUIET = {is_quiet}\n{SOURCE}");
    let files: MemoryFiles = [("driver.asm", source.as_bytes())].into_iter().collect();
    let output = assemble(&files, "driver.asm", &Options { symbols: true, ..Options::default() });
    let names = tempo_formats::symbols::Symbols::from_program(&output.program);
    let name = |name: &str| names.get(name).ok_or_else(|| format!("the driver has no {name}"));
    let prg = output.prg().filter(|_| !output.has_errors()).ok_or("the driver does not assemble")?;
    let (first, last) = (name("image")?, name("imageEnd")?);
    let inner = |at: i64| usize::try_from(at - 0x0801 + 2).unwrap_or(0);
    let bytes = prg.get(inner(first)..inner(last)).ok_or("the driver is not in its program")?.to_vec();
    let end = usize::from(address) + bytes.len();
    let is_loader = (0x0801..0x0900).contains(&address) || (0x0801..0x0900).contains(&end);
    if address < 0x0200 || is_loader || (end > 0xa000 && address < 0xc000) || end > 0xd000 {
        return Err(format!(
            "the driver cannot be at ${address:04X}: it needs RAM that is always seen, as at $0334"
        ));
    }
    let broken = name("broken")? as u16;
    Ok((prg, Image { bytes, broken }))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn the_driver_fits_into_the_tape_buffer() {
        for is_quiet in [true, false] {
            let (prg, image) = driver(0x0334, is_quiet).expect("a driver");
            assert!(0x0334 + image.bytes.len() <= 0x0400, "{} bytes", image.bytes.len());
            assert_eq!(prg[..2], [1, 8]);
            assert_eq!(image.bytes[..BLOCK], [0; BLOCK]);
            assert_eq!((0..image.bytes.len()).filter(|&at| image.is_operand(at)).count(), 2);
            assert!((0x0334..0x0400).contains(&image.broken));
        }
        for address in [0x0000, 0x0180, 0x0801, 0x9fff, 0xb000, 0xcfff, 0xd800, 0xfff0] {
            assert!(driver(address, true).is_err(), "{address:04x}");
        }
    }

    #[test]
    fn differences_near_each_other_are_one() {
        let (one, mut other) = (vec![0; 300], vec![0; 300]);
        assert_eq!(differences(&one, &other), []);
        for at in [3, 5, 68, 200, 299] {
            other[at] = 1;
        }
        assert_eq!(differences(&one, &other), [(3, 69), (200, 201), (299, 300)]);
    }
}
