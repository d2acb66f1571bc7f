//! Refinement: the coarsest strong bisimulation of a finite game (C2.2).
//!
//! Two states are bisimilar if they have the same label and each can match every move of the other by
//! a move into a bisimilar state. The partition into classes of such states is found in rounds. It
//! begins with the labels; each round splits every block by the *signature* of its states, the set of
//! blocks that their successors are in. The round that splits nothing is the last, and counted.
//! (Kanellakis and Smolka 1983; Blom and Orzan 2005.)
//!
//! A round is synchronous: all signatures are taken over the partition before it. When a block splits,
//! one part keeps its name and the others get new ones, so the signature of a state has changed only
//! if one of its successors has got a new name, and only such states are looked at again. States
//! alone in their block are left in peace. Signatures are sorted by a hash and then compared exactly.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::game::{Graph, Interrupted, Observer, StateIndex, Successor};

/// A partition with the history of how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refinement {
    /// The block of every state. Blocks are numbered by their first state.
    pub blocks: Vec<u32>,
    /// How every block came about.
    pub origins: Vec<Origin>,
    /// How many blocks there are before the first round and after each round; the last two numbers are
    /// the same.
    pub blocks_per_round: Vec<u32>,
}

/// How a block came about: of the parts of a block that splits, that with the first state goes on as
/// it was, and is the parent of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The block it was part of; itself for a block of the beginning.
    pub parent: u32,
    /// The round in which it appeared; 0 for a block of the beginning.
    pub round: u32,
}

impl Refinement {
    /// How many rounds there were, the one that changed nothing included.
    pub fn rounds(&self) -> usize {
        self.blocks_per_round.len() - 1
    }

    /// The block that a block was part of after a round.
    pub fn block_after(&self, round: u32, mut block: u32) -> u32 {
        while self.origins[block as usize].round > round {
            block = self.origins[block as usize].parent;
        }
        block
    }
}

/// The coarsest strong bisimulation of a game that respects the labels of its states. The draw sink is
/// a block of its own, which is not counted. Runs on the current rayon pool; the result is the same
/// for any number of threads.
///
/// # Errors
///
/// [`Interrupted`] if the observer says so.
///
/// # Panics
///
/// If there is not one label for each state.
pub fn refine(
    graph: &Graph,
    labels: &[u32],
    observer: &dyn Observer,
) -> Result<Refinement, Interrupted> {
    assert_eq!(labels.len(), graph.len(), "every state has a label");
    observer.begin("refining", 0);
    let mut partition = Partition::of_labels(labels);
    let mut history = vec![Vec::new()];
    let mut blocks_per_round = vec![partition.sizes.len() as u32];
    let mut dirty = partition.unresolved();
    let mut predecessors: Option<Predecessors> = None;
    loop {
        let entries = signatures(graph, &partition, &dirty, observer)?;
        let splits = partition.split(graph, &dirty, entries);
        blocks_per_round.push(partition.sizes.len() as u32);
        if splits.changed.is_empty() {
            break;
        }
        history.push(splits.names);
        // While much changes, looking at all that is left is cheaper than asking who is concerned.
        if predecessors.is_none() && splits.changed.len() < graph.len() / 4 {
            predecessors = Some(Predecessors::of(graph, &partition.unresolved()));
        }
        dirty = match &predecessors {
            Some(predecessors) => predecessors.before(&splits.changed, &partition),
            None => partition.unresolved(),
        };
    }
    Ok(partition.numbered(&history, blocks_per_round))
}

/// The name of the block of the draw sink, which is no block of states.
const SINK: u32 = u32::MAX;

/// A partition whose blocks have names in the order in which they appeared.
struct Partition {
    blocks: Vec<u32>,
    sizes: Vec<u32>,
}

/// What a round has changed.
struct Splits {
    /// For each new block its own name and the name that the rest has kept.
    names: Vec<(u32, u32)>,
    /// The states with a new name.
    changed: Vec<u32>,
}

/// A state whose signature has been taken: from above its block, the hash, its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry(u128);

impl Entry {
    fn new(block: u32, hash: u64, state: u32) -> Entry {
        Entry(u128::from(block) << 96 | u128::from(hash) << 32 | u128::from(state))
    }

    fn block(self) -> u32 {
        (self.0 >> 96) as u32
    }

    fn hash(self) -> u64 {
        (self.0 >> 32) as u64
    }

    fn state(self) -> u32 {
        self.0 as u32
    }

    /// Whether block and hash are the same.
    fn is_like(self, other: Entry) -> bool {
        self.0 >> 32 == other.0 >> 32
    }
}

impl Partition {
    fn of_labels(labels: &[u32]) -> Partition {
        let mut names = BTreeMap::new();
        let mut sizes = Vec::new();
        let blocks = labels
            .iter()
            .map(|label| {
                let name = *names.entry(label).or_insert(sizes.len() as u32);
                if name as usize == sizes.len() {
                    sizes.push(0);
                }
                sizes[name as usize] += 1;
                name
            })
            .collect();
        Partition { blocks, sizes }
    }

    /// The states that are not alone in their block, in order.
    fn unresolved(&self) -> Vec<u32> {
        (0..self.blocks.len() as u32)
            .filter(|&state| !self.is_alone(state))
            .collect()
    }

    fn is_alone(&self, state: u32) -> bool {
        self.sizes[self.blocks[state as usize] as usize] == 1
    }

    /// The set of blocks that the successors of a state are in, ascending.
    fn signature(&self, graph: &Graph, state: u32, signature: &mut Vec<u32>) {
        signature.clear();
        let successors = graph.successors(StateIndex::new(state as usize));
        signature.extend(successors.iter().map(|&successor| self.name(successor)));
        signature.sort_unstable();
        signature.dedup();
    }

    fn name(&self, successor: Successor) -> u32 {
        successor
            .state()
            .map_or(SINK, |state| self.blocks[state.get()])
    }

    /// Splits the blocks of some states. All others of a block have the signature that the block had
    /// before. The states are in order; the entries are the same ones, sorted.
    fn split(&mut self, graph: &Graph, states: &[u32], mut entries: Vec<Entry>) -> Splits {
        if !self.is_exact(graph, states, &entries) {
            self.make_exact(graph, &mut entries);
        }
        let mut splits = Splits {
            names: Vec::new(),
            changed: Vec::new(),
        };
        let mut next = self.sizes.len() as u32;
        for block in entries.chunk_by(|a, b| a.block() == b.block()) {
            let kept = block[0].block();
            let parts = || block.chunk_by(|a, b| a.hash() == b.hash());
            let has_rest = block.len() < self.sizes[kept as usize] as usize;
            // Without a rest the largest part keeps the name, the first of several.
            let keeps = parts()
                .map(|part| (part.len(), std::cmp::Reverse(part[0].state())))
                .max()
                .filter(|_| !has_rest);
            for part in parts() {
                if keeps.is_some_and(|(_, first)| first.0 == part[0].state()) {
                    continue;
                }
                self.sizes[kept as usize] -= part.len() as u32;
                self.sizes.push(part.len() as u32);
                splits.names.push((next, kept));
                splits
                    .changed
                    .extend(part.iter().map(|entry| entry.state()));
                for entry in part {
                    self.blocks[entry.state() as usize] = next;
                }
                next += 1;
            }
        }
        splits
    }

    /// Whether all states of a block with the same hash have the same signature. Each is compared with
    /// the first; in the order of the states, because that is the order of the graph in memory.
    fn is_exact(&self, graph: &Graph, states: &[u32], entries: &[Entry]) -> bool {
        const CHUNK: usize = 1 << 12;
        let mut firsts = vec![0_u32; self.blocks.len()];
        for part in entries.chunk_by(|a, b| a.is_like(*b)) {
            for entry in part {
                firsts[entry.state() as usize] = part[0].state();
            }
        }
        states.par_chunks(CHUNK).all(|states| {
            let (mut own, mut of_first, mut last) = (Vec::new(), Vec::new(), None);
            states.iter().all(|&state| {
                let first = firsts[state as usize];
                if first == state {
                    return true;
                }
                if last != Some(first) {
                    self.signature(graph, first, &mut of_first);
                    last = Some(first);
                }
                self.signature(graph, state, &mut own);
                own == of_first
            })
        })
    }

    /// Gives different signatures different numbers in place of hashes.
    fn make_exact(&self, graph: &Graph, entries: &mut [Entry]) {
        let mut numbers: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        let mut signature = Vec::new();
        for entry in entries.iter_mut() {
            self.signature(graph, entry.state(), &mut signature);
            let next = numbers.len() as u64;
            let number = *numbers.entry(signature.clone()).or_insert(next);
            *entry = Entry::new(entry.block(), number, entry.state());
        }
        entries.sort_unstable();
    }

    /// The partition with blocks numbered by their first state.
    fn numbered(self, history: &[Vec<(u32, u32)>], blocks_per_round: Vec<u32>) -> Refinement {
        const NONE: u32 = u32::MAX;
        let mut numbers = vec![NONE; self.sizes.len()];
        let mut found = 0;
        let blocks: Vec<u32> = self
            .blocks
            .iter()
            .map(|&name| {
                let number = &mut numbers[name as usize];
                if *number == NONE {
                    *number = found;
                    found += 1;
                }
                *number
            })
            .collect();
        // From the last round back, `numbers` holds for each name the first block that comes from it.
        let mut origins: Vec<Origin> = (0..found)
            .map(|block| Origin {
                parent: block,
                round: 0,
            })
            .collect();
        for (round, names) in history.iter().enumerate().rev() {
            let mut firsts: BTreeMap<u32, u32> = BTreeMap::new();
            for &(name, kept) in names {
                let first = firsts.entry(kept).or_insert(numbers[kept as usize]);
                *first = numbers[name as usize].min(*first);
            }
            for &(name, kept) in names {
                let first = firsts[&kept];
                for block in [numbers[name as usize], numbers[kept as usize]] {
                    if block != first {
                        origins[block as usize] = Origin {
                            parent: first,
                            round: round as u32,
                        };
                    }
                }
            }
            for (kept, first) in firsts {
                numbers[kept as usize] = first;
            }
        }
        Refinement {
            blocks,
            origins,
            blocks_per_round,
        }
    }
}

/// The signatures of some states, sorted by block and hash.
fn signatures(
    graph: &Graph,
    partition: &Partition,
    states: &[u32],
    observer: &dyn Observer,
) -> Result<Vec<Entry>, Interrupted> {
    const CHUNK: usize = 1 << 12;
    let mut entries = vec![Entry(0); states.len()];
    entries
        .par_chunks_mut(CHUNK)
        .zip(states.par_chunks(CHUNK))
        .try_for_each(|(entries, states)| {
            observer.checkpoint(0)?;
            let mut signature = Vec::new();
            for (entry, &state) in entries.iter_mut().zip(states) {
                partition.signature(graph, state, &mut signature);
                let block = partition.blocks[state as usize];
                *entry = Entry::new(block, hash(&signature), state);
            }
            Ok(())
        })?;
    entries.par_sort_unstable();
    Ok(entries)
}

/// A hash that is the same in every run. Where it fails to tell signatures apart, they are compared.
fn hash(signature: &[u32]) -> u64 {
    const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
    signature.iter().fold(SEED, |hash, &block| {
        let mixed = (hash ^ u64::from(block)).wrapping_mul(SEED);
        mixed ^ mixed >> 32
    })
}

/// Who can move into a state, among some states.
struct Predecessors {
    starts: Vec<u32>,
    origins: Vec<u32>,
}

impl Predecessors {
    fn of(graph: &Graph, states: &[u32]) -> Predecessors {
        let targets = |state: u32| {
            let successors = graph.successors(StateIndex::new(state as usize)).iter();
            successors.filter_map(|successor| successor.state())
        };
        let mut starts = vec![0; graph.len() + 1];
        for target in states.iter().flat_map(|&state| targets(state)) {
            starts[target.get() + 1] += 1;
        }
        for state in 0..graph.len() {
            starts[state + 1] += starts[state];
        }
        let mut free = starts.clone();
        let mut origins = vec![0; starts[graph.len()] as usize];
        for &state in states {
            for target in targets(state) {
                let place = &mut free[target.get()];
                origins[*place as usize] = state;
                *place += 1;
            }
        }
        Predecessors { starts, origins }
    }

    /// The states that can move into one of these and are not alone in their block, in order.
    fn before(&self, changed: &[u32], partition: &Partition) -> Vec<u32> {
        let origins = |&state: &u32| {
            let (from, to) = (self.starts[state as usize], self.starts[state as usize + 1]);
            &self.origins[from as usize..to as usize]
        };
        let mut before: Vec<u32> = changed
            .iter()
            .flat_map(origins)
            .copied()
            .filter(|&state| !partition.is_alone(state))
            .collect();
        before.par_sort_unstable();
        before.dedup();
        before
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GraphBuilder, Value};

    /// Hashes that are all the same change nothing: signatures are compared.
    #[test]
    fn collisions_are_seen() {
        let state = |number| Successor::from(StateIndex::new(number));
        let mut builder = GraphBuilder::new();
        builder.push(&[state(3)]);
        builder.push(&[state(4)]);
        builder.push(&[state(3)]);
        builder.push_end(Value::Draw);
        builder.push_end(Value::Draw);
        let graph = builder.finish();
        let mut partition = Partition::of_labels(&[0, 0, 0, 1, 2]);
        let entries: Vec<Entry> = (0..3).map(|state| Entry::new(0, 7, state)).collect();
        assert!(!partition.is_exact(&graph, &[0, 1, 2], &entries));
        let splits = partition.split(&graph, &[0, 1, 2], entries);
        assert_eq!(splits.changed, [1]);
        assert_eq!(partition.blocks, [0, 3, 0, 1, 2]);
    }
}
