//! Kind 3: bounds on the values of a class, and the moves that they let delete.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bincode::Encode;
use serde::Serialize;

use super::child::{self, ChildText};
use super::graph_head::GraphHead;
use super::numbers::base64;
use super::sealed::{Format, Id, Kind, SealError, Sealed};
use crate::endgame::{Bounded, Material};

const KIND: Kind = Kind {
    number: 3,
    name: "bounds",
    has_class: true,
};

/// The payload after the head.
#[derive(Encode)]
struct Witnesses<'a> {
    rounds: u16,
    white_wins: &'a [u16],
    black_wins: &'a [u16],
    white_holds: &'a [u16],
    black_holds: &'a [u16],
    dominators: &'a [u8],
    deletion_rounds: &'a [u16],
    deleted_strict: u64,
    deleted_equal: u64,
    deleted_open: u64,
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
    rounds: u16,
    white_wins: String,
    black_wins: String,
    white_holds: String,
    black_holds: String,
    dominators: String,
    deletion_rounds: String,
    deleted_strict: u64,
    deleted_equal: u64,
    deleted_open: u64,
}

/// The claim of the bounds of a class.
pub fn bounds_claim(material: &Material) -> String {
    let children = material.children();
    let from = if children.is_empty() { "" } else { " from" };
    let names: String = children.iter().map(|child| format!(" {child}")).collect();
    format!("bounds {material} board{from}{names}")
}

impl Sealed {
    /// The certificate of the bounds of a class, which names the tables of its children.
    ///
    /// # Errors
    ///
    /// [`SealError`], a fault of this program.
    pub fn bounds(
        material: &Material,
        bounded: &Bounded,
        children: &[(Material, Id)],
        format: Format,
    ) -> Result<Sealed, SealError> {
        let claim = bounds_claim(material);
        let en_passant_states = material
            .has_en_passant()
            .then_some(bounded.en_passant_states as u64);
        let vertices = bounded.vertices();
        let of_vertices = |rounds: &'_ [u16]| base64(&rounds[..vertices]);
        let head = GraphHead {
            claim: &claim,
            children,
            states: bounded.states as u64,
            edges: bounded.edges,
            en_passant_states,
        };
        let (bounds, dominance) = (&bounded.bounds, &bounded.dominance);
        let payload = head.payload(Witnesses {
            rounds: bounds.rounds,
            white_wins: &bounds.max_wins[..vertices],
            black_wins: &bounds.min_wins[..vertices],
            white_holds: &bounds.max_holds[..vertices],
            black_holds: &bounds.min_holds[..vertices],
            dominators: &dominance.dominators,
            deletion_rounds: &dominance.rounds,
            deleted_strict: dominance.counts.strict,
            deleted_equal: dominance.counts.equal,
            deleted_open: dominance.counts.open,
        })?;
        Sealed::new(KIND, claim.clone(), payload, format, || Text {
            claim,
            children: child::in_text(children),
            states: bounded.states as u64,
            edges: bounded.edges,
            en_passant_states,
            rounds: bounds.rounds,
            white_wins: of_vertices(&bounds.max_wins),
            black_wins: of_vertices(&bounds.min_wins),
            white_holds: of_vertices(&bounds.max_holds),
            black_holds: of_vertices(&bounds.min_holds),
            dominators: STANDARD.encode(&dominance.dominators),
            deletion_rounds: base64(&dominance.rounds),
            deleted_strict: dominance.counts.strict,
            deleted_equal: dominance.counts.equal,
            deleted_open: dominance.counts.open,
        })
    }
}
