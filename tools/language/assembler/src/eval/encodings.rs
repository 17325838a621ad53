//! How instructions can be encoded: what the forms of operands mean, and for every CPU, form and mnemonic the two encodings
//! between which the value of the operand decides.

use tempo_isa::{Cpu, Mnemonic, Mode};

use crate::tree::Form;
use crate::values::{Invalid, to_i32};

/// How an instruction is encoded: the opcode, the kind of its operand, the mode if there are bytes before the opcode, and
/// whether an unknown value made it absolute although there is a zero-page form. One for each instruction of the program,
/// read in every pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decision(u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    None,
    Byte,
    Word,
    Relative,
    ZeroPageRelative,
    /// Two bytes, the distance from the instruction's second byte on.
    RelativeWord,
    /// A number of one byte, then an address of one.
    TestByte,
    /// A number of one byte, then an address of two.
    TestWord,
    /// Three words.
    Block,
}

impl Operand {
    /// By their numbers, and what no decision has.
    const ALL: [Operand; 16] = {
        use Operand::*;
        let none = None;
        [
            None,
            Byte,
            Word,
            Relative,
            ZeroPageRelative,
            RelativeWord,
            TestByte,
            TestWord,
            Block,
            none,
            none,
            none,
            none,
            none,
            none,
            none,
        ]
    };

    const fn of(mode: Mode) -> Operand {
        match mode {
            Mode::Relative => Operand::Relative,
            Mode::ZeroPageRelative => Operand::ZeroPageRelative,
            Mode::RelativeWord => Operand::RelativeWord,
            Mode::TestZeroPage | Mode::TestZeroPageX => Operand::TestByte,
            Mode::TestAbsolute | Mode::TestAbsoluteX => Operand::TestWord,
            Mode::Block => Operand::Block,
            mode => match mode.operand_len() {
                0 => Operand::None,
                1 => Operand::Byte,
                _ => Operand::Word,
            },
        }
    }
}

impl Decision {
    const NONE: Decision = Decision(u32::MAX);
    /// Where the operand and the mode are; the opcode is in the lowest byte.
    const OPERAND: u32 = 8;
    const MODE: u32 = 16;
    const IS_FORCED: u32 = 1 << 24;
    /// It has a prefix or more than one operand.
    const IS_WIDE: u32 = 1 << 25;

    /// The encoding in a mode, if the CPU has it.
    pub const fn in_mode(mnemonic: Mnemonic, mode: Mode, cpu: Cpu) -> Option<Decision> {
        let Some(opcode) = cpu.encode(mnemonic, mode) else { return None };
        let operand = Operand::of(mode);
        let mut word = opcode as u32 | (operand as u32) << Decision::OPERAND;
        if mode.is_far() || mnemonic.is_wide() {
            word |= (mode as u32 + 1) << Decision::MODE | Decision::IS_WIDE;
        }
        if operand as u8 > Operand::Relative as u8 {
            word |= Decision::IS_WIDE;
        }
        Some(Decision(word))
    }

    const fn or_none(decision: Option<Decision>) -> Decision {
        match decision {
            Some(decision) => decision,
            None => Decision::NONE,
        }
    }

    #[inline(always)]
    fn known(self) -> Option<Decision> {
        (self != Decision::NONE).then_some(self)
    }

    #[inline(always)]
    pub fn opcode(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    pub fn operand(self) -> Operand {
        Operand::ALL[(self.0 >> Decision::OPERAND) as usize & 15]
    }

    /// The mode, if there are bytes before the opcode.
    pub fn prefixed(self) -> Option<Mode> {
        let number = (self.0 >> Decision::MODE) as u8;
        Mode::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    #[inline(always)]
    pub fn is_forced(self) -> bool {
        self.0 & Decision::IS_FORCED != 0
    }

    /// Whether it has no prefix and one operand at most.
    #[inline(always)]
    pub fn is_usual(self) -> bool {
        self.0 & Decision::IS_WIDE == 0
    }
}

/// The value of an operand.
#[derive(Debug, Clone, Copy)]
pub(super) enum Number {
    Known(f64),
    Unknown(Invalid),
}

/// The encodings of an instruction without an extension.
#[derive(Debug, Clone, Copy)]
pub(super) struct Encodings {
    /// For an operand in the zero page.
    short: Decision,
    /// For any other.
    long: Decision,
}

impl Encodings {
    #[inline(always)]
    pub fn of(mnemonic: Mnemonic, form: Form, cpu: Cpu) -> Encodings {
        TABLES[cpu as usize][form as usize][mnemonic as usize]
    }

    const fn made(mnemonic: Mnemonic, form: Form, cpu: Cpu) -> Encodings {
        if let Form::Plain = form
            && let Some(branch) = Decision::in_mode(mnemonic, Mode::Relative, cpu)
        {
            return Encodings { short: Decision::NONE, long: branch };
        }
        let (zero_page, absolute) = modes(form);
        let short = match zero_page {
            Some(mode) => Decision::in_mode(mnemonic, mode, cpu),
            None => None,
        };
        let long = match absolute {
            Some(mode) => match Decision::in_mode(mnemonic, mode, cpu) {
                None => word_decision(mnemonic, form, cpu),
                long => long,
            },
            None => None,
        };
        Encodings { short: Decision::or_none(short), long: Decision::or_none(long) }
    }

    /// The one for a number; `None` if the CPU has none for it.
    #[inline(always)]
    pub fn of_number(self, number: f64) -> Option<Decision> {
        let is_long = self.short == Decision::NONE || to_i32(number) >= 256;
        if is_long { self.long.known() } else { Some(self.short) }
    }

    /// The one for any value.
    pub fn of_value(self, mnemonic: Mnemonic, value: Number) -> Option<Decision> {
        match value {
            Number::Known(number) => self.of_number(number),
            Number::Unknown(_) if self.short == Decision::NONE => self.long.known(),
            Number::Unknown(invalid) if invalid.is_zp => Some(self.short),
            Number::Unknown(_) => {
                let is_forced = !matches!(mnemonic, Mnemonic::Jmp | Mnemonic::Jsr);
                let forced = if is_forced { Decision::IS_FORCED } else { 0 };
                self.long.known().map(|long| Decision(long.0 | forced))
            }
        }
    }
}

/// By CPU, form and mnemonic, so that an instruction is decided by one look.
static TABLES: [[[Encodings; Mnemonic::ALL.len()]; Form::ALL.len()]; Cpu::ALL.len()] = {
    let none = Encodings { short: Decision::NONE, long: Decision::NONE };
    let mut tables = [[[none; Mnemonic::ALL.len()]; Form::ALL.len()]; Cpu::ALL.len()];
    let mut cpu = 0;
    while cpu < Cpu::ALL.len() {
        let mut form = 0;
        while form < Form::ALL.len() {
            let mut mnemonic = 0;
            while mnemonic < Mnemonic::ALL.len() {
                let of = Encodings::made(Mnemonic::ALL[mnemonic], Form::ALL[form], Cpu::ALL[cpu]);
                tables[cpu][form][mnemonic] = of;
                mnemonic += 1;
            }
            form += 1;
        }
        cpu += 1;
    }
    tables
};

/// The encoding with a word where others have a byte: `phw #nn`, `lbne target`.
pub(super) const fn word_decision(mnemonic: Mnemonic, form: Form, cpu: Cpu) -> Option<Decision> {
    match form {
        Form::Immediate => Decision::in_mode(mnemonic, Mode::ImmediateWord, cpu),
        Form::Plain => Decision::in_mode(mnemonic, Mode::RelativeWord, cpu),
        _ => None,
    }
}

/// The modes a written form can mean: first the zero-page one, then the absolute one.
pub(super) const fn modes(form: Form) -> (Option<Mode>, Option<Mode>) {
    match form {
        Form::None => (None, Some(Mode::Implied)),
        Form::Immediate => (None, Some(Mode::Immediate)),
        Form::Plain => (Some(Mode::ZeroPage), Some(Mode::Absolute)),
        Form::PlainX => (Some(Mode::ZeroPageX), Some(Mode::AbsoluteX)),
        Form::PlainY => (Some(Mode::ZeroPageY), Some(Mode::AbsoluteY)),
        Form::Indirect => (Some(Mode::ZeroPageIndirect), Some(Mode::Indirect)),
        Form::IndirectX => (Some(Mode::IndirectX), Some(Mode::AbsoluteIndirectX)),
        Form::IndirectY => (None, Some(Mode::IndirectY)),
        Form::Pair => (None, Some(Mode::ZeroPageRelative)),
        Form::IndirectZ => (None, Some(Mode::IndirectZ)),
        Form::FarIndirectZ => (None, Some(Mode::FarIndirectZ)),
        Form::FarIndirect => (None, Some(Mode::FarIndirect)),
        Form::StackIndirectY => (None, Some(Mode::StackIndirectY)),
        Form::Test => (Some(Mode::TestZeroPage), Some(Mode::TestAbsolute)),
        Form::TestX => (Some(Mode::TestZeroPageX), Some(Mode::TestAbsoluteX)),
        Form::Triple => (None, Some(Mode::Block)),
    }
}

/// Whether a mode can be forced on an operand of this form: one without marks of a mode, or with those of this one.
pub(super) fn is_fit(form: Form, mode: Mode) -> bool {
    let (zero_page, absolute) = modes(form);
    form == Form::Plain || zero_page == Some(mode) || absolute == Some(mode)
}

pub(super) fn form_name(form: Form) -> &'static str {
    match form {
        Form::None => "NONE",
        Form::Immediate => "IMMEDIATE",
        Form::Plain => "ABSOLUTE",
        Form::PlainX => "ABSOLUTEX",
        Form::PlainY => "ABSOLUTEY",
        Form::Indirect => "INDIRECT",
        Form::IndirectX => "INDIRECTX",
        Form::IndirectY => "IZEROPAGEY",
        Form::Pair => "ZPRELATIVE",
        Form::IndirectZ => "IZEROPAGEZ",
        Form::FarIndirectZ => "32IZEROPAGEZ",
        Form::FarIndirect => "32IZEROPAGE",
        Form::StackIndirectY => "ISTACKZEROPAGEY",
        Form::Test => "IMMEDIATEANDABSOLUTE",
        Form::TestX => "IMMEDIATEANDABSOLUTEX",
        Form::Triple => "ABSOLUTE3",
    }
}

/// Names for the modes legacy extensions and constants give.
pub(super) fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Immediate => "IMMEDIATE",
        Mode::ZeroPage => "ZEROPAGE",
        Mode::ZeroPageX => "ZEROPAGEX",
        Mode::ZeroPageY => "ZEROPAGEY",
        Mode::IndirectX => "IZEROPAGEX",
        Mode::IndirectY => "IZEROPAGEY",
        Mode::AbsoluteX => "ABSOLUTEX",
        Mode::AbsoluteY => "ABSOLUTEY",
        Mode::Indirect => "INDIRECT",
        Mode::Relative => "RELATIVE",
        _ => "ABSOLUTE",
    }
}

pub(super) fn zero_page_name(form: Form) -> &'static str {
    match form {
        Form::PlainX => "zeropageX",
        Form::PlainY => "zeropageY",
        Form::Indirect => "izeropage",
        Form::IndirectX => "izeropageX",
        _ => "zeropage",
    }
}
