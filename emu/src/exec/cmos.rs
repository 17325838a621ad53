//! The 65C02 dispatch: the rows of its table, each as the cycles of its class, and the operations the NMOS
//! chip does not have.

use super::link::{INTERRUPTS, Link};
use super::{Core, Exit};
use crate::{Access, Phase, Pins, Status, Stop, Variant};

/// `rmb` and `smb`: one bit of memory cleared or set.
macro_rules! bits {
    ($($clear:ident $set:ident $mask:literal),*) => {$(
        #[inline(always)]
        fn $clear(&mut self, value: u8) -> u8 {
            value & !$mask
        }

        #[inline(always)]
        fn $set(&mut self, value: u8) -> u8 {
            value | $mask
        }
    )*};
}

impl<L: Link, V: Variant> Core<L, V> {
    #[inline(always)]
    pub(super) fn execute_cmos(&mut self, opcode: u8) -> Result<(), Exit> {
        let core = self;

        macro_rules! exec {
            (0x5c read abs nop) => { return core.nop_of_eight_cycles() };
            ($code:literal read imm bit) => {{
                let value = core.last_operand()?;
                // No memory, no N and V: only Z.
                core.r.nz = super::lazy_nz(core.is_n(), core.r.a & value == 0);
            }};
            ($code:literal read $mode:ident nop) => {{
                let at = core.$mode::<false>()?;
                core.last_read(at, Access::Data)?;
            }};
            ($code:literal read $mode:ident adc) => {{
                let at = core.$mode::<false>()?;
                let value = core.decimal_operand(at)?;
                return core.adc(value);
            }};
            ($code:literal read $mode:ident sbc) => {{
                let at = core.$mode::<false>()?;
                let value = core.decimal_operand(at)?;
                return core.sbc(value);
            }};
            ($code:literal read imm $op:ident) => {{
                let value = core.last_operand()?;
                core.$op(value);
            }};
            ($code:literal read $mode:ident $op:ident) => {{
                let at = core.$mode::<false>()?;
                let value = core.last_read(at, Access::Data)?;
                core.$op(value);
            }};
            ($code:literal write $mode:ident $op:ident) => {{
                let at = core.$mode::<true>()?;
                core.poll();
                let value = core.$op();
                core.write(at, value, Access::Data)?;
            }};
            // Counting always spends the cycle that fixes the page, shifting only when it must.
            ($code:literal modify abx inc) => {{
                let at = core.abx::<true>()?;
                return core.modify(at, |core, value| core.inc(value));
            }};
            ($code:literal modify abx dec) => {{
                let at = core.abx::<true>()?;
                return core.modify(at, |core, value| core.dec(value));
            }};
            ($code:literal modify $mode:ident $op:ident) => {{
                let at = core.$mode::<false>()?;
                return core.modify(at, |core, value| core.$op(value));
            }};

            ($code:literal skip imp nop) => {{}};
            ($code:literal register imp cli) => {{
                core.leave_if_masked_anew(0)?;
                exec!(internal { core.cli() })
            }};
            ($code:literal register imp sei) => {{
                core.leave_if_masked_anew(Status::I)?;
                exec!(internal { core.sei() })
            }};
            ($code:literal register imp nop) => { exec!(internal {}) };
            ($code:literal register imp asl) => { exec!(internal { core.r.a = core.asl(core.r.a) }) };
            ($code:literal register imp lsr) => { exec!(internal { core.r.a = core.lsr(core.r.a) }) };
            ($code:literal register imp rol) => { exec!(internal { core.r.a = core.rol(core.r.a) }) };
            ($code:literal register imp ror) => { exec!(internal { core.r.a = core.ror(core.r.a) }) };
            ($code:literal register imp inc) => { exec!(internal { core.r.a = core.inc(core.r.a) }) };
            ($code:literal register imp dec) => { exec!(internal { core.r.a = core.dec(core.r.a) }) };
            ($code:literal register imp $op:ident) => { exec!(internal { core.$op() }) };
            (internal $work:block) => {{
                core.poll();
                core.dummy_code(core.r.pc)?;
                $work
                core.poll_stall();
            }};

            ($code:literal push imp pha) => { return core.push_register(|core| core.r.a) };
            ($code:literal push imp phx) => { return core.push_register(|core| core.r.x) };
            ($code:literal push imp phy) => { return core.push_register(|core| core.r.y) };
            ($code:literal push imp php) => { return core.push_register(|core| core.status().byte() | Status::B) };
            ($code:literal pull imp pla) => {{ let value = core.pull_register()?; core.lda(value); }};
            ($code:literal pull imp plx) => {{ let value = core.pull_register()?; core.ldx(value); }};
            ($code:literal pull imp ply) => {{ let value = core.pull_register()?; core.ldy(value); }};
            ($code:literal pull imp plp) => {{ let value = core.pull_register()?; core.leave_if_masked_anew(value)?; core.set_status(value); }};

            ($code:literal branch rel bra) => { return core.branch(true) };
            ($code:literal branch rel $op:ident) => { return core.branch_on_flag(opcode) };
            // `bbr` and `bbs`: the opcode's high digit is the bit and what it is compared with.
            ($code:literal branch zpr $op:ident) => {
                return core.branch_on_bit(1 << ($code >> 4 & 7), $code & 0x80)
            };

            ($code:literal flow abs jmp) => { return core.jmp_abs() };
            ($code:literal flow ind jmp) => { return core.jmp_ind_fixed() };
            ($code:literal flow iax jmp) => { return core.jmp_iax() };
            ($code:literal flow abs jsr) => { return core.jsr() };
            ($code:literal flow imp $op:ident) => { return core.$op() };
        }

        macro_rules! dispatch {
            ($($code:tt $op:ident $mode:ident $cycles:literal $timing:ident $class:ident $standing:ident;)*) => {
                match opcode { $($code => exec!($code $class $mode $op)),* }
            };
        }

        tempo_isa::cmos_opcodes!(dispatch);
        Ok(())
    }

    bits!(rmb0 smb0 0x01, rmb1 smb1 0x02, rmb2 smb2 0x04, rmb3 smb3 0x08);
    bits!(rmb4 smb4 0x10, rmb5 smb5 0x20, rmb6 smb6 0x40, rmb7 smb7 0x80);

    /// Read, read again, write: the 65C02 does not write the old value back.
    #[inline(always)]
    fn modify(&mut self, at: u16, change: impl FnOnce(&mut Self, u8) -> u8) -> Result<(), Exit> {
        let value = self.read(at, Access::Data)?;
        self.dummy(at)?;
        let result = change(self, value);
        self.poll();
        self.write(at, result, Access::Data)
    }

    #[inline(always)]
    fn stz(&self) -> u8 {
        0
    }

    #[inline(always)]
    fn tsb(&mut self, value: u8) -> u8 {
        self.r.nz = super::lazy_nz(self.is_n(), self.r.a & value == 0);
        value | self.r.a
    }

    #[inline(always)]
    fn trb(&mut self, value: u8) -> u8 {
        self.r.nz = super::lazy_nz(self.is_n(), self.r.a & value == 0);
        value & !self.r.a
    }

    #[inline(always)]
    fn branch_on_bit(&mut self, mask: u8, set: u8) -> Result<(), Exit> {
        let from = self.r.pc.wrapping_sub(1);
        let at = u16::from(self.operand()?);
        let value = self.read(at, Access::Data)?;
        self.dummy(at)?;
        let offset = self.last_operand()?;
        if (value & mask != 0) == (set != 0) { self.take_branch(from, offset) } else { Ok(()) }
    }

    /// The chip takes a cycle more than the NMOS one, and gets the page end right.
    #[inline(always)]
    fn jmp_ind_fixed(&mut self) -> Result<(), Exit> {
        let from = self.r.pc.wrapping_sub(1);
        let pointer = self.abs::<false>()?;
        self.dummy_code(self.r.pc.wrapping_sub(1))?;
        let lo = self.read(pointer, Access::Pointer)?;
        let hi = self.last_read(pointer.wrapping_add(1), Access::Pointer)?;
        self.go(from, u16::from_le_bytes([lo, hi]))
    }

    #[inline(always)]
    fn jmp_iax(&mut self) -> Result<(), Exit> {
        let from = self.r.pc.wrapping_sub(1);
        let base = self.abs::<false>()?;
        self.dummy_code(self.r.pc.wrapping_sub(1))?;
        let pointer = base.wrapping_add(u16::from(self.r.x));
        let lo = self.read(pointer, Access::Pointer)?;
        let hi = self.last_read(pointer.wrapping_add(1), Access::Pointer)?;
        self.go(from, u16::from_le_bytes([lo, hi]))
    }

    #[inline(always)]
    fn nop_of_eight_cycles(&mut self) -> Result<(), Exit> {
        self.leave_plain()?;
        let at = self.abs::<false>()?;
        self.dummy(0xff00 | at & 0xff)?;
        for _ in 0..3 {
            self.dummy(0xffff)?;
        }
        self.last_dummy(0xffff)
    }

    /// The operand of `adc` and `sbc`: decimal mode takes another cycle, to correct the result and its flags.
    #[inline(always)]
    fn decimal_operand(&mut self, at: u16) -> Result<u8, Exit> {
        if !self.is_decimal() {
            return self.last_read(at, Access::Data);
        }
        let value = self.read(at, Access::Data)?;
        self.last_dummy(at)?;
        Ok(value)
    }

    #[inline(always)]
    fn wai(&mut self) -> Result<(), Exit> {
        self.leave_plain()?;
        self.dummy(self.r.pc)?;
        self.dummy(self.r.pc)?;
        self.r.phase = Phase::Waiting;
        self.r.pending = Pins::NONE;
        Err(Exit::Stop(Stop::Waiting))
    }

    /// One cycle of waiting. A line that is low ends it, even if I keeps the interrupt away.
    pub(super) fn wait_cycle(&mut self) {
        if self.link.pins(self.cycles()).has_any(INTERRUPTS) {
            self.poll();
            self.r.phase = Phase::Running;
        } else {
            let _ = self.dummy(self.r.pc);
        }
    }

    #[inline(always)]
    fn stp(&mut self) -> Result<(), Exit> {
        self.leave_plain()?;
        self.dummy(self.r.pc)?;
        self.dummy(self.r.pc)?;
        self.r.phase = Phase::Stopped;
        Err(Exit::Stop(Stop::Stopped))
    }
}
