//! What a result of the *board* profile is worth under the complete rules.
//!
//! The condition for a win is sufficient, not necessary; the proof is in `docs/soundness.md` (*Transfer to the complete rules*).

use super::state::{FIFTY_MOVES, FIVEFOLD, SEVENTY_FIVE_MOVES, State};
use crate::game::Plies;

/// What of the history of a state matters to a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// Plies since the last capture or pawn move.
    pub clock_plies: u32,
    /// How often the present key has occurred, this occurrence included.
    pub occurrences: u8,
    /// How often one of the other keys has occurred at most.
    pub most_of_others: u8,
}

/// When the moves that are counted allow a claim, and when they end the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockLimits {
    /// Plies with which a draw can be claimed (FIDE 9.3).
    pub claimable_plies: u32,
    /// Plies with which the game is drawn unless the last of them mates (FIDE 9.6.2).
    pub drawn_plies: u32,
}

impl ClockLimits {
    /// Fifty and seventy-five moves.
    pub const FIDE: ClockLimits = ClockLimits {
        claimable_plies: FIFTY_MOVES,
        drawn_plies: SEVENTY_FIVE_MOVES,
    };
}

impl Past {
    /// What the history of a state says.
    pub fn of(state: &State) -> Past {
        Past {
            clock_plies: state.clock_plies(),
            occurrences: state.occurrences(),
            most_of_others: state.earlier().map(|(_, count)| count).max().unwrap_or(0),
        }
    }

    /// Whether a win in so many plies on the board, of either side, is surely one of the complete game.
    pub const fn win_transfers(self, plies: Plies, limits: ClockLimits) -> bool {
        match plies.get() {
            0 => true,
            1 => self.clock_plies < limits.drawn_plies && self.occurrences < FIVEFOLD,
            plies => {
                self.clock_plies.saturating_add(plies as u32) <= limits.claimable_plies
                    && self.occurrences <= 2
                    && self.most_of_others <= 1
            }
        }
    }
}

/// Whether a win in `plies` stands under the fifty-move rule and repetition, from a position of which no earlier occurrence of
/// any key is known, with `clock_plies` plies since the last capture or pawn move.
pub const fn win_transfers(plies: Plies, clock_plies: u32) -> bool {
    let past = Past {
        clock_plies,
        occurrences: 1,
        most_of_others: 0,
    };
    past.win_transfers(plies, ClockLimits::FIDE)
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

    #[test]
    fn what_has_occurred_counts() {
        let transfers = |plies, occurrences, most_of_others| {
            let past = Past {
                clock_plies: 20,
                occurrences,
                most_of_others,
            };
            past.win_transfers(Plies::new(plies), ClockLimits::FIDE)
        };
        assert!(transfers(5, 2, 1) && !transfers(5, 3, 1) && !transfers(5, 1, 2));
        assert!(transfers(1, 4, 4) && !transfers(1, 5, 4) && transfers(0, 5, 4));
    }
}
