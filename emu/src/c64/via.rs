//! A 6522: two timers, a shift register, two ports with handshake lines, interrupts. Knows nothing of what its lines are
//! wired to: the drive sets the levels of the inputs and reads those of the outputs.
//!
//! A cycle is [`Via::tick`] and then at most one access: what an access writes shows from the next cycle on.

use crate::state::state;

/// Bits of the interrupt flags, and of the mask.
pub(super) mod flag {
    pub const CA2: u8 = 0x01;
    pub const CA1: u8 = 0x02;
    pub const SHIFT: u8 = 0x04;
    pub const CB2: u8 = 0x08;
    pub const CB1: u8 = 0x10;
    pub const T2: u8 = 0x20;
    pub const T1: u8 = 0x40;
    pub const ANY: u8 = 0x80;
}

/// Numbers of the registers.
pub(super) mod register {
    pub const ORB: u8 = 0x0;
    pub const ORA: u8 = 0x1;
    pub const DDRB: u8 = 0x2;
    pub const DDRA: u8 = 0x3;
    pub const T1_LOW: u8 = 0x4;
    pub const T1_HIGH: u8 = 0x5;
    pub const T1_LATCH_LOW: u8 = 0x6;
    pub const T1_LATCH_HIGH: u8 = 0x7;
    pub const T2_LOW: u8 = 0x8;
    pub const T2_HIGH: u8 = 0x9;
    pub const SHIFT: u8 = 0xa;
    pub const ACR: u8 = 0xb;
    pub const PCR: u8 = 0xc;
    pub const IFR: u8 = 0xd;
    #[cfg(test)]
    pub const IER: u8 = 0xe;
    /// Port A without its handshake.
    pub const ORA_QUIET: u8 = 0xf;
}

/// Bits of the auxiliary control register.
const LATCH_A: u8 = 0x01;
const LATCH_B: u8 = 0x02;
const COUNT_PB6: u8 = 0x20;
const FREE_RUN: u8 = 0x40;
const T1_ON_PB7: u8 = 0x80;

/// The four control lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    Ca1,
    #[cfg_attr(not(test), expect(dead_code, reason = "nothing of a 1541 drives it"))]
    Ca2,
    Cb1,
    Cb2,
}

impl Line {
    const fn flag(self) -> u8 {
        match self {
            Line::Ca1 => flag::CA1,
            Line::Ca2 => flag::CA2,
            Line::Cb1 => flag::CB1,
            Line::Cb2 => flag::CB2,
        }
    }
}

/// A port: its registers, and the levels that reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Port {
    output: u8,
    direction: u8,
    /// The levels from outside; 1 where nothing pulls.
    input: u8,
    /// The levels at the last edge of CA1 or CB1, while its flag is set.
    latched: u8,
    /// The level of the second control line as a handshake output, and the cycles until its pulse ends, or 0.
    handshake: bool,
    pulse: u8,
}

impl Port {
    const NEW: Port = Port { output: 0, direction: 0, input: 0xff, latched: 0xff, handshake: true, pulse: 0 };

    /// The levels of the lines, seen from outside.
    fn levels(&self) -> u8 {
        (self.output | !self.direction) & (self.input | self.direction)
    }
}

state!(Port { output, direction, input, latched, handshake, pulse });

/// The sources of the shift register's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShiftClock {
    None,
    Timer,
    Cycle,
    Outside,
}

/// The shift register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shift {
    byte: u8,
    /// Halves of a shift pulse that are still to come.
    left: u8,
    /// The level of CB1 as the clock's output, and of CB2 as the data's.
    clock: bool,
    data: bool,
    /// Counts an outside clock's pulses.
    pulses: u8,
    /// Cycles until the clock moves.
    wait: u8,
}

impl Shift {
    const NEW: Shift = Shift { byte: 0, left: 0, clock: true, data: true, pulses: 0, wait: 0 };
}

state!(Shift { byte, left, clock, data, pulses, wait });

/// The chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Via {
    a: Port,
    b: Port,
    t1: u16,
    t1_latch: u16,
    /// The counter takes the latch in the next cycle.
    is_t1_loading: bool,
    /// The end of the count raises the flag.
    is_t1_armed: bool,
    /// The level of PB7 if the timer drives it.
    pb7: bool,
    t2: u16,
    t2_latch: u8,
    is_t2_loading: bool,
    is_t2_armed: bool,
    /// Falls of PB6 since the last cycle.
    pb6_falls: u8,
    shift: Shift,
    auxiliary: u8,
    peripheral: u8,
    flags: u8,
    mask: u8,
    /// The levels of CA1, CA2, CB1, CB2 from outside.
    lines: [bool; 4],
}

state!(Via {
    a,
    b,
    t1,
    t1_latch,
    is_t1_loading,
    is_t1_armed,
    pb7,
    t2,
    t2_latch,
    is_t2_loading,
    is_t2_armed,
    pb6_falls,
    shift,
    auxiliary,
    peripheral,
    flags,
    mask,
    lines
});

impl Via {
    pub(super) const fn new() -> Via {
        Via {
            a: Port::NEW,
            b: Port::NEW,
            t1: 0xffff,
            t1_latch: 0xffff,
            is_t1_loading: false,
            is_t1_armed: false,
            pb7: true,
            t2: 0xffff,
            t2_latch: 0xff,
            is_t2_loading: false,
            is_t2_armed: false,
            pb6_falls: 0,
            shift: Shift::NEW,
            auxiliary: 0,
            peripheral: 0,
            flags: 0,
            mask: 0,
            lines: [true; 4],
        }
    }

    /// RES is pulled: ports are inputs, interrupts are off. Timers, latches and the shift register keep their values.
    pub(super) fn reset(&mut self) {
        for port in [&mut self.a, &mut self.b] {
            *port = Port { input: port.input, ..Port::NEW };
        }
        (self.auxiliary, self.peripheral, self.flags, self.mask) = (0, 0, 0, 0);
        (self.is_t1_armed, self.is_t2_armed, self.pb7) = (false, false, true);
        self.shift = Shift { byte: self.shift.byte, ..Shift::NEW };
    }

    /// Whether the chip pulls IRQ.
    #[inline(always)]
    pub(super) fn is_requesting(&self) -> bool {
        self.flags & self.mask != 0
    }

    /// The levels of port B's lines.
    #[cfg(test)]
    fn port_b(&self) -> u8 {
        self.b_levels(self.b.input)
    }

    /// The levels that the chip itself drives, inputs high.
    pub(super) fn driven_a(&self) -> u8 {
        self.a.output | !self.a.direction
    }

    pub(super) fn driven_b(&self) -> u8 {
        self.b_levels(0xff)
    }

    fn b_levels(&self, input: u8) -> u8 {
        let levels = Port { input, ..self.b }.levels();
        match self.auxiliary & T1_ON_PB7 {
            0 => levels,
            _ => levels & 0x7f | u8::from(self.pb7) << 7,
        }
    }

    /// The level of CA2 or CB2 as the chip drives it; as an input it floats high.
    pub(super) fn ca2(&self) -> bool {
        Self::second(self.peripheral >> 1, &self.a)
    }

    pub(super) fn cb2(&self) -> bool {
        if self.shifts_out() && self.peripheral & 0x80 == 0 {
            return self.shift.data;
        }
        Self::second(self.peripheral >> 5, &self.b)
    }

    fn second(mode: u8, port: &Port) -> bool {
        match mode & 7 {
            4 | 5 => port.handshake,
            6 => false,
            _ => true,
        }
    }

    /// Whether CA2 and CB2 have the levels that they were set to, and move only when a register is written.
    pub(super) fn has_fixed_lines(&self) -> bool {
        self.peripheral & 0x0c != 0x08 && self.peripheral & 0xc0 != 0x80 && !self.shifts_out()
    }

    /// The level of CB1 as the shift register's clock.
    #[cfg(test)]
    fn cb1(&self) -> bool {
        self.shift.clock
    }

    /// Sets the levels that reach port A from outside.
    #[inline(always)]
    pub(super) fn set_port_a(&mut self, input: u8) {
        self.a.input = input;
    }

    /// Sets the levels that reach port B from outside.
    #[inline(always)]
    pub(super) fn set_port_b(&mut self, input: u8) {
        if self.b.input & !input & 0x40 != 0 && self.b.direction & 0x40 == 0 {
            self.pb6_falls = self.pb6_falls.saturating_add(1);
        }
        self.b.input = input;
    }

    /// Sets the level of a control line from outside; the edge that the line is set to raises its flag.
    pub(super) fn set_line(&mut self, line: Line, level: bool) {
        let was = core::mem::replace(&mut self.lines[line as usize], level);
        if was == level {
            return;
        }
        let (nibble, is_second) = match line {
            Line::Ca1 => (self.peripheral & 0x0f, false),
            Line::Ca2 => (self.peripheral & 0x0f, true),
            Line::Cb1 => (self.peripheral >> 4, false),
            Line::Cb2 => (self.peripheral >> 4, true),
        };
        if line == Line::Cb1 && self.clock_source() == ShiftClock::Outside {
            self.shift_outside(level);
        }
        if is_second && nibble & 8 != 0 {
            // An output.
            return;
        }
        let is_rise_wanted = if is_second { nibble & 4 != 0 } else { nibble & 1 != 0 };
        if level != is_rise_wanted {
            return;
        }
        let (port, latches) = match line {
            Line::Ca1 => (&mut self.a, LATCH_A),
            _ => (&mut self.b, LATCH_B),
        };
        if !is_second {
            if self.auxiliary & latches != 0 && self.flags & line.flag() == 0 {
                port.latched = port.levels();
            }
            // The other side has answered.
            port.handshake = true;
        }
        self.flags |= line.flag();
    }

    /// One cycle, before the CPU's half.
    #[inline(always)]
    pub(super) fn tick(&mut self) {
        if self.is_t1_loading {
            self.t1 = self.t1_latch;
            self.is_t1_loading = false;
        } else {
            self.t1 = self.t1.wrapping_sub(1);
            if self.t1 == 0xffff {
                self.end_t1();
            }
        }
        if self.is_t2_loading {
            self.is_t2_loading = false;
        } else {
            self.count_t2();
        }
        if self.auxiliary & 0x1c != 0 {
            self.tick_shift();
        }
        if self.a.pulse | self.b.pulse != 0 {
            self.end_pulses();
        }
    }

    #[cold]
    fn end_t1(&mut self) {
        self.is_t1_loading = true;
        if self.auxiliary & FREE_RUN != 0 {
            self.flags |= flag::T1;
            self.pb7 = !self.pb7;
        } else if core::mem::take(&mut self.is_t1_armed) {
            self.flags |= flag::T1;
            self.pb7 = true;
        }
    }

    #[inline(always)]
    fn count_t2(&mut self) {
        if self.auxiliary & COUNT_PB6 != 0 {
            let falls = core::mem::take(&mut self.pb6_falls);
            for _ in 0..falls {
                self.t2 = self.t2.wrapping_sub(1);
                self.end_t2();
            }
            return;
        }
        self.pb6_falls = 0;
        self.t2 = self.t2.wrapping_sub(1);
        self.end_t2();
    }

    #[inline(always)]
    fn end_t2(&mut self) {
        if self.t2 == 0xffff && core::mem::take(&mut self.is_t2_armed) {
            self.flags |= flag::T2;
        }
    }

    fn end_pulses(&mut self) {
        for port in [&mut self.a, &mut self.b] {
            if port.pulse == 1 {
                port.handshake = true;
            }
            port.pulse = port.pulse.saturating_sub(1);
        }
    }

    fn clock_source(&self) -> ShiftClock {
        match self.auxiliary >> 2 & 7 {
            0 => ShiftClock::None,
            1 | 4 | 5 => ShiftClock::Timer,
            2 | 6 => ShiftClock::Cycle,
            _ => ShiftClock::Outside,
        }
    }

    fn shifts_out(&self) -> bool {
        self.auxiliary & 0x10 != 0
    }

    /// The clock of the shift register by timer 2 and by the cycle.
    fn tick_shift(&mut self) {
        let source = self.clock_source();
        let is_free = self.auxiliary & 0x1c == 0x10;
        if source == ShiftClock::Outside || (self.shift.left == 0 && !is_free) {
            return;
        }
        if self.shift.wait > 0 {
            self.shift.wait -= 1;
            return;
        }
        self.shift.wait = if source == ShiftClock::Timer { self.t2_latch.wrapping_add(1) } else { 0 };
        self.shift.clock = !self.shift.clock;
        if self.shift.clock {
            self.take_bit()
        } else {
            self.show_bit()
        }
        if is_free {
            return;
        }
        self.shift.left -= 1;
        if self.shift.left == 0 {
            self.flags |= flag::SHIFT;
        }
    }

    /// The clock falls: the next bit shows.
    fn show_bit(&mut self) {
        if self.shifts_out() {
            self.shift.data = self.shift.byte & 0x80 != 0;
        }
    }

    /// The clock rises: the register moves, and an input bit comes in.
    fn take_bit(&mut self) {
        let bit =
            if self.shifts_out() { self.shift.byte >> 7 } else { u8::from(self.lines[Line::Cb2 as usize]) };
        self.shift.byte = self.shift.byte << 1 | bit;
    }

    /// An edge of a clock from outside.
    fn shift_outside(&mut self, level: bool) {
        if !level {
            self.show_bit();
            return;
        }
        self.take_bit();
        self.shift.pulses += 1;
        if self.shift.pulses == 8 {
            self.shift.pulses = 0;
            self.flags |= flag::SHIFT;
        }
    }

    /// A read or a write of the shift register begins a byte.
    fn begin_shift(&mut self) {
        self.flags &= !flag::SHIFT;
        self.shift.pulses = 0;
        if !matches!(self.clock_source(), ShiftClock::Timer | ShiftClock::Cycle) {
            return;
        }
        (self.shift.left, self.shift.clock) = (16, true);
        self.shift.wait =
            if self.clock_source() == ShiftClock::Timer { self.t2_latch.wrapping_add(1) } else { 1 };
    }

    /// A read.
    pub(super) fn read(&mut self, number: u8) -> u8 {
        let value = self.peek(number);
        match number {
            register::ORB => self.touched_b(),
            register::ORA => {
                self.touched_a();
                self.hand_shake_a();
            }
            register::T1_LOW => self.flags &= !flag::T1,
            register::T2_LOW => self.flags &= !flag::T2,
            register::SHIFT => self.begin_shift(),
            _ => {}
        }
        value
    }

    /// Returns the byte that a read gives, without its effects.
    pub(super) fn peek(&self, number: u8) -> u8 {
        match number {
            register::ORB => {
                let is_latched = self.auxiliary & LATCH_B != 0 && self.flags & flag::CB1 != 0;
                let input = if is_latched { self.b.latched } else { self.b.input };
                let value = self.b.output & self.b.direction | input & !self.b.direction;
                match self.auxiliary & T1_ON_PB7 {
                    0 => value,
                    _ => value & 0x7f | u8::from(self.pb7) << 7,
                }
            }
            register::ORA | register::ORA_QUIET => {
                let is_latched = self.auxiliary & LATCH_A != 0 && self.flags & flag::CA1 != 0;
                if is_latched { self.a.latched } else { self.a.levels() }
            }
            register::DDRB => self.b.direction,
            register::DDRA => self.a.direction,
            register::T1_LOW => self.t1 as u8,
            register::T1_HIGH => (self.t1 >> 8) as u8,
            register::T1_LATCH_LOW => self.t1_latch as u8,
            register::T1_LATCH_HIGH => (self.t1_latch >> 8) as u8,
            register::T2_LOW => self.t2 as u8,
            register::T2_HIGH => (self.t2 >> 8) as u8,
            register::SHIFT => self.shift.byte,
            register::ACR => self.auxiliary,
            register::PCR => self.peripheral,
            register::IFR => self.flags | if self.is_requesting() { flag::ANY } else { 0 },
            _ => self.mask | 0x80,
        }
    }

    /// A write.
    pub(super) fn write(&mut self, number: u8, value: u8) {
        match number {
            register::ORB => {
                self.b.output = value;
                self.touched_b();
                match self.peripheral >> 5 & 7 {
                    4 => self.b.handshake = false,
                    5 => (self.b.handshake, self.b.pulse) = (false, 2),
                    _ => {}
                }
            }
            register::ORA => {
                self.a.output = value;
                self.touched_a();
                self.hand_shake_a();
            }
            register::ORA_QUIET => self.a.output = value,
            register::DDRB => self.b.direction = value,
            register::DDRA => self.a.direction = value,
            register::T1_LOW | register::T1_LATCH_LOW => {
                self.t1_latch = self.t1_latch & 0xff00 | u16::from(value);
            }
            register::T1_HIGH => {
                self.t1_latch = self.t1_latch & 0x00ff | u16::from(value) << 8;
                (self.is_t1_loading, self.is_t1_armed, self.pb7) = (true, true, false);
                self.flags &= !flag::T1;
            }
            register::T1_LATCH_HIGH => {
                self.t1_latch = self.t1_latch & 0x00ff | u16::from(value) << 8;
                self.flags &= !flag::T1;
            }
            register::T2_LOW => self.t2_latch = value,
            register::T2_HIGH => {
                self.t2 = u16::from(value) << 8 | u16::from(self.t2_latch);
                (self.is_t2_loading, self.is_t2_armed) = (true, true);
                self.flags &= !flag::T2;
            }
            register::SHIFT => {
                self.shift.byte = value;
                self.begin_shift();
            }
            register::ACR => {
                self.auxiliary = value;
                if self.clock_source() == ShiftClock::None {
                    self.shift = Shift { byte: self.shift.byte, ..Shift::NEW };
                }
            }
            register::PCR => self.peripheral = value,
            register::IFR => self.flags &= !value,
            _ if value & 0x80 != 0 => self.mask |= value & 0x7f,
            _ => self.mask &= !value,
        }
    }

    /// An access to a port takes its flags back, but for a second line that is independent.
    fn touched_a(&mut self) {
        let keeps_second = self.peripheral & 0x0a == 0x02;
        self.flags &= if keeps_second { !flag::CA1 } else { !(flag::CA1 | flag::CA2) };
    }

    fn touched_b(&mut self) {
        let keeps_second = self.peripheral & 0xa0 == 0x20;
        self.flags &= if keeps_second { !flag::CB1 } else { !(flag::CB1 | flag::CB2) };
    }

    /// CA2 tells the other side of an access to port A, a read as well as a write.
    fn hand_shake_a(&mut self) {
        match self.peripheral >> 1 & 7 {
            4 => self.a.handshake = false,
            5 => (self.a.handshake, self.a.pulse) = (false, 2),
            _ => {}
        }
    }

    /// Whether what was loaded can be.
    pub(super) fn is_possible(&self) -> bool {
        self.flags & flag::ANY == 0 && self.mask & 0x80 == 0 && self.shift.left <= 16 && self.shift.pulses < 8
    }
}

#[cfg(test)]
mod tests;
