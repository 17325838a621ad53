//! The memory map of the CPU: what the port's lines, EXROM and GAME show where, and which writes are not plain.
//! A map is drawn when one of them changes; an access only looks its page up.

use super::Board;
use crate::c64::port::{BANK, Half, MapMode};
use crate::c64::vic::View;
use crate::c64::{BASIC, KERNAL};
use crate::{Port6510, Rom};

/// Where the bytes are that a device in the expansion port shows.
const ROML: usize = 0x16000;
pub(in crate::c64) const ROMH: usize = 0x18000;

/// Why a write to a page is not plain.
pub(super) const DEVICES: u8 = 0x01;
const CODES: u8 = 0x02;
pub(super) const GRAPHICS: u8 = 0x04;
const WATCHED: u8 = 0x08;
/// There is no RAM: in Ultimax mode only the expansion port sees the write.
pub(super) const OUTSIDE: u8 = 0x10;

impl Board {
    /// Draws the map for the port's lines, and shows the port to reads of $00 and $01.
    pub(super) fn switch(&mut self) {
        let lines = self.port.lines();
        self.memory[0] = self.port.direction;
        self.memory[1] = lines | self.charge.levels & !self.port.direction;
        let has = |mask: u8| lines & mask == mask;
        let any_rom = lines & (Port6510::LORAM | Port6510::HIRAM) != 0;
        let is_basic = has(Port6510::LORAM | Port6510::HIRAM);
        let is_io = any_rom && has(Port6510::CHAREN);
        self.reads.show_ram(0x00..0x100);
        let mode = self.asked.banks.mode();
        if mode == MapMode::Ultimax {
            // Where nothing answers, the devices are asked, too.
            self.reads.show_devices(0x10..0x100);
            self.show_rom(Half::Low, 0x80);
            self.show_rom(Half::High, 0xe0);
        } else {
            let high_rom = mode == MapMode::Rom16K;
            let shown = [
                (Rom::Basic, is_basic && !high_rom),
                (Rom::Kernal, has(Port6510::HIRAM)),
                (Rom::Characters, any_rom && !is_io),
            ];
            for (rom, _) in shown.into_iter().filter(|(_, is_shown)| *is_shown) {
                let (pages, place) = rom.socket();
                self.reads.show(pages, place);
            }
            if mode != MapMode::Plain && is_basic {
                self.show_rom(Half::Low, 0x80);
            }
            if high_rom && has(Port6510::HIRAM) {
                self.show_rom(Half::High, 0xa0);
            }
            if is_io {
                self.reads.show_devices(0xd0..0xe0);
            }
        }
        self.reads.settle();
        self.guard();
    }

    /// Shows a half of the expansion port's memory from this page on.
    fn show_rom(&mut self, half: Half, page: usize) {
        let pages = page..page + (BANK >> 8);
        let has_bytes = self.expansion.rom(half).is_some();
        match half {
            _ if !has_bytes => self.reads.show_devices(pages),
            Half::Low => self.reads.show(pages, ROML),
            Half::High => self.reads.show(pages, ROMH),
        }
    }

    /// Takes the bytes that the expansion port shows now, and draws the map. Where it shows none, nothing of an earlier
    /// bank may stay: in Ultimax mode the VIC reads what is there.
    pub(super) fn take_banks(&mut self) {
        for (half, place) in [(Half::Low, ROML), (Half::High, ROMH)] {
            let copy = &mut self.memory[place..place + BANK];
            match self.expansion.rom(half) {
                Some(bytes) => copy.copy_from_slice(bytes),
                None => copy.fill(0xff),
            }
        }
        self.ask_expansion();
        self.switch();
    }

    /// Finds the pages whose writes must be reported: those of the devices, and those the VIC reads.
    pub(super) fn guard(&mut self) {
        self.guards = [0; 0x100];
        if self.asked.banks.mode() == MapMode::Ultimax {
            self.guards[0x10..].fill(OUTSIDE);
        }
        if self.reads.is_device(0xd000) {
            self.guards[0xd0..0xe0].fill(DEVICES);
        }
        if let Some(addr) = self.asked.watched {
            self.guards[usize::from(addr >> 8)] |= WATCHED;
        }
        let (bank, rom) = (usize::from(self.bank() >> 8), self.seen_rom());
        let guards = &mut self.guards[bank..bank + 0x40];
        let view = View {
            memory: &self.memory,
            below_port: self.below_port,
            colours: &self.colours,
            bank: (bank as u16) << 8,
            rom,
            cpu_address: 0,
        };
        self.vic.pages_read(&view, |page, count, is_graphics| {
            for guard in &mut guards[usize::from(page)..usize::from(page) + count] {
                *guard |= if is_graphics { GRAPHICS } else { CODES };
            }
        });
    }

    pub(super) fn write_port(&mut self, addr: u16, value: u8) {
        let before = self.port;
        if addr == 0 {
            self.port.direction = value;
        } else {
            self.port.data = value;
        }
        self.charge.drive(before, self.port, self.vic_at + self.model().port_fades());
        self.drive_lines();
        // The RAM behind the port takes what the VIC left on the bus.
        self.below_port[usize::from(addr & 1)] = self.vic.phi1();
        self.switch();
    }

    pub(super) fn fade_port(&mut self, done: u64) {
        if self.charge.fade(done) {
            self.switch();
        }
    }

    /// The byte at an address of the KERNAL, if the CPU sees the KERNAL there.
    pub(in crate::c64) fn kernal_byte(&self, addr: u16) -> Option<u8> {
        self.rom_byte(Rom::Kernal, addr)
    }

    /// The byte at an address of our KERNAL or BASIC, if the CPU sees one of them there.
    pub(in crate::c64) fn own_rom_byte(&self, addr: u16) -> Option<u8> {
        [(Rom::Kernal, KERNAL), (Rom::Basic, BASIC)].into_iter().find_map(|(rom, image)| {
            let byte = self.rom_byte(rom, addr)?;
            let (_, socket) = rom.socket();
            (self.memory[socket..socket + image.len()] == image[..]).then_some(byte)
        })
    }

    /// The byte at an address, if the CPU sees this ROM there.
    fn rom_byte(&self, rom: Rom, addr: u16) -> Option<u8> {
        let (pages, socket) = rom.socket();
        let place = self.reads.place(addr)?;
        (socket..socket + (pages.len() << 8)).contains(&place).then(|| self.memory[place])
    }
}
