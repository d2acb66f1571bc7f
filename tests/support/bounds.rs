//! The JSON form of a bounds certificate taken apart, and put together again with whatever was changed.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::forge::seal_parts;

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
        let text: BTreeMap<String, Value> = serde_json::from_slice(json).unwrap();
        let mut keys: Vec<&str> = text.keys().map(String::as_str).collect();
        keys.retain(|&key| key != "en_passant_states");
        let mut known = [
            &ROUNDS[..],
            &COUNTS,
            &[
                "children",
                "claim",
                "deletion_rounds",
                "dominators",
                "edges",
            ],
            &["format", "id", "kind", "rounds", "states", "version"],
        ]
        .concat();
        known.sort_unstable();
        assert_eq!(keys, known);
        let string = |value: &Value| value.as_str().unwrap().to_owned();
        let bytes = |key: &str| STANDARD.decode(text[key].as_str().unwrap()).unwrap();
        let numbers = |key: &str| -> Vec<u16> {
            let bytes = bytes(key);
            let numbers = bytes.chunks(2);
            numbers
                .map(|bytes| u16::from_le_bytes(bytes.try_into().unwrap()))
                .collect()
        };
        let children = text["children"].as_array().unwrap().iter();
        Told {
            claim: string(&text["claim"]),
            children: children
                .map(|child| (string(&child["claim"]), string(&child["id"])))
                .collect(),
            states: text["states"].as_u64().unwrap(),
            edges: text["edges"].as_u64().unwrap(),
            en_passant_states: text.get("en_passant_states").and_then(Value::as_u64),
            rounds: text["rounds"].as_u64().unwrap() as u16,
            lists: ROUNDS.map(numbers),
            dominators: bytes("dominators"),
            deletion_rounds: numbers("deletion_rounds"),
            counts: COUNTS.map(|key| text[key].as_u64().unwrap()),
            id: string(&text["id"]),
        }
    }

    /// A list of rounds by its name.
    pub fn list(&mut self, name: &str) -> &mut Vec<u16> {
        let place = ROUNDS.iter().position(|&list| list == name);
        &mut self.lists[place.expect("a list of rounds")]
    }

    /// The payload, laid out by hand from the format page.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, number: u64| out.extend(number.to_le_bytes());
        let list = |out: &mut Vec<u8>, list: &[u16]| {
            number(out, list.len() as u64);
            out.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        };
        number(&mut out, self.claim.len() as u64);
        out.extend(self.claim.bytes());
        number(&mut out, self.children.len() as u64);
        for (claim, id) in &self.children {
            number(&mut out, claim.len() as u64);
            out.extend(claim.bytes());
            let digits = id.strip_prefix("sha256:").unwrap();
            let byte = |place| u8::from_str_radix(&digits[place..place + 2], 16).unwrap();
            out.extend((0..64).step_by(2).map(byte));
        }
        number(&mut out, self.states);
        number(&mut out, self.edges);
        if let Some(states) = self.en_passant_states {
            number(&mut out, states);
        }
        out.extend(self.rounds.to_le_bytes());
        for rounds in &self.lists {
            list(&mut out, rounds);
        }
        number(&mut out, self.dominators.len() as u64);
        out.extend(&self.dominators);
        list(&mut out, &self.deletion_rounds);
        for count in self.counts {
            number(&mut out, count);
        }
        out
    }

    /// The id that the payload has by the format page.
    pub fn id_by_hand(&self) -> String {
        let mut content = [1_u32, 3].map(u32::to_le_bytes).concat();
        content.extend(self.payload());
        let digest = Sha256::digest(content);
        let digits = digest.iter().map(|byte| format!("{byte:02x}"));
        format!("sha256:{}", digits.collect::<String>())
    }

    /// The binary file, with a digest that is right.
    pub fn seal(&self) -> Vec<u8> {
        let payload = self.payload();
        let length = payload.len() as u64;
        seal_parts(1, 3, 0, length, length, &payload)
    }

    /// The keys and values of the JSON text, with an id that is right.
    pub fn json(&self) -> Value {
        let base64 = |numbers: &[u16]| {
            let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
            STANDARD.encode(bytes)
        };
        let child = |(claim, id): &(String, String)| json!({"claim": claim, "id": id});
        let mut text = json!({
            "format": "dchess",
            "version": 1,
            "kind": "bounds",
            "id": self.id_by_hand(),
            "claim": self.claim,
            "children": self.children.iter().map(child).collect::<Vec<_>>(),
            "states": self.states,
            "edges": self.edges,
            "rounds": self.rounds,
            "dominators": STANDARD.encode(&self.dominators),
            "deletion_rounds": base64(&self.deletion_rounds),
        });
        for (name, list) in ROUNDS.into_iter().zip(&self.lists) {
            text[name] = json!(base64(list));
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
