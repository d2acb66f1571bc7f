//! What is known of a value: that it is at least and at most something.
//!
//! Values are White's: +1 if White wins, 0 for a draw, −1 if Black wins. What White is sure of is the lower bound; what
//! Black is sure of is the upper one, with its sign changed. Most rules are said once, for a side, in these terms.
//!
//! Source: `docs/certificate-format.md`, *Bounds and rounds* and *Deletions*.

use std::cmp::Ordering;

use super::man::Side;
use super::value::Value;

/// What is known of a value, as White's: at least `low`, at most `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) low: i8,
    pub(super) high: i8,
}

impl Interval {
    /// Nothing is known.
    pub(super) const OPEN: Interval = Interval { low: -1, high: 1 };

    /// A draw.
    pub(super) const DRAWN: Interval = Interval { low: 0, high: 0 };

    /// This side wins, or nobody does.
    pub(super) fn won_by(winner: Option<Side>) -> Interval {
        let value = match winner {
            Some(Side::White) => 1,
            Some(Side::Black) => -1,
            None => 0,
        };
        Interval {
            low: value,
            high: value,
        }
    }

    /// What is known of a state of a child with this byte, where this side is to move.
    pub(super) fn of_byte(byte: u8, to_move: Side) -> Interval {
        Interval::won_by(Value::from_byte(byte).winner(to_move))
    }

    /// The least that a side gets: 1 a win, 0 a draw, −1 a loss.
    pub(super) fn least_for(self, side: Side) -> i8 {
        match side {
            Side::White => self.low,
            Side::Black => -self.high,
        }
    }

    /// The same with colours exchanged.
    pub(super) fn exchanged(self) -> Interval {
        Interval {
            low: -self.high,
            high: -self.low,
        }
    }

    /// How the worst that a move can be for the side to move, if this is known of it, compares with the best that another
    /// one can be. It dominates the other one if that is not less.
    pub(super) fn against(self, other: Interval, to_move: Side) -> Ordering {
        let most = -other.least_for(to_move.other());
        self.least_for(to_move).cmp(&most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_dominates_another_one_as_the_page_says() {
        let all: Vec<Interval> = (-1..=1)
            .flat_map(|low| (low..=1).map(move |high| Interval { low, high }))
            .collect();
        assert_eq!(all.len(), 6);
        for &better in &all {
            for &worse in &all {
                let white = better.against(worse, Side::White);
                assert_eq!(white, better.low.cmp(&worse.high));
                let black = better.against(worse, Side::Black);
                assert_eq!(black, worse.low.cmp(&better.high));
                let exchanged = better.exchanged().against(worse.exchanged(), Side::Black);
                assert_eq!(exchanged, white);
            }
        }
    }

    #[test]
    fn bytes_say_who_wins() {
        let of_byte = |byte, to_move| Interval::of_byte(byte, to_move);
        let [white, black] = Side::BOTH.map(|side| Interval::won_by(Some(side)));
        assert_eq!((white.low, white.high), (1, 1));
        assert_eq!(black, white.exchanged());
        for (byte, to_move, wanted) in [
            (0, Side::Black, white),
            (0, Side::White, black),
            (1, Side::White, white),
            (1, Side::Black, black),
            (254, Side::Black, white),
            (253, Side::Black, black),
            (255, Side::White, Interval::DRAWN),
            (255, Side::Black, Interval::DRAWN),
        ] {
            assert_eq!(of_byte(byte, to_move), wanted, "{byte}");
        }
    }
}
