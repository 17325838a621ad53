//! `tempo man`: manual pages of all commands, made of their help.

use std::io;
use std::path::{Path, PathBuf};

use tempo_host::files::Outputs;
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
    let mut outputs = Outputs::default();
    outputs.make_folder(&args.folder);
    if let Err(err) = add_pages(&command, &args.folder, &mut outputs) {
        return output::complain(err);
    }
    match outputs.write() {
        Ok(()) => Exit::Fine,
        Err(err) => output::complain(err),
    }
}

/// The page of a command and those of its subcommands.
fn add_pages(command: &clap::Command, folder: &Path, outputs: &mut Outputs) -> io::Result<()> {
    let page = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    outputs.add(&folder.join(page.get_filename()), text);
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        add_pages(sub, folder, outputs)?;
    }
    Ok(())
}
