//! The island.

mod base64;
mod certificate;
mod chess_move;
mod claim;
mod container;
mod counts;
mod id;
mod json;
mod man;
mod payload;
mod position;
mod read;
mod refusal;
mod square;
mod states;
mod symmetry;
mod table;
mod value;

pub use certificate::{Body, Certificate, Child, Encoding, EndgameTable};
pub use chess_move::{Move, ParseMoveError};
pub use id::{Id, ParseIdError};
pub use read::read;
pub use refusal::{Reason, Refusal, Verdict};
pub use square::Square;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Canonical states.
    pub states: u64,
    /// Distinct pairs of a state and a successor.
    pub edges: u64,
}

/// Establishes the claim of a certificate.
pub fn verify(certificate: &Certificate) -> Result<Checked, Refusal> {
    let Body::EndgameTable(table) = &certificate.body;
    table::check(&certificate.claim, &certificate.children, table).map_err(|refusal| refusal.of(certificate.id))
}
