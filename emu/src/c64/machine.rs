//! The C64 as one of the machines.

use alloc::string::String;
use alloc::vec::Vec;

use super::keyboard::{KEYBOARD, RESTORE};
use super::{AFTER_SYS, AFTER_SYS_S, BASIC_START, Board, C64, Key, Model, PALETTE, WIDTH, hardware, screen};
use crate::{
    Computer, Cpu, Ended, FastBus, Hardware, Hooks, Joystick, Keyboard, Machine, Nmos, Picture, Registers,
    Rom, RomError, StartError, Timing,
};

impl Machine for C64 {
    type Model = Model;
    type Chip = Nmos;
    type Board = Board;

    const IS_WHOLE: bool = true;
    const HAS_SOCKETS: bool = true;
    const HARDWARE: &'static Hardware = &hardware::HARDWARE;

    fn new(model: Model) -> C64 {
        C64::new(model)
    }

    fn model(&self) -> Model {
        self.board.model()
    }

    fn cpu(&self) -> &Cpu<Nmos> {
        &self.cpu
    }

    #[inline(always)]
    fn parts(&mut self) -> (&mut Cpu<Nmos>, &mut Board) {
        (&mut self.cpu, &mut self.board)
    }

    fn peek(&self, addr: u16) -> u8 {
        self.board.peek(addr)
    }

    fn poke(&mut self, addr: u16, value: u8) {
        self.board.poke(addr, value, self.cpu.cycles);
    }

    fn load_at(&mut self, addr: u16, bytes: &[u8]) {
        // The first two bytes are the port's.
        let skipped = bytes.len().min(usize::from(2u16.saturating_sub(addr)));
        let start = usize::from(addr) + skipped;
        self.board.ram_mut()[start..start + bytes.len() - skipped].copy_from_slice(&bytes[skipped..]);
    }

    fn insert(&mut self, rom: Rom, image: &[u8]) -> Result<(), RomError> {
        self.board.insert(rom, image)
    }

    fn is_furnished(addr: u16, has: impl Fn(Rom) -> bool) -> bool {
        match addr >> 12 {
            // The KERNAL's variables, the stack, the screen.
            0 => addr < 0x0800,
            0xa | 0xb => has(Rom::Basic),
            0xd..=0xf => true,
            _ => false,
        }
    }

    fn size(&self) -> usize {
        0x1_4000 + 2 * self.board.picture().len()
    }

    fn is_same(&self, other: &C64) -> bool {
        self == other
    }
}

impl Computer for C64 {
    const PALETTE: &'static [[u8; 3]] = &PALETTE;
    const KEYBOARD: &'static Keyboard = &KEYBOARD;
    const JOYSTICKS: u8 = 2;

    fn timing(model: Model) -> Timing {
        let (clock, lines) = (model.clock(), model.lines());
        let cycles_per_line = model.cycles_per_line();
        // Machines begin with the last line of a frame.
        Timing { clock, rate: model.mains(), cycles_per_line, lines, first_line: lines - 1 }
    }

    fn reset(&mut self) {
        C64::reset(self);
    }

    fn beam(&self) -> (u16, u8) {
        self.board.beam()
    }

    fn picture(&self) -> Picture<'_> {
        Picture { pixels: self.board.picture(), width: WIDTH }
    }

    fn pictures(&self) -> u64 {
        self.board.pictures()
    }

    fn text(&self) -> Vec<String> {
        screen::rows(&self.board)
    }

    fn set_sample_rate(&mut self, rate: Option<u32>) {
        self.board.set_sample_rate(rate);
    }

    fn take_samples(&mut self) -> Vec<i16> {
        self.board.take_samples()
    }

    fn set_key(&mut self, name: &str, is_down: bool) -> bool {
        let key = Key::from_name(name);
        match (key, is_down) {
            (Some(key), true) => self.board.hold(key),
            (Some(key), false) => self.board.release(key),
            (None, _) if name.eq_ignore_ascii_case(RESTORE) => self.board.set_restore(is_down),
            (None, _) => return false,
        }
        true
    }

    fn set_joystick(&mut self, port: u8, joystick: Joystick) {
        self.board.set_joystick(port, joystick);
    }

    fn ram(&self) -> &[u8; 0x10000] {
        self.board.ram()
    }

    fn peek_register(&self, addr: u16) -> u8 {
        self.board.peek_io(addr)
    }

    /// In BASIC, after the call of SYS.
    fn at_rest(&self) -> Registers {
        Registers { pc: AFTER_SYS, s: AFTER_SYS_S, ..self.cpu.registers }
    }

    fn start(&mut self, prg: &[u8]) -> Result<(), StartError> {
        C64::start(self, prg)
    }

    /// By the `SYS` of the BASIC lines in memory, wherever the rest of the program is.
    fn enter(&mut self, _first: u16) -> Result<(), StartError> {
        const BASIC_END: usize = 0xd000;
        self.enter_program(BASIC_START, BASIC_END - usize::from(BASIC_START))
    }

    fn run_for<H: Hooks>(&mut self, hooks: &mut H, cycles: u64) -> Ended {
        self.run_cycles_with(hooks, cycles)
    }

    fn host_call(&mut self) -> Option<u8> {
        C64::host_call(self)
    }

    fn settle(&mut self) {
        self.board.run_ended(self.cpu.cycles);
    }
}
