//! The effects column of every row of `tempo-isa`, checked on the emulator from random states: nothing changes but what
//! the row writes, nothing matters but what it reads, and everything that a row claims shows in some state.

use tempo_emu::vectors::{BusCycle, Kind, Recorder};
use tempo_emu::{Cmos, Cpu, Nmos, Registers, Ricoh2A03, Status, Stop, Unstable, Variant};
use tempo_isa::{Effects, Flow, Instruction, Memory, Mnemonic, Mode, Parts, Stability};
use tempo_random::Random;

/// States tried for each opcode.
const STATES: u64 = 60;

/// A claim of a row, and whether it showed in any state.
struct Claim {
    text: String,
    is_seen: bool,
}

/// The claims of a row that a state has to show.
#[derive(Default)]
struct Claims(Vec<Claim>);

impl Claims {
    fn note(&mut self, text: String, is_seen: bool) {
        match self.0.iter_mut().find(|claim| claim.text == text) {
            Some(claim) => claim.is_seen |= is_seen,
            None => self.0.push(Claim { text, is_seen }),
        }
    }
}

/// One step from a state, as far as a program or the bus can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outcome {
    registers: Registers,
    stop: Stop,
    /// Every cycle's address; the value only if it is written.
    cycles: Vec<(u16, Option<u8>)>,
}

/// Memory before a step, and the registers.
struct State {
    registers: Registers,
    memory: Recorder,
    /// A copy of the memory, to take writes back.
    original: Box<[u8; 0x10000]>,
    unstable: Unstable,
}

impl State {
    fn random(random: &mut Random, opcode: u8) -> State {
        let mut memory = Recorder::new(0);
        random.fill(&mut memory.ram[..]);
        // Code outside of the zero page and the stack, so that a push does not change an operand.
        let pc = 0x0200 + random.below(0xf000) as u16;
        memory.ram[usize::from(pc)] = opcode;
        let [a, x, y, s, p] = [(); 5].map(|()| random.next_u8());
        let registers = Registers { pc, a, x, y, s, p: Status::from_byte(p) };
        State { registers, original: memory.ram.clone(), memory, unstable: Unstable::default() }
    }

    fn byte(&self, address: u16) -> u8 {
        self.memory.ram[usize::from(address)]
    }

    fn set_byte(&mut self, address: u16, value: u8) {
        self.memory.ram[usize::from(address)] = value;
        self.original[usize::from(address)] = value;
    }

    /// A word whose high byte comes from the address that `next` gives.
    fn word(&self, address: u16, next: u16) -> u16 {
        u16::from_le_bytes([self.byte(address), self.byte(next)])
    }

    /// Runs the instruction and takes back what it wrote.
    fn step<V: Variant>(&mut self) -> Outcome {
        let mut cpu = Cpu::<V>::with_registers(self.registers);
        cpu.unstable = self.unstable;
        self.memory.cycles.clear();
        let stop = cpu.step(&mut self.memory);
        let seen = |cycle: &BusCycle| (cycle.addr, (cycle.kind == Kind::Write).then_some(cycle.value));
        let cycles: Vec<(u16, Option<u8>)> = self.memory.cycles.iter().map(seen).collect();
        for &(address, _) in &cycles {
            self.memory.ram[usize::from(address)] = self.original[usize::from(address)];
        }
        Outcome { registers: cpu.registers, stop, cycles }
    }
}

/// The addresses of an instruction in a state.
struct Places {
    /// The operand's, if it is in memory.
    operand: Option<u16>,
    /// Bytes whose values are used: code, pointers, the operand, the stack.
    read: Vec<u16>,
    /// Bytes that may change.
    written: Vec<u16>,
}

impl Places {
    fn of<V: Variant>(state: &State, row: &Instruction) -> Places {
        let Registers { pc, a, x, y, s, .. } = state.registers;
        let [first, second] = [1, 2].map(|offset| state.byte(pc.wrapping_add(offset)));
        let (zero_page, absolute) = (u16::from(first), u16::from_le_bytes([first, second]));
        let mut read: Vec<u16> = (0..row.len() as u16).map(|offset| pc.wrapping_add(offset)).collect();
        let mut pointer = |at: u16, next: u16| {
            read.extend([at, next]);
            state.word(at, next)
        };
        let mut in_zero_page = |at: u8| pointer(u16::from(at), u16::from(at.wrapping_add(1)));
        let mut base = None;
        let operand = match row.mode {
            Mode::Implied | Mode::Immediate | Mode::Relative => None,
            Mode::ZeroPage | Mode::ZeroPageRelative => Some(zero_page),
            Mode::ZeroPageX => Some(u16::from(first.wrapping_add(x))),
            Mode::ZeroPageY => Some(u16::from(first.wrapping_add(y))),
            Mode::IndirectX => Some(in_zero_page(first.wrapping_add(x))),
            Mode::IndirectY => Some(base.insert(in_zero_page(first)).wrapping_add(u16::from(y))),
            Mode::ZeroPageIndirect => Some(in_zero_page(first)),
            Mode::Absolute => Some(absolute),
            Mode::AbsoluteX => Some(base.insert(absolute).wrapping_add(u16::from(x))),
            Mode::AbsoluteY => Some(base.insert(absolute).wrapping_add(u16::from(y))),
            Mode::Indirect => {
                // The NMOS chip does not carry into the high byte of the pointer's address.
                let next = absolute.wrapping_add(1);
                let next = if V::CMOS { next } else { absolute & 0xff00 | next & 0xff };
                Some(pointer(absolute, next))
            }
            Mode::AbsoluteIndirectX => {
                let at = absolute.wrapping_add(u16::from(x));
                Some(pointer(at, at.wrapping_add(1)))
            }
            other => panic!("no core has {other}"),
        };
        let effects = &row.effects;
        // Over a page the unstable stores go where the value says.
        let operand = operand.map(|at| match base {
            Some(base) if effects.stability == Stability::Unstable && at >> 8 != base >> 8 => {
                let register = match row.mnemonic {
                    Mnemonic::Shx => x,
                    Mnemonic::Shy => y,
                    _ => a & x,
                };
                let high = register & (((base >> 8) as u8).wrapping_add(1) | state.unstable.sh);
                u16::from_le_bytes([at as u8, high])
            }
            _ => at,
        });
        let stack =
            |from: u8, count: i8| (0..count as u8).map(move |n| 0x100 | u16::from(from.wrapping_add(n)));
        let mut written: Vec<u16> = Vec::new();
        if effects.stack < 0 {
            read.extend(stack(s.wrapping_add(1), -effects.stack));
        } else {
            written.extend(stack(s.wrapping_add(1).wrapping_sub(effects.stack as u8), effects.stack));
        }
        if effects.flow == Flow::Interrupt {
            read.extend([0xfffe, 0xffff]);
        }
        read.extend(operand.filter(|_| effects.memory.is_read()));
        written.extend(operand.filter(|_| effects.memory.is_written()));
        Places { operand, read, written }
    }
}

fn part(registers: &Registers, part: Parts) -> u8 {
    match part {
        Parts::A => registers.a,
        Parts::X => registers.x,
        Parts::Y => registers.y,
        Parts::S => registers.s,
        flag => registers.p.byte() & flag.mask(),
    }
}

fn set_part(registers: &mut Registers, part: Parts, value: u8) {
    match part {
        Parts::A => registers.a = value,
        Parts::X => registers.x = value,
        Parts::Y => registers.y = value,
        Parts::S => registers.s = value,
        flag => registers.p = Status::from_byte(registers.p.byte() & !flag.mask() | value & flag.mask()),
    }
}

/// Checks a row in one state.
fn check<V: Variant>(random: &mut Random, row: &Instruction, claims: &mut Claims) -> Result<(), String> {
    let Effects { reads, writes, memory, stack, flow, stability } = row.effects;
    let mut state = State::random(random, row.opcode);
    let places = Places::of::<V>(&state, row);
    let before = state.registers;
    let outcome = state.step::<V>();
    let after = outcome.registers;
    let fail = |text: String| Err(format!("{text}\nbefore {before}\nafter  {after}"));

    // Nothing changes but what the row writes.
    for (one, letter) in Parts::EACH {
        let has_changed = part(&before, one) != part(&after, one);
        if !writes.meets(one) && has_changed {
            return fail(format!("writes {letter}"));
        }
        if writes.meets(one) {
            claims.note(format!("writes {letter}"), has_changed);
        }
    }
    for &(address, value) in &outcome.cycles {
        if value.is_some() && !places.written.contains(&address) {
            return fail(format!("writes ${address:04X}"));
        }
    }
    if memory != Memory::None && places.operand.is_none() {
        return fail(format!("no operand in memory: {memory:?}"));
    }
    if let Some(operand) = places.operand {
        let is_accessed = |is_write: bool| {
            outcome.cycles.iter().any(|&(at, value)| at == operand && value.is_some() == is_write)
        };
        if memory.is_written() && !is_accessed(true) || memory.is_read() && !is_accessed(false) {
            return fail(format!("no access to ${operand:04X}: {memory:?}"));
        }
    }
    // `tas` and `las` set S without pushing.
    if stack != 0 && after.s != before.s.wrapping_sub(stack as u8) {
        return fail(format!("does not push {stack} bytes"));
    }
    check_flow(row, flow, stability, &state, &outcome).or_else(fail)?;
    if !matches!(flow, Flow::Next | Flow::Stop) {
        let next = before.pc.wrapping_add(row.len() as u16);
        claims.note("goes on elsewhere".to_owned(), after.pc != next);
    }

    // Nothing matters but what the row reads.
    for (one, letter) in Parts::EACH {
        let old = part(&before, one);
        let other = if one.mask() != 0 { !old } else { old ^ (1 + random.below(255) as u8) };
        set_part(&mut state.registers, one, other);
        let mut found = state.step::<V>();
        if !writes.meets(one) {
            // It keeps its value, whatever that is.
            set_part(&mut found.registers, one, old);
        }
        let matters = found != outcome;
        if !reads.meets(one) && matters {
            return fail(format!(
                "reads {letter}: ${other:02X} there gives {found:02X?}, not {outcome:02X?}"
            ));
        }
        if reads.meets(one) {
            claims.note(format!("reads {letter}"), matters);
        }
        state.registers = before;
    }
    let mut other = State::random(random, row.opcode);
    other.registers = before;
    for &address in &places.read {
        other.set_byte(address, state.byte(address));
    }
    if other.step::<V>() != outcome {
        return fail("reads memory outside of its operand, pointer and stack".to_owned());
    }
    if let Some(operand) = places.operand.filter(|_| memory.is_read() && row.mnemonic != Mnemonic::Nop) {
        state.set_byte(operand, state.byte(operand) ^ (1 + random.below(255) as u8));
        claims.note("reads its operand".to_owned(), state.step::<V>() != outcome);
        state.set_byte(operand, other.byte(operand));
    }

    // Chips differ in these constants.
    state.unstable = Unstable { ane: 0xff, ane_lost: 0, lxa: 0xff, sh: 0xff };
    let differs = state.step::<V>() != outcome;
    match stability {
        Stability::Unstable => claims.note("is unstable".to_owned(), differs),
        _ if differs => return fail("is unstable".to_owned()),
        _ => {}
    }
    Ok(())
}

/// Checks where execution goes on.
fn check_flow(
    row: &Instruction,
    flow: Flow,
    stability: Stability,
    state: &State,
    outcome: &Outcome,
) -> Result<(), String> {
    let is_stack_right = match flow {
        Flow::Call => row.effects.stack == 2,
        Flow::Interrupt => row.effects.stack == 3,
        Flow::Return => row.effects.stack <= -2,
        Flow::Next | Flow::Branch | Flow::Jump | Flow::Stop => row.effects.stack.abs() <= 1,
    };
    if !is_stack_right {
        return Err(format!("{flow:?} with {} bytes on the stack", row.effects.stack));
    }
    let before = state.registers;
    let next = before.pc.wrapping_add(row.len() as u16);
    let target = |distance: u8| next.wrapping_add(distance as i8 as u16);
    let operand = state.byte(before.pc.wrapping_add(1));
    let distance = state.byte(next.wrapping_sub(1));
    let absolute = u16::from_le_bytes([operand, distance]);
    let expected = match (flow, row.mode) {
        (Flow::Next, _) => Some(next),
        (Flow::Branch, mode) => {
            let is_taken = match row.mnemonic.condition() {
                Some((flag, is_set)) => (part(&before, flag) != 0) == is_set,
                None if mode == Mode::ZeroPageRelative => {
                    let bit = row.opcode >> 4 & 7;
                    (state.byte(u16::from(operand)) >> bit & 1 == 1) == (row.opcode & 0x80 != 0)
                }
                None => return Err("branches without a condition".to_owned()),
            };
            Some(if is_taken { target(distance) } else { next })
        }
        (Flow::Jump, Mode::Relative) => Some(target(distance)),
        (Flow::Jump | Flow::Call, Mode::Absolute) => Some(absolute),
        (Flow::Interrupt, _) => Some(state.word(0xfffe, 0xffff)),
        // Their address is checked with what they read.
        (Flow::Jump | Flow::Call | Flow::Return | Flow::Stop, _) => None,
    };
    if expected.is_some_and(|expected| expected != outcome.registers.pc) {
        return Err(format!("goes on at ${:04X}: {flow:?}", outcome.registers.pc));
    }
    if (outcome.stop == Stop::Jammed) != (stability == Stability::Jams) {
        return Err(format!("{stability:?}: {:?}", outcome.stop));
    }
    if matches!(outcome.stop, Stop::Jammed | Stop::Stopped) != (flow == Flow::Stop) {
        return Err(format!("{flow:?}: {:?}", outcome.stop));
    }
    Ok(())
}

/// The lies of a row; with `is_exact` also the claims that show in no state.
fn lies<V: Variant>(row: &Instruction, is_exact: bool) -> Vec<String> {
    let mut lies = Vec::new();
    let mut claims = Claims::default();
    let name = || format!("${:02X} {} {}", row.opcode, row.mnemonic, row.mode);
    for number in 1..=STATES {
        let mut random = Random::stream(number, u64::from(row.opcode));
        if let Err(lie) = check::<V>(&mut random, row, &mut claims) {
            lies.push(format!("{}: {lie}", name()));
            break;
        }
    }
    let idle = claims.0.into_iter().filter(|claim| is_exact && !claim.is_seen);
    lies.extend(idle.map(|claim| format!("{}: {} in no state", name(), claim.text)));
    lies
}

fn check_all<V: Variant>(is_exact: bool) {
    let found: Vec<String> = V::ISA.table().iter().flat_map(|row| lies::<V>(row, is_exact)).collect();
    assert!(found.is_empty(), "{}: {} lies\n{}", V::ISA.name(), found.len(), found.join("\n"));
}

#[test]
fn nmos_rows_say_what_happens() {
    check_all::<Nmos>(true);
}

#[test]
fn cmos_rows_say_what_happens() {
    check_all::<Cmos>(true);
}

/// Its D flag does not matter, although the rows list it.
#[test]
fn ricoh_rows_say_what_happens() {
    check_all::<Ricoh2A03>(false);
}

/// Every wrong effect of some typical rows is found.
#[test]
fn a_row_that_lies_is_found() {
    for opcode in [0x00, 0x0a, 0x0b, 0x20, 0x28, 0x48, 0x6d, 0x93, 0x9b, 0xab, 0xbb, 0xcb, 0xd0, 0xe6, 0xeb] {
        let row = *Nmos::ISA.decode(opcode);
        let honest = row.effects;
        let toggled =
            |parts: Parts, one: Parts| if parts.meets(one) { parts.without(one) } else { parts.and(one) };
        let mut wrong: Vec<Effects> = Vec::new();
        for (one, _) in Parts::EACH {
            wrong.push(Effects { reads: toggled(honest.reads, one), ..honest });
            wrong.push(Effects { writes: toggled(honest.writes, one), ..honest });
        }
        let memories = [Memory::None, Memory::Read, Memory::Write, Memory::Modify];
        wrong.extend(memories.map(|memory| Effects { memory, ..honest }));
        wrong.extend([-1, 1].map(|more| Effects { stack: honest.stack + more, ..honest }));
        let flows =
            [Flow::Next, Flow::Branch, Flow::Jump, Flow::Call, Flow::Return, Flow::Interrupt, Flow::Stop];
        wrong.extend(flows.map(|flow| Effects { flow, ..honest }));
        let stabilities = [Stability::Stable, Stability::Unstable, Stability::Jams];
        wrong.extend(stabilities.map(|stability| Effects { stability, ..honest }));
        for effects in wrong.into_iter().filter(|&effects| effects != honest) {
            let row = Instruction { effects, ..row };
            assert!(!lies::<Nmos>(&row, true).is_empty(), "{row:?}");
        }
    }
}
