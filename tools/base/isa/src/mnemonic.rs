//! Mnemonics: their names, aliases and operations. Knows neither opcodes nor which CPU has them.

use core::fmt;

use crate::{Parts, Stability};

macro_rules! mnemonics {
    ($($variant:ident $name:ident [$($reads:ident)*] [$($writes:ident)*] $stability:ident $about:literal;)*) => {
        /// The name of an operation, in one spelling; aliases parse to it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Mnemonic {
            $(
                #[doc = concat!("`", stringify!($name), "`: ", $about)]
                $variant,
            )*
        }

        impl Mnemonic {
            /// All mnemonics in alphabetical order, which is also the order of their discriminants.
            pub const ALL: &'static [Mnemonic] = &[$(Mnemonic::$variant),*];

            /// The name in lower case.
            pub const fn name(self) -> &'static str {
                match self { $(Mnemonic::$variant => stringify!($name)),* }
            }

            /// The mnemonic of this name or alias, lower case only. A name comes before an alias of the same text;
            /// [`crate::Cpu::mnemonic`] knows which of them a CPU has.
            pub fn parse(name: &str) -> Option<Mnemonic> {
                Some(match name {
                    $(stringify!($name) => Mnemonic::$variant,)*
                    _ => return Mnemonic::ALIASES.iter().find(|(alias, _)| *alias == name).map(|&(_, own)| own),
                })
            }
        }

        /// The words of the tables' mnemonic column as values.
        #[allow(non_upper_case_globals, dead_code)] // the DTV's own are not in the big tables
        pub(crate) mod word {
            use super::Mnemonic;
            $(pub const $name: Mnemonic = Mnemonic::$variant;)*
        }

        /// The columns after the names.
        pub(crate) static OPERATIONS: [Operation; Mnemonic::ALL.len()] = [$(
            Operation {
                reads: Parts::NONE$(.and(Parts::$reads))*,
                writes: Parts::NONE$(.and(Parts::$writes))*,
                stability: stability::$stability,
                about: $about,
            }
        ),*];
    };
}

/// The part of an instruction's effects that does not depend on its addressing mode.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub reads: Parts,
    pub writes: Parts,
    pub stability: Stability,
    pub about: &'static str,
}

/// The words of the stability column as values.
#[allow(non_upper_case_globals)]
mod stability {
    use crate::Stability;
    pub const stable: Stability = Stability::Stable;
    pub const unstable: Stability = Stability::Unstable;
    pub const jams: Stability = Stability::Jams;
}

// The columns: variant, name, registers and flags read, registers and flags written, stability, sentence. Effects that
// depend on the addressing mode or the CPU are added in `effects.rs`; `emu/tests/effects.rs` checks the result.
mnemonics! {
    Adc  adc  [A C D]       [A N V Z C]   stable   "Adds the operand and the carry to A.";
    Adcq adcq [A X Y C D]   [A X Y N V Z C] stable   "Adds 32 bits and the carry to Q, which is A, X, Y and Z.";
    Alr  alr  [A]           [A N Z C]     stable   "Ands A with the operand, then shifts A right.";
    Anc  anc  [A]           [A N Z C]     stable   "Ands A with the operand and copies bit 7 into the carry.";
    Anc2 anc2 [A]           [A N Z C]     stable   "Ands A with the operand and copies bit 7 into the carry.";
    And  and  [A]           [A N Z]       stable   "Ands A with the operand.";
    Andq andq [A X Y]       [A X Y N Z]   stable   "Ands Q, which is A, X, Y and Z, with 32 bits.";
    Ane  ane  [A X]         [A N Z]       unstable "Ands A (with unstable bits set), X and the operand into A.";
    Arr  arr  [A C D]       [A N V Z C]   stable   "Ands A with the operand, then rotates A right; carry and overflow come from bits 6 and 5.";
    Asl  asl  []            [N Z C]       stable   "Shifts left; bit 7 goes to the carry.";
    Aslq aslq []            [N Z C]       stable   "Shifts 32 bits left; bit 31 goes to the carry.";
    Asr  asr  []            [N Z C]       stable   "Shifts right and keeps the sign; bit 0 goes to the carry.";
    Asrq asrq []            [N Z C]       stable   "Shifts 32 bits right and keeps the sign; bit 0 goes to the carry.";
    Asw  asw  []            [N Z C]       stable   "Shifts a word left; bit 15 goes to the carry.";
    Bbr0 bbr0 []            []            stable   "Branches if bit 0 of a zero-page byte is clear.";
    Bbr1 bbr1 []            []            stable   "Branches if bit 1 of a zero-page byte is clear.";
    Bbr2 bbr2 []            []            stable   "Branches if bit 2 of a zero-page byte is clear.";
    Bbr3 bbr3 []            []            stable   "Branches if bit 3 of a zero-page byte is clear.";
    Bbr4 bbr4 []            []            stable   "Branches if bit 4 of a zero-page byte is clear.";
    Bbr5 bbr5 []            []            stable   "Branches if bit 5 of a zero-page byte is clear.";
    Bbr6 bbr6 []            []            stable   "Branches if bit 6 of a zero-page byte is clear.";
    Bbr7 bbr7 []            []            stable   "Branches if bit 7 of a zero-page byte is clear.";
    Bbs0 bbs0 []            []            stable   "Branches if bit 0 of a zero-page byte is set.";
    Bbs1 bbs1 []            []            stable   "Branches if bit 1 of a zero-page byte is set.";
    Bbs2 bbs2 []            []            stable   "Branches if bit 2 of a zero-page byte is set.";
    Bbs3 bbs3 []            []            stable   "Branches if bit 3 of a zero-page byte is set.";
    Bbs4 bbs4 []            []            stable   "Branches if bit 4 of a zero-page byte is set.";
    Bbs5 bbs5 []            []            stable   "Branches if bit 5 of a zero-page byte is set.";
    Bbs6 bbs6 []            []            stable   "Branches if bit 6 of a zero-page byte is set.";
    Bbs7 bbs7 []            []            stable   "Branches if bit 7 of a zero-page byte is set.";
    Bcc  bcc  [C]           []            stable   "Branches if the carry is clear.";
    Bcs  bcs  [C]           []            stable   "Branches if the carry is set.";
    Beq  beq  [Z]           []            stable   "Branches if the zero flag is set: equal.";
    Bit  bit  [A]           [N V Z]       stable   "Tests bits: Z from A and the operand, N and V from bits 7 and 6 of the operand.";
    Bitq bitq [A X Y]       [N V Z]       stable   "Tests 32 bits with Q, which is A, X, Y and Z.";
    Bmi  bmi  [N]           []            stable   "Branches if the negative flag is set.";
    Bne  bne  [Z]           []            stable   "Branches if the zero flag is clear: not equal.";
    Bpl  bpl  [N]           []            stable   "Branches if the negative flag is clear.";
    Bra  bra  []            []            stable   "Branches always.";
    Brk  brk  [N V D I Z C] [I]           stable   "Software interrupt: pushes PC+2 and the flags, goes on at the IRQ vector.";
    Bsr  bsr  []            []            stable   "Calls a subroutine at a relative address.";
    Bvc  bvc  [V]           []            stable   "Branches if the overflow flag is clear.";
    Bvs  bvs  [V]           []            stable   "Branches if the overflow flag is set.";
    Cla  cla  []            [A]           stable   "Clears A.";
    Clc  clc  []            [C]           stable   "Clears the carry.";
    Cld  cld  []            [D]           stable   "Leaves decimal mode.";
    Cle  cle  []            []            stable   "Clears the flag E: the stack pointer has 16 bits.";
    Cli  cli  []            [I]           stable   "Allows interrupts.";
    Clv  clv  []            [V]           stable   "Clears the overflow flag.";
    Clx  clx  []            [X]           stable   "Clears X.";
    Cly  cly  []            [Y]           stable   "Clears Y.";
    Cmp  cmp  [A]           [N Z C]       stable   "Compares A with the operand.";
    Cpq  cpq  [A X Y]       [N Z C]       stable   "Compares Q, which is A, X, Y and Z, with 32 bits.";
    Cpx  cpx  [X]           [N Z C]       stable   "Compares X with the operand.";
    Cpy  cpy  [Y]           [N Z C]       stable   "Compares Y with the operand.";
    Cpz  cpz  []            [N Z C]       stable   "Compares the register Z with the operand.";
    Csh  csh  []            []            stable   "Switches the CPU to high speed.";
    Csl  csl  []            []            stable   "Switches the CPU to low speed.";
    Dcp  dcp  [A]           [N Z C]       stable   "Decrements memory, then compares A with it.";
    Dec  dec  []            [N Z]         stable   "Decrements the operand.";
    Deq  deq  []            [N Z]         stable   "Decrements 32 bits.";
    Dew  dew  []            [N Z]         stable   "Decrements a word in the base page.";
    Dex  dex  [X]           [X N Z]       stable   "Decrements X.";
    Dey  dey  [Y]           [Y N Z]       stable   "Decrements Y.";
    Dez  dez  []            [N Z]         stable   "Decrements the register Z.";
    Eom  eom  []            []            stable   "Ends what map began: interrupts are possible again.";
    Eor  eor  [A]           [A N Z]       stable   "Exclusive-ors A with the operand.";
    Eorq eorq [A X Y]       [A X Y N Z]   stable   "Exclusive-ors Q, which is A, X, Y and Z, with 32 bits.";
    Inc  inc  []            [N Z]         stable   "Increments the operand.";
    Inq  inq  []            [N Z]         stable   "Increments 32 bits.";
    Inw  inw  []            [N Z]         stable   "Increments a word in the base page.";
    Inx  inx  [X]           [X N Z]       stable   "Increments X.";
    Iny  iny  [Y]           [Y N Z]       stable   "Increments Y.";
    Inz  inz  []            [N Z]         stable   "Increments the register Z.";
    Isc  isc  [A C D]       [A N V Z C]   stable   "Increments memory, then subtracts it from A.";
    Jam  jam  []            []            jams     "Stops the processor until reset.";
    Jmp  jmp  []            []            stable   "Goes on at the operand.";
    Jsr  jsr  []            []            stable   "Calls a subroutine: pushes the address of its own last byte.";
    Las  las  [S]           [A X S N Z]   stable   "Ands memory with the stack pointer into A, X and the stack pointer.";
    Lax  lax  []            [A X N Z]     stable   "Loads A and X.";
    Lbcc lbcc [C]           []            stable   "Branches with a distance of 16 bits if the carry is clear.";
    Lbcs lbcs [C]           []            stable   "Branches with a distance of 16 bits if the carry is set.";
    Lbeq lbeq [Z]           []            stable   "Branches with a distance of 16 bits if the zero flag is set: equal.";
    Lbmi lbmi [N]           []            stable   "Branches with a distance of 16 bits if the negative flag is set.";
    Lbne lbne [Z]           []            stable   "Branches with a distance of 16 bits if the zero flag is clear: not equal.";
    Lbpl lbpl [N]           []            stable   "Branches with a distance of 16 bits if the negative flag is clear.";
    Lbra lbra []            []            stable   "Branches always, with a distance of 16 bits.";
    Lbsr lbsr []            []            stable   "Calls a subroutine at a relative address of 16 bits.";
    Lbvc lbvc [V]           []            stable   "Branches with a distance of 16 bits if the overflow flag is clear.";
    Lbvs lbvs [V]           []            stable   "Branches with a distance of 16 bits if the overflow flag is set.";
    Lda  lda  []            [A N Z]       stable   "Loads A.";
    Ldq  ldq  []            [A X Y N Z]   stable   "Loads 32 bits into Q, which is A, X, Y and Z.";
    Ldx  ldx  []            [X N Z]       stable   "Loads X.";
    Ldy  ldy  []            [Y N Z]       stable   "Loads Y.";
    Ldz  ldz  []            [N Z]         stable   "Loads the register Z.";
    Lsr  lsr  []            [N Z C]       stable   "Shifts right; bit 0 goes to the carry.";
    Lsrq lsrq []            [N Z C]       stable   "Shifts 32 bits right; bit 0 goes to the carry.";
    Map  map  [A X Y]       []            stable   "Maps memory by A, X, Y and Z; interrupts wait for eom.";
    Neg  neg  [A]           [A N Z]       stable   "Negates A.";
    Nop  nop  []            []            stable   "Does nothing.";
    Ora  ora  [A]           [A N Z]       stable   "Ors A with the operand.";
    Orq  orq  [A X Y]       [A X Y N Z]   stable   "Ors Q, which is A, X, Y and Z, with 32 bits.";
    Pha  pha  [A]           []            stable   "Pushes A.";
    Php  php  [N V D I Z C] []            stable   "Pushes the flags.";
    Phw  phw  []            []            stable   "Pushes a word.";
    Phx  phx  [X]           []            stable   "Pushes X.";
    Phy  phy  [Y]           []            stable   "Pushes Y.";
    Phz  phz  []            []            stable   "Pushes the register Z.";
    Pla  pla  []            [A N Z]       stable   "Pulls A.";
    Plp  plp  []            [N V D I Z C] stable   "Pulls the flags.";
    Plx  plx  []            [X N Z]       stable   "Pulls X.";
    Ply  ply  []            [Y N Z]       stable   "Pulls Y.";
    Plz  plz  []            [N Z]         stable   "Pulls the register Z.";
    Rla  rla  [A C]         [A N Z C]     stable   "Rotates memory left, then ands A with it.";
    Rmb0 rmb0 []            []            stable   "Clears bit 0 of a zero-page byte.";
    Rmb1 rmb1 []            []            stable   "Clears bit 1 of a zero-page byte.";
    Rmb2 rmb2 []            []            stable   "Clears bit 2 of a zero-page byte.";
    Rmb3 rmb3 []            []            stable   "Clears bit 3 of a zero-page byte.";
    Rmb4 rmb4 []            []            stable   "Clears bit 4 of a zero-page byte.";
    Rmb5 rmb5 []            []            stable   "Clears bit 5 of a zero-page byte.";
    Rmb6 rmb6 []            []            stable   "Clears bit 6 of a zero-page byte.";
    Rmb7 rmb7 []            []            stable   "Clears bit 7 of a zero-page byte.";
    Rol  rol  [C]           [N Z C]       stable   "Rotates left through the carry.";
    Rolq rolq [C]           [N Z C]       stable   "Rotates 32 bits left through the carry.";
    Ror  ror  [C]           [N Z C]       stable   "Rotates right through the carry.";
    Rorq rorq [C]           [N Z C]       stable   "Rotates 32 bits right through the carry.";
    Row  row  [C]           [N Z C]       stable   "Rotates a word left through the carry.";
    Rra  rra  [A C D]       [A N V Z C]   stable   "Rotates memory right, then adds it to A.";
    Rti  rti  []            [N V D I Z C] stable   "Returns from an interrupt: pulls the flags and PC.";
    Rtn  rtn  []            []            stable   "Returns from a subroutine and drops bytes of the stack.";
    Rts  rts  []            []            stable   "Returns from a subroutine.";
    Sac  sac  []            [A]           stable   "Chooses which register the accumulator is.";
    Sax  sax  [A X]         []            stable   "Stores A and X, anded.";
    Say  say  [A Y]         [A Y]         stable   "Exchanges A and Y.";
    Sbc  sbc  [A C D]       [A N V Z C]   stable   "Subtracts the operand and the inverted carry from A.";
    Sbc2 sbc2 [A C D]       [A N V Z C]   stable   "Subtracts the operand and the inverted carry from A.";
    Sbcq sbcq [A X Y C D]   [A X Y N V Z C] stable   "Subtracts 32 bits and the inverted carry from Q, which is A, X, Y and Z.";
    Sbx  sbx  [A X]         [X N Z C]     stable   "Sets X to A and X, anded, minus the operand.";
    Sec  sec  []            [C]           stable   "Sets the carry.";
    Sed  sed  []            [D]           stable   "Enters decimal mode.";
    See  see  []            []            stable   "Sets the flag E: the stack pointer has 8 bits.";
    Sei  sei  []            [I]           stable   "Forbids interrupts.";
    Set  set  []            []            stable   "Sets the flag T: the next instruction works on the byte at X in the zero page instead of A.";
    Sha  sha  [A X]         []            unstable "Stores A, X and the high byte of the address plus one, anded; unstable.";
    Shx  shx  [X]           []            unstable "Stores X and the high byte of the address plus one, anded; unstable.";
    Shy  shy  [Y]           []            unstable "Stores Y and the high byte of the address plus one, anded; unstable.";
    Sir  sir  []            [X Y]         stable   "Chooses which registers the index registers are.";
    Slo  slo  [A]           [A N Z C]     stable   "Shifts memory left, then ors A with it.";
    Smb0 smb0 []            []            stable   "Sets bit 0 of a zero-page byte.";
    Smb1 smb1 []            []            stable   "Sets bit 1 of a zero-page byte.";
    Smb2 smb2 []            []            stable   "Sets bit 2 of a zero-page byte.";
    Smb3 smb3 []            []            stable   "Sets bit 3 of a zero-page byte.";
    Smb4 smb4 []            []            stable   "Sets bit 4 of a zero-page byte.";
    Smb5 smb5 []            []            stable   "Sets bit 5 of a zero-page byte.";
    Smb6 smb6 []            []            stable   "Sets bit 6 of a zero-page byte.";
    Smb7 smb7 []            []            stable   "Sets bit 7 of a zero-page byte.";
    Sre  sre  [A]           [A N Z C]     stable   "Shifts memory right, then exclusive-ors A with it.";
    St0  st0  []            []            stable   "Stores the operand in the video controller's address register.";
    St1  st1  []            []            stable   "Stores the operand in the video controller's low data register.";
    St2  st2  []            []            stable   "Stores the operand in the video controller's high data register.";
    Sta  sta  [A]           []            stable   "Stores A.";
    Stp  stp  []            []            stable   "Stops the clock until reset.";
    Stq  stq  [A X Y]       []            stable   "Stores the 32 bits of Q, which is A, X, Y and Z.";
    Stx  stx  [X]           []            stable   "Stores X.";
    Sty  sty  [Y]           []            stable   "Stores Y.";
    Stz  stz  []            []            stable   "Stores zero; on a 65CE02 the register Z.";
    Sxy  sxy  [X Y]         [X Y]         stable   "Exchanges X and Y.";
    Tab  tab  [A]           []            stable   "Copies A to the base page register B.";
    Tam  tam  [A]           []            stable   "Copies A to the memory map registers of the operand.";
    Tas  tas  [A X]         [S]           unstable "Ands A and X into the stack pointer and stores that, anded with the high byte plus one; unstable.";
    Tax  tax  [A]           [X N Z]       stable   "Copies A to X.";
    Tay  tay  [A]           [Y N Z]       stable   "Copies A to Y.";
    Taz  taz  [A]           [N Z]         stable   "Copies A to the register Z.";
    Tba  tba  []            [A N Z]       stable   "Copies the base page register B to A.";
    Tdd  tdd  []            []            stable   "Copies a block downward: source, destination and length.";
    Tia  tia  []            []            stable   "Copies a block to two addresses in turn: source, destination and length.";
    Tii  tii  []            []            stable   "Copies a block upward: source, destination and length.";
    Tin  tin  []            []            stable   "Copies a block to one address: source, destination and length.";
    Tma  tma  []            [A]           stable   "Copies the memory map register of the operand to A.";
    Trb  trb  [A]           [Z]           stable   "Clears the bits of A in memory; Z tells whether any was set.";
    Tsb  tsb  [A]           [Z]           stable   "Sets the bits of A in memory; Z tells whether any was set.";
    Tst  tst  []            [N V Z]       stable   "Tests memory with a mask: Z from both, N and V from bits 7 and 6 of memory.";
    Tsx  tsx  [S]           [X N Z]       stable   "Copies the stack pointer to X.";
    Tsy  tsy  [S]           [Y N Z]       stable   "Copies the high byte of the stack pointer to Y.";
    Txa  txa  [X]           [A N Z]       stable   "Copies X to A.";
    Txs  txs  [X]           [S]           stable   "Copies X to the stack pointer.";
    Tya  tya  [Y]           [A N Z]       stable   "Copies Y to A.";
    Tys  tys  [Y]           [S]           stable   "Copies Y to the high byte of the stack pointer.";
    Tza  tza  []            [A N Z]       stable   "Copies the register Z to A.";
    Wai  wai  []            []            stable   "Waits for an interrupt.";
}

impl Mnemonic {
    /// Other names in use, each with the mnemonic it stands for. An alias has every mode of its mnemonic.
    pub const ALIASES: &'static [(&'static str, Mnemonic)] = &[
        ("ahx", Mnemonic::Sha),
        ("asr", Mnemonic::Alr),
        ("axs", Mnemonic::Sbx),
        ("dcm", Mnemonic::Dcp),
        ("ins", Mnemonic::Isc),
        ("isb", Mnemonic::Isc),
        ("lae", Mnemonic::Las),
        ("lds", Mnemonic::Las),
        ("lxa", Mnemonic::Lax),
        ("shs", Mnemonic::Tas),
        ("xaa", Mnemonic::Ane),
    ];

    /// Whether the instruction works on the 32 bits of Q, and has the prefix for it.
    pub const fn is_wide(self) -> bool {
        matches!(
            self,
            Mnemonic::Adcq
                | Mnemonic::Andq
                | Mnemonic::Aslq
                | Mnemonic::Asrq
                | Mnemonic::Bitq
                | Mnemonic::Cpq
                | Mnemonic::Deq
                | Mnemonic::Eorq
                | Mnemonic::Inq
                | Mnemonic::Ldq
                | Mnemonic::Lsrq
                | Mnemonic::Orq
                | Mnemonic::Rolq
                | Mnemonic::Rorq
                | Mnemonic::Sbcq
                | Mnemonic::Stq
        )
    }

    /// The aliases of this mnemonic.
    pub fn aliases(self) -> impl Iterator<Item = &'static str> {
        Mnemonic::ALIASES.iter().filter(move |(_, own)| *own == self).map(|&(alias, _)| alias)
    }
}

impl fmt::Display for Mnemonic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
