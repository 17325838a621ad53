//! The book on disk: the 6502 program finds every position of `asm/data/openings.txt` in the file that its hash says,
//! by any order of moves, and plays what the text says.

use std::collections::{HashMap, HashSet};

use tempo_bridge::{ChessMachine, Entry, Program, SOURCES, decode_move};
use tempo_c64::Volume;
use tempo_chess::{Board, Identity, Move, PromotionSet};
use tempo_emu::NoHooks;

mod support;

/// Looking a position up takes much less.
const LIMIT: u64 = 2_000_000;
/// The least that a book of this size is worth its blocks for.
const LEAST: usize = 3000;
/// Where the name of the opening is shown: below the level, beside the board.
const ROW: u16 = 2;
const COLUMN: u16 = 26;

/// A position, the moves that may be played in it, and the opening that it belongs to.
struct Known {
    board: Board,
    moves: HashSet<Move>,
    name: String,
}

/// Reads the text: plies kept from the line before, moves, `?` after those that are only answered, `:` before a name.
fn openings() -> HashMap<Identity, Known> {
    let (_, text) = SOURCES.iter().find(|(name, _)| *name == "data/openings.txt").expect("the text");
    let mut known: HashMap<Identity, Known> = HashMap::new();
    let mut path = vec![(Board::default(), String::new())];
    for line in std::str::from_utf8(text).expect("ASCII").lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let kept: usize = words.next().expect("a number").parse().expect("a number");
        assert!(kept < path.len(), "{line}");
        path.truncate(kept + 1);
        for word in words {
            let (word, name) = word.split_once(':').map_or((word, None), |(word, name)| (word, Some(name)));
            let (word, is_answered_only) = word.strip_suffix('?').map_or((word, false), |word| (word, true));
            let (board, before) = path.last().expect("the start").clone();
            let mv: Move = word.parse().expect("a move");
            assert!(board.is_legal(mv, PromotionSet::QueenKnight), "{line}: {mv} in {}", board.fen());
            assert!(mv.promotion.is_none(), "{line}: the program has no promotions in its book");
            let entry = known.entry(board.identity());
            let entry = entry.or_insert_with(|| Known {
                board: board.clone(),
                moves: HashSet::new(),
                name: before.clone(),
            });
            if !is_answered_only {
                entry.moves.insert(mv);
            }
            let mut after = board;
            after.play(mv);
            path.push((after, name.map_or(before, |name| name.replace('_', " "))));
        }
    }
    known.retain(|_, known| !known.moves.is_empty());
    known
}

/// A machine that has the files of the book at hand, as if they were loaded.
struct Library<'p> {
    machine: ChessMachine<'p>,
    files: Vec<Vec<u8>>,
}

impl<'p> Library<'p> {
    fn new(program: &'p Program) -> Library<'p> {
        let volume = Volume::from_d64(&support::disk()).expect("an image");
        let file = |letter: u8| {
            let name = [&b"BOOK-"[..], &[letter]].concat();
            volume.find(&name).expect("a file of the book").bytes.clone()
        };
        let files = (b'A'..=b'P').map(file).collect();
        Library { machine: ChessMachine::new(program).expect("it starts"), files }
    }

    fn place(&self, name: &'static str) -> u16 {
        self.machine.program.entry(name).unwrap_or_else(|| panic!("the program has no {name}")).address
    }

    /// The program's answer, and the name that it shows.
    fn answer(&mut self, board: &Board, seed: u8) -> Option<(Move, String)> {
        self.machine.start_game(board).expect("a position");
        let (hash, seed_at) = (self.place("ZobristHash"), self.place("BookSeed"));
        self.machine.ram[seed_at] = seed;
        let bytes = &self.files[usize::from(self.machine.ram[hash + 1] >> 4)];
        let start = u16::from_le_bytes([bytes[0], bytes[1]]);
        for (at, &byte) in (start..).zip(&bytes[2..]) {
            self.machine.ram[at] = byte;
        }
        assert_eq!(start, self.place("BookOverlay"));
        let entry = Entry { name: "BookOverlay", address: start };
        let reply = self.machine.enter(entry, 0, 0, LIMIT, &mut NoHooks).expect("it returns");
        let data = self.machine.program.data;
        reply.carry.then(|| {
            let (from, to) = (self.machine.ram[data.best_from], self.machine.ram[data.best_to]);
            let at = self.place("ScreenText") + ROW * 40 + COLUMN;
            let name: String = (at..at + 14).map(|at| char::from(self.machine.ram[at] + 32)).collect();
            (decode_move(board, from, to).expect("a move"), name.trim_end().to_owned())
        })
    }
}

#[test]
fn the_program_plays_what_the_text_says() {
    let known = openings();
    assert!(known.len() >= LEAST, "{} positions", known.len());
    let program = Program::assemble().expect("it assembles");
    let mut library = Library::new(&program);
    for (number, Known { board, moves, name }) in known.values().enumerate() {
        let fen = board.fen();
        let (mv, shown) = library.answer(board, number as u8).unwrap_or_else(|| panic!("no move in {fen}"));
        assert!(moves.contains(&mv), "{mv} in {fen}");
        assert_eq!(&shown, name, "{fen}");
    }
    for seed in 0..8 {
        let mut board = Board::default();
        // No file has these: the pawns are not where a game has them.
        for word in ["a2a3", "a7a6", "h2h3", "h7h6", "a3a4", "h6h5"] {
            board.play(word.parse().expect("a move"));
        }
        assert_eq!(library.answer(&board, seed), None);
    }
}

/// A program of another version has other addresses: the file must notice, and do nothing.
#[test]
fn a_file_of_another_version_does_nothing() {
    let program = Program::assemble().expect("it assembles");
    let mut library = Library::new(&program);
    let version = library.place("BookVersion");
    assert!(library.answer(&Board::default(), 1).is_some());
    library.machine.ram[version] ^= 1;
    assert_eq!(library.answer(&Board::default(), 1), None);
}
