//! Every legal move of random positions, made as a person makes it: with the cursor, by the names of two squares, and by
//! its name in algebraic notation. The position that each way leads to is compared with the reference's.
//! `FUZZ=100 cargo test --release -p tempo-bridge --test moves_by_hand` tries 2,000 positions.

use tempo_bridge::{ChessMachine, Program, x88};
use tempo_chess::{Board, Move, PromotionSet, san};
use tempo_emu::NoHooks;
use tempo_random::Random;

/// Codes of `asm/ui/input.asm`, which only has them as constants.
const KEY_RETURN: u8 = 0x0d;
const KEY_F3: u8 = 0x8a;
/// The usual number of positions, and the most plies that lead to one.
const POSITIONS: u64 = 20;
const PLIES: u64 = 160;
/// Drawing the board and the panel takes much less.
const LIMIT: u64 = 20_000_000;

/// The screen program without its picture and its interrupt: keys are handed to the routine that the loop calls.
struct Screen<'p> {
    machine: ChessMachine<'p>,
}

impl<'p> Screen<'p> {
    fn new(program: &'p Program) -> Screen<'p> {
        let mut screen = Screen { machine: ChessMachine::new(program).expect("the program starts") };
        // Both players are persons.
        let players = screen.place("Players");
        screen.machine.ram[players] = 0;
        screen.machine.ram[players + 1] = 0;
        screen
    }

    fn place(&self, name: &'static str) -> u16 {
        self.machine.program.entry(name).unwrap_or_else(|| panic!("the program has no {name}")).address
    }

    fn set(&mut self, name: &'static str, value: u8) {
        let place = self.place(name);
        self.machine.ram[place] = value;
    }

    fn call(&mut self, name: &'static str, a: u8) {
        let entry = self.machine.program.entry(name).unwrap_or_else(|| panic!("the program has no {name}"));
        self.machine.enter(entry, a, 0, LIMIT, &mut NoHooks).expect("it returns");
    }

    fn begin(&mut self, board: &Board) {
        self.machine.set_position(board);
        self.call("BeginSetUp", 0);
        self.call("Begun", 0);
    }

    fn press(&mut self, keys: &[u8]) {
        for &key in keys {
            self.call("Dispatch", key);
        }
    }

    /// Puts the cursor on a square, and presses fire there.
    fn fire(&mut self, square: u8) {
        self.set("Cursor", square);
        self.press(&[KEY_RETURN]);
    }

    /// Placement, side, rights, en passant and clock.
    fn position(&self) -> String {
        shown(&self.machine.board().expect("a position"))
    }
}

/// The fields of a FEN but the number of the move, which a game from a set-up position counts from 1.
fn shown(board: &Board) -> String {
    let fen = board.fen();
    fen.rsplit_once(' ').expect("six fields").0.to_owned()
}

/// A position that random moves lead to, with a legal move.
fn position(random: &mut Random) -> Board {
    let mut board = Board::default();
    for _ in 0..random.below(PLIES) {
        let mut next = board.clone();
        next.play(*random.pick(&board.legal_moves(PromotionSet::All)));
        if next.legal_moves(PromotionSet::All).is_empty() || next.halfmove_clock() > 90 {
            break;
        }
        board = next;
    }
    board
}

fn try_position(screen: &mut Screen<'_>, board: &Board) {
    screen.begin(board);
    let before = screen.position();
    for mv in board.legal_moves(PromotionSet::All) {
        let mut after = board.clone();
        after.play(mv);
        let expected = shown(&after);
        for way in [point, type_squares, type_name] {
            let text = way(screen, board, mv);
            assert_eq!(screen.position(), expected, "{text} in {}", board.fen());
            screen.press(&[KEY_F3]);
            assert_eq!(screen.position(), before, "{text} taken back in {}", board.fen());
        }
    }
}

fn point(screen: &mut Screen<'_>, _board: &Board, mv: Move) -> String {
    if let Some(kind) = mv.promotion {
        // The answer to the question that will be asked.
        screen.set("Key", kind.letter().to_ascii_lowercase() as u8);
    }
    screen.fire(x88(mv.from));
    screen.fire(x88(mv.to));
    format!("{mv} by cursor")
}

fn type_squares(screen: &mut Screen<'_>, _board: &Board, mv: Move) -> String {
    type_text(screen, &mv.to_string())
}

fn type_name(screen: &mut Screen<'_>, board: &Board, mv: Move) -> String {
    type_text(screen, &san::write(board, mv, PromotionSet::All))
}

fn type_text(screen: &mut Screen<'_>, text: &str) -> String {
    screen.press(text.as_bytes());
    screen.press(&[KEY_RETURN]);
    format!("{text:?} typed")
}

#[test]
fn every_legal_move_of_random_positions() {
    let program = Program::assemble().expect("the program assembles");
    let mut screen = Screen::new(&program);
    for round in tempo_testing::tries(POSITIONS) {
        let mut random = Random::stream(tempo_testing::seed(), round);
        try_position(&mut screen, &position(&mut random));
    }
}

/// Moves to a8, the square with the number 0, by pieces that have no other move or try this one first.
#[test]
fn every_legal_move_of_pieces_that_reach_a8() {
    let program = Program::assemble().expect("the program assembles");
    let mut screen = Screen::new(&program);
    for fen in [
        "7k/R6p/8/8/8/8/7P/K7 w - - 0 1",
        "7k/P6p/8/8/8/8/7P/K7 w - - 0 1",
        "1n5k/P6p/8/8/8/8/7P/K7 w - - 0 1",
        "7k/7p/1N6/8/8/8/7P/K7 w - - 0 1",
        "7k/2N4p/8/8/8/8/7P/K7 w - - 0 1",
        "8/k6p/8/8/8/8/7P/K7 b - - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "7k/7p/8/8/4B3/8/8/K7 w - - 0 1",
    ] {
        try_position(&mut screen, &fen.parse().expect("a position"));
    }
}
