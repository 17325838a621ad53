//! What routines cost without running them, as far as the instructions alone tell.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tempo_assembler::cycles::{Code, Run};
use tempo_diagnostics::hex_address;
use tempo_isa::Mnemonic;

use super::{At, Change, loaded};
use crate::plan::Surroundings;

/// A routine and its cycles, from its first instruction to the last of its `rts`.
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
}

/// Every routine that the program calls with `jsr`, by address.
pub fn bounds(place: &Surroundings, cpu: tempo_isa::Cpu) -> Vec<Bound> {
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
        let name = place.names.describe(start).unwrap_or_else(|| hex_address(start));
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
