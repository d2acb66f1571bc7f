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

#[cfg(test)]
mod tests {
    use super::super::decision_tree::tests::lines;
    use super::*;

    /// What is said of the two blocks of a tree: lower and upper bounds, and ranks.
    fn refusal(lower: &[u8], upper: &[u8], ranks: &[u16]) -> Option<Refusal> {
        let stored = Abstraction {
            states: 0,
            edges: 0,
            en_passant_states: None,
            tree: Vec::new(),
            lower: lower.to_vec(),
            upper: upper.to_vec(),
            ranks: ranks.to_vec(),
        };
        let tree = DecisionTree::of(&lines("side <= 0; leaf; leaf")).unwrap();
        Intervals::of(&stored, &tree).err()
    }

    #[test]
    fn there_is_one_of_each_for_each_leaf() {
        let (bounds, ranks) = ([1, 1, 1], [NEVER; 3]);
        for length in [0, 1, 3] {
            for (field, lengths) in [
                ("lower", [length, 2, 2]),
                ("upper", [2, length, 2]),
                ("ranks", [2, 2, length]),
            ] {
                let [lower, upper, ranks_too] = lengths;
                let found = refusal(&bounds[..lower], &bounds[..upper], &ranks[..ranks_too]);
                let found = found.unwrap();
                assert_eq!(found.reason, Reason::WrongNumberOfBlocks);
                let place = format!("{field}: stored {length}, found 2");
                assert_eq!(found.place, place);
            }
        }
    }

    #[test]
    fn every_block_has_an_interval_and_a_rank_that_fits() {
        for lower in 0..5 {
            for upper in 0..5 {
                for rank in [0, 1, 2, 65_534, NEVER] {
                    let is_interval = lower <= upper && upper <= 2;
                    let is_won = lower == 2 || upper == 0;
                    let wanted = match (rank, is_won) {
                        _ if !is_interval => Some(Reason::WrongInterval),
                        (1..=65_534, true) | (NEVER, false) => None,
                        _ => Some(Reason::WrongRank),
                    };
                    for (bounds, named) in [
                        (
                            [(lower, upper, rank), (1, 1, NEVER)],
                            "block 0 (line 1 of the tree): ",
                        ),
                        (
                            [(0, 2, NEVER), (lower, upper, rank)],
                            "block 1 (line 2 of the tree): ",
                        ),
                    ] {
                        let lower = bounds.map(|bounds| bounds.0);
                        let upper = bounds.map(|bounds| bounds.1);
                        let found = refusal(&lower, &upper, &bounds.map(|bounds| bounds.2));
                        assert_eq!(found.as_ref().map(|found| found.reason), wanted);
                        assert!(found.is_none_or(|found| found.place.starts_with(named)));
                    }
                }
            }
        }
    }
}
