//! What transfers from the board profile to the complete rules, against the complete rules themselves by brute force: clock,
//! repetitions, claims on the board and with an intended move. A limit of 3 to 9 plies stands in the place of 100, so that every
//! line can be played to its end; half as many again end the game.

mod support;

use std::collections::HashMap;

use dchess::game::{GraphBuilder, Plies, Silent, StateIndex, Value};
use dchess::rules::{ClockLimits, Past, win_transfers};
use dchess::solve::retrograde;
use proptest::prelude::*;
use shakmaty::{Chess, Position};

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

const fn limits(claimable_plies: u32) -> ClockLimits {
    ClockLimits {
        claimable_plies,
        drawn_plies: claimable_plies + claimable_plies / 2,
    }
}

/// The result under the complete rules for the side to move: −1, 0 or 1. `counts` says how often each
/// state has occurred, this occurrence included.
fn complete(
    game: &[Spec],
    state: usize,
    clock: u32,
    counts: &mut [u32; STATES],
    limits: ClockLimits,
) -> i8 {
    let targets = match &game[state] {
        Spec::Checkmate => return -1,
        Spec::Stalemate => return 0,
        Spec::Moves(targets) => targets,
    };
    if counts[state] >= 5 || clock >= limits.drawn_plies {
        return 0;
    }
    if clock + 1 >= limits.claimable_plies {
        // The mover can claim, and after any move but a mate the other side can: so he mates or claims.
        let mates = |&target: &usize| matches!(game[target], Spec::Checkmate);
        return i8::from(targets.iter().any(mates));
    }
    let can_claim = counts[state] >= 3 || targets.iter().any(|&target| counts[target] + 1 >= 3);
    let mut best = if can_claim { 0 } else { -1 };
    for &target in targets {
        counts[target] += 1;
        best = best.max(-complete(game, target, clock + 1, counts, limits));
        counts[target] -= 1;
    }
    best
}

proptest! {
    #![proptest_config(support::property(3_000))]

    /// A win that transfers is won under the complete rules; what is drawn on the board stays drawn.
    #[test]
    fn what_transfers_holds_under_the_complete_rules(
        game in games(),
        mut counts in prop::array::uniform12(0..=3_u32),
        claimable in 3..=9_u32,
        clock in 0..=14_u32,
    ) {
        let limits = limits(claimable);
        for (state, &value) in board_values(&game).iter().enumerate() {
            counts[state] = counts[state].max(1);
            let others = (0..STATES).filter(|&other| other != state);
            let past = Past {
                clock_plies: clock,
                occurrences: counts[state] as u8,
                most_of_others: others.map(|other| counts[other] as u8).max().unwrap(),
            };
            let found = complete(&game, state, clock, &mut counts, limits);
            match value {
                Value::Draw => prop_assert_eq!(found, 0),
                Value::Win(plies) if past.win_transfers(plies, limits) => prop_assert_eq!(found, 1),
                Value::Loss(plies) if past.win_transfers(plies, limits) => prop_assert_eq!(found, -1),
                Value::Win(_) => prop_assert!(found >= 0),
                Value::Loss(_) => prop_assert!(found <= 0),
            }
        }
    }

    /// The same where what has occurred before is little enough to matter often.
    #[test]
    fn what_transfers_holds_with_few_occurrences(
        game in games(),
        before in prop::array::uniform12(0..=1_u32),
        again in 1..=2_u32,
        claimable in 3..=9_u32,
        clock in 0..=6_u32,
    ) {
        let limits = limits(claimable);
        for (state, &value) in board_values(&game).iter().enumerate() {
            let mut counts = before;
            counts[state] = again;
            let past = Past { clock_plies: clock, occurrences: again as u8, most_of_others: 1 };
            let found = complete(&game, state, clock, &mut counts, limits);
            match value {
                Value::Win(plies) if past.win_transfers(plies, limits) => prop_assert_eq!(found, 1),
                Value::Loss(plies) if past.win_transfers(plies, limits) => prop_assert_eq!(found, -1),
                _ => {}
            }
        }
    }
}

/// One ply more, or one occurrence more, and the loser can be saved.
#[test]
fn every_part_of_the_condition_is_sharp() {
    for claimable in 3..=9 {
        let limits = limits(claimable);
        for plies in 2..=claimable {
            // One move at every state; the last state is checkmate.
            let mut chain: Vec<Spec> = (1..=plies as usize)
                .map(|to| Spec::Moves(vec![to]))
                .collect();
            chain.push(Spec::Checkmate);
            chain.resize(STATES, Spec::Stalemate);
            let (win, root) = (if plies % 2 == 1 { 1 } else { -1 }, plies as u16);
            let judge = |clock: u32, change: &dyn Fn(&mut [u32; STATES])| {
                let mut counts = [0; STATES];
                counts[0] = 1;
                change(&mut counts);
                let past = Past {
                    clock_plies: clock,
                    occurrences: counts[0] as u8,
                    most_of_others: counts[1..].iter().max().copied().unwrap() as u8,
                };
                let found = complete(&chain, 0, clock, &mut counts, limits);
                (past.win_transfers(Plies::new(root), limits), found)
            };
            let clock = claimable - plies;
            assert_eq!(judge(clock, &|_| {}), (true, win), "{claimable} {plies}");
            assert_eq!(judge(clock + 1, &|_| {}), (false, 0), "{claimable} {plies}");
            assert!(judge(clock, &|counts| counts[1] = 1).0);
            // The state after the loser's first move, which he intends for the third time.
            let after = if plies % 2 == 1 { 2 } else { 1 };
            if after < plies as usize {
                let twice = judge(clock, &|counts| counts[after] = 2);
                assert_eq!(twice, (false, 0), "{claimable} {plies}");
            }
            if plies % 2 == 0 {
                assert_eq!(judge(clock, &|counts| counts[0] = 3), (false, 0));
            }
        }
    }
    assert!(win_transfers(Plies::new(3), 97) && !win_transfers(Plies::new(3), 98));
}

/// The result for the side to move in chess, with a clock of its own and what has occurred.
fn complete_chess(
    position: &Chess,
    clock: u32,
    occurred: &mut HashMap<Chess, u32>,
    limits: ClockLimits,
) -> i8 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.is_check() { -1 } else { 0 };
    }
    if occurred[position] >= 5 || clock >= limits.drawn_plies {
        return 0;
    }
    let nexts: Vec<(Chess, u32)> = moves
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            (next, if mv.is_zeroing() { 0 } else { clock + 1 })
        })
        .collect();
    if clock + 1 >= limits.claimable_plies && nexts.iter().any(|(_, clock)| *clock > 0) {
        // As above. (A capture or promotion does not mate in these classes.)
        return i8::from(nexts.iter().any(|(next, _)| next.is_checkmate()));
    }
    let can_claim = occurred[position] >= 3
        || nexts
            .iter()
            .any(|(next, clock)| *clock > 0 && occurred.get(next).copied().unwrap_or(0) + 1 >= 3);
    let mut best = if can_claim { 0 } else { -1 };
    for (next, clock) in nexts {
        // Mates end the search soonest, and whoever has a draw in hand looks for wins alone.
        if best == 1 {
            break;
        }
        let value = match clock {
            // Queen or rook is gone: nobody mates any more.
            0 => 0,
            _ => {
                *occurred.entry(next.clone()).or_insert(0) += 1;
                let value = -complete_chess(&next, clock, occurred, limits);
                *occurred.get_mut(&next).unwrap() -= 1;
                value
            }
        };
        best = best.max(value);
    }
    best
}

/// Sampled roots of KQK and KRK, won or lost in at most five plies, with keys that have occurred before: one ply from the bound the win
/// is there, one beyond it is not.
#[test]
fn sampled_roots_of_chess_agree() {
    let mut judged = [0; 2];
    for class in ["KQK", "KRK"] {
        let material = class.parse().unwrap();
        let roots: Vec<(Chess, Value)> = support::truth::with_library(class, |library| {
            let ask = |position: &Chess, value| (position.clone(), value);
            support::truth::ask_all(library, &material, ask)
        });
        let of_plies = |wanted: u16| {
            let roots = roots.iter().filter(move |(_, value)| {
                matches!(value, Value::Win(plies) | Value::Loss(plies) if plies.get() == wanted)
            });
            roots.step_by(5).take(12)
        };
        for plies in 2..=5 {
            for (number, (root, value)) in of_plies(plies).enumerate() {
                let win = if matches!(value, Value::Win(_)) {
                    1
                } else {
                    -1
                };
                let claimable = u32::from(plies) + number as u32 % (10 - u32::from(plies));
                let limits = limits(claimable);
                // Positions that the play may come to have occurred once, and the root twice.
                let mut occurred = HashMap::from([(root.clone(), 1 + number as u32 % 2)]);
                for &mv in root.legal_moves().iter().skip(number % 3).step_by(2) {
                    let mut next = root.clone();
                    next.play_unchecked(mv);
                    occurred.insert(next, 1);
                }
                let past = |clock_plies| Past {
                    clock_plies,
                    occurrences: occurred[root] as u8,
                    most_of_others: 1,
                };
                let clock = claimable - u32::from(plies);
                assert!(past(clock).win_transfers(Plies::new(plies), limits));
                assert!(!past(clock + 1).win_transfers(Plies::new(plies), limits));
                let mut before = occurred.clone();
                assert_eq!(complete_chess(root, clock, &mut before, limits), win);
                assert_eq!(complete_chess(root, clock + 1, &mut before, limits), 0);
                judged[usize::from(class == "KRK")] += 1;
            }
        }
    }
    assert!(judged.iter().all(|&judged| judged >= 30), "{judged:?}");
}
