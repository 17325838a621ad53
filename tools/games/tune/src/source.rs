//! Values as the two files that hold them: Rust for the reference search, assembly for the program.

use std::fmt::Write as _;

use tempo_chess::search::{Phases, Values};

const TYPES: [&str; 6] = ["pawn", "bishop", "rook", "queen", "knight", "king"];
const TERMS: [&str; 7] = [
    "bishop pair",
    "rook on an open file",
    "rook on a half-open file",
    "shelter: pawn one row ahead",
    "shelter: pawn two rows ahead",
    "no own pawn on the king's file",
    "tempo",
];

/// `tools/games/chess/src/search/tuned.rs`.
pub fn rust(values: &Values) -> String {
    let mut text = String::from(
        "//! The tuned values, written by the tuner beside `asm/data/values.asm`, which holds the same for the assembler.\n\n\
         use super::values::{Phases, Values};\n\n\
         /// The settings that the program plays with.\n\
         #[rustfmt::skip]\n\
         pub(super) const TUNED: Values = Values {\n",
    );
    let mut phases = |name: &str, list: &[Phases], names: &[&str]| {
        let _ = writeln!(text, "    {name}: [");
        for (Phases { middle, end }, name) in list.iter().zip(names) {
            let _ = writeln!(text, "        Phases {{ middle: {middle}, end: {end} }}, // {name}");
        }
        text.push_str("    ],\n");
    };
    phases("base", &values.base, &TYPES);
    phases("terms", &values.terms, &TERMS);
    for (name, tables) in [("middle", &values.middle), ("end", &values.end)] {
        let _ = writeln!(text, "    {name}: [");
        for (table, kind) in tables.iter().zip(TYPES) {
            let _ = writeln!(text, "        [ // {kind}");
            for row in table.chunks(8) {
                let _ = writeln!(text, "            {},", numbers(row));
            }
            text.push_str("        ],\n");
        }
        text.push_str("    ],\n");
    }
    text.push_str("};\n");
    text
}

/// `asm/data/values.asm`.
pub fn assembly(values: &Values) -> String {
    let mut text = String::from(
        "// values.asm - what pieces, squares and features are worth, in hundredths of a pawn\n\
         //\n\
         // Provides: lists BaseMiddle, BaseEnd (6), TermMiddle, TermEnd (7), PlaceMiddle, PlaceEnd (6*64)\n\
         // Uses:     nothing\n\
         //\n\
         // Written by the tuner, together with tools/games/chess/src/search/tuned.rs, which holds the same for the\n\
         // reference search. Middle game and endgame; the search blends them once for the position at its root.\n\
         // A piece is worth its base and its table entry. Types in the order of KeyIndex: pawn, bishop, rook,\n\
         // queen, knight, king. Tables: row 0 is rank 8, seen from White; Black's are upside down.\n\
         #importonce\n\n",
    );
    let mut lists = |name: &str, list: &[Phases], names: &[&str]| {
        let _ = writeln!(text, "// {}", names.join(", "));
        for (phase, pick) in
            [("Middle", (|value| value.middle) as fn(&Phases) -> i16), ("End   ", |value| value.end)]
        {
            let list: Vec<String> = list.iter().map(|value| pick(value).to_string()).collect();
            let _ = writeln!(text, ".var {name}{phase} = List().add({}).lock()", list.join(", "));
        }
    };
    lists("Base", &values.base, &TYPES);
    lists("Term", &values.terms, &TERMS);
    for (name, tables) in [("PlaceMiddle", &values.middle), ("PlaceEnd", &values.end)] {
        let _ = writeln!(text, ".var {name} = List()");
        for (table, kind) in tables.iter().zip(TYPES) {
            let _ = writeln!(text, "// {kind}");
            for row in table.chunks(8) {
                let _ = writeln!(text, ".eval {name}.add({})", numbers(row));
            }
        }
    }
    text
}

fn numbers(row: &[i8]) -> String {
    row.iter().map(|number| format!("{number:4}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference and program have the same values: both files are what the values print. `UPDATE=1` writes them.
    #[test]
    fn files_hold_the_values() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        for (path, text) in [
            ("asm/data/values.asm", assembly(&Values::default())),
            ("tools/games/chess/src/search/tuned.rs", rust(&Values::default())),
        ] {
            let path = root.join(path);
            if std::env::var_os("UPDATE").is_some() {
                std::fs::write(&path, &text).expect("the tree is writable");
            }
            let found = std::fs::read_to_string(&path).expect("it is there");
            assert!(found == text, "{} is not what the values print", path.display());
        }
    }
}
