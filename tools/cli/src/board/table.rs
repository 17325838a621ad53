//! A game on the table: the position, the moves that led to it, who sits where. Knows neither screen
//! nor keyboard; files only as a place to save to.

use std::path::{Path, PathBuf};

use boardgame::saved::{self, Header, Replayed, Saved, SavedError};
use boardgame::search;
use boardgame::{BoardView, Game, Outcome, Seat, Square};

use crate::files;

/// Who sits on a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    Human,
    /// The search, visiting this many positions for a move.
    Computer {
        nodes: u64,
    },
}

/// A move that was made.
pub struct Made<G: Game> {
    pub mv: G::Move,
    pub seat: Seat,
    pub text: String,
    undo: G::Undo,
}

/// What the table shows and allows at any moment.
pub struct Table<G: Game> {
    pub title: String,
    pub players: Vec<Player>,
    /// Where `save` writes when no other place is named.
    pub path: PathBuf,
    header: Header,
    start: G,
    game: G,
    made: Vec<Made<G>>,
    undone: Vec<G::Move>,
    legal: Vec<G::Move>,
    outcome: Option<Outcome>,
    view: BoardView,
    /// How many moves the file has, if it is up to date.
    saved: Option<usize>,
    /// The file is ours to write over: resumed from it or saved to it before.
    owned: Option<PathBuf>,
}

impl<G: Game> Table<G> {
    /// A new game. Every seat is human until `players` says otherwise.
    pub fn new(title: String, start: G, header: Header, path: PathBuf) -> Table<G> {
        let view = start.board();
        let mut table = Table {
            title,
            players: vec![Player::Human; view.seats.len()],
            path,
            header,
            game: start.clone(),
            start,
            made: Vec::new(),
            undone: Vec::new(),
            legal: Vec::new(),
            outcome: None,
            view,
            saved: Some(0),
            owned: None,
        };
        table.refresh();
        table
    }

    /// Goes on with a saved game, which the start must fit.
    pub fn resume(&mut self, saved: &Saved, path: &Path) -> Result<(), SavedError> {
        let Replayed { played, .. } = saved::replay(saved, &self.start)?;
        for (mv, _) in played {
            self.push(mv);
        }
        self.refresh();
        self.saved = Some(self.made.len());
        self.path = path.to_path_buf();
        self.owned = Some(path.to_path_buf());
        Ok(())
    }

    pub fn view(&self) -> &BoardView {
        &self.view
    }

    pub fn legal(&self) -> &[G::Move] {
        &self.legal
    }

    pub fn made(&self) -> &[Made<G>] {
        &self.made
    }

    pub fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    pub fn has_unsaved_moves(&self) -> bool {
        !self.made.is_empty() && self.saved != Some(self.made.len())
    }

    pub fn seat(&self) -> Seat {
        self.game.seat_to_move()
    }

    pub fn seat_name(&self, seat: Seat) -> &str {
        self.view.seats.get(usize::from(seat.0)).map_or("?", String::as_str)
    }

    /// Whether the search is to move now.
    pub fn is_computers_turn(&self) -> bool {
        !self.is_over() && matches!(self.player(), Player::Computer { .. })
    }

    fn player(&self) -> Player {
        self.players.get(usize::from(self.seat().0)).copied().unwrap_or(Player::Human)
    }

    /// `WHITE wins: checkmate`, once it is over.
    pub fn result(&self) -> Option<String> {
        Some(match self.outcome.as_ref()? {
            Outcome::Draw { reason } => format!("draw: {}", spoken(reason)),
            Outcome::Win { side, reason } => {
                let seats = (0..self.view.seats.len() as u8).map(Seat);
                let winners: Vec<&str> = seats
                    .filter(|&seat| self.game.side_of(seat) == *side)
                    .map(|seat| self.seat_name(seat))
                    .collect();
                let verb = if winners.len() == 1 { "wins" } else { "win" };
                format!("{} {verb}: {}", winners.join(" and "), spoken(reason))
            }
        })
    }

    pub fn text(&self, mv: G::Move) -> String {
        self.game.move_text(mv)
    }

    pub fn squares(&self, mv: G::Move) -> Option<(Square, Square)> {
        self.game.move_squares(mv)
    }

    /// Legal moves that start on a square.
    pub fn moves_from(&self, square: Square) -> Vec<G::Move> {
        self.matching(|from, _| from == square)
    }

    pub fn moves_between(&self, from: Square, to: Square) -> Vec<G::Move> {
        self.matching(|a, b| a == from && b == to)
    }

    /// Legal moves without squares: passes, offers, answers.
    pub fn moves_without_squares(&self) -> Vec<G::Move> {
        self.legal.iter().copied().filter(|&mv| self.squares(mv).is_none()).collect()
    }

    fn matching(&self, test: impl Fn(Square, Square) -> bool) -> Vec<G::Move> {
        let fits = |&mv: &G::Move| self.squares(mv).is_some_and(|(from, to)| test(from, to));
        self.legal.iter().copied().filter(fits).collect()
    }

    /// Plays one of the legal moves.
    pub fn play(&mut self, mv: G::Move) {
        self.push(mv);
        self.undone.clear();
        self.refresh();
    }

    fn push(&mut self, mv: G::Move) {
        let (seat, text) = (self.game.seat_to_move(), self.game.move_text(mv));
        let undo = self.game.make(mv);
        self.made.push(Made { mv, seat, text, undo });
    }

    /// Lets the search move; the text of what it played.
    pub fn think(&mut self) -> Option<String> {
        let nodes = match self.player() {
            Player::Computer { nodes } => nodes,
            Player::Human => 20_000,
        };
        let mv = search::best_move(&mut self.game.veiled(), search::Limits::nodes(nodes)).best?;
        let text = self.text(mv);
        self.play(mv);
        Some(text)
    }

    /// Takes back to the last human decision; how many moves that were.
    pub fn undo(&mut self) -> usize {
        let mut count = 0;
        while let Some(Made { mv, seat, undo, .. }) = self.made.pop() {
            self.game.unmake(mv, undo);
            self.undone.push(mv);
            count += 1;
            let all_computers = self.players.iter().all(|player| *player != Player::Human);
            if all_computers || self.players.get(usize::from(seat.0)) == Some(&Player::Human) {
                break;
            }
        }
        self.refresh();
        count
    }

    /// Plays again what was taken back, up to the next human decision.
    pub fn redo(&mut self) -> usize {
        let mut count = 0;
        while let Some(mv) = self.undone.pop() {
            self.push(mv);
            count += 1;
            if matches!(self.player(), Player::Human) {
                break;
            }
        }
        self.refresh();
        count
    }

    /// Writes the game; a file that is not a saved game is never written over.
    pub fn save(&mut self, path: Option<&Path>) -> Result<PathBuf, String> {
        let path = path.unwrap_or(&self.path).to_path_buf();
        if self.owned.as_ref() != Some(&path) && path.exists() && !is_saved_game(&path) {
            return Err(format!("{} exists and is no saved game; name another file", path.display()));
        }
        let moves: Vec<G::Move> = self.made.iter().map(|made| made.mv).collect();
        let text = saved::write(&self.header, &self.start, &moves);
        files::write_durably(&path, text.as_bytes())
            .map_err(|err| format!("cannot write {}: {err}", path.display()))?;
        self.saved = Some(self.made.len());
        self.path = path.clone();
        self.owned = Some(path.clone());
        Ok(path)
    }

    fn refresh(&mut self) {
        self.legal.clear();
        self.outcome = self.game.outcome();
        if self.outcome.is_none() {
            self.game.legal_moves(&mut self.legal);
        }
        self.view = self.game.board();
        self.saved = self.saved.filter(|&length| length == self.made.len());
    }
}

fn is_saved_game(path: &Path) -> bool {
    files::read_own(path, 64 << 20).is_ok_and(|bytes| saved::read(&bytes).is_ok())
}

/// `no_moves` as people say it.
fn spoken(reason: &str) -> String {
    reason.replace('_', " ")
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;

    /// Two rows of pieces that only step forward; whoever cannot move ends it.
    pub const SMALL: &[u8] = br#"{
        "name": "SMALL",
        "board": {"dimensions": [3, 4], "disabled_positions": [[1, 1]]},
        "players": [
            {"name": "WHITE", "direction": [[1,0],[0,1]],
             "starting_positions": [{"piece": "MAN", "positions": [[0,0],[2,0]]}]},
            {"name": "BLACK", "direction": [[1,0],[0,-1]],
             "starting_positions": [{"piece": "MAN", "positions": [[0,3],[1,3]]}]}],
        "turns": {"order": ["WHITE", "BLACK"]},
        "conditions": [{"code": "END", "type": "POSITION", "check": {"WHITE": [[2,3]]}}],
        "pieces": [
            {"code": "MAN", "moves": [
                {"id": 0, "step": [0,1], "actions": [{"state": "EMPTY", "action": "MOVE"}],
                 "modifiers": [{"action": "TRANSFORM", "conditions": [{"condition": "END"}],
                                "options": ["ROOK", "WALL"]}]},
                {"id": 1, "step": [1,1], "actions": [{"state": "ENEMY", "action": "CAPTURE"}]}]},
            {"code": "ROOK", "moves": [
                {"id": 0, "step": [-1,0], "actions": [{"state": "EMPTY", "action": "MOVE"},
                 {"state": "ENEMY", "action": "CAPTURE"}], "repeat": {"loop": true}}]},
            {"code": "WALL", "moves": []}]
    }"#;

    pub fn small() -> Table<gamespec::Position> {
        let header = Header { game: "spec".into(), setup: json!({"spec": "small.json"}) };
        Table::new("SMALL".into(), gamespec::load(SMALL).unwrap(), header, "small.jsonl".into())
    }

    fn play_text(table: &mut Table<gamespec::Position>, text: &str) {
        let mv = table.legal().iter().copied().find(|&mv| table.text(mv) == text).unwrap();
        table.play(mv);
    }

    #[test]
    fn undo_and_redo_go_to_human_decisions() {
        let mut table = small();
        table.players[1] = Player::Computer { nodes: 50 };
        play_text(&mut table, "2,0>2,1#0");
        assert!(table.is_computers_turn());
        table.think();
        assert_eq!(table.made().len(), 2);
        assert_eq!(table.undo(), 2);
        assert_eq!(table.seat(), Seat(0));
        assert_eq!(table.redo(), 2);
        assert_eq!(table.made().len(), 2);
    }

    #[test]
    fn saving_keeps_other_peoples_files_and_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = small();
        play_text(&mut table, "2,0>2,1#0");
        assert!(table.has_unsaved_moves());
        let foreign = folder.path().join("notes.txt");
        std::fs::write(&foreign, "mine").unwrap();
        assert!(table.save(Some(&foreign)).is_err());
        assert_eq!(std::fs::read_to_string(&foreign).unwrap(), "mine");
        let path = folder.path().join("game.jsonl");
        table.save(Some(&path)).unwrap();
        assert!(!table.has_unsaved_moves());
        let saved = saved::read(&std::fs::read(&path).unwrap()).unwrap();
        let mut again = small();
        again.resume(&saved, &path).unwrap();
        assert_eq!(again.view(), table.view());
        assert_eq!(again.made().len(), 1);
    }
}
