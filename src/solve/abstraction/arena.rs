//! The game that is abstracted, with its edges both ways.

use crate::game::{Graph, Player, Predecessors, StateIndex, Successor};
use crate::solve::bounds::value_for_max;

/// A game with its edges both ways. The first states of the graph are the *vertices*, which are divided into
/// blocks; the ends behind them, whose values are known, are in no block.
pub struct Arena<'a> {
    pub(super) graph: &'a Graph,
    /// Who chooses in each state.
    players: Vec<Player>,
    pub(super) predecessors: Predecessors,
    pub(super) vertices: usize,
    /// The states without successors and their values for the maximizer, in order.
    pub(super) ends: Vec<(StateIndex, i8)>,
}

impl<'a> Arena<'a> {
    /// The game of a graph; `players` says who is to move in each of its states, and the first `vertices` of
    /// them are vertices.
    ///
    /// # Panics
    ///
    /// If there is not one player for each state, if there are more vertices than states, or if a state behind the
    /// vertices has a successor.
    pub fn new(graph: &'a Graph, players: &[Player], vertices: usize) -> Arena<'a> {
        assert_eq!(players.len(), graph.len(), "every state has a player");
        assert!(vertices <= graph.len(), "every vertex is a state");
        let behind = (vertices..graph.len()).map(StateIndex::new);
        assert!(
            behind.into_iter().all(|state| graph.degree(state) == 0),
            "what is behind the vertices is an end"
        );
        let ends = graph.ends().iter().map(|&(end, value)| {
            let player = players[end.get()];
            (end, value_for_max(value, player))
        });
        Arena {
            graph,
            predecessors: graph.predecessors(),
            vertices,
            ends: ends.collect(),
            players: players.to_vec(),
        }
    }

    /// The same game with the same ends, in which each side chooses where the other one should: nothing that is found in it is
    /// true, which tests should notice.
    #[cfg(test)]
    pub(crate) fn with_roles_exchanged(mut self) -> Arena<'a> {
        for player in &mut self.players {
            *player = player.opponent();
        }
        self
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
        let found = self.ends.binary_search_by_key(&state, |&(end, _)| end);
        found.ok().map(|place| self.ends[place].1)
    }
}
