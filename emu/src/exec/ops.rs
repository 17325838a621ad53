//! The computation of instructions: values in, registers and flags out. No bus cycle happens here.

use core::hint::cold_path;

use super::decimal::{self, Sum};
use super::link::Link;
use super::{Core, Exit, lazy_nz};
use crate::{Status, Variant};

/// A register that takes a value and shows it in N and Z.
macro_rules! load {
    ($($op:ident: $reg:ident),*) => {$(
        #[inline(always)]
        pub(super) fn $op(&mut self, value: u8) {
            self.r.$reg = value;
            self.set_nz(value);
        }
    )*};
}

/// One register into another.
macro_rules! transfer {
    ($($op:ident: $from:ident => $to:ident),*) => {$(
        #[inline(always)]
        pub(super) fn $op(&mut self) {
            self.r.$to = self.r.$from;
            self.set_nz(self.r.$to);
        }
    )*};
}

/// A register up or down by one.
macro_rules! count {
    ($($op:ident: $reg:ident $step:ident),*) => {$(
        #[inline(always)]
        pub(super) fn $op(&mut self) {
            self.r.$reg = self.r.$reg.$step(1);
            self.set_nz(self.r.$reg);
        }
    )*};
}

/// A register compared with a value.
macro_rules! compare {
    ($($op:ident: $reg:ident),*) => {$(
        #[inline(always)]
        pub(super) fn $op(&mut self, value: u8) {
            self.r.c = u8::from(self.r.$reg >= value);
            self.set_nz(self.r.$reg.wrapping_sub(value));
        }
    )*};
}

impl<L: Link, V: Variant> Core<L, V> {
    load!(lda: a, ldx: x, ldy: y);
    transfer!(tax: a => x, tay: a => y, txa: x => a, tya: y => a, tsx: s => x);
    count!(inx: x wrapping_add, iny: y wrapping_add, dex: x wrapping_sub, dey: y wrapping_sub);
    compare!(cmp: a, cpx: x, cpy: y);

    #[inline(always)]
    pub(super) fn txs(&mut self) {
        self.r.s = self.r.x;
    }

    #[inline(always)]
    pub(super) fn clc(&mut self) {
        self.r.c = 0;
    }

    #[inline(always)]
    pub(super) fn sec(&mut self) {
        self.r.c = 1;
    }

    #[inline(always)]
    pub(super) fn clv(&mut self) {
        self.r.v = 0;
        self.write_v_late();
    }

    /// SO in the next opcode fetch comes too early to change V.
    #[inline(always)]
    fn write_v_late(&mut self) {
        if L::IS_WATCHED {
            self.r.is_v_late = true;
        }
    }

    #[inline(always)]
    pub(super) fn cld(&mut self) {
        self.r.enabled &= !Status::D;
    }

    #[inline(always)]
    pub(super) fn sed(&mut self) {
        self.r.enabled |= Status::D;
    }

    #[inline(always)]
    pub(super) fn cli(&mut self) {
        self.r.enabled |= Status::I;
    }

    #[inline(always)]
    pub(super) fn sei(&mut self) {
        self.r.enabled &= !Status::I;
    }

    #[inline(always)]
    pub(super) fn and(&mut self, value: u8) {
        self.lda(self.r.a & value);
    }

    #[inline(always)]
    pub(super) fn ora(&mut self, value: u8) {
        self.lda(self.r.a | value);
    }

    #[inline(always)]
    pub(super) fn eor(&mut self, value: u8) {
        self.lda(self.r.a ^ value);
    }

    /// Z from the AND, N and V from the operand.
    #[inline(always)]
    pub(super) fn bit(&mut self, value: u8) {
        self.r.v = value << 1;
        self.r.nz = u32::from(value & 0x80) << 8 | u32::from(self.r.a & value);
    }

    /// The last thing an instruction does. In decimal mode an `Err` leaves it to one place for all of them.
    #[inline(always)]
    pub(super) fn adc(&mut self, value: u8) -> Result<(), Exit> {
        if self.is_decimal() {
            cold_path();
            return Err(Exit::Add(value));
        }
        self.add(value);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn sbc(&mut self, value: u8) -> Result<(), Exit> {
        if self.is_decimal() {
            cold_path();
            return Err(Exit::Subtract(value));
        }
        self.add(!value);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn add_decimal(&mut self, value: u8) {
        let add = if V::CMOS { decimal::add_cmos } else { decimal::add_nmos };
        self.take(add(self.r.a, value, self.r.c));
    }

    #[inline(always)]
    pub(super) fn subtract_decimal(&mut self, value: u8) {
        let subtract = if V::CMOS { decimal::subtract_cmos } else { decimal::subtract_nmos };
        self.take(subtract(self.r.a, value, self.r.c));
    }

    #[inline(always)]
    fn add(&mut self, value: u8) {
        let a = self.r.a;
        let sum = u32::from(a) + u32::from(value) + u32::from(self.r.c);
        let result = sum as u8;
        self.r.v = (a ^ result) & (value ^ result);
        self.write_v_late();
        self.r.c = (sum >> 8) as u8;
        self.lda(result);
    }

    #[inline(always)]
    fn take(&mut self, sum: Sum) {
        self.r.a = sum.value;
        self.r.nz = lazy_nz(sum.n, sum.z);
        self.r.v = if sum.v { 0x80 } else { 0 };
        self.write_v_late();
        self.r.c = u8::from(sum.c);
    }

    // --- shifts and counts on memory, or on the accumulator ---------------------------------------------

    #[inline(always)]
    pub(super) fn asl(&mut self, value: u8) -> u8 {
        self.r.c = value >> 7;
        self.shown(value << 1)
    }

    #[inline(always)]
    pub(super) fn lsr(&mut self, value: u8) -> u8 {
        self.r.c = value & 1;
        self.shown(value >> 1)
    }

    #[inline(always)]
    pub(super) fn rol(&mut self, value: u8) -> u8 {
        let result = value << 1 | self.r.c;
        self.r.c = value >> 7;
        self.shown(result)
    }

    #[inline(always)]
    pub(super) fn ror(&mut self, value: u8) -> u8 {
        let result = value >> 1 | self.r.c << 7;
        self.r.c = value & 1;
        self.shown(result)
    }

    #[inline(always)]
    pub(super) fn inc(&mut self, value: u8) -> u8 {
        self.shown(value.wrapping_add(1))
    }

    #[inline(always)]
    pub(super) fn dec(&mut self, value: u8) -> u8 {
        self.shown(value.wrapping_sub(1))
    }

    #[inline(always)]
    fn shown(&mut self, result: u8) -> u8 {
        self.set_nz(result);
        result
    }

    // --- stores -----------------------------------------------------------------------------------------

    #[inline(always)]
    pub(super) fn sta(&self) -> u8 {
        self.r.a
    }

    #[inline(always)]
    pub(super) fn stx(&self) -> u8 {
        self.r.x
    }

    #[inline(always)]
    pub(super) fn sty(&self) -> u8 {
        self.r.y
    }

    // --- undocumented -----------------------------------------------------------------------------------

    #[inline(always)]
    pub(super) fn sax(&self) -> u8 {
        self.r.a & self.r.x
    }

    #[inline(always)]
    pub(super) fn lax(&mut self, value: u8) {
        self.r.x = value;
        self.lda(value);
    }

    #[inline(always)]
    pub(super) fn las(&mut self, value: u8) {
        self.r.s &= value;
        self.lax(self.r.s);
    }

    #[inline(always)]
    pub(super) fn slo(&mut self, value: u8) -> u8 {
        let result = self.asl(value);
        self.ora(result);
        result
    }

    #[inline(always)]
    pub(super) fn rla(&mut self, value: u8) -> u8 {
        let result = self.rol(value);
        self.and(result);
        result
    }

    #[inline(always)]
    pub(super) fn sre(&mut self, value: u8) -> u8 {
        let result = self.lsr(value);
        self.eor(result);
        result
    }

    #[inline(always)]
    pub(super) fn dcp(&mut self, value: u8) -> u8 {
        let result = value.wrapping_sub(1);
        self.cmp(result);
        result
    }

    #[inline(always)]
    pub(super) fn anc(&mut self, value: u8) {
        self.and(value);
        self.r.c = self.r.a >> 7;
    }

    #[inline(always)]
    pub(super) fn anc2(&mut self, value: u8) {
        self.anc(value);
    }

    #[inline(always)]
    pub(super) fn alr(&mut self, value: u8) {
        self.r.a = self.lsr(self.r.a & value);
    }

    /// AND, then rotate right through the adder, whose decimal correction then applies.
    #[inline(always)]
    pub(super) fn arr(&mut self, value: u8) {
        let masked = self.r.a & value;
        let rotated = masked >> 1 | self.r.c << 7;
        self.set_nz(rotated);
        if self.is_decimal() {
            self.r.v = (masked ^ rotated) << 1;
            let mut result = rotated;
            if (masked & 0x0f) + (masked & 0x01) > 0x05 {
                result = result & 0xf0 | result.wrapping_add(0x06) & 0x0f;
            }
            let carries = u16::from(masked & 0xf0) + u16::from(masked & 0x10) > 0x50;
            self.r.c = u8::from(carries);
            self.r.a = if carries { result.wrapping_add(0x60) } else { result };
        } else {
            self.r.c = rotated >> 6 & 1;
            self.r.v = (rotated ^ rotated << 1) << 1;
            self.r.a = rotated;
        }
    }

    #[inline(always)]
    pub(super) fn sbx(&mut self, value: u8) {
        let both = self.r.a & self.r.x;
        self.r.c = u8::from(both >= value);
        self.ldx(both.wrapping_sub(value));
    }

    #[inline(always)]
    pub(super) fn ane(&mut self, value: u8) {
        let is_held = L::STALLS && self.r.stall.has(crate::Pins::RDY);
        let lost = if is_held { self.unstable.ane_lost } else { 0 };
        self.lda((self.r.a | self.unstable.ane & !lost) & self.r.x & value);
    }

    #[inline(always)]
    pub(super) fn lxa(&mut self, value: u8) {
        self.lax((self.r.a | self.unstable.lxa) & value);
    }
}
