//! Kind 8: blocks by features, and their bounds.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bincode::Encode;
use serde::Serialize;

use super::child::{self, ChildText};
use super::graph_head::GraphHead;
use super::numbers::base64;
use super::sealed::{Format, Id, Kind, SealError, Sealed};
use crate::endgame::{Abstracted, Material};

const KIND: Kind = Kind {
    number: 8,
    name: "abstraction",
    has_class: true,
};

/// The payload after the head.
#[derive(Encode)]
struct Witnesses<'a> {
    tree: &'a [String],
    lower: &'a [u8],
    upper: &'a [u8],
    ranks: &'a [u16],
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
    tree: Vec<String>,
    lower: String,
    upper: String,
    ranks: String,
}

/// The claim of the abstraction of a class.
pub fn abstraction_claim(material: &Material, abstracted: &Abstracted) -> String {
    let children = material.children();
    let from = if children.is_empty() { "" } else { " from" };
    let names: String = children.iter().map(|child| format!(" {child}")).collect();
    format!(
        "abstraction {material} board horizon {} decides {} states in {} blocks{from}{names}",
        abstracted.horizon,
        abstracted.decided(),
        abstracted.blocks(),
    )
}

/// Whether a claim is one of an abstraction of a class with a horizon, whatever it decides.
pub fn is_abstraction_claim(material: &Material, horizon: u8, claim: &str) -> bool {
    claim.starts_with(&format!("abstraction {material} board horizon {horizon} "))
}

impl Sealed {
    /// The certificate of the abstraction of a class, which names the tables of its children.
    ///
    /// # Errors
    ///
    /// [`SealError`], a fault of this program.
    pub fn abstraction(
        material: &Material,
        abstracted: &Abstracted,
        children: &[(Material, Id)],
        format: Format,
    ) -> Result<Sealed, SealError> {
        let claim = abstraction_claim(material, abstracted);
        let en_passant_states = material
            .has_en_passant()
            .then_some(abstracted.en_passant_states as u64);
        let head = GraphHead {
            claim: &claim,
            children,
            states: abstracted.states as u64,
            edges: abstracted.edges,
            en_passant_states,
        };
        let tree = abstracted.lines();
        let bounds = &abstracted.abstraction.bounds;
        let byte = |bound: i8| (1 + bound).unsigned_abs();
        let intervals = bounds.intervals.iter();
        let lower: Vec<u8> = intervals.clone().map(|each| byte(each.lower)).collect();
        let upper: Vec<u8> = intervals.map(|each| byte(each.upper)).collect();
        let payload = head.payload(Witnesses {
            tree: &tree,
            lower: &lower,
            upper: &upper,
            ranks: &bounds.ranks,
        })?;
        Sealed::new(KIND, claim.clone(), payload, format, || Text {
            claim,
            children: child::in_text(children),
            states: abstracted.states as u64,
            edges: abstracted.edges,
            en_passant_states,
            tree,
            lower: STANDARD.encode(&lower),
            upper: STANDARD.encode(&upper),
            ranks: base64(&bounds.ranks),
        })
    }
}
