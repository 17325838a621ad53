//! Frames of the binary protocol: bytes to requests, answers and events to bytes. Knows nothing of what they mean.

/// The first byte of every frame.
const START: u8 = 0x02;

/// The version in answers, whatever the request has.
const VERSION: u8 = 0x02;

/// Bytes of a request before its body.
const HEAD: usize = 11;

/// A request with a longer body is not read: its client is sent away.
pub const LONGEST: usize = 1 << 20;

/// The id of a frame that answers no request.
pub const EVENT: u32 = u32::MAX;

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The version of the protocol, 1 or 2.
    pub version: u8,
    /// The client's number for it.
    pub id: u32,
    /// The command.
    pub command: u8,
    /// The payload.
    pub body: Vec<u8>,
}

/// A frame says that its body is longer than [`LONGEST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// Bytes of a client that are not a whole frame yet.
#[derive(Debug, Clone, Default)]
pub struct Inbox {
    bytes: Vec<u8>,
    /// Bytes before this one are done with.
    at: usize,
}

impl Inbox {
    /// Adds bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Bytes that wait.
    pub fn waiting(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next request, if all of it is there. Bytes before a frame are skipped, and so is the head of a frame of another
    /// version.
    pub fn next(&mut self) -> Result<Option<Request>, TooLong> {
        loop {
            let rest = &self.bytes[self.at..];
            let Some(start) = rest.iter().position(|&byte| byte == START) else {
                self.at = self.bytes.len();
                return Ok(None);
            };
            self.at += start;
            let rest = &rest[start..];
            let Some(&[_, version, l0, l1, l2, l3, ..]) = rest.first_chunk::<6>() else { return Ok(None) };
            if !matches!(version, 1 | 2) {
                self.at += 6;
                continue;
            }
            let len = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
            if len > LONGEST {
                return Err(TooLong);
            }
            let Some(&[.., i0, i1, i2, i3, command]) = rest.first_chunk::<HEAD>() else { return Ok(None) };
            let Some(body) = rest.get(HEAD..HEAD + len) else { return Ok(None) };
            let id = u32::from_le_bytes([i0, i1, i2, i3]);
            let request = Request { version, id, command, body: body.to_vec() };
            self.at += HEAD + len;
            return Ok(Some(request));
        }
    }
}

/// Appends a frame.
pub fn frame(out: &mut Vec<u8>, kind: u8, error: u8, id: u32, body: &[u8]) {
    out.extend([START, VERSION]);
    out.extend((body.len() as u32).to_le_bytes());
    out.extend([kind, error]);
    out.extend(id.to_le_bytes());
    out.extend(body);
}

/// Reads the fields of a body. `None` is a body that is too short.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// The next bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    /// One byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    /// Two bytes.
    pub fn u16(&mut self) -> Option<u16> {
        self.bytes(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    /// Four bytes.
    pub fn u32(&mut self) -> Option<u32> {
        self.bytes(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    /// Eight bytes.
    pub fn u64(&mut self) -> Option<u64> {
        self.bytes(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    /// A length and as many bytes.
    pub fn string(&mut self) -> Option<&'a [u8]> {
        let len = self.u8()?;
        self.bytes(usize::from(len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn all(inbox: &mut Inbox) -> Vec<(u32, u8)> {
        std::iter::from_fn(|| inbox.next().unwrap()).map(|request| (request.id, request.command)).collect()
    }

    #[test]
    fn frames_come_in_any_pieces() {
        let bytes = [2, 2, 1, 0, 0, 0, 7, 0, 0, 0, 0x31, 0, 2, 1, 0, 0, 0, 0, 8, 0, 0, 0, 0x81];
        let mut inbox = Inbox::default();
        let mut found = Vec::new();
        for byte in bytes {
            inbox.push(&[byte]);
            found.extend(all(&mut inbox));
        }
        assert_eq!(found, [(7, 0x31), (8, 0x81)]);
        inbox.push(&bytes);
        assert_eq!(all(&mut inbox), found);
    }

    #[test]
    fn noise_and_other_versions_are_skipped() {
        let mut inbox = Inbox::default();
        inbox.push(b"ABC\n");
        // Of a frame of version 3 only the head is dropped.
        inbox.push(&[2, 3, 0, 0, 0, 0, 0x77, 0, 0, 0, 0x81, 2, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0x81]);
        assert_eq!(all(&mut inbox), [(5, 0x81)]);
    }

    #[test]
    fn a_length_without_end_is_refused_before_it_is_read() {
        let mut inbox = Inbox::default();
        inbox.push(&[2, 2, 0xff, 0xff, 0xff, 0xff]);
        assert_eq!(inbox.next(), Err(TooLong));
    }
}
