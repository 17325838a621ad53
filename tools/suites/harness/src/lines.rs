//! From addresses to source lines, for failures, coverage and profiles.
//! Built from an assembled program; knows nothing of how it was assembled.

use std::collections::BTreeMap;
use std::sync::Arc;

use tempo_formats::program::Program;

/// A place in the assembly source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

/// Which source line made which byte.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    files: Vec<SourceFile>,
    /// The statement that starts at an address.
    starts: BTreeMap<u16, Statement>,
    /// Where the labels at an address are, by their names without scopes.
    labels: BTreeMap<u16, Vec<(Arc<str>, Place)>>,
}

#[derive(Debug, Clone)]
struct SourceFile {
    path: Arc<str>,
    text: Arc<[String]>,
}

#[derive(Debug, Clone, Copy)]
pub struct Statement {
    pub place: Place,
    pub len: u16,
    /// An instruction, not data.
    pub is_code: bool,
}

impl Lines {
    pub fn from_program(program: &Program) -> Lines {
        let files: Vec<SourceFile> = program
            .sources
            .iter()
            .map(|source| SourceFile {
                path: source.path.as_str().into(),
                text: source.text.lines().map(str::to_string).collect(),
            })
            .collect();
        let mut lines = Lines { files, ..Lines::default() };
        for label in &program.labels {
            let Ok(address) = u16::try_from(label.value) else { continue };
            let place = Place { file: label.at.file, line: label.at.line, column: label.at.column };
            lines.labels.entry(address).or_default().push((label.name.as_str().into(), place));
        }
        for block in
            program.segments.iter().flat_map(|segment| &segment.blocks).filter(|block| !block.is_virtual)
        {
            for item in &block.items {
                let Ok(address) = u16::try_from(item.address) else { continue };
                if item.len == 0 {
                    continue;
                }
                let place = Place { file: item.at.file, line: item.at.line, column: item.at.column };
                let is_code = item.len <= 3
                    && lines.word_at(place).is_some_and(|word| tempo_isa::Mnemonic::parse(&word).is_some());
                let statement = Statement { place, len: item.len.min(0xffff) as u16, is_code };
                lines.starts.insert(address, statement);
            }
        }
        lines
    }

    /// The mnemonic or directive at a place, lower case, without a size suffix.
    fn word_at(&self, place: Place) -> Option<String> {
        let text = self.text(place)?;
        let word: String = text
            .chars()
            .skip(place.column.saturating_sub(1) as usize)
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        Some(word.to_ascii_lowercase())
    }

    /// The statement whose bytes hold this address.
    pub fn find(&self, address: u16) -> Option<Place> {
        let (&start, statement) = self.starts.range(..=address).next_back()?;
        (address - start < statement.len).then_some(statement.place)
    }

    /// The label of this path at an address. Its line need not be that of the first byte, which a macro may make.
    pub fn label(&self, address: u16, path: &str) -> Option<Place> {
        let name = path.rsplit('.').next()?;
        let labels = self.labels.get(&address)?;
        labels.iter().find(|(known, _)| **known == *name).map(|(_, place)| *place)
    }

    pub fn path(&self, place: Place) -> Option<&str> {
        self.files.get(place.file as usize).map(|file| &*file.path)
    }

    /// The source line, as written.
    pub fn text(&self, place: Place) -> Option<&str> {
        let file = self.files.get(place.file as usize)?;
        file.text.get(place.line.checked_sub(1)? as usize).map(String::as_str)
    }

    /// Every statement with its address.
    pub fn statements(&self) -> impl Iterator<Item = (u16, Statement)> + '_ {
        self.starts.iter().map(|(&address, &statement)| (address, statement))
    }

    /// The whole text of a file.
    pub fn file_text(&self, path: &str) -> Option<&[String]> {
        self.files.iter().find(|file| &*file.path == path).map(|file| &*file.text)
    }

    /// These lines and those of another program; where both know an address, the other's count.
    #[must_use]
    pub fn with(&self, newer: &Lines) -> Lines {
        let mut all = self.clone();
        let base = all.files.len() as u32;
        all.files.extend(newer.files.iter().cloned());
        for (&address, statement) in &newer.starts {
            let place = Place { file: statement.place.file + base, ..statement.place };
            all.starts.insert(address, Statement { place, ..*statement });
        }
        for (&address, labels) in &newer.labels {
            let moved = labels
                .iter()
                .map(|(name, place)| (name.clone(), Place { file: place.file + base, ..*place }));
            all.labels.insert(address, moved.collect());
        }
        all
    }

    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}
