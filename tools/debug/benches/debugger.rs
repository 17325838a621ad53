//! What the debugger costs: `cargo bench -p tempo-debug`. The figures that docs/debugging.md quotes.

use std::hint::black_box;

use assembler::{MemoryFiles, Options, assemble};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use debug::{Debugger, Granularity, Origin, Point, Setup, Target, Watch};
use emu::{Cpu, Nmos, Ram, Until};

/// A loop over memory that calls a routine; it never ends.
const SOURCE: &str = "\
*=$1000
main: ldx #0
loop: lda $2000,x
  clc
  adc $20
  sta $3000,x
  jsr sub
  inx
  jmp loop
sub: inc $20
  rts
never: nop
  rts
";

/// Cycles of one measurement.
const CYCLES: u64 = 10_000_000;

fn target() -> Target {
    let files: MemoryFiles = [("main.asm", SOURCE)].into_iter().collect();
    let output = assemble(&files, "main.asm", &Options { analysis: true, ..Options::default() });
    Target::from_output(&output, &Setup::default()).expect("a program")
}

fn debugger() -> Debugger {
    Debugger::new(target())
}

fn code_point(debugger: &mut Debugger, address: u16, condition: Option<&str>) {
    let mut point = Point::new(Origin::Instruction, Watch::Code(vec![address]));
    point.condition = condition.map(|text| debugger.compile(text).expect("a condition"));
    debugger.points.add(point);
}

fn speed(c: &mut Criterion) {
    let mut group = c.benchmark_group("run");
    group.throughput(Throughput::Elements(CYCLES)).sample_size(10);
    group.bench_function("plain emulator", |b| {
        let machine = target().machine;
        let mut ram = Box::new(Ram::new());
        for address in 0..=0xffff_u16 {
            ram[address] = machine.peek(address);
        }
        let mut cpu = Cpu::<Nmos>::new();
        cpu.registers.pc = 0x1000;
        b.iter(|| cpu.run(&mut *ram, Until::cycles(CYCLES)));
    });
    group.bench_function("line breakpoints that are not reached", |b| {
        let mut debugger = debugger();
        for address in 0x101a..0x101c {
            code_point(&mut debugger, address, None);
        }
        debugger.resume();
        b.iter(|| black_box(debugger.run(CYCLES)));
    });
    // The loop takes 39 cycles: a hit in each.
    group.bench_function("a false condition in every round", |b| {
        let mut debugger = debugger();
        code_point(&mut debugger, 0x1002, Some("x == 3 and [$20] == 300"));
        debugger.resume();
        b.iter(|| black_box(debugger.run(CYCLES)));
    });
    group.bench_function("a data breakpoint that is not reached", |b| {
        let mut debugger = debugger();
        let watch = Watch::Data { first: 0x4000, last: 0x4000, read: true, write: true, on_change: false };
        debugger.points.add(Point::new(Origin::Data, watch));
        debugger.resume();
        b.iter(|| black_box(debugger.run(CYCLES)));
    });
    group.finish();
}

fn back(c: &mut Criterion) {
    let mut debugger = debugger();
    debugger.resume();
    debugger.run(100_000_000);
    let end = debugger.time();
    let mut group = c.benchmark_group("after 100 million cycles");
    group.sample_size(10);
    group.bench_function("step back", |b| {
        b.iter(|| {
            debugger.go_to(end);
            black_box(debugger.step_back(Granularity::Instruction))
        });
    });
    group.bench_function("step back 50 million cycles ago", |b| {
        b.iter(|| {
            debugger.go_to(end / 2);
            black_box(debugger.step_back(Granularity::Line))
        });
    });
    group.bench_function("who wrote this", |b| {
        debugger.go_to(end);
        b.iter(|| black_box(debugger.why(debug::Subject::Byte(0x3000))));
    });
    group.finish();
}

criterion_group!(benches, speed, back);
criterion_main!(benches);
