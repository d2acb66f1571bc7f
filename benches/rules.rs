//! Counting lines of play: this crate, the verifier's rules, and shakmaty's own count beside them.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dchess::rules::divide;
use dchess::verify;
use rayon::ThreadPoolBuilder;
use shakmaty::Chess;

/// Lines of five plies from the initial position.
const LINES: u64 = 4_865_609;

fn lines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft-5");
    group.sample_size(10);
    let position = Chess::default();
    group.bench_function("shakmaty", |bencher| {
        bencher.iter(|| assert_eq!(shakmaty::perft(black_box(&position), 5), LINES));
    });
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("a thread can be started");
    for (name, memory_bytes) in [("dchess, one thread", 0), ("dchess, with memory", 64 << 20)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let divided = pool.install(|| divide(black_box(&position), 5, memory_bytes));
                let divided = divided.expect("there are few enough");
                assert_eq!(divided.iter().map(|(_, lines)| lines).sum::<u64>(), LINES);
            });
        });
    }
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    group.bench_function("verifier", |bencher| {
        bencher.iter(|| assert_eq!(verify::perft(black_box(fen), 5), Some(LINES)));
    });
    group.finish();
}

criterion_group!(benches, lines);
criterion_main!(benches);
