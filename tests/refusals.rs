//! What the verifier must refuse, and why it must say so.
//!
//! Every fixture is a true certificate with one thing wrong, sealed again so that digest and id are
//! right unless they are the thing. The suite takes the verifier as an argument; two doubles, one
//! that accepts everything and one that refuses everything, show that it can fail.

mod support;

#[path = "refusals/abstraction.rs"]
mod abstraction;
#[path = "refusals/bisimulation.rs"]
mod bisimulation;
#[path = "refusals/blocks.rs"]
mod blocks;
#[path = "refusals/bounds.rs"]
mod bounds;
#[path = "refusals/children.rs"]
mod children;
#[path = "refusals/four_men.rs"]
mod four_men;
#[path = "refusals/json.rs"]
mod json;
#[path = "refusals/local_proof.rs"]
mod local_proof;
#[path = "refusals/mate.rs"]
mod mate;
#[path = "refusals/orderings.rs"]
mod orderings;
#[path = "refusals/proof.rs"]
mod proof;

use std::io::Write;
use std::process::Stdio;
use std::sync::LazyLock;

use dchess::certificate::Format;
use dchess::verify::{Reason, Verdict};
use proptest::prelude::*;
use support::forge::{DIGEST, Forge, HEADER, VERSION, seal_parts, sealed};
use support::suite::{Call, Fixture, alone, hold};

static KQK: LazyLock<Vec<u8>> = LazyLock::new(|| support::certificate("KQK", Format::Bin));
static KQK_JSON: LazyLock<String> = LazyLock::new(|| text("KQK"));
/// Its base64 ends in padding, that of KQK does not.
static KRK_JSON: LazyLock<String> = LazyLock::new(|| text("KRK"));

fn text(name: &str) -> String {
    String::from_utf8(support::certificate(name, Format::Json)).unwrap()
}

/// A call with one certificate.
fn single(bytes: Vec<u8>) -> Call {
    Call {
        company: &[],
        bytes,
    }
}

/// A re-sealed KQK table with one change.
fn forged(
    name: &'static str,
    reasons: &'static [Reason],
    change: impl FnOnce(&mut Forge),
) -> Fixture {
    let mut forge = Forge::of(&KQK);
    change(&mut forge);
    Fixture::new(name, reasons, forge.seal())
}

/// The number of the first state from the middle of the table on whose byte satisfies the condition.
fn state_with(forge: &Forge, condition: impl Fn(u8) -> bool) -> usize {
    let values = &forge.values;
    (values.len() / 2..values.len())
        .find(|&state| condition(values[state]))
        .unwrap()
}

fn false_values() -> Vec<Fixture> {
    use Reason::{WrongDistance, WrongNumberOfStates, WrongNumberOfValues, WrongResult};
    // A wrong result can show first at a predecessor, whose result stands but not its distance.
    const RESULT: &[Reason] = &[WrongResult, WrongDistance];
    let changed = |name, reasons, from: fn(u8) -> bool, to: fn(u8) -> u8| {
        forged(name, reasons, |forge| {
            let state = state_with(forge, from);
            forge.values[state] = to(forge.values[state]);
        })
    };
    let is_win = |byte: u8| !byte.is_multiple_of(2) && (5..100).contains(&byte);
    let is_loss = |byte: u8| byte.is_multiple_of(2) && (4..100).contains(&byte);
    vec![
        changed("a win two plies longer", &[WrongDistance], is_win, |byte| {
            byte + 2
        }),
        changed(
            "a win two plies shorter",
            &[WrongDistance],
            is_win,
            |byte| byte - 2,
        ),
        changed(
            "a loss two plies longer",
            &[WrongDistance],
            is_loss,
            |byte| byte + 2,
        ),
        changed(
            "a loss two plies shorter",
            &[WrongDistance],
            is_loss,
            |byte| byte - 2,
        ),
        // One ply more or less is the other result.
        changed("a win one ply longer", RESULT, is_win, |byte| byte + 1),
        changed("a win one ply shorter", RESULT, is_win, |byte| byte - 1),
        changed("a loss one ply longer", RESULT, is_loss, |byte| byte + 1),
        changed("a loss one ply shorter", RESULT, is_loss, |byte| byte - 1),
        changed("a win that is a draw", RESULT, is_win, |_| 255),
        changed("a loss that is a draw", RESULT, is_loss, |_| 255),
        changed("a draw that is a win", RESULT, |byte| byte == 255, |_| 7),
        changed("a draw that is a loss", RESULT, |byte| byte == 255, |_| 8),
        changed(
            "a draw that is a checkmate",
            RESULT,
            |byte| byte == 255,
            |_| 0,
        ),
        changed(
            "a checkmate that is a loss later",
            &[WrongDistance],
            |byte| byte == 0,
            |_| 2,
        ),
        changed(
            "a checkmate that is a draw",
            RESULT,
            |byte| byte == 0,
            |_| 255,
        ),
        changed(
            "a loss of the longest kind",
            &[WrongDistance],
            is_loss,
            |_| 254,
        ),
        forged("two values swapped", RESULT, |forge| {
            let win = state_with(forge, is_win);
            let loss = state_with(forge, is_loss);
            forge.values.swap(win, loss);
        }),
        forged(
            "two wins of different length swapped",
            &[WrongDistance],
            |forge| {
                let short = state_with(forge, |byte| byte == 5);
                let long = state_with(forge, |byte| byte == 9);
                forge.values.swap(short, long);
            },
        ),
        forged("all values shifted by one state", RESULT, |forge| {
            forge.values.rotate_right(1);
        }),
        forged("everything drawn", RESULT, |forge| forge.values.fill(255)),
        forged("a value dropped", &[WrongNumberOfValues], |forge| {
            forge.values.remove(20_000);
        }),
        forged("a value added", &[WrongNumberOfValues], |forge| {
            forge.values.insert(20_000, 255);
        }),
        forged(
            "a state dropped everywhere",
            &[WrongNumberOfStates],
            |forge| {
                forge.values.remove(20_000);
                forge.policy.remove(20_000);
                *forge.count("states") -= 1;
            },
        ),
        forged(
            "a state added everywhere",
            &[WrongNumberOfStates],
            |forge| {
                forge.values.push(255);
                forge.policy.push(0);
                *forge.count("states") += 1;
            },
        ),
        forged("no states", &[WrongNumberOfStates], |forge| {
            forge.values.clear();
            forge.policy.clear();
            *forge.count("states") = 0;
        }),
    ]
}

/// The wrong claim, container fields, lengths.
fn false_frames() -> Vec<Fixture> {
    use Reason::*;
    let claim =
        |name, reasons, text: &str| forged(name, reasons, |forge| forge.claim = text.to_owned());
    let payload = Forge::of(&KQK).payload();
    let length = payload.len() as u64;
    let parts = |name, reasons, version, kind, codec, stored, expanded| {
        Fixture::new(
            name,
            reasons,
            seal_parts(version, kind, codec, stored, expanded, &payload),
        )
    };
    vec![
        claim(
            "the claim of another class",
            &[WrongNumberOfStates],
            "endgame KRK board dtm",
        ),
        claim(
            "a class that is not known",
            &[UnknownMaterial],
            "endgame KBNKRN board dtm",
        ),
        claim(
            "a class not written as in the list",
            &[UnknownMaterial],
            "endgame KKQ board dtm",
        ),
        claim(
            "another rules profile",
            &[UnknownRulesProfile],
            "endgame KQK fcs dtm",
        ),
        claim("another metric", &[UnknownClaim], "endgame KQK board dtz"),
        claim(
            "a claim with more words",
            &[UnknownClaim],
            "endgame KQK board dtm and more",
        ),
        claim("no claim", &[UnknownClaim], ""),
        claim(
            "a claim of two lines",
            &[MalformedPayload],
            "endgame KQK board dtm\ns VERIFIED",
        ),
        forged("a child that is not needed", &[WrongChildren], |forge| {
            forge
                .children
                .push(("endgame KRK board dtm".to_owned(), [7; 32]));
        }),
        parts("version 1", &[UnknownVersion], 1, 1, 0, length, length),
        parts("version 3", &[UnknownVersion], 3, 1, 0, length, length),
        parts("version 0", &[UnknownVersion], 0, 1, 0, length, length),
        Fixture::new("another ruleset", &[UnknownRuleset], {
            let mut file = Forge::of(&KQK).seal();
            file.truncate(file.len() - DIGEST);
            file[HEADER - 32..HEADER].fill(7);
            sealed(file)
        }),
        parts(
            "another kind",
            &[UnknownKind],
            VERSION,
            99,
            0,
            length,
            length,
        ),
        parts(
            "a codec that is not known",
            &[UnknownCodec],
            VERSION,
            1,
            2,
            length,
            length,
        ),
        parts(
            "lengths that disagree",
            &[LengthsDisagree],
            VERSION,
            1,
            0,
            length,
            length + 1,
        ),
        parts(
            "a stored length too small",
            &[LengthsDisagree, TrailingBytes],
            VERSION,
            1,
            0,
            length - 1,
            length - 1,
        ),
        parts(
            "a stored length too large",
            &[Truncated],
            VERSION,
            1,
            0,
            length + 1,
            length + 1,
        ),
        parts(
            "a length of 2^63",
            &[LengthOutOfBounds],
            VERSION,
            1,
            0,
            1 << 63,
            1 << 63,
        ),
        parts(
            "an expanded length of 2^63",
            &[LengthOutOfBounds],
            VERSION,
            1,
            0,
            length,
            1 << 63,
        ),
        Fixture::new("an empty file", &[EmptyFile], Vec::new()),
        Fixture::new("some text", &[NotACertificate], b"hello".to_vec()),
        Fixture::new(
            "a byte too many",
            &[TrailingBytes],
            [&KQK[..], b"\n"].concat(),
        ),
        Fixture::new(
            "twice the file",
            &[TrailingBytes],
            [&KQK[..], &KQK[..]].concat(),
        ),
    ]
}

fn malformed_payloads() -> Vec<Fixture> {
    const MALFORMED: &[Reason] = &[Reason::MalformedPayload];
    let whole = Forge::of(&KQK).payload();
    let sealed = |name, payload: &[u8]| {
        let length = payload.len() as u64;
        Fixture::new(
            name,
            MALFORMED,
            seal_parts(VERSION, 1, 0, length, length, payload),
        )
    };
    let with_length_at = |name, at: usize, length: u64| {
        let mut payload = whole.clone();
        payload[at..at + 8].copy_from_slice(&length.to_le_bytes());
        sealed(name, &payload)
    };
    let children_at = 8 + "endgame KQK board dtm".len();
    vec![
        sealed("no payload", &[]),
        sealed("half a payload", &whole[..whole.len() / 2]),
        sealed("a payload without its last byte", &whole[..whole.len() - 1]),
        forged("bytes after the last field", MALFORMED, |forge| {
            forge.rest = vec![0]
        }),
        with_length_at("a claim longer than the file", 0, whole.len() as u64),
        with_length_at("a claim of 2^63 bytes", 0, 1 << 63),
        with_length_at("a claim of 2^64 - 1 bytes", 0, u64::MAX),
        with_length_at("children without number", children_at, u64::MAX),
    ]
}

#[test]
fn every_false_certificate_is_refused_for_its_reason() {
    let mut accepted = vec![single(KQK_JSON.clone().into_bytes())];
    let names = ["KQK", "KRK", "KBK", "KNK"];
    accepted.extend(names.map(|name| single(support::certificate(name, Format::Bin))));
    let rejected = [
        false_values(),
        false_frames(),
        malformed_payloads(),
        json::false_texts(),
    ];
    hold(
        &accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}

#[test]
fn a_truncated_file_is_refused_at_every_length() {
    let lengths = (0..200).chain((200..KQK.len()).step_by(997));
    for length in lengths {
        let refusal = alone(&KQK[..length]).unwrap_err();
        let expected = match length {
            0 => Reason::EmptyFile,
            1..8 => refusal.reason, // the magic is not there: judged below
            _ => Reason::Truncated,
        };
        assert_eq!(refusal.reason, expected, "{length} bytes");
        assert_eq!(refusal.reason.verdict(), Verdict::Refuted, "{length} bytes");
    }
}

#[test]
fn every_byte_of_header_and_digest_matters() {
    let places = (0..HEADER).chain(KQK.len() - DIGEST..KQK.len());
    for place in places {
        for mask in [0x01, 0x80, 0xff] {
            let mut bytes = KQK.clone();
            bytes[place] ^= mask;
            assert!(alone(&bytes).is_err(), "byte {place} xor {mask:#x}");
        }
    }
}

proptest! {
    #![proptest_config(support::property(1_000))]

    #[test]
    fn every_byte_of_the_payload_matters(place in HEADER..KQK.len() - DIGEST, mask in 1..=255_u8) {
        let mut bytes = KQK.clone();
        bytes[place] ^= mask;
        prop_assert_eq!(alone(&bytes).unwrap_err().reason, Reason::DigestMismatch);
    }
}

proptest! {
    #![proptest_config(support::property(10))]

    /// Any byte of the payload changed and the file sealed again: a lie, or no certificate.
    #[test]
    fn no_resealed_change_is_accepted(place in 0..KQK.len() - HEADER - DIGEST, mask in 1..=255_u8) {
        let mut payload = KQK[HEADER..KQK.len() - DIGEST].to_vec();
        payload[place] ^= mask;
        let length = payload.len() as u64;
        let bytes = seal_parts(VERSION, 1, 0, length, length, &payload);
        prop_assert!(alone(&bytes).is_err());
    }
}

/// An input without end, which counts what is taken of it.
struct Endless<'a> {
    start: &'a [u8],
    taken: usize,
}

impl std::io::Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.start.get(self.taken).copied().unwrap_or(b' ');
            self.taken += 1;
        }
        Ok(buffer.len())
    }
}

#[test]
fn an_endless_input_is_not_read_to_its_end() {
    let header = &KQK[..HEADER];
    for (start, bound) in [(&b"x"[..], 100_000), (header, 400_000), (b"{", 70_000_000)] {
        let mut input = Endless { start, taken: 0 };
        assert!(dchess::verify::read(&mut input).is_err());
        assert!(input.taken < bound, "{} bytes taken", input.taken);
    }
}

#[test]
fn the_program_tells_the_verdicts_apart() {
    let verdict_of = |bytes: &[u8]| {
        let mut child = support::dchess()
            .args(["verify", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // A reader that has seen enough closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(bytes);
        let output = child.wait_with_output().unwrap();
        (
            String::from_utf8(output.stdout).unwrap(),
            output.status.code(),
        )
    };
    let id = "sha256:96bb5c628cc3758ab8a36f09a07e2a29ef421d23aedb0075f093da71087a8f91";
    let verified = format!("c -\ns VERIFIED {id} endgame KQK board dtm\n");
    assert_eq!(verdict_of(&KQK), (verified, Some(0)));

    let mut changed = KQK.clone();
    changed[HEADER + 1_000] ^= 4;
    let (text, code) = verdict_of(&changed);
    assert!(
        text.starts_with("c -\ns REFUTED - digest mismatch at "),
        "{text}"
    );
    assert_eq!(code, Some(1));

    let mut newer = KQK.clone();
    newer[8] = 9;
    let (text, code) = verdict_of(&newer);
    assert!(
        text.starts_with("c -\ns DECLINED - unknown version at "),
        "{text}"
    );
    assert_eq!(code, Some(2));
}
