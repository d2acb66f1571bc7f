//! The JSON form of an abstraction certificate taken apart, and put together again with whatever was changed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::payload::{self, Payload, Text};

/// The kind.
const KIND: u32 = 8;

/// Nobody wins.
pub const NO_RANK: u16 = u16::MAX;

/// The fields of an abstraction certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub claim: String,
    pub children: Vec<(String, String)>,
    pub states: u64,
    pub edges: u64,
    pub en_passant_states: Option<u64>,
    pub tree: Vec<String>,
    /// L + 1 of each block.
    pub lower: Vec<u8>,
    /// U + 1 of each block.
    pub upper: Vec<u8>,
    pub ranks: Vec<u16>,
    pub id: String,
}

impl Told {
    /// Takes the JSON form apart; there are no other keys.
    pub fn of(json: &[u8]) -> Told {
        let keys = ["edges", "lower", "ranks", "states", "tree", "upper"];
        let text = Text::of(json, "abstraction", &keys);
        let lines = text.value("tree").as_array().unwrap().iter();
        Told {
            claim: text.string("claim"),
            children: text.children(),
            states: text.number("states"),
            edges: text.number("edges"),
            en_passant_states: text.en_passant_states(),
            tree: lines
                .map(|line| line.as_str().unwrap().to_owned())
                .collect(),
            lower: text.bytes("lower"),
            upper: text.bytes("upper"),
            ranks: text.u16s("ranks"),
            id: text.string("id"),
        }
    }

    /// The claim with other numbers of decided states and blocks.
    pub fn claiming(&self, decided: u64, blocks: usize) -> String {
        let words: Vec<&str> = self.claim.split(' ').collect();
        let (head, tail) = (words[..6].join(" "), words[10..].join(" "));
        format!("{head} {decided} states in {blocks} {tail}")
    }

    /// The payload, laid out by hand from the format page.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Payload::of(&self.claim, &self.children);
        out.number(self.states);
        out.number(self.edges);
        if let Some(states) = self.en_passant_states {
            out.number(states);
        }
        out.number(self.tree.len() as u64);
        self.tree.iter().for_each(|line| out.bytes(line.as_bytes()));
        out.bytes(&self.lower);
        out.bytes(&self.upper);
        out.list(&self.ranks);
        out.0
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
        let id = self.id_by_hand();
        let mut text = payload::text("abstraction", &id, &self.claim, &self.children);
        text["states"] = json!(self.states);
        text["edges"] = json!(self.edges);
        text["tree"] = json!(self.tree);
        text["lower"] = json!(STANDARD.encode(&self.lower));
        text["upper"] = json!(STANDARD.encode(&self.upper));
        text["ranks"] = json!(STANDARD.encode(payload::u16s(&self.ranks)));
        if let Some(states) = self.en_passant_states {
            text["en_passant_states"] = json!(states);
        }
        text
    }
}
