//! `tempo play`: the chess program on a C64 in the browser, or on a board in the terminal. The page is local, with the
//! machine as WebAssembly; nothing is downloaded and no other computer can reach it.

mod choice;
mod opponent;
mod page;
mod server;
mod terminal;

/// The server of the page, for the pages of other commands.
pub mod site {
    pub use super::open_browser;
    pub use super::page::{File, MISSING, machine};
    pub use super::server::{Site, serve};
}

use std::net::{Ipv4Addr, TcpListener};
use std::process::{Command, Stdio};

use clap::Parser;
use tempo_bridge::{Expansion, Program};
use tempo_host::{Exit, output};

use crate::board::Mode;
use crate::chess::program::ExpansionArgs;
use choice::ChoiceArgs;

/// Play the chess program: on a C64 in your browser, or in the terminal
///
/// Serves a page on this computer alone (127.0.0.1) and opens it. The page holds a whole C64: type a move such as e2e4 or
/// Nf3 and press Enter, or click on a piece and then on a square. F1 is the menu. Ctrl-C here ends the server.
///
/// With --terminal the same program plays on a board in this terminal: arrows and enter move, `:` types a move, `?` helps.
/// The C64 thinks for its level's time on its own clock, which runs as fast as this computer can emulate it. In a pipe,
/// or with --plain, it is a prompt that reads one move or command on a line. A tempo that was built without the page
/// plays in the terminal.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo play
  tempo play --level club --side black
  tempo play --fen '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1'
  tempo play --port 6510 --no-open
  tempo play --terminal --level 3
  tempo play --terminal --reu 512
  printf 'e4\\nsave game.pgn\\n' | tempo play --terminal

The same files work from any web server: `make web` writes them to build/web. There `?level=6&side=black&fen=…` in the \
address does what the options do here. `tempo run --terminal build/chess.prg` shows the C64's own screen in the terminal.

Exit codes: 0 ended, 1 a refused line in a script, 2 a bad level or position, or the page could not be served.")]
pub struct Args {
    #[command(flatten)]
    choice: ChoiceArgs,

    /// A board in this terminal instead of the page
    #[arg(long, conflicts_with_all = ["port", "no_open"])]
    terminal: bool,

    /// With --terminal: lines instead of a full screen
    #[arg(long, requires = "terminal")]
    plain: bool,

    #[command(flatten)]
    expansion: ExpansionArgs,

    /// Port to listen on; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,

    /// Print the address and do not open a browser
    #[arg(long)]
    no_open: bool,
}

pub fn run(args: Args) -> Exit {
    let program = match Program::assemble() {
        // One program for the life of the process.
        Ok(program) => Box::leak(Box::new(program)),
        Err(err) => return output::complain(err),
    };
    let choice = match args.choice.check(program) {
        Ok(choice) => choice,
        Err(message) => return output::complain(message),
    };
    let play_here =
        |mode| terminal::play(program, args.expansion.get(), &choice, mode, crate::seed::fresh() as u8);
    if args.terminal {
        return play_here(if args.plain { Mode::Prompt } else { Mode::Auto });
    }
    if args.expansion.get() != Expansion::None {
        return output::complain(
            "--reu needs --terminal: the C64 of the page has no RAM expansion\n   \
             = help: `tempo run --terminal --reu 512 build/chess.prg` is a whole C64 with one",
        );
    }
    // These two options ask for the page: there the missing machine is an error.
    if !page::is_built() && args.port == 0 && !args.no_open {
        output::warn(&format!("note: {}\nplaying in the terminal instead\n", page::MISSING));
        return play_here(Mode::Auto);
    }
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)) {
        Ok(listener) => listener,
        Err(err) => {
            return output::complain(format_args!(
                "cannot listen on port {}: {err}\n   = help: leave --port out, and a free one is taken",
                args.port
            ));
        }
    };
    let page = match page::Page::assemble() {
        Ok(page) => page,
        Err(message) => return output::complain(message),
    };
    let port = match listener.local_addr() {
        Ok(addr) => addr.port(),
        Err(err) => return output::complain(format_args!("cannot tell which port is open: {err}")),
    };
    let address = format!("http://127.0.0.1:{port}/{}", choice.query());
    output::say(&format!("Tempo Chess is at {address}\nCtrl-C ends it.\n"));
    if !args.no_open && !open_browser(&address) {
        output::say(
            "No browser could be started; open the address yourself, or play here with --terminal.\n",
        );
    }
    server::serve(&listener, port, &page);
    Exit::Fine
}

/// Asks the desktop to show an address. The programs that do so return at once.
pub fn open_browser(address: &str) -> bool {
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
