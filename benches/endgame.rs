//! Solving and verifying whole endgames. Every iteration asserts what it computed, so a change that
//! makes the work wrong cannot look like a change that makes it fast.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use dchess::certificate::{Format, Sealed};
use dchess::endgame::{Endgame, Library, Material};
use dchess::game::Silent;
use dchess::verify::{Session, read};

/// Class, canonical states, longest mate in plies (C2, sections 6 and 7; for four men
/// `tests/figures/endgames.tsv`).
const CLASSES: [(&str, u64, u16); 4] = [
    ("KQK", 46_137, 20),
    ("KRK", 50_015, 32),
    ("KBNK", 3_067_466, 66),
    ("KQKR", 2_467_122, 70),
];

/// The classes that a class rests on, solved.
fn children(material: &Material) -> Library {
    let mut library = Library::new();
    for child in material.children() {
        solved(&child, &mut library);
    }
    library
}

fn solved(material: &Material, library: &mut Library) -> Endgame {
    Endgame::solve(material, library, &Silent).expect("nobody interrupts a benchmark")
}

fn solve(criterion: &mut Criterion) {
    for (name, states, plies) in CLASSES {
        let material: Material = name.parse().expect("the name is one of a class");
        criterion.bench_function(&format!("solve/{name}"), |bencher| {
            bencher.iter_batched(
                || children(&material),
                |mut library| {
                    let summary = solved(black_box(&material), &mut library).summary;
                    assert_eq!(summary.states, states);
                    assert_eq!(summary.max_dtm.get(), plies);
                },
                BatchSize::LargeInput,
            );
        });
    }
}

fn verify(criterion: &mut Criterion) {
    for (name, states, _) in CLASSES {
        let material: Material = name.parse().expect("the name is one of a class");
        let mut library = Library::new();
        let mut session = Session::new();
        let mut ids = Vec::new();
        for child in material.children() {
            let sealed = Sealed::endgame(&solved(&child, &mut library), &[], Format::Bin);
            let sealed = sealed.expect("it can be encoded");
            let certificate = read(&mut sealed.bytes()).expect("it is whole");
            session.verify(&certificate).expect("it is true");
            ids.push((child, sealed.id()));
        }
        let sealed = Sealed::endgame(&solved(&material, &mut library), &ids, Format::Compressed);
        let sealed = sealed.expect("it can be encoded");
        criterion.bench_function(&format!("verify/{name}"), |bencher| {
            bencher.iter(|| {
                let certificate = read(&mut black_box(sealed.bytes())).expect("it is whole");
                let checked = session.verify(&certificate).expect("it is true");
                assert_eq!(checked.states, states);
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
