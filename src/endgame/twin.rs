//! The fast solver against the definition: the same states, moves and values.

use shakmaty::{Chess, Position};

use super::{Endgame, Library, Material, Transitions, Universe, byte_of};
use crate::game::Silent;
use crate::solve::retrograde;

/// Solves a class and all that it rests on, the fast way.
pub(super) fn solved(name: &str) -> (Endgame, Library) {
    let material: Material = name.parse().unwrap();
    let mut library = Library::new();
    let endgame = solve_into(&material, &mut library);
    (endgame, library)
}

fn solve_into(material: &Material, library: &mut Library) -> Endgame {
    for child in material.children() {
        if !library.contains(&child) {
            solve_into(&child, library);
        }
    }
    Endgame::solve(material, library, &Silent).unwrap()
}

/// Compares the fast solver with retrograde analysis on the graph of the universe.
fn compare(name: &str) {
    let (endgame, library) = solved(name);
    let universe = Universe::enumerate(&endgame.material, &Silent).unwrap();
    let transitions = Transitions::generate(&universe, &library, &Silent).unwrap();
    let values = retrograde::solve(&transitions.graph, &Silent).unwrap();
    let bytes: Vec<u8> = universe
        .indices()
        .map(|index| byte_of(values.of(index)).unwrap())
        .collect();
    let (states, en_passant) = bytes.split_at(universe.ordinary());
    assert!(states == endgame.values, "{name}");
    assert_eq!(
        en_passant,
        endgame.en_passant.map_or(Vec::new(), |found| found.values)
    );
    let summary = &endgame.summary;
    assert_eq!(summary.states, states.len() as u64);
    assert_eq!(
        summary.legal_moves, transitions.legal_moves as u64,
        "{name}"
    );
    assert_eq!(summary.edges, transitions.edges(&universe) as u64, "{name}");
    for (number, index) in universe.indices().enumerate().step_by(101) {
        let position: Chess = universe.position(index);
        assert_eq!(
            byte_of(library.value(&position).unwrap()),
            Some(bytes[number])
        );
        let best = library.moves(&position).unwrap();
        assert_eq!(best.len(), position.legal_moves().len());
        if let Some(best) = best.first() {
            assert_eq!(byte_of(best.value), Some(bytes[number]));
        }
    }
}

#[test]
fn three_men() {
    for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
        compare(name);
    }
}

#[test]
#[ignore = "the long tier runs it"]
fn four_men() {
    for name in ["KNNK", "KPKP"] {
        compare(name);
    }
}
