//! Cartridges: memory at $8000, $A000 and $E000 in banks, and the registers that switch them. Knows nothing of files.
//!
//! ```
//! use tempo_emu::c64::{C64, Cartridge, CartridgeKind, Model};
//!
//! // The KERNAL finds CBM80 at $8004 and jumps through $8000: lda #7, sta $d020, jmp *.
//! let rom = [9, 0x80, 9, 0x80, 0xc3, 0xc2, 0xcd, 0x38, 0x30, 0xa9, 7, 0x8d, 0x20, 0xd0, 0x4c, 0x0e, 0x80];
//! let mut cartridge = Cartridge::new(CartridgeKind::Rom8K);
//! cartridge.fill(0, 0x8000, &rom);
//! let mut machine = C64::new(Model::Pal);
//! machine.board.plug(cartridge);
//! machine.reset();
//! machine.run_frames(1);
//! assert_eq!(machine.board.peek(0xd020), 0xf7);
//! ```

mod eeprom;
mod flash;

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::port::{BANK, Banks, Half, Port};
use crate::state::{StateError, state, state_of_enum};
use eeprom::Eeprom;
use flash::Flash;

/// A kind of cartridge: what its registers do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CartridgeKind {
    /// 8 KB at $8000.
    Rom8K,
    /// 16 KB at $8000.
    Rom16K,
    /// ROM at $E000 in place of the KERNAL, and at $8000.
    Ultimax,
    /// Banks of 8 KB at $8000, and a bit that takes the cartridge off the map.
    MagicDesk,
    /// Banks of 8 KB at $8000 and $A000.
    Ocean,
    /// 64 banks of flash memory at $8000 and $A000 or $E000, and 256 bytes of RAM.
    EasyFlash,
    /// 64 banks of flash memory at $8000, and a serial EEPROM.
    Gmod2,
}

state_of_enum!(CartridgeKind { Rom8K, Rom16K, Ultimax, MagicDesk, Ocean, EasyFlash, Gmod2 });

impl CartridgeKind {
    /// Banks at most.
    pub const fn banks(self) -> usize {
        match self {
            CartridgeKind::Rom8K | CartridgeKind::Rom16K | CartridgeKind::Ultimax => 1,
            CartridgeKind::MagicDesk => 128,
            CartridgeKind::Ocean | CartridgeKind::EasyFlash | CartridgeKind::Gmod2 => 64,
        }
    }

    /// Whether ROMH has memory of its own.
    const fn has_high(self) -> bool {
        matches!(self, CartridgeKind::Rom16K | CartridgeKind::Ultimax | CartridgeKind::EasyFlash)
    }

    const fn is_flash(self) -> bool {
        matches!(self, CartridgeKind::EasyFlash | CartridgeKind::Gmod2)
    }
}

/// A cartridge for the expansion port, without memory until [`Cartridge::fill`] adds some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cartridge {
    kind: CartridgeKind,
    /// Whole banks; a clone shares them until flash memory is written to.
    low: Arc<[u8]>,
    high: Arc<[u8]>,
    /// The bank and the mode, as last written.
    bank: u8,
    control: u8,
    ram: [u8; 0x100],
    /// The flash chips of both halves.
    flash: [Flash; 2],
    eeprom: Eeprom,
}

state!(Cartridge { kind, low, high, bank, control, ram, flash, eeprom });

/// Bits of the mode register of an EasyFlash: GAME and EXROM low, and GAME as bit 0 says instead of the jumper.
const GAME: u8 = 0x01;
const EXROM: u8 = 0x02;
const MODE: u8 = 0x04;

/// Bits of the register of a GMod2: the data and the clock of its EEPROM, its selection, and writes.
const DATA: u8 = 0x10;
const CLOCK: u8 = 0x20;
const SELECT: u8 = 0x40;
const WRITE: u8 = 0xc0;

/// The bit of a Magic Desk that takes it off the map.
const OFF: u8 = 0x80;

impl Cartridge {
    /// One without any memory.
    pub fn new(kind: CartridgeKind) -> Cartridge {
        Cartridge {
            kind,
            low: Arc::from([]),
            high: Arc::from([]),
            bank: 0,
            control: 0,
            ram: [0; 0x100],
            flash: [Flash::default(); 2],
            eeprom: Eeprom::default(),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> CartridgeKind {
        self.kind
    }

    /// Puts bytes into a bank, where the CPU sees them at an address of $8000 to $BFFF or $E000 to $FFFF. Bytes that are
    /// never filled read $FF. Bytes past the end of the bank, and banks that the kind does not have, are ignored.
    pub fn fill(&mut self, bank: usize, address: u16, bytes: &[u8]) {
        if bank >= self.kind.banks() {
            return;
        }
        for (at, part) in bytes.chunks(BANK).enumerate() {
            let address = address.wrapping_add((at * BANK) as u16);
            let is_high = self.kind.has_high() && address >= 0xa000;
            let memory = if is_high { &mut self.high } else { &mut self.low };
            let place = bank * BANK + usize::from(address) % BANK;
            if memory.len() < (bank + 1) * BANK {
                let mut larger = memory.to_vec();
                larger.resize((bank + 1) * BANK, 0xff);
                *memory = Arc::from(larger);
            }
            let end = (place + part.len()).min((bank + 1) * BANK);
            Arc::make_mut(memory)[place..end].copy_from_slice(&part[..end - place]);
        }
    }

    /// The bank that is selected.
    pub fn bank(&self) -> u16 {
        let banks = (self.low.len().max(self.high.len()) / BANK).next_power_of_two();
        let mask = match self.kind {
            CartridgeKind::Rom8K | CartridgeKind::Rom16K | CartridgeKind::Ultimax => 0,
            CartridgeKind::MagicDesk => banks.max(4) - 1,
            CartridgeKind::Ocean => banks - 1,
            CartridgeKind::EasyFlash | CartridgeKind::Gmod2 => 63,
        };
        u16::from(self.bank) & mask as u16
    }

    /// The bytes of a half in any bank, empty where the cartridge has none.
    pub fn bytes(&self, bank: u16, half: Half) -> &[u8] {
        let memory = if half == Half::High && self.kind.has_high() { &self.high } else { &self.low };
        let is_there = half == Half::Low || self.kind.has_high() || self.kind == CartridgeKind::Ocean;
        let first = usize::from(bank) * BANK;
        memory.get(first..first + BANK).filter(|_| is_there).unwrap_or_default()
    }

    fn flash_of(&mut self, half: Half) -> (&mut Flash, &mut Arc<[u8]>) {
        match half {
            Half::Low => (&mut self.flash[0], &mut self.low),
            Half::High => (&mut self.flash[1], &mut self.high),
        }
    }

    fn is_reading(&self, half: Half) -> bool {
        !self.kind.is_flash() || self.flash[usize::from(half == Half::High)].is_reading()
    }
}

impl Port for Cartridge {
    fn banks(&self) -> Banks {
        let (exrom, game) = match self.kind {
            CartridgeKind::Rom8K => (true, false),
            CartridgeKind::Rom16K => (true, true),
            CartridgeKind::Ultimax => (false, true),
            CartridgeKind::MagicDesk => (self.bank & OFF == 0, false),
            // 512 KB are shown at $8000 alone.
            CartridgeKind::Ocean => (true, self.low.len() <= 32 * BANK),
            // The jumper pulls GAME.
            CartridgeKind::EasyFlash => {
                (self.control & EXROM != 0, self.control & MODE == 0 || self.control & GAME != 0)
            }
            CartridgeKind::Gmod2 => match self.bank & WRITE {
                WRITE => (false, true),
                SELECT => (false, false),
                _ => (true, false),
            },
        };
        // A chip in a command shows something else.
        let number = |half| self.bank() | if self.is_reading(half) { 0 } else { 0x8000 };
        Banks { exrom, game, shown: [number(Half::Low), number(Half::High)] }
    }

    fn rom(&self, half: Half) -> Option<&[u8; BANK]> {
        self.bytes(self.bank(), half).first_chunk().filter(|_| self.is_reading(half))
    }

    fn peek_rom(&self, half: Half, offset: u16) -> Option<u8> {
        if !self.is_reading(half) {
            return Some(self.flash[usize::from(half == Half::High)].identity(offset));
        }
        // A bank that was never filled; a chip that is not there leaves the bus alone.
        let is_there = match (self.kind, half) {
            (CartridgeKind::Ultimax, Half::Low) => !self.low.is_empty(),
            (_, Half::Low) | (CartridgeKind::Ocean, _) => true,
            (kind, Half::High) => kind.has_high(),
        };
        is_there.then_some(0xff)
    }

    fn write_rom(&mut self, half: Half, offset: u16, value: u8) {
        let is_there = match self.kind {
            CartridgeKind::EasyFlash => true,
            CartridgeKind::Gmod2 => half == Half::Low && self.bank & WRITE == WRITE,
            _ => false,
        };
        if is_there {
            let at = usize::from(self.bank()) * BANK + usize::from(offset);
            let size = self.kind.banks() * BANK;
            let (flash, memory) = self.flash_of(half);
            flash.write(memory, size, at, value);
        }
    }

    fn peek_io(&self, addr: u16) -> Option<u8> {
        match self.kind {
            CartridgeKind::EasyFlash if addr >= 0xdf00 => Some(self.ram[usize::from(addr & 0xff)]),
            CartridgeKind::Gmod2 if addr < 0xdf00 && self.bank & SELECT != 0 => {
                Some(if self.eeprom.output() { 0x80 } else { 0 })
            }
            _ => None,
        }
    }

    fn write_io(&mut self, addr: u16, value: u8) {
        let is_first = addr < 0xdf00;
        match self.kind {
            CartridgeKind::MagicDesk | CartridgeKind::Ocean if is_first => self.bank = value,
            CartridgeKind::EasyFlash if !is_first => self.ram[usize::from(addr & 0xff)] = value,
            CartridgeKind::EasyFlash if addr & 2 != 0 => self.control = value & (0x80 | MODE | EXROM | GAME),
            CartridgeKind::EasyFlash => self.bank = value & 63,
            CartridgeKind::Gmod2 if is_first => {
                self.bank = value;
                self.eeprom.drive(value & SELECT != 0, value & CLOCK != 0, value & DATA != 0);
            }
            _ => {}
        }
    }

    fn reset(&mut self) {
        (self.bank, self.control) = (0, 0);
        self.flash = [Flash::default(); 2];
        self.eeprom.drive(false, false, false);
    }

    fn check(&self) -> Result<(), StateError> {
        let is_size =
            |memory: &[u8]| memory.len().is_multiple_of(BANK) && memory.len() <= self.kind.banks() * BANK;
        match is_size(&self.low) && is_size(&self.high) && self.eeprom.is_possible() {
            true => Ok(()),
            false => Err(StateError::Impossible("a cartridge with more memory than its kind has")),
        }
    }
}

impl Cartridge {
    /// The EEPROM of a GMod2, for those who keep it.
    pub fn eeprom(&self) -> Vec<u8> {
        self.eeprom.bytes()
    }
}

#[cfg(test)]
mod tests;
