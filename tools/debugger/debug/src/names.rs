//! Names of the program: labels, constants, and which of them are near. Addresses are found by name and names by address.

use std::collections::HashMap;

use tempo_assembler::Output;
use tempo_assembler::analysis::SymbolKind;
use tempo_diagnostics::hex_address;
use tempo_formats::symbols::{ByValue, Symbols};

/// A name with its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// With the scopes around it, joined by dots.
    pub path: String,
    /// An address, or the value of a constant.
    pub value: i64,
    /// A label, not a constant.
    pub is_label: bool,
}

/// All names.
#[derive(Debug, Clone, Default)]
pub struct Names {
    names: Vec<Name>,
    by_path: HashMap<String, usize>,
    /// Labels by address.
    labels: ByValue,
}

impl Names {
    /// The names of a program that was assembled with its analysis.
    pub fn from_output(output: &Output) -> Names {
        let mut names = Names::from_symbols(&Symbols::from_program(&output.program));
        if let Some(analysis) = &output.analysis {
            for symbol in &analysis.symbols {
                let is_label = symbol.kind == SymbolKind::Label;
                let is_value = matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Variable);
                if symbol.name.is_empty() || !(is_label || is_value) || symbol.span.start < system_end(output)
                {
                    continue;
                }
                if let Some(number) = symbol.values.first().and_then(|value| value.number) {
                    names.add(analysis.path(symbol), number as i64, is_label);
                }
            }
        }
        names.sort();
        names
    }

    /// The names of a symbol file.
    pub fn from_symbols(symbols: &Symbols) -> Names {
        let mut names = Names::default();
        for symbol in symbols.iter() {
            names.add(symbol.path.clone(), symbol.value, true);
        }
        names.sort();
        names
    }

    /// Names with their addresses.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, i64)>) -> Names {
        let mut names = Names::default();
        for (path, value) in pairs {
            names.add(path, value, true);
        }
        names.sort();
        names
    }

    /// Adds others; a name that is known stays.
    pub fn join(&mut self, others: &Names) {
        for name in &others.names {
            self.add(name.path.clone(), name.value, name.is_label);
        }
        self.sort();
    }

    fn add(&mut self, path: String, value: i64, is_label: bool) {
        if self.by_path.contains_key(&path) {
            return;
        }
        self.by_path.insert(path.clone(), self.names.len());
        self.names.push(Name { path, value, is_label });
    }

    fn sort(&mut self) {
        self.labels = (self.names.iter().enumerate())
            .filter(|(_, name)| name.is_label)
            .map(|(at, name)| (name.value, at))
            .collect();
    }

    /// The value of a path; `.names` inside the scope are tried first, then outer ones.
    pub fn get(&self, path: &str, scope: &str) -> Option<i64> {
        let mut scope = scope;
        loop {
            let full = if scope.is_empty() { path.to_string() } else { format!("{scope}.{path}") };
            if let Some(&at) = self.by_path.get(&full) {
                return Some(self.names[at].value);
            }
            if scope.is_empty() {
                return None;
            }
            scope = scope.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
    }

    /// The first label with this address.
    pub fn at(&self, address: u16) -> Option<&str> {
        self.labels.at(i64::from(address)).map(|at| self.names[at].path.as_str())
    }

    /// The label at or below an address, and the distance.
    pub fn nearest(&self, address: u16) -> Option<(&str, u16)> {
        let (at, distance) = self.labels.nearest(i64::from(address))?;
        Some((self.names[at].path.as_str(), u16::try_from(distance).ok()?))
    }

    /// The address of the next label above.
    pub fn next_after(&self, address: u16) -> Option<u16> {
        self.labels.next_after(i64::from(address)).and_then(|value| u16::try_from(value).ok())
    }

    /// `Routine+3`, or the number.
    pub fn describe(&self, address: u16) -> String {
        match self.nearest(address) {
            Some((name, 0)) => name.to_string(),
            Some((name, distance)) if distance < 0x400 && address >= 0x200 => format!("{name}+{distance}"),
            _ => hex_address(address),
        }
    }

    /// All names, in the order of the program.
    pub fn iter(&self) -> impl Iterator<Item = &Name> {
        self.names.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The scope that an address is in: the path of the routine's label.
    pub fn scope_at(&self, address: u16) -> &str {
        self.nearest(address).map_or("", |(name, _)| name)
    }
}

impl tempo_emu::Labels for Names {
    fn label(&self, addr: u16) -> Option<&str> {
        self.at(addr)
    }
}

/// The built-in source comes first; its names are not the user's.
fn system_end(output: &Output) -> u32 {
    output
        .sources
        .get(tempo_diagnostics::FileId(1))
        .map_or(0, |_| output.sources.base(tempo_diagnostics::FileId(1)))
}
