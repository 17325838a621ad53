//! The oscillator of a voice: accumulator, pulse comparator, noise register and their way to OSC3. Knows neither envelope
//! nor filter; what a sync or a ring modulation needs of another voice is handed in.

use super::combined::{self, Tables};
use super::{NOISE, PULSE, RING, SAWTOOTH, SYNC, SidChip, TEST};
use crate::state::state;

/// The top bit of the accumulator: when it rises, the next voice may be restarted.
const TOP: u32 = 0x80_0000;

/// The bit of the accumulator that clocks the noise register.
const NOISE_CLOCK: u32 = 0x08_0000;

/// The bits of the noise register that are its output, the highest first.
const NOISE_LINES: [u32; 8] = [20, 18, 14, 11, 9, 5, 2, 0];
const NOISE_OUTPUTS: u32 = 1 << 20 | 1 << 18 | 1 << 14 | 1 << 11 | 1 << 9 | 1 << 5 | 1 << 2 | 1;
const NOISE_BITS: u32 = 0x7f_ffff;

/// Cycles until bits that are not driven change for the first time, and from then on.
struct Fading {
    first: u32,
    then: u32,
}

impl SidChip {
    /// The bits of a waveform after all have been switched off.
    const fn floating(self) -> Fading {
        match self {
            SidChip::Mos6581 => Fading { first: 54_000, then: 1_400 },
            SidChip::Mos8580 => Fading { first: 800_000, then: 50_000 },
        }
    }

    /// The bits of the noise register while the test bit holds it.
    const fn filling(self) -> Fading {
        match self {
            SidChip::Mos6581 => Fading { first: 50_000, then: 15_000 },
            SidChip::Mos8580 => Fading { first: 986_000, then: 314_300 },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Oscillator {
    chip: SidChip,
    frequency: u16,
    width: u16,
    control: u8,
    /// The 24-bit accumulator.
    phase: u32,
    /// Result of the pulse comparison, which the output sees a cycle later.
    pulse: u16,
    /// The 23-bit noise register, its value at the beginning of a shift, and its eight output lines.
    noise: u32,
    latched: u32,
    lines: u16,
    /// Cycles until a shift of the noise register is complete, or 0.
    shift_in: u8,
    /// Cycles until the test bit sets more bits of the noise register, or 0.
    fills_in: u32,
    /// The 12 bits of the waveform, and as OSC3 shows them.
    output: u16,
    shown: u16,
    /// Triangle and sawtooth of the cycle before: the 8580 shows those.
    delayed: u16,
    /// Cycles until an output without a waveform loses bits, or 0.
    fades_in: u32,
}

impl Oscillator {
    pub(super) const fn new(chip: SidChip) -> Oscillator {
        Oscillator {
            chip,
            frequency: 0,
            width: 0,
            control: 0,
            phase: 0,
            pulse: 0xfff,
            noise: NOISE_BITS,
            latched: 0,
            lines: 0xff0,
            shift_in: 0,
            fills_in: 0,
            output: 0,
            shown: 0,
            delayed: 0,
            fades_in: 0,
        }
    }

    /// Whether a state that was loaded is possible.
    pub(super) fn is_possible(&self) -> bool {
        self.phase <= 0xff_ffff
            && self.noise <= NOISE_BITS
            && self.latched <= NOISE_BITS
            && [self.width, self.pulse, self.lines, self.output, self.shown, self.delayed]
                .iter()
                .all(|&bits| bits <= 0xfff)
            && self.shift_in <= 2
    }

    pub(super) fn chip(&self) -> SidChip {
        self.chip
    }

    pub(super) fn phase(&self) -> u32 {
        self.phase
    }

    /// The 12 bits of the waveform.
    pub(super) fn output(&self) -> u16 {
        self.output
    }

    /// OSC3.
    pub(super) fn shown(&self) -> u8 {
        (self.shown >> 4) as u8
    }

    pub(super) fn is_synced(&self) -> bool {
        self.control & SYNC != 0
    }

    fn waveform(&self) -> u8 {
        self.control >> 4
    }

    /// Whether its output has no effect on itself, so that it can pass over cycles.
    pub(super) fn is_independent(&self) -> bool {
        let waveform = self.waveform();
        let is_pulled = waveform & 2 != 0 && waveform != 2 && self.chip == SidChip::Mos6581;
        waveform <= 8 && !is_pulled
    }

    pub(super) fn write_frequency(&mut self, frequency: u16) {
        self.frequency = frequency;
    }

    pub(super) fn write_width(&mut self, width: u16) {
        self.width = width & 0xfff;
    }

    pub(super) fn write_control(&mut self, value: u8) {
        let old = core::mem::replace(&mut self.control, value);
        if old >> 4 != 0 && value >> 4 == 0 {
            self.fades_in = self.chip.floating().first;
        }
        if !old & value & TEST != 0 {
            self.phase = 0;
            self.shift_in = 0;
            self.latched = self.noise;
            self.fills_in = self.chip.filling().first;
        } else if old & !value & TEST != 0 {
            // Its end completes a shift, with the test bit still in the sum.
            self.shift_noise(old >> 4, 1);
            self.fills_in = 0;
        }
    }

    /// Passes over this many cycles; the outputs come right in the four that must follow one by one.
    pub(super) fn pass(&mut self, cycles: u64) {
        if self.control & TEST != 0 {
            self.fill(cycles);
        } else {
            match core::mem::take(&mut self.shift_in) {
                0 => {}
                left => {
                    if left == 2 {
                        self.latched = self.noise;
                    }
                    self.shift_noise(self.waveform(), self.latched >> 22);
                }
            }
            let before = u64::from(self.phase);
            let after = before + u64::from(self.frequency) * cycles;
            self.phase = (after & 0xff_ffff) as u32;
            // The bit rises at odd multiples of its value.
            let clock = u64::from(NOISE_CLOCK);
            for _ in (before + clock) / (2 * clock)..(after + clock) / (2 * clock) {
                self.latched = self.noise;
                self.shift_noise(self.waveform(), self.latched >> 22);
            }
        }
        if self.waveform() == 0 {
            self.fade(cycles);
        }
    }

    /// Counts a cycle; whether the top bit rises in it.
    #[inline(always)]
    pub(super) fn count(&mut self) -> bool {
        if self.control & TEST != 0 {
            self.fill(1);
            self.pulse = 0xfff;
            return false;
        }
        let before = self.phase;
        self.phase = (before + u32::from(self.frequency)) & 0xff_ffff;
        let risen = !before & self.phase;
        if risen & NOISE_CLOCK != 0 {
            self.shift_in = 2;
        } else if self.shift_in != 0 {
            self.shift_in -= 1;
            if self.shift_in == 1 {
                self.latched = self.noise;
            } else {
                self.shift_noise(self.waveform(), self.latched >> 22);
            }
        }
        risen & TOP != 0
    }

    /// Another voice restarts it.
    pub(super) fn restart(&mut self) {
        self.phase = 0;
    }

    /// The output of a cycle; `source` is the accumulator of the voice that modulates it.
    #[inline(always)]
    pub(super) fn show(&mut self, source: u32, tables: &Tables) {
        let waveform = self.waveform();
        if waveform == 0 {
            self.fade(1);
        } else {
            let is_ring = self.control & (RING | SAWTOOTH) == RING;
            let folding = if is_ring { !source & TOP } else { 0 };
            let bits = ((self.phase ^ folding) >> 12) as u16;
            let shape = match waveform & 3 {
                0 => 0xfff,
                1 => (if bits & 0x800 != 0 { !bits } else { bits }) << 1 & 0xfff,
                2 => bits,
                _ => bits & bits << 1,
            };
            let mut others = 0xfff;
            if self.control & PULSE != 0 {
                others &= self.pulse;
            }
            if self.control & NOISE != 0 {
                others &= self.lines;
            }
            let row = combined::row(waveform);
            self.output = tables.pulled(row, shape & others);
            if self.chip == SidChip::Mos8580 && waveform & 3 != 0 {
                self.shown = tables.pulled(row, self.delayed & others);
                self.delayed = shape;
            } else {
                self.shown = self.output;
            }
            if self.chip == SidChip::Mos6581 && waveform & 2 != 0 && self.output & 0x800 == 0 {
                self.phase &= !TOP;
            }
            if waveform > 8 {
                self.write_back();
            }
        }
        self.pulse = if (self.phase >> 12) as u16 >= self.width { 0xfff } else { 0 };
    }

    /// Combined with others the output reaches the lines of the noise register, and pulls its bits down unless the
    /// register is held by a shift or by the test bit.
    fn write_back(&mut self) {
        if self.shift_in == 1 || self.control & TEST != 0 {
            self.lines = self.output & 0xff0;
        } else {
            self.noise &= !NOISE_OUTPUTS | spread(self.output);
            self.lines &= self.output;
        }
    }

    /// The second phase of a shift. `old` is the waveform that the output was made with, `top` the bit that the sum takes
    /// for the highest.
    fn shift_noise(&mut self, old: u8, top: u32) {
        let mut bits = core::mem::take(&mut self.latched);
        if self.is_written_back(old, self.waveform()) {
            bits = bits & !NOISE_OUTPUTS | spread(self.output);
        }
        self.noise = (bits << 1 | (top ^ bits >> 17) & 1) & NOISE_BITS;
        self.take_lines();
    }

    /// Whether the output gets into the register with a shift, from one waveform to another.
    fn is_written_back(&self, old: u8, new: u8) -> bool {
        if old <= 8 || new < 8 || (new == 8 && old != 15) || old == 12 || new == 12 {
            return false;
        }
        self.chip == SidChip::Mos8580 || !matches!((old & 3, new & 3), (1, 2) | (2, 1))
    }

    fn take_lines(&mut self) {
        let bits = NOISE_LINES.iter().fold(0, |bits, line| bits << 1 | (self.noise >> line) as u16 & 1);
        self.lines = bits << 4;
    }

    /// Cycles of the test bit.
    fn fill(&mut self, cycles: u64) {
        let fading = self.chip.filling();
        let mut left = cycles;
        while self.fills_in != 0 && left >= u64::from(self.fills_in) {
            left -= u64::from(self.fills_in);
            self.noise = (self.noise | self.noise << 1 | 1) & NOISE_BITS;
            self.latched = self.noise;
            self.take_lines();
            self.fills_in = if self.noise == NOISE_BITS { 0 } else { fading.then };
        }
        self.fills_in = self.fills_in.saturating_sub(left as u32);
    }

    /// Cycles without a waveform.
    fn fade(&mut self, cycles: u64) {
        let fading = self.chip.floating();
        let mut left = cycles;
        while self.fades_in != 0 && left >= u64::from(self.fades_in) {
            left -= u64::from(self.fades_in);
            self.output &= self.output >> 1;
            self.shown = self.output;
            self.fades_in = if self.output == 0 { 0 } else { fading.then };
        }
        if self.fades_in != 0 {
            self.fades_in -= left as u32;
        }
    }
}

/// The output bits at their places in the noise register.
fn spread(output: u16) -> u32 {
    let bits = NOISE_LINES.iter().enumerate();
    bits.fold(0, |register, (at, line)| register | u32::from(output >> (11 - at) & 1) << line)
}

state!(Oscillator {
    chip,
    frequency,
    width,
    control,
    phase,
    pulse,
    noise,
    latched,
    lines,
    shift_in,
    fills_in,
    output,
    shown,
    delayed,
    fades_in,
});
