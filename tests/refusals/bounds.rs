//! Lies about the bounds of KRK and, for the tables that they can rest on, of KPK.

use std::sync::LazyLock;

use dchess::verify::Reason::{self, *};
use serde_json::{Value, json};
use tempfile::tempdir;

use super::support;
use super::support::bounds::{KEPT, NEVER, Told};
use super::support::suite::{Call, Fixture, changed_text, hold};

static KRK: LazyLock<Told> = LazyLock::new(|| told("KRK"));
static KPK: LazyLock<Told> = LazyLock::new(|| told("KPK"));

/// The tables that KPK rests on.
const COMPANY: &[&str] = &["KQK", "KRK"];

/// The certificate that the program writes.
fn told(name: &str) -> Told {
    let folder = tempdir().unwrap();
    let status = support::dchess()
        .current_dir(&folder)
        .args([
            "bounds",
            "--quiet",
            "--no-check",
            "--universe",
            name,
            "--out",
            "x.json",
        ])
        .status();
    assert!(status.unwrap().success());
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

/// The first place in a list with a number that fits.
fn place(list: &[u16], fits: impl Fn(u16) -> bool) -> usize {
    list.iter()
        .position(|&number| fits(number))
        .expect("some number fits")
}

/// The first deleted move, and those of its state by their places among all: from the first of them that
/// can be told on.
fn deleted(told: &Told) -> usize {
    told.dominators
        .iter()
        .position(|&dominator| dominator != KEPT)
        .expect("a move is deleted")
}

fn false_rounds() -> Vec<Fixture> {
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &KRK, |told| change(told))
    };
    vec![
        forged("a win found a round too late", &[WrongRank], &|told| {
            let list = told.list("white_wins");
            let state = place(list, |round| (3..20).contains(&round));
            list[state] += 1;
        }),
        forged("a win found a round too early", &[WrongRank], &|told| {
            let list = told.list("white_wins");
            let state = place(list, |round| (3..20).contains(&round));
            list[state] -= 1;
        }),
        forged("a win from nowhere", &[WrongRank], &|told| {
            let list = told.list("white_wins");
            let state = place(list, |round| round == NEVER);
            list[state] = 9;
        }),
        forged("a win of the bare king", &[WrongRank], &|told| {
            told.list("black_wins")[5] = 3
        }),
        forged("a win that is forgotten", &[WrongRank], &|told| {
            let list = told.list("white_wins");
            let state = place(list, |round| (3..20).contains(&round));
            list[state] = NEVER;
        }),
        forged("a leaking closed set", &[LeakingSet], &|told| {
            // White wins there, so Black cannot hold it.
            let state = place(told.list("white_wins"), |round| round == 20);
            let rounds = told.rounds;
            told.list("black_holds")[state] = rounds;
        }),
        forged("a mate that is held", &[LeakingSet], &|told| {
            let state = place(told.list("white_wins"), |round| round == 0);
            told.list("black_holds")[state] = 0;
        }),
        forged(
            "a state left out of a closed set",
            &[LeakingSet, WrongRound],
            &|told| {
                let list = told.list("white_holds");
                let state = place(list, |round| round != NEVER && round > 0);
                list[state] = NEVER;
            },
        ),
        forged("a hold that was known later", &[WrongRound], &|told| {
            let list = told.list("black_holds");
            let state = place(list, |round| (1..20).contains(&round));
            list[state] += 1;
        }),
        forged(
            "a hold that was known from the beginning",
            &[WrongRound],
            &|told| {
                let list = told.list("black_holds");
                let state = place(list, |round| (1..20).contains(&round));
                list[state] = 0;
            },
        ),
        forged("a round more", &[WrongCount, WrongRound], &|told| {
            told.rounds += 1
        }),
        forged("a round less", &[WrongCount, WrongRound], &|told| {
            told.rounds -= 1
        }),
        forged("no round", &[WrongCount, WrongRound], &|told| {
            told.rounds = 0
        }),
        forged("a list too short", &[WrongNumberOfRounds], &|told| {
            told.list("black_wins").pop();
        }),
        forged("a list too long", &[WrongNumberOfRounds], &|told| {
            told.list("white_holds").push(NEVER);
        }),
        forged("a state too many", &[WrongNumberOfStates], &|told| {
            told.states += 1
        }),
        forged("an edge too few", &[WrongCount], &|told| told.edges -= 1),
        forged(
            "the claim of another class",
            &[WrongNumberOfStates],
            &|told| {
                told.claim = "bounds KQK board".to_owned();
            },
        ),
        forged(
            "children in the claim where there are none",
            &[UnknownClaim],
            &|told| {
                told.claim += " from KQK";
            },
        ),
        forged("a claim that goes on", &[UnknownClaim], &|told| {
            told.claim += " from"
        }),
    ]
}

fn false_records() -> Vec<Fixture> {
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &KRK, |told| change(told))
    };
    let deleted = deleted(&KRK);
    vec![
        forged("a missing move", &[WrongNumberOfRecords], &|told| {
            told.dominators.pop();
            told.deletion_rounds.pop();
        }),
        forged("a move too many", &[WrongNumberOfRecords], &|told| {
            told.dominators.push(KEPT);
            told.deletion_rounds.push(NEVER);
        }),
        forged("a move without a round", &[WrongNumberOfRecords], &|told| {
            told.deletion_rounds.pop();
        }),
        forged("half a record", &[WrongRecord], &|told| {
            told.deletion_rounds[deleted] = NEVER
        }),
        forged("the other half", &[WrongRecord], &|told| {
            told.dominators[deleted] = KEPT
        }),
        forged(
            "a move that dominates itself",
            &[WrongRecord, DominatingMoveDeleted],
            &|told| {
                // The first move of the first state is the place 0 of that state.
                told.dominators[0] = 0;
                told.deletion_rounds[0] = told.rounds;
            },
        ),
        forged(
            "a dominating move that there is not",
            &[WrongRecord],
            &|told| {
                told.dominators[deleted] = 200;
            },
        ),
        forged("a deletion before its time", &[NotDominated], &|told| {
            let place = place(&told.deletion_rounds, |round| (1..NEVER).contains(&round));
            told.deletion_rounds[place] -= 1;
        }),
        forged("a deletion after its time", &[WrongRound], &|told| {
            told.deletion_rounds[deleted] += 1;
        }),
        forged(
            "a deletion after the last round",
            &[WrongRound, WrongRecord],
            &|told| {
                told.deletion_rounds[deleted] = NEVER - 1;
            },
        ),
        forged(
            "two records that justify each other",
            &[DominatingMoveDeleted],
            &|told| {
                // The move that dominates is deleted by the one that it deletes.
                let (state, moves) = state_of(told, deleted);
                let dominator = usize::from(told.dominators[deleted]);
                let place = state + dominator;
                assert!(place < state + moves);
                told.dominators[place] = (deleted - state) as u8;
                told.deletion_rounds[place] = told.deletion_rounds[deleted];
            },
        ),
        forged("a strict deletion too many", &[WrongCount], &|told| {
            told.counts[0] += 1
        }),
        forged("an equal deletion too few", &[WrongCount], &|told| {
            told.counts[1] -= 1
        }),
        forged("open deletions that were not", &[WrongCount], &|told| {
            told.counts[2] += 1
        }),
        forged("a deletion that is not counted", &[WrongCount], &|told| {
            told.dominators[deleted] = KEPT;
            told.deletion_rounds[deleted] = NEVER;
        }),
    ]
}

/// The first move of the state that a move belongs to, and how many moves it has. States follow each other in the
/// file without marks, so this takes the first one: the deleted move is one of its moves.
fn state_of(told: &Told, deleted: usize) -> (usize, usize) {
    let dominator = usize::from(told.dominators[deleted]);
    // The first state is Ka1 Rb1, Kc1 with Black to move, or one like it: the first moves are its.
    assert!(
        deleted < 4 && dominator < 4,
        "the first state has a deletion"
    );
    (0, 4)
}

fn false_children() -> Vec<Fixture> {
    let forged = |name, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &KPK, |told| change(told)).among(COMPANY)
    };
    vec![
        forged("a claim without the children", &[UnknownClaim], &|told| {
            told.claim = "bounds KPK board".to_owned();
        }),
        forged("a claim with one of them", &[UnknownClaim], &|told| {
            told.claim = "bounds KPK board from KQK".to_owned();
        }),
        forged(
            "a claim with both in another order",
            &[UnknownClaim],
            &|told| {
                told.claim = "bounds KPK board from KRK KQK".to_owned();
            },
        ),
        forged("a child left out", &[WrongChildren], &|told| {
            told.children.pop();
        }),
        forged(
            "a leaf with another child's value: the ids exchanged",
            &[WrongChild],
            &|told| {
                let first = told.children[0].1.clone();
                told.children[0].1 = std::mem::replace(&mut told.children[1].1, first);
            },
        ),
        forged("a promotion that does not win", &[WrongRank], &|told| {
            let list = told.list("white_wins");
            let state = place(list, |round| round == 1);
            list[state] = 3;
        }),
        forged(
            "a closed set that leaks into a child",
            &[LeakingSet],
            &|told| {
                let state = place(told.list("white_wins"), |round| round == 1);
                let rounds = told.rounds;
                told.list("black_holds")[state] = rounds;
            },
        ),
        forged(
            "a closed set that forgets a state",
            &[LeakingSet, WrongRound],
            &|told| {
                let rounds = told.rounds;
                let list = told.list("black_holds");
                let state = place(list, |round| round == rounds);
                list[state] = NEVER;
            },
        ),
        Fixture::new(
            "children that are not there",
            &[MissingChildren],
            KPK.seal(),
        )
        .at("KQK, KRK"),
    ]
}

#[test]
fn every_lie_about_bounds_is_refused_for_its_reason() {
    let call = |told: &Told, company| Call {
        company,
        bytes: told.seal(),
    };
    let accepted = [call(&KRK, &[]), call(&KRK, COMPANY), call(&KPK, COMPANY)];
    let rejected = [false_rounds(), false_records(), false_children()];
    hold(
        &accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}

#[test]
fn json_of_bounds_is_read_strictly() {
    let forged = |name: &str, reasons, change: fn(&mut Value)| {
        Fixture::text(name, reasons, KRK.json(), change)
    };
    let accepted = [Call {
        company: &[],
        bytes: changed_text(KRK.json(), |_| {}),
    }];
    let rejected = [
        forged("rounds with a byte left over", &[MalformedJson], |text| {
            text["white_wins"] = json!("AAAA");
        }),
        forged("numbers in the place of base64", &[MalformedJson], |text| {
            text["dominators"] = json!([255]);
        }),
        forged("a round that no list can hold", &[MalformedJson], |text| {
            text["rounds"] = json!(65_536);
        }),
        forged("an unknown key", &[MalformedJson], |text| {
            text["map"] = json!("")
        }),
        forged("a missing key", &[MalformedJson], |text| {
            text.as_object_mut().unwrap().remove("deleted_open");
        }),
        forged("the kind of a bisimulation", &[MalformedJson], |text| {
            text["kind"] = json!("bisimulation");
        }),
        forged("another id", &[IdMismatch], |text| {
            text["id"] = json!(format!("sha256:{}", "0".repeat(64)));
        }),
    ];
    hold(&accepted, &rejected);
}
