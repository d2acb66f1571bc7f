//! The check of a bundle: steps 2 to 5 of what a checker must establish, while its payload passes.
//!
//! A bundle may be much larger than the memory. So it is read once, and each mate is judged (or shown to somebody who asks
//! for nothing but a list) as soon as all of it is there, with the check of its own kind, and forgotten then. What is kept is the part of the payload that is just being read.
//!
//! Source: `docs/certificate-format.md`, *Kind 6: bundle*.

use super::bundle_claim::number_of_mates;
use super::container::{self, Header};
use super::passing_blocks::PassingBlocks;
use super::passing_mates::PassingMates;
use super::read::{EachMate, Input, VERSION};
use super::{Body, Bundle, Certificate, Checked, Encoding, Reason, Refusal};

/// Reads a bundle behind its header to the end of the source, and judges or shows its mates.
pub(super) fn read(
    input: &mut Input,
    header: &Header,
    each: EachMate,
) -> Result<Certificate, Refusal> {
    let mut mates = PassingMates::of(header.expanded, each);
    let bytes = match header.codec {
        0 => container::pass(input, header, |piece| mates.push(piece))?,
        _ => {
            let mut blocks = PassingBlocks::of(header);
            let bytes = container::pass(input, header, |piece| {
                let pushed = match &mut blocks {
                    Ok(blocks) => blocks.push(piece, |block| mates.push(block)),
                    // Nothing behind a bad block can be read.
                    Err(_) => Ok(()),
                };
                if let Err(refusal) = pushed {
                    blocks = Err(refusal);
                }
            })?;
            blocks?.end()?;
            bytes
        }
    };
    let (id, content) = mates.end();
    let (claim, bundle) = content.map_err(|refusal| refusal.of(id))?;
    Ok(Certificate {
        version: VERSION,
        encoding: Encoding::Binary {
            codec: header.codec,
        },
        bytes,
        expanded_bytes: header.expanded,
        id,
        claim,
        children: Vec::new(),
        body: Body::Bundle(bundle),
    })
}

/// Says what was found when the bundle was read. That the claim is the one whose mates were counted is looked at once more:
/// it may have been changed since.
pub(super) fn check(claim: &str, bundle: &Bundle) -> Result<Checked, Refusal> {
    check_number(number_of_mates(claim)?, bundle.mates)?;
    let unjudged = || Refusal::new(Reason::Unreadable, "the mates were not judged");
    bundle.outcome.clone().ok_or_else(unjudged)?
}

/// Refuses a number of mates that is not that of the claim.
pub(super) fn check_number(said: u32, stored: u64) -> Result<(), Refusal> {
    if stored != u64::from(said) {
        let place = format_args!("mates: stored {stored}, the claim says {said}");
        return Err(Refusal::new(Reason::WrongNumberOfMates, place));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::super::blocks::BLOCK;
    use super::super::blocks::tests::compressed;
    use super::super::container::HEADER;
    use super::super::container::tests::{file_of_kind, sealed};
    use super::super::mate::tests::{false_mate, is_true, small_mate, true_mates};
    use super::super::read::tests::Dripping;
    use super::super::{Id, Reason, Session, payload, read, read_each};
    use super::*;

    /// A payload laid out by hand.
    fn payload_of(claim: &str, count: u64, mates: &[Vec<u8>], rest: &[u8]) -> Vec<u8> {
        let mut payload = (claim.len() as u64).to_le_bytes().to_vec();
        payload.extend(claim.bytes());
        payload.extend(count.to_le_bytes());
        for mate in mates {
            payload.extend((mate.len() as u64).to_le_bytes());
            payload.extend(mate);
        }
        payload.extend(rest);
        payload
    }

    fn claim_of(mates: &[Vec<u8>]) -> String {
        format!("bundle of {} mates", mates.len())
    }

    /// The payload of a bundle that says how many mates it has.
    fn bundle(mates: &[Vec<u8>]) -> Vec<u8> {
        payload_of(&claim_of(mates), mates.len() as u64, mates, &[])
    }

    /// The file of a payload with each codec.
    fn files(payload: &[u8]) -> [Vec<u8>; 2] {
        let length = payload.len() as u64;
        [
            file_of_kind(6, 0, payload, length),
            file_of_kind(6, 1, &compressed(payload), length),
        ]
    }

    fn id_of(payload: &[u8]) -> Id {
        Id::of_content(VERSION, 6, payload)
    }

    /// The number, the claim and the id of each mate that was shown.
    type Shown = Vec<(u64, String, Id)>;

    /// What a source says that may give one byte at a time.
    fn source(file: &[u8], drips: bool) -> Box<dyn Read + '_> {
        match drips {
            true => Box::new(Dripping::of(file)),
            false => Box::new(file),
        }
    }

    /// What is shown of a bundle, and what is said of it when it is judged.
    fn judged(file: &[u8], drips: bool) -> (Shown, Result<(Certificate, Checked), Refusal>) {
        let mut shown = Vec::new();
        let listed = read_each(&mut source(file, drips), &mut |number, claim, id| {
            shown.push((number, claim.to_string(), id));
        });
        let read = read(&mut source(file, drips));
        match (&listed, &read) {
            (Ok(listed), Ok(read)) => {
                assert_eq!((listed.id, &listed.claim), (read.id, &read.claim));
                if let Body::Bundle(_) = read.body {
                    // A list is no verdict.
                    let refusal = Session::new().verify(listed).unwrap_err();
                    assert_eq!(refusal.reason, Reason::Unreadable);
                    assert_eq!(refusal.id, Some(read.id));
                }
            }
            // Of what comes first in the payload a list says only what is malformed.
            (Err(listed), Err(read)) => assert_eq!(listed.id, read.id),
            _ => panic!("{listed:?} {read:?}"),
        }
        let judged = read.and_then(|certificate| {
            let checked = Session::new().verify(&certificate)?;
            assert_eq!(Session::new().judge(certificate.clone(), None), Ok(checked));
            Ok((certificate, checked))
        });
        (shown, judged)
    }

    fn refusal(file: &[u8]) -> Refusal {
        judged(file, false).1.unwrap_err()
    }

    fn shown(mates: &[Vec<u8>]) -> Shown {
        let mates = (0..).zip(mates);
        let shown = mates.map(|(number, mate)| {
            let (claim, _) = payload::read_mate(mate).unwrap();
            (number, claim, Id::of_content(VERSION, 5, mate))
        });
        shown.collect()
    }

    /// What is checked in all mates, each in a file of its own.
    fn checked(mates: &[Vec<u8>]) -> Checked {
        let mut sum = Checked {
            states: 0,
            edges: 0,
        };
        for mate in mates {
            let file = file_of_kind(5, 0, mate, mate.len() as u64);
            let certificate = super::super::read(&mut file.as_slice()).unwrap();
            let checked = Session::new().verify(&certificate).unwrap();
            sum.states += checked.states;
            sum.edges += checked.edges;
        }
        sum
    }

    fn accept(mates: &[Vec<u8>]) {
        let payload = bundle(mates);
        let checked = checked(mates);
        for (codec, file) in (0..).zip(files(&payload)) {
            let (all, whole) = judged(&file, false);
            assert_eq!(all, shown(mates));
            let (certificate, found) = whole.unwrap();
            assert_eq!(found, checked);
            let expected = Certificate {
                version: VERSION,
                encoding: Encoding::Binary { codec },
                bytes: file.len() as u64,
                expanded_bytes: payload.len() as u64,
                id: id_of(&payload),
                claim: claim_of(mates),
                children: Vec::new(),
                body: Body::Bundle(Bundle {
                    mates: mates.len() as u64,
                    outcome: Some(Ok(checked)),
                }),
            };
            assert_eq!(certificate, expected);
            assert_eq!(certificate.body.kind_name(), "bundle");
            let (all, dripped) = judged(&file, true);
            assert_eq!(all, shown(mates));
            assert_eq!(dripped, Ok((certificate, checked)));
        }
    }

    #[test]
    fn good_bundles_are_verified() {
        let mates = true_mates();
        accept(&mates);
        accept(&mates[..1]);
        accept(&mates[3..5]);
        // The same twice.
        accept(&[small_mate(), small_mate()]);
        let all = checked(&mates);
        assert!(all.states > 20 && all.edges > 20, "{all:?}");
    }

    #[test]
    fn mates_lie_across_the_borders_of_blocks() {
        let mut mates = true_mates();
        for _ in 0..7 {
            mates = [mates.clone(), mates].concat();
        }
        // So that a border lies in a length, in a claim or in a node, or between two mates.
        for first in [0, 1, 2, 5] {
            let mates = &mates[first..];
            assert!(bundle(mates).len() > 5 * BLOCK);
            accept(mates);
        }
    }

    #[test]
    fn a_block_may_end_with_a_mate() {
        let mates = true_mates();
        let (a, b) = (&mates[0], &mates[3]);
        // As many of one and of the other as fill a block, between 100 and 999 of both.
        let target = BLOCK - bundle(&[]).len() - 2;
        let of_a = (0..target / (8 + a.len())).find(|n| {
            let of_b = (target - n * (8 + a.len())) / (8 + b.len());
            (100..1_000).contains(&(n + of_b)) && target == n * (8 + a.len()) + of_b * (8 + b.len())
        });
        let of_a = of_a.unwrap();
        let of_b = (target - of_a * (8 + a.len())) / (8 + b.len());
        let mut fitting = vec![a.clone(); of_a];
        fitting.resize(of_a + of_b, b.clone());
        assert_eq!(bundle(&fitting).len(), BLOCK);
        accept(&fitting);
        fitting.push(a.clone());
        accept(&fitting);
    }

    #[test]
    fn a_mate_may_be_longer_than_a_block() {
        let long = false_mate(3 * BLOCK);
        let mates = [small_mate(), long.clone(), small_mate()];
        let file = file_of_kind(5, 0, &long, long.len() as u64);
        let alone = super::super::read(&mut file.as_slice()).unwrap();
        let alone = Session::new().verify(&alone).unwrap_err();
        let payload = bundle(&mates);
        for file in files(&payload) {
            for drips in [false, true] {
                let (all, found) = judged(&file, drips);
                // A mate that is false is shown, and so are those behind it.
                assert_eq!(all, shown(&mates));
                let found = found.unwrap_err();
                assert_eq!(found.reason, alone.reason);
                assert_eq!(found.place, format!("mate 1: {}", alone.place));
                assert_eq!(found.id, Some(id_of(&payload)));
            }
        }
    }

    /// A mate whose claim is not true, but well formed, and what is said of it.
    fn lie() -> (Vec<u8>, Reason) {
        (false_mate(0), Reason::NoCheckmate)
    }

    /// A mate with other bytes in the place of some.
    fn changed(from: &str, to: &str) -> Vec<u8> {
        let mate = small_mate();
        let at = mate.windows(from.len()).position(|w| w == from.as_bytes());
        let at = at.unwrap();
        let mut changed = mate;
        changed.splice(at..at + from.len(), to.bytes());
        assert_eq!(from.len(), to.len());
        changed
    }

    #[test]
    fn every_refusal_has_its_reason_and_its_place() {
        use Reason::{
            IllegalMove, IllegalPosition, MalformedPayload, NoCheckmate, UnknownClaim,
            UnknownMaterial, WrongNumberOfMates,
        };
        let small = small_mate();
        let one = [small.clone()];
        let two = [small.clone(), small.clone()];
        let said = |mates: &[Vec<u8>]| payload_of("bundle of 2 mates", 2, mates, &[]);
        let second = |mate: Vec<u8>| said(&[small.clone(), mate]);
        let with_length = |length: u64, rest: usize| {
            let length = length.to_le_bytes();
            let rest = [&length[..], &vec![0; rest]].concat();
            payload_of("bundle of 2 mates", 2, &one, &rest)
        };
        let claim_at = |claim: &str| payload_of(claim, 2, &two, &[]);
        for (payload, reason, place) in [
            (
                payload_of("bundle of 2 mates", 1, &one, &[]),
                WrongNumberOfMates,
                "mates: stored 1, the claim says 2",
            ),
            (
                payload_of("bundle of 1 mates", 2, &two, &[]),
                WrongNumberOfMates,
                "mates: ",
            ),
            (
                payload_of("bundle of 2 mates", 0, &[], &[]),
                WrongNumberOfMates,
                "mates: ",
            ),
            (
                payload_of("bundle of 2 mates", (1 << 32) + 2, &two, &[]),
                WrongNumberOfMates,
                "mates: ",
            ),
            (
                payload_of("bundle of 2 mates", u64::MAX, &two, &[]),
                WrongNumberOfMates,
                "mates: ",
            ),
            // There are no bytes for so many.
            (
                payload_of("bundle of 4294967295 mates", 0xffff_ffff, &two, &[]),
                MalformedPayload,
                "payload byte 42: mates has 4294967295 items",
            ),
            (
                payload_of("bundle of 2 mates", 2, &[], &[0; 15]),
                MalformedPayload,
                "payload byte 33: mates has 2 items",
            ),
            // There are, but not for their contents.
            (
                payload_of("bundle of 2 mates", 2, &one, &[]),
                MalformedPayload,
                "mate 1: payload byte ",
            ),
            (
                payload_of("bundle of 2 mates", 2, &one, &[0; 7]),
                MalformedPayload,
                "mate 1: payload byte ",
            ),
            (
                with_length(0, 0),
                MalformedPayload,
                "mate 1: payload byte 0: the payload ends inside claim",
            ),
            (with_length(1, 0), MalformedPayload, "mate 1: payload byte "),
            (
                with_length(99, 98),
                MalformedPayload,
                "mate 1: payload byte ",
            ),
            (
                with_length(u64::MAX, 98),
                MalformedPayload,
                "mate 1: payload byte ",
            ),
            (
                payload_of("bundle of 2 mates", 2, &two, &[0]),
                MalformedPayload,
                "payload byte ",
            ),
            (
                payload_of("bundle of 2 mates", 2, &two, &small),
                MalformedPayload,
                "payload byte ",
            ),
            // The claim.
            (
                claim_at("bundle of 2 mate"),
                UnknownClaim,
                "claim: stored bundle of 2 mate",
            ),
            (
                claim_at("bundle of 02 mates"),
                UnknownClaim,
                "claim: stored ",
            ),
            (
                claim_at("bundle of 0 mates"),
                UnknownClaim,
                "claim: stored ",
            ),
            (
                claim_at("mate 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1 in 1"),
                UnknownClaim,
                "claim: stored ",
            ),
            (
                claim_at("endgame KQK board dtm"),
                UnknownClaim,
                "claim: stored ",
            ),
            (
                claim_at("bundle of 2\nmates"),
                MalformedPayload,
                "payload byte ",
            ),
            // A mate.
            (
                second(changed("in 1", "in 0")),
                UnknownClaim,
                "mate 1: claim: stored mate ",
            ),
            (
                second(changed("mate", "bate")),
                UnknownClaim,
                "mate 1: claim: stored ",
            ),
            (
                second(changed("5k2", "4R3")),
                UnknownMaterial,
                "mate 1: claim: stored ",
            ),
            (
                second(changed("5k2", "6k1")),
                IllegalPosition,
                "mate 1: claim: stored ",
            ),
            (second(changed(" K ", " - ")), IllegalMove, "mate 1: "),
            (
                second(changed("mate", "m\nte")),
                MalformedPayload,
                "mate 1: payload byte ",
            ),
            (
                second(small[..small.len() - 1].to_vec()),
                MalformedPayload,
                "mate 1: payload byte ",
            ),
            (
                second([&small[..], &[0]].concat()),
                MalformedPayload,
                "mate 1: payload byte ",
            ),
            (
                second(bundle(&one)),
                UnknownClaim,
                "mate 1: claim: stored bundle of 1 mates",
            ),
            (second(lie().0), NoCheckmate, "mate 1: "),
            // The first failure is the verdict.
            (
                said(&[lie().0, changed("in 1", "in 0")]),
                NoCheckmate,
                "mate 0: ",
            ),
            (
                said(&[changed("in 1", "in 0"), lie().0]),
                UnknownClaim,
                "mate 0: ",
            ),
            (
                said(&[lie().0, changed(" K ", " - ")]),
                NoCheckmate,
                "mate 0: ",
            ),
            (
                payload_of("bundle of 2 mates", 2, &[lie().0], &[]),
                NoCheckmate,
                "mate 0: ",
            ),
            (
                payload_of("bundle of 2 mates", 2, &[lie().0, small.clone()], &[0]),
                NoCheckmate,
                "mate 0: ",
            ),
            (
                payload_of("bundle of 2 mates", 1, &[lie().0], &[]),
                WrongNumberOfMates,
                "mates: ",
            ),
        ] {
            for file in files(&payload) {
                let (in_claim, is_compressed) = (place.starts_with("claim: "), file[16] == 1);
                for drips in [false, true] {
                    let found = judged(&file, drips).1.unwrap_err();
                    assert_eq!(found.reason, reason, "{found}, not {reason} at {place}");
                    assert!(found.place.starts_with(place), "{found}");
                    // With codec 1 the claim is judged by the first block.
                    let is_early = is_compressed
                        && (in_claim
                            || found.place.ends_with("printable ASCII")
                                && !found.place.starts_with("mate"));
                    let id = (!is_early).then(|| id_of(&payload));
                    assert_eq!(found.id, id, "{found}");
                }
            }
        }
    }

    #[test]
    fn of_a_long_claim_a_block_is_looked_at() {
        // The text, and whether it is a line as far as it is looked at.
        for (line, at, reason) in [
            (70_000, None, Reason::UnknownClaim),
            (65_529, None, Reason::UnknownClaim),
            (65_528, None, Reason::UnknownClaim),
            (70_000, Some(65_527), Reason::MalformedPayload),
            (70_000, Some(65_528), Reason::UnknownClaim),
            (65_528, Some(65_527), Reason::MalformedPayload),
        ] {
            let mut claim = vec![b'x'; line];
            if let Some(at) = at {
                claim[at] = 0;
            }
            let claim = String::from_utf8(claim).unwrap();
            for file in files(&payload_of(&claim, 1, &[small_mate()], &[])) {
                assert_eq!(refusal(&file).reason, reason, "{line} {at:?}");
            }
        }
        // It is not all there.
        for file in files(&[&[200, 0, 1, 0, 0, 0, 0, 0][..], &vec![b'x'; 65_000]].concat()) {
            assert_eq!(refusal(&file).reason, Reason::MalformedPayload);
        }
        for length in 0..8 {
            for file in files(&vec![0; length]) {
                let found = refusal(&file);
                assert_eq!(found.reason, Reason::MalformedPayload);
                let is_early = file[16] == 1 && length > 0;
                let id = (!is_early).then(|| id_of(&vec![0; length]));
                assert_eq!(found.id, id);
            }
        }
    }

    #[test]
    fn a_bad_container_comes_before_everything_in_the_mates() {
        for mates in [vec![lie().0], vec![changed("in 1", "in 0"), small_mate()]] {
            for file in files(&bundle(&mates)) {
                let mut other_digest = file.clone();
                *other_digest.last_mut().unwrap() ^= 1;
                for (file, reason) in [
                    (&other_digest[..], Reason::DigestMismatch),
                    (&[&file[..], b"\n"].concat(), Reason::TrailingBytes),
                    (&[&other_digest[..], b"\n"].concat(), Reason::TrailingBytes),
                    (&file[..file.len() - 1], Reason::Truncated),
                    (&file[..file.len() - 40], Reason::Truncated),
                ] {
                    let found = refusal(file);
                    assert_eq!((found.reason, found.id), (reason, None));
                    let found = judged(file, true).1.unwrap_err();
                    assert_eq!((found.reason, found.id), (reason, None));
                }
            }
        }
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("the pipe broke"))
            }
        }
        for file in files(&bundle(&[lie().0])) {
            let (start, _) = file.split_at(file.len() - 40);
            let found = read(&mut start.chain(Failing)).unwrap_err();
            assert_eq!(found.reason, Reason::Unreadable);
        }
    }

    /// The file of these blocks, the first of them expanded; nothing is said of the others.
    fn file_of_blocks(first: &[u8], others: &[Vec<u8>], expanded: u64) -> Vec<u8> {
        let mut blocks = vec![miniz_oxide::deflate::compress_to_vec(first, 6)];
        blocks.extend(others.iter().cloned());
        let mut stored = (blocks.len() as u64).to_le_bytes().to_vec();
        let mut end = 0;
        for block in &blocks {
            end += block.len() as u64;
            stored.extend(end.to_le_bytes());
        }
        stored.extend(blocks.concat());
        file_of_kind(6, 1, &stored, expanded)
    }

    #[test]
    fn a_bad_block_comes_before_everything_in_the_mates() {
        let mates = [lie().0, false_mate(BLOCK)];
        for (payload, is_known) in [
            (bundle(&mates), true),
            (payload_of("bundle of 3 mates", 2, &mates, &[]), true),
            // The claim comes before the other blocks.
            (payload_of("bundle of no mates", 2, &mates, &[]), false),
        ] {
            let length = payload.len() as u64;
            let (first, rest) = payload.split_at(BLOCK);
            let rest = miniz_oxide::deflate::compress_to_vec(rest, 6);
            let good = refusal(&file_of_blocks(first, std::slice::from_ref(&rest), length));
            assert_ne!(good.reason, Reason::MalformedBlock);
            for other in [
                rest[..rest.len() - 1].to_vec(),
                [&rest[..], &[0]].concat(),
                vec![0xff],
                miniz_oxide::deflate::compress_to_vec(b"shorter", 6),
            ] {
                let file = file_of_blocks(first, &[other], length);
                let wanted = match is_known {
                    true => Reason::MalformedBlock,
                    false => Reason::UnknownClaim,
                };
                for drips in [false, true] {
                    let found = judged(&file, drips).1.unwrap_err();
                    assert_eq!((found.reason, found.id), (wanted, None), "{found}");
                }
                // And the digest before.
                let mut changed = file.clone();
                *changed.last_mut().unwrap() ^= 1;
                assert_eq!(refusal(&changed).reason, Reason::DigestMismatch);
            }
            // The ends come before the claim: one block too few, and one too many.
            for (blocks, expanded) in [(&[][..], length), (&[rest.clone(), rest], length)] {
                let found = refusal(&file_of_blocks(first, blocks, expanded));
                assert_eq!((found.reason, found.id), (Reason::MalformedBlock, None));
            }
        }
    }

    #[test]
    fn what_is_stored_bounds_the_length() {
        let payload = bundle(&[false_mate(3 * BLOCK)]);
        let first = &payload[..BLOCK];
        let stored = |blocks: &[Vec<u8>]| {
            let file = file_of_blocks(first, blocks, 0);
            file.len() as u64 - HEADER - 32
        };
        // Blocks that are no streams: so many that the length is between the ends of the last two, and as long as they have to
        // be.
        let mut others = vec![vec![0xff]; 19];
        let missing = 7_000 - stored(&others);
        others[18] = vec![0xff; 1 + missing as usize];
        let limit = 32 * stored(&others) + (1 << 20);
        assert_eq!(limit.div_ceil(BLOCK as u64), 20);
        for (length, reason) in [
            (limit, Reason::MalformedBlock),
            (limit + 1, Reason::LengthOutOfBounds),
        ] {
            let file = file_of_blocks(first, &others, length);
            for drips in [false, true] {
                let found = judged(&file, drips).1.unwrap_err();
                assert_eq!((found.reason, found.id), (reason, None), "{found}");
            }
        }
    }

    #[test]
    fn every_shorter_file_is_truncated() {
        for file in files(&bundle(&[small_mate(), small_mate()])) {
            for length in 0..file.len() {
                let reason = match length {
                    0 => Reason::EmptyFile,
                    1..8 => Reason::NotACertificate,
                    _ => Reason::Truncated,
                };
                let found = refusal(&file[..length]);
                assert_eq!((found.reason, found.id), (reason, None), "{length}");
            }
        }
    }

    #[test]
    fn every_changed_bit_is_noticed() {
        use Reason::{
            DigestMismatch, LengthOutOfBounds, LengthsDisagree, NotACertificate, TrailingBytes,
            Truncated, UnknownCodec, UnknownKind, UnknownRuleset, UnknownVersion,
        };
        for file in files(&bundle(&[small_mate(), small_mate()])) {
            let is_compressed = file[16] == 1;
            for at in 0..file.len() {
                for bit in 0..8 {
                    let mut changed = file.clone();
                    changed[at] ^= 1 << bit;
                    let found = refusal(&changed);
                    assert_eq!(found.id, None);
                    let reasons: &[Reason] = match at {
                        0..8 => &[NotACertificate],
                        8..12 => &[UnknownVersion],
                        // Kinds 2 and 4 are one bit away.
                        12..16 => &[UnknownKind, DigestMismatch],
                        16 => &[UnknownCodec, DigestMismatch, LengthsDisagree],
                        17..25 if is_compressed => &[Truncated, TrailingBytes, LengthOutOfBounds],
                        25..33 if is_compressed => &[DigestMismatch, LengthOutOfBounds],
                        17..33 => &[LengthsDisagree, LengthOutOfBounds],
                        33..65 => &[UnknownRuleset],
                        _ => &[DigestMismatch],
                    };
                    assert!(
                        reasons.contains(&found.reason),
                        "byte {at} bit {bit}: {found}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_sealed_anew_is_refused_or_true_and_has_another_id() {
        let mates = true_mates();
        let payload = bundle(&[small_mate(), mates[8].clone()]);
        let mut accepted = 0;
        for at in 0..payload.len() {
            for value in [
                0,
                1,
                2,
                7,
                0x31,
                0x32,
                0xff,
                payload[at] ^ 1,
                payload[at] ^ 2,
            ] {
                let mut changed = payload.clone();
                changed[at] = value;
                if changed == payload {
                    continue;
                }
                for file in files(&changed) {
                    let (all, found) = judged(&file, false);
                    let Ok((certificate, _)) = found else {
                        continue;
                    };
                    accepted += 1;
                    assert_ne!(certificate.id, id_of(&payload));
                    assert_eq!(all.len(), 2);
                    for (_, claim, _) in all {
                        assert!(is_true(&claim), "{claim}");
                    }
                }
            }
        }
        // The mate by hand castles on one of two ways that lead to other true claims.
        assert!(accepted < 60, "{accepted}");
    }

    #[test]
    fn other_bundles_have_other_ids() {
        let mates = true_mates();
        let three = [mates[0].clone(), mates[1].clone(), mates[2].clone()];
        let [a, b, c] = three.clone();
        let of = |mates: &[Vec<u8>]| {
            let [file, _] = files(&bundle(mates));
            let (certificate, _) = judged(&file, false).1.unwrap();
            (certificate.claim, certificate.id)
        };
        let (claim, id) = of(&three);
        assert_eq!(claim, "bundle of 3 mates");
        let swapped = of(&[a.clone(), c.clone(), b.clone()]);
        assert!(swapped.0 == claim && swapped.1 != id);
        let removed = of(&[a.clone(), c.clone()]);
        assert!(removed.0 == "bundle of 2 mates" && removed.1 != id);
        let twice = of(&[a.clone(), b.clone(), b.clone()]);
        assert!(twice.0 == claim && twice.1 != id);
        // The claim that is asked for is compared.
        let [file, _] = files(&bundle(&[a, b, c]));
        let certificate = read(&mut file.as_slice()).unwrap();
        assert_eq!(certificate.check_claim("bundle of 3 mates"), Ok(()));
        let refusal = certificate.check_claim("bundle of 2 mates").unwrap_err();
        assert_eq!(refusal.reason, Reason::ClaimDiffers);
        // One that is put in its place later is not verified.
        for claim in ["bundle of 2 mates", "endgame KQK board dtm"] {
            let changed = Certificate {
                claim: claim.to_string(),
                ..certificate.clone()
            };
            let refusal = Session::new().judge(changed, None).unwrap_err();
            assert_eq!(refusal.id, Some(id));
        }
    }

    #[test]
    fn memory_is_taken_for_what_has_come() {
        // Nothing is asked for before it comes: this would be more than there is.
        for codec in [0, 1] {
            let mut file = file_of_kind(6, codec, &[], 0);
            file.truncate(17);
            file.extend((1_u64 << 40).to_le_bytes());
            file.extend((1_u64 << 40).to_le_bytes());
            file.extend(super::super::ruleset::ruleset().bytes());
            file.extend((1_u64 << 24).to_le_bytes());
            file.extend((1..100_000_u64).flat_map(u64::to_le_bytes));
            assert_eq!(refusal(&file).reason, Reason::Truncated);
            assert_eq!(refusal(&sealed(&file)).reason, Reason::Truncated);
        }
    }

    #[test]
    fn after_a_fault_the_rest_is_part_of_the_id_and_shown_while_it_is_well_formed() {
        let mates = [small_mate(), lie().0, small_mate()];
        let payload = bundle(&mates);
        for file in files(&payload) {
            // Reading it is no verdict: it is well formed.
            let certificate = read(&mut file.as_slice()).unwrap();
            assert_eq!(certificate.id, id_of(&payload));
            let Body::Bundle(found) = &certificate.body else {
                panic!()
            };
            assert_eq!(found.mates(), 3);
            assert!(matches!(found.outcome, Some(Err(_))));
            let (all, found) = judged(&file, false);
            assert_eq!(all, shown(&mates));
            assert_eq!(found.unwrap_err().reason, lie().1);
        }
        let mates = [lie().0, small_mate(), changed("in 1", "in 0"), small_mate()];
        // So much follows that it comes later.
        for rest in [&[][..], &vec![7; 3 * BLOCK]] {
            let payload = payload_of("bundle of 4 mates", 4, &mates, rest);
            for file in files(&payload) {
                let found = read(&mut file.as_slice()).unwrap_err();
                assert_eq!((found.reason, found.id), (lie().1, Some(id_of(&payload))));
                assert_eq!(judged(&file, false).0, shown(&mates[..2]));
            }
        }
    }

    #[test]
    fn other_kinds_show_nothing() {
        let small = small_mate();
        let file = file_of_kind(5, 0, &small, small.len() as u64);
        let (all, found) = judged(&file, false);
        assert!(all.is_empty() && found.is_ok());
        for kind in [1, 5] {
            let payload = bundle(&[small_mate()]);
            let file = file_of_kind(kind, 0, &payload, payload.len() as u64);
            assert_eq!(refusal(&file).reason, Reason::UnknownClaim);
        }
        let file = file_of_kind(6, 0, &small, small.len() as u64);
        assert_eq!(refusal(&file).reason, Reason::UnknownClaim);
    }
}
