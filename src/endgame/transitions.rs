//! The legal moves of a universe as a game.
//!
//! A successor is the position after a legal move, up to symmetry; a capture leaves two bare kings
//! and leads to the draw sink. Two moves with the same successor are one edge.

use rayon::prelude::*;
use shakmaty::{Move, MoveList, Position};
use thiserror::Error;

use super::{State, Symmetry, Universe};
use crate::game::{Graph, GraphBuilder, Interrupted, Observer, StateIndex, Successor, Terminal};

/// The moves of all states of a universe.
#[derive(Clone, Debug)]
pub struct Transitions {
    /// The game: one state a canonical state.
    pub graph: Graph,
    /// Legal moves of all canonical states, before moves with the same successor are merged.
    pub legal_moves: usize,
    /// Successor sets of images compared with those of their canonical state.
    pub symmetry_comparisons: usize,
}

/// Why the moves of a universe are not there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UniverseError {
    /// Somebody stopped the work.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// An image of a state has other successors than the state: a fault of this program.
    #[error(
        "the rules are not symmetric at state {state}; this is a fault of dchess, please report it"
    )]
    Asymmetric {
        /// The number of the canonical state.
        state: usize,
    },
}

/// What one state contributes.
struct Row {
    legal_moves: usize,
    successors: Vec<Successor>,
    is_check: bool,
}

impl Transitions {
    /// Generates the moves of every canonical state, and compares its successor set with those of
    /// its eight images. Runs on the current rayon pool.
    ///
    /// # Errors
    ///
    /// [`UniverseError::Interrupted`] if the observer says so.
    pub fn generate(
        universe: &Universe,
        observer: &dyn Observer,
    ) -> Result<Transitions, UniverseError> {
        const CHUNK: usize = 1 << 10;
        observer.begin("generating moves", universe.len() as u64);
        let indices: Vec<StateIndex> = universe.indices().collect();
        let chunks: Vec<Vec<Row>> = indices
            .par_chunks(CHUNK)
            .map(|chunk| {
                observer.checkpoint(chunk.len() as u64)?;
                chunk
                    .iter()
                    .map(|&index| symmetric_row(universe, index))
                    .collect()
            })
            .collect::<Result<_, UniverseError>>()?;

        let mut builder = GraphBuilder::new();
        let mut legal_moves = 0;
        for row in chunks.into_iter().flatten() {
            legal_moves += row.legal_moves;
            match (row.successors.as_slice(), row.is_check) {
                ([], true) => builder.push_terminal(Terminal::Lost),
                ([], false) => builder.push_terminal(Terminal::Drawn),
                (successors, _) => builder.push(successors),
            }
        }
        let symmetry_comparisons = universe.len() * Symmetry::ALL.len();
        Ok(Transitions {
            graph: builder.finish(),
            legal_moves,
            symmetry_comparisons,
        })
    }
}

/// The row of a canonical state, after all of its images were found to have the same successors.
fn symmetric_row(universe: &Universe, index: StateIndex) -> Result<Row, UniverseError> {
    let state = universe.state(index);
    let row = row(universe, &state);
    for symmetry in Symmetry::ALL {
        if self::row(universe, &state.image(symmetry)).successors != row.successors {
            return Err(UniverseError::Asymmetric { state: index.get() });
        }
    }
    Ok(row)
}

fn row(universe: &Universe, state: &State) -> Row {
    let position = universe.position(state);
    let moves: MoveList = position.legal_moves();
    let mut successors: Vec<Successor> = moves
        .iter()
        .map(|&mv| successor(universe, state, mv))
        .collect();
    successors.sort_unstable();
    successors.dedup();
    Row {
        legal_moves: moves.len(),
        successors,
        is_check: position.is_check(),
    }
}

/// Where a legal move of a legal state leads.
///
/// # Panics
///
/// If the move is not a legal move of the state.
pub(super) fn successor(universe: &Universe, state: &State, mv: Move) -> Successor {
    if mv.is_capture() {
        return Successor::SINK;
    }
    let from = mv.from().expect("there are no drops in chess");
    let next = state.after_quiet_move(from, mv.to());
    Successor::from(
        universe
            .number_of(&next)
            .expect("a legal move leads to a legal state"),
    )
}
