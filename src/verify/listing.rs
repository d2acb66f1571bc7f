//! The positions that a local proof lists, and what it says of each.
//!
//! They are looked up by their tuples, which ascend. Of a position that is not listed nothing is known.
//!
//! Source: `docs/certificate-format.md`, *Positions and their bounds*.

use super::branches::Branch;
use super::certificate::LocalProof;
use super::interval::Interval;
use super::man::Side;
use super::material::Material;
use super::position::Position;
use super::table::same;
use super::tuple::Tuple;
use super::{Reason, Refusal};

/// In the place of a rank: nobody is said to win.
pub(super) const NO_RANK: u16 = u16::MAX;

/// The listed positions.
///
/// Invariant: the tuples are canonical and ascend, and each has its bounds, which are some, and its rank.
pub(super) struct Listing<'a> {
    material: &'a Material,
    tuples: Vec<Tuple>,
    stored: &'a LocalProof,
}

/// What is said of a position.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub(super) interval: Interval,
    /// How many plies the winner needs, or [`NO_RANK`].
    pub(super) rank: u16,
}

impl<'a> Listing<'a> {
    /// Steps 5 to 7.
    pub(super) fn of(
        material: &'a Material,
        stored: &'a LocalProof,
    ) -> Result<Listing<'a>, Refusal> {
        let tuples = tuples(material, &stored.positions)?;
        let count = tuples.len() as u64;
        let reason = Reason::WrongNumberOfPositions;
        same(reason, "lower", stored.lower.len() as u64, count)?;
        same(reason, "upper", stored.upper.len() as u64, count)?;
        same(reason, "ranks", stored.ranks.len() as u64, count)?;
        let listing = Listing {
            material,
            tuples,
            stored,
        };
        listing.check_order()?;
        listing.check_intervals()?;
        Ok(listing)
    }

    /// Step 6.
    fn check_order(&self) -> Result<(), Refusal> {
        let mut before = None;
        for (place, &tuple) in self.tuples.iter().enumerate() {
            let refusal = |reason| Refusal::new(reason, self.named(place));
            if !tuple.is_canonical(self.material) {
                return Err(refusal(Reason::WrongPosition));
            }
            if before >= Some(tuple) {
                return Err(refusal(Reason::PositionsOutOfOrder));
            }
            before = Some(tuple);
        }
        Ok(())
    }

    /// Step 7.
    fn check_intervals(&self) -> Result<(), Refusal> {
        let bounds = self.stored.lower.iter().zip(&self.stored.upper);
        for (place, (&lower, &upper)) in bounds.enumerate() {
            if lower > upper || upper > 2 {
                let named = self.named(place);
                let place = format_args!("{named}: lower {lower}, upper {upper}");
                return Err(Refusal::new(Reason::WrongInterval, place));
            }
        }
        Ok(())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.tuples.len()
    }

    /// The positions in order.
    pub(super) fn positions(&self) -> impl Iterator<Item = Position<'_>> {
        self.tuples.iter().map(|tuple| tuple.placed(self.material))
    }

    /// The place of a position in the list.
    pub(super) fn find(&self, tuple: Tuple) -> Option<usize> {
        self.tuples.binary_search(&tuple).ok()
    }

    /// What is said of the position at a place of the list.
    pub(super) fn at(&self, place: usize) -> Known {
        let bound = |list: &[u8], otherwise: i8| {
            let bound = list.get(place);
            bound.map_or(otherwise, |&bound| bound.min(2) as i8 - 1)
        };
        let interval = Interval {
            low: bound(&self.stored.lower, -1),
            high: bound(&self.stored.upper, 1),
        };
        let rank = self.stored.ranks.get(place).copied();
        Known {
            interval,
            rank: rank.unwrap_or(NO_RANK),
        }
    }

    /// What is known of what a move leads to, if the other side is to move there.
    pub(super) fn known(&self, branch: Branch, to_move: Side) -> Known {
        let of_interval = |interval, rank| Known { interval, rank };
        match branch {
            Branch::Position(tuple) => match self.find(tuple) {
                Some(place) => self.at(place),
                None => of_interval(Interval::OPEN, NO_RANK),
            },
            // Also where the child has colours exchanged, the side that is to move is the other one on the board.
            Branch::Child(byte, _) => of_interval(Interval::of_byte(byte, to_move.other()), 0),
            Branch::Sink => of_interval(Interval::DRAWN, NO_RANK),
        }
    }

    /// The position at a place of the list, for people to read.
    pub(super) fn named(&self, place: usize) -> String {
        let tuple = self.tuples.get(place);
        let position = tuple.map(|tuple| tuple.placed(self.material).to_string());
        format!("position {place} {}", position.unwrap_or_default())
    }
}

/// The positions that these bytes are.
fn tuples(material: &Material, bytes: &[u8]) -> Result<Vec<Tuple>, Refusal> {
    let width = Tuple::width(material);
    let chunks = bytes.chunks_exact(width);
    let left = chunks.remainder().len();
    match left {
        0 => Ok(chunks
            .map(|bytes| Tuple::of_bytes(bytes.iter().copied()))
            .collect()),
        _ => Err(Refusal::new(
            Reason::WrongNumberOfPositions,
            format_args!("positions: {left} bytes behind the last position of {width}"),
        )),
    }
}
