//! Counts and distance histograms of two other programs that agree (`tests/figures/`), compared with
//! solved classes.
//!
//! There like men are told apart, here they are not: of KBBK and KNNK the raw columns are exactly twice ours,
//! and of the canonical ones can be compared only which distances there are. En-passant states are left
//! out there and here.

use std::collections::BTreeMap;

use dchess::endgame::{Endgame, HistogramRow, Results};
use dchess::game::{Outcome, Value};
use shakmaty::{Board, Chess, EnPassantMode, Position};

use super::truth;

/// The rows of a figures file after the line of its source, by the names of the columns.
fn rows(text: &'static str) -> impl Iterator<Item = BTreeMap<&'static str, &'static str>> {
    let mut lines = text.lines().skip(1).map(|line| line.split('\t'));
    let names: Vec<&str> = lines.next().unwrap().collect();
    lines.map(move |line| names.iter().copied().zip(line).collect())
}

/// The classes that the other programs counted.
pub fn classes() -> Vec<&'static str> {
    let rows = rows(include_str!("../figures/endgames.tsv"));
    rows.map(|row| row["material"]).collect()
}

/// Side to move, its result, plies, canonical states.
type Distance = (String, String, u16, u64);

fn histogram(name: &str) -> Vec<Distance> {
    rows(include_str!("../figures/endgames-dtm.tsv"))
        .filter(|row| row["material"] == name)
        .map(|row| {
            (
                row["side_to_move"].to_owned(),
                row["result"].to_owned(),
                row["plies_to_mate"].parse().unwrap(),
                row["canonical_count"].parse().unwrap(),
            )
        })
        .collect()
}

/// Holds a class to every figure of the other programs.
pub fn check(name: &str) {
    let row = rows(include_str!("../figures/endgames.tsv")).find(|row| row["material"] == name);
    let row = row.unwrap();
    let figure = |column: &str| row[column].parse::<u64>().unwrap();
    let endgame = truth::endgame(name);
    let has_like_men = name[1..].split('K').any(|men| {
        let distinct: std::collections::BTreeSet<char> = men.chars().collect();
        distinct.len() < men.len()
    });
    let told_apart = if has_like_men { 2 } else { 1 };

    let raw = raw_results(&endgame);
    let total: u64 = raw.iter().map(total).sum();
    assert_eq!(endgame.summary.raw_states, total, "{name}");
    let sides = [endgame.summary.white, endgame.summary.black];
    for ((side, raw), canonical) in ["wtm", "btm"].into_iter().zip(raw).zip(sides) {
        let of = |kind: &str| {
            ["win", "draw", "loss"].map(|word| figure(&format!("{side}_{word}_{kind}")))
        };
        let found = |results: Results| [results.wins, results.draws, results.losses];
        assert_eq!(
            found(raw).map(|count| told_apart * count),
            of("raw"),
            "{name} {side} raw"
        );
        if !has_like_men {
            assert_eq!(found(canonical), of("canonical"), "{name} {side}");
        }
        for result in ["win", "loss"] {
            let turn = if side == "wtm" { "white" } else { "black" };
            let of_result = |row: &&HistogramRow| row.side == turn && row.result == result;
            let plies = endgame.summary.histogram.iter().filter(of_result);
            let longest = plies.map(|row| row.plies).max().unwrap_or(0);
            let column = format!("{side}_max_{result}_plies");
            assert_eq!(u64::from(longest), figure(&column), "{name} {column}");
        }
    }

    let found: Vec<Distance> = endgame
        .summary
        .histogram
        .iter()
        .map(|row| {
            (
                row.side.to_owned(),
                row.result.to_owned(),
                row.plies,
                row.states,
            )
        })
        .collect();
    let theirs = histogram(name);
    if has_like_men {
        let distances = |rows: &[Distance]| -> Vec<_> {
            let distance =
                |(side, result, plies, _): &Distance| (side.clone(), result.clone(), *plies);
            rows.iter().map(distance).collect()
        };
        // They give none of KNNK.
        assert!(
            name == "KNNK" || distances(&found) == distances(&theirs),
            "{name}"
        );
    } else {
        assert_eq!(found, theirs, "{name}");
    }

    let zugzwangs = endgame.summary.mutual_zugzwangs;
    for (column, found) in [
        ("mzug_wdraw_bloss", zugzwangs.white_draws_black_loses),
        ("mzug_wloss_bdraw", zugzwangs.white_loses_black_draws),
        ("mzug_full_point", zugzwangs.full_point),
    ] {
        // Canonical counts cannot be halved, but none is none.
        if !has_like_men || figure(column) == 0 {
            assert_eq!(found, figure(column), "{name} {column}");
        }
    }
}

fn total(results: &Results) -> u64 {
    results.wins + results.draws + results.losses
}

/// The results of all raw states, White to move and Black to move.
fn raw_results(endgame: &Endgame) -> [Results; 2] {
    let material = &endgame.material;
    let pawns = material.has_pawns();
    let ask = |position: &Chess, value: Value| {
        let is_state = position.ep_square(EnPassantMode::Legal).is_none();
        let images = if is_state {
            images(position.board(), pawns)
        } else {
            0
        };
        (position.turn().is_black(), value.outcome(), images)
    };
    let answers = truth::with_library(&material.to_string(), |library| {
        truth::ask_all(library, material, ask)
    });
    let mut raw = [Results::default(); 2];
    for (is_black, outcome, images) in answers {
        let results = &mut raw[usize::from(is_black)];
        let count = match outcome {
            Outcome::Win => &mut results.wins,
            Outcome::Draw => &mut results.draws,
            Outcome::Loss => &mut results.losses,
        };
        *count += u64::from(images);
    }
    raw
}

/// How many different images a placement has.
fn images(board: &Board, pawns: bool) -> u8 {
    const WITHOUT_PAWNS: [fn(&mut Board); 8] = [
        |_| {},
        Board::flip_horizontal,
        Board::flip_vertical,
        Board::flip_diagonal,
        Board::flip_anti_diagonal,
        Board::rotate_90,
        Board::rotate_180,
        Board::rotate_270,
    ];
    let symmetries = if pawns {
        &WITHOUT_PAWNS[..2]
    } else {
        &WITHOUT_PAWNS
    };
    let is_itself = |symmetry: &&fn(&mut Board)| {
        let mut image = board.clone();
        symmetry(&mut image);
        image == *board
    };
    let itself = symmetries.iter().filter(is_itself).count();
    (symmetries.len() / itself) as u8
}
