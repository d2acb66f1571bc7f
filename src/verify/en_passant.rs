//! The canonical en-passant states of a class, in canonical order.
//!
//! Such a state is a state together with the square that a pawn has just stepped over. Its tuple is that of the state
//! followed by the square. With pawns no placement is its own reflection, so the smaller of the two images is the one
//! whose state is canonical: the canonical en-passant states are those of the canonical states, in the order of
//! these, and each has two images.
//!
//! Invariant: the list ascends.
//!
//! Source: `docs/certificate-format.md`, *The states*.

use super::Square;
use super::class::Class;
use super::index::Index;
use super::layout::{Place, Squares};
use super::man::{Kind, Side};
use super::position::Position;

/// The number of a canonical en-passant state, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct EnPassantNumber(u32);

impl EnPassantNumber {
    /// The number itself.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The canonical en-passant states of a class.
pub(super) struct EnPassantStates(Vec<(Place, Square)>);

impl EnPassantStates {
    /// Looks at every pawn of every state that may just have made a double step.
    pub(super) fn of(class: &Class, index: &Index) -> EnPassantStates {
        let mut states = Vec::new();
        if class.has_en_passant() {
            for place in index.places() {
                let squares = index.layout().squares(place);
                for over in stepped_over(class, &squares, place.side()) {
                    let placed = std::iter::zip(class.men().iter().copied(), squares);
                    let position = Position::new(placed, place.side());
                    if position.is_some_and(|position| position.with_en_passant(over).is_some()) {
                        states.push((place, over));
                    }
                }
            }
        }
        EnPassantStates(states)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many raw en-passant states there are.
    pub(super) fn raw_states(&self) -> u64 {
        2 * self.len() as u64
    }

    /// The states in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Place, Square)> {
        self.0.iter().copied()
    }

    /// The number of the state at a place and with a square, if there is one.
    pub(super) fn number(&self, place: Place, over: Square) -> Option<EnPassantNumber> {
        let number = self.0.binary_search(&(place, over)).ok()?;
        Some(EnPassantNumber(number as u32))
    }
}

/// The squares behind the pawns of the side not to move that stand where a double step ends and beside a pawn of the
/// other side, in ascending order. (Like men stand in ascending order.)
fn stepped_over(
    class: &Class,
    squares: &Squares,
    to_move: Side,
) -> impl Iterator<Item = Square> {
    let stepped = to_move.other();
    let rank = stepped.rank(3);
    let pawns = move |side| {
        let men = std::iter::zip(class.men(), squares);
        men.filter(move |(man, square)| {
            man.kind == Kind::Pawn && man.side == side && square.rank() == rank
        })
    };
    pawns(stepped)
        .filter(move |(_, square)| {
            pawns(to_move).any(|(_, beside)| (beside.file() - square.file()).abs() == 1)
        })
        .filter_map(move |(_, square)| square.step((0, -stepped.ahead())))
}
