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
//! if one of its successors has got a new name. States alone in their block are left in peace. As
//! long as much changes, all others are looked at in a row; then only those that can move into a state
//! with a new name. Signatures are found by a hash and compared exactly.

mod interner;
mod partition;
mod predecessors;
mod signature;

use std::hint::black_box;

use rayon::prelude::*;

use crate::game::{Graph, Interrupted, Observer};
use interner::{Interner, Wanted};
use partition::{NO_GROUP, Partition};
use predecessors::Predecessors;
use signature::Names;

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
    let mut unresolved: Vec<u32> = (0..graph.len() as u32).collect();
    unresolved.retain(|&state| !partition.is_alone(state));
    // First, rounds that look at all states that are not alone in their block.
    let mut in_vain = 0;
    let changed = loop {
        let names = Names::for_most(&partition);
        let groups = group(graph, &partition, &names, &unresolved, observer)?;
        in_vain += groups.same();
        let changed = groups.split(&mut partition, &unresolved);
        unresolved.retain(|&state| !partition.is_alone(state));
        if changed.is_empty() {
            return Ok(partition.numbered());
        }
        if in_vain > PATIENCE * graph.len() {
            break changed;
        }
    };
    // Then, rounds that look at those alone that can move into a state with a new name.
    let predecessors = Predecessors::of(graph, &unresolved);
    drop(unresolved);
    let mut changed = changed;
    while !changed.is_empty() {
        let before = predecessors.before(&changed, |state| !partition.is_alone(state));
        let names = Names::for_few(&partition);
        let groups = group(graph, &partition, &names, &before, observer)?;
        changed = groups.split(&mut partition, &before);
    }
    Ok(partition.numbered())
}

/// Looking at every state in a row is cheap, and finding out who can move where is dear. How often
/// every state may be looked at in vain before that is done.
const PATIENCE: usize = 8;

/// States grouped by block and signature.
struct Groups {
    /// The group of each state, or [`NO_GROUP`].
    of_states: Vec<u32>,
    /// Signature and block of each group.
    lists: Interner,
}

impl Groups {
    /// How many states have the signature that their block had before.
    fn same(&self) -> usize {
        let groups = self.of_states.iter();
        groups.filter(|&&group| group == NO_GROUP).count()
    }

    fn split(self, partition: &mut Partition, states: &[u32]) -> Vec<u32> {
        let blocks = self.lists.lists().filter_map(|list| list.last().copied());
        partition.split(states, &self.of_states, blocks)
    }
}

/// Groups some states, given in order, by block and signature. Groups are numbered by their first
/// state.
fn group(
    graph: &Graph,
    partition: &Partition,
    names: &Names,
    states: &[u32],
    observer: &dyn Observer,
) -> Result<Groups, Interrupted> {
    /// Fewer states are not worth a second thread.
    const LEAST: usize = 1 << 13;
    /// A guess; a round seldom finds so many times as many groups as the one before.
    const MORE_GROUPS: usize = 8;
    let expected = MORE_GROUPS * partition.last_groups();
    let share = states.len().div_ceil(rayon::current_num_threads());
    let mut shares: Vec<Groups> = states
        .par_chunks(share.max(LEAST))
        .map(|states| group_share(graph, partition, names, states, expected, observer))
        .collect::<Result<_, Interrupted>>()?;
    let mut others = shares.drain(..);
    let mut groups = others.next().unwrap_or_else(|| Groups::none(0));
    for other in others {
        let number = |list| groups.lists.number(Wanted::new(list));
        let numbers: Vec<u32> = other.lists.lists().map(number).collect();
        let known = |&group: &u32| match group {
            NO_GROUP => NO_GROUP,
            group => numbers[group as usize],
        };
        groups.of_states.extend(other.of_states.iter().map(known));
    }
    Ok(groups)
}

impl Groups {
    fn none(expected: usize) -> Groups {
        Groups {
            of_states: Vec::new(),
            lists: Interner::new(expected),
        }
    }
}

fn group_share(
    graph: &Graph,
    partition: &Partition,
    names: &Names,
    states: &[u32],
    expected: usize,
    observer: &dyn Observer,
) -> Result<Groups, Interrupted> {
    const CHUNK: usize = 1 << 12;
    /// States whose signatures are looked up together.
    const BATCH: usize = 1 << 4;
    let mut groups = Groups::none(expected.min(states.len()));
    groups.of_states.reserve_exact(states.len());
    let (mut lists, mut ends) = (Vec::new(), Vec::new());
    for chunk in states.chunks(CHUNK) {
        observer.checkpoint(0)?;
        for batch in chunk.chunks(BATCH) {
            lists.clear();
            ends.clear();
            for &state in batch {
                let block = partition.blocks[state as usize];
                let is_new = names.put(graph, state, block, &mut lists);
                ends.push((lists.len(), is_new));
            }
            let mut start = 0;
            let wanted = ends.iter().map(|&(end, is_new)| {
                let list = &lists[start..end];
                start = end;
                is_new.then(|| Wanted::new(list))
            });
            let wanted: Vec<Option<Wanted>> = wanted.collect();
            let touched = wanted.iter().flatten();
            black_box(touched.fold(0, |all, &wanted| all | groups.lists.touch(wanted)));
            for wanted in wanted {
                let group = wanted.map_or(NO_GROUP, |wanted| groups.lists.number(wanted));
                groups.of_states.push(group);
            }
        }
    }
    Ok(groups)
}
