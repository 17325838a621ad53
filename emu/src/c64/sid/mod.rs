//! The SID: three voices with their envelopes, and the registers a program can read. Voices are brought forward many
//! cycles at once unless they sound (`sound` makes the samples), one restarts another, or one changes itself by its output.

mod combined;
mod envelope;
mod oscillator;
mod sound;

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::state::{State, StateError, state, state_of_enum};
use combined::Tables;
use envelope::Envelope;
use oscillator::Oscillator;
use sound::Sound;

/// The version of the chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SidChip {
    Mos6581,
    Mos8580,
}

state_of_enum!(SidChip { Mos6581, Mos8580 });

/// Bits of a control register.
const GATE: u8 = 0x01;
const SYNC: u8 = 0x02;
const RING: u8 = 0x04;
const TEST: u8 = 0x08;
#[cfg(test)]
const TRIANGLE: u8 = 0x10;
const SAWTOOTH: u8 = 0x20;
const PULSE: u8 = 0x40;
const NOISE: u8 = 0x80;

/// How many cycles a byte stays on the chip's data bus.
const BUS_FADES: u32 = 0x1d00;

/// Cycles after which nothing is on its way from an accumulator to OSC3 any more.
const PIPELINE: u64 = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Voice {
    oscillator: Oscillator,
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
    /// Outputs of the combined waveforms that were selected so far.
    tables: Tables,
    /// The samples, if they are wanted.
    sound: Option<Box<Sound>>,
}

/// Machines that differ only in their listeners are equal.
impl PartialEq for Sid {
    fn eq(&self, other: &Sid) -> bool {
        self.registers == other.registers
            && self.voices == other.voices
            && (self.bus, self.bus_left) == (other.bus, other.bus_left)
    }
}

impl Eq for Sid {}

impl Sid {
    pub(super) fn new(chip: SidChip) -> Sid {
        Sid {
            registers: [0; 0x20],
            voices: [Voice { oscillator: Oscillator::new(chip), envelope: Envelope::NEW }; 3],
            bus: 0,
            bus_left: 0,
            tables: Tables::default(),
            sound: None,
        }
    }

    /// The registers as written.
    pub(super) fn registers(&self) -> [u8; 0x20] {
        self.registers
    }

    pub(super) fn chip(&self) -> SidChip {
        self.voices[0].oscillator.chip()
    }

    /// RESET clears the registers.
    pub(super) fn reset(&mut self) {
        for register in 0..0x19 {
            self.write(register, 0);
        }
    }

    /// Samples of this many a second from now on, at this clock; none without a rate.
    pub(super) fn set_sample_rate(&mut self, clock: u32, rate: Option<u32>) {
        let chip = self.chip();
        self.sound = rate.map(|rate| Box::new(Sound::new(chip, clock, rate)));
    }

    /// The samples since the last call.
    pub(super) fn take_samples(&mut self) -> Vec<i16> {
        self.sound.as_mut().map_or_else(Vec::new, |sound| sound.take())
    }

    /// Runs for this many cycles, up to the CPU's half of the last.
    pub(super) fn advance(&mut self, cycles: u64) {
        if self.sound.is_some() {
            for _ in 0..cycles {
                self.tick();
                let mix = self.outputs();
                if let Some(sound) = &mut self.sound {
                    sound.tick(mix, &self.registers);
                }
            }
        } else {
            self.advance_oscillators(cycles);
            for voice in &mut self.voices {
                voice.envelope.advance(cycles);
            }
        }
        self.fade_bus(cycles);
    }

    fn advance_oscillators(&mut self, cycles: u64) {
        let mut left = cycles;
        let is_passing = |voice: &Voice| voice.oscillator.is_independent() && !voice.oscillator.is_synced();
        if cycles > PIPELINE && self.voices.iter().all(is_passing) {
            for voice in &mut self.voices {
                voice.oscillator.pass(cycles - PIPELINE);
            }
            left = PIPELINE;
        }
        for _ in 0..left {
            self.tick_oscillators();
        }
    }

    fn fade_bus(&mut self, cycles: u64) {
        if self.bus_left > 0 {
            self.bus_left = u64::from(self.bus_left).saturating_sub(cycles) as u32;
            if self.bus_left == 0 {
                self.bus = 0;
            }
        }
    }

    /// One cycle of all voices.
    fn tick(&mut self) {
        self.tick_oscillators();
        for voice in &mut self.voices {
            voice.envelope.tick();
        }
    }

    fn tick_oscillators(&mut self) {
        let mut rising = [false; 3];
        for (is_rising, voice) in rising.iter_mut().zip(&mut self.voices) {
            *is_rising = voice.oscillator.count();
        }
        let phases = self.voices.map(|voice| voice.oscillator.phase());
        for (n, voice) in self.voices.iter_mut().enumerate() {
            voice.oscillator.show(phases[source_of(n)], &self.tables);
        }
        if rising == [false; 3] {
            return;
        }
        let synced = self.voices.map(|voice| voice.oscillator.is_synced());
        for (n, voice) in self.voices.iter_mut().enumerate() {
            let source = source_of(n);
            // An oscillator that is itself being synced does not sync another.
            let is_source_restarted = synced[source] && rising[source_of(source)];
            if synced[n] && rising[source] && !is_source_restarted {
                voice.oscillator.restart();
            }
        }
    }

    /// The voices at the mixer: the waveform around its middle, times the envelope.
    fn outputs(&self) -> [i32; 3] {
        self.voices
            .map(|voice| (i32::from(voice.oscillator.output()) - 0x800) * i32::from(voice.envelope.level()))
    }

    /// The effect of a read that gives this value.
    pub(super) fn read(&mut self, register: u8, value: u8) {
        if (0x19..=0x1c).contains(&register) {
            self.drive(value);
        }
    }

    /// The value of a read, but for the paddles, which belong to the board.
    pub(super) fn peek(&self, register: u8) -> u8 {
        match register {
            0x1b => self.voices[2].oscillator.shown(),
            0x1c => self.voices[2].envelope.shown(),
            _ => self.bus,
        }
    }

    fn drive(&mut self, value: u8) {
        self.bus = value;
        self.bus_left = BUS_FADES;
    }

    pub(super) fn write(&mut self, register: u8, value: u8) {
        let register = usize::from(register & 0x1f);
        let old = core::mem::replace(&mut self.registers[register], value);
        self.drive(value);
        if register > 0x14 {
            return;
        }
        let (n, register) = (register / 7, register % 7);
        let pair =
            |low: usize| u16::from_le_bytes([self.registers[7 * n + low], self.registers[7 * n + low + 1]]);
        let Voice { oscillator, envelope } = &mut self.voices[n];
        match register {
            0 | 1 => oscillator.write_frequency(pair(0)),
            2 | 3 => oscillator.write_width(pair(2)),
            4 => {
                self.tables.prepare(oscillator.chip(), value >> 4);
                oscillator.write_control(value);
                if (old ^ value) & GATE != 0 {
                    envelope.gate(value & GATE != 0);
                }
            }
            5 => envelope.write_attack_decay(value),
            _ => envelope.write_sustain_release(value),
        }
    }
}

/// The voice that restarts and modulates this one.
const fn source_of(n: usize) -> usize {
    (n + 2) % 3
}

state!(Voice { oscillator, envelope });

/// A machine is saved without its listener.
impl State for Sid {
    fn save(&self, to: &mut Vec<u8>) {
        let Sid { registers, voices, bus, bus_left, tables: _, sound: _ } = self;
        registers.save(to);
        voices.save(to);
        (*bus, *bus_left).save(to);
    }

    fn load(from: &mut &[u8]) -> Result<Sid, StateError> {
        let (registers, voices): ([u8; 0x20], [Voice; 3]) = (State::load(from)?, State::load(from)?);
        let (bus, bus_left) = State::load(from)?;
        let chip = voices[0].oscillator.chip();
        let mut tables = Tables::default();
        for register in [0x04, 0x0b, 0x12] {
            tables.prepare(chip, registers[register] >> 4);
        }
        let sid = Sid { registers, voices, bus, bus_left, tables, sound: None };
        let is_possible = sid.voices.iter().all(|voice| {
            let Voice { oscillator, envelope } = voice;
            oscillator.is_possible() && envelope.is_possible() && oscillator.chip() == chip
        });
        if is_possible { Ok(sid) } else { Err(StateError::Impossible("the SID is in no state it can reach")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chip with three voices at work: noise, a pulse and a triangle.
    fn busy(random: &mut tempo_random::Random) -> Sid {
        let chip = if random.below(2) == 0 { SidChip::Mos6581 } else { SidChip::Mos8580 };
        let mut sid = Sid::new(chip);
        for register in 0..0x19 {
            sid.write(register, random.below(256) as u8);
        }
        sid
    }

    #[test]
    fn many_cycles_at_once_are_as_good_as_one_by_one() {
        let mut random = tempo_random::Random::new(64);
        for _ in 0..60 {
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
                let value = random.below(256) as u8;
                sid.write(register, value);
                slow.write(register, value);
            }
        }
    }

    /// The samples of a second of voice 1 with these registers.
    fn listen(registers: &[(u8, u8)]) -> Vec<i16> {
        let mut sid = Sid::new(SidChip::Mos6581);
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
        let mut sid = Sid::new(SidChip::Mos6581);
        // Attack 8 is 100 ms, release 6 is 204 ms from the top.
        for (register, value) in [(0x05, 0x80), (0x06, 0xf6), (0x04, TRIANGLE | GATE)] {
            sid.write(register, value);
        }
        sid.advance(392 * 254);
        assert!((253..255).contains(&sid.voices[0].envelope.level()));
        sid.advance(392 * 2);
        assert_eq!(sid.voices[0].envelope.level(), 0xff);
        sid.write(0x04, TRIANGLE);
        sid.advance(267 * (255 - 94));
        assert!((92..=96).contains(&sid.voices[0].envelope.level()), "{}", sid.voices[0].envelope.level());
        sid.advance(1_000_000);
        assert_eq!(sid.voices[0].envelope.level(), 0);
    }

    #[test]
    fn the_volume_register_alone_makes_samples() {
        let mut sid = Sid::new(SidChip::Mos6581);
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

    /// The strength of a frequency in samples at 44100 a second, under a window that lets little of others in.
    fn strength(samples: &[i16], hertz: f64) -> f64 {
        use core::f64::consts::TAU;
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (at, &sample) in samples.iter().enumerate() {
            let place = at as f64 / samples.len() as f64;
            let window = 0.36 - 0.49 * (TAU * place).cos() + 0.14 * (2.0 * TAU * place).cos();
            let angle = TAU * hertz * at as f64 / 44_100.0;
            real += f64::from(sample) * window * angle.cos();
            imaginary += f64::from(sample) * window * angle.sin();
        }
        (real * real + imaginary * imaginary).sqrt()
    }

    /// Ten tunes of three notes; the overtones of every note up to 5 kHz are as strong as the formula of its waveform says.
    #[test]
    fn tunes_have_the_spectra_of_their_waveforms() {
        let tunes: [(u8, u16, [u16; 3]); 10] = [
            (SAWTOOTH, 0, [262, 330, 392]),
            (SAWTOOTH, 0, [523, 440, 349]),
            (SAWTOOTH, 0, [110, 147, 165]),
            (TRIANGLE, 0, [262, 330, 392]),
            (TRIANGLE, 0, [880, 659, 587]),
            (TRIANGLE, 0, [131, 196, 262]),
            (PULSE, 0x800, [262, 330, 392]),
            (PULSE, 0x400, [220, 277, 330]),
            (PULSE, 0x200, [196, 247, 294]),
            (PULSE, 0xc00, [494, 440, 392]),
        ];
        for chip in [SidChip::Mos6581, SidChip::Mos8580] {
            for (waveform, width, notes) in tunes {
                let mut sid = Sid::new(chip);
                sid.set_sample_rate(985_248, Some(44_100));
                let [low, high] = width.to_le_bytes();
                for (register, value) in [(0x18, 15), (0x05, 0), (0x06, 0xf0), (0x02, low), (0x03, high)] {
                    sid.write(register, value);
                }
                for note in notes {
                    let frequency = (u64::from(note) << 24) / 985_248;
                    let [low, high] = (frequency as u16).to_le_bytes();
                    let exact = frequency as f64 * 985_248.0 / 16_777_216.0;
                    for (register, value) in [(0x00, low), (0x01, high), (0x04, waveform | GATE)] {
                        sid.write(register, value);
                    }
                    sid.advance(98_525);
                    sid.take_samples();
                    sid.advance(246_312);
                    let samples = sid.take_samples();
                    let part = f64::from(width) / 4096.0;
                    let by_formula = |n: f64| match waveform {
                        SAWTOOTH => 1.0 / n,
                        TRIANGLE if (n as u32).is_multiple_of(2) => 0.0,
                        TRIANGLE => 1.0 / (n * n),
                        _ => (core::f64::consts::PI * n * part).sin().abs() / n,
                    };
                    let first = strength(&samples, exact) / by_formula(1.0);
                    for n in (2..).map(f64::from).take_while(|n| n * exact < 5000.0) {
                        let (found, expected) = (strength(&samples, n * exact) / first, by_formula(n));
                        // 1.5 dB and the noise of 16 bits.
                        let is_right = (found - expected).abs() < 0.16 * expected + 0.002;
                        assert!(
                            is_right,
                            "{chip:?} {waveform:02x} {width:03x} {note}: {n}: {found} for {expected}"
                        );
                    }
                }
            }
        }
    }

    /// Notes that begin and end, and filters that are switched, make no sample that is far from the one before it, and leave no
    /// level behind.
    #[test]
    fn notes_begin_and_end_without_clicks_and_levels() {
        for chip in [SidChip::Mos6581, SidChip::Mos8580] {
            let mut sid = Sid::new(chip);
            sid.set_sample_rate(985_248, Some(44_100));
            for (register, value) in [(0x18, 15), (0x05, 0x22), (0x06, 0xa2), (0x00, 0x45), (0x01, 0x1d)] {
                sid.write(register, value);
            }
            sid.advance(985_248);
            sid.take_samples();
            let mut all = Vec::new();
            for _ in 0..8 {
                for (control, cycles) in [(TRIANGLE | GATE, 197_050), (TRIANGLE, 197_050)] {
                    sid.write(0x04, control);
                    sid.advance(cycles);
                    all.extend(sid.take_samples());
                }
            }
            let loudest = all.iter().map(|&sample| i32::from(sample).abs()).max().unwrap_or(0);
            // A triangle of 440 Hz moves by 4 * 440 / 44100 of its height in a sample.
            let steepest = all.windows(2).map(|pair| (i32::from(pair[1]) - i32::from(pair[0])).abs()).max();
            assert!(
                loudest > 1000 && steepest.unwrap_or(0) * 14 < loudest,
                "{chip:?}: {steepest:?} of {loudest}"
            );
            let rest = &all[all.len() - 2000..];
            assert!(
                rest.iter().all(|&sample| i32::from(sample).abs() * 50 < loudest),
                "{chip:?}: {:?}",
                &rest[..8]
            );
        }
    }
}
