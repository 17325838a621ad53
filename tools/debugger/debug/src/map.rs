//! The source map: which statement made the bytes at an address, through which macros and loops, and where a line's code
//! is. Built from what the assembler knows, or from a debug dump; knows no machine.

use std::collections::{HashMap, HashSet};

use tempo_assembler::Output;
use tempo_diagnostics::{Columns, FrameKind, Source};

/// A file of the program.
#[derive(Debug, Clone)]
pub struct File {
    /// The path under which it was read.
    pub path: String,
    /// Its text when the program was assembled.
    pub source: Source,
    /// A part of the assembler, not of the user.
    pub is_built_in: bool,
}

/// A statement that made bytes, once for every time it was executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Where the bytes are when they run.
    pub address: u16,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The file, an index into [`SourceMap::files`].
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// An instruction.
    pub is_code: bool,
    /// The innermost expansion, an index into [`SourceMap::expansions`].
    pub expansion: Option<usize>,
}

impl Statement {
    /// Whether its first `count` bytes are in memory.
    fn is_there(&self, count: usize, peek: &dyn Fn(u16) -> u8) -> bool {
        let mut bytes = self.bytes.iter().take(count).enumerate();
        bytes.all(|(offset, &byte)| peek(self.address.wrapping_add(offset as u16)) == byte)
    }
}

/// A macro call, pseudo command or round of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    /// As a frame is named: `macro Copy(8)`, `.for i=3`.
    pub name: String,
    /// A round of a loop: a frame to look at, but not one to step into or over.
    pub is_loop: bool,
    /// The file of the call.
    pub file: usize,
    /// The line of the call.
    pub line: u32,
    /// The column of the call.
    pub column: u32,
    /// The expansion around it.
    pub parent: Option<usize>,
    /// The address of its first instruction.
    pub first: Option<u16>,
    /// Arguments, or variables of the loop: name, value as it is shown, and as a number.
    pub values: Vec<(String, String, Option<i64>)>,
}

/// The place of an instruction, as stepping compares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The file.
    pub file: usize,
    /// The line.
    pub line: u32,
    /// The column, where statements of a line are told apart.
    pub column: u32,
    /// The innermost expansion.
    pub expansion: Option<usize>,
}

/// Where a breakpoint on a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePlaces {
    /// The line it moved to.
    pub line: u32,
    /// The column of its first statement.
    pub column: u32,
    /// All addresses.
    pub addresses: Vec<u16>,
}

/// The most bytes that the lines of a dump have together, 64 times the whole memory. The lines beyond that are left out:
/// each may claim all of it.
const MOST_BYTES: usize = 4 << 20;

/// How far a breakpoint moves to find code.
const REACH: u32 = 10;

/// The map.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    /// The files.
    pub files: Vec<File>,
    /// The expansions; a parent comes before its children.
    pub expansions: Vec<Expansion>,
    statements: Vec<Statement>,
    /// Statements whose bytes cover an address.
    by_address: HashMap<u16, Vec<usize>>,
    /// Statements by file and line.
    by_line: HashMap<(usize, u32), Vec<usize>>,
    /// Blocks in braces: file, first line, last line.
    blocks: Vec<(usize, u32, u32)>,
    /// Addresses that more than one piece of code claims.
    shared: HashSet<u16>,
}

impl SourceMap {
    /// The map of a program that was assembled with [`tempo_assembler::Options::analysis`].
    pub fn from_output(output: &Output) -> SourceMap {
        let mut map = SourceMap::default();
        let Some(analysis) = &output.analysis else { return map };
        for (file, source) in output.sources.iter() {
            let path = source.name().to_string();
            map.files.push(File { path, source: source.clone(), is_built_in: file.0 == 0 });
        }
        let place = |offset: u32| {
            let file = output.sources.file_of(offset);
            let base = output.sources.base(file);
            let position = output
                .sources
                .get(file)
                .map(|source| source.position(offset.saturating_sub(base), Columns::Characters));
            (file.0 as usize, position.map_or(0, |at| at.line), position.map_or(0, |at| at.column))
        };
        for expansion in &analysis.expansions {
            let (file, line, column) = place(expansion.span.start);
            let text = output.sources.iter().nth(file).map_or("", |(_, source)| source.line(line));
            let text: String = text.chars().skip(column as usize - column.min(1) as usize).collect();
            let name = match expansion.kind {
                FrameKind::Loop => loop_name(&text, expansion.iteration, &expansion.values),
                FrameKind::PseudoCommand => format!("pseudocommand {}", statement_text(&text)),
                _ => format!("macro {}", call_text(&text)),
            };
            let is_loop = expansion.kind == FrameKind::Loop;
            let parent = expansion.parent;
            let values = (expansion.values.iter())
                .map(|(name, value)| {
                    (name.clone(), value.text.clone(), value.number.map(|number| number as i64))
                })
                .collect();
            map.expansions.push(Expansion { name, is_loop, file, line, column, parent, first: None, values });
        }
        for range in analysis.scopes.iter().flat_map(|scope| &scope.ranges) {
            let ((file, first, _), (_, last, _)) = (place(range.start), place(range.end.saturating_sub(1)));
            map.blocks.push((file, first, last));
        }
        for emission in &analysis.emissions {
            let Ok(address) = u16::try_from(emission.run_address) else { continue };
            let (file, line, column) = place(emission.span.start);
            let bytes = analysis.bytes(emission).to_vec();
            let is_code = emission.cycles.is_some();
            map.statements.push(Statement {
                address,
                bytes,
                file,
                line,
                column,
                is_code,
                expansion: emission.expansion,
            });
        }
        map.index();
        map
    }

    /// The map of a debug dump: no expansions, and an instruction is what is short and begins with a mnemonic.
    pub fn from_dump(
        dump: &tempo_formats::debugdump::Dump,
        texts: &mut dyn FnMut(&str) -> Option<String>,
    ) -> SourceMap {
        let mut map = SourceMap::default();
        for (index, path) in dump.sources.iter().enumerate() {
            let text = if index == 0 { None } else { texts(path) };
            let source = Source::new(path.clone(), text.unwrap_or_default());
            map.files.push(File { path: path.clone(), source, is_built_in: index == 0 });
        }
        let mut left = MOST_BYTES;
        for item in &dump.items {
            let Some(file) = map.files.get(item.file) else { continue };
            let text = file.source.line(item.line);
            let is_mnemonic = |word: &str| tempo_isa::Mnemonic::parse(&word.to_ascii_lowercase()).is_some();
            let len = item.last.saturating_sub(item.first).saturating_add(1);
            let Some(rest) = left.checked_sub(len.into()) else { continue };
            left = rest;
            let is_code = item.is_code.unwrap_or_else(|| match item.column {
                // After a label at most.
                0 => len <= 3 && (text.is_empty() || text.split_whitespace().take(2).any(is_mnemonic)),
                column => {
                    let word: String = text.chars().skip(column as usize - 1).take(3).collect();
                    // Without the text of the source, what is as short as an instruction counts as one.
                    len <= 3 && (word.is_empty() || is_mnemonic(&word))
                }
            });
            let margin = text.chars().take_while(|c| c.is_whitespace()).count() as u32;
            let column = if item.column == 0 { margin + 1 } else { item.column };
            map.statements.push(Statement {
                address: item.first,
                bytes: vec![0; usize::from(len)],
                file: item.file,
                line: item.line,
                column,
                is_code,
                expansion: None,
            });
        }
        map.index();
        map
    }

    /// A dump has no bytes: takes them from the loaded program.
    pub fn fill_bytes(&mut self, peek: &dyn Fn(u16) -> u8) {
        for statement in &mut self.statements {
            let address = statement.address;
            for (offset, byte) in statement.bytes.iter_mut().enumerate() {
                *byte = peek(address.wrapping_add(offset as u16));
            }
        }
    }

    /// Adds another program's map.
    pub fn join(&mut self, other: SourceMap) {
        let (files, expansions) = (self.files.len(), self.expansions.len());
        self.files.extend(other.files);
        let blocks = other.blocks.into_iter().map(|(file, first, last)| (file + files, first, last));
        self.blocks.extend(blocks);
        self.expansions.extend(other.expansions.into_iter().map(|expansion| Expansion {
            file: expansion.file + files,
            parent: expansion.parent.map(|parent| parent + expansions),
            ..expansion
        }));
        self.statements.extend(other.statements.into_iter().map(|statement| Statement {
            file: statement.file + files,
            expansion: statement.expansion.map(|at| at + expansions),
            ..statement
        }));
        self.index();
    }

    fn index(&mut self) {
        self.by_address.clear();
        self.by_line.clear();
        self.shared.clear();
        for (number, statement) in self.statements.iter().enumerate() {
            for offset in 0..statement.bytes.len().min(0x10000) {
                self.by_address
                    .entry(statement.address.wrapping_add(offset as u16))
                    .or_default()
                    .push(number);
            }
            self.by_line.entry((statement.file, statement.line)).or_default().push(number);
        }
        // Equal bytes have one number, and each address is looked at once: a file may claim one for thousands of lines.
        let mut known: HashMap<&[u8], usize> = HashMap::new();
        let mut number_of = |bytes| {
            let next = known.len();
            *known.entry(bytes).or_insert(next)
        };
        let contents: Vec<usize> = self.statements.iter().map(|one| number_of(&one.bytes[..])).collect();
        let differ = |numbers: &[usize]| numbers.windows(2).any(|two| contents[two[0]] != contents[two[1]]);
        let several: HashSet<u16> = self
            .by_address
            .iter()
            .filter(|(_, numbers)| differ(numbers))
            .map(|(&address, _)| address)
            .collect();
        for number in 0..self.statements.len() {
            let statement = &self.statements[number];
            if !statement.is_code {
                continue;
            }
            if several.contains(&statement.address) {
                self.shared.insert(statement.address);
            }
            let (address, mut around) = (statement.address, statement.expansion);
            while let Some(at) = around {
                let expansion = &mut self.expansions[at];
                expansion.first.get_or_insert(address);
                around = expansion.parent;
            }
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// The statement whose instruction starts at an address. If several programs claim it, the bytes in memory decide.
    pub fn at(&self, address: u16, peek: &dyn Fn(u16) -> u8) -> Option<&Statement> {
        let all = || self.claims(address).filter(|one| one.address == address);
        // Code that changes its own operands is still the code of its line.
        all().find(|one| one.is_there(usize::MAX, peek)).or_else(|| all().find(|one| one.is_there(1, peek)))
    }

    /// Whether the code at an address is that of a line, or of a macro that is called there. If several programs claim the
    /// address, the bytes in memory decide.
    pub(crate) fn owns(&self, file: usize, line: u32, address: u16, peek: &dyn Fn(u16) -> u8) -> bool {
        if !self.shared.contains(&address) {
            return true;
        }
        let Some(statement) = self.at(address, peek) else { return false };
        (statement.file, statement.line) == (file, line)
            || self.chain(statement.expansion).iter().any(|&at| {
                let call = &self.expansions[at];
                (call.file, call.line) == (file, line)
            })
    }

    /// The statements that an address is in, in the order of the program.
    pub(crate) fn claims(&self, address: u16) -> impl Iterator<Item = &Statement> {
        let numbers = self.by_address.get(&address).map_or(&[][..], Vec::as_slice);
        numbers.iter().map(|&number| &self.statements[number])
    }

    /// The statement that an address is in. If several claim it, the first whose bytes are in memory, else the first.
    pub fn around(&self, address: u16, peek: &dyn Fn(u16) -> u8) -> Option<&Statement> {
        let mut claims = self.claims(address);
        let first = claims.next()?;
        if claims.next().is_none() {
            return Some(first);
        }
        Some(self.claims(address).find(|one| one.is_there(usize::MAX, peek)).unwrap_or(first))
    }

    /// The place of an instruction, as stepping by lines or statements compares it.
    pub fn spot(&self, address: u16, by_statement: bool, peek: &dyn Fn(u16) -> u8) -> Option<Spot> {
        let statement = self.at(address, peek)?;
        let column = if by_statement { statement.column } else { 0 };
        Some(Spot { file: statement.file, line: statement.line, column, expansion: statement.expansion })
    }

    /// The expansions around a statement, outermost first.
    pub fn chain(&self, innermost: Option<usize>) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut around = innermost;
        while let Some(at) = around {
            chain.push(at);
            around = self.expansions[at].parent;
        }
        chain.reverse();
        chain
    }

    /// The file with a path. A path that ends like a known one is taken if no other does.
    pub fn file(&self, path: &str) -> Option<usize> {
        let norm = |path: &str| path.replace('\\', "/");
        let path = norm(path);
        let own = || self.files.iter().enumerate().filter(|(_, file)| !file.is_built_in);
        if let Some((at, _)) = own().find(|(_, file)| norm(&file.path) == path) {
            return Some(at);
        }
        let ends = |long: &str, short: &str| {
            let short = short.trim_start_matches("./");
            long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let mut found =
            own().filter(|(_, file)| ends(&path, &norm(&file.path)) || ends(&norm(&file.path), &path));
        let first = found.next()?.0;
        found.next().is_none().then_some(first)
    }

    /// Where code of a line is; without any, of the next line with code in the same block, at most ten on. A line with a
    /// macro call owns the first instruction of each expansion.
    pub fn line_places(&self, file: usize, line: u32, column: Option<u32>) -> Option<LinePlaces> {
        let around =
            self.blocks.iter().filter(|(own, first, last)| *own == file && *first < line && line <= *last);
        let last = around.map(|(_, _, last)| *last).min().unwrap_or(u32::MAX);
        (line..=line.saturating_add(REACH).min(last)).find_map(|line| self.places_on(file, line, column))
    }

    /// Where code of exactly this line is.
    pub fn places_on(&self, file: usize, line: u32, column: Option<u32>) -> Option<LinePlaces> {
        let mut first: HashMap<(Option<usize>, u32), (u16, u32)> = HashMap::new();
        for &number in self.by_line.get(&(file, line)).map_or(&[][..], Vec::as_slice) {
            let statement = &self.statements[number];
            if !statement.is_code || column.is_some_and(|column| column != statement.column) {
                continue;
            }
            // Statements of a line that follow each other are reached through the first of them.
            let group = (statement.expansion, if column.is_some() { statement.column } else { 0 });
            let place = first.entry(group).or_insert((statement.address, statement.column));
            if statement.address < place.0 {
                *place = (statement.address, statement.column);
            }
        }
        let mut addresses: Vec<u16> = first.values().map(|&(address, _)| address).collect();
        let mut columns: Vec<u32> = first.values().map(|&(_, column)| column).collect();
        for expansion in
            self.expansions.iter().filter(|one| !one.is_loop && one.file == file && one.line == line)
        {
            if let Some(address) = expansion.first
                && column.is_none_or(|column| column == expansion.column)
            {
                addresses.push(address);
                columns.push(expansion.column);
            }
        }
        addresses.sort_unstable();
        addresses.dedup();
        let column = columns.into_iter().min()?;
        Some(LinePlaces { line, column, addresses })
    }

    /// The columns of the statements on a line.
    pub fn columns(&self, file: usize, line: u32) -> Vec<u32> {
        let own = self.by_line.get(&(file, line)).map_or(&[][..], Vec::as_slice).iter();
        let mut columns: Vec<u32> = own
            .map(|&number| &self.statements[number])
            .filter(|one| one.is_code)
            .map(|one| one.column)
            .collect();
        let calls = self.expansions.iter().filter(|one| !one.is_loop && one.file == file && one.line == line);
        columns.extend(calls.map(|one| one.column));
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The meaning of a name in the macros and loops around an address: arguments and variables, the innermost first.
    pub fn arguments(&self, address: u16, peek: &dyn Fn(u16) -> u8) -> Vec<(&str, &str, Option<i64>)> {
        let chain = self.at(address, peek).map_or(Vec::new(), |one| self.chain(one.expansion));
        let around = chain.into_iter().rev().flat_map(|at| &self.expansions[at].values);
        around.map(|(name, text, number)| (name.as_str(), text.as_str(), *number)).collect()
    }

    /// Whether the source put words at an address.
    pub fn is_word(&self, address: u16) -> bool {
        self.claims(address).next().is_some_and(|one| {
            let text = self.files[one.file].source.line(one.line);
            let text: String = text.chars().skip(one.column.max(1) as usize - 1).take(5).collect();
            !one.is_code
                && one.address == address
                && one.bytes.len() >= 2
                && matches!(text.as_str(), ".word" | ".wo")
        })
    }

    /// All statements.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }
}

/// `Copy(8)` out of the text that begins with it.
fn call_text(text: &str) -> String {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return text[..=at].to_string();
                }
            }
            _ => {}
        }
    }
    statement_text(text)
}

/// A statement without what follows it.
fn statement_text(text: &str) -> String {
    let end = text.find("//").unwrap_or(text.len());
    text[..end].trim_end().trim_end_matches(['}', ';']).trim_end().to_string()
}

/// `.for i=3`, or the number of the round of a loop without variables.
fn loop_name(
    text: &str,
    iteration: u32,
    values: &[(String, tempo_assembler::analysis::SymbolValue)],
) -> String {
    let word: String = text.chars().take_while(|c| !c.is_whitespace() && *c != '(').collect();
    let shown: Vec<String> = values.iter().map(|(name, value)| format!("{name}={}", value.text)).collect();
    if !shown.is_empty() {
        return format!("{word} {}", shown.join(" "));
    }
    format!("{word} round {}", iteration + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_formats::debugdump::{Dump, DumpItem};

    #[test]
    fn lines_that_claim_all_memory_are_cut() {
        let item = DumpItem { first: 0, last: 0xffff, file: 1, line: 1, column: 1, is_code: Some(true) };
        let sources = vec!["tool".to_string(), "a.s".to_string()];
        let dump = Dump { sources, items: vec![item; 100_000] };
        let map = SourceMap::from_dump(&dump, &mut |_| None);
        assert!(map.statements.iter().map(|one| one.bytes.len()).sum::<usize>() <= MOST_BYTES);
        assert!(map.around(0, &|_| 0).is_some() && map.shared.is_empty());
    }

    #[test]
    fn addresses_of_different_code_are_shared() {
        let item =
            |first, last, line| DumpItem { first, last, file: 1, line, column: 1, is_code: Some(true) };
        let sources = vec!["tool".to_string(), "a.s".to_string()];
        let items = vec![
            item(0x1000, 0x1001, 1),
            item(0x1000, 0x1001, 2),
            item(0x2000, 0x2001, 3),
            item(0x2000, 0x2002, 4),
        ];
        let map = SourceMap::from_dump(&Dump { sources, items }, &mut |_| None);
        assert_eq!(map.shared, HashSet::from([0x2000]));
    }
}
