//! Who plays: the words of a player on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use tempo_bridge::Expansion;
use tempo_diagnostics::nearest;

use crate::chess::program::parse_expansion;

/// A player as the user describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    pub kind: Kind,
    /// The words as they were given.
    pub text: String,
    pub cycles: u64,
    pub nodes: u32,
    pub depth: u8,
    /// Milliseconds, for other engines.
    pub move_time: u64,
    pub book: bool,
    pub expansion: Expansion,
    /// Options of another engine.
    pub options: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// The image that `tempo` carries.
    Image,
    /// A program file with symbols beside it.
    File(PathBuf),
    /// The sources of a revision of the repository, assembled here.
    Revision(String),
    /// The reference search.
    Reference,
    /// Any legal move.
    Random,
    /// Another engine.
    Uci { command: PathBuf, arguments: Vec<String> },
}

/// The words that a player is made of, for mistakes.
const WORDS: [&str; 9] = ["cycles", "nodes", "depth", "movetime", "book", "reu", "program", "rev", "cmd"];

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let mut spec = Spec {
            kind: Kind::Image,
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            cycles: 0,
            nodes: 0,
            depth: 0,
            move_time: 0,
            book: false,
            expansion: Expansion::None,
            options: Vec::new(),
        };
        let mut kind = None;
        let mut arguments = Vec::new();
        for word in text.split_whitespace() {
            let value = |name: &str| format!("`{name}` needs a number, as in {name}=3M");
            match word.split_once('=') {
                None => {
                    kind = Some(match word {
                        "c64" => Kind::Image,
                        "reference" => Kind::Reference,
                        "random" => Kind::Random,
                        _ => {
                            return Err(format!(
                                "`{word}` is not a player: c64, reference, random or cmd=ENGINE"
                            ));
                        }
                    });
                }
                Some(("cycles", number)) => {
                    spec.cycles = parse_number(number).ok_or_else(|| value("cycles"))?
                }
                Some(("nodes", number)) => {
                    let nodes = parse_number(number).and_then(|nodes| u32::try_from(nodes).ok());
                    spec.nodes = nodes.ok_or_else(|| value("nodes"))?;
                }
                Some(("depth", number)) => spec.depth = number.parse().map_err(|_| value("depth"))?,
                Some(("movetime", number)) => {
                    spec.move_time = number.parse().map_err(|_| value("movetime"))?
                }
                Some(("book", "on")) => spec.book = true,
                Some(("book", "off")) => spec.book = false,
                Some(("book", _)) => return Err("`book` is on or off".into()),
                Some(("reu", size)) => {
                    spec.expansion = parse_expansion(size).map_err(|err| format!("reu={size}: {err}"))?;
                }
                Some(("program", path)) => kind = Some(Kind::File(path.into())),
                Some(("rev", revision)) => kind = Some(Kind::Revision(revision.into())),
                Some(("cmd", command)) => {
                    kind = Some(Kind::Uci { command: command.into(), arguments: Vec::new() });
                }
                Some(("arg", argument)) => arguments.push(argument.to_owned()),
                Some((name, value)) => match name.strip_prefix("option.") {
                    // Names of options have blanks; here they are written as underlines where a name has none.
                    Some(option) => spec.options.push((option.to_owned(), value.to_owned())),
                    None => {
                        let help = nearest(name, WORDS).map(|known| format!("; did you mean {known}=?"));
                        return Err(format!("`{name}` means nothing here{}", help.unwrap_or_default()));
                    }
                },
            }
        }
        spec.kind = match kind {
            Some(Kind::Uci { command, .. }) => Kind::Uci { command, arguments },
            Some(kind) => kind,
            None => {
                return Err("the player has no kind: c64, reference, random, program=, rev= or cmd=".into());
            }
        };
        if spec.expansion != Expansion::None && matches!(spec.kind, Kind::Uci { .. } | Kind::Random) {
            return Err("`reu` is for c64, program=, rev= and reference".into());
        }
        let limited = spec.cycles > 0 || spec.nodes > 0 || spec.depth > 0 || spec.move_time > 0;
        match spec.kind {
            Kind::Random => {}
            Kind::Uci { .. } if spec.cycles > 0 => {
                return Err("another engine has no cycles: give it movetime=, nodes= or depth=".into());
            }
            Kind::Uci { .. } => {}
            _ if spec.move_time > 0 => {
                return Err("time is cycles here: cycles=24.6M is 25 seconds of a PAL C64".into());
            }
            _ => {}
        }
        if !limited && spec.kind != Kind::Random {
            return Err(
                "the player has no limit: add cycles=, nodes=, depth= or, for an engine, movetime=".into()
            );
        }
        Ok(spec)
    }
}

/// `3000000`, `3_000_000`, `3M`, `24.6M`, `500k`.
fn parse_number(text: &str) -> Option<u64> {
    let (digits, factor) = match text.as_bytes().last()? {
        b'M' | b'm' => (&text[..text.len() - 1], 1e6),
        b'k' | b'K' => (&text[..text.len() - 1], 1e3),
        _ => (text, 1.0),
    };
    let number: f64 = digits.replace('_', "").parse().ok()?;
    let whole = (number * factor).round();
    ((1.0..=1e15).contains(&whole)).then_some(whole as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let ours: Spec = "c64 cycles=24.6M book=on".parse().expect("a player");
        assert_eq!((ours.kind, ours.cycles, ours.book), (Kind::Image, 24_600_000, true));
        let theirs: Spec =
            "cmd=/usr/games/stockfish arg=-x option.UCI_Elo=1500 option.UCI_LimitStrength=true movetime=20"
                .parse()
                .expect("a player");
        assert_eq!(theirs.options.len(), 2);
        assert!(matches!(theirs.kind, Kind::Uci { arguments, .. } if arguments == ["-x"]));
        assert_eq!("c64 nodes=3 reu=512".parse::<Spec>().map(|spec| spec.expansion), Ok(Expansion::Reu(512)));
        assert_eq!("reference nodes=12k".parse::<Spec>().map(|spec| spec.nodes), Ok(12_000));
        for wrong in [
            "",
            "c64",
            "c65 nodes=3",
            "c64 cycles=many",
            "c64 cycles=-3",
            "c64 movetime=20",
            "cmd=x cycles=3M",
            "c64 nods=3",
            "c64 nodes=9e30",
            "random book=maybe",
            "c64 nodes=3 reu=77",
            "c64 nodes=3 reu=",
            "random reu=512",
        ] {
            assert!(wrong.parse::<Spec>().is_err(), "{wrong}");
        }
        assert!("c64 cycle=3M".parse::<Spec>().is_err_and(|err| err.contains("did you mean cycles=")));
    }
}
