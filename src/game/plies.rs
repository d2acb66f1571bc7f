//! Distances in plies.
//!
//! One ply is one move of one side. A distance in *moves* is a different number and never meets
//! this type without a conversion.

use std::fmt;

/// A number of plies: the length of play from a state to the end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plies(u16);

impl Plies {
    /// No ply: the game ends here.
    pub const ZERO: Plies = Plies(0);

    /// A distance of `plies` plies.
    pub const fn new(plies: u16) -> Plies {
        Plies(plies)
    }

    /// The plain number.
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The distance one ply further from the end, or `None` beyond 65,535 plies.
    pub const fn next(self) -> Option<Plies> {
        match self.0.checked_add(1) {
            Some(plies) => Some(Plies(plies)),
            None => None,
        }
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 ply"),
            plies => write!(f, "{plies} plies"),
        }
    }
}
