//! Typical mistakes and what is said about them: `tests/asm/mistakes/NAME.asm` is refused with the words of
//! `NAME.human`. `UPDATE=1` rewrites these; read them before you commit.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_assembler::{MemoryFiles, Options, Renderer, assemble};

fn main() {
    let arguments = Arguments::from_args();
    let folder = tempo_testing::fixtures().join("asm/mistakes");
    let trials = tempo_testing::files_with_extension(&folder, "asm")
        .into_iter()
        .map(|source| Trial::test(tempo_testing::stem(&source), move || mistake(&source)))
        .collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn mistake(source: &std::path::Path) -> Result<(), Failed> {
    let text = tempo_testing::text(source);
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let files: MemoryFiles = [(name.as_str(), text.as_str())].into_iter().collect();
    let mut options = Options::default();
    options.limits.call_depth = 100;
    let output = assemble(&files, &name, &options);
    if !output.has_errors() {
        return Err("it assembles".into());
    }
    let human: Vec<String> = output
        .diagnostics
        .iter()
        .map(|diagnostic| Renderer::new(&output.sources).human(diagnostic))
        .collect();
    Ok(tempo_testing::compare(&source.with_extension("human"), &human.join("\n"))?)
}
