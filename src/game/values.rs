//! The values of all states of a game, by state number.

use super::{StateIndex, Successor, Value};

/// One value a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(Vec<Value>);

impl Values {
    /// The values of states 0, 1, 2, …
    pub fn new(values: Vec<Value>) -> Values {
        Values(values)
    }

    /// The value of one state, for the side to move in it.
    pub fn of(&self, state: StateIndex) -> Value {
        self.0[state.get()]
    }

    /// What a move to this successor is worth to the side that makes the move.
    pub fn after(&self, successor: Successor) -> Value {
        successor
            .state()
            .map_or(Value::Draw, |state| self.of(state).for_the_mover())
    }

    /// All values in the order of the states.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value> {
        self.0.iter().copied()
    }
}
