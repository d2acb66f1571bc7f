//! Sealed certificates: a payload with its identity, ready to be written in either encoding.

use std::fmt;

use serde::Serialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The version of the format that is written.
const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"\x89DCHESS\n";
const CODEC_NONE: u8 = 0;

/// The name of a certificate: SHA-256 of version, kind and expanded payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id([u8; 32]);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The encodings of a certificate. Both have the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The binary container.
    Bin,
    /// The JSON text.
    Json,
}

/// Why a certificate could not be built: faults of this program, not of the input.
#[derive(Debug, Error)]
pub enum SealError {
    /// A distance does not fit the one byte of a table.
    #[error("a distance of {0} plies does not fit a table of this format (at most 254)")]
    Distance(u16),
    /// bincode could not write the payload.
    #[error("cannot encode the payload")]
    Payload(#[from] bincode::error::EncodeError),
    /// serde_json could not write the text.
    #[error("cannot encode the JSON text")]
    Json(#[from] serde_json::Error),
}

/// A kind of certificate, as the binary container and the JSON text name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) number: u32,
    pub(super) name: &'static str,
}

/// A certificate that can be written.
#[derive(Clone, Debug)]
pub struct Sealed {
    kind: Kind,
    id: Id,
    claim: String,
    payload: Vec<u8>,
    json: Vec<u8>,
}

/// A JSON certificate: what every one begins with, then the keys of its kind.
#[derive(Serialize)]
struct Text<'a, B> {
    format: &'static str,
    version: u32,
    kind: &'a str,
    id: String,
    #[serde(flatten)]
    body: B,
}

impl Sealed {
    /// Seals a payload and the JSON keys that say the same.
    pub(super) fn new(
        kind: Kind,
        claim: String,
        payload: Vec<u8>,
        body: impl Serialize,
    ) -> Result<Sealed, SealError> {
        let digest = Sha256::new()
            .chain_update(VERSION.to_le_bytes())
            .chain_update(kind.number.to_le_bytes())
            .chain_update(&payload)
            .finalize();
        let id = Id(digest.into());
        let text = Text {
            format: "dchess",
            version: VERSION,
            kind: kind.name,
            id: id.to_string(),
            body,
        };
        let mut json = serde_json::to_vec_pretty(&text)?;
        json.push(b'\n');
        Ok(Sealed {
            kind,
            id,
            claim,
            payload,
            json,
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

    /// The bytes of the file in this format.
    pub fn to_bytes(&self, format: Format) -> Vec<u8> {
        match format {
            Format::Bin => self.to_binary(),
            Format::Json => self.json.clone(),
        }
    }

    fn to_binary(&self) -> Vec<u8> {
        let length = (self.payload.len() as u64).to_le_bytes();
        let mut bytes = Vec::with_capacity(self.payload.len() + 65);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.kind.number.to_le_bytes());
        bytes.push(CODEC_NONE);
        bytes.extend(length);
        bytes.extend(length);
        bytes.extend(&self.payload);
        let digest = Sha256::digest(&bytes);
        bytes.extend(digest);
        bytes
    }
}
