//! The SID: three voices with their envelopes, and the registers a program can read. Voices are brought forward many
//! cycles at once unless they sound (`sound` makes the samples) or one restarts another.

mod sound;

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::state::{State, StateError, state, state_of_enum};
use sound::Sound;

/// Bits of a control register.
const GATE: u8 = 0x01;
const SYNC: u8 = 0x02;
const RING: u8 = 0x04;
const TEST: u8 = 0x08;
const TRIANGLE: u8 = 0x10;
const SAWTOOTH: u8 = 0x20;
const PULSE: u8 = 0x40;
const NOISE: u8 = 0x80;

/// Cycles per step of the envelope, by the nibbles of the attack, decay and release registers.
const RATES: [u16; 16] = [9, 32, 63, 95, 149, 220, 267, 313, 392, 977, 1954, 3126, 3907, 11720, 19532, 31251];

/// How many cycles a byte stays on the chip's data bus.
const BUS_FADES: u32 = 0x1d00;

/// A test bit that is set for so long fills the noise register with ones.
const NOISE_FILLS: u32 = 0x8000;

/// The top bit of an accumulator: when it rises, the next voice may be restarted.
const TOP: u32 = 0x80_0000;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Voice {
    /// The 24-bit accumulator.
    phase: u32,
    /// The 23-bit noise register.
    noise: u32,
    test_cycles: u32,
    envelope: Envelope,
}

/// The chip.
#[derive(Debug, Clone)]
pub(super) struct Sid {
    registers: [u8; 0x20],
    voices: [Voice; 3],
    /// The last byte on the data bus, and for how many cycles it stays there.
    bus: u8,
    bus_left: u32,
    /// What the paddle inputs are at.
    paddles: [u8; 2],
    /// The samples, if anybody listens.
    sound: Option<Box<Sound>>,
}

/// Machines that differ only in who listens are equal.
impl PartialEq for Sid {
    fn eq(&self, other: &Sid) -> bool {
        self.registers == other.registers
            && self.voices == other.voices
            && (self.bus, self.bus_left, self.paddles) == (other.bus, other.bus_left, other.paddles)
    }
}

impl Eq for Sid {}

impl Sid {
    pub(super) fn new() -> Sid {
        let envelope = Envelope {
            level: 0,
            stage: Stage::Release,
            rate_counter: 0,
            slowness: 1,
            slow_counter: 0,
            is_held: true,
        };
        Sid {
            registers: [0; 0x20],
            voices: [Voice { phase: 0, noise: 0x7f_ffff, test_cycles: 0, envelope }; 3],
            bus: 0,
            bus_left: 0,
            paddles: [0xff; 2],
            sound: None,
        }
    }

    /// RESET clears the registers.
    pub(super) fn reset(&mut self) {
        for register in 0..0x19 {
            self.write(register, 0);
        }
    }

    /// Samples of this many a second from now on, at this clock; none without a rate.
    pub(super) fn set_sample_rate(&mut self, clock: u32, rate: Option<u32>) {
        self.sound = rate.map(|rate| Box::new(Sound::new(clock, rate)));
    }

    /// The samples since the last call.
    pub(super) fn take_samples(&mut self) -> Vec<i16> {
        self.sound.as_mut().map_or_else(Vec::new, |sound| sound.take())
    }

    pub(super) fn set_paddles(&mut self, paddles: [u8; 2]) {
        self.paddles = paddles;
    }

    /// So many cycles, before the CPU's half of the last.
    pub(super) fn advance(&mut self, cycles: u64) {
        let is_synced = (0..3).any(|n| self.control(n) & SYNC != 0);
        if self.sound.is_some() {
            for _ in 0..cycles {
                self.tick();
                let mix = self.outputs();
                if let Some(sound) = &mut self.sound {
                    sound.tick(mix, &self.registers);
                }
            }
        } else if is_synced {
            for _ in 0..cycles {
                self.tick();
            }
        } else {
            for n in 0..3 {
                self.advance_voice(n, cycles);
            }
        }
        self.fade_bus(cycles);
    }

    fn fade_bus(&mut self, cycles: u64) {
        if self.bus_left > 0 {
            self.bus_left = u64::from(self.bus_left).saturating_sub(cycles) as u32;
            if self.bus_left == 0 {
                self.bus = 0;
            }
        }
    }

    fn control(&self, n: usize) -> u8 {
        self.registers[7 * n + 4]
    }

    fn frequency(&self, n: usize) -> u32 {
        u32::from(u16::from_le_bytes([self.registers[7 * n], self.registers[7 * n + 1]]))
    }

    fn envelope_registers(&self, n: usize) -> (u8, u8) {
        (self.registers[7 * n + 5], self.registers[7 * n + 6])
    }

    /// A voice that no other restarts, many cycles at once.
    fn advance_voice(&mut self, n: usize, cycles: u64) {
        let (control, frequency) = (self.control(n), self.frequency(n));
        let (attack_decay, sustain_release) = self.envelope_registers(n);
        let voice = &mut self.voices[n];
        if control & TEST != 0 {
            voice.test(cycles);
        } else {
            let before = u64::from(voice.phase);
            let after = before + u64::from(frequency) * cycles;
            voice.phase = (after & 0xff_ffff) as u32;
            // Bit 19 rises at odd multiples of $80000.
            for _ in (before + 0x8_0000) >> 20..(after + 0x8_0000) >> 20 {
                voice.shift_noise();
            }
        }
        voice.envelope.advance(cycles, attack_decay, sustain_release);
    }

    /// One cycle of all voices.
    fn tick(&mut self) {
        let mut rising = [false; 3];
        for (n, is_rising) in rising.iter_mut().enumerate() {
            let (control, frequency) = (self.control(n), self.frequency(n));
            let (attack_decay, sustain_release) = self.envelope_registers(n);
            let voice = &mut self.voices[n];
            if control & TEST != 0 {
                voice.test(1);
            } else {
                let before = voice.phase;
                voice.phase = (before + frequency) & 0xff_ffff;
                if !before & voice.phase & 0x08_0000 != 0 {
                    voice.shift_noise();
                }
                *is_rising = !before & voice.phase & TOP != 0;
            }
            voice.envelope.tick(attack_decay, sustain_release);
        }
        for n in 0..3 {
            let source = source_of(n);
            // An oscillator that is itself being synced does not sync another.
            let is_source_restarted = self.control(source) & SYNC != 0 && rising[source_of(source)];
            if self.control(n) & SYNC != 0 && rising[source] && !is_source_restarted {
                self.voices[n].phase = 0;
            }
        }
    }

    /// The 12 bits of a voice's waveform. Several waveforms at once pull each other's bits down.
    fn waveform(&self, n: usize) -> u16 {
        let control = self.control(n);
        let voice = &self.voices[n];
        if control & 0xf0 == 0 {
            return 0;
        }
        let mut output = 0xfff;
        if control & TRIANGLE != 0 {
            let ring = if control & RING != 0 { self.voices[source_of(n)].phase } else { 0 };
            let folded = if (voice.phase ^ ring) & TOP != 0 { !voice.phase } else { voice.phase };
            output &= (folded >> 11) as u16;
        }
        if control & SAWTOOTH != 0 {
            output &= (voice.phase >> 12) as u16;
        }
        if control & PULSE != 0 {
            let width = u16::from_le_bytes([self.registers[7 * n + 2], self.registers[7 * n + 3] & 0x0f]);
            output &= if control & TEST != 0 || (voice.phase >> 12) as u16 >= width { 0xfff } else { 0 };
        }
        if control & NOISE != 0 {
            output &= [20, 18, 14, 11, 9, 5, 2, 0]
                .iter()
                .fold(0, |bits, bit| bits << 1 | (voice.noise >> bit) as u16 & 1)
                << 4;
        }
        output & 0xfff
    }

    /// What the voices give to the mixer: the waveform around its middle, times the envelope.
    fn outputs(&self) -> [i32; 3] {
        core::array::from_fn(|n| {
            let is_silent = self.control(n) & 0xf0 == 0;
            let around = if is_silent { 0 } else { i32::from(self.waveform(n)) - 0x800 };
            around * i32::from(self.voices[n].envelope.level)
        })
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
            0x19 | 0x1a => self.paddles[usize::from(register - 0x19)],
            0x1b => (self.waveform(2) >> 4) as u8,
            0x1c => self.voices[2].envelope.level,
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
        if let 0x04 | 0x0b | 0x12 = register {
            let voice = &mut self.voices[usize::from(register / 7)];
            if !old & value & TEST != 0 {
                voice.test_cycles = 0;
            } else if old & !value & TEST != 0 {
                // The end of the test bit completes a shift, with the test bit still in the sum.
                voice.noise = (voice.noise << 1 | !voice.noise >> 17 & 1) & 0x7f_ffff;
            }
            voice.envelope.gate(old & GATE != 0, value & GATE != 0);
        }
    }
}

/// The voice that restarts and modulates this one.
const fn source_of(n: usize) -> usize {
    (n + 2) % 3
}

impl Voice {
    fn shift_noise(&mut self) {
        let bit = (self.noise >> 22 ^ self.noise >> 17) & 1;
        self.noise = (self.noise << 1 | bit) & 0x7f_ffff;
    }

    /// Cycles with the test bit set.
    fn test(&mut self, cycles: u64) {
        self.phase = 0;
        let before = self.test_cycles;
        self.test_cycles = (u64::from(before) + cycles).min(u64::from(u32::MAX)) as u32;
        if before < NOISE_FILLS && self.test_cycles >= NOISE_FILLS {
            self.noise = 0x7f_ffff;
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

    /// So many cycles.
    fn advance(&mut self, cycles: u64, attack_decay: u8, sustain_release: u8) {
        let mut left = cycles;
        while left > 0 {
            let rate = u64::from(RATES[usize::from(self.rate(attack_decay, sustain_release))]);
            let counter = u64::from(self.rate_counter);
            // A 15-bit counter that is compared for equality: past its end it runs all the way round.
            let steps = if counter < rate { rate - counter } else { rate + 0x8000 - counter };
            if steps > left {
                self.rate_counter = ((counter + left) & 0x7fff) as u16;
                return;
            }
            self.rate_counter = 0;
            left -= steps;
            self.step(sustain_release);
            if self.is_held && self.slowness == 1 && self.slow_counter == 0 {
                // Nothing but the rate counter moves.
                self.rate_counter = (left % rate) as u16;
                return;
            }
        }
    }

    fn rate(&self, attack_decay: u8, sustain_release: u8) -> u8 {
        match self.stage {
            Stage::Attack => attack_decay >> 4,
            Stage::Decay => attack_decay & 0x0f,
            Stage::Release => sustain_release & 0x0f,
        }
    }

    fn tick(&mut self, attack_decay: u8, sustain_release: u8) {
        let rate = self.rate(attack_decay, sustain_release);
        self.rate_counter = (self.rate_counter + 1) & 0x7fff;
        if self.rate_counter == RATES[usize::from(rate)] {
            self.rate_counter = 0;
            self.step(sustain_release);
        }
    }

    /// The rate counter has come round.
    fn step(&mut self, sustain_release: u8) {
        self.slow_counter = self.slow_counter.wrapping_add(1);
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
state!(Voice { phase, noise, test_cycles, envelope });
/// A machine is saved without its listener.
impl State for Sid {
    fn save(&self, to: &mut Vec<u8>) {
        let Sid { registers, voices, bus, bus_left, paddles, sound: _ } = self;
        registers.save(to);
        voices.save(to);
        (*bus, *bus_left).save(to);
        paddles.save(to);
    }

    fn load(from: &mut &[u8]) -> Result<Sid, StateError> {
        let (registers, voices) = (State::load(from)?, State::load(from)?);
        let (bus, bus_left) = State::load(from)?;
        let sid = Sid { registers, voices, bus, bus_left, paddles: State::load(from)?, sound: None };
        let is_possible = sid.voices.iter().all(|voice| {
            voice.phase <= 0xff_ffff && voice.noise <= 0x7f_ffff && voice.envelope.rate_counter <= 0x7fff
        });
        if is_possible { Ok(sid) } else { Err(StateError::Impossible("the SID is in no state it can reach")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chip with three voices at work: noise, a pulse and a triangle.
    fn busy(random: &mut tempo_random::Random) -> Sid {
        let mut sid = Sid::new();
        for register in 0..0x19 {
            let value = random.below(256) as u8;
            // No voice restarts another.
            sid.write(register, if register % 7 == 4 { value & !SYNC } else { value });
        }
        sid
    }

    #[test]
    fn many_cycles_at_once_are_as_good_as_one_by_one() {
        let mut random = tempo_random::Random::new(64);
        for _ in 0..40 {
            let mut sid = busy(&mut random);
            let mut slow = sid.clone();
            for _ in 0..20 {
                let cycles = random.below(9000);
                sid.advance(cycles);
                for _ in 0..cycles {
                    slow.tick();
                    slow.fade_bus(1);
                }
                assert_eq!(sid, slow);
                let register = 7 * random.below(3) as u8 + 4;
                let value = random.below(256) as u8 & !SYNC;
                sid.write(register, value);
                slow.write(register, value);
            }
        }
    }

    /// The samples of a second of voice 1 with these registers.
    fn listen(registers: &[(u8, u8)]) -> Vec<i16> {
        let mut sid = Sid::new();
        sid.set_sample_rate(985_248, Some(44_100));
        for &(register, value) in registers {
            sid.write(register, value);
        }
        // The start is the step from silence.
        sid.advance(200_000);
        sid.take_samples();
        sid.advance(985_248);
        sid.take_samples()
    }

    fn loudness(samples: &[i16]) -> f64 {
        let sum: f64 = samples.iter().map(|&sample| f64::from(sample).powi(2)).sum();
        (sum / samples.len() as f64).sqrt()
    }

    /// Rises through the middle, with a little play against ripple.
    fn periods(samples: &[i16]) -> usize {
        let play = (loudness(samples) / 4.0) as i16;
        let mut is_high = false;
        let mut count = 0;
        for &sample in samples {
            if is_high && sample < -play {
                is_high = false;
            } else if !is_high && sample > play {
                is_high = true;
                count += 1;
            }
        }
        count
    }

    const SUSTAINED: [(u8, u8); 3] = [(0x18, 0x0f), (0x05, 0x00), (0x06, 0xf0)];

    fn voice(frequency: u16, control: u8, more: &[(u8, u8)]) -> Vec<i16> {
        let [low, high] = frequency.to_le_bytes();
        let mut registers = SUSTAINED.to_vec();
        registers.extend([(0x00, low), (0x01, high), (0x03, 0x08)]);
        registers.extend(more);
        registers.push((0x04, control | GATE));
        listen(&registers)
    }

    #[test]
    fn a_voice_has_the_frequency_of_its_register() {
        // 440 Hz is 440 * 2^24 / 985248.
        for control in [TRIANGLE, SAWTOOTH, PULSE] {
            let samples = voice(7493, control, &[]);
            assert!((samples.len() as i32 - 44_100).abs() <= 1, "{} samples", samples.len());
            assert!((439..=441).contains(&periods(&samples)), "{control:02x}: {}", periods(&samples));
        }
    }

    #[test]
    fn the_filter_takes_away_what_it_should() {
        // Voice 1 alone through the filter, at about 700 Hz: 300 Hz and 6 kHz.
        let at = |mode: u8| [(0x15, 0), (0x16, 0x60), (0x17, 0x01), (0x18, mode | 0x0f)];
        let (low, high) = (5109, 60_000);
        let open = |frequency| loudness(&voice(frequency, TRIANGLE, &[]));
        let through = |frequency, mode| loudness(&voice(frequency, TRIANGLE, &at(mode)));
        assert!(through(low, 0x10) > 0.7 * open(low), "low-pass lets low tones through");
        assert!(through(high, 0x10) < 0.1 * open(high), "low-pass stops high tones");
        assert!(through(high, 0x40) > 0.5 * open(high), "high-pass lets high tones through");
        assert!(through(low, 0x40) < 0.4 * open(low), "high-pass stops low tones");
        assert!(through(high, 0x20) < 0.3 * open(high), "band-pass stops high tones");
    }

    #[test]
    fn an_attack_takes_its_time_and_a_gate_off_ends_the_tone() {
        let mut sid = Sid::new();
        // Attack 8 is 100 ms, release 6 is 204 ms from the top.
        for (register, value) in [(0x05, 0x80), (0x06, 0xf6), (0x04, TRIANGLE | GATE)] {
            sid.write(register, value);
        }
        sid.advance(392 * 254);
        assert!((253..255).contains(&sid.voices[0].envelope.level));
        sid.advance(392 * 2);
        assert_eq!(sid.voices[0].envelope.level, 0xff);
        sid.write(0x04, TRIANGLE);
        sid.advance(267 * (255 - 94));
        assert!((92..=96).contains(&sid.voices[0].envelope.level), "{}", sid.voices[0].envelope.level);
        sid.advance(1_000_000);
        assert_eq!(sid.voices[0].envelope.level, 0);
    }

    #[test]
    fn the_volume_register_alone_makes_samples() {
        let mut sid = Sid::new();
        sid.set_sample_rate(985_248, Some(48_000));
        for turn in 0..400 {
            sid.write(0x18, if turn % 2 == 0 { 0x0f } else { 0x00 });
            // A square wave of 500 Hz.
            sid.advance(985);
        }
        let samples = sid.take_samples();
        assert!(loudness(&samples[4000..]) > 500.0, "{}", loudness(&samples[4000..]));
    }

    #[test]
    fn a_synced_voice_has_the_period_of_its_source() {
        // Voice 1 restarts with voice 3: 1100 Hz against 440.
        let more = [(0x0e, 0x45), (0x0f, 0x1d), (0x12, 0)];
        let samples = voice(18_733, SAWTOOTH | SYNC, &more);
        let plain = voice(18_733, SAWTOOTH, &[]);
        assert!((1098..=1102).contains(&periods(&plain)), "{}", periods(&plain));
        let lag = |samples: &[i16], lag: usize| -> f64 {
            samples.iter().zip(&samples[lag..]).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
        };
        // 100.2 samples are a period of the source.
        assert!(lag(&samples, 100) > 0.8 * lag(&samples, 0));
        assert!(lag(&samples, 40) < 0.8 * lag(&samples, 0));
    }
}
