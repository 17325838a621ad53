//! Names of a machine's addresses: registers of its chips, entries and vectors of its ROMs, and the memory that programs
//! use by name. Which there are, a machine says in a table; the debugger, the editor, the disassembler and the suites
//! take them from there.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The names of a machine's addresses.
#[derive(Debug)]
pub struct Hardware {
    /// All places, by address; no two overlap.
    pub places: &'static [Place],
    /// The chips that a debugger shows, with their registers.
    pub chips: &'static [Chip],
    /// Chips that are not decoded in full answer at several addresses: the first of them.
    pub first_mirror: fn(u16) -> u16,
}

/// An address that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The first address.
    pub addr: u16,
    /// The number of bytes: 1 but for tables and areas.
    pub len: u16,
    /// A name that can be in a source.
    pub name: &'static str,
    /// A short description.
    pub text: &'static str,
    /// Bits, or what reading and writing do. Empty if `text` says all.
    pub detail: &'static str,
    /// The part of the machine.
    pub part: Part,
}

/// A part of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The port in the 6510.
    Cpu,
    /// The video chip.
    Vic,
    /// The sound chip.
    Sid,
    /// The first interface chip: keyboard, joysticks, IRQ.
    Cia1,
    /// The second: VIC bank, serial bus, user port, NMI.
    Cia2,
    /// Memory of KERNAL and BASIC.
    Memory,
    /// A vector in RAM or at the end of memory.
    Vector,
    /// An entry of the KERNAL's jump table.
    Kernal,
}

/// A chip and its registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chip {
    /// Its name.
    pub name: &'static str,
    /// The first register.
    pub first: u16,
    /// The number of registers.
    pub count: u16,
}

/// Bits of a register with their own meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The lowest bit.
    pub first: u8,
    /// The highest bit.
    pub last: u8,
    /// The name of these bits.
    pub name: String,
}

impl Field {
    /// The bits of a byte that belong to it.
    pub fn mask(&self) -> u8 {
        (0xff >> (7 - (self.last - self.first))) << self.first
    }

    /// Its value in a byte.
    pub fn of(&self, byte: u8) -> u8 {
        (byte & self.mask()) >> self.first
    }
}

impl Place {
    /// Whether this is code to call.
    pub fn is_routine(&self) -> bool {
        self.part == Part::Kernal
    }
}

impl Hardware {
    /// No names at all: a CPU and RAM.
    pub const NONE: Hardware = Hardware { places: &[], chips: &[], first_mirror: |addr| addr };

    /// The place an address belongs to, with the mirrors of the chips taken into account.
    pub fn at(&self, addr: u16) -> Option<&'static Place> {
        let addr = (self.first_mirror)(addr);
        let after = self.places.partition_point(|place| place.addr <= addr);
        self.places[..after].iter().rev().take(4).find(|place| addr - place.addr < place.len)
    }

    /// The place that begins exactly there: no mirror, no byte inside of an area.
    pub fn named(&self, addr: u16) -> Option<&'static Place> {
        self.places.binary_search_by_key(&addr, |place| place.addr).ok().map(|index| &self.places[index])
    }

    /// The place of this name, in any case.
    pub fn by_name(&self, name: &str) -> Option<&'static Place> {
        self.places.iter().find(|place| place.name.eq_ignore_ascii_case(name))
    }

    /// The named bits of the register at an address, lowest first, as its `detail` tells them: `bits 0-2 scroll, 3 rows`, `bit n for sprite n`,
    /// `bits 0-3 as in $D019`. None if the byte has one meaning.
    pub fn fields(&self, addr: u16) -> Vec<Field> {
        let Some(place) = self.named(addr) else { return Vec::new() };
        let mut found: Vec<Field> = Vec::new();
        if place.detail.contains("bit n for sprite n") {
            return (0..8)
                .map(|bit| Field { first: bit, last: bit, name: format!("sprite {bit}") })
                .collect();
        }
        let mut is_listed = false;
        for part in place.detail.split([',', ';']) {
            let part = part.trim();
            if part.starts_with("write:") || part.starts_with("write a") {
                break;
            }
            let part = part.strip_prefix("read: ").unwrap_or(part);
            let text = ["bits ", "bit ", "joystick: "].iter().find_map(|word| part.strip_prefix(word));
            is_listed |= text.is_some();
            let text = text.unwrap_or(part);
            let (bits, name) = text.split_once(' ').unwrap_or((text, ""));
            let (first, last) = bits.split_once('-').unwrap_or((bits, bits));
            let (Ok(first), Ok(last)) = (first.parse::<u8>(), last.parse::<u8>()) else { continue };
            let is_known = found.iter().any(|field| field.first <= last && first <= field.last);
            if !is_listed || is_known || last > 7 || first > last || (first, last) == (0, 7) {
                continue;
            }
            if let Some(other) =
                name.strip_prefix("as in $").and_then(|hex| u16::from_str_radix(hex, 16).ok())
            {
                let others = self.fields(other).into_iter();
                found.extend(others.filter(|field| field.first >= first && field.last <= last));
            } else if !name.is_empty() {
                found.push(Field { first, last, name: name.to_string() });
            }
        }
        found.sort_by_key(|field| field.first);
        found
    }
}

/// A table of places: part, address, `+` length unless it is 1, name, text, and detail if there is one.
macro_rules! places {
    ($($part:ident $addr:literal $(+ $len:literal)? $name:ident $text:literal $($detail:literal)?;)*) => {
        &[$($crate::hardware::Place {
            part: $crate::hardware::Part::$part,
            addr: $addr,
            len: places!(@len $($len)?),
            name: stringify!($name),
            text: $text,
            detail: places!(@detail $($detail)?),
        }),*]
    };
    (@len) => { 1 };
    (@len $len:literal) => { $len };
    (@detail) => { "" };
    (@detail $detail:literal) => { $detail };
}
pub(crate) use places;
