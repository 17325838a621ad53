//! The statements of a test, one after the other.

use std::sync::Arc;

use tempo_diagnostics::hex_bytes;
use tempo_emu::{Registers, Status};
use tempo_expressions::Kind;
use tempo_random::{Random, seed_of};
use tempo_rig::{Feed, MOST_AT_ONCE, Wire};

use super::assertion::dump;
use super::context::{Context, Stub};
use super::describe;
use crate::ast::{Encoding, Register, Width};
use crate::eval::wrap;
use crate::events::{Purpose, Reason};
use crate::layout::{Layout, PIECE_TABLE};
use crate::parse::Dialect;
use crate::plan::{Board, Call, Double, Expr, Form, Kept, Step, StepKind, Template, Value};

impl<'a> Context<'a> {
    pub(super) fn run_steps(&mut self, steps: &'a [Step]) {
        for step in steps {
            if self.ended {
                return;
            }
            self.span = step.span;
            self.record(|_| tempo_rig::Action::Statement(step.span));
            self.run_step(step);
        }
    }

    fn run_step(&mut self, step: &'a Step) {
        match &step.kind {
            StepKind::Assert { condition, text } => self.assert(condition, text.as_ref()),
            StepKind::SetRegister { register, value } => self.set_register(*register, value),
            StepKind::SetFlag { flag, value } => {
                let number = self.number(value);
                let on = match self.options.dialect {
                    Dialect::Full => number != 0,
                    // Only these two spellings set a flag in sim6502.
                    Dialect::Base => matches!(self.source.slice(value.span), "true" | "1"),
                };
                let p = &mut self.machine.registers.p;
                *p = if on { p.with(flag.mask()) } else { p.without(flag.mask()) };
            }
            StepKind::Store { target, value } => self.store(target, value),
            StepKind::Jsr(call) => self.call(call),
            StepKind::MemFill { from, count, value } => self.memfill(from, count, value),
            StepKind::MemDump { from, count, encoding } => self.memdump(from, count, *encoding),
            StepKind::Snapshot { name, from, count, encoding, references } => {
                self.compare_snapshot(name, from, count, *encoding, references);
            }
            StepKind::Forall(forall) => self.forall(forall),
            StepKind::Equivalent(one) => self.equivalent(one),
            StepKind::Call(call) => self.run_procedure(call),
            StepKind::Double(double) => self.install(double),
            // Captures are taken by the stub that runs; see `call`.
            StepKind::Capture(_) => {}
            StepKind::Fen { board, text } => self.set_board(board, text),
            StepKind::PutBytes { to, values, width } => self.put_bytes(to, values, *width),
            StepKind::PutText { to, text, encoding } => {
                let Some(address) = self.address(to, "the address") else { return };
                let Some(text) = self.text(text) else {
                    self.fail_range("there is no text to store");
                    return;
                };
                for (offset, byte) in encode(&text, *encoding).into_iter().enumerate() {
                    self.poke(address.wrapping_add(offset as u16), byte);
                }
            }
            StepKind::PutFile { to, bytes } => {
                let Some(address) = self.address(to, "the address") else { return };
                for (offset, &byte) in bytes.iter().enumerate() {
                    self.poke(address.wrapping_add(offset as u16), byte);
                }
            }
            StepKind::Copy { to, from, count } => self.copy(to, from, count),
            StepKind::Random { to, count, seed } => {
                let Some(address) = self.address(to, "the address") else { return };
                let count = self.number(count).clamp(0, 0x10000);
                let seed = match seed {
                    Some(seed) => self.number(seed) as u64,
                    None => self.options.seed ^ seed_of(&self.test.id),
                };
                let mut random = Random::new(seed);
                for offset in 0..count {
                    self.poke(address.wrapping_add(offset as u16), random.next_u64() as u8);
                }
            }
            StepKind::Interrupt { line, at } => {
                let at = self.number(at);
                match u64::try_from(at) {
                    Ok(_) if self.interrupts.len() >= MOST_AT_ONCE => {
                        self.fail_range(format!(
                            "more than {MOST_AT_ONCE} interrupts wait for the next call"
                        ));
                    }
                    Ok(at) => self.interrupts.push(Wire { line: *line, at, is_served: false }),
                    Err(_) => self.fail_range(format!("the cycle of the interrupt is {at}, below 0")),
                }
            }
            StepKind::Frames(count) => self.run_frames(count),
            StepKind::Keys(script) => self.type_keys(script),
            StepKind::Joystick { port, switches } => self.move_joystick(port, switches),
            StepKind::Pointer { pointer, arguments } => self.point(*pointer, arguments),
            StepKind::Cartridge(cartridge) => {
                self.executed = true;
                self.machine.plug((**cartridge).clone());
                self.record(|context| tempo_rig::Action::Machine(Arc::new(context.machine.clone())));
            }
            StepKind::Disk(volume) => {
                self.machine.insert_disk((**volume).clone());
                self.record(|context| tempo_rig::Action::Machine(Arc::new(context.machine.clone())));
            }
            StepKind::Screenshot { name, tolerance, references } => {
                self.compare_picture(name, tolerance.as_ref(), references);
            }
            StepKind::Backend(step) if self.machine.system.is_whole() && self.run_backend(step) => {}
            StepKind::Backend(step) => {
                self.executed |= matches!(step.name.as_str(), "basic" | "run" | "uci");
                self.fail(Reason::Backend, describe::needs_backend(&step.name));
            }
        }
    }

    fn run_procedure(&mut self, call: &'a Call) {
        let values: Vec<Value> = call
            .arguments
            .iter()
            .map(|argument| match argument.kind {
                Kind::Form(Form::Text(_)) => Value::Text(self.text(argument).unwrap_or_default()),
                _ => Value::Number(self.number(argument)),
            })
            .collect();
        let (span, bound) = (self.span, self.variables.len());
        self.variables.extend(values);
        self.callers.push(span);
        self.run_steps(&call.body);
        self.callers.pop();
        self.variables.truncate(bound);
        self.span = span;
    }

    /// An address in 0…65535; anything else is reported.
    pub(super) fn address(&mut self, expr: &Expr, what: &str) -> Option<u16> {
        let failures = self.failures.len();
        let value = self.number(expr);
        if self.failures.len() > failures && value == 0 {
            return None;
        }
        match u16::try_from(value) {
            Ok(address) => Some(address),
            Err(_) => {
                self.fail_range(format!("{what} is {value}, outside 0…65535"));
                None
            }
        }
    }

    fn set_register(&mut self, register: Register, value: &Expr) {
        let number = self.number(value);
        if number > 255 {
            self.fail(
                Reason::DoesNotFit,
                format!("{number} (${number:X}) does not fit in `{}`", register.name()),
            );
            return;
        }
        set_register(&mut self.machine.registers, register, number as u8);
    }

    /// One byte up to 255, two above: the value decides, not its spelling.
    fn store(&mut self, target: &Expr, value: &Expr) {
        let lone_symbol = matches!(target.kind, Kind::Label(..));
        let unchecked = lone_symbol && self.options.dialect == Dialect::Base;
        let address = if unchecked {
            wrap(self.number(target))
        } else {
            match self.address(target, "the address") {
                Some(address) => address,
                None => return,
            }
        };
        let number = self.number(value);
        if !unchecked && (number > 0xffff || (number < 0 && !lone_symbol)) {
            self.fail_range(format!("the value {number} does not fit in two bytes"));
            return;
        }
        self.poke(address, number as u8);
        if number > 255 {
            self.poke(address.wrapping_add(1), (number >> 8) as u8);
        }
    }

    fn memfill(&mut self, from: &Expr, count: &Expr, value: &Expr) {
        let Some(from) = self.address(from, "the start of the range") else { return };
        let count = self.number(count);
        let value = self.number(value) as u8;
        let room = 0x10000 - i64::from(from);
        if count > room {
            self.warn(format!("memfill of {count} bytes from ${from:04X} stops at $FFFF"));
        }
        for offset in 0..count.clamp(0, room) {
            self.poke(from + offset as u16, value);
        }
    }

    fn memdump(&mut self, from: &Expr, count: &Expr, encoding: Encoding) {
        let Some(from) = self.address(from, "the start of the range") else { return };
        let count = self.number(count);
        let room = 0x10000 - i64::from(from);
        if count > room {
            self.warn(format!("memdump of {count} bytes from ${from:04X} stops at $FFFF"));
        }
        let count = count.clamp(0, room) as usize;
        if count == 0 {
            return;
        }
        let bytes: Vec<u8> =
            (0..count).map(|offset| self.machine.peek(from.wrapping_add(offset as u16))).collect();
        let label =
            self.test.place.names.at(i64::from(from)).map_or(String::new(), |name| format!(" ({name})"));
        self.print(format!("[memdump] ${from:04X}{label}, {count} bytes:"));
        for (line, chunk) in bytes.chunks(8).enumerate() {
            let hex = hex_bytes(chunk);
            let text: String = chunk.iter().map(|&byte| crate::snapshot::shown(byte, encoding)).collect();
            self.print(format!("{:04X}: {hex:<24}|  {text}|", usize::from(from) + line * 8));
        }
    }

    /// `snapshot("…", from, count)`: compares memory with a file, or writes it.
    fn compare_snapshot(
        &mut self,
        name: &Template,
        from: &Expr,
        count: &Expr,
        encoding: Encoding,
        references: &[Kept],
    ) {
        let Some(from) = self.address(from, "the start of the range") else { return };
        let count = self.number(count);
        if let Err(message) = crate::snapshot::check_range(from.into(), count) {
            self.fail_range(message);
            return;
        }
        let found: Vec<u8> = (0..count).map(|offset| self.machine.peek(from + offset as u16)).collect();
        let name = name.fill(&self.variables);
        let Some(kept) = references.iter().find(|kept| kept.name == name) else { return };
        if kept.bytes.as_ref() == Some(&found) {
            return;
        }
        if self.options.update {
            let text = crate::snapshot::write(&found, encoding).into_bytes();
            self.leave_file(&kept.path, text, Purpose::Update);
            return;
        }
        let expected = kept.bytes.as_deref().unwrap_or_default();
        let differing = found.iter().zip(expected).filter(|(one, two)| one != two).count();
        let message = match found.len() == expected.len() {
            true => format!("snapshot `{name}` differs in {differing} of {} bytes", expected.len()),
            false => format!("snapshot `{name}` has {} bytes, {} are there now", expected.len(), found.len()),
        };
        let detail = dump(Some(from), &found, expected);
        let path = kept.path.clone();
        if let Some(failure) = self.fail(Reason::Snapshot, message) {
            failure.detail = detail;
            failure.detail.push(format!("kept in {path}; `tempo test --update` takes it anew"));
        }
    }

    /// All bytes are read before the first is written, so ranges may overlap.
    fn copy(&mut self, to: &Expr, from: &Expr, count: &Expr) {
        let Some(to) = self.address(to, "the address") else { return };
        let Some(from) = self.address(from, "the address") else { return };
        let count = self.number(count).clamp(0, 0x10000);
        let bytes: Vec<u8> =
            (0..count).map(|offset| self.machine.peek(from.wrapping_add(offset as u16))).collect();
        for (offset, byte) in bytes.into_iter().enumerate() {
            self.poke(to.wrapping_add(offset as u16), byte);
        }
    }

    fn put_bytes(&mut self, to: &Expr, values: &[Expr], width: Width) {
        let Some(mut address) = self.address(to, "the address") else { return };
        for value in values {
            let number = self.number(value);
            let limit = if width == Width::Byte { 0xff } else { 0xffff };
            if number > limit || number < -(limit + 1) / 2 {
                self.fail(Reason::DoesNotFit, format!("{number} (${number:X}) does not fit"));
                return;
            }
            for offset in 0..width.bytes() {
                self.poke(address, (number >> (8 * offset)) as u8);
                address = address.wrapping_add(1);
            }
        }
    }

    /// Puts a stub, a spy or an answering address in place.
    pub(super) fn install(&mut self, double: &'a Double) {
        match double {
            Double::Stub { at, body } => {
                let Some(at) = self.address(at, "the stub's address") else { return };
                self.stubs.retain(|stub| stub.at != at);
                self.stubs.push(Stub { at, body, variables: self.variables.clone() });
                if let Some(probe) = &mut self.probe {
                    probe.add_stub(at);
                }
            }
            Double::Spy { at } => {
                let Some(at) = self.address(at, "the spy's address") else { return };
                if let Some(probe) = &mut self.probe {
                    probe.add_spy(at);
                }
            }
            Double::Io { at, values } => {
                let Some(address) = self.address(at, "the address") else { return };
                let values: Vec<u8> = values.iter().map(|value| self.number(value) as u8).collect();
                self.feeds.retain(|feed| feed.address != address);
                if self.feeds.len() >= MOST_AT_ONCE {
                    return self.fail_range(format!("more than {MOST_AT_ONCE} addresses have answers"));
                }
                self.feeds.push(Feed { address, values, next: 0 });
                // What a read gets from outside is not uninitialised.
                if let Some(probe) = &mut self.probe {
                    probe.mark_set(address, 1, false);
                }
            }
        }
    }

    /// The layout of a board, its cells from memory when the suite names a table.
    pub(super) fn layout(&mut self, board: &Board) -> Option<Layout> {
        let mut layout = (*board.layout).clone();
        if let Some(table) = &board.pieces {
            let table = self.address(table, "the piece table")?;
            let byte = |index: usize| self.machine.peek(table.wrapping_add(index as u16));
            layout.cells =
                PIECE_TABLE.chars().enumerate().map(|(index, letter)| (letter, byte(index))).collect();
        }
        Some(layout)
    }

    fn set_board(&mut self, board: &Board, text: &Expr) {
        let Some(base) = self.address(&board.base, "the board's address") else { return };
        let Some(layout) = self.layout(board) else { return };
        let Some(text) = self.text(text) else {
            self.fail_range("a board is set from a text");
            return;
        };
        let mut stores = Vec::new();
        let written = layout.parse(&text).and_then(|position| {
            layout.write(i64::from(base), &position, &mut |at, byte| stores.push((at, byte)))
        });
        if let Err(message) = written {
            self.fail_range(message);
            return;
        }
        for (at, byte) in stores {
            self.poke(at, byte);
        }
    }
}

/// Printable ASCII, anything else a dot.
pub(super) fn printable(byte: u8) -> char {
    if (0x20..=0x7e).contains(&byte) { byte as char } else { '.' }
}

/// The bytes of a text. `\r`, `\n`, `\t`, `\0` and `\xNN` are control bytes in every encoding.
pub(super) fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    use tempo_formats::encoding::Encoding as Codes;
    // The upper-case set is what the machine starts with; small letters exist only in the other one.
    let mixed = text.chars().any(|c| c.is_ascii_lowercase());
    let codes = match (encoding, mixed) {
        (Encoding::Ascii, _) => Codes::Ascii,
        (Encoding::Petscii, true) => Codes::PetsciiMixed,
        (Encoding::Petscii, false) => Codes::PetsciiUpper,
        (Encoding::Screen, true) => Codes::ScreencodeMixed,
        (Encoding::Screen, false) => Codes::ScreencodeUpper,
    };
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.push(codes.encode(c));
            continue;
        }
        let rest = chars.as_str();
        match chars.next() {
            Some('r') => bytes.push(13),
            Some('n') => bytes.push(10),
            Some('t') => bytes.push(9),
            Some('0') => bytes.push(0),
            Some('x') => match rest.get(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                Some(byte) => {
                    bytes.push(byte);
                    chars = rest[3..].chars();
                }
                None => bytes.extend([codes.encode('\\'), codes.encode('x')]),
            },
            Some(other) => bytes.extend([codes.encode('\\'), codes.encode(other)]),
            None => bytes.push(codes.encode('\\')),
        }
    }
    bytes
}

/// Sets a register from the test text. The program counter is set by calls only.
fn set_register(registers: &mut Registers, register: Register, value: u8) {
    match register {
        Register::A => registers.a = value,
        Register::X => registers.x = value,
        Register::Y => registers.y = value,
        Register::Sp => registers.s = value,
        Register::P => registers.p = Status::from_byte(value),
        Register::Pc => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn texts_in_three_encodings() {
        assert_eq!(encode("OK\\r", Encoding::Ascii), [0x4f, 0x4b, 0x0d]);
        assert_eq!(encode("HI", Encoding::Petscii), [0x48, 0x49]);
        assert_eq!(encode("HI", Encoding::Screen), [0x08, 0x09]);
        assert_eq!(encode("Hi", Encoding::Petscii), [0xc8, 0x49]);
        assert_eq!(encode("\\x1f\\q\\", Encoding::Ascii), [0x1f, 0x5c, 0x71, 0x5c]);
    }
}
