//! Forced mate: proved, refuted, or undecided within a budget.
//!
//! The question is `B(s, n)`: can the attacker force checkmate from `s` within `n` of his moves, under the rules of the *board* profile?
//! The answer is the shortest `n`, proved by a strategy, and proved to be the shortest by a refutation of `n − 1`.
//!
//! ```text
//! diagram, moves, mating     a board for searches, and mate in one
//! search, deep, table        is it mate in n? depth first, by proof numbers, with a memory
//! root, prover               several searches on one question, the shortest mate, its keys
//! inquiry                    some first moves of a position, length by length, as its user likes
//! strategy, refutation       witnesses, on a common kind of graph
//! centipawns, exchange       material, and exchanges on one square (C6)
//! ordering, plain            orders of moves, and the plain search that counts what they save
//! corpus, two_mover   positions drawn from a seed, and all that is in them
//! naive                      the definition
//! ```
//!
//! Heuristics order the work here and decide nothing: every verdict rests on all legal moves of the side that has to have all of them refuted.

mod centipawns;
mod corpus;
mod dag;
mod deep;
mod diagram;
mod exchange;
mod inquiry;
mod length;
mod line;
mod mating;
mod meter;
mod moves;
mod naive;
mod numbers;
mod ordering;
mod plain;
mod prover;
mod refutation;
mod root;
mod search;
mod solution;
mod step;
mod strategy;
mod table;
#[cfg(test)]
mod twin;
mod two_mover;
mod witness;

pub use centipawns::Centipawns;
pub use corpus::{Corpus, CorpusPosition};
pub use dag::{Dag, Leaf, NodeId};
pub use exchange::{ExchangeError, ExchangeGraph, ExchangeNode};
pub use inquiry::{Inquiry, Mates};
pub use length::{Mover, Moves};
pub use meter::{Meter, Stopped};
pub use naive::mates_within_naive;
pub use ordering::{Criterion, MoveOrdering, explained};
pub use plain::{PlainProof, PlainProver};
pub use prover::{
    Answer, Budget, Keys, Question, Verdict, mating_strategy, shortest_mate, witnessed_mate,
};
pub use refutation::Refutation;
pub use solution::{Continuation, Phase, Pressure, Solution, Variation, solve_problem};
pub use strategy::Strategy;
pub use two_mover::{TwoMover, WinningMove};
pub use witness::{Witness, WitnessError};
