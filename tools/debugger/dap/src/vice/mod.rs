//! A machine inside VICE, through its binary monitor: registers, memory, checkpoints, stepping.
//! The bytes of the protocol are in `wire`; the questions of the debugger's client are in `attached`.

mod attached;
mod wire;

use std::collections::HashMap;

use tempo_debug::DebuggerForm;
use tempo_emu::{Registers, Status};
use tempo_expressions::ast::{Beam, Binary, Register};
use tempo_expressions::{Expr, Kind};

use wire::{Message, command, kind};

pub use attached::Attached;

/// A connection; the caller knows sockets.
pub trait Stream {
    /// Sends all bytes.
    fn send(&mut self, bytes: &[u8]) -> Result<(), String>;
    /// Waits at most so long for bytes; none if there are none. An error means that the other side is gone.
    fn receive(&mut self, milliseconds: u64) -> Result<Vec<u8>, String>;
}

/// The oldest version whose monitor does what we ask.
const OLDEST: (u8, u8) = (3, 7);

/// How long VICE may take to answer.
const PATIENCE: u64 = 5_000;

/// The contents of a stop event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Halted {
    pub pc: u16,
    /// The numbers of the checkpoints that were hit.
    pub hits: Vec<u32>,
    pub is_jammed: bool,
}

/// A machine in VICE.
pub(crate) struct Vice {
    stream: Box<dyn Stream>,
    bytes: Vec<u8>,
    request: u32,
    /// Register names to ids.
    registers: HashMap<String, u8>,
    bank: u16,
    events: Vec<Message>,
}

impl Vice {
    /// Greets the monitor and asks for what its numbers mean.
    pub fn connect(stream: Box<dyn Stream>) -> Result<Vice, String> {
        let mut vice = Vice {
            stream,
            bytes: Vec::new(),
            request: 0,
            registers: HashMap::new(),
            bank: 0,
            events: Vec::new(),
        };
        vice.call(command::PING, &[])?;
        let info = vice.call(command::INFO, &[])?;
        if let [_, major, minor, ..] = info[..]
            && (major, minor) < OLDEST
        {
            return Err(format!(
                "this is VICE {major}.{minor}; {}.{} or newer is needed",
                OLDEST.0, OLDEST.1
            ));
        }
        let available = vice.call(command::REGISTERS_AVAILABLE, &[0])?;
        for item in wire::items(&available) {
            if let [id, _, len, name @ ..] = item {
                let name = &name[..usize::from(*len).min(name.len())];
                vice.registers.insert(String::from_utf8_lossy(name).into_owned(), *id);
            }
        }
        let banks = vice.call(command::BANKS, &[])?;
        for item in wire::items(&banks) {
            if let [low, high, len, name @ ..] = item
                && name.get(..usize::from(*len)) == Some(b"cpu".as_slice())
            {
                vice.bank = u16::from_le_bytes([*low, *high]);
            }
        }
        if !["PC", "A", "X", "Y", "SP", "FL"].iter().all(|name| vice.registers.contains_key(*name)) {
            return Err("VICE does not name the registers of a 6502".to_string());
        }
        Ok(vice)
    }

    fn pump(&mut self, milliseconds: u64) -> Result<(), String> {
        let bytes = self.stream.receive(milliseconds)?;
        self.bytes.extend(bytes);
        Ok(())
    }

    /// A command and its answer; events that come before it are kept.
    pub fn call(&mut self, command: u8, body: &[u8]) -> Result<Vec<u8>, String> {
        self.request += 1;
        let request = self.request;
        self.stream.send(&wire::encode(request, command, body))?;
        let mut waited = 0;
        loop {
            while let Some(message) = wire::decode(&mut self.bytes)? {
                // A list is many messages with its number, and then the answer.
                let is_item = command == command::CHECKPOINT_LIST && message.kind != command;
                if message.request != Some(request) || is_item {
                    self.events.push(message);
                    continue;
                }
                return match message.error {
                    0 => Ok(message.body),
                    error => Err(wire::error_text(error).to_string()),
                };
            }
            if waited >= PATIENCE {
                return Err("VICE does not answer".to_string());
            }
            self.pump(100)?;
            waited += 100;
        }
    }

    /// Waits for the machine to stop; `None` if it does not within the time.
    pub fn halted(&mut self, milliseconds: u64) -> Result<Option<Halted>, String> {
        let mut waited = 0;
        let mut halted = Halted::default();
        loop {
            while let Some(message) = wire::decode(&mut self.bytes)? {
                self.events.push(message);
            }
            let mut rest = Vec::new();
            for message in std::mem::take(&mut self.events) {
                match (message.kind, message.body.as_slice()) {
                    (kind::CHECKPOINT, [a, b, c, d, 1, ..]) => {
                        halted.hits.push(u32::from_le_bytes([*a, *b, *c, *d]))
                    }
                    (kind::JAM, _) => halted.is_jammed = true,
                    (kind::STOPPED, [low, high]) => {
                        halted.pc = u16::from_le_bytes([*low, *high]);
                        return Ok(Some(halted));
                    }
                    _ => {}
                }
                if message.kind == kind::CHECKPOINT {
                    rest.push(message);
                }
            }
            if waited >= milliseconds {
                // Hits that belong to a stop still to come.
                self.events = rest;
                return Ok(None);
            }
            halted.hits.clear();
            self.events = rest;
            let step = milliseconds.min(20);
            self.pump(step)?;
            waited += step;
        }
    }

    /// Lets the machine run.
    pub fn resume(&mut self) -> Result<(), String> {
        self.events.clear();
        self.call(command::EXIT, &[])?;
        Ok(())
    }

    /// Resets the machine, as its button does.
    pub fn reset(&mut self) -> Result<(), String> {
        self.call(command::RESET, &[0]).map(|_| ())
    }

    /// Loads a file and types `RUN`, as soon as the machine runs and its prompt is there.
    pub fn autostart(&mut self, path: &str) -> Result<(), String> {
        let length = u8::try_from(path.len()).map_err(|_| format!("{path} is too long a path for VICE"))?;
        let mut body = vec![1, 0, 0, length];
        body.extend_from_slice(path.as_bytes());
        let done = self.call(command::AUTOSTART, &body);
        // What came before the answer tells that the command halted the machine, which runs now.
        self.events.clear();
        done.map(|_| ()).map_err(|problem| format!("{path} cannot be started in VICE: {problem}"))
    }

    /// Types on the keyboard.
    pub fn type_text(&mut self, text: &[u8]) -> Result<(), String> {
        let length = u8::try_from(text.len()).map_err(|_| "VICE takes 255 keys at a time".to_string())?;
        let mut body = vec![length];
        body.extend_from_slice(text);
        self.call(command::KEYBOARD, &body).map(|_| ())
    }

    /// Ends VICE.
    pub fn quit(&mut self) -> Result<(), String> {
        self.call(command::QUIT, &[]).map(|_| ())
    }

    /// Begins one instruction; [`Vice::halted`] tells when it is over.
    pub fn advance(&mut self) -> Result<(), String> {
        self.events.clear();
        self.call(command::ADVANCE, &[0, 1, 0]).map(|_| ())
    }

    /// Whether a checkpoint was hit that has not been reported.
    pub fn has_hit(&self) -> bool {
        self.events.iter().any(|event| event.request.is_none() && event.kind == kind::CHECKPOINT)
    }

    pub fn registers(&mut self) -> Result<(Registers, Option<(u16, u16)>), String> {
        let body = self.call(command::REGISTERS_GET, &[0])?;
        let mut values = HashMap::new();
        for item in wire::items(&body) {
            if let [id, low, high] = item {
                values.insert(*id, u16::from_le_bytes([*low, *high]));
            }
        }
        let value = |name: &str| self.registers.get(name).and_then(|id| values.get(id)).copied();
        let byte = |name: &str| value(name).unwrap_or(0) as u8;
        let registers = Registers {
            pc: value("PC").unwrap_or(0),
            a: byte("A"),
            x: byte("X"),
            y: byte("Y"),
            s: byte("SP"),
            p: Status::from_byte(byte("FL")),
        };
        Ok((registers, value("LIN").zip(value("CYC"))))
    }

    pub fn set_registers(&mut self, registers: &Registers) -> Result<(), String> {
        let values = [
            ("PC", registers.pc),
            ("A", u16::from(registers.a)),
            ("X", u16::from(registers.x)),
            ("Y", u16::from(registers.y)),
            ("SP", u16::from(registers.s)),
            ("FL", u16::from(registers.p.byte())),
        ];
        let mut body = vec![0];
        body.extend((values.len() as u16).to_le_bytes());
        for (name, value) in values {
            body.extend([3, self.registers.get(name).copied().unwrap_or(0)]);
            body.extend(value.to_le_bytes());
        }
        self.call(command::REGISTERS_SET, &body).map(|_| ())
    }

    /// All 64 KB as the processor sees them, without side effects.
    pub fn memory(&mut self) -> Result<Vec<u8>, String> {
        self.read(0, 0xffff)
    }

    /// Bytes as the processor sees them, without side effects.
    pub fn read(&mut self, first: u16, last: u16) -> Result<Vec<u8>, String> {
        let mut body = vec![0];
        body.extend(first.to_le_bytes());
        body.extend(last.to_le_bytes());
        body.push(0);
        body.extend(self.bank.to_le_bytes());
        let answer = self.call(command::MEMORY_GET, &body)?;
        match answer.get(2..) {
            Some(bytes) if bytes.len() == usize::from(last - first) + 1 => Ok(bytes.to_vec()),
            _ => Err("VICE sent another amount of memory than it was asked for".to_string()),
        }
    }

    pub fn write(&mut self, address: u16, bytes: &[u8]) -> Result<(), String> {
        let last = usize::from(address) + bytes.len().max(1) - 1;
        let last = u16::try_from(last).map_err(|_| "the bytes run past $FFFF".to_string())?;
        let mut body = vec![0];
        body.extend(address.to_le_bytes());
        body.extend(last.to_le_bytes());
        body.push(0);
        body.extend(self.bank.to_le_bytes());
        body.extend_from_slice(bytes);
        self.call(command::MEMORY_SET, &body).map(|_| ())
    }

    /// A checkpoint; `operation` is 1 load, 2 store, 4 execute. A condition that VICE refuses takes it away again.
    pub fn add_checkpoint(
        &mut self,
        first: u16,
        last: u16,
        operation: u8,
        condition: Option<&str>,
    ) -> Result<u32, String> {
        let mut body = Vec::new();
        body.extend(first.to_le_bytes());
        body.extend(last.to_le_bytes());
        body.extend([1, 1, operation, 0]);
        let answer = self.call(command::CHECKPOINT_SET, &body)?;
        let number = answer.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes));
        let number = number.ok_or("VICE sent no number for a checkpoint")?;
        if let Some(text) = condition {
            let mut body = number.to_le_bytes().to_vec();
            let length =
                u8::try_from(text.len()).map_err(|_| "the condition is too long for VICE".to_string());
            let set = length.and_then(|length| {
                body.push(length);
                body.extend_from_slice(text.as_bytes());
                self.call(command::CONDITION, &body)
            });
            if let Err(problem) = set {
                // VICE keeps the checkpoint, without a condition.
                self.delete_checkpoint(number)?;
                return Err(format!("VICE does not take the condition: {problem}"));
            }
        }
        Ok(number)
    }

    pub fn delete_checkpoint(&mut self, number: u32) -> Result<(), String> {
        self.call(command::CHECKPOINT_DELETE, &number.to_le_bytes()).map(|_| ())
    }

    /// The numbers of all checkpoints.
    pub fn checkpoints(&mut self) -> Result<Vec<u32>, String> {
        self.events.clear();
        let before = self.request + 1;
        self.call(command::CHECKPOINT_LIST, &[])?;
        let own = |message: &Message| message.kind == kind::CHECKPOINT && message.request == Some(before);
        let events = std::mem::take(&mut self.events);
        Ok(events
            .iter()
            .filter(|message| own(message))
            .filter_map(|message| message.body.first_chunk::<4>())
            .map(|bytes| u32::from_le_bytes(*bytes))
            .collect())
    }
}

/// A condition as VICE writes it, with every comparison in brackets; `None` for what VICE cannot express.
pub(crate) fn condition_text(expr: &Expr<DebuggerForm>) -> Option<String> {
    let both = |left, operator, right| {
        Some(format!("({} {operator} {})", condition_text(left)?, condition_text(right)?))
    };
    let is_word = |value: i64| (0..=0xffff).contains(&value);
    Some(match &expr.kind {
        Kind::Number(value) | Kind::Label(_, value) => is_word(*value).then(|| format!("${value:02x}"))?,
        Kind::Register(register) => match register {
            Register::A => "A",
            Register::X => "X",
            Register::Y => "Y",
            Register::Sp => "SP",
            Register::Pc => "PC",
            Register::P => "FL",
        }
        .to_string(),
        Kind::Flag(flag) => format!("((FL & ${:02x}) != $00)", flag.mask()),
        Kind::Beam(Beam::Line) => "RL".to_string(),
        Kind::Beam(Beam::Cycle) => "CY".to_string(),
        Kind::PlaceRead(inner) => match &inner.kind {
            Kind::Number(at) | Kind::Label(_, at) => is_word(*at).then(|| format!("@cpu:${at:04x}"))?,
            _ => return None,
        },
        Kind::Paren(inner) => condition_text(inner)?,
        Kind::Compare(operator, left, right) => both(left, operator.text(), right)?,
        Kind::And(left, right) => both(left, "&&", right)?,
        Kind::Or(left, right) => both(left, "||", right)?,
        Kind::Binary(operator, left, right) => match operator {
            Binary::Add | Binary::Subtract | Binary::And | Binary::Or => both(left, operator.text(), right)?,
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempo_debug::Program;

    #[test]
    fn conditions_are_written_with_brackets_around_every_comparison() {
        let names = |name: &str| (name == "lives").then_some(0x00fb);
        let text = |text: &str| condition_text(Program::compile(text, &names).expect("a condition").expr());
        assert_eq!(text("x == 7").as_deref(), Some("(X == $07)"));
        assert_eq!(text("raster == 100 and x > 16").as_deref(), Some("((RL == $64) && (X > $10))"));
        assert_eq!(text("[lives] == $21").as_deref(), Some("(@cpu:$00fb == $21)"));
        assert_eq!(text("c == true").as_deref(), Some("(((FL & $01) != $00) == $01)"));
        assert_eq!(text("x in 1..3"), None);
    }
}
