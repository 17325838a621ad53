//! VICE's binary monitor as bytes: commands out, responses and events in. Knows no sockets.

/// The start of every message.
const START: u8 = 0x02;
/// The version we speak.
const API: u8 = 0x02;
/// The request id of events.
const EVENT: u32 = 0xffff_ffff;
/// The largest body that is believed: all memory and a head.
const LIMIT: usize = 1 << 20;

/// Commands.
pub mod command {
    pub const MEMORY_GET: u8 = 0x01;
    pub const MEMORY_SET: u8 = 0x02;
    pub const CHECKPOINT_SET: u8 = 0x12;
    pub const CHECKPOINT_DELETE: u8 = 0x13;
    pub const CHECKPOINT_LIST: u8 = 0x14;
    pub const CONDITION: u8 = 0x22;
    pub const REGISTERS_GET: u8 = 0x31;
    pub const REGISTERS_SET: u8 = 0x32;
    pub const ADVANCE: u8 = 0x71;
    pub const KEYBOARD: u8 = 0x72;
    pub const PING: u8 = 0x81;
    pub const BANKS: u8 = 0x82;
    pub const REGISTERS_AVAILABLE: u8 = 0x83;
    pub const INFO: u8 = 0x85;
    pub const EXIT: u8 = 0xaa;
    pub const QUIT: u8 = 0xbb;
    pub const RESET: u8 = 0xcc;
    pub const AUTOSTART: u8 = 0xdd;
}

/// Kinds of messages from VICE.
pub mod kind {
    pub const CHECKPOINT: u8 = 0x11;
    pub const JAM: u8 = 0x61;
    pub const STOPPED: u8 = 0x62;
}

/// A message from VICE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub kind: u8,
    pub error: u8,
    /// `None` for an event.
    pub request: Option<u32>,
    pub body: Vec<u8>,
}

/// A command as bytes.
pub fn encode(request: u32, command: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![START, API];
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(request.to_le_bytes());
    bytes.push(command);
    bytes.extend_from_slice(body);
    bytes
}

/// Takes the first whole message off the bytes.
pub fn decode(bytes: &mut Vec<u8>) -> Result<Option<Message>, String> {
    let Some(head) = bytes.first_chunk::<12>() else { return Ok(None) };
    if head[0] != START {
        return Err("this is not VICE's binary monitor".to_string());
    }
    let length = u32::from_le_bytes([head[2], head[3], head[4], head[5]]) as usize;
    let (kind, error) = (head[6], head[7]);
    let request = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
    if length > LIMIT {
        return Err("this is not VICE's binary monitor".to_string());
    }
    if bytes.len() < 12 + length {
        return Ok(None);
    }
    let body: Vec<u8> = bytes.drain(..12 + length).skip(12).collect();
    Ok(Some(Message { kind, error, request: (request != EVENT).then_some(request), body }))
}

/// The meaning of an error number.
pub fn error_text(error: u8) -> &'static str {
    match error {
        0x01 => "there is no such thing",
        0x02 => "there is no such memory",
        0x80 => "a length is wrong",
        0x81 => "a parameter is wrong",
        0x82 => "VICE speaks another version of the protocol: 3.7 or newer is needed",
        0x83 => "VICE does not know this command: 3.7 or newer is needed",
        _ => "VICE refused",
    }
}

/// Items of a list: a count, then a size before each.
pub fn items(body: &[u8]) -> Vec<&[u8]> {
    let Some((count, mut rest)) = body.split_first_chunk::<2>() else { return Vec::new() };
    let mut found = Vec::new();
    for _ in 0..u16::from_le_bytes(*count) {
        let Some((&size, after)) = rest.split_first() else { break };
        let Some((item, after)) = after.split_at_checked(usize::from(size)) else { break };
        found.push(item);
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_taken_off_one_by_one() {
        let mut bytes = vec![2, 2, 2, 0, 0, 0, kind::STOPPED, 0, 0xff, 0xff, 0xff, 0xff, 0x34, 0x12];
        bytes.extend([2, 2, 0, 0, 0, 0, 0x81, 0, 7, 0, 0, 0, 2, 2]);
        let event = decode(&mut bytes).expect("bytes").expect("a message");
        assert_eq!((event.kind, event.request, event.body), (kind::STOPPED, None, vec![0x34, 0x12]));
        assert_eq!(decode(&mut bytes).expect("bytes").map(|message| message.request), Some(Some(7)));
        assert_eq!(decode(&mut bytes), Ok(None));
        assert!(decode(&mut b"HTTP/1.1 200".to_vec()).is_err());
        assert_eq!(encode(1, command::PING, &[]), [2, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0x81]);
    }
}
