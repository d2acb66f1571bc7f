//! Lies about orders of moves. The payload is laid out here by hand from the format page, from the JSON text that the program wrote.

use std::sync::LazyLock;

use dchess::verify::Reason::{self, *};
use serde_json::{Value, json};
use tempfile::tempdir;

use super::support;
use super::support::payload::{self, Payload};
use super::support::suite::{Call, Fixture, alone, hold};

const KIND: u32 = 7;

/// What the program says of three positions.
static TRUE: LazyLock<Value> = LazyLock::new(|| told(20_260_915, 3));

/// The same of another seed.
static OTHER: LazyLock<Value> = LazyLock::new(|| told(1, 3));

fn told(seed: u64, count: u32) -> Value {
    let folder = tempdir().unwrap();
    let out = folder.path().join("x.json");
    let status = support::dchess()
        .args(["mate-bench", "--quiet", "--seed", &seed.to_string()])
        .args(["--count", &count.to_string(), "--out"])
        .arg(&out)
        .status();
    assert!(status.unwrap().success());
    serde_json::from_slice(&std::fs::read(out).unwrap()).unwrap()
}

/// A move by its UCI text.
fn code(text: &Value) -> u16 {
    let text = text.as_str().unwrap().as_bytes();
    let square = |text: &[u8]| u16::from(text[1] - b'1') * 8 + u16::from(text[0] - b'a');
    let promotion = match text.get(4) {
        None => 0,
        Some(letter) => 1 + b"nbrq".iter().position(|each| each == letter).unwrap() as u16,
    };
    square(&text[..2]) + 64 * square(&text[2..4]) + 4_096 * promotion
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn payload(told: &Value) -> Vec<u8> {
    let mut payload = Payload::default();
    let number = |value: &Value| value.as_u64().unwrap();
    let moves = |value: &Value| -> Vec<u16> { array(value).iter().map(code).collect() };
    payload.bytes(told["claim"].as_str().unwrap().as_bytes());
    payload.number(number(&told["attempts"]));
    for nodes in array(&told["proof_nodes"]) {
        payload.number(number(nodes));
    }
    for key in [
        "wins",
        "ties",
        "losses",
        "reply_branches",
        "mating_continuations",
    ] {
        payload.number(number(&told[key]));
    }
    payload.number(array(&told["positions"]).len() as u64);
    for position in array(&told["positions"]) {
        payload.bytes(position["fen"].as_str().unwrap().as_bytes());
        payload.number(number(&position["attempt"]));
        for nodes in array(&position["proof_nodes"]) {
            payload.number(number(nodes));
        }
        payload.list(&moves(&position["root_moves"]));
        payload.number(array(&position["exchanges"]).len() as u64);
        for exchange in array(&position["exchanges"]) {
            let of = |key: &str| number(&exchange[key]);
            payload.0.extend(code(&exchange["move"]).to_le_bytes());
            payload.0.extend((of("gain") as u16).to_le_bytes());
            payload.0.extend((of("loss") as u16).to_le_bytes());
            payload.0.extend((of("nodes") as u32).to_le_bytes());
            payload.0.extend((of("capture_plies") as u16).to_le_bytes());
            payload.0.extend((of("checked_nodes") as u32).to_le_bytes());
        }
        payload.number(array(&position["winning"]).len() as u64);
        for winning in array(&position["winning"]) {
            payload.0.extend(code(&winning["move"]).to_le_bytes());
            payload.number(array(&winning["replies"]).len() as u64);
            for reply in array(&winning["replies"]) {
                payload.0.extend(code(&reply["move"]).to_le_bytes());
                payload.list(&moves(&reply["mates"]));
            }
        }
    }
    payload.0
}

/// The binary file and the JSON text, both with the id that they should have.
fn sealed(told: &Value) -> [Vec<u8>; 2] {
    let payload = payload(told);
    let mut text = told.clone();
    text["id"] = json!(payload::id(KIND, &payload));
    [
        payload::seal(KIND, &payload),
        serde_json::to_vec(&text).unwrap(),
    ]
}

#[test]
fn what_the_program_writes_is_what_the_page_says() {
    for told in [&*TRUE, &*OTHER] {
        assert_eq!(told["id"], payload::id(KIND, &payload(told)));
        for file in sealed(told) {
            assert_eq!(alone(&file), Ok(()));
        }
    }
}

/// A change that makes it false, and the reasons that may be given.
type Lie = (&'static str, &'static [Reason], fn(&mut Value));

fn add(value: &mut Value, number: u64) {
    *value = json!(value.as_u64().unwrap() + number);
}

fn lies() -> Vec<Lie> {
    vec![
        ("a position from another seed", &[NotFromTheSeed], |told| {
            told["positions"][1] = OTHER["positions"][1].clone();
        }),
        ("another seed", &[NotFromTheSeed], |told| {
            told["claim"] = json!("orderings of 3 positions from seed 2");
        }),
        ("a position left out", &[NotFromTheSeed], |told| {
            told["claim"] = json!("orderings of 2 positions from seed 20260915");
            told["positions"].as_array_mut().unwrap().remove(1);
        }),
        ("a position twice", &[DuplicatePosition], |told| {
            told["positions"][2] = told["positions"][1].clone();
        }),
        ("another attempt", &[WrongAttempt], |told| {
            add(&mut told["positions"][1]["attempt"], 1)
        }),
        ("another number of attempts", &[WrongCount], |told| {
            add(&mut told["attempts"], 1)
        }),
        ("one node more in all", &[WrongCount], |told| {
            add(&mut told["proof_nodes"][3], 1)
        }),
        (
            "one node more in a position, and in all",
            &[WrongCount],
            |told| {
                add(&mut told["proof_nodes"][0], 1);
                add(&mut told["positions"][2]["proof_nodes"][0], 1);
            },
        ),
        ("a win more", &[WrongCount], |told| {
            add(&mut told["wins"], 1)
        }),
        ("a reply more", &[WrongCount], |told| {
            add(&mut told["reply_branches"], 1)
        }),
        ("a mate more", &[WrongCount], |told| {
            add(&mut told["mating_continuations"], 1)
        }),
        ("a root move missing", &[WrongMoves], |told| {
            told["positions"][0]["root_moves"]
                .as_array_mut()
                .unwrap()
                .remove(3);
        }),
        ("a winning move missing", &[WrongMoves], |told| {
            told["positions"][0]["winning"]
                .as_array_mut()
                .unwrap()
                .pop();
        }),
        ("a winning move too many", &[WrongMoves], |told| {
            let loses = told["positions"][0]["root_moves"][0].clone();
            let mut winning = told["positions"][0]["winning"][0].clone();
            winning["move"] = loses;
            told["positions"][0]["winning"]
                .as_array_mut()
                .unwrap()
                .insert(0, winning);
        }),
        ("a reply missing", &[WrongMoves], |told| {
            told["positions"][0]["winning"][0]["replies"]
                .as_array_mut()
                .unwrap()
                .pop();
        }),
        ("a mate missing", &[WrongMoves], |told| {
            told["positions"][0]["winning"][0]["replies"][0]["mates"]
                .as_array_mut()
                .unwrap()
                .pop();
        }),
        ("an exchange missing", &[WrongMoves], |told| {
            told["positions"][0]["exchanges"]
                .as_array_mut()
                .unwrap()
                .pop();
        }),
        ("another value", &[WrongExchange], |told| {
            let exchange = &mut told["positions"][0]["exchanges"][0];
            let key = if exchange["gain"] == 0 {
                "loss"
            } else {
                "gain"
            };
            add(&mut exchange[key], 10);
        }),
        ("another sign", &[WrongExchange], |told| {
            let exchange = &mut told["positions"][2]["exchanges"][1];
            let (gain, loss) = (exchange["gain"].clone(), exchange["loss"].clone());
            exchange["gain"] = loss;
            exchange["loss"] = gain;
        }),
        ("another depth", &[WrongExchange], |told| {
            add(
                &mut told["positions"][0]["exchanges"][0]["capture_plies"],
                1,
            );
        }),
        ("other nodes", &[WrongExchange], |told| {
            add(&mut told["positions"][0]["exchanges"][0]["nodes"], 1);
        }),
        ("other checked nodes", &[WrongExchange], |told| {
            add(
                &mut told["positions"][0]["exchanges"][0]["checked_nodes"],
                1,
            );
        }),
        (
            "more positions than are there",
            &[WrongNumberOfPositions],
            |told| {
                told["claim"] = json!("orderings of 4 positions from seed 20260915");
            },
        ),
        ("no positions", &[UnknownClaim], |told| {
            told["claim"] = json!("orderings of 0 positions from seed 20260915");
            told["positions"] = json!([]);
        }),
    ]
}

#[test]
fn lies_about_orders_of_moves_are_refused() {
    let mut fixtures = Vec::new();
    for (name, reasons, change) in lies() {
        let mut told = TRUE.clone();
        change(&mut told);
        assert!(told != *TRUE, "{name}");
        let files = sealed(&told).into_iter();
        fixtures.extend(files.map(|file| Fixture::new(name, reasons, file)));
    }
    let accepted: Vec<Call> = [&*TRUE, &*OTHER]
        .into_iter()
        .flat_map(sealed)
        .map(|bytes| Call {
            company: &[],
            bytes,
        })
        .collect();
    hold(&accepted, &fixtures);
}
