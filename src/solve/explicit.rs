//! An explicit graph: the states of a game that were looked at, and those that their moves lead to.

use std::collections::HashMap;
use std::hash::Hash;

use crate::game::Player;

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

/// The number of a node.
pub(super) type Node = u32;

/// A state of the graph.
pub(super) struct Entry<S> {
    pub(super) state: S,
    pub(super) player: Player,
    /// The estimates for a win of the maximizer and of the minimizer.
    estimates: [u32; 2],
    pub(super) content: Content,
}

impl<S> Entry<S> {
    pub(super) fn estimate(&self, winner: Player) -> u32 {
        self.estimates[usize::from(winner == Player::Min)]
    }
}

/// What is known of the moves of a state.
pub(super) enum Content {
    /// It was not looked at.
    Frontier,
    End(i8),
    Moves(Vec<Link>),
}

/// A move.
#[derive(Clone, Copy)]
pub(super) enum Link {
    Node(Node),
    Known(i8),
}

/// The graph.
pub(super) struct Explicit<'a, G: Positions> {
    game: &'a mut G,
    pub(super) entries: Vec<Entry<G::State>>,
    numbers: HashMap<G::State, Node>,
    /// For each node the nodes with a move to it.
    pub(super) predecessors: Vec<Vec<Node>>,
    /// How many states were looked at.
    pub(super) expanded: usize,
}

impl<'a, G: Positions> Explicit<'a, G> {
    /// A graph of one node, which was not looked at.
    pub(super) fn new(game: &'a mut G, root: &G::State) -> Explicit<'a, G> {
        let mut graph = Explicit {
            game,
            entries: Vec::new(),
            numbers: HashMap::new(),
            predecessors: Vec::new(),
            expanded: 0,
        };
        graph.node(root);
        graph
    }

    /// The node of a state, a new one of the frontier if there is none.
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

    /// Looks at a state of the frontier; does nothing for any other one.
    pub(super) fn expand(&mut self, node: Node) {
        if !self.is_frontier(node) {
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

    /// Whether a state was not looked at.
    pub(super) fn is_frontier(&self, node: Node) -> bool {
        matches!(self.entries[node as usize].content, Content::Frontier)
    }

    /// The nodes that the moves of a node lead to.
    pub(super) fn successors(&self, node: Node) -> impl Iterator<Item = Node> {
        self.links(node).iter().filter_map(|link| match link {
            Link::Node(next) => Some(*next),
            Link::Known(_) => None,
        })
    }

    /// The moves of a node; none of an end or a state of the frontier.
    pub(super) fn links(&self, node: Node) -> &[Link] {
        match &self.entries[node as usize].content {
            Content::Moves(links) => links,
            Content::Frontier | Content::End(_) => &[],
        }
    }
}
