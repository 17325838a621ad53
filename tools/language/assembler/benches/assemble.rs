//! Lines assembled per second: a plain program, one full of scripts, one full of macros; and the time of scripts that
//! make pictures and tables (`scripts/`), for a program and for an editor.
//! `cargo bench -p tempo-assembler`; `cargo bench -p tempo-assembler -- plain` for one of them.

#[path = "programs.rs"]
mod programs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use programs::{Kind, program};
use tempo_assembler::{DiskFiles, MemoryFiles, Options};

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

fn scripts(criterion: &mut Criterion) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/scripts");
    for name in ["charset", "dither", "histogram", "packer", "ramp", "speedcode", "structs"] {
        let source = format!("{folder}/{name}.asm");
        for (kind, analysis) in [("scripts", false), ("analysis", true)] {
            let options = Options { analysis, source_map: analysis, symbols: analysis, ..Options::default() };
            let output = tempo_assembler::assemble(&DiskFiles::default(), &source, &options);
            assert!(!output.has_errors(), "{:?}", output.diagnostics.first());
            criterion.benchmark_group(kind).sample_size(20).bench_function(name, |bencher| {
                bencher.iter(|| tempo_assembler::assemble(&DiskFiles::default(), &source, &options));
            });
        }
    }
}

criterion_group!(benches, assemble, scripts);
criterion_main!(benches);
