//! "Who wrote this?": the instruction that made a byte, a register or a flag what it is now, found by running the past
//! again; and the values that instruction used, which can be asked for in turn.

use std::ops::ControlFlow;

use tempo_emu::{Access, Registers, disassemble};
use tempo_isa::{Flow, Parts};

use crate::calls::Call;
use crate::debugger::Debugger;
use crate::hook::{Flags, Judge, Now, Touch, WRITE};

/// The subjects of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A byte of memory.
    Byte(u16),
    /// A register: `a`, `x`, `y` or `s`.
    Register(char),
    /// A flag, by its bit in P.
    Flag(u8),
}

impl Subject {
    /// `a`, `x`, `y`, `sp`, a flag by its letter or as it is shown. Addresses are the caller's to find.
    pub fn parse(text: &str) -> Option<Subject> {
        let text = text.trim().to_ascii_lowercase();
        Some(match text.strip_prefix("flag ").unwrap_or(&text) {
            "a" => Subject::Register('a'),
            "x" => Subject::Register('x'),
            "y" => Subject::Register('y'),
            "sp" | "s" => Subject::Register('s'),
            flag => Subject::Flag(tempo_expressions::ast::Flag::parse(flag)?.mask()),
        })
    }

    fn parts(self) -> Parts {
        match self {
            Subject::Byte(_) => Parts::NONE,
            Subject::Register('a') => Parts::A,
            Subject::Register('x') => Parts::X,
            Subject::Register('y') => Parts::Y,
            Subject::Register(_) => Parts::S,
            Subject::Flag(mask) => Parts::flags(mask),
        }
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Subject::Byte(address) => write!(f, "${address:04X}"),
            Subject::Register('s') => f.write_str("SP"),
            Subject::Register(name) => write!(f, "{}", name.to_ascii_uppercase()),
            Subject::Flag(mask) => {
                let name = "NV-BDIZC".chars().nth(mask.leading_zeros() as usize).unwrap_or('?');
                write!(f, "flag {name}")
            }
        }
    }
}

/// Who made a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Writer {
    /// An instruction.
    Instruction(Box<Origin>),
    /// The text of a test, or the user, at this time.
    Outside {
        /// When.
        time: u64,
        /// The value it stored.
        value: u8,
    },
    /// No writer: it has been so since the start.
    Nobody,
}

/// The instruction that made a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The moment before it ran, for [`Debugger::go_to`].
    pub time: u64,
    /// Cycles at that moment.
    pub cycles: u64,
    /// Its address.
    pub pc: u16,
    /// Its text.
    pub text: String,
    /// The value it made.
    pub value: u8,
    /// The registers before it.
    pub registers: Registers,
    /// The calls it was in, outermost first.
    pub calls: Vec<Call>,
    /// The input it used, and its value.
    pub uses: Vec<(Subject, u8)>,
}

impl Debugger {
    /// Who made the value that a subject has now.
    pub fn why(&self, subject: Subject) -> Writer {
        self.why_at(subject, self.time())
    }

    /// Who made the value that a subject had at a time.
    pub fn why_at(&self, subject: Subject, time: u64) -> Writer {
        let mut flags = Flags::default();
        if let Subject::Byte(address) = subject {
            flags.add(address, WRITE);
        }
        let cpu = self.now.machine.isa();
        let found = self.search_back(time, |debugger, moment, end| {
            let mut judge = LastWrite { subject, cpu, last: None, current: None, end };
            match subject {
                Subject::Byte(_) => debugger.history().replay::<true>(moment, &mut judge, &flags, end),
                _ => debugger.history().replay::<false>(moment, &mut judge, &flags, end),
            };
            judge.finish(end);
            judge.last
        });
        match found {
            None => Writer::Nobody,
            Some(Found::Outside(time, value)) => Writer::Outside { time, value },
            Some(Found::Instruction(at)) => Writer::Instruction(Box::new(self.origin(subject, at))),
        }
    }

    /// The last conditional branch before a time, other than those at some addresses: with the values that an instruction
    /// used, it tells why that instruction ran. The value is 1 if the branch was taken.
    pub fn branch_before(&self, time: u64, others: &[u16]) -> Option<Origin> {
        let cpu = self.now.machine.isa();
        let at = self.search_back(time, |debugger, moment, end| {
            let mut judge = LastBranch { cpu, others, end, last: None };
            debugger.history().replay::<false>(moment, &mut judge, &Flags::default(), end);
            judge.last
        })?;
        let mut origin = self.origin(Subject::Register('a'), at);
        let bytes = [0, 1, 2].map(|offset| self.byte_at(at, origin.pc.wrapping_add(offset)));
        let after = self.history().at(at + 1).machine.registers().pc;
        origin.value = u8::from(after != disassemble(cpu, origin.pc, bytes).next());
        Some(origin)
    }

    /// The byte that was at an address at a time.
    pub fn byte_at(&self, time: u64, address: u16) -> u8 {
        self.history().at(time).machine.peek(address)
    }

    /// Runs the instruction once more, to see what it used.
    fn origin(&self, subject: Subject, time: u64) -> Origin {
        let mut moment = self.history().at(time);
        let registers = *moment.machine.registers();
        let calls = moment.calls.frames.to_vec();
        let (pc, cycles) = (registers.pc, moment.machine.cycles());
        let bytes = [0, 1, 2].map(|offset| moment.machine.peek(pc.wrapping_add(offset)));
        let row = disassemble(moment.machine.isa(), pc, bytes);
        let text = row.with_labels(&self.names).to_string();
        let mut judge = Once { start: time, touches: Vec::new() };
        self.history().replay::<true>(&mut moment, &mut judge, &Flags::default(), time + 1);
        let value = match subject {
            Subject::Byte(address) => (judge.touches.iter().rev())
                .find(|touch| touch.is_write && touch.address == address)
                .map_or(0, |touch| touch.value),
            Subject::Register(name) => {
                let now = moment.machine.registers();
                match name {
                    'a' => now.a,
                    'x' => now.x,
                    'y' => now.y,
                    _ => now.s,
                }
            }
            Subject::Flag(mask) => u8::from(moment.machine.registers().p.byte() & mask != 0),
        };
        let mut uses = Vec::new();
        let effects = moment.machine.isa().decode(bytes[0]).effects;
        // The stack pointer of a push or pull is an address, not a value that goes into the result.
        let reads = if effects.stack == 0 { effects.reads } else { effects.reads.without(Parts::S) };
        let Registers { a, x, y, s, .. } = registers;
        for (part, name, value) in
            [(Parts::A, 'a', a), (Parts::X, 'x', x), (Parts::Y, 'y', y), (Parts::S, 's', s)]
        {
            if reads.meets(part) {
                uses.push((Subject::Register(name), value));
            }
        }
        for mask in [0x01, 0x02, 0x40, 0x80] {
            if reads.meets(Parts::flags(mask)) {
                uses.push((Subject::Flag(mask), u8::from(registers.p.byte() & mask != 0)));
            }
        }
        for touch in &judge.touches {
            let is_value = matches!(touch.access, Access::Data | Access::Pointer | Access::Stack);
            if !touch.is_write && is_value {
                uses.push((Subject::Byte(touch.address), touch.value));
            }
        }
        Origin { time, cycles, pc, text, value, registers, calls, uses }
    }
}

#[derive(Debug, Clone, Copy)]
enum Found {
    Instruction(u64),
    Outside(u64, u8),
}

/// The last instruction that wrote the subject.
struct LastWrite {
    subject: Subject,
    cpu: tempo_isa::Cpu,
    last: Option<Found>,
    /// The instruction that runs, and whether it writes the subject.
    current: Option<(u64, bool)>,
    end: u64,
}

impl LastWrite {
    fn finish(&mut self, time: u64) {
        if let Some((began, true)) = self.current.take()
            && time <= self.end
        {
            self.last = Some(Found::Instruction(began));
        }
    }
}

impl Judge for LastWrite {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        self.finish(now.time);
        let writes = match self.subject {
            Subject::Byte(_) => false,
            subject => {
                let row = self.cpu.decode((now.look)(now.registers.pc));
                row.effects.writes.meets(subject.parts())
            }
        };
        self.current = Some((now.time, writes));
        ControlFlow::Continue(())
    }

    fn touch(&mut self, touch: Touch) {
        if touch.is_write
            && self.subject == Subject::Byte(touch.address)
            && let Some((_, writes)) = &mut self.current
        {
            *writes = true;
        }
    }

    fn poke(&mut self, address: u16, value: u8, time: u64) {
        self.finish(time);
        if self.subject == Subject::Byte(address) {
            self.last = Some(Found::Outside(time, value));
        }
    }

    fn sees_all(&self) -> bool {
        true
    }
}

/// The last conditional branch that ran.
struct LastBranch<'a> {
    cpu: tempo_isa::Cpu,
    others: &'a [u16],
    end: u64,
    last: Option<u64>,
}

impl Judge for LastBranch<'_> {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        let pc = now.registers.pc;
        if now.time < self.end
            && self.cpu.decode((now.look)(pc)).effects.flow == Flow::Branch
            && !self.others.contains(&pc)
        {
            self.last = Some(now.time);
        }
        ControlFlow::Continue(())
    }

    fn sees_all(&self) -> bool {
        true
    }
}

/// The accesses of one instruction.
struct Once {
    start: u64,
    touches: Vec<Touch>,
}

impl Judge for Once {
    fn instruction(&mut self, now: &Now<'_>) -> ControlFlow<()> {
        if now.time > self.start { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn touch(&mut self, touch: Touch) {
        self.touches.push(touch);
    }
    fn sees_all(&self) -> bool {
        true
    }
}
