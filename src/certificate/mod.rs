//! Writing certificates, byte for byte as `docs/certificate-format.md` says.
//!
//! This layer only writes. What it wrote is read back by [`crate::verify`] alone, which shares no
//! code with it; that is why nothing here can decode.

mod abstraction;
mod bisimulation;
mod bounds;
mod bundle;
mod child;
mod endgame;
mod graph_head;
mod local_proof;
mod mate;
mod move_code;
mod numbers;
mod orderings;
mod proof;
mod sealed;

pub use abstraction::{abstraction_claim, is_abstraction_claim};
pub use bisimulation::bisimulation_claim;
pub use bounds::bounds_claim;
pub use bundle::{Bundle, BundleError, WrittenBundle, is_bundle_claim};
pub use endgame::endgame_claim;
pub use local_proof::interval_claim;
pub use mate::{CertifiedMate, may_claim};
pub use orderings::{BenchedPosition, Orderings, is_orderings_claim};
pub use proof::proof_claim;
pub use sealed::{Format, Id, SealError, Sealed};
