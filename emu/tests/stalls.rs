//! A bus can drive RDY in two ways: pull the pin, which the CPU then looks at in every cycle, or say how long it
//! stays low (`FastBus::ready_at`), which takes no time while it is high. Random programs with random IRQ, NMI and
//! RDY give the same accesses in the same cycles, the same registers and the same memory either way, in every loop.
//! The netlist test checks both against the chip.
//!
//! `FUZZ=50` runs fifty times as many of them, `SEED=7` others.

mod support;

use support::{BY_PIN, INLINED, Log, PAGED, Planned, plan};
use tempo_emu::vectors::{BusCycle, Kind};
use tempo_emu::{Access, Bus, Cmos, Cpu, Hooks, Nmos, Pins, Status, Stop, Until, Variant};
use tempo_random::Random;

/// Sees every access, so the run is on the shared core.
struct Accesses(Log);

impl Hooks for Accesses {
    const INSTRUCTIONS: bool = false;

    fn read(&mut self, addr: u16, value: u8, _access: Access, cycles: u64) {
        self.0.push((cycles - 1, BusCycle { addr, value, kind: Kind::Read }));
    }

    fn write(&mut self, addr: u16, value: u8, _access: Access, cycles: u64) {
        self.0.push((cycles - 1, BusCycle { addr, value, kind: Kind::Write }));
    }
}

const CYCLES: usize = 600;

/// Runs in two parts, so that one starts with what the other left.
fn run<V: Variant, const PATH: u8>(cpu: &Cpu<V>, bus: &Planned<PATH>) -> (Cpu<V>, Planned<PATH>, [Stop; 2]) {
    let (mut cpu, mut bus) = (cpu.clone(), bus.clone());
    let stops = [200, 300].map(|cycles| cpu.run(&mut bus, Until::cycles(cycles)));
    (cpu, bus, stops)
}

fn check<V: Variant>(seed: u64) -> u64 {
    let mut random = Random::new(seed);
    let ram: Vec<u8> = (0..0x10000)
        .map(|_| match random.next_u8() {
            // Programs that jam or wait are soon over.
            byte if byte & 0x1f == 0x12 || byte & 0x9f == 0x02 || matches!(byte, 0xcb | 0xdb) => 0x9f,
            byte => byte,
        })
        .collect();
    let plan = plan(&mut random, &[Pins::IRQ, Pins::NMI, Pins::RDY], CYCLES);
    let mut cpu = Cpu::<V>::new();
    cpu.registers.pc = random.next_u16();
    cpu.registers.x = random.next_u8();
    cpu.registers.p = Status::from_byte(random.next_u8());

    let by_pin = run(&cpu, &Planned::<BY_PIN>::new(ram.clone(), plan.clone()));
    let inlined = run(&cpu, &Planned::<INLINED>::new(ram.clone(), plan.clone()));
    let paged = run(&cpu, &Planned::<PAGED>::new(ram.clone(), plan.clone()));
    let context = |what: &str| format!("{what}: seed {seed}, {}", core::any::type_name::<V>());
    assert_eq!(inlined.2, by_pin.2, "{}", context("inlined"));
    assert_eq!(inlined.0, by_pin.0, "{}", context("inlined"));
    assert!(inlined.1.log == by_pin.1.log, "{}", context("inlined accesses"));
    assert_eq!(paged.2, by_pin.2, "{}", context("paged"));
    assert_eq!(paged.0, by_pin.0, "{}", context("paged"));
    assert!(paged.1.ram == by_pin.1.ram, "{}", context("paged memory"));
    let mut expected = by_pin.1.log.iter();
    for access in &paged.1.log {
        assert!(expected.any(|other| other == access), "{}: {access:?}", context("paged access"));
    }

    // With accesses watched.
    let mut bus = Planned::<PAGED>::new(ram, plan);
    let mut hooks = Accesses(Vec::new());
    for cycles in [200, 300] {
        cpu.run_with(&mut bus, &mut hooks, Until::cycles(cycles));
    }
    assert_eq!(cpu, by_pin.0, "{}", context("watched"));
    assert!(hooks.0 == by_pin.1.log && bus.log == by_pin.1.log, "{}", context("watched accesses"));
    assert_eq!(by_pin.1.stalls, 0);
    paged.1.stalls
}

fn check_chip<V: Variant>() {
    let seeds = tempo_testing::seed()..tempo_testing::seed() + tempo_testing::rounds(300);
    let stalls: u64 = seeds.clone().map(check::<V>).sum();
    assert!(stalls > 10 * (seeds.end - seeds.start), "only {stalls} stalls");
}

#[test]
fn nmos() {
    check_chip::<Nmos>();
}

#[test]
fn cmos() {
    check_chip::<Cmos>();
}

/// `shx $12F0,y` with BA low before the write: the value is stored as it is, not ANDed with $13.
#[test]
fn a_stalled_shx_stores_without_the_mask() {
    let stored = |stalled: &[usize]| {
        let mut ram = vec![0xea; 0x10000];
        ram[0x1000..0x1003].copy_from_slice(&[0x9e, 0xf0, 0x12]);
        let mut plan = vec![Pins::NONE; 50];
        for &cycle in stalled {
            plan[cycle] = Pins::RDY;
        }
        let mut bus = Planned::<PAGED>::new(ram, plan);
        let mut cpu = Cpu::<Nmos>::new();
        (cpu.registers.pc, cpu.registers.x, cpu.registers.y) = (0x1000, 0xff, 1);
        cpu.step(&mut bus);
        (bus.read(0x12f1, 49), cpu.cycles)
    };
    assert_eq!(stored(&[]), (0x13, 5));
    // Stalled before the dummy read, and by the write, which RDY does not stop.
    assert_eq!(stored(&[2]), (0x13, 6));
    assert_eq!(stored(&[4]), (0x13, 5));
    // In the dummy read.
    assert_eq!(stored(&[3, 4, 5]), (0xff, 8));
}
