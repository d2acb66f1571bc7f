//! The binary container: magic, version, kind, codec, two lengths, ruleset, payload, digest.
//!
//! The fields are judged in this order, each before the next is read. The version comes first, since a later version
//! may change everything behind it; the lengths come before the payload, so that no more is read than the format
//! allows. The digest covers every byte before it, and nothing follows it. The header is there before the payload, so that a
//! bundle can be judged while it passes.
//!
//! Source: `docs/certificate-format.md`, *Binary container*.

use super::certificate_kind::CertificateKind;
use super::read::{EachMate, Input, VERSION};
use super::ruleset::ruleset;
use super::{Certificate, Encoding, Id, Reason, Refusal, blocks, bundle, payload};

/// The first eight bytes.
const MAGIC: [u8; 8] = *b"\x89DCHESS\n";

/// The bytes before the payload.
pub(super) const HEADER: u64 = 65;

/// The pieces in which a payload is taken from its source.
const PIECE: u64 = 1 << 16;

/// What a container says of its payload before it comes.
#[derive(Clone, Copy)]
pub(super) struct Header {
    pub(super) kind: CertificateKind,
    pub(super) codec: u8,
    /// The length of the payload as stored.
    pub(super) stored: u64,
    /// The length of the payload after decoding.
    pub(super) expanded: u64,
}

/// Reads what follows the beginning of a file, to the end of the source. Each mate of a bundle is judged or shown.
pub(super) fn read(
    mut input: Input,
    beginning: &[u8],
    each: EachMate,
) -> Result<Certificate, Refusal> {
    let header = read_header(&mut input, beginning)?;
    if header.kind == CertificateKind::Bundle {
        return bundle::read(&mut input, &header, each);
    }
    let mut stored = Vec::new();
    let bytes = pass(&mut input, &header, |piece| stored.append(piece))?;
    let payload = match header.codec {
        0 => stored,
        _ => {
            let payload = blocks::expand(&header, &stored)?;
            drop(stored);
            payload
        }
    };
    let id = Id::of_content(VERSION, header.kind.number(), &payload);
    let content = payload::read(header.kind, payload);
    let (claim, children, body) = content.map_err(|refusal| refusal.of(id))?;
    Ok(Certificate {
        version: VERSION,
        encoding: Encoding::Binary {
            codec: header.codec,
        },
        bytes,
        expanded_bytes: header.expanded,
        id,
        claim,
        children,
        body,
    })
}

/// Reads the header of a container whose beginning was taken already.
pub(super) fn read_header(input: &mut Input, beginning: &[u8]) -> Result<Header, Refusal> {
    let mut magic = beginning.to_vec();
    input.take(
        (MAGIC.len() as u64).saturating_sub(input.taken()),
        &mut magic,
    )?;
    if magic.is_empty() {
        return Err(Refusal::new(Reason::EmptyFile, "byte 0"));
    }
    if magic != MAGIC {
        return Err(Refusal::new(Reason::NotACertificate, "byte 0"));
    }
    let version = u32::from_le_bytes(input.array("version")?);
    if version != VERSION {
        return Err(Refusal::new(
            Reason::UnknownVersion,
            format_args!("byte 8: version {version}"),
        ));
    }
    let number = u32::from_le_bytes(input.array("kind")?);
    let kind = CertificateKind::of_number(number).ok_or_else(|| {
        let place = format_args!("byte 12: kind {number}");
        Refusal::new(Reason::UnknownKind, place)
    })?;
    let [codec] = input.array("codec")?;
    if codec > 1 {
        return Err(Refusal::new(
            Reason::UnknownCodec,
            format_args!("byte 16: codec {codec}"),
        ));
    }
    let stored = length(input, kind, "stored length")?;
    let expanded = length(input, kind, "expanded length")?;
    if codec == 0 && stored != expanded {
        let place = format_args!("byte 25: stored length {stored}, expanded length {expanded}");
        return Err(Refusal::new(Reason::LengthsDisagree, place));
    }
    let named = Id::from_bytes(input.array("ruleset")?);
    if named != ruleset() {
        let place = format_args!("byte 33: ruleset {named}");
        return Err(Refusal::new(Reason::UnknownRuleset, place));
    }
    Ok(Header {
        kind,
        codec,
        stored,
        expanded,
    })
}

/// Checks what follows a header, hands on the stored payload piece by piece, and gives the size of the whole file. (The
/// pieces are handed on before the digest is known to be right.)
pub(super) fn pass(
    input: &mut Input,
    header: &Header,
    mut piece_of_payload: impl FnMut(&mut Vec<u8>),
) -> Result<u64, Refusal> {
    let mut piece = Vec::new();
    let end = HEADER + header.stored;
    while input.taken() < end {
        let wanted = (end - input.taken()).min(PIECE);
        if input.take(wanted, &mut piece)? < wanted {
            return Err(input.truncated("payload"));
        }
        piece_of_payload(&mut piece);
        piece.clear();
    }
    let found = input.digest();
    let digest: [u8; 32] = input.array("digest")?;
    let bytes = input.taken();
    if input.take(1, &mut piece)? > 0 {
        return Err(Refusal::new(
            Reason::TrailingBytes,
            format_args!("byte {bytes}"),
        ));
    }
    if digest != found {
        return Err(Refusal::new(
            Reason::DigestMismatch,
            format_args!("byte {end}"),
        ));
    }
    Ok(bytes)
}

fn length(input: &mut Input, kind: CertificateKind, name: &str) -> Result<u64, Refusal> {
    let at = input.taken();
    let length = u64::from_le_bytes(input.array(name)?);
    let longest = kind.longest_payload();
    if length > longest {
        let place = format_args!("byte {at}: {name} {length}, the limit is {longest}");
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    Ok(length)
}

#[cfg(test)]
pub(super) mod tests {
    use sha2::{Digest, Sha256};

    use super::super::read;
    use super::super::read::LONGEST_PAYLOAD;
    use super::*;

    /// A file with a good digest and good lengths.
    pub(in super::super) fn file(codec: u8, stored: &[u8], expanded: u64) -> Vec<u8> {
        file_of_kind(1, codec, stored, expanded)
    }

    /// A file of a kind with a good digest and good lengths.
    pub(in super::super) fn file_of_kind(
        kind: u32,
        codec: u8,
        stored: &[u8],
        expanded: u64,
    ) -> Vec<u8> {
        let header = header(VERSION, kind, codec, stored.len() as u64, expanded);
        sealed(&[&header, stored].concat())
    }

    pub(in super::super) fn sealed(header_and_payload: &[u8]) -> Vec<u8> {
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
        bytes.extend(ruleset().bytes());
        bytes
    }

    fn example() -> (Certificate, Vec<u8>) {
        let mut certificate = Certificate::example(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let file = file(0, &payload, payload.len() as u64);
        certificate.bytes = file.len() as u64;
        (certificate, file)
    }

    fn refusal(file: &[u8]) -> Refusal {
        read(&mut &file[..]).unwrap_err()
    }

    #[test]
    fn a_good_container_of_a_bisimulation_is_read() {
        let mut certificate = Certificate::example_of_bisimulation(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let file = file_of_kind(2, 0, &payload, payload.len() as u64);
        certificate.bytes = file.len() as u64;
        assert_eq!(read(&mut &file[..]), Ok(certificate));
    }

    #[test]
    fn a_good_container_of_bounds_is_read() {
        let mut certificate = Certificate::example_of_bounds(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let file = file_of_kind(3, 0, &payload, payload.len() as u64);
        certificate.bytes = file.len() as u64;
        assert_eq!(read(&mut &file[..]), Ok(certificate));
    }

    #[test]
    fn a_good_container_of_a_local_proof_is_read() {
        let mut certificate = Certificate::example_of_local_proof(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let file = file_of_kind(4, 0, &payload, payload.len() as u64);
        certificate.bytes = file.len() as u64;
        assert_eq!(read(&mut &file[..]), Ok(certificate));
    }

    #[test]
    fn a_good_container_of_a_mate_is_read() {
        let mut certificate = Certificate::example_of_mate(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let file = file_of_kind(5, 0, &payload, payload.len() as u64);
        certificate.bytes = file.len() as u64;
        assert_eq!(read(&mut &file[..]), Ok(certificate));
    }

    #[test]
    fn a_good_container_of_orderings_is_read() {
        let mut certificate = Certificate::example_of_orderings(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let file = file_of_kind(7, 0, &payload, payload.len() as u64);
        certificate.bytes = file.len() as u64;
        assert_eq!(read(&mut &file[..]), Ok(certificate));
    }

    #[test]
    fn a_good_container_of_an_abstraction_is_read() {
        let mut certificate = Certificate::example_of_abstraction(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let file = file_of_kind(8, 0, &payload, payload.len() as u64);
        certificate.bytes = file.len() as u64;
        assert_eq!(read(&mut &file[..]), Ok(certificate));
    }

    #[test]
    fn a_good_container_of_a_proof_is_read() {
        let mut certificate = Certificate::example_of_proof(Encoding::Binary { codec: 0 });
        let payload = certificate.payload();
        let file = file_of_kind(9, 0, &payload, payload.len() as u64);
        certificate.bytes = file.len() as u64;
        assert_eq!(read(&mut &file[..]), Ok(certificate));
    }

    #[test]
    fn the_kind_says_which_claims_there_are() {
        let table = Certificate::example(Encoding::Json);
        let bisimulation = Certificate::example_of_bisimulation(Encoding::Json);
        let bounds = Certificate::example_of_bounds(Encoding::Json);
        let local_proof = Certificate::example_of_local_proof(Encoding::Json);
        let mate = Certificate::example_of_mate(Encoding::Json);
        let orderings = Certificate::example_of_orderings(Encoding::Json);
        let abstraction = Certificate::example_of_abstraction(Encoding::Json);
        let proof = Certificate::example_of_proof(Encoding::Json);
        for (kind, payload) in [
            (2, table.payload()),
            (3, table.payload()),
            (1, bisimulation.payload()),
            (3, bisimulation.payload()),
            (1, bounds.payload()),
            (2, bounds.payload()),
            (4, bounds.payload()),
            (1, local_proof.payload()),
            (3, local_proof.payload()),
            (5, local_proof.payload()),
            (4, mate.payload()),
            (1, mate.payload()),
            (7, mate.payload()),
            (5, orderings.payload()),
            (1, orderings.payload()),
            (8, bounds.payload()),
            (3, abstraction.payload()),
            (9, abstraction.payload()),
            (9, mate.payload()),
            (5, proof.payload()),
        ] {
            let found = refusal(&file_of_kind(kind, 0, &payload, payload.len() as u64));
            assert_eq!(found.reason, Reason::UnknownClaim);
            assert_eq!(found.id, Some(Id::of_content(VERSION, kind, &payload)));
        }
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
                    // Kinds 3, 5 and 9 are one bit away from kind 1.
                    12 => &[Reason::UnknownKind, Reason::DigestMismatch],
                    13..16 => &[Reason::UnknownKind],
                    16 => &[Reason::UnknownCodec, Reason::DigestMismatch],
                    17..33 => &[Reason::LengthsDisagree, Reason::LengthOutOfBounds],
                    33..65 => &[Reason::UnknownRuleset],
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
        let mut of_another_ruleset = header(VERSION, 1, 0, 0, 0);
        of_another_ruleset[40] ^= 1;
        let no_digest = [
            (header(1, 9, 9, 1 << 63, 0), Reason::UnknownVersion),
            (header(0, 1, 0, 0, 0), Reason::UnknownVersion),
            (header(VERSION, 0, 9, 1 << 63, 0), Reason::UnknownKind),
            (header(VERSION, 10, 0, 0, 0), Reason::UnknownKind),
            (header(VERSION, 1, 2, 1 << 63, 0), Reason::UnknownCodec),
            (header(VERSION, 1, 0, 1 << 63, 0), Reason::LengthOutOfBounds),
            (
                header(VERSION, 1, 0, u64::MAX, u64::MAX),
                Reason::LengthOutOfBounds,
            ),
            (
                header(VERSION, 1, 0, LONGEST_PAYLOAD + 1, 0),
                Reason::LengthOutOfBounds,
            ),
            (
                header(VERSION, 1, 0, 0, LONGEST_PAYLOAD + 1),
                Reason::LengthOutOfBounds,
            ),
            (header(VERSION, 1, 0, 8, 9), Reason::LengthsDisagree),
            (of_another_ruleset, Reason::UnknownRuleset),
            (
                header(VERSION, 1, 0, LONGEST_PAYLOAD, LONGEST_PAYLOAD),
                Reason::Truncated,
            ),
            (header(VERSION, 1, 0, 0, 0), Reason::Truncated),
            // Of a bundle more may be stored.
            (
                header(VERSION, 6, 0, (1 << 40) + 1, 0),
                Reason::LengthOutOfBounds,
            ),
            (
                header(VERSION, 6, 1, 0, (1 << 40) + 1),
                Reason::LengthOutOfBounds,
            ),
            (header(VERSION, 6, 0, 1 << 40, 1 << 40), Reason::Truncated),
            (header(VERSION, 6, 1, 1 << 40, 1 << 40), Reason::Truncated),
        ];
        for (file, reason) in no_digest {
            assert_eq!(refusal(&file).reason, reason, "{file:?}");
        }
        assert_eq!(
            refusal(&header(1, 1, 0, 0, 0)[..12]).reason,
            Reason::UnknownVersion
        );
        assert_eq!(
            refusal(&header(VERSION, 10, 0, 0, 0)[..16]).reason,
            Reason::UnknownKind
        );
        assert_eq!(
            refusal(&header(VERSION, 1, 0, 1 << 40, 0)[..25]).reason,
            Reason::LengthOutOfBounds
        );
    }

    #[test]
    fn a_malformed_payload_under_a_good_digest_has_an_id() {
        for (codec, stored) in [(0, &[][..]), (1, &[0; 8])] {
            let found = refusal(&file(codec, stored, 0));
            assert_eq!(found.reason, Reason::MalformedPayload);
            assert_eq!(found.id, Some(Id::of_content(VERSION, 1, b"")));
        }
    }
}
