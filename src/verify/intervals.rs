//! What an abstraction says of its blocks: an interval, and a rank.
//!
//! Source: `docs/certificate-format.md`, *Kind 8: abstraction*.

use super::certificate::Abstraction;
use super::decision_tree::DecisionTree;
use super::interval::Interval;
use super::man::Side;
use super::table::same;
use super::{Reason, Refusal};

/// In the place of a rank, or of any other number: there is none.
pub(super) const NEVER: u16 = u16::MAX;

/// The intervals and the ranks of the blocks.
///
/// Invariant: there is one of each for each leaf of the tree, the intervals are some, and a rank is there where a side is
/// said to win.
pub(super) struct Intervals<'a> {
    stored: &'a Abstraction,
}

/// What is said of a block.
#[derive(Clone, Copy)]
pub(super) struct Said {
    pub(super) interval: Interval,
    /// From 1 where a side is said to win, otherwise [`NEVER`].
    pub(super) rank: u16,
}

impl Said {
    /// The side that is said to win, if one is.
    pub(super) fn winner(self) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| self.interval.least_for(side) == 1)
    }

    /// Whether the value is known.
    pub(super) fn is_decided(self) -> bool {
        self.interval.low == self.interval.high
    }
}

impl<'a> Intervals<'a> {
    /// The second half of step 6, and step 7.
    pub(super) fn of(
        stored: &'a Abstraction,
        tree: &DecisionTree,
    ) -> Result<Intervals<'a>, Refusal> {
        let blocks = u64::from(tree.leaves());
        for (field, length) in [
            ("lower", stored.lower.len()),
            ("upper", stored.upper.len()),
            ("ranks", stored.ranks.len()),
        ] {
            same(Reason::WrongNumberOfBlocks, field, length as u64, blocks)?;
        }
        let intervals = Intervals { stored };
        let bounds = stored.lower.iter().zip(&stored.upper);
        for (block, (&lower, &upper)) in bounds.enumerate() {
            if lower > upper || upper > 2 {
                let named = tree.named(block);
                let place = format_args!("{named}: lower {lower}, upper {upper}");
                return Err(Refusal::new(Reason::WrongInterval, place));
            }
            let Said { rank, .. } = intervals.at(block);
            let has_rank = intervals.at(block).winner().is_some();
            if rank == 0 || (rank != NEVER) != has_rank {
                let named = tree.named(block);
                let place = format_args!("{named}: lower {lower}, upper {upper}, rank {rank}");
                return Err(Refusal::new(Reason::WrongRank, place));
            }
        }
        Ok(intervals)
    }

    /// What is said of a block.
    pub(super) fn at(&self, block: usize) -> Said {
        let bound = |list: &[u8], otherwise: i8| {
            let bound = list.get(block);
            bound.map_or(otherwise, |&bound| bound.min(2) as i8 - 1)
        };
        let interval = Interval {
            low: bound(&self.stored.lower, -1),
            high: bound(&self.stored.upper, 1),
        };
        let rank = self.stored.ranks.get(block).copied();
        Said {
            interval,
            rank: rank.unwrap_or(NEVER),
        }
    }

    /// What is said of all blocks in order.
    pub(super) fn all(&self) -> impl Iterator<Item = Said> {
        (0..self.stored.lower.len()).map(|block| self.at(block))
    }
}
