//! Disassembly in both directions. Forward it follows the bytes; backward it goes along the statements of the source map,
//! then along instructions that have run, then along what agrees with the most starts.

use std::cell::RefCell;
use std::ops::ControlFlow;

use tempo_emu::disassemble;

use crate::debugger::Debugger;
use crate::hook::{Flags, Judge, Now};

/// A row of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The address. Rows outside memory have addresses outside it, too.
    pub address: i64,
    /// The bytes; none outside memory.
    pub bytes: Vec<u8>,
    /// The text.
    pub text: String,
    /// The label here.
    pub label: Option<String>,
    /// The file and line.
    pub place: Option<(usize, u32)>,
}

/// How far before an address the bytes are tried.
const LOOK_BACK: u16 = 48;

/// The most bytes of data in a row.
const DATA: usize = 8;

/// How many cycles of the past are looked at for instructions that have run.
const RECENT: u64 = 1_000_000;

/// Lengths of rows, worked out once for a listing: rows before an address try many starts.
struct Lengths<'a> {
    debugger: &'a Debugger,
    /// By address; 0 is not known yet.
    known: RefCell<Vec<u8>>,
}

impl Lengths<'_> {
    fn at(&self, address: u16) -> u16 {
        let known = self.known.borrow()[usize::from(address)];
        if known > 0 {
            return u16::from(known);
        }
        let len = self.debugger.row_len(address);
        self.known.borrow_mut()[usize::from(address)] = len as u8;
        len
    }
}

/// The addresses of instructions that have run.
pub(crate) struct Executed(Vec<bool>);

impl Judge for Executed {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        self.0[usize::from(now.registers.pc)] = true;
        ControlFlow::Continue(())
    }
    fn sees_all(&self) -> bool {
        true
    }
}

impl Debugger {
    /// Whether the instruction at an address has run in the recent past, or is next.
    fn has_run(&self, address: u16) -> bool {
        let now = self.time();
        let mut known = self.executed.borrow_mut();
        if let Some((time, executed)) = &*known
            && *time == now
        {
            return executed.0[usize::from(address)];
        }
        let mut executed = Executed(vec![false; 0x10000]);
        executed.0[usize::from(self.now.machine.registers().pc)] = true;
        if now > self.history.start() {
            let mut moment = self.history.copy(self.history.at_or_before(now.saturating_sub(RECENT)));
            self.history.replay::<false>(&mut moment, &mut executed, &Flags::default(), now);
        }
        let answer = executed.0[usize::from(address)];
        *known = Some((now, executed));
        answer
    }

    /// The bytes of the row that starts at an address.
    fn row_len(&self, address: u16) -> u16 {
        let peek = |at: u16| self.now.machine.peek(at);
        let own = self.map.at(address, &peek);
        let rest = 0x10000 - u32::from(address);
        if !own.is_some_and(|one| one.is_code)
            && let Some(data) = self.map.around(address, &peek).filter(|one| !one.is_code)
        {
            let offset = usize::from(address.wrapping_sub(data.address));
            let len = (data.bytes.len().min((offset / DATA + 1) * DATA) - offset) as u16;
            // Another statement may be in the middle of it: code in memory that the program uses later.
            let is_data = |offset: &u16| {
                let claim = self.map.around(address.wrapping_add(*offset), &peek);
                claim.is_some_and(|one| std::ptr::eq(one, data))
            };
            return (1..len).find(|offset| !is_data(offset)).unwrap_or(len);
        }
        let len = self.now.machine.isa().decode(peek(address)).len() as u16;
        // An instruction that the source does not know must not swallow one that it does.
        let known = |offset: &u16| {
            let inner = address.wrapping_add(*offset);
            own.is_none()
                && (self.map.at(inner, &peek).is_some() || (!self.has_run(address) && self.has_run(inner)))
        };
        let len = (1..len).find(known).unwrap_or(len);
        len.min(rest.min(3) as u16).max(1)
    }

    fn row(&self, address: u16) -> Row {
        let peek = |at: u16| self.now.machine.peek(at);
        let len = self.row_len(address);
        let bytes: Vec<u8> = (0..len).map(|offset| peek(address.wrapping_add(offset))).collect();
        let statement = self.map.at(address, &peek);
        let whole = self.now.machine.isa().decode(bytes[0]).len() == bytes.len();
        let in_data = self.map.around(address, &peek).is_some_and(|one| !one.is_code);
        let is_code = statement.map_or(whole && !in_data, |one| one.is_code && whole);
        let text = if is_code {
            let three = [0, 1, 2].map(|offset| peek(address.wrapping_add(offset)));
            disassemble(self.now.machine.isa(), address, three).with_labels(&self.names).to_string()
        } else {
            let list: Vec<String> = bytes.iter().map(|byte| format!("${byte:02X}")).collect();
            format!(".byte {}", list.join(", "))
        };
        let label = self.names.at(address).map(str::to_string);
        let place = statement.map(|one| (one.file, one.line));
        Row { address: i64::from(address), bytes, text, label, place }
    }

    /// The start of the row before an address. Rows lead from it to the address, unless that is in the middle of one.
    fn row_before(&self, lengths: &Lengths<'_>, address: u16) -> Option<u16> {
        let last = address.checked_sub(1)?;
        if let Some(statement) = self.map.around(last, &|at| self.now.machine.peek(at)) {
            let offset = usize::from(last.wrapping_sub(statement.address));
            let start = if statement.is_code { 0 } else { offset / DATA * DATA };
            let start = statement.address.wrapping_add(start as u16);
            let end = start.checked_add(lengths.at(start));
            // In the middle of what the source knows, that is the row before.
            if end.is_none_or(|end| end >= address) && start < address {
                return Some(start);
            }
        }
        let ends_here = |start: u16| start.checked_add(lengths.at(start)) == Some(address);
        let ran =
            (1..=3).filter_map(|len| address.checked_sub(len)).find(|&at| self.has_run(at) && ends_here(at));
        if ran.is_some() {
            return ran;
        }
        // Try all starts a little before; the row before that most of them lead through wins, and of equal ones the row
        // that ends here. An address that most rows do not lead to is in the middle of one: a row that happens to end
        // there would overlap the one before it.
        let mut votes = [(false, 0_u8); DATA + 1];
        // For each start, by its distance from the address: the last row before the address that it leads to.
        let mut last = [0_u16; LOOK_BACK as usize + 1];
        for distance in 1..=LOOK_BACK.min(address) {
            let start = address - distance;
            let len = lengths.at(start);
            let before = if len >= distance { start } else { last[usize::from(distance - len)] };
            last[usize::from(distance)] = before;
            let ends_here = before.saturating_add(lengths.at(before)) == address;
            let len = usize::from(address - before).min(DATA);
            // A start that leads nowhere else says little.
            let weight = if before == start { 1 } else { 4 };
            votes[len] = (ends_here, votes[len].1.saturating_add(weight));
        }
        let key = |len: usize| (votes[len].1, votes[len].0, DATA - len);
        let best = (1..=DATA).max_by_key(|&len| key(len)).unwrap_or(1);
        Some(address - best as u16)
    }

    /// Exactly `count` rows, from the `offset`-th after (or before) the one at an address. What is outside memory is
    /// filled with rows that have no bytes.
    pub fn listing(&self, address: u16, offset: i64, count: usize) -> Vec<Row> {
        self.listing_unless(address, offset, count, &mut || false).unwrap_or_default()
    }

    /// The same, but `None` as soon as `is_cancelled` says so; it is asked once for every row that is passed or shown.
    pub fn listing_unless(
        &self,
        address: u16,
        offset: i64,
        count: usize,
        is_cancelled: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<Row>> {
        let count = count.min(0x4000);
        let offset = offset.clamp(-0x1_0000, 0x1_0000);
        let mut rows: Vec<Row> = Vec::with_capacity(count);
        let mut before: Vec<u16> = Vec::new();
        let lengths = Lengths { debugger: self, known: RefCell::new(vec![0; 0x10000]) };
        let mut at = address;
        while (before.len() as i64) < -offset {
            if is_cancelled() {
                return None;
            }
            match self.row_before(&lengths, at) {
                Some(start) => {
                    before.push(start);
                    at = start;
                }
                None => break,
            }
        }
        let missing = (-offset - before.len() as i64).max(0);
        for number in 0..missing.min(count as i64) {
            rows.push(outside(number - missing));
        }
        for &start in before.iter().rev() {
            if rows.len() == count {
                break;
            }
            if is_cancelled() {
                return None;
            }
            rows.push(self.row(start));
        }
        let mut next = i64::from(address);
        let mut skip = offset.max(0);
        while rows.len() < count {
            if is_cancelled() {
                return None;
            }
            match u16::try_from(next) {
                Ok(at) => {
                    let len = i64::from(lengths.at(at));
                    if skip > 0 {
                        skip -= 1;
                    } else {
                        rows.push(self.row(at));
                    }
                    next += len;
                }
                Err(_) => {
                    if skip > 0 {
                        skip -= 1;
                    } else {
                        rows.push(outside(next));
                    }
                    next += 1;
                }
            }
        }
        Some(rows)
    }
}

fn outside(address: i64) -> Row {
    Row { address, bytes: Vec::new(), text: String::new(), label: None, place: None }
}
