//! Games played through the C64's screen: keys and joystick in, pictures and text out. Each `tests/screen/NAME.play` is a
//! script; what it shows is compared with the PNGs beside it. `UPDATE=1` rewrites the pictures. `-ntsc` at the end of a
//! name is an American C64, `-reu` one with a RAM expansion, `-disk` one with the program's disk.
//!
//! ```text
//! # a comment
//! keys e2e4{RETURN}      typed, then run until all of it has been
//! stick 0:up,4:none      the joystick in port 2, by frame
//! frames 20              time
//! plies 2                until this many moves are on the board
//! thinks 50 2            this many frames of search, of which interrupts take no more than 2 percent
//! ponders 200            the C64 thinks on the person's time this many frames later, and the board shows the game
//! expected 60            the move that it expects, typed: the answer is there this many frames later
//! row 22 Check!          text beside the board
//! fen 8/8/…              the position, as far as it is written
//! picture NAME           the whole screen
//! ```

#![allow(clippy::disallowed_methods, reason = "a test reads its fixtures")]

use std::ops::ControlFlow;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_bridge::Program;
use tempo_c64::{Drive, End, Keys, Moves, Picture, Session, Volume};
use tempo_emu::c64::{C64, Ended, KEYBOARD, Model, PALETTE};
use tempo_emu::{Hooks, Registers};
use tempo_formats::symbols::Symbols;

mod support;

/// The value of `Thinking` on the person's time.
const PONDERING: u8 = 2;
/// Where the text beside the board begins, and how wide it is.
const PANEL: usize = 25;
const COLUMNS: usize = 40;
/// Frames that a move may take: two minutes.
const PATIENCE: u64 = 6000;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> =
        tempo_testing::files_with_extension(&tempo_testing::fixtures().join("screen"), "play")
            .into_iter()
            .map(|path| Trial::test(tempo_testing::stem(&path), move || play(&path).map_err(Failed::from)))
            .collect();
    trials.push(Trial::test("thinking-is-hardly-disturbed", || {
        disturbance().map(|share| println!("{share}")).map_err(Failed::from)
    }));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Counts the cycles of an interrupt handler, with the seven that lead to it.
struct Watch {
    handler: u16,
    /// The stack pointer at its first instruction, and the cycle.
    inside: Option<(u8, u64)>,
    spent: u64,
    longest: u64,
}

impl Hooks for Watch {
    const ACCESSES: bool = false;

    fn instruction(&mut self, registers: &Registers, cycles: u64) -> ControlFlow<()> {
        match self.inside {
            // RTI has pulled three bytes.
            Some((stack, since)) if registers.s == stack.wrapping_add(3) => {
                let taken = cycles - since + 7;
                self.spent += taken;
                self.longest = self.longest.max(taken);
                self.inside = None;
            }
            None if registers.pc == self.handler => self.inside = Some((registers.s, cycles)),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

struct Player {
    session: Session,
    symbols: Symbols,
}

/// The time that the screen's interrupts take from the search: 100 frames in the middle of a search, instruction by instruction.
fn disturbance() -> Result<String, String> {
    const FRAMES: u64 = 100;
    const RTI: u8 = 0x40;
    let mut player = Player::start(Model::Pal)?;
    // A first move that no book answers.
    player.step("keys h4{RETURN}", Path::new(""))?;
    while player.byte("Thinking") == 0 {
        player.run(1)?;
    }
    player.run(20)?;
    let frame = player.symbols.get("Frame").expect("the interrupt") as u16;
    let machine = player.session.machine.c64_mut().expect("a C64");
    let begin = machine.cpu.cycles;
    let end = begin + FRAMES * Model::Pal.cycles_per_frame();
    let (mut entered, mut taken, mut count) = (None, 0, 0);
    while machine.cpu.cycles < end {
        let pc = machine.cpu.registers.pc;
        if pc == frame && entered.is_none() {
            // The CPU has spent seven cycles on its way here.
            entered = Some(machine.cpu.cycles - 7);
        }
        let is_end = machine.board.ram()[usize::from(pc)] == RTI;
        machine.cpu.step(&mut machine.board);
        if let Some(since) = entered.filter(|_| is_end) {
            taken += machine.cpu.cycles - since;
            count += 1;
            entered = None;
        }
    }
    if player.byte("Thinking") == 0 {
        return Err("the search was over before the time".into());
    }
    let share = 100.0 * taken as f64 / (FRAMES * Model::Pal.cycles_per_frame()) as f64;
    let text = format!(
        "{count} interrupts, {} cycles each on average, {share:.2} % of the machine",
        taken / count.max(1)
    );
    if count + 2 < FRAMES || share > 5.0 { Err(text) } else { Ok(text) }
}

fn play(path: &Path) -> Result<(), String> {
    let model = if tempo_testing::stem(path).ends_with("-ntsc") { Model::Ntsc } else { Model::Pal };
    let stem = tempo_testing::stem(path);
    let mut player = if stem.ends_with("-reu") {
        Player::start_expanded(model)?
    } else if stem.ends_with("-disk") {
        Player::start_with_disk(model)?
    } else {
        Player::start(model)?
    };
    for (at, line) in tempo_testing::text(path).lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        player.step(line, path).map_err(|why| format!("{}:{}: {line}\n{why}", path.display(), at + 1))?;
    }
    Ok(())
}

impl Player {
    fn start(model: Model) -> Result<Player, String> {
        let mut player = Player::load(model, 0)?;
        player.run(30)?;
        Ok(player)
    }

    /// With a RAM expansion, which takes its time to be cleared; it holds the table then.
    fn start_expanded(model: Model) -> Result<Player, String> {
        let mut player = Player::load(model, 512)?;
        player.run(100)?;
        let ram = player.session.machine.ram();
        let symbol = |name| player.symbols.get(name).unwrap_or_else(|| panic!("the program has no {name}"));
        // jmp, where the RAM table's routine has its loop.
        let (clear, fill) = (symbol("ClearTable") as usize, symbol("FillBanks") as u16);
        let [low, high] = fill.to_le_bytes();
        match ram[clear..clear + 3] == [0x4c, low, high] {
            true => Ok(player),
            false => Err("the program has not found the RAM expansion".into()),
        }
    }

    fn load(model: Model, expansion: usize) -> Result<Player, String> {
        let files = Program::files().map_err(|err| err.to_string())?;
        let symbols = Symbols::parse(&files.symbols).map_err(|err| err.to_string())?;
        let mut machine = C64::new(model);
        assert!(machine.board.expand(expansion), "no RAM expansion has {expansion} KB");
        machine.start(&files.prg).map_err(|err| err.to_string())?;
        let mut session = Session::new(machine);
        session.drive = Drive::with(Volume::new("GAMES"));
        Ok(Player { session, symbols })
    }

    /// With the book and the games of the program's disk.
    fn start_with_disk(model: Model) -> Result<Player, String> {
        let mut player = Player::start(model)?;
        let volume = Volume::from_d64(&support::disk()).map_err(|err| err.to_string())?;
        player.session.drive = Drive::with(volume);
        Ok(player)
    }

    fn run(&mut self, frames: u64) -> Result<(), String> {
        match self.session.run_frames(frames) {
            None => Ok(()),
            Some(End::Jammed) => {
                Err(format!("the CPU jammed at ${:04X}", self.session.machine.registers().pc))
            }
            Some(end) => Err(format!("the program ended: {end:?}")),
        }
    }

    fn byte(&self, name: &str) -> u8 {
        let addr = self.symbols.get(name).unwrap_or_else(|| panic!("the program has no {name}"));
        self.session.machine.ram()[addr as usize]
    }

    fn step(&mut self, line: &str, path: &Path) -> Result<(), String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "keys" => {
                let keys = Keys::parse(rest, &KEYBOARD).map_err(|err| err.to_string())?;
                self.session.type_keys(&keys);
                self.run(keys.frames + 3)
            }
            "stick" => {
                let moves = Moves::parse(rest).map_err(|err| err.to_string())?;
                let last = moves.0.last().map_or(0, |(frame, _)| *frame);
                self.session.play_moves(2, &moves);
                self.run(last + 3)
            }
            "frames" => self.run(number(rest)?),
            "plies" => self.wait_for(number(rest)?),
            "thinks" => {
                let (frames, most) = rest.split_once(' ').unwrap_or((rest, "0"));
                self.think(number(frames)?, number(most)?)
            }
            "ponders" => self.ponder(number(rest)?),
            "expected" => self.expected(number(rest)?),
            "row" => {
                let (row, expected) = rest.split_once(' ').unwrap_or((rest, ""));
                same(&self.row(number(row)? as usize), expected)
            }
            "fen" => {
                let fen = self.fen();
                if fen.starts_with(rest) { Ok(()) } else { same(&fen, rest) }
            }
            "picture" => self.picture(&path.with_file_name(format!("{rest}.png"))),
            _ => Err(format!("{word} is not a word of these scripts")),
        }
    }

    /// Measures what the interrupt takes from the search.
    fn think(&mut self, frames: u64, most: u64) -> Result<(), String> {
        let handler = self.symbols.get("Frame").expect("the interrupt") as u16;
        let machine = &mut self.session.machine;
        let cycles = frames * machine.timing().cycles_per_frame();
        let mut watch = Watch { handler, inside: None, spent: 0, longest: 0 };
        let ended = machine.run_for(&mut watch, cycles);
        let Watch { spent, longest, .. } = watch;
        if ended != Ended::Time || self.byte("Thinking") == 0 {
            return Err(format!("the search is over: {ended:?}"));
        }
        let share = spent as f64 * 100.0 / cycles as f64;
        println!("interrupts: {} cycles a frame, {share:.1} %; the longest {longest}", spent / frames);
        let is_allowed = spent * 100 <= cycles * most;
        if is_allowed && spent > 0 { Ok(()) } else { Err(format!("interrupts take {share:.1} %")) }
    }

    fn ponder(&mut self, frames: u64) -> Result<(), String> {
        // For a frame or two the board has the expected move, too.
        for _ in 0..9 {
            if self.byte("Expecting") == 0 {
                break;
            }
            self.run(1)?;
        }
        let fen = self.fen();
        self.run(frames)?;
        if self.byte("Thinking") != PONDERING {
            return Err("the C64 does not think".into());
        }
        same(&self.fen(), &fen)
    }

    fn expected(&mut self, frames: u64) -> Result<(), String> {
        let [from, to] = ["PonderFrom", "PonderTo"].map(|name| self.byte(name));
        let square = |at: u8| format!("{}{}", char::from(b'a' + (at & 7)), 8 - (at >> 4 & 7));
        let text = format!("{}{}{{RETURN}}", square(from), square(to));
        let plies = self.byte("GamePly");
        let keys = Keys::parse(&text, &KEYBOARD).map_err(|err| err.to_string())?;
        self.session.type_keys(&keys);
        self.run(keys.frames + frames)?;
        match self.byte("GamePly") {
            now if now == plies + 2 => Ok(()),
            now => Err(format!("{} moves after {text}, {plies} before it", now)),
        }
    }

    fn wait_for(&mut self, plies: u64) -> Result<(), String> {
        for _ in 0..PATIENCE {
            if u64::from(self.byte("GamePly")) >= plies {
                return self.run(20);
            }
            self.run(1)?;
        }
        Err(format!("only {} moves were played", self.byte("GamePly")))
    }

    /// Our characters are ASCII less 32; what is after them is not text.
    fn row(&self, row: usize) -> String {
        let board = &self.session.machine.c64().expect("a C64").board;
        let start = usize::from(board.screen_base()) + row * COLUMNS + PANEL;
        let glyphs = &board.ram()[start..start + COLUMNS - PANEL];
        let text: String =
            glyphs.iter().map(|&glyph| if glyph < 96 { char::from(glyph + 32) } else { ' ' }).collect();
        text.trim().to_string()
    }

    fn fen(&self) -> String {
        let start = self.symbols.get("Board88").expect("the board") as usize;
        let ram = self.session.machine.ram();
        let rows: Vec<String> = (0..8)
            .map(|row| {
                let mut text = String::new();
                let mut empty = 0;
                for file in 0..8 {
                    let code = ram[start + row * 16 + file];
                    let Some(letter) = b"pbrqn??k".get(usize::from(code & 7)).filter(|_| code != 0) else {
                        empty += 1;
                        continue;
                    };
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    let letter = char::from(*letter);
                    text.push(if code & 0x80 != 0 { letter.to_ascii_uppercase() } else { letter });
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                text
            })
            .collect();
        format!("{} {}", rows.join("/"), if self.byte("SearchSide") == 0 { "b" } else { "w" })
    }

    fn picture(&self, path: &Path) -> Result<(), String> {
        let got = Picture::of(&self.session.machine);
        if tempo_testing::updating() {
            return std::fs::write(path, got.to_png().map_err(|err| err.to_string())?)
                .map_err(|err| err.to_string());
        }
        let expected =
            std::fs::read(path).map_err(|err| format!("{}: {err}; UPDATE=1 makes it", path.display()))?;
        let expected = Picture::from_png(&expected, &PALETTE).map_err(|err| err.to_string())?;
        match expected.difference(&got) {
            None => Ok(()),
            Some(difference) => Err(format!("{}: {difference:?}", path.display())),
        }
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("{text:?} is not a number"))
}

fn same(got: &str, expected: &str) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("got      {got:?}\nexpected {expected:?}")) }
}
