//! Quotients of classes of four men, and the graphs that they are of.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;

use dchess::endgame::{
    ChildStates, Enumeration, Label, Material, MoveGraph, Placement, Quotient, State, StateNumbers,
    byte_of,
};
use dchess::game::{Interrupted, Silent, StateIndex};
use dchess::rules::exchange_colors;
use serde_json::Value;
use shakmaty::{Chess, Position};
use tempfile::tempdir;

use super::support::runs::{GOOD, run, told};
use super::support::truth;

/// Four public tools print 3,062,392 blocks, with that of the sink.
#[test]
fn bishop_and_knight_have_the_blocks_of_other_tools() {
    let folder = tempdir().unwrap();
    let arguments = ["refine", "--universe", "KBNK", "--json", "--threads", "1"];
    let output = run(folder.path(), &arguments);
    assert_eq!(told(&output), GOOD);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["states"], 3_067_466);
    assert_eq!(found["edges"], 34_105_016);
    assert_eq!(found["blocks"], 3_062_391);
    let record = fs::read(folder.path().join("certificates/KBNK.refine.run.json")).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    println!("{record}");
    if let Some(peak) = record["peak_rss_bytes"].as_u64() {
        assert!(peak < 15 * 34_105_016, "{peak} bytes, more than 15 an edge");
    }
    let two = [
        "refine",
        "--universe",
        "KBNK",
        "--threads",
        "2",
        "--quiet",
        "--out",
        "-",
    ];
    let output = run(folder.path(), &two);
    let one = fs::read(folder.path().join("certificates/KBNK.refine.bin")).unwrap();
    assert!(
        output.stdout == one,
        "two threads write other bytes than one"
    );
}

/// Where a move leads: to a vertex, to a byte of a child, or to the sink.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reached {
    Vertex(usize),
    Child(bool, u8),
    Sink,
}

/// The moves of every so many states and of many en-passant states are those of shakmaty, and the
/// quotient keeps values apart.
fn compare_moves(name: &str) {
    let material: Material = name.parse().unwrap();
    let endgame = truth::endgame(name);
    truth::with_library(name, |library| {
        let moves = MoveGraph::of(&material, library, ChildStates::Merged, &Silent).unwrap();
        let numbers = StateNumbers::of(&material, library).unwrap();
        let reached_by_rules = |position: &Chess| -> BTreeSet<Reached> {
            let reached = |mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                let (men, is_exchanged) = match Material::of_board(next.board()) {
                    Ok(found) => found,
                    Err(_) => return Reached::Sink,
                };
                if men == material && !is_exchanged {
                    let number = numbers.number(&State::of(&men, &next));
                    return Reached::Vertex(number.unwrap().get());
                }
                if men.is_sink() {
                    return Reached::Sink;
                }
                assert_ne!(men, material, "no move exchanges colours");
                assert_eq!(library.value(&next), library.value(&exchange_colors(&next)));
                let byte = byte_of(library.value(&next).unwrap()).unwrap();
                Reached::Child(next.turn().is_black(), byte)
            };
            position.legal_moves().into_iter().map(reached).collect()
        };
        let reached_by_graph = |vertex: StateIndex| -> BTreeSet<Reached> {
            let successors = moves.graph.successors(vertex).iter();
            let reached = successors.map(|successor| match successor.state() {
                None => Reached::Sink,
                Some(state) => match moves.label(state) {
                    Label::Child(turn, byte) => Reached::Child(turn.is_black(), byte),
                    _ => Reached::Vertex(state.get()),
                },
            });
            reached.collect()
        };
        let check = |(number, state): (StateIndex, State)| {
            assert_eq!(numbers.number(&state), Some(number), "{name}");
            let position = state.position(&material).unwrap();
            let by_rules = reached_by_rules(&position);
            assert_eq!(by_rules, reached_by_graph(number), "{name} {position:?}");
            let label = match (position.is_checkmate(), position.is_stalemate()) {
                (true, _) => Label::Checkmate(state.turn()),
                (_, true) => Label::Stalemate(state.turn()),
                _ => Label::Ordinary(state.turn()),
            };
            assert_eq!(moves.label(number), label, "{name}");
        };
        let enumeration = Enumeration::of(&material, &Silent).unwrap();
        let check_block = |placements: &mut dyn Iterator<Item = Placement>| {
            let mut checked = [0, 0];
            for placement in placements {
                let some = |every: usize| {
                    move |(number, _): &(StateIndex, State)| number.get() % every == 0
                };
                for state in placement.states().filter(some(499)) {
                    check(state);
                    checked[0] += 1;
                }
                for state in placement.en_passant_states().filter(some(11)) {
                    check(state);
                    checked[1] += 1;
                }
            }
            checked
        };
        let mut checked = [0, 0];
        let take = |found: [usize; 2]| {
            checked = [checked[0] + found[0], checked[1] + found[1]];
            Ok::<_, Interrupted>(ControlFlow::Continue(()))
        };
        enumeration.each_block(&Silent, check_block, take).unwrap();
        assert!(checked[0] > 1_000, "{checked:?}");
        assert_eq!(checked[1] > 0, material.has_en_passant(), "{checked:?}");
        let quotient = Quotient::of(&moves, &Silent).unwrap();
        let en_passant = endgame.en_passant.as_ref();
        let en_passant = en_passant.map_or(&[][..], |found| &found.values);
        let semantic = quotient.semantic_partition(&moves, &[&endgame.values, en_passant]);
        let classes = semantic.unwrap().classes as u64;
        println!("{name}: {} blocks, {classes} classes", quotient.blocks());
        if en_passant.is_empty() {
            assert_eq!(classes, endgame.summary.dtm_classes, "{name}");
        }
        assert!(quotient.blocks() as u64 > classes);
    });
}

/// In KNKP one promotion leads into a class with the colours exchanged and another does not; KPKP has
/// en passant.
#[test]
fn moves_into_classes_and_en_passant_are_those_of_the_rules() {
    for name in ["KQKR", "KNKP", "KPKP"] {
        compare_moves(name);
    }
}
