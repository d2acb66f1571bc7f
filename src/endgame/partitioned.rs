//! Partitions that need no features, as baselines for an abstraction: strong bisimulation round by round, and the distance to
//! mate by another name.

use super::bounded::players;
use super::{MoveGraph, Quotient};
use crate::game::{Interrupted, Observer, StateIndex};
use crate::solve::abstraction::{Arena, Block, BlockBounds, Measures, Stage};

/// A universe in blocks, with their bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partitioned {
    /// The block of each vertex.
    pub blocks: Vec<Block>,
    /// The bounds of each block.
    pub bounds: BlockBounds,
    /// What it costs and saves.
    pub measures: Measures,
    /// Blocks and decided vertices in each round.
    pub stages: Vec<Stage>,
    /// How often a successor was looked at to bound blocks.
    pub lookups: u64,
}

impl Partitioned {
    /// Bounds the blocks of each round of the refinement, until every block is decided or the last round.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn by_rounds(
        moves: &MoveGraph,
        quotient: &Quotient,
        horizon: u8,
        observer: &dyn Observer,
    ) -> Result<Partitioned, Interrupted> {
        let refinement = &quotient.refinement;
        let rounds = (0..refinement.rounds() as u32).map(|round| {
            let blocks = refinement.blocks.iter();
            let blocks = blocks.map(|&block| refinement.block_after(round, block));
            blocks.collect::<Vec<Block>>()
        });
        Partitioned::until_decided(moves, rounds, horizon, observer)
    }

    /// Bounds the classes of states with the same side to move, result and distance. `values` are the bytes of the vertices,
    /// in order: this *is* the solution.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if the observer says so.
    pub fn by_values(
        moves: &MoveGraph,
        values: &[&[u8]],
        horizon: u8,
        observer: &dyn Observer,
    ) -> Result<Partitioned, Interrupted> {
        let values = values.iter().copied().flatten().enumerate();
        let classes = values.map(|(vertex, &byte)| {
            let turn = moves.label(StateIndex::new(vertex)).turn();
            256 * u32::from(turn.is_black()) + u32::from(byte)
        });
        Partitioned::until_decided(moves, std::iter::once(classes.collect()), horizon, observer)
    }

    fn until_decided(
        moves: &MoveGraph,
        partitions: impl Iterator<Item = Vec<Block>>,
        horizon: u8,
        observer: &dyn Observer,
    ) -> Result<Partitioned, Interrupted> {
        let arena = Arena::new(&moves.graph, &players(moves), moves.vertices());
        let mut stages = Vec::new();
        let mut lookups = 0;
        let mut last = (Vec::new(), None);
        for mut blocks in partitions {
            number_anew(&mut blocks);
            let bounds = BlockBounds::of(&arena, &blocks, horizon, observer)?;
            lookups += bounds.lookups;
            let is_decided = |&&block: &&Block| bounds.intervals[block as usize].is_point();
            let decided = blocks.iter().filter(is_decided).count();
            stages.push(Stage {
                blocks: bounds.intervals.len(),
                decided,
            });
            let is_over = decided == blocks.len();
            last = (blocks, Some(bounds));
            if is_over {
                break;
            }
        }
        let (blocks, bounds) = last;
        let bounds = match bounds {
            Some(bounds) => bounds,
            None => BlockBounds::of(&arena, &blocks, horizon, observer)?,
        };
        Ok(Partitioned {
            measures: Measures::of(&arena, &blocks, &bounds, horizon, observer)?,
            blocks,
            bounds,
            stages,
            lookups,
        })
    }

    /// How many of the first vertices are in blocks that are decided.
    pub fn decided(&self, states: usize) -> usize {
        let is_decided = |&&block: &&Block| self.bounds.intervals[block as usize].is_point();
        self.blocks.iter().take(states).filter(is_decided).count()
    }
}

/// Numbers blocks by their first vertices.
fn number_anew(blocks: &mut [Block]) {
    let most = blocks.iter().max().map_or(0, |&most| most as usize + 1);
    let mut numbers = vec![Block::MAX; most];
    let mut next = 0;
    for block in blocks {
        let number = &mut numbers[*block as usize];
        if *number == Block::MAX {
            *number = next;
            next += 1;
        }
        *block = *number;
    }
}
