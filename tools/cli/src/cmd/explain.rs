//! `tempo explain`: the entry of `docs/errors.md` for a code.

use crate::exit::Exit;
use crate::output;

/// The list itself, so that the command and the page cannot differ.
const PAGE: &str = include_str!("../../../../docs/errors.md");

/// Explain an error or warning code
///
/// Without a code, lists all of them.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  tempo explain E0301        an unknown name
  tempo explain W0101        a warning, and how to turn it off
  tempo explain | grep -i branch

Exit code 1 if there is no such code.")]
pub struct Args {
    /// A code as messages print it, such as E0301; case does not matter
    code: Option<String>,
}

/// One entry of the page.
struct Entry {
    code: &'static str,
    title: &'static str,
    text: &'static str,
}

fn entries() -> impl Iterator<Item = Entry> {
    PAGE.split("\n## ").skip(1).filter_map(|part| {
        let (head, text) = part.split_once('\n')?;
        let (code, title) = head.split_once(": ")?;
        Some(Entry { code, title, text: text.trim() })
    })
}

pub fn run(args: Args) -> Exit {
    let Some(wanted) = args.code else {
        return output::print(|out| {
            for entry in entries() {
                writeln!(out, "{}  {}", entry.code, entry.title)?;
            }
            Ok(Exit::Fine)
        });
    };
    let wanted = wanted.trim_matches(['[', ']']).to_ascii_uppercase();
    if let Some(entry) = entries().find(|entry| entry.code == wanted) {
        output::say(&format!("{}: {}\n\n{}\n", entry.code, entry.title, entry.text));
        return Exit::Fine;
    }
    let help = match diagnostics::nearest(&wanted, entries().map(|entry| entry.code)) {
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
    fn every_code_of_the_assembler_has_an_entry() {
        let known: Vec<&str> = entries().map(|entry| entry.code).collect();
        for code in assembler::Code::ALL {
            assert!(known.contains(&code.as_str()), "{code} is missing");
        }
    }
}
