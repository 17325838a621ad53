//! The program as a list of what was emitted, in order of addresses within each block: what the checks of code read.

use std::collections::HashSet;
use std::ops::Deref;

use isa::{Class, Cpu, Instruction, Mnemonic, Mode};

use super::branches;
use crate::eval::Made;
use crate::layout::memory::Item;
use crate::tree::{Stmt, Tree};

/// What one execution of a statement emitted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    item: &'a Item,
    /// Where it runs.
    pub address: i64,
    /// The block, counted over all segments.
    pub block: u32,
    /// Whether it runs right behind the entry before it.
    pub follows: bool,
    cpu: Cpu,
    opcode: u8,
    pub traits: Traits,
    operand: u16,
}

/// What the checks ask about an instruction: most have nothing of it, and no check needs to look at them. Data has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Traits(u16);

impl Traits {
    const DATA: Traits = Traits(0);
    /// It is an instruction.
    pub const CODE: Traits = Traits(1);
    /// It branches on a condition, or always, to a place near it.
    const BRANCHES: Traits = Traits(1 << 1);
    /// Its operand is an address.
    const NAMES: Traits = Traits(1 << 2);
    /// It writes to the address of its operand, perhaps with an index.
    const WRITES: Traits = Traits(1 << 3);
    const USES_STACK: Traits = Traits(1 << 4);
    const SETS_DECIMAL: Traits = Traits(1 << 5);
    /// There may be something to say about it alone.
    pub const SUSPECT: Traits = Traits(1 << 6);
    /// There may be something to say about it and the next one.
    pub const SUSPECT_BEFORE: Traits = Traits(1 << 7);
    /// It jumps, calls or returns.
    pub const FLOW: Traits = Traits(1 << 8);
    /// It branches if a flag is set or clear.
    pub const LOOKS_AT_FLAG: Traits = Traits(1 << 9);

    #[inline]
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }

    const fn and(self, other: Traits, is_so: bool) -> Traits {
        Traits(if is_so { self.0 | other.0 } else { self.0 })
    }

    const fn of(row: &Instruction) -> Traits {
        let is_write = matches!(row.class, Class::Write | Class::Modify);
        let is_branch = matches!(row.mode, Mode::Relative | Mode::ZeroPageRelative);
        let is_absolute = matches!(row.mode, Mode::Absolute | Mode::AbsoluteX | Mode::AbsoluteY);
        let is_zero_page = matches!(row.mode, Mode::ZeroPage | Mode::ZeroPageX | Mode::ZeroPageY);
        let uses_stack = matches!(row.class, Class::Push | Class::Pull)
            || matches!(row.mnemonic, Mnemonic::Txs | Mnemonic::Tas | Mnemonic::Las);
        let is_indirect_jump = matches!((row.mnemonic, row.mode), (Mnemonic::Jmp, Mode::Indirect));
        let names = !is_branch && !matches!(row.mode, Mode::Immediate | Mode::Implied);
        Traits::CODE
            .and(Traits::BRANCHES, is_branch)
            .and(Traits::NAMES, names)
            .and(Traits::WRITES, is_write && (is_absolute || is_zero_page))
            .and(Traits::USES_STACK, uses_stack)
            .and(Traits::SETS_DECIMAL, matches!(row.mnemonic, Mnemonic::Sed))
            .and(Traits::SUSPECT, is_indirect_jump || is_unstable(row) || is_write && is_absolute)
            .and(Traits::SUSPECT_BEFORE, ends_flow(row) || matches!(row.mnemonic, Mnemonic::Jsr))
            .and(Traits::FLOW, matches!(row.class, Class::Flow))
            .and(Traits::LOOKS_AT_FLAG, branches::flag(row.mnemonic).is_some())
    }

    /// Those of all opcodes of a CPU.
    const fn all(cpu: Cpu) -> [Traits; 256] {
        let mut traits = [Traits::DATA; 256];
        let mut opcode = 0;
        while opcode < 256 {
            traits[opcode] = Traits::of(&cpu.table()[opcode]);
            opcode += 1;
        }
        traits
    }

    fn table(cpu: Cpu) -> &'static [Traits; 256] {
        static NMOS: [Traits; 256] = Traits::all(Cpu::Mos6502);
        static DTV: [Traits; 256] = Traits::all(Cpu::Dtv);
        static CMOS: [Traits; 256] = Traits::all(Cpu::Wdc65c02);
        match cpu {
            Cpu::Wdc65c02 => &CMOS,
            Cpu::Dtv => &DTV,
            _ => &NMOS,
        }
    }
}

/// Whether execution never goes on behind an instruction.
pub(super) const fn ends_flow(row: &Instruction) -> bool {
    matches!(row.mnemonic, Mnemonic::Jmp | Mnemonic::Rts | Mnemonic::Rti | Mnemonic::Bra | Mnemonic::Jam)
}

/// Whether the NMOS chips do not agree on what an instruction does.
pub(super) const fn is_unstable(row: &Instruction) -> bool {
    match row.mnemonic {
        Mnemonic::Ane | Mnemonic::Sha | Mnemonic::Shx | Mnemonic::Shy | Mnemonic::Tas => true,
        Mnemonic::Lax => matches!(row.mode, Mode::Immediate),
        _ => false,
    }
}

/// All entries, and the addresses that something refers to.
pub(super) struct Listing<'a> {
    pub entries: Vec<Entry<'a>>,
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
    bits: Box<[u64; 0x10000 / 64]>,
    /// One bit for each page with any of them; noted when all are in.
    pages: [u64; 4],
    /// The others.
    beyond: HashSet<i64>,
}

impl Addresses {
    fn new() -> Addresses {
        Addresses { bits: Box::new([0; 0x10000 / 64]), pages: [0; 4], beyond: HashSet::new() }
    }

    #[inline]
    fn insert(&mut self, address: i64) {
        match u16::try_from(address) {
            Ok(address) => self.insert_near(address),
            Err(_) => drop(self.beyond.insert(address)),
        }
    }

    /// Inserts an address that the CPU has.
    #[inline]
    fn insert_near(&mut self, address: u16) {
        self.bits[usize::from(address / 64)] |= 1 << (address % 64);
    }

    /// Notes the pages of all that was inserted.
    fn note_pages(&mut self) {
        for (page, bits) in self.bits.as_chunks::<4>().0.iter().enumerate() {
            let is_used = bits.iter().any(|&bits| bits != 0);
            self.pages[page >> 6] |= u64::from(is_used) << (page & 63);
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

/// The statement, and its bytes in the block.
impl Deref for Entry<'_> {
    type Target = Item;

    #[inline]
    fn deref(&self) -> &Item {
        self.item
    }
}

impl Entry<'_> {
    /// The instruction with its operand; `None` for data.
    #[inline]
    pub fn code(&self) -> Option<(&'static Instruction, u16)> {
        self.traits.has(Traits::CODE).then(|| (self.cpu.decode(self.opcode), self.operand))
    }

    /// Where a branch goes.
    pub fn branch_target(&self) -> Option<i64> {
        if !self.traits.has(Traits::BRANCHES) {
            return None;
        }
        // A branch on a bit has the address of the byte before the distance.
        let distance = if self.len > 2 { self.operand >> 8 } else { self.operand };
        Some(self.address + i64::from(self.len) + i64::from(distance as u8 as i8))
    }
}

impl<'a> Listing<'a> {
    pub fn of(tree: &Tree, made: &'a Made) -> Listing<'a> {
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
            let mut moved = block.moved.as_slice();
            // No address is that low.
            let mut end = i64::MIN;
            for item in &block.items {
                while let [first, rest @ ..] = moved
                    && first.end <= item.offset
                {
                    moved = rest;
                }
                let address = match moved {
                    [first, ..] if first.start <= item.offset => {
                        first.address + i64::from(item.offset - first.start)
                    }
                    _ => start + i64::from(item.offset),
                };
                let mut entry = Entry {
                    item,
                    address,
                    block: number as u32,
                    follows: end == address,
                    cpu: Cpu::Mos6502,
                    opcode: 0,
                    traits: Traits::DATA,
                    operand: 0,
                };
                if let Stmt::Instruction { cpu, .. } = tree.stmts[item.stmt as usize]
                    && let Some(bytes) = block.bytes.get(item.offset as usize..)
                    && let Some(&opcode) = bytes.first()
                {
                    let operand = match (item.len, bytes) {
                        (2, &[_, low, ..]) => u16::from(low),
                        (3, &[_, low, high, ..]) => u16::from_le_bytes([low, high]),
                        _ => 0,
                    };
                    entry = Entry {
                        cpu,
                        opcode,
                        operand,
                        traits: Traits::table(cpu)[usize::from(opcode)],
                        ..entry
                    };
                    listing.note(&entry);
                }
                listing.entries.push(entry);
                end = address + i64::from(item.len);
            }
        }
        listing.writes.note_pages();
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

    /// Notes what an instruction refers to.
    #[inline]
    fn note(&mut self, entry: &Entry<'_>) {
        let traits = entry.traits;
        self.uses_stack |= traits.has(Traits::USES_STACK);
        self.has_sed |= traits.has(Traits::SETS_DECIMAL);
        if traits.has(Traits::NAMES) {
            self.named.insert_near(entry.operand);
            if traits.has(Traits::WRITES) {
                self.writes.insert_near(entry.operand);
            }
        } else if let Some(target) = entry.branch_target() {
            self.named.insert(target);
        }
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
