//! Numbers of any size in few bytes: seven bits each, the lowest first. Knows nothing of what they count.

use super::Fault;

/// Appends numbers.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    /// The last time that was written.
    time: u64,
}

impl Writer {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// A time, as its distance from the last one.
    pub(super) fn time(&mut self, time: u64) {
        let distance = time.wrapping_sub(self.time) as i64;
        self.number(((distance << 1) ^ (distance >> 63)) as u64);
        self.time = time;
    }

    pub(super) fn block(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.block(text.as_bytes());
    }
}

/// Takes numbers from the front of a chunk.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
    time: u64,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, length: bytes.len(), time: 0 }
    }

    /// The offset in the chunk.
    pub(super) fn at(&self) -> usize {
        self.length - self.rest.len()
    }

    pub(super) fn is_over(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn fault(&self, why: impl Into<String>) -> Fault {
        Fault { at: self.at(), why: why.into() }
    }

    pub(super) fn byte(&mut self) -> Result<u8, Fault> {
        let (&byte, rest) = self.rest.split_first().ok_or_else(|| self.fault("it ends early"))?;
        self.rest = rest;
        Ok(byte)
    }

    pub(super) fn number(&mut self) -> Result<u64, Fault> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(self.fault("a number has more than 64 bits"))
    }

    /// A number of a smaller type.
    pub(super) fn small<T: TryFrom<u64>>(&mut self) -> Result<T, Fault> {
        let number = self.number()?;
        T::try_from(number).map_err(|_| self.fault(format!("the number {number} is too large here")))
    }

    pub(super) fn flag(&mut self) -> Result<bool, Fault> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.fault(format!("{other} is neither 0 nor 1"))),
        }
    }

    /// No machine runs longer than this: a tenth of a million years.
    const END_OF_TIME: u64 = 1 << 62;

    pub(super) fn time(&mut self) -> Result<u64, Fault> {
        let coded = self.number()?;
        let distance = (coded >> 1) as i64 ^ -((coded & 1) as i64);
        self.time = self.time.wrapping_add(distance as u64);
        match self.time < Self::END_OF_TIME {
            true => Ok(self.time),
            false => Err(self.fault("a time is beyond all times")),
        }
    }

    pub(super) fn block(&mut self) -> Result<&'a [u8], Fault> {
        let length: usize = self.small()?;
        let (block, rest) = self.rest.split_at_checked(length).ok_or_else(|| self.fault("it ends early"))?;
        self.rest = rest;
        Ok(block)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Fault> {
        let block = self.block()?;
        str::from_utf8(block).map_err(|_| self.fault("a name is not UTF-8"))
    }
}
