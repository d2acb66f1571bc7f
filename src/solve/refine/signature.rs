//! Signatures: what is compared in a round to see which states of a block stay together.
//!
//! Of the states of a block all had the same signature in the round before. So of their successors only
//! those matter that are in a block that split in that round, and a state that has none with a new name
//! has the signature that its block had all the time.

use crate::game::{Graph, StateIndex};

use super::partition::Partition;

/// The names of blocks as a round looks at them, by state.
pub(super) enum Names<'a> {
    /// Few blocks matter: their places in a set of bits.
    Few {
        /// [`NO_BIT`] for a block that does not matter.
        bits: Vec<u8>,
        /// The blocks with new names.
        renamed: u64,
        /// The bit of the sink if it matters.
        sink: u64,
    },
    /// The names of the blocks that matter, [`NO_NAME`] for the others.
    Many {
        names: Vec<u32>,
        first_renamed: u32,
        /// [`SINK`] if it matters.
        sink: u32,
    },
    /// The names of all blocks.
    All {
        names: &'a [u32],
        first_renamed: u32,
    },
}

const NO_BIT: u8 = 64;
const NO_NAME: u32 = u32::MAX;
/// The name of the block of the draw sink, which is no block of states.
const SINK: u32 = u32::MAX - 1;

impl<'a> Names<'a> {
    /// For looking at most states.
    pub(super) fn for_most(partition: &Partition) -> Names<'a> {
        let is_first = partition.is_first_round();
        let (first_renamed, matters) = partition.last_split();
        let blocks = partition.blocks.iter();
        let count = matters.iter().filter(|&&matters| matters).count();
        if count >= usize::from(NO_BIT) {
            let name = |&block: &u32| match matters[block as usize] {
                true => block,
                false => NO_NAME,
            };
            return Names::Many {
                names: blocks.map(name).collect(),
                first_renamed,
                sink: if is_first { SINK } else { NO_NAME },
            };
        }
        let mut bit_of_name = vec![NO_BIT; matters.len()];
        let mut renamed = 0;
        let mut next = 0;
        for (name, _) in matters.iter().enumerate().filter(|(_, matters)| **matters) {
            bit_of_name[name] = next;
            if name >= first_renamed as usize {
                renamed |= 1 << next;
            }
            next += 1;
        }
        let sink = if is_first { 1 << next } else { 0 };
        Names::Few {
            bits: blocks.map(|&block| bit_of_name[block as usize]).collect(),
            renamed: renamed | sink,
            sink,
        }
    }

    /// For looking at few states.
    pub(super) fn for_few(partition: &'a Partition) -> Names<'a> {
        Names::All {
            names: &partition.blocks,
            first_renamed: partition.first_of_last_round(),
        }
    }

    /// Adds the list that stands for the signature of a state and its block, which is the last number, and says
    /// whether the signature is another one than the block had before.
    pub(super) fn put(&self, graph: &Graph, state: u32, block: u32, list: &mut Vec<u32>) -> bool {
        let successors = graph.successors(StateIndex::new(state as usize));
        let start = list.len();
        let (names, first_renamed, sink) = match self {
            Names::Few {
                bits,
                renamed,
                sink,
            } => {
                let bit = |bit: u8| if bit == NO_BIT { 0 } else { 1_u64 << bit };
                let set = successors.iter().fold(0, |set, successor| {
                    set | successor
                        .state()
                        .map_or(*sink, |state| bit(bits[state.get()]))
                });
                list.extend([set as u32, (set >> 32) as u32, block]);
                return set & renamed != 0;
            }
            Names::Many {
                names,
                first_renamed,
                sink,
            } => (names.as_slice(), *first_renamed, *sink),
            Names::All {
                names,
                first_renamed,
            } => (*names, *first_renamed, NO_NAME),
        };
        // Without branches: what the processor waits for is memory, and so it waits for all names at once.
        list.resize(start + successors.len(), 0);
        let (mut end, mut is_renamed) = (start, false);
        for successor in successors {
            let name = successor.state().map_or(sink, |state| names[state.get()]);
            list[end] = name;
            end += usize::from(name != NO_NAME);
            // `NO_NAME` plus one is zero.
            is_renamed |= name.wrapping_add(1) > first_renamed;
        }
        list.truncate(end);
        if is_renamed {
            list[start..].sort_unstable();
            drop_doubles(list, start);
            list.push(block);
        } else {
            list.truncate(start);
        }
        is_renamed
    }
}

/// Drops what is in a sorted list twice, from a place on.
fn drop_doubles(list: &mut Vec<u32>, start: usize) {
    let (mut end, mut last) = (start, NO_NAME);
    for place in start..list.len() {
        let name = list[place];
        list[end] = name;
        end += usize::from(name != last);
        last = name;
    }
    list.truncate(end);
}
