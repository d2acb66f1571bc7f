//! Solving and verifying whole endgames. Every iteration asserts what it computed, so a change that
//! makes the work wrong cannot look like a change that makes it fast.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dchess::certificate::{Format, Sealed};
use dchess::endgame::{Endgame, Library, Material};
use dchess::game::Silent;

/// Class, canonical states, edges, longest mate in plies (C2, sections 6 and 7).
const CLASSES: [(&str, u64, u64, u16); 2] =
    [("KQK", 46_137, 609_873, 20), ("KRK", 50_015, 558_816, 32)];

fn solved(name: &str) -> Endgame {
    let material: Material = name.parse().expect("the name is one of a class");
    Endgame::solve(&material, &mut Library::new(), &Silent).expect("nobody interrupts a benchmark")
}

fn solve(criterion: &mut Criterion) {
    for (name, states, edges, plies) in CLASSES {
        criterion.bench_function(&format!("solve/{name}"), |bencher| {
            bencher.iter(|| {
                let summary = solved(black_box(name)).summary;
                assert_eq!((summary.states, summary.edges), (states, edges));
                assert_eq!(summary.max_dtm.get(), plies);
            });
        });
    }
}

fn verify(criterion: &mut Criterion) {
    for (name, states, edges, _) in CLASSES {
        let sealed = Sealed::endgame(&solved(name), &[], Format::Bin).expect("it can be encoded");
        criterion.bench_function(&format!("verify/{name}"), |bencher| {
            bencher.iter(|| {
                let certificate =
                    dchess::verify::read(&mut black_box(sealed.bytes())).expect("it is whole");
                let checked = dchess::verify::verify(&certificate).expect("it is true");
                assert_eq!((checked.states, checked.edges), (states, edges));
            });
        });
    }
}

criterion_group! {
    name = endgame;
    config = Criterion::default().sample_size(20);
    targets = solve, verify
}
criterion_main!(endgame);
