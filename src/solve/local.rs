//! Local proofs: the value of one state, from as few states as can be.
//!
//! The states that were looked at form an explicit graph; what lies behind its frontier is unknown. Two questions decide
//! a value: does the maximizer win, and does the minimizer? Each is answered on the explicit graph
//! alone, twice:
//!
//! - as if every state of the frontier were no win: a win that is found all the same is proved;
//! - as if every state of the frontier were a win at some estimated cost: if there is none all the same, the other
//!   side has a closed set within the graph, and holds.
//!
//! In between, the cheapest strategy that may still be a proof is followed from the root, all replies
//! included, to the states of the frontier on which it rests, and these are looked at next. (AO* on a graph with cycles;
//! costs as of proof numbers, by the generalization of Dijkstra's algorithm to superior functions: Knuth 1977.)
//!
//! Nothing is ever stored under an assumption about the path that led to a state: both answers are fixpoints
//! over the whole explicit graph. So transpositions and cycles need no care (the graph-history problem does not
//! arise), and estimates order the work and decide nothing.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::Hash;

use crate::game::{Interrupted, Interval, Observer, Player};

/// A game that is looked at state by state.
pub trait Positions {
    /// A state; equal states are one state of the game.
    type State: Clone + Eq + Hash;

    /// The side to move.
    fn player(&self, state: &Self::State) -> Player;

    /// What can be done in a state.
    fn expand(&mut self, state: &Self::State) -> Expansion<Self::State>;

    /// How many states may have to be looked at to prove that a side wins from here, roughly. Orders the work only.
    fn estimate(&self, state: &Self::State, winner: Player) -> u32;
}

/// What can be done in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expansion<S> {
    /// The game is over, with this value for the maximizer.
    End(i8),
    /// The distinct successors.
    Moves(Vec<Target<S>>),
}

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target<S> {
    /// To a state of this game.
    State(S),
    /// Out of the game, to a value for the maximizer that is known.
    Known(i8),
}

/// The number of a node of the explicit graph.
type Node = u32;

/// A state of the explicit graph.
struct Entry<S> {
    state: S,
    player: Player,
    /// The estimates for a win of each side.
    estimates: [u32; 2],
    content: Content,
}

enum Content {
    Frontier,
    End(i8),
    Moves(Vec<Link>),
}

#[derive(Clone, Copy)]
enum Link {
    Node(Node),
    Known(i8),
}

/// How much may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// States to look at, at most.
    pub states: usize,
}

/// What was found out about a root.
#[derive(Clone, Debug)]
pub struct Proof<S> {
    /// The bounds that were proved.
    pub interval: Interval,
    /// The states on which the bounds rest, the root first.
    pub states: Vec<Proved<S>>,
    /// How many states were looked at.
    pub expanded: usize,
    /// How many moves these have, and how many of them lead to a state that was looked at or whose value is known.
    pub moves: usize,
    /// See `moves`.
    pub examined: usize,
    /// How often a move was followed, in all passes over the graph.
    pub lookups: u64,
}

/// What was proved about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved<S> {
    /// The state.
    pub state: S,
    /// Its bounds.
    pub interval: Interval,
    /// The plies in which the winner wins, if one is proved to win.
    pub rank: Option<u32>,
}

/// Proves bounds for the value of a root.
///
/// # Errors
///
/// [`Interrupted`] if the observer says so.
pub fn prove<G: Positions>(
    game: &mut G,
    root: &G::State,
    budget: Budget,
    observer: &dyn Observer,
) -> Result<Proof<G::State>, Interrupted> {
    observer.begin("proving", 0);
    let mut search = Search {
        game,
        entries: Vec::new(),
        numbers: HashMap::new(),
        predecessors: Vec::new(),
        expanded: 0,
        lookups: 0,
    };
    search.node(root);
    for winner in [Player::Max, Player::Min] {
        if search.decide(winner, budget, observer)? {
            break;
        }
    }
    Ok(search.proof())
}

/// What the cost of winning is.
#[derive(Clone, Copy)]
enum Measure<'a> {
    /// Plies, with the frontier taken for no win.
    Ranks,
    /// States that are still to be looked at, with the frontier taken for wins at an estimated cost. What is proved by
    /// these ranks costs nothing. What costs more than the root is left out.
    Estimates(&'a [u32]),
    /// The same for all states.
    AllEstimates(&'a [u32]),
}

impl<'a> Measure<'a> {
    /// The ranks of what is proved, where the frontier counts.
    const fn proved(self) -> Option<&'a [u32]> {
        match self {
            Measure::Ranks => None,
            Measure::Estimates(ranks) | Measure::AllEstimates(ranks) => Some(ranks),
        }
    }
}

/// No way to win.
const NO_WAY: u32 = u32::MAX;

struct Search<'a, G: Positions> {
    game: &'a mut G,
    entries: Vec<Entry<G::State>>,
    numbers: HashMap<G::State, Node>,
    /// For each node the nodes with a move to it.
    predecessors: Vec<Vec<Node>>,
    expanded: usize,
    lookups: u64,
}

impl<G: Positions> Search<'_, G> {
    fn node(&mut self, state: &G::State) -> Node {
        if let Some(&node) = self.numbers.get(state) {
            return node;
        }
        let node = self.entries.len() as Node;
        self.entries.push(Entry {
            state: state.clone(),
            player: self.game.player(state),
            estimates: [Player::Max, Player::Min]
                .map(|side| self.game.estimate(state, side).max(1)),
            content: Content::Frontier,
        });
        self.numbers.insert(state.clone(), node);
        self.predecessors.push(Vec::new());
        node
    }

    fn expand(&mut self, node: Node) {
        if !matches!(self.entries[node as usize].content, Content::Frontier) {
            return;
        }
        self.expanded += 1;
        let state = self.entries[node as usize].state.clone();
        let content = match self.game.expand(&state) {
            Expansion::End(value) => Content::End(value),
            Expansion::Moves(targets) => {
                let mut links = Vec::with_capacity(targets.len());
                for target in targets {
                    links.push(match target {
                        Target::Known(value) => Link::Known(value),
                        Target::State(next) => {
                            let next = self.node(&next);
                            self.predecessors[next as usize].push(node);
                            Link::Node(next)
                        }
                    });
                }
                Content::Moves(links)
            }
        };
        self.entries[node as usize].content = content;
    }

    /// Looks at states until it is known whether a side wins from the root, or the budget is spent. Says whether it
    /// is known that it wins.
    fn decide(
        &mut self,
        winner: Player,
        budget: Budget,
        observer: &dyn Observer,
    ) -> Result<bool, Interrupted> {
        loop {
            let ranks = self.costs(winner, Measure::Ranks);
            if ranks[0] != NO_WAY {
                return Ok(true);
            }
            let costs = self.costs(winner, Measure::Estimates(&ranks));
            if costs[0] == NO_WAY {
                return Ok(false);
            }
            let mut next = self.frontier_of_cheapest(&costs, winner);
            // Those that look hardest for the winner may show soonest that the strategy fails.
            next.sort_unstable_by_key(|&(cost, node)| (Reverse(cost), node));
            next.truncate((self.expanded / 16).max(4));
            for (_, node) in next {
                if self.expanded >= budget.states {
                    return Ok(false);
                }
                self.expand(node);
                observer.checkpoint(1)?;
            }
        }
    }

    /// The cost of winning for each node, [`NO_WAY`] where there is no way: least fixpoint, by ascending cost. Where the
    /// winner moves it is one more than the cheapest successor's; where the other side moves, with ranks one
    /// more than the dearest's, with estimates one more than the sum of all. States of the frontier have their estimate, or
    /// without estimates no way.
    fn costs(&mut self, winner: Player, measure: Measure<'_>) -> Vec<u32> {
        let own = |value: i8| if winner == Player::Max { value } else { -value };
        let mut costs = vec![NO_WAY; self.entries.len()];
        let mut missing = vec![0_u32; self.entries.len()];
        let mut sums = vec![0_u32; self.entries.len()];
        let mut heap: BinaryHeap<Reverse<(u32, Node)>> = BinaryHeap::new();
        for (node, entry) in self.entries.iter().enumerate() {
            match &entry.content {
                Content::Frontier => {
                    if measure.proved().is_some() {
                        let estimate = entry.estimates[usize::from(winner == Player::Min)];
                        heap.push(Reverse((estimate, node as Node)));
                    }
                }
                Content::End(value) => {
                    if own(*value) == 1 {
                        heap.push(Reverse((0, node as Node)));
                    }
                }
                Content::Moves(links) => {
                    missing[node] = links.len() as u32;
                    self.lookups += links.len() as u64;
                    let known = links
                        .iter()
                        .filter(|link| matches!(link, Link::Known(value) if own(*value) == 1));
                    let known = known.count() as u32;
                    missing[node] -= known;
                    let is_reached = match entry.player == winner {
                        true => known > 0,
                        false => missing[node] == 0,
                    };
                    if is_reached {
                        heap.push(Reverse((1, node as Node)));
                    }
                }
            }
        }
        if let Some(ranks) = measure.proved() {
            let proved = (0..ranks.len()).filter(|&node| ranks[node] != NO_WAY);
            heap.extend(proved.map(|node| Reverse((0, node as Node))));
        }
        while let Some(Reverse((cost, node))) = heap.pop() {
            if costs[node as usize] != NO_WAY {
                continue;
            }
            costs[node as usize] = cost;
            if node == 0 && matches!(measure, Measure::Estimates(_)) {
                break;
            }
            for &origin in &self.predecessors[node as usize] {
                self.lookups += 1;
                let place = origin as usize;
                if costs[place] != NO_WAY {
                    continue;
                }
                if self.entries[place].player == winner {
                    heap.push(Reverse((cost.saturating_add(1).min(NO_WAY - 1), origin)));
                    continue;
                }
                missing[place] -= 1;
                sums[place] = match measure.proved() {
                    Some(_) => sums[place].saturating_add(cost),
                    None => sums[place].max(cost),
                };
                if missing[place] == 0 {
                    let cost = sums[place].saturating_add(1).min(NO_WAY - 1);
                    heap.push(Reverse((cost, origin)));
                }
            }
        }
        costs
    }

    /// The states of the frontier on which the cheapest strategy from the root rests, with their costs.
    fn frontier_of_cheapest(&self, costs: &[u32], winner: Player) -> Vec<(u32, Node)> {
        let mut found = Vec::new();
        let mut seen = vec![false; self.entries.len()];
        let mut open = vec![0 as Node];
        seen[0] = true;
        while let Some(node) = open.pop() {
            let entry = &self.entries[node as usize];
            // What is proved rests on nothing that is open.
            if costs[node as usize] == 0 {
                continue;
            }
            let links = match &entry.content {
                Content::Frontier => {
                    found.push((costs[node as usize], node));
                    continue;
                }
                Content::End(_) => continue,
                Content::Moves(links) => links,
            };
            let nodes = links.iter().filter_map(|link| match link {
                Link::Node(next) => Some(*next),
                Link::Known(_) => None,
            });
            let followed: Vec<Node> = match entry.player == winner {
                true => nodes
                    .min_by_key(|&next| (costs[next as usize], next))
                    .into_iter()
                    .collect(),
                false => nodes.collect(),
            };
            for next in followed {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    open.push(next);
                }
            }
        }
        found
    }

    fn proof(&mut self) -> Proof<G::State> {
        let ranks = [Player::Max, Player::Min].map(|side| self.costs(side, Measure::Ranks));
        let [max, min] = &ranks;
        let possible = [(Player::Max, max), (Player::Min, min)]
            .map(|(side, ranks)| self.costs(side, Measure::AllEstimates(ranks)));
        let known = |node: usize| Interval {
            lower: match (ranks[0][node], possible[1][node]) {
                (NO_WAY, NO_WAY) => 0,
                (NO_WAY, _) => -1,
                _ => 1,
            },
            upper: match (ranks[1][node], possible[0][node]) {
                (NO_WAY, NO_WAY) => 0,
                (NO_WAY, _) => 1,
                _ => -1,
            },
        };
        let mut seen = vec![false; self.entries.len()];
        let mut states = Vec::new();
        let mut open = std::collections::VecDeque::from([0_usize]);
        seen[0] = true;
        while let Some(node) = open.pop_front() {
            let entry = &self.entries[node];
            let rank = [ranks[0][node], ranks[1][node]]
                .into_iter()
                .find(|&rank| rank != NO_WAY);
            let found = known(node);
            if !matches!(entry.content, Content::Frontier) {
                states.push(Proved {
                    state: entry.state.clone(),
                    interval: found,
                    rank,
                });
            }
            let Content::Moves(links) = &entry.content else {
                continue;
            };
            for next in witnesses(entry.player, found, rank, links, &known, &ranks) {
                if !std::mem::replace(&mut seen[next], true) {
                    open.push_back(next);
                }
            }
        }
        let interval = known(0);
        let (mut moves, mut examined) = (0, 0);
        for entry in &self.entries {
            if let Content::Moves(links) = &entry.content {
                moves += links.len();
                let is_examined = |link: &&Link| match link {
                    Link::Known(_) => true,
                    Link::Node(next) => {
                        !matches!(self.entries[*next as usize].content, Content::Frontier)
                    }
                };
                examined += links.iter().filter(is_examined).count();
            }
        }
        Proof {
            interval,
            states,
            expanded: self.expanded,
            moves,
            examined,
            lookups: self.lookups,
        }
    }
}

/// The successors on which the bounds of a state rest.
fn witnesses(
    player: Player,
    found: Interval,
    rank: Option<u32>,
    links: &[Link],
    known: &dyn Fn(usize) -> Interval,
    ranks: &[Vec<u32>; 2],
) -> Vec<usize> {
    let nodes = || {
        links.iter().filter_map(|link| match link {
            Link::Node(next) => Some(*next as usize),
            Link::Known(_) => None,
        })
    };
    let knowns = |is_good: &dyn Fn(i8) -> bool| {
        links
            .iter()
            .any(|link| matches!(link, Link::Known(value) if is_good(*value)))
    };
    // For each side what it has: 1 a win, 0 a hold, −1 nothing.
    let mut needed = Vec::new();
    for side in [Player::Max, Player::Min] {
        let own = |interval: Interval| match side {
            Player::Max => interval.lower,
            Player::Min => -interval.upper,
        };
        let sign = |value: i8| if side == Player::Max { value } else { -value };
        let ranks = &ranks[usize::from(side == Player::Min)];
        match own(found) {
            -1 => {}
            _ if player != side => needed.extend(nodes()),
            0 => {
                if !knowns(&|value| sign(value) >= 0) {
                    needed.extend(nodes().find(|&next| own(known(next)) >= 0));
                }
            }
            _ => {
                let is_known = rank == Some(1) && knowns(&|value| sign(value) == 1);
                if !is_known {
                    needed.extend(nodes().min_by_key(|&next| (ranks[next], next)));
                }
            }
        }
    }
    needed
}
