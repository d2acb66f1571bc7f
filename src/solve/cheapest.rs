//! The cheapest way to win from a root, kept up to date while more and more states are looked at.
//!
//! A state that is known to be won costs nothing. A state of the frontier costs its estimate. Otherwise the cost is one more
//! than that of the cheapest successor where the winner moves, and where the other side moves that of the dearest successor
//! and one more for each that is not won. (A sum over all successors would count what they share again
//! and again: Ueda et al. 2008, *Weak proof-number search*.) These costs are the least solution of their equations (Knuth 1977), found in
//! the order of the costs; when a state is looked at, only what changes is found anew (Ramalingam and Reps 1996: a
//! state is *settled* if its cost is the one that its equation gives).
//!
//! Which states are won is a least fixpoint as well, and only ever grows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::explicit::{Content, Explicit, Link, Node, Positions};
use crate::game::Player;

/// No way to win.
const NO_WAY: u64 = u64::MAX;

/// The moves of a node have not been read.
const UNREAD: u32 = u32::MAX;

/// The costs of winning for a side.
pub(super) struct Cheapest {
    winner: Player,
    nodes: Vec<Cost>,
    /// Nodes that are not settled, by the smaller one of their cost and what their equation gives; some are out of date.
    heap: BinaryHeap<Reverse<(u64, Node)>>,
    /// Nodes that were won and whose predecessors have not been told.
    won: Vec<Node>,
    /// For each node the last walk along the cheapest strategy that came by.
    walked: Vec<u32>,
    walks: u32,
    /// How often a move was followed.
    pub(super) lookups: u64,
}

/// What is known of a node.
#[derive(Clone, Copy)]
struct Cost {
    /// What others reckon with.
    cost: u64,
    /// What the equation gives.
    due: u64,
    /// Moves that are not known to win, or [`UNREAD`].
    not_won: u32,
    is_won: bool,
}

impl Cheapest {
    /// The costs in a graph.
    pub(super) fn new<G: Positions>(graph: &Explicit<'_, G>, winner: Player) -> Cheapest {
        let mut costs = Cheapest {
            winner,
            nodes: Vec::new(),
            heap: BinaryHeap::new(),
            won: Vec::new(),
            walked: Vec::new(),
            walks: 0,
            lookups: 0,
        };
        costs.meet(graph);
        for node in 0..graph.entries.len() as Node {
            costs.look_at(graph, node);
        }
        costs
    }

    /// Whether the root is known to be won.
    pub(super) fn is_won(&self) -> bool {
        self.nodes[0].is_won
    }

    /// Notes that a node was looked at.
    pub(super) fn note<G: Positions>(&mut self, graph: &Explicit<'_, G>, node: Node) {
        self.meet(graph);
        self.look_at(graph, node);
    }

    /// Notes nodes that are new.
    fn meet<G: Positions>(&mut self, graph: &Explicit<'_, G>) {
        for node in self.nodes.len()..graph.entries.len() {
            self.nodes.push(Cost {
                cost: NO_WAY,
                due: NO_WAY,
                not_won: UNREAD,
                is_won: false,
            });
            let estimate = graph.entries[node].estimate(self.winner);
            self.set_due(node as Node, estimate.into());
        }
    }

    /// Reads the moves of a node for the first time.
    fn look_at<G: Positions>(&mut self, graph: &Explicit<'_, G>, node: Node) {
        let own = |value: i8| own(self.winner, value);
        let entry = &graph.entries[node as usize];
        let links = match &entry.content {
            Content::Frontier => return,
            Content::End(value) => {
                match own(*value) == 1 {
                    true => self.win(node),
                    false => self.set_due(node, NO_WAY),
                }
                return self.tell_of_wins(graph);
            }
            Content::Moves(links) => links,
        };
        self.lookups += links.len() as u64;
        let wins = links.iter().filter(|&&link| match link {
            Link::Known(value) => own(value) == 1,
            Link::Node(next) => self.nodes[next as usize].is_won,
        });
        let not_won = links.len() - wins.count();
        self.nodes[node as usize].not_won = not_won as u32;
        let is_won = match entry.player == self.winner {
            true => not_won < links.len(),
            false => not_won == 0,
        };
        match is_won {
            true => self.win(node),
            false => self.reckon(graph, node),
        }
        self.tell_of_wins(graph);
    }

    fn win(&mut self, node: Node) {
        if !std::mem::replace(&mut self.nodes[node as usize].is_won, true) {
            self.won.push(node);
            self.set_due(node, 0);
        }
    }

    fn tell_of_wins<G: Positions>(&mut self, graph: &Explicit<'_, G>) {
        while let Some(node) = self.won.pop() {
            for &origin in &graph.predecessors[node as usize] {
                self.lookups += 1;
                let place = &mut self.nodes[origin as usize];
                if place.is_won || place.not_won == UNREAD {
                    continue;
                }
                place.not_won -= 1;
                if graph.entries[origin as usize].player == self.winner || place.not_won == 0 {
                    self.win(origin);
                } else {
                    self.reckon(graph, origin);
                }
            }
        }
    }

    /// Finds what the equation of a node that is not won gives.
    fn reckon<G: Positions>(&mut self, graph: &Explicit<'_, G>, node: Node) {
        let links = graph.links(node);
        self.lookups += links.len() as u64;
        let is_winners = graph.entries[node as usize].player == self.winner;
        let costs = links.iter().map(|&link| match link {
            Link::Node(next) => self.nodes[next as usize].cost,
            // Known not to win, or else of no weight.
            Link::Known(_) if is_winners => NO_WAY,
            Link::Known(value) if own(self.winner, value) == 1 => 0,
            Link::Known(_) => NO_WAY,
        });
        let (cost, more) = match is_winners {
            true => (costs.min(), 1),
            false => (costs.max(), self.nodes[node as usize].not_won.into()),
        };
        self.set_due(node, dearer(cost.unwrap_or(NO_WAY), more));
    }

    fn set_due(&mut self, node: Node, due: u64) {
        let place = &mut self.nodes[node as usize];
        place.due = due;
        if place.cost != due {
            self.heap.push(Reverse((due.min(place.cost), node)));
        }
    }

    /// Settles the root and all that is cheaper. Says whether there may be a way to win.
    pub(super) fn settle<G: Positions>(&mut self, graph: &Explicit<'_, G>) -> bool {
        while let Some(&Reverse((key, node))) = self.heap.peek() {
            let root = &self.nodes[0];
            if root.cost == root.due && key >= root.cost {
                break;
            }
            self.heap.pop();
            let place = &mut self.nodes[node as usize];
            if place.cost == place.due || key != place.cost.min(place.due) {
                continue;
            }
            let old = place.cost;
            // What becomes dearer is first forgotten, so that nothing leans on itself.
            place.cost = if place.due < old { place.due } else { NO_WAY };
            let (cost, due) = (place.cost, place.due);
            if cost != due {
                self.heap.push(Reverse((due, node)));
            }
            self.tell_of_cost(graph, node, old, cost);
        }
        self.nodes[0].cost != NO_WAY
    }

    fn tell_of_cost<G: Positions>(
        &mut self,
        graph: &Explicit<'_, G>,
        node: Node,
        old: u64,
        new: u64,
    ) {
        for &origin in &graph.predecessors[node as usize] {
            self.lookups += 1;
            let place = &mut self.nodes[origin as usize];
            if place.is_won {
                continue;
            }
            let due = place.due;
            if graph.entries[origin as usize].player == self.winner {
                if dearer(new, 1) < due {
                    self.set_due(origin, dearer(new, 1));
                } else if dearer(old, 1) == due && new > old {
                    self.reckon(graph, origin);
                }
            } else {
                let more = place.not_won.into();
                if dearer(new, more) > due {
                    self.set_due(origin, dearer(new, more));
                } else if dearer(old, more) == due && new < old {
                    self.reckon(graph, origin);
                }
            }
        }
    }

    /// The states of the frontier on which the cheapest strategy from the root rests, with their costs, once the root is
    /// settled.
    pub(super) fn frontier<G: Positions>(&mut self, graph: &Explicit<'_, G>) -> Vec<(u64, Node)> {
        let cost = |node: Node| self.nodes[node as usize].cost;
        self.walks += 1;
        self.walked.resize(self.nodes.len(), 0);
        let mut found = Vec::new();
        self.walked[0] = self.walks;
        let mut open = vec![0 as Node];
        while let Some(node) = open.pop() {
            let entry = &graph.entries[node as usize];
            if self.nodes[node as usize].is_won {
                continue;
            }
            if graph.is_frontier(node) {
                found.push((cost(node), node));
            }
            let nodes = graph.successors(node);
            let followed: Vec<Node> = match entry.player == self.winner {
                true => nodes
                    .min_by_key(|&next| (cost(next), next))
                    .into_iter()
                    .collect(),
                false => nodes.collect(),
            };
            self.lookups += graph.links(node).len() as u64;
            for next in followed {
                let last = &mut self.walked[next as usize];
                if std::mem::replace(last, self.walks) != self.walks {
                    open.push(next);
                }
            }
        }
        found
    }
}

/// A value as it is for a side.
const fn own(side: Player, value: i8) -> i8 {
    match side {
        Player::Max => value,
        Player::Min => -value,
    }
}

/// A cost and some more.
const fn dearer(cost: u64, more: u64) -> u64 {
    match cost {
        NO_WAY => NO_WAY,
        cost => cost + more,
    }
}

#[cfg(test)]
mod tests {
    use super::super::explicit::{Expansion, Target};
    use super::*;

    /// A game at random: for each state the side to move, its moves, and an estimate. A state without moves is an end.
    struct Toy(Vec<(Player, Vec<Target<usize>>, i8, u32)>);

    impl Positions for Toy {
        type State = usize;

        fn player(&self, &state: &usize) -> Player {
            self.0[state].0
        }

        fn expand(&mut self, &state: &usize) -> Expansion<usize> {
            let (_, targets, end, _) = &self.0[state];
            match targets.is_empty() {
                true => Expansion::End(*end),
                false => Expansion::Moves(targets.clone()),
            }
        }

        fn estimate(&self, &state: &usize, _winner: Player) -> u32 {
            self.0[state].3
        }
    }

    /// Numbers that follow from a seed (Knuth's MMIX generator).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: usize) -> usize {
            let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = next.wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % end
        }
    }

    fn toy(numbers: &mut Numbers) -> Toy {
        let states = 1 + numbers.below(12);
        let state = |_| {
            let player = [Player::Max, Player::Min][numbers.below(2)];
            let mut targets: Vec<usize> = (0..numbers.below(4))
                .map(|_| numbers.below(states + 2))
                .collect();
            targets.sort_unstable();
            targets.dedup();
            let target = |target: usize| match target.checked_sub(states) {
                None => Target::State(target),
                Some(known) => Target::Known(known as i8),
            };
            let targets = targets.into_iter().map(target).collect();
            let end = numbers.below(3) as i8 - 1;
            (player, targets, end, 1 + numbers.below(9) as u32)
        };
        Toy((0..states).map(state).collect())
    }

    /// The costs by their equations, again and again from no way at all until nothing changes; and who is won, from nobody.
    fn by_definition(graph: &Explicit<'_, Toy>, winner: Player) -> (Vec<u64>, Vec<bool>) {
        let nodes = 0..graph.entries.len();
        let mut won = vec![false; nodes.len()];
        let mut costs = vec![NO_WAY; nodes.len()];
        let is_won = |link: &Link, won: &[bool]| match link {
            Link::Known(value) => own(winner, *value) == 1,
            Link::Node(next) => won[*next as usize],
        };
        for _ in nodes.clone() {
            for node in nodes.clone() {
                let entry = &graph.entries[node];
                won[node] = match &entry.content {
                    Content::Frontier => false,
                    Content::End(value) => own(winner, *value) == 1,
                    Content::Moves(links) if entry.player == winner => {
                        links.iter().any(|link| is_won(link, &won))
                    }
                    Content::Moves(links) => links.iter().all(|link| is_won(link, &won)),
                };
            }
        }
        loop {
            let before = costs.clone();
            for node in nodes.clone() {
                let entry = &graph.entries[node];
                let cost = |link: &Link| match link {
                    link if is_won(link, &won) => 0,
                    Link::Known(_) => NO_WAY,
                    Link::Node(next) => before[*next as usize],
                };
                costs[node] = match &entry.content {
                    _ if won[node] => 0,
                    Content::Frontier => entry.estimate(winner).into(),
                    Content::End(_) => NO_WAY,
                    Content::Moves(links) if entry.player == winner => {
                        dearer(links.iter().map(cost).min().unwrap_or(NO_WAY), 1)
                    }
                    Content::Moves(links) => {
                        let open = links.iter().filter(|link| !is_won(link, &won));
                        let dearest = links.iter().map(cost).max().unwrap_or(NO_WAY);
                        dearer(dearest, open.count() as u64)
                    }
                };
            }
            if costs == before {
                return (costs, won);
            }
        }
    }

    #[test]
    fn what_is_kept_up_to_date_is_what_the_equations_say() {
        let mut numbers = Numbers(20_260_915);
        let (mut won, mut no_ways, mut open) = (0, 0, 0);
        for _ in 0..3_000 {
            let mut toy = toy(&mut numbers);
            let winner = [Player::Max, Player::Min][numbers.below(2)];
            let mut graph = Explicit::new(&mut toy, &0);
            // Some states were looked at before, for the other question.
            for _ in 0..numbers.below(4) {
                let node = numbers.below(graph.entries.len());
                graph.expand(node as Node);
            }
            let mut costs = Cheapest::new(&graph, winner);
            for _ in 0..12 {
                let may_win = costs.settle(&graph);
                let (expected, is_won) = by_definition(&graph, winner);
                assert_eq!(costs.nodes[0].cost, expected[0]);
                assert_eq!(may_win, expected[0] != NO_WAY);
                let found: Vec<bool> = costs.nodes.iter().map(|node| node.is_won).collect();
                assert_eq!(found, is_won);
                for (node, place) in costs.nodes.iter().enumerate() {
                    if expected[node] < expected[0] {
                        assert_eq!(place.cost, expected[node]);
                    }
                }
                let frontier = costs.frontier(&graph);
                if may_win {
                    assert_eq!(frontier.is_empty(), is_won[0]);
                }
                won += u32::from(is_won[0]);
                no_ways += u32::from(!may_win);
                open += u32::from(may_win && !is_won[0]);
                let node = numbers.below(graph.entries.len()) as Node;
                graph.expand(node);
                costs.note(&graph, node);
            }
        }
        // All that can be met was met.
        assert!(
            won > 1_000 && no_ways > 1_000 && open > 1_000,
            "{won} {no_ways} {open}"
        );
    }
}
