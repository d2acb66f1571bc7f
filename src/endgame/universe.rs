//! The universe of a class: every legal state, up to symmetry, with a number.
//!
//! A state is legal if the men stand on different squares, the kings do not touch and the side not to
//! move is not in check. The canonical states (the first of their eight images) are numbered in
//! canonical order, without gaps; every legal state knows the number of its canonical image.

use shakmaty::{Board, Chess, Color};

use super::{Material, State};
use crate::game::{Interrupted, Observer, StateIndex, Successor};
use crate::rules::position;

/// All legal states of a class, up to symmetry.
#[derive(Clone, Debug)]
pub struct Universe {
    material: Material,
    raw_states: usize,
    states: Vec<State>,
    /// By tuple number: the canonical image of a legal state, the sink where no legal state is.
    number_of: Vec<Successor>,
}

impl Universe {
    /// Enumerates a class.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn enumerate(material: Material, observer: &dyn Observer) -> Result<Universe, Interrupted> {
        observer.begin("enumerating states", State::TUPLES as u64);
        let mut universe = Universe {
            material,
            raw_states: 0,
            states: Vec::new(),
            number_of: vec![Successor::SINK; State::TUPLES],
        };
        for (tuple, state) in State::all().enumerate() {
            if tuple % Universe::STRIDE == 0 {
                observer.checkpoint(Universe::STRIDE as u64)?;
            }
            if !universe.is_legal(&state) {
                continue;
            }
            universe.raw_states += 1;
            // The canonical image is the first of all images, so it has its number already.
            let canonical = state.canonical().tuple_number();
            if canonical == tuple {
                universe.number_of[tuple] = StateIndex::new(universe.states.len()).into();
                universe.states.push(state);
            } else {
                universe.number_of[tuple] = universe.number_of[canonical];
            }
        }
        Ok(universe)
    }

    const STRIDE: usize = 1 << 13;

    /// The class.
    pub const fn material(&self) -> &Material {
        &self.material
    }

    /// How many legal states there are before symmetry.
    pub const fn raw_states(&self) -> usize {
        self.raw_states
    }

    /// How many canonical states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state at all.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The canonical state with this number.
    pub fn state(&self, index: StateIndex) -> State {
        self.states[index.get()]
    }

    /// The numbers of all canonical states, in canonical order.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = StateIndex> + use<> {
        (0..self.len()).map(StateIndex::new)
    }

    /// The number of the canonical image of a state, `None` if the state is not legal.
    pub fn number_of(&self, state: &State) -> Option<StateIndex> {
        self.number_of[state.tuple_number()].state()
    }

    /// The position of a legal state, for its moves.
    ///
    /// # Panics
    ///
    /// If the state is not legal.
    pub fn position(&self, state: &State) -> Chess {
        let board = state
            .board(&self.material)
            .expect("the men of a legal state are apart");
        position(board, state.turn()).expect("a legal state is a legal position")
    }

    fn is_legal(&self, state: &State) -> bool {
        state
            .board(&self.material)
            .is_some_and(|board| is_legal(&board, state.turn()))
    }
}

/// Whether the kings stand apart and the side not to move is not in check.
fn is_legal(board: &Board, turn: Color) -> bool {
    let occupied = board.occupied();
    // The touching of kings is a check by the king.
    board
        .king_of(!turn)
        .is_some_and(|king| board.attacks_to(king, turn, occupied).is_empty())
}
