//! The game that is abstracted, with its edges both ways.

use crate::game::{Graph, Player, Predecessors, StateIndex, Successor};

/// A game with its edges both ways. The first states of the graph are the *vertices*, which are divided into
/// blocks; the ends behind them, whose values are known, are in no block.
pub struct Arena<'a> {
    pub(super) graph: &'a Graph,
    pub(super) players: &'a [Player],
    pub(super) predecessors: Predecessors,
    pub(super) vertices: usize,
}

impl<'a> Arena<'a> {
    /// The game of a graph; `players` says who is to move in each of its states, and the first `vertices` of
    /// them are vertices.
    ///
    /// # Panics
    ///
    /// If there is not one player for each state, if there are more vertices than states, or if a state behind the
    /// vertices has a successor.
    pub fn new(graph: &'a Graph, players: &'a [Player], vertices: usize) -> Arena<'a> {
        assert_eq!(players.len(), graph.len(), "every state has a player");
        assert!(vertices <= graph.len(), "every vertex is a state");
        let behind = (vertices..graph.len()).map(StateIndex::new);
        assert!(
            behind.into_iter().all(|state| graph.degree(state) == 0),
            "what is behind the vertices is an end"
        );
        Arena {
            graph,
            players,
            predecessors: graph.predecessors(),
            vertices,
        }
    }

    /// How many vertices there are.
    pub const fn vertices(&self) -> usize {
        self.vertices
    }

    /// Who is to move.
    pub(super) fn player(&self, state: StateIndex) -> Player {
        self.players[state.get()]
    }

    /// All vertices.
    pub(super) fn each_vertex(&self) -> impl ExactSizeIterator<Item = StateIndex> + use<> {
        (0..self.vertices).map(StateIndex::new)
    }

    /// Whether one of the moves of a state leads into the draw sink.
    pub(super) fn meets_sink(&self, state: StateIndex) -> bool {
        self.graph.successors(state).last() == Some(&Successor::SINK)
    }

    /// The value of a state without successors for the maximizer, `None` for others.
    pub(super) fn end_value(&self, state: StateIndex) -> Option<i8> {
        let value = self.graph.end(state)?;
        Some(crate::solve::bounds::value_for_max(
            value,
            self.player(state),
        ))
    }
}
