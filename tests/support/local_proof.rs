//! The JSON form of a local proof taken apart, and put together again with whatever was changed.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dchess::endgame::{Material, State};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shakmaty::{Color, Position, Square};

use super::forge::seal_parts;

/// The counts at the end of the payload.
pub const COUNTS: [&str; 3] = ["moves", "deleted_strict", "deleted_equal"];

/// For a move: it is kept.
pub const KEPT: u8 = u8::MAX;

/// For a position: nobody is said to win it.
pub const NO_RANK: u16 = u16::MAX;

/// A listed position and all that is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub bytes: Vec<u8>,
    pub lower: u8,
    pub upper: u8,
    pub rank: u16,
    /// One entry a move.
    pub dominators: Vec<u8>,
}

/// The fields of a local proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    pub claim: String,
    pub children: Vec<(String, String)>,
    pub positions: Vec<Listed>,
    /// In the order of [`COUNTS`].
    pub counts: [u64; 3],
    pub id: String,
}

impl Told {
    /// Takes the JSON form apart; there are no other keys. The class has no en-passant states.
    pub fn of(material: &Material, json: &[u8]) -> Told {
        let text: BTreeMap<String, Value> = serde_json::from_slice(json).unwrap();
        let keys: Vec<&str> = text.keys().map(String::as_str).collect();
        let mut known = [
            &COUNTS[..],
            &["children", "claim", "dominators", "format", "id", "kind"],
            &["lower", "positions", "ranks", "upper", "version"],
        ]
        .concat();
        known.sort_unstable();
        assert_eq!(keys, known);
        let string = |value: &Value| value.as_str().unwrap().to_owned();
        let bytes = |key: &str| STANDARD.decode(text[key].as_str().unwrap()).unwrap();
        let [positions, lower, upper, ranks, mut dominators] =
            ["positions", "lower", "upper", "ranks", "dominators"].map(bytes);
        let width = material.men().len() + 1;
        let positions = positions
            .chunks(width)
            .zip(ranks.chunks(2))
            .enumerate()
            .map(|(place, (bytes, rank))| {
                let rest = dominators.split_off(successors(material, bytes).len());
                Listed {
                    bytes: bytes.to_vec(),
                    lower: lower[place],
                    upper: upper[place],
                    rank: u16::from_le_bytes(rank.try_into().unwrap()),
                    dominators: std::mem::replace(&mut dominators, rest),
                }
            })
            .collect::<Vec<Listed>>();
        assert!(dominators.is_empty());
        assert_eq!([lower.len(), upper.len()], [positions.len(); 2]);
        let children = text["children"].as_array().unwrap().iter();
        Told {
            claim: string(&text["claim"]),
            children: children
                .map(|child| (string(&child["claim"]), string(&child["id"])))
                .collect(),
            positions,
            counts: COUNTS.map(|key| text[key].as_u64().unwrap()),
            id: string(&text["id"]),
        }
    }

    /// A field that has one byte a position, or one a move.
    fn bytes(&self, field: impl Fn(&Listed) -> &[u8]) -> Vec<u8> {
        let all = self.positions.iter().flat_map(field);
        all.copied().collect()
    }

    fn ranks(&self) -> Vec<u8> {
        let ranks = self.positions.iter();
        ranks.flat_map(|listed| listed.rank.to_le_bytes()).collect()
    }

    /// The payload, laid out by hand from the format page.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let number = |out: &mut Vec<u8>, number: u64| out.extend(number.to_le_bytes());
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
        for bytes in [
            self.bytes(|listed| &listed.bytes),
            self.bytes(|listed| std::slice::from_ref(&listed.lower)),
            self.bytes(|listed| std::slice::from_ref(&listed.upper)),
        ] {
            number(&mut out, bytes.len() as u64);
            out.extend(bytes);
        }
        number(&mut out, self.positions.len() as u64);
        out.extend(self.ranks());
        let dominators = self.bytes(|listed| &listed.dominators);
        number(&mut out, dominators.len() as u64);
        out.extend(dominators);
        for count in self.counts {
            number(&mut out, count);
        }
        out
    }

    /// The id that the payload has by the format page.
    pub fn id_by_hand(&self) -> String {
        let mut content = [1_u32, 4].map(u32::to_le_bytes).concat();
        content.extend(self.payload());
        let digest = Sha256::digest(content);
        let digits = digest.iter().map(|byte| format!("{byte:02x}"));
        format!("sha256:{}", digits.collect::<String>())
    }

    /// The binary file, with a digest that is right.
    pub fn seal(&self) -> Vec<u8> {
        seal_payload(&self.payload())
    }

    /// The keys and values of the JSON text, with an id that is right.
    pub fn json(&self) -> Value {
        let child = |(claim, id): &(String, String)| json!({"claim": claim, "id": id});
        let mut text = json!({
            "format": "dchess",
            "version": 1,
            "kind": "local-proof",
            "id": self.id_by_hand(),
            "claim": self.claim,
            "children": self.children.iter().map(child).collect::<Vec<_>>(),
            "positions": STANDARD.encode(self.bytes(|listed| &listed.bytes)),
            "lower": STANDARD.encode(self.bytes(|listed| std::slice::from_ref(&listed.lower))),
            "upper": STANDARD.encode(self.bytes(|listed| std::slice::from_ref(&listed.upper))),
            "ranks": STANDARD.encode(self.ranks()),
            "dominators": STANDARD.encode(self.bytes(|listed| &listed.dominators)),
        });
        for (name, count) in COUNTS.into_iter().zip(self.counts) {
            text[name] = json!(count);
        }
        text
    }
}

/// A binary file of kind 4 with a digest that is right.
pub fn seal_payload(payload: &[u8]) -> Vec<u8> {
    let length = payload.len() as u64;
    seal_parts(1, 4, 0, length, length, payload)
}

/// What the moves of a listed position of a class without two sides' pawns lead to, each once: the class, the
/// squares of the men by their kind, and the side.
pub fn successors(material: &Material, bytes: &[u8]) -> BTreeSet<String> {
    let (squares, side) = bytes.split_at(material.men().len());
    let squares: Vec<Square> = squares.iter().map(|&n| Square::new(n.into())).collect();
    let turn = Color::from_white(side[0] == 0);
    let state = State::new(material, &squares, turn, None);
    let position = state.position(material).expect("a legal position");
    let moves = position.legal_moves();
    let after = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        // Bare kings are no class.
        let (class, is_exchanged) = match Material::of_board(next.board()) {
            Ok((class, is_exchanged)) if !class.is_sink() => (class, is_exchanged),
            _ => return "a draw".to_owned(),
        };
        assert!(!is_exchanged);
        format!("{class} {:?}", State::of(&class, &next).canonical(&class))
    };
    moves.into_iter().map(after).collect()
}
