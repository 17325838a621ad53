//! The instruction sets of the 45GS02, the 65CE02 and the HuC6280: every pair of a mnemonic and an operand, recorded from
//! the assembler that has them. What is listed assembles to its bytes, everything else is refused with the name of the
//! mode, and the disassembler leads back to the bytes.

use std::collections::{BTreeMap, BTreeSet};

use tempo_assembler::{MemoryFiles, Options, Output, assemble};
use tempo_isa::Cpu;

/// The operands that were tried with every mnemonic, and the mode that a refusal names.
const FORMS: &[(&str, &str)] = &[
    ("", "NONE"),
    ("#$12", "IMMEDIATE"),
    ("#$1234", "IMMEDIATE"),
    ("$12", "ABSOLUTE"),
    ("$1234", "ABSOLUTE"),
    ("$12,x", "ABSOLUTEX"),
    ("$1234,x", "ABSOLUTEX"),
    ("$12,y", "ABSOLUTEY"),
    ("$1234,y", "ABSOLUTEY"),
    ("($12)", "INDIRECT"),
    ("($1234)", "INDIRECT"),
    ("($12,x)", "INDIRECTX"),
    ("($1234,x)", "INDIRECTX"),
    ("($12),y", "IZEROPAGEY"),
    ("(($12)),y", "IZEROPAGEY"),
    ("($12),z", "IZEROPAGEZ"),
    ("(($12)),z", "32IZEROPAGEZ"),
    ("(($12))", "32IZEROPAGE"),
    ("($12,sp),y", "ISTACKZEROPAGEY"),
    ("#$12,$34", "IMMEDIATEANDABSOLUTE"),
    ("#$12,$3456", "IMMEDIATEANDABSOLUTE"),
    ("#$12,$34,x", "IMMEDIATEANDABSOLUTEX"),
    ("#$12,$3456,x", "IMMEDIATEANDABSOLUTEX"),
    ("$1234,$5678,$9abc", "ABSOLUTE3"),
    ("$12,*+5", "ZPRELATIVE"),
    ("*+5", "ABSOLUTE"),
    ("*+300", "ABSOLUTE"),
    ("*-200", "ABSOLUTE"),
];

/// Mnemonics with their operands, and the bytes of each pair.
type Rows = BTreeMap<(String, String), Vec<u8>>;

/// The CPUs with the rows of their files: mnemonic and operand, and the bytes.
fn cpus() -> Vec<(Cpu, Rows)> {
    let read = |cpu: Cpu| {
        let path = tempo_testing::fixtures().join("vectors/cpus").join(format!("{}.tsv", cpu.name()));
        let text = tempo_testing::text(&path);
        let row = |line: &str| {
            let [mnemonic, operand, bytes] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let byte = |text: &str| u8::from_str_radix(text, 16).expect("a byte in hex");
            ((mnemonic.to_owned(), operand.to_owned()), bytes.split(' ').map(byte).collect())
        };
        (cpu, text.lines().skip(1).map(row).collect())
    };
    [Cpu::Mega45gs02, Cpu::Csg65ce02, Cpu::Huc6280].map(read).into()
}

fn run(cpu: Cpu, line: &str) -> Output {
    let source = format!(".cpu {}\n*=$1000\n {line}\n", cpu.kick_name());
    let files: MemoryFiles = [("main.asm", source.as_str())].into_iter().collect();
    assemble(&files, "main.asm", &Options::default())
}

#[test]
fn every_listed_pair_has_its_bytes() {
    for (cpu, rows) in cpus() {
        for ((mnemonic, operand), bytes) in &rows {
            let line = format!("{mnemonic} {operand}");
            let made = run(cpu, &line).prg().unwrap_or_else(|| panic!("{}: {line} is refused", cpu.name()));
            assert_eq!(made[2..], bytes[..], "{}: {line}", cpu.name());
        }
    }
}

#[test]
fn every_other_pair_is_refused_with_its_mode() {
    for (cpu, rows) in cpus() {
        let mnemonics: BTreeSet<&str> = rows.keys().map(|(mnemonic, _)| mnemonic.as_str()).collect();
        for mnemonic in mnemonics {
            let is_branch = rows.contains_key(&(mnemonic.to_owned(), "*+5".to_owned()));
            for &(operand, mode) in FORMS {
                // A branch and an absolute operand are written alike: the lists have one of them for a mnemonic.
                let is_plain = matches!(operand, "$12" | "$1234");
                let is_listed = rows.contains_key(&(mnemonic.to_owned(), operand.to_owned()));
                if is_listed || operand.starts_with('*') || is_branch && is_plain {
                    continue;
                }
                let line = format!("{mnemonic} {operand}");
                let result = run(cpu, &line);
                assert!(result.prg().is_none(), "{}: {line} is accepted", cpu.name());
                let message = format!("invalid adressingmode. '{mnemonic}' doesn't support {mode} mode");
                let messages: Vec<&str> =
                    result.diagnostics.iter().map(|error| error.message.as_str()).collect();
                assert_eq!(messages, [message], "{}: {line}", cpu.name());
            }
        }
    }
}

#[test]
fn every_listed_pair_comes_back_from_the_disassembler() {
    for (cpu, rows) in cpus() {
        // The 65CE02 and the 45GS02 have no `wai`: the opcode that is written for it is that of `asw`, which is longer.
        let is_real = |mnemonic: &str| mnemonic != "wai" || cpu == Cpu::Huc6280;
        for ((mnemonic, operand), bytes) in rows.iter().filter(|((mnemonic, _), _)| is_real(mnemonic)) {
            let text = tempo_emu::disassemble_bytes(cpu, 0x1000, bytes).to_string();
            let again = run(cpu, &text).prg();
            let what = format!("{}: {mnemonic} {operand} is shown as {text}", cpu.name());
            assert_eq!(again.as_deref().map(|prg| &prg[2..]), Some(&bytes[..]), "{what}");
        }
    }
}
