//! The vocabulary of solving, without a word of chess.
//!
//! A *game* here is a finite directed graph played by two sides that move in turn. A state is won,
//! drawn or lost for the side that is to move in it; play that never ends is a draw. Everything in
//! this layer is a value or a container; the algorithms are in [`crate::solve`].

mod draws;
mod graph;
mod interval;
mod observer;
mod plies;
mod value;
mod values;

pub use draws::Draws;
pub use graph::{Graph, GraphBuilder, Predecessors, StateIndex, Successor};
pub use interval::{Interval, Player};
pub use observer::{Interrupted, Observer, Silent};
pub use plies::Plies;
pub use value::{Outcome, Value};
pub use values::Values;
