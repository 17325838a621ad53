//! The RAM expansion: registers at $DF00 and the transfers. The owner hands it the C64's side, because the machine
//! knows what the CPU's addresses lead to and when the VIC has the bus.

use alloc::vec::Vec;

use super::port::{Dma, Port};
use crate::state::{StateError, state};

/// Bits of the status.
const INTERRUPT: u8 = 0x80;
const DONE: u8 = 0x40;
const FAULT: u8 = 0x20;

/// Bits of the command.
const EXECUTE: u8 = 0x80;
const AUTOLOAD: u8 = 0x20;
const AT_ONCE: u8 = 0x10;

/// Bytes that the address counter of the chip reaches, and those of the smallest board, where it wraps.
const COUNTED: usize = 0x8_0000;
const FIRST: usize = 0x2_0000;

/// A write here begins a transfer that waits for it.
pub(super) const TRIGGER: u16 = 0xff00;

/// The operation of a transfer on each byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transfer {
    /// From the C64 to the expansion.
    Stash,
    /// Back.
    Fetch,
    /// Both at once; a byte takes two cycles.
    Swap,
    /// Only compares.
    Verify,
}

/// Addresses and length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    here: u16,
    there: u32,
    length: u16,
}

state!(Place { here, there, length });

/// A RAM expansion as a separate device. A whole C64 gets one from [`Board::expand`](super::Board::expand).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reu {
    memory: Vec<u8>,
    status: u8,
    command: u8,
    now: Place,
    /// As written last, for autoload.
    written: Place,
    mask: u8,
    control: u8,
    /// A transfer is to begin, or waits for a write to $FF00.
    is_due: bool,
    is_armed: bool,
    /// The byte on the data lines, which an address without memory reads.
    lines: u8,
}

state!(Reu { memory, status, command, now, written, mask, control, is_due, is_armed, lines });

impl Reu {
    /// The sizes there are, for people.
    pub const SIZES: &str = "128, 256, 512, 1024, 2048, 4096, 8192 or 16384 KB";

    /// One with this many kilobytes, as it is after power-on: 128, 256, 512, and so on to 16384. There are no others.
    pub fn new(kilobytes: usize) -> Option<Reu> {
        let size = kilobytes.checked_mul(1024)?;
        is_size(size).then(|| {
            let mut memory = alloc::vec![0; size];
            // Pairs of equal bytes, turned over in every second page.
            for (at, byte) in memory.iter_mut().enumerate() {
                *byte = if ((at + 1) >> 1 ^ at >> 8) & 1 == 0 { 0xff } else { 0x00 };
            }
            Reu::with(memory)
        })
    }

    /// As a reset leaves it.
    fn with(memory: Vec<u8>) -> Reu {
        let place = Place { here: 0, there: 0, length: 0xffff };
        Reu {
            memory,
            status: 0,
            command: AT_ONCE,
            now: place,
            written: place,
            mask: 0,
            control: 0,
            is_due: false,
            is_armed: false,
            lines: 0xff,
        }
    }

    /// Its size.
    pub fn kilobytes(&self) -> usize {
        self.memory.len() / 1024
    }

    pub(super) fn is_due(&self) -> bool {
        self.is_due
    }

    /// Whether the next write to $FF00 begins a transfer.
    pub(super) fn is_armed(&self) -> bool {
        self.is_armed
    }

    /// $FF00 was written.
    pub(super) fn trigger(&mut self) {
        self.is_armed = false;
        self.is_due = true;
    }

    pub(super) fn peek(&self, register: u8) -> u8 {
        let Place { here, there, length } = self.now;
        match register & 0x1f {
            0x0 => self.status | if self.memory.len() > 0x2_0000 { 0x10 } else { 0 },
            0x1 => self.command,
            0x2 => here as u8,
            0x3 => (here >> 8) as u8,
            0x4 => there as u8,
            0x5 => (there >> 8) as u8,
            // The chip has three bits of it; larger boards have a latch that cannot be read.
            0x6 => (there >> 16) as u8 | 0xf8,
            0x7 => length as u8,
            0x8 => (length >> 8) as u8,
            0x9 => self.mask | 0x1f,
            0xa => self.control | 0x3f,
            _ => 0xff,
        }
    }

    /// A read of the status clears it.
    pub(super) fn read(&mut self, register: u8) -> u8 {
        let value = self.peek(register);
        if register & 0x1f == 0 {
            self.status = 0;
        }
        value
    }

    pub(super) fn write(&mut self, register: u8, value: u8) {
        let set = |old: u32, at: u32| old & !(0xff << at) | u32::from(value) << at;
        let written = &mut self.written;
        match register & 0x1f {
            0x1 => {
                self.command = value;
                self.is_armed = value & (EXECUTE | AT_ONCE) == EXECUTE;
                self.is_due = value & (EXECUTE | AT_ONCE) == EXECUTE | AT_ONCE;
                return;
            }
            0x2 => written.here = set(written.here.into(), 0) as u16,
            0x3 => written.here = set(written.here.into(), 8) as u16,
            0x4 => written.there = set(written.there, 0),
            0x5 => written.there = set(written.there, 8),
            0x6 => written.there = set(written.there, 16),
            0x7 => written.length = set(written.length.into(), 0) as u16,
            0x8 => written.length = set(written.length.into(), 8) as u16,
            0x9 => self.mask = value & 0xe0,
            0xa => self.control = value & 0xc0,
            _ => {}
        }
        // A byte of a pair brings the other back as it was written; the bank is in none.
        match register & 0x1f {
            0x2 | 0x3 => self.now.here = self.written.here,
            0x4 | 0x5 => self.now.there = self.now.there & !0xffff | self.written.there & 0xffff,
            0x6 => self.now.there = self.now.there & 0xffff | self.written.there & !0xffff,
            0x7 | 0x8 => self.now.length = self.written.length,
            _ => {}
        }
        self.raise(0);
    }

    /// Makes the transfer that is due.
    pub(super) fn transfer(&mut self, c64: &mut (impl Dma + ?Sized)) {
        self.is_due = false;
        let transfer = [Transfer::Stash, Transfer::Fetch, Transfer::Swap, Transfer::Verify]
            [usize::from(self.command & 3)];
        loop {
            let here = self.now.here;
            let mut is_different = false;
            match transfer {
                Transfer::Stash => {
                    let value = c64.read(here);
                    self.store(value);
                }
                Transfer::Fetch => {
                    let value = self.load();
                    c64.write(here, value);
                }
                Transfer::Verify => is_different = c64.read(here) != self.load(),
                Transfer::Swap => {
                    let (value, other) = (c64.read(here), self.load());
                    self.store(value);
                    c64.write(here, other);
                }
            }
            let is_last = self.is_last();
            self.advance();
            if matches!(transfer, Transfer::Fetch | Transfer::Verify) {
                // It reads ahead.
                self.load();
            }
            if is_last {
                return self.end(true, is_different);
            }
            if is_different {
                // It has compared the next byte before it stops.
                let is_equal = c64.read(self.now.here) == self.load();
                return self.end(self.is_last() && is_equal, true);
            }
        }
    }

    /// Where the expansion's next byte is, if there is memory at that address.
    fn place(&self) -> Option<usize> {
        let (there, size) = (self.now.there as usize, self.memory.len());
        match size {
            // Two of the chip's eight banks are wired.
            FIRST => Some(there & (FIRST - 1)),
            _ if size > COUNTED => Some(there & (size - 1)),
            _ => Some(there & (COUNTED - 1)).filter(|&place| place < size),
        }
    }

    /// The expansion's next byte, or without memory whatever is on the lines.
    fn load(&mut self) -> u8 {
        if let Some(place) = self.place() {
            self.lines = self.memory[place];
        }
        self.lines
    }

    fn store(&mut self, value: u8) {
        self.lines = value;
        if let Some(place) = self.place() {
            self.memory[place] = value;
        }
    }

    /// Whether no byte follows the next one.
    fn is_last(&self) -> bool {
        self.now.length == 1
    }

    /// A byte is over.
    fn advance(&mut self) {
        if self.control & 0x80 == 0 {
            self.now.here = self.now.here.wrapping_add(1);
        }
        if self.control & 0x40 == 0 {
            let counted = if self.memory.len() == FIRST { FIRST } else { COUNTED } as u32 - 1;
            self.now.there = self.now.there & !counted | (self.now.there + 1) & counted;
        }
        if !self.is_last() {
            self.now.length = self.now.length.wrapping_sub(1);
        }
    }

    /// Ends the transfer: with the last byte, with one that differs, or both.
    fn end(&mut self, is_done: bool, is_different: bool) {
        self.command = self.command & !EXECUTE | AT_ONCE;
        if self.command & AUTOLOAD != 0 {
            self.now = self.written;
        }
        self.raise(if is_done { DONE } else { 0 } | if is_different { FAULT } else { 0 });
    }

    fn raise(&mut self, flags: u8) {
        self.status |= flags;
        if self.mask & 0x80 != 0 && self.mask & self.status & (DONE | FAULT) != 0 {
            self.status |= INTERRUPT;
        }
    }
}

/// Whether there are RAM expansions of this many bytes.
fn is_size(bytes: usize) -> bool {
    bytes.is_power_of_two() && (0x2_0000..=0x100_0000).contains(&bytes)
}

/// The registers are in I/O 2.
const PAGE: u16 = 0xdf;

impl Port for Reu {
    fn peek_io(&self, addr: u16) -> Option<u8> {
        (addr >> 8 == PAGE).then(|| self.peek(addr as u8))
    }

    fn read_io(&mut self, addr: u16) -> Option<u8> {
        (addr >> 8 == PAGE).then(|| self.read(addr as u8))
    }

    fn write_io(&mut self, addr: u16, value: u8) {
        if addr >> 8 == PAGE {
            self.write(addr as u8, value);
        }
    }

    fn watched(&self) -> Option<u16> {
        self.is_armed.then_some(TRIGGER)
    }

    fn written(&mut self) {
        self.trigger();
    }

    fn is_irq_low(&self) -> bool {
        self.status & INTERRUPT != 0
    }

    fn is_dma_low(&self) -> bool {
        self.is_due
    }

    fn use_bus(&mut self, bus: &mut dyn Dma) {
        self.transfer(bus);
    }

    /// Its memory stays.
    fn reset(&mut self) {
        *self = Reu::with(core::mem::take(&mut self.memory));
    }

    fn check(&self) -> Result<(), StateError> {
        match is_size(self.memory.len()) {
            true => Ok(()),
            false => Err(StateError::Impossible("a RAM expansion of a size that there is not")),
        }
    }
}
