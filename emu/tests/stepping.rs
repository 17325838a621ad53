//! Properties: a random program comes to the same state whether it is stepped by instruction, by cycle, run in
//! one go, or saved and restored in the middle; whatever the pins do meanwhile.

use proptest::prelude::*;
use tempo_emu::vectors::{Event, Recorder};
use tempo_emu::{Clocked, Cmos, Cpu, Nmos, Phase, Pins, Status, Stop, Until, Variant};
use tempo_random::Random;

/// How long the programs run.
const CYCLES: u64 = 300;

/// Memory from a seed, and a plan of the pins: for each cycle of a period those that are low.
fn machine(seed: u64, plan: &[u8]) -> Recorder {
    let mut events = Vec::new();
    for (bit, pin) in [(1, Pins::IRQ), (2, Pins::NMI), (4, Pins::RDY), (8, Pins::SO)] {
        let mut was_low = false;
        // Longer than any run.
        for (cycle, planned) in (0..2 * CYCLES).zip(plan.iter().cycle()) {
            let is_low = planned & bit != 0;
            if is_low != was_low {
                events.push(Event { pin, is_low, cycle });
            }
            was_low = is_low;
        }
    }
    let mut recorder = Recorder::new(0).with_events(events);
    let mut random = Random::new(seed);
    recorder.ram.fill_with(|| random.next_u8());
    recorder
}

/// Steps by instruction until this many cycles are over; the other ways must end in the same place.
fn by_instruction<V: Variant>(cpu: &mut Cpu<V>, machine: &mut Recorder, cycles: u64) {
    while cpu.cycles < cycles && cpu.step(machine) == Stop::Cycles {}
}

fn by_cycle<V: Variant>(cpu: Cpu<V>, machine: &mut Recorder, cycles: u64, save_at: u64) -> Cpu<V> {
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
    let machine = machine(seed, &plan);
    let mut cpu = Cpu::<V>::new();
    cpu.registers.p = Status::from_byte(p);
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
