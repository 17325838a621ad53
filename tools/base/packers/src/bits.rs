//! Streams in which bits and whole bytes are mixed: a byte of bits is placed where its first bit is needed.
//! Knows both orders of bits and bytes that begin partly filled; knows nothing of what the bits mean.

use crate::UnpackError;

/// Which bit of a byte is used first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    HighFirst,
    LowFirst,
}

/// Writes bits and bytes into one stream.
#[derive(Debug)]
pub(crate) struct Writer {
    pub bytes: Vec<u8>,
    /// Bits written so far.
    pub count: usize,
    order: Order,
    /// The byte that takes the next bits, how many it has, and how many it takes.
    holder: usize,
    used: u32,
    room: u32,
}

impl Writer {
    pub fn new(order: Order) -> Writer {
        Writer { bytes: Vec::new(), count: 0, order, holder: 0, used: 0, room: 0 }
    }

    /// A stream whose first byte is already there and takes `count` bits; its other bits keep their value.
    pub fn after_first(order: Order, first: u8, count: u32) -> Writer {
        Writer { bytes: vec![first], room: count, ..Writer::new(order) }
    }

    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub fn bit(&mut self, bit: bool) {
        if self.used == self.room {
            self.holder = self.bytes.len();
            self.bytes.push(0);
            (self.used, self.room) = (0, 8);
        }
        let place = match self.order {
            Order::HighFirst => 7 - self.used,
            Order::LowFirst => self.used,
        };
        self.bytes[self.holder] |= u8::from(bit) << place;
        self.used += 1;
        self.count += 1;
    }

    /// The lowest `count` bits of a value, highest first.
    pub fn bits(&mut self, value: usize, count: u32) {
        (0..count).rev().for_each(|bit| self.bit(value >> bit & 1 == 1));
    }
}

/// Reads what [`Writer`] wrote, most significant bits first.
#[derive(Debug)]
pub(crate) struct Reader<'s> {
    stream: &'s [u8],
    /// The bytes that were read.
    pub at: usize,
    holder: u8,
    left: u32,
}

impl<'s> Reader<'s> {
    pub fn new(stream: &'s [u8]) -> Reader<'s> {
        Reader { stream, at: 0, holder: 0, left: 0 }
    }

    /// Starts with bits at hand: the highest `left` ones of `holder`.
    pub fn holding(stream: &'s [u8], holder: u8, left: u32) -> Reader<'s> {
        Reader { stream, at: 0, holder: if left == 0 { 0 } else { holder >> (8 - left) }, left }
    }

    pub fn byte(&mut self) -> Result<u8, UnpackError> {
        let byte = *self.stream.get(self.at).ok_or(UnpackError::Cut)?;
        self.at += 1;
        Ok(byte)
    }

    pub fn bit(&mut self) -> Result<bool, UnpackError> {
        if self.left == 0 {
            (self.holder, self.left) = (self.byte()?, 8);
        }
        self.left -= 1;
        Ok(self.holder >> self.left & 1 == 1)
    }

    pub fn bits(&mut self, count: u32) -> Result<usize, UnpackError> {
        (0..count).try_fold(0, |value, _| Ok(value << 1 | usize::from(self.bit()?)))
    }

    /// The bytes that were not read.
    pub fn rest(&self) -> &'s [u8] {
        &self.stream[self.at..]
    }
}

/// Unpacked bytes, which never grow beyond a limit.
#[derive(Debug)]
pub(crate) struct Sink {
    pub bytes: Vec<u8>,
    limit: usize,
}

impl Sink {
    pub fn new(limit: usize) -> Sink {
        Sink { bytes: Vec::new(), limit }
    }

    pub fn push(&mut self, byte: u8) -> Result<(), UnpackError> {
        if self.bytes.len() >= self.limit {
            return Err(UnpackError::TooLong(self.limit));
        }
        self.bytes.push(byte);
        Ok(())
    }

    pub fn repeat(&mut self, byte: u8, count: usize) -> Result<(), UnpackError> {
        (0..count).try_for_each(|_| self.push(byte))
    }

    pub fn copy(&mut self, length: usize, distance: usize) -> Result<(), UnpackError> {
        let at = self.bytes.len();
        let from =
            at.checked_sub(distance).filter(|_| distance > 0).ok_or(UnpackError::TooFar { at, distance })?;
        (from..from + length).try_for_each(|from| self.push(self.bytes[from]))
    }
}
