//! Moves that somebody typed.

use dchess::rules::position_fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move};

use super::failure::Failure;
use super::output::one_line;

/// A legal move, written as UCI or SAN.
pub(crate) fn read_move(position: &Chess, text: &str) -> Result<Move, Failure> {
    let of_uci = || text.parse::<UciMove>().ok()?.to_move(position).ok();
    let of_san = || text.parse::<SanPlus>().ok()?.san.to_move(position).ok();
    of_uci().or_else(of_san).ok_or_else(|| {
        let (shown, fen) = (one_line(text), position_fen(position));
        Failure::Error(format!("`{shown}` is not a legal move in {fen}"))
    })
}
