//! Local proofs on random games with cycles: what is proved is true, and the states listed are enough to see it.

mod support;

use std::collections::HashMap;

use dchess::game::{Interval, Player, Silent};
use dchess::solve::alpha_beta::AlphaBeta;
use dchess::solve::local::{Budget, Expansion, Positions, Proved, Target, prove};
use proptest::prelude::*;

/// A state: whose turn it is and its moves; without moves it is an end. A target beyond the states is a value that
/// is known.
#[derive(Clone, Debug)]
struct Spec {
    is_max: bool,
    targets: Vec<usize>,
    end: i8,
    estimate: u32,
}

#[derive(Clone, Debug)]
struct Toy(Vec<Spec>);

impl Toy {
    fn target(&self, target: usize) -> Target<usize> {
        match target.checked_sub(self.0.len()) {
            None => Target::State(target),
            Some(known) => Target::Known(known as i8 - 1),
        }
    }
}

impl Positions for Toy {
    type State = usize;

    fn player(&self, &state: &usize) -> Player {
        match self.0[state].is_max {
            true => Player::Max,
            false => Player::Min,
        }
    }

    fn expand(&mut self, &state: &usize) -> Expansion<usize> {
        let spec = &self.0[state];
        if spec.targets.is_empty() {
            return Expansion::End(spec.end);
        }
        let mut targets = spec.targets.clone();
        targets.sort_unstable();
        targets.dedup();
        Expansion::Moves(
            targets
                .into_iter()
                .map(|target| self.target(target))
                .collect(),
        )
    }

    fn estimate(&self, &state: &usize, _winner: Player) -> u32 {
        self.0[state].estimate
    }
}

fn toys(most: usize) -> impl Strategy<Value = Toy> {
    (1..=most).prop_flat_map(|states| {
        let targets = prop_oneof![
            1 => Just(Vec::new()),
            4 => prop::collection::vec(0..states + 3, 1..4),
            4 => prop::collection::vec(0..states, 1..4),
        ];
        let spec = (any::<bool>(), targets, -1..=1_i8, 0..20_u32);
        let spec = spec.prop_map(|(is_max, targets, end, estimate)| Spec {
            is_max,
            targets,
            end,
            estimate,
        });
        prop::collection::vec(spec, states).prop_map(Toy)
    })
}

/// The values by definition: a side wins if it wins within as many moves as there are states.
fn values(toy: &Toy) -> Vec<i8> {
    let wins = |sign: i8| {
        let mut wins = vec![false; toy.0.len()];
        for _ in 0..=toy.0.len() {
            let reached = |target: &usize| match toy.target(*target) {
                Target::State(state) => wins[state],
                Target::Known(value) => sign * value == 1,
            };
            wins = toy
                .0
                .iter()
                .map(|spec| match spec.targets.is_empty() {
                    true => sign * spec.end == 1,
                    false if spec.is_max == (sign == 1) => spec.targets.iter().any(reached),
                    false => spec.targets.iter().all(reached),
                })
                .collect();
        }
        wins
    };
    let (max, min) = (wins(1), wins(-1));
    (0..toy.0.len())
        .map(|state| i8::from(max[state]) - i8::from(min[state]))
        .collect()
}

/// Whether each bound of a state follows from the other states of the list, by rank or as a closed set.
fn is_witnessed(toy: &Toy, state: &Proved<usize>, list: &HashMap<usize, Proved<usize>>) -> bool {
    let spec = &toy.0[state.state];
    [1, -1].into_iter().all(|sign: i8| {
        let own = |interval: Interval| match sign {
            1 => interval.lower,
            _ => -interval.upper,
        };
        let is_own_turn = spec.is_max == (sign == 1);
        let bound = own(state.interval);
        if spec.targets.is_empty() {
            return bound <= sign * spec.end;
        }
        let mut reached = spec.targets.iter().map(|&target| match toy.target(target) {
            Target::Known(value) => match bound {
                1 => sign * value == 1,
                _ => sign * value >= 0,
            },
            Target::State(next) => list.get(&next).is_some_and(|next| match bound {
                1 => own(next.interval) == 1 && next.rank < state.rank,
                _ => own(next.interval) >= 0,
            }),
        });
        match bound {
            -1 => true,
            1 if state.rank.is_none() => false,
            _ if is_own_turn => reached.any(|reached| reached),
            _ => reached.all(|reached| reached),
        }
    })
}

proptest! {
    #![proptest_config(support::property(4_000))]

    #[test]
    fn with_room_enough_the_value_is_proved(toy in toys(10)) {
        let values = values(&toy);
        let mut game = toy.clone();
        for (root, &value) in values.iter().enumerate() {
            let proof = prove(&mut game, &root, Budget { states: 100 }, &Silent).unwrap();
            prop_assert_eq!(proof.interval, Interval::point(value));
            prop_assert!(proof.states.len() <= proof.expanded && proof.expanded <= toy.0.len());
            prop_assert!(proof.examined <= proof.moves);
        }
    }

    #[test]
    fn alpha_beta_says_nothing_else(toy in toys(7), nodes in 1..3_000_u64) {
        let values = values(&toy);
        let mut game = toy.clone();
        let mut baseline = AlphaBeta::new(&mut game);
        for (root, &value) in values.iter().enumerate() {
            let found = baseline.search(&root, nodes, &Silent).unwrap();
            prop_assert!(found.value.is_none_or(|found| found == value));
            prop_assert!(found.nodes <= nodes + 3);
            let found = baseline.search(&root, 1_000_000, &Silent).unwrap();
            prop_assert_eq!(found.value, Some(value));
        }
    }

    #[test]
    fn what_is_proved_is_true_and_witnessed(toy in toys(10), states in 0..8_usize) {
        let values = values(&toy);
        let mut game = toy.clone();
        for root in 0..toy.0.len() {
            let proof = prove(&mut game, &root, Budget { states }, &Silent).unwrap();
            prop_assert!(proof.expanded <= states);
            prop_assert!(proof.interval.contains(values[root]));
            let list: HashMap<usize, Proved<usize>> =
                proof.states.iter().map(|found| (found.state, found.clone())).collect();
            prop_assert_eq!(list.len(), proof.states.len());
            if let Some(found) = list.get(&root) {
                prop_assert_eq!(found.interval, proof.interval);
            } else {
                prop_assert_eq!(proof.interval, Interval::UNKNOWN);
            }
            for found in &proof.states {
                prop_assert!(found.interval.contains(values[found.state]));
                prop_assert!(is_witnessed(&toy, found, &list), "{:?} of {:?}", found, proof);
            }
        }
    }
}
