//! `tempo explain`: the entry of `docs/errors.md` for a code, or the sentence for a code of positions and game
//! descriptions.

use tempo_host::{Exit, output};
use tempo_mcp::book::entries;

use super::explain_words::{CHESS, GAME};

/// Explain an error or warning code
///
/// Without a code, lists all of them.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  tempo explain E0301        an unknown name
  tempo explain W0101        a warning, and how to turn it off
  tempo explain rank-width   a fault of a FEN; those of game descriptions have such names, too
  tempo explain | grep -i branch

Exit code 1 if there is no such code.")]
pub struct Args {
    /// A code as messages print it, such as E0301; case does not matter
    code: Option<String>,
}

/// The codes that are words: what they are about, the code, and what it means.
fn words() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let of = |what, list: &'static [(&str, &str)]| list.iter().map(move |&(code, text)| (what, code, text));
    of("game descriptions", GAME).chain(of("chess positions and documents", CHESS))
}

pub fn run(args: Args) -> Exit {
    let Some(wanted) = args.code else {
        return output::print(|out| {
            for entry in entries() {
                writeln!(out, "{}  {}", entry.code, entry.title)?;
            }
            for (what, code, _) in words() {
                writeln!(out, "{code}  ({what})")?;
            }
            Ok(Exit::Fine)
        });
    };
    let wanted = wanted.trim_matches(['[', ']']).to_ascii_uppercase();
    if let Some(entry) = entries().find(|entry| entry.code == wanted) {
        output::say(&format!("{}: {}\n\n{}\n", entry.code, entry.title, entry.text));
        return Exit::Fine;
    }
    let word = wanted.to_ascii_lowercase();
    let found: Vec<String> = words()
        .filter(|(_, code, _)| *code == word)
        .map(|(what, code, text)| format!("{code} ({what}): {text}\n"))
        .collect();
    if !found.is_empty() {
        output::say(&found.concat());
        return Exit::Fine;
    }
    let near = tempo_diagnostics::nearest(&wanted, entries().map(|entry| entry.code))
        .or_else(|| tempo_diagnostics::nearest(&word, words().map(|(_, code, _)| code)));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`tempo explain` without a code lists all of them".to_owned(),
    };
    output::warn(&format!("error: there is no code `{}`\nhelp: {help}\n", output::visible(&wanted)));
    Exit::Failed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_games_and_positions_is_explained() {
        let codes = |list: &[(&'static str, &str)]| list.iter().map(|(code, _)| *code).collect::<Vec<_>>();
        assert_eq!(
            codes(GAME),
            tempo_gamespec::Code::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>()
        );
        assert_eq!(codes(CHESS), tempo_chess::Code::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>());
    }
}
