//! The SID as a program can read it: registers, and the oscillator and envelope of voice 3. It makes no sound yet.

use super::state::{state, state_of_enum};

/// Bits of a control register.
const GATE: u8 = 0x01;
const TEST: u8 = 0x08;

/// Cycles per step of the envelope, by the nibbles of the attack, decay and release registers.
const RATES: [u16; 16] = [9, 32, 63, 95, 149, 220, 267, 313, 392, 977, 1954, 3126, 3907, 11720, 19532, 31251];

/// How many cycles a byte stays on the chip's data bus.
const BUS_FADES: u32 = 0x1d00;

/// A test bit that is set for so long fills the noise register with ones.
const NOISE_FILLS: u32 = 0x8000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Attack,
    Decay,
    Release,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Envelope {
    level: u8,
    stage: Stage,
    rate_counter: u16,
    /// Steps of the rate counter per step down, and where that count is.
    slowness: u8,
    slow_counter: u8,
    /// At zero it stays until the next attack.
    is_held: bool,
}

/// The chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sid {
    registers: [u8; 0x20],
    /// The 24-bit accumulator of voice 3.
    phase: u32,
    /// Its 23-bit noise register.
    noise: u32,
    test_cycles: u32,
    envelope: Envelope,
    /// The last byte on the data bus, and for how many cycles it stays there.
    bus: u8,
    bus_left: u32,
}

impl Sid {
    pub(super) fn new() -> Sid {
        Sid {
            registers: [0; 0x20],
            phase: 0,
            noise: 0x7f_ffff,
            test_cycles: 0,
            envelope: Envelope {
                level: 0,
                stage: Stage::Release,
                rate_counter: 0,
                slowness: 1,
                slow_counter: 0,
                is_held: true,
            },
            bus: 0,
            bus_left: 0,
        }
    }

    /// RESET clears the registers.
    pub(super) fn reset(&mut self) {
        for register in 0..0x19 {
            self.write(register, 0);
        }
    }

    pub(super) fn tick(&mut self) {
        let control = self.registers[0x12];
        if control & TEST != 0 {
            self.phase = 0;
            self.test_cycles = self.test_cycles.saturating_add(1);
            if self.test_cycles == NOISE_FILLS {
                self.noise = 0x7f_ffff;
            }
        } else {
            let frequency = u32::from(u16::from_le_bytes([self.registers[0x0e], self.registers[0x0f]]));
            let before = self.phase;
            self.phase = (before + frequency) & 0xff_ffff;
            if !before & self.phase & 0x08_0000 != 0 {
                self.shift_noise();
            }
        }
        self.envelope.tick(self.registers[0x13], self.registers[0x14]);
        if self.bus_left > 0 {
            self.bus_left -= 1;
            if self.bus_left == 0 {
                self.bus = 0;
            }
        }
    }

    fn shift_noise(&mut self) {
        let bit = (self.noise >> 22 ^ self.noise >> 17) & 1;
        self.noise = (self.noise << 1 | bit) & 0x7f_ffff;
    }

    /// The top 8 bits of voice 3's waveform. Several waveforms at once pull each other's bits down.
    fn oscillator(&self) -> u8 {
        let control = self.registers[0x12];
        if control & 0xf0 == 0 {
            return 0;
        }
        let mut output = 0xff;
        if control & 0x10 != 0 {
            let folded = if self.phase & 0x80_0000 != 0 { !self.phase } else { self.phase };
            output &= (folded >> 15) as u8;
        }
        if control & 0x20 != 0 {
            output &= (self.phase >> 16) as u8;
        }
        if control & 0x40 != 0 {
            let width = u16::from_le_bytes([self.registers[0x10], self.registers[0x11] & 0x0f]);
            output &= if control & TEST != 0 || (self.phase >> 12) as u16 >= width { 0xff } else { 0 };
        }
        if control & 0x80 != 0 {
            output &= [20, 18, 14, 11, 9, 5, 2, 0]
                .iter()
                .fold(0, |byte, bit| byte << 1 | (self.noise >> bit) as u8 & 1);
        }
        output
    }

    pub(super) fn read(&mut self, register: u8) -> u8 {
        let value = self.peek(register);
        if (0x19..=0x1c).contains(&register) {
            self.drive(value);
        }
        value
    }

    /// What a read gives, without its effects.
    pub(super) fn peek(&self, register: u8) -> u8 {
        match register {
            0x19 | 0x1a => 0xff,
            0x1b => self.oscillator(),
            0x1c => self.envelope.level,
            _ => self.bus,
        }
    }

    fn drive(&mut self, value: u8) {
        self.bus = value;
        self.bus_left = BUS_FADES;
    }

    pub(super) fn write(&mut self, register: u8, value: u8) {
        let old = core::mem::replace(&mut self.registers[usize::from(register & 0x1f)], value);
        self.drive(value);
        if register == 0x12 {
            if !old & value & TEST != 0 {
                self.test_cycles = 0;
            } else if old & !value & TEST != 0 {
                // The end of the test bit completes a shift, with the test bit still in the sum.
                self.noise = (self.noise << 1 | !self.noise >> 17 & 1) & 0x7f_ffff;
            }
            self.envelope.gate(old & GATE != 0, value & GATE != 0);
        }
    }
}

impl Envelope {
    fn gate(&mut self, before: bool, after: bool) {
        if after && !before {
            self.stage = Stage::Attack;
            self.is_held = false;
        } else if before && !after {
            self.stage = Stage::Release;
        }
    }

    fn tick(&mut self, attack_decay: u8, sustain_release: u8) {
        let rate = match self.stage {
            Stage::Attack => attack_decay >> 4,
            Stage::Decay => attack_decay & 0x0f,
            Stage::Release => sustain_release & 0x0f,
        };
        // A 15-bit counter that is compared for equality: past its end it runs all the way round.
        self.rate_counter = (self.rate_counter + 1) & 0x7fff;
        if self.rate_counter != RATES[usize::from(rate)] {
            return;
        }
        self.rate_counter = 0;
        self.slow_counter += 1;
        if self.stage != Stage::Attack && self.slow_counter < self.slowness {
            return;
        }
        self.slow_counter = 0;
        if self.is_held {
            return;
        }
        match self.stage {
            Stage::Attack => {
                self.level = self.level.wrapping_add(1);
                if self.level == 0xff {
                    self.stage = Stage::Decay;
                }
            }
            Stage::Decay => {
                if self.level != (sustain_release >> 4) * 0x11 {
                    self.level = self.level.wrapping_sub(1);
                }
            }
            Stage::Release => self.level = self.level.wrapping_sub(1),
        }
        match self.level {
            0xff => self.slowness = 1,
            0x5d => self.slowness = 2,
            0x36 => self.slowness = 4,
            0x1a => self.slowness = 8,
            0x0e => self.slowness = 16,
            0x06 => self.slowness = 30,
            0x00 => {
                self.slowness = 1;
                self.is_held = true;
            }
            _ => {}
        }
    }
}

state_of_enum!(Stage { Attack, Decay, Release });
state!(Envelope { level, stage, rate_counter, slowness, slow_counter, is_held });
state!(Sid { registers, phase, noise, test_cycles, envelope, bus, bus_left });
