//! The nodes of a proof, as on the format page (*Kind 9: proof*).

use shakmaty::Chess;

use crate::game::Interval;

/// A reference to nothing: the move is open.
pub const OPEN: u32 = u32::MAX;

/// A move that no other one deletes.
pub(super) const KEPT: u8 = u8::MAX;

/// The rank of a node that nobody is said to win.
pub(super) const NO_RANK: u16 = u16::MAX;

/// What a node rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Its moves.
    Moves,
    /// There is none: checkmate or stalemate.
    End,
    /// It is dead by its material.
    Material,
    /// It is dead by its walls.
    Walls,
    /// The table of its class.
    Table,
}

/// A legal move of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeMove {
    /// The number of the node that it leads to, or [`OPEN`].
    pub to: u32,
    /// The place of the move that dominates it, or 255.
    pub dominator: u8,
    /// Whether it is a capture or a pawn move.
    pub is_zeroing: bool,
}

/// A position and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The position.
    pub position: Chess,
    /// The clock up to which its wins and from which its draws are said; 0 on the board.
    pub clock: u8,
    /// The clock of the place: that from which a draw is said.
    pub(super) place_clock: u8,
    /// What it rests on.
    pub kind: NodeKind,
    /// White's value, in the sense of the format page.
    pub interval: Interval,
    /// The rank of a win.
    pub rank: u16,
    /// The legal moves in the order of their UCI texts, for a node that rests on them; otherwise none.
    pub moves: Vec<NodeMove>,
}
