//! The partitions of a bisimulation certificate: the last one as a map, and the tree by which the earlier ones are read.
//!
//! Each block of the last partition names its parent and the round in which it was split off. In an earlier partition it
//! was a part of the block that one finds by going from parent to parent until one that had appeared.
//!
//! Source: `docs/certificate-format.md`, *Kind 2: bisimulation*.

use super::certificate::Bisimulation;
use super::table::same;
use super::{Reason, Refusal};

/// The partitions of a certificate, from that by labels to the last.
///
/// Invariant: each entry of `map` is a block, each block has a vertex, and blocks are in the order of their smallest
/// vertices; a block that appears in round 0 is its own parent, any other has a parent with a smaller number that appears
/// in an earlier round; all blocks appear before the last round, and at least one in every other.
pub(super) struct Partitions<'a> {
    map: &'a [u32],
    parents: &'a [u32],
    split_rounds: &'a [u32],
    last_round: u32,
}

impl<'a> Partitions<'a> {
    /// Steps 5 to 8: the partitions of a graph with so many vertices, if they are well formed.
    pub(super) fn of(stored: &'a Bisimulation, vertices: usize) -> Result<Partitions<'a>, Refusal> {
        let partitions = Partitions {
            map: &stored.map,
            parents: &stored.parents,
            split_rounds: &stored.split_rounds,
            last_round: check_lengths(stored, vertices)?,
        };
        partitions.check_map()?;
        partitions.check_tree()?;
        partitions.check_counts(&stored.blocks_per_round)?;
        Ok(partitions)
    }

    /// The number of the last round.
    pub(super) fn last_round(&self) -> u32 {
        self.last_round
    }

    /// The partition of a round: the block of each vertex.
    pub(super) fn of_round(&self, round: u32) -> Vec<u32> {
        // A parent has a smaller number than its children, so what it was a part of is known when they ask for it.
        let mut was: Vec<u32> = Vec::with_capacity(self.parents.len());
        for (block, parent, split) in self.blocks() {
            was.push(match split <= round {
                true => block,
                false => was.get(parent as usize).copied().unwrap_or(block),
            });
        }
        let of_vertex = |block: &u32| was.get(*block as usize).copied().unwrap_or(*block);
        self.map.iter().map(of_vertex).collect()
    }

    /// The blocks in order, each with its parent and the round in which it appears.
    fn blocks(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let tree = self.parents.iter().zip(self.split_rounds);
        (0..)
            .zip(tree)
            .map(|(block, (&parent, &split))| (block, parent, split))
    }

    /// Step 6. As long as the blocks are in order, a vertex is either in a block that was met before or begins the next one.
    fn check_map(&self) -> Result<(), Refusal> {
        let count = self.parents.len() as u64;
        let entry = |(vertex, &block)| (vertex, u64::from(block));
        let mut map = self.map.iter().enumerate().map(entry);
        if let Some((vertex, block)) = map.clone().find(|&(_, block)| block >= count) {
            let place = format_args!("map {vertex}: block {block} of {count}");
            return Err(Refusal::new(Reason::UnknownBlock, place));
        }
        let mut is_used = vec![false; self.parents.len()];
        for &block in self.map {
            if let Some(is_used) = is_used.get_mut(block as usize) {
                *is_used = true;
            }
        }
        if let Some(unused) = is_used.iter().position(|is_used| !is_used) {
            let place = format_args!("block {unused}: no vertex");
            return Err(Refusal::new(Reason::UnusedBlock, place));
        }
        let mut begun = 0;
        map.try_for_each(|(vertex, block)| {
            if block > begun {
                let place = format_args!("map {vertex}: block {block} before block {begun}");
                return Err(Refusal::new(Reason::BlocksOutOfOrder, place));
            }
            begun += u64::from(block == begun);
            Ok(())
        })
    }

    /// Step 7.
    fn check_tree(&self) -> Result<(), Refusal> {
        for (block, parent, split) in self.blocks() {
            let is_possible = match split {
                0 => parent == block,
                _ => parent < block,
            };
            if !is_possible {
                let place = format_args!("block {block} of round {split}: parent {parent}");
                return Err(Refusal::new(Reason::WrongParent, place));
            }
            let of_parent = self.split_rounds.get(parent as usize);
            let is_later = split == 0 || of_parent.is_some_and(|&of_parent| of_parent < split);
            if !is_later || split >= self.last_round {
                let last = self.last_round;
                let place = format_args!("block {block}: round {split}, the last is {last}");
                return Err(Refusal::new(Reason::WrongRound, place));
            }
        }
        Ok(())
    }

    /// Step 8. That the last two numbers are equal follows from that no block appears in the last round.
    fn check_counts(&self, blocks_per_round: &[u64]) -> Result<(), Refusal> {
        let mut appear = vec![0_u64; blocks_per_round.len()];
        for &split in self.split_rounds {
            if let Some(appear) = appear.get_mut(split as usize) {
                *appear += 1;
            }
        }
        let mut found = 0;
        for (round, (&stored, &appear)) in (0..).zip(blocks_per_round.iter().zip(&appear)) {
            found += appear;
            let field = format!("blocks_per_round {round}");
            same(Reason::WrongCount, &field, stored, found)?;
            if appear == 0 && round != self.last_round {
                let place = format_args!("{field}: stored {stored}, found no new block");
                return Err(Refusal::new(Reason::WrongCount, place));
            }
        }
        Ok(())
    }
}

/// Step 5. Returns the number of the last round.
fn check_lengths(stored: &Bisimulation, vertices: usize) -> Result<u32, Refusal> {
    let length = |list: &[u32]| list.len() as u64;
    let reason = Reason::WrongMapLength;
    same(reason, "map", length(&stored.map), vertices as u64)?;
    let reason = Reason::WrongNumberOfBlocks;
    let rounds = &stored.blocks_per_round;
    let (Some(&blocks), Some(last)) = (rounds.last(), rounds.len().checked_sub(1)) else {
        return Err(Refusal::new(reason, "blocks_per_round: no entry"));
    };
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    if last == 0 {
        return Err(Refusal::new(reason, "blocks_per_round: one entry"));
    }
    same(reason, "parents", length(&stored.parents), blocks)?;
    same(reason, "split_rounds", length(&stored.split_rounds), blocks)?;
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nine vertices in six blocks. Block 0 parts into 0 and 2 in round 1 and then each of these in round 2.
    fn example() -> Bisimulation {
        Bisimulation {
            states: 0,
            edges: 0,
            en_passant_states: None,
            blocks_per_round: vec![2, 3, 6, 6],
            map: vec![0, 1, 2, 0, 3, 4, 5, 4, 1],
            parents: vec![0, 1, 0, 2, 0, 1],
            split_rounds: vec![0, 0, 1, 2, 2, 2],
        }
    }

    fn reason(change: impl FnOnce(&mut Bisimulation)) -> Option<Reason> {
        let mut stored = example();
        change(&mut stored);
        let partitions = Partitions::of(&stored, 9);
        partitions.err().map(|refusal| refusal.reason)
    }

    #[test]
    fn earlier_partitions_are_read_from_the_tree() {
        let stored = example();
        let partitions = Partitions::of(&stored, 9).ok().unwrap();
        assert_eq!(partitions.last_round(), 3);
        let rounds = [
            [0, 1, 0, 0, 0, 0, 1, 0, 1],
            [0, 1, 2, 0, 2, 0, 1, 0, 1],
            [0, 1, 2, 0, 3, 4, 5, 4, 1],
            [0, 1, 2, 0, 3, 4, 5, 4, 1],
        ];
        for (round, partition) in (0..).zip(rounds) {
            assert_eq!(partitions.of_round(round), partition, "{round}");
        }
    }

    #[test]
    fn malformed_partitions_are_refused() {
        type Change = fn(&mut Bisimulation);
        let changes: [(Change, Reason); 30] = [
            (|s| s.map.push(0), Reason::WrongMapLength),
            (|s| s.map.truncate(8), Reason::WrongMapLength),
            (|s| s.blocks_per_round.clear(), Reason::WrongNumberOfBlocks),
            (
                |s| s.blocks_per_round = vec![6],
                Reason::WrongNumberOfBlocks,
            ),
            (|s| s.blocks_per_round[3] = 7, Reason::WrongNumberOfBlocks),
            (|s| s.parents.push(0), Reason::WrongNumberOfBlocks),
            (|s| s.split_rounds.truncate(5), Reason::WrongNumberOfBlocks),
            (|s| s.map[8] = 6, Reason::UnknownBlock),
            (|s| s.map[0] = u32::MAX, Reason::UnknownBlock),
            (|s| s.map[6] = 4, Reason::UnusedBlock),
            (|s| s.map[2] = 0, Reason::UnusedBlock),
            (|s| s.map.swap(2, 4), Reason::BlocksOutOfOrder),
            (|s| s.map.swap(0, 1), Reason::BlocksOutOfOrder),
            (|s| s.map[3] = 4, Reason::BlocksOutOfOrder),
            (|s| s.parents[0] = 1, Reason::WrongParent),
            (|s| s.parents[1] = 0, Reason::WrongParent),
            (|s| s.parents[4] = 4, Reason::WrongParent),
            (|s| s.parents[4] = 5, Reason::WrongParent),
            (|s| s.parents[4] = u32::MAX, Reason::WrongParent),
            (|s| s.split_rounds[0] = 1, Reason::WrongParent),
            (|s| s.split_rounds[5] = 0, Reason::WrongParent),
            (|s| s.split_rounds[3] = 1, Reason::WrongRound),
            (|s| s.split_rounds[2] = 2, Reason::WrongRound),
            (|s| s.split_rounds[5] = 3, Reason::WrongRound),
            (|s| s.split_rounds[5] = u32::MAX, Reason::WrongRound),
            (|s| s.split_rounds[4] = 1, Reason::WrongCount),
            (|s| s.blocks_per_round[0] = 3, Reason::WrongCount),
            (|s| s.blocks_per_round[1] = 2, Reason::WrongCount),
            (|s| s.blocks_per_round.push(6), Reason::WrongCount),
            (|s| s.blocks_per_round.insert(1, 2), Reason::WrongCount),
        ];
        assert_eq!(reason(|_| {}), None);
        for (number, (change, wanted)) in changes.into_iter().enumerate() {
            assert_eq!(reason(change), Some(wanted), "{number}");
        }
    }

    #[test]
    fn the_first_failure_is_told() {
        let unknown_and_unused = reason(|s| {
            s.map[6] = 4;
            s.map[8] = 6;
        });
        assert_eq!(unknown_and_unused, Some(Reason::UnknownBlock));
        let unused_and_out_of_order = reason(|s| {
            s.map[6] = 4;
            s.map.swap(2, 4);
        });
        assert_eq!(unused_and_out_of_order, Some(Reason::UnusedBlock));
        // A round of the second block comes before a parent of the fifth.
        let round_and_parent = reason(|s| {
            s.split_rounds[2] = 3;
            s.parents[4] = 4;
        });
        assert_eq!(round_and_parent, Some(Reason::WrongRound));
    }

    #[test]
    fn a_partition_that_was_stable_from_the_beginning() {
        let stored = Bisimulation {
            blocks_per_round: vec![2, 2],
            map: vec![0, 1, 0],
            parents: vec![0, 1],
            split_rounds: vec![0, 0],
            ..example()
        };
        let partitions = Partitions::of(&stored, 3).ok().unwrap();
        assert_eq!(partitions.last_round(), 1);
        assert_eq!(partitions.of_round(0), stored.map);
    }
}
