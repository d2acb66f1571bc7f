//! Refining the moves of whole classes, without building them, on one thread. Every iteration asserts
//! what it computed.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dchess::endgame::{ChildStates, Endgame, Library, Material, MoveGraph, Quotient};
use dchess::game::Silent;

/// Class, blocks, rounds.
const CLASSES: [(&str, usize, usize); 3] = [
    ("KQK", 45_249, 9),
    ("KRK", 49_885, 13),
    ("KBNK", 3_062_391, 12),
];

fn moves(name: &str) -> MoveGraph {
    let material: Material = name.parse().expect("the name is one of a class");
    let mut library = Library::new();
    Endgame::solve(&material, &mut library, &Silent).expect("nobody interrupts a benchmark");
    MoveGraph::of(&material, &library, ChildStates::Merged, &Silent)
        .expect("nobody interrupts a benchmark")
}

fn refine(criterion: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.expect("a thread can be started");
    for (name, blocks, rounds) in CLASSES {
        let moves = moves(name);
        criterion.bench_function(&format!("refine/{name}"), |bencher| {
            bencher.iter(|| {
                let quotient = pool.install(|| Quotient::of(black_box(&moves), &Silent));
                let quotient = quotient.expect("nobody interrupts a benchmark");
                assert_eq!(quotient.blocks(), blocks);
                assert_eq!(quotient.refinement.rounds(), rounds);
            });
        });
    }
}

criterion_group! {
    name = refinement;
    config = Criterion::default().sample_size(10);
    targets = refine
}
criterion_main!(refinement);
