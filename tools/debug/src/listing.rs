//! Disassembly in both directions. Forward it follows the bytes; backward it goes along the statements of the source map,
//! then along what agrees with the most starts.

use emu::disassemble;

use crate::debugger::Debugger;

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

impl Debugger {
    /// The bytes of the row that starts at an address.
    fn row_len(&self, address: u16) -> u16 {
        let peek = |at: u16| self.now.machine.peek(at);
        let own = self.map.at(address, &peek);
        let rest = 0x10000 - u32::from(address);
        if !own.is_some_and(|one| one.is_code)
            && let Some(data) = self.map.around(address).filter(|one| !one.is_code)
        {
            let offset = usize::from(address.wrapping_sub(data.address));
            return (data.bytes.len().min((offset / DATA + 1) * DATA) - offset) as u16;
        }
        let len = self.now.machine.isa().decode(peek(address)).len() as u16;
        // An instruction that the source does not know must not swallow one that it does.
        let known = |offset: &u16| {
            let inner = address.wrapping_add(*offset);
            own.is_none() && self.map.at(inner, &peek).is_some()
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
        let in_data = self.map.around(address).is_some_and(|one| !one.is_code);
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

    /// The start of the row before an address: one from which the rows lead exactly here.
    fn row_before(&self, address: u16) -> Option<u16> {
        if address == 0 {
            return None;
        }
        if let Some(statement) = self.map.around(address - 1) {
            let offset = usize::from((address - 1).wrapping_sub(statement.address));
            let start = if statement.is_code { 0 } else { offset / DATA * DATA };
            let start = statement.address.wrapping_add(start as u16);
            if start.checked_add(self.row_len(start)) == Some(address) {
                return Some(start);
            }
        }
        // Try all starts a little before; the row before that most of them lead through wins.
        let mut votes: [u8; 9] = [0; 9];
        let first = address.saturating_sub(LOOK_BACK);
        for start in first..address {
            let mut at = start;
            let mut before = start;
            while at < address {
                before = at;
                at = at.saturating_add(self.row_len(at));
            }
            if at == address {
                votes[usize::from((address - before).min(8))] += 1;
            }
        }
        let best = (1..=8_u16).max_by_key(|&len| (votes[usize::from(len)], 8 - len));
        Some(address - best.filter(|&len| votes[usize::from(len)] > 0).unwrap_or(1))
    }

    /// Exactly `count` rows, from the `offset`-th after (or before) the one at an address. What lies outside memory is
    /// filled with rows that have no bytes.
    pub fn listing(&self, address: u16, offset: i64, count: usize) -> Vec<Row> {
        let count = count.min(0x4000);
        let offset = offset.clamp(-0x1_0000, 0x1_0000);
        let mut rows: Vec<Row> = Vec::with_capacity(count);
        let mut before: Vec<u16> = Vec::new();
        let mut at = address;
        while (before.len() as i64) < -offset {
            match self.row_before(at) {
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
            rows.push(self.row(start));
        }
        let mut next = i64::from(address);
        let mut skip = offset.max(0);
        while rows.len() < count {
            match u16::try_from(next) {
                Ok(at) => {
                    let len = i64::from(self.row_len(at));
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
        rows
    }
}

fn outside(address: i64) -> Row {
    Row { address, bytes: Vec::new(), text: String::new(), label: None, place: None }
}
