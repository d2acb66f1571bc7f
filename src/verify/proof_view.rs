//! What a node of a proof says of its position to whoever comes there, with some clock and after whatever has occurred.
//!
//! In the game `board` that is what its bounds say. In the complete game a node says less than that: that a side wins is said of
//! clocks up to the node's own, that it does not lose of clocks from there on, and of positions in which nothing happens any
//! more whatever the clock is.
//!
//! Source: `docs/certificate-format.md`, *Nodes* of kind 9.

use super::board::Board;
use super::game_state::{FIFTY_MOVES, SEVENTY_FIVE_MOVES};
use super::interval::Interval;
use super::man::Side;
use super::proof_records::{Node, NodeKind};

impl Node<'_> {
    /// The interval of a node as seen from a clock in the complete game.
    pub(super) fn seen_from(&self, clock: u8) -> Interval {
        Interval {
            low: self.least_from(clock, Side::White),
            high: -self.least_from(clock, Side::Black),
        }
    }

    /// The least that a side gets: 1 a win, 0 a draw, −1 a loss.
    fn least_from(&self, clock: u8, side: Side) -> i8 {
        let least = self.interval().least_for(side);
        let is_end = self.kind == NodeKind::End;
        // Of these the clock makes no difference to a draw.
        let is_over = is_end || matches!(self.kind, NodeKind::Material | NodeKind::Walls);
        match least {
            1 if clock <= self.clock || is_end => 1,
            // Who wins in time does not lose later.
            1 => 0,
            0 if self.clock <= clock || is_over => 0,
            _ => -1,
        }
    }

    /// The interval of a move to this node as seen from a clock in the complete game. At 150 the game is over but for an end;
    /// of that nothing is said.
    pub(super) fn of_move_from(&self, clock: u8) -> Interval {
        match clock >= SEVENTY_FIVE_MOVES && self.kind != NodeKind::End {
            true => Interval::OPEN,
            false => self.seen_from(clock),
        }
    }
}

/// Whether the side to move may claim a draw by the clock, with an intended move if there is one that is neither a capture nor
/// a pawn move.
pub(super) fn may_claim(clock: u8, has_quiet_move: bool) -> bool {
    clock >= FIFTY_MOVES || clock == FIFTY_MOVES - 1 && has_quiet_move
}

/// What the moves of a position come to, if these are known: the best for the side to move. None if there are none.
pub(super) fn best(to_move: Side, moves: impl Iterator<Item = Interval>) -> Option<Interval> {
    let better = |a: i8, b: i8| match to_move {
        Side::White => a.max(b),
        Side::Black => a.min(b),
    };
    moves.reduce(|a, b| Interval {
        low: better(a.low, b.low),
        high: better(a.high, b.high),
    })
}

/// The value of a position without a legal move, and of no other.
pub(super) fn end_of(board: &Board) -> Option<Interval> {
    if board.has_move() {
        return None;
    }
    let is_mate = board.is_in_check(board.to_move);
    Some(Interval::won_by(is_mate.then(|| board.to_move.other())))
}

#[cfg(test)]
mod tests {
    use super::super::proof_records::Record;
    use super::*;

    #[test]
    fn a_node_is_seen_as_the_page_says() {
        let kinds: [&[u8]; 5] = [
            &[0, 0, 0, 255, 255, 1, 255, 255, 255, 255, 255],
            &[1, 0, 0],
            &[2, 0, 0],
            &[3, 0, 0],
            &[4, 0, 0],
        ];
        for (kind, bytes) in kinds.iter().enumerate() {
            let (is_end, is_over) = (kind == 1, (1..=3).contains(&kind));
            for (low, high) in [(-1, -1), (-1, 0), (-1, 1), (0, 0), (0, 1), (1, 1)] {
                for c in [0, 1, 2, 99, 100, 149] {
                    let mut bytes = bytes.to_vec();
                    bytes[1] = ((low + 1) + 3 * (high + 1)) as u8;
                    bytes[2] = c;
                    let (node, _) = Node::read(&bytes).unwrap();
                    for k in 0..=150 {
                        let seen = |bound: i8| {
                            if bound == 1 && (k <= c || is_end) {
                                1
                            } else if bound == 1 || bound == 0 && (c <= k || is_over) {
                                0
                            } else {
                                -1
                            }
                        };
                        let (low, high) = (seen(low), -seen(-high));
                        let wanted = Interval { low, high };
                        assert_eq!(node.seen_from(k), wanted, "{kind} {c} {k}");
                        let is_lost_sight_of = k == 150 && !is_end;
                        let wanted = if is_lost_sight_of {
                            Interval::OPEN
                        } else {
                            wanted
                        };
                        assert_eq!(node.of_move_from(k), wanted);
                    }
                }
            }
        }
    }

    #[test]
    fn a_claim_needs_a_hundred_plies() {
        for clock in 0..150 {
            assert_eq!(may_claim(clock, true), clock >= 99);
            assert_eq!(may_claim(clock, false), clock >= 100);
        }
    }
}
