//! Step 9: each partition is what the one before it comes to.
//!
//! The partitions are compared round by round: that of round 0 with the labels, that of each other round with the
//! signatures in the partition before. Within a block of the partition before, the vertices of a *part*, that is a block of
//! the partition of the round, must all have the same signature (`not stable`), and those of two parts different ones
//! (`not coarsest`). So it is enough to compare each vertex with the first of its part, and the first vertices with each
//! other. A block of one vertex has nothing to compare.
//!
//! Signatures are found anew in each round, so that memory is needed only for those of the parts of one block.
//!
//! In each round `not stable` comes before `not coarsest`: the verdict does not depend on the order of blocks.
//!
//! Source: `docs/certificate-format.md`, *What a checker must establish*.

use std::collections::BTreeMap;

use super::graph::{Graph, Item, Label, Vertices};
use super::partition::Partitions;
use super::{Reason, Refusal};

/// Compares the partitions with the graph, and returns its number of edges.
pub(super) fn check(graph: &Graph, partitions: &Partitions) -> Result<u64, Refusal> {
    let (labels, edges) = graph.labels_and_edges();
    // Before round 0 all vertices are in one block.
    let mut before = vec![0; labels.len()];
    let mut vertices: Vec<u32> = (0..).take(labels.len()).collect();
    let mut round = Round {
        number: 0,
        graph,
        now: partitions.of_round(0),
        not_coarsest: None,
    };
    round.check(&mut vertices, &before, |vertex, label: &mut Vec<Label>| {
        label.clear();
        label.extend(labels.get(vertex as usize));
    })?;
    drop(labels);
    for number in 1..=partitions.last_round() {
        before = round.now;
        round = Round {
            number,
            graph,
            now: partitions.of_round(number),
            not_coarsest: None,
        };
        let signature = |vertex, items: &mut Vec<Item>| graph.signature(vertex, &before, items);
        round.check(&mut vertices, &before, signature)?;
    }
    Ok(edges)
}

/// A round of the refinement.
struct Round<'a> {
    number: u32,
    graph: &'a Graph<'a>,
    /// The block of each vertex in the partition of this round.
    now: Vec<u32>,
    /// The first two vertices found that part without a reason.
    not_coarsest: Option<(u32, u32)>,
}

impl Round<'_> {
    /// Goes through the blocks of the partition before, whose vertices stand together. Afterwards those of the partition of
    /// this round do.
    fn check<T: Ord + Clone>(
        &mut self,
        vertices: &mut [u32],
        before: &[u32],
        mut signature: impl FnMut(u32, &mut Vec<T>),
    ) -> Result<(), Refusal> {
        for block in vertices.chunk_by_mut(|&a, &b| block_of(a, before) == block_of(b, before)) {
            if block.len() > 1 {
                self.check_block(block, &mut signature)?;
            }
        }
        match self.not_coarsest {
            None => Ok(()),
            Some(pair) => Err(self.refusal(Reason::NotCoarsest, "the same", pair)),
        }
    }

    fn check_block<T: Ord + Clone>(
        &mut self,
        block: &mut [u32],
        signature: &mut impl FnMut(u32, &mut Vec<T>),
    ) -> Result<(), Refusal> {
        // The sort is stable, so the first vertex of each part is its smallest.
        block.sort_by_key(|&vertex| block_of(vertex, &self.now));
        let (mut of_first, mut of_other) = (Vec::new(), Vec::new());
        let mut firsts: BTreeMap<Vec<T>, u32> = BTreeMap::new();
        for part in block.chunk_by(|&a, &b| block_of(a, &self.now) == block_of(b, &self.now)) {
            let Some((&first, others)) = part.split_first() else {
                continue;
            };
            signature(first, &mut of_first);
            for &other in others {
                signature(other, &mut of_other);
                if of_other != of_first {
                    return Err(self.refusal(Reason::NotStable, "different", (first, other)));
                }
            }
            if let Some(&twin) = firsts.get(&of_first) {
                self.not_coarsest = self.not_coarsest.or(Some((twin, first)));
            } else if part.len() < block.len() {
                firsts.insert(of_first.clone(), first);
            }
        }
        Ok(())
    }

    /// The refusal of two vertices.
    fn refusal(&self, reason: Reason, how: &str, (one, other): (u32, u32)) -> Refusal {
        let what = if self.number == 0 {
            "labels"
        } else {
            "successors"
        };
        let place = format_args!(
            "round {}: {how} {what}, vertices {} and {}",
            self.number,
            self.graph.named(one),
            self.graph.named(other)
        );
        Refusal::new(reason, place)
    }
}

/// The block of a vertex in a partition.
fn block_of(vertex: u32, partition: &[u32]) -> Option<u32> {
    partition.get(vertex as usize).copied()
}
