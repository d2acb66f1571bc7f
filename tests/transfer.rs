//! What transfers from the board profile to the complete rules, against the complete rules themselves
//! on small random games: clock, repetitions, claims on the board and with an intended move.

mod support;

use dchess::game::{GraphBuilder, Plies, Silent, StateIndex, Value};
use dchess::rules::win_transfers;
use dchess::solve::retrograde;
use proptest::prelude::*;

/// A state of a game without captures and pawn moves. The states with an even number are White's, the
/// others Black's; moves go from one to the other.
#[derive(Clone, Debug)]
enum Spec {
    Checkmate,
    Stalemate,
    Moves(Vec<usize>),
}

const STATES: usize = 12;

fn games() -> impl Strategy<Value = Vec<Spec>> {
    let state = |number: usize| {
        let target = (0..STATES / 2).prop_map(move |half| 2 * half + (number + 1) % 2);
        prop_oneof![
            1 => Just(Spec::Checkmate),
            1 => Just(Spec::Stalemate),
            8 => prop::collection::vec(target, 1..4).prop_map(Spec::Moves),
        ]
    };
    (0..STATES).map(state).collect::<Vec<_>>()
}

fn board_values(game: &[Spec]) -> Vec<Value> {
    let mut builder = GraphBuilder::new();
    for state in game {
        match state {
            Spec::Checkmate => builder.push_end(Value::Loss(Plies::ZERO)),
            Spec::Stalemate => builder.push_end(Value::Draw),
            Spec::Moves(targets) => {
                let targets = targets.iter().map(|&target| StateIndex::new(target).into());
                builder.push(&targets.collect::<Vec<_>>());
            }
        }
    }
    let values = retrograde::solve(&builder.finish(), &Silent).unwrap();
    (0..game.len())
        .map(|state| values.of(StateIndex::new(state)))
        .collect()
}

/// The result under the complete rules for the side to move: −1, 0 or 1. `counts` says how often each
/// state has occurred, this occurrence included.
fn complete(game: &[Spec], state: usize, halfmoves: u32, counts: &mut [u32; STATES]) -> i8 {
    let targets = match &game[state] {
        Spec::Checkmate => return -1,
        Spec::Stalemate => return 0,
        Spec::Moves(targets) => targets,
    };
    if counts[state] >= 5 || halfmoves >= 150 {
        return 0;
    }
    let can_claim = counts[state] >= 3
        || halfmoves + 1 >= 100
        || targets.iter().any(|&target| counts[target] + 1 >= 3);
    let mut best = if can_claim { 0 } else { -1 };
    for &target in targets {
        // From 100 on whoever is not mated claims, so the search ends there.
        let is_mate = matches!(game[target], Spec::Checkmate);
        let value = if halfmoves + 1 >= 100 && !is_mate {
            0
        } else {
            counts[target] += 1;
            let value = -complete(game, target, halfmoves + 1, counts);
            counts[target] -= 1;
            value
        };
        best = best.max(value);
    }
    best
}

proptest! {
    #![proptest_config(support::property(3_000))]

    /// A win that transfers is won under the complete rules; what is drawn on the board stays drawn.
    #[test]
    fn what_transfers_holds_under_the_complete_rules(
        game in games(),
        before in prop::array::uniform12(0..=1_u32),
        again in 1..=2_u32,
        halfmoves in 92..=101_u32,
    ) {
        for (state, &value) in board_values(&game).iter().enumerate() {
            let mut counts = before;
            counts[state] = again;
            let found = complete(&game, state, halfmoves, &mut counts);
            match value {
                Value::Draw => prop_assert_eq!(found, 0),
                Value::Win(plies) if win_transfers(plies, halfmoves) => prop_assert_eq!(found, 1),
                Value::Loss(plies) if win_transfers(plies, halfmoves) => prop_assert_eq!(found, -1),
                Value::Win(_) => prop_assert!(found >= 0),
                Value::Loss(_) => prop_assert!(found <= 0),
            }
        }
    }
}

/// One ply more, and the clock can save the loser.
#[test]
fn the_bound_is_sharp() {
    // White moves 0 → 1, Black must go 1 → 2, White mates 2 → 3.
    let chain = [
        Spec::Moves(vec![1]),
        Spec::Moves(vec![2]),
        Spec::Moves(vec![3]),
        Spec::Checkmate,
    ];
    let from = |halfmoves| {
        let mut counts = [0; STATES];
        counts[0] = 1;
        complete(&chain, 0, halfmoves, &mut counts)
    };
    assert_eq!(board_values(&chain)[0], Value::Win(Plies::new(3)));
    assert!(win_transfers(Plies::new(3), 97) && from(97) == 1);
    assert!(!win_transfers(Plies::new(3), 98) && from(98) == 0);
}
