//! A game on the table: the position, the moves that led to it, who sits where. Knows neither screen
//! nor keyboard; files only as a place to save to.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempo_boardgame::saved::{self, Header, Replayed, Saved, SavedError};
use tempo_boardgame::search;
use tempo_boardgame::{BoardView, Game, Outcome, Seat, Square};
use tempo_host::files::{self, Outlet};

use super::brain::{Brain, Thought};

/// Who sits on a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    Human,
    /// The search, visiting this many positions for a move.
    Computer {
        nodes: u64,
    },
    /// The table's own brain.
    Brain,
}

/// Writes a game in the form its players exchange: the start, the moves, the result if there is one.
pub type Export<G> = fn(&G, &[<G as Game>::Move], Option<&Outcome>) -> String;

/// The time each seat has used.
#[derive(Debug)]
struct Clocks {
    used: Vec<Duration>,
    /// Since when the seat on turn has been thinking; not before the first move.
    since: Option<Instant>,
}

/// How thinking goes on.
pub enum Progress {
    /// No one has moved yet; what has been found so far.
    Thinking(String),
    /// This was played.
    Played(String),
    /// There is no move, or this is wrong.
    Stuck(String),
}

/// A move that was made.
pub struct Made<G: Game> {
    pub mv: G::Move,
    pub seat: Seat,
    /// As people write it.
    pub text: String,
    undo: G::Undo,
}

/// The table's contents and permitted actions at any moment.
pub struct Table<G: Game> {
    pub title: String,
    pub players: Vec<Player>,
    /// Who plays the seats of `Player::Brain`, and what it is called.
    pub brain: Option<(String, Box<dyn Brain<G>>)>,
    /// How `save` writes, if not as JSON Lines.
    pub export: Option<Export<G>>,
    /// The screen begins with the last seat's side at the bottom.
    pub is_flipped: bool,
    clocks: Option<Clocks>,
    /// The brain is at work on the position.
    is_thinking: bool,
    /// Where `save` writes when no other place is named.
    path: PathBuf,
    /// The user typed that path, which may then lead anywhere.
    is_typed: bool,
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
            brain: None,
            export: None,
            is_flipped: false,
            clocks: None,
            is_thinking: false,
            path,
            is_typed: false,
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
        self.save_as(path);
        self.owned = Some(path.to_path_buf());
        Ok(())
    }

    /// Chooses where `save` writes, by a path that the user typed.
    pub fn save_as(&mut self, path: &Path) {
        self.path = path.to_path_buf();
        self.is_typed = true;
    }

    /// Counts the time of every seat from the first move on.
    pub fn start_clocks(&mut self) {
        self.clocks = Some(Clocks { used: vec![Duration::ZERO; self.players.len()], since: None });
    }

    /// The time a seat has used, if it is counted.
    pub fn clock(&self, seat: Seat) -> Option<Duration> {
        let clocks = self.clocks.as_ref()?;
        let used = *clocks.used.get(usize::from(seat.0))?;
        let runs = seat == self.seat() && !self.is_over() && self.player() == Player::Human;
        Some(used + clocks.since.filter(|_| runs).map_or(Duration::ZERO, |since| since.elapsed()))
    }

    /// The clock of the seat on turn stops, and the next one's begins. A brain has its own clock.
    fn press_clock(&mut self) {
        let (seat, player) = (usize::from(self.seat().0), self.player());
        let by_brain = self.brain.as_ref().map(|(_, brain)| brain.time_used());
        if let Some(clocks) = &mut self.clocks {
            let used = match (player, by_brain) {
                (Player::Brain, Some(used)) => used,
                _ => clocks.since.map_or(Duration::ZERO, |since| since.elapsed()),
            };
            if let Some(total) = clocks.used.get_mut(seat) {
                *total += used;
            }
            clocks.since = Some(Instant::now());
        }
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
        !self.is_over() && self.player() != Player::Human
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

    /// A move as people write it.
    pub fn text(&self, mv: G::Move) -> String {
        self.game.spoken_move(mv)
    }

    /// A move in the game's own form, as files have it.
    pub fn exact_text(&self, mv: G::Move) -> String {
        self.game.move_text(mv)
    }

    /// The legal move a text means: the game's own form, or as people write it.
    pub fn find(&self, text: &str) -> Option<G::Move> {
        let found = self.game.clone().find_move(text);
        found.or_else(|| self.legal.iter().copied().find(|&mv| self.text(mv).eq_ignore_ascii_case(text)))
    }

    pub fn about(&self) -> Vec<String> {
        self.game.about()
    }

    /// The seat on turn claims a draw; why, if the rules allow it.
    pub fn claim(&mut self) -> Option<&'static str> {
        let reason = self.game.claim().filter(|_| !self.is_over())?;
        self.outcome = Some(Outcome::Draw { reason });
        self.legal.clear();
        Some(reason)
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
        self.press_clock();
        self.is_thinking = false;
        self.push(mv);
        self.undone.clear();
        self.refresh();
    }

    fn push(&mut self, mv: G::Move) {
        let (seat, text) = (self.game.seat_to_move(), self.game.spoken_move(mv));
        let undo = self.game.make(mv);
        self.made.push(Made { mv, seat, text, undo });
    }

    /// Lets the search or the brain move, and waits for it.
    pub fn think(&mut self) -> Progress {
        loop {
            match self.think_on() {
                Progress::Thinking(_) => std::thread::sleep(Duration::from_millis(2)),
                done => return done,
            }
        }
    }

    /// As `think`, without waiting for a brain.
    pub fn think_on(&mut self) -> Progress {
        if let Some((_, brain)) = &mut self.brain {
            let brains_turn =
                self.players.get(usize::from(self.game.seat_to_move().0)) == Some(&Player::Brain);
            if !self.is_thinking {
                if brains_turn && brain.wants_draw() && self.claim().is_some() {
                    return Progress::Played("claims a draw".into());
                }
                let moves: Vec<G::Move> = self.made.iter().map(|made| made.mv).collect();
                if let Some((_, brain)) = &mut self.brain {
                    brain.begin(&self.start, &moves);
                }
                self.is_thinking = true;
                return Progress::Thinking(String::new());
            }
            return match brain.look() {
                Thought::Thinking(found) => Progress::Thinking(found),
                Thought::Failed(message) => {
                    self.is_thinking = false;
                    Progress::Stuck(message)
                }
                Thought::Found(found) => {
                    self.is_thinking = false;
                    self.settle(found)
                }
            };
        }
        let nodes = match self.player() {
            Player::Computer { nodes } => nodes,
            _ => 20_000,
        };
        let best = search::best_move(&mut self.game.veiled(), search::Limits::nodes(nodes)).best;
        self.settle(best)
    }

    fn settle(&mut self, found: Option<G::Move>) -> Progress {
        let Some(mv) = found.filter(|mv| self.legal.contains(mv)) else {
            return Progress::Stuck("there is no move".into());
        };
        let text = self.text(mv);
        self.play(mv);
        Progress::Played(text)
    }

    /// Whether the brain is at work.
    pub fn is_thinking(&self) -> bool {
        self.is_thinking
    }

    /// The brain is to move now.
    pub fn hurry(&mut self) {
        if let Some((_, brain)) = &mut self.brain {
            brain.hurry();
        }
    }

    /// The brain thinks about a position that is no longer on the table.
    fn interrupt(&mut self) {
        if self.is_thinking {
            self.hurry();
        }
        self.is_thinking = false;
    }

    /// Takes back to the last human decision; how many moves that were.
    pub fn undo(&mut self) -> usize {
        self.interrupt();
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
        self.interrupt();
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
        let is_typed = self.is_typed || path.is_some();
        let path = path.unwrap_or(&self.path).to_path_buf();
        let is_foreign = || self.export.is_some() || !is_saved_game(&path);
        if self.owned.as_ref() != Some(&path) && path.exists() && is_foreign() {
            let what = if self.export.is_some() { "exists" } else { "exists and is not a saved game" };
            return Err(format!("{} {what}; name another file", path.display()));
        }
        let moves: Vec<G::Move> = self.made.iter().map(|made| made.mv).collect();
        let text = match self.export {
            Some(export) => export(&self.start, &moves, self.outcome.as_ref()),
            None => saved::write(&self.header, &self.start, &moves),
        };
        let outlet = if is_typed { Ok(None) } else { Outlet::open(Path::new("."), "save FILE").map(Some) };
        outlet
            .and_then(|outlet| files::write_durably(outlet.as_ref(), &path, text.as_bytes()))
            .map_err(|err| format!("cannot write {}: {err}", path.display()))?;
        self.saved = Some(self.made.len());
        (self.path, self.is_typed) = (path.clone(), is_typed);
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

    /// Two rows of pieces that only step forward; the first player who cannot move ends it.
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

    pub fn small() -> Table<tempo_gamespec::Position> {
        let header = Header { game: "spec".into(), setup: json!({"spec": "small.json"}) };
        Table::new("SMALL".into(), tempo_gamespec::load(SMALL).unwrap(), header, "small.jsonl".into())
    }

    fn play_text(table: &mut Table<tempo_gamespec::Position>, text: &str) {
        let mv = table.find(text).unwrap();
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
