//! A TeensyROM on the network: tokens of two bytes, with the high byte first, which it acknowledges with the low byte first.
//! Only those calls are here that start a program. **Every wait is bounded.**

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use tempo_diagnostics::escaped;

use super::Problem;

/// Its port, if no other is named.
const PORT: u16 = 2112;
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest line that it says.
const MOST_TEXT: usize = 200;
/// Bytes that are sent at once.
const PIECE: usize = 16 << 10;

const PING: [u8; 2] = [0x64, 0x55];
const POST: [u8; 2] = [0x64, 0xbb];
const DELETE: [u8; 2] = [0x64, 0xcf];
const LAUNCH: [u8; 2] = [0x64, 0x44];
const DONE: [u8; 2] = [0xcc, 0x64];
const FAILED: [u8; 2] = [0x7f, 0x9b];
/// The SD card.
const STORAGE: u8 = 1;

/// A connection.
pub struct TeensyRom {
    stream: TcpStream,
    place: String,
}

/// The host and port of `teensyrom:HOST` or `teensyrom:HOST:PORT`; `None` for other devices.
pub fn parse(text: &str) -> Option<Result<(String, u16), String>> {
    let place = text.strip_prefix("teensyrom:")?;
    let wrong = || format!("`{}` is not an address: write teensyrom:HOST or teensyrom:HOST:PORT", escaped(text));
    let (host, port) = match place.split_once(':') {
        Some((host, port)) => (host, port.parse().ok()),
        None => (place, Some(PORT)),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    match port.filter(|_| !host.is_empty() && host.chars().all(is_name)) {
        Some(port) => Some(Ok((host.to_owned(), port))),
        None => Some(Err(wrong())),
    }
}

impl TeensyRom {
    /// Connects, and asks who is there: its line of text.
    pub fn open(host: &str, port: u16) -> Result<(TeensyRom, String), Problem> {
        let place = format!("{host}:{port}");
        let unreachable = |why: &dyn std::fmt::Display| {
            Problem::Unreachable(format!(
                "cannot reach {place}: {why}; is it switched on, in this network, and is its TCP listener on?"
            ))
        };
        let addresses = (host, port).to_socket_addrs().map_err(|err| unreachable(&err))?;
        let mut last = unreachable(&"the name has no address");
        for address in addresses.take(4) {
            let stream = match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(stream) => stream,
                Err(err) => {
                    last = unreachable(&err);
                    continue;
                }
            };
            for set in [stream.set_read_timeout(Some(PATIENCE)), stream.set_write_timeout(Some(PATIENCE))] {
                set.map_err(|err| unreachable(&err))?;
            }
            let mut device = TeensyRom { stream, place: place.clone() };
            device.send(&PING)?;
            let name = device.line()?;
            return match name.starts_with("TeensyROM") {
                true => Ok((device, name)),
                false => Err(Problem::Refused(format!("{place} does not answer as a TeensyROM does: {name}"))),
            };
        }
        Err(last)
    }

    /// Puts a file on the SD card, in place of one of its name, and starts it.
    pub fn start(&mut self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let path = format!("/tempo/{name}\0");
        let named = [&[STORAGE], path.as_bytes()].concat();
        // A file that is not there cannot be deleted, which is as good.
        self.call(&DELETE)?;
        self.send(&named)?;
        let _ = self.answer()?;
        self.call(&POST)?;
        let sum = bytes.iter().fold(0_u16, |sum, &byte| sum.wrapping_add(byte.into()));
        let head = [&(bytes.len() as u32).to_be_bytes()[..], &sum.to_be_bytes(), &named].concat();
        self.call(&head)?;
        self.call(bytes)?;
        self.call(&LAUNCH)?;
        self.call(&named)
    }

    /// Sends bytes that are acknowledged.
    fn call(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.send(bytes)?;
        self.answer()?.map_err(|why| Problem::Refused(format!("{} says: {why}", self.place)))
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        for piece in bytes.chunks(PIECE) {
            self.stream.write_all(piece).map_err(|err| self.broken(&err))?;
        }
        Ok(())
    }

    /// An acknowledgement, or what it says instead.
    fn answer(&mut self) -> Result<Result<(), String>, Problem> {
        let mut token = [0; 2];
        self.stream.read_exact(&mut token).map_err(|err| self.broken(&err))?;
        match token {
            DONE => Ok(Ok(())),
            FAILED => self.line().map(Err),
            _ => Err(Problem::Unreachable(format!("{} does not speak the protocol of a TeensyROM", self.place))),
        }
    }

    /// A line of text, without its end and without what is no text.
    fn line(&mut self) -> Result<String, Problem> {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            self.stream.read_exact(&mut byte).map_err(|err| self.broken(&err))?;
            if byte[0] == b'\n' || line.len() >= MOST_TEXT {
                let text = String::from_utf8_lossy(&line);
                return Ok(escaped(text.trim_end_matches('\r')).into_owned());
            }
            line.push(byte[0]);
        }
    }

    fn broken(&self, err: &std::io::Error) -> Problem {
        use std::io::ErrorKind::{TimedOut, UnexpectedEof, WouldBlock};
        let why = match err.kind() {
            WouldBlock | TimedOut => format!("no answer in {} s", PATIENCE.as_secs()),
            UnexpectedEof => "it closed the connection".to_owned(),
            _ => err.to_string(),
        };
        Problem::Unreachable(format!("{}: {why}", self.place))
    }
}

/// A name that its file system takes.
pub fn file_name(stem: &str, extension: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let stem: String = stem.chars().map(plain).take(40).collect();
    format!("{}.{extension}", if stem.is_empty() { "program" } else { &stem })
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn addresses_and_names_are_plain() {
        assert_eq!(parse("u64"), None);
        assert_eq!(parse("teensyrom:10.0.0.2"), Some(Ok(("10.0.0.2".into(), 2112))));
        assert_eq!(parse("teensyrom:c64.local:99"), Some(Ok(("c64.local".into(), 99))));
        for text in ["teensyrom:", "teensyrom:a b", "teensyrom:a:b", "teensyrom:a:99999"] {
            assert!(parse(text).is_some_and(|found| found.is_err()), "{text}");
        }
        assert_eq!(file_name("../a b\u{e4}", "prg"), "___a_b_.prg");
        assert_eq!(file_name("", "crt"), "program.crt");
    }
}
