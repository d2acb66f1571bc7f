//! The states of a class: all raw placements, which of them are legal, and the number of each one's canonical image.
//!
//! A *tuple* is the squares of the men in the order of the material, then the side to move. A *canonical state* is a raw
//! legal state whose tuple is the smallest of its eight images; its *number* is its place among the canonical states in
//! the order of tuples.
//!
//! Invariants: `tuples` ascends; `numbers` has an entry for every raw placement, in the order of tuples, which is none
//! exactly where the placement is not a raw legal state, and otherwise the number of its canonical image. A number is
//! below the length of `tuples`.
//!
//! Source: `docs/certificate-format.md`, *The states*.

use std::num::NonZero;

use super::claim::{MEN, Material};
use super::man::Side;
use super::position::Position;
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

    /// The tuple of a position with all men on the board; none after a capture.
    fn of(position: &Position) -> Option<Tuple> {
        let [first, second, third] = position.squares();
        Some(Tuple {
            squares: [first?, second?, third?],
            to_move: position.to_move(),
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
        Position::new(material, self.squares.map(Some), self.to_move)
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

/// The number of a canonical state, from 0. (Stored plus one: in the table of all placements an absent number then takes
/// no room.)
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

/// The states of a class.
pub(super) struct States {
    tuples: Vec<Tuple>,
    numbers: Vec<Option<Number>>,
    raw_states: u64,
}

impl States {
    /// Goes through all raw placements. The smallest image of a raw legal state is not behind the state in the order of
    /// tuples, so it has its number when the state asks for it.
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
        let smallest = Symmetry::all()
            .map(|symmetry| tuple.image(symmetry))
            .min()
            .unwrap_or(tuple);
        if smallest == tuple {
            self.tuples.push(tuple);
            return Ok(Number::new(self.tuples.len() - 1));
        }
        let number = self.numbers.get(smallest.place()).copied().flatten();
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
    /// [`Reason::SymmetryBroken`] if a move led to a placement that is not a raw legal state, which would be a fault of
    /// the rules and not of a certificate.
    pub(super) fn edges(&self, position: &Position) -> Result<Vec<(Move, Successor)>, Refusal> {
        let successor = |(m, after): (Move, Position)| match self.successor(&after) {
            Some(successor) => Ok((m, successor)),
            None => Err(Refusal::new(
                Reason::SymmetryBroken,
                format_args!("{position}: {m} leads out of the states"),
            )),
        };
        position.legal_moves().map(successor).collect()
    }

    /// What a position after a legal move is as a successor; none if it is not a raw legal state.
    fn successor(&self, position: &Position) -> Option<Successor> {
        match Tuple::of(position) {
            None => Some(Successor::Sink),
            Some(tuple) => self
                .numbers
                .get(tuple.place())
                .copied()
                .flatten()
                .map(Successor::State),
        }
    }
}
