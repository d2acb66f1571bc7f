//! A finite game as a compact graph.
//!
//! States are numbered from 0. The successors of a state are a *set*: sorted, without duplicates.
//! One successor is special, the **draw sink**: it stands for every position outside the graph that
//! is known to be drawn, has no moves of its own and is not counted as a state. A state without
//! successors is an *end* and has a value: the game is over there, or it goes on elsewhere with a
//! result that is known.

use super::Value;

/// The number of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateIndex(u32);

impl StateIndex {
    /// The state with this number.
    ///
    /// # Panics
    ///
    /// If the number is `u32::MAX` or more, which no graph holds.
    pub fn new(number: usize) -> StateIndex {
        let number = u32::try_from(number).expect("a graph has fewer than 2^32 states");
        assert!(
            number != Successor::SINK.0,
            "a graph has fewer than 2^32 - 1 states"
        );
        StateIndex(number)
    }

    /// The number, for indexing.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// Where a move leads: to another state of the graph, or to the draw sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Successor(u32);

impl Successor {
    /// The draw sink; it comes after every state.
    pub const SINK: Successor = Successor(u32::MAX);

    /// The state, `None` for the sink.
    pub const fn state(self) -> Option<StateIndex> {
        match self {
            Successor::SINK => None,
            Successor(number) => Some(StateIndex(number)),
        }
    }
}

impl From<StateIndex> for Successor {
    fn from(state: StateIndex) -> Successor {
        Successor(state.0)
    }
}

/// A finite game: the successor sets of all states, and the ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// `starts[s]..starts[s + 1]` are the places of the successors of `s` in `targets`.
    starts: Vec<u32>,
    targets: Vec<Successor>,
    /// The states without successors, in ascending order.
    ends: Vec<(StateIndex, Value)>,
}

impl Graph {
    /// The number of states, without the sink.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All states, in order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateIndex> + use<> {
        (0..self.len()).map(StateIndex::new)
    }

    /// The number of edges, those into the sink included.
    pub fn edge_count(&self) -> usize {
        self.targets.len()
    }

    /// The number of successors of a state.
    pub fn degree(&self, state: StateIndex) -> usize {
        self.successors(state).len()
    }

    /// The successors of a state, in ascending order, the sink last.
    pub fn successors(&self, state: StateIndex) -> &[Successor] {
        let from = self.starts[state.get()] as usize;
        let to = self.starts[state.get() + 1] as usize;
        &self.targets[from..to]
    }

    /// The value of a state without successors, or `None` if the state has some.
    pub fn end(&self, state: StateIndex) -> Option<Value> {
        let found = self.ends.binary_search_by_key(&state, |&(end, _)| end);
        found.ok().map(|place| self.ends[place].1)
    }

    /// The states without successors and their values, in ascending order.
    pub fn ends(&self) -> &[(StateIndex, Value)] {
        &self.ends
    }

    /// The reversed edges (those into the sink are left out: nobody asks where they come from).
    pub fn predecessors(&self) -> Predecessors {
        let mut starts = vec![0_u32; self.len() + 1];
        for state in self.targets.iter().filter_map(|target| target.state()) {
            starts[state.get() + 1] += 1;
        }
        for state in 0..self.len() {
            starts[state + 1] += starts[state];
        }
        let mut free = starts.clone();
        let mut origins = vec![StateIndex(0); starts[self.len()] as usize];
        for origin in self.states() {
            for state in self
                .successors(origin)
                .iter()
                .filter_map(|target| target.state())
            {
                let place = &mut free[state.get()];
                origins[*place as usize] = origin;
                *place += 1;
            }
        }
        Predecessors { starts, origins }
    }
}

/// The reversed edges of a [`Graph`].
#[derive(Clone, Debug)]
pub struct Predecessors {
    starts: Vec<u32>,
    origins: Vec<StateIndex>,
}

impl Predecessors {
    /// The states with an edge into this one, in ascending order.
    pub fn of(&self, state: StateIndex) -> &[StateIndex] {
        let from = self.starts[state.get()] as usize;
        let to = self.starts[state.get() + 1] as usize;
        &self.origins[from..to]
    }
}

/// Builds a [`Graph`] state by state.
#[derive(Debug)]
pub struct GraphBuilder {
    graph: Graph,
}

impl Default for GraphBuilder {
    fn default() -> GraphBuilder {
        GraphBuilder {
            graph: Graph {
                starts: vec![0],
                targets: Vec::new(),
                ends: Vec::new(),
            },
        }
    }
}

impl GraphBuilder {
    /// A graph without states.
    pub fn new() -> GraphBuilder {
        GraphBuilder::default()
    }

    /// Adds the next state, with its successors in any order and with repetitions. It may name
    /// states that are added later.
    ///
    /// # Panics
    ///
    /// If there is no successor (add it with [`GraphBuilder::push_end`]), or beyond 2³² edges.
    pub fn push(&mut self, successors: &[Successor]) {
        assert!(
            !successors.is_empty(),
            "a state without successors is an end"
        );
        let mut successors = successors.to_vec();
        successors.sort_unstable();
        successors.dedup();
        self.graph.targets.extend(successors);
        self.close_state();
    }

    /// Adds the next state, one without successors, of this value.
    pub fn push_end(&mut self, value: Value) {
        self.graph
            .ends
            .push((StateIndex::new(self.graph.len()), value));
        self.close_state();
    }

    /// The finished graph.
    ///
    /// # Panics
    ///
    /// If a successor names a state that was never added.
    pub fn finish(self) -> Graph {
        let states = self.graph.len();
        let known = |target: &Successor| target.state().is_none_or(|state| state.get() < states);
        assert!(
            self.graph.targets.iter().all(known),
            "every successor is a state of the graph"
        );
        self.graph
    }

    fn close_state(&mut self) {
        let end =
            u32::try_from(self.graph.targets.len()).expect("a graph has fewer than 2^32 edges");
        self.graph.starts.push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Plies;
    use super::*;

    /// 0 → {1, 2, sink}, 1 → {2}, 2 lost, 3 drawn; pushed unsorted and with a repetition.
    fn small() -> Graph {
        let state = |number| Successor::from(StateIndex::new(number));
        let mut builder = GraphBuilder::new();
        builder.push(&[Successor::SINK, state(2), state(1), state(2)]);
        builder.push(&[state(2)]);
        builder.push_end(Value::Loss(Plies::ZERO));
        builder.push_end(Value::Draw);
        builder.finish()
    }

    #[test]
    fn successors_are_a_sorted_set() {
        let graph = small();
        let found = graph.successors(StateIndex::new(0));
        let state = |number| Successor::from(StateIndex::new(number));
        assert_eq!(found, [state(1), state(2), Successor::SINK]);
        assert_eq!(
            (graph.len(), graph.edge_count(), graph.ends().len()),
            (4, 4, 2)
        );
    }

    #[test]
    fn ends_have_values() {
        let graph = small();
        let found: Vec<_> = graph.states().map(|state| graph.end(state)).collect();
        assert_eq!(
            found,
            [
                None,
                None,
                Some(Value::Loss(Plies::ZERO)),
                Some(Value::Draw)
            ]
        );
    }

    #[test]
    fn predecessors_reverse_every_edge() {
        let graph = small();
        let predecessors = graph.predecessors();
        let found: Vec<Vec<usize>> = graph
            .states()
            .map(|state| {
                predecessors
                    .of(state)
                    .iter()
                    .map(|origin| origin.get())
                    .collect()
            })
            .collect();
        assert_eq!(found, [vec![], vec![0], vec![0, 1], vec![]]);
    }
}
