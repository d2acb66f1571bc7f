//! A square: a number from 0 (a1) to 63 (h8), `8 × rank + file`.
//!
//! Men move by steps of files and ranks; a step off the board leads nowhere. The number is private and every
//! constructor keeps it below 64, so a square is always an index into an array of 64. It is stored plus one: 0 is left
//! to stand for none, and an optional square is as small and as quickly compared as a square.
//!
//! Source: `docs/certificate-format.md`, *Conventions*.

use std::fmt::{self, Display};
use std::num::NonZero;

/// A square of the board. `Display`: `a1` to `h8`. Ordered by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(NonZero<u8>);

/// A step on the board: files to the right, ranks up.
pub(super) type Step = (i8, i8);

impl Square {
    /// The square with a number below 64.
    fn new(number: u8) -> Square {
        Square(NonZero::<u8>::MIN.saturating_add(number))
    }

    /// The number of the square, 0 to 63.
    pub(super) fn number(self) -> u8 {
        self.0.get() - 1
    }

    /// The 64 squares in the order of their numbers.
    pub(super) fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square::new)
    }

    /// The square on a file and a rank, both 0 to 7; none off the board.
    pub(super) fn at(file: i8, rank: i8) -> Option<Square> {
        match (u8::try_from(file), u8::try_from(rank)) {
            (Ok(file @ 0..8), Ok(rank @ 0..8)) => Some(Square::new(8 * rank + file)),
            _ => None,
        }
    }

    /// The square whose number is in the lowest six bits.
    pub(super) fn from_low_bits(bits: u16) -> Square {
        Square::new((bits & 63) as u8)
    }

    /// The number of the square, 0 to 63.
    pub fn index(self) -> usize {
        usize::from(self.number())
    }

    /// The file, 0 (a) to 7 (h).
    pub(super) fn file(self) -> i8 {
        (self.number() % 8) as i8
    }

    /// The rank, 0 (first) to 7 (eighth).
    pub(super) fn rank(self) -> i8 {
        (self.number() / 8) as i8
    }

    /// The square one step further; none off the board.
    pub(super) fn step(self, (files, ranks): Step) -> Option<Square> {
        Square::at(self.file() + files, self.rank() + ranks)
    }

    /// The two letters of the name.
    pub(super) fn name(self) -> [u8; 2] {
        [b'a' + self.number() % 8, b'1' + self.number() / 8]
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [file, rank] = self.name().map(char::from);
        write!(f, "{file}{rank}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_coordinates_agree() {
        let names: Vec<String> = Square::all().map(|square| square.to_string()).collect();
        assert_eq!(names[..3], ["a1", "b1", "c1"]);
        assert_eq!(names[7..9], ["h1", "a2"]);
        assert_eq!(names[63], "h8");
        for (number, square) in Square::all().enumerate() {
            assert_eq!(square.index(), number);
            assert_eq!(Square::at(square.file(), square.rank()), Some(square));
            assert_eq!(Square::from_low_bits(number as u16 + 64 * 9), square);
        }
    }

    #[test]
    fn steps_do_not_wrap_around_the_edge() {
        let h4 = Square::at(7, 3).unwrap();
        assert_eq!(h4.step((1, 0)), None);
        assert_eq!(h4.step((-1, 1)), Square::at(6, 4));
        assert_eq!(Square::at(0, 0).unwrap().step((-1, -1)), None);
        assert_eq!(Square::at(3, 7).unwrap().step((0, 1)), None);
        assert_eq!(Square::at(8, 0), None);
        assert_eq!(Square::at(0, -1), None);
    }
}
