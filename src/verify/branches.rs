//! The moves of a position of which the class is not enumerated, by what they lead to.
//!
//! Legal are the moves after which the mover's king is not attacked. What is left of a capture or a promotion is looked up in
//! the table of a child, everything else is a position of the class, known by its tuple.
//!
//! Source: `docs/certificate-format.md`, *The states* and *Deletions* of kind 4.

use super::claim::name_in;
use super::class::Successor;
use super::position::{Change, NOBODY, Position};
use super::routes::{Route, Routes};
use super::tuple::Tuple;
use super::{Reason, Refusal};

/// A move, by what it leads to. Two moves that lead to the same are one. The order is that of the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Branch {
    /// A state or en-passant state of the class.
    Position(Tuple),
    /// A state of a child, by its byte, and which one it is.
    Child(u8, Successor),
    Sink,
}

/// The moves of a position in their order, without repetition.
///
/// # Errors
///
/// [`Reason::MissingChildren`] if a move leads where no table was given; with the children of the class none does.
pub(super) fn branches(position: &Position, routes: &Routes) -> Result<Vec<Branch>, Refusal> {
    let mut changes = Vec::new();
    position.moves(|change| changes.push(*change));
    changes.retain(|change| !position.is_unsafe(change));
    let branches = changes
        .iter()
        .map(|change| branch(position, routes, change));
    let mut branches = branches.collect::<Result<Vec<_>, _>>()?;
    branches.sort_unstable();
    branches.dedup();
    Ok(branches)
}

/// What a legal move leads to.
fn branch(position: &Position, routes: &Routes, change: &Change) -> Result<Branch, Refusal> {
    let after = position.squares.with(change.man, change.to);
    let to_move = position.to_move.other();
    if change.captured == NOBODY && change.promotion.is_none() {
        let mut after = Position {
            squares: after,
            to_move,
            en_passant: None,
            ..*position
        };
        let passed = Some(change.from.midpoint(change.to));
        if change.double_step && after.may_have(passed) {
            after.en_passant = passed;
        }
        return Ok(Branch::Position(Tuple::canonical(&after)));
    }
    let missing = |what: &str| Refusal::new(Reason::MissingChildren, what);
    match routes.by(change) {
        Some(Route::Sink) => Ok(Branch::Sink),
        Some(Route::Child(child)) => {
            let (squares, side) = child.placement(after, to_move);
            let entry = child.states.locate(squares).entry;
            // A table has all raw legal states of its class, so the byte is there.
            let byte = child.states.byte(entry, side);
            let byte = byte.ok_or_else(|| missing(&child.states.material.name()))?;
            let successor = Successor::of_child(child.number, entry, side);
            Ok(Branch::Child(byte, successor))
        }
        Some(Route::Missing(claim)) => Err(missing(name_in(claim))),
        None => Err(missing("none")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::class::tests::{class_of, closure};
    use super::super::graph::{Graph, Move, Vertex, Vertices};
    use super::super::man::Side;
    use super::super::material::Material;
    use super::super::squares::Squares;
    use super::*;

    /// Compares the moves of every so many positions with those of the graph of an enumerated class.
    fn compare(name: &str, step: usize) {
        let tables = closure(name);
        let routes = Routes::of(&tables[0].material, &tables);
        let graph = Graph::of(class_of(&tables));
        let visit = &mut |vertex: &Vertex| {
            let number = vertex.number as usize;
            if !number.is_multiple_of(step) && number < graph.states() {
                return Ok(());
            }
            let position = graph.position(vertex.number).unwrap();
            let found = branches(&position, &routes)?;
            let mut wanted: Vec<Branch> = vertex
                .moves
                .iter()
                .map(|to| match *to {
                    Move::Vertex(to) => {
                        Branch::Position(Tuple::canonical(&graph.position(to).unwrap()))
                    }
                    Move::Child(byte, successor) => Branch::Child(byte, successor),
                    Move::Sink => Branch::Sink,
                })
                .collect();
            // The numbers of vertices have the en-passant states behind the others; tuples have not.
            wanted.sort();
            assert_eq!(found, wanted, "{position}");
            Ok(())
        };
        graph.each(visit).unwrap();
    }

    #[test]
    fn moves_are_those_of_the_enumerated_class() {
        compare("KQK", 7);
        compare("KPK", 7);
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn moves_of_more_men_are_those_of_the_enumerated_class() {
        for name in ["KNNK", "KQKR", "KPKP", "KRPK", "KNKP"] {
            compare(name, 31);
        }
    }

    #[test]
    fn a_table_that_was_not_given_is_missing() {
        let tables = closure("KPK");
        let material = &tables[0].material;
        // White Ka1 Pe7, Black Kh7.
        let squares = Squares::of([0, 52, 55]);
        let position = Position::new(material, squares, Side::White).unwrap();
        let found = branches(&position, &Routes::of(material, &[])).unwrap_err();
        assert_eq!(found.reason, Reason::MissingChildren);
        assert_eq!(found.place, "KQK");
    }

    #[test]
    fn only_a_double_step_leads_to_an_en_passant_state() {
        let (material, _) = Material::of_letters("KRPKP");
        // White Ka1 Rd3 Pe4, Black Kh8 Pf4: the rook passes over e3, where Black's pawn could capture.
        let squares = Squares::of([0, 19, 28, 63, 29]);
        let position = Position::new(&material, squares, Side::White).unwrap();
        let found = branches(&position, &Routes::of(&material, &[])).unwrap();
        // Three of the king, seven of the rook on the file and seven on the rank, and one of the pawn.
        assert_eq!(found.len(), 3 + 14 + 1);
        for branch in found {
            let Branch::Position(tuple) = branch else {
                panic!("{branch:?}")
            };
            assert_eq!(tuple.placed(&material).en_passant, None);
        }
    }

    #[test]
    fn the_square_of_an_en_passant_state_is_good_for_one_move() {
        let (material, _) = Material::of_letters("KPKP");
        let tables = closure("KPK");
        // White Kh1 Pe5, Black Kh8 Pd5, after d7-d5: three moves of the king, one of the pawn, and the capture.
        let squares = Squares::of([7, 36, 63, 35]);
        let mut position = Position::new(&material, squares, Side::White).unwrap();
        position.en_passant = Some(43);
        let found = branches(&position, &Routes::of(&material, &tables)).unwrap();
        assert_eq!(found.len(), 5);
        for branch in &found[..4] {
            let Branch::Position(tuple) = branch else {
                panic!("{branch:?}")
            };
            assert_eq!(tuple.placed(&material).en_passant, None);
        }
        assert!(matches!(found[4], Branch::Child(255, _)));
    }
}
