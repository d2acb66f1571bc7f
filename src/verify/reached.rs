//! The nodes of a graph that were reached and not yet gone through, with the position that each stands for.
//!
//! A node's position is not written: it follows from what leads to it. Nodes are gone through from the last to the first, and
//! all that leads to a node comes after it. So when its turn comes, everything is known of it, and it can be forgotten.
//!
//! Source: `docs/certificate-format.md`, *Kind 5: mate*.

use std::collections::BTreeMap;

use super::board::Board;
use super::nodes::LEAF;
use super::packed_board::PackedBoard;
use super::{Reason, Refusal};

/// Nodes with their positions.
#[derive(Default)]
pub(super) struct Reached {
    nodes: BTreeMap<u32, Standing>,
}

/// What a node stands for.
struct Standing {
    board: PackedBoard,
    /// In a refutation the plies left; in a strategy 0.
    left: u8,
    /// Whether it was reached with something else as well.
    is_torn: bool,
}

impl Reached {
    /// A reference to a node, with a position and a number of plies left. A leaf has no node.
    pub(super) fn reach(&mut self, reference: u32, board: &Board, left: u8) {
        if reference == LEAF {
            return;
        }
        let board = PackedBoard::of(board);
        let found = Standing {
            board,
            left,
            is_torn: false,
        };
        let standing = self.nodes.entry(reference).or_insert(found);
        standing.is_torn |= standing.board != board || standing.left != left;
    }

    /// What a node stands for, which is then forgotten. The name is that of the graph.
    pub(super) fn take(&mut self, name: &str, number: u32) -> Result<(Board, u8), Refusal> {
        let refusal =
            |reason, what: &str| Refusal::new(reason, format_args!("{name} node {number}: {what}"));
        let Some(standing) = self.nodes.remove(&number) else {
            let what = "nothing refers to it";
            return Err(refusal(Reason::UnreachedNode, what));
        };
        let board = standing.board.board();
        if standing.is_torn {
            let what = format!("{board}, and not that alone");
            return Err(refusal(Reason::WrongNodePosition, &what));
        }
        Ok((board, standing.left))
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::board;
    use super::*;

    const FEN: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

    fn reason(reached: &mut Reached, number: u32) -> Reason {
        reached.take("strategy", number).unwrap_err().reason
    }

    #[test]
    fn a_node_is_reached_with_one_position_and_then_forgotten() {
        let board = board(FEN);
        let mut reached = Reached::default();
        reached.reach(3, &board, 5);
        reached.reach(3, &board, 5);
        reached.reach(LEAF, &board, 5);
        assert_eq!(reached.take("strategy", 3), Ok((board, 5)));
        assert_eq!(reason(&mut reached, 3), Reason::UnreachedNode);
        assert_eq!(reason(&mut reached, LEAF), Reason::UnreachedNode);
        assert!(reached.nodes.is_empty());
    }

    #[test]
    fn whatever_differs_is_noticed_when_the_turn_comes() {
        let others = [
            (FEN, 4),
            ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", 5),
            ("4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1", 5),
            ("3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", 5),
        ];
        for (fen, left) in others {
            let mut reached = Reached::default();
            reached.reach(3, &board(FEN), 5);
            reached.reach(3, &board(fen), left);
            reached.reach(3, &board(FEN), 5);
            let refusal = reached.take("strategy", 3).unwrap_err();
            assert_eq!(refusal.reason, Reason::WrongNodePosition);
            let place = format!("strategy node 3: {FEN}, and not that alone");
            assert_eq!(refusal.place, place);
        }
        let mut reached = Reached::default();
        reached.reach(0, &board("7k/8/8/3pP3/8/8/8/7K w - d6 0 1"), 0);
        reached.reach(0, &board("7k/8/8/3pP3/8/8/8/7K w - - 0 1"), 0);
        assert_eq!(reason(&mut reached, 0), Reason::WrongNodePosition);
    }
}
