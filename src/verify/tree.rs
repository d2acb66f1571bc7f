//! A position with the moves from it, and the positions after these with theirs, as deep as is asked for.
//!
//! What is found once is kept: the four orders go through the same positions, and so does the check of the winning moves.
//!
//! Source: `docs/certificate-format.md`, *Kind 7: orderings*.

use std::cell::OnceCell;

use super::Move;
use super::board::Board;
use super::orders::Keys;

/// A position and what is known of the moves from it.
pub(super) struct Tree {
    /// The move that led here; none at the root.
    pub(super) last: Move,
    pub(super) board: Board,
    moves: OnceCell<Vec<Tree>>,
    keys: OnceCell<Vec<Keys>>,
    mates: OnceCell<Vec<Move>>,
}

impl Tree {
    /// A position to which no move led.
    pub(super) fn of(board: Board) -> Tree {
        Tree::after(Move::NONE, board)
    }

    fn after(last: Move, board: Board) -> Tree {
        Tree {
            last,
            board,
            moves: OnceCell::new(),
            keys: OnceCell::new(),
            mates: OnceCell::new(),
        }
    }

    /// The positions after the legal moves, in the order of the UCI texts of these.
    pub(super) fn moves(&self) -> &[Tree] {
        self.moves.get_or_init(|| {
            let moves = self.board.moves().into_iter();
            moves.map(|(m, after)| Tree::after(m, after)).collect()
        })
    }

    /// The keys of the moves, in the same order.
    pub(super) fn keys(&self) -> &[Keys] {
        self.keys.get_or_init(|| {
            let moves = self.moves().iter();
            moves.map(|after| Keys::of(&self.board, after)).collect()
        })
    }

    /// The moves that give checkmate, in the same order.
    pub(super) fn mates(&self) -> &[Move] {
        self.mates.get_or_init(|| {
            let mates = self
                .moves()
                .iter()
                .filter(|after| after.board.is_checkmate());
            mates.map(|after| after.last).collect()
        })
    }

    /// Whether the side to move is checkmated.
    pub(super) fn is_checkmate(&self) -> bool {
        self.board.is_in_check(self.board.to_move) && self.moves().is_empty()
    }

    /// Whether the side to move has a legal move, and is mated by the next one after each.
    pub(super) fn is_mated_after_each_move(&self) -> bool {
        let moves = self.moves();
        !moves.is_empty() && moves.iter().all(|reply| !reply.mates().is_empty())
    }
}
