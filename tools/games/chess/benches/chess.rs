//! Nodes per second: perft with bulk counting on one core, beside `cozy-chess`, and the search.
//! `cargo bench -p tempo-chess`; criterion prints elements (nodes) a second.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tempo_boardgame::perft::perft;
use tempo_boardgame::search::{Limits, best_move};
use tempo_chess::agent::{Advice, State, choose};
use tempo_chess::{Board, Game, PromotionSet, START_FEN};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn count(c: &mut Criterion) {
    let mut group = c.benchmark_group("chess perft");
    group.sample_size(10);
    for (name, fen, depth, nodes) in
        [("start", START_FEN, 6, 119_060_324u64), ("kiwipete", KIWIPETE, 5, 193_690_690)]
    {
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(BenchmarkId::new(name, depth), |b| {
            let board: Board = fen.parse().expect("a position");
            b.iter(|| {
                let counted = perft(&mut Game::new(board.clone(), PromotionSet::All), depth);
                assert_eq!(black_box(counted), nodes);
            });
        });
        // The yardstick: the same count by a generator of the field, counting its last ply in bulk too.
        group.bench_function(BenchmarkId::new(format!("{name}, cozy-chess"), depth), |b| {
            let board: cozy_chess::Board = fen.parse().expect("a position");
            b.iter(|| assert_eq!(black_box(cozy_perft(&board, depth)), nodes));
        });
    }
    group.finish();
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += cozy_perft(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("chess search");
    for (name, fen) in [("start", START_FEN), ("kiwipete", KIWIPETE)] {
        let nodes = 20_000;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |b| {
            let board: Board = fen.parse().expect("a position");
            b.iter(|| {
                let mut game = Game::new(board.clone(), PromotionSet::All);
                black_box(best_move(&mut game, Limits::nodes(nodes)))
            });
        });
    }
    group.finish();
}

/// One answer from text to text at the smallest setting.
fn answer(c: &mut Criterion) {
    let text = State::start().to_json();
    c.bench_function("agent answer, 1 node", |b| {
        b.iter(|| {
            let state = State::parse(text.as_bytes()).expect("a state");
            let answer = choose(&state, |state| {
                let found = best_move(&mut state.game(), Limits::nodes(1));
                Ok::<_, ()>(found.best.map(|best| Advice { best, score: Some(found.score) }))
            });
            black_box(answer.map(|answer| answer.to_json()))
        });
    });
}

criterion_group!(benches, count, search, answer);
criterion_main!(benches);
