//! A proof as a graph: positions with the plies that are left, each once, and the moves that the proof rests on.
//!
//! Every edge goes to a node with fewer plies left that stands before, so that a reader can check node after node. Order and
//! content follow from the search alone.

use std::collections::HashMap;

use shakmaty::{Chess, Move};

use super::diagram::{Diagram, Key};
use super::length::Mover;
use super::step::Step;
use crate::game::Plies;

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The place of the node in its graph.
    pub const fn place(self) -> usize {
        self.0 as usize
    }
}

/// Why a node needs no moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// The defender is checkmated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The attacker is checkmated himself.
    AttackerMated,
    /// No ply is left, and it is not checkmate.
    NoPlyLeft,
    /// One ply is left, and no legal move of the attacker mates: all positions after it are leaves of
    /// the kind [`Leaf::NoPlyLeft`]. They are not listed, since a look at the board says the same.
    NoMateInOne,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    diagram: Diagram,
    plies: Plies,
    leaf: Option<Leaf>,
    /// The end of its edges; they begin where those of the node before end.
    edges_end: u32,
}

/// A graph without cycles; the root is the last node.
#[derive(Clone, Debug, Default)]
pub struct Dag {
    nodes: Vec<Node>,
    edges: Vec<(Step, NodeId)>,
}

impl Dag {
    /// The number of nodes.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node; a proof has one.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of edges.
    pub const fn edges(&self) -> usize {
        self.edges.len()
    }

    /// The nodes in order; the root is the last.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator {
        (0..self.nodes.len()).map(|place| NodeId(place as u32))
    }

    /// The position of a node, with clocks that say nothing.
    pub fn position(&self, node: NodeId) -> Chess {
        self.nodes[node.place()].diagram.to_position()
    }

    /// The plies that are left in a node.
    pub fn plies(&self, node: NodeId) -> Plies {
        self.nodes[node.place()].plies
    }

    /// Why the node needs no moves, if it has none.
    pub fn leaf(&self, node: NodeId) -> Option<Leaf> {
        self.nodes[node.place()].leaf
    }

    /// The moves of a node and where they lead, in the order of their generation.
    pub fn moves(&self, node: NodeId) -> impl ExactSizeIterator<Item = (Move, NodeId)> {
        let begin = match node.place().checked_sub(1) {
            Some(before) => self.nodes[before].edges_end as usize,
            None => 0,
        };
        let node = &self.nodes[node.place()];
        let edges = self.edges[begin..node.edges_end as usize].iter();
        edges.map(|&(step, to)| (node.diagram.to_move(step), to))
    }
}

/// Builds a [`Dag`] from the leaves up.
pub(super) struct DagBuilder {
    dag: Dag,
    numbers: HashMap<(Key, u16), NodeId>,
    largest: usize,
}

/// The graph would have too many nodes or edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl DagBuilder {
    /// A graph of at most so many nodes and edges.
    pub(super) fn new(largest: usize) -> DagBuilder {
        DagBuilder {
            dag: Dag::default(),
            numbers: HashMap::new(),
            largest: largest.min(u32::MAX as usize),
        }
    }

    /// The node of a position with so many plies left, if it is there.
    pub(super) fn find(&self, diagram: &Diagram, plies: Plies) -> Option<NodeId> {
        self.numbers.get(&identity(diagram, plies)).copied()
    }

    /// Adds a node without moves, or finds it.
    pub(super) fn leaf(
        &mut self,
        diagram: &Diagram,
        plies: Plies,
        leaf: Leaf,
    ) -> Result<NodeId, TooLarge> {
        match self.find(diagram, plies) {
            Some(node) => Ok(node),
            None => self.add(diagram, plies, Some(leaf), &[]),
        }
    }

    /// Adds a node with moves.
    pub(super) fn node(
        &mut self,
        diagram: &Diagram,
        plies: Plies,
        edges: &[(Step, NodeId)],
    ) -> Result<NodeId, TooLarge> {
        self.add(diagram, plies, None, edges)
    }

    fn add(
        &mut self,
        diagram: &Diagram,
        plies: Plies,
        leaf: Option<Leaf>,
        edges: &[(Step, NodeId)],
    ) -> Result<NodeId, TooLarge> {
        if self.dag.nodes.len() + self.dag.edges.len() + edges.len() >= self.largest {
            return Err(TooLarge);
        }
        let id = NodeId(self.dag.nodes.len() as u32);
        self.dag.edges.extend_from_slice(edges);
        self.dag.nodes.push(Node {
            diagram: diagram.with_legal_en_passant(),
            plies,
            leaf,
            edges_end: self.dag.edges.len() as u32,
        });
        self.numbers.insert(identity(diagram, plies), id);
        Ok(id)
    }

    /// The graph; the node that was added last is its root.
    pub(super) fn build(self) -> Dag {
        self.dag
    }
}

/// What makes a node: equal for positions that differ only by an en-passant square where no capture is legal.
fn identity(diagram: &Diagram, plies: Plies) -> (Key, u16) {
    (diagram.with_legal_en_passant().key(), plies.get())
}

/// The plies of a node, from the moves that the attacker has left.
pub(super) fn plies(mover: Mover, length: u8) -> Plies {
    let twice = 2 * u16::from(length);
    Plies::new(match mover {
        Mover::Attacker => twice.saturating_sub(1),
        Mover::Defender => twice,
    })
}
