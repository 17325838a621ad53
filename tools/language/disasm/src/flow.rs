//! Which bytes are code: all that execution reaches from the entries, as far as the bytes tell.
//! Knows nothing of names and text.

use tempo_emu::Disassembly;
use tempo_emu::hardware::{Hardware, Part};
use tempo_isa::{Mnemonic, Mode, Parts};

use crate::Image;

/// The kind of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Data,
    /// The first byte of an instruction.
    Start,
    /// Another byte of an instruction.
    Inside,
}

/// Why execution comes to an address: the name that it gets says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Branch,
    Call,
    Vector,
    Entry,
}

/// Which half of an address an immediate operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    Low,
    High,
}

/// The code, and the way it was found.
pub struct Flow {
    kinds: Vec<Kind>,
    /// Where execution comes to, sorted by address; the strongest reason counts.
    pub targets: Vec<(u16, Reason)>,
    /// Immediate operands that are halves of a handler's address: index of the instruction, half, address.
    pub halves: Vec<(usize, Half, u16)>,
}

impl Flow {
    /// Follows the program from `entries`; without any, from its `SYS` or its first byte.
    pub fn follow(image: &Image<'_>, entries: &[u16]) -> Flow {
        let mut flow =
            Flow { kinds: vec![Kind::Data; image.bytes.len()], targets: Vec::new(), halves: Vec::new() };
        let own = [image.sys().unwrap_or(image.addr)];
        let entries = if entries.is_empty() { &own[..] } else { entries };
        let mut open: Vec<u16> = Vec::new();
        for &entry in entries {
            flow.targets.push((entry, Reason::Entry));
            open.push(entry);
        }
        while let Some(addr) = open.pop() {
            flow.run(image, addr, &mut open);
        }
        flow.targets.sort();
        flow.targets.reverse();
        flow.targets.dedup_by_key(|&mut (addr, _)| addr);
        flow.targets.reverse();
        flow
    }

    /// The kind of the byte at an index.
    pub fn kind(&self, index: usize) -> Kind {
        self.kinds[index]
    }

    /// One straight run, until it ends or meets what is known.
    fn run(&mut self, image: &Image<'_>, from: u16, open: &mut Vec<u16>) {
        let mut known = Known::new(image.hardware);
        let mut at = from;
        while let Some(index) = image.index(at) {
            let Some(found) = image.instruction(index).filter(|found| self.fits(image, index, found)) else {
                return;
            };
            self.kinds[index] = Kind::Start;
            self.kinds[index + 1..index + found.row.len()].fill(Kind::Inside);
            if let Some((handler, halves)) = known.step(index, &found)
                && image.index(handler).is_some()
            {
                self.halves.extend(halves.map(|(index, half)| (index, half, handler)));
                self.targets.push((handler, Reason::Vector));
                open.push(handler);
            }
            if let Some((target, reason)) = continuation(image, &found) {
                self.targets.push((target, reason));
                open.push(target);
            }
            if is_end(&found) || found.next() < at {
                return;
            }
            at = found.next();
        }
    }

    /// Whether an instruction may begin there: `brk` and `jam` are taken for data, and so is what the CPU does not
    /// have. Known code is not cut.
    fn fits(&self, image: &Image<'_>, index: usize, found: &Disassembly) -> bool {
        image.cpu.find(found.row.mnemonic, found.row.mode).is_some()
            && !wraps(found)
            && !matches!(found.row.mnemonic, Mnemonic::Brk | Mnemonic::Jam)
            && self.kinds[index..index + found.row.len()].iter().all(|&kind| kind == Kind::Data)
    }
}

/// Whether a branch goes around the end of memory, which no assembler writes.
fn wraps(found: &Disassembly) -> bool {
    let most = match found.row.mode {
        Mode::Relative | Mode::ZeroPageRelative => 0x100,
        Mode::RelativeWord => 0x8000,
        _ => return false,
    };
    found.target().is_some_and(|target| target.abs_diff(found.addr) > most)
}

/// Where execution goes on besides the next instruction.
fn continuation(image: &Image<'_>, found: &Disassembly) -> Option<(u16, Reason)> {
    let target = found.target()?;
    match (found.row.mnemonic, found.row.mode) {
        // The address of a pointer is data.
        (Mnemonic::Jsr, Mode::Indirect | Mode::AbsoluteIndirectX) => None,
        (Mnemonic::Jsr | Mnemonic::Bsr | Mnemonic::Lbsr, _) => Some((target, Reason::Call)),
        (Mnemonic::Jmp, Mode::Absolute) => Some((target, Reason::Branch)),
        // The pointer as it is loaded; a program may change it later.
        (Mnemonic::Jmp, Mode::Indirect) => {
            let low = image.bytes[image.index(target)?];
            let high = image.bytes[image.index(target.checked_add(1)?)?];
            let target = u16::from_le_bytes([low, high]);
            image.index(target).map(|_| (target, Reason::Branch))
        }
        (_, Mode::Relative | Mode::ZeroPageRelative | Mode::RelativeWord) => Some((target, Reason::Branch)),
        _ => None,
    }
}

/// Whether the next instruction is not reached from this one.
pub fn is_end(found: &Disassembly) -> bool {
    use tempo_isa::Flow::{Jump, Return, Stop};
    matches!(found.row.effects.flow, Jump | Return | Stop)
}

/// An immediate operand: its value, and the index of its instruction.
type Constant = Option<(u8, usize)>;

/// The handler of a vector that has both halves, with the two instructions that loaded them.
type Handler = Option<(u16, [(usize, Half); 2])>;

/// Registers and vectors with constants in them, within one straight run.
struct Known {
    hardware: &'static Hardware,
    a: Constant,
    x: Constant,
    y: Constant,
    /// Address of the vector, its low and high byte.
    vectors: Vec<(u16, [Constant; 2])>,
}

impl Known {
    fn new(hardware: &'static Hardware) -> Known {
        Known { hardware, a: None, x: None, y: None, vectors: Vec::new() }
    }

    /// Goes over an instruction; gives the handler that a store made known.
    fn step(&mut self, index: usize, found: &Disassembly) -> Handler {
        let immediate = (found.row.mode == Mode::Immediate).then_some((found.bytes[1], index));
        match found.row.mnemonic {
            Mnemonic::Lda => self.a = immediate,
            Mnemonic::Ldx => self.x = immediate,
            Mnemonic::Ldy => self.y = immediate,
            Mnemonic::Tax => self.x = self.a,
            Mnemonic::Tay => self.y = self.a,
            Mnemonic::Txa => self.a = self.x,
            Mnemonic::Tya => self.a = self.y,
            Mnemonic::Sta => return self.store(self.a, found),
            Mnemonic::Stx => return self.store(self.x, found),
            Mnemonic::Sty => return self.store(self.y, found),
            _ => {
                let effects = &found.row.effects;
                let goes_on = matches!(effects.flow, tempo_isa::Flow::Next | tempo_isa::Flow::Branch);
                for (register, part) in
                    [(&mut self.a, Parts::A), (&mut self.x, Parts::X), (&mut self.y, Parts::Y)]
                {
                    if !goes_on || effects.writes.meets(part) {
                        *register = None;
                    }
                }
            }
        }
        None
    }

    fn store(&mut self, value: Constant, found: &Disassembly) -> Handler {
        if found.row.mode != Mode::Absolute {
            return None;
        }
        let target = found.target()?;
        let vector = self.hardware.at(target).filter(|place| place.part == Part::Vector)?;
        let slot = match self.vectors.iter().position(|&(addr, _)| addr == vector.addr) {
            Some(slot) => slot,
            None => {
                self.vectors.push((vector.addr, [None; 2]));
                self.vectors.len() - 1
            }
        };
        let halves = &mut self.vectors[slot].1;
        halves[usize::from(target - vector.addr)] = value;
        let [(low, low_at), (high, high_at)] = [halves[0]?, halves[1]?];
        Some((u16::from_le_bytes([low, high]), [(low_at, Half::Low), (high_at, Half::High)]))
    }
}
