//! What a node gives to those that refer to it, and what bounds the moves of a node support: the rules of the format page
//! (*Kind 9: proof*), in the terms of one side.

use shakmaty::{Color, Position};

use super::node::{NO_RANK, Node, NodeKind, NodeMove, OPEN};
use super::places::{CLAIMABLE, OVER, Profile, may_claim};
use crate::game::Interval;

/// What a side has at least: 1 a win, 0 a draw, −1 nothing.
pub(super) const fn least_for(interval: Interval, side: Color) -> i8 {
    match side {
        Color::White => interval.lower,
        Color::Black => -interval.upper,
    }
}

/// An interval of which each side has at least so much.
pub(super) const fn interval_of(white: i8, black: i8) -> Interval {
    Interval {
        lower: white,
        upper: -black,
    }
}

/// What is known of a node in a state with this clock, in which no key but the present one has occurred before.
pub(super) fn seen_from(profile: Profile, node: &Node, clock: u8) -> Interval {
    if profile == Profile::Board || node.kind == NodeKind::End {
        return node.interval;
    }
    let is_dead = matches!(node.kind, NodeKind::Material | NodeKind::Walls);
    let least = |side| match least_for(node.interval, side) {
        1 if clock <= node.clock => 1,
        1 => 0,
        0 if node.clock <= clock || is_dead => 0,
        _ => -1,
    };
    interval_of(least(Color::White), least(Color::Black))
}

/// What is known of a move.
pub(super) fn of_move(profile: Profile, nodes: &[Node], from: &Node, mv: NodeMove) -> Interval {
    if mv.to == OPEN {
        return Interval::UNKNOWN;
    }
    let to = &nodes[mv.to as usize];
    let clock = match mv.is_zeroing || profile == Profile::Board {
        true => 0,
        false => from.clock + 1,
    };
    if clock == OVER && to.kind != NodeKind::End {
        return Interval::UNKNOWN;
    }
    seen_from(profile, to, clock)
}

/// Whether the moves of a node support that a side has so much.
pub(super) fn supports(
    profile: Profile,
    nodes: &[Node],
    node: &Node,
    side: Color,
    least: i8,
) -> bool {
    let is_mover = node.position.turn() == side;
    let may_be_claimed = || profile == Profile::Fcs && may_claim(&node.position, node.clock);
    let rank = |mv: NodeMove| nodes[mv.to as usize].rank_of_win();
    let holds = |mv: NodeMove| least_for(of_move(profile, nodes, node, mv), side) >= 0;
    let wins = |mv: NodeMove| {
        least_for(of_move(profile, nodes, node, mv), side) == 1 && rank(mv) < node.rank
    };
    let mut moves = node.moves.iter().copied();
    match (least, is_mover) {
        (1, true) => node.rank != NO_RANK && moves.any(wins),
        (1, false) => node.rank != NO_RANK && !may_be_claimed() && moves.all(wins),
        (0, true) => may_be_claimed() || moves.any(holds),
        (0, false) => moves.all(holds),
        _ => true,
    }
}

impl Node {
    /// The rank of a win, 0 where it is seen without moves.
    const fn rank_of_win(&self) -> u16 {
        match self.kind {
            NodeKind::Moves => self.rank,
            _ => 0,
        }
    }
}

/// The largest clock with which a side wins by moves to nodes of smaller rank that are won up to their clocks; none if there is no
/// such clock. The side to lose must not get to claim.
pub(super) fn clock_of_win(nodes: &[Node], node: &Node, side: Color) -> Option<u8> {
    /// The last clock with which a game goes on.
    const LAST: u8 = OVER - 1;
    let of_move = |mv: &NodeMove| -> Option<u8> {
        let to = nodes.get(mv.to as usize)?;
        let is_won = least_for(to.interval, side) == 1 && to.rank_of_win() < node.rank;
        match (is_won, mv.is_zeroing || to.kind == NodeKind::End) {
            (false, _) => None,
            (true, true) => Some(LAST),
            (true, false) => to.clock.checked_sub(1),
        }
    };
    if node.position.turn() == side {
        return node.moves.iter().filter_map(of_move).max();
    }
    let has_quiet_move = node.moves.iter().any(|mv| !mv.is_zeroing);
    let before_claims = match has_quiet_move {
        true => CLAIMABLE - 2,
        false => CLAIMABLE - 1,
    };
    let mut clock = before_claims;
    for mv in &node.moves {
        clock = clock.min(of_move(mv)?);
    }
    Some(clock)
}
