//! The cycles instructions are made of: reads, writes, the stack, and the look at the interrupt lines.
//! An `Err` leaves the loop; on plain memory the instruction is then begun again elsewhere.

use core::hint::cold_path;

use super::link::{INTERRUPTS, Link};
use super::{Core, Exit};
use crate::{Access, Phase, Pins, Variant};

/// The pins that are remembered while RDY is low.
const SEEN_IN_STALL: Pins = INTERRUPTS.or(Pins::NMI);

impl<L: Link, V: Variant> Core<L, V> {
    /// The opcode fetch.
    #[inline(always)]
    pub(super) fn fetch(&mut self) -> Result<u8, Exit> {
        let (pc, v) = (self.r.pc, self.r.v);
        if L::IS_PLAIN {
            self.r.start = pc;
            return self.operand();
        }
        let opcode = self.read(pc, Access::Opcode)?;
        self.r.pc = pc.wrapping_add(1);
        if L::IS_WATCHED {
            if self.r.is_v_late {
                self.r.v = v;
                self.r.is_v_late = false;
            }
            let cycles = self.cycles();
            self.link.opcode(pc, opcode, cycles);
        }
        Ok(opcode)
    }

    /// One read cycle, repeated while RDY is low.
    #[inline(always)]
    pub(super) fn read(&mut self, addr: u16, access: Access) -> Result<u8, Exit> {
        self.read_then(addr, addr, access)
    }

    /// One read cycle at an address that a stall gives time to correct: repeated reads are at `then`.
    #[inline(always)]
    pub(super) fn read_then(&mut self, addr: u16, then: u16, access: Access) -> Result<u8, Exit> {
        if L::IS_WATCHED {
            return Ok(self.read_watched(addr, then, access));
        }
        let addr = if L::STALLS { self.wait_until_ready(addr, then) } else { addr };
        let cycle = self.cycles();
        let value = self.link.read(addr, access, cycle).ok_or(Exit::ToShared)?;
        self.r.left -= 1;
        Ok(value)
    }

    /// One write cycle. RDY does not stop it.
    #[inline(always)]
    pub(super) fn write(&mut self, addr: u16, value: u8, access: Access) -> Result<(), Exit> {
        if L::IS_WATCHED {
            self.write_watched(addr, value, access);
            return Ok(());
        }
        let cycle = self.cycles();
        if !self.link.write(addr, value, access, cycle) {
            return Err(Exit::ToShared);
        }
        self.r.left -= 1;
        Ok(())
    }

    /// A write that the next cycle writes over. On plain memory the difference cannot be seen.
    #[inline(always)]
    pub(super) fn write_first(&mut self, addr: u16, value: u8) -> Result<(), Exit> {
        if L::IS_PLAIN {
            self.r.left -= 1;
            return Ok(());
        }
        self.write(addr, value, Access::Dummy)
    }

    /// A read of the instruction's own bytes, or of the one after them. All three bytes from the opcode on are
    /// plain if the opcode is.
    #[inline(always)]
    fn read_code(&mut self, addr: u16, access: Access) -> Result<u8, Exit> {
        if L::IS_PLAIN {
            let offset = addr.wrapping_sub(self.r.start);
            // Only `bbr` and `bbs` read a fourth one.
            if offset <= 2 {
                self.r.left -= 1;
                return Ok(self.link.code(self.r.place, offset));
            }
        }
        self.read(addr, access)
    }

    /// A read of code whose value goes nowhere.
    #[inline(always)]
    pub(super) fn dummy_code(&mut self, addr: u16) -> Result<(), Exit> {
        self.read_code(addr, Access::Dummy)?;
        Ok(())
    }

    /// A read whose value goes nowhere.
    #[inline(always)]
    pub(super) fn dummy(&mut self, addr: u16) -> Result<(), Exit> {
        self.read(addr, Access::Dummy)?;
        Ok(())
    }

    /// A read whose value goes nowhere, in the last cycle.
    #[inline(always)]
    pub(super) fn last_dummy(&mut self, addr: u16) -> Result<(), Exit> {
        self.last_read(addr, Access::Dummy)?;
        Ok(())
    }

    /// The read of an instruction's last cycle: before it, and while it stalls, the chip decides about
    /// interrupts.
    #[inline(always)]
    pub(super) fn last_read(&mut self, addr: u16, access: Access) -> Result<u8, Exit> {
        self.poll();
        let value = self.read(addr, access)?;
        self.poll_stall();
        Ok(value)
    }

    /// The next byte after the opcode.
    #[inline(always)]
    pub(super) fn operand(&mut self) -> Result<u8, Exit> {
        let value = self.read_code(self.r.pc, Access::Operand)?;
        self.r.pc = self.r.pc.wrapping_add(1);
        Ok(value)
    }

    /// The operand byte that is the last cycle.
    #[inline(always)]
    pub(super) fn last_operand(&mut self) -> Result<u8, Exit> {
        self.poll();
        let value = self.operand()?;
        self.poll_stall();
        Ok(value)
    }

    #[inline(always)]
    pub(super) fn push(&mut self, value: u8) -> Result<(), Exit> {
        self.write(0x0100 | u16::from(self.r.s), value, Access::Stack)?;
        self.r.s = self.r.s.wrapping_sub(1);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn pull(&mut self) -> Result<u8, Exit> {
        self.r.s = self.r.s.wrapping_add(1);
        self.read(0x0100 | u16::from(self.r.s), Access::Stack)
    }

    #[inline(always)]
    pub(super) fn last_pull(&mut self) -> Result<u8, Exit> {
        self.r.s = self.r.s.wrapping_add(1);
        self.last_read(0x0100 | u16::from(self.r.s), Access::Stack)
    }

    /// Looks at the interrupt lines. Called between the last cycle but one and the last of an instruction:
    /// that is where the chip decides.
    #[inline(always)]
    pub(super) fn poll(&mut self) {
        if L::INTERRUPTIBLE {
            let cycles = self.cycles();
            let pins = self.link.pins(cycles);
            self.decide(pins);
        }
    }

    /// Looks again for the cycles the last read was stalled in.
    #[inline(always)]
    pub(super) fn poll_stall(&mut self) {
        if L::STALLS && self.r.stall != Pins::NONE {
            self.decide(self.r.stall);
        }
    }

    /// Makes those of these interrupts pending that the I flag lets through.
    #[inline(always)]
    fn decide(&mut self, pins: Pins) {
        let open = pins.and(INTERRUPTS).and(Pins::from_bits(self.r.enabled));
        if open != Pins::NONE {
            cold_path();
            self.r.pending = self.r.pending.or(open);
            self.end_at(self.cycles());
        }
    }

    /// Spends the stalled cycles before a read, if the machine knows how many they are. Gives the address that is
    /// then read.
    #[inline(always)]
    fn wait_until_ready(&mut self, addr: u16, then: u16) -> u16 {
        self.r.stall = Pins::NONE;
        let cycle = self.cycles();
        let ready = self.link.ready_for(addr, then, cycle);
        if ready <= cycle {
            return addr;
        }
        cold_path();
        self.r.left = self.r.left.wrapping_sub_unsigned(ready - cycle);
        self.r.stall = self.link.pins(ready).and(SEEN_IN_STALL).or(Pins::RDY);
        then
    }

    // --- cycles of the shared core: not inlined, there are over a thousand places --------------------------

    #[inline(never)]
    fn read_watched(&mut self, addr: u16, then: u16, access: Access) -> u8 {
        if self.is_cut_short() {
            self.r.stall = Pins::NONE;
            return 0;
        }
        let mut addr = self.wait_until_ready(addr, then);
        loop {
            let cycle = self.cycles();
            let value = self.link.read(addr, access, cycle).unwrap_or(0);
            let pins = self.watch();
            if !pins.has(Pins::RDY) || self.is_cut_short() {
                return value;
            }
            self.r.stall = self.r.stall.or(pins.and(SEEN_IN_STALL)).or(Pins::RDY);
            addr = then;
        }
    }

    #[inline(never)]
    fn write_watched(&mut self, addr: u16, value: u8, access: Access) {
        self.r.stall = Pins::NONE;
        if !self.is_cut_short() {
            let cycle = self.cycles();
            self.link.write(addr, value, access, cycle);
            self.watch();
        }
    }

    /// Whether RES ended the instruction: what is left of it has no cycles.
    #[inline(always)]
    fn is_cut_short(&self) -> bool {
        self.r.phase == Phase::Held
    }

    /// The end of a cycle: what the pins do at once.
    #[inline(always)]
    fn watch(&mut self) -> Pins {
        self.r.left -= 1;
        let watched = self.link.watched();
        if watched == Pins::NONE {
            return Pins::NONE;
        }
        let cycles = self.cycles();
        let pins = self.link.pins(cycles).and(watched.with_edges().or(SEEN_IN_STALL));
        if pins.has(Pins::SO_EDGE) {
            self.link.acknowledge(Pins::SO_EDGE);
            self.r.v = 0x80;
        }
        if pins.has(Pins::RES) {
            self.r.phase = Phase::Held;
        }
        pins
    }
}
