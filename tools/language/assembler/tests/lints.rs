//! Warnings: `tests/asm/warn/NAME.asm` assembles, and each line that is warned about ends in `// warning: CODE`. No other
//! line may be. `NAME.human` is what people see; `UPDATE=1` rewrites it. Without lints there is not a word about any.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::collections::BTreeSet;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_assembler::{
    Code, Columns, Lints, MemoryFiles, Options, Output, Renderer, Severity, SourceMap, assemble,
};

fn main() {
    let arguments = Arguments::from_args();
    let folder = tempo_testing::fixtures().join("asm/warn");
    let mut trials = vec![
        Trial::test("codes-are-chosen", codes_are_chosen),
        Trial::test("every-warning-has-a-fixture", every_warning_has_a_fixture),
        Trial::test("style-is-asked-for", style_is_asked_for),
        Trial::test("the-chess-program-has-none", || has_none("asm/main.asm")),
        Trial::test("the-sample-for-editors-has-none", || has_none("tools/editors/vscode/sample/raster.asm")),
    ];
    for source in tempo_testing::files_with_extension(&folder, "asm") {
        trials.push(Trial::test(tempo_testing::stem(&source), move || fixture(&source)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn run(name: &str, text: &str, lints: Lints) -> Output {
    let mut files: MemoryFiles = [(name, text)].into_iter().collect();
    // The data that a fixture loads.
    for path in tempo_testing::files_with_extension(&tempo_testing::fixtures().join("asm/warn"), "spd") {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        files.insert(name, tempo_testing::bytes(&path));
    }
    assemble(&files, name, &Options { lints, ..Options::default() })
}

fn fixture(source: &Path) -> Result<(), Failed> {
    let text = tempo_testing::text(source);
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let output = run(&name, &text, Lints::with_style());
    let mut expected = BTreeSet::new();
    for (index, line) in text.lines().enumerate() {
        for code in line.split("// warning: ").skip(1) {
            expected.insert((index as u32 + 1, code.trim().to_owned()));
        }
    }
    let mut human = String::new();
    let mut found = BTreeSet::new();
    for diagnostic in &output.diagnostics {
        let rendered = Renderer::new(&output.sources).human(diagnostic);
        if diagnostic.severity == Severity::Error {
            return Err(rendered.into());
        }
        let place = diagnostic.span.and_then(|span| output.sources.locate(span.start, Columns::Utf16));
        let line = place.map_or(0, |place| place.line);
        if !found.insert((line, diagnostic.code.as_str().to_owned())) {
            return Err(format!("twice:\n{rendered}").into());
        }
        human.push_str(&rendered);
        human.push('\n');
    }
    if found != expected {
        return Err(format!("expected {expected:?}\nfound    {found:?}\n{human}").into());
    }
    let quiet = run(&name, &text, Lints::default());
    if !quiet.diagnostics.is_empty() {
        return Err(format!("not asked for: {:?}", quiet.diagnostics).into());
    }
    if quiet.image != output.image {
        return Err("the warnings change the program".into());
    }
    Ok(tempo_testing::compare(&source.with_extension("human"), &human)?)
}

fn codes_are_chosen() -> Result<(), Failed> {
    let codes = |lints: Lints| -> Vec<&'static str> {
        let output = run("main.asm", " lda #300\n .byte 300\n", lints);
        output.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
    };
    let (immediate, data) = (Code::TruncatedImmediate, Code::TruncatedData);
    assert_eq!(codes(Lints::default()), [""; 0]);
    assert_eq!(codes(Lints::all()), ["W0101", "W0102"]);
    assert_eq!(codes(Lints { off: vec![data], ..Lints::all() }), ["W0101"]);
    assert_eq!(codes(Lints { on: vec![data], ..Lints::default() }), ["W0102"]);
    assert_eq!(codes(Lints { all: true, on: vec![immediate], off: vec![immediate, data] }), ["W0101"]);
    Ok(())
}

/// Findings that good programs have, too, are reported only on request.
fn style_is_asked_for() -> Result<(), Failed> {
    let text = "*=$1000\n lax #0\n jsr sub\n rts\nsub: {\nunused: rts\n}\n";
    let codes = |lints: Lints| -> Vec<&'static str> {
        run("main.asm", text, lints).diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
    };
    assert_eq!(codes(Lints::all()), [""; 0]);
    assert_eq!(codes(Lints::with_style()), ["W0308", "W0303", "W0301"]);
    assert_eq!(codes(Lints { on: vec![Code::TailCall], ..Lints::default() }), ["W0303"]);
    Ok(())
}

fn every_warning_has_a_fixture() -> Result<(), Failed> {
    let folder = tempo_testing::fixtures().join("asm/warn");
    let texts: String = tempo_testing::files_with_extension(&folder, "asm")
        .iter()
        .map(|path| tempo_testing::text(path))
        .collect();
    for code in Code::ALL.iter().filter(|code| code.is_warning() && **code != Code::ForcedAbsolute) {
        if !texts.contains(&format!("// warning: {code}")) {
            return Err(format!("no source in tests/asm/warn has a line with {code}").into());
        }
    }
    Ok(())
}

fn has_none(program: &str) -> Result<(), Failed> {
    let root = tempo_testing::root().join(program);
    let options = Options { lints: Lints::all(), ..Options::default() };
    let output = assemble(&tempo_assembler::DiskFiles::default(), &root.to_string_lossy(), &options);
    let rendered: String = output
        .diagnostics
        .iter()
        .map(|diagnostic| Renderer::new(&output.sources).human(diagnostic))
        .collect();
    if rendered.is_empty() { Ok(()) } else { Err(rendered.into()) }
}
