//! Hover on a name: what it is, its value or address, its comment, how often it is used.

use tempo_assembler::analysis::{Role, Symbol, SymbolKind, SymbolValue};
use tempo_diagnostics::{hex, plural, shortened};
use tempo_emu::System;

use super::{fenced, number};
use crate::cycles::{Counter, straight, sum};
use crate::facts::Facts;
use crate::values::Values;
use crate::words::{Words, comment_before};
use crate::{Root, Snapshot};

/// Values shown of a name that has many.
const MAX_VALUES: usize = 6;
const MAX_TEXT: usize = 120;

/// The declaration as it could be written.
pub(crate) fn signature(facts: &Facts, symbol: &Symbol) -> String {
    let path = facts.analysis().path(symbol);
    match symbol.kind {
        SymbolKind::Label => format!("{path}:"),
        SymbolKind::MultiLabel => format!("!{}:", symbol.name),
        SymbolKind::Variable => match symbol.role {
            Role::Parameter => format!("argument {path}"),
            Role::LoopVariable => format!("loop variable {path}"),
            _ => format!(".var {path}"),
        },
        SymbolKind::Constant if symbol.role == Role::EnumMember => format!(".enum {path}"),
        SymbolKind::Constant => format!(".const {path}"),
        SymbolKind::Namespace => format!(".namespace {path}"),
        SymbolKind::Macro => format!(".macro {path}({})", symbol.parameters.join(", ")),
        SymbolKind::PseudoCommand => format!(".pseudocommand {path} {}", symbol.parameters.join(" : ")),
        SymbolKind::Function => format!(".function {path}({})", symbol.parameters.join(", ")),
        SymbolKind::Struct => format!(".struct {path} {{{}}}", symbol.parameters.join(", ")),
        SymbolKind::Preprocessor => format!("#define {path}"),
        _ => path,
    }
}

pub(super) fn text(snapshot: &Snapshot, root: &Root, facts: &Facts, values: &Values, index: usize) -> String {
    let symbol = facts.symbol(index);
    let evaluated = values.symbol(facts, index);
    let mut head = signature(facts, symbol);
    let known = evaluated.map_or(&[][..], |symbol| &symbol.values);
    if matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
        && let [value] = known
    {
        head.push_str(&format!(" = {}", shown(value)));
    }
    let mut parts = vec![fenced(&head)];
    if let Some(evaluated) = evaluated {
        match symbol.kind {
            SymbolKind::Label | SymbolKind::MultiLabel => {
                parts.extend(label(values, evaluated, root.system()))
            }
            SymbolKind::Variable | SymbolKind::Constant => parts.extend(variable(evaluated, root.system())),
            _ => {}
        }
    }
    if let Some(comment) = comment(facts, symbol) {
        parts.push(comment);
    }
    let suites =
        snapshot.suite_names(root).into_iter().filter(|(_, _, labels)| labels.contains(&index)).count();
    let uses = symbol.uses.len() + suites;
    parts.push(plural(uses, "reference"));
    parts.join("\n\n")
}

/// The comment before a declaration, or after it on its line.
pub(crate) fn comment(facts: &Facts, symbol: &Symbol) -> Option<String> {
    let file = facts.output().sources.file_of(symbol.span.start);
    let base = facts.output().sources.base(file);
    // Lines of a comment stay lines.
    let comment = comment_before(Words::of(facts, file), symbol.span.start - base)?;
    Some(comment.trim_end().replace('\n', "  \n"))
}

fn shown(value: &SymbolValue) -> String {
    match value.number {
        Some(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            let whole = number as i64;
            if whole.abs() < 10 { format!("{whole}") } else { format!("{} ({whole})", hex(whole)) }
        }
        _ if value.type_name == "String" => format!("\"{}\"", shortened(&value.text, MAX_TEXT)),
        _ => shortened(&value.text, MAX_TEXT).to_string(),
    }
}

fn variable(symbol: &Symbol, system: System) -> Option<String> {
    match &symbol.values[..] {
        [] => None,
        [value] if symbol.value_count <= 1 => {
            let about = value.number.filter(|number| number.fract() == 0.0);
            about.and_then(|number| number::address(number as i64, system))
        }
        values => {
            let mut list: Vec<String> = values.iter().take(MAX_VALUES).map(shown).collect();
            if symbol.value_count as usize > list.len() {
                list.push("…".to_owned());
            }
            Some(format!("values: {} ({} times)", list.join(", "), symbol.value_count))
        }
    }
}

/// Address, size, segment and block, cycles of the code below.
fn label(values: &Values, symbol: &Symbol, system: System) -> Vec<String> {
    let analysis = values.facts.analysis();
    let mut lines = Vec::new();
    let distinct: Vec<&SymbolValue> = symbol.values.iter().collect();
    let Some(first) = distinct.first() else { return lines };
    let address = first.number.unwrap_or_default() as i64;
    if symbol.value_count > 1 {
        let list: Vec<String> =
            distinct.iter().take(MAX_VALUES).filter_map(|value| Some(hex(value.number? as i64))).collect();
        let more = if distinct.len() > MAX_VALUES { ", …" } else { "" };
        lines.push(format!("`{}`{more} ({} times)", list.join("`, `"), symbol.value_count));
        return lines;
    }
    let mut line = format!("`{}` · `{address}`", hex(address));
    if let Some(size) = size(values, symbol, address, first.segment) {
        line.push_str(&format!(" · {} to the next label", plural(size, "byte")));
    }
    lines.push(line);
    if let Some(about) = number::address(address, system) {
        lines.push(about);
    }
    let segment = first.segment.and_then(|segment| values.facts.output().program.segments.get(segment));
    let emits = |emission: &tempo_assembler::analysis::Emission| {
        Some(emission.segment) == first.segment && emission.run_address == address
    };
    if let Some(segment) = segment.filter(|_| analysis.emissions.iter().any(emits)) {
        let block = segment.blocks.iter().find(|block| block.start <= address && address < block.end());
        let block = block.map(|block| format!(", block {}", block.name)).unwrap_or_default();
        lines.push(format!("segment {}{block}", segment.name));
    }
    if let Some(segment) = first.segment {
        let run = straight(analysis, segment, address);
        if !run.is_empty() {
            if let Some(cycles) = Counter::new(&values.facts).routine(address) {
                lines.push(format!("to its `rts`: {cycles} cycles"));
            }
            let sum = sum(analysis, run);
            let instructions = plural(sum.instructions, "instruction");
            lines.push(format!("straight on: {} cycles, {instructions}, {} bytes", sum.cycles, sum.bytes));
        }
    }
    lines
}

/// Bytes from a label to the next one of its segment.
fn size(values: &Values, symbol: &Symbol, address: i64, segment: Option<usize>) -> Option<i64> {
    let analysis = values.facts.analysis();
    let emission = analysis
        .emissions
        .iter()
        .find(|emission| Some(emission.segment) == segment && emission.run_address == address)?;
    let labels = analysis
        .symbols
        .iter()
        .filter(|other| matches!(other.kind, SymbolKind::Label) && other.span != symbol.span);
    let addresses = labels.flat_map(|other| &other.values).filter(|value| value.segment == segment);
    let next =
        addresses.filter_map(|value| Some(value.number? as i64)).filter(|&other| other > address).min();
    let block = &values.facts.output().program.segments.get(emission.segment)?.blocks;
    let end =
        block.iter().find(|block| block.start <= emission.address && emission.address < block.end())?.end();
    let end = end - emission.address + address;
    Some(next.map_or(end, |next| next.min(end)) - address)
}
