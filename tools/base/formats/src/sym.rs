//! Kick Assembler's symbol file (`.sym`): importable source made of `.label` and `.namespace` lines.
//! The order within a scope is that of a Java hash map over all names of the scope, printed or not.

use thiserror::Error;

use crate::hash_order;

/// The named symbols of one scope, in declaration order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The symbols; a name occurs once.
    pub entries: Vec<Entry>,
}

/// A symbol under its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name without the scopes around it.
    pub name: String,
    /// The name's value.
    pub kind: Kind,
}

/// The value of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A variable, constant or enum member: not printed, but it takes part in the order.
    Hidden,
    /// A label and, when it has a body, the labels in it. `Some` of an empty scope prints empty braces.
    Label {
        /// The address or value.
        value: i64,
        /// The labels in its body.
        members: Option<Scope>,
    },
    /// A namespace and what it holds.
    Namespace(Scope),
}

/// A line that is not part of a symbol file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct SymError {
    /// From 1.
    pub line: usize,
    /// The fault.
    pub problem: Problem,
}

/// A fault in a line of a symbol file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The line is none of the three kinds.
    #[error("expected `.label NAME=VALUE`, `.namespace NAME {{` or `}}`, found `{0}`")]
    Unknown(String),
    /// The value of a label is not a number.
    #[error("`{0}` is not a number; values are `$` with hexadecimal digits, or decimal")]
    BadValue(String),
    /// A closing brace without an opening one.
    #[error("`}}` closes nothing")]
    Unopened,
    /// An opening brace without a closing one.
    #[error("the scope opened here is never closed")]
    Unclosed,
    /// More scopes in scopes than are read.
    #[error("scopes are nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
}

/// More levels than any program has; a hostile file must not exhaust the stack of who walks the tree.
pub(crate) const MAX_DEPTH: usize = 200;

/// Writes the file. Values are the low 32 bits in hex; an address is never larger.
pub fn write(symbols: &Scope) -> String {
    let mut text = String::new();
    write_scope(symbols, 0, &mut text);
    text
}

fn write_scope(scope: &Scope, depth: usize, text: &mut String) {
    use std::fmt::Write;
    for index in hash_order::order(scope.entries.iter().map(|entry| &entry.name)) {
        let Entry { name, kind } = &scope.entries[index];
        let indent = "  ".repeat(depth);
        // Writing to a String cannot fail.
        let _ = match kind {
            Kind::Hidden => Ok(()),
            Kind::Label { value, members: None } => {
                writeln!(text, "{indent}.label {name}=${:x}", to_int(*value))
            }
            Kind::Label { value, members: Some(members) } => {
                let _ = writeln!(text, "{indent}.label {name}=${:x} {{", to_int(*value));
                write_scope(members, depth + 1, text);
                writeln!(text, "{indent}}}")
            }
            Kind::Namespace(members) => {
                let _ = writeln!(text, "{indent}.namespace {name} {{");
                write_scope(members, depth + 1, text);
                writeln!(text, "{indent}}}")
            }
        };
    }
}

/// Java's cast of a double to int saturates.
fn to_int(value: i64) -> u32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32 as u32
}

/// Reads a symbol file, ours or the original's. Blank lines and `//` comments are allowed.
pub fn read(text: &str) -> Result<Scope, SymError> {
    // The scopes that are open, innermost last, each with the entry that opens it and its line.
    let mut open: Vec<(Entry, usize)> = Vec::new();
    let mut root = Scope::default();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let fail = |problem| SymError { line: number, problem };
        let line = line.split("//").next().unwrap_or_default().trim();
        let (line, opens) = match line.strip_suffix('{') {
            Some(rest) => (rest.trim_end(), true),
            None => (line, false),
        };
        let entry = if line.is_empty() && !opens {
            continue;
        } else if line == "}" && !opens {
            let (entry, _) = open.pop().ok_or_else(|| fail(Problem::Unopened))?;
            enclosing(&mut open, &mut root).entries.push(entry);
            continue;
        } else if let Some(definition) = directive(line, ".label") {
            let (name, value) = definition.split_once('=').ok_or_else(|| fail(unknown(line)))?;
            let value =
                number_from(value.trim()).ok_or_else(|| fail(Problem::BadValue(shorten(value.trim()))))?;
            Entry {
                name: name.trim().to_owned(),
                kind: Kind::Label { value, members: opens.then(Scope::default) },
            }
        } else if let (Some(name), true) = (directive(line, ".namespace"), opens) {
            Entry { name: name.to_owned(), kind: Kind::Namespace(Scope::default()) }
        } else {
            return Err(fail(unknown(line)));
        };
        if !is_name(&entry.name) {
            return Err(fail(unknown(line)));
        }
        if opens {
            if open.len() >= MAX_DEPTH {
                return Err(fail(Problem::TooDeep));
            }
            open.push((entry, number));
        } else {
            enclosing(&mut open, &mut root).entries.push(entry);
        }
    }
    match open.pop() {
        Some((_, line)) => Err(SymError { line, problem: Problem::Unclosed }),
        None => Ok(root),
    }
}

fn enclosing<'a>(open: &'a mut [(Entry, usize)], root: &'a mut Scope) -> &'a mut Scope {
    match open.last_mut() {
        Some((Entry { kind: Kind::Label { members: Some(scope), .. } | Kind::Namespace(scope), .. }, _)) => {
            scope
        }
        _ => root,
    }
}

fn directive<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(word)?;
    rest.starts_with([' ', '\t']).then(|| rest.trim())
}

/// Whether a symbol file can hold a name: ASCII letters, digits and `_`, not a digit first.
pub fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `$ff`, `-$ff` or decimal. A value of more than 32 bits is not one any assembler wrote.
fn number_from(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (digits, radix) = match digits.strip_prefix('$') {
        Some(rest) => (rest, 16),
        None => (digits, 10),
    };
    if !digits.starts_with(|c: char| c.is_ascii_hexdigit()) {
        return None;
    }
    let value = i64::from_str_radix(digits, radix).ok().filter(|value| *value <= i64::from(u32::MAX))?;
    Some(match (negative, radix) {
        (true, _) => -value,
        // Negative values are written as 32 bits.
        (false, 16) => i64::from(value as i32),
        (false, _) => value,
    })
}

fn unknown(line: &str) -> Problem {
    Problem::Unknown(shorten(line))
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn label(name: &str, value: i64) -> Entry {
        Entry { name: name.into(), kind: Kind::Label { value, members: None } }
    }

    #[test]
    fn hidden_names_count_for_the_order() {
        let mut entries: Vec<_> =
            (0..12).map(|n| Entry { name: format!("v{n}"), kind: Kind::Hidden }).collect();
        entries.push(label("b", 1));
        entries.push(label("R", 2));
        // 14 names make 32 buckets: `R` (82) is in bucket 18, `b` (98) in 2. Alone they would share bucket 2.
        assert_eq!(write(&Scope { entries }), ".label b=$1\n.label R=$2\n");
        assert_eq!(
            write(&Scope { entries: vec![label("R", 2), label("b", 1)] }),
            ".label R=$2\n.label b=$1\n"
        );
    }

    #[test]
    fn values_are_unsigned_hex_of_a_saturated_int() {
        let text = write(&Scope { entries: vec![label("a", -1), label("b", 1 << 40)] });
        assert_eq!(text, ".label a=$ffffffff\n.label b=$7fffffff\n");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let inner = Scope { entries: vec![label("deep", 0x825)] };
        let scope = Scope {
            entries: vec![
                Entry { name: "a".into(), kind: Kind::Label { value: 0x823, members: Some(inner.clone()) } },
                Entry { name: "b".into(), kind: Kind::Namespace(Scope::default()) },
                label("c", 0x12345),
                label("d", -1),
            ],
        };
        assert_eq!(read(&write(&scope)), Ok(scope));
    }

    #[test]
    fn broken_files_name_the_line() {
        let problem = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(problem(".label a=$1\n}\n"), "line 2: `}` closes nothing");
        assert_eq!(problem("\n.namespace n {\n"), "line 2: the scope opened here is never closed");
        assert!(problem(".label a=$1000000000").starts_with("line 1: `$1000000000` is not a number"));
        assert!(problem(".label a=+1").contains("is not a number"));
        assert!(problem("lda #1").starts_with("line 1: expected"));
        assert!(problem(&".namespace n {\n".repeat(1000)).contains("deeper than 200"));
    }
}
