//! Kind 4: the bounds of one position, and the positions on which they rest.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bincode::Encode;
use serde::Serialize;
use shakmaty::Chess;

use super::child::{self, Child, ChildText};
use super::numbers::base64;
use super::sealed::{Format, Id, Kind, SealError, Sealed};
use crate::endgame::{LocalProof, Material};
use crate::game::Interval;
use crate::rules::placement_fen;

const KIND: Kind = Kind {
    number: 4,
    name: "local-proof",
    has_class: true,
};

#[derive(Encode)]
struct Payload<'a> {
    claim: &'a str,
    children: Vec<Child>,
    positions: &'a [u8],
    lower: &'a [u8],
    upper: &'a [u8],
    ranks: &'a [u16],
    dominators: &'a [u8],
    moves: u64,
    deleted_strict: u64,
    deleted_equal: u64,
}

/// The same in JSON.
#[derive(Serialize)]
struct Text {
    claim: String,
    children: Vec<ChildText>,
    positions: String,
    lower: String,
    upper: String,
    ranks: String,
    dominators: String,
    moves: u64,
    deleted_strict: u64,
    deleted_equal: u64,
}

/// The claim that the value of a position, White's, lies in an interval. What clocks the position has is no matter.
pub fn interval_claim(position: &Chess, interval: Interval) -> String {
    let Interval { lower, upper } = interval;
    let fen = placement_fen(position);
    format!("interval {fen} 0 1 board {lower} {upper}")
}

impl Sealed {
    /// The certificate of the bounds of a position, which names the tables of the children of its class. The interval is
    /// that of the position in the colours that it has, the proof is in those of the class.
    ///
    /// # Errors
    ///
    /// [`SealError`], a fault of this program.
    pub fn local_proof(
        position: &Chess,
        interval: Interval,
        proof: &LocalProof,
        children: &[(Material, Id)],
        format: Format,
    ) -> Result<Sealed, SealError> {
        let claim = interval_claim(position, interval);
        let bounds = |bound: &dyn Fn(&Interval) -> i8| -> Vec<u8> {
            let bytes = proof.intervals.iter();
            bytes.map(|interval| (bound(interval) + 1) as u8).collect()
        };
        let lower = bounds(&|interval| interval.lower);
        let upper = bounds(&|interval| interval.upper);
        let config = bincode::config::standard()
            .with_little_endian()
            .with_fixed_int_encoding();
        let payload = Payload {
            claim: &claim,
            children: child::in_payload(children),
            positions: &proof.positions,
            lower: &lower,
            upper: &upper,
            ranks: &proof.ranks,
            dominators: &proof.dominators,
            moves: proof.moves(),
            deleted_strict: proof.deleted_strict,
            deleted_equal: proof.deleted_equal,
        };
        let payload = bincode::encode_to_vec(payload, config)?;
        Sealed::new(KIND, claim.clone(), payload, format, || Text {
            claim,
            children: child::in_text(children),
            positions: STANDARD.encode(&proof.positions),
            lower: STANDARD.encode(&lower),
            upper: STANDARD.encode(&upper),
            ranks: base64(&proof.ranks),
            dominators: STANDARD.encode(&proof.dominators),
            moves: proof.moves(),
            deleted_strict: proof.deleted_strict,
            deleted_equal: proof.deleted_equal,
        })
    }
}
