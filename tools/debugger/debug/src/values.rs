//! Expressions as a person asks them: a value, a row of bytes, a label with what is there, and the place that can be
//! written to.

use tempo_diagnostics::{hex, hex_address, hex_bytes};
use tempo_emu::{Registers, Status};

use crate::condition::STOPWATCH;
use crate::debugger::Debugger;
use crate::launch::parse_number;
use crate::machine::Input;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The number; the first byte of a row.
    pub value: i64,
    /// Where it is in memory.
    pub address: Option<u16>,
    /// How many bytes it is wide; 0 for what is not in memory.
    pub width: usize,
    /// As it is shown.
    pub text: String,
}

/// A byte as hexadecimal, decimal and character.
pub fn show_byte(value: u8) -> String {
    let character = match value {
        0x20..=0x7e => format!(" '{}'", value as char),
        _ => String::new(),
    };
    format!("${value:02X} {value}{character}")
}

/// A number in the form that its size asks for.
pub fn show_number(value: i64) -> String {
    match value {
        0..=0xff => show_byte(value as u8),
        0x100..=0xffff => format!("{} {value}", hex(value)),
        _ => value.to_string(),
    }
}

impl Debugger {
    /// The place that an expression names: `[label]`, `label`, `label[3]`, `(pointer),y`, `[label].w`; and its width.
    pub fn place_of(&self, text: &str) -> Option<(u16, usize)> {
        let text = text.trim();
        if let Some((left, count)) = text.rsplit_once(',')
            && let Some(count) =
                count.trim().parse::<usize>().ok().filter(|count| (1..=0x10000).contains(count))
        {
            let place = self.place_of(left).map(|(address, _)| address);
            let address = place.or_else(|| u16::try_from(self.value(left).ok()?).ok())?;
            return Some((address, count));
        }
        let (text, width) = match text.to_ascii_lowercase() {
            lower if lower.ends_with(".lw") => (&text[..text.len() - 3], 4),
            lower if lower.ends_with(".w") => (&text[..text.len() - 2], 2),
            lower if lower.ends_with(".b") => (&text[..text.len() - 2], 1),
            _ => (text, 1),
        };
        let dense: String =
            text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
        let value = |text: &str| self.value(text).ok().and_then(|value| u16::try_from(value).ok());
        if dense.starts_with('(') && dense.ends_with("),y") {
            let inner = text.get(1..text.rfind(')')?)?;
            return Some((value(&format!("peekword({inner}) + y"))?, width));
        }
        if dense.starts_with('(') && dense.ends_with(",x)") {
            let inner = text.get(1..text.rfind(',')?)?;
            return Some((value(&format!("peekword({inner} + x)"))?, width));
        }
        if dense.starts_with('[') && dense.ends_with(']') && dense.matches('[').count() == 1 {
            return Some((value(text.get(1..text.len() - 1)?)?, width));
        }
        if let Some(open) = text.find('[')
            && text.ends_with(']')
            && open > 0
        {
            let (name, index) = (&text[..open], &text[open + 1..text.len() - 1]);
            return Some((value(&format!("({name}) + ({index})"))?, width));
        }
        let is_name = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let scope = self.names.scope_at(self.focus());
        let label = self.names.get(text, scope).filter(|_| is_name)?;
        Some((u16::try_from(label).ok()?, width))
    }

    fn bytes_at(&self, address: u16, count: usize) -> Vec<u8> {
        let count = count.min(0x10000 - usize::from(address));
        (0..count).map(|offset| self.machine().peek(address.wrapping_add(offset as u16))).collect()
    }

    /// The number that a person typed for a value: an expression, a character as `'A'`, or a value as it is shown.
    pub fn typed(&self, text: &str) -> Result<i64, String> {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''))
            && let (Some(character), 1) = (inner.chars().next(), inner.chars().count())
        {
            return Ok(i64::from(u32::from(character)));
        }
        let mut words = text.split_whitespace();
        let first = words.next().and_then(parse_number);
        let is_same =
            |word: &str| word.starts_with('\'') || word.ends_with('\'') || parse_number(word) == first;
        match first {
            Some(number) if words.all(is_same) => Ok(number),
            _ => self.value(text),
        }
    }

    /// Evaluates what a person typed.
    pub fn evaluate(&self, text: &str) -> Result<Answer, String> {
        let text = text.trim();
        if let Some((left, count)) = text.rsplit_once(',')
            && let Ok(count) = count.trim().parse::<usize>()
        {
            let (address, _) = match self.place_of(left) {
                Some(place) => place,
                None => (u16::try_from(self.value(left)?).map_err(|_| "the address is outside memory")?, 1),
            };
            let bytes = self.bytes_at(address, count.min(256));
            let text = format!("{}: {}", hex_address(address), hex_bytes(&bytes));
            let value = bytes.first().copied().map_or(0, i64::from);
            return Ok(Answer { value, address: Some(address), width: bytes.len(), text });
        }
        let place = self.place_of(text);
        let value = self.value(text)?;
        if text.eq_ignore_ascii_case("cycles") || self.is_stopwatch(text) {
            return Ok(Answer { value, address: None, width: 0, text: value.to_string() });
        }
        if let Some((address, width)) = place {
            let is_address =
                text.starts_with(|c: char| c.is_alphabetic() || c == '_') && !text.contains(['[', '.']);
            let is_label = is_address || self.names.get(text, "").is_some();
            if is_label && self.names.at(address).is_some() {
                let byte = self.machine().peek(address);
                let text = format!("${address:04X} = {}", show_byte(byte));
                return Ok(Answer { value, address: Some(address), width: 1, text });
            }
            if is_label {
                return Ok(Answer { value, address: None, width: 0, text: show_number(value) });
            }
            let text = if width == 1 { show_byte(value as u8) } else { format!("${value:04X} {value}") };
            return Ok(Answer { value, address: Some(address), width, text });
        }
        Ok(Answer { value, address: None, width: 0, text: show_number(value) })
    }

    /// The present meaning of an operand in the source: its effective address and the value there.
    pub fn operand(&self, address: u16) -> Option<(u16, u8)> {
        let machine = self.machine();
        let bytes = [0, 1, 2].map(|offset| machine.peek(address.wrapping_add(offset)));
        let row = tempo_emu::disassemble(machine.isa(), address, bytes);
        let registers = machine.registers();
        let word = |at: u16| u16::from_le_bytes([machine.peek(at), machine.peek(at.wrapping_add(1))]);
        let zero_page = |at: u8| {
            u16::from_le_bytes([machine.peek(u16::from(at)), machine.peek(u16::from(at.wrapping_add(1)))])
        };
        let target = row.target()?;
        use tempo_isa::Mode;
        let effective = match row.row.mode {
            Mode::ZeroPageX => u16::from((target as u8).wrapping_add(registers.x)),
            Mode::ZeroPageY => u16::from((target as u8).wrapping_add(registers.y)),
            Mode::AbsoluteX => target.wrapping_add(u16::from(registers.x)),
            Mode::AbsoluteY => target.wrapping_add(u16::from(registers.y)),
            Mode::IndirectX => zero_page((target as u8).wrapping_add(registers.x)),
            Mode::IndirectY => zero_page(target as u8).wrapping_add(u16::from(registers.y)),
            Mode::ZeroPageIndirect => zero_page(target as u8),
            Mode::Indirect => word(target),
            Mode::AbsoluteIndirectX => word(target.wrapping_add(u16::from(registers.x))),
            _ => target,
        };
        Some((effective, machine.peek(effective)))
    }

    /// Sets a register, a flag, or a place in memory to the value of an expression. What it is now, and whether a
    /// recorded future was dropped.
    pub fn assign(&mut self, target: &str, value: &str) -> Result<(String, bool), String> {
        let value = self.typed(value)?;
        let registers = *self.machine().registers();
        let name = target.trim().to_ascii_lowercase();
        let byte = || u8::try_from(value).map_err(|_| format!("{value} does not fit in one byte"));
        let on = |flag: u8| {
            let p = if value != 0 { registers.p.with(flag) } else { registers.p.without(flag) };
            Registers { p, ..registers }
        };
        let changed = match name.as_str() {
            "a" => Registers { a: byte()?, ..registers },
            "x" => Registers { x: byte()?, ..registers },
            "y" => Registers { y: byte()?, ..registers },
            "sp" | "s" => Registers { s: byte()?, ..registers },
            "p" => Registers { p: Status::from_byte(byte()?), ..registers },
            "pc" => {
                let pc = u16::try_from(value).map_err(|_| format!("{value} is not an address"))?;
                Registers { pc, ..registers }
            }
            flag if tempo_expressions::ast::Flag::parse(flag).is_some() => {
                if !(0..=1).contains(&value) {
                    return Err(format!("a flag is 0 or 1, not {value}"));
                }
                on(tempo_expressions::ast::Flag::parse(flag).map_or(0, |flag| flag.mask()))
            }
            _ if self.is_stopwatch(target.trim()) => {
                let zero = (self.machine().cycles() as i64).wrapping_sub(value);
                let dropped = self.change(Input::Stopwatch(zero));
                return Ok((value.to_string(), dropped));
            }
            _ => {
                let (address, width) = self.place_of(target).ok_or_else(|| {
                    format!("`{}` is not a register, flag or place in memory", target.trim())
                })?;
                if width > 4 {
                    return Err(format!("`{}` is not one value", target.trim()));
                }
                let most = 1_i64 << (8 * width);
                if !(-(most / 2)..most).contains(&value) {
                    return Err(format!("{value} does not fit in {width} bytes"));
                }
                let bytes: Vec<u8> = (0..width).map(|offset| (value >> (8 * offset)) as u8).collect();
                let dropped = self.change(Input::Poke(address, bytes));
                return Ok((show_number(value), dropped));
            }
        };
        let dropped = self.change(Input::Registers(changed));
        Ok((show_number(value), dropped))
    }

    /// Whether a text names the stopwatch: cycles that a person can set, and nothing of the program.
    fn is_stopwatch(&self, text: &str) -> bool {
        text == STOPWATCH && self.names.get(text, "").is_none()
    }

    /// Names that begin with a text, for completion; at most this many.
    pub fn complete(&self, prefix: &str, most: usize) -> Vec<&str> {
        let lower = prefix.to_ascii_lowercase();
        let mut found: Vec<&str> = (self.names.iter())
            .map(|name| name.path.as_str())
            .filter(|path| path.to_ascii_lowercase().starts_with(&lower))
            .collect();
        found.sort_unstable();
        found.dedup();
        found.truncate(most);
        found
    }
}
