//! Endgames: all positions of one material class as a finite game, solved.
//!
//! The way down the page is the way of the work: a [`Material`] names the class, a [`State`] is one
//! placement of its men, the [`Universe`] holds all states up to the [`Symmetry`] of the board,
//! [`Transitions`] are their legal moves as a graph, a [`Table`] gives values to the states, and an
//! [`Endgame`] is all of it together with what the certificate says. [`Summary`] has the figures.

mod cells;
mod census;
mod conversion;
mod en_passant;
mod index;
mod library;
mod material;
mod men;
mod solver;
mod solved;
mod state;
mod summary;
mod symmetry;
mod table;
mod transitions;
mod universe;

pub use material::{Material, MaterialError};
pub use solved::Endgame;
pub use state::State;
pub use summary::{HistogramRow, Results, Summary};
pub use symmetry::Symmetry;
pub use table::{EvaluatedMove, LookupError, Table};
pub use transitions::{Transitions, UniverseError};
pub use universe::Universe;
