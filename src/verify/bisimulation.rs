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
    use super::super::claim::material_of_endgame;
    use super::super::class::Arrival;
    use super::super::{Id, Session, read};
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
                let is_first = |firsts: &Vec<usize>| firsts.binary_search(&vertex).is_ok();
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

    /// The bisimulation of a class among the tables that it rests on.
    fn bisimulation_of(claim: &str, named: &[Child], tables: &mut Tables) -> Bisimulation {
        let material = material_of_bisimulation(claim).unwrap();
        let (states, _) = States::of(&material, named.to_vec());
        let children: Vec<_> = named.iter().map(|child| tables.states_of(child)).collect();
        let children = children.into_iter().collect::<Result<Vec<_>, _>>().unwrap();
        let rounds = Rounds::of(&Class::of(&states, &children));
        rounds.bisimulation(material.has_en_passant())
    }

    const CLAIM: &str = "bisimulation KRK board";

    static KRK: LazyLock<Bisimulation> =
        LazyLock::new(|| bisimulation_of(CLAIM, &[], &mut Tables::default()));

    /// The refusal of the bisimulation after a change.
    fn refusal(change: impl FnOnce(&mut Bisimulation)) -> Refusal {
        let mut changed = KRK.clone();
        change(&mut changed);
        assert_ne!(changed, *KRK);
        check(CLAIM, Vec::new(), &changed, &mut Tables::default()).unwrap_err()
    }

    /// Whether it is refused for a reason that is found in a round.
    fn is_of_round(refusal: &Refusal, reason: Reason, round: u32) -> bool {
        refusal.reason == reason && refusal.place.starts_with(&format!("round {round}: "))
    }

    /// The number of the last round.
    fn last_round(stored: &Bisimulation) -> u32 {
        stored.blocks_per_round.len() as u32 - 1
    }

    /// The vertices of each block.
    static MEMBERS: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
        let mut members = vec![Vec::new(); KRK.parents.len()];
        for (vertex, &block) in KRK.map.iter().enumerate() {
            members[block as usize].push(vertex);
        }
        members
    });

    /// The blocks that appear in round 0.
    fn roots() -> Vec<u32> {
        let blocks = (0..)
            .zip(&KRK.split_rounds)
            .filter(|&(_, &split)| split == 0);
        let roots: Vec<u32> = blocks.map(|(block, _)| block).collect();
        assert_eq!(roots.len(), 4);
        roots
    }

    /// The first block of more than one vertex, and its second one.
    fn larger_block() -> (u32, usize) {
        let mut blocks = (0..).zip(MEMBERS.iter());
        blocks
            .find_map(|(block, members)| Some((block, *members.get(1)?)))
            .unwrap()
    }

    /// The blocks from which no other one was split off, the largest numbers first.
    fn leaves(stored: &Bisimulation) -> Vec<u32> {
        let parents: BTreeSet<u32> = (0..)
            .zip(&stored.parents)
            .filter(|&(block, &parent)| block != parent)
            .map(|(_, &parent)| parent)
            .collect();
        let blocks = 0..stored.parents.len() as u32;
        blocks
            .rev()
            .filter(|block| !parents.contains(block))
            .collect()
    }

    /// Puts blocks in the order of their smallest vertices again, drops those without a vertex, and counts anew.
    fn put_in_order(stored: &mut Bisimulation) {
        let order = numbered(stored.map.iter().copied());
        let mut new_number = BTreeMap::new();
        for (&old, &new) in stored.map.iter().zip(&order) {
            new_number.insert(old, new);
        }
        let mut blocks: Vec<(u32, u32)> =
            new_number.iter().map(|(&old, &new)| (new, old)).collect();
        blocks.sort_unstable();
        let of_old = |list: &[u32]| -> Vec<u32> {
            blocks.iter().map(|&(_, old)| list[old as usize]).collect()
        };
        stored.parents = of_old(&stored.parents)
            .iter()
            .map(|old| new_number[old])
            .collect();
        stored.split_rounds = of_old(&stored.split_rounds);
        stored.map = order;
        count(stored);
    }

    /// Makes the counts fit to the rounds in which blocks appear.
    fn count(stored: &mut Bisimulation) {
        for (round, blocks) in (0..).zip(&mut stored.blocks_per_round) {
            let split_rounds = stored.split_rounds.iter();
            *blocks = split_rounds.filter(|&&split| split <= round).count() as u64;
        }
    }

    #[test]
    fn classes_without_children() {
        // The numbers are those of other programs.
        let certificate = |name: &str, content: Bisimulation| {
            let claim = format!("bisimulation {name} board");
            let body = Body::Bisimulation(content);
            Certificate::made_of(Encoding::Json, claim, Vec::new(), body)
        };
        let kqk = bisimulation_of("bisimulation KQK board", &[], &mut Tables::default());
        for (name, content, states, edges, blocks, rounds) in [
            ("KQK", &kqk, 46_137, 609_873, 45_249, 9),
            ("KRK", &KRK, 50_015, 558_816, 49_885, 13),
        ] {
            let checked = Session::new()
                .verify(&certificate(name, content.clone()))
                .unwrap();
            assert_eq!((checked.states, checked.edges), (states, edges), "{name}");
            assert_eq!(content.parents.len(), blocks, "{name}");
            assert_eq!(last_round(content), rounds, "{name}");
        }
        // A bisimulation of one class is none of another, and a refusal has the id.
        let other = certificate("KQK", KRK.clone());
        let refusal = Session::new().verify(&other).unwrap_err();
        assert_eq!(refusal.reason, Reason::WrongNumberOfStates);
        assert_eq!(refusal.id, Some(other.id));
    }

    #[test]
    fn a_vertex_in_another_block_is_refused() {
        for round in 1..last_round(&KRK) {
            // The second vertex of a block goes to the one from which its block was split off.
            let mut blocks = (0..)
                .zip(&KRK.split_rounds)
                .filter(|&(_, &split)| split == round);
            let second = |(block, _)| Some((block, *MEMBERS[block as usize].get(1)?));
            let Some((block, vertex)) = blocks.find_map(second) else {
                continue;
            };
            let parent = KRK.parents[block as usize];
            let found = refusal(|stored| stored.map[vertex] = parent);
            assert!(is_of_round(&found, Reason::NotStable, round), "{found}");
            assert!(found.place.contains(&format!("{vertex} ")), "{found}");
        }
        // A vertex goes among those with another label.
        let root = |mut block: u32| {
            while KRK.split_rounds[block as usize] > 0 {
                block = KRK.parents[block as usize];
            }
            block
        };
        for other in roots() {
            let first = MEMBERS[other as usize][0];
            let mut blocks = (0..).zip(MEMBERS.iter());
            let vertex = blocks.find_map(|(block, members)| {
                let second = members.get(1).filter(|&&second| second > first);
                second.filter(|_| root(block) != other)
            });
            let found = refusal(|stored| stored.map[*vertex.unwrap()] = other);
            assert!(is_of_round(&found, Reason::NotStable, 0), "{found}");
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn two_blocks_in_one_are_refused() {
        for block in leaves(&KRK).into_iter().step_by(4_000) {
            let (parent, round) = (
                KRK.parents[block as usize],
                KRK.split_rounds[block as usize],
            );
            let found = refusal(|stored| {
                for found in stored.map.iter_mut().filter(|found| **found == block) {
                    *found = parent;
                }
                put_in_order(stored);
            });
            assert!(is_of_round(&found, Reason::NotStable, round), "{found}");
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn a_block_in_two_parts_is_refused() {
        let (block, vertex) = larger_block();
        for round in KRK.split_rounds[block as usize] + 1..last_round(&KRK) {
            let found = refusal(|stored| {
                stored.map[vertex] = stored.parents.len() as u32;
                stored.parents.push(block);
                stored.split_rounds.push(round);
                put_in_order(stored);
            });
            assert!(is_of_round(&found, Reason::NotCoarsest, round), "{found}");
            assert!(found.place.contains(&format!("and {vertex} ")), "{found}");
        }
        // In round 0: it appears with the labels.
        let found = refusal(|stored| {
            let block = stored.parents.len() as u32;
            stored.map[vertex] = block;
            stored.parents.push(block);
            stored.split_rounds.push(0);
            put_in_order(stored);
        });
        assert!(is_of_round(&found, Reason::NotCoarsest, 0), "{found}");
    }

    #[test]
    fn a_bisimulation_that_stops_too_early_is_refused() {
        // The partition of each round, as if the next one changed nothing.
        for round in 0..last_round(&KRK) - 1 {
            let found = refusal(|stored| {
                for block in &mut stored.map {
                    while KRK.split_rounds[*block as usize] > round {
                        *block = KRK.parents[*block as usize];
                    }
                }
                stored.blocks_per_round.truncate(round as usize + 2);
                put_in_order(stored);
            });
            assert!(is_of_round(&found, Reason::NotStable, round + 1), "{found}");
        }
    }

    #[test]
    fn another_round_is_refused() {
        let splits = &KRK.split_rounds;
        let of_parent = |block: u32| splits[KRK.parents[block as usize] as usize];
        for round in [5, 7, 9] {
            let blocks = leaves(&KRK);
            let mut blocks = blocks
                .into_iter()
                .filter(|&block| splits[block as usize] == round);
            let later = blocks.next().unwrap();
            let found = refusal(|stored| {
                stored.split_rounds[later as usize] += 1;
                count(stored);
            });
            assert!(is_of_round(&found, Reason::NotStable, round), "{found}");
            let found = refusal(|stored| stored.split_rounds[later as usize] += 1);
            assert_eq!(found.reason, Reason::WrongCount, "{found}");
            let earlier = blocks.find(|&block| of_parent(block) < round - 1).unwrap();
            let found = refusal(|stored| {
                stored.split_rounds[earlier as usize] -= 1;
                count(stored);
            });
            assert!(
                is_of_round(&found, Reason::NotCoarsest, round - 1),
                "{found}"
            );
            for wrong in [of_parent(later), last_round(&KRK), u32::MAX] {
                let wanted = if wrong == 0 {
                    Reason::WrongParent
                } else {
                    Reason::WrongRound
                };
                let found = refusal(|stored| stored.split_rounds[later as usize] = wrong);
                assert_eq!(found.reason, wanted, "{found}");
            }
        }
    }

    #[test]
    fn another_parent_is_refused() {
        for round in [5, 7, 9] {
            let mut blocks = leaves(&KRK).into_iter();
            let is_of_round = |&block: &u32| KRK.split_rounds[block as usize] == round;
            let block = blocks.find(is_of_round).unwrap();
            // Any other block that appears before is possible by its form, but was another one then.
            let others: Vec<u32> = (0..block)
                .filter(|&other| KRK.split_rounds[other as usize] < round)
                .filter(|&other| other != KRK.parents[block as usize])
                .collect();
            for &other in others.iter().step_by(others.len() / 3) {
                let found = refusal(|stored| stored.parents[block as usize] = other);
                assert_eq!(found.reason, Reason::NotStable, "{found}");
            }
            for wrong in [block, block + 1, u32::MAX] {
                let found = refusal(|stored| stored.parents[block as usize] = wrong);
                assert_eq!(found.reason, Reason::WrongParent, "{found}");
            }
        }
        for root in roots() {
            let found = refusal(|stored| stored.parents[root as usize] = root ^ 1);
            assert_eq!(found.reason, Reason::WrongParent);
        }
    }

    #[test]
    fn other_numbers_of_blocks_are_refused() {
        let blocks = KRK.parents.len() as u32;
        let unused = refusal(|stored| {
            stored.parents.push(0);
            stored.split_rounds.push(1);
            count(stored);
        });
        assert_eq!(unused.reason, Reason::UnusedBlock);
        let swapped = refusal(|stored| {
            let exchange = |block: &mut u32| {
                *block = match *block {
                    700 => 900,
                    900 => 700,
                    other => other,
                }
            };
            stored.map.iter_mut().for_each(exchange);
            stored.parents.iter_mut().for_each(exchange);
            stored.parents.swap(700, 900);
            stored.split_rounds.swap(700, 900);
        });
        assert_eq!(swapped.reason, Reason::BlocksOutOfOrder);
        for unknown in [blocks, u32::MAX] {
            let found = refusal(|stored| stored.map[40_000] = unknown);
            assert_eq!(found.reason, Reason::UnknownBlock);
            assert!(found.place.starts_with("map 40000: "), "{found}");
        }
        // An unknown block comes before an unused one, and that before blocks out of order.
        let both = refusal(|stored| {
            let vertex = MEMBERS[1][0];
            stored.map[vertex] = blocks;
        });
        assert_eq!(both.reason, Reason::UnknownBlock);
    }

    #[test]
    fn other_lengths_are_refused() {
        use Reason::{WrongMapLength, WrongNumberOfBlocks};
        type Change = fn(&mut Bisimulation);
        let changes: [(Change, Reason); 11] = [
            (|stored| stored.map.truncate(50_014), WrongMapLength),
            (|stored| stored.map.push(0), WrongMapLength),
            (|stored| stored.map.clear(), WrongMapLength),
            (
                |stored| stored.parents.truncate(49_884),
                WrongNumberOfBlocks,
            ),
            (|stored| stored.parents.push(0), WrongNumberOfBlocks),
            (
                |stored| stored.split_rounds.truncate(1),
                WrongNumberOfBlocks,
            ),
            (|stored| stored.split_rounds.push(0), WrongNumberOfBlocks),
            (
                |stored| stored.blocks_per_round.clear(),
                WrongNumberOfBlocks,
            ),
            (
                |stored| stored.blocks_per_round.push(u64::MAX),
                WrongNumberOfBlocks,
            ),
            (
                |stored| stored.blocks_per_round = vec![49_885],
                WrongNumberOfBlocks,
            ),
            (
                |stored| stored.blocks_per_round.truncate(5),
                WrongNumberOfBlocks,
            ),
        ];
        for (number, (change, reason)) in changes.into_iter().enumerate() {
            assert_eq!(refusal(change).reason, reason, "{number}");
        }
    }

    #[test]
    fn other_counts_are_refused() {
        for round in 0..last_round(&KRK) as usize {
            for change in [1, u64::MAX] {
                let found = refusal(|stored| {
                    let blocks = &mut stored.blocks_per_round[round];
                    *blocks = blocks.wrapping_add(change);
                });
                assert_eq!(found.reason, Reason::WrongCount);
                let field = format!("blocks_per_round {round}: ");
                assert!(found.place.starts_with(&field), "{found}");
            }
        }
        // A round too many, in which nothing changes, and one that is left out.
        let more = refusal(|stored| stored.blocks_per_round.push(49_885));
        assert_eq!(more.reason, Reason::WrongCount);
        let fewer = refusal(|stored| {
            stored.blocks_per_round.pop();
        });
        assert_eq!(fewer.reason, Reason::WrongRound);
        for change in [1, u64::MAX] {
            let found = refusal(|stored| stored.edges = stored.edges.wrapping_add(change));
            assert_eq!(found.reason, Reason::WrongCount);
            assert!(found.place.starts_with("edges: stored "), "{found}");
            let found = refusal(|stored| stored.states = stored.states.wrapping_add(change));
            assert_eq!(found.reason, Reason::WrongNumberOfStates);
        }
    }

    /// The tables of KQK and KRK as they are shipped, verified, and under which ids.
    fn session() -> (Session, Vec<Child>) {
        let mut session = Session::new();
        let children = ["KQK", "KRK"].map(|name| {
            let folder = env!("CARGO_MANIFEST_DIR");
            let file = std::fs::read(format!("{folder}/certificates/{name}.bin")).unwrap();
            let certificate = read(&mut file.as_slice()).unwrap();
            session.verify(&certificate).unwrap();
            let (claim, id) = (certificate.claim, certificate.id);
            Child { claim, id }
        });
        (session, children.to_vec())
    }

    #[test]
    fn a_class_with_children() {
        let claim = "bisimulation KPK board relative to child values";
        let (mut session, named) = session();
        let content = bisimulation_of(claim, &named, session.tables_mut());
        let certificate = |claim: &str, named: &[Child], content: &Bisimulation| {
            let body = Body::Bisimulation(content.clone());
            let certificate =
                Certificate::made_of(Encoding::Json, CLAIM.to_string(), named.to_vec(), body);
            Certificate {
                claim: claim.to_string(),
                ..certificate
            }
        };
        let good = certificate(claim, &named, &content);
        let checked = session.verify(&good).unwrap();
        assert_eq!((checked.states, checked.edges), (165_676, 1_111_291));
        let refusal = |session: &mut Session, certificate: &Certificate| {
            session.verify(certificate).unwrap_err().reason
        };
        // The children are needed, in order, verified, and with the right ids.
        assert_eq!(refusal(&mut Session::new(), &good), Reason::MissingChildren);
        for named in [&named[..1], &named[1..], &[]] {
            let found = refusal(&mut session, &certificate(claim, named, &content));
            assert_eq!(found, Reason::WrongChildren);
        }
        let mut other = named.clone();
        other[1].id = other[0].id;
        let found = refusal(&mut session, &certificate(claim, &other, &content));
        assert_eq!(found, Reason::WrongChild);
        let absolute = "bisimulation KPK board";
        let found = refusal(&mut session, &certificate(absolute, &named, &content));
        assert_eq!(found, Reason::UnknownClaim);
        let found = refusal(&mut session, &certificate(CLAIM, &named, &content));
        assert_eq!(found, Reason::WrongChildren);
        // What children say matters: with other bytes it is not the bisimulation.
        let mut tables = Tables::default();
        for child in &named {
            let material = material_of_endgame(&child.claim).unwrap();
            let (mut states, census) = States::of(&material, Vec::new());
            states.set_values(vec![255; census.states as usize], Vec::new());
            tables.add(child.id, states);
        }
        let found = check(claim, named.clone(), &content, &mut tables).unwrap_err();
        assert_eq!(found.reason, Reason::NotCoarsest);
        // A bisimulation that was verified is no child, of whatever claim and id.
        let mut session = Session::new();
        let own = certificate(CLAIM, &[], &KRK);
        session.verify(&own).unwrap();
        let named = [("KQK", own.id), ("KRK", own.id)].map(|(name, id)| Child {
            claim: format!("endgame {name} board dtm"),
            id,
        });
        let found = refusal(&mut session, &certificate(claim, &named, &content));
        assert_eq!(found, Reason::MissingChildren);
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn en_passant_states_are_vertices() {
        let claim = "bisimulation KPKP board relative to child values";
        let material = material_of_bisimulation(claim).unwrap();
        // All states of children are drawn here: their bytes do not matter before what is wrong.
        let (mut named, mut tables) = (Vec::new(), Tables::default());
        for (number, child) in (0..).zip(material.needed_children()) {
            let id = Id::from_bytes([number; 32]);
            let material = material_of_endgame(&child).unwrap();
            let (mut states, census) = States::of(&material, Vec::new());
            states.set_values(vec![255; census.states as usize], Vec::new());
            tables.add(id, states);
            named.push(Child { claim: child, id });
        }
        let (_, census) = States::of(&material, Vec::new());
        let (states, en_passant) = (census.states, census.en_passant_states);
        assert!(en_passant > 0);
        let mut refusal = |en_passant_states: u64, entries: u64| {
            let stored = Bisimulation {
                states,
                edges: 0,
                en_passant_states: Some(en_passant_states),
                blocks_per_round: vec![1, 1],
                map: vec![0; entries as usize],
                parents: vec![0],
                split_rounds: vec![0],
            };
            check(claim, named.clone(), &stored, &mut tables).unwrap_err()
        };
        for wrong in [0, en_passant - 1, en_passant + 1] {
            let found = refusal(wrong, states + wrong);
            assert_eq!(found.reason, Reason::WrongNumberOfStates);
            assert!(found.place.starts_with("en_passant_states: "), "{found}");
        }
        let forgotten = refusal(en_passant, states);
        assert_eq!(forgotten.reason, Reason::WrongMapLength);
        let found = refusal(en_passant, states + en_passant);
        assert!(is_of_round(&found, Reason::NotStable, 0), "{found}");
    }
}
