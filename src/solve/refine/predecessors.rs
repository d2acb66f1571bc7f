//! Who can move into a state.

use crate::game::{Graph, StateIndex};

/// The reversed edges of some states.
pub(super) struct Predecessors {
    starts: Vec<u32>,
    origins: Vec<u32>,
}

impl Predecessors {
    /// Of these states alone.
    pub(super) fn of(graph: &Graph, states: &[u32]) -> Predecessors {
        let targets = |state: u32| {
            let successors = graph.successors(StateIndex::new(state as usize)).iter();
            successors.filter_map(|successor| successor.state())
        };
        let mut starts = vec![0; graph.len() + 1];
        for target in states.iter().flat_map(|&state| targets(state)) {
            starts[target.get() + 1] += 1;
        }
        for state in 0..graph.len() {
            starts[state + 1] += starts[state];
        }
        let mut free = starts.clone();
        let mut origins = vec![0; starts[graph.len()] as usize];
        for &state in states {
            for target in targets(state) {
                let place = &mut free[target.get()];
                origins[*place as usize] = state;
                *place += 1;
            }
        }
        Predecessors { starts, origins }
    }

    /// The states that can move into one of these, in order, as far as they are wanted.
    pub(super) fn before(&self, changed: &[u32], is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let origins = |&state: &u32| {
            let (from, to) = (self.starts[state as usize], self.starts[state as usize + 1]);
            &self.origins[from as usize..to as usize]
        };
        let origins = changed.iter().flat_map(origins).copied();
        let mut before: Vec<u32> = origins.filter(|&state| is_wanted(state)).collect();
        before.sort_unstable();
        before.dedup();
        before
    }
}
