//! Shorter and faster code that does the same: sequences are tried from the shortest on, on the emulator with a few states,
//! and what agrees in all of them is proved equal before it is shown.
//!
//! Knows no source text and no liveness: the caller says what must be the same afterwards.

use std::collections::HashMap;
use std::sync::Arc;

use tempo_emu::{Nmos, Ram, Registers, Status, Until};
use tempo_isa::{Class, Cpu, Instruction, Mnemonic, Mode, Stability, Standing};
use tempo_random::Random;

use crate::claim::{Expr, Place, Register, When};
use crate::decide::{Answered, Cycles, Verdict, decide};
use crate::known::Known;
use crate::limits::Limits;
use crate::question::{Claim, Input, Question, Routine};
use crate::runner::{ENTRY_LEVEL, Outcome, Runner, Unknowns, set_register};

/// Code that is to be replaced, and what is known around it.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Memory with the program in it.
    pub known: Known,
    /// The first instruction of the code.
    pub at: u16,
    /// Its bytes, without the `rts` at the end.
    pub len: u16,
    /// Registers and flags that are read afterwards.
    pub live: Vec<Register>,
    /// Bytes of memory that are read afterwards.
    pub live_bytes: Vec<u16>,
    /// Registers and flags with a known value before, D among them if it is known.
    pub given: Vec<(Register, u8)>,
    /// Undocumented opcodes that are stable may be used.
    pub undocumented: bool,
    pub goal: Goal,
    /// The most instructions of a replacement.
    pub longest: usize,
    /// Instructions tried before the search ends.
    pub work: u64,
    pub limits: Limits,
}

/// The cost to reduce first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    Bytes,
    Cycles,
}

/// The cost of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    pub bytes: u32,
    /// The most cycles.
    pub cycles: u64,
}

/// A replacement.
#[derive(Debug, Clone)]
pub struct Shorter {
    pub code: Vec<u8>,
    pub cost: Cost,
    /// The proof that it is equal.
    pub proof: Answered,
}

/// The end of a search.
#[derive(Debug, Clone)]
pub struct Searched {
    /// The code as it is.
    pub before: Cost,
    pub best: Option<Shorter>,
    /// Instructions tried.
    pub work: u64,
    /// All sequences up to this many instructions were tried.
    pub complete: usize,
    /// Why nothing can be said about the code itself.
    pub reason: Option<String>,
}

/// An instruction of a candidate, perhaps skipped by a branch.
#[derive(Debug, Clone, Copy)]
struct Item {
    bytes: [u8; 3],
    len: u8,
    cycles: u8,
    /// The branch over it.
    skip: Option<u8>,
}

impl Item {
    fn cost(&self) -> Cost {
        let branch = u32::from(self.skip.is_some()) * 2;
        let cycles = match self.skip {
            Some(_) => (2 + u64::from(self.cycles)).max(3),
            None => u64::from(self.cycles),
        };
        Cost { bytes: u32::from(self.len) + branch, cycles }
    }

    fn append(&self, code: &mut Vec<u8>) {
        if let Some(branch) = self.skip {
            code.extend([branch, self.len]);
        }
        code.extend(&self.bytes[..usize::from(self.len)]);
    }
}

/// States that a sequence begins with.
const STATES: usize = 16;
/// Bytes below the stack pointer that candidates may use.
const STACK: usize = 3;
/// Where candidates are executed, one instruction after the other; far from everything that code usually touches.
const SCRATCH: [u16; 3] = [0x0280, 0xcf00, 0x9f00];
/// Sequences up to this length may have a branch.
const SHORT: usize = 3;
/// Sequences that are remembered, so that none is continued that another one has reached cheaper.
const REMEMBERED: usize = 3_000_000;

/// The state that a candidate can change: registers, and the bytes that are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Snapshot {
    registers: Registers,
    bytes: [u8; MOST_PLACES + STACK],
}

/// Bytes of memory that a search looks at.
const MOST_PLACES: usize = 12;

/// Looks for code that costs less and does the same. `progress` is told the length that is tried and the work so far.
pub fn search(subject: &Subject, progress: &mut dyn FnMut(usize, u64)) -> Searched {
    let mut searched = Searched {
        before: Cost { bytes: u32::from(subject.len), cycles: 0 },
        best: None,
        work: 0,
        complete: 0,
        reason: None,
    };
    let cycles = match cost(subject, &subject.known) {
        Ok(cycles) => cycles,
        Err(reason) => {
            searched.reason = Some(reason);
            return searched;
        }
    };
    searched.before.cycles = cycles.max;
    let mut hunt = match Hunt::new(subject, searched.before) {
        Ok(hunt) => hunt,
        Err(reason) => {
            searched.reason = Some(reason);
            return searched;
        }
    };
    for length in 0..=subject.longest {
        progress(length, hunt.work);
        hunt.seen.clear();
        let start = hunt.starts.clone();
        hunt.extend(&start, length, Cost { bytes: 0, cycles: 0 });
        if hunt.work >= subject.work {
            break;
        }
        searched.complete = length;
    }
    (searched.work, searched.best) = (hunt.work, hunt.best);
    searched
}

/// Registers and flags that are not looked at and differ after a replacement, for some input at least.
pub(crate) fn differing(subject: &Subject, code: &[u8]) -> Vec<Register> {
    let all = [Register::A, Register::X, Register::Y, Register::N, Register::V, Register::Z, Register::C];
    let differs = |register: &Register| {
        let (name, value) = (register.name().to_string(), Expr::Register(*register));
        let claim = Claim::Equal(vec![(name, value.clone(), value)]);
        let known = vec![subject.known.clone(), replaced(subject, code)];
        decide(&question(subject, known, claim)).verdict != Verdict::Proved
    };
    all.into_iter().filter(|register| !subject.live.contains(register) && differs(register)).collect()
}

/// A question about the code: its cycles, without the `rts`.
fn cost(subject: &Subject, known: &Known) -> Result<Cycles, String> {
    let question = question(subject, vec![known.clone()], Claim::Cycles);
    let answer = decide(&question);
    match (answer.verdict, answer.cycles) {
        (Verdict::Proved, Some(mut cycles)) => {
            cycles.min -= 6;
            cycles.max -= 6;
            Ok(cycles)
        }
        (verdict, _) => {
            let reason = answer.reason.unwrap_or_else(|| "it does not return for all inputs".to_string());
            Err(format!("its cycles are {}: {reason}", verdict.name()))
        }
    }
}

fn question(subject: &Subject, known: Vec<Known>, claim: Claim) -> Question {
    let is_decimal_known = subject.given.iter().any(|(register, _)| *register == Register::D);
    let mut inputs = Vec::new();
    let mut places = Vec::new();
    if !is_decimal_known {
        inputs.push(Input { name: "D".to_string(), lo: 0, hi: 1, is_ghost: false, width: 1 });
        places.push(Place::Register(Register::D));
    }
    let routines = known.into_iter().map(|known| Routine {
        name: String::new(),
        entry: subject.at,
        known: Arc::new(known),
        registers: subject.given.clone(),
        places: places.clone(),
        stack: ENTRY_LEVEL,
        script: None,
    });
    Question {
        routines: routines.collect(),
        inputs,
        assume: Vec::new(),
        claim,
        limits: subject.limits.clone(),
    }
}

/// The program with other code in place of the subject's, which an `rts` follows.
fn replaced(subject: &Subject, code: &[u8]) -> Known {
    let mut known = subject.known.clone();
    for (address, &byte) in (subject.at..=0xffff).zip(code.iter().chain(&[tempo_isa::opcodes::RTS])) {
        known.insert(address, byte);
    }
    known
}

struct Hunt<'a> {
    subject: &'a Subject,
    items: Vec<Item>,
    /// Addresses that are looked at, the stack last.
    places: Vec<u16>,
    /// The live ones, by their number.
    live_places: Vec<usize>,
    ram: Ram,
    scratch: u16,
    starts: Vec<Snapshot>,
    goals: Vec<Snapshot>,
    best: Option<Shorter>,
    /// Nothing above this is of use.
    limit: Cost,
    before: Cost,
    sequence: Vec<Item>,
    /// States that told earlier candidates apart, with their goals.
    refuting: Vec<(Snapshot, Snapshot)>,
    /// The first items are plain; branches over one of them follow.
    plain: usize,
    seen: HashMap<u64, Cost>,
    work: u64,
    random: Random,
}

impl<'a> Hunt<'a> {
    fn new(subject: &'a Subject, before: Cost) -> Result<Hunt<'a>, String> {
        let code: Vec<u8> =
            (0..subject.len).map(|offset| subject.known.get(subject.at + offset).unwrap_or(0)).collect();
        let (mut places, mut items) = vocabulary(&code, subject)?;
        let plain = items.len();
        for branch in BRANCHES {
            items.extend_from_within(..plain);
            items.iter_mut().rev().take(plain).for_each(|item| item.skip = Some(branch));
        }
        for &address in &subject.live_bytes {
            if !places.contains(&address) {
                places.push(address);
            }
        }
        if places.len() > MOST_PLACES {
            return Err(format!("it uses more than {MOST_PLACES} bytes of memory"));
        }
        let live_places =
            (0..places.len()).filter(|&number| subject.live_bytes.contains(&places[number])).collect();
        places.extend((0..STACK as u16).map(|offset| 0x0100 + u16::from(ENTRY_LEVEL) - offset));
        let far = |at: &u16| places.iter().all(|place| place.abs_diff(*at) > 8);
        let scratch = SCRATCH.into_iter().find(far).unwrap_or(SCRATCH[0]);
        let mut ram = Ram::new();
        for address in 0..=0xffff {
            ram[address] = subject.known.get(address).unwrap_or(0);
        }
        let mut hunt = Hunt {
            subject,
            items,
            places,
            live_places,
            ram,
            scratch,
            starts: Vec::new(),
            goals: Vec::new(),
            best: None,
            limit: before,
            before,
            sequence: Vec::new(),
            refuting: Vec::new(),
            plain,
            seen: HashMap::new(),
            work: 0,
            random: Random::new(0x5407),
        };
        for number in 0..STATES {
            let start = hunt.state(number);
            hunt.add(start)?;
        }
        Ok(hunt)
    }

    /// A state with values at which code often differs.
    fn state(&mut self, number: usize) -> Snapshot {
        const CORNERS: [u8; 8] = [0x00, 0xff, 0x7f, 0x80, 0x01, 0xfe, 0x99, 0x0a];
        let random = &mut self.random;
        let mut byte = || match random.below(3) {
            0 => *random.pick(&CORNERS),
            _ => random.next_u8(),
        };
        let mut registers =
            Registers { a: byte(), x: byte(), y: byte(), s: ENTRY_LEVEL, ..Registers::default() };
        let mut bytes = [0; MOST_PLACES + STACK];
        bytes[..self.places.len()].iter_mut().for_each(|place| *place = byte());
        let mut p = Status::from_byte(byte()).with(Status::I);
        p = if number.is_multiple_of(4) { p.with(Status::D) } else { p.without(Status::D) };
        registers.p = p;
        for &(register, value) in &self.subject.given {
            set_register(&mut registers, register, value);
        }
        Snapshot { registers, bytes }
    }

    /// Adds a state, and what the code makes of it.
    fn add(&mut self, start: Snapshot) -> Result<(), String> {
        let question = question(self.subject, vec![self.subject.known.clone()], Claim::Ends);
        let mut runner: Runner<'_> = Runner::new(&question.routines[0], self.subject.limits.max_cycles);
        let p = start.registers.p;
        let flag = |mask: u8| u8::from(p.has(mask));
        let r = start.registers;
        let registers = vec![
            (Register::A, r.a),
            (Register::X, r.x),
            (Register::Y, r.y),
            (Register::N, flag(Status::N)),
            (Register::V, flag(Status::V)),
            (Register::Z, flag(Status::Z)),
            (Register::C, flag(Status::C)),
        ];
        let memory = self.places.iter().copied().zip(start.bytes).collect();
        let inputs: Vec<u64> = question.inputs.iter().map(|_| u64::from(flag(Status::D))).collect();
        if runner.run(&inputs, &Unknowns { memory, registers }) != Outcome::Returned {
            return Err("it does not return for all inputs".to_string());
        }
        let mut goal = start;
        goal.registers = runner.registers();
        for (number, &place) in self.places.iter().enumerate() {
            goal.bytes[number] = runner.byte(place);
        }
        self.starts.push(start);
        self.goals.push(goal);
        Ok(())
    }

    fn is_done(&self, state: &Snapshot, goal: &Snapshot) -> bool {
        let (now, then) = (&state.registers, &goal.registers);
        let same = |mask: u8| now.p.has(mask) == then.p.has(mask);
        now.s == ENTRY_LEVEL
            && same(Status::D)
            && self.subject.live.iter().all(|register| match register {
                Register::A => now.a == then.a,
                Register::X => now.x == then.x,
                Register::Y => now.y == then.y,
                Register::N => same(Status::N),
                Register::V => same(Status::V),
                Register::D => true,
                Register::Z => same(Status::Z),
                Register::C => same(Status::C),
            })
            && self.live_places.iter().all(|&number| state.bytes[number] == goal.bytes[number])
    }

    /// Executes an item; `None` if it leaves what is looked at.
    #[inline]
    fn step(&mut self, item: &Item, state: &Snapshot) -> Option<Snapshot> {
        self.work += 1;
        if let Some(branch) = item.skip {
            let (mask, wanted) = branch_flag(branch);
            if state.registers.p.has(mask) == wanted {
                return Some(*state);
            }
        }
        let count = self.places.len();
        for (number, &place) in self.places.iter().enumerate() {
            self.ram[place] = state.bytes[number];
        }
        for (offset, &byte) in item.bytes[..usize::from(item.len)].iter().enumerate() {
            self.ram[self.scratch + offset as u16] = byte;
        }
        let mut cpu =
            tempo_emu::Cpu::<Nmos>::with_registers(Registers { pc: self.scratch, ..state.registers });
        cpu.run(&mut self.ram, Until::cycles(1));
        let mut after = Snapshot { registers: cpu.registers, bytes: state.bytes };
        for number in 0..count {
            after.bytes[number] = self.ram[self.places[number]];
        }
        let depth = ENTRY_LEVEL.wrapping_sub(after.registers.s);
        after.registers.pc = 0;
        (usize::from(depth) <= STACK).then_some(after)
    }

    fn is_better(&self, cost: Cost) -> bool {
        if cost.bytes > self.before.bytes || cost.cycles > self.before.cycles || cost == self.before {
            return false;
        }
        match self.best {
            None => true,
            Some(_) => self.key(cost) < self.key(self.limit),
        }
    }

    fn key(&self, cost: Cost) -> (u64, u64) {
        match self.subject.goal {
            Goal::Bytes => (cost.bytes.into(), cost.cycles),
            Goal::Cycles => (cost.cycles, cost.bytes.into()),
        }
    }

    /// Continues a sequence by `left` instructions.
    fn extend(&mut self, states: &[Snapshot], left: usize, so_far: Cost) {
        if left == 0 {
            if self.is_better(so_far)
                && states.iter().zip(&self.goals).all(|(state, goal)| self.is_done(state, goal))
            {
                self.prove(so_far);
            }
            return;
        }
        // One branch at most, and none in long sequences: there are too many.
        let is_short = self.sequence.len() + left <= SHORT;
        let may_skip = is_short && self.sequence.iter().all(|item| item.skip.is_none());
        let count = if may_skip { self.items.len() } else { self.plain };
        for number in 0..count {
            if self.work >= self.subject.work {
                return;
            }
            let item = self.items[number];
            let more = item.cost();
            let cost = Cost { bytes: so_far.bytes + more.bytes, cycles: so_far.cycles + more.cycles };
            // What is left takes a byte and two cycles each at least.
            let rest = left as u32 - 1;
            let least = Cost { bytes: cost.bytes + rest, cycles: cost.cycles + 2 * u64::from(rest) };
            if !self.is_better(least) {
                continue;
            }
            if left == 1 {
                self.last(&item, states, cost);
                continue;
            }
            let mut after = Vec::with_capacity(states.len());
            for state in states {
                match self.step(&item, state) {
                    Some(state) => after.push(state),
                    None => break,
                }
            }
            if after.len() < states.len() || !self.is_new(&after, cost, left) {
                continue;
            }
            self.sequence.push(item);
            self.extend(&after, left - 1, cost);
            self.sequence.pop();
        }
    }

    /// The last instruction: most are wrong in the first state.
    fn last(&mut self, item: &Item, states: &[Snapshot], cost: Cost) {
        for (number, state) in states.iter().enumerate() {
            let Some(after) = self.step(item, state) else { return };
            if !self.is_done(&after, &self.goals[number]) {
                return;
            }
        }
        self.sequence.push(*item);
        self.prove(cost);
        self.sequence.pop();
    }

    /// Whether no cheaper sequence of this length has led to the same states.
    fn is_new(&mut self, states: &[Snapshot], cost: Cost, left: usize) -> bool {
        let mut hash = left as u64;
        let mut mix = |value: u64| hash = (hash.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for state in states {
            let r = &state.registers;
            mix(u64::from_le_bytes([r.a, r.x, r.y, r.s, r.p.byte(), 0, 0, 0]));
            for chunk in state.bytes[..self.places.len()].chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                mix(u64::from_le_bytes(word));
            }
        }
        let hash = hash ^ hash >> 31;
        match self.seen.get_mut(&hash) {
            Some(known) if known.bytes <= cost.bytes && known.cycles <= cost.cycles => false,
            Some(known) => {
                *known = cost;
                true
            }
            None => {
                if self.seen.len() < REMEMBERED {
                    self.seen.insert(hash, cost);
                }
                true
            }
        }
    }

    /// Whether the sequence agrees in the states that told others apart.
    fn agrees(&mut self) -> bool {
        let sequence = self.sequence.clone();
        for number in 0..self.refuting.len() {
            let (mut state, goal) = self.refuting[number];
            for item in &sequence {
                let Some(after) = self.step(item, &state) else { return false };
                state = after;
            }
            if !self.is_done(&state, &goal) {
                return false;
            }
        }
        true
    }

    /// Keeps a state for the candidates to come.
    fn tell_apart(&mut self, state: Snapshot) {
        if self.add(state).is_ok()
            && let (Some(start), Some(goal)) = (self.starts.pop(), self.goals.pop())
        {
            self.refuting.push((start, goal));
        }
    }

    /// A candidate agrees in all states: is it equal?
    fn prove(&mut self, cost: Cost) {
        if !self.agrees() {
            return;
        }
        let mut code = Vec::new();
        self.sequence.iter().for_each(|item| item.append(&mut code));
        let subject = self.subject;
        let replaced = replaced(subject, &code);
        let registers = subject.live.iter().chain(&[Register::D]);
        let mut observed: Vec<(String, Expr, Expr)> = registers
            .map(|register| {
                (register.name().to_string(), Expr::Register(*register), Expr::Register(*register))
            })
            .collect();
        for &place in &subject.live_bytes {
            let read = Expr::Read(When::After, 1, Arc::new(Expr::Number(place.into())));
            observed.push((format!("${place:04X}"), read.clone(), read));
        }
        let question = question(subject, vec![subject.known.clone(), replaced], Claim::Equal(observed));
        let proof = decide(&question);
        match proof.verdict {
            Verdict::Proved => {
                self.limit = cost;
                self.best = Some(Shorter { code, cost, proof });
            }
            Verdict::Refuted => {
                // The states did not tell them apart; this one does, and is looked at from now on by whole sequences.
                let Some(example) = &proof.example else { return };
                let mut state = self.state(1);
                let registers = &mut state.registers;
                (registers.a, registers.x, registers.y) = (0, 0, 0);
                let mut p = Status::from_byte(0).with(Status::I);
                if example.inputs.first() == Some(&1) {
                    p = p.with(Status::D);
                }
                registers.p = p;
                for &(register, value) in example.unknowns.registers.iter().chain(&subject.given) {
                    set_register(registers, register, value);
                }
                for (number, place) in self.places.iter().enumerate() {
                    state.bytes[number] = example.unknowns.memory.get(place).copied().unwrap_or(0);
                }
                self.tell_apart(state);
            }
            Verdict::Undecided | Verdict::Refused => {}
        }
    }
}

/// The flag that a branch looks at, and the value at which it is taken.
fn branch_flag(opcode: u8) -> (u8, bool) {
    let mask = [Status::N, Status::V, Status::C, Status::Z][usize::from(opcode >> 6)];
    (mask, opcode & 0x20 != 0)
}

/// The branches.
const BRANCHES: [u8; 8] = [0x10, 0x30, 0x50, 0x70, 0x90, 0xb0, 0xd0, 0xf0];

/// The places that code uses, and the instructions that a replacement is made of.
fn vocabulary(code: &[u8], subject: &Subject) -> Result<(Vec<u16>, Vec<Item>), String> {
    let mut places: Vec<u16> = Vec::new();
    let mut operands: Vec<(Mode, [u8; 2])> = Vec::new();
    let mut constants: Vec<u8> = vec![0x00, 0x01, 0x03, 0x0f, 0x7f, 0x80, 0xf0, 0xfe, 0xff];
    let mut used = Vec::new();
    let mut at = 0;
    while at < code.len() {
        let row = Cpu::Mos6502.decode(code[at]);
        if at + row.len() > code.len() {
            return Err("its last instruction is not complete".to_string());
        }
        let operand = [code.get(at + 1).copied().unwrap_or(0), code.get(at + 2).copied().unwrap_or(0)];
        match row.mode {
            Mode::Immediate => used.push(operand[0]),
            Mode::Implied | Mode::Relative => {}
            _ if row.class == Class::Flow => {}
            mode => {
                let operand = if mode.operand_len() == 1 { [operand[0], 0] } else { operand };
                if !operands.contains(&(mode, operand)) {
                    operands.push((mode, operand));
                }
                let place = u16::from_le_bytes(operand);
                if matches!(mode, Mode::ZeroPage | Mode::Absolute) && !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        at += row.len();
    }
    for &one in &used {
        constants.extend([one, !one, one.wrapping_neg()]);
        for &two in &used {
            constants.extend([one.wrapping_sub(two), one.wrapping_add(two), one & two, one | two, one ^ two]);
        }
    }
    constants.sort_unstable();
    constants.dedup();
    constants.truncate(40);
    let mut items = Vec::new();
    let rows = Cpu::Mos6502.table().iter().filter(|row| {
        let is_allowed = row.standing == Standing::Documented || subject.undocumented;
        is_allowed
            && row.effects.stability == Stability::Stable
            && row.is_nameable()
            && !matches!(row.class, Class::Flow | Class::Branch)
            && !matches!(
                row.mnemonic,
                Mnemonic::Sei
                    | Mnemonic::Cli
                    | Mnemonic::Txs
                    | Mnemonic::Tsx
                    | Mnemonic::Plp
                    | Mnemonic::Nop
                    | Mnemonic::Las
                    | Mnemonic::Sed
                    | Mnemonic::Cld
            )
            && !(row.mnemonic == Mnemonic::Lax && row.mode == Mode::Immediate)
    });
    for row in rows {
        let mut add = |operand: [u8; 2]| items.push(item(row, operand));
        match row.mode {
            Mode::Implied => add([0, 0]),
            Mode::Immediate => constants.iter().for_each(|&value| add([value, 0])),
            mode => {
                operands.iter().filter(|(known, _)| *known == mode).for_each(|(_, operand)| add(*operand))
            }
        }
    }
    Ok((places, items))
}

fn item(row: &Instruction, operand: [u8; 2]) -> Item {
    let len = row.len() as u8;
    Item { bytes: [row.opcode, operand[0], operand[1]], len, cycles: row.max_cycles(), skip: None }
}
