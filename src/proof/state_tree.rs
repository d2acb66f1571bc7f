//! States of the complete game with their histories, over the nodes of a proof.

use shakmaty::{Color, Position};

use super::node_list::NodeList;
use super::places::{Place, Profile, player, win_of};
use super::support::{interval_of, least_for, seen_from};
use crate::game::{Interval, Player};
use crate::rules::{End, State, moves_in_order};

/// States in one tree at most: more is not what a history is looked into for.
const MOST_STATES: usize = 20_000;

/// Where a move of a state leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateReference {
    /// Nothing is said about it, or it ends the game.
    Open,
    /// To a state of the tree.
    State(u32),
    /// To a node.
    Node(u32),
}

/// What a state rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// A node with its position.
    Node(u32),
    /// Its legal moves in the order of their UCI texts; none if the game has ended.
    Moves(Vec<StateReference>),
}

/// A state and its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateNode {
    /// White's value.
    pub interval: Interval,
    /// What it rests on.
    pub kind: StateKind,
}

/// A state and those after it, each before those that its moves lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateTree {
    /// The states; the first is the root.
    pub states: Vec<StateNode>,
}

impl StateTree {
    /// What follows for a state from the nodes, looking so many plies ahead where they alone do not decide.
    pub(super) fn of(state: &State, nodes: &NodeList, plies: usize) -> StateTree {
        let mut tree = StateTree::default();
        tree.grow(state, nodes, plies);
        if let [
            StateNode {
                kind: StateKind::Node(_),
                interval: Interval::UNKNOWN,
            },
        ]
        | [] = tree.states[..]
        {
            tree.states.clear();
            tree.expand(state, nodes, 0);
        }
        tree
    }

    /// The bounds of the root.
    pub fn interval(&self) -> Interval {
        self.states
            .first()
            .map_or(Interval::UNKNOWN, |root| root.interval)
    }

    /// The nodes that states refer to, in the order of the references.
    pub(super) fn nodes(&self) -> Vec<u32> {
        let mut found = Vec::new();
        for state in &self.states {
            match &state.kind {
                StateKind::Node(number) => found.push(*number),
                StateKind::Moves(moves) => found.extend(moves.iter().filter_map(|mv| match mv {
                    StateReference::Node(number) => Some(*number),
                    StateReference::Open | StateReference::State(_) => None,
                })),
            }
        }
        found
    }

    /// The same tree over nodes with other numbers.
    pub(super) fn renumbered(mut self, number: impl Fn(u32) -> Option<u32>) -> StateTree {
        for state in &mut self.states {
            match &mut state.kind {
                StateKind::Node(node) => *node = number(*node).unwrap_or(*node),
                StateKind::Moves(moves) => {
                    for mv in moves {
                        if let StateReference::Node(node) = mv {
                            *node = number(*node).unwrap_or(*node);
                        }
                    }
                }
            }
        }
        self
    }

    /// Adds a state that is not over, and says what is known of it. Nothing is added where no node knows it and no ply is left.
    fn grow(&mut self, state: &State, nodes: &NodeList, plies: usize) -> Option<Interval> {
        let by_node = by_node(state, nodes);
        let is_enough = by_node.is_some_and(|(_, interval)| interval.is_point());
        let place = self.states.len();
        if plies > 0 && !is_enough && state.end().is_none() && place < MOST_STATES {
            let interval = self.expand(state, nodes, plies);
            let says_more = by_node.is_none_or(|(_, known)| {
                interval.lower > known.lower || interval.upper < known.upper
            });
            if says_more {
                return Some(interval);
            }
            self.states.truncate(place);
        }
        if state.end().is_some() {
            return Some(self.expand(state, nodes, 0));
        }
        let (node, interval) = by_node?;
        self.states.push(StateNode {
            interval,
            kind: StateKind::Node(node),
        });
        Some(interval)
    }

    /// Adds a state with its moves.
    fn expand(&mut self, state: &State, nodes: &NodeList, plies: usize) -> Interval {
        let place = self.states.len();
        let turn = state.position().turn();
        self.states.push(StateNode {
            interval: Interval::UNKNOWN,
            kind: StateKind::Moves(Vec::new()),
        });
        if let Some(end) = state.end() {
            let interval = value_of(end, turn);
            self.states[place].interval = interval;
            return interval;
        }
        let mut moves = Vec::new();
        let mut known: Vec<Interval> = Vec::new();
        if !state.claims().is_empty() {
            known.push(Interval::point(0));
        }
        for mv in moves_in_order(state.position()) {
            let Some(next) = state.after(mv) else {
                continue;
            };
            if let Some(end) = next.end() {
                known.push(value_of(end, next.position().turn()));
                moves.push(StateReference::Open);
                continue;
            }
            let number = self.states.len();
            let interval = self.grow(&next, nodes, plies.saturating_sub(1));
            known.push(interval.unwrap_or(Interval::UNKNOWN));
            moves.push(match self.states.get(number).map(|state| &state.kind) {
                None => StateReference::Open,
                Some(&StateKind::Node(node)) => {
                    self.states.truncate(number);
                    StateReference::Node(node)
                }
                Some(StateKind::Moves(_)) => StateReference::State(number as u32),
            });
        }
        let most = |side| known.iter().map(move |&interval| least_for(interval, side));
        let least = |side| match side == turn {
            true => most(side).max(),
            false => most(side).min(),
        };
        let interval = interval_of(
            least(Color::White).unwrap_or(-1),
            least(Color::Black).unwrap_or(-1),
        );
        self.states[place] = StateNode {
            interval,
            kind: StateKind::Moves(moves),
        };
        interval
    }
}

/// White's value of an end of the game.
fn value_of(end: End, turn: Color) -> Interval {
    Interval::point(match end {
        End::Checkmate => match player(turn) {
            Player::Max => win_of(Color::Black),
            Player::Min => win_of(Color::White),
        },
        End::Stalemate | End::Fivefold | End::SeventyFiveMoves => 0,
    })
}

/// What the nodes say of a state, and the one that says most.
fn by_node(state: &State, nodes: &NodeList) -> Option<(u32, Interval)> {
    let clock = u8::try_from(state.clock_plies()).ok()?;
    let is_fresh = state.occurrences() <= 2 && state.earlier().all(|(_, count)| count <= 1);
    let mut best: Option<(u32, Interval)> = None;
    for place_clock in [0, clock] {
        let place = Place {
            position: state.position().clone(),
            clock: place_clock,
        };
        let Some(number) = nodes.number(&place) else {
            continue;
        };
        let seen = seen_from(Profile::Fcs, &nodes.nodes()[number as usize], clock);
        let least = |side| match least_for(seen, side) {
            1 if !is_fresh => 0,
            least => least,
        };
        let seen = interval_of(least(Color::White), least(Color::Black));
        let says_more =
            |(_, best): (u32, Interval)| seen.lower - seen.upper > best.lower - best.upper;
        if best.is_none_or(says_more) {
            best = Some((number, seen));
        }
    }
    best
}
