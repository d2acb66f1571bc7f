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
