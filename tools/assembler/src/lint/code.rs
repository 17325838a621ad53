//! The program as a list of what was emitted, in order of addresses within each block: what the checks of code read.

use isa::{Class, Instruction, Mode};

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
#[derive(Default)]
pub(super) struct Listing {
    pub entries: Vec<Entry>,
    /// The addresses of labels.
    named: Vec<i64>,
    /// Operands that are addresses, and targets of branches.
    targets: Vec<i64>,
    /// Addresses that instructions write to.
    writes: Vec<i64>,
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
        let mut listing = Listing { named: made.places.clone(), ..Listing::default() };
        let blocks = made.memory.segments.iter().flat_map(|segment| &segment.blocks);
        {
            for (number, block) in blocks.enumerate() {
                let Some(start) = block.start else { continue };
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
        }
        listing.named.sort_unstable();
        listing.targets.sort_unstable();
        listing.writes.sort_unstable();
        listing
    }

    fn push(&mut self, entry: Entry) {
        if let Some((row, operand)) = entry.code {
            match row.mode {
                Mode::Relative | Mode::ZeroPageRelative => self.targets.extend(entry.branch_target()),
                Mode::Immediate | Mode::Implied => {}
                _ => self.targets.push(i64::from(operand)),
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
                self.writes.push(i64::from(operand));
            }
        }
        self.entries.push(entry);
    }

    /// Whether a label, a branch or an operand names the address.
    pub fn is_named(&self, address: i64) -> bool {
        self.named.binary_search(&address).is_ok() || self.targets.binary_search(&address).is_ok()
    }

    /// Whether something writes to an address of the range.
    pub fn is_written(&self, start: i64, len: i64) -> bool {
        let first = self.writes.partition_point(|&address| address < start);
        self.writes.get(first).is_some_and(|&address| address < start + len)
    }
}
