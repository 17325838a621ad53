//! Lexer, preprocessor, parser and names: every message points at a place that exists.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tempo_assembler::{MemoryFiles, Options, SourceMap, assemble};

fuzz_target!(|input: &[u8]| {
    let mut files = MemoryFiles::default();
    files.insert("main.asm", input.to_vec());
    let output = assemble(&files, "main.asm", &Options { parse_only: true, analysis: true, ..Options::default() });
    for diagnostic in &output.diagnostics {
        if let Some(span) = diagnostic.span {
            assert!(output.sources.locate(span.start, tempo_diagnostics::Columns::Utf16).is_some(), "{diagnostic:?}");
        }
    }
});
