//! A partition whose blocks have names in the order in which they appeared.

use std::collections::BTreeMap;

use super::{Origin, Refinement};

/// The partition of a round, with all that came before.
pub(super) struct Partition {
    /// The name of the block of each state.
    pub(super) blocks: Vec<u32>,
    /// By name, how many states the block has.
    sizes: Vec<u32>,
    /// By name, the block that it was part of before it appeared; itself for a block of the beginning.
    parents: Vec<u32>,
    /// How many blocks there are before the first round and after each.
    counts: Vec<u32>,
    /// How many groups there were in the last round.
    last_groups: usize,
    /// By name, what [`Partition::split`] needs to know for a moment.
    parts: Vec<Parts>,
}

/// The parts of a block that have other signatures than it had before.
#[derive(Clone, Copy, Default)]
struct Parts {
    /// How many states they have together.
    states: u32,
    /// How many the largest of them has.
    most: u32,
    /// Which that is, the first of several.
    largest: u32,
}

/// The group of a state that has the signature its block had before.
pub(super) const NO_GROUP: u32 = u32::MAX;

impl Partition {
    /// One block for each label.
    pub(super) fn of_labels(labels: &[u32]) -> Partition {
        let mut names = BTreeMap::new();
        let mut sizes = Vec::new();
        let mut last = None;
        let mut name_of = |label: u32| match last {
            Some((same, name)) if same == label => name,
            _ => {
                let next = names.len() as u32;
                let name = *names.entry(label).or_insert(next);
                last = Some((label, name));
                name
            }
        };
        let blocks: Vec<u32> = labels.iter().map(|&label| name_of(label)).collect();
        sizes.resize(names.len(), 0);
        for &name in &blocks {
            sizes[name as usize] += 1;
        }
        let count = sizes.len();
        Partition {
            blocks,
            sizes,
            parents: (0..count as u32).collect(),
            counts: vec![count as u32],
            last_groups: 0,
            parts: vec![Parts::default(); count],
        }
    }

    /// Whether no round has been.
    pub(super) fn is_first_round(&self) -> bool {
        self.counts.len() == 1
    }

    /// How many groups there were in the last round.
    pub(super) const fn last_groups(&self) -> usize {
        self.last_groups
    }

    /// The first name that appeared in the last round; 0 before the first.
    pub(super) fn first_of_last_round(&self) -> u32 {
        let before = self.counts.len().checked_sub(2);
        before.map_or(0, |before| self.counts[before])
    }

    /// The first name that appeared in the last round, and which blocks are parts of one that split
    /// in it. Before the first round that is all blocks.
    pub(super) fn last_split(&self) -> (u32, Vec<bool>) {
        let first = self.first_of_last_round();
        let mut is_part = vec![false; self.sizes.len()];
        for name in first as usize..self.sizes.len() {
            is_part[name] = true;
            is_part[self.parents[name] as usize] = true;
        }
        (first, is_part)
    }

    /// Whether a state is the only one of its block.
    pub(super) fn is_alone(&self, state: u32) -> bool {
        self.sizes[self.blocks[state as usize] as usize] == 1
    }

    /// Ends a round: splits blocks into groups of states with the same signature. `groups` has the group of each of
    /// some states, [`NO_GROUP`] for one whose signature is that of all other states of the block;
    /// `blocks` has the block of each group. The part without group keeps the name of the block; if there is none, the
    /// largest group does. The states with new names come out.
    pub(super) fn split(
        &mut self,
        states: &[u32],
        groups: &[u32],
        blocks: impl Iterator<Item = u32>,
    ) -> Vec<u32> {
        let blocks: Vec<u32> = blocks.collect();
        self.last_groups = blocks.len();
        let mut sizes = vec![0_u32; blocks.len()];
        for &group in groups.iter().filter(|&&group| group != NO_GROUP) {
            sizes[group as usize] += 1;
        }
        for (group, (&block, &size)) in blocks.iter().zip(&sizes).enumerate() {
            let parts = &mut self.parts[block as usize];
            parts.states += size;
            if size > parts.most {
                parts.most = size;
                parts.largest = group as u32;
            }
        }
        for &block in &blocks {
            let parts = &mut self.parts[block as usize];
            if parts.states < self.sizes[block as usize] {
                parts.largest = NO_GROUP;
            }
        }
        let mut names = Vec::with_capacity(blocks.len());
        for (group, (&block, &size)) in blocks.iter().zip(&sizes).enumerate() {
            if self.parts[block as usize].largest == group as u32 {
                names.push(block);
            } else {
                names.push(self.sizes.len() as u32);
                self.sizes[block as usize] -= size;
                self.sizes.push(size);
                self.parents.push(block);
            }
        }
        for &block in &blocks {
            self.parts[block as usize] = Parts::default();
        }
        self.parts.resize(self.sizes.len(), Parts::default());
        self.counts.push(self.sizes.len() as u32);
        let mut changed = Vec::new();
        for (&state, &group) in states.iter().zip(groups) {
            if group != NO_GROUP {
                let name = names[group as usize];
                let own = &mut self.blocks[state as usize];
                if *own != name {
                    *own = name;
                    changed.push(state);
                }
            }
        }
        changed
    }

    /// The same with blocks numbered by their first state.
    pub(super) fn numbered(self) -> Refinement {
        const NONE: u32 = u32::MAX;
        let Partition {
            mut blocks,
            parents,
            counts,
            ..
        } = self;
        let mut numbers = vec![NONE; parents.len()];
        let mut found = 0;
        for name in &mut blocks {
            let number = &mut numbers[*name as usize];
            if *number == NONE {
                *number = found;
                found += 1;
            }
            *name = *number;
        }
        let beginning = |block: u32| Origin {
            parent: block,
            round: 0,
        };
        let mut origins: Vec<Origin> = (0..found).map(beginning).collect();
        // From the last round back, `numbers` holds for each name the first block that comes from it.
        let mut firsts = numbers.clone();
        for (round, ends) in counts.windows(2).enumerate().rev() {
            let names = ends[0] as usize..ends[1] as usize;
            for name in names.clone() {
                let first = &mut firsts[parents[name] as usize];
                *first = numbers[name].min(*first);
            }
            for name in names.clone() {
                let kept = parents[name] as usize;
                let first = firsts[kept];
                for block in [numbers[name], numbers[kept]] {
                    if block != first {
                        origins[block as usize] = Origin {
                            parent: first,
                            round: round as u32 + 1,
                        };
                    }
                }
            }
            for name in names {
                let kept = parents[name] as usize;
                numbers[kept] = firsts[kept];
            }
        }
        Refinement {
            blocks,
            origins,
            blocks_per_round: counts,
        }
    }
}
