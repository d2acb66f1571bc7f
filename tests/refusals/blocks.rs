//! Codec 1: a payload in compressed blocks. The codec is free, so the table is one of three men, which
//! the program itself stores with codec 0; it rests on two others, and has eight blocks.

use std::sync::LazyLock;

use dchess::verify::Reason::{self, *};
use proptest::prelude::*;

use super::children::KPK;
use super::support;
use super::support::forge::{BLOCK, Blocks, DIGEST, HEADER, VERSION, claim, deflated, seal_parts};
use super::support::suite::{Call, Fixture, alone, hold};

const COMPANY: &[&str] = &["KQK", "KRK"];
const BLOCK_MALFORMED: &[Reason] = &[MalformedBlock];

static PAYLOAD: LazyLock<Vec<u8>> = LazyLock::new(|| KPK.payload());
static BLOCKS: LazyLock<Blocks> = LazyLock::new(|| Blocks::of(&PAYLOAD));
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| BLOCKS.seal());

/// A re-sealed file with one change in its numbers or data.
fn forged(name: &str, change: impl FnOnce(&mut Blocks)) -> Fixture {
    let mut blocks = BLOCKS.clone();
    change(&mut blocks);
    Fixture::new(name, BLOCK_MALFORMED, blocks.seal()).among(COMPANY)
}

/// A re-sealed file with other streams, and numbers that fit them.
fn streams(name: &str, change: impl FnOnce(&mut Vec<Vec<u8>>)) -> Fixture {
    let mut streams = BLOCKS.streams();
    change(&mut streams);
    let blocks = Blocks::of_streams(streams, PAYLOAD.len() as u64);
    Fixture::new(name, BLOCK_MALFORMED, blocks.seal()).among(COMPANY)
}

fn false_numbers() -> Vec<Fixture> {
    let length = |name, expanded: u64| forged(name, |blocks| blocks.expanded = expanded);
    let bounds = |name, expanded: u64| {
        let mut blocks = BLOCKS.clone();
        blocks.expanded = expanded;
        Fixture::new(name, &[LengthOutOfBounds], blocks.seal()).among(COMPANY)
    };
    let whole = PAYLOAD.len() as u64;
    vec![
        forged("a block count one too large", |blocks| blocks.count += 1),
        forged("a block count one too small", |blocks| blocks.count -= 1),
        forged("a block count of 0", |blocks| blocks.count = 0),
        forged("a block count of 2^64 - 1", |blocks| {
            blocks.count = u64::MAX
        }),
        forged("a block count of 2^61", |blocks| blocks.count = 1 << 61),
        forged("an end too many", |blocks| {
            blocks.ends.push(blocks.data.len() as u64)
        }),
        forged("an end too few", |blocks| {
            blocks.ends.pop();
        }),
        forged("a block end out of order", |blocks| blocks.ends.swap(2, 3)),
        forged("two block ends that are one", |blocks| {
            blocks.ends[2] = blocks.ends[3]
        }),
        forged("a first end of 0", |blocks| blocks.ends[0] = 0),
        forged("an end one byte late", |blocks| blocks.ends[4] += 1),
        forged("an end one byte early", |blocks| blocks.ends[4] -= 1),
        forged("a last end one byte late", |blocks| blocks.ends[7] += 1),
        forged("a last end one byte early", |blocks| blocks.ends[7] -= 1),
        forged("a last end of 2^64 - 1", |blocks| blocks.ends[7] = u64::MAX),
        forged("a data byte too many", |blocks| blocks.data.push(0)),
        forged("a data byte too few", |blocks| {
            blocks.data.pop();
        }),
        forged("no data", |blocks| blocks.data.clear()),
        length("an expanded length one too large", whole + 1),
        length("an expanded length one too small", whole - 1),
        length("an expanded length of a block more", whole + BLOCK as u64),
        length("an expanded length of whole blocks", 7 * BLOCK as u64),
        length("an expanded length of 0", 0),
        length("the largest expanded length", 1 << 31),
        bounds("an expanded length over the largest", (1 << 31) + 1),
        bounds("an expanded length of 2^40", 1 << 40),
        bounds("an expanded length of 2^64 - 1", u64::MAX),
    ]
}

fn false_streams() -> Vec<Fixture> {
    // Fixed codes: three bytes copied from before the beginning, then the end of the stream.
    let reaches_back = vec![0b0000_0011, 0b0000_0010, 0b0000_0000, 0b0000_0000];
    let mut three_bytes_more = PAYLOAD[..BLOCK].to_vec();
    three_bytes_more.extend(&PAYLOAD[..3]);
    let reaching = vec![deflated(&PAYLOAD[..BLOCK]), reaches_back];
    vec![
        streams("a truncated stream", |streams| {
            streams[3].pop();
        }),
        streams("half a stream", |streams| {
            let half = streams[3].len() / 2;
            streams[3].truncate(half);
        }),
        streams("the last stream truncated", |streams| {
            streams[7].pop();
        }),
        streams("a byte after a stream", |streams| streams[3].push(0)),
        streams("a byte after the last stream", |streams| streams[7].push(0)),
        streams("two streams in a block", |streams| {
            streams[3].extend(deflated(b"more"));
        }),
        streams("a stream without an end", |streams| {
            // One stored block that is not the last.
            streams[7] = [&[0, 1, 0, 0xfe, 0xff][..], b"x"].concat();
        }),
        streams("bytes that are no stream", |streams| {
            streams[0] = vec![0xff; 1_000]
        }),
        streams("a stream with a wrong length inside", |streams| {
            streams[7] = [&[1, 1, 0, 0, 0][..], b"x"].concat();
        }),
        streams("a stream in zlib's wrapper", |streams| {
            streams[3] =
                miniz_oxide::deflate::compress_to_vec_zlib(&PAYLOAD[3 * BLOCK..4 * BLOCK], 6);
        }),
        streams("a block a byte too long", |streams| {
            streams[3] = deflated(&PAYLOAD[3 * BLOCK..4 * BLOCK + 1]);
        }),
        streams("a block a byte too short", |streams| {
            streams[3] = deflated(&PAYLOAD[3 * BLOCK..4 * BLOCK - 1]);
        }),
        streams("a boundary moved by a byte", |streams| {
            streams[3] = deflated(&PAYLOAD[3 * BLOCK..4 * BLOCK + 1]);
            streams[4] = deflated(&PAYLOAD[4 * BLOCK + 1..5 * BLOCK]);
        }),
        streams("two blocks exchanged that differ in length", |streams| {
            streams.swap(6, 7)
        }),
        streams("an empty block", |streams| streams[3] = deflated(b"")),
        streams("blocks of half the size", |streams| {
            *streams = PAYLOAD.chunks(BLOCK / 2).map(deflated).collect();
        }),
        streams("the whole payload in one block", |streams| {
            *streams = vec![deflated(&PAYLOAD)];
        }),
        Fixture::new(
            "a stream that reaches back into the block before",
            BLOCK_MALFORMED,
            Blocks::of_streams(reaching, BLOCK as u64 + 3).seal(),
        ),
        Fixture::new(
            "less than a block count",
            BLOCK_MALFORMED,
            seal_parts(VERSION, 1, 1, 7, 0, &[0; 7]),
        ),
        Fixture::new(
            "ends cut short",
            BLOCK_MALFORMED,
            seal_parts(
                VERSION,
                1,
                1,
                60,
                PAYLOAD.len() as u64,
                &BLOCKS.stored()[..60],
            ),
        ),
    ]
}

/// Payloads that are wrong in themselves, in blocks that are right.
fn false_payloads() -> Vec<Fixture> {
    let stored = BLOCKS.stored();
    let sealed = |name: &str, reasons, payload: &[u8]| {
        Fixture::new(name, reasons, Blocks::of(payload).seal()).among(COMPANY)
    };
    let with_claim = |line: String, bytes: usize| {
        let mut payload = (line.len() as u64).to_le_bytes().to_vec();
        payload.extend(line.bytes());
        payload.resize(bytes, 0);
        payload
    };
    // The claim is judged when the first block is there: the second is no stream.
    let judged_early = |name: &str, reasons, line: &str| {
        let first = deflated(&with_claim(line.to_owned(), BLOCK));
        let blocks = Blocks::of_streams(vec![first, vec![0xff]], BLOCK as u64 + 1);
        Fixture::new(name, reasons, blocks.seal())
    };
    let limit = 2 * 32 * 64 * 64 + (1 << 24);
    vec![
        sealed("an empty payload", &[MalformedPayload], &[]),
        sealed(
            "a payload without its last byte",
            &[MalformedPayload],
            &PAYLOAD[..PAYLOAD.len() - 1],
        ),
        sealed(
            "a payload of seven blocks",
            &[MalformedPayload],
            &PAYLOAD[..7 * BLOCK],
        ),
        sealed(
            "a byte after the last field",
            &[MalformedPayload],
            &[&PAYLOAD[..], &[0]].concat(),
        ),
        sealed(
            "as many bytes as the class may have",
            &[MalformedPayload],
            &with_claim(claim("KPK"), limit),
        ),
        sealed(
            "a byte more than the class may have",
            &[LengthOutOfBounds],
            &with_claim(claim("KPK"), limit + 1),
        ),
        judged_early(
            "an unknown class in the first block",
            &[UnknownMaterial],
            &claim("KXK"),
        ),
        judged_early(
            "an unknown claim in the first block",
            &[UnknownClaim],
            "endgame KQK board dtz",
        ),
        judged_early(
            "an unknown profile in the first block",
            &[UnknownRulesProfile],
            "endgame KQK fcs dtm",
        ),
        judged_early(
            "no text in the first block",
            &[MalformedPayload],
            "endgame KQK board dtm\n",
        ),
        Fixture::new(
            "a payload that is called blocks",
            BLOCK_MALFORMED,
            seal_parts(
                VERSION,
                1,
                1,
                PAYLOAD.len() as u64,
                PAYLOAD.len() as u64,
                &PAYLOAD,
            ),
        ),
        Fixture::new(
            "blocks that are called a payload",
            &[MalformedPayload],
            seal_parts(
                VERSION,
                1,
                0,
                stored.len() as u64,
                stored.len() as u64,
                &stored,
            ),
        ),
    ]
}

#[test]
fn every_false_block_is_refused_for_its_reason() {
    let with_level = |level| {
        let compress = |block: &[u8]| miniz_oxide::deflate::compress_to_vec(block, level);
        let streams = PAYLOAD.chunks(BLOCK).map(compress).collect();
        let blocks = Blocks::of_streams(streams, PAYLOAD.len() as u64);
        Call {
            company: COMPANY,
            bytes: blocks.seal(),
        }
    };
    // Any stream is as good as another, also one that does not compress.
    let accepted = [0, 6, 10].map(with_level);
    let rejected = [false_numbers(), false_streams(), false_payloads()];
    hold(
        &accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}

#[test]
fn a_truncated_file_in_blocks_is_refused_at_every_length() {
    let lengths = (0..400).chain((400..FILE.len()).step_by(499));
    for length in lengths.chain(FILE.len() - 100..FILE.len()) {
        let reason = match length {
            0 => EmptyFile,
            1..8 => NotACertificate,
            _ => Truncated,
        };
        let refusal = alone(&FILE[..length]).unwrap_err();
        assert_eq!(refusal.reason, reason, "{length} bytes");
    }
}

#[test]
fn every_byte_of_header_and_digest_of_a_file_in_blocks_matters() {
    for place in (0..HEADER).chain(FILE.len() - DIGEST..FILE.len()) {
        for mask in [0x01, 0x02, 0x80, 0xff] {
            let mut bytes = FILE.clone();
            bytes[place] ^= mask;
            let reasons: &[Reason] = match place {
                0..8 => &[NotACertificate],
                8..12 => &[UnknownVersion],
                // Kinds 1 and 3 are a bit apart.
                12 => &[UnknownKind, DigestMismatch],
                13..16 => &[UnknownKind],
                16 => &[UnknownCodec, LengthsDisagree],
                17..25 => &[LengthOutOfBounds, Truncated, TrailingBytes],
                25..33 => &[LengthOutOfBounds, DigestMismatch],
                33..HEADER => &[UnknownRuleset],
                _ => &[DigestMismatch],
            };
            let found = alone(&bytes).unwrap_err();
            assert!(
                reasons.contains(&found.reason),
                "byte {place} xor {mask:#x}: {found}"
            );
        }
    }
}

proptest! {
    #![proptest_config(support::property(400))]

    /// A stored byte changed and the file sealed again: no blocks, or the same payload (some bits of a
    /// stream say nothing), or a payload that is another one and has another id.
    #[test]
    fn a_changed_stream_is_refused_or_says_the_same(place in HEADER..FILE.len() - DIGEST, mask in 1..=255_u8) {
        let mut stored = FILE[HEADER..FILE.len() - DIGEST].to_vec();
        stored[place - HEADER] ^= mask;
        let bytes = seal_parts(VERSION, 1, 1, stored.len() as u64, PAYLOAD.len() as u64, &stored);
        match dchess::verify::read(&mut &bytes[..]) {
            Ok(found) => {
                let is_same = Blocks::of_stored(&stored).expanded() == *PAYLOAD;
                prop_assert_eq!(found.id.bytes() == KPK.id(), is_same);
            }
            Err(refusal) => prop_assert!(
                [MalformedBlock, MalformedPayload, UnknownClaim, UnknownMaterial, UnknownRulesProfile]
                    .contains(&refusal.reason),
                "{}", refusal
            ),
        }
    }
}

/// What a check of this file took at most, in bytes.
#[cfg(target_os = "linux")]
fn peak_of_verify(bytes: &[u8]) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.bin"), bytes).unwrap();
    let output = support::dchess()
        .args(["verify", "x.bin", "--json"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["reason"], "malformed block");
    report["peak_rss_bytes"].as_u64().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_bomb_does_not_go_off() {
    // 256 MiB of zeros in the place of one block, behind a header that tells the truth about the rest.
    let zeros = deflated(&vec![0; 1 << 28]);
    assert!(zeros.len() < 1 << 20);
    for block in [0, 3, 7] {
        let mut streams = BLOCKS.streams();
        streams[block] = zeros.clone();
        let bomb = Blocks::of_streams(streams, PAYLOAD.len() as u64).seal();
        let peak = peak_of_verify(&bomb);
        assert!(peak < 1 << 25, "block {block}: {peak} bytes");
    }
    // Two gibibytes promised by a few bytes.
    let mut blocks = BLOCKS.clone();
    (blocks.expanded, blocks.count) = (1 << 31, 1 << 15);
    let peak = peak_of_verify(&blocks.seal());
    assert!(peak < 1 << 25, "{peak} bytes");
}
