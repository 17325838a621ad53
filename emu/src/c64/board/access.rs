//! The board as the CPU's bus: plain memory at once, everything else by what is there.

use super::map::{DEVICES, GRAPHICS, OUTSIDE};
use super::{Board, MEMORY};
use crate::{Bus, CodeWindow, FastBus, Hooks, Part, Pins, PlainMemory, Run, Stop, Variant};

impl Bus for Board {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI).or(Pins::RDY);

    fn look(&self, addr: u16) -> Option<u8> {
        Some(self.peek(addr))
    }

    fn look_in(&self, part: Part, addr: u16) -> Option<u8> {
        Some(self.peek_in(part, addr))
    }

    fn cartridge_bank(&self) -> Option<u16> {
        self.expansion.cartridge_bank()
    }

    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        if cycle < self.shared_until {
            self.run_vic_beside(cycle + 1, addr);
        }
        if !self.is_high(cycle) && self.is_low(cycle) {
            // The CPU waits, and its address does not reach the chips.
            return 0xff;
        }
        self.read_ready(addr, cycle)
    }

    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        if cycle < self.shared_until {
            self.run_vic_beside(cycle + 1, addr);
        }
        if self.write_plain(addr, value) {
            return;
        }
        if addr < 2 {
            self.run_vic(cycle + 1);
            self.write_port(addr, value);
        } else if self.guards[usize::from(addr >> 8)] & DEVICES != 0 {
            self.write_io(addr, value, cycle);
        } else if self.guards[usize::from(addr >> 8)] & OUTSIDE != 0 {
            self.run_vic(cycle + 1);
            self.run_expansion(cycle + 1);
            self.write_outside(addr, value);
            self.touched();
        } else {
            self.write_seen(addr, value, cycle);
        }
        if self.asked.watched == Some(addr) {
            self.expansion.written();
            self.expansion_touched();
            self.touched();
        }
    }

    #[inline(always)]
    fn pins(&mut self, cycles: u64) -> Pins {
        if cycles > self.quiet {
            self.run_vic_if_due(cycles);
        }
        let pins = self.lines.pins();
        let last = cycles.wrapping_sub(1);
        if !self.is_high(last) && cycles > 0 && self.is_low(last) { pins | Pins::RDY } else { pins }
    }

    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }

    #[inline(always)]
    fn run_cpu<V: Variant, H: Hooks>(&mut self, run: Run<'_, V, H>) -> Stop {
        // The host may have changed memory.
        self.guard();
        run.fast(self)
    }
}

impl FastBus for Board {
    const MEMORY: PlainMemory = PlainMemory::Paged;
    const KNOWS_READY: bool = true;

    #[inline(always)]
    fn code_around(&self, pc: u16) -> Option<CodeWindow> {
        self.reads.code_around(pc)
    }

    #[inline(always)]
    fn read_code(&self, place: usize, offset: u16) -> u8 {
        self.memory[place & (MEMORY - 1)..][usize::from(offset).min(2)]
    }

    #[inline(always)]
    fn read_plain(&self, addr: u16) -> Option<u8> {
        // What the compiler knows of the zero page and the stack saves them the map.
        if addr < 0x200 {
            return Some(self.memory[usize::from(addr)]);
        }
        self.reads.place(addr).map(|place| self.memory[place])
    }

    #[inline(always)]
    fn write_plain(&mut self, addr: u16, value: u8) -> bool {
        if self.guards[usize::from(addr >> 8)] != 0 || addr < 2 {
            return false;
        }
        self.memory[usize::from(addr)] = value;
        true
    }

    #[inline(always)]
    fn quiet_until(&self, pins: Pins, cycle: u64) -> u64 {
        if cycle < self.shared_until || self.asked.dma {
            return 0;
        }
        if pins.has(Pins::RDY) {
            // RDY that is low in a cycle shows after it.
            return if self.is_high(cycle) { self.high.1.saturating_add(1) } else { 0 };
        }
        if self.lines.pins().has_any(pins) { 0 } else { self.quiet.saturating_add(1) }
    }

    fn ready_at(&mut self, cycle: u64) -> u64 {
        if self.asked.dma {
            return self.transfer(cycle);
        }
        if cycle == self.granted || self.is_high(cycle) { cycle } else { self.high_from(cycle) }
    }

    fn ready_for(&mut self, addr: u16, then: u16, cycle: u64) -> u64 {
        // What the VIC takes from the bus comes first: a look further ahead may bring it to the next line.
        let (mut cycle, mut address) = (cycle, addr);
        while cycle < self.shared_until && !self.asked.dma && self.is_low(cycle) {
            self.run_vic_beside(cycle + 1, address);
            address = then;
            cycle += 1;
        }
        self.ready_at(cycle)
    }

    fn ends_run(&self) -> bool {
        self.exit.is_some()
    }

    fn run_ended(&mut self, cycles: u64) {
        self.run_vic(cycles);
        self.run_sid(cycles);
        self.run_cias(cycles);
        self.run_expansion(cycles);
        self.run_drive(cycles);
        self.fade_port(cycles);
        self.drive_lines();
    }
}

impl Board {
    /// A read in a cycle that the VIC leaves free.
    pub(super) fn read_ready(&mut self, addr: u16, cycle: u64) -> u8 {
        match self.read_plain(addr) {
            Some(value) => value,
            None if addr >> 12 == 0xd => self.read_io(addr, cycle),
            None => self.read_outside(addr, cycle),
        }
    }

    /// A write to RAM that the VIC reads.
    fn write_seen(&mut self, addr: u16, value: u8, cycle: u64) {
        let matrix = self.screen_base();
        let place = addr.wrapping_sub(matrix);
        let is_code = place < 0x3f8 && self.guards[usize::from(addr >> 8)] & GRAPHICS == 0;
        self.run_vic_before(cycle + 1, !is_code);
        self.memory[usize::from(addr)] = value;
        if (0x3f8..0x400).contains(&place) {
            // The pointer of a sprite.
            self.guard();
        }
    }
}
