//! What a result of the *board* profile is worth under the complete rules.

use crate::game::Plies;

/// Plies without capture or pawn move after which a draw can be claimed (FIDE 9.3).
const CLAIMABLE: u32 = 100;

/// Plies after which the game is drawn without a claim, unless the last of them mates (FIDE 9.6.2).
const DRAWN: u32 = 150;

/// Whether a win in `plies` stands under the fifty-move rule and repetition, from a position that has
/// not occurred before with `halfmoves` plies since the last capture or pawn move.
///
/// The condition is sufficient, not necessary. With it every position on the way is met once, for the
/// distance falls with each ply, and no clock reaches 100 before mate, which comes before any claim;
/// a mate in one ply is played before anything can be claimed, if the game is not over by then. The proof is in `docs/soundness.md`.
pub const fn win_transfers(plies: Plies, halfmoves: u32) -> bool {
    match plies.get() {
        0 => true,
        1 => halfmoves < DRAWN,
        plies => halfmoves.saturating_add(plies as u32) <= CLAIMABLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_condition_is_that_of_the_clock() {
        assert!(win_transfers(Plies::new(100), 0) && !win_transfers(Plies::new(101), 0));
        assert!(win_transfers(Plies::new(3), 97) && !win_transfers(Plies::new(3), 98));
        assert!(win_transfers(Plies::new(1), 149) && !win_transfers(Plies::new(1), 150));
        assert!(win_transfers(Plies::ZERO, u32::MAX));
    }
}
