//! Lies about single positions of KRK and, for the tables that they can rest on and for closed sets, of KPK.

use std::sync::LazyLock;

use dchess::endgame::Material;
use dchess::verify::Reason::{self, *};
use serde_json::{Value, json};
use tempfile::tempdir;

use super::support;
use super::support::local_proof::{KEPT, KIND, Listed, NO_RANK, Told, successors};
use super::support::payload;
use super::support::suite::{Call, Fixture, changed_text, hold};

/// White wins in fourteen moves or so.
static WON: LazyLock<Told> = LazyLock::new(|| told("KRK", "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"));

/// The pawn promotes: the proof rests on the tables of the queen and the rook.
static PROMOTES: LazyLock<Told> = LazyLock::new(|| told("KPK", "8/1P6/8/8/8/2k5/8/K7 b - - 0 1"));

/// Nobody drives the king out of the corner in front of a rook's pawn.
static DRAWN: LazyLock<Told> = LazyLock::new(|| told("KPK", "k7/8/8/8/8/8/P7/K7 w - - 0 1"));

/// The tables that KPK rests on.
const COMPANY: &[&str] = &["KQK", "KRK"];

fn class(name: &str) -> Material {
    name.parse().unwrap()
}

/// The certificate that the program writes.
fn told(name: &str, fen: &str) -> Told {
    let folder = tempdir().unwrap();
    let status = support::dchess()
        .current_dir(&folder)
        .args(["bounds", "--quiet", "--no-check", "--universe", name])
        .args(["--fen", fen, "--out", "x.json"])
        .status();
    assert!(status.unwrap().success());
    let json = std::fs::read(folder.path().join("x.json")).unwrap();
    Told::of(&class(name), &json)
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

/// The place of the first position that fits.
fn place(told: &Told, fits: impl Fn(&Listed) -> bool) -> usize {
    let found = told.positions.iter().position(fits);
    found.expect("some position fits")
}

fn is_black(listed: &Listed) -> bool {
    listed.bytes.last() == Some(&1)
}

/// A position with White to move of which moves are deleted, and the place of the first one.
fn with_deletion(told: &Told) -> (usize, usize) {
    let position = place(told, |listed| {
        !is_black(listed) && listed.dominators.iter().filter(|&&d| d != KEPT).count() > 2
    });
    let moves = &told.positions[position].dominators;
    let deleted = moves.iter().position(|&dominator| dominator != KEPT);
    (position, deleted.expect("a move is deleted"))
}

fn false_bounds() -> Vec<Fixture> {
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &WON, |told| change(told))
    };
    let in_five = |listed: &Listed| listed.rank == 5;
    vec![
        forged("a win that takes a ply more", &[WrongRank], &|told| {
            let place = place(told, in_five);
            told.positions[place].rank += 1;
        }),
        forged("a win that takes a ply less", &[WrongRank], &|told| {
            let place = place(told, in_five);
            told.positions[place].rank -= 1;
        }),
        forged("a mate with plies left", &[WrongRank], &|told| {
            let place = place(told, |listed| listed.rank == 0);
            told.positions[place].rank = 2;
        }),
        forged("a win without a rank", &[WrongRank], &|told| {
            let place = place(told, in_five);
            told.positions[place].rank = NO_RANK;
        }),
        forged(
            "a bound without its witness",
            &[UnwitnessedBound, WrongRank],
            &|told| {
                // Black can move there, so the position before it is not known to be won.
                let place = place(told, |listed| !is_black(listed) && listed.rank == 3);
                let gone = told.positions.remove(place);
                told.counts[0] -= gone.dominators.len() as u64;
            },
        ),
        forged("a win of the other side", &[UnwitnessedBound], &|told| {
            let place = place(told, |listed| listed.rank == 0);
            told.positions[place].lower = 0;
            told.positions[place].upper = 0;
        }),
        forged("a mate that is a draw", &[UnwitnessedBound], &|told| {
            let place = place(told, |listed| listed.rank == 0);
            told.positions[place].lower = 1;
            told.positions[place].upper = 1;
        }),
        forged(
            "a position that is only held",
            &[UnwitnessedBound, WrongRank],
            &|told| {
                let place = place(told, |listed| is_black(listed) && listed.rank == 4);
                told.positions[place].lower = 1;
                told.positions[place].rank = NO_RANK;
            },
        ),
        forged("bounds the wrong way round", &[WrongInterval], &|told| {
            told.positions[3].lower = 2;
            told.positions[3].upper = 1;
        }),
        forged("a bound that is none", &[WrongInterval], &|told| {
            told.positions[3].upper = 3;
        }),
    ]
}

fn false_lists() -> Vec<Fixture> {
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &WON, |told| change(told))
    };
    vec![
        forged("a position twice", &[PositionsOutOfOrder], &|told| {
            told.positions.insert(7, told.positions[7].clone());
        }),
        forged("positions out of order", &[PositionsOutOfOrder], &|told| {
            told.positions.swap(7, 8)
        }),
        forged(
            "a position that is not canonical",
            &[WrongPosition],
            &|told| {
                // The king of a canonical state stands in the triangle a1, d1, d4.
                told.positions[7].bytes[0] = 63;
            },
        ),
        forged("two men on one square", &[WrongPosition], &|told| {
            let king = told.positions[7].bytes[0];
            told.positions[7].bytes[1] = king;
        }),
        forged("a square off the board", &[WrongPosition], &|told| {
            told.positions[7].bytes[1] = 64;
        }),
        forged("a third side", &[WrongPosition], &|told| {
            told.positions[7].bytes[3] = 2;
        }),
        Fixture::new("a list too short", &[WrongNumberOfPositions], {
            let mut payload = WON.payload();
            // A byte less of `lower`, and its count.
            let count = 8 + WON.claim.len() + 8;
            let lower = count + 8 + 4 * WON.positions.len();
            payload.remove(lower + 8);
            payload[lower..lower + 8]
                .copy_from_slice(&(WON.positions.len() as u64 - 1).to_le_bytes());
            payload::seal(KIND, &payload)
        }),
        forged("the root left out", &[MissingRoot], &|told| {
            told.claim = "interval 8/8/8/8/8/2k5/7R/K7 b - - 0 1 board 1 1".to_owned();
        }),
        forged("another value claimed", &[WrongInterval], &|told| {
            told.claim = told.claim.replace("board 1 1", "board -1 -1");
        }),
        forged("less claimed than listed", &[WrongInterval], &|told| {
            told.claim = told.claim.replace("board 1 1", "board 0 1");
        }),
        forged("an illegal position claimed", &[IllegalPosition], &|told| {
            told.claim = "interval 8/8/8/8/8/8/1R6/Kk6 w - - 0 1 board 1 1".to_owned();
        }),
        forged(
            "another class claimed",
            &[WrongPosition, MissingRoot],
            &|told| {
                told.claim = "interval 8/8/8/8/8/4k3/1Q6/K7 w - - 0 1 board 1 1".to_owned();
            },
        ),
        forged("clocks in the claim", &[UnknownClaim], &|told| {
            told.claim = told.claim.replace("- - 0 1", "- - 1 1");
        }),
        forged("no class claimed", &[UnknownMaterial], &|told| {
            told.claim = told.claim.replace('R', "k");
        }),
        forged("other rules claimed", &[UnknownRulesProfile], &|told| {
            told.claim = told.claim.replace("board", "fcs");
        }),
        forged("an interval that is none", &[UnknownClaim], &|told| {
            told.claim = told.claim.replace("board 1 1", "board 1 0");
        }),
    ]
}

fn false_records() -> Vec<Fixture> {
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &WON, |told| change(told))
    };
    let (position, deleted) = with_deletion(&WON);
    let best = WON.positions[position].dominators[deleted];
    let another = (0..WON.positions[position].dominators.len())
        .find(|&place| place != deleted && place != usize::from(best))
        .expect("a third move");
    vec![
        forged("a missing legal move", &[WrongNumberOfRecords], &|told| {
            told.positions[position].dominators.pop();
        }),
        forged("a move too many", &[WrongNumberOfRecords], &|told| {
            told.positions[position].dominators.push(KEPT);
        }),
        forged("a move that dominates itself", &[WrongRecord], &|told| {
            told.positions[position].dominators[deleted] = deleted as u8;
        }),
        forged(
            "a dominating move that there is not",
            &[WrongRecord],
            &|told| {
                told.positions[position].dominators[deleted] = 200;
            },
        ),
        forged(
            "a kept move that is deleted itself",
            &[DominatingMoveDeleted],
            &|told| told.positions[position].dominators[deleted] = another as u8,
        ),
        forged(
            "two records that justify each other",
            &[DominatingMoveDeleted],
            &|told| told.positions[position].dominators[usize::from(best)] = deleted as u8,
        ),
        forged(
            "an inequality that does not hold",
            &[NotDominated],
            &|told| {
                // Of both nothing is known but that the other one wins.
                let moves = &mut told.positions[position].dominators;
                moves[another] = KEPT;
                moves[deleted] = another as u8;
            },
        ),
        forged("a deletion that is not counted", &[WrongCount], &|told| {
            told.positions[position].dominators[deleted] = KEPT;
        }),
        forged("a move more counted", &[WrongCount], &|told| {
            told.counts[0] += 1
        }),
        forged("a strict deletion counted", &[WrongCount], &|told| {
            told.counts[1] += 1
        }),
        forged("an equal deletion too few", &[WrongCount], &|told| {
            told.counts[2] -= 1
        }),
    ]
}

fn false_children() -> Vec<Fixture> {
    let forged = |name, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &PROMOTES, |told| change(told)).among(COMPANY)
    };
    vec![
        forged("a child left out", &[WrongChildren], &|told| {
            told.children.pop();
        }),
        forged("children without end", &[LengthOutOfBounds], &|told| {
            told.children = vec![told.children[0].clone(); 65];
        }),
        forged(
            "as many children as may be listed",
            &[WrongChildren],
            &|told| {
                told.children = vec![told.children[0].clone(); 64];
            },
        ),
        forged(
            "the claim of a child without end",
            &[LengthOutOfBounds],
            &|told| {
                told.children[0].0 = "e".repeat(4_097);
            },
        ),
        forged(
            "a leaf with another child's value: the ids exchanged",
            &[WrongChild],
            &|told| {
                let first = told.children[0].1.clone();
                told.children[0].1 = std::mem::replace(&mut told.children[1].1, first);
            },
        ),
        forged("a promotion that wins later", &[WrongRank], &|told| {
            let place = place(told, |listed| listed.rank == 1);
            told.positions[place].rank = 3;
        }),
        forged(
            "a promotion that only draws",
            &[LeakingSet, WrongRank, UnwitnessedBound, WrongInterval],
            &|told| {
                let place = place(told, |listed| listed.rank == 1);
                told.positions[place].lower = 1;
                told.positions[place].upper = 1;
                told.positions[place].rank = NO_RANK;
            },
        ),
        Fixture::new(
            "children that are not there",
            &[MissingChildren],
            PROMOTES.seal(),
        )
        .at("KQK, KRK"),
    ]
}

fn false_sets() -> Vec<Fixture> {
    // Black holds by closed sets: White's moves stay among the listed positions, all of them.
    let drawn = &*DRAWN;
    let closed = drawn.positions.iter().position(|listed| {
        let next = successors(&class("KPK"), &listed.bytes);
        !is_black(listed) && listed.upper == 1 && !next.is_empty()
    });
    let closed = closed.expect("White has moves in a closed set");
    // Behind the set: the last listed position, with Black to move, that none is before in the order of the file.
    let leaking = |name, change: &dyn Fn(&mut Told)| {
        forged(name, &[LeakingSet, MissingRoot], drawn, |told| change(told)).among(COMPANY)
    };
    let without = |told: &mut Told, place: usize| {
        let gone = told.positions.remove(place);
        told.counts[0] -= gone.dominators.len() as u64;
        let deleted = gone.dominators.iter().filter(|&&d| d != KEPT).count();
        told.counts[2] -= (deleted as u64).min(told.counts[2]);
    };
    // A position with Black to move that White can move to from the set.
    let reached = drawn
        .positions
        .iter()
        .position(|listed| is_black(listed) && listed.upper == 1)
        .expect("a position with Black to move");
    vec![
        leaking("a leaking closed set", &|told| without(told, reached)),
        leaking("a closed set that skips a deleted move", &|told| {
            // All moves of White from the set but one are said to be deleted.
            let moves = &mut told.positions[closed].dominators;
            for (place, dominator) in moves.iter_mut().enumerate() {
                *dominator = if place == 0 { KEPT } else { 0 };
            }
            without(told, reached);
        }),
        forged(
            "a set that gives more than it holds",
            &[UnwitnessedBound],
            drawn,
            |told| {
                told.positions[closed].lower = 2;
                told.positions[closed].upper = 2;
                told.positions[closed].rank = 9;
            },
        )
        .among(COMPANY),
    ]
}

#[test]
fn every_lie_about_a_position_is_refused_for_its_reason() {
    let call = |told: &Told, company| Call {
        company,
        bytes: told.seal(),
    };
    let accepted = [
        call(&WON, &[]),
        call(&WON, COMPANY),
        call(&PROMOTES, COMPANY),
        call(&DRAWN, COMPANY),
    ];
    let rejected = [
        false_bounds(),
        false_lists(),
        false_records(),
        false_children(),
        false_sets(),
    ];
    hold(
        &accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}

#[test]
fn json_of_a_local_proof_is_read_strictly() {
    let forged = |name: &str, reasons, change: fn(&mut Value)| {
        Fixture::text(name, reasons, WON.json(), change)
    };
    let accepted = [Call {
        company: &[],
        bytes: changed_text(WON.json(), |_| {}),
    }];
    let rejected = [
        forged("a rank with a byte left over", &[MalformedJson], |text| {
            text["ranks"] = json!("AAAA");
        }),
        forged("numbers in the place of base64", &[MalformedJson], |text| {
            text["lower"] = json!([2, 2]);
        }),
        forged("an unknown key", &[MalformedJson], |text| {
            text["states"] = json!(1)
        }),
        forged("a missing key", &[MalformedJson], |text| {
            text.as_object_mut().unwrap().remove("moves");
        }),
        forged("children without end", &[LengthOutOfBounds], |text| {
            let child = json!({"claim": "e", "id": format!("sha256:{}", "0".repeat(64))});
            text["children"] = json!(vec![child; 65]);
        }),
        forged("the kind of bounds", &[MalformedJson], |text| {
            text["kind"] = json!("bounds");
        }),
        forged("another id", &[IdMismatch], |text| {
            text["id"] = json!(format!("sha256:{}", "0".repeat(64)));
        }),
    ];
    hold(&accepted, &rejected);
}
