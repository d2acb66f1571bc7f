//! The rules of chess, on shakmaty.
//!
//! This layer turns text into legal positions and legal moves into text. It knows nothing of
//! tables. (The verifier does not use it: [`crate::verify`] has rules of its own.)

mod dead;
mod encoding;
mod fen;
mod notation;
mod perft;
mod position;
mod ruleset;
mod state;
mod transfer;

pub use dead::{DeadReason, Deadness, deadness, reason_at_sight};
pub use encoding::{EarlierFault, NoEncoding};
pub use fen::{FenError, parse_fen};
pub use notation::{Notation, moves_in_order, san_line, uci, uci_order};
pub use perft::{TooManyLines, divide, state_divide};
pub use position::{exchange_colors, legal_position, placement_fen, position_fen};
pub use ruleset::{RULESET_TEXT, RULESET_VERSION, ruleset_digest};
pub use state::{Claim, End, NoState, State};
pub use transfer::{ClockLimits, Past, win_transfers};
