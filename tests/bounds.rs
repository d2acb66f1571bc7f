//! Bounds and dominance against their definitions, on random games with cycles, ends and draws.

mod support;

use dchess::game::{
    Graph, GraphBuilder, Interval, Outcome, Player, Plies, Silent, StateIndex, Successor, Value,
};
use dchess::solve::bounds::{Bounds, NEVER, Round, value_for_max};
use dchess::solve::dominance::{Dominance, KEPT};
use dchess::solve::retrograde;
use proptest::prelude::*;

/// A state: whose turn it is, and its moves; without moves it is an end. The number of states stands for
/// the sink.
#[derive(Clone, Debug)]
struct Spec {
    is_max: bool,
    targets: Vec<usize>,
    /// What the end is for the side to move.
    is_lost: bool,
}

fn games(most: usize) -> impl Strategy<Value = Vec<Spec>> {
    (1..=most).prop_flat_map(|states| {
        let targets = prop_oneof![
            1 => Just(Vec::new()),
            4 => prop::collection::vec(0..=states, 1..4),
        ];
        let state = (any::<bool>(), targets, any::<bool>());
        let state = state.prop_map(|(is_max, targets, is_lost)| Spec {
            is_max,
            targets,
            is_lost,
        });
        prop::collection::vec(state, states)
    })
}

/// Games in which the sides move in turn, for which retrograde analysis is defined.
fn alternating(most: usize) -> impl Strategy<Value = Vec<Spec>> {
    games(most).prop_map(|mut game| {
        let sides: Vec<bool> = (0..game.len()).map(|state| state % 2 == 0).collect();
        for (state, spec) in game.iter_mut().enumerate() {
            spec.is_max = sides[state];
            let other = |&target: &usize| target >= sides.len() || sides[target] != sides[state];
            spec.targets.retain(other);
        }
        game
    })
}

fn build(game: &[Spec]) -> (Graph, Vec<Player>) {
    let mut builder = GraphBuilder::new();
    for spec in game {
        let target = |&target: &usize| match target {
            sink if sink == game.len() => Successor::SINK,
            state => StateIndex::new(state).into(),
        };
        match spec.targets.is_empty() {
            true if spec.is_lost => builder.push_end(Value::Loss(Plies::ZERO)),
            true => builder.push_end(Value::Draw),
            false => builder.push(&spec.targets.iter().map(target).collect::<Vec<_>>()),
        }
    }
    let player = |spec: &Spec| match spec.is_max {
        true => Player::Max,
        false => Player::Min,
    };
    (builder.finish(), game.iter().map(player).collect())
}

/// The intervals of all states after each round, by definition: C2.3 from the ends until nothing changes,
/// and in that round the closed sets.
fn rounds_by_definition(graph: &Graph, players: &[Player]) -> Vec<Vec<Interval>> {
    let start = graph.states().map(|state| match graph.end(state) {
        Some(value) => Interval::point(value_for_max(value, players[state.get()])),
        None => Interval::UNKNOWN,
    });
    let mut rounds = vec![start.collect::<Vec<_>>()];
    loop {
        let before = &rounds[rounds.len() - 1];
        let after: Vec<Interval> = graph
            .states()
            .map(|state| {
                let intervals = graph.successors(state).iter().map(|successor| {
                    successor
                        .state()
                        .map_or(Interval::point(0), |state| before[state.get()])
                });
                let best = |found: &mut dyn Iterator<Item = i8>| match players[state.get()] {
                    Player::Max => found.max(),
                    Player::Min => found.min(),
                };
                let lower = best(&mut intervals.clone().map(|found| found.lower));
                let upper = best(&mut intervals.clone().map(|found| found.upper));
                match (lower, upper) {
                    (Some(lower), Some(upper)) => Interval { lower, upper },
                    _ => before[state.get()],
                }
            })
            .collect();
        if &after != before {
            rounds.push(after);
            continue;
        }
        let closed = after.into_iter().map(|found| Interval {
            lower: found.lower.max(if found.upper > -1 { 0 } else { -1 }),
            upper: found.upper.min(if found.lower < 1 { 0 } else { 1 }),
        });
        let closed = closed.collect();
        rounds.push(closed);
        return rounds;
    }
}

/// The values by the definition of a game that may go on for ever: a side wins if it wins within as many
/// moves as there are states, whatever the other does.
fn values(graph: &Graph, players: &[Player]) -> Vec<i8> {
    let wins = |side: Player| {
        let own = |value: i8| if side == Player::Max { value } else { -value };
        let mut wins: Vec<bool> = graph
            .states()
            .map(|state| {
                let end = graph.end(state);
                end.is_some_and(|value| own(value_for_max(value, players[state.get()])) == 1)
            })
            .collect();
        for _ in 0..graph.len() {
            wins = graph
                .states()
                .map(|state| {
                    let mut reached = graph
                        .successors(state)
                        .iter()
                        .map(|next| next.state().is_some_and(|state| wins[state.get()]));
                    match graph.end(state) {
                        Some(_) => wins[state.get()],
                        None if players[state.get()] == side => reached.any(|wins| wins),
                        None => reached.all(|wins| wins),
                    }
                })
                .collect();
        }
        wins
    };
    let (max, min) = (wins(Player::Max), wins(Player::Min));
    let value = |state: usize| i8::from(max[state]) - i8::from(min[state]);
    (0..graph.len()).map(value).collect()
}

fn interval(bounds: &Bounds, successor: Successor, round: Round) -> Interval {
    successor
        .state()
        .map_or(Interval::point(0), |state| bounds.interval(state, round))
}

proptest! {
    #![proptest_config(support::property(2_000))]

    #[test]
    fn bounds_are_their_slow_twin_in_every_round(game in games(9)) {
        let (graph, players) = build(&game);
        let bounds = Bounds::of(&graph, &players, &Silent).unwrap();
        let twin = rounds_by_definition(&graph, &players);
        prop_assert_eq!(usize::from(bounds.rounds) + 1, twin.len());
        for (round, intervals) in twin.iter().enumerate() {
            for state in graph.states() {
                prop_assert_eq!(bounds.interval(state, round as Round), intervals[state.get()]);
            }
        }
    }

    #[test]
    fn bounds_hold_the_values_and_close(game in games(9)) {
        let (graph, players) = build(&game);
        let bounds = Bounds::of(&graph, &players, &Silent).unwrap();
        let values = values(&graph, &players);
        for state in graph.states() {
            let value = values[state.get()];
            let mut before = Interval::UNKNOWN;
            for round in 0..=bounds.rounds {
                let found = bounds.interval(state, round);
                prop_assert!(found.contains(value));
                prop_assert!(before.lower <= found.lower && found.upper <= before.upper);
                before = found;
            }
            prop_assert_eq!(before, Interval::point(value));
        }
    }

    /// Where the sides move in turn, the values are those of retrograde analysis.
    #[test]
    fn bounds_are_what_retrograde_analysis_finds(game in alternating(12)) {
        let (graph, players) = build(&game);
        let bounds = Bounds::of(&graph, &players, &Silent).unwrap();
        let solved = retrograde::solve(&graph, &Silent).unwrap();
        for state in graph.states() {
            let value = value_for_max(solved.of(state), players[state.get()]);
            prop_assert_eq!(bounds.interval(state, bounds.rounds), Interval::point(value));
            // A win is found in the round of its distance.
            if let Some(plies) = solved.of(state).distance() {
                let wins = if value == 1 { &bounds.max_wins } else { &bounds.min_wins };
                prop_assert_eq!(wins[state.get()], plies.get());
                prop_assert!(solved.of(state).outcome() != Outcome::Draw);
            }
        }
    }

    #[test]
    fn every_deletion_is_dominated_by_a_move_that_is_kept(game in games(9), counted in 0..10_usize) {
        let (graph, players) = build(&game);
        let bounds = Bounds::of(&graph, &players, &Silent).unwrap();
        let counted = counted.min(graph.len());
        let dominance =
            Dominance::of(&graph, &players, &bounds, graph.len(), counted, &Silent).unwrap();
        let (mut first, mut strict, mut equal, mut open) = (0, 0, 0, 0);
        for state in graph.states() {
            let moves = graph.successors(state);
            let places = first..first + moves.len();
            let dominators = &dominance.dominators[places.clone()];
            let rounds = &dominance.rounds[places];
            first += moves.len();
            let sign = if players[state.get()] == Player::Max { 1 } else { -1 };
            // For the side that moves.
            let known = |place: usize, round| {
                let found = interval(&bounds, moves[place], round);
                if sign == 1 { (found.lower, found.upper) } else { (-found.upper, -found.lower) }
            };
            prop_assert!(moves.is_empty() || dominators.contains(&KEPT));
            for place in 0..moves.len() {
                let (dominator, round) = (dominators[place], rounds[place]);
                if dominator == KEPT {
                    prop_assert_eq!(round, NEVER);
                    continue;
                }
                prop_assert_eq!(dominators[usize::from(dominator)], KEPT);
                let ((own, upper), (lower, _)) = (known(place, round), known(usize::from(dominator), round));
                prop_assert!(lower >= upper);
                if let Some(before) = round.checked_sub(1) {
                    prop_assert!(known(usize::from(dominator), before).0 < known(place, before).1);
                }
                if state.get() < counted {
                    strict += u64::from(lower > upper);
                    equal += u64::from(lower == upper);
                    open += u64::from(own != upper);
                }
            }
            // In the end only moves are kept that are best, or that were needed before it was known which is.
            let best = (0..moves.len()).map(|place| known(place, bounds.rounds).0).max();
            for place in (0..moves.len()).filter(|&place| dominators[place] == KEPT) {
                let is_needed = dominators.contains(&(place as u8));
                prop_assert!(is_needed || Some(known(place, bounds.rounds).1) == best);
            }
        }
        prop_assert_eq!(dominance.dominators.len(), first);
        let counts = dominance.counts;
        prop_assert_eq!((counts.strict, counts.equal, counts.open), (strict, equal, open));
    }
}
