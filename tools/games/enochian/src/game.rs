//! The game trait for a bare position: what perft and search see. Seats are the four armies; a seat on
//! turn is the army that commands the one whose turn it is. Offers and dice live in `session`.

use tempo_boardgame::{BoardView, Cell, Game, Mark, Outcome, Seat, Side};

use super::movegen::Duty;
use super::pieces::{Army, Kind, Move, Square, Team};
use super::play::Undo;
use super::position::{GameResult, Position};

impl Position {
    pub(super) fn army_of(seat: Seat) -> Army {
        Army::ALL[usize::from(seat.0 & 3)]
    }

    /// Lines about the position for people: whose turn, who commands whom, prisoners, the die.
    pub fn notes(&self) -> Vec<String> {
        let army = self.turn;
        let mut turn = format!("{army} to move");
        if self.commander(army) != army {
            turn += &format!(", commanded by {}", self.commander(army));
        }
        match self.duty() {
            Duty::KingMustMove => turn += ": its king is attacked and must move",
            Duty::Stalemate => turn += ": stalemated, it passes",
            Duty::Free if self.is_in_check(army) => turn += ": its king is attacked and cannot step",
            Duty::OutOfPlay => turn += ": it cannot move",
            Duty::Free => {}
        }
        let mut notes = vec![turn];
        if let Some(die) = self.die {
            let kinds: Vec<&str> = self.setup.dice.kinds(die).map(Kind::name).collect();
            notes.push(format!("the die shows {}: {}", die.face(), kinds.join(" or ")));
        }
        for army in Army::ALL {
            if let Some(captor) = self.captor(army) {
                let state = if self.is_frozen(army) { "frozen" } else { "woken" };
                notes.push(format!("{army} is {state}, its king a prisoner of {captor}"));
            }
            if self.commander(army) != army {
                notes.push(format!("{} commands {army}", self.commander(army)));
            }
        }
        if let Some(result) = self.result() {
            notes.push(result.to_string());
        }
        notes
    }
}

impl std::fmt::Display for GameResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GameResult::Win { team, reason } => write!(f, "team {team} wins ({})", reason.word()),
            GameResult::Draw { reason } => write!(f, "draw ({})", reason.word()),
        }
    }
}

impl From<GameResult> for Outcome {
    fn from(result: GameResult) -> Outcome {
        match result {
            GameResult::Win { team, reason } => {
                Outcome::Win { side: Side(team as u8), reason: reason.word() }
            }
            GameResult::Draw { reason } => Outcome::Draw { reason: reason.word() },
        }
    }
}

impl Game for Position {
    type Move = Move;
    type Undo = Undo;

    fn seat_to_move(&self) -> Seat {
        Seat(self.commander(self.turn) as u8)
    }

    fn side_of(&self, seat: Seat) -> Side {
        Side(self.setup.team(Position::army_of(seat)) as u8)
    }

    /// None once the game is over.
    fn legal_moves(&mut self, moves: &mut Vec<Move>) {
        if self.result().is_none() {
            Position::legal_moves(self, moves);
        }
    }

    fn count_legal_moves(&mut self) -> u64 {
        if self.result().is_none() { self.count_moves() } else { 0 }
    }

    fn make(&mut self, mv: Move) -> Undo {
        self.play(mv)
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.unplay(mv, undo);
    }

    fn outcome(&mut self) -> Option<Outcome> {
        self.result().map(Outcome::from)
    }

    fn evaluate(&self, side: Side) -> i32 {
        let team = self.setup.team(self.turn);
        let score = self.team_score(team) - self.team_score(team.other());
        if Side(team as u8) == side { score } else { -score }
    }

    fn is_noisy(&self, mv: Move) -> bool {
        match mv {
            Move::Pass => false,
            Move::Step { to, promotion, .. } => promotion.is_some() || self.occupied() & to.bit() != 0,
        }
    }

    fn search_order(&self, mv: Move) -> i32 {
        let Move::Step { kind, to, promotion, .. } = mv else { return 0 };
        let prey: i32 = self.pieces_on(to).iter().map(|piece| worth(piece.office.kind())).sum();
        let gain = promotion.map_or(0, |major| worth(major.kind()) - worth(Kind::Pawn));
        // The cheapest hunter of the dearest prey comes first.
        if prey + gain > 0 { 16 * (prey + gain) - worth(kind).min(900) / 10 } else { 0 }
    }

    fn is_threatened(&self) -> bool {
        self.is_in_check(self.turn)
    }

    fn move_text(&self, mv: Move) -> String {
        self.move_to_text(mv)
    }

    fn move_squares(&self, mv: Move) -> Option<(tempo_boardgame::Square, tempo_boardgame::Square)> {
        match mv {
            Move::Pass => None,
            Move::Step { from, to, .. } => Some((
                tempo_boardgame::Square(from.index() as u16),
                tempo_boardgame::Square(to.index() as u16),
            )),
        }
    }

    fn board(&self) -> BoardView {
        let cells = Square::all().map(|square| Cell {
            pieces: self
                .pieces_on(square)
                .into_iter()
                .map(|piece| tempo_boardgame::PieceView {
                    seat: Seat(piece.army as u8),
                    symbol: piece.office.kind().letter().to_string(),
                    figurine: tempo_boardgame::chess_signs(piece.office.kind().name())
                        .map(|(_, figurine)| figurine),
                    dimmed: self.is_frozen(piece.army),
                })
                .collect(),
            mark: self.setup.throne_of(square).map(|army| Mark::Zone(Seat(army as u8))),
        });
        BoardView {
            columns: 8,
            rows: 8,
            cells: cells.collect(),
            seats: Army::ALL.map(|army| army.name().to_owned()).to_vec(),
            notes: self.notes(),
        }
    }
}

/// The value of a piece, in hundredths of a pawn. A king is worth its army, not the game.
fn worth(kind: Kind) -> i32 {
    [2500, 300, 500, 280, 300, 100][kind as usize]
}

impl Position {
    /// The value of a team's pieces, in hundredths of a pawn. Frozen pieces count little: they may wake.
    fn team_score(&self, team: Team) -> i32 {
        let mut score = 0;
        for army in self.setup.armies(team) {
            let i = army.index();
            let mut pieces = 0;
            for kind in [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn] {
                pieces += worth(kind) * self.count(army, kind) as i32;
            }
            score += if self.is_frozen(army) { pieces / 4 } else { pieces };
            if self.kings[i] != 0 {
                score += worth(Kind::King);
            }
            score += self.advance_score(army) + self.centre_score(army);
        }
        score
    }

    /// Pawns gain as they near the line where they are promoted.
    fn advance_score(&self, army: Army) -> i32 {
        let zone = self.setup.camp(army).promotion;
        let pawns = self.pieces[army.index()] & self.kinds[Kind::Pawn as usize];
        super::pieces::Bits(pawns)
            .map(|square| {
                let (at, line) = match zone {
                    super::pieces::Zone::Rank(line) => (square.rank(), line),
                    super::pieces::Zone::File(line) => (square.file(), line),
                };
                3 * (7 - i32::from(at.abs_diff(line)))
            })
            .sum()
    }

    fn centre_score(&self, army: Army) -> i32 {
        const CENTRE: u64 = 0x0000_3c3c_3c3c_0000;
        let officers = self.pieces[army.index()] & !self.kinds[Kind::Pawn as usize];
        8 * (officers & CENTRE).count_ones() as i32
    }
}
