//! The whole assembler with small limits: a run ends, and two runs give the same bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tempo_assembler::{Limits, Lints, MemoryFiles, Options, assemble};

fuzz_target!(|input: &[u8]| {
    let mut files = MemoryFiles::default();
    files.insert("main.asm", input.to_vec());
    let limits = Limits {
        passes: 10,
        iterations: 500,
        call_depth: 100,
        import_depth: 10,
        output_bytes: 1 << 20,
        value_size: 1 << 16,
        ..Limits::default()
    };
    let options = Options { limits, analysis: true, lints: Lints::with_style(), ..Options::default() };
    let first = assemble(&files, "main.asm", &options);
    let quiet = assemble(&files, "main.asm", &Options { analysis: false, lints: Lints::default(), ..options });
    assert_eq!(first.has_errors(), quiet.has_errors());
    assert!(first.image == quiet.image, "warnings change the program");
});
