//! Forced mate by its definition, on shakmaty.
//!
//! `B(s, d)`: checkmate of the defender counts; with no ply left nothing else does; the attacker needs a move, the
//! defender must have one, and all must lose. The slow twin of the search.

use shakmaty::{Chess, Position};

use super::length::Mover;
use crate::game::Plies;

/// Whether the attacker can force mate within so many plies.
pub fn mates_within_naive(position: &Chess, mover: Mover, plies: Plies) -> bool {
    if mover == Mover::Defender && position.is_checkmate() {
        return true;
    }
    let Some(left) = plies.get().checked_sub(1) else {
        return false;
    };
    let moves = position.legal_moves();
    let mates_after = |mv: &shakmaty::Move, other: Mover| {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        mates_within_naive(&next, other, Plies::new(left))
    };
    match mover {
        Mover::Attacker => moves.iter().any(|mv| mates_after(mv, Mover::Defender)),
        Mover::Defender => {
            !moves.is_empty() && moves.iter().all(|mv| mates_after(mv, Mover::Attacker))
        }
    }
}
