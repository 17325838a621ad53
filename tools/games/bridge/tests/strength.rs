//! Abilities that the program must have: find mates, win won endings, beat a random mover, keep to its budget.
//! A few of each; `tempo match` plays the long runs.

use tempo_bridge::contest::{self, Adjudication, Choice, Opening, Player, Table};
use tempo_bridge::search::{Limits, Report, Score};
use tempo_bridge::{ChessMachine, Program, epd};
use tempo_chess::{Board, Color, Game, Move, Piece, PieceKind, PromotionSet, Setup, Square};
use tempo_random::Random;

/// A move of a tournament: 25 seconds of a PAL C64.
const TOURNAMENT: u64 = 24_600_000;

/// Whether the side to move can force mate in this many moves, by trying everything.
fn mates(board: &Board, moves: u32) -> bool {
    let mut list = board.legal_moves(PromotionSet::All);
    // Checks first: they are most of the answers.
    list.sort_by_key(|&mv| !after(board, mv).in_check());
    list.into_iter().any(|mv| {
        let reply = after(board, mv);
        // The last move of a mate gives check.
        (moves > 1 || reply.in_check()) && is_mated(&reply, moves)
    })
}

/// Whether the side to move is mated, or whatever it plays is mated in one move less.
fn is_mated(board: &Board, moves: u32) -> bool {
    let list = board.legal_moves(PromotionSet::All);
    if list.is_empty() {
        return board.in_check();
    }
    moves > 1 && list.into_iter().all(|mv| mates(&after(board, mv), moves - 1))
}

fn after(board: &Board, mv: Move) -> Board {
    let mut after = board.clone();
    after.play(mv);
    after
}

fn think(machine: &mut ChessMachine<'_>, board: &Board, past: &[Board], limits: Limits) -> Report {
    machine.continue_game(board, past).expect("a position");
    machine.best_move(board, limits).expect("it answers")
}

fn solve(file: &str, moves: u32) {
    let (entries, faults) =
        epd::parse(&tempo_testing::text(&tempo_testing::fixtures().join("positions").join(file)));
    assert_eq!((faults.len(), entries.len()), (0, 30), "{file}");
    let program = Program::assemble().expect("it assembles");
    let mut missed = Vec::new();
    for entry in entries {
        assert!(mates(&entry.board, moves), "line {}: no mate in {moves}", entry.line);
        assert!(!mates(&entry.board, moves - 1), "line {}: mate sooner", entry.line);
        let mut machine = ChessMachine::new(&program).expect("it starts");
        machine.new_game().expect("it forgets");
        let limits = Limits { cycles: TOURNAMENT, ..Limits::default() };
        let found = think(&mut machine, &entry.board, &[], limits);
        let keeps = found.best.is_some_and(|mv| is_mated(&after(&entry.board, mv), moves));
        if !keeps || found.score != Some(Score::Mate(moves as i32)) {
            missed.push(format!("line {}: {:?} {:?}", entry.line, found.best, found.score));
        }
    }
    assert!(missed.is_empty(), "{file}: {}", missed.join(", "));
}

#[test]
fn mates_in_two_are_found() {
    solve("mate-in-2.epd", 2);
}

#[test]
fn mates_in_three_are_found() {
    solve("mate-in-3.epd", 3);
}

/// A position with White's king and pieces against a bare king, somewhere, White to move.
fn placement(pieces: &[PieceKind], random: &mut Random) -> Board {
    loop {
        let mut setup = Setup { squares: [None; 64], turn: Color::White, ..Setup::default() };
        let mut squares: Vec<Square> = Square::all().collect();
        random.shuffle(&mut squares);
        let placed = [(Color::White, PieceKind::King), (Color::Black, PieceKind::King)]
            .into_iter()
            .chain(pieces.iter().map(|&kind| (Color::White, kind)));
        for ((color, kind), square) in placed.zip(&squares) {
            setup.squares[square.index()] = Some(Piece { color, kind });
        }
        let shades: Vec<bool> = setup
            .squares
            .iter()
            .enumerate()
            .filter(|(_, piece)| piece.is_some_and(|piece| piece.kind == PieceKind::Bishop))
            .map(|(index, _)| (index / 8 + index) % 2 == 0)
            .collect();
        let alike = shades.len() == 2 && shades[0] == shades[1];
        if let Ok(board) = setup.board()
            && !alike
            && board.count_legal_moves(PromotionSet::All) > 0
        {
            return board;
        }
    }
}

/// Plays both sides with the program until mate; the number of plies, or `None` if it is not won.
fn plies_to_mate(program: &Program, board: Board, cycles: u64) -> Option<u32> {
    let mut machine = ChessMachine::new(program).expect("it starts");
    let mut game = Game::new(board, PromotionSet::QueenKnight);
    let mut past = Vec::new();
    for ply in 0..120 {
        match game.ending() {
            Some(tempo_chess::Ending::Checkmate) => return Some(ply),
            Some(_) => return None,
            None => {}
        }
        let limits = Limits { cycles, ..Limits::default() };
        let mv = think(&mut machine, game.board(), &past, limits).best?;
        past.push(game.board().clone());
        game.play(mv).ok()?;
    }
    None
}

fn wins(pieces: &[PieceKind], placements: u64, cycles: u64) {
    let program = Program::assemble().expect("it assembles");
    let mut random = Random::new(16);
    for number in 0..tempo_testing::rounds(placements) {
        let board = placement(pieces, &mut random);
        let fen = board.fen();
        assert!(plies_to_mate(&program, board, cycles).is_some(), "placement {number} is not won: {fen}");
    }
}

/// FUZZ=20 tries twenty placements of each.
#[test]
fn bare_kings_are_mated() {
    wins(&[PieceKind::Queen], 1, 3_000_000);
    wins(&[PieceKind::Rook], 1, 3_000_000);
    wins(&[PieceKind::Bishop, PieceKind::Bishop], 1, 3_000_000);
}

/// One placement at a few seconds a move; FUZZ=20 tries twenty at a tournament's.
#[test]
fn a_bare_king_is_mated_by_bishop_and_knight() {
    let cycles = if tempo_testing::rounds(1) > 1 { TOURNAMENT } else { 3_000_000 };
    wins(&[PieceKind::Bishop, PieceKind::Knight], 1, cycles);
}

/// Two in a hundred, also where a budget is hardly more than the start of a search takes.
#[test]
fn small_budgets_are_kept() {
    let (entries, _) =
        epd::parse(&tempo_testing::text(&tempo_testing::fixtures().join("positions/tricky.epd")));
    let program = Program::assemble().expect("it assembles");
    let mut machine = ChessMachine::new(&program).expect("it starts");
    let every = if tempo_testing::rounds(1) > 1 { 1 } else { 8 };
    for entry in entries.iter().step_by(every) {
        for cycles in [300_000, 400_000, 600_000] {
            let spent = think(&mut machine, &entry.board, &[], Limits { cycles, ..Limits::default() }).cycles;
            assert!(spent <= cycles + cycles / 50, "{spent} of {cycles}: {}", entry.board.fen());
        }
    }
}

struct Program6502<'p> {
    machine: ChessMachine<'p>,
    cycles: u64,
    longest: u64,
}

impl Player for Program6502<'_> {
    fn new_game(&mut self) -> Result<(), String> {
        self.machine.new_game().map_err(|err| err.to_string())
    }

    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, String> {
        let limits = Limits { cycles: self.cycles, book: Some(9), ..Limits::default() };
        let found = think(&mut self.machine, table.board, table.past, limits);
        self.longest = self.longest.max(found.cycles);
        found.best.map(Choice::from).ok_or_else(|| format!("no move in {}", table.board.fen()))
    }
}

struct Aimless(Random);

impl Player for Aimless {
    fn new_game(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn choose(&mut self, table: &Table<'_>) -> Result<Choice, String> {
        let moves = table.board.legal_moves(PromotionSet::All);
        Ok(Choice::from(*self.0.pick(&moves)))
    }
}

/// `tempo match 'c64 cycles=1M' random --pairs 50` plays a hundred.
#[test]
fn a_random_mover_is_beaten_without_an_overrun() {
    const CYCLES: u64 = 1_000_000;
    let program = Program::assemble().expect("it assembles");
    let machine = ChessMachine::new(&program).expect("it starts");
    let mut ours = Program6502 { machine, cycles: CYCLES, longest: 0 };
    for seed in 0..tempo_testing::rounds(3) {
        let mut theirs = Aimless(Random::new(seed));
        let finished = if seed % 2 == 0 {
            contest::play(&Opening::start(), &mut ours, &mut theirs, Adjudication::none())
        } else {
            contest::play(&Opening::start(), &mut theirs, &mut ours, Adjudication::none())
        }
        .expect("no thread fails");
        let winner = if seed % 2 == 0 { Color::White } else { Color::Black };
        assert_eq!(
            finished.record.result,
            tempo_chess::pgn::Outcome::win(winner),
            "{seed}: {}",
            finished.reason
        );
    }
    assert!(ours.longest <= CYCLES, "{}", ours.longest);
}
