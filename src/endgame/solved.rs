//! A solved endgame: everything that its certificate says.

use rayon::prelude::*;
use shakmaty::Move;

use super::{Material, Summary, Table, Transitions, Universe, UniverseError};
use crate::game::{Observer, StateIndex};
use crate::solve::retrograde;

/// A class with its moves, values, policy and longest line.
#[derive(Clone, Debug)]
pub struct Endgame {
    /// The values of all states.
    pub table: Table,
    /// The moves of all states.
    pub transitions: Transitions,
    /// The optimal move with the smallest UCI text, by state; `None` where there is no move.
    pub policy: Vec<Option<Move>>,
    /// Optimal play from the first state with the longest distance; empty if every state is drawn.
    pub longest_line: Vec<Move>,
    /// The figures.
    pub summary: Summary,
}

impl Endgame {
    /// Solves a class on the current rayon pool. The result is the same for any number of threads.
    ///
    /// # Errors
    ///
    /// [`UniverseError::Interrupted`] if the observer says so.
    pub fn solve(material: Material, observer: &dyn Observer) -> Result<Endgame, UniverseError> {
        let universe = Universe::enumerate(material, observer)?;
        let transitions = Transitions::generate(&universe, observer)?;
        let values = retrograde::solve(&transitions.graph, observer)?;
        let table = Table::new(universe, values);
        let policy = policy(&table, observer)?;
        let summary = Summary::of(&table, &transitions);
        let longest_line = match summary.longest {
            Some(index) => {
                let universe = table.universe();
                let start = universe.position(&universe.state(index));
                table
                    .best_line(&start)
                    .expect("the table holds its own states")
            }
            None => Vec::new(),
        };
        Ok(Endgame {
            table,
            transitions,
            policy,
            longest_line,
            summary,
        })
    }
}

fn policy(table: &Table, observer: &dyn Observer) -> Result<Vec<Option<Move>>, UniverseError> {
    const CHUNK: usize = 1 << 10;
    let universe = table.universe();
    observer.begin("choosing moves", universe.len() as u64);
    let indices: Vec<StateIndex> = universe.indices().collect();
    let chunks: Vec<Vec<Option<Move>>> = indices
        .par_chunks(CHUNK)
        .map(|chunk| {
            observer.checkpoint(chunk.len() as u64)?;
            let best = |&index: &StateIndex| table.best_move(&universe.state(index));
            Ok(chunk.iter().map(best).collect())
        })
        .collect::<Result<_, UniverseError>>()?;
    Ok(chunks.concat())
}
