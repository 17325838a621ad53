//! Every opcode against the emulator: with constants, and with formulas whose carried assignments are states.

use std::sync::Arc;

use rayon::prelude::*;
use tempo_emu::{Bus, Nmos, Pins, Registers, Run as CoreRun, Status, Stop, Until, Variant};
use tempo_random::Random;

use super::*;
use crate::chip::chip_dependent;
use crate::graph::PATTERNS;
use crate::known::Known;
use crate::limits::Limits;
use crate::state::Before;

/// Random states of the registers and of memory around the places that matter, for each opcode.
const ROUNDS: u32 = 10_000;
/// Formulas of each opcode; each has as many states as there are carried assignments.
const FORMULAS: u64 = 12;

/// The flags that a state has.
const FLAGS: [u8; 6] = [Status::N, Status::V, Status::Z, Status::C, Status::I, Status::D];

/// Memory that tells what was written.
struct Logged {
    bytes: Box<[u8; 0x10000]>,
    written: Vec<u16>,
}

impl Bus for Logged {
    const PINS: Pins = Pins::NONE;

    fn read(&mut self, addr: u16, _cycle: u64) -> u8 {
        self.bytes[usize::from(addr)]
    }

    fn write(&mut self, addr: u16, value: u8, _cycle: u64) {
        self.bytes[usize::from(addr)] = value;
        self.written.push(addr);
    }

    fn run_cpu<V: Variant, H: tempo_emu::Hooks>(&mut self, run: CoreRun<'_, V, H>) -> Stop {
        run.shared(self)
    }
}

fn decided() -> impl ParallelIterator<Item = u8> {
    (0..=255u8).into_par_iter().filter(|&opcode| {
        let row = Cpu::Mos6502.decode(opcode);
        chip_dependent(opcode).is_none() && !matches!(row.mnemonic, Mnemonic::Brk | Mnemonic::Jam)
    })
}

fn random_page(random: &mut Random) -> Box<[u8; 0x10000]> {
    let mut bytes = Box::new([0; 0x10000]);
    random.fill(&mut bytes[..]);
    bytes
}

/// Puts an instruction somewhere, often at the end of a page, and its pointers into the page of its operand.
fn place_instruction(
    random: &mut Random,
    opcode: u8,
    x: Option<u8>,
    mut set: impl FnMut(u16, u8),
) -> (u16, [u8; 3]) {
    let at = match random.below(8) {
        0 => 0x30fe,
        _ => 0x3000 + u16::from(random.next_u8()),
    };
    // The operand is never in the instruction.
    let high = match random.below(8) {
        0 => 0,
        1 => 1,
        _ => random.next_u8() | 0x40,
    };
    let code = [opcode, random.next_u8(), high];
    for index in [Some(0), x].into_iter().flatten() {
        let place = code[1].wrapping_add(index);
        set(u16::from(place), random.next_u8());
        set(u16::from(place.wrapping_add(1)), random.next_u8());
    }
    for (offset, byte) in code.into_iter().enumerate() {
        set(at + offset as u16, byte);
    }
    (at, code)
}

#[test]
fn every_opcode_does_what_the_emulator_does() {
    decided().for_each(|opcode| {
        let mut random = Random::stream(6502, opcode.into());
        let mut world = World::new(&Limits::default());
        let mut ram = Logged { bytes: random_page(&mut random), written: Vec::new() };
        let mut known = Arc::new(Before {
            known: Arc::new(Known::all(|address| ram.bytes[usize::from(address)])),
            ..Before::default()
        });
        for _ in 0..ROUNDS {
            let x = random.next_u8();
            let before = Arc::get_mut(&mut known).expect("no state is left");
            let before = Arc::get_mut(&mut before.known).expect("no state is left");
            let (at, _) = place_instruction(&mut random, opcode, Some(x), |address, byte| {
                ram.bytes[usize::from(address)] = byte;
                before.insert(address, byte);
            });
            let p = Status::from_byte(random.next_u8());
            let (a, y, s) = (random.next_u8(), random.next_u8(), random.next_u8());
            let registers = Registers { pc: at, a, x, y, s, p };
            check_step(&mut world, &mut ram, &known, registers, opcode);
            let before = Arc::get_mut(&mut known).expect("no state is left");
            let before = Arc::get_mut(&mut before.known).expect("no state is left");
            for address in ram.written.drain(..) {
                before.insert(address, ram.bytes[usize::from(address)]);
            }
        }
        assert!(world.graph.is_empty(), "${opcode:02X}: constants make no nodes");
    });
}

fn check_step(world: &mut World, ram: &mut Logged, known: &Arc<Before>, registers: Registers, opcode: u8) {
    let p = registers.p;
    let flag = |mask: u8| Bit::of(p.has(mask));
    let mut state = State::new(known.clone(), registers.pc, registers.s);
    (state.a, state.x, state.y) = (byte(registers.a), byte(registers.x), byte(registers.y));
    [state.n, state.v, state.z, state.c, state.i] =
        [Status::N, Status::V, Status::Z, Status::C, Status::I].map(flag);
    state.d = p.has(Status::D);
    let mut cpu = tempo_emu::Cpu::<Nmos>::with_registers(registers);
    cpu.run(ram, Until::cycles(1));
    let mut found = step_once(world, state, 0xff).expect("it is stable");
    assert_eq!(found.len(), 1, "${opcode:02X}");
    let (state, ending) = found.remove(0);
    let value = |byte: &Byte| crate::graph::known(byte).expect("constants stay constant");
    let now = cpu.registers;
    let shown = [value(&state.a), value(&state.x), value(&state.y), state.s];
    assert_eq!(shown, [now.a, now.x, now.y, now.s], "${opcode:02X} from {registers}");
    let flags = [state.n, state.v, state.z, state.c, state.i, Bit::of(state.d)];
    assert_eq!(flags, FLAGS.map(|mask| Bit::of(now.p.has(mask))), "${opcode:02X} from {registers}: flags");
    if ending.is_none() {
        assert_eq!(state.pc, now.pc, "${opcode:02X} from {registers}: pc");
    }
    assert_eq!((state.cost.base, state.cost.extra.len()), (cpu.cycles, 0), "${opcode:02X}: cycles");
    for address in state.memory.addresses().into_iter().chain(ram.written.iter().copied()) {
        let byte = state.memory.get(world, address);
        assert_eq!(value(&byte), ram.bytes[usize::from(address)], "${opcode:02X}: ${address:04X}");
    }
}

/// Registers, flags and all memory but the instruction and its pointers are unknown: the formulas of the step have, in each
/// carried assignment, the values of the emulator.
#[test]
fn every_opcode_as_a_formula_does_what_the_emulator_does() {
    decided().for_each(|opcode| {
        for number in 0..FORMULAS {
            check_formulas(opcode, &mut Random::stream(number, opcode.into()));
        }
    });
}

fn check_formulas(opcode: u8, random: &mut Random) {
    let row = Cpu::Mos6502.decode(opcode);
    let mut known = Known::default();
    // An unknown X would choose among pointers anywhere.
    let x = (row.mode == tempo_isa::Mode::IndirectX).then(|| random.next_u8());
    let (at, code) = place_instruction(random, opcode, x, |address, byte| known.insert(address, byte));
    // What has to be known for a step without a choice of targets.
    let s = random.next_u8();
    let operand = u16::from_le_bytes([code[1], code[2]]);
    let pulled = (1..=3).map(|offset| 0x0100 | u16::from(s.wrapping_add(offset)));
    let target = [operand, operand & 0xff00 | operand.wrapping_add(1) & 0x00ff];
    let needs: Vec<u16> = match row.mnemonic {
        Mnemonic::Rts | Mnemonic::Rti | Mnemonic::Plp => pulled.collect(),
        Mnemonic::Jmp => target.to_vec(),
        Mnemonic::Las => (0..=0xff).map(|index| operand.wrapping_add(index)).collect(),
        _ => Vec::new(),
    };
    for address in needs.into_iter().filter(|&address| !(at..at + 3).contains(&address)) {
        // `las` sets the stack pointer, which is always known.
        let value = if row.mnemonic == Mnemonic::Las { 0x5a } else { random.next_u8() };
        known.insert(address, value);
    }
    let mut world = World::new(&Limits::default());
    let mut state =
        State::new(Arc::new(Before { known: Arc::new(known.clone()), ..Before::default() }), at, s);
    (state.a, state.y) = (world.fresh_byte(), world.fresh_byte());
    state.x = match (x, row.mnemonic) {
        (Some(x), _) => byte(x),
        (None, Mnemonic::Txs) => byte(random.next_u8()),
        _ => world.fresh_byte(),
    };
    [state.n, state.v, state.z, state.c, state.i] = std::array::from_fn(|_| world.fresh_bit());
    state.d = random.once_in(2);
    let start = state.clone();
    let found = step_once(&mut world, state, 0xff).expect("it is stable");
    let unknown: Vec<(u16, Byte)> = world.unknown_bytes().iter().map(|(&at, &byte)| (at, byte)).collect();
    let mut ram = Logged { bytes: Box::new(*known.bytes()), written: Vec::new() };
    for pattern in 0..PATTERNS {
        let bit = |bit: Bit| world.graph.lanes(bit)[pattern / 64] >> (pattern % 64) & 1 == 1;
        let value =
            |byte: &Byte| byte.iter().enumerate().fold(0u8, |sum, (i, &b)| sum | u8::from(bit(b)) << i);
        ram.bytes.copy_from_slice(known.bytes());
        ram.written.clear();
        for (address, byte) in &unknown {
            ram.bytes[usize::from(*address)] = value(byte);
        }
        let with = |state: &State| {
            let bits = [state.n, state.v, state.z, state.c, state.i].map(bit);
            let set = bits.into_iter().chain([state.d]).zip(FLAGS).filter(|(is_set, _)| *is_set);
            let p = set.fold(Status::from_byte(0), |p, (_, mask)| p.with(mask));
            let (a, x, y) = (value(&state.a), value(&state.x), value(&state.y));
            Registers { pc: state.pc, a, x, y, s: state.s, p }
        };
        let registers = with(&start);
        let mut cpu = tempo_emu::Cpu::<Nmos>::with_registers(registers);
        cpu.run(&mut ram, Until::cycles(1));
        let mut here = found.iter().filter(|(state, _)| state.path.bits.iter().all(|&it| bit(it)));
        let (after, ending) = here.next().expect("one way is taken");
        assert!(here.next().is_none(), "${opcode:02X}: two ways from {registers}");
        let mut now = with(after);
        if ending.is_some() {
            now.pc = cpu.registers.pc;
        }
        assert_eq!(now, cpu.registers, "${opcode:02X} {code:02X?} from {registers}");
        let extra = after.cost.extra.iter().enumerate().fold(0, |sum, (i, &b)| sum | u64::from(bit(b)) << i);
        assert_eq!(after.cost.base + extra, cpu.cycles, "${opcode:02X} from {registers}: cycles");
        for &address in &ram.written {
            assert!(
                after.memory.written(address).is_some(),
                "${opcode:02X} from {registers}: ${address:04X} is written"
            );
        }
        for address in after.memory.addresses() {
            let byte = after.memory.written(address).expect("it is written");
            let (found, expected) = (value(&byte), ram.bytes[usize::from(address)]);
            assert_eq!(found, expected, "${opcode:02X} {code:02X?} from {registers}: ${address:04X}");
        }
    }
}
