//! A web server for a handful of files in memory: GET and HEAD, this computer only. It never looks at the disk, so no path
//! can lead anywhere else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::page::{File, Page};

/// Longest line and most lines of a request.
const LONGEST: u64 = 8192;
const MOST_LINES: usize = 100;
/// Browsers open a few connections at once; more than this is not one.
const MOST_CONNECTIONS: usize = 32;
/// A peer that sends or takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers until the process ends.
pub fn serve(listener: &TcpListener, port: u16, page: &Page) {
    let open = AtomicUsize::new(0);
    thread::scope(|scope| {
        for stream in listener.incoming().flatten() {
            if open.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                open.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let open = &open;
            scope.spawn(move || {
                // A browser that goes away in the middle is nobody's error.
                let _ = answer(stream, port, page);
                open.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
}

fn answer(stream: TcpStream, port: u16, page: &Page) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = Vec::new();
    let mut reader = BufReader::new(&stream);
    loop {
        let mut line = String::new();
        let length = reader.by_ref().take(LONGEST).read_line(&mut line)?;
        let is_whole = line.ends_with('\n');
        if length == 0 || line.trim_end().is_empty() {
            break;
        }
        lines.push(line.trim_end().to_string());
        if !is_whole || lines.len() > MOST_LINES {
            return reply(&stream, &Answer::refuse("431 Request Header Fields Too Large"));
        }
    }
    reply(&stream, &decide(&lines, port, page))
}

/// What goes back.
struct Answer<'p> {
    status: &'static str,
    file: Option<&'p File>,
    has_body: bool,
}

impl<'p> Answer<'p> {
    fn refuse(status: &'static str) -> Answer<'p> {
        Answer { status, file: None, has_body: true }
    }
}

fn decide<'p>(lines: &[String], port: u16, page: &'p Page) -> Answer<'p> {
    let mut words = lines.first().map(String::as_str).unwrap_or_default().split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if !matches!(method, "GET" | "HEAD") {
        return Answer::refuse("405 Method Not Allowed");
    }
    // A page of another site that points its own name at this computer sends that name.
    let host = lines.iter().skip(1).find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("host").then(|| value.trim().to_ascii_lowercase())
    });
    let ours = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if !host.is_some_and(|host| ours.contains(&host)) {
        return Answer::refuse("403 Forbidden");
    }
    let path = target.split('?').next().unwrap_or_default();
    match page.find(path) {
        Some(file) => Answer { status: "200 OK", file: Some(file), has_body: method == "GET" },
        None => Answer::refuse("404 Not Found"),
    }
}

fn reply(mut stream: &TcpStream, answer: &Answer<'_>) -> std::io::Result<()> {
    let text = format!("{}\n", answer.status);
    let (kind, body) = match answer.file {
        Some(file) => (file.kind, file.bytes.as_slice()),
        None => ("text/plain; charset=utf-8", text.as_bytes()),
    };
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Content-Security-Policy: default-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; style-src 'self'\r\n\
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
    use super::*;

    fn page() -> Page {
        let file = |path, bytes: &[u8]| File { path, kind: "text/plain", bytes: bytes.to_vec() };
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
            assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with("\r\n\r\nscript"), "{text}");
        });
    }
}
