//! A web server for a handful of files in memory: GET and HEAD, this computer only. It never looks at the disk, so no path
//! can lead anywhere else.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::page::File;

/// The files of a page.
pub trait Site: Sync {
    /// The file at a path, spelled exactly so. The query is what follows the question mark; an answer may wait until it is
    /// there.
    fn find(&self, path: &str, query: &str) -> Option<File>;

    /// Who may show the page in a frame, in the words of `frame-ancestors`.
    fn frames(&self) -> &'static str {
        NO_FRAMES
    }
}

const NO_FRAMES: &str = "'none'";

/// Longest line and most lines of a request.
const LONGEST: u64 = 8192;
const MOST_LINES: usize = 100;
/// Browsers open a few connections at once; more than this is not one.
const MOST_CONNECTIONS: usize = 32;
/// The time for a whole request, however slowly it comes, and for the whole answer.
const PATIENCE: Duration = Duration::from_secs(5);
const ANSWER_PATIENCE: Duration = Duration::from_secs(30);

/// Answers until the process ends.
pub fn serve(listener: &TcpListener, port: u16, page: &dyn Site) {
    let open = Mutex::new(VecDeque::new());
    let list = || open.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    thread::scope(|scope| {
        for (number, stream) in (0_u64..).zip(listener.incoming().flatten()) {
            let Ok(handle) = stream.try_clone() else { continue };
            let mut connections = list();
            connections.push_back((number, handle));
            // The oldest one has had its time: slow peers do not lock others out.
            if connections.len() > MOST_CONNECTIONS
                && let Some((_, oldest)) = connections.pop_front()
            {
                let _ = oldest.shutdown(Shutdown::Both);
            }
            drop(connections);
            let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                // A browser that goes away in the middle is not an error.
                let _ = answer(stream, port, page);
                list().retain(|(other, _)| *other != number);
            });
            if spawned.is_err() {
                // No more threads now: this connection is closed, and the others go on.
                list().retain(|(other, _)| *other != number);
            }
        }
    });
}

/// A connection with a time at which it is over.
struct Timed<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Timed<'_> {
    fn left(&self) -> std::io::Result<Option<Duration>> {
        match self.end.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(std::io::ErrorKind::TimedOut.into()),
            left => Ok(Some(left)),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(buffer)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(buffer)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stream.flush()
    }
}

fn answer(stream: TcpStream, port: u16, page: &dyn Site) -> std::io::Result<()> {
    answer_within(&stream, port, page, PATIENCE)
}

fn answer_within(stream: &TcpStream, port: u16, page: &dyn Site, patience: Duration) -> std::io::Result<()> {
    let mut lines = Vec::new();
    let mut reader = BufReader::new(Timed { stream, end: Instant::now() + patience });
    loop {
        let mut line = String::new();
        let length = reader.by_ref().take(LONGEST).read_line(&mut line)?;
        let is_whole = line.ends_with('\n');
        if length == 0 || line.trim_end().is_empty() {
            break;
        }
        lines.push(line.trim_end().to_string());
        if !is_whole || lines.len() > MOST_LINES {
            return reply(stream, &Answer::refuse("431 Request Header Fields Too Large"), NO_FRAMES);
        }
    }
    reply(stream, &decide(&lines, port, page), page.frames())
}

/// The reply.
struct Answer {
    status: &'static str,
    file: Option<File>,
    has_body: bool,
}

impl Answer {
    fn refuse(status: &'static str) -> Answer {
        Answer { status, file: None, has_body: true }
    }
}

fn decide(lines: &[String], port: u16, page: &dyn Site) -> Answer {
    let mut words = lines.first().map(String::as_str).unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if !matches!(method, "GET" | "HEAD") {
        return Answer::refuse("405 Method Not Allowed");
    }
    // A page of another site that points its own name at this computer sends that name.
    let hosts = lines.iter().skip(1).filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("host").then(|| value.trim().to_ascii_lowercase())
    });
    let hosts: Vec<String> = hosts.collect();
    let ours = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    match &hosts[..] {
        [host] if ours.contains(host) => {}
        // Two of them are two opinions about whose page it is.
        [_, _, ..] => return Answer::refuse("400 Bad Request"),
        _ => return Answer::refuse("403 Forbidden"),
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match page.find(path, query) {
        Some(file) => Answer { status: "200 OK", file: Some(file), has_body: method == "GET" },
        None => Answer::refuse("404 Not Found"),
    }
}

fn reply(stream: &TcpStream, answer: &Answer, frames: &str) -> std::io::Result<()> {
    let mut stream = Timed { stream, end: Instant::now() + ANSWER_PATIENCE };
    let text = format!("{}\n", answer.status);
    let (kind, body) = match &answer.file {
        Some(file) => (file.kind, &*file.bytes),
        None => ("text/plain; charset=utf-8", text.as_bytes()),
    };
    // The older header knows no list; where one is given, browsers go by it.
    let refusal = if frames == NO_FRAMES { "X-Frame-Options: DENY\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Content-Security-Policy: default-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; style-src 'self'; \
         frame-ancestors {frames}\r\n{refusal}\
         Connection: close\r\n\r\n",
        answer.status,
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    if answer.has_body {
        stream.write_all(body)?;
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::super::page::Page;
    use super::*;

    fn page() -> Page {
        let file = |path, bytes: &[u8]| File { path, kind: "text/plain", bytes: bytes.into() };
        Page { files: vec![file("/", b"page"), file("/tempo.js", b"script")] }
    }

    fn status(request: &[&str]) -> &'static str {
        let lines: Vec<String> = request.iter().map(ToString::to_string).collect();
        decide(&lines, 6510, &page()).status
    }

    #[test]
    fn files_of_the_page_are_served_to_this_computer() {
        assert_eq!(status(&["GET / HTTP/1.1", "Host: 127.0.0.1:6510"]), "200 OK");
        assert_eq!(status(&["GET /tempo.js?x=1 HTTP/1.1", "host: localhost:6510"]), "200 OK");
    }

    #[test]
    fn paths_that_lead_elsewhere_are_not_there() {
        for path in [
            "/../Cargo.toml",
            "/%2e%2e/Cargo.toml",
            "//etc/passwd",
            "/etc/passwd",
            "C:/x",
            "",
            "/tempo.js/",
            "/.",
        ] {
            assert_eq!(
                status(&[&format!("GET {path} HTTP/1.1"), "Host: 127.0.0.1:6510"]),
                "404 Not Found",
                "{path}"
            );
        }
    }

    #[test]
    fn other_hosts_and_methods_are_refused() {
        assert_eq!(status(&["GET / HTTP/1.1", "Host: evil.example"]), "403 Forbidden");
        assert_eq!(status(&["GET / HTTP/1.1", "Host: 127.0.0.1:6511"]), "403 Forbidden");
        assert_eq!(status(&["GET / HTTP/1.1"]), "403 Forbidden");
        assert_eq!(status(&["POST / HTTP/1.1", "Host: 127.0.0.1:6510"]), "405 Method Not Allowed");
        assert_eq!(status(&[]), "405 Method Not Allowed");
        let two = ["GET / HTTP/1.1", "Host: 127.0.0.1:6510", "Host: evil.example"];
        assert_eq!(status(&two), "400 Bad Request");
    }

    #[test]
    fn a_request_has_a_deadline_however_it_drips() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let page = page();
        thread::scope(|scope| {
            let served = scope.spawn(|| {
                let peer = listener.accept().expect("a peer").0;
                answer_within(&peer, port, &page, Duration::from_millis(50))
            });
            let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
            // A byte now and then, until the other end hangs up: without a deadline this would never end.
            while !served.is_finished() && stream.write_all(b"G").is_ok() {
                thread::sleep(Duration::from_millis(5));
            }
            assert!(served.join().expect("no panic").is_err());
        });
    }

    #[test]
    fn a_request_over_a_socket_gets_the_file() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let page = page();
        thread::scope(|scope| {
            scope.spawn(|| answer(listener.accept().expect("a peer").0, port, &page));
            let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
            write!(stream, "GET /tempo.js HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n").expect("a request");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("an answer");
            assert!(text.contains("frame-ancestors 'none'"), "{text}");
            assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with("\r\n\r\nscript"), "{text}");
        });
    }

    /// A page that an editor shows.
    struct Framed(Page);

    impl Site for Framed {
        fn find(&self, path: &str, query: &str) -> Option<File> {
            self.0.find(path, query)
        }

        fn frames(&self) -> &'static str {
            "vscode-webview:"
        }
    }

    #[test]
    fn a_site_names_the_frames_it_may_be_in() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let page = Framed(page());
        thread::scope(|scope| {
            scope.spawn(|| answer(listener.accept().expect("a peer").0, port, &page));
            let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
            write!(stream, "GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n").expect("a request");
            let mut text = String::new();
            stream.read_to_string(&mut text).expect("an answer");
            assert!(text.contains("frame-ancestors vscode-webview:\r\n"), "{text}");
            assert!(!text.contains("X-Frame-Options"), "{text}");
        });
    }
}
