//! The program as a list of what was emitted, in order of addresses within each block: what the checks of code read.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Deref;

use tempo_isa::{Class, Cpu, Flow, Instruction, Mnemonic, Mode, Parts, Stability};

use crate::eval::Made;
use crate::layout::memory::{Block, Item};
use crate::tree::{Stmt, Tree};

/// The bytes of one execution of a statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    item: &'a Item,
    /// Where it runs.
    pub address: i64,
    /// The block, counted over all segments.
    pub block: u32,
    kept: Kept,
}

/// The compact form of each entry while the checks run. A large program has tens of thousands, and memory that is used for
/// the first time costs more than working out the rest again.
#[derive(Debug, Clone, Copy)]
struct Kept {
    operand: u16,
    traits: Traits,
    cpu: Cpu,
    opcode: u8,
}

impl Kept {
    const DATA: Kept = Kept { operand: 0, traits: Traits::DATA, cpu: Cpu::Mos6502, opcode: 0 };

    #[inline]
    fn code(self) -> Option<(&'static Instruction, u16)> {
        self.traits.has(Traits::CODE).then(|| (self.cpu.decode(self.opcode), self.operand))
    }

    /// An instruction, from its bytes.
    #[inline]
    fn decoded(cpu: Cpu, bytes: &[u8]) -> Kept {
        if cpu.has_wide_operands() && (bytes.len() > 3 || cpu.decode_bytes(bytes) != cpu.decode(bytes[0])) {
            // Prefixes and long operands are outside of what is checked: execution goes on after them.
            let opcode = tempo_isa::opcodes::NOP;
            return Kept { operand: 0, traits: Traits::table(cpu)[usize::from(opcode)], cpu, opcode };
        }
        let (opcode, operand) = match *bytes {
            [opcode] => (opcode, 0),
            [opcode, low] => (opcode, u16::from(low)),
            [opcode, low, high] => (opcode, u16::from_le_bytes([low, high])),
            _ => return Kept::DATA,
        };
        Kept { operand, traits: Traits::table(cpu)[usize::from(opcode)], cpu, opcode }
    }
}

/// A block that has an address.
struct Listed<'a> {
    block: &'a Block,
    start: i64,
    /// The block, counted over all segments.
    number: u32,
    /// Its first entry.
    first: usize,
}

impl Listed<'_> {
    /// Where a byte of the block runs.
    #[inline]
    fn address(&self, offset: u32) -> i64 {
        let moved = &self.block.moved;
        if !moved.is_empty() {
            let place = moved.partition_point(|moved| moved.end <= offset);
            if let Some(moved) = moved.get(place).filter(|moved| moved.start <= offset) {
                return moved.address + i64::from(offset - moved.start);
            }
        }
        self.start + i64::from(offset)
    }
}

/// The traits of an instruction for the checks: most have none, and no check needs to look at them. Data has none.
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
    /// It runs right after the entry before it; data may have that, too.
    pub const FOLLOWS: Traits = Traits(1 << 10);

    /// It writes with an index to an address of two bytes.
    const INDEXED: Traits = Traits(1 << 11);

    /// Those that a check of code begins with.
    const MARKED: Traits = Traits::SUSPECT.and(Traits::SUSPECT_BEFORE).and(Traits::LOOKS_AT_FLAG);

    #[inline]
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }

    const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    const fn and_if(self, other: Traits, is_so: bool) -> Traits {
        if is_so { self.and(other) } else { self }
    }

    const fn of(row: &Instruction) -> Traits {
        let is_write = row.effects.memory.is_written();
        let is_branch = matches!(row.mode, Mode::Relative | Mode::ZeroPageRelative);
        let is_absolute = matches!(row.mode, Mode::Absolute | Mode::AbsoluteX | Mode::AbsoluteY);
        let is_zero_page = matches!(row.mode, Mode::ZeroPage | Mode::ZeroPageX | Mode::ZeroPageY);
        let uses_stack = row.effects.writes.meets(Parts::S) && !matches!(row.class, Class::Flow);
        let is_indirect_jump = matches!((row.mnemonic, row.mode), (Mnemonic::Jmp, Mode::Indirect));
        let names = !is_branch && !matches!(row.mode, Mode::Immediate | Mode::Implied);
        Traits::CODE
            .and_if(Traits::BRANCHES, is_branch)
            .and_if(Traits::NAMES, names)
            .and_if(Traits::WRITES, is_write && (is_absolute || is_zero_page))
            .and_if(Traits::INDEXED, is_write && matches!(row.mode, Mode::AbsoluteX | Mode::AbsoluteY))
            .and_if(Traits::USES_STACK, uses_stack)
            .and_if(Traits::SETS_DECIMAL, matches!(row.mnemonic, Mnemonic::Sed))
            .and_if(Traits::SUSPECT, is_indirect_jump || is_unstable(row) || is_write && is_absolute)
            .and_if(Traits::SUSPECT_BEFORE, ends_flow(row) || matches!(row.mnemonic, Mnemonic::Jsr))
            .and_if(Traits::FLOW, matches!(row.class, Class::Flow))
            .and_if(Traits::LOOKS_AT_FLAG, row.mnemonic.condition().is_some())
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
        static TABLES: [[Traits; 256]; Cpu::ALL.len()] = {
            let mut tables = [[Traits::DATA; 256]; Cpu::ALL.len()];
            let mut index = 0;
            while index < Cpu::ALL.len() {
                tables[Cpu::ALL[index] as usize] = Traits::all(Cpu::ALL[index]);
                index += 1;
            }
            tables
        };
        &TABLES[cpu as usize]
    }
}

/// Whether execution never goes on after an instruction.
pub(super) const fn ends_flow(row: &Instruction) -> bool {
    matches!(row.effects.flow, Flow::Jump | Flow::Return | Flow::Stop)
}

/// Whether the NMOS chips do not agree on what an instruction does.
pub(super) const fn is_unstable(row: &Instruction) -> bool {
    matches!(row.effects.stability, Stability::Unstable)
}

/// All entries, and the addresses that something refers to.
pub(super) struct Listing<'a> {
    blocks: Vec<Listed<'a>>,
    /// Of the items of these blocks, one after the other.
    kept: Vec<Kept>,
    /// The entries that are suspect, alone or with the next one, or look at a flag: most are none of it.
    pub marked: Vec<u32>,
    /// The addresses of labels, operands that are addresses, and targets of branches.
    named: Addresses,
    /// Addresses that instructions write to.
    writes: Addresses,
    /// The addresses of writes with an index.
    indexed: Vec<u16>,
    /// Those of them that are in code.
    indexed_code: OnceCell<Vec<i64>>,
    /// See the method of this name.
    may_be_moved: OnceCell<bool>,
    /// Whether each address is one of a byte of the program.
    own: OnceCell<Vec<bool>>,
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
            Err(_) => self.insert_beyond(address),
        }
    }

    #[cold]
    fn insert_beyond(&mut self, address: i64) {
        self.beyond.insert(address);
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
    /// The traits that the checks ask for first.
    #[inline]
    pub fn traits(&self) -> Traits {
        self.kept.traits
    }

    /// Whether it runs right after the entry before it.
    #[inline]
    pub fn follows(&self) -> bool {
        self.traits().has(Traits::FOLLOWS)
    }

    /// The instruction with its operand; `None` for data.
    #[inline]
    pub fn code(&self) -> Option<(&'static Instruction, u16)> {
        self.kept.code()
    }

    /// Where a branch goes.
    #[inline]
    pub fn branch_target(&self) -> Option<i64> {
        if !self.traits().has(Traits::BRANCHES) {
            return None;
        }
        // A branch on a bit has the address of the byte before the distance.
        let operand = self.kept.operand;
        let distance = if self.len > 2 { operand >> 8 } else { operand };
        Some(self.address + i64::from(self.len) + i64::from(distance as u8 as i8))
    }
}

impl<'a> Listing<'a> {
    pub fn of(tree: &Tree, made: &'a Made) -> Listing<'a> {
        let blocks = || made.memory.segments.iter().flat_map(|segment| &segment.blocks);
        let mut listing = Listing {
            blocks: Vec::new(),
            kept: Vec::with_capacity(blocks().map(|block| block.items.len()).sum()),
            marked: Vec::new(),
            named: Addresses::new(),
            writes: Addresses::new(),
            indexed: Vec::new(),
            indexed_code: OnceCell::new(),
            may_be_moved: OnceCell::new(),
            own: OnceCell::new(),
            pages: [0; 4],
            uses_stack: false,
            has_sed: false,
        };
        for (number, block) in blocks().enumerate() {
            let Some(start) = block.start else { continue };
            note_pages(&mut listing.pages, start, block.bytes.len());
            for moved in &block.moved {
                note_pages(&mut listing.pages, moved.address, (moved.end - moved.start) as usize);
            }
            listing.add(tree, Listed { block, start, number: number as u32, first: listing.kept.len() });
        }
        made.places.iter().for_each(|&place| listing.named.insert(place));
        listing.writes.note_pages();
        listing
    }

    /// Adds the entries of a block: notes what the instructions refer to, and which of them the checks of code look at.
    #[inline(never)]
    fn add(&mut self, tree: &Tree, listed: Listed<'a>) {
        let mut met = Traits::DATA;
        // No address is that low.
        let mut end = i64::MIN;
        for item in &listed.block.items {
            let address = listed.address(item.offset);
            let next = address + i64::from(item.len);
            let mut kept = match tree.stmts[item.stmt] {
                Stmt::Instruction { cpu, .. } => {
                    let bytes = item.offset as usize..item.offset as usize + item.len as usize;
                    Kept::decoded(cpu, listed.block.bytes.get(bytes).unwrap_or_default())
                }
                _ => Kept::DATA,
            };
            let traits = kept.traits;
            met = met.and(traits);
            if traits.has(Traits::MARKED) {
                self.marked.push(self.kept.len() as u32);
            }
            if traits.has(Traits::NAMES) {
                self.named.insert_near(kept.operand);
                if traits.has(Traits::WRITES) {
                    self.writes.insert_near(kept.operand);
                    if kept.traits.has(Traits::INDEXED) {
                        self.indexed.push(kept.operand);
                    }
                }
            } else if traits.has(Traits::BRANCHES) {
                let entry = Entry { item, address, block: listed.number, kept };
                entry.branch_target().into_iter().for_each(|target| self.named.insert(target));
            }
            kept.traits = traits.and_if(Traits::FOLLOWS, end == address);
            end = next;
            self.kept.push(kept);
        }
        self.uses_stack |= met.has(Traits::USES_STACK);
        self.has_sed |= met.has(Traits::SETS_DECIMAL);
        self.blocks.push(listed);
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// The traits that the checks ask for first about an entry.
    #[inline]
    pub fn traits(&self, index: usize) -> Traits {
        self.kept[index].traits
    }

    /// The instruction of an entry with its operand; `None` for data.
    #[inline]
    pub fn code(&self, index: usize) -> Option<(&'static Instruction, u16)> {
        self.kept[index].code()
    }

    #[inline]
    pub fn get(&self, index: usize) -> Option<Entry<'a>> {
        let kept = *self.kept.get(index)?;
        let after = self.blocks.partition_point(|listed| listed.first <= index);
        let listed = &self.blocks[after - 1];
        let item = &listed.block.items[index - listed.first];
        Some(Entry { item, address: listed.address(item.offset), block: listed.number, kept })
    }

    #[inline]
    pub fn entry(&self, index: usize) -> Entry<'a> {
        self.get(index).expect("the index of an entry")
    }

    /// All entries, in the order of the blocks and of the bytes in each.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'a>> {
        self.blocks.iter().flat_map(|listed| self.of_block(listed))
    }

    fn of_block<'l>(&'l self, listed: &'l Listed<'a>) -> impl Iterator<Item = Entry<'a>> + use<'a, 'l> {
        let kept = &self.kept[listed.first..listed.first + listed.block.items.len()];
        listed.block.items.iter().zip(kept).map(|(item, &kept)| Entry {
            item,
            address: listed.address(item.offset),
            block: listed.number,
            kept,
        })
    }

    /// Whether anything may write to code or data of the program.
    pub fn may_modify(&self) -> bool {
        let is_same = |(pages, writes): (&u64, &u64)| pages & writes != 0;
        !self.writes.beyond.is_empty() || self.pages.iter().zip(&self.writes.pages).any(is_same)
    }

    /// Whether a label, a branch or an operand names the address.
    #[inline]
    pub fn is_named(&self, address: i64) -> bool {
        self.named.has(address)
    }

    /// Whether something writes to an entry: where it runs, where it is in memory before it is moved there, or with an
    /// index from other code.
    pub fn is_modified(&self, index: usize) -> bool {
        let entry = self.entry(index);
        self.is_changed(&entry, i64::from(entry.len))
    }

    /// Whether something writes to one of the first bytes of an entry.
    pub fn is_changed(&self, entry: &Entry<'_>, len: i64) -> bool {
        if self.is_written(entry.address, len) {
            return true;
        }
        let listed = self.blocks.binary_search_by_key(&entry.block, |listed| listed.number);
        let stored =
            listed.map_or(entry.address, |listed| self.blocks[listed].start + i64::from(entry.offset));
        self.is_indexed(entry.address)
            || stored != entry.address && (self.is_indexed(stored) || self.is_written(stored, len))
    }

    /// The same for the opcode of an entry that runs at an address.
    #[inline]
    pub fn is_opcode_changed(&self, index: usize, address: u16) -> bool {
        self.is_written(i64::from(address), 1)
            || self.may_be_moved() && self.is_changed(&self.entry(index), 1)
    }

    /// Whether code runs elsewhere than it is stored, or writes with an index reach some.
    #[inline]
    fn may_be_moved(&self) -> bool {
        *self.may_be_moved.get_or_init(|| {
            !self.indexed_code().is_empty() || self.blocks.iter().any(|listed| !listed.block.moved.is_empty())
        })
    }

    /// The bytes of an instruction.
    #[inline]
    pub fn size(&self, index: usize) -> u32 {
        let kept = self.kept[index];
        match kept.cpu.has_wide_operands() {
            true => self.entry(index).len,
            false => kept.cpu.decode(kept.opcode).len() as u32,
        }
    }

    /// Where a branch goes that ends before an address.
    #[inline]
    pub fn branch_target(&self, index: usize, next: u16) -> Option<u16> {
        let kept = self.kept[index];
        if !kept.traits.has(Traits::BRANCHES) {
            return None;
        }
        let distance = if self.size(index) > 2 { kept.operand >> 8 } else { kept.operand };
        Some(next.wrapping_add(i16::from(distance as u8 as i8).cast_unsigned()))
    }

    /// Whether a write with an index from an address in code may reach an address.
    fn is_indexed(&self, address: i64) -> bool {
        let bases = self.indexed_code();
        let after = bases.partition_point(|&base| base <= address);
        after.checked_sub(1).is_some_and(|last| address - bases[last] < 0x100)
    }

    fn indexed_code(&self) -> &[i64] {
        self.indexed_code.get_or_init(|| {
            let mut bases: Vec<i64> = self.indexed.iter().map(|&base| i64::from(base)).collect();
            bases.sort_unstable();
            bases.dedup();
            if !bases.is_empty() {
                let mut is_code = vec![false; 0x10000];
                for (listed, entry) in self
                    .blocks
                    .iter()
                    .flat_map(|listed| self.of_block(listed).map(move |entry| (listed, entry)))
                {
                    if !entry.traits().has(Traits::CODE) {
                        continue;
                    }
                    let stored = listed.start + i64::from(entry.offset);
                    for byte in 0..i64::from(entry.len) {
                        for address in [entry.address + byte, stored + byte] {
                            let place = usize::try_from(address).ok().and_then(|at| is_code.get_mut(at));
                            if let Some(place) = place {
                                *place = true;
                            }
                        }
                    }
                }
                bases.retain(|&base| is_code[base as usize]);
            }
            bases
        })
    }

    /// Where calls and jumps lead that is not an instruction of the program, without those through a vector.
    pub fn unknown_targets(&self) -> Vec<u16> {
        let mut targets: Vec<u16> = (0..self.len())
            .filter(|&index| self.traits(index).has(Traits::FLOW))
            .filter_map(|index| self.code(index))
            .filter(|(row, _)| {
                matches!(row.mnemonic, Mnemonic::Jsr | Mnemonic::Jmp) && row.mode == Mode::Absolute
            })
            .map(|(_, operand)| operand)
            .collect();
        targets.sort_unstable();
        targets.dedup();
        let known: HashSet<i64> = self
            .entries()
            .filter(|entry| entry.traits().has(Traits::CODE))
            .map(|entry| entry.address)
            .filter(|&address| {
                u16::try_from(address).is_ok_and(|address| targets.binary_search(&address).is_ok())
            })
            .collect();
        targets.retain(|&target| !known.contains(&i64::from(target)));
        targets
    }

    /// Whether a jump goes through a vector.
    pub fn has_indirect_jump(&self) -> bool {
        let is_indirect =
            |(row, _): (&Instruction, u16)| row.mnemonic == Mnemonic::Jmp && row.mode != Mode::Absolute;
        (0..self.len()).filter_map(|index| self.code(index)).any(is_indirect)
    }

    /// Whether an address is one of a byte of the program.
    pub fn is_own(&self, address: u16) -> bool {
        let own = self.own.get_or_init(|| {
            let mut own = vec![false; 0x10000];
            let mut note = |start: i64, len: usize| {
                let range = start.clamp(0, 0x10000) as usize..(start + len as i64).clamp(0, 0x10000) as usize;
                own[range].fill(true);
            };
            for listed in &self.blocks {
                note(listed.start, listed.block.bytes.len());
                for moved in &listed.block.moved {
                    note(moved.address, (moved.end - moved.start) as usize);
                }
            }
            own
        });
        own[usize::from(address)]
    }

    /// Whether something writes to one of a few addresses.
    #[inline]
    pub fn is_written(&self, start: i64, len: i64) -> bool {
        self.writes.may_have(start, len) && (start..start + len).any(|address| self.writes.has(address))
    }
}

/// Notes the pages of bytes.
fn note_pages(pages: &mut [u64; 4], start: i64, len: usize) {
    let noted = start >> 8..=(start + len as i64) >> 8;
    for page in noted.filter(|page| (0..256).contains(page)) {
        pages[(page >> 6) as usize] |= 1 << (page & 63);
    }
}
