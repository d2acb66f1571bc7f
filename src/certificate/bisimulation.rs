//! Kind 2: the coarsest strong bisimulation of a class.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bincode::Encode;
use serde::Serialize;

use super::child::{self, ChildText};
use super::graph_head::GraphHead;
use super::sealed::{Format, Id, Kind, SealError, Sealed};
use crate::endgame::{Material, Quotient};

const KIND: Kind = Kind {
    number: 2,
    name: "bisimulation",
    has_class: true,
};

/// The payload after the head.
#[derive(Encode)]
struct Witnesses<'a> {
    blocks_per_round: Vec<u64>,
    map: &'a [u32],
    parents: Vec<u32>,
    split_rounds: Vec<u32>,
}

/// The same in JSON.
#[derive(Serialize)]
struct Text {
    claim: String,
    children: Vec<ChildText>,
    states: u64,
    edges: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    en_passant_states: Option<u64>,
    blocks_per_round: Vec<u64>,
    map: String,
    parents: String,
    split_rounds: String,
}

/// The claim of the quotient of a class.
pub fn bisimulation_claim(material: &Material) -> String {
    let relative = match material.children().is_empty() {
        true => "",
        false => " relative to child values",
    };
    format!("bisimulation {material} board{relative}")
}

impl Sealed {
    /// The certificate of the quotient of a class, which names the tables of its children.
    ///
    /// # Errors
    ///
    /// [`SealError`], a fault of this program.
    pub fn bisimulation(
        material: &Material,
        quotient: &Quotient,
        children: &[(Material, Id)],
        format: Format,
    ) -> Result<Sealed, SealError> {
        let claim = bisimulation_claim(material);
        let en_passant_states = material
            .has_en_passant()
            .then_some(quotient.en_passant_states as u64);
        let head = GraphHead {
            claim: &claim,
            children,
            states: quotient.states as u64,
            edges: quotient.edges,
            en_passant_states,
        };
        let payload = head.payload(Witnesses {
            blocks_per_round: blocks_per_round(quotient),
            map: &quotient.refinement.blocks,
            parents: parents(quotient).collect(),
            split_rounds: split_rounds(quotient).collect(),
        })?;
        Sealed::new(KIND, claim.clone(), payload, format, || Text {
            claim,
            children: child::in_text(children),
            states: quotient.states as u64,
            edges: quotient.edges,
            en_passant_states,
            blocks_per_round: blocks_per_round(quotient),
            map: base64(quotient.refinement.blocks.iter().copied()),
            parents: base64(parents(quotient)),
            split_rounds: base64(split_rounds(quotient)),
        })
    }
}

fn blocks_per_round(quotient: &Quotient) -> Vec<u64> {
    let counts = &quotient.refinement.blocks_per_round;
    counts.iter().map(|&count| count.into()).collect()
}

fn parents(quotient: &Quotient) -> impl Iterator<Item = u32> + '_ {
    let origins = quotient.refinement.origins.iter();
    origins.map(|origin| origin.parent)
}

fn split_rounds(quotient: &Quotient) -> impl Iterator<Item = u32> + '_ {
    let origins = quotient.refinement.origins.iter();
    origins.map(|origin| origin.round)
}

/// Numbers of four bytes each.
fn base64(numbers: impl Iterator<Item = u32>) -> String {
    let bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
    STANDARD.encode(bytes)
}
