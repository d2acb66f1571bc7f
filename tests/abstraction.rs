//! Abstraction against brute force, on random games with cycles, ends and draws, and random features.

mod support;

use dchess::game::{
    Graph, GraphBuilder, Interval, Player, Plies, Silent, StateIndex, Successor, Value,
};
use dchess::solve::abstraction::{
    Abstraction, Arena, BlockBounds, DecisionTree, Finish, Line, Measures, NO_RANK, Question, Rows,
    Settings, Watch,
};
use dchess::solve::bounds::value_for_max;
use proptest::prelude::*;

/// A state: whose turn it is, its moves, and its features; without moves it is an end. The number of states stands for
/// the sink.
#[derive(Clone, Debug)]
struct Spec {
    is_max: bool,
    targets: Vec<usize>,
    /// What the end is for the side to move.
    is_lost: bool,
    features: Vec<u8>,
}

/// Two random features, besides the side to move.
fn games(most: usize) -> impl Strategy<Value = Vec<Spec>> {
    (1..=most).prop_flat_map(|states| {
        let targets = prop_oneof![
            1 => Just(Vec::new()),
            4 => prop::collection::vec(0..=states, 1..4),
        ];
        let features = prop::collection::vec(0..6_u8, 2);
        let state = (any::<bool>(), targets, any::<bool>(), features);
        let state = state.prop_map(|(is_max, targets, is_lost, features)| Spec {
            is_max,
            targets,
            is_lost,
            features,
        });
        prop::collection::vec(state, states)
    })
}

struct Game {
    graph: Graph,
    players: Vec<Player>,
    rows: Rows,
    values: Vec<i8>,
}

/// A game; with `telling` features every state has a number of its own among them.
fn build(specs: &[Spec], telling: bool) -> Game {
    let mut builder = GraphBuilder::new();
    for spec in specs {
        let target = |&target: &usize| match target {
            sink if sink == specs.len() => Successor::SINK,
            state => StateIndex::new(state).into(),
        };
        match spec.targets.is_empty() {
            true if spec.is_lost => builder.push_end(Value::Loss(Plies::ZERO)),
            true => builder.push_end(Value::Draw),
            false => builder.push(&spec.targets.iter().map(target).collect::<Vec<_>>()),
        }
    }
    let graph = builder.finish();
    let players: Vec<Player> = specs
        .iter()
        .map(|spec| match spec.is_max {
            true => Player::Max,
            false => Player::Min,
        })
        .collect();
    let mut values = Vec::new();
    for (state, spec) in specs.iter().enumerate() {
        values.push(u8::from(!spec.is_max));
        values.extend(&spec.features);
        values.push(if telling { state as u8 } else { 0 });
    }
    Game {
        values: values_by_definition(&graph, &players),
        rows: Rows::new(4, values),
        graph,
        players,
    }
}

/// The values of a game that may go on for ever: a side wins if it wins within as many moves as there are
/// states, whatever the other does.
fn values_by_definition(graph: &Graph, players: &[Player]) -> Vec<i8> {
    let wins = |side: Player| {
        let own = |value: i8| if side == Player::Max { value } else { -value };
        let ends = graph.states().map(|state| {
            let end = graph.end(state);
            end.is_some_and(|value| own(value_for_max(value, players[state.get()])) == 1)
        });
        let mut wins: Vec<bool> = ends.collect();
        for _ in 0..graph.len() {
            let next = graph.states().map(|state| {
                let mut reached = graph
                    .successors(state)
                    .iter()
                    .map(|next| next.state().is_some_and(|state| wins[state.get()]));
                match graph.end(state) {
                    Some(_) => wins[state.get()],
                    None if players[state.get()] == side => reached.any(|wins| wins),
                    None => reached.all(|wins| wins),
                }
            });
            wins = next.collect();
        }
        wins
    };
    let (max, min) = (wins(Player::Max), wins(Player::Min));
    let value = |(max, min): (&bool, &bool)| i8::from(*max) - i8::from(*min);
    max.iter().zip(&min).map(value).collect()
}

/// The tree that asks only who is to move.
fn sides() -> DecisionTree {
    let side = Question {
        feature: 0,
        most: 0,
    };
    DecisionTree::of(&[Line::Test(side, None), Line::Leaf, Line::Leaf]).unwrap()
}

fn settings(horizon: u8) -> Settings {
    Settings {
        horizon,
        trials: 20,
        seed: 1,
        most_blocks: usize::MAX,
        most_depth: 100,
    }
}

fn find(game: &Game, horizon: u8, witness: &mut dyn FnMut(&[Interval])) -> Abstraction {
    let arena = Arena::new(&game.graph, &game.players, game.graph.len());
    let watch = Watch {
        observer: &Silent,
        is_enough: &|| false,
        witness: Some(witness),
    };
    Abstraction::find(
        &arena,
        &game.rows,
        &sides(),
        None,
        &settings(horizon),
        watch,
    )
    .unwrap()
}

/// Whether `side` can force a state that is good within so many plies, a ply at least: a plain search.
fn forces(
    game: &Game,
    side: Player,
    state: StateIndex,
    plies: u8,
    is_good: &dyn Fn(Option<StateIndex>) -> bool,
) -> bool {
    if plies == 0 || game.graph.degree(state) == 0 {
        return false;
    }
    let mut after = game.graph.successors(state).iter().map(|next| {
        let next = next.state();
        is_good(next) || next.is_some_and(|next| forces(game, side, next, plies - 1, is_good))
    });
    match game.players[state.get()] == side {
        true => after.any(|good| good),
        false => after.all(|good| good),
    }
}

/// Checks bounds and ranks as the format page says, by a plain search from every state.
fn check(
    game: &Game,
    blocks: &[u32],
    bounds: &BlockBounds,
    horizon: u8,
) -> Result<(), TestCaseError> {
    let of = |state: StateIndex| blocks[state.get()] as usize;
    for state in game.graph.states() {
        let interval = bounds.intervals[of(state)];
        let rank = bounds.ranks[of(state)];
        let end = game.graph.end(state);
        if let Some(value) = end {
            let value = value_for_max(value, game.players[state.get()]);
            prop_assert!(interval.contains(value));
            continue;
        }
        for (side, bound) in [
            (Player::Max, interval.lower),
            (Player::Min, -interval.upper),
        ] {
            let worth = |state: StateIndex| {
                let value = game.graph.end(state)?;
                let value = value_for_max(value, game.players[state.get()]);
                Some(if side == Player::Max { value } else { -value })
            };
            let bound_of = |state: StateIndex| {
                let interval = bounds.intervals[of(state)];
                if side == Player::Max {
                    interval.lower
                } else {
                    -interval.upper
                }
            };
            let lower_rank = |next: Option<StateIndex>| {
                next.is_some_and(|next| match worth(next) {
                    Some(value) => value == 1,
                    None => bound_of(next) == 1 && bounds.ranks[of(next)] < rank,
                })
            };
            let held = |next: Option<StateIndex>| {
                next.is_none_or(|next| match worth(next) {
                    Some(value) => value >= 0,
                    None => bound_of(next) >= 0,
                })
            };
            match bound {
                1 => {
                    prop_assert!(rank != NO_RANK && forces(game, side, state, horizon, &lower_rank))
                }
                0 => prop_assert!(forces(game, side, state, horizon, &held)),
                _ => {}
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(support::property(400))]

    /// Whatever the features are, every interval holds the value in every round, no bound loosens, and every
    /// bound in the end is one that a plain search finds.
    #[test]
    fn bounds_hold_and_never_loosen(specs in games(24), horizon in prop::sample::select(vec![1_u8, 3, 5])) {
        let game = build(&specs, false);
        let mut before = vec![Interval::UNKNOWN; specs.len()];
        let mut rounds = 0;
        let mut fault = None;
        let found = find(&game, horizon, &mut |intervals| {
            rounds += 1;
            for (state, interval) in intervals.iter().enumerate() {
                let is_tighter = before[state].lower <= interval.lower && interval.upper <= before[state].upper;
                if !interval.contains(game.values[state]) || !is_tighter {
                    fault = Some((rounds, state, *interval));
                }
            }
            before = intervals.to_vec();
        });
        prop_assert_eq!(fault, None);
        prop_assert_eq!(rounds, found.stages.len());
        for (state, value) in game.values.iter().enumerate() {
            prop_assert!(found.interval(StateIndex::new(state)).contains(*value));
        }
        check(&game, &found.blocks, &found.bounds, horizon)?;
    }

    /// If features tell all states apart, everything is decided, and every interval is the value.
    #[test]
    fn with_features_that_tell_everything_apart_all_is_decided(specs in games(24), horizon in prop::sample::select(vec![1_u8, 3])) {
        let game = build(&specs, true);
        let found = find(&game, horizon, &mut |_| {});
        prop_assert_eq!(found.finish, Finish::Complete);
        for (state, &value) in game.values.iter().enumerate() {
            prop_assert_eq!(found.interval(StateIndex::new(state)), Interval::point(value));
        }
        let blocks = found.trials.iter().map(|&(_, blocks)| blocks);
        prop_assert!(blocks.is_sorted_by(|before, after| before > after), "trials make trees smaller");
        prop_assert_eq!(found.trials.last().map(|last| last.1), Some(found.bounds.intervals.len()));
    }

    /// The blocks of any partition have the best bounds that the definition allows: one that is not there cannot be
    /// added without a plain search finding it wanting.
    #[test]
    fn no_bound_is_missing(specs in games(16), horizon in prop::sample::select(vec![1_u8, 3])) {
        let game = build(&specs, false);
        let arena = Arena::new(&game.graph, &game.players, game.graph.len());
        let mut blocks: Vec<u32> = specs
            .iter()
            .map(|spec| 2 * u32::from(spec.features[0]) + u32::from(spec.is_max))
            .collect();
        let mut names: Vec<u32> = blocks.clone();
        names.sort_unstable();
        names.dedup();
        for block in &mut blocks {
            *block = names.binary_search(block).unwrap() as u32;
        }
        let bounds = BlockBounds::of(&arena, &blocks, horizon, &Silent).unwrap();
        check(&game, &blocks, &bounds, horizon)?;
        for block in 0..names.len() {
            // A win of the next rank, or a hold, of one block more.
            for (lower, upper) in [(1, 1), (-1, -1)] {
                if bounds.intervals[block].lower != lower && bounds.intervals[block].upper != upper {
                    let mut bold = bounds.clone();
                    bold.intervals[block] = Interval { lower, upper };
                    bold.ranks[block] = NO_RANK - 1;
                    prop_assert!(check(&game, &blocks, &bold, horizon).is_err());
                }
            }
            let interval = bounds.intervals[block];
            for better in [Interval { lower: 0, ..interval }, Interval { upper: 0, ..interval }] {
                if interval.lower <= better.lower && better.upper <= interval.upper && better != interval
                    && interval.lower < 1 && interval.upper > -1 {
                    let mut bold = bounds.clone();
                    bold.intervals[block] = better;
                    prop_assert!(check(&game, &blocks, &bold, horizon).is_err());
                }
            }
        }
    }

    /// What a checker looks at is counted as a plain search looks, state by state.
    #[test]
    fn lookups_of_single_searches_are_counted(specs in games(16), horizon in prop::sample::select(vec![1_u8, 3])) {
        let game = build(&specs, true);
        let found = find(&game, horizon, &mut |_| {});
        let arena = Arena::new(&game.graph, &game.players, game.graph.len());
        let (blocks, bounds) = (&found.blocks, &found.bounds);
        let measures = Measures::of(&arena, blocks, bounds, horizon, &Silent).unwrap();
        let mut lookups = 0;
        for state in game.graph.states().filter(|&state| game.graph.degree(state) > 0) {
            let block = blocks[state.get()] as usize;
            let (interval, rank) = (bounds.intervals[block], bounds.ranks[block]);
            for (side, bound) in [(Player::Max, interval.lower), (Player::Min, -interval.upper)] {
                let own = |interval: Interval| if side == Player::Max { interval.lower } else { -interval.upper };
                let is_good = |next: Option<StateIndex>| {
                    let Some(next) = next else { return bound == 0 };
                    let other = blocks[next.get()] as usize;
                    match game.graph.end(next) {
                        Some(value) => {
                            let value = value_for_max(value, game.players[next.get()]);
                            (if side == Player::Max { value } else { -value }) >= bound
                        }
                        None if bound == 1 => own(bounds.intervals[other]) == 1 && bounds.ranks[other] < rank,
                        None => own(bounds.intervals[other]) >= 0,
                    }
                };
                if bound >= 0 {
                    count(&game, side, state, horizon, &is_good, &mut lookups);
                }
            }
        }
        prop_assert_eq!(measures.lookups_alone, lookups);
        prop_assert_eq!(measures.edges, game.graph.edge_count() as u64);
        prop_assert!(measures.deleted_strict + measures.deleted_equal < measures.edges.max(1));
    }
}

/// [`forces`], counting.
fn count(
    game: &Game,
    side: Player,
    state: StateIndex,
    plies: u8,
    is_good: &dyn Fn(Option<StateIndex>) -> bool,
    lookups: &mut u64,
) -> bool {
    let is_own = game.players[state.get()] == side;
    if plies == 0 || game.graph.degree(state) == 0 {
        return false;
    }
    for next in game.graph.successors(state) {
        *lookups += 1;
        let next = next.state();
        let good = is_good(next)
            || next.is_some_and(|next| count(game, side, next, plies - 1, is_good, lookups));
        if good == is_own {
            return is_own;
        }
    }
    !is_own
}

/// A line of play: from 0 Max moves to 1, from there Min to 2, from there Max to 3, where Min has lost.
#[test]
fn ranks_follow_the_horizon() {
    let state = |number| Successor::from(StateIndex::new(number));
    let mut builder = GraphBuilder::new();
    builder.push(&[state(1)]);
    builder.push(&[state(2)]);
    builder.push(&[state(3)]);
    builder.push_end(Value::Loss(Plies::ZERO));
    let graph = builder.finish();
    let players = [Player::Max, Player::Min, Player::Max, Player::Min];
    let arena = Arena::new(&graph, &players, 4);
    let ranks = |horizon, blocks: &[u32]| {
        BlockBounds::of(&arena, blocks, horizon, &Silent)
            .unwrap()
            .ranks
    };
    assert_eq!(ranks(1, &[0, 1, 2, 3]), [3, 2, 1, 1]);
    assert_eq!(ranks(3, &[0, 1, 2, 3]), [1, 1, 1, 1]);
    // 0 and 2 together: 0 needs three plies to mate, and the block has no smaller rank before.
    assert_eq!(ranks(1, &[0, 1, 0, 2]), [NO_RANK, NO_RANK, 1]);
    assert_eq!(ranks(3, &[0, 1, 0, 2]), [1, 1, 1]);
}
