//! Help for mistakes that are known: spellings of other assemblers, brackets that stay open, names that are members.
//! Reads the text around an error, after the fact, so that the parser knows nothing of other languages.

use crate::analysis::{self, Analysis};
use crate::codes::Code;
use crate::report::Report;
use crate::source::Sources;
use crate::tree::Tree;

/// Adds help to errors that have none.
pub(crate) fn add(reports: &mut [Report], tree: &Tree, sources: &Sources) {
    let mut known: Option<Analysis> = None;
    // Reports are limited, but a line can be long; what follows the first twenty is more of the same.
    for report in reports.iter_mut().take(20) {
        let Some(span) = report.span.filter(|&span| sources.file_of(span) != 0) else { continue };
        let word = sources.text_of(span);
        if report.code == Code::UnbalancedBracket {
            let bracket = word.chars().next().unwrap_or(' ');
            report.label = Some(match bracket {
                '{' | '(' | '[' => format!("this {bracket} is never closed"),
                _ => format!("nothing that this {bracket} could close is open"),
            });
            continue;
        }
        if report.code == Code::UnknownDirective {
            if let Some(help) = foreign_directive(word) {
                report.help = Some(help);
            }
            continue;
        }
        if report.help.is_some() {
            continue;
        }
        report.help = match report.code {
            Code::UnknownSymbol => {
                let known = known.get_or_insert_with(|| analysis::of(tree, None, sources));
                let inside = member_path(known, word);
                let line = line_of(sources, report);
                inside
                    .map(|path| format!("there is '{path}': a name inside of a block or namespace"))
                    .or_else(|| line.and_then(|(line, column)| comment(line, column)))
                    .or_else(|| line.and_then(|(line, _)| bare_label(line)))
            }
            Code::SyntaxError
            | Code::InvalidCharacter
            | Code::InvalidToken
            | Code::UnknownPseudoCommand
            | Code::ExtraToken => {
                let line = line_of(sources, report);
                line.and_then(|(line, column)| foreign_line(line, column))
            }
            Code::UnknownPreprocessorDirective if report.message.ends_with("#include") => {
                Some("here it is #import \"file\"".to_owned())
            }
            _ => None,
        };
    }
}

/// The line of a report, and the offset of its place in it.
fn line_of<'s>(sources: &'s Sources, report: &Report) -> Option<(&'s str, usize)> {
    let span = report.span?;
    let file = sources.file_of(span);
    let text = sources.text(file);
    let at = (span.start - sources.base(file)) as usize;
    let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[start..].lines().next().unwrap_or("");
    Some((line, at - start))
}

/// The path of a name inside of a block or namespace.
fn member_path(known: &Analysis, word: &str) -> Option<String> {
    let named = known.symbols.iter().filter(|symbol| symbol.name == word);
    let mut paths = named.map(|symbol| known.path(symbol));
    paths.find(|path| path != word && !path.starts_with('.'))
}

/// Directives of ca65, 64tass, dasm and others.
fn foreign_directive(word: &str) -> Option<String> {
    let name = word.trim_start_matches('.').to_ascii_lowercase();
    let (whose, here) = match name.as_str() {
        "db" | "dc" | "dc.b" | "defb" | "char" => ("another assembler", ".byte"),
        "addr" | "da" | "defw" | "rta" => ("ca65 or 64tass", ".word"),
        "org" => ("ca65 or dasm", "*=$1000"),
        "equ" | "define" => ("dasm", ".const name = value, or .label for an address"),
        "set" => ("ca65 or dasm", ".var name = value, then .eval name = value"),
        "res" | "ds" | "dsb" | "ds.b" | "blkb" => ("ca65 or dasm", ".fill count, 0"),
        "proc" | "block" => ("ca65 or 64tass", "name: { ... }"),
        "scope" => ("ca65", ".namespace name { ... }"),
        "include" | "incsrc" => ("another assembler", "#import \"file\""),
        "incbin" | "binary" => ("another assembler", ".import binary \"file\""),
        "asc" | "ascii" | "null" | "shift" => ("another assembler", ".text \"...\""),
        "asciiz" => ("ca65", ".text \"...\" and .byte 0"),
        "repeat" | "rept" => ("ca65 or 64tass", ".for (var i = 0; i < n; i++) { ... }"),
        "ifdef" => ("another assembler", "#if NAME ... #endif"),
        "ifndef" => ("another assembler", "#if !NAME ... #endif"),
        "zeropage" | "code" | "bss" | "rodata" | "data" => ("ca65", ".segment Name, after .segmentdef Name"),
        "global" | "globl" | "export" | "exportzp" | "importzp" | "extern" => {
            return Some(
                "written for ca65? here all sources are one program: names need no export".to_owned(),
            );
        }
        "logical" => ("64tass", ".pseudopc address { ... }"),
        "processor" => ("dasm", ".cpu _6502"),
        "endproc" | "endmacro" | "endm" | "endif" | "endscope" | "endrepeat" | "endrep" | "end" | "bend"
        | "pend" | "here" | "next" | "fi" => {
            return Some("written for another assembler? here a } ends what a { begins".to_owned());
        }
        _ => return None,
    };
    Some(format!("written for {whose}? here it is {here}"))
}

/// Words behind a `;`, which begins no comment here.
fn comment(line: &str, column: usize) -> Option<String> {
    let is_behind = line.get(..column)?.contains(';');
    is_behind.then(|| "comments begin with //; a ; ends a statement".to_owned())
}

/// Lines of other assemblers.
fn foreign_line(line: &str, column: usize) -> Option<String> {
    if let Some(help) = comment(line, column) {
        return Some(help);
    }
    let statement = line.trim_start();
    let ident = |text: &str| {
        text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len()
    };
    if let Some(rest) = statement.strip_prefix('!') {
        let here = match &rest[..ident(rest)] {
            "byte" | "by" | "8" | "08" => ".byte",
            "word" | "wo" | "16" | "le16" => ".word",
            "32" | "le32" => ".dword",
            "fill" | "fi" | "skip" => ".fill count, 0",
            "text" | "tx" | "pet" | "scr" | "raw" | "ct" | "convtab" => {
                ".text \"...\", with .encoding before it"
            }
            "src" | "source" => "#import \"file\"",
            "bin" | "binary" => ".import binary \"file\"",
            "to" => "tempo asm -o FILE",
            "macro" => ".macro Name(a, b) { ... }",
            "zone" | "zn" | "sz" => "a block: name: { ... }",
            "for" | "do" | "while" => ".for (var i = 0; i < n; i++) { ... }",
            "if" | "ifdef" | "ifndef" => ".if (condition) { ... } or #if NAME",
            "set" => ".var name = value",
            "align" => ".align $100",
            "cpu" => ".cpu _6502",
            "pseudopc" => ".pseudopc address { ... }",
            "addr" | "address" => ".label name = address",
            _ => return None,
        };
        return Some(format!("written for ACME? here it is {here}"));
    }
    if let Some(rest) = statement.strip_prefix('%') {
        return (ident(rest) > 0)
            .then(|| "written for another assembler? here it is .macro Name(a, b) { ... }".to_owned());
    }
    let len = ident(statement);
    let after = statement[len..].trim_start();
    let word = after.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
    let is_equate = matches!(word.as_str(), ".equ" | "equ" | ".set" | "set" | ":=" | "eq");
    if len > 0 && (is_equate || after.starts_with('=') && !after.starts_with("==")) {
        let name = &statement[..len];
        return Some(format!(
            "here it is .const {name} = value for a number, .label {name} = value for an address"
        ));
    }
    bare_label(line)
}

/// A name at the start of a line, alone or before an instruction or directive.
fn bare_label(line: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (name, rest) = line.split_at(line.find(|c| !is_part(c)).unwrap_or(line.len()));
    let rest = rest.trim_start();
    let word = rest.split(|c: char| !is_part(c)).next().unwrap_or("").to_ascii_lowercase();
    let is_mnemonic = |word: &str| isa::Mnemonic::parse(word).is_some();
    let ends = rest.is_empty() || rest.starts_with("//") || rest.starts_with(';');
    let is_label = !name.is_empty() && !is_mnemonic(&name.to_ascii_lowercase());
    (is_label && (ends || rest.starts_with('.') || is_mnemonic(&word)))
        .then(|| format!("a label ends in a colon here: {name}:"))
}
