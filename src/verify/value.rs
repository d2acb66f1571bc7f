//! The value of a state for the side to move: won, lost or drawn, with the distance to mate in plies.
//!
//! A table stores one byte a state: an even number is a loss and an odd number a win in as many plies, 255 a draw.
//! Here the three are told apart by type, and distances are wide enough to grow by one: the equations can then give
//! *won in 255*, which no byte stores, and it differs from a draw.
//!
//! Source: `docs/certificate-format.md`, *Results and distances*.

use std::fmt::{self, Display};

/// The value of a state for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// Mates after that many plies.
    Won(u16),
    /// Is mated after that many plies; 0: is checkmated now.
    Lost(u16),
    /// Neither side can force mate.
    Drawn,
}

impl Value {
    /// The value that a byte stands for; every byte stands for one.
    pub(super) fn from_byte(byte: u8) -> Value {
        match byte {
            255 => Value::Drawn,
            plies if plies % 2 == 1 => Value::Won(u16::from(plies)),
            plies => Value::Lost(u16::from(plies)),
        }
    }

    /// The value of a state with these successors, by the equations of the format page: the twin of [`Bytes`] in the
    /// tests. Of an empty list it would be a loss in 1.
    #[cfg(test)]
    pub(super) fn from_successors(successors: impl Iterator<Item = Value>) -> Value {
        let (mut fastest_loss, mut draw, mut slowest_win) = (None, false, 0);
        for value in successors {
            match value {
                Value::Lost(plies) => fastest_loss = Some(fastest_loss.unwrap_or(plies).min(plies)),
                Value::Drawn => draw = true,
                Value::Won(plies) => slowest_win = slowest_win.max(plies),
            }
        }
        match fastest_loss {
            Some(plies) => Value::Won(1 + plies),
            None if draw => Value::Drawn,
            None => Value::Lost(1 + slowest_win),
        }
    }

    /// Whether a move from a state of this value to a successor of that value is optimal: it keeps the result, and
    /// takes one ply off the distance.
    pub(super) fn is_kept_by(self, successor: Value) -> bool {
        match (self, successor) {
            (Value::Won(plies), Value::Lost(left)) | (Value::Lost(plies), Value::Won(left)) => {
                plies == left + 1
            }
            (Value::Drawn, Value::Drawn) => true,
            _ => false,
        }
    }

    /// The distance to mate in plies; none for a draw.
    pub(super) fn plies(self) -> Option<u16> {
        match self {
            Value::Won(plies) | Value::Lost(plies) => Some(plies),
            Value::Drawn => None,
        }
    }

    /// Whether both are won, both lost or both drawn.
    pub(super) fn same_result(self, other: Value) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// The bytes of the successors of a state, as far as the equations look at them: the smallest even one and the largest
/// of all. If there is no even one, then the largest is 255 exactly if there is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bytes {
    smallest_even: u16,
    largest: u8,
}

/// More than every byte: no even byte yet. Odd bytes are counted up here, so that they are never the smallest.
const NO_EVEN: u16 = 0x100;

impl Default for Bytes {
    fn default() -> Bytes {
        Bytes {
            smallest_even: NO_EVEN,
            largest: 0,
        }
    }
}

impl Bytes {
    /// Adds the byte of a successor.
    #[inline]
    pub(super) fn add(&mut self, byte: u8) {
        let even = u16::from(byte) | (u16::from(byte) & 1) * NO_EVEN;
        self.smallest_even = self.smallest_even.min(even);
        self.largest = self.largest.max(byte);
    }

    /// The value of a state with these successors, by the equations of the format page. Callers have at least one.
    pub(super) fn value(self) -> Value {
        match (self.smallest_even, self.largest) {
            (plies @ 0..NO_EVEN, _) => Value::Won(1 + plies),
            (_, 255) => Value::Drawn,
            (_, plies) => Value::Lost(1 + u16::from(plies)),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Won(plies) => write!(f, "win in {plies}"),
            Value::Lost(plies) => write!(f, "loss in {plies}"),
            Value::Drawn => f.write_str("draw"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{Drawn, Lost, Won};
    use super::*;

    #[test]
    fn bytes_stand_for_values() {
        let pairs = [
            (0, Lost(0)),
            (1, Won(1)),
            (2, Lost(2)),
            (253, Won(253)),
            (254, Lost(254)),
            (255, Drawn),
        ];
        for (byte, value) in pairs {
            assert_eq!(Value::from_byte(byte), value);
        }
    }

    #[test]
    fn the_equations() {
        let of = |values: &[Value]| Value::from_successors(values.iter().copied());
        assert_eq!(of(&[Won(1), Lost(4), Drawn, Lost(2)]), Won(3));
        assert_eq!(of(&[Won(7), Drawn, Won(9)]), Drawn);
        assert_eq!(of(&[Won(7), Won(9), Won(3)]), Lost(10));
        assert_eq!(of(&[Drawn]), Drawn);
        assert_eq!(of(&[Lost(254)]), Won(255));
        assert_ne!(of(&[Lost(254)]), Value::from_byte(255));
    }

    #[test]
    fn bytes_give_what_the_equations_give() {
        let both = |bytes: &[u8]| {
            let mut gathered = Bytes::default();
            bytes.iter().for_each(|&byte| gathered.add(byte));
            let values = bytes.iter().map(|&byte| Value::from_byte(byte));
            assert_eq!(gathered.value(), Value::from_successors(values), "{bytes:?}");
        };
        for a in 0..=255 {
            both(&[a]);
            for b in 0..=255 {
                both(&[a, b]);
                for c in [0, 1, 2, 100, 101, 252, 253, 254, 255] {
                    both(&[a, b, c]);
                }
            }
        }
    }

    #[test]
    fn optimal_moves_keep_result_and_pace() {
        assert!(
            Won(5).is_kept_by(Lost(4)) && Lost(4).is_kept_by(Won(3)) && Drawn.is_kept_by(Drawn)
        );
        for (value, successor) in [
            (Won(5), Lost(2)),
            (Won(5), Lost(6)),
            (Won(5), Won(4)),
            (Lost(4), Won(1)),
            (Lost(0), Won(0)),
            (Drawn, Won(1)),
            (Won(1), Drawn),
        ] {
            assert!(!value.is_kept_by(successor), "{value}, {successor}");
        }
    }
}
