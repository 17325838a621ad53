//! How many times faster than the real machine a C64 runs: a still text screen with a program at work, and eight
//! sprites with raster splits.

mod factor;

use criterion::measurement::WallTime;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use emu::c64::{C64, Ended, Model};

use factor::Factor;

const FRAMES: u64 = 10;

fn c64(c: &mut Criterion<Factor>) {
    measure(c, "still text screen", include_bytes!("c64-text.prg"));
    measure(c, "eight sprites, raster splits", include_bytes!("c64-sprites.prg"));
}

fn measure(c: &mut Criterion<Factor>, name: &str, prg: &[u8]) {
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
    config = Criterion::default().with_measurement(Factor(WallTime));
    targets = c64
}
criterion_main!(benches);
