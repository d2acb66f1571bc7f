//! Lies about mates. (That a move is written is said by its place among the legal moves; so a missing, an illegal and a
//! duplicated reply are a wrong number of references, or one that leads to another position.)

use std::sync::LazyLock;

use dchess::game::Plies;
use dchess::mate::{Mover, mates_within_naive};
use dchess::verify::Reason::{self, *};
use proptest::prelude::*;
use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use tempfile::tempdir;

use super::support;
use super::support::mate::{self, KIND, LEAF, Node, Told};
use super::support::payload;
use super::support::suite::{Call, Fixture, alone, changed_text, hold};

/// A mate in three with three keys, `g5f6 g5g6 g5h6`.
static KEYS: LazyLock<Told> =
    LazyLock::new(|| told("7k/8/8/6K1/8/8/8/5Q2 w - - 0 1", &["--all-keys"]));

/// The same, with one key.
static SHORTEST: LazyLock<Told> = LazyLock::new(|| told("7k/8/8/6K1/8/8/8/5Q2 w - - 0 1", &[]));

/// A mate in one, beside a stalemate and a check.
static ONE: LazyLock<Told> = LazyLock::new(|| told("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", &[]));

/// Black is mated in two moves.
static MATED: LazyLock<Told> =
    LazyLock::new(|| told("7k/8/8/6K1/8/8/8/5Q2 b - - 0 1", &["--mated"]));

/// No mate in three.
static DENIED: LazyLock<Told> = LazyLock::new(|| told("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", &[]));

/// The certificate that the program writes.
fn told(fen: &str, flags: &[&str]) -> Told {
    let folder = tempdir().unwrap();
    let status = support::dchess()
        .current_dir(&folder)
        .args([
            "mate",
            fen,
            "--max-moves",
            "3",
            "--quiet",
            "--out",
            "x.json",
        ])
        .args(flags)
        .status();
    assert!(matches!(status.unwrap().code(), Some(0 | 1)));
    Told::of(&std::fs::read(folder.path().join("x.json")).unwrap())
}

fn forged(
    name: &str,
    reasons: &'static [Reason],
    truth: &Told,
    change: impl FnOnce(&mut Told),
) -> Fixture {
    let mut told = truth.clone();
    change(&mut told);
    assert!(told != *truth, "{name}");
    Fixture::new(name, reasons, told.seal())
}

/// The place of the last node that fits: one near the root.
fn last(nodes: &[Node], fits: impl Fn(&Node) -> bool) -> usize {
    nodes.iter().rposition(fits).expect("some node fits")
}

/// A node with references to two different nodes.
fn with_two_nodes(node: &Node) -> bool {
    let Node::All(references) = node else {
        return false;
    };
    let mut nodes = references.iter().filter(|&&to| to != LEAF);
    let first = nodes.next();
    nodes.any(|to| Some(to) != first)
}

fn is_all(node: &Node) -> bool {
    matches!(node, Node::All(references) if references.len() > 1)
}

fn is_one(node: &Node) -> bool {
    matches!(node, Node::One(..))
}

fn is_last_move(node: &Node) -> bool {
    matches!(node, Node::One(_, LEAF))
}

/// A move by its UCI text.
fn uci(text: &str) -> u16 {
    let square = |text: &[u8]| u16::from(text[1] - b'1') * 8 + u16::from(text[0] - b'a');
    let text = text.as_bytes();
    square(&text[..2]) + 64 * square(&text[2..4])
}

fn false_strategies() -> Vec<Fixture> {
    let all = last(&KEYS.strategy, is_all);
    let two = last(&KEYS.strategy, with_two_nodes);
    let one = last(&KEYS.strategy, is_one);
    let mating = last(&KEYS.strategy, is_last_move);
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &KEYS, |told| change(told))
    };
    let references = |told: &mut Told, node: usize, change: &dyn Fn(&mut Vec<u32>)| {
        let Node::All(references) = &mut told.strategy[node] else {
            panic!("all replies count there");
        };
        change(references);
    };
    vec![
        forged("a missing reply", &[WrongNumberOfReplies], &|told| {
            references(told, all, &|replies| replies.truncate(replies.len() - 1));
        }),
        forged("a duplicated reply", &[WrongNumberOfReplies], &|told| {
            references(told, all, &|replies| replies.push(replies[0]));
        }),
        forged(
            "the answer to one reply given to another",
            &[WrongNodePosition],
            &|told| {
                references(told, two, &|replies| {
                    let first = replies.iter().position(|&to| to != LEAF).unwrap();
                    let other = replies
                        .iter()
                        .position(|&to| to != LEAF && to != replies[first]);
                    replies[first] = replies[other.unwrap()];
                });
            },
        ),
        forged("a reply that has no answer", &[NoCheckmate], &|told| {
            references(told, all, &|replies| replies[0] = LEAF);
        }),
        forged("an illegal move", &[IllegalMove], &|told| {
            let Node::One(mv, _) = &mut told.strategy[one] else {
                panic!("one move counts there");
            };
            *mv = uci("a1a2");
        }),
        forged(
            "another legal move",
            &[NoCheckmate, WrongNodePosition, IllegalMove],
            &|told| {
                let Node::One(mv, _) = &mut told.strategy[mating] else {
                    panic!("one move counts there");
                };
                // The queen goes one square less or more.
                *mv ^= 64;
            },
        ),
        forged("a rank that does not fall", &[RankDoesNotFall], &|told| {
            told.strategy[all].references()[0] = all as u32;
        }),
        forged("a node after it", &[RankDoesNotFall], &|told| {
            told.strategy[0].references()[0] = 1;
        }),
        forged("a node that nobody needs", &[UnreachedNode], &|told| {
            let node = told.strategy[0].clone();
            told.strategy.push(node);
        }),
        forged("one move where all replies count", &[WrongNode], &|told| {
            let to = told.strategy[all].references()[0];
            told.strategy[all] = Node::One(uci("h8g8"), to);
        }),
        forged("all moves where one counts", &[WrongNode], &|told| {
            let to = told.strategy[one].references()[0];
            told.strategy[one] = Node::All(vec![to]);
        }),
        forged("a root that is no node", &[WrongRoots], &|told| {
            told.strategy_roots[0].1 = told.strategy.len() as u32;
        }),
        forged("a root that is a leaf", &[NoCheckmate], &|told| {
            told.strategy_roots[0].1 = LEAF;
        }),
    ]
}

fn false_ends() -> Vec<Fixture> {
    let ends =
        |name: &str, reasons, mv| forged(name, reasons, &ONE, |told| told.strategy_roots[0].0 = mv);
    vec![
        ends("a stalemate as a leaf", &[NoCheckmate], uci("f1f7")),
        ends("a mere check as a leaf", &[NoCheckmate], uci("f1a1")),
        ends("a quiet move as a leaf", &[NoCheckmate], uci("f1a6")),
        ends("a first move that is none", &[IllegalMove], uci("f1g3")),
        ends("no move", &[IllegalMove], 0),
        ends(
            "a promotion of a queen",
            &[IllegalMove],
            uci("f1f8") + 4 * 4096,
        ),
        forged(
            "a mate of who is not mated",
            &[NoCheckmate],
            &MATED,
            |told| {
                told.strategy_roots[0].1 = LEAF;
            },
        ),
        forged("a move of who is mated", &[IllegalMove], &MATED, |told| {
            told.strategy_roots[0].0 = uci("h8h7");
        }),
    ]
}

fn false_refutations() -> Vec<Fixture> {
    let all = last(&DENIED.refutation, is_all);
    let one = last(&DENIED.refutation, is_one);
    let two = last(&DENIED.refutation, with_two_nodes);
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Vec<Node>)| {
        forged(name, reasons, &DENIED, |told| change(&mut told.refutation))
    };
    vec![
        forged(
            "a missing move of the attacker",
            &[WrongNumberOfReplies],
            &|nodes| {
                let Node::All(moves) = &mut nodes[all] else {
                    panic!("all moves count there");
                };
                moves.pop();
            },
        ),
        forged("a leaf with plies left", &[UnfinishedLeaf], &|nodes| {
            nodes[all].references()[0] = LEAF;
        }),
        forged("a reply with plies left", &[UnfinishedLeaf], &|nodes| {
            nodes[one].references()[0] = LEAF;
        }),
        forged("an illegal reply", &[IllegalMove], &|nodes| {
            let to = nodes[one].references()[0];
            nodes[one] = Node::One(uci("a8a7"), to);
        }),
        forged("no reply", &[IllegalMove], &|nodes| {
            let to = nodes[one].references()[0];
            nodes[one] = Node::One(0, to);
        }),
        forged(
            "the replies to two moves exchanged",
            &[WrongNodePosition, IllegalMove],
            &|nodes| {
                let moves = nodes[two].references();
                let first = moves.iter().position(|&to| to != LEAF).unwrap();
                let second = moves.iter().rposition(|&to| to != LEAF).unwrap();
                moves.swap(first, second);
            },
        ),
        forged("a cycle", &[RankDoesNotFall], &|nodes| {
            nodes[0].references()[0] = 0;
        }),
        forged("a node of the wrong side", &[WrongNode], &|nodes| {
            let to = nodes[one].references()[0];
            nodes[one] = Node::All(vec![to]);
        }),
        forged("a node that nobody needs", &[UnreachedNode], &|nodes| {
            nodes.push(nodes[0].clone());
        }),
    ]
}

fn false_claims() -> Vec<Fixture> {
    let claims = |name: &str, reasons, truth: &Told, from: &str, to: &str| {
        forged(name, reasons, truth, |told| {
            told.claim = told.claim.replace(from, to);
        })
    };
    let rest = "in 3 shortest keys g5f6 g5g6 g5h6";
    let keys = |name: &str, reasons, to: &str| claims(name, reasons, &KEYS, rest, to);
    vec![
        claims(
            "a claim shorter than the proof",
            &[TooManyPlies],
            &SHORTEST,
            "in 3",
            "in 2",
        ),
        claims(
            "a longer one, shortest",
            &[UnfinishedLeaf, WrongNode],
            &SHORTEST,
            "in 3",
            "in 4",
        ),
        claims(
            "fewer moves for the defender",
            &[TooManyPlies],
            &MATED,
            "in 3",
            "in 2",
        ),
        claims(
            "more denied than is shown",
            &[UnfinishedLeaf, WrongNode],
            &DENIED,
            "in 3",
            "in 4",
        ),
        claims(
            "less denied than is shown",
            &[UnfinishedLeaf, WrongNode],
            &DENIED,
            "in 3",
            "in 2",
        ),
        claims(
            "a refutation as a mate",
            &[WrongRoots],
            &DENIED,
            "not in 3",
            "in 3",
        ),
        claims(
            "a mate as a refutation",
            &[WrongRoots],
            &SHORTEST,
            "in 3 shortest",
            "not in 3",
        ),
        claims(
            "a mate without its refutation",
            &[WrongRoots],
            &SHORTEST,
            " shortest",
            "",
        ),
        claims("the other side", &[IllegalMove], &SHORTEST, " w ", " b "),
        claims(
            "another square",
            &[IllegalMove, WrongNodePosition, WrongNumberOfReplies],
            &SHORTEST,
            "5Q2",
            "4Q3",
        ),
        keys("a key less", &[WrongRoots], "in 3 shortest keys g5f6 g5g6"),
        keys(
            "a key more",
            &[WrongRoots],
            "in 3 shortest keys f1f6 g5f6 g5g6 g5h6",
        ),
        keys(
            "another key",
            &[WrongRoots],
            "in 3 shortest keys f1f6 g5g6 g5h6",
        ),
        keys(
            "keys out of order",
            &[WrongRoots, UnknownClaim],
            "in 3 shortest keys g5g6 g5f6 g5h6",
        ),
        keys(
            "a key twice",
            &[WrongRoots, UnknownClaim],
            "in 3 shortest keys g5f6 g5f6 g5g6 g5h6",
        ),
        keys("no keys", &[UnknownClaim], "in 3 shortest keys"),
        keys(
            "keys without the word",
            &[UnknownClaim],
            "in 3 keys g5f6 g5g6 g5h6",
        ),
        keys("a number with a zero", &[UnknownClaim], "in 03 shortest"),
        keys("no number", &[UnknownClaim], "in x shortest"),
        keys("too many moves", &[UnknownClaim], "in 128 shortest"),
        keys("no moves", &[UnknownClaim], "in 0 shortest"),
        forged(
            "a key left out with its proof",
            &[UnreachedNode],
            &KEYS,
            |told| {
                told.claim = told.claim.replace(" g5h6", "");
                told.strategy_roots.pop();
            },
        ),
        forged(
            "a key left out, and said to be none",
            &[UnreachedNode, UnfinishedLeaf],
            &KEYS,
            |told| {
                told.claim = told.claim.replace(" g5h6", "");
                told.strategy_roots.pop();
                told.refutation_roots.push(LEAF);
            },
        ),
        forged("a key that is none", &[IllegalMove], &KEYS, |told| {
            told.claim = told.claim.replace("g5f6", "f1f6");
            told.strategy_roots[0].0 = uci("f1f6");
        }),
        forged("a root more", &[WrongRoots], &KEYS, |told| {
            told.refutation_roots.push(told.refutation_roots[0]);
        }),
        forged(
            "roots exchanged",
            &[WrongNodePosition, WrongNode, UnfinishedLeaf],
            &KEYS,
            |told| {
                told.refutation_roots.swap(0, 1);
            },
        ),
    ]
}

fn false_positions() -> Vec<Fixture> {
    let claims = |name: &str, reasons, fen: &str| {
        forged(name, reasons, &ONE, |told| {
            told.claim = format!("mate {fen} in 1 shortest");
        })
    };
    vec![
        claims(
            "who is to move gives check",
            &[IllegalPosition],
            "7k/8/6K1/8/8/8/8/7Q w - - 0 1",
        ),
        claims(
            "kings side by side",
            &[IllegalPosition],
            "8/6k1/6K1/8/8/8/8/5Q2 w - - 0 1",
        ),
        claims(
            "a pawn on the last rank",
            &[IllegalPosition],
            "P6k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
        ),
        claims(
            "a right without a rook",
            &[IllegalPosition],
            "7k/8/8/8/8/8/8/4K1Q1 w K - 0 1",
        ),
        claims(
            "en passant without a capture",
            &[IllegalPosition],
            "7k/8/6K1/3p4/8/8/8/5Q2 w - d6 0 1",
        ),
        claims(
            "no king",
            &[UnknownMaterial],
            "8/8/6K1/8/8/8/8/5Q2 w - - 0 1",
        ),
        claims(
            "two kings",
            &[UnknownMaterial],
            "7k/7k/6K1/8/8/8/8/5Q2 w - - 0 1",
        ),
        claims(
            "rights out of order",
            &[UnknownClaim],
            "7k/8/6K1/8/8/8/8/5Q2 w QK - 0 1",
        ),
        claims("clocks", &[UnknownClaim], "7k/8/6K1/8/8/8/8/5Q2 w - - 1 1"),
        claims(
            "nine files",
            &[UnknownClaim],
            "8k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
        ),
        claims(
            "digits side by side",
            &[UnknownClaim],
            "61k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
        ),
    ]
}

fn malformed_payloads() -> Vec<Fixture> {
    let payload = SHORTEST.payload();
    let sealed = |name: &str, payload: &[u8]| {
        Fixture::new(name, &[MalformedPayload], payload::seal(KIND, payload))
    };
    let strategy = 8 + SHORTEST.claim.len();
    let with_length = |at: usize, length: u64| {
        let mut payload = payload.clone();
        payload[at..at + 8].copy_from_slice(&length.to_le_bytes());
        payload
    };
    let mut half_a_node = payload.clone();
    let length = u64::from_le_bytes(payload[strategy..strategy + 8].try_into().unwrap());
    half_a_node.remove(strategy + 7 + length as usize);
    half_a_node[strategy..strategy + 8].copy_from_slice(&(length - 1).to_le_bytes());
    vec![
        sealed(
            "a payload without its last byte",
            &payload[..payload.len() - 1],
        ),
        sealed(
            "a byte after the last field",
            &[&payload[..], &[0]].concat(),
        ),
        sealed(
            "a strategy longer than the file",
            &with_length(strategy, 1 << 40),
        ),
        sealed(
            "roots without number",
            &with_length(payload.len() - 12, u64::MAX),
        ),
        sealed("half a node", &half_a_node),
    ]
}

#[test]
fn every_lie_about_a_mate_is_refused_for_its_reason() {
    let accepted = [&KEYS, &SHORTEST, &ONE, &MATED, &DENIED].map(|told| Call {
        company: &[],
        bytes: told.seal(),
    });
    let rejected = [
        false_strategies(),
        false_ends(),
        false_refutations(),
        false_claims(),
        false_positions(),
        malformed_payloads(),
    ];
    hold(
        &accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}

fn false_bundles() -> Vec<Fixture> {
    let claim = "bundle of 2 mates";
    let mates: [&Told; 2] = [&KEYS, &MATED];
    let bundle = |name: &str, reasons, claim: &str, mates: &[&Told]| {
        Fixture::new(name, reasons, mate::seal_bundle(claim, mates))
    };
    let mut false_mate = MATED.clone();
    false_mate.claim = false_mate.claim.replace("in 3", "in 2");
    let payload = mate::bundle_payload(claim, &mates);
    let sealed = |name: &str, payload: &[u8]| {
        Fixture::new(name, &[MalformedPayload], payload::seal(6, payload))
    };
    vec![
        bundle("a mate less", &[WrongNumberOfMates], claim, &mates[..1]),
        bundle(
            "a mate more",
            &[WrongNumberOfMates],
            "bundle of 1 mates",
            &mates,
        ),
        bundle("no mates", &[UnknownClaim], "bundle of 0 mates", &[]),
        bundle(
            "a number with a zero",
            &[UnknownClaim],
            "bundle of 02 mates",
            &mates,
        ),
        bundle("another claim", &[UnknownClaim], "bundle of 2 mate", &mates),
        bundle(
            "a false mate",
            &[TooManyPlies],
            claim,
            &[&KEYS, &false_mate],
        )
        .at("mate 1: "),
        bundle(
            "a false mate first",
            &[TooManyPlies],
            claim,
            &[&false_mate, &KEYS],
        )
        .at("mate 0: "),
        sealed(
            "a bundle without its last byte",
            &payload[..payload.len() - 1],
        ),
        sealed(
            "a byte behind the last mate",
            &[&payload[..], &[0]].concat(),
        ),
        Fixture::new(
            "a mate as a bundle",
            &[UnknownClaim],
            payload::seal(6, &KEYS.payload()),
        ),
        Fixture::new(
            "a bundle as a mate",
            &[UnknownClaim],
            payload::seal(KIND, &payload),
        ),
    ]
}

#[test]
fn every_lie_about_a_bundle_is_refused_for_its_reason() {
    let bundle = |claim: &str, mates: &[&Told]| Call {
        company: &[],
        bytes: mate::seal_bundle(claim, mates),
    };
    let accepted = [
        bundle("bundle of 1 mates", &[&KEYS]),
        bundle("bundle of 3 mates", &[&DENIED, &KEYS, &KEYS]),
    ];
    hold(&accepted, &false_bundles());
}

#[test]
fn json_of_a_mate_is_read_strictly() {
    let forged = |name: &str, reasons, change: fn(&mut Value)| {
        Fixture::text(name, reasons, KEYS.json(), change)
    };
    let accepted = [Call {
        company: &[],
        bytes: changed_text(KEYS.json(), |_| {}),
    }];
    let rejected = [
        forged("a root with a byte left over", &[MalformedJson], |text| {
            text["refutation_roots"] = json!("AAAAAAA=");
        }),
        forged("half a pair", &[MalformedJson], |text| {
            text["strategy_roots"] = json!("AAAA");
        }),
        forged("numbers in the place of base64", &[MalformedJson], |text| {
            text["strategy"] = json!([0]);
        }),
        forged("an unknown key", &[MalformedJson], |text| {
            text["children"] = json!([])
        }),
        forged("a missing key", &[MalformedJson], |text| {
            text.as_object_mut().unwrap().remove("refutation");
        }),
        forged("another id", &[IdMismatch], |text| {
            text["id"] = json!(format!("sha256:{}", "0".repeat(64)));
        }),
    ];
    hold(&accepted, &rejected);
}

/// Whether a claim about few men is true, by the definition.
fn is_true(claim: &str) -> bool {
    let words: Vec<&str> = claim.split(' ').collect();
    let fen: Fen = words[1..7].join(" ").parse().unwrap();
    let Ok(position) = fen.into_position::<Chess>(CastlingMode::Standard) else {
        return false;
    };
    let mover = match words[0] {
        "mate" => Mover::Attacker,
        _ => Mover::Defender,
    };
    let within = |moves: u16| {
        let plies = match mover {
            Mover::Attacker => (2 * moves).saturating_sub(1),
            Mover::Defender => 2 * moves,
        };
        mates_within_naive(&position, mover, Plies::new(plies))
    };
    match words[7..] {
        ["not", "in", moves] => !within(moves.parse().unwrap()),
        ["in", moves, ref rest @ ..] => {
            let moves: u16 = moves.parse().unwrap();
            within(moves) && (rest.is_empty() || moves == 0 || !within(moves - 1))
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(support::property(60))]

    /// The witnesses of one claim never establish another one that is false.
    #[test]
    fn no_false_claim_is_established_by_the_witnesses_of_a_true_one(
        truth in 0..5_usize,
        place in 0..3_usize,
        word in prop::sample::select(vec!["mate", "mated"]),
        side in prop::sample::select(vec!["w", "b"]),
        moves in 0..4_u8,
        form in 0..3_usize,
    ) {
        let truths: [&Told; 5] = [&KEYS, &SHORTEST, &ONE, &MATED, &DENIED];
        let mut told = Told::clone(truths[truth]);
        let placement = ["7k/8/8/6K1/8/8/8/5Q2", "7k/8/6K1/8/8/8/8/5Q2", "8/8/8/8/8/2k5/1R6/K7"][place];
        let form = [format!("in {moves}"), format!("in {moves} shortest"), format!("not in {moves}")][form].clone();
        told.claim = format!("{word} {placement} {side} - - 0 1 {form}");
        if form.ends_with("in 0") && word == "mate" {
            prop_assert!(alone(&told.seal()).is_err());
        } else if alone(&told.seal()).is_ok() {
            prop_assert!(is_true(&told.claim), "{}", told.claim);
        }
    }

    /// Any byte of the graphs changed, and the file sealed again: what is still accepted is still a proof, because the claim is
    /// true; but nothing ends in a panic.
    #[test]
    fn changed_graphs_give_an_answer(place in 0..1_000_000_usize, mask in 1..=255_u8) {
        let mut payload = KEYS.payload();
        let start = 8 + KEYS.claim.len();
        let place = start + place % (payload.len() - start);
        payload[place] ^= mask;
        if let Err(refusal) = alone(&payload::seal(KIND, &payload)) {
            prop_assert_eq!(refusal.reason.verdict(), dchess::verify::Verdict::Refuted);
        }
    }
}
