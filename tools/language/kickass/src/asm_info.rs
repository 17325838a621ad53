//! `-asminfo`: what editors ask an assembler about the language and about a source, in lines of fields.

use std::fmt::Write;

use tempo_assembler::dialect::{self, Whose};
use tempo_assembler::{Columns, Diagnostic, FileId, Severity, Source, SourceMap};
use tempo_formats::debugdump::SYSTEM_SOURCE;

use crate::job::{AsmInfoError, Done};
use crate::syntax;

/// The requests, in the order of the file.
const SECTIONS: [&str; 7] =
    ["version", "libraries", "directives", "preprocessorDirectives", "errors", "syntax", "files"];
/// Those about the language come first.
const PREDEFINED: usize = 4;

/// The libraries in Kick Assembler's order; constants come before functions.
const LIBRARIES: [&str; 6] = ["Math", "Print", "Vector", "Constructors", "Misc", MNEMONICS];
/// The one that has the constants of opcodes.
const MNEMONICS: &str = "65xxMnemonics";
/// The mnemonics in the order of those constants.
const ORDER: &str = "ldy ldx dec isc ins isb eor sbc2 jmp bit bvc beq axs sbx dex bne alr asr dey brk cld xaa ane clc \
    lax lxa bvs rra adc sta cli cpx tax clv cpy tay anc2 stx slo sty shx bcc shy cmp jsr lsr rol nop sec bcs sed ror \
    ahx sha and sei anc tsx txa las lae lds ora inc bpl arr pla rti rla sre lda pha sax dcp dcm txs rts inx sbc iny \
    plp php asl tas shs tya bmi";

/// The sections named, in the order Kick Assembler has them.
pub(crate) fn text(names: &str, done: &Done) -> Result<String, AsmInfoError> {
    let mut wanted = [false; SECTIONS.len()];
    for name in names.split('|').map(str::trim).filter(|name| !name.is_empty()) {
        match name.to_ascii_lowercase().as_str() {
            "all" => wanted.fill(true),
            "allpredefined" => wanted[..PREDEFINED].fill(true),
            "allsourcespecific" => wanted[PREDEFINED..].fill(true),
            lower => match SECTIONS.iter().position(|section| section.eq_ignore_ascii_case(lower)) {
                Some(section) => wanted[section] = true,
                None => return Err(AsmInfoError(name.to_owned())),
            },
        }
    }
    let mut info = Info { done, numbers: vec![None; done.output.sources.iter().count()], files: Vec::new() };
    let mut text = String::new();
    for (section, _) in SECTIONS.iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        match *section {
            "version" => text.push_str("[version]\n5.25\n"),
            "libraries" => libraries(&mut text),
            "directives" => directives(&mut text),
            "preprocessorDirectives" => {
                text.push_str("[ppdirectives]\n");
                let listed = dialect::PREPROCESSOR.iter().filter(|item| item.whose == Whose::Kick);
                listed.for_each(|item| directive(item.name, item.example, item.about, &mut text));
            }
            "errors" => info.errors(&mut text),
            "syntax" => info.syntax(&mut text),
            _ => info.files(&mut text),
        }
    }
    Ok(text)
}

// Writing to a String cannot fail; the results are dropped below.

/// Library, kind and name of everything built in, and what functions take.
fn libraries(text: &mut String) {
    text.push_str("[libraries]\n");
    for library in LIBRARIES {
        for constant in dialect::CONSTANTS.iter().filter(|constant| constant.library == library) {
            let _ = writeln!(text, "{library};constant;{}", constant.name);
        }
        if library == MNEMONICS {
            for name in ORDER.split(' ') {
                for constant in dialect::opcode_constants(name) {
                    let _ = writeln!(text, "{library};constant;{constant}");
                }
            }
        }
        for function in dialect::FUNCTIONS.iter().filter(|function| function.library == library) {
            if function.whose == dialect::Whose::Ours {
                continue;
            }
            if function.is_counted {
                for count in function.argument_counts() {
                    let _ = writeln!(text, "{library};function;{};{count}", function.name);
                }
            } else {
                let _ = writeln!(text, "{library};function;{};", function.name);
            }
        }
    }
}

/// The directives as Kick Assembler lists them: each kind of import by itself.
fn directives(text: &mut String) {
    text.push_str("[directives]\n");
    for item in dialect::DIRECTIVES.iter().filter(|item| item.is_listed && item.whose == Whose::Kick) {
        if item.takes == dialect::Takes::Import {
            for kind in dialect::IMPORTS {
                directive(&format!("{} {}", item.name, kind.name), item.example, item.about, text);
            }
        } else {
            directive(item.name.trim_end_matches('='), item.example, item.about, text);
        }
    }
}

fn directive(name: &str, example: &str, about: &str, text: &mut String) {
    // A semicolon separates fields; the examples use it between statements.
    let _ = writeln!(text, "{name};{};{about}", example.replace(';', " :"));
}

/// The sections about a source. Files get their numbers when a range first mentions them.
struct Info<'a> {
    done: &'a Done,
    /// The number of each source, by its place among all.
    numbers: Vec<Option<usize>>,
    /// The sources that have one, in order.
    files: Vec<u32>,
}

impl Info<'_> {
    fn number(&mut self, FileId(file): FileId) -> usize {
        *self.numbers[file as usize].get_or_insert_with(|| {
            self.files.push(file);
            self.files.len() - 1
        })
    }

    /// A range of a source; the last column is part of it.
    fn range(&mut self, file: FileId, source: &Source, start: u32, end: u32) -> String {
        let from = source.position(start, Columns::Kick);
        // A line end belongs to the line it ends.
        let ends_line = source.text()[..end as usize].ends_with(['\n', '\r']);
        let to = source.position(end - u32::from(ends_line), Columns::Kick);
        let column = to.column + u32::from(ends_line) - 1;
        let number = self.number(file);
        format!("{},{},{},{column},{number}", from.line, from.column, to.line)
    }

    fn errors(&mut self, text: &mut String) {
        text.push_str("[errors]\n");
        let done = self.done;
        // Kick Assembler stops at the first error of evaluation; what follows may follow from it.
        let is_of_evaluation =
            |one: &Diagnostic| one.severity == Severity::Error && one.code.is_of_evaluation();
        let mut of_evaluation = 0;
        for diagnostic in &done.output.diagnostics {
            of_evaluation += usize::from(is_of_evaluation(diagnostic));
            if is_of_evaluation(diagnostic) && of_evaluation > 1 {
                continue;
            }
            let severity = if diagnostic.severity == Severity::Error { "Error" } else { "Warning" };
            let range = self.place(diagnostic);
            let _ = writeln!(text, "{severity};{range};{}", diagnostic.message);
        }
    }

    /// The range of a diagnostic, on its first line; nothing if it has no place.
    fn place(&mut self, diagnostic: &Diagnostic) -> String {
        let done = self.done;
        let found = diagnostic.span.and_then(|span| Some((span, done.output.sources.find(span.start)?)));
        let Some((span, found)) = found else { return String::new() };
        let span = found.local(span);
        let line = found.source.slice(span).split(['\n', '\r']).next().unwrap_or_default();
        let from = found.source.position(span.start, Columns::Kick);
        let end = from.column + (line.encode_utf16().count() as u32).max(1) - 1;
        format!("{},{},{},{end},{}", from.line, from.column, from.line, self.number(found.file))
    }

    fn syntax(&mut self, text: &mut String) {
        text.push_str("[syntax]\n");
        let done = self.done;
        for (file, source) in done.output.sources.iter() {
            let base = done.output.sources.base(file);
            let end = base + source.text().len() as u32;
            let left_out: Vec<(u32, u32)> = done
                .output
                .left_out
                .iter()
                .filter(|span| (base..=end).contains(&span.start))
                .map(|span| (span.start - base, span.end - base))
                .collect();
            for word in syntax::words(source.text()) {
                if left_out.iter().any(|(start, end)| (*start..*end).contains(&word.start)) {
                    continue;
                }
                let range = self.range(file, source, word.start, word.end);
                let _ = writeln!(text, "{};{range}", word.kind);
            }
            for (start, end) in left_out {
                // Whole lines: from the one after the directive to that of the next directive.
                let line = |offset: u32| source.position(offset, Columns::Kick).line;
                let number = self.number(file);
                let _ = writeln!(text, "ppDisabledCode;{},0,{},0,{number}", line(start), line(end));
            }
        }
    }

    fn files(&self, text: &mut String) {
        text.push_str("[files]\n");
        for (number, &file) in self.files.iter().enumerate() {
            let source = self.done.output.sources.get(FileId(file));
            let path = source.map_or("", |source| if file == 0 { SYSTEM_SOURCE } else { source.name() });
            let _ = writeln!(text, "{number};{path}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_in_a_library_that_is_listed() {
        let of_kick = dialect::FUNCTIONS.iter().filter(|function| function.whose == dialect::Whose::Kick);
        let functions = of_kick.map(|function| (function.name, function.library));
        let constants = dialect::CONSTANTS.iter().map(|constant| (constant.name, constant.library));
        let mut text = String::new();
        libraries(&mut text);
        for (name, library) in functions.chain(constants).filter(|(name, _)| *name != "cmdLineVars") {
            assert!(LIBRARIES.contains(&library), "{name}");
            assert!(text.lines().any(|line| line.split(';').nth(2) == Some(name)), "{name}");
        }
    }
}
