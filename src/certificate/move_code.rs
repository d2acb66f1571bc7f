//! Moves in 16 bits.

use shakmaty::uci::UciMove;
use shakmaty::{Role, Square};

/// The 16-bit code of a move.
pub(super) fn move_code(mv: UciMove) -> u16 {
    let promotion = match mv.promotion() {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    let square = |square: Option<Square>| square.map_or(0, |square| square as u16);
    square(mv.from()) + 64 * square(mv.to()) + 4096 * promotion
}
