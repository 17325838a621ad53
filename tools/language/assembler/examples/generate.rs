//! Prints a generated program: `cargo run -p tempo-assembler --example generate -- plain 1000000 > big.asm`.

#[path = "../benches/programs.rs"]
mod programs;

use std::io::Write;

fn main() {
    let mut words = std::env::args().skip(1);
    let kind = words.next().and_then(|name| programs::Kind::ALL.into_iter().find(|kind| kind.name() == name));
    let lines = words.next().and_then(|count| count.parse().ok());
    let (Some(kind), Some(lines)) = (kind, lines) else {
        eprintln!("usage: generate plain|script|macro LINES");
        std::process::exit(2);
    };
    // A reader that has gone away is not an error.
    let _ = std::io::stdout().write_all(programs::program(kind, lines).as_bytes());
}
