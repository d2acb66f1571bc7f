//! The enumeration: all canonical states of a class in canonical order, with their numbers.
//!
//! Entries of the index come in canonical order already; what is left is to pass over those that are
//! no states. That is done in *blocks*, each with all placements that share the squares of all men but
//! the last two. The states of each block are counted first, so that blocks can be gone through in
//! parallel and every state knows its number all the same.
//!
//! No values are needed and none are held: whoever has the bytes of a certificate finds the byte of a
//! state under its number.

use std::ops::ControlFlow;

use rayon::prelude::*;
use shakmaty::{Chess, Color, Square};

use super::index::{Index, Squares};
use super::men::Men;
use super::{Material, State, en_passant};
use crate::game::{Interrupted, Observer, StateIndex};

/// Entries of one block: two men, 64 squares each.
pub(super) const BLOCK: usize = 1 << 12;

/// All canonical states of a class, numbered: first the ordinary ones, then the en-passant states.
#[derive(Clone, Debug)]
pub struct Enumeration {
    index: Index,
    /// For each block how many ordinary states and how many en-passant states come before it.
    before: Vec<[usize; 2]>,
    /// How many there are in all.
    count: [usize; 2],
}

/// A placement of the men of a class that is a state for one side to move at least, up to symmetry.
#[derive(Clone, Debug)]
pub struct Placement<'a> {
    index: &'a Index,
    squares: Squares,
    numbers: [Option<StateIndex>; 2],
    en_passant: Vec<(Color, Square, StateIndex)>,
}

impl Enumeration {
    /// Counts the states of a class on the current rayon pool.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn of(material: &Material, observer: &dyn Observer) -> Result<Enumeration, Interrupted> {
        let index = Index::new(material);
        let blocks = index.len() / BLOCK;
        observer.begin("counting states", blocks as u64);
        let mut before: Vec<[usize; 2]> = (0..blocks)
            .into_par_iter()
            .map(|block| {
                observer.checkpoint(1)?;
                let mut count = [0, 0];
                for Found { men, is_state, .. } in placements(&index, block) {
                    for turn in sides(is_state) {
                        count[0] += 1;
                        count[1] += passed_squares(&index, &men, turn).count();
                    }
                }
                Ok(count)
            })
            .collect::<Result<_, Interrupted>>()?;
        let mut count = [0, 0];
        for block in &mut before {
            let own = std::mem::replace(block, count);
            count = [count[0] + own[0], count[1] + own[1]];
        }
        Ok(Enumeration {
            index,
            before,
            count,
        })
    }

    /// The class.
    pub fn material(&self) -> &Material {
        self.index.material()
    }

    /// How many canonical states there are, en-passant states not counted; these have the first
    /// numbers.
    pub const fn ordinary(&self) -> usize {
        self.count[0]
    }

    /// How many canonical en-passant states there are; they have the numbers behind.
    pub const fn en_passant(&self) -> usize {
        self.count[1]
    }

    /// Asks something about every block, on the current rayon pool, and hands the answers on in
    /// canonical order, until no more is wanted. Few answers are held at once.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so, and the errors of whoever takes the answers.
    pub fn each_block<T: Send, E: From<Interrupted>>(
        &self,
        observer: &dyn Observer,
        ask: impl Fn(&mut dyn Iterator<Item = Placement>) -> T + Sync,
        mut take: impl FnMut(T) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let batch = 8 * rayon::current_num_threads();
        observer.begin("going through states", self.before.len() as u64);
        for first in (0..self.before.len()).step_by(batch) {
            let answers: Vec<T> = (first..(first + batch).min(self.before.len()))
                .into_par_iter()
                .map(|block| {
                    observer.checkpoint(1)?;
                    Ok(ask(&mut self.placements(block)))
                })
                .collect::<Result<_, Interrupted>>()?;
            for answer in answers {
                if take(answer)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The number of the canonical image of a state; `None` if it is no state of the class. Goes through all states.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn number_of(
        &self,
        state: &State,
        observer: &dyn Observer,
    ) -> Result<Option<StateIndex>, Interrupted> {
        let wanted = state.canonical(self.material());
        let mut found = None;
        let of_block = |placements: &mut dyn Iterator<Item = Placement>| {
            let mut here = placements.flat_map(|placement| {
                let states = placement.states().chain(placement.en_passant_states());
                let wanted = states.filter(|(_, state)| *state == wanted);
                wanted.map(|(number, _)| number).collect::<Vec<_>>()
            });
            here.next()
        };
        self.each_block(observer, of_block, |number| {
            found = found.or(number);
            Ok::<_, Interrupted>(match found {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            })
        })?;
        Ok(found)
    }

    /// The placements of one block.
    fn placements(&self, block: usize) -> impl Iterator<Item = Placement<'_>> {
        let [mut ordinary, mut en_passant] = self.before[block];
        placements(&self.index, block).map(move |Found { men, is_state, .. }| {
            let mut placement = Placement {
                index: &self.index,
                squares: men.squares,
                numbers: [None; 2],
                en_passant: Vec::new(),
            };
            for turn in sides(is_state) {
                placement.numbers[usize::from(turn.is_black())] = Some(StateIndex::new(ordinary));
                ordinary += 1;
                for passed in passed_squares(&self.index, &men, turn) {
                    let number = StateIndex::new(self.ordinary() + en_passant);
                    placement.en_passant.push((turn, passed, number));
                    en_passant += 1;
                }
            }
            placement
        })
    }
}

impl Placement<'_> {
    /// The squares of the men, in the order of the class's name.
    pub fn squares(&self) -> &[Square] {
        &self.squares[..self.index.men()]
    }

    /// The number of the state with this side to move; `None` if it is no state.
    pub fn number(&self, turn: Color) -> Option<StateIndex> {
        self.numbers[usize::from(turn.is_black())]
    }

    /// The state with this side to move, whether or not it is one.
    pub fn state(&self, turn: Color) -> State {
        State::new(self.index.material(), self.squares(), turn, None)
    }

    /// The position of the state with this side to move.
    ///
    /// # Panics
    ///
    /// If it is no state.
    pub fn position(&self, turn: Color) -> Chess {
        self.index.position(&self.squares, turn)
    }

    /// Its states, White to move first.
    pub fn states(&self) -> impl Iterator<Item = (StateIndex, State)> {
        Color::ALL
            .into_iter()
            .filter_map(|turn| Some((self.number(turn)?, self.state(turn))))
    }

    /// Its en-passant states, in their order.
    pub fn en_passant_states(&self) -> impl Iterator<Item = (StateIndex, State)> {
        self.en_passant.iter().map(|&(turn, passed, number)| {
            let state = self.state(turn).with_en_passant(passed);
            (number, state)
        })
    }
}

/// A placement that is the first of its images and a state for some side to move.
pub(super) struct Found<'a> {
    pub(super) entry: usize,
    pub(super) men: Men<'a>,
    /// Whether it is a state with White to move, with Black to move.
    pub(super) is_state: [bool; 2],
}

/// Those of one block, in canonical order.
pub(super) fn placements(index: &Index, block: usize) -> impl Iterator<Item = Found<'_>> {
    (block * BLOCK..(block + 1) * BLOCK).filter_map(|entry| {
        let men = Men::new(index, index.squares(entry));
        if !men.is_placement()
            || !index.is_ordered(&men.squares)
            || index.raw_weight(&men.squares).is_none()
        {
            return None;
        }
        let is_state = [Color::White, Color::Black].map(|turn| !men.is_king_attacked(!turn));
        let found = Found {
            entry,
            men,
            is_state,
        };
        is_state.contains(&true).then_some(found)
    })
}

/// The sides that may be to move.
fn sides([white, black]: [bool; 2]) -> impl Iterator<Item = Color> {
    let white = white.then_some(Color::White);
    white.into_iter().chain(black.then_some(Color::Black))
}

/// The squares on which the side to move may capture en passant, if the last move was the double step.
fn passed_squares<'a>(
    index: &Index,
    men: &'a Men,
    turn: Color,
) -> impl Iterator<Item = Square> + use<'a> {
    let exists = index.material().has_en_passant();
    let passed = exists.then(|| en_passant::passed_squares(men, turn));
    passed
        .into_iter()
        .flatten()
        .filter(move |&passed| en_passant::is_capturable(men, turn, passed))
}

#[cfg(test)]
mod tests {
    use super::super::Universe;
    use super::*;
    use crate::game::Silent;

    /// Compares with the definition: the same states under the same numbers.
    fn compare(name: &str) {
        let material: Material = name.parse().unwrap();
        let universe = Universe::enumerate(&material, &Silent).unwrap();
        let enumeration = Enumeration::of(&material, &Silent).unwrap();
        assert_eq!(enumeration.ordinary(), universe.ordinary(), "{name}");
        let all = enumeration.ordinary() + enumeration.en_passant();
        assert_eq!(all, universe.len(), "{name}");
        let mut found = vec![None; all];
        let mut last = None;
        let each: Result<(), Interrupted> = enumeration.each_block(
            &Silent,
            |placements| {
                let both = |placement: Placement| {
                    let states: Vec<_> = placement.states().collect();
                    (states, placement.en_passant_states().collect::<Vec<_>>())
                };
                placements.map(both).collect::<Vec<_>>()
            },
            |block| {
                for (states, en_passant) in block {
                    for (number, state) in states {
                        assert!(last < Some(number), "in order");
                        last = Some(number);
                        found[number.get()] = Some(state);
                    }
                    for (number, state) in en_passant {
                        found[number.get()] = Some(state);
                    }
                }
                Ok(ControlFlow::Continue(()))
            },
        );
        each.unwrap();
        for number in universe.indices() {
            assert_eq!(found[number.get()], Some(universe.state(number)), "{name}");
        }
    }

    #[test]
    fn three_men_are_enumerated_as_by_definition() {
        for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
            compare(name);
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn four_men_are_enumerated_as_by_definition() {
        for name in ["KNNK", "KPKP"] {
            compare(name);
        }
    }

    #[test]
    fn who_has_seen_enough_is_left_alone() {
        let enumeration = Enumeration::of(&"KQK".parse().unwrap(), &Silent).unwrap();
        let mut blocks = 0;
        let each: Result<(), Interrupted> = enumeration.each_block(
            &Silent,
            |placements| placements.count(),
            |_| {
                blocks += 1;
                Ok(ControlFlow::Break(()))
            },
        );
        assert_eq!((each, blocks), (Ok(()), 1));
    }
}
