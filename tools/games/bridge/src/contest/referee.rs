//! When a game ends: by the rules, by a draw that can be claimed, or because both players agree on the
//! score for long enough.

use tempo_chess::pgn::Outcome;
use tempo_chess::{Claim, Color, Ending, Game};

/// When a game ends before the rules end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjudication {
    /// Lost if both players see this many hundredths of a pawn, for this many plies; 0 plies: never.
    pub win_score: i32,
    /// See `win_score`.
    pub win_plies: usize,
    /// Drawn if both players see no more than this many hundredths of a pawn, for this many plies; 0 plies: never.
    pub draw_score: i32,
    /// See `draw_score`.
    pub draw_plies: usize,
    /// Not before this ply.
    pub draw_from: usize,
    /// Drawn at this length.
    pub longest: usize,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            win_score: 700,
            win_plies: 6,
            draw_score: 10,
            draw_plies: 12,
            draw_from: 80,
            longest: 600,
        }
    }
}

impl Adjudication {
    /// The rules alone; games still have a longest length.
    pub fn none() -> Adjudication {
        Adjudication { win_plies: 0, draw_plies: 0, ..Adjudication::default() }
    }
}

/// Watches one game.
pub struct Referee {
    adjudication: Adjudication,
    /// White's view of each ply, as far as the player told.
    scores: Vec<Option<i32>>,
}

impl Referee {
    /// At the start of a game.
    pub fn new(adjudication: Adjudication) -> Referee {
        Referee { adjudication, scores: Vec::new() }
    }

    /// A player has moved and said what the position is worth to it.
    pub fn note(&mut self, turn: Color, score: Option<i32>) {
        self.scores.push(match turn {
            Color::White => score,
            Color::Black => score.map(|score| -score),
        });
    }

    /// The result and its reason, if the game is over.
    pub fn verdict(&self, game: &Game) -> Option<(Outcome, &'static str)> {
        if let Some(ending) = game.ending() {
            let result = match ending {
                Ending::Checkmate => Outcome::win(!game.board().turn()),
                _ => Outcome::Draw,
            };
            return Some((result, ending.reason()));
        }
        if let Some(claim) = Claim::ALL.into_iter().find(|&claim| game.may_claim(claim)) {
            return Some((Outcome::Draw, claim.reason()));
        }
        let rules = self.adjudication;
        if let Some(last) = self.last(rules.win_plies) {
            if last.iter().all(|&score| score >= rules.win_score) {
                return Some((Outcome::White, "adjudication: won"));
            }
            if last.iter().all(|&score| score <= -rules.win_score) {
                return Some((Outcome::Black, "adjudication: won"));
            }
        }
        if self.scores.len() >= rules.draw_from
            && let Some(last) = self.last(rules.draw_plies)
            && last.iter().all(|&score| score.abs() <= rules.draw_score)
        {
            return Some((Outcome::Draw, "adjudication: drawn"));
        }
        (self.scores.len() >= rules.longest).then_some((Outcome::Draw, "adjudication: too long"))
    }

    /// The last scores, if every one of this many plies has one.
    fn last(&self, plies: usize) -> Option<Vec<i32>> {
        let start = self.scores.len().checked_sub(plies).filter(|_| plies > 0)?;
        self.scores[start..].iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_must_agree_for_long_enough() {
        let game = Game::default();
        let mut referee = Referee::new(Adjudication { win_plies: 4, longest: 30, ..Adjudication::default() });
        for (white, black) in [(900, -900), (900, -100)] {
            referee.note(Color::White, Some(white));
            referee.note(Color::Black, Some(black));
        }
        assert_eq!(referee.verdict(&game), None, "Black does not think so");
        referee.note(Color::White, Some(800));
        referee.note(Color::Black, Some(-800));
        referee.note(Color::White, None);
        assert_eq!(referee.verdict(&game), None, "White says nothing");
        for color in [Color::Black, Color::White, Color::Black, Color::White] {
            referee.note(color, Some(if color == Color::Black { 750 } else { -750 }));
        }
        assert_eq!(referee.verdict(&game), Some((Outcome::Black, "adjudication: won")));
        let mut long = Referee::new(Adjudication { longest: 2, ..Adjudication::none() });
        long.note(Color::White, Some(5000));
        assert_eq!(long.verdict(&game), None);
        long.note(Color::Black, None);
        assert_eq!(long.verdict(&game), Some((Outcome::Draw, "adjudication: too long")));
    }
}
