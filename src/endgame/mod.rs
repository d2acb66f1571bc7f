//! Endgames: all positions of one material class, solved.
//!
//! A [`Material`] names the class. The fast way: an `index` numbers its placements, a `group` is
//! 64 of them that move at once, `men` are a single one, `conversion`s lead into the children,
//! `en_passant` is looked after apart, a `survey` counts the moves and the `solver` finds all
//! distances. A [`Library`] holds solved classes and answers questions about positions; an
//! [`Endgame`] is all that the certificate of a class says, with its [`Summary`]. An [`Enumeration`]
//! goes through the states of a class in the order of its certificate.
//!
//! A [`MoveGraph`] is the moves of a class as a compact game, a [`Quotient`] its coarsest strong
//! bisimulation, and a [`Comparer`] plays out why two positions are told apart.
//!
//! The slow way, by definition: a [`State`] is one placement, a [`Universe`] holds all of them up to
//! the [`Symmetry`] of the board, [`Transitions`] are their moves as a game that any algorithm of
//! [`crate::solve`] can work on.

mod abstracted;
mod bounded;
mod cells;
mod census;
mod conversion;
mod distinction;
mod en_passant;
mod enumeration;
pub mod features;
mod group;
mod index;
mod library;
mod local_game;
mod local_proof;
mod material;
mod men;
mod move_graph;
mod only_move;
mod packed;
mod partitioned;
mod quotient;
mod solved;
mod solver;
mod state;
mod summary;
mod survey;
mod symmetry;
mod symmetry_check;
mod transitions;
#[cfg(test)]
mod twin;
#[cfg(test)]
mod twin_moves;
mod universe;
mod value_byte;
mod zugzwang;

pub use abstracted::{Abstracted, Signed, Split, UnknownTree};
pub use bounded::{Bounded, Facts};
pub use distinction::{Comparer, Distinction, Place, Step};
pub use enumeration::{Enumeration, Placement};
pub use library::{EvaluatedMove, Library, LookupError};
pub use local_game::LocalGame;
pub use local_proof::{LocalProof, LocalProofError};
pub use material::{Material, MaterialError};
pub use move_graph::{ChildStates, Label, MoveGraph, StateNumbers};
pub use only_move::OnlyMoves;
pub use packed::TableBytes;
pub use partitioned::Partitioned;
pub use quotient::{Misfit, Quotient, SemanticPartition};
pub use solved::{EnPassant, Endgame, EndgameError};
pub use state::State;
pub use summary::{EnPassantSummary, HistogramRow, MutualZugzwangs, Results, Summary};
pub use symmetry::Symmetry;
pub use transitions::{TransitionError, Transitions};
pub use universe::Universe;
pub use value_byte::{byte_of, value_of};
pub use zugzwang::Zugzwang;
