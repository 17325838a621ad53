//! Segments and memory blocks while a pass fills them. Knows addresses and bytes, not what they mean.

use std::cell::RefCell;
use std::collections::HashMap;

use tempo_diagnostics::Span;

use crate::crunch::{Crunched, Job};
use crate::tree::StmtId;

/// The address of code before any `*=`.
pub(crate) const DEFAULT_START: i64 = 0x2000;

/// All segments, and the place where the next byte goes.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub segments: Vec<Segment>,
    /// The number of each segment by its name.
    index: HashMap<String, usize>,
    pub current: usize,
    /// The bytes of the current block, taken out of it while it is filled.
    bytes: Vec<u8>,
    items: Vec<Item>,
    /// Address of the first byte of the current block, as statements see it (inside `.pseudopc` another one).
    base: i64,
    /// Whether `base` and all sizes since it are known.
    is_known: bool,
    keeps_items: bool,
    /// Bytes and items of the block before: the next one is often as long.
    usual: (usize, usize),
    /// Items of the blocks that are not being filled.
    items_away: usize,
    /// How many blocks there are.
    pub blocks: usize,
    /// Bytes emitted so far, and how many may be.
    pub emitted: u64,
    pub limit: u64,
    /// Data that the modifiers of segments have packed so far.
    pub packed: RefCell<Vec<Packed>>,
}

#[derive(Debug, Default)]
pub(crate) struct Segment {
    pub name: String,
    pub parameters: SegmentParameters,
    /// The first is the default block; the others in source order.
    pub blocks: Vec<Block>,
    pub current: usize,
    pub span: Option<Span>,
}

/// The contents of a segment definition.
#[derive(Debug, Clone, Default)]
pub(crate) struct SegmentParameters {
    pub start: Option<i64>,
    pub start_after: Option<String>,
    pub align: Option<i64>,
    pub is_virtual: bool,
    pub dest: String,
    pub out_prg: Option<String>,
    pub out_bin: Option<String>,
    pub content: Content,
}

/// The parameters that any segment, also an intermediate one, can have besides its own code.
#[derive(Debug, Clone, Default)]
pub(crate) struct Content {
    pub min: Option<i64>,
    pub max: Option<i64>,
    pub fill: bool,
    pub fill_byte: u8,
    pub segments: Vec<String>,
    /// Blocks read from files.
    pub files: Vec<Piece>,
    pub allow_overlap: bool,
    pub hide: bool,
    /// Blocks added by a modifier.
    pub added: Vec<Piece>,
    /// The modifier that its blocks pass through.
    pub packer: Option<Packer>,
}

/// A modifier that packs.
#[derive(Debug, Clone)]
pub(crate) struct Packer {
    pub job: Job,
    /// A number that no other packer of the pass has.
    pub id: usize,
}

/// Results of a packer, kept because segments are laid out more than once.
#[derive(Debug)]
pub(crate) struct Packed {
    pub id: usize,
    /// The blocks that were packed.
    pub blocks: Vec<Piece>,
    pub crunched: Crunched,
}

/// Bytes with a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    pub name: String,
    pub start: i64,
    pub bytes: Vec<u8>,
    /// The segment whose own blocks may overlap each other, if it is from one.
    pub overlapping: Option<usize>,
    /// Where its block begins, or what asked for it: the parameter that names a file.
    pub span: Option<Span>,
}

#[derive(Debug, Default)]
pub(crate) struct Block {
    pub name: String,
    /// `None` while it is not known.
    pub start: Option<i64>,
    pub is_virtual: bool,
    pub bytes: Vec<u8>,
    pub items: Vec<Item>,
    /// The contents of `.pseudopc`, in order.
    pub moved: Vec<Moved>,
    /// Whether the number of bytes is final.
    pub has_size: bool,
    /// Asked for by `*=` or `.memblock`, not made by default.
    pub is_explicit: bool,
    /// Begins where the block before it in the segment ends.
    pub continues: bool,
    /// Where it begins in the source.
    pub span: Option<Span>,
}

/// The bytes of one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item {
    pub offset: u32,
    pub len: u32,
    pub stmt: StmtId,
    /// The macro call or iteration it ran in.
    pub expansion: u32,
}

/// Bytes that run at another address than the one they are loaded to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moved {
    /// Offset of the first byte in the block, and of the one after the last.
    pub start: u32,
    pub end: u32,
    /// Where the first byte runs.
    pub address: i64,
}

/// The state that is restored at the end of `.pseudopc`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RealPc {
    base: i64,
    is_known: bool,
    /// Bytes of the block at the start.
    len: usize,
}

impl Block {
    /// The first statement with a byte at an address or after it, if that is known.
    pub fn first_beyond(&self, address: i64) -> Option<StmtId> {
        let start = self.start?;
        let is_beyond = |item: &&Item| start + i64::from(item.offset + item.len) > address;
        self.items.iter().find(is_beyond).map(|item| item.stmt)
    }
}

impl SegmentParameters {
    /// The first address from this one on that the segment may start at.
    pub fn aligned(&self, start: i64) -> i64 {
        match self.align {
            Some(align) if align > 0 => start + (align - start.rem_euclid(align)) % align,
            _ => start,
        }
    }
}

impl Segment {
    /// The address after the last block that was started, if the segment starts here and its sizes are known.
    fn end_from(&self, start: Option<i64>) -> Option<i64> {
        let mut end = start;
        for (number, block) in self.blocks.iter().enumerate() {
            let start = if number == 0 || block.continues { end } else { block.start };
            end = start.filter(|_| block.has_size).map(|start| start + block.bytes.len() as i64);
        }
        end
    }
}

impl Memory {
    /// An empty memory with the Default segment.
    pub fn new(keeps_items: bool, limit: u64) -> Memory {
        let mut memory = Memory { keeps_items, limit, ..Memory::default() };
        memory.define("Default".to_owned(), SegmentParameters::default(), Some(DEFAULT_START), None);
        memory.resume(0);
        memory
    }

    /// An empty memory with a segment of another name, for bytes that are not written as they are.
    pub fn named(name: &str, limit: u64) -> Memory {
        let mut memory = Memory { limit, ..Memory::default() };
        memory.define(name.to_owned(), SegmentParameters::default(), Some(DEFAULT_START), None);
        memory.resume(0);
        memory
    }

    /// Reserves capacity for as many bytes as the previous pass had.
    pub fn reserve_like(&mut self, other: &Memory) {
        if let Some(block) =
            other.segments.first().and_then(|segment| segment.blocks.iter().max_by_key(|b| b.bytes.len()))
        {
            self.bytes.reserve(block.bytes.len().min(1 << 20));
            self.items.reserve(block.items.len().min(1 << 20));
        }
    }

    /// Reserves capacity for this many statements.
    pub fn reserve(&mut self, statements: usize) {
        self.bytes.reserve((3 * statements).min(1 << 20));
        if self.keeps_items {
            self.items.reserve(statements.min(1 << 20));
        }
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Where every segment starts by the sizes of this pass, in order of dependence: a chain of `startAfter` is settled
    /// at once, however long it is. `None` while it is not known, and in a circle.
    pub fn starts(&self) -> Vec<Option<i64>> {
        let before: Vec<Option<usize>> =
            self.segments.iter().map(|segment| self.find(segment.parameters.start_after.as_ref()?)).collect();
        let mut starts = vec![None; self.segments.len()];
        let mut done = vec![false; self.segments.len()];
        for first in 0..self.segments.len() {
            // Down to a segment that waits for none or is known, then back up.
            let mut chain = Vec::new();
            let mut next = Some(first);
            while let Some(index) = next.filter(|&index| !done[index]) {
                done[index] = true;
                chain.push(index);
                next = before[index];
            }
            for &index in chain.iter().rev() {
                let parameters = &self.segments[index].parameters;
                let start = match (&parameters.start_after, before[index]) {
                    (None, _) => Some(parameters.start.unwrap_or(DEFAULT_START)),
                    (Some(_), None) => None,
                    (Some(_), Some(before)) => self.segments[before].end_from(starts[before]),
                };
                starts[index] = start.map(|start| parameters.aligned(start));
            }
        }
        starts
    }

    /// Adds a segment with its default block.
    pub fn define(
        &mut self,
        name: String,
        parameters: SegmentParameters,
        start: Option<i64>,
        span: Option<Span>,
    ) -> usize {
        let block = Block {
            name: name.clone(),
            start,
            is_virtual: parameters.is_virtual,
            has_size: true,
            span,
            ..Block::default()
        };
        self.index.entry(name.clone()).or_insert(self.segments.len());
        self.segments.push(Segment { name, parameters, blocks: vec![block], current: 0, span });
        self.segments.len() - 1
    }

    /// Puts the bytes of the current block where they belong.
    pub fn suspend(&mut self) {
        let Some(segment) = self.segments.get_mut(self.current) else { return };
        let block = &mut segment.blocks[segment.current];
        // The capacity of a block that stayed empty goes to the next one.
        if !self.bytes.is_empty() {
            self.usual = (self.bytes.len(), self.items.len());
            block.bytes = std::mem::take(&mut self.bytes);
            block.items = std::mem::take(&mut self.items);
            self.items_away += block.items.len();
        }
    }

    /// Goes on in the current block of a segment.
    fn resume(&mut self, segment: usize) {
        self.current = segment;
        let segment = &mut self.segments[segment];
        let block = &mut segment.blocks[segment.current];
        if block.bytes.is_empty() {
            self.bytes.reserve(self.usual.0);
            self.items.reserve(self.usual.1);
        } else {
            self.bytes = std::mem::take(&mut block.bytes);
            self.items = std::mem::take(&mut block.items);
            self.items_away -= self.items.len();
        }
        self.base = block.start.unwrap_or(0);
        self.is_known = block.start.is_some() && block.has_size;
    }

    pub fn switch(&mut self, segment: usize) {
        self.suspend();
        self.resume(segment);
    }

    /// Starts a block in the current segment.
    pub fn start_block(&mut self, name: String, start: Option<i64>, is_virtual: bool, span: Span) {
        self.suspend();
        let segment = &mut self.segments[self.current];
        let is_virtual = is_virtual || segment.parameters.is_virtual;
        let block = Block {
            name,
            start,
            is_virtual,
            has_size: true,
            is_explicit: true,
            span: Some(span),
            ..Block::default()
        };
        segment.blocks.push(block);
        self.blocks += 1;
        segment.current = segment.blocks.len() - 1;
        self.resume(self.current);
    }

    /// Begins a block where the current one ends.
    pub fn continue_block(&mut self, name: String, span: Span) {
        self.start_block(name, self.pc(), false, span);
        let segment = &mut self.segments[self.current];
        segment.blocks[segment.current].continues = true;
    }

    pub fn is_virtual(&self) -> bool {
        let segment = &self.segments[self.current];
        segment.blocks[segment.current].is_virtual
    }

    /// The program counter as statements see it.
    #[inline]
    pub fn pc(&self) -> Option<i64> {
        self.is_known.then_some(self.base + self.bytes.len() as i64)
    }

    /// Bytes of the current block so far.
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    #[inline(always)]
    pub fn push_all<const N: usize>(&mut self, bytes: [u8; N]) {
        self.bytes.extend_from_slice(&bytes);
    }

    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Ends a statement that began at a length; false if there are too many bytes now.
    #[inline]
    pub fn finish(&mut self, stmt: StmtId, start: usize, expansion: u32) -> bool {
        let len = self.bytes.len() - start;
        if len > 0 {
            self.emitted += len as u64;
            if self.keeps_items {
                self.items.push(Item { offset: start as u32, len: len as u32, stmt, expansion });
            }
        }
        self.emitted <= self.limit
    }

    /// How many statements with bytes there are in all.
    pub fn item_count(&self) -> usize {
        self.items_away + self.items.len()
    }

    /// The statement has a size that is not known: nothing after it has an address.
    pub fn lose_size(&mut self) {
        self.is_known = false;
        let segment = &mut self.segments[self.current];
        segment.blocks[segment.current].has_size = false;
    }

    pub fn begin_pseudo(&mut self, address: Option<i64>) -> RealPc {
        let real = RealPc { base: self.base, is_known: self.is_known, len: self.bytes.len() };
        self.base = address.unwrap_or(0) - self.bytes.len() as i64;
        self.is_known = address.is_some();
        real
    }

    pub fn end_pseudo(&mut self, real: RealPc) {
        let address = self.base + real.len as i64;
        self.base = real.base;
        let segment = &mut self.segments[self.current];
        let moved = Moved { start: real.len as u32, end: self.bytes.len() as u32, address };
        segment.blocks[segment.current].moved.push(moved);
        self.is_known = real.is_known && segment.blocks[segment.current].has_size;
    }

    /// Bytes that are not virtual.
    pub fn saved_bytes(&self) -> u64 {
        let blocks = self.segments.iter().flat_map(|segment| &segment.blocks);
        blocks.filter(|block| !block.is_virtual).map(|block| block.bytes.len() as u64).sum()
    }

    /// Overwrites bytes that were reserved before.
    pub fn patch(&mut self, segment: usize, block: usize, offset: usize, bytes: &[u8]) {
        let target = &mut self.segments[segment].blocks[block].bytes;
        if let Some(range) = target.get_mut(offset..offset + bytes.len()) {
            range.copy_from_slice(bytes);
        }
    }
}
