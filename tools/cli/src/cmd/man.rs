//! `tempo man`: manual pages of all commands, made of their help.

use std::io;
use std::path::PathBuf;

use tempo_host::files::{Outlet, Outputs};
use tempo_host::{Exit, output};

/// Write the manual pages, one for each command
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  tempo man build/man && man build/man/tempo-asm.1
  sudo tempo man /usr/local/share/man/man1")]
pub struct Args {
    /// The folder they go to; it is made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: Args, command: clap::Command) -> Exit {
    // Building gives every command its full name, such as `tempo-chess-perft`.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let outlet = match Outlet::make(&args.folder, "tempo man DIR") {
        Ok(outlet) => outlet,
        Err(err) => return output::complain(format_args!("cannot write '{}': {err}", args.folder.display())),
    };
    let mut outputs = Outputs::default();
    let mut add = |name: &str, page| outputs.add_within(&outlet, &args.folder.join(name), page);
    if let Err(err) = add_pages(&command, &mut add) {
        return output::complain(err);
    }
    match outputs.write() {
        Ok(()) => Exit::Fine,
        Err(err) => output::complain(err),
    }
}

/// The page of a command and those of its subcommands.
fn add_pages(command: &clap::Command, add: &mut dyn FnMut(&str, Vec<u8>)) -> io::Result<()> {
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    add(&page.get_filename(), text);
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        add_pages(sub, add)?;
    }
    Ok(())
}
