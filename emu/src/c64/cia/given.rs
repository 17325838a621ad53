//! A CIA as another emulator describes it. The stages between a write and its effect are not described: a timer that runs
//! counts in every cycle, and masks are in force.

use super::{Cia, Clock, FORCE_LOAD, ONE_SHOT, REQUEST, START, Serial, Timer};

/// The description of a CIA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GivenCia {
    /// Ports A and B as written.
    pub ports: [u8; 2],
    /// Their directions.
    pub directions: [u8; 2],
    /// Counters of timers A and B.
    pub counters: [u16; 2],
    /// Their latches.
    pub latches: [u16; 2],
    /// The control registers.
    pub controls: [u8; 2],
    /// The levels of PB6 and PB7 in toggle mode.
    pub toggles: [bool; 2],
    /// Tenths, seconds, minutes, hours.
    pub time: [u8; 4],
    /// The alarm.
    pub alarm: [u8; 4],
    /// The time that reads show while it is latched.
    pub latched: Option<[u8; 4]>,
    /// The clock waits for a write of the tenths.
    pub is_stopped: bool,
    /// The serial register.
    pub serial: u8,
    /// The interrupt mask.
    pub mask: u8,
    /// The flags, and bit 7, as a read of the interrupt register gives them.
    pub flags: u8,
}

impl Cia {
    /// This chip in a state of that description.
    pub(in crate::c64) fn take_given(&mut self, given: &GivenCia) {
        let timer = |number: usize| {
            let control = given.controls[number] & !FORCE_LOAD;
            // Timer B may count CNT, which is still, or timer A.
            let inputs = if number == 0 { 0x20 } else { 0x60 };
            let counts = control & START != 0 && control & inputs == 0;
            Timer {
                counter: given.counters[number],
                latch: given.latches[number],
                control,
                asked: counts,
                due: counts,
                was_one_shot: control & ONE_SHOT != 0,
                toggled: given.toggles[number],
                ..Timer::NEW
            }
        };
        let time = |time: [u8; 4]| [time[0] & 0x0f, time[1] & 0x7f, time[2] & 0x7f, time[3] & 0x9f];
        self.ports = given.ports;
        self.directions = given.directions;
        (self.a, self.b) = (timer(0), timer(1));
        self.clock = Clock {
            time: time(given.time),
            alarm: time(given.alarm),
            latched: given.latched.map(time),
            is_stopped: given.is_stopped,
            is_alarm: time(given.time) == time(given.alarm),
            pulses: 0,
        };
        self.flags = given.flags & 0x1f;
        (self.mask, self.next_mask, self.mask_steps) = (given.mask & 0x1f, given.mask & 0x1f, 0);
        self.is_requesting = given.flags & REQUEST != 0;
        (self.was_read, self.is_flag_lost) = (false, false);
        self.serial = Serial { data: given.serial, ..Serial::NEW };
    }

    /// The description of this chip.
    pub(in crate::c64) fn describe(&self) -> GivenCia {
        GivenCia {
            ports: self.ports,
            directions: self.directions,
            counters: [self.a.counter, self.b.counter],
            latches: [self.a.latch, self.b.latch],
            controls: [self.a.control, self.b.control],
            toggles: [self.a.toggled, self.b.toggled],
            time: self.clock.time,
            alarm: self.clock.alarm,
            latched: self.clock.latched,
            is_stopped: self.clock.is_stopped,
            serial: self.serial.data,
            mask: self.mask,
            flags: self.flags | if self.is_requesting { REQUEST } else { 0 },
        }
    }
}
