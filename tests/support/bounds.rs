//! The JSON form of a bounds certificate taken apart, and put together again with whatever was changed.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::payload::{self, Payload, Text};

/// The kind.
const KIND: u32 = 3;

/// The lists of rounds, in the order of the payload.
pub const ROUNDS: [&str; 4] = ["white_wins", "black_wins", "white_holds", "black_holds"];

/// The counts at the end of the payload.
pub const COUNTS: [&str; 3] = ["deleted_strict", "deleted_equal", "deleted_open"];

/// Never.
pub const NEVER: u16 = u16::MAX;

/// For a move: it is kept.
pub const KEPT: u8 = u8::MAX;

/// The fields of a bounds certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub claim: String,
    pub children: Vec<(String, String)>,
    pub states: u64,
    pub edges: u64,
    pub en_passant_states: Option<u64>,
    pub rounds: u16,
    /// In the order of [`ROUNDS`].
    pub lists: [Vec<u16>; 4],
    pub dominators: Vec<u8>,
    pub deletion_rounds: Vec<u16>,
    /// In the order of [`COUNTS`].
    pub counts: [u64; 3],
    pub id: String,
}

impl Told {
    /// Takes the JSON form apart; there are no other keys.
    pub fn of(json: &[u8]) -> Told {
        let keys = [
            &ROUNDS[..],
            &COUNTS,
            &["deletion_rounds", "dominators", "edges", "rounds", "states"],
        ]
        .concat();
        let text = Text::of(json, "bounds", &keys);
        Told {
            claim: text.string("claim"),
            children: text.children(),
            states: text.number("states"),
            edges: text.number("edges"),
            en_passant_states: text.en_passant_states(),
            rounds: text.number("rounds") as u16,
            lists: ROUNDS.map(|key| text.u16s(key)),
            dominators: text.bytes("dominators"),
            deletion_rounds: text.u16s("deletion_rounds"),
            counts: COUNTS.map(|key| text.number(key)),
            id: text.string("id"),
        }
    }

    /// A list of rounds by its name.
    pub fn list(&mut self, name: &str) -> &mut Vec<u16> {
        let place = ROUNDS.iter().position(|&list| list == name);
        &mut self.lists[place.expect("a list of rounds")]
    }

    /// The payload, laid out by hand from the format page.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Payload::of(&self.claim, &self.children);
        out.number(self.states);
        out.number(self.edges);
        if let Some(states) = self.en_passant_states {
            out.number(states);
        }
        out.0.extend(self.rounds.to_le_bytes());
        self.lists.iter().for_each(|list| out.list(list));
        out.bytes(&self.dominators);
        out.list(&self.deletion_rounds);
        self.counts.iter().for_each(|&count| out.number(count));
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
        let base64 = |numbers: &[u16]| json!(STANDARD.encode(payload::u16s(numbers)));
        let id = self.id_by_hand();
        let mut text = payload::text("bounds", &id, &self.claim, &self.children);
        for (name, number) in [
            ("states", self.states),
            ("edges", self.edges),
            ("rounds", self.rounds.into()),
        ] {
            text[name] = json!(number);
        }
        text["dominators"] = json!(STANDARD.encode(&self.dominators));
        text["deletion_rounds"] = base64(&self.deletion_rounds);
        for (name, list) in ROUNDS.into_iter().zip(&self.lists) {
            text[name] = base64(list);
        }
        for (name, count) in COUNTS.into_iter().zip(self.counts) {
            text[name] = json!(count);
        }
        if let Some(states) = self.en_passant_states {
            text["en_passant_states"] = json!(states);
        }
        text
    }
}
