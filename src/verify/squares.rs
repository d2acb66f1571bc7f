//! The squares of the men of a position, in the order of the material.
//!
//! They are eight bytes of one number, the first man in the highest: numbers are ordered as the lists of squares are, and
//! a symmetry is applied to all men at once. Places without a man have square 0 (or what a symmetry makes of it), which
//! means nothing.

use super::material::MOST_MEN;
use super::symmetry::Symmetry;

/// The squares of up to [`MOST_MEN`] men.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Squares(u64);

/// The same byte for every man.
const ALL: u64 = 0x0101_0101_0101_0101;

/// The files of all men.
const SEVENS: u64 = 7 * ALL;

impl Squares {
    /// The squares of men in order.
    pub(super) fn of(men: impl IntoIterator<Item = u8>) -> Squares {
        let men = men.into_iter().enumerate();
        men.fold(Squares::default(), |squares, (place, square)| {
            squares.with(place, square)
        })
    }

    /// The square of the man at a place.
    #[inline(always)]
    pub(super) fn at(self, place: usize) -> u8 {
        (self.0 >> shift(place)) as u8 & 63
    }

    /// The squares after the man at a place was put on another.
    #[inline(always)]
    pub(super) fn with(self, place: usize, square: u8) -> Squares {
        let shift = shift(place);
        Squares(self.0 & !(0xff << shift) | u64::from(square & 63) << shift)
    }

    /// The squares in order.
    pub(super) fn iter(self) -> impl DoubleEndedIterator<Item = u8> {
        (0..MOST_MEN).map(move |place| self.at(place))
    }

    /// The squares of the first men alone.
    pub(super) fn first(self, count: usize) -> Squares {
        Squares::of(self.iter().take(count))
    }

    /// Where a symmetry sends them.
    #[inline(always)]
    pub(super) fn image(self, symmetry: Symmetry) -> Squares {
        let exchanged = match symmetry.exchange {
            true => (self.0 >> 3 & SEVENS) | (self.0 & SEVENS) << 3,
            false => self.0,
        };
        Squares(exchanged ^ (u64::from(symmetry.mirror) * ALL))
    }
}

/// How far from the lowest bit the square of a place begins.
#[inline(always)]
fn shift(place: usize) -> u32 {
    56 - 8 * (place as u32 & 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_where_they_were_put() {
        let squares = Squares::of([1, 63, 0, 40, 7]);
        assert!(squares.iter().eq([1, 63, 0, 40, 7]));
        assert!(squares.with(2, 9).iter().eq([1, 63, 9, 40, 7]));
        assert_eq!(squares.with(2, 9).with(2, 0), squares);
    }

    #[test]
    fn they_are_ordered_as_lists_are() {
        let lists = [
            [0, 0, 0, 0, 1],
            [0, 0, 0, 63, 0],
            [1, 0, 5, 0, 0],
            [1, 2, 0, 0, 0],
        ];
        for pair in lists.windows(2) {
            assert!(Squares::of(pair[0]) < Squares::of(pair[1]));
        }
    }

    #[test]
    fn an_image_is_that_of_each_square() {
        for symmetry in Symmetry::all(false) {
            for first in 0..64 {
                let men = [first, 63 - first, first / 2, 0, 63];
                let images = men.map(|square| symmetry.image(square));
                assert_eq!(
                    Squares::of(men).image(symmetry).iter().collect::<Vec<_>>(),
                    images
                );
            }
        }
    }
}
