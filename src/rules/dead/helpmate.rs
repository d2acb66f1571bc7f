//! The search for a line to checkmate, with both sides helping.
//!
//! It goes on from the position that looks nearest to a mate, so that it is quick where there is one, and it leaves no position
//! out: when nothing is left to go on from, all were met. Positions that are dead at sight are met, but not gone on from.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, attacks};

use super::{DeadReason, Deadness, reason_at_sight};

/// A position that was met: where from, and by which move.
struct Met {
    position: Chess,
    plies: u32,
    from: usize,
    by: Option<Move>,
}

/// What a ply of the line so far counts, against half a unit of distance, in one search after the other: the less it counts, the
/// more mates are found, and the longer they are.
const WEIGHTS_OF_A_PLY: [u32; 4] = [12, 3, 1, 0];

/// Looks for a mate among at most so many positions; and if that is not enough, again among as many, for longer lines.
pub(super) fn search(root: &Chess, positions: usize) -> Deadness {
    for weight in WEIGHTS_OF_A_PLY {
        let found = search_with(root, positions, weight);
        if found != Deadness::Unknown {
            return found;
        }
    }
    Deadness::Unknown
}

/// Looks for a mate where the line so far and the distance that is left are shortest together.
fn search_with(root: &Chess, positions: usize, weight_of_a_ply: u32) -> Deadness {
    if root.is_checkmate() {
        return Deadness::Alive(Vec::new());
    }
    if positions == 0 {
        return Deadness::Unknown;
    }
    let mut known = HashSet::from([root.clone()]);
    let mut met = vec![Met {
        position: root.clone(),
        plies: 0,
        from: 0,
        by: None,
    }];
    // Of equals the one that was met last, which is deepest.
    let mut open = BinaryHeap::from([(Reverse(0), 0)]);
    while let Some((_, from)) = open.pop() {
        let Met {
            position, plies, ..
        } = &met[from];
        let (position, plies) = (position.clone(), plies + 1);
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            if !known.insert(next.clone()) {
                continue;
            }
            if met.len() >= positions {
                return Deadness::Unknown;
            }
            let number = met.len();
            let is_mate = next.is_checkmate();
            if !is_mate && reason_at_sight(&next).is_none() {
                let way = weight_of_a_ply.saturating_mul(plies);
                let far = distance(&next).saturating_mul(2).saturating_add(way);
                open.push((Reverse(far), number));
            }
            met.push(Met {
                position: next,
                plies,
                from,
                by: Some(mv),
            });
            if is_mate {
                return Deadness::Alive(line_to(&met, number));
            }
        }
    }
    Deadness::Dead(DeadReason::Exhausted {
        positions: met.len(),
    })
}

/// The moves that led to a position.
fn line_to(met: &[Met], mut number: usize) -> Vec<Move> {
    let mut line = Vec::new();
    while let Some(mv) = met[number].by {
        line.push(mv);
        number = met[number].from;
    }
    line.reverse();
    line
}

/// How far off a mate looks, whoever gives it. It orders the search and decides nothing.
fn distance(position: &Chess) -> u32 {
    Color::ALL
        .map(|winner| distance_for(position, winner))
        .into_iter()
        .min()
        .unwrap_or(0)
}

/// How far off a mate by this side looks.
fn distance_for(position: &Chess, winner: Color) -> u32 {
    /// What a side needs for a mate is often a piece that is still to be made.
    const MISSING_PIECE: u32 = 40;
    let board = position.board();
    let (Some(own), Some(other)) = (board.king_of(winner), board.king_of(!winner)) else {
        return u32::MAX;
    };
    let men = board.by_color(winner);
    if men.count() == 1 {
        return u32::MAX;
    }
    let (file, rank) = (u32::from(other.file()), u32::from(other.rank()));
    let (to_side, to_end) = (file.min(7 - file), rank.min(7 - rank));
    // Squares to which the king could go: not blocked by its own men, not attacked.
    let occupied = board.occupied().without(other);
    let around = attacks::king_attacks(other) & !board.by_color(!winner);
    let free = around
        .into_iter()
        .filter(|&square| (board.attacks_to(square, winner, occupied)).is_empty())
        .count() as u32;
    let heavy = men & (board.queens() | board.rooks());
    let pawns = men & board.pawns();
    let missing = match (heavy.any(), pawns.any()) {
        (true, _) => 0,
        (false, true) => MISSING_PIECE.min(8 * steps_to_promotion(pawns, winner)),
        // Minor pieces alone need the king to be in its corner.
        (false, false) => 4 * (to_side + to_end),
    };
    // With enough pieces the king need not come, and any edge will do.
    let place = if (men ^ pawns).count() > 3 {
        3 * to_side.min(to_end)
    } else {
        3 * (to_side + to_end) + 2 * own.distance(other).saturating_sub(2)
    };
    let nearest = (heavy | men & (board.by_role(Role::Knight) | board.by_role(Role::Bishop)))
        .into_iter()
        .map(|square| square.distance(other))
        .min()
        .unwrap_or(7);
    4 * free + place + nearest + missing
}

/// The steps that the pawn farthest forward is from its last rank.
fn steps_to_promotion(pawns: Bitboard, color: Color) -> u32 {
    let steps = pawns.into_iter().map(|square| {
        let rank = u32::from(square.rank());
        match color {
            Color::White => 7 - rank,
            Color::Black => rank,
        }
    });
    steps.min().unwrap_or(7)
}
