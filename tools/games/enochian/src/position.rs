//! A position: pieces as bit sets with a mailbox beside them, whose turn it is, who is frozen, captive
//! and commanded. Knows how pieces stand on the board; how they move is in `movegen`, what a move does in `play`.

use std::sync::Arc;

use super::pieces::{Army, Bits, Kind, Major, Office, Piece, Square, System, Team};
use super::setup::{Die, Setup};

/// A piece that is not a king, packed: army in bits 0–1, kind in bits 2–4, patron or system in bits 5–6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Code(u8);

impl Code {
    pub(super) const NONE: Code = Code(0xff);

    pub(super) fn new(army: Army, office: Office) -> Code {
        let extra = match office {
            Office::Queen(system) | Office::Bishop(system) => system as u8,
            Office::Pawn(patron) => patron as u8,
            Office::King | Office::Rook | Office::Knight => 0,
        };
        Code(army as u8 | (office.kind() as u8) << 2 | extra << 5)
    }

    #[inline]
    pub(super) fn army(self) -> Army {
        Army::ALL[usize::from(self.0 & 3)]
    }

    #[inline]
    fn kind_index(self) -> usize {
        usize::from(self.0 >> 2 & 7)
    }

    pub(super) fn office(self) -> Office {
        match self.kind_index() {
            1 => Office::Queen(self.system()),
            2 => Office::Rook,
            3 => Office::Bishop(self.system()),
            4 => Office::Knight,
            5 => Office::Pawn(self.patron()),
            _ => Office::King,
        }
    }

    fn system(self) -> System {
        System::ALL[usize::from(self.0 >> 5 & 1)]
    }

    #[inline]
    pub(super) fn patron(self) -> Major {
        Major::ALL[usize::from(self.0 >> 5 & 3)]
    }
}

/// A position of the game.
///
/// Invariants: every square holds at most one piece that is not a king; a square with two pieces is a king
/// with one piece of its team; an army has at most one king.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    pub(super) setup: Arc<Setup>,
    pub(super) kings: [u64; 4],
    /// The pieces of each army, its king left out.
    pub(super) pieces: [u64; 4],
    /// Pieces of all armies by kind; the entry of the kings stays empty.
    pub(super) kinds: [u64; 6],
    /// Queens and bishops attached to Aries.
    pub(super) aries: u64,
    pub(super) mail: [Code; 64],
    pub(super) order: [Army; 4],
    pub(super) turn: Army,
    /// One bit an army.
    pub(super) frozen: u8,
    /// The captor of each army's king, while it is a prisoner.
    pub(super) captors: [Option<Army>; 4],
    pub(super) commanders: [Army; 4],
    pub(super) die: Option<Die>,
}

impl Position {
    /// A board without pieces; `Draft` is the way to a position that keeps the rules.
    pub(super) fn empty(setup: Arc<Setup>, order: [Army; 4]) -> Position {
        Position {
            setup,
            kings: [0; 4],
            pieces: [0; 4],
            kinds: [0; 6],
            aries: 0,
            mail: [Code::NONE; 64],
            order,
            turn: order[0],
            frozen: 0,
            captors: [None; 4],
            commanders: Army::ALL,
            die: None,
        }
    }

    /// The state that lasts through the game.
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// The order of turns.
    pub fn turn_order(&self) -> [Army; 4] {
        self.order
    }

    /// The army on turn.
    pub fn turn(&self) -> Army {
        self.turn
    }

    /// The die that rules the next move, in a game with divination.
    pub fn die(&self) -> Option<Die> {
        self.die
    }

    /// Sets how often a die that lets nothing move is thrown again.
    pub fn set_retries(&mut self, retries: u32) {
        Arc::make_mut(&mut self.setup).retries = retries;
    }

    /// Sets or clears the die that rules the army's next move.
    pub fn set_die(&mut self, die: Option<Die>) {
        self.die = die;
    }

    /// Whether the army's king is captured and no one commands the army.
    #[inline]
    pub fn is_frozen(&self, army: Army) -> bool {
        self.frozen & army.bit() != 0
    }

    /// Who holds this army's king prisoner.
    pub fn captor(&self, army: Army) -> Option<Army> {
        self.captors[army.index()]
    }

    /// Who decides for this army: itself, or the ally whose king seized its throne.
    pub fn commander(&self, army: Army) -> Army {
        self.commanders[army.index()]
    }

    /// Where the king of an army stands, if it is on the board.
    pub fn king_square(&self, army: Army) -> Option<Square> {
        Bits(self.kings[army.index()]).next()
    }

    /// The pieces on a square: none, one, or a king and the piece that shares its throne.
    pub fn pieces_on(&self, square: Square) -> Vec<Piece> {
        let kings = Army::ALL.into_iter().filter(|army| self.kings[army.index()] & square.bit() != 0);
        let mut pieces: Vec<Piece> = kings.map(|army| Piece { army, office: Office::King }).collect();
        if let code @ Code(0..=0x7f) = self.mail[square.index()] {
            pieces.push(Piece { army: code.army(), office: code.office() });
        }
        pieces
    }

    /// Every piece with its square, by square index, a king before the piece it shares with.
    pub fn all_pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().flat_map(|square| self.pieces_on(square).into_iter().map(move |piece| (square, piece)))
    }

    /// How many pieces of this kind an army has.
    pub fn count(&self, army: Army, kind: Kind) -> u32 {
        match kind {
            Kind::King => self.kings[army.index()].count_ones(),
            _ => (self.pieces[army.index()] & self.kinds[kind as usize]).count_ones(),
        }
    }

    /// Whether the army has a king or any other piece on the board.
    pub fn has_pieces(&self, army: Army) -> bool {
        self.all_of(army) != 0
    }

    /// Whether the army takes its turns: not frozen, and pieces to move.
    pub fn is_in_play(&self, army: Army) -> bool {
        !self.is_frozen(army) && self.has_pieces(army)
    }

    #[inline]
    pub(super) fn all_of(&self, army: Army) -> u64 {
        self.pieces[army.index()] | self.kings[army.index()]
    }

    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.pieces.iter().chain(&self.kings).fold(0, |set, pieces| set | pieces)
    }

    /// The next army in the turn order that is in play; the army itself when no other is.
    pub(super) fn next_after(&self, army: Army) -> Army {
        let at = self.order.iter().position(|&listed| listed == army).unwrap_or(0);
        (1..=4).map(|k| self.order[(at + k) % 4]).find(|&next| self.is_in_play(next)).unwrap_or(army)
    }

    #[inline]
    pub(super) fn put(&mut self, square: Square, code: Code) {
        let bit = square.bit();
        self.pieces[code.army().index()] |= bit;
        self.kinds[code.kind_index().min(5)] |= bit;
        self.mail[square.index()] = code;
        if matches!(code.office(), Office::Queen(System::Aries) | Office::Bishop(System::Aries)) {
            self.aries |= bit;
        }
    }

    /// Takes the piece that is not a king off a square; `Code::NONE` if there is none.
    #[inline]
    pub(super) fn take(&mut self, square: Square) -> Code {
        let code = self.mail[square.index()];
        if code != Code::NONE {
            let keep = !square.bit();
            self.pieces[code.army().index()] &= keep;
            self.kinds[code.kind_index().min(5)] &= keep;
            self.aries &= keep;
            self.mail[square.index()] = Code::NONE;
        }
        code
    }

    /// How the game stands: who has won, or why it is drawn; `None` while it goes on.
    pub fn result(&self) -> Option<GameResult> {
        for team in Team::ALL {
            let [one, two] = self.setup.armies(team);
            if self.captors[one.index()].is_some() && self.captors[two.index()].is_some() {
                return Some(GameResult::Win { team: team.other(), reason: Reason::KingsCaptured });
            }
        }
        let is_bare = |team| {
            let pair: [Army; 2] = self.setup.armies(team);
            pair.iter().all(|army| self.kings[army.index()] != 0 && self.pieces[army.index()] == 0)
        };
        match Team::ALL.map(is_bare) {
            [true, true] => Some(GameResult::Draw { reason: Reason::FourBareKings }),
            [true, false] | [false, true] => Some(GameResult::Draw { reason: Reason::BareKings }),
            [false, false] => None,
        }
    }
}

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameResult {
    /// A team has won.
    Win {
        /// The winners.
        team: Team,
        /// How.
        reason: Reason,
    },
    /// No side has won.
    Draw {
        /// Why.
        reason: Reason,
    },
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Both kings of the losing team are prisoners.
    KingsCaptured,
    /// Both kings of a team are on the board with no other piece of the team.
    BareKings,
    /// Nothing but the four kings is left.
    FourBareKings,
    /// Everybody agreed to halt.
    Agreement,
    /// The table's own limit of turns; no rule of the game.
    TurnLimit,
}

impl Reason {
    /// The stable word for files and programs.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::KingsCaptured => "kings-captured",
            Reason::BareKings => "bare-kings",
            Reason::FourBareKings => "four-bare-kings",
            Reason::Agreement => "agreement",
            Reason::TurnLimit => "turn-limit",
        }
    }
}
