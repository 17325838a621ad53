//! A small alpha-beta search with quiescence for any game: sensible moves, not strong ones.
//! Deterministic: the same position and limits give the same answer on every machine, because the only
//! budget is a number of nodes. Knows the `Game` trait alone; there is no clock.

use crate::{Game, Outcome, Side};

/// The score of a win on the spot; one ply later it is worth one less.
pub const WIN: i32 = 1_000_000;

/// Lines longer than this are judged as they are.
const MAX_PLY: i32 = 64;

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Positions to visit at most. With too few to finish a line, the move that looks best unplayed wins.
    pub nodes: u64,
    /// Plies to look ahead at most; captures are followed further.
    pub depth: u32,
}

impl Limits {
    /// A budget of positions, up to 32 plies deep.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes, depth: 32 }
    }
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<M> {
    /// `None` if there is no legal move.
    pub best: Option<M>,
    /// For the side to move, in the game's units; near `WIN` or `-WIN` if the end is in sight.
    pub score: i32,
    /// The last depth that was looked at completely.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// Looks for the best move of the side to move, one ply deeper each time until the budget is spent.
pub fn best_move<G: Game>(game: &mut G, limits: Limits) -> Found<G::Move> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.sort_by_key(|&mv| -game.search_order(mv));
    let us = game.side_of(game.seat_to_move());
    let mut found = Found { best: moves.first().copied(), score: game.evaluate(us), depth: 0, nodes: 0 };
    if moves.is_empty() {
        return found;
    }

    let mut searcher = Searcher { game, us, limits, nodes: 0, stack: Vec::new(), killers: Vec::new() };
    for depth in 1..=limits.depth.max(1) {
        let (best, score, complete) = searcher.root(&moves, depth as i32);
        if let Some(index) = best {
            found.best = Some(moves[index]);
            found.score = score;
            // The best so far goes first next time; the order of the rest stays.
            moves[..=index].rotate_right(1);
        }
        if !complete {
            break;
        }
        found.depth = depth;
        if score.abs() >= WIN - MAX_PLY || searcher.nodes >= limits.nodes {
            break;
        }
    }
    found.nodes = searcher.nodes;
    found
}

/// The budget ran out in the middle of a line.
struct Spent;

struct Searcher<'a, G: Game> {
    game: &'a mut G,
    /// The side the move is looked for. All others are taken to play against it together, however many they are.
    us: Side,
    limits: Limits,
    nodes: u64,
    /// The moves of all positions on the current line, one after the other.
    stack: Vec<G::Move>,
    /// By ply, the quiet move that last refuted a sibling.
    killers: Vec<Option<G::Move>>,
}

impl<G: Game> Searcher<'_, G> {
    /// The index of the best move, its score, and whether all moves were looked at.
    fn root(&mut self, moves: &[G::Move], depth: i32) -> (Option<usize>, i32, bool) {
        let mut best = None;
        let mut alpha = -WIN - 1;
        for (index, &mv) in moves.iter().enumerate() {
            match self.child(mv, depth - 1, 1, alpha, WIN + 1) {
                Ok(score) if score > alpha => {
                    alpha = score;
                    best = Some(index);
                }
                Ok(_) => {}
                Err(Spent) => return (best, alpha, false),
            }
        }
        (best, alpha, true)
    }

    /// Plays a move and scores the position after it, for those who moved: us or the others.
    fn child(&mut self, mv: G::Move, depth: i32, ply: i32, alpha: i32, beta: i32) -> Result<i32, Spent> {
        let ours = self.is_our_turn();
        let undo = self.game.make(mv);
        // Partners may move one after the other, and so may opponents; the sign changes only between the two.
        let score = if self.is_our_turn() == ours {
            self.node(depth, ply, alpha, beta)
        } else {
            self.node(depth, ply, -beta, -alpha).map(|score| -score)
        };
        self.game.unmake(mv, undo);
        score
    }

    fn node(&mut self, depth: i32, ply: i32, mut alpha: i32, beta: i32) -> Result<i32, Spent> {
        if self.nodes >= self.limits.nodes {
            return Err(Spent);
        }
        self.nodes += 1;
        if self.game.is_as_good_as_drawn() {
            return Ok(0);
        }
        let first = self.stack.len();
        self.game.legal_moves(&mut self.stack);
        if let Some(outcome) = self.game.outcome_given_moves(self.stack.len() > first) {
            self.stack.truncate(first);
            return Ok(self.score_of(&outcome, ply));
        }

        // Past the horizon only noisy moves are followed, unless there is a threat to answer.
        let threatened = self.game.is_threatened();
        let quiet_too = depth > 0 || threatened;
        if !quiet_too || ply >= MAX_PLY {
            let standing = self.for_mover(self.game.evaluate(self.us));
            if standing >= beta || ply >= MAX_PLY {
                self.stack.truncate(first);
                return Ok(standing);
            }
            alpha = alpha.max(standing);
            let mut kept = first;
            for index in first..self.stack.len() {
                let mv = self.stack[index];
                if self.game.is_noisy(mv) {
                    self.stack[kept] = mv;
                    kept += 1;
                }
            }
            self.stack.truncate(kept);
        }
        self.order(first, ply);

        for index in first..self.stack.len() {
            let mv = self.stack[index];
            let score = match self.child(mv, depth - 1, ply + 1, alpha, beta) {
                Ok(score) => score,
                Err(Spent) => {
                    self.stack.truncate(first);
                    return Err(Spent);
                }
            };
            alpha = alpha.max(score);
            if alpha >= beta {
                if !self.game.is_noisy(mv) {
                    self.remember_killer(ply, mv);
                }
                break;
            }
        }
        self.stack.truncate(first);
        Ok(alpha)
    }

    fn is_our_turn(&self) -> bool {
        self.game.side_of(self.game.seat_to_move()) == self.us
    }

    /// A score of ours as those see it who are to move.
    fn for_mover(&self, score: i32) -> i32 {
        if self.is_our_turn() { score } else { -score }
    }

    fn score_of(&self, outcome: &Outcome, ply: i32) -> i32 {
        self.for_mover(match outcome {
            Outcome::Draw { .. } => 0,
            Outcome::Win { side, .. } if *side == self.us => WIN - ply,
            Outcome::Win { .. } => ply - WIN,
        })
    }

    fn order(&mut self, first: usize, ply: i32) {
        let killer = self.killers.get(ply as usize).copied().flatten();
        let game = &*self.game;
        self.stack[first..].sort_by_cached_key(|&mv| {
            let order = game.search_order(mv);
            -(if order == 0 && Some(mv) == killer { 1 } else { order * 2 })
        });
    }

    fn remember_killer(&mut self, ply: i32, mv: G::Move) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, None);
        }
        self.killers[ply] = Some(mv);
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::{BoardView, Seat, Square};

    /// Three players take one turn each. The first chooses a door; behind the left one the third chooses how
    /// much the first gets, behind the right one there is a little for sure.
    #[derive(Clone)]
    struct Doors(Vec<u8>);

    impl Game for Doors {
        type Move = u8;
        type Undo = ();

        fn seat_to_move(&self) -> Seat {
            Seat(self.0.len() as u8 % 3)
        }

        fn legal_moves(&mut self, moves: &mut Vec<u8>) {
            moves.extend(if self.0.len() < 3 { 0..2 } else { 0..0 });
        }

        fn make(&mut self, mv: u8) {
            self.0.push(mv);
        }

        fn unmake(&mut self, _: u8, (): ()) {
            self.0.pop();
        }

        fn outcome(&mut self) -> Option<Outcome> {
            None
        }

        /// The first player's share; the others get less.
        fn evaluate(&self, side: Side) -> i32 {
            let first = match self.0[..] {
                [0, _, 0] => 100,
                [0, _, 1] => -100,
                _ => 1,
            };
            if side == Side(0) { first } else { -first }
        }

        fn is_noisy(&self, _: u8) -> bool {
            false
        }

        fn move_text(&self, mv: u8) -> String {
            mv.to_string()
        }

        fn move_squares(&self, _: u8) -> Option<(Square, Square)> {
            None
        }

        fn board(&self) -> BoardView {
            unreachable!("the search looks at no board")
        }
    }

    #[test]
    fn the_opponent_of_an_opponent_is_no_friend() {
        let found = best_move(&mut Doors(Vec::new()), Limits { nodes: 1000, depth: 3 });
        assert_eq!((found.best, found.score), (Some(1), 1));
    }
}
