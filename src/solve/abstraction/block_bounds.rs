//! The bounds of blocks, from the ends of the game alone: hyper-must with a horizon.
//!
//! A block is won by a side in the first round in which that side can force, from *every* vertex of it and within the
//! horizon, a block won in an earlier round, or an end that it wins: a least fixpoint, and the round is the rank of the
//! block. It is held by a side if the side can force, from every vertex and within the horizon, an end that it does
//! not lose or a block that it holds or wins: the greatest fixpoint of that, which needs no rank. In blocks that neither side is
//! known to win or hold, nothing is known.
//!
//! Bounds never loosen when blocks are split: a part of a block keeps every play that the block had.

use super::arena::Arena;
use super::forcing::{Depth, Forcing, least_met};
use crate::game::{Interrupted, Interval, Observer, Player, StateIndex};

/// The number of a block.
pub type Block = u32;

/// A rank; blocks that nobody is known to win have [`NO_RANK`].
pub type Rank = u16;

/// Nobody is known to win.
pub const NO_RANK: Rank = Rank::MAX;

/// The bounds of all blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockBounds {
    /// D⁻ and D⁺ of each block.
    pub intervals: Vec<Interval>,
    /// The rank of each block with D⁻ = +1 or D⁺ = −1.
    pub ranks: Vec<Rank>,
    /// How often a successor or predecessor was looked at.
    pub lookups: u64,
}

impl BlockBounds {
    /// Bounds the blocks of a partition: `blocks` says for each vertex where it belongs.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    ///
    /// # Panics
    ///
    /// If there is not one block for each vertex.
    pub fn of(
        arena: &Arena,
        blocks: &[Block],
        horizon: Depth,
        observer: &dyn Observer,
    ) -> Result<BlockBounds, Interrupted> {
        assert_eq!(blocks.len(), arena.vertices, "every vertex has a block");
        let count = blocks.iter().max().map_or(0, |&last| last as usize + 1);
        let mut members = vec![Vec::new(); count];
        for (vertex, &block) in blocks.iter().enumerate() {
            members[block as usize].push(StateIndex::new(vertex));
        }
        let partition = Partition {
            arena,
            blocks,
            members,
            horizon,
            observer,
        };
        let (max_ranks, max_lookups) = partition.won_by(Player::Max)?;
        let (min_ranks, min_lookups) = partition.won_by(Player::Min)?;
        let (max_holds, max_hold_lookups) = partition.held_by(Player::Max, &min_ranks)?;
        let (min_holds, min_hold_lookups) = partition.held_by(Player::Min, &max_ranks)?;
        let bound = |rank: Rank, holds: bool| match (rank, holds) {
            (NO_RANK, false) => -1,
            (NO_RANK, true) => 0,
            _ => 1,
        };
        let intervals = (0..count).map(|block| Interval {
            lower: bound(max_ranks[block], max_holds[block]),
            upper: -bound(min_ranks[block], min_holds[block]),
        });
        let ranks = max_ranks.iter().zip(&min_ranks);
        Ok(BlockBounds {
            intervals: intervals.collect(),
            ranks: ranks.map(|(&max, &min)| max.min(min)).collect(),
            lookups: max_lookups + min_lookups + max_hold_lookups + min_hold_lookups,
        })
    }

    /// The last rank; 0 if nobody is known to win anywhere.
    pub fn last_rank(&self) -> Rank {
        let ranks = self.ranks.iter().copied();
        ranks.filter(|&rank| rank != NO_RANK).max().unwrap_or(0)
    }
}

/// A value for one side.
fn value_for(side: Player, value: i8) -> i8 {
    match side {
        Player::Max => value,
        Player::Min => -value,
    }
}

/// The ends that are worth so much to a side.
pub(super) fn ends_worth<'a>(
    arena: &'a Arena,
    side: Player,
    least: i8,
) -> impl Iterator<Item = StateIndex> + 'a {
    let ends = arena.ends.iter();
    let ends = ends.filter(move |&&(_, value)| value_for(side, value) >= least);
    ends.map(|&(end, _)| end)
}

struct Partition<'a> {
    arena: &'a Arena<'a>,
    blocks: &'a [Block],
    members: Vec<Vec<StateIndex>>,
    horizon: Depth,
    observer: &'a dyn Observer,
}

impl Partition<'_> {
    /// The ranks of the blocks that a side wins.
    fn won_by(&self, side: Player) -> Result<(Vec<Rank>, u64), Interrupted> {
        let arena = self.arena;
        let mut ranks = vec![NO_RANK; self.members.len()];
        let mut forcing =
            Forcing::new(arena, side, self.horizon, ends_worth(arena, side, 1), false);
        // How many vertices of a block the side does not win from yet.
        let is_far = |&&vertex: &&StateIndex| !forcing.is_forced(vertex);
        let count = |members: &Vec<StateIndex>| members.iter().filter(is_far).count();
        let mut missing: Vec<usize> = self.members.iter().map(count).collect();
        let mut ready: Vec<usize> = (0..missing.len())
            .filter(|&block| missing[block] == 0)
            .collect();
        let mut rank: Rank = 0;
        while !ready.is_empty() && rank < NO_RANK - 1 {
            self.observer.checkpoint(0)?;
            rank += 1;
            for block in std::mem::take(&mut ready) {
                ranks[block] = rank;
                for &vertex in &self.members[block] {
                    forcing.add(arena, vertex, &mut |state| {
                        let block = self.blocks[state.get()] as usize;
                        missing[block] -= 1;
                        if missing[block] == 0 {
                            ready.push(block);
                        }
                    });
                }
            }
        }
        Ok((ranks, forcing.lookups))
    }

    /// The blocks that a side holds or wins, given those that the other side wins.
    fn held_by(&self, side: Player, lost: &[Rank]) -> Result<(Vec<bool>, u64), Interrupted> {
        let arena = self.arena;
        let mut lookups = 0;
        let mut holds: Vec<bool> = lost.iter().map(|&rank| rank == NO_RANK).collect();
        loop {
            self.observer.checkpoint(0)?;
            let is_held = |vertex: &StateIndex| {
                let is_inner = arena.graph.degree(*vertex) > 0;
                is_inner && holds[self.blocks[vertex.get()] as usize]
            };
            // What can be forced with a move first: 0 is worth it, 1 is not.
            let mut first = vec![1; arena.graph.len()];
            let ends = ends_worth(arena, side, 0);
            for state in ends.chain(arena.each_vertex().filter(is_held)) {
                first[state.get()] = 0;
            }
            let after = least_met(arena, side, &first, 0, self.horizon);
            lookups += arena.graph.edge_count() as u64 * u64::from(self.horizon);
            let mut unheld = Vec::new();
            for (block, members) in self
                .members
                .iter()
                .enumerate()
                .filter(|&(block, _)| holds[block])
            {
                let keeps = |&vertex: &StateIndex| match arena.end_value(vertex) {
                    Some(value) => value_for(side, value) >= 0,
                    None => after[vertex.get()] == 0,
                };
                if !members.iter().all(keeps) {
                    unheld.push(block);
                }
            }
            if unheld.is_empty() {
                return Ok((holds, lookups));
            }
            for block in unheld {
                holds[block] = false;
            }
        }
    }
}
