//! Hover on an instruction and on the call of a macro: what was emitted, and what it costs.

use tempo_assembler::TokenKind;
use tempo_assembler::analysis::Emission;
use tempo_diagnostics::{FrameKind, Span, hex, hex_address, hex_bytes, plural};
use tempo_isa::{Cpu, Instruction, Mnemonic, Parts, Standing};

use super::fenced;
use crate::cycles::{Code, Counter, total};
use crate::values::Values;
use crate::words::Words;

/// Lines shown of an expansion.
const MAX_LINES: usize = 8;
/// Emissions of a statement that are shown one by one.
const MAX_TIMES: usize = 3;

/// The mnemonic that a word is, if it is the head of a statement.
pub(crate) fn mnemonic(words: Words<'_>, index: usize) -> Option<(Cpu, Mnemonic)> {
    if words.kind(index) != Some(TokenKind::Name)
        || words.spelled(index + 1) == "(" && words.span(index).end == words.span(index + 1).start
    {
        return None;
    }
    if words.head(words.statement_start(index)) != index {
        return None;
    }
    Cpu::with_mnemonic(words.spelled(index))
}

pub(super) fn instruction(values: &Values, words: Words<'_>, index: usize) -> Option<String> {
    let (mut cpu, mnemonic) = mnemonic(words, index)?;
    let emitted = values.emitted_at(words.span(index).start);
    let analysis = values.facts.analysis();
    let codes: Vec<(&Emission, Code<'_>)> =
        emitted.iter().filter_map(|emission| Some((*emission, Code::decoded(analysis, emission)?))).collect();
    let mut mnemonic = mnemonic;
    if let Some(own) = codes.first().and_then(|(emission, _)| emission.cpu) {
        (cpu, mnemonic) = (own, own.own(mnemonic).unwrap_or(mnemonic));
    }
    let row = codes.first().map(|(_, code)| code.row);
    let about = row.map_or(mnemonic.about(), Instruction::about);
    let mut parts = vec![format!("**{mnemonic}** — {about}  \nflags: {}", flags(cpu, mnemonic, row))];
    let mut rows: Vec<String> = Vec::new();
    for (emission, code) in codes.iter().take(MAX_TIMES) {
        let bytes = hex_bytes(code.bytes);
        let place = match emission.address == emission.run_address {
            true => hex(emission.address),
            false => format!("{} (runs at {})", hex(emission.address), hex(emission.run_address)),
        };
        let cycles = if cpu.has_cycles() { format!("cycles: {}", code.words()) } else { cpu_name(cpu) };
        rows.push(format!(
            "`{place}: {}` · {} · {} · {cycles}",
            bytes,
            code.row.mode.name(),
            plural(code.bytes.len(), "byte"),
        ));
    }
    if codes.len() > MAX_TIMES {
        rows.push(format!("… {} times in all", codes.len()));
    }
    if !rows.is_empty() {
        parts.push(rows.join("  \n"));
    }
    let mut table = String::from("| mode | | bytes | cycles |\n|---|---|---|---|\n");
    for row in cpu.rows(mnemonic) {
        let cycles = match row.max_cycles() {
            _ if !cpu.has_cycles() => cpu_name(cpu),
            max if max == row.cycles => format!("{}", row.cycles),
            max => format!("{}–{max}", row.cycles),
        };
        let mark = if row.standing == Standing::Documented { "" } else { " (undocumented)" };
        table.push_str(&format!(
            "| {}{mark} | `{mnemonic} {}` | {} | {cycles} |\n",
            row.mode.name(),
            row.mode.operand(),
            row.len()
        ));
    }
    parts.push(table.replace(" ` |", "` |").trim_end().to_owned());
    Some(parts.join("\n\n"))
}

/// The name of a CPU where cycles would be: how long its instructions take depends on the speed of the machine.
fn cpu_name(cpu: Cpu) -> String {
    cpu.name().to_uppercase()
}

/// The letters of the flags that an instruction changes: this row of it, or any if it is not known which.
pub(crate) fn flags(cpu: Cpu, mnemonic: Mnemonic, row: Option<&Instruction>) -> String {
    let writes = match row {
        Some(row) => row.effects.writes,
        None => cpu.rows(mnemonic).fold(Parts::NONE, |all, row| all.and(row.effects.writes)),
    };
    match Parts::flags(writes.mask()) {
        Parts::NONE => "none".to_owned(),
        flags => flags.to_string(),
    }
}

/// Size, cycles and first lines of the expansion that a call at a span of the file made.
pub(super) fn expansion(values: &Values, name: Span) -> Option<String> {
    let (first, sum) = expand(values, name)?;
    let mut text = format!("this call: {}, {} cycles", plural(sum.bytes, "byte"), sum.cycles);
    let shown: Vec<String> = first.iter().take(MAX_LINES).cloned().collect();
    if !shown.is_empty() {
        let more = if first.len() > MAX_LINES { "\n…" } else { "" };
        text.push_str(&format!("\n\n{}", fenced(&format!("{}{more}", shown.join("\n")))));
    }
    Some(text)
}

/// The lines of the expansion whose call has its name at a span of the file, with addresses, and their sum. Of a call
/// that was made several times, the first one.
pub(crate) fn expand(values: &Values, name: Span) -> Option<(Vec<String>, crate::cycles::Sum)> {
    let analysis = values.facts.analysis();
    let offsets = values.offsets(name.start);
    let is_call = |expansion: &tempo_assembler::analysis::Expansion| {
        matches!(expansion.kind, FrameKind::Macro | FrameKind::PseudoCommand)
            && offsets.iter().any(|&offset| {
                expansion.span.start <= offset && offset < expansion.span.end.max(expansion.span.start + 1)
            })
    };
    let index = analysis.expansions.iter().position(is_call)?;
    let inside = members(analysis, index);
    let mut emissions: Vec<&Emission> = analysis
        .emissions
        .iter()
        .filter(|emission| emission.expansion.is_some_and(|own| inside[own]))
        .collect();
    let lines = emissions.iter().map(|emission| line(values, emission)).collect();
    let facts = &values.facts;
    Some((lines, total(facts, &mut Counter::new(facts), &mut emissions)))
}

/// Which expansions are one or inside it.
pub(crate) fn members(analysis: &tempo_assembler::Analysis, index: usize) -> Vec<bool> {
    let mut inside = vec![false; analysis.expansions.len()];
    inside[index] = true;
    // Inner ones begin later.
    for (at, expansion) in analysis.expansions.iter().enumerate().skip(index + 1) {
        inside[at] = expansion.parent.is_some_and(|parent| inside[parent]);
    }
    inside
}

/// An emission as a line of a listing.
pub(crate) fn line(values: &Values, emission: &Emission) -> String {
    let analysis = values.facts.analysis();
    let address = hex(emission.run_address);
    if let Some(code) = Code::of(analysis, emission) {
        return format!("{address}  {}", written(&code));
    }
    let bytes = analysis.bytes(emission);
    let shown: Vec<String> = bytes.iter().take(8).map(|byte| format!("${byte:02X}")).collect();
    let more = if bytes.len() > 8 { ", …" } else { "" };
    format!("{address}  .byte {}{more}", shown.join(", "))
}

/// An instruction as it could be written.
pub(crate) fn written(code: &Code<'_>) -> String {
    let name = code.row.mnemonic.name();
    let value = match (code.target().filter(|_| code.is_branch()), code.operand()) {
        (Some(target), _) => hex(target),
        (None, Some(value)) if code.bytes.len() == 3 => hex_address(value),
        (None, Some(value)) => format!("${value:02X}"),
        (None, None) => return name.to_owned(),
    };
    let mode = code.row.mode;
    format!("{name} {}", mode.operand().replace(mode.placeholder(), &value))
}
