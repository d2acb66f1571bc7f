//! The positions of the nodes of a proof.
//!
//! A node's position is not written: the first reference to it says which one it is, and all others have to say the same.
//!
//! Source: `docs/certificate-format.md`, *Kind 9: proof*.

use super::board::Board;
use super::packed_board::PackedBoard;

/// The positions of nodes, as far as they were reached.
pub(super) struct Positions(Vec<Option<PackedBoard>>);

impl Positions {
    /// So many nodes, none of which was reached.
    pub(super) fn of(nodes: usize) -> Positions {
        Positions(vec![None; nodes])
    }

    /// A reference to a node, with a position. Says whether the node has no other one.
    pub(super) fn reach(&mut self, number: u32, board: &Board) -> bool {
        let board = PackedBoard::of(board);
        let place = self.0.get_mut(number as usize);
        place.is_some_and(|place| *place.get_or_insert(board) == board)
    }

    /// The position of a node; none if it was not reached.
    pub(super) fn board(&self, number: u32) -> Option<Board> {
        let packed = self.0.get(number as usize)?.as_ref()?;
        Some(packed.board())
    }
}
