//! Algorithms over games, one a file, generic over [`crate::game`].
//!
//! Nothing here knows chess, holds a solved table or looks at a clock.

pub mod alpha_beta;
pub mod bounds;
pub mod ceiling;
pub mod dominance;
pub mod local;
pub mod refine;
pub mod retrograde;
