//! Positions of the *board* profile: placement and side to move, no history.

use shakmaty::fen::Fen;
use shakmaty::{Board, CastlingMode, Chess, Color, EnPassantMode, PositionError, Setup};

/// The position with this placement and side to move, without castling rights or en passant.
///
/// Checks that no move can have caused (two knights at once, say) are accepted: they are states of a universe.
///
/// # Errors
///
/// If a king is missing, or the side not to move is in check.
pub fn position(board: Board, turn: Color) -> Result<Chess, Box<PositionError<Chess>>> {
    let setup = Setup {
        board,
        turn,
        ..Setup::empty()
    };
    accept(setup)
}

/// The position of this setup, whatever check it is in.
pub(super) fn accept(setup: Setup) -> Result<Chess, Box<PositionError<Chess>>> {
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
