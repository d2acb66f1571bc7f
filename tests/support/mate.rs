//! The JSON form of a mate taken apart, and put together again with whatever was changed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::forge::{VERSION, id_text, ruleset};
use super::payload::{self, Payload, Text};

/// The kind.
pub const KIND: u32 = 5;

/// A reference to a position that has no node.
pub const LEAF: u32 = u32::MAX;

/// A node of a strategy or a refutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A move and where it leads.
    One(u16, u32),
    /// Where each legal move leads.
    All(Vec<u32>),
}

impl Node {
    /// What a node refers to.
    pub fn references(&mut self) -> &mut [u32] {
        match self {
            Node::One(_, to) => std::slice::from_mut(to),
            Node::All(to) => to,
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            Node::One(mv, to) => {
                bytes.push(0);
                bytes.extend(mv.to_le_bytes());
                bytes.extend(to.to_le_bytes());
            }
            Node::All(references) => {
                bytes.push(references.len() as u8);
                bytes.extend(references.iter().flat_map(|to| to.to_le_bytes()));
            }
        }
    }
}

/// The fields of a mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub claim: String,
    pub strategy: Vec<Node>,
    pub refutation: Vec<Node>,
    pub strategy_roots: Vec<(u16, u32)>,
    pub refutation_roots: Vec<u32>,
    pub id: String,
}

impl Told {
    /// Takes the JSON form apart; there are no other keys.
    pub fn of(json: &[u8]) -> Told {
        let keys = [
            "refutation",
            "refutation_roots",
            "strategy",
            "strategy_roots",
        ];
        let text = Text::without_children(json, "mate", &keys);
        let [strategy, refutation, pairs, references] = [
            "strategy",
            "refutation",
            "strategy_roots",
            "refutation_roots",
        ]
        .map(|key| text.bytes(key));
        Told {
            claim: text.string("claim"),
            strategy: nodes(&strategy),
            refutation: nodes(&refutation),
            strategy_roots: pairs
                .chunks(6)
                .map(|pair| (u16_of(&pair[..2]), u32_of(&pair[2..])))
                .collect(),
            refutation_roots: references.chunks(4).map(u32_of).collect(),
            id: text.string("id"),
        }
    }

    /// The payload, laid out by hand from the format page.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Payload::default();
        out.bytes(self.claim.as_bytes());
        out.bytes(&bytes(&self.strategy));
        out.bytes(&bytes(&self.refutation));
        out.number(self.strategy_roots.len() as u64);
        out.0.extend(self.pairs());
        out.number(self.refutation_roots.len() as u64);
        out.0.extend(self.references());
        out.0
    }

    fn pairs(&self) -> Vec<u8> {
        let pairs = self.strategy_roots.iter();
        pairs
            .flat_map(|(mv, to)| [&mv.to_le_bytes()[..], &to.to_le_bytes()[..]].concat())
            .collect()
    }

    fn references(&self) -> Vec<u8> {
        let references = self.refutation_roots.iter();
        references.flat_map(|to| to.to_le_bytes()).collect()
    }

    /// The id that the payload has by the format page.
    pub fn id_by_hand(&self) -> String {
        payload::id(KIND, &self.payload())
    }

    /// The binary file, with a digest that is right.
    pub fn seal(&self) -> Vec<u8> {
        payload::seal(KIND, &self.payload())
    }

    /// The keys and values of the JSON text, with an id that is right.
    pub fn json(&self) -> Value {
        json!({
            "format": "dchess",
            "version": VERSION,
            "kind": "mate",
            "ruleset": id_text(&ruleset()),
            "id": self.id_by_hand(),
            "claim": self.claim,
            "strategy": STANDARD.encode(bytes(&self.strategy)),
            "refutation": STANDARD.encode(bytes(&self.refutation)),
            "strategy_roots": STANDARD.encode(self.pairs()),
            "refutation_roots": STANDARD.encode(self.references()),
        })
    }
}

/// The binary file of a bundle, with a digest that is right.
pub fn seal_bundle(claim: &str, mates: &[&Told]) -> Vec<u8> {
    payload::seal(6, &bundle_payload(claim, mates))
}

/// The payload of a bundle, laid out by hand from the format page.
pub fn bundle_payload(claim: &str, mates: &[&Told]) -> Vec<u8> {
    let mut out = Payload::default();
    out.bytes(claim.as_bytes());
    out.number(mates.len() as u64);
    mates.iter().for_each(|mate| out.bytes(&mate.payload()));
    out.0
}

fn bytes(nodes: &[Node]) -> Vec<u8> {
    let mut bytes = Vec::new();
    nodes.iter().for_each(|node| node.write(&mut bytes));
    bytes
}

fn nodes(mut bytes: &[u8]) -> Vec<Node> {
    let mut nodes = Vec::new();
    while let Some((&count, rest)) = bytes.split_first() {
        let length = if count == 0 {
            6
        } else {
            4 * usize::from(count)
        };
        let (node, rest) = rest.split_at(length);
        nodes.push(match count {
            0 => Node::One(u16_of(&node[..2]), u32_of(&node[2..])),
            _ => Node::All(node.chunks(4).map(u32_of).collect()),
        });
        bytes = rest;
    }
    nodes
}

fn u16_of(bytes: &[u8]) -> u16 {
    u16::from_le_bytes(bytes.try_into().unwrap())
}

fn u32_of(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().unwrap())
}
