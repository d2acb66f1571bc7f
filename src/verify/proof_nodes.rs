//! How many steps a plain search takes to find the mate, with each of the four orders.
//!
//! The search evaluates *B(s, d)* as the page says, and goes no deeper than the three plies that it is asked for. With one ply
//! left and the attacker to move all that counts is the place of the first move that gives checkmate. In the order without keys
//! it is among the UCI texts; in all others such a move comes first, because its first key says so. So the positions after the
//! last ply are not ordered.
//!
//! Source: `docs/certificate-format.md`, *Orders and proof nodes*.

use super::man::Side;
use super::orders::{Order, ordered};
use super::tree::Tree;

/// The plies of a mate in two moves.
const PLIES: u8 = 3;

/// The proof nodes of a position with each order, with the side to move as the attacker.
pub(super) fn proof_nodes(tree: &Tree) -> [u64; 4] {
    let attacker = tree.board.to_move;
    Order::ALL.map(|order| evaluated(tree, attacker, PLIES, order).1)
}

/// Whether *B(s, d)* holds, and how many evaluations that takes. (It recurses once for each ply.)
fn evaluated(tree: &Tree, attacker: Side, left: u8, order: Order) -> (bool, u64) {
    let attacker_moves = tree.board.to_move == attacker;
    if !attacker_moves && tree.is_checkmate() {
        return (true, 1);
    }
    let Some(left) = left.checked_sub(1).filter(|_| !tree.moves().is_empty()) else {
        return (false, 1);
    };
    if attacker_moves && left == 0 {
        return evaluated_at_the_last_ply(tree, order);
    }
    let mut nodes = 1;
    for after in ordered(tree, order) {
        let (holds, below) = evaluated(after, attacker, left, order);
        nodes += below;
        // The attacker needs one move that holds, the defender one that does not.
        if holds == attacker_moves {
            return (holds, nodes);
        }
    }
    (!attacker_moves, nodes)
}

/// Whether a move gives checkmate, and how many evaluations it takes to see that, the one of the position itself included.
fn evaluated_at_the_last_ply(tree: &Tree, order: Order) -> (bool, u64) {
    let Some(mate) = tree.mates().first() else {
        return (false, 1 + tree.moves().len() as u64);
    };
    let mut moves = tree.moves().iter();
    let before = match order {
        Order::Lexical => moves.position(|after| after.last == *mate).unwrap_or(0),
        Order::Forcing | Order::Tension | Order::Exchange => 0,
    };
    (true, 1 + before as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::super::attempts::Attempts;
    use super::super::board::Board;
    use super::super::board::tests::board;
    use super::*;

    #[test]
    fn proof_nodes_by_hand() {
        // White mates by Kf7, Kh7, Rh1. After each move Black has one reply, Kh7, if nothing else is said.
        //
        // Lexical: Ke5, Ke6 and Ke7 take 1 + 1 + 22 (14 moves of the rook, 8 of the king) each, Kf5 one less (g6 is next to h7).
        // Kf7 takes 1 + 1, and the mate is the 19th of its moves. With the root 1 + 3 × 24 + 23 + 21.
        //
        // Forcing: the checks come first. Rh1 (one reply, Kg8; 14 + 6 moves) takes 22, Rg8 (the king takes it; 6 moves) 8. Then
        // the stalemate Rg7, which has no reply, takes 1. Of moves with one reply come Ke5, Ke6, Ke7, Kf5 and Kf7, where now the
        // mate is the first: 1 + 22 + 8 + 1 + 3 × 24 + 23 + 3.
        //
        // Tension: after the checks and Rg7, where both kings attack the rook, come the moves to squares that White attacks
        // once more: Kg6 (reply Kg8; 11 + 5 moves) 18, Rg5 (14 + 5) 21, Rg6 (8 + 6) 16, and Kg5, with three replies, of which Kg7
        // comes first (15 moves), 17. Then as before. There is no capture but that of the rook on g8, so exchange is the same.
        let tree = Tree::of(board("7k/8/5K2/8/8/8/8/6R1 w - - 0 1"));
        assert_eq!(proof_nodes(&tree), [117, 130, 202, 202]);
    }

    /// *B(s, d)* word for word: all moves of all positions are ordered.
    fn plain(board: &Board, attacker: Side, left: u8, order: Order) -> (bool, u64) {
        let attacker_moves = board.to_move == attacker;
        if !attacker_moves && board.is_checkmate() {
            return (true, 1);
        }
        let tree = Tree::of(*board);
        if left == 0 || tree.moves().is_empty() {
            return (false, 1);
        }
        let mut nodes = 1;
        for after in ordered(&tree, order) {
            let (holds, below) = plain(&after.board, attacker, left - 1, order);
            nodes += below;
            if holds == attacker_moves {
                return (holds, nodes);
            }
        }
        (!attacker_moves, nodes)
    }

    #[test]
    fn proof_nodes_are_those_of_the_plain_search() {
        let mut attempts = Attempts::of(11);
        let mut boards: Vec<Board> = (0..6).map(|_| attempts.next_admitted().board).collect();
        // No mate in two; mate in one; black to move; stalemate; checkmate.
        for fen in [
            "7k/8/8/8/8/2K5/8/6R1 w - - 0 1",
            "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
            "6r1/8/8/8/8/5k2/8/7K b - - 0 1",
            "7k/8/8/8/8/1q6/8/K7 w - - 0 1",
            "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
            "R6k/8/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            boards.push(board(fen));
        }
        for board in boards {
            let tree = Tree::of(board);
            let found = proof_nodes(&tree);
            for (order, nodes) in Order::ALL.into_iter().zip(found) {
                let (holds, wanted) = plain(&board, board.to_move, PLIES, order);
                assert_eq!(nodes, wanted, "{board} {order:?}");
                assert_eq!(evaluated(&tree, board.to_move, PLIES, order).0, holds);
            }
        }
    }
}
