//! `symbols`: declarations of a program, by name or by address.

use serde_json::{Value, json};
use tempo_assembler::analysis::{Symbol, SymbolKind};
use tempo_assembler::{Columns, SourceMap as _};
use tempo_debug::parse_number;
use tempo_diagnostics::hex;

use super::{Desk, Effect, Lane, Tool, members, number, text};
use crate::answer::{Answer, page};
use crate::sources::{assembled, shown};

pub const SYMBOLS: Tool = Tool {
    name: "symbols",
    title: "Find symbols",
    description: "Lists labels, constants, macros and functions of a program with value, file, line and number of references: by part of the name or a pattern with *, or the label at or before an address.",
    arguments: || {
        json!({
            "query": text("part of a name, or a pattern"),
            "at": text("an address, $C010"),
            "file": text("[default: the project's program]"),
            "limit": number(1, 200, "[30]"),
            "offset": number(0, 100_000, "skip these [0]"),
        })
    },
    required: &[],
    answer: || members("symbols array, total integer"),
    effect: Effect::Reads,
    lane: Lane::Free,
    run: symbols,
};

/// A symbol as it is listed.
struct Found<'a> {
    path: String,
    symbol: &'a Symbol,
    value: Option<i64>,
    file: String,
    line: u32,
}

fn kind(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Label | SymbolKind::MultiLabel => "label",
        SymbolKind::Variable => "variable",
        SymbolKind::Constant => "constant",
        SymbolKind::Namespace => "namespace",
        SymbolKind::Macro => "macro",
        SymbolKind::PseudoCommand => "pseudocommand",
        SymbolKind::Function => "function",
        SymbolKind::Struct => "struct",
        _ => "define",
    }
}

fn symbols(desk: &Desk<'_>) -> Result<Answer, String> {
    let project = desk.host.project()?;
    let file = desk.path("file")?.unwrap_or_else(|| shown(&project.main()));
    let output = assembled(desk.host, desk.token, &project, &file)?;
    let analysis = output.analysis.as_ref().ok_or("the source could not be analysed. Next: `build`")?;
    // The built-in macros are the first text.
    let own = output.sources.base(tempo_assembler::FileId(1));
    let mut found: Vec<Found<'_>> = analysis
        .symbols
        .iter()
        .filter(|symbol| !symbol.name.is_empty() && symbol.span.start >= own)
        .filter_map(|symbol| {
            let at = output.sources.locate(symbol.span.start, Columns::Characters)?;
            let value = symbol.values.first().and_then(|value| value.number).map(|number| number as i64);
            Some(Found { path: analysis.path(symbol), symbol, value, file: at.file, line: at.line })
        })
        .collect();
    if let Some(at) = desk.arguments.text("at") {
        let address = parse_number(at).ok_or_else(|| format!("`{at}` is not an address such as $C010"))?;
        found.retain(|one| one.symbol.kind == SymbolKind::Label && one.value.is_some_and(|v| v <= address));
        let nearest = found.iter().filter_map(|one| one.value).max();
        found.retain(|one| one.value == nearest);
    }
    if let Some(query) = desk.arguments.text("query") {
        let lower = query.to_lowercase();
        found.retain(|one| match query.contains(['*', '?']) {
            true => tempo_harness::run::matches(query, &one.path),
            false => one.path.to_lowercase().contains(&lower),
        });
        // What is called so comes before what has it in its name.
        found.sort_by_key(|one| !one.path.eq_ignore_ascii_case(query));
    }
    let total = found.len();
    let offset = desk.arguments.number("offset", 0) as usize;
    let (listed, more) = page(found, offset, desk.arguments.number("limit", 30) as usize);
    let mut answer = Answer::new(json!({ "total": total }));
    let mut data: Vec<Value> = Vec::new();
    for one in &listed {
        let references = one.symbol.uses.len();
        let kind = kind(one.symbol.kind);
        let mut item = json!({
            "name": one.path,
            "kind": kind,
            "file": one.file,
            "line": one.line,
            "references": references,
        });
        let mut value = String::new();
        if let Some(number) = one.value {
            item["value"] = json!(number);
            value = format!(" = {}", hex(number));
        }
        data.push(item);
        let parameters = match one.symbol.parameters.is_empty() {
            true => String::new(),
            false => format!("({})", one.symbol.parameters.join(", ")),
        };
        let times = tempo_diagnostics::plural(references, "reference");
        answer.line(format!("{}{parameters}{value}  {kind}  {}:{}  {times}", one.path, one.file, one.line));
    }
    answer.set("symbols", json!(data));
    if total == 0 {
        answer.line("no symbol fits. Give a shorter `query`, or none");
    }
    if more > 0 {
        answer.line(format!("… {more} more: offset={}", offset + listed.len()));
        answer.set("truncated", json!(true));
    }
    Ok(answer)
}
