//! Jumps, branches, the stack and interrupts.

use super::Core;
use super::modes::uncarried;
use crate::{Access, Bus, Hooks, Interrupt, Phase, Pins, Status, Stop, Variant};

const NMI: u16 = 0xfffa;
const RESET: u16 = 0xfffc;
const IRQ: u16 = 0xfffe;

impl<B: Bus, H: Hooks, V: Variant> Core<'_, B, H, V> {
    /// A taken branch within the page ignores interrupts that come in its second cycle: the chip has
    /// decided by then, and only the cycle that fixes the page decides again.
    #[inline(always)]
    pub(super) fn branch(&mut self, taken: bool) {
        self.poll();
        let offset = self.operand();
        if taken {
            self.take_branch(offset);
        }
    }

    #[inline(always)]
    pub(super) fn take_branch(&mut self, offset: u8) {
        let next = self.r.pc;
        let target = next.wrapping_add_signed(i16::from(offset.cast_signed()));
        self.dummy(next);
        if (next ^ target) & 0xff00 != 0 {
            if Self::INTERRUPTIBLE {
                self.r.pending = self.r.pending | self.polled();
            }
            self.dummy(if V::CMOS { next } else { uncarried(next, target) });
        }
        self.go(next.wrapping_sub(2), target);
    }

    /// Goes to the target; a jump to itself can end the run.
    #[inline(always)]
    pub(super) fn go(&mut self, from: u16, target: u16) {
        self.r.pc = target;
        if target == from && self.until.trap {
            self.leave(Stop::Trap);
        }
    }

    #[inline(always)]
    pub(super) fn jmp_abs(&mut self) {
        let from = self.r.pc.wrapping_sub(1);
        let lo = self.operand();
        self.poll();
        let hi = self.operand();
        self.go(from, u16::from_le_bytes([lo, hi]));
    }

    /// The pointer's high byte comes from the same page, even at its end.
    #[inline(always)]
    pub(super) fn jmp_ind(&mut self) {
        let from = self.r.pc.wrapping_sub(1);
        let pointer = self.abs::<false>();
        let lo = self.read(pointer, Access::Pointer);
        self.poll();
        let hi = self.read(uncarried(pointer, pointer.wrapping_add(1)), Access::Pointer);
        self.go(from, u16::from_le_bytes([lo, hi]));
    }

    #[inline(always)]
    pub(super) fn jsr(&mut self) {
        let lo = self.operand();
        self.dummy(0x0100 | u16::from(self.r.s));
        let [pc_lo, pc_hi] = self.r.pc.to_le_bytes();
        self.push(pc_hi);
        self.push(pc_lo);
        self.poll();
        let hi = self.operand();
        self.r.pc = u16::from_le_bytes([lo, hi]);
    }

    #[inline(always)]
    pub(super) fn rts(&mut self) {
        let level = self.r.s;
        self.dummy(self.r.pc);
        self.dummy(0x0100 | u16::from(level));
        let lo = self.pull();
        let hi = self.pull();
        let pc = u16::from_le_bytes([lo, hi]);
        self.poll();
        self.dummy(pc);
        self.r.pc = pc.wrapping_add(1);
        self.returned_from(level);
    }

    #[inline(always)]
    pub(super) fn rti(&mut self) {
        let level = self.r.s;
        self.dummy(self.r.pc);
        self.dummy(0x0100 | u16::from(level));
        let p = self.pull();
        self.set_status(p);
        let lo = self.pull();
        self.poll();
        let hi = self.pull();
        self.r.pc = u16::from_le_bytes([lo, hi]);
        self.returned_from(level);
    }

    #[inline(always)]
    fn returned_from(&mut self, level: u8) {
        if self.until.rts && level >= self.level {
            self.leave(Stop::Rts);
        }
    }

    #[inline(always)]
    pub(super) fn push_register(&mut self, value: u8) {
        self.dummy(self.r.pc);
        self.poll();
        self.push(value);
    }

    #[inline(always)]
    pub(super) fn pull_register(&mut self) -> u8 {
        self.dummy(self.r.pc);
        self.dummy(0x0100 | u16::from(self.r.s));
        self.poll();
        self.pull()
    }

    /// The byte `php` and `brk` push.
    #[inline(always)]
    pub(super) fn pushed_status(&self) -> u8 {
        self.status().byte() | Status::B
    }

    // --- sequences, all rare ----------------------------------------------------------------------------

    #[inline(always)]
    pub(super) fn brk(&mut self) {
        if self.until.brk {
            self.r.pc = self.r.pc.wrapping_sub(1);
            self.r.cycles -= 1;
            self.leave(Stop::Brk);
        } else {
            self.aside(|core| {
                core.operand();
                let status = core.pushed_status();
                core.enter(status);
            });
        }
    }

    /// The sequence that comes in place of an instruction when an interrupt is pending.
    #[cold]
    #[inline(never)]
    pub(super) fn interrupt(&mut self) {
        let nmi = self.r.pending.has(Pins::NMI_EDGE);
        let state = self.state();
        self.hooks.interrupt(if nmi { Interrupt::Nmi } else { Interrupt::Irq }, &state);
        self.read(self.r.pc, Access::Opcode);
        self.dummy(self.r.pc);
        let status = self.status().byte();
        self.enter(status);
    }

    /// The last five cycles of `brk`, IRQ and NMI. Which vector it is shows only after the return address
    /// is pushed: an NMI that came meanwhile takes the sequence over, and B stays as it was.
    fn enter(&mut self, status: u8) {
        let [lo, hi] = self.r.pc.to_le_bytes();
        self.push(hi);
        self.push(lo);
        let nmi = B::PINS.has(Pins::NMI) && self.bus.pins(self.r.cycles).has(Pins::NMI_EDGE);
        if nmi {
            self.bus.acknowledge(Pins::NMI_EDGE);
        }
        self.push(status);
        self.r.p |= Status::I;
        if V::CMOS {
            self.r.p &= !Status::D;
        }
        self.vector(if nmi { NMI } else { IRQ });
        // An edge during the last cycles is seen only if the line is still low.
        if B::PINS.has(Pins::NMI) && !self.bus.pins(self.r.cycles).has(Pins::NMI) {
            self.bus.acknowledge(Pins::NMI_EDGE);
        }
    }

    fn vector(&mut self, at: u16) {
        let lo = self.read(at, Access::Vector);
        let hi = self.read(at + 1, Access::Vector);
        self.r.pc = u16::from_le_bytes([lo, hi]);
        self.r.pending = Pins::NONE;
    }

    /// Reset is an interrupt whose pushes are reads.
    #[cold]
    #[inline(never)]
    pub(super) fn reset_sequence(&mut self) {
        while B::PINS.has(Pins::RES) && self.bus.pins(self.r.cycles).has(Pins::RES) {
            self.dummy(self.r.pc);
        }
        let state = self.state();
        self.hooks.interrupt(Interrupt::Reset, &state);
        self.r.phase = Phase::Running;
        self.read(self.r.pc, Access::Opcode);
        self.dummy(self.r.pc);
        for _ in 0..3 {
            self.dummy(0x0100 | u16::from(self.r.s));
            self.r.s = self.r.s.wrapping_sub(1);
        }
        self.r.p |= Status::I;
        if V::CMOS {
            self.r.p &= !Status::D;
        }
        self.vector(RESET);
    }
}
