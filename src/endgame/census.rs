//! Counting the moves of a universe: what its values have no part in.

use shakmaty::Color;

use super::men::Men;

/// Counts of canonical states, but for `raw_states`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Census {
    pub(super) raw_states: u64,
    pub(super) states: u64,
    pub(super) edges: u64,
    pub(super) legal_moves: u64,
    pub(super) checkmates: u64,
    pub(super) stalemates: u64,
}

impl Census {
    /// Adds the counts of another part.
    pub(super) fn add(&mut self, part: &Census) {
        self.raw_states += part.raw_states;
        self.states += part.states;
        self.edges += part.edges;
        self.legal_moves += part.legal_moves;
        self.checkmates += part.checkmates;
        self.stalemates += part.stalemates;
    }
}

/// How many of the quiet moves of a state lead to a canonical state to which another one leads.
pub(super) fn merged_moves(men: &Men, turn: Color) -> u64 {
    let index = men.index();
    let targets = men.targets(turn);
    let mut reached = Vec::new();
    for man in men.side(turn) {
        for to in targets.sets[man] & !men.converting(man) {
            let mut squares = men.squares;
            squares[man] = to;
            reached.push(index.canonical_entry(index.entry(&squares)));
        }
    }
    let moves = reached.len();
    reached.sort_unstable();
    reached.dedup();
    (moves - reached.len()) as u64
}
