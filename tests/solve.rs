//! Retrograde analysis and the pruning ceiling against their definitions, on random games.

mod support;

use dchess::game::{
    Graph, GraphBuilder, Interrupted, Observer, Outcome, Plies, Silent, StateIndex, Successor,
    Value, Values,
};
use dchess::solve::{ceiling::Ceiling, retrograde};
use proptest::prelude::*;

/// A state of a random game: the value of an end, or where its moves lead (the number of states stands
/// for the sink).
#[derive(Clone, Debug)]
enum Spec {
    End(Value),
    Moves(Vec<usize>),
}

/// Games of one to nine states with cycles, ends, the sink and repeated moves.
fn games() -> impl Strategy<Value = Vec<Spec>> {
    (1_usize..10).prop_flat_map(|states| {
        let state = prop_oneof![
            2 => Just(Spec::End(Value::Loss(Plies::ZERO))),
            1 => Just(Spec::End(Value::Draw)),
            1 => (0..6_u16).prop_map(|n| Spec::End(Value::Loss(Plies::new(2 * n)))),
            1 => (0..6_u16).prop_map(|n| Spec::End(Value::Win(Plies::new(2 * n + 1)))),
            7 => prop::collection::vec(0..=states, 1..5).prop_map(Spec::Moves),
        ];
        prop::collection::vec(state, states)
    })
}

fn build(game: &[Spec]) -> Graph {
    let mut builder = GraphBuilder::new();
    for state in game {
        match state {
            &Spec::End(value) => builder.push_end(value),
            Spec::Moves(targets) => {
                let successor = |&target: &usize| match target {
                    sink if sink == game.len() => Successor::SINK,
                    state => StateIndex::new(state).into(),
                };
                builder.push(&targets.iter().map(successor).collect::<Vec<_>>());
            }
        }
    }
    builder.finish()
}

/// The definition: who can force the end within `horizon` plies, and how fast. Everything that is
/// not forced within twice the number of states and the longest distance of an end is never forced.
fn solve_naive(game: &[Spec]) -> Vec<Value> {
    let mut values: Vec<Value> = vec![Value::Draw; game.len()];
    for _ in 0..=2 * game.len() + 12 {
        values = game
            .iter()
            .map(|state| match state {
                &Spec::End(value) => value,
                Spec::Moves(targets) => {
                    let reached = |&target: &usize| match values.get(target) {
                        Some(value) => value.for_the_mover(),
                        None => Value::Draw,
                    };
                    targets.iter().map(reached).max().unwrap()
                }
            })
            .collect();
    }
    values
}

proptest! {
    #![proptest_config(support::property(2_000))]

    #[test]
    fn retrograde_analysis_is_the_definition(game in games()) {
        let found = retrograde::solve(&build(&game), &Silent).unwrap();
        prop_assert_eq!(found, Values::new(solve_naive(&game)));
    }

    #[test]
    fn the_ceiling_counts_edges_by_definition(game in games()) {
        let graph = build(&game);
        let values = solve_naive(&game);
        let found = Ceiling::measure(&graph, &Values::new(values.clone()), graph.len());
        let (mut edges, mut inner, mut worse, mut optimal) = (0, 0, 0, 0);
        for (state, spec) in game.iter().enumerate() {
            let Spec::Moves(targets) = spec else { continue };
            let mut distinct = targets.clone();
            distinct.sort_unstable();
            distinct.dedup();
            inner += 1;
            edges += distinct.len();
            for target in distinct {
                let after = values.get(target).map_or(Value::Draw, |value| value.for_the_mover());
                worse += usize::from(after.outcome() < values[state].outcome());
                optimal += usize::from(after == values[state]);
            }
        }
        let expected = Ceiling { edges, inner_states: inner, strictly_worse: worse, optimal };
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn the_random_games_reach_every_result() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::new(support::property(1));
    let mut outcomes = Vec::new();
    let mut longest = Plies::ZERO;
    for _ in 0..200 {
        let game = games().new_tree(&mut runner).unwrap().current();
        for value in solve_naive(&game) {
            outcomes.push(value.outcome());
            longest = longest.max(value.distance().unwrap_or(Plies::ZERO));
        }
    }
    for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
        assert!(outcomes.contains(&outcome), "{outcome:?}");
    }
    assert!(longest >= Plies::new(4), "{longest}");
}

/// Tells the work to stop once it has begun.
struct Impatient;

impl Observer for Impatient {
    fn begin(&self, _stage: &str, _steps: u64) {}

    fn advance(&self, _steps: u64) {}

    fn is_interrupted(&self) -> bool {
        true
    }
}

#[test]
fn an_interrupted_solver_gives_no_values() {
    let graph = build(&[Spec::Moves(vec![1]), Spec::End(Value::Loss(Plies::ZERO))]);
    assert_eq!(retrograde::solve(&graph, &Impatient), Err(Interrupted));
}
