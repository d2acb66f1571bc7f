//! A certificate that another one names: the table of a class that moves lead into.

use bincode::Encode;
use serde::Serialize;

use super::endgame::endgame_claim;
use super::sealed::Id;
use crate::endgame::Material;

/// In a payload.
#[derive(Encode)]
pub(super) struct Child {
    claim: String,
    id: [u8; 32],
}

/// In JSON.
#[derive(Serialize)]
pub(super) struct ChildText {
    claim: String,
    id: String,
}

/// The children for a payload.
pub(super) fn in_payload(children: &[(Material, Id)]) -> Vec<Child> {
    let child = |(material, id): &(Material, Id)| Child {
        claim: endgame_claim(material),
        id: id.0,
    };
    children.iter().map(child).collect()
}

/// The children for JSON.
pub(super) fn in_text(children: &[(Material, Id)]) -> Vec<ChildText> {
    let child = |(material, id): &(Material, Id)| ChildText {
        claim: endgame_claim(material),
        id: id.to_string(),
    };
    children.iter().map(child).collect()
}
