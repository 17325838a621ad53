//! `tempo play`: the chess program on a C64 in the browser. A local page with the machine as WebAssembly; nothing is
//! downloaded and nobody else can reach it.

mod page;
mod server;

use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};

use clap::Parser;

use crate::exit::Exit;
use crate::output;

/// Play the chess program on a C64 in your browser
///
/// Serves a page on this computer alone (127.0.0.1) and opens it. The page holds a whole C64: type a move such as e2e4 or
/// Nf3 and press Enter, or click on a piece and then on a square. F1 is the menu. Ctrl-C here ends the server.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo play
  tempo play --port 6510 --no-open

The same files work from any web server: `make web` writes them to build/web.

Exit codes: 0 ended, 2 the page could not be served.")]
pub struct Args {
    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,

    /// Print the address and do not open a browser
    #[arg(long)]
    no_open: bool,
}

pub fn run(args: Args) -> Exit {
    let page = match page::Page::assemble() {
        Ok(page) => page,
        Err(message) => return output::complain(message),
    };
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)) {
        Ok(listener) => listener,
        Err(err) => {
            return output::complain(format_args!(
                "cannot listen on port {}: {err}; --port 0 takes a free one",
                args.port
            ));
        }
    };
    let port = match listener.local_addr() {
        Ok(addr) => addr.port(),
        Err(err) => return output::complain(format_args!("cannot tell which port is open: {err}")),
    };
    let address = format!("http://127.0.0.1:{port}/");
    println!("Tempo Chess is at {address}");
    println!("Ctrl-C ends it.");
    if !args.no_open && !open_browser(&address) {
        println!("No browser could be started; open the address yourself.");
    }
    server::serve(&listener, port, &page);
    Exit::Fine
}

/// Asks the desktop to show an address. The programs that do so return at once.
fn open_browser(address: &str) -> bool {
    let candidates: &[(&str, &[&str])] = if cfg!(windows) {
        &[("rundll32", &["url.dll,FileProtocolHandler"])]
    } else if cfg!(target_os = "macos") {
        &[("open", &[])]
    } else {
        &[("xdg-open", &[]), ("gio", &["open"]), ("sensible-browser", &[])]
    };
    candidates.iter().any(|(program, words)| {
        let mut command = Command::new(program);
        command.args(*words).arg(address);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
    })
}
