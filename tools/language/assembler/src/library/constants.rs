//! Constants of the system scope. Found by text, which happens once per name in the source.

use tempo_isa::{Cpu, Mnemonic, Mode};

use crate::tree::Expr;

/// The value of a built-in constant.
pub(crate) fn find(name: &str) -> Option<Expr> {
    let number = match name {
        "PI" => std::f64::consts::PI,
        "E" => std::f64::consts::E,
        "BLACK" | "AT_NONE" => 0.0,
        "WHITE" | "AT_IMMEDIATE" => 1.0,
        "RED" | "AT_ZEROPAGE" => 2.0,
        "CYAN" => 3.0,
        "PURPLE" => 4.0,
        "GREEN" | "AT_IZEROPAGEX" => 5.0,
        "BLUE" | "AT_IZEROPAGEY" => 6.0,
        "YELLOW" => 7.0,
        "ORANGE" => 8.0,
        "BROWN" => 9.0,
        "LIGHT_RED" => 10.0,
        "DARK_GRAY" | "DARK_GREY" => 11.0,
        "GRAY" | "GREY" => 12.0,
        "LIGHT_GREEN" => 13.0,
        "LIGHT_BLUE" => 14.0,
        "LIGHT_GRAY" | "LIGHT_GREY" => 15.0,
        "AT_ABSOLUTE" => -1.0,
        "AT_ABSOLUTEX" => -2.0,
        "AT_ABSOLUTEY" => -3.0,
        "AT_INDIRECT" => -4.0,
        "cmdLineVars" => return Some(Expr::CommandLine),
        _ => return template(name).or_else(|| opcode(name)),
    };
    Some(Expr::Number(number.into()))
}

/// Whether a name is that of a colour.
pub(crate) fn is_colour(name: &str) -> bool {
    let plain = name.strip_prefix("LIGHT_").or_else(|| name.strip_prefix("DARK_")).unwrap_or(name);
    let is_plain = matches!(
        plain,
        "BLACK"
            | "WHITE"
            | "RED"
            | "CYAN"
            | "PURPLE"
            | "GREEN"
            | "BLUE"
            | "YELLOW"
            | "ORANGE"
            | "BROWN"
            | "GRAY"
            | "GREY"
    );
    is_plain && find(name).is_some()
}

/// File templates. Their texts are kept at fixed places after the strings of the source.
fn template(name: &str) -> Option<Expr> {
    TEMPLATES.iter().position(|&(template, _)| template == name).map(|index| Expr::Template(index as u32))
}

pub(crate) const TEMPLATES: [(&str, &str); 5] = [
    ("BF_C64FILE", "C64FILE"),
    ("BF_KOALA", "C64FILE, Bitmap=$0000, ScreenRam=$1f40, ColorRam=$2328, BackgroundColor = $2710"),
    ("BF_FLI", "C64FILE, ColorRam=$0000, ScreenRam=$0400, Bitmap=$2400"),
    ("BF_BITMAP_SINGLECOLOR", "C64FILE, Bitmap=$0000, ScreenRam=$2000"),
    ("BF_DOODLE", "C64FILE, ColorRam=$0000,Bitmap=$0400"),
];

/// `LDA_IMM` and the like, for the instructions of the `_6502` set.
fn opcode(name: &str) -> Option<Expr> {
    let (mnemonic, mode) = name.split_once('_').unwrap_or((name, ""));
    let mode = match mode {
        "" if !name.contains('_') => Mode::Implied,
        "IMM" => Mode::Immediate,
        "ZP" => Mode::ZeroPage,
        "ZPX" => Mode::ZeroPageX,
        "ZPY" => Mode::ZeroPageY,
        "IZPX" => Mode::IndirectX,
        "IZPY" => Mode::IndirectY,
        "ABS" => Mode::Absolute,
        "ABSX" => Mode::AbsoluteX,
        "ABSY" => Mode::AbsoluteY,
        "IND" => Mode::Indirect,
        "REL" => Mode::Relative,
        _ => return None,
    };
    if mnemonic.len() > 4 || mnemonic.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    let mnemonic = Mnemonic::parse(&mnemonic.to_ascii_lowercase())?;
    let instruction = Cpu::Mos6502.find(mnemonic, mode)?;
    instruction.is_nameable().then(|| Expr::Number(f64::from(instruction.opcode).into()))
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
