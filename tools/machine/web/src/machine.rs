//! The machine behind the exports, with buffers for what the page gives and takes. It knows no pointers of the page but
//! its own buffers.

use tempo_c64::{Drive, End, Session, Volume};
use tempo_emu::{Joystick, Part, StateError, System};
use tempo_formats::d64::Kind;

use tempo_rig::file::{self, About};

use crate::past::{Input, Past};
use crate::steps::{self, Breakpoints, Heat, Step, Stops};
use crate::studio;

/// The contents of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// A program with its load address.
    Program,
    /// A disk image.
    Disk,
    /// A cartridge.
    Cartridge,
}

impl Media {
    /// The one with this number.
    pub fn from_number(number: u32) -> Media {
        match number {
            0 => Media::Program,
            1 => Media::Disk,
            _ => Media::Cartridge,
        }
    }
}

/// A session and its buffers.
pub struct PageMachine {
    session: Session,
    input: Vec<u8>,
    output: Vec<u8>,
    pixels: Vec<u8>,
    samples: Vec<i16>,
    rate: u32,
    /// Samples of the studio that were not taken yet.
    fresh: Vec<i16>,
    /// The session of a studio, with its past.
    studio: Option<Past>,
    /// The use of each cycle of the frame that was measured last, by part.
    cells: Vec<u8>,
    breakpoints: Breakpoints,
    /// Reads, writes and executions of the program, a byte for each address; empty unless the view is open.
    touched: Vec<u8>,
    /// Where the program was loaded, and its length.
    loaded: Vec<(u16, usize)>,
}

/// The end of a run as the page gets it.
fn ended(end: Option<End>) -> u32 {
    match end {
        None | Some(End::Returned) => 0,
        Some(End::Exit(_)) => 3,
        Some(End::Hook) => 4,
        Some(End::Jammed) => 2,
    }
}

/// Longer inputs are not files of a C64: the largest save state has a RAM expansion of 16 MB.
const LARGEST: usize = 20 << 20;

impl PageMachine {
    /// The computer with this number in the registry; the first one if there is none.
    pub fn new(number: u32) -> PageMachine {
        let computers = || System::ALL.into_iter().filter(|system| system.is_whole());
        let system = computers().nth(number as usize).or(computers().next());
        let machine = system.and_then(System::computer).expect("the registry has a whole computer");
        PageMachine {
            session: Session::new(machine),
            input: Vec::new(),
            output: Vec::new(),
            pixels: Vec::new(),
            samples: Vec::new(),
            rate: 0,
            fresh: Vec::new(),
            studio: None,
            cells: Vec::new(),
            breakpoints: Breakpoints::default(),
            touched: Vec::new(),
            loaded: Vec::new(),
        }
    }

    pub fn input_space(&mut self, length: usize) -> *mut u8 {
        self.input = vec![0; length.min(LARGEST)];
        self.input.as_mut_ptr()
    }

    pub fn start(&mut self, media: Media) -> bool {
        let input = core::mem::take(&mut self.input);
        let result = match media {
            Media::Program => self.start_program(&input, None),
            Media::Disk => Volume::from_d64(&input).map_err(|err| err.to_string()).and_then(|volume| {
                let file = volume.files.iter().find(|file| file.kind == Kind::Prg);
                let program = file.map(|file| file.bytes.clone()).ok_or("the disk has no program on it")?;
                self.start_program(&program, Some(volume))
            }),
            Media::Cartridge => self.start_cartridge(&input),
        };
        self.answer(result)
    }

    fn start_program(&mut self, prg: &[u8], volume: Option<Volume>) -> Result<(), String> {
        let mut machine = self.session.machine.system().computer().expect("it is one");
        machine.start(prg).map_err(|err| err.to_string())?;
        if let Ok((address, bytes)) = tempo_emu::parse_program(prg) {
            self.loaded = vec![(address, bytes.len())];
        }
        let volume = volume.unwrap_or_else(|| Volume::new("TEMPO"));
        self.session = Session::new(machine);
        self.session.drive = Drive::with(volume);
        self.sound(self.rate);
        Ok(())
    }

    fn start_cartridge(&mut self, file: &[u8]) -> Result<(), String> {
        let image = tempo_formats::crt::read(file).map_err(|err| err.to_string())?;
        let mut machine = self.session.machine.system().computer().expect("it is one");
        let board = machine.c64_mut().map(|machine| &mut machine.board);
        board.ok_or("only a C64 has an expansion port")?.plug(tempo_c64::cartridge(&image));
        machine.reset();
        self.session = Session::new(machine);
        self.session.drive = Drive::with(Volume::new("TEMPO"));
        self.sound(self.rate);
        Ok(())
    }

    /// Goes on with a past: the machine that was started is the first moment of it.
    pub fn record(&mut self) {
        self.studio = Some(Past::new(self.session.clone()));
    }

    pub fn studio(&mut self) -> Option<&mut Past> {
        self.studio.as_mut()
    }

    /// Runs a frame of the studio; as [`PageMachine::frame`].
    pub fn studio_frame(&mut self) -> u32 {
        let rate = self.rate;
        let Some(past) = &mut self.studio else { return 0 };
        past.session.machine.set_sample_rate((rate > 0).then_some(rate));
        let stops = Stops::new(&self.breakpoints, past);
        let end = if !self.touched.is_empty() {
            past.run_frame_with(&mut Heat { touched: &mut self.touched, stops })
        } else if !self.breakpoints.is_empty() {
            stops.run_frame(past)
        } else {
            past.run_frame()
        };
        self.fresh.extend(past.session.machine.take_samples());
        ended(end)
    }

    /// Takes a step of the studio. Returns as [`PageMachine::studio_frame`].
    pub fn studio_step(&mut self, step: Step) -> u32 {
        let Some(past) = &mut self.studio else { return 0 };
        past.session.machine.set_sample_rate(None);
        ended(steps::step(past, step))
    }

    /// Breakpoints: addresses in the input, two bytes each.
    pub fn set_breakpoints(&mut self) {
        let input = core::mem::take(&mut self.input);
        self.breakpoints
            .set(input.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect());
    }

    /// Starts or ends the note of accesses; its address, a byte of bits for each address, which the page clears.
    pub fn heat(&mut self, is_on: bool) -> *mut u8 {
        if is_on == self.touched.is_empty() {
            self.touched = if is_on { vec![0; 0x10000] } else { Vec::new() };
        }
        self.touched.as_mut_ptr()
    }

    /// Goes to a cycle of the past.
    pub fn studio_seek_cycle(&mut self, cycle: u64) {
        if let Some(past) = &mut self.studio {
            past.seek_cycle(cycle);
        }
    }

    /// A recording of the last `frames` frames. The input is a recording without a course: facts and sources. Returns the
    /// length of the file, or 0 with the reason in the output.
    pub fn studio_recording(&mut self, frames: u64) -> usize {
        let input = core::mem::take(&mut self.input);
        let made = match (&self.studio, file::read(&input)) {
            (None, _) => Err("nothing is running".to_string()),
            (_, Err(err)) => Err(err.to_string()),
            (Some(past), Ok(found)) => {
                let machine = &past.session.machine;
                let about = About {
                    kind: file::Kind::Session,
                    system: machine.system().name().to_string(),
                    cycle: machine.cycles(),
                    message: "saved in the page".to_string(),
                    ..found.about
                };
                let mut course = past.course(frames);
                course.loaded.clone_from(&self.loaded);
                Ok(file::write(&about, Some(&course), &found.sources, None))
            }
        };
        let is_ok = made.is_ok();
        self.output = made.unwrap_or_else(String::into_bytes);
        if is_ok { self.output.len() } else { 0 }
    }

    pub fn studio_input(&mut self, input: Input) {
        if let Some(past) = &mut self.studio {
            past.input(input);
        }
    }

    pub fn studio_seek(&mut self, frame: u64) {
        if let Some(past) = &mut self.studio {
            past.seek(frame);
        }
    }

    /// Runs the inputs that were recorded so far on another program, up to the frame of now. Returns whether it starts.
    pub fn studio_replay(&mut self, media: Media) -> bool {
        let Some(old) = self.studio.take() else { return self.start(media) };
        let (now, inputs) = (old.frame_number(), old.inputs().to_vec());
        if !self.start(media) {
            self.studio = Some(old);
            return false;
        }
        let mut past = Past::new(self.session.clone());
        past.session.machine.set_sample_rate(None);
        let start = past.cycles();
        let per_frame = past.session.machine.timing().cycles_per_frame();
        for (cycle, input) in inputs {
            // The new program is elsewhere between two instructions: the input comes at the beginning of its frame.
            let frame = cycle.saturating_sub(start) / per_frame;
            while past.frame_number() < frame.min(now) && past.run_frame().is_none() {}
            if frame <= now {
                past.input(input);
            }
        }
        while past.frame_number() < now && past.run_frame().is_none() {}
        self.studio = Some(past);
        true
    }

    /// An answer of the studio as JSON; `null` if there is none.
    pub fn studio_ask(&mut self, question: studio::Question) -> usize {
        let answer = self.studio.as_ref().and_then(|past| studio::ask(past, question));
        let (json, cells) = answer.unwrap_or_else(|| ("null".to_string(), Vec::new()));
        self.output = json.into_bytes();
        if !cells.is_empty() {
            self.cells = cells;
        }
        self.output.len()
    }

    pub fn cells(&self) -> *const u8 {
        self.cells.as_ptr()
    }

    /// The 64 KB of RAM, the 1 KB of colours and the 4 KB of registers, for views.
    pub fn studio_memory(&mut self) -> *const u8 {
        let machine = self.current();
        let mut all = machine.ram().to_vec();
        if let Some(c64) = machine.c64() {
            all.extend_from_slice(c64.board.colours());
            all.extend((0xd000..=0xdfff).map(|addr| machine.peek_register(addr)));
            all.extend_from_slice(&c64.board.screen_base().to_le_bytes());
        }
        self.output = all;
        self.output.as_ptr()
    }

    /// The machine that is shown.
    fn current(&self) -> &tempo_emu::AnyComputer {
        self.studio.as_ref().map_or(&self.session.machine, |past| &past.session.machine)
    }

    /// The characters of the ROM, 4 KB, for views.
    pub fn characters(&mut self) -> *const u8 {
        let rom = |c64: &tempo_emu::c64::C64| {
            (0xd000..=0xdfff).map(|at| c64.board.peek_in(Part::Rom, at)).collect()
        };
        self.output = self.current().c64().map_or_else(|| vec![0; 0x1000], rom);
        self.output.as_ptr()
    }

    fn answer(&mut self, result: Result<(), String>) -> bool {
        self.output = result.as_ref().err().map(|text| text.clone().into_bytes()).unwrap_or_default();
        result.is_ok()
    }

    pub fn frame(&mut self) -> u32 {
        match self.session.run_frame() {
            None => 0,
            Some(End::Returned) => 1,
            Some(End::Exit(_)) => 3,
            Some(_) => 2,
        }
    }

    pub fn size(&self) -> (u32, u32) {
        let picture = self.session.machine.picture();
        (picture.width as u32, picture.height() as u32)
    }

    pub fn picture(&mut self) -> *const u8 {
        let machine = match &self.studio {
            Some(past) => &past.session.machine,
            None => &self.session.machine,
        };
        let (colours, palette) = (machine.picture().pixels, machine.palette());
        self.pixels.clear();
        self.pixels.reserve(colours.len() * 4);
        for &colour in colours {
            let [red, green, blue] = palette[usize::from(colour) % palette.len()];
            self.pixels.extend_from_slice(&[red, green, blue, 255]);
        }
        self.pixels.as_ptr()
    }

    pub fn frame_rate(&self) -> u32 {
        let timing = self.session.machine.timing();
        (u64::from(timing.clock) * 1000 / timing.cycles_per_frame()) as u32
    }

    pub fn sound(&mut self, rate: u32) {
        self.rate = rate;
        self.session.machine.set_sample_rate((rate > 0).then_some(rate));
    }

    pub fn take_samples(&mut self) -> usize {
        if self.studio.is_none() {
            self.samples = self.session.machine.take_samples();
        } else {
            self.samples = core::mem::take(&mut self.fresh);
        }
        self.samples.len()
    }

    pub fn samples(&self) -> *const i16 {
        self.samples.as_ptr()
    }

    pub fn key(&mut self, key: u32, is_down: bool) {
        if let Some(key) = self.session.machine.keyboard().keys.get(key as usize) {
            self.session.machine.set_key(key, is_down);
        }
    }

    pub fn joystick(&mut self, port: u32, bits: u32) {
        if let Ok(port) = u8::try_from(port) {
            self.session.machine.set_joystick(port, Joystick::from_bits(bits as u8));
        }
    }

    pub fn reset(&mut self) {
        self.session.machine.reset();
    }

    pub fn save(&mut self) -> usize {
        self.output = self.session.machine.save();
        self.output.len()
    }

    pub fn load(&mut self) -> bool {
        let input = core::mem::take(&mut self.input);
        let expected = self.session.machine.system();
        let restored = System::of_state(&input).and_then(|found| {
            // Another model of the computer will do.
            found.restore_computer(&input).unwrap_or(Err(StateError::Other { found, expected }))
        });
        let result = restored.map_err(|err| err.to_string()).map(|machine| {
            let drive = self.session.drive.clone();
            self.session = Session::new(machine);
            self.session.drive = drive;
            self.sound(self.rate);
        });
        self.answer(result)
    }

    pub fn output(&self) -> *const u8 {
        self.output.as_ptr()
    }

    pub fn output_length(&self) -> usize {
        self.output.len()
    }

    pub fn peek(&self, addr: u32) -> u32 {
        u32::from(self.session.machine.ram()[(addr & 0xffff) as usize])
    }

    pub fn poke(&mut self, addr: u32, value: u32) {
        self.session.machine.load_at(addr as u16, &[value as u8]);
    }

    pub fn register(&self, which: u32) -> u32 {
        let registers = self.current().registers();
        let (line, cycle) = self.current().beam();
        match which {
            0 => registers.a.into(),
            1 => registers.x.into(),
            2 => registers.y.into(),
            3 => registers.s.into(),
            4 => registers.p.byte().into(),
            5 => registers.pc.into(),
            6 => line.into(),
            _ => cycle.into(),
        }
    }

    pub fn cycles(&self) -> u32 {
        self.current().cycles() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `10 SYS 2061`, then: lda #7, sta $d020, jmp *
    const PROGRAM: [u8; 24] = [
        0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, b'2', b'0', b'6', b'1', 0x00, 0x00, 0x00, //
        0xa9, 0x07, 0x8d, 0x20, 0xd0, 0x4c, 0x12, 0x08, 0, 0,
    ];

    fn give(machine: &mut PageMachine, bytes: &[u8]) {
        machine.input_space(bytes.len());
        machine.input.copy_from_slice(bytes);
    }

    #[test]
    fn a_program_shows_its_border() {
        let mut machine = PageMachine::new(0);
        give(&mut machine, &PROGRAM);
        assert!(machine.start(Media::Program));
        (0..3).for_each(|_| assert_eq!(machine.frame(), 0));
        machine.picture();
        assert_eq!(machine.pixels[..4], [0xb8, 0xc7, 0x6f, 255]);
        assert_eq!(machine.pixels.len() as u32, machine.size().0 * machine.size().1 * 4);
        assert_eq!(machine.register(5), 0x0812);
    }

    #[test]
    fn a_saved_machine_goes_on_where_it_was() {
        let mut machine = PageMachine::new(0);
        give(&mut machine, &PROGRAM);
        machine.start(Media::Program);
        machine.frame();
        machine.save();
        let state = machine.output.clone();
        let cycles = machine.cycles();
        machine.frame();
        give(&mut machine, &state);
        assert!(machine.load());
        assert_eq!(machine.cycles(), cycles);
    }

    #[test]
    fn broken_input_is_refused_with_a_reason() {
        let mut machine = PageMachine::new(0);
        for (bytes, media) in [(&[1u8][..], Media::Program), (&[0; 100], Media::Disk)] {
            give(&mut machine, bytes);
            assert!(!machine.start(media));
            assert!(machine.output_length() > 10);
        }
        give(&mut machine, b"not a state");
        assert!(!machine.load());
        assert_eq!(machine.frame(), 0, "the machine goes on");
    }
}
