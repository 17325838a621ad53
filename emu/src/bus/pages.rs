//! The map of a machine with banks: where each of the CPU's 256 pages is in the machine's memory, RAM and ROMs in one
//! piece. Knows neither the memory nor what switches it.

use core::ops::Range;

use crate::CodeWindow;

/// How long the memory behind a map is. A power of two, so that a masked index needs no check; two more bytes after it
/// save the bytes of an instruction the mask.
pub(crate) const MEMORY: usize = 0x20000;

/// The page belongs to the devices.
const DEVICES: u32 = 1 << 31;

/// For each page what leads from its addresses to those of the memory.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Pages {
    distances: [u32; 0x100],
    /// For each page the first and the last of those around it that are in one piece.
    pieces: [(u8, u8); 0x100],
}

impl Pages {
    /// RAM in all pages.
    pub fn new() -> Pages {
        Pages { distances: [0; 0x100], pieces: [(0x00, 0xff); 0x100] }
    }

    /// Shows pages of RAM.
    pub fn show_ram(&mut self, pages: Range<usize>) {
        self.distances[pages].fill(0);
    }

    /// Shows what is at a place of the memory, not below the pages' own addresses.
    pub fn show(&mut self, pages: Range<usize>, place: usize) {
        let distance = place - (pages.start << 8);
        self.distances[pages].fill(distance as u32);
    }

    /// Gives pages to the devices.
    pub fn show_devices(&mut self, pages: Range<usize>) {
        self.distances[pages].fill(DEVICES);
    }

    /// Finds the pieces; after every change.
    pub fn settle(&mut self) {
        let mut first = 0;
        for piece in self.distances.chunk_by(|page, next| page == next) {
            let last = first + piece.len() - 1;
            self.pieces[first..=last].fill((first as u8, last as u8));
            first = last + 1;
        }
    }

    /// Whether a device answers at an address.
    #[inline(always)]
    pub fn is_device(&self, addr: u16) -> bool {
        self.distances[usize::from(addr >> 8)] & DEVICES != 0
    }

    /// The place of an address in the memory; `None` where a device answers.
    #[inline(always)]
    pub fn place(&self, addr: u16) -> Option<usize> {
        let distance = self.distances[usize::from(addr >> 8)];
        if distance & DEVICES != 0 { None } else { Some(index(distance, addr)) }
    }

    /// As [`crate::FastBus::code_around`].
    #[inline(always)]
    pub fn code_around(&self, pc: u16) -> Option<CodeWindow> {
        let distance = self.distances[usize::from(pc >> 8)];
        if distance & DEVICES != 0 {
            return None;
        }
        let (first, last) = self.pieces[usize::from(pc >> 8)];
        let (first, last) = (u16::from_be_bytes([first, 0x00]), u16::from_be_bytes([last, 0xfd]));
        Some(CodeWindow { first, last, place: index(distance, first) })
    }
}

#[inline(always)]
fn index(distance: u32, addr: u16) -> usize {
    distance.wrapping_add(u32::from(addr)) as usize & (MEMORY - 1)
}
