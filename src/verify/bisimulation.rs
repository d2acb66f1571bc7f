//! The check of a bisimulation: steps 2 to 10 of what a checker must establish.
//!
//! The vertices, their labels and their successors come from the island's own enumeration and move generator, the bytes of
//! children from tables that were verified before. The file says which vertices are in the same block in which round;
//! that is compared with what follows from the round before, for every vertex. Why this proves the claim is said in the
//! soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 2: bisimulation*.

use super::certificate::{Bisimulation, Child};
use super::claim::material_of_bisimulation;
use super::class::Class;
use super::graph::Graph;
use super::partition::Partitions;
use super::session::Tables;
use super::states::States;
use super::table::{check_children, same};
use super::{Checked, Reason, Refusal, images, refinement};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    named: Vec<Child>,
    stored: &Bisimulation,
    tables: &mut Tables,
) -> Result<Checked, Refusal> {
    let material = material_of_bisimulation(claim)?;
    check_children(&material, &named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let (states, census) = States::of(&material, named);
    let reason = Reason::WrongNumberOfStates;
    same(reason, "states", stored.states, census.states)?;
    if let Some(stored) = stored.en_passant_states {
        same(
            reason,
            "en_passant_states",
            stored,
            census.en_passant_states,
        )?;
    }
    let class = Class::of(&states, &children);
    images::check_sample(&class)?;
    let graph = Graph::of(class);
    let partitions = Partitions::of(stored, graph.vertices())?;
    let edges = refinement::check(&graph, &partitions)?;
    same(Reason::WrongCount, "edges", stored.edges, edges)?;
    Ok(Checked {
        states: census.states,
        edges,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::LazyLock;

    use super::super::certificate::{Body, Certificate, Encoding};
    use super::super::claim::needed_by;
    use super::super::class::Arrival;
    use super::super::{Session, read};
    use super::*;

    /// What a vertex leads to, told apart as signatures do: the draw sink, a byte of a child, or a vertex.
    type Successor = (char, usize);

    /// The distinct successors of each vertex, and the partitions from that by labels to the last, by definition: a pass over
    /// all vertices for each round, in which blocks are numbered as they are met.
    struct Rounds {
        states: usize,
        edges: usize,
        partitions: Vec<Vec<u32>>,
    }

    impl Rounds {
        fn of(class: &Class) -> Rounds {
            let states = class.states;
            let count = states.positions().count();
            let en_passant = states.en_passant_positions().map(|(_, position)| position);
            let positions = states.positions().map(|(_, position)| position);
            let (mut labels, mut successors) = (Vec::new(), Vec::new());
            for position in positions.chain(en_passant) {
                let here = states.here(position.squares);
                let (mut leads_to, mut distinct) = (BTreeSet::new(), BTreeSet::new());
                position.moves(|change| {
                    let Some(arrival) = class.arrive(&position, here, change) else {
                        return;
                    };
                    distinct.insert(arrival.successor());
                    leads_to.insert(match arrival {
                        Arrival::Sink => ('s', 0),
                        Arrival::Child { byte, .. } => ('c', usize::from(byte)),
                        Arrival::State { number, .. } => ('v', number),
                        Arrival::EnPassant { number, .. } => ('v', count + number),
                    });
                });
                let ends = leads_to.is_empty().then(|| position.in_check());
                labels.push((position.to_move, ends));
                successors.push((leads_to, distinct.len()));
            }
            let edges = successors.iter().take(count).map(|&(_, edges)| edges).sum();
            let mut partitions = vec![numbered(labels.into_iter())];
            loop {
                let last = partitions.last().unwrap();
                let block = |&(kind, vertex): &Successor| match kind {
                    'v' => (kind, last[vertex] as usize),
                    _ => (kind, vertex),
                };
                let signature = |(successors, _): &(BTreeSet<Successor>, usize)| {
                    successors.iter().map(block).collect::<BTreeSet<_>>()
                };
                let next = numbered(last.iter().zip(successors.iter().map(signature)));
                let is_stable = next == *last;
                partitions.push(next);
                if is_stable {
                    break;
                }
            }
            Rounds {
                states: count,
                edges,
                partitions,
            }
        }

        /// The content of a certificate.
        fn bisimulation(&self, has_en_passant: bool) -> Bisimulation {
            // The smallest vertices of the blocks of each partition.
            let firsts: Vec<Vec<usize>> = self.partitions.iter().map(|p| firsts(p)).collect();
            let map = self.partitions.last().unwrap().clone();
            let en_passant_states = (map.len() - self.states) as u64;
            let (mut parents, mut split_rounds) = (Vec::new(), Vec::new());
            for &vertex in firsts.last().unwrap() {
                let is_first = |firsts: &Vec<usize>| firsts.contains(&vertex);
                let round = firsts.iter().position(is_first).unwrap();
                let before = round.saturating_sub(1);
                let parent = firsts[before][self.partitions[before][vertex] as usize];
                parents.push(map[parent]);
                split_rounds.push(round as u32);
            }
            Bisimulation {
                states: self.states as u64,
                edges: self.edges as u64,
                en_passant_states: has_en_passant.then_some(en_passant_states),
                blocks_per_round: firsts.iter().map(|firsts| firsts.len() as u64).collect(),
                map,
                parents,
                split_rounds,
            }
        }
    }

    /// The vertices with equal keys get equal numbers, in the order in which keys are met.
    fn numbered<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<u32> {
        let mut numbers = BTreeMap::new();
        let number = |key| {
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        keys.map(number).collect()
    }

    /// The smallest vertex of each block of a partition whose blocks are in the order of these.
    fn firsts(partition: &[u32]) -> Vec<usize> {
        let mut firsts = Vec::new();
        for (vertex, &block) in partition.iter().enumerate() {
            if block as usize == firsts.len() {
                firsts.push(vertex);
            }
        }
        firsts
    }

    #[test]
    fn figures() {
        let start = std::time::Instant::now();
        for name in ["KQK", "KRK"] {
            let claim = format!("bisimulation {name} board");
            let (states, _) = States::of(&material_of_bisimulation(&claim).unwrap(), Vec::new());
            let rounds = Rounds::of(&Class::of(&states, &[]));
            eprintln!("{:?}", start.elapsed());
            let b = rounds.bisimulation(false);
            eprintln!(
                "{:?} {} {} {:?}",
                start.elapsed(),
                b.states,
                b.edges,
                b.blocks_per_round
            );
            let c = check(&claim, Vec::new(), &b, &mut Tables::default());
            eprintln!("{:?} {:?}", start.elapsed(), c);
        }
    }
}
