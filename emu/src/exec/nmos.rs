//! The NMOS dispatch: the rows of the instruction table, each as the cycles of its class.

use core::hint::cold_path;

use super::link::Link;
use super::modes::uncarried;
use super::{Core, Exit};
use crate::{Access, Phase, Pins, Status, Stop, Variant};

impl<L: Link, V: Variant> Core<L, V> {
    #[inline(always)]
    pub(super) fn execute_nmos(&mut self, opcode: u8) -> Result<(), Exit> {
        let core = self;

        macro_rules! exec {
            // The unstable stores have addressing of their own.
            (write $mode:ident sha) => { return core.store_and_high::<_, { mode::$mode }>(|core| core.r.a & core.r.x) };
            (write $mode:ident shx) => { return core.store_and_high::<_, { mode::$mode }>(|core| core.r.x) };
            (write $mode:ident shy) => { return core.store_and_high::<_, { mode::$mode }>(|core| core.r.y) };
            (write $mode:ident tas) => {
                return core.store_and_high::<_, { mode::$mode }>(|core| {
                    core.r.s = core.r.a & core.r.x;
                    core.r.s
                })
            };
            (read imm lax) => {{ core.leave_plain()?; exec!(read imm lxa) }};
            (read imm ane) => {{ core.leave_plain()?; let value = exec!(value imm); core.ane(value); }};
            (read $mode:ident adc) => {{ let value = exec!(value $mode); return core.adc(value) }};
            (read $mode:ident sbc) => {{ let value = exec!(value $mode); return core.sbc(value) }};
            (read $mode:ident sbc2) => { exec!(read $mode sbc) };
            (read $mode:ident nop) => {{ exec!(value $mode); }};
            (read $mode:ident $op:ident) => {{ let value = exec!(value $mode); core.$op(value); }};
            (value imm) => { core.last_operand()? };
            (value $mode:ident) => {{
                let at = core.$mode::<false>()?;
                core.last_read(at, Access::Data)?
            }};
            (write $mode:ident $op:ident) => {{
                let at = core.$mode::<true>()?;
                core.poll();
                let value = core.$op();
                core.write(at, value, Access::Data)?;
            }};
            (modify $mode:ident rra) => {{ let value = exec!(modified $mode ror); return core.adc(value) }};
            (modify $mode:ident isc) => {{ let value = exec!(modified $mode inc); return core.sbc(value) }};
            (modify $mode:ident $op:ident) => {{ exec!(modified $mode $op); }};
            (modified $mode:ident $op:ident) => {{
                let at = core.$mode::<true>()?;
                let value = core.read(at, Access::Data)?;
                core.write_first(at, value)?;
                let result = core.$op(value);
                core.poll();
                core.write(at, result, Access::Data)?;
                result
            }};

            (register imp cli) => {{
                core.leave_if_masked_anew(0)?;
                exec!(internal { core.cli() })
            }};
            (register imp sei) => {{
                core.leave_if_masked_anew(Status::I)?;
                exec!(internal { core.sei() })
            }};
            (register imp nop) => { exec!(internal {}) };
            (register imp asl) => { exec!(internal { core.r.a = core.asl(core.r.a) }) };
            (register imp lsr) => { exec!(internal { core.r.a = core.lsr(core.r.a) }) };
            (register imp rol) => { exec!(internal { core.r.a = core.rol(core.r.a) }) };
            (register imp ror) => { exec!(internal { core.r.a = core.ror(core.r.a) }) };
            (register imp $op:ident) => { exec!(internal { core.$op() }) };
            (internal $work:block) => {{
                core.poll();
                core.dummy_code(core.r.pc)?;
                $work
                core.poll_stall();
            }};

            (push imp pha) => { return core.push_register(|core| core.r.a) };
            (push imp php) => { return core.push_register(|core| core.status().byte() | Status::B) };
            (pull imp pla) => {{
                let value = core.pull_register()?;
                core.lda(value);
            }};
            (pull imp plp) => {{
                let value = core.pull_register()?;
                core.leave_if_masked_anew(value)?;
                core.set_status(value);
            }};

            (branch rel $op:ident) => { return core.branch_on_flag(opcode) };

            (flow abs jmp) => { return core.jmp_abs() };
            (flow ind jmp) => { return core.jmp_ind() };
            (flow abs jsr) => { return core.jsr() };
            (flow imp $op:ident) => { return core.$op() };
        }

        // What programs hardly use is not to get the machine registers.
        macro_rules! weigh {
            (doc) => {};
            ($standing:ident) => {
                cold_path()
            };
        }

        macro_rules! dispatch {
            ($($code:literal $op:ident $mode:ident $cycles:literal $timing:ident $class:ident $standing:ident;)*) => {
                match opcode { $($code => { weigh!($standing); exec!($class $mode $op) }),* }
            };
        }

        tempo_isa::nmos_opcodes!(dispatch);
        Ok(())
    }

    /// `sha`, `shx`, `shy`, `tas`: the value and the carry into the high byte meet on the same lines, so the
    /// value is ANDed with the high byte plus one, and on a page cross the result becomes the high byte.
    /// If RDY holds the cycle before the write, the carry is gone by then and the value goes out as it is.
    #[inline(always)]
    fn store_and_high<F: FnOnce(&mut Self) -> u8, const MODE: u8>(
        &mut self,
        register: F,
    ) -> Result<(), Exit> {
        self.leave_plain()?;
        let (base, index) = match MODE {
            mode::izy => (self.izp::<true>()?, self.r.y),
            mode::aby => (self.abs::<true>()?, self.r.y),
            _ => (self.abs::<true>()?, self.r.x),
        };
        let at = base.wrapping_add(u16::from(index));
        let register = register(self);
        let masked = register & (((base >> 8) as u8).wrapping_add(1) | self.unstable.sh);
        let wrong = uncarried(base, at);
        let at = if wrong == at { at } else { u16::from_le_bytes([at as u8, masked]) };
        self.read_then(wrong, at, Access::Dummy)?;
        let value = if L::STALLS && self.r.stall.has(Pins::RDY) { register } else { masked };
        self.poll();
        self.write(at, value, Access::Data)
    }

    /// The sequencer is stuck; the bus shows a fixed pattern, then $FFFF for ever.
    #[inline(always)]
    fn jam(&mut self) -> Result<(), Exit> {
        self.leave_plain()?;
        self.dummy(self.r.pc)?;
        self.dummy(0xffff)?;
        self.dummy(0xfffe)?;
        self.dummy(0xfffe)?;
        self.r.phase = Phase::Jammed;
        Err(Exit::Stop(Stop::Jammed))
    }
}

/// The modes of the unstable stores as constants, named as in the table.
#[allow(non_upper_case_globals)]
mod mode {
    pub const izy: u8 = 0;
    pub const aby: u8 = 1;
    pub const abx: u8 = 2;
}
