//! The keys that the JSON text of orderings has, and what they say.
//!
//! They are the field names of the payload. Lists are arrays here, not base64, so nothing of a text is too long to be read.
//!
//! Source: `docs/certificate-format.md`, *JSON* and *Kind 7: orderings*.

use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer};

use super::certificate::{Exchange, OrderedPosition, Orderings, Reply, WinningMove};
use super::certificate_kind::CertificateKind;
use super::claim::class_of;
use super::json_lists::Line;
use super::json_objects::Content;
use super::json_value::{List, Number, Object, Text};
use super::{Body, Id, Move, Refusal};

/// The keys of orderings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderingsObject {
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
    attempts: Number<u64>,
    proof_nodes: Four,
    wins: Number<u64>,
    ties: Number<u64>,
    losses: Number<u64>,
    reply_branches: Number<u64>,
    mating_continuations: Number<u64>,
    positions: List<Object<PositionObject>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionObject {
    fen: Text<Line>,
    attempt: Number<u64>,
    proof_nodes: Four,
    root_moves: List<Text<Move>>,
    exchanges: List<Object<ExchangeObject>>,
    winning: List<Object<WinningObject>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExchangeObject {
    #[serde(rename = "move")]
    capture: Text<Move>,
    gain: Number<u16>,
    loss: Number<u16>,
    nodes: Number<u32>,
    capture_plies: Number<u16>,
    checked_nodes: Number<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WinningObject {
    #[serde(rename = "move")]
    key: Text<Move>,
    replies: List<Object<ReplyObject>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyObject {
    #[serde(rename = "move")]
    reply: Text<Move>,
    mates: List<Text<Move>>,
}

/// An array of four numbers.
struct Four([u64; 4]);

impl<'de> Deserialize<'de> for Four {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Four, D::Error> {
        let List(numbers) = List::<Number<u64>>::deserialize(deserializer)?;
        let numbers: Vec<u64> = numbers.into_iter().map(|number| number.0).collect();
        let four = <[u64; 4]>::try_from(numbers);
        four.map(Four)
            .map_err(|_| D::Error::custom("not four numbers"))
    }
}

impl OrderingsObject {
    pub(super) fn content(self) -> Result<Content, Refusal> {
        let claim = self.claim.0.0;
        let material = class_of(CertificateKind::Orderings, &claim)?;
        let orderings = Orderings {
            attempts: self.attempts.0,
            proof_nodes: self.proof_nodes.0,
            wins: self.wins.0,
            ties: self.ties.0,
            losses: self.losses.0,
            reply_branches: self.reply_branches.0,
            mating_continuations: self.mating_continuations.0,
            positions: each(self.positions, position),
        };
        Ok(Content {
            id: self.id.0,
            claim,
            material,
            children: Vec::new(),
            body: Body::Orderings(orderings),
        })
    }
}

fn position(object: PositionObject) -> OrderedPosition {
    OrderedPosition {
        fen: object.fen.0.0,
        attempt: object.attempt.0,
        proof_nodes: object.proof_nodes.0,
        root_moves: moves(object.root_moves),
        exchanges: each(object.exchanges, exchange),
        winning: each(object.winning, winning_move),
    }
}

fn exchange(object: ExchangeObject) -> Exchange {
    Exchange {
        capture: object.capture.0,
        gain: object.gain.0,
        loss: object.loss.0,
        nodes: object.nodes.0,
        capture_plies: object.capture_plies.0,
        checked_nodes: object.checked_nodes.0,
    }
}

fn winning_move(object: WinningObject) -> WinningMove {
    WinningMove {
        key: object.key.0,
        replies: each(object.replies, |reply| Reply {
            reply: reply.reply.0,
            mates: moves(reply.mates),
        }),
    }
}

fn moves(List(texts): List<Text<Move>>) -> Vec<Move> {
    texts.into_iter().map(|text| text.0).collect()
}

/// What the objects of a list say.
fn each<O, T>(List(objects): List<Object<O>>, content: fn(O) -> T) -> Vec<T> {
    let objects = objects.into_iter();
    objects.map(|Object(object)| content(object)).collect()
}
