//! The rules of chess, on shakmaty.
//!
//! This layer turns text into legal positions and legal moves into text. It knows nothing of
//! tables. (The verifier does not use it: [`crate::verify`] has rules of its own.)

mod fen;
mod notation;
mod position;
mod transfer;

pub use fen::{FenError, parse_fen};
pub use notation::{Notation, san_line, uci, uci_order};
pub use position::{exchange_colors, legal_position, placement_fen, position_fen};
pub use transfer::win_transfers;
