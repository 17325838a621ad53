//! The debugger on a terminal: keys in, the screen out.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tempo_debug::Place;
use tempo_host::{Exit, output};

use super::session::Session;
use super::view;

/// The part of the screen beside the debugger.
pub struct App {
    pub session: Session,
    pub file: String,
    /// The message.
    pub log: Vec<String>,
    /// The command line, while one is typed.
    pub input: Option<String>,
    past_commands: Vec<String>,
    past_at: usize,
    /// The line the user looks at, if it is not where the machine is stopped.
    pub cursor: Option<Place>,
    /// The page of the help that is shown; 0 is none.
    pub help: usize,
    /// The registers at the stop before, to mark what has changed.
    pub before: tempo_emu::Registers,
    /// Memory at the stop before.
    pub memory: Vec<u8>,
    pub screen: Screen,
    pub has_true_colour: bool,
    pub has_colours: bool,
    pub is_over: bool,
}

/// The visible part of a C64's screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    Hidden,
    Picture,
    Text,
}

/// Keys and what they do, for the help.
pub const KEYS: [(&str, &str); 18] = [
    ("n  F10", "over the line"),
    ("s  F11", "into calls and macros"),
    ("o  Shift-F11", "out of the routine or macro"),
    ("c  F5", "run on; any key pauses"),
    ("b", "a line back"),
    ("C  Shift-F5", "run back to a breakpoint"),
    ("i  I", "an instruction into / over"),
    ("B", "an instruction back"),
    ("t  F9", "breakpoint at the marked line"),
    ("up down", "mark a line; PgUp PgDn faster"),
    ("Home", "back to the current line"),
    ("w", "why: who wrote this?"),
    ("W", "go where the answer points"),
    ("p", "print an expression"),
    ("m", "show memory"),
    ("v", "the C64's screen: its picture, its text, neither"),
    (":", "a command; Tab completes"),
    ("q", "leave"),
];

/// How long a picture stays while the machine runs.
const PICTURE: Duration = Duration::from_millis(40);

struct Restore;

impl Drop for Restore {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Runs until the user leaves.
pub fn run(session: Session, file: &str) -> Exit {
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return output::complain("tempo debug needs a terminal; with -x COMMAND it works without one");
    }
    let mut terminal = match ratatui::try_init() {
        Ok(terminal) => terminal,
        Err(err) => return output::complain(format_args!("cannot use this terminal: {err}")),
    };
    let _restore = Restore;
    let colours = std::env::var("COLORTERM").unwrap_or_default();
    let before = *session.debugger.machine().registers();
    let mut app = App {
        session,
        file: file.to_string(),
        log: Vec::new(),
        input: None,
        past_commands: Vec::new(),
        past_at: 0,
        cursor: None,
        help: 0,
        before,
        memory: Vec::new(),
        screen: Screen::Hidden,
        has_true_colour: colours.contains("truecolor") || colours.contains("24bit"),
        has_colours: !std::env::var("NO_COLOR").is_ok_and(|value| !value.is_empty()),
        is_over: false,
    };
    app.take_lines();
    while !app.is_over {
        if let Err(err) = terminal.draw(|frame| view::draw(frame, &app)) {
            return output::complain(format_args!("the terminal failed: {err}"));
        }
        let wait = if app.session.is_running { Duration::ZERO } else { Duration::from_millis(500) };
        match event::poll(wait) {
            Ok(true) => match event::read() {
                Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => app.key(key),
                Ok(_) => {}
                Err(err) => return output::complain(format_args!("the terminal failed: {err}")),
            },
            Ok(false) => {}
            Err(err) => return output::complain(format_args!("the terminal failed: {err}")),
        }
        app.work();
    }
    app.session.leave();
    Exit::Fine
}

impl App {
    fn take_lines(&mut self) {
        self.log.extend(self.session.take_lines().into_iter().map(|line| line.text));
        let extra = self.log.len().saturating_sub(1000);
        self.log.drain(..extra);
    }

    /// Runs the machine for as long as a picture lasts, or until a key is pressed.
    fn work(&mut self) {
        let start = Instant::now();
        while self.session.is_running && start.elapsed() < PICTURE {
            match self.session.run() {
                Ok(None) => {}
                Ok(Some(stopped)) => {
                    self.session.is_running = false;
                    self.session.note(&stopped);
                    self.cursor = None;
                }
                Err(message) => self.session.say(format!("error: {message}")),
            }
            for line in self.session.debugger.take_log() {
                self.session.say(line);
            }
            self.take_lines();
            if event::poll(Duration::ZERO).unwrap_or(true) {
                return;
            }
        }
    }

    fn command(&mut self, text: &str) {
        self.cursor = None;
        let machine = self.session.debugger.machine();
        self.before = *machine.registers();
        self.memory = (0..=0xffff_u16).map(|at| machine.peek(at)).collect();
        self.log.push(format!("> {text}"));
        // The help has its own pages on a screen.
        if ["help", "h", "?"].contains(&text.trim()) {
            self.help = 1;
            return;
        }
        if let Err(message) = self.session.command(text) {
            self.session.say(format!("error: {message}"));
        }
        self.take_lines();
    }

    fn key(&mut self, key: KeyEvent) {
        if key.modifiers.contains(KeyModifiers::CONTROL)
            && key.code == KeyCode::Char('c')
            && !self.session.is_running
        {
            self.input = None;
            return;
        }
        if self.session.is_running {
            match self.session.pause() {
                Ok(stopped) => self.session.note(&stopped),
                Err(message) => self.session.say(format!("error: {message}")),
            }
            self.session.is_running = false;
            self.take_lines();
            if key.code == KeyCode::Char('q') {
                self.is_over = true;
            }
            return;
        }
        if self.help > 0 {
            self.help = if self.help < view::HELP_PAGES { self.help + 1 } else { 0 };
            return;
        }
        if self.input.is_some() {
            return self.edit(key);
        }
        let shift = key.modifiers.contains(KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Char('q') => self.is_over = true,
            KeyCode::Char('?') | KeyCode::F(1) => self.help = 1,
            KeyCode::Char('n') | KeyCode::F(10) => self.command("next"),
            KeyCode::Char('s') => self.command("step"),
            KeyCode::F(11) if shift => self.command("out"),
            KeyCode::F(11) => self.command("step"),
            KeyCode::Char('o') => self.command("out"),
            KeyCode::F(5) if shift => self.command("reverse"),
            KeyCode::Char('c') | KeyCode::F(5) => self.command("continue"),
            KeyCode::Char('C') => self.command("reverse"),
            KeyCode::Char('b') => self.command("back"),
            KeyCode::Char('B') => self.command("back i"),
            KeyCode::Char('i') => self.command("step i"),
            KeyCode::Char('I') => self.command("next i"),
            KeyCode::Char('W') => self.command("why"),
            KeyCode::Char('v') => {
                self.screen = match self.screen {
                    // A picture without colours shows nothing.
                    Screen::Hidden if self.has_colours => Screen::Picture,
                    Screen::Hidden | Screen::Picture => Screen::Text,
                    Screen::Text => Screen::Hidden,
                }
            }
            KeyCode::Char('w') => self.input = Some("why ".to_string()),
            KeyCode::Char('p') => self.input = Some("print ".to_string()),
            KeyCode::Char('m') => self.input = Some("memory ".to_string()),
            KeyCode::Char(':') => self.input = Some(String::new()),
            KeyCode::Char('t') | KeyCode::F(9) => self.toggle(),
            KeyCode::Up => self.mark(-1),
            KeyCode::Down => self.mark(1),
            KeyCode::PageUp => self.mark(-10),
            KeyCode::PageDown => self.mark(10),
            KeyCode::Home => self.cursor = None,
            _ => {}
        }
    }

    /// The line the user looks at.
    pub fn place(&self) -> Option<Place> {
        self.cursor.clone().or_else(|| self.session.debugger.top_place())
    }

    fn mark(&mut self, by: i64) {
        if let Some(mut place) = self.place() {
            place.line = (i64::from(place.line) + by).clamp(1, 1_000_000) as u32;
            self.cursor = Some(place);
        }
    }

    fn toggle(&mut self) {
        let Some(place) = self.place() else { return };
        if let Err(message) = self.session.toggle(&place.path, place.line) {
            self.session.say(format!("error: {message}"));
        }
        self.take_lines();
    }

    fn edit(&mut self, key: KeyEvent) {
        let Some(input) = &mut self.input else { return };
        match key.code {
            KeyCode::Esc => self.input = None,
            KeyCode::Enter => {
                let text = self.input.take().unwrap_or_default();
                if !text.trim().is_empty() {
                    self.past_commands.push(text.clone());
                    self.past_at = self.past_commands.len();
                    self.command(&text);
                }
            }
            KeyCode::Backspace => {
                let was_empty = input.pop().is_none();
                if was_empty {
                    self.input = None;
                }
            }
            KeyCode::Up | KeyCode::Down if !self.past_commands.is_empty() => {
                let at =
                    if key.code == KeyCode::Up { self.past_at.saturating_sub(1) } else { self.past_at + 1 };
                self.past_at = at.min(self.past_commands.len() - 1);
                *input = self.past_commands[self.past_at].clone();
            }
            KeyCode::Tab => {
                let found = self.session.complete(input);
                match found.as_slice() {
                    [] => {}
                    [one] => *input = one.clone(),
                    all => {
                        let common = all.iter().skip(1).fold(all[0].clone(), |common, other| {
                            common
                                .chars()
                                .zip(other.chars())
                                .take_while(|(one, two)| one == two)
                                .map(|(one, _)| one)
                                .collect()
                        });
                        if common.len() > input.len() {
                            *input = common;
                        } else {
                            let names: Vec<&str> = all
                                .iter()
                                .take(12)
                                .map(|name| name.rsplit(' ').next().unwrap_or(name))
                                .collect();
                            self.log.push(names.join("  "));
                        }
                    }
                }
            }
            KeyCode::Char(character) => input.push(character),
            _ => {}
        }
    }
}
