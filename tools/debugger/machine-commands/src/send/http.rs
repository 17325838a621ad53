//! One request over HTTP/1.1, by hand: a connection, a request, an answer, an end. **Every wait is bounded, and so is the
//! answer.** No redirects, no encryption: a device in the same room is meant.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Time for a connection, and for the device to say something.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time for a whole answer.
const WHOLE: Duration = Duration::from_secs(15);
/// The largest answer.
const MOST: usize = 1 << 20;
/// The largest head of an answer.
const MOST_HEAD: usize = 16 << 10;
/// Bytes that are sent at once, so that a device which takes nothing is noticed.
const PIECE: usize = 16 << 10;

/// A request.
pub struct Request<'a> {
    pub method: &'a str,
    /// With its arguments, encoded.
    pub path: &'a str,
    /// Further lines of the head.
    pub headers: &'a [(&'a str, &'a str)],
    pub body: &'a [u8],
}

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// No connection, or no word within the time.
    Unreachable(String),
    /// Something else than an answer.
    Broken(String),
}

/// Sends a request and takes the answer.
pub fn ask(host: &str, port: u16, request: &Request<'_>) -> Result<Response, Failure> {
    let mut stream = connect(host, port)?;
    let name = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    let mut head = format!(
        "{} {} HTTP/1.1\r\nHost: {name}:{port}\r\nConnection: close\r\n",
        request.method, request.path
    );
    for (name, value) in request.headers {
        head += &format!("{name}: {value}\r\n");
    }
    if !request.body.is_empty() || request.method != "GET" {
        head += &format!("Content-Length: {}\r\n", request.body.len());
    }
    if !request.body.is_empty() {
        head += "Content-Type: application/octet-stream\r\n";
    }
    let bytes = [format!("{head}\r\n").as_bytes(), request.body].concat();
    for piece in bytes.chunks(PIECE) {
        if let Err(err) = stream.write_all(piece) {
            // A device that has refused already may have said why.
            return receive(&mut stream)
                .or(Err(Failure::Broken(format!("it stopped taking the file: {}", reason(&err)))));
        }
    }
    receive(&mut stream)
}

fn reason(err: &std::io::Error) -> String {
    match err.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => format!("no answer in {} s", PATIENCE.as_secs()),
        _ => err.to_string(),
    }
}

fn connect(host: &str, port: u16) -> Result<TcpStream, Failure> {
    let unreachable = |err: std::io::Error| Failure::Unreachable(reason(&err));
    let mut last = Failure::Unreachable("the name has no address".to_owned());
    for address in (host, port).to_socket_addrs().map_err(unreachable)?.take(4) {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => {
                for set in [stream.set_read_timeout(Some(PATIENCE)), stream.set_write_timeout(Some(PATIENCE))]
                {
                    set.map_err(unreachable)?;
                }
                return Ok(stream);
            }
            Err(err) => last = unreachable(err),
        }
    }
    Err(last)
}

fn receive(stream: &mut TcpStream) -> Result<Response, Failure> {
    let broken = |text: &str| Failure::Broken(text.to_owned());
    let end = Instant::now() + WHOLE;
    let mut bytes = Vec::new();
    let mut buffer = [0; 16 << 10];
    loop {
        if let Some(response) = parse(&bytes)? {
            return Ok(response);
        }
        if Instant::now() >= end {
            return Err(broken("the answer takes too long"));
        }
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            Err(err) if bytes.is_empty() => return Err(Failure::Unreachable(reason(&err))),
            Err(err) => return Err(Failure::Broken(format!("the answer was cut off: {}", reason(&err)))),
        }
        if bytes.len() > MOST + MOST_HEAD {
            return Err(broken("the answer is larger than 1 MB"));
        }
    }
    match head_end(&bytes) {
        // Without a length, the end of the connection is the end of the answer.
        Some(at) if length(&bytes[..at])?.is_none() => {
            Ok(Response { status: status(&bytes)?, body: bytes[at..].to_vec() })
        }
        _ if bytes.is_empty() => Err(broken("it closed the connection without an answer")),
        _ => Err(broken("the answer was cut off")),
    }
}

/// The answer, if all of it is there.
fn parse(bytes: &[u8]) -> Result<Option<Response>, Failure> {
    let Some(at) = head_end(bytes) else {
        return match bytes.len() > MOST_HEAD || (bytes.len() >= 5 && !bytes.starts_with(b"HTTP/")) {
            true => Err(Failure::Broken("it does not speak HTTP".to_owned())),
            false => Ok(None),
        };
    };
    let status = status(bytes)?;
    let Some(length) = length(&bytes[..at])? else { return Ok(None) };
    Ok(bytes.get(at..at + length).map(|body| Response { status, body: body.to_vec() }))
}

fn head_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

fn status(bytes: &[u8]) -> Result<u16, Failure> {
    let line = bytes.split(|&byte| byte == b'\r').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let mut words = line.split(' ');
    let is_http = words.next().is_some_and(|word| word.starts_with("HTTP/1."));
    let status = words.next().and_then(|word| word.parse().ok());
    match status.filter(|_| is_http) {
        Some(status @ 300..=399) => Err(Failure::Broken(format!(
            "it wants to send us elsewhere ({status}), and redirects are not followed"
        ))),
        Some(status) => Ok(status),
        None => Err(Failure::Broken("it does not speak HTTP".to_owned())),
    }
}

/// The announced length of the body.
fn length(head: &[u8]) -> Result<Option<usize>, Failure> {
    let head = String::from_utf8_lossy(head);
    for line in head.lines().skip(1) {
        let Some((name, value)) = line.split_once(':') else { continue };
        if name.eq_ignore_ascii_case("transfer-encoding") {
            return Err(Failure::Broken("its answer comes in pieces of an unknown form".to_owned()));
        }
        if name.eq_ignore_ascii_case("content-length") {
            let length = value.trim().parse::<usize>().ok();
            let length =
                length.ok_or_else(|| Failure::Broken("its answer has no sensible length".to_owned()))?;
            return match length > MOST {
                true => Err(Failure::Broken("the answer is larger than 1 MB".to_owned())),
                false => Ok(Some(length)),
            };
        }
    }
    Ok(None)
}
