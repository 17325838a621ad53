//! The NMOS dispatch: the rows of the instruction table, each as the cycles of its class.

use super::modes::uncarried;
use super::{Core, Exit};
use crate::{Access, Bus, Hooks, Phase, Pins, Status, Stop, Variant};

impl<B: Bus, H: Hooks, V: Variant> Core<'_, B, H, V> {
    #[inline(always)]
    pub(super) fn execute_nmos(&mut self, opcode: u8) -> Option<Exit> {
        let core = self;

        macro_rules! exec {
            // The unstable stores have addressing of their own.
            (write $mode:ident sha) => { core.store_and_high::<_, { mode::$mode }>(|core| core.r.a & core.r.x) };
            (write $mode:ident shx) => { core.store_and_high::<_, { mode::$mode }>(|core| core.r.x) };
            (write $mode:ident shy) => { core.store_and_high::<_, { mode::$mode }>(|core| core.r.y) };
            (write $mode:ident tas) => {
                core.store_and_high::<_, { mode::$mode }>(|core| {
                    core.r.s = core.r.a & core.r.x;
                    core.r.s
                })
            };
            (read imm lax) => { exec!(read imm lxa) };

            (read $mode:ident nop) => {{
                let at = core.$mode::<false>();
                core.last_read(at, Access::Data);
            }};
            (read imm $op:ident) => {{
                let value = core.last_operand();
                core.$op(value);
            }};
            (read $mode:ident $op:ident) => {{
                let at = core.$mode::<false>();
                let value = core.last_read(at, Access::Data);
                core.$op(value);
            }};
            (write $mode:ident $op:ident) => {{
                let at = core.$mode::<true>();
                core.poll();
                let value = core.$op();
                core.write(at, value, Access::Data);
            }};
            (modify $mode:ident $op:ident) => {{
                let at = core.$mode::<true>();
                let value = core.read(at, Access::Data);
                core.write(at, value, Access::Dummy);
                let result = core.$op(value);
                core.poll();
                core.write(at, result, Access::Data);
            }};

            (register imp nop) => { exec!(internal {}) };
            (register imp asl) => { exec!(internal { core.r.a = core.asl(core.r.a) }) };
            (register imp lsr) => { exec!(internal { core.r.a = core.lsr(core.r.a) }) };
            (register imp rol) => { exec!(internal { core.r.a = core.rol(core.r.a) }) };
            (register imp ror) => { exec!(internal { core.r.a = core.ror(core.r.a) }) };
            (register imp $op:ident) => { exec!(internal { core.$op() }) };
            (internal $work:block) => {{
                core.poll();
                core.dummy(core.r.pc);
                $work
                core.poll_stall();
            }};

            (push imp pha) => { core.push_register(|core| core.r.a) };
            (push imp php) => { core.push_register(|core| core.status().byte() | Status::B) };
            (pull imp pla) => {{
                let value = core.pull_register();
                core.lda(value);
            }};
            (pull imp plp) => {{
                let value = core.pull_register();
                core.set_status(value);
            }};

            (branch rel bpl) => { return core.branch(!core.is_n()) };
            (branch rel bmi) => { return core.branch(core.is_n()) };
            (branch rel bvc) => { return core.branch(core.r.v & 0x80 == 0) };
            (branch rel bvs) => { return core.branch(core.r.v & 0x80 != 0) };
            (branch rel bcc) => { return core.branch(core.r.c == 0) };
            (branch rel bcs) => { return core.branch(core.r.c != 0) };
            (branch rel bne) => { return core.branch(!core.is_z()) };
            (branch rel beq) => { return core.branch(core.is_z()) };

            (flow abs jmp) => { return core.jmp_abs() };
            (flow ind jmp) => { return core.jmp_ind() };
            (flow abs jsr) => { core.jsr() };
            (flow imp $op:ident) => { return core.$op() };
        }

        macro_rules! dispatch {
            ($($code:literal $op:ident $mode:ident $cycles:literal $timing:ident $class:ident $standing:ident;)*) => {
                match opcode { $($code => exec!($class $mode $op)),* }
            };
        }

        isa::nmos_opcodes!(dispatch);
        None
    }

    /// `sha`, `shx`, `shy`, `tas`: the value and the carry into the high byte meet on the same lines, so the
    /// value is ANDed with the high byte plus one, and on a page cross the result becomes the high byte.
    /// If RDY holds the cycle before the write, the carry is gone by then and the value goes out as it is.
    #[inline(always)]
    fn store_and_high<F: FnOnce(&mut Self) -> u8, const MODE: u8>(&mut self, register: F) {
        let (base, index) = match MODE {
            mode::izy => (self.izp::<true>(), self.r.y),
            mode::aby => (self.abs::<true>(), self.r.y),
            _ => (self.abs::<true>(), self.r.x),
        };
        let at = base.wrapping_add(u16::from(index));
        let register = register(self);
        let masked = register & (((base >> 8) as u8).wrapping_add(1) | self.unstable.sh);
        let wrong = uncarried(base, at);
        let at = if wrong == at { at } else { u16::from_le_bytes([at as u8, masked]) };
        self.read_then(wrong, at, Access::Dummy);
        let value = if self.r.stall.has(Pins::RDY) { register } else { masked };
        self.poll();
        self.write(at, value, Access::Data);
    }

    /// The sequencer is stuck; the bus shows a fixed pattern, then $FFFF for ever.
    #[inline(always)]
    fn jam(&mut self) -> Option<Exit> {
        self.dummy(self.r.pc);
        self.dummy(0xffff);
        self.dummy(0xfffe);
        self.dummy(0xfffe);
        self.r.phase = Phase::Jammed;
        Some(Exit::Stop(Stop::Jammed))
    }
}

/// The modes of the unstable stores as constants, named as in the table.
#[allow(non_upper_case_globals)]
mod mode {
    pub const izy: u8 = 0;
    pub const aby: u8 = 1;
    pub const abx: u8 = 2;
}
