//! The C64 as one of the machines.

use alloc::vec::Vec;

use super::{Board, C64, Key, Model, StateError, WIDTH};
use crate::{Cpu, Machine, Nmos, Picture, Rom, RomError};

impl Machine for C64 {
    type Model = Model;
    type Chip = Nmos;
    type Board = Board;

    const IS_WHOLE: bool = true;
    const HAS_SOCKETS: bool = true;

    fn new(model: Model) -> C64 {
        C64::new(model)
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

    fn beam(&self) -> Option<(u16, u8)> {
        Some(self.board.beam())
    }

    fn picture(&self) -> Option<Picture<'_>> {
        let is_complete = self.board.pictures() > 0;
        is_complete.then(|| Picture { pixels: self.board.picture(), width: WIDTH })
    }

    fn set_key(&mut self, name: &str, is_down: bool) -> bool {
        let key = Key::from_name(name);
        match (key, is_down) {
            (Some(key), true) => self.board.hold(key),
            (Some(key), false) => self.board.release(key),
            (None, _) => {}
        }
        key.is_some()
    }

    fn save(&self) -> Option<Vec<u8>> {
        Some(C64::save(self))
    }

    fn restore(bytes: &[u8]) -> Result<C64, StateError> {
        C64::load(bytes)
    }

    fn size(&self) -> usize {
        0x1_4000 + 2 * self.board.picture().len()
    }

    fn is_same(&self, other: &C64) -> bool {
        self == other
    }
}
