//! `tempo completions`: what a shell needs to complete the command line.

use clap_complete::Shell;
use tempo_host::{Exit, output};

/// Print shell completions
#[derive(clap::Args)]
#[command(after_long_help = "\
Where they go:
  bash        tempo completions bash > ~/.local/share/bash-completion/completions/tempo
  zsh         tempo completions zsh > _tempo            in a folder of $fpath
  fish        tempo completions fish > ~/.config/fish/completions/tempo.fish
  powershell  tempo completions powershell >> $PROFILE")]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: Args, mut command: clap::Command) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "tempo", &mut text);
    output::print(|out| out.write_all(&text).map(|()| Exit::Fine))
}
