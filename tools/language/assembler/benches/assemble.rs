//! Lines assembled per second: a plain program, one full of scripts, one full of macros.
//! `cargo bench -p assembler`; `cargo bench -p assembler -- plain` for one of them.

#[path = "programs.rs"]
mod programs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use programs::{Kind, program};
use tempo_assembler::{MemoryFiles, Options};

/// As many lines as the programs that other assemblers are timed with.
const LINES: usize = 25_000;

fn assemble(criterion: &mut Criterion) {
    let options = Options { source_map: false, symbols: false, ..Options::default() };
    for kind in Kind::ALL {
        let text = program(kind, LINES);
        let lines = text.lines().count();
        let files: MemoryFiles = [("main.asm", text)].into_iter().collect();
        let output = tempo_assembler::assemble(&files, "main.asm", &options);
        assert!(!output.has_errors(), "{:?}", output.diagnostics.first());
        let mut group = criterion.benchmark_group("lines");
        group.throughput(Throughput::Elements(lines as u64));
        let mut best = f64::INFINITY;
        group.bench_function(kind.name(), |bencher| {
            bencher.iter_custom(|rounds| {
                #[allow(clippy::disallowed_methods)] // a bench reads the clock
                let started = std::time::Instant::now();
                for _ in 0..rounds {
                    std::hint::black_box(tempo_assembler::assemble(&files, "main.asm", &options));
                }
                let elapsed = started.elapsed();
                best = best.min(elapsed.as_secs_f64() / rounds as f64);
                elapsed
            });
        });
        group.finish();
        if best.is_finite() {
            println!(
                "{}: {lines} lines in {:.2} ms, {:.1} million lines per second\n",
                kind.name(),
                best * 1e3,
                lines as f64 / best / 1e6
            );
        }
    }
}

criterion_group!(benches, assemble);
criterion_main!(benches);
