//! The machines the benchmarks run on: each one way to put devices behind the same workload.

use tempo_emu::{Banked, Bus, Io, Lines, Pins, Ram};

/// The workload, assembled from `workload.asm`.
pub const WORKLOAD: &[u8] = include_bytes!("workload.bin");
pub const START: u16 = 0x1000;
/// `rti`, where the vectors of the machines point.
pub const HANDLER: u16 = 0x0f00;
/// The byte that the workload leaves at $0300.
pub const RESULT: [u8; 8] = [161, 159, 64, 99, 215, 192, 254, 60];

/// Cycles between two interrupts of the machines that have a timer.
pub const PERIOD: u64 = 16_421;

/// RAM only.
pub fn flat() -> Box<Ram> {
    let mut ram = Box::new(Ram::new());
    load(ram.bytes_mut());
    ram
}

/// Memory in pages behind the 6510's port, with a timer that knows when it will interrupt next.
pub fn paged() -> Box<Banked<Timer>> {
    let mut bus = Banked::new(Timer { lines: Lines::new(), deadline: PERIOD });
    load(bus.ram_mut());
    bus.write(1, 0x35, 0);
    bus
}

/// The same with the bus taken away for 43 cycles of every 504, as a C64's text screen does.
pub fn stalled() -> Box<Banked<Dma>> {
    let mut bus = Banked::new(Dma(Timer { lines: Lines::new(), deadline: PERIOD }));
    load(bus.ram_mut());
    bus.write(1, 0x35, 0);
    bus
}

/// RAM with a timer that counts in every cycle.
pub fn ticked() -> Box<Ticked> {
    let mut bus = Box::new(Ticked { bytes: [0; 0x10000], lines: Lines::new(), counter: PERIOD as u32 });
    load(&mut bus.bytes);
    bus
}

fn load(ram: &mut [u8; 0x10000]) {
    let start = usize::from(START);
    ram[start..start + WORKLOAD.len()].copy_from_slice(WORKLOAD);
    // pha; lda $d000 (the timer's acknowledgement); pla; rti
    let handler = usize::from(HANDLER);
    ram[handler..handler + 6].copy_from_slice(&[0x48, 0xad, 0x00, 0xd0, 0x68, 0x40]);
    ram[0xfffe..].copy_from_slice(&HANDLER.to_le_bytes());
}

/// A device that interrupts at a known time; reading it acknowledges.
pub struct Timer {
    lines: Lines,
    deadline: u64,
}

impl Io for Timer {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI);

    #[inline(never)]
    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.lines.release(Pins::IRQ);
        addr as u8
    }

    #[inline(never)]
    fn write(&mut self, _addr: u16, _value: u8, _cycle: u64) {}

    fn pins(&mut self, cycles: u64) -> Pins {
        if cycles >= self.deadline {
            self.lines.pull(Pins::IRQ);
            self.deadline += PERIOD;
        }
        self.lines.pins()
    }

    fn quiet_until(&self, pins: Pins, _cycle: u64) -> u64 {
        if self.lines.pins().has_any(pins) { 0 } else { self.deadline }
    }

    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }
}

/// The timer, and something that holds RDY low at known times.
pub struct Dma(Timer);

impl Dma {
    const EVERY: u64 = 504;
    const LENGTH: u64 = 43;
}

impl Io for Dma {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI).or(Pins::RDY);
    const KNOWS_READY: bool = true;

    #[inline(never)]
    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        self.0.read(addr, cycle)
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        self.0.write(addr, value, cycle);
    }

    fn pins(&mut self, cycles: u64) -> Pins {
        let is_low = cycles.wrapping_sub(1) % Dma::EVERY < Dma::LENGTH;
        self.0.pins(cycles) | if is_low { Pins::RDY } else { Pins::NONE }
    }

    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
        let phase = cycle % Dma::EVERY;
        let low_from = if phase < Dma::LENGTH { cycle } else { cycle + Dma::EVERY - phase };
        let stall = if pins.has(Pins::RDY) { low_from + 1 } else { u64::MAX };
        if pins == Pins::RDY { stall } else { stall.min(self.0.quiet_until(pins, cycle)) }
    }

    fn ready_at(&mut self, cycle: u64) -> u64 {
        let phase = cycle % Dma::EVERY;
        if phase < Dma::LENGTH { cycle + Dma::LENGTH - phase } else { cycle }
    }

    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        self.0.acknowledge(edges);
    }
}

/// A machine whose device is clocked in every cycle.
pub struct Ticked {
    pub bytes: [u8; 0x10000],
    lines: Lines,
    counter: u32,
}

impl Ticked {
    #[inline(always)]
    fn tick(&mut self) {
        self.counter -= 1;
        if self.counter == 0 {
            self.fire();
        }
    }

    #[cold]
    fn fire(&mut self) {
        self.lines.pull(Pins::IRQ);
        self.counter = PERIOD as u32;
    }
}

impl Bus for Ticked {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI);

    #[inline(always)]
    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.tick();
        if addr == 0xd000 {
            self.lines.release(Pins::IRQ);
        }
        self.bytes[usize::from(addr)]
    }

    #[inline(always)]
    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.tick();
        self.bytes[usize::from(addr)] = value;
    }

    #[inline(always)]
    fn pins(&mut self, _cycles: u64) -> Pins {
        self.lines.pins()
    }

    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }
}
