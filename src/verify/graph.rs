//! The graph of moves of a class: its vertices, their labels, and what they lead to.
//!
//! The vertices are the canonical states in their order and behind them the canonical en-passant states in theirs. No list of
//! edges is kept: what a vertex leads to is found by its moves whenever it is asked for.
//!
//! Source: `docs/certificate-format.md`, *The graph*.

use super::class::{Arrival, Class};
use super::man::Side;
use super::position::Position;

/// The graph of moves of a class.
pub(super) struct Graph<'a> {
    class: Class<'a>,
    states: usize,
}

/// What is told apart of a vertex before anything else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Label {
    to_move: Side,
    end: End,
}

/// Whether and how the game ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum End {
    Checkmate,
    Stalemate,
    /// There is a legal move.
    None,
}

/// What the signature of a vertex says of a successor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Item {
    Sink,
    /// A state of a child, by its byte.
    Child(u8),
    /// A vertex, by its block.
    Block(u32),
}

impl<'a> Graph<'a> {
    /// The graph of a class.
    pub(super) fn of(class: Class<'a>) -> Graph<'a> {
        let states = class.states.count();
        Graph { class, states }
    }

    /// The number of vertices.
    pub(super) fn vertices(&self) -> usize {
        self.states + self.class.states.en_passant_count()
    }

    /// The position of a vertex.
    pub(super) fn position(&self, vertex: u32) -> Option<Position<'a>> {
        let vertex = vertex as usize;
        match vertex.checked_sub(self.states) {
            None => self.class.states.nth(vertex),
            Some(number) => self.class.states.nth_en_passant(number),
        }
    }

    /// The labels of all vertices in order, and the number of edges: the distinct successors of each state, those of
    /// en-passant states left out.
    pub(super) fn labels_and_edges(&self) -> (Vec<Label>, u64) {
        let mut labels = Vec::with_capacity(self.vertices());
        let mut edges = 0;
        let mut successors = Vec::new();
        for (_, position) in self.class.states.positions() {
            successors.clear();
            let visit = |arrival: Arrival| successors.push(arrival.successor());
            self.class.arrivals(&position, visit);
            labels.push(Label::of(&position, !successors.is_empty()));
            successors.sort_unstable();
            successors.dedup();
            edges += successors.len() as u64;
        }
        for (_, position) in self.class.states.en_passant_positions() {
            let mut moves = false;
            self.class.arrivals(&position, |_| moves = true);
            labels.push(Label::of(&position, moves));
        }
        (labels, edges)
    }

    /// Puts the signature of a vertex into a list: what stands there for its successors, ascending and without repetition,
    /// in the partition that gives each vertex its block.
    pub(super) fn signature(&self, vertex: u32, blocks: &[u32], signature: &mut Vec<Item>) {
        signature.clear();
        let Some(position) = self.position(vertex) else {
            return;
        };
        let block = |vertex: usize| blocks.get(vertex).copied().map(Item::Block);
        self.class.arrivals(&position, |arrival| {
            signature.extend(match arrival {
                Arrival::Sink => Some(Item::Sink),
                Arrival::Child { byte, .. } => Some(Item::Child(byte)),
                Arrival::State { number, .. } => block(number),
                Arrival::EnPassant { number, .. } => block(self.states + number),
            });
        });
        signature.sort_unstable();
        signature.dedup();
    }
}

impl Label {
    fn of(position: &Position, has_moves: bool) -> Label {
        let end = match has_moves {
            true => End::None,
            false if position.in_check() => End::Checkmate,
            false => End::Stalemate,
        };
        Label {
            to_move: position.to_move,
            end,
        }
    }
}
