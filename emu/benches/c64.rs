//! How many times faster than the real machine a C64 runs: a still text screen with a program at work, and eight
//! sprites with raster splits.

mod emulated;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tempo_emu::c64::{C64, Ended, Model};

use emulated::Emulated;

const FRAMES: u64 = 10;

fn c64(c: &mut Criterion<Emulated>) {
    measure(c, "still text screen", include_bytes!("c64-text.prg"));
    measure(c, "eight sprites, raster splits", include_bytes!("c64-sprites.prg"));
}

fn measure(c: &mut Criterion<Emulated>, name: &str, prg: &[u8]) {
    let mut machine = C64::new(Model::Pal);
    machine.start(prg).expect("a program");
    assert_eq!(machine.run_frames(10), Ended::Time);
    let mut group = c.benchmark_group("c64");
    group.throughput(Throughput::Elements(FRAMES * Model::Pal.cycles_per_frame()));
    group.bench_function(name, |b| b.iter(|| assert_eq!(machine.run_frames(FRAMES), Ended::Time)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(Emulated::new(985_248.0, "x real time"));
    targets = c64
}
criterion_main!(benches);
