//! Refinement against its definitions, on random games.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use dchess::game::{Graph, GraphBuilder, Silent, StateIndex, Successor, Value};
use dchess::solve::refine::{Refinement, refine};
use proptest::prelude::*;

/// A random game: for each state a label and where its moves lead (the number of states stands for
/// the sink).
type Game = Vec<(u32, Vec<usize>)>;

fn games(most: usize) -> impl Strategy<Value = Game> {
    (1..=most).prop_flat_map(|states| {
        let moves = prop::collection::vec(0..=states, 0..4);
        prop::collection::vec((0..3_u32, moves), states)
    })
}

/// Long chains, in which one round tells one state more apart.
fn chains() -> impl Strategy<Value = Game> {
    (
        2..40_usize,
        prop::collection::vec((0..40_usize, 0..40_usize), 0..4),
    )
        .prop_map(|(length, more)| {
            let mut game: Game = (0..length)
                .map(|state| (0, if state == 0 { vec![] } else { vec![state - 1] }))
                .collect();
            for (from, to) in more {
                game[from % length].1.push(to % (length + 1));
            }
            game
        })
}

fn build(game: &Game) -> (Graph, Vec<u32>) {
    let mut builder = GraphBuilder::new();
    for (_, targets) in game {
        let successor = |&target: &usize| match target {
            sink if sink == game.len() => Successor::SINK,
            state => StateIndex::new(state).into(),
        };
        if targets.is_empty() {
            builder.push_end(Value::Draw);
        } else {
            builder.push(&targets.iter().map(successor).collect::<Vec<_>>());
        }
    }
    (
        builder.finish(),
        game.iter().map(|&(label, _)| label).collect(),
    )
}

fn refined(game: &Game) -> Refinement {
    let (graph, labels) = build(game);
    refine(&graph, &labels, &Silent).unwrap()
}

/// Blocks numbered by their first state.
fn numbered<K: Ord + Clone>(keys: &[K]) -> Vec<u32> {
    let mut numbers = BTreeMap::new();
    keys.iter()
        .map(|key| {
            let next = numbers.len() as u32;
            *numbers.entry(key.clone()).or_insert(next)
        })
        .collect()
}

/// The slow twin: every round looks at every state. The partitions before the first round and after
/// each.
fn full_passes(game: &Game) -> Vec<Vec<u32>> {
    let labels: Vec<u32> = game.iter().map(|&(label, _)| label).collect();
    let mut partitions = vec![numbered(&labels)];
    loop {
        let last = partitions.last().unwrap();
        let keys: Vec<(u32, BTreeSet<Option<u32>>)> = game
            .iter()
            .enumerate()
            .map(|(state, (_, targets))| {
                let reached = targets.iter().map(|&target| last.get(target).copied());
                (last[state], reached.collect())
            })
            .collect();
        let next = numbered(&keys);
        let is_stable = next == *last;
        partitions.push(next);
        if is_stable {
            return partitions;
        }
    }
}

/// The definition: the largest relation in which related states have the same label and match each
/// other's moves.
fn pairwise(game: &Game) -> Vec<u32> {
    let states = game.len();
    let mut related: Vec<Vec<bool>> = (0..states)
        .map(|a| (0..states).map(|b| game[a].0 == game[b].0).collect())
        .collect();
    loop {
        let before = related.clone();
        let matches = |a: usize, b: usize| {
            game[a].1.iter().all(|&to| {
                game[b]
                    .1
                    .iter()
                    .any(|&other| match (to == states, other == states) {
                        (true, true) => true,
                        (false, false) => before[to][other],
                        _ => false,
                    })
            })
        };
        for a in 0..states {
            for b in 0..states {
                related[a][b] = before[a][b] && matches(a, b) && matches(b, a);
            }
        }
        if related == before {
            break;
        }
    }
    numbered(&related)
}

/// The partitions that the history of a refinement tells.
fn told(refinement: &Refinement) -> Vec<Vec<u32>> {
    (0..=refinement.rounds() as u32)
        .map(|round| {
            let blocks = refinement.blocks.iter();
            let of_round: Vec<u32> = blocks
                .map(|&block| refinement.block_after(round, block))
                .collect();
            numbered(&of_round)
        })
        .collect()
}

fn check(game: &Game) -> Result<(), TestCaseError> {
    let found = refined(game);
    let slow = full_passes(game);
    prop_assert_eq!(&told(&found), &slow);
    prop_assert_eq!(&found.blocks, slow.last().unwrap());
    let counts: Vec<u32> = slow
        .iter()
        .map(|partition| partition.iter().max().map_or(0, |most| most + 1))
        .collect();
    prop_assert_eq!(&found.blocks_per_round, &counts);
    for (block, origin) in found.origins.iter().enumerate() {
        let parent = origin.parent as usize;
        prop_assert!(parent <= block && (parent == block) == (origin.round == 0));
        prop_assert!(parent == block || found.origins[parent].round < origin.round);
    }
    Ok(())
}

proptest! {
    #![proptest_config(support::property(2_000))]

    #[test]
    fn refinement_is_the_pairwise_definition(game in games(8)) {
        check(&game)?;
        prop_assert_eq!(refined(&game).blocks, pairwise(&game));
    }

    #[test]
    fn refinement_is_its_slow_twin(game in prop_oneof![games(60), chains()]) {
        check(&game)?;
    }

    /// Another order of the states, and other numbers of threads, give the same blocks.
    #[test]
    fn order_and_threads_play_no_part(game in prop_oneof![games(60), chains()], seed in any::<u64>()) {
        let found = refined(&game);
        let states = game.len();
        // A permutation: multiply by a unit modulo the number of states, and shift.
        let factor = (1..).map(|n| seed as usize % states + n).find(|&n| gcd(n, states) == 1).unwrap();
        let place = |state: usize| (state * factor + seed as usize % 7) % states;
        let mut shuffled: Game = vec![(0, vec![]); states];
        for (state, (label, targets)) in game.iter().enumerate() {
            let target = |&to: &usize| if to == states { to } else { place(to) };
            shuffled[place(state)] = (*label, targets.iter().map(target).collect());
        }
        let other = refined(&shuffled);
        let back: Vec<u32> = (0..states).map(|state| other.blocks[place(state)]).collect();
        prop_assert_eq!(numbered(&back), found.blocks.clone());
        prop_assert_eq!(&other.blocks_per_round, &found.blocks_per_round);
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            prop_assert_eq!(pool.install(|| refined(&game)), found.clone());
        }
    }
}

proptest! {
    #![proptest_config(support::property(4))]

    /// Enough states that every thread has a share.
    #[test]
    fn shares_of_threads_are_put_together(seed in any::<u64>()) {
        let states = 40_000;
        let mut x = seed;
        let mut next = |below: usize| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) as usize % below
        };
        let game: Game = (0..states)
            .map(|state| {
                // Few ends, and most moves to states nearby.
                let moves = if state % 97 == 0 { 0 } else { 1 + next(3) };
                let targets = (0..moves).map(|_| (state + next(50)) % (states + 1)).collect();
                (u32::from(state % 1_009 == 0), targets)
            })
            .collect();
        let found: Vec<Refinement> = [1, 2, 3]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| refined(&game))
            })
            .collect();
        prop_assert!(found.iter().all(|other| *other == found[0]));
        check(&game)?;
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
