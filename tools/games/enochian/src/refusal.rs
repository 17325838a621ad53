//! Moves as text, and the reason why a move is refused.
//! Knows the letters and every rule a move can break; it changes nothing.

use std::fmt;

use thiserror::Error;

use super::geometry::{self, advance, bishop_sight, rook_sight, strikes};
use super::movegen::Duty;
use super::pieces::{Army, Kind, Major, Move, Office, Piece, Square, System};
use super::position::Position;

/// Why a move is not played, in the user's words, with the rule in brackets: its short name, and the row of the readings in
/// `docs/enochian.md` if the rule has several readings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The text has not the form of a move.
    #[error("`{}` is not a move: write letter, from, - or x, to, such as Ke1-e2 or Pd7xe8=N; or pass", .0.escape_debug())]
    NotAMove(String),
    /// The piece belongs to an army that is not on turn.
    #[error("{army} is not on turn, {turn} is [out-of-turn]")]
    OutOfTurn {
        /// Its army.
        army: Army,
        /// The army on turn.
        turn: Army,
    },
    /// The army is frozen.
    #[error("{0} is frozen: its king is a prisoner and no army has seized its throne [frozen]")]
    Frozen(Army),
    /// No such piece is there.
    #[error("no {kind} of {army} is on {square} [no-such-piece]", kind = kind.name())]
    NoSuchPiece {
        /// The kind that was written.
        kind: Kind,
        /// The army on turn.
        army: Army,
        /// The square that was written.
        square: Square,
    },
    /// The die lets other kinds move.
    #[error("the die shows {face}, which moves only {allowed} [against-the-die, reading N20]")]
    AgainstTheDie {
        /// The face it shows.
        face: u8,
        /// The kinds it lets move.
        allowed: String,
    },
    /// The king is in check and can move, so it must.
    #[error("the king of {army} on {square} is attacked and can step, so it must move [king-must-move]")]
    KingMustMove {
        /// Its army.
        army: Army,
        /// Its square.
        square: Square,
    },
    /// The army has no move that leaves its king unattacked.
    #[error("{0} is stalemated: no move leaves its king unattacked, so it passes [stalemate, reading N12]")]
    Stalemated(Army),
    /// The army has a legal move.
    #[error("{0} has a legal move, so it may not pass [no-pass]")]
    MayNotPass(Army),
    /// The goal is held by a piece of the same team.
    #[error("{square} is held by {army}, of the own team [own-team, reading N9]")]
    OwnTeam {
        /// The goal.
        square: Square,
        /// The army that holds it.
        army: Army,
    },
    /// The goal is held by a frozen piece.
    #[error(
        "{square} is held by a frozen piece of {army}, which can neither be taken nor joined [frozen-prey]"
    )]
    FrozenPrey {
        /// The goal.
        square: Square,
        /// The army that holds it.
        army: Army,
    },
    /// Pieces of this kind do not take each other.
    #[error("a {name} never takes a {name} [same-kind]", name = .0.name())]
    SameKind(Kind),
    /// Hunter and prey belong to different diagonal systems.
    #[error("the {hunter} is of {hunting}, the {prey} of {hunted}: they take each other only within one system [other-system, reading N7]", hunter = hunter.name(), prey = prey.name())]
    OtherSystem {
        /// The kind that moves.
        hunter: Kind,
        /// Its system.
        hunting: System,
        /// The kind on the goal.
        prey: Kind,
        /// Its system.
        hunted: System,
    },
    /// The piece is on a square that is not of its system.
    #[error(
        "the bishop on {square} belongs to {system} but is not on one of its squares, so it cannot move [off-system, reading N7]"
    )]
    OffSystem {
        /// The square.
        square: Square,
        /// Its system.
        system: System,
    },
    /// The piece does not move like that, or something is in the way.
    #[error("a {kind} does not go from {from} to {to} here [unreachable]", kind = kind.name())]
    Unreachable {
        /// Its kind.
        kind: Kind,
        /// Its square.
        from: Square,
        /// Where it should go.
        to: Square,
    },
    /// The king would step into check.
    #[error(
        "{square} is attacked, and a king that is not attacked may not go there [enters-check, reading N11, switched on]"
    )]
    EntersCheck {
        /// The goal.
        square: Square,
    },
    /// The move is legal, but must be written in another way.
    #[error("{text} {why}: write {expected} [notation]")]
    Notation {
        /// The text that was written.
        text: String,
        /// The fault.
        why: &'static str,
        /// How to write it.
        expected: String,
    },
}

impl Position {
    /// A move of this position in text: `Ke1-e2`, `Pd7xe8=N`, `pass`.
    pub fn move_to_text(&self, mv: Move) -> String {
        let Move::Step { kind, from, to, promotion } = mv else { return "pass".to_owned() };
        let enemies = self.setup.armies(self.setup.team(self.turn).other());
        let takes = enemies.iter().any(|&army| self.all_of(army) & to.bit() != 0);
        MoveText { kind, from, takes, to, promotion }.to_string()
    }

    /// The legal moves as text, sorted; `pass` alone when the army passes.
    pub fn legal_move_texts(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mut texts: Vec<String> = moves.into_iter().map(|mv| self.move_to_text(mv)).collect();
        texts.sort();
        texts
    }

    /// The legal move this text names, or the rule that refuses it.
    pub fn parse_move(&self, text: &str) -> Result<Move, Refusal> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        match moves.into_iter().find(|&mv| self.move_to_text(mv) == text) {
            Some(mv) => Ok(mv),
            None => Err(self.refuse(text)),
        }
    }

    /// Why the text is not a legal move here. Asks the rules in the order of a turn.
    fn refuse(&self, text: &str) -> Refusal {
        let army = self.turn;
        if text == "pass" {
            return Refusal::MayNotPass(army);
        }
        let Some(wanted) = MoveText::parse(text) else {
            return Refusal::NotAMove(text.chars().take(40).collect());
        };
        if let Some(refusal) = self.refuse_mover(&wanted) {
            return refusal;
        }
        if let Some(refusal) = self.refuse_goal(&wanted) {
            return refusal;
        }
        let king = self.king_square(army);
        match (self.duty(), king) {
            (Duty::KingMustMove, Some(square)) if wanted.kind != Kind::King => {
                return Refusal::KingMustMove { army, square };
            }
            (Duty::Stalemate, _) => return Refusal::Stalemated(army),
            _ => {}
        }
        if let Some(die) = self.die
            && !self.setup.dice.allows(die, wanted.kind)
        {
            let names: Vec<&str> = self.setup.dice.kinds(die).map(Kind::name).collect();
            return Refusal::AgainstTheDie { face: die.face(), allowed: names.join(" or ") };
        }
        // The step itself is possible: what remains is how it was written, or the switch of N11.
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let meant = moves.into_iter().find(|mv| {
            matches!(*mv, Move::Step { kind, from, to, .. } if (kind, from, to) == (wanted.kind, wanted.from, wanted.to))
        });
        match meant {
            None => Refusal::EntersCheck { square: wanted.to },
            Some(mv) => self.refuse_notation(text, &wanted, mv),
        }
    }

    fn refuse_mover(&self, wanted: &MoveText) -> Option<Refusal> {
        let army = self.turn;
        let on_square = self.pieces_on(wanted.from);
        let of_kind: Vec<&Piece> =
            on_square.iter().filter(|piece| piece.office.kind() == wanted.kind).collect();
        if let Some(piece) = of_kind.iter().find(|piece| piece.army == army) {
            if self.is_frozen(army) {
                return Some(Refusal::Frozen(army));
            }
            return match piece.office {
                Office::Bishop(system) if System::of(wanted.from) != system => {
                    Some(Refusal::OffSystem { square: wanted.from, system })
                }
                _ => None,
            };
        }
        Some(match of_kind.first() {
            Some(piece) if self.is_frozen(piece.army) => Refusal::Frozen(piece.army),
            Some(piece) => Refusal::OutOfTurn { army: piece.army, turn: army },
            None => Refusal::NoSuchPiece { kind: wanted.kind, army, square: wanted.from },
        })
    }

    /// Whether the piece may go to the goal at all, whatever check and dice say.
    fn refuse_goal(&self, wanted: &MoveText) -> Option<Refusal> {
        let &MoveText { kind, from, to, .. } = wanted;
        let army = self.turn;
        let occupied = self.occupied();
        let forward = self.setup.forward(army);
        let on_goal = self.pieces_on(to);
        let reach = match kind {
            Kind::King => geometry::KING.from(from),
            Kind::Queen => geometry::QUEEN.from(from),
            Kind::Rook => rook_sight(from, occupied),
            Kind::Bishop => bishop_sight(from, occupied),
            Kind::Knight => geometry::KNIGHT.from(from),
            Kind::Pawn if on_goal.is_empty() => advance(forward, from.bit()),
            Kind::Pawn => strikes(forward, from),
        };
        if reach & to.bit() == 0 {
            return Some(Refusal::Unreachable { kind, from, to });
        }
        if let Some(piece) = on_goal.iter().find(|piece| self.setup.team(piece.army) == self.setup.team(army))
        {
            return Some(Refusal::OwnTeam { square: to, army: piece.army });
        }
        if let Some(piece) = on_goal.iter().find(|piece| self.is_frozen(piece.army)) {
            return Some(Refusal::FrozenPrey { square: to, army: piece.army });
        }
        let [prey] = on_goal.as_slice() else { return None };
        let hunter = self
            .pieces_on(from)
            .into_iter()
            .find(|piece| piece.army == army && piece.office.kind() == kind)?;
        match (hunter.office, prey.office) {
            (Office::Queen(_), Office::Queen(_)) | (Office::Bishop(_), Office::Bishop(_)) => {
                Some(Refusal::SameKind(kind))
            }
            (Office::Queen(hunting), Office::Bishop(hunted))
            | (Office::Bishop(hunting), Office::Queen(hunted))
                if hunting != hunted =>
            {
                Some(Refusal::OtherSystem { hunter: kind, hunting, prey: prey.office.kind(), hunted })
            }
            _ => None,
        }
    }

    fn refuse_notation(&self, text: &str, wanted: &MoveText, meant: Move) -> Refusal {
        let expected = self.move_to_text(meant);
        let promotion = match meant {
            Move::Step { promotion, .. } => promotion,
            Move::Pass => None,
        };
        let why = if expected.contains('x') != wanted.takes {
            if wanted.takes { "takes nothing" } else { "takes a piece" }
        } else {
            match (promotion, wanted.promotion) {
                (None, Some(_)) => "does not promote",
                (Some(_), None) => "promotes",
                _ => "promotes to the pawn's patron alone, for it is not privileged (N6)",
            }
        };
        Refusal::Notation { text: text.to_owned(), why, expected }
    }
}

/// A move as written, not yet compared with any position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MoveText {
    kind: Kind,
    from: Square,
    takes: bool,
    to: Square,
    promotion: Option<Major>,
}

impl MoveText {
    fn parse(text: &str) -> Option<MoveText> {
        if !text.is_ascii() || !(text.len() == 6 || text.len() == 8) {
            return None;
        }
        let promotion = match text.get(6..) {
            Some("") => None,
            Some(tail) => Some(Major::from_letter(tail.strip_prefix('=')?.chars().next()?)?),
            None => return None,
        };
        Some(MoveText {
            kind: Kind::from_letter(text.chars().next()?)?,
            from: Square::parse(&text[1..3])?,
            takes: match &text[3..4] {
                "-" => false,
                "x" => true,
                _ => return None,
            },
            to: Square::parse(&text[4..6])?,
            promotion,
        })
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.takes { 'x' } else { '-' };
        write!(f, "{}{}{sign}{}", self.kind.letter(), self.from, self.to)?;
        match self.promotion {
            Some(major) => write!(f, "={}", major.letter()),
            None => Ok(()),
        }
    }
}
