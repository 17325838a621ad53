//! Random programs in lockstep with the transistor netlist of the NMOS 6502, with random changes of the input
//! pins: every bus cycle must be equal. Stepped by cycle the CPU looks at RDY itself; in the modes named `stalls`
//! the bus says how long it is low, and every access must be the chip's of the same cycle. A run ends where the two are known to part: at a jam, and at the
//! opcodes whose result a switch-level simulation does not resolve as silicon does.
//!
//! `FUZZ=100` runs a hundred times as long, `SEED=7` starts elsewhere.

// The netlist is C code.
#![allow(unsafe_code)]

mod support;

use std::ffi::{c_uint, c_ushort, c_void};
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libtest_mimic::{Arguments, Failed, Trial};
use perfect6502_sys as netlist;
use support::{INLINED, PAGED, Planned, plan};
use tempo_emu::vectors::{BusCycle, Kind, Recorder};
use tempo_emu::{Clocked, Cpu, Nmos, Pins, Status, Until};
use tempo_random::Random;

unsafe extern "C" {
    // Part of the netlist library, but not of its bindings.
    fn setNode(state: *mut c_void, node: c_ushort, level: c_uint);
    fn isNodeHigh(state: *mut c_void, node: c_ushort) -> c_uint;
    fn recalcNodeList(state: *mut c_void);
}

/// Node numbers of the netlist.
const NODES: [(Pins, c_ushort); 4] = [(Pins::IRQ, 103), (Pins::NMI, 1297), (Pins::RDY, 89), (Pins::SO, 1672)];
const SYNC: c_ushort = 539;

/// jam; anc, alr, arr, las
const PARTING: [u8; 17] =
    [0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xb2, 0xd2, 0xf2, 0x0b, 0x2b, 0x4b, 0x6b, 0xbb];

/// $FFF0 clc; $FFF1 bcc $0013; $0013 bcc $FFF1: a stall shows which way the high byte goes.
const BRANCHES: [(u16, u8); 7] = [
    (0xfff0, 0x18),
    (0xfff1, 0x90),
    (0xfff2, 0x20),
    (0x13, 0x90),
    (0x14, 0xdc),
    (0xfffc, 0xf0),
    (0xfffd, 0xff),
];

/// How long a program runs.
const CYCLES: u64 = 600;

/// The netlist library has one memory for all its instances. The holder may use both.
static NETLIST: Mutex<()> = Mutex::new(());

fn main() {
    let arguments = Arguments::from_args();
    let (cycles, first_seed) = (tempo_testing::rounds(4_000), tempo_testing::seed());
    let modes: [(&str, &[Pins]); 6] = [
        ("quiet", &[]),
        ("irq", &[Pins::IRQ]),
        ("nmi", &[Pins::NMI]),
        ("rdy", &[Pins::RDY]),
        ("irq+nmi", &[Pins::IRQ, Pins::NMI]),
        ("irq+nmi+rdy", &[Pins::IRQ, Pins::NMI, Pins::RDY]),
    ];
    let mut trials: Vec<Trial> = modes
        .into_iter()
        .map(|(name, pins)| {
            Trial::test(format!("netlist/{name}"), move || run_mode(pins, cycles, first_seed))
        })
        .collect();
    trials.push(Trial::test("netlist/stalls", move || run_stalls(&[Pins::RDY], cycles, first_seed)));
    trials.push(Trial::test("netlist/stalls+irq+nmi", move || {
        run_stalls(&[Pins::IRQ, Pins::NMI, Pins::RDY], cycles, first_seed)
    }));
    trials.push(Trial::test("netlist/branches-around-the-ends-of-memory", || {
        for seed in 1..=4 {
            run_program(&[Pins::IRQ, Pins::RDY], seed, &BRANCHES)?;
        }
        Ok(())
    }));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Runs programs until this many cycles are compared.
fn run_mode(pins: &[Pins], cycles: u64, first_seed: u64) -> Result<(), Failed> {
    let (mut compared, mut seed) = (0, first_seed);
    while compared < cycles {
        compared += run_program(pins, seed, &[])?;
        seed += 1;
    }
    println!("{compared} cycles in {} programs", seed - first_seed);
    Ok(())
}

/// Runs one random program on both, with some bytes given; the number of equal cycles, or what the difference is.
fn run_program(pins: &[Pins], seed: u64, given: &[(u16, u8)]) -> Result<u64, Failed> {
    let mut random = Random::new(seed);
    let mut chip = Chip::new(&mut random, given);
    let mut cpu = Clocked::<Nmos>::new(chip.cpu());
    let mut machine = Recorder::new(0);
    machine.ram.copy_from_slice(&chip.memory());
    let mut history = Vec::new();
    // Some programs see busy pins, some rare ones.
    let rarity = *random.pick(&[4, 12, 40]);
    for cycle in 0..CYCLES {
        chip.begin_cycle();
        for &pin in pins {
            let is_low = machine.lines.pins().has(pin);
            if random.once_in(if is_low { 3 } else { rarity }) {
                chip.set(pin, is_low);
                if is_low { machine.lines.release(pin) } else { machine.lines.pull(pin) }
            }
        }
        let (expected, is_sync) = chip.end_cycle();
        cpu.cycle(&mut machine);
        let found = machine.cycles.pop();
        let levels = machine.lines.pins();
        history.push((expected, found, is_sync, levels));
        if found != Some(expected) {
            return Err(describe(seed, cycle, &history).into());
        }
        // Only a fetch that becomes an instruction parts the two; an interrupt may still replace it.
        if is_sync && PARTING.contains(&expected.value) {
            return Ok(cycle);
        }
    }
    Ok(CYCLES)
}

/// Runs programs on buses that know how long RDY is low, until this many cycles are compared.
fn run_stalls(pins: &[Pins], cycles: u64, first_seed: u64) -> Result<(), Failed> {
    let (mut compared, mut seed) = (0, first_seed);
    while compared < cycles {
        let mut random = Random::new(seed);
        let plan = plan(&mut random, pins, CYCLES as usize);
        let mut chip = Chip::new(&mut random, &[]);
        let (cpu, ram) = (chip.cpu(), chip.memory().to_vec());
        let seen = chip.run(&plan);
        drop(chip);
        compared += seen.len() as u64;
        check_stalls(seed, cpu.clone(), Planned::<INLINED>::new(ram.clone(), plan.clone()), &plan, &seen)?;
        check_stalls(seed, cpu, Planned::<PAGED>::new(ram, plan.clone()), &plan, &seen)?;
        seed += 1;
    }
    println!("{compared} cycles in {} programs", seed - first_seed);
    Ok(())
}

/// Every access of ours is the chip's of that cycle. If every cycle is inlined, all of the chip's are ours, except
/// the reads in which it is stalled.
fn check_stalls<const PATH: u8>(
    seed: u64,
    mut cpu: Cpu<Nmos>,
    mut bus: Planned<PATH>,
    plan: &[Pins],
    seen: &[BusCycle],
) -> Result<(), Failed> {
    cpu.run(&mut bus, Until::cycles(CYCLES));
    let mut found = vec![None; seen.len()];
    for &(cycle, access) in &bus.log {
        if let Some(place) = found.get_mut(cycle as usize) {
            *place = Some(access);
        }
    }
    let history: Vec<_> = (0..seen.len()).map(|at| (seen[at], found[at], false, plan[at])).collect();
    for (cycle, (expected, found, _, low)) in history.iter().enumerate() {
        let is_stalled = low.has(Pins::RDY) && expected.kind == Kind::Read;
        let is_same = match found {
            Some(found) => found == expected && !is_stalled,
            None => is_stalled || PATH == PAGED,
        };
        if !is_same {
            return Err(describe(seed, cycle as u64, &history[..=cycle]).into());
        }
    }
    Ok(())
}

fn describe(seed: u64, cycle: u64, history: &[(BusCycle, Option<BusCycle>, bool, Pins)]) -> String {
    let mut out = format!("seed {seed}, cycle {cycle}\n      netlist           emu      pins low\n");
    for (index, (expected, found, is_sync, pins)) in
        history.iter().enumerate().skip(history.len().saturating_sub(24))
    {
        let low: Vec<&str> = [(Pins::IRQ, "IRQ"), (Pins::NMI, "NMI"), (Pins::RDY, "RDY"), (Pins::SO, "SO")]
            .into_iter()
            .filter_map(|(pin, name)| pins.has(pin).then_some(name))
            .collect();
        let (expected, found) =
            (expected.to_string(), found.map_or_else(String::new, |found| found.to_string()));
        let sync = if *is_sync { '*' } else { ' ' };
        writeln!(out, "{index:>4}{sync} {expected:<14}    {found:<14} {}", low.join(" ")).expect("a string");
    }
    out
}

/// The netlist, between the end of its reset and the end of a program. There is one at a time: another thread
/// that wants a chip waits until this one is dropped.
struct Chip {
    /// Valid until the chip is dropped.
    state: *mut c_void,
    _only_one: MutexGuard<'static, ()>,
}

impl Chip {
    /// Resets the netlist on memory of these bytes and runs it to the first opcode fetch.
    fn new(random: &mut Random, given: &[(u16, u8)]) -> Chip {
        let only_one = NETLIST.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock is held, so nothing else uses the netlist or its memory; the state is valid from here
        // until it is destroyed in `drop`.
        unsafe {
            let state = netlist::initAndResetChip();
            setNode(state, 1672, 1);
            recalcNodeList(state);
            let memory = &raw mut netlist::memory;
            for cell in &mut *memory {
                *cell = loop {
                    let byte = random.next_u8();
                    if !PARTING.contains(&byte) {
                        break byte;
                    }
                };
            }
            for &(addr, value) in given {
                (&mut *memory)[usize::from(addr)] = value;
            }
            let mut chip = Chip { state, _only_one: only_one };
            // Until the vector is read; the cycle after is the first fetch.
            loop {
                chip.begin_cycle();
                if chip.end_cycle().0.addr == 0xfffd {
                    return chip;
                }
            }
        }
    }

    /// The registers, and the program counter the reset vector gives.
    fn cpu(&self) -> Cpu<Nmos> {
        let memory = self.memory();
        let mut cpu = Cpu::new();
        let registers = &mut cpu.registers;
        registers.pc = u16::from_le_bytes([memory[0xfffc], memory[0xfffd]]);
        // SAFETY: the state is valid, and reading registers does not change it.
        unsafe {
            registers.a = netlist::readA(self.state);
            registers.x = netlist::readX(self.state);
            registers.y = netlist::readY(self.state);
            registers.s = netlist::readSP(self.state);
            // I is set by the reset, but shows one cycle later.
            registers.p = Status::from_byte(netlist::readP(self.state)).with(Status::I);
        }
        cpu
    }

    fn memory(&self) -> [u8; 0x10000] {
        // SAFETY: the chip holds the lock, so nothing else writes meanwhile, and it is not being stepped.
        unsafe { netlist::memory }
    }

    /// Phase 1; pins change after it.
    fn begin_cycle(&mut self) {
        // SAFETY: the state is valid.
        unsafe { netlist::step(self.state) }
    }

    fn set(&mut self, pin: Pins, is_high: bool) {
        let (_, node) = NODES.into_iter().find(|(known, _)| *known == pin).expect("a pin of the netlist");
        // SAFETY: the state is valid, and the number is that of an input pin.
        unsafe {
            setNode(self.state, node, c_uint::from(is_high));
            recalcNodeList(self.state);
        }
    }

    /// Phase 2; the bus shows the cycle after it.
    fn end_cycle(&mut self) -> (BusCycle, bool) {
        // SAFETY: the state is valid.
        unsafe {
            netlist::step(self.state);
            let kind = if netlist::readRW(self.state) == 0 { Kind::Write } else { Kind::Read };
            let (addr, value) = (netlist::readAddressBus(self.state), netlist::readDataBus(self.state));
            (BusCycle { addr, value, kind }, isNodeHigh(self.state, SYNC) != 0)
        }
    }

    /// Runs with pins that follow a plan, to its end or to an opcode where the emulator is known to differ.
    fn run(&mut self, plan: &[Pins]) -> Vec<BusCycle> {
        let (mut seen, mut was_low) = (Vec::new(), Pins::NONE);
        for &low in plan {
            self.begin_cycle();
            for (pin, _) in NODES {
                if low.has(pin) != was_low.has(pin) {
                    self.set(pin, was_low.has(pin));
                }
            }
            was_low = low;
            let (cycle, is_sync) = self.end_cycle();
            seen.push(cycle);
            if is_sync && PARTING.contains(&cycle.value) {
                break;
            }
        }
        seen
    }
}

impl Drop for Chip {
    fn drop(&mut self) {
        // SAFETY: the state is valid, and not used afterwards.
        unsafe { netlist::destroyChip(self.state) }
    }
}
