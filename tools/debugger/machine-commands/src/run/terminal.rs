//! `--terminal`: the machine at its own speed in this terminal, with its keyboard and a joystick.
//!
//! Terminals tell when a key goes down and when it repeats, but not when it comes up: a key counts as held for a few
//! frames after each of the two.

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use ratatui::{DefaultTerminal, Frame};
use tempo_c64::{End, Keys, Press, Session};
use tempo_emu::{Joystick, Keyboard};
use tempo_source_commands::watch::Watcher;

use super::blocks::{self, Shown};
use super::computer::Speed;
use super::record::Recorder;

/// Frames that a key and a direction are held after a press.
const KEY_HELD: u64 = 4;
const STICK_HELD: u64 = 6;

/// Frames that a key is held at least when more are waiting.
const KEY_SHORTEST: u64 = 2;

/// Keys that wait: more come from a paste, and no one types that far ahead.
const MOST_WAITING: usize = 1000;

/// Pictures that may be left out in a row when the terminal is slow.
const MOST_SKIPPED: u32 = 4;

/// The time between two pictures with `--warp`.
const WARP_PICTURES: Duration = Duration::from_millis(50);

/// Refuses anything but a terminal.
pub fn check() -> Result<(), String> {
    let missing = match (std::io::stdin().is_terminal(), std::io::stdout().is_terminal()) {
        (true, true) => return Ok(()),
        (_, false) => "standard output",
        (false, true) => "standard input",
    };
    Err(format!(
        "--terminal: {missing} is not a terminal; --screenshot, --record and --screen work without one"
    ))
}

/// Gives the terminal back, also when something fails.
struct Restore;

impl Drop for Restore {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Plays until the user quits, the program ends, the frames are over, or a watched file has changed.
pub fn play(
    session: &mut Session,
    recorder: &mut Recorder,
    frames: Option<u64>,
    is_warp: bool,
    watcher: Option<&Watcher<'_>>,
) -> Result<Option<End>, String> {
    // A panic restores the terminal as well: this sets a hook.
    let mut terminal =
        ratatui::try_init().map_err(|err| format!("--terminal: cannot use this terminal: {err}"))?;
    let _restore = Restore;
    let failed = |err: std::io::Error| format!("--terminal: the terminal failed: {err}");
    let colours = std::env::var("COLORTERM").unwrap_or_default();
    let has_true_colour = colours.contains("truecolor") || colours.contains("24bit");
    let timing = session.machine.timing();
    let frame_time =
        Duration::from_nanos(timing.cycles_per_frame() * 1_000_000_000 / u64::from(timing.clock));
    let mut input = Input::new(session.machine.keyboard());
    let mut due = Instant::now();
    let mut skipped = 0;
    let (mut counted, mut since) = (session.machine.cycles(), Instant::now());
    let mut speed = None;
    let mut drawn = Instant::now();
    while frames.is_none_or(|frames| session.frames() < frames) {
        due += frame_time;
        if is_warp {
            due = Instant::now();
        }
        if watcher.is_some_and(Watcher::has_changed) {
            return Ok(None);
        }
        if wait(due, &mut input, session.frames()).map_err(failed)? {
            return Ok(None);
        }
        input.apply(session);
        match session.run_frame() {
            None => recorder.frame(&mut session.machine)?,
            Some(End::Returned) => session.enter_prompt(),
            Some(end) => return Ok(Some(end)),
        }
        if is_warp {
            if since.elapsed() >= Duration::from_secs(1) {
                speed = Some(Speed::of(&session.machine, counted, since));
                (counted, since) = (session.machine.cycles(), Instant::now());
            }
            if drawn.elapsed() >= WARP_PICTURES {
                drawn = Instant::now();
                draw(&mut terminal, session, &input, has_true_colour, speed.as_ref()).map_err(failed)?;
            }
            continue;
        }
        let late = Instant::now().saturating_duration_since(due);
        if late < frame_time || skipped >= MOST_SKIPPED {
            skipped = 0;
            draw(&mut terminal, session, &input, has_true_colour, None).map_err(failed)?;
        } else {
            skipped += 1;
        }
        if late > 10 * frame_time {
            // This computer is too slow, or it slept: what is lost is not made up for.
            due = Instant::now();
        }
    }
    Ok(None)
}

/// Takes events until it is time for the next frame; whether to quit.
fn wait(due: Instant, input: &mut Input, now: u64) -> std::io::Result<bool> {
    const MOST_EVENTS: usize = 1000;
    for _ in 0..MOST_EVENTS {
        if !event::poll(due.saturating_duration_since(Instant::now()))? {
            break;
        }
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
            && input.press(key, now)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn draw(
    terminal: &mut DefaultTerminal,
    session: &Session,
    input: &Input,
    has_true_colour: bool,
    speed: Option<&Speed>,
) -> std::io::Result<()> {
    let image = Shown { picture: session.machine.picture(), palette: session.machine.palette() };
    terminal.draw(|frame| draw_frame(frame, image, input.has_stick, has_true_colour, speed)).map(|_| ())
}

fn draw_frame(
    frame: &mut Frame<'_>,
    image: Shown<'_>,
    has_stick: bool,
    has_true_colour: bool,
    speed: Option<&Speed>,
) {
    let area = frame.area();
    let (columns, lines) = blocks::SMALLEST;
    if area.width < columns || area.height < lines {
        let text = format!("this window is too small: at least {columns}x{lines}, Ctrl-Q quits");
        frame.render_widget(Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true }), area);
        return;
    }
    let picture = Rect { height: area.height - 1, ..area };
    blocks::draw(image, picture, has_true_colour, frame.buffer_mut());
    let keys = if has_stick { "joystick 2, space fires" } else { "cursor keys" };
    let mut text = format!("Ctrl-Q quits · F9 arrows: {keys}");
    if let Some(speed) = speed {
        text += &format!(" · {speed}");
    }
    if picture.width < 192 || picture.height < 68 {
        text += " · small window: 192x69 shows text, 384x137 all pixels";
    }
    frame.render_widget(Line::from(text), Rect { y: area.bottom() - 1, height: 1, ..area });
}

/// The keys that are pressed now and later.
#[derive(Debug)]
struct Input {
    keyboard: &'static Keyboard,
    /// Whether the arrows are the joystick.
    has_stick: bool,
    /// The switches of the joystick, each with the frame in which it opens.
    switches: Vec<(Joystick, u64)>,
    stick: Joystick,
    /// The key that is down: since when, until when.
    key: Option<(Press, u64, u64)>,
    waiting: VecDeque<Press>,
}

impl Input {
    fn new(keyboard: &'static Keyboard) -> Input {
        let (switches, waiting) = (Vec::new(), VecDeque::new());
        Input { keyboard, has_stick: true, switches, stick: Joystick::NONE, key: None, waiting }
    }

    /// A key of the terminal; whether it quits.
    fn press(&mut self, key: KeyEvent, now: u64) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'q') if control => return true,
            KeyCode::F(9) => self.has_stick = !self.has_stick,
            code => match switch(code).filter(|_| self.has_stick) {
                Some(closed) => {
                    let opposite = switch(opposite(code));
                    self.switches.retain(|&(other, _)| other != closed && Some(other) != opposite);
                    self.switches.push((closed, now + STICK_HELD));
                }
                None => self.type_key(press_of(key, self.keyboard), now),
            },
        }
        false
    }

    fn type_key(&mut self, press: Option<Press>, now: u64) {
        let Some(press) = press else { return };
        match &mut self.key {
            Some((down, _, until)) if *down == press && self.waiting.is_empty() => *until = now + KEY_HELD,
            _ if self.waiting.len() < MOST_WAITING => self.waiting.push_back(press),
            _ => {}
        }
    }

    /// Moves keys and joystick before a frame.
    fn apply(&mut self, session: &mut Session) {
        let now = session.frames();
        self.switches.retain(|&(_, until)| now < until);
        let stick = self.switches.iter().fold(Joystick::NONE, |all, &(closed, _)| all.or(closed));
        if stick != self.stick {
            self.stick = stick;
            session.machine.set_joystick(2, stick);
        }
        match self.key.take() {
            Some((press, since, until)) => {
                let is_hurried = !self.waiting.is_empty() && now >= since + KEY_SHORTEST;
                if now >= until || is_hurried {
                    session.set(&press, false);
                } else {
                    self.key = Some((press, since, until));
                }
            }
            // A frame without a key is between two, or the same one twice would be one.
            None => {
                if let Some(press) = self.waiting.pop_front() {
                    session.set(&press, true);
                    self.key = Some((press, now, now + KEY_HELD));
                }
            }
        }
    }
}

/// The switch of the joystick that a key closes.
fn switch(code: KeyCode) -> Option<Joystick> {
    Some(match code {
        KeyCode::Up => Joystick::UP,
        KeyCode::Down => Joystick::DOWN,
        KeyCode::Left => Joystick::LEFT,
        KeyCode::Right => Joystick::RIGHT,
        KeyCode::Char(' ') => Joystick::FIRE,
        _ => return None,
    })
}

fn opposite(code: KeyCode) -> KeyCode {
    match code {
        KeyCode::Up => KeyCode::Down,
        KeyCode::Down => KeyCode::Up,
        KeyCode::Left => KeyCode::Right,
        KeyCode::Right => KeyCode::Left,
        other => other,
    }
}

/// The machine's keys for one of the terminal's, or `None` if it has no such key.
fn press_of(key: KeyEvent, keyboard: &Keyboard) -> Option<Press> {
    let name = match key.code {
        KeyCode::Enter => "RETURN".to_string(),
        KeyCode::Esc => "STOP".to_string(),
        KeyCode::Backspace | KeyCode::Delete => "DEL".to_string(),
        KeyCode::Insert => "INST".to_string(),
        KeyCode::Home => "HOME".to_string(),
        KeyCode::End => "CLR".to_string(),
        KeyCode::PageUp => "RESTORE".to_string(),
        KeyCode::Tab => "CTRL".to_string(),
        KeyCode::BackTab => "C=".to_string(),
        KeyCode::Up => "UP".to_string(),
        KeyCode::Down => "DOWN".to_string(),
        KeyCode::Left => "LEFT".to_string(),
        KeyCode::Right => "RIGHT".to_string(),
        KeyCode::F(number @ 1..=8) => format!("F{number}"),
        KeyCode::Char(letter) if key.modifiers.contains(KeyModifiers::CONTROL) => format!("CTRL+{letter}"),
        KeyCode::Char(letter) if key.modifiers.contains(KeyModifiers::ALT) => format!("C=+{letter}"),
        KeyCode::Char(letter) if letter.is_ascii_uppercase() => format!("SHIFT+{letter}"),
        // A brace is not a key, and would begin a name.
        KeyCode::Char('{') => return None,
        KeyCode::Char(letter) => return first_press(&letter.to_string(), keyboard),
        _ => return None,
    };
    first_press(&format!("{{{name}}}"), keyboard)
}

fn first_press(script: &str, keyboard: &Keyboard) -> Option<Press> {
    Keys::parse(script, keyboard).ok()?.strokes.into_iter().next().map(|stroke| stroke.press)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use tempo_emu::c64::{KEYBOARD, PALETTE};
    use tempo_emu::{Picture, System};

    fn keys(names: &[&'static str]) -> Option<Press> {
        Some(names.to_vec())
    }

    #[test]
    fn keys_of_the_terminal_are_keys_of_the_c64() {
        let plain = |code| press_of(KeyEvent::new(code, KeyModifiers::NONE), &KEYBOARD);
        assert_eq!(plain(KeyCode::Char('a')), keys(&["A"]));
        assert_eq!(plain(KeyCode::Char('A')), keys(&["LSHIFT", "A"]));
        assert_eq!(plain(KeyCode::Char('"')), keys(&["LSHIFT", "2"]));
        assert_eq!(plain(KeyCode::F(2)), keys(&["LSHIFT", "F1"]));
        assert_eq!(plain(KeyCode::Up), keys(&["LSHIFT", "DOWN"]));
        assert_eq!(plain(KeyCode::PageUp), keys(&["RESTORE"]));
        assert_eq!(plain(KeyCode::Insert), keys(&["LSHIFT", "DEL"]));
        assert_eq!(plain(KeyCode::Char('ä')), None);
        assert_eq!(plain(KeyCode::Char('{')), None);
        let held = |letter, modifiers| press_of(KeyEvent::new(KeyCode::Char(letter), modifiers), &KEYBOARD);
        assert_eq!(held('2', KeyModifiers::CONTROL), keys(&["CTRL", "2"]));
        assert_eq!(held('1', KeyModifiers::ALT), keys(&["C=", "1"]));
    }

    /// The state of the keyboard's first column and the joystick before each frame, keys pressed before frame 0.
    #[test]
    fn what_is_pressed_comes_up_again() {
        let event = |code| KeyEvent::new(code, KeyModifiers::NONE);
        let mut session = Session::new(System::C64Pal.computer().expect("a whole computer"));
        let mut input = Input::new(session.machine.keyboard());
        for code in
            [KeyCode::Char('a'), KeyCode::Char('a'), KeyCode::Left, KeyCode::Right, KeyCode::Char(' ')]
        {
            assert!(!input.press(event(code), 0));
        }
        let mut downs = String::new();
        let mut sticks = Vec::new();
        for _ in 0..10 {
            input.apply(&mut session);
            session.run_frame();
            downs.push(if input.key.is_some() { 'A' } else { '.' });
            sticks.push(input.stick);
        }
        // The first makes room for the second, which stays as long as a key does.
        assert_eq!(downs, "AA.AAAA...");
        let pushed = Joystick::RIGHT.or(Joystick::FIRE);
        assert_eq!(sticks, [[pushed; 6].as_slice(), &[Joystick::NONE; 4]].concat());
        // The arrows are keys after F9.
        input.press(event(KeyCode::F(9)), 10);
        input.press(event(KeyCode::Left), 10);
        assert_eq!((input.switches.len(), input.waiting.len()), (0, 1));
        assert!(input.press(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::CONTROL), 10));
    }

    #[test]
    fn a_window_that_is_too_small_says_so() {
        let text = |width, height| {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
            let pixels = vec![6; 384 * 272];
            let image = Shown { picture: Picture { pixels: &pixels, width: 384 }, palette: &PALETTE };
            terminal.draw(|frame| draw_frame(frame, image, true, true, None)).expect("drawn");
            terminal.backend().to_string()
        };
        assert!(text(30, 10).contains("too small"));
        assert!(text(120, 40).contains("small window: 192x69 shows text"));
        let large = text(200, 80);
        assert!(large.contains('▀') && large.contains("Ctrl-Q quits") && !large.contains("small"));
    }
}
