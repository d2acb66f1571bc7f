//! Lies about the quotients of KQK and, for the tables that one can rest on, of KPK.

use std::sync::LazyLock;

use dchess::verify::Reason::{self, *};
use serde_json::{Value, json};
use tempfile::tempdir;

use super::support;
use super::support::bisimulation::Told;
use super::support::forge::{VERSION, seal_parts};
use super::support::suite::{Call, Fixture, changed_text, hold};

static KQK: LazyLock<Told> = LazyLock::new(|| told("KQK"));
static KPK: LazyLock<Told> = LazyLock::new(|| told("KPK"));

/// The tables that KPK rests on.
const COMPANY: &[&str] = &["KQK", "KRK"];

/// The certificate that the program writes.
fn told(name: &str) -> Told {
    let folder = tempdir().unwrap();
    let status = support::dchess()
        .current_dir(&folder)
        .args(["refine", "--quiet", "--universe", name, "--out", "x.json"])
        .status();
    assert!(status.unwrap().success());
    Told::of(&std::fs::read(folder.path().join("x.json")).unwrap())
}

/// The binary file, with a digest that is right.
fn seal(told: &Told) -> Vec<u8> {
    let payload = told.payload();
    let length = payload.len() as u64;
    seal_parts(VERSION, 2, 0, length, length, &payload)
}

fn call(told: &Told, company: &'static [&'static str]) -> Call {
    Call {
        company,
        bytes: seal(told),
    }
}

fn forged(
    name: &str,
    reasons: &'static [Reason],
    truth: &Told,
    change: impl FnOnce(&mut Told),
) -> Fixture {
    let mut told = truth.clone();
    change(&mut told);
    assert!(told.payload() != truth.payload(), "{name}");
    Fixture::new(name, reasons, seal(&told))
}

/// The first block that appears in a round, and a vertex of it that is not its smallest.
fn block_of_round(told: &Told, round: u32) -> u32 {
    let block = told.split_rounds.iter().position(|&found| found == round);
    block.expect("a block appears in the round") as u32
}

/// The first block with several vertices, and its last vertex.
fn with_company(told: &Told) -> (u32, usize) {
    let mut first_of = vec![None; told.parents.len()];
    for (vertex, &block) in told.map.iter().enumerate() {
        match first_of[block as usize] {
            None => first_of[block as usize] = Some(vertex),
            Some(_) => return (block, vertex),
        }
    }
    panic!("a block of several vertices");
}

/// Changes the count of blocks after each round from one on.
fn more_blocks(told: &mut Told, from: usize, more: i64) {
    for count in &mut told.blocks_per_round[from..] {
        *count = count.checked_add_signed(more).unwrap();
    }
}

fn false_partitions() -> Vec<Fixture> {
    let forged = |name: &str, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &KQK, |told| change(told))
    };
    let (block, vertex) = with_company(&KQK);
    let blocks = KQK.parents.len() as u32;
    let rounds = KQK.blocks_per_round.len() - 1;
    let last = block_of_round(&KQK, rounds as u32 - 1);
    vec![
        forged(
            "a state moved to another block",
            &[NotStable, NotCoarsest],
            &|told| {
                told.map[vertex] = block - 1;
            },
        ),
        forged("the last two blocks merged", &[NotStable], &|told| {
            for found in &mut told.map {
                *found = (*found).min(blocks - 2);
            }
            told.parents.pop();
            let round = told.split_rounds.pop().unwrap();
            more_blocks(told, round as usize, -1);
        }),
        forged("a block split", &[NotCoarsest], &|told| {
            // The part with the greater vertices gets the number that its smallest vertex asks for.
            let new = 1 + *told.map[..vertex].iter().max().unwrap();
            for (number, found) in told.map.iter_mut().enumerate() {
                if number == vertex {
                    *found = new;
                } else if *found >= new {
                    *found += 1;
                }
            }
            for parent in &mut told.parents {
                *parent += u32::from(*parent >= new);
            }
            told.parents.insert(new as usize, block);
            let round = told.split_rounds[block as usize].max(1) as usize + 1;
            let round = round.min(rounds - 1);
            told.split_rounds.insert(new as usize, round as u32);
            more_blocks(told, round, 1);
        }),
        forged(
            "a block that appears a round later",
            &[WrongRound, NotStable, WrongCount],
            &|told| {
                let block = block_of_round(&KQK, 2) as usize;
                told.split_rounds[block] = 3;
                told.blocks_per_round[2] -= 1;
            },
        ),
        forged(
            "a block that appears a round earlier",
            &[NotCoarsest, WrongRound],
            &|told| {
                let block = block_of_round(&KQK, 3) as usize;
                told.split_rounds[block] = 2;
                told.blocks_per_round[2] += 1;
            },
        ),
        forged(
            "a block that appears in the last round",
            &[WrongRound],
            &|told| {
                told.split_rounds[last as usize] = rounds as u32;
            },
        ),
        forged(
            "a block that appears before its parent",
            &[WrongRound],
            &|told| {
                let is_child = |&block: &usize| told.split_rounds[told.parents[block] as usize] > 1;
                let block = (0..told.parents.len()).find(is_child).unwrap();
                told.split_rounds[block] = 1;
            },
        ),
        forged("a later parent", &[WrongParent], &|told| {
            told.parents[last as usize] = last;
        }),
        forged(
            "another parent",
            &[NotStable, NotCoarsest, WrongRound],
            &|told| {
                let parent = &mut told.parents[last as usize];
                *parent = u32::from(*parent == 0);
            },
        ),
        forged(
            "a block of the beginning with a parent",
            &[WrongParent],
            &|told| {
                let rounds = &told.split_rounds;
                let block = (1..rounds.len()).find(|&block| rounds[block] == 0).unwrap();
                told.parents[block] = 0;
            },
        ),
        forged("a block that no state is in", &[UnusedBlock], &|told| {
            for found in &mut told.map {
                *found -= u32::from(*found == blocks - 1);
            }
        }),
        forged("a block beyond the last", &[UnknownBlock], &|told| {
            told.map[vertex] = blocks;
        }),
        forged("two numbers exchanged", &[BlocksOutOfOrder], &|told| {
            for found in &mut told.map {
                *found = match *found {
                    0 => 1,
                    1 => 0,
                    other => other,
                };
            }
        }),
        forged("a map too short", &[WrongMapLength], &|told| {
            told.map.pop();
        }),
        forged("a map too long", &[WrongMapLength], &|told| {
            told.map.push(0);
        }),
        forged("no map", &[WrongMapLength], &|told| told.map.clear()),
        forged("a parent too few", &[WrongNumberOfBlocks], &|told| {
            told.parents.pop();
        }),
        forged("a round too many", &[WrongNumberOfBlocks], &|told| {
            told.split_rounds.push(1);
        }),
        forged(
            "one count of blocks only",
            &[WrongNumberOfBlocks],
            &|told| {
                told.blocks_per_round = vec![u64::from(blocks)];
            },
        ),
        forged("no count of blocks", &[WrongNumberOfBlocks], &|told| {
            told.blocks_per_round.clear();
        }),
        forged("a count of blocks too large", &[WrongCount], &|told| {
            told.blocks_per_round[1] += 1;
        }),
        forged(
            "a last round left out",
            &[WrongCount, WrongRound],
            &|told| {
                told.blocks_per_round.pop();
            },
        ),
        forged(
            "a round that changes nothing twice",
            &[WrongCount],
            &|told| {
                told.blocks_per_round.push(u64::from(blocks));
            },
        ),
        forged("a state too many", &[WrongNumberOfStates], &|told| {
            told.states += 1
        }),
        forged("an edge too few", &[WrongCount], &|told| told.edges -= 1),
        forged(
            "words about children where there are none",
            &[UnknownClaim],
            &|told| {
                told.claim += " relative to child values";
            },
        ),
        forged(
            "the claim of another class",
            &[WrongNumberOfStates],
            &|told| {
                told.claim = "bisimulation KRK board".to_owned();
            },
        ),
        forged("the claim of a table", &[UnknownClaim], &|told| {
            told.claim = "endgame KQK board dtm".to_owned();
        }),
    ]
}

fn false_children() -> Vec<Fixture> {
    let forged = |name, reasons, change: &dyn Fn(&mut Told)| {
        forged(name, reasons, &KPK, |told| change(told)).among(COMPANY)
    };
    vec![
        forged(
            "no words about children where there are some",
            &[UnknownClaim],
            &|told| {
                told.claim = "bisimulation KPK board".to_owned();
            },
        ),
        forged("a child left out", &[WrongChildren], &|told| {
            told.children.pop();
        }),
        forged("children out of order", &[WrongChildren], &|told| {
            told.children.reverse();
        }),
        forged("the id of another child", &[WrongChild], &|told| {
            told.children[0].1 = told.children[1].1.clone();
        }),
        forged(
            "a state moved among those of children",
            &[NotStable, NotCoarsest],
            &|told| {
                let (block, vertex) = with_company(&KPK);
                told.map[vertex] = block - 1;
            },
        ),
        Fixture::new(
            "children that are not there",
            &[MissingChildren],
            seal(&KPK),
        )
        .at("KQK, KRK"),
        Fixture::new("one of them is", &[MissingChildren], seal(&KPK))
            .among(&["KRK"])
            .at("KQK"),
    ]
}

#[test]
fn every_lie_about_a_quotient_is_refused_for_its_reason() {
    let accepted = [call(&KQK, &[]), call(&KQK, COMPANY), call(&KPK, COMPANY)];
    let rejected: Vec<Fixture> = false_partitions()
        .into_iter()
        .chain(false_children())
        .collect();
    hold(&accepted, &rejected);
}

#[test]
fn json_of_a_quotient_is_read_strictly() {
    let forged = |name: &str, reasons, change: fn(&mut Value)| {
        Fixture::text(name, reasons, KQK.json(), change)
    };
    let accepted = [Call {
        company: &[],
        bytes: changed_text(KQK.json(), |_| {}),
    }];
    let rejected = [
        forged("a map with a byte left over", &[MalformedJson], |text| {
            text["map"] = json!("AAAAAAA=");
        }),
        forged("numbers in the place of base64", &[MalformedJson], |text| {
            text["parents"] = json!([0, 1]);
        }),
        forged("a fraction of a block", &[MalformedJson], |text| {
            text["blocks_per_round"][0] = json!(4.5);
        }),
        forged("an unknown key", &[MalformedJson], |text| {
            text["policy"] = json!("")
        }),
        forged("a missing key", &[MalformedJson], |text| {
            text.as_object_mut().unwrap().remove("split_rounds");
        }),
        forged(
            "en-passant states where there are none",
            &[MalformedJson],
            |text| {
                text["en_passant_states"] = json!(0);
            },
        ),
        forged("the kind of a table", &[MalformedJson], |text| {
            text["kind"] = json!("endgame-table");
        }),
        forged("another id", &[IdMismatch], |text| {
            text["id"] = json!(format!("sha256:{}", "0".repeat(64)));
        }),
    ];
    hold(&accepted, &rejected);
}
