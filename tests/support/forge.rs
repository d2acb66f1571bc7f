//! Forging certificates: a table of any class whose every field can be changed, sealed again with a
//! digest and an id that are right.
//!
//! The bytes are laid out and taken apart here by hand from `docs/certificate-format.md`, a second
//! time beside the writer of the program and beside the reader of the island.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

pub const HEADER: usize = 65;
pub const DIGEST: usize = 32;

/// The version of the format.
pub const VERSION: u32 = 2;

/// The name of the ruleset, which is SHA-256 of its text.
pub fn ruleset() -> [u8; 32] {
    Sha256::digest(include_bytes!("../../docs/ruleset.txt")).into()
}

/// The bytes of a block of codec 1 before compression.
pub const BLOCK: usize = 65_536;

/// The counted fields of a payload, in its order.
pub const COUNTS: [&str; 13] = [
    "raw_states",
    "states",
    "edges",
    "legal_moves",
    "symmetry_comparisons",
    "checkmates",
    "stalemates",
    "white_wins",
    "white_losses",
    "white_draws",
    "black_wins",
    "black_losses",
    "black_draws",
];

/// An endgame table that can be falsified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forge {
    pub version: u32,
    pub kind: u32,
    /// 0: the payload as it is, 1: in compressed blocks. What else stands there is stored as with 0.
    pub codec: u8,
    pub claim: String,
    /// Claim and id of each child.
    pub children: Vec<(String, [u8; 32])>,
    /// In the order of [`COUNTS`].
    counts: [u64; COUNTS.len()],
    pub max_dtm_plies: u16,
    pub max_dtm_states: u64,
    pub longest_line: Vec<u16>,
    pub values: Vec<u8>,
    pub policy: Vec<u16>,
    /// Not in a table of three men.
    pub starts: Option<Vec<u64>>,
    /// Only where both sides have a pawn.
    pub en_passant: Option<EnPassant>,
    /// Bytes after the last field of the payload.
    pub rest: Vec<u8>,
}

/// The fields of a table in which both sides have a pawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnPassant {
    pub raw_states: u64,
    pub states: u64,
    pub values: Vec<u8>,
}

impl Forge {
    /// Starts from a true binary certificate.
    pub fn of(file: &[u8]) -> Forge {
        let codec = file[16];
        let stored = &file[HEADER..file.len() - DIGEST];
        let payload = match codec {
            0 => stored.to_vec(),
            _ => Blocks::of_stored(stored).expanded(),
        };
        let mut fields = Fields(&payload);
        let claim = fields.text();
        let children = (0..fields.u64())
            .map(|_| (fields.text(), fields.take(32).try_into().unwrap()))
            .collect();
        let (white, black) = name_of(&claim)[1..].split_once('K').unwrap();
        let (has_starts, has_en_passant) = (
            white.len() + black.len() > 1,
            white.contains('P') && black.contains('P'),
        );
        let forge = Forge {
            version: VERSION,
            kind: 1,
            codec,
            children,
            counts: [(); COUNTS.len()].map(|()| fields.u64()),
            max_dtm_plies: fields.u16(),
            max_dtm_states: fields.u64(),
            longest_line: fields.list(2, |item| item.u16()),
            values: fields.bytes(),
            policy: fields.list(2, |item| item.u16()),
            starts: has_starts.then(|| fields.list(8, |item| item.u64())),
            en_passant: has_en_passant.then(|| EnPassant {
                raw_states: fields.u64(),
                states: fields.u64(),
                values: fields.bytes(),
            }),
            rest: Vec::new(),
            claim,
        };
        assert!(fields.0.is_empty());
        forge
    }

    /// A counted field by its name.
    pub fn count(&mut self, name: &str) -> &mut u64 {
        let place = COUNTS.iter().position(|&count| count == name);
        &mut self.counts[place.expect("a counted field")]
    }

    /// The name of the class.
    pub fn name(&self) -> &str {
        name_of(&self.claim)
    }

    /// The payload as it stands.
    pub fn payload(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_bytes(&mut out, self.claim.as_bytes());
        put(&mut out, self.children.len() as u64);
        for (claim, id) in &self.children {
            put_bytes(&mut out, claim.as_bytes());
            out.extend(id);
        }
        for count in self.counts {
            put(&mut out, count);
        }
        out.extend(self.max_dtm_plies.to_le_bytes());
        put(&mut out, self.max_dtm_states);
        put_moves(&mut out, &self.longest_line);
        put_bytes(&mut out, &self.values);
        put_moves(&mut out, &self.policy);
        if let Some(starts) = &self.starts {
            put(&mut out, starts.len() as u64);
            starts.iter().for_each(|&start| put(&mut out, start));
        }
        if let Some(en_passant) = &self.en_passant {
            put(&mut out, en_passant.raw_states);
            put(&mut out, en_passant.states);
            put_bytes(&mut out, &en_passant.values);
        }
        out.extend(&self.rest);
        out
    }

    /// The id of the table as it stands.
    pub fn id(&self) -> [u8; 32] {
        let mut content = self.version.to_le_bytes().to_vec();
        content.extend(self.kind.to_le_bytes());
        content.extend(ruleset());
        content.extend(self.payload());
        Sha256::digest(content).into()
    }

    /// The file, with a digest that is right.
    pub fn seal(&self) -> Vec<u8> {
        let payload = self.payload();
        if self.codec == 1 {
            return Blocks::of(&payload).seal_as(self.version, self.kind);
        }
        let length = payload.len() as u64;
        seal_parts(
            self.version,
            self.kind,
            self.codec,
            length,
            length,
            &payload,
        )
    }

    /// The keys and values of the JSON text, with an id that is right.
    pub fn json(&self) -> Value {
        let base64 = |bytes: Vec<u8>| STANDARD.encode(bytes);
        let side = |from: usize| {
            let [wins, losses, draws] = [0, 1, 2].map(|place| self.counts[from + place]);
            json!({"wins": wins, "losses": losses, "draws": draws})
        };
        let children: Vec<Value> = self
            .children
            .iter()
            .map(|(claim, id)| json!({"claim": claim, "id": id_text(id)}))
            .collect();
        let line: Vec<String> = self.longest_line.iter().map(|&mv| uci_text(mv)).collect();
        let policy = self.policy.iter().flat_map(|mv| mv.to_le_bytes());
        let mut text = json!({
            "format": "dchess",
            "version": self.version,
            "kind": "endgame-table",
            "ruleset": id_text(&ruleset()),
            "id": id_text(&self.id()),
            "claim": self.claim,
            "children": children,
            "by_side": {"white": side(7), "black": side(10)},
            "max_dtm_plies": self.max_dtm_plies,
            "max_dtm_states": self.max_dtm_states,
            "longest_line": line,
            "values": base64(self.values.clone()),
            "policy": base64(policy.collect()),
        });
        for (name, count) in COUNTS.into_iter().zip(self.counts).take(7) {
            text[name] = json!(count);
        }
        if let Some(starts) = &self.starts {
            let bytes = starts.iter().flat_map(|start| start.to_le_bytes());
            text["starts"] = json!(base64(bytes.collect()));
        }
        if let Some(en_passant) = &self.en_passant {
            text["en_passant_raw_states"] = json!(en_passant.raw_states);
            text["en_passant_states"] = json!(en_passant.states);
            text["en_passant_values"] = json!(base64(en_passant.values.clone()));
        }
        text
    }
}

/// A payload as codec 1 stores it, every number of which can be changed.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The expanded length in the header.
    pub expanded: u64,
    /// The count of the blocks.
    pub count: u64,
    pub ends: Vec<u64>,
    pub data: Vec<u8>,
}

impl Blocks {
    /// A payload in blocks.
    pub fn of(payload: &[u8]) -> Blocks {
        let blocks = payload.chunks(BLOCK).map(deflated).collect();
        Blocks::of_streams(blocks, payload.len() as u64)
    }

    /// These streams, whatever they hold.
    pub fn of_streams(streams: Vec<Vec<u8>>, expanded: u64) -> Blocks {
        let mut end = 0;
        let ends: Vec<u64> = streams
            .iter()
            .map(|stream| {
                end += stream.len() as u64;
                end
            })
            .collect();
        Blocks {
            expanded,
            count: ends.len() as u64,
            ends,
            data: streams.concat(),
        }
    }

    /// Takes apart what is stored in a readable file.
    pub fn of_stored(stored: &[u8]) -> Blocks {
        let mut fields = Fields(stored);
        let ends = fields.list(8, |item| item.u64());
        Blocks {
            expanded: 0,
            count: ends.len() as u64,
            ends,
            data: fields.0.to_vec(),
        }
    }

    /// The streams of the blocks.
    pub fn streams(&self) -> Vec<Vec<u8>> {
        let mut start = 0;
        let stream = |&end: &u64| {
            let stream = self.data[start..end as usize].to_vec();
            start = end as usize;
            stream
        };
        self.ends.iter().map(stream).collect()
    }

    /// What the streams of a readable file hold.
    pub fn expanded(&self) -> Vec<u8> {
        let expand = |stream: Vec<u8>| miniz_oxide::inflate::decompress_to_vec(&stream).unwrap();
        self.streams().into_iter().flat_map(expand).collect()
    }

    /// What stands between header and digest.
    pub fn stored(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.count);
        self.ends.iter().for_each(|&end| put(&mut out, end));
        out.extend(&self.data);
        out
    }

    /// The file, with a digest that is right.
    pub fn seal(&self) -> Vec<u8> {
        self.seal_as(VERSION, 1)
    }

    fn seal_as(&self, version: u32, kind: u32) -> Vec<u8> {
        let stored = self.stored();
        let length = stored.len() as u64;
        seal_parts(version, kind, 1, length, self.expanded, &stored)
    }
}

/// A raw DEFLATE stream.
pub fn deflated(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(bytes, 6)
}

/// A file of these header fields and this payload, whatever they are, with a digest that is right.
pub fn seal_parts(
    version: u32,
    kind: u32,
    codec: u8,
    stored: u64,
    expanded: u64,
    payload: &[u8],
) -> Vec<u8> {
    let mut file = b"\x89DCHESS\n".to_vec();
    file.extend(version.to_le_bytes());
    file.extend(kind.to_le_bytes());
    file.push(codec);
    put(&mut file, stored);
    put(&mut file, expanded);
    file.extend(ruleset());
    file.extend(payload);
    sealed(file)
}

/// A file without its digest, with a digest that is right.
pub fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let digest = Sha256::digest(&file);
    file.extend(digest);
    file
}

/// The claim of a class.
pub fn claim(name: &str) -> String {
    format!("endgame {name} board dtm")
}

fn name_of(claim: &str) -> &str {
    claim.split(' ').nth(1).expect("a claim names a class")
}

/// How an id is written.
pub fn id_text(id: &[u8; 32]) -> String {
    let digits: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{digits}")
}

/// The code of a move from its UCI text.
pub fn move_code(text: &str) -> u16 {
    let text = text.as_bytes();
    let square = |at: usize| u16::from(text[at] - b'a' + 8 * (text[at + 1] - b'1'));
    let promotion = match text.get(4) {
        None => 0,
        Some(letter) => 1 + b"nbrq".iter().position(|found| found == letter).unwrap() as u16,
    };
    square(0) + 64 * square(2) + 4096 * promotion
}

/// The UCI text of the code of a move.
pub fn uci_text(code: u16) -> String {
    let square = |number: u16| {
        let file = char::from(b'a' + (number % 8) as u8);
        format!("{file}{}", number / 8 + 1)
    };
    let promotion = ["", "n", "b", "r", "q"][usize::from(code >> 12)];
    let (from, to) = (code & 63, code >> 6 & 63);
    format!("{}{}{promotion}", square(from), square(to))
}

/// The fields of a true payload that are still to be taken.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, bytes: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(bytes);
        self.0 = rest;
        taken
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take(2).try_into().unwrap())
    }

    fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take(8).try_into().unwrap())
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = self.u64() as usize;
        self.take(length).to_vec()
    }

    fn text(&mut self) -> String {
        String::from_utf8(self.bytes()).unwrap()
    }

    fn list<T>(&mut self, bytes_each: usize, item: impl Fn(&mut Fields) -> T) -> Vec<T> {
        let count = self.u64() as usize;
        let items = self.take(count * bytes_each).chunks(bytes_each);
        items.map(|bytes| item(&mut Fields(bytes))).collect()
    }
}

fn put(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend(bytes);
}

fn put_moves(out: &mut Vec<u8>, moves: &[u16]) {
    put(out, moves.len() as u64);
    out.extend(moves.iter().flat_map(|code| code.to_le_bytes()));
}
