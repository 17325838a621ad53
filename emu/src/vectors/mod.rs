//! Recorded runs of real chips and netlists, and how this CPU compares with them.
//!
//! An [`OpcodeCase`] is one instruction with its state before and after and its bus cycles; a [`Trace`] is a
//! stretch of bus cycles with changes of the input pins. Both parse from one line of text (the format is in
//! `tests/vectors/README.md`); other formats are read elsewhere and become an [`OpcodeCase`].

mod opcode;
mod recorder;
mod trace;

pub use opcode::{Bench, OpcodeCase, Outcome};
pub use recorder::{Event, Recorder};
pub use trace::{Stepping, Trace};

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::{Registers, Status};

/// One bus cycle of a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BusCycle {
    /// The address bus.
    pub addr: u16,
    /// The data bus.
    pub value: u8,
    /// Read or write.
    pub kind: Kind,
}

/// The kind of a bus cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// R/W is high.
    Read,
    /// A read with SYNC high. Opcode cases do not tell it from other reads.
    Fetch,
    /// R/W is low.
    Write,
}

impl fmt::Display for BusCycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Read => "read ",
            Kind::Fetch => "fetch",
            Kind::Write => "write",
        };
        write!(f, "{kind} {:04X} {:02X}", self.addr, self.value)
    }
}

/// A line that is not a vector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct VectorError(pub String);

impl VectorError {
    fn new(what: &str, text: &str) -> VectorError {
        // Hostile input may be one enormous line.
        let shown: String = text.chars().take(40).collect();
        VectorError(format!("{what}: {shown:?}"))
    }
}

/// The fields of a line, or an error that says how many there should be.
fn fields<const N: usize>(line: &str) -> Result<[&str; N], VectorError> {
    let found: Vec<&str> = line.split('|').collect();
    let count = found.len();
    found.try_into().map_err(|_| VectorError::new(&format!("{N} fields expected, {count} found"), line))
}

fn hex(text: &str, digits: usize) -> Result<u16, VectorError> {
    let is_hex = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = if is_hex { u16::from_str_radix(text, 16).ok() } else { None };
    value.ok_or_else(|| VectorError::new(&format!("{digits} hex digits expected"), text))
}

fn byte(text: &str) -> Result<u8, VectorError> {
    Ok(hex(text, 2)? as u8)
}

/// `aaaavv` into address and value.
fn address_and_value(text: &str) -> Result<(u16, u8), VectorError> {
    match (text.get(..4), text.get(4..)) {
        (Some(addr), Some(value)) => Ok((hex(addr, 4)?, byte(value)?)),
        _ => Err(VectorError::new("address and value (aaaavv) expected", text)),
    }
}

fn registers(text: &str) -> Result<Registers, VectorError> {
    let found: Vec<&str> = text.split(' ').collect();
    let [pc, s, a, x, y, p] = found[..] else {
        return Err(VectorError::new("registers (PC S A X Y P) expected", text));
    };
    let status = byte(p)?;
    if Status::from_byte(status).byte() != status {
        return Err(VectorError::new("P must have bit 5 set and bit 4 clear", p));
    }
    Ok(Registers {
        pc: hex(pc, 4)?,
        s: byte(s)?,
        a: byte(a)?,
        x: byte(x)?,
        y: byte(y)?,
        p: Status::from_byte(status),
    })
}

fn memory(text: &str) -> Result<Vec<(u16, u8)>, VectorError> {
    items(text).map(address_and_value).collect()
}

fn bus_cycles(text: &str) -> Result<Vec<BusCycle>, VectorError> {
    items(text)
        .map(|item| {
            let kind = match item.as_bytes().first() {
                Some(b'r') => Kind::Read,
                Some(b'R') => Kind::Fetch,
                Some(b'w') => Kind::Write,
                _ => return Err(VectorError::new("a bus cycle (r, R or w) expected", item)),
            };
            let (addr, value) = address_and_value(&item[1..])?;
            Ok(BusCycle { addr, value, kind })
        })
        .collect()
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|item| !item.is_empty())
}

/// Whether a line is of one format or the other; the first field tells.
pub fn is_trace(line: &str) -> bool {
    line.split('|').count() == 5
}

/// Two columns of bus cycles, expected and found, with a mark where they differ.
pub fn side_by_side(expected: &[BusCycle], found: &[BusCycle]) -> String {
    let mut out = String::from("      expected        found\n");
    for index in 0..expected.len().max(found.len()) {
        let show = |cycles: &[BusCycle]| cycles.get(index).map_or_else(String::new, BusCycle::to_string);
        let (left, right) = (show(expected), show(found));
        let mark = if left == right { ' ' } else { '>' };
        out += &format!("{mark}{index:>3}  {left:<14}  {right}\n");
    }
    out
}
