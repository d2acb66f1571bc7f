//! Sealed certificates: a payload with its identity, in one of the encodings.

use std::fmt;

use rayon::prelude::*;
use serde::Serialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::rules::ruleset_digest;

/// The version of the format that is written.
const VERSION: u32 = 2;

const MAGIC: [u8; 8] = *b"\x89DCHESS\n";

/// The name of a certificate: SHA-256 of version, kind, ruleset and expanded payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id(pub [u8; 32]);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The encodings of a certificate. All have the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The binary container, with the payload as it is (codec 0).
    Bin,
    /// The binary container, with the payload in compressed blocks (codec 1).
    Compressed,
    /// The JSON text.
    Json,
}

/// Why a certificate could not be built: faults of this program, not of the input.
#[derive(Debug, Error)]
pub enum SealError {
    /// bincode could not write the payload.
    #[error("cannot encode the payload")]
    Payload(#[from] bincode::error::EncodeError),
    /// serde_json could not write the text.
    #[error("cannot encode the JSON text")]
    Json(#[from] serde_json::Error),
}

/// A certificate that can be written.
#[derive(Clone, Debug)]
pub struct Sealed {
    id: Id,
    claim: String,
    expanded_bytes: usize,
    bytes: Vec<u8>,
}

/// A kind of certificate, as the binary container and the JSON text name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) number: u32,
    pub(super) name: &'static str,
    /// Whether it is about a class, which bounds its length; otherwise a reader expands it only so far.
    pub(super) has_class: bool,
}

impl Kind {
    /// Whether a reader expands what is stored in so many bytes to so many.
    pub(super) const fn may_expand(self, expanded: u64, stored: u64) -> bool {
        self.has_class || expanded <= 32 * stored + (1 << 20)
    }
}

/// A JSON certificate: what every one begins with, then the keys of its kind.
#[derive(Serialize)]
struct Text<'a, B> {
    format: &'static str,
    version: u32,
    kind: &'a str,
    ruleset: String,
    id: String,
    #[serde(flatten)]
    body: B,
}

impl Sealed {
    /// Seals a payload; `body` gives the JSON keys that say the same and is asked only for them.
    pub(super) fn new<B: Serialize>(
        kind: Kind,
        claim: String,
        payload: Vec<u8>,
        format: Format,
        body: impl FnOnce() -> B,
    ) -> Result<Sealed, SealError> {
        let digest = id_digest(kind).chain_update(&payload).finalize();
        let id = Id(digest.into());
        let expanded_bytes = payload.len();
        let bytes = match format {
            Format::Bin => container(kind, 0, expanded_bytes, payload),
            Format::Compressed => {
                let stored = in_blocks(&payload);
                match kind.may_expand(expanded_bytes as u64, stored.len() as u64) {
                    true => container(kind, 1, expanded_bytes, stored),
                    false => container(kind, 0, expanded_bytes, payload),
                }
            }
            Format::Json => {
                let text = Text {
                    format: "dchess",
                    version: VERSION,
                    kind: kind.name,
                    ruleset: Id(ruleset_digest()).to_string(),
                    id: id.to_string(),
                    body: body(),
                };
                let mut bytes = serde_json::to_vec_pretty(&text)?;
                bytes.push(b'\n');
                bytes
            }
        };
        Ok(Sealed {
            id,
            claim,
            expanded_bytes,
            bytes,
        })
    }

    /// The id.
    pub const fn id(&self) -> Id {
        self.id
    }

    /// The claim.
    pub fn claim(&self) -> &str {
        &self.claim
    }

    /// The length of the payload before compression.
    pub const fn expanded_bytes(&self) -> usize {
        self.expanded_bytes
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The binary container around a stored payload.
fn container(kind: Kind, codec: u8, expanded: usize, stored: Vec<u8>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(stored.len() + 97);
    bytes.extend(header(kind, codec, stored.len() as u64, expanded as u64));
    bytes.extend(stored);
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// What stands before a stored payload, with its length as it is stored and as it is read.
pub(super) fn header(kind: Kind, codec: u8, stored: u64, expanded: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(kind.number.to_le_bytes());
    bytes.push(codec);
    bytes.extend(stored.to_le_bytes());
    bytes.extend(expanded.to_le_bytes());
    bytes.extend(ruleset_digest());
    bytes
}

/// The digest that becomes the id when the payload has gone through it.
pub(super) fn id_digest(kind: Kind) -> Sha256 {
    Sha256::new()
        .chain_update(VERSION.to_le_bytes())
        .chain_update(kind.number.to_le_bytes())
        .chain_update(ruleset_digest())
}

/// The bytes of a block of a payload (codec 1).
pub(super) const BLOCK: usize = 1 << 16;

/// The payload in blocks that are compressed one by one, behind a table of their ends (codec 1).
fn in_blocks(payload: &[u8]) -> Vec<u8> {
    let blocks = compressed(payload);
    let mut stored = (blocks.len() as u64).to_le_bytes().to_vec();
    let mut end = 0;
    for block in &blocks {
        end += block.len() as u64;
        stored.extend(end.to_le_bytes());
    }
    stored.extend(blocks.concat());
    stored
}

/// Each block of some bytes, compressed.
pub(super) fn compressed(bytes: &[u8]) -> Vec<Vec<u8>> {
    /// The level of zlib's default; more takes much longer and saves little here.
    const LEVEL: u8 = 6;
    let blocks = bytes.par_chunks(BLOCK);
    blocks
        .map(|block| miniz_oxide::deflate::compress_to_vec(block, LEVEL))
        .collect()
}
