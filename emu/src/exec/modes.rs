//! Addressing modes: the cycles between the opcode and the access, ending in an address.
//! `ALWAYS` is true for writes, which cannot take back a wrong address and so always spend the cycle
//! that fixes the high byte; reads spend it only when the page is crossed.

use super::link::Link;
use super::{Core, Exit};
use crate::{Access, Variant};

impl<L: Link, V: Variant> Core<L, V> {
    #[inline(always)]
    pub(super) fn imm<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        let at = self.r.pc;
        self.r.pc = at.wrapping_add(1);
        Ok(at)
    }

    #[inline(always)]
    pub(super) fn zp<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        Ok(u16::from(self.operand()?))
    }

    #[inline(always)]
    pub(super) fn zpx<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        self.zp_indexed(self.r.x)
    }

    #[inline(always)]
    pub(super) fn zpy<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        self.zp_indexed(self.r.y)
    }

    #[inline(always)]
    pub(super) fn abs<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        let lo = self.operand()?;
        let hi = self.operand()?;
        Ok(u16::from_le_bytes([lo, hi]))
    }

    #[inline(always)]
    pub(super) fn abx<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        let base = self.abs::<ALWAYS>()?;
        self.index::<ALWAYS, false>(base, self.r.x, self.r.pc.wrapping_sub(1))
    }

    #[inline(always)]
    pub(super) fn aby<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        let base = self.abs::<ALWAYS>()?;
        self.index::<ALWAYS, false>(base, self.r.y, self.r.pc.wrapping_sub(1))
    }

    #[inline(always)]
    pub(super) fn izx<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        let pointer = self.zp_indexed(self.r.x)?;
        self.pointer(pointer as u8)
    }

    #[inline(always)]
    pub(super) fn izy<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        let pointer = self.operand()?;
        let base = self.pointer(pointer)?;
        self.index::<ALWAYS, true>(base, self.r.y, u16::from(pointer.wrapping_add(1)))
    }

    #[inline(always)]
    pub(super) fn izp<const ALWAYS: bool>(&mut self) -> Result<u16, Exit> {
        let pointer = self.operand()?;
        self.pointer(pointer)
    }

    /// The chip reads the unindexed address while it adds; the 65C02 its operand again.
    #[inline(always)]
    fn zp_indexed(&mut self, index: u8) -> Result<u16, Exit> {
        let base = self.operand()?;
        if V::CMOS {
            self.dummy_code(self.r.pc.wrapping_sub(1))?;
        } else {
            self.dummy(u16::from(base))?;
        }
        Ok(u16::from(base.wrapping_add(index)))
    }

    /// A pointer in the zero page, which wraps within it.
    #[inline(always)]
    fn pointer(&mut self, at: u8) -> Result<u16, Exit> {
        let lo = self.read(u16::from(at), Access::Pointer)?;
        let hi = self.read(u16::from(at.wrapping_add(1)), Access::Pointer)?;
        Ok(u16::from_le_bytes([lo, hi]))
    }

    /// Adds an index; `last` is the address of the last cycle.
    #[inline(always)]
    fn index<const ALWAYS: bool, const INDIRECT: bool>(
        &mut self,
        base: u16,
        index: u8,
        last: u16,
    ) -> Result<u16, Exit> {
        let at = base.wrapping_add(u16::from(index));
        let crosses = (base ^ at) & 0xff00 != 0;
        if ALWAYS || crosses {
            if V::CMOS {
                // The 65C02 reads nothing it should not: the same address again, or the right one.
                self.dummy(if crosses || INDIRECT { last } else { at })?;
            } else {
                self.read_then(uncarried(base, at), at, Access::Dummy)?;
            }
        }
        Ok(at)
    }
}

/// The address before the carry into the high byte is added.
#[inline(always)]
pub(super) fn uncarried(base: u16, at: u16) -> u16 {
    base & 0xff00 | at & 0x00ff
}
