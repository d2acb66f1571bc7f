//! The comparison of the eight images of a state: each has to lead to the same set of successors.
//!
//! For each successor there is a byte with one bit for each image, set when the image has a move to it. The sets are
//! equal if, when all eight images have been gone through, all bytes that were touched have all bits; the bytes are
//! then cleared again. The first image is the state itself.
//!
//! Invariant: between two checks all bytes are 0, unless the last one failed.

use std::mem;

use super::position::Position;
use super::states::{States, Successor, Transition};
use super::symmetry::Symmetry;
use super::{Reason, Refusal};

/// Which images lead to which successor: a byte for the sink, then one for each state.
pub(super) struct Images {
    leading: Vec<u8>,
}

const NO_IMAGE: u8 = 0;
const STATE_ITSELF: u8 = 1;
const EVERY_IMAGE: u8 = 255;

impl Images {
    pub(super) fn of(states: &States) -> Images {
        Images {
            leading: vec![NO_IMAGE; 1 + states.len()],
        }
    }

    /// Compares the images of a state, whose moves are given, and returns how many distinct successors each has.
    ///
    /// An image without moves has to be checkmate or stalemate as the state is. (With the right rules it is; the check is
    /// part of the argument that the symmetries need not be trusted.)
    pub(super) fn check(
        &mut self,
        states: &States,
        state: &Position,
        transitions: &[Transition],
    ) -> Result<u64, Refusal> {
        for transition in transitions {
            *self.leading_to(transition.to) = STATE_ITSELF;
        }
        for (number, symmetry) in Symmetry::all().enumerate().skip(1) {
            let image = state.image(symmetry);
            let transitions = states.transitions(&image)?;
            if transitions.is_empty() && image.in_check() != state.in_check() {
                return Err(broken(state, &image));
            }
            for transition in transitions {
                let leading = self.leading_to(transition.to);
                if *leading == NO_IMAGE {
                    return Err(broken(state, &image));
                }
                *leading |= 1 << number;
            }
        }
        let mut successors = 0;
        for transition in transitions {
            // A successor that two moves lead to is cleared by the first.
            match mem::take(self.leading_to(transition.to)) {
                NO_IMAGE => {}
                EVERY_IMAGE => successors += 1,
                _ => return Err(broken(state, state)),
            }
        }
        Ok(successors)
    }

    fn leading_to(&mut self, successor: Successor) -> &mut u8 {
        let index = match successor {
            Successor::Sink => 0,
            Successor::State(number) => 1 + number.index(),
        };
        let byte = self.leading.get_mut(index);
        byte.expect("there is a byte for the sink and for the number of every state")
    }
}

fn broken(state: &Position, image: &Position) -> Refusal {
    let place = format_args!("{state} and its image {image}");
    Refusal::new(Reason::SymmetryBroken, place)
}

#[cfg(test)]
mod tests {
    use super::super::claim::material_of_endgame;
    use super::*;

    /// Checks a state of KQK after its moves were changed.
    fn checked(index: usize, change: impl FnOnce(&mut Vec<Transition>)) -> Result<u64, Reason> {
        let material = material_of_endgame("endgame KQK board dtm").unwrap();
        let states = States::of(&material).unwrap();
        let (_, position) = states.positions(&material).nth(index).unwrap();
        let mut transitions = states.transitions(&position).unwrap();
        change(&mut transitions);
        let mut images = Images::of(&states);
        let found = images.check(&states, &position, &transitions);
        assert!(found.is_err() || images.leading.iter().all(|&byte| byte == NO_IMAGE));
        found.map_err(|refusal| refusal.reason)
    }

    #[test]
    fn equal_sets_are_counted() {
        for index in (0..46_137).step_by(4_001) {
            assert!(checked(index, |_| ()).is_ok());
        }
        let twice = |transitions: &mut Vec<Transition>| transitions.extend_from_within(..);
        assert_eq!(checked(1000, twice), checked(1000, |_| ()));
    }

    #[test]
    fn a_successor_missing_or_too_many_is_noticed() {
        let broken = Err(Reason::SymmetryBroken);
        assert_eq!(checked(1000, |transitions| transitions.clear()), broken);
        let without_first = |transitions: &mut Vec<Transition>| {
            let first = transitions[0].to;
            transitions.retain(|transition| transition.to != first);
        };
        assert_eq!(checked(1000, without_first), broken);
        let one_more = |transitions: &mut Vec<Transition>| {
            let to = Successor::Sink;
            assert!(transitions.iter().all(|transition| transition.to != to));
            transitions.push(Transition {
                to,
                ..transitions[0]
            });
        };
        assert_eq!(checked(0, one_more), broken);
    }
}
