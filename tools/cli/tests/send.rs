//! `tempo send` and `tempo run --on` against devices on this computer: one that does what it is told, and some that
//! misbehave.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use pretty_assertions::assert_eq;
use serde_json::json;

use crate::common::{Ran, Scratch, tempo};

/// A request as a device sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub body: Vec<u8>,
    pub password: Option<String>,
}

/// The reaction of a device to a request.
pub type Answer = dyn Fn(&Asked, &mut TcpStream) + Send + Sync;

/// A device on a port of this computer.
pub struct Device {
    pub address: String,
    log: Arc<Mutex<Vec<Asked>>>,
}

impl Device {
    pub fn new(answer: impl Fn(&Asked, &mut TcpStream) + Send + Sync + 'static) -> Device {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer): (_, Arc<Answer>) = (log.clone(), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, answer) = (seen.clone(), answer.clone());
                std::thread::spawn(move || {
                    let mut stream = stream.expect("a client");
                    if let Some(asked) = read(&mut stream) {
                        seen.lock().expect("not poisoned").push(asked.clone());
                        answer(&asked, &mut stream);
                    }
                });
            }
        });
        Device { address, log }
    }

    pub fn paths(&self) -> Vec<String> {
        let log = self.log.lock().expect("not poisoned");
        log.iter().map(|asked| format!("{} {} {}", asked.method, asked.path, asked.body.len())).collect()
    }

    fn last(&self) -> Asked {
        self.log.lock().expect("not poisoned").last().cloned().expect("a request")
    }
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let value = |name: &str| {
                head.lines().find_map(|line| {
                    let (key, value) = line.split_once(": ")?;
                    key.eq_ignore_ascii_case(name).then(|| value.to_owned())
                })
            };
            let length = value("Content-Length").and_then(|text| text.parse().ok()).unwrap_or(0);
            if bytes.len() >= end + 4 + length {
                let mut words = head.split(' ');
                let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
                return Some(Asked {
                    method,
                    path,
                    body: bytes[end + 4..].to_vec(),
                    password: value("X-Password"),
                });
            }
        }
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

pub fn say(stream: &mut TcpStream, status: u16, body: &[u8]) {
    let head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
}

pub fn good(asked: &Asked, stream: &mut TcpStream) {
    let info = json!({ "product": "Ultimate 64", "firmware_version": "3.14e", "errors": [] });
    match asked.path.as_str() {
        "/v1/info" => say(stream, 200, info.to_string().as_bytes()),
        path if path.starts_with("/v1/machine:readmem") => {
            let mut screen = vec![0x20; 1000];
            for row in [5, 9] {
                screen[row * 40..row * 40 + 6].copy_from_slice(&[0x12, 0x05, 0x01, 0x04, 0x19, 0x2e]);
            }
            say(stream, 200, &screen);
        }
        _ => say(stream, 200, br#"{"errors": []}"#),
    }
}

const PRG: &[u8] =
    &[0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, 0x60];

fn scratch() -> Scratch {
    let scratch = Scratch::new(&[("main.asm", "BasicUpstart2(s)\ns: rts\n"), ("secret", "letmein\n")]);
    scratch.write("game.prg", PRG);
    scratch
}

pub fn run(scratch: &Scratch, line: &str) -> Ran {
    let words: Vec<&str> = line.split_whitespace().collect();
    let output = tempo(&words)
        .current_dir(scratch.0.path())
        .env_remove("TEMPO_ULTIMATE")
        .env_remove("TEMPO_ULTIMATE_PASSWORD")
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    Ran::from(output)
}

#[test]
fn files_are_sent_once_and_whole() {
    let (scratch, device) = (scratch(), Device::new(good));
    let ran = run(&scratch, &format!("send game.prg --to {}", device.address));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("game.prg: started on Ultimate 64 (firmware 3.14e)"), "{}", ran.out);
    assert_eq!(
        device.paths(),
        ["GET /v1/info 0".to_owned(), format!("POST /v1/runners:run_prg {}", PRG.len())]
    );
    assert_eq!(device.last().body, PRG);
    run(&scratch, &format!("send game.prg --load --to {}", device.address));
    assert_eq!(device.last().path, "/v1/runners:load_prg");
    let ran = run(&scratch, &format!("send main.asm --to {}", device.address));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!((device.last().path.as_str(), device.last().body[0]), ("/v1/runners:run_prg", 0x01));
    let ran = run(&scratch, &format!("run main.asm --on {}", device.address));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn a_disk_is_mounted_and_started() {
    let (scratch, device) = (scratch(), Device::new(good));
    assert_eq!(scratch.tempo("disk create game.d64 game.prg").code, Some(0));
    let ran = run(&scratch, &format!("send game.d64 --run --drive b --to {}", device.address));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let paths = device.paths();
    assert_eq!(paths[1], "POST /v1/drives/b:mount?type=d64 174848");
    assert_eq!(paths[2], "PUT /v1/machine:reset 0");
    assert!(paths.iter().any(|path| path.contains("address=0277&data=4ccf222a222c392c310d")), "{paths:#?}");
    assert!(paths.iter().any(|path| path.contains("address=0277&data=52554e0d")), "{paths:#?}");
}

#[test]
fn the_password_is_sent_and_never_typed() {
    let device = Device::new(|asked, stream| match asked.password.as_deref() {
        Some("letmein") => good(asked, stream),
        _ => say(stream, 403, br#"{"errors": ["Forbidden."]}"#),
    });
    let scratch = scratch();
    let ran = run(&scratch, &format!("send game.prg --to {} --password-file secret", device.address));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let ran = run(&scratch, &format!("send game.prg --to {}", device.address));
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("--password-file FILE, or TEMPO_ULTIMATE_PASSWORD"), "{}", ran.err);
    scratch.write("secret", b"wrong");
    let ran = run(&scratch, &format!("send game.prg --to {} --password-file secret", device.address));
    assert!(ran.code == Some(1) && ran.err.contains("does not accept the password"), "{}", ran.err);
    scratch.write("secret", b"two\r\nlines: x");
    let ran = run(&scratch, &format!("send game.prg --to {} --password-file secret", device.address));
    assert!(ran.code == Some(2) && ran.err.contains("control characters"), "{}", ran.err);
    // Nothing was started by those that were refused.
    assert_eq!(device.paths().iter().filter(|path| path.contains("run_prg")).count(), 1);
}

#[test]
fn what_devices_do_wrong_is_said() {
    let scratch = scratch();
    let says = |answer: fn(&Asked, &mut TcpStream), code: i32, part: &str| {
        let device = Device::new(answer);
        let ran = run(&scratch, &format!("send game.prg --to {}", device.address));
        assert_eq!(ran.code, Some(code), "{part}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(part), "no `{part}` in {}", ran.err);
        assert!(!device.paths().iter().any(|path| path.contains("run_prg")), "{part}");
    };
    says(|_, stream| say(stream, 404, b"<html>Not Found</html>"), 1, "firmware 3.11 or later");
    says(|_, stream| say(stream, 200, b"<html>hello</html>"), 1, "does not answer as an Ultimate does");
    says(|_, stream| say(stream, 200, b"[1, 2]"), 1, "does not answer as an Ultimate does");
    says(|_, stream| say(stream, 200, br#"{"errors": []}"#), 1, "does not answer as an Ultimate does");
    says(|_, stream| say(stream, 503, br#"{"errors": ["Busy\u001b[31m"]}"#), 1, r"says: Busy\u{1b}[31m");
    says(
        |_, stream| drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"pro")),
        2,
        "cut off",
    );
    says(
        |_, stream| drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n{}")),
        2,
        "larger than 1 MB",
    );
    says(
        |_, stream| {
            drop(stream.write_all(&[b"HTTP/1.1 200 OK\r\n\r\n".to_vec(), vec![b'x'; 3 << 20]].concat()))
        },
        2,
        "larger than 1 MB",
    );
    says(|_, stream| drop(stream.write_all(b"SSH-2.0-OpenSSH\r\n")), 2, "does not speak HTTP");
    says(
        |_, stream| drop(stream.write_all(b"HTTP/1.1 302 Found\r\nLocation: http://x/\r\n\r\n")),
        2,
        "redirects are not followed",
    );
    says(|_, _| {}, 2, "without an answer");
    says(|_, stream| drop(stream.read(&mut [0; 1])), 2, "no answer in 5 s");
    let ran = run(&scratch, "send game.prg --to 127.0.0.1:1");
    assert!(ran.code == Some(2) && ran.err.contains("cannot reach 127.0.0.1:1"), "{}", ran.err);
}

#[test]
fn what_cannot_be_sent_reaches_no_device() {
    let (scratch, device) = (scratch(), Device::new(good));
    scratch.write("tiny.prg", b"x");
    scratch.write("bad.crt", b"nothing");
    scratch.write("bad.sid", b"nothing");
    scratch.write("bad.d64", b"nothing");
    for (line, part) in [
        ("send tiny.prg", "not a program"),
        ("send bad.crt", "bad.crt"),
        ("send bad.sid", "not a tune"),
        ("send bad.d64", "bad.d64"),
        ("send missing.prg", "cannot read missing.prg"),
        ("send secret", "can be sent"),
        ("send game.prg --run", "--run is for disks"),
        ("send bad.crt --load", "--load is for a .prg"),
        ("send main.asm --load", "--load is for a .prg"),
    ] {
        let ran = run(&scratch, &format!("{line} --to {}", device.address));
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.err);
        assert!(ran.err.contains(part), "{line}: {}", ran.err);
    }
    assert_eq!(device.paths(), Vec::<String>::new());
    assert!(run(&scratch, "send game.prg").err.contains("which device?"));
    assert!(run(&scratch, "send game.prg --to a/b").err.contains("not an address"));
}
