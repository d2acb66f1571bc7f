//! The value of a state for the side to move: won, lost or drawn, with the distance to mate in plies.
//!
//! A table stores one byte a state: an even number is a loss and an odd number a win in as many plies, 255 a draw.
//! Here the three are told apart by type, and distances are wide enough to grow by one: the equations can then give
//! *won in 255*, which no byte stores, and it differs from a draw.
//!
//! Source: `docs/certificate-format.md`, *Results and distances*.

use std::fmt::{self, Display};

use super::man::Side;

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

    /// The side that wins if this is the value with that side to move; none for a draw.
    pub(super) fn winner(self, to_move: Side) -> Option<Side> {
        match self {
            Value::Won(_) => Some(to_move),
            Value::Lost(_) => Some(to_move.other()),
            Value::Drawn => None,
        }
    }

    /// Whether both are won, both lost or both drawn.
    pub(super) fn same_result(self, other: Value) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// What the bytes of the successors of a state come to, added one by one.
///
/// The equations say which byte decides: the smallest even one; if there is none, 255; if there is none either, the
/// largest odd one. Bytes are compared by their *rank*: an even byte is its own, an odd one has 511 minus itself. So the
/// smallest rank decides: even bytes have 0 to 254, 255 has 256, and other odd bytes from 511 down to 258.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    moves: u32,
    smallest_rank: u32,
}

impl Outlook {
    /// Before the first move.
    pub(super) const NOTHING: Outlook = Outlook {
        moves: 0,
        smallest_rank: 511,
    };

    /// Adds a legal move by the byte of its successor.
    #[inline(always)]
    pub(super) fn add(&mut self, byte: u8) {
        self.moves += 1;
        let byte = u32::from(byte);
        // 511 is all ones, so to subtract from it is to flip bits.
        let rank = byte ^ (511 * (byte & 1));
        self.smallest_rank = self.smallest_rank.min(rank);
    }

    /// What the moves of both come to.
    pub(super) fn and(self, other: Outlook) -> Outlook {
        Outlook {
            moves: self.moves + other.moves,
            smallest_rank: self.smallest_rank.min(other.smallest_rank),
        }
    }

    /// How many legal moves there are.
    pub(super) fn moves(&self) -> u32 {
        self.moves
    }

    /// The value of the state by the equations of the format page.
    pub(super) fn value(&self, in_check: impl FnOnce() -> bool) -> Value {
        match (self.moves, self.smallest_rank) {
            (0, _) if in_check() => Value::Lost(0),
            (0, _) | (_, 256) => Value::Drawn,
            (_, plies @ ..256) => Value::Won(1 + plies as u16),
            (_, rank) => Value::Lost(1 + (511 - rank as u16)),
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
        let of = |bytes: &[u8]| {
            let mut outlook = Outlook::NOTHING;
            bytes.iter().for_each(|&byte| outlook.add(byte));
            assert_eq!(outlook.moves() as usize, bytes.len());
            outlook.value(|| false)
        };
        assert_eq!(of(&[1, 4, 255, 2]), Won(3));
        assert_eq!(of(&[7, 255, 9]), Drawn);
        assert_eq!(of(&[7, 9, 3]), Lost(10));
        assert_eq!(of(&[255]), Drawn);
        assert_eq!(of(&[254]), Won(255));
        assert_ne!(of(&[254]), Value::from_byte(255));
        assert_eq!(of(&[]), Drawn);
        assert_eq!(Outlook::NOTHING.value(|| true), Lost(0));
    }

    #[test]
    fn ranks_decide_as_the_equations_do() {
        // The equations as they are written, for all sets of up to three bytes out of those where something changes.
        let bytes = [0, 1, 2, 3, 4, 127, 128, 252, 253, 254, 255];
        let by_the_page = |set: &[u8]| {
            let even = set.iter().filter(|&byte| byte % 2 == 0).min();
            match even {
                Some(&byte) => Won(1 + u16::from(byte)),
                None if set.contains(&255) => Drawn,
                None => Lost(1 + set.iter().copied().max().map_or(0, u16::from)),
            }
        };
        for a in bytes {
            for b in bytes {
                for c in bytes {
                    for set in [&[a][..], &[a, b], &[a, b, c]] {
                        let mut outlook = Outlook::NOTHING;
                        set.iter().for_each(|&byte| outlook.add(byte));
                        assert_eq!(outlook.value(|| false), by_the_page(set), "{set:?}");
                    }
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
