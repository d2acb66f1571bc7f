//! The graph of moves of a class: its vertices, their labels, and what they lead to.
//!
//! The vertices are the canonical states in their order and behind them the canonical en-passant states in theirs. No list of
//! edges is kept: what a vertex leads to is found by its moves whenever it is asked for.
//!
//! A bisimulation asks for the *signature* of a vertex: what its moves lead to, told apart by a partition. Bounds ask for its
//! *moves* one by one, and go through all vertices in order.
//!
//! Source: `docs/certificate-format.md`, *The graph* and *Deletions*.

use super::Refusal;
use super::class::{Arrival, Class, Successor};
use super::man::Side;
use super::position::Position;
use super::value::Value;

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

/// A move of a vertex, by what it leads to. Two moves that lead to the same are one. The order is that of the moves of a
/// vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Move {
    /// A vertex, by its number.
    Vertex(u32),
    /// A state of a child, by its byte, and which one it is.
    Child(u8, Successor),
    Sink,
}

/// A vertex with its moves.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub(super) number: u32,
    pub(super) to_move: Side,
    /// The side that is checkmated here, if one is.
    pub(super) mated: Option<Side>,
    /// The moves in their order, without repetition.
    pub(super) moves: Vec<Move>,
}

impl Vertex {
    /// The side that wins a state of a child to which a move of this vertex leads; none if it is drawn. The other side is to
    /// move there, also where the child has the colours exchanged.
    pub(super) fn winner(&self, byte: u8) -> Option<Side> {
        Value::from_byte(byte).winner(self.to_move.other())
    }
}

/// Vertices that one can go through in order.
pub(super) trait Vertices {
    /// How many of them are states; those behind them are en-passant states.
    fn states(&self) -> usize;

    /// Goes through all vertices in order, until one is refused.
    fn each(&self, visit: &mut dyn FnMut(&Vertex) -> Result<(), Refusal>) -> Result<(), Refusal>;

    /// A vertex, for people to read.
    fn named(&self, vertex: u32) -> String;
}

impl Vertices for Graph<'_> {
    fn states(&self) -> usize {
        self.states
    }

    fn each(&self, visit: &mut dyn FnMut(&Vertex) -> Result<(), Refusal>) -> Result<(), Refusal> {
        let mut vertex = Vertex {
            number: 0,
            to_move: Side::White,
            mated: None,
            moves: Vec::new(),
        };
        for (number, position) in (0..).zip(self.positions()) {
            vertex.number = number;
            vertex.to_move = position.to_move;
            self.moves(&position, &mut vertex.moves);
            let is_mate = vertex.moves.is_empty() && position.in_check();
            vertex.mated = is_mate.then_some(position.to_move);
            visit(&vertex)?;
        }
        Ok(())
    }

    fn named(&self, vertex: u32) -> String {
        let position = self.position(vertex);
        position.map_or_else(
            || vertex.to_string(),
            |position| format!("{vertex} {position}"),
        )
    }
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

    /// The positions of all vertices in order.
    pub(super) fn positions(&self) -> impl Iterator<Item = Position<'a>> {
        let states = self.class.states;
        let positions = states.positions().map(|(_, position)| position);
        let en_passant = states.en_passant_positions().map(|(_, position)| position);
        positions.chain(en_passant)
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
        let block = |vertex: usize| Item::Block(vertex as u32);
        self.class.arrivals(&position, |arrival| {
            signature.push(match arrival {
                Arrival::Sink => Item::Sink,
                Arrival::Child { byte, .. } => Item::Child(byte),
                Arrival::State { number, .. } => block(number),
                Arrival::EnPassant { number, .. } => block(self.states + number),
            });
        });
        // Vertices become blocks afterwards, all together: the memory answers faster so.
        for item in signature.iter_mut() {
            if let Item::Block(vertex) = item
                && let Some(&block) = blocks.get(*vertex as usize)
            {
                *vertex = block;
            }
        }
        signature.sort_unstable();
        signature.dedup();
    }
}

impl Graph<'_> {
    /// Puts the moves of a position into a list, in their order.
    fn moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.clear();
        self.class.arrivals(position, |arrival| {
            moves.push(match arrival {
                Arrival::Sink => Move::Sink,
                Arrival::Child { byte, .. } => Move::Child(byte, arrival.successor()),
                Arrival::State { number, .. } => Move::Vertex(number as u32),
                Arrival::EnPassant { number, .. } => Move::Vertex((self.states + number) as u32),
            });
        });
        moves.sort_unstable();
        moves.dedup();
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

#[cfg(test)]
mod tests {
    use super::super::class::tests::{class_of, closure};
    use super::super::squares::Squares;
    use super::*;

    /// The squares with these names.
    fn squares(names: &str) -> Squares {
        let square = |name: &str| {
            let name = name.as_bytes();
            name[0] - b'a' + 8 * (name[1] - b'1')
        };
        Squares::of(names.split(' ').map(square))
    }

    /// The vertex of a state, or of an en-passant state.
    fn vertex(graph: &Graph, names: &str, to_move: Side, en_passant: Option<u8>) -> u32 {
        let wanted = (squares(names), to_move, en_passant);
        let is_wanted = |&vertex: &u32| {
            let found = graph.position(vertex);
            found.map(|found| (found.squares, found.to_move, found.en_passant)) == Some(wanted)
        };
        (0..graph.vertices() as u32).find(is_wanted).unwrap()
    }

    /// The signature of a vertex in the partition that tells all of them apart.
    fn signature(graph: &Graph, vertex: u32) -> Vec<Item> {
        let blocks: Vec<u32> = (0..).take(graph.vertices()).collect();
        let mut signature = vec![Item::Sink; 3];
        graph.signature(vertex, &blocks, &mut signature);
        signature
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn en_passant_states_are_behind_the_states() {
        let tables = closure("KPKP");
        let graph = Graph::of(class_of(&tables));
        let states = tables[0].count();
        assert!(graph.vertices() > states);
        let mut before = None;
        for vertex in 0..graph.vertices() {
            let position = graph.position(vertex as u32).unwrap();
            assert_eq!(position.en_passant.is_some(), vertex >= states);
            let tuple = (
                vertex >= states,
                position.squares,
                position.to_move,
                position.en_passant,
            );
            assert!(before < Some(tuple));
            before = Some(tuple);
        }
        assert!(graph.position(graph.vertices() as u32).is_none());
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn a_double_step_leads_to_the_en_passant_state() {
        let tables = closure("KPKP");
        let graph = Graph::of(class_of(&tables));
        let states = tables[0].count() as u32;
        // White Ka1 Pc2, Black Kh8: after c2-c4 a pawn on d4 may capture en passant, one on e4 may not.
        for (pawn, captures) in [("d4", true), ("e4", false)] {
            let from = vertex(&graph, &format!("a1 c2 h8 {pawn}"), Side::White, None);
            let after = format!("a1 c4 h8 {pawn}");
            let state = vertex(&graph, &after, Side::Black, None);
            let items = signature(&graph, from);
            assert_eq!(items.contains(&Item::Block(state)), !captures);
            let en_passant: Vec<&Item> = items
                .iter()
                .filter(|&&item| item >= Item::Block(states))
                .collect();
            if captures {
                let passed = vertex(&graph, &after, Side::Black, Some(18));
                assert!(passed >= states);
                assert_eq!(en_passant, [&Item::Block(passed)]);
                // It has the moves of the state, and the capture.
                let [mut more, less] = [passed, state].map(|vertex| signature(&graph, vertex));
                more.retain(|item| !less.contains(item));
                assert_eq!(more, [Item::Child(255)]);
            } else {
                assert_eq!(en_passant, Vec::<&Item>::new());
            }
        }
    }

    #[test]
    fn a_drawn_child_is_not_the_sink() {
        let tables = closure("KPK");
        let graph = Graph::of(class_of(&tables));
        // The pawn is captured; it becomes a queen or a rook; a bishop or a knight.
        let capture = vertex(&graph, "a1 c7 d8", Side::Black, None);
        let of_capture = signature(&graph, capture);
        assert!(of_capture.contains(&Item::Sink) && !of_capture.contains(&Item::Child(255)));
        let promotion = vertex(&graph, "a1 c7 h7", Side::White, None);
        let of_promotion = signature(&graph, promotion);
        assert!(of_promotion.contains(&Item::Sink) && of_promotion.contains(&Item::Child(255)));
        // A set: the queen and the rook are told apart by their bytes alone.
        assert_eq!(of_promotion.len(), 2 + 3);
    }

    #[test]
    fn labels_tell_the_side_to_move_and_the_end_of_the_game() {
        let tables = closure("KQK");
        let graph = Graph::of(class_of(&tables));
        let (labels, edges) = graph.labels_and_edges();
        assert_eq!((labels.len(), edges), (46_137, 609_873));
        let count = |to_move, end| {
            let wanted = Label { to_move, end };
            labels.iter().filter(|&&label| label == wanted).count()
        };
        let (white, black) = (Side::White, Side::Black);
        assert_eq!(count(black, End::Checkmate), 46);
        assert_eq!(count(black, End::Stalemate), 109);
        assert_eq!(
            count(white, End::Checkmate) + count(white, End::Stalemate),
            0
        );
        assert_eq!(count(white, End::None), 18_081);
        assert_eq!(count(black, End::None), 46_137 - 18_081 - 155);
        for (number, label) in (0..).zip(&labels) {
            let position = graph.position(number).unwrap();
            assert_eq!(label.to_move, position.to_move);
            assert_eq!(
                label.end == End::None,
                !signature(&graph, number).is_empty()
            );
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn moves_are_in_order_and_what_signatures_are_made_of() {
        for (name, step) in [("KQK", 1), ("KPK", 1), ("KPKP", 997)] {
            let tables = closure(name);
            let graph = Graph::of(class_of(&tables));
            let (labels, edges) = graph.labels_and_edges();
            let blocks: Vec<u32> = (0..).take(graph.vertices()).collect();
            let mut signature = Vec::new();
            let (mut next, mut moves) = (0, 0);
            let visit = &mut |vertex: &Vertex| {
                assert_eq!(vertex.number, next);
                next += 1;
                if (vertex.number as usize) < graph.states() {
                    moves += vertex.moves.len() as u64;
                }
                let label = labels[vertex.number as usize];
                assert_eq!(vertex.to_move, label.to_move);
                assert_eq!(vertex.mated.is_some(), label.end == End::Checkmate);
                assert!(vertex.moves.is_sorted_by(|a, b| a < b));
                if (vertex.number as usize).is_multiple_of(step)
                    || vertex.number as usize >= graph.states()
                {
                    let item = |to: &Move| match *to {
                        Move::Vertex(to) => Item::Block(to),
                        Move::Child(byte, _) => Item::Child(byte),
                        Move::Sink => Item::Sink,
                    };
                    let mut items: Vec<Item> = vertex.moves.iter().map(item).collect();
                    items.sort_unstable();
                    items.dedup();
                    graph.signature(vertex.number, &blocks, &mut signature);
                    assert_eq!(items, signature, "{name} {}", vertex.number);
                }
                Ok(())
            };
            graph.each(visit).unwrap();
            assert_eq!((next as usize, moves), (graph.vertices(), edges), "{name}");
        }
        // Vertices come before states of children, and these before the sink; a queen and a rook with the same byte
        // are two moves.
        let tables = closure("KPK");
        let graph = Graph::of(class_of(&tables));
        let promotion = vertex(&graph, "a1 c7 h7", Side::White, None);
        let mut moves = Vec::new();
        graph.moves(&graph.position(promotion).unwrap(), &mut moves);
        assert!(matches!(
            moves[..],
            [
                Move::Vertex(_),
                Move::Vertex(_),
                Move::Vertex(_),
                Move::Child(255, _),
                Move::Child(255, _),
                Move::Sink
            ]
        ));
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn edges_leave_out_those_of_en_passant_states() {
        let tables = closure("KPKP");
        let graph = Graph::of(class_of(&tables));
        let (labels, edges) = graph.labels_and_edges();
        assert_eq!(labels.len(), graph.vertices());
        let states = tables[0].count();
        assert!(labels[states..].iter().all(|label| label.end == End::None));
        let class = class_of(&tables);
        let mut seen = Vec::new();
        let surveys = tables[0]
            .positions()
            .map(|(_, position)| class.survey(&position, &mut seen).1);
        assert_eq!(edges, surveys.sum::<u64>());
    }
}
