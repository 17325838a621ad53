//! The machines the benchmarks run on: each one way to put devices behind the same workload.

use emu::{Banked, Bus, Io, Lines, Pins, Ram};

/// The workload, assembled from `workload.asm`.
pub const WORKLOAD: &[u8] = include_bytes!("workload.bin");
pub const START: u16 = 0x1000;
/// `rti`, where the vectors of the machines point.
pub const HANDLER: u16 = 0x0f00;
/// What the workload leaves at $0300.
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

    fn quiet_until(&self, pins: Pins) -> u64 {
        if self.lines.pins().has_any(pins) { 0 } else { self.deadline }
    }

    #[inline(always)]
    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
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
