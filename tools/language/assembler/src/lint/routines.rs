//! Routines that are seen whole: every way from a `jsr` target to its `rts` is followed, and the stack and the decimal
//! flag must be what they were. Also tells which routines do not care where they were called from.

use std::collections::{HashMap, HashSet};

use tempo_isa::{Class, Mnemonic, Mode, Parts};

use super::Check;
use super::code::Traits;
use crate::codes::Code;
use crate::report::Report;
use crate::tree::StmtId;
use tempo_diagnostics::plural;

/// Steps in all, so that programs made for it take no longer than others.
const MAX_STEPS: u32 = 1 << 21;

/// No entry.
const NOTHING: u32 = 0;

/// The knowledge at an address of a routine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct State {
    /// Bytes pushed and not pulled since the start.
    depth: i32,
    /// The `sed` in force.
    decimal: Option<StmtId>,
}

/// The knowledge when an entry was looked at, and the routine.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    by: u32,
    count: u8,
    states: [State; MAX_STATES],
}

/// Ways that meet with different states: a branch past a `pla` makes two. More are loops that push.
const MAX_STATES: usize = 4;

impl Seen {
    /// Notes a state; false if it was there already.
    fn note(&mut self, by: u32, state: State) -> Result<bool, TooMany> {
        if self.by != by {
            (self.by, self.count) = (by, 0);
        }
        let count = usize::from(self.count);
        if self.states[..count].contains(&state) {
            return Ok(false);
        }
        *self.states.get_mut(count).ok_or(TooMany)? = state;
        self.count += 1;
        Ok(true)
    }
}

/// More states than [`MAX_STATES`].
struct TooMany;

/// The result of analysing a routine.
#[derive(Debug, Default)]
struct Routine {
    /// It cannot be followed, or does more to the stack than push and pull its own.
    is_odd: bool,
    calls: Vec<u16>,
    /// An `rts` with bytes left, or with too many pulled.
    unbalanced: Option<(StmtId, i32)>,
    /// A `sed` without `cld` before the `rts`.
    decimal: Option<(StmtId, StmtId)>,
    /// It adds or subtracts in decimal mode, and is more than a switch.
    calculates: bool,
    /// It pulls its return address: what it leaves may be for its caller.
    takes_return: bool,
}

impl Check<'_> {
    pub(super) fn routines(&mut self) {
        let listing = self.listing;
        if !listing.uses_stack && !listing.has_sed {
            return;
        }
        let (at, mut starts) = self.code_at();
        starts.sort_unstable();
        starts.dedup();
        let mut steps = 0;
        let mut seen = vec![Seen::default(); listing.len()];
        let mut routines = HashMap::new();
        for &start in starts.iter().filter(|&&start| at[usize::from(start)] != NOTHING) {
            let routine = self.follow(start, &at, &mut seen, &mut steps);
            if steps > MAX_STEPS {
                return;
            }
            routines.insert(start, routine);
        }
        let ended: HashSet<u16> = match routines.values().any(|routine| routine.decimal.is_some()) {
            true => self.calls_before_cld(),
            false => HashSet::new(),
        };
        for (start, routine) in &routines {
            // A routine that takes its return address apart changes the stack of its callers.
            let calls_odd =
                routine.calls.iter().any(|call| routines.get(call).is_some_and(|called| called.is_odd));
            let calls_odd = calls_odd || routine.takes_return;
            if let (Some((stmt, depth)), false) = (routine.unbalanced, calls_odd) {
                let span = self.tree.stmt_spans[stmt];
                let message = match depth > 0 {
                    true => format!("{} still on the stack at the end of the routine", plural(depth, "byte")),
                    false => {
                        format!("the routine pulled {} more than it pushed", plural(-depth, "byte"))
                    }
                };
                let report = Report::warning(Code::StackImbalance, span, message)
                    .with_label("takes its return address from there");
                self.reports.push(report);
            }
            let is_ended = !routine.calculates || ended.contains(start);
            if let (Some((sed, rts)), false) = (routine.decimal, calls_odd || is_ended) {
                let spans = &self.tree.stmt_spans;
                let message = "decimal mode is still on at the end of the routine";
                let report = Report::warning(Code::DecimalLeft, spans[sed], message)
                    .with_label_at(spans[rts], "returns in decimal mode")
                    .with_help("cld before it ends");
                self.reports.push(report);
            }
        }
    }

    /// The routines that some caller follows by a `cld`, which ends the mode for them.
    fn calls_before_cld(&self) -> HashSet<u16> {
        /// More instructions than a caller has between the calls and the `cld`.
        const FAR: usize = 64;
        let listing = self.listing;
        let is = |index: usize, mnemonic: Mnemonic| {
            listing.code(index).is_some_and(|(row, _)| row.mnemonic == mnemonic)
        };
        let mut ended = HashSet::new();
        for index in (0..listing.len()).filter(|&index| is(index, Mnemonic::Cld)) {
            let line = (index.saturating_sub(FAR)..index).rev().take_while(|&before| {
                listing.traits(before + 1).has(Traits::FOLLOWS) && !is(before, Mnemonic::Rts)
            });
            ended.extend(
                line.filter(|&before| is(before, Mnemonic::Jsr))
                    .filter_map(|before| listing.code(before))
                    .map(|(_, target)| target),
            );
        }
        ended
    }

    /// Whether an `rts` takes what was pushed right before it: nothing but loads and calculations are between.
    fn is_jump(&self, rts: usize) -> bool {
        let listing = self.listing;
        for before in (0..rts).rev() {
            let Some((row, _)) =
                listing.code(before).filter(|_| listing.traits(before + 1).has(Traits::FOLLOWS))
            else {
                return false;
            };
            match row.class {
                Class::Push => return true,
                Class::Flow | Class::Write | Class::Modify => return false,
                _ if row.mnemonic.condition().is_some() => return false,
                _ => {}
            }
        }
        false
    }

    /// The entry at each address, counted from 1; where there are several, none is known. And the targets of `jsr`.
    fn code_at(&self) -> (Vec<u32>, Vec<u16>) {
        let mut at = vec![NOTHING; 0x10000];
        let mut starts = Vec::new();
        // Blocks have their own loops in this form.
        self.listing.entries().enumerate().for_each(|(index, entry)| {
            let Some((row, operand)) = entry.code() else { return };
            if row.mnemonic == Mnemonic::Jsr {
                starts.push(operand);
            }
            if let Some(place) = usize::try_from(entry.address).ok().and_then(|address| at.get_mut(address)) {
                *place = if *place == NOTHING { index as u32 + 1 } else { NOTHING };
            }
        });
        (at, starts)
    }

    /// Those of some routines that neither read nor change their return address, with everything that they call and jump
    /// to: each is seen whole and touches the stack by pushes, pulls of what it pushed, and calls only.
    pub(super) fn keep_return_address(&self, starts: impl Iterator<Item = u16>) -> HashSet<u16> {
        let mut waiting: Vec<u16> = starts.collect();
        if waiting.is_empty() {
            return HashSet::new();
        }
        let (at, _) = self.code_at();
        let mut seen: HashSet<u16> = HashSet::new();
        let mut callers: HashMap<u16, Vec<u16>> = HashMap::new();
        let mut faulty = Vec::new();
        let mut steps = 0;
        while let Some(start) = waiting.pop() {
            if !seen.insert(start) {
                continue;
            }
            match self.calls_of_plain(start, &at, &mut steps) {
                None => faulty.push(start),
                Some(calls) => {
                    for call in calls {
                        callers.entry(call).or_default().push(start);
                        waiting.push(call);
                    }
                }
            }
        }
        while let Some(start) = faulty.pop() {
            if seen.remove(&start) {
                faulty.extend(callers.remove(&start).unwrap_or_default());
            }
        }
        seen
    }

    /// The calls of a routine, if the routine itself keeps its return address.
    fn calls_of_plain(&self, start: u16, at: &[u32], steps: &mut u32) -> Option<Vec<u16>> {
        let mut calls = Vec::new();
        let mut seen = HashSet::new();
        let mut waiting = vec![(start, 0_i32)];
        while let Some((address, mut depth)) = waiting.pop() {
            if !seen.insert((address, depth)) {
                continue;
            }
            *steps += 1;
            let index = at[usize::from(address)] as usize;
            let entry = self.listing.entry(index.checked_sub(1)?);
            let (row, operand) = entry.code()?;
            let is_flow = row.class == Class::Flow || entry.branch_target().is_some();
            let is_written =
                self.listing.is_written(entry.address, if is_flow { i64::from(entry.len) } else { 1 });
            // A loop that pushes has no end of depths.
            if *steps > MAX_STEPS || is_written || !(0..=0x40).contains(&depth) {
                return None;
            }
            // The stack can be read as memory, too.
            let reaches_stack = match row.mode {
                Mode::Absolute => (0x100..0x200).contains(&operand) && !is_flow,
                Mode::AbsoluteX | Mode::AbsoluteY => operand < 0x200,
                _ => false,
            };
            let uses_s = row.effects.reads.meets(Parts::S) || row.effects.writes.meets(Parts::S);
            match (row.class, row.mnemonic) {
                _ if reaches_stack => return None,
                (Class::Push, _) => depth += 1,
                (Class::Pull, _) if depth > 0 => depth -= 1,
                (_, Mnemonic::Jsr) => calls.push(operand),
                (_, Mnemonic::Rts) if depth == 0 => continue,
                (_, Mnemonic::Jmp) if row.mode == Mode::Absolute => {
                    waiting.push((operand, depth));
                    continue;
                }
                (_, Mnemonic::Jmp | Mnemonic::Rti | Mnemonic::Brk | Mnemonic::Jam) => return None,
                _ if uses_s => return None,
                _ => {}
            }
            if let Some(target) = entry.branch_target() {
                waiting.push((target as u16, depth));
                if row.mnemonic == Mnemonic::Bra {
                    continue;
                }
            }
            waiting.push((address.wrapping_add(entry.len as u16), depth));
        }
        Some(calls)
    }

    /// Follows every way through a routine.
    fn follow(&self, start: u16, at: &[u32], seen: &mut [Seen], steps: &mut u32) -> Routine {
        let mut routine = Routine::default();
        // No other routine has this number, since each begins with its own entry.
        let number = at[usize::from(start)];
        let mut waiting = vec![(start, State::default())];
        let odd = Routine { is_odd: true, ..Routine::default() };
        while let Some((address, mut state)) = waiting.pop() {
            *steps += 1;
            if *steps > MAX_STEPS {
                return odd;
            }
            // The entry itself is looked up only where its statement is needed: most programs have thousands of steps here.
            let Some(index) = (at[usize::from(address)] as usize).checked_sub(1) else { return odd };
            let Some((row, operand)) = self.listing.code(index) else { return odd };
            let stmt = || self.listing.entry(index).stmt;
            match seen[index].note(number, state) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(TooMany) => return odd,
            }
            // Where ways meet before a push or pull, a flag that was not looked at here may tell them apart again.
            if seen[index].count > 1 && matches!(row.class, Class::Push | Class::Pull) {
                return odd;
            }
            // An instruction that is written to may become another.
            if self.listing.is_opcode_changed(index, address) {
                return odd;
            }
            let next = address.wrapping_add(self.listing.size(index) as u16);
            match (row.class, row.mnemonic) {
                (Class::Push, _) => state.depth += 1,
                (Class::Pull, mnemonic) => {
                    state.depth -= 1;
                    if mnemonic == Mnemonic::Plp {
                        state.decimal = None;
                    }
                }
                _ if row.effects.stack == 0 && row.effects.writes.meets(Parts::S) => return odd,
                (_, Mnemonic::Sed) => state.decimal = Some(stmt()),
                (_, Mnemonic::Cld) => state.decimal = None,
                (_, Mnemonic::Adc | Mnemonic::Sbc) if state.decimal.is_some() => routine.calculates = true,
                (_, Mnemonic::Jsr) => {
                    routine.calls.push(operand);
                    // The routine may end decimal mode.
                    state.decimal = None;
                }
                (_, Mnemonic::Rts) => {
                    // `pha pha rts` jumps, `pla pla rts` leaves the caller as well.
                    if state.depth != 0 {
                        routine.is_odd = true;
                    }
                    let is_jump = state.depth > 2 && self.is_jump(index);
                    if !matches!(state.depth, -2 | 0 | 2) && !is_jump && routine.unbalanced.is_none() {
                        routine.unbalanced = Some((stmt(), state.depth));
                    }
                    if let Some(sed) = state.decimal {
                        routine.decimal.get_or_insert((sed, stmt()));
                    }
                    continue;
                }
                (_, Mnemonic::Jmp)
                    if row.mode == Mode::Absolute && !self.listing.is_written(i64::from(address), 3) =>
                {
                    waiting.push((operand, state));
                    continue;
                }
                (_, Mnemonic::Jmp | Mnemonic::Rti | Mnemonic::Brk | Mnemonic::Jam) => return odd,
                _ => {}
            }
            if state.depth < -2 {
                return odd;
            }
            routine.takes_return |= state.depth == -2;
            if let Some(target) = self.listing.branch_target(index, next) {
                waiting.push((target, state));
                if row.mnemonic == Mnemonic::Bra {
                    continue;
                }
            }
            waiting.push((next, state));
        }
        routine
    }
}
