//! The machine behind the exports, with buffers for what the page gives and takes. It knows no pointers of the page but
//! its own buffers.

use tempo_c64::{Drive, End, Session, Volume};
use tempo_emu::{Joystick, StateError, System};
use tempo_formats::d64::Kind;

/// What the input holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// A program with its load address.
    Program,
    /// A disk image.
    Disk,
}

/// A session and its buffers.
pub struct PageMachine {
    session: Session,
    input: Vec<u8>,
    output: Vec<u8>,
    pixels: Vec<u8>,
    samples: Vec<i16>,
    rate: u32,
}

/// Longer inputs are no file of a C64: the largest save state has a RAM expansion of 16 MB.
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
        };
        self.answer(result)
    }

    fn start_program(&mut self, prg: &[u8], volume: Option<Volume>) -> Result<(), String> {
        let mut machine = self.session.machine.system().computer().expect("it is one");
        machine.start(prg).map_err(|err| err.to_string())?;
        let volume = volume.unwrap_or_else(|| Volume::new("TEMPO"));
        self.session = Session::new(machine);
        self.session.drive = Drive::with(volume);
        self.sound(self.rate);
        Ok(())
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
        let (colours, palette) = (self.session.machine.picture().pixels, self.session.machine.palette());
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
        self.samples = self.session.machine.take_samples();
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
        let registers = self.session.machine.registers();
        let (line, cycle) = self.session.machine.beam();
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
        self.session.machine.cycles() as u32
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
