//! What the payloads and texts of kinds 2 to 6 have in common, laid out by hand from the format page.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::forge::{VERSION, id_text, ruleset, seal_parts};

/// A payload that is being written.
#[derive(Default)]
pub struct Payload(pub Vec<u8>);

impl Payload {
    /// A payload that begins with a claim and the tables that it rests on: claims and ids.
    pub fn of(claim: &str, children: &[(String, String)]) -> Payload {
        let mut payload = Payload::default();
        payload.bytes(claim.as_bytes());
        payload.number(children.len() as u64);
        for (claim, id) in children {
            payload.bytes(claim.as_bytes());
            let digits = id.strip_prefix("sha256:").unwrap();
            let byte = |place| u8::from_str_radix(&digits[place..place + 2], 16).unwrap();
            payload.0.extend((0..64).step_by(2).map(byte));
        }
        payload
    }

    /// A `u64`.
    pub fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// Bytes with their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    /// A list of `u16`.
    pub fn list(&mut self, list: &[u16]) {
        self.number(list.len() as u64);
        self.0.extend(u16s(list));
    }
}

/// The id of a payload of a kind.
pub fn id(kind: u32, payload: &[u8]) -> String {
    let mut content = [VERSION, kind].map(u32::to_le_bytes).concat();
    content.extend(ruleset());
    content.extend(payload);
    let digits = Sha256::digest(content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<String>();
    format!("sha256:{digits}")
}

/// The binary file of a payload, with a digest that is right.
pub fn seal(kind: u32, payload: &[u8]) -> Vec<u8> {
    let length = payload.len() as u64;
    seal_parts(VERSION, kind, 0, length, length, payload)
}

/// The bytes of numbers.
pub fn u16s(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

/// A JSON text that is taken apart.
pub struct Text(BTreeMap<String, Value>);

impl Text {
    /// The text of a kind, which has these keys besides those of every kind, and no others.
    pub fn of(json: &[u8], kind: &str, keys: &[&str]) -> Text {
        let keys = [keys, &["children"]].concat();
        Text::without_children(json, kind, &keys)
    }

    /// The same for a kind that rests on nothing.
    pub fn without_children(json: &[u8], kind: &str, keys: &[&str]) -> Text {
        let text: BTreeMap<String, Value> = serde_json::from_slice(json).unwrap();
        let mut found: Vec<&str> = text.keys().map(String::as_str).collect();
        found.retain(|&key| key != "en_passant_states");
        let always = ["claim", "format", "id", "kind", "ruleset", "version"];
        let mut known = [keys, &always].concat();
        known.sort_unstable();
        assert_eq!(found, known);
        assert_eq!(text["format"], "dchess");
        assert_eq!(text["kind"], kind);
        assert_eq!(text["version"], VERSION);
        assert_eq!(text["ruleset"], id_text(&ruleset()));
        Text(text)
    }

    /// The value of a key.
    pub fn value(&self, key: &str) -> &Value {
        &self.0[key]
    }

    /// A text.
    pub fn string(&self, key: &str) -> String {
        self.0[key].as_str().unwrap().to_owned()
    }

    /// A number.
    pub fn number(&self, key: &str) -> u64 {
        self.0[key].as_u64().unwrap()
    }

    /// The number of the only key that may be missing.
    pub fn en_passant_states(&self) -> Option<u64> {
        self.0.get("en_passant_states").and_then(Value::as_u64)
    }

    /// Bytes.
    pub fn bytes(&self, key: &str) -> Vec<u8> {
        STANDARD.decode(self.0[key].as_str().unwrap()).unwrap()
    }

    /// Numbers of two bytes.
    pub fn u16s(&self, key: &str) -> Vec<u16> {
        let bytes = self.bytes(key);
        let numbers = bytes.chunks(2);
        numbers
            .map(|bytes| u16::from_le_bytes(bytes.try_into().unwrap()))
            .collect()
    }

    /// The children: claims and ids.
    pub fn children(&self) -> Vec<(String, String)> {
        let string = |value: &Value| value.as_str().unwrap().to_owned();
        let children = self.0["children"].as_array().unwrap().iter();
        children
            .map(|child| (string(&child["claim"]), string(&child["id"])))
            .collect()
    }
}

/// The keys that the text of every kind has.
pub fn text(kind: &str, id: &str, claim: &str, children: &[(String, String)]) -> Value {
    let child = |(claim, id): &(String, String)| json!({"claim": claim, "id": id});
    json!({
        "format": "dchess",
        "version": VERSION,
        "kind": kind,
        "ruleset": id_text(&ruleset()),
        "id": id,
        "claim": claim,
        "children": children.iter().map(child).collect::<Vec<_>>(),
    })
}
