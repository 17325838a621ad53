//! Why a piece may or may not move: every definition, every landing, every condition, spelled out.
//! Judges the spec's own words one by one, beside the compiled tables, so the two check each other.

use serde::Serialize;

use super::model::{Condition, MoveDef, Occupancy, Offset, Until};
use super::position::{Move, Position};
use super::tables::Occupant;
use tempo_boardgame::{Game, Square};

/// The explanation of one square.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The square in question.
    pub square: String,
    /// The piece there, or why there is none.
    pub piece: String,
    /// Circumstances to bear in mind: not on turn, game over.
    pub notes: Vec<String>,
    /// The results of each move definition of the piece.
    pub tries: Vec<Try>,
}

/// One move definition, tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Try {
    /// The `id` of the move definition.
    pub id: i64,
    /// As the spec has it.
    pub step: [i32; 2],
    /// As the player goes.
    pub turned: [i32; 2],
    /// The squares it can land on, nearest first.
    pub landings: Vec<Landing>,
    /// The reason the walk ended.
    pub end: String,
}

/// One square a definition came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Landing {
    /// The square.
    pub square: String,
    /// Its column and row.
    pub to: [usize; 2],
    /// `EMPTY`, `ENEMY` or `ALLY`, and who is there.
    pub occupancy: String,
    /// Whether the piece may go there.
    pub verdict: Verdict,
    /// Every condition that was asked, with its answer.
    pub asked: Vec<Asked>,
}

/// The result of one landing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum Verdict {
    /// The definition has no action for such a square.
    NoAction,
    /// A condition failed; it is in `asked`.
    Refused,
    /// An own leader would hang: who attacks it where, for each option that was tried.
    Unsafe {
        /// Who attacks the leader where, for each option that was tried.
        because: Vec<String>,
    },
    /// One move, or one for each option.
    Legal {
        /// The moves in text form, one per choice of piece.
        moves: Vec<String>,
    },
}

/// A condition and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// The condition in the words of the spec.
    pub condition: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why, in a few words.
    pub because: String,
}

/// Where a condition is asked.
struct Place<'a> {
    player: usize,
    from: usize,
    to: usize,
    step: Offset,
    count: i32,
    def: &'a MoveDef,
}

impl Position {
    /// Explains what the piece on a square can do, as if it were its owner's turn.
    pub fn explain(&self, square: Square) -> Explanation {
        let from = usize::from(square.0);
        let name = self.name_of(from);
        let occupant = self.board.get(from).copied().unwrap_or(Occupant::NONE);
        if !occupant.is_some() {
            let what = match self.board.get(from) {
                None => "not on the board",
                Some(occupant) if occupant.is_none() => "an empty square",
                Some(_) => "a hole in the board",
            };
            return Explanation { square: name, piece: what.into(), notes: vec![], tries: vec![] };
        }
        let player = occupant.owner();
        let mut game = self.clone();
        let mut notes = Vec::new();
        if game.winner.take().is_some() {
            notes.push("the game is over: a leader was taken".into());
        }
        if player != self.player() {
            let (owner, other) =
                (&self.spec().players[player].name, &self.spec().players[self.player()].name);
            notes.push(format!("{other} is on turn; judged as if {owner} were"));
            match self.spec().order.iter().position(|&entry| entry == player) {
                Some(turn) => game.turn = turn,
                None => notes.push(format!("{owner} never has a turn")),
            }
        }
        let moves = match occupant.moves() {
            0 => "never moved".to_owned(),
            1 => "moved once".to_owned(),
            count => format!("moved {count} times"),
        };
        let kind = &self.tables.kinds[occupant.kind()];
        let defs = &self.spec().pieces[usize::from(kind.piece)].moves;
        if defs.is_empty() {
            notes.push("this piece has no moves at all".into());
        }
        let tries = (0..defs.len()).map(|index| game.try_definition(from, player, index)).collect();
        Explanation {
            square: name,
            piece: format!("{}, {moves}", self.occupant_text(occupant)),
            notes,
            tries,
        }
    }

    fn try_definition(&mut self, from: usize, player: usize, index: usize) -> Try {
        let tables = self.tables.clone();
        let spec = tables.spec();
        let kind = &tables.kinds[self.board[from].kind()];
        let def = &spec.pieces[usize::from(kind.piece)].moves[index];
        let rule = kind.first_rule + index as u16;
        let step = spec.players[player].direction.turn(def.step);
        let limit = def.repeat.map_or(Some(1), |repeat| repeat.times);
        let until = def.repeat.map_or(Until::NotEmpty, |repeat| repeat.until);
        let mut landings = Vec::new();
        let mut to = from;
        let mut count = 0;
        let end = loop {
            if limit.is_some_and(|limit| count as u32 >= limit) {
                break match count {
                    1 => "the definition takes one step".to_owned(),
                    _ => format!("the definition takes {count} steps at most"),
                };
            }
            let Some(next) = tables.shift(to, step.dx as i16, step.dy as i16) else {
                break "the next step leaves the board".to_owned();
            };
            if self.board[next] == Occupant::HOLE {
                break format!("{} is a hole", self.name_of(next));
            }
            to = next;
            count += 1;
            let place = Place { player, from, to, step, count, def };
            landings.push(self.explain_landing(&place, rule));
            let occupancy = self.board[to].occupancy_for(player as u32 + 1);
            let ended = match until {
                Until::NotEmpty => occupancy != Occupancy::Empty,
                Until::Is(wanted) => occupancy == wanted,
                Until::InZone(zone) => self.is_in_zone(zone, player, to),
            };
            if ended && limit != Some(1) {
                let word = match until {
                    Until::NotEmpty => "NOT_EMPTY",
                    Until::Is(wanted) => occupancy_word(wanted),
                    Until::InZone(zone) => &spec.zones[zone].code,
                };
                break format!("{} is {word}, which ends the walk", self.name_of(to));
            }
        };
        let pair = |offset: Offset| [offset.dx, offset.dy];
        Try { id: def.id, step: pair(def.step), turned: pair(step), landings, end }
    }

    fn explain_landing(&mut self, place: &Place<'_>, rule: u16) -> Landing {
        let there = self.board[place.to];
        let occupancy = there.occupancy_for(place.player as u32 + 1);
        let word = occupancy_word(occupancy);
        let mut landing = Landing {
            square: self.name_of(place.to),
            to: [place.to % self.spec().columns, place.to / self.spec().columns],
            occupancy: if there.is_some() {
                format!("{word}, {}", self.occupant_text(there))
            } else {
                word.into()
            },
            verdict: Verdict::NoAction,
            asked: Vec::new(),
        };
        let Some(action) = place.def.actions.iter().find(|action| action.state == occupancy) else {
            return landing;
        };
        for condition in place.def.conditions.iter().chain(&action.conditions) {
            landing.asked.push(self.ask(condition, place));
        }
        if landing.asked.iter().any(|asked| !asked.holds) {
            landing.verdict = Verdict::Refused;
            return landing;
        }
        let fires = |modifier: &&super::model::Modifier| {
            modifier.conditions.iter().all(|condition| self.ask(condition, place).holds)
        };
        let options: Vec<u16> = match place.def.modifiers.iter().find(fires) {
            Some(modifier) => modifier.options.iter().map(|&option| option as u16 + 1).collect(),
            None => vec![0],
        };
        let (mut moves, mut because) = (Vec::new(), Vec::new());
        for option in options {
            let mv = Move { from: place.from as u16, to: place.to as u16, rule, option };
            match self.hanging_leader(mv) {
                None => moves.push(self.move_text(mv)),
                Some(reason) => because.push(reason),
            }
        }
        because.dedup();
        landing.verdict =
            if moves.is_empty() { Verdict::Unsafe { because } } else { Verdict::Legal { moves } };
        landing
    }

    /// Who would attack which own leader after a move, unless the move is safe.
    fn hanging_leader(&mut self, mv: Move) -> Option<String> {
        let player = self.player();
        let undo = self.change(mv);
        let hanging = if self.beheaded {
            None
        } else {
            let leaders: Vec<usize> = self.squares_of(&self.leaders, player).collect();
            leaders.into_iter().find(|&leader| self.is_attacked(leader, player)).map(|leader| {
                let occupant = self.occupant_text(self.board[leader]);
                format!(
                    "{occupant} on {} would be attacked by {}",
                    self.name_of(leader),
                    self.attackers_text(leader, player)
                )
            })
        };
        self.revert(mv, undo);
        hanging
    }

    fn ask(&self, condition: &Condition, place: &Place<'_>) -> Asked {
        let (name, holds, because) = self.judge(condition, place);
        Asked { condition: name, holds, because }
    }

    /// The condition in words, its answer, and why.
    fn judge(&self, condition: &Condition, place: &Place<'_>) -> (String, bool, String) {
        let spec = self.spec();
        let at = |offset: Offset| self.offset_from(place, offset);
        let pair = |offset: &Offset| format!("[{},{}]", offset.dx, offset.dy);
        match condition {
            Condition::FirstMove => {
                let occupant = self.board[place.from];
                let because = format!("it has made {} moves", occupant.moves());
                ("FIRST_MOVE".into(), occupant.is_unmoved(), because)
            }
            Condition::DependsOn(index) => {
                let kind = &self.tables.kinds[self.board[place.from].kind()];
                let defs = &spec.pieces[usize::from(kind.piece)].moves;
                let mut candidates = Vec::new();
                self.candidates(place.from, &mut candidates);
                let rule = kind.first_rule + *index as u16;
                let count = candidates.iter().filter(|mv| mv.rule == rule).count();
                let id = defs[*index].id;
                (format!("DEPENDS_ON {id}"), count > 0, format!("move {id} has {count} candidates"))
            }
            Condition::PieceFirstMove(offset) => {
                let (holds, because) = self.judge_first_move(at(*offset), place.player);
                (format!("PIECE_FIRST_MOVE {}", pair(offset)), holds, because)
            }
            Condition::RookFirstMove(offset) => {
                let name = format!("ROOK_FIRST_MOVE {}", pair(offset));
                match at(*offset) {
                    None => (name, true, "there is no such square".into()),
                    Some(square) if self.board[square].is_none() => {
                        (name, true, format!("{} is empty", self.name_of(square)))
                    }
                    found => {
                        let (holds, because) = self.judge_first_move(found, place.player);
                        (name, holds, because)
                    }
                }
            }
            Condition::CheckState { flag, at: offset } => {
                let name = format!("CHECK_STATE {} {}", spec.flags[*flag], pair(offset));
                let Some(square) = at(*offset) else {
                    return (name, false, "there is no such square".into());
                };
                let holds = self.flags[square * spec.flags.len() + flag] >= self.now;
                let what = match self.board[square] {
                    occupant if occupant.is_some() && holds => "carries it",
                    occupant if occupant.is_some() => "does not carry it",
                    _ => "is empty",
                };
                (name, holds && self.board[square].is_some(), format!("{} {what}", self.name_of(square)))
            }
            Condition::PathEmpty => {
                let span = place.step.span();
                let blocked = self
                    .lattice(place, (place.count - 1) * span + 1..=place.count * span - 1)
                    .find(|&square| !self.board[square].is_none());
                let because = match blocked {
                    Some(square) if self.board[square] == Occupant::HOLE => {
                        format!("{} is a hole", self.name_of(square))
                    }
                    Some(square) => {
                        format!(
                            "{} stands on {}",
                            self.occupant_text(self.board[square]),
                            self.name_of(square)
                        )
                    }
                    None => "nothing is in between".into(),
                };
                ("PATH_EMPTY".into(), blocked.is_none(), because)
            }
            Condition::NotAttacked => {
                let (holds, because) = self.judge_attacks(std::iter::once(place.to), place.player);
                ("NOT_ATTACKED".into(), holds, because)
            }
            Condition::PathNotAttacked => {
                let squares = self.lattice(place, 0..=place.count * place.step.span());
                let (holds, because) = self.judge_attacks(squares, place.player);
                ("PATH_NOT_ATTACKED".into(), holds, because)
            }
            Condition::InZone(zone) => {
                let holds = self.is_in_zone(*zone, place.player, place.to);
                let (code, player) = (&spec.zones[*zone].code, &spec.players[place.player].name);
                let not = if holds { "" } else { "not " };
                (code.clone(), holds, format!("{} is {not}in the list of {player}", self.name_of(place.to)))
            }
            Condition::EmptyAt(offsets) => {
                let name = format!("EMPTY_AT {}", offsets.iter().map(pair).collect::<Vec<_>>().join(" "));
                for offset in offsets {
                    match at(*offset) {
                        None => return (name, false, format!("there is no square at {}", pair(offset))),
                        Some(square) if !self.board[square].is_none() => {
                            let occupant = self.occupant_text(self.board[square]);
                            return (name, false, format!("{occupant} stands on {}", self.name_of(square)));
                        }
                        Some(_) => {}
                    }
                }
                (name, true, "all are empty".into())
            }
        }
    }

    fn judge_first_move(&self, square: Option<usize>, player: usize) -> (bool, String) {
        let Some(square) = square else { return (false, "there is no such square".into()) };
        let (occupant, name) = (self.board[square], self.name_of(square));
        if !occupant.is_some() {
            (false, format!("{name} is empty"))
        } else if occupant.owner() != player {
            (false, format!("{} on {name} is another player's", self.occupant_text(occupant)))
        } else if occupant.is_unmoved() {
            (true, format!("{} on {name} never moved", self.occupant_text(occupant)))
        } else {
            (false, format!("{} on {name} has moved", self.occupant_text(occupant)))
        }
    }

    fn judge_attacks(&self, squares: impl Iterator<Item = usize>, player: usize) -> (bool, String) {
        for square in squares {
            if self.is_attacked(square, player) {
                let attackers = self.attackers_text(square, player);
                return (false, format!("{} is attacked by {attackers}", self.name_of(square)));
            }
        }
        (true, "no piece attacks there".into())
    }

    /// Points s + i·v/g of the lattice.
    fn lattice(
        &self,
        place: &Place<'_>,
        range: std::ops::RangeInclusive<i32>,
    ) -> impl Iterator<Item = usize> {
        let span = place.step.span();
        let delta = place.step.dx / span + place.step.dy / span * self.spec().columns as i32;
        let from = place.from as i32;
        range.map(move |i| (from + i * delta) as usize)
    }

    fn offset_from(&self, place: &Place<'_>, offset: Offset) -> Option<usize> {
        let Offset { dx, dy } = self.spec().players[place.player].direction.turn(offset);
        let square = self.tables.shift(place.from, dx as i16, dy as i16)?;
        (self.board[square] != Occupant::HOLE).then_some(square)
    }

    fn is_in_zone(&self, zone: usize, player: usize, square: usize) -> bool {
        self.spec().zones[zone].squares[player].contains(&Square(square as u16))
    }

    fn attackers_text(&self, square: usize, player: usize) -> String {
        let texts: Vec<String> = (0..self.board.len())
            .filter(|&from| self.board[from].is_some() && self.board[from].owner() != player)
            .filter(|&from| self.piece_attacks(from, square))
            .map(|from| format!("{} on {}", self.occupant_text(self.board[from]), self.name_of(from)))
            .collect();
        texts.join(" and ")
    }

    fn occupant_text(&self, occupant: Occupant) -> String {
        let spec = self.spec();
        let kind = &self.tables.kinds[occupant.kind()];
        format!("{} of {}", spec.pieces[usize::from(kind.piece)].code, spec.players[occupant.owner()].name)
    }

    /// `e2` where letters suffice, else `x,y`.
    fn name_of(&self, square: usize) -> String {
        let (x, y) = (square % self.spec().columns, square / self.spec().columns);
        if self.spec().columns <= 26 {
            format!("{}{}", char::from(b'a' + x as u8), y + 1)
        } else {
            format!("{x},{y}")
        }
    }
}

fn occupancy_word(occupancy: Occupancy) -> &'static str {
    match occupancy {
        Occupancy::Empty => "EMPTY",
        Occupancy::Enemy => "ENEMY",
        Occupancy::Ally => "ALLY",
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::library;

    /// Moves that explain calls legal are those that the generator gives, along games of every shipped spec.
    #[test]
    fn explanations_agree_with_the_generator() {
        for shipped in library::SHIPPED {
            let mut game = crate::load(shipped.text.as_bytes()).unwrap();
            let mut seed = 0x2545_f491_4f6c_dd1du64;
            for _ in 0..60 {
                let mut moves = Vec::new();
                game.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                let mut expected: Vec<String> = moves.iter().map(|&mv| game.move_text(mv)).collect();
                let mut explained = Vec::new();
                for placed in
                    game.pieces().filter(|placed| placed.player == game.player()).collect::<Vec<_>>()
                {
                    for landing in
                        game.explain(placed.square).tries.into_iter().flat_map(|tried| tried.landings)
                    {
                        if let Verdict::Legal { moves } = landing.verdict {
                            explained.extend(moves);
                        }
                    }
                }
                // Of options some may be unsafe; explain lists the safe ones, as the generator does.
                expected.sort();
                explained.sort();
                assert_eq!(explained, expected, "{} {game:?}", shipped.name);
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                game.make(moves[(seed % moves.len() as u64) as usize]);
            }
        }
    }

    #[test]
    fn a_pinned_piece_is_told_by_whom() {
        let game = crate::load(library::find("chess").unwrap().text.as_bytes()).unwrap();
        let mut game = game;
        for text in ["4,1>4,3#1", "4,6>4,5#0", "3,1>3,2#0", "5,7>1,3#2"] {
            let mv = game.find_move(text).unwrap();
            game.make(mv);
        }
        let king = game.explain(Square(3 * 8 + 4)).piece;
        assert_eq!(king, "PAWN of WHITE, moved once");
        let pawn = game.explain(Square(8));
        assert_eq!(
            pawn.tries[0].landings[0].verdict,
            Verdict::Unsafe {
                because: vec!["KING of WHITE on e1 would be attacked by BISHOP of BLACK on b4".into()]
            }
        );
        let blocked = game.explain(Square(4));
        let castle = blocked.tries.iter().find(|tried| tried.id == 8).unwrap();
        let refused: Vec<&str> = castle.landings[0]
            .asked
            .iter()
            .filter(|asked| !asked.holds)
            .map(|asked| asked.because.as_str())
            .collect();
        assert_eq!(castle.landings[0].verdict, Verdict::NoAction);
        assert!(refused.is_empty());
    }
}
