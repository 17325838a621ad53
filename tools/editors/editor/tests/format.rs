//! Formatting changes blanks alone: every source of the chess program and of the conformance corpus, and damaged ones,
//! assemble to the same bytes and messages afterwards, and formatting again changes nothing.
//! `tests/format/NAME.asm` is a source, `NAME.tidy` what becomes of it; `UPDATE=1` rewrites that.

#![allow(clippy::disallowed_methods, reason = "a runner reads its fixtures")]

use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use tempo_assembler::{
    DiskFiles, FileError, Files, Limits, Loaded, Options, Output, Overlay, TokenKind, assemble, tokens,
};
use tempo_editor::{Case, Style, format};
use tempo_random::Random;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("chess-program", || program("asm/main.asm")),
        Trial::test("kernal", || program("asm/kernal/kernal.asm")),
        Trial::test("conformance", conformance),
        Trial::test("damaged", damaged),
        Trial::test("mixed-line-ends", mixed_line_ends),
    ];
    for source in tempo_testing::files_with_extension(&tempo_testing::fixtures().join("format"), "asm") {
        trials.push(Trial::test(tempo_testing::stem(&source), move || fixture(&source)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn fixture(source: &Path) -> Result<(), Failed> {
    let text = tempo_testing::text(source);
    let tidy = match tidied(&text, &Style::default())? {
        Some(tidy) => tidy,
        None => return Err("it has syntax errors".into()),
    };
    Ok(tempo_testing::compare(&source.with_extension("tidy"), &tidy)?)
}

/// A text in the usual style, `None` if it is left alone. Checks what needs no assembler.
fn tidied(text: &str, style: &Style) -> Result<Option<String>, Failed> {
    let Ok(tidy) = format(text, style) else { return Ok(None) };
    let words = |text: &str| -> Vec<String> {
        let word =
            |token: &tempo_assembler::SourceToken| text[token.start as usize..token.end as usize].to_owned();
        let trimmed = |token: &tempo_assembler::SourceToken| match token.kind {
            TokenKind::Comment => word(token).trim_end().to_owned(),
            TokenKind::Number if style.hex != Case::Leave => word(token).to_lowercase(),
            _ => word(token),
        };
        tokens(text).iter().map(trimmed).collect()
    };
    if words(text) != words(&tidy) {
        return Err(format!("other tokens\n{text:?}\n{tidy:?}").into());
    }
    let again = format(&tidy, style).map_err(|_| format!("refused again\n{text:?}\n{tidy:?}"))?;
    if again != tidy {
        return Err(format!("formatting again changes it\n{text:?}\n{tidy:?}\n{again:?}").into());
    }
    Ok(Some(tidy))
}

/// The files of the disk, sources formatted.
struct Formatted {
    disk: DiskFiles,
    style: Style,
    which: Which,
}

#[derive(Clone, Copy, PartialEq)]
enum Which {
    /// All sources.
    All,
    /// The first one: others may be loaded as data.
    Root,
}

impl Files for Formatted {
    fn read(&self, name: &str, from: Option<&str>) -> Result<Loaded, FileError> {
        let loaded = self.disk.read(name, from)?;
        let is_source = [".asm", ".inc", ".a", ".s"].iter().any(|ending| loaded.path.ends_with(ending));
        let is_wanted = is_source && (from.is_none() || self.which == Which::All);
        let text = std::str::from_utf8(&loaded.bytes).ok().filter(|_| is_wanted);
        let tidy = text.and_then(|text| format(text, &self.style).ok()).map(String::into_bytes);
        Ok(match tidy {
            Some(bytes) => Loaded { bytes: Arc::new(bytes), ..loaded },
            None => loaded,
        })
    }
}

/// The results that must not change: bytes, files, console, and the errors without their columns.
fn result(output: &Output) -> String {
    let codes: Vec<&str> = output.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
    format!("{:?} {:?} {:?} {codes:?}", output.image, output.files, output.console)
}

fn compare(root: &Path, style: Style, which: Which) -> Result<(), Failed> {
    let options = Options::default();
    let disk = || DiskFiles::default();
    let name = root.to_string_lossy();
    let before = result(&assemble(&disk(), &name, &options));
    let after = result(&assemble(&Formatted { disk: disk(), style, which }, &name, &options));
    if before != after {
        let short = |text: &str| text.chars().take(300).collect::<String>();
        return Err(format!("{name}: before {}\nafter {}", short(&before), short(&after)).into());
    }
    Ok(())
}

fn program(root: &str) -> Result<(), Failed> {
    let root = tempo_testing::root().join(root);
    for path in tempo_testing::files_with_extension(root.parent().unwrap_or(&root), "asm") {
        if tidied(&tempo_testing::text(&path), &Style::default())?.is_none() {
            return Err(format!("{} is left alone", path.display()).into());
        }
    }
    compare(&root, Style::default(), Which::All)
}

fn conformance() -> Result<(), Failed> {
    let (mut sources, mut refused) = (0, 0);
    let wide = Style { code: 16, operand: 24, comment: 48, indent: 2, hex: Case::Upper };
    for path in tempo_testing::files_with_extension(&tempo_testing::fixtures().join("conformance"), "asm") {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let style = if sources % 4 == 3 { wide } else { Style::default() };
        sources += 1;
        refused += u32::from(tidied(&text, &style)?.is_none());
        compare(&path, style, Which::Root)?;
    }
    println!("{sources} sources, {refused} of them with syntax errors");
    if sources < 1000 || refused > sources / 4 {
        return Err(format!("{refused} of {sources} are refused").into());
    }
    Ok(())
}

/// A line end of its own on either side of blanks: without them there would be one line end, not two.
fn mixed_line_ends() -> Result<(), Failed> {
    let tidy = tidied("*=$1\r  \n nop  \r\n", &Style::default())?;
    assert_eq!(tidy.as_deref(), Some("*=$1\r \n        nop\r\n"));
    Ok(())
}

/// Sources of the corpus with blanks, comments, braces and words put in and taken out.
fn damaged() -> Result<(), Failed> {
    const WORDS: &[&[u8]] = &[
        b" ",
        b"  ",
        b"\t",
        b"\n",
        b"\r\n",
        b" // c",
        b"/* c */",
        b"/* c\n d */",
        b"{",
        b"}",
        b"a:",
        b"!:",
        b" nop",
        b";",
        b"#if A\n",
        b"#else\n",
        b"#endif\n",
        b".if (true) {\n",
        b"(",
        b")",
        b",",
        b"  // c\n",
        b"\n        // d\n",
        b":",
        b".byte 1,\n",
        b"2",
        b" lda #1",
        b"=",
        b"\n\n",
    ];
    let mut seeds =
        tempo_testing::files_with_extension(&tempo_testing::fixtures().join("conformance"), "asm");
    seeds.retain(|path| std::fs::metadata(path).is_ok_and(|metadata| metadata.len() < 2000));
    let limits =
        Limits { passes: 10, iterations: 500, call_depth: 50, output_bytes: 1 << 20, ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let (mut formatted, mut seed) = (0, tempo_testing::seed());
    // Those that cannot be formatted do not count.
    let mut tries = tempo_testing::tries(1000).peekable();
    while tries.peek().is_some() {
        seed += 1;
        let mut random = Random::new(seed);
        let path = random.pick(&seeds).clone();
        let bytes = tempo_testing::damage(&mut random, &tempo_testing::bytes(&path), WORDS);
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let tidy = tidied(&text, &Style::default())
            .map_err(|failed| format!("seed {seed}: {}", failed.message().unwrap_or_default()))?;
        let Some(tidy) = tidy else { continue };
        formatted += 1;
        tries.next();
        let name = path.to_string_lossy().into_owned();
        let run = |text: &str| {
            let disk = DiskFiles::default();
            let mut files = Overlay::new(&disk);
            files.insert(name.as_str(), text);
            result(&assemble(&files, &name, &options))
        };
        let (before, after) = (run(&text), run(&tidy));
        if before != after {
            return Err(format!("seed {seed}\n{text:?}\n---\n{tidy:?}\n{before}\n{after}").into());
        }
    }
    println!("{formatted} of {} damaged sources can be formatted", seed - tempo_testing::seed());
    Ok(())
}
