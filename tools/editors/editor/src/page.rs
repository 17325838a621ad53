//! A program as the pages show it (`tempo studio`, the playground): errors with their lines, names, lines, texts and blocks,
//! as JSON. Knows nothing of the pages but this form.

use serde_json::{Value, json};
use tempo_assembler::{Columns, Output, Severity, SourceMap as _};
use tempo_formats::symbols::Symbols;
use tempo_harness::lines::Lines;

/// Errors, each with the line that it is in.
pub fn errors(output: &Output) -> Value {
    let errors = output.diagnostics.iter().filter(|found| found.severity == Severity::Error).take(20);
    let errors = errors.map(|found| {
        let mut error = json!({ "message": found.message, "code": found.code.as_str() });
        if let Some(span) = found.span
            && let Some(at) = output.sources.locate(span.start, Columns::Characters)
        {
            let text =
                output.sources.get(output.sources.file_of(span.start)).map(|source| source.line(at.line));
            error["length"] = span.end.saturating_sub(span.start).max(1).into();
            error["text"] = text.unwrap_or_default().trim_end().into();
            (error["file"], error["line"], error["column"]) =
                (at.file.into(), at.line.into(), at.column.into());
        }
        error
    });
    errors.collect()
}

/// Names, lines and texts of a program.
pub fn about(output: &Output) -> Value {
    let symbols = Symbols::from_program(&output.program);
    let symbols: Vec<(&str, i64)> =
        symbols.iter().map(|symbol| (symbol.path.as_str(), symbol.value)).collect();
    let map = Lines::from_program(&output.program);
    let mut names: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for (address, statement) in map.statements() {
        let Some(path) = map.path(statement.place) else { continue };
        let file = names.iter().position(|name| name == path).unwrap_or_else(|| {
            names.push(path.to_string());
            names.len() - 1
        });
        lines.push((address, statement.len, file, statement.place.line, u8::from(statement.is_code)));
    }
    let texts: Vec<Value> = names
        .iter()
        .map(|path| json!({ "path": path, "text": map.file_text(path).unwrap_or_default().join("\n") }))
        .collect();
    let blocks = output.program.segments.iter().flat_map(|segment| &segment.blocks);
    let blocks: Vec<Value> = blocks
        .filter(|block| !block.is_virtual && !block.bytes.is_empty())
        .map(|block| json!({ "name": block.name, "start": block.start, "length": block.bytes.len() }))
        .collect();
    json!({ "symbols": symbols, "lines": lines, "files": texts, "blocks": blocks })
}
