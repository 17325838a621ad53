//! Jumps, branches, the stack and interrupts.

use core::hint::{cold_path, select_unpredictable};

use super::link::Link;
use super::modes::uncarried;
use super::{Core, Exit};
use crate::{Access, Interrupt, Phase, Pins, Status, Stop, Variant};

const NMI: u16 = 0xfffa;
const RESET: u16 = 0xfffc;
const IRQ: u16 = 0xfffe;

impl<L: Link, V: Variant> Core<L, V> {
    /// The branch with this opcode: bits 7 and 6 name the flag, bit 5 is what it must be.
    #[inline(always)]
    pub(super) fn branch_on_flag(&mut self, opcode: u8) -> Result<(), Exit> {
        let is_second = opcode & 0x40 != 0;
        let flag = select_unpredictable(
            opcode & 0x80 != 0,
            select_unpredictable(is_second, self.is_z(), self.r.c != 0),
            select_unpredictable(is_second, self.r.v & 0x80 != 0, self.is_n()),
        );
        self.branch(flag == (opcode & 0x20 != 0))
    }

    /// A taken branch within the page ignores interrupts that come in its second cycle: the chip has
    /// decided by then, and only the cycle that fixes the page decides again.
    #[inline(always)]
    pub(super) fn branch(&mut self, taken: bool) -> Result<(), Exit> {
        let from = self.r.pc.wrapping_sub(1);
        let offset = self.last_operand()?;
        if taken { self.take_branch(from, offset) } else { Ok(()) }
    }

    #[inline(always)]
    pub(super) fn take_branch(&mut self, from: u16, offset: u8) -> Result<(), Exit> {
        let next = self.r.pc;
        let target = next.wrapping_add_signed(i16::from(offset.cast_signed()));
        self.dummy_code(next)?;
        if (next ^ target) & 0xff00 != 0 {
            // What was pending stays so.
            self.poll();
            let wrong = if V::CMOS { next } else { uncarried(next, target) };
            // A stall gives time to add to the high byte, but not to take from it.
            let is_forward = offset < 0x80;
            self.read_then(wrong, if is_forward { target } else { wrong }, Access::Dummy)?;
            self.poll_stall();
        }
        self.go(from, target)
    }

    /// Goes to the target; a jump to itself can end the run.
    #[inline(always)]
    pub(super) fn go(&mut self, from: u16, target: u16) -> Result<(), Exit> {
        if target == from {
            cold_path();
            self.leave_plain()?;
            self.r.pc = target;
            return if self.limits.until.trap { Err(Exit::Stop(Stop::Trap)) } else { Ok(()) };
        }
        self.r.pc = target;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn jmp_abs(&mut self) -> Result<(), Exit> {
        let from = self.r.pc.wrapping_sub(1);
        let lo = self.operand()?;
        let hi = self.last_operand()?;
        self.go(from, u16::from_le_bytes([lo, hi]))
    }

    /// The pointer's high byte comes from the same page, even at its end.
    #[inline(always)]
    pub(super) fn jmp_ind(&mut self) -> Result<(), Exit> {
        let from = self.r.pc.wrapping_sub(1);
        let pointer = self.abs::<false>()?;
        let lo = self.read(pointer, Access::Pointer)?;
        let hi = self.last_read(uncarried(pointer, pointer.wrapping_add(1)), Access::Pointer)?;
        self.go(from, u16::from_le_bytes([lo, hi]))
    }

    #[inline(always)]
    pub(super) fn jsr(&mut self) -> Result<(), Exit> {
        let lo = self.operand()?;
        self.dummy(0x0100 | u16::from(self.r.s))?;
        let [pc_lo, pc_hi] = self.r.pc.to_le_bytes();
        self.push(pc_hi)?;
        self.push(pc_lo)?;
        let hi = self.last_operand()?;
        self.r.pc = u16::from_le_bytes([lo, hi]);
        if L::CALLS {
            self.link.called();
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn rts(&mut self) -> Result<(), Exit> {
        let level = self.r.s;
        self.dummy_code(self.r.pc)?;
        self.dummy(0x0100 | u16::from(level))?;
        let lo = self.pull()?;
        let hi = self.pull()?;
        let pc = u16::from_le_bytes([lo, hi]);
        self.last_dummy(pc)?;
        self.r.pc = pc.wrapping_add(1);
        if L::CALLS && self.link.returned().is_break() {
            return Err(Exit::Stop(Stop::Hook));
        }
        self.returned_from(level)
    }

    #[inline(always)]
    pub(super) fn rti(&mut self) -> Result<(), Exit> {
        let level = self.r.s;
        self.dummy_code(self.r.pc)?;
        self.dummy(0x0100 | u16::from(level))?;
        let p = self.pull()?;
        self.leave_if_masked_anew(p)?;
        self.set_status(p);
        let lo = self.pull()?;
        let hi = self.last_pull()?;
        self.r.pc = u16::from_le_bytes([lo, hi]);
        self.returned_from(level)
    }

    #[inline(always)]
    fn returned_from(&self, level: u8) -> Result<(), Exit> {
        if u16::from(level) >= self.limits.level { Err(Exit::Stop(Stop::Rts)) } else { Ok(()) }
    }

    #[inline(always)]
    pub(super) fn push_register(&mut self, register: impl FnOnce(&Self) -> u8) -> Result<(), Exit> {
        self.dummy_code(self.r.pc)?;
        self.poll();
        self.push(register(self))
    }

    #[inline(always)]
    pub(super) fn pull_register(&mut self) -> Result<u8, Exit> {
        self.dummy_code(self.r.pc)?;
        self.dummy(0x0100 | u16::from(self.r.s))?;
        self.last_pull()
    }

    /// A `brk` is rare enough to leave the loop for.
    #[inline(always)]
    pub(super) fn brk(&mut self) -> Result<(), Exit> {
        self.leave_plain()?;
        if self.limits.until.brk {
            self.r.pc = self.r.pc.wrapping_sub(1);
            self.r.left += 1;
            return Err(Exit::Stop(Stop::Brk));
        }
        Err(Exit::Brk)
    }

    // --- sequences outside the hot loop -----------------------------------------------------------------

    // Only the shared core runs these, and there no cycle is refused.

    /// The rest of a `brk` after its opcode.
    pub(super) fn brk_sequence(&mut self) {
        let _ = self.operand();
        self.enter(Status::B);
    }

    /// The sequence that comes in place of an instruction when an interrupt is pending.
    pub(super) fn interrupt(&mut self) {
        let nmi = self.r.pending.has(Pins::NMI_EDGE);
        let (registers, cycles) = (self.registers(), self.cycles());
        self.link.interrupt(if nmi { Interrupt::Nmi } else { Interrupt::Irq }, &registers, cycles);
        let _ = self.read(self.r.pc, Access::Opcode);
        let _ = self.dummy(self.r.pc);
        self.enter(0);
    }

    /// The last five cycles of `brk`, IRQ and NMI. Which vector it is shows only after the return address
    /// is pushed: an NMI that came meanwhile takes the sequence over, and B stays as it was.
    fn enter(&mut self, b: u8) {
        let [lo, hi] = self.r.pc.to_le_bytes();
        let _ = self.push(hi);
        let _ = self.push(lo);
        let nmi = self.link.pins(self.cycles()).has(Pins::NMI_EDGE);
        if nmi {
            self.link.acknowledge(Pins::NMI_EDGE);
        }
        let _ = self.push(self.status().byte() | b);
        self.mask_interrupts();
        let vector = if nmi { NMI } else { IRQ };
        let lo = self.read(vector, Access::Vector).unwrap_or(0);
        self.r.pending = Pins::NONE;
        // While the vector is read, edges are not latched. An NMI sequence forgets them for good, another one
        // looks at the line again in the last cycle.
        if nmi {
            // The machine may have to catch up to know of an edge.
            self.link.pins(self.cycles());
            self.link.acknowledge(Pins::NMI_EDGE);
        }
        let hi = self.read(vector + 1, Access::Vector).unwrap_or(0);
        let stall = self.r.stall;
        if !nmi && !self.link.pins(self.cycles()).or(stall).has(Pins::NMI) {
            self.link.acknowledge(Pins::NMI_EDGE);
        }
        // Nothing is decided in these sequences, unless a stall gives the time for it.
        if stall.has(Pins::NMI.or(Pins::NMI_EDGE)) {
            self.r.pending = Pins::NMI_EDGE;
        }
        self.r.pc = u16::from_le_bytes([lo, hi]);
    }

    /// Sets I; the 65C02 also leaves decimal mode.
    fn mask_interrupts(&mut self) {
        self.sei();
        if V::CMOS {
            self.cld();
        }
    }

    /// A cycle while RES is low; the sequence begins in the second cycle after it is high again.
    pub(super) fn hold(&mut self) {
        self.r.phase = Phase::Reset;
        let _ = self.dummy(self.r.pc);
        if self.r.phase == Phase::Reset {
            let _ = self.dummy(self.r.pc);
        }
    }

    /// Reset is an interrupt whose pushes are reads.
    pub(super) fn reset_sequence(&mut self) {
        let (registers, cycles) = (self.registers(), self.cycles());
        self.link.interrupt(Interrupt::Reset, &registers, cycles);
        self.r.phase = Phase::Running;
        let _ = self.read(self.r.pc, Access::Opcode);
        let _ = self.dummy(self.r.pc);
        for _ in 0..3 {
            let _ = self.dummy(0x0100 | u16::from(self.r.s));
            self.r.s = self.r.s.wrapping_sub(1);
        }
        self.mask_interrupts();
        let lo = self.read(RESET, Access::Vector).unwrap_or(0);
        let hi = self.read(RESET + 1, Access::Vector).unwrap_or(0);
        self.r.pc = u16::from_le_bytes([lo, hi]);
        self.r.pending = Pins::NONE;
    }
}
