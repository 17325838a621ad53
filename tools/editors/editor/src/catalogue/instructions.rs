//! What each mnemonic does and which flags it changes. Modes, bytes and cycles are in `isa`.

use tempo_isa::Mnemonic;

/// One sentence about an instruction, and the flags it changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// What it does.
    pub text: &'static str,
    /// The letters of the flags that may change; empty for none.
    pub flags: &'static str,
}

/// What a mnemonic does.
pub fn about(mnemonic: Mnemonic) -> About {
    let (text, flags) = match mnemonic.name() {
        "adc" => ("Adds the operand and the carry to A.", "NVZC"),
        "alr" => ("Ands A with the operand, then shifts A right.", "NZC"),
        "anc" | "anc2" => ("Ands A with the operand and copies bit 7 into the carry.", "NZC"),
        "and" => ("Ands A with the operand.", "NZ"),
        "ane" => ("Ands A (with unstable bits set), X and the operand into A.", "NZ"),
        "arr" => (
            "Ands A with the operand, then rotates A right; carry and overflow come from bits 6 and 5.",
            "NVZC",
        ),
        "asl" => ("Shifts left; bit 7 goes to the carry.", "NZC"),
        "bcc" => ("Branches if the carry is clear.", ""),
        "bcs" => ("Branches if the carry is set.", ""),
        "beq" => ("Branches if the zero flag is set: equal.", ""),
        "bit" => ("Tests bits: Z from A and the operand, N and V from bits 7 and 6 of the operand.", "NVZ"),
        "bmi" => ("Branches if the negative flag is set.", ""),
        "bne" => ("Branches if the zero flag is clear: not equal.", ""),
        "bpl" => ("Branches if the negative flag is clear.", ""),
        "bra" => ("Branches always.", ""),
        "brk" => ("Software interrupt: pushes PC+2 and the flags, goes on at the IRQ vector.", "I"),
        "bvc" => ("Branches if the overflow flag is clear.", ""),
        "bvs" => ("Branches if the overflow flag is set.", ""),
        "clc" => ("Clears the carry.", "C"),
        "cld" => ("Leaves decimal mode.", "D"),
        "cli" => ("Allows interrupts.", "I"),
        "clv" => ("Clears the overflow flag.", "V"),
        "cmp" => ("Compares A with the operand.", "NZC"),
        "cpx" => ("Compares X with the operand.", "NZC"),
        "cpy" => ("Compares Y with the operand.", "NZC"),
        "dcp" => ("Decrements memory, then compares A with it.", "NZC"),
        "dec" => ("Decrements the operand.", "NZ"),
        "dex" => ("Decrements X.", "NZ"),
        "dey" => ("Decrements Y.", "NZ"),
        "eor" => ("Exclusive-ors A with the operand.", "NZ"),
        "inc" => ("Increments the operand.", "NZ"),
        "inx" => ("Increments X.", "NZ"),
        "iny" => ("Increments Y.", "NZ"),
        "isc" => ("Increments memory, then subtracts it from A.", "NVZC"),
        "jam" => ("Stops the processor until reset.", ""),
        "jmp" => ("Goes on at the operand.", ""),
        "jsr" => ("Calls a subroutine: pushes the address of its own last byte.", ""),
        "las" => ("Ands memory with the stack pointer into A, X and the stack pointer.", "NZ"),
        "lax" => ("Loads A and X.", "NZ"),
        "lda" => ("Loads A.", "NZ"),
        "ldx" => ("Loads X.", "NZ"),
        "ldy" => ("Loads Y.", "NZ"),
        "lsr" => ("Shifts right; bit 0 goes to the carry.", "NZC"),
        "nop" => ("Does nothing.", ""),
        "ora" => ("Ors A with the operand.", "NZ"),
        "pha" => ("Pushes A.", ""),
        "php" => ("Pushes the flags.", ""),
        "phx" => ("Pushes X.", ""),
        "phy" => ("Pushes Y.", ""),
        "pla" => ("Pulls A.", "NZ"),
        "plp" => ("Pulls the flags.", "NVDIZC"),
        "plx" => ("Pulls X.", "NZ"),
        "ply" => ("Pulls Y.", "NZ"),
        "rla" => ("Rotates memory left, then ands A with it.", "NZC"),
        "rol" => ("Rotates left through the carry.", "NZC"),
        "ror" => ("Rotates right through the carry.", "NZC"),
        "rra" => ("Rotates memory right, then adds it to A.", "NVZC"),
        "rti" => ("Returns from an interrupt: pulls the flags and PC.", "NVDIZC"),
        "rts" => ("Returns from a subroutine.", ""),
        "sac" => ("Chooses which register the accumulator is.", ""),
        "sax" => ("Stores A and X, anded.", ""),
        "sbc" | "sbc2" => ("Subtracts the operand and the inverted carry from A.", "NVZC"),
        "sbx" => ("Sets X to A and X, anded, minus the operand.", "NZC"),
        "sec" => ("Sets the carry.", "C"),
        "sed" => ("Enters decimal mode.", "D"),
        "sei" => ("Forbids interrupts.", "I"),
        "sha" => ("Stores A, X and the high byte of the address plus one, anded; unstable.", ""),
        "shx" => ("Stores X and the high byte of the address plus one, anded; unstable.", ""),
        "shy" => ("Stores Y and the high byte of the address plus one, anded; unstable.", ""),
        "sir" => ("Chooses which registers the index registers are.", ""),
        "slo" => ("Shifts memory left, then ors A with it.", "NZC"),
        "sre" => ("Shifts memory right, then exclusive-ors A with it.", "NZC"),
        "sta" => ("Stores A.", ""),
        "stp" => ("Stops the clock until reset.", ""),
        "stx" => ("Stores X.", ""),
        "sty" => ("Stores Y.", ""),
        "stz" => ("Stores zero.", ""),
        "tas" => (
            "Ands A and X into the stack pointer and stores that, anded with the high byte plus one; unstable.",
            "",
        ),
        "tax" => ("Copies A to X.", "NZ"),
        "tay" => ("Copies A to Y.", "NZ"),
        "trb" => ("Clears the bits of A in memory; Z tells whether any was set.", "Z"),
        "tsb" => ("Sets the bits of A in memory; Z tells whether any was set.", "Z"),
        "tsx" => ("Copies the stack pointer to X.", "NZ"),
        "txa" => ("Copies X to A.", "NZ"),
        "txs" => ("Copies X to the stack pointer.", ""),
        "tya" => ("Copies Y to A.", "NZ"),
        "wai" => ("Waits for an interrupt.", ""),
        name if name.starts_with("bbr") => ("Branches if a bit of a zero-page byte is clear.", ""),
        name if name.starts_with("bbs") => ("Branches if a bit of a zero-page byte is set.", ""),
        name if name.starts_with("rmb") => ("Clears a bit of a zero-page byte.", ""),
        name if name.starts_with("smb") => ("Sets a bit of a zero-page byte.", ""),
        _ => ("", ""),
    };
    About { text, flags }
}

/// How an operand of a mode is written.
pub fn operand(mode: tempo_isa::Mode) -> &'static str {
    match mode {
        tempo_isa::Mode::Implied => "",
        tempo_isa::Mode::Immediate => "#n",
        tempo_isa::Mode::ZeroPage => "zp",
        tempo_isa::Mode::ZeroPageX => "zp,x",
        tempo_isa::Mode::ZeroPageY => "zp,y",
        tempo_isa::Mode::IndirectX => "(zp,x)",
        tempo_isa::Mode::IndirectY => "(zp),y",
        tempo_isa::Mode::Absolute => "addr",
        tempo_isa::Mode::AbsoluteX => "addr,x",
        tempo_isa::Mode::AbsoluteY => "addr,y",
        tempo_isa::Mode::Indirect => "(addr)",
        tempo_isa::Mode::Relative => "target",
        tempo_isa::Mode::ZeroPageIndirect => "(zp)",
        tempo_isa::Mode::AbsoluteIndirectX => "(addr,x)",
        tempo_isa::Mode::ZeroPageRelative => "zp,target",
    }
}

/// The name of a mode for people.
pub fn mode_name(mode: tempo_isa::Mode) -> &'static str {
    match mode {
        tempo_isa::Mode::Implied => "implied",
        tempo_isa::Mode::Immediate => "immediate",
        tempo_isa::Mode::ZeroPage => "zero page",
        tempo_isa::Mode::ZeroPageX => "zero page,X",
        tempo_isa::Mode::ZeroPageY => "zero page,Y",
        tempo_isa::Mode::IndirectX => "(indirect,X)",
        tempo_isa::Mode::IndirectY => "(indirect),Y",
        tempo_isa::Mode::Absolute => "absolute",
        tempo_isa::Mode::AbsoluteX => "absolute,X",
        tempo_isa::Mode::AbsoluteY => "absolute,Y",
        tempo_isa::Mode::Indirect => "indirect",
        tempo_isa::Mode::Relative => "relative",
        tempo_isa::Mode::ZeroPageIndirect => "(zero page)",
        tempo_isa::Mode::AbsoluteIndirectX => "(absolute,X)",
        tempo_isa::Mode::ZeroPageRelative => "zero page, relative",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mnemonic_is_described() {
        for &mnemonic in Mnemonic::ALL {
            assert!(about(mnemonic).text.ends_with('.'), "{mnemonic}");
        }
    }
}
