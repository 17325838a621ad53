//! The games on the program's disk: the rules read them, and so does the C64.

#![allow(clippy::disallowed_methods, reason = "a test reads its fixtures")]

use std::fs;

use tempo_bridge::{ChessMachine, Program};
use tempo_chess::{Board, pgn};
use tempo_emu::NoHooks;

/// Reading the longest game takes much less.
const LIMIT: u64 = 200_000_000;
/// Letters of a name that the program shows and takes.
const NAME_MOST: usize = 12;
/// Names that fit on the pages beside the board.
const ROWS: usize = 80;

#[test]
fn games_on_the_disk_are_read_by_rules_and_program() {
    let folder = tempo_testing::root().join("asm/games");
    let disk = tempo_testing::text(&tempo_testing::root().join("asm/disk.asm"));
    let program = Program::assemble().expect("the program assembles");
    let place =
        |name: &'static str| program.entry(name).unwrap_or_else(|| panic!("the program has no {name}"));
    let (mut count, mut famous, mut studies) = (0, 0, 0);
    for path in tempo_testing::files_with_extension(&folder, "pgn") {
        let name = tempo_testing::stem(&path);
        let imported = format!(".import binary \"games/{name}.pgn\"");
        let listed = format!("[name=\"{}\", type=\"seq\", segments=", name.to_uppercase());
        assert!(disk.contains(&imported) && disk.contains(&listed), "disk.asm lacks {name}");
        assert!(name.len() <= NAME_MOST, "{name}");

        let text = fs::read_to_string(&path).expect("a game");
        let (games, faults) = pgn::read(&text);
        assert!(faults.is_empty() && games.len() == 1, "{name}: {faults:?}");
        let game = games[0].game();
        match games[0].start == Board::default() {
            true => famous += 1,
            false => studies += 1,
        }

        let mut machine = ChessMachine::new(&program).expect("the program starts");
        let start = place("TextStart").address;
        for (at, &byte) in text.as_bytes().iter().enumerate() {
            machine.ram[start + at as u16] = byte;
        }
        let [low, high] = (start + text.len() as u16).to_le_bytes();
        let end = place("TextEnd").address;
        (machine.ram[end], machine.ram[end + 1]) = (low, high);
        machine.enter(place("PlayText"), 0, 0, LIMIT, &mut NoHooks).expect("it returns");
        assert_eq!(machine.ram[place("WrongMove").address], 0, "{name}");
        assert_eq!(usize::from(machine.ram[place("GamePly").address]), games[0].moves.len(), "{name}");
        let board = machine.board().expect("a position");
        assert_eq!(board.fen(), game.board().fen(), "{name}");
        count += 1;
    }
    assert!(famous >= 20 && studies >= 40, "{famous} games, {studies} studies");
    assert_eq!(count, disk.matches("type=\"seq\"").count(), "every game on the disk is there");
    assert!(count <= ROWS, "{count} names do not fit on the pages");
}
