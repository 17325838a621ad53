//! From the voices to samples: mixer, filter, volume, the output stage, and a decimator from the clock to the sample rate. In
//! whole numbers, so that every host makes the same samples. The filter has a curve for each version of the
//! chip; specimens differ more among each other than from it.

use alloc::vec::Vec;

use super::SidChip;

/// The taps of the decimator: three averages over 22 cycles, one after the other.
const TAPS: usize = 64;
const AVERAGED: usize = 22;

/// The sum of the taps.
const GAIN: i64 = (AVERAGED * AVERAGED * AVERAGED) as i64;

static KERNEL: [i32; TAPS] = {
    let mut kernel = [0; TAPS];
    let (mut a, mut b, mut c) = (0, 0, 0);
    while a < AVERAGED {
        while b < AVERAGED {
            while c < AVERAGED {
                kernel[a + b + c] += 1;
                c += 1;
            }
            b += 1;
            c = 0;
        }
        a += 1;
        b = 0;
    }
    kernel
};

/// Samples that are not taken are kept up to this number.
const MOST: usize = 1 << 21;

/// The filter of a chip.
#[derive(Debug, Clone, Copy)]
struct Curve {
    /// Cutoff frequencies in Hz along the 2048 settings, at every 128th.
    cutoffs: [u32; 17],
    /// Q with no resonance and its growth per step of the register, in thousandths.
    q: i64,
    q_step: i64,
    /// The mixer's level without a voice, which makes writes to the volume audible.
    offset: i64,
}

/// A slow start and a steep middle.
const MOS6581: Curve = Curve {
    cutoffs: [
        220, 225, 240, 260, 300, 400, 700, 1_400, 2_400, 3_500, 4_800, 6_200, 7_900, 9_800, 11_900, 13_900,
        16_000,
    ],
    q: 707,
    q_step: 66,
    offset: 3000,
};

/// A straight line to 12.5 kHz, more resonance, and hardly any level of its own.
const MOS8580: Curve = Curve {
    cutoffs: {
        let mut cutoffs = [0; 17];
        let mut at = 0;
        while at < 17 {
            cutoffs[at] = 30 + 780 * at as u32;
            at += 1;
        }
        cutoffs
    },
    q: 707,
    q_step: 190,
    offset: 300,
};

/// A listener of a chip. It changes nothing.
#[derive(Debug, Clone)]
pub(super) struct Sound {
    curve: Curve,
    clock: u32,
    rate: u32,
    /// Towards the next sample: it is due when this reaches the clock.
    phase: u32,
    /// The state variables of the filter.
    low: i64,
    band: i64,
    /// The output stage: a slow average that is taken away, and a fast one that is heard.
    direct: i64,
    smooth: i64,
    recent: [i32; TAPS],
    at: usize,
    samples: Vec<i16>,
}

impl Sound {
    pub(super) fn new(chip: SidChip, clock: u32, rate: u32) -> Sound {
        let curve = match chip {
            SidChip::Mos6581 => MOS6581,
            SidChip::Mos8580 => MOS8580,
        };
        Sound {
            curve,
            clock,
            rate: rate.clamp(1, clock),
            phase: 0,
            low: 0,
            band: 0,
            direct: 0,
            smooth: 0,
            recent: [0; TAPS],
            at: 0,
            samples: Vec::new(),
        }
    }

    pub(super) fn take(&mut self) -> Vec<i16> {
        core::mem::take(&mut self.samples)
    }

    /// A cycle with these voices.
    pub(super) fn tick(&mut self, voices: [i32; 3], registers: &[u8; 0x20]) {
        let (routing, mode) = (registers[0x17], registers[0x18]);
        let (mut filtered, mut direct) = (0i64, 0i64);
        for (n, voice) in voices.into_iter().enumerate() {
            let voice = i64::from(voice >> 7);
            if routing & 1 << n != 0 {
                filtered += voice;
            } else if n != 2 || mode & 0x80 == 0 {
                direct += voice;
            }
        }
        let mixed = direct + self.filter(filtered, registers) + self.curve.offset;
        let loud = mixed * i64::from(mode & 0x0f);
        // Below about 10 Hz nothing gets through the capacitor, above 16 kHz little through what follows.
        self.direct += ((loud << 16) - self.direct) >> 14;
        let out = loud - (self.direct >> 16);
        self.smooth += ((out << 8) - self.smooth) / 10;
        self.recent[self.at] = (self.smooth >> 8) as i32;
        self.at = (self.at + 1) % TAPS;
        self.phase += self.rate;
        if self.phase >= self.clock {
            self.phase -= self.clock;
            self.sample();
        }
    }

    /// The state-variable filter: two integrators in a loop.
    fn filter(&mut self, input: i64, registers: &[u8; 0x20]) -> i64 {
        let setting = u32::from(registers[0x16]) << 3 | u32::from(registers[0x15] & 7);
        let (place, part) = ((setting >> 7) as usize, setting & 0x7f);
        let cutoffs = &self.curve.cutoffs;
        let hertz = (cutoffs[place] * (128 - part) + cutoffs[place + 1] * part) >> 7;
        // The angle of a cycle, 20 bits after the point: two pi are 6588397 there.
        let angle = i64::from(hertz) * 6_588_397 / i64::from(self.clock);
        // One over Q, 10 bits after the point.
        let damping = 1024 * 1000 / (self.curve.q + self.curve.q_step * i64::from(registers[0x17] >> 4));
        let input = input << 8;
        let high = input - self.low - ((self.band * damping) >> 10);
        self.low += (self.band * angle) >> 20;
        self.band += (high * angle) >> 20;
        let mode = registers[0x18];
        let mut output = 0;
        for (bit, part) in [(0x10, self.low), (0x20, self.band), (0x40, high)] {
            if mode & bit != 0 {
                output += part;
            }
        }
        output >> 8
    }

    fn sample(&mut self) {
        if self.samples.len() >= MOST {
            return;
        }
        let (newer, older) = self.recent.split_at(self.at);
        let recent = older.iter().chain(newer);
        let sum: i64 = recent.zip(&KERNEL).map(|(&value, &tap)| i64::from(value) * i64::from(tap)).sum();
        let sample = sum / GAIN / 8;
        self.samples.push(sample.clamp(i64::from(i16::MIN), i64::from(i16::MAX)) as i16);
    }
}
