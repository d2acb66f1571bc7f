//! dchess makes exact claims about chess and proves them.
//!
//! The module list is the architecture; imports point downwards only (`docs/architecture.md`).
//! Every claim is written as a certificate ([`certificate`], format in
//! `docs/certificate-format.md`), and [`verify`] checks it with rules of its own.

#![warn(clippy::unwrap_used)]

pub mod certificate;
pub mod endgame;
pub mod game;
pub mod mate;
pub mod proof;
pub mod rules;
pub mod solve;
pub mod verify;
