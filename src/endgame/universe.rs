//! The universe of a class: every legal state, up to symmetry, with a number.
//!
//! The canonical states are numbered in canonical order, without gaps; the canonical en-passant
//! states follow, in their order. This is the definition, state by state; it is meant for classes of
//! up to four men.

use std::collections::HashMap;

use shakmaty::{Chess, Color, Rank, Square};

use super::{Material, State};
use crate::game::{Interrupted, Observer, StateIndex};

/// All legal states of a class, up to symmetry.
#[derive(Clone, Debug)]
pub struct Universe {
    material: Material,
    states: Vec<State>,
    ordinary: usize,
    numbers: HashMap<State, StateIndex>,
}

impl Universe {
    /// Enumerates a class.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn enumerate(
        material: &Material,
        observer: &dyn Observer,
    ) -> Result<Universe, Interrupted> {
        observer.begin("enumerating states", 64);
        let mut states = Vec::new();
        for king in Square::ALL {
            observer.checkpoint(1)?;
            let is_first = |g: &super::Symmetry| king <= g.apply(king);
            if material.symmetries().iter().all(is_first) {
                states.extend(states_with_king_on(material, king));
            }
        }
        let ordinary = states.len();
        if material.has_en_passant() {
            let en_passant: Vec<State> = states
                .iter()
                .flat_map(|state| en_passant_states(material, state))
                .collect();
            states.extend(en_passant);
        }
        let numbers = states
            .iter()
            .enumerate()
            .map(|(n, &s)| (s, StateIndex::new(n)))
            .collect();
        Ok(Universe {
            material: material.clone(),
            states,
            ordinary,
            numbers,
        })
    }

    /// The class.
    pub const fn material(&self) -> &Material {
        &self.material
    }

    /// How many canonical states there are, en-passant states included.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state at all.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// How many of them are no en-passant states; these come first.
    pub const fn ordinary(&self) -> usize {
        self.ordinary
    }

    /// The state with this number.
    pub fn state(&self, index: StateIndex) -> State {
        self.states[index.get()]
    }

    /// The numbers of all states.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = StateIndex> + use<> {
        (0..self.len()).map(StateIndex::new)
    }

    /// The number of the canonical image of a state, `None` if the state is not legal.
    pub fn number_of(&self, state: &State) -> Option<StateIndex> {
        self.numbers.get(&state.canonical(&self.material)).copied()
    }

    /// The position of a state, for its moves.
    pub fn position(&self, index: StateIndex) -> Chess {
        self.state(index)
            .position(&self.material)
            .expect("a state of a universe is legal")
    }
}

/// The canonical states with White's king on a square, in canonical order.
fn states_with_king_on(material: &Material, king: Square) -> Vec<State> {
    let others = material.men().len() - 1;
    let mut states = Vec::new();
    for number in 0..64_usize.pow(others as u32) {
        let digit = |man: usize| Square::new((number >> (6 * (others - 1 - man)) & 63) as u32);
        let squares: Vec<Square> = [king].into_iter().chain((0..others).map(digit)).collect();
        for turn in [Color::White, Color::Black] {
            let state = State::new(material, &squares, turn, None);
            let is_tuple = state.order().0[..=others] == squares;
            if is_tuple && state.position(material).is_some() && state.canonical(material) == state
            {
                states.push(state);
            }
        }
    }
    states
}

/// The en-passant states with the placement of a state, in order.
fn en_passant_states(material: &Material, state: &State) -> Vec<State> {
    let rank = if state.turn().is_white() {
        Rank::Sixth
    } else {
        Rank::Third
    };
    let squares = Square::ALL
        .into_iter()
        .filter(|square| square.rank() == rank);
    squares
        .map(|square| state.with_en_passant(square))
        .filter(|state| state.position(material).is_some())
        .collect()
}
