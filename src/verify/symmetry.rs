//! The symmetries of the board: with pawns the identity and the reflection of files; without, the eight that the
//! reflections of files and of ranks and the exchange of the two compose to.
//!
//! A symmetry sends a square first to *(rank, file)* if it exchanges them, then each coordinate *x* that it mirrors to
//! *7 − x*. A *home* is a square on which the white king of a canonical state can stand; the symmetry that brings a king
//! home is unique but for the reflection in the long diagonal a1–h8, which leaves every square of it in place.
//!
//! Source: `docs/certificate-format.md`, *The states*.

/// One of the symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symmetry {
    pub(super) exchange: bool,
    /// What the coordinates are combined with: 7 to mirror files, 56 to mirror ranks.
    pub(super) mirror: u8,
}

/// What leaves every square in place.
pub(super) const IDENTITY: Symmetry = Symmetry {
    exchange: false,
    mirror: 0,
};

/// The reflection in the long diagonal.
pub(super) const DIAGONAL: Symmetry = Symmetry {
    exchange: true,
    mirror: 0,
};

/// What exchanges ranks 1 and 8, without being a symmetry of a class with pawns.
pub(super) const RANKS_FLIPPED: Symmetry = Symmetry {
    exchange: false,
    mirror: 56,
};

impl Symmetry {
    /// The symmetries of a class, the identity first.
    pub(super) fn all(pawns: bool) -> impl DoubleEndedIterator<Item = Symmetry> {
        let count = if pawns { 2 } else { 8 };
        (0..count).map(|number: u8| Symmetry {
            exchange: number & 4 != 0,
            mirror: 7 * (number & 1) + 56 * (number >> 1 & 1),
        })
    }

    /// Where the symmetry sends a square.
    pub(super) fn image(self, square: u8) -> u8 {
        let square = square & 63;
        let exchanged = match self.exchange {
            true => square >> 3 | (square & 7) << 3,
            false => square,
        };
        exchanged ^ self.mirror
    }
}

/// Whether a square is on the long diagonal a1–h8.
pub(super) fn on_diagonal(square: u8) -> bool {
    DIAGONAL.image(square) == square & 63
}

/// Whether the white king of a canonical state can stand on a square.
pub(super) fn is_home(square: u8, pawns: bool) -> bool {
    let (file, rank) = (square & 7, square >> 3);
    file < 4 && (pawns || rank <= file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_images_are_those_of_the_format_page() {
        for square in 0..64 {
            let (f, r) = (square % 8, square / 8);
            let page = [
                (f, r),
                (7 - f, r),
                (f, 7 - r),
                (7 - f, 7 - r),
                (r, f),
                (7 - r, f),
                (r, 7 - f),
                (7 - r, 7 - f),
            ]
            .map(|(f, r)| 8 * r + f);
            let images =
                |pawns| -> Vec<u8> { Symmetry::all(pawns).map(|s| s.image(square)).collect() };
            assert_eq!(images(false), page);
            assert_eq!(images(true), page[..2]);
        }
    }

    #[test]
    fn every_square_has_one_home() {
        for pawns in [false, true] {
            for square in 0..64 {
                let images: Vec<u8> = Symmetry::all(pawns).map(|s| s.image(square)).collect();
                let smallest = *images.iter().min().unwrap();
                for image in images {
                    assert_eq!(is_home(image, pawns), image == smallest);
                }
            }
        }
        let homes: Vec<u8> = (0..64).filter(|&square| is_home(square, false)).collect();
        assert_eq!(homes, [0, 1, 2, 3, 9, 10, 11, 18, 19, 27]);
    }
}
