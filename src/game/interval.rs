//! What is known of a value: a lower and an upper bound.
//!
//! Values here are those of one side, the *maximizer*, whoever is to move: −1 if the other side wins, 0 for
//! a draw, +1 if the maximizer wins (C2.2).

use std::fmt;

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// The side whose value is counted, and that wants it high.
    Max,
    /// The side that wants it low.
    Min,
}

impl Player {
    /// The other side.
    pub const fn opponent(self) -> Player {
        match self {
            Player::Max => Player::Min,
            Player::Min => Player::Max,
        }
    }
}

/// A closed interval of values, within −1 and +1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// D⁻: the value is at least this.
    pub lower: i8,
    /// D⁺: the value is at most this.
    pub upper: i8,
}

impl Interval {
    /// Nothing is known.
    pub const UNKNOWN: Interval = Interval {
        lower: -1,
        upper: 1,
    };

    /// Everything is known.
    pub const fn point(value: i8) -> Interval {
        Interval {
            lower: value,
            upper: value,
        }
    }

    /// Whether the value is known.
    pub const fn is_point(self) -> bool {
        self.lower == self.upper
    }

    /// Whether a value is possible.
    pub const fn contains(self, value: i8) -> bool {
        self.lower <= value && value <= self.upper
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.lower, self.upper)
    }
}
