//! What the debugger costs: `cargo bench -p tempo-debug`. The figures that docs/debugging.md quotes. On Linux the time is
//! that of the processor, so that a busy computer gives the same figures.

use std::hint::black_box;

use assembler::{MemoryFiles, Options, assemble};
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
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

/// Nanoseconds of this thread on a processor; without Linux, of the clock.
struct Busy(std::time::Instant);

impl Busy {
    #[expect(clippy::disallowed_methods, reason = "a bench reads the time")]
    fn now(&self) -> u64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let busy = text.and_then(|text| text.split(' ').next()?.parse().ok());
        busy.unwrap_or_else(|| self.0.elapsed().as_nanos() as u64)
    }
}

impl Measurement for Busy {
    type Intermediate = u64;
    type Value = u64;
    fn start(&self) -> u64 {
        self.now()
    }
    fn end(&self, start: u64) -> u64 {
        self.now() - start
    }
    fn add(&self, one: &u64, two: &u64) -> u64 {
        one + two
    }
    fn zero(&self) -> u64 {
        0
    }
    fn to_f64(&self, value: &u64) -> f64 {
        *value as f64
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

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

fn speed(c: &mut Criterion<Busy>) {
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

fn back(c: &mut Criterion<Busy>) {
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

/// What `tempo dap` runs between two looks at its client: how long a pause waits at most.
fn pause(c: &mut Criterion<Busy>) {
    const SLICE: u64 = 400_000;
    let source = "*=$0801\n.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0\nstart: inc $d020\n  jmp start\n";
    let files: MemoryFiles = [("main.asm", source)].into_iter().collect();
    let output = assemble(&files, "main.asm", &Options { analysis: true, ..Options::default() });
    let setup = Setup { kind: harness::ast::MachineKind::C64Pal, ..Setup::default() };
    let mut group = c.benchmark_group("a slice of the adapter");
    group.sample_size(10);
    for (name, is_watched) in [("C64", false), ("C64 with a data breakpoint", true)] {
        let mut debugger = Debugger::new(Target::from_output(&output, &setup).expect("a program"));
        if is_watched {
            let watch =
                Watch::Data { first: 0x4000, last: 0x4000, read: true, write: true, on_change: false };
            debugger.points.add(Point::new(Origin::Data, watch));
        }
        debugger.resume();
        group.bench_function(name, |b| b.iter(|| black_box(debugger.run(SLICE))));
    }
    group.finish();
}

#[expect(clippy::disallowed_methods, reason = "a bench reads the time")]
fn busy() -> Criterion<Busy> {
    Criterion::default().with_measurement(Busy(std::time::Instant::now()))
}

criterion_group!(name = benches; config = busy(); targets = speed, back, pause);
criterion_main!(benches);
