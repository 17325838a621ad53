//! The envelope of a voice, with the delays between its parts: they decide in which cycle ENV3 changes. Counts by the
//! cycle, or passes over the cycles between two steps at once.

use crate::state::{state, state_of_enum};

/// Cycles per step, by the nibbles of the attack, decay and release registers.
const RATES: [u16; 16] = [9, 32, 63, 95, 149, 220, 267, 313, 392, 977, 1954, 3126, 3907, 11720, 19532, 31251];

/// States of the rate counter, which is compared for equality only: past its end it runs all the way round.
const STATES: u16 = 0x7fff;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Attack,
    Decay,
    Release,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Envelope {
    level: u8,
    /// The level as ENV3 shows it: that of the cycle before.
    shown: u8,
    attack_decay: u8,
    sustain_release: u8,
    stage: Stage,
    /// The stage to come, and the cycles until then, or 0.
    next: Stage,
    next_in: u8,
    rate_counter: u16,
    /// The state of the rate counter that is the last of a round, and whether it begins anew.
    last: u16,
    is_over: bool,
    /// Rounds per step down, where that count is, and the number that comes into force in the next cycle, or 0.
    slowness: u8,
    slow_counter: u8,
    next_slowness: u8,
    /// Cycles until the rounds are counted, and until the level changes, or 0.
    slow_in: u8,
    step_in: u8,
    /// At zero the level stays until the next attack.
    is_held: bool,
}

impl Envelope {
    pub(super) const NEW: Envelope = Envelope {
        level: 0,
        shown: 0,
        attack_decay: 0,
        sustain_release: 0,
        stage: Stage::Release,
        next: Stage::Release,
        next_in: 0,
        rate_counter: 0,
        last: RATES[0] - 1,
        is_over: false,
        slowness: 1,
        slow_counter: 0,
        next_slowness: 0,
        slow_in: 0,
        step_in: 0,
        is_held: true,
    };

    /// Whether a state that was loaded is possible.
    pub(super) fn is_possible(&self) -> bool {
        self.rate_counter < STATES && self.last < STATES && self.slowness > 0
    }

    pub(super) fn level(&self) -> u8 {
        self.level
    }

    /// The level in ENV3.
    pub(super) fn shown(&self) -> u8 {
        self.shown
    }

    pub(super) fn write_attack_decay(&mut self, value: u8) {
        self.attack_decay = value;
        self.take_rate();
    }

    pub(super) fn write_sustain_release(&mut self, value: u8) {
        self.sustain_release = value;
        self.take_rate();
    }

    fn take_rate(&mut self) {
        let rate = match self.stage {
            Stage::Attack => self.attack_decay >> 4,
            Stage::Decay => self.attack_decay & 0x0f,
            Stage::Release => self.sustain_release & 0x0f,
        };
        self.set_rate(rate);
    }

    fn set_rate(&mut self, rate: u8) {
        self.last = RATES[usize::from(rate)] - 1;
    }

    /// The gate bit changes.
    pub(super) fn gate(&mut self, is_on: bool) {
        if is_on {
            self.next = Stage::Attack;
            self.next_in = 2;
            // A round that has just ended now counts for the attack.
            if self.is_over || self.slow_in == 2 {
                self.step_in = if self.slowness == 1 || self.slow_in == 2 { 2 } else { 4 };
            } else if self.slow_in == 1 {
                self.next_in = 3;
            }
        } else {
            self.next = Stage::Release;
            self.next_in = if self.step_in > 0 { 3 } else { 2 };
        }
    }

    /// Passes over this many cycles.
    pub(super) fn advance(&mut self, cycles: u64) {
        let mut left = cycles;
        while left > 0 {
            let skipped = self.steady_for().min(left);
            if skipped > 0 {
                let counter = u64::from(self.rate_counter) + skipped;
                self.rate_counter = (counter % u64::from(STATES)) as u16;
                self.shown = self.level;
                left -= skipped;
            } else if left > u64::from(self.last) && self.is_idle() {
                // Nothing but the rate counter moves: whole rounds change nothing.
                left %= u64::from(self.last) + 1;
                self.shown = self.level;
            } else {
                self.tick();
                left -= 1;
            }
        }
    }

    fn is_settled(&self) -> bool {
        self.next_in == 0 && self.next_slowness == 0 && self.slow_in == 0 && self.step_in == 0
    }

    /// For how many cycles only the rate counter moves.
    fn steady_for(&self) -> u64 {
        if self.is_over || !self.is_settled() {
            return 0;
        }
        let (counter, last) = (u64::from(self.rate_counter), u64::from(self.last));
        if counter <= last { last - counter } else { last + u64::from(STATES) - counter }
    }

    /// Whether rounds of the rate counter have no effect.
    fn is_idle(&self) -> bool {
        self.is_held && self.is_settled() && self.stage != Stage::Attack
    }

    pub(super) fn tick(&mut self) {
        self.shown = self.level;
        if self.next_slowness > 0 {
            self.slowness = core::mem::take(&mut self.next_slowness);
        }
        if self.next_in > 0 {
            self.next_in -= 1;
            self.change_stage();
        }
        // One of these a cycle, the first that is due.
        if is_due(&mut self.step_in) {
            if !self.is_held {
                self.step();
            }
        } else if is_due(&mut self.slow_in) {
            self.slow_counter = 0;
            let sustain = (self.sustain_release >> 4) * 0x11;
            if self.stage == Stage::Release || (self.stage == Stage::Decay && self.level != sustain) {
                self.step_in = 1;
            }
        } else if core::mem::take(&mut self.is_over) {
            self.rate_counter = 0;
            self.end_round();
        }
        if self.rate_counter == self.last {
            self.is_over = true;
        } else {
            self.rate_counter = if self.rate_counter == STATES - 1 { 0 } else { self.rate_counter + 1 };
        }
    }

    fn end_round(&mut self) {
        if self.stage == Stage::Attack {
            self.slow_counter = 0;
            self.step_in = 2;
        } else if !self.is_held {
            self.slow_counter = self.slow_counter.wrapping_add(1);
            if self.slow_counter == self.slowness {
                self.slow_in = if self.slowness == 1 { 1 } else { 2 };
            }
        }
    }

    fn change_stage(&mut self) {
        match (self.next, self.next_in) {
            // For a cycle the attack has the rate of the decay.
            (Stage::Attack, 1) => self.set_rate(self.attack_decay & 0x0f),
            (Stage::Attack, 0) => {
                self.stage = Stage::Attack;
                self.is_held = false;
                self.take_rate();
            }
            (Stage::Decay, 0) => {
                self.stage = Stage::Decay;
                self.take_rate();
            }
            (Stage::Release, left)
                if (self.stage == Stage::Attack && left == 0)
                    || (self.stage == Stage::Decay && left == 1) =>
            {
                self.stage = Stage::Release;
                self.take_rate();
            }
            _ => {}
        }
    }

    fn step(&mut self) {
        if self.stage == Stage::Attack {
            self.level = self.level.wrapping_add(1);
            if self.level == 0xff {
                self.next = Stage::Decay;
                self.next_in = 3;
            }
        } else {
            self.level = self.level.wrapping_sub(1);
            self.is_held = self.level == 0;
        }
        self.next_slowness = match self.level {
            0xff | 0x00 => 1,
            0x5d => 2,
            0x36 => 4,
            0x1a => 8,
            0x0e => 16,
            0x06 => 30,
            _ => 0,
        };
    }
}

/// Counts a cycle of a delay; whether it ends in this one.
fn is_due(cycles: &mut u8) -> bool {
    let was_waiting = *cycles > 0;
    *cycles = cycles.saturating_sub(1);
    was_waiting && *cycles == 0
}

state_of_enum!(Stage { Attack, Decay, Release });
state!(Envelope {
    level,
    shown,
    attack_decay,
    sustain_release,
    stage,
    next,
    next_in,
    rate_counter,
    last,
    is_over,
    slowness,
    slow_counter,
    next_slowness,
    slow_in,
    step_in,
    is_held,
});
