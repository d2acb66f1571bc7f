//! Lies about abstractions of KRK and, for the tables that they can rest on, of KPK.

use std::sync::LazyLock;

use dchess::verify::Reason::{self, *};
use serde_json::{Value, json};
use tempfile::tempdir;

use super::support;
use super::support::abstraction::{NO_RANK, Told};
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
        .args(["abstract", "--quiet", "--no-check", "--trials", "100"])
        .args(["--universe", name, "--out", "x.json"])
        .status();
    assert!(status.unwrap().success());
    Told::of(&std::fs::read(folder.path().join("x.json")).unwrap())
}

fn forged(name: &str, reasons: &'static [Reason], change: &dyn Fn(&mut Told)) -> Fixture {
    let mut told = KRK.clone();
    change(&mut told);
    assert!(told != *KRK, "{name}");
    Fixture::new(name, reasons, told.seal())
}

/// The first block for which something is so.
fn block(told: &Told, fits: impl Fn(usize) -> bool) -> usize {
    (0..told.ranks.len())
        .find(|&block| fits(block))
        .expect("some block fits")
}

/// A block that White wins with a rank in the middle.
fn won(told: &Told) -> usize {
    block(told, |block| (5..NO_RANK).contains(&told.ranks[block]))
}

/// A drawn block.
fn drawn(told: &Told) -> usize {
    block(told, |block| {
        [told.lower[block], told.upper[block]] == [1, 1]
    })
}

/// The line of a block in the tree.
fn line_of(told: &Told, block: usize) -> usize {
    let leaves = told
        .tree
        .iter()
        .enumerate()
        .filter(|(_, line)| *line == "leaf");
    leaves.map(|(line, _)| line).nth(block).unwrap()
}

/// Exchanges two blocks of the same side to move: their leaves stay, what is said of them changes places.
fn exchange(told: &mut Told, one: usize, other: usize) {
    told.lower.swap(one, other);
    told.upper.swap(one, other);
    told.ranks.swap(one, other);
}

/// The question after that for the side to move: with another number, many positions are in other blocks.
fn first_question(told: &Told) -> usize {
    assert!(told.tree[0].starts_with("side") && told.tree[1].contains(" <= "));
    1
}

/// A question with a number that is moved by so much.
fn moved(line: &str, by: i32) -> String {
    let (feature, number) = line.split_once(" <= ").unwrap();
    let number: i32 = number.parse().unwrap();
    format!("{feature} <= {}", number + by)
}

fn false_blocks() -> Vec<Fixture> {
    // A block of a smaller rank may not be forced in time, or the other way round.
    const TIGHT: &[Reason] = &[UnwitnessedBound, RankDoesNotFall];
    const OTHER_BLOCKS: &[Reason] = &[
        UnwitnessedBound,
        RankDoesNotFall,
        LeakingSet,
        UnusedBlock,
        MixedBlock,
    ];
    vec![
        forged("a rank that does not fall", &[RankDoesNotFall], &|told| {
            let block = won(told);
            told.ranks[block] -= 1;
        }),
        forged("all ranks the same", &[RankDoesNotFall], &|told| {
            told.ranks
                .iter_mut()
                .filter(|rank| **rank != NO_RANK)
                .for_each(|rank| *rank = 7);
        }),
        forged("a rank of 0", &[WrongRank], &|told| {
            let block = won(told);
            told.ranks[block] = 0;
        }),
        forged("a win without a rank", &[WrongRank], &|told| {
            let block = won(told);
            told.ranks[block] = NO_RANK;
        }),
        forged("a draw with a rank", &[WrongRank], &|told| {
            let block = drawn(told);
            told.ranks[block] = 9;
        }),
        forged(
            "a draw that is said to be won",
            &[UnwitnessedBound],
            &|told| {
                let block = drawn(told);
                (told.lower[block], told.upper[block]) = (2, 2);
                told.ranks[block] = NO_RANK - 1;
            },
        ),
        forged(
            "a win that is said to be drawn",
            &[LeakingSet, UnwitnessedBound],
            &|told| {
                let block = won(told);
                (told.lower[block], told.upper[block]) = (1, 1);
                told.ranks[block] = NO_RANK;
            },
        ),
        forged("a win of the bare king", &[UnwitnessedBound], &|told| {
            let block = won(told);
            (told.lower[block], told.upper[block]) = (0, 0);
        }),
        forged(
            "an upper bound too low",
            &[LeakingSet, UnwitnessedBound],
            &|told| {
                // The lower bound gives way, so that the interval is one.
                let block = won(told);
                (told.lower[block], told.upper[block]) = (0, 1);
                told.ranks[block] = NO_RANK;
            },
        ),
        forged("an interval that is none", &[WrongInterval], &|told| {
            let block = drawn(told);
            (told.lower[block], told.upper[block]) = (2, 1);
        }),
        forged("a bound that is none", &[WrongInterval], &|told| {
            let block = won(told);
            told.upper[block] = 3;
        }),
        forged("two leaves exchanged", OTHER_BLOCKS, &|told| {
            let one = won(told);
            let other = drawn(told);
            exchange(told, one, other);
        }),
        forged("two ranks exchanged", TIGHT, &|told| {
            let one = block(told, |block| told.ranks[block] == 2);
            let other = won(told);
            told.ranks.swap(one, other);
        }),
        forged(
            "a bound that is given up, and still counted",
            &[RankDoesNotFall, UnwitnessedBound, WrongCount],
            &|told| {
                let last = told
                    .ranks
                    .iter()
                    .copied()
                    .filter(|&rank| rank != NO_RANK)
                    .max();
                let block = block(told, |block| Some(told.ranks[block]) == last);
                told.lower[block] = 0;
                told.ranks[block] = NO_RANK;
            },
        ),
        forged("a block too few", &[WrongNumberOfBlocks], &|told| {
            told.lower.pop();
        }),
        forged("a rank too many", &[WrongNumberOfBlocks], &|told| {
            told.ranks.push(NO_RANK);
        }),
    ]
}

fn false_trees() -> Vec<Fixture> {
    const OTHER_BLOCKS: &[Reason] = &[
        UnwitnessedBound,
        RankDoesNotFall,
        LeakingSet,
        UnusedBlock,
        MixedBlock,
    ];
    vec![
        forged("a threshold one higher", OTHER_BLOCKS, &|told| {
            let line = first_question(told);
            told.tree[line] = moved(&told.tree[line], 1);
        }),
        forged("a threshold one lower", OTHER_BLOCKS, &|told| {
            let line = first_question(told);
            told.tree[line] = moved(&told.tree[line], -1);
        }),
        forged("a feature that is not known", &[UnknownFeature], &|told| {
            told.tree[1] = "mood wK <= 3".to_owned();
        }),
        forged(
            "a feature of a man that is not known",
            &[UnknownFeature],
            &|told| {
                told.tree[1] = "edge w4 <= 3".to_owned();
            },
        ),
        forged("two men in the other order", &[UnknownFeature], &|told| {
            told.tree[1] = "distance bK wK <= 3".to_owned();
        }),
        forged("the room of a rook", &[UnknownFeature], &|told| {
            told.tree[1] = "room w1 <= 3".to_owned();
        }),
        forged(
            "a feature of a man that is not there",
            &[UnusedBlock],
            &|told| {
                // It is 0 everywhere, so nothing is left for the other answer.
                told.tree[1] = "edge b1 <= 0".to_owned();
            },
        ),
        forged("another comparison", &[MalformedTree], &|told| {
            told.tree[1] = "edge wK < 3".to_owned();
        }),
        forged(
            "a number with a zero before it",
            &[MalformedTree],
            &|told| {
                told.tree[1] = "edge wK <= 03".to_owned();
            },
        ),
        forged("a number that is too large", &[MalformedTree], &|told| {
            told.tree[1] = "edge wK <= 256".to_owned();
        }),
        forged("a number with a sign", &[MalformedTree], &|told| {
            told.tree[1] = "edge wK <= +1".to_owned();
        }),
        forged("two spaces", &[UnknownFeature], &|told| {
            told.tree[1] = "edge  wK <= 1".to_owned();
        }),
        forged("a space behind", &[MalformedTree], &|told| {
            told.tree[1] = "edge wK <= 1 ".to_owned();
        }),
        forged("a line that says nothing", &[MalformedTree], &|told| {
            told.tree[1] = String::new();
        }),
        forged("a line too many", &[MalformedTree], &|told| {
            told.tree.push("leaf".to_owned());
        }),
        forged("a line too few", &[MalformedTree], &|told| {
            told.tree.pop();
        }),
        forged("no tree", &[MalformedTree], &|told| told.tree.clear()),
        forged(
            "a leaf less, with all that is said of it",
            &[WrongCount],
            &|told| {
                // The last question whose answers are both leaves goes, with one of them.
                let is_leaf = |line: usize| told.tree[line] == "leaf";
                let ends = |line: &usize| !is_leaf(*line) && is_leaf(line + 1) && is_leaf(line + 2);
                let last = (0..told.tree.len() - 2).rfind(ends).unwrap();
                told.tree.drain(last..last + 2);
                told.lower.pop();
                told.upper.pop();
                told.ranks.pop();
            },
        ),
        forged("a block without states", &[UnusedBlock], &|told| {
            // No king is farther than 3 from the edge.
            let leaf = line_of(told, 0);
            let lines = ["edge bK <= 3", "leaf", "leaf"].map(str::to_owned);
            told.tree.splice(leaf..=leaf, lines);
            told.lower.insert(1, told.lower[0]);
            told.upper.insert(1, told.upper[0]);
            told.ranks.insert(1, told.ranks[0]);
            told.claim = told.claiming(told.states, told.ranks.len());
        }),
        forged("both sides in one block", &[MixedBlock], &|told| {
            told.tree = ["leaf"].map(str::to_owned).to_vec();
            (told.lower, told.upper, told.ranks) = (vec![0], vec![2], vec![NO_RANK]);
            told.claim = told.claiming(0, 1);
        }),
        forged("a tree that is too deep", &[TreeTooDeep], &|told| {
            let depth = 4_097;
            told.tree = vec!["side <= 0".to_owned(); depth];
            told.tree.extend(vec!["leaf".to_owned(); depth + 1]);
            let blocks = depth + 1;
            told.lower = vec![0; blocks];
            told.upper = vec![2; blocks];
            told.ranks = vec![NO_RANK; blocks];
            told.claim = told.claiming(0, blocks);
        }),
    ]
}

fn false_claims() -> Vec<Fixture> {
    let claim = |name, reasons, change: &dyn Fn(&Told) -> String| {
        forged(name, reasons, &|told| told.claim = change(told))
    };
    vec![
        claim("a state more", &[WrongCount], &|told| {
            told.claiming(told.states + 1, told.ranks.len())
        }),
        claim("a state less", &[WrongCount], &|told| {
            told.claiming(told.states - 1, told.ranks.len())
        }),
        claim("a block less", &[WrongCount], &|told| {
            told.claiming(told.states, told.ranks.len() - 1)
        }),
        claim(
            "a shorter horizon",
            &[RankDoesNotFall, UnwitnessedBound],
            &|told| told.claim.replace("horizon 3", "horizon 1"),
        ),
        claim("an even horizon", &[UnknownClaim], &|told| {
            told.claim.replace("horizon 3", "horizon 4")
        }),
        claim("a horizon of 0", &[UnknownClaim], &|told| {
            told.claim.replace("horizon 3", "horizon 0")
        }),
        claim("a horizon of 257", &[UnknownClaim], &|told| {
            told.claim.replace("horizon 3", "horizon 257")
        }),
        claim("another class", &[WrongNumberOfStates], &|told| {
            told.claim.replace("KRK", "KQK")
        }),
        claim("another rules profile", &[UnknownRulesProfile], &|told| {
            told.claim.replace("board", "fcs")
        }),
        claim("children where there are none", &[UnknownClaim], &|told| {
            format!("{} from KQK", told.claim)
        }),
        claim("a number with a zero before it", &[UnknownClaim], &|told| {
            told.claim.replace("decides ", "decides 0")
        }),
        claim("a number of 2^32", &[UnknownClaim], &|told| {
            told.claiming(1 << 32, told.ranks.len())
        }),
        forged("a state too many", &[WrongNumberOfStates], &|told| {
            told.states += 1
        }),
        forged("an edge too few", &[WrongCount], &|told| told.edges -= 1),
    ]
}

fn false_texts() -> Vec<Fixture> {
    const MALFORMED: &[Reason] = &[MalformedJson];
    let text = |name: &str, reasons, change: &dyn Fn(&mut Value)| {
        Fixture::text(name, reasons, KRK.json(), |text| change(text))
    };
    vec![
        text("a tree that is a text", MALFORMED, &|text| {
            text["tree"] = json!("leaf");
        }),
        text("a line that is a number", MALFORMED, &|text| {
            text["tree"][1] = json!(3);
        }),
        text("a line that is not ASCII", MALFORMED, &|text| {
            text["tree"][1] = json!("edge wK ≤ 3");
        }),
        text(
            "a tree of more lines than there may be",
            MALFORMED,
            &|text| {
                text["tree"] = json!(vec![""; (1 << 20) + 1]);
            },
        ),
        text("half a rank", MALFORMED, &|text| {
            text["ranks"] = json!("AAAA");
        }),
        text("a key more", MALFORMED, &|text| {
            text["rounds"] = json!(3);
        }),
        text("another id", &[IdMismatch], &|text| {
            let line = text["tree"].as_array().unwrap().len() - 1;
            text["tree"][line] = json!("stub");
        }),
    ]
}

fn false_children() -> Vec<Fixture> {
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Told)| {
        let mut told = KPK.clone();
        change(&mut told);
        Fixture::new(name, reasons, told.seal()).among(COMPANY)
    };
    vec![
        forged("a child of another id", &[WrongChild], &|told| {
            told.children[0].1 = told.children[1].1.clone();
        }),
        forged("a missing child", &[WrongChildren], &|told| {
            told.children.pop();
        }),
        forged(
            "children that the claim leaves out",
            &[UnknownClaim],
            &|told| {
                told.claim = told.claim.replace(" from KQK KRK", "");
            },
        ),
        forged(
            "a draw of pawn and king that is said to be won",
            &[UnwitnessedBound, RankDoesNotFall],
            &|told| {
                let block = drawn(told);
                (told.lower[block], told.upper[block]) = (2, 2);
                told.ranks[block] = NO_RANK - 1;
            },
        ),
        forged(
            "a fortress that leaks",
            &[LeakingSet, UnwitnessedBound],
            &|told| {
                let block = won(told);
                (told.lower[block], told.upper[block]) = (1, 1);
                told.ranks[block] = NO_RANK;
            },
        ),
        Fixture::new(
            "children that nobody verified",
            &[MissingChildren],
            KPK.seal(),
        ),
    ]
}

#[test]
fn every_false_abstraction_is_refused_for_its_reason() {
    let alone = |bytes: Vec<u8>| Call {
        company: &[],
        bytes,
    };
    let accepted = [
        alone(KRK.seal()),
        alone(changed_text(KRK.json(), |_| {})),
        Call {
            company: COMPANY,
            bytes: KPK.seal(),
        },
    ];
    assert_eq!(KRK.id, KRK.id_by_hand());
    let rejected = [
        false_blocks(),
        false_trees(),
        false_claims(),
        false_texts(),
        false_children(),
    ];
    hold(
        &accepted,
        &rejected.into_iter().flatten().collect::<Vec<_>>(),
    );
}

/// Bounds that are given up, or ranks that are larger, are true as well: nothing says that they are the best.
#[test]
fn what_is_weaker_is_no_lie() {
    let mut told = KRK.clone();
    let last = told
        .ranks
        .iter()
        .filter(|&&rank| rank != NO_RANK)
        .max()
        .copied()
        .unwrap();
    for rank in told.ranks.iter_mut().filter(|rank| **rank == last) {
        *rank = 60_000;
    }
    super::support::suite::alone(&told.seal()).unwrap();
}
