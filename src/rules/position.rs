//! Positions of the *board* profile: placement, side to move and en passant, no history.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, PositionError, Setup};

/// The position of this setup, whatever check it is in.
///
/// Checks that no move can have caused (two knights at once, say) are accepted: they are states of a
/// universe.
///
/// # Errors
///
/// If a king is missing, the side not to move is in check, and so on.
pub fn legal_position(setup: Setup) -> Result<Chess, Box<PositionError<Chess>>> {
    setup
        .position(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(Box::new)
}

/// The six-field FEN of a position, with the en-passant square only where the capture is legal.
pub fn position_fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The first four fields of the FEN of a position: what it is, without the clocks.
pub fn placement_fen(position: &Chess) -> String {
    let fen = position_fen(position);
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

/// The same position with the colours exchanged and the ranks flipped.
///
/// # Panics
///
/// Never: the rules are the same for both sides.
pub fn exchange_colors(position: &Chess) -> Chess {
    let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
    legal_position(setup).expect("the rules are the same for both sides")
}
