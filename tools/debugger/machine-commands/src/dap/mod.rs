//! `tempo dap`: the debugger for editors, on standard input and output or on a socket of this computer.
//! The library `dap` knows the meaning of the messages; here are bytes, threads and files.

mod disk;

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use clap::Parser;
use serde_json::Value;
use tempo_dap::{Session, cancels};
use tempo_framing::{Reader, frame};
use tempo_host::{Exit, output};

pub use disk::DiskHost;

/// Debug programs and tests from an editor
///
/// Speaks the Debug Adapter Protocol on standard input and output, for VS Code, Neovim, Emacs and every other client. A
/// launch takes `program` (an .asm or a .prg) or `suite` and `test` (a .6502), and goes forward and back.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo dap                      what an editor starts
  tempo dap --listen 4711        one session on a socket of this computer
  tempo dap --log dap.log        with all messages in a file

A launch request of an editor:
  {\"program\": \"main.asm\", \"stopOnEntry\": true}
  {\"program\": \"game.prg\", \"symbols\": \"game.sym\", \"debugDump\": \"game.dbg\", \"system\": \"c64\"}
  {\"suite\": \"tests.6502\", \"test\": \"castling\"}

The tempo.toml around the program or the suite gives library folders, symbols, variables and the machine; without `program` and `suite`, its program is debugged.

Exit codes: 0 the client has left, 2 the messages could not be read.")]
pub struct Args {
    /// Serve one session on this port of 127.0.0.1 instead of standard input and output; 0 picks one
    #[arg(long, value_name = "PORT")]
    listen: Option<u16>,

    /// Write all messages to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

pub fn run(args: Args) -> Exit {
    let log = match args.log.as_deref().map(open_log).transpose() {
        Ok(log) => log,
        Err(message) => return output::complain(format_args!("cannot write the log: {message}")),
    };
    match args.listen {
        None => serve(Box::new(std::io::stdin()), &mut std::io::stdout(), log),
        Some(port) => listen(port, log),
    }
}

/// An empty log. The command learns only later which files it debugs, so it replaces nothing but a log.
fn open_log(path: &Path) -> Result<std::fs::File, String> {
    if std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0) {
        let mut start = Vec::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
        if read.is_err() || !matches!(&start[..], b"-> {" | b"<- {") {
            return Err(format!("{} exists and is not a log of this command", path.display()));
        }
    }
    tempo_host::files::create(path).map_err(|err| format!("{}: {err}", path.display()))
}

fn listen(port: u16, log: Option<std::fs::File>) -> Exit {
    let listener = match TcpListener::bind(("127.0.0.1", port)) {
        Ok(listener) => listener,
        Err(err) => return output::complain(format_args!("cannot listen on port {port}: {err}")),
    };
    if let Ok(address) = listener.local_addr() {
        output::warn(&format!("listening on {address}\n"));
    }
    let stream = match listener.accept() {
        Ok((stream, _)) => stream,
        Err(err) => return output::complain(format_args!("no client could connect: {err}")),
    };
    let _ = stream.set_nodelay(true);
    match stream.try_clone() {
        Ok(reader) => serve(Box::new(reader), &mut { stream }, log),
        Err(err) => output::complain(format_args!("the connection failed: {err}")),
    }
}

/// The reading thread's result.
enum Incoming {
    Message(Value),
    Broken(String),
}

/// Reads messages until the input ends; then the channel closes.
fn read_in_background(mut input: Box<dyn Read + Send>) -> Receiver<Incoming> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut reader = Reader::default();
        let mut buffer = vec![0; 64 << 10];
        loop {
            match input.read(&mut buffer) {
                Ok(0) | Err(_) => return,
                Ok(count) => reader.push(&buffer[..count]),
            }
            loop {
                match reader.message() {
                    Ok(None) => break,
                    Ok(Some(message)) => {
                        if sender.send(Incoming::Message(message)).is_err() {
                            return;
                        }
                    }
                    Err(problem) => {
                        let _ = sender.send(Incoming::Broken(problem));
                        return;
                    }
                }
            }
        }
    });
    receiver
}

/// Messages in the order of their arrival.
struct Inbox {
    incoming: Receiver<Incoming>,
    waiting: VecDeque<Incoming>,
    /// No more will come.
    is_closed: bool,
}

impl Inbox {
    /// Takes in what has arrived, without waiting for more.
    fn receive(&mut self) {
        while !self.is_closed {
            match self.incoming.try_recv() {
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => self.is_closed = true,
                Ok(next) => self.waiting.push_back(next),
            }
        }
    }

    /// Whether a `cancel` for a request waits. `looked_at` counts the other messages.
    fn has_cancel(&mut self, request: &Value, looked_at: &mut usize) -> bool {
        self.receive();
        let is_cancel =
            |next: &Incoming| matches!(next, Incoming::Message(message) if cancels(message, request));
        let found = self.waiting.iter().skip(*looked_at).any(is_cancel);
        *looked_at = self.waiting.len();
        found
    }
}

fn serve(input: Box<dyn Read + Send>, out: &mut dyn Write, mut log: Option<std::fs::File>) -> Exit {
    let incoming = read_in_background(input);
    let mut inbox = Inbox { incoming, waiting: VecDeque::new(), is_closed: false };
    let mut session = Session::new(Box::new(DiskHost::default()));
    let mut note = |arrow: &str, message: &Value| {
        if let Some(file) = &mut log {
            let _ = writeln!(file, "{arrow} {message}");
        }
    };
    loop {
        inbox.receive();
        let next = match inbox.waiting.pop_front() {
            Some(next) => Some(next),
            None if inbox.is_closed => return left(session),
            None if session.is_running() => None,
            None => match inbox.incoming.recv() {
                Err(_) => return left(session),
                Ok(next) => Some(next),
            },
        };
        match next {
            Some(Incoming::Message(message)) => {
                note("->", &message);
                let mut looked_at = 0;
                session.handle(&message, &mut || inbox.has_cancel(&message, &mut looked_at));
            }
            Some(Incoming::Broken(problem)) => {
                session.close();
                return output::complain(problem);
            }
            None => session.work(),
        }
        for message in session.take() {
            note("<-", &message);
            if out.write_all(&frame(&message)).and_then(|()| out.flush()).is_err() {
                return left(session);
            }
        }
        if session.is_over() {
            return Exit::Fine;
        }
    }
}

/// The client is gone without a goodbye.
fn left(mut session: Session) -> Exit {
    session.close();
    Exit::Fine
}
