//! The program as a list of what was emitted, in order of addresses within each block: what the checks of code read.

use std::collections::HashSet;

use isa::{Class, Instruction, Mnemonic, Mode};

use crate::eval::Made;
use crate::tree::{Stmt, StmtId, Tree};

/// What one execution of a statement emitted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub stmt: StmtId,
    pub expansion: u32,
    /// The block, counted over all segments, and the offset in it.
    pub block: u32,
    pub offset: u32,
    /// Where it runs.
    pub address: i64,
    pub len: u32,
    /// Whether it runs right behind the entry before it.
    pub follows: bool,
    /// The instruction with its operand; `None` for data.
    pub code: Option<(&'static Instruction, u16)>,
}

/// All entries, and the addresses that something refers to.
pub(super) struct Listing {
    pub entries: Vec<Entry>,
    /// The addresses of labels, operands that are addresses, and targets of branches.
    named: Addresses,
    /// Addresses that instructions write to.
    writes: Addresses,
    /// One bit for each page with code or data.
    pages: [u64; 4],
    /// Whether anything pushes, pulls or sets the stack pointer.
    pub uses_stack: bool,
    /// Whether decimal mode is ever turned on.
    pub has_sed: bool,
}

/// A set of addresses.
struct Addresses {
    /// One bit for each of the addresses that the CPU has.
    bits: Vec<u64>,
    /// One bit for each page with any of them.
    pages: [u64; 4],
    /// The others.
    beyond: HashSet<i64>,
}

impl Addresses {
    fn new() -> Addresses {
        Addresses { bits: vec![0; 0x10000 / 64], pages: [0; 4], beyond: HashSet::new() }
    }

    fn insert(&mut self, address: i64) {
        match u16::try_from(address) {
            Ok(address) => {
                self.bits[usize::from(address / 64)] |= 1 << (address % 64);
                self.pages[usize::from(address >> 14)] |= 1 << (address >> 8 & 63);
            }
            Err(_) => drop(self.beyond.insert(address)),
        }
    }

    /// Whether one of a few addresses may be in the set.
    #[inline]
    fn may_have(&self, start: i64, len: i64) -> bool {
        let (Ok(first), Ok(last)) = (u16::try_from(start), u16::try_from(start + len - 1)) else {
            return true;
        };
        let has_page = |page: u16| self.pages[usize::from(page >> 6)] & 1 << (page & 63) != 0;
        len > 0x100 || has_page(first >> 8) || has_page(last >> 8)
    }

    #[inline]
    fn has(&self, address: i64) -> bool {
        match u16::try_from(address) {
            Ok(address) => self.bits[usize::from(address / 64)] & 1 << (address % 64) != 0,
            Err(_) => self.beyond.contains(&address),
        }
    }
}

impl Entry {
    /// Where a branch goes.
    pub fn branch_target(&self) -> Option<i64> {
        let (row, operand) = self.code?;
        let next = self.address + i64::from(self.len);
        match row.mode {
            Mode::Relative => Some(next + i64::from(operand as u8 as i8)),
            Mode::ZeroPageRelative => Some(next + i64::from((operand >> 8) as u8 as i8)),
            _ => None,
        }
    }
}

impl Listing {
    pub fn of(tree: &Tree, made: &Made) -> Listing {
        let blocks = || made.memory.segments.iter().flat_map(|segment| &segment.blocks);
        let count = blocks().map(|block| block.items.len()).sum();
        let entries = Vec::with_capacity(count);
        let mut listing = Listing {
            entries,
            named: Addresses::new(),
            writes: Addresses::new(),
            pages: [0; 4],
            uses_stack: false,
            has_sed: false,
        };
        made.places.iter().for_each(|&place| listing.named.insert(place));
        for (number, block) in blocks().enumerate() {
            let Some(start) = block.start else { continue };
            listing.note_pages(start, block.bytes.len());
            for moved in &block.moved {
                listing.note_pages(moved.address, (moved.end - moved.start) as usize);
            }
            let mut moved = block.moved.iter().peekable();
            let mut end = None;
            for item in &block.items {
                while moved.peek().is_some_and(|moved| moved.end <= item.offset) {
                    moved.next();
                }
                let offset = i64::from(item.offset);
                let address = match moved.peek() {
                    Some(moved) if moved.start <= item.offset => {
                        moved.address + offset - i64::from(moved.start)
                    }
                    _ => start + offset,
                };
                let at = item.offset as usize;
                let code = match tree.stmts[item.stmt as usize] {
                    Stmt::Instruction { cpu, .. } => block.bytes.get(at).map(|&opcode| {
                        let byte = |index: usize| block.bytes.get(at + index).copied().unwrap_or(0);
                        let high = if item.len > 2 { byte(2) } else { 0 };
                        let low = if item.len > 1 { byte(1) } else { 0 };
                        (cpu.decode(opcode), u16::from_le_bytes([low, high]))
                    }),
                    _ => None,
                };
                listing.push(Entry {
                    stmt: item.stmt,
                    expansion: item.expansion,
                    block: number as u32,
                    offset: item.offset,
                    address,
                    len: item.len,
                    follows: end == Some(address),
                    code,
                });
                end = Some(address + i64::from(item.len));
            }
        }
        listing
    }

    /// Notes the pages of bytes.
    fn note_pages(&mut self, start: i64, len: usize) {
        let pages = start >> 8..=(start + len as i64) >> 8;
        for page in pages.filter(|page| (0..256).contains(page)) {
            self.pages[(page >> 6) as usize] |= 1 << (page & 63);
        }
    }

    /// Whether anything may write to code or data of the program.
    pub fn may_modify(&self) -> bool {
        let is_same = |(pages, writes): (&u64, &u64)| pages & writes != 0;
        !self.writes.beyond.is_empty() || self.pages.iter().zip(&self.writes.pages).any(is_same)
    }

    #[inline]
    fn push(&mut self, entry: Entry) {
        if let Some((row, operand)) = entry.code {
            self.uses_stack |= matches!(row.class, Class::Push | Class::Pull)
                || matches!(row.mnemonic, Mnemonic::Txs | Mnemonic::Tas | Mnemonic::Las);
            self.has_sed |= row.mnemonic == Mnemonic::Sed;
            match row.mode {
                Mode::Relative | Mode::ZeroPageRelative => {
                    entry.branch_target().into_iter().for_each(|target| self.named.insert(target));
                }
                Mode::Immediate | Mode::Implied => {}
                _ => self.named.insert(i64::from(operand)),
            }
            let is_plain = matches!(
                row.mode,
                Mode::Absolute
                    | Mode::ZeroPage
                    | Mode::AbsoluteX
                    | Mode::AbsoluteY
                    | Mode::ZeroPageX
                    | Mode::ZeroPageY
            );
            if is_plain && matches!(row.class, Class::Write | Class::Modify) {
                self.writes.insert(i64::from(operand));
            }
        }
        self.entries.push(entry);
    }

    /// Whether a label, a branch or an operand names the address.
    #[inline]
    pub fn is_named(&self, address: i64) -> bool {
        self.named.has(address)
    }

    /// Whether something writes to one of a few addresses.
    #[inline]
    pub fn is_written(&self, start: i64, len: i64) -> bool {
        self.writes.may_have(start, len) && (start..start + len).any(|address| self.writes.has(address))
    }
}
