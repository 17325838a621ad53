//! A game of chess in progress: the position, the positions before it, and what they mean: repetition,
//! claims, the end. Implements the core `Game` trait, so perft, search and boards work on it.

use thiserror::Error;

use super::{
    Board, Color, Identity, Move, NoMove, Piece, PieceKind, PromotionSet, Square, eval, generate, san,
};
use tempo_boardgame::{BoardView, Cell, Outcome, PieceView, Seat, Side};

/// A position with its past.
///
/// Positions compare as FIDE compares them: pieces, turn, castling rights, and en passant only if a
/// capture is legal. The comparison is exact, no hash replaces it.
#[derive(Debug, Clone)]
pub struct Game {
    board: Board,
    promotions: PromotionSet,
    /// The positions before the current one, oldest first.
    past: Vec<Identity>,
    /// Where in `past` the positions start that could still come back: after the last capture or pawn
    /// move of this game.
    reversible: usize,
}

/// How the 6502 program and `tempo moves` number the states of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameState {
    /// None of the other states.
    Normal = 0,
    /// The side to move is in check and has a legal move.
    Check = 1,
    /// The side to move is in check and has no legal move.
    Checkmate = 2,
    /// The side to move is not in check and has no legal move.
    Stalemate = 3,
    /// A hundred plies without capture or pawn move.
    DrawFifty = 4,
    /// The position has occurred three times.
    DrawRepeat = 5,
    /// No mate can arise.
    DrawMaterial = 6,
}

impl GameState {
    /// All states, by number.
    pub const ALL: [GameState; 7] = [
        GameState::Normal,
        GameState::Check,
        GameState::Checkmate,
        GameState::Stalemate,
        GameState::DrawFifty,
        GameState::DrawRepeat,
        GameState::DrawMaterial,
    ];

    /// The number of the state.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The state of this number.
    pub fn from_number(number: u8) -> Option<GameState> {
        GameState::ALL.get(usize::from(number)).copied()
    }

    /// A few words for people.
    pub fn name(self) -> &'static str {
        match self {
            GameState::Normal => "normal",
            GameState::Check => "check",
            GameState::Checkmate => "checkmate",
            GameState::Stalemate => "stalemate",
            GameState::DrawFifty => "draw by the fifty-move rule",
            GameState::DrawRepeat => "draw by repetition",
            GameState::DrawMaterial => "draw by insufficient material",
        }
    }
}

/// Why a game is over without a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move is in check and has no legal move: it has lost.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// No sequence of legal moves leads to mate.
    DeadPosition,
    /// The position has occurred five times.
    FivefoldRepetition,
    /// Seventy-five moves by each side without capture or pawn move.
    SeventyFiveMoveRule,
}

impl Ending {
    /// The word the agent protocol has for it.
    pub fn reason(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::DeadPosition => "dead_position",
            Ending::FivefoldRepetition => "fivefold_repetition",
            Ending::SeventyFiveMoveRule => "seventyfive_move_rule",
        }
    }
}

/// A draw that the side to move may claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// The position has occurred three times.
    ThreefoldRepetition,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoveRule,
}

impl Claim {
    /// Both claims.
    pub const ALL: [Claim; 2] = [Claim::ThreefoldRepetition, Claim::FiftyMoveRule];

    /// The word the agent protocol has for it.
    pub fn reason(self) -> &'static str {
        match self {
            Claim::ThreefoldRepetition => "threefold_repetition",
            Claim::FiftyMoveRule => "fifty_move_rule",
        }
    }
}

/// Why a move written down cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The text is not the UCI form of any move.
    #[error(transparent)]
    NoMove(#[from] NoMove),
    /// The move is not legal in this position.
    #[error("`{mv}` is not legal here")]
    Illegal {
        /// The move as it was written.
        mv: String,
    },
}

/// The data for [`tempo_boardgame::Game::unmake`]: the position before, and where its past could come back from.
#[derive(Debug)]
pub struct Undo {
    board: Board,
    reversible: usize,
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Board::default(), PromotionSet::All)
    }
}

impl Game {
    /// A game that starts in this position.
    pub fn new(board: Board, promotions: PromotionSet) -> Game {
        Game::with_past(board, promotions, Vec::new())
    }

    /// A game with positions before the current one, oldest first, the current one not among them.
    pub fn with_past(board: Board, promotions: PromotionSet, past: Vec<Identity>) -> Game {
        Game { board, promotions, past, reversible: 0 }
    }

    /// The current position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The pieces a pawn may become in this game.
    pub fn promotions(&self) -> PromotionSet {
        self.promotions
    }

    /// The positions before the current one.
    pub fn past(&self) -> &[Identity] {
        &self.past
    }

    /// Every legal move.
    pub fn moves(&self) -> Vec<Move> {
        self.board.legal_moves(self.promotions)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        if !self.board.is_legal(mv, self.promotions) {
            return Err(PlayError::Illegal { mv: mv.to_string() });
        }
        tempo_boardgame::Game::make(self, mv);
        Ok(())
    }

    /// Plays a move in UCI form, such as `e7e8q`.
    pub fn play_uci(&mut self, text: &str) -> Result<Move, PlayError> {
        let mv: Move = text.parse()?;
        self.play(mv)?;
        Ok(mv)
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        let now = self.board.identity();
        1 + self.past[self.reversible..].iter().filter(|&&before| before == now).count() as u32
    }

    /// The end of the game that needs no claim, if it has come.
    pub fn ending(&self) -> Option<Ending> {
        let has_moves = self.board.count_legal_moves(self.promotions) > 0;
        self.ending_given(has_moves)
    }

    fn ending_given(&self, has_moves: bool) -> Option<Ending> {
        if !has_moves {
            Some(if self.board.in_check() { Ending::Checkmate } else { Ending::Stalemate })
        } else if self.board.is_dead() {
            Some(Ending::DeadPosition)
        } else if self.occurrences() >= 5 {
            Some(Ending::FivefoldRepetition)
        } else if self.board.halfmove_clock() >= 150 {
            Some(Ending::SeventyFiveMoveRule)
        } else {
            None
        }
    }

    /// Whether the side to move may claim a draw for this reason.
    pub fn may_claim(&self, claim: Claim) -> bool {
        match claim {
            Claim::ThreefoldRepetition => self.occurrences() >= 3,
            Claim::FiftyMoveRule => self.board.halfmove_clock() >= 100,
        }
    }

    /// The state by the 6502 program's numbers: mate and stalemate first, then the draws as soon as
    /// they could be claimed, then check.
    pub fn state(&self) -> GameState {
        let in_check = self.board.in_check();
        if self.board.count_legal_moves(self.promotions) == 0 {
            if in_check { GameState::Checkmate } else { GameState::Stalemate }
        } else if self.may_claim(Claim::FiftyMoveRule) {
            GameState::DrawFifty
        } else if self.may_claim(Claim::ThreefoldRepetition) {
            GameState::DrawRepeat
        } else if self.board.is_dead() {
            GameState::DrawMaterial
        } else if in_check {
            GameState::Check
        } else {
            GameState::Normal
        }
    }

    /// A move in standard algebraic notation, such as `Nbd7+`.
    pub fn san(&self, mv: Move) -> String {
        san::write(&self.board, mv, self.promotions)
    }
}

impl Game {
    /// Whose turn it is, check, and a draw that can be claimed; nothing once the game is over.
    fn notes(&self) -> Vec<String> {
        if self.ending().is_some() {
            return Vec::new();
        }
        let check = if self.board.in_check() { ", check" } else { "" };
        let mut notes = vec![format!("{} to move{check}", self.board.turn().name())];
        if let Some(claim) = tempo_boardgame::Game::claim(self) {
            notes.push(format!("a draw can be claimed: {}", claim.replace('_', " ")));
        }
        notes
    }
}

impl tempo_boardgame::Game for Game {
    type Move = Move;
    type Undo = Undo;

    fn seat_to_move(&self) -> Seat {
        seat(self.board.turn())
    }

    fn legal_moves(&mut self, moves: &mut Vec<Move>) {
        generate::list(&self.board, self.promotions, moves);
    }

    fn count_legal_moves(&mut self) -> u64 {
        self.board.count_legal_moves(self.promotions)
    }

    fn make(&mut self, mv: Move) -> Undo {
        let undo = Undo { board: self.board.clone(), reversible: self.reversible };
        self.past.push(self.board.identity());
        self.board.play(mv);
        if self.board.halfmove_clock() == 0 {
            self.reversible = self.past.len();
        }
        undo
    }

    fn unmake(&mut self, _mv: Move, undo: Undo) {
        self.board = undo.board;
        self.reversible = undo.reversible;
        self.past.pop();
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.ending().map(|ending| self.outcome_of(ending))
    }

    fn evaluate(&self, side: Side) -> i32 {
        let score = eval::evaluate(&self.board);
        if self.side_of(self.seat_to_move()) == side { score } else { -score }
    }

    fn is_noisy(&self, mv: Move) -> bool {
        mv.promotion == Some(PieceKind::Queen) || self.board.is_capture(mv)
    }

    /// The most valuable victim first, taken by the least valuable piece; promotions with the captures.
    fn search_order(&self, mv: Move) -> i32 {
        let value = |kind: Option<PieceKind>| kind.map_or(0, eval::value);
        let won = value(self.board.kind_at(mv.to)) + value(mv.promotion);
        if won > 0 { won * 16 - value(self.board.kind_at(mv.from)) } else { 0 }
    }

    fn is_threatened(&self) -> bool {
        self.board.in_check()
    }

    /// A repetition leads nowhere new, and at a hundred plies the opponent will claim.
    fn is_as_good_as_drawn(&self) -> bool {
        self.board.halfmove_clock() == 100 || self.board.is_dead() || self.occurrences() >= 2
    }

    fn outcome_given_moves(&mut self, has_moves: bool) -> Option<Outcome> {
        self.ending_given(has_moves).map(|ending| self.outcome_of(ending))
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn spoken_move(&self, mv: Move) -> String {
        self.san(mv)
    }

    fn about(&self) -> Vec<String> {
        vec![
            "K king  Q queen  R rook  B bishop  N knight  P pawn".into(),
            "moves as people write them: e4, Nf3, exd5, O-O, e8=Q, or e2e4".into(),
            "claim       end the game as a draw, where repetition or the fifty-move rule allow it".into(),
        ]
    }

    fn claim(&self) -> Option<&'static str> {
        Claim::ALL.into_iter().find(|&claim| self.may_claim(claim)).map(Claim::reason)
    }

    fn find_move(&mut self, text: &str) -> Option<Move> {
        san::read(&self.board, text, self.promotions).ok()
    }

    fn move_squares(&self, mv: Move) -> Option<(tempo_boardgame::Square, tempo_boardgame::Square)> {
        let square = |square: Square| tempo_boardgame::Square(square.index() as u16);
        Some((square(mv.from), square(mv.to)))
    }

    fn board(&self) -> BoardView {
        let shown = |piece: Piece| PieceView {
            seat: seat(piece.color),
            symbol: piece.symbol().to_string(),
            figurine: tempo_boardgame::chess_signs(piece.kind.name()).map(|(_, figurine)| figurine),
            dimmed: false,
        };
        let cell = |square| Cell {
            pieces: self.board.piece_at(square).map(shown).into_iter().collect(),
            mark: None,
        };
        BoardView {
            columns: 8,
            rows: 8,
            cells: Square::all().map(cell).collect(),
            seats: Color::ALL.map(|color| color.name().to_string()).to_vec(),
            notes: self.notes(),
        }
    }
}

impl Game {
    fn outcome_of(&self, ending: Ending) -> Outcome {
        let reason = ending.reason();
        match ending {
            Ending::Checkmate => Outcome::Win { side: Side(seat(!self.board.turn()).0), reason },
            _ => Outcome::Draw { reason },
        }
    }
}

fn seat(color: Color) -> Seat {
    Seat(color as u8)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use tempo_boardgame::perft::perft;

    fn game(fen: &str) -> Game {
        Game::new(fen.parse().expect("a position"), PromotionSet::All)
    }

    fn play(game: &mut Game, moves: &str) {
        for mv in moves.split_whitespace() {
            game.play_uci(mv).expect("a legal move");
        }
    }

    #[test]
    fn perft_from_the_start() {
        let counts: Vec<u64> = (0..=4).map(|depth| perft(&mut Game::default(), depth)).collect();
        assert_eq!(counts, [1, 20, 400, 8902, 197_281]);
    }

    #[test]
    fn the_third_occurrence_may_be_claimed_and_the_fifth_ends() {
        let mut game = Game::default();
        let round = "g1f3 g8f6 f3g1 f6g8";
        play(&mut game, round);
        assert_eq!((game.occurrences(), game.state()), (2, GameState::Normal));
        play(&mut game, round);
        assert_eq!((game.occurrences(), game.state()), (3, GameState::DrawRepeat));
        assert!(game.may_claim(Claim::ThreefoldRepetition));
        play(&mut game, round);
        assert_eq!(game.ending(), None);
        play(&mut game, round);
        assert_eq!(game.ending(), Some(Ending::FivefoldRepetition));
    }

    #[test]
    fn a_lost_castling_right_makes_another_position() {
        let mut game = game("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        play(&mut game, "a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8");
        assert_eq!(game.occurrences(), 2);
    }

    #[test]
    fn an_en_passant_square_counts_only_if_the_capture_is_legal() {
        // No pawn can take on e3, so the position after 1. e4 comes back with the knights.
        let mut first = Game::default();
        play(&mut first, "e2e4 b8c6 g1f3 c6b8 f3g1");
        assert_eq!(first.occurrences(), 2);
        // With a black pawn on d4 the first time was another position.
        let mut second = game("rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        play(&mut second, "e2e4 b8c6 g1f3 c6b8 f3g1");
        assert_eq!(second.occurrences(), 1);
    }

    #[test]
    fn equal_positions_have_equal_keys() {
        let mut there = Game::default();
        play(&mut there, "e2e4 b8c6 g1f3");
        let mut back = Game::default();
        play(&mut back, "g1f3 b8c6 e2e4");
        assert_eq!(there.board().key(), back.board().key());
        assert_eq!(there.board().identity(), back.board().identity());
        let again: Board = back.board().fen().parse().expect("a position");
        assert_eq!(&again, back.board());
    }

    #[test]
    fn mate_comes_before_the_seventy_five_moves() {
        let mut mate = game("7k/8/6K1/8/8/8/8/R7 w - - 149 100");
        play(&mut mate, "a1a8");
        assert_eq!((mate.ending(), mate.state()), (Some(Ending::Checkmate), GameState::Checkmate));
        let mut quiet = game("7k/8/6K1/8/8/8/8/R7 w - - 149 100");
        play(&mut quiet, "a1a7");
        assert_eq!(quiet.ending(), Some(Ending::SeventyFiveMoveRule));
    }

    #[test]
    fn every_state_has_its_number() {
        for (fen, state) in [
            (super::super::START_FEN, GameState::Normal),
            ("4k3/8/8/8/8/8/8/4R2K b - - 0 1", GameState::Check),
            ("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1", GameState::Checkmate),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", GameState::Stalemate),
            ("4k3/8/8/8/8/8/8/4R2K b - - 100 80", GameState::DrawFifty),
            ("4k3/8/8/8/8/8/8/4RK2 b - - 99 80", GameState::Check),
            ("4k3/8/8/8/8/8/8/4KB2 b - - 0 1", GameState::DrawMaterial),
        ] {
            assert_eq!(game(fen).state(), state, "{fen}");
        }
        assert!(GameState::ALL.iter().enumerate().all(|(n, state)| usize::from(state.number()) == n));
    }

    #[test]
    fn dead_positions() {
        for (pieces, dead) in [
            ("4k3/8/8/8/8/8/8/4K3", true),
            ("4k3/8/8/8/8/8/8/4KN2", true),
            ("4k3/8/8/8/8/8/8/4KB2", true),
            ("2b1k3/8/8/8/8/8/8/4KB2", true),
            ("5bk1/8/8/8/8/8/8/4KB2", false),
            ("2b1k3/1b6/8/8/8/7B/8/4KB2", true),
            ("4k3/8/8/8/8/8/8/2B1KB2", false),
            ("4k3/8/8/8/8/8/8/4KNN1", false),
            ("4k1n1/8/8/8/8/8/8/4KN2", false),
            ("4k1n1/8/8/8/8/8/8/4KB2", false),
            ("4k3/8/8/8/8/8/4P3/4K3", false),
            ("4k3/8/8/8/8/8/8/4K2R", false),
        ] {
            assert_eq!(game(&format!("{pieces} w - - 0 1")).board().is_dead(), dead, "{pieces}");
        }
    }

    #[test]
    fn a_move_that_is_not_legal_is_refused() {
        let mut game = Game::default();
        assert_eq!(game.play_uci("e2e5"), Err(PlayError::Illegal { mv: "e2e5".to_string() }));
        assert!(matches!(game.play_uci("castle"), Err(PlayError::NoMove(_))));
        assert_eq!(game.board(), &Board::default());
    }
}
