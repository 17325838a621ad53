//! Properties: a random program comes to the same state whether it is stepped by instruction, by cycle, run in
//! one go, or saved and restored in the middle; whatever the pins do meanwhile.

use emu::{Bus, Clocked, Cmos, Cpu, Lines, Nmos, Phase, Pins, Status, Stop, Until, Variant};
use proptest::prelude::*;

/// RAM whose pins follow a plan: for each cycle of a period the pins that are low. It can be saved and compared.
#[derive(Clone, PartialEq, Eq)]
struct Machine {
    ram: Vec<u8>,
    lines: Lines,
    plan: Vec<u8>,
    /// Every access so far, folded into one number.
    fingerprint: u64,
}

impl Machine {
    fn note(&mut self, cycle: u64, addr: u16, value: u8, kind: u64) {
        let planned = self.plan[cycle as usize % self.plan.len()];
        for (bit, pin) in [(1, Pins::IRQ), (2, Pins::NMI), (4, Pins::RDY), (8, Pins::SO)] {
            if planned & bit != 0 { self.lines.pull(pin) } else { self.lines.release(pin) }
        }
        let event = cycle << 32 ^ u64::from(addr) << 16 ^ u64::from(value) << 8 ^ kind;
        self.fingerprint = (self.fingerprint ^ event).wrapping_mul(0x0100_0000_01b3).rotate_left(17);
    }
}

impl Bus for Machine {
    const PINS: Pins = Pins::IRQ.or(Pins::NMI).or(Pins::RDY).or(Pins::SO);

    #[inline(never)]
    fn read(&mut self, addr: u16, cycle: u64) -> u8 {
        let value = self.ram[usize::from(addr)];
        self.note(cycle, addr, value, 0);
        value
    }

    #[inline(never)]
    fn write(&mut self, addr: u16, value: u8, cycle: u64) {
        self.ram[usize::from(addr)] = value;
        self.note(cycle, addr, value, 1);
    }

    #[inline(never)]
    fn pins(&mut self, _cycles: u64) -> Pins {
        self.lines.pins()
    }

    #[inline(never)]
    fn acknowledge(&mut self, edges: Pins) {
        self.lines.acknowledge(edges);
    }
}

/// Memory from a seed, registers and a plan of the pins.
fn machine(seed: u64, plan: Vec<u8>) -> Machine {
    let mut state = seed | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    Machine { ram: (0..0x10000).map(|_| next()).collect(), lines: Lines::new(), plan, fingerprint: 0 }
}

/// Steps by instruction until so many cycles are over; the other ways must end in the same place.
fn by_instruction<V: Variant>(cpu: &mut Cpu<V>, machine: &mut Machine, cycles: u64) {
    while cpu.cycles < cycles && cpu.step(machine) == Stop::Cycles {}
}

fn by_cycle<V: Variant>(cpu: Cpu<V>, machine: &mut Machine, cycles: u64, save_at: u64) -> Cpu<V> {
    let mut clocked = Clocked::new(cpu);
    loop {
        // Saved in the middle of an instruction, changed beyond recognition, restored.
        if clocked.cycles() == save_at {
            let saved = (clocked.clone(), machine.clone());
            for _ in 0..5 {
                clocked.cycle(machine);
            }
            (clocked, *machine) = saved;
        }
        if let Some(cpu) = clocked.cpu()
            && (cpu.cycles >= cycles || matches!(cpu.phase, Phase::Jammed | Phase::Stopped))
        {
            return cpu.clone();
        }
        clocked.cycle(machine);
    }
}

fn check<V: Variant>(seed: u64, plan: Vec<u8>, p: u8, save_at: u64) -> Result<(), TestCaseError> {
    const CYCLES: u64 = 300;
    let machine = machine(seed, plan);
    let mut cpu = Cpu::<V>::new();
    cpu.p = Status::from_byte(p);
    cpu.reset();

    let (mut stepped, mut stepped_machine) = (cpu.clone(), machine.clone());
    by_instruction(&mut stepped, &mut stepped_machine, CYCLES);

    let (mut run, mut run_machine) = (cpu.clone(), machine.clone());
    run.run(&mut run_machine, Until::cycles(CYCLES));
    prop_assert!(
        run == stepped && run_machine == stepped_machine,
        "in one go: {run:?}\nstepped: {stepped:?}"
    );

    let (mut saved, mut saved_machine) = (cpu.clone(), machine.clone());
    by_instruction(&mut saved, &mut saved_machine, save_at);
    let (restored, restored_machine) = (saved.clone(), saved_machine.clone());
    by_instruction(&mut saved, &mut saved_machine, CYCLES + 50);
    (saved, saved_machine) = (restored, restored_machine);
    by_instruction(&mut saved, &mut saved_machine, CYCLES);
    prop_assert!(
        saved == stepped && saved_machine == stepped_machine,
        "restored: {saved:?}\nstepped: {stepped:?}"
    );

    let mut clocked_machine = machine.clone();
    let clocked = by_cycle(cpu, &mut clocked_machine, CYCLES, save_at);
    prop_assert!(
        clocked == stepped && clocked_machine == stepped_machine,
        "by cycle: {clocked:?}\nstepped: {stepped:?}"
    );
    Ok(())
}

/// Mostly quiet, with some pins low in some cycles; never all of them with RDY low, which would stall for ever.
fn plans() -> impl Strategy<Value = Vec<u8>> {
    let pins = prop_oneof![4 => Just(0u8), 1 => 0..16u8];
    prop::collection::vec(pins, 1..60).prop_map(|mut plan| {
        plan.push(0);
        plan
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nmos(seed in any::<u64>(), plan in plans(), p in any::<u8>(), save_at in 0..300u64) {
        check::<Nmos>(seed, plan, p, save_at)?;
    }

    #[test]
    fn cmos(seed in any::<u64>(), plan in plans(), p in any::<u8>(), save_at in 0..300u64) {
        check::<Cmos>(seed, plan, p, save_at)?;
    }
}
