//! Static cycles of routines, as far as the instructions alone tell.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tempo_assembler::cycles::{Code, Run};
use tempo_diagnostics::hex_address;
use tempo_isa::{Mnemonic, Mode, Parts};

use super::{At, Change, loaded};
use crate::plan::Surroundings;

/// A routine and its cycles, from its first instruction to the last of its `rts`; or a handler, to the last of its `rti`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bound {
    /// The label.
    pub name: String,
    /// Where it begins.
    #[serde(flatten)]
    pub at: At,
    /// The fewest cycles, if they are known.
    pub min: Option<u64>,
    /// The most cycles, if they are known.
    pub max: Option<u64>,
    /// Why they are not, and where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// `irq`, `nmi` or `reset`, if the program puts its address into a vector. The interrupt sequence, 7 cycles, is counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handler: Option<String>,
}

/// Cycles of the sequence before a handler's first instruction.
const SEQUENCE: u64 = 7;

/// Every routine that the program calls with `jsr`, and every interrupt handler whose address it stores in a vector, by
/// address.
pub fn bounds(place: &Surroundings, cpu: tempo_isa::Cpu) -> Vec<Bound> {
    let mut code = Code::new(cpu);
    let mut called = BTreeSet::new();
    let mut vectors = Vectors::default();
    for (address, statement) in place.lines.statements() {
        let bytes: Vec<u8> = (0..statement.len)
            .map_while(|offset| address.checked_add(offset).and_then(|at| loaded(place, at)))
            .collect();
        if !statement.is_code {
            code.add_data(address, &bytes);
            continue;
        }
        code.add(address, &bytes);
        vectors.execute(cpu, &bytes);
        if let [opcode, low, high] = bytes[..]
            && cpu.decode(opcode).mnemonic == Mnemonic::Jsr
        {
            called.insert(u16::from_le_bytes([low, high]));
        }
    }
    let at = |address: u16| {
        let found = place.lines.find(address);
        let file = found.and_then(|found| place.lines.path(found)).unwrap_or_default().to_string();
        At { file, line: found.map_or(0, |found| found.line), address }
    };
    let is_code = |at: u16| place.lines.statements().any(|(start, found)| start == at && found.is_code);
    let handlers = vectors.handlers(|at| loaded(place, at));
    let bound = |start: u16| {
        let handler = handlers.iter().find(|(entry, _)| *entry == start).map(|(_, word)| word.to_string());
        let name = place.names.describe(start).unwrap_or_else(|| hex_address(start));
        let run = if handler.is_some() { Run::Handler { start } } else { Run::Routine { start } };
        let cost = code.cost(run).map(|mut cost| {
            let sequence = if handler.is_some() { SEQUENCE } else { 0 };
            (cost.min, cost.max) = (cost.min + sequence, cost.max + sequence);
            cost
        });
        let unknown = cost.as_ref().err().map(|unknown| {
            let at = at(unknown.address);
            match at.line {
                0 => format!("${:04X}: {}", at.address, unknown.reason),
                line => format!("{}:{line}: {}", at.file, unknown.reason),
            }
        });
        let cost = cost.ok();
        let (min, max) = (cost.as_ref().map(|cost| cost.min), cost.map(|cost| cost.max));
        Bound { name, at: at(start), min, max, unknown, handler }
    };
    // A routine of the ROM is not a routine of the program.
    called.extend(handlers.iter().map(|(entry, _)| *entry).filter(|&entry| is_code(entry)));
    called.into_iter().filter(|&start| loaded(place, start).is_some()).map(bound).collect()
}

/// The addresses that the code stores in the interrupt vectors, as far as the bytes are constants.
#[derive(Debug, Default)]
struct Vectors {
    /// The contents of A, X and Y.
    registers: [Option<u8>; 3],
    /// The bytes that were stored last, by vector.
    stored: [[Option<u8>; 2]; VECTORS.len()],
    /// The halves that were stored since the last whole address.
    fresh: [[bool; 2]; VECTORS.len()],
    /// Vectors and what was stored in them.
    found: Vec<(usize, u16)>,
}

/// Where the addresses of handlers are: the KERNAL's vectors in RAM and those of the CPU.
const VECTORS: [(u16, &str); 5] =
    [(0x0314, "irq"), (0x0316, "brk"), (0x0318, "nmi"), (0xfffa, "nmi"), (0xfffe, "irq")];

impl Vectors {
    /// One instruction, in the order of the source.
    fn execute(&mut self, cpu: tempo_isa::Cpu, bytes: &[u8]) {
        let Some(&opcode) = bytes.first() else { return };
        let row = cpu.decode(opcode);
        let register = match row.mnemonic {
            Mnemonic::Lda | Mnemonic::Sta => 0,
            Mnemonic::Ldx | Mnemonic::Stx => 1,
            Mnemonic::Ldy | Mnemonic::Sty => 2,
            _ => {
                for (at, part) in [Parts::A, Parts::X, Parts::Y].into_iter().enumerate() {
                    if row.effects.writes.meets(part) {
                        self.registers[at] = None;
                    }
                }
                return;
            }
        };
        let operand = match *bytes {
            [_, low, high] => u16::from_le_bytes([low, high]),
            [_, low] => u16::from(low),
            _ => return,
        };
        if matches!(row.mnemonic, Mnemonic::Lda | Mnemonic::Ldx | Mnemonic::Ldy) {
            self.registers[register] = (row.mode == Mode::Immediate).then_some(operand as u8);
            return;
        }
        let vector = VECTORS.iter().position(|(at, _)| operand & !1 == *at);
        let Some(vector) = vector.filter(|_| row.mode == Mode::Absolute) else { return };
        let half = usize::from(operand & 1);
        if self.fresh[vector][half] {
            self.add(vector);
        }
        self.stored[vector][half] = self.registers[register];
        self.fresh[vector][half] = true;
        if self.fresh[vector] == [true; 2] {
            self.add(vector);
        }
    }

    /// A vector holds an address. Handlers within a page change the low byte alone; the high one is that of before.
    fn add(&mut self, vector: usize) {
        self.fresh[vector] = [false; 2];
        if let [Some(low), Some(high)] = self.stored[vector] {
            self.found.push((vector, u16::from_le_bytes([low, high])));
        }
    }

    /// Addresses with the words for their interrupts; `loaded` reads the program.
    fn handlers(mut self, loaded: impl Fn(u16) -> Option<u8>) -> Vec<(u16, &'static str)> {
        for (vector, (at, _)) in VECTORS.into_iter().enumerate() {
            if self.fresh[vector] != [false; 2] {
                self.add(vector);
            }
            if let (Some(low), Some(high)) = (loaded(at), loaded(at.wrapping_add(1))) {
                self.found.push((vector, u16::from_le_bytes([low, high])));
            }
        }
        self.found.sort_unstable();
        self.found.dedup();
        self.found.into_iter().map(|(vector, entry)| (entry, VECTORS[vector].1)).collect()
    }
}

/// The bounds of a routine before and now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoundDifference {
    /// The label.
    pub name: String,
    /// Whether the program called it before, and whether it does now.
    pub standing: Standing,
    /// The fewest cycles; `None` where they are not known.
    pub min: Change,
    /// The most.
    pub max: Change,
}

/// In which of two programs a routine is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// In both.
    Kept,
    /// Only in this one.
    New,
    /// Only in the earlier one.
    Gone,
}

impl BoundDifference {
    /// Whether both programs have it with the same bounds, or with none.
    pub fn is_same(&self) -> bool {
        let is_same = |change: &Change| change.before == change.now;
        self.standing == Standing::Kept && is_same(&self.min) && is_same(&self.max)
    }

    /// Whether its bounds were known and are so no more.
    pub fn is_lost(&self) -> bool {
        self.standing == Standing::Kept && self.max.before.is_some() && self.max.now.is_none()
    }
}

/// Every routine of either program, those of this one first.
pub fn bound_differences(before: &[Bound], now: &[Bound]) -> Vec<BoundDifference> {
    let difference = |name: &str, was: Option<&Bound>, is: Option<&Bound>| {
        let change = |figure: fn(&Bound) -> Option<u64>| Change {
            before: was.and_then(figure).map(|cycles| cycles as f64),
            now: is.and_then(figure).map(|cycles| cycles as f64),
        };
        let standing = match (was, is) {
            (Some(_), None) => Standing::Gone,
            (None, _) => Standing::New,
            _ => Standing::Kept,
        };
        let (min, max) = (change(|bound| bound.min), change(|bound| bound.max));
        BoundDifference { name: name.to_string(), standing, min, max }
    };
    let find = |all: &'_ [Bound], name: &str| all.iter().position(|bound| bound.name == name);
    let kept = now.iter().map(|is| {
        let was = find(before, &is.name).map(|at| &before[at]);
        difference(&is.name, was, Some(is))
    });
    let gone = before.iter().filter(|was| find(now, &was.name).is_none());
    kept.chain(gone.map(|was| difference(&was.name, Some(was), None))).collect()
}
