//! Shorter code in a whole program: short runs of instructions for which less code leaves the same in everything that is read
//! afterwards. Liveness is worked out here; `shorter` looks for the code and proves it.
//!
//! Only what can be seen is changed: a run has no label inside, uses memory by its address alone, and touches neither the
//! stack page nor chips.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;
use tempo_isa::{Class, Cpu, Effects, Flow, Instruction, Mnemonic, Mode, Parts, Stability};

use crate::claim::Register;
use crate::known::Known;
use crate::limits::Limits;
use crate::shorter::{Cost, Goal, Subject, differing, search};
use crate::summary::Summary;

/// A program: its instructions, and what is known of it.
pub struct Listing<'a> {
    /// Addresses and bytes.
    pub instructions: Vec<(u16, &'a [u8])>,
    /// Addresses that a label or an operand names.
    pub named: HashSet<u16>,
    /// Instructions whose cycles a contract counts.
    pub frozen: HashSet<u16>,
    /// Undocumented opcodes that are stable may be used.
    pub undocumented: bool,
}

/// Code that can be shorter or faster.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The first instruction.
    pub at: u16,
    /// How many instructions are replaced.
    pub count: usize,
    /// The bytes in their place.
    pub code: Vec<u8>,
    pub before: Cost,
    pub after: Cost,
    /// Registers and flags that differ afterwards; nothing reads them.
    pub dead: Vec<Register>,
    /// Whether D must be clear.
    pub needs_binary: bool,
    /// How it was proved.
    pub proof: String,
}

impl Suggestion {
    /// The instructions in their place.
    pub fn instructions(&self) -> usize {
        let (mut count, mut at) = (0, 0);
        while at < self.code.len() {
            at += Cpu::Mos6502.decode(self.code[at]).len();
            count += 1;
        }
        count
    }

    /// `these 4 instructions can be 1: saves 5 bytes, 5 cycles; A, V and C are dead here`
    pub fn said(&self) -> String {
        let after = self.instructions();
        let these = match self.count {
            1 => "this instruction".to_string(),
            count => format!("these {count} instructions"),
        };
        let what = match after {
            0 => "can go".to_string(),
            after => format!("can be {after}"),
        };
        let plural = |count: u64, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let mut saves = Vec::new();
        if self.after.bytes < self.before.bytes {
            saves.push(plural((self.before.bytes - self.after.bytes).into(), "byte"));
        }
        if self.after.cycles < self.before.cycles {
            saves.push(plural(self.before.cycles - self.after.cycles, "cycle"));
        }
        let mut said = format!("{these} {what}: saves {}", saves.join(", "));
        let names: Vec<&str> = self.dead.iter().map(|register| register.name()).collect();
        match &names[..] {
            [] => {}
            [one] => said += &format!("; {one} is dead here"),
            [all @ .., last] => said += &format!("; {} and {last} are dead here", all.join(", ")),
        }
        said
    }
}

/// The most instructions of a run.
const LONGEST: usize = 4;
/// The most instructions of what replaces it.
const REPLACEMENT: usize = 2;
/// Instructions that a search for one run tries.
const WORK: u64 = 3_000_000;
/// Registers and flags that may be dead.
const PARTS: [(Parts, Register); 7] = [
    (Parts::A, Register::A),
    (Parts::X, Register::X),
    (Parts::Y, Register::Y),
    (Parts::N, Register::N),
    (Parts::V, Register::V),
    (Parts::Z, Register::Z),
    (Parts::C, Register::C),
];

/// Looks for shorter code. `progress` is told the runs that are looked at.
pub fn optimise(listing: &Listing<'_>, progress: &(dyn Fn(usize) + Sync)) -> Vec<Suggestion> {
    let program = Flowing::of(listing);
    let mut runs: Vec<Run> = Vec::new();
    for first in 0..program.steps.len() {
        for count in 1..=LONGEST {
            let Some(run) = program.run(listing, first, count) else { break };
            runs.push(run);
        }
    }
    let keys: HashSet<&Key> = runs.iter().map(|run| &run.key).collect();
    let mut keys: Vec<&Key> = keys.into_iter().collect();
    keys.sort_unstable();
    let found: HashMap<&Key, Option<Found>> = keys
        .par_iter()
        .map(|key| {
            progress(1);
            (*key, key.search())
        })
        .collect();
    // From the top, the run that saves most; runs do not overlap.
    let mut chosen: Vec<Suggestion> = Vec::new();
    let mut next = 0;
    let mut at = 0;
    while at < runs.len() {
        let first = runs[at].first;
        let same = runs[at..].iter().take_while(|run| run.first == first).count();
        let best = runs[at..at + same]
            .iter()
            .filter(|_| first >= next)
            .filter_map(|run| Some((run, found[&run.key].as_ref()?)))
            .max_by_key(|(run, found)| {
                let bytes = found.before.bytes - found.after.bytes;
                (bytes, found.before.cycles - found.after.cycles, std::cmp::Reverse(run.count))
            });
        if let Some((run, found)) = best {
            next = first + run.count;
            chosen.push(run.suggestion(found));
        }
        at += same;
    }
    chosen
}

/// The instructions by their addresses, and what is live before each.
struct Flowing {
    steps: Vec<Step>,
    /// Addresses that instructions write to.
    stored: HashSet<u16>,
    has_sed: bool,
    reads_stack: bool,
}

struct Step {
    at: u16,
    len: usize,
    row: &'static Instruction,
    operand: u16,
    live_before: Parts,
    live_after: Parts,
}

impl Flowing {
    fn of(listing: &Listing<'_>) -> Flowing {
        let mut steps: BTreeMap<u16, Option<Step>> = BTreeMap::new();
        for &(at, bytes) in &listing.instructions {
            let Some((&opcode, operands)) = bytes.split_first() else { continue };
            let row = Cpu::Mos6502.decode(opcode);
            let operand = operands.iter().rev().fold(0, |sum, &byte| sum << 8 | u16::from(byte));
            let step = Step {
                at,
                len: bytes.len(),
                row,
                operand,
                live_before: Parts::NONE,
                live_after: Parts::NONE,
            };
            // Two instructions at one address: nothing is known there.
            let is_whole = bytes.len() == row.len();
            steps.entry(at).and_modify(|step| *step = None).or_insert(Some(step).filter(|_| is_whole));
        }
        let steps: Vec<Step> = steps.into_values().flatten().collect();
        let stores = steps
            .iter()
            .filter(|step| matches!(step.row.class, Class::Write | Class::Modify) && step.len == 3);
        let stored = stores.map(|step| step.operand).collect();
        let is_used = |mnemonic: Mnemonic| steps.iter().any(|step| step.row.mnemonic == mnemonic);
        let (has_sed, reads_stack) = (
            is_used(Mnemonic::Sed) || is_used(Mnemonic::Plp) || is_used(Mnemonic::Rti),
            is_used(Mnemonic::Tsx),
        );
        let mut flowing = Flowing { steps, stored, has_sed, reads_stack };
        flowing.find_live(listing);
        flowing
    }

    /// Finds the parts that are live after each instruction: those that some way onwards reads before they are set. Nothing is known of what follows a
    /// return, so everything is live there.
    fn find_live(&mut self, listing: &Listing<'_>) {
        let at: HashMap<u16, usize> =
            self.steps.iter().enumerate().map(|(number, step)| (step.at, number)).collect();
        let follows: Vec<(Vec<usize>, bool)> = self
            .steps
            .iter()
            .map(|step| {
                let after = step.at.wrapping_add(step.len as u16);
                let branch = after.wrapping_add_signed(i16::from((step.operand as u8).cast_signed()));
                let is_written =
                    (1..step.len as u16).any(|offset| listing.named.contains(&step.at.wrapping_add(offset)));
                let targets: Option<Vec<u16>> = match step.row.effects.flow {
                    Flow::Next => Some(vec![after]),
                    _ if is_written => None,
                    Flow::Branch => Some(vec![after, branch]),
                    // What is live after the call and not set in the routine is live at its `rts`, like everything.
                    Flow::Call => Some(vec![step.operand]),
                    Flow::Jump if step.row.mode == Mode::Absolute => Some(vec![step.operand]),
                    _ => None,
                };
                let targets = targets.and_then(|all| {
                    all.iter().map(|target| at.get(target).copied()).collect::<Option<Vec<usize>>>()
                });
                match targets {
                    Some(targets) => (targets, true),
                    None => (Vec::new(), false),
                }
            })
            .collect();
        let all = PARTS.iter().fold(Parts::D, |all, (part, _)| all.and(*part));
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for number in (0..self.steps.len()).rev() {
                let (targets, is_known) = &follows[number];
                let live_after = match is_known {
                    true => targets
                        .iter()
                        .fold(Parts::NONE, |live, &target| live.and(self.steps[target].live_before)),
                    false => all,
                };
                let is_stored = self.stored.contains(&self.steps[number].at);
                let step = &mut self.steps[number];
                let Effects { reads, writes, .. } = step.row.effects;
                // Another instruction may be here when it is executed.
                let is_written = is_stored || step.row.effects.stability != Stability::Stable;
                let live_before = if is_written { all } else { live_after.without(writes).and(reads) };
                is_changed |= live_before != step.live_before || live_after != step.live_after;
                (step.live_before, step.live_after) = (live_before, live_after);
            }
        }
    }

    /// A run of instructions that may be replaced.
    fn run(&self, listing: &Listing<'_>, first: usize, count: usize) -> Option<Run> {
        let steps = self.steps.get(first..first + count)?;
        // Data before it may be the beginning of another instruction.
        let is_reached = |before: &Step| before.at.wrapping_add(before.len as u16) == steps[0].at;
        let comes_before = first.checked_sub(1).is_some_and(|before| is_reached(&self.steps[before]));
        if !comes_before && !listing.named.contains(&steps[0].at) {
            return None;
        }
        let mut key = Key {
            code: Vec::new(),
            live: Vec::new(),
            is_binary: !self.has_sed,
            undocumented: listing.undocumented,
        };
        let mut places: Vec<u16> = Vec::new();
        let mut expected = steps[0].at;
        for (number, step) in steps.iter().enumerate() {
            let mut inside =
                (u16::from(number == 0)..step.len as u16).map(|offset| step.at.wrapping_add(offset));
            let is_named = inside.any(|address| listing.named.contains(&address));
            let is_plain = matches!(
                step.row.class,
                Class::Read | Class::Write | Class::Modify | Class::Register | Class::Push | Class::Pull
            ) && !matches!(
                step.row.mnemonic,
                Mnemonic::Sei
                    | Mnemonic::Cli
                    | Mnemonic::Txs
                    | Mnemonic::Tsx
                    | Mnemonic::Nop
                    | Mnemonic::Las
                    | Mnemonic::Sed
                    | Mnemonic::Cld
            );
            let is_stack = matches!(step.row.class, Class::Push | Class::Pull);
            if is_named
                || step.at != expected
                || !is_plain
                || step.row.effects.stability != Stability::Stable
                || is_stack && self.reads_stack
                || listing.frozen.contains(&step.at)
                || self.stored.contains(&step.at)
            {
                return None;
            }
            expected = step.at.wrapping_add(step.len as u16);
            key.code.push(step.row.opcode);
            match step.row.mode {
                Mode::Implied => {}
                Mode::Immediate => key.code.push(step.operand as u8),
                Mode::ZeroPage | Mode::Absolute => {
                    let is_memory = match step.row.mode {
                        Mode::ZeroPage => step.operand > 1,
                        _ => step.operand >= 0x0200 && !(0xd000..0xe000).contains(&step.operand),
                    };
                    if !is_memory {
                        return None;
                    }
                    let place = places.iter().position(|&place| place == step.operand).unwrap_or_else(|| {
                        places.push(step.operand);
                        places.len() - 1
                    });
                    key.code.extend(&stand_in(place, step.row.mode)[..step.len - 1]);
                }
                _ => return None,
            }
        }
        let live = steps[count - 1].live_after;
        key.live =
            PARTS.iter().filter(|(part, _)| live.meets(*part)).map(|(_, register)| *register).collect();
        Some(Run { first, at: steps[0].at, count, places, key })
    }
}

/// The operand of a place in a key: the zero page or beyond.
fn stand_in(place: usize, mode: Mode) -> [u8; 2] {
    let low = 0x20 + place as u8;
    if mode == Mode::ZeroPage { [low, 0] } else { [low, 0x20] }
}

/// A run with other addresses in place of its own, so that equal ones are looked at once.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    code: Vec<u8>,
    live: Vec<Register>,
    is_binary: bool,
    undocumented: bool,
}

struct Run {
    first: usize,
    at: u16,
    count: usize,
    places: Vec<u16>,
    key: Key,
}

struct Found {
    code: Vec<u8>,
    before: Cost,
    after: Cost,
    dead: Vec<Register>,
    needs_binary: bool,
    proof: String,
}

/// Where runs are proved.
const HERE: u16 = 0x1000;

impl Key {
    fn subject(&self, is_binary: bool) -> Subject {
        let mut known = Known::default();
        for (address, &byte) in (HERE..).zip(self.code.iter().chain(&[tempo_isa::opcodes::RTS])) {
            known.insert(address, byte);
        }
        for address in [0x01fc, 0x01fd] {
            known.insert(address, 0xff);
        }
        let mut live_bytes: Vec<u16> = Vec::new();
        let mut at = 0;
        while at < self.code.len() {
            let row = Cpu::Mos6502.decode(self.code[at]);
            let place = match row.mode {
                Mode::ZeroPage => Some(u16::from(self.code[at + 1])),
                Mode::Absolute => Some(u16::from_le_bytes([self.code[at + 1], self.code[at + 2]])),
                _ => None,
            };
            live_bytes.extend(place.filter(|place| !live_bytes.contains(place)));
            at += row.len();
        }
        Subject {
            known,
            at: HERE,
            len: self.code.len() as u16,
            live: self.live.clone(),
            live_bytes,
            given: if is_binary { vec![(Register::D, 0)] } else { Vec::new() },
            undocumented: self.undocumented,
            goal: Goal::Bytes,
            longest: REPLACEMENT,
            work: WORK,
            limits: Limits { exhaust: 100_000_000, conflicts: 20_000, ..Limits::default() },
        }
    }

    fn search(&self) -> Option<Found> {
        let sums =
            [Mnemonic::Adc, Mnemonic::Sbc, Mnemonic::Sbc2, Mnemonic::Arr, Mnemonic::Isc, Mnemonic::Rra];
        let mut at = 0;
        let mut counts = false;
        while at < self.code.len() {
            let row = Cpu::Mos6502.decode(self.code[at]);
            counts |= sums.contains(&row.mnemonic);
            at += row.len();
        }
        // D matters to sums alone.
        let needs_binary = counts && self.is_binary;
        let subject = self.subject(self.is_binary);
        let best = search(&subject, &mut |_, _| {});
        let (before, best) = (best.before, best.best?);
        let dead = differing(&subject, &best.code);
        let proof = Summary::of(&best.proof, &[]).said();
        Some(Found { code: best.code, before, after: best.cost, dead, needs_binary, proof })
    }
}

impl Run {
    /// With the run's own addresses.
    fn suggestion(&self, found: &Found) -> Suggestion {
        let mut code = found.code.clone();
        let mut at = 0;
        while at < code.len() {
            let row = Cpu::Mos6502.decode(code[at]);
            if matches!(row.mode, Mode::ZeroPage | Mode::Absolute) {
                let [lo, hi] = self.places[usize::from(code[at + 1] - 0x20)].to_le_bytes();
                code[at + 1] = lo;
                if row.mode == Mode::Absolute {
                    code[at + 2] = hi;
                }
            }
            at += row.len();
        }
        Suggestion {
            at: self.at,
            count: self.count,
            code,
            before: found.before,
            after: found.after,
            dead: found.dead.clone(),
            needs_binary: found.needs_binary,
            proof: found.proof.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    /// The suggestions for code at $1000, with labels at some offsets.
    fn suggest(code: &[u8], named: &[u16]) -> Vec<(u16, usize, Vec<u8>, String)> {
        let mut instructions = Vec::new();
        let mut at = 0;
        while at < code.len() {
            let len = Cpu::Mos6502.decode(code[at]).len();
            instructions.push((0x1000 + at as u16, &code[at..at + len]));
            at += len;
        }
        let named = named.iter().map(|offset| 0x1000 + offset).collect();
        let listing = Listing { instructions, named, frozen: HashSet::new(), undocumented: false };
        let found = optimise(&listing, &|_| {});
        found.iter().map(|it| (it.at, it.count, it.code.clone(), it.said())).collect()
    }

    #[test]
    fn dead_results_make_code_shorter() {
        // lda $40; clc; adc #1; sta $40; lda #0; clc; clv; rts
        let found = suggest(&[0xa5, 0x40, 0x18, 0x69, 0x01, 0x85, 0x40, 0xa9, 0, 0x18, 0xb8, 0x60], &[0]);
        let said = "these 4 instructions can be 1: saves 5 bytes, 5 cycles; A, V and C are dead here";
        assert_eq!(found, [(0x1000, 4, vec![0xe6, 0x40], said.to_string())]);
        // ldx $1234; inx; stx $1234; ldx #0; rts
        let found = suggest(&[0xae, 0x34, 0x12, 0xe8, 0x8e, 0x34, 0x12, 0xa2, 0, 0x60], &[0]);
        assert_eq!(found[0].2, [0xee, 0x34, 0x12]);
    }

    #[test]
    fn nothing_is_offered_while_a_result_is_live() {
        let nothing = |code: &[u8], named: &[u16]| {
            let found = suggest(code, named);
            assert!(found.is_empty(), "{code:02x?}: {found:?}");
        };
        // lda $40; clc; adc #1; sta $40; rts: the caller may read A, V and C.
        nothing(&[0xa5, 0x40, 0x18, 0x69, 0x01, 0x85, 0x40, 0x60], &[0]);
        // The same before a branch, one way of which reads A.
        nothing(&[0xa5, 0x40, 0x18, 0x69, 0x01, 0x85, 0x40, 0xb0, 4, 0xa9, 0, 0x18, 0xb8, 0x60], &[0, 13]);
        let dead = [0xa5, 0x40, 0x18, 0x69, 0x01, 0x85, 0x40, 0xa9, 0, 0x18, 0xb8, 0x60, 0x60, 0x60];
        // Labels in the middle.
        nothing(&dead, &[0, 2, 3, 5]);
        // With sed somewhere, D may be set.
        let mut decimal = dead;
        decimal[12] = 0xf8;
        nothing(&decimal, &[0, 12]);
    }

    #[test]
    fn calls_and_jumps_are_followed() {
        // lda $40; cmp #0; jsr +; rts; +: clc; rts
        let found = suggest(&[0xa5, 0x40, 0xc9, 0, 0x20, 0x08, 0x10, 0x60, 0x18, 0x60], &[0, 8]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].1, &found[0].2[..]), (2, &[0xa5, 0x40][..]));
        // The routine is elsewhere: it may read C, which is set in another way.
        let found = suggest(&[0xa5, 0x40, 0xc9, 0, 0x20, 0x00, 0x20, 0x60], &[0]);
        assert_eq!((found[0].1, &found[0].2[..]), (2, &[0x38, 0xa5, 0x40][..]));
    }

    #[test]
    fn code_that_is_written_to_stays() {
        // lda $40; cmp #0; clc; rts, whose first opcode another routine stores.
        let mut code = vec![0xa5, 0x40, 0xc9, 0, 0x18, 0x60, 0x8d, 0x00, 0x10, 0x60];
        assert!(suggest(&code, &[0, 6]).iter().all(|(at, ..)| *at != 0x1000));
        code[7] = 0x80;
        assert_eq!(suggest(&code, &[0, 6])[0].2, [0xa5, 0x40]);
    }
}
