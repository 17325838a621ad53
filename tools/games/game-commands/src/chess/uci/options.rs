//! The options that a GUI may set, one item each. The lines that `uci` is answered with, the names that `setoption`
//! takes, what it says about a value that does not fit, and the help of the command are made from them.

use tempo_bridge::search::PAL_HERTZ;

/// An option.
#[derive(Debug)]
pub(super) struct Item {
    pub id: Id,
    /// As the GUI shows it; any case is taken.
    pub name: &'static str,
    kind: Kind,
    /// The accepted values, for a value that is refused.
    pub takes: &'static str,
    /// A description for the help; line breaks are those of the help.
    about: &'static str,
}

/// Which option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Id {
    Clock,
    Level,
    Hash,
    ClearHash,
    Reu,
    Book,
    Ponder,
    MultiPv,
    Engine,
}

/// The protocol's name for its type, with the values that it needs.
#[derive(Debug)]
enum Kind {
    /// MHz as a text.
    Clock,
    /// The first is the default.
    Combo(&'static [&'static str]),
    /// The same, and the names of the program's levels.
    Levels(&'static [&'static str]),
    Spin {
        default: u32,
        min: u32,
        max: u32,
    },
    Check {
        default: bool,
    },
    Button,
}

/// No position has more legal moves.
pub(super) const MOST_LINES: u32 = 218;

/// The value of `Level` for full strength.
pub(super) const NO_LEVEL: &str = "none";

/// All of them, in the order in which GUIs show them.
pub(super) static OPTIONS: [Item; 9] = [
    Item {
        id: Id::Clock,
        name: "Clock",
        kind: Kind::Clock,
        takes: "the MHz of the machine, 0.001 to 1000",
        about: "MHz of the emulated machine, that of a PAL C64 without it",
    },
    Item {
        id: Id::Level,
        name: "Level",
        kind: Kind::Levels(&[NO_LEVEL]),
        takes: "none, or a level's name or number",
        about: "none, or one of the program's by name or number, 1 to 8, worth about this UCI_Elo of Stockfish:\n\
                beginner 1000, learner 1120, casual 1335, instant 1500, blitz 1745, club 1770, strong 1835,\n\
                tournament more",
    },
    Item {
        id: Id::Hash,
        name: "Hash",
        kind: Kind::Spin { default: 1, min: 0, max: 1 },
        takes: "0 or 1",
        about: "1 keeps the transposition table from move to move, 0 clears it",
    },
    Item {
        id: Id::ClearHash,
        name: "Clear Hash",
        kind: Kind::Button,
        takes: "no value",
        about: "clears that table before the next move",
    },
    Item {
        id: Id::Reu,
        name: "REU",
        kind: Kind::Combo(&["none", "128", "256", "512"]),
        takes: "none, or the kilobytes of a RAM expansion: 128, 256 or 512",
        about: "none, or the kilobytes of a RAM expansion that holds a larger table: 128, 256, 512",
    },
    Item {
        id: Id::Book,
        name: "Book",
        kind: Kind::Check { default: true },
        takes: "true or false",
        about: "whether the opening book may answer",
    },
    Item {
        id: Id::Ponder,
        name: "Ponder",
        kind: Kind::Check { default: false },
        takes: "true or false",
        about: "whether the GUI lets it think in the time of the other side",
    },
    Item {
        id: Id::MultiPv,
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: MOST_LINES },
        takes: "the number of lines, 1 to 218",
        about: "lines that analysis shows, the best one first",
    },
    Item {
        id: Id::Engine,
        name: "Engine",
        kind: Kind::Combo(&["c64", "reference"]),
        takes: "c64 or reference",
        about: "c64, or reference: the same search in this program",
    },
];

impl Item {
    /// The option of a name, in any case.
    pub fn find(name: &str) -> Option<&'static Item> {
        OPTIONS.iter().find(|item| item.name.eq_ignore_ascii_case(name))
    }

    /// The line that tells a GUI about it.
    pub fn line(&self, levels: &[&str]) -> String {
        let combo = |values: &[&str]| {
            let all: String = values.iter().map(|value| format!(" var {value}")).collect();
            format!("combo default {}{all}", self.default())
        };
        let kind = match self.kind {
            Kind::Clock => format!("string default {}", self.default()),
            Kind::Combo(values) => combo(values),
            Kind::Levels(values) => combo(&[values, levels].concat()),
            Kind::Spin { min, max, .. } => format!("spin default {} min {min} max {max}", self.default()),
            Kind::Check { .. } => format!("check default {}", self.default()),
            Kind::Button => "button".to_owned(),
        };
        format!("option name {} type {kind}", self.name)
    }

    /// The value it has if the GUI sets none; empty for a button.
    fn default(&self) -> String {
        match self.kind {
            Kind::Clock => (PAL_HERTZ as f64 / 1e6).to_string(),
            Kind::Combo(values) | Kind::Levels(values) => values[0].to_owned(),
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Check { default } => default.to_string(),
            Kind::Button => String::new(),
        }
    }
}

/// The options as the help of the command lists them.
pub(super) fn help() -> String {
    let width = OPTIONS.iter().map(|item| item.name.len()).max().unwrap_or(0);
    let indent = format!("\n{:1$}", "", width + 4);
    let line = |item: &Item| {
        let default = match item.default() {
            default if default.is_empty() => default,
            default => format!(" [{default}]"),
        };
        format!("  {:width$}  {}{default}\n", item.name, item.about.replace('\n', &indent))
    };
    OPTIONS.iter().map(line).collect()
}
