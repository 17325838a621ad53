//! Enochian chess: perft nodes a second from two arrays, a throw of the dice, and reading the rules file.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tempo_boardgame::perft::perft;
use tempo_enochian::{Dice, EMBEDDED_YAML, Layout, Position, Rulebook, Setup, find_array_by_name};

fn count(c: &mut Criterion) {
    let mut group = c.benchmark_group("enochian perft");
    for id in ["fire_of_fire", "earth_of_air"] {
        let mut position = find_array_by_name(id).expect("an array of the book").position();
        group.throughput(Throughput::Elements(perft(&mut position, 5)));
        group.bench_function(id, |b| b.iter(|| perft(&mut position, black_box(5))));
    }
    group.finish();
}

fn throw(c: &mut Criterion) {
    let mut position = Rulebook::embedded().recommended_array().position();
    let mut dice = Dice::seeded(1);
    c.bench_function("enochian throw", |b| b.iter(|| position.throw(&mut dice)));
}

fn read(c: &mut Criterion) {
    let mut group = c.benchmark_group("enochian read");
    group.throughput(Throughput::Bytes(EMBEDDED_YAML.len() as u64));
    group.bench_function("rules", |b| b.iter(|| Rulebook::from_yaml(black_box(EMBEDDED_YAML.as_bytes()))));
    let json = Position::default().to_json(Layout::Compact);
    group.throughput(Throughput::Bytes(json.len() as u64));
    group.bench_function("position", |b| {
        b.iter(|| Position::from_json(black_box(json.as_bytes()), &Setup::base()))
    });
    group.finish();
}

criterion_group!(benches, count, throw, read);
criterion_main!(benches);
