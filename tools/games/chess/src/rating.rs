//! The result of a match: points, the Elo difference with its 95 % interval, and the sequential test that tells when
//! to stop. Knows nothing of players; openings are played in pairs, with colours exchanged.

/// The results of a match, from the first player's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Pairs of games by their half points, 0 to 4. Their scatter is smaller than that of single games, because
    /// an opening that favours one side does so for both players.
    pub pairs: [u32; 5],
}

/// A sequential test between two hypotheses about the Elo difference, at 5 % for either error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// "It is no better than this."
    pub elo0: f64,
    /// "It is at least this good."
    pub elo1: f64,
}

/// The present state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The second hypothesis holds.
    Accept,
    /// The first hypothesis holds.
    Reject,
    /// More games are needed.
    Undecided,
}

/// The bound of the log likelihood ratio: ln(0.95 / 0.05).
pub const SPRT_BOUND: f64 = 2.944_438_979_166_44;

/// The score between 0 and 1 that an Elo difference makes probable.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference of a score; infinite for 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

impl Tally {
    /// Adds a pair of games by the half points of each: 0, 1 or 2.
    pub fn add_pair(&mut self, first: u8, second: u8) {
        for half_points in [first, second] {
            self.add_game(half_points);
        }
        self.pairs[usize::from(first + second).min(4)] += 1;
    }

    /// Adds a game without a partner: it counts for the score, not for the interval.
    pub fn add_game(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, 0 to 1; one half without games.
    pub fn score(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games())
    }

    /// The Elo difference.
    pub fn elo(&self) -> f64 {
        elo_of(self.score())
    }

    /// Mean and variance of the points per game of a pair.
    fn pair_moments(&self) -> Option<(f64, f64, f64)> {
        let count: f64 = self.pairs.iter().map(|&n| f64::from(n)).sum();
        if count < 2.0 {
            return None;
        }
        let points = |i: usize| i as f64 / 4.0;
        let mean = self.pairs.iter().enumerate().map(|(i, &n)| points(i) * f64::from(n)).sum::<f64>() / count;
        let scatter = self
            .pairs
            .iter()
            .enumerate()
            .map(|(i, &n)| (points(i) - mean).powi(2) * f64::from(n))
            .sum::<f64>();
        Some((count, mean, scatter / (count - 1.0)))
    }

    /// The 95 % interval of the Elo difference, from the scatter of the pairs; `None` with fewer than two pairs.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let (count, mean, variance) = self.pair_moments()?;
        let margin = 1.96 * (variance / count).sqrt();
        Some((elo_of((mean - margin).max(0.0)), elo_of((mean + margin).min(1.0))))
    }

    /// The probability that the first player is the stronger one, by the scatter of the pairs; `None` with fewer than two
    /// pairs.
    pub fn superiority(&self) -> Option<f64> {
        let (count, mean, variance) = self.pair_moments()?;
        let deviation = (variance.max(0.25 / count.max(100.0)) / count).sqrt();
        Some(normal((mean - 0.5) / deviation))
    }

    /// The log likelihood ratio of a sequential test, by the normal approximation over pairs.
    pub fn log_likelihood(&self, sprt: Sprt) -> f64 {
        let Some((count, mean, variance)) = self.pair_moments() else { return 0.0 };
        // A few equal pairs show no scatter at all; one half point in a hundred pairs is a safe floor.
        let variance = variance.max(0.25 / count.max(100.0));
        let (low, high) = (expected_score(sprt.elo0), expected_score(sprt.elo1));
        count * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// The decision of a sequential test.
    pub fn verdict(&self, sprt: Sprt) -> Verdict {
        match self.log_likelihood(sprt) {
            ratio if ratio >= SPRT_BOUND => Verdict::Accept,
            ratio if ratio <= -SPRT_BOUND => Verdict::Reject,
            _ => Verdict::Undecided,
        }
    }
}

/// The share of a normal distribution below `z` standard deviations, by Zelen and Severo's polynomial (error below 1e-7).
fn normal(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530]
        .into_iter()
        .fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * series;
    if z < 0.0 { tail } else { 1.0 - tail }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "+{} ={} -{}  {:+.0} Elo", self.wins, self.draws, self.losses, self.elo())?;
        match self.interval() {
            Some((low, high)) => write!(f, " [{low:+.0}, {high:+.0}]"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-400.0, -35.0, 0.0, 100.0, 250.0] {
            assert!((elo_of(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert!((expected_score(200.0) - 0.7597).abs() < 1e-4);
    }

    #[test]
    fn interval_narrows_with_pairs() {
        let mut few = Tally::default();
        for _ in 0..10 {
            few.add_pair(2, 0);
            few.add_pair(2, 2);
            few.add_pair(0, 0);
        }
        let mut many = few;
        for _ in 0..3 {
            many.pairs = many.pairs.map(|n| n * 4);
            (many.wins, many.losses) = (many.wins * 4, many.losses * 4);
        }
        let width = |tally: &Tally| tally.interval().map(|(low, high)| high - low).expect("pairs");
        assert!((many.elo()).abs() < 1e-9 && few.elo().abs() < 1e-9);
        assert!(width(&many) < width(&few) / 7.0, "64 times the pairs, an eighth of the width");
        assert_eq!(few.verdict(Sprt { elo0: 0.0, elo1: 10.0 }), Verdict::Undecided);
    }

    #[test]
    fn superiority_follows_the_normal_distribution() {
        for (z, share) in
            [(0.0, 0.5), (1.0, 0.841_345), (-1.0, 0.158_655), (1.96, 0.975_002), (-3.0, 0.001_350)]
        {
            assert!((normal(z) - share).abs() < 1e-6, "{z}");
        }
        let mut even = Tally::default();
        let mut better = Tally::default();
        assert_eq!(even.superiority(), None);
        for _ in 0..20 {
            even.add_pair(2, 2);
            even.add_pair(0, 0);
            better.add_pair(2, 2);
            better.add_pair(2, 0);
        }
        assert!((even.superiority().expect("pairs") - 0.5).abs() < 1e-6);
        assert!(better.superiority().expect("pairs") > 0.999);
    }

    #[test]
    fn sequential_test_decides() {
        let sprt = Sprt { elo0: 0.0, elo1: 20.0 };
        let mut better = Tally::default();
        let mut equal = Tally::default();
        for i in 0..600 {
            better.add_pair(2, if i % 4 == 0 { 0 } else { 1 });
            equal.add_pair(if i % 2 == 0 { 2 } else { 0 }, if i % 3 == 0 { 2 } else { 0 });
            equal.add_pair(if i % 2 == 0 { 0 } else { 2 }, if i % 3 == 0 { 0 } else { 2 });
        }
        assert_eq!(better.verdict(sprt), Verdict::Accept);
        assert_eq!(equal.verdict(sprt), Verdict::Reject);
    }
}
