//! Several waveforms at once. The outputs of a voice's waveforms are joined bit by bit, and a bit that is 0 pulls its
//! neighbours down, the nearer the harder. Five numbers per chip and combination describe how much.

use alloc::sync::Arc;

use super::SidChip;

/// The fall of a bit's pull with its distance.
#[derive(Clone, Copy)]
enum Fall {
    Exponential,
    Linear,
    Quadratic,
}

struct Pull {
    fall: Fall,
    /// A bit stays 1 if what is left of it exceeds this.
    threshold: f64,
    /// The strength of the top bit.
    top: f64,
    /// The strength of the pulse, which supports all bits.
    pulse: f64,
    /// The fall towards lower and towards higher bits.
    above: f64,
    below: f64,
    /// Outputs of the chip that the model misses: joined bits, and the upper eight bits of the output.
    exceptions: &'static [(u16, u8)],
}

const fn pull(fall: Fall, numbers: [f64; 5], exceptions: &'static [(u16, u8)]) -> Pull {
    let [threshold, top, pulse, above, below] = numbers;
    Pull { fall, threshold, top, pulse, above, below, exceptions }
}

use Fall::{Exponential, Linear, Quadratic};

/// Triangle and sawtooth, pulse and triangle, pulse and sawtooth, all three, noise and pulse.
static MOS6581: [Pull; COMBINATIONS] = [
    pull(Exponential, [0.87602, 1.11214, 0.0, 2.17179, 9.17579], &[]),
    pull(Linear, [0.9426, 1.002, 1.805, 0.03358, 0.2325], &[]),
    pull(
        Linear,
        [1.6615, 1.03606, 5.6269, 0.2877, 0.282049],
        &[(0x774, 0x00), (0x9bf, 0x83), (0xd72, 0x80), (0xe42, 0x80), (0xef3, 0xec)],
    ),
    pull(Linear, [1.09737, 0.975982, 1.52279, 0.15, 0.84], &[]),
    pull(Exponential, [0.96, 1.0, 2.5, 1.1, 1.2], &[]),
];
static MOS8580: [Pull; COMBINATIONS] = [
    pull(Exponential, [0.855, 1.1, 0.0, 1.9, 6.84], &[(0xe7f & 0xcfe, 0x80)]),
    pull(Exponential, [0.93, 0.999865, 1.12922, 1.10472, 1.48053], &[]),
    pull(Quadratic, [0.91188, 0.99673, 1.2264, 0.0001077, 0.18974], &[(0x77e, 0x60)]),
    pull(Exponential, [0.93944, 1.0474, 1.2111, 0.91861, 1.4288], &[]),
    pull(Exponential, [0.95, 1.0, 1.15, 1.0, 1.45], &[]),
];

/// Combinations with outputs that differ from the plain AND.
const COMBINATIONS: usize = 5;

/// The row of a combination, by the upper half of the control register.
pub(super) const fn row(waveform: u8) -> Option<usize> {
    match waveform & 7 {
        3 => Some(0),
        5 => Some(1),
        6 => Some(2),
        7 => Some(3),
        4 if waveform & 8 != 0 => Some(4),
        _ => None,
    }
}

/// The outputs for all 12-bit inputs.
pub(super) type Table = [u16; 0x1000];

/// The tables of a chip, each made when a program first selects its combination. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables([Option<Arc<Table>>; COMBINATIONS]);

impl Tables {
    /// Makes the table that a waveform needs.
    pub(super) fn prepare(&mut self, chip: SidChip, waveform: u8) {
        if let Some(row) = row(waveform)
            && self.0[row].is_none()
        {
            let pulls = match chip {
                SidChip::Mos6581 => &MOS6581,
                SidChip::Mos8580 => &MOS8580,
            };
            self.0[row] = Some(Arc::new(pulls[row].table()));
        }
    }

    #[inline(always)]
    pub(super) fn pulled(&self, row: Option<usize>, joined: u16) -> u16 {
        match row.and_then(|row| self.0[row].as_deref()) {
            Some(table) => table[usize::from(joined & 0xfff)],
            None => joined,
        }
    }
}

const BITS: usize = 12;

impl Pull {
    /// The pull of bit `from` on bit `on`.
    fn weight(&self, on: usize, from: usize) -> f64 {
        let (distance, fall) = if from > on { (from - on, self.above) } else { (on - from, self.below) };
        let along = distance as f64;
        match self.fall {
            Fall::Exponential => 1.0 / (0..distance).fold(1.0, |product, _| product * fall),
            Fall::Linear => 1.0 / (1.0 + along * fall),
            Fall::Quadratic => 1.0 / (1.0 + along * along * fall),
        }
    }

    fn table(&self) -> Table {
        let mut table: Table = core::array::from_fn(|bits| bits as u16);
        for on in 0..BITS {
            let weights: [f64; BITS] =
                core::array::from_fn(|from| if from == on { 0.0 } else { self.weight(on, from) });
            let all: f64 = weights.iter().sum();
            // The pull of each half of the bits, for all values of that half.
            let half = |first: usize| -> [f64; 64] {
                core::array::from_fn(|bits| {
                    let pulls = (0..6).map(|bit| {
                        let strength = if first + bit == BITS - 1 { self.top } else { 1.0 };
                        weights[first + bit] * (1.0 - if bits >> bit & 1 != 0 { strength } else { 0.0 })
                    });
                    pulls.sum()
                })
            };
            let (low, high) = (half(0), half(6));
            for (bits, output) in table.iter_mut().enumerate() {
                let pulled = low[bits & 63] + high[bits >> 6];
                let is_up = 1.0 - (pulled - self.pulse) / all > self.threshold;
                if !is_up {
                    *output &= !(1 << on);
                }
            }
        }
        for &(joined, shown) in self.exceptions {
            table[usize::from(joined)] = u16::from(shown) << 4;
        }
        table
    }
}
