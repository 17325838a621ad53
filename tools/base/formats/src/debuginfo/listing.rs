//! Listings of 64tass (`-L`) and ACME (`-r`): a row for each line that made bytes.

use std::collections::HashMap;

use crate::debugdump::{Dump, DumpItem};

/// The program that wrote a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Tass64,
    Acme,
}

/// Lines at the start in which a listing says what it is.
const HEAD: usize = 20;

/// The program that wrote a listing, if it is one.
pub fn kind(text: &str) -> Option<Kind> {
    text.lines().take(HEAD).find_map(|line| match line {
        line if line.starts_with("; 64tass ") => Some(Kind::Tass64),
        line if line.starts_with("; ******** Source: ") => Some(Kind::Acme),
        _ => None,
    })
}

/// The sources of a listing, by name.
#[derive(Default)]
struct Files {
    dump: Dump,
    known: HashMap<String, usize>,
}

impl Files {
    fn new(tool: &str) -> Files {
        Files { dump: Dump { sources: vec![tool.to_owned()], items: Vec::new() }, known: HashMap::new() }
    }

    fn number(&mut self, name: &str) -> usize {
        let next = self.dump.sources.len();
        let number = *self.known.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.dump.sources.push(name.to_owned());
        }
        number
    }
}

/// The column in which the text of the source begins, of a listing with tabs every eight columns.
const TASS_TEXT: usize = 40;

/// A row of a listing that made bytes.
struct Row {
    first: u16,
    last: u16,
    is_code: bool,
    /// The line's number, if it is given.
    given: Option<u32>,
    text: String,
}

/// A listing of 64tass. It has no numbers of lines, or not for all: rows are lines by their texts, as many of them as
/// possible in the order of the source; the row of a macro is a line of the macro.
pub fn read_64tass(text: &str, sources: &mut dyn FnMut(&str) -> Option<String>) -> Dump {
    let mut files = Files::new("64tass");
    let has_numbers = text.lines().take(HEAD).any(|line| line.starts_with(";Line\t"));
    let (mut rows, mut names, mut file): (Vec<Vec<Row>>, Vec<String>, usize) =
        (vec![Vec::new()], vec![String::new()], 0);
    for line in text.lines() {
        if let Some((_, head)) = line.split_once(";******  ") {
            let name = ["Processing input file: ", "Processing file: ", "Return to file: "];
            if let Some(name) = name.iter().find_map(|word| head.strip_prefix(word)) {
                file = files.number(name.trim());
                if file == rows.len() {
                    rows.push(Vec::new());
                    names.push(name.trim().to_owned());
                }
            }
            continue;
        }
        let (given, rest) = match has_numbers {
            true => line.split_once('\t').unwrap_or(("", line)),
            false => ("", line),
        };
        let Some(kind) = rest.chars().next().filter(|kind| matches!(kind, '.' | '>')) else { continue };
        let mut fields = rest[1..].split('\t');
        let address = fields.next().and_then(|digits| u16::from_str_radix(digits.trim(), 16).ok());
        let bytes = fields.next().map_or(0, |bytes| bytes.split_whitespace().count());
        let last = address.filter(|_| bytes > 0).and_then(|first| first.checked_add((bytes - 1) as u16));
        if let (Some(first), Some(last), true) = (address, last, file > 0) {
            let text = text_from(rest, TASS_TEXT).trim().to_owned();
            rows[file].push(Row { first, last, is_code: kind == '.', given: given.parse().ok(), text });
        }
    }
    for (file, rows) in rows.iter().enumerate().skip(1) {
        let lines = align(rows, &sources(&names[file]).unwrap_or_default());
        for (row, line) in rows.iter().zip(lines) {
            if let Some(line) = line {
                let Row { first, last, is_code, .. } = *row;
                let is_code = Some(is_code);
                files.dump.items.push(DumpItem { first, last, file, line, column: 0, is_code });
            }
        }
    }
    files.dump
}

/// Pairs of a row and a line that are looked at; rows with very common texts are left to their neighbours beyond that.
const MOST_PAIRS: usize = 1 << 20;
const COMMON: usize = 64;

/// The line of each row: the longest sequence of rows whose lines ascend, and for the others a line between those of their
/// neighbours, or the first with the text, which is where a macro is.
fn align(rows: &[Row], source: &str) -> Vec<Option<u32>> {
    let mut places: HashMap<&str, Vec<u32>> = HashMap::new();
    for (number, line) in (1..).zip(source.lines()) {
        places.entry(line.trim()).or_default().push(number);
    }
    let of = |row: &Row| places.get(row.text.as_str()).map_or(&[][..], |places| &places[..]);
    let is_long = rows.iter().map(|row| of(row).len()).sum::<usize>() > MOST_PAIRS;
    // Pairs of a row and a line with the pair before them; `ends[n]` is the pair with the lowest line that ends n + 1.
    let mut pairs: Vec<(usize, u32, Option<usize>)> = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let candidates = match &row.given {
            Some(line) => std::slice::from_ref(line),
            None if row.text.is_empty() || is_long && of(row).len() > COMMON => &[],
            None => of(row),
        };
        // From the last line down, so that a row is in a sequence once.
        for &line in candidates.iter().rev() {
            let at = ends.partition_point(|&end| pairs[end].1 < line);
            let before = at.checked_sub(1).map(|before| ends[before]);
            pairs.push((index, line, before));
            match ends.get_mut(at) {
                Some(end) => *end = pairs.len() - 1,
                None => ends.push(pairs.len() - 1),
            }
        }
    }
    let mut found = vec![None; rows.len()];
    let mut at = ends.last().copied();
    while let Some(pair) = at {
        let (row, line, before) = pairs[pair];
        (found[row], at) = (Some(line), before);
    }
    let mut low = 0;
    for (index, row) in rows.iter().enumerate() {
        if found[index].is_none() {
            let high = found[index + 1..].iter().flatten().next().copied().unwrap_or(u32::MAX);
            found[index] = match row.given {
                Some(line) => Some(line),
                // A long row of data goes on without a text: it is the same line.
                None if row.text.is_empty() => (low > 0).then_some(low),
                None => {
                    let lines = of(row);
                    let between = lines.iter().find(|&&line| low < line && line < high);
                    between.or(lines.first()).copied()
                }
            };
        } else {
            low = found[index].unwrap_or(low);
        }
    }
    found
}

/// The rest of a row from a column on, with tabs every eight columns.
fn text_from(row: &str, column: usize) -> &str {
    let mut at = 0;
    for (offset, c) in row.char_indices() {
        if at >= column {
            return &row[offset..];
        }
        at = if c == '\t' { at / 8 * 8 + 8 } else { at + 1 };
    }
    ""
}

/// The columns of ACME's report: number, address, bytes, text.
const ACME_NUMBER: usize = 6;
const ACME_TEXT: usize = 32;

/// A report of ACME. A row of much data ends in `...`: it goes on to the next row's address.
pub fn read_acme(text: &str) -> Dump {
    let mut files = Files::new("ACME");
    let (mut file, mut is_open) = (0, false);
    for row in text.lines() {
        if let Some(name) = row.strip_prefix("; ******** Source: ") {
            file = files.number(name.trim());
            continue;
        }
        let (Some(number), Some(columns)) = (row.get(..ACME_NUMBER), row.get(ACME_NUMBER..)) else {
            continue;
        };
        let columns = columns.get(..ACME_TEXT - ACME_NUMBER).unwrap_or(columns);
        let mut fields = columns.split_whitespace();
        let address = fields.next().and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let bytes = fields.next().unwrap_or_default();
        let count = bytes.trim_end_matches('.').len() / 2;
        let (Ok(line), Some(first)) = (number.trim().parse::<u32>(), address) else { continue };
        if count == 0 || file == 0 {
            continue;
        }
        if is_open && let Some(before) = files.dump.items.last_mut().filter(|before| before.last < first) {
            before.last = first - 1;
        }
        is_open = bytes.ends_with("...");
        // The bytes of a macro are those of its call.
        let text = row.get(ACME_TEXT..).unwrap_or_default();
        let is_call = text.split_whitespace().take(2).any(|word| word.starts_with('+'));
        if let Some(last) = first.checked_add(count as u16 - 1) {
            let is_code = is_call.then_some(true);
            files.dump.items.push(DumpItem { first, last, file, line, column: 0, is_code });
        }
    }
    files.dump
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn rows(dump: &Dump) -> Vec<(u16, u16, usize, u32)> {
        dump.items.iter().map(|item| (item.first, item.last, item.file, item.line)).collect()
    }

    #[test]
    fn rows_of_64tass_are_found_by_their_text() {
        let source = "        * = $1000\ntwice   .macro\n        asl a\n        .endm\n        rol a\n\tsta $2000\n        #twice\nend     rts\n        asl a\n";
        let listing = "\n; 64tass Turbo Assembler Macro V1.58 listing file\n\n;Offset\t;Hex\t\t;Monitor\t;Source\n\n\
            ;******  Processing input file: t.asm\n\n\
            .1000\t2a\t\trol a\t\t        rol a\n\
            .1001\t8d 00 20\tsta $2000\t\tsta $2000\n\
            .1004\t0a\t\tasl a\t\t        asl a\n\
            .1005\t60\t\trts\t\tend     rts\n\
            ;******  Processing file: u.inc\n\
            >1006\t01 02 03 04 05 06 07 08\t\t\t        .byte 1,2\n\
            >100e\t09 0a\n\
            ;******  Return to file: t.asm\n\
            .1010\t0a\t\tasl a\t\t        asl a\n";
        let mut sources = |name: &str| {
            Some(if name == "t.asm" { source.to_owned() } else { "        .byte 1,2\n".to_owned() })
        };
        assert_eq!(kind(listing), Some(Kind::Tass64));
        assert_eq!(
            rows(&read_64tass(listing, &mut sources)),
            [
                (0x1000, 0x1000, 1, 5),
                (0x1001, 0x1003, 1, 6),
                (0x1004, 0x1004, 1, 3),
                (0x1005, 0x1005, 1, 8),
                (0x1010, 0x1010, 1, 9),
                (0x1006, 0x100d, 2, 1),
                (0x100e, 0x100f, 2, 1),
            ]
        );
    }

    #[test]
    fn rows_of_acme_have_numbers() {
        let report = "\n; ******** Source: a.asm\n     1                          * = $1000\n\
            \x20    3  1000 a901               start   lda #1\n\
            \x20    4  1002 0001020304050607...     !fill 20, 1\n\
            \x20    5  1016 60                         rts\n";
        assert_eq!(kind(report), Some(Kind::Acme));
        assert_eq!(
            rows(&read_acme(report)),
            [(0x1000, 0x1001, 1, 3), (0x1002, 0x1015, 1, 4), (0x1016, 0x1016, 1, 5)]
        );
    }
}
