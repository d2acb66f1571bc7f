//! The board of the search against shakmaty: moves, checks and mates of positions from random play.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role};

use super::diagram::{Diagram, Key};
use super::step::Step;
use crate::rules::{parse_fen, uci};

/// A configuration whose seed is that of the other property tests.
fn property(cases: u32) -> ProptestConfig {
    let seed = std::env::var("DCHESS_TEST_SEED").map_or(20_260_915, |text| {
        text.parse().expect("DCHESS_TEST_SEED is a number")
    });
    println!("property test seed: {seed}");
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Positions from which random play goes: all special moves, many queens, checks, a double check.
const ROOTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
    "6k1/2Q5/1Q6/3q4/8/1q3q2/8/4K2R w K - 0 1",
    "5bk1/1P3p1p/6p1/3pP3/8/1b1n4/r4PPP/R2Q2K1 w - d6 0 1",
];

fn steps(diagram: &Diagram) -> Vec<Step> {
    let mut steps = Vec::new();
    let guard = diagram.guard();
    let _ = diagram.visit_all(&guard, &mut |step| {
        steps.push(step);
        ControlFlow::Continue(())
    });
    steps
}

/// The position as text, with the en-passant square as the search keeps it.
fn text(position: &Chess) -> String {
    let fen = Fen::from_position(position, EnPassantMode::PseudoLegal).to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Everything that the two boards say about a position.
fn check_position(position: &Chess) -> Result<(), TestCaseError> {
    let diagram = Diagram::of(position);
    let steps = steps(&diagram);
    let legal = position.legal_moves();
    let ours: BTreeSet<String> = steps
        .iter()
        .map(|&step| uci(diagram.to_move(step)))
        .collect();
    let theirs: BTreeSet<String> = legal.iter().map(|&mv| uci(mv)).collect();
    prop_assert_eq!(ours, theirs);
    prop_assert_eq!(steps.len(), legal.len());
    let mobility = diagram.mobility();
    prop_assert_eq!(mobility.moves, legal.len());
    let is_kings = |mv: &&Move| mv.role() == Role::King && !mv.is_castle();
    prop_assert_eq!(mobility.room, legal.iter().filter(is_kings).count());
    prop_assert_eq!(diagram.is_check(), position.is_check());
    prop_assert_eq!(diagram.is_checkmate(), position.is_checkmate());
    let aim = diagram.check_aim();
    let mut mates = 0;
    for &step in &steps {
        let mv = diagram.to_move(step);
        prop_assert!(legal.contains(&mv), "{mv:?}");
        prop_assert_eq!(Diagram::to_step(mv), Some(step));
        let mut after = position.clone();
        after.play_unchecked(mv);
        let next = diagram.play(step);
        prop_assert_eq!(&next, &Diagram::of(&after));
        prop_assert_eq!(next.is_check(), after.is_check());
        prop_assert_eq!(
            next.is_checkmate(),
            after.is_checkmate(),
            "{}",
            text(&after)
        );
        if !step.is_special() {
            prop_assert_eq!(aim.may_check(step), after.is_check());
            prop_assert!(diagram.allows(&diagram.guard(), step));
        }
        mates += usize::from(after.is_checkmate());
    }
    let mut nodes = 0;
    match diagram.mate_in_one(&mut nodes) {
        None => prop_assert_eq!(mates, 0),
        Some(step) => prop_assert!(diagram.play(step).is_checkmate()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(property(100))]

    #[test]
    fn the_board_of_the_search_is_that_of_shakmaty(
        root in 0..ROOTS.len(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 60),
    ) {
        let mut position = parse_fen(ROOTS[root]).unwrap();
        let mut foreign: Vec<Step> = Vec::new();
        for choice in choices {
            check_position(&position)?;
            let diagram = Diagram::of(&position);
            let steps = steps(&diagram);
            // Moves of other positions are allowed exactly where they are legal.
            for &step in &foreign {
                if !step.is_special() && diagram.allows(&diagram.guard(), step) {
                    prop_assert!(steps.contains(&step), "{step:?} in {}", text(&position));
                }
            }
            if steps.is_empty() {
                break;
            }
            foreign.extend(&steps);
            let step = steps[choice.index(steps.len())];
            position.play_unchecked(diagram.to_move(step));
        }
    }

    #[test]
    fn different_positions_have_different_keys(
        root in 0..ROOTS.len(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 40),
    ) {
        let mut position = parse_fen(ROOTS[root]).unwrap();
        let mut known: HashMap<[u64; 4], String> = HashMap::new();
        for choice in choices {
            let moves = position.legal_moves();
            for after in moves.iter().map(|&mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                after
            }) {
                let Key(key) = Diagram::of(&after).key();
                let text = text(&after);
                prop_assert_eq!(known.entry(key).or_insert_with(|| text.clone()), &text);
            }
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[choice.index(moves.len())]);
        }
    }
}

#[test]
fn what_a_key_adds_to_the_men_is_in_it() {
    let groups = [
        // With the king and the en-passant square exchanged.
        [
            "7k/8/K7/pPpP4/8/8/8/8 w - c6",
            "7k/8/2K5/pPpP4/8/8/8/8 w - a6",
        ],
        [
            "7k/8/K7/1PpP4/8/8/8/8 w - c6",
            "7k/8/K7/1PpP4/8/8/8/8 w - -",
        ],
        [
            "4k3/8/8/8/8/8/8/R3K2R w KQ -",
            "4k3/8/8/8/8/8/8/R3K2R w Q -",
        ],
        ["4k3/8/8/8/8/8/8/R3K2R w K -", "4k3/8/8/8/8/8/8/R3K2R w Q -"],
        ["r3k3/8/8/8/8/8/8/R3K3 w Q -", "r3k3/8/8/8/8/8/8/R3K3 w q -"],
        ["8/8/8/8/8/2K5/8/k7 w - -", "8/8/8/8/8/2K5/8/k7 b - -"],
        ["8/8/8/8/8/2K5/8/k7 w - -", "8/8/8/8/8/2k5/8/K7 w - -"],
    ];
    for group in groups {
        let [one, other] = group.map(|fen| Diagram::of(&parse_fen(fen).unwrap()).key());
        assert_ne!(one, other, "{group:?}");
    }
}

#[test]
fn a_capture_en_passant_can_be_the_only_answer_to_a_check() {
    for fen in [
        "8/1Q6/8/2k5/pP6/3R1K2/3N4/8 b - b3 0 1",
        "8/3KN3/Q7/4k3/2pP2Q1/8/8/8 b - d3 0 1",
    ] {
        let answered = Diagram::of(&parse_fen(fen).unwrap());
        assert!(answered.is_check() && !answered.is_checkmate(), "{fen}");
        let [placement, turn, ..] = fen.split(' ').collect::<Vec<_>>()[..] else {
            panic!("a FEN has more fields");
        };
        let without = format!("{placement} {turn} - - 0 1");
        assert!(Diagram::of(&parse_fen(&without).unwrap()).is_checkmate());
    }
}
