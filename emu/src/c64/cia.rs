//! A 6526: timers, interrupt register, time of day, serial register, ports. Knows nothing of what its port lines
//! are wired to: the board gives it the pins that are pulled low from outside.

mod given;

use crate::state::{state, state_of_enum};

pub use given::GivenCia;

/// The version of the chip: they differ in when interrupts show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CiaChip {
    /// The interrupt line and bit 7 follow the flag a cycle later.
    Mos6526,
    /// Flag, bit 7 and line come together.
    Mos6526A,
}

state_of_enum!(CiaChip { Mos6526, Mos6526A });

/// Flags of the interrupt register.
const TIMER_A: u8 = 0x01;
const TIMER_B: u8 = 0x02;
const ALARM: u8 = 0x04;
const SERIAL: u8 = 0x08;
const REQUEST: u8 = 0x80;

/// Bits of the control registers.
const START: u8 = 0x01;
const ON_PORT: u8 = 0x02;
const TOGGLE: u8 = 0x04;
const ONE_SHOT: u8 = 0x08;
const FORCE_LOAD: u8 = 0x10;
const SERIAL_OUT: u8 = 0x40;
const FIFTY_HERTZ: u8 = 0x80;
const TO_ALARM: u8 = 0x80;

/// A timer with its pipeline: a start counts from the third cycle on, a forced load shows in the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Timer {
    counter: u16,
    latch: u16,
    control: u8,
    /// A count that was asked for in the last cycle, and one that is due in the next.
    asked: bool,
    due: bool,
    /// Cycles until a forced load, or 0.
    load_in: u8,
    underflow: bool,
    /// The counter takes the latch in this cycle, and a byte that is written to the latch.
    is_loading: bool,
    /// The one-shot bit of the last cycle: cleared, it counts for one cycle more.
    was_one_shot: bool,
    /// The level of PB6 or PB7 in toggle mode.
    toggled: bool,
}

impl Timer {
    const NEW: Timer = Timer {
        counter: 0xffff,
        latch: 0xffff,
        control: 0,
        asked: false,
        due: false,
        load_in: 0,
        underflow: false,
        is_loading: false,
        was_one_shot: false,
        toggled: false,
    };

    /// One cycle; `input` says whether there is something to count.
    fn tick(&mut self, input: bool) {
        if self.due && self.counter != 0 {
            self.counter -= 1;
        }
        self.due = self.asked;
        self.asked = input && self.control & START != 0;
        self.underflow = self.counter == 0 && self.due;
        if self.underflow {
            self.toggled = !self.toggled;
            if self.control & ONE_SHOT != 0 || self.was_one_shot {
                self.control &= !START;
                self.asked = false;
            }
        }
        let is_forced = self.load_in == 1;
        self.load_in = self.load_in.saturating_sub(1);
        self.is_loading = self.underflow || is_forced;
        if self.is_loading {
            self.counter = self.latch;
            self.due = false;
        }
        self.was_one_shot = self.control & ONE_SHOT != 0;
    }

    /// For how many cycles it does nothing but count down, if the input stays as it is.
    fn steady_for(&self, input: bool) -> u64 {
        let is_settled = self.was_one_shot == (self.control & ONE_SHOT != 0);
        if self.load_in != 0 || self.underflow || self.is_loading || !is_settled {
            return 0;
        }
        let is_counting = input && self.control & START != 0;
        match (is_counting, self.asked, self.due) {
            (false, false, false) => u64::MAX,
            (true, true, true) => u64::from(self.counter).saturating_sub(1),
            _ => 0,
        }
    }

    /// The part of the cycles that [`Timer::steady_for`] gives.
    fn skip(&mut self, cycles: u64) {
        if self.due {
            self.counter -= cycles as u16;
        }
    }

    /// A number of cycles in which it surely does not come to an underflow, if it counts in every one.
    fn no_underflow_for(&self) -> u64 {
        let is_still = self.control & START == 0 && !self.asked && !self.due;
        if is_still {
            return u64::MAX;
        }
        let counter = if self.load_in == 0 { self.counter } else { self.counter.min(self.latch) };
        u64::from(counter).saturating_sub(1)
    }

    fn write_control(&mut self, value: u8) {
        if value & !self.control & START != 0 {
            self.toggled = true;
        }
        if value & FORCE_LOAD != 0 {
            self.load_in = 2;
        }
        self.control = value & !FORCE_LOAD;
    }

    fn write_low(&mut self, value: u8) {
        self.latch = self.latch & 0xff00 | u16::from(value);
        if self.is_loading {
            self.counter = self.counter & 0xff00 | u16::from(value);
        }
    }

    fn write_high(&mut self, value: u8) {
        self.latch = self.latch & 0x00ff | u16::from(value) << 8;
        if self.is_loading {
            self.counter = self.counter & 0x00ff | u16::from(value) << 8;
        }
        if self.control & START == 0 {
            self.load_in = self.load_in.max(1);
        }
    }

    /// The level it puts on its line of port B, if it does.
    fn line(&self) -> Option<bool> {
        if self.control & ON_PORT == 0 {
            return None;
        }
        Some(if self.control & TOGGLE != 0 { self.toggled } else { self.underflow })
    }
}

/// Tenths, seconds, minutes, hours.
type Time = [u8; 4];

/// The clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Clock {
    time: Time,
    alarm: Time,
    /// The value that reads show while the hours are latched.
    latched: Option<Time>,
    is_stopped: bool,
    is_alarm: bool,
    /// Mains pulses in this tenth.
    pulses: u8,
}

impl Clock {
    const NEW: Clock = Clock {
        time: [0, 0, 0, 1],
        alarm: [0, 0, 0, 0],
        latched: None,
        is_stopped: true,
        is_alarm: false,
        pulses: 0,
    };

    /// A pulse of the mains; `per_tenth` of them are a tenth of a second.
    fn pulse(&mut self, per_tenth: u8) {
        if self.is_stopped {
            return;
        }
        self.pulses = if self.pulses >= 5 { 0 } else { self.pulses + 1 };
        if self.pulses != per_tenth % 6 {
            return;
        }
        self.pulses = 0;
        self.advance();
    }

    /// The digit counters are four and three bits wide and carry only from 9 and from 5.
    fn advance(&mut self) {
        let [tenths, seconds, minutes, hours] = &mut self.time;
        *tenths = (*tenths + 1) & 0x0f;
        if *tenths != 10 {
            return;
        }
        *tenths = 0;
        for pair in [seconds, minutes] {
            let (mut low, mut high) = (*pair & 0x0f, *pair >> 4 & 7);
            low = (low + 1) & 0x0f;
            let mut carries = false;
            if low == 10 {
                low = 0;
                high = (high + 1) & 7;
                if high == 6 {
                    high = 0;
                    carries = true;
                }
            }
            *pair = high << 4 | low;
            if !carries {
                return;
            }
        }
        let (mut low, mut high, mut pm) = (*hours & 0x0f, *hours >> 4 & 1, *hours & 0x80);
        if (high == 0 && low == 9) || (high == 1 && low == 2) {
            low = if high == 1 { 1 } else { 0 };
            high ^= 1;
        } else {
            low = (low + 1) & 0x0f;
            if high == 1 && low == 2 {
                pm ^= 0x80;
            }
        }
        *hours = pm | high << 4 | low;
    }

    /// Whether the alarm has just been reached.
    fn check_alarm(&mut self) -> bool {
        let was = core::mem::replace(&mut self.is_alarm, self.time == self.alarm);
        self.is_alarm && !was
    }

    fn read(&mut self, register: usize) -> u8 {
        if register == 3 && self.latched.is_none() {
            self.latched = Some(self.time);
        }
        let value = self.latched.unwrap_or(self.time)[register];
        if register == 0 {
            self.latched = None;
        }
        value
    }

    fn write(&mut self, register: usize, value: u8, to_alarm: bool) {
        let mut value = value & [0x0f, 0x7f, 0x7f, 0x9f][register];
        if to_alarm {
            self.alarm[register] = value;
            return;
        }
        match register {
            0 => {
                if self.is_stopped {
                    self.pulses = 0;
                }
                self.is_stopped = false;
            }
            3 => {
                self.is_stopped = true;
                if value & 0x1f == 0x12 {
                    value ^= 0x80;
                }
            }
            _ => {}
        }
        self.time[register] = value;
    }
}

/// The serial register in output mode. Timer A clocks it: every underflow moves the line CNT, every second one a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Serial {
    /// The byte that was written last.
    data: u8,
    /// Half bits of the byte on its way that are still to come; 0 is empty.
    left: u8,
    /// The register is empty and takes the byte in the next cycle.
    is_taking: bool,
    /// A byte waits for the end of the one on its way.
    is_waiting: bool,
    /// The underflow of the last cycle moves CNT in this one.
    is_due: bool,
    /// Timer A underflowed in the last cycle: a second underflow in a row is lost.
    was_underflow: bool,
    /// Cycles until the flag can be read, or 0.
    flag_in: u8,
    /// CNT of the last cycles, a bit each, the last one lowest; a 1 is high.
    cnt: u8,
    /// CNT was low when the port was made an input: making it an output again raises the flag.
    is_owing: bool,
}

impl Serial {
    const NEW: Serial = Serial {
        data: 0,
        left: 0,
        is_taking: false,
        is_waiting: false,
        is_due: false,
        was_underflow: false,
        flag_in: 0,
        cnt: 0xff,
        is_owing: false,
    };

    /// One cycle; whether the flag rises in it.
    fn tick(&mut self, is_underflow: bool, is_output: bool) -> bool {
        if core::mem::take(&mut self.is_due) && self.left > 0 {
            self.left -= 1;
            if self.left == 1 {
                self.flag_in = 4;
                if core::mem::take(&mut self.is_waiting) {
                    self.left = 17;
                }
            }
        }
        self.is_due = is_underflow && !self.was_underflow && is_output && self.left > 0;
        self.was_underflow = is_underflow;
        if core::mem::take(&mut self.is_taking) {
            self.left = 16;
        }
        self.cnt = self.cnt << 1 | (self.left + 1) & 1;
        let is_rising = self.flag_in == 1;
        self.flag_in = self.flag_in.saturating_sub(1);
        is_rising
    }

    /// Whether only the age of CNT changes in cycles without an underflow.
    fn is_steady(&self) -> bool {
        !self.is_taking && !self.is_due && !self.was_underflow && self.flag_in == 0
    }

    /// Passes over cycles in which it is steady.
    fn skip(&mut self, cycles: u64) {
        let level = (self.left + 1) & 1;
        for _ in 0..cycles.min(8) {
            self.cnt = self.cnt << 1 | level;
        }
    }

    fn write(&mut self, value: u8, is_output: bool) {
        self.data = value;
        if !is_output {
            return;
        }
        match self.left {
            0 => self.is_taking = true,
            1 => self.left = 17,
            _ => self.is_waiting = true,
        }
    }

    /// The direction changes: the byte on its way is dropped and reports itself as finished.
    fn turn(&mut self, is_output: bool) {
        let is_broken = match self.left {
            2..=14 => true,
            15 => self.cnt & 0x03 == 0,
            _ => false,
        };
        let is_moving = (self.cnt ^ self.cnt >> 1) & 1 != 0 && self.left != 1;
        if is_output {
            if core::mem::take(&mut self.is_owing) {
                self.flag_in = 3;
            }
        } else {
            self.is_owing = self.cnt & 0x0c != 0x0c || is_moving;
        }
        if is_broken {
            self.flag_in = 3;
        }
        (self.left, self.is_taking, self.is_waiting, self.is_due) = (0, false, false, false);
    }
}

/// The chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cia {
    ports: [u8; 2],
    directions: [u8; 2],
    a: Timer,
    b: Timer,
    clock: Clock,
    chip: CiaChip,
    flags: u8,
    /// The mask that is in force, the one that was written last, and the cycles since then: a bit that moves up.
    mask: u8,
    next_mask: u8,
    mask_steps: u8,
    /// Bit 7, and the line.
    is_requesting: bool,
    /// The interrupt register was read in the last cycle.
    was_read: bool,
    /// That read has taken timer B's flag before it came; the request comes all the same.
    is_flag_lost: bool,
    serial: Serial,
    /// Towards the next pulse of the mains: it comes when this reaches the clock rate.
    mains_phase: u32,
    mains: u32,
    rate: u32,
}

impl Cia {
    pub(super) fn new(chip: CiaChip, rate: u32, mains: u32) -> Cia {
        Cia {
            chip,
            ports: [0; 2],
            directions: [0; 2],
            a: Timer::NEW,
            b: Timer::NEW,
            clock: Clock::NEW,
            flags: 0,
            mask: 0,
            next_mask: 0,
            mask_steps: 0,
            is_requesting: false,
            was_read: false,
            is_flag_lost: false,
            serial: Serial::NEW,
            mains_phase: 0,
            mains,
            rate,
        }
    }

    /// Whether what was loaded can be, on a machine with these clocks.
    pub(super) fn is_possible(&self, chip: CiaChip, rate: u32, mains: u32) -> bool {
        let Clock { time, alarm, latched, pulses, .. } = self.clock;
        let is_time = |time: Time| time[0] < 16 && time[1] < 128 && time[2] < 128 && time[3] & 0x60 == 0;
        (self.chip, self.rate, self.mains) == (chip, rate, mains)
            && self.serial.left <= 17
            && self.mains_phase < rate
            && is_time(time)
            && is_time(alarm)
            && latched.is_none_or(is_time)
            && pulses < 6
    }

    pub(super) fn is_requesting(&self) -> bool {
        self.is_requesting
    }

    /// Advances by this many cycles, up to the CPU's half of the last.
    pub(super) fn advance(&mut self, cycles: u64) {
        let mut left = cycles;
        while left > 0 {
            let skipped = self.steady_for().min(left);
            if skipped > 0 {
                self.a.skip(skipped);
                self.b.skip(skipped);
                self.serial.skip(skipped);
                self.mains_phase += skipped as u32 * self.mains;
                left -= skipped;
            } else {
                self.tick();
                left -= 1;
            }
        }
    }

    /// For how many cycles only counters move.
    fn steady_for(&self) -> u64 {
        if self.was_read
            || self.is_flag_lost
            || (self.flags & self.mask != 0 && !self.is_requesting)
            || self.mask_steps != 0
            || !self.serial.is_steady()
        {
            return 0;
        }
        let a = self.a.steady_for(self.counts_clock(0));
        let b = self.b.steady_for(self.counts_clock(1));
        a.min(b).min(self.to_mains_pulse())
    }

    /// Whether a timer counts the clock.
    fn counts_clock(&self, timer: usize) -> bool {
        if timer == 0 { self.a.control & 0x20 == 0 } else { self.b.control & 0x60 == 0 }
    }

    /// How many cycles surely pass before the next pulse of the mains.
    fn to_mains_pulse(&self) -> u64 {
        u64::from((self.rate - 1 - self.mains_phase) / self.mains)
    }

    /// For how many cycles the interrupt line surely stays as it is.
    pub(super) fn quiet_for(&self) -> u64 {
        if self.is_requesting {
            return u64::MAX;
        }
        let is_asking = self.flags & (self.mask | self.next_mask) != 0;
        if is_asking || self.is_flag_lost || self.mask_steps != 0 || self.serial.flag_in != 0 {
            return 0;
        }
        let a = self.a.no_underflow_for();
        let mut quiet = u64::MAX;
        if self.mask & TIMER_A != 0 || (self.mask & SERIAL != 0 && self.serial.left != 0) {
            quiet = a;
        }
        if self.mask & SERIAL != 0 && !self.serial.is_steady() {
            quiet = 0;
        }
        if self.mask & TIMER_B != 0 {
            let is_cascaded = self.b.control & 0x40 != 0 && !self.b.asked && !self.b.due;
            quiet = quiet.min(if is_cascaded { a } else { self.b.no_underflow_for() });
        }
        if self.mask & ALARM != 0 {
            quiet = quiet.min(self.to_mains_pulse());
        }
        quiet
    }

    /// One cycle, before the CPU's half.
    fn tick(&mut self) {
        if self.mask_steps != 0 {
            self.take_mask();
        }
        if self.chip == CiaChip::Mos6526 {
            self.is_requesting |= self.is_asking();
        }
        // CNT is high: nothing is connected to it.
        self.a.tick(self.a.control & 0x20 == 0);
        self.b.tick(match self.b.control >> 5 & 3 {
            0 => true,
            1 => false,
            _ => self.a.underflow,
        });
        if self.a.underflow {
            self.flags |= TIMER_A;
        }
        if self.serial.tick(self.a.underflow, self.a.control & SERIAL_OUT != 0) {
            self.flags |= SERIAL;
        }
        self.is_flag_lost = self.b.underflow && self.was_read && self.chip == CiaChip::Mos6526;
        if self.b.underflow && !self.is_flag_lost {
            self.flags |= TIMER_B;
        }
        let was_read = core::mem::take(&mut self.was_read);
        self.mains_phase += self.mains;
        if self.mains_phase >= self.rate {
            self.mains_phase -= self.rate;
            self.clock.pulse(if self.a.control & FIFTY_HERTZ != 0 { 5 } else { 6 });
            self.check_alarm();
        }
        // A read in the cycle before holds the line for a cycle.
        if self.chip == CiaChip::Mos6526A && !was_read {
            self.is_requesting |= self.is_asking();
        }
    }

    /// Whether a flag that is not masked pulls the line. That of the serial register does so a cycle before it can be
    /// read.
    fn is_asking(&self) -> bool {
        let mut flags = self.flags;
        if self.serial.flag_in == 1 {
            flags |= SERIAL;
        }
        if self.is_flag_lost {
            flags |= TIMER_B;
        }
        flags & self.mask != 0
    }

    /// A mask that was written comes into force: on the 6526 with the decision of the next cycle but one, and then with what
    /// has been written meanwhile.
    fn take_mask(&mut self) {
        if self.chip == CiaChip::Mos6526A || self.mask_steps & 2 != 0 {
            self.mask = self.next_mask;
        }
        self.mask_steps = match self.chip {
            CiaChip::Mos6526 => self.mask_steps << 1 & 2,
            CiaChip::Mos6526A => 0,
        };
    }

    fn check_alarm(&mut self) {
        if self.clock.check_alarm() {
            self.flags |= ALARM;
        }
    }

    /// The lines of a port that the chip drives low: A is 0, B is 1.
    pub(super) fn low_outputs(&self, port: usize) -> u8 {
        let mut low = self.directions[port] & !self.ports[port];
        if port == 1 {
            for (timer, bit) in [(self.a, 0x40), (self.b, 0x80)] {
                match timer.line() {
                    Some(true) => low &= !bit,
                    Some(false) => low |= bit,
                    None => {}
                }
            }
        }
        low
    }

    /// The levels of a port that the chip drives, inputs high.
    pub(super) fn outputs(&self, port: usize) -> u8 {
        !self.low_outputs(port)
    }

    /// The lines of a port that the chip drives high.
    pub(super) fn driven_high(&self, port: usize) -> u8 {
        self.directions[port] & self.ports[port]
    }

    /// A read; `pins` are the levels of the ports' lines.
    pub(super) fn read(&mut self, register: u8, pins: (u8, u8)) -> u8 {
        match register {
            0x8..=0xb => self.clock.read(usize::from(register - 8)),
            0xd => {
                let value = self.peek(register, pins);
                self.flags = 0;
                self.is_requesting = false;
                self.was_read = true;
                value
            }
            _ => self.peek(register, pins),
        }
    }

    /// Returns the byte that a read gives, without its effects.
    pub(super) fn peek(&self, register: u8, pins: (u8, u8)) -> u8 {
        match register {
            0x0 => pins.0,
            0x1 => pins.1,
            0x2 | 0x3 => self.directions[usize::from(register - 2)],
            0x4 => self.a.counter as u8,
            0x5 => (self.a.counter >> 8) as u8,
            0x6 => self.b.counter as u8,
            0x7 => (self.b.counter >> 8) as u8,
            0x8..=0xb => self.clock.latched.unwrap_or(self.clock.time)[usize::from(register - 8)],
            0xc => self.serial.data,
            0xd => self.flags | if self.is_requesting { REQUEST } else { 0 },
            0xe => self.a.control,
            _ => self.b.control,
        }
    }

    pub(super) fn write(&mut self, register: u8, value: u8) {
        match register {
            0x0 | 0x1 => self.ports[usize::from(register)] = value,
            0x2 | 0x3 => self.directions[usize::from(register - 2)] = value,
            0x4 => self.a.write_low(value),
            0x5 => self.a.write_high(value),
            0x6 => self.b.write_low(value),
            0x7 => self.b.write_high(value),
            0x8..=0xb => {
                self.clock.write(usize::from(register - 8), value, self.b.control & TO_ALARM != 0);
                self.check_alarm();
            }
            0xc => self.serial.write(value, self.a.control & SERIAL_OUT != 0),
            0xd => {
                if value & 0x80 != 0 {
                    self.next_mask |= value & 0x1f;
                } else {
                    self.next_mask &= !value;
                }
                self.mask_steps |= 1;
            }
            0xe => {
                if (value ^ self.a.control) & SERIAL_OUT != 0 {
                    self.serial.turn(value & SERIAL_OUT != 0);
                }
                self.a.write_control(value);
            }
            _ => self.b.write_control(value),
        }
    }
}

state!(Timer { counter, latch, control, asked, due, load_in, underflow, is_loading, was_one_shot, toggled });
state!(Clock { time, alarm, latched, is_stopped, is_alarm, pulses });
state!(Serial { data, left, is_taking, is_waiting, is_due, was_underflow, flag_in, cnt, is_owing });
state!(Cia {
    chip,
    ports,
    directions,
    a,
    b,
    clock,
    flags,
    mask,
    next_mask,
    mask_steps,
    is_requesting,
    was_read,
    is_flag_lost,
    serial,
    mains_phase,
    mains,
    rate,
});
