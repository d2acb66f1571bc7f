//! Forced mate: proved, refuted, or undecided within a budget.

mod deep;
mod diagram;
mod length;
mod mating;
mod meter;
mod moves;
mod naive;
mod numbers;
mod prover;
mod root;
mod search;
mod step;
mod table;
#[cfg(test)]
mod twin;

pub use length::{Mover, Moves};
pub use naive::mates_within_naive;
pub use prover::{Answer, Budget, Question, Verdict, shortest_mate};

