//! The I/O area at $D000: which chip an address selects, and what an access to it needs.

use super::Board;
use crate::c64::sid::Sid;

/// The selection at an address of $D000-$DFFF, with the register or the place in it.
#[derive(Debug, Clone, Copy)]
enum Io {
    Vic(u8),
    Sid(u8),
    Colours(usize),
    Cia(usize, u8),
    /// I/O 1 and I/O 2 of the expansion port.
    Expansion,
    /// The second SID, wherever it is.
    Second(u8),
}

impl Io {
    #[inline(always)]
    fn decode(addr: u16) -> Io {
        match addr >> 8 & 0x0f {
            0x0..=0x3 => Io::Vic(addr as u8 & 0x3f),
            0x4..=0x7 => Io::Sid(addr as u8 & 0x1f),
            0x8..=0xb => Io::Colours(usize::from(addr & 0x3ff)),
            chip @ (0xc | 0xd) => Io::Cia(usize::from(chip - 0xc), addr as u8 & 0x0f),
            _ => Io::Expansion,
        }
    }
}

impl Board {
    #[inline(always)]
    fn decode(&self, addr: u16) -> Io {
        match &self.second {
            Some((first, _)) if addr & 0xffe0 == *first => Io::Second(addr as u8 & 0x1f),
            _ => Io::decode(addr),
        }
    }

    /// A read of a SID. The positions of the paddles are those of the ports that CIA 1 selects with PA6 and PA7; of both, the
    /// lower ones are seen.
    fn peek_sid(&self, sid: &Sid, register: u8) -> u8 {
        let Some(axis) = usize::from(register).checked_sub(0x19).filter(|axis| *axis < 2) else {
            return sid.peek(register);
        };
        let selected = !self.cias[0].low_outputs(0) >> 6;
        let ports = self.controls.paddles.iter().enumerate().filter(|(port, _)| selected >> port & 1 != 0);
        ports.map(|(_, paddles)| paddles[axis]).min().unwrap_or(0xff)
    }

    /// Returns the byte that a chip's register at $D000-$DFFF would give, whatever is banked in there, without effects.
    pub fn peek_io(&self, addr: u16) -> u8 {
        match self.decode(addr) {
            Io::Vic(register) => self.vic.peek(register),
            Io::Sid(register) => self.peek_sid(&self.sid, register),
            Io::Second(register) => {
                self.second.as_ref().map_or(0xff, |(_, sid)| self.peek_sid(sid, register))
            }
            Io::Colours(place) => self.colours[place] | self.vic.phi1() & 0xf0,
            Io::Cia(chip, register) => self.cias[chip].peek(register, self.pins_of(chip)),
            Io::Expansion => self.expansion.peek_io(addr).unwrap_or(self.vic.phi1()),
        }
    }

    pub(super) fn read_io(&mut self, addr: u16, cycle: u64) -> u8 {
        let done = cycle + 1;
        match self.decode(addr) {
            Io::Vic(register) => self.read_vic(register, done),
            io @ (Io::Sid(register) | Io::Second(register)) => {
                self.run_sid(done);
                let value = self.peek_io(addr);
                let sid = match (io, &mut self.second) {
                    (Io::Second(_), Some((_, second))) => &mut **second,
                    _ => &mut self.sid,
                };
                sid.read(register, value);
                value
            }
            Io::Colours(_) => {
                self.run_vic(done);
                self.peek_io(addr)
            }
            Io::Cia(chip, register) => {
                self.run_cias(done);
                if chip == 1 && register == 0 {
                    self.run_drive(done);
                }
                let pins = self.pins_of(chip);
                let value = self.cias[chip].read(register, pins);
                self.drive_lines();
                value
            }
            Io::Expansion => self.read_expansion(done, |port| port.read_io(addr)),
        }
    }

    /// Most registers read as they were written; for those the VIC need not be up to date.
    fn read_vic(&mut self, register: u8, done: u64) -> u8 {
        match register {
            _ if self.vic.shows_shared() => {
                self.run_vic(done);
                let value = self.vic.read(register);
                self.drive_lines();
                value
            }
            0x11 | 0x12 => {
                let line = self.vic.line_in(done.saturating_sub(self.vic_at));
                let written = self.vic.peek(0x11) & 0x7f;
                if register == 0x12 { line as u8 } else { written | (line >> 1) as u8 & 0x80 }
            }
            0x13 | 0x14 | 0x1e | 0x1f => {
                self.run_vic(done);
                let value = self.vic.read(register);
                self.drive_lines();
                value
            }
            0x19 if self.vic_at.saturating_add(self.vic.flags_stay_for(0x0f)) < done => {
                self.run_vic(done);
                self.vic.read(register)
            }
            _ => self.vic.peek(register),
        }
    }

    pub(super) fn write_io(&mut self, addr: u16, value: u8, cycle: u64) {
        let done = cycle + 1;
        let io = self.decode(addr);
        match io {
            Io::Vic(_) => self.run_vic(done),
            Io::Sid(_) | Io::Second(_) => {
                self.run_sid(done);
                return self.write_to(io, addr, value);
            }
            Io::Colours(_) => {
                self.run_vic_before(done, false);
                return self.write_to(io, addr, value);
            }
            Io::Cia(chip, register) => {
                self.run_cias(done);
                if chip == 1 && (register == 0 || register == 2) {
                    self.run_vic(done);
                    self.run_drive(done);
                }
            }
            Io::Expansion => {
                if !self.expansion.is_empty() {
                    self.run_vic(done);
                    self.run_expansion(done);
                    self.write_to(io, addr, value);
                    self.touched();
                }
                return;
            }
        }
        let bank = self.bank();
        self.write_to(io, addr, value);
        self.drive_lines();
        if let Io::Vic(register) = io {
            self.plan = None;
            self.high = (0, 0);
            if self.vic.is_bad_late() {
                self.shared_until = done + 3;
            }
            // Modes, addresses and sprites decide what is read.
            if matches!(register, 0x11 | 0x15 | 0x18) {
                self.guard();
            }
        } else if bank != self.bank() {
            self.guard();
        }
    }

    /// Writes to the chip.
    pub(super) fn write_chip(&mut self, addr: u16, value: u8) {
        self.write_to(self.decode(addr), addr, value);
    }

    fn write_to(&mut self, io: Io, addr: u16, value: u8) {
        match io {
            Io::Vic(register) => self.vic.write(register, value),
            Io::Sid(register) => {
                if addr == 0xd7ff {
                    self.exit = Some(value);
                }
                self.sid.write(register, value);
            }
            Io::Second(register) => {
                if let Some((_, second)) = &mut self.second {
                    second.write(register, value);
                }
            }
            Io::Colours(place) => self.colours[place] = value & 0x0f,
            Io::Cia(chip, register) => {
                self.cias[chip].write(register, value);
                if chip == 1 && (register == 0 || register == 2) {
                    self.drive_bus();
                }
                // A light pen is latched where the beam is.
                if chip == 0 && self.is_pen_low() != self.vic.is_pen_low() {
                    self.run_vic(self.cias_at);
                    self.drive_pen();
                }
            }
            Io::Expansion => {
                if !self.expansion.is_empty() {
                    self.expansion.write_io(addr, value);
                    self.expansion_touched();
                }
            }
        }
    }
}
