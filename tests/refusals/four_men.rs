//! Lies about KNNK, the smallest class of four men: it rests on no other, and has a list of starts
//! but no policy.

use std::sync::LazyLock;

use dchess::certificate::Format;
use dchess::verify::Reason::{self, *};
use serde_json::{Value, json};

use super::support;
use super::support::forge::{Forge, claim};
use super::support::suite::{Call, Fixture, hold};

static KNNK: LazyLock<Forge> =
    LazyLock::new(|| Forge::of(&support::certificate("KNNK", Format::Compressed)));

fn forged(
    name: impl Into<String>,
    reasons: &'static [Reason],
    change: impl FnOnce(&mut Forge),
) -> Fixture {
    let mut forge = KNNK.clone();
    change(&mut forge);
    assert!(forge != *KNNK);
    // Compression takes as long as a check.
    forge.codec = 0;
    Fixture::new(name, reasons, forge.seal())
}

fn false_lists() -> Vec<Fixture> {
    let starts = |name, change: fn(&mut Vec<u64>)| {
        forged(name, &[WrongStarts], |forge| {
            change(forge.starts.as_mut().unwrap())
        })
        .at("starts")
    };
    let states = KNNK.values.len();
    vec![
        starts("a start one too large", |starts| starts[1_000] += 1),
        starts("a start one too small", |starts| starts[200] -= 1),
        starts("the first start one too large", |starts| starts[0] = 1),
        starts("the last start one too large", |starts| {
            *starts.last_mut().unwrap() += 1
        }),
        starts("a start too few", |starts| {
            starts.pop();
        }),
        starts("a start too many", |starts| {
            starts.push(*starts.last().unwrap());
        }),
        starts("no starts", Vec::clear),
        starts("starts of choices that have states only", Vec::dedup),
        starts("a start of 2^64 - 1", |starts| starts[7] = u64::MAX),
        forged("no list of starts", &[MalformedPayload], |forge| {
            forge.starts = None;
        }),
        forged("one move of a policy", &[WrongNumberOfMoves], |forge| {
            forge.policy.push(65);
        }),
        forged("a whole policy", &[WrongNumberOfMoves], |forge| {
            forge.policy = vec![0; states];
        }),
        forged("a value dropped", &[WrongNumberOfValues], |forge| {
            forge.values.remove(1_000_000);
        }),
        forged(
            "a state dropped everywhere",
            &[WrongNumberOfStates],
            |forge| {
                forge.values.pop();
                *forge.count("states") -= 1;
            },
        ),
        forged(
            "en-passant fields without pawns",
            &[MalformedPayload],
            |forge| {
                forge.en_passant = Some(support::forge::EnPassant {
                    raw_states: 0,
                    states: 0,
                    values: Vec::new(),
                });
            },
        ),
        forged("a class with other children", &[WrongChildren], |forge| {
            forge.claim = claim("KQNK");
        }),
        forged("a class of as many men", &[WrongNumberOfStates], |forge| {
            forge.claim = claim("KBNK");
        }),
        forged("a class of three men", &[MalformedPayload], |forge| {
            forge.claim = claim("KNK");
        }),
        forged("raw_states off by one", &[WrongCount], |forge| {
            *forge.count("raw_states") -= 1;
        }),
    ]
}

fn false_contents() -> Vec<Fixture> {
    vec![
        forged("a draw that is a win", &[WrongResult], |forge| {
            let state = forge.values.iter().position(|&byte| byte == 255).unwrap();
            forge.values[state] = 7;
        }),
        forged("a mate that is a stalemate", &[WrongResult], |forge| {
            let state = forge.values.iter().position(|&byte| byte == 0).unwrap();
            forge.values[state] = 255;
        }),
        forged(
            "comparisons of images that were not made",
            &[WrongCount],
            |forge| *forge.count("symmetry_comparisons") = 8 * KNNK.values.len() as u64,
        )
        .at("symmetry_comparisons: stored 12586944, found 0"),
        forged("another longest line", &[WrongLongestLine], |forge| {
            forge.longest_line[0] ^= 64;
        }),
    ]
}

fn false_texts() -> Vec<Fixture> {
    let edited = |name: &str, change: fn(&mut Value)| {
        let mut text = KNNK.json();
        // Short, for the keys are judged before the values.
        text["values"] = json!("");
        change(&mut text);
        Fixture::new(name, &[MalformedJson], serde_json::to_vec(&text).unwrap())
    };
    vec![
        edited("JSON: no starts", |text| {
            text.as_object_mut().unwrap().remove("starts");
        }),
        edited("JSON: starts that are nothing", |text| {
            text["starts"] = Value::Null;
        }),
        edited("JSON: starts as numbers", |text| {
            text["starts"] = json!([0, 0, 1]);
        }),
        edited("JSON: starts with four bytes left over", |text| {
            text["starts"] = json!("AAAAAAAAAAAAAAAA");
        }),
        edited("JSON: an en-passant key without pawns", |text| {
            text["en_passant_states"] = json!(0);
        }),
        edited("JSON: all en-passant keys without pawns", |text| {
            text["en_passant_raw_states"] = json!(0);
            text["en_passant_states"] = json!(0);
            text["en_passant_values"] = json!("");
        }),
    ]
}

#[test]
fn every_lie_about_four_men_is_refused_for_its_reason() {
    let call = |bytes| Call {
        company: &[],
        bytes,
    };
    let accepted = [
        call(KNNK.seal()),
        call(serde_json::to_vec(&KNNK.json()).unwrap()),
    ];
    let rejected = [false_lists(), false_contents(), false_texts()];
    hold(
        &accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}
