//! Programs from source: asks the assembler library and keeps what a suite needs of the answer.
//! No files are between the two.

use std::sync::Arc;

use tempo_assembler::{Cancel, Columns, Options, Severity, SourceMap};
use tempo_formats::symbols::Symbols;

use crate::files::{Files, Loaded};
use crate::lines::Lines;

/// An assembled program.
#[derive(Debug, Clone)]
pub struct Assembled {
    /// The contents of memory, block by block.
    pub blocks: Vec<(i64, Arc<[u8]>)>,
    pub symbols: Symbols,
    pub lines: Arc<Lines>,
    /// The sources of the program, if one of their comments speaks to tools.
    pub commented: Vec<tempo_assembler::Source>,
    /// All that the assembler knows, if it was asked for.
    pub output: Option<Box<tempo_assembler::Output>>,
}

/// Errors shown of a source that does not assemble.
const MAX_MESSAGES: usize = 8;

/// Assembles a source; on errors, their messages. A define is a preprocessor symbol, or `name=value` for a
/// variable of the command line.
pub fn assemble(
    root: &Loaded,
    defines: &[String],
    files: &dyn Files,
    analysis: bool,
    cancel: &Cancel,
) -> Result<Assembled, Vec<String>> {
    let mut options = Options { analysis, cancel: cancel.clone(), ..Options::default() };
    for define in defines {
        match define.split_once('=') {
            Some((name, value)) => {
                options.variables.push((name.trim().to_string(), value.trim().to_string()))
            }
            None => options.defines.push(define.clone()),
        }
    }
    let output = tempo_assembler::assemble(files, &root.path, &options);
    if output.has_errors() {
        let errors: Vec<_> = output.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        let mut messages: Vec<String> = errors
            .iter()
            .take(MAX_MESSAGES)
            .map(|diagnostic| {
                let place =
                    diagnostic.span.and_then(|span| output.sources.locate(span.start, Columns::Utf16));
                let mut message = match place {
                    Some(at) => format!("{at}: {}", diagnostic.message),
                    None => diagnostic.message.clone(),
                };
                // Why a file cannot be read is known to the note alone.
                if matches!(diagnostic.code.as_str(), "E0112" | "E0415")
                    && let Some(note) = diagnostic.notes.first()
                {
                    message += &format!(" ({note})");
                }
                message
            })
            .collect();
        if errors.len() > MAX_MESSAGES {
            messages.push(format!("{} errors more", errors.len() - MAX_MESSAGES));
        }
        return Err(messages);
    }
    // A program without a Default segment is loaded with all the segments it has.
    let default =
        output.program.segments.first().filter(|segment| segment.blocks.iter().any(|b| !b.bytes.is_empty()));
    let segments = match default {
        Some(segment) => std::slice::from_ref(segment),
        None => &output.program.segments[..],
    };
    let blocks = segments
        .iter()
        .flat_map(|segment| &segment.blocks)
        .filter(|block| !block.is_virtual && !block.bytes.is_empty())
        .map(|block| (block.start, Arc::from(block.bytes.as_slice())))
        .collect();
    let commented = output.sources.iter().filter(|(file, _)| file.0 > 0).map(|(_, source)| source);
    let commented = commented.filter(|source| !tempo_assembler::tempo_comments(source.text()).is_empty());
    Ok(Assembled {
        commented: commented.cloned().collect(),
        blocks,
        symbols: Symbols::from_program(&output.program),
        lines: Arc::new(Lines::from_program(&output.program)),
        output: analysis.then(|| Box::new(output)),
    })
}
