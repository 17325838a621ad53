#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod base64;

use serde_json::Value;

/// The largest message that is read.
const LIMIT: usize = 64 << 20;

/// A message as bytes, header included.
pub fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body.as_bytes());
    bytes
}

/// A reader of messages from bytes that arrive in any pieces.
#[derive(Debug)]
pub struct Reader {
    bytes: Vec<u8>,
    limit: usize,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::with_limit(LIMIT)
    }
}

impl Reader {
    /// A reader that refuses messages of more than `limit` bytes.
    pub fn with_limit(limit: usize) -> Reader {
        Reader { bytes: Vec::new(), limit }
    }

    /// Appends bytes that have arrived.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole message. An error means that the stream cannot be read any further.
    pub fn message(&mut self) -> Result<Option<Value>, String> {
        let Some(body) = self.body()? else { return Ok(None) };
        serde_json::from_slice(&body).map(Some).map_err(|err| format!("a message is not JSON: {err}"))
    }

    /// The bytes of the next whole message, whatever they are. An error means that the stream cannot be read any further.
    pub fn body(&mut self) -> Result<Option<Vec<u8>>, String> {
        let end = self.bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let Some(end) = end else {
            return if self.bytes.len() > 64 << 10 {
                Err("the header has no end".to_string())
            } else {
                Ok(None)
            };
        };
        let head = String::from_utf8_lossy(&self.bytes[..end]).into_owned();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        let length = length
            .filter(|&length| length <= self.limit)
            .ok_or("a header without a usable Content-Length")?;
        let start = end + 4;
        if self.bytes.len() < start + length {
            return Ok(None);
        }
        let rest = self.bytes.split_off(start + length);
        let mut body = std::mem::replace(&mut self.bytes, rest);
        body.drain(..start);
        Ok(Some(body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_arrive_in_any_pieces() {
        let bytes = [frame(&json!({"a": "ä€"})), frame(&json!([1]))].concat();
        for size in 1..bytes.len() {
            let mut reader = Reader::default();
            let mut found = Vec::new();
            for piece in bytes.chunks(size) {
                reader.push(piece);
                while let Some(message) = reader.message().expect("messages") {
                    found.push(message);
                }
            }
            assert_eq!(found, [json!({"a": "ä€"}), json!([1])]);
        }
    }

    #[test]
    fn broken_messages_are_refused() {
        for text in ["Content-Length: many\r\n\r\n{}", "Length: 2\r\n\r\n{}", "Content-Length: 2\r\n\r\n{]"] {
            let mut reader = Reader::default();
            reader.push(text.as_bytes());
            assert!(reader.message().is_err(), "{text}");
        }
    }
}
