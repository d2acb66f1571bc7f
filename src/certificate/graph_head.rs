//! What the payloads of kinds 2 and 3 begin with: the claim, the tables that it rests on, and the size of the graph.

use bincode::Encode;

use super::child::{self, Child};
use super::sealed::{Id, SealError};
use crate::endgame::Material;

/// The payload up to the field that only some classes have.
#[derive(Encode)]
struct Head<'a> {
    claim: &'a str,
    children: Vec<Child>,
    states: u64,
    edges: u64,
}

/// The graph of moves that a certificate is about.
pub(super) struct GraphHead<'a> {
    pub(super) claim: &'a str,
    pub(super) children: &'a [(Material, Id)],
    /// Canonical states.
    pub(super) states: u64,
    /// Distinct pairs of a state and a successor, the sink included.
    pub(super) edges: u64,
    /// Canonical en-passant states, where both sides have a pawn.
    pub(super) en_passant_states: Option<u64>,
}

impl GraphHead<'_> {
    /// The payload: the head, then the witnesses of the kind.
    pub(super) fn payload(&self, witnesses: impl Encode) -> Result<Vec<u8>, SealError> {
        let config = bincode::config::standard()
            .with_little_endian()
            .with_fixed_int_encoding();
        let head = Head {
            claim: self.claim,
            children: child::in_payload(self.children),
            states: self.states,
            edges: self.edges,
        };
        let mut bytes = bincode::encode_to_vec(head, config)?;
        if let Some(states) = self.en_passant_states {
            bytes.extend(bincode::encode_to_vec(states, config)?);
        }
        bincode::encode_into_std_write(witnesses, &mut bytes, config)?;
        Ok(bytes)
    }
}
