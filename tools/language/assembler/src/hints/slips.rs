//! Slips in the language itself: a missing `=`, `var` or bracket, one `=` for two.
//! Reads the line around an error, and no more than that is sure.

use super::{Line, ident_len, is_mnemonic};
use crate::codes::Code;
use crate::library;
use tempo_diagnostics::Diagnostic;

/// A token that does not fit the head of a directive.
pub(super) fn head(line: Line<'_>) -> Option<String> {
    let before = line.before();
    // The directive that is being read, and what is between it and the fault.
    let dot =
        before.rfind('.').filter(|&dot| !before[..dot].ends_with(|c: char| c.is_ascii_alphanumeric()))?;
    let (directive, between) = before[dot..].split_at(1 + ident_len(&before[dot + 1..]));
    let name = between.trim();
    let after = line.after().trim_end();
    let word = &after[..ident_len(after)];
    if !name.is_empty() && ident_len(name) < name.len() {
        return None;
    }
    let code = after.split("//").next().unwrap_or("").trim_end();
    match (directive, name.is_empty()) {
        (".const" | ".var" | ".label", false) => {
            let is_value = code.starts_with(|c: char| c.is_ascii_alphanumeric() || "_$%\"'<>-".contains(c));
            // A name with a dash, or of two words, has its `=` further on.
            let is_missing = between.ends_with([' ', '\t']) && is_value && !code.contains('=');
            is_missing.then(|| format!("an = is missing: {directive} {name} = {code}"))
        }
        (".if" | ".while", true) if !code.is_empty() => {
            let rest = code[word.len()..].trim_start();
            let is_whole = rest.is_empty() || rest.starts_with(|c: char| c == '{' || c.is_ascii_alphabetic());
            let condition = if is_whole && !word.is_empty() { word } else { "condition" };
            Some(format!("the condition is in brackets: {directive} ({condition})"))
        }
        (".for", true) if !word.is_empty() => {
            Some("the head of a loop is in brackets: .for (var i = 0; i < n; i++)".to_owned())
        }
        (".import", true) if after.starts_with('"') => Some(import(after)),
        (".macro" | ".function", false) if !word.is_empty() || code.starts_with('{') => {
            let names = code.split('{').next().unwrap_or("").split([',', ' ', ':']);
            let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
            let are_names = names.iter().all(|name| ident_len(name) == name.len());
            let parameters = if are_names { names.join(", ") } else { "a, b".to_owned() };
            Some(format!("parameters are in brackets: {directive} {name}({parameters}) {{ ... }}"))
        }
        (".pseudocommand", false) if after.starts_with('(') => {
            Some(format!("parameters are without brackets: {directive} {name} a : b {{ ... }}"))
        }
        _ => None,
    }
}

/// `.import "file"`, by the name of the file.
fn import(after: &str) -> String {
    let file = after[1..].split('"').next().unwrap_or("");
    let extension = file.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    let here = match extension.as_str() {
        "asm" | "s" | "a" | "inc" | "lib" | "sym" => "#import",
        "prg" => ".import c64",
        "txt" => ".import text",
        _ => ".import binary",
    };
    format!("here it is {here} \"{file}\"")
}

/// `.for (i=0; …)` with an `i` that nothing declares.
pub(super) fn loop_variable(word: &str, line: Line<'_>) -> Option<String> {
    let head = line.text.get(..line.at + word.len())?;
    let directive = head.rfind(".for")?;
    let init = line.text[directive + 4..].trim_start().strip_prefix('(')?.split(';').next()?;
    let is_assigned = init.split(',').any(|item| {
        let value = item.trim_start().strip_prefix(word).map(str::trim_start);
        value.and_then(|value| value.strip_prefix('=')).is_some_and(|value| !value.starts_with('='))
    });
    is_assigned.then(|| format!("a loop declares its variable: .for (var {word} = ...; ...; ...)"))
}

/// `asl a`.
pub(super) fn accumulator(word: &str, line: Line<'_>) -> Option<String> {
    let mnemonic = line.before().split_whitespace().next_back()?;
    if !word.eq_ignore_ascii_case("a") {
        return None;
    }
    match mnemonic {
        "asl" | "lsr" | "rol" | "ror" => {
            Some(format!("the accumulator is implied: write {mnemonic} without an operand"))
        }
        "inc" => Some("the 6502 adds to the accumulator by clc and adc #1; a 65C02 has inc alone".to_owned()),
        "dec" => Some(
            "the 6502 subtracts from the accumulator by sec and sbc #1; a 65C02 has dec alone".to_owned(),
        ),
        _ => None,
    }
}

/// `x = 2` and `x++` of a variable, without `.eval`.
pub(super) fn assignment(line: Line<'_>, is_variable: impl Fn(&str) -> bool) -> Option<String> {
    let statement = line.text.split("//").next().unwrap_or("").trim();
    let (name, rest) = statement.split_at(ident_len(statement));
    let rest = rest.trim_start();
    let is_assignment = ["++", "--", "+=", "-=", "*=", "/="].iter().any(|sign| rest.starts_with(sign))
        || rest.starts_with('=') && !rest.starts_with("==");
    (is_assignment && !name.is_empty() && is_variable(name))
        .then(|| format!("a variable is changed by .eval {statement}"))
}

/// `#define NAME 5` and `#import file.asm`.
pub(super) fn preprocessor(line: Line<'_>) -> Option<String> {
    if let Some((name, value)) = definition(line) {
        return Some(format!(
            "a symbol of the preprocessor has no value; a constant is .const {name} = {value}"
        ));
    }
    if line.text.trim_start().starts_with("#importonce") {
        return Some("#importonce takes nothing: the file that it is in is imported once".to_owned());
    }
    let file = line.text.trim().strip_prefix("#import ")?.trim();
    let is_name = !file.contains(['"', ' ', '/']);
    is_name.then(|| format!("the name of a file is in double quotes: #import \"{file}\""))
}

/// The name and the value of `#define NAME 5`.
pub(super) fn definition(line: Line<'_>) -> Option<(&str, &str)> {
    let text = line.text.split("//").next()?.trim().strip_prefix("#define")?.trim_start();
    let (name, value) = text.split_at(ident_len(text));
    let value = value.trim_start().trim_start_matches('=').trim_start();
    (!name.is_empty() && !value.is_empty()).then_some((name, value))
}

/// An instruction in a function, of which the line is all that is known.
pub(super) fn code_in_function(word: &str, line: Line<'_>) -> Option<String> {
    (is_mnemonic(word) && line.before().contains(".function"))
        .then(|| "a function gives a value and emits nothing; a .macro emits code".to_owned())
}

/// A function whose name goes on: `toHex`.
pub(super) fn longer_function(word: &str) -> Option<String> {
    let mut longer = library::names().filter(|name| word.len() > 3 && name.starts_with(word));
    let only = longer.next().filter(|_| longer.next().is_none())?;
    Some(format!("did you mean '{only}'?"))
}

/// A value that is none.
pub(super) fn null(line: Line<'_>) -> Option<String> {
    let has_call = line.after().contains('(');
    has_call
        .then(|| "a function without .return gives null, and so does a hashtable without the key".to_owned())
}

pub(super) fn constant() -> Option<String> {
    Some("a .const keeps its value; declare with .var what is to change".to_owned())
}

/// `.eval count++` of a variable that nothing declares.
pub(super) fn undeclared(word: &str, line: Line<'_>) -> Option<String> {
    let is_changed = line.before().trim_start().starts_with(".eval") && {
        let after = line.after()[word.len()..].trim_start();
        ["++", "--", "+=", "-="].iter().any(|sign| after.starts_with(sign))
            || after.starts_with('=') && !after.starts_with("==")
    };
    is_changed.then(|| format!("a variable is declared first: .var {word} = 0"))
}

/// `.word "ab"`.
pub(super) fn text_as_number(line: Line<'_>) -> Option<String> {
    let text = line.text.trim_start();
    let is_data = [".word", ".wo", ".dword", ".dw", ".fill"].iter().any(|word| {
        text.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '\t']) && rest.contains('"'))
    });
    is_data.then(|| "texts are written by .text; the number of one character is 'a'".to_owned())
}

/// A text, or nothing, as an operand.
pub(super) fn operand_type(report: &Diagnostic<Code>, word: &str, line: Line<'_>) -> Option<String> {
    if report.message.ends_with("'Null'") {
        return null(line);
    }
    let is_text = report.message.ends_with("'String'") && !word.is_empty() && ident_len(word) == word.len();
    is_text.then(|| format!("a number in a text is {word}.asNumber()"))
}

/// `lda #"a"`.
pub(super) fn character(word: &str) -> Option<String> {
    let text = word.strip_prefix('"')?.strip_suffix('"')?;
    (text.chars().count() == 1 && text != "'" && text != "\\")
        .then(|| format!("a character is written in single quotes: '{text}'"))
}

/// `.if (a = 5)`: the fault is at the directive, or at the `=`.
pub(super) fn comparison(line: Line<'_>) -> Option<String> {
    let after = line.after();
    let condition = if after.starts_with('=') && !after.starts_with("==") {
        let before = line.before().trim_start();
        let is_condition = [".if", ".while"].iter().any(|directive| {
            before.strip_prefix(directive).is_some_and(|rest| rest.trim_start().starts_with('('))
        });
        return is_condition.then(equals);
    } else if after.starts_with(".for") {
        after.split(';').nth(1)?
    } else if after.starts_with(".if") || after.starts_with(".while") {
        in_brackets(after)?
    } else {
        return None;
    };
    has_assignment(condition).then(equals)
}

fn equals() -> String {
    "= assigns a value; == compares".to_owned()
}

/// The first brackets of a text, without them.
fn in_brackets(text: &str) -> Option<&str> {
    let start = text.find('(')? + 1;
    let mut depth = 1;
    let end = text[start..].find(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    })?;
    text.get(start..start + end)
}

/// Whether there is a `=` that is not part of another operator, outside of texts.
fn has_assignment(text: &str) -> bool {
    // Every other piece between quotes is a text.
    text.split('"').step_by(2).any(|code| {
        let bytes = code.as_bytes();
        bytes.iter().enumerate().any(|(at, &byte)| {
            let is_alone = |at: Option<usize>| {
                at.and_then(|at| bytes.get(at)).is_none_or(|byte| !b"=!<>+-*/&|^".contains(byte))
            };
            let next = bytes.get(at + 1) != Some(&b'=');
            byte == b'=' && next && is_alone(at.checked_sub(1))
        })
    })
}
