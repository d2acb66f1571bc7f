//! The states of a class: all raw placements, which of them are legal, and the number of each one's canonical image.
//!
//! A *tuple* is the squares of the men in the order of the material, then the side to move. A *canonical state* is a
//! raw legal state whose tuple is the smallest of its eight images; its *number* is its place among the canonical
//! states in the order of tuples.
//!
//! Invariants: `tuples` ascends; `numbers` has an entry for every raw placement, in the order of tuples, which is
//! none exactly where the placement is not a raw legal state, and otherwise the number of its canonical image. A
//! number is below the length of `tuples`.
//!
//! Source: `docs/certificate-format.md`, *The states*.

use std::num::NonZero;

use super::claim::{MEN, Material};
use super::man::Side;
use super::position::{Position, Squares};
use super::symmetry::Symmetry;
use super::{Move, Reason, Refusal, Square};

/// How many raw placements there are: every man on every square, either side to move.
const PLACEMENTS: usize = 64usize.pow(MEN as u32) * 2;

/// The squares of the men and the side to move, compared in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Tuple {
    squares: [Square; MEN],
    to_move: Side,
}

impl Tuple {
    /// All raw placements in the order of tuples.
    fn all() -> impl Iterator<Item = Tuple> {
        Square::all().flat_map(|first| {
            Square::all().flat_map(move |second| {
                Square::all().flat_map(move |third| {
                    [Side::White, Side::Black].map(|to_move| Tuple {
                        squares: [first, second, third],
                        to_move,
                    })
                })
            })
        })
    }

    /// Where a symmetry sends the tuple.
    fn image(self, symmetry: Symmetry) -> Tuple {
        Tuple {
            squares: self.squares.map(|square| symmetry.image(square)),
            ..self
        }
    }

    /// The tuple as a position; none if two men stand on one square.
    fn position(self, material: &Material) -> Option<Position<'_>> {
        Position::new(material, self.squares, self.to_move)
    }

    /// The place of the tuple among all raw placements, below [`PLACEMENTS`].
    fn place(self) -> usize {
        let squares = self
            .squares
            .iter()
            .fold(0, |place, square| 64 * place + square.index());
        2 * squares + usize::from(self.to_move == Side::Black)
    }
}

/// The number of a canonical state, from 0. (Stored plus one: in the table of all placements an absent number then
/// takes no room.)
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Number(NonZero<u32>);

impl Number {
    fn new(index: usize) -> Number {
        let above = u32::try_from(index + 1).ok().and_then(NonZero::new);
        Number(above.expect("a number is below the 524,288 raw placements"))
    }

    /// The number itself.
    pub(super) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Successor {
    /// Into the draw sink: the move captured.
    Sink,
    /// To the canonical image of the position after the move.
    State(Number),
}

/// A legal move and where it leads.
#[derive(Clone, Copy)]
pub(super) struct Transition {
    pub(super) by: Move,
    pub(super) to: Successor,
}

/// The states of a class.
pub(super) struct States {
    tuples: Vec<Tuple>,
    numbers: Vec<Option<Number>>,
    raw_states: u64,
}

impl States {
    /// Goes through all raw placements. The smallest image of a raw legal state is not behind the state in the order
    /// of tuples, so it has its number when the state asks for it.
    ///
    /// # Errors
    ///
    /// [`Reason::SymmetryBroken`] if a raw legal state had an image that is not one, which would be a fault of the
    /// rules and not of a certificate.
    pub(super) fn of(material: &Material) -> Result<States, Refusal> {
        let mut states = States {
            tuples: Vec::new(),
            numbers: Vec::with_capacity(PLACEMENTS),
            raw_states: 0,
        };
        for tuple in Tuple::all() {
            let number = match tuple.position(material).filter(Position::is_raw_legal) {
                None => None,
                Some(position) => {
                    states.raw_states += 1;
                    Some(states.number_of_image(tuple, &position)?)
                }
            };
            states.numbers.push(number);
        }
        Ok(states)
    }

    /// The number of the canonical image of the raw legal state that comes next: an earlier one, or a new number.
    fn number_of_image(&mut self, tuple: Tuple, position: &Position) -> Result<Number, Refusal> {
        let images = Symmetry::all().map(|symmetry| tuple.image(symmetry));
        let smallest = images.fold(tuple, Tuple::min);
        if smallest == tuple {
            self.tuples.push(tuple);
            return Ok(Number::new(self.tuples.len() - 1));
        }
        let number = self.number(smallest);
        number.ok_or_else(|| {
            Refusal::new(
                Reason::SymmetryBroken,
                format_args!("{position}: no state is its image"),
            )
        })
    }

    /// How many canonical states there are.
    pub(super) fn len(&self) -> usize {
        self.tuples.len()
    }

    /// How many raw legal states there are.
    pub(super) fn raw_states(&self) -> u64 {
        self.raw_states
    }

    /// The canonical states in order, as positions.
    pub(super) fn positions<'m>(
        &self,
        material: &'m Material,
    ) -> impl Iterator<Item = (Number, Position<'m>)> {
        self.tuples.iter().enumerate().map(|(index, tuple)| {
            let position = tuple
                .position(material)
                .expect("a canonical state is a raw legal state of the material");
            (Number::new(index), position)
        })
    }

    /// The legal moves of a position of the class, and where they lead.
    ///
    /// # Errors
    ///
    /// [`Reason::SymmetryBroken`] if a move led to a placement that is not a raw legal state, which would be a fault
    /// of the rules and not of a certificate.
    pub(super) fn transitions(&self, position: &Position) -> Result<Vec<Transition>, Refusal> {
        let moves = position.legal_moves();
        let mut transitions = Vec::with_capacity(moves.len());
        for (by, squares) in moves {
            let Some(to) = self.successor(squares, position.side().other()) else {
                let place = format_args!("{position}: {by} leads out of the states");
                return Err(Refusal::new(Reason::SymmetryBroken, place));
            };
            transitions.push(Transition { by, to });
        }
        Ok(transitions)
    }

    /// What a placement after a legal move is as a successor; none if it is not a raw legal state.
    fn successor(&self, squares: Squares, to_move: Side) -> Option<Successor> {
        let [Some(first), Some(second), Some(third)] = squares else {
            return Some(Successor::Sink);
        };
        let squares = [first, second, third];
        let number = self.number(Tuple { squares, to_move })?;
        Some(Successor::State(number))
    }

    /// The number of the canonical image of a raw placement; none if it is not a raw legal state.
    fn number(&self, tuple: Tuple) -> Option<Number> {
        self.numbers.get(tuple.place()).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::claim::material_of_endgame;
    use super::*;

    /// Raw legal and canonical states, edges, legal moves, checkmates and stalemates. Two other programs agree on all
    /// figures of KQK and KRK and on the states of KBK and KNK, one on the rest.
    const FIGURES: [(&str, [u64; 6]); 4] = [
        ("KQK", [368_452, 46_137, 609_873, 612_173, 46, 109]),
        ("KRK", [399_112, 50_015, 558_816, 560_244, 27, 9]),
        ("KBK", [417_228, 52_234, 494_372, 496_681, 0, 17]),
        ("KNK", [429_440, 53_806, 443_094, 444_001, 0, 5]),
    ];

    #[test]
    fn figures_of_the_classes() {
        for (name, figures) in FIGURES {
            let material = material_of_endgame(&format!("endgame {name} board dtm")).unwrap();
            let states = States::of(&material).unwrap();
            let mut found = [states.raw_states(), states.len() as u64, 0, 0, 0, 0];
            for (_, position) in states.positions(&material) {
                let transitions = states.transitions(&position).unwrap();
                let successors: BTreeSet<_> = transitions.iter().map(|t| t.to).collect();
                found[2] += successors.len() as u64;
                found[3] += transitions.len() as u64;
                found[4] += u64::from(transitions.is_empty() && position.in_check());
                found[5] += u64::from(transitions.is_empty() && !position.in_check());
            }
            assert_eq!(found, figures, "{name}");
        }
    }

    #[test]
    fn canonical_states_are_the_smallest_of_their_images() {
        let material = material_of_endgame("endgame KRK board dtm").unwrap();
        let states = States::of(&material).unwrap();
        assert!(states.tuples.is_sorted_by(|a, b| a < b));
        for (index, &tuple) in states.tuples.iter().enumerate() {
            for symmetry in Symmetry::all() {
                let image = tuple.image(symmetry);
                assert!(tuple <= image);
                assert_eq!(states.number(image), Some(Number::new(index)));
            }
        }
        let numbered = states.numbers.iter().flatten().count();
        assert_eq!(numbered as u64, states.raw_states());
    }

    #[test]
    fn placements_are_in_the_order_of_tuples() {
        assert_eq!(Tuple::all().count(), PLACEMENTS);
        assert!(Tuple::all().is_sorted_by(|a, b| a < b));
        assert!(
            Tuple::all()
                .enumerate()
                .all(|(place, tuple)| tuple.place() == place)
        );
    }
}
