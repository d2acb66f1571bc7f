//! Moves that somebody typed.

use dchess::rules::position_fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};

use super::failure::Failure;
use super::output::one_line;

/// A legal move, written as UCI or SAN.
pub(crate) fn read_move(position: &Chess, text: &str) -> Result<Move, Failure> {
    let of_uci = || text.parse::<UciMove>().ok()?.to_move(position).ok();
    let castling = text.replace("0-0", "O-O").replace("O-0", "O-O");
    let of_san = || castling.parse::<SanPlus>().ok()?.san.to_move(position).ok();
    of_uci().or_else(of_san).ok_or_else(|| {
        let (shown, fen) = (one_line(text), position_fen(position));
        if position.legal_moves().is_empty() {
            let end = if position.is_check() {
                "checkmate"
            } else {
                "stalemate"
            };
            return Failure::Error(format!("the game has ended before `{shown}`: {end}"));
        }
        Failure::Error(format!("`{shown}` is not a legal move in {fen}"))
    })
}
