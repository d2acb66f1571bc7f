//! A table: the states of a class with one byte each, and the tables that its moves lead into.
//!
//! A table is made of a certificate whose lengths were found right; what its bytes say is either being checked or, for
//! a child, was verified before. Positions are looked up here by the definitions of the format page, image by image.
//!
//! Invariants: there are as many values as states, and as many en-passant values as en-passant states; `children` are
//! the tables of `class.children()`, in the same order.
//!
//! Source: `docs/certificate-format.md`, *Kind 1: endgame table*.

use std::sync::Arc;

use super::class::{Class, MOST_MEN};
use super::en_passant::{EnPassantNumber, EnPassantStates};
use super::index::{Index, Number};
use super::layout::{Place, Squares};
use super::man::{Man, Side};
use super::position::Position;
use super::symmetry::Symmetry;
use super::{Move, Reason, Refusal, Square};

/// The states of a class with their values.
pub(super) struct Table {
    pub(super) class: Class,
    pub(super) index: Index,
    pub(super) values: Arc<Vec<u8>>,
    pub(super) en_passant: EnPassantStates,
    pub(super) en_passant_values: Arc<Vec<u8>>,
    pub(super) children: Vec<Arc<Table>>,
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Successor {
    /// Into the draw sink.
    Sink,
    /// To a state of the class.
    State(Number),
    /// To an en-passant state of the class.
    EnPassant(EnPassantNumber),
    /// To a state of the child with this number.
    Child(u8, Number),
}

/// A legal move, the position after it, and what that is as a successor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    pub(super) by: Move,
    pub(super) position: Position,
    pub(super) to: Successor,
}

impl Table {
    /// The byte of a state.
    pub(super) fn byte(&self, number: Number) -> u8 {
        let byte = self.values.get(number.index());
        *byte.expect("there are as many values as states")
    }

    /// The byte of an en-passant state.
    pub(super) fn en_passant_byte(&self, number: EnPassantNumber) -> u8 {
        let byte = self.en_passant_values.get(number.index());
        *byte.expect("there are as many en-passant values as en-passant states")
    }

    /// The byte of a successor.
    pub(super) fn byte_of(&self, successor: Successor) -> u8 {
        match successor {
            Successor::Sink => 255,
            Successor::State(number) => self.byte(number),
            Successor::EnPassant(number) => self.en_passant_byte(number),
            Successor::Child(child, number) => {
                let child = self.children.get(usize::from(child));
                child
                    .expect("successors name children by their numbers")
                    .byte(number)
            }
        }
    }

    /// The state at a place as a position.
    pub(super) fn position(&self, place: Place) -> Position {
        let squares = self.index.layout().squares(place);
        let placed = std::iter::zip(self.class.men().iter().copied(), squares);
        Position::new(placed, place.side()).expect("in a state the men stand on distinct squares")
    }

    /// The legal moves of a position of the class, and where they lead.
    ///
    /// # Errors
    ///
    /// [`Reason::SymmetryBroken`] if a move led to a position that is not a state, which would be a fault of the rules
    /// and not of a certificate.
    pub(super) fn transitions(&self, position: &Position) -> Result<Vec<Transition>, Refusal> {
        let moves = position.legal_moves().into_iter();
        let transitions = moves.map(|(by, after)| match self.successor(&after) {
            Some(to) => Ok(Transition {
                by,
                position: after,
                to,
            }),
            None => {
                let place = format_args!("{position}: {by} leads out of the states");
                Err(Refusal::new(Reason::SymmetryBroken, place))
            }
        });
        transitions.collect()
    }

    /// What a position is as a successor; none if it is not a raw legal state.
    pub(super) fn successor(&self, position: &Position) -> Option<Successor> {
        let (class, flipped) = Class::of(position.men().map(|(man, _)| man).collect());
        if class == self.class {
            let (place, over) = self.canonical(position)?;
            let number = self.index.number(place)?;
            return match over {
                None => Some(Successor::State(number)),
                Some(over) => {
                    let number = self.en_passant.number(place, over)?;
                    Some(Successor::EnPassant(number))
                }
            };
        }
        if class.is_sink() {
            return position.is_raw_legal().then_some(Successor::Sink);
        }
        let number = self.children.iter().position(|child| child.class == class)?;
        let child = self.children.get(number)?;
        let position = if flipped { flip(position)? } else { *position };
        let (place, _) = child.canonical(&position)?;
        Some(Successor::Child(number as u8, child.index.number(place)?))
    }

    /// The smallest image of a position of the class, by its definition: its place and its en-passant square.
    pub(super) fn canonical(&self, position: &Position) -> Option<(Place, Option<Square>)> {
        let images = Symmetry::of(self.class.has_pawns()).map(|symmetry| {
            let image = position.image(symmetry);
            (squares(&image), image.en_passant())
        });
        let (squares, over) = images.min()?;
        let place = self.index.layout().canonical_place(&squares, position.side())?;
        Some((place, over))
    }
}

/// The squares of a position's men in the order of the class, like men ascending.
fn squares(position: &Position) -> Squares {
    let mut men: Vec<(Man, Square)> = position.men().collect();
    men.sort_unstable();
    let mut squares = [Square::FIRST; MOST_MEN];
    for (place, (_, square)) in std::iter::zip(&mut squares, men) {
        *place = square;
    }
    squares
}

/// The position with ranks flipped, colours exchanged and the other side to move.
fn flip(position: &Position) -> Option<Position> {
    let other = |man: Man| Man {
        side: Side::other(man.side),
        ..man
    };
    let men = position.men();
    Position::new(
        men.map(|(man, square)| (other(man), square.flipped())),
        position.side().other(),
    )
}
