//! En passant inside a class: which captures there are after a double step, and what they change.
//!
//! The right exists only if a capture is legal, so a position after a double step is either an
//! en-passant state or an ordinary one. An en-passant state has the moves of the ordinary state with
//! the same placement, and the captures.

use shakmaty::attacks::{attacks, pawn_attacks};
use shakmaty::{Bitboard, Color, Rank, Role, Square};

use super::conversion::{Conversions, Landing};
use super::men::Men;
use crate::game::Value;

/// The square that the last pawn jumped over, on each file on which that can have been: the pawn
/// stands beyond it, it and the square behind it are empty. Whether a capture is legal is not asked.
pub(super) fn passed_squares(men: &Men, turn: Color) -> impl Iterator<Item = Square> {
    let enemies = men
        .side(!turn)
        .filter(|&man| men.piece(man).role == Role::Pawn);
    let passed: Bitboard = enemies.filter_map(|man| passed_square(men, man)).collect();
    passed.into_iter()
}

/// The square that this pawn has jumped over if its last move was a double step, as far as the
/// placement tells.
fn passed_square(men: &Men, pawn: usize) -> Option<Square> {
    let (color, square) = (men.piece(pawn).color, men.squares[pawn]);
    let (rank, back) = if color.is_white() {
        (Rank::Fourth, -8)
    } else {
        (Rank::Fifth, 8)
    };
    if square.rank() != rank {
        return None;
    }
    let over = square.offset(back)?;
    let origin = over.offset(back)?;
    let free = !men.occupied.contains(over) && !men.occupied.contains(origin);
    free.then_some(over)
}

/// Visits the legal captures en passant on a square: where they lead.
pub(super) fn captures(
    men: &Men,
    turn: Color,
    passed: Square,
    conversions: &Conversions,
    mut visit: impl FnMut(Landing),
) {
    let pushed = passed.offset(if turn.is_white() { -8 } else { 8 });
    let Some(victim) = pushed.and_then(|square| men.man_on(square)) else {
        return;
    };
    let from = pawn_attacks(!turn, passed);
    for man in men.side(turn) {
        if men.piece(man).role == Role::Pawn
            && from.contains(men.squares[man])
            && is_legal(men, turn, man, victim, passed)
        {
            let mut squares = men.squares;
            squares[man] = passed;
            visit(conversions.landing(&squares, !turn, man, None, Some(victim)));
        }
    }
}

/// Whether a pawn may capture en passant on a square without leaving its king in check.
fn is_legal(men: &Men, turn: Color, man: usize, victim: usize, passed: Square) -> bool {
    let king = men.squares[men.side(turn).start];
    let mut occupied = men.occupied;
    occupied.discard(men.squares[man]);
    occupied.discard(men.squares[victim]);
    occupied.add(passed);
    men.side(!turn)
        .filter(|&enemy| enemy != victim)
        .all(|enemy| !attacks(men.squares[enemy], men.piece(enemy), occupied).contains(king))
}

/// Whether the position is an en-passant state: a capture on this square is legal.
pub(super) fn is_capturable(men: &Men, turn: Color, passed: Square) -> bool {
    let pushed = passed.offset(if turn.is_white() { -8 } else { 8 });
    let from = pawn_attacks(!turn, passed);
    pushed
        .and_then(|square| men.man_on(square))
        .is_some_and(|victim| {
            men.side(turn).any(|man| {
                men.piece(man).role == Role::Pawn
                    && from.contains(men.squares[man])
                    && is_legal(men, turn, man, victim, passed)
            })
        })
}

/// The value of an en-passant state: the better of its other moves and its captures. `base` is the
/// value of the ordinary state with the same placement, which counts only if that has a legal move.
pub(super) fn value(
    men: &Men,
    turn: Color,
    passed: Square,
    base: Option<Value>,
    conversions: &Conversions,
) -> Value {
    let mut best = base;
    captures(men, turn, passed, conversions, |landing| {
        let reached = conversions.value(landing).for_the_mover();
        best = Some(best.map_or(reached, |best| best.max(reached)));
    });
    best.unwrap_or(Value::Draw)
}
