//! Proofs of the value of any position, on the board or under the complete rules.
//!
//! A [`Ground`] says where play ends without looking further: mates, stalemates, dead positions, tables. [`Places`] makes it a
//! game that [`crate::solve::local`] can search, with the clock or without. What a search finds becomes a [`NodeList`], in which
//! every bound follows from the bounds of its moves, and what no bound follows from is forgotten: nothing is taken on trust from
//! the search. A [`StateTree`] carries it to the state of a game with its history. [`prove`] goes through these in turn.

mod ground;
mod node;
mod node_list;
mod places;
mod prover;
mod state_tree;
mod support;

pub use ground::Ground;
pub use node::{Node, NodeKind, NodeMove, OPEN};
pub use node_list::NodeList;
pub use places::{Place, Places, Profile};
pub use prover::{Deleted, Effort, Proved, Stop, prove};
pub use state_tree::{StateKind, StateNode, StateReference, StateTree};
