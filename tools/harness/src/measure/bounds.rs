//! What routines cost without running them, as far as the instructions alone tell.

use std::collections::BTreeSet;

use assembler::cycles::{Code, Run};
use isa::Mnemonic;
use serde::Serialize;

use super::{At, loaded};
use crate::plan::Surroundings;

/// A routine and its cycles, from its first instruction to the last of its `rts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// Every routine that the program calls with `jsr`, by address.
pub fn bounds(place: &Surroundings, cpu: isa::Cpu) -> Vec<Bound> {
    let mut code = Code::new(cpu);
    let mut called = BTreeSet::new();
    for (address, statement) in place.lines.statements() {
        let bytes: Vec<u8> = (0..statement.len)
            .map_while(|offset| address.checked_add(offset).and_then(|at| loaded(place, at)))
            .collect();
        if !statement.is_code {
            code.add_data(address, &bytes);
            continue;
        }
        code.add(address, &bytes);
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
    let bound = |start: u16| {
        let name = place.names.describe(start).unwrap_or_else(|| format!("${start:04X}"));
        let cost = code.cost(Run::Routine { start });
        let unknown = cost.as_ref().err().map(|unknown| {
            let at = at(unknown.address);
            match at.line {
                0 => format!("${:04X}: {}", at.address, unknown.reason),
                line => format!("{}:{line}: {}", at.file, unknown.reason),
            }
        });
        let cost = cost.ok();
        let (min, max) = (cost.as_ref().map(|cost| cost.min), cost.map(|cost| cost.max));
        Bound { name, at: at(start), min, max, unknown }
    };
    // A routine of the ROM is no routine of the program.
    called.into_iter().filter(|&start| loaded(place, start).is_some()).map(bound).collect()
}
