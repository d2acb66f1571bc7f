//! The JSON form of a local proof taken apart, and put together again with whatever was changed.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dchess::endgame::{Material, State};
use serde_json::{Value, json};
use shakmaty::{Color, Position, Square};

use super::payload::{self, Payload, Text};

/// The kind.
pub const KIND: u32 = 4;

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
        let keys = [
            &COUNTS[..],
            &["dominators", "lower", "positions", "ranks", "upper"],
        ]
        .concat();
        let text = Text::of(json, "local-proof", &keys);
        let [positions, lower, upper, mut dominators] =
            ["positions", "lower", "upper", "dominators"].map(|key| text.bytes(key));
        let ranks = text.u16s("ranks");
        let width = material.men().len() + 1;
        let positions = positions
            .chunks(width)
            .zip(&ranks)
            .enumerate()
            .map(|(place, (bytes, &rank))| {
                let rest = dominators.split_off(successors(material, bytes).len());
                Listed {
                    bytes: bytes.to_vec(),
                    lower: lower[place],
                    upper: upper[place],
                    rank,
                    dominators: std::mem::replace(&mut dominators, rest),
                }
            })
            .collect::<Vec<Listed>>();
        assert!(dominators.is_empty());
        assert_eq!([lower.len(), upper.len()], [positions.len(); 2]);
        Told {
            claim: text.string("claim"),
            children: text.children(),
            positions,
            counts: COUNTS.map(|key| text.number(key)),
            id: text.string("id"),
        }
    }

    /// A field that has one byte a position, or one a move.
    fn bytes(&self, field: impl Fn(&Listed) -> &[u8]) -> Vec<u8> {
        let all = self.positions.iter().flat_map(field);
        all.copied().collect()
    }

    fn ranks(&self) -> Vec<u16> {
        self.positions.iter().map(|listed| listed.rank).collect()
    }

    /// The payload, laid out by hand from the format page.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Payload::of(&self.claim, &self.children);
        out.bytes(&self.bytes(|listed| &listed.bytes));
        out.bytes(&self.bytes(|listed| std::slice::from_ref(&listed.lower)));
        out.bytes(&self.bytes(|listed| std::slice::from_ref(&listed.upper)));
        out.list(&self.ranks());
        out.bytes(&self.bytes(|listed| &listed.dominators));
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
        let bytes = |field: fn(&Listed) -> &[u8]| json!(STANDARD.encode(self.bytes(field)));
        let mut text = payload::text(
            "local-proof",
            &self.id_by_hand(),
            &self.claim,
            &self.children,
        );
        text["positions"] = bytes(|listed| &listed.bytes);
        text["lower"] = bytes(|listed| std::slice::from_ref(&listed.lower));
        text["upper"] = bytes(|listed| std::slice::from_ref(&listed.upper));
        text["ranks"] = json!(STANDARD.encode(payload::u16s(&self.ranks())));
        text["dominators"] = bytes(|listed| &listed.dominators);
        for (name, count) in COUNTS.into_iter().zip(self.counts) {
            text[name] = json!(count);
        }
        text
    }
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
