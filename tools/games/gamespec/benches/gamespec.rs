//! Games from a spec: nodes a second without bulk counting, beside the native chess engine doing the
//! same work, and the time to check and compile a spec.
//! `cargo bench -p tempo-gamespec`; criterion prints elements (nodes) a second.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tempo_boardgame::Game;
use tempo_gamespec::library;

/// Every move is made and taken back, the last ones too.
fn perft_by_playing<G: Game>(game: &mut G, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let first = moves.len();
    game.legal_moves(moves);
    let mut nodes = 0;
    for index in first..moves.len() {
        let mv = moves[index];
        let undo = game.make(mv);
        nodes += perft_by_playing(game, depth - 1, moves);
        game.unmake(mv, undo);
    }
    moves.truncate(first);
    nodes
}

fn count(c: &mut Criterion) {
    let mut group = c.benchmark_group("spec perft, every move made");
    group.sample_size(10);
    for (name, depth, nodes) in [
        ("chess", 4, 197_281u64),
        ("chess", 5, 4_865_609),
        ("los-alamos", 4, 14_332),
        ("breakthrough", 4, 256_036),
        ("ring-chess", 4, 29_167),
        ("cross-chess", 3, 7_800),
    ] {
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(BenchmarkId::new(name, depth), |b| {
            let text = library::find(name).expect("a shipped game").text;
            let mut game = tempo_gamespec::load(text.as_bytes()).expect("a game in order");
            b.iter(|| assert_eq!(black_box(perft_by_playing(&mut game, depth, &mut Vec::new())), nodes));
        });
    }
    group.throughput(Throughput::Elements(4_865_609));
    group.bench_function(BenchmarkId::new("chess, native engine", 5), |b| {
        let board = tempo_chess::START_FEN.parse().expect("a position");
        let mut game = tempo_chess::Game::new(board, tempo_chess::PromotionSet::All);
        b.iter(|| assert_eq!(black_box(perft_by_playing(&mut game, 5, &mut Vec::new())), 4_865_609));
    });
    group.finish();
}

fn load(c: &mut Criterion) {
    let mut group = c.benchmark_group("spec load");
    for name in ["chess", "cross-chess"] {
        let text = library::find(name).expect("a shipped game").text;
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("check", name), |b| {
            b.iter(|| black_box(tempo_gamespec::check(text.as_bytes())));
        });
        group.bench_function(BenchmarkId::new("check and compile", name), |b| {
            b.iter(|| black_box(tempo_gamespec::load(text.as_bytes()).expect("a game in order")));
        });
    }
    group.finish();
}

criterion_group!(benches, count, load);
criterion_main!(benches);
