//! Names and addresses, whatever file they came from: the lookup that runners, debuggers and tests share.
//! Holds full dotted paths; rules about shorter names belong to the callers that have them.

use std::collections::HashMap;

use thiserror::Error;

use crate::program::Program;
use crate::{debugdump, sym, vice};

/// A symbol table in file order.
#[derive(Debug, Clone, Default)]
pub struct Symbols {
    entries: Vec<Symbol>,
    /// Index of the first entry of each path; kept in step with `entries`.
    by_path: HashMap<String, usize>,
    /// Kept in step with `entries`.
    by_value: ByValue,
}

/// Entries of a list, found by their value: which name an address has, or which one is nearest below it. Of those with
/// one value, the first of the list is found.
#[derive(Debug, Clone, Default)]
pub struct ByValue(Vec<(i64, usize)>);

impl ByValue {
    /// The entry with exactly this value.
    pub fn at(&self, value: i64) -> Option<usize> {
        let first = self.0.partition_point(|&(other, _)| other < value);
        self.0.get(first).filter(|&&(other, _)| other == value).map(|&(_, index)| index)
    }

    /// The entry at or nearest below a value, with the distance to it.
    pub fn nearest(&self, value: i64) -> Option<(usize, i64)> {
        let after = self.0.partition_point(|&(other, _)| other <= value);
        let (found, _) = self.0[after.checked_sub(1)?];
        Some((self.at(found)?, value - found))
    }

    /// The next value above this one.
    pub fn next_after(&self, value: i64) -> Option<i64> {
        let after = self.0.partition_point(|&(other, _)| other <= value);
        self.0.get(after).map(|&(found, _)| found)
    }
}

/// From values and the indices of their entries.
impl FromIterator<(i64, usize)> for ByValue {
    fn from_iter<I: IntoIterator<Item = (i64, usize)>>(values: I) -> ByValue {
        let mut values: Vec<(i64, usize)> = values.into_iter().collect();
        values.sort_unstable();
        ByValue(values)
    }
}

/// A full path and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// `outer.inner.name`.
    pub path: String,
    /// Usually an address. May exceed 16 bits; a negative one is its 32-bit two's complement, as in the file.
    pub value: i64,
}

/// Why a text is not a symbol file of the kind that it looks like.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SymbolsError {
    /// It is read as a symbol file of Kick Assembler.
    #[error(transparent)]
    Sym(#[from] sym::SymError),
    /// It is read as a VICE label file.
    #[error(transparent)]
    Vice(#[from] vice::ViceError),
    /// It is read as a debugger dump.
    #[error(transparent)]
    DebugDump(#[from] debugdump::DebugDumpError),
}

impl Symbols {
    /// Reads a symbol file, a VICE label file or a debugger dump, told apart by content.
    pub fn parse(text: &str) -> Result<Symbols, SymbolsError> {
        // Editors on Windows write one.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if vice::is_vice(text) {
            let commands = vice::read(text)?;
            let entries = commands.labels.into_iter();
            Ok(entries.map(|label| Symbol { path: label.name, value: i64::from(label.address) }).collect())
        } else if debugdump::is_debug_dump(text) {
            let labels = debugdump::read_labels(text)?;
            Ok(labels.into_iter().map(|(path, value)| Symbol { path, value }).collect())
        } else {
            Ok(Symbols::from_scope(&sym::read(text)?))
        }
    }

    /// The labels of a scope and all scopes in it.
    pub fn from_scope(scope: &sym::Scope) -> Symbols {
        fn walk(scope: &sym::Scope, prefix: &str, entries: &mut Vec<Symbol>) {
            for entry in &scope.entries {
                let path = format!("{prefix}{}", entry.name);
                match &entry.kind {
                    sym::Kind::Hidden => {}
                    sym::Kind::Label { value, members } => {
                        let below = format!("{path}.");
                        entries.push(Symbol { path, value: *value });
                        if let Some(members) = members {
                            walk(members, &below, entries);
                        }
                    }
                    sym::Kind::Namespace(members) => walk(members, &format!("{path}."), entries),
                }
            }
        }
        let mut entries = Vec::new();
        walk(scope, "", &mut entries);
        entries.into_iter().collect()
    }

    /// The labels of a program that was just assembled, as its symbol file would list them.
    pub fn from_program(program: &Program) -> Symbols {
        Symbols::from_scope(&program.symbols)
    }

    /// The scopes that the paths describe: what the symbol file of Kick Assembler holds.
    pub fn to_scope(&self) -> sym::Scope {
        let mut scope = sym::Scope::default();
        // The place of every path and its beginnings among the entries of the scope around it.
        let mut places: HashMap<&str, usize> = HashMap::new();
        for Symbol { path, value } in &self.entries {
            let mut at = &mut scope;
            let mut end = 0;
            let mut parts = path.splitn(sym::MAX_DEPTH, '.').peekable();
            while let Some(part) = parts.next() {
                end += part.len();
                let index = *places.entry(&path[..end]).or_insert_with(|| {
                    let kind = sym::Kind::Namespace(sym::Scope::default());
                    at.entries.push(sym::Entry { name: part.to_owned(), kind });
                    at.entries.len() - 1
                });
                end += 1;
                let kind = &mut at.entries[index].kind;
                if parts.peek().is_none() {
                    // What was a namespace so far is a label with members.
                    let members = match std::mem::replace(kind, sym::Kind::Hidden) {
                        sym::Kind::Namespace(members) if members.entries.is_empty() => None,
                        sym::Kind::Namespace(members) => Some(members),
                        sym::Kind::Label { members, .. } => members,
                        sym::Kind::Hidden => None,
                    };
                    *kind = sym::Kind::Label { value: *value, members };
                    break;
                }
                at = match kind {
                    sym::Kind::Namespace(members) => members,
                    sym::Kind::Label { members, .. } => members.get_or_insert_default(),
                    sym::Kind::Hidden => break,
                };
            }
        }
        scope
    }

    /// The value under a full path.
    pub fn get(&self, path: &str) -> Option<i64> {
        self.by_path.get(path).map(|&index| self.entries[index].value)
    }

    /// The first symbol of the file with exactly this value.
    pub fn at(&self, value: i64) -> Option<&Symbol> {
        self.by_value.at(value).map(|index| &self.entries[index])
    }

    /// The symbol at or nearest below an address, with the distance to it.
    pub fn nearest(&self, address: i64) -> Option<(&Symbol, i64)> {
        self.by_value.nearest(address).map(|(index, distance)| (&self.entries[index], distance))
    }

    /// All symbols in file order.
    pub fn iter(&self) -> std::slice::Iter<'_, Symbol> {
        self.entries.iter()
    }

    /// The number of symbols.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no symbol.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl FromIterator<Symbol> for Symbols {
    fn from_iter<I: IntoIterator<Item = Symbol>>(symbols: I) -> Symbols {
        let entries: Vec<Symbol> = symbols.into_iter().collect();
        let mut by_path = HashMap::with_capacity(entries.len());
        for (index, symbol) in entries.iter().enumerate() {
            by_path.entry(symbol.path.clone()).or_insert(index);
        }
        let by_value = entries.iter().enumerate().map(|(index, symbol)| (symbol.value, index)).collect();
        Symbols { entries, by_path, by_value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn paths_values_and_the_nearest_below() {
        let symbols = Symbols::parse(
            ".label screen=$400\n.namespace game {\n  .label Lives=$210\n}\n.label mover=$1200 {\n  .label loop=$1208\n}\n",
        )
        .unwrap();
        assert_eq!(symbols.get("screen"), Some(0x400));
        assert_eq!(symbols.get("game.Lives"), Some(0x210));
        assert_eq!(symbols.get("mover.loop"), Some(0x1208));
        assert_eq!(symbols.get("Lives"), None);
        assert_eq!(symbols.at(0x1208).map(|symbol| &symbol.path[..]), Some("mover.loop"));
        assert_eq!(symbols.at(0x1209), None);
        let (symbol, distance) = symbols.nearest(0x120a).unwrap();
        assert_eq!((&symbol.path[..], distance), ("mover.loop", 2));
        assert_eq!(symbols.nearest(0x20f), None);
    }

    #[test]
    fn the_first_of_equals_wins() {
        let symbols = Symbols::parse("al C:1000 .b\nal C:1000 .a\nal 1001 .b\n").unwrap();
        assert_eq!(symbols.at(0x1000).map(|symbol| &symbol.path[..]), Some("b"));
        assert_eq!(symbols.nearest(0x1000).map(|(symbol, _)| &symbol.path[..]), Some("b"));
        assert_eq!(symbols.get("b"), Some(0x1000));
        assert_eq!(symbols.len(), 3);
    }

    #[test]
    fn paths_become_scopes_again() {
        let text =
            ".namespace game {\n  .label Lives=$210\n}\n.label mover=$1200 {\n  .label loop=$1208\n}\n";
        let symbols = Symbols::parse(text).unwrap();
        assert_eq!(sym::write(&symbols.to_scope()), text);
        let reversed: Symbols = symbols.iter().rev().cloned().collect();
        assert_eq!(sym::write(&reversed.to_scope()), text);
        let deep: Symbols = [Symbol { path: "a.".repeat(100_000), value: 1 }].into_iter().collect();
        assert_eq!(deep.to_scope().entries.len(), 1);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        for text in ["\u{feff}.label Start=$1000\r\n", "\u{feff}al C:1000 .Start\r\n"] {
            assert_eq!(Symbols::parse(text).unwrap().get("Start"), Some(0x1000), "{text}");
        }
    }

    #[test]
    fn an_empty_file_has_no_symbols() {
        assert!(Symbols::parse("").unwrap().is_empty());
        assert!(Symbols::parse("\0\u{1}").is_err());
    }
}
