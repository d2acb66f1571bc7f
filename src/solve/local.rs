//! Local proofs: the value of one state, from few others.
//!
//! The states that were looked at form an explicit graph; what lies behind its frontier is unknown. Two questions decide
//! a value: does the maximizer win, and does the minimizer? Each is answered on the explicit graph
//! alone, twice:
//!
//! - as if every state of the frontier were no win: a win that is found all the same is proved;
//! - as if every state of the frontier were a win at some estimated cost: if there is none all the same, the other
//!   side has a closed set within the graph, and holds.
//!
//! In between, the `cheapest` strategy that may still be a proof is followed from the root, all replies
//! included, to the states of the frontier on which it rests, and these are looked at next. (AO* on a graph with cycles.)
//!
//! Nothing is ever stored under an assumption about the path that led to a state: both answers are fixpoints
//! over the whole explicit graph. So transpositions and cycles need no care (the graph-history problem does not
//! arise), and estimates order the work and decide nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cheapest::Cheapest;
use super::explicit::{Content, Explicit, Link, Node};
pub use super::explicit::{Expansion, Positions, Target};
use crate::game::{Interrupted, Interval, Observer, Player};

/// How much may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// States to look at, at most.
    pub states: usize,
}

/// Where a search in turns has to stop.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// States to look at, at most.
    pub states: usize,
    /// States to keep, at most: those that were looked at, and those that their moves lead to.
    pub kept_states: usize,
    /// Says whether the time is up.
    pub is_late: &'a (dyn Fn() -> bool + Sync),
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
        graph: Explicit::new(game, root),
        lookups: 0,
    };
    for winner in [Player::Max, Player::Min] {
        let may_look = |graph: &Explicit<'_, G>| graph.expanded < budget.states;
        if search.decide(winner, &may_look, observer)? == Answer::Won {
            break;
        }
    }
    Ok(search.proof())
}

/// States that are looked at in the first turn of a search in turns.
const FIRST_TURN_STATES: usize = 64;

/// The same for roots of which nothing is known: the two questions take turns, each twice as long as the one before, until a
/// value or a limit is reached. What was found by then is returned, and whether a limit was the end of it.
///
/// # Errors
///
/// [`Interrupted`] if the observer says so.
pub fn prove_in_turns<G: Positions>(
    game: &mut G,
    root: &G::State,
    limits: Limits<'_>,
    observer: &dyn Observer,
) -> Result<(Proof<G::State>, bool), Interrupted> {
    let first = game.player(root);
    let mut search = Search {
        graph: Explicit::new(game, root),
        lookups: 0,
    };
    // The root is looked at whatever the limits are, so that there is something to say.
    search.graph.expand(0);
    let is_spent = |graph: &Explicit<'_, G>| {
        graph.expanded >= limits.states
            || graph.entries.len() >= limits.kept_states
            || (limits.is_late)()
    };
    let mut questions = vec![first, first.opponent()];
    let mut turn = FIRST_TURN_STATES;
    while !questions.is_empty() && !is_spent(&search.graph) {
        let mut open = Vec::new();
        for &winner in &questions {
            let end = search.graph.expanded.saturating_add(turn);
            let may_look = |graph: &Explicit<'_, G>| graph.expanded < end && !is_spent(graph);
            match search.decide(winner, &may_look, observer)? {
                Answer::Won => return Ok((search.proof(), false)),
                Answer::NotWon => {}
                Answer::Open => open.push(winner),
            }
        }
        questions = open;
        turn = turn.saturating_mul(2);
    }
    Ok((search.proof(), !questions.is_empty()))
}

/// The answer to whether a side wins from the root.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    Won,
    NotWon,
    Open,
}

/// What the frontier is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frontier {
    /// No win.
    Lost,
    /// A win.
    Won,
}

/// No way to win.
const NO_WAY: u32 = u32::MAX;

struct Search<'a, G: Positions> {
    graph: Explicit<'a, G>,
    lookups: u64,
}

impl<G: Positions> Search<'_, G> {
    /// Looks at states until it is known whether a side wins from the root, or no more may be looked at.
    fn decide(
        &mut self,
        winner: Player,
        may_look: &dyn Fn(&Explicit<'_, G>) -> bool,
        observer: &dyn Observer,
    ) -> Result<Answer, Interrupted> {
        let graph = &mut self.graph;
        let mut costs = Cheapest::new(graph, winner);
        // Says whether the budget allowed it.
        let look_at = |graph: &mut Explicit<'_, G>, costs: &mut Cheapest, node| {
            if !graph.is_frontier(node) {
                return Ok(true);
            }
            if !may_look(graph) {
                return Ok(false);
            }
            graph.expand(node);
            costs.note(graph, node);
            observer.checkpoint(1)?;
            Ok(true)
        };
        let mut answer = Answer::NotWon;
        'search: while !costs.is_won() && costs.settle(graph) {
            let mut next = costs.frontier(graph);
            // Those that look hardest for the winner may show soonest that the strategy fails.
            next.sort_unstable_by_key(|&(cost, node)| (Reverse(cost), node));
            next.truncate((graph.expanded / 64).max(1));
            for (_, node) in next {
                if !look_at(graph, &mut costs, node)? {
                    answer = Answer::Open;
                    break 'search;
                }
                // All replies have to be answered, so all of them are looked at.
                if graph.entries[node as usize].player != winner {
                    let replies: Vec<Node> = graph.successors(node).collect();
                    for reply in replies.into_iter().rev() {
                        if !look_at(graph, &mut costs, reply)? {
                            answer = Answer::Open;
                            break 'search;
                        }
                    }
                }
            }
        }
        self.lookups += costs.lookups;
        Ok(match costs.is_won() {
            true => Answer::Won,
            false => answer,
        })
    }

    /// In how many plies a side wins from each node at most, [`NO_WAY`] where it does not: least fixpoint, ply by ply.
    fn plies(&mut self, winner: Player, frontier: Frontier) -> Vec<u32> {
        let own = |value: i8| if winner == Player::Max { value } else { -value };
        let graph = &self.graph;
        let mut plies = vec![NO_WAY; graph.entries.len()];
        let mut missing = vec![0_u32; graph.entries.len()];
        let mut heap: BinaryHeap<Reverse<(u32, Node)>> = BinaryHeap::new();
        for (node, entry) in graph.entries.iter().enumerate() {
            let first = match &entry.content {
                Content::Frontier => (frontier == Frontier::Won).then_some(0),
                Content::End(value) => (own(*value) == 1).then_some(0),
                Content::Moves(links) => {
                    self.lookups += links.len() as u64;
                    let known = links
                        .iter()
                        .filter(|link| matches!(link, Link::Known(value) if own(*value) == 1));
                    let known = known.count() as u32;
                    missing[node] = links.len() as u32 - known;
                    let is_reached = match entry.player == winner {
                        true => known > 0,
                        false => missing[node] == 0,
                    };
                    is_reached.then_some(1)
                }
            };
            heap.extend(first.map(|first| Reverse((first, node as Node))));
        }
        while let Some(Reverse((ply, node))) = heap.pop() {
            if plies[node as usize] != NO_WAY {
                continue;
            }
            plies[node as usize] = ply;
            for &origin in &graph.predecessors[node as usize] {
                self.lookups += 1;
                let place = origin as usize;
                // Nodes come by ascending plies, so the last successor is the one that takes longest.
                let is_winners = graph.entries[place].player == winner;
                missing[place] -= u32::from(!is_winners);
                if plies[place] == NO_WAY && (is_winners || missing[place] == 0) {
                    heap.push(Reverse((ply + 1, origin)));
                }
            }
        }
        plies
    }

    fn proof(&mut self) -> Proof<G::State> {
        let sides = [Player::Max, Player::Min];
        let ranks = sides.map(|side| self.plies(side, Frontier::Lost));
        let possible = sides.map(|side| self.plies(side, Frontier::Won));
        let graph = &self.graph;
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
        let mut seen = vec![false; graph.entries.len()];
        let mut states = Vec::new();
        let mut open = std::collections::VecDeque::from([0_usize]);
        seen[0] = true;
        while let Some(node) = open.pop_front() {
            let entry = &graph.entries[node];
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
        for entry in &graph.entries {
            if let Content::Moves(links) = &entry.content {
                moves += links.len();
                let is_examined = |link: &&Link| match link {
                    Link::Known(_) => true,
                    Link::Node(next) => {
                        !matches!(graph.entries[*next as usize].content, Content::Frontier)
                    }
                };
                examined += links.iter().filter(is_examined).count();
            }
        }
        Proof {
            interval,
            states,
            expanded: graph.expanded,
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
