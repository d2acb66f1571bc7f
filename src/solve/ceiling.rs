//! The ceiling of pruning: how many moves a perfect oracle could delete.
//!
//! Measured on a solved game, so nothing here is a method: it says how much there is to gain
//! (C2.3). A move is *strictly worse* if its result is worse than the best result of the state; it
//! is *optimal* if it has the best result and the best distance.

use crate::game::{Graph, Values};

/// What perfect knowledge could delete, counted in edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// All edges.
    pub edges: usize,
    /// States that do not end the game.
    pub inner_states: usize,
    /// Edges whose result (win, draw or loss) is worse than the best one of their state.
    pub strictly_worse: usize,
    /// Edges with the best result and distance of their state.
    pub optimal: usize,
}

impl Ceiling {
    /// Measures the first `states` states of a solved game; what comes after them is reached, but not
    /// counted.
    pub fn measure(graph: &Graph, values: &Values, states: usize) -> Ceiling {
        let mut ceiling = Ceiling {
            edges: 0,
            inner_states: 0,
            strictly_worse: 0,
            optimal: 0,
        };
        for state in graph.states().take(states) {
            ceiling.edges += graph.degree(state);
            ceiling.inner_states += usize::from(graph.degree(state) > 0);
            let best = values.of(state);
            for &successor in graph.successors(state) {
                let reached = values.after(successor);
                ceiling.strictly_worse += usize::from(reached.outcome() < best.outcome());
                ceiling.optimal += usize::from(reached == best);
            }
        }
        ceiling
    }

    /// Edges a state that does not end the game; `None` if there is no such state.
    pub fn branching(&self) -> Option<f64> {
        ratio(self.edges, self.inner_states)
    }

    /// Optimal edges a state that does not end the game; `None` if there is no such state.
    pub fn optimal_branching(&self) -> Option<f64> {
        ratio(self.optimal, self.inner_states)
    }

    /// The share of all edges that are strictly worse; `None` if there is no edge.
    pub fn strictly_worse_share(&self) -> Option<f64> {
        ratio(self.strictly_worse, self.edges)
    }
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
