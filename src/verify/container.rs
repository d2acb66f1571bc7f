//! The binary container: magic, version, kind, codec, two lengths, payload, digest.
//!
//! The fields are judged in this order, each before the next is read. The version comes first, since a later version
//! may change everything behind it; the lengths come before the payload, so that no more is read than the format
//! allows. The digest covers every byte before it, and nothing follows it.
//!
//! Source: `docs/certificate-format.md`, *Binary container*.

use sha2::{Digest, Sha256};

use super::certificate::EndgameTable;
use super::read::{Input, LONGEST_PAYLOAD, VERSION};
use super::{Body, Certificate, Encoding, Id, Reason, Refusal, blocks, payload};

/// The first eight bytes.
pub(super) const MAGIC: [u8; 8] = *b"\x89DCHESS\n";

/// The bytes before the payload.
const HEADER: usize = 33;

/// Reads what follows the magic, to the end of the source.
pub(super) fn read(mut input: Input) -> Result<Certificate, Refusal> {
    let version = u32::from_le_bytes(input.array("version")?);
    if version != VERSION {
        return Err(Refusal::new(
            Reason::UnknownVersion,
            format_args!("byte 8: version {version}"),
        ));
    }
    let kind = u32::from_le_bytes(input.array("kind")?);
    if kind != EndgameTable::KIND {
        return Err(Refusal::new(
            Reason::UnknownKind,
            format_args!("byte 12: kind {kind}"),
        ));
    }
    let [codec] = input.array("codec")?;
    if codec > 1 {
        return Err(Refusal::new(
            Reason::UnknownCodec,
            format_args!("byte 16: codec {codec}"),
        ));
    }
    let stored = length(&mut input, "stored length")?;
    let expanded = length(&mut input, "expanded length")?;
    if codec == 0 && stored != expanded {
        let place = format_args!("byte 25: stored length {stored}, expanded length {expanded}");
        return Err(Refusal::new(Reason::LengthsDisagree, place));
    }
    input.field("payload", stored)?;
    let found = <[u8; 32]>::from(Sha256::digest(input.bytes()));
    let digest_at = input.bytes().len();
    let digest = input.array("digest")?;
    let bytes = input.bytes().len() as u64;
    if input.take(1)? > 0 {
        return Err(Refusal::new(
            Reason::TrailingBytes,
            format_args!("byte {bytes}"),
        ));
    }
    if digest != found {
        return Err(Refusal::new(
            Reason::DigestMismatch,
            format_args!("byte {digest_at}"),
        ));
    }
    let mut payload = input.into_bytes();
    payload.truncate(digest_at);
    payload.drain(..HEADER.min(digest_at));
    if codec == 1 {
        payload = blocks::expand(&payload, expanded)?;
    }
    let id = Id::of_content(version, kind, &payload);
    let (claim, children, table) = payload::read(&payload).map_err(|refusal| refusal.of(id))?;
    let (encoding, body) = (Encoding::Binary { codec }, Body::EndgameTable(table));
    Ok(Certificate {
        version,
        encoding,
        bytes,
        expanded_bytes: expanded,
        id,
        claim,
        children,
        body,
    })
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

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;

    fn sealed(header_and_payload: &[u8]) -> Vec<u8> {
        let digest = Sha256::digest(header_and_payload);
        [header_and_payload, &digest[..]].concat()
    }

    fn header(version: u32, kind: u32, codec: u8, stored: u64, expanded: u64) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.push(codec);
        bytes.extend(stored.to_le_bytes());
        bytes.extend(expanded.to_le_bytes());
        bytes
    }

    fn example() -> (Certificate, Vec<u8>) {
        let mut certificate = Certificate::example(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let length = payload.len() as u64;
        let file = sealed(&[header(1, 1, 0, length, length), payload].concat());
        certificate.bytes = file.len() as u64;
        (certificate, file)
    }

    fn refusal(file: &[u8]) -> Refusal {
        read(&mut &file[..]).unwrap_err()
    }

    #[test]
    fn a_good_container_is_read() {
        let (certificate, file) = example();
        assert_eq!(read(&mut &file[..]), Ok(certificate));
    }

    #[test]
    fn every_shorter_file_is_truncated() {
        let (_, file) = example();
        for length in 0..file.len() {
            let reason = match length {
                0 => Reason::EmptyFile,
                1..8 => Reason::NotACertificate,
                _ => Reason::Truncated,
            };
            assert_eq!(refusal(&file[..length]).reason, reason, "{length}");
        }
    }

    #[test]
    fn every_longer_file_has_trailing_bytes() {
        let (_, file) = example();
        for more in [vec![0], vec![b'\n'], file.clone()] {
            let refusal = refusal(&[file.clone(), more].concat());
            assert_eq!(refusal.reason, Reason::TrailingBytes);
            assert_eq!(refusal.place, format!("byte {}", file.len()));
        }
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        let (_, file) = example();
        for at in 0..file.len() {
            for bit in 0..8 {
                let mut changed = file.clone();
                changed[at] ^= 1 << bit;
                let found = refusal(&changed);
                assert_eq!(found.id, None);
                let reasons: &[Reason] = match at {
                    0..8 => &[Reason::NotACertificate],
                    8..12 => &[Reason::UnknownVersion],
                    12..16 => &[Reason::UnknownKind],
                    16 => &[Reason::UnknownCodec, Reason::DigestMismatch],
                    17..33 => &[Reason::LengthsDisagree, Reason::LengthOutOfBounds],
                    _ => &[Reason::DigestMismatch],
                };
                assert!(
                    reasons.contains(&found.reason),
                    "byte {at} bit {bit}: {found}"
                );
            }
        }
    }

    #[test]
    fn fields_are_judged_in_order_and_before_what_follows() {
        let no_digest = [
            (header(2, 9, 9, 1 << 63, 0), Reason::UnknownVersion),
            (header(0, 1, 0, 0, 0), Reason::UnknownVersion),
            (header(1, 0, 9, 1 << 63, 0), Reason::UnknownKind),
            (header(1, 2, 0, 0, 0), Reason::UnknownKind),
            (header(1, 1, 2, 1 << 63, 0), Reason::UnknownCodec),
            (header(1, 1, 0, 1 << 63, 0), Reason::LengthOutOfBounds),
            (
                header(1, 1, 0, u64::MAX, u64::MAX),
                Reason::LengthOutOfBounds,
            ),
            (
                header(1, 1, 0, LONGEST_PAYLOAD + 1, 0),
                Reason::LengthOutOfBounds,
            ),
            (
                header(1, 1, 0, 0, LONGEST_PAYLOAD + 1),
                Reason::LengthOutOfBounds,
            ),
            (header(1, 1, 0, 8, 9), Reason::LengthsDisagree),
            (
                header(1, 1, 0, LONGEST_PAYLOAD, LONGEST_PAYLOAD),
                Reason::Truncated,
            ),
            (header(1, 1, 0, 0, 0), Reason::Truncated),
        ];
        for (file, reason) in no_digest {
            assert_eq!(refusal(&file).reason, reason, "{file:?}");
        }
        assert_eq!(
            refusal(&header(2, 1, 0, 0, 0)[..12]).reason,
            Reason::UnknownVersion
        );
        assert_eq!(
            refusal(&header(1, 2, 0, 0, 0)[..16]).reason,
            Reason::UnknownKind
        );
        assert_eq!(
            refusal(&header(1, 1, 0, 1 << 40, 0)[..25]).reason,
            Reason::LengthOutOfBounds
        );
    }

    #[test]
    fn a_malformed_payload_under_a_good_digest_has_an_id() {
        let found = refusal(&sealed(&header(1, 1, 0, 0, 0)));
        assert_eq!(found.reason, Reason::MalformedPayload);
        assert_eq!(found.id, Some(Id::of_content(1, 1, b"")));
    }
}
