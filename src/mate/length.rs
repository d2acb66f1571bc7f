//! The length of a mate in moves of the attacker.

use std::fmt;

use crate::game::Plies;

/// A number of moves that the attacker has, as in "mate in 3". Not a number of plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moves(u8);

impl Moves {
    /// Already mate.
    pub const ZERO: Moves = Moves(0);

    /// Longer mates cannot be asked for.
    pub const LONGEST: Moves = Moves(120);

    /// So many moves, or `None` beyond [`Moves::LONGEST`].
    pub const fn new(moves: u8) -> Option<Moves> {
        if moves <= Moves::LONGEST.0 {
            Some(Moves(moves))
        } else {
            None
        }
    }

    /// The plain number.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// One move fewer, or `None` if there is none left.
    pub const fn fewer(self) -> Option<Moves> {
        match self.0.checked_sub(1) {
            Some(moves) => Some(Moves(moves)),
            None => None,
        }
    }

    /// The plies of a mate in so many moves, for the side that is to move.
    pub const fn plies(self, mover: Mover) -> Plies {
        let twice = 2 * self.0 as u16;
        Plies::new(match mover {
            Mover::Attacker => twice.saturating_sub(1),
            Mover::Defender => twice,
        })
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which part the side to move plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mover {
    /// It is to mate.
    Attacker,
    /// It is to be mated.
    Defender,
}
