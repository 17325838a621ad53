//! The sockets of `tempo monitor`: one thread for each listener, and the machine in the thread that calls. One client of
//! each kind is served; others wait in the queue of the listener until it has left.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tempo_host::output;
use tempo_monitor::{End, Monitor};

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// As the user wrote it.
    pub given: String,
    at: SocketAddr,
}

impl Address {
    /// A port of this computer.
    pub fn local(port: u16) -> Address {
        let at = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        Address { given: format!("ip4://{at}"), at }
    }

    /// `ip4://HOST:PORT`, `HOST:PORT` or `PORT`. Only addresses that no other computer reaches are accepted: a client that
    /// is connected controls the machine and reads files.
    pub fn parse(text: &str) -> Result<Address, String> {
        let wrong = || format!("'{text}' is not an address: HOST:PORT or PORT, as in 127.0.0.1:6502");
        let plain = text.strip_prefix("ip4://").or(text.strip_prefix("ip6://")).unwrap_or(text);
        if let Ok(port) = plain.parse() {
            return Ok(Address { given: text.to_string(), ..Address::local(port) });
        }
        let at = plain.to_socket_addrs().map_err(|_| wrong())?.next().ok_or_else(wrong)?;
        if !at.ip().is_loopback() {
            return Err(format!(
                "'{text}' can be reached by other computers, and VICE's monitor has no password: use 127.0.0.1, and a tunnel (ssh -L) from elsewhere"
            ));
        }
        Ok(Address { given: text.to_string(), at })
    }
}

/// The two monitors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Binary,
    Text,
}

enum Incoming {
    Came(Kind, TcpStream),
    Sent(Kind, Vec<u8>),
    Left(Kind),
}

/// Listeners and the clients they have accepted.
pub struct Server {
    incoming: Receiver<Incoming>,
    clients: [Option<TcpStream>; 2],
    /// A client can connect.
    is_served: bool,
}

/// A client that takes nothing for so long is sent away, so that it does not hold up the machine.
const PATIENCE: Duration = Duration::from_secs(5);

impl Server {
    /// Listens where it is asked to.
    pub fn open(binary: Option<&Address>, text: Option<&Address>) -> Result<Server, String> {
        let (sender, incoming) = sync_channel(64);
        for (kind, address) in [(Kind::Binary, binary), (Kind::Text, text)] {
            let Some(address) = address else { continue };
            let listener = TcpListener::bind(address.at)
                .map_err(|err| format!("cannot listen on {}: {err}", address.at))?;
            let at = listener.local_addr().map_err(|err| err.to_string())?;
            let what = if kind == Kind::Binary { "binary" } else { "text" };
            output::warn(&format!("{what} monitor: listening on {at}\n"));
            let sender = sender.clone();
            std::thread::spawn(move || accept(kind, &listener, &sender));
        }
        Ok(Server { incoming, clients: [None, None], is_served: binary.is_some() || text.is_some() })
    }

    /// Serves until a client, the program or a limit ends it.
    pub fn run(mut self, monitor: &mut Monitor, is_warp: bool) -> End {
        let mut due = Instant::now();
        loop {
            self.answer(monitor);
            if let Some(end) = monitor.end() {
                return self.close(end);
            }
            if monitor.core.is_open() {
                if !self.receive(monitor, None) {
                    return End::Quit;
                }
                due = Instant::now();
                continue;
            }
            let (before, is_after_reset) = (monitor.core.cycles(), monitor.core.is_after_reset());
            monitor.run_frame();
            self.flush(monitor);
            if let Some(end) = monitor.end() {
                return self.close(end);
            }
            if monitor.core.is_open() {
                continue;
            }
            let timing = monitor.core.computer().timing();
            let cycles = monitor.core.cycles().saturating_sub(before);
            let now = Instant::now();
            due += Duration::from_secs_f64(cycles as f64 / f64::from(timing.clock));
            if due + Duration::from_millis(200) < now {
                // The host is too slow: nothing is made up for.
                due = now;
            }
            let wait = if is_after_reset || monitor.core.is_dead() {
                due = now + Duration::from_millis(20);
                Duration::from_millis(20)
            } else if is_warp || !self.is_served {
                Duration::ZERO
            } else {
                due.saturating_duration_since(now)
            };
            if !self.receive(monitor, Some(wait)) {
                return End::Quit;
            }
        }
    }

    /// Answers the requests that are there.
    fn answer(&mut self, monitor: &mut Monitor) {
        while monitor.poll() {
            self.flush(monitor);
        }
        self.flush(monitor);
    }

    /// Takes what clients have sent; waits for it at most so long. `false` if no client can ever send again.
    fn receive(&mut self, monitor: &mut Monitor, wait: Option<Duration>) -> bool {
        if monitor.is_full() {
            std::thread::sleep(wait.unwrap_or_default());
            return true;
        }
        let first = match wait {
            None => match self.incoming.recv() {
                Ok(first) => Some(first),
                Err(_) => return false,
            },
            Some(wait) => match self.incoming.recv_timeout(wait) {
                Ok(first) => Some(first),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => None,
            },
        };
        let mut next = first;
        while let Some(incoming) = next {
            match incoming {
                Incoming::Came(kind, stream) => self.clients[kind as usize] = Some(stream),
                Incoming::Sent(Kind::Binary, bytes) => monitor.receive(&bytes),
                Incoming::Sent(Kind::Text, bytes) => monitor.receive_text(&bytes),
                Incoming::Left(kind) => {
                    // What it sent before is done first.
                    self.answer(monitor);
                    self.clients[kind as usize] = None;
                    match kind {
                        Kind::Binary => monitor.left(),
                        Kind::Text => monitor.text_left(),
                    }
                    return true;
                }
            }
            next = if monitor.is_full() { None } else { self.incoming.try_recv().ok() };
        }
        true
    }

    fn flush(&mut self, monitor: &mut Monitor) {
        let refused = monitor.refuses();
        for (client, bytes, is_refused) in
            [(0, monitor.take_binary(), refused.0), (1, monitor.take_text(), refused.1)]
        {
            let Some(stream) = &mut self.clients[client] else { continue };
            let is_sent = bytes.is_empty() || stream.write_all(&bytes).is_ok();
            if !is_sent || is_refused {
                // Its thread notices, and tells that it has left.
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
    }

    fn close(&mut self, end: End) -> End {
        for stream in self.clients.iter_mut().flatten() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        end
    }
}

/// Accepts one client after the other and passes on what it sends.
fn accept(kind: Kind, listener: &TcpListener, sender: &SyncSender<Incoming>) {
    loop {
        let Ok((mut stream, _)) = listener.accept() else {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let _ = stream.set_nodelay(true);
        let _ = stream.set_write_timeout(Some(PATIENCE));
        let Ok(writer) = stream.try_clone() else { continue };
        if sender.send(Incoming::Came(kind, writer)).is_err() {
            return;
        }
        let mut buffer = vec![0; 64 << 10];
        let mut is_first = true;
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            if std::mem::take(&mut is_first) && is_http(&buffer[..count]) {
                let _ = stream.shutdown(Shutdown::Both);
                break;
            }
            if sender.send(Incoming::Sent(kind, buffer[..count].to_vec())).is_err() {
                return;
            }
        }
        if sender.send(Incoming::Left(kind)).is_err() {
            return;
        }
    }
}

/// Whether a client begins as a browser does: any page can send a request to a port of this computer, and the lines of its
/// body would be commands.
fn is_http(bytes: &[u8]) -> bool {
    const METHODS: [&[u8]; 8] =
        [b"GET ", b"POST ", b"PUT ", b"HEAD ", b"OPTIONS ", b"DELETE ", b"PATCH ", b"CONNECT "];
    METHODS.iter().any(|method| bytes.starts_with(method))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_page_gives_no_commands() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let at = listener.local_addr().expect("an address");
        let (sender, incoming) = sync_channel(64);
        std::thread::spawn(move || accept(Kind::Text, &listener, &sender));
        for (sent, wanted) in [("POST / HTTP/1.1\r\nHost: x\r\n\r\nquit\n", 0), ("registers\n", 1)] {
            let mut stream = TcpStream::connect(at).expect("a server");
            stream.write_all(sent.as_bytes()).expect("a client");
            // It may have hung up already.
            let _ = stream.shutdown(Shutdown::Write);
            let mut taken = 0;
            loop {
                match incoming.recv().expect("a server") {
                    Incoming::Came(..) => {}
                    Incoming::Sent(..) => taken += 1,
                    Incoming::Left(_) => break,
                }
            }
            assert_eq!(taken, wanted, "{sent:?}");
        }
    }

    #[test]
    fn only_this_computer_can_connect() {
        assert_eq!(Address::parse("ip4://127.0.0.1:6510").unwrap().at.port(), 6510);
        assert_eq!(Address::parse("7000").unwrap(), Address { given: "7000".into(), ..Address::local(7000) });
        assert!(Address::parse("0.0.0.0:6502").unwrap_err().contains("other computers"));
        assert!(Address::parse("ip4://192.168.0.1:6502").is_err());
        assert!(Address::parse("nonsense").unwrap_err().contains("not an address"));
    }
}
