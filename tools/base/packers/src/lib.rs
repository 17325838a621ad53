#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

// Formats.
pub mod b2;
pub mod byteboozer;
pub mod delta;
pub mod exomizer;
pub mod own;
pub mod tscrunch;
pub mod zx0;

// Their common parts.
mod bits;
mod boozer;
mod matches;

use thiserror::Error;

/// The most bytes that are packed at once: the whole memory of a C64.
pub const LARGEST: usize = 0x1_0000;

/// Unpacked data that knows its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// Address of the first byte.
    pub address: u16,
    /// The data.
    pub bytes: Vec<u8>,
}

/// Why data cannot be packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PackError {
    /// There is none.
    #[error("there are no bytes to pack")]
    Empty,
    /// It is longer than the memory of the machine.
    #[error("{0} bytes are more than the 65536 that can be packed at once")]
    TooLong(usize),
    /// TSCrunch cannot unpack a single byte in place.
    #[error("one byte cannot be unpacked in place: two are needed at least")]
    SingleByte,
}

/// Why a stream cannot be unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// It ends before its end mark.
    #[error("the packed data ends too early")]
    Cut,
    /// A copy reaches back to before the first byte, or nowhere.
    #[error("the packed data copies from {distance} bytes before byte {at} of the output")]
    TooFar {
        /// Bytes unpacked before the copy.
        at: usize,
        /// Distance of the copy.
        distance: usize,
    },
    /// The output grows beyond its limit.
    #[error("the packed data unpacks to more than {0} bytes")]
    TooLong(usize),
    /// The stream breaks a rule of its format.
    #[error("this is not packed data of this format: {0}")]
    Malformed(&'static str),
}

fn check_size(bytes: &[u8]) -> Result<(), PackError> {
    match bytes.len() {
        0 => Err(PackError::Empty),
        1..=LARGEST => Ok(()),
        length => Err(PackError::TooLong(length)),
    }
}
