//! The constants of a game: teams, marching directions, promotion lines, thrones, the
//! historical switches and the dice table. Knows no pieces and no turn.

use thiserror::Error;

use super::pieces::{Army, Compass, Kind, Major, Square, Team, Zone};

/// The lasting facts of one army.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Camp {
    /// The team it belongs to.
    pub team: Team,
    /// Where its pawns march.
    pub forward: Compass,
    /// The line that promotes its pawns.
    pub promotion: Zone,
    /// In the order in which a returning king looks for a place (N16).
    pub thrones: Vec<Square>,
}

/// The rules of the printed game that can be switched on; all are off in the game of the seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Switches {
    /// N23: a pawn that reaches its line while four pawns of its army live waits there, and is
    /// promoted the moment the first of them falls.
    pub promotion_needs_a_lost_pawn: bool,
    /// N11: a king that is not attacked may not step onto an attacked square.
    pub unchecked_king_may_not_enter_check: bool,
    /// N20: the die is asked before check is: no forced king move, no stalemate.
    pub divination_ignores_check: bool,
}

/// Which kinds each face of the die lets move, as sets of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiceTable([u8; 6]);

impl DiceTable {
    /// A table from the kinds of each face, 1 to 6.
    pub fn new(faces: [&[Kind]; 6]) -> DiceTable {
        DiceTable(faces.map(|kinds| kinds.iter().fold(0, |set, &kind| set | 1 << kind as u8)))
    }

    /// Whether the face lets this kind move.
    pub fn allows(&self, die: Die, kind: Kind) -> bool {
        self.0[usize::from(die.face() - 1)] >> kind as u8 & 1 != 0
    }

    /// The kinds that the face lets move.
    pub fn kinds(&self, die: Die) -> impl Iterator<Item = Kind> {
        let table = *self;
        Kind::ALL.into_iter().filter(move |&kind| table.allows(die, kind))
    }
}

impl Default for DiceTable {
    /// The table of the seed: 1 king or pawn, 2 knight, 3 bishop, 4 queen, 5 rook, 6 pawn.
    fn default() -> DiceTable {
        use Kind::*;
        DiceTable::new([&[King, Pawn], &[Knight], &[Bishop], &[Queen], &[Rook], &[Pawn]])
    }
}

/// The face of a die, 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Die(u8);

impl Die {
    /// The die with this face; `None` outside 1 to 6.
    pub fn new(face: u64) -> Option<Die> {
        (1..=6).contains(&face).then_some(Die(face as u8))
    }

    /// The number it shows.
    pub const fn face(self) -> u8 {
        self.0
    }
}

/// Everything about a game that lasts. Each team has exactly two armies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    camps: [Camp; 4],
    /// The historical rules that are on.
    pub switches: Switches,
    /// The meaning of the die's faces.
    pub dice: DiceTable,
    /// How often a die that lets nothing move is thrown again.
    pub retries: u32,
    allies: [Army; 4],
    pairs: [[Army; 2]; 2],
    thrones: [u64; 4],
}

/// Why camps make no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A team has more or fewer than two armies.
    #[error("team {team} has {count} armies, each team needs two")]
    UnequalTeams {
        /// The team.
        team: Team,
        /// How many it has.
        count: usize,
    },
}

impl Setup {
    /// A setup with the switches, dice and retries of the seed.
    pub fn new(camps: [Camp; 4]) -> Result<Setup, SetupError> {
        let mut allies = Army::ALL;
        let mut pairs = [[Army::Blue; 2]; 2];
        for team in Team::ALL {
            let armies: Vec<Army> =
                Army::ALL.into_iter().filter(|army| camps[army.index()].team == team).collect();
            let &[one, two] = armies.as_slice() else {
                return Err(SetupError::UnequalTeams { team, count: armies.len() });
            };
            allies[one.index()] = two;
            allies[two.index()] = one;
            pairs[team as usize] = [one, two];
        }
        let thrones =
            [0, 1, 2, 3].map(|i: usize| camps[i].thrones.iter().fold(0, |set, square| set | square.bit()));
        Ok(Setup {
            camps,
            switches: Switches::default(),
            dice: DiceTable::default(),
            retries: 3,
            allies,
            pairs,
            thrones,
        })
    }

    /// The same camps with the switches, dice and retries of another setup.
    pub(super) fn with_rules_of(self, other: &Setup) -> Setup {
        Setup { switches: other.switches, dice: other.dice, retries: other.retries, ..self }
    }

    /// The orientation of the seed's tables, `base` in the YAML file.
    pub fn base() -> Setup {
        let camp = |team, forward, promotion, thrones: [&str; 2]| Camp {
            team,
            forward,
            promotion,
            thrones: thrones.into_iter().filter_map(Square::parse).collect(),
        };
        Setup::new([
            camp(Team::Air, Compass::North, Zone::Rank(7), ["d1", "e1"]),
            camp(Team::Earth, Compass::West, Zone::File(0), ["e8", "d8"]),
            camp(Team::Air, Compass::South, Zone::Rank(0), ["a5", "a4"]),
            camp(Team::Earth, Compass::East, Zone::File(7), ["h4", "h5"]),
        ])
        .expect("two armies a team")
    }

    /// The camp of an army.
    pub fn camp(&self, army: Army) -> &Camp {
        &self.camps[army.index()]
    }

    /// The camps of all armies.
    pub fn camps(&self) -> &[Camp; 4] {
        &self.camps
    }

    /// The team of an army.
    #[inline]
    pub fn team(&self, army: Army) -> Team {
        self.camps[army.index()].team
    }

    /// The other army of the team.
    #[inline]
    pub fn ally(&self, army: Army) -> Army {
        self.allies[army.index()]
    }

    /// Where an army's pawns march.
    #[inline]
    pub fn forward(&self, army: Army) -> Compass {
        self.camps[army.index()].forward
    }

    #[inline]
    pub(crate) fn zone(&self, army: Army) -> u64 {
        self.camps[army.index()].promotion.mask()
    }

    /// The army whose throne a square is, if any.
    pub fn throne_of(&self, square: Square) -> Option<Army> {
        Army::ALL.into_iter().find(|&army| self.is_throne_of(army, square))
    }

    #[inline]
    pub(crate) fn is_throne_of(&self, army: Army, square: Square) -> bool {
        self.thrones[army.index()] & square.bit() != 0
    }

    /// The two armies of a team, in canonical order.
    pub fn armies(&self, team: Team) -> [Army; 2] {
        self.pairs[team as usize]
    }
}

/// The four things a privileged pawn may become, in the order they are listed.
pub(crate) const PRIVILEGES: [Major; 4] = Major::ALL;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_of_three_is_refused() {
        let mut camps = Setup::base().camps().clone();
        camps[Army::Red.index()].team = Team::Air;
        assert_eq!(Setup::new(camps), Err(SetupError::UnequalTeams { team: Team::Air, count: 3 }));
    }

    #[test]
    fn one_lets_kings_and_pawns_move_and_six_pawns() {
        let dice = DiceTable::default();
        let kinds = |face| dice.kinds(Die::new(face).unwrap()).collect::<Vec<_>>();
        assert_eq!(kinds(1), [Kind::King, Kind::Pawn]);
        assert_eq!(kinds(6), [Kind::Pawn]);
        assert_eq!(Die::new(0).or(Die::new(7)), None);
    }
}
