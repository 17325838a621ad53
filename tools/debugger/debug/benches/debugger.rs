//! Costs of the debugger: `cargo bench -p tempo-debug`. The figures that docs/debugging.md quotes. On Linux the time is
//! that of the processor, so that a busy computer gives the same figures.

use std::hint::black_box;

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tempo_assembler::{MemoryFiles, Options, assemble};
use tempo_debug::{Debugger, Granularity, Origin, Point, Setup, Target, Watch};
use tempo_emu::{Cpu, Nmos, Ram, Until};

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

/// A breakpoint on a line, as editors set it.
fn line_point(debugger: &mut Debugger, line: u32, condition: Option<&str>) {
    let file = debugger.map.file("main.asm").expect("the source");
    let places = debugger.map.line_places(file, line, None).expect("code");
    let mut point = Point::new(Origin::Line, Watch::Code(places.addresses));
    point.line = Some((file, places.line));
    point.condition = condition.map(|text| debugger.compile(text).expect("a condition"));
    debugger.points.add(point);
}

/// A text screen, a border that changes and a loop over memory, on a whole C64.
const C64_SOURCE: &str = "\
*=$0801
.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0
start: ldx #0
loop: lda $2000,x
  clc
  adc $20
  sta $0400,x
  jsr sub
  inx
  bne loop
  inc $d020
  jmp start
sub: inc $20
  rts
never: nop
  rts
";

fn c64() -> Target {
    let files: MemoryFiles = [("main.asm", C64_SOURCE)].into_iter().collect();
    let output = assemble(&files, "main.asm", &Options { analysis: true, ..Options::default() });
    let setup = Setup { kind: tempo_emu::System::C64Pal, ..Setup::default() };
    Target::from_output(&output, &setup).expect("a program")
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
        line_point(&mut debugger, 12, None);
        line_point(&mut debugger, 13, None);
        debugger.resume();
        b.iter(|| black_box(debugger.run(CYCLES)));
    });
    // The loop takes 39 cycles: a hit in each. What it takes longer than the one above, divided by 256,410 hits, is the
    // price of a hit.
    group.bench_function("a false condition in every round", |b| {
        let mut debugger = debugger();
        line_point(&mut debugger, 3, Some("a == 3 and [$20] == 300"));
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

fn speed_of_c64(c: &mut Criterion<Busy>) {
    let mut group = c.benchmark_group("run on a C64");
    let cycles = CYCLES / 10;
    group.throughput(Throughput::Elements(cycles)).sample_size(10);
    group.bench_function("plain emulator", |b| {
        let machine = c64().machine;
        let mut board = machine.computer().and_then(|machine| machine.c64()).expect("a C64").board.clone();
        let mut cpu = Cpu::<Nmos>::with_registers(*machine.registers());
        b.iter(|| cpu.run(&mut board, Until::cycles(cycles)));
    });
    group.bench_function("line breakpoints that are not reached", |b| {
        let mut debugger = Debugger::new(c64());
        line_point(&mut debugger, 15, None);
        line_point(&mut debugger, 16, None);
        debugger.resume();
        b.iter(|| black_box(debugger.run(cycles)));
    });
    group.finish();
    let mut debugger = Debugger::new(c64());
    debugger.resume();
    debugger.run(20_000_000);
    let end = debugger.time();
    let mut group = c.benchmark_group("on a C64 after 20 million cycles");
    group.sample_size(10);
    group.bench_function("step back", |b| {
        b.iter(|| {
            debugger.go_to(end);
            black_box(debugger.step_back(Granularity::Line))
        });
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
        b.iter(|| black_box(debugger.why(tempo_debug::Subject::Byte(0x3000))));
    });
    group.finish();
}

/// The slice that `tempo dap` runs between two looks at its client: the longest wait of a pause.
fn pause(c: &mut Criterion<Busy>) {
    const SLICE: u64 = 400_000;
    let mut group = c.benchmark_group("a slice of the adapter");
    group.sample_size(10);
    for (name, is_watched) in [("C64", false), ("C64 with a data breakpoint", true)] {
        let mut debugger = Debugger::new(c64());
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

criterion_group!(name = benches; config = busy(); targets = speed, speed_of_c64, back, pause);
criterion_main!(benches);
