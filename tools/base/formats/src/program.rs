//! A finished program in the shape the output formats need: segments, symbols, labels, break points.
//! Knows no expressions, no passes and no files; the assembler fills it, the writers of this crate read it.

use std::collections::BTreeMap;

use crate::sym;

/// Everything the side files are written from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Program {
    /// Source files by index; index 0 is the built-in source of the assembler.
    pub sources: Vec<Source>,
    /// `Default` first, then the others in the order of their definition.
    pub segments: Vec<Segment>,
    /// The tree of named symbols, in declaration order.
    pub symbols: sym::Scope,
    /// Every label in the order of execution, also those of macros and loops; no multi labels.
    pub labels: Vec<Label>,
    /// Break points in the order of execution.
    pub breakpoints: Vec<Breakpoint>,
    /// Watch points in the order of execution.
    pub watchpoints: Vec<Watchpoint>,
}

/// A source file: how it is called and what it says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// The path under which the source was opened.
    pub path: String,
    /// Its name in debug dumps; the path if it is empty.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// A named list of memory blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Segment {
    /// The name of the segment.
    pub name: String,
    /// The `dest` tag of the definition, copied to the debugger's file.
    pub dest: String,
    /// Left out of memory maps.
    pub hide: bool,
    /// In source order.
    pub blocks: Vec<Block>,
    /// The range that it fills, if it fills one.
    pub fill: Option<Fill>,
}

/// A range of memory whose gaps are filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fill {
    /// The first address.
    pub first: i64,
    /// The last address.
    pub last: i64,
    /// The byte in the gaps.
    pub byte: u8,
    /// The directive that asks for it.
    pub at: Span,
}

impl Segment {
    /// The blocks as they are written: by address, without virtual and empty ones. Where blocks overlap, the later one
    /// keeps its bytes, and what remains of the earlier one on either side is a block. Gaps that are filled are blocks
    /// called `FillMinMax`.
    pub fn written(&self) -> Vec<Block> {
        let saved = self.blocks.iter().filter(|block| !block.is_virtual && !block.bytes.is_empty());
        let mut written: Vec<Block> = Vec::new();
        // The ranges that later blocks take, by their first addresses; they do not touch each other.
        let mut taken: BTreeMap<i64, i64> = BTreeMap::new();
        for block in saved.rev() {
            let (start, end) = (block.start, block.end());
            let (mut from, mut parts) = (start, Vec::new());
            let before = taken.range(..=start).next_back().map_or(start, |(&first, _)| first);
            let inside: Vec<(i64, i64)> = taken
                .range(before..end)
                .map(|(&first, &end)| (first, end))
                .filter(|range| range.1 >= start)
                .collect();
            let (mut low, mut high) = (start, end);
            for (first, last) in inside {
                if from < first {
                    parts.push(block.part(from, first.min(end)));
                }
                from = from.max(last);
                (low, high) = (low.min(first), high.max(last));
                taken.remove(&first);
            }
            if from < end {
                parts.push(block.part(from, end));
            }
            taken.insert(low, high);
            written.extend(parts.into_iter().rev());
        }
        written.reverse();
        written.sort_by_key(|block| block.start);
        if let Some(fill) = self.fill {
            written = fill.around(written);
        }
        written
    }
}

impl Fill {
    fn around(&self, blocks: Vec<Block>) -> Vec<Block> {
        let mut filled = Vec::new();
        let mut next = self.first;
        for block in blocks {
            filled.extend(self.gap(next, block.start));
            next = next.max(block.end());
            filled.push(block);
        }
        filled.extend(self.gap(next, self.last + 1));
        filled
    }

    fn gap(&self, start: i64, end: i64) -> Option<Block> {
        let len = u32::try_from(end - start).ok().filter(|&len| len > 0)?;
        let items = vec![Item { address: start, len, at: self.at }];
        let bytes = vec![self.byte; len as usize];
        Some(Block { name: "FillMinMax".into(), start, bytes, items, ..Block::default() })
    }
}

/// Consecutive bytes from one start address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// The name given in `* = $1000 "name"`, or the default one.
    pub name: String,
    /// The address of the first byte.
    pub start: i64,
    /// Has addresses but is not saved.
    pub is_virtual: bool,
    /// The bytes from `start` on.
    pub bytes: Vec<u8>,
    /// The statements that made the bytes, in order; empty unless they were asked for.
    pub items: Vec<Item>,
}

impl Block {
    /// The address after the last byte.
    pub fn end(&self) -> i64 {
        self.start + self.bytes.len() as i64
    }

    /// The part from an address to the one before another.
    fn part(&self, from: i64, end: i64) -> Block {
        if (from, end) == (self.start, self.end()) {
            return self.clone();
        }
        let cut = |item: &Item| {
            let first = item.address.max(from);
            let len = (item.address + i64::from(item.len)).min(end) - first;
            u32::try_from(len).ok().filter(|&len| len > 0).map(|len| Item { address: first, len, ..*item })
        };
        Block {
            name: self.name.clone(),
            start: from,
            is_virtual: self.is_virtual,
            bytes: self.bytes[(from - self.start) as usize..(end - self.start) as usize].to_vec(),
            items: self.items.iter().filter_map(cut).collect(),
        }
    }
}

/// One statement that emitted bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// The address of the first byte.
    pub address: i64,
    /// The number of bytes.
    pub len: u32,
    /// The mnemonic or directive word.
    pub at: Span,
}

/// A range of source text. Lines and columns count from 1, the end column is the last one inside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// Index into [`Program::sources`].
    pub file: u32,
    /// The line of the first character.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The line of the last character.
    pub end_line: u32,
    /// The column of the last character.
    pub end_column: u32,
}

/// A label as it was executed; macros and loops make several of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Index into [`Program::segments`].
    pub segment: usize,
    /// The name without its scopes.
    pub name: String,
    /// The address, or the value of a `.label`.
    pub value: i64,
    /// `name:`, or just the name for `.label`.
    pub at: Span,
}

/// A place where the debugger stops: `.break`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breakpoint {
    /// Index into [`Program::segments`].
    pub segment: usize,
    /// The address of the next instruction.
    pub address: i64,
    /// The condition after `.break`; empty if there is none.
    pub argument: String,
}

/// An access on which the debugger stops: `.watch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watchpoint {
    /// Index into [`Program::segments`].
    pub segment: usize,
    /// The first address that is watched.
    pub address: i64,
    /// The last address, if a range is watched.
    pub end: Option<i64>,
    /// The kind of access or the condition; empty if there is none.
    pub argument: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn block(name: &str, start: i64, len: u32) -> Block {
        let item = |offset| Item { address: start + i64::from(offset), len: 1, at: Span::default() };
        let items = (0..len).map(item).collect();
        Block { name: name.into(), start, bytes: vec![len as u8; len as usize], items, ..Block::default() }
    }

    fn written(blocks: Vec<Block>, fill: Option<Fill>) -> Vec<(String, i64, i64)> {
        let written = Segment { blocks, fill, ..Segment::default() }.written();
        for block in &written {
            let items: i64 = block.items.iter().map(|item| i64::from(item.len)).sum();
            assert_eq!(items, block.end() - block.start, "{}", block.name);
        }
        written.into_iter().map(|block| (block.name.clone(), block.start, block.end())).collect()
    }

    #[test]
    fn later_blocks_cut_earlier_ones() {
        let of = |list: &[(&str, i64, i64)]| {
            list.iter().map(|&(name, start, end)| (name.to_owned(), start, end)).collect::<Vec<_>>()
        };
        let long = || block("a", 0, 10);
        assert_eq!(
            written(vec![long(), block("b", 3, 2), block("c", 7, 5)], None),
            of(&[("a", 0, 3), ("b", 3, 5), ("a", 5, 7), ("c", 7, 12)])
        );
        assert_eq!(written(vec![block("b", 3, 2), long()], None), of(&[("a", 0, 10)]));
        assert_eq!(written(vec![long(), long()], None), of(&[("a", 0, 10)]));
        assert_eq!(written(vec![block("b", 20, 1), long()], None), of(&[("a", 0, 10), ("b", 20, 21)]));
        let fill = Fill { first: 0, last: 11, byte: 9, at: Span::default() };
        assert_eq!(
            written(vec![block("b", 4, 2)], Some(fill)),
            of(&[("FillMinMax", 0, 4), ("b", 4, 6), ("FillMinMax", 6, 12)])
        );
    }

    /// A byte of the result is that of the last block that has it.
    #[test]
    fn random_blocks_agree_with_plain_overwriting() {
        let mut state = 1u32;
        let mut random = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..500 {
            let count = 1 + random(6);
            let blocks: Vec<Block> = (0..count)
                .map(|number| block(&number.to_string(), i64::from(random(30)), 1 + random(12)))
                .collect();
            let mut owners: BTreeMap<i64, String> = BTreeMap::new();
            for one in &blocks {
                owners.extend((one.start..one.end()).map(|address| (address, one.name.clone())));
            }
            let found: Vec<(i64, String)> = written(blocks, None)
                .into_iter()
                .flat_map(|(name, start, end)| (start..end).map(move |address| (address, name.clone())))
                .collect();
            assert_eq!(found, owners.into_iter().collect::<Vec<_>>());
        }
    }
}
