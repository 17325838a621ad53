//! Headers of routines as contracts: `// Clobbers: A, X` and `// Keeps: Y` in the comment above a label. What is prose stays
//! prose; registers and bytes that a header says are kept become clauses.

use tempo_assembler::{TokenKind, tokens};
use tempo_diagnostics::Span;
use tempo_prove::contract::{Clause, Text};

/// The fields of headers, and the contracts that name registers and labels.
const FIELDS: [&str; 7] = ["In", "Out", "Clobbers", "Keeps", "requires", "ensures", "keeps"];

/// The clauses of the headers of a text, each at the line that states it. `is_label` tells which names are places.
pub(super) fn clauses(text: &str, is_label: &dyn Fn(&str) -> bool) -> Vec<(Span, Clause)> {
    let mut found = Vec::new();
    headers(text).iter().for_each(|header| header.clauses(is_label, &mut found));
    found
}

/// The names that a description of a routine has.
#[derive(Debug, Default)]
pub(super) struct Description {
    pub inputs: Vec<String>,
    /// Names of results and of all that it keeps; registers and flags are capital letters.
    pub results: Vec<String>,
}

impl Description {
    /// Adds another one of the same routine.
    pub fn extend(&mut self, other: Description) {
        self.inputs.extend(other.inputs);
        self.results.extend(other.results);
    }
}

/// The names of each header of a text and of the contracts in it, with its place.
pub(super) fn descriptions(text: &str) -> Vec<(Span, Description)> {
    let all = headers(text).into_iter().filter_map(|header| {
        let start = header.parts.first()?.start;
        let words = |fields: &[&str]| -> Vec<String> {
            let parts = header.parts.iter().filter(|part| fields.contains(&FIELDS[part.field]));
            let words = parts.flat_map(|part| part.text.text.split(|c: char| !is_name(c)));
            words.filter(|word| !word.is_empty()).map(|word| word.trim_end_matches('.').to_string()).collect()
        };
        let (inputs, mut results) = (words(&["In", "requires"]), words(&["Out", "Keeps"]));
        // Registers of contracts may be written in lower case.
        results.extend(words(&["ensures", "keeps"]).into_iter().map(|word| match word.len() {
            1 => word.to_uppercase(),
            _ => word,
        }));
        Some((Span::new(start, start + 1), Description { inputs, results }))
    });
    all.collect()
}

/// The headers of a text: lines of nothing but a comment, one after the other, that have a field.
fn headers(text: &str) -> Vec<Header> {
    let mut found = Vec::new();
    let mut header = Header::default();
    let mut last_end = 0;
    for token in tokens(text).iter().filter(|token| token.kind == TokenKind::Comment) {
        let (start, end) = (token.start as usize, token.end as usize);
        let begins_line = text[..start].rsplit('\n').next().unwrap_or("").trim().is_empty();
        let between = &text[last_end..start];
        if !between.trim().is_empty() || between.matches('\n').count() > 1 || !begins_line {
            found.push(std::mem::take(&mut header));
        }
        last_end = end;
        if begins_line && let Some(line) = text[start..end].strip_prefix("//") {
            header.read(line, start + 2);
        }
    }
    found.push(header);
    found.retain(|header| !header.parts.is_empty());
    found
}

/// The fields of one header, line by line.
#[derive(Default)]
struct Header {
    parts: Vec<Part>,
}

/// A field, or a line that goes on with it.
struct Part {
    field: usize,
    /// Where it begins, its name included.
    start: usize,
    text: Text,
}

impl Header {
    fn read(&mut self, line: &str, at: usize) {
        if let Some(words) = line.trim_start().strip_prefix("tempo:") {
            let from = line.len() - words.trim_start().len();
            let contract = FIELDS.iter().position(|name| line[from..].starts_with(&format!("{name} ")));
            if let Some(field) = contract {
                let from = from + FIELDS[field].len();
                let text = Text { text: line[from..].to_string(), at: at + from };
                self.parts.push(Part { field, start: at + from, text });
            }
            return;
        }
        let mut starts: Vec<(usize, usize)> = Vec::new();
        for (field, name) in FIELDS.iter().enumerate() {
            for (place, _) in line.match_indices(name) {
                let is_word = !line[..place].ends_with(|c: char| c.is_alphanumeric());
                if is_word && line[place + name.len()..].starts_with(':') {
                    starts.push((place, field));
                }
            }
        }
        starts.sort_unstable();
        // A line without a field goes on with the last one.
        if starts.is_empty() {
            if let Some(Part { field, .. }) = self.parts.last() {
                let (field, text) = (*field, Text { text: line.to_string(), at });
                self.parts.push(Part { field, start: at, text });
            }
            return;
        }
        for (number, &(place, field)) in starts.iter().enumerate() {
            let from = place + FIELDS[field].len() + 1;
            let to = starts.get(number + 1).map_or(line.len(), |next| next.0);
            let text = Text { text: line[from..to].to_string(), at: at + from };
            self.parts.push(Part { field, start: at + place, text });
        }
    }

    fn of(&self, field: &str) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |part| FIELDS[part.field] == field)
    }

    fn mentions(&self, field: &str, register: &str) -> bool {
        let is_word = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == register);
        self.of(field).any(|part| is_word(&part.text.text))
    }

    fn clauses(&self, is_label: &dyn Fn(&str) -> bool, found: &mut Vec<(Span, Clause)>) {
        for part in self.of("Keeps") {
            let mut names = Vec::new();
            let mut at = part.text.at;
            for piece in part.text.text.split(',') {
                let name = piece.trim();
                if is_register(name) || is_label(name) {
                    let blank = piece.len() - piece.trim_start().len();
                    names.push(Text { text: name.to_string(), at: at + blank });
                }
                at += piece.len() + 1;
            }
            part.keeps(names, found);
        }
        // Only a list of names says that the others are kept.
        let Some(part) = self.of("Clobbers").next() else { return };
        let lines: Vec<&str> = self.of("Clobbers").map(|part| part.text.text.trim()).collect();
        let is_list = lines.join(" ").split(',').map(str::trim).all(|name| {
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '/' || c == '_')
        });
        let is_kept =
            |register: &str| !["Out", "Clobbers", "Keeps"].iter().any(|field| self.mentions(field, register));
        let kept = ["A", "X", "Y"].into_iter().filter(|register| is_list && is_kept(register));
        part.keeps(kept.map(|name| Text { text: name.to_string(), at: part.start }).collect(), found);
    }
}

impl Part {
    fn keeps(&self, mut names: Vec<Text>, found: &mut Vec<(Span, Clause)>) {
        if names.is_empty() {
            return;
        }
        // Places of names count from the beginning of the field.
        names.iter_mut().for_each(|name| name.at -= self.start);
        let end = self.text.at + self.text.text.trim_end().len();
        found.push((Span::new(self.start, end), Clause::Keeps(names)));
    }
}

fn is_register(name: &str) -> bool {
    matches!(name, "A" | "X" | "Y")
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}
