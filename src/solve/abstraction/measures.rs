//! What an abstraction costs and saves, counted after the search on what it found.

use std::collections::{BTreeSet, HashSet};

use super::Abstraction;
use super::arena::Arena;
use super::block_bounds::{Block, BlockBounds, ends_worth};
use super::forcing::{Depth, lookups_alone};
use crate::game::{Interrupted, Interval, Observer, Player, StateIndex};

/// Counts about an abstraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// How often a checker looks at a successor that works out all vertices at once, ply by ply, for each kind of fact
    /// that some block has: a win of either side, a hold of either side.
    pub lookups_shared: u64,
    /// How often one looks at a successor that searches every vertex by itself for what its block has, moves in order, without
    /// remembering anything.
    pub lookups_alone: u64,
    /// How many different profiles the vertices have: the block of the vertex, and the set of blocks and ends that its
    /// moves lead into.
    pub profiles: usize,
    /// Distinct pairs of a block and a block or end that a move of one of its vertices leads into.
    pub block_edges: usize,
    /// Those of them that can be deleted: wherever a vertex of the block has such moves, another one is at least as good
    /// by the bounds of blocks (C2.4, C2.5).
    pub deleted_block_edges: usize,
    /// Edges of vertices.
    pub edges: u64,
    /// Edges that another one dominates by the bounds of blocks, and is better for certain.
    pub deleted_strict: u64,
    /// Edges that another one dominates by the bounds of blocks, and is at least as good.
    pub deleted_equal: u64,
}

impl Measures {
    /// Counts.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn of(
        arena: &Arena,
        blocks: &[Block],
        bounds: &BlockBounds,
        horizon: Depth,
        observer: &dyn Observer,
    ) -> Result<Measures, Interrupted> {
        let mut measures = Measures::default();
        measures.count_lookups(arena, blocks, bounds, horizon, observer)?;
        measures.count_edges(arena, blocks, bounds);
        Ok(measures)
    }

    fn count_lookups(
        &mut self,
        arena: &Arena,
        blocks: &[Block],
        bounds: &BlockBounds,
        horizon: Depth,
        observer: &dyn Observer,
    ) -> Result<(), Interrupted> {
        let degrees = arena
            .each_vertex()
            .map(|vertex| arena.graph.degree(vertex) as u64);
        let edges: u64 = degrees.sum();
        let for_side = |interval: Interval, side: Player| match side {
            Player::Max => interval.lower,
            Player::Min => -interval.upper,
        };
        for side in [Player::Max, Player::Min] {
            let least = |block: usize| for_side(bounds.intervals[block], side);
            let block_of = |vertex: usize| blocks[vertex] as usize;
            let won = |block: &usize| least(*block) == 1;
            let mut ranks: Vec<_> = (0..bounds.ranks.len())
                .filter(won)
                .map(|block| bounds.ranks[block])
                .collect();
            ranks.sort_unstable();
            ranks.dedup();
            let has_holds = (0..bounds.ranks.len()).any(|block| least(block) == 0);
            let facts = u64::from(!ranks.is_empty()) + u64::from(has_holds);
            self.lookups_shared += facts * edges * u64::from(horizon);
            let mut count = |met: &[bool], sink: bool, is_asked: &dyn Fn(usize) -> bool| {
                let alone = lookups_alone(arena, side, met, sink, horizon);
                let asked = (0..arena.vertices).filter(|&vertex| is_asked(block_of(vertex)));
                let lookups: u64 = asked.map(|vertex| alone[vertex]).sum();
                self.lookups_alone = self.lookups_alone.saturating_add(lookups);
            };
            for rank in ranks {
                observer.checkpoint(0)?;
                let mut met = vec![false; arena.graph.len()];
                for end in ends_worth(arena, side, 1) {
                    met[end.get()] = true;
                }
                for (vertex, met) in met.iter_mut().enumerate().take(arena.vertices) {
                    let block = block_of(vertex);
                    *met |= least(block) == 1 && bounds.ranks[block] < rank;
                }
                count(&met, false, &|block| {
                    least(block) == 1 && bounds.ranks[block] == rank
                });
            }
            if has_holds {
                let mut met = vec![false; arena.graph.len()];
                for end in ends_worth(arena, side, 0) {
                    met[end.get()] = true;
                }
                for vertex in arena.each_vertex() {
                    let is_inner = arena.graph.degree(vertex) > 0;
                    met[vertex.get()] |= is_inner && least(block_of(vertex.get())) >= 0;
                }
                count(&met, true, &|block| least(block) == 0);
            }
        }
        Ok(())
    }

    fn count_edges(&mut self, arena: &Arena, blocks: &[Block], bounds: &BlockBounds) {
        let count = bounds.intervals.len();
        // Ends of other games by value, the sink among the draws.
        let target = |successor: Option<StateIndex>| match successor {
            Some(state) if state.get() < arena.vertices => blocks[state.get()] as usize,
            Some(state) => {
                let value = arena.end_value(state).unwrap_or(0);
                count + usize::from((1 + value).unsigned_abs())
            }
            None => count + 1,
        };
        let interval = |target: usize| match target.checked_sub(count) {
            None => bounds.intervals[target],
            Some(value) => Interval::point(value as i8 - 1),
        };
        let mut profiles: HashSet<Vec<u32>> = HashSet::new();
        let mut all: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut kept: BTreeSet<(u32, u32)> = BTreeSet::new();
        for vertex in arena.each_vertex() {
            let successors = arena.graph.successors(vertex);
            self.edges += successors.len() as u64;
            let block = blocks[vertex.get()];
            let targets = successors.iter().map(|successor| target(successor.state()));
            let targets: Vec<usize> = targets.collect();
            // For either side the bound that counts: what a move brings for certain, and what it may bring at best.
            let bring = |target: usize| match arena.player(vertex) {
                Player::Max => (interval(target).lower, interval(target).upper),
                Player::Min => (-interval(target).upper, -interval(target).lower),
            };
            let best = (0..targets.len())
                .max_by_key(|&place| (bring(targets[place]).0, std::cmp::Reverse(place)));
            for (place, &target) in targets.iter().enumerate() {
                let edge = (block, target as u32);
                all.insert(edge);
                let Some(best) = best.filter(|&best| best != place) else {
                    kept.insert(edge);
                    continue;
                };
                let (certain, (_, at_best)) = (bring(targets[best]).0, bring(target));
                if certain > at_best {
                    self.deleted_strict += 1;
                } else if certain == at_best {
                    self.deleted_equal += 1;
                } else {
                    kept.insert(edge);
                }
            }
            let mut profile: Vec<u32> = targets.iter().map(|&target| target as u32).collect();
            profile.sort_unstable();
            profile.dedup();
            profile.push(block);
            profiles.insert(profile);
        }
        self.profiles = profiles.len();
        self.block_edges = all.len();
        self.deleted_block_edges = all.difference(&kept).count();
    }
}

impl Abstraction {
    /// The bounds of a vertex.
    pub fn interval(&self, vertex: StateIndex) -> Interval {
        self.bounds.intervals[self.blocks[vertex.get()] as usize]
    }
}
