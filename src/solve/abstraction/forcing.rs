//! What a side can force within a number of plies: the concrete part of an abstraction.
//!
//! A side *forces* a set of states within *k* plies if it can play so that one of them is met after *k* plies at
//! most, whatever the other side does. The set grows while blocks are decided, so the plies of every state are
//! kept and brought up to date from where something changed, backwards; they only ever get fewer. A state where the
//! other side moves keeps count of its successors that are still too far, for each number of plies.

use super::arena::Arena;
use crate::game::{Player, StateIndex};

/// A number of plies within the horizon, or [`TOO_MANY`].
pub(super) type Depth = u8;

/// The horizon is not enough.
pub(super) const TOO_MANY: Depth = Depth::MAX;

/// How many plies one side needs to get into a set, for every state.
#[derive(Clone)]
pub(super) struct Forcing {
    side: Player,
    horizon: Depth,
    /// 0 for the states of the set.
    plies: Vec<Depth>,
    /// For each vertex and number of plies below the horizon: how many successors need more.
    farther: Vec<u8>,
    /// States that have come closer, and to how many plies.
    open: Vec<(StateIndex, Depth)>,
    /// How often a predecessor was looked at.
    pub(super) lookups: u64,
}

impl Forcing {
    /// The states from which a side can force one of some states without successors, or the draw sink if it is wanted.
    pub(super) fn new(
        arena: &Arena,
        side: Player,
        horizon: Depth,
        ends: impl Iterator<Item = StateIndex>,
        with_sink: bool,
    ) -> Forcing {
        let mut forcing = Forcing {
            side,
            horizon,
            plies: vec![TOO_MANY; arena.graph.len()],
            farther: Vec::with_capacity(arena.vertices * usize::from(horizon)),
            open: Vec::new(),
            lookups: 0,
        };
        for vertex in arena.each_vertex() {
            let degree = arena.graph.degree(vertex);
            let degree = u8::try_from(degree).expect("a state has fewer than 256 successors");
            forcing
                .farther
                .extend(std::iter::repeat_n(degree, horizon.into()));
        }
        if with_sink {
            for vertex in arena
                .each_vertex()
                .filter(|&vertex| arena.meets_sink(vertex))
            {
                forcing.lookups += 1;
                forcing.learn(arena, vertex, TOO_MANY, 0);
                forcing.spread(arena, &mut |_| {});
            }
        }
        for end in ends {
            forcing.add(arena, end, &mut |_| {});
        }
        forcing
    }

    /// Becomes equal to another one of the same game.
    pub(super) fn copy_from(&mut self, other: &Forcing) {
        self.plies.copy_from_slice(&other.plies);
        self.farther.copy_from_slice(&other.farther);
    }

    /// Whether the side can force the set from a state within the horizon, or is in it.
    pub(super) fn is_forced(&self, state: StateIndex) -> bool {
        self.plies[state.get()] != TOO_MANY
    }

    /// Adds a state to the set, and calls for each state from which the set can be forced now and could not before,
    /// this one included.
    pub(super) fn add(
        &mut self,
        arena: &Arena,
        state: StateIndex,
        newly: &mut impl FnMut(StateIndex),
    ) {
        self.open.push((state, 0));
        self.spread(arena, newly);
    }

    fn spread(&mut self, arena: &Arena, newly: &mut impl FnMut(StateIndex)) {
        while let Some((state, plies)) = self.open.pop() {
            let before = self.plies[state.get()];
            if plies >= before {
                continue;
            }
            self.plies[state.get()] = plies;
            if before == TOO_MANY {
                newly(state);
            }
            if plies < self.horizon {
                for &origin in arena.predecessors.of(state) {
                    self.lookups += 1;
                    self.learn(arena, origin, before, plies);
                }
            }
        }
    }

    /// A successor of this state needs fewer plies than before.
    fn learn(&mut self, arena: &Arena, state: StateIndex, before: Depth, now: Depth) {
        if arena.player(state) == self.side {
            if self.plies[state.get()] > now + 1 {
                self.open.push((state, now + 1));
            }
            return;
        }
        let counts = state.get() * usize::from(self.horizon);
        for plies in (now..before.min(self.horizon)).rev() {
            let farther = &mut self.farther[counts + usize::from(plies)];
            *farther -= 1;
            if *farther == 0 && self.plies[state.get()] > plies + 1 {
                self.open.push((state, plies + 1));
            }
        }
    }
}

/// For every state of a graph the smallest number that one side can force to be met within so many plies, with one
/// ply at least; `first` says what is met in each state, and `sink` in the draw sink. Also by definition, all
/// states at once.
pub(super) fn least_met(
    arena: &Arena,
    side: Player,
    first: &[u32],
    sink: u32,
    horizon: Depth,
) -> Vec<u32> {
    let mut met = first.to_vec();
    let mut after = vec![u32::MAX; met.len()];
    for _ in 0..horizon {
        for state in arena.each_vertex() {
            let successors = arena.graph.successors(state);
            let worth = successors
                .iter()
                .map(|successor| successor.state().map_or(sink, |next| met[next.get()]));
            let worth = if arena.player(state) == side {
                worth.min()
            } else {
                worth.max()
            };
            after[state.get()] = worth.unwrap_or(u32::MAX);
        }
        for (state, &worth) in after.iter().enumerate().take(arena.vertices) {
            met[state] = first[state].min(worth);
        }
    }
    after
}

/// What a search of one state alone costs, without remembering anything: how often a successor is looked at, moves
/// taken in order, until it is clear that the side forces the set within so many plies, one at least. Worked out for all
/// states at once. `met` says which states are in the set, and `sink` whether the draw sink is.
pub(super) fn lookups_alone(
    arena: &Arena,
    side: Player,
    met: &[bool],
    sink: bool,
    horizon: Depth,
) -> Vec<u64> {
    let mut forced = met.to_vec();
    let mut cost = vec![0_u64; met.len()];
    let mut by_moving = (vec![false; met.len()], vec![0_u64; met.len()]);
    for _ in 0..horizon {
        for state in arena.each_vertex() {
            let is_own = arena.player(state) == side;
            let mut is_forced = !is_own && arena.graph.degree(state) > 0;
            let mut looked: u64 = 0;
            for successor in arena.graph.successors(state) {
                let (is_good, below) = match successor.state() {
                    Some(next) => (forced[next.get()], cost[next.get()]),
                    None => (sink, 0),
                };
                looked = looked.saturating_add(1).saturating_add(below);
                if is_good == is_own {
                    is_forced = is_own;
                    break;
                }
            }
            by_moving.0[state.get()] = is_forced;
            by_moving.1[state.get()] = looked;
        }
        for state in (0..arena.vertices).filter(|&state| !met[state]) {
            forced[state] = by_moving.0[state];
            cost[state] = by_moving.1[state];
        }
    }
    by_moving.1
}
