//! The binary container: magic, version, kind, codec, two lengths, payload, digest.
//!
//! The fields are judged in this order, each before the next is read. The version comes first, since a later version may
//! change everything behind it; the lengths come before the payload, so that no more is read than the format allows. The
//! digest covers every byte before it, and nothing follows it.
//!
//! Source: `docs/certificate-format.md`, *Binary container*.

use sha2::{Digest, Sha256};

use super::certificate::EndgameTable;
use super::read::{Input, LONGEST_PAYLOAD, VERSION};
use super::{Body, Certificate, Encoding, Id, Reason, Refusal, payload};

/// The first eight bytes.
pub(super) const MAGIC: [u8; 8] = *b"\x89DCHESS\n";

/// The bytes before the payload.
const HEADER: usize = 33;

/// Reads what follows the magic, to the end of the source.
pub(super) fn read(mut input: Input) -> Result<Certificate, Refusal> {
    let version = u32::from_le_bytes(input.array("version")?);
    if version != VERSION {
        return Err(Refusal::new(Reason::UnknownVersion, format_args!("byte 8: version {version}")));
    }
    let kind = u32::from_le_bytes(input.array("kind")?);
    if kind != EndgameTable::KIND {
        return Err(Refusal::new(Reason::UnknownKind, format_args!("byte 12: kind {kind}")));
    }
    let [codec] = input.array("codec")?;
    if codec != 0 {
        return Err(Refusal::new(Reason::UnknownCodec, format_args!("byte 16: codec {codec}")));
    }
    let stored = length(&mut input, "stored length")?;
    let expanded = length(&mut input, "expanded length")?;
    if stored != expanded {
        let place = format_args!("byte 25: stored length {stored}, expanded length {expanded}");
        return Err(Refusal::new(Reason::LengthsDisagree, place));
    }
    input.field("payload", stored)?;
    let found = <[u8; 32]>::from(Sha256::digest(input.bytes()));
    let digest_at = input.bytes().len();
    let digest = input.array("digest")?;
    let bytes = input.bytes().len() as u64;
    if input.take(1)? > 0 {
        return Err(Refusal::new(Reason::TrailingBytes, format_args!("byte {bytes}")));
    }
    if digest != found {
        return Err(Refusal::new(Reason::DigestMismatch, format_args!("byte {digest_at}")));
    }
    let payload = input.bytes().get(HEADER..digest_at).unwrap_or_default();
    let id = Id::of_content(version, kind, payload);
    let (claim, children, table) = payload::read(payload).map_err(|refusal| refusal.of(id))?;
    let (encoding, body) = (Encoding::Binary { codec }, Body::EndgameTable(table));
    Ok(Certificate { version, encoding, bytes, id, claim, children, body })
}

fn length(input: &mut Input, name: &str) -> Result<u64, Refusal> {
    let at = input.bytes().len();
    let length = u64::from_le_bytes(input.array(name)?);
    if length > LONGEST_PAYLOAD {
        let place = format_args!("byte {at}: {name} {length}, the limit is {LONGEST_PAYLOAD}");
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    Ok(length)
}
