//! What an instruction reads and writes inside the processor, for the question who made a value.

use tempo_emu::Status;
use tempo_isa::{Instruction, Mnemonic, Mode};

/// A set of registers and flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts(pub u16);

impl Parts {
    /// The accumulator.
    pub const A: Parts = Parts(0x0100);
    /// The X index.
    pub const X: Parts = Parts(0x0200);
    /// The Y index.
    pub const Y: Parts = Parts(0x0400);
    /// The stack pointer.
    pub const S: Parts = Parts(0x0800);
    /// A flag by its bit in P.
    pub const fn flag(mask: u8) -> Parts {
        Parts(mask as u16)
    }
    /// Those in either set.
    pub const fn and(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }
    /// Whether any part is in both.
    pub const fn meets(self, other: Parts) -> bool {
        self.0 & other.0 != 0
    }
}

const C: u8 = Status::C;
const Z: u8 = Status::Z;
const I: u8 = Status::I;
const D: u8 = Status::D;
const B: u8 = Status::B;
const V: u8 = Status::V;
const N: u8 = Status::N;

/// What an instruction uses and makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effects {
    /// Registers and flags that go into the result.
    pub reads: Parts,
    /// Registers and flags that it sets.
    pub writes: Parts,
}

/// The effects of an instruction.
pub fn effects(row: &Instruction) -> Effects {
    let flags = Parts::flag;
    let nz = flags(N | Z);
    let is_accumulator = row.mode == Mode::Implied;
    let (mut reads, writes) = match row.mnemonic.name() {
        "lda" | "las" => (Parts(0), Parts::A.and(nz)),
        "ldx" => (Parts(0), Parts::X.and(nz)),
        "ldy" => (Parts(0), Parts::Y.and(nz)),
        "lax" | "lxa" => (Parts(0), Parts::A.and(Parts::X).and(nz)),
        "sta" | "pha" => (Parts::A, Parts(0)),
        "stx" | "phx" => (Parts::X, Parts(0)),
        "sty" | "phy" => (Parts::Y, Parts(0)),
        "sax" => (Parts::A.and(Parts::X), Parts(0)),
        "tax" => (Parts::A, Parts::X.and(nz)),
        "tay" => (Parts::A, Parts::Y.and(nz)),
        "txa" => (Parts::X, Parts::A.and(nz)),
        "tya" => (Parts::Y, Parts::A.and(nz)),
        "tsx" => (Parts::S, Parts::X.and(nz)),
        "txs" => (Parts::X, Parts::S),
        "pla" => (Parts(0), Parts::A.and(nz)),
        "plx" => (Parts(0), Parts::X.and(nz)),
        "ply" => (Parts(0), Parts::Y.and(nz)),
        "php" => (flags(0xff), Parts(0)),
        "plp" | "rti" => (Parts(0), flags(0xff)),
        "and" | "ora" | "eor" => (Parts::A, Parts::A.and(nz)),
        "adc" | "sbc" | "rra" | "isc" | "isb" | "arr" => {
            (Parts::A.and(flags(C | D)), Parts::A.and(flags(N | Z | C | V)))
        }
        "cmp" | "dcp" => (Parts::A, flags(N | Z | C)),
        "cpx" => (Parts::X, flags(N | Z | C)),
        "cpy" => (Parts::Y, flags(N | Z | C)),
        "bit" => (Parts::A, flags(N | Z | V)),
        "inx" => (Parts::X, Parts::X.and(nz)),
        "dex" => (Parts::X, Parts::X.and(nz)),
        "iny" => (Parts::Y, Parts::Y.and(nz)),
        "dey" => (Parts::Y, Parts::Y.and(nz)),
        "axs" | "sbx" => (Parts::A.and(Parts::X), Parts::X.and(flags(N | Z | C))),
        "inc" | "dec" if is_accumulator => (Parts::A, Parts::A.and(nz)),
        "inc" | "dec" => (Parts(0), nz),
        "asl" | "lsr" if is_accumulator => (Parts::A, Parts::A.and(flags(N | Z | C))),
        "rol" | "ror" if is_accumulator => (Parts::A.and(flags(C)), Parts::A.and(flags(N | Z | C))),
        "asl" | "lsr" => (Parts(0), flags(N | Z | C)),
        "rol" | "ror" => (flags(C), flags(N | Z | C)),
        "slo" | "sre" => (Parts::A, Parts::A.and(flags(N | Z | C))),
        "rla" => (Parts::A.and(flags(C)), Parts::A.and(flags(N | Z | C))),
        "anc" | "alr" | "asr" => (Parts::A, Parts::A.and(flags(N | Z | C))),
        "ane" | "xaa" => (Parts::A.and(Parts::X), Parts::A.and(nz)),
        "clc" | "sec" => (Parts(0), flags(C)),
        "cli" | "sei" => (Parts(0), flags(I)),
        "cld" | "sed" => (Parts(0), flags(D)),
        "clv" => (Parts(0), flags(V)),
        "brk" => (Parts(0), flags(I | B)),
        "bcc" | "bcs" => (flags(C), Parts(0)),
        "beq" | "bne" => (flags(Z), Parts(0)),
        "bpl" | "bmi" => (flags(N), Parts(0)),
        "bvc" | "bvs" => (flags(V), Parts(0)),
        "trb" | "tsb" => (Parts::A, flags(Z)),
        _ => (Parts(0), Parts(0)),
    };
    reads = match row.mode {
        Mode::ZeroPageX | Mode::AbsoluteX | Mode::IndirectX | Mode::AbsoluteIndirectX => reads.and(Parts::X),
        Mode::ZeroPageY | Mode::AbsoluteY | Mode::IndirectY => reads.and(Parts::Y),
        _ => reads,
    };
    let is_stack = matches!(row.class, tempo_isa::Class::Push | tempo_isa::Class::Pull)
        || matches!(row.mnemonic, Mnemonic::Jsr | Mnemonic::Rts | Mnemonic::Rti | Mnemonic::Brk);
    let writes = if is_stack { writes.and(Parts::S) } else { writes };
    Effects { reads, writes }
}
