//! The four orders of moves: by keys, the largest first, and then by the UCI texts.
//!
//! What a key says is found in the position after the move, and for both sides in the same way: for the one that moved.
//!
//! Source: `docs/certificate-format.md`, *Orders and proof nodes*.

use std::cmp::Reverse;

use super::board::Board;
use super::exchange::{ExchangeGraph, worth};
use super::tree::Tree;

/// An order of the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Lexical,
    Forcing,
    Tension,
    Exchange,
}

impl Order {
    /// All orders as the page lists them.
    pub(super) const ALL: [Order; 4] = [
        Order::Lexical,
        Order::Forcing,
        Order::Tension,
        Order::Exchange,
    ];
}

/// What the orders look at in a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Keys {
    /// 1 if the move gives checkmate.
    mate: i32,
    /// 1 if it gives check.
    check: i32,
    /// What the captured man is worth.
    captured: i32,
    /// How many legal moves there are after it.
    replies: i32,
    /// 1 if both sides attack the square that it goes to.
    entry: i32,
    /// By how many more men of the side that moved than of the other that square is attacked.
    surplus: i32,
    /// By how many men of both sides it is attacked.
    tension: i32,
    /// What the capture is worth.
    exchange: i32,
}

impl Keys {
    /// The keys of the move that leads to a position, from the one before it.
    pub(super) fn of(before: &Board, after: &Tree) -> Keys {
        let (mover, other) = (before.to_move, before.to_move.other());
        let attackers = |side| after.board.attackers(after.last.to(), side).count_ones() as i32;
        let (ours, theirs) = (attackers(mover), attackers(other));
        let captured = before.captured_by(after.last);
        let graph = captured.map(|_| ExchangeGraph::of(before, after.last, after.board));
        Keys {
            mate: after.is_checkmate().into(),
            check: after.board.is_in_check(other).into(),
            captured: captured.map_or(0, worth),
            replies: after.moves().len() as i32,
            entry: (ours > 0 && theirs > 0).into(),
            surplus: ours - theirs,
            tension: ours + theirs,
            exchange: graph.map_or(0, |graph| graph.value),
        }
    }

    /// The keys of an order, those that decide first in front; 0 in the place of those that it does not have.
    fn of_order(&self, order: Order) -> [i32; 8] {
        let (mate, check, captured, few) = (self.mate, self.check, self.captured, -self.replies);
        let (entry, surplus, tension) = (self.entry, self.surplus, self.tension);
        match order {
            Order::Lexical => [0; 8],
            Order::Forcing => [mate, check, captured, few, 0, 0, 0, 0],
            Order::Tension => [mate, check, entry, surplus, tension, captured, few, 0],
            Order::Exchange => [
                mate,
                check,
                self.exchange,
                entry,
                surplus,
                tension,
                captured,
                few,
            ],
        }
    }
}

/// The positions after the moves of a position, in an order of these.
pub(super) fn ordered(tree: &Tree, order: Order) -> Vec<&Tree> {
    if order == Order::Lexical {
        // No key is looked at.
        return tree.moves().iter().collect();
    }
    let mut moves: Vec<(&Tree, &Keys)> = tree.moves().iter().zip(tree.keys()).collect();
    // What is equal stays where it is: in the order of the UCI texts.
    moves.sort_by_key(|(_, keys)| Reverse(keys.of_order(order)));
    moves.into_iter().map(|(after, _)| after).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::super::board::tests::board;
    use super::*;

    fn keys(fen: &str, text: &str) -> Keys {
        let tree = Tree::of(board(fen));
        let mut moves = tree.moves().iter().zip(tree.keys());
        let found = moves.find(|(after, _)| after.last.to_string() == text);
        *found.unwrap().1
    }

    const QUEEN: &str = "7k/1b6/8/3n4/8/8/3Q4/1K1R4 w - - 0 1";

    #[test]
    fn keys_by_hand() {
        // The queen takes: the rook and the bishop attack the square; two moves of the king and five of the bishop are left.
        let wanted = Keys {
            mate: 0,
            check: 0,
            captured: 320,
            replies: 7,
            entry: 1,
            surplus: 0,
            tension: 2,
            exchange: -250,
        };
        assert_eq!(keys(QUEEN, "d2d5"), wanted);
        // A check, and one reply.
        let wanted = Keys {
            mate: 0,
            check: 1,
            captured: 0,
            replies: 1,
            entry: 0,
            surplus: 0,
            tension: 0,
            exchange: 0,
        };
        assert_eq!(keys(QUEEN, "d2h6"), wanted);
        // A checkmate that captures: the king attacks the queen, which is attacked by the pawn.
        let mate = "7k/6p1/7P/8/8/8/8/K5Q1 w - - 0 1";
        let wanted = Keys {
            mate: 1,
            check: 1,
            captured: 100,
            replies: 0,
            entry: 1,
            surplus: 0,
            tension: 2,
            exchange: 100,
        };
        assert_eq!(keys(mate, "g1g7"), wanted);
        // A pinned man attacks the square, but cannot take on it.
        let pinned = "8/Rb4k1/8/3n4/8/8/3Q4/1K6 w - - 0 1";
        let found = keys(pinned, "d2d5");
        assert_eq!((found.entry, found.surplus, found.tension), (0, -1, 1));
        assert_eq!(found.exchange, 320);
        let pawn = "3r3k/3q4/4p3/8/8/4N3/8/4K3 w - - 0 1";
        let found = keys(pawn, "e3d5");
        // The queen and the pawn attack the square; the rook stands behind the queen.
        assert_eq!((found.entry, found.surplus, found.tension), (0, -2, 2));
        // En passant, for Black.
        let passed = "7k/8/8/8/3pP3/8/8/7K b - e3 0 1";
        let found = keys(passed, "d4e3");
        assert_eq!((found.captured, found.exchange), (100, 100));
        // A promotion with a capture: what is captured counts alone, but in the exchange all of it.
        let promotion = "3rk3/2P5/8/8/8/8/8/K7 w - - 0 1";
        let found = keys(promotion, "c7d8q");
        assert_eq!((found.captured, found.exchange), (500, 400));
        let found = keys(promotion, "c7c8q");
        assert_eq!((found.captured, found.exchange), (0, 0));
    }

    /// Which of two moves comes first, decided key by key.
    fn compared(order: Order, (a, x): (&Tree, &Keys), (b, y): (&Tree, &Keys)) -> Ordering {
        let mates = y.mate.cmp(&x.mate).then(y.check.cmp(&x.check));
        let exchange = y.exchange.cmp(&x.exchange);
        let tension = y.entry.cmp(&x.entry);
        let tension = tension.then(y.surplus.cmp(&x.surplus));
        let tension = tension.then(y.tension.cmp(&x.tension));
        let captures = y.captured.cmp(&x.captured).then(x.replies.cmp(&y.replies));
        let keys = match order {
            Order::Lexical => Ordering::Equal,
            Order::Forcing => mates.then(captures),
            Order::Tension => mates.then(tension).then(captures),
            Order::Exchange => mates.then(exchange).then(tension).then(captures),
        };
        keys.then_with(|| a.last.to_string().cmp(&b.last.to_string()))
    }

    #[test]
    fn moves_are_ordered_by_their_keys_and_then_by_their_texts() {
        let mut different = 0;
        for fen in [
            QUEEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "7k/8/5K2/8/8/8/8/6R1 w - - 0 1",
        ] {
            let tree = Tree::of(board(fen));
            let mut lists = Vec::new();
            for order in Order::ALL {
                let found = ordered(&tree, order);
                let known: Vec<(&Tree, &Keys)> = tree.moves().iter().zip(tree.keys()).collect();
                let mut sorted = known.clone();
                sorted.sort_by(|a, b| compared(order, *a, *b));
                let texts = |list: Vec<&Tree>| -> Vec<String> {
                    list.iter().map(|after| after.last.to_string()).collect()
                };
                let wanted = texts(sorted.into_iter().map(|(after, _)| after).collect());
                let found = texts(found);
                assert_eq!(found, wanted, "{fen} {order:?}");
                assert!(found.is_sorted() || order != Order::Lexical);
                if !lists.contains(&found) {
                    lists.push(found);
                }
            }
            different = different.max(lists.len());
        }
        assert_eq!(different, 4);
    }
}
