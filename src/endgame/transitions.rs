//! The legal moves of a universe as a game.
//!
//! A successor is the position after a legal move, up to symmetry. Captures and promotions lead to
//! ends of the graph, one for each canonical state of a child, or to the draw sink. Two moves with
//! the same successor are one edge.

use std::collections::HashMap;

use rayon::prelude::*;
use shakmaty::{Chess, Position};
use thiserror::Error;

use super::material::normal;
use super::{Library, LookupError, Material, State, Universe};
use crate::game::{
    Graph, GraphBuilder, Interrupted, Observer, Plies, StateIndex, Successor, Value,
};

/// The moves of all states of a universe.
#[derive(Clone, Debug)]
pub struct Transitions {
    /// The game: the states of the universe, then one end for each state of a child.
    pub graph: Graph,
    /// Legal moves of all states but the en-passant states, before moves with the same successor are
    /// merged.
    pub legal_moves: usize,
}

/// Why the moves of a universe are not there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TransitionError {
    /// Somebody stopped the work.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A child has no table.
    #[error(transparent)]
    Lookup(#[from] LookupError),
}

/// Where a move leads, before children have numbers.
enum Reached {
    Own(StateIndex),
    Child((Material, State), Value),
    Sink,
}

/// What one state contributes.
struct Row {
    reached: Vec<Reached>,
    is_check: bool,
}

impl Transitions {
    /// Generates the moves of every state. The values of children come from the library. Runs on the
    /// current rayon pool.
    ///
    /// # Errors
    ///
    /// [`TransitionError`].
    pub fn generate(
        universe: &Universe,
        library: &Library,
        observer: &dyn Observer,
    ) -> Result<Transitions, TransitionError> {
        const CHUNK: usize = 1 << 10;
        observer.begin("generating moves", universe.len() as u64);
        let indices: Vec<StateIndex> = universe.indices().collect();
        let chunks: Vec<Vec<Row>> = indices
            .par_chunks(CHUNK)
            .map(|chunk| {
                observer.checkpoint(chunk.len() as u64)?;
                chunk
                    .iter()
                    .map(|&index| row(universe, library, index))
                    .collect()
            })
            .collect::<Result<_, TransitionError>>()?;

        let mut builder = GraphBuilder::new();
        let mut legal_moves = 0;
        let mut children: HashMap<(Material, State), StateIndex> = HashMap::new();
        let mut values = Vec::new();
        for (number, row) in chunks.into_iter().flatten().enumerate() {
            if number < universe.ordinary() {
                legal_moves += row.reached.len();
            }
            if row.reached.is_empty() {
                let value = if row.is_check {
                    Value::Loss(Plies::ZERO)
                } else {
                    Value::Draw
                };
                builder.push_end(value);
                continue;
            }
            let successors: Vec<Successor> = row
                .reached
                .into_iter()
                .map(|reached| match reached {
                    Reached::Own(index) => index.into(),
                    Reached::Sink => Successor::SINK,
                    Reached::Child(state, value) => {
                        let next = StateIndex::new(universe.len() + values.len());
                        let index = *children.entry(state).or_insert(next);
                        if index == next {
                            values.push(value);
                        }
                        index.into()
                    }
                })
                .collect();
            builder.push(&successors);
        }
        for value in values {
            builder.push_end(value);
        }
        Ok(Transitions {
            graph: builder.finish(),
            legal_moves,
        })
    }

    /// Edges of all states of the universe but the en-passant states.
    pub fn edges(&self, universe: &Universe) -> usize {
        let ordinary = universe.indices().take(universe.ordinary());
        ordinary.map(|index| self.graph.degree(index)).sum()
    }
}

fn row(universe: &Universe, library: &Library, index: StateIndex) -> Result<Row, TransitionError> {
    let position = universe.position(index);
    let reached: Result<Vec<Reached>, TransitionError> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            reached(universe, library, &next)
        })
        .collect();
    Ok(Row {
        reached: reached?,
        is_check: position.is_check(),
    })
}

fn reached(
    universe: &Universe,
    library: &Library,
    next: &Chess,
) -> Result<Reached, TransitionError> {
    let (material, is_exchanged) = normal(next.board().clone().into_iter().map(|(_, man)| man));
    if material == *universe.material() && !is_exchanged {
        let state = State::of(&material, next);
        return Ok(Reached::Own(
            universe
                .number_of(&state)
                .expect("a legal move leads to a legal state"),
        ));
    }
    if material.is_sink() {
        return Ok(Reached::Sink);
    }
    let seen = if is_exchanged {
        crate::rules::exchange_colors(next)
    } else {
        next.clone()
    };
    let state = State::of(&material, &seen).canonical(&material);
    let value = library.value(next)?;
    Ok(Reached::Child((material, state), value))
}
