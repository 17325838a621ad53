//! The screen's state and what the keys do to it, and the loop that reads them.

use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tempo_boardgame::{Game, Mark, Square};
use tempo_host::Exit;

use super::command::{self, Answer};
use super::screen;
use super::table::{Progress, Table};

/// Everything about the screen that is not the game.
#[derive(Debug)]
pub struct Screen<M> {
    pub cursor: Square,
    /// The square a move is being made from.
    pub from: Option<Square>,
    pub popup: Option<Popup<M>>,
    /// A command being typed.
    pub input: Option<String>,
    /// The last thing said; lines.
    pub message: String,
    pub flipped: bool,
    pub thinking: bool,
    /// The brain's result so far.
    pub found: String,
    /// A person lets the brain make this move.
    asked: bool,
    pub colour: bool,
    /// Chess figurines instead of letters.
    pub figurines: bool,
    /// Quitting was asked once with unsaved moves.
    leaving: bool,
}

/// A list to choose a move from.
#[derive(Debug)]
pub struct Popup<M> {
    pub title: String,
    pub moves: Vec<(M, String)>,
    pub chosen: usize,
}

/// Whether the loop goes on.
#[derive(Debug, PartialEq, Eq)]
pub enum Flow {
    On,
    Leave,
}

/// The present meaning of the keys, most needed first: the end may be cut off.
pub fn keys_line<G: Game>(table: &Table<G>, screen: &Screen<G::Move>) -> String {
    let words = if screen.input.is_some() {
        "enter do it · esc cancel".to_owned()
    } else if screen.popup.is_some() {
        "↑↓ choose · enter play · esc cancel".to_owned()
    } else if screen.thinking {
        let now = if table.is_thinking() { "m move now · " } else { "" };
        format!("{now}u undo · f flip · p pieces · q quit")
    } else if table.is_over() {
        "u undo · s save · f flip · ? help · q quit".to_owned()
    } else if screen.from.is_some() {
        "arrows go to a marked square · enter move · esc cancel · l list · ? help".to_owned()
    } else {
        "arrows and enter move · : type a move · l list · tab next piece · u undo · r redo · g go · s save · f flip · \
         p pieces · ? help · q quit"
            .to_owned()
    };
    if screen.colour { words } else { words.replace('·', "-").replace("↑↓", "arrows") }
}

/// Whether the terminal can be trusted with figurines: its text is UTF-8, and it is not the console of the kernel.
fn has_figurines() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default().to_lowercase();
    let is_utf8 =
        locale.contains("utf-8") || locale.contains("utf8") || cfg!(any(windows, target_os = "macos"));
    is_utf8 && set("TERM").as_deref() != Some("linux")
}

/// Runs the full screen until it is left. The terminal is restored whatever happens.
pub fn run<G: Game>(table: &mut Table<G>) -> Exit {
    let mut terminal = match ratatui::try_init() {
        Ok(terminal) => terminal,
        Err(err) => {
            eprintln!("error: cannot use this terminal: {err}; try --plain");
            return Exit::CannotRun;
        }
    };
    let result = turn_around(table, &mut terminal);
    ratatui::restore();
    match result {
        Ok(()) => Exit::Fine,
        Err(err) => {
            eprintln!("error: the terminal failed: {err}");
            Exit::CannotRun
        }
    }
}

fn turn_around<G: Game>(table: &mut Table<G>, terminal: &mut DefaultTerminal) -> std::io::Result<()> {
    let mut screen = Screen::new(table);
    loop {
        screen.thinking = table.is_computers_turn() || screen.asked;
        terminal.draw(|frame| screen::draw(frame, table, &screen))?;
        // While a player thinks keys are still looked at, so that a game of computers can be left; clocks go on.
        let patience = match (screen.thinking, table.clock(table.seat())) {
            (true, _) => Duration::from_millis(150),
            (false, Some(_)) => Duration::from_millis(500),
            (false, None) => Duration::from_secs(3600),
        };
        if event::poll(patience)? {
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && screen.press(table, key) == Flow::Leave
            {
                return Ok(());
            }
        } else if screen.thinking {
            screen.let_computer_move(table);
        }
    }
}

impl<M: Copy + Eq> Screen<M> {
    pub fn new<G: Game<Move = M>>(table: &Table<G>) -> Screen<M> {
        // Start on a piece that can move.
        let first = table.legal().iter().find_map(|&mv| table.squares(mv));
        Screen {
            cursor: first.map_or(Square(0), |(from, _)| from),
            from: None,
            popup: None,
            input: None,
            message: String::new(),
            flipped: table.is_flipped,
            thinking: false,
            found: String::new(),
            asked: false,
            leaving: false,
            colour: tempo_host::term::stdout_colour(),
            figurines: has_figurines(),
        }
    }

    pub fn let_computer_move<G: Game<Move = M>>(&mut self, table: &mut Table<G>) {
        let name = table.seat_name(table.seat()).to_owned();
        match table.think_on() {
            Progress::Thinking(found) => {
                self.found = found;
                return;
            }
            Progress::Played(text) => self.message = format!("{name}: {text}"),
            Progress::Stuck(message) => {
                self.message = format!("! {message}");
                // Nothing better will come of asking again.
                table.players.fill(super::Player::Human);
            }
        }
        self.asked = false;
        self.found.clear();
        self.from = None;
        self.popup = None;
    }

    /// Handles one key.
    pub fn press<G: Game<Move = M>>(&mut self, table: &mut Table<G>, key: KeyEvent) -> Flow {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Flow::Leave;
        }
        if self.input.is_some() {
            return self.press_in_input(table, key.code);
        }
        if self.popup.is_some() {
            self.press_in_popup(table, key.code);
            return Flow::On;
        }
        let leaving = std::mem::take(&mut self.leaving);
        match key.code {
            KeyCode::Left => self.step(table, -1, 0),
            KeyCode::Right => self.step(table, 1, 0),
            KeyCode::Up => self.step(table, 0, 1),
            KeyCode::Down => self.step(table, 0, -1),
            KeyCode::Enter | KeyCode::Char(' ') => self.choose(table),
            KeyCode::Esc => {
                self.from = None;
                self.message.clear();
            }
            KeyCode::Tab => self.next_mover(table),
            KeyCode::Char('l') => self.open_list(table),
            KeyCode::Char('f') => self.flipped = !self.flipped,
            KeyCode::Char('p') => self.figurines = !self.figurines,
            KeyCode::Char('m') if self.thinking => table.hurry(),
            KeyCode::Char(':') => self.input = Some(String::new()),
            KeyCode::Char('c') => return self.command(table, "claim"),
            KeyCode::Char('u') => return self.command(table, "undo"),
            KeyCode::Char('r') => return self.command(table, "redo"),
            KeyCode::Char('g') => return self.command(table, "go"),
            KeyCode::Char('s') => return self.command(table, "save"),
            KeyCode::Char('?' | 'h') => self.message = command::help(table),
            KeyCode::Char('q') if leaving || !table.has_unsaved_moves() => return Flow::Leave,
            KeyCode::Char('q') => {
                self.leaving = true;
                self.message = "moves are not saved: q again to leave, s to save".into();
            }
            _ => {}
        }
        Flow::On
    }

    fn press_in_input<G: Game<Move = M>>(&mut self, table: &mut Table<G>, key: KeyCode) -> Flow {
        let Some(input) = &mut self.input else { return Flow::On };
        match key {
            KeyCode::Esc => self.input = None,
            KeyCode::Backspace => {
                input.pop();
            }
            KeyCode::Char(character) if input.chars().count() < 200 => input.push(character),
            KeyCode::Enter => {
                let line = self.input.take().unwrap_or_default();
                return self.command(table, &line);
            }
            _ => {}
        }
        Flow::On
    }

    fn press_in_popup<G: Game<Move = M>>(&mut self, table: &mut Table<G>, key: KeyCode) {
        let Some(popup) = &mut self.popup else { return };
        let last = popup.moves.len().saturating_sub(1);
        match key {
            KeyCode::Up => popup.chosen = popup.chosen.saturating_sub(1),
            KeyCode::Down => popup.chosen = (popup.chosen + 1).min(last),
            KeyCode::PageUp => popup.chosen = popup.chosen.saturating_sub(10),
            KeyCode::PageDown => popup.chosen = (popup.chosen + 10).min(last),
            KeyCode::Home => popup.chosen = 0,
            KeyCode::End => popup.chosen = last,
            KeyCode::Enter | KeyCode::Char(' ') => {
                let chosen = popup.moves.get(popup.chosen).map(|&(mv, _)| mv);
                self.popup = None;
                if let Some(mv) = chosen {
                    self.play(table, mv);
                }
            }
            KeyCode::Esc | KeyCode::Char('q' | 'l') => self.popup = None,
            _ => {}
        }
    }

    fn command<G: Game<Move = M>>(&mut self, table: &mut Table<G>, line: &str) -> Flow {
        if line.trim() == "go" && table.brain.is_some() && !table.is_over() {
            self.asked = true;
            self.message.clear();
            return Flow::On;
        }
        self.asked = false;
        match command::run(table, line) {
            Answer::Quit => return Flow::Leave,
            Answer::Moved(text) => {
                self.message = text;
                self.from = None;
            }
            Answer::Said(text) => self.message = text,
            Answer::Refused(text) => self.message = format!("! {text}"),
            Answer::ShowBoard => {}
        }
        Flow::On
    }

    fn step<G: Game>(&mut self, table: &Table<G>, dx: i32, dy: i32) {
        let view = table.view();
        let (columns, rows) = (i32::from(view.columns), i32::from(view.rows));
        let sign = if self.flipped { -1 } else { 1 };
        let index = i32::from(self.cursor.0);
        let x = (index % columns + sign * dx).clamp(0, columns - 1);
        let y = (index / columns + sign * dy).clamp(0, rows - 1);
        self.cursor = Square((y * columns + x) as u16);
    }

    /// The cursor goes to the next piece that can move.
    fn next_mover<G: Game<Move = M>>(&mut self, table: &Table<G>) {
        let mut movers: Vec<Square> =
            table.legal().iter().filter_map(|&mv| table.squares(mv)).map(|(from, _)| from).collect();
        movers.sort();
        let next = movers.iter().find(|&&square| square > self.cursor).or(movers.first());
        self.cursor = next.copied().unwrap_or(self.cursor);
    }

    /// Enter: take up a piece, put it down, or say why not.
    fn choose<G: Game<Move = M>>(&mut self, table: &mut Table<G>) {
        if let Some(result) = table.result() {
            self.message = result;
            return;
        }
        let square = self.cursor;
        if let Some(from) = self.from.filter(|&from| from != square) {
            let fits = table.moves_between(from, square);
            match fits.as_slice() {
                [] => {}
                &[mv] => return self.play(table, mv),
                several => {
                    let name = square.name(table.view().columns);
                    let moves = several.iter().map(|&mv| (mv, table.text(mv))).collect();
                    self.popup = Some(Popup { title: format!("move to {name}"), moves, chosen: 0 });
                    return;
                }
            }
        }
        let name = square.name(table.view().columns);
        if !table.moves_from(square).is_empty() {
            self.from = if self.from == Some(square) { None } else { Some(square) };
            self.message.clear();
        } else if self.from.is_some() {
            self.message = format!("! no legal move to {name}");
        } else if table.view().cell(square).mark == Some(Mark::Hole) {
            self.message = format!("! {name} is not part of the board");
        } else {
            self.message = format!("! nothing on {name} can move now");
        }
    }

    fn open_list<G: Game<Move = M>>(&mut self, table: &Table<G>) {
        let moves: Vec<(M, String)> = match self.from {
            Some(from) => table.moves_from(from),
            None => table.legal().to_vec(),
        }
        .into_iter()
        .map(|mv| (mv, table.text(mv)))
        .collect();
        if moves.is_empty() {
            self.message = "! there are no moves".into();
        } else {
            self.popup = Some(Popup { title: format!("{} moves", moves.len()), moves, chosen: 0 });
        }
    }

    fn play<G: Game<Move = M>>(&mut self, table: &mut Table<G>, mv: M) {
        self.message = table.text(mv);
        table.play(mv);
        self.from = None;
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use ratatui::crossterm::event::KeyEvent;

    use super::super::table::tests::small;
    use super::*;

    fn press(
        screen: &mut Screen<tempo_gamespec::Move>,
        table: &mut Table<tempo_gamespec::Position>,
        keys: &[KeyCode],
    ) -> Flow {
        let mut flow = Flow::On;
        for &key in keys {
            flow = screen.press(table, KeyEvent::new(key, KeyModifiers::NONE));
        }
        flow
    }

    #[test]
    fn a_game_is_played_with_the_arrow_keys() {
        use KeyCode::{Enter, Right, Tab, Up};
        let mut table = small();
        let mut screen = Screen::new(&table);
        assert_eq!(screen.cursor, Square(0));
        press(&mut screen, &mut table, &[Right, Right, Enter, Up, Enter]);
        assert_eq!(table.made().last().unwrap().text, "Mc1-c2");
        press(&mut screen, &mut table, &[Tab, Enter]);
        assert_eq!(screen.from, Some(Square(9)));
        press(&mut screen, &mut table, &[KeyCode::Down, Enter]);
        assert_eq!(table.made().last().unwrap().text, "Ma4-a3");
        press(&mut screen, &mut table, &[KeyCode::Char('u')]);
        assert_eq!(table.made().len(), 1);
    }

    #[test]
    fn several_moves_to_a_square_open_a_list() {
        let mut table = small();
        for text in ["c1c2", "a4a3", "c2c3", "a3a2"] {
            command::run(&mut table, text);
        }
        let mut screen = Screen::new(&table);
        screen.cursor = Square(8);
        press(&mut screen, &mut table, &[KeyCode::Enter, KeyCode::Up, KeyCode::Enter]);
        assert_eq!(screen.popup.as_ref().unwrap().moves.len(), 2);
        press(&mut screen, &mut table, &[KeyCode::Down, KeyCode::Enter]);
        assert_eq!(table.made().last().unwrap().text, "Mc3-c4=W");
    }

    #[test]
    fn unsaved_moves_ask_before_leaving() {
        let mut table = small();
        let mut screen = Screen::new(&table);
        assert_eq!(press(&mut screen, &mut table, &[KeyCode::Char('q')]), Flow::Leave);
        command::run(&mut table, "c1c2");
        assert_eq!(press(&mut screen, &mut table, &[KeyCode::Char('q')]), Flow::On);
        assert_eq!(press(&mut screen, &mut table, &[KeyCode::Char('q')]), Flow::Leave);
    }

    #[test]
    fn commands_can_be_typed() {
        let mut table = small();
        let mut screen = Screen::new(&table);
        let keys: Vec<KeyCode> = ":c1c2".chars().map(KeyCode::Char).chain([KeyCode::Enter]).collect();
        press(&mut screen, &mut table, &keys);
        assert_eq!(table.made().len(), 1);
        assert_eq!(screen.message, "Mc1-c2");
    }
}
