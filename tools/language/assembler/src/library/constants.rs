//! The values of the constants of the system scope; which there are is in `dialect`. Found by text, which happens once
//! per name in the source.

use tempo_isa::{Cpu, Mode};

use crate::dialect::{COLOURS, CONSTANTS, Constant, Known};
use crate::tree::Expr;

/// The places of the constants in their table, sorted by name.
static BY_NAME: [u16; CONSTANTS.len()] = {
    let mut names = [""; CONSTANTS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = CONSTANTS[index].name;
        index += 1;
    }
    super::sorted(names)
};

/// The place of a constant in its table.
pub(crate) fn index(name: &str) -> Option<usize> {
    let place = BY_NAME.binary_search_by(|&index| CONSTANTS[usize::from(index)].name.cmp(name)).ok()?;
    Some(usize::from(BY_NAME[place]))
}

/// The value of a built-in constant.
pub(crate) fn find(name: &str) -> Option<Expr> {
    let Some(index) = index(name) else { return opcode(name) };
    Some(match CONSTANTS[index].value {
        Known::Number(number) => Expr::Number(number.into()),
        // Templates are kept in the order of the table.
        Known::Template(_) => {
            let is_template = |constant: &&Constant| matches!(constant.value, Known::Template(_));
            Expr::Template(CONSTANTS[..index].iter().filter(is_template).count() as u32)
        }
        Known::CommandLine => Expr::CommandLine,
    })
}

/// Whether a name is that of a colour.
pub(crate) fn is_colour(name: &str) -> bool {
    index(name).is_some_and(|index| CONSTANTS[index].group == COLOURS)
}

/// The texts of the file templates, by their numbers.
pub(crate) fn templates() -> impl Iterator<Item = &'static str> {
    CONSTANTS.iter().filter_map(|constant| match constant.value {
        Known::Template(parts) => Some(parts),
        _ => None,
    })
}

/// How the constants of opcodes name the modes, in the order in which Kick Assembler lists them.
const MODES: [(&str, Mode); 12] = [
    ("", Mode::Implied),
    ("_IMM", Mode::Immediate),
    ("_ZP", Mode::ZeroPage),
    ("_ZPX", Mode::ZeroPageX),
    ("_ZPY", Mode::ZeroPageY),
    ("_IZPX", Mode::IndirectX),
    ("_IZPY", Mode::IndirectY),
    ("_ABS", Mode::Absolute),
    ("_ABSX", Mode::AbsoluteX),
    ("_ABSY", Mode::AbsoluteY),
    ("_IND", Mode::Indirect),
    ("_REL", Mode::Relative),
];

/// `LDA_IMM` and the like, for the instructions of the `_6502` set.
fn opcode(name: &str) -> Option<Expr> {
    let at = name.find('_').unwrap_or(name.len());
    let (mnemonic, mode) = name.split_at(at);
    let (_, mode) = MODES.into_iter().find(|(ending, _)| *ending == mode)?;
    if mnemonic.len() > 4 || mnemonic.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let opcode = opcode_of(&mnemonic.to_ascii_lowercase(), mode)?;
    Some(Expr::Number(f64::from(opcode).into()))
}

fn opcode_of(mnemonic: &str, mode: Mode) -> Option<u8> {
    let instruction = Cpu::Mos6502.find(Cpu::Mos6502.mnemonic(mnemonic)?, mode)?;
    instruction.is_nameable().then_some(instruction.opcode)
}

/// The constants for the opcodes of a mnemonic.
pub(crate) fn opcodes(mnemonic: &str) -> Vec<String> {
    let known = MODES.into_iter().filter(|&(_, mode)| opcode_of(mnemonic, mode).is_some());
    known.map(|(ending, _)| format!("{}{ending}", mnemonic.to_ascii_uppercase())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str) -> Option<f64> {
        match find(name) {
            Some(Expr::Number(number)) => Some(number.get()),
            _ => None,
        }
    }

    #[test]
    fn opcodes_have_names() {
        assert_eq!(value("LDA_IZPY"), Some(f64::from(0xb1)));
        assert_eq!(value("ASL"), Some(f64::from(0x0a)));
        assert_eq!(value("SBC2_IMM"), Some(f64::from(0xeb)));
        assert_eq!(value("XAA_IMM"), Some(f64::from(0x8b)));
        assert_eq!(value("BRA_REL"), None);
        assert_eq!(value("JAM"), None);
        assert_eq!(value("lda_IMM"), None);
    }
}
