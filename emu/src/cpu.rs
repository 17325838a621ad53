//! The CPU between instructions: registers that can be set, saved, restored and compared, and the ways to
//! run it. How an instruction runs is in `exec`.

use core::marker::PhantomData;

use crate::{Bus, Hooks, Nmos, NoHooks, Pins, Registers, Run, Variant};

/// A CPU at an instruction boundary. Two of them are equal when nothing can tell them apart.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = ""))]
pub struct Cpu<V: Variant = Nmos> {
    /// The registers. Set `pc` and run.
    pub registers: Registers,
    /// Cycles so far. May be set; runs count on from it.
    pub cycles: u64,
    /// Whether the CPU runs instructions, and what it does instead.
    pub phase: Phase,
    /// How the unstable opcodes of this chip behave.
    pub unstable: Unstable,
    /// The interrupt that was decided in the last instruction and comes before the next.
    pub(crate) pending: Pins,
    /// The last instruction writes V so late that SO in the next opcode fetch is lost.
    pub(crate) is_v_late: bool,
    #[cfg_attr(feature = "serde", serde(skip))]
    variant: PhantomData<V>,
}

/// Whether the CPU runs, and what it does instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Phase {
    /// It runs instructions.
    #[default]
    Running,
    /// The seven-cycle reset sequence comes next.
    Reset,
    /// RES is low.
    Held,
    /// A jam opcode ran; only reset ends it.
    Jammed,
    /// After `wai` (65C02): until an interrupt line is low.
    Waiting,
    /// After `stp` (65C02): until reset.
    Stopped,
}

/// The constants of the opcodes whose result depends on the chip and its temperature.
/// The default is what the transistor netlist gives; 0xee, 0xef and 0xff are seen on real chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unstable {
    /// `ane`: A = (A | ane) & X & operand.
    pub ane: u8,
    /// The bits of `ane` that are lost when RDY stops the CPU before the operand.
    pub ane_lost: u8,
    /// `lax #`: A = X = (A | lxa) & operand.
    pub lxa: u8,
    /// `sha`, `shx`, `shy`, `tas`: what the high byte of the address, plus one, is ORed with before it masks
    /// the stored value. 0 is the stable behaviour, 0xff a chip where the mask drops off.
    pub sh: u8,
}

/// When a run ends. An end that is not asked for costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Until {
    /// At the first instruction boundary after this many cycles of this run.
    pub cycles: u64,
    /// Before the instruction at this address, even if it is the first.
    pub address: Option<u16>,
    /// Before a `brk`. Its opcode is fetched, but not counted.
    pub brk: bool,
    /// After an `rts` (or `rti`) that returns above the stack level at which the run began.
    pub rts: bool,
    /// The level it began at, if this is the continuation of an earlier run.
    pub level: Option<u8>,
    /// After a jump or branch to itself.
    pub trap: bool,
}

impl Until {
    /// No end but a CPU that stops by itself.
    pub const fn forever() -> Until {
        Until { cycles: u64::MAX, address: None, brk: false, rts: false, level: None, trap: false }
    }

    /// After this many cycles.
    pub const fn cycles(cycles: u64) -> Until {
        Until { cycles, ..Until::forever() }
    }

    /// Before the instruction at this address.
    pub const fn address(address: u16) -> Until {
        Until { address: Some(address), ..Until::forever() }
    }

    /// Before a `brk`.
    pub const fn brk() -> Until {
        Until { brk: true, ..Until::forever() }
    }

    /// After the `rts` that returns from the routine at which the run starts.
    pub const fn rts() -> Until {
        Until { rts: true, ..Until::forever() }
    }

    /// After an instruction that jumps to itself.
    pub const fn trap() -> Until {
        Until { trap: true, ..Until::forever() }
    }

    /// The same ends, and after this many cycles at the latest.
    #[must_use]
    pub const fn within(self, cycles: u64) -> Until {
        Until { cycles, ..self }
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stop {
    /// The cycles are used up.
    Cycles,
    /// The next instruction is at the address asked for.
    Address,
    /// The next instruction is a `brk`.
    Brk,
    /// An `rts` went above the stack level of the start.
    Rts,
    /// An instruction jumped to itself.
    Trap,
    /// A hook asked for it.
    Hook,
    /// The machine asked for it; see [`crate::FastBus::ends_run`].
    Machine,
    /// A jam opcode ran; the CPU is halted until reset.
    Jammed,
    /// A `wai` waits on a bus that will never interrupt (65C02).
    Waiting,
    /// A `stp` ran (65C02).
    Stopped,
}

impl<V: Variant> Cpu<V> {
    /// A CPU with [`Registers::default`]. Set `registers.pc` and run it, or call [`Cpu::reset`] first.
    pub fn new() -> Cpu<V> {
        Cpu {
            registers: Registers::default(),
            cycles: 0,
            phase: Phase::Running,
            unstable: Unstable::default(),
            pending: Pins::NONE,
            is_v_late: false,
            variant: PhantomData,
        }
    }

    /// A CPU with these registers.
    pub fn with_registers(registers: Registers) -> Cpu<V> {
        Cpu { registers, ..Cpu::new() }
    }

    /// Makes the seven-cycle reset sequence the next thing the CPU does.
    pub fn reset(&mut self) {
        self.phase = Phase::Reset;
        self.pending = Pins::NONE;
        self.is_v_late = false;
    }

    /// Runs until one of the ends; the result says which.
    pub fn run<B: Bus>(&mut self, bus: &mut B, until: Until) -> Stop {
        self.run_with(bus, &mut NoHooks, until)
    }

    /// Runs with hooks.
    pub fn run_with<B: Bus, H: Hooks>(&mut self, bus: &mut B, hooks: &mut H, until: Until) -> Stop {
        bus.run_cpu(Run::new(self, hooks, until))
    }

    /// Runs one instruction, or one interrupt sequence in its place.
    /// [`Stop::Cycles`] is the usual answer; a halted CPU says so and uses no cycle.
    pub fn step<B: Bus>(&mut self, bus: &mut B) -> Stop {
        self.run(bus, Until::cycles(1))
    }

    /// Runs one instruction with hooks.
    pub fn step_with<B: Bus, H: Hooks>(&mut self, bus: &mut B, hooks: &mut H) -> Stop {
        self.run_with(bus, hooks, Until::cycles(1))
    }

    /// Whether an interrupt is decided and comes before the next instruction.
    pub fn is_interrupt_pending(&self) -> bool {
        self.pending != Pins::NONE
    }
}

impl<V: Variant> Default for Cpu<V> {
    fn default() -> Cpu<V> {
        Cpu::new()
    }
}
