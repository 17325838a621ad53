//! Costs of the harness: per empty test, and as a share of a long run on the bare emulator.
//! `cargo bench -p tempo-harness` prints criterion's figures, then the numbers the documentation promises.
#![allow(clippy::disallowed_methods)] // A bench reads the clock.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use tempo_emu::{Cpu, Nmos, Ram, Stop, Until};
use tempo_harness::check::{AssemblyCache, CheckOptions, check};
use tempo_harness::events::Event;
use tempo_harness::files::MemoryFiles;
use tempo_harness::parse::{Dialect, parse};
use tempo_harness::plan::FilePlan;
use tempo_harness::run::{NoClock, RunOptions, run};
use tempo_harness::source::Source;

/// Reads, adds and stores over three pages, 256 times 256 times: about 12 M cycles.
const PROGRAM: &[u8] = &[
    0xa9, 0x0a, 0x85, 0x80, 0xa2, 0x00, 0xa0, 0x00, // lda #10, sta $80, ldx #0, ldy #0
    0xbd, 0x00, 0x20, 0x79, 0x00, 0x21, 0x9d, 0x00, 0x22, // lda $2000,x, adc $2100,y, sta $2200,x
    0xe8, 0xd0, 0xf4, 0xc8, 0xd0, 0xf1, 0xc6, 0x80, 0xd0, 0xed,
    0x60, // inx, bne, iny, bne, dec $80, bne, rts
];

fn plan(text: &str) -> FilePlan {
    plan_in(Dialect::Full, text)
}

fn plan_in(dialect: Dialect, text: &str) -> FilePlan {
    let mut files = MemoryFiles::default();
    files.insert("long.bin", PROGRAM);
    files.insert("image.bin", vec![0x60; 0x8000]);
    let mut source = Source::new("bench.6502", text);
    let parsed = parse(&mut source, dialect, &files);
    assert!(!parsed.has_errors(), "{:?}", parsed.diagnostics);
    let source = Arc::new(source);
    let options = CheckOptions { dialect, ..CheckOptions::default() };
    let checked = check(&source, &parsed.file, options, &files, &AssemblyCache::default());
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    checked.plan
}

/// A thousand tests that call an RTS, each with a 32 KB program loaded before it.
fn empty_tests() -> FilePlan {
    let mut text = String::from("suites { suite(\"empty\") { load(\"image.bin\", address = $1000)\n");
    for number in 0..1000 {
        text.push_str(&format!("test(\"t{number}\", \"empty\") {{ jsr($1000) }}\n"));
    }
    text.push_str("} }");
    plan(&text)
}

fn long_test() -> FilePlan {
    plan(
        "suites { suite(\"long\") { load(\"long.bin\", address = $1000) test(\"t\", \"long\") { jsr($1000) } } }",
    )
}

/// The same as a suite for sim6502 (`--compat`).
fn compatible_test() -> FilePlan {
    plan_in(
        Dialect::Base,
        "suites { suite(\"long\") { load(\"long.bin\", address = $1000) test(\"t\", \"long\") { \
         jsr($1000, stop_on_rts = true, fail_on_brk = true) } } }",
    )
}

fn run_plan(plan: &FilePlan) -> u64 {
    run_plan_in(Dialect::Full, plan)
}

fn run_plan_in(dialect: Dialect, plan: &FilePlan) -> u64 {
    let options = RunOptions { jobs: 1, dialect, ..RunOptions::default() };
    let totals = run(std::slice::from_ref(plan), &options, &NoClock, &mut |event: Event| {
        black_box(event);
    });
    assert_eq!(totals.counts.failed, 0);
    totals.cycles
}

fn bare() -> u64 {
    let mut ram = Ram::new();
    ram.load(0x1000, PROGRAM).expect("fits");
    let mut cpu = Cpu::<Nmos>::new();
    cpu.registers.pc = 0x1000;
    // The same ends the harness asks for.
    let stop = cpu.run(&mut ram, Until { brk: true, ..Until::rts().within(200_000_001) });
    assert_eq!(stop, Stop::Rts);
    cpu.cycles
}

fn best(times: usize, mut work: impl FnMut() -> u64) -> (Duration, u64) {
    let mut best = Duration::MAX;
    let mut cycles = 0;
    for _ in 0..times {
        let started = Instant::now();
        cycles = black_box(work());
        best = best.min(started.elapsed());
    }
    (best, cycles)
}

fn main() {
    let empty = empty_tests();
    let long = long_test();
    let compatible = compatible_test();
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("harness");
    group.throughput(Throughput::Elements(1000));
    group.bench_function("1000 empty tests", |bencher| bencher.iter(|| run_plan(&empty)));
    group.throughput(Throughput::Elements(bare()));
    group.bench_function("12 M cycles, bare emulator", |bencher| bencher.iter(bare));
    group.bench_function("12 M cycles, one test", |bencher| bencher.iter(|| run_plan(&long)));
    group.bench_function("12 M cycles, one test, --compat", |bencher| {
        bencher.iter(|| run_plan_in(Dialect::Base, &compatible))
    });
    group.finish();
    criterion.final_summary();

    let (each, _) = best(30, || run_plan(&empty));
    println!("per empty test: {:.1} µs (allowed: 50)", each.as_secs_f64() * 1e6 / 1000.0);
    // Taken in turns, so that a busy machine slows both.
    let (mut alone, mut tested, mut counted, mut cycles) = (Duration::MAX, Duration::MAX, Duration::MAX, 0);
    for _ in 0..40 {
        alone = alone.min(best(1, bare).0);
        let (time, count) = best(1, || run_plan(&long));
        tested = tested.min(time);
        cycles = count;
        counted = counted.min(best(1, || run_plan_in(Dialect::Base, &compatible)).0);
    }
    let overhead = (tested.as_secs_f64() / alone.as_secs_f64() - 1.0) * 100.0;
    println!(
        "long run: {:.0} MHz bare, {:.0} MHz in a test, overhead {overhead:+.1} % of {:.1} M cycles (allowed: 5)",
        cycles as f64 / alone.as_secs_f64() / 1e6,
        cycles as f64 / tested.as_secs_f64() / 1e6,
        cycles as f64 / 1e6
    );
    println!(
        "--compat: {:.0} MHz, {:.0} % of the speed of a test (wanted: 33)",
        cycles as f64 / counted.as_secs_f64() / 1e6,
        100.0 * tested.as_secs_f64() / counted.as_secs_f64()
    );
}
