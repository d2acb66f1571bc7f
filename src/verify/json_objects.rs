//! The keys that a JSON certificate of each kind has, and what they say.
//!
//! At every level a key that is unknown, missing or given twice is an error. Keys that only some claims have are judged when
//! the claim is known.
//!
//! Those of orderings stand in `json_orderings`.
//!
//! Source: `docs/certificate-format.md`, *JSON* and the payloads of all kinds.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use super::abstraction_fields::MOST_LINES;
use super::base64::Base64;
use super::certificate_kind::CertificateKind;
use super::claim::class_of;
use super::json_lists::{Blocks, Line, Moves, Roots, RoundNumbers, Starts};
use super::json_value::{List, Number, Object, Text};
use super::material::Material;
use super::{
    Abstraction, Bisimulation, Body, Bounds, Child, EnPassant, EndgameTable, Id, LocalProof, Mate,
    Move, Proof, Reason, Refusal,
};

/// What a text says.
pub(super) struct Content {
    pub(super) id: Id,
    pub(super) claim: String,
    /// None for kinds that are of no class.
    pub(super) material: Option<Material>,
    pub(super) children: Vec<Child>,
    pub(super) body: Body,
}

/// The keys of an endgame table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndgameObject {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "ruleset")]
    _ruleset: IgnoredAny,
    id: Text<Id>,
    claim: Text<Line>,
    children: List<Object<ChildObject>>,
    raw_states: Number<u64>,
    states: Number<u64>,
    edges: Number<u64>,
    legal_moves: Number<u64>,
    symmetry_comparisons: Number<u64>,
    checkmates: Number<u64>,
    stalemates: Number<u64>,
    by_side: Object<BySide>,
    max_dtm_plies: Number<u16>,
    max_dtm_states: Number<u64>,
    longest_line: List<Text<Move>>,
    values: Text<Base64>,
    policy: Text<Moves>,
    #[serde(default, deserialize_with = "present")]
    starts: Option<Text<Starts>>,
    #[serde(default, deserialize_with = "present")]
    en_passant_raw_states: Option<Number<u64>>,
    #[serde(default, deserialize_with = "present")]
    en_passant_states: Option<Number<u64>>,
    #[serde(default, deserialize_with = "present")]
    en_passant_values: Option<Text<Base64>>,
}

/// The keys of a bisimulation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BisimulationObject {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "ruleset")]
    _ruleset: IgnoredAny,
    id: Text<Id>,
    claim: Text<Line>,
    children: List<Object<ChildObject>>,
    states: Number<u64>,
    edges: Number<u64>,
    #[serde(default, deserialize_with = "present")]
    en_passant_states: Option<Number<u64>>,
    blocks_per_round: List<Number<u64>>,
    map: Text<Blocks>,
    parents: Text<Blocks>,
    split_rounds: Text<Blocks>,
}

/// The keys of bounds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoundsObject {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "ruleset")]
    _ruleset: IgnoredAny,
    id: Text<Id>,
    claim: Text<Line>,
    children: List<Object<ChildObject>>,
    states: Number<u64>,
    edges: Number<u64>,
    #[serde(default, deserialize_with = "present")]
    en_passant_states: Option<Number<u64>>,
    rounds: Number<u16>,
    white_wins: Text<RoundNumbers>,
    black_wins: Text<RoundNumbers>,
    white_holds: Text<RoundNumbers>,
    black_holds: Text<RoundNumbers>,
    dominators: Text<Base64>,
    deletion_rounds: Text<RoundNumbers>,
    deleted_strict: Number<u64>,
    deleted_equal: Number<u64>,
    deleted_open: Number<u64>,
}

/// The keys of a local proof.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LocalProofObject {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "ruleset")]
    _ruleset: IgnoredAny,
    id: Text<Id>,
    claim: Text<Line>,
    children: List<Object<ChildObject>>,
    positions: Text<Base64>,
    lower: Text<Base64>,
    upper: Text<Base64>,
    ranks: Text<RoundNumbers>,
    dominators: Text<Base64>,
    moves: Number<u64>,
    deleted_strict: Number<u64>,
    deleted_equal: Number<u64>,
}

/// The keys of an abstraction.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AbstractionObject {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "ruleset")]
    _ruleset: IgnoredAny,
    id: Text<Id>,
    claim: Text<Line>,
    children: List<Object<ChildObject>>,
    states: Number<u64>,
    edges: Number<u64>,
    #[serde(default, deserialize_with = "present")]
    en_passant_states: Option<Number<u64>>,
    tree: List<Text<Line>, { MOST_LINES as usize }>,
    lower: Text<Base64>,
    upper: Text<Base64>,
    ranks: Text<RoundNumbers>,
}

/// The keys of a mate.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MateObject {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "ruleset")]
    _ruleset: IgnoredAny,
    id: Text<Id>,
    claim: Text<Line>,
    strategy: Text<Base64>,
    refutation: Text<Base64>,
    strategy_roots: Text<Roots>,
    refutation_roots: Text<Blocks>,
}

/// The keys of a proof.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProofObject {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    #[serde(rename = "version")]
    _version: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "ruleset")]
    _ruleset: IgnoredAny,
    id: Text<Id>,
    claim: Text<Line>,
    children: List<Object<ChildObject>>,
    state: Text<Base64>,
    states: Text<Base64>,
    nodes: Text<Base64>,
    deleted_strict: Number<u64>,
    deleted_equal: Number<u64>,
}

/// The value of a key that only some claims have, where it is there. (It is then never null.)
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChildObject {
    claim: Text<Line>,
    id: Text<Id>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BySide {
    white: Object<Results>,
    black: Object<Results>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Results {
    wins: Number<u64>,
    losses: Number<u64>,
    draws: Number<u64>,
}

impl EndgameObject {
    pub(super) fn content(self) -> Result<Content, Refusal> {
        let claim = self.claim.0.0;
        let material = class_of(CertificateKind::EndgameTable, &claim)?;
        let has = material.as_ref().is_some_and(Material::has_starts);
        let starts = conditional("starts", has, self.starts)?;
        let has = material.as_ref().is_some_and(Material::has_en_passant);
        let raw_states = conditional("en_passant_raw_states", has, self.en_passant_raw_states)?;
        let states = conditional("en_passant_states", has, self.en_passant_states)?;
        let values = conditional("en_passant_values", has, self.en_passant_values)?;
        let en_passant = match (raw_states, states, values) {
            (Some(raw_states), Some(states), Some(values)) => Some(EnPassant {
                raw_states: raw_states.0,
                states: states.0,
                values: values.0.0,
            }),
            _ => None,
        };
        let BySide {
            white: Object(white),
            black: Object(black),
        } = self.by_side.0;
        let table = EndgameTable {
            raw_states: self.raw_states.0,
            states: self.states.0,
            edges: self.edges.0,
            legal_moves: self.legal_moves.0,
            symmetry_comparisons: self.symmetry_comparisons.0,
            checkmates: self.checkmates.0,
            stalemates: self.stalemates.0,
            white_wins: white.wins.0,
            white_losses: white.losses.0,
            white_draws: white.draws.0,
            black_wins: black.wins.0,
            black_losses: black.losses.0,
            black_draws: black.draws.0,
            max_dtm_plies: self.max_dtm_plies.0,
            max_dtm_states: self.max_dtm_states.0,
            longest_line: self.longest_line.0.into_iter().map(|text| text.0).collect(),
            values: self.values.0.0,
            policy: self.policy.0.0,
            starts: starts.map_or_else(Vec::new, |starts| starts.0.0),
            en_passant,
        };
        Ok(Content {
            id: self.id.0,
            claim,
            material,
            children: children(self.children),
            body: Body::EndgameTable(table),
        })
    }
}

impl BisimulationObject {
    pub(super) fn content(self) -> Result<Content, Refusal> {
        let claim = self.claim.0.0;
        let material = class_of(CertificateKind::Bisimulation, &claim)?;
        let has = material.as_ref().is_some_and(Material::has_en_passant);
        let en_passant_states = conditional("en_passant_states", has, self.en_passant_states)?;
        let rounds = self.blocks_per_round.0.into_iter();
        let bisimulation = Bisimulation {
            states: self.states.0,
            edges: self.edges.0,
            en_passant_states: en_passant_states.map(|states| states.0),
            blocks_per_round: rounds.map(|blocks| blocks.0).collect(),
            map: self.map.0.0,
            parents: self.parents.0.0,
            split_rounds: self.split_rounds.0.0,
        };
        Ok(Content {
            id: self.id.0,
            claim,
            material,
            children: children(self.children),
            body: Body::Bisimulation(bisimulation),
        })
    }
}

impl BoundsObject {
    pub(super) fn content(self) -> Result<Content, Refusal> {
        let claim = self.claim.0.0;
        let material = class_of(CertificateKind::Bounds, &claim)?;
        let has = material.as_ref().is_some_and(Material::has_en_passant);
        let en_passant_states = conditional("en_passant_states", has, self.en_passant_states)?;
        let bounds = Bounds {
            states: self.states.0,
            edges: self.edges.0,
            en_passant_states: en_passant_states.map(|states| states.0),
            rounds: self.rounds.0,
            white_wins: self.white_wins.0.0,
            black_wins: self.black_wins.0.0,
            white_holds: self.white_holds.0.0,
            black_holds: self.black_holds.0.0,
            dominators: self.dominators.0.0,
            deletion_rounds: self.deletion_rounds.0.0,
            deleted_strict: self.deleted_strict.0,
            deleted_equal: self.deleted_equal.0,
            deleted_open: self.deleted_open.0,
        };
        Ok(Content {
            id: self.id.0,
            claim,
            material,
            children: children(self.children),
            body: Body::Bounds(bounds),
        })
    }
}

impl LocalProofObject {
    pub(super) fn content(self) -> Result<Content, Refusal> {
        let claim = self.claim.0.0;
        let material = class_of(CertificateKind::LocalProof, &claim)?;
        let local_proof = LocalProof {
            positions: self.positions.0.0,
            lower: self.lower.0.0,
            upper: self.upper.0.0,
            ranks: self.ranks.0.0,
            dominators: self.dominators.0.0,
            moves: self.moves.0,
            deleted_strict: self.deleted_strict.0,
            deleted_equal: self.deleted_equal.0,
        };
        Ok(Content {
            id: self.id.0,
            claim,
            material,
            children: children(self.children),
            body: Body::LocalProof(local_proof),
        })
    }
}

impl AbstractionObject {
    pub(super) fn content(self) -> Result<Content, Refusal> {
        let claim = self.claim.0.0;
        let material = class_of(CertificateKind::Abstraction, &claim)?;
        let has = material.as_ref().is_some_and(Material::has_en_passant);
        let en_passant_states = conditional("en_passant_states", has, self.en_passant_states)?;
        let abstraction = Abstraction {
            states: self.states.0,
            edges: self.edges.0,
            en_passant_states: en_passant_states.map(|states| states.0),
            tree: self.tree.0.into_iter().map(|text| text.0.0).collect(),
            lower: self.lower.0.0,
            upper: self.upper.0.0,
            ranks: self.ranks.0.0,
        };
        Ok(Content {
            id: self.id.0,
            claim,
            material,
            children: children(self.children),
            body: Body::Abstraction(abstraction),
        })
    }
}

impl MateObject {
    pub(super) fn content(self) -> Result<Content, Refusal> {
        let claim = self.claim.0.0;
        let material = class_of(CertificateKind::Mate, &claim)?;
        let mate = Mate {
            strategy: self.strategy.0.0,
            refutation: self.refutation.0.0,
            strategy_roots: self.strategy_roots.0.0,
            refutation_roots: self.refutation_roots.0.0,
        };
        Ok(Content {
            id: self.id.0,
            claim,
            material,
            children: Vec::new(),
            body: Body::Mate(mate),
        })
    }
}

impl ProofObject {
    pub(super) fn content(self) -> Result<Content, Refusal> {
        let claim = self.claim.0.0;
        let material = class_of(CertificateKind::Proof, &claim)?;
        let proof = Proof {
            state: self.state.0.0,
            states: self.states.0.0,
            nodes: self.nodes.0.0,
            deleted_strict: self.deleted_strict.0,
            deleted_equal: self.deleted_equal.0,
        };
        Ok(Content {
            id: self.id.0,
            claim,
            material,
            children: children(self.children),
            body: Body::Proof(proof),
        })
    }
}

fn children(objects: List<Object<ChildObject>>) -> Vec<Child> {
    let child = |Object(child): Object<ChildObject>| Child {
        claim: child.claim.0.0,
        id: child.id.0,
    };
    objects.0.into_iter().map(child).collect()
}

/// Refuses a key that is missing where the claim asks for it, or there where it does not.
fn conditional<T>(name: &str, wanted: bool, value: Option<T>) -> Result<Option<T>, Refusal> {
    let what = match (wanted, value.is_some()) {
        (true, false) => "missing",
        (false, true) => "unknown",
        _ => return Ok(value),
    };
    let place = format_args!("{what} field `{name}`");
    Err(Refusal::new(Reason::MalformedJson, place))
}
