//! `-asminfo`: what editors ask an assembler about the language and about a source, in lines of fields.

use std::fmt::Write;

use assembler::dialect::{self, Directive, MANY};
use assembler::{Columns, FileId, Position, Severity, SourceMap};
use formats::debugdump::SYSTEM_SOURCE;

use crate::job::{AsmInfoError, Done};
use crate::syntax;

const PREDEFINED: [&str; 4] = ["version", "libraries", "directives", "preprocessorDirectives"];
const SOURCE_SPECIFIC: [&str; 3] = ["files", "syntax", "errors"];

/// The sections named, in the order Kick Assembler has them.
pub(crate) fn text(names: &str, done: &Done) -> Result<String, AsmInfoError> {
    let mut wanted: Vec<&str> = Vec::new();
    for name in names.split(['|', ',']).map(str::trim).filter(|name| !name.is_empty()) {
        let all = PREDEFINED.iter().chain(&SOURCE_SPECIFIC);
        match name.to_ascii_lowercase().as_str() {
            "all" => wanted.extend(all),
            "allpredefined" => wanted.extend(PREDEFINED),
            "allsourcespecific" => wanted.extend(SOURCE_SPECIFIC),
            lower => match all.clone().find(|section| section.eq_ignore_ascii_case(lower)) {
                Some(section) => wanted.push(section),
                None => return Err(AsmInfoError(name.to_owned())),
            },
        }
    }
    let mut text = String::new();
    for section in PREDEFINED.iter().chain(&SOURCE_SPECIFIC).filter(|section| wanted.contains(section)) {
        match *section {
            "version" => text.push_str("[version]\n5.25\n"),
            "libraries" => libraries(&mut text),
            "directives" => directives("directives", dialect::DIRECTIVES, &mut text),
            "preprocessorDirectives" => directives("ppdirectives", dialect::PREPROCESSOR, &mut text),
            "files" => files(done, &mut text),
            "syntax" => syntax_section(done, &mut text),
            _ => errors(done, &mut text),
        }
    }
    Ok(text)
}

// Writing to a String cannot fail; the results are dropped below.

fn libraries(text: &mut String) {
    text.push_str("[libraries]\n");
    for constant in dialect::CONSTANTS {
        let _ = writeln!(text, "{};constant;{}", constant.group, constant.name);
    }
    for function in dialect::FUNCTIONS {
        for arguments in function.arguments.iter().filter(|count| **count != MANY) {
            let _ = writeln!(text, "{};function;{};{arguments}", function.group, function.name);
        }
    }
}

fn directives(section: &str, list: &[Directive], text: &mut String) {
    let _ = writeln!(text, "[{section}]");
    for directive in list {
        // A semicolon separates fields; the examples use it between statements.
        let _ =
            writeln!(text, "{};{};{}", directive.name, directive.example.replace(';', " :"), directive.about);
    }
}

fn files(done: &Done, text: &mut String) {
    text.push_str("[files]\n");
    for (index, source) in done.output.program.sources.iter().enumerate() {
        let path = if index == 0 { SYSTEM_SOURCE } else { &source.path };
        let _ = writeln!(text, "{index};{path}");
    }
}

fn syntax_section(done: &Done, text: &mut String) {
    text.push_str("[syntax]\n");
    for (FileId(index), source) in done.output.sources.iter().skip(1) {
        for word in syntax::words(source.text()) {
            let from = source.position(word.start, Columns::Utf16);
            // The last column is part of the range.
            let to = source.position(word.end, Columns::Utf16);
            let (line, column) = (to.line, to.column - 1);
            let _ = writeln!(text, "{};{},{},{line},{column},{index}", word.kind, from.line, from.column);
        }
    }
}

fn errors(done: &Done, text: &mut String) {
    text.push_str("[errors]\n");
    for diagnostic in &done.output.diagnostics {
        let severity = if diagnostic.severity == Severity::Error { "Error" } else { "Warning" };
        let found = diagnostic.span.and_then(|span| Some((span, done.output.sources.find(span.start)?)));
        let range = match found {
            Some((span, found)) => {
                let span = found.local(span);
                let Position { line, column } = found.source.position(span.start, Columns::Utf16);
                let end = column + (found.source.slice(span).chars().count() as u32).max(1) - 1;
                format!("{line},{column},{line},{end},{}", found.file.0)
            }
            None => String::new(),
        };
        let _ = writeln!(text, "{severity};{range};{}", diagnostic.message.replace(['\n', '\r'], " "));
    }
}
