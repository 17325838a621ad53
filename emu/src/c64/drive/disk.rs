//! The mechanics of the drive: a disk of 84 half tracks that turns under a head, and the electronics that make bytes of
//! its pulses. Times are sixteenths of a cycle, the 16 MHz of the drive's crystal.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;

use crate::state::{StateError, state};

/// The places that the head can be moved to: tracks 1 to 42, and the one between each two.
pub const HALF_TRACKS: usize = 84;

/// Ticks of a turn at 300 turns a minute.
const TURN: u32 = 3_200_000;

/// Ticks of a cycle.
const CYCLE: u32 = 16;

/// Bytes of a track that is written to an empty place, by density.
const LENGTHS: [usize; 4] = [6250, 6666, 7142, 7692];

/// The most bytes of a track: a turn at the highest rate has fewer.
const MOST_BYTES: usize = 8192;

/// A disk: the bits of its half tracks, eight to a byte; an empty one has no pulses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disk {
    tracks: Box<[Arc<[u8]>; HALF_TRACKS]>,
    is_protected: bool,
}

state!(Disk { tracks, is_protected });

impl Disk {
    /// A disk without a bit on it.
    pub fn new() -> Disk {
        let empty: Arc<[u8]> = Arc::from([]);
        Disk { tracks: Box::new(core::array::from_fn(|_| empty.clone())), is_protected: false }
    }

    /// The bits of a half track; track 1 is 0, track 2 is 2.
    pub fn half_track(&self, number: usize) -> &[u8] {
        self.tracks.get(number).map_or(&[], |track| track)
    }

    /// Puts bits on a half track. Numbers that there are not, and what is longer than a turn, are refused.
    pub fn set_half_track(&mut self, number: usize, bits: &[u8]) -> bool {
        let Some(track) = self.tracks.get_mut(number) else { return false };
        if bits.len() > MOST_BYTES {
            return false;
        }
        *track = Arc::from(bits);
        true
    }

    /// Covers or opens the notch: a covered disk cannot be written to.
    pub fn protect(&mut self, is_protected: bool) {
        self.is_protected = is_protected;
    }
}

impl Default for Disk {
    fn default() -> Disk {
        Disk::new()
    }
}

/// The lines by which VIA 2 drives the mechanics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Drives {
    pub(super) has_motor: bool,
    /// 0 to 3.
    pub(super) density: u8,
    pub(super) is_writing: bool,
    /// The byte to write.
    pub(super) byte: u8,
}

state!(Drives { has_motor, density, is_writing, byte });

/// The mechanics and the electronics of the head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mechanics {
    pub(super) disk: Option<Disk>,
    half_track: u8,
    /// The coils of the stepper that have current.
    phase: u8,
    /// The bit that comes under the head next, and the part of a turn to it: a bit's share of [`TURN`] is reached.
    bit: u32,
    turned: u32,
    /// Ticks to the next bit.
    to_bit: u32,
    /// The divider by density, and the counter that it drives. A pulse clears both.
    divider: u8,
    counter: u8,
    /// The last ten bits.
    shift: u16,
    /// Bits of the byte in progress.
    bits: u8,
    /// The last complete byte.
    byte: u8,
    writing: u8,
    is_written: bool,
}

state!(Mechanics {
    disk,
    half_track,
    phase,
    bit,
    turned,
    to_bit,
    divider,
    counter,
    shift,
    bits,
    byte,
    writing,
    is_written
});

impl Mechanics {
    pub(super) fn new() -> Mechanics {
        Mechanics {
            disk: None,
            // The head rests at the directory.
            half_track: 34,
            phase: 0,
            bit: 0,
            turned: 0,
            to_bit: u32::MAX,
            divider: 1,
            counter: 0,
            shift: 0,
            bits: 0,
            byte: 0,
            writing: 0,
            is_written: false,
        }
    }

    /// Puts a disk in.
    pub(super) fn insert(&mut self, disk: Disk) {
        self.disk = Some(disk);
        (self.bit, self.turned, self.is_written) = (0, 0, false);
        self.schedule();
    }

    /// Whether the head has written.
    pub(super) fn is_written(&self) -> bool {
        self.is_written
    }

    /// The number of the half track under the head, from 0.
    pub(super) fn half_track(&self) -> u8 {
        self.half_track
    }

    /// Whether light passes the notch of the disk, or there is none.
    pub(super) fn is_open(&self) -> bool {
        self.disk.as_ref().is_none_or(|disk| !disk.is_protected)
    }

    /// Whether the head reads ten 1 bits in a row.
    #[inline(always)]
    pub(super) fn is_sync(&self, is_writing: bool) -> bool {
        self.shift == 0x3ff && !is_writing
    }

    /// The byte for port A.
    #[inline(always)]
    pub(super) fn byte(&self) -> u8 {
        self.byte
    }

    fn track(&self) -> &[u8] {
        self.disk.as_ref().map_or(&[], |disk| disk.half_track(usize::from(self.half_track)))
    }

    fn track_bits(&self) -> u32 {
        self.track().len() as u32 * 8
    }

    /// Current in other coils moves the head by half a track, inwards when the phase goes up.
    pub(super) fn step(&mut self, phase: u8) {
        let moved = match phase.wrapping_sub(self.phase) & 3 {
            1 => (self.half_track + 1).min(HALF_TRACKS as u8 - 1),
            3 => self.half_track.saturating_sub(1),
            _ => self.half_track,
        };
        self.phase = phase & 3;
        if moved != self.half_track {
            let before = self.track_bits().max(1);
            self.half_track = moved;
            // The disk turns on meanwhile: the place is the same part of a turn.
            self.bit = (u64::from(self.bit) * u64::from(self.track_bits()) / u64::from(before)) as u32;
            self.schedule();
        }
    }

    /// Works out when the next bit is under the head.
    fn schedule(&mut self) {
        self.to_bit = self.next_bit();
    }

    fn next_bit(&self) -> u32 {
        match self.track_bits() {
            0 => u32::MAX,
            bits => (TURN - self.turned).div_ceil(bits),
        }
    }

    /// One cycle; whether a byte is complete in it.
    #[inline(always)]
    pub(super) fn tick(&mut self, lines: Drives) -> bool {
        lines.has_motor && self.turn(lines)
    }

    fn turn(&mut self, lines: Drives) -> bool {
        let mut left = CYCLE;
        let mut is_ready = false;
        while left > 0 {
            let divider = u32::from(self.divider);
            let ticks = if lines.is_writing { divider } else { divider.min(self.to_bit) }.min(left);
            left -= ticks;
            self.divider -= ticks as u8;
            let is_bit = !lines.is_writing && self.to_bit != u32::MAX && self.pass(ticks);
            if is_bit {
                // A pulse starts the measuring of the next ones.
                (self.divider, self.counter) = (16 - lines.density, 0);
            } else if self.divider == 0 {
                self.divider = 16 - lines.density;
                self.counter = (self.counter + 1) & 15;
                if self.counter & 3 == 2 {
                    is_ready |= if lines.is_writing { self.write_bit(lines) } else { self.read_bit() };
                }
            }
        }
        is_ready
    }

    /// The disk turns by this many ticks, at most to the next bit; whether that is a pulse.
    fn pass(&mut self, ticks: u32) -> bool {
        let bits = self.track_bits();
        self.turned += ticks * bits;
        self.to_bit -= ticks;
        if self.to_bit > 0 {
            return false;
        }
        self.turned -= TURN;
        self.schedule();
        let at = self.bit;
        self.bit = if at + 1 >= bits { 0 } else { at + 1 };
        self.track()[at as usize / 8] >> (7 - at % 8) & 1 != 0
    }

    /// The counter has come to the middle of a bit.
    fn read_bit(&mut self) -> bool {
        let bit = u16::from(self.counter & 0x0c == 0);
        self.shift = (self.shift << 1 | bit) & 0x3ff;
        if self.shift == 0x3ff {
            self.bits = 0;
            return false;
        }
        self.bits = (self.bits + 1) & 7;
        let is_complete = self.bits == 0;
        if is_complete {
            self.byte = self.shift as u8;
        }
        is_complete
    }

    /// A bit goes to the disk, which is as far then as it has bits.
    fn write_bit(&mut self, lines: Drives) -> bool {
        let is_one = self.writing & 0x80 != 0;
        self.writing <<= 1;
        self.shift = 0;
        self.store(is_one, lines.density);
        self.bits = (self.bits + 1) & 7;
        let is_empty = self.bits == 0;
        if is_empty {
            self.writing = lines.byte;
        }
        is_empty
    }

    fn store(&mut self, is_one: bool, density: u8) {
        let (half_track, at) = (usize::from(self.half_track), self.bit as usize);
        let Some(disk) = self.disk.as_mut().filter(|disk| !disk.is_protected) else { return };
        let track = &mut disk.tracks[half_track];
        if track.is_empty() {
            *track = Arc::from(vec![0x55; LENGTHS[usize::from(density)]]);
        }
        if Arc::get_mut(track).is_none() {
            *track = Arc::from(&track[..]);
        }
        let bytes = Arc::get_mut(track).expect("the one copy");
        let at = at % (bytes.len() * 8);
        let mask = 0x80 >> (at % 8);
        bytes[at / 8] = if is_one { bytes[at / 8] | mask } else { bytes[at / 8] & !mask };
        self.bit = ((at + 1) % (bytes.len() * 8)) as u32;
        self.is_written = true;
        if self.to_bit == u32::MAX {
            self.schedule();
        }
    }

    /// Whether what was loaded can be.
    pub(super) fn check(&self) -> Result<(), StateError> {
        let is_possible = usize::from(self.half_track) < HALF_TRACKS
            && self.phase < 4
            && (self.bit < self.track_bits() || self.track_bits() == 0 && self.bit == 0)
            && self.turned < TURN
            && (1..=16).contains(&self.divider)
            && self.counter < 16
            && self.shift < 0x400
            && self.bits < 8
            && self.to_bit == self.next_bit()
            && self.disk.iter().flat_map(|disk| &*disk.tracks).all(|track| track.len() <= MOST_BYTES);
        if is_possible { Ok(()) } else { Err(StateError::Impossible("a disk turns as none can")) }
    }
}
