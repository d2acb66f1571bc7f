//! Algorithms over games, one a file, generic over [`crate::game`].
//!
//! Nothing here knows chess, holds a solved table or looks at a clock.

pub mod abstraction;
pub mod alpha_beta;
pub mod bounds;
pub mod ceiling;
mod cheapest;
pub mod dominance;
mod explicit;
pub mod local;
pub mod refine;
pub mod retrograde;
