//! The text monitor: the commands that clients of VICE's port 6510 send, and Kick Assembler's files of labels and
//! breakpoints. Answers end with a prompt that has no line end.

use std::collections::BTreeMap;
use std::fmt::Write;

use tempo_emu::{Disassembly, c64::screen_char, disassemble};
use tempo_isa::{Cpu, Mode};

use crate::banks::{BANKS, Bank};
use crate::checkpoints::{Checkpoint, EXEC, LOAD, STORE};
use crate::condition::Condition;
use crate::core::{Core, End, Event};
use crate::monitor::Monitor;
use crate::resources::Value;

/// Labels of a session, and those of an address; more are refused.
const MOST_LABELS: usize = 100_000;
const MOST_OF_ADDRESS: usize = 1_000;

/// Lines of an answer.
const MOST_LINES: usize = 0x1100;

/// A session of the text monitor.
pub struct Text {
    /// The address with which `m` and `d` go on.
    dot: u16,
    bank: Bank,
    is_in: bool,
    labels: BTreeMap<u16, Vec<String>>,
    by_name: BTreeMap<String, u16>,
    /// The next stop was asked for by a step: only the instruction is shown.
    expects_stop: bool,
    /// The report of the last stop's checkpoints.
    hits: Vec<(Box<Checkpoint>, u8)>,
}

impl Default for Text {
    fn default() -> Text {
        Text {
            dot: 0,
            bank: Bank::Cpu,
            is_in: false,
            labels: BTreeMap::new(),
            by_name: BTreeMap::new(),
            expects_stop: false,
            hits: Vec::new(),
        }
    }
}

/// A line that is not a command: where the fault is.
struct Fault(usize);

type Answer = Result<String, Fault>;

impl Text {
    /// Whether the client is in the monitor.
    pub fn is_in(&self) -> bool {
        self.is_in
    }

    /// The client has stopped the machine.
    pub fn enter(&mut self, core: &Core) {
        self.is_in = true;
        self.dot = core.registers().pc;
    }

    /// The machine runs, or the client has gone.
    pub fn leave(&mut self) {
        (self.is_in, self.expects_stop) = (false, false);
        self.hits.clear();
    }

    /// The text that announces an event to a client.
    pub fn event(&mut self, core: &Core, event: &Event) -> String {
        match event {
            Event::Hit(point, operation) => {
                self.hits.push((point.clone(), *operation));
                String::new()
            }
            Event::Stopped(registers) => {
                let hits = std::mem::take(&mut self.hits);
                let is_step = std::mem::take(&mut self.expects_stop);
                if hits.is_empty() && !is_step {
                    return String::new();
                }
                self.is_in = true;
                self.dot = registers.pc;
                let mut out = String::new();
                for (point, operation) in hits {
                    let what = match operation {
                        LOAD => "load",
                        STORE => "store",
                        _ => "exec",
                    };
                    let address = if operation == EXEC { registers.pc } else { point.start };
                    let how = if point.stops { "Stop on" } else { "Trace" };
                    let (line, cycle) = (registers.line, registers.cycle);
                    let _ = writeln!(
                        out,
                        "#{} ({how} {what:>5} {address:04x})  {line:>3}/${line:03x}, {cycle:>3}/${cycle:02x}",
                        point.number
                    );
                }
                out += &self.stop_line(core);
                out + &self.prompt()
            }
            Event::Jam => "   JAM\n".to_string(),
            Event::Resumed(_) => String::new(),
        }
    }

    fn stop_line(&self, core: &Core) -> String {
        let registers = core.registers();
        let line = self.instruction(core, registers.pc, Bank::Cpu).0;
        let flags: String = "NV-BDIZC"
            .chars()
            .enumerate()
            .map(|(bit, name)| match name {
                '-' => '-',
                'B' => '.',
                name if registers.flags & 0x80 >> bit != 0 => name,
                _ => '.',
            })
            .collect();
        format!(
            "{line:<36}- A:{:02x} X:{:02x} Y:{:02x} SP:{:02x} {flags} {:>10}\n",
            registers.a,
            registers.x,
            registers.y,
            registers.sp,
            core.cycles()
        )
    }

    /// The prompt of a client that may type.
    pub fn prompt(&self) -> String {
        format!("(C:${:04x}) ", self.dot)
    }

    /// Runs a line. The machine is stopped.
    pub fn command(&mut self, monitor: &mut Monitor, line: &str) -> String {
        let answer = match self.run(monitor, line) {
            Ok(answer) => answer,
            Err(Fault(at)) => {
                format!("ERROR -- Wrong syntax:\n  {line}\n  {}^\n", " ".repeat(at.min(line.len())))
            }
        };
        if !monitor.core.is_open() || monitor.core.end.is_some() {
            return answer;
        }
        answer + &self.prompt()
    }

    fn run(&mut self, monitor: &mut Monitor, line: &str) -> Answer {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Ok(String::new());
        }
        if let Some(rest) = trimmed.strip_prefix('>') {
            return self.poke(monitor, line, rest);
        }
        let (word, rest) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        let mut words = Words { line, rest: rest.trim_start() };
        let core = &mut monitor.core;
        Ok(match word.to_ascii_lowercase().as_str() {
            "registers" | "r" => self.registers(core, words)?,
            "m" | "mem" => self.memory(core, words)?,
            "d" | "disass" => self.listing(core, words)?,
            "f" | "fill" => self.fill(core, words)?,
            "break" | "bk" => self.point(core, words, "BREAK", EXEC)?,
            "watch" | "w" => self.point(core, words, "WATCH", LOAD | STORE)?,
            "trace" | "tr" => self.point(core, words, "TRACE", LOAD | STORE | EXEC)?,
            "until" | "un" => self.point(core, words, "UNTIL", EXEC)?,
            "cond" | "condition" => {
                let number = words.decimal()?;
                let condition = words.condition()?.ok_or(words.fault())?;
                let shown = condition.to_string();
                match core.points().change(number, |point| point.condition = Some(condition)) {
                    true => format!("Setting checkpoint {number} condition to: {shown}\n"),
                    false => format!("#{number} not a valid checkpoint\n"),
                }
            }
            "ignore" => {
                let number = words.decimal()?;
                let count = if words.is_done() { 1 } else { words.number(self)? };
                match core.points().change(number, |point| point.ignored = count.into()) {
                    true => format!("Will ignore the next {count} hits of checkpoint #{number}\n"),
                    false => format!("#{number} not a valid checkpoint\n"),
                }
            }
            "enable" | "en" | "disable" | "dis" => {
                let is_on = word.to_ascii_lowercase().starts_with("en");
                if words.is_done() {
                    core.points().change_all(|point| point.is_enabled = is_on);
                    return Ok(String::new());
                }
                let number = words.decimal()?;
                match core.points().change(number, |point| point.is_enabled = is_on) {
                    true => String::new(),
                    false => format!("#{number} not a valid checkpoint\n"),
                }
            }
            "delete" | "del" => match words.is_done() {
                true => {
                    core.points().clear();
                    "Deleting all checkpoints\n".to_string()
                }
                false => {
                    let number = words.decimal()?;
                    match core.points().delete(number) {
                        true => String::new(),
                        false => format!("#{number} not a valid checkpoint\n"),
                    }
                }
            },
            "g" | "goto" => {
                if !words.is_done() {
                    let pc = words.number(self)?;
                    let registers = crate::Registers { pc, ..core.registers() };
                    core.set_registers(&registers);
                }
                self.go(core, Core::resume)
            }
            "x" | "exit" => self.go(core, Core::resume),
            "step" | "z" => {
                let count = words.count(self)?;
                self.expects_stop = true;
                self.go(core, |core| core.step(count))
            }
            "next" | "n" => {
                let count = words.count(self)?;
                self.expects_stop = true;
                self.go(core, |core| core.step_over(count))
            }
            "return" | "ret" => {
                self.expects_stop = true;
                self.go(core, Core::run_to_return)
            }
            "bank" => self.bank(words)?,
            "device" | "dev" => match words.word().to_ascii_lowercase().as_str() {
                "c:" | "c" => "Setting default device to `Computer'\n".to_string(),
                "8:" | "9:" | "10:" | "11:" | "8" | "9" | "10" | "11" => {
                    "Unit does not have a drive; the device stays `Computer'\n".to_string()
                }
                _ => return Err(words.fault()),
            },
            "al" | "add_label" => self.add_label(words)?,
            "shl" | "show_labels" => {
                let mut out = String::new();
                for (address, names) in self.labels.iter().rev() {
                    for name in names {
                        let _ = writeln!(out, "${address:04x} {name}");
                    }
                }
                out
            }
            "ll" | "load_labels" => {
                let name = words.file()?;
                let file = monitor.files.read(&name);
                match file {
                    None => format!("Cannot open '{name}'.\n"),
                    Some(bytes) => {
                        let lines = String::from_utf8_lossy(&bytes).into_owned();
                        lines
                            .lines()
                            .filter(|line| line.trim_start().starts_with("al"))
                            .map(|line| {
                                let rest = line
                                    .trim_start()
                                    .split_once(char::is_whitespace)
                                    .map_or("", |(_, rest)| rest);
                                self.add_label(Words { line, rest: rest.trim_start() }).unwrap_or_default()
                            })
                            .collect()
                    }
                }
            }
            "reset" => {
                let power = match words.is_done() {
                    true => false,
                    false => words.number(self)? == 1,
                };
                core.reset(power);
                self.go(core, Core::resume)
            }
            "quit" => {
                core.end = Some(End::Quit);
                String::new()
            }
            "stopwatch" | "sw" => format!("Stopwatch: {:>10}\n", core.cycles()),
            "resget" | "resourceget" => {
                let name = words.file()?;
                match monitor.resources.get(&name) {
                    Some(Value::Number(value)) => format!("{name}={value}\n"),
                    Some(Value::Text(value)) => format!("{name}=\"{value}\"\n"),
                    None => format!("Unknown resource \"{name}\".\n"),
                }
            }
            "resset" | "resourceset" => {
                let (name, value) = (words.file()?, words.file()?);
                match monitor.resources.set(&name, Value::Text(value)) {
                    true => String::new(),
                    false => format!("Cannot set resource \"{name}\".\n"),
                }
            }
            "keybuf" => {
                let text = words.file()?.replace("\\x0d", "\r").replace("\\n", "\r");
                core.type_keys(text.to_ascii_uppercase().as_bytes());
                String::new()
            }
            _ => return Err(Fault(line.len())),
        })
    }

    fn go(&mut self, core: &mut Core, how: impl FnOnce(&mut Core)) -> String {
        how(core);
        self.is_in = false;
        String::new()
    }

    fn registers(&mut self, core: &mut Core, words: Words<'_>) -> Answer {
        if words.is_done() {
            let registers = core.registers();
            return Ok(format!(
                "  ADDR A  X  Y  SP 00 01 NV-BDIZC LIN CYC  STOPWATCH\n\
                 .;{:04x} {:02x} {:02x} {:02x} {:02x} {:02x} {:02x} {:08b} {:03} {:03} {:>10}\n",
                registers.pc,
                registers.a,
                registers.x,
                registers.y,
                registers.sp,
                registers.direction,
                registers.port,
                registers.flags,
                registers.line,
                registers.cycle,
                core.cycles()
            ));
        }
        let mut registers = core.registers();
        for part in words.rest.split(',') {
            let (name, value) = part.split_once('=').ok_or(words.fault())?;
            let name = name.trim();
            let value = self.value(value.trim()).ok_or(words.fault())?;
            let id =
                ["A", "X", "Y", "PC", "SP", "FL"].iter().position(|known| known.eq_ignore_ascii_case(name));
            let id = id.ok_or(words.fault())?;
            registers.set(id as u8, value);
        }
        core.set_registers(&registers);
        Ok(String::new())
    }

    fn memory(&mut self, core: &Core, mut words: Words<'_>) -> Answer {
        let (first, last) = words.range(self)?;
        let first = first.unwrap_or(self.dot);
        let last = last.unwrap_or(first.wrapping_add(0x8f));
        let count = usize::from(last.wrapping_sub(first)) + 1;
        let mut out = String::new();
        let mut at = first;
        let mut left = count;
        while left > 0 {
            let here = left.min(16);
            let _ = write!(out, ">C:{at:04x} ");
            let mut codes = String::new();
            for offset in 0..16u16 {
                if offset % 4 == 0 {
                    out.push(' ');
                }
                if usize::from(offset) < here {
                    let byte = core.peek(self.bank, at.wrapping_add(offset));
                    let _ = write!(out, "{byte:02x} ");
                    codes.push(code(byte));
                } else {
                    out += "   ";
                }
            }
            let _ = writeln!(out, "  {codes}");
            at = at.wrapping_add(here as u16);
            left -= here;
        }
        self.dot = at;
        Ok(out)
    }

    fn listing(&mut self, core: &Core, mut words: Words<'_>) -> Answer {
        let (first, last) = words.range(self)?;
        let first = first.unwrap_or(self.dot);
        let length = last.map_or(0x2f, |last| last.wrapping_sub(first));
        let mut at = first;
        let mut out = String::new();
        for _ in 0..MOST_LINES {
            for name in self.labels.get(&at).into_iter().flatten() {
                let _ = writeln!(out, ".C:{at:04x}   {name}:");
            }
            let (line, next) = self.instruction(core, at, self.bank);
            let _ = writeln!(out, "{}", line.trim_end());
            let done = next.wrapping_sub(first);
            at = next;
            if done > length || done == 0 {
                break;
            }
        }
        self.dot = at;
        Ok(out)
    }

    /// A line of the listing, and the address after it.
    fn instruction(&self, core: &Core, at: u16, bank: Bank) -> (String, u16) {
        let bytes = [0, 1, 2].map(|offset| core.peek(bank, at.wrapping_add(offset)));
        let row = disassemble(Cpu::Mos6502, at, bytes);
        let mut hex = String::new();
        for byte in row.bytes() {
            let _ = write!(hex, "{byte:02X} ");
        }
        (format!(".C:{at:04x}  {hex:<12}{}", self.operation(&row)), row.next())
    }

    fn operation(&self, row: &Disassembly) -> String {
        let name = row.row.mnemonic.to_string().to_ascii_uppercase();
        let [_, low, high, ..] = row.bytes;
        let word = u16::from_le_bytes([low, high]);
        let named =
            |address: u16, digits: usize| match self.labels.get(&address).and_then(|names| names.first()) {
                Some(name) => name.clone(),
                None => format!("${address:0digits$X}"),
            };
        let byte = || named(low.into(), 2);
        match row.row.mode {
            Mode::Implied if matches!(name.as_str(), "ASL" | "LSR" | "ROL" | "ROR") => format!("{name} A"),
            Mode::Implied => name,
            Mode::Immediate => format!("{name} #${low:02X}"),
            Mode::ZeroPage => format!("{name} {}", byte()),
            Mode::ZeroPageX => format!("{name} {},X", byte()),
            Mode::ZeroPageY => format!("{name} {},Y", byte()),
            Mode::IndirectX => format!("{name} ({},X)", byte()),
            Mode::IndirectY => format!("{name} ({}),Y", byte()),
            Mode::Absolute => format!("{name} {}", named(word, 4)),
            Mode::AbsoluteX => format!("{name} {},X", named(word, 4)),
            Mode::AbsoluteY => format!("{name} {},Y", named(word, 4)),
            Mode::Indirect => format!("{name} ({})", named(word, 4)),
            Mode::Relative => format!("{name} {}", named(row.target().unwrap_or(0), 4)),
            _ => row.to_string().to_ascii_uppercase(),
        }
    }

    fn poke(&mut self, monitor: &mut Monitor, line: &str, rest: &str) -> Answer {
        let mut words = Words { line, rest: rest.trim_start() };
        let address = words.number(self)?;
        let bytes = words.data(self)?;
        monitor.core.store(self.bank, address, bytes);
        Ok(String::new())
    }

    fn fill(&mut self, core: &mut Core, mut words: Words<'_>) -> Answer {
        let (first, last) = (words.number(self)?, words.number(self)?);
        let data = words.data(self)?;
        if first > last {
            return Err(words.fault());
        }
        let count = usize::from(last - first) + 1;
        core.store(self.bank, first, data.into_iter().cycle().take(count).collect());
        Ok(String::new())
    }

    fn point(&mut self, core: &mut Core, mut words: Words<'_>, kind: &str, usual: u8) -> Answer {
        let mut operation = 0;
        loop {
            let one = match words.peek().to_ascii_lowercase().as_str() {
                "load" => LOAD,
                "store" => STORE,
                "exec" => EXEC,
                _ => break,
            };
            operation |= one;
            words.word();
        }
        if words.is_done() && operation == 0 {
            let all = core.points().all().to_vec();
            let mut all: Vec<_> = all.iter().collect();
            all.sort_by_key(|point| point.number);
            if all.is_empty() {
                return Ok("No breakpoints are set\n".to_string());
            }
            return Ok(all.into_iter().map(describe).collect());
        }
        let start = words.number(self)?;
        let end = if words.is_done() || words.peek().eq_ignore_ascii_case("if") {
            start
        } else {
            words.number(self)?
        };
        let condition = words.condition()?;
        let operation = if operation == 0 { usual } else { operation };
        let mut point = Checkpoint { end, ..Checkpoint::at(start, operation) };
        point.stops = kind != "TRACE";
        point.is_temporary = kind == "UNTIL";
        let Some(number) = core.points().add(point) else {
            return Ok("Too many checkpoints\n".to_string());
        };
        let mut out = String::new();
        if let Some(point) = core.points().get(number) {
            out += &describe(point);
        }
        if let Some(condition) = condition {
            let _ = writeln!(out, "Setting checkpoint {number} condition to: {condition}");
            core.points().change(number, |point| point.condition = Some(condition));
        }
        if kind == "UNTIL" {
            self.go(core, Core::resume);
        }
        Ok(out)
    }

    fn bank(&mut self, mut words: Words<'_>) -> Answer {
        if words.is_done() {
            let mut out = "Available banks (some may be equivalent to others):\n".to_string();
            for (name, bank) in BANKS {
                let _ = write!(out, "{}{name} \t", if bank == self.bank { "*" } else { "" });
            }
            return Ok(out + "\n");
        }
        let name = words.word();
        match BANKS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, bank)) => {
                self.bank = *bank;
                Ok(String::new())
            }
            None => Ok(format!("Unknown bank name `{name}'\n")),
        }
    }

    fn add_label(&mut self, mut words: Words<'_>) -> Answer {
        let address = words.number(self)?;
        let name = words.word().to_string();
        if name.is_empty() {
            return Err(words.fault());
        }
        let names = self.labels.entry(address).or_default();
        if self.by_name.len() >= MOST_LABELS || names.len() >= MOST_OF_ADDRESS {
            return Ok("Too many labels\n".to_string());
        }
        let is_known = !names.is_empty();
        if !names.contains(&name) {
            names.push(name.clone());
        }
        self.by_name.insert(name, address);
        match is_known {
            true => Ok(format!("Warning: label(s) for address ${address:04x} already exist.\n")),
            false => Ok(String::new()),
        }
    }

    /// A number, hexadecimal without a prefix, or a label.
    fn value(&self, text: &str) -> Option<u16> {
        let text = text.strip_prefix("C:").or(text.strip_prefix("c:")).unwrap_or(text);
        if let Some(&address) = self.by_name.get(text) {
            return Some(address);
        }
        let (digits, radix) = match text.as_bytes().first()? {
            b'$' => (&text[1..], 16),
            b'%' => (&text[1..], 2),
            b'+' => (&text[1..], 10),
            b'&' => (&text[1..], 8),
            _ => (text, 16),
        };
        let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
        u16::from_str_radix(digits, radix).ok().filter(|_| is_number)
    }
}

/// A byte as the monitor shows it beside a dump: the character of a screen code, where it is plain.
fn code(byte: u8) -> char {
    let plain = if byte & 0x40 != 0 { byte & 0x1f } else { byte };
    match screen_char(plain, true) {
        letter if byte < 0x60 && letter.is_ascii() && !letter.is_ascii_control() => letter,
        _ => '.',
    }
}

fn describe(point: &Checkpoint) -> String {
    let kind = match point {
        Checkpoint { stops: false, .. } => "TRACE",
        Checkpoint { is_temporary: true, .. } => "UNTIL",
        Checkpoint { operation: EXEC, .. } => "BREAK",
        _ => "WATCH",
    };
    let how = if point.stops { "Stop on" } else { "Trace" };
    let operations = [(LOAD, "load"), (STORE, "store"), (EXEC, "exec")];
    let names: Vec<&str> =
        operations.iter().filter(|(bit, _)| point.operation & bit != 0).map(|(_, name)| *name).collect();
    let range = match point.start == point.end {
        true => format!("${:04x}", point.start),
        false => format!("${:04x}-${:04x}", point.start, point.end),
    };
    let state = if point.is_enabled { "" } else { " disabled" };
    let mut out = format!("{kind}: {}  C:{range}  ({how} {}){state}\n", point.number, names.join(" "));
    if let Some(condition) = &point.condition {
        let _ = writeln!(out, "\tCondition: {condition}");
    }
    out
}

/// The words after a command.
struct Words<'a> {
    line: &'a str,
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    /// A fault after the last word that was read.
    fn fault(&self) -> Fault {
        Fault(self.line.trim_end().len() - self.rest.trim_end().len().min(self.line.trim_end().len()))
    }

    fn peek(&self) -> &'a str {
        self.rest.split_whitespace().next().unwrap_or("")
    }

    fn word(&mut self) -> &'a str {
        let (word, rest) = self.rest.split_once(char::is_whitespace).unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        word
    }

    fn number(&mut self, text: &Text) -> Result<u16, Fault> {
        let value = text.value(self.peek().trim_end_matches(',')).ok_or(self.fault())?;
        self.word();
        Ok(value)
    }

    /// The number of a checkpoint, which is decimal.
    fn decimal(&mut self) -> Result<u32, Fault> {
        let value = self.peek().trim_start_matches('#').parse().map_err(|_| self.fault())?;
        self.word();
        Ok(value)
    }

    fn count(&mut self, text: &Text) -> Result<u16, Fault> {
        if self.is_done() { Ok(1) } else { self.number(text) }
    }

    fn range(&mut self, text: &Text) -> Result<(Option<u16>, Option<u16>), Fault> {
        let first = if self.is_done() { None } else { Some(self.number(text)?) };
        let last = if self.is_done() { None } else { Some(self.number(text)?) };
        Ok((first, last))
    }

    fn data(&mut self, text: &Text) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        while !self.is_done() {
            let value = self.number(text)?;
            bytes.push(u8::try_from(value).map_err(|_| self.fault())?);
        }
        if bytes.is_empty() { Err(self.fault()) } else { Ok(bytes) }
    }

    /// A name in quotes, or a word.
    fn file(&mut self) -> Result<String, Fault> {
        let Some(rest) = self.rest.strip_prefix('"') else {
            let word = self.word();
            return if word.is_empty() { Err(self.fault()) } else { Ok(word.to_string()) };
        };
        let (name, rest) = rest.split_once('"').ok_or(self.fault())?;
        self.rest = rest.trim_start();
        Ok(name.to_string())
    }

    /// `if` and a condition, if there is one.
    fn condition(&mut self) -> Result<Option<Condition>, Fault> {
        if self.is_done() {
            return Ok(None);
        }
        if !self.peek().eq_ignore_ascii_case("if") {
            return Err(self.fault());
        }
        self.word();
        let condition = Condition::parse(self.rest).ok_or(self.fault())?;
        self.rest = "";
        Ok(Some(condition))
    }
}
