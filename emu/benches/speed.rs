//! Emulated MHz on the workload of `workload.asm`: on flat RAM, behind the pages of a banked machine with a
//! timer and with DMA, with a device clocked in every cycle, and with a hook that sees every instruction; beside it what
//! other crates make of the same workload.

mod emulated;
mod machines;
mod others;

use std::ops::ControlFlow;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tempo_emu::{Bus, Cmos, Cpu, Hooks, Nmos, NoHooks, Registers, Status, Stop, Until, Variant};

use emulated::Emulated;
use machines::{RESULT, START};

fn speed(c: &mut Criterion<Emulated>) {
    let mut ram = machines::flat();
    measure::<Nmos, _, _>(c, "flat", &mut *ram, NoHooks);
    assert_eq!(ram.bytes()[0x0300..0x0308], RESULT);
    measure::<Nmos, _, _>(c, "flat, every instruction hooked", &mut *ram, Count(0));
    measure::<Cmos, _, _>(c, "flat, 65C02", &mut *ram, NoHooks);

    let mut paged = machines::paged();
    measure::<Nmos, _, _>(c, "paged, timer by deadline", &mut *paged, NoHooks);
    assert_eq!(paged.ram()[0x0300..0x0308], RESULT);

    let mut stalled = machines::stalled();
    measure::<Nmos, _, _>(c, "paged, RDY low at known times", &mut *stalled, NoHooks);
    assert_eq!(stalled.ram()[0x0300..0x0308], RESULT);

    let mut ticked = machines::ticked();
    measure::<Nmos, _, _>(c, "ticked in every cycle", &mut *ticked, NoHooks);
    assert_eq!(ticked.bytes[0x0300..0x0308], RESULT);

    measure_others(c);
}

/// Other crates on flat RAM: what one machine gives is best told by what it gives to others.
fn measure_others(c: &mut Criterion<Emulated>) {
    let mut ram = machines::flat();
    let mut cpu = Cpu::<Nmos>::new();
    cpu.registers.pc = START;
    assert_eq!(cpu.run(&mut *ram, Until::rts()), Stop::Rts);
    let mut group = c.benchmark_group("others");
    group.throughput(Throughput::Elements(cpu.cycles));
    let mut mos6502 = others::Mos6502::new(machines::flat().bytes());
    group.bench_function("mos6502 (counts cycles, no bus)", |b| b.iter(|| mos6502.run()));
    assert_eq!(mos6502.result(), RESULT);
    let mut w65c02s = others::Wdc65c02::new(machines::flat().bytes());
    group.bench_function("w65c02s (bus exact, 65C02)", |b| b.iter(|| w65c02s.run()));
    assert_eq!(w65c02s.result(), RESULT);
    group.finish();
}

fn measure<V: Variant, B: Bus, H: Hooks>(c: &mut Criterion<Emulated>, name: &str, bus: &mut B, mut hooks: H) {
    let mut cpu = Cpu::<V>::new();
    let mut run = move || {
        let before = cpu.cycles;
        cpu.registers.pc = START;
        cpu.registers.p = Status::from_byte(0);
        cpu.registers.s = 0xff;
        let stop = cpu.run_with(bus, &mut hooks, Until::rts().within(10_000_000));
        assert_eq!(stop, Stop::Rts);
        cpu.cycles - before
    };
    let mut group = c.benchmark_group("6502");
    group.throughput(Throughput::Elements(run()));
    group.bench_function(name, |b| b.iter(&mut run));
    group.finish();
}

/// The cheapest hook there is.
struct Count(u64);

impl Hooks for Count {
    const ACCESSES: bool = false;

    #[inline(always)]
    fn instruction(&mut self, _registers: &Registers, _cycles: u64) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(Emulated::new(1e6, "MHz"));
    targets = speed
}
criterion_main!(benches);
