//! The board as its owner's tools see it: parts of the memory by name, and reads with their effects.

use super::{Board, MEMORY};
use crate::c64::port::Half;
use crate::{FastBus, Part, Rom};

impl Board {
    /// A byte of a part of the memory, without effects.
    pub fn peek_in(&self, part: Part, addr: u16) -> u8 {
        let ram = self.memory[usize::from(addr)];
        match part {
            Part::Cpu => self.peek(addr),
            Part::Ram if addr < 2 => self.below_port[usize::from(addr)],
            Part::Ram => ram,
            Part::Rom => socket(addr).map_or(ram, |place| self.memory[place & (MEMORY - 1)]),
            Part::Io if addr >> 12 == 0xd => self.peek_io(addr),
            Part::Io => ram,
            Part::Cartridge => {
                let half = match addr >> 13 {
                    4 => Some(Half::Low),
                    5 | 7 => Some(Half::High),
                    _ => None,
                };
                let offset = addr & 0x1fff;
                let byte = half.and_then(|half| match self.expansion.rom(half) {
                    Some(bytes) => Some(bytes[usize::from(offset)]),
                    None => self.expansion.peek_rom(half, offset),
                });
                byte.unwrap_or_else(|| self.peek(addr))
            }
        }
    }

    /// Stores a byte in a part of the memory; a ROM stays as it is.
    pub fn poke_in(&mut self, part: Part, addr: u16, value: u8, cycles: u64) {
        match part {
            Part::Cpu | Part::Cartridge => self.poke(addr, value, cycles),
            Part::Io if addr >> 12 == 0xd => {
                self.run_ended(cycles);
                self.poke_io(addr, value);
            }
            Part::Rom if socket(addr).is_some() => {}
            Part::Ram | Part::Io | Part::Rom => {
                self.run_ended(cycles);
                match addr {
                    0 | 1 => self.below_port[usize::from(addr)] = value,
                    _ => self.memory[usize::from(addr)] = value,
                }
                self.touched();
            }
        }
    }

    /// Reads as the CPU does in the last of `cycles`, with the effects that has on chips.
    pub fn read_now(&mut self, addr: u16, cycles: u64) -> u8 {
        self.run_ended(cycles);
        let Some(cycle) = cycles.checked_sub(1) else { return self.peek(addr) };
        let value = self.read_ready(addr, cycle);
        self.run_ended(cycles);
        self.touched();
        value
    }

    /// Forgets the exit code, so that the machine can go on.
    pub fn forget_exit(&mut self) {
        self.exit = None;
    }
}

/// The place of an address in the ROM sockets.
fn socket(addr: u16) -> Option<usize> {
    Rom::ALL.into_iter().find_map(|rom| {
        let (pages, place) = rom.socket();
        pages.contains(&usize::from(addr >> 8)).then(|| place + usize::from(addr) - (pages.start << 8))
    })
}

#[cfg(test)]
mod tests {
    use crate::Part;
    use crate::c64::{C64, KERNAL, Model};

    #[test]
    fn parts_of_the_memory_are_seen_and_stored_whatever_the_port_shows() {
        let mut board = C64::new(Model::Pal).board;
        board.poke_in(Part::Ram, 0xd020, 0x15, 0);
        board.poke_in(Part::Io, 0xd020, 0x05, 0);
        assert_eq!(
            [Part::Ram, Part::Io, Part::Cpu].map(|part| board.peek_in(part, 0xd020)),
            [0x15, 0xf5, 0xf5]
        );
        board.poke_in(Part::Cpu, 0xe000, 0x99, 0);
        board.poke_in(Part::Rom, 0xe000, 0x77, 0);
        let seen = [Part::Ram, Part::Rom, Part::Cpu, Part::Io, Part::Cartridge];
        let kernal = KERNAL[0];
        assert_eq!(seen.map(|part| board.peek_in(part, 0xe000)), [0x99, kernal, kernal, 0x99, kernal]);
        board.poke_in(Part::Cpu, 1, 0x35, 0);
        assert_eq!(board.peek_in(Part::Cpu, 0xe000), 0x99);
    }
}
