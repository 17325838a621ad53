//! Dice: a seeded generator, and the throw that rules a turn with its re-rolls (N20).
//! Knows which moves a die leaves; draws no entropy of its own.

use tempo_random::Random;

use super::pieces::Move;
use super::position::Position;
use super::setup::Die;

/// A reproducible die: equal seeds give equal rolls, on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dice {
    random: Random,
}

impl Dice {
    /// Dice whose throws the seed decides.
    pub const fn seeded(seed: u64) -> Dice {
        Dice { random: Random::new(seed) }
    }

    /// The next throw.
    pub fn roll(&mut self) -> Die {
        loop {
            // The topmost 3 bits give 0..=7; 6 and 7 are drawn again, so that all faces are equally likely.
            let drawn = self.random.next_u64() >> 61;
            if let Some(die) = Die::new(drawn + 1) {
                return die;
            }
        }
    }
}

/// The rolls made for one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Throw {
    /// Every roll, the last one counts. Empty when the army passes whatever the dice say.
    pub rolls: Vec<Die>,
    /// Whether the last roll lets a piece move; else the turn is lost.
    pub is_playable: bool,
}

impl Position {
    /// Rolls for the army on turn and sets the die, again while nothing can move and retries are left.
    pub fn throw(&mut self, dice: &mut Dice) -> Throw {
        self.throw_with(|| dice.roll())
    }

    /// The same with dice of the caller's own, real ones for instance.
    pub fn throw_with(&mut self, mut roll: impl FnMut() -> Die) -> Throw {
        self.die = None;
        if !self.can_move() {
            return Throw { rolls: Vec::new(), is_playable: false };
        }
        let mut rolls = Vec::new();
        for _ in 0..=self.setup.retries {
            let die = roll();
            rolls.push(die);
            self.die = Some(die);
            if self.can_move() {
                return Throw { rolls, is_playable: true };
            }
        }
        Throw { rolls, is_playable: false }
    }

    /// Whether the army on turn has a legal move other than passing.
    pub fn can_move(&self) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves != [Move::Pass]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_roll_alike_and_all_faces_come() {
        let rolls = |seed| {
            let mut dice = Dice::seeded(seed);
            (0..6000).map(|_| dice.roll().face()).collect::<Vec<_>>()
        };
        assert_eq!(rolls(7), rolls(7));
        assert_ne!(rolls(7), rolls(8));
        for face in 1..=6 {
            let count = rolls(7).iter().filter(|&&rolled| rolled == face).count();
            assert!((850..1150).contains(&count), "face {face} came {count} times of 6000");
        }
    }
}
