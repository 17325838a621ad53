//! Suites: parsed, checked and run for a few cycles.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::files::MemoryFiles;
use tempo_harness::parse::{Dialect, parse};
use tempo_harness::run::{NoClock, RunOptions, run};
use tempo_harness::source::Source;

fuzz_target!(|input: &[u8]| {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut files = MemoryFiles::default();
    files.insert("main.asm", "*=$1000\nFive: lda #5\n rts\nLoop: jmp Loop\nCount: .byte 0\n");
    let mut source = Source::new("s.6502", text);
    let parsed = parse(&mut source, Dialect::Full, &files);
    let source = Arc::new(source);
    let checked = check(&source, &parsed.file, CheckOptions::default(), &files, &AssemblyCache::default());
    if parsed.diagnostics.is_empty() && checked.diagnostics.is_empty() {
        let options = RunOptions { max_cycles: 2_000, max_cases: 50, ..RunOptions::default() };
        run(&[checked.plan], &options, &NoClock, &mut |_event| {});
    }
});
